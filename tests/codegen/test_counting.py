"""Loops that count, in blocks and as `scf.while`: drawn with all comparisons, steps and uses, against Python."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled
from weft.codegen.counting import count_loops
from weft.mlir import parse_mlir
from weft.sim import run

THREADS = 32
FORMS = ("cf", "llvm", "while", "passed")
_MIRRORED = {"lt": "gt", "le": "ge"}
_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


class _Drawn:
    """A loop over x from `start` below `bound` by `step`, with two more values of which one may stay as it is."""

    def __init__(self, form: str, seed: int) -> None:
        self.rng = rng = Random(f"{form} {seed}")
        self.form = form
        self.bits = rng.choice((32, 64))
        self.signed = rng.random() < 0.7
        self.step = rng.choice((1, 1, 1, 2, 3))
        self.relation = rng.choice(("lt", "lt", "le"))
        self.flag = "nsw" if self.signed else "nuw"
        self.promised = self.step > 1 or self.relation == "le" or rng.random() < 0.5
        self.kept = rng.random() < 0.5
        self.test_names = self._test()

    def _test(self) -> tuple[str, str, bool]:
        """The comparison's name and operands, and whether the loop goes on where it holds."""
        relation, operands, going = self.relation, "%x, %n", True
        if self.rng.random() < 0.5:
            relation, operands = _MIRRORED[relation], "%n, %x"
        if self.form != "while" and self.form != "passed" and self.rng.random() < 0.5:
            relation, going = _OPPOSITE[relation], False
        return ("s" if self.signed else "u") + relation, operands, going

    def turn(self, x: str) -> str:
        t = f"i{self.bits}"
        add = (
            f"llvm.add {x}, %step overflow<{self.flag}>"
            if self.form == "llvm"
            else f"arith.addi {x}, %step overflow<{self.flag}>"
        )
        if not self.promised:
            add = add.partition(" overflow")[0]
        return f"""
          %m = arith.muli %s, %seven : {t}
          %more = arith.addi %m, {x} : {t}
          %next = {add} : {t}
          %other = arith.xori %r, %more : {t}"""

    def text(self) -> str:
        t = f"i{self.bits}"
        name, operands, going = self.test_names
        last = "%r" if self.kept else "%other"
        if self.form in ("cf", "llvm"):
            compare = f'llvm.icmp "{name}"' if self.form == "llvm" else f"arith.cmpi {name},"
            sides = (
                ("^body", "^leave(%x, %s, %r : {0}, {0}, {0})")
                if going
                else ("^leave(%x, %s, %r : {0}, {0}, {0})", "^body")
            )
            sides = ", ".join(sides).format(t)
            ways = "llvm" if self.form == "llvm" else "cf"
            loop = f"""
          {ways}.br ^head(%start, %seven, %start : {t}, {t}, {t})
        ^head(%x: {t}, %s: {t}, %r: {t}):
          %go = {compare} {operands} : {t}
          {ways}.cond_br %go, {sides}
        ^body:
          {self.turn("%x")}
          {ways}.br ^head(%next, %more, {last} : {t}, {t}, {t})
        ^leave(%a: {t}, %b: {t}, %c: {t}):"""
        else:
            turned = self.form == "passed"
            given = "%twice, %x, %r, %s" if turned else "%x, %s, %r"
            types = ", ".join([t] * (4 if turned else 3))
            names = "%twice0: {0}, %x: {0}, %r: {0}, %s: {0}" if turned else "%x: {0}, %s: {0}, %r: {0}"
            loop = f"""
          %w:{4 if turned else 3} = scf.while (%x = %start, %s = %seven, %r = %start) : ({t}, {t}, {t}) -> ({types}) {{
            %twice = arith.addi %x, %s : {t}
            %go = arith.cmpi {name}, {operands} : {t}
            scf.condition(%go) {given} : {types}
          }} do {{
          ^bb0({names.format(t)}):
            {self.turn("%x")}
            scf.yield %next, %more, {last} : {t}, {t}, {t}
          }}
          %a = arith.addi %w#{1 if turned else 0}, %nothing : {t}
          %b = arith.addi %w#{3 if turned else 1}, %nothing : {t}
          %c = arith.{"xori %w#2, %w#0" if turned else "addi %w#2, %nothing"} : {t}"""
        return f"""gpu.module @m {{ gpu.func @k(%starts: memref<{THREADS}x{t}>, %bounds: memref<{THREADS}x{t}>, %out: memref<3x{THREADS}x{t}>) kernel {{
          %zero = arith.constant 0 : index
          %one = arith.constant 1 : index
          %two = arith.constant 2 : index
          %nothing = arith.constant 0 : {t}
          %seven = arith.constant 7 : {t}
          %step = arith.constant {self.step} : {t}
          %i = gpu.thread_id x
          %start = memref.load %starts[%i] : memref<{THREADS}x{t}>
          %n = memref.load %bounds[%i] : memref<{THREADS}x{t}>
          {loop}
          memref.store %a, %out[%zero, %i] : memref<3x{THREADS}x{t}>
          memref.store %b, %out[%one, %i] : memref<3x{THREADS}x{t}>
          memref.store %c, %out[%two, %i] : memref<3x{THREADS}x{t}>
          gpu.return }} }}"""

    def wanted(self, start: int, bound: int) -> list[int]:
        mask = (1 << self.bits) - 1
        x, s, r = start, 7, start
        while x < bound or (x == bound and self.relation == "le"):
            s = s * 7 + x & mask
            r, x = r if self.kept else (r ^ s) & mask, x + self.step
        if self.form == "passed":
            r ^= x + s
        return [x & mask, s & mask, r & mask]

    def ranges(self) -> list[tuple[int, int]]:
        """Starts and bounds: few turns anywhere, none, and the ends of the type, where nothing wraps."""
        low, high = (-(1 << self.bits - 1), (1 << self.bits - 1) - 1) if self.signed else (0, (1 << self.bits) - 1)
        found: list[tuple[int, int]] = [(low, low), (high, low), (high - 5, high - 4), (low, low + 9)]
        if self.relation == "lt" and self.step == 1:
            found += [(high - 7, high), (high, high)]
        while len(found) < THREADS:
            start = self.rng.randrange(low, high - 60)
            found.append((start, max(low, start + self.rng.choice((-3, 0, 1, *range(20), 41)))))
        return found


def _names(text: str) -> list[str]:
    """The operations of a module once its loops that count are found; it is still in order."""
    module = parse_mlir(text)
    count_loops(module)
    module.verify()
    return [op.name for op in module.walk()]


@pytest.mark.sample(12)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(12))
def test_loops_that_count(seed: int, form: str) -> None:
    drawn = _Drawn(form, seed)
    dtype: Any = np.uint32 if drawn.bits == 32 else np.uint64
    ranges, mask = drawn.ranges(), (1 << drawn.bits) - 1
    starts, bounds = (np.array([one[side] & mask for one in ranges], dtype) for side in range(2))
    out = np.zeros((3, THREADS), dtype)
    assert _names(drawn.text()).count("scf.for") == 1
    module = compiled(drawn.text())
    arguments = [starts, starts, 0, THREADS, 1, bounds, bounds, 0, THREADS, 1, out, out, 0, 3, THREADS, THREADS, 1]
    run(module, "k", 1, THREADS, arguments, check="fast")
    assert out.T.tolist() == [drawn.wanted(*one) for one in ranges]


_NEST = """gpu.module @m {{ gpu.func @k(%n: i64, %m: i64, %out: memref<?x?xi64>) kernel {{
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %t = gpu.thread_id x
  cf.br ^rows(%zero, %zero : i64, i64)
^rows(%i: i64, %sum: i64):
  %more = arith.cmpi slt, %i, %n : i64
  cf.cond_br %more, ^row, ^end
^row:
  cf.br ^columns(%zero, %sum : i64, i64)
^columns(%j: i64, %s: i64):
  %left = arith.cmpi sge, %j, %m : i64
  cf.cond_br %left, ^after, ^column
^column:
  %p = arith.muli %i, %j : i64
  %q = arith.addi %p, %s : i64
  %j1 = arith.addi %j, {step} : i64
  cf.br ^columns(%j1, %q : i64, i64)
^after:
  %c = arith.addi %s, %j : i64
  %i1 = arith.addi %i, %one : i64
  cf.br ^rows(%i1, %c : i64, i64)
^end:
  %at = arith.constant 0 : index
  memref.store %sum, %out[%at, %t] : memref<?x?xi64>
  gpu.return }} }}"""


@pytest.mark.slow
def test_a_nest() -> None:
    """The inner loop leaves one block of the outer one, which counts as well."""
    text = _NEST.format(step="%one")
    assert _names(text).count("scf.for") == 2
    for n, m in ((0, 3), (3, 0), (5, 7), (1, 1), (9, 4)):
        out = np.zeros((1, 32), np.int64)
        run(compiled(text), "k", 1, 32, [n, m, out, out, 0, 1, 32, 32, 1])
        assert out.tolist() == [[sum(sum(i * j for j in range(m)) + m for i in range(n))] * 32]


@pytest.mark.parametrize("step", ["%m", "%j", "%n"])
def test_what_does_not_count(step: str) -> None:
    """Steps that nobody knows."""
    assert "scf.for" not in _names(_NEST.format(step=step))
