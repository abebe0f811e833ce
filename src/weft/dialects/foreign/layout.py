"""`dlti`: xDSL's dialect, with entries of a map spelled `key = value` or `#dlti.dl_entry<key, value>`."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr
from xdsl.dialects.dlti import DLTI, DataLayoutEntryAttr, DLTIEntryMap
from xdsl.parser import AttrParser


def _entry(parser: AttrParser) -> DataLayoutEntryAttr:
    start = parser.pos
    if parser.lexer.input.content.startswith("#dlti.dl_entry", start):
        parser._resume_from(start + len("#dlti.dl_entry"))  # pyright: ignore[reportPrivateUsage]
        with parser.in_angle_brackets():
            key = parser.parse_attribute()
            parser.parse_punctuation(",")
            return DataLayoutEntryAttr(key, parser.parse_attribute())  # pyright: ignore[reportArgumentType]
    key = parser.parse_attribute()
    parser.parse_punctuation("=")
    return DataLayoutEntryAttr(key, parser.parse_attribute())  # pyright: ignore[reportArgumentType]


def _parse_entries(cls: type[DLTIEntryMap], parser: AttrParser) -> tuple[ArrayAttr[DataLayoutEntryAttr]]:
    """Parse `<entry, ...>`; a key occurs once."""
    entries: list[DataLayoutEntryAttr] = []

    def one() -> None:
        start = parser.pos
        found = _entry(parser)
        if any(found.key == entry.key for entry in entries):
            key = getattr(found.key, "data", None) or found.key
            parser.raise_error(f"repeated DLTI key: {key}", start, start)
        entries.append(found)

    parser.parse_comma_separated_list(parser.Delimiter.ANGLE, one)
    return (ArrayAttr(entries),)


DLTIEntryMap.parse_parameters = classmethod(_parse_entries)  # pyright: ignore

__all__ = ["DLTI"]
