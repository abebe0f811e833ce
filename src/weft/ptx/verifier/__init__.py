"""`verify`: what ptxas would refuse in a module, found first and said better.

The checks read the ISA table (`weft.isa`) and the module's declarations; nothing about single instructions is known
here.  Codes of the findings are stable and listed in `CODES`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from weft.collecting import paused
from weft.errors import Diagnostic, IsaError, Position, Severity, positions_at
from weft.isa.target import NEWEST, TARGETS, VERSIONS, Target, Version, is_architecture
from weft.isa.target import target as find_target
from weft.ptx.ast import Function, Module, Section
from weft.ptx.directive_nodes import File, Pragma
from weft.ptx.features import INLINED_AT, features, statements_features
from weft.ptx.header import Header, find_header
from weft.ptx.verifier.body import check_instructions, scoped_runs
from weft.ptx.verifier.calls import check_results, forget_unused
from weft.ptx.verifier.context import Context, Scope, remembered
from weft.ptx.verifier.declarations import check_parameters
from weft.ptx.verifier.directives import check_function_directives
from weft.ptx.verifier.limits import check_memory
from weft.ptx.verifier.positions import READ_INLINED, check_file, check_labels, check_section
from weft.ptx.verifier.pragmas import check_pragma
from weft.ptx.verifier.scopes import declared_items
from weft.ptx.verifier.without_abi import check_without_abi

if TYPE_CHECKING:
    from weft.ptx.functions import Item  # The compiler verifies what it has made without a parser.
    from weft.ptx.verifier.codes import CODES

__all__ = ["CODES", "TARGET_OPTIONS", "verify"]

_WORD = re.compile(r"[\w$%]", re.ASCII)
_PIECE = re.compile(r"[\w$%.]+|[^\w\s]", re.ASCII)
"""What blanks may be between."""

TARGET_OPTIONS = frozenset({"texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"})
"""What may follow the architecture in a `.target` directive, besides further architectures."""


def __getattr__(name: str) -> object:
    if name == "CODES":  # Explanations, which no verification needs.
        from weft.ptx.verifier.codes import CODES

        return CODES
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def verify(
    module: Module,
    target: str | None = None,
    version: str | tuple[int, int] | None = None,
    *,
    constants: Collection[str] = (),
) -> list[Diagnostic]:
    """Check a module as ptxas does.

    Args:
        module: the module.
        target: check for this target (`"sm_90a"`) instead of the header's.
        version: check for this PTX version (`"8.0"`) instead of the header's.
        constants: names that stand for integer literals of unknown values, which are assumed to fit.

    Returns: The findings in text order.  Without an error among them, ptxas is expected to accept the module
    (docs/verifier.md lists the exceptions).

    Raises:
        IsaError: the target or the version is unknown.
    """
    name = module.target.replace("compute_", "sm_", 1) if target is None else find_target(target).name
    context = Context(module, name, Version.parse(version or module.version), constants=frozenset(constants))
    if version is not None and context.version not in VERSIONS:
        raise IsaError(f"unknown PTX version {context.version}", hint=f"the newest is {NEWEST}")
    if _check_header(context):
        if target is None and len(module.targets) > 1:
            context.target = _usable(module.targets, name)
        with paused():
            for scope, item in declared_items(context):
                _check_item(context, scope, item)
            check_labels(context)
            _check_features(context)
            check_memory(context)
            forget_unused(context)
            check_without_abi(context)
    source = module.source
    if source is None:
        return [found for _, found in context.located]
    context.located.sort(key=lambda pair: pair[0])
    made = [found.at(Position(file=module.filename)) for pos, found in context.located if pos == -1]  # By no text.
    located = [(_place(source, pos, found.token), found) for pos, found in context.located[len(made) :]]
    located.sort(key=lambda pair: pair[0])
    places = positions_at(source, (pos for pos, _ in located), module.filename)
    return made + [found.at(place) for place, (_, found) in zip(places, located, strict=True)]


def _place(source: str, pos: int, token: str) -> int:
    """Where the offending piece of a statement stands; the statement, when the piece is not in it as written."""
    if not token or pos == -1:
        return pos
    end = source.find(";", pos)
    end = end if end != -1 else len(source)
    start = source.find(token, pos, end)
    while start != -1:
        before, after = source[start - 1 : start], source[start + len(token) : start + len(token) + 1]
        if not _WORD.fullmatch(after) and after != ":" and (token[0] == "." or not _WORD.fullmatch(before)):
            return start
        start = source.find(token, start + 1, end)
    pieces = _PIECE.findall(token)
    written = re.compile(r"\s*".join(map(re.escape, pieces))).search(source, pos, end) if len(pieces) > 1 else None
    return written.start() if written is not None else pos


def _check_header(context: Context) -> bool:
    """The `.version` and `.target` lines; False when nothing else can be judged."""
    version, name = context.version, context.target
    header = find_header(context.module.source or "")
    if version not in VERSIONS:
        pos = header.version[0] if header is not None else 0
        context.report("version", f"unknown PTX version {version}; the newest is {NEWEST}", pos)
        return False
    pos = header.target(name) if header is not None else 0
    found = TARGETS.get(name)
    if found is None:
        hint = "" if name else "the module has no .target"
        context.report("target", f"unknown target '{name}'", pos, token=name, hint=hint)
        return False
    if version < found.least:  # ptxas does not look at it in a module of nothing else.
        severity = Severity.ERROR if context.module.items else Severity.WARNING
        message, hint = f"PTX {version} does not support {name}", f"{name} needs PTX {found.least}"
        context.report("target-version", message, pos, token=name, hint=hint, severity=severity)
        return severity is Severity.WARNING
    _check_target_options(context, found, header)
    return True


def _usable(words: Sequence[str], name: str) -> str:
    """The target whose features a module may use: ptxas keeps, from sm_100 on, that an earlier word ended in a or f."""
    found = TARGETS[name]
    kept = found.number >= 100 and not found.suffix
    return f"{name}a" if kept and any(is_architecture(word) and word[-1] in "af" for word in words) else name


def _check_target_options(context: Context, target: Target, header: Header | None) -> None:
    """The words after the architecture in `.target`."""

    def report(message: str, token: str, hint: str = "", allowed: tuple[str, ...] = ()) -> None:
        pos = header.target(token) if header is not None else 0
        context.report("target", message, pos, token=token, hint=hint, allowed=allowed)

    options = context.module.targets
    if options and not is_architecture(options[0]):
        report(f"'{options[0]}' is not an architecture", options[0], "write the architecture first")
    named = [(word, TARGETS.get(word.replace("compute_", "sm_", 1))) for word in options]
    architectures = [target if word == context.module.target else found for word, found in named if found is not None]
    for option in options:
        if option == context.module.target:
            continue
        if option not in TARGET_OPTIONS and option.replace("compute_", "sm_", 1) not in TARGETS:
            report(f"'{option}' is not a .target option", option, allowed=tuple(sorted(TARGET_OPTIONS)))
        further = TARGETS.get(option)
        if further is not None and context.version < further.least:
            report(f"PTX {context.version} does not support {option}", option, f"{option} needs PTX {further.least}")
    if not {"texmode_unified", "texmode_independent"} - set(options):
        report("texmode_unified and texmode_independent cannot be combined", "texmode_independent")
    if "map_f64_to_f32" in options and all(architecture.number >= 13 for architecture in architectures):
        report(f"{target} does not support map_f64_to_f32: only sm_10 to sm_12 do", "map_f64_to_f32")
    if "debug" in options and not any(isinstance(item, Section) for item in context.module.items):
        report(
            "the target has the option debug, but the module has no debug sections",
            "debug",
            "drop debug, or emit DWARF sections",
        )


_NOTHING = Function("", kernel=False, body=[])


def _check_features(context: Context) -> None:
    """What is outside instructions, against the PTX version and the target."""
    unread = {
        key: _NOTHING
        for key, twin in context.twins.items()
        if all(use.window.admits(context.target, context.version) for use in statements_features(twin))
    }
    for text, window, pos in features(context.module, unread):
        if window.admits(context.target, context.version):
            continue
        message = f"{text} needs {window}, but the module is PTX {context.version}, {context.target}"
        if text == INLINED_AT and context.version < READ_INLINED:
            message += "; ptxas ignores it"
            context.report("tolerated", message, pos, token=text, severity=Severity.WARNING)
        else:
            context.report("window", message, pos, token=text, hint=str(window))


def _check_item(context: Context, scope: Scope, item: Item) -> None:
    if isinstance(item, Function):
        _check_function(context, scope, item)
    elif isinstance(item, File):
        check_file(context, item)
    elif isinstance(item, Pragma):
        check_pragma(context, item, "module")
    elif isinstance(item, Section):
        check_section(context, item)


def _check_function(context: Context, outer: Scope, function: Function) -> None:
    check_function_directives(context, function)
    check_parameters(context, function)
    if function.linkage == "common":
        context.report("declaration", f"function '{function.name}' cannot be .common", function.pos, token=".common")
    if not function.defined:
        return
    if function.linkage == "extern":
        message = f"function '{function.name}' is .extern but has a body"
        context.report("declaration", message, function.pos, token=".extern", hint="drop .extern or the body")
    context.kernel, context.function = function.kernel, function.name
    context.passed.clear()
    context.fitting = remembered(context)
    if function.unread is not None:
        from weft.ptx.verifier.outlines import check_outline

        if check_outline(context, outer, function):
            return
    context.passed.clear()
    for scope, instructions in scoped_runs(context, outer, function):
        check_instructions(context, scope, instructions)
    if context.passed:
        check_results(context, function)
