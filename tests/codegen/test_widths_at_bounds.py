"""Conversions between 32 and 64 bits of what is known to lie in bounds, at the bounds and one further."""

from __future__ import annotations

import numpy as np
import pytest

from tests.codegen.support import elementwise


@pytest.mark.parametrize(("sign", "least"), [(1, -32768), (-1, -32768), (1, -32767)])
def test_products_that_are_extended_wrap_first(sign: int, least: int) -> None:
    """A product of 32 bits is one of 64 bits only where it cannot wrap: that of -65,536 and -32,768 does, as no other up to these."""
    a = np.array([-65536, -65535, -1, 0], np.int32).repeat(4)
    b = np.tile(np.array([least, least + 1, -1, 0], np.int32), 4) * np.int32(sign)
    low, high = sorted((least * sign, 0))
    text = f"""%zero = arith.constant 0 : i32
      %lowest = arith.constant -65536 : i32
      %low = arith.constant {low} : i32
      %high = arith.constant {high} : i32
      %x0 = arith.minsi %a, %zero : i32
      %x = arith.maxsi %x0, %lowest : i32
      %y0 = arith.minsi %b, %high : i32
      %y = arith.maxsi %y0, %low : i32
      %p = arith.muli %x, %y : i32
      %r = arith.extsi %p : i32 to i64"""
    exact = a.astype(np.int64) * b.astype(np.int64)
    assert elementwise(text, a, b, result=np.int64).tolist() == exact.astype(np.int32).astype(np.int64).tolist()


@pytest.mark.parametrize(("bits", "sign"), [(30, 1), (31, 1), (31, -1), (32, 1)])
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
