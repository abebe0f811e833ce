"""What values `llvm.mlir.constant` can have for a type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ShapedType,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.kinds import is_integer, is_scalable, is_vector, vector_element
from weft.dialects.strings import text_bytes
from weft.dialects.traits import inherent


def _float_fits(kind: AnyFloat, result: Attribute) -> None:
    if isinstance(result, AnyFloat) and kind != result:
        raise VerifyException("attribute and type have different float semantics")
    if isinstance(result, IntegerType) and result.bitwidth != kind.bitwidth:
        raise VerifyException(f"expected integer type of width {kind.bitwidth}")


def _count(kind: Attribute) -> int:
    """The elements of a vector, or of an array and the arrays and vectors in it."""
    if kind.name == "llvm.array":
        array = cast("Any", kind)
        return array.size.data * _count(array.type)
    return kind.element_count() if isinstance(kind, ShapedType) else 1


def _innermost(kind: Attribute) -> Attribute:
    while kind.name == "llvm.array":
        kind = cast("Attribute", cast("Any", kind).type)
    return vector_element(kind)


def literal(op: Operation) -> None:
    """The value can be one of the result's type."""
    value, kind = cast("Attribute", inherent(op, "value")), op.results[0].type
    if (text := text_bytes(value)) is not None:
        length, array = len(text), cast("Any", kind)
        if kind.name != "llvm.array" or array.size.data != length or array.type != IntegerType(8):
            raise VerifyException(f"expected array type of {length} i8 elements for the string constant")
    elif kind.name == "llvm.struct":
        _struct_constant(value, cast("Any", kind).types.data)
    elif isinstance(value, IntegerAttr):
        if not is_integer(kind):
            raise VerifyException("expected integer type")
    elif isinstance(value, FloatAttr):
        _float_fits(cast("Any", value).type, kind)
    elif isinstance(value, DenseIntOrFPElementsAttr):
        _dense_constant(cast("DenseIntOrFPElementsAttr[Any]", value), kind)
    elif isinstance(value, ArrayAttr):
        _array_constant(cast("ArrayAttr[Attribute]", value), kind)
    elif value.name != "dense_resource":
        raise VerifyException("only supports integer, float, string or elements attributes")


def _struct_constant(value: Attribute, members: Sequence[Attribute]) -> None:
    if not isinstance(value, ArrayAttr):
        raise VerifyException("expected array attribute for struct type")
    listed = cast("ArrayAttr[Attribute]", value).data
    if len(listed) != len(members):
        raise VerifyException(f"expected array attribute of size {len(members)}")
    for index, (found, kind) in enumerate(zip(listed, members, strict=True)):
        if not isinstance(found, IntegerAttr | FloatAttr):
            raise VerifyException("expected element of array attribute to be floating point or integer")
        if cast("Any", found).type != kind:
            raise VerifyException(f"struct element at index {index} is of wrong type")


def _dense_constant(value: DenseIntOrFPElementsAttr[Any], kind: Attribute) -> None:
    if is_vector(kind) and is_scalable(kind):
        if not value.is_splat():
            raise VerifyException("scalable vector type requires a splat attribute")
        return
    if not is_vector(kind) and kind.name != "llvm.array":
        raise VerifyException("expected vector or array type")
    wanted, found = _count(kind), value.type.element_count()
    if wanted != found:
        raise VerifyException(f"type and attribute have a different number of elements: {wanted} vs. {found}")
    element, result = cast("Attribute", value.get_element_type()), _innermost(kind)
    if isinstance(element, AnyFloat):
        _float_fits(element, result)
    elif isinstance(element, IntegerType) and not isinstance(result, IntegerType):
        raise VerifyException("expected integer element type for integer elements attribute")


def _parts(value: Attribute) -> Sequence[Attribute]:
    return cast("ArrayAttr[Attribute]", value).data if isinstance(value, ArrayAttr) else ()


def _array_constant(value: ArrayAttr[Attribute], kind: Attribute) -> None:
    if kind.name != "llvm.array":
        raise VerifyException("expected array or struct type for array attribute")
    depth = 0
    level: list[Attribute] = [value]
    while kind.name == "llvm.array":
        size = cast("int", cast("Any", kind).size.data)
        for found in level:
            if isinstance(found, ArrayAttr) and len(cast("ArrayAttr[Attribute]", found).data) != size:
                raise VerifyException(
                    f"array attribute size does not match array type size in dimension {depth}: "
                    f"{len(cast('ArrayAttr[Attribute]', found).data)} vs. {size}"
                )
        level = [part for found in level for part in _parts(found)]
        kind = cast("Attribute", cast("Any", kind).type)
        depth += 1
    if kind.name != "llvm.struct":
        raise VerifyException("for array with an array attribute must have a struct element type")
    for found in level:
        if isinstance(found, ArrayAttr):
            _struct_constant(cast("ArrayAttr[Attribute]", found), cast("Any", kind).types.data)
