"""Classifications of forms: seven shape families, eighteen operand-shape families, thirteen load and store labels.

The notes name the families F1 to F18 by what they group (operand layout, whatever the mnemonic) and describe F1, the
loads and stores, only; F2 to F18 are numbered here by layout. All are read off the forms. PTX has no
sparse load, so the label of that name has no members; the notes have no label for stores to local memory and to
parameters, which stand with the generic stores.
"""

from __future__ import annotations

from collections.abc import Callable

from weft.isa import families
from weft.isa.compiled import CompiledForm, OperandSpec
from weft.isa.registry import compiled_forms

SHAPES = (
    "one-source move",
    "two-source arithmetic",
    "ternary arithmetic",
    "predicate compare",
    "load/store",
    "control flow",
    "matrix/tensor",
)
"""The shape families, numbered from 0."""

_MATRIX_STEMS = ("mma", "wgmma", "tcgen05", "wmma", "ldmatrix", "stmatrix", "movmatrix", "cp.async.bulk.tensor")


def shape_family(form: CompiledForm) -> int:
    """Which of `SHAPES` a form is."""
    stem, operands = form.family.stem, form.operands
    if any(stem == name or stem.startswith(name + ".") for name in _MATRIX_STEMS) or "tensor" in stem:
        return 6
    if form.effects.control:
        return 5
    if any(spec.kind == "address" for spec in operands) or form.effects.memory:
        return 4
    if operands and _type(operands[0]) == "pred":
        return 3
    sources = len([spec for spec in operands if spec.arg.access != "w"])
    return 0 if sources <= 1 else 1 if sources == 2 else 2


def classify(form: CompiledForm) -> int:
    """The number that the companion word holds: shape family plus one."""
    return shape_family(form) + 1


def _type(spec: OperandSpec) -> str:
    return spec.arg.type if isinstance(spec.arg.type, str) else ""


_LAYOUTS: tuple[tuple[str, str, Callable[[list[str]], bool]], ...] = (
    ("F1", "loads and stores: an address and data", lambda k: "address" in k),
    ("F2", "no operands", lambda k: not k),
    ("F3", "arguments of a call", lambda k: "arguments" in k),
    ("F4", "a label or the list of labels", lambda k: "label" in k),
    ("F5", "a vector of unlike elements", lambda k: "tuple" in k),
    ("F6", "four vectors", lambda k: k.count("vector") >= 4),
    ("F7", "two or three vectors", lambda k: k.count("vector") in (2, 3)),
    ("F8", "one vector", lambda k: k.count("vector") == 1),
    ("F9", "a pair, two operands", lambda k: "pair" in k and len(k) <= 2),
    ("F10", "a pair, three operands", lambda k: "pair" in k and len(k) == 3),
    ("F11", "a pair, more operands", lambda k: "pair" in k),
    ("F12", "a predicate that may be negated", lambda k: "predicate" in k),
    ("F13", "sources that may be negated", lambda k: "negatable" in k),
    ("F14", "one register", lambda k: len(k) == 1),
    ("F15", "two registers", lambda k: len(k) == 2),
    ("F16", "three registers", lambda k: len(k) == 3),
    ("F17", "four registers", lambda k: len(k) == 4),
    ("F18", "five registers and more", lambda k: len(k) > 4),
)


def operand_family(form: CompiledForm) -> str:
    """`F1` to `F18`: the first layout that the form's operand kinds fit."""
    kinds = ["label" if spec.arg.label or spec.arg.directive else spec.kind for spec in form.operands]
    return next(name for name, _, fits in _LAYOUTS if fits(kinds))


OPERAND_FAMILIES = {name: summary for name, summary, _ in _LAYOUTS}
"""What each operand-shape family has in common."""

LOAD_STORE = (
    "generic load",
    "generic store",
    "constant load",
    "param load",
    "shared load/store",
    "global load/store",
    "local load",
    "tensor-memory load/store",
    "bulk-tensor load",
    "bulk-tensor store",
    "sparse load",
    "predicated load",
    "predicated store",
)
"""The load and store labels, numbered from 1."""


_SPACES = {"const": 3, "param": 4, "shared": 5, "global": 6, "local": 7}


def load_store_label(stem: str, space: str = "", *, guarded: bool = False) -> int:
    """The label (1 to 13) of a load or store in a state space; 0 for what is neither.

    `stem` may be followed by modifiers; `space` is the space's token. A guarded load or store is predicated whatever
    its space.
    """
    words = stem.split(".")
    if words[:2] in (["tcgen05", "ld"], ["tcgen05", "st"]):
        return 8
    if stem.startswith("cp.async.bulk.tensor"):
        return 9 if space.startswith("shared") else 10
    if words[0] not in ("ld", "ldu", "st"):
        return 0
    store = words[0] == "st"
    if guarded:
        return 13 if store else 12
    label = _SPACES.get(space.partition("::")[0].partition("[")[0], 1)
    return label if not store or label in (5, 6) else 2


def load_store_members() -> dict[int, list[str]]:
    """The members of each label, as `stem` or `stem.space`; all loads and stores are under 12 or 13 when guarded."""
    found: dict[int, list[str]] = {number: [] for number in range(1, len(LOAD_STORE) + 1)}
    for stem in sorted(families()):
        if not load_store_label(stem):
            continue
        for form in compiled_forms(stem):
            for space in _form_spaces(form):
                for guarded in (False, True):
                    members = found[load_store_label(stem, space, guarded=guarded)]
                    name = f"{stem}.{space}" if space else stem
                    if name not in members:
                        members.append(name)
    return found


def _form_spaces(form: CompiledForm) -> tuple[str, ...]:
    """The tokens of the slot that names the space; of a copy, the destination's."""
    for element in form.elements:
        if element.slot in ("ss", "dst") and element.tokens:
            return (("",) if element.optional else ()) + element.tokens
    return ("",)
