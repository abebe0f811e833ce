"""LLVM's intrinsics on vectors of integers: all of them in one kernel, held to Python's lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import reduce
from random import Random

import numpy as np
import pytest

from weft.codegen import compile_module
from weft.sim import run

COUNT = 4
Vector = list[int]
Model = Callable[[Vector, Vector, Vector, int], Vector]
"""What the elements of a result are, of those of `%a` and `%b`, of a mask and of a length."""
Row = tuple[str, int, int, Model]
"""Text that makes `%r` of `%a`, `%b`, `%m`, `%n`, or stores it at `%o`; how many elements of how many bits it has."""


def signed(x: int, w: int) -> int:
    x %= 1 << w
    return x - (1 << w) if x >> w - 1 else x


def cut(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def arithmetic(w: int) -> dict[str, Callable[[int, int], int]]:
    """Operations on two elements."""

    def s(x: int) -> int:
        return signed(x, w)

    return {
        "add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "and": lambda x, y: x & y,
        "or": lambda x, y: x | y, "xor": lambda x, y: x ^ y, "shl": lambda x, y: x << y % w,
        "lshr": lambda x, y: x >> y % w, "ashr": lambda x, y: s(x) >> y % w, "udiv": lambda x, y: x // (y or 1),
        "urem": lambda x, y: x % (y or 1), "sdiv": lambda x, y: cut(s(x), s(y) or 1),
        "srem": lambda x, y: s(x) - cut(s(x), s(y) or 1) * (s(y) or 1), "umin": min, "umax": max,
        "smin": lambda x, y: min(s(x), s(y)), "smax": lambda x, y: max(s(x), s(y)),
    }  # fmt: skip


REDUCED = ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin")


def elementwise(w: int) -> Iterator[Row]:
    """With a mask and a length: what other lanes give is not defined, and they are taken from `%a`."""
    v, m = f"vector<{COUNT}xi{w}>", f"vector<{COUNT}xi1>"
    shift = f"%k = arith.constant dense<{w - 1}> : {v}\n%y = arith.andi %b, %k : {v}\n"
    divisor = f"%z = arith.constant dense<0> : {v}\n%k = arith.constant dense<1> : {v}\n"
    divisor += f"%t = arith.cmpi eq, %b, %z : {v}\n%y = arith.select %t, %k, %b : {m}, {v}\n"
    for name, function in arithmetic(w).items():
        made = shift if name in ("shl", "lshr", "ashr") else divisor if name[1:] in ("div", "rem") else ""
        other = "%y" if made else "%b"
        text = f"""{made}%x = "llvm.intr.vp.{name}"(%a, {other}, %m, %n) : ({v}, {v}, {m}, i32) -> {v}
          %r = "llvm.intr.vp.merge"(%m, %x, %a, %n) : ({m}, {v}, {v}, i32) -> {v}"""
        yield (
            text, COUNT, w,
            lambda a, b, m, n, f=function: [
                f(x, y) if t and i < n else x for i, (x, y, t) in enumerate(zip(a, b, m, strict=True))
            ],
        )  # fmt: skip
        if name[1:] in ("div", "rem"):
            call = f'"llvm.masked.{name}.v{COUNT}i{w}"(%a, %b, %t) : ({v}, {v}, {m}) -> {v}'
            text = f"""%z = arith.constant dense<0> : {v}
              %t = arith.cmpi ne, %b, %z : {v}
              %x = llvm.call_intrinsic {call}
              %r = arith.select %t, %x, %a : {m}, {v}"""
            yield (
                text, COUNT, w,
                lambda a, b, m, n, f=function: [f(x, y) if y else x for x, y in zip(a, b, strict=True)],
            )  # fmt: skip
        if name in REDUCED:
            start = f"%e = llvm.mlir.constant(3 : i64) : i64\n%i = vector.extract %b[0] : i{w} from {v}\n"
            text = f'{start}%r = "llvm.intr.vp.reduce.{name}"(%i, %a, %m, %n) : (i{w}, {v}, {m}, i32) -> i{w}'
            yield (
                text, 1, w,
                lambda a, b, m, n, f=function: [
                    reduce(lambda x, y: f(x % (1 << w), y), [y for i, y in enumerate(a) if m[i] and i < n], b[0])
                ],
            )  # fmt: skip
            text = f'%r = "llvm.intr.vector.reduce.{name}"(%a) : ({v}) -> i{w}'
            yield text, 1, w, lambda a, b, m, n, f=function: [reduce(lambda x, y: f(x % (1 << w), y), a)]
    text = f'%r = "llvm.intr.vp.select"(%m, %a, %b, %n) : ({m}, {v}, {v}, i32) -> {v}'
    yield (
        f"%e = arith.constant 4 : i32\n{text.replace('%n', '%e')}", COUNT, w,
        lambda a, b, m, n: [x if t else y for x, y, t in zip(a, b, m, strict=True)],
    )  # fmt: skip
    text = f'"llvm.clmul.v{COUNT}i{w}"(%a, %b) : ({v}, {v}) -> {v}'
    yield f"%r = llvm.call_intrinsic {text}", COUNT, w, lambda a, b, m, n: list(map(carryless, a, b))


def carryless(a: int, b: int) -> int:
    return reduce(lambda x, y: x ^ y, (a << i for i in range(b.bit_length()) if b >> i & 1), 0)


def moved(w: int) -> Iterator[Row]:
    """Elements of vectors in other places."""
    e, v, m = f"i{w}", f"vector<{COUNT}xi{w}>", f"vector<{COUNT}xi1>"
    half, twice, name = f"vector<2xi{w}>", f"vector<8xi{w}>", f"v{COUNT}i{w}"
    yield f"%r = llvm.intr.vector.extract %a[2] : {half} from {v}", 2, w, lambda a, b, m, n: a[2:]
    for place in (0, 2):
        text = f"""%x = llvm.intr.vector.extract %b[0] : {half} from {v}
          %r = llvm.intr.vector.insert %x, %a[{place}] : {half} into {v}"""
        yield text, COUNT, w, lambda a, b, m, n, p=place: [*a[:p], *b[:2], *a[p + 2 :]]
    woven = f'"llvm.intr.vector.interleave2"(%a, %b) : ({v}, {v}) -> {twice}'
    yield f"%r = {woven}", 8, w, lambda a, b, m, n: [x for pair in zip(a, b, strict=True) for x in pair]
    for at in range(2):
        pair = f"!llvm.struct<({half}, {half})>"
        text = f"""%x = "llvm.intr.vector.deinterleave2"(%a) : ({v}) -> {pair}
          %r = llvm.extractvalue %x[{at}] : {pair}"""
        yield text, 2, w, lambda a, b, m, n, at=at: a[at::2]
    three = f"vector<12xi{w}>"
    text = f'%x = llvm.call_intrinsic "llvm.vector.interleave3.v12i{w}"(%a, %b, %a) : ({v}, {v}, {v}) -> {three}\n'
    yield (
        f"{text}%r = llvm.intr.vector.extract %x[4] : {twice} from {three}", 8, w,
        lambda a, b, m, n: [x for row in zip(a, b, a, strict=True) for x in row][4:],
    )  # fmt: skip
    for at in range(3):
        parts = f"!llvm.struct<({v}, {v}, {v})>"
        call = f'llvm.call_intrinsic "llvm.vector.deinterleave3.v12i{w}"(%x) : ({three}) -> {parts}'
        back = f"{text}%y = {call}\n%r = llvm.extractvalue %y[{at}] : {parts}"
        yield back, COUNT, w, lambda a, b, m, n, at=at: b if at == 1 else a
    yield (
        f'%r = llvm.call_intrinsic "llvm.vector.reverse.{name}"(%a) : ({v}) -> {v}',
        COUNT,
        w,
        lambda a, b, m, n: a[::-1],
    )
    for word, offset in (
        ("", 1),
        ("", -1),
        ("", 0),
        ("", -4),
        (".left", 3),
        (".left", 0),
        (".right", 1),
        (".right", 4),
    ):
        text = f"""%k = llvm.mlir.constant({offset} : i32) : i32
          %r = llvm.call_intrinsic "llvm.vector.splice{word}.{name}"(%a, %b, %k) : ({v}, {v}, i32) -> {v}"""
        start = COUNT - offset if word == ".right" else offset % (2 * COUNT) if offset >= 0 else COUNT + offset
        yield text, COUNT, w, lambda a, b, m, n, s=start: [*a, *b][s : s + COUNT]
    text = f'llvm.call_intrinsic "llvm.vector.partial.reduce.add.v2i{w}.{name}"(%x, %a) : ({half}, {v}) -> {half}'
    yield (
        f"%x = llvm.intr.vector.extract %b[1] : {half} from {v}\n%r = {text}", 2, w,
        lambda a, b, m, n: [b[1] + a[0] + a[2], b[2] + a[1] + a[3]],
    )  # fmt: skip
    call = f'"llvm.vector.compress.{name}"(%a, %m, %b) : ({v}, {m}, {v}) -> {v}'
    yield f"%r = llvm.call_intrinsic {call}", COUNT, w, compressed
    call = f'"llvm.experimental.vector.extract.last.active.{name}"(%a, %m, %x) : ({v}, {m}, {e}) -> {e}'
    yield (
        f"%x = vector.extract %b[0] : {e} from {v}\n%r = llvm.call_intrinsic {call}", 1, w,
        lambda a, b, m, n: [[x for x, t in zip(a, m, strict=True) if t][-1:] or [b[0]]][0],
    )  # fmt: skip
    for bits in (8, 64):
        for of, kind in (("%m", m), ("%a", v)):
            call = f'"llvm.experimental.cttz.elts.i{bits}"({of}, %f) : ({kind}, i1) -> i{bits}'
            yield (
                f"%f = llvm.mlir.constant(false) : i1\n%r = llvm.call_intrinsic {call}", 1, bits,
                lambda a, b, m, n, of=of: [next((i for i, x in enumerate(m if of == "%m" else a) if x), COUNT)],
            )  # fmt: skip
    call = f'"llvm.experimental.vector.match.{name}.{name}"(%a, %b, %m) : ({v}, {v}, {m}) -> {m}'
    yield (
        f"%x = llvm.call_intrinsic {call}\n%r = llvm.zext %x : {m} to vector<4xi8>", COUNT, 8,
        lambda a, b, m, n: [int(t and x in b) for x, t in zip(a, m, strict=True)],
    )  # fmt: skip
    yield f"%r = llvm.intr.stepvector : {v}", COUNT, w, lambda a, b, m, n: list(range(COUNT))
    for base in (0, 2):
        text = f"""%k = llvm.mlir.constant({base} : i32) : i32
          %x = llvm.intr.get.active.lane.mask %k, %n : i32, i32 to {m}
          %r = llvm.zext %x : {m} to vector<4xi8>"""
        yield text, COUNT, 8, lambda a, b, m, n, base=base: [int(base + i < n) for i in range(COUNT)]
    for most in (2, 16):
        text = f"""%k = llvm.mlir.constant({most} : i32) : i32
          %f = llvm.mlir.constant(false) : i1
          %r = llvm.call_intrinsic "llvm.experimental.get.vector.length.i32"(%n, %k, %f) : (i32, i32, i1) -> i32"""
        yield text, 1, 32, lambda a, b, m, n, most=most: [min(n, most)]


def compressed(a: Vector, b: Vector, m: Vector, n: int) -> Vector:
    kept = [x for x, t in zip(a, m, strict=True) if t]
    return [*kept, *b[len(kept) :]]


def in_memory(w: int) -> Iterator[Row]:
    """`%p` points to the elements of `%a` and then of `%b`, `%o` to zeros."""
    v, m, size = f"vector<{COUNT}xi{w}>", f"vector<{COUNT}xi1>", w // 8
    ptr, places = "!llvm.ptr<1>", f"vector<{COUNT}x!llvm.ptr<1>>"

    def where(values: Callable[[Vector, Vector], Vector], other: int) -> Model:
        return lambda a, b, m, n: [
            x if t and i < n else (b[i] if other else 0) for i, (x, t) in enumerate(zip(values(a, b), m, strict=True))
        ]

    def masked(values: Callable[[Vector, Vector], Vector], other: int) -> Model:
        return lambda a, b, m, n: where(values, other)(a, b, m, COUNT)

    def plain(a: Vector, b: Vector) -> Vector:
        return a

    every_other = f"%s = llvm.mlir.constant({2 * size} : i64) : i64\n"
    merge = f'%r = "llvm.intr.vp.merge"(%m, %x, %b, %n) : ({m}, {v}, {v}, i32) -> {v}'
    yield f'%x = "llvm.intr.vp.load"(%p, %m, %n) : ({ptr}, {m}, i32) -> {v}\n{merge}', COUNT, w, where(plain, 1)
    call = f'"llvm.intr.experimental.vp.strided.load"(%p, %s, %m, %n) : ({ptr}, i64, {m}, i32) -> {v}'
    yield f"{every_other}%x = {call}\n{merge}", COUNT, w, where(lambda a, b: [*a, *b][::2], 1)
    yield f'"llvm.intr.vp.store"(%a, %o, %m, %n) : ({v}, {ptr}, {m}, i32) -> ()', COUNT, w, where(plain, 0)
    call = f'"llvm.intr.experimental.vp.strided.store"(%a, %o, %s, %m, %n) : ({v}, {ptr}, i64, {m}, i32) -> ()'
    yield (
        every_other + call, 8, w,
        lambda a, b, m, n: [x for row in zip(where(plain, 0)(a, b, m, n), [0] * COUNT, strict=True) for x in row],
    )  # fmt: skip
    text = f'%r = "llvm.intr.masked.load"(%p, %m, %b) <{{alignment = {size} : i32}}> : ({ptr}, {m}, {v}) -> {v}'
    yield text, COUNT, w, masked(plain, 1)
    text = f'"llvm.intr.masked.store"(%a, %o, %m) <{{alignment = {size} : i32}}> : ({v}, {ptr}, {m}) -> ()'
    yield text, COUNT, w, masked(plain, 0)
    spread = f"""%i = llvm.mlir.constant(dense<[7, 0, 5, 2]> : vector<4xi32>) : vector<4xi32>
      %g = llvm.getelementptr {{}}[%i] : ({ptr}, vector<4xi32>) -> {places}, i{w}\n"""
    text = f'%r = "llvm.intr.masked.gather"(%g, %m, %b) <{{alignment = {size} : i32}}> : ({places}, {m}, {v}) -> {v}'
    yield spread.format("%p") + text, COUNT, w, masked(lambda a, b: [b[3], a[0], b[1], a[2]], 1)
    text = f'"llvm.intr.masked.scatter"(%a, %g, %m) <{{alignment = {size} : i32}}> : ({v}, {places}, {m}) -> ()'
    yield (
        spread.format("%o") + text, 8, w,
        lambda a, b, m, n: [{7: a[0] * m[0], 0: a[1] * m[1], 5: a[2] * m[2], 2: a[3] * m[3]}.get(i, 0) for i in range(8)],
    )  # fmt: skip
    yield f'%r = "llvm.intr.masked.expandload"(%p, %m, %b) : ({ptr}, {m}, {v}) -> {v}', COUNT, w, expanded
    yield (
        f'"llvm.intr.masked.compressstore"(%a, %o, %m) : ({v}, {ptr}, {m}) -> ()', COUNT, w,
        lambda a, b, m, n: compressed(a, [0] * COUNT, m, n),
    )  # fmt: skip


def expanded(a: Vector, b: Vector, m: Vector, n: int) -> Vector:
    return [a[sum(m[:i])] if t else b[i] for i, t in enumerate(m)]


def fixed_points(w: int) -> Iterator[Row]:
    """Products of numbers with a fixed point."""
    v, name = f"vector<{COUNT}xi{w}>", f"v{COUNT}i{w}"
    for letter in "su":
        for scale in (0, 3, w - 1):
            for word in ("", ".sat"):
                text = f"""%k = llvm.mlir.constant({scale} : i32) : i32
                  %r = llvm.call_intrinsic "llvm.{letter}mul.fix{word}.{name}"(%a, %b, %k) : ({v}, {v}, i32) -> {v}"""
                low, high = (-(1 << w - 1), (1 << w - 1) - 1) if letter == "s" else (0, (1 << w) - 1)

                def model(
                    a: Vector,
                    b: Vector,
                    m: Vector,
                    n: int,
                    scale: int = scale,
                    sat: str = word,
                    sign: bool = letter == "s",
                    ends: tuple[int, int] = (low, high),
                ) -> Vector:
                    products = [signed(x, w) * signed(y, w) if sign else x * y for x, y in zip(a, b, strict=True)]
                    exact = [product >> scale for product in products]
                    return [max(ends[0], min(ends[1], x)) for x in exact] if sat else exact

                yield text, COUNT, w, model


def rows(w: int) -> list[Row]:
    return [*elementwise(w), *moved(w), *in_memory(w), *(fixed_points(w) if w <= 32 else ())]


def kernel(table: list[Row], w: int) -> str:
    """Every row; its result as 64 bytes, one after another."""
    v, parts = f"vector<{COUNT}xi{w}>", list[str]()
    for at, (text, count, bits, _) in enumerate(table):
        named = re.sub(r"%(?![abmnp]\b)(\w+)", rf"%\1_{at}", text)
        kind = f"vector<{count}xi{bits}>" if count > 1 else f"i{bits}"
        stored = f"llvm.store %r_{at}, %o_{at} {{alignment = 16 : i64}} : {kind}, !llvm.ptr<1>" if "%r " in text else ""
        parts.append(f"""%o_{at} = llvm.getelementptr %q[{at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.array<64 x i8>
          {named}
          {stored}""")
    body = "\n".join(parts)
    return f"""gpu.module @m {{ gpu.func @k(%in: !llvm.ptr<1>, %masks: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {{
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{2 * COUNT} x i{w}>
      %y = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, !llvm.array<{COUNT} x i{w}>
      %a = llvm.load %p {{alignment = {w // 8} : i64}} : !llvm.ptr<1> -> {v}
      %b = llvm.load %y {{alignment = {w // 8} : i64}} : !llvm.ptr<1> -> {v}
      %z = llvm.getelementptr %masks[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<8 x i8>
      %g = llvm.load %z {{alignment = 1 : i64}} : !llvm.ptr<1> -> vector<{COUNT}xi8>
      %m = llvm.trunc %g : vector<{COUNT}xi8> to vector<{COUNT}xi1>
      %h = llvm.getelementptr %z[{COUNT}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      %j = llvm.load %h : !llvm.ptr<1> -> i8
      %n = llvm.zext %j : i8 to i32
      %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{64 * len(parts)} x i8>
      {body}
      gpu.return }} }}"""


THREADS = 64


@pytest.mark.parametrize("w", [8, *(pytest.param(w, marks=pytest.mark.slow) for w in (16, 32, 64))])
def test_every_operation(w: int) -> None:
    random, table = Random(w), rows(w)
    edges = [0, 0, 1, 2, 3, (1 << w) - 1, 1 << w - 1, (1 << w - 1) - 1, w]
    numbers = [[random.choice([*edges, random.getrandbits(w)]) for _ in range(2 * COUNT)] for _ in range(THREADS)]
    masks = [[*(random.getrandbits(1) for _ in range(COUNT)), random.randrange(7), 0, 0, 0] for _ in range(THREADS)]
    given = [np.array(numbers, f"u{w // 8}"), np.array(masks, np.uint8)]
    out = np.zeros((THREADS, len(table), 64), np.uint8)
    run(compile_module(kernel(table, w), "sm_90"), "k", 1, THREADS, [*given, out])
    for at, (text, count, bits, model) in enumerate(table):
        for thread, (row, mask) in enumerate(zip(numbers, masks, strict=True)):
            wanted = [x % (1 << bits) for x in model(row[:COUNT], row[COUNT:], mask[:COUNT], mask[COUNT])]
            found = out[thread, at, : count * bits // 8].copy().view(f"u{bits // 8}").tolist()
            assert found == wanted, (text, row, mask)
