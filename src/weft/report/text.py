"""Findings as a compiler prints them, and in a few words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from weft.errors import Diagnostic, Severity, counted

_PARTICULAR = re.compile(r"'[^']*'|%[\w.$]+|\d+")


def kind(found: Diagnostic) -> tuple[str, str, str]:
    """What two findings of one kind share: the code, the severity, the message without names and numbers."""
    return found.code, found.severity.value, _PARTICULAR.sub("'", found.message)


def text(found: Sequence[Diagnostic], *, every: bool) -> str:
    """The findings one after the other; unless `every`, the first of each kind and how many more there are.

    What is said of a whole file is said of each.
    """
    kinds: dict[object, list[Diagnostic]] = {}
    for index, one in enumerate(found):
        kinds.setdefault(index if every or not one.line else kind(one), []).append(one)
    lines: list[str] = []
    for alike in kinds.values():
        head, *rest = alike[0].render().split("\n")
        more = f" and {len(alike) - 1} more" if len(alike) > 1 else ""
        lines += [f"{head} [{alike[0].code}]{more}", *rest]
    return "".join(f"{line}\n" for line in lines)


def summary(found: Sequence[Diagnostic], files: int) -> str:
    """`3 files: 1 error, 818 warnings`."""
    errors = sum(one.severity is Severity.ERROR for one in found)
    warnings = sum(one.severity is Severity.WARNING for one in found)
    said = ", ".join(counted(n, what) for n, what in ((errors, "error"), (warnings, "warning")) if n)
    return f"{counted(files, 'file')}: {said or 'nothing found'}"
