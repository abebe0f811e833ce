"""What the checks of one module share: the target and version judged, the findings, and the scopes of names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Self

from weft.dataclass import dataclass
from weft.errors import Diagnostic, Severity
from weft.isa.target import Version, Window
from weft.ptx.ast import Function, LabelledDirective, Module, Variable
from weft.ptx.names import Names
from weft.ptx.verifier.mismatch import Fit

_NUMBERS: dict[tuple[object, ...], int] = {}
_MOST_NUMBERS = 100_000


def number(described: tuple[object, ...]) -> object:
    """A number that stands for a description, quick to hash and compare; past a limit, the description itself."""
    found = _NUMBERS.get(described)
    if found is None:
        if len(_NUMBERS) >= _MOST_NUMBERS:
            return described
        found = _NUMBERS[described] = len(_NUMBERS)
    return found


@dataclass(slots=True)
class Name:
    """A declared name: `kind` is `reg`, `var`, `param`, `func`, `label` or `directive`; `type` without the dot.

    A `constant` is a name that stands for an integer literal whose value is not known.

    `vector` is the number of elements of a vector register or variable (0: scalar); `space` the state space of
    variables and parameters; `dims` their array extents; `writable` is False for input parameters; `entry` marks a
    kernel's parameters; `align` is a variable's alignment in bytes, `labelled` the directive that a label names;
    `hides` is the formal parameter that a `.param` variable of a body has the name of.
    Names with equal `key` fit the same places.
    """

    kind: str
    type: str = ""
    vector: int = 0
    space: str = ""
    writable: bool = True
    dims: tuple[int, ...] = ()
    entry: bool = False
    linkage: str = ""
    align: int = 0
    labelled: LabelledDirective | None = None
    hides: Name | None = None
    key: object = None

    def __post_init__(self) -> None:
        hidden = self.hides.key if self.hides is not None else None
        described = (self.kind, self.type, self.vector, self.space, self.writable, self.entry, bool(self.dims))
        self.key = number((*described, hidden) if hidden is not None else described)


class Scope(Names[Name]):
    """The names declared in one `{ ... }` of a module, and the scope around it.

    `classes` holds the classes of operands there, by identity (`weft.ptx.verifier.classes`); `size` is the number of
    statements of the function's body.
    """

    __slots__ = ("_dense", "classes", "size")

    def __init__(self, outer: Self | None = None, size: int = 0) -> None:
        super().__init__(outer)
        self.classes: dict[int, object] = {}
        self.size = size
        self._dense = False

    def put(self, name: str, value: Name, count: int = 0) -> None:
        """Declare a name, or `count` numbered ones: operands may mean something else from now on."""
        super().put(name, value, count)
        self.classes.clear()
        self._dense = False

    def expand(self) -> None:
        """Look up all registers of ranges at once, unless there are many more than statements that may use them."""
        if self._dense:
            return
        self._dense = True
        for prefix, (value, count) in self.ranges.items():
            if count <= 4 * self.size and not prefix[-1].isdigit():  # Nothing is in a range `%r0<8>`.
                self.known.update(dict.fromkeys(map(prefix.__add__, map(str, range(count))), value))
        self.known.update(self.singles)


@dataclass(slots=True)
class Context:
    """One run of the verifier.

    `function` is the name of the one that is looked at, `kernel` whether it is a kernel, `passed` holds its variables
    in .param space;
    `generated` has what matters only where code is generated for a function, with its name; `constants` are the names
    that stand for literals.
    `placed` collects the variables in constant and shared memory, which are limited, `spilling` the kernels that spill
    into shared memory (with where they say so); `files`, `locations` (by
    identity), `places`, `section_labels` (with their sections), `differences` of labels (with where they are) and
    `inlined` what debugging directives have named so far.  `fitting`
    remembers, by opcode and by what decides about its operands, the forms that fit; `twins` has, by identity, what was
    checked in place of functions that nobody has read (`weft.ptx.verifier.outlines`), and `alike` what such functions
    declare registers as, and their scope, where another one with the same rest says nothing new; `called` has the
    scopes with calls that are right in an environment; `admitted` says whether such windows
    hold at the judged target and version: real modules repeat few of them.
    """

    module: Module
    target: str
    version: Version
    kernel: bool = False
    function: str = ""
    constants: frozenset[str] = frozenset()
    located: list[tuple[int, Diagnostic]] = field(default_factory=list[tuple[int, Diagnostic]])
    functions: dict[str, Function] = field(default_factory=dict[str, Function])
    aliases: set[str] = field(default_factory=set[str])
    placed: list[Variable] = field(default_factory=list[Variable])
    passed: list[Variable] = field(default_factory=list[Variable])
    generated: list[tuple[str, Diagnostic]] = field(default_factory=list[tuple[str, Diagnostic]])
    spilling: dict[str, int] = field(default_factory=dict[str, int])
    files: set[int] = field(default_factory=set[int])
    locations: set[int] = field(default_factory=set[int])
    places: set[str] = field(default_factory=set[str])
    section_labels: dict[str, str] = field(default_factory=dict[str, str])
    differences: dict[str, int] = field(default_factory=dict[str, int])
    inlined: dict[str, int | Callable[[], int]] = field(default_factory=dict[str, "int | Callable[[], int]"])
    fitting: dict[object, Fit] = field(default_factory=dict[object, "Fit"])
    twins: dict[int, Function] = field(default_factory=dict[int, Function])
    alike: dict[object, tuple[dict[str, object], Scope]] = field(
        default_factory=dict[object, "tuple[dict[str, object], Scope]"]
    )
    called: dict[object, set[object]] = field(default_factory=dict[object, "set[object]"])
    admitted: dict[tuple[Window, ...], bool] = field(default_factory=dict[tuple["Window", ...], bool])

    @property
    def without_abi(self) -> Function | None:
        """The function for which ptxas compiles the module without the ABI, if there is one.

        It is the first that returns several values (`weft.ptx.verifier.without_abi`).
        """
        return next((function for function in self.module.functions if len(function.returns) > 1), None)

    @property
    def independent(self) -> bool:
        """Whether textures and samplers are apart."""
        return "texmode_independent" in self.module.targets

    @property
    def judged(self) -> tuple[object, ...]:
        """What the legality of an instruction depends on, besides itself."""
        return self.target, self.version, self.independent, self.module.address_size == 32, self.kernel

    def report(
        self,
        code: str,
        message: str,
        pos: int,
        *,
        token: str = "",
        allowed: tuple[str, ...] = (),
        hint: str = "",
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Records a finding at a character offset of the module's text."""
        self.located.append((pos, Diagnostic(code, message, severity, token=token, allowed=allowed, hint=hint)))


MOST_REMEMBERED = 1 << 15
"""Combinations of an opcode and its operands that are kept for one target and version."""
_REMEMBERED: dict[object, dict[object, Fit]] = {}


def remembered(context: Context) -> dict[object, Fit]:
    """What `fitting` has from other modules of the same target and version: their combinations are no others."""
    found = _REMEMBERED.setdefault(context.judged, {})
    if len(found) > MOST_REMEMBERED:
        found.clear()
    return found
