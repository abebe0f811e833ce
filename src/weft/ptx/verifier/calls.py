"""Calls against the callee's prototype: PTX manual, section "Control Flow Instructions: call"."""

from __future__ import annotations

from dataclasses import dataclass

from weft.isa.types import size_of
from weft.ptx.ast import Instruction, Parameter
from weft.ptx.operands import Arguments, Operand, Register, Symbol
from weft.ptx.verifier.context import Context, Name, Scope


def check_call(context: Context, scope: Scope, call: Instruction) -> None:
    """Checks a call's callee, and its arguments and return values against the callee's declaration."""
    parts = _parts(call.operands)
    callee = parts.callee
    if isinstance(callee, Register):
        if parts.prototype is None:
            message = f"indirect call through '{callee}' names no prototype"
            context.report(
                "call", message, call.pos, token=str(callee), hint="add a .callprototype or .calltargets label"
            )
        return
    if not isinstance(callee, Symbol):
        return
    function = context.functions.get(callee.name)
    if function is None:
        declared = scope.find(callee.name)
        if declared is not None and declared.kind != "func":
            context.report("call", f"'{callee}' is not a function", call.pos, token=callee.name)
        return
    if function.kernel:
        context.report("call", f"'{callee}' is a kernel: only a .func can be called", call.pos, token=callee.name)
        return
    _check_list(context, scope, call, callee.name, "return value", parts.returns, function.returns)
    _check_list(context, scope, call, callee.name, "argument", parts.arguments, function.parameters)


@dataclass(frozen=True, slots=True)
class _Call:
    """The parts of a call: `call (returns), callee, (arguments), prototype`."""

    returns: tuple[Operand, ...]
    callee: Operand | None
    arguments: tuple[Operand, ...]
    prototype: Operand | None


def _parts(operands: tuple[Operand, ...]) -> _Call:
    index = 0
    lists: list[tuple[Operand, ...]] = []
    callee: Operand | None = None
    for _ in range(2):  # Return values before the callee, arguments after it; each list may be missing.
        operand = operands[index] if index < len(operands) else None
        index += isinstance(operand, Arguments)
        lists.append(operand.elements if isinstance(operand, Arguments) else ())
        if callee is None and index < len(operands):
            callee = operands[index]
            index += 1
    return _Call(lists[0], callee, lists[1], operands[index] if index < len(operands) else None)


def _check_list(
    context: Context,
    scope: Scope,
    call: Instruction,
    callee: str,
    what: str,
    given: tuple[Operand, ...],
    formal: list[Parameter],
) -> None:
    if len(given) != len(formal):
        wanted = f"{len(formal)} {what}{'s' if len(formal) != 1 else ''}"
        context.report("call", f"'{callee}' has {wanted}, the call gives {len(given)}", call.pos, token=callee)
        return
    for operand, parameter in zip(given, formal, strict=True):
        declared = scope.find(operand.name) if isinstance(operand, Symbol) else None
        if declared is not None and declared.kind in ("var", "param") and not _fits(declared, parameter):
            message = (
                f"{what} '{operand}' of '{callee}' is .{declared.type}, "
                f"the parameter '{parameter.name}' is .{parameter.type}"
            )
            context.report("call", message, call.pos, token=str(operand))


def _fits(declared: Name, parameter: Parameter) -> bool:
    """Whether a variable can be passed: the same shape, or any array for an array without an extent (varargs)."""
    if len(parameter.dims) == 1 and parameter.dims[0] <= 0:
        return len(declared.dims) == 1
    return (size_of(declared.type), declared.dims) == (size_of(parameter.type), parameter.dims)
