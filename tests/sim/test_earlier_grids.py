"""What a grid may not touch while an earlier one runs: which bytes, which threads know that it has ended, and what is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, REGISTERS, kernel, launch
from weft.sim import KernelFault
from weft.sim.earlier import STREAMS, Touched, buffers
from weft.sim.prepare import Options, Prepared

WAIT = "execute griddepcontrol.wait before the access, in this thread or in one that it synchronizes with"


@pytest.mark.sample(3)
@pytest.mark.parametrize("shift", range(5))
def test_accesses_meet_cells_that_are_set(shift: int) -> None:
    """Of any width, over cells of any width: those of which one of the bytes is in a cell that was written, or else read."""
    rng = np.random.default_rng(shift)
    cells, mask, value = 40 >> shift, 0xF0, 0x30
    for masked in (False, True):
        written, read = (rng.choice(np.array([0, 0, 0x31, 0x13, 0x7F, 0x30], np.uint64), cells + 1) for _ in range(2))
        alive = rng.random(64) < 0.7

        def lives(index: Any, alive: Any = alive) -> Any:
            return alive[index]

        def holds(table: Any, byte: int, masked: bool = masked) -> bool:
            cell = byte >> shift
            if cell >= len(table):
                return False
            return int(table[cell]) & mask == value if masked else table[cell] != 0

        more: Any = {"mask": mask, "value": value} if masked else {}
        some = Touched("a", written, read, shift, **more)
        for size in (1, 2, 4, 8, 16):
            index = np.arange(0, 48, size)
            for grid, live in ((some, None), (Touched("a", written, read, shift, lives, **more), alive)):
                for write in (False, True):
                    hit = [any(holds(written, int(at) + n) for n in range(size)) for at in index]
                    use = [write and any(holds(read, int(at) + n) for n in range(size)) for at in index]
                    there = [True if live is None else bool(live[at]) for at in index]
                    found = grid.hits(index, size, write=write)
                    assert found[0].tolist() == [a and b for a, b in zip(hit, there, strict=True)]
                    assert found[1].tolist() == [a and b and not c for a, b, c in zip(use, there, hit, strict=True)]


def test_buffers_are_written_whole() -> None:
    """A grid of which nothing else is known may store to each of their bytes, and reads nothing."""
    grid = buffers([(8, 20), (33, 37), (60, 64)], 64)
    written = [n for n in range(64) if grid.hits(np.array([n]), 1, write=False)[0][0]]
    assert written == [*range(8, 20), *range(32, 40), *range(60, 64)]
    assert not any(grid.hits(np.arange(64), 1, write=True)[1])


def prepared(body: str, grids: list[Touched], block: int = 64) -> Prepared:
    made = Prepared(
        kernel(REGISTERS + INDEX + body, ["u64"], "sm_90"),
        Options("k", 1, block, engine="numpy", behind=True),
        [np.zeros(64, np.uint32)],
    )
    made.machine.follow(grids)
    return made


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["", "before"])
def test_what_is_said_of_earlier_grids(name: str) -> None:
    """The first lane that meets what the grid writes or reads, and how to wait; of other streams nobody can."""
    body = "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd2, %r0, 4, %rd1; {} ret;"
    store, load = "st.global.u32 [%rd2], %r0;", "ld.global.u32 %r1, [%rd2];"
    grid = f"the earlier grid of the stream{', kernel ' + repr(name) + ',' if name else ''}"
    start = 0x7000_0000_0100 - 0x7000_0000_0000
    cells = np.zeros(2048, np.uint64)
    some = cells.copy()
    some[(start >> 2) + 35] = 1
    for access, verb, written, read, does in (
        (load, "reads", some, cells, "writes"),
        (store, "writes", some, cells, "writes"),
        (store, "writes", cells, some, "reads"),
        (store, "writes", some, some, "writes"),
    ):
        for apart in (False, True):
            with pytest.raises(KernelFault) as caught:
                prepared(body.format(access), [Touched(name, written, read, 2, apart=apart)]).execute()
            fault, where = caught.value, 0x7000_0000_0100 + 140
            other = f"{name} in another stream" if apart else grid
            message = f"{verb} what {other} {does} at global address {where:#x}, in CTA (0, 0, 0), thread (35, 0, 0) (warp 1, lane 3)"
            assert fault.message.partition(": ")[2] == message
            assert (fault.kind, fault.address) == ("race", where)
            assert fault.hint == f"{STREAMS if apart else WAIT}; the address is byte 140 of argument p0"
            waits = prepared(
                body.format("griddepcontrol.wait;" + access), [Touched(name, written, read, 2, apart=apart)]
            )
            if not apart:
                waits.execute()
                continue
            with pytest.raises(KernelFault, match="in another stream"):
                waits.execute()
    prepared(body.format(load), [Touched(name, cells, some, 2)]).execute()


TELLS = (
    INDEX
    + """ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; setp.ne.u32 %p1, %r102, 0; @%p1 ret; setp.ne.u32 %p1, %r100, {first}; @%p1 bra other;
griddepcontrol.wait; {store} [%rd2], 1; ret;
other: setp.eq.u32 %p1, %r100, {last}; @%p1 bra load; again: {load} %r1, [%rd2]; setp.eq.u32 %p2, %r1, 0; @%p2 bra again;
load: {access} ret;"""
)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("first", "last"), [(0, 9), (1, 9), (2, 9)])
def test_flags_tell_that_earlier_grids_have_ended(first: int, last: int) -> None:
    """CTAs that hear of it from the one that has waited know it too, and only these."""
    release, acquire = "st.release.gpu.global.u32", "ld.acquire.gpu.global.u32"
    load = "ld.global.u32 %r2, [%rd1];"

    def runs(store: str, read: str, last: int, access: str = load) -> None:
        body = TELLS.format(first=first, last=last, store=store, load=read, access=access)
        data, flag = np.zeros(8, np.uint32), np.zeros(1, np.uint32)
        launch(body, [data, flag], 32, 3, target="sm_90", earlier=[data])

    runs(release, acquire, last)
    runs(release, acquire, last, "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1+16];")
    for store, read, lost in (
        ("st.relaxed.gpu.global.u32", acquire, 9),
        (release, "ld.relaxed.gpu.global.u32", 9),
        (release, acquire, (first + 1) % 3),
        (release, acquire, (first + 2) % 3),
    ):
        with pytest.raises(KernelFault, match="reads what the earlier grid of the stream writes") as caught:
            runs(store, read, lost)
        assert caught.value.thread is not None
        assert lost in (9, caught.value.thread.cta[0])


def test_arrays_of_earlier_grids_are_arguments() -> None:
    data = np.zeros(8, np.uint32)
    text = kernel(REGISTERS + "ret;", ["u64"], "sm_90")
    with pytest.raises(weft.WeftError, match="earlier: the array is not an argument of the kernel"):
        weft.run(text, "k", 1, 32, [data], earlier=[data[:4]])
