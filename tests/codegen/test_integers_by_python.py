"""Integers of 1 to 128 bits and indices: all operations of two numbers in one kernel, held to Python's integers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest

from tests.codegen.support import elementwise
from weft.codegen import compile_module
from weft.ptx.ast import Module
from weft.sim import run

Reference = Callable[[int, int, int], int | None]
"""Of a width and two numbers without a sign; None where there is no result."""


def signed(x: int, width: int) -> int:
    x %= 1 << width
    return x - (1 << width) if x >> width - 1 else x


def cut(a: int, b: int) -> int:
    """The quotient rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def of_signed(function: Callable[[int, int], int]) -> Reference:
    return lambda w, a, b: function(signed(a, w), signed(b, w))


def divided(function: Callable[[int, int], int], *, sign: bool) -> Reference:
    def found(w: int, a: int, b: int) -> int | None:
        if sign:
            a, b = signed(a, w), signed(b, w)
        return None if b == 0 or (a, b) == (-1 << w - 1, -1) else function(a, b)

    return found


def shifted(function: Callable[[int, int, int], int]) -> Reference:
    return lambda w, a, b: function(w, a, b) if b < w else None


def clamped(function: Callable[[int, int], int], *, sign: bool) -> Reference:
    def found(w: int, a: int, b: int) -> int:
        if sign:
            return max(-1 << w - 1, min((1 << w - 1) - 1, function(signed(a, w), signed(b, w))))
        return max(0, min((1 << w) - 1, function(a, b)))

    return found


def clamped_shift(w: int, a: int, b: int, *, sign: bool) -> int | None:
    return clamped(lambda x, _: x << b, sign=sign)(w, a, b) if b < w else None


def wraps(function: Callable[[int, int], int], *, sign: bool) -> Reference:
    def found(w: int, a: int, b: int) -> int:
        exact = function(signed(a, w), signed(b, w)) if sign else function(a, b)
        return int(exact != (signed(exact, w) if sign else exact % (1 << w)))

    return found


def funnel(w: int, a: int, b: int, by: int, *, left: bool) -> int:
    both = a << w | b
    return both >> w - by % w if left else both >> by % w


def order(a: int, b: int) -> int:
    return (a > b) - (a < b)


def reversed_bits(w: int, a: int, b: int) -> int:
    return int(f"{a:0{w}b}"[::-1], 2)


def swapped(w: int, a: int, b: int) -> int:
    return int.from_bytes(a.to_bytes(w // 8, "little"), "big")


PLAIN: dict[str, Reference] = {
    "addi": lambda w, a, b: a + b, "subi": lambda w, a, b: a - b, "muli": lambda w, a, b: a * b,
    "andi": lambda w, a, b: a & b, "ori": lambda w, a, b: a | b, "xori": lambda w, a, b: a ^ b,
    "minui": lambda w, a, b: min(a, b), "maxui": lambda w, a, b: max(a, b),
    "minsi": of_signed(min), "maxsi": of_signed(max),
    "shli": shifted(lambda w, a, b: a << b), "shrui": shifted(lambda w, a, b: a >> b),
    "shrsi": shifted(lambda w, a, b: signed(a, w) >> b),
    "divui": divided(lambda a, b: a // b, sign=False), "remui": divided(lambda a, b: a % b, sign=False),
    "ceildivui": divided(lambda a, b: -(-a // b), sign=False), "divsi": divided(cut, sign=True),
    "remsi": divided(lambda a, b: a - cut(a, b) * b, sign=True), "floordivsi": divided(lambda a, b: a // b, sign=True),
    "ceildivsi": divided(lambda a, b: -(-a // b), sign=True),
}  # fmt: skip
LLVM = {
    "add": "addi", "sub": "subi", "mul": "muli", "and": "andi", "or": "ori", "xor": "xori", "shl": "shli",
    "lshr": "shrui", "ashr": "shrsi", "udiv": "divui", "sdiv": "divsi", "urem": "remui", "srem": "remsi",
}  # fmt: skip
"""What the operations of `llvm` are in `arith`; minima and maxima are intrinsics."""
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "lt": int.__lt__, "le": int.__le__, "gt": int.__gt__, "ge": int.__ge__, "eq": int.__eq__, "ne": int.__ne__,
}  # fmt: skip
RING: dict[str, Callable[[int, int], int]] = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__}


def operations(width: int) -> Iterator[tuple[str, int, Reference]]:
    """Text that makes `%r` from `%a` and `%b`, of which `%r` is so many bits; and what it is."""
    t = f"i{width}"
    for name, reference in PLAIN.items():
        yield f"%r = arith.{name} %a, %b : {t}", width, reference
    for name, plain in LLVM.items():
        yield f"%r = llvm.{name} %a, %b : {t}", width, PLAIN[plain]
    for name in ("smin", "smax", "umin", "umax"):
        yield f"%r = llvm.intr.{name}(%a, %b) : ({t}, {t}) -> {t}", width, PLAIN[f"{name[1:]}{name[0]}i"]
    for name, function in COMPARED.items():
        for sign in ("",) if name in ("eq", "ne") else ("s", "u"):
            of_test: Reference = lambda w, a, b, f=function: int(f(a, b))  # noqa: E731
            if sign == "s":
                of_test = lambda w, a, b, f=function: int(f(signed(a, w), signed(b, w)))  # noqa: E731
            yield f"%r = arith.cmpi {sign}{name}, %a, %b : {t}", 1, of_test
            yield f'%r = llvm.icmp "{sign}{name}" %a, %b : {t}', 1, of_test
    for letter, sign in (("s", True), ("u", False)):
        for name, exact in RING.items():
            pair = f"!llvm.struct<({t}, i1)>"
            made = f'%p = "llvm.intr.{letter}{name}.with.overflow"(%a, %b) : ({t}, {t}) -> {pair}\n'
            yield f"{made}%r = llvm.extractvalue %p[0] : {pair}", width, lambda w, a, b, f=exact: f(a, b)
            yield f"{made}%r = llvm.extractvalue %p[1] : {pair}", 1, wraps(exact, sign=sign)
            if name != "mul":
                text = f"%r = llvm.intr.{letter}{name}.sat(%a, %b) : ({t}, {t}) -> {t}"
                yield text, width, clamped(exact, sign=sign)
        text = f"%r = llvm.intr.{letter}shl.sat(%a, %b) : ({t}, {t}) -> {t}"
        yield text, width, lambda w, a, b, sign=sign: clamped_shift(w, a, b, sign=sign)
        made = f"%l, %h = arith.mul{letter}i_extended %a, %b : {t}\n%r = arith.ori "
        yield f"{made}%l, %l : {t}", width, PLAIN["muli"]
        high: Reference = lambda w, a, b: a * b >> w  # noqa: E731
        yield f"{made}%h, %h : {t}", width, of_high if sign else high
        yield (
            f"%r = llvm.intr.{letter}cmp(%a, %b) : ({t}, {t}) -> i8", 8,
            of_signed(order) if sign else lambda w, a, b: order(a, b),
        )  # fmt: skip
        yield (
            f"%r = llvm.intr.{letter}cmp(%a, %b) : ({t}, {t}) -> {t}", width,
            of_signed(order) if sign else lambda w, a, b: order(a, b),
        )  # fmt: skip
    yield f"%r, %c = arith.addui_extended %a, %b : {t}, i1", width, PLAIN["addi"]
    yield f"%l, %r = arith.addui_extended %a, %b : {t}, i1", 1, wraps(int.__add__, sign=False)
    for letter in "lr":
        text = f"%r = llvm.intr.fsh{letter}(%a, %b, %b) : ({t}, {t}, {t}) -> {t}"
        yield text, width, lambda w, a, b, left=letter == "l": funnel(w, a, b, b, left=left)
    unary: dict[str, Reference] = {
        "math.absi %a": lambda w, a, b: abs(signed(a, w)), "math.ctpop %a": lambda w, a, b: a.bit_count(),
        "math.ctlz %a": lambda w, a, b: w - a.bit_length(),
        "math.cttz %a": lambda w, a, b: (a & -a).bit_length() - 1 if a else w,
    }  # fmt: skip
    for name, reference in unary.items():
        yield f"%r = {name} : {t}", width, reference
    made_of = {
        "abs(%a) <{is_int_min_poison = false}>": "math.absi %a", "ctpop(%a)": "math.ctpop %a",
        "ctlz(%a) <{is_zero_poison = false}>": "math.ctlz %a", "cttz(%a) <{is_zero_poison = false}>": "math.cttz %a",
    }  # fmt: skip
    for name, same in made_of.items():
        call, _, flags = name.partition("(%a)")
        yield f'%r = "llvm.intr.{call}"(%a){flags} : ({t}) -> {t}', width, unary[same]
    yield f"%r = llvm.intr.bitreverse(%a) : ({t}) -> {t}", width, reversed_bits
    if width % 16 == 0:
        yield f"%r = llvm.intr.bswap(%a) : ({t}) -> {t}", width, swapped
    yield from combined(width)
    for other in (1, 7, 8, 16, 32, 33, 64, 65, 128):
        o = f"i{other}"
        if other < width:
            yield f"%r = arith.trunci %a : {t} to {o}", other, lambda w, a, b: a
            for name, sign in (("sext", True), ("zext", False)):
                small: Reference = lambda w, a, b, n=other: a % (1 << n)  # noqa: E731
                if sign:
                    small = lambda w, a, b, n=other: signed(a, n)  # noqa: E731
                for dialect, op in (("arith", f"ext{'s' if sign else 'u'}i"), ("llvm", name)):
                    yield f"%n = llvm.trunc %a : {t} to {o}\n%r = {dialect}.{op} %n : {o} to {t}", width, small
        elif other > width:
            yield f"%r = llvm.zext %a : {t} to {o}", other, lambda w, a, b: a
            yield f"%r = llvm.sext %a : {t} to {o}", other, lambda w, a, b: signed(a, w)
            yield f"%n = arith.extsi %a : {t} to {o}\n%r = arith.trunci %n : {o} to {t}", width, lambda w, a, b: a


def combined(width: int) -> Iterator[tuple[str, int, Reference]]:
    """Operations that are one thing together, and some on constants."""
    t = f"i{width}"
    asked = (
        (8, 0, "eq"),
        (8, 0, "ne"),
        (8, 3, "eq"),
        (8, 3, "ne"),
        (8, 8, "eq"),
        (2, 1, "eq"),
        (2, 0, "ne"),
        (3, 0, "eq"),
    )
    for by, rest, relation in asked if width > 4 else ():
        text = f"""%m = llvm.mlir.constant({by} : {t}) : {t}
          %n = llvm.mlir.constant({rest} : {t}) : {t}
          %x = {"llvm.srem" if by == 8 else "arith.remsi"} %a, %m : {t}
          %r = llvm.icmp "{relation}" %x, %n : {t}"""
        yield text, 1, lambda w, a, b, m=by, n=rest, f=COMPARED[relation]: f(PLAIN["remsi"](w, a, m), n)
    for outer, mix in (("xor", int.__xor__), ("or", int.__or__)):
        text = f"""%m = llvm.xor %a, %b : {t}
          %x = llvm.and %a, %m : {t}
          %y = llvm.and %m, %b : {t}
          %r = llvm.{outer} %x, %y : {t}"""
        yield text, width, lambda w, a, b, f=mix: f(a & (a ^ b), (a ^ b) & b)
    for first, then in ((1, 2), (0, width - 1), (width - 1, 1), (width // 2, width // 2), (3, 0)) if width > 2 else ():
        text = f"""%m = llvm.mlir.constant({first} : {t}) : {t}
          %n = llvm.mlir.constant({then} : {t}) : {t}
          %x = llvm.lshr %b, %m : {t}
          %y = llvm.xor %x, %a : {t}
          %r = llvm.lshr %y, %n : {t}"""
        yield text, width, lambda w, a, b, m=first, n=then: ((b >> m) ^ a) >> n
    text = f"""%y = llvm.xor %a, %b : {t}
      %x = llvm.and %a, %b : {t}
      %r = llvm.or disjoint %x, %y : {t}"""
    yield text, width, lambda w, a, b: a | b
    if width > 64:
        for first, second in ((1 << 63, 1 << 63), (-6, (1 << 64) - 1), ((1 << 64) - 1, 1), (1 << 62, 3 << 62)):
            for name, exact in (("add", int.__add__), ("sub", int.__sub__)):
                text = f"""%m = llvm.mlir.constant({first} : {t}) : {t}
                  %n = llvm.mlir.constant({second} : {t}) : {t}
                  %r = llvm.{name} %m, %n : {t}"""
                yield text, width, lambda w, a, b, m=first, n=second, f=exact: f(m, n)
                text = f"""%n = llvm.mlir.constant({second} : {t}) : {t}
                  %m = llvm.and %a, %n : {t}
                  %r = llvm.{name} %m, %n : {t}"""
                yield text, width, lambda w, a, b, n=second, f=exact: f(a & n, n)
    for number in (1, 3, 8, 100) if width > 7 else (1,):
        constant = f"%n = arith.constant {number} : {t}\n"
        yield f"{constant}%r = arith.ceildivui %a, %n : {t}", width, lambda w, a, b, n=number: -(-a // n)
        yield f"{constant}%r = arith.ceildivsi %a, %n : {t}", width, lambda w, a, b, n=number: -(-signed(a, w) // n)
        yield f"{constant}%r = arith.floordivsi %a, %n : {t}", width, lambda w, a, b, n=number: signed(a, w) // n
        yield f"{constant}%r = llvm.sub %a, %n : {t}", width, lambda w, a, b, n=number: a - n
        yield f"{constant}%r = llvm.add %n, %n : {t}", width, lambda w, a, b, n=number: n + n


def of_high(w: int, a: int, b: int) -> int:
    return signed(a, w) * signed(b, w) >> w


def index_operations() -> Iterator[tuple[str, int, Reference]]:
    """Those on indices, by `index` and by `arith`."""
    named = {
        "add": "addi", "sub": "subi", "mul": "muli", "and": "andi", "or": "ori", "xor": "xori", "shl": "shli",
        "shrs": "shrsi", "shru": "shrui", "divs": "divsi", "divu": "divui", "rems": "remsi", "remu": "remui",
        "ceildivs": "ceildivsi", "ceildivu": "ceildivui", "floordivs": "floordivsi", "maxs": "maxsi", "maxu": "maxui",
        "mins": "minsi", "minu": "minui",
    }  # fmt: skip
    for name, plain in named.items():
        yield f"%x = arith.{plain} %a, %b : index\n%r = arith.index_cast %x : index to i64", 64, PLAIN[plain]
        yield f"%x = index.{name} %a, %b\n%r = arith.index_cast %x : index to i64", 64, PLAIN[plain]
    for name, function in COMPARED.items():
        for sign in ("",) if name in ("eq", "ne") else ("s", "u"):
            compared: Reference = of_signed(function) if sign == "s" else lambda w, a, b, f=function: f(a, b)
            yield f"%r = arith.cmpi {sign}{name}, %a, %b : index", 1, compared
            yield f"%r = index.cmp {sign}{name}(%a, %b)", 1, compared
    for rest in (0, 3):
        text = f"""%m = index.constant 8
          %n = index.constant {rest}
          %x = index.rems %a, %m
          %r = index.cmp eq(%x, %n)"""
        yield text, 1, lambda w, a, b, n=rest: int(PLAIN["remsi"](w, a, 8) == n)
    yield "%x = index.sizeof\n%r = index.castu %x : index to i64", 64, lambda w, a, b: 64
    for name in ("index.casts", "index.castu", "arith.index_cast", "arith.index_castui"):
        yield f"%r = {name} %a : index to i32", 32, lambda w, a, b: a
        sign = name.endswith(("s", "_cast"))
        narrow: Reference = lambda w, a, b, sign=sign: signed(a, 32) if sign else a % (1 << 32)  # noqa: E731
        yield (
            f"%n = llvm.trunc %a0 : i64 to i32\n%x = {name} %n : i32 to index\n%r = index.castu %x : index to i64",
            64,
            narrow,
        )


def kernel(table: list[tuple[str, int, Reference]], type_: str) -> Module:
    """Every operation; its result as 16 bytes, one after another. What lies above the width in memory is no part of `%a`."""
    parts: list[str] = []
    for at, (text, bits, _) in enumerate(table):
        named = re.sub(r"%(?!a0?\b|b\b)(\w+)", rf"%\1_{at}", text)
        widened = f"%v_{at} = llvm.zext %r_{at} : i{bits} to i128" if bits < 128 else ""
        parts.append(f"""{named}
          {widened}
          %o_{at} = llvm.getelementptr %q[{at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i128
          llvm.store {"%v" if bits < 128 else "%r"}_{at}, %o_{at} : i128, !llvm.ptr<1>""")
    whole = "i64" if WIDTHS[type_] <= 64 else "i128"
    made = "arith.index_cast" if type_ == "index" else "llvm.bitcast" if type_ == whole else "llvm.trunc"
    body = "\n".join(parts)
    return compile_module(
        f"""gpu.module @m {{ gpu.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {{
          %t = nvvm.read.ptx.sreg.tid.x : i32
          %x = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<2 x i128>
          %y = llvm.getelementptr %x[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i128
          %a0 = llvm.load %x : !llvm.ptr<1> -> {whole}
          %b0 = llvm.load %y : !llvm.ptr<1> -> {whole}
          %a = {made} %a0 : {whole} to {type_}
          %b = {made} %b0 : {whole} to {type_}
          %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{len(parts)} x i128>
          {body}
          gpu.return }} }}""",
        "sm_90",
    )


WIDTHS = {f"i{n}": n for n in (1, 2, 7, 8, 13, 16, 17, 24, 31, 32, 33, 40, 63, 64, 65, 96, 100, 127, 128)} | {
    "index": 64
}


QUICK = ("i13", "i65", "index")


@pytest.mark.parametrize("type_", [t if t in QUICK else pytest.param(t, marks=pytest.mark.slow) for t in WIDTHS])
def test_every_operation(type_: str) -> None:
    width = WIDTHS[type_]
    mask = (1 << width) - 1
    edges = [0, 1, 2, mask, mask - 1, mask >> 1, (mask >> 1) + 1, (1 << 64) - 1, 5 << width // 2, width, 63, 3]
    numbers = [*edges, *(Random(type_).getrandbits(bits) for bits in (width, width, width // 2 + 1, width // 3 + 1))]
    compare(type_, list(index_operations() if type_ == "index" else operations(width)), numbers)


@pytest.mark.parametrize("width", [1, 2])
def test_every_operation_on_all_numbers(width: int) -> None:
    compare(f"i{width}", list(operations(width)), list(range(1 << width)))


@pytest.mark.parametrize("type_", ["i8", "i16"])
def test_a_number_just_beyond_the_width_is_none(type_: str) -> None:
    """One more than the greatest number is 0, which a register that has bits above the width has to be told of."""
    width = WIDTHS[type_]
    numbers = np.array(
        [0, 1, (1 << width - 1) - 1, 1 << width - 1, (1 << width) - 2, (1 << width) - 1], f"u{width // 8}"
    )
    relations = ("eq", "ne", "ult", "slt")
    text = f"""%one = arith.constant 1 : {type_}
      %zero = arith.constant 0 : {type_}
      %more = arith.addi %a, %one : {type_}
      %r0 = arith.constant 0 : i8
      """
    for at, relation in enumerate(relations):
        text += f"""%t{at} = arith.cmpi {relation}, %zero, %more : {type_}
          %x{at} = arith.extui %t{at} : i1 to i8
          %n{at} = arith.constant {1 << at} : i8
          %p{at} = arith.muli %x{at}, %n{at} : i8
          %r{at + 1 if at < 3 else ""} = arith.addi %r{at}, %p{at} : i8
          """
    found = elementwise(text, numbers, result=np.uint8)
    for at, relation in enumerate(relations):
        following = [signed(int(n) + 1, width) if relation == "slt" else (int(n) + 1) % (1 << width) for n in numbers]
        assert (found >> at & 1).tolist() == [COMPARED[relation[-2:]](0, n) for n in following]


@pytest.mark.sample(4)
@pytest.mark.parametrize("width", [16, 17, 32, 33, 64, 127, 128])
def test_operations_that_go_beyond_the_width(width: int) -> None:
    """Products, sums and shifts whose upper half counts, at widths that registers have and those beside them."""
    mask = (1 << width) - 1
    asked = ("_extended", "with.overflow", ".fsh", "bitreverse", "bswap", "rem", "cmp(", "x, %n", "%y, %n", "%m, %n")
    table = [row for row in operations(width) if any(word in row[0] for word in asked)]
    compare(f"i{width}", table, [0, 1, mask, mask >> 1, (mask >> 1) + 1, 5 << width // 2, width - 3])


def compare(type_: str, table: list[tuple[str, int, Reference]], numbers: list[int]) -> None:
    """Each operation with every pair of the numbers; memory has something above the width, too."""
    width, rng = WIDTHS[type_], Random(type_)
    mask = (1 << width) - 1
    pairs = [(a & mask, b & mask) for a in numbers for b in numbers]
    stored = [x | rng.getrandbits(128 - width) << width if width < 128 else x for pair in pairs for x in pair]
    given = np.frombuffer(b"".join(x.to_bytes(16, "little") for x in stored), np.uint8)
    out = np.zeros((len(pairs), len(table), 16), np.uint8)
    run(kernel(table, type_), "k", 1, len(pairs), [given.copy(), out])
    for at, (text, bits, reference) in enumerate(table):
        for (a, b), found in zip(pairs, out[:, at], strict=True):
            wanted = reference(width, a, b)
            if wanted is not None:
                assert int.from_bytes(found.tobytes(), "little") == wanted % (1 << bits), (text, hex(a), hex(b))
