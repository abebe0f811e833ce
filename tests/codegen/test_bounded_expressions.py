"""Expressions of numbers whose bounds are known, with constants at which something else is done, against Python."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

import weft

LANES, SUMS = 32, 10
EDGES = (1, 2, 3, 7, 8, 255, 256, 1 << 16, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, (1 << 32) - 1, 1 << 32, (1 << 32) + 1,
         1 << 33, (1 << 62) - 1, 1 << 62)  # fmt: skip
SMALL = (1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 64, 100, 1000, 4096, 65535, 65536)


def _signed(x: int, bits: int) -> int:
    x %= 1 << bits
    return x - (1 << bits) if x >> bits - 1 else x


EXACT: dict[str, Callable[[int, int, int, int], int]] = {
    "add": lambda a, b, x, y: a + b, "sub": lambda a, b, x, y: a - b, "mul": lambda a, b, x, y: a * b,
    "and": lambda a, b, x, y: a & b, "or": lambda a, b, x, y: a | b, "xor": lambda a, b, x, y: a ^ b,
    "shl": lambda a, b, x, y: a << b, "lshr": lambda a, b, x, y: a >> b, "ashr": lambda a, b, x, y: x >> b,
    "udiv": lambda a, b, x, y: a // b, "urem": lambda a, b, x, y: a % b,
    "sdiv": lambda a, b, x, y: abs(x) // abs(y) * (-1 if x ^ y < 0 else 1),
    "srem": lambda a, b, x, y: abs(x) % abs(y) * (-1 if x < 0 else 1), "umin": lambda a, b, x, y: min(a, b),
    "umax": lambda a, b, x, y: max(a, b), "smin": lambda a, b, x, y: min(x, y), "smax": lambda a, b, x, y: max(x, y),
    "slt": lambda a, b, x, y: int(x < y), "ult": lambda a, b, x, y: int(a < b), "eq": lambda a, b, x, y: int(a == b),
    "sext": lambda a, b, x, y: x, "zext": lambda a, b, x, y: a, "trunc": lambda a, b, x, y: a,
}  # fmt: skip
"""Of two numbers without a sign, and of the same with one."""


class Program:
    """Operations on numbers of 32 and 64 bits, one after another, and what each gives for a p and a q."""

    def __init__(self, rng: Random, at: int) -> None:
        self.rng, self.at = rng, at
        self.lines: list[str] = []
        self.steps: list[tuple[str, int, list[int], int | None]] = []
        """An operation, its width, the earlier ones that it reads, and its number."""
        self.widths = [32, 32]
        for _ in range(rng.randrange(5, 12)):
            self.step()

    def value(self, width: int) -> int:
        """One of the latest values of a width."""
        found = [n for n, bits in enumerate(self.widths) if bits == width]
        return self.rng.choice(found[-4:])

    def step(self) -> None:
        rng = self.rng
        width = rng.choice([w for w in (32, 64, 64) if w in self.widths])
        kind = rng.choice(
            ("bound", "bound", "extend", "add", "add", "scale", "scale", "divide", "bits", "pair", "together")
        )
        name, read, number = "", [self.value(width)], None
        if kind == "bound":
            name = rng.choice(("umin", "and", "smax", "smin", "umax", "urem", "lshr"))
            number = rng.randrange(1, width) if name == "lshr" else rng.choice(EDGES) * rng.choice((1, 1, 1, -1))
            number = abs(number) if name == "urem" else number
        elif kind == "extend":
            name, read = rng.choice(("sext", "zext")), [self.value(32)]
            if 64 in self.widths and rng.random() < 0.2:
                name, read = "trunc", [self.value(64)]
            width = 32 if name == "trunc" else 64
        elif kind == "add":
            name = rng.choice(("add", "sub"))
            if rng.random() < 0.5:
                number = rng.choice(EDGES) * rng.choice((1, -1))
            else:
                read.append(self.value(width))
        elif kind == "scale":
            name, number = "mul", rng.choice((*EDGES, *SMALL)) * rng.choice((1, 1, -1))
        elif kind == "divide":
            name, number = rng.choice(("udiv", "urem", "sdiv", "srem")), rng.choice((*SMALL, *EDGES))
        elif kind == "bits":
            name = rng.choice(("and", "or", "xor", "shl", "lshr", "ashr"))
            number = rng.randrange(width) if name in ("shl", "lshr", "ashr") else rng.choice(EDGES) - rng.randrange(2)
        elif kind == "pair":
            name = rng.choice(("smin", "smax", "umin", "umax", "slt", "ult", "eq", "mul", "and", "or", "xor"))
            read.append(self.value(width))
        else:  # What a division takes apart, put together again.
            by = rng.choice(SMALL[1:])
            dividing = rng.choice(("u", "u", "s"))
            first = read[0]
            self.add(f"{dividing}div", width, [first], by)
            self.add(f"{dividing}rem", width, [first], by)
            quotient, rest = len(self.widths) - 2, len(self.widths) - 1
            if width == 32 and rng.random() < 0.5:
                way, width = rng.choice(("zext", "sext")), 64
                self.add(way, 64, [quotient], None)
                self.add(way, 64, [rest], None)
                quotient, rest = len(self.widths) - 2, len(self.widths) - 1
            unit = rng.choice((1, 1, 4))
            self.add("mul", width, [quotient], by * unit)
            self.add("mul", width, [rest], unit)
            name, read = "add", [len(self.widths) - 2, len(self.widths) - 1]
        self.add(name, width, read, number)

    def add(self, name: str, width: int, read: list[int], number: int | None) -> None:
        here, at = len(self.widths), self.at
        operands = [f"%v{at}_{n}" for n in read]
        t = f"i{width}"
        if number is not None:
            number = _signed(number, width) or 1
            self.lines.append(f"%c{at}_{here} = llvm.mlir.constant({number} : {t}) : {t}")
            operands.append(f"%c{at}_{here}")
        result, both = f"%v{at}_{here}", ", ".join(operands)
        if name in ("smin", "smax", "umin", "umax"):
            self.lines.append(f"{result} = llvm.intr.{name}({both}) : ({t}, {t}) -> {t}")
        elif name in ("slt", "ult", "eq"):
            self.lines += [
                f'%t{at}_{here} = llvm.icmp "{name}" {both} : {t}',
                f"{result} = llvm.zext %t{at}_{here} : i1 to {t}",
            ]
        elif name in ("sext", "zext", "trunc"):
            self.lines.append(f"{result} = llvm.{name} {both} : i{96 - width} to {t}")
        else:
            self.lines.append(f"{result} = llvm.{name} {both} : {t}")
        self.steps.append((name, width, read, number))
        self.widths.append(width)

    def results(self, p: int, q: int) -> list[int]:
        values = [p % (1 << 32), q % (1 << 32)]
        for name, width, read, number in self.steps:
            a, b = [*(values[n] for n in read), *([] if number is None else [number % (1 << width)]), 0][:2]
            source = 32 if name in ("sext", "zext") else width
            x, y = _signed(a, source), _signed(b, source)
            found = EXACT[name](a, b, x, y)
            values.append(found % (1 << width))
        return values


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", range(300))
def test_expressions_are_what_they_say(seed: int) -> None:
    rng = Random(f"bounded {seed}")
    programs = [Program(rng, at) for at in range(SUMS)]
    edges = [sign * edge + by for edge in EDGES[:-5] for sign in (1, -1) for by in (-1, 0, 1)]
    given = [[_signed(rng.choice((rng.choice(edges), rng.getrandbits(32))), 32) for _ in range(LANES)] for _ in "pq"]
    lines, row = list[str](), f"!llvm.array<{2 * SUMS} x i64>"
    for at, program in enumerate(programs):
        last = len(program.widths) - 1
        lines += [
            line.replace(f"%v{at}_0,", "%p,").replace(f"%v{at}_0 ", "%p ").replace(f"%v{at}_0)", "%p)")
            .replace(f"%v{at}_1,", "%q,").replace(f"%v{at}_1 ", "%q ").replace(f"%v{at}_1)", "%q)")
            for line in program.lines
        ]  # fmt: skip
        for which in (0, 1):
            n = last - which
            width = program.widths[n]
            whole = f"%v{at}_{n}"
            if width == 32:
                lines.append(f"%w{at}_{n} = llvm.zext {whole} : i32 to i64")
                whole = f"%w{at}_{n}"
            lines += [
                f"%a{at}_{n} = llvm.getelementptr %out[%t, {2 * at + which}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {row}",
                f"llvm.store {whole}, %a{at}_{n} : i64, !llvm.ptr<1>",
            ]
    body = "\n".join(lines)
    text = f"""llvm.func @k(%ps: !llvm.ptr<1>, %qs: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %pa = llvm.getelementptr %ps[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %qa = llvm.getelementptr %qs[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %p = llvm.load %pa : !llvm.ptr<1> -> i32
      %q = llvm.load %qa : !llvm.ptr<1> -> i32
      {body}
      llvm.return
    }}"""
    out = np.zeros((LANES, 2 * SUMS), np.uint64)
    arrays = [np.array(column, np.int32) for column in given]
    weft.run(weft.compile(text, "sm_80"), "k", 1, LANES, [*arrays, out], check="fast")
    for p, q, found in zip(*given, out.tolist(), strict=True):
        for at, program in enumerate(programs):
            wanted = program.results(p, q)
            assert found[2 * at : 2 * at + 2] == [wanted[-1], wanted[-2]], ("\n".join(program.lines), p, q)


FIXED = (
    # A product that is exact with a sign, extended without one.
    ("%c = llvm.lshr %q, %n31 : i32\n%d = llvm.mul %p, %c : i32\n%e = llvm.zext %d : i32 to i64",
     lambda p, q: p * (q >> 31)),
    ("%c = llvm.lshr %q, %n31 : i32\n%d = llvm.mul %p, %c : i32\n%e = llvm.sext %d : i32 to i64",
     lambda p, q: _signed(p * (q >> 31), 32)),
    # The greater of two numbers one of which is large only without a sign.
    (("%c = llvm.sext %p : i32 to i64\n%d = llvm.intr.umax(%c, %far) : (i64, i64) -> i64\n"
     "%m = llvm.zext %q : i32 to i64\n%t = llvm.icmp \"ult\" %m, %d : i64\n%e = llvm.zext %t : i1 to i64"), lambda p, q: 1),
    (("%c = llvm.sext %p : i32 to i64\n%d = llvm.intr.umin(%c, %far) : (i64, i64) -> i64\n"
     "%m = llvm.zext %q : i32 to i64\n%t = llvm.icmp \"uge\" %m, %d : i64\n%e = llvm.zext %t : i1 to i64"),
     lambda p, q: int(q >= min(_signed(p, 32) % (1 << 64), (1 << 64) - 256))),
    # One less than what has no bit that may be set.
    (("%c = llvm.and %p, %n1 : i32\n%d = llvm.intr.smin(%c, %n1) : (i32, i32) -> i32\n%f = llvm.and %d, %n2 : i32\n"
     "%g = llvm.sub %f, %n1 : i32\n%e = llvm.zext %g : i32 to i64"), lambda p, q: (1 << 32) - 1),
    (("%c = llvm.intr.smin(%q, %n0) : (i32, i32) -> i32\n%d = llvm.intr.smax(%c, %less) : (i32, i32) -> i32\n"
     "%h = llvm.mul %d, %less : i32\n%f = llvm.and %h, %n2 : i32\n%g = llvm.sub %f, %n1 : i32\n"
     "%e = llvm.zext %g : i32 to i64"), lambda p, q: (1 << 32) - 1),
)  # fmt: skip


@pytest.mark.parametrize(("body", "exact"), FIXED)
def test_signs_that_are_lost_on_the_way(body: str, exact: Callable[[int, int], int]) -> None:
    numbers = "\n".join(f"%n{n} = llvm.mlir.constant({n} : i32) : i32" for n in (0, 1, 2, 31))
    text = f"""llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      {numbers}
      %less = llvm.mlir.constant(-1 : i32) : i32
      %far = llvm.mlir.constant(-256 : i64) : i64
      %t0 = nvvm.read.ptx.sreg.tid.x : i32
      %at = llvm.getelementptr %in[%t0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<2 x i32>
      %behind = llvm.getelementptr %at[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
      %to = llvm.getelementptr %out[%t0] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
      %p = llvm.load %at : !llvm.ptr<1> -> i32
      %q = llvm.load %behind : !llvm.ptr<1> -> i32
      {body}
      llvm.store %e, %to : i64, !llvm.ptr<1>
      llvm.return
    }}"""
    edges = [0, 1, 5, -1, -2, (1 << 31) - 1, -1 << 31]
    given, out = np.array([(p, q) for p in edges for q in edges], np.int32), np.zeros(49, np.uint64)
    weft.run(weft.compile(text, "sm_80"), "k", 1, 49, [given, out])
    for (p, q), found in zip(given.tolist(), out.tolist(), strict=True):
        assert found == exact(p % (1 << 32), q % (1 << 32)) % (1 << 64), (p, q)
