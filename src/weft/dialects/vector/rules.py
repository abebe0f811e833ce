"""What MLIR's verifiers say of `vector` operations beyond their definitions, where xDSL says less.

Each rule looks at one operation that fits its definition and raises for what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects import vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, IndexType, IntegerType, ShapedType, VectorType, i1
from xdsl.ir import Attribute
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.vector.checks import CHECKS, alignment, extents
from weft.dialects.vector.masked import MaskOp
from weft.dialects.verification import element_bits

_INTEGER_KINDS = frozenset({"minui", "minsi", "maxui", "maxsi", "and", "or", "xor"})
_FLOAT_KINDS = frozenset({"minnumf", "maxnumf", "minimumf", "maximumf"})


def _type(value: Attribute) -> VectorType[Attribute]:
    found = narrow.vector(value)
    assert found is not None
    return found


def _bitcast(op: vector.BitcastOp) -> None:
    source, result = _type(op.source.type), _type(op.result.type)
    if source.get_num_dims() != result.get_num_dims():
        raise VerifyException("failed to verify that all of {source, result} have same rank")
    shapes = source.get_shape(), result.get_shape()
    for dim, (one, other) in enumerate(zip(shapes[0][:-1], shapes[1][:-1], strict=True)):
        if one != other:
            raise VerifyException(f"dimension size mismatch at: {dim}")
    bits = [element_bits(kind.element_type) for kind in (source, result)]
    if bits[0] is None or bits[1] is None or not shapes[0]:
        return
    if bits[0] * shapes[0][-1] != bits[1] * shapes[1][-1]:
        raise VerifyException("source/result bitwidth of the minor 1-D vectors must be equal")


def _broadcast(op: vector.BroadcastOp) -> None:
    result = _type(op.vector.type)
    source = narrow.vector(op.source.type)
    if (op.source.type if source is None else source.element_type) != result.element_type:
        raise VerifyException("failed to verify that source operand and result have same element type")
    if source is None:
        return
    if source.get_num_dims() > result.get_num_dims():
        raise VerifyException("source rank higher than destination rank")
    trailing = result.get_shape()[result.get_num_dims() - source.get_num_dims() :]
    for one, other in zip(source.get_shape(), trailing, strict=True):
        if one not in {1, other}:
            raise VerifyException(f"dimension mismatch ({one} vs. {other})")


def _mask_type(kind: Attribute) -> None:
    if _type(kind).element_type != i1:
        raise VerifyException(f"result #0 must be vector of 1-bit signless integer values, but got '{kind}'")


def _constant_mask(op: Any) -> None:
    _mask_type(op.result.type)
    shape = _type(op.result.type).get_shape()
    sizes: tuple[int, ...] = op.mask_dim_sizes.get_values()
    if not shape:
        if len(sizes) != 1:
            raise VerifyException("array attr must have length 1 for 0-D vectors")
        return
    if len(sizes) != len(shape):
        raise VerifyException("must specify array attr of size equal vector result rank")
    if any(not 0 <= size <= extent for size, extent in zip(sizes, shape, strict=True)):
        raise VerifyException("array attr of size out of bounds of vector result dimension size")
    if 0 in sizes and any(sizes):
        raise VerifyException("expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim")


def _create_mask(op: vector.CreateMaskOp) -> None:
    _mask_type(op.mask_vector.type)
    rank = _type(op.mask_vector.type).get_num_dims()
    if len(op.mask_dim_sizes) != max(1, rank):
        raise VerifyException("must specify an operand for each result vector dimension")


def _deinterleave(op: Any) -> None:
    source, result = _type(op.source.type).get_shape(), _type(op.res1.type).get_shape()
    if source[-1] != 2 * result[-1]:
        raise VerifyException(
            "failed to verify that the trailing dimension of the results is half the width of source trailing dimension"
        )


def _interleave(op: Any) -> None:
    source, result = _type(op.lhs.type).get_shape(), _type(op.result.type).get_shape()
    if result[-1:] != (2 * source[-1] if source else 2,):
        raise VerifyException("failed to verify that type of 'result' is double the width of the inputs")


def _positions(static: Sequence[int], kind: Attribute, of: str, end: str) -> None:
    shape = _type(kind).get_shape()
    if len(static) > len(shape):
        raise VerifyException(f"expected position attribute of rank no greater than {of}vector rank")
    for place, (position, extent) in enumerate(zip(static, shape, strict=False), 1):
        # A position that is a value is marked; -1 stands for a poisoned one.
        if position not in {DYNAMIC_INDEX, -1} and not 0 <= position < extent:
            raise VerifyException(
                f"expected position attribute #{place} to be a non-negative integer smaller than the corresponding "
                f"{of}vector dimension{end}"
            )


def _extract(op: vector.ExtractOp) -> None:
    position = op.static_position.get_values()
    _positions(position, op.vector.type, "", " or poison (-1)")
    rest = extents(_type(op.vector.type))[len(position) :]
    found = narrow.vector(op.result.type)
    if found is not None and rest and extents(found) != rest:
        sizes = [f"[{size}]" if scalable else str(size) for size, scalable in rest]
        inferred = f"vector<{'x'.join((*sizes, str(_type(op.vector.type).element_type)))}>"
        raise VerifyException(
            f"inferred type(s) '{inferred}' are incompatible with return type(s) of operation '{op.result.type}'"
        )


def _insert(op: vector.InsertOp) -> None:
    _positions(op.static_position.get_values(), op.dest.type, "dest ", "")


def _mask(op: MaskOp) -> None:
    kind = op.mask.type
    if not _type(kind).get_shape():
        raise VerifyException(f"operand #0 must be vector of 1-bit signless integer values, but got '{kind}'")
    inside = op.mask_region.blocks[0].first_op
    if op.passthru is not None and inside is not None and inside.name != "vector.gather":
        raise VerifyException("doesn't expect a passthru argument for this maskable operation")


def _indices(op: Any) -> None:
    base = op.source if hasattr(op, "source") else op.base
    if isinstance(base.type, ShapedType) and len(op.indices) != base.type.get_num_dims():
        raise VerifyException(f"requires {base.type.get_num_dims()} indices")


def _reduction(op: vector.ReductionOp) -> None:
    kind, source = _type(op.vector.type), op.kind.data
    if kind.get_num_dims() > 1:
        raise VerifyException(f"unsupported reduction rank: {kind.get_num_dims()}")
    name = source.value
    floating = isinstance(kind.element_type, AnyFloat)
    if (floating and name in _INTEGER_KINDS) or (not floating and name in _FLOAT_KINDS):
        raise VerifyException(f"unsupported reduction type ''{op.dest.type}'' for kind '{name}'")


def _fixed(which: str, index: int, kind: Attribute) -> None:
    """Refuse a scalable vector."""
    if any(scalable for _, scalable in extents(_type(kind))):
        raise VerifyException(f"{which} #{index} must be fixed-length vector of any type values, but got '{kind}'")


def _shuffle(op: vector.ShuffleOp) -> None:
    for index, value in enumerate(op.operands):
        _fixed("operand", index, value.type)
    left, right, result = (_type(value.type).get_shape() for value in (op.v1, op.v2, op.result))
    if len(left) > 1 or len(right) > 1 or len(result) > 1:
        if len(left) != len(right) or len(left) != len(result):
            raise VerifyException("rank mismatch")
        for dim, (one, other, found) in enumerate(zip(left[1:], right[1:], result[1:], strict=True), 1):
            if one != other or one != found:
                raise VerifyException(f"dimension mismatch #{dim}")
    lanes = sum((_type(value.type).get_shape() or (1,))[0] for value in (op.v1, op.v2))
    for place, index in enumerate(op.mask.get_values(), 1):
        if index != -1 and not 0 <= index < lanes:
            raise VerifyException(f"mask index #{place} out of range")


def _elements(vector_index: str, name: str, values: str) -> Callable[[Any], None]:
    """The rule of an operation between a vector and all of its elements."""

    def rule(op: Any) -> None:
        kind = op.result_types[0] if vector_index == "result" else op.operand_types[0]
        elements = op.operand_types if vector_index == "result" else op.result_types
        if vector_index == "result":
            _fixed("result", 0, kind)
        shaped = _type(kind)
        if len(elements) != shaped.element_count() or any(found != shaped.element_type for found in elements):
            raise VerifyException(
                f"failed to verify that shaped type '{name}' matches '{values}' element count and types"
            )

    return rule


def _load(op: Any) -> None:
    alignment(op)
    base, found = op.operands[0].type, narrow.vector(op.result_types[0])
    if found is not None and isinstance(base, ShapedType) and base.get_num_dims() < found.get_num_dims():
        raise VerifyException("destination memref has lower rank than the result vector")


def _print(op: Any) -> None:
    kind = None if op.source is None else op.source.type
    shaped = narrow.vector(kind) if kind is not None else None
    element = kind if shaped is None else shaped.element_type
    if element is not None and not isinstance(element, IntegerType | IndexType | AnyFloat):
        raise VerifyException(f"operand #0 must be , but got '{kind}'")


def _masked(op: Any) -> None:
    alignment(op)
    _indices(op)


RULES: dict[str, Callable[[Any], None]] = {
    **CHECKS,
    "vector.bitcast": _bitcast,
    "vector.broadcast": _broadcast,
    "vector.constant_mask": _constant_mask,
    "vector.create_mask": _create_mask,
    "vector.deinterleave": _deinterleave,
    "vector.extract": _extract,
    "vector.from_elements": _elements("result", "dest", "elements"),
    "vector.insert": _insert,
    "vector.interleave": _interleave,
    "vector.load": _load,
    "vector.mask": _mask,
    "vector.maskedload": _masked,
    "vector.maskedstore": _masked,
    "vector.print": _print,
    "vector.reduction": _reduction,
    "vector.shuffle": _shuffle,
    "vector.to_elements": _elements("operand", "source", "elements"),
    "vector.transfer_read": _indices,
    "vector.transfer_write": _indices,
}
