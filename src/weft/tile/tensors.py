"""Tensors: the arguments of kernels in global memory."""

from __future__ import annotations

from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import i8, i64
from xdsl.ir import Operation, SSAValue

from weft.dialects.engine.making import new
from weft.dialects.llvm.pointers import element_pointer
from weft.dialects.tile.memory import view
from weft.dialects.tile.types import GLOBAL, BufferType
from weft.layout import Axis, Iter, TileLayout
from weft.tile.dtypes import DType
from weft.tile.dtypes import i32 as int32
from weft.tile.regions import Region, as_items, indexed
from weft.tile.scalars import Scalar, is_number, scalar
from weft.tile.trace import current, error

if TYPE_CHECKING:
    from collections.abc import Sequence

_DYNAMIC = -(1 << 31)
_LIMIT = 1 << 31
"""The ordering of an access that is not atomic."""
POINTER_ALIGNMENT = 16
"""Bytes to which the pointers that kernels get are aligned."""


class Tensor:
    """A kernel argument: a tensor in global memory, whose extents and strides may be known only at run time.

    `shape` and `strides` (in elements) are integers or scalars.  A region `A[i:i + 64, k:k + 32]` may reach out of
    bounds: elements out of bounds are read as zero and not written.  `A[i]` of a tensor of several dimensions is a
    tensor; it knows the kernel's `parameter`, the coordinates in it (`prefix`), and its strides.
    """

    space = GLOBAL

    def __init__(
        self, pointer: SSAValue, kind: DType, shape: Sequence[Any], strides: Sequence[Any], parameter: str | None = None
    ) -> None:
        self.pointer = pointer
        self.parameter = parameter
        self.prefix: tuple[Any, ...] = ()
        self.all_strides = tuple(strides)
        self._divisor = 0
        self.dtype = kind
        self.shape = tuple(shape)
        self.strides = tuple(strides)

    def __repr__(self) -> str:
        return f"<tensor of {self.dtype} in {self.space} memory>"

    def __getitem__(self, given: object) -> Any:
        items = as_items(given)
        rest = self.shape[len(items) :]
        if all(is_number(x) for x in items) and not all(isinstance(x, int) for x in rest):
            return self._inner(items)
        found = indexed(self, self.shape, given)
        if isinstance(found, Region):
            return found
        pointer = self.element_pointer(found)
        op = new("llvm.load", pointer, results=[self.dtype.mlir], ordering=0)
        return Scalar(current().value(op), self.dtype)

    def _inner(self, items: tuple[Any, ...]) -> Tensor:
        """The tensor of the other dimensions at coordinates of the first."""
        count = len(items)
        first = indexed(self, self.shape[:count], items)
        assert isinstance(first, tuple)
        pointer, divisor = self._start((*first, *[0] * (len(self.shape) - count)))
        found = Tensor(pointer, self.dtype, self.shape[count:], self.strides[count:])
        found._divisor = divisor
        found.parameter, found.prefix = self.parameter, (*self.prefix, *first)
        found.all_strides = self.all_strides
        return found

    def rows(self, start: Any, stop: Any) -> Tensor:
        """The tensor's rows `start` to `stop` - 1, numbers known when the kernel runs: its regions end there."""
        whole = isinstance(start, int) and start == 0
        pointer, divisor = (
            (self.pointer, self._divisor) if whole else self._start((start, *[0] * (len(self.shape) - 1)))
        )
        found = Tensor(pointer, self.dtype, (stop - start, *self.shape[1:]), self.strides)
        found._divisor = divisor
        return found

    def __setitem__(self, given: object, value: Any) -> None:
        found = indexed(self, self.shape, given)
        if isinstance(found, Region):
            raise error("cannot assign to a region", "use copy(region, tile); only single elements are assigned")
        pointer = self.element_pointer(found)
        element = scalar(value, self.dtype).value
        current().add(new("llvm.store", element, pointer, ordering=0))

    def __len__(self) -> int:
        raise error("use `shape` for the extents of a tensor")

    def __bool__(self) -> bool:
        raise error("a tensor has no truth value", "compare one of its elements")

    def __iter__(self) -> Any:
        raise error("Python cannot iterate over a tensor", "use `range` over its extents with tensor[i, j]")

    def element_pointer(self, coordinates: Sequence[Any]) -> SSAValue:
        """The pointer to one element."""
        return self._start(coordinates)[0]

    def view(self, starts: Sequence[Any], sizes: Sequence[int], kept: Sequence[bool]) -> tuple[SSAValue, list[Scalar]]:
        """The buffer that a region is, and for each dimension how many of its elements exist (none if all do).

        Dimensions that are not `kept` were indexed by one coordinate, which is taken to exist.
        """
        pointer, divisor = self._start(starts)
        runtime: list[tuple[str, SSAValue, int]] = []
        shard: list[Iter] = []
        for dimension, (size, stride) in enumerate(zip(sizes, self.strides, strict=True)):
            if isinstance(stride, Scalar):
                name = f"ld{dimension}"
                if size > 1:
                    runtime.append((name, stride.value, max(1, stride.divisor)))
                    shard.append(Iter(size, 1, Axis(name)))
                    continue
                stride = 1
            shard.append(Iter(size, stride, Axis("m")))
        type = BufferType.of(sizes, self.dtype.mlir, GLOBAL, TileLayout(shard))
        size_bytes = self.dtype.bits // 8
        alignment = gcd(POINTER_ALIGNMENT, divisor * size_bytes) if divisor else POINTER_ALIGNMENT
        buffer = current().value(view(pointer, type, runtime, alignment))
        return buffer, self._bounds(starts, sizes, kept)

    def _start(self, starts: Sequence[Any]) -> tuple[SSAValue, int]:
        """The pointer to an element, and what divides its distance from the tensor's start (0 at the start)."""
        divisor = self._divisor
        for start, stride in zip(starts, self.strides, strict=True):
            divisor = gcd(divisor, _divisor(start) * _divisor(stride))
        if self._small:
            return self._near(starts), divisor
        pointer = self.pointer
        for start, stride in zip(starts, self.strides, strict=True):
            if not (isinstance(start, int) and start == 0):
                pointer = _far(pointer, start, stride, self.dtype)
        return pointer, divisor

    @cached_property
    def _small(self) -> bool:
        """Whether distances are known to fit 32 bits."""
        if not all(isinstance(x, int) for x in (*self.shape, *self.strides)):
            return False
        last = sum((extent - 1) * stride for extent, stride in zip(self.shape, self.strides, strict=True))
        return max(last, *self.strides) < _LIMIT

    def _near(self, starts: Sequence[Any]) -> SSAValue:
        """The pointer to an element, its distance computed in 32 bits."""
        distance: Any = 0
        for start, stride in zip(starts, self.strides, strict=True):
            distance = start * stride + distance
        if isinstance(distance, int):
            return current().value(advanced(self.pointer, distance, self.dtype)) if distance else self.pointer
        return current().value(advanced(self.pointer, distance.value, self.dtype))

    def _bounds(self, starts: Sequence[Any], sizes: Sequence[int], kept: Sequence[bool]) -> list[Scalar]:
        left: list[Any] = []
        for start, size, extent, checked in zip(starts, sizes, self.shape, kept, strict=True):
            known = isinstance(start, int) and isinstance(extent, int) and start + size <= extent
            left.append(extent - start if checked and not known else size)
        if all(isinstance(x, int) and x >= size for x, size in zip(left, sizes, strict=True)):
            return []
        return [scalar(x, int32) for x in left]


def _divisor(x: Any) -> int:
    return abs(x) if isinstance(x, int) else x.divisor


def _far(pointer: SSAValue, start: Any, stride: Any, kind: DType) -> SSAValue:
    """The pointer `start * stride` elements on, computed in 64 bits."""
    trace = current()
    if isinstance(start, int) and isinstance(stride, int):
        return trace.value(advanced(pointer, start * stride, kind))
    value = _wide(start)
    if not (isinstance(stride, int) and stride == 1):
        op = arith.MuliOp.create(operands=[value, _wide(stride)], result_types=[i64], properties=_no_flags())
        value = trace.value(op)
    return trace.value(advanced(pointer, value, kind))


def _no_flags() -> dict[str, Any]:
    return {"overflowFlags": arith.IntegerOverflowAttr("none")}


def _wide(x: Any) -> SSAValue:
    trace = current()
    if isinstance(x, int):
        return trace.constant64(x)
    if x.value.type == i64:
        return x.value
    made = arith.ExtUIOp if x.nonnegative else arith.ExtSIOp
    return trace.value(made.create(operands=[x.value], result_types=[i64]))


def advanced(pointer: SSAValue, index: SSAValue | int, kind: DType) -> Operation:
    """The pointer some elements of a type on."""
    return element_pointer(pointer, index, kind.mlir if kind.bits > 8 else i8)
