"""`dlti`: xDSL's dialect, with entries of a map spelled `key = value` or `#dlti.dl_entry<key, value>`."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.dlti import DLTI, DataLayoutEntryAttr, DLTIEntryMap, TargetDeviceSpecAttr, TargetSystemSpecAttr
from xdsl.ir import Attribute, TypeAttribute
from xdsl.parser import AttrParser


def _entry(parser: AttrParser, whole: int) -> DataLayoutEntryAttr:
    start = parser.pos
    if parser.lexer.input.content.startswith("#dlti.dl_entry", start):
        parser._resume_from(start + len("#dlti.dl_entry"))  # pyright: ignore[reportPrivateUsage]
        with parser.in_angle_brackets():
            key = _key(parser, whole)
            parser.parse_punctuation(",")
            return DataLayoutEntryAttr(key, parser.parse_attribute())
    key = _key(parser, whole)
    parser.parse_punctuation("=")
    return DataLayoutEntryAttr(key, parser.parse_attribute())


def _key(parser: AttrParser, whole: int) -> StringAttr | TypeAttribute:
    start = parser.pos
    key = parser.parse_attribute()
    if not isinstance(key, (StringAttr, TypeAttribute)):
        parser.raise_error("invalid kind of attribute specified", start, start)
    if isinstance(key, StringAttr) and not key.data:
        parser.raise_error("empty string as DLTI key is not allowed", whole, whole)
    return key


def _parse_entries(cls: type[DLTIEntryMap], parser: AttrParser) -> tuple[ArrayAttr[DataLayoutEntryAttr]]:
    """Parse `<entry, ...>`; a key occurs once.  What is wrong with the whole is said at its name."""
    name = cls.name.partition(".")[2]
    whole = max(parser.lexer.input.content.rfind(name, 0, parser.pos), 0)
    entries: list[DataLayoutEntryAttr] = []
    repeated: list[Attribute] = []

    def one() -> None:
        start = parser.pos
        found = _entry(parser, whole)
        if cls is TargetSystemSpecAttr:
            if not isinstance(found.key, StringAttr):
                parser.raise_error("invalid kind of attribute specified", start, start)
            if not isinstance(found.value, TargetDeviceSpecAttr):
                message = f"value associated with key {_shown(found.key)} is not a DLTI device spec"
                parser.raise_error(message, whole, whole)
        if cls is TargetDeviceSpecAttr and not isinstance(found.key, StringAttr):
            parser.raise_error("invalid kind of attribute specified", start, start)
        repeated.extend(entry.key for entry in entries if found.key == entry.key)
        entries.append(found)

    parser.parse_comma_separated_list(parser.Delimiter.ANGLE, one)
    if not entries and cls in (TargetSystemSpecAttr, TargetDeviceSpecAttr):
        parser.raise_error("no DLTI entries provided", whole, whole)
    if repeated:
        what = "repeated device ID in dlti.target_system_spec" if cls is TargetSystemSpecAttr else "repeated DLTI key"
        parser.raise_error(f"{what}: {_shown(repeated[0])}", whole, whole)
    return (ArrayAttr(entries),)


def _shown(key: Attribute) -> str:
    return f'"{key.data}"' if isinstance(key, StringAttr) else str(key)


DLTIEntryMap.parse_parameters = classmethod(_parse_entries)  # pyright: ignore

__all__ = ["DLTI"]
