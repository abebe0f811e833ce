"""Debugging directives: `.file`, `.loc` and the data of `.section`.

Sources: PTX manual, section "Debugging Directives"; the refusals are ptxas's own.
"""

from __future__ import annotations

import re

from weft.errors import Severity
from weft.patterns import pattern
from weft.ptx.ast import Section
from weft.ptx.constants import integer_value, overflows
from weft.ptx.debug import DIFFERENCE, contents
from weft.ptx.directive_nodes import DEBUG_STRINGS, File, Loc
from weft.ptx.verifier.context import Context
from weft.ptx.verifier.debug_units import check_units

_DATA = re.compile(r"(?<![\w$.%])-?(?:0[xX][0-9A-Fa-f]++|0[bB][01]++|0[0-7]*+|[1-9]\d*+)", re.ASCII)
_SMALL = {
    width: pattern(rf"(?:{number})(?:, *+(?:{number}))*+", re.ASCII)
    for width, number in {".b8": r"1\d\d|\d{1,2}+", ".b16": r"\d{1,4}+", ".b32": r"\d{1,9}+"}.items()
}
"""Lists of numbers that fit their width at a glance."""

_NAMED = re.compile(r"[^-\d]")
_SHORT = len(".b64 ") + 18
"""No number of .b64 data that is at most so long is too large."""
READ_INLINED = (4, 0)
"""The PTX version since which ptxas looks at `inlined_at`."""
_MOST = (1 << 32) - 1
"""The largest number of `.file` and `.loc`."""


def check_file(context: Context, file: File) -> None:
    """Checks a `.file`: its number is the first of its kind, and small."""
    if file.number in context.files:
        context.report("redeclared", f".file {file.number} is defined twice", file.pos, token=".file")
    context.files.add(file.number)
    _check_size(context, file, file.number)


def check_location(context: Context, loc: Loc) -> None:
    """Checks a `.loc`: small numbers, and the place of an inlined call stands before it.

    Equal locations of a module are one object, which is looked at once.
    """
    location = loc.location
    if id(location) in context.locations:
        return
    context.locations.add(id(location))
    place = f"{location.file} {location.line} {location.column}"
    for number in (location.file, location.line, location.column):
        _check_size(context, loc, number)
    inlined = location.inlined if context.version >= READ_INLINED else None
    if inlined is not None:
        context.inlined.setdefault(inlined.function, loc.pos)
    caller = f"{inlined.file} {inlined.line} {inlined.column}" if inlined is not None else ""
    if caller and caller not in context.places:
        message = f".loc: {caller} of inlined_at does not refer to an earlier .loc"
        context.report("directive", message, loc.pos, token="inlined_at")
    context.places.add(place)


def check_labels(context: Context) -> None:
    """Checks that debug sections have the labels that `.loc` and differences name, those of a difference in one.

    ptxas looks at differences where `.target` says debug.
    """
    for label, pos in context.inlined.items():
        if label != DEBUG_STRINGS and f"{label}:" not in context.section_labels:
            message = f".loc: label '{label}' of function_name is not in any section"
            at = pos() if callable(pos) else pos
            context.report("directive", message, at, token=label, hint="put it in .section .debug_str")
    for text, pos in context.differences.items() if "debug" in context.module.targets else ():
        end, start = text.split("-")
        sections = [context.section_labels.get(f"{label}:") for label in (end, start)]
        if None in sections:
            label = end if sections[0] is None else start
            context.report("label", f"{text}: label '{label}' is not in any section", pos, token=label)
        elif sections[0] != sections[1]:
            message = f"'{end}' is in {sections[0]} but '{start}' in {sections[1]}, so they have no difference"
            context.report("label", message, pos, token=text)


def _check_size(context: Context, directive: File | Loc, number: int) -> None:
    if number <= _MOST:
        return
    message = f".{directive.name}: {number} exceeds {_MOST}"
    if number >> 63:
        message += "; ptxas reads it as negative, and accepts it"
        context.report("tolerated", message, directive.pos, token=str(number), severity=Severity.WARNING)
    else:
        context.report("directive", message, directive.pos, token=str(number))


def check_section(context: Context, section: Section) -> None:
    """Checks the data of a debug section: numbers that fit their width, labels that are the first of their name."""
    lines = contents(section).odd
    for line, count in lines.items():
        if line[-1] == ":":
            for _ in range(count - (line not in context.section_labels)):
                context.report("redeclared", f"label '{line[:-1]}' is already declared", section.pos, token=line[:-1])
            context.section_labels[line] = section.name
            continue
        if "-" in line and (difference := DIFFERENCE.fullmatch(line)):
            context.differences.setdefault(difference[1], section.pos)
        if not line.startswith(".b64") or len(line) > _SHORT:
            _check_data(context, section, line)
    if section.name == ".debug_info":
        check_units(context, section)


def _check_data(context: Context, section: Section, line: str) -> None:
    width, _, values = line.partition(" ")
    small = _SMALL.get(width)
    if small is not None and small.fullmatch(values) is not None:
        return
    bits = int(width[2:])
    if bits < 32 and _NAMED.match(values) is not None:
        message = f"{section.name}: an address does not fit {width}"
        context.report("declaration", message, section.pos, token=values)
        return
    for text in _DATA.findall(values):
        value = -integer_value(text[1:]) if text[0] == "-" else integer_value(text)
        # Of a number ptxas reads 32 bits where they must fit, else 64.
        low = max(value, 0) & 0xFFFF_FFFF
        wrong = value <= -(1 << (bits - 1)) - (bits < 64) or (bits < 32 and low >> bits > 0)
        if wrong or overflows(text.lstrip("-")) or (value == 0 and text[0] == "-" and bits < 64):
            message = f"{section.name}: {text[:24]} does not fit {width}"
            context.report("declaration", message, section.pos, token=text)
