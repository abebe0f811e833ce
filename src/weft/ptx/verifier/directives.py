"""Function directives: legality, arguments and conflicts; where they exist is said in `weft.ptx.features`.

The conflicts are ptxas's own answers; the argument rules are the PTX manual's, sections "Performance-Tuning
Directives" and "Cluster Dimension Directives".
"""

from __future__ import annotations

from weft.dataclass import dataclass
from weft.errors import Severity
from weft.ptx.ast import Function
from weft.ptx.directive_nodes import FunctionDirective, Pragma
from weft.ptx.features import FUNCTION_DIRECTIVES
from weft.ptx.verifier.context import Context
from weft.ptx.verifier.pragmas import check_pragma


@dataclass(frozen=True, slots=True)
class _Rule:
    """Where a directive may be: `on` is `entry` or `func`; `arguments` the least and most it takes.

    `most` is the largest number that it can have.
    """

    on: str
    arguments: tuple[int, int]
    positive: bool = False
    once: bool = False
    most: int = (1 << 32) - 1


_RULES = {
    "maxnreg": _Rule("entry", (1, 1), positive=True),
    "maxntid": _Rule("entry", (1, 3), positive=True),
    "reqntid": _Rule("entry", (1, 3), positive=True),
    "minnctapersm": _Rule("entry", (1, 1), positive=True),
    "maxnctapersm": _Rule("entry", (1, 1), positive=True),
    "local_maxnreg": _Rule("entry func", (1, 1), positive=True),
    "noreturn": _Rule("func", (0, 0), once=True),
    "abi_preserve": _Rule("func", (1, 1), once=True, most=237),
    "abi_preserve_control": _Rule("func", (1, 1), once=True, most=11),
    "explicitcluster": _Rule("entry", (0, 0)),
    "reqnctapercluster": _Rule("entry", (1, 3)),
    "maxclusterrank": _Rule("entry", (1, 1)),
    "blocksareclusters": _Rule("entry", (0, 0)),
}

_CONFLICTS = (("maxntid", "reqntid"), ("reqnctapercluster", "maxclusterrank"))


def check_function_directives(context: Context, function: Function) -> None:
    """Checks the directives between a function's parameter list and its body."""
    present = {directive.name: directive for directive in function.directives}
    for directive in function.directives:
        if isinstance(directive, Pragma):
            _check_pragma(context, function, directive)
            continue
        rule = _RULES.get(directive.name)
        if rule is not None and isinstance(directive, FunctionDirective):
            _check_directive(context, function, directive, rule)
        if rule is not None and rule.once and present[directive.name] is not directive:
            message = f".{directive.name} is given twice"
            context.report("directive", message, present[directive.name].pos, token=f".{directive.name}")
    if not function.defined and "local_maxnreg" in present:
        message = ".local_maxnreg is allowed only before a body"
        context.report("directive", message, present["local_maxnreg"].pos, token=".local_maxnreg")
    names = [directive.name for directive in function.directives]
    if "noreturn" in names and any(name.startswith("abi_") for name in names[: names.index("noreturn")]):
        message = ".noreturn must come before .abi_preserve and .abi_preserve_control"
        context.report("directive", message, present["noreturn"].pos, token=".noreturn")
    if "noreturn" in present and function.returns:
        message = f".noreturn: '{function.name}' has a return value"
        context.report("directive", message, present["noreturn"].pos, token=".noreturn")
    for one, other in _CONFLICTS:
        if one in present and other in present:
            message = f".{one} and .{other} cannot be combined"
            context.report("directive", message, present[other].pos, token=f".{other}", hint=f"keep .{other} only")
    ignored = present.get("minnctapersm")
    if ignored is not None and function.kernel and not {"reqntid", "maxntid"} & present.keys():
        message = ".minnctapersm is ignored without .maxntid or .reqntid"
        context.report("directive", message, ignored.pos, token=".minnctapersm", severity=Severity.WARNING)
    clusters = present.get("blocksareclusters")
    if clusters is not None and {"reqntid", "reqnctapercluster"} - present.keys():
        message = ".blocksareclusters needs .reqntid and .reqnctapercluster"
        context.report("directive", message, clusters.pos, token=".blocksareclusters")


def _check_directive(context: Context, function: Function, directive: FunctionDirective, rule: _Rule) -> None:
    name = f".{directive.name}"
    kind = "entry" if function.kernel else "func"
    if kind not in rule.on:
        context.report("directive", f"{name} is not allowed on a .{kind}", directive.pos, token=name)
        return
    where = FUNCTION_DIRECTIVES.get(directive.name)
    if where is not None and not where.admits(context.target, context.version):
        return
    values = directive.values
    least, most = rule.arguments
    if not least <= len(values) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        context.report("directive", f"{name} takes {wanted} numbers, got {len(values)}", directive.pos, token=name)
    elif rule.positive and not all(values):
        context.report("directive", f"{name} must be positive", directive.pos, token=name)
    elif max(values, default=0) > rule.most:
        context.report("directive", f"{name}: {max(values)} exceeds {rule.most}", directive.pos, token=name)


def _check_pragma(context: Context, function: Function, directive: Pragma) -> None:
    if function.kernel:
        check_pragma(context, directive, "entry")
    else:
        context.report("directive", ".pragma is not allowed on a .func", directive.pos, token=".pragma")
