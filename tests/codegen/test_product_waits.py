"""Sums of `wgmma` that are read while groups of products are under way: what waits, for how many groups, and where."""

from __future__ import annotations

import re

import pytest

from tests.codegen import test_wgmma_fences as fences
from tests.codegen.test_wgmma_fences import FENCE, STRUCTS, mma, struct
from weft.codegen import compile_module

TYPE = STRUCTS["f32"]
START = struct("f32", "acc", ["%zero"] * 4)


def group(out: str, into: str) -> str:
    """A product, which adds 16, in a group of its own."""
    return f"{FENCE}\n{mma('f32', out, into)}\nnvvm.wgmma.commit.group.sync.aligned"


def read(of: str, to: str) -> str:
    """5 more than a sum."""
    return f"%{to}_v = llvm.extractvalue %{of}[0] : {TYPE}\n%{to} = arith.addf %{to}_v, %five : f32"


def last(value: str) -> str:
    """The result, of what no product makes."""
    return f"%last = llvm.insertvalue {value}, %acc[0] : {TYPE}"


def loop(body: str, out: str = "e") -> str:
    return f"""%l = scf.for %i = %c0 to %c3 step %c1 iter_args(%d = %acc) -> ({TYPE}) {{
      {body}
      scf.yield %{out} : {TYPE} }}"""


PROGRAMS: dict[str, tuple[str, float, list[int]]] = {
    "the older of two groups": (f"{group('x', 'acc')}\n{group('y', 'acc')}\n{read('x', 's')}\n{last('%s')}", 21, [1]),
    "both, the older first": (
        f"{group('x', 'acc')}\n{group('y', 'acc')}\n{read('x', 's')}\n{read('y', 't')}\n%u = arith.addf %s, %t : f32\n"
        + last("%u"), 42, [1, 0],
    ),
    "both, the younger first": (
        f"{group('x', 'acc')}\n{group('y', 'acc')}\n{read('y', 's')}\n{read('x', 't')}\n%u = arith.addf %s, %t : f32\n"
        + last("%u"), 42, [0],
    ),
    "what was waited for": (
        f"{group('x', 'acc')}\n{group('y', 'acc')}\nnvvm.wgmma.wait.group.sync.aligned 1\n{read('x', 's')}\n{last('%s')}",
        21, [1],
    ),
    "in one chain": (f"{group('x', 'acc')}\n{group('y', 'x')}\n{group('z', 'y')}\n{read('z', 's')}\n{last('%s')}", 53, [0]),
    "behind a loop": (f"{loop(group('e', 'd'))}\n{read('l', 's')}\n{last('%s')}", 53, [0]),
    "what a loop started from": (
        f"{group('x', 'acc')}\n{loop(group('e', 'd'))}\n{read('x', 's')}\n{last('%s')}", 21, [3],
    ),
    "in a loop": (
        f"""{group('x', 'acc')}
        %l = scf.for %i = %c0 to %c3 step %c1 iter_args(%d = %five) -> (f32) {{
          %v = llvm.extractvalue %x[0] : {TYPE}
          %e = arith.addf %d, %v : f32
          scf.yield %e : f32 }}
        {last('%l')}""", 53, [0],
    ),
    "of the turn before": (
        f"""%l, %m = scf.for %i = %c0 to %top step %c1 iter_args(%d = %acc, %o = %zero) -> ({TYPE}, f32) {{
          {group('e', 'acc')}
          %v = llvm.extractvalue %d[0] : {TYPE}
          %w = arith.addf %o, %v : f32
          scf.yield %e, %w : {TYPE}, f32 }}
        {last('%m')}""", 96, [0],
    ),
    "in a while": (
        f"""%l:2 = scf.while (%d = %acc, %j = %c0) : ({TYPE}, index) -> ({TYPE}, index) {{
          %g = arith.cmpi ult, %j, %c3 : index
          {group('e', 'd')}
          scf.condition(%g) %e, %j : {TYPE}, index
        }} do {{
        ^bb0(%d: {TYPE}, %j: index):
          {group('e', 'd')}
          %k = arith.addi %j, %c1 : index
          scf.yield %e, %k : {TYPE}, index }}
        %v = llvm.extractvalue %l#0[0] : {TYPE}
        {last('%v')}""", 112, [0],
    ),
    "in a while that counts nothing": (
        f"""%one = arith.constant 1 : i32
        %l:2 = scf.while (%d = %acc, %j = %n) : ({TYPE}, i32) -> ({TYPE}, i32) {{
          %g = arith.cmpi ne, %j, %i0 : i32
          {group('e', 'd')}
          scf.condition(%g) %e, %j : {TYPE}, i32
        }} do {{
        ^bb0(%d: {TYPE}, %j: i32):
          {group('e', 'd')}
          %k = arith.shrui %j, %one : i32
          scf.yield %e, %k : {TYPE}, i32 }}
        %v = llvm.extractvalue %l#0[0] : {TYPE}
        {last('%v')}""", 112, [0],
    ),
    "before a while that reads": (
        f"""{group('x', 'acc')}
        %l:2 = scf.while (%d = %zero, %j = %c0) : (f32, index) -> (f32, index) {{
          %g = arith.cmpi ult, %j, %c3 : index
          scf.condition(%g) %d, %j : f32, index
        }} do {{
        ^bb0(%d: f32, %j: index):
          %v = llvm.extractvalue %x[0] : {TYPE}
          %e = arith.addf %d, %v : f32
          %k = arith.addi %j, %c1 : index
          scf.yield %e, %k : f32, index }}
        {last('%l#0')}""", 48, [0],
    ),
    "in one of two branches": (
        f"""{group('x', 'acc')}
        %g = arith.cmpi slt, %n, %i0 : i32
        %l = scf.if %g -> (f32) {{ scf.yield %five : f32 }} else {{
          %v = llvm.extractvalue %x[0] : {TYPE}
          %w = arith.mulf %v, %five : f32
          scf.yield %w : f32 }}
        {last('%l')}""", 80, [0],
    ),
    "chosen by a branch": (
        f"""%g = arith.cmpi sgt, %n, %i0 : i32
        %l = scf.if %g -> ({TYPE}) {{
          {group('x', 'acc')}
          scf.yield %x : {TYPE}
        }} else {{
          {group('x', 'acc')}
          {group('y', 'x')}
          scf.yield %y : {TYPE} }}
        {group('o', 'acc')}
        {read('l', 's')}
        {last('%s')}""", 21, [1],
    ),
    "inline PTX": (
        f"""{group('x', 'acc')}
        %v = llvm.extractvalue %x[0] : {TYPE}
        %w = llvm.inline_asm has_side_effects "add.f32 $0, $1, 0f40A00000;", "=f,f" %v : (f32) -> f32
        {last('%w')}""", 21, [0],
    ),
    "jumps into a loop": (
        f"""%g = arith.cmpi sgt, %n, %i0 : i32
        cf.cond_br %g, ^a(%acc, %c0 : {TYPE}, index), ^b(%acc, %c0 : {TYPE}, index)
      ^a(%d: {TYPE}, %i: index):
        {group('e', 'd')}
        cf.br ^b(%e, %i : {TYPE}, index)
      ^b(%f: {TYPE}, %j: index):
        {group('h', 'f')}
        %k = arith.addi %j, %c1 : index
        %again = arith.cmpi ult, %k, %c3 : index
        cf.cond_br %again, ^a(%h, %k : {TYPE}, index), ^end(%h : {TYPE})
      ^end(%l: {TYPE}):
        {read('l', 's')}
        {last('%s')}""", 101, [0],
    ),
    "behind a jump": (
        f"""{group('x', 'acc')}
        {group('y', 'acc')}
        %g = arith.cmpi sgt, %n, %i0 : i32
        cf.cond_br %g, ^a(%c0 : index), ^b(%c0 : index)
      ^a(%i: index):
        cf.br ^b(%i : index)
      ^b(%j: index):
        %k = arith.addi %j, %c1 : index
        %again = arith.cmpi ult, %k, %c3 : index
        cf.cond_br %again, ^a(%k : index), ^end
      ^end:
        {read('x', 's')}
        {last('%s')}""", 21, [1],
    ),
    "nothing": (f"{group('x', 'acc')}\n{last('%five')}", 5, []),
}  # fmt: skip
"""The program, what it gives, and the groups that its waits leave under way."""


def program(name: str) -> str:
    return f"{START}\n%i0 = arith.constant 0 : i32\n%top = arith.index_cast %n : i32 to index\n{PROGRAMS[name][0]}"


@pytest.mark.parametrize("name", PROGRAMS)
def test_waits_are_where_sums_are_read_and_nowhere_else(name: str) -> None:
    ptx = compile_module(fences.kernel("f32", program(name)), "sm_90a").to_ptx()
    assert [int(n) for n in re.findall(r"wgmma\.wait_group\.sync\.aligned (\d+)", ptx)] == PROGRAMS[name][2]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_sum_is_read_too_soon(name: str) -> None:
    """The simulator would tell."""
    assert fences.result("f32", program(name)) == [PROGRAMS[name][1]]
