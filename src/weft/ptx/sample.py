"""Statements that show what a form takes: operands made up from its signature."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from weft.isa.compiled import CompiledForm, OperandSpec
from weft.isa.form import WORD_SPACES, Row, Slots
from weft.isa.opcode import Variant
from weft.isa.types import TYPES

_BY_BITS = {1: "%p", 8: "%c", 16: "%rs", 32: "%r", 64: "%rd", 128: "%rq"}
_MOST_TRIES = 2000


def sample_statement(variant: Variant) -> str:
    """A statement of an opcode's form, without semicolon; no register is in it twice, and no optional operand."""
    slots, used = variant.slots, dict[str, int]()
    operands = [_sample(spec, slots, used) for spec in variant.compiled.operands if spec.demanded(slots)]
    return f"{variant.compiled.spell(variant.slots)} {', '.join(operands)}".rstrip()


def sample_variants(form: CompiledForm) -> Iterator[Variant]:
    """For each row of a form an opcode that it makes legal, with as few modifiers as will do.

    None for a form that only ptxas has: one with an operand that it ignores.
    """
    for row in form.form.rows or (Row({}, form.form.window),):
        tried = (dict(zip(_names(form), tokens, strict=True)) for tokens in product(*_choices(form, row)))
        legal = (slots for slots in islice(tried, _MOST_TRIES) if row.matches(slots) and form.windows(slots))
        slots = next(legal, None)
        if slots is not None and not any("present" in s.lenient(slots) for s in form.operands if not s.optional):
            yield Variant(form, slots)


def _names(form: CompiledForm) -> list[str]:
    return [element.slot for element in form.elements if element.slot]


def _choices(form: CompiledForm, row: Row) -> list[tuple[str, ...]]:
    """For each slot the tokens that a row leaves open, none first."""
    found: list[tuple[str, ...]] = []
    for element in form.elements:
        if element.slot:
            tokens = ("", *element.tokens) if element.optional else element.tokens
            wanted = Row({name: row.when[name] for name in (element.slot,) if name in row.when}, row.window)
            found.append(tuple(token for token in tokens if wanted.matches({element.slot: token})))
    return found


def _sample(spec: OperandSpec, slots: Slots, used: dict[str, int]) -> str:
    if spec.kind == "address":
        base = _register("b32" if spec.arg.space in WORD_SPACES else "b64", used)
        return "[" + ", ".join((base, *(_sample(s, slots, used) for s in spec.rest if not s.optional))) + "]"
    if spec.kind == "tuple":
        return "{" + ", ".join(_sample(s, slots, used) for s in spec.rest) + "}"
    if spec.arg.label or spec.arg.directive or (spec.arg.symbol and not spec.type(slots)):
        return "name"
    if not spec.arg.reg and spec.sink(slots):
        return "_"
    if spec.arg.reg is False:
        values = spec.values(slots)
        return str(next(iter(values))) if values is not None else "1"
    count = spec.count(slots)
    exact = not (spec.arg.loose or spec.arg.wider)
    if spec.kind in ("vector", "arguments") or count > 1:
        elements = ", ".join(_register(spec.type(slots), used, exact=exact) for _ in range(max(1, count)))
        return f"({elements})" if spec.kind == "arguments" else "{" + elements + "}"
    first = _register(spec.type(slots), used, exact=exact)
    if spec.second is not None and not spec.second_optional:
        return f"{first}|{_register('pred', used)}"
    return first


def _register(type_: str, used: dict[str, int], *, exact: bool = False) -> str:
    """A register that fits a type; bytes stand in 16-bit registers where those do."""
    known = TYPES.get(type_)
    bits = known.bits if known else 32
    prefix = {"f32": "%f", "f64": "%fd"}.get(type_) or _BY_BITS.get(bits if exact else max(bits, 16), "%r")
    prefix = _BY_BITS[1] if bits == 1 else prefix
    number = used.get(prefix, 0)
    used[prefix] = number + 1
    return f"{prefix}{number}"
