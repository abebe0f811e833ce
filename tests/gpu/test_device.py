"""`weft.Device`: memory that lives, modules and symbols, arguments of many kinds, and what the host may do wrong."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Literal

import numpy as np
import pytest

import weft
from weft.gpu import arguments, kernels
from weft.gpu.errors import DeviceError
from weft.sim import KernelFault, SimulationError

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"

SCALE = (
    HEAD
    + """
.visible .entry scale(.param .u64 x, .param .f32 factor, .param .u32 n)
{
  .reg .b64 %p, %i; .reg .b32 %t, %n, %b, %d; .reg .f32 %f, %v; .reg .pred %q;
  ld.param.u64 %p, [x]; ld.param.f32 %f, [factor]; ld.param.u32 %n, [n];
  mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %d, %ntid.x; mad.lo.u32 %t, %b, %d, %t;
  setp.ge.u32 %q, %t, %n; @%q ret;
  mul.wide.u32 %i, %t, 4; add.u64 %p, %p, %i;
  ld.global.f32 %v, [%p]; mul.f32 %v, %v, %f; st.global.f32 [%p], %v; ret;
}
"""
)

COUNT = (
    HEAD
    + """
.visible .global .align 4 .u32 total = 7;
.visible .const .align 4 .u32 step = 2;
.visible .entry count()
{
  .reg .b32 %a, %b;
  ld.const.u32 %a, [step]; atom.global.add.u32 %b, [total], %a; ret;
}
.visible .entry show(.param .u64 out)
{
  .reg .b64 %p; .reg .b32 %a;
  ld.param.u64 %p, [out]; ld.global.u32 %a, [total]; st.global.u32 [%p], %a; ret;
}
"""
)


@pytest.fixture
def device() -> Any:
    with weft.Device("sm_80", memory=1 << 30) as device:
        yield device


def test_memory_outlives_launches(device: weft.Device) -> None:
    kernel = device.kernel(SCALE, "scale")
    x = device.array(np.arange(100, dtype=np.float32), "x")
    for _ in range(3):
        kernel.launch(4, 32, [x, 2.0, 100])
    assert (x == np.arange(100) * 8).all()
    x[:] = 1  # The host's pointer is the device's.
    kernel.launch(4, 32, [x, 3.0, 50])
    assert (x[:50] == 3).all() and (x[50:] == 1).all()


def test_symbols_persist_and_modules_are_apart(device: weft.Device) -> None:
    one, two = device.load(COUNT), device.load(COUNT)
    out = device.zeros(1, np.uint32)
    one.kernel("count").launch(2, 32)
    one.kernel("show").launch(1, 1, [out])
    assert out[0] == 7 + 128
    two.kernel("show").launch(1, 1, [out])
    assert out[0] == 7
    one.symbol("step").write(np.uint32(10).tobytes())
    one.symbol("total").view(np.uint32)[0] = 0
    one.kernel("count").launch(1, 1)
    assert np.frombuffer(one.symbol("total").read(), np.uint32)[0] == 10
    with pytest.raises(weft.DeviceError, match="no variable 'totals'"):
        one.symbol("totals")
    one.unload()
    with pytest.raises(weft.DeviceError, match="unloaded"):
        one.kernel("count")


def test_host_arrays_come_back(device: weft.Device) -> None:
    kernel = device.kernel(SCALE, "scale")
    x = np.arange(64, dtype=np.float32)
    kernel.launch(2, 32, [x, 2.0, 64])
    assert (x == np.arange(64) * 2).all()
    fixed = np.ones(4, np.float32)
    fixed.flags.writeable = False
    with pytest.raises(KernelFault) as caught:
        kernel.launch(1, 4, [fixed, 2.0, 4])
    assert caught.value.kind == "read-only"


COPY = (
    HEAD
    + """
.visible .entry copy(.param .u64 to, .param .u64 from, .param .u32 n)
{
  .reg .b64 %p, %q, %i; .reg .b32 %t, %n, %v; .reg .pred %g;
  ld.param.u64 %p, [to]; ld.param.u64 %q, [from]; ld.param.u32 %n, [n];
  mov.u32 %t, %tid.x; setp.ge.u32 %g, %t, %n; @%g ret;
  mul.wide.u32 %i, %t, 4; add.u64 %p, %p, %i; add.u64 %q, %q, %i;
  ld.global.u32 %v, [%q]; st.global.u32 [%p], %v; ret;
}
"""
)


def test_overlapping_and_strided_views(device: weft.Device) -> None:
    kernel = device.kernel(COPY, "copy")
    x = np.arange(32, dtype=np.uint32)
    kernel.launch(1, 8, [x[16:], x[:16], 8])  # Neighbours in one array.
    assert (x[16:24] == np.arange(8)).all() and (x[24:] == np.arange(24, 32)).all()
    x = np.arange(32, dtype=np.uint32)
    kernel.launch(1, 8, [x[4:24], x[20:], 8])  # Views that overlap.
    assert (x[4:12] == np.arange(20, 28)).all()
    x = np.arange(64, dtype=np.uint32).reshape(8, 8)
    kernel.launch(1, 8, [x[1, ::2], x[3], 2])  # A strided view is passed by its first element; gaps are there.
    assert x[1, 0] == 24 and x[1, 1] == 25
    backwards = np.arange(8, dtype=np.uint32)[::-1]
    out = np.zeros(1, np.uint32)
    kernel.launch(1, 1, [out, backwards, 1])
    assert out[0] == 7


def test_the_end_of_a_view_is_not_the_end_of_its_array(device: weft.Device) -> None:
    kernel = device.kernel(COPY, "copy")
    x, y = np.arange(32, dtype=np.uint32), np.zeros(16, np.uint32)
    with pytest.raises(KernelFault, match="offset 32 of argument from, which has 32 bytes"):
        kernel.launch(1, 16, [y, x[:8], 16])


class Interface:
    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array
        self.__array_interface__ = array.__array_interface__


class Capsule:
    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()


class Cuda:
    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.__cuda_array_interface__ = array.__array_interface__


def test_arguments_of_other_libraries(device: weft.Device) -> None:
    kernel = device.kernel(COPY, "copy")
    source = np.arange(8, dtype=np.uint32)
    there = device.array(source)
    raw = device.alloc(32, "raw")
    device.upload(raw, source)
    words = (ctypes.c_uint32 * 8)(*source.tolist())
    for given in (source, Interface(source), Capsule(source), Cuda(there), there, raw, raw.address, words):
        for to in (np.zeros(8, np.uint32), device.zeros(8, np.uint32)):
            kernel.launch(1, 8, [to, given, ctypes.c_uint32(8)])
            assert (to == source).all()
    out = np.zeros(8, np.uint32)
    kernel.launch(1, 8, [Capsule(out), source, np.uint32(8)])
    assert (out == source).all()
    pointer = ctypes.c_void_p(raw.address)
    kernel.launch(1, 8, [out, pointer, 8])
    kernel.launch(1, 8, [None, None, 0])
    with pytest.raises(KernelFault, match="address 0 is not a pointer"):
        kernel.launch(1, 8, [None, source, 8])


class Tensor:
    """As PyTorch's: elements of a storage from one on, of which there may be none."""

    def __init__(self, storage: np.ndarray[Any, Any], first: int, count: int) -> None:
        self.storage, self.first, self.count = storage, first, count

    def untyped_storage(self) -> Any:
        address, size = int(self.storage.ctypes.data), self.storage.nbytes
        return type("Storage", (), {"nbytes": lambda _: size, "data_ptr": lambda _: address})()

    def data_ptr(self) -> int:
        return int(self.storage.ctypes.data) + self.first * self.storage.itemsize

    def numel(self) -> int:
        return self.count


class Whole:
    """What is a number as far as Python is concerned."""

    def __index__(self) -> int:
        return 8


class Words(ctypes.Structure):
    _fields_ = (("low", ctypes.c_uint32), ("high", ctypes.c_uint32))


def test_tensors_numbers_and_structures(device: weft.Device) -> None:
    kernel = device.kernel(COPY, "copy")
    source = np.arange(24, dtype=np.uint32)
    out = np.zeros(24, np.uint32)
    kernel.launch(1, 8, [Tensor(out, 8, 8), Tensor(source, 16, 8), Whole()])
    assert out.tolist() == [*[0] * 8, *range(16, 24), *[0] * 8], "whatever lies behind the first element"
    kernel.launch(1, 8, [Tensor(out, 0, 0), Tensor(source, 24, 4), 0])
    with pytest.raises(KernelFault, match="out of bounds|past the end|not a pointer|outside"):
        kernel.launch(1, 8, [out, Tensor(source, 17, 7), 8])
    there = device.array(source)
    place = device.address(there)
    kernel.launch(1, 8, [out, Words(place & 0xFFFF_FFFF, place >> 32), 8])
    assert out[:8].tolist() == list(range(8))
    for wrong in (object(), Tensor, [1, [2]]):
        with pytest.raises(SimulationError, match="parameter '[a-z_]+'"):
            kernel.launch(1, 8, [out, wrong, 8])

    class Broken:
        def __dlpack__(self, **options: Any) -> Any:
            raise BufferError("on loan")

        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

    said = "an argument of type Broken cannot be read: on loan"
    with pytest.raises(SimulationError, match=said):
        kernel.launch(1, 8, [out, Broken(), 8])


def test_capsules_that_seem_to_be_read_only() -> None:
    """The bytes are those of the array, from its lowest on, whatever its strides."""
    base = np.arange(12, dtype=np.int16)
    for view in (base, base[::-2], base.reshape(3, 4).T, base[:0]):
        frozen = view.view()
        frozen.flags.writeable = False
        found = arguments._writable(frozen)
        assert found.tolist() == view.tolist()
        if view.size:
            found[...] += 1
            assert found.tolist() == view.tolist() and found.strides == view.strides


MISSING = (
    HEAD
    + """
.extern .global .align 4 .u32 far;
.visible .global .align 8 .u64 near = total;
.visible .global .align 4 .u32 total = 7;
.visible .entry use() { .reg .b32 %a; ld.global.u32 %a, [far]; ret; }
"""
)


def test_variables_of_other_modules(device: weft.Device) -> None:
    """What is declared only can be loaded, and cannot be used; what initialisers name has an address."""
    module = device.load(MISSING)
    assert module.symbol("near").address != module.symbol("total").address
    near = np.frombuffer(device.download(module.symbol("near").address, 8), np.uint64)
    assert near.tolist() == [module.symbol("total").address]
    for _ in range(2):
        with pytest.raises(SimulationError, match="'far' is declared but not defined in the module") as refused:
            module.kernel("use").launch(1, 1, [])
        assert "load the modules that define it together" in (refused.value.hint or "")
    defined = HEAD + ".visible .global .align 4 .u32 far = 3;\n"
    device.load([MISSING, defined]).kernel("use").launch(1, 1, [])
    with pytest.raises(weft.WeftError, match="nowhere"):
        device.load(HEAD + ".visible .global .align 8 .u64 near = nowhere;\n")
    live = len(device.leaks())
    module.unload()
    module.unload()
    assert len(device.leaks()) == live
    for use in (lambda: module.kernel("use"), lambda: module.symbol("total")):
        with pytest.raises(DeviceError, match="the module has been unloaded"):
            use()


def test_a_block_of_parameters(device: weft.Device) -> None:
    kernel = device.kernel(SCALE, "scale")
    assert kernel.parameters == (("x", 0, 8), ("factor", 8, 4), ("n", 12, 4))
    x = device.array(np.ones(4, np.float32))
    block = device.address(x).to_bytes(8, "little") + np.float32(5).tobytes() + np.uint32(4).tobytes()
    kernel.launch(1, 4, parameters=block)
    assert (x == 5).all()
    with pytest.raises(SimulationError, match=r"16 bytes of parameters up to 'n', 15 are given"):
        kernel.launch(1, 4, parameters=block[:-1])


def test_freed_memory_and_leaks(device: weft.Device) -> None:
    kernel = device.kernel(SCALE, "scale")
    raw, kept = device.alloc(64, "raw"), device.alloc(64, "kept")
    device.memset(raw, 0, 64)
    kernel.launch(1, 16, [raw, 1.0, 16])
    device.free(raw)
    with pytest.raises(KernelFault, match="offset 0 of raw, which has been freed"):
        kernel.launch(1, 16, [raw, 1.0, 16])
    assert [leak.name for leak in device.leaks()] == [kept.name]
    view = device.zeros(16, name="view")
    address = device.address(view)
    del view
    with pytest.raises(KernelFault, match="offset 0 of view, which has been freed"):
        kernel.launch(1, 16, [address, 1.0, 16])


def test_extents_of_arrays(device: weft.Device) -> None:
    """None is negative, and they have room together; an array of nothing is one."""
    for shape in (0, (0, 3), (4, 0), (), (1, 2, 3)):
        assert device.empty(shape).shape == np.empty(shape).shape == device.zeros(shape).shape
    for wrong in (-1, (-1, -1), (2, -1), (1 << 40, 0, 1 << 40, 3, -1), (1 << 40, 1 << 40)):
        with pytest.raises(weft.DeviceError, match="an array of shape"):
            device.empty(wrong)


def test_what_the_host_does_wrong(device: weft.Device) -> None:
    raw = device.alloc(100, "raw")
    device.upload(raw, bytes(100))
    with pytest.raises(weft.DeviceError, match="101 bytes at offset 0 of raw, which has 100 bytes"):
        device.upload(raw, bytes(101))
    with pytest.raises(weft.DeviceError, match="8 bytes at offset 96 of raw"):
        device.download(raw.address + 96, 8)
    with pytest.raises(weft.DeviceError, match="is not an address of the device's memory"):
        device.memset(0x1234, 0, 4)
    with pytest.raises(weft.DeviceError, match="is offset 4 of raw, not its start"):
        device.free(raw.address + 4)
    with pytest.raises(weft.DeviceError, match="is not an address"):
        device.free(0)
    device.free(raw)
    with pytest.raises(weft.DeviceError, match="which has been freed"):
        device.free(raw)
    with pytest.raises(weft.DeviceError, match="which has been freed") as caught:
        device.download(raw, 4)
    assert caught.value.kind == "use-after-free"
    with pytest.raises(weft.DeviceError, match="out of memory for"):
        device.alloc(1 << 40)
    with pytest.raises(weft.DeviceError, match="invalid size of an allocation: -1"):
        device.alloc(-1)


def test_launches_that_do_not_fit(device: weft.Device) -> None:
    kernel = device.kernel(SCALE, "scale")
    x = device.zeros(4)
    with pytest.raises(SimulationError, match="takes 3 arguments, got 1"):
        kernel.launch(1, 1, [x])
    with pytest.raises(SimulationError, match="too large"):
        kernel.launch(1, 2048, [x, 1.0, 4])
    with pytest.raises(SimulationError, match="positive extents"):
        kernel.launch(0, 32, [x, 1.0, 4])
    with pytest.raises(weft.DeviceError, match="no kernel 'scales'"):
        kernel.module.kernel("scales")
    used = device.memory.used
    for _ in range(20):
        with pytest.raises(SimulationError):
            kernel.launch(1, 32, [np.zeros(8, np.float32), "text", 4])
    assert device.memory.used == used


def test_modules_for_other_architectures() -> None:
    with weft.Device("sm_75", memory=1 << 28) as device, pytest.raises(weft.DeviceError, match="does not run on sm_75"):
        device.load(SCALE)
    for target in ("sm_90", "sm_90a"):
        with weft.Device(target, memory=1 << 28) as device:
            device.load(SCALE.replace("sm_80", "sm_90a"))
    with weft.Device("sm_100", memory=1 << 28) as device, pytest.raises(weft.DeviceError):
        device.load(SCALE.replace("sm_80", "sm_90a"))
    with pytest.raises(weft.IsaError):
        weft.Device("sm_91")


def test_bounds(device: weft.Device) -> None:
    kernel = device.kernel(SCALE, "scale")
    two = device.alloc(2)
    device.memory.contents(two.address, 4)[:] = 0
    kernel.launch(1, 1, [two, 1.0, 1])  # Atomics on 16 bits are done on the word around them.
    with weft.Device("sm_80", memory=1 << 28, bounds=1) as exact:
        kernel = exact.kernel(SCALE, "scale")
        with pytest.raises(KernelFault, match="outside every buffer"):
            kernel.launch(1, 1, [exact.alloc(2), 1.0, 1])
    with weft.Device("sm_80", memory=1 << 28, bounds=512) as wide:
        raw = wide.alloc(2)
        wide.kernel(SCALE, "scale").launch(1, 128, [raw, 1.0, 128])


DOUBT = (
    HEAD
    + """.visible .entry doubt(.param .u64 p, .param .u32 n) {
.reg .b64 %p; .reg .b32 %n, %t, %never; .reg .pred %q; ld.param.u64 %p, [p]; ld.param.u32 %n, [n]; mov.u32 %t, %tid.x;
mad.wide.u32 %p, %t, 4, %p; setp.lt.u32 %q, %t, %n; @%q mov.u32 %never, 7; st.global.u32 [%p], %never; ret; }"""
)


def test_what_is_not_written_may_lie_where_nobody_looks() -> None:
    """CUB's reduction by key leaves the sum of a last tile that is not full in its temporary storage."""
    with weft.Device("sm_80", memory=1 << 28) as device:
        doubt, copy = device.kernel(DOUBT, "doubt"), device.kernel(COPY, "copy")
        raw, other = device.alloc(64, "raw"), device.alloc(64, "other")
        doubt.launch(1, 16, [raw, 12])
        assert np.frombuffer(device.download(raw, 48), np.uint32).tolist() == [7] * 12
        for look in (lambda: device.download(raw, 64), lambda: device.copy(other, raw, 64)):
            with pytest.raises(weft.DeviceError, match=r"reads %never, which the thread has not written") as caught:
                look()
            assert caught.value.kind == "uninitialised-memory"
        copy.launch(1, 12, [other, raw, 12])
        copy.launch(1, 16, [other, raw, 16])  # It passes them on.
        with pytest.raises(weft.DeviceError, match="an earlier kernel computed from unwritten memory"):
            device.download(other, 64)
        device.memset(int(raw) + 48, 0, 16)
        device.download(raw, 64)
        with pytest.raises(KernelFault, match="%never"):  # The host has the array.
            doubt.launch(1, 16, [device.zeros(16, np.uint32), 12])
        device.free(other)


def test_uninitialised_memory() -> None:
    with weft.Device("sm_80", memory=1 << 28, uninitialised_memory=True) as device:
        kernel, copy = device.kernel(SCALE, "scale"), device.kernel(COPY, "copy")
        raw, other = device.alloc(64, "raw"), device.alloc(64, "other")
        with pytest.raises(KernelFault) as caught:
            kernel.launch(1, 16, [raw, 1.0, 16])
        assert caught.value.kind == "uninitialised-memory"
        device.memset(raw, 0, 32)
        kernel.launch(1, 16, [raw, 1.0, 8])
        device.copy(other, raw, 64)
        kernel.launch(1, 16, [other, 1.0, 8])
        with pytest.raises(KernelFault):
            kernel.launch(1, 16, [other, 1.0, 9])
        third = device.alloc(64, "third")
        copy.launch(1, 8, [third, raw, 8])  # What a kernel writes is written.
        kernel.launch(1, 8, [third, 1.0, 8])
        kernel.launch(1, 16, [device.empty(16), 1.0, 16])
        kernel.launch(1, 16, [np.zeros(16, np.float32), 1.0, 16])


HEAP = (
    HEAD
    + """
.extern .func (.param .b64 r) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
.visible .entry make(.param .u64 out)
{
  .reg .b64 %p, %q; .reg .b32 %v;
  ld.param.u64 %p, [out];
  { .param .b64 n; .param .b64 r; st.param.b64 [n], 16; call.uni (r), malloc, (n); ld.param.b64 %q, [r]; }
  mov.u32 %v, 42; st.u32 [%q], %v; st.global.u64 [%p], %q; ret;
}
.visible .entry take(.param .u64 from, .param .u64 out)
{
  .reg .b64 %p, %q, %o; .reg .b32 %v;
  ld.param.u64 %p, [from]; ld.param.u64 %o, [out]; ld.global.u64 %q, [%p]; ld.u32 %v, [%q]; st.global.u32 [%o], %v;
  { .param .b64 n; st.param.b64 [n], %q; call.uni free, (n); }
  ret;
}
"""
)


def test_the_heap_outlives_launches(device: weft.Device) -> None:
    module = device.load(HEAP)
    pointers, out = device.zeros(1, np.uint64), device.zeros(1, np.uint32)
    for _ in range(3):
        module.kernel("make").launch(1, 1, [pointers])
        module.kernel("take").launch(1, 1, [pointers, out])
        assert out[0] == 42
    with pytest.raises(KernelFault, match="is not allocated on the heap"):
        module.kernel("take").launch(1, 1, [pointers, out])


def test_a_closed_device() -> None:
    device = weft.Device("sm_80", memory=1 << 28)
    module = device.load(SCALE)
    kernel, x = module.kernel("scale"), device.zeros(4)
    device.close()
    device.close()
    del x
    for use in (lambda: kernel.launch(1, 1, [0, 1.0, 0]), lambda: device.alloc(4), lambda: device.load(SCALE)):
        with pytest.raises(weft.DeviceError) as caught:
            use()
        assert caught.value.kind == "closed"
    module.unload()
    with weft.Device("sm_80", memory=1 << 28) as again:
        assert not again.zeros(64).any()


def test_random_schedules_keep_memory(device: weft.Device) -> None:
    with weft.Device("sm_80", memory=1 << 28, asynchrony="random:5") as device:
        x = device.array(np.ones(64, np.float32))
        device.kernel(SCALE, "scale").launch(2, 32, [x, 2.0, 64])
        assert (x == 2).all() and device.launches == 1
    with pytest.raises(SimulationError, match="asynchrony"):
        weft.Device(asynchrony="lazy:4")
    with pytest.raises(SimulationError, match="unknown asynchrony 'often'"):
        weft.Device(asynchrony="often")


LATE = (
    HEAD
    + """
.visible .entry late(.param .u64 flag, .param .u64 data)
{
  .reg .pred %p; .reg .b64 %f, %d; .reg .b32 %b, %v;
  ld.param.u64 %f, [flag]; ld.param.u64 %d, [data]; mov.u32 %b, %ctaid.x;
  setp.ne.u32 %p, %b, 0; @%p bra write;
  ld.relaxed.gpu.global.u32 %v, [%f]; setp.eq.u32 %p, %v, 0; @%p bra end;
  ld.global.u32 %v, [%d]; st.global.u32 [%d+4], %v; bra end;
write: mov.u32 %v, 1; st.global.u32 [%d], %v; st.relaxed.gpu.global.u32 [%f], %v;
end: ret;
}
"""
)
UNWRITTEN = (
    HEAD
    + """
.visible .entry unwritten(.param .u64 out)
{
  .shared .b32 s[32]; .reg .pred %p; .reg .b64 %o; .reg .b32 %t, %a, %v, %w;
  ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mov.u32 %a, s; mad.lo.u32 %a, %t, 4, %a;
  atom.global.add.u32 %w, [%o], 1; setp.lt.u32 %p, %t, 16; @%p st.shared.b32 [%a], %t;
  ld.shared.b32 %v, [%a]; @%p red.global.add.u32 [%o+4], %v; ret;
}
"""
)


def test_a_launch_is_looked_at_as_by_run(device: weft.Device) -> None:
    """CTAs take turns; unwritten bytes that nothing uses are forgiven; memory is what the run that counts leaves."""
    flag, data = device.zeros(1, np.uint32), device.zeros(2, np.uint32)
    for _ in range(2):
        with pytest.raises(KernelFault, match="last one first") as found:
            device.kernel(LATE, "late").launch(2, 1, [flag, data])
        assert (found.value.kind, flag.tolist(), data.tolist()) == ("race", [1], [1, 0])
        flag[:] = data[:] = 0
    right = LATE.replace("ld.relaxed", "ld.acquire").replace("st.relaxed", "st.release")
    device.kernel(right, "late").launch(2, 1, [flag, data])
    assert (flag.tolist(), data.tolist()) == ([1], [1, 0])
    out = device.zeros(2, np.uint32)
    kernel = device.kernel(UNWRITTEN, "unwritten")
    for times in (1, 2):
        kernel.launch(1, 32, [out])
        assert out.tolist() == [32 * times, 120 * times]
    with pytest.raises(KernelFault, match="nothing has written"):
        device.kernel(UNWRITTEN.replace("@%p red", "red"), "unwritten").launch(1, 32, [out])


@pytest.mark.slow
def test_unwritten_bytes_that_nothing_uses_are_forgiven_beside_large_arrays() -> None:
    with weft.Device("sm_80", memory=1 << 28) as device:
        out = device.zeros(18 << 20, np.uint32)
        wrong = UNWRITTEN.replace("ret;\n}", "add.u32 %w, %v, %t; setp.eq.u32 %p, %w, 7; @%p bra end; end: ret;\n}")
        assert wrong != UNWRITTEN
        device.kernel(wrong, "unwritten").launch(1, 32, [out])
        assert out[:2].tolist() == [32, 120]


def test_other_schedules_say_how_few_changes_it_takes() -> None:
    with weft.Device("sm_80", memory=1 << 28, asynchrony="random:40") as device:
        flag, data = device.zeros(1, np.uint32), device.zeros(2, np.uint32)
        with pytest.raises(KernelFault, match=r"seed=\d+, changes=\d") as found:
            device.kernel(LATE, "late").launch(2, 1, [flag, data])
        assert found.value.seed is not None and not data.any()


@pytest.mark.parametrize("limit", ["KERNELS", "BYTES"])
def test_only_the_kernels_that_ran_last_keep_what_was_bound(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    """As in a process that compiles one kernel after the other; all can still be launched."""
    with weft.Device("sm_80") as device:
        x = device.array(np.ones(4, np.float32), "x")
        made = [device.kernel(SCALE, "scale") for _ in range(5)]
        made[0].launch(1, 4, [x, 2.0, 4])
        assert made[0].held > 0
        monkeypatch.setattr(kernels, limit, 3 if limit == "KERNELS" else 3 * made[0].held)
        held: list[int] = []
        for turn in range(3):
            for kernel in made[turn:]:
                kernel.launch(1, 4, [x, 2.0, 4])
            held.append(len(list(device.memory.allocations())))
        assert held[0] == held[1] == held[2]
        assert [kernel.held > 0 for kernel in made] == [False, False, True, True, True]
        assert x.tolist() == [2.0**13] * 4


@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_kernels_in_turn_on_the_same_memory(engine: Literal["numpy", "native"]) -> None:
    """What one kernel has noted is not held against the next, and nothing of it stays for as long as the kernel."""
    shift = SCALE.replace("scale", "shift").replace("add.u64 %p, %p, %i;", "xor.b64 %i, %i, 512; add.u64 %p, %p, %i;")
    with weft.Device("sm_80", engine=engine) as device:
        x = device.array(np.ones(256, np.float32), "x")
        one, other = device.kernel(SCALE, "scale"), device.kernel(shift, "shift")
        for _ in range(300):
            one.launch(2, 128, [x, 2.0, 256])
            other.launch(2, 128, [x, 0.5, 256])
        assert x.tolist() == [1.0] * 256
        for kernel in (one, other):
            for bound in kernel._kept.values():
                assert all(not len(races.written) for races in bound.machine.races[:1])
        race = SCALE.replace("add.u64 %p, %p, %i;", "")
        with pytest.raises(KernelFault) as caught:
            device.kernel(race, "scale").launch(2, 128, [x, 2.0, 256])
        assert caught.value.kind == "race"


def test_findings_are_kept_where_that_is_asked_for() -> None:
    racy = COPY.replace("mul.wide.u32 %i, %t, 4;", "mul.wide.u32 %i, %t, 0; mov.u32 %v, %t;").replace(
        "ld.global.u32 %v, [%q]; ", ""
    )
    with weft.Device("sm_80", memory=1 << 28, report="all") as device:
        x = device.zeros(8, np.uint32)
        result = device.kernel(racy, "copy").launch(1, 64, [x, x, 64])
        assert [fault.kind for fault in result.findings] == ["race"]
    with weft.Device("sm_80", memory=1 << 28, checks="fast") as device:
        x = device.zeros(8, np.uint32)
        assert device.kernel(racy, "copy").launch(1, 64, [x, x, 64]).findings == ()
    with weft.Device("sm_80", memory=1 << 28) as device, pytest.raises(KernelFault) as caught:
        device.kernel(racy, "copy").launch(1, 64, [device.zeros(8, np.uint32, "x"), 0, 64])
    assert caught.value.kind == "race"


def test_parameters_by_the_low_half_of_their_address() -> None:
    """On a device that does not lie where the first one does."""
    text = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out, .param .align 8 .b8 s[8])
{
    .reg .b64 %rd<4>; .reg .b32 %r<3>;
    mov.b32 %r1, s; cvt.u64.u32 %rd1, %r1; cvta.param.u64 %rd2, %rd1; ld.u32 %r2, [%rd2+4];
    ld.param.u64 %rd3, [out]; st.global.u32 [%rd3], %r2; ret;
}
"""
    with weft.Device("sm_80") as first, weft.Device("sm_80") as second:
        for device in (first, second):
            out = device.zeros(1, np.uint32)
            device.load(text).kernel("k").launch(1, 1, [out, (np.int32(7), np.int32(9))])
            assert out[0] == 9


GRID = (
    HEAD
    + """
.extern .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope);
.extern .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle, .param .b32 flags);
.visible .entry k(.param .u64 values)
{
  .reg .b64 %p, %q, %h; .reg .b32 %t, %b, %d, %n, %v, %s;
  ld.param.u64 %p, [values]; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; mov.u32 %d, %ntid.x; mad.lo.u32 %t, %b, %d, %t;
  mul.wide.u32 %q, %t, 4; add.u64 %q, %p, %q; st.global.u32 [%q], %t;
  { .param .b32 s; .param .b64 h; mov.u32 %s, 1; st.param.b32 [s], %s;
    call.uni (h), cudaCGGetIntrinsicHandle, (s); ld.param.b64 %h, [h]; }
  { .param .b64 h; .param .b32 f; .param .b32 r; st.param.b64 [h], %h; mov.u32 %s, 0; st.param.b32 [f], %s;
    SYNC }
  mov.u32 %n, %nctaid.x; mul.lo.u32 %n, %n, %d; add.u32 %t, %t, 1; rem.u32 %t, %t, %n;
  mul.wide.u32 %h, %t, 4; add.u64 %h, %p, %h; ld.global.u32 %v, [%h]; add.u64 %h, %q, 4096; st.global.u32 [%h], %v;
  ret;
}
"""
)


@pytest.mark.slow
def test_the_barrier_of_a_grid(device: weft.Device) -> None:
    kernel = device.kernel(GRID.replace("SYNC", "call.uni (r), cudaCGSynchronize, (h, f);"), "k")
    for ctas in (1, 6, 6, 20):
        out = device.zeros(2048, np.uint32)
        kernel.launch(ctas, 48, [out], cooperative=True)
        count = ctas * 48
        assert (out[1024 : 1024 + count] == (np.arange(count) + 1) % count).all()
    without = device.kernel(GRID.replace("SYNC", ""), "k")
    with pytest.raises(KernelFault) as caught:
        without.launch(6, 48, [device.zeros(2048, np.uint32)], cooperative=True)
    assert caught.value.kind == "race"


def test_a_cooperative_grid_is_on_the_device_at_once(device: weft.Device) -> None:
    kernel = device.kernel(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }", "k")
    most = device.properties.multiprocessors
    kernel.launch(2 * most, 1024, cooperative=True)
    for ctas, threads, shared in ((2 * most + 1, 1024, 0), (32 * most + 1, 32, 0), (2 * most, 32, 150_000)):
        with pytest.raises(SimulationError, match=f"grid of {ctas:,} CTAs, of which the device holds"):
            kernel.launch(ctas, threads, cooperative=True, shared=shared)
    with pytest.raises(SimulationError, match="arguments and `parameters` cannot be combined"):
        kernel.launch(1, 1, [1], parameters=bytes(8))


def test_the_barrier_of_a_cooperative_grid_counts_one_run() -> None:
    """A short run with atomics is followed by others: what they do to the grid's own memory is taken back."""
    text = """
.version 8.0
.target sm_90
.address_size 64
.visible .entry count()
{
  .reg .b32 %low, %high, %old; .reg .b64 %place;
  mov.u32 %low, %envreg2; mov.u32 %high, %envreg1; mov.b64 %place, {%low, %high};
  atom.release.gpu.global.add.u32 %old, [%place+4], 1; ret;
}
"""
    device = weft.Device("sm_90")
    kernel = device.load(text).kernel("count")
    for launched in (1, 2):
        kernel.launch(3, 1, [], cooperative=True)
        found = device.memory.contents(device.grid_workspace(), 8).view(np.uint32)[1]
        assert found == 3 * launched


def test_what_the_api_does_not_take(device: weft.Device) -> None:
    kernel, place = device.kernel(SCALE, "scale"), device.zeros(4)
    for attempt in (
        lambda: device.alloc(4, align=3),
        lambda: device.free(place),
        lambda: weft.Device(memory=-5),
        lambda: weft.Device(resident=0),
        lambda: weft.Device(timeout=-1),
        lambda: weft.Device(max_steps=-1),
        lambda: kernel.launch(1, 4, [place, None, 4]),
    ):
        with pytest.raises(weft.WeftError):
            attempt()
    kernel.launch(1, 4, [place, 2.0, 4])


def test_shared_memory_of_a_kernel_is_what_it_mentions() -> None:
    """Modules of nvcc's `-rdc=true` have the variables of all kernels at their top."""
    from weft.gpu.resources import static_shared

    module = weft.parse("""
.version 8.0
.target sm_80
.address_size 64
.shared .align 4 .b8 mine[1000];
.shared .align 4 .b8 called[100];
.shared .align 4 .b8 called_2[10];
.extern .shared .align 4 .b8 dynamic[];
.func helper() { .reg .b32 %r; mov.u32 %r, called; ret; }
.entry first() { .shared .b8 own[8]; .reg .b32 %r; mov.u32 %r, mine; st.shared.u32 [own], %r; ret; }
.entry second() { .reg .b32 %r; call.uni helper, (); mov.u32 %r, dynamic; ret; }
.entry third() { ret; }
""")
    assert [static_shared(module, kernel) for kernel in module.kernels] == [1008, 100, 0]


@pytest.mark.parametrize("again", [True, False])
def test_memory_that_is_too_large_to_be_kept(monkeypatch: pytest.MonkeyPatch, again: bool) -> None:
    """A fault of compiled code is found in what it has left in memory, or told where that hides it."""
    pytest.importorskip("llvmlite")
    monkeypatch.setattr("weft.sim.runs.MOST_BYTES", 64)
    step = "mul.wide.u32 %i, %o, 4; add.u64 %q, %p, %i;" if again else "add.u64 %q, %p, 4;"
    text = f""".version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{{
  .reg .b64 %p, %q, %i; .reg .b32 %o; .reg .pred %l;
  ld.param.u64 %p, [out]; ld.global.u32 %o, [%p]; st.global.u32 [%p], {"%o" if again else 1};
  setp.gt.u32 %l, %o, 100; {step} @%l mul.wide.u32 %i, %o, 4; @%l add.u64 %q, %p, %i; st.global.u32 [%q], 7;
  ret;
}}
"""
    with weft.Device("sm_80", checks="fast", engine="native") as device:
        out = device.array(np.full(64, 1 << 20, np.uint32))
        with pytest.raises(KernelFault, match="global address" if again else "the rerun in NumPy does not") as found:
            device.kernel(text, "k").launch(1, 1, [out])
    assert found.value.kind == "out-of-bounds"


@pytest.mark.parametrize(
    "how", ["st.global.u32 [%p], %v", "red.global.add.u32 [%p], %v", "atom.global.add.u32 %o, [%p], %v"]
)
def test_what_is_made_of_unwritten_bytes_is_not_copied(how: str) -> None:
    """Half of what is added up was never stored, and the sum is what the host copies."""
    text = f""".version 8.0
    .target sm_80
    .address_size 64
    .visible .entry k(.param .u64 out) {{ .reg .b64 %p; .reg .b32 %t, %v, %a, %s, %o; .reg .pred %q, %g; .shared .b32 s[32];
      ld.param.u64 %p, [out]; cvta.to.global.u64 %p, %p; mov.u32 %t, %tid.x; setp.lt.u32 %q, %t, 16; mov.u32 %a, s;
      shl.b32 %s, %t, 2; add.u32 %a, %a, %s; @%q st.shared.u32 [%a], 1; bar.sync 0; ld.shared.u32 %v, [%a];
      shfl.sync.down.b32 %o|%g, %v, 16, 31, -1; add.u32 %v, %v, %o; setp.ne.u32 %q, %t, 0; @%q bra E; {how}; E: ret; }}"""
    with weft.Device("sm_80") as device:
        out = device.alloc(4).address
        device.memset(out, 0, 4)
        device.kernel(text, "k").launch(1, 32, [out])
        with pytest.raises(weft.DeviceError, match="from unwritten memory"):
            device.download(out, 4)


@pytest.mark.parametrize("checks", ["strict", "fast"])
@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_a_launch_costs_the_same_beside_many_arrays(checks: Literal["strict", "fast"], engine: Any) -> None:
    """Suites keep thousands of arrays alive: nothing of a launch asks each of them anything."""
    with weft.Device("sm_80", checks=checks, engine=engine) as device:
        kernel, x = device.kernel(SCALE, "scale"), device.zeros(128)

        def calls() -> int:
            for _ in range(3):
                kernel.launch(1, 128, [x, 1.0, 128])
            count = 0

            def profile(*_: object) -> None:
                nonlocal count
                count += 1

            sys.setprofile(profile)
            try:
                kernel.launch(1, 128, [x, 1.0, 128])
            finally:
                sys.setprofile(None)
            return count

        few = calls()
        keep = [device.zeros(16) for _ in range(300)]
        assert calls() < few + 100
        assert len(keep) == 300
