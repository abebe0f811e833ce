"""Each operation of `nvvm` points at its instruction in the ISA table."""

from __future__ import annotations

import pytest

from tests.codegen import nvvm_table
from tests.codegen.test_nvvm_all import sampled
from weft.codegen.instructions import instruction
from weft.dialects import lazy
from weft.dialects.nvvm.instructions import INSTRUCTIONS, NO_INSTRUCTION
from weft.errors import CompileError
from weft.isa import families
from weft.mlir import parse_mlir


def test_every_operation_has_an_instruction_that_exists() -> None:
    assert set(INSTRUCTIONS) | set(NO_INSTRUCTION) == set(lazy.operation_names("nvvm"))
    assert {stem for stems in INSTRUCTIONS.values() for stem in stems} <= set(families())


def test_samples_are_selected_to_their_instruction() -> None:
    for case in sampled():
        if case.op in NO_INSTRUCTION:
            continue
        (op,) = (op for op in parse_mlir(case.module()).walk() if op.name == case.op)
        opcode = instruction(op, case.target)
        assert opcode.stem in INSTRUCTIONS[case.op]
        assert any(window.least(case.target) for window in opcode.windows)


def test_slots_are_the_attributes() -> None:
    text = """llvm.func @f(%s: !llvm.ptr<3>) { %r = nvvm.ldmatrix %s {eltType = #nvvm.ld_st_matrix_elt_type<b16>,
      layout = #nvvm.mma_layout<col>, num = 1 : i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>}
      : (!llvm.ptr<3>) -> i32 llvm.return }"""
    (op,) = (op for op in parse_mlir(text).walk() if op.name == "nvvm.ldmatrix")
    opcode = instruction(op)
    assert (opcode["shape"], opcode["num"], opcode["trans"], opcode["type"]) == ("m8n8", "x1", "trans", "b16")


def test_what_is_no_instruction() -> None:
    (op,) = (op for op in parse_mlir("llvm.func @f() { llvm.return }").walk() if op.name == "llvm.return")
    with pytest.raises(CompileError, match="does not lower to a single instruction"):
        instruction(op)


@pytest.mark.slow
def test_the_document_has_the_table() -> None:
    document = nvvm_table.DOCUMENT.read_text(encoding="utf-8")
    assert document == nvvm_table.written(document)
    assert {operation: {opcode.stem for opcode in opcodes} for operation, opcodes in nvvm_table.opcodes().items()} == {
        operation: set(stems) for operation, stems in INSTRUCTIONS.items() if ".sreg." not in operation
    }
