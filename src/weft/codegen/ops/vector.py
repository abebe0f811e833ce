"""`vector` in registers: elements, slices, shapes, reductions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineMap

from weft.codegen import floats, linear
from weft.codegen.combine import combine_all, combine_scalars
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import refloated, resized
from weft.codegen.ops.arith_int import choose_scalar
from weft.codegen.ops.llvm_data import pick
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, is_vector, scalar
from weft.codegen.vectors import elements, pack, splat
from weft.dialects import narrow
from weft.dialects.narrow import known_vector
from weft.mlir import compile_error

if TYPE_CHECKING:
    from xdsl.dialects.vector import CreateMaskOp, ExtractOp, InsertOp, ReductionOp, ShuffleOp

    from weft.dialects.rows import vector

_DYNAMIC = -9223372036854775808


def _all(s: Selector, value: Any) -> tuple[Any, ...]:
    """The elements of an SSA vector, or the scalar as one element."""
    if is_vector(value.type):
        return elements(s, s.get(value), value.type)
    return (s.get(value),)


def _bind(s: Selector, result: Any, parts: Any) -> None:
    type_ = result.type
    s.values[result] = pack(s, tuple(parts), type_) if is_vector(type_) else next(iter(parts))


def _position(s: Selector, op: ExtractOp | InsertOp, dynamic: Sequence[SSAValue]) -> list[Lin]:
    static: tuple[int, ...] = op.static_position.get_values()
    operands = iter(dynamic)
    return [s.int(next(operands)) if p == _DYNAMIC else linear.const(p) for p in static]


def _flat(position: list[Lin], shape: Any) -> tuple[Lin, int]:
    """The first element of the slice at a position, and the number of elements in it."""
    inner = prod(shape[len(position) :])
    index = linear.const(0)
    for p, extent in zip(position, shape, strict=False):
        index = linear.add(linear.scaled(index, extent), p)
    return linear.scaled(index, inner), inner


@handles("vector.extract")
def select_extract(s: Selector, op: ExtractOp) -> None:
    """An element or a slice."""
    source, result = op.operands[0], op.results[0]
    position = _position(s, op, op.operands[1:])
    shape = known_vector(source.type).get_shape()
    start, count = _flat(position, shape)
    lanes = s.get(source)
    if start.is_const and is_vector(result.type):
        # Rows of packed vectors are whole registers.
        per = prod(shape) // len(lanes) if lanes else 1
        if count % per == 0:
            s.values[result] = lanes[start.const // per : (start.const + count) // per]
            return
    parts = _all(s, source)
    if start.is_const:
        _bind(s, result, parts[start.const : start.const + count])
        return
    index = s.div(start, linear.const(count), signed=False)
    rows = [parts[i : i + count] for i in range(0, len(parts), count)]
    _bind(s, result, [pick(s, tuple(row[k] for row in rows), index) for k in range(count)])


@handles("vector.insert")
def select_insert(s: Selector, op: InsertOp) -> None:
    """A vector with an element or a slice replaced."""
    from weft.codegen.ops.llvm_data import replaced

    value, dest = op.operands[:2]
    position = _position(s, op, op.operands[2:])
    start, count = _flat(position, known_vector(dest.type).get_shape())
    new, old = _all(s, value), _all(s, dest)
    if start.is_const:
        at = start.const
        _bind(s, op.results[0], (*old[:at], *new, *old[at + count :]))
        return
    index = s.div(start, linear.const(count), signed=False)
    rows = [list(old[i : i + count]) for i in range(0, len(old), count)]
    for k in range(count):
        column = replaced(s, tuple(row[k] for row in rows), new[k], index)
        for row, part in zip(rows, column, strict=True):
            row[k] = part
    _bind(s, op.results[0], [part for row in rows for part in row])


def _numbers(attribute: Any) -> list[int]:
    if hasattr(attribute, "get_values"):
        return list(attribute.get_values())
    return [entry.value.data for entry in attribute.data]


def _slice(shape: Any, offsets: list[int], sizes: list[int]) -> list[int]:
    """The flat indices of a slice; trailing dimensions without offset are whole."""
    rest = list(shape[len(offsets) :])
    ranges = [range(o, o + n) for o, n in zip(offsets, sizes, strict=True)] + [range(n) for n in rest]
    flat: list[int] = []
    for position in product(*ranges):
        index = 0
        for p, extent in zip(position, shape, strict=True):
            index = index * extent + p
        flat.append(index)
    return flat


@handles("vector.extract_strided_slice")
def select_slice(s: Selector, op: vector.ExtractStridedSliceOp) -> None:
    """A rectangular part."""
    source, result = op.operands[0], op.results[0]
    shape = known_vector(source.type).get_shape()
    offsets, sizes = _numbers(op.offsets), _numbers(op.sizes)
    flat = _slice(shape, offsets, sizes)
    lanes = s.get(source)
    per = prod(shape) // len(lanes)
    if per > 1 and _whole_lanes(flat, per):
        s.values[result] = tuple(lanes[i // per] for i in flat[::per])
        return
    parts = _all(s, source)
    _bind(s, result, [parts[i] for i in flat])


def _whole_lanes(flat: list[int], per: int) -> bool:
    return len(flat) % per == 0 and all(
        flat[i] % per == 0 and flat[i : i + per] == list(range(flat[i], flat[i] + per))
        for i in range(0, len(flat), per)
    )


@handles("vector.insert_strided_slice")
def select_insert_slice(s: Selector, op: vector.InsertStridedSliceOp) -> None:
    """A vector with a rectangular part replaced."""
    value, dest = op.operands
    shape = known_vector(dest.type).get_shape()
    small = known_vector(value.type).get_shape()
    offsets = _numbers(op.offsets)
    sizes = [1] * (len(shape) - len(small)) + list(small)
    parts = list(_all(s, dest))
    for index, part in zip(_slice(shape, offsets, sizes), _all(s, value), strict=True):
        parts[index] = part
    _bind(s, op.results[0], parts)


@handles("vector.broadcast")
def select_broadcast(s: Selector, op: Operation) -> None:
    """A scalar or a smaller vector repeated."""
    source, result = op.operands[0], op.results[0]
    if not is_vector(source.type):
        s.values[result] = splat(s, s.get(source), result.type)
        return
    parts = _all(s, source)
    have, want = known_vector(source.type).get_shape(), known_vector(result.type).get_shape()
    padded = [1] * (len(want) - len(have)) + list(have)
    out: list[Any] = []
    for position in product(*(range(n) for n in want)):
        index = 0
        for p, extent in zip(position, padded, strict=True):
            index = index * extent + (0 if extent == 1 else p)
        out.append(parts[index])
    _bind(s, result, out)


@handles("vector.shape_cast")
def select_shape_cast(s: Selector, op: Operation) -> None:
    """The same elements in another shape."""
    _bind(s, op.results[0], _all(s, op.operands[0]))


@handles("vector.transpose")
def select_transpose(s: Selector, op: vector.TransposeOp) -> None:
    """Dimensions permuted."""
    source = op.operands[0]
    shape = known_vector(source.type).get_shape()
    order = list(op.permutation.get_values())
    parts = _all(s, source)
    out: list[Any] = []
    for position in product(*(range(shape[axis]) for axis in order)):
        original = [0] * len(shape)
        for axis, p in zip(order, position, strict=True):
            original[axis] = p
        index = 0
        for p, extent in zip(original, shape, strict=True):
            index = index * extent + p
        out.append(parts[index])
    _bind(s, op.results[0], out)


@handles("vector.from_elements")
def select_from_elements(s: Selector, op: Operation) -> None:
    """A vector of given elements."""
    _bind(s, op.results[0], [s.get(v) for v in op.operands])


@handles("vector.to_elements")
def select_to_elements(s: Selector, op: Operation) -> None:
    """Every element of a vector."""
    for result, part in zip(op.results, _all(s, op.operands[0]), strict=True):
        s.values[result] = part


@handles("vector.shuffle")
def select_shuffle(s: Selector, op: ShuffleOp) -> None:
    """Rows of two vectors in a given order."""
    first, second = op.operands
    inner = prod(known_vector(first.type).get_shape()[1:])
    rows = [(*_all(s, v),) for v in (first, second)]
    parts = [p[i : i + inner] for p in rows for i in range(0, len(p), inner)]
    mask = _numbers(op.mask)
    _bind(s, op.results[0], [x for index in mask for x in parts[max(index, 0)]])


@handles("vector.interleave")
def select_interleave(s: Selector, op: Operation) -> None:
    """Elements of two vectors in turn."""
    a, b = (_all(s, v) for v in op.operands)
    _bind(s, op.results[0], [x for pair in zip(a, b, strict=True) for x in pair])


@handles("vector.deinterleave")
def select_deinterleave(s: Selector, op: Operation) -> None:
    """Even and odd elements."""
    parts = _all(s, op.operands[0])
    _bind(s, op.results[0], parts[::2])
    _bind(s, op.results[1], parts[1::2])


@handles("vector.step")
def select_step(s: Selector, op: vector.StepOp) -> None:
    """0, 1, 2, ..."""
    count = prod(known_vector(op.results[0].type).get_shape())
    _bind(s, op.results[0], [linear.const(i) for i in range(count)])


@handles("vector.create_mask", "vector.constant_mask")
def select_mask(s: Selector, op: CreateMaskOp | vector.ConstantMaskOp) -> None:
    """True below the given bounds."""
    shape = known_vector(op.results[0].type).get_shape()
    stated = op.properties.get("mask_dim_sizes")
    bounds = [s.int(v) for v in op.operands] if stated is None else [linear.const(n) for n in _numbers(stated)]
    out: list[Any] = []
    for position in product(*(range(n) for n in shape)):
        test: Any = None
        for p, bound in zip(position, bounds, strict=True):
            one = s.compare("lt", linear.const(p), bound, signed=True)
            test = one if test is None else s.logic("and", test, one)
        out.append(test)
    _bind(s, op.results[0], out)


@handles("vector.reduction")
def select_reduction(s: Selector, op: ReductionOp) -> None:
    """All elements combined, in order, after the accumulator."""
    source = op.operands[0]
    name = combining_kind(op)
    kind = scalar(known_vector(source.type).element_type)
    combine_all(s, op, name, [*map(s.get, op.operands[1:]), *_all(s, source)], kind)


def combining_kind(op: Operation) -> str:
    """The name of the operation that combines the elements."""
    kind = op.properties["kind"]
    assert isinstance(kind, CombiningKindAttr)
    name = kind.data.value
    return {"maxf": "maxnumf", "minf": "minnumf"}.get(name, name)


@handles("vector.multi_reduction")
def select_multi_reduction(s: Selector, op: vector.MultiReductionOp) -> None:
    """Elements combined along some dimensions."""
    source, acc = op.operands
    shape = known_vector(source.type).get_shape()
    dims = set(_numbers(op.reduction_dims))
    kind = scalar(known_vector(source.type).element_type)
    name = combining_kind(op)
    out = list(_all(s, acc))
    parts = _all(s, source)
    mask, s.mask = s.mask, None
    for flat, position in enumerate(product(*(range(n) for n in shape))):
        index = 0
        for axis, p in enumerate(position):
            if axis not in dims:
                index = index * shape[axis] + p
        combined = combine_scalars(s, op, name, out[index], parts[flat], kind)
        out[index] = combined if mask is None else choose_scalar(s, mask[flat], combined, out[index])
    _bind(s, op.results[0], out)


@handles("vector.outerproduct")
def select_outer_product(s: Selector, op: vector.OuterproductOp) -> None:
    """Every product of two elements, added to an accumulator."""
    a, b = (_all(s, v) for v in op.operands[:2])
    kind = scalar(known_vector(op.operands[0].type).element_type)
    acc = _all(s, op.operands[2]) if len(op.operands) > 2 else None
    name = combining_kind(op)
    out: list[Any] = []
    for i, (x, y) in enumerate(product(a, b)):
        if acc is not None:
            out.append(_combined_product(s, op, name, acc[i], x, y, kind))
        else:
            out.append(floats.binary(s, "mul", x, y, kind) if kind.floating else s.mul(x, y))
    _bind(s, op.results[0], out)


def _combined_product(s: Selector, op: Operation, name: str, acc: Any, x: Any, y: Any, kind: Scalar) -> Any:
    """A product of two elements, combined with what stands there; a sum of floats is rounded once."""
    if not kind.floating:
        return combine_scalars(s, op, name, acc, s.mul(x, y), kind)
    if name == "add":
        return floats.fma(s, x, y, acc, kind)
    return combine_scalars(s, op, name, acc, floats.binary(s, "mul", x, y, kind), kind)


@handles("vector.contract")
def select_contract(s: Selector, op: vector.ContractOp) -> None:
    """A contraction of small vectors: products, combined over the reduction dimensions."""
    lhs, rhs, acc = op.operands
    maps = [m.data for m in op.indexing_maps.data]
    kind = scalar(narrow.element(acc.type))
    name = combining_kind(op)
    shapes = [known_vector(v.type).get_shape() if is_vector(v.type) else () for v in (lhs, rhs, acc)]
    extents = [0] * maps[0].num_dims
    for map_, shape in zip(maps, shapes, strict=True):
        for axis, extent in zip(narrow.positions(map_), shape, strict=True):
            extents[axis] = extent
    a, b, out = _extended(s, op, lhs, kind), _extended(s, op, rhs, kind), list(_all(s, acc))
    for position in product(*(range(n) for n in extents)):
        i, j, k = (_flat_index(m, position, shape) for m, shape in zip(maps, shapes, strict=True))
        out[k] = _combined_product(s, op, name, out[k], a[i], b[j], kind)
    _bind(s, op.results[0], out)


def _extended(s: Selector, op: Operation, vector: SSAValue, target: Scalar) -> tuple[Any, ...]:
    """The elements of a multiplicand, of the type in which they are summed."""
    kind = scalar(cast("Any", vector.type).element_type)
    parts = tuple(_all(s, vector))
    if kind == target:
        return parts
    if kind.floating != target.floating or kind.width > target.width:
        raise compile_error(op, f"products of {kind.name} summed as {target.name} have no lowering")
    if kind.floating:
        return tuple(refloated(s, part, kind, target) for part in parts)
    return tuple(resized(s, part, kind, target, signed=True) for part in parts)


def _flat_index(map_: AffineMap, position: tuple[int, ...], shape: tuple[int, ...]) -> int:
    index = 0
    for axis, extent in zip(narrow.positions(map_), shape, strict=True):
        index = index * extent + position[axis]
    return index
