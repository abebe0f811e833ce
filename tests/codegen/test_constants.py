"""Constants of floats and of aggregates: their bits are those that NumPy and memory have."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from weft.codegen.constants import float_pattern
from weft.errors import CompileError

TYPES: dict[str, tuple[Any, Any]] = {
    "f16": (np.float16, np.uint16), "bf16": (ml_dtypes.bfloat16, np.uint16), "f32": (np.float32, np.uint32),
    "f64": (np.float64, np.uint64), "tf32": (np.float32, np.uint32), "f8E5M2": (ml_dtypes.float8_e5m2, np.uint8),
    "f8E4M3FN": (ml_dtypes.float8_e4m3fn, np.uint8), "f4E2M1FN": (ml_dtypes.float4_e2m1fn, np.uint8),
}  # fmt: skip
EDGES = (
    0.0, 1.0, 1.5, 1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-11, 1 + 3 * 2**-11, 1 + 2**-24, 2.0**-24, 2.0**-25, 3 * 2.0**-25,
    65504.0, 65519.0, 65520.0, 7e4, 3.4e38, 3.39e38, 3.4028236e38, 1e39, 1e-45, math.inf, 448.0, 6.0,
)  # fmt: skip


@pytest.mark.parametrize("name", TYPES)
def test_bits_of_floats(name: str) -> None:
    type_, bits = TYPES[name]
    for value in (sign * edge for edge in EDGES for sign in (1, -1)):
        with np.errstate(over="ignore"):
            wanted = int(np.array(value, np.float64).astype(type_).view(bits))
        assert float_pattern(value, name) == wanted, value


@pytest.mark.parametrize("name", TYPES)
def test_nans_stay_nans(name: str) -> None:
    if name != "f4E2M1FN":  # Which has none.
        type_, bits = TYPES[name]
        assert np.isnan(np.array(float_pattern(math.nan, name), bits).view(type_).astype(np.float32))


@pytest.mark.parametrize(
    ("value", "type_", "words"),
    [
        ("dense<7> : tensor<3xi32>", "!llvm.array<3 x i32>", [7, 7, 7]),
        ("dense<[1, 2, 3]> : tensor<3xi32>", "!llvm.array<3 x i32>", [1, 2, 3]),
        ("dense<1.5> : tensor<2xf32>", "!llvm.array<2 x f32>", [0x3FC00000] * 2),
        ("[1 : i32, 2.0 : f32]", "!llvm.struct<(i32, f32)>", [1, 0x40000000]),
        ("dense<9> : tensor<2x2xi32>", "!llvm.array<2 x vector<2xi32>>", [9] * 4),
    ],
)
def test_aggregates(value: str, type_: str, words: list[int]) -> None:
    text = f"""llvm.func @k(%out: !llvm.ptr) attributes {{nvvm.kernel}} {{
      %c = llvm.mlir.constant({value}) : {type_}
      llvm.store %c, %out : {type_}, !llvm.ptr
      llvm.return
    }}"""
    out = np.zeros(4, np.uint32)
    weft.run(weft.compile(text, "sm_80"), "k", 1, 1, [out])
    assert out.tolist() == [*words, *[0] * (4 - len(words))]


def test_members_that_are_packed_are_refused() -> None:
    text = """llvm.func @k(%out: !llvm.ptr) attributes {nvvm.kernel} {
      %c = llvm.mlir.constant(dense<1> : tensor<2x4xi8>) : !llvm.array<2 x vector<4xi8>>
      llvm.store %c, %out : !llvm.array<2 x vector<4xi8>>, !llvm.ptr
      llvm.return
    }"""
    with pytest.raises(
        CompileError, match="the constant dense<1> : tensor<2x4xi8> of type !llvm.array<2 x vector<4xi8>>"
    ):
        weft.compile(text, "sm_80")
