"""What is said of a race: who made the other access, what would order the two, and the values of both sides."""

from __future__ import annotations

import numpy as np

from weft.sim import stamps as st
from weft.sim.clocks import Clocks
from weft.sim.faults import Thread
from weft.sim.lanes import WARP, Array

READS, OVER_WRITE, OVER_READ, TOGETHER = (
    "reads what {other} {wrote}",
    "overwrites what {other} {wrote}",
    "overwrites what {other} {read}",
    "writes at the same time as {other}",
)


_ULPS = 1 << 12
_ORDINARY = 64, 192
"""Exponents of f32 between which words are taken for floats: small integers and most addresses have others."""


def nearly_equal(mine: Array, theirs: Array) -> Array:
    """Which rows of bytes are equal, or f32 numbers that agree in about half of their digits.

    Compilers of tiles let all lanes that hold copies of a sum store it.  Where a product and a sum have become one
    `fma`, each lane has rounded another term, and the copies differ by that.
    """
    if mine.shape[1] % 4:
        return np.zeros(len(mine), np.bool_)
    a, b = (np.ascontiguousarray(rows).view(np.int32).astype(np.int64) for rows in (mine, theirs))
    exponent = a >> 23 & 0xFF
    near = (abs(a - b) <= _ULPS) & (a ^ b >= 0) & (exponent >= _ORDINARY[0]) & (exponent < _ORDINARY[1])
    found: Array = ((a == b) | near).all(axis=1)
    return found


def other_side(clocks: Clocks, stamp: int, lane: int) -> tuple[str, str, bool]:
    """Who made a stamp, where, and whether it is an asynchronous operation; `lane` makes the access now."""
    batch = clocks.machine.batch
    site = clocks.site(stamp)
    line = site.position.line if site is not None else 0
    where = f" (line {line})" if line else ""
    other = stamp >> st.LANE_AT & (1 << st.LANE_BITS) - 1
    row = other // WARP
    role, cta = divmod(row, clocks.ctas)
    if stamp & st.ENGINE and site is not None and site.opcode.stem == "mbarrier.init":
        return "the initialisation of the mbarrier", where, True
    if stamp & st.ENGINE:
        return f"an asynchronous {site.opcode.stem if site else 'operation'}", where, True
    if (stamp >> st.TIME_AT & (1 << st.TIME_BITS) - 1) < clocks.first:
        return "an earlier CTA", where, False
    if row == lane // WARP:
        several = "other lanes" if stamp & st.MANY else f"lane {other % WARP}"
        return f"{several} of the same warp", where, False
    who = f"warp {role}"
    if cta != int(batch.cta[lane]):
        who += f" of CTA {batch.thread(row * WARP).cta}"
    return who, where, False


def other_thread(clocks: Clocks, stamp: int, lane: int) -> Thread | None:
    """The thread of another warp that made a stamp; None for engines, earlier CTAs, and what several lanes did."""
    other = stamp >> st.LANE_AT & (1 << st.LANE_BITS) - 1
    if stamp & (st.ENGINE | st.MANY) or other // WARP == lane // WARP:
        return None
    if (stamp >> st.TIME_AT & (1 << st.TIME_BITS) - 1) < clocks.first:
        return None
    return clocks.machine.batch.thread(other)


def remedy(clocks: Clocks, stamp: int, lane: int, message: str, word: int, line: int = 0) -> str:
    """What would order an access of a lane, of a `word` and in a `line`, after that of a stamp."""
    row = (stamp >> st.LANE_AT & (1 << st.LANE_BITS) - 1) // WARP
    if stamp & st.ENGINE:
        return "wait for the operation first, at its mbarrier or for its group"
    site = clocks.site(stamp)
    between = _between(site.position.line if site is not None else 0, line)
    if row == lane // WARP and message is TOGETHER:
        return "let only one lane store, or use an atomic: which value remains is undefined"
    if row == lane // WARP:
        return f"insert bar.warp.sync {between}: nothing else orders the lanes of a warp"
    if row % clocks.ctas != int(clocks.machine.batch.cta[lane]):
        if stamp & word & st.STRONG and stamp & 7 == word & 7:
            return "give both accesses a scope that includes both threads (.gpu, or .cluster within one cluster)"
        order = "order the CTAs by a release and an acquire at a flag, with a scope that includes both"
        return f"{order}, {between}; or use atomics"
    if message is TOGETHER:
        return "let one thread store, or use an atomic: which value remains is undefined"
    return f"put a barrier of the CTA, or an arrival and a wait at an mbarrier, {between}; or use atomics"


def _between(earlier: int, later: int) -> str:
    """Where something is missing between the accesses of two lines, of which `earlier` comes first when they run."""
    if not earlier or not later:
        return "between the two accesses"
    if earlier < later:
        return f"between line {earlier} and line {later}"
    return f"after line {earlier}, before line {later} comes again"


def number(data: Array, start: int, size: int) -> int:
    """Bytes of memory as a number."""
    return int.from_bytes(data[start : start + size].tobytes(), "little")


def values_of(value: int | None, there: int, message: str) -> str:
    """What a report says of the values of both sides."""
    if message is READS:
        return f"this access reads {there:#x}"
    if message is TOGETHER and value is not None:
        return f"this access stores {value:#x}, the other {there:#x}"
    return (
        f"memory holds {there:#x}" if value is None else f"memory holds {there:#x}, and this access stores {value:#x}"
    )
