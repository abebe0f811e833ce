"""Branches after and within each other that change some of a few values and compute alike: drawn, against Python.

What one side of a branch leaves alone stays in its register, and what several of them compute moves before them.
"""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled, launch

THREADS = 64
NAMES = ("a", "b", "c")
State = dict[str, int]


def _signed(number: int) -> int:
    return (number + (1 << 31) & 0xFFFFFFFF) - (1 << 31)


class _Branch:
    """An `scf.if` on one value that gives new values of all, its sides made of steps and branches."""

    def __init__(self, rng: Random, depth: int, number: Any) -> None:
        self.name = f"%r{next(number)}"
        self.tested, self.bound = rng.choice(NAMES), rng.randrange(-30, 30)
        self.sides = [_Side(rng, depth, number) for _ in range(2)]

    def text(self, names: dict[str, str], out: list[str]) -> dict[str, str]:
        out += [f"{self.name}k = arith.constant {self.bound} : i32",
                f"{self.name}t = arith.cmpi slt, {names[self.tested]}, {self.name}k : i32",
                f"{self.name}:3 = scf.if {self.name}t -> (i32, i32, i32) {{"]  # fmt: skip
        for number, side in enumerate(self.sides):
            ends = side.text(names, out)
            out += [f"scf.yield {', '.join(ends[one] for one in NAMES)} : i32, i32, i32", "}" if number else "} else {"]
        return {one: f"{self.name}#{at}" for at, one in enumerate(NAMES)}

    def run(self, state: State, thread: int, data: list[int]) -> None:
        self.sides[state[self.tested] >= self.bound].run(state, thread, data)


class _Side:
    """Steps: a value becomes what is loaded at a place that others compute, too, or the sum of two; and branches."""

    def __init__(self, rng: Random, depth: int, number: Any) -> None:
        self.steps: list[Any] = []
        for _ in range(rng.randrange(3)):
            if depth and rng.random() < 0.4:
                self.steps.append(_Branch(rng, depth - 1, number))
            else:
                self.steps.append((rng.choice(NAMES), rng.choice((*NAMES, "")), rng.randrange(3), f"%s{next(number)}"))

    def text(self, names: dict[str, str], out: list[str]) -> dict[str, str]:
        names = dict(names)
        for step in self.steps:
            if isinstance(step, _Branch):
                names = step.text(names, out)
                continue
            changed, other, far, name = step
            if other:
                out.append(f"{name} = arith.addi {names[changed]}, {names[other]} : i32")
            else:
                out += [f"{name}k = arith.constant {far} : index", f"{name}f = arith.muli %i, %three : index",
                        f"{name}p = arith.addi {name}f, {name}k : index",
                        f"{name}v = memref.load %data[{name}p] : memref<?xi32>",
                        f"{name} = arith.xori {name}v, {names[changed]} : i32"]  # fmt: skip
            names[changed] = name
        return names

    def run(self, state: State, thread: int, data: list[int]) -> None:
        for step in self.steps:
            if isinstance(step, _Branch):
                step.run(state, thread, data)
                continue
            changed, other, far, _ = step
            state[changed] = (
                _signed(state[changed] + state[other]) if other else state[changed] ^ data[thread * 3 + far]
            )


@pytest.mark.sample(4)
@pytest.mark.parametrize("way", ["once", "looped", "apart"])
@pytest.mark.parametrize("seed", range(10))
def test_branches_in_a_row(seed: int, way: str) -> None:
    """One after the other, in a loop, or all from the same values, their results summed up."""
    rng, number, looped = Random(f"{seed} {way}"), count(), way == "looped"
    branches = [_Branch(rng, 2, number) for _ in range(rng.randrange(2, 5))]
    lines: list[str] = []
    first = names = {one: f"%{one}" for one in NAMES}
    found: list[dict[str, str]] = []
    for branch in branches:
        names = branch.text(first if way == "apart" else names, lines)
        found.append(names)
    for at, more in enumerate(found[:-1] if way == "apart" else ()):
        lines += [f"%w{at}{one} = arith.addi {names[one]}, {more[one]} : i32" for one in NAMES]
        names = {one: f"%w{at}{one}" for one in NAMES}
    ends = ", ".join(names[one] for one in NAMES)
    body, results = "\n".join(lines), ends.split(", ")
    if looped:
        body = f"""%r:3 = scf.for %j = %zero to %n step %one iter_args(%a = %a0, %b = %b0, %c = %c0) -> (i32, i32, i32) {{
          {body}
          scf.yield {ends} : i32, i32, i32
          }}"""
        results = ["%r#0", "%r#1", "%r#2"]
    else:
        body = body.replace("%a,", "%a0,").replace("%b,", "%b0,").replace("%c,", "%c0,")
        body = "".join(f"%{one} = arith.addi %{one}0, %none : i32\n" for one in NAMES) + "\n".join(lines)
    stores = "\n".join(f"memref.store {one}, %out[%k{at}, %i] : memref<3x?xi32>" for at, one in enumerate(results))
    text = f"""gpu.module @m {{ gpu.func @k(%data: memref<?xi32>, %n: index, %out: memref<3x?xi32>) kernel {{
      %three = arith.constant 3 : index
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %none = arith.constant 0 : i32
      {"".join(f"%k{at} = arith.constant {at} : index{chr(10)}" for at in range(3))}
      %i = gpu.thread_id x
      {"".join(f"%{one}0 = memref.load %out[%k{at}, %i] : memref<3x?xi32>{chr(10)}" for at, one in enumerate(NAMES))}
      {body}
      {stores}
      gpu.return }} }}"""
    data = np.array([rng.randrange(-60, 60) for _ in range(THREADS * 3)], np.int32)
    out = np.array([[rng.randrange(-60, 60) for _ in range(THREADS)] for _ in NAMES], np.int32)
    states = [dict(zip(NAMES, column, strict=True)) for column in out.T.tolist()]
    launch(compiled(text), "k", 1, THREADS, [data, 3, out])
    for thread, state in enumerate(states):
        sums = [0, 0, 0]
        for _ in range(3 if looped else 1):
            for branch in branches:
                own = dict(state) if way == "apart" else state
                branch.run(own, thread, data.tolist())
                sums = [_signed(one + own[name]) for one, name in zip(sums, NAMES, strict=True)]
        if way == "apart":
            state |= zip(NAMES, sums, strict=True)
    assert out.T.tolist() == [[state[one] for one in NAMES] for state in states]


def test_kept_values_are_not_moved() -> None:
    """A maximum and its place through branches in a row: no register is copied to another."""
    branches = "".join(
        f"""%t{k} = arith.cmpi slt, %i, %n{k} : index
        %r{k}:2 = scf.if %t{k} -> (i32, i32) {{
          %v{k} = memref.load %data[%i, %n{k}] : memref<?x?xi32>
          %m{k} = arith.cmpi sgt, %v{k}, {f"%r{k - 1}#0" if k else "%low"} : i32
          %x{k} = arith.select %m{k}, %v{k}, {f"%r{k - 1}#0" if k else "%low"} : i32
          %y{k} = arith.select %m{k}, %p{k}, {f"%r{k - 1}#1" if k else "%low"} : i32
          scf.yield %x{k}, %y{k} : i32, i32
        }} else {{
          scf.yield {f"%r{k - 1}#0, %r{k - 1}#1" if k else "%low, %low"} : i32, i32
        }}
        """
        for k in range(4)
    )
    arguments = ", ".join(f"%n{k}: index, %p{k}: i32" for k in range(4))
    text = f"""gpu.module @m {{ gpu.func @k(%data: memref<?x?xi32>, {arguments}, %out: memref<2x?xi32>) kernel {{
      %low = arith.constant -1 : i32
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %i = gpu.thread_id x
      {branches}
      memref.store %r3#0, %out[%zero, %i] : memref<2x?xi32>
      memref.store %r3#1, %out[%one, %i] : memref<2x?xi32>
      gpu.return }} }}"""
    lines = [line.strip() for line in compiled(text).to_ptx().splitlines()]
    assert not [line for line in lines if line.startswith("mov.b32 %r") and ", %r" in line]
    assert sum(line.startswith("mul.lo.s64") for line in lines) == 1  # The row's address, for all branches.


_STEPS = {
    "divui": lambda n, k: n // k, "shrui": lambda n, k: n >> k, "subi": lambda n, k: n - k, "shli": lambda n, k: n << k,
    "addi": lambda n, k: n + k, "muli": lambda n, k: n * k, "xori": lambda n, k: n ^ k,
}  # fmt: skip


@pytest.mark.parametrize(
    ("start", "step", "by", "bound"),
    [(64, "divui", 2, 1), (200, "shrui", 1, 0), (40, "subi", 7, 3), (63, "divui", 3, 0), (1, "shli", 1, -60)],
)
@pytest.mark.parametrize("kind", ["index", "i32", "i64"])
def test_loops_that_constants_end(start: int, step: str, by: int, bound: int, kind: str) -> None:
    """An `scf.while` whose turns follow from constants is copied, to the same result."""
    factor = -1 if bound < 0 else 1  # A rising one ends above a bound.
    sign = "slt" if bound < 0 else "sgt"
    cast = "arith.addi %n, %nil" if kind == "i32" else f"arith.{'index_cast' if kind == 'index' else 'trunci'} %n"
    typed = "i32" if kind == "i32" else f"{kind} to i32"
    text = f"""gpu.module @m {{ gpu.func @k(%out: memref<?xi32>) kernel {{
      %start = arith.constant {start} : {kind}
      %by = arith.constant {by} : {kind}
      %bound = arith.constant {abs(bound)} : {kind}
      %seven = arith.constant 7 : i32
      %nil = arith.constant 0 : i32
      %i = gpu.thread_id x
      %x0 = arith.index_cast %i : index to i32
      %r:2 = scf.while (%n = %start, %x = %x0) : ({kind}, i32) -> ({kind}, i32) {{
        %t = arith.cmpi {sign}, %n, %bound : {kind}
        scf.condition(%t) %n, %x : {kind}, i32
      }} do {{
      ^bb0(%n: {kind}, %x: i32):
        %m = {cast} : {typed}
        %y = arith.muli %x, %seven : i32
        %z = arith.addi %y, %m : i32
        %next = arith.{step} %n, %by : {kind}
        scf.yield %next, %z : {kind}, i32
      }}
      memref.store %r#1, %out[%i] : memref<?xi32>
      gpu.return }} }}"""
    out = np.zeros(THREADS, np.int32)
    module = compiled(text)
    launch(module, "k", 1, THREADS, [out])
    assert "bra" not in module.to_ptx()
    want = list(range(THREADS))
    n = start
    while factor * n > bound:
        want = [_signed(x * 7 + n) for x in want]
        n = _STEPS[step](n, by)
    assert out.tolist() == want
