"""Templates as PTX: what each escape and operand becomes, and where each character comes from."""

from __future__ import annotations

import random

import pytest

from weft.lint.statements import Statement, Unjudged, Unreadable
from weft.lint.template import Mapped, decoded, expanded, referred, unescaped
from weft.lint.tokens import tokens
from weft.lsp.inline import statement_at


def test_places_of_characters() -> None:
    """Of a part as long as its source each character has its own place, of another part the whole."""
    rng = random.Random(5)
    for _ in range(60):
        made, places, text = Mapped(), list[tuple[int, int]](), ""
        for _ in range(rng.randint(0, 5)):
            part, source = "abcdefgh"[: rng.randint(0, 4)], rng.randint(0, 99)
            taken = rng.choice((-1, -1, len(part), rng.randint(0, 6)))
            made.add(part, source, taken)
            if taken in (-1, len(part)):
                places += [(source + n, source + n + 1) for n in range(len(part))]
            else:
                places += [(source, source + taken)] * len(part)
            text += part
        assert (made.text, made.length) == (text, len(text))
        assert [(made.source(n), made.source_end(n + 1)) for n in range(len(text))] == places
        for start in range(len(text) + 1):
            for end in range(start, len(text) + 1):
                pieces = made.slice(start, end)
                assert "".join(part for part, _, _ in pieces) == text[start:end]
                again = Mapped()
                for piece in pieces:
                    again.add(*piece)
                if len({*places[start:end]}) == end - start:
                    assert [(again.source(n), again.source_end(n + 1)) for n in range(end - start)] == places[start:end]
    assert (Mapped().source(3), Mapped().source_end(3), Mapped().text) == (0, 0, "")
    one = Mapped()
    one.add("ab", 7)
    assert (one.source(0), one.source_end(0), one.source(2), one.source_end(9)) == (7, 7, 7, 16)


def text_of(template: str, **macros: str) -> str:
    return decoded(tuple(tokens(template, 0)), {name: tuple(tokens(value, 0)) for name, value in macros.items()}).text


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ('"a" "b"\n"c"', "abc"),
        ('"\\n\\t\\r\\v\\f\\a\\b\\\\\\"\\\'\\?\\q"', "\n\t\r\v\f\a\b\\\"'?q"),
        ('"\\x41\\x4a;\\101\\7\\0418\\u00e4\\U0001F600"', "AJ;A\x07!8\u00e4\U0001f600"),
        ('"a\\\nb\\\r\nc"', "abc"),
        ('"\\x41414141414"', "\U0010ffff"),
        ('R"(a\\n"b)"', 'a\\n"b'),
        ('R"xy(a)" b)xy" "c"', 'a)" bc'),
        ('u8"a" "b"', "ab"),
        ("X Y", "onetwothree"),
        ('"a" X', "aone"),
    ],
)
def test_strings(template: str, text: str) -> None:
    assert text_of(template, X='"one"', Y='"two" "th\\162ee"') == text


@pytest.mark.parametrize(
    ("template", "what"),
    [("X", "'X'"), ('"a" Y("b")', "'Y'"), ("#a", "a macro parameter"), ('"a" 3', "'3'"), ("Y (1)", "'Y'")],
)
def test_what_is_no_string(template: str, what: str) -> None:
    with pytest.raises(Unjudged, match=f"^the template contains {what}, which is not a string$"):
        text_of(template, Y='"y"')


def test_places_of_escapes() -> None:
    made = decoded(tuple(tokens(' "a\\x41z" M R"f(c)f"', 0)), {"M": tuple(tokens('"xyz"', 0))})
    assert made.text == "aAzxyzc"
    ends = [(made.source(n), made.source_end(n + 1)) for n in range(made.length)]
    assert ends == [(2, 3), (3, 7), (7, 8), (10, 11), (10, 11), (10, 11), (16, 17)]


def statement_of(template: str, operands: str) -> tuple[Statement, Mapped]:
    text = f'asm("{template}" {operands});'
    found = statement_at(text, 0)
    assert isinstance(found, Statement)
    return found, decoded(found.template, {})


def ptx(template: str, operands: str = ': "=r"(a) : "r"(b), "n"(3)', constants: frozenset[int] = frozenset([2])) -> str:
    return expanded(*statement_of(template, operands), constants).text


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("mov %0, %1;", "mov %0, %1;"),
        ("%%tid %%%0 100%%", "%tid %%0 100%"),
        ("L%=: %=", "L0: 0"),
        ("% x", "x"),
        ("%;a %", "a "),
        ("%tid.x %laneid", "%tid.x %laneid"),
        ("%2", "%2"),
        ("mov %0, %2;", "mov %0, %2;"),
        ("%2+1", "0+1"),
        ("1 + %2", "1 + 0"),
        ("a%2", "a0"),
        ("(%2)", "(0)"),
        ("%2 - 1 %2*3 %2 % 4", "0 - 1 0*3 0 4"),
        ("%2.x %2u", "0.x 0u"),
        ("[%1+%2]", "[%1+0]"),
        ("%1+1", "%1+1"),
        ("-%2", "-0"),
        ("%2, %2", "%2, %2"),
        ("%2?1:2 %2<3 %2^1 %2|1 %2&1 %2>1 %2/1", "0?1:2 0<3 0^1 0|1 0&1 0>1 0/1"),
    ],
)
def test_operands(template: str, text: str) -> None:
    """As nvcc writes them: a lone percent sign vanishes with what is behind it, a constant in an expression is a number."""
    assert ptx(template) == text


def test_statements_without_operands_stay() -> None:
    for operands in ("", ": :", ': : : "memory"'):
        assert ptx("%%a %= % %0", operands) == "%%a %= % %0"


@pytest.mark.parametrize(
    ("template", "message", "start", "length"),
    [
        ("mov %3;", "unknown operand %3: operands are %0 to %2", 9, 2),
        ("mov %12;", "unknown operand %12: operands are %0 to %2", 9, 3),
        ("mov %[b];", "nvcc supports operands by number only, not '%[b]'", 9, 4),
        ("mov %w1;", "'%w1' is not an operand: write '%%w1' for a literal percent sign", 9, 3),
    ],
)
def test_operands_that_there_are_not(template: str, message: str, start: int, length: int) -> None:
    with pytest.raises(Unreadable) as caught:
        ptx(template)
    assert (caught.value.message, caught.value.start, caught.value.length) == (message, start, length)
    with pytest.raises(Unreadable) as caught:
        ptx("%1", ': "=r"(a)')
    assert caught.value.message == "unknown operand %1: the only operand is %0"


def test_operands_whose_text_is_not_known() -> None:
    for template, operands in (
        ("%0", ': : "C"(a)'),
        ("0f%2", ': "=r"(a) : "r"(b), "n"(3)'),
        ("a, 0D%2", ': "=r"(a) : "r"(b), "n"(3)'),
    ):
        with pytest.raises(Unjudged, match="operand %"):
            ptx(template, operands)
    assert ptx("10f%2") == "10f0" and ptx("0x%2") == "0x0"


def lone(template: str, operands: str) -> list[str]:
    found, made = statement_of(template, operands)
    said = list(unescaped(found, made))
    source = f'asm("{template}" {operands});'
    assert all(source[start:end] == text for start, end, text in said)
    return [text for _, _, text in said]


def test_percent_signs() -> None:
    """With operands those that are none, without any those that are escaped; not in comments."""
    assert lone("%0 %% % a %; %tid %= /* % b */ // % c", ': "=r"(a)') == ["% ", "%;", "%tid"]
    assert lone("100 %", ': "=r"(a)') == ["%"]
    assert lone("%tid %%tid %= % a /* %% */ // %=", "") == ["%%", "%="]
    assert lone("mov %0; %0 // %\\n % b", ': "=r"(a)') == ["% "]


def test_numbers_that_are_referred_to() -> None:
    assert referred("%0 %12, %%3 %[x] %w4 %= %1") == {0, 12, 1} and referred("") == set()
