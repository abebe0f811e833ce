"""Names found among tokens mean what the parser and the renaming of modules say."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

import weft
from weft.ptx.ast import Function
from weft.ptx.occurrences import Occurrences
from weft.ptx.renaming import declared_names, rename
from weft.ptx.visit import walk

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.mlir"))

SCOPES = """\
.version 8.0
.target sm_80
.address_size 64
.extern .func (.reg .b32 %out) helper (.reg .b32 %in);
.const .align 4 .b32 table[2] = {1, 2};
.global .u64 where = table;
.visible .entry k(.param .u64 p, .param .align 8 .b8 q[16])
.maxntid 128
{
	.reg .b32 %r<4>, t; .reg .pred %p; // %r0 and t
	.shared .align 4 .b8 t2[4];
	ld.param.u32 %r1, [q+4];
	@%p bra done;
	{
		.reg .b32 %r<2>;
		.reg .b32 t;
		mov.b32 %r1, t; mov.b32 %r2, %tid.x;
		done: add.u32 t, %r1, %r2;
		bra done;
	}
	call (%r3), helper, (%r1);
jump: .branchtargets done, last;
	brx.idx %r1, jump;
done:
last:
	ret;
}
"""


@functools.cache
def compiled(name: str) -> str:
    return weft.compile((ROOT / "examples" / name).read_text(), "sm_90a").to_ptx()


def meaning(names: Occurrences, text: str, number: int = 0) -> str:
    """What the declaration is that the n-th occurrence of a text means."""
    start = -1
    for _ in range(number + 1):
        start = names.text.index(text, start + 1)
    use = names.uses.at(start)
    assert use is not None and names.text[use.start : use.end] == text
    if use.declared is None:
        return ""
    return f"{use.declared.kind}@{names.text.count(chr(10), 0, use.declared.start) + 1}"


def test_scopes() -> None:
    names = Occurrences(SCOPES)
    # 0: the outer declaration of the range, 1: the comment (no use), ld, outer; mov in the inner scope ...
    assert meaning(names, "%r1", 0) == "register@10"
    assert meaning(names, "%r1", 1) == "register@15"
    assert meaning(names, "%r2", 0) == "register@10"  # The inner range has no %r2.
    assert meaning(names, "done", 0) == "label@24"
    assert meaning(names, "done", 2) == "label@18"
    assert meaning(names, "helper", 1) == "function@4"
    assert meaning(names, "table", 1) == "variable@5"
    assert meaning(names, "q", 1) == "parameter@7"
    assert meaning(names, "jump", 1) == "table@22"
    assert not [use for use in names.uses if use.declared is None]
    assert [call.opcode for call in names.opcodes].count("mov.b32") == 2
    kernel = next(one for one in names.declared if one.kind == "kernel")
    assert SCOPES[kernel.whole[1] - 1] == "}"


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_name_of_a_module_is_found(name: str) -> None:
    text = compiled(name)
    names = Occurrences(text)
    assert not [text[use.start : use.end] for use in names.uses if use.declared is None]
    functions = weft.parse(text).functions
    assert len(names.opcodes) == sum(len(list(function.instructions())) for function in functions)


@pytest.mark.sample(3)
@pytest.mark.parametrize("text", [SCOPES, *EXAMPLES], ids=lambda text: text if len(text) < 40 else "scopes")
def test_renaming_by_places_is_renaming_of_the_module(text: str) -> None:
    text = compiled(text) if text in EXAMPLES else SCOPES
    names = Occurrences(text)
    module = weft.parse(text)
    function = module.kernels[0]
    wanted = {one.name for one in names.declared if one.kind in ("parameter", "label", "variable") and not one.count}
    mine = set(declared_names(function).singles)
    for old in sorted(wanted & mine)[:12]:
        renamed = weft.parse(text)
        rename(renamed, old, "renamed_one", scope=renamed.kernels[0])
        declared = [one for one in names.declared if one.name == old and one.function >= 0]
        outer = declared[-1] if text == SCOPES and old == "done" else declared[0]
        result = text
        for use in reversed(names.of(outer, old)):
            result = result[: use.start] + "renamed_one" + result[use.end :]
        assert weft.parse(result) == renamed, old


def test_unfinished_statements_hide_nothing_behind_them() -> None:
    text = SCOPES.replace("ld.param.u32 %r1, [q+4];", "ld.param.u32 %r1, [q")
    names = Occurrences(text)
    assert meaning(names, "%p", 1) == "register@10"
    broken = SCOPES.replace(".maxntid 128\n{", ".maxntid 128\n{ .reg .b32")
    assert any(one.name == "last" for one in Occurrences(broken).declared)
    for cut in range(0, len(SCOPES), 7):
        Occurrences(SCOPES[:cut])


def test_the_tokens_are_the_parsers() -> None:
    """Every name that the parser sees in a statement is a token that is looked at."""
    text = compiled(EXAMPLES[0])
    names = Occurrences(text)
    written = {text[use.start : use.end] for use in names.uses} | {
        token.text for token in names.tokens if token.kind == "name"
    }
    for function in weft.parse(text).functions:
        assert isinstance(function, Function)
        for statement in function.instructions():
            for node in walk(statement):
                base = getattr(node, "base", None)
                if isinstance(base, str):
                    assert base in written


def test_what_is_visible_where() -> None:
    """Names of a function from its first byte to its last, beside those of the module; nothing of another one."""
    text = SCOPES + SCOPES[SCOPES.index(".visible") :].replace("entry k(", "entry other(")
    found = Occurrences(text)
    functions = [one for one in found.declared if one.kind == "kernel"]
    assert [one.name for one in functions] == ["k", "other"]
    for one in functions:
        start, end = one.whole
        inside = {id(each) for each in found.declared if each.function == one.start}
        assert inside
        for offset in (start - 1, start, (start + end) // 2, end, end + 1):
            seen = {id(each) for each in found.visible(offset)}
            assert (seen & inside == inside) == (start <= offset <= end), (one.name, offset)
            assert {id(each) for each in found.declared if each.function == -1} <= seen
