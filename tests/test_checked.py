"""Arguments that are held to annotations: what each kind takes, how a wrong one is told, and what functions get."""

# pyright: basic, reportArgumentType=false, reportCallIssue=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import ml_dtypes
import numpy as np
import pytest

from weft.checked import ArgumentError, checked

if TYPE_CHECKING:
    from nowhere import Elsewhere  # type: ignore[import-not-found]  # pyright: ignore


NAMED = (Callable, Iterable, Mapping, Sequence)
"""What annotations below name in texts."""


class Near:
    pass


class Nearer(Near):
    pass


def function(annotation: str) -> Callable[..., Any]:
    """A function of one argument, which it gives back, with this annotation."""

    def f(value: Any) -> Any:
        return value

    f.__annotations__["value"] = annotation
    return checked(f)


class Index:
    def __index__(self) -> int:
        return 5


class Row:
    def __init__(self, *items: object) -> None:
        self.items = items

    def __len__(self) -> int:
        return len(self.items)

    def __getitem__(self, at: int) -> object:
        return self.items[at]


NUMBERS: list[Any] = [0, -1, True, np.int8(3), np.uint64(3), np.bool_(True), Index()]
FLOATS: list[Any] = [1.5, float("nan"), np.float32(2), ml_dtypes.bfloat16(2), 10**400]
TEXTS: list[Any] = ["", "x", np.str_("x")]
OTHERS: list[Any] = [b"x", object(), 1j, int, ..., {"a": 1}, {1}]


@pytest.mark.parametrize(
    ("annotation", "right", "wrong", "words"),
    [
        ("Any", [1, None, "x", object()], [], ""),
        ("object", [1, None, "x"], [], ""),
        ("None", [None], [0, False, ""], "None"),
        ("bool", [True, 0, 5, np.bool_(False)], [None, "x", 1.5, Index(), np.int8(1)], "True or False"),
        ("int", [0, 10**30, True, np.int8(-3), np.uint64(3), Index(), np.array(3)], [None, *FLOATS[:3], *TEXTS, *OTHERS, [1]], "an integer"),
        ("float", [*NUMBERS, *FLOATS], [None, *TEXTS, b"1", bytearray(b"1"), np.zeros(1), np.array(1.0), 1j, [1.0], object()], "a number"),
        ("str", TEXTS, [None, 1, *OTHERS, ["x"]], "a string"),
        ("int | None", [None, 3, np.int64(3)], ["x", 1.5, [3]], "an integer or None"),
        ("int | str | None", [None, 3, "x"], [1.5, b"x"], "an integer or a string or None"),
        ("Sequence[int]", [[], [1, np.int8(2)], (1,), range(3), np.arange(3), Row(1, 2)], [1, None, "12", b"12", {1: 2}, {1}, iter([1]), [1, "x"], [None], Row(1, "x"), np.zeros((1, 1), int), np.array(3), np.zeros(2)], "a sequence of integers"),
        ("tuple[str, ...]", [[], ("a", "b"), ["a"]], ["a", ("a", 1), 5], "a sequence of strings"),
        ("list[float | None]", [[1.5, None, 2]], [["x"], 1.5], "a sequence of numbers or None"),
        ("Sequence[Any]", [[1, "x"], np.zeros(3)], [1, "x", iter([])], "a sequence"),
        ("Iterable[int]", [[1], iter(["x"]), {1, 2}, (n for n in "ab"), np.zeros((2,), int)], [1, "12", {1: 2}, [1, "x"], {"x"}, np.array(3)], "a sequence of integers"),
        ("Iterable[str]", [["a"], "abc", {"a"}], [1, b"a", ["a", 1], {"a": 1}], "a sequence of strings"),
        ("Iterable[Any]", [[1], {1}, iter([])], [1, "x", {}], "a sequence"),
        ("Sequence[bool]", [[True, 0]], [["x"]], "a sequence of True or False"),
        ("Callable[[int], int]", [len, int, lambda: 0], [1, None, "x"], "a function"),
        ("Callable", [len], [1], "a function"),
        ("Near", [Near(), Nearer()], [Near, 1, None], "a Near"),
        ("Mapping[str, int]", [{}, {1: "x"}], [[], 1], "a Mapping"),
        ("Elsewhere", [type("Elsewhere", (), {})(), type("Sub", (type("Elsewhere", (), {}),), {})()], [type("Elsewheres", (), {})(), 1, None], "a Elsewhere"),
        ("Sequence[Near]", [[Near()], []], [[Near], Near()], "a sequence of Nears"),
        ("np.ndarray[Any, Any]", [np.zeros(3)], [[0], 1], "a ndarray"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_kinds_of_arguments(annotation: str, right: list[Any], wrong: list[Any], words: str) -> None:
    call = function(annotation)
    for value in right:
        call(value)
        call(value=value)
    for value in wrong:
        for given in ({"args": (value,)}, {"kwargs": {"value": value}}):
            with pytest.raises(ArgumentError) as caught:
                call(*given.get("args", ()), **given.get("kwargs", {}))  # type: ignore[arg-type]
            assert isinstance(caught.value, TypeError) and caught.value.hint == f"it takes {words}", value
            told = "None" if value is None else f"of type {type(value).__name__}"
            assert caught.value.message.startswith("function.<locals>.f: value is ") and told in caught.value.message


def test_integers_of_numpy_become_python_s() -> None:
    """Where integers are taken, by position or name; not arrays, and nothing else."""
    for annotation, widened in (
        ("int", True),
        ("int | None", True),
        ("int | str", True),
        ("float", False),
        ("Any", False),
    ):
        call = function(annotation)
        for found in (call(np.uint8(200)), call(value=np.uint8(200))):
            assert type(found) is (int if widened else np.uint8) and found == 200
    array = np.array(3)
    assert function("int")(array) is array and type(function("int")(Index())) is Index

    @checked
    def several(a: int, b: float, c: int = 1, *, d: int = 2, e: Any = None) -> list[object]:
        return [a, b, c, d, e]

    one = np.int8(1)
    found = several(one, one, d=one, e=one)
    assert [type(value) for value in found] == [int, np.int8, int, int, np.int8]
    assert [type(value) for value in several(1, one, one)] == [int, np.int8, int, int, type(None)]
    assert several(one, c=one, b=one) == [1, 1, 1, 2, None]


def test_iterators_are_not_used_up() -> None:
    taken = function("Iterable[int]")(iter([1, 2]))
    assert list(taken) == [1, 2]


def test_arguments_that_there_are_not() -> None:
    @checked
    def shut(first: int, *, second: int = 0) -> int:
        return first + second

    with pytest.raises(
        ArgumentError, match="test_arguments_that_there_are_not.<locals>.shut has no argument 'secnd'"
    ) as caught:
        shut(1, secnd=2)  # type: ignore[call-arg]
    assert caught.value.hint == "did you mean second?"
    with pytest.raises(TypeError):
        shut()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        shut(1, 2)  # type: ignore[misc]

    @checked
    def open_(first: int, **options: int) -> dict[str, int]:
        return options

    assert open_(1, other="x") == {"other": "x"}  # type: ignore[arg-type]
    with pytest.raises(ArgumentError):
        open_("x")  # type: ignore[arg-type]


def test_words_that_there_are_are_the_function_s_own_to_say() -> None:
    @checked
    def chosen(mode: Literal["a", "b"], other: Literal["c"] | int = 5) -> object:
        return mode

    assert chosen("z") == "z" and chosen(5) == 5  # type: ignore[arg-type]
    assert chosen("a", "z") == "a"  # type: ignore[arg-type]
    with pytest.raises(ArgumentError):
        chosen("a", 1.5)  # type: ignore[arg-type]


class Made:
    """Something with a size."""

    @checked
    def __init__(self, size: int) -> None:
        self.size = size

    @checked
    def grow(self, by: int, plain=0) -> int:  # type: ignore[no-untyped-def]
        """How large."""
        return self.size + by + plain


def test_methods() -> None:
    """A constructor is called by the name of its class; what has no annotation takes anything."""
    made = Made(3)
    assert made.grow(2, 1.5) == 6.5 and made.grow.__doc__ == "How large." and made.grow.__name__ == "grow"
    with pytest.raises(ArgumentError, match="Made: size is 'x', of type str"):
        Made("x")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="Made.grow: by is None"):
        made.grow(None)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"by is \[0, 1, 2, 3, 4, 5, \.\.\.\], of type list"):
        made.grow(list(range(100)))  # type: ignore[arg-type]


def test_names_for_types_only() -> None:
    def f(value: Elsewhere, rest: Iterator[int] | None = None) -> None: ...

    call = checked(f)
    with pytest.raises(ArgumentError) as caught:
        call(5)
    assert caught.value.hint == "it takes a Elsewhere"
    with pytest.raises(ArgumentError) as caught:
        call(type("Elsewhere", (), {})(), 5)  # type: ignore[arg-type]
    assert caught.value.hint == "it takes a Iterator or None"
