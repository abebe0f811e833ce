"""Trees of branches, which become selections or stay, and loops that are left by them: drawn, against Python."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled, launch

THREADS = 64
MASK = 0xFFFFFFFF


class _Tree:
    """A tree of branches over `%x` and `%y`, two of i32, that ends in one of them changed: its text and its value."""

    def __init__(self, rng: Random, depth: int, number: Any) -> None:
        self.name = f"%v{next(number)}"
        self.bound, self.factor = rng.randrange(-40, 40), rng.randrange(2, 9)
        self.changed = rng.choice("xy")
        self.sides: list[_Tree] = []
        self.swapped = rng.random() < 0.5
        if depth:
            depths = [depth - 1, rng.randrange(depth)]
            self.sides = [_Tree(rng, one, number) for one in (reversed(depths) if self.swapped else depths)]

    def text(self) -> str:
        name = self.name
        if not self.sides:
            return f"""{name}k = arith.constant {self.factor} : i32
              {name}m = arith.muli %{self.changed}, {name}k : i32
              {name} = arith.xori {name}m, %x : i32"""
        then, other = self.sides
        return f"""{name}k = arith.constant {self.bound} : i32
          {name}t = arith.cmpi slt, %{self.changed}, {name}k : i32
          {name} = scf.if {name}t -> (i32) {{
            {then.text()}
            scf.yield {then.name} : i32
          }} else {{
            {other.text()}
            scf.yield {other.name} : i32
          }}"""

    def value(self, x: int, y: int) -> int:
        one = x if self.changed == "x" else y
        if not self.sides:
            return _signed(one * self.factor) ^ x
        return self.sides[one >= self.bound].value(x, y)


def _signed(number: int) -> int:
    return (number + (1 << 31) & MASK) - (1 << 31)


def _kernel(body: str) -> str:
    return f"""gpu.module @m {{ gpu.func @k(%xs: memref<?xi32>, %ys: memref<?xi32>, %out: memref<?xi32>) kernel {{
      %i = gpu.thread_id x
      %x0 = memref.load %xs[%i] : memref<?xi32>
      %y0 = memref.load %ys[%i] : memref<?xi32>
      {body}
      memref.store %result, %out[%i] : memref<?xi32>
      gpu.return }} }}"""


def _run(body: str, seed: str) -> tuple[str, list[tuple[int, int, int]]]:
    """The PTX, and what each thread read and wrote."""
    rng = Random(seed)
    xs, ys = (np.array([rng.randrange(-60, 60) for _ in range(THREADS)], np.int32) for _ in range(2))
    out = np.zeros(THREADS, np.int32)
    module = compiled(_kernel(body))
    launch(module, "k", 1, THREADS, [xs, ys, out])
    return module.to_ptx(), list(zip(xs.tolist(), ys.tolist(), out.tolist(), strict=True))


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_trees(depth: int) -> None:
    tree = _Tree(Random(depth), depth, count())
    body = f"{tree.text()}\n%result = arith.addi {tree.name}, %x : i32"
    ptx, rows = _run(body.replace("%x ", "%x0 ").replace("%x,", "%x0,").replace("%y,", "%y0,"), f"{depth}")
    assert ("bra" in ptx) == (depth == 4)
    for x, y, found in rows:
        assert found == _signed(tree.value(x, y) + x), (x, y)


@pytest.mark.sample(3)
@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_left_by_a_tree(seed: int, *, marked: bool) -> None:
    """A loop whose test has branches, which load in one case: repeated at its end where they are short.

    The last branch makes the test false on one side; where `marked`, it also makes a value that leaves with it.
    """
    rng = Random(seed)
    tree = _Tree(rng, 1 + seed // 2, count())
    bound = rng.randrange(-50, 90)
    loads = seed > 1
    first = "%v = memref.load %xs[%c] : memref<?xi32>" if loads else f"%v = arith.addi {tree.name}, %x : i32"
    going = f"""{first}
      %again = arith.cmpi sle, %n, %v : i32
      %few = arith.cmpi slt, %n, %most : i32
      %both = arith.andi %again, %few : i1
      %triple = arith.muli %n, %three : i32
      scf.yield %both, %triple : i1, i32"""
    done = f"""%other = arith.xori {tree.name}, %n : i32
      scf.yield %no, %other : i1, i32"""
    sides = (done, going) if seed % 2 else (going, done)
    body = f"""%one = arith.constant 1 : i32
      %three = arith.constant 3 : i32
      %far = arith.constant {bound} : i32
      %most = arith.constant 20 : i32
      %c = arith.constant 5 : index
      %no = arith.constant false
      %zero = arith.constant 0 : i32
      %r:3 = scf.while (%x = %x0, %n = %zero) : (i32, i32) -> (i32, i32, i32) {{
        %y = arith.addi %y0, %n : i32
        {tree.text()}
        %go = arith.cmpi {"sge" if seed % 2 else "slt"}, {tree.name}, %far : i32
        %stay:2 = scf.if %go -> (i1, i32) {{ {sides[0]} }} else {{ {sides[1]} }}
        scf.condition(%stay#0) %x, %n, {"%stay#1" if marked else "%n"} : i32, i32, i32
      }} do {{ ^bb0(%a: i32, %b: i32, %unread: i32):
        %a1 = arith.addi %a, %one : i32
        %b1 = arith.addi %b, %one : i32
        scf.yield %a1, %b1 : i32, i32 }}
      %s = arith.addi %r#0, %r#1 : i32
      %result = arith.addi %s, %r#2 : i32"""
    _, rows = _run(body, f"left {seed}")
    for x, y, found in rows:
        at, n = x, 0
        while True:
            value = tree.value(at, y + n)
            mark = n * 3 if value < bound else value ^ n
            limit = rows[5][0] if loads else _signed(value + at)
            if value >= bound or n > limit or n >= 20:
                break
            at, n = at + 1, n + 1
        assert found == _signed(at + n + (mark if marked else n)), (x, y)
