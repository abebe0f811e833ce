"""What is known of numbers before a kernel runs: what divides them, that they are not negative, how far they are apart."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import weft
from weft import tile
from weft.tile import Global, f32, i16, i32, i64, scalars, thread_id, u8, u32
from weft.tile.scalars import Scalar


def facts(make: Callable[[Any, Any, Any], object]) -> list[Any]:
    """What `make` gives of an i32, an f32 and the thread's number in a kernel."""
    found: list[Any] = []

    @weft.kernel(threads=32, grid=1)
    def kernel(x: Global(f32, 4), n: i32, y: f32):
        found.append(make(n, y, thread_id()))

    kernel.mlir()
    return found


KNOWN: dict[str, tuple[Callable[[Any, Any, Any], Any], tuple[int, bool]]] = {
    "argument": (lambda n, y, t: n, (1, False)),
    "thread": (lambda n, y, t: t, (1, True)),
    "constant": (lambda n, y, t: 12, (12, True)),
    "negative constant": (lambda n, y, t: -12, (12, False)),
    "zero": (lambda n, y, t: 0, (0, True)),
    "float": (lambda n, y, t: 1.5, (1, True)),
    "product": (lambda n, y, t: t * 12, (12, True)),
    "product of products": (lambda n, y, t: (n * 6) * (t * 10), (60, False)),
    "sum": (lambda n, y, t: t * 12 + 18, (6, True)),
    "sum of products": (lambda n, y, t: t * 12 + n * 16, (4, False)),
    "difference": (lambda n, y, t: t * 12 - 18, (6, False)),
    "negation": (lambda n, y, t: -(t * 12), (12, False)),
    "size": (lambda n, y, t: abs(n * 12), (12, True)),
    "quotient": (lambda n, y, t: (t * 12) // 4, (3, True)),
    "negative quotient": (lambda n, y, t: (t * 12) // -4, (3, False)),
    "quotient with a rest": (lambda n, y, t: (t * 12) // 8, (1, True)),
    "rest": (lambda n, y, t: (n * 12) % 8, (4, True)),
    "rest by a number": (lambda n, y, t: (t * 12) % n, (1, False)),
    "shift": (lambda n, y, t: (t * 12) << 3, (96, True)),
    "shift by a number": (lambda n, y, t: (t * 12) << t, (1, True)),
    "shift down": (lambda n, y, t: (t * 12) >> 2, (1, True)),
    "bits": (lambda n, y, t: n & 7, (1, True)),
    "bits of two": (lambda n, y, t: n & n, (1, False)),
    "either bits": (lambda n, y, t: t | 8, (1, True)),
    "other bits": (lambda n, y, t: t ^ 8, (1, False)),
    "larger": (lambda n, y, t: tile.maximum(n * 12, 8), (4, True)),
    "larger of two": (lambda n, y, t: tile.maximum(n, n), (1, False)),
    "smaller": (lambda n, y, t: tile.minimum(t * 12, 8), (4, True)),
    "smaller of signs": (lambda n, y, t: tile.minimum(n, 8), (1, False)),
    "choice": (lambda n, y, t: tile.where(n > 0, t * 12, 8), (4, True)),
    "choice of signs": (lambda n, y, t: tile.where(n > 0, n * 12, 8), (4, False)),
    "large": (lambda n, y, t: t * (1 << 19), (1 << 19, True)),
    "largest": (lambda n, y, t: t * (1 << 20), (1 << 20, True)),
    "too large": (lambda n, y, t: t * (3 << 20), (1 << 20, True)),
    "square": (lambda n, y, t: (t * 6) ** 2, (36, True)),
    "wider": (lambda n, y, t: (t * 12).to(i64), (12, True)),
    "narrower": (lambda n, y, t: (t * 12).to(i16), (4, False)),
    "narrower by far": (lambda n, y, t: (t * 256).to(u8), (128, False)),
    "condition": (lambda n, y, t: n > 3, (1, False)),
    "rounded": (lambda n, y, t: y.to(i32), (1, False)),
    "as float": (lambda n, y, t: (t * 12).to(f32), (1, False)),
}  # fmt: skip


def test_what_divides_numbers_and_their_signs() -> None:
    found = facts(lambda *given: [scalars.known(make(*given)) for make, _ in KNOWN.values()])[0]
    assert dict(zip(KNOWN, found, strict=True)) == {name: expected for name, (_, expected) in KNOWN.items()}


DISTANCES: dict[str, tuple[Callable[[Any, Any, Any], tuple[Any, Any]], int | None]] = {
    "constants": (lambda n, y, t: (9, 4), 5),
    "same": (lambda n, y, t: (n, n), 0),
    "sum": (lambda n, y, t: (n + 8, n), 8),
    "sum from the left": (lambda n, y, t: (8 + n, n), 8),
    "steps": (lambda n, y, t: (n + 8 - 3, n + 1), 4),
    "from below": (lambda n, y, t: (n, n - 3), 3),
    "others": (lambda n, y, t: (n, t), None),
    "taken from a constant": (lambda n, y, t: (8 - n, n), None),
    "with a constant": (lambda n, y, t: (n, 4), None),
    "equal products": (lambda n, y, t: (n * 2 + 8, n * 2), 8),
    "of one product": (lambda n, y, t: ((lambda p: (p + 8, p + 2))(n * 2)), 6),
    "of two numbers": (lambda n, y, t: (n + t, n), None),
}  # fmt: skip


def test_how_far_numbers_are_apart() -> None:
    found = facts(lambda *given: [scalars.difference(*make(*given)) for make, _ in DISTANCES.values()])[0]
    assert dict(zip(DISTANCES, found, strict=True)) == {name: expected for name, (_, expected) in DISTANCES.items()}


TYPES: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    "i32 and 1": (lambda a, b: a["i32"] + 1, "i32"),
    "u8 and 1": (lambda a, b: a["u8"] + 1, "u8"),
    "f16 and 1": (lambda a, b: a["f16"] + 1, "f16"),
    "i32 and 1.5": (lambda a, b: a["i32"] * 1.5, "f32"),
    "f16 and 1.5": (lambda a, b: a["f16"] * 1.5, "f16"),
    "f64 and 1.5": (lambda a, b: a["f64"] * 1.5, "f64"),
    "i32 and i64": (lambda a, b: a["i32"] + a["i64"], "i64"),
    "i32 and u32": (lambda a, b: a["i32"] + a["u32"], "u32"),
    "u8 and i32": (lambda a, b: a["u8"] + a["i32"], "i32"),
    "f16 and bf16": (lambda a, b: a["f16"] + a["bf16"], "f32"),
    "f16 and f16": (lambda a, b: a["f16"] + a["f16"], "f16"),
    "f16 and f32": (lambda a, b: a["f16"] + a["f32"], "f32"),
    "f64 and i64": (lambda a, b: a["f64"] + a["i64"], "f64"),
    "ratio": (lambda a, b: a["i32"] / 2, "f32"),
    "ratio of f16": (lambda a, b: a["f16"] / 2, "f16"),
    "root": (lambda a, b: tile.sqrt(a["i32"]), "f32"),
    "compared": (lambda a, b: a["i32"] > 2, "bool"),
    "conditions": (lambda a, b: b & True, "bool"),
    "not": (lambda a, b: ~b, "bool"),
    "count": (lambda a, b: b + b, "i32"),
    "minus a condition": (lambda a, b: -b, "i32"),
    "NumPy's": (lambda a, b: a["i16"] + np.int64(3), "i16"),
    "NumPy's float": (lambda a, b: a["i16"] + np.float64(3), "f32"),
}  # fmt: skip


def test_types_in_which_numbers_meet() -> None:
    kinds = ("i16", "i32", "u8", "u32", "i64", "f16", "bf16", "f32", "f64")
    found: dict[str, Any] = {}

    @weft.kernel(threads=32, grid=1)
    def kernel(x: Global(f32, 4), n: i32):
        numbers = {kind: n.to(kind) for kind in kinds}
        found.update({name: make(numbers, n > 2).dtype for name, (make, _) in TYPES.items()})

    kernel.mlir()
    assert {name: str(kind) for name, kind in found.items()} == {name: kind for name, (_, kind) in TYPES.items()}


# -- random expressions -------------------------------------------------------------------------------------------


class Drawn:
    """Numbers made of others at random, with their values for some arguments."""

    def __init__(self, seed: int, made: list[tuple[Any, list[int]]]) -> None:
        self.random = Random(seed)
        self.made = made

    def step(self) -> None:
        (a, x), (b, y) = (self.random.choice(self.made) for _ in range(2))
        if self.random.random() < 0.5:
            number = self.random.choice([1, 2, 3, 4, 6, 8, 12, 16, -4, 0])
            b, y = number, [number] * len(x)
        name = self.random.choice(["+", "-", "*", "//", "%", "&", "|", "^", "<<", "max", "min", "where"])
        if name in ("//", "%", "<<") and (not isinstance(b, int) or b <= 0 or b > 16):
            return
        operate: Callable[[Any, Any], Any] = {
            "+": lambda p, q: p + q, "-": lambda p, q: p - q, "*": lambda p, q: p * q, "//": lambda p, q: p // q,
            "%": lambda p, q: p % q, "&": lambda p, q: p & q, "|": lambda p, q: p | q, "^": lambda p, q: p ^ q,
            "<<": lambda p, q: p << q, "max": tile.maximum, "min": tile.minimum,
            "where": lambda p, q: tile.where(p > q, p, q),
        }[name]  # fmt: skip
        values = [operate(p, q) for p, q in zip(x, y, strict=True)]
        # Divisions are Python's of numbers that are not negative; what overflows is nobody's.
        if all(abs(v) < 1 << 31 for v in values) and (name not in ("//", "%") or min(x) >= 0):
            self.made.append((operate(a, b), values))


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(8))
def test_what_is_known_is_true(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, t = rng.integers(-1000, 1000, 50).tolist(), rng.integers(0, 32, 50).tolist()

    def make(number: Any, _: Any, thread: Any) -> list[tuple[Any, list[int]]]:
        drawn = Drawn(seed, [(number, n), (thread, t), (thread, t)])
        for _ in range(200):
            drawn.step()
        return drawn.made

    made = facts(make)[0]
    assert len(made) > 60
    of_root: dict[Any, list[int]] = {}
    for number, values in made:
        divisor, nonnegative = scalars.known(number)
        assert all(value % divisor == 0 if divisor else value == 0 for value in values)
        assert not nonnegative or min(values) >= 0
        if isinstance(number, Scalar):
            roots = [value - number.shift for value in values]
            assert of_root.setdefault(number.root, roots) == roots


def test_unsigned_numbers_are_not_negative_by_type_alone() -> None:
    """What divides them is kept, and a sum may wrap."""
    found = facts(lambda n, y, t: [scalars.known(x) for x in (n.to(u32), (t * 4).to(u32), (t * 4).to(u32) + 8)])[0]
    assert found == [(1, False), (4, True), (4, True)]
