"""Integers of any width, wherever an operation takes one: what they mean, or a refusal with its place."""

from __future__ import annotations

import re
from zlib import crc32

import numpy as np
import pytest

import weft
from tests.codegen.breadth_cases import FAMILIES, Case
from tests.effort import one_in

PARTS = 40


def widened(case: Case, have: str, want: str) -> Case:
    """A case with integers of another width in the place of those of one type."""

    def changed(text: str) -> str:
        return re.sub(rf"(?<![\w.]){have}\b|(?<=\dx){have}\b", want, text)

    return Case(changed(case.text), tuple(map(changed, case.operands)), tuple(map(changed, case.results)))


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(PARTS))
def test_wider_integers_compile_or_are_refused_with_their_place(part: int) -> None:
    """Nothing but errors of weft's, whatever type is put where (MLIR's rules refuse a third of them)."""
    compiled = 0
    for family, make in FAMILIES.items():
        for case in make():
            for have in ("i8", "i32", "index"):
                for want in ("i1", "i80", "i128"):
                    other = widened(case, have, want)
                    if other == case or crc32(f"{family} {other}".encode()) % (8 * PARTS * one_in(3)) != part:
                        continue
                    try:
                        weft.compile(f"gpu.module @m {{\n{other.kernel('k')}}}", "sm_90")
                    except weft.WeftError as error:
                        assert error.position.line, other
                    else:
                        compiled += 1
    assert compiled > 5 // one_in(3)


LOOP = """gpu.module @m {{ gpu.func @k(%from: {0}, %to: {0}, %by: {0}) kernel {{
  scf.for %i = %from to %to step %by : {0} {{ }}
  gpu.return }} }}"""


@pytest.mark.parametrize(("type_", "message"), [("i1", "2 bits or more"), ("i65", "more than 64 bits")])
def test_loops_over_the_narrowest_and_the_widest(type_: str, message: str) -> None:
    with pytest.raises(weft.CompileError, match=message) as caught:
        weft.compile(LOOP.format(type_), "sm_90")
    assert caught.value.position.line == 2


CARRIED = """gpu.module @m {{ gpu.func @k(%out: memref<16xi64>) kernel {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  %three = arith.constant 3 : index
  %factor = arith.constant {1} : {0}
  %four = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %three) -> (index) {{
    %q = arith.divsi %x, %four : index
    %wide = arith.index_cast %q : index to i64
    memref.store %wide, %out[%i] : memref<16xi64>
    %y = arith.addi %x, %i : index
    %few = arith.andi %y, %three : index
    %narrow = arith.index_cast %few : index to {0}
    %product = arith.muli %narrow, %factor : {0}
    %next = arith.index_cast %product : {0} to index
    scf.yield %next : index
  }}
  gpu.return }} }}"""


@pytest.mark.parametrize(
    ("type_", "factor"), [("i8", 100), ("i8", 42), ("i12", 1000), ("i16", 30000), ("i24", 4000000)]
)
def test_what_is_known_of_carried_numbers_ends_where_a_narrow_type_wraps(type_: str, factor: int) -> None:
    width = int(type_[1:])
    expected: list[int] = []
    x = 3
    for i in range(16):
        expected.append(abs(x) // 4 * (1 if x >= 0 else -1))
        product = ((x + i) & 3) * factor & (1 << width) - 1
        x = product - (product >> width - 1 << width)
    out = np.zeros(16, np.int64)
    weft.run(weft.compile(CARRIED.format(type_, factor), "sm_80"), "k", (1,), (1,), [out, out, 0, 16, 1])
    assert out.tolist() == expected
