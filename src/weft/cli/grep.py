"""`weft grep`: the instructions of PTX files that a query describes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from weft.cli import files

if TYPE_CHECKING:
    from weft.ptx.analysis.query import Predicate
    from weft.ptx.ast import Instruction

HELP = """Print the instructions of PTX files that a query describes.

A query is an opcode or the start of one (mma.sync, ld.*.v4), a modifier (.trans), or key=value, where the key is a slot
or operand of the manual (shape=m16n8k16, d=%r1) or one of reads, writes, uses, guard, space, memory and family; & | !
and parentheses join them. Status 0 when something was found, 1 when nothing was, 2 on an error.
"""


@click.command(name="grep", help=HELP)
@click.argument("query")
@click.argument("sources", metavar="FILE.ptx...", nargs=-1, required=True)
@click.option("-c", "--count", is_flag=True, help="Print only how many there are in each file.")
@click.option("-l", "--files-with-matches", "names", is_flag=True, help="Print only the names of files that have some.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing.")
def command(query: str, sources: tuple[str, ...], count: bool, names: bool, quiet: bool) -> int:
    """Search every file, whatever is wrong with others."""
    from weft.errors import WeftError
    from weft.ptx.analysis.query import compile_query

    try:
        predicate = compile_query(query)
    except WeftError as error:
        return files.trouble(error)
    status = 1
    failed = False
    for source in sources:
        try:
            found = _search(source, predicate)
        except (WeftError, OSError) as error:
            files.trouble(error)
            failed = True
            continue
        status = 0 if found else status
        if quiet:
            continue
        if names:
            lines = found[:1] and [found[0][0]]
        elif count:
            lines = [f"{files.shown(source)}:{len(found)}"]
        else:
            lines = [f"{name}:{place}" for name, place in found]
        for line in lines:
            click.echo(line)
    return 2 if failed else status


def _search(source: str, predicate: Predicate) -> list[tuple[str, str]]:
    """The finds of one file: its name, and `line:column: text of the line` of each."""
    import weft
    from weft.ptx.analysis.sources import LineIndex

    text, name = files.read(source)
    module = weft.parse(text, filename=name, whole=True)
    index = LineIndex(text)

    def finds() -> Iterator[Instruction]:
        for function in module.functions:
            yield from filter(predicate, function.instructions())

    places: list[tuple[str, str]] = []
    for instruction in finds():
        start = text.rfind("\n", 0, instruction.pos) + 1
        end = text.find("\n", instruction.pos)
        line = text[start : end if end >= 0 else len(text)].strip()
        places.append((name, f"{index.line(instruction.pos)}:{instruction.pos - start + 1}: {line}"))
    return places
