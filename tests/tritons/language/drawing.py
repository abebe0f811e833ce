"""What generators of kernels of the language share: types, promotion, offsets, and draws."""


# pyright: basic

from __future__ import annotations

import math

import numpy as np

from tests.tritons.operations import (
    BF16,
    F16,
    F32,
    F64,
    SIGNED,
    Generator,
)  # fmt: skip

I8, I16, I32, I64 = SIGNED
U8, U16, U32, U64 = (np.dtype(f"u{n}") for n in (1, 2, 4, 8))
WHOLE = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
         "xor": np.bitwise_xor}  # fmt: skip


def promoted(a: np.dtype, b: np.dtype, divides: bool = False) -> np.dtype:
    """The type that Triton computes in: "Type Promotion" of its semantics."""
    if F64 in (a, b):
        return F64
    floats = [d for d in (a, b) if d.kind not in "iu"]
    if divides and floats:
        return F32
    if F32 in (a, b):
        return F32
    if F16 in (a, b):
        return F16
    if floats:
        return BF16 if a == b else F32
    if a.kind == b.kind:
        return a if a.itemsize > b.itemsize else b
    unsigned, signed = (a, b) if a.kind == "u" else (b, a)
    return unsigned if unsigned.itemsize >= signed.itemsize else signed


def index(shape: tuple[int, ...]) -> str:
    """The offsets of a contiguous block of a shape, as an expression."""
    terms = []
    for axis, size in enumerate(shape):
        places = ", ".join(":" if a == axis else "None" for a in range(len(shape)))
        stride = math.prod(shape[axis + 1 :])
        terms.append(f"tl.arange(0, {size})[{places}] * {stride}")
    return " + ".join(terms)


class Drawing(Generator):
    """A source of kernels."""

    def pick(self, *options):
        return self.choose(options)

    def shape(self, rank: int | None = None, most: int = 4096) -> tuple[int, ...]:
        rank = rank or self.pick(1, 2, 2, 3, 4)
        while True:
            sizes = tuple(int(2 ** self.rng.integers(0, 7)) for _ in range(rank))
            if 2 <= math.prod(sizes) <= most:
                return sizes
