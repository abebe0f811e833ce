"""The manual page of an instruction, read off the ISA table: as data and as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from weft.errors import WeftError, meant, near_names
from weft.isa import Family, Opcode, decode, families
from weft.isa.compiled import CompiledForm
from weft.isa.form import Effects, Row
from weft.isa.registers import SPECIAL_REGISTERS
from weft.isa.registry import compiled_forms
from weft.ptx.sample import sample_statement, sample_variants
from weft.view.columns import bold, table, wrapped

IGNORED = "ignored"
"""The name of an operand that ptxas takes and the manual does not have."""

MANUAL = "https://docs.nvidia.com/cuda/parallel-thread-execution/#"


def listing() -> dict[str, str]:
    """Every family's stem with its one-sentence summary, in alphabetical order."""
    return {stem: family.summary for stem, family in sorted(families().items())}


def page(name: str) -> dict[str, Any]:
    """The page of a family (`ldmatrix`), of one opcode with its modifiers, or the pages of what an operation of `nvvm`
    or `nvgpu` is; `WeftError` when it does not exist.
    """
    if name.startswith("nvvm."):
        return _operation_page(name)
    if name.startswith("nvgpu."):
        return _nvgpu_page(name)
    family = families().get(name)
    if family is not None:
        return _family_page(family)
    opcode = decode(name)
    if opcode.problem is not None:
        raise WeftError(opcode.problem.message, hint=opcode.problem.hint)
    return _opcode_page(opcode)


def _operation_page(name: str) -> dict[str, Any]:
    from weft.dialects.nvvm.instructions import INSTRUCTIONS
    from weft.dialects.nvvm.sregs import PREFIX
    from weft.dialects.nvvm.sregs import SPECIAL_REGISTERS as OPERATIONS

    if name.startswith(PREFIX) and name.removeprefix(PREFIX) in OPERATIONS:
        register = OPERATIONS[name.removeprefix(PREFIX)]
        found = SPECIAL_REGISTERS.get(register)
        exists = [str(found.window)] if found else []
        return {"name": name, "reads": register, "summary": found.summary if found else "", "exists": exists}
    stems = INSTRUCTIONS.get(name)
    if stems is None:
        raise WeftError(f"'{name}' corresponds to no instruction", hint=meant(near_names(name, INSTRUCTIONS, 3)))
    return {"name": name, "instructions": [_family_page(families()[stem]) for stem in stems]}


def _nvgpu_page(name: str) -> dict[str, Any]:
    from weft.dialects.nvgpu.floors import STEMS

    stem = STEMS.get(name.removeprefix("nvgpu."))
    if stem is None:
        known = [f"nvgpu.{operation}" for operation in STEMS]
        raise WeftError(f"'{name}' corresponds to no instruction", hint=meant(near_names(name, known, 3)))
    return {"name": name, "instructions": [_family_page(families()[stem])]}


def _family_page(family: Family) -> dict[str, Any]:
    return {
        "name": family.stem,
        "summary": family.summary,
        "manual": MANUAL + family.manual if family.manual else "",
        "semantics": family.semantics,
        "effects": _effects(family.effects),
        "related": [stem for stem in sorted(families()) if stem.startswith(f"{family.stem}.")],
        "forms": [_form(form) for form in compiled_forms(family.stem) if not is_tolerated(form)],
    }


def is_tolerated(form: CompiledForm) -> bool:
    """Whether only ptxas has a form: one with an operand that it ignores."""
    return any(spec.name == IGNORED and not spec.optional for spec in form.operands)


def syntax(form: CompiledForm) -> str:
    """The syntax line of a form, as in the manual."""
    return form.form.syntax.replace(f"{{, {IGNORED}}}", "")


def _form(form: CompiledForm) -> dict[str, Any]:
    return {
        "syntax": syntax(form),
        "slots": {
            element.slot: [f".{token}" for token in element.tokens]
            for element in form.elements
            if element.slot and element.tokens != (element.slot,)
        },
        "exists": [row(one, form) for one in form.form.rows] or [{"when": "always", "window": str(form.form.window)}],
        "needs": [row(one, form) for one in form.form.needs],
        "rules": [rule.why for rule in form.form.rules],
        "examples": [f"{sample_statement(variant)};" for variant in sample_variants(form)],
    }


def row(row: Row, form: CompiledForm) -> dict[str, str]:
    """A legal combination, or a narrowing: when it applies, and its window."""
    when = [_constraint(slot, wanted) for slot, wanted in row.when.items()]
    when += [f"with {name}" for name in sorted(row.has)]
    if row.where is not None:
        when.append(_condition(row.where))
    return {"when": ", ".join(filter(None, when)) or "always", "window": str(row.window & form.form.window)}


def _constraint(slot: str, wanted: object) -> str:
    if wanted is True:
        return f".{slot}"
    if wanted is False:
        return f"no .{slot}"
    if isinstance(wanted, str):
        return " or ".join(f".{token}" if token else f"no .{slot}" for token in wanted.split("|"))
    return _condition(wanted, slot)


def _condition(test: object, slot: str = "") -> str:
    """A condition that is a function: its docstring's first line, or its name."""
    document = (getattr(test, "__doc__", None) or "").strip().partition("\n")[0].rstrip(".")
    name = getattr(test, "__name__", "").strip("_").replace("_", " ")
    return document or (name if name and name != "<lambda>" else f"some .{slot}" if slot else "some combinations")


def _effects(effects: Effects) -> str:
    parts = {"r": "reads memory", "w": "writes memory", "rw": "reads and writes memory"}
    said = [
        parts.get(effects.memory, ""),
        f"executed by all threads of a {effects.collective} together" if effects.collective else "",
        effects.control,
        "orders memory or execution" if effects.barrier else "",
    ]
    return "; ".join(filter(None, said))


def _opcode_page(opcode: Opcode) -> dict[str, Any]:
    variant = opcode.variants[0]
    return {
        "name": opcode.text,
        "summary": opcode.family.summary if opcode.family else "",
        "manual": MANUAL + opcode.family.manual if opcode.family and opcode.family.manual else "",
        "syntax": syntax(variant.compiled),
        "slots": {slot: f".{token}" for slot, token in variant.slots.items() if token},
        "operands": [_operand(spec, variant.slots) for spec in variant.compiled.operands if spec.name != IGNORED],
        "exists": [str(window) for window in opcode.windows],
    }


def _operand(spec: Any, slots: Mapping[str, str]) -> dict[str, str]:
    count, kind = spec.count(slots), spec.kind
    typed = f".{spec.type(slots)}" if spec.type(slots) and kind != "address" else ""
    access = {"r": "read", "w": "written", "rw": "read and written"}[spec.arg.access or "r"]
    what = f"{count} x {typed}" if kind == "vector" and count else typed
    return {
        "name": spec.name,
        "is": " ".join(filter(None, (kind, what))) + (", optional" if spec.optional else ""),
        "access": access,
    }


def print_listing(listed: Mapping[str, str]) -> None:
    """Print names with their summaries in two columns."""
    for line in table([*listed.items()], indent=0, gap=2):
        name, space, said = line.partition(" ")
        click.echo(f"{name and bold(name)}{space}{said}")


def _say(text: str, indent: int = 0) -> None:
    click.echo(wrapped(text, indent))


def _head(name: str, said: str) -> None:
    click.echo(wrapped(f"{name} - {said}").replace(name, bold(name), 1))


def print_page(found: Mapping[str, Any]) -> None:
    """Print a page: of a family, an opcode, an operation, a special register or a directive."""
    if "exists" in found and "operands" not in found:
        reads = f"reads {found['reads']}: " if "reads" in found else ""
        _head(found["name"], f"{reads}{found['summary']}")
        for key, said in (("syntax", ""), ("place", "allowed in: "), ("type", "type ")):
            if key in found:
                _say(said + found[key], 4)
        if found.get("components"):
            _say(", ".join(found["components"]), 4)
        for window in found["exists"]:
            _say(f"exists from {window}", 4)
        return
    for one in found.get("instructions", (found,)):
        _head(one["name"], one["summary"])
        (_print_family if "forms" in one else _print_opcode)(one)
        if one["manual"]:
            click.echo(one["manual"])
        if one.get("related"):
            _say(f"see also {', '.join(one['related'])}")


def _print_family(found: Mapping[str, Any]) -> None:
    for key in ("semantics", "effects"):
        if found[key]:
            _say(found[key])
    for form in found["forms"]:
        _say("")
        _say(form["syntax"])
        for slot, tokens in form["slots"].items():
            _say(f".{slot} = {', '.join(tokens)}", 4)
        for row in form["exists"]:
            _say(f"{row['when']}: {row['window']}", 4)
        for row in form["needs"]:
            _say(f"{row['when']} needs {row['window']}", 4)
        for rule in form["rules"]:
            _say(f"rule: {rule}", 4)
        for example in form["examples"]:
            _say(example, 4)
    _say("")


def _print_opcode(found: Mapping[str, Any]) -> None:
    _say(f"{found['syntax']}\n")
    for slot, token in found["slots"].items():
        _say(f".{slot} = {token}", 4)
    for operand in found["operands"]:
        _say(f"{operand['name']}: {operand['is']}, {operand['access']}", 4)
    for window in found["exists"]:
        _say(f"exists from {window}", 4)
    _say("")
