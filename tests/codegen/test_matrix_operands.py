"""Elementwise operations on matrices of a warp, of another number of operands than they take."""

from __future__ import annotations

import pytest

import weft
from weft.errors import CompileError

_MATRIX = '!gpu.mma_matrix<16x16xf16, "COp">'


@pytest.mark.parametrize(
    ("name", "given", "wanted"), [("addf", 1, "2 matrices"), ("addf", 0, "2 matrices"), ("negatef", 2, "1 matrix")]
)
def test_operands_are_counted(name: str, given: int, wanted: str) -> None:
    operands, types = ", ".join(["%a"] * given), ", ".join([_MATRIX] * given)
    text = f"""gpu.module @m {{ gpu.func @k(%m: memref<16x16xf16>, %i: index) kernel {{
      %a = gpu.subgroup_mma_load_matrix %m[%i, %i] {{leadDimension = 16 : index}} : memref<16x16xf16> -> {_MATRIX}
      %r = gpu.subgroup_mma_elementwise {name} {operands} : ({types}) -> {_MATRIX}
      gpu.return }} }}"""
    with pytest.raises(CompileError, match=f"'{name}' takes {wanted}, not {given}"):
        weft.compile(text, "sm_80")
