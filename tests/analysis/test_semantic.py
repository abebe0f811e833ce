"""`weft diff --semantic`: what it takes for the same, and what for one change."""

from __future__ import annotations

import random
import re

import pytest

import weft
from tests.conftest import ROOT
from weft.ptx.analysis.flow import cfg
from weft.ptx.analysis.semantic import semantic_diff
from weft.ptx.ast import Function

TEXTS = {path.stem: path.read_text() for path in sorted((ROOT / "docs/ptx").glob("*.ptx"))}
for example in ("saxpy", "softmax", "gemm_sm80", "histogram", "transpose"):
    TEXTS[example] = (ROOT / "examples" / f"{example}.mlir").read_text()
_COMPILED: dict[str, str] = {}


def ptx(name: str) -> str:
    """The PTX of a document's module, or of an example."""
    if name not in _COMPILED:
        text = TEXTS[name]
        _COMPILED[name] = weft.parse(
            text if ".version" in text else weft.compile(text, target="sm_80").to_ptx()
        ).to_ptx()
    return _COMPILED[name]


def kinds(old: str, new: str) -> list[str]:
    return [change.kind for change in semantic_diff(weft.parse(old), weft.parse(new))]


def renamed(text: str, draw: random.Random) -> str:
    """The module with the numbers of each class of registers permuted."""
    classes: dict[str, int] = {}
    for prefix, count in re.findall(r"\.reg\s+\.\w+\s+(%\w*?[a-z])<(\d+)>", text):
        classes[prefix] = min(classes.get(prefix, int(count)), int(count))
    numbers = {prefix: draw.sample(range(count), count) for prefix, count in classes.items()}

    def take(match: re.Match[str]) -> str:
        held, number = numbers.get(match[1], []), int(match[2])
        return f"{match[1]}{held[number]}" if number < len(held) else match.group()

    return re.sub(r"(%\w*?[a-z])(\d+)\b", take, text)


def reordered(function: Function, draw: random.Random) -> list[str]:
    """The body's instructions with its blocks in another order, and a branch where one fell into the next."""
    flow = cfg(function)
    order = list(range(1, len(flow.blocks)))
    draw.shuffle(order)
    lines: list[str] = []
    names = {block.index: next(iter(block.labels), f"$new_{block.index}") for block in flow.blocks}
    for index in (0, *order):
        block = flow.blocks[index]
        lines.append(f"{names[index]}:")
        lines += [str(instruction) for instruction in flow.body(block)]
        lines += [
            f"bra.uni {names[edge.target]};" for edge in flow.edges if edge.source == index and edge.kind == "next"
        ]
        if not flow.successors[index] and not (
            flow.body(block) and flow.body(block)[-1].opcode.stem in ("ret", "exit")
        ):
            lines.append("ret;")
    return lines


def shuffled(text: str, draw: random.Random) -> str:
    """The module with the blocks of its functions in another order."""
    module = weft.parse(text)
    for function in module.functions:
        if function.body is not None:
            head = [str(s) for s in function.body if type(s).__name__ in ("RegisterDeclaration", "Variable")]
            body = "\n".join(
                [*(line if line.endswith(";") else f"{line};" for line in head), *reordered(function, draw)]
            )
            source = f".version 8.0\n.target sm_80\n.entry k() {{\n{body}\n}}\n"
            function.body = weft.parse(source).functions[0].body
    return module.to_ptx()


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", [name for name in TEXTS if name != "faulty"])
def test_registers_and_the_order_of_blocks_do_not_count(name: str) -> None:
    text = ptx(name)
    assert kinds(text, text) == []
    for seed in range(3):
        draw = random.Random(seed)
        assert kinds(text, renamed(text, draw)) == []
        if "{\n\t{" not in text and "call" not in text:
            assert kinds(text, shuffled(text, draw)) == []


CHANGES = {
    "add.": "sub.",
    "mul.": "mad.",
    "fma.rn.f32": "fma.rz.f32",
    "setp.lt": "setp.ge",
    ".f32": ".u32",
    "shl.": "shr.",
}


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", ["saxpy", "softmax", "gemm_sm80", "histogram", "transpose", "smooth"])
def test_one_planted_change_is_one_difference(name: str) -> None:
    text = ptx(name)
    spots = [
        m.start(1) for m in re.finditer(r"^\t(?:@!?%p\d+ )?(add|sub|mul|and|or|shl|fma|max|min)\b.*;$", text, re.M)
    ]
    draw = random.Random(7)
    for spot in draw.sample(spots, min(12, len(spots))):
        word = re.match(r"\w+", text[spot:])
        assert word is not None
        line = text[spot : text.index(";", spot)]
        other = {"add": "sub", "sub": "add", "and": "or", "or": "and", "max": "min", "min": "max"}.get(word.group())
        if other is not None:
            changed = line.replace(word.group(), other, 1)
        elif re.search(r"\b\d+$", line):
            changed = re.sub(r"\d+$", "77", line)
        else:
            continue
        new = text[:spot] + changed + text[spot + len(line) :]
        assert kinds(text, renamed(new, draw)) == ["instruction changed"], line


HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
OLD = (
    HEAD
    + """.entry k(.param .u64 p) { .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<3>; .reg .pred %p<2>;
ld.param.u64 %rd1, [p]; ld.global.f32 %f1, [%rd1]; ld.global.u32 %r1, [%rd1+4]; setp.lt.u32 %p1, %r1, 7;
@%p1 bra L; st.global.f32 [%rd1], %f1; bra.uni E;
L: st.global.u32 [%rd1+8], %r1; st.global.u32 [%rd1+12], %r1;
E: ret; }
"""
)


@pytest.mark.parametrize(
    ("was", "now", "expected"),
    [
        ("ld.global.f32", "ld.global.b32", []),
        ("st.global.f32", "st.global.b32", []),
        ("ld.param.u64", "ld.param.b64", []),
        ("ld.global.u32", "ld.global.u16", ["instruction changed"]),
        ("[%rd1+4]", "[%rd1+5]", ["instruction changed"]),
        ("setp.lt.u32 %p1, %r1, 7", "setp.lt.u32 %p1, %r1, 0x7", []),
        ("@%p1 bra", "@!%p1 bra", ["branch changed"]),
        ("bra.uni E", "bra.uni L", ["branch changed"]),
        ("[%rd1+12], %r1", "[%rd1+12], %r2", ["operand changed"]),
        ("st.global.u32 [%rd1+12], %r1;", "", ["instruction removed"]),
        ("ret;", "bar.sync 0; ret;", ["instruction added"]),
        (".target sm_80", ".target sm_90", ["target"]),
        (".param .u64 p", ".param .u32 p", ["signature"]),
        (
            "st.global.u32 [%rd1+8], %r1; st.global.u32 [%rd1+12], %r1;",
            "st.global.u32 [%rd1+12], %r1; st.global.u32 [%rd1+8], %r1;",
            ["instruction moved"],
        ),
        (
            "@%p1 bra L; st.global.f32 [%rd1], %f1; bra.uni E;\nL: st.global.u32 [%rd1+8], %r1; st.global.u32 [%rd1+12], %r1;",
            "@!%p1 bra M; st.global.u32 [%rd1+8], %r1; st.global.u32 [%rd1+12], %r1; bra.uni E;\nM: st.global.f32 [%rd1], %f1;",
            [],
        ),
    ],
)  # fmt: skip
def test_each_kind_of_change(was: str, now: str, expected: list[str]) -> None:
    assert was in OLD
    assert kinds(OLD, OLD.replace(was, now)) == expected


_HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p0, .param .u64 p1)
{
.reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>; .reg .f32 %f<9>;
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];
"""
_COSMETIC = {
    "constant in a register": ("mov.u32 %r3, 255; sub.s32 %r4, %r3, %r1;", "sub.s32 %r4, 255, %r1;"),
    "copy": ("mov.b32 %r5, %r1; add.s32 %r4, %r5, %r2;", "add.s32 %r4, %r1, %r2;"),
    "sum in an address": ("add.s64 %rd3, %rd1, 28; ld.global.u32 %r4, [%rd3+4];", "ld.global.b32 %r4, [%rd1+32];"),
    "sign of a sum": ("add.u32 %r4, %r1, %r2;", "add.s32 %r4, %r1, %r2;"),
    "sign of equality": ("setp.eq.s32 %p1, %r1, 3; selp.s32 %r4, 1, 2, %p1;", "setp.eq.b32 %p1, %r1, 3; selp.b32 %r4, 1, 2, %p1;"),
    "order of factors": ("mul.lo.s32 %r4, %r1, %r2;", "mul.lo.s32 %r4, %r2, %r1;"),
    "unread half": ("shfl.sync.bfly.b32 %r4|%p1, %r1, 1, 31, -1;", "shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;"),
}  # fmt: skip
_REAL = {
    "constant": ("mov.u32 %r3, 255; sub.s32 %r4, %r3, %r1;", "sub.s32 %r4, 254, %r1;"),
    "order of a difference": ("sub.s32 %r4, %r1, %r2;", "sub.s32 %r4, %r2, %r1;"),
    "offset": ("add.s64 %rd3, %rd1, 28; ld.global.u32 %r4, [%rd3+4];", "ld.global.b32 %r4, [%rd1+28];"),
    "sign of a comparison": ("setp.lt.s32 %p1, %r1, 3; selp.s32 %r4, 1, 2, %p1;", "setp.lt.u32 %p1, %r1, 3; selp.b32 %r4, 1, 2, %p1;"),
    "sign of a high product": ("mul.hi.s32 %r4, %r1, %r2;", "mul.hi.u32 %r4, %r1, %r2;"),
    "read half": ("shfl.sync.bfly.b32 %r4|%p1, %r1, 1, 31, -1; @%p1 add.s32 %r4, %r4, 1;", "shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1; add.s32 %r4, %r4, 1;"),
    "register written twice": ("mov.u32 %r3, 1; add.s32 %r5, %r3, %r1; mov.u32 %r3, 2; add.s32 %r4, %r3, %r5;", "add.s32 %r5, 1, %r1; add.s32 %r4, 1, %r5;"),
}  # fmt: skip


def _around(statements: str) -> str:
    return f"{_HEAD}{statements}\nst.global.u32 [%rd2], %r4;\nret;\n}}\n"


@pytest.mark.parametrize("name", _COSMETIC)
def test_what_compilers_spell_differently_does_not_count(name: str) -> None:
    one, other = map(_around, _COSMETIC[name])
    assert kinds(one, other) == []
    assert kinds(other, one) == []


@pytest.mark.parametrize("name", _REAL)
def test_what_differs_counts(name: str) -> None:
    one, other = map(_around, _REAL[name])
    assert kinds(one, other)
    assert kinds(other, one)


def test_what_is_the_default_of_a_kernel_does_not_count() -> None:
    old = _around("mov.u32 %r4, 1;").replace(".param .u64 p0", ".param .u64 .ptr .align 1 p0")
    bounds = [text.replace(")\n{", f") .maxntid 256{more}\n{{" + "", 1) for text, more in ((old, ""), (old, ", 1, 1"))]
    assert kinds(*bounds) == []
    assert kinds(old, _around("mov.u32 %r4, 1;")) == []


def test_a_branch_that_no_table_has_is_compared_like_any_other() -> None:
    one, other = (_around(f"bra.s16 %r1, %r{n};") for n in (2, 3))
    assert kinds(one, one) == []
    assert kinds(one, other)
