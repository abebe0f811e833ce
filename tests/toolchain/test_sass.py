"""Machine code back out of a cubin, and when two cubins are the same program."""

from __future__ import annotations

import pytest

from tests.toolchain.test_ptxas import KERNEL
from weft.errors import ToolError
from weft.toolchain import Tool, assemble, code_difference, disassemble
from weft.toolchain.elf import sections


def test_instructions(ptxas: Tool, nvdisasm: Tool) -> None:
    sass = disassemble(assemble(KERNEL))["copy"]
    opcodes = sass.opcodes()
    assert sass.count == sum(opcodes.values())
    assert opcodes["LDG"] == opcodes["STG"] == opcodes["LDS"] == opcodes["STS"] == opcodes["BAR"] == 1
    assert opcodes["NOP"] == opcodes["BRA"] == 0
    assert str(sass.instructions[-1]) == "EXIT"


def test_difference(ptxas: Tool) -> None:
    cubin = assemble(KERNEL)
    commented = assemble(KERNEL.replace("bar.sync 0;", "// wait\n    bar.sync 0;"))
    changed = assemble(KERNEL.replace("%r1+4", "%r1+8"))
    assert code_difference(cubin, commented) == []
    assert code_difference(cubin, changed) == [".text.copy"]


def test_sections(ptxas: Tool) -> None:
    found = sections(assemble(KERNEL).data)
    assert len(found[".text.copy"]) % 16 == 0
    assert found[".nv.shared.copy"] == b""


@pytest.mark.parametrize("data", [b"", b"text", b"\x7fELF\x02\x01" + b"\xff" * 58])
def test_not_a_cubin(data: bytes) -> None:
    with pytest.raises(ToolError):
        sections(data)
