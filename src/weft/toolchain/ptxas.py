"""Assembling PTX with NVIDIA's ptxas, and reading what it says about registers, memory and errors."""

from __future__ import annotations

import re
import tempfile
from dataclasses import field, replace
from pathlib import Path

from weft.dataclass import dataclass
from weft.errors import Diagnostic, Position, Severity, ToolError
from weft.isa.target import governing
from weft.ptx.ast import Module
from weft.ptx.header import find_header
from weft.ptx.parser import parse
from weft.toolchain.find import need, run

_TARGET = re.compile(r"^[ \t]*\.target[ \t]+(sm_\w+|compute_\w+)", re.MULTILINE)
_MESSAGE = re.compile(
    r"^ptxas (?P<file>.*?)(?:, line (?P<line>\d+); )?(?P<severity>fatal|error|warning|info) *: (?P<text>.*)$"
)
_COMPILING = re.compile(r"Compiling entry function '([^']+)'")
_PROPERTIES = re.compile(r"Function properties for (\S+)")
_FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_CODED = re.compile(r"\((C\d+)\) *(.*)")
_SEVERITY = {"fatal": Severity.ERROR, "error": Severity.ERROR, "warning": Severity.WARNING, "info": Severity.NOTE}
_ELSEWHERE = "compile to a relocatable object (--emit obj) and link it to use external definitions"


@dataclass(frozen=True, slots=True)
class Resources:
    """What one kernel takes, as ptxas reports it: counts per thread, except shared memory and barriers per block."""

    name: str
    registers: int = 0
    shared_bytes: int = 0
    spill_store_bytes: int = 0
    spill_load_bytes: int = 0
    stack_bytes: int = 0
    barriers: int = 0
    constant_bytes: int = 0

    @property
    def spills(self) -> int:
        """Bytes spilled to local memory and loaded back."""
        return self.spill_store_bytes + self.spill_load_bytes


@dataclass(frozen=True, slots=True)
class Cubin:
    """An assembled module: the ELF file, the architecture it is for, each kernel's resources, ptxas's remarks."""

    data: bytes = field(repr=False)
    target: str
    kernels: tuple[Resources, ...] = ()
    remarks: tuple[Diagnostic, ...] = ()

    def kernel(self, name: str | None = None) -> Resources:
        """The resources of the kernel called `name`; of the only kernel without a name."""
        chosen = [kernel for kernel in self.kernels if name is None or kernel.name == name]
        if len(chosen) != 1:
            raise KeyError(f"the module's kernels are {', '.join(kernel.name for kernel in self.kernels) or 'none'}")
        return chosen[0]


def target_of(text: str) -> str:
    """The architecture that a PTX text's `.target` directive names; `ToolError` when it has none."""
    header = find_header(text)
    words = [word for word, _, _ in header.targets] if header is not None else _TARGET.findall(text)
    if not words:
        raise ToolError("the PTX text has no .target directive", hint="give the target to assemble for")
    return governing(words).replace("compute_", "sm_", 1)


def parse_messages(output: str, text: str, file: str = "<ptx>") -> tuple[Diagnostic, ...]:
    """What ptxas said, without its statistics, as diagnostics that point into the PTX text it was given."""
    lines = text.splitlines()
    found: list[Diagnostic] = []
    for match in filter(None, map(_MESSAGE.match, output.splitlines())):
        line, message, severity = int(match["line"] or 0), match["text"].strip(), _SEVERITY[match["severity"]]
        coded = _CODED.match(message)
        if (severity is Severity.NOTE and not coded) or message.startswith("Ptx assembly aborted"):
            continue
        source = lines[line - 1] if 0 < line <= len(lines) else None
        position = Position(line=line, file=file, source=source)
        code, message = (coded[1], coded[2]) if coded else ("ptxas", message)
        found.append(Diagnostic(code, message, severity, position))
    return tuple(found)


def parse_statistics(output: str) -> tuple[Resources, ...]:
    """The resources of each kernel, from what `ptxas -v` says, in its order."""
    kernels: dict[str, Resources] = {}
    entry = function = ""
    for line in output.splitlines():
        if match := _COMPILING.search(line):
            entry = match[1]
            kernels[entry] = Resources(entry)
        elif match := _PROPERTIES.search(line):
            function = match[1]
        elif (match := _FRAME.search(line)) and function in kernels:
            stack, stores, loads = map(int, match.groups())
            kernels[function] = replace(
                kernels[function], stack_bytes=stack, spill_store_bytes=stores, spill_load_bytes=loads
            )
        elif (match := _USED.search(line)) and entry in kernels:
            kernels[entry] = replace(
                kernels[entry],
                registers=int(match[1]),
                barriers=_number(r"used (\d+) barriers", line),
                shared_bytes=_number(r"(\d+) bytes smem", line),
                constant_bytes=sum(map(int, re.findall(r"(\d+) bytes cmem", line))),
            )
    return tuple(kernels.values())


def _number(pattern: str, line: str) -> int:
    found = re.search(pattern, line)
    return int(found[1]) if found else 0


def assemble(
    module: Module | str,
    target: str | None = None,
    *,
    options: tuple[str, ...] = (),
    file: str = "<ptx>",
    relocatable: bool = False,
) -> Cubin:
    """Assemble a module with ptxas.

    Args:
        module: a module or PTX text.
        target: the architecture, such as `sm_80`; by default that of the module's header.
        options: passed to ptxas, such as `"-O1"` or `"-lineinfo"`.
        file: what messages call the text.
        relocatable: make an object for `link`, which may refer to functions and variables of other objects.

    Raises:
        ToolError: ptxas is missing or rejects the module.  Its `diagnostics` hold each message with its line in the
            text that the module was read from, if the module has not been changed since.
    """
    if relocatable:
        options = ("-c", *options)
    if isinstance(module, str):
        return _assemble(module, target or target_of(module), options, file)
    try:
        return _assemble(module.to_ptx(), target or module.target, options, file)
    except ToolError:
        source = _unchanged_source(module)
        if source is not None:
            _assemble(source, target or module.target, options, module.filename)
        raise


def _unchanged_source(module: Module) -> str | None:
    """The text that a module was read from; None when it is gone, says otherwise, or counts lines in its own way."""
    source = module.source
    if source is None or "\n#" in source:
        return None
    return source if parse(source, module.filename) == module else None


def _assemble(text: str, target: str, options: tuple[str, ...], file: str) -> Cubin:
    tool = need("ptxas")
    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        source, result = Path(folder, "module.ptx"), Path(folder, "module.cubin")
        source.write_text(text, encoding="utf-8")
        command = [tool.path, "-v", f"-arch={target}", *options, str(source), "-o", str(result)]
        done = run(command)
        output = done.stderr + done.stdout
        diagnostics = parse_messages(output, text, file)
        if done.returncode or not result.exists():
            errors = [item for item in diagnostics if item.severity is Severity.ERROR]
            more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
            crashed = done.returncode < 0
            failure = f"was killed by signal {-done.returncode}" if crashed else f"failed: {output.strip()[:500]}"
            message = f"ptxas: {errors[0].message}{more}" if errors else f"ptxas {failure}"
            position = errors[0].position if errors else None
            hint = _ELSEWHERE if errors and "Unresolved extern" in errors[0].message else ""
            raise ToolError(message, position, hint, diagnostics=diagnostics, output=output, crashed=crashed)
        return Cubin(result.read_bytes(), target, parse_statistics(output), diagnostics)
