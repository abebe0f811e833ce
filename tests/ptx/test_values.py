"""What numbers in texts are worth, alone and in lists; and which bodies are equal."""

from __future__ import annotations

import itertools
import struct

import pytest

import weft
from tests.ptx.constructs import everything, module
from weft import ptx
from weft.errors import PtxSyntaxError
from weft.ptx import Float, Integer, Register, ValueList, parse

INTEGERS = {
    "0": 0, "7": 7, "-7": -7, "0x1F": 31, "0X1f": 31, "-0x1F": -31, "017": 15, "-017": -15, "0b101": 5, "0B11": 3,
    "-0b11": -3, "5U": 5, "0x1FU": 31, "017U": 15, "0b1U": 1, "WARP_SZ": 32, "-WARP_SZ": -32,
    "9223372036854775808": 1 << 63, "18446744073709551615": (1 << 64) - 1, "0xFFFFFFFFFFFFFFFF": (1 << 64) - 1,
    "73786976294838206463": (1 << 66) - 1,
}  # fmt: skip
FLOATS = {
    "1.5": 1.5, "-1.5": -1.5, ".5": 0.5, "1.": 1.0, "-2.5E-3": -0.0025, "1e5": 1e5, "0.0": 0.0, "0e-400": 0.0, "0.0e-400": 0.0, "00.0": 0.0,
    "0f3F800000": 1.0, "0F3f800000": 1.0, "0f7F800000": float("inf"), "0d3FF8000000000000": 1.5,
    "0D3FF8000000000000": 1.5, "1.7e308": 1.7e308, "2.3e-308": 2.3e-308,
}  # fmt: skip
BEYOND = ["1e309", "1e400", "-1e309", "1e-400", "2.2e-308", "0.1e-400", "00.10e-330"]


def operand(text: str) -> ptx.Operand:
    parsed = parse(module(f".entry k() {{ .reg .f64 a; mov.f64 a, {text}; }}"))
    return next(parsed.kernels[0].instructions()).operands[1]


def values(text: str, type_: str = "f64") -> ptx.Value | None:
    return parse(module(f".global .{type_} g[] = {{{text}}};")).variables[0].initializer


@pytest.mark.parametrize("text", [*INTEGERS, *FLOATS])
def test_numbers_have_their_value_wherever_they_stand(text: str) -> None:
    kind, value = (Integer, INTEGERS[text]) if text in INTEGERS else (Float, FLOATS[text])
    listed = values(f"{text}, {text}"), values(f" {text} , 1"), values(f"{{{text}}}, {{1}}")
    assert all(isinstance(one, ValueList) for one in listed)
    first, second, nested = (one[0] for one in listed if isinstance(one, ValueList))
    assert isinstance(nested, ValueList)
    for found in (operand(text), values(text), first, second, nested[0]):
        one = found[0] if isinstance(found, ValueList) else found
        assert isinstance(one, kind) and (one.value, str(one)) == (value, text)


@pytest.mark.parametrize("text", BEYOND)
def test_numbers_beyond_what_is_read(text: str) -> None:
    """ptxas reads doubles that are finite and normal, or zero; in lists and alone alike."""
    for around in (f".entry k() {{ .reg .f64 a; mov.f64 a, {text}; }}", f".global .f64 g = {text};"):
        with pytest.raises(PtxSyntaxError):
            parse(module(around), whole=True)
    for around in (f"{text}, 1", f"1, {text}", f"{{{text}}}", f" {text}"):
        with pytest.raises(PtxSyntaxError):
            values(around)


def test_bits_of_floats() -> None:
    for value in (0.0, 1.0, -2.5, 65504.0, 2.0**-126, float("inf")):
        assert str(Float.f32(value)) == f"0f{struct.unpack('<I', struct.pack('<f', value))[0]:08X}"
        assert str(Float.f64(value)) == f"0d{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        assert Float.f32(value).value == Float.f64(value).value == value


BODIES = [
    "",
    "ret;",
    "exit;",
    "ret; ret;",
    "{ }",
    "{ ret; }",
    "{ exit; }",
    "{ } ret;",
    "{ { } }",
    "{ { ret; } }",
    "{ } { }",
]


def test_scopes_are_equal_where_their_statements_are() -> None:
    for one, other in itertools.product(BODIES, repeat=2):
        first, second = (parse(module(f".entry k() {{ {{ {body} }} }}")) for body in (one, other))
        assert (first == second) == (one == other), (one, other)
        assert (first.kernels[0].body == second.kernels[0].body) == (one == other), (one, other)


def test_every_construct_comes_back_from_everywhere() -> None:
    """From its text, from JSON, from bytes and from a copy, equal and printed alike."""
    for name, text in everything().items():
        parsed = parse(text)
        printed = parsed.to_ptx()
        ways = [parse(printed), weft.from_bytes(parsed.to_bytes())]
        ways += [weft.from_json(parsed.to_json())] if "deeply" not in name else []
        for again in ways:
            assert again == parsed, name
            assert again.to_ptx() == printed, name


def test_data_of_sections_is_a_list() -> None:
    text = module(".section .debug_str { l: .b8 1, -2 .b32 l-m .b64 l+4 }")
    (section,), (again,) = parse(text).sections, parse(text).sections
    assert section.items == again.items == list(again.items)
    assert section.items != list(again.items)[1:]
    assert [str(item) for item in section.items[1:3]] == [".b8 1, -2", ".b32 l-m"]
    assert str(section.items[0]) == "l:" and section.items[-1] == again.items[3] and len(section.items) == 4
    assert section.items != 5 and repr(section.items) == "<4 items of debug data>"


@pytest.mark.parametrize(
    ("names", "start", "fresh"),
    [
        ((), "x", "x"), (("x",), "x", "x_1"), (("x", "x_1"), "x", "x_2"), (("x_1",), "x", "x"), (("x", "x_2"), "x", "x_1"),
        (("x", "x_1", "x_2", "x_3"), "x", "x_4"),
    ],
)  # fmt: skip
def test_names_that_nothing_has(names: tuple[str, ...], start: str, fresh: str) -> None:
    parsed = parse(module("".join(f".global .b32 {name};" for name in names)))
    assert ptx.fresh_name(parsed, start) == fresh
    assert ptx.fresh_name(parse(module("")), start, taken=names) == fresh
    assert Register(fresh).name == fresh
