"""Declarations: module-level names, parameters, registers and variables of a body."""

from __future__ import annotations

from weft.isa.types import DECLARABLE, TYPES, size_of
from weft.ptx.ast import Directive, Function, Parameter, RegisterDeclaration, Variable
from weft.ptx.verifier.context import Context, Name, Scope
from weft.ptx.verifier.declarations import check_variable


def _elements(vector: str) -> int:
    return int(vector.lstrip("v")) if vector else 0


def module_scope(context: Context) -> Scope:
    """The scope of a module's variables, functions and aliases."""
    scope = Scope()
    for item in context.module.items:
        if isinstance(item, Variable):
            declare_variable(context, scope, item)
        elif isinstance(item, Function):
            _declare_function(context, scope, item)
        elif isinstance(item, Directive) and item.name == "alias":
            scope.declare(item.arguments.partition(",")[0].strip(), Name("func"))
    return scope


def _declare_function(context: Context, scope: Scope, function: Function) -> None:
    earlier = context.functions.get(function.name)
    if earlier is not None and _prototype(earlier) != _prototype(function):
        message = f"the prototypes of '{function.name}' differ"
        context.report("redeclared", message, function.pos, token=function.name)
    if function.name not in context.functions or function.body is not None:
        context.functions[function.name] = function
    before = scope.names.get(function.name)
    if before is not None and before.kind == "func":
        if function.body is not None and before.space == "defined":
            context.report("redeclared", f"'{function.name}' is defined twice", function.pos, token=function.name)
        if function.body is not None:
            before.space = "defined"
        return
    if not scope.declare(function.name, Name("func", space="defined" if function.body is not None else "")):
        context.report("redeclared", f"'{function.name}' is already declared", function.pos, token=function.name)


def declare_variable(context: Context, scope: Scope, variable: Variable) -> None:
    """Checks and declares a variable, or `count` of them for `name<count>`."""
    check_variable(context, variable, module_level=scope.outer is None)
    vector = _elements(variable.vector)
    space = variable.space.partition("::")[0]
    declared = Name("var", variable.type, vector, space, dims=variable.dims)
    if variable.count:
        done = scope.declare_range(variable.name, variable.count, declared)
    else:
        before = scope.names.get(variable.name)
        if before is not None and before.kind == "var" and "extern" in (before.type, variable.linkage):
            return
        done = scope.declare(variable.name, declared)
    if not done and not variable.linkage:
        context.report("redeclared", f"'{variable.name}' is already declared", variable.pos, token=variable.name)


def _prototype(function: Function) -> tuple[object, ...]:
    """What two declarations of one function must agree on."""
    lists = (function.returns, function.parameters)
    return function.kernel, *(tuple((p.space, size_of(p.type), p.dims) for p in parameters) for parameters in lists)


def declare_parameters(context: Context, scope: Scope, function: Function) -> None:
    """Declares a function's formal parameters and return values."""
    for parameters, writable in ((function.returns, True), (function.parameters, False)):
        for parameter in parameters:
            if parameter.name in ("", "_"):
                continue
            if not scope.declare(parameter.name, _parameter_name(parameter, writable=writable, entry=function.kernel)):
                name = parameter.name
                context.report("redeclared", f"parameter '{name}' is already declared", parameter.pos, token=name)


def _parameter_name(parameter: Parameter, *, writable: bool, entry: bool) -> Name:
    if parameter.space == "reg":
        return Name("reg", parameter.type, _elements(parameter.vector))
    return Name("param", parameter.type, _elements(parameter.vector), "param", writable, parameter.dims, entry)


def declare_registers(context: Context, scope: Scope, declaration: RegisterDeclaration) -> None:
    """Declares the registers of one `.reg` line."""
    type_ = declaration.type
    if type_ not in DECLARABLE:
        known = "cannot be the type of a register" if type_ in TYPES else "is not a type"
        context.report("operand-type", f".{type_} {known}", declaration.pos, token=f".{type_}")
        return
    declared = Name("reg", type_, _elements(declaration.vector))
    for name, count in declaration.names:
        done = scope.declare_range(name, count, declared) if count else scope.declare(name, declared)
        if not done:
            context.report("redeclared", f"register '{name}' is already declared", declaration.pos, token=name)
