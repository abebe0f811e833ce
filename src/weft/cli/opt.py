"""`weft opt`: run passes over MLIR text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from weft.cli import files
from weft.cli.colour import echo
from weft.cli.pass_options import PassCommand

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from weft.mlir.printer import Style


@click.command(
    name="opt",
    cls=PassCommand,
    help="Run passes over an MLIR file and print it; without passes, only check it. Without a file, or with -, "
    "standard input is read. A pass may be an option of its own, as in --canonicalize --cse.",
)
@click.argument("source", metavar="FILE.mlir", required=False)
@click.option(
    "-p",
    "--passes",
    "--pass-pipeline",
    multiple=True,
    metavar="PASSES",
    help="Such as 'canonicalize,cse' or 'builtin.module(gpu.module(cse))'.",
)
@click.option("-o", "--output", metavar="FILE", help="Where to write (default: stdout).")
@click.option("--split-input-file", is_flag=True, help="Process the parts between lines '// -----' one by one.")
@click.option(
    "--verify-diagnostics", is_flag=True, help="Compare the errors with comments '// expected-error {{...}}'."
)
@click.option("--mlir-print-ir-after-all", "dump", is_flag=True, help="Print the module to stderr after each pass.")
@click.option("--mlir-print-debuginfo", "debuginfo", is_flag=True, help="Print locations.")
@click.option("--mlir-print-local-scope", "local", is_flag=True, help="Print attributes in place, without aliases.")
@click.option("--mlir-print-op-generic", "generic", is_flag=True, help="Print every operation in the generic form.")
@click.option("--allow-unregistered-dialect", is_flag=True, help="Take operations of any dialect, in the generic form.")
@click.option("--list", "listed", is_flag=True, help="List the passes and exit.")
def command(
    source: str | None,
    passes: tuple[str, ...],
    output: str | None,
    split_input_file: bool,
    verify_diagnostics: bool,
    dump: bool,
    debuginfo: bool,
    local: bool,
    generic: bool,
    allow_unregistered_dialect: bool,
    listed: bool,
) -> int:
    """Read, transform, verify, and only then write; the options of tests go on behind an error, as mlir-opt does."""
    from weft import transforms
    from weft.mlir.printer import Style

    if listed:
        for name in sorted(transforms.available_passes()):
            click.echo(name)
        return 0
    text, name = files.read(files.STANDARD if source is None else source)
    pipeline = ",".join(passes)
    style = Style(debuginfo=debuginfo, local=local, generic=generic)
    after = partial(_dump, style=style) if dump else None
    outcome = transforms.run_chunks(
        text,
        pipeline,
        filename=name,
        chunked=split_input_file,
        verify_diagnostics=verify_diagnostics,
        after=after,
        style=style,
        allow_unregistered=allow_unregistered_dialect,
    )
    for error in outcome.errors:
        echo(error.render(), err=True)
    if outcome.errors and not (split_input_file or verify_diagnostics):
        return 1
    files.write(output, outcome.text)
    return int(bool(outcome.errors))


def _dump(name: str, module: ModuleOp, *, style: Style) -> None:
    """Print a module behind mlir-opt's line for it."""
    from weft.mlir.printer import print_mlir

    click.echo(f"// -----// IR Dump After {name} //----- //\n{print_mlir(module, style)}\n", err=True)
