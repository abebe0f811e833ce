"""NumPy arrays that Triton takes for tensors: they have the methods that Triton and its kernels' callers ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt


class Array(np.ndarray[Any, np.dtype[Any]]):
    """An array with the few methods of a tensor that launches, autotuning and tensor descriptors need.

    It shares the memory of the array that it is a view of, so that results are seen in both.
    """

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """What a ufunc gives: numbers where NumPy gives numbers."""
        return array[()] if return_scalar or not array.ndim else super().__array_wrap__(array, context, return_scalar)

    def data_ptr(self) -> int:
        """The address of the first element."""
        address = int(self.__array_interface__["data"][0])
        whole: npt.NDArray[Any] = self
        while isinstance(whole.base, np.ndarray):
            whole = whole.base
        _TAKEN[address] = whole  # Views come and go while their memory stays.
        return address

    def stride(self, axis: int | None = None) -> Any:
        """The steps between elements, in elements: of all axes (a tuple), or of one."""
        steps = tuple(step // self.itemsize for step in self.strides)
        return steps if axis is None else steps[axis]

    def element_size(self) -> int:
        """Bytes of an element."""
        return self.itemsize

    def numel(self) -> int:
        """Elements of the array."""
        return self.size

    def dim(self) -> int:
        """Axes of the array."""
        return self.ndim

    def is_contiguous(self) -> bool:
        """Whether the elements lie one after the other, the last axis fastest."""
        return self.flags.c_contiguous

    def contiguous(self) -> Array:
        """The array itself where it is contiguous, else a copy that is."""
        return self if self.flags.c_contiguous else asarray(np.ascontiguousarray(self))

    def clone(self) -> Array:
        """A copy, as the autotuner makes one of what a kernel changes."""
        return asarray(self.copy())

    def copy_(self, other: npt.ArrayLike) -> Array:
        """Take the elements of another array."""
        self[...] = other
        return self

    def zero_(self) -> Array:
        """Set all elements to zero."""
        self[...] = 0
        return self

    def fill_(self, value: complex) -> Array:
        """Set all elements to a value."""
        self[...] = value
        return self

    def cpu(self) -> Array:
        """The array itself: that of the host is that of the device."""
        return self

    def numpy(self) -> np.ndarray[Any, np.dtype[Any]]:
        """The same memory as a plain array."""
        return self.view(np.ndarray)


_TAKEN: WeakValueDictionary[int, npt.NDArray[Any]] = WeakValueDictionary()


def taken() -> Iterator[npt.NDArray[Any]]:
    """The arrays that are alive and whose addresses, or those of views of them, somebody has asked for."""
    return iter(list(_TAKEN.values()))


def asarray(value: npt.ArrayLike, dtype: npt.DTypeLike | None = None) -> Array:
    """An array as Triton takes it: a view where `value` is an array of that dtype already, else a new one."""
    return np.asarray(value, dtype).view(Array)


def taken_for_tensors(value: Any) -> Any:
    """An argument with views in the place of plain arrays, in tuples, too."""
    if isinstance(value, np.ndarray):
        return value if isinstance(value, Array) else cast(npt.NDArray[Any], value).view(Array)
    if isinstance(value, tuple):
        given = cast(tuple[Any, ...], value)
        parts = tuple(map(taken_for_tensors, given))
        return type(given)(*parts) if hasattr(given, "_fields") else parts
    return value


def empty(shape: int | Sequence[int], dtype: npt.DTypeLike = np.float32) -> Array:
    """An array of a shape with whatever its memory holds."""
    return asarray(np.empty(shape, dtype))


def zeros(shape: int | Sequence[int], dtype: npt.DTypeLike = np.float32) -> Array:
    """An array of zeros."""
    return asarray(np.zeros(shape, dtype))


def ones(shape: int | Sequence[int], dtype: npt.DTypeLike = np.float32) -> Array:
    """An array of ones."""
    return asarray(np.ones(shape, dtype))


def full(shape: int | Sequence[int], value: complex, dtype: npt.DTypeLike = np.float32) -> Array:
    """An array of a value."""
    return asarray(np.full(shape, value, dtype))
