"""Variables and parameters: which types, spaces, extents and initial values a declaration may have.

Sources: PTX manual, chapter "State Spaces, Types, and Variables"; the refusals are ptxas's own.
"""

from __future__ import annotations

from math import prod

from weft.errors import Severity
from weft.isa.types import DECLARABLE, PASSED_OVER, TYPES
from weft.ptx.ast import Function, Parameter, Variable
from weft.ptx.features import parameter_bytes
from weft.ptx.verifier.context import Context, Scope
from weft.ptx.verifier.initializers import initial_value_problem

_NOT_AT_MODULE_LEVEL = frozenset({"local", "reg", "param"})
_OPAQUE = frozenset({"texref", "samplerref", "surfref"})
_CONSTANT_BANKS = 11
MAX_VECTOR_BITS = 128
MAX_PARAMETER_ALIGNMENT = 128
MAX_PARAMETER_BYTES = 32764
_WRAPPED = 1 << 31
"""The upper half of the extents that ptxas sees no upper half of, where it makes room for the elements."""


def check_variable(context: Context, scope: Scope, variable: Variable, *, module_level: bool) -> None:
    """Checks one variable's declaration."""
    problem = _variable_problem(context, variable, module_level=module_level) or _initial_problem(scope, variable)
    if problem:
        context.report("declaration", f"'{variable.name}': {problem}", variable.pos, token=variable.name)
    elif variable.space != "global" and _passed_over(variable, module_level=module_level):
        tolerate_type(context, variable.type, variable.pos)
    else:
        _tolerate_extents(context, variable.dims, variable.pos)


def tolerate_type(context: Context, type_: str, pos: int) -> None:
    """Warns of a type that nothing may be declared with, in a place where ptxas does not look at the type."""
    hint = f"use .b{TYPES[type_].bits}" if type_ in PASSED_OVER else f"declare a .{type_} alone"
    message = f".{type_} cannot be declared here; ptxas accepts it, but the manual does not"
    context.report("tolerated", message, pos, token=f".{type_}", hint=hint, severity=Severity.WARNING)


def _tolerate_extents(context: Context, dims: tuple[int, ...], pos: int) -> None:
    for extent in dims:
        if extent >> 63 > 0:
            message = f"an array of {extent} elements: ptxas reads the number as negative, and accepts it"
            context.report("tolerated", message, pos, token=str(extent), severity=Severity.WARNING)


def _passed_over(variable: Variable, *, module_level: bool) -> bool:
    """Whether ptxas does not look at the opaque type of a variable: it does not at those of arrays.

    It does not look at packed types in arrays either, but its code generator comes to grief over them.
    """
    space = variable.space
    opaque = variable.type in _OPAQUE and bool(variable.dims) and not variable.vector
    return opaque and module_level and space in ("global", "const", "shared", "local")


def _variable_problem(context: Context, variable: Variable, *, module_level: bool) -> str:
    space = variable.space
    if variable.type not in DECLARABLE and variable.type not in _OPAQUE:
        return f".{variable.type} cannot be the type of a variable"
    passed_over = _passed_over(variable, module_level=module_level)
    if module_level and space in _NOT_AT_MODULE_LEVEL and (space != "local" or context.version >= (3, 0)):
        return f"a variable in .{space} is not allowed at module level"
    if space == "tex":
        return _texture_problem(context, variable, module_level=module_level)
    if variable.linkage == "common" and (space != "global" or (variable.type in _OPAQUE and not passed_over)):
        return "a .common variable must be in .global and have a data type"
    if variable.type in _OPAQUE and variable.vector:
        return f"a .{variable.type} is not a vector"
    if variable.type == "samplerref" and not passed_over and "texmode_independent" not in context.module.targets:
        return "a .samplerref needs .target texmode_independent"
    if variable.type in _OPAQUE and not passed_over and not (module_level and space == "global"):
        return f"a .{variable.type} must be in .global at module level"
    banked = _bank_problem(context, variable, space) if space.startswith("const") else ""
    return banked or _shape_problem(variable, space)


def _texture_problem(context: Context, variable: Variable, *, module_level: bool) -> str:
    """`.tex` variables, which PTX 1.4 and before had for textures."""
    if context.version >= (1, 5):
        return ".tex variables were removed in PTX 1.5; use .global .texref"
    if variable.type not in ("u32", "u64") or variable.dims or variable.vector:
        return "a .tex variable must be .u32 or .u64"
    return "" if module_level else "a .tex variable must be at module level"


def _shape_problem(variable: Variable, space: str) -> str:
    type_ = TYPES.get(variable.type)
    if type_ is not None and type_.kind == "p":
        return "a predicate must be a register"
    if space == "param" and not variable.dims and (variable.vector or variable.type == "f16x2"):
        return "vectors and packed types cannot be in .param"
    if variable.count >> 32:
        return f"{variable.count} variables: the count exceeds 32 bits"
    if variable.align & (variable.align - 1):
        return f"alignment {variable.align} is not a power of two"
    if space == "param" and variable.align > MAX_PARAMETER_ALIGNMENT:
        return f"alignment {variable.align} exceeds {MAX_PARAMETER_ALIGNMENT}"
    if variable.vector == "v8":
        return "vectors of variables must have two or four elements"
    if type_ is not None and variable.vector and type_.bits * int(variable.vector[1:]) > MAX_VECTOR_BITS:
        return f".{variable.vector} .{variable.type} is wider than {MAX_VECTOR_BITS} bits"
    if variable.attributes and space != "global":
        return f".attribute(.{variable.attributes[0].name}) needs .global"
    return ""


def _bank_problem(context: Context, variable: Variable, space: str) -> str:
    """Constant banks, which PTX had before 2.2: 0 for variables, 1 to 10 for external arrays without an extent."""
    if context.version >= (2, 2):
        return ""
    bank = int(space[6:-1] or 0) if "[" in space else 0
    if bank >= _CONSTANT_BANKS:
        return f"constant banks must be 0 to {_CONSTANT_BANKS - 1}"
    outside = variable.linkage == "extern" and any(extent <= 0 for extent in variable.dims)
    if outside and not bank:
        return f"an .extern array without an extent must be in a constant bank of 1 to {_CONSTANT_BANKS - 1}"
    return "" if outside or not bank else f"constant bank {bank} can contain only .extern arrays without an extent"


def _initial_problem(scope: Scope, variable: Variable) -> str:
    space = variable.space
    incomplete = any(extent <= 0 for extent in variable.dims)
    filled = variable.initializer is not None or (space == "const" and variable.linkage != "extern")
    if filled and any(extent >> 32 > _WRAPPED for extent in variable.dims):
        return "an extent exceeds 63 bits"
    if variable.initializer is not None:
        if variable.linkage == "extern":
            return "an .extern variable cannot have an initial value"
        if space not in ("global", "const"):
            return f"a variable in .{space} cannot have an initial value"
        return initial_value_problem(scope, variable)
    if incomplete and variable.linkage != "extern":
        return "only an .extern array can omit its extent"
    return ""


def check_parameters(context: Context, function: Function) -> None:
    """Checks a function's parameters and return values."""
    if function.linkage == "extern" and not function.kernel:
        owner = "extern"
    else:
        owner = "entry" if function.kernel else "func"
    check_formals(context, function.returns, owner)
    check_formals(context, function.parameters, owner, last=True)
    if len(function.returns) > 1 and any(value.space == "param" for value in function.returns):
        message = f"'{function.name}' returns several values: they must be in .reg"
        context.report("declaration", message, function.pos, token=function.name)
    if function.kernel:
        _check_size(context, function)


def check_formals(context: Context, formals: list[Parameter], owner: str, pos: int = -1, *, last: bool = False) -> None:
    """Checks parameters or return values of an `entry`, a `func`, an `extern` function or a `prototype`.

    `pos` is where those of a prototype stand; `last` says that the last one may have no extent.
    """
    for index, formal in enumerate(formals):
        problem = _parameter_problem(context, formal, owner, open_=last and index == len(formals) - 1)
        where = pos if formal.pos == -1 else formal.pos
        if problem:
            name = formal.name or "_"
            context.report("declaration", f"parameter '{name}': {problem}", where, token=name)
        elif _formal_passed_over(formal, owner):
            tolerate_type(context, formal.type, where)
        else:
            _tolerate_extents(context, formal.dims, where)


def _formal_passed_over(formal: Parameter, owner: str) -> bool:
    """Whether ptxas does not look at the type of a parameter: functions without a body, and opaque arrays."""
    if formal.type in DECLARABLE:
        return formal.type == "pred" and formal.space == "param"
    if formal.vector:
        return False
    if formal.type in _OPAQUE:
        if owner == "entry":
            return formal.type == "samplerref" and bool(formal.dims)
        return owner == "extern" or (owner == "func" and formal.space == "param" and bool(formal.dims))
    return formal.type in PASSED_OVER and owner in ("extern", "prototype")


def _check_size(context: Context, function: Function) -> None:
    """A kernel's parameters take no more than `MAX_PARAMETER_BYTES` anywhere."""
    size = parameter_bytes(function.parameters)
    if size > MAX_PARAMETER_BYTES:
        message = f"the parameters of '{function.name}' take {size} bytes; at most {MAX_PARAMETER_BYTES} are allowed"
        context.report("declaration", message, function.pos, token=function.name)


def _parameter_problem(context: Context, parameter: Parameter, owner: str, *, open_: bool) -> str:
    """What is wrong with a parameter; ptxas looks less closely at those of functions without a body."""
    problem = _parameter_type_problem(context, parameter, owner)
    if problem:
        return problem
    with_body = owner in ("entry", "func")
    if parameter.type == "pred" and (parameter.dims or (with_body and parameter.space == "param")):
        return "a predicate must be a scalar register"
    if parameter.space == "reg":
        if owner == "entry":
            return "a kernel's parameters must be in .param"
        if parameter.dims and with_body:
            return "an array cannot be in registers"
        return _vector_problem(parameter.type, parameter.vector)
    if with_body and (parameter.vector or (parameter.type == "f16x2" and not parameter.dims)):
        return "vectors and packed types cannot be in .param"
    return (
        _vector_problem(parameter.type, parameter.vector)
        or _extent_problem(parameter, owner, open_=open_)
        or _alignment_problem(parameter, owner)
    )


def _parameter_type_problem(context: Context, parameter: Parameter, owner: str) -> str:
    if parameter.type not in DECLARABLE and not _formal_passed_over(parameter, owner):
        if parameter.type not in _OPAQUE:
            return f".{parameter.type} cannot be the type of a parameter"
        if owner != "entry":
            return f"only kernels can have .{parameter.type} parameters"
        if parameter.vector:
            return f"a .{parameter.type} is not a vector"
        if parameter.type == "samplerref" and "texmode_independent" not in context.module.targets:
            return "a .samplerref needs .target texmode_independent"
    return "parameters of functions must be named" if owner in ("func", "extern") and parameter.name == "_" else ""


def _vector_problem(type_: str, vector: str) -> str:
    """What is wrong with a vector in registers."""
    if not vector:
        return ""
    if type_ == "pred":
        return "predicates must be scalars"
    if vector == "v8" or TYPES[type_].bits * int(vector[1:]) > MAX_VECTOR_BITS:
        return f".{vector} .{type_}: vectors have two or four elements and at most {MAX_VECTOR_BITS} bits"
    return ""


def _extent_problem(parameter: Parameter, owner: str, *, open_: bool) -> str:
    if any(extent >> 32 > 0 and (owner == "entry" or not extent >> 63) for extent in parameter.dims):
        return "an extent exceeds 32 bits"
    if len(parameter.dims) > 1:
        return f"a parameter can have only one extent, such as [{prod(map(abs, parameter.dims))}]"
    if not any(extent <= 0 for extent in parameter.dims):
        return ""
    if owner == "entry":
        return "a kernel's parameter must have an extent"
    return "" if open_ else "only the last parameter can omit its extent"


def _alignment_problem(parameter: Parameter, owner: str) -> str:
    pointer = parameter.pointer
    if pointer is not None and owner != "entry":
        return ".ptr is allowed on kernel parameters only"
    for align in (parameter.align, pointer.align if pointer is not None else 0):
        if align & (align - 1):
            return f"alignment {align} is not a power of two"
    if parameter.align > MAX_PARAMETER_ALIGNMENT and owner == "func":
        return f"alignment {parameter.align} exceeds {MAX_PARAMETER_ALIGNMENT}"
    return ""
