"""Tensor memory by itself: allocation, what may be accessed, and what runs when, against lists, sets and dictionaries."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from weft.errors import Severity
from weft.sim import KernelFault
from weft.sim.lanes import Lanes
from weft.sim.tensor_cells import Cells
from weft.sim.tensor_memory import POISON, Operation, TensorMemory

CTAS, LANES, COLUMNS = 2, 128, 512


class Place:
    """The instruction that all faults are told of."""

    opcode = SimpleNamespace(stem="add")

    def __init__(self) -> None:
        self.told: list[tuple[KernelFault, Severity]] = []

    def fault(self, kind: str, message: str, lane: int, address: int | None = None) -> KernelFault:
        fault = KernelFault(kind, message, address=address)
        fault.changes = lane
        return fault

    def report(self, fault: KernelFault, severity: Severity = Severity.ERROR) -> None:
        self.told.append((fault, severity))


SITE: Any = Place()


def memory(
    policy: str = "eager", *, strict: bool = True, groups: tuple[str, ...] = (), interlocked: bool = False
) -> Any:
    """The tensor memory of two CTAs of four warps, all by itself."""
    opcodes = [SimpleNamespace(stem="tcgen05.alloc", get=lambda _, group=group: group) for group in groups]
    batch = SimpleNamespace(ctas=CTAS, lanes=256, cta=np.arange(256) // 32 % CTAS)
    shared = SimpleNamespace(hold=lambda index, size: None, let_go=lambda index, size: None)
    machine = SimpleNamespace(
        batch=batch, async_=policy, strict=strict, interlocked=interlocked, witness=None, random=random.Random(3),
        program=SimpleNamespace(opcodes=[*opcodes, SimpleNamespace(stem="mov", get=lambda _: "other")]),
        memory=SimpleNamespace(shared=shared),
    )  # fmt: skip
    machine.changed = []
    machine.change = lambda: machine.changed.append(len(machine.changed))
    return TensorMemory(cast(Any, machine), None)


def told(call: Callable[[], object]) -> tuple[str, str, int, int | None] | None:
    """Kind, message, lane and address of the fault that a call is, None for none."""
    try:
        call()
    except KernelFault as fault:
        return fault.kind, fault.message, fault.changes or 0, fault.address
    return None


# -- allocation -----------------------------------------------------------------------------------------------


def test_columns_are_given_where_the_first_free_ones_are() -> None:
    """Random allocations and releases of two CTAs, against a list of who has each column."""
    rng, tensor = random.Random(1), memory()
    owners = [[0] * COLUMNS for _ in range(CTAS)]
    for number in range(1, 400):
        cta = rng.randrange(CTAS)
        own = owners[cta]
        if rng.random() < 0.6:
            count = rng.choice([32, 64, 128, 256, 512, 0, 16, 31, 33, 96, 48, 480, 1024])
            fits = [at for at in range(0, COLUMNS - count + 1, 32) if count and not any(own[at : at + count])]
            if count not in (32, 64, 128, 256, 512):
                wrong = f"{count} columns: the number must be a power of two from 32 to 512"
            else:
                wrong = f"{count} contiguous columns are not free, and no thread frees any"
            if count in (32, 64, 128, 256, 512) and fits:
                assert tensor.allocate(SITE, 9, cta, count) == fits[0]
                own[fits[0] : fits[0] + count] = [number] * count
            else:
                assert told(lambda cta=cta, count=count: tensor.allocate(SITE, 9, cta, count)) == (
                    "tensor-memory", wrong, 9, None,
                )  # fmt: skip
        else:
            start, count = rng.choice([0, 32, 64, 128, 256, 16, 512, 0x20_0000]), rng.choice([32, 64, 128, 256])
            if rng.random() < 0.5 and any(own):  # A whole allocation.
                start = own.index(next(name for name in own if name))
                count = own.count(own[start])
            mine = own[start] if start < COLUMNS else 0
            right = mine and own[start : start + count] == [mine] * count == [mine] * own.count(mine)

            def release(start: int = start, count: int = count, cta: int = cta) -> None:
                tensor.release(SITE, np.array([40]), np.array([cta]), np.array([start]), np.array([count]))

            if right:
                release()
                own[start : start + count] = [0] * count
            else:
                message = f"the {count} columns at {start:#x} are not one allocation"
                assert told(release) == ("tensor-memory", message, 40, start)
        assert tensor.leaks() == next((cta for cta in range(CTAS) if any(owners[cta])), -1)
    tensor.reset()
    assert tensor.leaks() == -1 and tensor.allocate(SITE, 0, 1, 512) == 0


def test_who_must_not_allocate() -> None:
    tensor = memory(groups=("cta_group::2", "cta_group::1", ""))
    mixed = "cta_group::1 and cta_group::2 in one kernel: all instructions of a kernel must use the same"
    assert told(lambda: tensor.allocate(SITE, 3, 0, 32)) == ("tensor-memory", mixed, 3, None)
    tensor = memory(groups=("cta_group::2", "cta_group::2", ""))
    tensor.relinquished[1] = True
    gone = ("tensor-memory", "the CTA has relinquished the right to allocate", 3, None)
    assert told(lambda: tensor.allocate(SITE, 3, 1, 32)) == gone
    assert tensor.allocate(SITE, 3, 0, 32) == 0
    tensor.reset()
    assert tensor.allocate(SITE, 3, 1, 32) == 0


def test_columns_that_are_given_again_hold_nothing() -> None:
    tensor = memory()
    cells = Cells.grid(np.array([0]), np.arange(LANES)[:, None], np.arange(64)[None])
    right = Cells.grid(np.array([0]), np.arange(LANES)[:, None], np.arange(32, 64)[None])
    for columns in (32, 32):
        tensor.allocate(SITE, 0, 0, columns)
    assert (tensor.load(cells) == POISON).all()
    tensor.store(cells, np.ones((1, LANES, 64), np.uint32))
    tensor.release(SITE, np.array([0]), np.array([0]), np.array([0]), np.array([32]))
    assert tensor.allocate(SITE, 0, 0, 32) == 0
    empty = ("uninitialised-memory", "lane 0, column 0 of tensor memory has not been written yet", 5, 0)
    assert told(lambda: tensor.check(SITE, cells, 5, read=True, ordered=False)) == empty
    assert told(lambda: tensor.check(SITE, right, 5, read=True, ordered=False)) is None


# -- access ---------------------------------------------------------------------------------------------------


def rectangle(rng: random.Random) -> tuple[list[int], list[int], list[int]]:
    """CTAs, lanes and columns, some of them outside."""
    lanes, columns = rng.choice([1, 16, 32, 128]), rng.choice([1, 2, 8, 32, 48])
    lane, column = rng.choice([0, 0, 16, 32, 96, 112, 127]), rng.choice([0, 8, 32, 62, 64, 96, 464, 480, 510, 511])
    ctas = rng.choice([[0], [1], [0, 1], [1, 0]])
    return ctas, list(range(lane, lane + lanes)), list(range(column, column + columns))


def cells_of(part: tuple[list[int], list[int], list[int]], *, plain: bool) -> Cells:
    ctas, lanes, columns = (np.array(axis) for axis in part)
    whole = Cells.grid(ctas, lanes[:, None], columns[None])
    return Cells(whole.cta, whole.lane, whole.column) if plain else whole


class Known:
    """What is known of each cell, after random allocations and stores, some of them under way."""

    def __init__(self, rng: random.Random, tensor: Any) -> None:
        policy: str = tensor.machine.async_
        self.strict: bool = tensor.machine.strict
        self.free, self.written, self.running, self.storing = np.zeros((4, CTAS, LANES, COLUMNS), bool)
        self.free[:] = True
        for cta in range(CTAS):
            start = 0
            for count in (64, 32, 128, 256)[: rng.randrange(2, 5)]:
                assert tensor.allocate(SITE, 0, cta, count) == start
                self.free[cta, :, start : start + count] = False
                start += count
        for kind in "wwwrs" if policy != "eager" else "www":
            ctas, lanes, columns = rectangle(rng)
            part = ctas, [lane for lane in lanes if lane < LANES], [at for at in columns if at < COLUMNS]
            cells = cells_of(part, plain=rng.random() < 0.3)
            {"w": self.written, "r": self.running, "s": self.storing}[kind][np.ix_(*part)] = True
            if kind == "w":
                tensor.store(cells, np.zeros(cells.cta.shape, np.uint32))
            elif kind == "r":
                tensor.start(Operation(lambda: None, np.array([0]), cells))
            else:
                tensor.storing_to(cells, 1)

    def told(self, part: tuple[list[int], list[int], list[int]], *, read: bool, ordered: bool) -> Any:
        """The fault that an access is."""
        ctas, lanes, columns = part
        outside: Any = (np.array(lanes)[:, None] >= LANES) | (np.array(columns) >= COLUMNS)
        found = [("tensor-memory", "lies outside the 128 lanes by 512 columns", np.tile(outside, (len(ctas), 1, 1)))]
        if not outside.any():
            place = np.ix_(*part)
            late = self.storing | (self.running & (not ordered))
            empty = ~self.written & (read and self.strict) & ~(self.running & ordered)
            found += [
                ("tensor-memory", "is not allocated", self.free[place]),
                ("asynchronous-read", "is still being written by an asynchronous operation in flight", late[place]),
                ("uninitialised-memory", "has not been written yet", empty[place]),
            ]
        for kind, message, bad in found:
            if bad.any():
                _, i, j = np.argwhere(bad)[0].tolist()
                where = f"lane {lanes[i]}, column {columns[j]} of tensor memory {message}"
                return kind, where, 7, lanes[i] << 16 | columns[j]
        return None


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("policy", ["eager", "lazy"])
def test_what_may_be_accessed(policy: str, strict: bool) -> None:
    """Random rectangles, given as such or cell by cell."""
    rng = random.Random(f"{policy} {strict}")
    for _ in range(4):
        tensor = memory(policy, strict=strict)
        known = Known(rng, tensor)
        for _ in range(24):
            part, read, ordered = rectangle(rng), rng.random() < 0.5, rng.random() < 0.5
            cells = cells_of(part, plain=rng.random() < 0.3)
            got = told(partial(tensor.check, SITE, cells, 7, read=read, ordered=ordered))
            assert got == known.told(part, read=read, ordered=ordered), (part, read, ordered)


def test_words_that_a_mask_picks() -> None:
    for plain in (False, True):
        tensor = memory()
        tensor.allocate(SITE, 0, 1, 32)
        cells = cells_of(([1], list(range(32, 64)), [4, 5, 6]), plain=plain)
        words = np.arange(96, dtype=np.uint32).reshape(1, 32, 3)
        tensor.store(cells, words, words % 2 == 0)
        assert (tensor.load(cells) == np.where(words % 2 == 0, words, POISON)).all()
        assert (tensor.cells[1, 32:64, 4:7] == tensor.load(cells)[0]).all()
        assert len(cast(Any, tensor.machine).changed) == 1
        odd = ("uninitialised-memory", "lane 32, column 5 of tensor memory has not been written yet", 0, 32 << 16 | 5)
        assert told(lambda t=tensor, c=cells: t.check(SITE, c, 0, read=True, ordered=True)) == odd
        tensor.store(cells, words)
        assert (tensor.load(cells) == words).all()
        assert told(lambda t=tensor, c=cells: t.check(SITE, c, 0, read=True, ordered=True)) is None
        tensor.reset()
        assert (tensor.load(cells) == POISON).all()


# -- what runs later ------------------------------------------------------------------------------------------


def test_operations_end_up_to_the_first_arrival_of_each_cta() -> None:
    """Random operations of one CTA or the other: those before an arrival, and it; the others stay, in their order."""
    rng = random.Random(2)
    for _ in range(60):
        tensor, log = memory("lazy"), list[int]()
        queue = [(rng.randrange(CTAS), rng.random() < 0.3) for _ in range(rng.randrange(1, 9))]
        for number, (cta, arrives) in enumerate(queue):
            tensor.start(Operation(partial(log.append, number), np.array([32 * cta]), arrives=arrives), SITE)
        left = list(range(len(queue)))
        while True:
            firsts = {cta: next((n for n in left if queue[n] == (cta, True)), -1) for cta in range(CTAS)}
            expected = [n for n in left if n <= firsts[queue[n][0]]]
            before = len(log)
            assert tensor.force() == bool(expected)
            assert log[before:] == expected
            left = [n for n in left if n not in expected]
            assert len(tensor.queue) == len(left)
            if not expected:
                break


def test_operations_of_two_ctas_wait_for_both() -> None:
    """What both CTAs take part in comes after what either has started, and before what it starts then."""
    tensor, log = memory("lazy"), list[str]()
    both = cells_of(([0, 1], [0], [0]), plain=False)
    for name, cta, cells, arrives in (
        ("one", 0, None, False), ("arrival", 0, None, True), ("two", 1, both, False), ("end", 1, None, True),
    ):  # fmt: skip
        tensor.start(Operation(partial(log.append, name), np.array([32 * cta]), cells, arrives=arrives), SITE)
    assert tensor.running[0, 0, 0] == tensor.running[1, 0, 0] == 1
    assert tensor.force() and log == ["one", "arrival"]
    assert tensor.force() and log == ["one", "arrival", "two", "end"]
    assert not tensor.force() and not tensor.running[:].any()


def test_randomly_some_operations_run_at_once_and_all_in_order() -> None:
    tensor, log, held = memory("random"), list[int](), list[int]()
    for number in range(40):
        tensor.start(Operation(partial(log.append, number), np.array([0]), arrives=number == 39), SITE)
        held.append(len(tensor.queue))
    assert log == list(range(len(log))) and 0 in held and max(held) > 1
    while tensor.force():
        pass
    assert log == list(range(40))


def test_loads_and_stores_end_once_for_each_lane_that_waits() -> None:
    """Random waits of some of the warps: each lane ends what it has started before, of that kind, and never twice."""
    rng, tensor = random.Random(4), memory("lazy")
    ended: list[tuple[int, int]] = []
    open_: dict[bool, set[tuple[int, int]]] = {True: set(), False: set()}

    def some() -> Lanes:
        lo = 32 * rng.randrange(6)
        hi = rng.choice([lo + 32, lo + 64])
        return Lanes(lo, hi, rng.choice([None, np.arange(hi - lo) % 64 < 32]))

    for number in range(80):
        lanes, load = some(), rng.random() < 0.5

        def finish(mine: Any, number: int = number, index: Any = lanes.index) -> None:
            ended.extend((number, lane) for lane in index[mine].tolist())

        tensor.transfer(lanes, finish, load=load)
        open_[load] |= {(number, lane) for lane in lanes.index.tolist()}
        waiting, load = some(), rng.random() < 0.5
        before = len(ended)
        tensor.wait(waiting, load=load)
        due = {one for one in open_[load] if one[1] in waiting.index.tolist()}
        assert sorted(ended[before:]) == sorted(due)
        assert [number for number, _ in ended[before:]] == sorted(number for number, _ in due)
        open_[load] -= due
    assert len(tensor.transfers) == len({number for one in open_.values() for number, _ in one})


@pytest.mark.parametrize(
    ("policy", "interlocked", "at_once"),
    [("eager", False, (True, True)), ("eager", True, (False, True)), ("lazy", False, (False, False)), ("lazy", True, (False, False))],
)  # fmt: skip
def test_when_loads_and_stores_end(policy: str, interlocked: bool, at_once: tuple[bool, bool]) -> None:
    """Loads end by a wait where uses of registers would end them by themselves, so that it is known."""
    for load, now in zip((True, False), at_once, strict=True):
        tensor, log = memory(policy, interlocked=interlocked), list[Any]()
        tensor.transfer(Lanes(0, 32), log.append, load=load)
        assert [mine.tolist() for mine in log] == [[True] * 32] * now
        assert len(tensor.transfers) == (not now)


def test_lanes_that_are_in_haste_get_what_they_load() -> None:
    tensor, given = memory("lazy"), list[list[int]]()
    tensor.transfer(
        Lanes(32, 96), lambda _: None, load=True, give=lambda mine: given.append(np.flatnonzero(mine).tolist())
    )
    tensor.transfer(Lanes(0, 96), lambda _: None, load=False)
    tensor.hasten(Lanes.one(70))
    tensor.hasten(Lanes(0, 32))
    assert given == [[38], []] and len(tensor.transfers) == 2


def test_early_uses_of_what_is_loaded() -> None:
    """Who waits afterwards is told of it by a note; who tells others before, by an error."""
    text = "uses the result of a tcgen05.ld before tcgen05.wait::ld: the ISA forbids it, assemblers repair it"
    tensor, place = memory("lazy"), Place()
    tensor.early = [(np.array([40, 41, 70]), place)]
    tensor.wait(Lanes(0, 32), load=True)
    tensor.wait(Lanes(32, 64), load=False)
    assert not place.told and len(tensor.early) == 1
    tensor.wait(Lanes(32, 64), load=True)
    ((note, severity),) = place.told
    assert (note.kind, note.message, note.changes, severity) == ("asynchronous-read", text, 40, Severity.NOTE)
    assert [users.tolist() for users, _ in tensor.early] == [[70]]
    tensor.blame_early(Lanes(0, 64))
    assert len(place.told) == 1
    tensor.blame_early(Lanes(64, 96))
    fault, severity = place.told[1]
    assert (fault.kind, fault.changes, severity) == ("asynchronous-read", 70, Severity.ERROR)
    assert fault.message == "uses the result of a tcgen05.ld that is still in flight"
    assert fault.hint == "insert tcgen05.wait::ld between the load and the use"
    assert not tensor.early


def test_registers_that_are_loaded() -> None:
    tensor = memory("lazy")
    one, two = (cast(Any, SimpleNamespace()) for _ in range(2))
    tensor.busy([one, two], np.array([3, 5]), 1)
    tensor.busy([two], np.array([5]), 1)
    tensor.busy([one, two], np.array([5]), -1)
    assert [np.flatnonzero(tensor.loading[id(row)]).tolist() for row in (one, two)] == [[3], [3, 5]]
    tensor.reset()
    assert not any(counts.any() for counts in tensor.loading.values())
