"""Release and acquire patterns: what strong accesses to one place tell those who read what they wrote.

A store, or an atomic, with release semantics tells all that its warp knows; a relaxed one what the warp knew at its
last fence.  Who reads it with acquire semantics knows that too, who reads it relaxed knows it after the next fence.
Only the write that is read counts, and the chain of atomics that started with it: a store by another warp ends the
chain.  Each of fence, write and read has a scope; what is told reaches only readers inside all of them.

Levels are those of the scopes: 0 tells the CTA, 1 the cluster, 2 everyone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.dataclass import dataclass
from weft.errors import Severity
from weft.sim.clock_rows import FENCED, KNOWN
from weft.sim.lanes import WARP, Array, Lanes, changes
from weft.sim.space import UNWRITTEN, lane_of
from weft.sim.stamps import LANE_AT, LANE_BITS, STRONG, TIME_AT, TIME_BITS, access_of, scope_of
from weft.sim.updates import in_turn

if TYPE_CHECKING:
    from weft.isa.opcode import Opcode
    from weft.sim.clocks import Clocks
    from weft.sim.machine import Machine
    from weft.sim.program import Program
    from weft.sim.race_log import Note
    from weft.sim.site import Site
    from weft.sim.space import Space

CROWD = 4096
"""Pairs of a warp and a place that one operation orders singly; past that all of them are ordered."""
_EVERYWHERE = -1
MANY = 128
"""Lanes of one operation whose older values are kept."""
_NOTHING: dict[tuple[int, int], Array] = {}
SPARED, DELAYED = 2, 12
"""Times that one instruction finds a completed phase, or a flag, as it was before."""
HISTORY = 6
"""Values of a flag before its last one that are kept."""


def _levels(opcode: Opcode) -> tuple[bool, int]:
    """Whether an instruction takes part in patterns with a fence, acquire or release of its own; and its level."""
    if one_way(opcode):
        return True, min(2, scope_of(opcode))
    if opcode.stem in ("fence", "membar"):
        return not (opcode.get("proxykind") or opcode.get("op_restrict")), min(2, scope_of(opcode))
    if access_of(opcode) in ("ld", "st", "atom", "red") and opcode.get("sem") not in ("", "weak"):
        return opcode.get("sem") not in ("relaxed", "volatile"), min(2, scope_of(opcode))
    return False, 2


def levels(program: Program) -> list[int]:
    """The levels that a kernel's patterns need; none when it has no patterns.

    Strong stores and loads without a fence are half of one: loads may find older values.
    """
    opcodes = program.opcodes
    found = [_levels(opcode) for opcode in opcodes]
    strong = {opcode.stem for opcode in opcodes if opcode.get("sem") in ("relaxed", "volatile")}
    if not any(orders for orders, _ in found) and not strong >= {"ld", "st"}:
        return []
    return [2] if all(level == 2 for _, level in found) else [0, 1, 2]


def one_way(opcode: Opcode) -> bool:
    """Whether a fence lets the async proxy see generic accesses that it releases, or acquires."""
    return opcode.stem == "fence.proxy" and opcode.get("proxykind") == "async::generic"


def releases_to_async(program: Program) -> bool:
    """Whether a kernel has such fences."""
    return any(map(one_way, program.opcodes))


def restricts(program: Program) -> bool:
    """Whether a kernel has fences that order accesses to shared memory only."""
    return any(opcode.stem == "fence" and bool(opcode.get("sync_restrict")) for opcode in program.opcodes)


@dataclass(frozen=True, slots=True)
class Fence:
    """What a fence does: its level, whether it acquires, releases, has a place in the `total` order; where.

    `near` ones order accesses to shared memory only, those of `one_way` generic ones before async ones.
    """

    level: int
    acquires: bool
    releases: bool
    total: bool
    near: bool
    one_way: bool = False


def fence_of(opcode: Opcode) -> Fence:
    """What a fence does beside letting other proxies see anything."""
    sem = opcode.get("sem")
    return Fence(
        min(2, scope_of(opcode)),
        acquires=sem != "release",
        releases=sem != "acquire",
        total=opcode.stem == "membar" or sem == "sc",
        near=bool(opcode.get("sync_restrict")),
        one_way=one_way(opcode),
    )


@dataclass(frozen=True, slots=True)
class _Older:
    """What a flag held before a write: its number, when and by which row that was, the bytes, and what they told.

    `written` says that these had been written.
    """

    number: int
    time: int
    writer: int
    bytes: bytes
    told: dict[tuple[int, int], Array]
    written: bool = True


class Flags:
    """The flags of a batch.

    `fenced` is what rows knew at their last fence by level, and what others of their CTA had fenced before a barrier;
    `seen` is what their relaxed reads have met since.  `_total` is what all knew at their `fence.sc`, by
    scopes: one that comes later knows of the stores before the earlier ones, though it is not ordered after them.
    `_newest` is when the last write of another row was that a row has read from, by both.
    """

    def __init__(self, machine: Machine, levels: list[int]) -> None:
        self.machine = machine
        self.levels = levels
        self.fenced: dict[int, Array] = {}
        self.seen: dict[int, Array] = {}
        self._told: dict[int, dict[tuple[int, int], Array]] = {}
        self._turns: dict[int, list[dict[tuple[int, int], Array]]] = {}
        self._writer: dict[int, int] = {}
        self._version = 0
        self._met: dict[tuple[int, int, bool, int], int] = {}
        self._versions: dict[int, int] = {}
        self._older: dict[int, list[_Older]] = {}
        self._total: dict[tuple[int, int], Array] = {}
        self._totals: dict[int, Array] = {}
        self._seen_by: dict[int, dict[int, list[tuple[int, int]]]] = {}
        self._newest: dict[int, dict[int, int]] = {}
        self._fenced_at: Array = np.full(machine.batch.ctas, -1)
        self._wrote_at: Array = np.zeros(machine.batch.ctas, np.int64)

    def reset(self) -> None:
        """A new batch begins."""
        self.fenced, self.seen = {}, {}
        self._total.clear()
        self._totals.clear()
        self._fenced_at[:], self._wrote_at[:] = -1, 0
        for table in (self._told, self._turns, self._writer, self._met, self._versions, self._older, self._seen_by):
            table.clear()
        self._newest.clear()

    def _tables(self) -> None:
        clocks = self.machine.clocks
        assert clocks is not None
        if not self.fenced:
            clocks.ordered = True
            clocks.widen()
            self.fenced = {level: np.zeros_like(clocks.known) for level in self.levels}
            self.seen = {level: np.zeros_like(clocks.known) for level in self.levels}

    def grow(self, more: int) -> None:
        """Rows get more columns."""
        self.fenced, self.seen = (
            {k: _wider(t, more) for k, t in self.fenced.items()},
            {k: _wider(t, more) for k, t in self.seen.items()},
        )
        for place, told in self._told.items():
            self._told[place] = {k: _wider(t, more) for k, t in told.items()}
        self._older.clear()
        self._total.clear()
        self._totals.clear()

    def written(self, lanes: Array | slice, note: Note) -> None:
        """Lanes store: strongly and right after a fence of their CTA, to tell others, or something to tell of.

        Who has met such a store, and fences, may access its place plainly: a counter is reset by the last block.
        """
        ctas = self.machine.batch.cta[lanes]
        if note.word & STRONG:
            note.released = self._fenced_at[ctas] >= self._wrote_at[ctas]
            ctas = ctas[~note.released]
        clocks = self.machine.clocks
        assert clocks is not None
        self._wrote_at[ctas] = clocks.now

    def glimpse(self, row: int, told: Array, remote: bool) -> None:
        """A row has met what is told (planes by columns), of its own CTA or (`remote`) of its cluster."""
        ctas = self.machine.batch.ctas
        own = slice(row % ctas, None, ctas)
        for level, seen in self.seen.items():
            which = slice(None) if remote and level else own
            seen[:, row, which] = np.maximum(seen[:, row, which], told[:, which])

    def fenced_by(self, rows: Array, level: int) -> Array:
        """What rows knew at their last fence: planes by rows by columns."""
        self._tables()
        return self.fenced[level if level in self.fenced else 2][:, rows]

    def glimpsed(self, stamps: Array, lanes: Array) -> Array:
        """Whether what relaxed reads have met tells lanes of accesses, though no fence has come since.

        Volatile reads stay after them: so the last block of a reduction reads what the others have stored.
        """
        clocks = self.machine.clocks
        if not self.seen or clocks is None:
            return np.zeros(len(stamps), np.bool_)
        time = stamps >> np.uint64(TIME_AT) & np.uint64((1 << TIME_BITS) - 1)
        row = (stamps >> np.uint64(LANE_AT)).astype(np.int64) >> 5 & (1 << LANE_BITS - 5) - 1
        seen = self.seen[self.levels[-1]][0]
        return seen[lanes // WARP, clocks.column(row)] >= time.astype(np.int64)

    def fence(self, lanes: Lanes, fence: Fence) -> None:
        """Lanes execute a fence: what they have read before it they know, what they store after it tells of it."""
        self._tables()
        clocks = self.machine.clocks
        assert clocks is not None
        rows = clocks.rows_of(lanes.select)
        if not fence.one_way:
            stored = self._wrote_at if fence.level else None
            clocks.fence(lanes.select, acquires=fence.acquires, releases=fence.releases, stored=stored)
        inside = [each for each in self.levels if each <= fence.level]
        planes = np.array([FENCED, clocks.relayed]) if fence.one_way else np.arange(clocks.planes)
        if fence.near:  # What is known of global memory stays as it is.
            planes = planes[planes != clocks.far]
        for each in inside if fence.acquires else ():
            told = np.zeros_like(clocks.known[:, rows])
            told[planes] = self.seen[each][planes[:, None], rows]
            clocks.learn(rows, told)
        if fence.releases:
            known = clocks.all_of(rows, lanes.select)
            if fence.one_way:
                known[clocks.relayed] = known[KNOWN]
            else:
                self._fenced_at[clocks.cta_of_row[rows]] = clocks.now
            for each in inside:
                self.fenced[each][planes[:, None], rows] = known[planes]
        if fence.total and len(rows) <= MANY:
            self._agree(rows, lanes, inside)
        clocks.tick()

    def _agree(self, rows: Array, lanes: Lanes, inside: list[int]) -> None:
        """Rows execute a `fence.sc`: of two such fences, each in the other's scope, the later one comes after."""
        clocks = self.machine.clocks
        assert clocks is not None
        known = clocks.all_of(rows, lanes.select)[0]
        for row, mine in zip(rows.tolist(), known, strict=True):
            keys = [(each, self._domain(row, each)) for each in inside]
            for key in keys:
                if key in self._total:
                    mine = np.maximum(mine, self._total[key])
            self._totals[row] = mine
            self._total.update(dict.fromkeys(keys, mine))

    def keep(
        self, space: Space, places: Array, index: Array, lanes: Array | slice, size: int, *, update: bool = False
    ) -> None:
        """Keep what flags hold before lanes write to them: others may still read it."""
        clocks = self.machine.clocks
        assert clocks is not None
        if len(index) > MANY:
            return
        for place, start, row in zip(places.tolist(), index.tolist(), clocks.row_of_lane[lanes].tolist(), strict=True):
            older = self._older.get(place)
            if older is None or older[-1].time != clocks.now or not (update or older[-1].writer == row):
                bytes_ = space.bytes[start : start + size].tobytes()
                written = space.shadow is None or bool((space.shadow[start : start + size] != UNWRITTEN).all())
                self._put(place, clocks.now, row, bytes_, self._told.get(place, _NOTHING), written)

    def _put(
        self, place: int, time: int, row: int, bytes_: bytes, told: dict[tuple[int, int], Array], written: bool = True
    ) -> None:
        """Keep what a flag holds before a row writes to it."""
        older = self._older.setdefault(place, [])
        older.append(_Older(older[-1].number + 1 if older else 0, time, row, bytes_, told, written))
        del older[:-HISTORY]

    def updated(self, places: Array, lanes: Array | slice, old: Array) -> None:
        """Lanes have updated flags in turns, and have found `old` values: keep those that warps have left."""
        clocks = self.machine.clocks
        assert clocks is not None
        if len(places) > MANY:
            return
        rows = clocks.row_of_lane[lanes]
        for place, told in self._turns.items():
            mine = np.flatnonzero(places == place)
            turns = mine[changes(rows[mine])]
            if len(turns) == len(told):
                for turn, before in zip(turns[1:].tolist(), told[1:], strict=True):
                    self._put(place, clocks.now - 1, int(rows[turn]), old[turn].tobytes(), before)

    def older(
        self, site: Site, places: Array, lanes: Array | slice, size: int, *, acquire: bool, level: int
    ) -> tuple[Array, Array] | None:
        """Which lanes may as well read what flags held before writes that nothing orders; and those bytes.

        Lazily, the first times: it is how a read that is not repeated, or not waited for, shows. Each warp reads one
        value after the other.
        """
        clocks, machine = self.machine.clocks, self.machine
        assert clocks is not None
        if machine.async_ != "lazy" or machine.schedule is not None or not self._older:
            return None  # A schedule decides who is late.
        if site.spared >= DELAYED or len(places) > MANY:
            return None
        found = np.zeros((len(places), size), np.uint8)
        which = np.zeros(len(places), np.bool_)
        chosen: dict[tuple[int, int], _Older | None] = {}
        for number, key in enumerate(zip(places.tolist(), clocks.row_of_lane[lanes].tolist(), strict=True)):
            if key not in chosen:
                older = chosen[key] = self._before(*key, size)
                if older is not None:
                    if not older.written:
                        self._blame(site, number, lanes)
                    elif older.time < self._newest.get(key[1], {}).get(older.writer, 0):
                        self._tell(site, number, lanes, older.writer)
                    self._see(*key, older.number)
                    self._learn(older.told, key[1], acquire, level)
            older = chosen[key]
            if older is not None:
                which[number] = True
                found[number] = np.frombuffer(older.bytes, np.uint8)
        if not which.any():
            return None
        site.spared += 1
        return which, found

    def _blame(self, site: Site, number: int, lanes: Array | slice) -> None:
        """A lane may read a flag before anything is written there."""
        message = "may read the flag before anything has written it: nothing orders this access after the first write"
        fault = site.fault("uninitialised-memory", message, lane_of(lanes, number))
        fault.hint = "initialise the flag before a barrier that its readers and writers take part in"
        site.report(fault)

    def _tell(self, site: Site, number: int, lanes: Array | slice, writer: int) -> None:
        """A lane reads what was there before a strong store, though it has read from a later one of the same thread."""
        machine, lane = self.machine, lane_of(lanes, number)
        role, cta = divmod(writer, machine.batch.ctas)
        far = cta != int(machine.batch.cta[lane])
        who = f"warp {role}" + (f" of CTA {machine.batch.thread(writer * WARP).cta}" if far else "")
        message = f"may read what was there before a store of {who}, though it has read what that one stored later"
        fault = site.fault("race", message, lane)
        fault.hint = (
            "volatile and relaxed accesses do not order others: "
            "put a fence between the two stores and between the loads"
        )
        site.report(fault, Severity.NOTE)

    def _before(self, place: int, row: int, size: int) -> _Older | None:
        """The oldest value of a flag that a row may read, and has not read."""
        clocks = self.machine.clocks
        assert clocks is not None
        readers = self._seen_by.get(place, {})
        if place not in self._older or len(readers) > MANY:
            return None
        # Who reads what nothing has written may do so again: contents of every kind show whether it matters.  Fences of
        # the total order may then come in another order.
        again = self.machine.witness is not None
        total, known = self._totals.get(row), clocks.known[0, row]
        if total is not None and not again:
            known = np.maximum(known, total)
        least = -1
        for reader, seen in readers.items():
            last = clocks.now if reader == row else int(known[_column(clocks, reader)])
            least = max(least, *(number for number, time in seen if time <= last), -1)
        found = None
        for older in reversed(self._older[place]):
            if older.number < least + (not again):
                break
            if older.writer == row or known[_column(clocks, older.writer)] >= older.time:
                break
            found = older
        return found if found is not None and len(found.bytes) == size else None

    def _see(self, place: int, row: int, number: int) -> None:
        """A row reads a value of a flag: it never reads an older one again, nor do those who know of that."""
        seen = self._seen_by.setdefault(place, {}).setdefault(row, [])
        if not seen or seen[-1][0] != number:
            clocks = self.machine.clocks
            assert clocks is not None
            seen.append((number, clocks.now))
            del seen[:-HISTORY]

    def access(
        self, places: Array, lanes: Array | slice, *, acquire: bool, release: bool, kind: str, level: int
    ) -> None:
        """Lanes access flags, in lane order: `kind` is `read`, `write` or `update`."""
        self._tables()
        clocks = self.machine.clocks
        assert clocks is not None
        rows = clocks.row_of_lane[lanes]
        pairs = np.stack([places, rows])
        new = np.flatnonzero((np.diff(pairs, axis=1, prepend=-1) != 0).any(axis=0))
        pairs = pairs[:, new]
        if pairs.shape[1] > CROWD:
            pairs = np.stack([np.zeros(len(np.unique(rows)), np.int64), np.unique(rows)])
        self._turns.clear()
        if kind != "read":
            clocks.speak(lanes, relaxed=not release)
            if self.machine.schedule is not None:
                self.machine.schedule.wrote()
        if kind != "write" and not acquire:
            clocks.meet_flags(lanes)
        clocks.publish(np.unique(rows), lanes)
        for place, row in pairs.T.tolist():
            if kind != "write":
                self._read(place, row, acquire, level)
            if kind != "read":
                self._write(place, row, release, level, kind == "update")
        if kind == "update" and len(places) > pairs.shape[1]:
            in_turn(clocks, places, lanes, acquire=acquire, release=release)
        if kind != "read" or acquire:  # What comes now is later than what has been heard.
            clocks.tick()

    def _domain(self, row: int, level: int) -> int:
        cta = row % self.machine.batch.ctas
        return _EVERYWHERE if level == 2 else cta if level == 0 else cta // self.machine.launch.cluster_ctas

    def _read(self, place: int, row: int, acquire: bool, level: int) -> None:
        clocks = self.machine.clocks
        assert clocks is not None
        older = self._older.get(place)
        if older is not None:
            self._see(place, row, older[-1].number + 1)
            mine, last = self._newest.setdefault(row, {}), older[-1]
            mine[last.writer] = max(last.time, mine.get(last.writer, 0))
        version = self._versions.get(place, 0)
        if self._met.get((place, row, acquire, level)) == version:
            return
        self._met[place, row, acquire, level] = version
        self._learn(self._told.get(place, _NOTHING), row, acquire, level)

    def _learn(self, tellings: dict[tuple[int, int], Array], row: int, acquire: bool, level: int) -> None:
        """A row has read what was told: it knows it now, or after its next fence."""
        clocks = self.machine.clocks
        assert clocks is not None
        for each in self.levels:
            told = tellings.get((each, self._domain(row, each))) if each <= level else None
            if told is None:
                continue
            if acquire:
                clocks.learn(np.array([row]), told)
            else:
                self.seen[each][:, row] = np.maximum(self.seen[each][:, row], told)
                if clocks.tensor:
                    mine = clocks.known[clocks.tensor, row]
                    np.maximum(mine, told[clocks.tensor], out=mine)

    def _write(self, place: int, row: int, release: bool, level: int, update: bool) -> None:
        clocks = self.machine.clocks
        assert clocks is not None
        before = self._told.get(place, _NOTHING)
        if update:
            self._turns.setdefault(place, []).append(before)
        now = {} if not update and self._writer.get(place, row) != row else dict(before)
        if not update or place not in self._writer:
            self._writer[place] = row
        changed = False
        for each in self.levels:
            if each > level:
                continue
            value = clocks.known[:, row] if release else self.fenced[each][:, row]
            if clocks.tensor and not release:
                value = value.copy()
                value[clocks.tensor] = clocks.known[clocks.tensor, row]
            if not release and not value.any():
                continue
            key = each, self._domain(row, each)
            older = now.get(key)
            now[key] = value.copy() if older is None else np.maximum(older, value)
            changed = True
        self._told[place] = now
        if changed or not update:
            self._version += 1
            self._versions[place] = self._version


def _column(clocks: Clocks, row: int) -> int:
    return row if clocks.wide else row // clocks.ctas


def _wider(table: Array, more: int) -> Array:
    return np.concatenate([table, np.zeros((*table.shape[:-1], more), table.dtype)], axis=-1)
