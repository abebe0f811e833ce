"""Variables and parameters: which types, spaces, extents and initial values a declaration may have.

Sources: PTX manual, chapter "State Spaces, Types, and Variables"; the refusals are ptxas's own.
"""

from __future__ import annotations

from weft.isa.types import DECLARABLE, TYPES
from weft.ptx.ast import Function, Parameter, Variable
from weft.ptx.verifier.context import Context

_NOT_AT_MODULE_LEVEL = frozenset({"local", "reg", "param"})
_OPAQUE = frozenset({"texref", "samplerref", "surfref"})
_MAX_VECTOR_BITS = 128


def check_variable(context: Context, variable: Variable, *, module_level: bool) -> None:
    """Checks one variable's declaration."""
    problem = _variable_problem(context, variable, module_level=module_level)
    if problem:
        context.report("declaration", f"'{variable.name}': {problem}", variable.pos, token=variable.name)


def _variable_problem(context: Context, variable: Variable, *, module_level: bool) -> str:
    space = variable.space.partition("::")[0]
    if variable.type not in DECLARABLE and variable.type not in _OPAQUE:
        return f".{variable.type} cannot be the type of a variable"
    if module_level and space in _NOT_AT_MODULE_LEVEL:
        return f"a variable in .{space} cannot stand at module level"
    if space == "tex" and context.version >= (1, 5):
        return ".tex variables do not exist since PTX 1.5; use .global .texref"
    if variable.linkage == "common" and space != "global":
        return "a .common variable must be in .global"
    if variable.type == "samplerref" and "texmode_independent" not in context.module.targets:
        return "a .samplerref needs .target texmode_independent"
    return _shape_problem(variable, space) or _initial_problem(variable, space)


def _shape_problem(variable: Variable, space: str) -> str:
    type_ = TYPES.get(variable.type)
    if type_ is not None and type_.kind == "p":
        return "a predicate must be a register"
    if variable.align & (variable.align - 1):
        return f"alignment {variable.align} is not a power of two"
    if type_ is not None and variable.vector and type_.bits * int(variable.vector[1:]) > _MAX_VECTOR_BITS:
        return f".{variable.vector} .{variable.type} is wider than {_MAX_VECTOR_BITS} bits"
    if any("managed" in attribute for attribute in variable.attributes) and space != "global":
        return ".attribute(.managed) needs .global"
    return ""


def _initial_problem(variable: Variable, space: str) -> str:
    incomplete = any(extent <= 0 for extent in variable.dims)
    if variable.initializer:
        if variable.linkage == "extern":
            return "an .extern variable has no initial value"
        if space not in ("global", "const"):
            return f"a variable in .{space} has no initial value"
    elif incomplete and variable.linkage != "extern" and space != "param":
        return "only an .extern array may have no extent"
    return ""


def check_parameters(context: Context, function: Function) -> None:
    """Checks a function's parameters and return values."""
    for parameter in (*function.returns, *function.parameters):
        problem = _parameter_problem(function, parameter)
        if problem:
            name = parameter.name or "_"
            context.report("declaration", f"parameter '{name}': {problem}", parameter.pos, token=name)
    if len(function.returns) > 1 and any(value.space == "param" for value in function.returns):
        message = f"'{function.name}' returns several values: they must be in .reg"
        context.report("declaration", message, function.pos, token=function.name)


def _parameter_problem(function: Function, parameter: Parameter) -> str:
    type_ = TYPES.get(parameter.type)
    if type_ is None and parameter.type not in _OPAQUE:
        return f".{parameter.type} is not a type"
    if parameter.space == "reg":
        return "a kernel's parameters must be in .param" if function.kernel else ""
    if type_ is not None and type_.kind == "p":
        return "a predicate must be a register"
    if parameter.type == "f16x2" or parameter.vector:
        return "vectors and packed types cannot be in .param"
    if function.kernel and any(extent <= 0 for extent in parameter.dims):
        return "a kernel's parameter must have an extent"
    return ""
