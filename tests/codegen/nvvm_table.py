"""The table of docs/nvvm.md: what each operation of `nvvm` is in PTX (`python -m tests.codegen.nvvm_table` writes it)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.codegen import nvvm_cases, product_cases
from weft.codegen.instructions import instruction
from weft.dialects.nvvm.instructions import INSTRUCTIONS, NO_INSTRUCTION
from weft.dialects.nvvm.sregs import PREFIX
from weft.isa import Opcode
from weft.isa.target import TARGETS, Window
from weft.mlir import parse_mlir

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "nvvm.md"
HEAD = "| Operation | Instruction | PTX | Lowest target |\n|---|---|---|---|\n"


def opcodes() -> dict[str, set[Opcode]]:
    """The opcodes that the cases of each operation are selected to."""
    found: dict[str, set[Opcode]] = defaultdict(set)
    for case in (*nvvm_cases.everything(), *product_cases.everything()):
        if case.op in NO_INSTRUCTION or case.op.startswith(PREFIX):
            continue
        for op in parse_mlir(case.module("f")).walk():
            if op.name == case.op:
                found[case.op].add(instruction(op, case.target))
    return found


def lowest(windows: Iterable[Window]) -> tuple[str, str]:
    """The lowest target, of several suffixes the first that knew it, and the least PTX version there."""
    found = [(TARGETS[name].number, least, name) for window in windows for name in window.targets
             if (least := window.least(name)) is not None]  # fmt: skip
    _, version, target = min(found)
    return str(version), target


def table() -> str:
    """The rows, in the operations' alphabetical order."""
    found = opcodes()
    rows: list[str] = []
    for operation in sorted(set(INSTRUCTIONS) - {name for name in INSTRUCTIONS if name.startswith(PREFIX)}):
        stems = ", ".join(f"`{stem}`" for stem in INSTRUCTIONS[operation])
        version, target = lowest(window for opcode in found[operation] for window in opcode.windows)
        rows.append(f"| `{operation}` | {stems} | {version} | {target} |")
    return HEAD + "\n".join(rows) + "\n"


def written(document: str) -> str:
    """The document with the table as it is now."""
    start = document.index(HEAD)
    end = document.find("\n\n", start)
    return document[:start] + table() + (document[end + 1 :] if end >= 0 else "")


if __name__ == "__main__":
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
