"""The tables in figures and families, beside those of the notes they follow."""

from __future__ import annotations

from typing import Any

from weft.isa import families
from weft.isa.registry import compiled_forms
from weft.mc.entries import PRELUDE
from weft.mc.families import LOAD_STORE, OPERAND_FAMILIES, SHAPES, load_store_members, operand_family, shape_family
from weft.mc.register_names import NAMES
from weft.mc.tables import load


def figures() -> list[tuple[str, int, str]]:
    """What is counted, how many there are here, and what the notes say (in their words where they contradict)."""
    tables = load()
    helpers = len(tables.helpers)
    return [
        ("opcodes", len(tables.opcodes) - PRELUDE, "6,388"),
        ("generic prelude", PRELUDE, "293"),
        ("entries of the offset table", len(tables.opcodes), "6,824"),
        ("forms", len(tables.forms), ""),
        ("shared bodies", len(tables.items) - 1, "297"),
        ("modifier helpers", helpers, ""),
        ("mnemonic pool, bytes", len(tables.pool), "103,536 (its addresses: 104,048)"),
        ("mnemonic pool, chunks", tables.pool.count(0), "3,067"),
        ("register names", len(NAMES), "90"),
        ("register-name pool, bytes", sum(len(name) + 1 for name in NAMES), "586"),
    ]


def body_population() -> list[tuple[int, int, int]]:
    """Bodies by their number of opcodes, most first: (label, opcodes, forms)."""
    counts: dict[int, list[int]] = {}
    for row in load().forms.tolist():
        held = counts.setdefault(row[7], [0, 0])
        held[0] += row[3]
        held[1] += 1
    return sorted(((label, *held) for label, held in counts.items()), key=lambda row: -row[1])  # pyright: ignore


def members() -> dict[str, dict[str, list[str]]]:
    """The three classifications, each family with the stems of its members."""
    shapes: dict[str, list[str]] = {name: [] for name in SHAPES}
    layouts: dict[str, list[str]] = {f"{name}: {summary}": [] for name, summary in OPERAND_FAMILIES.items()}
    for stem in sorted(families()):
        for form in compiled_forms(stem):
            layout = operand_family(form)
            for held in (shapes[SHAPES[shape_family(form)]], layouts[f"{layout}: {OPERAND_FAMILIES[layout]}"]):
                if stem not in held:
                    held.append(stem)
    labels = {f"{number}: {LOAD_STORE[number - 1]}": found for number, found in load_store_members().items()}
    return {"shape families": shapes, "operand families": layouts, "load/store labels": labels}


def listing() -> dict[str, Any]:
    """Figures, families and the fifteen largest bodies as data."""
    return {
        "figures": {name: {"here": here, "notes": notes} for name, here, notes in figures()},
        "bodies": [{"label": a, "opcodes": b, "forms": c} for a, b, c in body_population()[:15]],
        **members(),
    }
