"""What other compilers write, through our parser and printer: ptxas makes the same program of it, bit for bit."""

from __future__ import annotations

import pytest

import weft
from tests.corpus.sources import OTHER_TARGETS, SOURCES, Source
from weft.isa.target import Version
from weft.toolchain import Tool, assemble, code_difference


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_same_machine_code(source: Source, ptxas: Tool) -> None:
    text = source.ptx()
    printed = weft.parse(text, filename=f"{source}.ptx").to_ptx()
    options = ("-g",) if source.option == "-G" else ()
    assert code_difference(assemble(text, options=options), assemble(printed, options=options)) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_printing_is_canonical(source: Source) -> None:
    """Parsing what was printed gives an equal module, and printing that the same text."""
    module = weft.parse(source.ptx())
    printed = module.to_ptx()
    again = weft.parse(printed)
    assert again == module
    assert again.to_ptx() == printed


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_every_instruction_is_in_the_table(source: Source) -> None:
    module = weft.parse(source.ptx())
    opcodes = {instruction.opcode for function in module.functions for instruction in function.instructions()}
    assert [opcode.text for opcode in opcodes if opcode.problem] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_verifier_accepts(source: Source) -> None:
    """ptxas accepts all of these, so the verifier must; it may warn of modifiers in an unusual order."""
    found = weft.verify(weft.parse(source.ptx()))
    assert [item.render() for item in found if item.severity is weft.Severity.ERROR] == []


@pytest.mark.sample(2)
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_requirements_admit_where_it_is_for(source: Source) -> None:
    module = weft.parse(source.ptx())
    needs = weft.requires(module)
    assert needs.unknown == ()
    assert needs.targets[module.target] <= Version.parse(module.version)


@pytest.mark.slow
@pytest.mark.parametrize("source", OTHER_TARGETS, ids=str)
def test_other_targets(source: Source, ptxas: Tool) -> None:
    test_same_machine_code(source, ptxas)
    test_printing_is_canonical(source)
    test_verifier_accepts(source)
    test_requirements_admit_where_it_is_for(source)
