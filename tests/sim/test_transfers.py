"""Transfers of the bulk copy engine by themselves: when they read, write and signal, against a list of what is under way."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.sim.harness import Array
from weft.sim import KernelFault, bulk, stamps
from weft.sim.bulk import Bulk, Bundle, Transfer
from weft.sim.lanes import Lanes

WORD = np.dtype(np.uint32)
CTAS, STRIDE = 2, 256
BARRIERS = (0, 248, 496)
"""The last one is the second CTA's, which lanes 32 to 63 are."""
GONE = 0xFFFF_FFFF


def transfer(**more: Any) -> Transfer:
    """One of four words, from bytes 0 to 15 to bytes 64 to 79."""
    words = 4 * np.arange(4)
    given = {
        "site": None,
        "lane": 0,
        "source": None,
        "origin": words,
        "target": None,
        "into": 64 + words,
        "dtype": WORD,
    }
    return Transfer(**{**given, **more})


# -- what it reads and writes ---------------------------------------------------------------------------------


def test_places_that_are_read_and_written() -> None:
    some = np.array([False, True, True, False])
    load, store = transfer(inside=some), transfer(inside=some, load=False)
    assert transfer().sources.tolist() == [0, 4, 8, 12] and transfer().targets.tolist() == [64, 68, 72, 76]
    assert load.sources.tolist() == store.sources.tolist() == [4, 8]
    assert load.targets.tolist() == [64, 68, 72, 76] and store.targets.tolist() == [68, 72]
    assert transfer().span() == (0, 15) and load.span() == (4, 11)
    assert transfer(origin=np.array([8, 4, 20, 12])).span() == (4, 23)
    assert transfer(inside=~some | True).span() == (0, 15) and transfer(inside=some & False).span() == (0, 0)
    assert transfer(bounds=(5, 77)).span() == (5, 77)


def test_what_lies_together_is_filled_as_a_slice() -> None:
    assert transfer().fills() == slice(64, 80)
    assert transfer(into=np.array([12, 4, 0, 8])).fills() == slice(0, 16)
    apart = transfer(into=np.array([0, 4, 8, 16]))
    assert apart.fills() is apart.into
    assert transfer(filled=slice(3, 4)).fills() == slice(3, 4)
    one = transfer(inside=np.array([False, True, True, False]), load=False)
    assert one.fills() == slice(68, 76)


def test_which_transfers_are_alike() -> None:
    """Loads that signal an mbarrier each, and move pieces of one size, are checked together; a single one need not be."""
    alike = bulk._alike  # pyright: ignore[reportPrivateUsage]
    assert alike([transfer(signal=0), transfer(signal=8)])
    assert not alike([transfer(signal=8), transfer(signal=8)])
    assert not alike([transfer(signal=8)])
    assert not alike([transfer(signal=0), transfer(signal=8, dtype=np.dtype("u1")), transfer(signal=16)])


def test_the_same_copy_by_lanes_of_a_warp_counts_once() -> None:
    different = bulk._different  # pyright: ignore[reportPrivateUsage]
    one, same, far = transfer(lane=1), transfer(lane=31), transfer(lane=32)
    moved, put = transfer(origin=4 + one.origin), transfer(into=4 + one.into)
    assert different([one, same, far, moved, put]) == [one, far, moved, put]
    nothing = transfer(origin=one.origin[:0])
    assert different([one, same, nothing]) == [one, same, nothing]


def test_transfers_of_a_bundle_that_follow_each_other_are_together() -> None:
    bundles = [Bundle(np.zeros(0), np.zeros(0)) for _ in range(2)]
    some = [transfer(bundle=one) for one in (None, None, *bundles, bundles[1], bundles[0])]
    found = list(bulk._bundled(some))  # pyright: ignore[reportPrivateUsage]
    assert found == [some[:1], some[1:2], some[2:3], some[3:5], some[5:]]


@pytest.mark.parametrize(
    ("stem", "source", "reduces", "strong", "proxy"),
    [
        ("cp.async.bulk", 1, False, False, True), ("cp.reduce.async.bulk", 1, True, True, True),
        ("st.async", None, False, False, False), ("red.async", None, True, True, False), ("cp.async.bulk", None, False, False, True),
    ],
)  # fmt: skip
def test_how_writes_are_stamped(stem: str, source: Any, reduces: bool, strong: bool, proxy: bool) -> None:
    """Stores of threads write through the generic proxy, reductions are strong among those of the GPU."""
    site = SimpleNamespace(opcode=SimpleNamespace(stem=stem))
    one = transfer(site=site, source=source, reduce=np.add if reduces else None)
    flags = bulk._flags(one)  # pyright: ignore[reportPrivateUsage]
    assert bool(flags & stamps.STRONG) == strong and bool(flags & stamps.ASYNC) == proxy
    assert int(stamps.scope(np.array([flags], np.uint64))[0]) == (2 if strong else 0)
    assert flags & ~(stamps.STRONG | stamps.ASYNC | 2 << 3) == 0


# -- when it does so ------------------------------------------------------------------------------------------


class Memory:
    """Bytes; which of them are held until copies have read them."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.stride, self.guarded, self.shadow, self.races = name, STRIDE, False, None, None
        self.bytes = np.random.default_rng(seed).integers(0, 256, CTAS * STRIDE).astype(np.uint8)
        self.bytes[[place + 7 for place in BARRIERS]] = 0
        self.held: Counter[int] = Counter()
        self.stored = 0

    def view(self, dtype: Any) -> Array:
        return self.bytes.view(dtype)

    def load(self, index: Array, dtype: Any) -> Array:
        return self.bytes.view(dtype)[index // dtype.itemsize]

    def hold(self, index: Array, size: int) -> None:
        self.held.update((byte, size) for byte in index.tolist())  # pyright: ignore

    def let_go(self, index: Array, size: int) -> None:
        self.held.subtract((byte, size) for byte in index.tolist())  # pyright: ignore

    def poison(self, index: Any, size: int) -> None:
        self.bytes[index if isinstance(index, slice) else (index[:, None] + np.arange(size))] = 0xFF

    def poison_all(self, parts: list[slice]) -> None:
        for part in parts:
            self.bytes[part] = 0xFF


class Scene:
    """The engine, and a model of it: words of both memories, and dictionaries that say what is under way."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.policy = str(self.rng.choice(["eager", "lazy", "lazy"]))
        self.shared, self.arena = Memory("shared", seed), Memory("global", seed + 1)
        self.words = {memory.name: memory.view(WORD).copy() for memory in (self.shared, self.arena)}
        self.events: list[tuple[str, list[int], bool]] = []
        self.told: list[tuple[str, list[int], bool]] = []
        self.clocks: Any = None
        self.lent: list[tuple[int, int]] = []
        if self.rng.random() < 0.5:
            self.clocks = SimpleNamespace(now=7, tick=self._tick, untold=lambda lanes: lanes % 2 == 1, lend=self._lend)
        watcher = SimpleNamespace(moved=lambda _, space, index, size, write: self._see(space, index, size, write))
        self.changes = 0
        self.machine: Any = SimpleNamespace(
            batch=SimpleNamespace(lanes=64, cta=np.arange(64) // 32), memory=SimpleNamespace(shared=self.shared),
            async_=self.policy, prompt=False, strict=False, clocks=self.clocks, watchers=[watcher], change=self._change,
        )  # fmt: skip
        self.bulk = Bulk(self.machine)
        self.pending: list[dict[str, Any]] = []
        self.groups = [0] * 64
        self.wanted: set[int] = set()
        self.ends = {place: int(self.rng.integers(1, 4)) for place in BARRIERS}
        self.model_ends = dict(self.ends)
        self.lends: list[tuple[int, int]] = []
        self.written = 0

    def _tick(self) -> None:
        self.clocks.now += 1

    def _lend(self, lane: int, place: int) -> None:
        self.lent.append((lane, place))

    def _change(self) -> None:
        self.changes += 1

    def _see(self, space: Memory, index: Array, size: int, write: bool) -> None:
        assert size == 4
        self.events.append((space.name, index.tolist(), write))

    def signal(self, place: int, ends: dict[int, int], words: Array) -> None:
        """Every few transfers end a phase: bit 63 says which."""
        ends[place] -= 1
        if not ends[place]:
            words[place // 4 + 1] ^= np.uint32(1 << 31)
            ends[place] = 2

    def start(self) -> None:
        """A store of a group, or a copy to shared memory that signals."""
        rng, lane = self.rng, int(self.rng.choice([0, 1, 32, 33]))
        load = rng.random() < 0.5
        source = self.arena if load and rng.random() < 0.7 else self.shared
        target = self.shared if load else self.arena
        base = 4 * int(rng.integers(2, 24))
        origin, into = (
            4 * rng.permutation(32)[:4],
            base + 4 * (np.arange(4) if rng.random() < 0.7 else np.array([0, 1, 3, 5])),
        )
        inside = None if rng.random() < 0.5 else rng.random(4) < 0.6
        inside = None if inside is not None and not inside.any() else inside
        reduces = rng.random() < 0.3 and (inside is None or not load)
        place = int(rng.choice(BARRIERS)) if load else -1
        one = Transfer(
            SimpleNamespace(), lane, source, origin, target, into, WORD, inside, 9, load, reduce=np.bitwise_xor if reduces else None,  # type: ignore[arg-type]
            convert=(lambda words: words ^ np.uint32(5)) if load else None, signal=place,
            then=(lambda: self.signal(place, self.ends, self.shared.view(WORD))) if load else None,
        )  # fmt: skip
        kept = np.ones(4, bool) if inside is None else inside
        now = self.policy == "eager"
        mine: dict[str, Any] = {
            "lane": lane, "place": place, "group": self.groups[lane], "from": source.name, "to": target.name, "read": None,
            "origin": origin[kept], "into": into if load else into[kept], "kept": kept, "xor": reduces, "moved": False,
            "since": 0, "held": source is self.shared and (not now or (not load and self.clocks is not None)),
        }  # fmt: skip
        if load and self.clocks is not None:
            mine["since"] = self.clocks.now
            if lane % 2 or lane // 32 != place // STRIDE:
                self.lends.append((lane, place))
        self.bulk.start(one)
        if now:
            self.move(mine)
        elif load and not reduces:
            self.words["shared"][into // 4] = GONE
        if not now or (not load and self.clocks is not None):
            self.pending.append(mine)

    def read(self, mine: dict[str, Any]) -> None:
        if mine["read"] is None:
            words = self.words[mine["from"]][mine["origin"] // 4] ^ np.uint32(5 if mine["place"] >= 0 else 0)
            self.told.append((mine["from"], mine["origin"].tolist(), False))
            if mine["place"] >= 0:
                every = np.full(4, 9, WORD)
                every[mine["kept"]] = words
                words = every
                mine["held"] = False
            mine["read"] = words

    def move(self, mine: dict[str, Any]) -> None:
        if not mine["moved"]:
            self.read(mine)
            words, at = self.words[mine["to"]], mine["into"] // 4
            words[at] = words[at] ^ mine["read"] if mine["xor"] else mine["read"]
            self.told.append((mine["to"], mine["into"].tolist(), True))
            self.written += 1
            mine["moved"] = True
            if mine["place"] >= 0:
                self.signal(mine["place"], self.model_ends, self.words["shared"])

    def wait(self) -> None:
        mask = self.rng.random(64) < 0.5
        lanes = Lanes(0, 64, mask, int(mask.sum()))
        newest, read = int(self.rng.integers(0, 3)), bool(self.rng.random() < 0.4)
        self.bulk.wait(lanes, newest, read)
        for mine in [*self.pending]:
            lane = mine["lane"]
            if mine["place"] < 0 and lane in lanes.index and mine["group"] < self.groups[lane] - newest:
                self.read(mine)
                mine["held"] = False
                if not read:
                    self.move(mine)
                    self.pending.remove(mine)

    def commit(self) -> None:
        mask = self.rng.random(64) < 0.7
        self.bulk.commit(Lanes(0, 64, mask, int(mask.sum())))
        for lane in np.flatnonzero(mask).tolist():
            self.groups[lane] += 1

    def force(self) -> None:
        if self.rng.random() < 0.6:
            places = self.rng.choice(BARRIERS, 3)
            self.bulk.want(places)
            self.wanted |= set(places.tolist())
        chosen = [mine for mine in self.pending if mine["place"] in self.wanted]
        chosen = chosen or [mine for mine in self.pending if mine["place"] >= 0]
        self.wanted = set()
        assert self.bulk.force() == bool(chosen)
        ended = set[int]()
        for mine in chosen:
            place = mine["place"]
            if place not in ended:
                before = self.words["shared"][place // 4 + 1] >> 31
                self.move(mine)
                if self.words["shared"][place // 4 + 1] >> 31 != before:
                    ended.add(place)
                self.pending.remove(mine)

    def compare(self) -> None:
        for memory in (self.shared, self.arena):
            assert (memory.view(WORD) == self.words[memory.name]).all()
        held = Counter((byte, 4) for mine in self.pending if mine["held"] for byte in mine["origin"].tolist())
        assert +self.shared.held == held and not self.arena.held  # pyright: ignore
        assert self.events == self.told and self.changes == self.written and self.lent == self.lends
        sizes = {"shared": self.shared.stored, "global": self.arena.stored}
        assert sizes == {
            name: 4 * sum(len(at) for to, at, write in self.told if write and to == name) for name in sizes
        }
        assert len(self.bulk.pending) == len(self.pending)
        for place in BARRIERS if self.clocks is not None else ():
            mine = [one for one in self.pending if one["place"] == place]
            assert self.bulk.under_way(place) == sum(4 * len(one["into"]) for one in mine)
            assert self.bulk.unfinished(place) == min((one["since"] for one in mine), default=0)


@pytest.mark.parametrize("seed", range(0, 60, 15))
def test_transfers_move_when_they_are_waited_for(seed: int) -> None:
    for number in range(seed, seed + 15):
        scene = Scene(number)
        for _ in range(24):
            scene.rng.choice([scene.start, scene.start, scene.commit, scene.wait, scene.force])()  # type: ignore[arg-type]
            scene.compare()
        scene.bulk.drain()
        for mine in scene.pending:
            mine["held"] = False
            scene.move(mine)
        scene.pending.clear()
        scene.compare()


# -- what strict runs check -----------------------------------------------------------------------------------


class Watched(Memory):
    """Memory of which each check is noted."""

    def __init__(self, name: str, calls: list[Any], *, later: bool = False) -> None:
        super().__init__(name, 3)
        self.guarded, self.last, self.extent = True, None, len(self.bytes)

        def note(what: str, *parts: Any) -> None:
            calls.append((what, name, *(part.tolist() if isinstance(part, np.ndarray) else part for part in parts)))

        self.note = note
        self.proxies = SimpleNamespace(
            check=lambda _, space, index, lanes, size, write: note(f"fenced {space.name} {write}", index, lanes, size)
        )
        self.lifetimes = SimpleNamespace(engine=lambda _, engine, cta, lane: note("lives", engine, cta, lane))
        self.races: Any = SimpleNamespace(
            by_engine=lambda _, index, engine, size, flags: note("flies", index, engine, size, flags),
            settle=lambda _, index, lanes, size, write, flags: note(f"settles {write}", index, lanes, size, flags),
            read_later=lambda *_: later,
        )

    def before_async_load(self, _: Any, index: Array, lanes: Array, size: int, engines: Any = None) -> None:
        self.note("reads", index, lanes, size, engines)

    def before_store(
        self, _: Any, index: Array, lanes: Array, size: int, values: Any = None, later: bool = False
    ) -> None:
        self.note(f"writes {later}", index, lanes, size, values and values())

    def check_written(self, _: Any, index: Array, lanes: Array, size: int) -> None:
        self.note("is written", index, lanes, size)

    def mark(self, *_: Any) -> None:
        raise AssertionError


def strict(
    calls: list[Any], *, ctas: int = 2, known: bool = True, policy: str = "lazy"
) -> tuple[Bulk, Watched, Watched]:
    """An engine, whose clocks know an engine 0 at the first mbarrier, and shared and global memory."""
    shared, arena = Watched("shared", calls), Watched("global", calls)

    def engine(key: Any, cta: int) -> int:
        return 77 if key == "groups" else key + cta

    clocks = SimpleNamespace(
        now=7, tick=lambda: None, untold=lambda lanes: lanes < 0, lend=lambda *_: None, engine=engine,
    )  # fmt: skip
    machine: Any = SimpleNamespace(
        batch=SimpleNamespace(lanes=64, cta=np.arange(64) // 32), memory=SimpleNamespace(shared=shared),
        async_=policy, prompt=False, strict=True, clocks=clocks if known else None, watchers=[], change=lambda: None,
        launch=SimpleNamespace(cluster_ctas=ctas),
    )  # fmt: skip
    return Bulk(machine), shared, arena


def named(stem: str) -> Any:
    return SimpleNamespace(
        opcode=SimpleNamespace(stem=stem), fault=lambda *parts: KernelFault(parts[0], str(parts[1:]))
    )


FROM, TO, STRONG = [0, 4, 8, 12], [64, 68, 72, 76], stamps.STRONG | 2 << 3


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("ctas", [1, 2])
@pytest.mark.parametrize("place", [-1, 0, STRIDE + 8])
def test_what_is_checked_of_a_copy(place: int, ctas: int, known: bool) -> None:
    """Those who wait at its mbarrier know of its engine, of a group nobody; who reads is alive, in clusters."""
    calls: list[Any] = []
    engines, shared, arena = strict(calls, ctas=ctas, known=known)
    load = place >= 0
    source, target = (arena, shared) if load else (shared, arena)
    engines.start(transfer(site=named("cp.async.bulk"), source=source, target=target, load=load, signal=place, lane=33))
    engine, lanes = {-1: -1, 0: 0, STRIDE + 8: 9}[place] if known else -1, [33] * 4
    values = None if load else source.bytes[:16].reshape(4, 4).tolist()
    want: list[Any] = [("lives", source.name, engine, 0, 33)] if engine >= 0 and ctas > 1 else []
    want.append(("reads", source.name, FROM, lanes, 4, [engine] * 4 if engine >= 0 else None))
    want.append((f"fenced {target.name} True", target.name, TO, lanes, 4))
    want.append(("writes True", target.name, TO, lanes, 4, values))
    if known:
        want.append(("flies", target.name, TO, engine if load else 77, 4, stamps.ASYNC))
    assert calls == want


def test_what_is_checked_of_reductions_and_of_stores_of_registers() -> None:
    """They need what they change; what comes from registers needs no fence, and reads nothing."""
    for stem, source in (("cp.reduce.async.bulk", 1), ("red.async", None), ("st.async", None)):
        calls: list[Any] = []
        engines, shared, arena = strict(calls)
        reduces = stem != "st.async"
        engines.start(
            transfer(
                site=named(stem), source=arena if source else None, target=shared, signal=8, payload=np.zeros(4, WORD),
                reduce=np.add if reduces else None,
            )
        )  # fmt: skip
        names = [str(call[0]) for call in calls]
        before = ["lives", "reads"] if source else []
        between = (["is written"] if reduces else []) + (["fenced shared True"] if source else [])
        assert names == [*before, *between, "writes True", "flies"]
        assert calls[-1] == ("flies", "shared", TO, 8, 4, (STRONG if reduces else 0) | (stamps.ASYNC if source else 0))
        assert calls[-2][5] is None


def test_groups_that_are_waited_for_are_their_threads() -> None:
    """First what they have read, then what they have written, the same copy of a warp once; copies that signal are not."""
    for read in (True, False):
        calls: list[Any] = []
        engines, shared, arena = strict(calls)
        for lane in (1, 2, 33):
            engines.start(transfer(site=named("cp.async.bulk"), source=shared, target=arena, load=False, lane=lane))
        engines.start(transfer(site=named("cp.async.bulk"), source=arena, target=shared, signal=0, lane=1))
        engines.commit(Lanes(0, 64, None, 64))
        del calls[:]
        engines.wait(Lanes(0, 64, None, 64), 0, read)
        settled: list[Any] = []
        for lane in (1, 2, 33):
            settled.append(("settles False", "shared", FROM, [lane] * 4, 4, 0))
            settled += [] if read else [("settles True", "global", TO, [lane] * 4, 4, stamps.ASYNC)]
        assert calls == settled
        assert +shared.held == Counter()
        engines.wait(Lanes(0, 64, None, 64), 0, read)
        assert calls == settled  # They are told once.
        engines.wait(Lanes(0, 64, None, 64), 0, False)
        assert len(calls) == 6 and len(engines.pending) == 1


def test_copies_of_several_lanes_settle_together() -> None:
    calls: list[Any] = []
    engines, shared, arena = strict(calls)
    bundle = Bundle(np.zeros((3, 4), int), np.zeros((3, 4), int))
    for number, lane in enumerate((1, 2, 33)):
        one = transfer(
            site=named("cp.async.bulk"),
            source=shared,
            target=arena,
            load=False,
            lane=lane,
            bundle=bundle,
            number=number,
        )
        engines.start(one)
    engines.commit(Lanes(0, 64, None, 64))
    del calls[:]
    engines.wait(Lanes(0, 64, None, 64), 0, False)
    assert calls == [
        ("settles False", "shared", FROM * 2, [1] * 4 + [33] * 4, 4, 0),
        ("settles True", "global", TO * 2, [1] * 4 + [33] * 4, 4, stamps.ASYNC),
    ]


@pytest.mark.parametrize("heard", ["", "read", "done"])
@pytest.mark.parametrize("kind", ["load", "store", "inside"])
def test_threads_that_exit_under_copies(kind: str, heard: str) -> None:
    """Shared memory ends with its CTA: what still reads it, or writes it, is a fault; what is only in global memory is none."""
    calls: list[Any] = []
    engines, shared, arena = strict(calls)
    source, target = {"load": (arena, shared), "store": (shared, arena), "inside": (shared, shared)}[kind]
    place = -1 if kind == "store" else 0
    one = transfer(
        site=named("cp.async.bulk"), source=source, target=target, load=kind != "store", signal=place, lane=33
    )
    one.origin, one.into = one.origin + STRIDE, one.into + STRIDE
    engines.start(one)
    engines.commit(Lanes(0, 64, None, 64))
    if heard:
        engines.wait(Lanes(0, 64, None, 64), 0, heard == "read")
    verb = {"load": "write", "inside": "read", "store": "" if heard else "read"}[kind]
    if not verb:
        engines.drain()
        assert (
            engines.pending == []
            and (arena.bytes[STRIDE + 64 : STRIDE + 80] == shared.bytes[STRIDE : STRIDE + 16]).all()
        )
        return
    with pytest.raises(KernelFault) as caught:
        engines.drain()
    at = 64 if verb == "write" else 0
    assert caught.value.kind == "asynchronous-exit"
    assert caught.value.message == str(
        (f"the threads exit while the copy may still {verb} their shared memory", 33, at)
    )


def test_stores_of_what_is_there_already() -> None:
    """A store that a pending one makes the same writes what lies there, so that they do not conflict; the last one counts."""
    calls: list[Any] = []
    engines, shared, arena = strict(calls)

    def values(origin: int, into: int, **more: Any) -> list[list[int]]:
        words = 4 * np.arange(4)
        one = transfer(
            site=named("cp.async.bulk"), source=shared, target=arena, origin=origin + words, into=into + words, load=False, **more
        )  # fmt: skip
        engines.start(one)
        return next(call[5] for call in reversed(calls) if call[0] == "writes True")

    def rows(memory: Memory, start: int) -> list[list[int]]:
        return memory.bytes[start : start + 16].reshape(4, 4).tolist()

    assert values(0, 64) == rows(shared, 0)
    assert values(0, 64) == rows(arena, 64)
    assert values(4, 68) == [*rows(arena, 68)[:3], *rows(shared, 4)[3:]]
    assert values(16, 64) == rows(shared, 16)
    assert values(0, 64) == rows(shared, 0)  # Another one has been started since.
    shared.bytes[32:48] = shared.bytes[:16]
    assert values(32, 128, dtype=np.dtype("u4")) == rows(shared, 32)
    assert values(32, 128) == rows(arena, 128)


def test_reads_of_what_nothing_stores_are_noted_for_later() -> None:
    """From the first byte that is read to the last; many share the indices of one box, which are moved."""
    calls: list[Any] = []
    engines, shared, arena = strict(calls)
    asked: list[Any] = []
    arena.races.read_later = lambda _, at, note: asked.append((at, note)) or True
    box = np.array([0, 16, 4, 20])
    some = [
        transfer(
            site=named("cp.async.bulk.tensor"), source=arena, target=shared, signal=8 * number, lane=number,
            origin=box + 32 * number, into=100 * number + 4 * np.arange(4), folded=(box, 32 * number),
        )
        for number in range(2)
    ]  # fmt: skip
    engines.start_all(some)
    ((at, note),) = asked
    assert at == (0, 32 + 23) and not [call for call in calls if call[0] == "reads"]
    index, by = note.folded()
    assert index.tolist() == [*box, *(box + 32)] and by.tolist() == [0] * 4 + [8] * 4
    assert [call[:3] for call in calls if call[0] == "writes True"] == [
        ("writes True", "shared", [0, 4, 8, 12, 100, 104, 108, 112])
    ]
    assert [call[2:5] for call in calls if call[0] == "flies"] == [
        ([*range(0, 16, 4), *range(100, 116, 4)], [0] * 4 + [8] * 4, 4)
    ]
    assert engines.pending == some and (shared.bytes[:16] == 0xFF).all() and (shared.bytes[100:116] == 0xFF).all()
    del asked[:], calls[:]
    arena.races.read_later = lambda *_: False
    engines.start_all(
        [
            transfer(site=named("cp.async.bulk"), source=arena, target=shared, signal=8 * number, lane=number)
            for number in (0, 1)
        ]
    )
    assert [call[2:] for call in calls if call[0] == "reads"] == [(FROM * 2, [0] * 4 + [1] * 4, 4, [0] * 4 + [8] * 4)]


@pytest.mark.parametrize("twice", [False, True])
def test_stores_of_boxes_are_checked_together(twice: bool) -> None:
    """Each of the lanes', or of one lane for those of its warp that store the same."""
    calls: list[Any] = []
    engines, shared, arena = strict(calls)
    moves = np.array([0, 0 if twice else 16, 32])
    origin, into = 4 * np.arange(4) + moves[:, None], 128 + 4 * np.arange(4) + moves[:, None]
    lanes = np.repeat([1, 2, 33], 4)
    spot: Any = SimpleNamespace(index=origin.reshape(-1), lanes=lanes)
    bundle = Bundle(origin, into, spot)
    some = [
        transfer(
            site=named("cp.async.bulk.tensor"), source=shared, target=arena, load=False, lane=lane, bundle=bundle,
            number=number, origin=origin[number], into=into[number],
        )
        for number, lane in enumerate((1, 2, 33))
    ]  # fmt: skip
    engines.start_all(some)
    which = [0, 2] if twice else [0, 1, 2]
    by, bytes_ = (
        [lane for number in which for lane in [(1, 2, 33)[number]] * 4],
        shared.bytes[origin[which].reshape(-1)[:, None] + np.arange(4)],
    )
    assert calls == [
        ("reads", "shared", origin[which].reshape(-1).tolist(), by, 4, None),
        ("fenced global True", "global", into[which].reshape(-1).tolist(), by, 4),
        ("writes True", "global", into[which].reshape(-1).tolist(), by, 4, bytes_.tolist()),
        ("flies", "global", into[which].reshape(-1).tolist(), 77, 4, stamps.ASYNC),
    ]
    assert engines.pending == some and shared.last is (None if twice else spot)


@pytest.mark.parametrize("converts", [False, True])
def test_loads_of_boxes_move_together(converts: bool) -> None:
    """All that are waited for of one instruction, whose mbarriers hear of the bytes at once."""
    engines, shared, arena = strict([])
    engines.machine.strict = False
    origin, into = 4 * np.arange(4) + 16 * np.arange(3)[:, None], 64 + 4 * np.arange(4) + 32 * np.arange(3)[:, None]
    told: list[tuple[list[int], list[int]]] = []
    bundle = Bundle(origin, into, None, lambda places, counts: told.append((places.tolist(), counts.tolist())))
    change: Any = (lambda words: words ^ np.uint32(7)) if converts else None
    some = [
        transfer(
            site=named("cp.async.bulk.tensor"), source=arena, target=shared, lane=number, bundle=bundle, number=number,
            origin=origin[number], into=into[number], signal=16 * number, count=100 + number, convert=change,
        )
        for number in range(3)
    ]  # fmt: skip
    engines.start_all(some)
    words, held = arena.view(WORD), shared.view(WORD).copy()
    for wanted, numbers in (([0, 32], [0, 2]), ([16], [1])):
        engines.want(np.array(wanted))
        assert engines.force()
        assert told.pop() == (wanted, [100 + number for number in numbers])
        for number in numbers:
            held[into[number] // 4] = words[origin[number] // 4] ^ np.uint32(7 if converts else 0)
        assert (shared.view(WORD) == held).all()
    assert shared.stored == 48 and engines.pending == [] and not told
