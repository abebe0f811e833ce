"""Operands of PTX instructions: small immutable values, shared freely between instructions.

An operand is what the PTX manual's chapter "Instruction Operands" describes.  None of them carries a type: types come
from the instruction form and from the declarations.  `str(operand)` is the operand's PTX text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.dataclass import dataclass
from weft.ptx.literals import Float, Integer
from weft.ptx.node import Node

if TYPE_CHECKING:
    from weft.ptx.expressions import Constant


@dataclass(frozen=True, slots=True, repr=False)
class Register(Node):
    """A register by name as written: `%r1`, `%tid.x`, `%v.x`, `d`.

    `member` is the selected component (`x` of `%v.x`, `b0` of a video operand), or empty.
    """

    name: str

    @property
    def base(self) -> str:
        """The name without a selected component."""
        return self.name.partition(".")[0]

    @property
    def member(self) -> str:
        """The component after the dot, or an empty string."""
        return self.name.partition(".")[2]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, repr=False)
class Symbol(Node):
    """A name that is not a register (variable, parameter, function, label), with an optional byte offset.

    `zero` says that an offset of 0 is written out, as in `Address`.
    """

    name: str
    offset: int = 0
    zero: bool = False

    def __str__(self) -> str:
        return f"{self.name}+{self.offset}" if self.offset or self.zero else self.name


@dataclass(frozen=True, slots=True, repr=False)
class Expression(Node):
    """A constant expression that is more than a literal or `symbol+offset`.

    It is kept as normalised text, by which two are equal; `tree` reads it into nodes.
    """

    text: str

    @property
    def value(self) -> int | float:
        """What it evaluates to; integers are signed, of 64 bits. Raises PtxSyntaxError when the text is none."""
        from weft.ptx.constants import evaluate

        return evaluate(self.text)

    @property
    def tree(self) -> Constant:
        """Its operators and literals as nodes, made anew at each call; `Expression(str(tree))` is the way back."""
        from weft.ptx.expressions import read_tree

        return read_tree(self.text)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, repr=False)
class Sink(Node):
    """The destination `_` whose value is thrown away."""

    def __str__(self) -> str:
        return "_"


@dataclass(frozen=True, slots=True, repr=False)
class Negated(Node):
    """`!p` (predicate complement) or `-a` (negated source of the video instructions)."""

    operand: Operand
    operator: str = "!"

    def __str__(self) -> str:
        return f"{self.operator}{self.operand}"


@dataclass(frozen=True, slots=True, repr=False)
class Pair(Node):
    """`d|p`: a destination and the predicate that goes with it."""

    first: Operand
    second: Operand

    def __str__(self) -> str:
        return f"{self.first}|{self.second}"


@dataclass(frozen=True, slots=True, repr=False)
class Vector(Node):
    """A brace-enclosed vector `{a, b, c, d}`."""

    elements: tuple[Operand, ...]

    def __str__(self) -> str:
        return "{" + ", ".join(map(str, self.elements)) + "}"


@dataclass(frozen=True, slots=True, repr=False)
class Address(Node):
    """A bracketed address `[base+offset]`; `rest` holds what follows a comma inside the brackets.

    `[tmap, {c0, c1}]` and `[tex, sampler, {u, v}]` are addresses with a `rest`.  `unified` marks `[a].unified`.
    Offsets are bytes; `zero` says that an offset of 0 is written out, `[a+0]`, which unoptimised code adds too.
    """

    base: Operand
    offset: int = 0
    rest: tuple[Operand, ...] = ()
    unified: bool = False
    zero: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.base, Symbol) and (self.base.offset or self.base.zero):  # one spelling, one value
            object.__setattr__(self, "offset", self.offset + self.base.offset)
            object.__setattr__(self, "zero", not self.offset)
            object.__setattr__(self, "base", Symbol(self.base.name))

    def __str__(self) -> str:
        start = f"{self.base}+{self.offset}" if self.offset or self.zero else str(self.base)
        return "[" + ", ".join((start, *map(str, self.rest))) + ("].unified" if self.unified else "]")


@dataclass(frozen=True, slots=True, repr=False)
class Element(Node):
    """An array element `array[index]`: its address, or its place in memory where an address is wanted."""

    array: str
    index: Operand

    def __str__(self) -> str:
        return f"{self.array}[{self.index}]"


@dataclass(frozen=True, slots=True, repr=False)
class Arguments(Node):
    """A parenthesised list of a call: return values or arguments."""

    elements: tuple[Operand, ...]

    def __str__(self) -> str:
        return "(" + ", ".join(map(str, self.elements)) + ")"


Operand = (
    Register | Integer | Float | Symbol | Expression | Sink | Negated | Pair | Vector | Address | Element | Arguments
)
