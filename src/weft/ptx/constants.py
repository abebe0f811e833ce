"""Constant expressions and literals: PTX manual, section "Constants" and "Constant Expressions".

Expressions are read and evaluated with explicit stacks, so that depth costs no recursion.  Integers are .s64 or .u64:
a literal is .u64 where it says so or does not fit .s64, and an operator's operands are both .u64 where one is, as the
manual's table of evaluation rules has it (ptxas cuts the result to the instruction's type).
"""

from __future__ import annotations

import re
import struct
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, TypeVar

from weft.ptx.lexical import DOT, NUM, OP, Cursor
from weft.ptx.literals import Float, Integer

Number = int | float
T = TypeVar("T")

_CASTS = frozenset({".s64", ".u64"})
_UNARY = frozenset("+-!~")
_TERNARY = 1
_BINARY: dict[str, int] = {
    "||": 2, "&&": 3, "|": 4, "^": 5, "&": 6, "==": 7, "!=": 7,
    "<": 8, "<=": 8, ">": 8, ">=": 8, "<<": 9, ">>": 9, "+": 10, "-": 10, "*": 11, "/": 11, "%": 11,
}  # fmt: skip
_PREFIX = 12

WARP_SIZE = 32
"""Value of the predefined constant WARP_SZ on every target so far."""


_SMALL = 5  # characters that no literal beyond the range has less of
_LONGEST = 80
_NOT_ZERO = re.compile(r"[0.]*+[1-9]", re.ASCII)


def integer_value(text: str) -> int:
    """The value of an integer literal: decimal, `0x`, `0b`, or octal with a leading 0; `U` may follow."""
    digits = text.rstrip("U")
    if len(digits) > 1 and digits[0] == "0":
        if digits[1] in "xX":
            return int(digits, 16)
        return int(digits, 2) if digits[1] in "bB" else int(digits, 8)
    return int(digits[-80:])  # 10**80 is a multiple of 2**80: only digits that cannot reach the low 64 bits go


def float_value(text: str) -> float:
    """The value of a floating-point literal: `0f` and `0d` bit patterns or decimal."""
    kind = text[1:2]
    if kind in ("f", "F") and text[0] == "0":
        value: float = struct.unpack(">f", bytes.fromhex(text[2:]))[0]
        return value
    if kind in ("d", "D") and text[0] == "0":
        return float(struct.unpack(">d", bytes.fromhex(text[2:]))[0])
    return float(text)


def is_float(text: str) -> bool:
    """Whether a number's text is a floating-point literal."""
    head = text[:2]
    if head in ("0x", "0X", "0b", "0B"):
        return False
    return head.lower() in ("0f", "0d") or "." in text or "e" in text or "E" in text


def literal(text: str, sign: str = "") -> Integer | Float:
    """The operand of a number's text with an optional sign; `WARP_SZ` counts as a number."""
    if text == "WARP_SZ":
        return Integer(-WARP_SIZE if sign == "-" else WARP_SIZE, sign + text)
    if is_float(text):
        return Float(-float_value(text) if sign == "-" else float_value(text), sign + text)
    return Integer(-integer_value(text) if sign == "-" else integer_value(text), sign + text)


def overflows(text: str) -> bool:
    """Whether a literal is beyond what ptxas reads: integers from 2**66 on, doubles that are infinite or subnormal."""
    if len(text) < _SMALL:
        return False
    if not is_float(text):
        return text != "WARP_SZ" and (len(text) > _LONGEST or integer_value(text) >> 66 > 0)
    if text[:1] == "0" and text[1:2] in "fFdD":
        return False
    value = float(text)
    return _NOT_ZERO.match(text) is not None and not sys.float_info.min <= value < float("inf")


def starts_constant(cursor: Cursor) -> bool:
    """Whether a constant expression can start at the cursor."""
    return cursor.kind == NUM or cursor.token in ("+", "-", "!", "~", "(", "WARP_SZ")


_MASK = (1 << 64) - 1


class Unsigned(int):
    """A .u64 constant, from 0 to 2**64 - 1; other integers are .s64."""


def _wrap(value: Number, *, unsigned: bool = False) -> Number:
    """An integer cut to 64 bits, also to keep hostile shifts and products small."""
    if isinstance(value, float):
        return value
    value &= _MASK
    if unsigned:
        return Unsigned(value)
    return value - (1 << 64) if value >> 63 else value


def _divide(a: Number, b: Number) -> Number:
    if not b:
        raise ZeroDivisionError
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_TRUTHS = frozenset({"||", "&&", "==", "!=", "<", "<=", ">", ">="})
"""Operators whose results are .s64, 0 or 1."""
_OF_INTEGERS = frozenset({"||", "&&", "|", "^", "&", "<<", ">>", "%"})

_APPLY: dict[str, Callable[[Number, Number], Number]] = {
    "||": lambda a, b: int(bool(a) or bool(b)),
    "&&": lambda a, b: int(bool(a) and bool(b)),
    "|": lambda a, b: int(a) | int(b),
    "^": lambda a, b: int(a) ^ int(b),
    "&": lambda a, b: int(a) & int(b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
    "<<": lambda a, b: int(a) << (int(b) & 63),  # By as many bits as the low six say, as ptxas's processor shifts.
    ">>": lambda a, b: int(a) >> (int(b) & 63),
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divide,
    "%": lambda a, b: int(a) % int(b),
}


def _combined(left: Number, operator: str, right: Number) -> Number:
    """The value of a binary operator: PTX manual, "Summary of Constant Expression Evaluation Rules".

    Where one operand is .u64, both are; shifts have the type of what is shifted, and remainders are .u64.
    """
    unsigned = isinstance(left, Unsigned) or isinstance(right, Unsigned) or operator == "%"
    if operator in ("<<", ">>"):
        unsigned = isinstance(left, Unsigned)
    elif unsigned:
        left, right = (_wrap(value, unsigned=True) for value in (left, right))
    return _wrap(_APPLY[operator](left, right), unsigned=unsigned and operator not in _TRUTHS)


class ConstantReader(ABC, Generic[T]):
    """An operator-precedence reader with explicit value and operator stacks; what values are, derived classes say."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.values: list[T] = []
        self.operators: list[str] = []
        self.tokens: list[str] = []

    @abstractmethod
    def leaf(self, text: str) -> T:
        """The value of a literal."""

    @abstractmethod
    def grouped(self, inner: T) -> T:
        """The value of `(inner)`."""

    @abstractmethod
    def conditional(self, condition: T, then: T, otherwise: T) -> T:
        """The value of `condition ? then : otherwise`."""

    @abstractmethod
    def unary(self, operator: str, operand: T) -> T:
        """The value of a prefix operator."""

    @abstractmethod
    def cast(self, type_: str, operand: T) -> T:
        """The value of `(type_)operand`."""

    @abstractmethod
    def binary(self, left: T, operator: str, right: T) -> T:
        """The value of a binary operator."""

    def read(self) -> T:
        """Read one expression at the cursor."""
        self._operand()
        while self._continue():
            pass
        self._reduce(0)
        if self.operators:
            self.cursor.fail("':'" if self.operators[-1] == "?" else "')'", "unclosed parenthesis")
        return self.values[-1]

    def _take(self) -> str:
        token = self.cursor.token
        self.tokens.append("% " if token == "%" else token)  # Without a blank, a name of a register would begin here.
        return self.cursor.advance()

    def _operand(self) -> None:
        """Prefix operators, casts and opening parentheses, then a number."""
        cursor = self.cursor
        while True:
            if cursor.kind == NUM or cursor.token == "WARP_SZ":
                if cursor.token[:2].lower() == "0f" and self.tokens[-1:] in (["-"], ["+"]):
                    cursor.fail(
                        "a number without a sign", "set the highest bit of a hexadecimal float for a negative number"
                    )
                if overflows(cursor.token):
                    raise cursor.error("the constant overflows", cursor.start, found=cursor.token, expected="a number")
                self.values.append(self.leaf(self._take()))
                return
            if cursor.kind == OP and cursor.token in _UNARY:
                self.operators.append("u" + self._take())
            elif cursor.token == "(":
                self._take()
                if cursor.kind == DOT and cursor.token in _CASTS:
                    self.operators.append("c" + self._take())
                    self.tokens.append(")")
                    cursor.expect(")")
                else:
                    self.operators.append("(")
            else:
                cursor.fail("a constant")

    def _continue(self) -> bool:
        """What may follow an operand: a closing parenthesis, a binary operator, `?` or `:`."""
        token = self.cursor.token
        if self.cursor.kind != OP:
            return False
        if token in _BINARY:
            self._reduce(_BINARY[token])
            self.operators.append(self._take())
            self._operand()
            return True
        if token == "?":
            self._reduce(_TERNARY + 1)
            self.operators.append(self._take())
            self._operand()
            return True
        if token not in (")", ":"):
            return False
        self._reduce(0)
        if not self.operators or self.operators[-1] != ("(" if token == ")" else "?"):
            return False
        self._take()
        if token == ")":
            self.operators.pop()
            self.values[-1] = self.grouped(self.values[-1])
        else:
            self.operators[-1] = ":"
            self._operand()
        return True

    def _reduce(self, precedence: int) -> None:
        """Apply the operators on the stack that bind at least as tightly as `precedence`."""
        operators = self.operators
        while operators and operators[-1] not in ("(", "?"):
            operator = operators[-1]
            binds = _PREFIX if operator[0] in "uc" else _BINARY.get(operator, _TERNARY)
            if binds < precedence:
                return
            operators.pop()
            self._apply(operator)

    def _apply(self, operator: str) -> None:
        values = self.values
        last = values.pop()
        if operator == ":":
            then = values.pop()
            values[-1] = self.conditional(values[-1], then, last)
        elif operator[0] == "u":
            values.append(self.unary(operator[1], last))
        elif operator[0] == "c":
            values.append(self.cast(operator[1:], last))
        else:
            values.append(self.binary(values.pop(), operator, last))


class _Evaluator(ConstantReader[Number]):
    def leaf(self, text: str) -> Number:
        value = literal(text).value
        return _wrap(value, unsigned=text[-1] == "U" or value >> 63 > 0) if isinstance(value, int) else value

    def grouped(self, inner: Number) -> Number:
        return inner

    def conditional(self, condition: Number, then: Number, otherwise: Number) -> Number:
        self._integers(condition)
        return then if condition else otherwise

    def unary(self, operator: str, operand: Number) -> Number:
        if operator in "!~":
            self._integers(operand)
        unsigned = operator == "~" or (operator != "!" and isinstance(operand, Unsigned))
        return _wrap(_unary(operator, operand), unsigned=unsigned)

    def cast(self, type_: str, operand: Number) -> Number:
        self._integers(operand)
        return _wrap(int(operand), unsigned=type_ == ".u64")

    def binary(self, left: Number, operator: str, right: Number) -> Number:
        if isinstance(left, float) != isinstance(right, float):
            raise self.cursor.error(
                f"'{operator}' mixes a float and an integer",
                self.cursor.start,
                found=operator,
                expected="like operands",
            )
        if operator in _OF_INTEGERS:
            self._integers(left)
        try:
            return _combined(left, operator, right)
        except ZeroDivisionError:
            raise self.cursor.error(
                "the constant expression divides by zero", self.cursor.start, found="0", expected="a divisor"
            ) from None
        except (OverflowError, ValueError):
            raise self.cursor.error(
                "the constant expression overflows", self.cursor.start, found=operator, expected="a finite constant"
            ) from None

    def _integers(self, value: Number) -> None:
        if isinstance(value, float):
            raise self.cursor.error(
                "expected an integer, found a float", self.cursor.start, found=str(value), expected="an integer"
            )


def _unary(operator: str, value: Number) -> Number:
    if operator == "-":
        return -value
    if operator == "~":
        return ~int(value)
    return int(not value) if operator == "!" else value


def read_constant(cursor: Cursor) -> tuple[Number, list[str]]:
    """Read one constant expression at the cursor: its value (integers as signed 64-bit) and its tokens."""
    reader = _Evaluator(cursor)
    value = reader.read()
    return _wrap(value), reader.tokens


def evaluate(text: str) -> Number:
    """The value of a constant expression's text; raises PtxSyntaxError when it is none."""
    cursor = Cursor(text)
    value, _ = read_constant(cursor)
    if cursor.token:
        cursor.fail("the end of the expression")
    return value
