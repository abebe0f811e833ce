"""`weft verify`: check PTX as ptxas would."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from weft.cli import files, problems
from weft.cli.colour import echo
from weft.cli.options import explains, target_option, version_option

if TYPE_CHECKING:
    from weft.errors import Diagnostic
    from weft.report import Policy

HELP = """Check PTX files and directories: opcodes, operands, versions and targets; - is stdin.

Findings go to stderr as text, the first of each kind with a count, or to stdout in another format. Exit
status: 0 without errors, 1 with errors, 2 for wrong usage or a file that cannot be read.

A comment // weft: disable=CODE applies to its line, on a line of its own to the next line, above .version to the file.
"""


@click.command(name="verify", help=HELP)
@click.argument("sources", metavar="FILE.ptx|DIR...", nargs=-1)
@click.option(
    "-t", "--target", callback=target_option, metavar="SM", help="Check for this target instead of the header's."
)
@click.option(
    "--ptx-version", callback=version_option, metavar="V", help="Check for this PTX version instead of the header's."
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
@click.option("-q", "--quiet", is_flag=True, help="Print nothing; report by exit status only.")
@click.option("-W", "warnings", type=click.Choice(["error"]), help="-W error: count warnings as errors.")
@click.option("--disable", metavar="CODE", multiple=True, help="Do not report findings with this code.")
@click.option("--explain", metavar="CODE", help="Explain a code (or all), and exit.")
def command(
    sources: tuple[str, ...],
    target: str | None,
    ptx_version: str | None,
    format_: str,
    as_json: bool,
    every: bool,
    quiet: bool,
    warnings: str | None,
    disable: tuple[str, ...],
    explain: str | None,
) -> int:
    """Check every file, whatever is wrong with others, then print."""
    from weft.ptx.verifier import CODES
    from weft.report import Policy, render

    if explains(explain, disable, CODES, CODES, "Codes of the verifier's findings"):
        return 0
    if not sources:
        raise click.UsageError("Missing argument 'FILE.ptx|DIR...'.")
    policy = Policy(CODES, frozenset(disable), warnings == "error")
    names = [name for source in sources for name in files.expand(source, ".ptx")]
    found = [one for name in names for one in _findings(name, target, ptx_version, policy)]
    if not quiet:
        format_ = "json" if as_json else format_
        printed = render(format_, found, CODES, len(names), every=every)
        echo(printed, err=True, nl=False) if format_ == "text" else click.echo(printed, nl=False)
    return problems.status(found)


def _findings(source: str, target: str | None, version: str | None, policy: Policy) -> list[Diagnostic]:
    import weft
    from weft.errors import Diagnostic, Severity, WeftError

    text, name = "", files.shown(source)
    try:
        text, name = files.read(source)
        found = weft.verify(weft.parse(text, filename=name), target=target, version=version)
    except OSError as error:
        found = problems.diagnostics(error)
    except WeftError as error:
        token = getattr(error, "found", "")
        found = [Diagnostic("syntax", error.message, Severity.ERROR, error.position, token, hint=error.hint)]
    return policy.apply(found, text, name)
