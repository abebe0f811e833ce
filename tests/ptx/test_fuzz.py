"""Whatever the bytes, the parser answers with a module or a PtxSyntaxError; a module survives its printing."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import draws
from tests.ptx.constructs import HEADER, everything
from weft.errors import PtxSyntaxError
from weft.isa import decode
from weft.ptx import format_text, parse
from weft.ptx.ast import (
    Block,
    Function,
    Guard,
    Instruction,
    Label,
    Module,
    Parameter,
    RegisterDeclaration,
    Variable,
)
from weft.ptx.directive_nodes import Loc, Pragma, SourceLocation
from weft.ptx.operands import Address, Arguments, Float, Integer, Negated, Pair, Register, Sink, Symbol, Vector
from weft.ptx.values import AddressByte, GenericAddress, ValueList

SEEDS = list(everything().values())
TOKEN = re.compile(r'[%\w$.:]+|\s+|"[^"]*"|.', re.DOTALL)
FRAGMENTS = [
    *"{}()[];,|-+!~@<>?:\\_%\0\f\r",
    *(
        '"',
        "/*",
        "*/",
        "//",
        '#line 1 "x"',
        "0x",
        "0f",
        ".reg ",
        ".b32 ",
        ".entry ",
        ".func ",
        ".section .x {",
        ".loc 1",
    ),
    *(
        "é",
        "\ufeff",
        "\ud800",
        "1e999",
        "9" * 100,
        "::",
        "generic(",
        "(.s64)",
        "WARP_SZ",
        " . ",
        ".align",
        "= {",
        "<5>",
    ),
    *(".branchtargets", ".callprototype", '.pragma "', ".ptr", "1/0", "1<<99", "((", "{{", "&&", "\n\n", ".v4"),
]


def mutated(text: str, chance: random.Random) -> str:
    """A text with one random change: cut, flipped characters, or a token moved, dropped, doubled or replaced."""
    kind = chance.randrange(7)
    if kind == 0:
        return text[: chance.randrange(len(text) + 1)]
    if kind == 1:
        characters = list(text)
        for _ in range(chance.randrange(1, 6)):
            code = chance.choice((chance.randrange(128), chance.randrange(256), chance.randrange(0x110000)))
            characters[chance.randrange(len(characters))] = chr(code)
        return "".join(characters)
    if kind == 2:
        start = chance.randrange(len(text))
        return text[:start] + text[start + chance.randrange(1, 80) :]
    tokens = TOKEN.findall(text)
    here, there = chance.randrange(len(tokens)), chance.randrange(len(tokens))
    if kind == 3:
        tokens[here], tokens[there] = tokens[there], tokens[here]
    elif kind == 4:
        tokens[here] = chance.choice(FRAGMENTS)
    elif kind == 5:
        tokens.insert(here, chance.choice((tokens[there], chance.choice(FRAGMENTS))))
    else:
        other = TOKEN.findall(chance.choice(SEEDS))
        start = chance.randrange(len(other))
        tokens[here:here] = other[start : start + chance.randrange(1, 40)]
    return "".join(tokens)


def check(text: str) -> None:
    """Parse; when that works, the printed and the formatted text must give the same module."""
    try:
        module = parse(text)
    except PtxSyntaxError as error:
        assert error.position.line >= 1
        assert str(error)
        return
    printed = module.to_ptx()
    assert parse(printed) == module
    assert parse(printed).to_ptx() == printed
    formatted = format_text(text)
    assert format_text(formatted) == formatted
    assert parse(formatted) == module


def run(seed: int, count: int) -> None:
    chance = random.Random(seed)
    for _ in range(count):
        text = chance.choice(SEEDS)
        for _ in range(chance.choice((1, 1, 1, 2, 3))):
            text = mutated(text, chance) or " "
        check(text)


def test_mutations() -> None:
    run(7, 1000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_many_mutations(seed: int) -> None:
    run(seed, 15_000)


@pytest.mark.sample(1)
@pytest.mark.parametrize("text", SEEDS[::9])
def test_truncation_at_every_character(text: str) -> None:
    for end in range(min(len(text), 1500)):
        check(text[:end])


@settings(max_examples=draws(25, 80), deadline=None)
@given(st.text(max_size=200))
def test_any_text_after_a_header(text: str) -> None:
    check(HEADER + text)
    check(HEADER + ".entry k() {" + text + "}")


@settings(max_examples=draws(20, 60), deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    try:
        parse(HEADER.encode() + data)
    except PtxSyntaxError as error:
        assert error.position.line >= 4


names = st.from_regex(r"[A-Za-z][A-Za-z0-9_$]{0,8}", fullmatch=True).filter(lambda name: name != "WARP_SZ")
registers = st.from_regex(r"%[a-z]{1,2}[0-9]{1,3}", fullmatch=True).map(Register)
integers = st.integers(-(2**63), 2**64 - 1).map(Integer)
floats = st.floats(width=32).map(Float.f32) | st.floats().map(Float.f64)
symbols = st.builds(Symbol, names, st.integers(-4096, 4096))
scalars = registers | integers | floats
vectors = st.lists(scalars | st.just(Sink()), min_size=1, max_size=8).map(lambda e: Vector(tuple(e)))
addresses = st.builds(
    Address, registers | symbols | st.integers(0, 99).map(Integer), st.just(0), st.lists(vectors, max_size=1).map(tuple)
) | st.builds(Address, registers, st.integers(-(2**31), 2**31))
arguments = st.lists(registers | names.map(Symbol), max_size=4).map(lambda e: Arguments(tuple(e)))
operands = st.one_of(
    scalars, symbols, vectors, addresses, arguments, registers.map(Negated), st.builds(Pair, registers, registers)
)
opcodes = st.sampled_from(
    [
        "add.s32",
        "mov.b64",
        "ld.global.v4.b32",
        "st.shared.u8",
        "setp.eq.s32",
        "call.uni",
        "bra",
        "ret",
        "no.such::thing",
    ]
).map(decode)
instructions = st.builds(
    Instruction,
    opcodes,
    st.lists(operands, max_size=5).map(tuple),
    st.none() | st.builds(Guard, registers, st.booleans()),
)
types = st.sampled_from(("b8", "u16", "b32", "f64", "b128"))
dims = st.lists(st.integers(1, 9), max_size=3).map(tuple)
local_variables = st.builds(
    Variable,
    st.sampled_from(("shared", "local", "param")),
    types,
    names,
    st.sampled_from((0, 4, 16)),
    st.just(""),
    dims,
)
declarations = st.builds(
    RegisterDeclaration,
    types,
    st.lists(st.tuples(st.just("%q"), st.integers(0, 9)), min_size=1, max_size=3).map(tuple),
    st.sampled_from(("", "v2", "v4")),
)
statements = st.recursive(
    instructions
    | names.map(Label)
    | declarations
    | local_variables
    | st.just(Loc(SourceLocation(1, 2, 3)))
    | st.just(Pragma(("nounroll",))),
    lambda inner: st.lists(inner, max_size=4).map(Block),
    max_leaves=12,
)
parameters = st.builds(Parameter, types, names, st.sampled_from((0, 8)), dims)
functions = st.builds(
    Function,
    names,
    st.booleans(),
    st.lists(parameters, max_size=3),
    linkage=st.sampled_from(("", "visible", "weak")),
    body=st.none() | st.lists(statements, max_size=8),
)
addresses = st.builds(Symbol, names, st.integers(-9, 9)) | st.builds(
    GenericAddress, st.builds(Symbol, names, st.integers(0, 9))
)
values = st.recursive(
    st.integers(0, 300).map(Integer) | addresses | st.builds(AddressByte, st.just(Integer(255, "0xFF")), addresses),
    lambda inner: st.lists(inner, max_size=4).map(ValueList),
    max_leaves=8,
)
global_variables = st.builds(
    Variable,
    st.sampled_from(("global", "const")),
    types,
    names,
    initializer=st.none() | values,
    linkage=st.sampled_from(("", "extern", "common")),
)
modules = st.builds(
    Module,
    st.tuples(st.integers(1, 9), st.integers(0, 9)),
    st.just(("sm_90a",)),
    st.sampled_from((None, 32, 64)),
    st.lists(functions | global_variables, max_size=4),
)


@pytest.mark.slow
@settings(max_examples=draws(25, 80), deadline=None)
@given(modules)
def test_generated_modules_survive_their_text(module: Module) -> None:
    text = module.to_ptx()
    again = parse(text)
    assert again == module
    assert again.to_ptx() == text
    assert format_text(text) == text
