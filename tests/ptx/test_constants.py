"""Constant expressions drawn at random have the values that ptxas writes for them; the table below is as it answered."""

from __future__ import annotations

import struct
from random import Random

import pytest

import weft
from weft.errors import PtxSyntaxError
from weft.ptx.constants import evaluate
from weft.ptx.operands import Expression
from weft.toolchain import Tool

LEAVES = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "31",
    "32",
    "63",
    "64",
    "65",
    "100",
    "017",
    "0b1011",
    "WARP_SZ",
    "1U",
    "5U",
    "0xFFFFFFFF",
    "0x80000000",
    "0xFFFFFFFFU",
    "4294967295",
    "4294967296",
    "12345678901",
    "0x7FFFFFFFFFFFFFFF",
    "0x8000000000000000",
    "0xFFFFFFFFFFFFFFFF",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
]
OPERATORS = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"]
MARK = 0x1122334455667788


def drawn(rng: Random, depth: int) -> str:
    """An expression; parentheses stand around half of its parts."""
    kind = rng.random()
    if not depth or kind < 0.15:
        return rng.choice(LEAVES)
    first, second = (part(rng, depth) for _ in range(2))
    if kind < 0.25:
        return f"{rng.choice('~!-+')}({first})"
    if kind < 0.35:
        return f"({rng.choice(('.s64', '.u64'))})({first})"
    if kind < 0.42:
        return f"({first}) ? ({second}) : ({part(rng, depth)})"
    return f"{first} {rng.choice(OPERATORS)} {second}"


def part(rng: Random, depth: int) -> str:
    inner = drawn(rng, depth - 1)
    return f"({inner})" if rng.random() < 0.5 else inner


def defined(text: str) -> bool:
    """Whether an expression has a value: it divides by no zero."""
    try:
        evaluate(text)
    except PtxSyntaxError as error:
        assert "divides by zero" in str(error)
        return False
    return "/" not in text or "9223372036854775807" not in text  # The least integer by -1 ends ptxas.


def by_ptxas(expressions: list[str]) -> list[int]:
    """The words that ptxas writes for expressions."""
    values = ",\n".join([*expressions, hex(MARK)])
    head = ".version 8.0\n.target sm_80\n.address_size 64\n"
    text = (
        f"{head}.visible .global .u64 g[{len(expressions) + 1}] = {{\n{values}\n}};\n.visible .entry k() {{ ret; }}\n"
    )
    image = weft.assemble(weft.parse(text)).data
    end = image.find(struct.pack("<Q", MARK))
    return list(struct.unpack(f"<{len(expressions)}Q", image[end - 8 * len(expressions) : end]))


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(3))
def test_drawn(ptxas: Tool, seed: int) -> None:
    rng = Random(seed)
    expressions = [text for text in (drawn(rng, rng.randint(1, 4)) for _ in range(400)) if defined(text)]
    assert len(expressions) > 300
    for text, word in zip(expressions, by_ptxas(expressions), strict=True):
        value = evaluate(text)
        assert isinstance(value, int)
        assert value & 0xFFFF_FFFF_FFFF_FFFF == word, text
        tight = text.replace(" ", "") if "%" not in text else text
        assert evaluate(str(Expression(tight).tree)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0xFFFFFFFFFFFFFFFF / 2", 0x7FFF_FFFF_FFFF_FFFF),
        ("(1U - 2) / 2", 0x7FFF_FFFF_FFFF_FFFF),
        ("-5 / 2U", 0x7FFF_FFFF_FFFF_FFFD),
        ("~0 >> 1", 0x7FFF_FFFF_FFFF_FFFF),
        ("-8 >> 65", -4),
        ("1 << 64", 1),
        ("-1 < 0U", 0),
        ("(0 ? 1U : -1) < 0", 1),
        ("(1 << 1U) - 3 < 0", 1),
        ("(1U == 1U) - 2 < 0", 1),
        ("7 % 3", 1),
        ("-7 % 3", 0),
        ("WARP_SZ % 5 * 2", 4),
    ],
)
def test_signs(text: str, value: int) -> None:
    assert evaluate(text) == value


def test_a_remainder_is_printed_apart() -> None:
    """`7%3` would be a number and a register."""
    text = ".version 8.0\n.target sm_80\n.address_size 64\n\n.global .b32 a = 7% 3;\n"
    assert "7% 3" in str(weft.parse(text))
    assert weft.parse(str(weft.parse(text))) == weft.parse(text)
    with pytest.raises(PtxSyntaxError):
        weft.parse(text.replace("% ", "%"))
