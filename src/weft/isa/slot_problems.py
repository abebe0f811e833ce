"""Why no form of a family takes the slots that somebody named: the slot at fault, and what could be in it."""

from __future__ import annotations

from collections.abc import Mapping

from weft.errors import meant, near_names
from weft.isa.compiled import CompiledForm

_MOST_LISTED = 12


def slot_problem(stem: str, forms: tuple[CompiledForm, ...], given: Mapping[str, str | bool]) -> tuple[str, str]:
    """A message that names the slot at fault, and a hint; for slots that no form of `stem` takes together."""
    known = dict.fromkeys(e.slot for form in forms for e in form.elements if e.slot)
    for name in given:
        if name not in known:
            near = near_names(name, known)
            listed = f"its slots are {', '.join(known)}" if known else "it has none"
            return f"'{stem}' has no slot '{name}'", meant(near, listed)
    for name, token in given.items():
        allowed = list(dict.fromkeys(t for form in forms for e in form.elements if e.slot == name for t in e.tokens))
        if isinstance(token, str) and token and token not in allowed:
            near = near_names(token.lstrip("."), allowed)
            return f"slot '{name}' of '{stem}' cannot be '{token}'", _hint(near, allowed)
    return min((_mismatch(stem, form, given) for form in forms), key=lambda found: found[0])[1:]


def _mismatch(stem: str, form: CompiledForm, given: Mapping[str, str | bool]) -> tuple[int, str, str]:
    """How far the slots are from one form, and its first objection."""
    places = {e.slot: e for e in form.elements if e.slot}
    found: list[tuple[str, str]] = []
    for name, token in given.items():
        place = places.get(name)
        if place is None:
            if token:
                found.append((f"'{form.form.syntax}' has no slot '{name}'", f"leave {name} out"))
        elif token is True and len(place.tokens) > 1:
            found.append((f"slot '{name}' of '{stem}' needs a token", _hint([], list(place.tokens))))
        elif isinstance(token, str) and token and token not in place.tokens:
            found.append((f"slot '{name}' of '{stem}' cannot be '{token}' here", _hint([], list(place.tokens))))
    for name, place in places.items():
        if not place.optional and not given.get(name):
            found.append((f"'{stem}' lacks slot '{name}'", _hint([], list(place.tokens))))
    message, hint = found[0] if found else (f"no form of '{stem}' takes these slots", "")
    return len(found), message, hint or f"syntax: {form.form.syntax}"


def _hint(near: list[str], allowed: list[str]) -> str:
    if near or not allowed:
        return meant(near)
    more = f" or {len(allowed) - _MOST_LISTED} more" if len(allowed) > _MOST_LISTED else ""
    return f"use one of {', '.join(allowed[:_MOST_LISTED])}{more}" if len(allowed) > 1 else f"use {allowed[0]}"
