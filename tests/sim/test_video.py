"""The video instructions against the manual's pseudo-code, evaluated with Python's integers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from itertools import product
from random import Random
from typing import TypeVar

import numpy as np
import pytest

from tests.effort import one_in
from tests.sim.harness import apply, integers

Case = TypeVar("Case")
COUNT = 96
A, B, C = (integers(np.uint32, COUNT, seed=s) for s in (1, 2, 3))
COMPARE: dict[str, Callable[[int, int], bool]] = {
    name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")
}
SIGNS = ("u32", "s32")


def signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def part(word: int, type_: str, selector: str) -> int:
    bits = {"b": 8, "h": 16}.get(selector[:1], 32)
    value = word >> (bits * int(selector[1:] or 0)) & ((1 << bits) - 1)
    return signed(value, bits) if type_ == "s32" else value


def clamp(value: int, type_: str, bits: int) -> int:
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if type_ == "s32" else (0, (1 << bits) - 1)
    return max(low, min(high, value))


def primary(stem: str, a: int, b: int) -> int:
    return {
        "vadd": a + b,
        "vsub": a - b,
        "vabsdiff": abs(a - b),
        "vmin": min(a, b),
        "vmax": max(a, b),
        "vavrg": (a + b + 1) >> 1 if a + b >= 0 else (a + b) >> 1,
    }[stem]


def merge(result: int, c: int, selector: str) -> int:
    if not selector:
        return result
    bits = 8 if selector[0] == "b" else 16
    mask = ((1 << bits) - 1) << (bits * int(selector[1]))
    return (c & ~mask) | (result << (bits * int(selector[1])) & mask)


def second(op: str, result: int, c: int, type_: str) -> int:
    if type_ == "s32":
        result, c = signed(result, 32), signed(c, 32)
    else:
        result &= 0xFFFF_FFFF
    return {"add": result + c, "min": min(result, c), "max": max(result, c)}[op]


def check(text: str, want: Callable[[int, int, int], int]) -> None:
    got = apply(text, np.zeros(1, np.uint32), A, B, C, target="sm_80")
    expected = [want(int(a), int(b), int(c)) & 0xFFFF_FFFF for a, b, c in zip(A, B, C, strict=True)]
    assert got.tolist() == expected, text


def dotted(selector: str) -> str:
    return f".{selector}" if selector else ""


TYPES = [("u32", "u32", "u32"), ("s32", "s32", "s32"), ("s32", "u32", "s32"), ("u32", "s32", "u32")]
PARTS = [("", ""), ("b0", "b3"), ("h1", "h0"), ("b2", "h1")]


def sampled(cases: Iterable[Case], share: int, *names: object) -> list[Case]:
    """One of so many cases, others for other names."""
    found = list(cases)
    return found if share == 1 else Random(repr(names)).sample(found, len(found) // share)


SHARES = [4, pytest.param(1, marks=pytest.mark.slow)]


@pytest.mark.sample(2)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("stem", ["vadd", "vsub", "vabsdiff", "vmin", "vmax"])
@pytest.mark.parametrize(("type_", "atype", "btype"), TYPES)
def test_scalar(stem: str, type_: str, atype: str, btype: str, share: int) -> None:
    for (asel, bsel), sat in sampled(product(PARTS, ("", ".sat")), share, stem, type_, atype):

        def plain(a: int, b: int, bits: int = 32, asel: str = asel, bsel: str = bsel, sat: str = sat) -> int:
            result = primary(stem, part(a, atype, asel), part(b, btype, bsel))
            return clamp(result, type_, bits) if sat else result

        head, sources = f"{stem}.{type_}.{atype}.{btype}{sat}", f"{{a}}{dotted(asel)}, {{b}}{dotted(bsel)}"
        check(f"{head} {{d}}, {sources};", lambda a, b, c, f=plain: f(a, b))
        for dsel in ("b1", "h1"):
            bits = 8 if dsel[0] == "b" else 16
            check(
                f"{head} {{d}}.{dsel}, {sources}, {{c}};",
                lambda a, b, c, f=plain, d=dsel, n=bits: merge(f(a, b, n), c, d),
            )
        for op in ("add", "min", "max"):
            check(f"{head}.{op} {{d}}, {sources}, {{c}};", lambda a, b, c, f=plain, o=op: second(o, f(a, b), c, type_))


def test_shifts() -> None:
    ways = product(("vshl", "vshr"), ("clamp", "wrap"), SIGNS, SIGNS, ("", "b1", "h0"), ("", "b0"), ("", ".sat"))
    for stem, mode, type_, atype, asel, bsel, sat in list(ways)[:: one_in(7)]:

        def want(
            a: int, b: int, c: int, stem: str = stem, mode: str = mode, type_: str = type_, atype: str = atype,
            asel: str = asel, bsel: str = bsel, sat: str = sat,
        ) -> int:  # fmt: skip
            count = part(b, "u32", bsel)
            count = min(count, 32) if mode == "clamp" else count & 31
            value = part(a, atype, asel)
            result = value << count if stem == "vshl" else value >> count
            return clamp(result, type_, 32) if sat else result

        check(f"{stem}.{type_}.{atype}.u32{sat}.{mode} {{d}}, {{a}}{dotted(asel)}, {{b}}{dotted(bsel)};", want)


@pytest.mark.sample(4)
@pytest.mark.parametrize("cmp", list(COMPARE))
@pytest.mark.parametrize(("atype", "btype"), list(product(SIGNS, repeat=2)))
def test_vset(cmp: str, atype: str, btype: str) -> None:
    def truth(a: int, b: int) -> int:
        return int(COMPARE[cmp](part(a, atype, "b1"), part(b, btype, "h0")))

    head = f"vset.{atype}.{btype}.{cmp}"
    check(f"{head} {{d}}, {{a}}.b1, {{b}}.h0;", lambda a, b, c: truth(a, b))
    check(f"{head} {{d}}.h1, {{a}}.b1, {{b}}.h0, {{c}};", lambda a, b, c: merge(truth(a, b), c, "h1"))
    check(f"{head}.max {{d}}, {{a}}.b1, {{b}}.h0, {{c}};", lambda a, b, c: second("max", truth(a, b), c, "u32"))


def test_vmad() -> None:
    """Parts or words, saturated or not, shifted or not, and each operand negated or, with `.po`, one more."""
    types = [t for t in TYPES if t[0] == ("s32" if "s32" in t[1:] else "u32")]
    parts, scales = (("", ""), ("h0", "b1")), {"": 0, ".shr7": 7, ".shr15": 15}
    signs = ((1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, 1), None)
    for kinds, (asel, bsel), sat, scale, signed_ in list(product(types, parts, ("", ".sat"), scales, signs))[
        :: one_in(13)
    ]:
        type_, atype, btype = kinds
        more = signed_ is None  # Negated operands are signed; so is the result then.
        first, other, last = signed_ or (1, 1, 1)
        final = "s32" in (atype, btype) or first != other or last < 0

        def want(
            a: int, b: int, c: int, asel: str = asel, bsel: str = bsel, sat: str = sat, shift: int = scales[scale],
            atype: str = atype, btype: str = btype, final: bool = final, more: bool = more,
            product: int = first * other, last: int = last,
        ) -> int:  # fmt: skip
            addend = signed(c, 32) if final else c
            total = product * part(a, atype, asel) * part(b, btype, bsel) + last * addend + more >> shift
            return clamp(total, "s32" if final else "u32", 32) if sat else total

        minus = ["-" if s < 0 else "" for s in (first, other, last)]
        sources = f"{minus[0]}{{a}}{dotted(asel)}, {minus[1]}{{b}}{dotted(bsel)}, {minus[2]}{{c}}"
        check(f"vmad.{type_}.{atype}.{btype}{'.po' * more}{sat}{scale} {{d}}, {sources};", want)


def lanes(a: int, b: int, selector: str, count: int, type_: str) -> list[int]:
    bits = 32 // count
    both = a | b << 32
    values = [both >> (bits * int(digit)) & ((1 << bits) - 1) for digit in reversed(selector)]
    return [signed(v, bits) for v in values] if type_ == "s32" else values


def together(results: list[int], c: int, mask: str, count: int, add: str) -> int:
    bits = 32 // count
    if add:
        return c + sum(results[int(i)] for i in mask)
    out = c
    for i in map(int, mask):
        field = ((1 << bits) - 1) << (bits * i)
        out = (out & ~field) | (results[i] << (bits * i) & field)
    return out


SELECTORS = {2: [("", "", ""), ("13", "02", "1"), ("20", "33", "10")], 4: [("", "", ""), ("7052", "1634", "31"), ("0123", "7777", "210")]}  # fmt: skip
DEFAULT = {2: ("10", "32", "10"), 4: ("3210", "7654", "3210")}


@pytest.mark.sample(8)
@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("stem", ["vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax"])
@pytest.mark.parametrize(("type_", "atype", "btype"), TYPES)
def test_simd(stem: str, count: int, type_: str, atype: str, btype: str, share: int) -> None:
    letter = "h" if count == 2 else "b"
    for (asel, bsel, mask), mode in sampled(product(SELECTORS[count], ("", ".sat", ".add")), share, stem, count, type_):
        names = [f".{letter}{s}" if s else "" for s in (asel, bsel, mask)]

        def want(a: int, b: int, c: int, asel: str = asel, bsel: str = bsel, mask: str = mask, mode: str = mode) -> int:
            va = lanes(a, b, asel or DEFAULT[count][0], count, atype)
            vb = lanes(a, b, bsel or DEFAULT[count][1], count, btype)
            results = [primary(stem, x, y) for x, y in zip(va, vb, strict=True)]
            if mode == ".sat":
                results = [clamp(r, type_, 32 // count) for r in results]
            return together(results, c, mask or DEFAULT[count][2], count, mode if mode == ".add" else "")

        check(
            f"{stem}{count}.{type_}.{atype}.{btype}{mode} {{d}}{names[2]}, {{a}}{names[0]}, {{b}}{names[1]}, {{c}};",
            want,
        )


@pytest.mark.sample(1)
@pytest.mark.parametrize("count", [2, 4])
@pytest.mark.parametrize("cmp", list(COMPARE))
def test_simd_set(count: int, cmp: str) -> None:
    for atype, btype, add in product(SIGNS, SIGNS, ("", ".add")):

        def want(a: int, b: int, c: int, atype: str = atype, btype: str = btype, add: str = add) -> int:
            va, vb = lanes(a, b, DEFAULT[count][0], count, atype), lanes(a, b, DEFAULT[count][1], count, btype)
            results = [int(COMPARE[cmp](x, y)) for x, y in zip(va, vb, strict=True)]
            return together(results, c, DEFAULT[count][2], count, add)

        check(f"vset{count}.{atype}.{btype}.{cmp}{add} {{d}}, {{a}}, {{b}}, {{c}};", want)
