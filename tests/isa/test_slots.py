"""Opcodes by slots: what an opcode has, and what is said of slots and tokens that do not exist."""

from __future__ import annotations

from itertools import islice

import pytest

from weft.errors import IsaError
from weft.isa import decode, families, opcode
from weft.isa.registry import compiled_forms
from weft.ptx.sample import sample_variants


def test_slots_are_asked_for_by_name() -> None:
    found = decode("ldmatrix.sync.aligned.m8n8.x4.shared.b16")
    assert (found["shape"], found["num"], found["trans"]) == ("m8n8", "x4", "")
    assert set(found.slots) <= set(found.slot_names)
    assert found.get("shapx") == ""


@pytest.mark.parametrize(
    ("text", "slot", "message", "hint"),
    [
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16", "shapx", "'ldmatrix' has no slot 'shapx'", "did you mean shape?"),
        ("add.f32", "xx", "'add' has no slot 'xx'", "the slots of 'add' are"),
        ("bar.warp.sync", "type", "'bar.warp.sync' has no slot 'type'", "has no slots"),
        ("ldmtrix.sync", "shape", "unknown instruction 'ldmtrix.sync'", "did you mean"),
        ("add.f33", "typ", "'add' has no slot 'typ'", "did you mean type?"),
    ],
)
def test_unknown_slots_are_errors(text: str, slot: str, message: str, hint: str) -> None:
    with pytest.raises(IsaError) as caught:
        decode(text)[slot]
    assert caught.value.message == message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("stem", "slots", "message", "hint"),
    [
        ("fma", {"rnd": "rx", "type": "f32"}, "slot 'rnd' of 'fma' cannot be 'rx'", "one of rn, rz, rm, rp"),
        ("fma", {"rnd": "rn", "type": "f33"}, "slot 'type' of 'fma' cannot be 'f33'", "did you mean f32?"),
        ("fma", {"round": "rn", "type": "f32"}, "'fma' has no slot 'round'", "did you mean rnd?"),
        ("ldmatrix", {"shape": "m8n8", "type": "b16"}, "'ldmatrix' lacks slot 'num'", "one of x1, x2, x4"),
        ("ldmatrix", {"shape": "m8n8", "num": True, "type": "b16"}, "slot 'num' of 'ldmatrix' needs a token", "x4"),
        ("fmaa", {}, "unknown instruction 'fmaa'", "did you mean fma"),
    ],
)
def test_wrong_slots_are_named(stem: str, slots: dict[str, str | bool], message: str, hint: str) -> None:
    with pytest.raises(IsaError) as caught:
        opcode(stem, **slots)
    assert caught.value.message == message
    assert hint in caught.value.hint


def test_slots_are_replaced() -> None:
    load = decode("ld.global.v4.f32")
    assert load.replace(vec="").text == "ld.global.f32"
    assert load.replace(nc=True).text == "ld.global.nc.v4.f32"
    with pytest.raises(IsaError, match="no slot 'vecs'"):
        load.replace(vecs="v2")


def test_every_family_refuses_a_slot_that_it_does_not_have() -> None:
    for stem in families():
        found = decode(stem)
        if found.family is None:
            continue
        with pytest.raises(IsaError):
            found["no such slot"]


def _refused(stem: str, **slots: str | bool) -> IsaError:
    with pytest.raises(IsaError) as caught:
        opcode(stem, **slots)
    return caught.value


def test_a_wrong_slot_of_any_family_is_answered_by_its_slots_and_tokens() -> None:
    for stem in families():
        tokens: dict[str, dict[str, None]] = {}
        for form in compiled_forms(stem):
            for element in form.elements:
                if element.slot:
                    tokens.setdefault(element.slot, {}).update(dict.fromkeys(element.tokens))
        error = _refused(stem, frobnicate="x")
        assert error.message == f"'{stem}' has no slot 'frobnicate'"
        assert error.hint == (f"its slots are {', '.join(tokens)}" if tokens else "it has none")
        for slot, known in tokens.items():
            error = _refused(stem, **{slot: "?"})
            assert error.message == f"slot '{slot}' of '{stem}' cannot be '?'"
            more = f" or {len(known) - 12} more" if len(known) > 12 else ""
            listed = f"use one of {', '.join(list(known)[:12])}{more}" if len(known) > 1 else f"use {next(iter(known))}"
            assert error.hint == listed
            word = max(known, key=len)
            if len(word) > 4:
                assert _refused(stem, **{slot: f"{word}?"}).hint == f"did you mean {word}?"


def test_the_values_that_an_operand_lists_are_some_that_it_takes() -> None:
    for stem in families():
        for form in compiled_forms(stem):
            for variant in sample_variants(form):
                for spec in form.operands:
                    values = spec.values(variant.slots) or ()
                    assert all(value in values for value in islice(values, 4)), (stem, spec.name)
