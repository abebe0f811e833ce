"""Modules as bytes: nothing is lost, the result behaves as a parsed module does, and loading makes no bodies."""

from __future__ import annotations

import copy
import mmap
import pickle
from pathlib import Path

import pytest

import weft
from tests.corpus.sources import SOURCES, Source
from tests.mc.support import ptx
from tests.ptx.constructs import everything
from weft.errors import BytesError
from weft.isa import decode
from weft.ptx.ast import Block, Function, Instruction, Module, Section, Statement
from weft.ptx.operands import Address, Float, Integer, Negated, Operand, Register, Symbol, Vector
from weft.ptx.sleeping import SleepingSection

ALL = everything()


def positions(module: Module) -> list[tuple[int, ...]]:
    """Every position in a module, which equality leaves out."""
    found: list[tuple[int, ...]] = []
    for item in module.items:
        found.append((item.pos, getattr(item, "opening", 0), getattr(item, "end", 0)))
        if isinstance(item, Function):
            found += [(parameter.pos,) for parameter in (*item.parameters, *item.returns)]
            found += [(directive.pos,) for directive in item.directives]
            found += [(s.pos, s.end if isinstance(s, Block) else 0) for s in item.walk()]
    return found


def values(module: Module) -> list[str]:
    """The literals' values, which equality leaves out."""
    return [
        repr(operand)
        for function in module.functions
        for instruction in function.instructions()
        for operand in instruction.operands
    ]


def check(text: str) -> None:
    module = weft.parse(text, filename="some.ptx")
    data = module.to_bytes()
    loaded = weft.from_bytes(data)
    assert loaded == module
    assert weft.from_bytes(data).to_ptx() == module.to_ptx()
    assert (loaded.banner, loaded.filename, loaded.source) == (module.banner, module.filename, module.source)
    assert positions(loaded) == positions(module)
    assert values(loaded) == values(module)
    assert loaded.to_bytes() == data


@pytest.mark.sample(11)
@pytest.mark.parametrize("name", ALL)
def test_every_construct(name: str) -> None:
    check(ALL[name])


@pytest.mark.slow
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_what_compilers_write(source: Source) -> None:
    check(source.ptx())


def test_diagnostics_are_those_of_the_text() -> None:
    text = ALL["statement: block comments"].replace("ret;", "add.f33 %r1, %r2;\nret;")
    module = weft.parse(text)
    found = weft.verify(weft.from_bytes(module.to_bytes()))
    assert found
    assert found == weft.verify(module)


def test_without_the_source_it_is_smaller() -> None:
    module = weft.parse(ptx(2000))
    bare = module.to_bytes(source=False)
    assert len(bare) < len(module.to_bytes())
    loaded = weft.from_bytes(bare)
    assert loaded.source is None
    assert loaded == module


def test_half_the_text_at_most() -> None:
    text = ptx(20_000)
    assert len(weft.parse(text).to_bytes()) * 2 <= len(text)


class TestUnreadFunctions:
    """Bodies are made on first use, and nothing shows it."""

    @staticmethod
    def load() -> tuple[Function, Function]:
        module = weft.parse(ALL["statement: block comments"])
        return weft.from_bytes(module.to_bytes()).kernels[0], module.kernels[0]

    def test_loading_makes_no_body(self) -> None:
        function, _ = self.load()
        assert function.unread is not None
        assert function.name
        assert function.defined
        assert function.unread is not None
        assert function.body
        assert function.unread is None
        assert function.body is function.body

    def test_equality_both_ways(self) -> None:
        function, parsed = self.load()
        assert parsed == function
        assert function == parsed
        function, parsed = self.load()
        assert function == parsed
        assert self.load()[0] == self.load()[0]
        assert self.load()[0] != Function("other", kernel=True)

    def test_copies(self) -> None:
        for duplicate in (copy.copy, copy.deepcopy, lambda f: pickle.loads(pickle.dumps(f))):
            function, parsed = self.load()
            copied = duplicate(function)
            assert copied == parsed
            assert copied.unread is None
        assert repr(self.load()[0]) == repr(self.load()[1])

    def test_the_body_can_be_replaced(self) -> None:
        function, parsed = self.load()
        function.body = None
        assert function.unread is None
        assert function.body is None
        assert function != parsed


def test_lines_of_debug_sections_are_made_on_first_use() -> None:
    text = next(text for name, text in ALL.items() if ".section .debug_str" in text)
    parsed = [item for item in weft.parse(text).items if isinstance(item, Section)]

    def load() -> list[Section]:
        return [item for item in weft.from_bytes(weft.parse(text).to_bytes()).items if isinstance(item, Section)]

    assert {type(section) for section in load()} == {SleepingSection}
    assert load() == parsed
    assert parsed == load()
    assert [section.lines for section in load()] == [section.lines for section in parsed]
    assert [repr(copy.deepcopy(section)) for section in load()] == [repr(section) for section in parsed]
    section = load()[0]
    assert section.name == parsed[0].name
    assert type(section) is SleepingSection
    assert section.lines is section.lines
    assert type(section) is Section


def built(*statements: Statement) -> Module:
    return Module((8, 0), ("sm_80",), items=[Function("k", kernel=True, body=list(statements))])


def moved(operand: Operand) -> Module:
    return built(Instruction(decode("mov.b32"), (Register("%r1"), operand)))


@pytest.mark.parametrize(
    "operand",
    [
        Integer(-(1 << 63)),
        Integer(1 << 64),
        Integer(31, "0x1F"),
        Float(0.1),
        Float(float("nan"), "0f7FC00000"),
        Float(1.5, "1.5"),
        Float(float("inf"), "1e999"),
        Register("%r99999999999"),
        Register("%r007"),
        Register("%tid.x"),
        Register(""),
        Symbol("a", -4),
        Address(Symbol("a", 4), 4),
        Vector(()),
    ],
    ids=repr,
)
def test_operands_of_generated_modules(operand: Operand) -> None:
    module = moved(operand)
    loaded = weft.from_bytes(module.to_bytes())
    assert loaded == module
    assert values(loaded) == values(module)


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (moved(Symbol("a\0b")), "NUL"),
        (moved(Symbol("a", 1 << 64)), "64 bits"),
        (moved(Negated(Negated(Register("%p1")))), "cannot hold"),
        (moved(Vector((Register("%r1"),) * 70_000)), "too long"),
    ],
    ids=["NUL", "offset", "nesting", "length"],
)
def test_what_no_parser_makes_is_refused(module: Module, message: str) -> None:
    with pytest.raises(BytesError, match=message):
        module.to_bytes()


def test_scopes_nested_deeper_than_the_stack() -> None:
    text = ".version 8.0\n.target sm_80\n.entry k() {" + "{" * 1500 + "ret;" + "}" * 1500 + "}"
    module = weft.parse(text)
    assert weft.from_bytes(module.to_bytes()).to_ptx() == module.to_ptx()


def test_memory_maps(tmp_path: Path) -> None:
    module = weft.parse(ptx(500))
    path = tmp_path / "k.weft"
    path.write_bytes(module.to_bytes())
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        loaded = weft.from_bytes(data)
        assert loaded == module
        del loaded


def test_changing_a_buffer_changes_nothing() -> None:
    module = weft.parse(ptx(500))
    data = bytearray(module.to_bytes())
    loaded = weft.from_bytes(data)
    data[:] = bytes(len(data))
    assert loaded == module


EDGES = sorted({sign * ((1 << bits) + step) for bits in (31, 32, 63, 64) for step in (-1, 0, 1) for sign in (1, -1)})


@pytest.mark.parametrize("names", ["a", "a b", "b a", "c a b", "zz a0 a00 zz0"])
def test_numbers_at_edges_and_registers_with_names(names: str) -> None:
    """Every number survives where one fits, and every register, wherever its name stands among the texts."""
    registers = names.split()
    lines = [f"mov.b64 {registers[n % len(registers)]}, {edge};" for n, edge in enumerate(EDGES)]
    lines += [f"mov.b64 {left}, {right};" for left in registers for right in registers]
    text = f".entry k() {{ .reg .b64 {', '.join(registers)}; {' '.join(lines)} ret; }}"
    check(f".version 8.0\n.target sm_80\n.address_size 64\n{text}\n")
