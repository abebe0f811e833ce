"""The grammar of one instruction's operands, read at a cursor.

PTX manual, chapter "Instruction Operands", and ptxas where the manual is silent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeGuard

from weft.errors import PtxSyntaxError
from weft.ptx.constants import Number, literal, read_constant, starts_constant
from weft.ptx.lexical import DOT, END, MEMBER, NAME, NUM, Cursor
from weft.ptx.operands import (
    Address,
    Arguments,
    Element,
    Expression,
    Float,
    Integer,
    Negated,
    Operand,
    Pair,
    Register,
    Sink,
    Symbol,
    Vector,
)

if TYPE_CHECKING:
    from weft.ptx.scopes import Scope

_MEMBER = re.compile(MEMBER, re.ASCII)

SINK = Sink()
"""The one sink operand."""


def is_compound(operand: Operand) -> bool:
    """Whether an operand may not be inside braces."""
    if isinstance(operand, Symbol):
        return operand.offset != 0 or operand.zero
    return isinstance(operand, Vector | Address | Arguments | Negated | Pair | Element)


def settled(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """Operands with `(5)` read as a constant in parentheses where it is not a call's list.

    The function's name is beside a call's lists; a call through a register has its prototype's name after them.
    """
    for operand in operands:
        if type(operand) is Arguments:
            break
    else:
        return operands
    followers = (*operands[1:], None)
    before: Operand | None = None
    found: list[Operand] = []
    for operand, after in zip(operands, followers, strict=True):
        if _is_constant_list(operand) and _no_call(before, after):
            found.append(_unwrapped(operand.elements[0]))
        else:
            found.append(operand)
        before = operand
    return tuple(found)


def _unwrapped(constant: Operand) -> Operand:
    """A constant without parentheses around all of it: printed, they would be read as a list's."""
    text = str(constant)
    while text[:1] == "(" and text[-1:] == ")" and _closes_first(list(text)):
        text = text[1:-1]
    return constant if text == str(constant) else constant_operand(*read_constant(Cursor(text)))


def _no_call(before: Operand | None, after: Operand | None) -> bool:
    """Whether operands around a constant in parentheses are none of a call's."""
    return not isinstance(before, Symbol) and not isinstance(after, Symbol)


def _is_constant_list(operand: Operand) -> TypeGuard[Arguments]:
    if not isinstance(operand, Arguments) or len(operand.elements) != 1:
        return False
    return isinstance(operand.elements[0], Integer | Float | Expression)


def constant_operand(value: Number, tokens: list[str]) -> Integer | Float | Expression:
    """The operand of a constant expression: a literal where it is one, else an Expression."""
    if len(tokens) == 1:
        return literal(tokens[0])
    if len(tokens) == 2 and tokens[0] in "+-" and tokens[1] != ")":
        return literal(tokens[1], tokens[0])
    return Expression("".join(tokens))


def read_operands(cursor: Cursor, scope: Scope) -> tuple[Operand, ...]:
    """The operands up to the semicolon, which is left under the cursor."""
    if cursor.token == ";":
        return ()
    if cursor.token in ("}", "@") or cursor.kind in (DOT, END):
        cursor.fail("an operand or ';'", "add ';'")
    operands = [read_operand(cursor, scope)]
    while cursor.accept(","):
        operands.append(read_operand(cursor, scope))
    return settled(tuple(operands))


def read_operand(cursor: Cursor, scope: Scope) -> Operand:
    """One operand at the cursor."""
    token = cursor.token
    if token == "{":
        return _paired(cursor, scope, _vector(cursor, scope))
    if token == "[":
        return _address(cursor, scope)
    if token == "(":
        return _parenthesised(cursor, scope)
    if token in ("!", "-"):
        start = cursor.start
        cursor.advance()
        if cursor.kind == NAME and cursor.token not in ("WARP_SZ", "_"):
            return Negated(_name(cursor, scope), token)
        cursor.move(start)
    if cursor.kind == NAME and token != "WARP_SZ":
        return _named(cursor, scope)
    if starts_constant(cursor):
        return constant_operand(*read_constant(cursor))
    cursor.fail("an operand", "missing operand" if token in (",", ";", "}") else "")


def _name(cursor: Cursor, scope: Scope) -> Operand:
    if cursor.token == "_":
        cursor.advance()
        return SINK
    name = cursor.advance()
    if cursor.kind == DOT and _MEMBER.fullmatch(cursor.token) is not None:
        name += cursor.advance()
    return scope.name(name)


def _named(cursor: Cursor, scope: Scope) -> Operand:
    """An operand that starts with a name: `a`, `a|b`, `a[i]`, `a+4`, `_`."""
    first = _name(cursor, scope)
    if cursor.token == "|":
        return _paired(cursor, scope, first)
    if cursor.token == "[" and isinstance(first, Register | Symbol):
        return _element(cursor, scope, first.name)
    if cursor.token == "+" and isinstance(first, Register | Symbol):
        offset = read_offset(cursor)
        return Symbol(first.name, offset, not offset)
    return first


def _paired(cursor: Cursor, scope: Scope, first: Operand) -> Operand:
    """The operand `first`, or the pair `first|p` when a bar follows (`{a, b, c, d}|p` of the texture reads)."""
    if cursor.token != "|":
        return first
    cursor.advance()
    if cursor.kind != NAME:
        cursor.fail("a predicate register")
    return Pair(first, _name(cursor, scope))


def _element(cursor: Cursor, scope: Scope, array: str) -> Element:
    cursor.advance()
    index = _scalar(cursor, scope)
    if cursor.token == "+" and isinstance(index, Register | Symbol):
        offset = read_offset(cursor)
        index = Symbol(index.name, offset, not offset)
    cursor.expect("]")
    return Element(array, index)


def read_offset(cursor: Cursor) -> int:
    """The byte offset after a base: `+` and a constant expression."""
    start = cursor.start
    cursor.advance()
    value, _ = read_constant(cursor)
    if isinstance(value, float):
        raise cursor.error("use a whole number of bytes", start, found=str(value), expected="an integer")
    return value


def _scalar(cursor: Cursor, scope: Scope) -> Operand:
    """A name or a constant: what may be inside braces and parentheses."""
    if cursor.kind == NAME and cursor.token != "WARP_SZ":
        return _name(cursor, scope)
    if starts_constant(cursor):
        return constant_operand(*read_constant(cursor))
    cursor.fail("a register or a constant")


def _vector(cursor: Cursor, scope: Scope) -> Vector:
    cursor.advance()
    elements = [_scalar(cursor, scope)]
    while cursor.accept(","):
        elements.append(_scalar(cursor, scope))
    cursor.expect("}", "unclosed vector" if cursor.kind in (END, DOT) or cursor.token == ";" else "")
    return Vector(tuple(elements))


def _address(cursor: Cursor, scope: Scope) -> Address:
    cursor.advance()
    offset = 0
    written = False
    if cursor.kind == NAME and cursor.token != "WARP_SZ":
        base = _name(cursor, scope)
        if cursor.token == "+":
            offset = read_offset(cursor)
            written = True
        elif cursor.token == "-":
            cursor.fail("'+' or ']'", "write a negative offset as [a+-4]")
    elif cursor.kind == NUM or starts_constant(cursor):
        base = constant_operand(*read_constant(cursor))
    else:
        cursor.fail("an address")
    rest: list[Operand] = []
    while cursor.accept(","):
        rest.append(_vector(cursor, scope) if cursor.token == "{" else _scalar(cursor, scope))
    cursor.expect("]", "unclosed address" if cursor.kind in (END, DOT) or cursor.token == ";" else "")
    unified = cursor.kind == DOT and cursor.token == ".unified"
    if unified:
        cursor.advance()
    return Address(base, offset, tuple(rest), unified, written and not offset)


def _parenthesised(cursor: Cursor, scope: Scope) -> Operand:
    """A call's argument list, or a constant expression that starts with a parenthesis."""
    start = cursor.start
    cursor.advance()
    elements: list[Operand] = []
    if cursor.token != ")":
        if cursor.kind != NAME or cursor.token == "WARP_SZ":
            constant = _constant_in_parentheses(cursor, start)
            if constant is not None:
                return constant
        elements.append(_scalar(cursor, scope))
        while cursor.accept(","):
            elements.append(_scalar(cursor, scope))
    cursor.expect(")", "unclosed argument list" if cursor.kind in (END, DOT) or cursor.token == ";" else "")
    return Arguments(tuple(elements))


def _constant_in_parentheses(cursor: Cursor, start: int) -> Operand | None:
    """The expression from an opening parenthesis on, unless the parentheses are all of it; else go back inside."""
    inside = cursor.start
    cursor.move(start)
    try:
        value, tokens = read_constant(cursor)
        whole = tokens[-1] == ")" and _closes_first(tokens)
    except PtxSyntaxError:
        whole = True
        value, tokens = 0, ["0"]
    if not whole:
        return constant_operand(value, tokens)
    cursor.move(inside)
    return None


def _closes_first(tokens: list[str]) -> bool:
    """Whether the last parenthesis closes the first."""
    depth = 0
    for index, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if not depth:
            return index == len(tokens) - 1
    return False
