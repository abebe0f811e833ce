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


def test_inlined_functions_have_the_names_that_debug_strings_give() -> None:
    names = ["alpha", "", "beta gamma"]
    data = [byte for name in names for byte in (*name.encode(), 0)]
    lines, offset = [".loc 1 9 1", "mov.b32 %r1, 7;"], 0
    for number, name in enumerate(names):
        lines += [f".loc 1 {number} 3, function_name $L_names+{offset}, inlined_at 1 9 1", "mov.b32 %r1, 0;"]
        offset += len(name) + 1
    strings = "".join(f".b8 {', '.join(map(str, part))}\n" for part in (data[:7], data[7:]))
    text = (
        '.version 8.0\n.target sm_90\n.address_size 64\n.file 1 "a.cu"\n.entry k()\n{\n.reg .b32 %r<2>;\n'
        + "\n".join(lines)
        + f"\nret;\n}}\n.section .debug_str\n{{\n$L_names:\n{strings}}}\n.section .debug_loc\n{{\n.b8 1\n}}\n"
    )
    places = [place for place in weft.parse(text).locations["k"] if place is not None]
    assert [place.function for place in places] == ["", *names, names[-1]]
    assert [place.inlined_at for place in places] == [None, *[places[0]] * 4]
