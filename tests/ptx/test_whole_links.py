"""Modules linked to one, as the text of it; and why some cannot be, whole."""

from __future__ import annotations

import pytest

import weft
from weft.ptx.linking import LinkError, link_modules

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
FIRST = (
    HEAD
    + """.file 3 "first.cu"
.global .u32 mine = 1;
.global .u32 alone;
.weak .global .u32 weak = 1;
.common .global .b8 shared_by_all[4];
.extern .global .align 8 .b8 table[];
.extern .shared .b8 dynamic[];
.extern .func (.param .b32 r) helper(.param .b32 x);
.func inner() { ret; }
.weak .func twice() { trap; ret; }
.visible .entry k()
{
.reg .b32 %r<2>;
.loc 3 7 1, function_name $L__info, inlined_at 3 5 2
ld.global.u32 %r0, [mine];
ld.global.u32 %r1, [alone];
call inner;
ret;
}
"""
)
SECOND = (
    ".version 7.8\n.target sm_90, debug, texmode_independent\n.address_size 64\n"
    """.file 1 "second.cu"
.file 2 "third.cu"
.global .u32 mine = 2;
.visible .global .u32 mine_1 = 3;
.visible .global .u32 weak = 2;
.common .global .b8 shared_by_all[16];
.visible .global .align 8 .b8 table[8];
.visible .func (.param .b32 r) helper(.param .b32 x)
{
.reg .b32 %r;
.loc 2 9 0
ld.global.u32 %r, [mine];
call inner;
ret;
}
.func inner() .noreturn { trap; ret; }
.weak .func twice() { ret; }
.section .debug_info { .b32 1 }
"""
)
LINKED = """.version 8.0
.target sm_90, texmode_independent
.address_size 64

.file 1 "first.cu"
.file 2 "second.cu"
.file 3 "third.cu"

.func inner_0();

.weak .func twice();

.visible .func (.param .b32 r) helper(
	.param .b32 x
);

.func inner_1()
.noreturn;

.global .u32 mine_0 = 1;
.global .u32 alone;
.extern .shared .b8 dynamic[];
.global .u32 mine_2 = 2;
.visible .global .u32 mine_1 = 3;
.visible .global .u32 weak = 2;
.common .global .b8 shared_by_all[16];
.visible .global .align 8 .b8 table[8];

.func inner_0()
{
	ret;
}

.weak .func twice()
{
	trap;
	ret;
}

.visible .entry k()
{
	.reg .b32 %r<2>;

	.loc 1 7 1
	ld.global.u32 %r0, [mine_0];
	ld.global.u32 %r1, [alone];
	call inner_0;
	ret;
}

.visible .func (.param .b32 r) helper(
	.param .b32 x
)
{
	.reg .b32 %r;

	.loc 3 9 0
	ld.global.u32 %r, [mine_2];
	call inner_1;
	ret;
}

.func inner_1()
.noreturn
{
	trap;
	ret;
}
"""


def linked(*texts: str) -> weft.Module:
    return link_modules([weft.parse(text) for text in texts])


def test_what_modules_become() -> None:
    """Private names get numbers, `.weak` and `.extern` give way, and the largest of what is common stays."""
    first, second = weft.parse(FIRST), weft.parse(SECOND)
    before = first.to_ptx(), second.to_ptx()
    module = link_modules([first, second])
    assert module.to_ptx() == LINKED
    assert not [found for found in weft.verify(module) if found.severity.value == "error"]
    assert (first.to_ptx(), second.to_ptx()) == before


def test_one_module_stays_as_it_is() -> None:
    module = weft.parse(SECOND)
    assert link_modules([module]).to_ptx() == module.to_ptx()


MISTAKES = [
    ((), "no modules to link", "pass at least one module"),
    ((HEAD, HEAD.replace("64", "32")), "modules with 32-bit and 64-bit addresses cannot be linked", ""),
    (
        (HEAD + ".visible .global .u32 v;", HEAD + ".visible .global .u32 v;"),
        "'v' is defined twice", "make one of them .weak to give way to the other",
    ),
    (
        (HEAD + ".visible .global .u32 v;", HEAD + ".visible .func v() { ret; }"),
        "conflicting declarations of 'v': .global .u32 v and .func v with 0 parameters", "",
    ),
    (
        (HEAD + ".visible .entry v(.param .b32 x) { ret; }", HEAD + ".extern .const .f32 v;"),
        "conflicting declarations of 'v': .entry v with 1 parameters and .const .f32 v", "",
    ),
    (
        (HEAD + ".visible .func f(.param .b32 x) { ret; }", HEAD + ".extern .func f(.param .b64 x);"),
        "conflicting declarations of 'f': .func f with 1 parameters and .func f with 1 parameters", "",
    ),
    (
        (HEAD + ".visible .func f(.param .b8 x[4]) { ret; }", HEAD + ".extern .func f(.param .b8 x[8]);"),
        "conflicting declarations of 'f': .func f with 1 parameters and .func f with 1 parameters", "",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "message", "hint"), MISTAKES)
def test_what_cannot_be_linked(texts: tuple[str, ...], message: str, hint: str) -> None:
    with pytest.raises(LinkError) as caught:
        linked(*texts)
    assert (caught.value.message, caught.value.hint) == (message, hint)


@pytest.mark.parametrize(
    ("targets", "latest"),
    [
        (("sm_80", "sm_90"), "sm_90"),
        (("sm_90", "sm_80"), "sm_90"),
        (("sm_90a", "sm_90"), "sm_90a"),
        (("sm_90", "sm_90a"), "sm_90a"),
        (("sm_90a", "sm_100"), "sm_100"),
        (("sm_100f", "sm_100", "sm_90a"), "sm_100f"),
    ],
)
def test_the_latest_target_is_taken(targets: tuple[str, ...], latest: str) -> None:
    module = linked(*(f".version 9.0\n.target {target}\n.address_size 64\n" for target in targets))
    assert module.targets == (latest,)
    assert module.filename == "<linked>"
