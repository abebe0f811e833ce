"""What a kernel takes and what it is compiled for: tensors and numbers, sizes, targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weft.dataclass import dataclass
from weft.errors import WeftError
from weft.tile.dtypes import DType, dtype, i32, is_dtype

MULTIPLE = 16
"""The largest power of two by which run-time sizes are specialised."""
INDEX = i32
"""The type of sizes among the PTX parameters."""


@dataclass(frozen=True)
class Global:
    """A kernel parameter: a tensor in global memory, aligned to 16 bytes.

    Args:
        kind: the type of its elements, or the name of an option that is a type: a call then takes it from the array,
            unless the option is given.
        shape: integers and names; a name is a size that is known when the kernel is called, and stands for the same
            size everywhere.
        strides: integers and names, in elements; row-major by default.
    """

    dtype: DType | str
    shape: tuple[int | str, ...]
    strides: tuple[int | str, ...] | None = None

    def __init__(
        self, kind: object, shape: int | str | Sequence[int | str], strides: Sequence[int | str] | None = None
    ) -> None:
        extents = (shape,) if isinstance(shape, int | str) else tuple(shape)
        if strides is not None and len(strides) != len(extents):
            raise WeftError(f"{len(strides)} strides for {len(extents)} dimensions")
        named = isinstance(kind, str) and not is_dtype(kind)
        object.__setattr__(self, "dtype", kind if named else dtype(kind))
        object.__setattr__(self, "shape", extents)
        object.__setattr__(self, "strides", None if strides is None else tuple(strides))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of sizes and strides, in order."""
        return tuple(x for x in (*self.shape, *(self.strides or ())) if isinstance(x, str))


@dataclass(frozen=True)
class Persistent:
    """A grid of as many blocks as the GPU holds at once, each of which does several tiles; a `dynamic` one is as large
    as there are tiles, and blocks that run take over the tiles of those that have not started.
    """

    dynamic: bool = False

    def __repr__(self) -> str:
        return "dynamic" if self.dynamic else "persistent"


persistent, dynamic = Persistent(), Persistent(dynamic=True)
_PROCESSORS = {"sm_80": 108, "sm_86": 84, "sm_89": 142, "sm_90": 132, "sm_100": 148, "sm_103": 148, "sm_120": 188}


def processors(target: str) -> int:
    """Multiprocessors of the largest GPU of a target that is common (of an H100 or H200 for sm_90a)."""
    return _PROCESSORS.get(target.rstrip("af"), 132)


Parameter = Global | DType


@dataclass(frozen=True)
class Specialization:
    """What a kernel is compiled for: constant sizes, what divides the others, and the compile-time options."""

    sizes: tuple[tuple[str, int], ...]
    multiples: tuple[tuple[str, int], ...]
    options: tuple[tuple[str, Any], ...]
