"""`weft compile`: MLIR, or a kernel written in Python, to PTX, to an object, or linked to a cubin."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from weft.cli import files
from weft.cli.choice import choice
from weft.cli.kernels import is_kernel, refuse_file, traced
from weft.cli.options import target_option, version_option
from weft.cli.problems import reported
from weft.dataclass import dataclass

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from weft.toolchain import Cubin

OBJECTS = (".o", ".obj", ".cubin")
"""How the names of files end that are linked as they are."""


@click.command(
    name="compile",
    help="Compile the kernels of an MLIR file, or a kernel written in Python, to PTX. Several files, PTX and objects "
    "among them, are linked to one cubin or object.",
)
@click.argument("sources", metavar="FILE.mlir|FILE.py:KERNEL|FILE.ptx|FILE.o...", nargs=-1, required=True)
@click.option(
    "-t",
    "--target",
    callback=target_option,
    default="sm_80",
    show_default=True,
    metavar="SM",
    help="Architecture: sm_80, sm_90a, ...",
)
@click.option(
    "--ptx-version",
    callback=version_option,
    metavar="V",
    help="PTX version to write (default: the oldest that suffices).",
)
@click.option("-o", "--output", metavar="FILE", help="Where to write (default: stdout).")
@choice(
    "--naming", "bits classic", "Names of float registers: %r and %rd like all others (bits), or %f and %fd (classic)."
)
@choice(
    "--emit",
    "ptx cubin obj mlir",
    "What to write: obj is a relocatable cubin, mlir the tile dialect of a Python kernel.",
)
@click.option("--set", "settings", multiple=True, metavar="NAME=N", help="Set an option or a size of a Python kernel.")
@click.option(
    "--multiple",
    "multiples",
    multiple=True,
    metavar="NAME=N",
    help="Assume that a size of a Python kernel is a multiple of N.",
)
@click.option("-lineinfo", "--lineinfo", "lineinfo", is_flag=True, help="Write line information to the PTX.")
@click.option("-g", "--debug", "debug", is_flag=True, help="Write line information and DWARF for debuggers.")
@click.option(
    "--strict-atomics",
    is_flag=True,
    help="Give llvm.atomicrmw without a scope the ordering it states; by default it is relaxed, as in LLVM.",
)
@click.option("--explain", is_flag=True, help="Explain how each tile copy is compiled; write nothing else.")
@click.option("--time", "timed", is_flag=True, help="Print to stderr how long each stage took.")
@choice("--format", "text json sarif github", "How errors are printed.", name="format_")
@click.option("--json", "as_json", is_flag=True, help="Print errors as JSON, as --format json does.")
@reported
def command(
    sources: tuple[str, ...],
    target: str,
    ptx_version: str | None,
    output: str | None,
    naming: str,
    emit: str,
    settings: tuple[str, ...],
    multiples: tuple[str, ...],
    lineinfo: bool,
    debug: bool,
    strict_atomics: bool,
    explain: bool,
    timed: bool,
    format_: str,
    as_json: bool,
) -> None:
    """Read, compile, and only then write."""
    first, *others = sources
    if others and (explain or emit in ("ptx", "mlir")):
        raise click.UsageError("several files are linked: use --emit cubin or --emit obj")
    if (settings or multiples) and not any(map(is_kernel, sources)):
        raise click.UsageError("--set and --multiple are for kernels written in Python")
    wanted = "full" if debug else "lines" if lineinfo else None
    work = _Work(target, ptx_version, naming, settings, multiples, wanted, strict_atomics)
    if explain:
        files.write(output, _explained(*work.read(first), target) + "\n")
    elif emit == "mlir":
        from weft.mlir import print_mlir

        built, _ = work.read(first)
        files.write(output, built if isinstance(built, str) else print_mlir(built))
    elif emit == "ptx":
        files.write(output, work.ptx(first)[0])
    else:
        files.write(output, work.linked(sources, relocatable=emit == "obj"))
    if timed:
        for stage, seconds in work.stages.items():
            click.echo(f"{stage:20} {seconds * 1e3:8.1f} ms", err=True)


@dataclass(slots=True)
class _Work:
    """How to compile, and how long each stage took."""

    target: str
    ptx_version: str | None
    naming: str
    settings: tuple[str, ...]
    multiples: tuple[str, ...]
    debug: str | None
    strict_atomics: bool
    stages: dict[str, float] = field(default_factory=dict[str, float])

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Count the time until the end as a stage, but for what is counted inside it."""
        start, inside = time.perf_counter(), sum(self.stages.values())
        self.add(name, 0.0)
        yield
        self.add(name, time.perf_counter() - start - (sum(self.stages.values()) - inside))

    def add(self, name: str, seconds: float) -> None:
        """Count seconds to a stage."""
        self.stages[name] = self.stages.get(name, 0.0) + seconds

    def read(self, source: str) -> tuple[str | ModuleOp, str]:
        """The MLIR of a source, and what messages call it."""
        if not is_kernel(source):
            refuse_file(source)
            return files.read(source)
        with self.stage("trace"):
            return traced(source, self.settings, self.multiples, self.target), source

    def ptx(self, source: str) -> tuple[str, str]:
        """The PTX of a source, and what messages call it."""
        if Path(source).suffix == ".ptx":
            text, name = files.read(source)
            with self.stage("verify"):
                _verify(text, name)
            return text, name
        with self.stage("imports"):
            mlir, name = self.read(source)
            from weft.codegen.front import compile_module

            module = compile_module(
                mlir, self.target, self.ptx_version, filename=name, naming=self.naming, debug=self.debug,
                strict_atomics=self.strict_atomics, timer=self.add,
            )  # fmt: skip
        with self.stage("print"):
            return module.to_ptx(), name

    def linked(self, sources: tuple[str, ...], *, relocatable: bool) -> bytes:
        """The cubin, or the object, of all sources together."""
        from weft.toolchain import assemble, link

        objects: dict[str, Cubin | bytes] = {}
        for number, source in enumerate(sources):
            name = source if source not in objects else f"{source} ({number + 1})"
            if Path(source).suffix in OBJECTS:
                objects[name] = Path(source).read_bytes()
                continue
            text, called = self.ptx(source)
            with self.stage("ptxas"):
                apart = relocatable or len(sources) > 1
                file = called if Path(source).suffix == ".ptx" else "<ptx>"
                objects[name] = assemble(text, self.target, file=file, relocatable=apart)
        if len(objects) == 1 and not isinstance(alone := next(iter(objects.values())), bytes):
            return alone.data
        with self.stage("nvlink"):
            return link(objects, self.target, relocatable=relocatable).data


def _verify(text: str, name: str) -> None:
    """Raises VerifyError, or PtxSyntaxError, for PTX that ptxas would refuse: it is passed on as it is."""
    import weft
    from weft.errors import Severity, VerifyError

    errors = [one for one in weft.verify(weft.parse(text, filename=name)) if one.severity is Severity.ERROR]
    if errors:
        raise VerifyError(errors)


def _explained(mlir: str | ModuleOp, name: str, target: str) -> str:
    from weft.mlir import parse_mlir
    from weft.transforms.tile_lowering import explain_module

    return explain_module(parse_mlir(mlir, name) if isinstance(mlir, str) else mlir, target)
