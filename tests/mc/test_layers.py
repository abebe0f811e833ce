"""Every layer of an instruction: its families, its records and groups, and what each item of its body writes."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.isa.statements import all_stems, legal_statements
from weft.errors import IsaError, WeftError
from weft.isa import decode
from weft.mc import summary
from weft.mc.block_scale import BlockScale
from weft.mc.entries import PRELUDE
from weft.mc.explain import explain, read_instruction
from weft.mc.families import LOAD_STORE, load_store_label
from weft.mc.instruction import Texts, encode, form_of, operand_of
from weft.mc.layout import Group
from weft.mc.records import Kind, TypeTag, type_tag, virtual_register
from weft.mc.register_names import NAMES, print_reg_name
from weft.mc.summary import body_population
from weft.mc.tables import load

MOVE, TWO, THREE = "one-source move", "two-source arithmetic", "ternary arithmetic"
COMPARE, MEMORY, CONTROL, TENSOR = "predicate compare", "load/store", "control flow", "matrix/tensor"


@cache
def listing() -> dict[str, Any]:
    """What `weft mc` lists: it takes a while."""
    return summary.listing()


ADDRESS = "F1: loads and stores: an address and data"
PREDICATE = "F12: a predicate that may be negated"


@pytest.mark.parametrize(
    ("text", "shape", "operands"),
    [
        ("abs.s32", MOVE, "F15: two registers"),
        ("activemask.b32", MOVE, "F14: one register"),
        ("membar.gl", MOVE, "F2: no operands"),
        ("elect.sync", MOVE, "F9: a pair, two operands"),
        ("mov.b64 {%r1, %r2}, %rd1", MOVE, "F15: two registers"),
        ("not.pred", MOVE, PREDICATE),
        ("add.f64", TWO, "F16: three registers"),
        ("and.pred", TWO, PREDICATE),
        ("match.all.sync.b32", TWO, "F10: a pair, three operands"),
        ("fma.rn.f16", THREE, "F17: four registers"),
        ("bfi.b64", THREE, "F18: five registers and more"),
        ("shfl.sync.up.b32", THREE, "F11: a pair, more operands"),
        ("lop3.or.b32", THREE, "F11: a pair, more operands"),
        ("vmad.s32.s32.s32", THREE, "F13: sources that may be negated"),
        ("selp.f32", THREE, PREDICATE),
        ("setp.lt.s32", COMPARE, "F10: a pair, three operands"),
        ("isspacep.global", COMPARE, "F15: two registers"),
        ("testp.notanumber.f32", COMPARE, "F15: two registers"),
        ("ld.b32", MEMORY, ADDRESS),
        ("atom.global.add.u32", MEMORY, ADDRESS),
        ("prefetch.global.L1", MEMORY, ADDRESS),
        ("tex.1d.v4.f32.s32", MEMORY, ADDRESS),
        ("fence.proxy.tensormap::generic.acquire.gpu", MEMORY, ADDRESS),
        ("call (%r1), f, (%r2)", CONTROL, "F3: arguments of a call"),
        ("call f", CONTROL, "F4: a label or the list of labels"),
        ("brx.idx %r1, T", CONTROL, "F4: a label or the list of labels"),
        ("bra L", CONTROL, "F4: a label or the list of labels"),
        ("trap", CONTROL, "F2: no operands"),
        ("ret", CONTROL, "F2: no operands"),
        ("ldmatrix.sync.aligned.m8n8.x1.b16", TENSOR, ADDRESS),
        ("stmatrix.sync.aligned.m8n8.x1.b16", TENSOR, ADDRESS),
        ("movmatrix.sync.aligned.m8n8.trans.b16", TENSOR, "F15: two registers"),
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", TENSOR, "F6: four vectors"),
        (BlockScale("e2m1", "e2m1", "mxf4").opcode().text, TENSOR, "F5: a vector of unlike elements"),
        ("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r1, %r2}, %rd1, %rd2, 1, 1, 1, 0, 0", TENSOR,
         "F8: one vector"),
        ("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r1, %r2}, {%r1, %r2, %r3, %r4}, %rd2, 1, 1, 1, 0", TENSOR,
         "F7: two or three vectors"),
        ("tcgen05.dealloc.cta_group::1.sync.aligned.b32", TENSOR, "F15: two registers"),
        ("wmma.load.a.sync.aligned.row.m16n16k16.f16", TENSOR, ADDRESS),
        ("cp.async.bulk.prefetch.tensor.1d.L2.global.tile", TENSOR, ADDRESS),
    ],
)  # fmt: skip
def test_the_families_of_an_instruction(text: str, shape: str, operands: str) -> None:
    found = explain(text)
    assert (found["shape family"], found["operand family"]) == (shape, operands)
    stem, listed = read_instruction(text).opcode.stem, listing()
    assert stem in listed["shape families"][shape] and stem in listed["operand families"][operands]


def test_every_form_is_in_one_family_of_each_kind() -> None:
    listed, stems = listing(), set(all_stems())
    shapes = [MOVE, TWO, THREE, COMPARE, MEMORY, CONTROL, TENSOR]
    assert list(listed["shape families"]) == shapes
    assert [name.partition(":")[0] for name in listed["operand families"]] == [f"F{n}" for n in range(1, 19)]
    for kind in ("shape families", "operand families"):
        assert {stem for found in listed[kind].values() for stem in found} >= stems
        assert all(found == sorted(set(found)) for found in listed[kind].values())
    for row in load().forms.tolist():
        if not row[3]:  # No target has a spelling of it.
            continue
        extra = int(load().opcodes["companion"][row[2]])
        form = form_of(row[2])
        assert (extra & 0xFF, extra >> 8 & 0xFF, extra >> 16 & 0xFF) == (row[5], 3, row[6])
        assert form.family.stem in listed["shape families"][shapes[(extra >> 24) - 1]]


@pytest.mark.parametrize(
    ("text", "plain", "guarded"),
    [
        ("ld.b32", "generic load", "predicated load"),
        ("ld.const.b32", "constant load", "predicated load"),
        ("ld.param::entry.b32", "param load", "predicated load"),
        ("ld.shared::cluster.b32", "shared load/store", "predicated load"),
        ("ld.global.nc.b32", "global load/store", "predicated load"),
        ("ld.local.b32", "local load", "predicated load"),
        ("ldu.global.b32", "global load/store", "predicated load"),
        ("ldu.b32", "generic load", "predicated load"),
        ("st.b32", "generic store", "predicated store"),
        ("st.local.b32", "generic store", "predicated store"),
        ("st.param.b32", "generic store", "predicated store"),
        ("st.shared.b32", "shared load/store", "predicated store"),
        ("st.global.b32", "global load/store", "predicated store"),
        ("tcgen05.ld.sync.aligned.16x64b.x1.b32", *["tensor-memory load/store"] * 2),
        ("tcgen05.st.sync.aligned.16x64b.x1.b32", *["tensor-memory load/store"] * 2),
        ("tcgen05.cp.cta_group::1.128x256b", "", ""),
        ("cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes", *["bulk-tensor load"] * 2),
        ("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group", *["bulk-tensor store"] * 2),
        ("cp.async.bulk.prefetch.tensor.1d.L2.global.tile", "", ""),
        ("atom.global.add.u32", "", ""),
        ("ldmatrix.sync.aligned.m8n8.x1.b16", "", ""),
    ],
)
def test_labels_of_loads_and_stores(text: str, plain: str, guarded: str) -> None:
    """By the space, or because they are guarded; both may be written in words."""
    statement = explain(text)["line"]
    for line, name in ((statement, plain), (f"@%p1 {statement}", guarded)):
        number = explain(line)["load/store label"]
        assert (LOAD_STORE[number - 1] if number else "") == name
        if number:
            members = listing()["load/store labels"][f"{number}: {name}"]
            assert any(text.startswith(member.split(".")[0]) for member in members)


def test_labels_by_the_stem_and_the_space() -> None:
    assert [load_store_label("ld", space) for space in ("", "const", "param", "shared::cta", "global", "local")] == [
        1, 3, 4, 5, 6, 7,
    ]  # fmt: skip
    assert [load_store_label("st", space) for space in ("", "const", "param[0]", "shared[x]", "global", "local")] == [
        2, 2, 2, 5, 6, 2,
    ]  # fmt: skip
    members = listing()["load/store labels"]
    assert [members[f"{number}: {LOAD_STORE[number - 1]}"] for number in (1, 3, 7, 11)] == [
        ["ld", "ldu"], ["ld.const"], ["ld.local"], [],
    ]  # fmt: skip
    both = {name for number, found in members.items() if number[:2] in ("12", "13") for name in found}
    alone = {
        name
        for number, found in members.items()
        if number[:2] in ("1:", "2:", "3:", "4:", "5:", "6:", "7:")
        for name in found
    }
    assert both == alone


def records(text: str) -> list[str]:
    """The records of an instruction's operands, without those of its modifiers."""
    found = explain(text)
    modifiers = found["companion"] >> 16 & 0xFF
    rows: list[dict[str, Any]] = found["records"]
    assert all((row["kind"], row["type"], row["meaning"]) == ("IMMEDIATE", "NONE", "") for row in rows[:modifiers])
    return [f"{row['kind']} {row['type']} {row['value']:#x} {row['meaning']}".rstrip() for row in rows[modifiers:]]


NEW = f"{len(NAMES) + 1:#x}"
"""The number of the first name that is not in the pool."""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mov.b32 %r1, %tid.x", ["REGISTER I32 0x30000001 %r (b32)", f"REGISTER I32 {NEW} %tid.x"]),
        ("mov.b32 %r1, %envreg3", ["REGISTER I32 0x30000001 %r (b32)", "REGISTER I32 0x3b %envreg3"]),
        ("mov.pred %p0, %p9", ["REGISTER PRED 0x10000000 %p (pred)", "REGISTER PRED 0x10000009 %p (pred)"]),
        ("neg.s16 %rs1, -1", ["REGISTER I16 0x20000001 %rs (b16)", "IMMEDIATE I16 0xffffffffffffffff"]),
        ("mov.b128 %rq1, %rq2", ["REGISTER I128 0x50000001 %rq (b128)", "REGISTER I128 0x50000002 %rq (b128)"]),
        (
            "neg.f64 %fd1, 0d3FF0000000000000",
            ["REGISTER F64 0x70000001 %fd (f64)", f"LITERAL F64 {NEW} 0d3FF0000000000000"],
        ),
        ("neg.f32 %f1, 0f3F800000", ["REGISTER F32 0x60000001 %f (f32)", "FP_IMMEDIATE F32 0x3f800000 0f3F800000"]),
        ("neg.f32 %f1, 0f3f800000", ["REGISTER F32 0x60000001 %f (f32)", f"LITERAL F32 {NEW} 0f3f800000"]),
        ("neg.f32 %f1, 1.5", ["REGISTER F32 0x60000001 %f (f32)", f"LITERAL F32 {NEW} 1.5"]),
        ("not.b64 %rd1, 0x1F", ["REGISTER I64 0x40000001 %rd (b64)", f"LITERAL I64 {NEW} 0x1F"]),
        (
            "not.b64 %rd1, 9223372036854775807",
            ["REGISTER I64 0x40000001 %rd (b64)", "IMMEDIATE I64 0x7fffffffffffffff"],
        ),
        (
            "not.b64 %rd1, 9223372036854775808",
            ["REGISTER I64 0x40000001 %rd (b64)", f"LITERAL I64 {NEW} 9223372036854775808"],
        ),
        ("not.b64 %rd1, 1+2", ["REGISTER I64 0x40000001 %rd (b64)", f"TEXT I64 {NEW} 1+2"]),
        ("mov.u64 %rd1, g", ["REGISTER I64 0x40000001 %rd (b64)", f"SYMBOL I64 {NEW} g"]),
        (
            "mov.u64 %rd1, g+8",
            [
                "REGISTER I64 0x40000001 %rd (b64)",
                "GROUP I64 0x10000 offset_symbol of 1",
                "IMMEDIATE I64 0x8",
                f"SYMBOL I64 {NEW} g",
            ],
        ),
        (
            "vote.sync.any.pred %p1, !%p2, -1",
            [
                "REGISTER PRED 0x10000001 %p (pred)",
                "GROUP PRED 0x10001 negated of 1",
                "IMMEDIATE I64 0x0",
                "REGISTER PRED 0x10000002 %p (pred)",
                "IMMEDIATE I32 0xffffffffffffffff",
            ],
        ),
        (
            "ld.shared.v2.b32 {%r1, _}, [%r2+-8]",
            [
                "GROUP I32 0x20003 vector of 2",
                "IMMEDIATE I64 0x0",
                "REGISTER I32 0x30000001 %r (b32)",
                "REGISTER I32 0x0 _",
                "GROUP I64 0x10006 address of 1",
                "IMMEDIATE I64 0xfffffffffffffff8",
                "REGISTER I64 0x30000002 %r (b32)",
            ],
        ),
        (
            "st.global.b8 [g+0], %rs1",
            [
                "GROUP I64 0x10106 address of 1",
                "IMMEDIATE I64 0x0",
                f"SYMBOL I64 {NEW} g",
                "REGISTER I8 0x20000001 %rs (b16)",
            ],
        ),
        (
            "call (%r1), f, (2)",
            [
                "GROUP NONE 0x10005 arguments of 1",
                "IMMEDIATE I64 0x0",
                "REGISTER NONE 0x30000001 %r (b32)",
                f"SYMBOL I64 {NEW} f",
                "GROUP NONE 0x10005 arguments of 1",
                "IMMEDIATE I64 0x0",
                "IMMEDIATE NONE 0x2",
            ],
        ),
        (
            "vadd.s32.s32.s32 %r1, %r2.b0, -%r3",
            [
                "REGISTER I32 0x30000001 %r (b32)",
                f"REGISTER I32 {NEW} %r2.b0",
                "GROUP I32 0x10401 negated of 1",
                "IMMEDIATE I64 0x0",
                "REGISTER I32 0x30000003 %r (b32)",
            ],
        ),
        (
            "elect.sync _|%p1, -1",
            [
                "GROUP I32 0x20004 pair of 2",
                "IMMEDIATE I64 0x0",
                "REGISTER I32 0x0 _",
                "REGISTER I32 0x10000001 %p (pred)",
                "IMMEDIATE I32 0xffffffffffffffff",
            ],
        ),
    ],
)
def test_records(text: str, said: list[str]) -> None:
    assert records(text) == said
    assert explain(text)["line"] == f"{text};"


def test_groups() -> None:
    """Their classes are those of the registers in them, each once."""
    found = explain("ld.v4.b32 {%r1, %f2, %tid.x, _}, [%rd1+8]")["groups"]
    assert found == [
        {"group": "vector", "members": 4, "classes": "%r %f named", "type": "I32", "printed": "{%r1, %f2, %tid.x, _}"},
        {"group": "address", "members": 1, "classes": "%rd", "type": "I64", "printed": "[%rd1+8]"},
    ]
    assert [g["classes"] for g in explain("ld.v2.b32 {%r1, %r2}, [g]")["groups"]] == ["%r", ""]
    assert [g["classes"] for g in explain("elect.sync _|%p1, -1")["groups"]] == ["%p"]


def written(text: str) -> str:
    """A statement as the items of its body tell it."""
    found = explain(text)
    tables, operands = load(), encode(read_instruction(text), texts := Texts()).operands
    separators: list[str] = []
    parts = [f"@{guard} " for guard in [text.partition(" ")[0][1:]] if text.startswith("@")]
    for (kind, a, b, c), item in zip(tables.items[found["label"]], found["items"], strict=True):
        assert set(item) == {"item", "writes", "from"}
        match item["item"]:
            case "mnemonic":
                assert (item["writes"], item["from"]) == ("", "offset table")
                parts.append(found["mnemonic"]["text"])
            case "literal":
                assert item["from"] == f"pool offset {c}"
                parts.append(item["writes"])
            case "flag modifier":
                where = f"flag bits {a}..{a + b - 1}" if b else "its only token"
                assert item["from"] == f"{where}, helper {c}"
                assert item["writes"] == tables.chunk(tables.helpers[c][found["flags"] >> a & 2**b - 1])
                parts.append(item["writes"])
            case "modifier":
                assert item["from"] == f"operand {a}, helper {c}"
                parts.append(item["writes"])
            case "operand" | "optional":
                assert item["from"] == "records"
                assert item["writes"] in (f"operand {a}", "") and bool(item["writes"]) == (a < len(operands))
                if item["writes"]:
                    separators = [tables.chunk(c)] if item["item"] == "optional" else []
                    parts += [*separators, str(operand_of(operands[a], texts))]
            case other:
                assert (other, item["writes"], item["from"], kind) == ("tail", "", "offset table", 6)
                parts.append(";")
    return "".join(parts)


@pytest.mark.sample(8)
@pytest.mark.parametrize("stem", all_stems())
def test_the_items_write_the_line(stem: str) -> None:
    for statement in legal_statements(stem, 2, random.Random(f"layers {stem}")):
        found = explain(statement.text)
        assert written(statement.text) == found["line"]
        assert found["jump"] == found["label"] << 16 | found["flags"] == int(load().opcodes["jump"][found["opcode"]])
        assert form_of(found["opcode"]).form.syntax == found["form"]
        assert found["mnemonic"]["tail"] == 3
        assert found["companion"] == int(load().opcodes["companion"][found["opcode"]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unknown instruction ''"),
        ("frob", "unknown instruction 'frob'"),
        ("@%p1 frob %r1", "unknown instruction 'frob'"),
        ("add.s32 %r1", "no form of 'add' takes 1 operand"),
        ("add.s32 %r1, %r2, %r3, %r4", "no form of 'add' takes 4 operands"),
        ("add.s32 %r1, %r2, %r3; ret", "'add.s32 %r1, %r2, %r3; ret' is not one instruction"),
    ],
)
def test_what_cannot_be_explained(text: str, message: str) -> None:
    with pytest.raises(WeftError) as caught:
        explain(text)
    assert caught.value.message == message


def test_generic_opcodes_have_no_form() -> None:
    """The first 293; the one of what is not listed is among them."""
    for number in (0, 1, PRELUDE - 1):
        with pytest.raises(IsaError) as caught:
            form_of(number)
        assert caught.value.message == f"opcode {number} is generic"
    assert form_of(PRELUDE).family.stem == min(all_stems())
    last = len(load().opcodes) - 1
    assert form_of(last).family.stem == max(all_stems())


def test_guards() -> None:
    texts = Texts()
    lines = ("@%p3 ret", "@!%p3 ret", "ret", "@%q ret", "@!%q ret")
    assert [encode(read_instruction(line), texts).guard for line in lines] == [
        0x10000003, 0x110000003, 0, len(NAMES) + 1, 1 << 32 | len(NAMES) + 1,
    ]  # fmt: skip


def test_the_documented_figures() -> None:
    """Those of the notes, and ours within a twentieth; tables grow."""
    rows = re.findall(r"^\| ([a-z][\w, -]*) \| ([\d,]+) \| (.*) \|$", (ROOT / "docs/mc.md").read_text(), re.MULTILINE)
    found = {name: (here, notes) for name, here, notes in summary.figures()}
    assert [name for name, _, _ in rows] == list(found)
    for name, here, notes in rows:
        assert notes.replace("-", "") == found[name][1].replace("-", "")
        assert abs(int(here.replace(",", "")) - found[name][0]) <= found[name][0] / 20, name
    assert listing()["figures"] == {name: {"here": here, "notes": notes} for name, (here, notes) in found.items()}


def test_the_largest_bodies_come_first() -> None:
    population = body_population()
    opcodes = [count for _, count, _ in population]
    assert opcodes == sorted(opcodes, reverse=True)
    assert listing()["bodies"] == [{"label": a, "opcodes": b, "forms": c} for a, b, c in population[:15]]
    forms = load().forms
    for label, count, held in population:
        rows = forms[forms["label"] == label]
        assert (count, held) == (int(rows["count"].sum()), len(rows))


FLOATS = {"f16": 12, "bf16": 13, "f32": 14, "e4m3": 15, "e5m2": 16, "e2m1": 17, "f64": 18, "tf32": 19,
          "e3m2": 22, "e2m3": 23, "ue8m0": 24, "ue4m3": 25}  # fmt: skip
INTEGERS = {"pred": 2, **{f"{kind}{bits}": tag for bits, tag in ((8, 5), (16, 6), (32, 7), (64, 8)) for kind in "subs"}}
PACKED = {
    "f16x2": 27,
    "bf16x2": 27,
    "e4m3x2": 26,
    "e5m2x2": 26,
    "u16x2": 27,
    "b128": 9,
    "u4": 4,
    "s4": 4,
    "b1": 2,
    "b1024": 0,
    "f32x2": 0,
    "u8x4": 27,
    "e2m1x2": 0,
    "": 0,
    "x": 0,
}


@pytest.mark.parametrize(("name", "tag"), (FLOATS | INTEGERS | PACKED).items())
def test_tags_of_types(name: str, tag: int) -> None:
    """Integers as LLVM's MVT numbers them; packed types by their bits."""
    assert type_tag(name) == tag
    assert [TypeTag(n).name for n in (2, 4, 5, 6, 7, 8, 9, 20, 21)] == [
        "PRED", "I4", "I8", "I16", "I32", "I64", "I128", "MXF8F6F4", "MXF4",
    ]  # fmt: skip


@pytest.mark.parametrize("prefix", ["%p", "%rs", "%r", "%rd", "%rq", "%f", "%fd"])
def test_numbered_registers(prefix: str) -> None:
    """A class in the top four bits, a number below 2 ** 28; and back. Other names have numbers of their own."""
    number = ["%p", "%rs", "%r", "%rd", "%rq", "%f", "%fd"].index(prefix) + 1
    for index in (0, 1, 9, 10, 99999999, 268435455):
        assert virtual_register(f"{prefix}{index}") == number << 28 | index
        assert print_reg_name(number << 28 | index) == f"{prefix}{index}"
    for name in ("", "00", "01", "268435456", "999999999", "1234567890", "x", "1x", " 1", "-1", "\u0661"):
        assert virtual_register(f"{prefix}{name}") is None
    assert virtual_register(prefix[1:] + "1") is None and virtual_register(f"%{prefix}1") is None


def test_the_names_of_the_pool() -> None:
    """Of seven classes and of four kinds of parameters five each, 32 environment registers, and three of the frame."""
    prefixes = ("%p", "%rs", "%r", "%rd", "%rq", "%h", "%hh", "%ia", "%la", "%fa", "%da")
    assert [print_reg_name(1 + 5 * n + k) for n in range(11) for k in range(5)] == [
        f"{p}{k}" for p in prefixes for k in range(5)
    ]
    assert [print_reg_name(56 + n) for n in range(32)] == [f"%envreg{n}" for n in range(32)]
    assert [print_reg_name(88 + n) for n in range(3)] == ["%SP", "%SPL", "%Depot"]
    assert print_reg_name(91, [*NAMES, "%tid.x"]) == "%tid.x"
    for number in (0, 91, 8 << 28, 8 << 28 | 1, -1, -(1 << 28)):
        with pytest.raises(IsaError, match=f"{number:#x} is not a register"):
            print_reg_name(number)


def test_kinds_and_groups() -> None:
    """The numbers of the notes."""
    assert {kind.name: int(kind) for kind in Kind} == {
        "REGISTER": 0, "IMMEDIATE": 0x01, "FP_IMMEDIATE": 0x11, "LITERAL": 0x21, "SYMBOL": 0x41, "TEXT": 0x81, "GROUP": 0xC1,
    }  # fmt: skip
    assert [group.name.lower() for group in Group] == [
        "offset_symbol", "negated", "element", "vector", "pair", "arguments", "address",
    ]  # fmt: skip


def test_an_opcode_alone_is_explained_with_operands_that_are_made_up() -> None:
    for text, line in (
        ("add.s32", "add.s32 %r0, %r1, %r2;"),
        (" ret; ", "ret;"),
        ("@%p1 ret", "@%p1 ret;"),
        ("@!%p1 add.s32 %r1, 2, 3", "@!%p1 add.s32 %r1, 2, 3;"),
    ):
        assert explain(text)["line"] == line
    assert explain("add.s32")["opcode"] == explain(f"{decode('add.s32')} %r5, %r6, 7")["opcode"]
