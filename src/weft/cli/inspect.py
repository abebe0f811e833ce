"""`weft inspect`: what is in a PTX module."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from weft.cli import files
from weft.collecting import kept

if TYPE_CHECKING:
    from weft.ptx.ast import Function, Module

HELP = """Show what is in a PTX module.

For each kernel and function: parameters, resources, instruction mix, memory traffic, an estimate of the registers live
at once, and calls; for the module, the PTX version and targets that it needs. --json prints the same as JSON (schema:
docs/inspect.schema.json).
"""
_LARGE = 1_000_000
"""Characters of text from which on progress is shown, on a terminal."""
_TEXT = ""
"""What `--cfg` holds when no file comes with it."""


@click.command(name="inspect", help=HELP)
@click.argument("source", metavar="FILE.ptx", required=False)
@click.option("-k", "--kernel", metavar="NAME", help="Only this kernel or function; part of its C++ name is enough.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON; with --cfg, the control-flow graphs.")
@click.option("--tree", "as_tree", is_flag=True, help="Print every statement as a tree instead.")
@click.option(
    "--cfg",
    metavar="[OUT.svg]",
    is_flag=False,
    flag_value=_TEXT,
    help="Print the control-flow graphs instead, or draw them.",
)
@click.option("--calls", "as_calls", is_flag=True, help="Print the call graph instead.")
def command(
    source: str | None, kernel: str | None, as_json: bool, as_tree: bool, cfg: str | None, as_calls: bool
) -> None:
    """Parse, analyse, print."""
    if source is None and cfg and not cfg.endswith(".svg"):
        source, cfg = cfg, _TEXT  # `weft inspect --cfg k.ptx`
    if source is None:
        raise click.UsageError("Missing argument 'FILE.ptx'.")
    if cfg and not cfg.endswith(".svg"):
        raise click.UsageError("--cfg draws to a file whose name ends in .svg")
    if as_tree + as_calls + (cfg is not None) + (as_json and cfg is None) > 1:
        raise click.UsageError("--tree, --calls, --cfg and --json cannot be combined, except --json with --cfg")
    if as_json and cfg:
        raise click.UsageError("--json cannot be combined with a drawing")
    text, name = files.read(source)
    import weft

    with _progress(len(text)) as step:
        step(f"reading {name}", None)
        module = weft.parse(text, filename=name, whole=True)
        functions = module.functions if kernel is None else _named(module, kernel)
        with kept():
            if as_tree:
                _show_tree(module, functions)
            elif as_calls:
                _show_calls(module, functions)
            elif cfg is not None:
                _show_flow(module, functions, cfg, as_json)
            else:
                _show_summary(module, functions, as_json, step)


_Step = Callable[[str, int | None], Callable[[], None]]


@contextmanager
def _progress(size: int) -> Generator[_Step]:
    """A progress bar on stderr for large texts; `step(what, total)` starts a stage and gives what moves it on."""
    from rich.console import Console

    console = Console(stderr=True)
    if size < _LARGE or not console.is_terminal:
        yield lambda _what, _total: lambda: None
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def step(what: str, total: int | None) -> Callable[[], None]:
            bar.reset(task, total=total, description=what)
            return lambda: bar.advance(task)

        yield step


def _named(module: Module, name: str) -> list[Function]:
    """The functions of a name, else those whose C++ or mangled name has it as a part."""
    from weft.errors import Position, WeftError, nearest
    from weft.ptx.analysis import demangle

    exact = [function for function in module.functions if function.name == name]
    if exact:
        return exact
    found = [f for f in module.functions if name in f.name or name in (demangle(f.name) or "")]
    if not found:
        hint = nearest(name, [function.name for function in module.functions])
        raise WeftError(f"no kernel or function named '{name}'", Position(file=module.filename), hint)
    return found


def _show_tree(module: Module, functions: list[Function]) -> None:
    from dataclasses import replace

    from weft.ptx.ast import Function
    from weft.view.tree import print_tree

    chosen = {id(function) for function in functions}
    items = [item for item in module.items if not isinstance(item, Function) or id(item) in chosen]
    print_tree(replace(module, items=items))


def _show_calls(module: Module, functions: list[Function]) -> None:
    from weft.ptx.analysis import call_graph, demangle
    from weft.view.calls import call_lines

    graph = call_graph(module)
    for line in call_lines(graph, [f.name for f in functions], lambda name: demangle(name) or name):
        click.echo(line)


def _show_flow(module: Module, functions: list[Function], output: str, as_json: bool) -> None:
    from weft.ptx.analysis import cfg
    from weft.ptx.analysis.sources import LineIndex
    from weft.view import flow

    flows = [cfg(function) for function in functions if function.body is not None]
    line = LineIndex(module.source).line
    if as_json:
        from weft.ptx.analysis.summary import summarize_flows

        _print_json(summarize_flows(module, flows, line))
    elif output == _TEXT:
        for graph in flows:
            for text in flow.flow_lines(graph, line):
                click.echo(text)
    else:
        files.write(output, flow.flow_svg(flows))


def _show_summary(module: Module, functions: list[Function], as_json: bool, step: _Step) -> None:
    from weft.ptx.analysis import summarize
    from weft.view.summary import print_summary

    step("judging versions and targets", None)
    counted = _counted(functions, lambda: step(f"analysing {len(functions)} functions", len(functions)))
    found = summarize(module, counted)
    _print_json(found.to_json()) if as_json else print_summary(found)


def _counted(functions: list[Function], start: Callable[[], Callable[[], None]]) -> Iterable[Function]:
    """The functions, with the bar moved on after each."""
    move = start()
    for function in functions:
        yield function
        move()


def _print_json(found: dict[str, Any]) -> None:
    import json

    click.echo(json.dumps(found, indent=2))
