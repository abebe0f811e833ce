"""What foreign dialects demand of their operations' operands, results and attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    TensorType,
    UnitAttr,
    UnrankedMemRefType,
    UnrankedTensorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import AttributeKind, Definition, Vocabulary
from weft.dialects.foreign.tables import DIALECTS, table
from weft.dialects.foreign.tensors import RULES, agree, dynamic, element, extents
from weft.dialects.kinds import ANY, Kind, Trait, is_signless
from weft.dialects.traits import terminator
from weft.dialects.verification import PlainVerifyException

_TENSORS = (TensorType, UnrankedTensorType)
_MEMREFS = (MemRefType, UnrankedMemRefType)


def _tensor_of(summary: str, holds: Callable[[Attribute], bool], *, ranked: bool = False) -> Kind:
    classes = TensorType if ranked else _TENSORS
    return Kind(
        f"{'ranked ' if ranked else ''}tensor of {summary} values",
        lambda kind: isinstance(kind, classes) and holds(element(cast("Attribute", kind))),
    )


def _anything(_: Attribute) -> bool:
    return True


def _is_number(kind: Attribute) -> bool:
    return isinstance(kind, IntegerType | AnyFloat)


def _is_subscript(kind: Attribute) -> bool:
    return is_signless(kind) or isinstance(kind, IndexType)


def _is_static(kind: Attribute) -> bool:
    return isinstance(kind, TensorType) and not dynamic(cast("Attribute", kind))


def _has_extents(kind: Attribute) -> bool:
    return isinstance(kind, _TENSORS) and extents(cast("Attribute", kind)) != ()


_TYPES = {
    "any": ANY,
    "buffer_like": Kind("BufferLikeType instance", lambda kind: isinstance(kind, _MEMREFS)),
    "extended": Kind("non-0-ranked or unranked tensor", _has_extents),
    "i1": Kind("1-bit signless integer", lambda kind: kind == i1),
    "index": Kind("index", lambda kind: isinstance(kind, IndexType)),
    "memref": Kind("ranked or unranked memref of any type values", lambda kind: isinstance(kind, _MEMREFS)),
    "numbers": _tensor_of("signless integer or unsigned integer or signed integer or floating-point", _is_number),
    "ranked": _tensor_of("any type", _anything, ranked=True),
    "shaped": Kind("shaped of any type values", lambda kind: isinstance(kind, _TENSORS + _MEMREFS)),
    "static": Kind("statically shaped tensor of any type values", _is_static),
    "subscript_list": Kind(
        "1D tensor of signless integer or index values",
        lambda kind: kind.name == "tensor" and len(cast("Any", kind).get_shape()) == 1 and _is_subscript(element(kind)),
    ),
    "subscripts": _tensor_of("signless integer or index", _is_subscript, ranked=True),
    "tensor_like": Kind("TensorLikeType instance", lambda kind: isinstance(kind, _TENSORS)),
    "tensor": _tensor_of("any type", _anything),
}


def _is_dense(value: Attribute) -> bool:
    return isinstance(value, DenseArrayBase) and cast("Any", value).elt_type == i64


_DENSE = AttributeKind("i64 dense array attribute", _is_dense)
_UNIT = AttributeKind("unit attribute", lambda value: isinstance(value, UnitAttr))
_DENSE_NAMES = (
    "gather_dims scatter_dims static_high static_low static_offsets static_output_shape static_sizes static_strides"
)
_UNIT_NAMES = "nofold read_only restrict unique writable"
_ATTRIBUTES = {
    **dict.fromkeys(_DENSE_NAMES.split(), _DENSE),
    **dict.fromkeys(_UNIT_NAMES.split(), _UNIT),
    "dim": AttributeKind(
        "64-bit signless integer attribute",
        lambda value: isinstance(value, IntegerAttr),
        lambda value: cast("Any", value).type == i64,
    ),
    "memory_space": AttributeKind("any attribute", _anything),
    "reassociation": AttributeKind(
        "Array of 64-bit integer array attributes", lambda value: isinstance(value, ArrayAttr)
    ),
}


def _cast(op: Operation) -> None:
    source, target = op.operands[0].type, op.results[0].type
    same = op.name == "tensor.bitcast" or element(source) == element(target)
    if not same or not agree(extents(source), extents(target)):
        raise VerifyException(f"operand type '{source}' and result type '{target}' are cast incompatible")


def _allocated(op: Operation) -> None:
    """An extent for each that is dynamic."""
    wanted, given = dynamic(op.results[0].type), len(op.operands)
    if wanted != given:
        raise VerifyException(f"incorrect number of dynamic sizes, has {given}, expected {wanted}")


def _subscripts(tensor: int, message: str) -> Trait:
    """As many indices behind the tensor as it has dimensions."""

    def trait(op: Operation) -> None:
        if len(op.operands) - tensor - 1 != len(extents(op.operands[tensor].type) or ()):
            raise VerifyException(message)

    return trait


def _extracted(op: Operation) -> None:
    if op.results[0].type != element(op.operands[0].type):
        raise VerifyException("failed to verify that result type matches element type of tensor")


def _inserted(op: Operation) -> None:
    scalar, dest = op.operands[0].type, op.operands[1].type
    if op.results[0].type != dest:
        raise VerifyException("failed to verify that result type matches type of dest")
    if scalar != element(dest):
        raise VerifyException("failed to verify that scalar type matches element type of dest")


def _spread(op: Operation) -> None:
    """A scalar in all places, with an extent for each dynamic one."""
    if op.operands[0].type != element(op.results[0].type):
        raise VerifyException("failed to verify that operand type matches element type of result")
    wanted, given = dynamic(op.results[0].type), len(op.operands) - 1
    if wanted != given:
        raise VerifyException(f"incorrect number of dynamic sizes, has {given}, expected {wanted}")


def _elements(op: Operation) -> None:
    """The scalars of a tensor of fixed shape."""
    kind = op.results[0].type
    count = 1
    for extent in extents(kind) or ():
        count *= extent
    if len(op.operands) != count or any(value.type != element(kind) for value in op.operands):
        raise VerifyException("failed to verify that operand types match result element type")


def _into(op: Operation) -> None:
    """A slice put into a tensor gives a tensor of the same type."""
    if op.results and op.results[0].type != op.operands[1].type:
        raise VerifyException("failed to verify that expected result type to match dest type")


def _buffered(op: Operation) -> None:
    """A tensor and a memref of the same extents and elements."""
    source, result = op.operands[0].type, op.results[0].type
    if not agree(extents(source), extents(result)):
        if op.name == "bufferization.to_tensor":
            raise PlainVerifyException("shapes do not match")
        raise VerifyException("requires the same shape for all operands and results")
    if element(source) != element(result):
        raise VerifyException("requires the same element type for all operands and results")


_TRAITS: dict[str, Trait] = {
    **RULES,
    "allocated": _allocated,
    "buffered": _buffered,
    "cast": _cast,
    "elements": _elements,
    "extracted": _extracted,
    "extracts": _subscripts(0, "incorrect number of indices for extract_element"),
    "inserted": _inserted,
    "inserts": _subscripts(1, "incorrect number of indices"),
    "into": _into,
    "spread": _spread,
    "terminator": terminator,
}
LINES = {
    "bufferization.alloc_tensor": "index* tensor? index? -> tensor | memory_space? | | | segments tensor_allocated",
    "bufferization.clone": "memref -> memref",
    "bufferization.dealloc": "memref* i1* memref* -> i1* | | | | segments deallocated",
    "bufferization.dealloc_tensor": "tensor ->",
    "bufferization.materialize_in_destination": "tensor shaped -> tensor? | restrict? writable? | | | materialized",
    "bufferization.to_buffer": "tensor_like -> buffer_like | read_only? | | | buffered",
    "bufferization.to_tensor": "buffer_like -> tensor_like | restrict? writable? | | | buffered",
    "tensor.bitcast": "numbers -> numbers | | | | cast",
    "tensor.cast": "tensor -> tensor | | | | cast",
    "tensor.collapse_shape": "tensor -> tensor | reassociation | | | collapsed",
    "tensor.concat": "ranked* -> ranked | dim | | | concatenated",
    "tensor.dim": "extended index -> index",
    "tensor.empty": "index* -> ranked | | | | allocated",
    "tensor.expand_shape": "tensor index* -> tensor | reassociation static_output_shape | | | expanded",
    "tensor.extract": "ranked index* -> any | | | | extracted extracts",
    "tensor.extract_slice": (
        "ranked index* index* index* -> ranked | static_offsets static_sizes static_strides | | | segments "
        "extracted_slice"
    ),
    "tensor.from_elements": "any* -> static | | | | elements",
    "tensor.gather": "ranked subscripts -> ranked | gather_dims unique? | | | dims",
    "tensor.generate": "index* -> ranked | | body:one | | generated generated_by!",
    "tensor.insert": "any ranked index* -> ranked | | | | inserted inserts",
    "tensor.insert_slice": (
        "ranked ranked index* index* index* -> ranked | static_offsets static_sizes static_strides | | | segments "
        "inserted_slice into"
    ),
    "tensor.pad": (
        "ranked index* index* -> ranked | nofold? static_high static_low | region:one | | segments padded padded_by!"
    ),
    "tensor.parallel_insert_slice": (
        "ranked ranked index* index* index* -> | static_offsets static_sizes static_strides | | | segments "
        "inserted_slice combined"
    ),
    "tensor.rank": "tensor -> index",
    "tensor.reshape": "tensor subscript_list -> tensor | | | | reshaped",
    "tensor.scatter": "ranked ranked subscripts -> ranked | scatter_dims unique? | | | dims",
    "tensor.splat": "any index* -> ranked | | | | spread",
    "tensor.yield": "any -> | | | | terminator",
}
WORDS = Vocabulary(_TYPES, _ATTRIBUTES, _TRAITS)


def further(name: str) -> Definition | None:
    """The definition of an operation that has no line, by its full name; None when it has none here."""
    dialect, _, rest = name.partition(".")
    if dialect in DIALECTS and rest in table(dialect).names:
        from weft.dialects.foreign import row_definitions

        return row_definitions.definition(name)
    if dialect != "linalg":
        return None
    from weft.dialects.foreign import linalg

    return linalg.definition(name) if linalg.is_structured(name) else None
