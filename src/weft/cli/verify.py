"""`weft verify`: check PTX as ptxas would."""

from __future__ import annotations

import click

from weft.cli import files


@click.command(name="verify", help="Check PTX: opcodes, operands, versions and targets.")
@click.argument("source", metavar="FILE.ptx")
@click.option("-t", "--target", metavar="SM", help="Check for this target instead of the header's.")
@click.option("--ptx-version", metavar="V", help="Check for this PTX version instead of the header's.")
def command(source: str, target: str | None, ptx_version: str | None) -> int:
    """Print each finding to stderr; status 1 when one of them is an error."""
    import weft
    from weft.errors import Severity

    text, name = files.read(source)
    diagnostics = weft.verify(weft.parse(text, filename=name), target=target, version=ptx_version)
    for diagnostic in diagnostics:
        click.echo(diagnostic.render(), err=True)
    return int(any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics))
