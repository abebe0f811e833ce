"""Reading a cubin's machine code back, through NVIDIA's nvdisasm."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from dataclasses import field
from pathlib import Path
from typing import Any

from weft.dataclass import dataclass
from weft.errors import ToolError
from weft.toolchain import elf
from weft.toolchain.find import need, run
from weft.toolchain.ptxas import Cubin


@dataclass(frozen=True, slots=True)
class SassInstruction:
    """One machine instruction: its guard (`@!P0` or empty), its opcode with modifiers, its operands as text."""

    opcode: str
    operands: str = ""
    guard: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.guard, self.opcode, self.operands)))


@dataclass(frozen=True, slots=True)
class Sass:
    """The machine code of one kernel or function, without the padding at its end."""

    name: str
    instructions: tuple[SassInstruction, ...] = field(repr=False)

    @property
    def count(self) -> int:
        """How many instructions there are."""
        return len(self.instructions)

    def opcodes(self) -> Counter[str]:
        """How often each opcode occurs, modifiers left out: `LDG` for `LDG.E.128`."""
        return Counter(instruction.opcode.partition(".")[0] for instruction in self.instructions)


def _without_padding(instructions: list[SassInstruction]) -> tuple[SassInstruction, ...]:
    """Drop the trailing NOPs, and the branch to itself that is before them to stop a run-away fetch."""
    end = len(instructions)
    while end and instructions[end - 1].opcode == "NOP":
        end -= 1
    if end and instructions[end - 1].opcode == "BRA" and not instructions[end - 1].guard and end > 1:
        end -= 1
    return tuple(instructions[:end])


def disassemble(cubin: Cubin | bytes) -> dict[str, Sass]:
    """The machine code of each function of a cubin, by name, from nvdisasm.

    Raises:
        ToolError: nvdisasm is missing or cannot read the cubin.
    """
    data = cubin if isinstance(cubin, bytes) else cubin.data
    tool = need("nvdisasm")
    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        path = Path(folder, "module.cubin")
        path.write_bytes(data)
        done = run([tool.path, "-json", str(path)])
    if done.returncode:
        raise ToolError(f"nvdisasm failed: {done.stderr.strip()[:500]}", output=done.stderr)
    functions: list[dict[str, Any]] = json.loads(done.stdout)[1]
    result: dict[str, Sass] = {}
    for function in functions:
        instructions = [
            SassInstruction(item["opcode"], item.get("operands", ""), item.get("predicate", ""))
            for item in function["sass-instructions"]
        ]
        name = function["function-name"]
        result[name] = Sass(name, _without_padding(instructions))
    return result


def code_difference(one: Cubin | bytes, other: Cubin | bytes) -> list[str]:
    """The names of the sections in which two cubins differ, of those that hold code, constants or resources.

    Empty when the two are the same program, bit for bit: instructions with their scheduling, constant banks, initial
    values, and each kernel's parameter and resource record. Debug information does not count.
    """
    left, right = (elf.code(cubin if isinstance(cubin, bytes) else cubin.data) for cubin in (one, other))
    return sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name))
