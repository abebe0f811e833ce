"""What a variable can start as that is no number and no list: addresses, bytes of addresses, fields of opaque types.

Source: PTX manual, section "Variable Declarations: Initializers".
"""

from __future__ import annotations

from weft.dataclass import dataclass
from weft.ptx.node import Node
from weft.ptx.operands import Expression, Float, Integer, Symbol


@dataclass(frozen=True, slots=True, repr=False)
class GenericAddress(Node):
    """`generic(name)+8`: the generic address of what a symbol stands for."""

    symbol: Symbol

    def __str__(self) -> str:
        offset = self.symbol.offset
        return f"generic({self.symbol.name})" + (f"+{offset}" if offset or self.symbol.zero else "")


Address = Symbol | GenericAddress


@dataclass(frozen=True, slots=True, repr=False)
class AddressByte(Node):
    """`0xFF00(name+8)`: the bits of an address that a mask selects, moved down."""

    mask: Integer
    address: Address

    def __str__(self) -> str:
        return f"{self.mask}({self.address})"


@dataclass(frozen=True, slots=True, repr=False)
class Word(Node):
    """A word of the language that is a field's value, such as `nearest`."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, repr=False)
class Field(Node):
    """`addr_mode_0 = wrap`: a field of a `.texref`, `.samplerref` or `.surfref`."""

    name: str
    value: Word | Integer | Float | Expression

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"
