"""Integers of more than 64 bits as bytes, which xDSL does not write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerType, Signedness

_STRUCT = 64
"""The bits of the widest integers that Python's `struct` writes."""


def _size(kind: Any) -> int:
    return kind.bitwidth + 7 >> 3


def _pack(kind: Any, values: Sequence[int]) -> bytes:
    size = _size(kind)
    return b"".join((value & (1 << 8 * size) - 1).to_bytes(size, "little") for value in values)


def _unpack(kind: Any, buffer: Any, count: int, /) -> tuple[int, ...]:
    data, size, signed = bytes(buffer), _size(kind), kind.signedness.data != Signedness.UNSIGNED
    return tuple(int.from_bytes(data[i * size : (i + 1) * size], "little", signed=signed) for i in range(count))


def _iter_unpack(kind: Any, buffer: Any, /) -> Iterator[int]:
    return iter(_unpack(kind, buffer, len(memoryview(buffer)) // _size(kind)))


def _either(narrow: Callable[..., Any], wide: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *given: Any) -> Any:
        return (wide if self.bitwidth > _STRUCT else narrow)(self, *given)

    return method


def install() -> None:
    """Make xDSL's integer types of any width write and read bytes."""
    cls: Any = IntegerType
    cls.compile_time_size = property(_either(cls.compile_time_size.fget, _size))
    for name, wide in (("pack", _pack), ("unpack", _unpack), ("iter_unpack", _iter_unpack)):
        setattr(cls, name, _either(getattr(cls, name), wide))
