"""The attributes `llvm.*` of arguments and results of functions: what each must be, and where it may be."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, IntegerType, UnitAttr
from xdsl.ir import Attribute, TypeAttribute

from weft.dialects.llvm.kinds import is_compatible, is_pointer
from weft.dialects.verification import PlainVerifyException

_POINTER_UNITS = frozenset({"nest", "noalias", "nocapture", "nofree", "nonnull", "readnone", "readonly", "writeonly"})
_POINTER_TYPES = frozenset({"byref", "byval", "inalloca", "preallocated", "sret"})
_POINTER_NUMBERS = frozenset({"align", "dereferenceable", "dereferenceable_or_null"})
_INTEGER_UNITS = frozenset({"signext", "zeroext"})
_UNITS = frozenset({"inreg", "noundef", "returned", "immarg", "swiftasync", "swiftself"})
_NOT_OF_RESULTS = frozenset({
    "allocalign", "allocptr", "byref", "byval", "immarg", "inalloca", "nest", "nocapture", "nofree", "preallocated",
    "readnone", "readonly", "returned", "sret", "swiftasync", "swifterror", "swiftself", "writable", "writeonly",
})  # fmt: skip


def check_parameter(kind: Attribute, name: str, value: Attribute, *, result: bool) -> None:
    """Check one attribute of an argument, or of a result, of a type.

    Raises:
        PlainVerifyException: it is none of that name, or stands where it cannot.
    """
    word = name.removeprefix("llvm.")
    if result and word in _NOT_OF_RESULTS:
        raise PlainVerifyException(f'"{name}" is not a valid result attribute')
    if word in _POINTER_UNITS | _INTEGER_UNITS | _UNITS:
        _must_be(isinstance(value, UnitAttr), f'"{name}" should be a unit attribute')
    elif word in _POINTER_TYPES:
        _must_be(isinstance(value, TypeAttribute), f'"{name}" should be a type attribute')
    elif word in _POINTER_NUMBERS:
        _must_be(isinstance(value, IntegerAttr), f'"{name}" should be an integer attribute')
    if not is_compatible(kind):
        return
    if word in _POINTER_UNITS | _POINTER_TYPES | _POINTER_NUMBERS:
        _must_be(is_pointer(kind), f'"{name}" attribute attached to non-pointer LLVM type')
    elif word in _INTEGER_UNITS:
        _must_be(isinstance(kind, IntegerType), f'"{name}" attribute attached to non-integer LLVM type')


def _must_be(condition: bool, message: str) -> None:
    if not condition:
        raise PlainVerifyException(message)
