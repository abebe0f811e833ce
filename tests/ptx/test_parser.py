"""What the parser makes of a text: the tree, and the meaning of names and numbers."""

from __future__ import annotations

import gc

import pytest

from tests.ptx.constructs import HEADER, KERNEL, STATEMENTS, body, module
from weft.ptx import constants, parse
from weft.ptx.ast import Attribute, Block, Function, Instruction, Label, RegisterDeclaration, Section
from weft.ptx.debug_nodes import Data, LabelSum
from weft.ptx.directive_nodes import DwarfLine, FunctionDirective, Loc, Pragma, SourceLocation, Target, TargetList
from weft.ptx.expressions import Binary, Cast, Conditional, Unary
from weft.ptx.operands import (
    Address,
    Arguments,
    Element,
    Expression,
    Float,
    Integer,
    Negated,
    Operand,
    Pair,
    Register,
    Sink,
    Symbol,
    Vector,
)
from weft.ptx.values import AddressByte, GenericAddress, ValueList


def operands(text: str, declared: str = ".reg .b32 a, b, c; .reg .pred p, q;") -> tuple[Operand, ...]:
    """The operands of the last instruction of a kernel."""
    function = parse(module(f".entry k() {{ {declared} {text} }}")).functions[0]
    return list(function.instructions())[-1].operands


R, S = Register, Symbol


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mov.b32 %r1, a;", (R("%r1"), R("a"))),
        ("mov.b32 a, unknown;", (R("a"), S("unknown"))),
        ("mov.b32 a, %tid .x;", (R("a"), R("%tid.x"))),
        ("mov.b32 a.b0, b.h1;", (R("a.b0"), R("b.h1"))),
        ("mov.b32 a, -0x1F;", (R("a"), Integer(-31, "-0x1F"))),
        ("mov.b32 a, - 5;", (R("a"), Integer(-5, "-5"))),
        ("mov.b32 a, 0b101U;", (R("a"), Integer(5, "0b101U"))),
        ("mov.b32 a, 0F3f800000;", (R("a"), Float(1.0, "0F3f800000"))),
        ("mov.b32 a, -1.5E+3;", (R("a"), Float(-1500.0, "-1.5E+3"))),
        ("mov.b32 a, WARP_SZ;", (R("a"), Integer(32, "WARP_SZ"))),
        ("mov.b32 a, (1 << 4) | 3;", (R("a"), Expression("(1<<4)|3"))),
        ("mov.b32 a, (5);", (R("a"), Integer(5))),
        ("mov.b32 a, g+4+4;", (R("a"), S("g", 8))),
        ("mov.b32 a, g+0;", (R("a"), S("g", 0, True))),
        ("mov.b32 a, g [ b+4 ];", (R("a"), Element("g", S("b", 4)))),
        ("ld.b32 a, [g];", (R("a"), Address(S("g")))),
        ("ld.b32 a, [b+-4];", (R("a"), Address(R("b"), -4))),
        ("ld.b32 a, [b+4*4];", (R("a"), Address(R("b"), 16))),
        ("ld.b32 a, [b+0];", (R("a"), Address(R("b"), zero=True))),
        ("ld.b32 a, [0x10+4];", (R("a"), Address(Expression("0x10+4")))),
        (
            "tex.x {a,b}, [g, s, {a, 1}];",
            (Vector((R("a"), R("b"))), Address(S("g"), 0, (S("s"), Vector((R("a"), Integer(1)))))),
        ),
        ("setp.x p|_, a, !q;", (Pair(R("p"), Sink()), R("a"), Negated(R("q")))),
        ("vmad.x a, -b, c;", (R("a"), Negated(R("b"), "-"), R("c"))),
        ("call (a), f, (b, 5), pr;", (Arguments((R("a"),)), S("f"), Arguments((R("b"), Integer(5))), S("pr"))),
        ("call f, (5);", (S("f"), Arguments((Integer(5),)))),
        ("call f, ();", (S("f"), Arguments(()))),
        ("ret ;", ()),
    ],
)
def test_operands(text: str, expected: tuple[Operand, ...]) -> None:
    assert operands(text) == expected
    assert operands(text.replace(" ", " /* x */ ")) == expected, "comments change nothing"


def test_equal_texts_share_their_objects() -> None:
    function = parse(body("add.u32 %r1, %r2, 3; add.u32 %r1, %r2, 3;")).functions[0]
    first, second = (i for i in function.instructions() if i.opcode.text == "add.u32")
    assert first.operands is second.operands
    assert first.opcode is second.opcode


def test_names_follow_scopes() -> None:
    text = module(
        ".global .b32 a;.entry k() { mov.b64 %rd1, a; { .reg .b64 a; mov.b64 %rd1, a; { .shared .b32 a;"
        " mov.b64 %rd1, a; } mov.b64 %rd1, a; } mov.b64 %rd1, a; .reg .b64 a<3>; mov.b64 %rd1, a2; mov.b64 %rd1, a3; }"
    )
    sources = [i.operands[1] for i in parse(text).functions[0].instructions()]
    assert [type(s) for s in sources] == [Symbol, Register, Symbol, Register, Symbol, Register, Symbol]


def test_percent_names_may_be_variables() -> None:
    text = module(".global .b32 %g; .entry k(.param .b32 %p) { ld.b32 %r1, [%p]; ld.b32 %r1, [%g]; }")
    loads = list(parse(text).functions[0].instructions())
    assert [i.operands for i in loads] == [(R("%r1"), Address(S("%p"))), (R("%r1"), Address(S("%g")))]


def test_statements_and_places() -> None:
    text = module(".entry k() {\n L1: @!p add .s32 a, b;\n { bar.sync 0; }\n ts: .branchtargets L1,L2;\n.loc 1 2 3\n}")
    function = parse(text).functions[0]
    assert function.body is not None
    label, add, block, targets, loc = function.body
    assert label == Label("L1")
    assert isinstance(add, Instruction)
    assert add.opcode.text == "add.s32"
    assert str(add.guard) == "@!p"
    assert text[add.pos :].startswith("@!p add .s32")
    assert isinstance(block, Block)
    assert text[block.pos] + text[block.end] == "{}"
    assert targets == TargetList("ts", "branchtargets", (Target("L1"), Target("L2")))
    assert loc == Loc(SourceLocation(1, 2, 3))
    assert [type(s).__name__ for s in function.walk()].count("Instruction") == 2


def test_header() -> None:
    parsed = parse("// one\n//two\n.version 8.4\n.target sm_90a, debug\n.entry k() {ret;}", "f.ptx")
    assert (parsed.version, parsed.targets, parsed.address_size) == ((8, 4), ("sm_90a", "debug"), None)
    assert parsed.target == "sm_90a"
    assert parsed.banner == (" one", "two")
    assert parsed.filename == "f.ptx"
    assert parsed == parse(".version 8.4\n.target sm_90a, debug\n.entry k() {ret;}"), "comments are not compared"


def test_functions_and_parameters() -> None:
    text = module(
        ".visible .func (.reg .b32 rv) f (.param .align 8 .b8 x[12]) .noreturn ;\n"
        '.entry k(.param .u64 .ptr .global .align 16 p) .maxntid 4, 5 .pragma "x"; { ret; }'
    )
    f, k = parse(text).functions
    assert (f.name, f.kernel, f.linkage, f.body) == ("f", False, "visible", None)
    assert (f.returns[0].space, f.parameters[0].dims, f.parameters[0].align) == ("reg", (12,), 8)
    assert f.directives == [FunctionDirective("noreturn")]
    pointer = k.parameters[0].pointer
    assert pointer is not None
    assert (pointer.space, pointer.align) == ("global", 16)
    assert k.directives == [FunctionDirective("maxntid", (4, 5)), Pragma(("x",))]
    assert text[k.opening] + text[k.end] == "{}"


def test_variables() -> None:
    text = module(
        ".visible .global .attribute(.managed, .unified(1,2)) .align 8 .v2 .f32 a[] = { {1.0 ,2} ,{3,4} }, b<4>;\n"
        ".const[2] .u64 c = generic( h ) + 8; .global .u8 d[2] = {0xFF00(h+4), 0x1F + 1};"
    )
    a, b, c, d = parse(text).variables
    assert (a.linkage, a.space, a.attributes) == (
        "visible",
        "global",
        (Attribute("managed"), Attribute("unified", (1, 2))),
    )
    values = ValueList([ValueList([Float(1.0, "1.0"), 2]), ValueList([3, 4])])
    assert (a.align, a.vector, a.type, a.dims, a.initializer) == (8, "v2", "f32", (-1,), values)
    assert str(a.initializer) == "{{1.0, 2}, {3, 4}}"
    assert (b.name, b.count, b.initializer) == ("b", 4, None)
    assert (c.space, c.initializer) == ("const[2]", GenericAddress(Symbol("h", 8)))
    assert isinstance(d.initializer, ValueList)
    assert d.initializer.elements == (AddressByte(Integer(0xFF00, "0xFF00"), Symbol("h", 4)), Expression("0x1F+1"))


def test_big_initialisers_keep_every_value() -> None:
    values = [str(i % 251) for i in range(50_000)]
    (variable,) = parse(module(f".global .b8 a[50000] = {{{' , '.join(values)}}};")).variables
    assert str(variable.initializer) == "{" + ", ".join(values) + "}"
    assert isinstance(variable.initializer, ValueList)
    assert [str(value) for value in variable.initializer] == values


def test_sections() -> None:
    text = module(KERNEL + ".section .debug_str { a: .b8 1 ,2 .b8 -3 // } \n .b64 a+ 4 .b32 a-b .b32 .debug_str }")
    section = parse(text).items[-1]
    assert isinstance(section, Section)
    assert section.lines == ("a:", ".b8 1, 2", ".b8 -3", ".b64 a+4", ".b32 a-b", ".b32 .debug_str")
    assert section.items == [
        Label("a"),
        Data("b8", (Integer(1), Integer(2))),
        Data("b8", (Integer(-3),)),
        Data("b64", (LabelSum("a", "+", Integer(4)),)),
        Data("b32", (LabelSum("a", "-", Symbol("b")),)),
        Data("b32", (Symbol(".debug_str"),)),
    ]
    assert Section.of(section.name, section.items) == section


def test_registers() -> None:
    text = module(".entry k() { .reg .v2 .b32 a, %r < 0x4 >; }")
    assert parse(text).functions[0].body == [RegisterDeclaration("b32", (("a", 0), ("%r", 4)), "v2")]


def test_unknown_and_odd_opcodes_are_kept() -> None:
    text = module(".entry k() { frobnicate.x.y a, [b]; add.u32 a; mma.sync.nonsense {a}, b; }")
    instructions = list(parse(text).functions[0].instructions())
    assert [i.opcode.written for i in instructions] == ["frobnicate.x.y", "add.u32", "mma.sync.nonsense"]


def test_old_dwarf_lines() -> None:
    parsed = parse(".version 1.4\n.target sm_10\n@@DWARF .section .debug_info\n@@DWARF .byte  0x1, 2\n")
    assert parsed.items == [DwarfLine(".section .debug_info"), DwarfLine(".byte 0x1, 2")]
    assert parse(parsed.to_ptx()) == parsed


def test_deep_scopes_need_no_recursion() -> None:
    depth = 1500
    text = module(".entry k() {" + "{" * depth + "ret;" + "}" * depth + "}")
    parsed = parse(text)
    assert parse(parsed.to_ptx()) == parsed
    assert sum(isinstance(s, Block) for s in parsed.functions[0].walk()) == depth


@pytest.mark.parametrize("collecting", [True, False])
def test_the_collector_is_left_as_it_was(collecting: bool) -> None:
    was = gc.isenabled()
    try:
        (gc.enable if collecting else gc.disable)()
        parse(HEADER)
        with pytest.raises(Exception, match=r"\.version"):
            parse("nonsense")
        assert gc.isenabled() is collecting
    finally:
        (gc.enable if was else gc.disable)()


EXPRESSIONS: list[tuple[str, float]] = [
    ("1 + 2 * 3", 7),
    ("(1 + 2) * 3", 9),
    ("-7 / 2", -3),
    ("1 ? 2 : 3 ? 4 : 5", 2),
    ("0 ? 2 : 0 ? 4 : 5", 5),
    ("1 < 2 && 3 != 3 || 4", 1),
    ("~0 & 0xFF ^ 0x0F | 0x100", 0x1F0),
    ("- - 3 - -4", 7),
    ("!5 + !0", 1),
    ("1 << 63", -(1 << 63)),
    ("0xFFFFFFFFFFFFFFFF", -1),
    ("1 << 1000", 1 << 40),
    ("(.s64)4 + (.u64)2", 6),
    ("1.5 + 2.0", 3.5),
    ("WARP_SZ - 1", 31),
    ("010", 8),
    ("(" * 5000 + "1" + ")" * 5000, 1),
]


@pytest.mark.parametrize(("text", "value"), EXPRESSIONS)
def test_constant_expressions(text: str, value: float) -> None:
    assert constants.evaluate(text) == value


@pytest.mark.parametrize("text", [text for text, _ in EXPRESSIONS if len(text) < 1000])
def test_trees_of_constant_expressions(text: str) -> None:
    tight = text.replace(" ", "")
    tree = Expression(tight).tree
    assert str(tree) == tight
    assert Expression(str(tree)).value == constants.evaluate(text)


def test_a_tree_has_the_operators_precedence() -> None:
    tree = Expression("1+2*(.s64)~3?4:5").tree
    assert isinstance(tree, Conditional)
    assert isinstance(tree.condition, Binary)
    assert tree.condition.operator == "+"
    assert tree.condition.right == Binary(Integer(2), "*", Cast("s64", Unary("~", Integer(3))))


def test_every_statement_keeps_its_instructions() -> None:
    for name, text in STATEMENTS.items():
        function = parse(body(text)).functions[0]
        assert isinstance(function, Function), name
        assert all(i.pos >= 0 for i in function.instructions()), name
