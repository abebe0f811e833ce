"""Sums of 32 bits that operations say not to wrap, extended to 64 bits: at the greatest and least numbers that they may be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import numpy as np
import pytest

import weft

LANES, TURNS, SUMS = 32, 3, 8
SIGNED, UNSIGNED = (-(1 << 31), (1 << 31) - 1), (0, (1 << 32) - 1)
FACTORS = (2, 3, 7, (1 << 20) - 1, 1 << 20, (1 << 20) + 1)
NUMBERS = (1, 2, 5, 6, 4096, (1 << 20) - 1, 1 << 20, (1 << 31) - 1)


SMALL = {"m": 255, "h": (1 << 31) - 6}
"""What some bits of p are at most."""


class Node(NamedTuple):
    """An operation on two nodes; p, some bits of p, q, the loop's counter i, or a number, where there are none; w is p, loaded in every turn."""

    op: str
    flags: str
    of: tuple[Node | str | int, ...]


def _drawn(rng: Random, depth: int, way: str) -> Node | str:
    if not depth or (depth < 3 and rng.random() < 0.3):
        return rng.choice("pppqimhw")
    op = rng.choice(("add", "add", "add", "sub", "from", "mul", "shl", "row", "row"))
    flags = rng.choice((way, way, way, "nsw, nuw", ""))
    first = _drawn(rng, depth - 1, way)
    if op == "mul":
        factors = (first, rng.choice(FACTORS))
        return Node(op, flags, factors if rng.random() < 0.7 else factors[::-1])
    if op == "shl":
        return Node(op, flags, (first, rng.choice((1, 2, 5, 19, 20))))
    if op == "row":
        added = rng.choice((flags, ""))
        return Node("mul", flags, (Node("add", added, (first, rng.choice(NUMBERS))), rng.choice("pq")))
    if op == "from":
        return Node("sub", flags, (rng.choice((1, -1)) * rng.choice(NUMBERS), first))
    sign = -1 if way == "nsw" and op == "add" and rng.random() < 0.4 else 1
    second = sign * rng.choice(NUMBERS) if rng.random() < 0.6 else _drawn(rng, depth - 1, way)
    return Node(op, flags, (first, second))


class Poison(Exception):
    """What wraps though it was said not to."""


def _value(node: Node | str | int, of: dict[str, int], found: list[int] | None = None) -> int:
    """The low 32 bits, without a sign; `found` gets what each operation would be without an end."""
    if not isinstance(node, Node):
        node = "p" if node == "w" else node
        whole = (of["p"] & SMALL[node] if node in SMALL else of[node]) if isinstance(node, str) else node
        return whole % (1 << 32)
    a, b = (_value(one, of, found) for one in node.of)
    calculate = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__, "shl": int.__lshift__}[node.op]
    exact = calculate(_signed(a), b if node.op == "shl" else _signed(b))
    if found is not None:
        found += [exact, calculate(a, b)]
    elif ("nsw" in node.flags and exact != _signed(exact)) or ("nuw" in node.flags and calculate(a, b) >> 32):
        raise Poison
    return exact % (1 << 32)


def _signed(x: int) -> int:
    return (x + (1 << 31)) % (1 << 32) - (1 << 31)


def _edges(rng: Random, node: Node, start: int) -> Iterator[tuple[int, int]]:
    """Numbers for p and q with which an operation in the node is at an end of what it may be, or anywhere."""
    for _ in range(200):
        q = rng.choice((0, 1, -1, 7, -30, rng.randrange(-(1 << 31), 1 << 31), rng.randrange(1 << 12)))
        i = start + rng.choice((0, TURNS - 1))
        parts = list[list[int]]()
        for p in (0, 1):
            parts.append([])
            _value(node, {"p": p, "q": q, "i": i}, parts[-1])
        low, high = rng.choice(list(zip(*parts, strict=True)))
        by = high - low
        bound = rng.choice((*SIGNED, *UNSIGNED)) + rng.choice((0, 0, 1, -1))
        p = (
            _signed((bound - low) // by)
            if by and rng.random() < 0.8
            else rng.choice((0, 1, -1, *SIGNED, rng.randrange(-99, 99)))
        )
        try:
            for turn in range(TURNS):
                _value(node, {"p": p, "q": q, "i": start + turn})
        except Poison:
            continue
        yield p, q


def _lines(node: Node | str | int, names: Iterator[int], dialect: str, out: list[str]) -> str:
    if isinstance(node, str):
        return f"%{node}"
    name = f"%v{next(names)}"
    if isinstance(node, int):
        out.append(f"{name} = llvm.mlir.constant({_signed(node)} : i32) : i32")
        return name
    a, b = (_lines(one, names, dialect, out) for one in node.of)
    op = f"llvm.{node.op}" if dialect == "llvm" else f"arith.{node.op}i"
    flags = f" overflow<{node.flags}>" if node.flags else ""
    out.append(f"{name} = {op} {a}, {b}{flags} : i32")
    return name


class Sum(NamedTuple):
    """What is extended, how, the dialect of its operations, and what p and q are in each lane."""

    node: Node
    extension: str
    dialect: str
    given: list[tuple[int, int]]


def _text(sums: list[Sum], start: int) -> str:
    names, before, body, behind = iter(range(1000)), list[str](), list[str](), list[str]()
    for at, (node, extension, dialect, _) in enumerate(sums):
        for letter in "pq":
            place = f"!llvm.ptr, !llvm.array<{LANES} x i32>"
            before += [
                f"%{letter}a{at} = llvm.getelementptr %{letter}s[{at}, %t] : (!llvm.ptr, i32) -> {place}",
                f"%{letter}{at} = llvm.load %{letter}a{at} : !llvm.ptr -> i32",
            ]
        before += [f"%{letter}{at} = llvm.and %p{at}, %{letter} : i32" for letter in SMALL]
        lines: list[str] = []
        found = _lines(node, names, dialect, lines)
        body.append(f"%w{at} = llvm.load volatile %pa{at} : !llvm.ptr -> i32")
        body += [re.sub(r"%([pqmhw])\b", rf"%\g<1>{at}", line) for line in lines]
        body += [
            f"%wide{at} = llvm.{extension} {found} : i32 to i64",
            f"%times{at} = llvm.mul %sum{at}, %five : i64",
            f"%more{at} = llvm.add %times{at}, %wide{at} : i64",
        ]
        behind += [
            f"%oa{at} = llvm.getelementptr %out[{at}, %t] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.array<{LANES} x i64>",
            f"llvm.store %more{at}, %oa{at} : i64, !llvm.ptr",
        ]
    count = len(sums)
    types, nothing = ", ".join(["i64"] * count), ", ".join(["%zero"] * count)
    held, made = (
        ", ".join(f"%{name}{at}{type_}" for at in range(count)) for name, type_ in (("sum", ": i64"), ("more", ""))
    )
    bits = "\n".join(f"%{name} = llvm.mlir.constant({most} : i32) : i32" for name, most in SMALL.items())
    lines = [chr(10).join(part) for part in (before, body, behind)]
    return f"""
llvm.func @k(%ps: !llvm.ptr, %qs: !llvm.ptr, %out: !llvm.ptr) attributes {{gpu.kernel, nvvm.kernel}} {{
  %t = nvvm.read.ptx.sreg.tid.x : i32
  {bits}
  {lines[0]}
  %start = llvm.mlir.constant({start} : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.mlir.constant({start + TURNS} : i32) : i32
  %zero = llvm.mlir.constant(0 : i64) : i64
  %five = llvm.mlir.constant(5 : i64) : i64
  llvm.br ^head(%start, {nothing} : i32, {types})
^head(%i: i32, {held}):
  {lines[1]}
  %next = llvm.add %i, %one overflow<{"nsw" if start < 0 else "nsw, nuw"}> : i32
  %go = llvm.icmp "ne" %next, %end : i32
  llvm.cond_br %go, ^head(%next, {made} : i32, {types}), ^done
^done:
  {lines[2]}
  llvm.return
}}"""


@pytest.mark.sample(8)
@pytest.mark.parametrize("seed", range(100))
def test_sums_are_extended_as_they_are(seed: int) -> None:
    rng = Random(f"sums {seed}")
    start, sums = rng.choice((0, 1, 9, -2)), list[Sum]()
    while len(sums) < SUMS:
        way = rng.choice(("nsw", "nuw", "nsw, nuw"))
        node = _drawn(rng, 3, way)
        assert isinstance(node, Node)
        given = [pair for pair, _ in zip(_edges(rng, node, start), range(LANES), strict=False)]
        if given:
            given *= -(-LANES // len(given))
            sums.append(Sum(node, rng.choice(("sext", "zext")), rng.choice(("llvm", "arith")), given[:LANES]))
    _compare(sums, start)


@pytest.mark.parametrize("dialect", ["llvm", "arith"])
def test_numbers_and_factors_that_wrap_only_together(dialect: str) -> None:
    """What two numbers add up to, or a factor and another, is beyond 32 bits though no result is."""
    far = Node("sub", "nsw", ("p", (1 << 31) - 1))
    sums = [
        Sum(Node("sub", "nsw", (far, 1 << 20)), "sext", dialect, [((1 << 20) - 1, 0), ((1 << 31) - 1, 0)]),
        Sum(Node("add", "nsw", (Node("add", "nsw", ("p", 1 << 30)), 1 << 30)), "sext", dialect, [(-1 << 31, 0)]),
        Sum(Node("mul", "nsw", (Node("add", "nsw", ("p", 1 << 30)), 4)), "sext", dialect, [(-1 << 30, 0)]),
        Sum(Node("sub", "nsw", (-5, "p")), "sext", dialect, [(-1 << 31, 0), (-6 - (1 << 30), 0)]),
    ]
    sums += [
        Sum(
            Node(op, "nsw", (Node("add", "nsw", (Node(op, "nsw", ("p", first)), "q")), second)), "sext", dialect,
            [(1, -1 << 19), (-3, 3 << 19)],
        )
        for op, first, second in (("shl", 19, 13), ("mul", 1 << 19, 1 << 13))
    ]  # fmt: skip
    _compare([one._replace(given=(one.given * LANES)[:LANES]) for one in sums], 0)


def _compare(sums: list[Sum], start: int) -> None:
    p, q = (np.array([[pair[at] for pair in one.given] for one in sums], np.int32) for at in (0, 1))
    out = np.zeros((len(sums), LANES), np.int64)
    weft.run(weft.compile(_text(sums, start), "sm_80"), "k", 1, LANES, [p, q, out], check="fast")
    for one, results in zip(sums, out.tolist(), strict=True):
        for (first, second), found in zip(one.given, results, strict=True):
            wanted = 0
            for turn in range(TURNS):
                low = _value(one.node, {"p": first, "q": second, "i": start + turn})
                wanted = wanted * 5 + (_signed(low) if one.extension == "sext" else low)
            assert (wanted - found) % (1 << 64) == 0, (one.node, first, second)
