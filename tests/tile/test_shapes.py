"""Which shapes and functions operations on tiles take: drawn at random, and judged by the rules of broadcasting and reducing."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import Block, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.making import new
from weft.dialects.tile.types import BufferType
from weft.layout.notation import parse

COMBINING = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}
COMBINING |= {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}


def local(shape: tuple[int, ...], element: object = f32) -> BufferType:
    return BufferType.of(shape, element, "local", parse(f"S[{int(np.prod(shape))}:1]"))  # pyright: ignore[reportArgumentType]


def is_right(op: Operation) -> bool:
    try:
        op.verify_()
    except VerifyException:
        return False
    return True


@pytest.mark.slow
def test_operands_broadcast_to_the_destination() -> None:
    random = Random(1)
    right = 0
    for _ in range(400):
        shape = tuple(random.choice((1, 2, 3, 4)) for _ in range(random.randint(1, 3)))
        others = [tuple(random.choice((1, extent, extent, 2)) for extent in shape) for _ in range(2)]
        if random.random() < 0.1:
            others[0] = (*others[0], 1)
        block = Block(arg_types=[local(shape), *map(local, others)])
        wanted = all(
            len(other) == len(shape) and all(a in (b, 1) for a, b in zip(other, shape, strict=True)) for other in others
        )
        right += wanted
        assert is_right(new("tile.elementwise", block.args[0], block.args[1:], function="add")) == wanted, (
            shape,
            others,
        )
    assert 100 < right < 350


@pytest.mark.parametrize("function", [*COMBINING, "sub", "adds", ""])
def test_reductions_of_every_function(function: str) -> None:
    random = Random(function)
    for _ in range(40):
        shape = tuple(random.randint(1, 4) for _ in range(random.randint(1, 3)))
        dimension = random.randint(-1, len(shape))
        element = random.choice((f32, i32))
        inside = 0 <= dimension < len(shape)
        reduced = np.add.reduce(np.zeros(shape), dimension, keepdims=True).shape if inside else shape
        given = reduced if random.random() < 0.7 else tuple(random.randint(1, 4) for _ in shape)
        kind = element if random.random() < 0.9 else i32
        block = Block(arg_types=[local(given, kind), local(shape, element)])
        wanted = function in COMBINING and inside and given == reduced and kind == element
        assert is_right(new("tile.reduce", *block.args, function=function, dimension=dimension)) == wanted
