"""Errors of a command, in the format that the user asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec

import click

if TYPE_CHECKING:
    from weft.errors import Diagnostic, WeftError

P = ParamSpec("P")


def reported(command: Callable[P, int | None]) -> Callable[P, int | None]:
    """A command whose errors go to stdout as findings do, when `--json` or another `--format` than text is given.

    Otherwise they are printed as text, by `weft.cli.execute`.
    """

    @wraps(command)
    def run(*args: P.args, **named: P.kwargs) -> int | None:
        format_ = "json" if named.get("as_json") else named.get("format_", "text")
        try:
            return command(*args, **named)
        except Exception as error:
            problems = [] if format_ == "text" else diagnostics(error)
            if not problems:
                raise
        from weft.report import render

        click.echo(render(str(format_), problems, {}, 1), nl=False)
        return status(problems)

    return run


def status(found: Iterable[Diagnostic]) -> int:
    """The exit status of a command that has found this: 2 where a file cannot be read or written, 1 for an error."""
    from weft.errors import Severity

    codes = {one.code for one in found if one.severity is Severity.ERROR}
    return 2 if "file" in codes else int(bool(codes))


def diagnostics(error: BaseException) -> list[Diagnostic]:
    """An error as findings, whose code is the kind of error; none for what is none of weft's."""
    from weft.errors import Diagnostic, Position, PtxSyntaxError, Severity, VerifyError, WeftError

    if isinstance(error, OSError):
        return [Diagnostic("file", str(error.strerror or error), position=Position(file=str(error.filename or "")))]
    if not isinstance(error, WeftError):
        return []
    if isinstance(error, VerifyError):
        return list(error.diagnostics)
    if isinstance(error, PtxSyntaxError):
        return [Diagnostic("syntax", error.message, Severity.ERROR, error.position, error.found, hint=error.hint)]
    code: Any = getattr(error, "kind", "") or type(error).__name__.removesuffix("Error").lower()
    return [Diagnostic(str(code), error.message, Severity.ERROR, error.position, hint=error.hint)]


def rendered(error: WeftError) -> str:
    """An error as text; of those about PTX with the codes that `weft verify --explain` knows."""
    from weft.errors import PtxSyntaxError, VerifyError
    from weft.report.text import text

    if not isinstance(error, PtxSyntaxError | VerifyError):
        return error.render()
    return text(diagnostics(error), every=False).rstrip("\n")
