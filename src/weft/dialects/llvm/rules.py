"""What upstream's verifiers of `llvm` say beyond the definitions: each looks at an operation that fits its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    ShapedType,
    StringAttr,
    i1,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.kinds import is_compatible, is_integer, is_llvm_float, is_pointer, is_vector, vector_element
from weft.dialects.llvm.words import ATOMIC_OPERATIONS, ORDERINGS
from weft.dialects.strings import text_bytes
from weft.dialects.traits import check_function, inherent, segments, symbol
from weft.dialects.verification import PlainVerifyException

_DYNAMIC = -(1 << 31)


def _number(op: Operation, name: str, default: int = 0) -> int:
    found = inherent(op, name)
    return cast("int", cast("Any", found).value.data) if isinstance(found, IntegerAttr) else default


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
    ordering = ORDERINGS[_number(op, "ordering")]
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
    name = ATOMIC_OPERATIONS[_number(op, "bin_op")]
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
    if _number(op, "ordering") < ORDERINGS.index("monotonic"):
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
    success, failure = _number(op, "success_ordering"), _number(op, "failure_ordering")
    if min(success, failure) < ORDERINGS.index("monotonic"):
        raise VerifyException("ordering must be at least 'monotonic'")
    if ORDERINGS[failure] in {"release", "acq_rel"}:
        raise VerifyException("failure ordering cannot be 'release' or 'acq_rel'")


def fence(op: Operation) -> None:
    """A fence orders something."""
    if ORDERINGS[_number(op, "ordering")] in {"not_atomic", "unordered", "monotonic"}:
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


def _is_scalable(kind: Attribute) -> bool:
    return any(bool(flag) for flag in cast("Any", kind).scalable_dims)


def shufflevector(op: Operation) -> None:
    """A scalable vector is only filled with its first element."""
    mask = cast("Any", inherent(op, "mask")).get_values()
    if _is_scalable(op.operands[0].type) and any(mask):
        raise VerifyException("expected a splat operation for scalable vectors")


def interleaved(op: Operation) -> None:
    """The result has the elements of both vectors."""
    one, both = cast("Any", op.operands[0].type), cast("Any", op.results[0].type)
    if not is_vector(both) or both.get_shape()[0] != 2 * one.get_shape()[0]:
        raise VerifyException("failed to verify that result has twice as many elements as 'vec1'")


# Constants


def _float_fits(kind: AnyFloat, result: Attribute) -> None:
    if isinstance(result, AnyFloat) and kind != result:
        raise VerifyException("attribute and type have different float semantics")


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


def constant(op: Operation) -> None:
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
    if is_vector(kind) and _is_scalable(kind):
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


# Control


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


def function_type_of(op: Operation) -> Any:
    """The type of an `llvm.func`."""
    return inherent(op, "function_type")


def return_(op: Operation) -> None:
    """What the function around it returns."""
    parent = op.parent_op()
    if parent is None or parent.name != "llvm.func":
        return
    result = cast("Attribute", function_type_of(parent).output)
    if result.name == "llvm.void":
        if op.operands:
            raise VerifyException("expected no operands")
    elif not op.operands:
        raise VerifyException("expected 1 operand")
    elif op.operands[0].type != result:
        raise VerifyException("mismatching result types")


def bundles(op: Operation) -> None:
    """As many operands in bundles as their sizes say, and a tag for each bundle."""
    _bundles(op, segments(op)[1])


def assume(op: Operation) -> None:
    """All operands but the test are in bundles."""
    _bundles(op, len(op.operands) - 1)


def _bundles(op: Operation, given: int) -> None:
    sizes = cast("DenseArrayBase[Any]", inherent(op, "op_bundle_sizes")).get_values()
    if sum(sizes) != given:
        raise VerifyException(
            f"op_bundle_operands count ({given}) does not match with the total size ({sum(sizes)}) specified in "
            "attribute 'op_bundle_sizes'"
        )
    tags = inherent(op, "op_bundle_tags")
    listed = cast("ArrayAttr[Attribute]", tags).data if isinstance(tags, ArrayAttr) else ()
    if any(not isinstance(tag, StringAttr) for tag in listed):
        raise PlainVerifyException("operand bundle tag must be a StringAttr")
    if len(listed) != len(sizes):
        raise PlainVerifyException(f"expected {len(sizes)} operand bundle tags, but actually got {len(listed)}")


def call(op: Operation) -> None:
    """A call of a symbol or of a pointer."""
    bundles(op)
    kind = cast("Any", inherent(op, "var_callee_type"))
    if kind is not None:
        if not kind.is_variadic:
            raise VerifyException("expected var_callee_type to be a variadic function type")
        direct = inherent(op, "callee") is not None
        arguments = op.operand_types[: segments(op)[0]][0 if direct else 1 :]
        if len(arguments) < len(kind.inputs.data):
            raise VerifyException(f"expected var_callee_type to have at most {len(arguments)} parameters")
        for found, wanted in zip(arguments, kind.inputs.data, strict=False):
            if found != wanted:
                raise VerifyException(f"var_callee_type parameter type mismatch: '{wanted}' != '{found}'")
        _variadic_result(op, kind.output)
    if inherent(op, "callee") is None:
        if not op.operands:
            raise VerifyException("must have either a `callee` attribute or at least an operand")
        if not is_pointer(op.operands[0].type):
            raise VerifyException(f"indirect call expects a pointer as callee: '{op.operands[0].type}'")


def _variadic_result(op: Operation, wanted: Attribute) -> None:
    if not op.results:
        if wanted.name != "llvm.void":
            raise VerifyException("expected var_callee_type to return void")
    elif op.results[0].type != wanted:
        raise VerifyException(f"var_callee_type return type mismatch: '{wanted}' != '{op.results[0].type}'")


def call_intrinsic(op: Operation) -> None:
    """The name is one of an intrinsic."""
    bundles(op)
    name = cast("StringAttr", inherent(op, "intrin")).data
    if not name.startswith("llvm."):
        raise VerifyException("intrinsic name must start with 'llvm.'")


def inline_asm(op: Operation) -> None:
    """Assembler text cannot be called with a guaranteed tail call."""
    kind = inherent(op, "tail_call_kind")
    if kind is not None and str(cast("Any", kind).data) == "musttail":
        raise VerifyException("tail call kind 'musttail' is not supported by this operation")


# Symbols


def function(op: Operation) -> None:
    """Linkage and attributes suit a function, and a declaration."""
    symbol(op)
    kind = function_type_of(op)
    check_function(op, kind.inputs.data, () if kind.output.name == "llvm.void" else (kind.output,))
    linkage = inherent(op, "linkage")
    word = cast("Any", linkage).linkage.data if linkage is not None else "external"
    if word == "common":
        raise VerifyException("functions cannot have 'common' linkage")
    check_comdat(op)
    if not op.regions[0].blocks:
        if word not in {"external", "extern_weak"}:
            raise VerifyException("external functions must have 'external' or 'extern_weak' linkage")
        return
    no_inline, optimize_none = inherent(op, "no_inline"), inherent(op, "optimize_none")
    if no_inline is not None and inherent(op, "always_inline") is not None:
        raise VerifyException("no_inline and always_inline attributes are incompatible")
    if optimize_none is not None and no_inline is None:
        raise VerifyException("with optimize_none must also be no_inline")


def check_comdat(op: Operation) -> None:
    """The group that a function or global belongs to is there.

    Raises:
        VerifyException: there is no such group.
    """
    group = inherent(op, "comdat")
    if group is None:
        return
    from weft.dialects.symbols import lookup

    found = lookup(op, group)
    if found is None or found.name != "llvm.comdat_selector":
        raise PlainVerifyException("expected comdat symbol")


_NO_GLOBALS = frozenset({"llvm.void", "llvm.token", "llvm.label", "llvm.metadata"})


def _is_zero(value: Attribute) -> bool:
    if isinstance(value, IntegerAttr | FloatAttr):
        return not cast("Any", value).value.data
    if isinstance(value, DenseIntOrFPElementsAttr):
        return not any(cast("DenseIntOrFPElementsAttr[Any]", value).get_values())
    return value.name == "llvm.zero"


def global_(op: Operation) -> None:
    """The type, the linkage and the value go together."""
    kind = cast("Attribute", inherent(op, "global_type"))
    value = inherent(op, "value")
    if not is_compatible(kind) or kind.name in _NO_GLOBALS:
        raise VerifyException("expects type to be a valid element type for an LLVM global")
    parent = op.parent_op()
    if parent is not None and parent.name not in {"builtin.module", "gpu.module"}:
        raise VerifyException("must appear at the module level")
    if (text := text_bytes(value)) is not None:
        length, array = len(text), cast("Any", kind)
        if kind.name != "llvm.array" or array.type != IntegerType(8) or array.size.data != length:
            raise VerifyException("requires an i8 array type of the length equal to that of the string attribute")
    linkage = cast("str", cast("Any", inherent(op, "linkage")).linkage.data)
    if linkage == "common" and value is not None and not _is_zero(value):
        raise VerifyException("expected zero value for 'common' linkage")
    if linkage == "appending" and kind.name != "llvm.array":
        raise VerifyException("expected array type for 'appending' linkage")
    check_comdat(op)
    alignment = inherent(op, "alignment")
    if alignment is not None and _number(op, "alignment").bit_count() != 1:
        raise PlainVerifyException("alignment attribute is not a power of 2")


def initializer(op: Operation) -> None:
    """The region of a global makes a value of its type, and does nothing else; checked after what is in it."""
    body = op.regions[0]
    if not body.blocks:
        return
    if inherent(op, "value") is not None:
        raise VerifyException("cannot have both initializer value and region")
    end = body.block.last_op
    kind = cast("Attribute", inherent(op, "global_type"))
    if end is None or end.name != "llvm.return" or not end.operands:
        raise VerifyException("initializer region cannot return void")
    if end.operands[0].type != kind:
        raise VerifyException(f"initializer region type '{end.operands[0].type}' does not match global type '{kind}'")


def _structors(op: Operation, what: str) -> None:
    lists = [cast("ArrayAttr[Attribute]", inherent(op, name)).data for name in (what, "priorities", "data")]
    if len({len(found) for found in lists}) > 1:
        raise PlainVerifyException(f"{what}, priorities, and data must have the same number of elements")


def constructors(op: Operation) -> None:
    """A priority and data for each constructor."""
    _structors(op, "ctors")


def destructors(op: Operation) -> None:
    """A priority and data for each destructor."""
    _structors(op, "dtors")


def module_flags(op: Operation) -> None:
    """Flags, and nothing else."""
    flags = cast("ArrayAttr[Attribute]", inherent(op, "flags")).data
    if any(flag.name != "llvm.mlir.module_flag" for flag in flags):
        raise VerifyException("expected a module flag attribute")
