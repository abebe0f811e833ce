"""The control record of block-scaled products against ptxas: what it selects is accepted, what it refuses is not."""

from __future__ import annotations

import random

import pytest

from tests.isa.statements import refusals, statement
from weft.errors import IsaError
from weft.isa import NEWEST, decode
from weft.mc.block_scale import NOT_SYNC_ALIGNED, BlockScale, every_record
from weft.mc.records import TypeTag
from weft.toolchain import Tool

RECORDS = list(every_record())
KINDS = {
    "mxf8f6f4": ({"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"}, {"", "1X"}, {"ue8m0"}),
    "mxf4": ({"e2m1"}, {"", "2X"}, {"ue8m0"}),
    "mxf4nvf4": ({"e2m1"}, {"2X", "4X"}, {"ue8m0", "ue4m3"}),
}
"""The facts' table, written out to check the ISA table with: types, scale vectors, types of scales."""


def legal(record: BlockScale) -> bool:
    try:
        return record.opcode().valid
    except IsaError:
        return False


def test_the_legal_ones_are_those_of_the_facts() -> None:
    for record in RECORDS:
        types, vectors, scales = KINDS[record.kind]
        expected = {record.a, record.b} <= types and record.scale_vec in vectors and record.stype in scales
        if record.kind == "mxf4nvf4" and record.scale_vec == "2X":
            expected = expected and record.stype == "ue8m0"
        assert legal(record) == expected, record


@pytest.mark.sample(1)
@pytest.mark.parametrize("sparse", [False, True], ids=["dense", "sparse"])
def test_ptxas_agrees(ptxas: Tool, sparse: bool) -> None:
    records = [record for record in RECORDS if record.sparse is sparse]
    shapes = ("m16n8k64", "m16n8k128") if sparse else ("m16n8k32", "m16n8k64")
    rng = random.Random(0)
    texts: list[str] = []
    accepted: list[bool] = []
    for record in records:
        for shape in shapes:
            form = decode(BlockScale("e2m1", "e2m1", "mxf4", sparse=sparse).opcode().text).variants[0].compiled
            slots = record.slots(shape)
            made = statement(form, slots, rng)
            assert made is not None
            texts.append(made.text)
            accepted.append(legal(record) and record.opcode().text == made.opcode)
    refused = refusals(texts, "sm_120a", NEWEST)
    wrong = [text for n, text in enumerate(texts) if accepted[n] == (n in refused)]
    assert not wrong, wrong[:5]


def test_the_bit_that_the_expander_refuses() -> None:
    with pytest.raises(IsaError) as caught:
        BlockScale("e4m3", "e4m3", "mxf8f6f4", "1X", sync_aligned=True).opcode()
    assert caught.value.message == NOT_SYNC_ALIGNED
    assert ".sync.aligned." in BlockScale("e4m3", "e4m3", "mxf8f6f4", "1X").opcode().text


@pytest.mark.parametrize(
    "record",
    [
        BlockScale("e4m3", "e2m1", "mxf4", "2X"),
        BlockScale("e2m1", "e2m1", "mxf8f6f4", "2X"),
        BlockScale("e2m1", "e2m1", "mxf4nvf4"),
        BlockScale("f16", "e2m1", "mxf8f6f4"),
        BlockScale("e2m1", "e2m1", "mxf5"),
    ],
    ids=str,
)
def test_what_is_wrong_is_named(record: BlockScale) -> None:
    with pytest.raises(IsaError, match="legal|lacks|modifier|needs|allowed"):
        record.opcode()


def test_tags() -> None:
    assert BlockScale("e4m3", "e5m2", "mxf8f6f4").tags == (15, 16, 20)
    assert BlockScale("e2m1", "e2m1", "mxf4nvf4", "4X", "ue4m3").tags == (17, 17, 21)
    assert TypeTag.F16 == 12
    assert TypeTag.TF32 == 19
