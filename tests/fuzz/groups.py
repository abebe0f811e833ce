"""Many inputs in one module: what costs most of an input alone is the module around it.

A text that is a list of statements by itself stands in a scope of its own, beside others, and the group is judged as
one.  Whether it is such a list, the reader of bodies says, at a tenth of the cost of a module; most inputs are not, and
end there, with an error.
"""

from __future__ import annotations

from weft.ptx.ast import Statement
from weft.ptx.body import BodyReader
from weft.ptx.scopes import Scope

SIZE = 24
"""Inputs of a group."""


class Screen:
    """Reads texts of statements as they would be in a body that declares some registers without `%`."""

    def __init__(self, registers: tuple[str, ...]) -> None:
        self._registers = registers
        self._outer = self._scope()

    def _scope(self) -> Scope:
        scope = Scope()
        for name in self._registers:
            scope.declare_register(name, 0)
        return scope

    def is_list(self, text: str) -> bool:
        """Whether a text is statements that declare nothing around them; raises PtxSyntaxError when it is malformed."""
        if self._outer.misleading:
            self._outer = self._scope()
        whole = f"{{{text}\n}}"
        reader, body = BodyReader(whole, ""), list[Statement]()
        end = reader.read(0, body, Scope(self._outer))
        return end == len(whole) - 1 and not reader.outer and not self._outer.misleading


def grouped(texts: list[str]) -> str:
    """The texts as one, each in a scope of its own."""
    return "\n".join(f"{{{text}\n}}" for text in texts)
