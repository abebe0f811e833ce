"""`weft fmt`: canonical layout, every comment kept in its place."""

from __future__ import annotations

import re

import pytest

from tests.ptx.constructs import MODULES, STATEMENTS, body
from weft.errors import PtxSyntaxError
from weft.ptx import format_text, parse

SOURCE = """// banner
/* licence
   text */
.version 8.4 // version
.target sm_90 /* target */ // again
// above the size
.address_size 64
// above g
.global .align 4 .b32 g[3]={1, /* inside */ 2,3}; // after g
/* one */ /* two */
.visible .entry k(.param .u64 .ptr .global .align 16 p0, // after p0
  // above p1
 .param .u32 p1) .reqntid 128,1 // after the directive
{ // after the brace
.reg .b32 a,b,%r<9>; .reg .b64 %rd<9>; .reg .pred p; // after the registers
ld .global /* in the opcode */ .u32 a, // first
 [%rd1+-4]; // second
#line 5 "foo.cu"
 // above add
/* also above */ add.u32 %r1, a, 5; // after add
// above L1
L1: // after L1
 { /* in the scope */
  // alone in the scope
 }
// above the end
} // after the end
.section .debug_str { // data
 // above x
 x: // after x
.b8 1,2 , 3 .b8 -4 // after -4
// above the brace
}
// last
/* very last */"""

FORMATTED = """// banner

/* licence
   text */
.version 8.4 // version
.target sm_90 /* target */ // again
// above the size
.address_size 64

// above g
.global .align 4 .b32 g[3] = {1, 2, 3}; /* inside */ // after g

/* one */
/* two */
.visible .entry k(
	.param .u64 .ptr .global .align 16 p0, // after p0
	// above p1
	.param .u32 p1
)
.reqntid 128, 1 // after the directive
{ // after the brace
	.reg .b32 a, b, %r<9>;
	.reg .b64 %rd<9>;
	.reg .pred p; // after the registers

	ld.global.u32 a, [%rd1+-4]; /* in the opcode */ // first // second
#line 5 "foo.cu"
	// above add
	/* also above */
	add.u32 %r1, a, 5; // after add
// above L1
L1: // after L1
	{ /* in the scope */
		// alone in the scope
	}
	// above the end
} // after the end

.section .debug_str
{ // data
	// above x
	x: // after x
	.b8 1, 2, 3
	.b8 -4 // after -4
	// above the brace
}
// last
/* very last */
"""


def test_layout() -> None:
    assert format_text(SOURCE) == FORMATTED
    assert format_text(FORMATTED) == FORMATTED


def test_without_comments_it_is_the_canonical_text() -> None:
    for name, text in MODULES.items():
        if "//" not in text and "/*" not in text:
            assert format_text(text) == parse(text).to_ptx(), name


@pytest.mark.parametrize("text", [SOURCE, *map(body, STATEMENTS.values())])
def test_no_comment_is_lost(text: str) -> None:
    found = re.compile(r"//[^\n]*|/\*(?s:.*?)\*/")
    assert sorted(format_text(text).split()) == sorted(format_text(format_text(text)).split())
    formatted = format_text(text)
    for comment in found.findall(text):
        assert comment.rstrip() in formatted


def test_comment_marks_in_strings_are_no_comments() -> None:
    text = '.version 8.4\n.target sm_90\n.file 1 "a//b/*c.cu"\n.pragma "x // y";\n'
    assert format_text(text) == parse(text).to_ptx()


def test_errors_have_places() -> None:
    with pytest.raises(PtxSyntaxError, match="f.ptx:1:1"):
        format_text("", "f.ptx")
