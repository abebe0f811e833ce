"""Edits that mend a finding: what its hint says, done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from weft.errors import Diagnostic
from weft.isa.target import Version
from weft.lsp.findings import CPP, MLIR, PTX

_MEANT = re.compile(r"did you mean ([^?]+)\?")
_QUOTED = re.compile(r"'([^']+)'")
_CONSTRAINT = re.compile(r'"([=+]?)(\w+)"')
_NUMBERED = re.compile(r"(.*?)(\d+)")
_MOST = 3


class Edit(NamedTuple):
    """A replacement of the text between two offsets."""

    start: int
    end: int
    new: str


class Fix(NamedTuple):
    """A change that an editor offers; a `sure` one does what the hint says and nothing else would."""

    title: str
    edits: tuple[Edit, ...]
    sure: bool = False


def fixes(text: str, language: str, finding: Diagnostic, start: int, end: int) -> list[Fix]:
    """The changes that mend a finding about a text, which points at the offsets `start` to `end`; the best first."""
    found: list[Fix] = []
    if language != MLIR or _MEANT.search(finding.hint):
        found += _replacements(text, finding, start, end)
    special = _SPECIAL.get(finding.code)
    if special is not None:
        found += special(text, finding, start, end)
    if language in (PTX, CPP) and finding.code not in ("syntax", "mlir"):
        found.append(_disabled(text, finding, start))
    return found


def _replacements(text: str, finding: Diagnostic, start: int, end: int) -> Iterator[Fix]:
    """What the hint says was meant, in place of what is written."""
    written = text[start:end]
    match = _MEANT.search(finding.hint)
    meant = re.split(r" or |, ", match[1]) if match is not None else []
    if finding.code == "modifier-order" and finding.hint.startswith("written "):
        meant = [finding.hint.removeprefix("written ")]
    elif finding.code == "combination" and written.startswith("."):
        needed = finding.message.rpartition("it needs ")[2]
        meant = [one for one in _QUOTED.findall(needed) if one.startswith(".")] if " and " not in needed else []
    elif finding.code == "immediate" and re.fullmatch(r"-?\d+(?:(?:, | or )-?\d+)*", finding.hint):
        meant = re.split(r" or |, ", finding.hint)
    for one in meant[:_MOST]:
        new = one.strip("'\"")
        if written.startswith(".") and not new.startswith("."):
            new = f".{new}"
        if new and new != written and written:
            yield Fix(f"Change '{written}' to '{new}'", (Edit(start, end, new),), len(meant) == 1)


def _disabled(text: str, finding: Diagnostic, start: int) -> Fix:
    """A comment on a line of its own above the finding."""
    line = text.rfind("\n", 0, start) + 1
    indent = re.match(r"[ \t]*", text[line:])
    margin = indent[0] if indent is not None else ""
    comment = f"{margin}// weft: disable={finding.code}\n"
    return Fix(f"Disable {finding.code} for this line", (Edit(line, line, comment),))


# -- PTX ----------------------------------------------------------------------------------------------------------


def _header(text: str, finding: Diagnostic, start: int, end: int) -> Iterator[Fix]:
    """The header that the module needs: the least change of version and target."""
    from weft.errors import WeftError
    from weft.ptx.header import find_header
    from weft.ptx.parser import parse
    from weft.ptx.requirements import requires

    try:
        module = parse(text)
        need = requires(module)
    except WeftError:
        return
    header = find_header(text)
    if header is None or not need.targets:
        return
    target = module.target if module.target in need.targets else _nearest(module.target, need.targets)
    version = max(need.targets[target], need.version)
    edits: list[Edit] = []
    if (version.major, version.minor) > module.version:
        edits.append(_word(text, r"\.version\s+([\d.]+)", str(version)))
    if target != module.target:
        edits.append(_word(text, r"\.target\s+(\w+)", target))
    if edits:
        changed = " and ".join(filter(None, (f"PTX {version}" if len(edits) > 1 or target == module.target else "",
                                             target if target != module.target else "")))  # fmt: skip
        yield Fix(f"Change the header to {changed}", tuple(edits), True)


def _word(text: str, pattern: str, new: str) -> Edit:
    match = re.search(pattern, text)
    assert match is not None
    return Edit(match.start(1), match.end(1), new)


def _nearest(target: str, targets: Mapping[str, Version]) -> str:
    """The target that is the least step from one: of the same number, else the next above; of several the oldest."""

    def number(name: str) -> int:
        return int(re.sub(r"\D", "", name) or 0)

    mine = number(target)
    return min(targets, key=lambda name: (number(name) != mine, number(name) < mine, number(name), targets[name]))


def _declaration(text: str, finding: Diagnostic, start: int, end: int) -> Iterator[Fix]:
    """A range of registers that is long enough for one that is not declared."""
    from weft.ptx.occurrences import Occurrences

    match = _NUMBERED.fullmatch(text[start:end])
    if match is None:
        return
    prefix, number = match[1], int(match[2])
    if len(match[2]) > 6:
        return
    for declared in Occurrences(text).visible(start):
        if declared.name == prefix and 0 < declared.count <= number and declared.kind == "register":
            opening = text.index("<", declared.end) + 1
            closing = text.index(">", opening)
            title = f"Declare {prefix}<{number + 1}>"
            yield Fix(title, (Edit(opening, closing, str(number + 1)),), True)


# -- C++ ----------------------------------------------------------------------------------------------------------


def _constraint(text: str, finding: Diagnostic, start: int, end: int) -> Iterator[Fix]:
    """The constraint that the hint names, with the sign of the one that is written."""
    from weft.lint.statements import Statement

    wanted = _CONSTRAINT.search(finding.hint)
    if wanted is None:
        return
    place = start, end
    if not text.startswith('"', start):  # It points into the template.
        statement = _statement(text, start)
        number = text[start:end].lstrip("%")
        operands = statement.operands if isinstance(statement, Statement) else ()
        if not number.isdecimal() or int(number) >= len(operands):
            return
        operand = operands[int(number)]
        place = operand.start, operand.start + len(operand.constraint) + 2
    written = text[place[0] + 1 : place[1] - 1]
    sign = wanted[1] or written[: len(written) - len(written.lstrip("=+&"))]
    yield Fix(f'Change the constraint to "{sign}{wanted[2]}"', (Edit(*place, f'"{sign}{wanted[2]}"'),), bool(wanted[1]))


def _statement(text: str, offset: int) -> object:
    from weft.lsp.inline import statement_at

    return statement_at(text, offset)


def _volatile(text: str, finding: Diagnostic, start: int, end: int) -> Iterator[Fix]:
    behind = re.compile(r"\w+").match(text, start)
    if behind is not None:
        yield Fix("Make the statement volatile", (Edit(behind.end(), behind.end(), " volatile"),), True)


def _clobber(text: str, finding: Diagnostic, start: int, end: int) -> Iterator[Fix]:
    from weft.lint.statements import Statement

    statement = _statement(text, start)
    if not isinstance(statement, Statement):
        return
    if not statement.extended and "%" in text[statement.start : statement.end]:
        return  # In a statement without a colon a percent sign is one; a colon would change that.
    closing = text.rfind(")", statement.start, statement.end + 1)
    colons = _colons(text, statement.start)
    if closing < 0 or colons is None:
        return
    listed = ', "memory"' if statement.clobbers else f'{" :" * max(0, 3 - colons)} "memory"'
    yield Fix('Add the clobber "memory"', (Edit(closing, closing, listed),), True)


def _colons(text: str, start: int) -> int | None:
    """The colons of a statement's sections, a `::` as two."""
    from weft.lint.statements import found_tokens

    for keyword, tokens in found_tokens(text):
        if keyword.start == start:
            depth = colons = 0
            for token in tokens:
                depth += (token.text in "([{") - (token.text in ")]}") if token.kind == "sign" else 0
                colons += token.text.count(":") if token.kind == "sign" and depth == 1 else 0
            return colons
    return None


def _percent(text: str, finding: Diagnostic, start: int, end: int) -> Iterator[Fix]:
    if "write '%%" in finding.message:
        yield Fix("Escape the percent sign", (Edit(start, start, "%"),), True)


def _braces(text: str, finding: Diagnostic, start: int, end: int) -> Iterator[Fix]:
    from weft.lint.statements import Statement

    statement = _statement(text, start)
    if isinstance(statement, Statement) and statement.template and all(t.kind == "string" for t in statement.template):
        first, last = statement.template[0], statement.template[-1]
        opening = first.start + first.text.index('"') + 1
        edits = (Edit(opening, opening, "{ "), Edit(last.end - 1, last.end - 1, " }"))
        yield Fix("Put the statement's PTX into braces", edits, True)


def _converted(text: str, finding: Diagnostic, start: int, end: int) -> Iterator[Fix]:
    name = re.search(r"__cvta_generic_to_\w+", finding.hint)
    opening = text.find("(", end)
    if name is None or opening < 0 or text[end:opening].strip():
        return
    depth = 0
    for position in range(opening, len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if not depth:
            edits = (Edit(opening + 1, opening + 1, f"{name[0]}("), Edit(position, position, ")"))
            yield Fix(f"Convert the pointer with {name[0]}", edits, True)
            return


_SPECIAL: dict[str, Callable[[str, Diagnostic, int, int], Iterator[Fix]]] = {
    "window": _header,
    "target-version": _header,
    "undeclared": _declaration,
    "constraint": _constraint,
    "direction": _constraint,
    "volatile": _volatile,
    "clobber": _clobber,
    "asm": _percent,
    "scope": _braces,
    "generic-pointer": _converted,
}
