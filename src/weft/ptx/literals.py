"""Literals among the operands of PTX: integers and floating-point numbers, which keep their spelling."""

from __future__ import annotations

import struct
from dataclasses import field

from weft.dataclass import dataclass
from weft.ptx.node import Node


@dataclass(frozen=True, slots=True, repr=False)
class Integer(Node):
    """An integer literal; `text` keeps its spelling (`0x1F`, `10`, `5U`)."""

    value: int = field(compare=False)
    text: str = ""

    def __post_init__(self) -> None:
        if not self.text:
            object.__setattr__(self, "text", str(self.value))

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, repr=False)
class Float(Node):
    """A floating-point literal; `text` keeps its spelling (`0f3F800000`, `0d3FF0000000000000`, `1.5`)."""

    value: float = field(compare=False)
    text: str = ""

    @staticmethod
    def f32(value: float) -> Float:
        """A single-precision literal in PTX's hexadecimal spelling `0fXXXXXXXX`."""
        return Float(value, f"0f{struct.unpack('<I', struct.pack('<f', value))[0]:08X}")

    @staticmethod
    def f64(value: float) -> Float:
        """A double-precision literal in PTX's hexadecimal spelling `0dXXXXXXXXXXXXXXXX`."""
        return Float(value, f"0d{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}")

    def __post_init__(self) -> None:
        if not self.text:
            object.__setattr__(self, "text", Float.f64(self.value).text)

    def __str__(self) -> str:
        return self.text
