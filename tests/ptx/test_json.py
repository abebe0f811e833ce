"""Modules as JSON: they come back equal, the schema holds, and what is wrong is said with its path."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings

import weft
from tests.conftest import ROOT
from tests.corpus.sources import SOURCES, Source
from tests.effort import draws
from tests.ptx.constructs import everything, module
from tests.ptx.test_fuzz import modules
from weft.ptx import parse
from weft.ptx.ast import Module
from weft.ptx.lexical import quote
from weft.ptx.operands import Integer
from weft.ptx.tree_kinds import FIELDS
from weft.ptx.tree_schema import schema

SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "ptx.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
TEXTS = {name: text for name, text in everything().items() if "deeply" not in name}
SMALL = module(
    ".global .align 4 .b8 v[3] = {1, 2, 0x3};\n.entry k(.param .u64 p) { .reg .b32 %r<3>; @!%q add.s32 %r1, %r2, 7; }\n"
    ".section .debug_str { .b8 1, 2 l: .b32 l-m }"
)


def test_the_schema_is_the_one_that_is_published() -> None:
    assert schema() == SCHEMA, "write docs/ptx.schema.json anew from weft.ptx.tree_schema.schema()"
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", TEXTS)
def test_constructs_come_back(name: str) -> None:
    parsed = parse(TEXTS[name])
    for indent in (False, True):
        text = parsed.to_json(indent=indent)
        VALIDATOR.validate(json.loads(text))
        again = weft.from_json(text)
        assert again == parsed
        assert again.to_ptx() == parsed.to_ptx()
        assert again.to_json(indent=indent) == text


@pytest.mark.sample(1)
@pytest.mark.parametrize("source", SOURCES, ids=str)
def test_the_corpus_comes_back(source: Source) -> None:
    parsed = parse(source.ptx())
    assert weft.from_json(parsed.to_json()) == parsed


@settings(max_examples=draws(8, 40), deadline=None)
@given(modules)
def test_drawn_modules_come_back(drawn: Module) -> None:
    text = drawn.to_json()
    VALIDATOR.validate(json.loads(text))
    again = weft.from_json(text)
    assert again == drawn
    assert again.to_ptx() == drawn.to_ptx()


def test_modules_from_bytes_are_written_alike() -> None:
    parsed = parse(SMALL)
    assert weft.from_bytes(parsed.to_bytes()).to_json() == parsed.to_json()


def test_it_is_compact_and_readable() -> None:
    lines = parse(SMALL).to_json(indent=True).splitlines()
    assert lines[1] == (
        '{"kind":"variable","space":"global","type":"b8","name":"v","align":4,"dims":[3],"initializer":{"kind":"list",'
        '"elements":[1,2,{"kind":"integer","value":3,"text":"0x3"}]}},'
    )
    assert lines[3] == (
        '{"kind":"instruction","opcode":"add.s32","operands":[{"kind":"register","name":"%r1"},{"kind":"register",'
        '"name":"%r2"},{"kind":"integer","value":7}],"guard":{"kind":"guard","register":{"kind":"register",'
        '"name":"%q"},"negated":true}}]},'
    )


def test_every_kind_is_drawn() -> None:
    rare = (
        ".version 1.4\n.target sm_10\n@@DWARF .byte 0x1\n",
        module('.global .samplerref s = {filter_mode = nearest}; .global .u8 b[1] = {0xFF(s)}; .file 1 "a.cu", 2, 3'),
        module(".entry k() { .loc 1 2 3, function_name f+4, inlined_at 1 2 3 ret; } .section .s { .b64 a-b }"),
    )
    seen = {kind for t in (*TEXTS.values(), *rare) for kind in re.findall(r'"kind":"(\w+)"', parse(t).to_json())}
    assert FIELDS.keys() - seen == set()


def broken(change: tuple[str, str]) -> str:
    text = parse(SMALL).to_json()
    assert change[0] in text
    return text.replace(*change, 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"schema":1', '"schema":2'), "unknown schema 2"),
        (('"opcode":"add.s32"', '"opcode":5'), r"items\[1\].body\[1\].opcode: expected a text, found 5"),
        (('"opcode"', '"opcodes"'), "unknown field 'opcodes'"),
        (
            ('"kind":"integer","value":7', '"kind":"label","name":"x"'),
            r"operands\[2\]: kind 'label' is not allowed here",
        ),
        (('"dims":[3]', '"dims":["3"]'), r"dims\[0\]: expected an integer, found '3'"),
        (('"align":4', '"align":true'), "align: expected an integer, found True"),
        (('"text":"0x3"', '"text":"0x4"'), "does not spell"),
        (('"text":"0x3"', '"text":"3;"'), "does not spell"),
        (('"version":"8', '"version":"x'), "must be written like 8.0"),
        (('"elements":[1', '"elements":["1"'), r"elements\[0\]: expected an object, found '1'"),
        (('"name":"v",', ""), "a variable needs 'name'"),
        (('{"kind":"module"', '[{"kind":"module"'), "not JSON"),
    ],
)
def test_mistakes_have_a_path(change: tuple[str, str], message: str) -> None:
    with pytest.raises(weft.JsonError, match=message):
        weft.from_json(broken(change))


@pytest.mark.parametrize("text", ["", "5", "[]", "{}", "null", "[" * 100_000, '{"kind":"module"}', "\ud800", b"\xff"])
def test_what_is_no_module_is_refused(text: str | bytes) -> None:
    with pytest.raises(weft.JsonError):
        weft.from_json(text)


def test_deep_nesting_is_refused_and_numbers_have_a_budget() -> None:
    deep = parse(module(".entry k() {" + "{" * 300 + "}" * 300 + "}"))
    with pytest.raises(weft.JsonError, match="too deeply"):
        deep.to_json()
    long = parse(module(".entry k() { mov.b32 %r1, 5; }"))
    move = next(long.kernels[0].instructions())
    move.operands = (move.operands[0], Integer((1 << 20_000) - 1, f"0x{'F' * 5000}"))
    assert weft.from_json(long.to_json()) == long


@pytest.mark.parametrize("length", [1, 37, 38, 39, 40])
def test_values_are_shown_whole_up_to_40_characters(length: int) -> None:
    """Longer ones end in dots, and are as long."""
    data = json.loads(parse(SMALL).to_json()) | {"items": "a" * length}
    shown = repr("a" * length)
    wanted = shown if len(shown) <= 40 else f"{shown[:37]}..."
    with pytest.raises(weft.WeftError) as caught:
        weft.from_json(json.dumps(data))
    assert f"expected a list, found {wanted}" in str(caught.value)


@pytest.mark.parametrize("value", [(1 << 128) - 1, 1 << 128, 1 - (1 << 128), -(1 << 128)])
def test_integers_of_up_to_128_bits(value: int) -> None:
    """What is larger is neither read nor written as a number."""
    text = parse(SMALL).to_json()
    assert '"kind":"integer","value":7' in text
    given = text.replace('"kind":"integer","value":7', f'"kind":"integer","value":{value}')
    if abs(value) < 1 << 128:
        again = weft.from_json(given)
        assert [x.value for i in again.functions[0].instructions() for x in i.operands if isinstance(x, Integer)] == [
            value
        ]
        assert f'"value":{value}' in again.to_json()
    else:
        with pytest.raises(weft.WeftError, match="more than 128 bits"):
            weft.from_json(given)


@pytest.mark.parametrize(("length", "shown"), [(39, 39), (40, 40), (41, 37), (200, 37)])
def test_tokens_are_shown_whole_up_to_40_characters(length: int, shown: int) -> None:
    dots = "" if shown == length else "..."
    assert quote("a" * length) == f"'{'a' * shown}{dots}'"
