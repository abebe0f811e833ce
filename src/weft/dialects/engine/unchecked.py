"""Formats read without the checks that a verifier makes anyway, and that upstream's parser does not make."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import (
    IndexType,
    IntegerType,
    MemRefType,
    TensorType,
    UnrankedMemRefType,
    UnrankedTensorType,
    VectorType,
)
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
from weft.dialects.kinds import Kind

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


_NAMED = {
    "vector of ": ("builtin.vector", VectorType),
    "ranked tensor of ": ("builtin.tensor", TensorType),
    "memref of ": ("builtin.memref", MemRefType),
    "index": ("builtin.index", IndexType),
    "signless integer": ("builtin.integer", IntegerType),
    "tensor of ": ("", TensorType | UnrankedTensorType),
    "ranked or unranked memref of ": ("", MemRefType | UnrankedMemRefType),
}
"""How upstream's summary of a type begins whose class its parser asks for: the name that an error gives, if any."""
_SEVERAL = re.compile(r" or (vector|tensor|memref|ranked|LLVM)")
_BUILTIN = {"vector": "vector", "memref": "memref", "unranked_memref": "unranked_memref", "integer_type": "integer"}
"""Types of MLIR itself by their names here, and what MLIR calls them."""


def _check_class(directive: TypeDirective, parser: Parser, state: ParsingState, start: int) -> None:
    """Refuse a type of another class than the only one that can be there, as MLIR's parser does."""
    cls, declared = only_class_of(directive, state.op_type), _declared(directive, state.op_type)
    wanted = None if declared is None else _class_of(declared)
    if wanted is None:
        if cls is None or not (cls.name in _BUILTIN or "." in cls.name):
            return
        wanted = f"builtin.{_BUILTIN[cls.name]}" if cls.name in _BUILTIN else cls.name, cls
    variable = directive.inner
    types = state.operand_types if isinstance(variable, OperandVariable) else state.result_types
    assert isinstance(variable, OperandVariable | ResultVariable)
    listed = types[variable.index]
    if listed is None or len(listed) != 1:
        return
    found, (name, classes) = listed[0], wanted
    if not isinstance(found, classes) and not (declared is not None and declared.holds(found)):
        spelled = str(found).replace(" : i64>", ">")  # xDSL prints the type of a memory space.
        message = "invalid kind of type specified" + (f": expected {name}, but found '{spelled}'" if name else "")
        parser.raise_error(f"custom op '{state.op_type.name}' {message}", start, start)


def _class_of(kind: Kind) -> tuple[str, Any] | None:
    """The class that upstream's parser asks of a type, and its name; None where any type may be written."""
    if _SEVERAL.search(kind.summary):
        return None
    return next((found for start, found in _NAMED.items() if kind.summary.startswith(start)), None)


def _declared(directive: TypeDirective, op_type: type[IRDLOperation]) -> Kind | None:
    """What upstream's definition of an operation, which may ask for less than xDSL's, says of a type."""
    whole, variable = definition(op_type.name), directive.inner
    if whole is None or not isinstance(variable, OperandVariable | ResultVariable):
        return None
    values = whole.operands if isinstance(variable, OperandVariable) else whole.results
    return values[variable.index].kind if variable.index < len(values) else None


def _resolve_unchecked(self: FormatProgram, state: ParsingState, op_def: OpDef) -> None:
    groups = ((state.operand_types, op_def.operands), (state.result_types, op_def.results))
    for written, rules in groups:
        for types, (_, rule) in zip(written, rules, strict=True):
            if types is not None:
                with suppress(VerifyException):
                    rule.constr.verify((types,) if isinstance(types, Attribute) else types, state.context)
