"""What upstream's verifiers of `llvm` say beyond the definitions: each looks at an operation that fits its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, i1
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.kinds import is_integer, is_llvm_float, is_pointer, is_scalable, is_vector, vector_element
from weft.dialects.llvm.words import ATOMIC_OPERATIONS, ORDERINGS
from weft.dialects.traits import inherent, inherent_number
from weft.dialects.verification import PlainVerifyException

_DYNAMIC = -(1 << 31)


def _width(kind: Attribute) -> int:
    return cast("int", cast("Any", kind).bitwidth)


# Conversions


def bitcast(op: Operation) -> None:
    """Pointers become pointers of the same address space."""
    source, target = vector_element(op.operands[0].type), vector_element(op.results[0].type)
    if is_pointer(source) != is_pointer(target):
        raise VerifyException("can only cast pointers from and to pointers")
    if is_pointer(source) and source != target:
        raise VerifyException("cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead")


def extension(op: Operation) -> None:
    """The result is wider, and a vector of the same shape where the operand is one."""
    source, target = op.operands[0].type, op.results[0].type
    if is_vector(source):
        if not is_vector(target):
            raise PlainVerifyException("input type is a vector but output type is an integer")
        one, other = cast("Any", source), cast("Any", target)
        if one.get_shape() != other.get_shape() or one.scalable_dims != other.scalable_dims:
            raise PlainVerifyException("input and output vectors are of incompatible shape")
    elif is_vector(target):
        raise PlainVerifyException("input type is an integer but output type is a vector")
    if _width(vector_element(target)) <= _width(vector_element(source)):
        raise PlainVerifyException(
            "integer width of the output type is smaller or equal to the integer width of the input type"
        )


def bits_of_operands(op: Operation) -> None:
    """A bit for each element that is compared."""
    compared, result = op.operands[0].type, op.results[0].type
    shapes = [cast("Any", kind).get_shape() if is_vector(kind) else None for kind in (compared, result)]
    if shapes[0] != shapes[1]:
        raise VerifyException("failed to verify that result type has i1 element type and same shape as operands")


# Memory


def _atomic_type(kind: Attribute) -> bool:
    """Whether a load or store of a type can be atomic."""
    if is_pointer(kind):
        return True
    if is_integer(kind):
        return _width(kind) in {8, 16, 32, 64, 128}
    return is_llvm_float(kind)


def _access(op: Operation, kind: Attribute, unsupported: Sequence[str]) -> None:
    ordering = ORDERINGS[inherent_number(op, "ordering")]
    if ordering == ORDERINGS[0]:
        if inherent(op, "syncscope") is not None:
            raise VerifyException("expected syncscope to be null for non-atomic access")
        return
    if not _atomic_type(kind):
        raise VerifyException(f"unsupported type '{kind}' for atomic access")
    if ordering in unsupported:
        raise VerifyException(f"unsupported ordering '{ordering}'")
    if inherent(op, "alignment") is None:
        raise VerifyException("expected alignment for atomic access")


def load(op: Operation) -> None:
    """An atomic load does not release."""
    _access(op, op.results[0].type, ("release", "acq_rel"))


def store(op: Operation) -> None:
    """An atomic store does not acquire."""
    _access(op, op.operands[0].type, ("acquire", "acq_rel"))


def atomicrmw_types(op: Operation) -> None:
    """The old value has the type of the new one."""
    if op.results[0].type != op.operands[1].type:
        raise VerifyException("failed to verify that result #0 and operand #1 have the same type")


def atomicrmw(op: Operation) -> None:
    """The type suits the operation."""
    kind = op.operands[1].type
    name = ATOMIC_OPERATIONS[inherent_number(op, "bin_op")]
    if name in {"fadd", "fsub", "fmin", "fmax", "fmaximum", "fminimum"}:
        if is_vector(kind):
            if not is_llvm_float(vector_element(kind)):
                raise VerifyException("expected LLVM IR floating point type for vector element")
        elif not is_llvm_float(kind):
            raise VerifyException("expected LLVM IR floating point type")
    elif name == "xchg":
        if not _atomic_type(kind):
            raise VerifyException("unexpected LLVM IR type for 'xchg' bin_op")
    elif not is_integer(kind) or not _atomic_type(kind):
        raise VerifyException("expected LLVM IR integer type")
    if inherent_number(op, "ordering") < ORDERINGS.index("monotonic"):
        raise VerifyException("expected at least 'monotonic' ordering")


def cmpxchg_types(op: Operation) -> None:
    """One type for both values, and a struct of it and a bit."""
    expected, kind = op.operands[1].type, op.operands[2].type
    if expected != kind:
        raise VerifyException("failed to verify that operand #1 and operand #2 have the same type")
    result = cast("Any", op.results[0].type)
    if tuple(result.types.data) != (kind, i1):
        raise VerifyException(
            "failed to verify that result #0 has an LLVM struct type consisting of the type of operand #2 and a bool"
        )


def cmpxchg(op: Operation) -> None:
    """Both orderings are at least monotonic; a failed exchange releases nothing."""
    kind = op.operands[2].type
    if not is_pointer(kind) and not _atomic_type(kind):
        raise VerifyException("unexpected LLVM IR type")
    success, failure = inherent_number(op, "success_ordering"), inherent_number(op, "failure_ordering")
    if min(success, failure) < ORDERINGS.index("monotonic"):
        raise VerifyException("ordering must be at least 'monotonic'")
    if ORDERINGS[failure] in {"release", "acq_rel"}:
        raise VerifyException("failure ordering cannot be 'release' or 'acq_rel'")


def fence(op: Operation) -> None:
    """A fence orders something."""
    if ORDERINGS[inherent_number(op, "ordering")] in {"not_atomic", "unordered", "monotonic"}:
        raise VerifyException("can be given only acquire, release, acq_rel, and seq_cst orderings")


def getelementptr(op: Operation) -> None:
    """As many indices as are dynamic; into structs constant ones, in range."""
    raw = cast("Any", inherent(op, "rawConstantIndices")).get_values()
    if sum(index == _DYNAMIC for index in raw) != len(op.operands) - 1:
        raise VerifyException("expected as many dynamic indices as specified in 'rawConstantIndices'")
    kind = cast("Attribute", inherent(op, "elem_type"))
    for place, index in enumerate(raw[1:], 1):
        if kind.name == "llvm.struct":
            members = cast("Any", kind).types.data
            if index == _DYNAMIC:
                raise VerifyException(f"expected index {place} indexing a struct to be constant")
            if not 0 <= index < len(members):
                raise VerifyException(f"index {place} indexing a struct is out of bounds")
            kind = cast("Attribute", members[index])
        elif kind.name == "llvm.array":
            kind = cast("Attribute", cast("Any", kind).type)
        elif is_vector(kind):
            kind = vector_element(kind)
        else:
            raise VerifyException(f"type '{kind}' cannot be indexed (index #{place})")


# Aggregates and vectors


def member(container: Attribute, position: Sequence[int]) -> Attribute:
    """The type at a position in an aggregate.

    Raises:
        VerifyException: there is no such position.
    """
    kind = container
    for index in position:
        if kind.name == "llvm.array":
            if not 0 <= index < cast("Any", kind).size.data:
                raise VerifyException(f"position out of bounds: {index}")
            kind = cast("Attribute", cast("Any", kind).type)
        elif kind.name == "llvm.struct":
            members = cast("Any", kind).types.data
            if not 0 <= index < len(members):
                raise VerifyException(f"position out of bounds: {index}")
            kind = cast("Attribute", members[index])
        else:
            raise VerifyException(f"expected LLVM IR structure/array type, got: '{kind}'")
    return kind


def extractvalue(op: Operation) -> None:
    """The result is what is at the position."""
    container, result = op.operands[0].type, op.results[0].type
    found = member(container, cast("Any", inherent(op, "position")).get_values())
    if found != result:
        raise VerifyException(
            f"Type mismatch: extracting from '{container}' should produce '{found}' but this op returns '{result}'"
        )


def insertvalue(op: Operation) -> None:
    """The value fits what is at the position."""
    container, value = op.operands[0].type, op.operands[1].type
    found = member(container, cast("Any", inherent(op, "position")).get_values())
    if found != value:
        raise VerifyException(f"Type mismatch: cannot insert '{value}' into '{container}'")


def extractelement(op: Operation) -> None:
    """The result is an element."""
    if vector_element(op.operands[0].type) != op.results[0].type:
        raise VerifyException("failed to verify that result type matches vector element type")


def insertelement(op: Operation) -> None:
    """The value is an element."""
    if vector_element(op.operands[0].type) != op.operands[1].type:
        raise VerifyException("failed to verify that argument type matches vector element type")
    if op.operands[0].type != op.results[0].type:
        raise VerifyException("failed to verify that all of {res, vector} have same type")


def shufflevector(op: Operation) -> None:
    """A scalable vector is only filled with its first element."""
    mask = cast("Any", inherent(op, "mask")).get_values()
    if is_scalable(op.operands[0].type) and any(mask):
        raise VerifyException("expected a splat operation for scalable vectors")


def interleaved(op: Operation) -> None:
    """The result has the elements of both vectors."""
    one, both = cast("Any", op.operands[0].type), cast("Any", op.results[0].type)
    if not is_vector(both) or both.get_shape()[0] != 2 * one.get_shape()[0]:
        raise VerifyException("failed to verify that result has twice as many elements as 'vec1'")


def switch(op: Operation) -> None:
    """A value of the condition's type for each case."""
    values = inherent(op, "case_values")
    cases = len(op.successors) - 1
    if values is None:
        if cases:
            raise VerifyException("expects number of case values to match number of case destinations")
        return
    dense = cast("DenseIntOrFPElementsAttr[Any]", values)
    if dense.type.element_count() != cases:
        raise VerifyException("expects number of case values to match number of case destinations")
    if dense.get_element_type() != op.operands[0].type:
        raise PlainVerifyException("expects case value type to match condition value type")
