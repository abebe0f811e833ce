"""The abstract syntax of a PTX module: what the parser and the code generator build and everything else reads.

Positions (`pos`, a character offset into the parsed text, -1 when generated) take no part in equality: two modules
are equal when their canonical texts are.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from weft.dataclass import dataclass
from weft.isa.target import governing
from weft.ptx.body_nodes import Guard as Guard
from weft.ptx.body_nodes import Instruction as Instruction
from weft.ptx.body_nodes import Label as Label
from weft.ptx.body_nodes import Parameter as Parameter
from weft.ptx.body_nodes import PointerAttribute as PointerAttribute
from weft.ptx.body_nodes import RegisterDeclaration as RegisterDeclaration
from weft.ptx.body_nodes import Variable as Variable
from weft.ptx.directive_nodes import Attribute as Attribute
from weft.ptx.directive_nodes import Directive as Directive
from weft.ptx.directive_nodes import LabelledDirective as LabelledDirective
from weft.ptx.node import Node
from weft.ptx.values import Value as Value

if TYPE_CHECKING:
    from weft.ptx.debug_nodes import Data, DebugItems
    from weft.ptx.lines import Location


@dataclass(slots=True, repr=False, eq=False)
class Block(Node):
    """A nested scope `{ ... }`; `end` is the offset of its closing brace."""

    holder: ClassVar[str] = "block"
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

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __str__(self) -> str:
        from weft.ptx.printer import block_text

        return block_text(self)

    def __repr__(self) -> str:
        return f"Block({len(self.body)} statements)"


@dataclass(slots=True, repr=False)
class Section(Node):
    """A debug section `.section .name { ... }`; `name` keeps its dot.

    Debug builds fill sections with millions of values, so their contents are kept as lines of normalised text, equal
    ones shared; `items` shows them as nodes, and `Section.of` makes a section of nodes.
    """

    holder: ClassVar[str] = "section"
    name: str
    lines: tuple[str, ...]
    pos: int = field(default=-1, compare=False)
    opening: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)

    @staticmethod
    def of(name: str, items: Iterable[Data | Label]) -> Section:
        """A section with these contents."""
        return Section(name, tuple(map(str, items)))

    @property
    def items(self) -> DebugItems:
        """The contents as nodes, which are made when they are looked at; assign a sequence of nodes to change them."""
        from weft.ptx.debug_nodes import DebugItems

        return DebugItems(self.lines)

    @items.setter
    def items(self, items: Iterable[Data | Label]) -> None:
        self.lines = tuple(map(str, items))

    def __str__(self) -> str:
        from weft.ptx.printer import item_text

        return item_text(self)

    def __repr__(self) -> str:
        return f"Section({self.name!r}, {len(self.lines)} items)"


Statement = Instruction | Label | RegisterDeclaration | Variable | Directive | LabelledDirective | Block


@dataclass(slots=True, repr=False)
class Function(Node):
    """A kernel (`.entry`) or device function (`.func`); `body` is None for a declaration.

    A parsed body is read into statements when `body` is first looked at; that it is well formed is known before.
    `linkage` is `visible`, `extern`, `weak`, `common` or empty; `directives` are the performance and cluster
    directives between the parameter list and the body, in source order; `attributes` the `.attribute(...)` entries;
    `opening` and `end` the offsets of the body's braces.
    """

    holder: ClassVar[str] = "function"
    name: str
    kernel: bool
    parameters: list[Parameter] = field(default_factory=list[Parameter])
    returns: list[Parameter] = field(default_factory=list[Parameter])
    linkage: str = ""
    directives: list[Directive] = field(default_factory=list[Directive])
    body: list[Statement] | None = None
    attributes: tuple[Attribute, ...] = ()
    pos: int = field(default=-1, compare=False)
    opening: int = field(default=-1, compare=False)
    end: int = field(default=-1, compare=False)

    def __str__(self) -> str:
        from weft.ptx.printer import item_text

        return item_text(self)

    def __repr__(self) -> str:
        what = "kernel" if self.kernel else "function"
        size = "declared" if self.body is None else f"{len(self.body)} statements"
        return f"Function({what} {self.name!r}, {len(self.parameters)} parameters, {size})"

    def _repr_html_(self) -> str:
        from weft.ptx.highlight import html

        return html(str(self))

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

    @property
    def defined(self) -> bool:
        """Whether the function has a body; asking does not read it."""
        return _held(self) is not None

    @property
    def unread(self) -> Unread | None:
        """What makes the body, as long as nobody has looked at it."""
        held = _held(self)
        return held if isinstance(held, Unread) else None

    def postpone(self, body: Unread) -> None:
        """Leave the body to be made when it is looked at."""
        _hold(self, body)


class Unread:
    """A body that nobody has looked at: `read` makes its statements, and is called once."""

    __slots__ = ()

    def read(self) -> list[Statement]:
        """The statements."""
        raise NotImplementedError


_held: Callable[[Function], list[Statement] | Unread | None] = vars(Function)["body"].__get__
_hold: Callable[[Function, list[Statement] | Unread | None], None] = vars(Function)["body"].__set__
_READING = threading.RLock()
"""Threads that look at one body at the same time get the same statements."""


def _body(function: Function) -> list[Statement] | None:
    """The `body` of a function: made when it is first looked at."""
    held = _held(function)
    if not isinstance(held, Unread):
        return held
    with _READING:
        held = _held(function)
        if isinstance(held, Unread):
            held = held.read()
            _hold(function, held)
    return held


setattr(Function, "body", property(_body, _hold, doc="The statements."))  # noqa: B010 - The slot stays after it.


@dataclass(slots=True, repr=False)
class Module(Node):
    """A PTX module.

    Attributes:
        version: the PTX version as `(major, minor)`.
        targets: the words of `.target`, such as `("sm_90a", "debug")`.
        address_size: 32 or 64, or None without the directive (ptxas then assumes 64).
        items: variables, functions, directives (`.file`, `.alias`, `.pragma`) and debug sections in source order.
        banner: the comment lines above the header, without `//`; ignored when modules are compared.
        source: the text that the module was parsed from, or None.
    """

    version: tuple[int, int]
    targets: tuple[str, ...]
    address_size: int | None = 64
    items: list[Function | Variable | Directive | Section] = field(
        default_factory=list["Function | Variable | Directive | Section"]
    )
    banner: tuple[str, ...] = field(default=(), compare=False)
    filename: str = field(default="<generated>", compare=False)
    source: str | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return self.to_ptx()

    def __repr__(self) -> str:
        version, targets = ".".join(map(str, self.version)), ", ".join(self.targets)
        return f"Module(PTX {version} for {targets}, {len(self.kernels)} kernels, {len(self.items)} items)"

    def _repr_html_(self) -> str:
        from weft.ptx.highlight import html

        return html(self.to_ptx())

    @property
    def target(self) -> str:
        """The target architecture, such as `sm_90a`; empty if the header names none."""
        return governing(self.targets)

    @property
    def functions(self) -> list[Function]:
        """All functions: kernels, device functions and declarations."""
        return [item for item in self.items if isinstance(item, Function)]

    @property
    def kernels(self) -> list[Function]:
        """The `.entry` functions."""
        return [function for function in self.functions if function.kernel]

    @property
    def variables(self) -> list[Variable]:
        """The module-level variables."""
        return [item for item in self.items if isinstance(item, Variable)]

    @property
    def sections(self) -> list[Section]:
        """The debug sections."""
        return [item for item in self.items if isinstance(item, Section)]

    @property
    def locations(self) -> dict[str, tuple[Location | None, ...]]:
        """The source location of each instruction, by function, from `.loc` (see `weft.ptx.lines.locations`)."""
        from weft.ptx.lines import locations

        return locations(self)

    def to_ptx(self) -> str:
        """Print the module as PTX; parsing the text gives an equal module."""
        from weft.ptx.printer import print_module

        return print_module(self)

    def to_json(self, *, indent: bool = False) -> str:
        """Encode the module as JSON for `weft.from_json` and for other programs (docs/ptx.schema.json).

        Positions and the source text are left out.

        Args:
            indent: put each item and each statement on a line of its own.

        Raises:
            JsonError: scopes or initial values nest deeper than 200 levels.
        """
        from weft.ptx.tree_writer import to_json

        return to_json(self, indent=indent)

    def to_bytes(self, *, source: bool = True) -> bytes:
        """Encode the module for `weft.from_bytes`, which loads it many times faster than text is parsed.

        Args:
            source: keep the text it was parsed from, so that diagnostics still show source lines.

        Raises:
            BytesError: the module contains what no parser makes, such as a name with a NUL or a number beyond 64 bits.
        """
        from weft.mc.writer import write_module

        return write_module(self, source=source)
