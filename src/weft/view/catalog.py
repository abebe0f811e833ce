"""What the instruction set has, by name, by pattern, by target, and what two targets do not share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import Any

from weft.errors import WeftError, meant, near_names
from weft.isa import families
from weft.isa.compiled import CompiledForm
from weft.isa.directives import DIRECTIVES, DirectiveFacts
from weft.isa.form import Row
from weft.isa.registers import SPECIAL_REGISTERS, SpecialRegister
from weft.isa.registry import compiled_forms
from weft.isa.target import Window
from weft.isa.target import target as find_target
from weft.view import manual

Catalog = dict[str, str]
"""Names with their one-sentence summaries."""


def everything() -> Catalog:
    """Every family, special register and directive."""
    registers = {register.name: register.summary for register in SPECIAL_REGISTERS.values()}
    directives = {name: directive.summary for name, directive in DIRECTIVES.items()}
    return {**manual.listing(), **registers, **directives}


def matching(name: str) -> Catalog:
    """What a pattern (`cp.*.tensor`), or the start of names (`tcgen05`, `clusterl`), stands for, in any case.

    Names that go on with a dot come first: those that only begin alike count where there is none of these.
    """
    wanted = name.lower()
    if any(sign in wanted for sign in "*?["):
        return {known: said for known, said in everything().items() if fnmatchcase(known.lower(), wanted)}
    if wanted[:1] in ("%", "."):
        return {known: said for known, said in everything().items() if known.lower().startswith(wanted)}
    named = manual.listing()
    for start in (f"{wanted.rstrip('.')}.", wanted if wanted not in named else ""):
        if start and (found := {known: said for known, said in named.items() if known.startswith(start)}):
            return found
    return {}


def look_up(name: str) -> dict[str, Any]:
    """The page of one thing, or `{"matches": Catalog}` where the name stands for several.

    Raises WeftError, with the nearest names, for what does not exist.
    """
    wanted = name.lower()
    if name.partition(".")[0] in ("nvvm", "nvgpu"):
        return manual.page(name)
    if wanted in SPECIAL_REGISTERS:
        return register_page(SPECIAL_REGISTERS[wanted])
    if wanted in DIRECTIVES:
        return directive_page(DIRECTIVES[wanted])
    if wanted in families():
        return manual.page(wanted)
    found = matching(name)
    if found:
        return {"matches": found}
    if wanted[:1] in ("%", ".") or any(sign in wanted for sign in "*?["):
        raise WeftError(f"nothing named '{name}'", hint=meant(near_names(wanted, everything(), 3)))
    return _opcode(name)


def _opcode(name: str) -> dict[str, Any]:
    try:
        return manual.page(name)
    except WeftError:
        if name != name.lower():
            return manual.page(name.lower())
        raise


def register_page(register: SpecialRegister) -> dict[str, Any]:
    """The page of a special register."""
    return {
        "name": register.name,
        "summary": register.summary,
        "type": f".{register.type}",
        "components": [f"{register.name}.{part}" for part in register.components],
        "exists": [str(register.window)],
    }


def directive_page(directive: DirectiveFacts) -> dict[str, Any]:
    """The page of a directive."""
    return {
        "name": directive.name,
        "summary": directive.summary,
        "syntax": directive.syntax,
        "place": directive.place,
        "exists": [str(directive.window)],
    }


# -- targets ------------------------------------------------------------------------------------------------------


def _has(window: Window, target: str) -> bool:
    return target in window.targets


def _rows(form: CompiledForm) -> Iterator[tuple[str, Window]]:
    """The legal combinations of a form, and each token that exists in fewer places: what it is, and where."""
    syntax = manual.syntax(form)
    if not form.form.rows:
        yield syntax, form.form.window
    for row in form.form.rows:
        yield _said(syntax, row, form), row.window & form.form.window
    for row in form.form.needs:
        yield _said(syntax, row, form), row.window & form.form.window


def _said(syntax: str, row: Row, form: CompiledForm) -> str:
    when = manual.row(row, form)["when"]
    return syntax if when == "always" else f"{syntax} with {when.removeprefix('with ')}"


def of_target(target: str, name: str | None = None) -> dict[str, Any]:
    """The families, special registers and directives that a target has, those that `name` stands for where given."""
    known = find_target(target).name
    wanted = (
        everything() if name is None else {**matching(name), **{n: s for n, s in everything().items() if n == name}}
    )
    there: dict[str, Callable[[], bool]] = {
        **{stem: lambda stem=stem: any(_has(w, known) for form in _main_forms(stem) for _, w in _main_rows(form))
           for stem in families()},
        **{n: lambda r=r: _has(r.window, known) for n, r in SPECIAL_REGISTERS.items()},
        **{n: lambda d=d: _has(d.window, known) for n, d in DIRECTIVES.items()},
    }  # fmt: skip
    found = {n: said for n, said in wanted.items() if there[n]()}
    if not found:
        raise WeftError(
            f"{known} has nothing named '{name}'", hint="" if wanted else meant(near_names(str(name), everything(), 3))
        )
    return {"target": known, "matches": found}


def _main_forms(stem: str) -> list[CompiledForm]:
    return [form for form in compiled_forms(stem) if not manual.is_tolerated(form)]


def _main_rows(form: CompiledForm) -> Iterator[tuple[str, Window]]:
    """The legal combinations alone, without what narrows them."""
    if not form.form.rows:
        yield "", form.form.window
    for row in form.form.rows:
        yield "", row.window & form.form.window


def difference(old: str, new: str) -> dict[str, Any]:
    """What only one of two targets has: combinations of modifiers, special registers and directives."""
    first, second = find_target(old).name, find_target(new).name
    found: dict[str, list[str]] = {first: [], second: []}

    def note(said: str, windows: list[Window]) -> None:
        mine, theirs = (any(_has(w, t) for w in windows) for t in (first, second))
        if mine != theirs:
            found[first if mine else second].append(said)

    for stem in sorted(families()):
        rows: dict[str, list[Window]] = {}
        for form in _main_forms(stem):
            for said, window in _rows(form):
                rows.setdefault(said, []).append(window)
        for said, windows in rows.items():
            note(said, windows)
    for register in {register.name: register for register in SPECIAL_REGISTERS.values()}.values():
        note(register.name, [register.window])
    for directive in DIRECTIVES.values():
        note(directive.syntax, [directive.window])
    return {"only": found}
