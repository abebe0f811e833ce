"""Colours of what the commands print: only to terminals, and never where NO_COLOR is set (no-color.org)."""

from __future__ import annotations

import os
import re
import sys

import click

_FINDING = re.compile(r"^(?P<place>(?:[^\n]*?: )?)(?P<word>error|warning|note)(?P<colon>: )", re.MULTILINE)
_CARET = re.compile(r"^ *\^~*$", re.MULTILINE)
_HINT = re.compile(r"^hint: ", re.MULTILINE)
_SEVERITIES = {"error": "red", "warning": "yellow", "note": "blue"}
_CHANGES = {"+": "green", "-": "red", "@": "cyan"}


def wanted(*, err: bool = False) -> bool:
    """Whether stdout (or stderr) takes colours: FORCE_COLOR says so, NO_COLOR forbids it, else a terminal does."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    stream = sys.stderr if err else sys.stdout
    return stream is not None and stream.isatty()  # pyright: ignore[reportUnnecessaryComparison] - None when closed.


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print findings and errors: places bold, severities, carets and hints in colour."""
    coloured = wanted(err=err)
    click.echo(findings(text) if coloured else text, err=err, nl=nl, color=coloured)


def findings(text: str) -> str:
    """The text of findings with colours."""

    def finding(match: re.Match[str]) -> str:
        word = match["word"]
        return click.style(match["place"], bold=True) + click.style(word, fg=_SEVERITIES[word], bold=True) + match[3]

    text = _FINDING.sub(finding, text)
    text = _CARET.sub(lambda match: click.style(match[0], fg="red", bold=True), text)
    return _HINT.sub(click.style("hint", fg="cyan", bold=True) + ": ", text)


def change(text: str) -> str:
    """The lines of a difference with colours, where stdout takes them."""
    if not wanted():
        return text
    return "\n".join(click.style(line, fg=_CHANGES.get(line[:1])) for line in text.split("\n"))
