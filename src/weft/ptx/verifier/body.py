"""The statements of a function body: declarations, labels, and each instruction against the ISA table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

from weft.errors import Severity
from weft.isa.opcode import Opcode, legal_opcode
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.target import TARGETS, Window, describe_targets, widest
from weft.ptx.ast import (
    Block,
    Directive,
    Function,
    Instruction,
    Label,
    LabelledDirective,
    RegisterDeclaration,
    Statement,
    Variable,
)
from weft.ptx.directive_nodes import CallPrototype, Loc, Pragma
from weft.ptx.operands import Address, Operand, Symbol
from weft.ptx.signature import choose
from weft.ptx.verifier.calls import check_call, check_targets
from weft.ptx.verifier.classes import Key, Legal, deciding, exactly, key_of, legal_at, unknown
from weft.ptx.verifier.context import Context, Name, Scope
from weft.ptx.verifier.declarations import check_formals
from weft.ptx.verifier.mismatch import Fit, Mismatch
from weft.ptx.verifier.operands import Matcher
from weft.ptx.verifier.positions import check_location
from weft.ptx.verifier.pragmas import check_pragma
from weft.ptx.verifier.scopes import declare_parameters, declare_registers, declare_variable

_LABEL = Name("label")


def scoped_instructions(context: Context, outer: Scope, function: Function) -> Iterator[tuple[Scope, Instruction]]:
    """Every instruction of a function with the scope it is in, in text order."""
    for scope, instructions in scoped_runs(context, outer, function):
        yield from zip(repeat(scope), instructions)


def scoped_runs(
    context: Context, outer: Scope, function: Function, within: Scope | None = None
) -> Iterator[tuple[Scope, list[Instruction]]]:
    """The instructions of a function in text order: those of one scope with no declaration between them at a time.

    Declares parameters, registers, variables and labels on the way, and reports what is wrong with them; those of the
    body's own level in `within`, where given.
    """
    scope = within or Scope(outer, len(function.body or []))
    declare_parameters(context, scope, function)
    _declare_labels(context, scope, function.body or [])
    run: list[Instruction] = []
    stack: list[tuple[Scope, Iterator[Statement]]] = [(scope, iter(function.body or []))]
    while stack:  # An explicit stack: nesting in the input must not become recursion here.
        scope, statements = stack[-1]
        for statement in statements:
            if type(statement) is Instruction:
                run.append(statement)
                continue
            late = isinstance(statement, Label) and statement.name in SPECIAL_REGISTERS
            if isinstance(statement, Label | Directive) and not late:
                _check_directive(context, function, statement)
                continue
            if run:
                yield scope, run
                run = []
            if isinstance(statement, Label):
                _declare_label(context, scope, statement.name, _LABEL, statement.pos)
            elif isinstance(statement, RegisterDeclaration):
                declare_registers(context, scope, statement)
            elif isinstance(statement, Variable):
                declare_variable(context, scope, statement)
            elif isinstance(statement, LabelledDirective):  # Unlike labels, these must be before their use.
                named = Name("directive", statement.name, labelled=statement)
                _declare_label(context, scope, statement.label, named, statement.pos)
                check_targets(context, scope, statement)
                if isinstance(statement, CallPrototype):
                    check_formals(context, statement.returns, "prototype", statement.pos)
                    check_formals(context, statement.parameters, "prototype", statement.pos, last=True)
            elif isinstance(statement, Block):
                inner = Scope(scope)
                _declare_labels(context, inner, statement.body)
                stack.append((inner, iter(statement.body)))
                break
        else:
            if run:
                yield scope, run
                run = []
            stack.pop()


def _check_directive(context: Context, function: Function, directive: Directive | Label) -> None:
    if isinstance(directive, Loc):
        check_location(context, directive)
    elif isinstance(directive, Pragma):
        check_pragma(context, directive, "entry body" if function.kernel else "func body")


def _declare_labels(context: Context, scope: Scope, body: list[Statement]) -> None:
    """Declares the labels of a scope, which may be used before they stand, unless they hide special registers."""
    for statement in body:
        if isinstance(statement, Label) and statement.name not in SPECIAL_REGISTERS:
            _declare_label(context, scope, statement.name, _LABEL, statement.pos)


def _declare_label(context: Context, scope: Scope, name: str, declared: Name, pos: int) -> None:
    if name in ("_", "WARP_SZ"):
        context.report("label", f"'{name}' cannot be a label", pos, token=name)
    elif not scope.declare(name, declared):
        context.report("redeclared", f"label '{name}' is already declared", pos, token=name)


def check_instructions(context: Context, scope: Scope, instructions: list[Instruction]) -> None:
    """Checks the instructions of one scope: each combination of an opcode and classes of operands once."""
    legal = legal_at(*context.judged)
    for instruction, key in unknown(legal, scope, instructions):
        _learn(context, scope, instruction, legal, key)


def check_once(context: Context, scope: Scope, instruction: Instruction, legal: Legal) -> bool:
    """Checks one instruction, unless what decides about it is known to be legal, as `check_instruction`."""
    key = key_of(scope, instruction)
    return key in legal or _learn(context, scope, instruction, legal, key)


def _learn(context: Context, scope: Scope, instruction: Instruction, legal: Legal, key: Key) -> bool:
    whatever = check_instruction(context, scope, instruction)
    if whatever and instruction.opcode.effects.control != "call":
        legal.add(key)
    return whatever


def check_instruction(context: Context, scope: Scope, instruction: Instruction) -> bool:
    """Checks one instruction: its guard, its opcode, its operands, and the window of what it is.

    True when nothing was found, nor would be in another instruction of the same key.
    """
    opcode, pos = instruction.opcode, instruction.pos
    before = len(context.located)
    if instruction.guard is not None:
        _check_guard(context, scope, instruction)
    if opcode.problem is not None:
        _report_problem(context, opcode, pos)
        return False
    if not opcode.canonical:
        context.report(
            "modifier-order",
            f"'{opcode.written}' is not in the manual's order",
            pos,
            token=opcode.written,
            hint=f"written {opcode.text}",
            severity=Severity.WARNING,
        )
    if opcode.stem == "cvta" and opcode.slots.get("size") == "u32" and context.module.address_size != 32:
        message = f"'{opcode.text}' converts 32-bit addresses: ptxas cannot generate code for it in a 64-bit module"
        context.report("address", message, pos, token=opcode.text, severity=Severity.WARNING)
    whatever = _check_variants(context, scope, opcode, instruction.operands, pos)
    if opcode.effects.control == "call":
        check_call(context, scope, instruction)
    return whatever and len(context.located) == before


def _check_guard(context: Context, scope: Scope, instruction: Instruction) -> None:
    guard = instruction.guard
    assert guard is not None
    declared = scope.find(guard.register.name)
    if declared is None:
        context.report("undeclared", f"'{guard.register}' is not declared", instruction.pos, token=str(guard.register))
    elif declared.type != "pred":
        context.report("guard", f"guard '{guard.register}' is not a predicate", instruction.pos, token=str(guard))
    for operand in instruction.operands:
        base = operand.base if isinstance(operand, Address) else None
        passed = scope.find(base.name) if isinstance(base, Symbol) else None
        if passed is not None and passed.kind == "var" and passed.space == "param" and passed.hides is None:
            message = f"'{instruction.opcode.text}' of the argument or result '{operand}' cannot have a guard"
            context.report("guard", message, instruction.pos, token=str(guard), hint="branch around it")


def _report_problem(context: Context, opcode: Opcode, pos: int) -> None:
    problem = opcode.problem
    assert problem is not None
    code = "opcode" if opcode.family is None else "combination" if opcode.variants else "modifier"
    context.report(code, problem.message, pos, token=problem.token, allowed=problem.allowed, hint=problem.hint)


def _check_variants(context: Context, scope: Scope, opcode: Opcode, operands: tuple[Operand, ...], pos: int) -> bool:
    """Checks the operands; False when what was found depends on the values of literals."""
    windows, best, tolerated, valued = fitting_windows(context, scope, opcode, operands)
    for item in tolerated:
        message = f"'{opcode.text}': {item.message}; ptxas accepts it, but the manual does not"
        context.report("tolerated", message, pos, token=item.token, hint=item.hint, severity=Severity.WARNING)
    if windows:
        admitted = context.admitted.get(windows)
        if admitted is None:
            admitted = any(window.admits(context.target, context.version) for window in windows)
            context.admitted[windows] = admitted
        if not admitted:
            report_window(context, opcode, windows, pos)
    elif best is not None:
        hint = _without_result(opcode, len(operands)) if best.code == "operand-count" else ""
        context.report(best.code, f"'{opcode.text}': {best.message}", pos, token=best.token, hint=hint or best.hint)
    else:
        context.report("combination", f"'{opcode.text}' does not exist with these operands", pos, token=opcode.text)
    return not valued


def _without_result(opcode: Opcode, operands: int) -> str:
    """What an `atom` without a destination should have been: a `red`."""
    if opcode.stem != "atom":
        return ""
    twin = legal_opcode("red", **opcode.slots)
    taken = twin and any(choose(v.compiled.operands, v.slots, operands) is not None for v in twin.variants)
    return f"use '{twin}', which has no destination" if taken else ""


def fitting_windows(context: Context, scope: Scope, opcode: Opcode, operands: tuple[Operand, ...]) -> Fit:
    """The forms that operands fit; only where they fit none as the manual has it, those that ptxas lets pass."""
    key = (opcode, *[deciding(scope, operand, exactly) for operand in operands])
    known = context.fitting.get(key)
    if known is not None:
        return known
    best: Mismatch | None = None
    found: list[Window] = []
    lenient: Fit | None = None
    valued = False
    for variant in opcode.variants:
        matcher = Matcher(context, scope, variant.slots, opcode.effects)
        mismatch = matcher.match(variant.compiled.operands, operands)
        valued = valued or matcher.valued
        if mismatch is None:
            windows = variant.windows(frozenset(matcher.present))
            if not matcher.tolerated:
                found += windows
            elif windows and lenient is None:
                lenient = Fit(windows, None, tuple(matcher.tolerated))
        elif best is None or mismatch.rank > best.rank:
            best = mismatch
    windows = widest(found)
    if windows:
        fit = context.fitting[key] = Fit(windows, valued=valued)
        return fit
    return lenient or Fit((), best)


def report_window(context: Context, opcode: Opcode, windows: tuple[Window, ...], pos: int) -> None:
    """Reports an opcode that the judged target or version does not have, naming what would do."""
    target, version = context.target, context.version
    here = [w for w in windows if target in w.targets]
    if here:
        least = min(max(w.ptx, TARGETS[target].least) for w in here)
        removed = [w.until for w in here if w.until is not None and version > w.until]
        if removed:
            message = f"'{opcode.text}' was removed from {target} after PTX {max(removed)}"
        else:
            message = f"'{opcode.text}' needs PTX {least}, but the module is PTX {version}"
    else:
        least = min(w.ptx for w in windows)
        targets = describe_targets(frozenset(name for w in windows for name in w.targets))
        message = f"'{opcode.text}' needs PTX {least} and {targets}, but the module is PTX {version}, {target}"
    context.report("window", message, pos, token=opcode.text, hint="; ".join(map(str, windows)))
