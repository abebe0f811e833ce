"""What MLIR's verifiers say of `vector` operations beyond their definitions, where xDSL says less.

Each check looks at one operation that fits its definition and raises for what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects import vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, IndexType
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.memref.layouts import strided
from weft.dialects.narrow import known_vector
from weft.dialects.vector.masks import extents, spelled
from weft.dialects.verification import PlainVerifyException, element_bits

if TYPE_CHECKING:
    from weft.dialects import rows

_INTEGER_KINDS = frozenset({"minui", "minsi", "maxui", "maxsi", "and", "or", "xor"})
_FLOAT_KINDS = frozenset({"minnumf", "maxnumf", "minimumf", "maximumf"})


def bitcast(op: vector.BitcastOp) -> None:
    """As many bits in the last dimension, the others are the same."""
    source, result = known_vector(op.source.type), known_vector(op.result.type)
    if source.get_num_dims() != result.get_num_dims():
        raise VerifyException("failed to verify that all of {source, result} have same rank")
    shapes = source.get_shape(), result.get_shape()
    for dim, (one, other) in enumerate(zip(shapes[0][:-1], shapes[1][:-1], strict=True)):
        if one != other:
            raise VerifyException(f"dimension size mismatch at: {dim}")
    elements = [kind.element_type for kind in (source, result)]
    bits = [64 if isinstance(kind, IndexType) else element_bits(kind) for kind in elements]
    if bits[0] is None or bits[1] is None:
        return
    if not shapes[0] and bits[0] != bits[1]:
        raise VerifyException("source/result bitwidth of the 0-D vector element types must be equal")
    if not shapes[0]:
        return
    if bits[0] * shapes[0][-1] != bits[1] * shapes[1][-1]:
        raise VerifyException("source/result bitwidth of the minor 1-D vectors must be equal")


def broadcast(op: vector.BroadcastOp) -> None:
    """The source's shape is a suffix of the result's, but for extents of one."""
    result = known_vector(op.vector.type)
    source = narrow.vector(op.source.type)
    if source is None:
        return
    if source.get_num_dims() > result.get_num_dims():
        raise VerifyException("source rank higher than destination rank")
    trailing = extents(result)[result.get_num_dims() - source.get_num_dims() :]
    for one, other in zip(extents(source), trailing, strict=True):
        if one not in ((1, False), other):
            raise VerifyException(f"dimension mismatch ({_extent(*one)} vs. {_extent(*other)})")


def _extent(size: int, scalable: bool) -> str:
    return f"[{size}]" if scalable else str(size)


def deinterleave(op: rows.vector.DeinterleaveOp) -> None:
    """Each result has half of the last dimension."""
    source, result = known_vector(op.source.type).get_shape(), known_vector(op.res1.type).get_shape()
    if source[-1] % 2:
        raise VerifyException(
            "failed to verify that the trailing dimension of the source vector has an even number of elements"
        )
    if source[-1] != 2 * result[-1]:
        raise VerifyException(
            "failed to verify that the trailing dimension of the results is half the width of source trailing dimension"
        )


def interleave(op: rows.vector.InterleaveOp) -> None:
    """The result has twice the last dimension."""
    source, result = known_vector(op.lhs.type).get_shape(), known_vector(op.result.type).get_shape()
    if result[-1:] != (2 * source[-1] if source else 2,):
        raise VerifyException("failed to verify that type of 'result' is double the width of the inputs")


def _positions(static: Sequence[int], kind: Attribute, of: str, end: str) -> None:
    shape = known_vector(kind).get_shape()
    if len(static) > len(shape):
        raise VerifyException(f"expected position attribute of rank no greater than {of}vector rank")
    for place, (position, extent) in enumerate(zip(static, shape, strict=False), 1):
        # A position that is a value is marked; -1 stands for a poisoned one.
        if position not in {DYNAMIC_INDEX, -1} and not 0 <= position < extent:
            raise VerifyException(
                f"expected position attribute #{place} to be a non-negative integer smaller than the corresponding "
                f"{of}vector dimension{end}"
            )


def _same_dynamic(op: vector.ExtractOp | vector.InsertOp) -> None:
    if list(op.static_position.get_values()).count(DYNAMIC_INDEX) != len(op.dynamic_position):
        raise VerifyException(
            "mismatch between dynamic and static positions (kDynamic marker but no corresponding dynamic position) -- "
            "this can only happen due to an incorrect fold/rewrite"
        )


def extract(op: vector.ExtractOp) -> None:
    """The position is in the vector, and the result is what is there."""
    _same_dynamic(op)
    position = op.static_position.get_values()
    kind = known_vector(op.vector.type)
    _positions(position, kind, "", " or poison (-1)")
    rest = extents(kind)[len(position) :]
    found = narrow.vector(op.result.type)
    if found is not None and not found.get_num_dims():
        raise PlainVerifyException("expected a scalar instead of a 0-d vector as the result type")
    whole = found is not None and extents(found) == rest if rest else found is None or extents(found) == [(1, False)]
    if not whole:
        inferred = spelled(rest, kind.element_type) if rest else str(kind.element_type)
        raise VerifyException(
            f"inferred type(s) '{inferred}' are incompatible with return type(s) of operation '{op.result.type}'"
        )


def insert(op: vector.InsertOp) -> None:
    """The position is in the destination, and the source fits there."""
    position, dest = op.static_position.get_values(), known_vector(op.dest.type)
    _positions(position, dest, "dest ", "")
    source = narrow.vector(op.source.type)
    if source is not None and not source.get_num_dims():
        raise PlainVerifyException("expected a scalar instead of a 0-d vector as the source operand")
    if source is None:
        if len(position) != dest.get_num_dims():
            raise VerifyException("expected position attribute rank to match the dest vector rank")
    elif len(position) + source.get_num_dims() != dest.get_num_dims():
        raise VerifyException("expected position attribute rank + source rank to match dest vector rank")
    _same_dynamic(op)


def reduction(op: vector.ReductionOp) -> None:
    """A combination that the elements have, of one dimension."""
    kind, source = known_vector(op.vector.type), op.kind.data
    if kind.get_num_dims() > 1:
        raise VerifyException(f"unsupported reduction rank: {kind.get_num_dims()}")
    name = source.value
    floating = isinstance(kind.element_type, AnyFloat)
    if (floating and name in _INTEGER_KINDS) or (not floating and name in _FLOAT_KINDS):
        raise VerifyException(f"unsupported reduction type ''{op.dest.type}'' for kind '{name}'")


def shuffle(op: vector.ShuffleOp) -> None:
    """Both agree but for the first dimension, and each place is in one of them."""
    left, right, result = (known_vector(value.type).get_shape() for value in (op.v1, op.v2, op.result))
    if len(left) != len(right) or len(result) != (len(left) or 1):
        raise VerifyException("rank mismatch")
    for dim, (one, other, found) in enumerate(zip(left[1:], right[1:], result[1:], strict=True), 1):
        if one != other or one != found:
            raise VerifyException(f"dimension mismatch #{dim}")
    length = len(op.mask.get_values())
    if not length or length != result[0]:
        raise VerifyException("mask length mismatch" if length else "invalid mask length")
    lanes = sum((known_vector(value.type).get_shape() or (1,))[0] for value in (op.v1, op.v2))
    for place, index in enumerate(op.mask.get_values(), 1):
        if index != -1 and not 0 <= index < lanes:
            raise VerifyException(f"mask index #{place} out of range")


def _elements(vector_index: str, name: str, values: str) -> Callable[[Any], None]:
    """The check of an operation between a vector and all of its elements."""

    def check(op: Operation) -> None:
        kind = op.result_types[0] if vector_index == "result" else op.operand_types[0]
        elements = op.operand_types if vector_index == "result" else op.result_types
        shaped = known_vector(kind)
        if len(elements) != shaped.element_count() or any(found != shaped.element_type for found in elements):
            raise VerifyException(
                f"failed to verify that shaped type '{name}' matches '{values}' element count and types"
            )

    return check


def _moved(op: rows.vector.LoadOp | rows.vector.StoreOp, base: Attribute, kind: Attribute, name: str, low: str) -> None:
    """A vector between a memref and registers: unit stride, as many dimensions, the same elements, all indices."""
    memref, found = narrow.memref(base), known_vector(kind)
    assert memref is not None
    layout = strided(memref)
    if found.element_count() != 1 and memref.get_num_dims() and (layout is None or layout[0][-1] != 1):
        raise VerifyException("most minor memref dim must have unit stride")
    inner = narrow.vector(memref.element_type)
    if inner is not None and inner != found:
        raise VerifyException(f"base memref and {name.removesuffix('ToStore')} vector types should match")
    if inner is None and memref.get_num_dims() < found.get_num_dims():
        raise VerifyException(low)
    if inner is None and memref.element_type != found.element_type:
        kinds = "types" if name == "result" else "type"
        raise VerifyException(f"base and {name} element {kinds} should match")
    if len(op.indices) != memref.get_num_dims():
        raise VerifyException(f"requires {memref.get_num_dims()} indices")


def load(op: rows.vector.LoadOp) -> None:
    """The base has an innermost stride of one, and elements or vectors that fit."""
    low = "destination memref has lower rank than the result vector"
    _moved(op, op.operands[0].type, op.result_types[0], "result", low)


def store(op: rows.vector.StoreOp) -> None:
    """The base has an innermost stride of one, and elements or vectors that fit."""
    low = "source memref has lower rank than the vector to store"
    _moved(op, op.operands[1].type, op.operands[0].type, "valueToStore", low)


from_elements = _elements("result", "dest", "elements")
to_elements = _elements("operand", "source", "elements")
