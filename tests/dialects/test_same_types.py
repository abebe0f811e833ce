"""Operations whose operands and results have one type: each of them by itself may not have another."""

from __future__ import annotations

from itertools import product

import pytest

from weft.errors import WeftError
from weft.mlir import parse_mlir

ALIKE = {
    '"math.sincos"': (1, 2, "", ("f32", "f64")),
    '"math.fma"': (3, 1, "", ("f32", "f64")),
    '"math.atan2"': (2, 1, "", ("f32", "f64")),
    '"llvm.intr.expect"': (2, 1, "", ("i32", "i64")),
    '"llvm.intr.expect.with.probability"': (2, 1, "<{prob = 0.5 : f64}> ", ("i32", "i64")),
}
"""How many operands and results, the properties, and two types that they may have."""


def text(name: str, operands: tuple[str, ...], results: tuple[str, ...], properties: str) -> str:
    arguments = ", ".join(f"%a{index}: {type_}" for index, type_ in enumerate(operands))
    given = ", ".join(f"%a{index}" for index in range(len(operands)))
    types = f"({', '.join(operands)}) -> ({', '.join(results)})"
    return f"func.func @f({arguments}) {{\n%r:{len(results)} = {name}({given}) {properties}: {types}\nreturn\n}}"


@pytest.mark.parametrize("name", ALIKE)
def test_one_type(name: str) -> None:
    count, results, properties, kinds = ALIKE[name]
    for types in product(kinds, repeat=count + results):
        given = text(name, types[:count], types[count:], properties)
        if len(set(types)) == 1:
            parse_mlir(given)
        else:
            with pytest.raises(WeftError):
                parse_mlir(given)
