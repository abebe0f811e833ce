"""The pytest plug-in, in tests of its own: the fixture, its options, reports of faults, and many processes."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ElementTree
from importlib.metadata import entry_points
from types import SimpleNamespace
from typing import Any

import pytest

import weft.gpu  # Before pytester counts what is loaded: NumPy cannot be loaded twice.
import weft.report
from weft import pytest_plugin
from weft.errors import Position, WeftError
from weft.sim import KernelFault

pytest_plugins = ["pytester"]
assert weft.gpu and weft.report

TESTS = '''
import numpy as np
import pytest

PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .b64 %p, %i; .reg .b32 %t;
  ld.param.u64 %p, [out]; mov.u32 %t, %tid.x; STEP; add.u64 %p, %p, %i;
  st.global.u32 [%p], %t;
  ret;
}
"""


def test_right(gpu):
    out = gpu.zeros(64, np.uint32)
    gpu.kernel(PTX.replace("STEP", "mul.wide.u32 %i, %t, 4"), "k").launch(1, 64, [out])
    assert (out == np.arange(64)).all()


def test_racy(gpu):
    out = gpu.zeros(64, np.uint32, "out")
    gpu.kernel(PTX.replace("STEP", "mov.u64 %i, 0"), "k").launch(1, 64, [out])


def test_leak(gpu):
    gpu.alloc(100, "forgotten")


def test_unwritten(gpu):
    memory = gpu.alloc(256)
    text = PTX.replace("STEP", "ld.global.u32 %t, [%p]; mul.wide.u32 %i, %t, 0")
    gpu.kernel(text, "k").launch(1, 1, [memory.address])


@pytest.mark.weft(target="sm_75")
def test_mark(gpu):
    assert gpu.target == "sm_75"
'''


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(test_kernels=TESTS)
    pytester.makeini("[pytest]\n")
    return pytester


def run(project: pytest.Pytester, *options: str) -> pytest.RunResult:
    installed = any(point.value == "weft.pytest_plugin" for point in entry_points(group="pytest11"))
    loading = [] if installed else ["-p", "weft.pytest_plugin"]
    return project.runpytest_inprocess(*loading, "-p", "no:cacheprovider", *options)


def test_the_fixture_and_the_report(project: pytest.Pytester) -> None:
    result = run(project, "--junitxml=junit.xml", "--weft-sarif=weft.sarif")
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["*fault of a kernel*", "*st.global.u32: writes at the same time as warp*"])
    cases: dict[str, Any] = {
        case.get("name", ""): case for case in ElementTree.parse(project.path / "junit.xml").iter("testcase")
    }
    properties = {p.get("name"): p.get("value") for p in cases["test_racy"].iter("property")}
    assert properties["weft.kind"] == "race" and properties["weft.position"].endswith("8:3")
    assert list(cases["test_right"].iter("property")) == []
    (found,) = json.loads((project.path / "weft.sarif").read_text())["runs"][0]["results"]
    assert found["ruleId"] == "race"


def test_several_modes_and_targets(project: pytest.Pytester) -> None:
    result = run(project, "--weft-asynchrony=eager,lazy,random:3", "-k", "right", "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["*test_right?eager?*", "*test_right?lazy?*", "*test_right?random:3?*"])
    result = run(project, "--weft-target=sm_80,sm_90a", "--weft-asynchrony=eager,lazy", "-k", "right", "-v")
    result.stdout.fnmatch_lines(["*test_right?sm_80-eager?*", "*test_right?sm_90a-lazy?*"])


@pytest.mark.parametrize(
    ("targets", "modes", "ids"),
    [
        ("sm_80", "lazy", None),
        ("sm_80, sm_90a", "lazy", ["sm_80", "sm_90a"]),
        ("sm_80", "eager,lazy,", ["eager", "lazy"]),
        ("sm_80,sm_90a", "eager,lazy", ["sm_80-eager", "sm_80-lazy", "sm_90a-eager", "sm_90a-lazy"]),
    ],
)
def test_names_tell_devices_apart(targets: str, modes: str, ids: list[str] | None) -> None:
    """By what they differ in; of one device a test has no name for it."""
    asked: list[Any] = []
    config = SimpleNamespace(known_args_namespace=SimpleNamespace(weft_target=targets, weft_asynchrony=modes))
    for names in (["gpu"], ["tmp_path"]):
        given: Any = SimpleNamespace(
            fixturenames=names, config=config, parametrize=lambda *given, **more: asked.append((*given, more["ids"]))
        )
        pytest_plugin.pytest_generate_tests(given)
    if ids is None:
        assert asked == []
        return
    ((name, devices, found),) = asked
    assert (name, found, len(devices)) == ("gpu", ids, len(ids))
    assert {target for target, _ in devices} == {each.strip() for each in targets.split(",")}


def test_checks_and_leaks(project: pytest.Pytester) -> None:
    run(project, "--weft-checks=fast").assert_outcomes(passed=5)
    run(project, "--weft-checks=uninitialised").assert_outcomes(passed=5)
    result = run(project, "--weft-leaks", "-k", "leak")
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*the test leaves behind: forgotten (100 bytes at *"])
    run(project, "-k", "unwritten").assert_outcomes(passed=1)
    result = run(project, "--weft-uninitialised-memory", "-k", "unwritten")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*reads 4 bytes of global memory at 0x* that nothing has written*"])


def test_bounds_of_allocations(project: pytest.Pytester) -> None:
    project.makepyfile("def test_bounds(gpu):\n    assert gpu.memory.bounds == 512")
    run(project, "--weft-bounds=512", "-k", "bounds").assert_outcomes(passed=1)
    run(project, "-k", "bounds").assert_outcomes(failed=1)


def test_the_configuration_file(project: pytest.Pytester) -> None:
    project.makeini("[pytest]\nweft_target = sm_80\nweft_checks = fast\n")
    run(project).assert_outcomes(passed=5)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("target=sm_1", "unknown target 'sm_1'"),
        ("checks=often", "unknown check 'often'"),
        ("asynchrony=x", "unknown asynchrony 'x'"),
        ("bounds=3", "bounds=3 must be a power of two"),
    ],
)
def test_wrong_options(project: pytest.Pytester, option: str, message: str) -> None:
    result = run(project, f"--weft-{option}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert message in result.stderr.str()


@pytest.mark.slow
def test_many_processes(project: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    result = run(project, "-n", "2", "--weft-sarif=weft.sarif", "--junitxml=junit.xml")
    result.assert_outcomes(passed=4, failed=1)
    assert len(json.loads((project.path / "weft.sarif").read_text())["runs"][0]["results"]) == 1
    assert 'name="weft.kind" value="race"' in (project.path / "junit.xml").read_text()


@pytest.mark.slow
def test_conftest_may_ask_for_a_gpu(project: pytest.Pytester) -> None:
    """What a conftest.py imports finds the device, and a fault that stands for another is reported once."""
    pytest.importorskip("triton")
    project.makeconftest("""
import triton.runtime.driver
assert triton.runtime.driver.active.get_current_target().arch == 80
""")
    project.makepyfile(
        kernels="""
import triton
import triton.language as tl

@triton.jit
def beyond(x, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), 1.0)
""",
        test_kernels="""
import numpy as np
from kernels import beyond

def test_beyond():
    beyond[(1,)](np.zeros(7, np.float32), BLOCK=64)
""",
    )
    result = project.runpytest_subprocess("--weft-triton=sm_80", "--weft-sarif=faults.sarif")
    result.assert_outcomes(failed=1)
    found = json.loads((project.path / "faults.sarif").read_text())["runs"][0]["results"]
    places = [each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in found]
    assert places == ["kernels.py"]


class Config:
    """What the plug-in asks a configuration of pytest for."""

    def __init__(self, **given: object) -> None:
        names = ("target", "asynchrony", "checks", "bounds", "triton", "autotune")
        self.known_args_namespace = SimpleNamespace(**{f"weft_{name}": given.get(name) for name in names})
        self.left: list[Any] = []
        self.add_cleanup = self.left.append

    def getini(self, name: str) -> str:
        return {"weft_target": "sm_90a", "weft_asynchrony": "lazy", "weft_checks": "strict"}[name]


def test_triton_is_switched_over_before_anything_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a device of the options, in processes that tests start as well, until the end of the session."""
    import weft.triton as weft_triton

    asked: list[tuple[str, dict[str, Any]]] = []

    def activate(target: str, **options: Any) -> Any:
        asked.append((target, options))
        if target == "sm_1":
            raise WeftError("unknown target", hint="sm_90, say")
        return SimpleNamespace(close=lambda: asked.append(("closed", {})))

    monkeypatch.setattr(weft_triton, "activate", activate, raising=False)
    monkeypatch.delenv("WEFT_TRITON", raising=False)
    plain: Any = Config()
    pytest_plugin.pytest_load_initial_conftests(plain)
    assert asked == [] == plain.left
    given: Any = Config(triton="sm_80", checks="races, proxy", asynchrony="eager,lazy", bounds=64, autotune="first")
    pytest_plugin.pytest_load_initial_conftests(given)
    assert asked == [
        ("sm_80", {"checks": ("races", "proxy"), "asynchrony": "eager", "bounds": 64, "autotune": "first"})
    ]
    names = ("WEFT_TRITON", "WEFT_CHECKS", "WEFT_ASYNCHRONY", "WEFT_BOUNDS", "WEFT_AUTOTUNE")
    assert [os.environ[name] for name in names] == ["sm_80", "races,proxy", "eager", "64", "first"]
    for cleanup in given.left[::-1]:
        cleanup()
    assert asked[1:] == [("closed", {})] and "WEFT_TRITON" not in os.environ
    plain = Config(triton="sm_90a")
    pytest_plugin.pytest_load_initial_conftests(plain)
    assert asked[-1] == ("sm_90a", {"checks": "strict", "asynchrony": "lazy"})
    for cleanup in plain.left[::-1]:
        cleanup()
    with pytest.raises(pytest.UsageError, match="^--weft-triton=sm_1: unknown target; sm_90, say$"):
        pytest_plugin.pytest_load_initial_conftests(Config(triton="sm_1"))  # type: ignore[arg-type]


def fault(message: str) -> KernelFault:
    found = KernelFault("race", message, hint="wait")
    found.position, found.other = Position(3, 2, "k.ptx", "st"), Position(5, 1, "k.ptx", "ld")
    return found


def test_faults_that_a_traceback_shows() -> None:
    one, two, three = fault("one"), fault("two"), fault("three")
    outer = ValueError()
    outer.__cause__ = one
    one.__context__, two.__context__ = two, three
    assert pytest_plugin._faults(outer) == [one, two, three] and pytest_plugin._faults(None) == []
    one.__suppress_context__ = True
    assert pytest_plugin._faults(outer) == [one]
    one.__suppress_context__, three.__context__ = False, one
    assert pytest_plugin._faults(outer) == [one, two, three], "they go round in a circle"


def test_both_sides_of_a_fault() -> None:
    one = fault("two threads write")
    text = "k.ptx:3:2: error: two threads write\nst\n ^\nhint: wait"
    assert pytest_plugin.both_sides(one) == f"{text}\nk.ptx:5:1: note: the other access\nld\n^"
    assert pytest_plugin._properties(one) == [
        ("kind", "race"), ("position", "k.ptx:3:2"), ("message", "two threads write"), ("other", "k.ptx:5:1")
    ]  # fmt: skip
    one.seed = 7
    assert pytest_plugin._properties(one)[4:] == [("seed", "7")]
    one.other = Position(5, 1, "k.ptx")
    assert pytest_plugin.both_sides(one) == f"{text}\nk.ptx:5:1: note: the other access"
    for other in (None, one.position):
        one.other = other
        assert pytest_plugin.both_sides(one) == text
    one.message, one.other = "with k.ptx:5:1", Position(5, 1, "k.ptx", "ld")
    assert "note" not in pytest_plugin.both_sides(one), "it is said already"
    assert pytest_plugin._plain(one) == {
        "kind": "race", "message": "with k.ptx:5:1", "hint": "wait", "position": [3, 2, "k.ptx", "st"]
    }  # fmt: skip
