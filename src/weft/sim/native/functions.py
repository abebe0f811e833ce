"""NumPy's functions that are no ufuncs, for arrays that write code; `of` is one that takes part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.sim.native.code import LANES, NotTraced, constant
from weft.sim.types import BOOL

_WORD = np.dtype(np.uint32)
_np: Any = np


def _where(of: Any, condition: Any, a: Any, b: Any) -> Any:
    sources = [condition, a, b]
    shape = np.broadcast_shapes(*(one.shape if hasattr(one, "code") else np.shape(one) for one in sources))
    dtype = np.result_type(*(one.dtype if hasattr(one, "code") else one for one in (a, b)))
    test = of.lift(condition, BOOL, shape)
    yes, no = of.lift(a, dtype, shape), of.lift(b, dtype, shape)
    return test.like(of.code.pure(f"select {test.typed}, {yes.typed}, {no.typed}"), dtype)


def _clip(of: Any, x: Any, low: Any, high: Any) -> Any:
    return _np.minimum(_np.maximum(x, low), high)


def _broadcast_to(of: Any, x: Any, shape: Any) -> Any:
    return of.lift(x, x.dtype, tuple(shape))


def _broadcast_arrays(of: Any, *arrays: Any) -> tuple[Any, ...]:
    return tuple(of.lift(one, one.dtype, of.shape) for one in arrays)


def _true(of: Any, x: Any) -> bool:
    """Ways that are only shorter are not taken: the general one is always right."""
    return True


def _false(of: Any, x: Any) -> bool:
    return False


def _ndim(of: Any, x: Any) -> int:
    return x.ndim


def _shape(of: Any, x: Any) -> tuple[int, ...]:
    return x.shape


def _zeros_like(of: Any, x: Any) -> Any:
    return of.lift(0, x.dtype, x.shape)


def _itself(of: Any, x: Any) -> Any:
    return x


def _take_along_axis(of: Any, values: Any, indices: Any, axis: int) -> Any:
    """Elements of other lanes, by way of memory."""
    source, index = of.lift(values, values.dtype, (LANES,)), of.lift(indices, np.dtype(np.int64), (LANES,))
    code, kept = of.code, source.astype(np.uint32) if source.dtype == BOOL else source
    code.scratch = max(code.scratch, LANES * 8)
    code.line(f"store {kept.typed}, ptr %scratch, align 64")
    places = code.value(f"getelementptr i{8 * kept.itemsize}, ptr %scratch, <32 x i64> {index.name}")
    word = f"i{8 * kept.itemsize}"
    name = f"llvm.masked.gather.v32{word}.v32p0"
    words = kept.view(f"u{kept.itemsize}")
    lanes = f"<32 x ptr> align {kept.itemsize} {places}, <32 x i1> splat (i1 true)"
    found = code.value(f"call {words.type} @{name}({lanes}, {words.type} poison)")
    result = words.like(found).view(kept.dtype)
    return (result.astype(BOOL) if source.dtype == BOOL else result).reshape(np.shape(indices))


def _copyto(of: Any, to: Any, values: Any, **_: Any) -> None:
    """Assign to a destination, which only the lanes that take part keep (`weft.sim.native.emit`)."""
    to[slice(0, LANES)] = values


def _packbits(of: Any, bits: Any, axis: int, bitorder: str) -> Any:
    """Booleans as bits of bytes, lane 0 in the lowest."""
    if bits.dtype != BOOL or bits.shape[-1] % 8 or bitorder != "little":
        raise NotTraced("bits in another order")
    shape = (*bits.shape[:-1], bits.shape[-1] // 8)
    return bits.like(of.code.pure(f"bitcast {bits.typed} to <{bits.size // 8} x i8>"), np.dtype(np.uint8), shape)


def _stack(of: Any, arrays: Any, axis: int = 0) -> Any:
    """Arrays side by side: elements of a first one, then of the next."""
    parts = [of.lift(one, arrays[0].dtype, arrays[0].shape).reshape(-1) for one in arrays]
    size, count = parts[0].size, len(parts)
    whole, width = parts, size
    while len(whole) > 1:
        if len(whole) % 2:
            whole.append(whole[-1])
        order = constant(np.arange(2 * width), _WORD, 2 * width)
        whole = [
            a.like(of.code.pure(f"shufflevector {a.typed}, {b.typed}, <{2 * width} x i32> {order}"), shape=(2 * width,))
            for a, b in zip(whole[::2], whole[1::2], strict=True)
        ]
        width *= 2
    index: Any = _np.stack(_np.arange(size * count).reshape(count, *arrays[0].shape), axis=axis)
    return whole[0][index.reshape(-1)].reshape(index.shape)


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.where: _where,
    np.clip: _clip,
    np.copyto: _copyto,
    np.any: _true,
    np.count_nonzero: _true,
    np.all: _false,
    np.ndim: _ndim,
    np.shape: _shape,
    np.zeros_like: _zeros_like,
    np.atleast_1d: _itself,
    np.broadcast_to: _broadcast_to,
    np.broadcast_arrays: _broadcast_arrays,
    np.take_along_axis: _take_along_axis,
    np.packbits: _packbits,
    np.stack: _stack,
}
