"""Places of instructions in sources, by `.file` and `.loc`."""

from __future__ import annotations

import weft

TEXT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
    .reg .b32 %r<4>;
    .loc 1 5 1
    mov.u32 %r1, 1;
    .loc 1 7 9
    // begin inline asm
    .loc 1 7 9
    mov.u32 %r2, 2;
    .loc 1 8 9
    mov.u32 %r3, 3;
    // end inline asm
    .loc 1 8 2
    ret;
}
.file 1 "a.py"
"""


def test_lines_of_inline_assembly_are_that_of_its_statement() -> None:
    """LLVM counts on from line to line of the assembly text."""
    places = weft.parse(TEXT).locations["k"]
    assert [(place.file, place.line) for place in places if place] == [("a.py", n) for n in (5, 7, 7, 8)]
