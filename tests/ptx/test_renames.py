"""Every name of a module renamed everywhere it is meant and nowhere else: texts in which the places are marked."""

from __future__ import annotations

import re

import pytest

import weft
from weft import ptx
from weft.ptx import parse, walk
from weft.ptx.ast import Block, Function

TEXT = """.version 8.4
.target sm_90
.address_size 64
.global .u32 <g>;
.global .u32 many<4>;
.global .u64 <table>[4] = {<g>, generic(<g>), <g>+8, generic(<table>)+8};
.global .u8 bytes[3] = {0xFF(<g>), 0xFF00(generic(<g>)), 7};
.global .u64 plain[2] = {1, 2};
.global .u64 alone = <f>;
.func (.param .b32 <out>) <f>(.param .b32 <in>, .reg .b32 <held>)
{
	.reg .b32 %a<4>, <acc>;
	.reg .v4 .b32 <vec>;
	.reg .pred <p>;
	.shared .align 4 .u32 <array>[8];
	.param .b32 g2;
	ld.param.b32 <acc>, [<in>];
	mov.b32 <vec>.x, <held>;
	setp.eq.b32 <p>|_, <acc>, %a3;
	@<p> mov.b32 %a0, <vec>.y;
	@!<p> bra <END>;
	ld.shared.u32 %a1, <array>[2];
	ld.shared.u32 %a1, <array>[<acc>];
	mov.u32 %a2, <array>+4;
	mov.b32 %a01, %a0002;
	mov.b32 %a00, %a003;
	st.global.u32 [<g>+4], <acc>;
	st.global.u32 [many01], <acc>;
	{
		.reg .b32 <inner>, acc2;
		.reg .pred acc;
		mov.b32 <inner>, %a0;
		setp.eq.b32 acc, <inner>, <held>;
		{
			.reg .b32 inner;
			mov.b32 inner, 5;
		}
		bra <END>;
	}
	<ts>: .branchtargets <END>, <NEXT>;
	brx.idx <acc>, <ts>;
<NEXT>:
	<proto>: .callprototype _ (.param .b32 g);
	call (), %a0, (<acc>), <proto>;
<END>:
	st.param.b32 [<out>], <acc>;
	ret;
}
.alias <other>, <f>;
.visible .entry <k>()
{
	.reg .b32 g, %a<2>;
	.reg .u64 %rd<2>;
	mov.b32 g, %a1;
	mov.u64 %rd0, <table>;
	mov.u64 %rd1, <f>;
	{ .param .b32 x; .param .b32 f; call (f), <other>, (x, %a0); }
	ret;
}
.section .debug_info
{
	.b64 <k>
	.b64 <g>+8
	.b64 <END>
	.b32 .debug_abbrev
}
"""
OF_MODULE = ("g", "table", "f", "other", "k")
OF_F = ("out", "in", "held", "acc", "vec", "p", "array", "END", "NEXT", "ts", "proto")
PLAIN = re.sub(r"<([A-Za-z]\w*)>", r"\1", TEXT)


def scope_of(module: ptx.Module, name: str) -> Function | Block | None:
    if name in OF_MODULE:
        return None
    function = next(one for one in module.functions if one.name == "f")
    return next(walk(function, Block)) if name == "inner" else function


def with_another(name: str, new: str) -> str:
    return re.sub(r"<([A-Za-z]\w*)>", lambda match: new if match[1] == name else match[1], TEXT)


@pytest.mark.parametrize("name", [*OF_MODULE, *OF_F, "inner"])
def test_all_that_is_meant_has_the_new_name(name: str) -> None:
    module = parse(PLAIN)
    ptx.rename(module, name, "fresh", scope=scope_of(module, name))
    assert module.to_ptx() == parse(with_another(name, "fresh")).to_ptx()


@pytest.mark.parametrize(
    ("name", "count"),
    # A statement counts once, and so does a declaration; of debug data, a line.
    [
        ("g", 5),
        ("table", 3),
        ("f", 4),
        ("other", 2),
        ("k", 2),
        ("acc", 9),
        ("p", 4),
        ("inner", 3),
        ("END", 5),
        ("ts", 2),
    ],
)
def test_places_are_counted(name: str, count: int) -> None:
    module = parse(PLAIN)
    scope = scope_of(module, name)
    assert ptx.rename(module, name, "fresh", scope=scope) == count
    assert ptx.rename(module, "fresh", "fresh", scope=scope) == 0


def test_ranges_are_renamed_by_their_prefix_and_their_members_alone() -> None:
    before, of_f, behind = re.split(r"(?s)(\.func .*?\.alias)", PLAIN)
    module = parse(PLAIN)
    function = module.functions[0]
    ptx.rename(module, "%a", "%b", scope=function)
    assert module.to_ptx() == parse(before + of_f.replace("%a", "%b") + behind).to_ptx()
    ptx.rename(module, "%b0", "%first", scope=function)
    declared = re.sub(r"%a(?:0|00)\b", "%first", of_f).replace("%a", "%b")
    declared = declared.replace("%b<4>, acc;", "%b<4>, acc;\n.reg .b32 %first;")
    assert module.to_ptx() == parse(before + declared + behind).to_ptx()
    ptx.rename(module, "many", "few")
    assert module.to_ptx() == parse((before + declared + behind).replace("many", "few")).to_ptx()


MISTAKES = [
    (None, "x", "fresh", "the module does not declare 'x'", ""),
    ("f", "g", "fresh", "this scope itself does not declare 'g'", "did you mean g2?"),
    ("f", "%a4", "fresh", "this scope itself does not declare '%a4'", "did you mean %a?"),
    ("f", "%a04", "fresh", "this scope itself does not declare '%a04'", "did you mean %a?"),
    ("f", "acc", "held", "'held' is already declared there", "use fresh_name for an unused name"),
    ("f", "acc", "%a3", "'%a3' is already declared there", "use fresh_name for an unused name"),
    ("f", "acc", "%a03", "'%a03' is already declared there", "use fresh_name for an unused name"),
    ("f", "%a", "many", "'many01' has a different meaning in this scope", "it would be captured"),
    ("f", "acc", "END", "'END' is already declared there", "use fresh_name for an unused name"),
    ("f", "END", "%END", "'%END' cannot be the name of a label", "% marks registers"),
    ("f", "ts", "%ts", "'%ts' cannot be the name of a table", "% marks registers"),
    ("f", "acc", "1a", "'1a' cannot be the name of a register", "use letters, digits, _ and $, with an optional leading %"),
    ("f", "array", "%tid.x", "'%tid.x' cannot be the name of a variable", "use letters, digits, _ and $, with an optional leading %"),
    ("f", "out", "%laneid", "'%laneid' cannot be the name of a parameter", "use letters, digits, _ and $, with an optional leading %"),
    ("f", "held", "acc2", "cannot rename 'held': a block that uses it already declares 'acc2'", "use fresh_name for an unused name"),
    ("f", "array", "g", "'g' has a different meaning in this scope", "it would be captured"),
    (None, "table", "g", "'g' is already declared there", "use fresh_name for an unused name"),
    (None, "table", "%rd0", "cannot rename 'table': a block that uses it already declares '%rd0'", "use fresh_name for an unused name"),
]  # fmt: skip


@pytest.mark.parametrize(("scope", "old", "new", "message", "hint"), MISTAKES)
def test_why_names_cannot_be_changed(scope: str | None, old: str, new: str, message: str, hint: str) -> None:
    module = parse(PLAIN)
    before = module.to_ptx()
    with pytest.raises(weft.WeftError) as caught:
        ptx.rename(module, old, new, scope=scope_of(module, "acc") if scope else None)
    assert (caught.value.message, caught.value.hint) == (message, hint)
    assert module.to_ptx() == before


@pytest.mark.parametrize("new", ["acc2", "%a4", "g2x", "fresh", "inner"])
def test_names_that_are_free(new: str) -> None:
    """What inner blocks declare without using the renamed one there, and what is beyond a range, are."""
    module = parse(PLAIN)
    ptx.rename(module, "vec", new, scope=scope_of(module, "acc"))
    assert module.to_ptx() == parse(with_another("vec", new)).to_ptx()
