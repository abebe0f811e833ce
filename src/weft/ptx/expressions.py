"""Constant expressions as trees: PTX manual, section "Constant Expressions"."""

from __future__ import annotations

from weft.dataclass import dataclass
from weft.ptx.constants import ConstantReader, literal
from weft.ptx.lexical import Cursor
from weft.ptx.literals import Float, Integer
from weft.ptx.node import Node


@dataclass(frozen=True, slots=True, repr=False)
class Unary(Node):
    """`-a`, `+a`, `!a` or `~a`."""

    operator: str
    operand: Constant

    def __str__(self) -> str:
        return f"{self.operator}{self.operand}"


@dataclass(frozen=True, slots=True, repr=False)
class Cast(Node):
    """`(.s64)a` or `(.u64)a`; `type` is without the dot."""

    type: str
    operand: Constant

    def __str__(self) -> str:
        return f"(.{self.type}){self.operand}"


@dataclass(frozen=True, slots=True, repr=False)
class Binary(Node):
    """`a+b` and the other operators of two operands, which are C's."""

    left: Constant
    operator: str
    right: Constant

    def __str__(self) -> str:
        return f"{self.left}{'% ' if self.operator == '%' else self.operator}{self.right}"


@dataclass(frozen=True, slots=True, repr=False)
class Conditional(Node):
    """`condition?then:otherwise`."""

    condition: Constant
    then: Constant
    otherwise: Constant

    def __str__(self) -> str:
        return f"{self.condition}?{self.then}:{self.otherwise}"


@dataclass(frozen=True, slots=True, repr=False)
class Parenthesised(Node):
    """`(a)`, which the tree keeps as it keeps how literals are spelled."""

    inner: Constant

    def __str__(self) -> str:
        return f"({self.inner})"


Constant = Integer | Float | Unary | Cast | Binary | Conditional | Parenthesised


def read_tree(text: str) -> Constant:
    """The tree of a constant expression; raises PtxSyntaxError when the text is none."""
    cursor = Cursor(text)
    tree = _TreeReader(cursor).read()
    if cursor.token:
        cursor.fail("the end of the expression")
    return tree


class _TreeReader(ConstantReader[Constant]):
    """Builds nodes where the reader of values computes."""

    def leaf(self, text: str) -> Constant:
        return literal(text)

    def grouped(self, inner: Constant) -> Constant:
        return Parenthesised(inner)

    def conditional(self, condition: Constant, then: Constant, otherwise: Constant) -> Constant:
        return Conditional(condition, then, otherwise)

    def unary(self, operator: str, operand: Constant) -> Constant:
        return Unary(operator, operand)

    def cast(self, type_: str, operand: Constant) -> Constant:
        return Cast(type_[1:], operand)

    def binary(self, left: Constant, operator: str, right: Constant) -> Constant:
        return Binary(left, operator, right)
