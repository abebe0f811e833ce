"""The tree as tools see it: texts of nodes, walking, changing, renaming."""

from __future__ import annotations

import dataclasses
import html
import random
import re
import subprocess
import sys

import pytest

import weft
from tests.ptx.constructs import everything, module
from weft import ptx
from weft.isa import decode
from weft.ptx import edit, highlight, parse, replace_operands, walk
from weft.ptx.ast import Block, Function, Instruction, Label, Module, RegisterDeclaration, Section, Variable
from weft.ptx.header import find_header
from weft.ptx.node import Node
from weft.ptx.operands import Address, Operand, Register, Symbol
from weft.ptx.visit import children, replaced

TEXTS = everything()
KERNEL = """.version 8.0
.target sm_80
.address_size 64
.global .u64 table[2] = {generic(g)+8, 0};
.global .u32 g;
.visible .func f(.param .b32 a);
.visible .entry k(.param .u64 p)
{
	.reg .pred %q<2>;
	.reg .b32 %r<4>, acc;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd0, [p];
	mov.u32 %r0, %tid.x;
	setp.lt.u32 %q0, %r0, 16;
	@!%q0 bra $END;
	mad.wide.u32 %rd1, %r0, 4, %rd0;
	ld.global.u32 acc, [%rd1];
	{
		.reg .b32 %r<2>;
		add.u32 %r1, acc, 5;
		st.global.u32 [%rd1+0], %r1;
	}
$END:
	ret;
}
.section .debug_info
{
	.b64 $END
	.b64 k
	.b64 other
}
"""


def nodes(name: str) -> list[Node]:
    return list(walk(parse(TEXTS[name])))


@pytest.mark.parametrize("name", TEXTS)
def test_every_node_prints_and_has_a_short_repr(name: str) -> None:
    for node in nodes(name):
        assert len(repr(node)) < 120
        assert str(node) or isinstance(node, ptx.ValueList | Block | Section)


@pytest.mark.parametrize("name", TEXTS)
def test_statements_print_as_the_module_prints_them(name: str) -> None:
    parsed = parse(TEXTS[name])
    lines = {line.strip() for line in parsed.to_ptx().splitlines()}
    for node in walk(parsed):
        if isinstance(
            node, Instruction | Label | RegisterDeclaration | Variable | ptx.Loc | ptx.Pragma | ptx.TargetList
        ):
            assert all(line in lines for line in str(node).splitlines()), node
    for item in parsed.items:
        assert str(item) in parsed.to_ptx()


def test_no_part_of_a_node_is_forgotten() -> None:
    """What a dataclass field holds of nodes is what `children` gives: no class is left out of the table."""
    seen: set[type] = set()
    for name in TEXTS:
        for node in nodes(name):
            seen.add(type(node))
            if not dataclasses.is_dataclass(node):
                continue
            held: list[Node] = []
            for each in dataclasses.fields(node):
                value = getattr(node, each.name)
                held += [
                    part for part in (value if isinstance(value, tuple | list) else [value]) if isinstance(part, Node)
                ]
            found = list(children(node))
            assert all(any(part is child for child in found) for part in held), type(node)
    assert len(seen) > 35, sorted(cls.__name__ for cls in seen)


def test_walk_gives_kinds_in_text_order() -> None:
    parsed = parse(KERNEL)
    kernel = parsed.kernels[0]
    assert list(walk(parsed, Instruction)) == list(kernel.instructions())
    assert [label.name for label in walk(parsed, Label)] == ["$END"]
    assert [type(node).__name__ for node in walk(kernel, Block, RegisterDeclaration)][-2:] == [
        "Block",
        "RegisterDeclaration",
    ]
    assert {node.name for node in walk(kernel, Register) if node.name.startswith("%rd")} == {"%rd0", "%rd1"}
    assert [str(a) for a in walk(kernel, Address)] == ["[p]", "[%rd1]", "[%rd1+0]"]
    assert [str(s) for s in walk(parsed.variables[0])][1:] == ["{generic(g)+8, 0}", "generic(g)+8", "g+8", "0"]


def test_walk_reads_functions_from_bytes() -> None:
    parsed = parse(KERNEL)
    assert list(map(str, walk(weft.from_bytes(parsed.to_bytes()), Instruction))) == list(
        map(str, walk(parsed, Instruction))
    )


def test_html_is_escaped() -> None:
    text = module('.entry k() { .pragma "<b>&"; setp.lt.s32 %p, 1, 2; } // <script>')
    for node in (parse(text), parse(text).functions[0]):
        shown = node._repr_html_()
        assert "<b>" not in shown
        assert html.unescape(re.sub(r"</?(?:pre|span)[^>]*>", "", shown)) == str(node)
    assert "setp.lt.s32" in next(walk(parse(text), Instruction))._repr_html_()


def test_operands_are_replaced_everywhere() -> None:
    parsed = parse(KERNEL)

    def change(operand: Operand) -> Operand:
        return Register("%rd3") if operand == Register("%rd1") else operand

    assert replace_operands(parsed, change) == 3
    assert "%rd1" not in parsed.to_ptx()
    assert "[%rd3+0]" in parsed.to_ptx()
    assert replace_operands(parsed, change) == 0


# ---- changing ----


@pytest.mark.parametrize("name", everything())
def test_an_operand_stays_itself_where_nothing_changes(name: str) -> None:
    """And is another where any register of it does, wherever that stands; the others stay."""
    for instruction in walk(parse(everything()[name]), Instruction):
        for operand in instruction.operands:
            assert replaced(operand, lambda part: part) is operand
            for register in {part.name for part in walk(operand, Register)}:
                fresh = Register("%fresh")
                made = replaced(operand, lambda part, old=register, new=fresh: new if part == Register(old) else part)
                assert made != operand
                assert str(made) == re.sub(rf"(?<![\w%$.]){re.escape(register)}(?![\w$])", "%fresh", str(operand))


def test_edits_are_made_together() -> None:
    parsed = parse(KERNEL)
    kernel = parsed.kernels[0]
    with edit(kernel) as e:
        for instruction in walk(kernel, Instruction):
            if instruction.opcode.stem == "st":
                fresh = e.register("pred")
                address = instruction.named["a"]
                assert isinstance(address, Address)
                e.before(instruction, f"setp.eq.u64 {fresh}, {address.base}, 0; @{fresh} trap;")
                e.after(instruction, Instruction(decode("membar.gl")))
            elif instruction.opcode.stem == "mov":
                e.split(instruction)
            elif instruction.opcode.stem == "setp":
                e.replace(instruction, "setp.lt.u32 %q0, %r0, 8;")
        e.at_start("mov.u32 acc, 0;")
    lines = [line.strip() for line in str(kernel).splitlines()]
    assert lines[lines.index("@%p_0 trap;") + 1 :][:2] == ["st.global.u32 [%rd1+0], %r1;", "membar.gl;"]
    assert lines[lines.index("mov.u32 %r0, %tid.x;") - 1] == "$L:"
    assert lines[lines.index(".reg .pred %p_<1>;") + 2] == "mov.u32 acc, 0;"
    assert "setp.lt.u32 %q0, %r0, 8;" in lines
    assert not [d for d in weft.verify(parsed) if d.code != "declaration"]


def test_nothing_changes_when_a_pass_fails() -> None:
    parsed = parse(KERNEL)
    before = parsed.to_ptx()
    kernel = parsed.kernels[0]
    with pytest.raises(ZeroDivisionError), edit(kernel) as e:  # noqa: PT012
        e.remove(next(kernel.instructions()))
        raise ZeroDivisionError
    assert parsed.to_ptx() == before
    with pytest.raises(weft.WeftError, match="is not in 'k'"), edit(kernel) as e:
        e.before(Instruction(decode("ret")), "ret;")
    with pytest.raises(weft.WeftError, match="cannot be removed"), edit(kernel) as e:
        e.remove(next(walk(kernel, Label)))
    with pytest.raises(weft.PtxSyntaxError, match="<statements>"):
        ptx.statements("add.u32 %r1, %r2")
    assert parsed.to_ptx() == before


def test_labels_that_nothing_names_may_be_removed() -> None:
    kernel = parse(".version 8.0 .target sm_80 .entry k() { A: B: bra B; } .extern .func f();").functions
    for function in kernel:
        with edit(function) as e:
            for label in walk(function, Label):
                if label.name == "A":
                    e.remove(label)
    assert [str(statement) for statement in kernel[0].walk()] == ["B:", "bra B;"]


def test_fresh_names_are_fresh() -> None:
    parsed = parse(KERNEL.replace("%q", "%p_"))
    with edit(parsed.kernels[0], parsed) as e:
        assert e.register("pred") == Register("%p__0")
        assert e.label("$END").name == "$END_1"
        assert e.name("table") == "table_1"
        with pytest.raises(weft.WeftError, match="unknown type 'b31'"):
            e.register("b31")
    assert ptx.fresh_name(parsed, "g") == "g_1"
    assert ptx.fresh_name(parsed, "new") == "new"


def test_a_clone_shares_nothing_that_can_change() -> None:
    for text in TEXTS.values():
        parsed = parse(text)
        for function in parsed.functions:
            twin = ptx.clone(function, function.name)
            assert twin == function
            mine = {id(node) for node in walk(function, Instruction, Label, Block, Variable, ptx.Parameter)}
            assert not mine & {id(node) for node in walk(twin, Instruction, Label, Block, Variable, ptx.Parameter)}


# ---- renaming ----


def test_renaming_knows_scopes() -> None:
    parsed = parse(KERNEL)
    kernel = parsed.kernels[0]
    ptx.rename(parsed, "%r", "%x", scope=kernel)
    text = parsed.to_ptx()
    assert ".reg .b32 %x<4>, acc;" in text
    assert "mov.u32 %x0, %tid.x;" in text
    assert "add.u32 %r1, acc, 5;" in text, "the block declares %r itself"
    ptx.rename(parsed, "acc", "sum", scope=kernel)
    assert "add.u32 %r1, sum, 5;" in parsed.to_ptx()
    ptx.rename(parsed, "p", "pointer", scope=kernel)
    ptx.rename(parsed, "$END", "$DONE", scope=kernel)
    ptx.rename(parsed, "g", "counter")
    ptx.rename(parsed, "k", "kernel")
    text = parsed.to_ptx()
    assert "[pointer]" in text
    assert "bra $DONE;" in text
    assert "generic(counter)+8" in text
    assert ".b64 $DONE\n\t.b64 kernel\n\t.b64 other" in text
    assert parse(text) == parsed


def test_one_register_of_a_range_gets_a_declaration() -> None:
    parsed = parse(KERNEL)
    ptx.rename(parsed, "%rd1", "%address", scope=parsed.kernels[0])
    text = parsed.to_ptx()
    assert ".reg .b64 %address;" in text
    assert "[%address+0]" in text
    assert "%rd1" not in text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("%s", "%x", "does not declare '%s'"),
        ("acc", "%rd2", "already declared"),
        ("acc", "a-b", "cannot be the name"),
        ("acc", "%tid", "cannot be the name"),
        ("$END", "%end", "% marks registers"),
        ("acc", "%r1", "already declared"),
        ("%rd", "%q", "already declared"),
        ("p", "g", ""),
    ],
)
def test_names_are_not_captured(old: str, new: str, message: str) -> None:
    parsed = parse(KERNEL)
    before = parsed.to_ptx()
    if not message:
        ptx.rename(parsed, old, new, scope=parsed.kernels[0])  # Nothing inside uses the outer `g`.
        return
    with pytest.raises(weft.WeftError, match=message):
        ptx.rename(parsed, old, new, scope=parsed.kernels[0])
    assert parsed.to_ptx() == before


def test_inner_declarations_and_outer_names_are_kept_apart() -> None:
    inner = parse(module(".entry k() { .reg .b32 a; { .reg .b32 b; mov.b32 a, b; } }"))
    with pytest.raises(weft.WeftError, match="already declares 'b'"):
        ptx.rename(inner, "a", "b", scope=inner.kernels[0])
    outer = parse(module(".global .b32 g; .entry k() { .reg .b32 a; ld.global.b32 a, [g]; }"))
    with pytest.raises(weft.WeftError, match="has a different meaning in this scope"):
        ptx.rename(outer, "a", "g", scope=outer.kernels[0])


@pytest.mark.sample(16)
@pytest.mark.parametrize("name", TEXTS)
def test_renaming_and_back_changes_nothing(name: str) -> None:
    parsed = parse(TEXTS[name])
    before = parsed.to_ptx()
    rng = random.Random(name)
    for function in parsed.functions:
        scopes: list[Function | Block] = [function, *walk(function, Block)]
        for scope in rng.sample(scopes, min(3, len(scopes))):
            own = ptx.declared_names(scope)
            for old in rng.sample([*own.singles, *own.ranges], min(4, len(own.singles) + len(own.ranges))):
                if old in own.singles and old in own.ranges:
                    continue
                new = "%fresh__name" if old.startswith("%") else "fresh__name"
                ptx.rename(parsed, old, new, scope=scope)
                assert parse(parsed.to_ptx()) == parsed
                ptx.rename(parsed, new, old, scope=scope)
    assert parsed.to_ptx() == before


def test_symbols_and_registers_stay_what_they_are() -> None:
    parsed = parse(KERNEL)
    assert isinstance(parsed, Module)
    assert Symbol("$END") in set(walk(parsed.kernels[0], Symbol))


def test_reading_and_importing_stay_light() -> None:
    """The tools of the tree are loaded when they are used, not by who only reads PTX."""
    code = (
        "import sys, weft; before = {m for m in sys.modules if m.startswith('weft.')}; weft.parse(sys.argv[1]).to_ptx();"
        "print(len(before), *(m for m in sys.modules if m in sys.argv[2:]))"
    )
    heavy = ["numpy", "json", "weft.ptx.visit", "weft.ptx.rewriting", "weft.ptx.tree_json", "weft.ptx.verifier"]
    command = [sys.executable, "-c", code, KERNEL, *heavy]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == ["0"]


def test_each_kind_of_word_has_its_colour() -> None:
    text = module('.entry k() { .pragma "nounroll";\nL:\n setp.lt.s32 %p, 1, 2; } // said')
    found = re.findall(r"<span[^>]*?(#[0-9a-f]{6})\b[^>]*>\s*([^<]*)</span>", highlight.html(text))
    colours = {html.unescape(word): colour for colour, word in found}
    shown = [colours[word] for word in ("// said", '"nounroll"', "%p", ".pragma", "L:", "1", "setp.lt.s32")]
    assert len(set(shown)) == len(shown)


def test_words_of_a_header_have_places() -> None:
    header = find_header(text := ".version 8.0\n.target sm_90, debug\n.address_size 64\n")
    assert header is not None
    for word, there in (("sm_90", "sm_90"), ("debug", "debug"), ("sm_70", "sm_90")):
        assert text.startswith(there, header.target(word))


def test_functions_may_be_declared_in_bodies() -> None:
    parsed = parse(module(".entry k() { .func f(.param .b32 x); .extern .func g(); ret; }"))
    assert [(f.name, f.linkage) for f in parsed.functions] == [("f", ""), ("g", "extern"), ("k", "")]
