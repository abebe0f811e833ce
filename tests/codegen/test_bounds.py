"""Bounds of integers of MLIR, of every operation that has a rule, against all results for all operands of short ranges."""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from xdsl.ir import Block, Operation, SSAValue

from weft.codegen import linear
from weft.codegen.limits import Bounds, bounds_of
from weft.codegen.ranges import MOST_CHOICES, carried_bounds, carried_choices
from weft.isa.limits import CTA_EXTENTS, GRID_EXTENTS
from weft.mlir import parse_mlir

RANGES = ((-3, 2), (0, 5), (2, 6), (-7, -2), (1, 12), (122, 127), (-128, -125))
BITS = {"i8": 8, "index": 64}


def _quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


TIGHT: dict[str, Callable[[int, int], int]] = {
    "arith.addi llvm.add index.add": operator.add,
    "arith.subi llvm.sub index.sub": operator.sub,
    "arith.muli llvm.mul index.mul": operator.mul,
    "arith.minsi llvm.intr.smin index.mins": min,
    "arith.maxsi llvm.intr.smax index.maxs": max,
}
"""Operations whose bounds are the least and the greatest result, if none of them is beyond the type."""
UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "arith.minui llvm.intr.umin index.minu": min,
    "arith.maxui llvm.intr.umax index.maxu": max,
    "arith.divui llvm.udiv index.divu": operator.floordiv,
    "arith.remui llvm.urem index.remu": operator.mod,
    "arith.andi llvm.and index.and": operator.and_,
}


def _body(text: str) -> Block:
    text = re.sub(r"\breturn (.+) : (.+?) ?(?=}|$)", r'"test.end"(\1) : (\2) -> ()', text)
    (function,) = parse_mlir(f"func.func @f{text}").ops
    return function.regions[0].blocks[0]


def _results(block: Block) -> list[Operation]:
    return [op for op in block.ops if "wanted" in op.attributes]


def _cases(names: Iterable[str]) -> list[tuple[str, str, Bounds, Bounds, Operation]]:
    """Each operation of each two ranges, of its type: the name, the type, the ranges, and the operation."""
    lines: list[str] = []
    for place, (low, high) in enumerate(RANGES):
        lines.append(f"%t{place} = gpu.thread_id x upper_bound {high - low + 1}")
        lines.append(f"%c{place} = arith.constant {low} : index")
        lines.append(f"%index{place} = arith.addi %t{place}, %c{place} : index")
        lines.append(f"%i8{place} = arith.index_cast %index{place} : index to i8")
    found: list[tuple[str, str, Bounds, Bounds]] = []
    pairs = list(itertools.product(range(len(RANGES)), repeat=2))
    for name in names:
        for type_ in ("index",) if name.startswith("index") else ("i8",):
            for one, other in pairs:
                lines.append(
                    f'%{len(lines)} = "{name}"(%{type_}{one}, %{type_}{other}) {{wanted}} : ({type_}, {type_}) -> {type_}'
                )
                found.append((name, type_, RANGES[one], RANGES[other]))
    ops = _results(_body("() {\n" + "\n".join(lines) + "\nreturn }"))
    return [(*case, op) for case, op in zip(found, ops, strict=True)]


def _whole(type_: str) -> Bounds:
    limit = 1 << BITS[type_] - 1
    return -limit, limit - 1


def _all(a: Bounds, b: Bounds) -> Iterable[tuple[int, int]]:
    return itertools.product(range(a[0], a[1] + 1), range(b[0], b[1] + 1))


@pytest.mark.parametrize("names", TIGHT)
def test_bounds_are_the_least_and_the_greatest_result(names: str) -> None:
    for name, type_, a, b, op in _cases(names.split()):
        every = [TIGHT[names](x, y) for x, y in _all(a, b)]
        exact, whole = (min(every), max(every)), _whole(type_)
        fits = whole[0] <= exact[0] and exact[1] <= whole[1]
        assert bounds_of(op.results[0]) == (exact if fits else whole), (name, a, b)


@pytest.mark.parametrize("names", UNSIGNED)
def test_bounds_of_unsigned_operations(names: str) -> None:
    """They hold, and are as near as one operand that is not negative, or both, allow."""
    by = UNSIGNED[names]
    for name, type_, a, b, op in _cases(names.split()):
        whole, modulus = _whole(type_), 1 << BITS[type_]
        found = bounds_of(op.results[0])
        divides = "div" in name or "rem" in name
        every = [linear.wrap(by(x % modulus, y % modulus), BITS[type_]) for x, y in _all(a, b) if y or not divides]
        assert not every or found[0] <= min(every) <= max(every) <= found[1], (name, a, b)
        both, highest = a[0] >= 0 and b[0] >= 0, [hi for lo, hi in (a, b) if lo >= 0]
        match by:
            case operator.and_:
                assert found == ((0, min(highest)) if highest else whole), (name, a, b)
            case operator.mod:
                most = min(a[1], b[1] - 1) if both else b[1] - 1
                assert found == ((0, most) if b[0] > 0 else whole), (name, a, b)
            case operator.floordiv:
                assert found == ((min(every), max(every)) if both and b[0] else whole), (name, a, b)
            case _ if both:
                assert found == (min(every), max(every)), (name, a, b)
            case _:
                assert found == ((0, min(highest)) if highest and by is min else whole), (name, a, b)


PLACES = {
    **{f"gpu.thread_id {axis}": (0, max(CTA_EXTENTS) - 1) for axis in "xyz"},
    **{f"gpu.block_dim {axis}": (1, max(CTA_EXTENTS)) for axis in "xyz"},
    **{f"gpu.grid_dim {axis}": (1, max(GRID_EXTENTS)) for axis in "xyz"},
    **{f"gpu.block_id {axis}": (0, max(GRID_EXTENTS)) for axis in "xyz"},
    "gpu.cluster_dim x": (1, max(GRID_EXTENTS)),
    "gpu.cluster_id x": (0, max(GRID_EXTENTS)),
    "gpu.subgroup_id : index": (0, max(GRID_EXTENTS)),
    "gpu.lane_id": (0, 31),
    "gpu.thread_id x upper_bound 7": (0, 6),
    "gpu.thread_id x upper_bound 5000": (0, max(CTA_EXTENTS) - 1),
    "gpu.block_dim x upper_bound 7": (1, 7),
    "gpu.grid_dim x upper_bound 7": (1, 7),
    "gpu.block_id x upper_bound 7": (0, 6),
    "gpu.lane_id upper_bound 16": (0, 15),
    **{f"nvvm.read.ptx.sreg.tid.{axis} : i32": (0, max(CTA_EXTENTS) - 1) for axis in "xyz"},
    **{f"nvvm.read.ptx.sreg.ntid.{axis} : i32": (1, max(CTA_EXTENTS)) for axis in "xyz"},
    **{f"nvvm.read.ptx.sreg.ctaid.{axis} : i32": (0, max(GRID_EXTENTS)) for axis in "xyz"},
    **{f"nvvm.read.ptx.sreg.nctaid.{axis} : i32": (1, max(GRID_EXTENTS)) for axis in "xyz"},
    "nvvm.read.ptx.sreg.laneid : i32": (0, 31),
    "nvvm.read.ptx.sreg.tid.x range <i32, 2, 9> : i32": (2, 8),
    "nvvm.read.ptx.sreg.tid.x range <i32, 0, 5000> : i32": (0, max(CTA_EXTENTS) - 1),
    "nvvm.read.ptx.sreg.ntid.x range <i32, 0, 33> : i32": (1, 32),
    "nvvm.read.ptx.sreg.tid.x range <i32, 9, 2> : i32": (0, max(CTA_EXTENTS) - 1),
    "nvvm.read.ptx.sreg.warpid : i32": (-(1 << 31), (1 << 31) - 1),
}
"""What is known of the place of a thread, from the hardware's limits and from what the operation says itself."""


def test_places_of_threads() -> None:
    block = _body("() {\n" + "\n".join(f"%{n} = {text}" for n, text in enumerate(PLACES)) + "\nreturn }")
    assert {name: bounds_of(op.results[0]) for name, op in zip(PLACES, block.ops, strict=False)} == PLACES


CHAINS = {
    "%r = arith.extsi %n : i8 to i32": (-3, 2),
    "%r = llvm.sext %n : i8 to i32": (-3, 2),
    "%r = arith.trunci %w : i16 to i8": (-3, 2),
    "%r = llvm.trunc %w : i16 to i8": (-3, 2),
    "%r = arith.trunci %big : i16 to i8": (-128, 127),
    "%r = arith.index_cast %n : i8 to index": (-3, 2),
    "%r = index.casts %n : i8 to index": (-3, 2),
    "%r = arith.extui %n : i8 to i32": (0, 255),
    "%r = arith.extui %p : i8 to i32": (0, 5),
    "%r = llvm.zext %n : i8 to i32": (0, 255),
    "%r = llvm.zext %p : i8 to i32": (0, 5),
    "%r = arith.index_castui %n : i8 to index": (0, 255),
    "%r = index.castu %p : i8 to index": (0, 5),
    "%r = arith.select %b, %n, %p : i8": (-3, 5),
    "%r = arith.select %b, %p, %n : i8": (-3, 5),
    "%r = llvm.select %b, %p, %p : i1, i8": (0, 5),
    "%r = arith.constant 200 : i8": (-56, -56),
    "%r = arith.constant -1 : i8": (-1, -1),
    "%r = llvm.mlir.constant(7 : i64) : i64": (7, 7),
    "%r = index.constant 9": (9, 9),
    "%r = arith.xori %p, %p : i8": (-128, 127),
    "%r = arith.addi %any, %any : i16": (-(1 << 15), (1 << 15) - 1),
}


def test_casts_choices_and_numbers() -> None:
    inside = """%t6 = gpu.thread_id x upper_bound 6
      %t300 = gpu.thread_id x upper_bound 300
      %low = arith.constant -3 : index
      %tn = arith.addi %t6, %low : index
      %n = arith.index_cast %tn : index to i8
      %p = arith.index_cast %t6 : index to i8
      %w = arith.extsi %n : i8 to i16
      %big = arith.index_cast %t300 : index to i16"""
    for text, wanted in CHAINS.items():
        block = _body(f"(%b: i1, %any: i16) {{\n{inside}\n{text}\nreturn }}")
        found = [op for op in block.ops if op.results][-1]
        assert bounds_of(found.results[0]) == wanted, text


def test_a_number_is_followed_through_sixteen_operations() -> None:
    steps = "\n".join(f"%{n + 1} = arith.addi %{n}, %one : index" for n in range(40))
    block = _body(f"() {{\n%one = arith.constant 1 : index\n%0 = gpu.lane_id\n{steps}\nreturn }}")
    found = [bounds_of(op.results[0]) for op in list(block.ops)[1:-1]]
    assert found[:16] == [(n, 31 + n) for n in range(16)]
    assert found[20:] == [_whole("index")] * 21


# -- what loops carry ---------------------------------------------------------------------------------------------------

CARRIED: dict[str, Callable[[int, int], int]] = {
    "arith.addi llvm.add": operator.add,
    "arith.subi llvm.sub": operator.sub,
    "arith.muli llvm.mul": operator.mul,
    "arith.andi llvm.and": operator.and_,
    "arith.ori llvm.or": operator.or_,
    "arith.xori llvm.xor": operator.xor,
    "arith.remui llvm.urem": operator.mod,
    "arith.remsi llvm.srem": lambda a, b: a - _quotient(a, b) * b,
}
START = 4


def _carried(text: str, fixed: tuple[Bounds, ...] = (), start: linear.Lin | None = None) -> Bounds | None:
    """The bounds of what a body carries last, which begins with `START`, if its first arguments have some."""
    body = _body(text)
    given: dict[SSAValue, Bounds] = dict(zip(body.args, fixed, strict=False))
    return carried_bounds(body, [start or linear.const(START)], {}, given).get(body.args[-1])


def _joined(bounds: Bounds | None) -> Bounds | None:
    return bounds and (min(bounds[0], START), max(bounds[1], START))


def _of_turn(by: Callable[[int, int], int], a: Bounds, b: Bounds, name: str) -> Bounds | None:
    """What is known of a turn's result: of sums and products all; of others what operands without a sign allow."""
    if "and" in name:
        highest = [hi for lo, hi in (a, b) if lo >= 0]
        return (0, min(highest)) if highest else None
    if "or" in name:
        return (0, (1 << max(a[1], b[1]).bit_length()) - 1) if a[0] >= 0 and b[0] >= 0 else None
    if "rem" in name:
        most = min(a[1], b[1] - 1) if a[0] >= 0 else b[1] - 1
        return (0, most) if b[0] > 0 and (a[0] >= 0 or "remu" in name or "urem" in name) else None
    every = [by(x, y) for x, y in _all(a, b)]
    return (min(every), max(every)) if -128 <= min(every) and max(every) <= 127 else None


@pytest.mark.parametrize("names", CARRIED)
def test_bounds_of_what_a_turn_computes(names: str) -> None:
    for name in names.split():
        body = _body(
            f'(%a: i8, %b: i8, %x: index) {{\n%r = "{name}"(%a, %b) : (i8, i8) -> i8\n'
            "%i = arith.index_cast %r : i8 to index\nreturn %i : index }"
        )
        one, other, x = body.args
        for a, b in itertools.product(RANGES, repeat=2):
            fixed: dict[SSAValue, Bounds] = {one: a, other: b}
            found = carried_bounds(body, [linear.const(START)], {}, fixed).get(x)
            assert found == _joined(_of_turn(CARRIED[names], a, b, name)), (name, a, b)
            if found is not None and a[0] >= 0 and b[0] > 0:
                every = [CARRIED[names](p, q) for p, q in _all(a, b)]
                assert found[0] <= min(every) and max(every) <= found[1]


def test_a_mask_or_a_modulus_bounds_anything() -> None:
    for name, wanted in (
        *((n, (0, 9)) for n in ("arith.andi", "llvm.and")), *((n, (0, 8)) for n in ("arith.remui", "llvm.urem")),
        *((n, None) for n in ("arith.addi", "arith.ori", "arith.remsi", "llvm.srem", "arith.subi", "arith.muli")),
    ):  # fmt: skip
        text = f'(%b: i8, %any: i8, %x: index) {{\n%r = "{name}"(%any, %b) : (i8, i8) -> i8\n%i = arith.index_cast %r : i8 to index\nreturn %i : index }}'
        assert _carried(text, ((9, 9),)) == wanted, name
        assert _carried(text.replace("(%any, %b)", "(%b, %any)"), ((9, 9),)) is None, name


TURNS = {
    "return %x : index": (START, START),
    "%one = arith.constant 1 : index\n%y = arith.addi %x, %one : index\nreturn %y : index": None,
    "%o = arith.constant 1 : index\n%y = arith.subi %o, %x : index\nreturn %y : index": (1 - START, START),
    "%m = arith.constant 3 : index\n%y = arith.andi %x, %m : index\nreturn %y : index": (0, START),
    "%a = arith.constant 7 : i64\n%y = arith.index_cast %a : i64 to index\nreturn %y : index": (START, 7),
    "%a = llvm.mlir.constant(7 : i64) : i64\n%y = builtin.unrealized_conversion_cast %a : i64 to index\nreturn %y : index": (
        START,
        7,
    ),
    "%a = arith.constant -9 : i8\n%y = arith.extsi %a : i8 to i64\nreturn %y : i64": (-9, START),
    "%a = arith.constant 9 : i8\n%y = arith.extui %a : i8 to i64\nreturn %y : i64": None,
    "%a = arith.constant 300 : i64\n%n = arith.index_cast %a : i64 to index\nreturn %n : index": (START, 300),
    "%a = arith.constant 1.0 : f32\n%n = arith.fptosi %a : f32 to i64\nreturn %n : i64": None,
    "%a = arith.constant 2 : index\n%b = arith.constant 9 : index\n%y = arith.select %c, %a, %b : index\nreturn %y : index": (
        2,
        9,
    ),
    "%a = arith.constant 5 : index\n%b = arith.constant 9 : index\n%y = arith.select %c, %a, %b : index\nreturn %y : index": (
        START,
        9,
    ),
    "%a = arith.constant 5 : index\n%y = arith.select %c, %a, %any : index\nreturn %y : index": None,
    "%y = scf.if %c -> index {\n%a = arith.constant 2 : index\nscf.yield %a : index } else { scf.yield %x : index }\nreturn %y : index": (
        2,
        START,
    ),
    "%y:2 = scf.if %c -> (index, index) {\n%a = arith.constant 2 : index\nscf.yield %any, %a : index, index } else { scf.yield %any, %x : index, index }\nreturn %y#1 : index": (
        2,
        START,
    ),
    "%y = scf.if %c -> index { scf.yield %any : index } else { scf.yield %x : index }\nreturn %y : index": None,
    "%y = scf.if %c -> index { scf.yield %x : index } else { scf.yield %any : index }\nreturn %y : index": None,
    f"%b = arith.constant {(1 << 31) - 1} : index\nreturn %b : index": (START, (1 << 31) - 1),
    f"%b = arith.constant {1 << 31} : index\nreturn %b : index": None,
    f"%b = arith.constant {-1 << 31} : index\nreturn %b : index": (-1 << 31, START),
    f"%b = arith.constant {(-1 << 31) - 1} : index\nreturn %b : index": None,
}
"""What a turn yields for `x`, and the bounds of all turns; nothing is known of `any`, or how often the loop turns."""


@pytest.mark.parametrize("text", TURNS)
def test_bounds_hold_in_all_turns(text: str) -> None:
    assert _carried(f"(%c: i1, %any: index, %x: index) {{\n{text} }}") == TURNS[text]


def test_only_what_64_bits_hold_without_need_is_bounded() -> None:
    text = "(%x: index) { return %x : index }"
    for start, wanted in (
        (linear.const(-5), (-5, -5)), (linear.const(5, 32), None), (linear.const(1 << 31), None),
        (linear.const((1 << 31) - 1), ((1 << 31) - 1,) * 2), (linear.const(-1 << 31), (-1 << 31,) * 2),
        (linear.const((-1 << 31) - 1), None),
    ):  # fmt: skip
        assert _carried(text, (), start) == wanted


@pytest.mark.parametrize("modulus", [2, 3, 4, 5])
def test_a_stage_that_counts_modulo_a_number(modulus: int) -> None:
    text = f"""(%x: index) {{
      %one = arith.constant 1 : index
      %n = arith.constant {modulus} : index
      %more = arith.addi %x, %one : index
      %y = arith.remui %more, %n : index
      return %y : index }}"""
    assert _carried(text, (), linear.const(0)) == (0, modulus - 1)


def test_bounds_of_arguments_depend_on_each_other() -> None:
    """Both swap their places; one that grows is dropped, and what is made of it, but nothing else."""
    text = """(%x: index, %y: index, %z: index, %w: index) {
      %one = arith.constant 1 : index
      %more = arith.addi %z, %one : index
      return %y, %x, %more, %z : index, index, index, index }"""
    body = _body(text)
    found = carried_bounds(body, [linear.const(n) for n in (3, 8, 0, 1)], {}, {})
    assert found == {body.args[0]: (3, 8), body.args[1]: (3, 8)}


def test_what_is_known_of_values_holds_outside_of_the_loop_only() -> None:
    """Inside, it may be that of an earlier copy of the body."""
    text = """func.func @f(%a: index, %n: index) {
      %zero = arith.constant 0 : index
      %k = arith.muli %a, %a : index
      %r = scf.for %i = %zero to %n step %n iter_args(%x = %zero) -> index {
        %m = arith.muli %a, %n : index
        %q = "test.choose"(%k, %m) : (index, index) -> index
        scf.yield %q : index
      }
      return }"""
    function = parse_mlir(text).ops.first
    assert function is not None
    outer = function.regions[0].blocks[0]
    product, loop = list(outer.ops)[1:3]
    body = loop.regions[0].blocks[0]
    inner, choice = list(body.ops)[:2]
    assert body.last_op is not None
    known: dict[SSAValue, Any] = {
        product.results[0]: linear.const(6),
        inner.results[0]: linear.const(7),
        choice.results[0]: linear.const(8),
    }
    for value, wanted in ((product, (0, 6)), (inner, None), (choice, None)):
        body.last_op.operands[0] = value.results[0]
        assert carried_bounds(body, [linear.const(0)], known, {}).get(body.args[1]) == wanted
    wraps = linear.Lin(64, ((linear_value(), 2),), 0)
    body.last_op.operands[0] = product.results[0]
    assert carried_bounds(body, [linear.const(0)], {product.results[0]: wraps}, {}) == {}


def linear_value() -> Any:
    """A register of any number of 64 bits."""
    from weft.codegen.graph import B64, Value
    from weft.codegen.integers import Integers

    return Value(B64, Integers().root)


def test_a_turn_is_followed_through_twelve_operations() -> None:
    for count in (11, 12, 13):
        steps = "\n".join(
            f"%{n + 1} = arith.index_cast %{n} : {'index to i64' if n % 2 == 0 else 'i64 to index'}"
            for n in range(count)
        )
        text = f"(%x: index) {{\n%0 = arith.constant 1 : index\n{steps}\nreturn %{count} : {'i64' if count % 2 else 'index'} }}"
        assert _carried(text) == ((1, START) if count < 12 else None)


# -- states -------------------------------------------------------------------------------------------------------------


def _choices(text: str, *starts: Iterable[int] | None) -> list[set[int] | None]:
    """The states of all that a body carries."""
    body = _body(text)
    found = carried_choices(body, [frozenset(start) if start is not None else None for start in starts])
    return [set(found[argument]) if argument in found else None for argument in body.args[-len(starts) :]]


CONSTANTS = "\n".join(f"%{n} = arith.constant {n} : i32" for n in range(40))


def _compared(relation: str, state: int, yes: str, no: str, dialect: str = "arith") -> str:
    compare = f"arith.cmpi {relation}, " if dialect == "arith" else f'llvm.icmp "{relation}" '
    select = "i32" if dialect == "arith" else "i1, i32"
    return f"""(%any: i32, %c: i1, %x: i32) {{
      {CONSTANTS}
      %t = {compare}%x, %{state} : i32
      %y = {dialect}.select %t, {yes}, {no} : {select}
      return %y : i32 }}"""


@pytest.mark.parametrize("dialect", ["arith", "llvm"])
def test_states_that_no_turn_reaches_do_not_count(dialect: str) -> None:
    """0 becomes 3, and 3 stays; what 7 would become is never chosen."""
    for relation, yes, no in (("eq", "%8", "%3"), ("ne", "%3", "%8")):
        assert _choices(_compared(relation, 7, yes, no, dialect), {0}) == [{0, 3}]
        assert _choices(_compared(relation, 3, yes, no, dialect), {0}) == [{0, 3, 8}]
        assert _choices(_compared(relation, 7, yes, no, dialect), {0, 7}) == [{0, 3, 7, 8}]
        assert _choices(_compared(relation, 7, yes, no, dialect), {7}) == [{3, 7, 8}]
    for relation in ("slt", "ult", "sge"):
        assert _choices(_compared(relation, 7, "%8", "%3", dialect), {0}) == [{0, 3, 8}]


def test_states_of_any_number() -> None:
    assert _choices(_compared("eq", 7, "%any", "%3"), {0}) == [{0, 3}]
    assert _choices(_compared("eq", 0, "%any", "%3"), {0}) == [None]
    assert _choices(_compared("ne", 0, "%any", "%3"), {0}) == [None]
    assert _choices(_compared("eq", 7, "%x", "%3"), {0}) == [{0, 3}]
    assert _choices(_compared("eq", 7, "%x", "%3"), None) == [None]
    assert _choices("(%x: i32) { return %x : i32 }", {5}) == [{5}]
    assert _choices("(%x: i32) {\n%y = arith.addi %x, %x : i32\nreturn %y : i32 }", {5}) == [None]


def test_states_that_ways_choose() -> None:
    text = f"""(%c: i1, %i: index, %x: i32, %y: i32) {{
      {CONSTANTS}
      %t = arith.cmpi eq, %x, %1 : i32
      %a:2 = scf.if %t -> (i32, i32) {{ scf.yield %5, %9 : i32, i32 }} else {{ scf.yield %1, %x : i32, i32 }}
      %b = scf.index_switch %i -> i32
      case 3 {{ scf.yield %y : i32 }}
      case 4 {{ scf.yield %x : i32 }}
      default {{ scf.yield %a#1 : i32 }}
      return %a#0, %b : i32, i32 }}"""
    assert _choices(text, {0}, {2}) == [{0, 1, 5}, {0, 1, 2, 5, 9}]
    assert _choices(text, {0}, None) == [{0, 1, 5}, None]


def test_sixteen_states_are_followed() -> None:
    for count in (MOST_CHOICES - 1, MOST_CHOICES):
        assert _choices(f"(%x: i32) {{\n{CONSTANTS}\nreturn %30 : i32 }}", range(count)) == [
            {*range(count), 30} if count < MOST_CHOICES else None
        ]


def test_one_argument_of_any_number_takes_with_it_what_is_made_of_it() -> None:
    text = f"""(%any: i32, %x: i32, %y: i32, %z: i32) {{
      {CONSTANTS}
      return %any, %x, %7 : i32, i32, i32 }}"""
    assert _choices(text, {0}, {1}, {2}) == [None, None, {2, 7}]
