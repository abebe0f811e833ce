"""`weft mc` and the trace of one instruction."""

from __future__ import annotations

import json
import random

import pytest

from tests.isa.statements import all_stems, legal_statements
from weft.cli import execute
from weft.errors import WeftError
from weft.mc.explain import explain
from weft.mc.families import LOAD_STORE, OPERAND_FAMILIES, SHAPES
from weft.mc.register_names import NAMES
from weft.mc.summary import body_population, figures, listing, members


def test_the_worked_example() -> None:
    """The notes' example, as ptxas wants it: layouts written, 32-bit accumulators."""
    found = explain("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
    assert found["mnemonic"]["text"] == "mma.sync.aligned"
    assert found["shape family"] == "matrix/tensor"
    modifiers = [item["writes"] for item in found["items"] if "modifier" in item["item"] and item["writes"]]
    assert modifiers == [".m16n8k16", ".row", ".col", ".f32", ".f16", ".f16", ".f32"]
    assert [(group["members"], group["classes"]) for group in found["groups"]] == [
        (4, "%f"),
        (4, "%r"),
        (2, "%r"),
        (4, "%f"),
    ]
    assert found["line"] == (
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f4, %f5, %f6, %f7};"
    )


@pytest.mark.sample(13)
@pytest.mark.parametrize("stem", all_stems())
def test_every_stem(stem: str) -> None:
    for statement in legal_statements(stem, 2, random.Random(stem)):
        assert explain(statement.text)["line"].split()[0] == statement.opcode + ";" * (" " not in statement.text)
        assert explain(statement.opcode)["line"].startswith(statement.opcode)


def test_guards_and_labels() -> None:
    assert explain("@%p1 ld.global.b32 %r1, [%rd1];")["load/store label"] == 12
    assert explain("@!%p1 st.b32 [%rd1], %r1;")["load/store label"] == 13
    assert explain("@!%p1 st.b32 [%rd1], %r1;")["line"] == "@!%p1 st.b32 [%rd1], %r1;"
    assert explain("ld.shared.b32 %r1, [%rd1];")["load/store label"] == 5
    to_shared = "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    assert explain(f"{to_shared} [%rd1], [%rd2, {{%r1}}], [%rd3];")["load/store label"] == 9
    to_global = "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group"
    assert explain(f"{to_global} [%rd2, {{%r1}}], [%rd1];")["load/store label"] == 10
    assert explain("add.s32 %r1, %r2, %r3;")["load/store label"] == 0


@pytest.mark.parametrize("text", ["", ";", "frob", "add.f33", "add.s32 %r1", "add.s32 %r1, %r2, %r3; ret", "@"])
def test_what_is_no_instruction(text: str) -> None:
    with pytest.raises(WeftError):
        explain(text)


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(["mc"]) == 0
    shown = capsys.readouterr().out
    for title in ("shape families", "operand families", "load/store labels"):
        assert all((" ".join(found) or "-") in shown for found in listing()[title].values())
    for name in (*SHAPES, *OPERAND_FAMILIES, *LOAD_STORE):
        assert name in shown
    assert execute(["mc", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(listing()))
    assert execute(["mc", "explain", "ret"]) == 0
    assert "line      ret;" in capsys.readouterr().out
    assert execute(["mc", "explain", "add.s32", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["line"] == "add.s32 %r0, %r1, %r2;"
    assert execute(["mc", "explain", "frob"]) == 1
    assert "unknown instruction" in capsys.readouterr().err


def test_figures() -> None:
    counted = {name: here for name, here, _ in figures()}
    assert counted["generic prelude"] == 293
    assert counted["register names"] == len(NAMES) == 90
    assert counted["register-name pool, bytes"] == 586
    assert counted["opcodes"] + 293 == counted["entries of the offset table"]
    assert sum(opcodes for _, opcodes, _ in body_population()) == counted["opcodes"]
    assert len(body_population()) == counted["shared bodies"]


def test_families() -> None:
    found = members()
    assert [len(found[title]) for title in found] == [7, 18, 13]
    empty = [name for title in found.values() for name, stems in title.items() if not stems]
    assert empty == ["11: sparse load"]


def test_json_of_the_group_is_that_of_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--json", "explain", "add.s32"], ["explain", "--json", "add.s32"]):
        assert execute(["mc", *words]) == 0
        assert json.loads(capsys.readouterr().out)["form"].startswith("add")


def test_the_form_is_that_of_the_operands() -> None:
    """A product with A in registers, and one with A in shared memory, have one opcode and two forms."""
    product = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, "
    assert "{a}" in explain(f"{product}{{%r1, %r2, %r3, %r4}}, %rd1, 1, 1, 1, 0;")["form"]
    assert "a_desc" in explain(f"{product}%rd2, %rd1, 1, 1, 1, 0, 0;")["form"]
