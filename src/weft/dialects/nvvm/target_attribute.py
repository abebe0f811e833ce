"""`#nvvm.target`: what a `gpu.module` is compiled for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DictionaryAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

_DEFAULTS: dict[str, Attribute | None] = {
    "O": IntegerAttr(2, 32),
    "triple": StringAttr("nvptx64-nvidia-cuda"),
    "chip": StringAttr("sm_50"),
    "features": None,
    "flags": None,
    "link": None,
    "verifyTarget": BoolAttr.from_bool(True),
}
"""The keys in the order in which they are printed, and the values that are not."""


@irdl_attr_definition
class NVVMTargetAttr(ParametrizedAttribute):
    """`#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80", flags = {fast}>`; all keys may be left out."""

    name = "nvvm.target"

    options: DictionaryAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<key = value, ...>`, or nothing."""
        start = parser.pos
        if parser.parse_optional_punctuation("<") is None:
            return [DictionaryAttr({})]
        found: dict[str, Attribute] = {}
        while True:
            key = parser.parse_identifier()
            parser.parse_punctuation("=")
            if key not in _DEFAULTS or key in found:
                parser.raise_error(f"duplicate or unknown struct parameter name: {key}", parser.pos, parser.pos)
            found[key] = _parse_value(parser, key)
            if parser.parse_optional_punctuation(",") is None:
                break
        parser.parse_punctuation(">")
        wrong = _wrong(found)
        if wrong is not None:
            parser.raise_error(wrong, start, start)
        return [DictionaryAttr({key: value for key, value in found.items() if value != _DEFAULTS[key]})]

    @property
    def chip(self) -> str:
        """The processor, `sm_90a`."""
        given = self.options.data.get("chip", _DEFAULTS["chip"])
        assert isinstance(given, StringAttr)
        return given.data

    @property
    def verified(self) -> bool:
        """Whether what is in the module is held against the target."""
        return "verifyTarget" not in self.options.data

    def print_parameters(self, printer: Printer) -> None:
        """Print what is not the default."""
        shown = [(key, self.options.data[key]) for key in _DEFAULTS if key in self.options.data]
        if not shown:
            return
        printer.print_string("<")
        for index, (key, value) in enumerate(shown):
            printer.print_string(f"{', ' if index else ''}{key} = ")
            if isinstance(value, IntegerAttr):
                data: int = value.value.data
                printer.print_string(str(data) if key == "O" else "true" if data else "false")
            else:
                printer.print_attribute(value)
        printer.print_string(">")


def _parse_value(parser: AttrParser, key: str) -> Attribute:
    if key == "O":
        return IntegerAttr(parser.parse_integer(allow_boolean=False), 32)
    if key == "verifyTarget":
        return BoolAttr.from_bool(parser.parse_boolean())
    if key in ("triple", "chip", "features"):
        start = parser.pos
        text = parser.parse_optional_str_literal()
        if text is None:
            parser.raise_error("expected string", start, start)
        return StringAttr(text)
    return parser.parse_attribute()


def _wrong(found: dict[str, Attribute]) -> str | None:
    """What cannot be said of a target."""
    level, link = found.get("O"), found.get("link")
    if isinstance(level, IntegerAttr) and not 0 <= level.value.data <= 3:
        return "The optimization level must be a number between 0 and 3."
    for key in ("triple", "chip"):
        if found.get(key) == StringAttr(""):
            return f"The target {key} cannot be empty."
    if isinstance(link, ArrayAttr) and not all(isinstance(name, StringAttr) for name in cast("Any", link).data):
        return "All the elements in the `link` array must be strings."
    return None
