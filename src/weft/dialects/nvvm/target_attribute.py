"""`#nvvm.target`: what a `gpu.module` is compiled for."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr, DictionaryAttr, IntegerAttr, StringAttr
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
        if parser.parse_optional_punctuation("<") is None:
            return [DictionaryAttr({})]
        found: dict[str, Attribute] = {}
        while True:
            position = parser.pos
            key = parser.parse_identifier()
            if key not in _DEFAULTS or key in found:
                parser.raise_error(f"expected one of {', '.join(_DEFAULTS)}", position, parser.pos)
            parser.parse_punctuation("=")
            if key == "O":
                found[key] = IntegerAttr(parser.parse_integer(allow_boolean=False), 32)
            elif key == "verifyTarget":
                found[key] = BoolAttr.from_bool(parser.parse_boolean())
            else:
                found[key] = parser.parse_attribute()
            if parser.parse_optional_punctuation(",") is None:
                break
        parser.parse_punctuation(">")
        return [DictionaryAttr({key: value for key, value in found.items() if value != _DEFAULTS[key]})]

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
