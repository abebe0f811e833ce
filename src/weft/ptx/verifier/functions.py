"""Functions of a module among each other: repeated declarations, bodies that are missing, aliases.

The refusals are ptxas's own; for aliases see the PTX manual, section "Other Directives: .alias".
"""

from __future__ import annotations

from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.types import size_of
from weft.ptx.ast import Function, Parameter
from weft.ptx.directive_nodes import Alias, FunctionDirective
from weft.ptx.verifier.calls import BUILT_IN
from weft.ptx.verifier.context import Context, Name, Scope


def declare_function(context: Context, scope: Scope, function: Function) -> None:
    """Declares a function; checks it against its earlier declarations."""
    name = function.name
    earlier = context.functions.get(name)
    if earlier is not None and (not earlier.defined or not function.defined):
        problem = "" if not earlier.defined else "one follows the body"
        problem = problem or _difference(earlier, function)
        if problem:
            context.report("redeclared", f"the declarations of '{name}' differ: {problem}", function.pos, token=name)
    if earlier is None or function.defined:
        context.functions[name] = function
    before = scope.singles.get(name)
    if before is not None and before.kind == "func":
        if function.defined:
            if before.space == "defined":
                context.report("redeclared", f"'{name}' is defined twice", function.pos, token=name)
            before.space = "defined"
        return
    if not scope.declare(name, Name("func", space="defined" if function.defined else "")) or name in SPECIAL_REGISTERS:
        context.report("redeclared", f"'{name}' is already declared", function.pos, token=name)


def _difference(one: Function, other: Function) -> str:
    """In what two declarations of a function differ that must not; empty when in nothing."""
    if one.kernel != other.kernel:
        return "one is a kernel"
    return prototype_difference(one, other) or _linkage_difference(one, other)


def _linkage_difference(one: Function, other: Function) -> str:
    if "extern" in (one.linkage, other.linkage) and one.linkage != other.linkage:
        return "only one is .extern"
    if other.linkage and other.linkage != one.linkage:
        return f".{other.linkage} after .{one.linkage}" if one.linkage else f".{other.linkage} is missing in the first"
    return ""


def prototype_difference(one: Function, other: Function) -> str:
    """In what two prototypes differ; empty when in nothing."""
    lists = ((one.returns, other.returns, "return value"), (one.parameters, other.parameters, "parameter"))
    for mine, theirs, what in lists:
        if len(mine) != len(theirs):
            return f"the number of {what}s"
        for a, b in zip(mine, theirs, strict=True):
            if (a.space, a.type, a.dims) != (b.space, b.type, b.dims):
                return f"the type of a {what}"
            if a.space == "param" and _alignment(a) != _alignment(b):
                return f"the alignment of a {what}"
    conventions, others = _conventions(one), _conventions(other)
    return next((f".{name}" for name in _CONVENTIONS if conventions.get(name) != others.get(name)), "")


def _alignment(parameter: Parameter) -> int:
    return max(parameter.align, size_of(parameter.type))


_CONVENTIONS = ("noreturn", "abi_preserve", "abi_preserve_control")
"""Directives that callers must know."""


def _conventions(function: Function) -> dict[str, object]:
    found = (d for d in function.directives if isinstance(d, FunctionDirective) and d.name in _CONVENTIONS)
    return {directive.name: directive.arguments for directive in found}


def check_missing_bodies(context: Context) -> None:
    """Every function that is not .extern has a body somewhere in the module, or is an alias or ptxas's own."""
    elsewhere = {item.alias for item in context.module.items if isinstance(item, Alias)} | BUILT_IN
    for name, function in context.functions.items():
        if not function.defined and function.linkage != "extern" and name not in elsewhere:
            message = f"'{name}' has no body in this module"
            context.report("declaration", message, function.pos, token=name, hint="declare it .extern, or define it")


def check_alias(context: Context, scope: Scope, alias: Alias) -> None:
    """Checks `.alias name, function`: both are declared, alike, and the function has a body of its own."""
    problem, token = _alias_problem(context, scope, alias.alias, alias.target)
    if problem:
        context.report("declaration", f".alias: {problem}", alias.pos, token=token)
    context.aliases.add(alias.alias)


def _alias_problem(context: Context, scope: Scope, name: str, target: str) -> tuple[str, str]:
    """What is wrong with an alias, and the name that is at fault."""
    for given in (name, target):
        declared = scope.find(given)
        if declared is None:
            return f"'{given}' is not declared before it", given
        if given not in context.functions:
            return f"'{given}' is not a function", given
        if context.functions[given].kernel:
            return f"'{given}' is a kernel", given
    if name == target:
        return f"'{name}' cannot be an alias of itself", name
    if name in context.aliases:
        return f"'{name}' is already an alias", name
    one, other = context.functions[name], context.functions[target]
    if one.defined:
        return f"'{name}' has a body of its own", name
    if target in context.aliases:
        return f"'{target}' is itself an alias", target
    if other.linkage in ("extern", "weak"):
        return f"'{target}' is .{other.linkage}", target
    different = prototype_difference(one, other)
    return (f"'{name}' and '{target}' differ in {different}", name) if different else ("", "")
