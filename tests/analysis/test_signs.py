"""`weft diff --semantic` on instructions that differ in a sign: what it takes for the same computes the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

import weft
from weft.isa import decode
from weft.isa.registry import compiled_forms
from weft.ptx.analysis.semantic import semantic_diff

_OF_32 = (0, 1, 2, 5, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFF0, 0xFFFFFFFF)
EDGES = {16: [edge >> 16 for edge in _OF_32], 32: list(_OF_32), 64: [edge << 32 | edge for edge in _OF_32]}
OPERANDS = {"neg": 1, "abs": 1, "mad": 3, "sad": 3}


def pairs(stem: str) -> Iterator[tuple[str, str]]:
    """The opcodes with a sign, each beside the one without."""
    for form in compiled_forms(stem):
        for tokens in product(*(("", *e.tokens) if e.optional else e.tokens for e in form.elements if e.slot)):
            signed = ".".join([stem, *filter(None, tokens)])
            other = ".u".join(signed.rsplit(".s", 1))
            if tokens[-1] in ("s16", "s32", "s64") and decode(signed).valid and decode(other).valid:
                yield signed, other


def kernel(opcode: str) -> str:
    """The instruction on each two edges, and a third operand."""
    stem, bits = opcode.partition(".")[0], int(opcode[-2:])
    sources = ", ".join(["%a", "%b", "%c"][: OPERANDS.get(stem, 2)])
    to, after = ("%p", "selp.b{0} %d, 1, 0, %p;") if stem == "setp" else ("%d", "")
    return f"""
.version 9.2
.target sm_120a
.address_size 64
.entry k(.param .u64 x, .param .u64 y) {{
.reg .pred %p; .reg .b32 %t, %i; .reg .b64 %rd<4>; .reg .b{bits} %a, %b, %c, %d;
mov.u32 %t, %tid.x; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];
div.u32 %i, %t, 9; mad.wide.u32 %rd3, %i, {bits // 8}, %rd1; ld.global.b{bits} %a, [%rd3];
rem.u32 %i, %t, 9; mad.wide.u32 %rd3, %i, {bits // 8}, %rd1; ld.global.b{bits} %b, [%rd3];
mad.lo.u32 %i, %t, 5, %i; rem.u32 %i, %i, 9; mad.wide.u32 %rd3, %i, {bits // 8}, %rd1; ld.global.b{bits} %c, [%rd3];
{opcode} {to}, {sources}; {after.format(bits)}
mad.wide.u32 %rd3, %t, {bits // 8}, %rd2; st.global.b{bits} [%rd3], %d; ret;
}}"""


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "stem", ["add", "sub", "neg", "abs", "min", "max", "mul", "mad", "sad", "div", "rem", "shr", "setp"]
)
def test_signs(stem: str) -> None:
    for signed, other in pairs(stem):
        if "wide" in signed or (stem == "setp" and signed.count(".") > 2):
            continue
        bits, results = int(signed[-2:]), list[np.ndarray[tuple[int, ...], np.dtype[np.uint64]]]()
        modules = [weft.parse(kernel(opcode)) for opcode in (signed, other)]
        for module in modules:
            data, out = np.array(EDGES[bits], f"u{bits // 8}"), np.zeros(81, f"u{bits // 8}")
            weft.run(module, "k", 1, 81, [data, out])
            results.append(out.astype(np.uint64))
        same = bool((results[0] == results[1]).all())
        assert same or semantic_diff(*modules), f"{signed} and {other}"
