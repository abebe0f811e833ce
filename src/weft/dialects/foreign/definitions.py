"""What `tensor` and `bufferization` demand of their operations' operands, results and attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
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

from weft.dialects.declared import AttributeKind, Definition, Vocabulary, read
from weft.dialects.signature import ANY, Kind, Trait, is_signless
from weft.dialects.traits import inherent, terminator

_TENSORS = (TensorType, UnrankedTensorType)
_MEMREFS = (MemRefType, UnrankedMemRefType)


def _element(kind: Attribute) -> Attribute:
    return cast("Attribute", cast("Any", kind).element_type)


def _extents(kind: Attribute) -> Sequence[int] | None:
    """The extents of a tensor or memref; None of one without a rank."""
    return tuple(cast("Any", kind).get_shape()) if isinstance(kind, TensorType | MemRefType) else None


def _tensor_of(summary: str, holds: Callable[[Attribute], bool], *, ranked: bool = False) -> Kind:
    classes = TensorType if ranked else _TENSORS
    return Kind(
        f"{'ranked ' if ranked else ''}tensor of {summary} values",
        lambda kind: isinstance(kind, classes) and holds(_element(cast("Attribute", kind))),
    )


def _anything(_: Attribute) -> bool:
    return True


def _is_number(kind: Attribute) -> bool:
    return isinstance(kind, IntegerType | AnyFloat)


def _is_subscript(kind: Attribute) -> bool:
    return is_signless(kind) or isinstance(kind, IndexType)


def _is_static(kind: Attribute) -> bool:
    extents = _extents(kind)
    return isinstance(kind, TensorType) and extents is not None and DYNAMIC_INDEX not in extents


def _has_extents(kind: Attribute) -> bool:
    return isinstance(kind, _TENSORS) and _extents(cast("Attribute", kind)) != ()


_TYPES = {
    "any": ANY,
    "extended": Kind("non-0-ranked or unranked tensor", _has_extents),
    "i1": Kind("1-bit signless integer", lambda kind: kind == i1),
    "index": Kind("index", lambda kind: isinstance(kind, IndexType)),
    "memref": Kind("ranked or unranked memref of any type values", lambda kind: isinstance(kind, _MEMREFS)),
    "numbers": _tensor_of("signless integer or unsigned integer or signed integer or floating-point", _is_number),
    "ranked": _tensor_of("any type", _anything, ranked=True),
    "static": Kind("statically shaped tensor of any type values", _is_static),
    "subscripts": _tensor_of("signless integer or index", _is_subscript, ranked=True),
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


def _agree(one: Sequence[int] | None, other: Sequence[int] | None) -> bool:
    if one is None or other is None:
        return True
    return len(one) == len(other) and all(a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(one, other, strict=True))


def _cast(op: Operation) -> None:
    source, target = op.operands[0].type, op.results[0].type
    same = op.name == "tensor.bitcast" or _element(source) == _element(target)
    if not same or not _agree(_extents(source), _extents(target)):
        raise VerifyException(f"operand type '{source}' and result type '{target}' are cast incompatible")


def _dynamic(kind: Attribute) -> int:
    return (_extents(kind) or ()).count(DYNAMIC_INDEX)


def _allocated(op: Operation) -> None:
    """An extent for each that is dynamic."""
    wanted, given = _dynamic(op.results[0].type), len(op.operands)
    if wanted != given:
        raise VerifyException(f"incorrect number of dynamic sizes, has {given}, expected {wanted}")


def _subscripts(tensor: int, message: str) -> Trait:
    """As many indices behind the tensor as it has dimensions."""

    def trait(op: Operation) -> None:
        if len(op.operands) - tensor - 1 != len(_extents(op.operands[tensor].type) or ()):
            raise VerifyException(message)

    return trait


def _extracted(op: Operation) -> None:
    if op.results[0].type != _element(op.operands[0].type):
        raise VerifyException("failed to verify that result type matches element type of tensor")


def _inserted(op: Operation) -> None:
    scalar, dest = op.operands[0].type, op.operands[1].type
    if op.results[0].type != dest:
        raise VerifyException("failed to verify that result type matches type of dest")
    if scalar != _element(dest):
        raise VerifyException("failed to verify that scalar type matches element type of dest")


def _spread(op: Operation) -> None:
    """A scalar in all places, with an extent for each dynamic one."""
    if op.operands[0].type != _element(op.results[0].type):
        raise VerifyException("failed to verify that operand type matches element type of result")
    wanted, given = _dynamic(op.results[0].type), len(op.operands) - 1
    if wanted != given:
        raise VerifyException(f"incorrect number of dynamic sizes, has {given}, expected {wanted}")


def _elements(op: Operation) -> None:
    """The scalars of a tensor of fixed shape."""
    kind = op.results[0].type
    count = 1
    for extent in _extents(kind) or ():
        count *= extent
    if len(op.operands) != count or any(value.type != _element(kind) for value in op.operands):
        raise VerifyException("failed to verify that operand types match result element type")


def _into(op: Operation) -> None:
    """A slice put into a tensor gives a tensor of the same type."""
    if op.results and op.results[0].type != op.operands[1].type:
        raise VerifyException("failed to verify that expected result type to match dest type")


def _buffered(op: Operation) -> None:
    """A tensor and a memref of the same extents and elements."""
    source, result = op.operands[0].type, op.results[0].type
    if not _agree(_extents(source), _extents(result)):
        raise VerifyException("requires the same shape for all operands and results")
    if _element(source) != _element(result):
        raise VerifyException("requires the same element type for all operands and results")


def _within(op: Operation) -> None:
    """`gather` and `scatter` name dimensions that there are, in order."""
    name = "gather_dims" if op.name == "tensor.gather" else "scatter_dims"
    dims: list[int] = list(cast("Any", inherent(op, name)).get_values())
    index, side = (0, "source") if op.name == "tensor.gather" else (1, "dest")
    rank = len(_extents(op.operands[index].type) or ())
    if not dims:
        raise VerifyException(f"{name} must be non-empty")
    if len(dims) > rank:
        raise VerifyException(f"{name} overflow {side} rank")
    if any(dim < 0 for dim in dims):
        raise VerifyException(f"{name} value must be non-negative")
    if any(dim >= rank for dim in dims):
        raise VerifyException(f"{name} value must be smaller than {side} rank")
    if sorted(set(dims)) != dims:
        raise VerifyException(f"{name} values must be strictly increasing")


_TRAITS: dict[str, Trait] = {
    "allocated": _allocated,
    "buffered": _buffered,
    "cast": _cast,
    "dims": _within,
    "elements": _elements,
    "extracted": _extracted,
    "extracts": _subscripts(0, "incorrect number of indices for extract_element"),
    "inserted": _inserted,
    "inserts": _subscripts(1, "incorrect number of indices"),
    "into": _into,
    "spread": _spread,
    "terminator": terminator,
}
_LINES = {
    "bufferization.dealloc": "memref* i1* memref* -> i1* | | | | segments",
    "bufferization.dealloc_tensor": "tensor ->",
    "bufferization.to_buffer": "any -> any | read_only? | | | buffered",
    "bufferization.to_tensor": "any -> any | restrict? writable? | | | buffered",
    "tensor.bitcast": "numbers -> numbers | | | | cast",
    "tensor.cast": "tensor -> tensor | | | | cast",
    "tensor.collapse_shape": "tensor -> tensor | reassociation",
    "tensor.concat": "ranked* -> ranked | dim",
    "tensor.dim": "extended index -> index",
    "tensor.empty": "index* -> ranked | | | | allocated",
    "tensor.expand_shape": "tensor index* -> tensor | reassociation static_output_shape",
    "tensor.extract": "ranked index* -> any | | | | extracted extracts",
    "tensor.extract_slice": (
        "ranked index* index* index* -> ranked | static_offsets static_sizes static_strides | | | segments"
    ),
    "tensor.from_elements": "any* -> static | | | | elements",
    "tensor.gather": "ranked subscripts -> ranked | gather_dims unique? | | | dims",
    "tensor.generate": "index* -> ranked | | body:one",
    "tensor.insert": "any ranked index* -> ranked | | | | inserted inserts",
    "tensor.insert_slice": (
        "ranked ranked index* index* index* -> ranked | static_offsets static_sizes static_strides | | | segments into"
    ),
    "tensor.pad": "ranked index* index* -> ranked | nofold? static_high static_low | region:one | | segments",
    "tensor.parallel_insert_slice": (
        "ranked ranked index* index* index* -> | static_offsets static_sizes static_strides | | | segments"
    ),
    "tensor.rank": "tensor -> index",
    "tensor.scatter": "ranked ranked subscripts -> ranked | scatter_dims unique? | | | dims",
    "tensor.splat": "any index* -> ranked | | | | spread",
    "tensor.yield": "any -> | | | | terminator",
}
_WORDS = Vocabulary(_TYPES, _ATTRIBUTES, _TRAITS)


@cache
def definition(name: str) -> Definition | None:
    """The definition of an operation by its full name; None when it has none here."""
    line = _LINES.get(name)
    return None if line is None else read(line, _WORDS)
