"""Names of registers that end in digits: which of a range each is, as ptxas has it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import weft
from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from weft.toolchain import Tool

MODULE = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
%s
ret;
}
"""
DECLARED = (
    ".reg .s32 %r<9>;",
    ".reg .s32 %r0<9>;",
    ".reg .s32 %r<9>; .reg .f32 %r0<9>;",
    ".reg .f32 %r07; .reg .s32 %r<9>;",
    ".reg .f32 %r7; .reg .s32 %r<9>;",
    ".reg .s32 %r<9>; .reg .f32 %r07;",
    ".reg .s32 %r<9>; .reg .f32 %r17, %r09;",
    ".reg .s32 %r<9>; { .reg .f32 %r07; } {",
)
NAMES = ("%r7", "%r07", "%r0007", "%r09", "%r17", "%r4294967303")


@pytest.mark.sample(1)
@pytest.mark.parametrize("declared", DECLARED)
def test_names(ptxas: Tool, declared: str) -> None:
    uses = [
        form.format(name) for name, form in product(NAMES, ("add.s32 {0}, {0}, 1;", "add.f32 {0}, {0}, 0f3F800000;"))
    ]
    texts = [MODULE % f"{declared} {use}{'}' * declared.endswith('{')}" for use in uses]
    assert [accepted_by_us(text) for text in texts] == [accepted_by_ptxas(text) for text in texts]


@pytest.mark.sample(2)
@pytest.mark.parametrize("used", ["mov.s32 %r1, 1;", "bra %r1;", "{ %r1: mov.s32 %r1, 1; }"])
def test_a_range_hides_labels(ptxas: Tool, used: str) -> None:
    texts = [MODULE % body.format(used) for body in ("%r1: .reg .s32 %r<9>; {0}", ".reg .s32 %r<9>; %r1: {0}")]
    assert [accepted_by_us(text) for text in texts] == [accepted_by_ptxas(text) for text in texts]


def test_one_register_with_two_names() -> None:
    body = """.reg .s32 %r<9>; .reg .b64 %rd<3>;
ld.param.u64 %rd1, [p]; ld.global.s32 %r7, [%rd01]; add.s32 %r007, %r07, 5; st.global.s32 [%rd1], %r7;"""
    data = np.array([2], "i4")
    weft.run(weft.parse(MODULE % body), "k", grid=(1,), block=(1,), args=[data])
    assert data[0] == 7
