"""`trace`: MLIR, PTX, cubins and what Triton writes, followed to the machine code of one target."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from weft.errors import Position, PtxSyntaxError, ToolError, WeftError
from weft.fatbin import BINARY, best, choose, entries
from weft.isa.target import TARGETS
from weft.isa.target import target as find_target
from weft.ptx.ast import Module
from weft.ptx.directive_nodes import File
from weft.ptx.parser import parse
from weft.ptx.verifier import verify
from weft.toolchain.find import find, run
from weft.toolchain.ptxas import Resources, assemble
from weft.tracing.lines import ptx_text
from weft.tracing.machine import Code, Machine, read_machine
from weft.tracing.model import Kernel, Links, Span, Stage, Trace
from weft.tracing.occupancy import MULTIPROCESSORS, occupancy, registers_for
from weft.tracing.stages import (
    MachineStage,
    Place,
    Placed,
    llvm_stage,
    machine_stage,
    mlir_stage,
    placed_by_machine,
    ptx_stage,
    source_stage,
)

TRITON_STAGES = ("source", "ttir", "ttgir", "llir", "ptx", "cubin")
"""The files that Triton keeps of a kernel, by their suffixes, in order."""
MOST_SOURCES = 8
MOST_OWNERS = 200
"""Statements of one place that another of the same place is linked to."""
_LARGEST_SOURCE = 2_000_000

Source = str | Path | bytes | Module | Mapping[str, Any]


def trace(source: Source, target: str | None = None, *, threads: int | None = None, dynamic_shared: int = 0) -> Trace:
    """Follow a program through its stages to machine code: how lines correspond, registers, scheduling, occupancy.

    Args:
        source: MLIR or PTX (a path or text), a `weft.Module`, a cubin (a path or bytes), a library, object or wheel
            with PTX (`libfoo.so#2` for the second of several modules), Triton's `asm` mapping of a kernel or its
            directory in Triton's cache, or a dump of CuTe DSL (`CUTE_DSL_KEEP=ir-debug,ptx,cubin`): the directory, or
            a `.ptx` or `.cubin` file in it.
        target: the architecture to compile or assemble for, if that remains to be done.
        threads: threads of a block for the occupancy, if the program does not specify them.
        dynamic_shared: bytes of dynamic shared memory for the occupancy.

    Raises:
        WeftError: the source is none of these, or cannot be compiled.
        ToolError: ptxas or nvdisasm is missing or fails.
    """
    launch = (threads, dynamic_shared)
    if isinstance(source, Module):
        return _of_ptx(source.to_ptx(), Path(source.filename).name, target or source.target, launch)
    if isinstance(source, bytes):
        return _of_cubin(source, "cubin", launch)
    if isinstance(source, Mapping):
        return _of_triton(source, str(source.get("name", "kernel")), target, launch)
    if isinstance(source, str) and "\n" in source:
        return _of_text(source, "<text>", target, launch)
    path, number = _numbered(source)
    if path.is_dir():
        return _of_folder(path, target, launch)
    dumped = _dumped_by_cute(path)
    if dumped:
        return _of_files(dumped, target, launch)
    data = path.read_bytes()
    found = entries(data, str(path)) if data.startswith(BINARY) and data[_MACHINE:][:2] != _CUDA else []
    if path.suffix == ".cubin" and data[:4] != b"\x7fELF":
        raise WeftError("this is not a cubin", Position(file=str(path)))
    if data[:4] == b"\x7fELF" and not found:
        return _of_cubin(data, path.name, launch)
    if data.startswith(BINARY):
        if number is None and target is not None:
            found = best(found, find_target(target), str(path))
        return _of_ptx(choose(found, number, str(path)).text(), path.name, target, launch)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line, column = data.count(b"\n", 0, error.start) + 1, error.start - data.rfind(b"\n", 0, error.start)
        message = f"invalid UTF-8: byte 0x{data[error.start]:02x}"
        raise WeftError(message, Position(file=str(path), line=line, column=column)) from None
    return _of_text(text, str(path), target, launch)


_MACHINE, _CUDA = 18, (190).to_bytes(2, "little")
"""Where an ELF file says for which machine it is, and what a cubin says there."""


def _numbered(source: str | Path) -> tuple[Path, int | None]:
    """A path, and the number of a PTX module in it: `libfoo.so#2`."""
    match = re.fullmatch(r"(.+)#(\d+)", str(source))
    return (Path(match[1]), int(match[2])) if match is not None and not Path(source).exists() else (Path(source), None)


_Launch = tuple[int | None, int]


def _of_text(text: str, name: str, target: str | None, launch: _Launch) -> Trace:
    if name.endswith(".ptx") or re.search(r"^\s*\.version\b", text, re.MULTILINE):
        return _of_ptx(text, name, target, launch)
    from weft.codegen.front import compile_module

    if target is None:
        raise WeftError("MLIR needs a target", Position(file=name), "give one (for commands: --target sm_80)")
    module = compile_module(text, target, filename=name, debug="lines")
    own = mlir_stage(text, "mlir", name)
    files = {item.path for item in module.items if isinstance(item, File)}
    if not any(Path(path).name == Path(name).name for path in files):  # Its operations say where they come from.
        sources = _sources(module, [])
        front = [source_stage(sources)] if sources else []
        return _of_ptx(module.to_ptx(), name, target, launch, [*front, mlir_stage(text, "mlir")])
    return _of_ptx(module.to_ptx(), name, target, launch, [own])


def _of_ptx(text: str, name: str, target: str | None, launch: _Launch, front: Sequence[Placed] | None = None) -> Trace:
    module = parse(text, name)
    target = target or module.target
    placed = ptx_stage(module, text, verify(module, target) if target in TARGETS else ())
    if front is None:
        sources = _sources(module, [])
        front = [source_stage(sources)] if sources else []
    cubin = assemble(text, target, options=("-lineinfo",), file=name)
    kernels = _kernels(read_machine(cubin.data), cubin.kernels, target, _threads(module), launch)
    return _joined(
        name, target, [*front, placed], machine_stage(read_machine(cubin.data), cubin.data), kernels, cubin.data
    )


def _of_cubin(data: bytes, name: str, launch: _Launch, front: Sequence[Placed] = (), text: str = "") -> Trace:
    machine = read_machine(data)
    if not machine.functions:
        raise ToolError(f"{name} has no machine code", hint="a device cubin is needed, not a host object")
    text = text or ptx_text(data)
    stages, threads = list(front), dict[str, int]()
    sass = machine_stage(machine, data)
    if text:
        try:
            module = parse(text, name)
            threads = _threads(module)
            placed = ptx_stage(module, text)
            sources = _sources(module, []) if not front else []
            if not front and not any(placed.places):
                placed, sources = placed_by_machine(placed, sass), _readable(sass.files)
            stages = stages or ([source_stage(sources)] if sources else [])
            stages.append(placed)
        except PtxSyntaxError:
            text = ""
    if not text and not stages:
        sources = _readable(sass.files)
        stages = [source_stage(sources)] if sources else []
    return _joined(
        name, machine.target, stages, sass, _kernels(machine, _usage(data), machine.target, threads, launch), data
    )


def _of_folder(path: Path, target: str | None, launch: _Launch) -> Trace:
    dumps = {files["mlir"]: files for one in sorted(path.glob("*.sm_*")) if (files := _dumped_by_cute(one))}
    if len(dumps) > 1:
        names = [next(file.name for suffix, file in files.items() if suffix != "mlir") for files in dumps.values()]
        raise WeftError(
            f"this directory has {len(names)} kernels",
            Position(file=str(path)),
            f"give the file of one kernel, such as {names[0]}",
        )
    if dumps:
        return _of_files(next(iter(dumps.values())), target, launch)
    found = {suffix: next(iter(sorted(path.glob(f"*.{suffix}"))), None) for suffix in (*TRITON_STAGES, "mlir")}
    files = {suffix: file for suffix, file in found.items() if file is not None}
    if "ptx" not in files and "cubin" not in files:
        raise WeftError(
            "this directory does not contain a Triton or CuTe DSL kernel",
            Position(file=str(path)),
            "use a directory with a .ptx or .cubin file",
        )
    return _of_files(files, target, launch)


def _dumped_by_cute(path: Path) -> dict[str, Path]:
    """What CuTe DSL dumped of the kernel of a `NAME.sm_90a.ptx` or `.cubin`, by suffix; empty without its IR."""
    if path.suffix not in (".ptx", ".cubin"):
        return {}
    mlir = path.with_name(f"cute_dsl_{path.stem.partition('.sm_')[0]}.mlir")
    files = {"mlir": mlir, "ptx": path.with_suffix(".ptx"), "cubin": path.with_suffix(".cubin")}
    return {suffix: file for suffix, file in files.items() if file.is_file()} if mlir.is_file() else {}


def _of_files(files: Mapping[str, Path], target: str | None, launch: _Launch) -> Trace:
    contents: dict[str, Any] = {s: f.read_bytes() if s == "cubin" else f.read_text("utf-8") for s, f in files.items()}
    return _of_triton(contents, next(iter(files.values())).stem.removeprefix("cute_dsl_"), target, launch)


def _of_triton(asm: Mapping[str, Any], name: str, target: str | None, launch: _Launch) -> Trace:
    """Triton's or CuTe DSL's stages: those in the middle name places of a Python file, which is read if it is there."""
    front: list[Placed] = []
    for stage in ("ttir", "ttgir", "mlir", "llir"):
        text = asm.get(stage)
        if isinstance(text, str):
            front.append(llvm_stage(text) if stage == "llir" else mlir_stage(text, stage))
    text = asm.get("ptx")
    first = str(asm.get("ttir") or asm.get("ttgir") or asm.get("mlir") or "")
    paths = list(dict.fromkeys(re.findall(r'loc\("([^"]+\.py)":', first)))
    sources = [(path, read) for path in paths[:MOST_SOURCES] if (read := _read(Path(path))) is not None]
    if sources:
        front.insert(0, source_stage(_used(sources, front)))
    cubin = asm.get("cubin")
    if isinstance(cubin, bytes) and target is None:
        return _of_cubin(cubin, name, launch, front, text if isinstance(text, str) else "")
    if not isinstance(text, str):
        raise WeftError("the trace has no PTX stage", hint=f"they are {', '.join(asm)}")
    return _of_ptx(text, name, target, launch, front)


# -- sources --------------------------------------------------------------------------------------------------


def _sources(module: Module, extra: Iterable[str]) -> list[tuple[str, str]]:
    """The files that the PTX's `.loc` directives name and that can be read, with their text."""
    wanted = {
        place.file for places in module.locations.values() for place in places if place is not None and place.line
    }
    return _readable([item.path for item in module.items if isinstance(item, File) and item.path in wanted])


def _readable(paths: Iterable[str]) -> list[tuple[str, str]]:
    found = ((path, _read(Path(path))) for path in dict.fromkeys(paths))
    return [(path, text) for path, text in found if text is not None][:MOST_SOURCES]


def _read(path: Path) -> str | None:
    try:
        if path.stat().st_size > _LARGEST_SOURCE:
            return None
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return None


def _used(sources: Sequence[tuple[str, str]], stages: Sequence[Placed]) -> list[tuple[str, str]]:
    named = {place.file for stage in stages for places in stage.places for place in places}
    return [(path, text) for path, text in sources if Path(path).name in named]


# -- links ----------------------------------------------------------------------------------------------------


def _joined(
    name: str, target: str, stages: Sequence[Placed], sass: MachineStage, kernels: tuple[Kernel, ...], cubin: bytes
) -> Trace:
    links = [Links(i, i + 1, _edges(stages[i], stages[i + 1])) for i in range(len(stages) - 1)]
    if stages:
        last = stages[-1]
        edges = (
            _by_line(last.stage, sass) if last.stage.name == "ptx" else _edges(last, Placed(sass.stage, sass.places))
        )
        links.append(Links(len(stages) - 1, len(stages), edges))
    return Trace(name, target, (*(placed.stage for placed in stages), sass.stage), tuple(links), kernels, cubin)


def _by_line(ptx: Stage, sass: MachineStage) -> tuple[tuple[int, int], ...]:
    """A machine instruction's line of PTX; where no instruction is there (`{`), the nearest one in the function."""
    lines: dict[int, list[int]] = {}
    for number, span in enumerate(ptx.spans):
        lines.setdefault(span.line, []).append(number)
    edges: list[tuple[int, int]] = []
    for number, line in enumerate(sass.ptx_lines):
        owners = lines.get(line) or _nearest(ptx.spans, line, sass.stage.spans[number].function)
        edges += [(owner, number) for owner in owners]
    return tuple(sorted(edges))


def _nearest(spans: Sequence[Span], line: int, function: str) -> list[int]:
    """The first instruction of a function behind a line, else its last one before it."""
    inside = [number for number, span in enumerate(spans) if span.function == function]
    behind = next((number for number in inside if spans[number].line > line > 0), None)
    return [behind] if behind is not None else inside[-1:] if line else []


def _edges(one: Placed, other: Placed) -> tuple[tuple[int, int], ...]:
    """Statements of two stages that come from the same place: the same column too, where both name one."""
    places: dict[Place, list[int]] = {}
    for number, named in enumerate(one.places):
        for place in named:
            places.setdefault(place, []).append(number)
    rough: dict[Place, list[int]] = {}
    for place, numbers in places.items():
        rough.setdefault(without_column(place), []).extend(numbers)
    edges: set[tuple[int, int]] = set()
    for number, named in enumerate(other.places):
        for place in named:
            owners = places.get(place) or rough.get(without_column(place), [])
            edges.update((owner, number) for owner in owners[:MOST_OWNERS])
    return tuple(sorted(edges))


def without_column(place: Place) -> Place:
    """The place without its column."""
    return place._replace(column=0)


# -- resources ------------------------------------------------------------------------------------------------


def _threads(module: Module) -> dict[str, int]:
    """The threads of a block of each kernel, where `.reqntid` or `.maxntid` says."""
    found: dict[str, int] = {}
    for function in module.kernels:
        for directive in function.directives:
            if directive.name in ("reqntid", "maxntid"):
                sizes = [int(word) for word in re.findall(r"\d+", str(directive.arguments))]
                product = 1
                for size in sizes:
                    product *= size
                found[function.name] = product
    return found


_USAGE = re.compile(r"Function ([^\s:]+):\s*\n\s*REG:(\d+) STACK:(\d+) SHARED:(\d+)")


def _usage(cubin: bytes) -> tuple[Resources, ...]:
    """What cuobjdump says of the functions of a cubin; nothing where there is no cuobjdump."""
    tool = find("cuobjdump")
    if tool is None:
        return ()
    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        path = Path(folder, "module.cubin")
        path.write_bytes(cubin)
        said = run([tool.path, "-res-usage", str(path)]).stdout
    return tuple(
        Resources(match[1], int(match[2]), int(match[4]), stack_bytes=int(match[3])) for match in _USAGE.finditer(said)
    )


def _kernels(
    machine: Machine, known: Sequence[Resources], target: str, threads: Mapping[str, int], launch: _Launch
) -> tuple[Kernel, ...]:
    resources = {one.name: one for one in known}
    return tuple(
        _kernel(code, resources.get(code.name), target, launch[0] or threads.get(code.name, 0), launch[1])
        for code in machine.functions.values()
    )


def _kernel(code: Code, known: Resources | None, target: str, threads: int, dynamic: int) -> Kernel:
    live = max((one.live.get("GPR", 0) for one in code.instructions), default=0)
    known = known or Resources(code.name, code.registers)
    kernel = Kernel(code.name, known.registers, live, known.shared_bytes, known.spills, known.stack_bytes, threads)
    number = TARGETS[target].number if target in TARGETS else 0
    if not threads or number not in MULTIPROCESSORS:
        return kernel
    shared = known.shared_bytes + dynamic
    try:
        found = occupancy(target, threads, known.registers, shared, known.barriers)
    except WeftError:  # More than a block can have: nothing runs.
        return kernel
    facts = asdict(found) | {"limited_by": found.limited_by, "fraction": found.fraction}
    facts["next"] = registers_for(target, threads, shared, found.blocks + 1)
    return replace(kernel, occupancy=facts)
