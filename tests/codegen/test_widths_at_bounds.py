"""Conversions between 32 and 64 bits of what is known to lie in bounds, at the bounds and one further."""

from __future__ import annotations

import numpy as np
import pytest

from tests.codegen.support import elementwise

LARGEST = {"32767": 32767, "32768": 32768, "32766": 32766}


@pytest.mark.parametrize("most", LARGEST.values())
@pytest.mark.parametrize(("first", "second"), [(-1, -1), (-1, 1), (1, 1)])
def test_products_that_are_extended_wrap_first(first: int, second: int, most: int) -> None:
    """A product of 32 bits is one of 64 bits only where it cannot wrap: of 65,536 and 32,768 that takes a sign."""
    a = np.array([0, 1, 65534, 65535], np.int32).repeat(4)
    b = np.tile(np.array([0, 1, most - 1, most], np.int32), 4)
    text = f"""%one = arith.constant 1 : i32
      %low = arith.constant 65535 : i32
      %most = arith.constant {most} : i32
      %sign0 = arith.constant {first} : i32
      %sign1 = arith.constant {second} : i32
      %x0 = arith.andi %a, %low : i32
      %x1 = arith.addi %x0, %one : i32
      %x = arith.muli %x1, %sign0 : i32
      %y0 = arith.minui %b, %most : i32
      %y = arith.muli %y0, %sign1 : i32
      %p = arith.muli %x, %y : i32
      %r = arith.extsi %p : i32 to i64"""
    exact = (a.astype(np.int64) + 1) * first * b.astype(np.int64) * second
    assert elementwise(text, a, b, result=np.int64).tolist() == exact.astype(np.int32).astype(np.int64).tolist()


@pytest.mark.parametrize("bits", [30, 31, 32])
@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_that_are_cut_off_are_negative_again(bits: int, sign: int) -> None:
    """A number of 64 bits up to a power of two; what it is in 32 bits is compared with zero."""
    a = np.array([0, 1 << bits, -1, 1 << 40], np.int64)
    text = f"""%bit = arith.constant {1 << bits} : i64
      %sign = arith.constant {sign} : i64
      %zero = arith.constant 0 : i32
      %x0 = arith.andi %a, %bit : i64
      %x = arith.muli %x0, %sign : i64
      %t = arith.trunci %x : i64 to i32
      %r = arith.cmpi slt, %t, %zero : i32"""
    wanted = ((a & (1 << bits)) * sign).astype(np.int32) < 0
    assert elementwise(text, a, result=np.bool_).tolist() == wanted.tolist()
