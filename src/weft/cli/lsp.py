"""`weft lsp`: the language server."""

from __future__ import annotations

import click

HELP = """Run the language server: diagnostics, hover, completion, definitions, fixes.

It serves PTX, inline PTX in C++, and MLIR. Editors start it and talk to it over standard input and output (Language
Server Protocol); the documentation shows how to set them up. Needs the extra lsp: pip install 'weft[lsp]'.
"""


@click.command(name="lsp", help=HELP)
@click.option("--stdio", is_flag=True, help="Use standard input and output, which is the default; editors pass it.")
@click.option("--tcp", metavar="PORT", type=click.IntRange(1, 65535), help="Listen on this port of this machine.")
def command(stdio: bool, tcp: int | None) -> int:
    """Serve until the editor says that it leaves."""
    from weft.errors import ToolError

    if stdio and tcp is not None:
        raise click.UsageError("--stdio and --tcp cannot be combined")
    try:
        from weft.lsp.server import server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise ToolError("the language server needs pygls", hint="pip install 'weft[lsp]'") from None
    if tcp is not None:
        server.start_tcp("127.0.0.1", tcp)
    else:
        server.start_io()
    return 0
