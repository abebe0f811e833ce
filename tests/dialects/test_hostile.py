"""Operations in generic form with what they do not take: a sentence about them, never one about weft's own code."""

from __future__ import annotations

import random
import re
from importlib import import_module

import pytest
from xdsl.ir import Operation

from tests.effort import one_in
from weft.dialects import lazy
from weft.errors import WeftError
from weft.mlir.module import parse_mlir

_OF_PYTHON = re.compile(
    r"has no attribute|NoneType|subscriptable|out of range|not iterable|unpack|positional|unhashable|<class|Expected "
)
_TYPES = (
    "i32", "f32", "index", "memref<4xf32>", "vector<4xf32>", "!llvm.ptr", "vector<4xi1>", "memref<*xf32>",
    "!llvm.struct<(i32, i32)>", "memref<?x?xf32>",
)  # fmt: skip
_REGIONS = (
    "{}",
    "{ ^bb0: }",
    "{ ^bb0(%z: T): }",
    '{ "func.return"() : () -> () }',
    '{ ^bb0(%z: T): "scf.yield"(%z) : (T) -> () }',
)
_PROPERTIES = ("", "", "{operandSegmentSizes = array<i32: 1, 1>}", "{kind = 0 : i64, predicate = 2 : i64}")
_OWN = ("nvvm", "nvgpu", "gpu", "memref", "vector", "affine", "scf", "cf", "func", "index", "arith", "llvm", "tile")
_XDSL = ("arith", "scf", "cf", "func", "memref", "vector", "affine", "complex", "math", "llvm")


def _names() -> list[str]:
    names = {name for dialect in _OWN for name in lazy.operation_names(dialect) if ".sreg." not in name}
    for dialect in _XDSL:
        held = vars(import_module(f"xdsl.dialects.{dialect}")).values()
        classes = (cls for cls in held if isinstance(cls, type) and issubclass(cls, Operation))
        names |= {cls.name for cls in classes if getattr(cls, "name", "").startswith(f"{dialect}.")}
    return sorted(names)


def _text(draw: random.Random, name: str) -> str:
    """One operation of a function, whose arguments are its operands."""
    alike = draw.choice((*_TYPES, None))
    types, results = (
        [alike or draw.choice(_TYPES) for _ in range(draw.choice(counts))]
        for counts in ((0, 1, 1, 2, 2, 3, 4), (0, 1, 1, 2))
    )
    region = draw.choice(_REGIONS).replace("T", alike or "i32")
    regions = ", ".join(region.replace("%z", f"%z{index}") for index in range(draw.choice((0, 0, 1, 1, 2))))
    properties = draw.choice(_PROPERTIES)
    return (
        f"func.func @f({', '.join(f'%a{index}: {kind}' for index, kind in enumerate(types))}) {{\n"
        f'  {f"%r:{len(results)} = " if results else ""}"{name}"({", ".join(f"%a{index}" for index in range(len(types)))})'
        f"{f' <{properties}>' if properties else ''}{f' ({regions})' if regions else ''}"
        f" : ({', '.join(types)}) -> ({', '.join(results)})\n  return\n}}"
    )


@pytest.mark.parametrize(
    ("seed", "count"), [(5, 1), *(pytest.param(seed, 30, marks=pytest.mark.slow) for seed in (5, 7, 11))]
)
def test_what_is_refused_is_refused_in_words_of_the_operation(seed: int, count: int) -> None:
    draw = random.Random(seed)
    for name in _names()[:: one_in(16)]:
        for _ in range(count):
            text = _text(draw, name)
            try:
                parse_mlir(text)
            except WeftError as error:
                assert not _OF_PYTHON.search(str(error).partition("\n")[0]), f"{error}\n{text}"


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ('"nvvm.barrier"() : () -> ()', None),
        ('"nvvm.barrier"(%a) : (i32) -> ()', "operand count (1) does not match with the total size (0) specified in"),
    ],
)
def test_sizes_of_groups_that_are_left_out_are_zero(operation: str, message: str | None) -> None:
    """As MLIR stores them."""
    text = f"func.func @f(%a: i32) {{\n  {operation}\n  return\n}}"
    if message is None:
        parse_mlir(text)
        return
    with pytest.raises(WeftError, match=re.escape(message)):
        parse_mlir(text)


def test_elements_of_an_enormous_vector() -> None:
    """What follows from a type alone, without as much text, has a limit."""
    text = "func.func @f(%v: vector<100000x100000xf32>) {{\n  {} vector.{} : vector<100000x100000xf32>\n  return\n}}"
    with pytest.raises(WeftError, match="a vector of 10000000000 elements, of which at most 1048576 can be values"):
        parse_mlir(text.format("%r =", "to_elements %v"))
    with pytest.raises(WeftError, match="at most 1048576"):
        parse_mlir(text.format("%r =", "from_elements"))
