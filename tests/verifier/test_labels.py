"""Labels that are named as registers are, backslashes before instructions, several targets: as ptxas takes them."""

from __future__ import annotations

from itertools import product

import pytest

from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from weft.toolchain import Tool

MODULE = """.version 9.0
.target {1}
.address_size 64
.visible .entry k()
{{
.reg .pred %p<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>;
{0}
ret;
}}
"""
PLACES = (
    "bra {0};\n{0}:",
    "@%p1 bra {0};\n{0}:",
    "{0}:\nbra.uni {0};",
    "{{ {0}: bra {0}; }}",
    "mov.u32 %r1, %tid.x;\n{0}:",
    "{0}:\nmov.u32 %r1, %tid.x;",
    "ld.global.b32 %r1, [{0}];\n{0}:",
    "T: .branchtargets {0};\n{0}: brx.idx %r1, T;",
)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["%0", "%L1", "%tid", "%r1", "%r9", "%", "WARP_SZ", "x"])
def test_labels_named_as_registers(ptxas: Tool, name: str) -> None:
    texts = [MODULE.format(place.format(name), "sm_90") for place in PLACES]
    assert [text for text in texts if accepted_by_us(text) != accepted_by_ptxas(text)] == []


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "before", ["\\ret", "@%p1 \\\n ret", "x: \\ ret", "\\\\ret", "\\x: ret", "\\@%p1 ret", "ret \\"]
)
def test_a_backslash_before_an_instruction(ptxas: Tool, before: str) -> None:
    text = MODULE.format(f"{before};", "sm_90")
    assert accepted_by_us(text) == accepted_by_ptxas(text)


@pytest.mark.slow
@pytest.mark.parametrize("last", ["sm_90", "sm_100", "sm_100a", "sm_103", "sm_120"])
def test_an_earlier_target_leaves_its_features(ptxas: Tool, last: str) -> None:
    statements = (
        "setmaxnreg.inc.sync.aligned.u32 32;",
        "tcgen05.fence::before_thread_sync;",
        "redux.sync.min.f32 %f1, %f2, -1;",
    )
    lines = [f"{first}{apart}{last}" for first, apart in product(("sm_90a", "sm_100", "sm_103f"), ("\n.target ", ", "))]
    texts = [MODULE.format(statement, line) for statement, line in product(statements, lines)]
    assert [text for text in texts if accepted_by_us(text) != accepted_by_ptxas(text)] == []


@pytest.mark.parametrize(
    "statement",
    [
        ".target sm_90",
        ".local .align 9223372036854775812 .b8 x[8];",
        ".local .align 9223372036854775808 .b8 x[8];",
        ".local .align 4294967300 .b8 x[8];",
        "p: .callprototype _ (.align 4 .param .b32 x);",
        "ld.global.f32 {%u}, [%rd1];",
        "st.global.f32 [%rd1], {%u};",
        "ld.global.u32 {%f1}, [%rd1];",
    ],
)
def test_what_only_ptxas_takes(ptxas: Tool, statement: str) -> None:
    text = MODULE.format(f".reg .u32 %u;\n{statement}", "sm_90")
    assert accepted_by_us(text) == accepted_by_ptxas(text)


@pytest.mark.parametrize("version", ["2.3", "3.1"])
@pytest.mark.parametrize("linkage", ["", ".visible ", ".extern "])
def test_kernels_without_bodies(ptxas: Tool, version: str, linkage: str) -> None:
    defined = "" if "extern" in linkage else f"{linkage}.entry k() {{ ret; }}\n"
    text = f".version {version}\n.target sm_20\n.address_size 64\n{linkage}.entry k();\n{defined}"
    assert accepted_by_us(text) == accepted_by_ptxas(text)
