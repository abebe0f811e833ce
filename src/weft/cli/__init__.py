"""The `weft` command.

Each subcommand lives in the module of its name and is imported when it is called, so `weft --help` costs no more than
click itself.

Exit status: 0 fine, 1 the input is bad (or a tool that is needed is missing), 2 wrong usage, or a file that cannot be
read or written. Messages go to stderr as `file:line:column: error: ...`, the source line with a caret, and a hint.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from typing import NoReturn

import click

COMMANDS = {
    "compile": "Compile MLIR to PTX, or to a cubin.",
    "diff": "Compare two PTX modules, ignoring register names.",
    "doctor": "Check which external tools are installed.",
    "explore": "Follow a kernel from its source to machine code.",
    "extract": "Extract PTX from libraries, objects, executables and wheels.",
    "fmt": "Format PTX.",
    "gpu-run": "Run a CUDA program on a virtual GPU.",
    "grep": "Find instructions in PTX files.",
    "inspect": "Show what is in a PTX module.",
    "isa": "Print the manual page of an instruction.",
    "layout": "Show tile layouts and fragments, and count bank conflicts.",
    "lint": "Check the inline PTX of CUDA C++.",
    "lsp": "Run the language server for editors.",
    "mc": "Show how the machine layer stores and prints an instruction.",
    "nvcc": "Compile CUDA C++ for weft gpu-run.",
    "occupancy": "Show how many blocks fit a multiprocessor, and what limits them.",
    "opt": "Run passes over MLIR.",
    "registers": "Show register pressure by PTX line, and what causes the peak.",
    "requires": "Show the PTX version and targets that a module needs.",
    "run": "Run a kernel on the CPU.",
    "sass": "Show SASS with control fields and live registers.",
    "verify": "Check PTX as ptxas would.",
}


class _LazyGroup(click.Group):
    """A group that imports a command when it is called, and lists them from `COMMANDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return importlib.import_module(f"weft.cli.{cmd_name.replace('-', '_')}").command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from weft.errors import nearest

            ctx.fail(f"unknown command '{name}': {nearest(name, COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        import weft

        click.echo(f"weft {weft.__version__}")
        ctx.exit()


@click.group(
    cls=_LazyGroup,
    help="A toolchain for NVIDIA PTX: compile MLIR to it; read, check, compare and run it. - stands for stdin or "
    "stdout.",
    epilog="Exit status: 0 success, 1 bad input or a missing tool (grep: no match; diff: the files differ), 2 wrong "
    "usage, or a file that cannot be read or written (grep, diff: any error). NO_COLOR turns colours off, FORCE_COLOR "
    "on.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print the version."
)
def cli() -> None:
    """Start of every command."""


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and leave with its exit status."""
    status = execute(arguments)
    gc.freeze()  # The process ends: what is left need not be searched for cycles, which takes as long as a compilation.
    sys.exit(status)


def execute(arguments: list[str] | None = None) -> int:
    """Run the command line; returns its exit status, and prints any error."""
    from weft.cli.colour import wanted

    try:
        status = cli.main(arguments, prog_name="weft", standalone_mode=False, color=wanted())
        _flush()
        return status if isinstance(status, int) else 0
    except (click.exceptions.Abort, KeyboardInterrupt):
        return 130
    except SystemExit:
        raise
    except click.ClickException as error:
        _show(error)
        return error.exit_code
    except BrokenPipeError:  # In `weft fmt k.ptx | head`, say: stdout is gone, so keep Python from flushing it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except BaseException as error:  # Some of xDSL's errors are no Exception.
        return _report(error)


def _flush() -> None:
    # It is None where it was closed at the start; a server closes it at its end.
    if sys.stdout is not None and not sys.stdout.closed:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdout.flush()


def _show(error: click.ClickException) -> None:
    """Print wrong usage as other errors are: how the command is used, and `error: ...`."""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        click.echo(f"{error.ctx.get_usage()}\nTry '{error.ctx.command_path} --help' for help.\n", err=True)
    from weft.cli.colour import echo

    echo(f"error: {error.format_message()}", err=True)


def _report(error: BaseException) -> int:
    """Print an error as a compiler does. What is not an error of ours is a defect, and is said to be one."""
    from weft.cli.colour import echo
    from weft.errors import WeftError

    if os.environ.get("WEFT_TRACEBACK"):
        raise error
    if isinstance(error, WeftError):
        from weft.cli.problems import rendered

        echo(rendered(error), err=True)
    elif isinstance(error, OSError):
        echo(f"{f'{error.filename}: ' if error.filename else ''}error: {error.strerror or error}", err=True)
        return 2
    else:
        echo(f"error: internal error: {type(error).__name__}: {error}", err=True)
        echo("hint: this is a bug in weft; set WEFT_TRACEBACK=1 to see where", err=True)
    return 1
