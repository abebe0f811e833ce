"""A summary of a module as text, a block for each function."""

from __future__ import annotations

from weft.errors import counted
from weft.ptx.analysis.summary import FunctionSummary, Summary
from weft.ptx.analysis.summary import declaration as declaration
from weft.ptx.analysis.summary import summarize as summarize
from weft.view.columns import bold, table, wrapped


def print_summary(summary: Summary) -> None:
    """Print a summary to stdout, as wide as the terminal."""
    import click

    from weft.isa.target import describe_targets

    click.echo(f"{bold(summary.file)}: PTX {summary.version} for {summary.target}")
    click.echo(
        wrapped(f"needs PTX {summary.least_version} or newer and {describe_targets(frozenset(summary.runs_on))}")
    )
    for title, words in (
        ("variables", [_columns(summary.variables, separator="; ")] if summary.variables else []),
        ("not in the ISA table", summary.unknown),
        ("called, defined elsewhere", summary.external),
        ("may call themselves", summary.recursive),
    ):
        if words:
            click.echo(wrapped(f"{title}: {'; '.join(words)}"))
    for function in summary.functions:
        kind = "kernel" if function.kernel else "function"
        click.echo(f"\n{bold(f'{kind} {function.name}')}{'' if function.defined else ' (declared only)'}")
        for line in table([(name, value) for name, value in _rows(function) if value], indent=2, gap=4):
            click.echo(line)


def _rows(function: FunctionSummary) -> list[tuple[str, str]]:
    memory = (("shared", function.shared_bytes), ("local", function.local_bytes), ("const", function.const_bytes))
    calls = [f"{name} {count}" for name, count in function.calls.items()]
    if function.indirect_calls:
        calls.append(f"unknown {function.indirect_calls}")
    return [
        ("in C++", function.demangled),
        ("source", ", ".join(_source(file, lines) for file, lines in function.sources.items())),
        ("parameters", _columns([_short(text, function) for text in function.parameters])),
        ("returns", _columns(function.returns)),
        ("directives", ", ".join(function.directives)),
        ("registers", ", ".join(f"{count} {kind}" for kind, count in function.registers.items())),
        ("live at once", _pressure(function)),
        *((f"{space} memory", f"{size} bytes" if size else "") for space, size in memory),
        ("instructions", _size(function)),
        ("mix", ", ".join(f"{stem} {count}" for stem, count in function.mix.items())),
        ("traffic", "\n".join(_traffic(function))),
        ("calls", ", ".join(calls)),
    ]


def _short(parameter: str, function: FunctionSummary) -> str:
    """A parameter without the function's mangled name in front, which nvcc puts there."""
    return parameter.removeprefix(f"{function.name}_") if function.demangled else parameter


def _source(file: str, lines: list[int]) -> str:
    first, last = lines
    return f"{file}:{first}" + (f"-{last}" if last != first else "")


def _pressure(function: FunctionSummary) -> str:
    peak = function.pressure
    if not peak.registers and not peak.predicates:
        return ""
    where = f"line {peak.line}" if peak.line else ""
    place = " ".join(filter(None, (where, f"({peak.source})" if peak.source else "")))
    flags = f", {counted(peak.predicates, 'predicate')}" if peak.predicates else ""
    return f"{counted(peak.registers, '32-bit register')}{f' at {place}' if place else ''}{flags}"


def _size(function: FunctionSummary) -> str:
    if not function.defined:
        return ""
    counts = ((function.instructions, "instruction"), (function.blocks, "basic block"), (function.loops, "loop"))
    return ", ".join(counted(count, word) for count, word in counts if count)


def _traffic(function: FunctionSummary) -> list[str]:
    """A line for each kind and space, sizes for one thread that runs everything once."""
    lines: list[str] = []
    for row in function.traffic:
        sizes = [f"{row.bytes} bytes per thread"] if row.bytes else []
        if row.unsized:
            sizes.append(f"{row.unsized} of unknown size")
        lines.append(" ".join(filter(None, (str(row.instructions), row.kind, row.way))) + _list(sizes))
    return lines


def _list(words: list[str]) -> str:
    return f": {', '.join(words)}" if words else ""


def _columns(declarations: list[str], limit: int = 8, separator: str = ", ") -> str:
    """All of a short list; of a long one how many there are and how it starts."""
    shown = separator.join(declarations[:limit])
    return shown if len(declarations) <= limit else f"{len(declarations)}: {shown}, ..."
