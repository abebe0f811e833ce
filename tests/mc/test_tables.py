"""Print tables: current, small, fast to load, and printing the same bytes as the AST printer."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest

import weft
from tests.corpus.sources import SOURCES, Source
from tests.isa.statements import all_stems, legal_statements
from tests.mc.support import ptx
from tests.ptx.constructs import everything
from weft.errors import IsaError
from weft.isa import decode, families
from weft.isa.registry import compiled_forms
from weft.mc.asm_printer import AsmPrinter
from weft.mc.cipher import KEYS, PERIOD, xor3
from weft.mc.entries import OFFSET_MASK, PRELUDE, TAIL_SHIFT, Item
from weft.mc.instruction import UNLISTED, MachineInstruction, Texts, encode, form_of, opcode_number, operand_of
from weft.mc.register_names import NAMES, print_reg_name
from weft.mc.tables import get_mnemonic, load
from weft.ptx.ast import Module
from weft.ptx.signature import fits

ALL = everything()


def print_alike(module: Module) -> None:
    """That the tables print each instruction as the tree does, and that its records are its operands."""
    texts = Texts()
    printer = AsmPrinter(texts)
    for function in module.functions:
        for instruction in function.instructions():
            machine = encode(instruction, texts)
            assert printer.line(machine) == str(instruction)
            operands = machine.operands[len(machine.operands) - len(instruction.operands) :]
            assert [str(operand_of(records, texts)) for records in operands] == [*map(str, instruction.operands)]


def test_loading_takes_no_declarations() -> None:
    load()
    check = (
        "import sys; from weft.mc.tables import load, get_mnemonic; load(); get_mnemonic(5000); "
        "sys.exit(any(m.startswith('weft.isa') for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0


@pytest.mark.parametrize("name", ALL)
def test_constructs_print_alike(name: str) -> None:
    print_alike(weft.parse(ALL[name]))


@pytest.mark.sample(1)
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_what_compilers_write_prints_alike(source: Source) -> None:
    module = weft.parse(source.ptx())
    print_alike(module)
    for function in module.functions:
        for instruction in function.instructions():
            assert opcode_number(instruction.opcode, instruction.operands)[0] >= PRELUDE


def test_a_long_module_prints_alike() -> None:
    print_alike(weft.parse(ptx(3000)))


@pytest.mark.sample(9)
@pytest.mark.parametrize("stem", all_stems())
def test_statements_of_the_table_print_alike(stem: str) -> None:
    statements = list(legal_statements(stem, 12, random.Random(stem)))
    lines = "\n".join(statement.text for statement in statements)
    module = weft.parse(f".version 8.8\n.target sm_100a\n.entry k() {{\n{lines}\nL1: ret;\n}}")
    print_alike(module)
    texts = Texts()
    for instruction in module.kernels[0].instructions():
        number = encode(instruction, texts).opcode
        assert number >= PRELUDE, instruction
        variants = instruction.opcode.variants
        if any(fits(variant, instruction.operands) for variant in variants):  # Else the operands are leniently written.
            form = form_of(number)
            taken = next(variant for variant in variants if variant.compiled is form)
            assert fits(taken, instruction.operands), instruction


def test_there_are_no_opcodes_outside_of_the_table() -> None:
    for number in (-1, len(load().opcodes)):
        with pytest.raises(IsaError, match="unknown opcode"):
            get_mnemonic(number)


def test_what_the_tables_do_not_list() -> None:
    module = weft.parse(".version 8.0\n.target sm_80\n.entry k() { frobnicate.x %r1, %r2; @!%p1 add.u99 a; ret; }")
    print_alike(module)
    first = next(module.kernels[0].instructions())
    assert encode(first, Texts()).opcode == UNLISTED


@pytest.mark.slow
def test_every_opcode_prints_its_own_text() -> None:
    """Each opcode's mnemonic and flags give a spelling that decodes to the form that the opcode came from."""
    tables, seen = load(), set[str]()
    printer = AsmPrinter(Texts())
    for stem, index, first, count, _, _, modifiers, label, _ in tables.forms.tolist():
        form = compiled_forms(tables.chunk(stem))[index]
        if modifiers:
            continue
        for opcode in range(first, first + count):
            text = printer.line(MachineInstruction(opcode, ())).rstrip(" ,;")
            slots = form.match(text[len(form.family.stem) :])
            assert slots is not None
            assert form.spell(slots) == text
            assert int(tables.opcodes["jump"][opcode]) >> 16 == label
            seen.add(text)
    assert len(seen) > 10_000
    assert all(decode(text).valid for text in random.Random(0).sample(sorted(seen), 500))


class TestLayout:
    """The figures of the notes that hold for any such tables."""

    def test_the_prelude_is_empty(self) -> None:
        opcodes = load().opcodes
        assert PRELUDE == 293
        assert not np.frombuffer(opcodes[:PRELUDE].tobytes(), np.uint8).any()
        assert all(get_mnemonic(opcode) is None for opcode in range(PRELUDE))
        assert all(get_mnemonic(opcode) for opcode in range(PRELUDE, len(opcodes)))

    def test_offsets_are_biased_and_fit_17_bits(self) -> None:
        tables = load()
        offsets = tables.opcodes["offset"][PRELUDE:]
        assert OFFSET_MASK == 131_071
        assert int((offsets & OFFSET_MASK).min()) >= 1
        assert len(tables.pool) < OFFSET_MASK
        assert set((offsets >> TAIL_SHIFT).tolist()) == {3}
        stems = {get_mnemonic(opcode) for opcode in range(PRELUDE, len(tables.opcodes))}
        assert {"add", "mma.sync.aligned", "ret", "ldmatrix.sync.aligned"} <= stems

    def test_every_chunk_stands_once(self) -> None:
        pool = load().pool
        assert pool.endswith(b"\0")
        chunks = pool[:-1].split(b"\0")
        assert len(chunks) == len(set(chunks))

    def test_every_slot_of_a_body_is_written_once(self) -> None:
        """No helper prints into another's slot: its bits, or its operand, are its own."""
        for body in load().items[1:]:
            taken: set[object] = set()
            for kind, a, b, _ in body:
                slots = set(range(a, a + b)) if kind == Item.FLAG_MODIFIER else {("operand", a)}
                if kind in (Item.FLAG_MODIFIER, Item.MODIFIER, Item.OPERAND, Item.OPTIONAL):
                    assert not slots & taken
                    taken |= slots

    def test_forms_share_bodies(self) -> None:
        tables = load()
        forms = sum(len(family.forms) for family in families().values())
        assert len(tables.forms) == forms
        assert len(tables.items) - 1 < forms
        labels = {tables.chunk(row[0]): row[7] for row in tables.forms.tolist()}
        assert labels["and"] == labels["or"] == labels["xor"]


class TestCipher:
    def test_key_schedule(self) -> None:
        assert list(KEYS[:4]) == [0, 3, 6, 9]
        assert KEYS[85:88] == bytes([255, 2, 5])
        assert sorted(KEYS) == list(range(256))
        assert PERIOD == 256

    @pytest.mark.parametrize("length", [0, 1, 255, 256, 257, 1000])
    def test_it_is_its_own_inverse(self, length: int) -> None:
        data = random.Random(length).randbytes(length)
        assert xor3(xor3(data)) == data
        assert xor3(data) == bytes(byte ^ 3 * i & 0xFF for i, byte in enumerate(data))

    def test_a_dump_shows_no_mnemonic(self) -> None:
        assert b"mma" not in xor3(load().pool)


class TestRegisterNames:
    def test_90_names_in_586_bytes(self) -> None:
        assert len(NAMES) == len(set(NAMES)) == 90
        assert sum(len(name) + 1 for name in NAMES) == 586

    def test_classes(self) -> None:
        names = [print_reg_name(number << 28 | 7) for number in range(1, 8)]
        assert names == ["%p7", "%rs7", "%r7", "%rd7", "%rq7", "%f7", "%fd7"]
        assert print_reg_name(1) == "%p0"
        assert print_reg_name(90) == "%Depot"
        assert print_reg_name(0xFFFFFFF | 3 << 28) == "%r268435455"

    @pytest.mark.parametrize("register", [0, 91, 8 << 28, 15 << 28, 1 << 40, -1])
    def test_no_register(self, register: int) -> None:
        with pytest.raises(IsaError):
            print_reg_name(register)
