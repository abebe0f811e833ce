"""Calls against the callee's prototype: PTX manual, section "Control Flow Instructions: call"."""

from __future__ import annotations

from collections.abc import Iterator, Set

from weft.dataclass import dataclass
from weft.isa.types import TYPES, compatible, size_of
from weft.ptx.analysis.calls import call_graph
from weft.ptx.ast import Block, Function, Instruction, LabelledDirective, Parameter, Statement, Variable
from weft.ptx.directive_nodes import CallPrototype
from weft.ptx.operands import Address, Arguments, Expression, Float, Integer, Operand, Register, Sink, Symbol
from weft.ptx.verifier.context import Context, Name, Scope

BUILT_IN = frozenset({"vprintf", "malloc", "free", "__assertfail"})
"""Functions that ptxas has itself."""

_NARROW = frozenset({"pred", "u8", "s8", "u16", "s16"})
"""What ptxas's code generator passes to no function while it keeps to the ABI."""


def check_call(context: Context, scope: Scope, call: Instruction) -> None:
    """Checks a call's callee, and its arguments and return values against the callee's declaration."""
    parts = _parts(call.operands)
    callee = parts.callee
    if isinstance(callee, Register):
        if parts.prototype is None:
            message = f"indirect call through '{callee}' without a prototype"
            context.report(
                "call", message, call.pos, token=str(callee), hint="add a .callprototype or .calltargets label"
            )
        else:
            for function in _prototypes(context, scope, parts.prototype):
                _check_lists(context, scope, call, function, parts)
        return
    if not isinstance(callee, Symbol):
        if callee is not None:
            context.report("call", f"'{callee}' is not a function", call.pos, token=str(callee))
        return
    if parts.prototype is not None:
        message = f"'{callee}' is a function: only calls through a register take a prototype"
        context.report("call", message, call.pos, token=str(parts.prototype))
        return
    function = context.functions.get(callee.name)
    declared = scope.find(callee.name)
    if declared is not None and declared.kind != "func":
        hint = "another declaration hides the function" if function is not None else ""
        context.report("call", f"'{callee}' is not a function", call.pos, token=callee.name, hint=hint)
    elif function is None:
        return
    elif function.kernel:
        context.report("call", f"'{callee}' is a kernel: only a .func can be called", call.pos, token=callee.name)
    else:
        _check_lists(context, scope, call, function, parts)


def check_results(context: Context, function: Function) -> None:
    """Checks that what a function loads from its .param variables is the result of a call before it in the text."""
    before = len(context.located)
    formals = {parameter.name for parameter in (*function.parameters, *function.returns)}
    names = {variable.name for variable in context.passed} - formals  # For ptxas a formal parameter hides a variable.
    returned: set[str] = set()
    scopes: list[tuple[Iterator[Statement], dict[str, bool]]] = [(iter(function.body or []), {})]
    while scopes:
        statements, hidden = scopes[-1]
        for statement in statements:
            if isinstance(statement, Instruction):
                _check_result(context, statement, names, returned)
            elif isinstance(statement, Variable) and statement.name in names:
                hidden.setdefault(statement.name, statement.name in returned)
                returned.discard(statement.name)
            elif isinstance(statement, Block):
                scopes.append((iter(statement.body), {}))
                break
        else:
            scopes.pop()
            returned -= hidden.keys()
            returned.update(name for name, was in hidden.items() if was)
    if not function.kernel:
        context.generated += [(function.name, found) for _, found in context.located[before:]]


def _check_result(context: Context, instruction: Instruction, names: Set[str], returned: set[str]) -> None:
    if instruction.opcode.effects.control == "call":
        returned.update(o.name for o in _parts(instruction.operands).returns if isinstance(o, Symbol))
    elif instruction.opcode.stem == "ld" and instruction.opcode["ss"].startswith("param"):
        base = next((operand.base for operand in instruction.operands if isinstance(operand, Address)), None)
        if isinstance(base, Symbol) and base.name in names and base.name not in returned:
            message = f"'{base.name}' is loaded before any call returns it"
            context.report("call", message, instruction.pos, token=base.name, hint="load it after the call")


def forget_unused(context: Context) -> None:
    """Drops what only ptxas's code generator refuses in functions that it has no code to generate for.

    It generates all of a module with calls to functions of others, else kernels and what they call.
    """
    if not context.generated:
        return
    every = [context.twins.get(id(function), function) for function in context.module.functions]
    graph = call_graph(every)
    if graph.external - BUILT_IN:
        return
    used, todo = set[str](), [function.name for function in every if function.kernel]
    while todo:
        name = todo.pop()
        if name not in used:
            used.add(name)
            todo.extend(graph.calls.get(name, ()))
    unused = {id(found) for name, found in context.generated if name not in used}
    context.located[:] = [one for one in context.located if id(one[1]) not in unused]


def check_targets(context: Context, scope: Scope, directive: LabelledDirective) -> None:
    """Checks the names that a `.branchtargets` or `.calltargets` lists."""
    if isinstance(directive, CallPrototype):
        return
    for name in directive.names:
        declared = scope.find(name)
        wanted = "label" if directive.name == "branchtargets" else "func"
        if declared is None or declared.kind != wanted:
            what = "label" if wanted == "label" else "function"
            message = f".{directive.name}: '{name}' is not a known {what}"
            context.report("label" if wanted == "label" else "call", message, directive.pos, token=name)


def _prototypes(context: Context, scope: Scope, operand: Operand) -> list[Function]:
    """The prototypes behind the label of an indirect call."""
    declared = scope.find(operand.name) if isinstance(operand, Symbol) else None
    if declared is None or declared.kind != "directive":
        return []
    named = declared.labelled
    if isinstance(named, CallPrototype):
        return [Function("_", kernel=False, parameters=named.parameters, returns=named.returns)]
    if named is None or named.name != "calltargets":
        return []
    found = [context.functions.get(name) for name in named.names]
    return [function for function in found if function is not None]


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


def _check_lists(context: Context, scope: Scope, call: Instruction, function: Function, parts: _Call) -> None:
    lists = (("return value", parts.returns, function.returns), ("argument", parts.arguments, function.parameters))
    for what, given, formal in lists:
        if len(given) != len(formal):
            wanted = f"{len(formal)} {what}{'s' if len(formal) != 1 else ''}"
            message = f"'{function.name}' has {wanted}, but the call has {len(given)}"
            context.report("call", message, call.pos, token=function.name)
            continue
        for operand, parameter in zip(given, formal, strict=True):
            problem = _problem(scope, operand, parameter, returned=what == "return value")
            narrow = not problem and _is_narrow(parameter) and context.without_abi is None
            if narrow:
                problem = f"is passed as .{parameter.type}, which only ptxas without the ABI supported"
            if problem:
                message = f"{what} '{operand}' of '{function.name}' {problem}"
                hint = "use .b8, .b16 or a 32-bit type" if _is_narrow(parameter) else ""
                context.report("call", message, call.pos, token=str(operand), hint=hint)
            if narrow and not context.kernel:
                context.generated.append((context.function, context.located[-1][1]))


def _is_narrow(parameter: Parameter) -> bool:
    return parameter.type in _NARROW and not (parameter.dims or parameter.vector)


def _problem(scope: Scope, operand: Operand, parameter: Parameter, *, returned: bool) -> str:
    """Why an operand cannot be passed for a parameter; empty when it can."""
    if isinstance(operand, Sink):
        return "" if returned else "cannot be discarded"
    if isinstance(operand, Integer | Float | Expression):
        if returned:
            return "must be a name"
        if parameter.vector:
            return f"is one number, {_described(parameter)}"
        floating = isinstance(operand.value, float)
        return f"is not a .{parameter.type}" if TYPES[parameter.type].kind == "f" and not floating else ""
    if not isinstance(operand, Register | Symbol):
        return ""
    declared = scope.find(operand.name)
    if declared is None:
        return "must be a whole register" if isinstance(operand, Register) and operand.member else "is not declared"
    if declared.kind == "reg":
        return "" if _register_fits(declared, parameter) else f"is {_spelt(declared)}, {_described(parameter)}"
    if declared.kind == "param":
        return "is a parameter of this function: copy it"
    if declared.kind != "var" or declared.space != "param":
        return f"is in .{declared.space}, not .param" if declared.space else "is not a variable"
    return _variable_problem(declared, parameter)


def _variable_problem(declared: Name, parameter: Parameter) -> str:
    open_ = len(parameter.dims) == 1 and parameter.dims[0] <= 0  # varargs: any array
    same = len(declared.dims) == 1 if open_ else declared.dims == parameter.dims
    if not same or not (open_ or compatible(declared.type, parameter.type)):
        return f"is .{declared.type}, {_described(parameter)}"
    align = max(parameter.align, size_of(parameter.type))
    if declared.align != align:
        return f"is aligned to {declared.align}, the parameter '{parameter.name}' to {align}"
    return ""


def _register_fits(declared: Name, parameter: Parameter) -> bool:
    """Whether a register can be passed: vectors need as many elements of a fitting type.

    ptxas compares sizes only where one of the two is a vector, and lets pass as many bytes in smaller elements.
    """
    if parameter.dims:
        return False
    formal = int(parameter.vector[1:]) if parameter.vector else 0
    if declared.vector == formal == 0:
        return compatible(declared.type, parameter.type)
    have, want = TYPES[declared.type].bits, TYPES[parameter.type].bits
    if formal and not declared.vector:
        return have == 2 * want == 128
    return have <= want and declared.vector * have == max(1, formal) * want


def _spelt(declared: Name) -> str:
    return f".v{declared.vector} .{declared.type}" if declared.vector else f".{declared.type}"


def _described(parameter: Parameter) -> str:
    vector = f".{parameter.vector} " if parameter.vector else ""
    return f"the parameter '{parameter.name}' is {vector}.{parameter.type}{' in an array' if parameter.dims else ''}"
