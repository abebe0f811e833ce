"""The parts that Triton talks to: arrays, storage, packed arguments, tensor maps, and what the driver answers."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

import weft
import weft.triton
from weft.errors import Position
from weft.sim.faults import KernelFault, SimulationError
from weft.triton import environment, launcher
from weft.triton.activation import Activation
from weft.triton.arrays import Array, asarray, taken, taken_for_tensors
from weft.triton.compiler import PtxCompiler
from weft.triton.descriptors import MapArgument, im2col, tiled
from weft.triton.driver import Afterwards, SimulatedDriver
from weft.triton.events import Event
from weft.triton.execution import Geometry
from weft.triton.faults import Source, TritonFault, source_of
from weft.triton.mirrors import TABLE, Mirrors, numbers_in
from weft.triton.packing import Pointer, flat_names, flat_types, flat_values, packed, pointer
from weft.triton.seam import DRIVER, GPUTarget, PTXASError
from weft.triton.storage import Storage, storage_of
from weft.triton.tuning import NEVER, first_only

# -- arrays -------------------------------------------------------------------------------------------------------


def address(array: np.ndarray[Any, Any]) -> int:
    return int(array.__array_interface__["data"][0])


def test_arrays_have_the_methods_of_tensors() -> None:
    plain = np.arange(24, dtype=np.int16).reshape(4, 6)
    array: Any = asarray(plain)
    part = array[1:, ::2]
    assert array.data_ptr() == address(plain) and part.data_ptr() == address(plain) + 12
    assert (array.stride(), array.stride(0), array.stride(-1)) == ((6, 1), 6, 1)
    assert (part.stride(), part.numel(), part.dim(), part.element_size()) == ((6, 2), 9, 2, 2)
    assert array.is_contiguous() and not part.is_contiguous() and array.contiguous() is array
    whole = part.contiguous()
    assert (
        type(whole) is Array and whole.is_contiguous() and (whole == part).all() and not np.shares_memory(whole, part)
    )
    copy = array.clone()
    assert type(copy) is Array and (copy == plain).all() and not np.shares_memory(copy, plain)
    assert copy.copy_(7) is copy and (copy == 7).all()
    assert copy.zero_() is copy and not copy.any()
    assert copy.fill_(3) is copy and (copy == 3).all()
    assert array.cpu() is array and type(array.numpy()) is np.ndarray and np.shares_memory(array.numpy(), plain)
    assert asarray(plain, np.int16).data_ptr() == address(plain) != asarray(plain, np.int32).data_ptr()
    assert isinstance(array.sum(), np.integer) and isinstance(array.max() + array[0, 0], np.integer)
    assert type(array + 1) is Array


def test_made_arrays() -> None:
    for made, value in ((weft.triton.zeros, 0), (weft.triton.ones, 1), (weft.triton.empty, None)):
        for shape, dtype in ((5, np.dtype(np.float32)), ((2, 3), np.dtype(np.int8))):
            array = made(shape) if dtype == np.float32 else made(shape, dtype)
            assert type(array) is Array and array.dtype == dtype
            assert array.shape == (shape if isinstance(shape, tuple) else (shape,))
            assert value is None or (array == value).all()
    assert weft.triton.full(3, 2.5).tolist() == [2.5] * 3 and weft.triton.full((1, 2), 7, "i8").dtype == np.int64


class Pair(NamedTuple):
    left: object
    right: object


def test_plain_arrays_are_taken_for_tensors_in_tuples_too() -> None:
    plain, own = np.zeros(3), weft.triton.zeros(3)
    found = taken_for_tensors((plain, 5, (own, "x"), Pair(plain, None), [plain]))
    assert type(found[0]) is Array and np.shares_memory(found[0], plain) and found[1] == 5
    assert found[2][0] is own and found[2][1] == "x"
    assert type(found[3]) is Pair and type(found[3].left) is Array and found[3].right is None
    assert type(found[4][0]) is np.ndarray, "lists are left alone"


def test_arrays_whose_addresses_are_known() -> None:
    base: Any = asarray(np.zeros(100, np.int32))
    whole = base.base
    part = base[10:]
    assert not any(one is whole for one in taken())
    assert part.data_ptr() == address(base) + 40
    assert any(one is whole for one in taken()), "the memory, not the view"


# -- storage ------------------------------------------------------------------------------------------------------


class Tensor:
    """As PyTorch says where it is."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def data_ptr(self) -> int:
        return address(self.array)

    def untyped_storage(self) -> Any:
        whole = self.array if self.array.base is None else self.array.base
        return SimpleNamespace(data_ptr=lambda: address(whole), nbytes=lambda: whole.nbytes)


def test_storage_is_the_whole_allocation() -> None:
    base = np.arange(40, dtype=np.int32)
    whole = (address(base), 160)
    for value in (base, base[3:9], base[::-2], base.reshape(8, 5).T[1:, ::3], Tensor(base), Tensor(base[5:])):
        found = storage_of(value)
        assert (found.start, found.size, found.end) == (*whole, whole[0] + 160)
        assert found.owner is value and found.writable and found.bytes().tobytes() == base.tobytes()
    read = base[:4]
    read.flags.writeable = False
    assert not storage_of(read).writable and (storage_of(read).start, storage_of(read).size) == whole
    own = storage_of(SimpleNamespace(base=Tensor(base[1:])))
    assert (own.start, own.size) == whole, "what is reinterpreted"
    for more, size in (({"numel": lambda: 6, "element_size": lambda: 2}, 12), ({"nbytes": 20.0}, 20)):
        made = storage_of(SimpleNamespace(data_ptr=lambda: 4096, **more))
        assert (made.start, made.size) == (4096, size)
    speaking = SimpleNamespace(data_ptr=lambda: 0, __array_interface__=base[2:].__array_interface__)
    assert (storage_of(speaking).start, storage_of(speaking).size) == (address(base) + 8, 152)
    assert storage_of(np.zeros((0, 4))).bytes().size == 0
    with pytest.raises(SimulationError, match="SimpleNamespace has no data_ptr"):
        storage_of(SimpleNamespace())
    with pytest.raises(SimulationError, match="size of the memory of SimpleNamespace is unknown"):
        storage_of(SimpleNamespace(data_ptr=lambda: 0, numel=lambda: 3))


# -- mirrors ------------------------------------------------------------------------------------------------------


@pytest.fixture
def device() -> Iterator[weft.Device]:
    with weft.Device("sm_90a", memory=1 << 24) as made:
        yield made


def test_copies_of_a_launch(device: weft.Device) -> None:
    """Memory that overlaps is one copy, which lies as it does on the host; what only may be read is not copied back."""
    memory, mirrors = device.memory, Mirrors(device.memory)
    host, other = np.arange(200, dtype=np.uint8), np.full(64, 9, np.uint8)
    start = address(host)
    mirrors.add(Storage(start + 3, 50, host, writable=False), "first")
    mirrors.add(Storage(address(other), 64, other, writable=False), "other")
    mirrors.add(Storage(start + 53, 10, host), "touching")
    mirrors.add(Storage(start + 40, 30, host), "over both")
    own = device.alloc(16)
    mirrors.add(Storage(own.address, 16, None), "the device's")
    mirrors.copy_in([])
    place = mirrors.address(start + 3)
    assert [mirrors.address(start + at) - place for at in (3, 4, 52, 53, 69)] == [0, 1, 49, 50, 66]
    assert mirrors.address(start + 2) == start + 2 and mirrors.address(start + 70) == start + 70
    assert place % 16 == (start + 3) % 16 and mirrors.address(own.address) == own.address
    assert memory.contents(place, 67).tobytes() == host[3:70].tobytes()
    there = mirrors.address(address(other))
    for at in (place, there):
        memory.contents(at, 8)[:] = 77
    mirrors.copy_out()
    assert host[3:11].tolist() == [77] * 8 and host[2] == 2 and host[70] == 70 and (other == 9).all()
    rights = {region.start: region.writable for region in memory.regions}
    assert [rights[at & -16] for at in (place, there)] == [True, False]
    mirrors.release()
    assert memory.find(place) is memory.find(there) is None and memory.find(own.address) is not None
    mirrors.copy_out()
    assert mirrors.address(start + 3) == start + 3


@pytest.mark.parametrize("back_to_front", [False, True])
def test_memory_that_only_touches_stays_apart(device: weft.Device, back_to_front: bool) -> None:
    """What may be written is copied back, its neighbours are not."""
    host = np.arange(96, dtype=np.uint8)
    parts = [Storage(address(host) + at, 32, host, writable=at == 32) for at in (0, 32, 64)]
    mirrors = Mirrors(device.memory)
    for storage in reversed(parts) if back_to_front else parts:
        mirrors.add(storage, "part")
    mirrors.copy_in([])
    for storage in parts:
        device.memory.contents(mirrors.address(storage.start), 32)[:] = 200
    mirrors.copy_out()
    mirrors.release()
    assert host.tolist() == [*range(32), *[200] * 32, *range(64, 96)]


def test_addresses_in_tables(device: weft.Device) -> None:
    """Those of arrays whose addresses somebody knows become those of the copies; others, and small numbers, stay."""
    known, unknown = weft.triton.zeros(8, np.int64), np.zeros(8)
    first = known.data_ptr()
    table = np.array([first, first + 63, first + 64, 5, 0, -1, address(unknown), 1 << 31], np.int64)
    before = table.copy()
    mirrors, storage = Mirrors(device.memory), storage_of(table)
    mirrors.add(storage, "table")
    mirrors.add_pointees(numbers_in(storage))
    mirrors.copy_in([storage])
    moved = mirrors.address(first)
    assert moved != first
    copied = device.memory.contents(mirrors.address(storage.start), 64).view(np.int64)
    assert copied.tolist() == [moved, moved + 63, *before[2:].tolist()]
    copied[1], copied[3] = 6, 7
    mirrors.copy_out()
    mirrors.release()
    assert table.tolist() == [first, 6, *before[2:3].tolist(), 7, *before[4:].tolist()]
    for size, count in ((TABLE, TABLE), (TABLE + 1, 0)):
        assert numbers_in(storage_of(np.zeros(size, np.int64))).size == count
    assert numbers_in(Storage(address(table) + 4, 24, table)).size == 0
    assert numbers_in(Storage(address(table), 23, table)).tolist() == table[:2].tolist()


# -- arguments ----------------------------------------------------------------------------------------------------


def test_signatures_are_flat() -> None:
    signature = ["*fp32", ("i32", ("constexpr", "fp16")), "constexpr", "u8"]
    assert flat_types(signature) == ["*fp32", "i32", "fp16", "u8"]
    assert flat_names(["a", "b", "c", "d"], signature) == ["a", "b.0", "b.1.1", "d"]
    assert list(flat_values(signature, [1, (2, (3, 4)), 5, 6])) == [1, 2, 4, 6]


@pytest.mark.parametrize(
    ("type_", "value", "data"),
    [
        ("fp16", 1.5, np.float16(1.5).tobytes()),
        ("bf16", -2.25, ml_dtypes.bfloat16(-2.25).tobytes()),
        *((name, 0.1, struct.pack("<f", 0.1)) for name in ("fp32", "f32")),
        ("fp64", 0.1, struct.pack("<d", 0.1)),
        *((f"{kind}{bits}", 5, struct.pack("<q", 5)) for kind in "iu" for bits in (8, 16, 32, 64)),
        ("i1", True, struct.pack("<q", 1)),
        ("u1", 0, bytes(8)),
        ("i8", -1, b"\xff" * 8),
        ("u64", (1 << 64) - 1, b"\xff" * 8),
    ],
)
def test_numbers_are_bytes(type_: str, value: float, data: bytes) -> None:
    """Of which a parameter takes as many as it has."""
    assert packed(type_, value, "x") == data


def test_pointers_and_what_no_parameter_is() -> None:
    array = weft.triton.zeros(4)
    plain = np.zeros(4)
    for type_ in ("*fp32", "*i8"):
        assert packed(type_, None, "x") == Pointer(0) and packed(type_, 4096, "x") == Pointer(4096)
    for value, at in ((array[1:], address(array) + 4), (plain[2:], address(plain) + 16)):
        found = pointer(value)
        assert found.address == at and found.storage is not None and found.storage.owner is value
    made = MapArgument(tiled(4096, 0, 4, 7, [4], [64], [1], 0))
    assert packed("nvTmaDesc", made, "x") is made
    with pytest.raises(SimulationError, match="argument 'x' has type fp8"):
        packed("fp8", 1, "x")


def test_tensor_maps_have_the_innermost_dimension_first() -> None:
    found = tiled(4096, 2, 2, 6, [2, 16], [100, 64], [64, 1], 1)
    assert (found.global_dim, found.global_strides, found.box_dim) == ((64, 100), (128,), (16, 2))
    assert (found.swizzle, found.oob_fill, found.l2_promotion, found.element_strides) == (
        *("64B", "NAN_REQUEST_ZERO_FMA", "L2_128B", (1, 1)),
    )
    assert (found.global_address, found.data_type, found.mode, found.interleave) == (4096, 6, "tiled", "NONE")
    assert tiled(4096, 1, 2, 6, [2, 16], [100, 64], [64, 1], 0).oob_fill == "NONE"
    pixels = im2col(4096, 3, 2, 6, [5, 16], [2, 9, 8, 32], [2304, 256, 32, 1], 0, [-1, -2], [3, 4], [1, 2, 3, 1])
    assert (pixels.mode, pixels.pixels_per_column, pixels.channels_per_pixel) == ("im2col", 5, 16)
    assert (pixels.pixel_box_lower_corner, pixels.pixel_box_upper_corner) == ((-2, -1), (4, 3))
    assert (pixels.global_dim, pixels.global_strides, pixels.element_strides) == (
        *((32, 8, 9, 2), (64, 512, 4608), (1, 3, 2, 1)),
    )
    assert (pixels.swizzle, pixels.box_dim, pixels.l2_promotion) == ("128B", (), "L2_128B")
    for wrong in (
        lambda: tiled(4104, 0, 2, 6, [16], [64], [1], 0),
        lambda: im2col(4096, 0, 2, 6, [0, 16], [9, 8, 32], [256, 32, 1], 0, [0], [0], [1] * 3),
    ):
        with pytest.raises(weft.WeftError):
            wrong()


# -- the driver ---------------------------------------------------------------------------------------------------


@pytest.fixture(params=["sm_80", "sm_90a"])
def active(request: pytest.FixtureRequest) -> Iterator[Activation]:
    with weft.triton.activate(request.param) as made:
        yield made


def test_what_the_driver_answers(active: Activation) -> None:
    driver, utils, hopper = active.driver, active.driver.utils, active.device.target == "sm_90a"
    capability = (9, 0) if hopper else (8, 0)
    interface = driver.get_device_interface()
    for said in (driver, utils, interface):
        assert said.get_device_capability() == said.get_device_capability(0) == capability
    assert driver.get_current_target() == GPUTarget("cuda", 90 if hopper else 80, 32)
    for said in (driver.get_current_device(), utils.get_current_device(), interface.current_device()):
        assert said == active.number
    expected = {
        "max_shared_mem": (227 if hopper else 163) << 10, "max_num_regs": 65536, "warpSize": 32, "max_threads": 1024,
        "multiprocessor_count": 132 if hopper else 108, "sm_clock_rate": 1980000 if hopper else 1410000,
        "mem_clock_rate": 2619000, "mem_bus_width": 5120,
    }  # fmt: skip
    assert driver.properties == utils.get_device_properties(0) == expected
    assert driver.is_active() is True and SimulatedDriver.launcher_cls.__name__ == "Launcher"
    assert utils.set_current_device(0) is driver.set_current_device(0) is interface.synchronize(0) is None
    assert driver.get_current_stream() == utils.get_default_stream(0) == 0 and utils.is_stream_capturing(0) is False
    assert utils.set_printf_fifo_size(1) is driver.get_empty_cache_for_benchmark() is driver.clear_cache(None) is None
    for ctas, fitting in ((1, 132), (2, 66), (16, 8), (17, 0)) if hopper else ((1, 108), (2, 0)):
        assert utils.cuOccupancyMaxActiveClusters(None, 0, ctas) == fitting
    assert utils.fill_tma_descriptor_tiled(4096, 0, 8, 8, [4], [64], [1], 0).element.name == "FLOAT64"
    rest = ([5, 16], [9, 8, 32], [256, 32, 1], 0, [0], [0], [1] * 3)
    assert utils.fill_tma_descriptor_im2col(4096, 0, 2, 9, *rest).element.name == "BFLOAT16"
    scratch = driver.allocate_default_profile_scratch(10, 16, 0)
    assert scratch.element_size() * scratch.numel() == 10 and not scratch.any()
    assert driver.assemble_tensormap_to_arg(None, args := (1, 2)) is args
    assert driver.map_python_to_cpp_type("i32") == "int32_t" and interface.Event is Event


def test_benchmarks_call_once(active: Activation) -> None:
    calls: list[int] = []
    measure = active.driver.get_benchmarker()
    assert len(set(measure(lambda: calls.append(1)))) == 1 and len(measure(lambda: calls.append(1))) == 3
    assert len(measure(lambda: calls.append(1), quantiles=(0.5,), rep=3)) == 1 and calls == [1] * 3
    assert measure(lambda: None)[0] >= 0


def test_triton_s_own_choice_is_made_when_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = SimpleNamespace(name="its own")
    monkeypatch.setattr(DRIVER, "_default", chosen)
    monkeypatch.setattr(DRIVER, "_active", Afterwards())
    assert DRIVER._active.utils.unload_module(None) is None and type(DRIVER._active) is Afterwards  # type: ignore[arg-type]
    assert DRIVER._active.name == "its own" and DRIVER._active is chosen


def test_events_tell_milliseconds() -> None:
    start, end = Event(enable_timing=True), Event()
    start._moment, end._moment = 2.0, 2.5
    assert start.elapsed_time(end) == 500 and end.elapsed_time(start) == 1e-3
    end.record()
    assert end._moment != 2.5 and end.query() is True


@pytest.mark.filterwarnings("ignore")
def test_what_takes_the_place_of_machine_code() -> None:
    """The PTX itself, once it is legal; the cache keeps it apart by the version and the architecture."""
    target = GPUTarget("cuda", 90, 32)
    compiler = PtxCompiler(target)
    assert compiler.make_cubin(LEGAL, {"name": "k"}, None, 90) == LEGAL.encode()
    for text, said in (
        ("nonsense", r"weft cannot read the PTX\nk.ptx:1:1: error"),
        (LEGAL.replace("90", "1"), "k.ptx:2:9: error: unknown target"),
    ):
        with pytest.raises(PTXASError, match=said):
            compiler.make_cubin(text, {"name": "k"}, None, 90)
    with pytest.raises(PTXASError, match=r"ptxas would reject the PTX\nk.ptx:5:"):
        compiler.make_cubin(LEGAL.replace("ret;", "add.u32 %r, 1, 2; ret;"), {"name": "k"}, None, 90)
    warned = LEGAL.replace("ret;", ".reg .b32 %unused; ret;")
    assert compiler.make_cubin(warned, {"name": "k"}, None, 90) == warned.encode()
    assert compiler.parse_options({"ptx_version": 83}).ptx_version == 83
    version = compiler.parse_options({}).ptx_version
    assert 80 <= version <= 99 and compiler.hash() == f"weft-{weft.__version__}-{version}-90"


LEGAL = """.version 8.0
.target sm_90
.address_size 64
.entry k() {
ret;
}
"""


def test_only_the_first_valid_configuration_of_a_choice_is_measured() -> None:
    times = iter([NEVER, [1.0] * 3, [2.0] * 3])
    measure = first_only(lambda tuner, *args, config, **meta: next(times))

    class Tuner:
        nargs: object = {}

    tuner, other = Tuner(), Tuner()
    assert [measure(tuner, config=number) for number in range(4)] == [NEVER, [1.0] * 3, NEVER, NEVER]
    tuner.nargs = {}
    assert measure(tuner, config=0) == [2.0] * 3 and other.nargs == {}


# -- faults -------------------------------------------------------------------------------------------------------


def test_faults_show_python_first() -> None:
    fault = KernelFault(
        "race", "two threads write", hint="compiled from a.py:3; look here; the other access is compiled from b.py:4"
    )
    fault.position, fault.other = Position(7, 2, "k.ptx", "st.global"), Position(9, 1, "k.ptx", "ld.global")
    stack = [Position(3, 5, "a.py", "    x = y"), Position(8, 1, "a.py", "f()")]
    found = TritonFault(fault, stack, Position(4, 1, "b.py", "z"))
    assert found.render() == (
        "a.py:3:5: error: two threads write\n    x = y\n    ^\n"
        "a.py:8:1: called from here\nf()\n^\n"
        "b.py:4:1: the other access (line 9 of the PTX)\nz\n^\n"
        "k.ptx:7:2: the instruction\nst.global\n ^\nhint: look here"
    )
    assert (found.kind, found.message, found.hint, found.ptx) == (
        "race",
        "two threads write",
        "look here",
        fault.position,
    )
    bare = TritonFault(fault, [], None)
    assert bare.position is fault.position and bare.other is fault.other and bare.hint == fault.hint
    assert isinstance(found, RuntimeError) and isinstance(found, KernelFault)


def test_lines_of_a_kernel_are_of_its_own_file() -> None:
    source = Source("/now/k.py", 10, 20)
    for line, file, right in (
        *((10, "/old/k.py", "/now/k.py"), (19, "/old/k.py", "/now/k.py"), (9, "/old/k.py", "/old/k.py")),
        *((20, "/old/k.py", "/old/k.py"), (15, "/old/other.py", "/old/other.py")),
    ):
        assert source.of(SimpleNamespace(line=line, file=file)) == right  # type: ignore[arg-type]
    code = (lambda: None).__code__
    function = SimpleNamespace(fn=lambda: None, starting_line_number=4, raw_src=["a", "b", "c"])
    assert source_of(function) == Source(code.co_filename, 4, 7)
    assert source_of(None) is source_of(SimpleNamespace(fn=lambda: None)) is None
    assert source_of(SimpleNamespace(fn=len, starting_line_number=4, raw_src=[])) is None


# -- variables of the environment ---------------------------------------------------------------------------------


def test_variables_become_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the other way round: what one process passes on, another one reads."""
    given: list[Any] = []
    monkeypatch.setattr("weft.triton.activation.activate", lambda target, **options: given.append((target, options)))
    words = ("WEFT_TRITON", "WEFT_CHECKS", "WEFT_ASYNCHRONY", "WEFT_AUTOTUNE", "WEFT_BOUNDS")
    for word in words:
        monkeypatch.delenv(word, raising=False)
    environment.activation()
    for target, options in (
        ("sm_80", {}),
        ("sm_90", {"checks": "all", "asynchrony": "late", "autotune": "first", "bounds": 512}),
        ("sm_100a", {"checks": ["races", "bounds"], "bounds": 0}),
    ):
        with environment.passed_on(target, {**options, "autotune": options.get("autotune"), "other": 3}):
            environment.activation()
        assert given[-1] == (target, options)
        assert not any(word in os.environ for word in words), "as it was before"
    assert given[0] == ("sm_90a", {})
    monkeypatch.setenv("WEFT_CHECKS", "none")
    with environment.passed_on("sm_90", {"checks": "all"}):
        assert os.environ["WEFT_CHECKS"] == "all"
    assert os.environ["WEFT_CHECKS"] == "none"
    for wrong in ("-1", "many", "1.5"):
        monkeypatch.setenv("WEFT_BOUNDS", wrong)
        with pytest.raises(SimulationError, match=f"WEFT_BOUNDS='{wrong}' is not a number of bytes") as refused:
            environment.activation()
        assert refused.value.hint == "512, say"


# -- launches -----------------------------------------------------------------------------------------------------


class Recorded:
    """A driver that keeps what is launched, and memory that is asked for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.events: list[Any] = []
        self.allocators: dict[bool, Any] = {False: self.allocate, True: None}
        active = SimpleNamespace(launch=self.launch, allocate_default_profile_scratch=self.default)
        monkeypatch.setattr(launcher, "DRIVER", SimpleNamespace(active=active))
        monkeypatch.setattr(launcher, "scratch_allocator", self.allocators.__getitem__)
        self.memory = weft.triton.zeros(64, np.uint8)

    def allocate(self, size: int, align: int, stream: int) -> Array:
        self.events.append(("memory", size, align, stream))
        return self.memory

    def default(self, size: int, align: int, stream: int) -> Array:
        self.events.append(("default", size, align, stream))
        return self.memory

    def launch(self, kernel: Any, geometry: Any, arguments: list[Any], source: object) -> None:
        self.events.append((kernel.name, geometry, [(one.name, one.type) for one in arguments]))


def metadata(**changes: Any) -> Any:
    plain = {"global_scratch_size": 0, "global_scratch_align": 1, "profile_scratch_size": 0, "profile_scratch_align": 1}
    return SimpleNamespace(**{**plain, "launch_cooperative_grid": False, **changes})


def test_launches_are_made_between_hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the memory that a kernel asks for of each program, behind its arguments; none is launched of no programs."""
    recorded = Recorded(monkeypatch)
    x = weft.triton.zeros(4)
    source = SimpleNamespace(signature={"x": "*fp32", "n": "i32"})
    names = [("x", "*fp32"), ("n", "i32")]
    hooks = [lambda what, word=word: recorded.events.append((word, what)) for word in ("enter", "leave")]

    def run(made: Any, wanted: int, grid: Any = (2, 3, 1), warps: int = 4, with_hooks: bool = True) -> list[Any]:
        recorded.events.clear()
        kernel = SimpleNamespace(name="k", parameters=wanted, shared=48)
        given = hooks if with_hooks else [None, None]
        launcher.Launcher(source, made)(*grid, 7, kernel, (warps, 1, 48), "meta", *given, x, 5)
        return list(recorded.events)

    enter, leave = ("enter", "meta"), ("leave", "meta")
    simple = ("k", Geometry((2, 3, 1), (128, 1, 1), None, 48, False), names)
    assert run(metadata(), 2) == [enter, simple, leave]
    assert run(metadata(), 2, with_hooks=False) == [simple]
    scratch = ("scratch memory", "*i8")
    clusters = metadata(num_ctas=2, launch_cooperative_grid=True, global_scratch_size=8, global_scratch_align=16)
    geometry = Geometry((4, 3, 1), (32, 1, 1), (2, 1, 1), 48, True)
    assert run(clusters, 3, warps=1) == [
        ("memory", 8 * 12, 16, 7),
        *(enter, ("k", geometry, [*names, scratch]), leave),
    ]
    both = metadata(global_scratch_size=1, profile_scratch_size=2, profile_scratch_align=32)
    expected = [("memory", 6, 1, 7), ("default", 12, 32, 7), enter, ("k", simple[1], [*names, scratch, scratch]), leave]
    assert run(both, 4) == expected
    recorded.allocators[True] = recorded.allocate
    assert run(both, 4)[1] == ("memory", 12, 32, 7)
    assert run(metadata(), 2, (0, 3, 1)) == [enter, leave]
    for wanted in (1, 5):
        with pytest.raises(SimulationError, match=f"kernel 'k' takes {wanted} arguments, got 2"):
            run(metadata(), wanted)
    for grid in ((1.0, 1, 1), (1, "a", 1), (1, 1, None)):
        with pytest.raises(SimulationError, match="kernel 'k' has no grid") as refused:
            run(metadata(), 2, grid)
        assert refused.value.hint == "the sizes of a grid are integers"
    assert run(metadata(), 2, (np.int64(2), np.int32(3), True)) == [enter, simple, leave]


def test_arguments_that_do_not_fit_their_types(monkeypatch: pytest.MonkeyPatch) -> None:
    Recorded(monkeypatch)
    for type_, value in (("i32", "a"), ("i64", None), ("fp32", None)):
        made = launcher.Launcher(SimpleNamespace(signature={"it": type_}), metadata())
        with pytest.raises(TypeError, match="argument 'it' is " + re.escape(type_)):
            made(1, 1, 1, 0, SimpleNamespace(name="k", parameters=1, shared=0), (4, 1, 0), None, None, None, value)
