"""Where a text defines values and blocks, and how far each is seen: what the parser knows while it reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.context import Context
from xdsl.ir import Block, Region, SSAValue
from xdsl.parser import Parser
from xdsl.utils.lexer import Span

from weft.collecting import paused
from weft.mlir.module import shared_context
from weft.mlir.parser import MlirParser
from weft.mlir.reader.reader import Reader

Scopes = dict[int, tuple[int, int]]
"""For the offset of each definition, where the region begins and ends in which it is seen."""


class _NotingReader(Reader):
    def _name(self, token: str, index: int, values: tuple[SSAValue, ...]) -> None:
        assert isinstance(self.parser, _NotingParser)
        self.parser.note(self.starts[index])
        super()._name(token, index, values)


class _NotingParser(MlirParser):
    """A parser that keeps the places of definitions, and the regions that are open there."""

    reader = _NotingReader

    def __init__(self, ctx: Context, text: str, filename: str) -> None:
        self._open = [0]
        self._regions: dict[int, int] = {}
        self._defined: dict[int, int] = {}
        super().__init__(ctx, text, filename)

    def note(self, offset: int) -> None:
        """A definition is here, for the region that is open."""
        self._defined[offset] = self._open[-1]

    def scopes(self) -> Scopes:
        """Each definition with its region; what is in none is seen everywhere."""
        everywhere = len(self._text)
        return {at: (start, self._regions.get(start, everywhere)) for at, start in self._defined.items()}

    def parse_optional_region(self, arguments: Iterable[Parser.Argument] | None = None) -> Region | None:
        start = self.pos
        self._open.append(start)
        region = super().parse_optional_region(arguments)
        self._open.pop()
        if region is not None:
            self._regions[start] = self._text.rfind("}", start, self.pos) + 1
        return region

    def _parse_block(self) -> Block:
        self.note(self.pos)
        return super()._parse_block()

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span[str]) -> None:
        self.note(span.start)
        super()._register_ssa_definition(name, values, span)


def scopes_of(text: str) -> Scopes | None:
    """The definitions of a text with what sees them; None where it does not parse."""
    try:
        with paused():
            parser = _NotingParser(shared_context(), text, "")
            if not parser.at_end():
                parser.parse_module()
    except Exception:  # As in `parse_mlir`: bad input can fail any check of any constructor.
        return None
    return parser.scopes()
