"""The formats in which findings are printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from weft.errors import Diagnostic, Position, Severity
from weft.report.text import summary, text


class Code(NamedTuple):
    """One kind of finding: a sentence, why it is one, what to do, and an input for which it is reported."""

    summary: str
    detail: str
    fix: str
    example: str


Codes = Mapping[str, Code]
Found = Sequence[Diagnostic]


def as_json(found: Found, codes: Codes, files: int) -> str:
    """An object with the counts and `findings`; columns are 1-based, `end_column` is the one after the last."""
    import json

    listed = {
        "files": files,
        "errors": sum(one.severity is Severity.ERROR for one in found),
        "warnings": sum(one.severity is Severity.WARNING for one in found),
        "findings": [
            {
                "file": one.position.file,
                "line": one.line,
                "column": one.column,
                "end_column": one.end_column,
                "severity": one.severity.value,
                "code": one.code,
                "message": one.message,
                "token": one.token,
                "allowed": list(one.allowed),
                "hint": one.hint,
            }
            | _besides(one)
            for one in found
        ],
    }
    return json.dumps(listed, indent=2) + "\n"


def _besides(one: Diagnostic) -> dict[str, Any]:
    """The other place of a finding, and its facts, where it has some."""
    found: dict[str, Any] = {}
    if one.related is not None:
        found["related"] = {"file": one.related.file, "line": one.related.line, "column": one.related.column}
    return found | ({"facts": dict(one.facts)} if one.facts else {})


def as_sarif(found: Found, codes: Codes, files: int) -> str:
    """A log of SARIF 2.1.0 (OASIS) with one run; what `--disable` and comments take away is not in it."""
    import json

    import weft

    used = sorted({one.code for one in found})
    driver: dict[str, Any] = {
        "name": "weft",
        "semanticVersion": weft.__version__,
        "rules": [_rule(name, codes.get(name)) for name in used],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, used.index(one.code)) for one in found],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2) + "\n"


def _rule(name: str, code: Code | None) -> dict[str, Any]:
    if code is None:
        return {"id": name}
    return {
        "id": name,
        "shortDescription": {"text": code.summary},
        "fullDescription": {"text": code.detail},
        "help": {"text": code.fix},
    }


def _result(one: Diagnostic, rule: int) -> dict[str, Any]:
    message = one.message + (f" ({one.hint})" if one.hint else "")
    result: dict[str, Any] = {
        "ruleId": one.code,
        "ruleIndex": rule,
        "level": one.severity.value,
        "message": {"text": message},
        "locations": [{"physicalLocation": _place(one.position, one.end_column)}],
    }
    if one.related is not None:
        place = _place(one.related, 0)
        result["relatedLocations"] = [{"id": 1, "message": {"text": "the other side"}, "physicalLocation": place}]
    return result | ({"properties": dict(one.facts)} if one.facts else {})


def _place(at: Position, end: int) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(at.file.replace("\\", "/"))}}
    if at.line:
        place["region"] = {"startLine": at.line}
        if at.column:
            place["region"] |= {"startColumn": at.column, "endColumn": max(end, at.column + 1)}
    return place


def as_github(found: Found, codes: Codes, files: int) -> str:
    """Workflow commands, which GitHub shows beside the lines of a change."""
    lines: list[str] = []
    for one in found:
        level = "notice" if one.severity is Severity.NOTE else one.severity.value
        facts = {"file": one.position.file, "line": one.line, "col": one.column, "endColumn": one.end_column}
        facts["title"] = f"weft {one.code}"
        said = ",".join(f"{name}={_property(str(value))}" for name, value in facts.items() if value)
        lines.append(f"::{level} {said}::{_data(one.message + (f' ({one.hint})' if one.hint else ''))}\n")
    return "".join(lines)


def _data(value: str) -> str:
    return value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def _as_text(found: Found, codes: Codes, files: int) -> str:
    return text(found, every=False) + (f"{summary(found, files)}\n" if found else "")


def _as_full_text(found: Found, codes: Codes, files: int) -> str:
    return text(found, every=True) + (f"{summary(found, files)}\n" if found else "")


FORMATS: dict[str, Callable[[Found, Codes, int], str]] = {
    "text": _as_text,
    "json": as_json,
    "sarif": as_sarif,
    "github": as_github,
}
"""Every format by name: what turns findings, the codes' meanings and the number of files into text."""


def render(format_: str, found: Found, codes: Codes, files: int, *, every: bool = False) -> str:
    """The findings about some files in one of `FORMATS`; `every` prints each in `text`, not the first of a kind."""
    write = _as_full_text if every and format_ == "text" else FORMATS[format_]
    return write(found, codes, files)
