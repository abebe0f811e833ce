"""Sums, products, quotients, roots and fused sums of doubles in every rounding mode, against fractions."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from tests.effort import draws
from tests.sim.harness import Array, round_exactly
from weft.sim.float64 import fma64, product64, quotient64, root64, sum64
from weft.sim.rounding import fma32, odd_sum, to_f32, two_product, two_sum

MODES = ("rn", "rz", "rm", "rp")
EDGES = (
    0.0,
    5e-324,
    2.0**-1022 - 5e-324,
    2.0**-1022,
    2.0**-1000,
    2.0**-538,
    1 - 2.0**-53,
    1.0,
    1 + 2.0**-52,
    3.0,
    2.0**53 + 2,
    2.0**600,
    1.7976931348623157e308,
)


def operands(seed: str, count: int) -> list[float]:
    """Edges, and numbers of all magnitudes with few or many bits, so that some sums and products are ties."""
    rng = random.Random(seed)
    found: list[float] = []
    for _ in range(count):
        if rng.random() < 0.3:
            value = rng.choice(EDGES)
        else:
            bits = rng.choice((1, 2, 26, 27, 52, 53))
            exponent = rng.choice(
                (rng.randint(-1074, 970), rng.randint(-60, 60), rng.randint(-1074, -1000), rng.randint(900, 970))
            )
            value = math.ldexp(rng.getrandbits(bits) | 1, exponent)
        found.append(-value if rng.random() < 0.5 else value)
    return found


def same(found: float, wanted: float) -> bool:
    return (math.isnan(found) and math.isnan(wanted)) or (
        found == wanted and math.copysign(1, found) == math.copysign(1, wanted)
    )


def rounded(exact: Fraction, negative: bool, mode: str, format_: str = "f64") -> float:
    """A number that is not zero, or a zero of a sign."""
    return round_exactly(exact, format_, mode) if exact else -0.0 if negative else 0.0


def minus(*values: float) -> bool:
    return sum(math.copysign(1, value) < 0 for value in values) % 2 == 1


def zero_of(first: bool, second: bool, mode: str) -> bool:
    """The sign of a sum that is zero: that of its terms, if they have the same, else that of the mode."""
    return first if first == second else mode == "rm"


Model = Callable[[float, float, str], float]
TWO: dict[str, tuple[Callable[[Array, Array, str], Array], Model]] = {
    "sum": (sum64, lambda a, b, mode: rounded(Fraction(a) + Fraction(b), zero_of(minus(a), minus(b), mode), mode)),
    "product": (product64, lambda a, b, mode: rounded(Fraction(a) * Fraction(b), minus(a, b), mode)),
    "quotient": (quotient64, lambda a, b, mode: rounded(Fraction(a) / Fraction(b), minus(a, b), mode) if b else math.nan if not a else -math.inf if minus(a, b) else math.inf),
}  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", TWO)
def test_two_doubles(name: str, mode: str) -> None:
    compute, model = TWO[name]
    count = draws(120, 3000)
    some, others = operands(f"{name} {mode}", count), operands(f"{mode} {name}", count)
    others[: count // 4] = [-a if name == "sum" else a for a in some[: count // 4]]
    with np.errstate(all="ignore"):
        found = compute(np.array(some), np.array(others), mode).tolist()
    for a, b, value in zip(some, others, found, strict=True):
        assert same(value, model(a, b, mode)), (a.hex(), b.hex(), value)


@np.errstate(all="ignore")
@pytest.mark.parametrize("mode", MODES)
def test_doubles_that_are_not_finite(mode: str) -> None:
    """As IEEE 754 has it, whatever the mode."""
    values = np.array([0.0, -0.0, 1.0, -2.5, 5e-324, 1.7976931348623157e308, np.inf, -np.inf, np.nan])
    a, b = (part.reshape(-1) for part in np.meshgrid(values, values))
    for compute, plain in ((sum64, np.add), (product64, np.multiply), (quotient64, np.divide)):
        with np.errstate(all="ignore"):
            found, wanted = compute(a, b, mode), plain(a, b)
        special = ~np.isfinite(a) | ~np.isfinite(b)
        for one, other in zip(found[special].tolist(), wanted[special].tolist(), strict=True):
            assert same(one, other)
    with np.errstate(all="ignore"):
        roots = root64(values, mode).tolist()
        for c in (np.full_like(a, one) for one in (1.0, np.inf, -np.inf, np.nan)):
            fused, wanted = fma64(a, b, c, mode), np.where(np.isfinite(a) & np.isfinite(b), c, a * b + c)
            special = ~(np.isfinite(a) & np.isfinite(b) & np.isfinite(c))
            assert all(map(same, fused[special].tolist(), wanted[special].tolist()))
    assert all(
        same(one, other)
        for one, other in zip(roots, np.sqrt(values).tolist(), strict=True)
        if not 0 < abs(other) < math.inf or other == 1
    )
    assert math.isnan(roots[3]) and roots[6] == math.inf and math.isnan(roots[7]) and same(roots[1], -0.0)


@pytest.mark.parametrize("mode", MODES)
def test_roots_of_doubles(mode: str) -> None:
    """Between the values beside it; of squares exactly the number."""
    some = [abs(a) for a in operands(f"root {mode}", draws(120, 2000)) if a]
    some += [float(Fraction(a) ** 2) for a in (3.0, 1 + 2.0**-20, 2.0**-300 * 5, 2.0**400 * 7)]
    found = root64(np.array(some), mode).tolist()
    for a, value in zip(some, found, strict=True):
        exact, square = Fraction(a), Fraction(value) ** 2
        below, above = (Fraction(math.nextafter(value, to)) for to in (0.0, math.inf))
        if mode == "rn":
            assert ((Fraction(value) + below) / 2) ** 2 <= exact <= ((Fraction(value) + above) / 2) ** 2
        elif mode == "rp":
            assert below**2 < exact <= square
        else:
            assert square <= exact < above**2


@pytest.mark.parametrize("mode", MODES)
def test_fused_sums_of_doubles(mode: str) -> None:
    """Of all magnitudes; where the product is nearly what is added, halfway between two values, or far below either."""
    count = draws(150, 4000)
    rng = random.Random(mode)
    a, b, c = (operands(f"{n} {mode}", count) for n in "abc")
    for n in range(count):
        way = rng.randrange(6)
        if way < 2 and math.isfinite(a[n] * b[n]):
            c[n] = -a[n] * b[n] * rng.choice((1, 1, 1 + 2.0**-52, 2, 0.5, 2.0**53, 2.0**54))
        elif way == 2:  # A tie of normal or subnormal values, and a little more.
            a[n] = math.copysign(5e-324 * rng.choice((1, 3, 1 << 52)), a[n])
            b[n] = rng.choice((0.5, 0.25, 0.75, 2.0**-53, 0.5 + 2.0**-53)) * rng.choice((1, -1))
            c[n] = math.ldexp(rng.randint(-8, 8), -1074)
        elif way == 3:  # The last bits of a product decide on which side of a tie of subnormal values a sum lies.
            a[n] = math.ldexp(1 + rng.choice((1, -1)) * 2.0**-30, -538)
            b[n] = math.ldexp(1 + rng.choice((1, -1)) * 2.0**-30, rng.choice((-537, -536))) * rng.choice((1, -1))
            c[n] = math.ldexp(rng.randint(-5, 5), -1074)
    zeros = (0.0, -0.0)
    for tiny in (5e-324, -(2.0**-1022)):
        for n, zero in enumerate(zeros):
            a[2 * n : 2 * n + 2], b[2 * n : 2 * n + 2], c[2 * n : 2 * n + 2] = (
                (zero, 1.5e308),
                (1.5e308, zero),
                (tiny, tiny),
            )
        a, b, c = a[::-1], b[::-1], c[::-1]
    pairs = [(x, y, z) for x, y, z in zip(a, b, c, strict=True) if math.isfinite(z)]
    with np.errstate(all="ignore"):
        found = fma64(*(np.array(column) for column in zip(*pairs, strict=True)), mode).tolist()  # type: ignore[arg-type]
    for (x, y, z), value in zip(pairs, found, strict=True):
        exact = Fraction(x) * Fraction(y) + Fraction(z)
        wanted = rounded(exact, zero_of(minus(x, y), minus(z), mode), mode)
        assert same(value, wanted), (x.hex(), y.hex(), z.hex(), value, wanted)


@np.errstate(all="ignore")
def test_fused_sums_of_singles() -> None:
    """Rounded once: ties, subnormal results, and what lies a little beside them."""
    rng = random.Random(6)
    rows: list[tuple[float, float, float]] = []
    for _ in range(draws(400, 8000)):
        a, b, c = (
            math.ldexp(
                (rng.getrandbits(rng.choice((1, 2, 12, 24))) | 1) * rng.choice((1, -1)),
                rng.choice((rng.randint(-20, 20), rng.randint(-149, -100), rng.randint(60, 100))),
            )
            for _ in range(3)
        )
        if rng.random() < 0.5 and a * b:
            c = float(np.float32(a * b)) * rng.choice((1, -1, 2.0**-24, 2.0**24, -(2.0**-25), 2.0**-30))
        if rng.random() < 0.4:  # A product that is nearly a power of two: 2**32 + 1, or - 1, by half a unit of the sum.
            a, b = rng.choice(((641.0, 6700417.0), (65537.0, 65535.0)))
            unit = rng.choice((rng.randint(-100, 60), -149, -149))
            top = rng.choice((22, 23))  # Of the results with the least unit some are subnormal.
            c = math.ldexp(rng.getrandbits(top) | 1 << top, unit) * rng.choice((1, -1))
            a, b = math.ldexp(a, unit // 2) * rng.choice((1, -1)), math.ldexp(b, unit - unit // 2 - 33)
        row = tuple(float(np.float32(x)) for x in (a, b, c))
        if all(map(math.isfinite, row)):
            rows.append(row)  # type: ignore[arg-type]
    found = fma32(*(np.array(column, np.float32) for column in zip(*rows, strict=True))).tolist()
    for (a, b, c), value in zip(rows, found, strict=True):
        exact = Fraction(a) * Fraction(b) + Fraction(c)
        wanted = rounded(exact, zero_of(minus(a, b), minus(c), "rn"), "rn", "f32")
        assert same(value, wanted), (a.hex(), b.hex(), c.hex(), value, wanted)
    nan = fma32(*(np.array([x, 1.0], np.float32) for x in (np.inf, 0.0, 1.0)))
    assert nan.view(np.uint32).tolist() == [0x7FFF_FFFF, 0x4000_0000]


def test_sums_and_products_with_what_they_lack() -> None:
    """Exactly, as two doubles; sums rounded to odd have an odd last bit unless they are exact."""
    rng = random.Random(9)
    a, b = (
        np.array([math.ldexp(rng.getrandbits(53) | 1, rng.randint(-80, 20)) * rng.choice((1, -1)) for _ in range(150)])
        for _ in "ab"
    )
    b[:20] = -a[:20]
    for compute, exact in ((two_sum, lambda x, y: x + y), (two_product, lambda x, y: x * y)):
        near, lacks = compute(a, b)
        for x, y, high, low in zip(a.tolist(), b.tolist(), near.tolist(), lacks.tolist(), strict=True):
            value = exact(Fraction(x), Fraction(y))
            assert Fraction(high) + Fraction(low) == value and high == float(value)
    for x, y, value in zip(a.tolist(), b.tolist(), odd_sum(a, b).tolist(), strict=True):
        exact_sum = Fraction(x) + Fraction(y)
        if Fraction(value) != exact_sum:
            last = int(np.float64(value).view(np.uint64)) & 1
            beside = sorted(Fraction(math.nextafter(value, to)) for to in (-math.inf, math.inf))
            assert last == 1 and beside[0] < exact_sum < beside[1]


@pytest.mark.parametrize("mode", MODES)
def test_singles_of_doubles(mode: str) -> None:
    rng = random.Random(mode)
    values = [
        math.ldexp(rng.getrandbits(rng.choice((24, 25, 53))) | 1, rng.randint(-180, 104)) * rng.choice((1, -1))
        for _ in range(300)
    ]
    values += [3.4028235677973366e38, -3.4028235677973366e38, 2.0**-150, -(2.0**-150), 2.0**-149, 1e300]
    with np.errstate(all="ignore"):
        found = to_f32(np.array(values), mode).tolist()
    for value, single in zip(values, found, strict=True):
        assert same(single, round_exactly(Fraction(value), "f32", mode)), value.hex()
