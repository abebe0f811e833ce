"""Statements that compute the same however they are spelled, and those beside them that do not."""

from __future__ import annotations

import pytest

import weft
from weft.ptx.analysis.semantic import semantic_diff

KERNEL = """.version 9.0
.target sm_90
.address_size 64
.global .f32 word;
.visible .entry k(.param .u64 x, .param .u64 y) {{
.reg .pred %p<3>; .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %d<9>;
ld.param.u64 %d1, [x];
ld.volatile.global.v4.u32 {{%r1, %r2, %r3, %r4}}, [%d1];
ld.volatile.global.v2.u64 {{%d2, %d3}}, [%d1+16];
ld.volatile.global.v2.u16 {{%h1, %h2}}, [%d1+32];
setp.gt.s32 %p1, %r4, 0;
{}
selp.b32 %r8, 1, 0, %p2;
st.global.v2.b32 [%d1], {{%r5, %r8}};
st.global.b64 [%d1+8], %d5;
st.global.b16 [%d1+16], %h3;
ret;
}}"""
SAME = """
ld.global.f32 %r5, [%d1] | ld.global.b32 %r5, [%d1] | ld.global.u32 %r5, [%d1] | ld.global.s32 %r5, [%d1]
ld.global.f64 %d5, [%d1] | ld.global.b64 %d5, [%d1] | ld.global.u64 %d5, [%d1] | ld.global.s64 %d5, [%d1]
ld.global.u16 %h3, [%d1] | ld.global.b16 %h3, [%d1] | ld.global.s16 %h3, [%d1]
ld.global.u16 %r5, [%d1] | ld.global.b16 %r5, [%d1]
ld.global.u8 %r5, [%d1] | ld.global.b8 %r5, [%d1]
ld.global.v2.u32 {%r5, %r6}, [%d1] | ld.global.v2.f32 {%r5, %r6}, [%d1] | ld.global.v2.s32 {%r5, %r6}, [%d1]
ldu.global.u32 %r5, [%d1] | ldu.global.s32 %r5, [%d1] | ldu.global.f32 %r5, [%d1]
st.global.f32 [%d1], %r5 | st.global.b32 [%d1], %r5 | st.global.u32 [%d1], %r5 | st.global.s32 [%d1], %r5
st.global.u8 [%d1], %r5 | st.global.b8 [%d1], %r5 | st.global.s8 [%d1], %r5
st.global.u16 [%d1], %h1 | st.global.b16 [%d1], %h1 | st.global.s16 [%d1], %h1
st.global.f64 [%d1], %d2 | st.global.b64 [%d1], %d2 | st.global.u64 [%d1], %d2 | st.global.s64 [%d1], %d2
add.u32 %r5, %r1, %r2 | add.s32 %r5, %r1, %r2 | add.s32 %r5, %r2, %r1
add.u16 %h3, %h1, %h2 | add.s16 %h3, %h2, %h1
add.u64 %d5, %d2, %d3 | add.s64 %d5, %d2, %d3 | add.s64 %d5, %d3, %d2
sub.u32 %r5, %r1, %r2 | sub.s32 %r5, %r1, %r2
mul.lo.u32 %r5, %r1, %r2 | mul.lo.s32 %r5, %r1, %r2 | mul.lo.s32 %r5, %r2, %r1
mul.hi.u32 %r5, %r1, %r2 | mul.hi.u32 %r5, %r2, %r1
mad.lo.u32 %r5, %r1, %r2, %r3 | mad.lo.s32 %r5, %r1, %r2, %r3 | mad.lo.u32 %r5, %r2, %r1, %r3
mad.wide.u32 %d5, %r1, %r2, %d2 | mad.wide.u32 %d5, %r2, %r1, %d2
fma.rn.f32 %r5, %r1, %r2, %r3 | fma.rn.f32 %r5, %r2, %r1, %r3
add.f32 %r5, %r1, %r2 | add.f32 %r5, %r2, %r1
and.b32 %r5, %r1, %r2 | and.b32 %r5, %r2, %r1
or.b32 %r5, %r1, %r2 | or.b32 %r5, %r2, %r1
xor.b32 %r5, %r1, %r2 | xor.b32 %r5, %r2, %r1
min.s32 %r5, %r1, %r2 | min.s32 %r5, %r2, %r1
max.u32 %r5, %r1, %r2 | max.u32 %r5, %r2, %r1
@%p1 add.u32 %r5, %r1, %r2 | @%p1 add.u32 %r5, %r2, %r1
selp.b32 %r5, %r1, %r2, %p1 | selp.f32 %r5, %r1, %r2, %p1 | selp.u32 %r5, %r1, %r2, %p1 | selp.s32 %r5, %r1, %r2, %p1
selp.b64 %d5, %d2, %d3, %p1 | selp.f64 %d5, %d2, %d3, %p1 | selp.u64 %d5, %d2, %d3, %p1 | selp.s64 %d5, %d2, %d3, %p1
selp.b16 %h3, %h1, %h2, %p1 | selp.u16 %h3, %h1, %h2, %p1 | selp.s16 %h3, %h1, %h2, %p1
setp.eq.u32 %p2, %r1, %r2 | setp.eq.s32 %p2, %r1, %r2 | setp.eq.b32 %p2, %r2, %r1
setp.ne.u64 %p2, %d2, %d3 | setp.ne.s64 %p2, %d3, %d2 | setp.ne.b64 %p2, %d3, %d2
redux.sync.add.u32 %r5, %r1, -1 | redux.sync.add.s32 %r5, %r1, -1
lop3.b32 %r5, %r1, %r2, %r3, 0x1F | lop3.b32 %r5, %r1, %r2, %r3, 31
mul.f32 %r5, %r1, 0f3F800000 | mul.f32 %r5, %r1, 0F3f800000
mul.f64 %d5, %d2, 0d3FF0000000000000 | mul.f64 %d5, %d2, 0D3ff0000000000000
"""
DIFFERENT = """
ld.global.u8 %r5, [%d1] | ld.global.s8 %r5, [%d1]
ld.global.u16 %r5, [%d1] | ld.global.s16 %r5, [%d1]
ld.global.u32 %d5, [%d1] | ld.global.s32 %d5, [%d1]
ld.global.u8 %h3, [%d1] | ld.global.s8 %h3, [%d1]
ld.global.b32 %r5, [%d1] | ld.global.b32 %r5, [%d1+4]
st.global.b32 [%d1], %r1 | st.global.b32 [%d1], %r2
st.global.b8 [%d1], %r1 | st.global.b16 [%d1], %r1
add.s32 %r5, %r1, %r2 | add.sat.s32 %r5, %r1, %r2
sub.u32 %r5, %r1, %r2 | sub.u32 %r5, %r2, %r1
mul.hi.u32 %r5, %r1, %r2 | mul.hi.s32 %r5, %r1, %r2
mul.wide.u32 %d5, %r1, %r2 | mul.wide.s32 %d5, %r1, %r2
mad.hi.u32 %r5, %r1, %r2, %r3 | mad.hi.s32 %r5, %r1, %r2, %r3
mad.lo.u32 %r5, %r1, %r2, %r3 | mad.lo.u32 %r5, %r1, %r3, %r2
fma.rn.f32 %r5, %r1, %r2, %r3 | fma.rn.f32 %r5, %r3, %r2, %r1
min.s32 %r5, %r1, %r2 | min.u32 %r5, %r1, %r2
shl.b32 %r5, %r1, %r2 | shl.b32 %r5, %r2, %r1
shr.u32 %r5, %r1, 3 | shr.s32 %r5, %r1, 3
div.u32 %r5, %r1, %r2 | div.s32 %r5, %r1, %r2
neg.s32 %r5, %r1 | abs.s32 %r5, %r1
selp.b32 %r5, %r1, %r2, %p1 | selp.b32 %r5, %r2, %r1, %p1
setp.lt.u32 %p2, %r1, %r2 | setp.lt.s32 %p2, %r1, %r2
setp.lt.s32 %p2, %r1, %r2 | setp.lt.s32 %p2, %r2, %r1
setp.eq.f32 %p2, %r1, %r2 | setp.eq.b32 %p2, %r1, %r2
setp.eq.u32 %p2, %r1, %r2 | setp.ne.u32 %p2, %r1, %r2
redux.sync.min.u32 %r5, %r1, -1 | redux.sync.min.s32 %r5, %r1, -1
lop3.b32 %r5, %r1, %r2, %r3, 0x1F | lop3.b32 %r5, %r1, %r2, %r3, 0x1E
mul.f32 %r5, %r1, 0f3F800000 | mul.f32 %r5, %r1, 0f3F800001
@%p1 mov.b32 %r5, %r1 | @!%p1 mov.b32 %r5, %r1
@%p1 mov.b32 %r5, %r1 | mov.b32 %r5, %r1
cvt.u32.u16 %r5, %h1 | cvt.s32.s16 %r5, %h1
"""


def kinds(one: str, other: str) -> list[str]:
    return [change.kind for change in semantic_diff(*(weft.parse(KERNEL.format(f"{text};")) for text in (one, other)))]


def ways(table: str) -> list[list[str]]:
    return [line.split(" | ") for line in table.strip().splitlines()]


@pytest.mark.parametrize("ways", ways(SAME), ids=lambda ways: ways[0])
def test_statements_that_are_the_same(ways: list[str]) -> None:
    for other in ways[1:]:
        assert kinds(ways[0], other) == kinds(other, ways[0]) == [], other


@pytest.mark.parametrize("ways", ways(DIFFERENT), ids=lambda ways: ways[0])
def test_statements_that_are_not(ways: list[str]) -> None:
    assert kinds(*ways) and kinds(*reversed(ways))
