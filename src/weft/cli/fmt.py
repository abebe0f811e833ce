"""`weft fmt`: PTX in its canonical form."""

from __future__ import annotations

import click

from weft.cli import files

HELP = """Format PTX.

One file goes to stdout or --output; --in-place, --check and --diff take any number of files and directories. Files that
are already formatted are not touched.
"""


@click.command(name="fmt", help=HELP)
@click.argument("sources", metavar="FILE.ptx|DIR...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", help="Where to write (default: stdout).")
@click.option("-i", "--in-place", is_flag=True, help="Rewrite the files.")
@click.option("--check", is_flag=True, help="Write nothing; exit with status 1 if a file is not formatted.")
@click.option("--diff", "show", is_flag=True, help="Print what would change, and write nothing.")
def command(sources: tuple[str, ...], output: str | None, in_place: bool, check: bool, show: bool) -> int:
    """Read, format, and only then write."""
    if in_place and (output is not None or files.STANDARD in sources or check or show):
        raise click.UsageError("--in-place needs files, and cannot be combined with --output, --check and --diff")
    if in_place and any(files.binary(source) for source in sources):
        raise click.UsageError("--in-place takes PTX files only; weft extract writes the PTX of others")
    names = [name for source in sources for name in files.expand(source, ".ptx")]
    if in_place or check or show:
        return max([_treat(name, in_place, check, show) for name in names])
    if len(names) > 1:
        raise click.UsageError("several files need --in-place, --check or --diff")
    files.write(output, _formatted(names[0])[2])
    return 0


def _formatted(source: str) -> tuple[str, str, str]:
    """The name of a file in messages, its text, and that in canonical form."""
    import weft

    text, name = files.read(source)
    return name, text, weft.format_text(text, name)


def _treat(source: str, in_place: bool, check: bool, show: bool) -> int:
    """Format, check or compare one file; the status. An error is printed, and keeps no other file from its turn."""
    from weft.errors import WeftError

    try:
        name, text, formatted = _formatted(source)
        if in_place and formatted != text:
            files.write(source, formatted)
    except (WeftError, OSError) as error:
        files.trouble(error)
        return 2 if isinstance(error, OSError) else 1
    if show:
        _print_changes(name, text, formatted)
    if check and formatted != text:
        click.echo(f"{name}: not formatted", err=True)
    return int(check and formatted != text)


def _print_changes(name: str, text: str, formatted: str) -> None:
    import difflib

    before, after = text.splitlines(keepends=True), formatted.splitlines(keepends=True)
    for line in difflib.unified_diff(before, after, name, f"{name} (formatted)"):
        click.echo(line, nl=not line.endswith("\n"))
