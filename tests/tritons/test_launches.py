"""What a launch of a Triton kernel can be given and can do wrong, on the simulator."""

from __future__ import annotations

import importlib.util
import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import triton

import weft
import weft.triton
from tests.effort import draws
from tests.tritons import programs
from weft.gpu import Device
from weft.sim.faults import SimulationError
from weft.triton import TritonFault, asarray


def place(function: object, text: str) -> int:
    """The line of this text in a kernel."""
    for number, line in enumerate(function.raw_src):  # type: ignore[attr-defined]
        if text in line:
            return int(function.starting_line_number + number)  # type: ignore[attr-defined]
    raise AssertionError(text)


def test_plain_arrays_are_changed_in_place(ampere: None) -> None:
    x = np.arange(100, dtype=np.float32)
    programs.double[(4,)](x, 100, B=32)
    assert (x == 2 * np.arange(100)).all()


def test_fault_names_the_line_of_python(ampere: None) -> None:
    x, y = np.zeros(100, np.float32), np.zeros(100, np.float32)
    with pytest.raises(TritonFault) as caught:
        programs.unmasked[(1,)](x, y, B=128)
    fault = caught.value
    assert isinstance(fault, RuntimeError) and isinstance(fault, weft.sim.KernelFault)
    assert fault.kind == "out-of-bounds" and "of x, which has 400 bytes" in fault.message
    assert Path(fault.position.file).name == "programs.py"
    assert fault.position.line == place(programs.unmasked, "tl.load(x + i)")
    assert fault.ptx.file == "unmasked.ptx" and "ld.global" in (fault.ptx.source or "")
    text = str(fault)
    assert text.index("programs.py") < text.index("unmasked.ptx") and "value = tl.load(x + i)" in text
    assert str(pickle.loads(pickle.dumps(fault))) == text


def test_fault_names_the_calls(ampere: None) -> None:
    with pytest.raises(TritonFault) as caught:
        programs.through_calls[(1,)](np.zeros(16, np.float32), np.zeros(16, np.float32), B=16)
    lines = [call.line for call in caught.value.stack]
    assert lines == [place(programs.third, "tl.load"), place(programs.through_calls, "third(x, i)")]
    assert "called from here" in str(caught.value)


def test_race_names_both_lines(ampere: None) -> None:
    x, y = np.zeros(128, np.int32), np.zeros(128, np.int32)
    with pytest.raises(TritonFault) as caught:
        programs.unordered[(1,)](x, y)
    fault = caught.value
    assert fault.kind == "race" and fault.other is not None
    assert fault.position.line == place(programs.unordered, "tl.load(x + 127")
    assert fault.other.line == place(programs.unordered, "tl.store(x + i, i)")


def test_checks_may_be_left_out() -> None:
    x, y = np.zeros(128, np.int32), np.zeros(128, np.int32)
    with weft.triton.activate("sm_80", checks="fast"):
        programs.unordered[(1,)](x, y)
    with weft.triton.activate("sm_80", report="all") as active:
        programs.unordered[(1,)](x, y)
        assert {fault.kind for fault in active.findings} == {"race"} and active.last is not None


def test_assertion(ampere: None, capfd: pytest.CaptureFixture[str]) -> None:
    programs.asserting[(1,)](np.arange(16), B=16, debug=True)
    with pytest.raises(TritonFault) as caught:
        programs.asserting[(1,)](np.arange(90, 106), B=16, debug=True)
    assert caught.value.kind == "assert" and "too large" in caught.value.message
    assert "assertion `too large` failed" in capfd.readouterr().err
    programs.asserting[(1,)](np.arange(90, 106), B=16)


def test_print(ampere: None, capfd: pytest.CaptureFixture[str]) -> None:
    programs.printing[(1,)](np.arange(32, dtype=np.int32), B=32)
    lines = capfd.readouterr().out.splitlines()
    assert "pid (0, 0, 0) idx (31) value: 31" in lines and len(set(lines)) == 32


def test_tuples_and_constants(ampere: None) -> None:
    out = np.zeros(16, np.float32)
    programs.nested[(1,)](((asarray(np.arange(16, dtype=np.float32)), 9), 3.0), out, 1)
    assert (out == np.where(np.arange(16) < 9, 3 * np.arange(16), 0) + 1).all()


def test_tuples_of_plain_arrays(ampere: None) -> None:
    parts, out = tuple(np.arange(48, dtype=np.float32).reshape(3, 16)), np.zeros(16, np.float32)
    programs.total[(1,)](parts, out, B=16)
    assert (out == sum(parts)).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("size", [128, 75])
def test_autotuning_of_plain_arrays(ampere: None, size: int) -> None:
    """What the autotuner sets to zero, and restores, before each configuration."""
    x, counts = np.ones(size, np.float32), np.full(4, 9, np.float32)
    programs.tuned[lambda meta: (-(-size // meta["B"]),)](x, counts, size)
    assert (x == 2).all() and counts.tolist() == [len(range(start, size, 4)) for start in range(4)]


@pytest.mark.parametrize("size", [96, 100])
def test_autotuning_by_the_first_valid_configuration(size: int) -> None:
    """The first is refused by its kernel; each call with a new key makes a choice of its own."""
    with weft.triton.activate("sm_80", autotune="first"):
        for n in (size, size + 1):
            x = np.zeros(n, np.float32)
            programs.tuned_from_32[(4,)](x, n)
            times = {config.kwargs["B"]: times[0] for config, times in programs.tuned_from_32.configs_timings.items()}
            assert [size for size, time in times.items() if time < float("inf")] == [32]
            assert (x == 32).all()
    with pytest.raises(SimulationError, match="unknown way to autotune 'last'"):
        weft.triton.activate("sm_80", autotune="last")  # pyright: ignore[reportArgumentType]


def test_no_pointer(ampere: None) -> None:
    x = np.ones(16, np.float32)
    programs.optional[(1,)](x, None, HAS=False)
    programs.optional[(1,)](x, x, HAS=True)
    assert (x == 2).all()


def test_scalars(ampere: None) -> None:
    out = np.zeros(6)
    programs.scalars[(1,)](out, 1.5, 2.5, 1 / 3, -7, 2**40, True)
    assert out.tolist() == [1.5, 2.5, 1 / 3, -7, 2**40, 1]


def test_views_of_one_array(ampere: None) -> None:
    whole = np.arange(256, dtype=np.float32)
    programs.unmasked[(1,)](whole[64:], whole[128:192], B=64)
    assert (whole[128:192] == np.arange(64, 128)).all()
    with pytest.raises(TritonFault, match="of x, which has 1024 bytes"):
        programs.unmasked[(1,)](whole[192:], np.zeros(128, np.float32), B=128)


def test_read_only_array(ampere: None) -> None:
    x = np.zeros(64, np.float32)
    x.flags.writeable = False
    with pytest.raises(TritonFault, match="stores to x, which is read-only"):
        programs.unmasked[(1,)](x, x, B=64)


def test_empty_grid_and_hooks(ampere: None) -> None:
    knobs, seen = triton.knobs.runtime, []
    x = np.ones(32, np.float32)
    with knobs.scope():
        knobs.launch_enter_hook.add(lambda metadata: seen.append(metadata.get()["name"]))
        programs.double[(0,)](x, 32, B=32)
        programs.double[(1,)](x, 32, B=32)
    assert seen == ["double", "double"] and (x == 2).all()


@pytest.mark.slow
def test_cooperative_launch(target: str) -> None:
    count = draws(12, 40)
    counter, out = np.zeros(1, np.int32), np.zeros(count, np.int32)
    programs.meeting[(count,)](counter, out, launch_cooperative_grid=True)
    assert (out == count).all()


def test_dependent_launch(hopper: None) -> None:
    x, y = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    programs.dependent[(1,)](x, y, launch_pdl=True)
    assert (y == x + 1).all()


def test_cluster(hopper: None) -> None:
    x, y = np.arange(1024, dtype=np.int32), np.zeros(1, np.int32)
    programs.cluster_sum[(1,)](x, y, B=1024, num_ctas=2)
    assert y[0] == x.sum()


def test_addresses_in_an_array(ampere: None) -> None:
    parts = [asarray(np.full(16, k, np.float32)) for k in range(3)]
    table = np.array([part.data_ptr() for part in parts], np.int64)
    before, out = table.copy(), np.zeros((3, 16), np.float32)
    programs.through_table[(1,)](table, out, 3)
    assert (out == [[0], [1], [2]]).all() and (table == before).all()


def test_inline_assembly(ampere: None) -> None:
    x, y = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    programs.inverted[(1,)](x, y, 64, B=64)
    assert (y == ~x).all()
    with pytest.raises(triton.runtime.errors.PTXASError, match="wgmma"):
        programs.illegal[(1,)](x, y, B=64)


def test_gluon(target: str) -> None:
    x, y = np.arange(200, dtype=np.float32), np.zeros(200, np.float32)
    programs.gluon_copy[(2,)](x, y, 200, B=128)
    assert (y == x + 1).all()


def test_gluon_with_tensor_copies(hopper: None) -> None:
    from triton.experimental.gluon import language as gl
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    x = asarray(np.random.default_rng(0).standard_normal((64, 64)).astype(np.float16))
    y = asarray(np.zeros((64, 64), np.float16))
    layout = gl.NVMMASharedLayout.get_default_for([64, 64], gl.float16)
    maps = [TensorDescriptor.from_tensor(array, [64, 64], layout) for array in (x, y)]
    programs.gluon_tensor_copy[(1,)](*maps, WAIT=True)
    assert (x == y).all()
    with pytest.raises(TritonFault) as caught:
        programs.gluon_tensor_copy[(1,)](*maps, WAIT=False)
    assert caught.value.kind.startswith(("asynchronous", "race"))
    assert Path(caught.value.position.file).name == "programs.py"


@pytest.mark.slow
def test_option_of_pytest(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        f"def test_it():\n{textwrap.indent(PROGRAM, '    ')}    assert x.sum() == 64\n"
    )
    root = Path(__file__).resolve().parents[2]
    paths = [str(root), str(root / "src"), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    plugin = ["-p", "weft.pytest_plugin", "-p", "no:cacheprovider", str(tmp_path), "-q"]
    for options, expected in ((["--weft-triton=sm_80"], "1 passed"), (["--weft-triton=sm_1"], "--weft-triton=sm_1: ")):
        command = [sys.executable, "-m", "pytest", *plugin, *options]
        done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert expected in done.stdout + done.stderr


def test_benchmark(ampere: None) -> None:
    x = np.ones(32, np.float32)
    assert triton.testing.do_bench(lambda: programs.double[(1,)](x, 32, B=32), warmup=1, rep=1) > 0


def test_activations_nest_and_close(monkeypatch: pytest.MonkeyPatch) -> None:
    # Tests of the virtual driver may have loaded it into this process, where Triton takes it for a GPU's.
    monkeypatch.setattr("triton.backends.nvidia.driver.CudaDriver.is_active", staticmethod(lambda: False))
    with weft.triton.activate("sm_80"):
        with weft.triton.activate("sm_90a") as inner:
            assert weft.triton.active() is inner
            assert triton.runtime.driver.active.get_current_target().arch == 90
        assert triton.runtime.driver.active.get_current_target().arch == 80
        x = np.ones(32, np.float32)
        programs.double[(1,)](x, 32, B=32)
    assert weft.triton.active() is None
    with pytest.raises(RuntimeError, match="active drivers"):
        triton.runtime.driver.active.get_current_target()


def test_own_device() -> None:
    with Device("sm_80") as device:
        x = device.array(np.ones(32, np.float32))
        with weft.triton.activate(device=device):
            programs.double[(1,)](x, 32, B=32)
        assert (x == 2).all()


def test_unknown_target() -> None:
    with pytest.raises(weft.WeftError):
        weft.triton.activate("sm_1")


PROGRAM = """
import numpy as np
from tests.tritons import programs
import triton
x = np.ones(32, np.float32)
programs.double[(1,)](x, 32, B=32)
print(x.sum(), triton.runtime.driver.active.get_current_target().arch)
"""


def _with_entry_point(folder: Path) -> dict[str, str]:
    """An environment with the entry point, as an installed weft has it."""
    facts = folder / "weft_entry-0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: weft-entry\nVersion: 0\n")
    (facts / "entry_points.txt").write_text("[triton.backends]\nweft = weft.triton.backend\n")
    root = Path(__file__).resolve().parents[2]
    paths = [str(folder), str(root), str(root / "src"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


@pytest.mark.slow
def test_processes_that_a_test_starts(tmp_path: Path) -> None:
    """They have the device that pytest's option asks for, and what belongs to it."""
    (tmp_path / "test_it.py").write_text(
        "import os, subprocess, sys\n"
        f"PROGRAM = {PROGRAM + 'import weft.triton; print(weft.triton.active().device.policy.strict)'!r}\n"
        "def test_it():\n"
        "    done = subprocess.run([sys.executable, '-c', PROGRAM], capture_output=True, text=True)\n"
        "    assert done.stdout == '64.0 80\\nFalse\\n', done.stderr\n"
        "    assert os.environ['WEFT_BOUNDS'] == '512' and os.environ['WEFT_AUTOTUNE'] == 'first'\n"
    )
    options = ["--weft-triton=sm_80", "--weft-checks=fast", "--weft-bounds=512", "--weft-autotune=first"]
    plugin = ["-p", "weft.pytest_plugin", "-p", "no:cacheprovider", str(tmp_path), "-q", *options]
    env = {**_with_entry_point(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", *plugin]
    done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
    assert "WEFT_TRITON" not in os.environ


@pytest.mark.slow
def test_a_folder_called_torch(tmp_path: Path) -> None:
    """Python takes it for a package, in which there is nothing."""
    (tmp_path / "torch").mkdir()
    program = "import sys, weft.triton\nsys.path.insert(0, '.')\nwith weft.triton.activate('sm_80'): print('fine')"
    env = {**os.environ, "PYTHONPATH": str(Path(weft.__file__).parents[1])}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.stdout == "fine\n", done.stderr


@pytest.mark.slow
def test_environment_variable(tmp_path: Path) -> None:
    env = {**_with_entry_point(tmp_path), "WEFT_TRITON": "sm_80"}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, check=False)
    assert done.stdout == "64.0 80\n", done.stderr
    del env["WEFT_TRITON"]
    check = "import sys, triton.backends; sys.exit('weft.sim' in sys.modules or 'weft' not in triton.backends.backends)"
    assert subprocess.run([sys.executable, "-c", check], env=env, check=False).returncode == 0


def test_a_cached_kernel_names_the_file_that_it_is_called_from(ampere: None, tmp_path: Path) -> None:
    """Triton's cache knows kernels by their text: a copy of the file finds what was compiled of the other."""
    text = textwrap.dedent("""\
        import triton
        import triton.language as tl

        @triton.jit
        def beyond(x, B: tl.constexpr):
            tl.store(x + tl.arange(0, B), 1.0)
        """)
    for folder in ("first", "second"):
        path = tmp_path / folder / "copied.py"
        path.parent.mkdir()
        path.write_text(text)
        specification = importlib.util.spec_from_file_location(f"copied_{folder}", path)
        assert specification is not None
        assert specification.loader is not None
        module = importlib.util.module_from_spec(specification)
        sys.modules[module.__name__] = module
        specification.loader.exec_module(module)
        with pytest.raises(TritonFault) as caught:
            module.beyond[(1,)](np.zeros(4, np.float32), B=64)
        assert str(caught.value.position).startswith(f"{path}:6:")


def test_addresses_as_numbers(target: str) -> None:
    """Compiled code is given addresses as they are, and kernels make pointers of integers; views of arrays do not live."""
    x, y, out = (weft.triton.asarray(np.arange(n, n + 64, dtype=np.float32)) for n in range(3))
    compiled = programs.through_numbers.warmup(x, 1 << 40, out, N=32, grid=(1,))
    compiled[1, 1, 1](x[8:].data_ptr(), y[16:].data_ptr(), out.data_ptr(), 32)
    assert (out[:32] == x[8:40] + y[16:48]).all() and (out[32:] == np.arange(34, 66)).all()
    programs.through_numbers[(1,)](x, y.data_ptr(), out, N=32)
    assert (out[:32] == x[:32] + y[:32]).all()


IR = """
#l = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:TARGET"} {
  tt.func public @kernel(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32, #l>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #l>
    %xp = tt.addptr %xs, %i : tensor<128x!tt.ptr<f32>, #l>, tensor<128xi32, #l>
    %v = tt.load %xp : tensor<128x!tt.ptr<f32>, #l>
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #l>
    %op = tt.addptr %os, %i : tensor<128x!tt.ptr<f32>, #l>, tensor<128xi32, #l>
    tt.store %op, %v : tensor<128x!tt.ptr<f32>, #l>
    tt.return
  }
}
"""


def test_a_kernel_in_the_compiler_s_language(target: str, tmp_path: Path) -> None:
    path = tmp_path / "kernel.ttgir"
    path.write_text(IR.replace("TARGET", target[3:].rstrip("a")))
    kernel = triton.compile(str(path))
    x, out = weft.triton.asarray(np.arange(128, dtype=np.float32)), weft.triton.zeros(128)
    kernel[1, 1, 1](x.data_ptr(), out.data_ptr())
    assert (out == x).all()
    out[:] = 0
    kernel[1, 1, 1](x, out)
    assert (out == x).all()
