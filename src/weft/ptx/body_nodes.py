"""The statements of bodies but for nested scopes: instructions, labels, declarations; and parameters of functions.

Positions (`pos`, a character offset into the parsed text, -1 when generated) take no part in equality.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from weft.dataclass import dataclass
from weft.ptx.directive_nodes import Attribute, attributes_text
from weft.ptx.node import Node
from weft.ptx.operands import Operand, Register
from weft.ptx.values import Value

if TYPE_CHECKING:
    from weft.isa.opcode import Opcode


@dataclass(frozen=True, slots=True, repr=False)
class Guard(Node):
    """The predicate of a guarded instruction: `@%p` or `@!%p`."""

    register: Register
    negated: bool = False

    def __str__(self) -> str:
        return f"@!{self.register}" if self.negated else f"@{self.register}"


@dataclass(slots=True, repr=False)
class Instruction(Node):
    """One instruction: an interned `isa.Opcode`, its operands in PTX order, and an optional guard."""

    opcode: Opcode
    operands: tuple[Operand, ...] = ()
    guard: Guard | None = None
    pos: int = field(default=-1, compare=False)

    def __str__(self) -> str:
        guard = "" if self.guard is None else f"{self.guard} "
        operands = f" {', '.join(map(str, self.operands))}" if self.operands else ""
        return f"{guard}{self.opcode.text}{operands};"

    def _repr_html_(self) -> str:
        from weft.ptx.highlight import html

        return html(str(self))

    @property
    def named(self) -> dict[str, Operand]:
        """The operands by the PTX manual's names: `insn.named["d"]`."""
        from weft.ptx.signature import named_operands

        return named_operands(self)

    @property
    def reads(self) -> tuple[Register, ...]:
        """The registers that the instruction reads, its guard and address registers included."""
        from weft.ptx.analysis.access import registers

        return tuple(dict.fromkeys(registers(self)[0]))

    @property
    def writes(self) -> tuple[Register, ...]:
        """The registers that the instruction writes."""
        from weft.ptx.analysis.access import registers

        return tuple(dict.fromkeys(registers(self)[1]))


@dataclass(slots=True, repr=False)
class Label(Node):
    """A label in a body or a debug section: `name:`."""

    name: str
    pos: int = field(default=-1, compare=False)

    def __str__(self) -> str:
        return f"{self.name}:"


@dataclass(slots=True, repr=False)
class RegisterDeclaration(Node):
    """`.reg .type name, name<count>;` — `names` pairs each name with its count (0: a single register).

    `type` is without the dot (`b32`, `pred`); `vector` is `v2`, `v4` or empty.
    """

    type: str
    names: tuple[tuple[str, int], ...]
    vector: str = ""
    pos: int = field(default=-1, compare=False)

    def __str__(self) -> str:
        names = ", ".join(f"{name}<{count}>" if count else name for name, count in self.names)
        vector = f" .{self.vector}" if self.vector else ""
        return f".reg{vector} .{self.type}{' ' if names else ''}{names};"


@dataclass(slots=True, repr=False)
class Variable(Node):
    """A variable in a state space, at module or function level.

    `space` is `global`, `const`, `shared`, `shared::cta`, `local`, `param` or `tex`; `dims` holds array extents with
    -1 for an unsized first extent (`[]`); `initializer` is the value after `=`, None without one.
    """

    space: str
    type: str
    name: str
    align: int = 0
    vector: str = ""
    dims: tuple[int, ...] = ()
    initializer: Value | None = None
    linkage: str = ""
    attributes: tuple[Attribute, ...] = ()
    count: int = 0
    pos: int = field(default=-1, compare=False)

    def __str__(self) -> str:
        words = [f".{self.linkage}"] if self.linkage else []
        words.append(f".{self.space}")
        if self.attributes:
            words.append(attributes_text(self.attributes))
        if self.align:
            words.append(f".align {self.align}")
        if self.vector:
            words.append(f".{self.vector}")
        words.append(f".{self.type}")
        count = f"<{self.count}>" if self.count else ""
        words.append(f"{self.name}{count}{_extents(self.dims)}")
        if self.initializer is not None:
            words += ["=", str(self.initializer)]
        return " ".join(words) + ";"


@dataclass(frozen=True, slots=True, repr=False)
class PointerAttribute(Node):
    """`.ptr .space .align N` of a kernel parameter."""

    space: str = ""
    align: int = 0

    def __str__(self) -> str:
        return ".ptr" + (f" .{self.space}" if self.space else "") + (f" .align {self.align}" if self.align else "")


@dataclass(slots=True, repr=False)
class Parameter(Node):
    """A formal parameter or return value of a function; `space` is `param` or `reg`."""

    type: str
    name: str
    align: int = 0
    dims: tuple[int, ...] = ()
    vector: str = ""
    space: str = "param"
    pointer: PointerAttribute | None = None
    pos: int = field(default=-1, compare=False)

    def __str__(self) -> str:
        words = [f".{self.space}"]
        if self.align:
            words.append(f".align {self.align}")
        if self.vector:
            words.append(f".{self.vector}")
        words.append(f".{self.type}")
        if self.pointer is not None:
            words.append(str(self.pointer))
        words.append(self.name + _extents(self.dims))
        return " ".join(words)


def _extents(dims: tuple[int, ...]) -> str:
    return "".join("[]" if extent < 0 else f"[{extent}]" for extent in dims)
