"""What the operations of `tile` demand beyond their rows.

Raises VerifyException, as all checks do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects.tile.arithmetic import FUNCTIONS
from weft.dialects.tile.memory import boxes_of, buffer_type, known_divisors, matrix_shape, verify_alignment
from weft.dialects.tile.types import GLOBAL, LOCAL, SHARED, TENSOR, BufferType

if TYPE_CHECKING:
    from weft.dialects.rows import tile

SCOPES = ("thread", "warp", "warpgroup", "cta")
"""Who copies together."""

REDUCTIONS = ("add", "mul", "max", "min", "and", "or", "xor")
"""How elements are combined."""

STORE_REDUCTIONS = ("add", "min", "max", "inc", "dec", "and", "or", "xor")
"""How a tensor store combines."""


def _expect(holds: object, what: str, *given: object) -> None:
    """Refuse what does not hold: `what`, with `given` in it, was expected."""
    if not holds:
        raise VerifyException(f"expected {what.format(*given)}")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def _local(value: SSAValue, what: str) -> BufferType:
    type = buffer_type(value)
    _expect(type.space.data == LOCAL, "{} in registers, found one in {} memory", what, type.space.data)
    return type


def _in(value: SSAValue, name: str, *spaces: str) -> None:
    _expect(buffer_type(value).space.data in spaces, "'{}' in space {}", name, " or ".join(spaces))


# Memory


def alloc(op: tile.AllocOp) -> None:
    """Shared or local; the alignment a power of two."""
    space = buffer_type(op.buffer).space.data
    _expect(space != GLOBAL, "a shared or a local buffer: global memory is viewed, not allocated")
    if op.alignment is not None:
        verify_alignment(op.alignment.value.data)
        if space == LOCAL:
            raise VerifyException("registers have no alignment")


def address(op: tile.AddressOp) -> None:
    """The buffer is in shared memory; a coordinate for each dimension, or none."""
    type = buffer_type(op.buffer)
    _expect(type.space.data == SHARED, "a buffer in shared memory")
    if op.indices:
        _expect(len(op.indices) == len(type.shape), "{} coordinates, found {}", len(type.shape), len(op.indices))


def element(op: tile.LoadOp | tile.StoreOp) -> None:
    """A coordinate for each dimension of a buffer in memory, and an element of its type."""
    type, found = buffer_type(op.buffer), op.element.type
    _expect(type.space.data != LOCAL, "a buffer in memory: elements in registers are read with tile.extract")
    _expect(len(op.indices) == len(type.shape), "{} coordinates, found {}", len(type.shape), len(op.indices))
    _expect(found == type.element, "an element of type {}, found {}", type.element, found)


def place(op: tile.ExtractOp | tile.InsertOp) -> None:
    """A place that there is."""
    type, index = _local(op.buffer, "a buffer"), op.index.value.data
    _expect(0 <= index < type.span, "a place in 0 to {}, found {}", type.span - 1, index)


def reshape(op: tile.ReshapeOp) -> None:
    """The same elements in the same layout, in registers or shared memory."""
    source, result = buffer_type(op.source), buffer_type(op.buffer)
    space = source.space.data
    _expect(space in (LOCAL, SHARED), "a tile in registers or shared memory, found one in {}", space)
    same = (source.element, source.space, source.layout) == (result.element, result.space, result.layout)
    _expect(same, "the same elements and the same layout")


# What is computed in registers


def fill(op: tile.FillOp) -> None:
    """The value is of the element type."""
    type = _local(op.dst, "a buffer")
    _expect(op.element.type == type.element, "a value of type {}, found {}", type.element, op.element.type)


def iota(op: tile.IotaOp) -> None:
    """A dimension that there is, of a buffer of 32-bit integers."""
    type = _local(op.dst, "a buffer")
    _expect(type.element == i32, "elements of type i32, found {}", type.element)
    _dimension(op.dimension.value.data, type)


def _dimension(dimension: int, type: BufferType) -> None:
    _expect(0 <= dimension < len(type.shape), "a dimension in 0 to {}", len(type.shape) - 1)


def elementwise(op: tile.ElementwiseOp) -> None:
    """A function that there is, of as many operands, whose shapes broadcast to the destination's."""
    extents, function = _local(op.dst, "a destination").shape, op.function.data
    _expect(function in FUNCTIONS, "a function of {}, found '{}'", _listed(FUNCTIONS), function)
    count = FUNCTIONS[function]
    _expect(len(op.sources) == count, "{} operands of '{}', found {}", count, function, len(op.sources))
    for source in op.sources:
        if isinstance(source.type, BufferType):
            shape = _local(source, "an operand").shape
            fits = len(shape) == len(extents) and all(a in (1, b) for a, b in zip(shape, extents, strict=True))
            _expect(fits, "an operand of shape {}, found {}", list(extents), list(shape))


def reduce(op: tile.ReduceOp) -> None:
    """Tiles of one element type; the destination is the source with extent 1 in the dimension."""
    dst, src = _local(op.dst, "a destination"), _local(op.src, "a source")
    _expect(op.function.data in REDUCTIONS, "a function of {}, found '{}'", _listed(REDUCTIONS), op.function.data)
    dimension = op.dimension.value.data
    _dimension(dimension, src)
    shape = (*src.shape[:dimension], 1, *src.shape[dimension + 1 :])
    alike = dst.shape == shape and dst.element == src.element
    _expect(alike, "a destination of shape {} and type {}", list(shape), src.element)


# Copies


def copy(op: tile.CopyOp | tile.CopyAsyncOp) -> None:
    """A scope that there is; regions in their buffers and of the same extents; bounds for global memory only."""
    _expect(op.scope.data in SCOPES, "a scope of {}, found '{}'", _listed(SCOPES), op.scope.data)
    dst, src = buffer_type(op.dst), buffer_type(op.src)
    _expect(dst.element == src.element, "operands of one element type, found {} and {}", dst.element, src.element)
    extents: list[list[int]] = []
    for region, type in zip(boxes_of(op), (dst, src), strict=True):
        inside = len(region) == len(type.shape) and all(
            0 <= begin < end <= extent for (begin, end), extent in zip(region, type.shape, strict=True)
        )
        _expect(inside, "a region of a buffer of shape {}, found {}", list(type.shape), region)
        extents.append([end - begin for begin, end in region if end - begin > 1])
    _expect(extents[0] == extents[1], "regions of the same extents, found {} and {}", extents[0], extents[1])
    if op.bounds:
        outside = [type for type in (dst, src) if type.space.data == GLOBAL]
        _expect(len(outside) == 1, "bounds of a copy with one operand in global memory")
        rank, divisors = len(outside[0].shape), known_divisors(op)
        _expect(len(op.bounds) == rank, "a bound for each of {} dimensions", rank)
        known = len(divisors) == len(op.bounds) and all(each >= 0 for each in divisors)
        _expect(known, "a divisor for each of {} bounds", len(op.bounds))


def copy_async(op: tile.CopyAsyncOp) -> None:
    """A copy from global to shared memory."""
    copy(op)
    spaces = (buffer_type(op.src).space.data, buffer_type(op.dst).space.data)
    _expect(spaces == (GLOBAL, SHARED), "an asynchronous copy from global to shared memory")


def async_wait(op: tile.AsyncWaitOp) -> None:
    """A number of groups."""
    _expect(op.groups.value.data >= 0, "a number of groups, 0 or more")


def sync(op: tile.SyncOp) -> None:
    """A warp, a warpgroup or the block."""
    scopes = SCOPES[1:]
    _expect(op.scope.data in scopes, "a scope of {}, found '{}'", _listed(scopes), op.scope.data)


def _box(tile: SSAValue, dimensions: Sequence[int], coordinates: int) -> None:
    """A tile in shared memory, whose dimensions are some of a tensor's."""
    type = buffer_type(tile)
    _expect(type.space.data == SHARED, "a tile in shared memory")
    known = len(dimensions) == len(type.shape) and all(-1 <= each < coordinates for each in dimensions)
    _expect(known, "a dimension of the tensor for each dimension of the tile")


def tensor_load(op: tile.TensorLoadOp) -> None:
    """A tile in shared memory, whose dimensions are some of the tensor's."""
    _box(op.dst, op.dimensions.get_values(), len(op.coordinates))


def tensor_store(op: tile.TensorStoreOp) -> None:
    """A tile in shared memory, whose dimensions are some of the tensor's; a reduction that there is."""
    _box(op.src, op.dimensions.get_values(), len(op.coordinates))
    if op.reduction is not None:
        found = op.reduction.data
        _expect(found in STORE_REDUCTIONS, "a reduction of {}, found '{}'", _listed(STORE_REDUCTIONS), found)


def tensor_read(op: tile.TensorReadOp) -> None:
    """From tensor memory to registers, of one shape."""
    _in(op.dst, "dst", LOCAL)
    _in(op.src, "src", TENSOR)
    _alike(op.dst, op.src)


def tensor_write(op: tile.TensorWriteOp) -> None:
    """From registers to tensor memory, of one shape."""
    _in(op.dst, "dst", TENSOR)
    _in(op.src, "src", LOCAL)
    _alike(op.dst, op.src)


def _alike(dst: SSAValue, src: SSAValue) -> None:
    to, of = buffer_type(dst), buffer_type(src)
    _expect(matrix_shape(to) == matrix_shape(of) and to.element == of.element, "tiles of one shape and one type")


# Products


def _product(d: BufferType, a: BufferType, b: BufferType, halves: int = 1, stored: int = 1) -> None:
    """The extents of matrices meet in d += a * b, where `b` is one of so many parts, and of so many elements of `a` one
    is stored.
    """
    (m, k), (depth, n) = matrix_shape(a), matrix_shape(b)
    meet = matrix_shape(d) == (m, n * halves) and k * stored == depth
    _expect(meet, "extents that meet, found {} times {} for {}", list(a.shape), list(b.shape), list(d.shape))


def gemm(op: tile.GemmOp) -> None:
    """Matrices in registers whose extents meet."""
    d, a, b = (_local(value, f"'{name}'") for value, name in ((op.d, "d"), (op.a, "a"), (op.b, "b")))
    _expect(len(d.shape) == len(a.shape) == len(b.shape) == 2, "matrices")
    if op.metadata is not None:
        _local(op.metadata, "'metadata'")
    _product(d, a, b, stored=2 if op.metadata is not None else 1)


def gemm_async(op: tile.GemmAsyncOp) -> None:
    """Matrices whose extents meet, in the memories that they must be in."""
    d, a, b = (buffer_type(x) for x in (op.d, op.a, op.b))
    placed = d.space.data == LOCAL and a.space.data in (SHARED, LOCAL) and b.space.data == SHARED
    _expect(placed, "'d' in registers, 'a' in shared memory or registers, 'b' in shared memory")
    _product(d, a, b, stored=2 if op.metadata is not None else 1)
    if op.metadata is not None:
        _expect(buffer_type(op.metadata).space.data == LOCAL, "'metadata' in registers")


def gemm_tensor(op: tile.GemmTensorOp) -> None:
    """Matrices whose extents meet, in the memories that they must be in."""
    _in(op.d, "d", TENSOR)
    _in(op.a, "a", SHARED, TENSOR)
    _in(op.b, "b", SHARED)
    _product(*(buffer_type(x) for x in (op.d, op.a, op.b)), halves=1 + (op.pair is not None))


def gemm_scaled(op: tile.GemmScaledOp) -> None:
    """Matrices whose extents meet, in the memories that they must be in."""
    d, a, b = (buffer_type(x) for x in (op.d, op.a, op.b))
    wanted = SHARED if d.space.data == TENSOR else LOCAL
    for value, name in ((op.a, "a"), (op.b, "b"), (op.scale_a, "scale_a"), (op.scale_b, "scale_b")):
        _in(value, name, wanted)
    _product(d, a, b, halves=1 + (op.pair is not None))
