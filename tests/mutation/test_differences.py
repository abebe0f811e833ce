"""Which changes of a function its calls tell apart."""

from __future__ import annotations

import ast
import importlib.util

import pytest

from tests.mutation import compared
from tests.mutation.comparing import Compared

CODE = """
def clamp(value, low, high):
    if value < low:
        return low
    return high if value > high else value

def scaled(value, kind):
    if kind in ("half", "whole") and value:
        value += 1
    match kind:
        case "half":
            value = value // 2
        case "none" | "zero":
            value = 0
    return value % 8 if 0 <= value < 9 else -value

def never(value):
    return value << 3
"""


@pytest.fixture
def marks(monkeypatch: pytest.MonkeyPatch) -> bytearray:
    """Those of a module of its own: weft marks changes of itself when this test is run so."""
    spec = importlib.util.spec_from_file_location("compared", compared.__file__)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    marks = bytearray(200)
    vars(module)["marks"] = marks
    monkeypatch.setattr("tests.mutation.compared", module)
    return marks


def _left(calls: str, marks: bytearray) -> list[tuple[int, str]]:
    """The changes of the functions that calls of them don't tell apart."""
    one = Compared(ast.parse(CODE))
    text = one.text(range(len(one.told)))
    exec(text + "\n" + calls, {})
    return sorted((each.line, each.what) for each, mark in zip(one.told, marks, strict=False) if not mark)


def test_what_does_not_run_makes_no_difference(marks: bytearray) -> None:
    assert _left("clamp(1, 0, 2)", marks)[-2:] == [(18, "3 -> 4"), (18, "LShift -> RShift")]


@pytest.mark.parametrize(
    ("calls", "left"),
    [
        ("clamp(1, 0, 2), clamp(3, 0, 2)", [(3, "Lt -> LtE"), (5, "Gt -> GtE")]),
        ("clamp(0, 0, 2), clamp(3, 0, 2)", [(5, "Gt -> GtE")]),
        ("clamp(0, 0, 2), clamp(2, 0, 2)", []),
    ],
)
def test_a_bound_is_told_apart_by_what_meets_it(calls: str, left: list[tuple[int, str]], marks: bytearray) -> None:
    assert [each for each in _left(calls, marks) if each[0] < 7] == left


@pytest.mark.parametrize(
    ("calls", "left"),
    [
        (
            "scaled(4, 'half')",
            {
                "And -> Or",
                "'whole' -> 'wholex'",
                "'none' -> 'nonex'",
                "'zero' -> 'zerox'",
                "0 -> 1",
                "8 -> 9",
                "9 -> 10",
                "Lt -> LtE",
                "LtE -> Lt",
            },
        ),
        (
            "scaled(4, 'half'), scaled(0, 'whole'), scaled(3, 'zero'), scaled(8, 'other'), scaled(9, 'other'), scaled(16, 'other')",
            {"'none' -> 'nonex'"},
        ),
    ],
)
def test_members_patterns_and_branches(calls: str, left: set[str], marks: bytearray) -> None:
    assert {what for line, what in _left(calls, marks) if 7 <= line < 17} == left


@pytest.mark.usefixtures("marks")
def test_what_a_function_gives_stays() -> None:
    calls = "".join(f"scaled({value}, {kind!r}), " for value in range(-3, 12) for kind in ("half", "zero", "other"))
    text = Compared(ast.parse(CODE)).text(range(200))
    plain: dict[str, object] = {}
    rewritten: dict[str, object] = {}
    exec(f"{CODE}\nvalue = [{calls}]", plain)
    exec(f"{text}\nvalue = [{calls}]", rewritten)
    assert plain["value"] == rewritten["value"]
