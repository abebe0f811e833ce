"""`weft grep`: the instructions of PTX files that a query describes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from weft.cli import files

if TYPE_CHECKING:
    from weft.ptx.analysis.query import Predicate
    from weft.ptx.ast import Instruction

HELP = """Print the instructions of PTX files that match a query.

A query is an opcode or the start of one (mma.sync, ld.*.v4), a modifier (.trans), or key=value, where the key is a slot
or operand of the manual (shape=m16n8k16, d=%r1) or one of reads, writes, uses, guard, space, memory and family; & | !
and parentheses combine them. Exit status: 0 with a match, 1 without one, 2 on an error.
"""


@click.command(name="grep", help=HELP)
@click.argument("query")
@click.argument("sources", metavar="FILE.ptx...", nargs=-1, required=True)
@click.option("-c", "--count", is_flag=True, help="Print only the number of matches in each file.")
@click.option("-l", "--files-with-matches", "names", is_flag=True, help="Print only the names of files with a match.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print the matches as JSON.")
def command(query: str, sources: tuple[str, ...], count: bool, names: bool, quiet: bool, as_json: bool) -> int:
    """Search every file, whatever is wrong with others."""
    from weft.errors import WeftError
    from weft.ptx.analysis.query import compile_query

    try:
        predicate = compile_query(query)
    except WeftError as error:
        return files.trouble(error)
    if as_json and (count or names or quiet):
        raise click.UsageError("--json cannot be combined with -c, -l and -q")
    status = 1
    failed = False
    every: list[Found] = []
    for source in (name for given in sources for name in files.expand(given, ".ptx")):
        try:
            found = _search(source, predicate)
        except (WeftError, OSError) as error:
            files.trouble(error)
            failed = True
            continue
        status = 0 if found else status
        every += found
        if quiet or as_json:
            continue
        if names:
            lines = found[:1] and [found[0].file]
        elif count:
            lines = [f"{files.shown(source)}:{len(found)}"]
        else:
            lines = [f"{one.file}:{one.line}:{one.column}: {one.text}" for one in found]
        for line in lines:
            click.echo(line)
    if as_json:
        import json

        click.echo(json.dumps({"query": query, "found": [one._asdict() for one in every]}, indent=2))
    return 2 if failed else status


class Found(NamedTuple):
    """One instruction: where it is, the function it is in, itself in canonical form, and the line as written."""

    file: str
    line: int
    column: int
    function: str
    instruction: str
    text: str


def _search(source: str, predicate: Predicate) -> list[Found]:
    """The finds of one file."""
    import weft
    from weft.ptx.analysis.sources import LineIndex

    text, name = files.read(source)
    module = weft.parse(text, filename=name, whole=True)
    index = LineIndex(text)

    def finds() -> Iterator[tuple[str, Instruction]]:
        for function in module.functions:
            yield from ((function.name, one) for one in filter(predicate, function.instructions()))

    places: list[Found] = []
    for function, instruction in finds():
        start = text.rfind("\n", 0, instruction.pos) + 1
        end = text.find("\n", instruction.pos)
        line = text[start : end if end >= 0 else len(text)].strip()
        place = index.line(instruction.pos), instruction.pos - start + 1
        places.append(Found(name, *place, function, str(instruction), line))
    return places
