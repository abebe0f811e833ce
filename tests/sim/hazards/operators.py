"""Faults by list: what a hand slips at in a text that synchronises, applied to each statement where it makes sense.

A statement that synchronises is deleted, weakened, moved past its neighbour, done twice, done by some threads only; its
parity, count, bytes or mask are changed.  Unlike `mutations`, these do not ask whether a kernel becomes wrong by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

_COMMENT = re.compile(r"//[^\n]*|^[ \t]*\.loc\b[^\n]*", re.MULTILINE)
_STATEMENT = re.compile(r"((?:\s|[\w$]+:(?=\s)|\{(?=\s)|\}(?=\s))*)((?:(@!?%\w+)\s+)?([a-z][\w.:]*)([^;]*);)")
_SYNC = re.compile(
    r"bar\.|barrier\.|fence|membar|mbarrier\.|cp\.async\.(bulk\.)?(wait|commit)|cp\.async\.mbarrier"
    r"|wgmma\.(fence|commit|wait)|tcgen05\.(fence|commit|wait|alloc|dealloc)|tensormap"
)
_ACCESS = re.compile(
    r"(?!ld\.param)(ld|st|atom|red|cp\.async|cp\.reduce|wgmma\.mma|tcgen05\.(mma|ld|st|cp|shift)|ldmatrix|stmatrix)\b"
)
_STARTS = re.compile(r"cp\.|st\.async|red\b|wgmma\.mma|tcgen05\.|atom\b")
_LEAVES = re.compile(r"bra|ret|exit|call|trap")
_GUARDS = {
    "only thread 0": "setp.eq.u32 %zq, %za, 0;",
    "not thread 0": "setp.ne.u32 %zq, %za, 0;",
    "not thread 5": "setp.ne.u32 %zq, %za, 5;",
    "not warp 0": "shr.u32 %za, %za, 5; setp.ne.u32 %zq, %za, 0;",
    "not warp 1": "shr.u32 %za, %za, 5; setp.ne.u32 %zq, %za, 1;",
    "not CTA 0": "mov.u32 %za, %ctaid.x; setp.ne.u32 %zq, %za, 0;",
    "not CTA 1": "mov.u32 %za, %ctaid.x; setp.ne.u32 %zq, %za, 1;",
}
_WEAKER = (
    (r"^fence\.proxy\.async[\w.:]*$", "fence.acq_rel.gpu"),
    (r"^fence\.proxy\.async$", "fence.proxy.async.global"),
    (r"^fence\.proxy\.async$", "fence.proxy.async.shared::cta"),
    (r"^membar\.\w+", "fence.proxy.async"),
    (r"^mbarrier\.arrive(?=\.shared|\.b64)", "mbarrier.arrive.relaxed.cta"),
    (r"^mbarrier\.(try|test)_wait(\.parity)?(?=\.shared|\.b64)", r"mbarrier.\1_wait\2.relaxed.cta"),
    (r"^mbarrier\.arrive\.release\.cluster", "mbarrier.arrive.relaxed.cluster"),
    (r"^mbarrier\.(try|test)_wait(\.parity)?\.acquire\.cluster", r"mbarrier.\1_wait\2.relaxed.cluster"),
    (r"^barrier\.cluster\.arrive(\.release)?(\.aligned)?$", r"barrier.cluster.arrive.relaxed\2"),
    (r"^cp\.async\.bulk\.wait_group(?!\.read)", "cp.async.bulk.wait_group.read"),
    (r"^(ld|st|atom|red)(\.async)?\.(acquire|release|acq_rel)", r"\1\2.relaxed"),
    (r"^(ld|st)\.(?:relaxed|acquire|release)\.(?:gpu|sys|cluster|cta)", r"\1"),
    (r"^(ld|st)\.volatile", r"\1"),
    (r"^(?!barrier|fence\.mbarrier|\w+\.async)(.*?)\.(gpu|sys|cluster)(?=\.|$)", r"\1.cta"),
    (r"^cp\.async\.mbarrier\.arrive\.noinc", "cp.async.mbarrier.arrive"),
    (r"^cp\.async\.mbarrier\.arrive(?=\.shared|\.b64)", "cp.async.mbarrier.arrive.noinc"),
    (r"^tcgen05\.wait::ld", "tcgen05.wait::st"),
    (r"^tcgen05\.wait::st", "tcgen05.wait::ld"),
)
_COUNTED = re.compile(
    r"mbarrier\.init|mbarrier\.(arrive\.)?expect_tx|cp\.async\.(bulk\.)?wait_group|wgmma\.wait_group|bar"
)
_TWICE = re.compile(r"(mbarrier|cp\.async\.mbarrier)\..*(arrive|expect|init)|mbarrier\.inval|tcgen05\.commit")
_NUMBER = re.compile(r"(?<![\w%+\[.])(\d+)(?![\w\]])")


@dataclass(frozen=True, slots=True)
class Statement:
    """An instruction with its guard, from `start` to `end` of the text; `label` is what stands before it."""

    start: int
    end: int
    label: str
    guard: str
    opcode: str
    operands: str


@dataclass(frozen=True, slots=True)
class Unit:
    """One statement, or a loop that polls: a wait and the branch back to it, from `start` (its label) to `end`."""

    first: Statement
    start: int
    end: int
    polls: bool


@dataclass(frozen=True, slots=True)
class Mutant:
    """A text with one `kind` of fault in `line`, at `opcode`.

    `probe`, where there is one, traps in the threads that a guard keeps away, or that another number would concern:
    without such threads nothing has changed.
    """

    kind: str
    line: int
    opcode: str
    text: str
    probe: str = ""


def statements(text: str) -> list[Statement]:
    """The instructions of the kernel in a text."""
    plain = _COMMENT.sub(lambda match: " " * len(match.group()), text)
    return [
        Statement(*match.span(2), match[1].strip(), match[3] or "", match[4], match[5])
        for match in _STATEMENT.finditer(plain, _body(text))
    ]


def _body(text: str) -> int:
    return text.index("{", text.index(".entry")) + 1


def _units(text: str, found: Sequence[Statement]) -> list[Unit]:
    units: list[Unit] = []
    rest = list(found)
    while rest:
        one = rest.pop(0)
        label = one.label.split(":")[0].split()[-1] if ":" in one.label else ""
        if label and re.match(r"mbarrier\.\w+_wait", one.opcode) and rest and rest[0].operands.strip() == label:
            units.append(Unit(one, text.rindex(f"{label}:", 0, one.start), rest.pop(0).end, polls=True))
        else:
            units.append(Unit(one, one.start, one.end, polls=False))
    return units


def _reopened(text: str) -> str:
    """A text with the registers that mutants use."""
    return f"{text[: _body(text)]} .reg .pred %zq; .reg .b32 %za; {text[_body(text) :]}"


Edit = tuple[str, str, str]
"""The kind of a fault, the text that has it, and a probe or nothing."""


def _instead(text: str, unit: Unit, new: str) -> str:
    return text[: unit.first.start] + new + text[unit.first.end :]


def _deleted(text: str, unit: Unit) -> Iterator[Edit]:
    one = unit.first
    yield "deleted", text[: one.start] + text[unit.end :], ""
    if unit.polls:
        yield "not repeated", text[: one.end] + text[unit.end :], ""
    elif _TWICE.match(one.opcode):
        yield "twice", f"{text[: unit.end]} {text[one.start : unit.end]}{text[unit.end :]}", ""


def _guarded(text: str, unit: Unit) -> Iterator[Edit]:
    if unit.polls or unit.first.guard:
        return
    whole = text[unit.start : unit.end]
    for name, chosen in _GUARDS.items():
        before, after = f"{text[: unit.start]}mov.u32 %za, %tid.x; {chosen}", text[unit.end :]
        yield f"guarded: {name}", f"{before} @%zq {whole}{after}", f"{before} @!%zq trap; {whole}{after}"


def _weakened(text: str, unit: Unit) -> Iterator[Edit]:
    one = unit.first
    written = text[one.start : one.end]
    if re.match(r"bar\.sync\s+0\s*;", written):
        yield "weakened to bar.warp.sync", _instead(text, unit, "bar.warp.sync 0xffffffff;"), ""
    for pattern, new in _WEAKER:
        weaker = re.sub(pattern, new, one.opcode, count=1)
        if weaker != one.opcode:
            yield f"weakened to {weaker}", _instead(text, unit, written.replace(one.opcode, weaker, 1)), ""


def _numbers(text: str, unit: Unit) -> Iterator[Edit]:
    one = unit.first
    written = text[one.start : one.end]

    def with_operands(new: str, before: str = "") -> str:
        return _instead(text, unit, before + written.replace(one.operands, new))

    if re.match(r"mbarrier\.\w+_wait\.parity", one.opcode):
        place, rest = one.operands.split("],", 1)
        parity, *hint = rest.split(",")
        after = "".join(f",{one}" for one in hint)
        yield "parity", with_operands(f"{place}], %za{after}", f"xor.b32 %za, {parity.strip()}, 1; "), ""
        other = f"setp.ne.u32 %zq, {parity.strip()}, 0; @%zq trap; "
        yield "parity always 0", with_operands(f"{place}], 0{after}"), with_operands(one.operands, other)
    if one.opcode == "bar.warp.sync":
        yield "mask of half", with_operands(" 0x0000ffff"), ""
    numbers = list(_NUMBER.finditer(one.operands)) if _COUNTED.match(one.opcode) else []
    barrier = one.opcode.startswith("bar")
    if not numbers or (barrier and len(numbers) < 2):
        return
    last, step = numbers[-1], 32 if barrier else 16 if "expect" in one.opcode else 1
    for value in (int(last[1]) + step, int(last[1]) - step):
        if value >= 0:
            new = f"{one.operands[: last.start()]}{value}{one.operands[last.end() :]}"
            yield f"{last[1]} to {value}", with_operands(new), ""


def _matters(unit: Unit) -> bool:
    return bool(_ACCESS.match(unit.first.opcode) or _SYNC.match(unit.first.opcode))


def _moved(text: str, units: Sequence[Unit], at: int) -> Iterator[Edit]:
    """A unit past the one before it, and the one after it, that access memory or synchronise."""
    unit = units[at]
    for step, name in ((-1, "moved up"), (1, "moved down")):
        to = at + step
        while 0 <= to < len(units) and not _crosses(units, to, step) and not _matters(units[to]):
            to += step
        if not 0 <= to < len(units) or _crosses(units, to, step) or units[to].first.opcode == unit.first.opcode:
            continue
        other, whole = units[to], text[unit.start : unit.end]
        if step < 0:
            new = f"{text[: other.start]}{whole} {text[other.start : unit.start]}{text[unit.end :]}"
        else:
            new = f"{text[: unit.start]}{text[unit.end : other.end]} {whole}{text[other.end :]}"
        yield f"{name} past {other.first.opcode}", new, ""


def _crosses(units: Sequence[Unit], to: int, step: int) -> bool:
    """Whether control meets or parts at a unit that another one is to be moved past."""
    below = units[to + 1] if step < 0 else units[to]
    return bool(_LEAVES.match(units[to].first.opcode)) or (bool(below.first.label) and not below.polls)


_OPERATORS: tuple[Callable[[str, Unit], Iterator[Edit]], ...] = (_deleted, _guarded, _weakened, _numbers)


def mutants(text: str) -> Iterator[Mutant]:
    """All faults of the list in the kernel of a text, each text once."""
    units = _units(text, statements(text))
    seen: set[str] = set()
    for at, unit in enumerate(units):
        opcode = unit.first.opcode
        edits: list[Edit] = []
        if _SYNC.match(opcode):
            edits = [edit for operator in _OPERATORS for edit in operator(text, unit)]
            edits.extend(_moved(text, units, at))
        elif _ACCESS.match(opcode):
            edits = list(_weakened(text, unit))
            if _STARTS.match(opcode):
                edits.extend(edit for edit in _moved(text, units, at) if edit[0].startswith("moved down"))
        for kind, new, probe in edits:
            if new not in seen:
                seen.add(new)
                line = text.count("\n", 0, unit.first.start) + 1
                yield Mutant(kind, line, opcode, _reopened(new), _reopened(probe) if probe else "")
