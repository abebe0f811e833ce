"""`weft extract`: the PTX in a binary file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from weft.cli import files
from weft.cli.options import target_option

if TYPE_CHECKING:
    from weft.fatbin import Entry

HELP = """Extract PTX from a library, object, executable, archive, wheel or fatbin.

Without --output, list the modules or, given one number, print its text. All commands that read PTX also read such
files; FILE#2 selects the second module.
"""


@click.command(name="extract", help=HELP)
@click.argument("source", metavar="FILE")
@click.option("-o", "--output", metavar="DIR", help="Write each module to a file in this directory.")
@click.option("-n", "--number", type=int, metavar="N", help="Only the module with this number in the list.")
@click.option("--target", callback=target_option, metavar="SM", help="Only modules for this target.")
@click.option(
    "--kernel", metavar="NAME", help="Only modules with a kernel whose name, mangled or demangled, contains this."
)
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def command(
    source: str, output: str | None, number: int | None, target: str | None, kernel: str | None, as_json: bool
) -> int:
    """Find, choose, then list or write."""
    from weft.fatbin import FatbinError, entries

    every = list(enumerate(entries(Path(source)), 1))
    if number is not None and not 1 <= number <= len(every):
        raise FatbinError(f"this file has no PTX module #{number}", source, hint=f"it has {len(every)}")
    found = [
        (n, entry, info)
        for n, entry in every
        if (number is None or n == number) and (info := _described(entry, target, kernel)) is not None
    ]
    if not found:
        what = "PTX of that kind" if every else "PTX"
        hint = "" if every else "extract reads libraries, objects, executables, archives, wheels and fatbins"
        raise FatbinError(f"this file contains no {what}", source, hint=hint)
    if as_json:
        import json

        click.echo(json.dumps([{"number": n, **info} for n, _, info in found], indent=2))
    elif output is not None:
        folder = Path(output)
        folder.mkdir(parents=True, exist_ok=True)
        for n, entry, info in found:
            path = folder / f"{Path(source).stem}.{n}.{info['target']}.ptx"
            files.write(str(path), entry.text())
            click.echo(str(path))
    elif number is not None:
        click.echo(found[0][1].text(), nl=False)
    else:
        _list(found)
    return 0


def _described(entry: Entry, target: str | None, kernel: str | None) -> dict[str, Any] | None:
    """What the list says of an entry; None where it is not asked for."""
    import re

    text = entry.text()
    version = re.search(r"^\s*\.version\s+([\d.]+)", text, re.MULTILINE)
    named = entry.target
    kernels = re.findall(r"\.entry\s+([\w$]+)", text)
    if target is not None and named != target:
        return None
    if kernel is not None and not any(kernel in name or kernel in _plain(name) for name in kernels):
        return None
    return {
        "target": named,
        "version": version[1] if version else ".".join(map(str, entry.version)),
        "bytes": len(text.encode()),
        "compression": entry.compression,
        "where": entry.where,
        "offset": entry.offset,
        "kernels": kernels,
    }


def _plain(name: str) -> str:
    from weft.ptx.analysis.demangled import demangle

    return demangle(name) or name


def _list(found: list[tuple[int, Entry, dict[str, Any]]]) -> None:
    width = max(len(str(n)) for n, _, _ in found)
    inside = len({info["where"] for _, _, info in found}) > 1
    for n, _, info in found:
        names = ", ".join(_plain(name) for name in info["kernels"][:3]) or "no kernels"
        more = f" and {len(info['kernels']) - 3} more" if len(info["kernels"]) > 3 else ""
        where = f"  {info['where'].partition('!')[2]}" if inside else ""
        click.echo(
            f"{n:>{width}}  {info['target']:7}  PTX {info['version']}  {info['bytes']:,} bytes  {names}{more}{where}"
        )
