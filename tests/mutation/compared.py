"""What the compared sources call in place of operators: each marks the changes that would have given another value.

A mark is a byte that is set. Where all processes of a run share those of one file, nothing is taken back, so that they need no
lock.
"""

from __future__ import annotations

import mmap
import operator
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.mutation.probes import probes

MARKS = "WEFT_MUTATION_MARKS"
"""The variable with the file of the marks, where nobody asks which test made which: else they are among the probes."""
NONE = -1
"""In place of the number of a change that cannot be made."""
DEEPEST = 4096
"""What is shifted by more, or multiplied, is not computed again: it differs."""


def _shared() -> mmap.mmap | bytearray:
    if MARKS not in os.environ:
        return probes
    with Path(os.environ[MARKS]).open("r+b") as file:
        return mmap.mmap(file.fileno(), 0)


marks = _shared()
_Binary = Callable[[Any, Any], Any]


def _differ(one: object, function: _Binary, left: object, right: object) -> bool:
    """Whether a function gives something else; what is neither a truth nor a number is taken to differ."""
    if type(one) not in (bool, int, float):
        return True
    try:
        return type(one) is not type(other := function(left, right)) or one != other
    except Exception:  # Whoever evaluates the change would notice.
        return True


def _comparing(function: _Binary, changed: _Binary) -> Callable[[Any, Any, int, int, int], Any]:
    def compared(left: Any, right: Any, number: int, of_left: int, of_right: int) -> Any:
        value = function(left, right)
        if number >= 0 and not marks[number] and _differ(value, changed, left, right):
            marks[number] = 1
        if of_left >= 0 and not marks[of_left] and _differ(value, function, _next(left), right):
            marks[of_left] = 1
        if of_right >= 0 and not marks[of_right] and _differ(value, function, left, _next(right)):
            marks[of_right] = 1
        return value

    return compared


def _next(constant: Any) -> Any:
    """What a constant is changed to."""
    if isinstance(constant, bool):
        return not constant
    if isinstance(constant, int):
        return constant + 1
    return constant * 2 + 1 if isinstance(constant, float) else constant + "x"


def _calculating(function: _Binary, changed: _Binary) -> Callable[[Any, Any, int, int, int], Any]:
    """As with comparisons, of small numbers; all other operands are told apart by both."""
    compared = _comparing(function, changed)

    def calculated(left: Any, right: Any, number: int, of_left: int, of_right: int) -> Any:
        if type(left) in (int, float, bool) and type(right) in (int, float, bool) and abs(right) < DEEPEST:
            return compared(left, right, number, of_left, of_right)
        for each in (number, of_left, of_right):
            if each >= 0:
                marks[each] = 1
        return function(left, right)

    return calculated


def _contains(left: Any, right: Any) -> bool:
    return left in right


COMPARISONS = {
    "Lt": _comparing(operator.lt, operator.le),
    "LtE": _comparing(operator.le, operator.lt),
    "Gt": _comparing(operator.gt, operator.ge),
    "GtE": _comparing(operator.ge, operator.gt),
    "Eq": _comparing(operator.eq, operator.ne),
    "NotEq": _comparing(operator.ne, operator.eq),
}
"""What is called for an operator whose operands may be changed."""
CALCULATIONS = {
    "Add": _calculating(operator.add, operator.sub),
    "Sub": _calculating(operator.sub, operator.add),
    "Mult": _calculating(operator.mul, operator.add),
    "FloorDiv": _calculating(operator.floordiv, operator.mul),
    "Mod": _calculating(operator.mod, operator.floordiv),
    "LShift": _calculating(operator.lshift, operator.rshift),
    "RShift": _calculating(operator.rshift, operator.lshift),
    "BitAnd": _calculating(operator.and_, operator.or_),
    "BitOr": _calculating(operator.or_, operator.and_),
}


def chained(values: list[Any], operators: list[str], numbers: list[int], constants: list[int]) -> bool:
    """`a <= b < c`, whose operators and constants may be changed."""
    functions = [_PLAIN[name] for name in operators]
    value = _all(functions, values)
    for place, number in enumerate(numbers):
        if number >= 0 and not marks[number]:
            other = [*functions[:place], _PLAIN[_OTHER[operators[place]]], *functions[place + 1 :]]
            marks[number] = _all(other, values) != value
    for place, number in enumerate(constants):
        if number >= 0 and not marks[number]:
            marks[number] = _all(functions, [*values[:place], _next(values[place]), *values[place + 1 :]]) != value
    return value


def _all(functions: list[_Binary], values: list[Any]) -> bool:
    return all(function(left, right) for function, left, right in zip(functions, values, values[1:], strict=False))


_PLAIN: dict[str, _Binary] = {
    "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt, "GtE": operator.ge, "Eq": operator.eq, "NotEq": operator.ne,
}  # fmt: skip
_OTHER = {"Lt": "LtE", "LtE": "Lt", "Gt": "GtE", "GtE": "Gt", "Eq": "NotEq", "NotEq": "Eq"}


def _is_true(value: Any, *, otherwise: bool) -> bool:
    """The truth of a value that has one: an array has none, nor what a kernel will compute."""
    try:
        return bool(value)
    except Exception:
        return otherwise


def every(value: Any, number: int) -> Any:
    """What `and` gave: `or` gives another truth where something is false."""
    if not _is_true(value, otherwise=False):
        marks[number] = 1
    return value


def some(value: Any, number: int) -> Any:
    """What `or` gave: `and` gives another truth where something is true."""
    if _is_true(value, otherwise=True):
        marks[number] = 1
    return value


def member(value: Any, *constants: tuple[int, object]) -> Any:
    """What is looked for among constants: to change one makes a difference to what is equal to it."""
    for number, constant in constants:
        if not marks[number] and value == constant and isinstance(value, bool) is isinstance(constant, bool):
            marks[number] = 1
    return value


def added(value: Any, number: int) -> Any:
    """What a variable is changed by: nothing makes no difference."""
    if type(value) is not int or value:
        marks[number] = 1
    return value


def ran(value: Any, *numbers: int) -> Any:
    """What stands in a branch that was chosen."""
    if not marks[numbers[0]]:
        for number in numbers:
            marks[number] = 1
    return value
