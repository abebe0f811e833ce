"""The numbers of element types in descriptors of tensors: `CUtensorMapDataType` of CUDA's driver."""

from __future__ import annotations

import pytest
from xdsl.ir import Attribute
from xdsl.parser import Parser

from weft.dialects.context import context
from weft.transforms.nvgpu_to_nvvm.tensor_map import data_type

NUMBERS = {
    "ui8": 0, "si8": 0, "i8": 0, "f8E4M3FN": 0, "f8E5M2": 0,
    "ui16": 1, "si16": 1, "i16": 1, "ui32": 2, "si32": 3, "i32": 3, "ui64": 4, "si64": 5, "i64": 5,
    "f16": 6, "f32": 7, "f64": 8, "bf16": 9, "tf32": 11,
    "i1": None, "i4": None, "i65": None, "i128": None, "index": None, "complex<f32>": None,
}  # fmt: skip


def read(text: str) -> Attribute:
    return Parser(context(), text).parse_type()


@pytest.mark.parametrize(("text", "number"), NUMBERS.items())
def test_numbers_of_the_driver(text: str, number: int | None) -> None:
    assert data_type(read(text)) == number
