"""The virtual `libcuda.so.1`: programs that talk to the driver, in processes of their own."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from tests.command import weft
from tests.effort import one_in
from weft.cli import gpu_run
from weft.errors import ToolError
from weft.gpu.driver import CALLS, build, build_runtime, toolkit
from weft.gpu.driver.state import Driver
from weft.toolchain.find import Tool

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not (shutil.which("cc") or shutil.which("gcc")), reason="a C compiler is missing"
)

PTX = r"""
.version 8.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 total = 5;
.visible .entry add(.param .u64 out, .param .u64 in, .param .u32 n)
{
  .reg .b64 %p, %q, %i; .reg .b32 %t, %n, %v, %s; .reg .pred %g;
  ld.param.u64 %p, [out]; ld.param.u64 %q, [in]; ld.param.u32 %n, [n];
  mov.u32 %t, %tid.x; setp.ge.u32 %g, %t, %n; @%g ret;
  mul.wide.u32 %i, %t, 4; add.u64 %p, %p, %i; add.u64 %q, %q, %i;
  ld.global.u32 %v, [%q]; ld.global.u32 %s, [total]; add.u32 %v, %v, %s; st.global.u32 [%p], %v; ret;
}
"""

START = f"""
import ctypes, numpy as np
from ctypes import byref, c_int, c_size_t, c_uint, c_uint64, c_void_p, c_char_p, c_float
cu = ctypes.CDLL("libcuda.so.1")
def ok(status, expected=0):
    assert status == expected, (status, expected)
PTX = {PTX!r}
ok(cu.cuInit(0))
device, context, module, kernel = c_int(), c_void_p(), c_void_p(), c_void_p()
ok(cu.cuDeviceGet(byref(device), 0))
ok(cu.cuDevicePrimaryCtxRetain(byref(context), device))
ok(cu.cuCtxSetCurrent(context))
ok(cu.cuModuleLoadData(byref(module), PTX.encode()))
ok(cu.cuModuleGetFunction(byref(kernel), module, b"add"))
def alloc(size):
    found = c_uint64()
    ok(cu.cuMemAlloc_v2(byref(found), c_size_t(size)))
    return found
def launch(*values, block=32, shared=0, expected=0):
    row = (c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
    ok(cu.cuLaunchKernel(kernel, 1, 1, 1, block, 1, 1, shared, c_void_p(), row, None), expected)
host = np.arange(32, dtype=np.uint32)
there, out = alloc(128), alloc(128)
ok(cu.cuMemcpyHtoD_v2(there, host.ctypes.data_as(c_void_p), c_size_t(128)))
back = np.zeros_like(host)
def read():
    ok(cu.cuMemcpyDtoH_v2(back.ctypes.data_as(c_void_p), out, c_size_t(128)))
    return back
"""


class Called:
    """`libcuda.so.1` in this process: a driver of its own, and its functions as ctypes calls them."""

    def __init__(self) -> None:
        self.driver = Driver(ctypes.CDLL(str(build())))
        self._kept: list[Any] = []

    def _word(self, value: Any) -> int:
        if isinstance(value, bytes):
            value = ctypes.create_string_buffer(value)
            self._kept.append(value)
        if isinstance(value, ctypes.Array):
            return ctypes.addressof(value)
        if type(value).__name__ == "CArgObject":  # What byref gives.
            return ctypes.addressof(value._obj)
        if isinstance(value, ctypes._Pointer | ctypes._CFuncPtr):  # type: ignore[attr-defined]
            return ctypes.cast(value, ctypes.c_void_p).value or 0
        number = value.value if isinstance(value, ctypes._SimpleCData) else value
        return (number or 0) & ((1 << 64) - 1)

    def __getattr__(self, name: str) -> Any:
        call = CALLS[name]

        def function(*words: Any) -> int:
            try:
                return self.driver.unready(name) or call(self.driver, list(map(self._word, words)))
            except Exception as error:
                return self.driver.fail(name, error)

        return function

    __getitem__ = __getattr__


def _here(arguments: list[str], environment: dict[str, str]) -> int:
    """Run a program's text in this process; its exit status."""
    text = arguments[-1].replace('ctypes.CDLL("libcuda.so.1")', "CALLED()")
    with patch.dict(os.environ, environment, clear=True):
        try:
            exec(compile(text, "<program>", "exec"), {"CALLED": Called})
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
            return 1
    return 0


def _in_place(_: str, arguments: list[str], environment: dict[str, str]) -> None:
    raise SystemExit(_here(arguments, environment))


_WAY = ["apart"]


@pytest.fixture(params=["here", pytest.param("apart", marks=pytest.mark.slow)])
def way(request: pytest.FixtureRequest) -> Iterator[None]:
    """Programs run in this process, and those of the slow tests in processes of their own, too."""
    _WAY[:] = [request.param]
    yield
    _WAY[:] = ["apart"]


here = pytest.mark.usefixtures("way")


def run(program: str, *options: str) -> subprocess.CompletedProcess[str]:
    """A program by `weft gpu-run`."""
    arguments = ["gpu-run", *options, sys.executable, "-c", START + program]
    if _WAY == ["here"]:
        with patch.object(gpu_run, "_waited", _here), patch.object(os, "execvpe", _in_place):
            return weft(*arguments)
    command = [sys.executable, "-m", "weft", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)


def passes(program: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Without options, without the process of the command, too, which does nothing then but count faults."""
    if options or _WAY == ["here"]:
        done = run(program, *options)
    else:
        environment = {**os.environ, **gpu_run.prepared(dict(os.environ), sys.executable)}
        with tempfile.TemporaryDirectory() as folder:
            environment["WEFT_GPU_FAULTS"] = folder
            command = [sys.executable, "-c", START + program]
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200, env=environment)
            assert not sum(int(file.read_text()) for file in Path(folder).iterdir()), done.stderr
    assert done.returncode == 0, done.stderr[-3000:]
    return done


@here
def test_memory_that_nothing_has_written() -> None:
    program = """
part = alloc(128)
ok(cu.cuMemcpyHtoD_v2(part, host.ctypes.data_as(c_void_p), c_size_t(96)))
launch(out, part, c_uint(32))
"""
    passes(program)
    done = run(
        program.replace("c_uint(32))", "c_uint(32), expected=719)\nprint(hex(part.value + 96))"),
        "--uninitialised-memory",
    )
    assert done.stdout.strip() in done.stderr, "the address as the program knows it"
    assert "that nothing has written" in done.stderr and "byte 96 of allocation" in done.stderr
    passes(program.replace("96", "128"), "--uninitialised-memory")


@here
def test_ends_of_allocations() -> None:
    program = "launch(alloc(100), there, c_uint(32))\nok(cu.cuCtxSynchronize(), {})"
    passes(program.format(700))
    passes(program.format(0), "--bounds=512")
    for wrong, said in (("3", "bounds=3 must be a power of two"), ("many", "'many' is not a number of bytes"))[
        :: one_in(2)
    ]:
        assert said in run(program, f"--bounds={wrong}").stderr


def test_a_launch_and_a_symbol() -> None:
    passes("""
launch(out, there, c_uint(32))
assert (read() == host + 5).all()
address, size = c_uint64(), c_size_t()
ok(cu.cuModuleGetGlobal_v2(byref(address), byref(size), module, b"total"))
assert size.value == 4
ok(cu.cuMemsetD32_v2(address, 7, c_size_t(1)))
launch(out, there, c_uint(32))
assert (read() == host + 7).all()
block = out.value.to_bytes(8, "little") + there.value.to_bytes(8, "little") + (16).to_bytes(4, "little")
size = c_size_t(len(block))
extra = (c_void_p * 5)(1, ctypes.cast(block, c_void_p), 2, ctypes.addressof(size), 0)
ok(cu.cuMemsetD8_v2(out, 0, c_size_t(128)))
ok(cu.cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, c_void_p(), None, extra))
assert (read()[:16] == host[:16] + 7).all() and not back[16:].any()
""")


@here
def test_what_goes_wrong_has_the_code_of_cuda() -> None:
    done = passes("""
small = alloc(64)
launch(out, small, c_uint(32))
ok(cu.cuCtxSynchronize(), 700)
ok(cu.cuCtxSynchronize())
ok(cu.cuMemcpyHtoD_v2(small, host.ctypes.data_as(c_void_p), c_size_t(128)), 1)
ok(cu.cuMemFree_v2(c_uint64(small.value + 4)), 1)
ok(cu.cuMemFree_v2(small))
ok(cu.cuMemFree_v2(small), 1)
launch(out, there, c_uint(32), block=2000, expected=1)
launch(out, there, c_uint(32), shared=100_000, expected=1)
ok(cu.cuFuncSetAttribute(kernel, 8, 100_000))
launch(out, there, c_uint(32), shared=100_000)
none = c_void_p()
ok(cu.cuModuleGetFunction(byref(none), module, b"missing"), 500)
ok(cu.cuModuleGetFunction(byref(none), c_void_p(1234), b"add"), 400)
ok(cu.cuModuleLoadData(byref(none), b"not PTX"), 218)
ok(cu.cuModuleLoadData(byref(none), PTX.replace("sm_80", "sm_100").encode()), 209)
ok(cu.cuModuleLoadData(byref(none), bytes.fromhex("7f454c46") + bytes(60)), 209)
ok(cu.cuMemAlloc_v2(byref(c_uint64()), c_size_t(1 << 50)), 2)
text = c_char_p()
ok(cu.cuGetErrorName(700, byref(text)))
assert text.value == b"CUDA_ERROR_ILLEGAL_ADDRESS"
ok(cu.cuGetErrorString(12345, byref(text)), 1)
""")
    assert "offset 64 of allocation" in done.stderr and "which has 64 bytes" in done.stderr
    assert "a cubin cannot be run here" in done.stderr


SERIAL = (
    """
import struct
TEXT = """
    + repr(PTX.replace("sm_80", "sm_90").replace("{\n", "{\n  // wait\n", 1))
    + """
kernels = []
for body in (TEXT, TEXT.replace("// wait", "griddepcontrol.wait;")):
    one, found = c_void_p(), c_void_p()
    ok(cu.cuModuleLoadData(byref(one), body.encode())); ok(cu.cuModuleGetFunction(byref(found), one, b"add")); kernels.append(found)
stream = c_void_p()
ok(cu.cuStreamCreate(byref(stream), 0))
def extended(function, *values, serial=1, on=stream):
    row = (c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
    attributes = struct.pack("<I4xI60x", 6, serial)
    kept = ctypes.create_string_buffer(attributes, 72)
    config = struct.pack("<7I4xQQI4x", 1, 1, 1, 32, 1, 1, 0, on.value or 0, ctypes.addressof(kept), 1)
    ok(cu.cuLaunchKernelEx(config, function, row, None))
last = alloc(128)
def two(between=lambda: None, **named):
    extended(kernels[0], out, there, c_uint(32), serial=0)
    between()
    extended(named.pop("second", kernels[0]), last, out, c_uint(32), **named)
    return cu.cuStreamSynchronize(stream) or cu.cuCtxSynchronize()
"""
)


@here
def test_a_grid_that_is_launched_with_programmatic_serialization_has_to_wait() -> None:
    done = passes(
        SERIAL
        + """
assert two() != 0
assert two(second=kernels[1]) == 0
assert two(serial=0) == 0
assert two(lambda: ok(cu.cuStreamSynchronize(stream))) == 0
assert two(lambda: ok(cu.cuMemsetD8Async(there, 0, c_size_t(128), stream))) == 0
""",
        "--target",
        "sm_90",
        "--exit-code",
        "0",
    )
    assert "earlier grid of the stream, kernel 'add'," in done.stderr
    assert "griddepcontrol.wait before the access" in done.stderr


@pytest.mark.slow
def test_addresses_of_functions_by_name_and_version() -> None:
    passes("""
def address(name, version=13000, expected=0):
    found, status = c_void_p(), c_int(-1)
    ok(cu.cuGetProcAddress_v2(name, byref(found), version, c_uint64(0), byref(status)), expected)
    assert status.value == (1 if expected else 0)
    return found.value
def exported(name):
    return ctypes.cast(getattr(cu, name), c_void_p).value
assert address(b"cuMemAlloc") == address(b"cuMemAlloc_v2") == exported("cuMemAlloc_v2")
assert address(b"cuCtxCreate", 12000) == exported("cuCtxCreate_v2")
assert address(b"cuCtxCreate", 13000) == exported("cuCtxCreate_v4")
assert address(b"cuGetProcAddress", 11040) == exported("cuGetProcAddress")
assert address(b"cuStreamSynchronize_ptsz") == exported("cuStreamSynchronize")
assert address(b"cuNothing", expected=500) is None
""")


@here
def test_streams_events_and_properties() -> None:
    done = passes(
        """
stream, start, end, time, value = c_void_p(), c_void_p(), c_void_p(), c_float(-1), c_int()
ok(cu.cuStreamCreate(byref(stream), 0))
ok(cu.cuEventCreate(byref(start), 0)); ok(cu.cuEventCreate(byref(end), 0))
ok(cu.cuEventElapsedTime(byref(time), start, end), 400)
ok(cu.cuEventRecord(start, stream))
launch(out, there, c_uint(32))
ok(cu.cuEventRecord(end, stream)); ok(cu.cuEventSynchronize(end))
ok(cu.cuEventElapsedTime(byref(time), start, end))
assert time.value > 0
called = []
callback = ctypes.CFUNCTYPE(None, c_void_p)(lambda data: called.append(data))
ok(cu.cuLaunchHostFunc(stream, callback, c_void_p(77)))
assert called == [77]
ok(cu.cuStreamDestroy_v2(stream)); ok(cu.cuStreamSynchronize(stream), 400)
for number, expected in ((75, 8), (76, 6), (10, 32), (16, 84), (97, 99 * 1024), (115, 1)):
    ok(cu.cuDeviceGetAttribute(byref(value), number, 0))
    assert value.value == expected, (number, value.value)
name = ctypes.create_string_buffer(100)
ok(cu.cuDeviceGetName(name, 100, 0))
print(name.value.decode())
ok(cu.cuDeviceGet(byref(value), 1), 101)
for function, expected in (("cuDeviceGetCount", 1), ("cuCtxGetDevice", 0), ("cuCtxGetFlags", 0)):
    value.value = -1
    ok(cu[function](byref(value)))
    assert value.value == expected, function
least, greatest, size = c_int(-7), c_int(7), c_size_t()
ok(cu.cuDeviceComputeCapability(byref(least), byref(greatest), 0))
assert (least.value, greatest.value) == (8, 6)
ok(cu.cuDevicePrimaryCtxGetState(0, byref(least), byref(greatest)))
assert (least.value, greatest.value) == (0, 1)
ok(cu.cuCtxGetDevice_v2(byref(value), None)); assert value.value == 0
ok(cu.cuDeviceTotalMem_v2(byref(size), 0)); assert size.value >= 1 << 30
current = c_void_p()
ok(cu.cuCtxGetCurrent(byref(current))); assert current.value == context.value
ok(cu.cuCtxPushCurrent_v2(context)); ok(cu.cuCtxPopCurrent_v2(byref(current))); assert current.value == context.value
ok(cu.cuCtxSetCurrent(None)); ok(cu.cuCtxGetDevice(byref(value)), 201)
""",
        "--target",
        "sm_86",
    )
    assert done.stdout == "weft virtual GPU (sm_86)\n"


@here
def test_linking() -> None:
    passes("""
one = PTX.replace(".visible .global .align 4 .u32 total = 5;", ".extern .global .align 4 .u32 total;")
two = PTX[:PTX.index(".visible .entry")].replace("= 5", "= 9")
state, image, size = c_void_p(), c_void_p(), c_size_t()
ok(cu.cuLinkCreate_v2(0, None, None, byref(state)))
for text in (one, two):
    data = text.encode()
    ok(cu.cuLinkAddData_v2(state, 1, data, c_size_t(len(data)), b"x", 0, None, None))
ok(cu.cuLinkComplete(state, byref(image), byref(size)))
ok(cu.cuModuleLoadData(byref(module), image))
ok(cu.cuLinkDestroy(state))
ok(cu.cuModuleGetFunction(byref(kernel), module, b"add"))
launch(out, there, c_uint(32))
assert (read() == host + 9).all()
""")


@here
def test_rows_and_managed_memory() -> None:
    passes("""
pitch, rows, managed = c_size_t(), c_uint64(), c_uint64()
ok(cu.cuMemAllocPitch_v2(byref(rows), byref(pitch), c_size_t(20), c_size_t(4), 4))
assert pitch.value == 512
class Copy(ctypes.Structure):
    _fields_ = [("sx", c_size_t), ("sy", c_size_t), ("st", c_uint), ("sh", c_uint64), ("sd", c_uint64), ("sa", c_uint64),
        ("sp", c_size_t), ("dx", c_size_t), ("dy", c_size_t), ("dt", c_uint), ("dh", c_uint64), ("dd", c_uint64),
        ("da", c_uint64), ("dp", c_size_t), ("w", c_size_t), ("h", c_size_t)]
source, target = np.arange(20, dtype=np.uint32), np.zeros(20, np.uint32)
ok(cu.cuMemcpy2D_v2(byref(Copy(0, 0, 1, source.ctypes.data, 0, 0, 20, 0, 0, 2, 0, rows, 0, 512, 20, 4))))
ok(cu.cuMemcpy2D_v2(byref(Copy(0, 0, 2, 0, rows, 0, 512, 0, 0, 1, target.ctypes.data, 0, 0, 20, 20, 4))))
assert (source == target).all()
ok(cu.cuMemcpy2D_v2(byref(Copy(0, 0, 2, 0, rows, 0, 512, 0, 0, 1, target.ctypes.data, 0, 0, 20, 20, 5))), 1)
ok(cu.cuMemAllocManaged(byref(managed), c_size_t(128), 1))
view = np.frombuffer((c_uint * 32).from_address(managed.value), np.uint32)
view[:] = 3
launch(managed, managed, c_uint(32))
assert (view == 8).all()
""")


@pytest.mark.slow
def test_calls_after_the_end_of_the_interpreter() -> None:
    """Destructors of extension modules free what they hold when nobody can answer any more."""
    done = passes("""
ctypes.CDLL(None).__cxa_atexit(ctypes.cast(cu.cuCtxSynchronize, c_void_p), c_void_p(), c_void_p())
""")
    assert done.stderr == ""


@here
def test_faults_name_the_file_that_the_ptx_is_written_to(tmp_path: Path) -> None:
    done = passes("launch(out, c_uint64(0), c_uint(32))", "--dump", str(tmp_path), "--exit-code", "0")
    assert f"{tmp_path}/module-1.ptx:12:" in done.stderr
    assert (tmp_path / "module-1.ptx").read_text() == PTX


@pytest.mark.slow
def test_a_program_of_another_environment(tmp_path: Path) -> None:
    """Its own packages come first; what it lacks is found beside weft, and no name of weft's is left in the program."""
    from weft.cli.gpu_run import prepared

    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    own = next((tmp_path / "env").glob("lib/python*/site-packages"))
    (own / "pytest.py").write_text("mine = True\n")
    program = (
        "import ctypes, sys; assert not [name for name in sys.path if 'site-packages' in name and 'env' not in name]\n"
        "print(ctypes.CDLL('libcuda.so.1').cuInit(0)); import pytest; print(pytest.mine, 'numpy' in sys.modules)"
    )
    command = [sys.executable, "-m", "weft", "gpu-run", str(tmp_path / "env" / "bin" / "python"), "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["0", "True", "True"], done.stderr
    first = Path(prepared({}, sys.executable)["PYTHONPATH"].split(os.pathsep)[0])
    assert os.listdir(first) == ["weft"]


@here
def test_ranges_of_addresses_and_updates_of_graphs() -> None:
    """Memory is mapped in whole pieces, and unmapped so; a graph replaces another of the same nodes."""
    passes("""
kind, grain = (c_int * 8)(1, 0, 1, 0), c_size_t()
ok(cu.cuMemGetAllocationGranularity(byref(grain), kind, 0))
one, two, place = c_uint64(), c_uint64(), c_uint64()
for handle in (one, two):
    ok(cu.cuMemCreate(byref(handle), grain, kind, c_uint64(0)))
ok(cu.cuMemAddressReserve(byref(place), c_size_t(3 * grain.value), c_size_t(0), c_uint64(0), c_uint64(0)))
def piece(number): return c_uint64(place.value + number * grain.value)
def pieces(count): return c_size_t(count * grain.value)
access = (c_int * 3)(1, 0, 3)
for number, handle in enumerate((one, two)):
    ok(cu.cuMemMap(piece(number), grain, c_size_t(0), handle, c_uint64(0)))
ok(cu.cuMemMap(piece(1), grain, c_size_t(0), one, c_uint64(0)), 1)
for at, size, status in ((piece(0), pieces(3), 1), (piece(2), pieces(1), 1), (c_uint64(place.value + 8), pieces(1), 1),
                         (piece(0), c_size_t(grain.value // 2), 1), (piece(0), pieces(2), 0)):
    ok(cu.cuMemSetAccess(at, size, access, c_size_t(1)), status)
middle = c_uint64(piece(1).value - 64)
launch(middle, there, c_uint(32))
ok(cu.cuMemcpyDtoH_v2(back.ctypes.data_as(c_void_p), middle, c_size_t(128)))
assert (back == host + 5).all()
ok(cu.cuMemUnmap(piece(0), c_size_t(grain.value // 2)), 1)
ok(cu.cuMemUnmap(piece(0), pieces(2)))
ok(cu.cuMemUnmap(piece(0), pieces(1)), 1)
graphs = []
for count in (1, 1, 2):
    graph, node = c_void_p(), c_void_p()
    ok(cu.cuGraphCreate(byref(graph), 0))
    for _ in range(count):
        ok(cu.cuGraphAddEmptyNode(byref(node), graph, None, c_size_t(0)))
    graphs.append(graph)
made = c_void_p()
ok(cu.cuGraphInstantiateWithFlags(byref(made), graphs[0], c_uint64(0)))
for graph, status, said in ((graphs[1], 0, 0), (graphs[2], 910, 2)):
    node, result = c_void_p(), c_int(7)
    ok(cu.cuGraphExecUpdate(made, graph, byref(node), byref(result)), status)
    assert result.value == said and not node.value
    newer = (c_int * 6)(7)
    ok(cu.cuGraphExecUpdate_v2(made, graph, newer), status)
    assert newer[0] == said
""")


@here
def test_wrong_options_of_the_command() -> None:
    for options in (("--target", "sm_1"), ("--checks", "often"), ("--async", "later"), ("--report", "some"))[
        :: one_in(4)
    ]:
        done = run("", *options)
        assert done.returncode in (1, 2) and "error:" in done.stderr and "Traceback" not in done.stderr
    assert weft("gpu-run", "no-such-program").returncode == 2


@here
def test_logs_of_what_is_loaded() -> None:
    passes("""
options = (c_int * 4)(3, 4, 5, 6)
for text, status, said in ((PTX, 0, b""), ("garbage", 218, b"expected '.version'")):
    information, errors = (ctypes.create_string_buffer(b"rubbish", 64) for _ in range(2))
    values = (c_void_p * 4)(ctypes.addressof(information), 64, ctypes.addressof(errors), 64)
    ok(cu.cuModuleLoadDataEx(byref(module), text.encode(), c_uint(4), options, values), status)
    assert not information.value and said in errors.value and bool(errors.value) == bool(status), errors.value
    assert (values[1] or 0, values[3] or 0) == (0, len(errors.value))
""")


@here
def test_functions_that_are_not_there_say_so() -> None:
    done = passes("""
for name in ("cuMulticastCreate", "cuTexRefCreate"):
    ok(cu[name](None), 801)
place, found = c_uint64(), c_int()
ok(cu.cuGetProcAddress_v2(b"cuGreenCtxCreate", byref(place), 13000, c_uint64(0), byref(found)))
assert place.value and not found.value
""")
    assert (
        "cuMulticastCreate is not supported and returns CUDA_ERROR_NOT_SUPPORTED: devices are not connected"
        in done.stderr
    )


def test_all_functions_of_the_header_are_there(nvcc: Tool) -> None:
    from weft.gpu.driver import absent
    from weft.gpu.driver.runtime_table import RUNTIME
    from weft.gpu.driver.table import CALLS

    headers = Path(nvcc.path).resolve().parents[1] / "include"
    for header, table, call in (
        ("cuda.h", CALLS, "CUDAAPI (cu[A-Z]"),
        ("cuda_runtime_api.h", RUNTIME, "CUDARTAPI (cuda[A-Z]"),
    ):
        text = (headers / header).read_text()
        declared = set(re.findall(rf"{call}\w+?)(?:_v\d|_ptsz|_ptds)*\(", text))
        assert not declared - {name.split("_v")[0] for name in table}
        own_stream = {f"{name}_pt{how.lower()}" for how, name in re.findall(r"_API_PT(DS|SZ)\((cu\w+)\)", text)}
        assert own_stream - table.keys() <= {"cuLaunchHostFunc_v2_ptsz"}
    for names, table in absent.TABLES:
        assert all(table[name].function.__module__ == absent.__name__ for name in names.split())


def test_a_compiler_with_options_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from weft.gpu.driver.build import compiler

    monkeypatch.setenv("CC", "gcc -m64")
    assert Path(compiler()).name == "gcc"


def test_properties_of_devices_are_those_of_the_header(nvcc: Tool) -> None:
    """Field by field, and all that is filled in is a field."""
    from weft.gpu.driver.devices import attributes
    from weft.gpu.driver.runtime_types import DeviceProperties
    from weft.gpu.properties import properties_of

    text = (Path(nvcc.path).resolve().parents[1] / "include" / "driver_types.h").read_text()
    body = re.findall(r"struct [\w() ]*cudaDeviceProp\s*\{(.*?)\};", text, re.DOTALL)[0]
    declared = re.findall(r"^\s*(unsigned int|int|size_t|char|cudaUUID_t)\s+\w+(?:\[(\d+)\])?;", body, re.MULTILINE)
    sizes = {"int": 4, "unsigned int": 4, "size_t": 8, "char": 1, "cudaUUID_t": 16}
    theirs = [size for kind, count in declared for size in [sizes[kind]] * int(count or 1)]
    ours: list[int] = []
    for name, kind in DeviceProperties._fields_:  # pyright: ignore
        size, count = ctypes.sizeof(kind), getattr(kind, "_length_", 1) if name != "uuid" else 1
        ours += [size // count] * count
    assert ours == theirs
    for target in ("sm_80", "sm_90a", "sm_100a"):
        given, found = properties_of(target, 1 << 34), DeviceProperties()
        driver: Any = SimpleNamespace(device=SimpleNamespace(properties=given), devices=3)
        found.fill(given, attributes(driver, 2), uuid=b"u")
        assert not vars(found)
        assert tuple(found.block) == given.max_block and tuple(found.grid) == given.max_grid and found.bus == 3
        assert (found.name, found.uuid, found.total_memory) == (given.name.encode(), b"u", 1 << 34)


RACE = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry race(.param .u64 out)
{
  .reg .b64 %p; .reg .b32 %t;
  ld.param.u64 %p, [out]; mov.u32 %t, %tid.x;
  st.global.u32 [%p], %t;
  st.global.u32 [%p+4], %t;
  ret;
}
"""


@here
def test_faults_that_a_program_does_not_hear_of_are_in_the_exit_status() -> None:
    """The status of a program that has asked is its own; findings that kernels go on after nobody can ask for."""
    unheard = run("launch(out, alloc(64), c_uint(32))")
    assert unheard.returncode == 1 and "despite 1 fault\n" in unheard.stderr
    heard = run("launch(out, alloc(64), c_uint(32))\nok(cu.cuCtxSynchronize(), 700)")
    assert heard.returncode == 0, heard.stderr
    race = f"""
ok(cu.cuModuleLoadData(byref(module), {RACE!r}.encode()))
ok(cu.cuModuleGetFunction(byref(kernel), module, b"race"))
launch(out, block=64)
ok(cu.cuCtxSynchronize())
raise SystemExit(CODE)
"""
    everything = run(race.replace("CODE", "0"), "--report", "all", "--exit-code", "9")
    assert everything.returncode == 9 and "despite 2 faults\n" in everything.stderr
    assert run(race.replace("CODE", "4"), "--report", "all").returncode == 4


@here
def test_a_fault_of_every_launch_is_soon_a_number() -> None:
    done = run("for _ in range(25): launch(out, alloc(64), c_uint(32))")
    assert done.stderr.count("lie outside every buffer") == 3 and done.stderr.count("for the 10th time") == 1
    assert "despite 25 faults\n" in done.stderr


@here
def test_a_runtime_without_names_is_told_of() -> None:
    ask = """
table, name = c_void_p(1), bytes.fromhex("6bd5fb6c5bf4e74a8987d93912fd9df9")
ok(cu.cuGetExportTable(byref(table), name), 500)
ok(cu.cuGetExportTable(byref(table), name[::-1]), 500)
"""
    assert passes(ask).stderr.count("-cudart shared") == 1


@here
def test_what_is_set_is_kept() -> None:
    passes("""
stream, other, number, value = c_void_p(), c_void_p(), c_int(), (c_int * 16)()
ok(cu.cuStreamCreateWithPriority(byref(stream), 1, -2)), ok(cu.cuStreamCreate(byref(other), 0))
for which, expected in ((3, 1), (8, -2)):
    ok(cu.cuStreamGetAttribute(stream, which, value))
    assert value[0] == expected
value[0] = 4
ok(cu.cuStreamSetAttribute(stream, 3, value)), ok(cu.cuStreamCopyAttributes(other, stream))
value[0] = 0
ok(cu.cuStreamGetAttribute(other, 3, value))
assert value[0] == 4
ok(cu.cuCtxSetCacheConfig(2)), ok(cu.cuCtxGetCacheConfig(byref(number))), ok(cu.cuCtxSetCacheConfig(9), 1)
assert number.value == 2
for text, status in ((b"0000:01:00.0", 0), (b"0:1:0", 0), (b"1:0.0", 0), (b"1:0", 1), (b"0:2:0", 1), (b"1:1:0", 1), (b"", 1)):
    ok(cu.cuDeviceGetByPCIBusId(byref(number), text), status)
pool, most = c_void_p(), c_uint64()
ok(cu.cuDeviceGetDefaultMemPool(byref(pool), 0))
ok(cu.cuMemFree_v2(alloc(1 << 20)))
ok(cu.cuMemPoolGetAttribute(pool, 8, byref(most)))
before, most = most.value, c_uint64(0)
ok(cu.cuMemPoolSetAttribute(pool, 8, byref(most))), ok(cu.cuMemPoolGetAttribute(pool, 8, byref(most)))
assert most.value <= before - (1 << 20)
ok(cu.cuMemPoolSetAttribute(pool, 8, byref(c_uint64(5))), 1)
""")


def test_the_library_that_leads_runtimes_takes_the_place_of_dlopen() -> None:
    """A function with a version of its own would not: others ask for that of libc."""
    from weft.gpu.driver import static_runtime

    if not shutil.which("nm"):
        pytest.skip("nm is missing")
    names = subprocess.run(["nm", "-D", str(static_runtime.build())], capture_output=True, text=True, check=True).stdout
    assert re.search(r" T dlopen$", names, re.MULTILINE), names


PROGRAMS = Path(__file__).parent / "programs"


@pytest.mark.slow
@pytest.mark.parametrize("program", sorted(PROGRAMS.glob("*.py")), ids=lambda path: path.stem)
def test_programs(program: Path) -> None:
    """Programs as their users write them, on the packages that they import."""
    for package in ("numba_cuda", "cuda.core"):
        pytest.importorskip(package, reason=f"{package} is missing: pip install 'weft[programs]'")
    command = [sys.executable, "-m", "weft", "gpu-run", sys.executable, "-W", "ignore", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr[-3000:]


def test_arguments_of_nvcc() -> None:
    from weft.cli.nvcc import adjusted

    assert adjusted(["-c", "a.cu"])[2:] == ["-gencode", "arch=compute_90,code=compute_90"]
    assert adjusted(["-c", "-arch=sm_80", "a.cu"]) == ["-c", "-arch=sm_80", "a.cu"]
    for before, code in (("-code", "{}"), ("--gpu-code", "{}"), ("-gencode", "arch=compute_80,code={}")):
        assert adjusted(["-c", before, code.format("sm_80"), "a.cu"]) == [
            "-c",
            before,
            code.format("compute_80"),
            "a.cu",
        ]
    given = [
        "-gencode",
        "arch=compute_80,code=[sm_80,compute_80]",
        "--generate-code=arch=compute_90a,code=sm_90a",
        "-c",
    ]
    kept = ["-gencode", "arch=compute_80,code=[compute_80,compute_80]"]
    assert adjusted(given) == [*kept, "--generate-code=arch=compute_90a,code=compute_90a", "-c"]
    assert adjusted(["-cubin", "-arch=sm_80", "a/b.cu"]) == ["-ptx", "-arch=sm_80", "a/b.cu", "-o", "b.cubin"]
    assert adjusted(["--cubin", "-arch=sm_80", "b.cu", "-o", "x"]) == ["-ptx", "-arch=sm_80", "b.cu", "-o", "x"]
    linked = adjusted(["a.o", "-cudart", "static", "-ccbin=gcc", "-o", "a"])
    assert linked[:3] == ["a.o", "-o", "a"] and linked[-3:-1] == ["-lcudart", "-ccbin"] and "static" not in linked


def test_headers_have_their_packages() -> None:
    from weft.cli.nvcc import package_of

    given = (
        "cuda_profiler_api.h",
        "curand_kernel.h",
        "cublas_v2.h",
        "nvtx3/nvToolsExt.h",
        "mine/nvrtc.h",
        "nvFatbin.h",
        "nvml.h",
        "nppi.h",
        "nccl.h",
        "range.hpp",
    )
    packages = [package_of(header).removeprefix("nvidia-") for header in given]
    assert packages == [
        "cuda-profiler-api",
        "curand",
        "cublas",
        "nvtx",
        "cuda-nvrtc",
        "nvfatbin",
        "nvml-dev",
        "npp",
        "nccl-cu13",
        "",
    ]


def test_properties_have_the_layout_of_the_header() -> None:
    from weft.gpu.driver.runtime_types import DeviceProperties

    assert ctypes.sizeof(DeviceProperties) == 1008  # sizeof and offsetof of CUDA 13's driver_types.h
    assert (DeviceProperties.shared_optin.offset, DeviceProperties.cluster.offset) == (672, 748)


@pytest.mark.slow
def test_a_program_of_cuda_cpp(nvcc: Tool, tmp_path: Path) -> None:
    source, program = PROGRAMS / "runtime.cu", tmp_path / "program"
    weft = [sys.executable, "-m", "weft"]
    subprocess.run([*weft, "nvcc", "-std=c++17", str(source), "-o", str(program)], check=True, capture_output=True)
    command = [*weft, "gpu-run", "--exit-code=3", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=250)
    if "finds no Python" in done.stderr:
        pytest.skip("Python's shared library is missing")
    assert done.returncode == 3, done.stderr
    assert done.stdout == "before\nthread 0 of 2: text 0.25\nthread 1 of 2: text 0.25\ndone\n"
    assert "offset 4000 of allocation" in done.stderr


LINKED = ["-rdc=true", "-lcudadevrt"]
OPTIONS = {
    "applications": ["--extended-lambda"],
    "batches": [*LINKED, "-lcuda"],
    "children": LINKED,
    "driver": ["-lcuda"],
    "driver_refusals": ["-lcuda"],
    "peers": ["-lcuda"],
    "ranges": ["-lcuda"],
    "refusals": LINKED,
    "thread_streams": ["--default-stream", "per-thread", "-lcuda"],
}
FAULTY = {"driver_refusals", "mistakes", "peers", "ranges", "refusals", "sticky"}
SET = {"sticky": {"WEFT_GPU_STICKY": "1"}, "peers": {"WEFT_GPU_COUNT": "2"}}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({path.stem for path in PROGRAMS.glob("*.cu")} - {"runtime"}))
def test_features_of_cuda_cpp(nvcc: Tool, tmp_path: Path, name: str) -> None:
    """Textures, graphs, pools, launches by kernels and the like: each program says what it expects."""
    program, weft = tmp_path / name, [sys.executable, "-m", "weft"]
    compiling = [*weft, "nvcc", "-std=c++17", "-arch=sm_90", str(PROGRAMS / f"{name}.cu"), "-o", str(program)]
    subprocess.run([*compiling, *OPTIONS.get(name, [])], check=True, capture_output=True)
    environment = {**os.environ, **SET.get(name, {})}
    command = [*weft, "gpu-run", "--exit-code=3", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=250, env=environment)
    if "finds no Python" in done.stderr:
        pytest.skip("Python's shared library is missing")
    assert done.returncode == (3 if name in FAULTY else 0), done.stdout + done.stderr
    assert done.stdout.endswith("ok\n")


def test_device_code_is_linked_by_identities() -> None:
    from weft.gpu.driver.device_link import source

    text = source(["_a1_x"])
    assert "__fatbinwrap_a1_x[]" in text and "void __cudaRegisterLinkedBinary_a1_x(void (*callback)(void **)" in text


@pytest.mark.slow
def test_device_code_that_is_linked_by_a_step_of_its_own(nvcc: Tool, tmp_path: Path) -> None:
    """As CMake and Makefiles do: `-dc`, `-dlink` with a library, and the host's linker with the static runtime."""
    weft, library = [sys.executable, "-m", "weft"], Path(nvcc.path).parents[1] / "lib"
    (tmp_path / "far.cu").write_text("__device__ int calls; __device__ int twice(int x) { calls = 1; return 2 * x; }")
    (tmp_path / "near.cu").write_text("""#include <cstdio>
extern __device__ int calls, twice(int);
__global__ void k(int *a) { *a = twice(21) * calls; }
int main() { int *d, h; cudaMalloc(&d, 4); k<<<1, 1>>>(d); cudaMemcpy(&h, d, 4, cudaMemcpyDefault); printf("%d\\n", h); }
""")
    (tmp_path / "files").write_text(f"near.o -L. -L'{library}' -lfar -lcudadevrt")
    for commands in (
        [[*weft, "nvcc", "-dc", f"{name}.cu", "-o", f"{name}.o"] for name in ("far", "near")],
        [["ar", "rcs", "libfar.a", "far.o"], [*weft, "nvcc", "-dlink", "--options-file", "files", "-o", "linked.o"]],
        [["g++", "near.o", "linked.o", "-L.", "-lfar", f"-L{library}", "-lcudart_static", "-ldl", "-lrt", "-lpthread"]],
    ):
        for command in commands:
            subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    done = subprocess.run([*weft, "gpu-run", "./a.out"], capture_output=True, text=True, check=False, cwd=tmp_path)
    if "finds no Python" in done.stderr:
        pytest.skip("Python's shared library is missing")
    assert done.stdout == "42\n", done.stderr
    refused = subprocess.run([*weft, "nvcc", "-dlink", "-cubin", "x.o"], capture_output=True, text=True, check=False)
    assert refused.returncode and "device code is linked as PTX" in refused.stderr


def test_files_of_arguments(tmp_path: Path) -> None:
    from weft.cli.nvcc import expanded

    inner, outer, cycle = (tmp_path / name for name in ("inner", "outer", "cycle"))
    inner.write_text('-DX="a b"\n-c')
    outer.write_text(f"-optf {inner} y.cu")
    assert expanded(["-w", f"--options-file={inner},{outer}", "x"]) == [
        *("-w", "-DX=a b", "-c", "-DX=a b", "-c", "y.cu", "x")
    ]
    cycle.write_text(f"-optf {cycle}")
    for wrong, message in ((cycle, "names itself"), (tmp_path / "none", "cannot read")):
        with pytest.raises(ToolError, match=message):
            expanded(["--options-file", str(wrong)])


def test_a_toolkit_is_made_of_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To what a package has, under the names that linkers look for, with our runtime and driver among it."""
    monkeypatch.setattr(toolkit, "cache", lambda: tmp_path / "cache")
    for name in ("bin/nvcc", "include/cuda.h", "lib/libnvrtc.so.13", "lib/libcudart.so.13", "lib/libx.a", "nvvm/cicc"):
        (tmp_path / "package" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "package" / name).touch()
    for _ in range(2):
        nvcc = toolkit.compiler(tmp_path / "package/bin/nvcc")
        top = nvcc.parent.parent
        links = {str(path.relative_to(top)): os.readlink(path) for path in top.rglob("*") if path.is_symlink()}
        given = {name: target for name, target in links.items() if str(tmp_path / "package") in target}
        assert set(given) == {"bin/nvcc", "include", "nvvm", "lib/libnvrtc.so.13", "lib/libx.a"}
        assert {name: target for name, target in links.items() if "/" not in target} == {
            "lib64": "lib", "lib/libnvrtc.so": "libnvrtc.so.13", "lib/libcudart.so": build_runtime().name,
            "lib/stubs/libcuda.so": build().name,
        }  # fmt: skip
        assert links[f"lib/{build_runtime().name}"] == str(build_runtime())
        assert links[f"lib/stubs/{build().name}"] == str(build())
    (tmp_path / "package/lib64").mkdir()
    assert toolkit.compiler(tmp_path / "package/bin/nvcc") == tmp_path / "package/bin/nvcc", "it is whole"


@pytest.mark.slow
def test_a_toolkit_to_link_with(nvcc: Tool, tmp_path: Path) -> None:
    """What CMake's `find_package(CUDAToolkit)` looks for beside nvcc, and the libraries that programs name."""
    weft = [sys.executable, "-m", "weft"]
    told = subprocess.run([*weft, "nvcc", "--dryrun", "-c", "x.cu"], capture_output=True, text=True, check=False)
    top = Path(re.findall(r"^#\$ TOP=(.*)$", told.stderr, re.MULTILINE)[0])
    if not (top / "lib64" / "libnvrtc.so").exists():
        pytest.skip("NVRTC is not installed")
    assert all((top / name).exists() for name in ("bin/nvcc", "include/cuda_runtime.h", "lib64/libcudart.so"))
    (tmp_path / "x.cu").write_text("""#include <cstdio>
#include <cuda.h>
#include <nvrtc.h>
int main() { int a, b, n; nvrtcVersion(&a, &b); cuInit(0); cuDeviceGetCount(&n); printf("%d %d\\n", a, n); }
""")
    command = [*weft, "nvcc", "x.cu", "-o", "x", "-lnvrtc", "-lcuda"]
    subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    done = subprocess.run([*weft, "gpu-run", "./x"], capture_output=True, text=True, check=False, cwd=tmp_path)
    if "finds no Python" in done.stderr:
        pytest.skip("Python's shared library is missing")
    assert re.fullmatch(r"1\d 1\n", done.stdout), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("grid", "status"), [("0", 0), ("dim3(1, 0)", 0), ("1, 2048>>>(); k<<<1", 1)])
def test_launches_of_empty_grids_are_no_faults(nvcc: Tool, tmp_path: Path, grid: str, status: int) -> None:
    """Programs that have nothing left to compute launch them and ignore the error, which they get as on a GPU."""
    weft = [sys.executable, "-m", "weft"]
    (tmp_path / "x.cu").write_text(f"""#include <cstdio>
__global__ void k() {{}}
int main() {{ k<<<{grid}, 32>>>(); printf("%d\\n", cudaGetLastError()); return cudaDeviceSynchronize(); }}
""")
    subprocess.run([*weft, "nvcc", "x.cu", "-o", "x"], check=True, capture_output=True, cwd=tmp_path)
    done = subprocess.run([*weft, "gpu-run", "./x"], capture_output=True, text=True, check=False, cwd=tmp_path)
    if "finds no Python" in done.stderr:
        pytest.skip("Python's shared library is missing")
    assert (done.returncode, done.stdout) == (status, "9\n"), done.stderr
    assert ("is empty" in done.stderr) == (not status)


HOWTO = Path(__file__).parents[2] / "docs" / "howto"


@pytest.mark.slow
def test_the_how_to_for_programs(nvcc: Tool, tmp_path: Path) -> None:
    """What the document shows is what the programs print; `...` stands for anything."""
    shown = re.findall(r"```text\n(.*?)```", (HOWTO / "programs-in-ci.md").read_text(), re.DOTALL)
    source, program, weft = HOWTO / "programs" / "smooth.cu", tmp_path / "smooth", [sys.executable, "-m", "weft"]
    for options, expected in (([], shown[0]), (["-DFIXED"], shown[1])):
        command = [*weft, "nvcc", "-lineinfo", *options, str(source), "-o", str(program)]
        subprocess.run(command, check=True, capture_output=True)
        done = subprocess.run([*weft, "gpu-run", str(program)], capture_output=True, text=True, check=False)
        if "finds no Python" in done.stderr:
            pytest.skip("Python's shared library is missing")
        for line in expected.splitlines():
            pattern = ".*".join(map(re.escape, line.split("...")))
            assert re.search(f"^{pattern}$", done.stdout + done.stderr, re.MULTILINE), (line, done.stderr)
        assert (done.returncode == 0) == bool(options)


@pytest.mark.slow
def test_runtimes_inside_of_programs_and_libraries(nvcc: Tool, tmp_path: Path) -> None:
    """nvcc's default: the runtime's functions are led to weft's, in a program and in what it loads."""
    program, shared = tmp_path / "program", tmp_path / "library.so"
    made = (
        [str(PROGRAMS / "static" / "program.cu"), "-o", str(program)],
        [*(str(PROGRAMS / "static" / "library.cu"), "-shared", "-Xcompiler", "-fPIC", "-o", str(shared))],
    )
    for arguments in made:
        subprocess.run([nvcc.path, "-arch=sm_90", *arguments], check=True, capture_output=True)
    command = [sys.executable, "-m", "weft", "gpu-run", str(program), str(shared)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=250)
    assert done.stdout.splitlines() == ["0", "6 36 34", "cudaErrorIllegalAddress"], done.stderr[-2000:]
    assert "offset 128 of allocation" in done.stderr


@pytest.mark.slow
def test_programs_that_compile_while_they_run(nvcc: Tool, tmp_path: Path) -> None:
    """They call nvcc, by PATH or by the variable, and load what they take for machine code."""
    (tmp_path / "x.cu").write_text('extern "C" __global__ void k(int *x) { *x = 7; }\n')
    (tmp_path / "x.py").write_text("""
import ctypes, os, subprocess
from ctypes import byref, c_uint64, c_void_p
cu, context, module, function, x, y = ctypes.CDLL("libcuda.so.1"), *(c_void_p() for _ in range(4)), ctypes.c_int()
assert os.environ["NVCC"].endswith("nvcc")
for nvcc in ("nvcc", os.environ["NVCC"]):
    subprocess.run([nvcc, "--cubin", "-arch=sm_90", "x.cu"], check=True)
    assert cu.cuInit(0) == cu.cuDevicePrimaryCtxRetain(byref(context), 0) == cu.cuCtxSetCurrent(context) == 0
    assert cu.cuModuleLoad(byref(module), b"x.cubin") == 0
    assert cu.cuModuleGetFunction(byref(function), module, b"k") == cu.cuMemAlloc_v2(byref(x), c_uint64(4)) == 0
    parameters = (c_void_p * 1)(ctypes.addressof(x))
    assert cu.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, parameters, None) == 0
    assert cu.cuMemcpyDtoH_v2(byref(y), x, c_uint64(4)) == 0 and y.value == 7
    os.remove("x.cubin")
""")
    command = [sys.executable, "-m", "weft", "gpu-run", sys.executable, "x.py"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]


@here
def test_user_objects_live_as_long_as_what_holds_them() -> None:
    passes("""
gone = []
destructor = ctypes.CFUNCTYPE(None, c_void_p)(gone.append)
graph, made, one = c_void_p(), c_void_p(), c_void_p()
ok(cu.cuGraphCreate(byref(graph), 0))
ok(cu.cuUserObjectCreate(byref(one), c_void_p(77), destructor, 1, 0), 1)
ok(cu.cuUserObjectCreate(byref(one), c_void_p(77), destructor, 2, 1))
ok(cu.cuUserObjectRelease(one, 3), 1)
ok(cu.cuUserObjectRelease(one, 1))
ok(cu.cuGraphRetainUserObject(graph, one, 1, 1))
ok(cu.cuGraphReleaseUserObject(graph, one, 2), 1)
ok(cu.cuGraphInstantiateWithFlags(byref(made), graph, c_uint64(0)))
ok(cu.cuGraphDestroy(graph))
assert not gone
ok(cu.cuGraphExecDestroy(made))
assert gone == [77]
""")


@pytest.mark.slow
def test_what_a_python_starts_with_is_started_too(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('mine')")
    command = [sys.executable, "-m", "weft", "gpu-run", sys.executable, "-c", "print('program')"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=200, env=environment)
    assert done.stdout.splitlines()[-2:] == ["mine", "program"], done.stderr


def test_a_stand_in_is_not_taken_for_the_library_behind_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from weft.gpu.driver.nvrtc import found_library

    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    own, real = tmp_path / "cache" / "weft" / "driver" / "a1", tmp_path / "real"
    for folder in (own, real):
        folder.mkdir(parents=True)
        (folder / "libweftprobe.so.13").touch()
    monkeypatch.setenv("LD_LIBRARY_PATH", str(own))
    assert found_library("libweftprobe.so.1*") is None
    monkeypatch.setenv("LD_LIBRARY_PATH", os.pathsep.join([str(own), str(real)]))
    assert found_library("libweftprobe.so.1*") == str(real / "libweftprobe.so.13")


@here
def test_what_a_driver_needs_first_is_there_or_said() -> None:
    done = passes("""
import threading
fresh = c_uint64()
def elsewhere():
    ok(cu.cuMemAlloc_v2(byref(fresh), c_size_t(64)), 201)
    ok(cu.cuCtxSetCurrent(context))
    ok(cu.cuMemAlloc_v2(byref(fresh), c_size_t(64)))
thread = threading.Thread(target=elsewhere)
thread.start(), thread.join()
ok(cu.cuCtxSetCurrent(None))
ok(cu.cuMemFree_v2(fresh))  # Libraries count on it, once nothing of theirs is current.
for wrong in (cu.cuMemAlloc_v2(byref(fresh), c_size_t(64)), cu.cuModuleLoadData(byref(module), PTX.encode())):
    ok(wrong, 201)
for number in (-1, 1):
    ok(cu.cuDeviceGet(byref(device), number), 101)
    ok(cu.cuDeviceTotalMem_v2(byref(fresh), number), 101)
""")
    assert not done.stderr


@pytest.mark.slow
def test_nothing_works_before_the_driver_is_initialised() -> None:
    text = "import ctypes; cu = ctypes.CDLL('libcuda.so.1'); n = ctypes.c_int(); assert cu.cuDeviceGetCount(ctypes.byref(n)) == 3"
    subprocess.run([sys.executable, "-m", "weft", "gpu-run", sys.executable, "-c", text], check=True)


def test_libraries_find_functions_of_the_version_that_they_ask_for() -> None:
    """Those of CUDA are linked to `cudaMalloc@libcudart.so.13`."""
    runtime = ctypes.CDLL(str(build_runtime()))
    find = ctypes.CDLL(None).dlvsym
    find.argtypes, find.restype = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p), ctypes.c_void_p
    assert find(runtime._handle, b"cudaMalloc", b"libcudart.so.13")
    assert not find(runtime._handle, b"cudaMalloc", b"libcudart.so.12")


MANAGEMENT = r"""
import ctypes
from ctypes import byref, c_char_p, c_int, c_uint, c_uint64, c_void_p, create_string_buffer
ml = ctypes.CDLL("libnvidia-ml.so.1")
ml.nvmlErrorString.restype = c_char_p
count, device, same, text = c_uint(), c_void_p(), c_void_p(), create_string_buffer(96)
assert ml.nvmlInit_v2() == 0 and ml.nvmlDeviceGetCount_v2(byref(count)) == 0 and count.value == 2
for number in range(2):
    assert ml.nvmlDeviceGetHandleByIndex_v2(number, byref(device)) == 0
    for name in ("UUID", "PciInfo_v3"):
        assert getattr(ml, "nvmlDeviceGet" + name)(device, text, 96) == 0
        of = (ml.nvmlDeviceGetHandleByUUID, text.raw) if name == "UUID" else (ml.nvmlDeviceGetHandleByPciBusId_v2, text.raw[36:])
        assert of[0](of[1], byref(same)) == 0 and same.value == device.value
    assert ml.nvmlDeviceGetIndex(device, byref(count)) == 0 and count.value == number
room = (c_uint64 * 5)()
assert ml.nvmlDeviceGetMemoryInfo(device, room) == 0 and room[0] == room[1] + room[2] > 0
assert ml.nvmlDeviceGetMemoryInfo_v2(device, room) == 0 and room[1] == room[2] + room[3] + room[4]
assert ml.nvmlDeviceGetName(device, text, 96) == 0 and text.value == b"weft virtual GPU (sm_90)"
major, minor = c_int(), c_int()
assert ml.nvmlDeviceGetCudaComputeCapability(device, byref(major), byref(minor)) == 0
assert (major.value, minor.value) == (9, 0)
assert ml.nvmlDeviceGetName(device, text, 4) == 7 and ml.nvmlErrorString(7) == b"Insufficient Size"
assert ml.nvmlDeviceGetHandleByIndex_v2(2, byref(device)) == 2 and ml.nvmlDeviceGetName(None, text, 96) == 2
assert ml.nvmlDeviceGetCount_v2(None) == 2 and ml.nvmlDeviceGetHandleByUUID(b"GPU-0", byref(device)) == 6
"""


@pytest.mark.slow
def test_programs_that_ask_for_devices_by_nvml() -> None:
    command = [sys.executable, "-m", "weft", "gpu-run", "--devices", "2", sys.executable, "-c", MANAGEMENT]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr[-3000:]


LINKING = r"""
import ctypes
from ctypes import byref, c_char_p, c_size_t, c_uint, c_uint64, c_void_p, create_string_buffer
linker = ctypes.CDLL("libnvJitLink.so.13")
SUCCESS, MISSING_ARCH, INVALID_INPUT, PTX_COMPILE, NULL_INPUT, PTX = 0, 2, 3, 4, 10, 2
options = (c_char_p * 2)(b"-arch=sm_90", b"-O3")
handle, size = c_void_p(), c_size_t()
assert linker.nvJitLinkCreate(byref(handle), 1, (c_char_p * 1)(b"-O3")) == MISSING_ARCH
assert linker.nvJitLinkCreate(None, 2, options) == NULL_INPUT
assert linker.nvJitLinkCreate(byref(handle), 2, options) == SUCCESS
for wrong, status in ((c_void_p(0x1234), INVALID_INPUT), (None, NULL_INPUT)):
    assert linker.nvJitLinkComplete(wrong) == status
    assert linker.nvJitLinkGetLinkedCubinSize(wrong, byref(size)) == status
assert linker.nvJitLinkDestroy(byref(c_void_p(0x1234))) == INVALID_INPUT
assert linker.nvJitLinkAddData(handle, PTX, None, c_size_t(4), b"none") == NULL_INPUT
assert linker.nvJitLinkAddFile(handle, PTX, b"/no/such/file.ptx") == INVALID_INPUT
text = b".version 8.0\\n.target sm_90\\n.address_size 64\\n.visible .entry k() { nonsense; }"
assert linker.nvJitLinkAddData(handle, PTX, text, c_size_t(len(text)), b"bad") == SUCCESS
assert linker.nvJitLinkComplete(handle) == PTX_COMPILE
assert linker.nvJitLinkGetErrorLogSize(handle, byref(size)) == SUCCESS and size.value > 8
log = create_string_buffer(size.value)
assert linker.nvJitLinkGetErrorLog(handle, log) == SUCCESS and b"nonsense" in log.value, log.value
assert linker.nvJitLinkGetErrorLog(handle, None) == linker.nvJitLinkGetErrorLogSize(handle, None) == NULL_INPUT
assert linker.nvJitLinkDestroy(byref(handle)) == SUCCESS and linker.nvJitLinkDestroy(byref(handle)) == INVALID_INPUT
ml = ctypes.CDLL("libnvidia-ml.so.1")
assert ml.nvmlDeviceGetCount_v2(c_void_p(8)) == ml.nvmlDeviceGetHandleByUUID(c_void_p(8), byref(handle)) == 2
"""


@pytest.mark.slow
def test_wrong_calls_of_the_stand_ins_have_the_status_of_the_library() -> None:
    command = [sys.executable, "-m", "weft", "gpu-run", sys.executable, "-c", LINKING]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "internal error" not in done.stderr
