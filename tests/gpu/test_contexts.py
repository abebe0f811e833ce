"""Contexts, limits and pools by the driver's functions; the status and the words for each kind of error."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tests.gpu.calls import INVALID_CONTEXT, INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, OK, Program, Words
from weft.errors import PtxSyntaxError, WeftError
from weft.fatbin import FatbinError
from weft.gpu.driver.status import EmptyGrid, Refused, status_of
from weft.gpu.errors import DeviceError
from weft.isa.tensor_map_words import TensorMapError
from weft.sim import SimulationError

UNSUPPORTED_LIMIT, NOT_SUPPORTED, NOT_FOUND = 215, 801, 500


@pytest.fixture
def cu() -> Program:
    return Program(2)


def test_contexts_are_a_stack(cu: Program) -> None:
    """What each function that creates takes; the last one is current, and gives way to the one before it."""
    first = cu.context
    made = [
        cu.get("cuCtxCreate_v2", 3, 1, dtype="u8"),
        cu.get("cuCtxCreate_v3", 0, 0, 4, 0),
        cu.get("cuCtxCreate_v4", 0, 5, 1),
    ]
    assert len({first, *made}) == 4
    for context, flags, device in zip(reversed(made), (5, 4, 3), (1, 0, 1), strict=True):
        assert cu.get("cuCtxGetCurrent") == context
        assert cu.get("cuCtxGetFlags", dtype="u4") == flags
        assert cu.get("cuCtxGetDevice", dtype="i4") == device == cu.get("cuCtxGetDevice_v2", 0, dtype="i4")
        assert cu.get("cuCtxPopCurrent_v2") == context
    assert cu.get("cuCtxGetCurrent") == first
    assert [cu.get("cuCtxGetDevice_v2", c, dtype="i4") for c in (first, *made)] == [0, 1, 0, 1]
    assert cu("cuCtxPushCurrent_v2", made[1]) == cu("cuCtxPushCurrent_v2", made[0]) == OK
    assert cu("cuCtxPushCurrent_v2", made[1]) == OK
    assert cu("cuCtxDestroy_v2", made[1]) == OK and cu.get("cuCtxGetCurrent") == made[0]
    for name in ("cuCtxDestroy_v2", "cuCtxPushCurrent_v2", "cuCtxSetCurrent"):
        assert cu(name, made[1]) in (INVALID_CONTEXT, INVALID_HANDLE), name
    assert cu.get("cuCtxGetCurrent") == made[0]
    assert cu("cuCtxSetCurrent", made[2]) == OK and cu.get("cuCtxPopCurrent_v2") == made[2]
    assert cu.get("cuCtxGetCurrent") == first
    assert cu("cuCtxSetCurrent", 0) == OK and cu.get("cuCtxGetCurrent") == 0
    assert cu("cuCtxPopCurrent_v2", Words()) == cu("cuCtxGetDevice", Words()) == INVALID_CONTEXT
    assert cu("cuCtxGetFlags", Words()) == INVALID_CONTEXT
    assert cu("cuCtxPushCurrent_v2", first) == cu("cuCtxPopCurrent_v2", 0) == OK and cu.get("cuCtxGetCurrent") == 0
    for device in (-1, 2):
        assert cu("cuCtxCreate_v2", Words(), 0, device) == INVALID_DEVICE
        assert cu("cuDevicePrimaryCtxRetain", Words(), device) == INVALID_DEVICE
        assert cu("cuDevicePrimaryCtxReset_v2", device) == INVALID_DEVICE


def test_primary_contexts(cu: Program) -> None:
    def state(device: int) -> tuple[int, int]:
        flags, active = Words(8), Words(8)
        assert cu("cuDevicePrimaryCtxGetState", device, flags, active) == OK
        assert (flags.bytes[4:] == 0xA5).all() and (active.bytes[4:] == 0xA5).all()
        return int(flags.view("u4")[0]), int(active.view("u4")[0])

    assert state(0) == (0, 1) and state(1) == (0, 0)
    assert cu("cuDevicePrimaryCtxSetFlags_v2", 1, 4) == OK and state(1) == (4, 0) and state(0) == (0, 1)
    assert cu.get("cuDevicePrimaryCtxRetain", 0) == cu.context
    assert cu("cuDevicePrimaryCtxRelease_v2", 0) == OK and state(0) == (0, 1)
    assert cu("cuDevicePrimaryCtxRelease_v2", 0) == OK and state(0) == (0, 0)
    assert cu("cuDevicePrimaryCtxRelease_v2", 0) == cu("cuDevicePrimaryCtxRelease_v2", 1) == INVALID_CONTEXT
    cu.driver.pending = 700
    assert cu("cuDevicePrimaryCtxReset_v2", 0) == OK and cu.driver.pending == 0


def test_what_contexts_say(cu: Program) -> None:
    assert cu.get("cuCtxGetApiVersion", cu.context, dtype="u4", at=1) == 3020
    assert cu.get("cuCtxGetId", cu.context, at=1) == 1
    assert cu("cuCtxSetSharedMemConfig", 2) == OK and cu.get("cuCtxGetSharedMemConfig", dtype="i4") == 0
    luid, mask = Words(16), Words(8)
    assert cu("cuDeviceGetLuid", luid, mask, 1) == OK
    assert bytes(luid.bytes) == b"\1" * 8 + b"\xa5" * 8 and mask.view("u4").tolist() == [1, 0xA5A5A5A5]
    assert cu("cuDeviceGetLuid", luid, mask, 2) == INVALID_DEVICE
    assert cu.get("cuDeviceGetTexture1DLinearMaxWidth", 0x20, 4, 0) == 1 << 28
    starts = [1024, 1 << 20, 8 << 20, 2, 2048, 128, 0]
    for get, put in (("cuCtxGetLimit", "cuCtxSetLimit"), ("cudaDeviceGetLimit", "cudaDeviceSetLimit")):
        assert [cu.get(get, which) for which in range(7)] == starts
        for which in range(7):
            assert cu(put, which, 64 + which) == OK
        assert [cu.get(get, which) for which in range(7)] == list(range(64, 71))
        for which, start in enumerate(starts):
            assert cu(put, which, start) == OK
        for which in (-1, 7):
            assert cu(get, Words(), which) == cu(put, which, 1) == UNSUPPORTED_LIMIT
    table, name = Words(8), Words.of(bytes(range(16)))
    assert cu("cuGetExportTable", table, name) == NOT_FOUND and table.view()[0] == 0
    assert cu("cuGetProcAddress", Words.of(b"cuNothing\0"), table, 12000, 0) == NOT_FOUND


def test_what_pools_do_not_share(cu: Program) -> None:
    for prefix in ("cu", "cuda"):
        assert cu(f"{prefix}MemPoolExportToShareableHandle") == cu(f"{prefix}MemPoolImportPointer") == NOT_SUPPORTED
        assert cu.get(f"{prefix}DeviceGetGraphMemAttribute", 0, 1, at=2) == 0
        assert cu(f"{prefix}DeviceSetGraphMemAttribute", 0, 1, Words()) == OK


def test_copies_between_contexts(cu: Program) -> None:
    """Whichever they are: there is one address space."""
    other = cu.get("cuCtxCreate_v2", 0, 1)
    assert cu("cuCtxPopCurrent_v2", 0) == OK
    one, two = cu.get("cuMemAlloc_v2", 64), cu.get("cuMemAlloc_v2", 64)
    assert cu("cuMemsetD32_v2", one, 7, 16) == cu("cuMemsetD32_v2", two, 0, 16) == OK
    assert cu("cuMemcpyPeer", two, other, one, cu.context, 8) == OK
    assert cu("cuMemcpyPeerAsync", two + 32, other, one, cu.context, 4, 0) == cu("cuCtxSynchronize") == OK
    back = Words(64)
    assert cu("cuMemcpyDtoH_v2", back, two, 64) == OK
    assert back.view("u4").tolist() == [7, 7, *[0] * 6, 7, *[0] * 7]
    event = cu.get("cuEventCreate", 0)
    assert cu("cuCtxRecordEvent", other, event) == cu("cuCtxWaitEvent", other, event) == OK
    assert cu("cuCtxRecordEvent", other, event + 999) == INVALID_HANDLE == cu("cuCtxWaitEvent", other, event + 999)


def test_attributes_of_ranges(cu: Program) -> None:
    """Zeros in as much room as there is for each, of one attribute or several."""
    place = cu.get("cuMemAllocManaged", 256, 1)
    for size, status in ((4, OK), (8, OK), (4 << 8, OK), (0, INVALID_VALUE), (6, INVALID_VALUE), (1028, INVALID_VALUE)):
        out = Words(2048)
        assert cu("cuMemRangeGetAttribute", out, size, 1, place, 256) == status
        written = 0 if status else size
        assert not out.bytes[:written].any() and (out.bytes[written:] == 0xA5).all(), size
    rooms = [Words(16) for _ in range(3)]
    outs = Words.of(struct.pack("<3Q", *(room.address for room in rooms)))
    sizes, which = Words.of(struct.pack("<3Q", 4, 8, 12)), Words.of(struct.pack("<3i", 1, 2, 3))
    for name in ("cuMemRangeGetAttributes", "cudaMemRangeGetAttributes"):
        assert cu(name, outs, sizes, which, 3, place, 256) == OK
        assert [bytes(room.bytes).count(0) for room in rooms] == [4, 8, 12]
        assert cu(name, outs, sizes, which, 0, place, 256) == INVALID_VALUE
        assert cu(name, outs, sizes, which, 256, place, 256) == INVALID_VALUE
        assert cu(name, outs, sizes, which, 1, place, 257) == INVALID_VALUE


# -- errors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Refused(33), 33),
        (DeviceError("invalid-pointer", "x"), 1),
        (FatbinError("x"), 209),
        (PtxSyntaxError("x"), 218),
        (SimulationError("x"), 1),
        (EmptyGrid("x"), 1),
        (TensorMapError("x"), 1),
        *((OverflowError(), 1), (MemoryError(), 1), (WeftError("x"), 200), (KeyError("x"), 999)),
    ],
)
def test_statuses_of_errors(cu: Program, error: Exception, status: int) -> None:
    assert status_of(error) == status == cu.driver.fail("cuThing", error)


def test_what_is_said_of_errors(cu: Program, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Errors of programs are counted where programs in C may not look, and refusals are told where that is asked."""
    driver = cu.driver
    driver.faults = str(tmp_path)

    def said(what: str, error: Exception) -> tuple[str, int]:
        before = driver.unheard
        try:
            raise error
        except Exception as raised:
            driver.fail(what, raised)
        return capfd.readouterr().err, driver.unheard - before

    assert said("cuThing", EmptyGrid("nothing")) == ("weft: cuThing: error: nothing\n", 0)
    assert said("cuThing", EmptyGrid("nothing")) == ("", 0), "once"
    assert said("cuThing", Refused(1, "why")) == said("cuThing", MemoryError("much")) == ("", 0)
    driver.log = True
    assert said("cuThing", Refused(1, "why")) == ("weft: cuThing: why\n", 0)
    assert said("cuThing", OverflowError("big")) == ("weft: cuThing: big\n", 0)
    lacks = "weft: cuLaunchKernel: this machine lacks memory: much\n"
    assert said("cuLaunchKernel", MemoryError("much")) == (lacks, 1)
    text, count = said("cuThing", ZeroDivisionError("oops"))
    assert text.startswith("weft: internal error in cuThing\n") and text.endswith("ZeroDivisionError: oops\n")
    assert count == 1
    assert said("cuThing", SimulationError("bad"))[0] == "weft: cuThing: error: bad\n"
    assert [path.read_text() for path in tmp_path.iterdir()] == [str(driver.unheard)]
    driver.note("one")
    driver.note("one")
    driver.note("two")
    assert capfd.readouterr().err == "weft: one\nweft: two\n"
