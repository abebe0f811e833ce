"""What a variable can start as: numbers, addresses, bytes of addresses, fields of opaque types, and lists of those.

Source: PTX manual, section "Variable Declarations: Initializers".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from weft.ptx.addresses import Address as Address
from weft.ptx.addresses import AddressByte as AddressByte
from weft.ptx.addresses import Field as Field
from weft.ptx.addresses import GenericAddress as GenericAddress
from weft.ptx.addresses import Word as Word
from weft.ptx.node import Node, shortened
from weft.ptx.operands import Expression, Float, Integer, Symbol


class ValueList(Node, Sequence["Value"]):
    """`{1, 2, 3}`: the values of an array, a vector or the fields of an opaque type; a sequence of nodes.

    Immutable. A list can hold megabytes, so it is kept as normalised text, by which two are equal; `elements` reads the
    nodes when they are first asked for.
    """

    __slots__ = ("_elements", "_text")

    def __init__(self, elements: Iterable[Value | int] = ()) -> None:
        """A list of these nodes; a plain int stands for an `Integer`."""
        self._text = f"{{{', '.join(map(str, elements))}}}"
        self._elements: tuple[Value, ...] | None = None

    @classmethod
    def of_text(cls, text: str) -> ValueList:
        """The list with this text, which must be a list's normalised text, as the parser makes it."""
        made = cls.__new__(cls)
        made._text = text
        made._elements = None
        return made

    @property
    def elements(self) -> tuple[Value, ...]:
        """The values in order."""
        if self._elements is None:
            from weft.ptx.elements import read_elements

            self._elements = read_elements(self._text, ValueList.of_text)
        return self._elements

    def leaves(self) -> Iterator[Value]:
        """Every value that is no list, in order, those of inner lists included."""
        stack: list[Iterator[Value]] = [iter(self.elements)]
        while stack:
            for value in stack[-1]:
                if isinstance(value, ValueList):
                    stack.append(iter(value.elements))
                    break
                yield value
            else:
                stack.pop()

    def __len__(self) -> int:
        return len(self.elements)

    def __getitem__(self, index: int) -> Value:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self.elements[index]

    def __iter__(self) -> Iterator[Value]:
        return iter(self.elements)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"ValueList({shortened(self._text)!r})"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, ValueList) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[object, ...]:
        return ValueList.of_text, (self._text,)


Value = Integer | Float | Expression | Symbol | GenericAddress | AddressByte | Field | ValueList


def symbols(value: Value | None) -> Iterator[Symbol]:
    """The symbols whose addresses an initial value holds, in order."""
    for leaf in value.leaves() if isinstance(value, ValueList) else (value,):
        address = leaf.address if isinstance(leaf, AddressByte) else leaf
        if isinstance(address, GenericAddress):
            yield address.symbol
        elif isinstance(address, Symbol):
            yield address
