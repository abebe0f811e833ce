"""The types of random values."""

from __future__ import annotations

import re
from random import Random

INTEGERS = (
    "i1",
    "i4",
    "i7",
    "i8",
    "i12",
    "i16",
    "i24",
    "i32",
    "i33",
    "i48",
    "i63",
    "i64",
    "i65",
    "i80",
    "i128",
    "index",
)
ODD = ("i65", "i80", "i128")
"""Those that vectors have not here."""
COMMON = ("i1", "i8", "i16", "i32", "i32", "i64", "i64", "index")
FLOATS = ("f16", "bf16", "f32", "f32", "f64")
COUNTS = (1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 11, 16)


def width(type_: str) -> int:
    """The bits of a scalar (or of a vector's element)."""
    inner = element(type_)
    return 64 if inner == "index" else int(re.sub(r"\D", "", inner))


def is_vector(type_: str) -> bool:
    """Whether it is a vector."""
    return type_.startswith("vector")


def element(type_: str) -> str:
    """The element of a vector; a scalar itself."""
    return re.sub(r"vector<(?:\d+x)*(.*)>", r"\1", type_)


def dims(type_: str) -> list[int]:
    """The shape of a vector; of a scalar []."""
    found = re.fullmatch(r"vector<((?:\d+x)*).*>", type_)
    return [int(n) for n in found[1].split("x")[:-1]] if found else []


def vector(shape: list[int], inner: str) -> str:
    """A vector type."""
    return f"vector<{''.join(f'{n}x' for n in shape)}{inner}>"


def of(type_: str, inner: str) -> str:
    """A type of the same shape with another element."""
    return vector(dims(type_), inner) if is_vector(type_) else inner


def is_float(type_: str) -> bool:
    """Whether the elements are floats."""
    return "f" in element(type_)


def is_integer(type_: str) -> bool:
    """Whether the elements are integers or indices."""
    return not is_float(type_)


def some_scalar(rng: Random) -> str:
    """A random scalar type."""
    if rng.random() < 0.3:
        return rng.choice(FLOATS)
    return rng.choice(COMMON) if rng.random() < 0.7 else rng.choice(INTEGERS)


def some_type(rng: Random) -> str:
    """A random type."""
    inner = some_scalar(rng)
    if rng.random() < 0.25 and inner not in ODD:
        shape = [rng.choice(COUNTS)] if rng.random() < 0.8 else [rng.choice((1, 2, 3)), rng.choice((1, 2, 4))]
        return vector(shape, inner)
    return inner


def some_integer(rng: Random) -> str:
    """A random integer type, a vector now and then."""
    while True:
        type_ = some_type(rng)
        if is_integer(type_):
            return type_


def some_float(rng: Random) -> str:
    """A random float type, a vector now and then."""
    inner = rng.choice(FLOATS)
    return vector([rng.choice(COUNTS)], inner) if rng.random() < 0.25 else inner


def passable(rng: Random) -> str:
    """A type of a parameter: not a vector of less than bytes, or of i24 and i48, of which LLVM writes more than it has."""
    while True:
        type_ = some_type(rng)
        if not is_vector(type_) or width(type_) in (8, 16, 32, 64):
            return type_
