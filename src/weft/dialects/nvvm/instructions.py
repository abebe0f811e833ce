"""The PTX instruction that an operation of `nvvm` is: its entry in the ISA table.

Slots, operand types and counts, PTX versions and targets of an operation are those of this instruction;
`weft.codegen.instructions.instruction` gives the very opcode of one operation.
"""

from __future__ import annotations

from collections.abc import Mapping

from weft.dialects.nvvm.ops import TABLE

NO_INSTRUCTION = ("nvvm.inline_ptx", "nvvm.tcgen05.mma_smem_desc")
"""Operations that are no instruction: PTX as it is written, and the packing of a descriptor."""


def _of_row(name: str) -> tuple[str, ...]:
    text = TABLE.row(name).instructions
    return (text.split()[1],) if text.startswith("=") else tuple(text.split())


INSTRUCTIONS: Mapping[str, tuple[str, ...]] = {
    f"nvvm.{name}": found for name in sorted(TABLE.names) if (found := _of_row(name))
}
"""The stem of the instruction that each operation is; a few are one of two, as their attributes say."""
