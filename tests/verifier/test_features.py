"""What is outside instructions and does not exist everywhere: our answer beside ptxas's."""

from __future__ import annotations

from itertools import pairwise

import pytest

import weft
from weft.errors import Severity, ToolError
from weft.isa.target import VERSIONS, Version
from weft.toolchain import Tool
from weft.toolchain.ptxas import assemble

# The items of a module, the statements of its kernel, its directives; the PTX version from which on it exists, and the
# lowest target, of those that ptxas still has.
FEATURES: dict[str, tuple[str, str, str, str, str]] = {
    "unified": (".global .attribute(.unified(19, 95)) .b32 g;", "", "", "8.0", "sm_90"),
    "unified function": (".visible .func .attribute(.unified(19, 95)) f() { ret; }", "", "", "8.0", "sm_90"),
    "noreturn": (".visible .func f() .noreturn { trap; }", "", "", "6.4", "sm_75"),
    "abi_preserve": (".visible .func f() .abi_preserve 10 { ret; }", "", "", "9.0", "sm_80"),
    "abi_preserve_control": (".visible .func f() .abi_preserve_control 1 { ret; }", "", "", "9.0", "sm_80"),
    "noreturn of a prototype": ("", "l: .callprototype _ () .noreturn;", "", "6.4", "sm_75"),
    "128-bit variable": (".global .b128 g;", "", "", "8.3", "sm_75"),
    "128-bit register": ("", ".reg .b128 %q;", "", "8.3", "sm_75"),
    "128-bit parameter": (".visible .func f(.param .b128 a) { ret; }", "", "", "8.3", "sm_75"),
    "many parameters": (".visible .entry e(.param .align 4 .b8 a[8000]) { ret; }", "", "", "8.1", "sm_75"),
    "few parameters": (".visible .entry e(.param .align 4 .b8 a[4352]) { ret; }", "", "", "6.3", "sm_75"),
    "byte of an address": (".global .u64 a; .global .u8 b = 0xff00(a);", "", "", "7.1", "sm_75"),
    "used_bytes_mask": (
        "",
        '.reg .b64 %rd0; .pragma "used_bytes_mask 0xff"; ld.param.u64 %rd0, [p];',
        "",
        "8.3",
        "sm_75",
    ),
    "frequency": ("", '.pragma "frequency 5";', "", "9.0", "sm_75"),
    "nounroll": ("", '.pragma "nounroll";', "", "6.3", "sm_75"),
    "explicitcluster": ("", "", ".explicitcluster", "7.8", "sm_90"),
    "blocksareclusters": ("", "", ".reqntid 32 .reqnctapercluster 2 .blocksareclusters", "9.0", "sm_90"),
    "alias": (".visible .func f() { ret; } .visible .func g(); .alias g, f;", "", "", "6.3", "sm_75"),
    "managed": (".global .attribute(.managed) .b32 g;", "", "", "6.3", "sm_75"),
    "hidden register": ("", ".reg .b32 %clusterid; mov.b32 %clusterid, 1;", "", "6.3", "sm_75"),
}
TARGETS = ("sm_75", "sm_80", "sm_90", "sm_100")
INLINED = """\
.version {}
.target sm_75
.address_size 64
.file 1 "a.cu"
.visible .entry k(.param .u64 p)
{{
.reg .b64 %rd0;
.loc 1 1 1
ld.param.u64 %rd0, [p];
.loc 1 2 2, function_name $L0, inlined_at 1 1 1
st.global.u64 [%rd0], %rd0;
ret;
}}
.section .debug_str
{{
$L0:
.b8 65
.b8 0
}}
"""


def module(name: str, version: str, target: str) -> str:
    items, body, directives, *_ = FEATURES[name]
    head = f".version {version}\n.target {target}\n.address_size 64\n{items}\n"
    return f"{head}.visible .entry k(.param .u64 p)\n{directives}\n{{\n{body}\nret;\n}}\n"


def errors(text: str) -> list[weft.Diagnostic]:
    return [d for d in weft.verify(weft.parse(text)) if d.severity is Severity.ERROR]


def taken(text: str) -> bool:
    try:
        assemble(text, options=("-c",))
    except weft.ToolError:
        return False
    return True


def before(version: str) -> str:
    return next(str(a) for a, b in pairwise(VERSIONS) if str(b) == version)


def least_of(target: str) -> Version:
    from weft.isa.target import target as find

    return find(target).least


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", FEATURES)
def test_floor(name: str, ptxas: Tool) -> None:
    *_, version, lowest = FEATURES[name]
    for target in TARGETS:
        least = max(Version.parse(version), least_of(target))
        exists = TARGETS.index(target) >= TARGETS.index(lowest)
        text = module(name, str(least), target)
        assert taken(text) is exists, target
        assert (not errors(text)) is exists, target
        need = weft.requires(weft.parse(text))
        assert (target in need.targets) is exists
        if exists:
            assert need.targets[target] == least
        below = before(version)
        if exists and Version.parse(below) >= least_of(target):
            text = module(name, below, target)
            assert not taken(text), below
            assert [d.code for d in errors(text)] == ["window"], below


def test_inlined_lines(ptxas: Tool) -> None:
    for version, exists in (("6.5", False), ("7.0", True)):
        text = INLINED.format(version)
        assert taken(text) is exists
        assert (not errors(text)) is exists
    assert weft.requires(weft.parse(INLINED.format("7.0"))).targets["sm_75"] == (7, 0)


@pytest.mark.parametrize("target", TARGETS)
def test_no_target_of_today_has_32_bit_addresses(target: str, ptxas: Tool) -> None:
    text = module("nounroll", str(least_of(target)), target).replace("_size 64", "_size 32").replace(".u64 p", ".u32 p")
    assert not taken(text)
    (found,) = errors(text)
    assert (found.code, found.line, found.column) == ("window", 3, 1)
    assert target not in weft.requires(weft.parse(text)).targets
    assert not [d for d in weft.verify(weft.parse(text), "sm_50", "6.3") if d.severity is Severity.ERROR]


def test_constant_banks_are_gone(ptxas: Tool) -> None:
    text = ".version 9.0\n.target sm_90\n.address_size 64\n.const[3] .b32 c;\n.visible .entry k() { ret; }\n"
    assert not taken(text)
    assert [d.code for d in errors(text)] == ["window"]


def test_a_removed_instruction_keeps_later_targets_out() -> None:
    text = (
        ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry k() { .reg .b32 %r; shfl.up.b32 %r, %r, 1, 0; }"
    )
    need = weft.requires(weft.parse(text))
    assert {"sm_62", "sm_70", "sm_75"} <= need.targets.keys()
    assert not {"sm_80", "sm_90", "sm_100"} & need.targets.keys()
    newer = text.replace("shfl", "@%p movmatrix.sync.aligned.m8n8.trans.b16 %r, %r; shfl").replace(
        "{", "{ .reg .pred %p;"
    )
    assert not weft.requires(weft.parse(newer)).targets


HEADERS = {
    "// a\n// b\n.version 9.0\n.target sm_1\n": (4, 9, "unknown target 'sm_1'"),
    "/* a */ .version 9.9\n.target sm_90\n": (1, 18, "unknown PTX version 9.9"),
    "//\n.version 8.0 .target\nsm_120": (3, 1, "PTX 8.0 does not support sm_120"),
    "//\n.version 9.0\n.target sm_90, foo": (3, 16, "'foo' is not a .target option"),
    "//\n.version 9.0\n.target sm_90,\n debug": (4, 2, "no debug sections"),
}


@pytest.mark.parametrize("text", HEADERS)
def test_headers_are_blamed_where_they_stand(text: str) -> None:
    line, column, message = HEADERS[text]
    (found,) = weft.verify(weft.parse(text))
    assert (found.line, found.column) == (line, column)
    assert message in found.message


@pytest.mark.parametrize(("target", "version"), [("sm_1", None), ("", None), (None, "9.9"), (None, "x")])
def test_what_is_no_target_or_version_is_refused(target: str | None, version: str | None) -> None:
    with pytest.raises(weft.IsaError):
        weft.verify(weft.parse(".version 9.0\n.target sm_90\n"), target, version)


def test_generic_addresses_as_values() -> None:
    """ptxas has no target as old as they are."""
    text = ".version {}\n.target sm_20\n.address_size 64\n.global .u32 g;\n.global .u64 p = generic(g);\n"
    assert weft.verify(weft.parse(text.format("3.1"))) == []
    (found,) = weft.verify(weft.parse(text.format("3.0")))
    assert "generic()" in found.message and found.position.line == 5


@pytest.mark.slow
def test_values_of_pragmas(ptxas: Tool) -> None:
    """In a kernel's body, beside ptxas."""
    text = ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 p)\n{{\n.reg .b64 %rd0;\n{}\n{}\nret;\n}}\n"
    load = "ld.param.u64 %rd0, [p];"
    for name in ("frequency", "used_bytes_mask"):
        for value in ("", "0", "5", "-1", "0xff", "0x0", "0xg", "1.5", "1 2"):
            module = text.format(f'.pragma "{name} {value}";', load)
            ours = not any(found.severity is Severity.ERROR for found in weft.verify(weft.parse(module)))
            try:
                assemble(module)
                theirs = True
            except ToolError:
                theirs = False
            assert ours is theirs, (name, value)
