"""What the compiler has made, held to the verifier: inline PTX at its place in the MLIR, and the whole module."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from typing import Any

from weft.codegen.asm import Asm, Substitution
from weft.codegen.graph import Value
from weft.errors import Diagnostic, Severity
from weft.isa.target import NEWEST
from weft.mlir import compile_error
from weft.ptx.ast import Function, Module, RegisterDeclaration, Variable
from weft.ptx.operands import Integer, Operand
from weft.ptx.values import symbols
from weft.ptx.verifier import verify

_OF_NAMES = frozenset({"undeclared", "call"})


def check_inline(asm: Asm, target: str, variables: Iterable[Variable], functions: Container[str]) -> None:
    """Raise CompileError, at the operation, when statements of inline PTX are not legal with their operands.

    What they do with `functions` is left to the check of the whole module, which knows these; so are the variables'
    values, which may name some.
    """
    # The PTX version is the selector's business: it takes the least that all opcodes need.
    places: dict[str, Operand] = {}
    declarations: list[Any] = []
    for name, operand in asm.places.items():
        if isinstance(operand, Value):
            declarations.append(RegisterDeclaration(operand.cls, ((name, 0),)))
        elif isinstance(operand, int):
            places[name] = Integer(operand)
    put = Substitution(places)
    function = Function("k", True, body=[*declarations, *map(put.statement, asm.statements)])
    plain = (
        replace(variable, initializer=None) if symbols(variable.initializer) else variable for variable in variables
    )
    module = Module((NEWEST.major, NEWEST.minor), (target,), 64, [*plain, function])
    for found in _errors(verify(module)):
        if found.code not in _OF_NAMES or found.token not in functions:
            message = found.message.replace("%weft_asm_", "$")
            raise compile_error(asm.source, f"illegal PTX: {message}", found.hint)


def check_module(module: Module, source: Any) -> None:
    """Raise CompileError when a compiled module is not legal PTX, so that nothing illegal is ever written."""
    for found in _errors(verify(module)):
        raise compile_error(source, f"this compiles to illegal PTX: {found.message}", found.hint)


def _errors(found: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    return (diagnostic for diagnostic in found if diagnostic.severity is Severity.ERROR)
