"""Integer arithmetic, logic, shifts and bit operations against Python's integers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.sim.harness import INDEX, apply, integers, launch
from weft.sim import semantics
from weft.sim.plan import Tokens

TYPES = {"u16": np.uint16, "s16": np.int16, "u32": np.uint32, "s32": np.int32, "u64": np.uint64, "s64": np.int64}


def wrap(value: int, type_: str) -> int:
    bits = int(type_[1:])
    value &= (1 << bits) - 1
    return value - (1 << bits) if type_[0] == "s" and value >> (bits - 1) else value


def check(instruction: str, type_: str, sources: str, formula: Callable[..., int], result: str = "") -> None:
    arrays = [integers(TYPES[t], seed=i) for i, t in enumerate(sources.split())]
    result = result or type_
    out = apply(instruction, np.empty(0, TYPES[result]), *arrays)
    expected = [wrap(formula(*(int(v) for v in row)), result) for row in zip(*arrays, strict=True)]
    assert out.tolist() == expected


def truncating(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul.lo": lambda a, b: a * b,
    "min": min,
    "max": max,
}


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("op", BINARY)
def test_binary(op: str, type_: str) -> None:
    check(f"{op}.{type_} {{d}}, {{a}}, {{b}};", type_, f"{type_} {type_}", BINARY[op])


@pytest.mark.parametrize("type_", TYPES)
def test_product_halves(type_: str) -> None:
    bits = int(type_[1:])
    check(f"mul.hi.{type_} {{d}}, {{a}}, {{b}};", type_, f"{type_} {type_}", lambda a, b: (a * b) >> bits)
    check(
        f"mad.hi.{type_} {{d}}, {{a}}, {{b}}, {{c}};",
        type_,
        f"{type_} {type_} {type_}",
        lambda a, b, c: ((a * b) >> bits) + c,
    )
    check(f"mad.lo.{type_} {{d}}, {{a}}, {{b}}, {{c}};", type_, f"{type_} {type_} {type_}", lambda a, b, c: a * b + c)


@pytest.mark.parametrize("type_", ["u16", "s16", "u32", "s32"])
def test_wide_products(type_: str) -> None:
    wide = f"{type_[0]}{2 * int(type_[1:])}"
    check(f"mul.wide.{type_} {{d}}, {{a}}, {{b}};", type_, f"{type_} {type_}", lambda a, b: a * b, wide)
    check(
        f"mad.wide.{type_} {{d}}, {{a}}, {{b}}, {{c}};",
        type_,
        f"{type_} {type_} {wide}",
        lambda a, b, c: a * b + c,
        wide,
    )


@pytest.mark.parametrize("type_", TYPES)
def test_division(type_: str) -> None:
    def quotient(a: int, b: int) -> int:
        return truncating(a, b) if b else -1

    def remainder(a: int, b: int) -> int:
        return a - truncating(a, b) * b if b else a

    check(f"div.{type_} {{d}}, {{a}}, {{b}};", type_, f"{type_} {type_}", quotient)
    check(f"rem.{type_} {{d}}, {{a}}, {{b}};", type_, f"{type_} {type_}", remainder)


def clamp32(value: int) -> int:
    return max(-(1 << 31), min((1 << 31) - 1, value))


def test_saturation() -> None:
    check("add.sat.s32 {d}, {a}, {b};", "s32", "s32 s32", lambda a, b: clamp32(a + b))
    check("sub.sat.s32 {d}, {a}, {b};", "s32", "s32 s32", lambda a, b: clamp32(a - b))
    check("mad.hi.sat.s32 {d}, {a}, {b}, {c};", "s32", "s32 s32 s32", lambda a, b, c: clamp32(((a * b) >> 32) + c))


@pytest.mark.sample(1)
@pytest.mark.parametrize("type_", ["s16", "s32", "s64"])
def test_signs(type_: str) -> None:
    check(f"abs.{type_} {{d}}, {{a}};", type_, type_, abs)
    check(f"neg.{type_} {{d}}, {{a}};", type_, type_, lambda a: -a)


def low24(value: int, signed: bool) -> int:
    value &= 0xFFFFFF
    return value - (1 << 24) if signed and value >> 23 else value


@pytest.mark.parametrize("type_", ["u32", "s32"])
def test_products_of_24_bits(type_: str) -> None:
    signed = type_ == "s32"

    def product(a: int, b: int) -> int:
        return low24(a, signed) * low24(b, signed)

    check(f"mul24.lo.{type_} {{d}}, {{a}}, {{b}};", type_, f"{type_} {type_}", product)
    check(f"mul24.hi.{type_} {{d}}, {{a}}, {{b}};", type_, f"{type_} {type_}", lambda a, b: product(a, b) >> 16)
    check(
        f"mad24.lo.{type_} {{d}}, {{a}}, {{b}}, {{c}};",
        type_,
        f"{type_} {type_} {type_}",
        lambda a, b, c: product(a, b) + c,
    )


@pytest.mark.parametrize("type_", TYPES)
def test_sad(type_: str) -> None:
    check(f"sad.{type_} {{d}}, {{a}}, {{b}}, {{c}};", type_, f"{type_} {type_} {type_}", lambda a, b, c: c + abs(a - b))


@pytest.mark.parametrize("carry", ["add", "sub"])
def test_carry_chain(carry: str) -> None:
    """128-bit sums of four words each."""
    words = [integers(np.uint32, seed=i) for i in range(4)]
    sign = 1 if carry == "add" else -1
    text = f"""
    .reg .b32 %lo; {carry}.cc.u32 %lo, {{a}}, {{c}}; {carry}c.cc.u32 {{d}}, {{b}}, {{e}};
    """
    high = apply(text, np.empty(0, np.uint32), words[0], words[1], words[2], words[3])
    top = apply(text + f"{carry}c.u32 {{d}}, 5, 3;", np.empty(0, np.uint32), *words)
    for i, (a, b, c, e) in enumerate(zip(*(w.tolist() for w in words), strict=True)):
        total = (5 << 64 | b << 32 | a) + sign * (3 << 64 | e << 32 | c)
        assert high[i] == total >> 32 & 0xFFFFFFFF
        assert top[i] == total >> 64 & 0xFFFFFFFF


def test_a_difference_carries_what_it_did_not_borrow() -> None:
    """`sub.cc` sets the flag as a + ~b + 1 does, which shows where `addc` reads it, and `subc` what `add.cc` left."""
    a, b = (integers(np.uint32, seed=i) for i in range(2))
    found = apply("sub.cc.u32 %r1, {a}, {b}; addc.u32 {d}, 0, 0;", np.empty(0, np.uint32), a, b)
    other = apply("add.cc.u32 %r1, {a}, {b}; subc.u32 {d}, 7, 0;", np.empty(0, np.uint32), a, b)
    for i, (x, y) in enumerate(zip(a.tolist(), b.tolist(), strict=True)):
        assert found[i] == (x >= y)
        assert other[i] == 6 + (x + y >> 32)


@pytest.mark.parametrize("half", ["lo", "hi"])
def test_mad_with_carry(half: str) -> None:
    a, b, c = (integers(np.uint32, seed=i) for i in range(3))
    text = f"mad.{half}.cc.u32 %r1, {{a}}, {{b}}, {{c}}; madc.hi.u32 {{d}}, {{a}}, {{b}}, 7;"
    out = apply(text, np.empty(0, np.uint32), a, b, c)
    for i, (x, y, z) in enumerate(zip(a.tolist(), b.tolist(), c.tolist(), strict=True)):
        product = x * y
        part = product & 0xFFFFFFFF if half == "lo" else product >> 32
        assert out[i] == ((product >> 32) + 7 + ((part + z) >> 32)) & 0xFFFFFFFF


LOGIC: dict[str, Callable[[int, int], int]] = {
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_logic(bits: int) -> None:
    type_ = f"u{bits}"
    for op, formula in LOGIC.items():
        check(f"{op}.b{bits} {{d}}, {{a}}, {{b}};", type_, f"{type_} {type_}", formula)
    check(f"not.b{bits} {{d}}, {{a}};", type_, type_, lambda a: ~a)
    check(f"cnot.b{bits} {{d}}, {{a}};", type_, type_, lambda a: int(a == 0))


def test_lop3() -> None:
    """Each table gives itself for the words that have its rows as their bits."""
    a, b, c = (np.full(2, 0x0101_0101 * byte, np.uint32) for byte in (0xF0, 0xCC, 0xAA))
    semantics.load_all()
    compute: Any = semantics.ALU["lop3"](Tokens({"type": "b32"}))
    for table in range(256):
        assert (compute(a, b, c, np.uint32(table)) == 0x0101_0101 * table).all()


@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_sums_at_the_bounds_of_saturation(engine: Any) -> None:
    """With a carry that is set or not, from the words next to the bounds of 32 bits."""
    if engine == "native":
        pytest.importorskip("llvmlite")
    low, high = -(1 << 31), (1 << 31) - 1
    edges = [low, low + 1, -2, -1, 0, 1, 2, high - 1, high, 1 << 30, -(1 << 30), high >> 1]
    a, b = (np.array(side, np.int32) for side in zip(*product(edges, edges), strict=True))
    body = f"""{INDEX} ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 4, %rd1; ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd2, %r0, 4, %rd2;
    ld.param.u64 %rd3, [p2]; mad.wide.u32 %rd3, %r0, 48, %rd3; ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd2];"""
    carries = ((0, "add.cc.u32 %r9, 0, 0;"), (1, "add.cc.u32 %r9, 0xFFFFFFFF, 1;"))
    forms = [
        ("addc.sat.s32 %r3, %r1, %r2;", lambda x, y, carry: x + y + carry),
        ("subc.sat.s32 %r3, %r1, %r2;", lambda x, y, carry: x - y - 1 + carry),
        ("madc.hi.sat.s32 %r3, %r1, %r2, %r2;", lambda x, y, carry: (x * y >> 32) + y + carry),
        ("add.sat.s32 %r3, %r1, %r2;", lambda x, y, carry: x + y),
        ("mad.hi.sat.s32 %r3, %r1, %r2, %r1;", lambda x, y, carry: (x * y >> 32) + x),
        ("mad24.hi.sat.s32 %r3, %r1, %r2, %r1;", lambda x, y, carry: (wrap24(x) * wrap24(y) >> 16) + x),
    ]  # fmt: skip
    ways = [(carry, before, text, formula) for carry, before in carries for text, formula in forms]
    for at, (_, before, text, _) in enumerate(ways):
        body += f"{before} {text} st.global.u32 [%rd3+{4 * at}], %r3;\n"
    out = np.zeros((len(a), len(ways)), np.int32)
    launch(f"{body} ret;", [a, b, out], block=len(a), engine=engine, check="fast")
    for (carry, _, text, formula), column in zip(ways, out.T, strict=True):
        wanted = [clamp32(formula(x, y, carry)) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
        assert column.tolist() == wanted, text


def wrap24(value: int) -> int:
    """The low 24 bits with their sign."""
    return ((value & 0xFF_FFFF) ^ 0x80_0000) - 0x80_0000


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_shifts(bits: int) -> None:
    unsigned, signed = f"u{bits}", f"s{bits}"
    check(f"shl.b{bits} {{d}}, {{a}}, {{b}};", unsigned, f"{unsigned} u32", lambda a, n: a << min(n, bits))
    check(f"shr.u{bits} {{d}}, {{a}}, {{b}};", unsigned, f"{unsigned} u32", lambda a, n: a >> min(n, bits))
    check(f"shr.s{bits} {{d}}, {{a}}, {{b}};", signed, f"{signed} u32", lambda a, n: a >> min(n, bits))
    check(f"shl.b{bits} {{d}}, {{a}}, 3;", unsigned, unsigned, lambda a: a << 3)
    check(f"shr.u{bits} {{d}}, {{a}}, 99;", unsigned, unsigned, lambda a: 0)


def test_funnel_shifts() -> None:
    def shift(left: bool, wrap_: bool) -> Callable[[int, int, int], int]:
        def formula(a: int, b: int, c: int) -> int:
            n = c % 32 if wrap_ else min(c, 32)
            pair = b << 32 | a
            return (pair << n) >> 32 if left else pair >> n

        return formula

    for direction in "lr":
        for mode in ("clamp", "wrap"):
            check(
                f"shf.{direction}.{mode}.b32 {{d}}, {{a}}, {{b}}, {{c}};",
                "u32",
                "u32 u32 u32",
                shift(direction == "l", mode == "wrap"),
            )


def test_prmt() -> None:
    def pick(a: int, b: int, c: int) -> int:
        pair, result = b << 32 | a, 0
        for i in range(4):
            nibble = c >> 4 * i & 15
            byte = pair >> 8 * (nibble & 7) & 255
            if nibble & 8:
                byte = 255 if byte & 128 else 0
            result |= byte << 8 * i
        return result

    check("prmt.b32 {d}, {a}, {b}, {c};", "u32", "u32 u32 u32", pick)
    tables = {
        "f4e": ["3210", "4321", "5432", "6543"],
        "b4e": ["5670", "6701", "7012", "0123"],
        "rc8": ["0000", "1111", "2222", "3333"],
        "ecl": ["3210", "3211", "3222", "3333"],
        "ecr": ["0000", "1110", "2210", "3210"],
        "rc16": ["1010", "3232", "1010", "3232"],
    }
    for mode, rows in tables.items():
        check(
            f"prmt.b32.{mode} {{d}}, {{a}}, {{b}}, {{c}};",
            "u32",
            "u32 u32 u32",
            lambda a, b, c, rows=rows: pick(a, b, int(rows[c & 3], 16)),
        )


@pytest.mark.parametrize("bits", [32, 64])
def test_counting(bits: int) -> None:
    type_ = f"u{bits}"
    check(f"popc.b{bits} {{d}}, {{a}};", type_, type_, int.bit_count, "u32")
    check(f"clz.b{bits} {{d}}, {{a}};", type_, type_, lambda a: bits - a.bit_length(), "u32")
    check(f"brev.b{bits} {{d}}, {{a}};", type_, type_, lambda a: int(f"{a:0{bits}b}"[::-1], 2))
    check(f"bfind.u{bits} {{d}}, {{a}};", type_, type_, lambda a: a.bit_length() - 1, "u32")
    check(f"bfind.shiftamt.u{bits} {{d}}, {{a}};", type_, type_, lambda a: bits - a.bit_length() if a else -1, "u32")
    signed = f"s{bits}"
    check(f"bfind.s{bits} {{d}}, {{a}};", signed, signed, lambda a: (~a if a < 0 else a).bit_length() - 1, "u32")


@pytest.mark.parametrize("bits", [32, 64])
def test_fields(bits: int) -> None:
    def extract(a: int, b: int, c: int, signed: bool) -> int:
        position, length = b & 255, c & 255
        top = min(position + length - 1, bits - 1)
        sign = (a >> top & 1) if signed and length else 0
        return sum(
            ((a >> (position + i) & 1) if i < length and position + i < bits else sign) << i for i in range(bits)
        )

    def insert(a: int, b: int, c: int, e: int) -> int:
        position, length = c & 255, e & 255
        for i in range(length):
            if position + i < bits:
                b = b & ~(1 << position + i) | (a >> i & 1) << position + i
        return b

    unsigned, signed = f"u{bits}", f"s{bits}"
    sources = "u32 u32"
    check(f"bfe.u{bits} {{d}}, {{a}}, {{b}}, {{c}};", unsigned, f"{unsigned} {sources}", lambda *s: extract(*s, False))
    check(f"bfe.s{bits} {{d}}, {{a}}, {{b}}, {{c}};", signed, f"{signed} {sources}", lambda *s: extract(*s, True))
    check(f"bfi.b{bits} {{d}}, {{a}}, {{b}}, {{c}}, {{e}};", unsigned, f"{unsigned} {unsigned} {sources}", insert)


def test_masks_and_extension() -> None:
    def mask(start: int, count: int) -> int:
        return ((1 << count) - 1) << start

    check("bmsk.clamp.b32 {d}, {a}, {b};", "u32", "u32 u32", lambda a, b: mask(min(a, 32), min(b, 32)))
    check("bmsk.wrap.b32 {d}, {a}, {b};", "u32", "u32 u32", lambda a, b: mask(a % 32, b % 32))

    def extend(a: int, n: int, signed: bool) -> int:
        field = a & ((1 << n) - 1)
        return field - (1 << n) if signed and n and field >> (n - 1) else field

    check("szext.clamp.u32 {d}, {a}, {b};", "u32", "u32 u32", lambda a, b: extend(a, min(b, 32), False))
    check("szext.wrap.s32 {d}, {a}, {b};", "s32", "s32 u32", lambda a, b: extend(a, b % 32, True))


def test_find_nth_set() -> None:
    def find(mask: int, base: int, offset: int) -> int:
        if offset == 0:
            return base if base < 32 and mask >> base & 1 else -1
        found = 0
        place = base
        while 0 <= place < 32:
            found += mask >> place & 1
            if found == abs(offset):
                return place
            place += 1 if offset > 0 else -1
        return -1

    rng = np.random.default_rng(1)
    masks = integers(np.uint32, 200)
    base, offset = rng.integers(0, 32, 200, dtype=np.uint32), rng.integers(-9, 10, 200, dtype=np.int32)
    out = apply("fns.b32 {d}, {a}, {b}, {c};", np.empty(0, np.int32), masks, base, offset)
    assert out.tolist() == [find(*row) for row in zip(masks.tolist(), base.tolist(), offset.tolist(), strict=True)]


def parts(word: int, bits: int, signed: bool) -> list[int]:
    fields = [word >> i & ((1 << bits) - 1) for i in range(0, 32, bits)]
    return [f - (1 << bits) if signed and f >> (bits - 1) else f for f in fields]


@pytest.mark.parametrize("atype", ["u32", "s32"])
@pytest.mark.parametrize("btype", ["u32", "s32"])
def test_dot_products(atype: str, btype: str) -> None:
    result = "u32" if atype == btype == "u32" else "s32"

    def four(a: int, b: int, c: int) -> int:
        x, y = parts(a & 0xFFFFFFFF, 8, atype == "s32"), parts(b & 0xFFFFFFFF, 8, btype == "s32")
        return c + sum(p * q for p, q in zip(x, y, strict=True))

    def two(a: int, b: int, c: int, start: int) -> int:
        x, y = parts(a & 0xFFFFFFFF, 16, atype == "s32"), parts(b & 0xFFFFFFFF, 8, btype == "s32")
        return c + x[0] * y[start] + x[1] * y[start + 1]

    sources = f"{atype} {btype} {result}"
    check(f"dp4a.{atype}.{btype} {{d}}, {{a}}, {{b}}, {{c}};", result, sources, four)
    check(f"dp2a.lo.{atype}.{btype} {{d}}, {{a}}, {{b}}, {{c}};", result, sources, lambda *s: two(*s, 0))
    check(f"dp2a.hi.{atype}.{btype} {{d}}, {{a}}, {{b}}, {{c}};", result, sources, lambda *s: two(*s, 2))


@pytest.mark.parametrize(("type_", "element", "count"), [("u16x2", "u16", 2), ("s16x2", "s16", 2)])
def test_packed(type_: str, element: str, count: int) -> None:
    a, b = (integers(np.uint32, seed=i) for i in range(2))
    for op, formula in (("add", BINARY["add"]), ("min", min), ("max", max)):
        out = apply(f"{op}.{type_} {{d}}, {{a}}, {{b}};", np.empty(0, np.uint32), a, b)
        dtype = TYPES[element]
        pairs = zip(a.view(dtype).tolist(), b.view(dtype).tolist(), strict=True)
        assert out.view(dtype).tolist() == [wrap(formula(x, y), element) for x, y in pairs]
