"""`verify`: what ptxas would refuse in a module, found first and said better.

The checks read the ISA table (`weft.isa`) and the module's declarations; nothing about single instructions is known
here.  Codes of the findings are stable and listed in `CODES`.
"""

from __future__ import annotations

from weft.errors import Diagnostic, positions_at
from weft.isa.target import TARGETS, VERSIONS, Target, Version
from weft.ptx.ast import Function, Module, Section
from weft.ptx.verifier.body import check_instruction, scoped_instructions
from weft.ptx.verifier.context import CODES, Context, Scope
from weft.ptx.verifier.declarations import check_parameters
from weft.ptx.verifier.directives import check_function_directives
from weft.ptx.verifier.scopes import declared_items

__all__ = ["CODES", "TARGET_OPTIONS", "verify"]

TARGET_OPTIONS = frozenset({"texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"})
"""What may follow the architecture in a `.target` directive, besides further architectures."""


def verify(module: Module, target: str | None = None, version: str | tuple[int, int] | None = None) -> list[Diagnostic]:
    """Every finding about a module, in text order; no error among them means that ptxas would accept it.

    `target` (`"sm_90a"`) and `version` (`"8.0"`) override what the module's header says.  Raises IsaError when they
    are not a target and a version.
    """
    context = Context(module, target or module.target, Version.parse(version or module.version))
    if _check_header(context):
        for scope, function in declared_items(context):
            if function is not None:
                _check_function(context, scope, function)
    source = module.source
    if source is None:
        return [found for _, found in context.located]
    context.located.sort(key=lambda pair: pair[0])
    places = positions_at(source, (pos for pos, _ in context.located), module.filename)
    return [found.at(place) for place, (_, found) in zip(places, context.located, strict=True)]


def _check_header(context: Context) -> bool:
    """The `.version` and `.target` lines; False when nothing else can be judged."""
    version, name = context.version, context.target
    if version not in VERSIONS:
        context.report("version", f"PTX version {version} is not known; the newest is {VERSIONS[-1]}", 0)
        return False
    found = TARGETS.get(name)
    if found is None:
        hint = "" if name else "the module has no .target"
        context.report("target", f"'{name}' is not a target", 0, token=name, hint=hint)
        return False
    if version < found.least:
        message = f"PTX {version} does not have {name}"
        context.report("target-version", message, 0, token=name, hint=f"{name} needs PTX {found.least}")
        return False
    _check_target_options(context, found)
    return True


def _check_target_options(context: Context, target: Target) -> None:
    """The words after the architecture in `.target`."""
    options = context.module.targets[1:]
    for option in options:
        if option not in TARGET_OPTIONS and option not in TARGETS:
            allowed = tuple(sorted(TARGET_OPTIONS))
            context.report("target", f"'{option}' is not a .target option", 0, token=option, allowed=allowed)
    if {"texmode_unified", "texmode_independent"} <= set(options):
        message = "texmode_unified and texmode_independent cannot both be given"
        context.report("target", message, 0, token="texmode_independent")
    if "map_f64_to_f32" in options and target.number >= 13:
        message = f"{target} has no map_f64_to_f32: only sm_10 to sm_12 do"
        context.report("target", message, 0, token="map_f64_to_f32")
    if "debug" in options and not any(isinstance(item, Section) for item in context.module.items):
        message = "the target says debug, but the module has no debug sections"
        context.report("target", message, 0, token="debug", hint="drop debug, or emit DWARF sections")


def _check_function(context: Context, outer: Scope, function: Function) -> None:
    check_function_directives(context, function)
    check_parameters(context, function)
    if function.linkage == "common":
        context.report("declaration", f"function '{function.name}' cannot be .common", function.pos, token=".common")
    if function.body is None:
        return
    if function.linkage == "extern":
        message = f"function '{function.name}' is .extern and has a body"
        context.report("declaration", message, function.pos, token=".extern", hint="drop .extern or the body")
    for scope, instruction in scoped_instructions(context, outer, function):
        check_instruction(context, scope, instruction)
