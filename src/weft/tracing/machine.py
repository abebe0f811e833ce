"""The machine code of a cubin with everything that one call of nvdisasm and our own decoders say of it."""

from __future__ import annotations

import re
import tempfile
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import field
from hashlib import sha256
from pathlib import Path

from weft.dataclass import dataclass
from weft.errors import ToolError
from weft.toolchain.find import need, run
from weft.tracing.control import Control, decode

_SECTION = re.compile(r"^\s*\.section\s+\.text\.([^,\s]+)")
_REGISTERS = re.compile(r"SHI_REGISTERS=(\d+)")
_CODE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;\s*/\* (0x[0-9a-f]{16}) \*/")
_HEX = re.compile(r"^\s*/\* (0x[0-9a-f]{16}) \*/")
_LABEL = re.compile(r"^(\.?[\w.$]+):\s*(?://|$)")
_TARGET = re.compile(r"^\s*\.target\s+(sm_\w+)|\bEF_CUDA_SM(\d+)\b", re.MULTILINE)
_GUARD = re.compile(r"(@!?\w+)\s+")
_GOTO = re.compile(r"`\(([^)]+)\)")
_KEPT = 32


@dataclass(frozen=True, slots=True)
class Instruction:
    """One machine instruction: its address, text, and fields; `live` are the registers live at it by class.

    The classes are those of nvdisasm: `GPR`, `PRED`, `UGPR`, `UPRED`. `target` is the number of the instruction that a
    branch goes to, None for other instructions.
    """

    address: int
    guard: str
    opcode: str
    operands: str
    control: Control
    live: dict[str, int]
    target: int | None = None

    @property
    def text(self) -> str:
        """The instruction as nvdisasm writes it, without its semicolon."""
        return " ".join(filter(None, (self.guard, self.opcode, self.operands)))


@dataclass(frozen=True, slots=True)
class Code:
    """The machine code of one function, without the padding at its end; `labels` name numbers of instructions.

    `entries` are those where the functions begin that it calls and that are after it.
    """

    name: str
    instructions: tuple[Instruction, ...] = field(repr=False)
    labels: dict[int, str] = field(repr=False)
    registers: int = 0
    entries: dict[str, int] = field(default_factory=dict[str, int], repr=False)

    def loops(self) -> list[tuple[int, int]]:
        """The first and last instruction of each loop: of code that a backward branch closes; the outer ones first."""
        ends: dict[int, int] = {}
        for number, instruction in enumerate(self.instructions):
            if instruction.target is not None and instruction.target <= number:
                ends[instruction.target] = max(number, ends.get(instruction.target, 0))
        return sorted(ends.items(), key=lambda pair: (pair[0], -pair[1]))


@dataclass(frozen=True, slots=True)
class Machine:
    """The code of a cubin: its architecture, and each function by name."""

    target: str
    functions: dict[str, Code]


_READ: OrderedDict[bytes, Machine] = OrderedDict()


def read_machine(cubin: bytes) -> Machine:
    """Disassemble a cubin; what was read before is remembered. Raises `ToolError` without nvdisasm, or if it fails."""
    key = sha256(cubin).digest()
    found = _READ.get(key)
    if found is None:
        found = _READ[key] = parse_listing(_listing(cubin))
        while len(_READ) > _KEPT:
            _READ.popitem(last=False)
    return found


def _listing(cubin: bytes) -> str:
    tool = need("nvdisasm")
    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        path = Path(folder, "module.cubin")
        path.write_bytes(cubin)
        done = run([tool.path, "-c", "-hex", "-lrm", "count", str(path)])
        if done.returncode and "life ranges" in done.stderr:  # An ELF of an older ptxas.
            done = run([tool.path, "-c", "-hex", str(path)])
    if done.returncode:
        raise ToolError(f"nvdisasm failed: {done.stderr.strip()[:500]}", output=done.stderr)
    return done.stdout


def parse_listing(text: str) -> Machine:
    """The functions in what `nvdisasm -c -hex -lrm count` prints."""
    target = _TARGET.search(text)
    functions: dict[str, Code] = {}
    parts = re.split(r"^//-+ \.text\.", text, flags=re.MULTILINE)
    for part in parts[1:]:
        code = _function(part.splitlines())
        if code is not None:
            functions[code.name] = code
    name = "" if target is None else target[1] or f"sm_{target[2]}"
    return Machine(name, functions)


def _function(lines: list[str]) -> Code | None:
    name, registers = "", 0
    for line in lines[:12]:
        if match := _SECTION.match(line):
            name = match[1]
        elif match := _REGISTERS.search(line):
            registers = int(match[1])
    if not name:
        return None
    labels: dict[str, int] = {}
    classes: list[str] = []
    raw: list[tuple[int, str, int, dict[str, int]]] = []
    pending: tuple[int, str, int] | None = None
    for line in lines:
        code, _, live = line.partition("// |")
        if not classes and "GPR" in live:
            classes = re.findall(r"[A-Z]+", live)
        if match := _CODE.match(code):
            pending = (int(match[1], 16), match[2], int(match[3], 16))
        elif pending is not None and (match := _HEX.match(code)):
            raw.append((*pending[:2], pending[2] | int(match[1], 16) << 64, dict(_counts(classes, live))))
            pending = None
        elif match := _LABEL.match(code):
            labels[match[1]] = len(raw)
    kept = raw[: _without_padding([text for _, text, _, _ in raw])]
    instructions = [_instruction(*entry, labels, len(kept)) for entry in kept]
    named = {number: label for label, number in labels.items() if label.startswith(".L") and number < len(kept)}
    entries = {label: number for label, number in labels.items() if label.startswith("$") and number < len(kept)}
    return Code(name, tuple(instructions), named, registers, entries)


def _counts(classes: list[str], live: str) -> Iterator[tuple[str, int]]:
    for name, cell in zip(classes, live.split("|"), strict=False):
        if cell.strip().isdecimal():
            yield name, int(cell)


def _without_padding(texts: list[str]) -> int:
    """How many instructions are before the NOPs at the end, and the branch to itself before them."""
    end = len(texts)
    while end and texts[end - 1].startswith("NOP"):
        end -= 1
    return end - 1 if end > 1 and texts[end - 1].startswith("BRA") else end


def _instruction(
    address: int, text: str, encoding: int, live: dict[str, int], labels: dict[str, int], count: int
) -> Instruction:
    guard = _GUARD.match(text)
    rest = text[guard.end() :] if guard is not None else text
    opcode, _, operands = rest.partition(" ")
    goto = _GOTO.search(operands) if opcode.startswith(("BRA", "BRX", "JMP", "BRXU")) else None
    target = labels.get(goto[1]) if goto is not None else None
    target = target if target is not None and target < count else None
    control = decode(encoding)
    return Instruction(address, guard[1] if guard is not None else "", opcode, operands.strip(), control, live, target)
