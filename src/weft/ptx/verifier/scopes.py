"""Declarations: module-level names, parameters, registers and variables of a body."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.types import DECLARABLE, TYPES, size_of
from weft.ptx.ast import Function, Parameter, RegisterDeclaration, Variable
from weft.ptx.directive_nodes import Alias
from weft.ptx.names import numbered
from weft.ptx.verifier.context import Context, Name, Scope
from weft.ptx.verifier.declarations import MAX_VECTOR_BITS, check_variable
from weft.ptx.verifier.functions import check_alias, check_missing_bodies, declare_function

if TYPE_CHECKING:
    from weft.ptx.functions import Item

MOST_REGISTERS = (1 << 31) - 1
"""Registers of one name; ptxas runs out of memory on more."""


def _elements(vector: str) -> int:
    return int(vector.lstrip("v")) if vector else 0


def declared_items(context: Context) -> Iterator[tuple[Scope, Item]]:
    """The module's scope after each item, and the item: names must be before their use."""
    scope = Scope()
    for name in context.constants:
        scope.declare(name, Name("constant"))
    for item in context.module.items:
        if isinstance(item, Variable):
            declare_variable(context, scope, item)
        elif isinstance(item, Function):
            declare_function(context, scope, item)
        elif isinstance(item, Alias):
            check_alias(context, scope, item)
        yield scope, item
    check_missing_bodies(context)


def module_scope(context: Context) -> Scope:
    """The scope of all of a module's variables, functions and aliases."""
    scopes = [scope for scope, _ in declared_items(context)]
    return scopes[-1] if scopes else Scope()


def declare_variable(context: Context, scope: Scope, variable: Variable) -> None:
    """Checks and declares a variable, or `count` of them for `name<count>`."""
    module_level = scope.outer is None
    space = variable.space
    if space in ("const", "shared"):
        context.placed.append(variable)
    elif space == "param" and not module_level:
        context.passed.append(variable)
    declared = Name(
        "var",
        variable.type,
        _elements(variable.vector),
        space,
        dims=variable.dims,
        linkage=variable.linkage,
        align=max(variable.align, size_of(variable.type)),
        hides=_hidden(scope, variable) if space == "param" and not module_level else None,
    )
    if variable.count:
        done = scope.declare(variable.name, declared, variable.count)
    else:
        before = scope.singles.get(variable.name)
        if before is not None and before.kind == "var" and "extern" in (before.linkage, variable.linkage):
            _check_again(context, before, variable)
            done = True
        else:
            done = scope.declare(variable.name, declared)
    if not done or (module_level and _hides_special(variable)):
        context.report("redeclared", f"'{variable.name}' is already declared", variable.pos, token=variable.name)
    check_variable(context, scope, variable, module_level=module_level)


def _hides_special(variable: Variable) -> bool:
    """Whether a module's variable is named as a special register, which for ptxas is a variable of elsewhere."""
    special = SPECIAL_REGISTERS.get(variable.name)
    if special is None:
        return False
    scalar = not (special.components or variable.dims or variable.vector)
    return variable.linkage != "extern" or not scalar or variable.type != f"b{TYPES[special.type].bits}"


def _hidden(scope: Scope, variable: Variable) -> Name | None:
    """The formal parameter that a variable has the name of."""
    found = scope.find(variable.name)
    return found if found is not None and found.kind == "param" else None


def _check_again(context: Context, before: Name, variable: Variable) -> None:
    """Checks a variable against its earlier declaration, where one of the two is .extern."""
    if before.type != variable.type or not _same_extents(before.dims, variable.dims):
        message = f"the declarations of '{variable.name}' differ"
    elif before.linkage == "extern" and not variable.linkage:
        message = f"'{variable.name}' is .extern and cannot be defined without .visible"
    else:
        return
    context.report("redeclared", message, variable.pos, token=variable.name)


def _same_extents(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether the extents of two declarations agree; one of them may leave its first open."""
    return len(one) == len(other) and all(a == b or a <= 0 or b <= 0 for a, b in zip(one, other, strict=True))


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
        message = f"a register cannot have type .{type_}" if type_ in TYPES else f"unknown type .{type_}"
        context.report("operand-type", message, declaration.pos, token=f".{type_}")
        return
    if declaration.vector and type_ == "pred":
        context.report("declaration", "predicates must be scalars", declaration.pos, token=f".{declaration.vector}")
    elif declaration.vector == "v8" or TYPES[type_].bits * max(1, _elements(declaration.vector)) > MAX_VECTOR_BITS:
        message = (
            f".{declaration.vector} .{type_}: vectors have two or four elements and at most {MAX_VECTOR_BITS} bits"
        )
        context.report("declaration", message, declaration.pos, token=f".{declaration.vector}")
    declared = Name("reg", type_, _elements(declaration.vector))
    for name, count in declaration.names:
        if count > MOST_REGISTERS:
            message = f"'{name}<{count}>': one declaration can have at most {MOST_REGISTERS} registers"
            context.report("declaration", message, declaration.pos, token=name)
        for label in [n for n, found in scope.singles.items() if count and found.kind == "label" and n[:1] == "%"]:
            prefix, number = numbered(label)
            if prefix == name and 0 <= number < count:  # The range hides it.
                del scope.singles[label]
        done = scope.declare(name, declared, count)
        if not done:
            context.report("redeclared", f"register '{name}' is already declared", declaration.pos, token=name)
