"""Formats read without the checks that a verifier makes anyway, and that upstream's parser does not make."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, cast

from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, OpDef
from xdsl.irdl.declarative_assembly_format import (
    FormatProgram,
    OperandVariable,
    ParsingState,
    ResultVariable,
    TypeDirective,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.engine.definitions import definition
from weft.dialects.formats import only_class_of

if TYPE_CHECKING:
    from xdsl.parser import Parser


@contextmanager
def unchecked_formats() -> Generator[None]:
    """Inside, declarative formats infer types from each other without checking them."""
    checked, parse_type = FormatProgram.resolve_constraint_variables, TypeDirective.parse

    def parse_known(self: TypeDirective, parser: Parser, state: ParsingState) -> None:
        start = parser.pos
        parse_type(self, parser, state)
        _check_class(self, parser, state, start)

    FormatProgram.resolve_constraint_variables, TypeDirective.parse = _resolve_unchecked, parse_known
    try:
        yield
    finally:
        FormatProgram.resolve_constraint_variables, TypeDirective.parse = checked, parse_type


_BUILTIN = {"vector": "vector", "memref": "memref", "unranked_memref": "unranked_memref", "integer_type": "integer"}
"""Types of MLIR itself by their names here, and what MLIR calls them."""


def _check_class(directive: TypeDirective, parser: Parser, state: ParsingState, start: int) -> None:
    """Refuse a type of another class than the only one that can be there, as MLIR's parser does."""
    cls = only_class_of(directive, state.op_type)
    if cls is None or not (cls.name in _BUILTIN or "." in cls.name):
        return
    variable = directive.inner
    types = state.operand_types if isinstance(variable, OperandVariable) else state.result_types
    assert isinstance(variable, OperandVariable | ResultVariable)
    (found,) = cast("Sequence[Attribute]", types[variable.index])
    if not isinstance(found, cls) and not _declared(directive, state.op_type, found):
        name = f"builtin.{_BUILTIN[cls.name]}" if cls.name in _BUILTIN else cls.name
        message = f"invalid kind of type specified: expected {name}, but found '{found}'"
        parser.raise_error(f"custom op '{state.op_type.name}' {message}", start, start)


def _declared(directive: TypeDirective, op_type: type[IRDLOperation], found: Attribute) -> bool:
    """Whether upstream's definition of an operation, which may ask for less than xDSL's, has room for a type."""
    whole, variable = definition(op_type.name), directive.inner
    if whole is None or not isinstance(variable, OperandVariable | ResultVariable):
        return False
    values = whole.operands if isinstance(variable, OperandVariable) else whole.results
    return variable.index < len(values) and values[variable.index].kind.holds(found)


def _resolve_unchecked(self: FormatProgram, state: ParsingState, op_def: OpDef) -> None:
    groups = ((state.operand_types, op_def.operands), (state.result_types, op_def.results))
    for written, rules in groups:
        for types, (_, rule) in zip(written, rules, strict=True):
            if types is not None:
                with suppress(VerifyException):
                    rule.constr.verify((types,) if isinstance(types, Attribute) else types, state.context)
