"""What is in a PTX module, as data and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod

from weft.isa.types import TYPES
from weft.ptx.ast import Function, Instruction, Label, Module, Parameter, RegisterDeclaration, Variable


@dataclass(frozen=True, slots=True)
class FunctionSummary:
    """One kernel or device function. Sizes are in bytes; `mix` counts instructions by family (`ld`, `mma`)."""

    name: str
    kernel: bool
    linkage: str
    defined: bool
    parameters: list[str] = field(default_factory=list[str])
    returns: list[str] = field(default_factory=list[str])
    directives: list[str] = field(default_factory=list[str])
    registers: dict[str, int] = field(default_factory=dict[str, int])
    shared_bytes: int = 0
    local_bytes: int = 0
    instructions: int = 0
    labels: int = 0
    mix: dict[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Summary:
    """A module: its header, what it needs by the ISA table, its functions and variables.

    `runs_on` names every target that can run it, `unknown` the opcodes that the table does not have.
    """

    file: str
    version: str
    target: str
    address_size: int | None
    least_version: str
    runs_on: list[str]
    functions: list[FunctionSummary]
    variables: list[str]
    unknown: list[str]


def variable_bytes(variable: Variable | Parameter) -> int:
    """The size of a variable or parameter in bytes; an unsized array (`[]`) counts as nothing."""
    known = TYPES.get(variable.type)
    lanes = int(variable.vector[1:]) if variable.vector else 1
    return (known.bytes if known else 0) * lanes * prod(max(extent, 0) for extent in variable.dims)


def declaration(variable: Variable | Parameter) -> str:
    """A variable or parameter in words: `tile[512]: align 4 b8`."""
    shape = "".join(f"[{extent if extent >= 0 else ''}]" for extent in variable.dims)
    words = (f"align {variable.align}" if variable.align else "", variable.vector, variable.type)
    return f"{variable.name}{shape}: {' '.join(filter(None, words))}"


def _bytes_in(space: str, variables: Iterable[Variable]) -> int:
    return sum(variable_bytes(variable) for variable in variables if variable.space.partition("::")[0] == space)


def summarize_function(function: Function) -> FunctionSummary:
    """Count what one function declares and holds."""
    registers: Counter[str] = Counter()
    mix: Counter[str] = Counter()
    variables: list[Variable] = []
    labels = 0
    for statement in function.walk():
        if isinstance(statement, Instruction):
            mix[statement.opcode.stem] += 1
        elif isinstance(statement, RegisterDeclaration):
            lanes = int(statement.vector[1:]) if statement.vector else 1
            registers[statement.type] += sum(max(count, 1) * lanes for _, count in statement.names)
        elif isinstance(statement, Variable):
            variables.append(statement)
        elif isinstance(statement, Label):
            labels += 1
    return FunctionSummary(
        name=function.name,
        kernel=function.kernel,
        linkage=function.linkage,
        defined=function.body is not None,
        parameters=[declaration(parameter) for parameter in function.parameters],
        returns=[declaration(parameter) for parameter in function.returns],
        directives=[f".{directive.name} {directive.arguments}".rstrip() for directive in function.directives],
        registers=dict(registers),
        shared_bytes=_bytes_in("shared", variables),
        local_bytes=_bytes_in("local", variables),
        instructions=mix.total(),
        labels=labels,
        mix=dict(mix.most_common()),
    )


def summarize(module: Module) -> Summary:
    """Summarise a module: one walk over each function, and the windows of what it uses."""
    from weft.ptx import requires

    need = requires(module)
    return Summary(
        file=module.filename,
        version=".".join(map(str, module.version)),
        target=", ".join(module.targets),
        address_size=module.address_size,
        least_version=str(need.version),
        runs_on=list(need.targets),
        functions=[summarize_function(function) for function in module.functions],
        variables=[f"{variable.space} {declaration(variable)}" for variable in module.variables],
        unknown=list(need.unknown),
    )


def print_summary(summary: Summary) -> None:
    """Print a summary as text, a block for each function."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    from weft.isa.target import describe_targets

    console = Console(highlight=False)
    console.print(f"[bold]{escape(summary.file)}[/]: PTX {summary.version} for {summary.target}")
    console.print(f"needs PTX {summary.least_version} or newer and {describe_targets(frozenset(summary.runs_on))}")
    if summary.variables:
        console.print(f"variables: {escape('; '.join(summary.variables))}")
    if summary.unknown:
        console.print(f"[yellow]not in the ISA table:[/] {escape(', '.join(summary.unknown))}")
    for function in summary.functions:
        kind = "kernel" if function.kernel else "function"
        console.print(f"\n[bold]{kind} {escape(function.name)}[/]{'' if function.defined else ' (declared only)'}")
        table = Table(show_header=False, box=None, padding=(0, 2, 0, 2))
        for name, value in _rows(function):
            if value:
                table.add_row(name, escape(value))
        console.print(table)


def _rows(function: FunctionSummary) -> list[tuple[str, str]]:
    shared, local = function.shared_bytes, function.local_bytes
    mix = ", ".join(f"{stem} {count}" for stem, count in function.mix.items())
    return [
        ("parameters", _columns(function.parameters)),
        ("returns", _columns(function.returns)),
        ("directives", ", ".join(function.directives)),
        ("registers", ", ".join(f"{count} {kind}" for kind, count in function.registers.items())),
        ("shared memory", f"{shared} bytes" if shared else ""),
        ("local memory", f"{local} bytes" if local else ""),
        ("instructions", f"{function.instructions}, {function.labels} labels" if function.defined else ""),
        ("mix", mix),
    ]


def _columns(declarations: list[str], limit: int = 8) -> str:
    """All of a short list; of a long one how many there are and how it starts."""
    shown = ", ".join(declarations[:limit])
    return shown if len(declarations) <= limit else f"{len(declarations)}: {shown}, ..."
