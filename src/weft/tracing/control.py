"""The scheduling fields of machine instructions of 128 bits (sm_75 and later), and what waits for what.

Each instruction says how many cycles the warp stalls after it, which of six barriers it sets when it has written its
results or read its operands, and which barriers it waits for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from weft.dataclass import dataclass

BARRIERS = 6
_NONE = 7
_DEPBAR = re.compile(r"DEPBAR(?:\.\w+)*\s+SB(\d)")


@dataclass(frozen=True, slots=True)
class Control:
    """The fields of one instruction.

    `stall` is in cycles; `write` and `read` are the barriers that are set when results are written and operands read,
    None for none; `waits` are the barriers waited for; `reuse` the operand slots kept for the next instruction.
    """

    stall: int
    yields: bool
    write: int | None
    read: int | None
    waits: tuple[int, ...]
    reuse: tuple[int, ...]

    def __str__(self) -> str:
        """The notation of maxas, `B--2---:R1:W0:-:S04`: waits, read barrier, write barrier, yield, stall."""
        waits = "".join(str(n) if n in self.waits else "-" for n in range(BARRIERS))
        read, write = ("-" if one is None else str(one) for one in (self.read, self.write))
        return f"B{waits}:R{read}:W{write}:{'Y' if self.yields else '-'}:S{self.stall:02}"


def decode(encoding: int) -> Control:
    """The fields of an instruction's 128 bits."""
    high = encoding >> 64

    def barrier(shift: int) -> int | None:
        found = high >> shift & 7
        return None if found == _NONE else found

    waits = tuple(n for n in range(BARRIERS) if high >> 52 >> n & 1)
    reuse = tuple(n for n in range(4) if high >> 58 >> n & 1)
    return Control(high >> 41 & 15, not high >> 45 & 1, barrier(46), barrier(49), waits, reuse)


def producers(controls: Sequence[Control], texts: Sequence[str]) -> list[tuple[int, ...]]:
    """For each instruction the numbers of those whose barriers it waits for: those that set them before it.

    A barrier counts for those that set it since it was last waited for; the text is followed from top to bottom, so
    what a loop sets at its end for its next trip is not seen at its beginning.
    """
    setters: dict[int, list[int]] = {}
    found: list[tuple[int, ...]] = []
    for number, (control, text) in enumerate(zip(controls, texts, strict=True)):
        waits = list(control.waits)
        match = _DEPBAR.search(text)
        if match is not None:
            waits.append(int(match[1]))
        found.append(tuple(sorted({one for barrier in waits for one in setters.get(barrier, ())})))
        for barrier in control.waits:
            setters.pop(barrier, None)
        for barrier in {control.write, control.read} - {None}:
            assert barrier is not None
            setters.setdefault(barrier, []).append(number)
    return found
