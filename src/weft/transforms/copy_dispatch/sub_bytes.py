"""Elements of 4 and 6 bits: sixteen of them are padded to 16 bytes in memory, and each is a byte in registers.

So they are as far apart as bytes on both sides; only `ldmatrix` takes them apart, and other copies move whole sixteens.
Source: PTX manual, section "ldmatrix", formats `.b4x16_p64` and `.b6x16_p32`.
"""

from __future__ import annotations

from weft.transforms.copy_dispatch.request import Copy

SOURCE_FORMATS = {"f4E": "b8x16.b4x16_p64", "f6E": "b8x16.b6x16_p32"}
"""The destination and source formats of `ldmatrix`, by the beginning of an element type's name."""

CHUNK = 16
"""Elements that are padded together."""


def packed(copy: Copy) -> bool:
    """Whether the elements are of less than a byte."""
    return copy.src.element[:3] in SOURCE_FORMATS


def against_registers(copy: Copy) -> str | None:
    """The reason why loads and stores cannot move elements of less than a byte between registers and memory."""
    if not packed(copy):
        return None
    return f"{copy.src.element} is packed in memory and takes a byte in registers: only ldmatrix unpacks it"
