"""Right kernels with one thing less: each barrier, wait, fence and commit deleted, each order and scope weakened."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.sim.hazards.case import Kernel

_COMMENT = re.compile(r"//[^\n]*|^[ \t]*\.loc\b[^\n]*", re.MULTILINE)
_STATEMENT = re.compile(r"(?:\s|\w+:(?=\s)|\{(?=\s))*((?:@!?%\w+\s+)?([a-z][\w.:]*)[^;]*;)")
_DELETED = {
    "barrier": re.compile(r"(bar|barrier)(\.cta)?\.(sync|arrive|red)|bar\.warp\.sync|barrier\.cluster\.(arrive|wait)"),
    "wait": re.compile(r"cp\.async\.(bulk\.)?wait_|wgmma\.wait_group|tcgen05\.wait"),
    "fence": re.compile(r"fence|membar|wgmma\.fence|tcgen05\.fence"),
    "commit": re.compile(r"cp\.async\.(bulk\.)?commit_group|wgmma\.commit_group|tcgen05\.commit"),
    "mbarrier": re.compile(r"mbarrier\.(init|arrive|expect_tx|inval)|cp\.async\.mbarrier"),
}
_LOOP = re.compile(
    r"(\w+):\s*(?:mbarrier\.(?:try|test)_wait[^;]*|ld\.(?:acquire|volatile)[^;]*|atom[^;]*);[^:]*?(@!?%\w+ bra \1;)"
)
_ORDER = re.compile(r"\.(release|acquire|acq_rel)\b(?=\.(?:cta|gpu|cluster|sys)\b)")
_SCOPE = re.compile(r"\.(gpu|cluster|gl|sys)\b(?!\.b32x|::)")
_SCOPED = re.compile(r"(ld|st|atom|red|fence|membar|mbarrier)\b")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong text: `kind` is what was taken away, `line` where, `statement` from what."""

    kernel: Kernel
    kind: str
    line: int
    statement: str
    text: str


def mutants(kernel: Kernel) -> Iterator[Mutant]:
    """All mutants of a kernel, those left out that its `harmless` places name."""
    text = kernel.text
    start = text.index("{")
    excused = [
        (match.start(), match.end()) for place in kernel.harmless for match in re.finditer(re.escape(place), text)
    ]

    def mutant(kind: str, a: int, b: int, new: str, statement: str) -> Mutant | None:
        if any(first <= a < last for first, last in excused):
            return None
        line = text.count("\n", 0, a) + 1
        return Mutant(kernel, kind, line, statement, text[:a] + new + text[b:])

    plain = _COMMENT.sub(lambda match: " " * len(match.group()), text)
    for match in _STATEMENT.finditer(plain, start):
        statement, opcode = match.groups()
        for kind, pattern in _DELETED.items():
            if pattern.match(opcode) and (found := mutant(f"{kind} deleted", *match.span(1), "", statement)):
                yield found
        if not _SCOPED.match(opcode):
            continue
        place = match.span(2)
        for order in _ORDER.finditer(text, *place):
            if not opcode.startswith(("fence", "membar")) and (
                found := mutant("order weakened", *order.span(), ".relaxed", statement)
            ):
                yield found
        for scope in _SCOPE.finditer(text, *place):
            fixed = opcode.startswith(("fence.mbarrier_init", "red.async")) or "sync_restrict" in opcode
            if not fixed and (found := mutant("scope weakened", *scope.span(), ".cta", statement)):
                yield found
    for match in _LOOP.finditer(plain, start):
        if found := mutant("wait not repeated", match.start(2), match.end(2), "", match.group()):
            yield found
