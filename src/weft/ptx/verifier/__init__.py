"""`verify`: what ptxas would refuse in a module, found first and said better.

The checks read the ISA table (`weft.isa`) and the module's declarations; nothing about single instructions is known
here.  Codes of the findings are stable and listed in `CODES`.
"""

from __future__ import annotations

from weft.errors import Diagnostic, position_at
from weft.isa.target import TARGETS, VERSIONS, Version
from weft.ptx.ast import Function, Module
from weft.ptx.verifier.body import check_instruction, scoped_instructions
from weft.ptx.verifier.context import CODES, Context, Scope
from weft.ptx.verifier.directives import check_function_directives
from weft.ptx.verifier.scopes import module_scope

__all__ = ["CODES", "verify"]


def verify(module: Module, target: str | None = None, version: str | tuple[int, int] | None = None) -> list[Diagnostic]:
    """Every finding about a module, in text order; no error among them means that ptxas would accept it.

    `target` (`"sm_90a"`) and `version` (`"8.0"`) override what the module's header says.  Raises IsaError when they
    are not a target and a version.
    """
    context = Context(module, target or module.target, Version.parse(version or module.version))
    if not _check_header(context, overridden=target is not None):
        return context.findings
    scope = module_scope(context)
    for item in module.items:
        if isinstance(item, Function):
            _check_function(context, scope, item)
    source = module.source
    if source is None:
        return [found for _, found in context.located]
    context.located.sort(key=lambda pair: pair[0])
    return [found.at(position_at(source, pos, module.filename)) for pos, found in context.located]


def _check_header(context: Context, *, overridden: bool) -> bool:
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
        context.report(
            "target-version",
            f"PTX {version} does not have {name}",
            0,
            token=name,
            hint=f"{name} needs PTX {found.least}",
        )
        return False
    return True


def _check_function(context: Context, outer: Scope, function: Function) -> None:
    check_function_directives(context, function)
    if function.body is None:
        return
    for scope, instruction in scoped_instructions(context, outer, function):
        check_instruction(context, scope, instruction)
