"""Affine expressions, maps and sets in MLIR's syntax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NoReturn

from xdsl.dialects.builtin import AffineMapAttr, IndexType
from xdsl.ir import SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSet,
    AffineSymExpr,
)
from xdsl.parser import AttrParser, Parser, UnresolvedOperand
from xdsl.printer import Printer

from weft.dialects.affine.algebra import add, ceildiv, constant_of, floordiv, is_symbolic, mod, mul, negate, subtract

_SPELLING = {
    AffineBinaryOpKind.Mul: " * ",
    AffineBinaryOpKind.Mod: " mod ",
    AffineBinaryOpKind.FloorDiv: " floordiv ",
    AffineBinaryOpKind.CeilDiv: " ceildiv ",
}

Names = Callable[[AffineDimExpr | AffineSymExpr], str]
"""How a dimension or symbol is written."""


def plain(expr: AffineDimExpr | AffineSymExpr) -> str:
    """`d0` or `s0`."""
    return f"{'d' if isinstance(expr, AffineDimExpr) else 's'}{expr.position}"


def expression(expr: AffineExpr, named: Names = plain, *, strong: bool = False) -> str:
    """The text of an expression; `strong` inside an operator that binds more tightly than a sum."""
    if isinstance(expr, AffineDimExpr | AffineSymExpr):
        return named(expr)
    if isinstance(expr, AffineConstantExpr):
        return str(expr.value)
    assert isinstance(expr, AffineBinaryOpExpr)
    text = _sum(expr, named) if expr.kind is AffineBinaryOpKind.Add else _product(expr, named)
    return f"({text})" if strong else text


def _product(expr: AffineBinaryOpExpr, named: Names) -> str:
    lhs = expression(expr.lhs, named, strong=True)
    if expr.kind is AffineBinaryOpKind.Mul and constant_of(expr.rhs) == -1:
        return f"-{lhs}"
    return lhs + _SPELLING[expr.kind] + expression(expr.rhs, named, strong=True)


def _sum(expr: AffineBinaryOpExpr, named: Names) -> str:
    """A sum; what is added with a negative factor is subtracted."""
    lhs, rhs = expression(expr.lhs, named), expr.rhs
    value = constant_of(rhs)
    if value is not None and value < 0:
        return f"{lhs} - {-value}"
    if isinstance(rhs, AffineBinaryOpExpr) and rhs.kind is AffineBinaryOpKind.Mul:
        factor = constant_of(rhs.rhs)
        if factor == -1:
            inner = rhs.lhs
            is_sum = isinstance(inner, AffineBinaryOpExpr) and inner.kind is AffineBinaryOpKind.Add
            return f"{lhs} - {expression(inner, named, strong=is_sum)}"
        if factor is not None and factor < -1:
            return f"{lhs} - {expression(rhs.lhs, named, strong=True)} * {-factor}"
    return f"{lhs} + {expression(rhs, named)}"


def _inputs(dims: int, symbols: int) -> str:
    named = ", ".join(f"d{index}" for index in range(dims))
    return f"({named})" + (f"[{', '.join(f's{index}' for index in range(symbols))}]" if symbols else "")


def affine_map(value: AffineMap) -> str:
    """`(d0)[s0] -> (d0 + s0)`."""
    results = ", ".join(expression(result) for result in value.results)
    return f"{_inputs(value.num_dims, value.num_symbols)} -> ({results})"


def affine_set(value: AffineSet) -> str:
    """`(d0)[s0] : (d0 - s0 >= 0, d0 == 0)`."""
    constraints = ", ".join(
        f"{expression(constraint.lhs)} {constraint.kind.value} {expression(constraint.rhs)}"
        for constraint in value.constraints
    )
    return f"{_inputs(value.num_dims, value.num_symbols)} : ({constraints})"


def _print_map(self: AffineMapAttr, printer: Printer) -> None:
    """Print a map as upstream does in errors, too, where xDSL prints the types."""
    printer.print_string(f"affine_map<{affine_map(self.data)}>")


AffineMapAttr.print_builtin = _print_map


class ExpressionParser:
    """A parser of affine expressions; what stands for dimensions and symbols is given to it.

    Raises everywhere:
        ParseError: the text is no affine expression.
    """

    def __init__(self, parser: AttrParser, primary: Callable[[], AffineExpr | None]) -> None:
        self._parser = parser
        self._primary = primary

    def expression(self) -> AffineExpr:
        """A sum of terms."""
        parser = self._parser
        result = self._term()
        while True:
            if parser.parse_optional_punctuation("+"):
                result = add(result, self._term())
            elif parser.parse_optional_punctuation("-"):
                result = subtract(result, self._term())
            else:
                return result

    def _term(self) -> AffineExpr:
        """Products, quotients and remainders, from left to right."""
        parser = self._parser
        result = self._operand()
        while True:
            place = parser.pos
            if parser.parse_optional_punctuation("*"):
                other = self._operand()
                if not is_symbolic(result) and not is_symbolic(other):
                    self._refuse("at least one of the multiply operands has to be either a constant or symbolic", place)
                result = mul(result, other)
                continue
            word = next((word for word in _DIVISIONS if parser.parse_optional_keyword(word)), None)
            if word is None:
                return result
            other = self._operand()
            if not is_symbolic(other):
                self._refuse(f"right operand of {word} has to be either a constant or symbolic", place)
            result = _DIVISIONS[word](result, other)

    def _refuse(self, message: str, place: int) -> NoReturn:
        self._parser.raise_error(f"non-affine expression: {message}", place, place)

    def _operand(self) -> AffineExpr:
        parser = self._parser
        if parser.parse_optional_punctuation("-"):
            return negate(self._operand())
        if parser.parse_optional_punctuation("("):
            inner = self.expression()
            parser.parse_punctuation(")")
            return inner
        value = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        if value is not None:
            return AffineConstantExpr(value)
        found = self._primary()
        if found is None:
            parser.raise_error("expected affine expression")
        return found


_DIVISIONS = {"floordiv": floordiv, "ceildiv": ceildiv, "mod": mod}


_SIGNS: tuple[Literal["=", ">", "<"], ...] = ("=", ">", "<")


class _Space:
    """`(d0, d1)[s0]`: names of dimensions and symbols, and expressions in them."""

    def __init__(self, parser: AttrParser) -> None:
        self.parser = parser
        self.names: dict[str, AffineExpr] = {}
        paren, square = parser.Delimiter.PAREN, parser.Delimiter.SQUARE
        self.dims = len(parser.parse_comma_separated_list(paren, lambda: self._declare(AffineDimExpr)))
        listed = parser.parse_optional_comma_separated_list(square, lambda: self._declare(AffineSymExpr))
        self.symbols = len(listed or ())
        self.expressions = ExpressionParser(parser, self._primary)

    def _declare(self, kind: type[AffineDimExpr | AffineSymExpr]) -> None:
        place = self.parser.pos
        name = self.parser.parse_identifier(" in affine map or set")
        if name in self.names:
            self.parser.raise_error(f"redefinition of identifier '{name}'", place, place)
        position = sum(isinstance(known, kind) for known in self.names.values())
        self.names[name] = kind(position)

    def _primary(self) -> AffineExpr | None:
        place = self.parser.pos
        name = self.parser.parse_optional_identifier()
        if name is not None and name not in self.names:
            self.parser.raise_error("use of undeclared identifier", place, place)
        return None if name is None else self.names[name]

    def constraint(self) -> AffineConstraintExpr:
        """`a >= b`, `a <= b` or `a == b`, brought to one side."""
        left = self.expressions.expression()
        first = next((sign for sign in _SIGNS if self.parser.parse_optional_punctuation(sign)), None)
        if first is None or self.parser.parse_optional_punctuation("=") is None:
            self.parser.raise_error("expected '== affine-expr' or '>= affine-expr' at end of affine constraint")
        right = self.expressions.expression()
        kind = AffineConstraintKind.eq if first == "=" else AffineConstraintKind.ge
        difference = subtract(right, left) if first == "<" else subtract(left, right)
        return AffineConstraintExpr(kind, difference, AffineConstantExpr(0), canonicalize=False)


def parse_map(parser: AttrParser) -> AffineMap:
    """Parse `(d0)[s0] -> (d0 + s0)`.

    Raises:
        ParseError: there is none.
    """
    space = _Space(parser)
    parser.parse_punctuation("->")
    results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, space.expressions.expression)
    return AffineMap(space.dims, space.symbols, tuple(results))


def parse_set(parser: AttrParser) -> AffineSet:
    """Parse `(d0)[s0] : (d0 - s0 >= 0)`.

    Raises:
        ParseError: there is none.
    """
    space = _Space(parser)
    parser.parse_punctuation(":")
    constraints = parser.parse_comma_separated_list(parser.Delimiter.PAREN, space.constraint)
    if not constraints:
        zero = AffineConstantExpr(0)
        constraints = [AffineConstraintExpr(AffineConstraintKind.eq, zero, zero, canonicalize=False)]
    return AffineSet(space.dims, space.symbols, tuple(constraints))


class OperandExpressions:
    """Expressions of SSA values: `%i + 3`, `%i floordiv symbol(%n)`; each value once as a dimension or a symbol."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._dims: list[UnresolvedOperand] = []
        self._symbols: list[UnresolvedOperand] = []
        self._expressions = ExpressionParser(parser, self._primary)

    def expression(self) -> AffineExpr:
        """One expression.

        Raises:
            ParseError: there is none.
        """
        return self._expressions.expression()

    def _primary(self) -> AffineExpr | None:
        parser = self._parser
        if parser.parse_optional_keyword("symbol"):
            with parser.in_parens():
                return AffineSymExpr(_place(parser.parse_unresolved_operand(), self._symbols))
        name = parser.parse_optional_unresolved_operand()
        return None if name is None else AffineDimExpr(_place(name, self._dims))

    def map(self, results: Sequence[AffineExpr]) -> AffineMap:
        """The map of the values to some results."""
        return AffineMap(len(self._dims), len(self._symbols), tuple(results))

    @property
    def names(self) -> list[UnresolvedOperand]:
        """The values, dimensions first."""
        return [*self._dims, *self._symbols]

    def values(self) -> list[SSAValue]:
        """The values, which are indices.

        Raises:
            ParseError: one has another type.
        """
        return [self._parser.resolve_operand(name, IndexType()) for name in self.names]


def _place(value: UnresolvedOperand, known: list[UnresolvedOperand]) -> int:
    """The index of a value in a list, to which it is added."""
    name = value.operand_name, value.index
    found = next((at for at, other in enumerate(known) if (other.operand_name, other.index) == name), None)
    if found is None:
        known.append(value)
        found = len(known) - 1
    return found
