"""Directives as nodes: where code comes from, pragmas, aliases, what a function asks for, and lists with a label.

Directives are mutable, as all statements are; what several of them can share (a source location) is not.
Sources: PTX manual, sections "Debugging Directives", "Performance-Tuning Directives", "Cluster Dimension Directives",
"Control Flow Directives", "Linking Directives: .alias".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from weft.dataclass import dataclass
from weft.ptx.node import Node

if TYPE_CHECKING:
    from weft.ptx.body_nodes import Parameter


_MOST_TARGETS = 100_000  # No function has so many labels: a budget for hostile counts.


@dataclass(frozen=True, slots=True, repr=False)
class Attribute(Node):
    """An entry of `.attribute(...)`: `Attribute("managed")`, `Attribute("unified", (19, 95))`."""

    name: str
    values: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f".{self.name}({', '.join(map(str, self.values))})" if self.values else f".{self.name}"


def attributes_text(attributes: tuple[Attribute, ...]) -> str:
    """`.attribute(.managed, .unified(19, 95))`."""
    return f".attribute({', '.join(map(str, attributes))})"


DEBUG_STRINGS = ".debug_str"
"""The section of names, the only one that a `.loc` may name."""


@dataclass(frozen=True, slots=True, repr=False)
class Inlined(Node):
    """Where inlined code was called from: `, function_name LABEL+OFFSET, inlined_at FILE LINE COLUMN` of a `.loc`.

    `function` is the label in `.debug_str` at which the name of the inlined function stands, or `.debug_str` itself.
    """

    function: str
    offset: int
    file: int
    line: int
    column: int

    def __str__(self) -> str:
        offset = f"+{self.offset}" if self.offset else ""
        return f"function_name {self.function}{offset}, inlined_at {self.file} {self.line} {self.column}"


@dataclass(slots=True, repr=False, unsafe_hash=True)
class SourceLocation(Node):
    """What a `.loc` says: the number of a `.file`, a line and a column from 1 on (line 0: no line of the source).

    Locations are shared, so take a new one rather than change one (frozen ones take three times as long to make, of
    which debug builds have one in two lines).
    """

    file: int
    line: int
    column: int
    inlined: Inlined | None = None

    def __str__(self) -> str:
        where = f"{self.file} {self.line} {self.column}"
        return where if self.inlined is None else f"{where}, {self.inlined}"


@dataclass(slots=True, repr=False)
class Loc(Node):
    """`.loc 1 5 3`: the source location of the instructions that follow; locations are shared between nodes."""

    name: ClassVar[str] = "loc"
    location: SourceLocation
    pos: int = field(default=-1, compare=False)

    @property
    def arguments(self) -> str:
        """The text after the directive's name."""
        return str(self.location)

    def __str__(self) -> str:
        return f".loc {self.location}"


@dataclass(slots=True, repr=False)
class File(Node):
    """`.file 1 "kernel.cu", 1700000000, 4096`: a number for `.loc` to name, a path, and its time stamp and size."""

    name: ClassVar[str] = "file"
    number: int
    path: str
    timestamp: int | None = None
    size: int | None = None
    pos: int = field(default=-1, compare=False)

    @property
    def arguments(self) -> str:
        """The text after the directive's name."""
        rest = "".join(f", {value}" for value in (self.timestamp, self.size) if value is not None)
        return f'{self.number} "{self.path}"{rest}'

    def __str__(self) -> str:
        return f".file {self.arguments}"


@dataclass(slots=True, repr=False)
class Pragma(Node):
    """`.pragma "nounroll";` at module level, on a function or in a body; `texts` are without their quotes."""

    name: ClassVar[str] = "pragma"
    texts: tuple[str, ...]
    pos: int = field(default=-1, compare=False)

    @property
    def arguments(self) -> str:
        """The text after the directive's name."""
        return ", ".join(f'"{text}"' for text in self.texts)

    def __str__(self) -> str:
        return f".pragma {self.arguments};"


@dataclass(slots=True, repr=False)
class Alias(Node):
    """`.alias alias, target;`: another name of a function that is defined in the module."""

    name: ClassVar[str] = "alias"
    alias: str
    target: str
    pos: int = field(default=-1, compare=False)

    @property
    def arguments(self) -> str:
        """The text after the directive's name."""
        return f"{self.alias}, {self.target}"

    def __str__(self) -> str:
        return f".alias {self.arguments};"


@dataclass(slots=True, repr=False)
class FunctionDirective(Node):
    """What is between a function's parameters and its body: `FunctionDirective("reqntid", (128, 1, 1))`.

    `name` is without the dot; `values` is empty for `.noreturn`, `.explicitcluster` and `.blocksareclusters`.
    """

    name: str
    values: tuple[int, ...] = ()
    pos: int = field(default=-1, compare=False)

    @property
    def arguments(self) -> str:
        """The text after the directive's name."""
        return ", ".join(map(str, self.values))

    def __str__(self) -> str:
        return f".{self.name} {self.arguments}" if self.values else f".{self.name}"


@dataclass(slots=True, repr=False)
class DwarfLine(Node):
    """A line `@@DWARF ...` of PTX before 2.0; `text` is what follows, with single blanks."""

    name: ClassVar[str] = "@@DWARF"
    text: str
    pos: int = field(default=-1, compare=False)

    @property
    def arguments(self) -> str:
        """The text after `@@DWARF`."""
        return self.text

    def __str__(self) -> str:
        return f"@@DWARF {self.text}"


Directive = Loc | File | Pragma | Alias | FunctionDirective | DwarfLine


@dataclass(frozen=True, slots=True, repr=False)
class Target(Node):
    """An entry of a target list: a label or function, or `count` numbered ones (`L<4>` is `L0` to `L3`)."""

    name: str
    count: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names that the entry stands for, the first 100,000 at most."""
        if not self.count:
            return (self.name,)
        return tuple(f"{self.name}{index}" for index in range(min(self.count, _MOST_TARGETS)))

    def __str__(self) -> str:
        return f"{self.name}<{self.count}>" if self.count else self.name


@dataclass(slots=True, repr=False)
class TargetList(Node):
    """`label: .branchtargets L1, L2;` or `label: .calltargets f, g;`; `name` is the directive's, without the dot."""

    label: str
    name: str
    targets: tuple[Target, ...]
    pos: int = field(default=-1, compare=False)

    @property
    def names(self) -> Iterator[str]:
        """Every name that the list stands for, in order."""
        return (name for target in self.targets for name in target.names)

    @property
    def arguments(self) -> str:
        """The text after the directive's name."""
        return ", ".join(map(str, self.targets))

    def __str__(self) -> str:
        return f"{self.label}: .{self.name} {self.arguments};"


@dataclass(slots=True, repr=False)
class CallPrototype(Node):
    """`label: .callprototype (returns) _ (parameters) directives;`: what a function that is called indirectly takes.

    `directives` are those of functions that may be here: `.noreturn`, `.abi_preserve`, `.abi_preserve_control`.
    """

    name: ClassVar[str] = "callprototype"
    label: str
    returns: list[Parameter] = field(default_factory=list["Parameter"])
    parameters: list[Parameter] = field(default_factory=list["Parameter"])
    directives: tuple[FunctionDirective, ...] = ()
    pos: int = field(default=-1, compare=False)

    @property
    def arguments(self) -> str:
        """The text after the directive's name."""
        returns, parameters = ([f"({', '.join(map(str, p))})"] if p else [] for p in (self.returns, self.parameters))
        return " ".join([*returns, "_", *parameters, *map(str, self.directives)])

    def __str__(self) -> str:
        return f"{self.label}: .callprototype {self.arguments};"


LabelledDirective = TargetList | CallPrototype
