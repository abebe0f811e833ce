"""What the checks of one module share: the target and version judged, the findings, and the scopes of names."""

from __future__ import annotations

from dataclasses import dataclass, field

from weft.errors import Diagnostic, Severity
from weft.isa.target import Version, Window
from weft.ptx.ast import Function, Module

CODES: dict[str, str] = {
    "version": "the PTX version is not known",
    "target": "the target is not known",
    "target-version": "the PTX version does not have the target",
    "opcode": "no such instruction",
    "modifier": "a modifier that the instruction does not have, or one that is missing",
    "combination": "modifiers that cannot stand together",
    "window": "the instruction needs a newer PTX version or another target",
    "modifier-order": "modifiers in an order that is not the manual's (ptxas accepts it)",
    "tolerated": "an operand that the manual does not allow (ptxas accepts it)",
    "operand-count": "too few or too many operands",
    "operand-kind": "an operand of the wrong kind",
    "operand-type": "an operand whose type does not fit",
    "vector-width": "a vector operand with the wrong number of elements",
    "immediate": "an immediate outside the allowed values",
    "undeclared": "a name that is not declared",
    "redeclared": "a name that is declared twice in one scope",
    "declaration": "a declaration that is not legal",
    "state-space": "a variable in another state space than the instruction's",
    "address": "an address that the instruction cannot take",
    "guard": "a guard that is not a predicate",
    "label": "a branch to a label that does not exist",
    "directive": "a directive that is not legal here",
    "call": "a call that does not fit its callee",
}
"""The stable codes of the verifier's findings and what each means."""


@dataclass(slots=True)
class Name:
    """A declared name: `kind` is `reg`, `var`, `param`, `func`, `label` or `directive`; `type` without the dot.

    `vector` is the number of elements of a vector register or variable (0: scalar); `space` the state space of
    variables and parameters; `dims` their array extents; `writable` is False for input parameters; `entry` marks a
    kernel's parameters; `align` is a variable's alignment in bytes, `arguments` the text of a labelled directive.
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
    arguments: str = ""
    key: str = ""

    def __post_init__(self) -> None:
        self.key = f"{self.kind} {self.type} {self.vector} {self.space} {self.writable} {self.entry}"


class Scope:
    """The names declared in one `{ ... }` of a module, and the scope around it."""

    __slots__ = ("_cache", "names", "outer", "ranges")

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[str, Name] = {}
        self.ranges: dict[str, tuple[Name, int]] = {}  # `%r<8>`: prefix to its name and count
        self._cache: dict[str, Name | None] = {}

    def find(self, name: str) -> Name | None:
        """The declaration that `name` refers to here, None when there is none."""
        try:
            return self._cache[name]
        except KeyError:
            found = self._cache[name] = self._find(name)
            return found

    def _find(self, name: str) -> Name | None:
        found = self.names.get(name) or self._in_a_range(name)
        return found or (self.outer.find(name) if self.outer else None)

    def _in_a_range(self, name: str) -> Name | None:
        """The declaration `prefix<count>` that this scope has `name` from."""
        if not self.ranges:
            return None
        prefix = name.rstrip("0123456789")
        digits = name[len(prefix) :]
        while digits:
            entry = self.ranges.get(prefix)
            if entry and len(digits) < 12 and int(digits) < entry[1] and (digits == "0" or digits[0] != "0"):
                return entry[0]
            prefix, digits = prefix + digits[0], digits[1:]
        return None

    def declare(self, name: str, declared: Name) -> bool:
        """Declares a name; False when this scope has it already."""
        if name in self.names or self._in_a_range(name):
            return False
        self.names[name] = declared
        self._cache.clear()
        return True

    def declare_range(self, prefix: str, count: int, declared: Name) -> bool:
        """Declares `prefix0` to `prefix(count-1)`; False when one of them is declared already."""
        if prefix in self.ranges or any(_number(name, prefix) < count for name in self.names):
            return False
        self.ranges[prefix] = (declared, count)
        self._cache.clear()
        return True


def _number(name: str, prefix: str) -> float:
    """The number after a prefix of a name; infinite when the name is not `prefixN`."""
    digits = name[len(prefix) :] if name.startswith(prefix) else ""
    canonical = digits.isdecimal() and len(digits) < 12 and str(int(digits)) == digits
    return int(digits) if canonical else float("inf")


@dataclass(slots=True)
class Context:
    """One run of the verifier.

    `fitting` remembers, by opcode and by what decides about its operands, the windows of the forms that fit, and
    `admitted` whether such windows hold at the judged target and version: real modules repeat few combinations.
    """

    module: Module
    target: str
    version: Version
    located: list[tuple[int, Diagnostic]] = field(default_factory=list[tuple[int, Diagnostic]])
    functions: dict[str, Function] = field(default_factory=dict[str, Function])
    aliases: set[str] = field(default_factory=set[str])
    fitting: dict[object, tuple[Window, ...]] = field(default_factory=dict[object, tuple["Window", ...]])
    admitted: dict[tuple[Window, ...], bool] = field(default_factory=dict[tuple["Window", ...], bool])

    @property
    def independent(self) -> bool:
        """Whether textures and samplers are apart."""
        return "texmode_independent" in self.module.targets

    @property
    def findings(self) -> list[Diagnostic]:
        """The findings so far, without their positions."""
        return [found for _, found in self.located]

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
