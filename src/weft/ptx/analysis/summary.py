"""What is in a module, as data: the facts behind `weft inspect`, and its JSON (docs/inspect.schema.json)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, field
from math import prod
from typing import Any

from weft.collecting import paused
from weft.dataclass import dataclass
from weft.isa.types import TYPES
from weft.ptx.analysis.calls import call_graph
from weft.ptx.analysis.demangled import demangle
from weft.ptx.analysis.flow import ControlFlow, cfg
from weft.ptx.analysis.live import Pressure, liveness
from weft.ptx.analysis.memory import Traffic, traffic
from weft.ptx.analysis.sources import LineIndex, SourceLine, file_names, source_map
from weft.ptx.ast import Function, Instruction, Label, Module, Parameter, RegisterDeclaration, Variable

SCHEMA = 1
"""The version of the JSON: it grows when a key is removed or changes its meaning, not when one is added."""


@dataclass(frozen=True, slots=True)
class Peak:
    """Register pressure: the most 32-bit `registers` live at once and the most `predicates`.

    `line` is the line of the PTX text where the registers peak (0 when it is not known), `source` that of the source
    program, such as `k.cu:12`, or empty.
    """

    registers: int
    predicates: int
    line: int
    source: str


@dataclass(frozen=True, slots=True)
class FunctionSummary:
    """One kernel or device function. Sizes are in bytes; `mix` counts instructions by family (`ld`, `mma`).

    `demangled` is the C++ name, empty when there is none; `registers` counts declared registers by type;
    `shared_bytes`, `local_bytes` and `const_bytes` are what the body declares; `calls` counts calls by callee and
    `indirect_calls` those whose callee the text does not name; `sources` maps source files to the first and last line
    that instructions come from.
    """

    name: str
    demangled: str
    kernel: bool
    linkage: str
    defined: bool
    line: int = 0
    parameters: list[str] = field(default_factory=list[str])
    returns: list[str] = field(default_factory=list[str])
    directives: list[str] = field(default_factory=list[str])
    registers: dict[str, int] = field(default_factory=dict[str, int])
    shared_bytes: int = 0
    local_bytes: int = 0
    const_bytes: int = 0
    instructions: int = 0
    labels: int = 0
    blocks: int = 0
    loops: int = 0
    mix: dict[str, int] = field(default_factory=dict[str, int])
    traffic: list[Traffic] = field(default_factory=list[Traffic])
    pressure: Peak = Peak(0, 0, 0, "")
    calls: dict[str, int] = field(default_factory=dict[str, int])
    indirect_calls: int = 0
    sources: dict[str, list[int]] = field(default_factory=dict[str, list[int]])


def summarize_flows(module: Module, flows: Iterable[ControlFlow], line: Callable[[int], int]) -> dict[str, Any]:
    """Control-flow graphs as plain values, with the version of the schema; edges and loops name blocks by index."""
    return {"schema": SCHEMA, "file": module.filename, "graphs": [_flow(flow, line) for flow in flows]}


def _flow(flow: ControlFlow, line: Callable[[int], int]) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = []
    reached = set(flow.order)
    for block in flow.blocks:
        body = flow.body(block)
        blocks.append(
            {
                "index": block.index,
                "labels": list(block.labels),
                "line": line(body[0].pos) if body else 0,
                "instructions": len(body),
                "reached": block.index in reached,
            }
        )
    return {
        "function": flow.function.name,
        "blocks": blocks,
        "edges": [{"from": edge.source, "to": edge.target, "kind": edge.kind} for edge in flow.edges],
        "loops": [{"header": loop.header, "back": list(loop.back)} for loop in flow.loops],
        "irreducible": flow.irreducible,
    }


@dataclass(frozen=True, slots=True)
class Summary:
    """A module: its header, what it needs by the ISA table, its functions and variables.

    `runs_on` names every target that can run it, `unknown` the opcodes that the table does not have; `recursive` the
    functions that may call themselves, `external` those that are called and not defined here.
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
    recursive: list[str] = field(default_factory=list[str])
    external: list[str] = field(default_factory=list[str])

    def to_json(self) -> dict[str, Any]:
        """The summary as plain values, with the version of the schema first."""
        return {"schema": SCHEMA, **asdict(self)}


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


def mix(function: Function | Iterable[Instruction]) -> Counter[str]:
    """How many instructions of each family (`ld`, `mma`, `cp.async`) a function has, in its text."""
    instructions = function.instructions() if isinstance(function, Function) else function
    return Counter(instruction.opcode.stem for instruction in instructions)


def summarize_function(
    function: Function,
    flow: ControlFlow,
    calls: Mapping[str, int],
    indirect: int,
    line: Callable[[int], int],
    sources: list[tuple[Instruction, SourceLine | None]],
) -> FunctionSummary:
    """Count what one function declares and holds; `line` gives the line of an offset into the text."""
    registers: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    labels = 0
    for statement in function.walk():
        if isinstance(statement, RegisterDeclaration):
            lanes = int(statement.vector[1:]) if statement.vector else 1
            registers[statement.type] += sum(max(count, 1) * lanes for _, count in statement.names)
        elif isinstance(statement, Variable):
            sizes[statement.space.partition("::")[0]] += variable_bytes(statement) * max(statement.count, 1)
        elif isinstance(statement, Label):
            labels += 1
    defined = function.body is not None
    return FunctionSummary(
        name=function.name,
        demangled=demangle(function.name) or "",
        kernel=function.kernel,
        linkage=function.linkage,
        defined=defined,
        line=line(function.pos),
        parameters=[declaration(parameter) for parameter in function.parameters],
        returns=[declaration(parameter) for parameter in function.returns],
        directives=[f".{directive.name} {directive.arguments}".rstrip() for directive in function.directives],
        registers=dict(registers),
        shared_bytes=sizes["shared"],
        local_bytes=sizes["local"],
        const_bytes=sizes["const"],
        instructions=len(flow.instructions),
        labels=labels,
        blocks=len(flow.blocks) if defined else 0,
        loops=len(flow.loops),
        mix=dict(mix(flow.instructions).most_common()),
        traffic=traffic(flow.instructions),
        pressure=_peak(liveness(function, flow).pressure, line, sources),
        calls=dict(calls),
        indirect_calls=indirect,
        sources=_ranges(sources),
    )


def _peak(pressure: Pressure, line: Callable[[int], int], sources: list[tuple[Instruction, SourceLine | None]]) -> Peak:
    source = next((place for instruction, place in sources if instruction is pressure.at), None)
    return Peak(
        pressure.registers,
        pressure.predicates,
        line(pressure.at.pos) if pressure.at else 0,
        str(source) if source else "",
    )


def _ranges(sources: list[tuple[Instruction, SourceLine | None]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for _, place in sources:
        if place is not None:
            low, high = found.get(place.file, (place.line, place.line))
            found[place.file] = [min(low, place.line), max(high, place.line)]
    return found


def summarize(module: Module, functions: Iterable[Function] | None = None) -> Summary:
    """Summarise a module.

    `functions` are those to tell about (all of them when not given), taken one by one.
    """
    from weft.ptx.requirements import requires

    lines = LineIndex(module.source)
    files = file_names(module)
    found: list[FunctionSummary] = []
    with paused():
        need = requires(module)
        graph = call_graph(module)
        for function in module.functions if functions is None else functions:
            name = function.name
            calls = graph.calls[name] if function.body is not None else Counter[str]()
            indirect = graph.indirect.get(name, 0) if function.body is not None else 0
            sources = source_map(module, function, files)
            found.append(summarize_function(function, cfg(function), calls, indirect, lines.line, sources))
    return Summary(
        file=module.filename,
        version=".".join(map(str, module.version)),
        target=", ".join(module.targets),
        address_size=module.address_size,
        least_version=str(need.version),
        runs_on=list(need.targets),
        functions=found,
        variables=[f"{variable.space} {declaration(variable)}" for variable in module.variables],
        unknown=list(need.unknown),
        recursive=sorted(graph.recursive),
        external=sorted(graph.external),
    )
