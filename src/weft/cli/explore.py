"""`weft explore`: a kernel at all stages, as a page or in the terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from weft.cli import files, kernels, traces

if TYPE_CHECKING:
    from weft.tracing import Trace

HELP = f"""Follow a kernel from its source, through every stage of compilation, to machine code.

The input is {traces.SOURCES}.
--html writes a self-contained page; --lines and --json print to stdout; otherwise the page is served on this machine
and rebuilt when the file changes.
"""


@click.command(name="explore", help=HELP)
@click.argument("sources", metavar="FILE...", nargs=-1, required=True)
@click.option("-t", "--target", metavar="SM[,SM...]", help="One or several targets.")
@click.option("--html", metavar="OUT.html", help="Write the page to this file.")
@click.option("--lines", metavar="A:B", help="Print these lines of PTX with their machine code.")
@click.option("--json", "as_json", is_flag=True, help="Print the trace as JSON (docs/trace.schema.json).")
@click.option("--threads", metavar="N", type=click.IntRange(1, 1024), help="Threads of a block, for the occupancy.")
@click.option(
    "--dynamic-shared",
    metavar="BYTES",
    type=click.IntRange(0),
    default=0,
    help="Dynamic shared memory that a launch adds.",
)
@click.option("--set", "settings", metavar="NAME=N", multiple=True, help="A size of a kernel written in Python.")
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), default=8080, help="The server's port.")
def command(
    sources: tuple[str, ...],
    target: str | None,
    html: str | None,
    lines: str | None,
    as_json: bool,
    threads: int | None,
    dynamic_shared: int,
    settings: tuple[str, ...],
    port: int,
) -> None:
    """Trace everything, then show it."""
    if (html is not None) + (lines is not None) + as_json > 1:
        raise click.UsageError("--html, --lines and --json cannot be combined")
    wanted = _range(lines) if lines is not None else None
    names = traces.targets(target)

    def made() -> list[Trace]:
        return [
            traces.load(source, name, threads=threads, dynamic=dynamic_shared, settings=settings)
            for source in sources
            for name in names
        ]

    if as_json:
        found = made()
        if len(found) > 1:
            raise click.UsageError("--json prints one trace: give one file and one target")
        click.echo(found[0].to_json())
    elif wanted is not None:
        from weft.view.traces import terminal

        found = made()
        for trace in found:
            head = [f"{trace.name} for {trace.target}:"] if len(found) > 1 else []
            click.echo("\n".join(head + terminal(trace, *wanted)))
    elif html is not None:
        from weft.tracing.page import page

        files.write(html, page(made()))
    else:
        from weft.view.server import serve

        for source in sources:
            if source != files.STANDARD and not kernels.is_kernel(source):
                Path(re.sub(r"#\d+$", "", source)).stat()
        serve(made, sources, port)


def _range(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)(?::(\d+))?", text)
    if match is None:
        raise click.UsageError(f"--lines {text}: expected A:B, such as 146:162")
    first, last = int(match[1]), int(match[2] or match[1])
    if last < first:
        raise click.UsageError(f"--lines {text}: line {last} is before line {first}")
    return first, last
