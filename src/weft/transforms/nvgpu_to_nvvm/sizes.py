"""Sizes of scalar types."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Attribute


def bit_width(type: Attribute) -> int:
    """Bits of an integer or floating-point type.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(type, IntegerType):
        return cast("IntegerType", type).width.data
    if isinstance(type, AnyFloat):
        return type.bitwidth
    raise ValueError(f"{type} has no bit width")
