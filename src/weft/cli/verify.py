"""`weft verify`: check PTX as ptxas would."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from weft.cli import files

if TYPE_CHECKING:
    from weft.errors import Diagnostic
    from weft.report import Policy

HELP = """Check PTX files, and those in folders: opcodes, operands, versions and targets. - is stdin.

Findings go to stderr as text, the first of each kind with a count, or to stdout in another format. Status 0 when none
is an error, 1 when one is, 2 for wrong usage.

A comment // weft: disable=CODE holds for its line, alone on a line for the next one, above .version for the file.
"""


@click.command(name="verify", help=HELP)
@click.argument("sources", metavar="FILE.ptx|FOLDER...", nargs=-1)
@click.option("-t", "--target", metavar="SM", help="Check for this target instead of the header's.")
@click.option("--ptx-version", metavar="V", help="Check for this PTX version instead of the header's.")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json", "sarif", "github"]), default="text", help="How."
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--all", "every", is_flag=True, help="Print every finding, not the first of each kind.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing: the status says it.")
@click.option("-W", "warnings", type=click.Choice(["error"]), help="-W error: count warnings as errors.")
@click.option("--disable", metavar="CODE", multiple=True, help="Leave out findings of this code.")
@click.option("--explain", metavar="CODE", help="Say what a code (or all) means, and stop.")
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
    from weft.errors import Severity
    from weft.ptx.verifier import CODES
    from weft.report import Policy, render

    for code in (*disable, *([explain] if explain and explain != "all" else ())):
        _known(code, CODES)
    if explain is not None:
        click.echo(_explained(explain))
        return 0
    if not sources:
        raise click.UsageError("Missing argument 'FILE.ptx|FOLDER...'.")
    target = _checked("--target", target, _target_name)
    ptx_version = _checked("--ptx-version", ptx_version, _version_name)
    policy = Policy(CODES, frozenset(disable), warnings == "error")
    names = [name for source in sources for name in files.expand(source, ".ptx")]
    found = [one for name in names for one in _findings(name, target, ptx_version, policy)]
    if not quiet:
        format_ = "json" if as_json else format_
        click.echo(render(format_, found, CODES, len(names), every=every), err=format_ == "text", nl=False)
    return int(any(one.severity is Severity.ERROR for one in found))


def _findings(source: str, target: str | None, version: str | None, policy: Policy) -> list[Diagnostic]:
    import weft
    from weft.errors import Diagnostic, Position, Severity, WeftError

    text, name = "", files.shown(source)
    try:
        text, name = files.read(source)
        found = weft.verify(weft.parse(text, filename=name), target=target, version=version)
    except OSError as error:
        found = [Diagnostic("syntax", f"cannot be read: {error.strerror or error}", position=Position(file=name))]
    except WeftError as error:
        token = getattr(error, "found", "")
        found = [Diagnostic("syntax", error.message, Severity.ERROR, error.position, token, hint=error.hint)]
    return policy.apply(found, text, name)


def _known(code: str, codes: dict[str, Any]) -> None:
    from weft.errors import nearest

    if code not in codes:
        raise click.UsageError(f"there is no code '{code}': {nearest(code, codes)}")


def _explained(name: str) -> str:
    from weft.ptx.verifier import CODES

    if name == "all":
        return "\n\n".join(
            ["# Codes of the verifier's findings", *(f"## {_explained(code)}" for code in sorted(CODES))]
        )
    code = CODES[name]
    example = "\n".join(f"    {line}" for line in code.example.splitlines())
    return f"{name}\n\n{code.summary[0].upper()}{code.summary[1:]}. {code.detail}\n{code.fix}\n\n{example}"


def _checked(option: str, given: str | None, read: Callable[[str], str]) -> str | None:
    """The value of an option as the library knows it; wrong usage when that knows none such."""
    from weft.errors import WeftError

    if given is None:
        return None
    try:
        return read(given)
    except WeftError as error:
        raise click.UsageError(f"{option}: {error.message}" + (f": {error.hint}" if error.hint else "")) from None


def _target_name(given: str) -> str:
    from weft.isa.target import target

    return target(given).name


def _version_name(given: str) -> str:
    from weft.errors import IsaError
    from weft.isa.target import VERSIONS, Version

    version = Version.parse(given)
    if version not in VERSIONS:
        near = min(VERSIONS, key=lambda one: (abs(one.major - version.major), abs(one.minor - version.minor)))
        raise IsaError(f"PTX version {version} is not known", hint=f"did you mean {near}?")
    return str(version)
