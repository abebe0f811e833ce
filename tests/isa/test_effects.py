"""What the table says instructions do beyond their results is said in words that it has."""

from __future__ import annotations

from weft.isa import families
from weft.isa.registry import compiled_forms

SPACES = {"", "shared", "global", "local", "tmem", "texture", "surface"}
MEMORY = {"", "r", "w", "rw"}
TOGETHER = {"", "warp", "warpgroup", "cta", "cluster"}
CONTROL = {"", "call", "branch", "return", "exit", "trap", "breakpoint"}
BRANCHES = {"bra": "branch", "brx.idx": "branch", "call": "call", "ret": "return", "exit": "exit", "trap": "trap", "brkpt": "breakpoint"}  # fmt: skip


def test_effects_are_said_in_words_that_there_are() -> None:
    for stem in families():
        for form in compiled_forms(stem):
            effects, slots = form.effects, {element.slot for element in form.elements if element.slot}
            assert effects.space in SPACES | slots, stem
            assert effects.memory in MEMORY and effects.carry in MEMORY and effects.collective in TOGETHER, stem
            assert effects.control in CONTROL, stem
            assert effects.memory or not effects.space, stem


def test_who_leaves_a_block_and_who_acts_together() -> None:
    """Instructions whose opcodes say `.sync.aligned`, and no others beside barriers and votes, need all lanes of a warp."""
    for stem in families():
        for form in compiled_forms(stem):
            assert form.effects.control == BRANCHES.get(stem, ""), stem
            if ".sync.aligned" in form.form.syntax:
                assert form.effects.collective, stem
