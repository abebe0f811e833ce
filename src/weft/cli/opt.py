"""`weft opt`: run passes over MLIR text."""

from __future__ import annotations

import click

from weft.cli import files


@click.command(name="opt", help="Run passes over an MLIR file and print it; without -p, only check it.")
@click.argument("source", metavar="FILE.mlir", required=False)
@click.option("-p", "--passes", default="", metavar="PASSES", help="Such as 'canonicalize,cse'.")
@click.option("-o", "--output", metavar="FILE", help="Where to write (default: stdout).")
@click.option("--split-input-file", is_flag=True, help="Treat what stands between lines '// -----' one by one.")
@click.option(
    "--verify-diagnostics", is_flag=True, help="Compare the errors with comments '// expected-error {{...}}'."
)
@click.option("--list", "listed", is_flag=True, help="List the passes and leave.")
def command(
    source: str | None,
    passes: str,
    output: str | None,
    split_input_file: bool,
    verify_diagnostics: bool,
    listed: bool,
) -> int:
    """Read, transform, verify, and only then write; the options of tests go on behind an error, as mlir-opt does."""
    from weft import transforms

    if listed:
        for name in sorted(transforms.available_passes()):
            click.echo(name)
        return 0
    if source is None:
        raise click.UsageError("Missing argument 'FILE.mlir'.")
    text, name = files.read(source)
    if split_input_file or verify_diagnostics:
        outcome = transforms.run_chunks(
            text, passes, filename=name, chunked=split_input_file, verify_diagnostics=verify_diagnostics
        )
        for error in outcome.errors:
            click.echo(error.render(), err=True)
        files.write(output, outcome.text)
        return int(bool(outcome.errors))
    result = transforms.run(text, passes, filename=name)
    files.write(output, result if result.endswith("\n") else result + "\n")
    return 0
