"""What is known of the bytes of a state space, against a model that knows it of each byte."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from weft.sim import culprits
from weft.sim.lanes import Array
from weft.sim.memory import CTA_SHIFT, RANKED, PerLane, Shared
from weft.sim.space import PENDING, UNWRITTEN, WRITTEN
from weft.sim.types import WORDS

LANES = 12


class Fault(Exception):
    def __init__(self, kind: str, message: str, lane: int, address: int) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.lane, self.address, self.hint = kind, message, lane, address, ""


class Site:
    """What a space asks of an instruction, and whom it tells of a fault."""

    def __init__(self, stem: str = "ld") -> None:
        self.spots, self.deferred, self.overwrites = None, False, False
        self.opcode = SimpleNamespace(stem=stem, get=lambda name: "")
        self.machine = SimpleNamespace(doubts=None)
        self.held: bool | None = None

    def fault(self, kind: str, message: str, lane: int, address: int) -> Fault:
        return Fault(kind, message, lane, address)

    def report(self, fault: Fault, *, held: bool = False) -> None:
        self.held = held
        raise fault


@pytest.fixture(autouse=True)
def nobody_to_blame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(culprits, "blame", lambda *_, **__: None)


class Model:
    """Each byte by itself: what it holds, what is known of it, and how many are going to read it."""

    def __init__(self, size: int, state: int) -> None:
        self.data, self.state, self.reading = [0xFF] * size, [state] * size, [0] * size

    def wrong(self, indices: list[int], size: int, *, store: bool) -> tuple[str, int] | None:
        """What is wrong with accesses, and the first of them that is."""
        width = min(size, 8)  # Wide accesses are looked at in parts: of all lanes the first, then the second.
        for part in range(0, size, width):
            for number, first in enumerate(indices):
                states = set(self.state[first + part : first + part + width])
                if PENDING in states and store:
                    return "asynchronous-write", number
                if states != {WRITTEN} and not store:
                    there = PENDING in self.state[first : first + size]
                    return "asynchronous-read" if there else "uninitialised-memory", number
        for number, first in enumerate(indices):
            if store and any(self.reading[first // 4 * 4 : -(-(first + size) // 4) * 4]):
                return "asynchronous-write", number
        return None


class Case:
    """A space of parts, of which each lane has one, and its model."""

    def __init__(self, size: int, rng: random.Random) -> None:
        self.rng, self.size = rng, size
        part_of_lane = np.array([lane // 4 for lane in range(LANES)])
        self.space = Shared(part_of_lane, 3, True)
        self.space.grow(size)
        self.space.late = True
        self.space.forget()
        self.stride = self.space.stride
        self.model = Model(len(self.space.bytes), UNWRITTEN)
        self.going: list[tuple[Array, int, bool]] = []

    def places(self, size: int, *, apart: bool = False) -> tuple[Array, Array, Array]:
        """Addresses of some lanes, aligned to a size; byte indices; lanes."""
        rng = self.rng
        lanes = np.array(sorted(rng.sample(range(LANES), rng.randint(1, 5))))
        count = self.size // size
        start = rng.randrange(count)
        step = rng.choice((1, 1, 3, 64))
        at = [size * ((start + step * number) % count) for number in range(len(lanes))]
        if not apart and rng.random() < 0.2:
            at = [at[0]] * len(at)
        found: list[int] = []
        address: list[int] = []
        for lane, offset in zip(lanes.tolist(), at, strict=True):
            part = lane // 4
            if rng.random() < 0.2:
                part = rng.randrange(3)
                address.append(RANKED + (part << CTA_SHIFT) + offset)
            else:
                address.append(offset)
            found.append(part * self.stride + offset)
        if apart and len({index // 16 for index in found}) < len(found):
            return self.places(size, apart=apart)
        return np.array(address, np.int64), np.array(found, np.int64), lanes

    def set(self, indices: Array, size: int, state: int) -> None:
        for first in indices.tolist():
            self.model.state[first : first + size] = [state] * size

    def access(self, *, store: bool) -> None:
        rng, model, index = self.rng, self.model, np.zeros(0, np.int64)
        size = rng.choice((1, 2, 4, 8, 16))
        address, wanted, lanes = self.places(size)
        site: Any = Site()
        for _ in range(rng.randint(1, 2)):
            index = self.space.locate(site, address, lanes, size, store)
            assert index.tolist() == wanted.tolist()
            if rng.random() < 0.2:  # As if something else had been located since.
                index = index.copy()
            wrong = model.wrong(wanted.tolist(), size, store=store)
            try:
                (self.space.before_store if store else self.space.before_load)(site, index, lanes, size)
            except Fault as fault:
                assert wrong is not None, fault
                kind, number = wrong
                lane, first = int(lanes[number]), int(wanted[number])
                own, offset = first // self.stride == lane // 4, first % self.stride
                where = offset if own else RANKED + (first // self.stride << CTA_SHIFT) + offset
                assert (fault.kind, fault.lane, fault.address) == (kind, lane, where)
                assert f"{size} bytes of shared memory at {where:#x} " in fault.message
                assert not site.held
                if store:
                    use = "writes" if PENDING in model.state[first : first + size] else "reads"
                    assert f"operation that {use} them" in fault.message
                return
            assert wrong is None, (wrong, size, wanted, store)
        if size == 16:
            return
        dtype = WORDS[8 * size]
        if store:
            values = np.random.default_rng(rng.randrange(1 << 30)).integers(0, 256, (len(lanes), size), np.uint8)
            self.space.store(index, values.view(dtype)[:, 0], dtype)
            for first, row in zip(wanted.tolist(), values.tolist(), strict=True):
                model.data[first : first + size] = row
            self.set(wanted, size, WRITTEN)
        else:
            found = self.space.load(index, dtype).view(np.uint8).reshape(-1, size).tolist()
            assert found == [model.data[first : first + size] for first in wanted.tolist()]

    def slices(self) -> list[slice]:
        rng = self.rng
        length = rng.choice([n for n in (5, 16, 256, 700) if n <= self.size])
        start = rng.randrange(0, self.size - length + 1)
        start = start // 256 * 256 if rng.random() < 0.5 else start
        step = rng.choice((self.stride, self.stride, 512))
        count = rng.randint(1, 3) if step == self.stride else 1
        parts = [slice(start + n * step, start + n * step + length) for n in range(count)]
        if rng.random() < 0.2:
            parts = [*parts, slice(start + length, min(start + 2 * length, self.size))]
        return parts

    def change(self) -> None:
        """Note what has become of some bytes."""
        rng, space, model = self.rng, self.space, self.model
        way = rng.randrange(6)
        if way < 2:
            size = rng.choice((1, 2, 4, 8, 16))
            _, index, _ = self.places(size)
            state = rng.choice((UNWRITTEN, WRITTEN, WRITTEN, PENDING))
            if way:
                state = PENDING
                space.poison(index, size)
                for first in index.tolist():
                    model.data[first : first + size] = [0xFF] * size
            else:
                space.mark(index, size, state)
            self.set(index, size, state)
        elif way < 5:
            parts = self.slices()
            state = rng.choice((UNWRITTEN, WRITTEN, WRITTEN, WRITTEN, PENDING))
            if way == 4:
                state = PENDING
                space.poison_all(parts)
            elif way == 3:
                space.mark_all(parts, state)
            else:
                parts = parts[:1]
                space.mark(parts[0], 1, state)
            for part in parts:
                count = part.stop - part.start
                model.state[part] = [state] * count
                if way == 4:
                    model.data[part] = [0xFF] * count
        else:
            size = rng.choice((2, 4, 8))
            _, index, _ = self.places(size, apart=True)
            written = np.array([rng.randrange(1 << size) for _ in index], np.int64)
            space.unwrite(index, size, written)
            for first, bits in zip(index.tolist(), written.tolist(), strict=True):
                for byte in range(size):
                    if not bits >> byte & 1:
                        model.state[first + byte] = UNWRITTEN

    def hold(self) -> None:
        """Operations are going to read bytes, or have read them."""
        rng = self.rng
        if self.going and rng.random() < 0.6:
            index, size, repeated = self.going.pop(rng.randrange(len(self.going)))
            self.space.let_go(index, size, repeated=repeated)
            by = -1
        else:
            size = rng.choice((4, 8, 16))
            _, index, _ = self.places(size, apart=True)
            repeated = rng.random() < 0.1
            if repeated:
                index = np.repeat(index, 2)
            elif self.going and rng.random() < 0.3 and not self.going[-1][2]:
                index, size, _ = self.going[-1]
            self.space.hold(index, size, repeated=repeated)
            self.going.append((index, size, repeated))
            by = 1
        for first in index.tolist():
            for byte in range(first, first + size):
                self.model.reading[byte] += by

    def end(self) -> None:
        if self.rng.random() < 0.5:
            self.space.let_all_go()
        else:
            self.space.forget()
            size = len(self.model.data)
            self.model.data, self.model.state = [0xFF] * size, [UNWRITTEN] * size
        self.model.reading = [0] * len(self.model.data)
        self.going.clear()

    def agrees(self) -> None:
        assert self.space.shadow is not None
        assert self.space.shadow.tolist() == self.model.state
        assert self.space.bytes.tolist() == self.model.data
        for block in np.flatnonzero(self.space.clean).tolist():
            assert set(self.model.state[256 * block : 256 * block + 256]) == {WRITTEN}


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(12))
def test_bytes_are_what_a_model_knows(seed: int) -> None:
    rng = random.Random(seed)
    case = Case((48, 4096, 1000, 4352)[seed % 4], rng)
    if seed % 3:
        whole = slice(0, len(case.model.data))
        case.space.mark(whole, 1, WRITTEN)
        case.model.state[whole] = [WRITTEN] * len(case.model.data)
    for step in range(150):
        way = rng.random()
        if way < 0.6:
            case.access(store=way < 0.3)
        elif way < 0.8:
            case.hold()
        elif way < 0.99:
            case.change() if case.size > 1000 or way < 0.85 else case.access(store=True)
        else:
            case.end()
        if step % 50 == 49:
            case.agrees()


def test_operations_that_read_bytes_twice_may_end_in_parts() -> None:
    """As copies of threads do that read the same bytes; bytes are free again when the last one of all has read them."""
    rng, site = random.Random(4), cast("Any", Site())
    for _ in range(20):
        space = Case(4096, rng).space
        space.mark(slice(0, 4096), 1, WRITTEN)
        going: list[tuple[Array, int, bool]] = []
        for _ in range(16):
            size = rng.choice((4, 8, 16))
            if not going or rng.random() < 0.5:
                repeated = rng.random() < 0.5
                places = rng.choices(range(4), k=6) if repeated else rng.sample(range(4), 3)
                going.append((np.array(places) * size, size, repeated))
                space.hold(*going[-1][:2], repeated=repeated)
            else:
                index, size, repeated = going.pop(rng.randrange(len(going)))
                ends = np.array([rng.random() < 0.5 for _ in index]) if repeated else np.ones(len(index), np.bool_)
                space.let_go(index[ends] if repeated else index, size, repeated=repeated)
                if not ends.all():
                    going.append((index[~ends], size, True))
            busy = {at + byte for index, size, _ in going for at in index.tolist() for byte in range(0, size, 4)}
            for at in range(0, 72, 4):
                try:
                    space.before_store(site, np.array([at]), np.array([0]), 4)
                    assert at not in busy
                except Fault as fault:
                    assert at in busy and fault.kind == "asynchronous-write"


def test_blocks_are_clean_that_are_written_whole() -> None:
    """Of 256 bytes each; what lies in them only in part, or becomes anything else, is looked at byte by byte."""
    rng = random.Random(8)
    for _ in range(25):
        space, other = (PerLane("shared", 0, 2048, np.arange(3), True) for _ in range(2))
        clean = [False] * len(space.clean)
        for _ in range(12):
            state, ways = rng.choice((WRITTEN, WRITTEN, PENDING, UNWRITTEN)), rng.randrange(3)
            start = rng.choice((0, 1, 255, 256, 257, 511, 512, 700, 1024))
            length = rng.choice((1, 2, 255, 256, 257, 512, 513, 900))
            step, count = rng.choice((2048, 1024, 600)), rng.randint(1, 3)
            parts = [slice(start + n * step, start + n * step + length) for n in range(count)]
            if rng.random() < 0.3:  # They need not lie in a grid.
                last = parts[-1]
                stop = last.stop + rng.choice((-1, 1, 256)) if length > 1 else last.stop
                parts[-1] = slice(last.start + rng.choice((0, 1, 256)), min(stop + 1, 6144))
                parts = parts if parts[-1].stop > parts[-1].start else parts[:-1]
            changed = space.changes
            if ways == 0:
                width = rng.choice((1, 2, 4, 8, 16))
                first = rng.choice((0, 256, 512, 240, 752)) // width * width
                index = np.array([first, first + width, 2048 + first])
                space.mark(index, width, state)
                other.mark(index, width, state)
                touched = [slice(at, at + width) for at in index.tolist()]
            elif ways == 1:
                space.poison_all(parts)
                state, touched = PENDING, parts
                for part in parts:
                    other.mark(part, 1, PENDING)
                    other.bytes[part] = 0xFF
            else:
                space.mark_all(parts, state)
                touched = parts
                for part in parts:
                    other.mark(part, 1, state)
            assert (space.changes > changed) == (state != WRITTEN)
            for part in touched:
                for block in range(len(clean)):
                    low, high = 256 * block, 256 * block + 256
                    if state == WRITTEN and ways:
                        clean[block] |= part.start <= low and high <= part.stop
                    elif state != WRITTEN and part.start < high and low < part.stop:
                        clean[block] = False
            assert space.clean.tolist() == other.clean.tolist() == clean
            assert np.array_equal(space.shadow, other.shadow) and np.array_equal(space.bytes, other.bytes)  # type: ignore[arg-type]
            if rng.random() < 0.3:
                space.bytes[:] = other.bytes[:] = rng.randrange(255)


def test_updates_of_unwritten_bytes() -> None:
    """What an exchange finds only use counts; any other update reads. What is deferred is noted, save what is pending."""
    states = np.array([WRITTEN] * 6 + [UNWRITTEN] * 2 + [PENDING] * 4 + [UNWRITTEN] * 4, np.uint8)
    for overwrites, deferred in ((False, False), (True, False), (False, True)):
        for first, kind, mask in ((0, "", None), (4, "uninitialised-memory", 0b0011), (8, "asynchronous-read", None),
                                  (12, "uninitialised-memory", 0b0000)):  # fmt: skip
            space = PerLane("shared", 0, 16, np.zeros(4, np.int64), True)
            assert space.shadow is not None
            space.shadow[:] = states
            site: Any = Site("atom")
            site.overwrites, site.deferred, site.unwritten = overwrites, deferred, []
            if kind and (first == 8 or not (overwrites or deferred)):
                with pytest.raises(Fault) as caught:
                    space.before_update(site, np.array([first]), np.array([3]), 4)
                assert (caught.value.kind, caught.value.lane, caught.value.address) == (kind, 3, first)
                assert np.array_equal(space.shadow, states)
                continue
            space.before_update(site, np.array([first]), np.array([3]), 4)
            wanted = states.copy()
            wanted[first : first + 4] = WRITTEN
            assert np.array_equal(space.shadow, wanted)
            noted = [(lanes.tolist(), masks.tolist()) for lanes, masks in site.unwritten]
            assert noted == ([([3], [mask])] if deferred and mask is not None else [])


@pytest.mark.parametrize("name", ["global", "local", "shared"])
def test_hints_say_how_bytes_become_written(name: str) -> None:
    """Those of mbarriers how these are made ready; what is pending has no hint here."""
    hints = {"global": "give these bytes a value before the launch, or store to them first",
             "local": "store to these bytes first, on every way that leads here", "shared": ""}  # fmt: skip
    mbarrier = "mbarrier.init by one thread first, then a barrier before others use the mbarrier"
    for stem, state, hint in (
        ("ld", UNWRITTEN, hints[name]),
        ("mbarrier.arrive", UNWRITTEN, mbarrier),
        ("ld", PENDING, ""),
    ):
        for shared in (None, False, True):
            space = PerLane(name, 0, 16, np.zeros(4, np.int64), True)
            space.mark(np.array([8]), 4, WRITTEN)
            space.mark(np.array([12]), 4, state)
            if shared is not None:
                space.races = SimpleNamespace(shared=shared)  # type: ignore[assignment]
            site: Any = Site(stem)
            with pytest.raises(Fault) as caught:
                space.check_written(site, np.array([8, 12]), slice(2, 4), 4)
            why = (
                "while an asynchronous copy to them is still in flight"
                if state == PENDING
                else "that nothing has written"
            )
            assert caught.value.message == f"reads 4 bytes of {name} memory at 0xc {why}"
            assert (caught.value.hint, caught.value.lane, site.held) == (hint, 3, state != PENDING and shared is True)


def test_bytes_moved_are_counted() -> None:
    space = PerLane("local", 0, 32, np.arange(2), True)
    assert (space.loaded, space.stored) == (0, 0)
    space.store(np.array([0, 40]), np.array([1, 2], np.uint64), WORDS[64])
    assert (space.loaded, space.stored) == (0, 16)
    assert space.load(np.array([0, 40, 40]), WORDS[32]).tolist() == [1, 2, 2]
    assert (space.loaded, space.stored) == (12, 16)


def test_what_nothing_knows_is_not_looked_at() -> None:
    """Without a shadow nothing is unwritten; without guards nothing is held."""
    space = PerLane("shared", 0, 64, np.zeros(4, np.int64), False)
    index, site = np.array([0, 8]), Site()
    space.check_written(site, index, np.arange(2), 8)  # type: ignore[arg-type]
    space.mark(index, 8, PENDING)
    space.hold(index, 8)
    assert not space.held and space.reading is None and space.shadow is None
    space.check_free(site, index, np.arange(2), 8)  # type: ignore[arg-type]
    site.deferred = True
    space.before_load(site, index, np.arange(2), 8)  # type: ignore[arg-type]
    space.before_update(site, index, np.arange(2), 8)  # type: ignore[arg-type]


def test_no_accesses_are_none() -> None:
    space, none = PerLane("shared", 0, 64, np.zeros(4, np.int64), True), np.zeros(0, np.int64)
    space.hold(none, 8)
    assert not space.held
    space.let_go(none, 8)
    space.hold(np.array([8]), 8)
    space.let_go(none, 8)
    space.check_free(Site(), none, none, 4)  # type: ignore[arg-type]
    assert len(space.held) == 1


@pytest.mark.parametrize("shadowed", [False, True])
def test_memory_grows_and_keeps_what_it_held(shadowed: bool) -> None:
    """Each part, whatever its stride becomes; what is new counts as written."""
    space = PerLane("local", 0, 24, np.array([0, 1, 2]), shadowed)
    assert (space.parts, space.size, space.stride, space.extent) == (3, 24, 32, 96)
    assert space.origin is not None and space.origin.tolist() == [0, 32, 64]
    space.holds_nothing([(4, 12)])
    before = np.arange(96, dtype=np.uint8)
    space.bytes[:] = before
    for size, stride in ((20, 32), (24, 32), (33, 48), (4095, 4096), (4097, 4352), (8192, 8192)):
        space.grow(size)
        assert space.stride == space.part_size == stride and space.size == max(24, size)
        assert space.origin.tolist() == [0, stride, 2 * stride]
        rows = space.bytes[: 3 * stride].reshape(3, stride)
        assert np.array_equal(rows[:, :32], before.reshape(3, 32))
        if space.shadow is not None:
            rows = space.shadow[: 3 * stride].reshape(3, stride)
            assert [np.flatnonzero(row == UNWRITTEN).tolist() for row in rows] == [[*range(4, 12)]] * 3
            assert set(rows.reshape(-1).tolist()) == {UNWRITTEN, WRITTEN}
    space.unwritten(100, 130)
    space.zero(8000)
    if space.shadow is not None:
        rows = space.shadow[: 3 * stride].reshape(3, stride)
        assert [np.flatnonzero(row == UNWRITTEN).tolist() for row in rows] == [[*range(4, 12), *range(100, 130)]] * 3
    rows = space.bytes[: 3 * stride].reshape(3, stride)
    assert not rows[:, 8000:].any() and rows[:, 7999].all()
    space.holds_nothing([(0, 1), (5, 7)])
    assert (space.bytes == 0xFF).all()
    if space.shadow is not None:
        rows = space.shadow[: 3 * stride].reshape(3, stride)
        assert [np.flatnonzero(row == UNWRITTEN).tolist() for row in rows] == [[0, 5, 6]] * 3


def test_places_of_parts() -> None:
    """The first and the last byte that a lane may access; gaps behind variables belong to nobody."""
    space = PerLane("local", 0, 64, np.array([0, 1, 2, 3]), True)
    lanes = np.array([1, 3])

    def locate(first: int, second: int, size: int) -> list[int]:
        return space.locate(Site(), np.array([first, second]), lanes, size, False).tolist()  # type: ignore[arg-type]

    assert locate(0, 60, 4) == [64, 252]
    assert locate(48, 48, 16) == [112, 240]
    for first, second, size, lane, where in (
        (0, 64, 1, 3, 0x40),
        (0, 61, 4, 3, 0x3D),
        (-1, 0, 1, 1, -1),
        (-4, 60, 4, 1, -4),
    ):
        with pytest.raises(Fault) as caught:
            locate(first, second, size)
        told = f"{size} bytes at local address {where:#x} lie outside its 64 bytes"
        assert (caught.value.kind, caught.value.message) == ("out-of-bounds", told)
        assert (caught.value.lane, caught.value.address) == (lane, where)
    with pytest.raises(Fault) as caught:
        locate(4, 6, 4)
    told = "local address 0x6 is not a multiple of the access size of 4 bytes"
    assert (caught.value.kind, caught.value.message, caught.value.lane) == ("misaligned", told, 3)
    space.gaps = [(16, 24, "first"), (40, 64, "second")]
    assert locate(12, 24, 4) == [76, 216] and locate(32, 36, 4) == [96, 228]
    for first, second, size, lane, name in (
        (0, 16, 1, 3, "first"),
        (20, 0, 4, 1, "first"),
        (8, 32, 16, 1, ""),
        (0, 32, 16, 3, "second"),
        (60, 0, 4, 1, "second"),
    ):
        end = {"first": "0x10", "second": "0x28"}.get(name, "")
        where = first if lane == 1 else second
        with pytest.raises(Fault) as caught:
            locate(first, second, size)
        if name:
            told = f"{size} bytes at local address {where:#x} lie past the end of '{name}', which ends at {end}"
            assert (caught.value.kind, caught.value.message) == ("out-of-bounds", told)
            assert (caught.value.lane, caught.value.address) == (lane, where)
    for start, size, inside in ((64, 16, True), (64 + 15, 1, True), (64 + 15, 2, False), (64 + 16, 1, False), (64 + 23, 1, False),
                                (64 + 24, 16, True), (64 + 24, 17, False), (128 - 1, 1, False), (128, 8, True)):  # fmt: skip
        assert space.holds(start, size, 1) == inside, (start, size)
    space.gaps = ()
    assert space.holds(127, 1, 1) and not space.holds(127, 2, 1)


def test_ranks_of_clusters() -> None:
    """Each CTA of a cluster by its rank, from each of them; there are no others."""
    space = Shared(np.arange(8) // 2, 2, False)
    space.grow(32)
    lanes = np.arange(8)

    def locate(address: list[int]) -> list[int]:
        return space.locate(Site(), np.array(address, np.int64), lanes, 4, False).tolist()  # type: ignore[arg-type]

    assert locate([4 * n for n in range(8)]) == [32 * (n // 2) + 4 * n for n in range(8)]
    for rank in range(2):
        found = locate([RANKED + (rank << CTA_SHIFT) + 4 * n for n in range(8)])
        assert found == [32 * (n // 4 * 2 + rank) + 4 * n for n in range(8)]
        for lane, place in enumerate(found):
            own = lane // 2 % 2 == rank
            assert space.address_of(place, lane) == (0 if own else RANKED + (rank << CTA_SHIFT)) + 4 * lane
    assert locate([0, RANKED, 4, RANKED, *[RANKED + (1 << CTA_SHIFT)] * 4])[:4] == [0, 0, 36, 0]
    with pytest.raises(Fault) as caught:
        locate([0, 0, RANKED + (2 << CTA_SHIFT), RANKED + (3 << CTA_SHIFT) + 4, 0, 0, 0, 0])
    assert (caught.value.lane, caught.value.message) == (3, "there is no CTA of rank 3 in a cluster of 2")
    with pytest.raises(Fault) as caught:
        locate([0] * 5 + [RANKED + (2 << CTA_SHIFT)] * 3)
    assert (caught.value.lane, caught.value.message) == (5, "there is no CTA of rank 2 in a cluster of 2")
    with pytest.raises(Fault):
        locate([RANKED + 32] * 8)
