"""Elements as the bytes that MLIR keeps of them: bits of `i1`, of other integers no more bytes than they need.

xDSL gives an `i1` a byte, and an `i24` four.
"""

from __future__ import annotations

from math import prod
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerType,
    ShapedType,
    UnrankedMemRefType,
    UnrankedTensorType,
    i1,
)
from xdsl.printer import Printer

_LISTED = 100
"""So many elements are printed one by one."""


def check_shaped(parser: Any, kind: Any, place: Any) -> None:
    """Raises ParseError where a type is none that elements fill, at the literal of these."""
    if not isinstance(kind, ShapedType | UnrankedTensorType | UnrankedMemRefType):
        parser.raise_error("elements literal must be a shaped type", place, place)
    if not isinstance(kind, ShapedType) or DYNAMIC_INDEX in kind.get_shape():
        parser.raise_error("elements literal type must have static shape", place, place)


def _part_of(kind: Any) -> tuple[int, int]:
    """How many numbers an element has, and their bits."""
    part: Any = getattr(kind, "element_type", kind)
    return 1 if part is kind else 2, 64 if isinstance(part, IndexType) else int(part.bitwidth)


def size_of(kind: Any) -> int:
    """The bytes of an element."""
    count, bits = _part_of(kind)
    return count * (bits + 7 >> 3)


def elements_of(type: Any, data: bytes) -> DenseIntOrFPElementsAttr[Any] | None:
    """The elements of a type from bytes, of all or of one that stands for all; None where the bytes are neither."""
    count, kind = prod(type.get_shape()), type.element_type
    if kind == i1:
        if data in (b"\0", b"\xff"):
            data *= count
        elif len(data) != -(-count // 8):
            return None
        return DenseIntOrFPElementsAttr.from_list(type, [data[n // 8] >> n % 8 & 1 for n in range(count)])
    size = size_of(kind)
    data *= count if len(data) == size else 1
    if len(data) != size * count:
        return None
    if size == kind.compile_time_size:
        return DenseIntOrFPElementsAttr(type, BytesAttr(data))
    width = size // _part_of(kind)[0]
    numbers: list[Any] = [int.from_bytes(data[at : at + width], "little") for at in range(0, len(data), width)]
    values = numbers if width == size else [*zip(numbers[::2], numbers[1::2], strict=True)]
    return DenseIntOrFPElementsAttr.from_list(type, values)


def bytes_of(elements: DenseIntOrFPElementsAttr[Any]) -> bytes:
    """The bytes of elements."""
    kind: Any = elements.get_element_type()
    values: Any = elements.get_values()
    if kind == i1:
        digits = "".join("1" if value & 1 else "0" for value in reversed(values))
        return int(digits, 2).to_bytes(-(-len(values) // 8), "little")
    count, bits = _part_of(kind)
    if not isinstance(kind.element_type if count == 2 else kind, IntegerType) or bits in (8, 16, 32, 64):
        return elements.data.data
    numbers = values if count == 1 else [number for pair in values for number in pair]
    return b"".join((number & (1 << bits) - 1).to_bytes(bits + 7 >> 3, "little") for number in numbers)


def install() -> None:
    """Print long lists of elements as these bytes."""
    cls: Any = DenseIntOrFPElementsAttr
    one_by_one = cls.print_without_type

    def print_without_type(self: Any, printer: Printer) -> None:
        if len(self) > _LISTED and not self.is_splat():
            printer.print_string(f'dense<"0x{bytes_of(self).hex().upper()}">')
        else:
            one_by_one(self, printer)

    cls.print_without_type = print_without_type
