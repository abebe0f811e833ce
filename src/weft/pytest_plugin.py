"""The pytest plug-in: a virtual GPU as a fixture, and faults of kernels in the report of the test.

`gpu` is a `weft.Device` that a test has for itself.  `--weft-asynchrony=eager,lazy,random:20` and
`--weft-target=sm_80,sm_90a` run each test that uses it once for each of them; `--weft-checks` chooses the checks.
`@pytest.mark.weft(target="sm_80", checks="fast", ...)` gives one test a device of its own kind: its arguments are those
of `weft.Device`.  A test that fails by a fault shows both of its sides; the JUnit file has them as properties, and
`--weft-sarif FILE` writes all of them as SARIF.  With `--weft-triton=sm_90a` Triton's kernels run on such a device.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from weft.gpu import Device
    from weft.sim import KernelFault

_TARGET, _ASYNCHRONY, _CHECKS = "sm_90a", "lazy", "strict"
_FAULTS = "weft_faults"
_COLLECTED = pytest.StashKey[list[dict[str, Any]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The command line, and the same in the configuration file."""
    group = parser.getgroup("weft", "virtual GPU")
    for name, default, text in (
        ("target", _TARGET, "targets of the fixture gpu: sm_80,sm_90a"),
        ("asynchrony", _ASYNCHRONY, "when asynchronous operations complete: eager,lazy,random:20"),
        ("checks", _CHECKS, "strict, fast, or names of checks: races,uninitialised"),
    ):
        group.addoption(f"--weft-{name}", metavar=name.upper(), help=f"{text} (default: {default})")
        parser.addini(f"weft_{name}", text, default=default)
    group.addoption("--weft-triton", metavar="TARGET", help="run Triton's kernels on a virtual GPU of this target")
    text = "configurations that autotuning tries with --weft-triton: all, or the first that is valid (default: all)"
    group.addoption("--weft-autotune", choices=("all", "first"), help=text)
    text = "report reads of global memory that nothing has written, with the fixture gpu"
    group.addoption("--weft-uninitialised-memory", action="store_true", help=text)
    text = "what the ends of allocations are rounded up to in bytes: 512 as CUDA's allocators do (default: 4)"
    group.addoption("--weft-bounds", metavar="N", type=int, help=text)
    group.addoption("--weft-leaks", action="store_true", help="fail tests that leave allocations of the device behind")
    group.addoption("--weft-sarif", metavar="FILE", help="write the faults of kernels as SARIF")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known; refuse options that are no targets, modes or checks."""
    config.addinivalue_line("markers", "weft(**options): the options of weft.Device for the fixture gpu")
    config.stash[_COLLECTED] = []
    given = [config.getoption(f"--weft-{name}") for name in ("target", "asynchrony", "checks", "bounds")]
    if any(one is not None for one in given):
        from weft.errors import WeftError

        try:
            _check_bounds(config)
            for target, asynchrony in _devices(config):
                _check(target, asynchrony, _option(config, "checks"))
        except WeftError as error:
            raise pytest.UsageError(f"{error.message}; {error.hint}") from None


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Let Triton launch on the simulator before a conftest.py imports what asks for a GPU."""
    if _given(early_config, "triton"):
        _activate_triton(early_config)


def _activate_triton(config: pytest.Config) -> None:
    """Let Triton launch on the simulator until the end of the session, in processes that tests start as well."""
    from weft.errors import WeftError
    from weft.triton import activate
    from weft.triton.environment import passed_on

    target, mode = str(_given(config, "triton")), _devices(config)[0][1]
    options: dict[str, Any] = {"checks": _names(_option(config, "checks")), "asynchrony": mode, **_bounds(config)}
    if autotune := _given(config, "autotune"):
        options["autotune"] = autotune
    try:
        active = activate(target, **options)
    except WeftError as error:
        raise pytest.UsageError(f"--weft-triton={target}: {error.message}; {error.hint}") from None
    config.add_cleanup(active.close)
    environment = ExitStack()
    environment.enter_context(passed_on(target, options))
    config.add_cleanup(environment.close)


def _check(target: str, asynchrony: str, checks: str) -> None:
    from weft.gpu.policy import policy_of
    from weft.isa.target import target as target_called

    target_called(target)
    policy_of(_names(checks), asynchrony)


def _bounds(config: pytest.Config) -> dict[str, Any]:
    """`--weft-bounds` as an option of devices."""
    given = _given(config, "bounds")
    return {} if given is None else {"bounds": int(str(given))}


def _check_bounds(config: pytest.Config) -> None:
    from weft.gpu.memory import check_bounds

    for bounds in _bounds(config).values():
        check_bounds(bounds)


def _given(config: pytest.Config, name: str) -> object:
    """An option of the command line, which is asked for before it is parsed as a whole."""
    return getattr(config.known_args_namespace, f"weft_{name}")


def _option(config: pytest.Config, name: str) -> str:
    given = _given(config, name)
    return str(given) if given is not None else str(config.getini(f"weft_{name}"))


def _names(checks: str) -> Any:
    return checks if checks in ("strict", "fast") else tuple(part.strip() for part in checks.split(","))


def _devices(config: pytest.Config) -> list[tuple[str, str]]:
    """Targets and modes that tests are run with."""
    targets, modes = (
        [part.strip() for part in _option(config, name).split(",") if part.strip()] for name in ("target", "asynchrony")
    )
    return [(target, mode) for target in targets for mode in modes]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that uses `gpu` runs once for each kind of device; ids name what they differ in."""
    if "gpu" not in metafunc.fixturenames:
        return
    devices = _devices(metafunc.config)
    if len(devices) < 2:
        return
    targets, modes = {target for target, _ in devices}, {mode for _, mode in devices}
    ids = ["-".join(([t] if len(targets) > 1 else []) + ([m] if len(modes) > 1 else [])) for t, m in devices]
    metafunc.parametrize("gpu", devices, indirect=True, ids=ids)


@pytest.fixture
def gpu(request: pytest.FixtureRequest) -> Generator[Device]:
    """A virtual GPU (`weft.Device`) for one test."""
    from weft.gpu import Device

    config: pytest.Config = request.config
    target, asynchrony = getattr(request, "param", None) or _devices(config)[0]
    options: dict[str, Any] = {"target": target, "asynchrony": asynchrony, "checks": _names(_option(config, "checks"))}
    options |= _bounds(config)
    options["uninitialised_memory"] = bool(config.getoption("--weft-uninitialised-memory"))
    for marker in reversed(list(request.node.iter_markers("weft"))):
        options.update(marker.kwargs)
    with Device(**options) as device:
        yield device
        leaks = device.leaks()
        if leaks and config.getoption("--weft-leaks"):
            pytest.fail("the test leaves behind: " + ", ".join(map(str, leaks)), pytrace=False)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Generator[None, Any, None]:
    """Add the fault that a test has failed by to its report."""
    outcome = yield
    report: pytest.TestReport = outcome.get_result()
    faults = _faults(call.excinfo.value) if call.excinfo is not None and not report.passed else []
    if not faults:
        return
    text = "\n\n".join(both_sides(fault) for fault in faults)
    report.sections.append(("fault of a kernel", text))
    setattr(report, _FAULTS, [_plain(fault) for fault in faults])
    for fault in faults:
        for name, value in _properties(fault):
            item.user_properties.append((f"weft.{name}", value))


def _faults(error: BaseException | None) -> list[KernelFault]:
    """The faults in an exception and those that led to it, as far as a traceback shows them."""
    from weft.sim import KernelFault

    found: list[KernelFault] = []
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        if isinstance(error, KernelFault):
            found.append(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return found


def both_sides(fault: KernelFault) -> str:
    """A fault as it is printed and, where another access takes part in it, that one's line."""
    text = fault.render()
    if fault.other is not None and fault.other != fault.position and str(fault.other) not in text:
        text += f"\n{fault.other}: note: the other access"
        if caret := fault.other.caret():
            text += f"\n{caret}"
    return text


def _properties(fault: KernelFault) -> list[tuple[str, str]]:
    listed = [("kind", fault.kind), ("position", str(fault.position)), ("message", fault.message)]
    if fault.other is not None:
        listed.append(("other", str(fault.other)))
    if fault.seed is not None:
        listed.append(("seed", str(fault.seed)))
    return listed


def _plain(fault: KernelFault) -> dict[str, Any]:
    """A fault as what goes from one process to another."""
    at = fault.position
    return {
        "kind": fault.kind,
        "message": fault.message,
        "hint": fault.hint,
        "position": [at.line, at.column, at.file, at.source],
    }


@pytest.hookimpl(tryfirst=True)
def pytest_report_teststatus(report: pytest.TestReport, config: pytest.Config) -> None:
    """Keep the faults of a test, which may have run in another process."""
    collected = config.stash.get(_COLLECTED, None)
    for fault in getattr(report, _FAULTS, ()):
        if collected is not None and fault not in collected:
            collected.append(fault)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the SARIF file, in the process that has all reports."""
    path = session.config.getoption("--weft-sarif")
    if not path or hasattr(session.config, "workerinput"):
        return
    from weft.errors import Diagnostic, Position, Severity
    from weft.report import Code, render
    from weft.sim.faults import FAULT_KINDS, hint_of

    listed = [
        Diagnostic(one["kind"], one["message"], Severity.ERROR, Position(*one["position"]), hint=one["hint"])
        for one in session.config.stash[_COLLECTED]
    ]
    codes = {kind: Code(meaning, meaning, hint_of(kind), "") for kind, meaning in FAULT_KINDS.items()}
    Path(path).write_text(render("sarif", listed, codes, len(listed)), encoding="utf-8")
