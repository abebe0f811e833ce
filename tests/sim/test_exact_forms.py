"""Every form of instructions whose result is exact, on all pairs of telling operands, against a few lines of Python."""

from __future__ import annotations

import itertools
import math
import operator
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.sim.harness import Array, round_exactly
from tests.sim.test_forms import tokens_of
from weft.isa.registry import compiled_forms
from weft.isa.types import TYPES
from weft.sim import semantics
from weft.sim.types import DTYPES
from weft.sim.values import PACKED

semantics.load_all()
MOST = 300
"""Tuples of operands of each form."""
Slots = dict[str, str]


# -- operands -------------------------------------------------------------------------------------------------


def words(bits: int) -> list[int]:
    """Telling words: the least and the greatest, what is near them, and counts of bits."""
    top = 1 << bits - 1
    near = [0, 1, 2, 3, 5, 7, top - 1, top, top + 1, 2 * top - 2, 2 * top - 1, 0x5A5A5A5A5A5A5A5A & 2 * top - 1]
    return sorted(
        {*near, bits - 1, bits, bits + 1, 1 << bits // 2, (1 << bits // 2) - 1, 0x8421_0F0F_C3A5_9669 & 2 * top - 1}
    )


def floats_of(type_: str) -> list[int]:
    """Telling floats as words: zeros, ones, the smallest and greatest, infinities, and NaNs."""
    mantissa, exponent = {"f16": (10, 5), "bf16": (7, 8), "f32": (23, 8), "f64": (52, 11)}[type_]
    one, infinite = (1 << exponent - 1) - 1 << mantissa, (1 << exponent) - 1 << mantissa
    positive = [
        0,
        1,
        (1 << mantissa) - 1,
        1 << mantissa,
        (1 << mantissa) + 1,
        one - 1,
        one,
        one + 1,
        2 * one,
        infinite - 1,
    ]
    positive += [infinite, infinite | 1 << mantissa - 1, infinite | 5]
    sign = 1 << mantissa + exponent
    return positive + [word | sign for word in positive]


@cache
def corners(type_: str) -> tuple[int, ...]:
    """Telling operands of a type, as words."""
    if type_ == "pred":
        return 0, 1
    element, count = PACKED.get(type_, (type_, 1))
    bits = TYPES[element].bits
    some = floats_of(element) if TYPES[element].kind == "f" else words(bits)
    if count == 1:
        return tuple(some)
    rng = random.Random(type_)
    return tuple(sum(rng.choice(some) << bits * i for i in range(count)) for _ in range(3 * len(some)))


def tuples(types: list[str]) -> list[tuple[int, ...]]:
    """Operands of types: all tuples of telling ones, or many."""
    size = math.prod(len(corners(type_)) for type_ in types)
    if size <= MOST:
        return list(itertools.product(*map(corners, types)))
    rng = random.Random(" ".join(types))
    return [tuple(rng.choice(corners(type_)) for type_ in types) for _ in range(MOST)]


def array(type_: str, given: list[int]) -> Array:
    """Words as an array that the simulator computes with."""
    if type_ == "pred":
        return np.array(given, np.bool_)
    dtype = DTYPES[type_]
    return np.array(given, f"u{dtype.itemsize}").view(dtype)


def back(type_: str, found: Any, count: int) -> list[int]:
    """An array as words."""
    if type_ == "pred":
        return np.broadcast_to(np.asarray(found), count).astype(int).tolist()
    dtype = DTYPES[type_]
    whole = np.broadcast_to(np.asarray(found), count)
    if whole.dtype == np.bool_:
        whole = whole.astype(dtype)
    assert whole.dtype.itemsize == dtype.itemsize
    return np.ascontiguousarray(whole).view(f"u{dtype.itemsize}").tolist()


def number(type_: str, word: int) -> int:
    """The integer that a word is."""
    bits = TYPES[type_].bits
    return word - (1 << bits) if TYPES[type_].kind == "s" and word >> bits - 1 else word


def real(type_: str, word: int, ftz: str = "") -> float:
    """The float that a word is; subnormal ones are zeros of their sign if they are flushed."""
    dtype: Any = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}[type_]
    value = float(np.array(word, f"u{TYPES[type_].bits // 8}").view(dtype))
    return math.copysign(0.0, value) if ftz and abs(value) < float(ml_dtypes.finfo(dtype).smallest_normal) else value


# -- what instructions do -------------------------------------------------------------------------------------


def limited(type_: str, value: int) -> int:
    """The nearest number of an integer type."""
    bits, signed = TYPES[type_].bits, TYPES[type_].kind == "s"
    return max(-(1 << bits - 1) if signed else 0, min((1 << bits - signed) - 1, value))


def total(slots: Slots, value: int) -> int:
    """A sum, clamped if it saturates."""
    return limited(slots["type"], value) if slots.get("sat") else value


def carried(plus: bool, with_carry: bool) -> Callable[..., Any]:
    """`add`, `sub` and those that read the carry: of differences it is set where nothing is borrowed."""

    def run(slots: Slots, a: int, b: int, carry: int = not plus) -> Any:
        bits = TYPES[slots["type"]].bits
        mask = (1 << bits) - 1
        whole = (a & mask) + ((b if plus else ~b) & mask) + carry
        value = total(slots, a + b + carry if plus else a - b - 1 + carry)
        return (value, whole >> bits) if slots.get("cc") else value

    return run if with_carry else lambda slots, a, b: run(slots, a, b)


def multiplied(slots: Slots, a: int, b: int, c: int | None = None, carry: int = 0) -> Any:
    """`mul`, `mad` and `madc`: the low half of a product, the high one, or all of it."""
    bits = TYPES[slots["type"]].bits
    product = a * b >> (bits if slots["mode"] == "hi" else 0)
    if c is None:
        return product
    mask = (1 << bits) - 1
    value = total(slots, product + c + carry)
    return (value, (product & mask) + (c & mask) + carry >> bits) if slots.get("cc") else value


def low24(slots: Slots, value: int) -> int:
    value &= 0xFFFFFF
    return value - (1 << 24) if slots["type"] == "s32" and value >> 23 else value


def product24(slots: Slots, a: int, b: int, c: int | None = None) -> int:
    """The low or the high 32 of the 48 bits of a product."""
    found = low24(slots, a) * low24(slots, b) >> (16 if slots["mode"] == "hi" else 0)
    return found if c is None else total(slots, found + c)


def carryless(slots: Slots, a: int, b: int, c: int) -> int:
    mask = (1 << 64) - 1
    a, b, c = a & mask, b & mask, c & mask
    product = 0
    for bit in range(64):
        product ^= (a << bit) * (b >> bit & 1)
    return (product >> (64 if slots["mode"] == "hi" else 0) & mask) ^ c


def divided(slots: Slots, a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else -1


def remainder(slots: Slots, a: int, b: int) -> int:
    return a - divided(slots, a, b) * b if b else a


def shifted(left: bool) -> Callable[[Slots, int, int], int]:
    def run(slots: Slots, a: int, n: int) -> int:
        n = min(n, TYPES[slots["type"]].bits)
        return a << n if left else a >> n

    return run


def funnel(slots: Slots, a: int, b: int, c: int) -> int:
    n = c % 32 if slots["mode"] == "wrap" else min(c, 32)
    pair = b << 32 | a
    return pair << n >> 32 if slots["dir"] == "l" else pair >> n


def permuted(slots: Slots, a: int, b: int, c: int) -> int:
    rows = {
        "f4e": "3210 4321 5432 6543", "b4e": "5670 6701 7012 0123", "rc8": "0000 1111 2222 3333",
        "ecl": "3210 3211 3222 3333", "ecr": "0000 1110 2210 3210", "rc16": "1010 3232 1010 3232",
    }  # fmt: skip
    chosen = int(rows[slots["mode"]].split()[c & 3], 16) if slots["mode"] else c
    found = 0
    for place in range(4):
        nibble = chosen >> 4 * place & 15
        byte = (b << 32 | a) >> 8 * (nibble & 7) & 255
        found |= (255 * (byte >> 7) if nibble & 8 else byte) << 8 * place
    return found


def field(slots: Slots, a: int, b: int, c: int) -> int:
    bits, signed = TYPES[slots["type"]].bits, TYPES[slots["type"]].kind == "s"
    start, size = b & 255, c & 255
    sign = a >> min(start + size - 1, bits - 1) & 1 if signed and size else 0
    bit = [a >> start + i & 1 if i < size and start + i < bits else sign for i in range(bits)]
    return sum(value << place for place, value in enumerate(bit))


def inserted(slots: Slots, a: int, b: int, c: int, size: int) -> int:
    for i in range(size & 255):
        place = (c & 255) + i
        if place < TYPES[slots["type"]].bits:
            b = b & ~(1 << place) | (a >> i & 1) << place
    return b


def highest(slots: Slots, a: int) -> int:
    bits = TYPES[slots["type"]].bits
    at = (~a if a < 0 else a).bit_length() - 1
    return bits - 1 - at if slots["shiftamt"] and at >= 0 else at


def mask(slots: Slots, a: int, b: int) -> int:
    a, b = (a % 32, b % 32) if slots["mode"] == "wrap" else (min(a, 32), min(b, 32))
    return (1 << b) - 1 << a


def extended(slots: Slots, a: int, n: int) -> int:
    n = n % 32 if slots["mode"] == "wrap" else min(n, 32)
    a &= (1 << n) - 1
    return a - (1 << n) if slots["type"] == "s32" and n and a >> n - 1 else a


def nth(slots: Slots, bits: int, base: int, offset: int) -> int:
    offset = number("s32", offset)
    if not offset:
        return base if bits >> base & 1 else -1
    inside = [place for place in range(32) if (place >= base if offset > 0 else place <= base)]
    found = [place for place in inside if bits >> place & 1]
    return sorted(found, reverse=offset < 0)[abs(offset) - 1] if len(found) >= abs(offset) else -1


def parts(type_: str, word: int, bits: int) -> list[int]:
    fields = [word >> i & (1 << bits) - 1 for i in range(0, 32, bits)]
    return [f - (1 << bits) if type_ == "s32" and f >> bits - 1 else f for f in fields]


def dot(slots: Slots, a: int, b: int, c: int) -> int:
    x, y = parts(slots["atype"], a, 8 if not slots.get("mode") else 16), parts(slots["btype"], b, 8)
    if slots.get("mode") == "hi":
        y = y[2:]
    return c + sum(map(operator.mul, x, y))


def packs(slots: Slots, a: int, b: int, c: int = 0) -> int:
    type_ = slots["type"]
    bits = int(type_[1:])
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if type_[0] == "s" else (0, (1 << bits) - 1)
    first, second = (max(low, min(high, value)) & (1 << bits) - 1 for value in (a, b))
    return c << 2 * bits | first << bits | second


def extremum(least: bool) -> Callable[[Slots, int, int], int]:
    def run(slots: Slots, a: int, b: int) -> int:
        found = min(a, b) if least else max(a, b)
        return max(found, 0) if slots.get("relu") else found

    return run


def logic(slots: Slots, a: int, b: int, c: int, table: int, q: int | None = None) -> Any:
    found = 0
    for row in range(8):
        if table >> row & 1:
            found |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
    if q is None:
        return found
    some = int(found & 0xFFFF_FFFF != 0)
    return found, some & q if slots["boolop"] == "and" else some | q


WORDS = {"pred", *(f"{kind}{bits}" for kind in "bus" for bits in (8, 16, 32, 64))}
INTEGERS: dict[str, Callable[..., Any]] = {
    "add": carried(True, False), "sub": carried(False, False), "addc": carried(True, True), "subc": carried(False, True),
    "mul": multiplied, "mad": multiplied, "madc": multiplied, "mul24": product24, "mad24": product24, "clmad": carryless,
    "div": divided, "rem": remainder, "sad": lambda _, a, b, c: c + abs(a - b), "dp4a": dot, "dp2a": dot,
    "abs": lambda _, a: abs(a), "neg": lambda _, a: -a, "min": extremum(True), "max": extremum(False),
    "and": lambda _, a, b: a & b, "or": lambda _, a, b: a | b, "xor": lambda _, a, b: a ^ b,
    "not": lambda slots, a: 1 - a if slots["type"] == "pred" else ~a, "cnot": lambda _, a: int(a == 0), "lop3": logic,
    "shl": shifted(True), "shr": shifted(False), "shf": funnel, "prmt": permuted, "bfe": field, "bfi": inserted,
    "bfind": highest, "bmsk": mask, "szext": extended, "fns": nth, "cvt.pack": packs,
    "brev": lambda slots, a: int(f"{a:0{TYPES[slots['type']].bits}b}"[::-1], 2),
    "clz": lambda slots, a: TYPES[slots["type"]].bits - a.bit_length(), "popc": lambda _, a: a.bit_count(),
    "selp": lambda _, a, b, c: a if c else b, "slct": lambda _, a, b, c: a if c >= 0 else b,
}  # fmt: skip


def forms(stem: str) -> Iterator[tuple[Slots, list[str], str]]:
    """The forms of integers: their slots, and the types of what they read and write."""
    for form in compiled_forms(stem):
        writes = next(spec for spec in form.operands if spec.arg.access == "w")
        for slots in tokens_of(form):
            reads = [
                "u8" if spec.arg.reg is False else spec.type(slots) for spec in form.operands if spec.arg.access == "r"
            ]
            yield slots, [*reads, *(["pred"] if "r" in form.effects.carry else [])], writes.type(slots)


def computed(stem: str, slots: Any, types: list[str], given: list[tuple[int, ...]]) -> list[Any]:
    """What the simulator makes of operands."""
    arrays = [array(type_, [one[place] for one in given]) for place, type_ in enumerate(types)]
    with np.errstate(all="ignore"):
        found = semantics.ALU[stem](slots)(*arrays)
    return list(found) if isinstance(found, tuple) else [found]


def word(type_: str, value: int) -> int:
    return int(value) & (1 << TYPES[type_].bits) - 1 if type_ != "pred" else int(value)


@pytest.mark.sample(8)
@pytest.mark.parametrize("stem", INTEGERS)
def test_integers(stem: str) -> None:
    for slots, types, result in forms(stem):
        elements = {PACKED.get(type_, (type_,))[0] for type_ in [*types, result]}
        if elements - WORDS:
            continue
        given = [one for one in tuples(types) if stem != "fns" or one[1] < 32]  # A base is the number of a bit.
        if stem == "lop3":  # A table is a number in the text.
            for table in (0x00, 0x1B, 0x96, 0xE8, 0xFE, 0xC0):
                rows = [(*one[:3], table, *one[4:]) for one in given[::8]]
                _same(stem, slots, [*types[:3], "table", *types[4:]], result, rows)
            continue
        _same(stem, slots, types, result, given)


def _same(stem: str, slots: Any, types: list[str], result: str, given: list[tuple[int, ...]]) -> None:
    """One form computes what the reference says of all operands."""
    if "table" in types:
        arrays: list[Any] = [
            array(type_, [one[at] for one in given]) for at, type_ in enumerate(types) if type_ != "table"
        ]
        arrays.insert(types.index("table"), np.uint32(given[0][types.index("table")]))
        found = semantics.ALU[stem](slots)(*arrays)
        results = list(found) if isinstance(found, tuple) else [found]
    else:
        results = computed(stem, slots, types, given)
    element, count = PACKED.get(result, (result, 1))
    bits = TYPES[element].bits if element != "pred" else 1
    wanted: list[Any] = []
    for one in given:
        if count > 1:
            split = [[number(element, value >> bits * i & (1 << bits) - 1) for value in one] for i in range(count)]
            inner = {**slots, "type": element}
            wanted.append(sum(word(element, INTEGERS[stem](inner, *each)) << bits * i for i, each in enumerate(split)))
            continue
        values = [v if t in ("pred", "table") else number(t, v) for t, v in zip(types, one, strict=True)]
        value = INTEGERS[stem](slots, *values)
        first, *more = value if isinstance(value, tuple) else (value,)
        wanted.append((word(result, first), *map(int, more)))
    got = back(result, results[0], len(given))
    if count > 1:
        assert got == wanted, (stem, dict(slots))
        return
    whole = list(zip(got, *(back("pred", more, len(given)) for more in results[1:]), strict=True))
    bad = [(one, g, w) for one, g, w in zip(given, whole, wanted, strict=True) if g != w]
    assert not bad, (stem, dict(slots), bad[:3])


# -- comparisons ----------------------------------------------------------------------------------------------

FLOATS = {"f16", "bf16", "f32", "f64"}
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "lo": operator.lt, "ls": operator.le, "hi": operator.gt, "hs": operator.ge,
}  # fmt: skip
JOINED: dict[str, Callable[[int, int], int]] = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}


def compared(slots: Slots, type_: str, a: int, b: int) -> int:
    """Whether words of a type compare so: what is not ordered compares as nothing but `...u` and `nan`."""
    cmp = slots["cmp"]
    if type_ not in FLOATS:
        return int(COMPARED[cmp](number(type_, a), number(type_, b)))
    x, y = (real(type_, value, slots.get("ftz", "")) for value in (a, b))
    unordered = math.isnan(x) or math.isnan(y)
    if cmp in ("num", "nan"):
        return int(unordered == (cmp == "nan"))
    if unordered:
        return int(cmp.endswith("u"))
    return int(COMPARED[cmp.removesuffix("u")](x, y))


def elements(type_: str, value: int) -> list[int]:
    """The words of the elements of a word, the lowest first."""
    element, count = PACKED.get(type_, (type_, 1))
    bits = TYPES[element].bits
    return [value >> bits * i & (1 << bits) - 1 for i in range(count)]


def few(given: list[tuple[int, ...]], most: int) -> list[tuple[int, ...]]:
    return given if len(given) <= most else random.Random(most).sample(given, most)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "cmp",
    [
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "lo",
        "ls",
        "hi",
        "hs",
        "equ",
        "neu",
        "ltu",
        "leu",
        "gtu",
        "geu",
        "num",
        "nan",
    ],
)
@pytest.mark.parametrize("stem", ["set", "setp"])
def test_comparisons(stem: str, cmp: str) -> None:
    """All types, flushed or not, joined with a predicate; packed ones compare element by element."""
    for slots, types, result in forms(stem):
        if slots["cmp"] != cmp:
            continue
        given = few(tuples(types), 24)
        found = computed(stem, slots, types, given)
        element = PACKED.get(types[0], (types[0], 1))[0]
        join = JOINED.get(slots.get("boolop", ""), lambda t, _: t)
        wanted: list[list[int]] = []
        for a, b, *c in given:
            pairs = zip(elements(types[0], a), elements(types[0], b), strict=True)
            wanted.append([join(compared(slots, element, x, y), c[0] if c else 0) for x, y in pairs])
            if stem == "setp" and len(wanted[-1]) == 1:  # The other predicate is the opposite, joined.
                wanted[-1].append(join(1 - compared(slots, element, a, b), c[0] if c else 0))
        if stem == "setp":
            both = [back("pred", one, len(given)) for one in found]
            assert [list(pair) for pair in zip(*both, strict=True)] == wanted, dict(slots)
            continue
        small, count = PACKED.get(result, (result, 1))
        width = TYPES[small].bits if count > 1 or len(wanted[0]) == 1 else 16  # Masks of halves fill a word.
        true = {"f16": 0x3C00, "bf16": 0x3F80, "f32": 0x3F80_0000}.get(small, (1 << width) - 1)
        whole = [sum(true << width * i for i, one in enumerate(row) if one) for row in wanted]
        assert back(result, found[0], len(given)) == whole, dict(slots)


# -- floats ---------------------------------------------------------------------------------------------------

NAN = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFF_FFFF, "f64": 0x7FF8_0000_0000_0000}


def flushed(type_: str, value: int, ftz: str) -> int:
    """A word whose number is a zero of its sign if it is subnormal and flushed."""
    sign = 1 << TYPES[type_].bits - 1
    small = real(type_, value) != 0 and real(type_, value, ftz) == 0
    return value & sign if ftz and small else value


def extreme(slots: Slots, least: bool, *given: int) -> int:
    """Of a NaN and a number the number, or with `.NaN` a NaN; -0 is less than 0; the signs of `.xorsign` meet."""
    type_ = slots["type"]
    sign = 1 << TYPES[type_].bits - 1
    some = [flushed(type_, value, slots.get("ftz", "")) for value in given]
    signs = sign * (sum(value >> TYPES[type_].bits - 1 for value in some) & 1)
    if slots.get("abs"):
        some = [value & ~sign for value in some]
    numbers = [value for value in some if not math.isnan(real(type_, value))]
    if not numbers or (slots.get("NaN") and len(numbers) < len(some)):
        return NAN[type_]

    def key(value: int) -> tuple[float, bool]:
        return real(type_, value), not value & sign

    found = (min if least else max)(numbers, key=key)
    return found & ~sign | signs if slots.get("xorsign") else found


def classified(slots: Slots, value: int) -> int:
    type_ = slots["type"]
    x = real(type_, value)
    small = x != 0 and real(type_, value, "ftz") == 0
    finite = math.isfinite(x)
    return int({
        "finite": finite, "infinite": math.isinf(x), "number": not math.isnan(x), "notanumber": math.isnan(x),
        "normal": finite and x != 0 and not small, "subnormal": small,
    }[slots["op"]])  # fmt: skip


def unsigned(slots: Slots, value: int) -> int:
    return flushed(slots["type"], value, slots.get("ftz", "")) & (1 << TYPES[slots["type"]].bits - 1) - 1


def opposite(slots: Slots, value: int) -> int:
    return flushed(slots["type"], value, slots.get("ftz", "")) ^ 1 << TYPES[slots["type"]].bits - 1


def signed(slots: Slots, a: int, b: int) -> int:
    sign = 1 << TYPES[slots["type"]].bits - 1
    return b & ~sign | a & sign


def selected(slots: Slots, a: int, b: int, c: int) -> int:
    type_ = slots["ctype"]
    return a if (real(type_, c, slots["ftz"]) if type_ in FLOATS else number(type_, c)) >= 0 else b


REALS: dict[str, Callable[..., int]] = {
    "min": lambda slots, *given: extreme(slots, True, *given), "max": lambda slots, *given: extreme(slots, False, *given),
    "abs": unsigned, "neg": opposite, "copysign": signed, "testp": classified, "slct": selected,
    "selp": lambda _, a, b, c: a if c else b,
}  # fmt: skip


@pytest.mark.sample(2)
@pytest.mark.parametrize("stem", REALS)
def test_floats(stem: str) -> None:
    """What chooses among floats, or changes their signs."""
    for slots, types, result in forms(stem):
        element, count = PACKED.get(types[0], (types[0], 1))
        if element not in FLOATS and stem != "slct":
            continue
        given = few(tuples(types), 120)
        found = back(result, computed(stem, slots, types, given)[0], len(given))
        inner = {**slots, "type": element}
        for one, got in zip(given, found, strict=True):
            rows = zip(
                *(elements(type_, value) if count > 1 else [value] for type_, value in zip(types, one, strict=True)),
                strict=True,
            )
            wanted = [REALS[stem](inner, *row) for row in rows]
            for mine, want in zip(elements(result, got) if count > 1 else [got], wanted, strict=True):
                nan = element in FLOATS and result != "pred" and math.isnan(real(element, want))
                alike = (
                    nan and stem not in ("abs", "neg", "copysign", "selp", "slct") and math.isnan(real(element, mine))
                )
                assert mine == want or alike, (stem, dict(slots), one)


# -- conversions ----------------------------------------------------------------------------------------------

WHOLE: dict[str, Callable[[float], int]] = {"rni": round, "rzi": math.trunc, "rmi": math.floor, "rpi": math.ceil}


def as_word(type_: str, value: float, negative: bool) -> int:
    """A value that a float type has, with its sign where it is zero, as a word."""
    dtype: Any = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}[type_]
    return int(np.array(math.copysign(value, -1 if negative else 1), dtype).view(f"u{TYPES[type_].bits // 8}"))


def integral(slots: Slots, x: float) -> int:
    """A float as an integer: clamped, and what is no number is 0, or the top bit where 64 bits are involved."""
    type_ = slots["type"]
    if math.isnan(x):
        wide = slots["atype"] == "f64" or TYPES[type_].bits == 64
        return 1 << TYPES[type_].bits - 1 if wide else 0
    if math.isinf(x):
        return limited(type_, 1 << 70 if x > 0 else -1 << 70)
    return limited(type_, WHOLE[slots["rnd"]](x))


def converted(slots: Slots, value: int) -> int:
    """A word of one type as a word of another."""
    type_, atype = slots["type"], slots["atype"]
    source = (
        real(atype, value, slots.get("ftz", "") if atype == "f32" else "") if atype in FLOATS else number(atype, value)
    )
    if type_ not in FLOATS:
        if atype in FLOATS:  # They are always clamped.
            return word(type_, integral(slots, source))
        return word(type_, limited(type_, int(source)) if slots.get("sat") else int(source))
    negative = math.copysign(1, source) < 0
    if math.isnan(source):
        return 0 if slots.get("sat") else NAN[type_]
    if math.isinf(source):
        result = as_word(type_, math.inf, negative)
    elif slots["rnd"] in WHOLE:
        result = as_word(type_, abs(WHOLE[slots["rnd"]](source)), negative)
    else:
        result = as_word(type_, abs(round_exactly(Fraction(source), type_, slots["rnd"] or "rn")), negative)
    if slots.get("ftz") and type_ == "f32":
        result = flushed(type_, result, "ftz")
    return clamped(slots, type_, result, negative)


def clamped(slots: Slots, type_: str, result: int, negative: bool) -> int:
    if slots.get("sat") and (negative or real(type_, result) > 1):
        return as_word(type_, 0.0 if negative else 1.0, negative=False)
    if slots.get("satfinite") and math.isinf(real(type_, result)):
        result -= 1  # The greatest number stands before infinity.
    return 0 if negative and (slots.get("relu") or (slots.get("pzo") and real(type_, result) == 0)) else result


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", ["", *WHOLE, "rn", "rz", "rm", "rp"])
@pytest.mark.parametrize("flags", ["", "sat", "ftz", "ftz sat", "relu", "satfinite", "pzo relu satfinite"])
def test_conversions(mode: str, flags: str) -> None:
    for slots, types, result in forms("cvt"):
        known = {slots["type"], slots["atype"]} <= FLOATS | WORDS and types == [slots["atype"]]
        has = {name for name in ("sat", "ftz", "relu", "satfinite", "pzo", "scaled") if slots.get(name)}
        if not known or slots["rnd"] != mode or has != set(flags.split()):
            continue
        given = tuples(types)
        found = back(result, computed("cvt", slots, types, given)[0], len(given))
        for one, got in zip(given, found, strict=True):
            want = converted(slots, *one)
            nan = result in FLOATS and math.isnan(real(result, want)) and math.isnan(real(result, got))
            assert got == want or nan, (dict(slots), one, got, want)


# -- arithmetic -----------------------------------------------------------------------------------------------

Exact = Callable[..., Fraction | tuple[int, int]]


def rooted(value: Fraction) -> Fraction:
    """A square root, exact or to 800 bits and then a little more: nothing rounds differently in between."""
    whole = math.isqrt((value.numerator << 1600) // value.denominator)
    exact = Fraction(whole * whole, 1 << 1600) == value
    return Fraction(whole, 1 << 800) if exact else Fraction(2 * whole + 1, 1 << 801)


ARITHMETIC: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "fma": lambda a, b, c: a * b + c,
    "mad": lambda a, b, c: a * b + c, "div": lambda a, b: a / b, "rcp": lambda a: 1 / a,
    "sqrt": lambda a: math.sqrt(a) if isinstance(a, float) else rooted(a),
}  # fmt: skip


def special(stem: str, given: list[float]) -> float | None:
    """The result where an operand, or a divisor, makes it infinite or no number; None where it is neither."""
    if any(map(math.isnan, given)):
        return math.nan
    if stem in ("div", "rcp"):
        over, under = given if stem == "div" else (1.0, given[0])
        if under == 0:
            sign = math.copysign(1, over) * math.copysign(1, under)
            return math.nan if over == 0 else math.copysign(math.inf, sign)
        if math.isinf(under) and math.isfinite(over):
            return math.copysign(0.0, math.copysign(1, over) * math.copysign(1, under))
    if stem == "sqrt" and given[0] < 0:
        return math.nan
    return float(ARITHMETIC[stem](*given)) if not all(map(math.isfinite, given)) else None


def negative_zero(stem: str, given: list[float], mode: str) -> bool:
    """Whether an exact zero is negative: sums of unlike signs are only where all is rounded down."""
    signs = [math.copysign(1, one) < 0 for one in given]
    if stem == "sqrt":
        return signs[0]
    if stem in ("mul", "div", "rcp"):
        return sum(signs) % 2 == 1
    pair = (signs[0] != signs[1], signs[2]) if len(given) == 3 else (signs[0], signs[1] != (stem == "sub"))
    zeros = ARITHMETIC["mul"](*map(abs, given[:2])) == 0 if len(given) == 3 else given == [0, 0]
    return pair[0] if zeros and pair[0] == pair[1] else mode == "rm"


def arithmetic(stem: str, slots: Slots, types: list[str], words: tuple[int, ...]) -> int:
    """The word of the result, rounded once."""
    type_, mode, ftz = slots["type"], slots.get("rnd") or "rn", slots.get("ftz", "")
    given = [real(type__, value, ftz) for type__, value in zip(types, words, strict=True)]
    if slots.get("oob") and 0x7FF7 in words:
        return 0
    found = special(stem, given)
    if found is not None:
        negative = math.copysign(1, found) < 0
        result = NAN[type_] if math.isnan(found) else as_word(type_, abs(found), negative)
    else:
        exact = ARITHMETIC[stem](*map(Fraction, given)) if any(given) or stem not in ("div", "rcp") else Fraction(0)
        negative = exact < 0 if exact else negative_zero(stem, given, mode)
        result = as_word(type_, abs(round_exactly(exact, type_, mode)), negative)
        result = flushed(type_, result, ftz)
    if math.isnan(real(type_, result)):
        return 0 if slots.get("sat") else result
    return clamped(slots, type_, result, negative)


@pytest.mark.sample(2)
@pytest.mark.parametrize("mode", ["", "rn", "rz", "rm", "rp"])
@pytest.mark.parametrize("stem", ARITHMETIC)
def test_arithmetic(stem: str, mode: str) -> None:
    """All float types and pairs of them, and what mixes them: rounded once, flushed, and clamped."""
    for slots, types, result in forms(stem):
        some = {name for name, value in slots.items() if value} - {
            "rnd",
            "ftz",
            "sat",
            "relu",
            "type",
            "atype",
            "btype",
            "oob",
        }
        small = [PACKED.get(type_, (type_, 1)) for type_ in [*types, result]]
        if (
            slots.get("rnd", "") != mode
            or some
            or not {element for element, _ in small} <= FLOATS
            or len({count for _, count in small}) > 1
        ):
            continue
        if (mode == "" and stem in ("div", "rcp", "sqrt")) or (slots.get("ftz") and slots.get("atype")):
            continue  # What mixes types flushes f32 only.
        given = few(tuples(types), 40)
        if slots.get("oob"):  # The NaN that fills what lies outside of tensors, as each of the operands.
            given += [(*one[:at], 0x7FF7, *one[at + 1 :]) for at, one in enumerate(given[: len(types)])]
        found = back(result, computed(stem, slots, types, given)[0], len(given))
        count, inner = small[0][1], {**slots, "type": small[-1][0]}
        for one, got in zip(given, found, strict=True):
            rows = zip(*(elements(type_, value) for type_, value in zip(types, one, strict=True)), strict=True)
            for row, mine in zip(rows, elements(result, got) if count > 1 else [got], strict=True):
                want = arithmetic(stem, inner, [element for element, _ in small[:-1]], row)
                nan = math.isnan(real(small[-1][0], want)) and math.isnan(real(small[-1][0], mine))
                assert mine == want or nan, (stem, dict(slots), row, mine, want)


def to_tf32(slots: Slots, value: int) -> int:
    """The 19 upper bits of a single, rounded; the greatest numbers round to infinity, as in other formats."""
    sign, magnitude = value & 1 << 31, value & (1 << 31) - 1
    if magnitude > 0x7F80_0000:
        return 0x7FFF_FFFF
    whole, rest = divmod(magnitude, 1 << 13)
    up = {"rz": False, "rn": (rest, whole & 1) > (1 << 12, 0), "rna": rest >= 1 << 12}[slots["rnd"]]
    result = whole + up << 13
    if result == 0x7F80_0000 and slots["satfinite"]:
        result = 0x7F7F_E000
    return 0 if sign and (slots["relu"] or (slots["pzo"] and not result)) else sign | result


def pairs(given: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Operands, and some near the middles of neighbours and the greatest numbers of formats of less precision."""
    near = [
        0x3F80_1000,
        0x3F80_3000,
        0x3F80_0FFF,
        0x3F80_1001,
        0x7F7F_F000,
        0x7F7F_EFFF,
        0x477F_F000,
        0x477F_EFFF,
        0x3300_0000,
        0x3300_0001,
    ]
    words_ = [word_ | sign for word_ in near for sign in (0, 1 << 31)]
    return given + [tuple(random.Random(place).sample(words_, len(given[0]))) for place in range(40)]


@pytest.mark.sample(1)
@pytest.mark.parametrize("type_", ["tf32", "f16x2", "bf16x2"])
def test_conversions_of_singles(type_: str) -> None:
    """To words with 10 bits of mantissa, and of two to the halves of a register, the first to the upper one."""
    for slots, types, result in forms("cvt"):
        if slots["type"] != type_ or slots["atype"] != "f32" or slots["rnd"] == "rs":
            continue
        given = pairs(few(tuples(types), 50))
        found = back(result, computed("cvt", slots, types, given)[0], len(given))
        for one, got in zip(given, found, strict=True):
            if type_ == "tf32":
                assert got == to_tf32(slots, *one), (dict(slots), one)
                continue
            inner = {**slots, "type": type_[:-2]}
            for mine, value in zip((got >> 16, got & 0xFFFF), one, strict=True):
                want = converted(inner, value)
                nan = math.isnan(real(type_[:-2], want)) and math.isnan(real(type_[:-2], mine))
                assert mine == want or nan, (dict(slots), value)
