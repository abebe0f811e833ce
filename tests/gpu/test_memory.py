"""The memory of a device beside a model of it: what lies where, what is given out again, what is known of bytes."""

from __future__ import annotations

import random

import numpy as np
import pytest

from weft.gpu import memory as place
from weft.gpu.doubts import Doubts
from weft.gpu.errors import DeviceError
from weft.gpu.memory import Allocation, DeviceMemory
from weft.sim import KernelFault
from weft.sim.arena import Region
from weft.sim.space import UNWRITTEN, WRITTEN

SIZE = 1 << 15


def up(number: int, unit: int) -> int:
    return -(-number // unit) * unit


class Model:
    """Which addresses are taken, the least that are free, and which freed ones wait until they are given out again."""

    def __init__(self, memory: DeviceMemory, held: int) -> None:
        self.memory, self.held = memory, held
        self.live: dict[int, Allocation] = {}
        self.waiting: list[Allocation] = []

    def after(self, address: int, size: int) -> int:
        return up(address + up(max(size, 1), self.memory.bounds) + self.memory.red_zone, 512)

    def least(self, size: int, align: int) -> int | None:
        base, taken = self.memory.base, [(one.address, one.size) for one in (*self.live.values(), *self.waiting)]
        for address in range(base + 512, base + SIZE, 512):
            after = self.after(address, size)
            apart = all(after <= start or self.after(start, length) <= address for start, length in taken)
            if address % align == 0 and after <= base + SIZE and apart:
                return address
        return None

    def free(self, address: int, keep: bool) -> None:
        gone = self.live.pop(address)
        self.waiting += [gone] if keep else []
        while sum(one.size for one in self.waiting) > self.held:
            self.waiting.pop(0)


@pytest.mark.parametrize(("bounds", "red_zone", "size"), [(1, 256, 900), (4, 0, 2000), (512, 256, 500)])
def test_what_lies_where(bounds: int, red_zone: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first addresses that fit, aligned and apart; what was freed last is given out again last."""
    monkeypatch.setattr(place, "QUARANTINE", 3000)
    memory = DeviceMemory(SIZE - 4095, bounds=bounds, red_zone=red_zone, shadowed=True)
    model, rng, refused, peak = Model(memory, 3000), random.Random(bounds), 0, 0
    assert memory.size == SIZE
    for number in range(1, 111):
        if model.live and rng.random() < 0.4:
            chosen, keep = rng.choice(sorted(model.live)), rng.random() < 0.7
            memory.free(chosen, quarantine=keep)
            model.free(chosen, keep)
        length, align = rng.choice([0, 1, 15, size, rng.randrange(3 * size)]), rng.choice([1, 64, 512, 1024, 4096])
        wanted = model.least(length, align)
        if wanted is None:
            model.waiting.clear()
            wanted = model.least(length, align)
        if wanted is None:
            with pytest.raises(DeviceError, match=f"out of memory for {length:,} bytes: {memory.used:,} of the dev"):
                memory.allocate(length, align=align)
            refused += 1
            continue
        written = rng.random() < 0.5
        found = memory.allocate(length, f"n{number}", align=align, written=written)
        model.live[wanted] = found
        assert (found.address, found.end, found.size, int(found)) == (wanted, wanted + length, length, wanted)
        assert (found.name, found.kind) == (f"n{number}", "user")
        peak = max(peak, sum(one.size for one in model.live.values()))
        assert (memory.used, memory.peak) == (sum(one.size for one in model.live.values()), peak)
        inside = memory.shadow[wanted - memory.base :][: up(length, bounds)]  # type: ignore[index]
        assert (inside[:length] == (WRITTEN if written else UNWRITTEN)).all() and (inside[length:] == WRITTEN).all()
        order = [model.live[start] for start in sorted(model.live)]
        assert list(memory.allocations()) == order and memory.starts == sorted(model.live)
        assert memory.regions == [
            Region(one.name, one.address, one.address + up(one.size, bounds), True, False, True) for one in order
        ]
        for one in (*order, *model.waiting):
            edges = {one.address: True, one.address + max(one.size, 1) - 1: True, one.address - 1: False}
            for address, holds in {**edges, one.address + max(one.size, 1): False}.items():
                assert memory.find(address) == (one if holds and one in order else None)
                assert memory.freed(address) == (one if holds and one not in order else None)
    assert refused > 1
    for one in list(model.live):
        memory.free(one)
    whole = SIZE - 512 - up(red_zone, 512)
    assert memory.used == 0 and memory.allocate(whole).address == memory.base + 512, "nothing is lost between"
    assert memory.extent == SIZE
    memory.close()


def test_a_range_that_is_given_back_is_zeros_again() -> None:
    memory = DeviceMemory(5 << 12, shadowed=True)
    memory.allocate(5000)
    assert memory.extent == up(512 + 5000 + 256, 512)
    for plane in (memory.bytes, memory.shadow):
        assert plane is not None
        plane[: memory.extent] = 7
    base = memory.base
    memory.close()
    both = [DeviceMemory(5 << 12), DeviceMemory(5 << 12)]
    assert base in [again.base for again in both]
    for again in both:
        assert again.size == len(again.bytes) == 5 << 12 and not again.bytes.any()
        again.close()


def test_what_is_said_of_addresses() -> None:
    memory = DeviceMemory(1 << 16)
    one, other = memory.allocate(100, "one"), memory.allocate(40)
    memory.free(other.address)
    assert str(one) == f"one (100 bytes at {one.address:#x})" and other.name == "allocation 2"
    for address, size, said in (
        (one.address + 1, -1, ("invalid-value", "read: invalid size -1")),
        (one.address + 40, 61, ("out-of-bounds", "read: 61 bytes at offset 40 of one, which has 100 bytes")),
        (one.address + 100, 1, ("invalid-pointer", f"read: {one.end:#x} is not an address of the device's memory")),
        (other.address + 39, 1, ("use-after-free", f"read: {other.end - 1:#x} lies in allocation 2, which has been freed")),
        (other.end, 1, ("invalid-pointer", f"read: {other.end:#x} is not an address of the device's memory")),
    ):  # fmt: skip
        with pytest.raises(DeviceError) as refused:
            memory.span(address, size, "read")
        assert (refused.value.kind, refused.value.message) == said
    assert memory.span(one.address + 40, 60, "read").size == 60 and memory.span(0, 0, "read").size == 0
    for address, said in (
        (one.address + 99, f"free: {one.end - 1:#x} is offset 99 of one, not its start"),
        (other.address, f"free: {other.address:#x} lies in allocation 2, which has been freed"),
    ):
        with pytest.raises(DeviceError) as refused:
            memory.free(address)
        assert refused.value.message == said
    for size, align, said in (
        (-1, 1, "invalid size of an allocation: -1"),
        (1, 0, "align=0 must be a power of two"),
        (1, 24, "align=24 must be a power of two"),
    ):
        with pytest.raises(DeviceError) as refused:
            memory.allocate(size, align=align)
        assert refused.value.message == said
    for bounds in (*range(-1, 34), 256, 511, 512, 513, 1024):
        if bounds in (1, 2, 4, 8, 16, 32, 256, 512):
            place.check_bounds(bounds)
        else:
            with pytest.raises(DeviceError, match=f"bounds={bounds} must be a power of two up to 512"):
                place.check_bounds(bounds)
    assert [memory.holds(memory.base + at) for at in (-1, 0, memory.size - 1, memory.size)] == [
        False,
        True,
        True,
        False,
    ]
    memory.close()


def test_memory_that_kernels_may_not_access_for_now() -> None:
    memory = DeviceMemory(1 << 16)
    addresses = [memory.allocate(10, name).address for name in "abcd"]
    before = list(memory.regions)
    with memory.without(addresses[1::2]):
        assert [region.name for region in memory.regions] == ["a", "c"] and memory.starts == addresses[::2]
        assert sorted(region.name for region in memory.hidden) == ["b", "d"] and len(memory.table().starts) == 2
    assert memory.regions == before and memory.starts == addresses and not memory.hidden
    assert len(memory.table().starts) == 4
    memory.close()


def test_what_is_there_later() -> None:
    """Bytes of what has been allocated since, and of what has been freed, are not those that there were."""
    memory = DeviceMemory(1 << 16)
    nothing = memory.lives()
    one, two = memory.allocate(10), memory.allocate(10)
    at = np.array([one.address, two.address + 9]) - memory.base
    lives = memory.lives()
    assert nothing(at).tolist() == [False, False] and lives(at).tolist() == [True, True]
    memory.free(two.address, quarantine=False)
    assert memory.allocate(10).address == two.address and lives(at).tolist() == [True, False]
    memory.free(two.address)
    memory.free(one.address)
    assert lives(at).tolist() == [False, False]
    memory.close()


def test_bytes_that_depend_on_unwritten_ones() -> None:
    """They are doubtful while they hold what was left there, and nobody has written them."""
    rng, memory = random.Random(4), np.zeros(64, np.uint8)
    doubts, left = Doubts(memory), dict[int, int]()
    fault = KernelFault("race", "left")
    assert not doubts and doubts.fault is None
    for number in range(200):
        start = rng.randrange(60)
        end = start + rng.randrange(5)
        what = rng.choice(["add", "drop", "write", "refill", "among"])
        if what in ("add", "refill", "among"):
            left = {at: value for at, value in left.items() if memory[at] == value}
        if what == "add":
            doubts.add(np.arange(start, end), fault)
            left = {at: int(memory[at]) for at in {*left, *range(start, end)}}
        elif what == "drop":
            doubts.drop(start, end)
            left = {at: value for at, value in left.items() if not start <= at < end}
        elif what == "write":
            memory[start:end] = number
        elif what == "refill":
            doubts.refill(lambda held, number=number: held.__setitem__(slice(None), 255 - number))  # type: ignore[misc]
            left = dict.fromkeys(left, 255 - number)
            assert all(memory[at] == value for at, value in left.items())
        else:
            assert doubts.among(start, end).tolist() == [at for at in sorted(left) if start <= at < end]
        assert bool(doubts) == bool(left)
    assert doubts.fault is fault
