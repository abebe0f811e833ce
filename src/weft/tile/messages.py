"""`print` and `assert` of what is known only when the kernel runs."""

from __future__ import annotations

import builtins
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.cf import AssertOp

from weft.dialects.engine.making import new
from weft.tile.dtypes import DType, boolean, f64
from weft.tile.scalars import Scalar, scalar
from weft.tile.trace import current, position


def device_print(*values: Any, sep: str = " ", end: str = "\n", **options: Any) -> None:
    """Python's `print`; one that every thread does when the kernel runs where a value is known only there."""
    if not any(isinstance(x, Scalar) for x in values):
        builtins.print(*values, sep=sep, end=end, **options)
        return
    parts = [_specifier(x.dtype) if isinstance(x, Scalar) else _escaped(str(x)) for x in values]
    text = _escaped(sep).join(parts) + _escaped(end)
    arguments = [_argument(x).value for x in values if isinstance(x, Scalar)]
    current().extra.setdefault("calls", position())
    current().add(new("gpu.printf", *arguments, format=text))


def _escaped(text: str) -> str:
    return text.replace("%", "%%")


def _specifier(kind: DType) -> str:
    if kind.is_float:
        return "%g"
    return ("%ll" if kind.bits == f64.bits else "%") + ("d" if kind.signed or kind.kind == "bool" else "u")


def _argument(x: Scalar) -> Scalar:
    """A number as C passes it to a function of variable arguments."""
    if x.dtype.is_float:
        return scalar(x, f64)
    return x if x.dtype.bits >= 32 else x + 0 if x.dtype.kind == "bool" else x.to("i32")


def check(condition: Any, message: Any = None) -> None:
    """`assert condition, message`: known only when the kernel runs, it stops the kernel there."""
    text = "assertion" if message is None else str(message)
    if not isinstance(condition, Scalar):
        assert condition, text
        return
    current().extra.setdefault("calls", position())
    current().add(AssertOp.create(operands=[scalar(condition, boolean).value], properties={"msg": StringAttr(text)}))
