"""`diff` sees what changed in a module and not how its registers and labels are called."""

from __future__ import annotations

from tests.ptx.constructs import everything, module
from weft.ptx import diff, parse

OLD = module(
    ".global .b32 g; .entry k(.param .u64 p) .maxntid 128 { .reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .pred %p<2>;\n"
    "mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p];\n$L1: add.u32 %r2, %r1, 5; setp.lt.u32 %p1, %r2, %r1;\n"
    "@%p1 bra $L1; mul.lo.u32 %r3, %r2, %r2; st.global.u32 [%rd1], %r3; ret; }"
)


def changes(old: str, new: str) -> list[str]:
    return [str(change) for change in diff(parse(old), parse(new))]


def test_equal_modules() -> None:
    for text in everything().values():
        assert changes(text, text) == []


def test_names_and_layout_do_not_count() -> None:
    new = OLD.replace("%r1", "%q7").replace("%r<9>", "%r<9>, %q<8>").replace("$L1", "again").replace(" p)", " q)")
    new = new.replace("[p]", "[q]").replace("mul.lo", "// note\n.loc 1 2 3\nmul.lo")
    assert changes(OLD, new) == []


def test_a_changed_instruction() -> None:
    assert changes(OLD, OLD.replace("add.u32 %r2, %r1, 5", "add.u32 %r2, %r1, 6")) == [
        "@ function k, statement 4\n- add.u32 %r2, %r1, 5\n+ add.u32 %r2, %r1, 6"
    ]


def test_an_insertion_leaves_the_rest_alone() -> None:
    new = OLD.replace("mul.lo.u32", "not.b32 %r7, %r2; mul.lo.u32")
    assert changes(OLD, new) == ["@ function k, statement 7\n+ not.b32 %r7, %r2"]


def test_registers_go_together_one_to_one() -> None:
    assert changes(OLD, OLD.replace("mul.lo.u32 %r3, %r2, %r2", "mul.lo.u32 %r3, %r2, %r1")) == [
        "@ function k, statement 7\n- mul.lo.u32 %r3, %r2, %r2\n+ mul.lo.u32 %r3, %r2, %r1"
    ]


def test_special_registers_are_not_renamed() -> None:
    assert len(changes(OLD, OLD.replace("%tid.x", "%ctaid.x"))) == 1


def test_header_variables_signatures() -> None:
    assert changes(OLD, OLD.replace("8.4", "8.5")) == ["@ version\n- 8.4\n+ 8.5"]
    assert changes(OLD, OLD.replace(".b32 g;", ".b64 g;")) == ["@ variable g\n- .global .b32 g;\n+ .global .b64 g;"]
    assert changes(OLD, OLD + ".entry j() { ret; }") == ["@ function j\n+ entry defined"]
    assert len(changes(OLD, OLD.replace(".maxntid 128", ".maxntid 64"))) == 1


def test_scopes_have_lines_of_their_own() -> None:
    body = ".entry k() {{ .reg .b32 %r<3>; mov.u32 %r1, 1; {} not.b32 %r1, %r1; {} ret; }}"
    flat, scoped, nested = (
        module(body.format(*braces)) for braces in (("", ""), ("{", "}"), ("{ mov.u32 %r2, 2; {", "} }"))
    )
    assert changes(flat, scoped) == ["@ function k, statement 2\n+ {", "@ function k, statement 3\n+ }"]
    assert changes(scoped, flat) == ["@ function k, statement 2\n- {", "@ function k, statement 4\n- }"]
    assert changes(scoped, nested) == [
        "@ function k, statement 3\n+ mov.u32 %r2, 2\n+ {",
        "@ function k, statement 4\n+ }",
    ]


def test_labels_and_variables_of_bodies() -> None:
    body = ".entry k() {{ .reg .b32 %r<3>; {} mov.u32 %r1, 1; {} ret; }}"
    old = module(body.format(".local .b32 v;", "L: bra L;"))
    assert changes(old, module(body.format("", "L: bra L;"))) == ["@ function k, statement 1\n- .local .b32 v;"]
    assert changes(old, module(body.format(".local .b32 w;", "M: bra M;"))) == []
    assert changes(old, module(body.format(".local .b32 v;", ""))) == ["@ function k, statement 3\n- L:\n- bra L"]
