"""Operand records: layout, kinds, tags, strides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weft
from weft.mc.entries import ENTRY, FORM, ITEM
from weft.mc.instruction import Texts, encode
from weft.mc.layout import GROUP
from weft.mc.records import (
    OPERAND,
    PREFIXES,
    Kind,
    TypeTag,
    type_tag,
    virtual_register,
)


def test_the_layout_of_a_record() -> None:
    assert OPERAND.itemsize == 16
    offsets = {name: field[1] for name, field in (OPERAND.fields or {}).items()}
    assert offsets == {"kind_flags": 0, "type_tag": 1, "pad": 2, "value": 8}


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (GROUP, {"tag": 0, "flags": 1, "count": 2, "pad": 4, "offset": 8}),
        (ENTRY, {"offset": 0, "companion": 4, "jump": 8}),
        (ITEM, {"kind": 0, "a": 1, "b": 2, "c": 3}),
        (
            FORM,
            {
                "stem": 0,
                "index": 4,
                "first": 6,
                "count": 10,
                "least": 14,
                "most": 15,
                "modifiers": 16,
                "label": 17,
                "digest": 19,
            },
        ),
    ],
)
def test_the_layout_of_rows(kind: Any, fields: dict[str, int]) -> None:
    """Without gaps, and nothing behind the last field."""
    assert {name: field[1] for name, field in kind.fields.items()} == fields
    ends = [*list(fields.values())[1:], kind.itemsize]
    assert [kind[name].itemsize for name in fields] == [b - a for a, b in zip(fields.values(), ends, strict=True)]


def test_bit_zero_tells_registers_from_the_rest() -> None:
    assert [kind for kind in Kind if not kind & 1] == [Kind.REGISTER]
    assert len({kind >> 4 for kind in Kind if kind != Kind.REGISTER}) == len(Kind) - 1


@pytest.mark.parametrize(
    ("name", "tag"),
    [("f16", 12), ("e4m3", 15), ("e5m2", 16), ("e2m1", 17), ("tf32", 19), ("pred", 2), ("s32", 7), ("b64", 8), ("", 0)],
)
def test_type_tags(name: str, tag: int) -> None:
    assert type_tag(name) == tag
    assert all(value < 12 for value in TypeTag if value.name[0] == "I")


@pytest.mark.parametrize(
    ("name", "register"),
    [
        ("%p3", 1 << 28 | 3),
        ("%rs0", 2 << 28),
        ("%r12", 3 << 28 | 12),
        ("%rd4", 4 << 28 | 4),
        ("%rq1", 5 << 28 | 1),
        ("%f7", 6 << 28 | 7),
        ("%fd7", 7 << 28 | 7),
        ("%r268435456", None),
        ("%r01", None),
        ("%r", None),
        ("r1", None),
        ("%tid.x", None),
    ],
)
def test_registers(name: str, register: int | None) -> None:
    assert virtual_register(name) == register
    assert len(PREFIXES) == 8


def test_the_records_of_an_instruction() -> None:
    text = ".version 8.0\n.target sm_80\n.entry k() {{ .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; {} ret; }}"

    def records(statement: str) -> list[tuple[int, int, int]]:
        instruction = next(weft.parse(text.format(statement)).kernels[0].instructions())
        array = encode(instruction, Texts()).records()
        assert array.dtype == OPERAND
        assert not np.frombuffer(array["pad"].tobytes(), np.uint8).any()
        return [(int(row["kind_flags"]), int(row["type_tag"]), int(row["value"])) for row in array]

    r = 3 << 28
    assert records("add.s32 %r1, %r2, -4;") == [(0, 7, r | 1), (0, 7, r | 2), (1, 7, 2**64 - 4)]
    assert records("add.f32 %f1, %f2, 0f3F800000;")[2] == (0x11, 14, 0x3F800000)
    assert records("mov.b32 %r1, 0x1F;")[1][0] == Kind.LITERAL
    # ld is driven by modifier operands: its slots come first, then the destination, then the address as a group.
    loaded = records("ld.global.b32 %r1, [%rd2+8];")
    assert loaded[-4:] == [(0, 7, r | 1), (0xC1, 8, 6 | 1 << 16), (1, 8, 8), (0, 8, 4 << 28 | 2)]
    assert all(kind == Kind.IMMEDIATE for kind, _, _ in loaded[:-4])
