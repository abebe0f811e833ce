"""The abstract syntax of a PTX module: what the parser and the code generator build and everything else reads.

Positions (`pos`, a character offset into the parsed text, -1 when generated) take no part in equality: two modules
are equal when their canonical texts are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING

from weft.dataclass import dataclass
from weft.ptx.operands import Operand, Register

if TYPE_CHECKING:
    from weft.isa.opcode import Opcode


@dataclass(frozen=True, slots=True)
class Guard:
    """The predicate of a guarded instruction: `@%p` or `@!%p`."""

    register: Register
    negated: bool = False

    def __str__(self) -> str:
        return f"@!{self.register}" if self.negated else f"@{self.register}"


@dataclass(slots=True)
class Instruction:
    """One instruction: an interned `isa.Opcode`, its operands in PTX order, and an optional guard."""

    opcode: Opcode
    operands: tuple[Operand, ...] = ()
    guard: Guard | None = None
    pos: int = field(default=-1, compare=False)

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


@dataclass(slots=True)
class Label:
    """A label in a body: `name:`."""

    name: str
    pos: int = field(default=-1, compare=False)


@dataclass(slots=True)
class RegisterDeclaration:
    """`.reg .type name, name<count>;` — `names` pairs each name with its count (0: a single register).

    `type` is without the dot (`b32`, `pred`); `vector` is `v2`, `v4` or empty.
    """

    type: str
    names: tuple[tuple[str, int], ...]
    vector: str = ""
    pos: int = field(default=-1, compare=False)


@dataclass(slots=True)
class Variable:
    """A variable in a state space, at module or function level.

    `space` is `global`, `const`, `shared`, `shared::cta`, `local`, `param` or `tex`; `dims` holds array extents with
    -1 for an unsized first extent (`[]`); `initializer` keeps the initialiser's normalised text (without `=`);
    `attributes` holds `.attribute(...)` entries such as `managed`.
    """

    space: str
    type: str
    name: str
    align: int = 0
    vector: str = ""
    dims: tuple[int, ...] = ()
    initializer: str = ""
    linkage: str = ""
    attributes: tuple[str, ...] = ()
    count: int = 0
    pos: int = field(default=-1, compare=False)


@dataclass(frozen=True, slots=True)
class PointerAttribute:
    """`.ptr .space .align N` of a kernel parameter."""

    space: str = ""
    align: int = 0


@dataclass(slots=True)
class Parameter:
    """A formal parameter or return value of a function; `space` is `param` or `reg`."""

    type: str
    name: str
    align: int = 0
    dims: tuple[int, ...] = ()
    vector: str = ""
    space: str = "param"
    pointer: PointerAttribute | None = None
    pos: int = field(default=-1, compare=False)


@dataclass(slots=True)
class Directive:
    """A directive kept by name and normalised argument text: `.pragma "nounroll";`, `.loc 1 5 3`, `.reqntid 128`.

    `name` is without the dot.  `arguments` is the text between the name and the end of the directive.
    """

    name: str
    arguments: str = ""
    pos: int = field(default=-1, compare=False)


@dataclass(slots=True)
class LabelledDirective:
    """A directive that a label names: `.branchtargets`, `.calltargets`, `.callprototype`."""

    label: str
    name: str
    arguments: str = ""
    pos: int = field(default=-1, compare=False)


@dataclass(slots=True, eq=False)
class Block:
    """A nested scope `{ ... }`; `end` is the offset of its closing brace."""

    body: list[Statement]
    pos: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)

    def __eq__(self, other: object) -> bool:
        """Compare without recursion: scopes may nest deeper than Python's stack."""
        if not isinstance(other, Block):
            return NotImplemented
        pairs: list[tuple[Block, Block]] = [(self, other)]
        while pairs:
            mine, theirs = pairs.pop()
            if len(mine.body) != len(theirs.body):
                return False
            for a, b in zip(mine.body, theirs.body, strict=True):
                if isinstance(a, Block) and isinstance(b, Block):
                    pairs.append((a, b))
                elif a != b:
                    return False
        return True


@dataclass(slots=True)
class Section:
    """A DWARF section `.section .name { ... }` with its lines as normalised text; `name` keeps its dot."""

    name: str
    lines: tuple[str, ...]
    pos: int = field(default=-1, compare=False)
    opening: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)


Statement = Instruction | Label | RegisterDeclaration | Variable | Directive | LabelledDirective | Block


@dataclass(slots=True)
class Function:
    """A kernel (`.entry`) or device function (`.func`); `body` is None for a declaration.

    `linkage` is `visible`, `extern`, `weak`, `common` or empty; `directives` are the performance and cluster
    directives between the parameter list and the body, in source order; `attributes` the `.attribute(...)` entries;
    `opening` and `end` the offsets of the body's braces.
    """

    name: str
    kernel: bool
    parameters: list[Parameter] = field(default_factory=list[Parameter])
    returns: list[Parameter] = field(default_factory=list[Parameter])
    linkage: str = ""
    directives: list[Directive] = field(default_factory=list[Directive])
    body: list[Statement] | None = None
    attributes: tuple[str, ...] = ()
    pos: int = field(default=-1, compare=False)
    opening: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)

    def walk(self) -> Iterator[Statement]:
        """Every statement of the body in text order, nested scopes included (a `Block` before its contents)."""
        stack = [iter(self.body or ())]
        while stack:
            for statement in stack[-1]:
                yield statement
                if isinstance(statement, Block):
                    stack.append(iter(statement.body))
                    break
            else:
                stack.pop()

    def instructions(self) -> Iterator[Instruction]:
        """Every instruction of the body in text order."""
        return (statement for statement in self.walk() if isinstance(statement, Instruction))


@dataclass(slots=True)
class Module:
    """A PTX module.

    `version` is `(major, minor)`; `targets` the comma-separated words of `.target` (`("sm_90a", "debug")`);
    `address_size` is 32 or 64, or None when the directive is absent (ptxas then assumes 64).  `items` holds
    variables, functions, directives (`.file`, `.alias`, `.pragma`) and debug sections in source order.
    `banner` holds the comment lines above the header, without `//`; it takes no part in equality.  `source` is the text
    the module was parsed from, None when generated.
    """

    version: tuple[int, int]
    targets: tuple[str, ...]
    address_size: int | None = 64
    items: list[Function | Variable | Directive | Section] = field(
        default_factory=list["Function | Variable | Directive | Section"]
    )
    banner: tuple[str, ...] = field(default=(), compare=False)
    filename: str = field(default="<generated>", compare=False)
    source: str | None = field(default=None, compare=False, repr=False)

    @property
    def target(self) -> str:
        """The architecture the module is for, such as `sm_90a`; empty when the header names none."""
        return self.targets[0] if self.targets else ""

    @property
    def functions(self) -> list[Function]:
        """Every function, kernels and device functions, declarations included."""
        return [item for item in self.items if isinstance(item, Function)]

    @property
    def kernels(self) -> list[Function]:
        """The `.entry` functions."""
        return [function for function in self.functions if function.kernel]

    @property
    def variables(self) -> list[Variable]:
        """The module-level variables."""
        return [item for item in self.items if isinstance(item, Variable)]

    def to_ptx(self) -> str:
        """The module's canonical text; parsing it gives an equal module."""
        from weft.ptx.printer import print_module

        return print_module(self)

    def to_bytes(self, *, source: bool = True) -> bytes:
        """The module as bytes for `weft.from_bytes`, which loads many times faster than text parses.

        `source` keeps the text it was parsed from, so that diagnostics still show lines. Raises BytesError for what
        no parser makes: a name with a NUL, a number beyond 64 bits.
        """
        from weft.mc.writer import write_module

        return write_module(self, source=source)
