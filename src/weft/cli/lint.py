"""`weft lint`: check the inline PTX of CUDA C++."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from weft.cli import files, problems
from weft.cli.colour import echo
from weft.cli.options import explains, target_option

if TYPE_CHECKING:
    from weft.errors import Diagnostic
    from weft.lint import Linted
    from weft.report import Policy

SUFFIXES = (".cu", ".cuh", ".h", ".hpp", ".hxx", ".hh", ".cpp", ".cc", ".cxx", ".inl", ".c")

HELP = f"""Check the inline PTX of CUDA C++ files and directories; - is stdin.

Each asm statement is checked with its constraints, for a target that supports its instructions, and findings point into
the strings of the C++ source. Nothing is compiled, and no header is read. In a directory, the files are those that end
in {", ".join(SUFFIXES)}.

Notes on what nvcc and ptxas accept need --notes. Exit status: 0 without errors and warnings, 1 with any, 2 for wrong
usage or a file that cannot be read.

A comment // weft: disable=CODE applies to the statement on its line, on a line of its own to the next one, above the
first line of code to the file.
"""


@click.command(name="lint", help=HELP)
@click.argument("sources", metavar="FILE|DIR...", nargs=-1)
@click.option(
    "-t",
    "--target",
    callback=target_option,
    metavar="SM",
    help="Check for this target, not for any that supports the instructions.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    help="How findings are printed.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--all", "every", is_flag=True, help="Print every finding, not only the first of each kind.")
@click.option("--notes", is_flag=True, help="Also report notes, and statements that are not checked.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; report by exit status only.")
@click.option("--disable", metavar="CODE", multiple=True, help="Do not report findings with this code.")
@click.option("--explain", metavar="CODE", help="Explain a code (or all), and exit.")
def command(
    sources: tuple[str, ...],
    target: str | None,
    format_: str,
    as_json: bool,
    every: bool,
    notes: bool,
    quiet: bool,
    disable: tuple[str, ...],
    explain: str | None,
) -> int:
    """Check every file, whatever is wrong with others, then print."""
    from weft.errors import Severity, counted
    from weft.lint import CODES
    from weft.lint.codes import OWN
    from weft.report import Policy, render

    if explains(explain, disable, CODES, OWN, "Codes of lint's own findings"):
        return 0
    if not sources:
        raise click.UsageError("Missing argument 'FILE|DIR...'.")
    policy = Policy(CODES, frozenset(disable))
    names = [name for source in sources for name in _files(source)]
    found: list[Diagnostic] = []
    statements = unjudged = 0
    for name in names:
        linted, here = _linted(name, target, policy)
        found += [one for one in here if notes or one.severity is not Severity.NOTE]
        if linted is not None:
            statements, unjudged = statements + linted.statements, unjudged + len(linted.unjudged)
            found += linted.unjudged if notes else ()
    if not quiet:
        format_ = "json" if as_json else format_
        printed = render(format_, found, CODES, len(names), every=every)
        echo(printed, err=True, nl=False) if format_ == "text" else click.echo(printed, nl=False)
        if format_ == "text":
            more = f", {unjudged} not checked (--notes says why)" if unjudged else ""
            click.echo(f"{counted(statements, 'asm statement')}{more}", err=True)
    return problems.status(found) or int(any(one.severity is not Severity.NOTE for one in found))


def _files(source: str) -> list[str]:
    if source == files.STANDARD or not Path(source).is_dir():
        return [source]
    found = sorted(str(path) for path in Path(source).rglob("*") if path.suffix in SUFFIXES and path.is_file())
    if not found:
        raise click.UsageError(f"{source}: no file in this directory ends in {', '.join(SUFFIXES)}")
    return found


def _linted(source: str, target: str | None, policy: Policy) -> tuple[Linted | None, list[Diagnostic]]:
    from weft.errors import Diagnostic, Severity, WeftError
    from weft.lint import lint

    name = files.shown(source)
    try:
        text, name = files.read(source)
    except OSError as error:
        return None, problems.diagnostics(error)
    except WeftError as error:
        return None, [Diagnostic("asm", error.message, Severity.ERROR, error.position, hint=error.hint)]
    linted = lint(text, name, target=target)
    return linted, policy.apply(linted.findings, text, name, linted.begins)
