"""All counters of a small kernel, counted by hand: as numbers, as JSON and as text; and its trace."""

from __future__ import annotations

from typing import Any

import numpy as np

import weft
from weft.sim import Counters, Result, Trace, run

TEXT = """.version 8.0
.target sm_80
.address_size 64
.const .align 4 .u32 two = 2;
.visible .entry k(.param .u64 p)
{
.reg .b64 %d<3>; .reg .b32 %r<6>; .reg .pred %p; .reg .b128 %q; .shared .align 4 .b8 s[8192];
ld.param.u64 %d0, [p];
mov.u32 %r0, %tid.x;
ld.const.u32 %r1, [two];
mad.wide.u32 %d1, %r0, 64, %d0;
ld.global.u32 %r2, [%d1];
mul.lo.u32 %r3, %r0, 128;
mov.u32 %r4, s;
add.u32 %r3, %r3, %r4;
st.shared.u32 [%r3], %r2;
bar.sync 0;
setp.lt.u32 %p, %r0, 40;
@%p atom.global.add.u32 %r5, [%d0], %r1;
@%p red.shared.add.u32 [s], 1;
ret;
}
"""
LINES: list[tuple[int, str, int, dict[str, tuple[int, ...]]]] = [
    (8, "ld.param.u64", 48, {"param": (2, 48 * 8, 0, 0, 0, 0)}),
    (9, "mov.u32", 48, {}),
    (10, "ld.const.u32", 48, {"const": (2, 48 * 4, 0, 0, 0, 0)}),
    (11, "mad.wide.u32", 48, {}),
    (12, "ld.global.u32", 48, {"global": (2, 48 * 4, 0, 48, 0, 0)}),  # A sector for each lane.
    (13, "mul.lo.u32", 48, {}),
    (14, "mov.u32", 48, {}),
    (15, "add.u32", 48, {}),
    (16, "st.shared.u32", 48, {"shared": (2, 0, 48 * 4, 0, 32 + 16, 31 + 15)}),  # All in one bank.
    (17, "bar.sync", 48, {}),
    (18, "setp.lt.u32", 48, {}),
    (19, "atom.global.add.u32", 40, {"global": (2, 40 * 4, 40 * 4, 2, 0, 0)}),
    (20, "red.shared.add.u32", 40, {"shared": (2, 40 * 4, 40 * 4, 0, 2, 0)}),
    (21, "ret", 48, {}),
]
"""Line, opcode, lanes, and of each space requests, bytes loaded and stored, sectors, wavefronts and conflicts."""
NAMES = ("requests", "loaded", "stored", "sectors", "wavefronts", "conflicts")
TABLE = """family  warps  active lanes
ld          6          24.0
mov         4          24.0
mad         2          24.0
mul         2          24.0
add         2          24.0
st          2          24.0
bar         2          24.0
setp        2          24.0
atom        2          20.0
red         2          20.0
ret         2          24.0
all        28          23.4

space   requests  loaded  stored
param          2   384 B     0 B
const          2   192 B     0 B
global         4   352 B   160 B           50 sectors, 12.5 a request
shared         4   160 B   352 B  50 wavefronts, 46 by bank conflicts

line  warps  active lanes  opcode
  12      2          24.0  ld.global.u32        48 sectors, 24.0 a request
  16      2          24.0  st.shared.u32        48 wavefronts, 46 by bank conflicts
  19      2          20.0  atom.global.add.u32  2 sectors, 1.0 a request
and 11 more instructions"""


def ran(**more: Any) -> Result:
    return run(weft.parse(TEXT), "k", 1, 48, [np.zeros(1024, np.uint32)], check="fast", **more)


def test_all_counters_of_a_kernel() -> None:
    result = ran(counters=True)
    found = result.counters
    assert found is not None
    lines = [
        {"function": "k", "line": line, "opcode": opcode, "warps": 2, "lanes": lanes,
         "spaces": {name: dict(zip(NAMES, counts, strict=True)) for name, counts in spaces.items()}}
        for line, opcode, lanes, spaces in LINES
    ]  # fmt: skip
    families: dict[str, dict[str, int]] = {}
    totals: dict[str, dict[str, int]] = {}
    for _, opcode, lanes, spaces in LINES:
        row = families.setdefault(opcode.split(".")[0], {"warps": 0, "lanes": 0})
        row["warps"], row["lanes"] = row["warps"] + 2, row["lanes"] + lanes
        for name, counts in spaces.items():
            total = totals.setdefault(name, dict.fromkeys(NAMES, 0))
            totals[name] = {each: total[each] + count for each, count in zip(NAMES, counts, strict=True)}
    assert found.to_json() == {
        "warp_instructions": 28, "active": sum(lanes for _, _, lanes, _ in LINES) / 28, "barriers": 2,
        "families": families, "spaces": totals, "lines": lines,
    }  # fmt: skip
    assert list(found.to_json()["families"]) == sorted(families, key=lambda name: -families[name]["warps"])
    assert found.table(3) == TABLE
    assert (
        found.table() == repr(found)
        and "more instruction" not in repr(found)
        and repr(found).endswith("  21      2          24.0  ret")
    )
    assert found.table(13).endswith("\nand 1 more instructions")
    costs = {line.line: line.cost for line in found.lines}
    assert (costs[8], costs[12], costs[16], costs[20]) == (2, 50, 50, 4)
    assert result.thread_instructions == 48 * 14
    assert result.bytes_loaded == {"global": 384 + 192 + 352, "shared": 160, "local": 0}
    assert result.bytes_stored == {"global": 160, "shared": 352, "local": 0}


def test_counters_of_nothing() -> None:
    none = Counters()
    assert (none.warp_instructions, none.active, none.barriers, none.families, none.spaces) == (0, 0.0, 0, {}, {})
    assert none.table() == "family  warps  active lanes\nall         0           0.0"


def test_the_trace_of_a_kernel() -> None:
    """Every instruction of each warp in order, with the lanes that take part and the registers that it writes."""
    events = ran(trace=Trace(values=True)).trace
    assert events is not None
    masks = {0: (1 << 32) - 1, 1: (1 << 16) - 1}
    for warp in (0, 1):
        mine = [event for event in events if event.warp == warp]
        assert [event.line for event in mine] == [line for line, *_ in LINES]
        for event, (line, opcode, lanes, _) in zip(mine, LINES, strict=True):
            mask = masks[warp] if lanes == 48 or not warp else (1 << 8) - 1
            assert (event.opcode, event.mask, event.cta) == (opcode, mask, (0, 0, 0))
            assert event.to_json() == {
                "step": event.step, "cta": [0, 0, 0], "warp": warp, "line": line, "opcode": opcode,
                "mask": f"0x{mask:08x}", "values": event.values,
            }  # fmt: skip
            for values in (event.values or {}).values():
                assert [word is not None for word in values] == [bool(mask >> lane & 1) for lane in range(32)]
        words = {event.line: event.values for event in mine}
        there = [32 * warp + lane if masks[warp] >> lane & 1 else None for lane in range(32)]
        assert words[9] == {"%r0": there} and words[10] == {"%r1": [None if n is None else 2 for n in there]}
        assert words[13] == {"%r3": [None if n is None else 128 * n for n in there]}
        assert words[18] == {"%p": [None if n is None else int(n < 40) for n in there]}
        assert words[16] == words[17] == words[20] == words[21] == {}
    assert [event.step for event in events] == sorted(event.step for event in events)
    plain = ran(trace=Trace(lines=[9, 21], warps=[1])).trace
    assert plain is not None and [(event.line, event.values) for event in plain] == [(9, None), (21, None)]
    assert "values" not in plain[0].to_json()


def test_values_of_wide_registers() -> None:
    text = TEXT.replace("mul.lo", "mov.u64 %d2, 7; mov.b128 %q, {%d2, %d2}; mul.lo")
    text = text.replace(".target sm_80", ".target sm_90").replace(".version 8.0", ".version 8.3")
    events = run(weft.parse(text), "k", 1, 2, [np.zeros(1024, np.uint32)], check="fast", trace=Trace(values=True)).trace
    (event,) = (event for event in events or () if event.opcode == "mov.b128")
    assert event.values == {"%q": [7 | 7 << 64] * 2 + [None] * 30}
