"""Constant memory that `.extern` variables take: ptxas counts them in whole programs, and not with `-c`."""

from __future__ import annotations

import pytest

import weft
from tests.verifier.matrices.kept import accepted_by_us
from weft.errors import ToolError
from weft.toolchain import Tool, assemble


def assembles(text: str, *options: str) -> bool:
    try:
        assemble(text, options=("-O0", *options))
    except ToolError:
        return False
    return True


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "variables",
    [
        ".extern .const .b8 c[65536];",
        ".extern .const .b8 c[65537];",
        ".extern .const .b64 c[8192]; .extern .const .b8 d;",
        ".extern .const .b8 c[65000]; .const .b8 d[600];",
        ".extern .const .b8 c[65000]; .visible .const .b8 c[65000];",
        ".extern .const .b8 c[65000]; .extern .const .b8 c[65000];",
        ".extern .const .b8 c; .const .b64 d[8191]; .extern .const .b8 e[7];",
        ".extern .const .b8 c; .extern .const .b64 d[8191]; .extern .const .b8 e;",
    ],
)
def test_constants_of_other_modules(ptxas: Tool, variables: str) -> None:
    text = f".version 8.0\n.target sm_90\n.address_size 64\n{variables}\n"
    warned = "extern-memory" in [item.code for item in weft.verify(weft.parse(text))]
    assert warned != assembles(text)
    assert assembles(text, "-c") and accepted_by_us(text)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "variables",
    [
        ".extern .shared .b8 s[49152];",
        ".extern .shared .b8 s[49153];",
        ".extern .shared .b8 s[40000]; .shared .b8 t[10000];",
        ".extern .shared .b8 s[]; .shared .b8 t[49152];",
        ".extern .shared .b8 s[49153]; .visible .shared .b8 s[49153];",
    ],
)
@pytest.mark.parametrize("names", ["", "s", "s t"])
@pytest.mark.parametrize("target", ["sm_90", "sm_90a"])
def test_shared_memory_of_other_modules(ptxas: Tool, variables: str, names: str, target: str) -> None:
    uses = " ".join(f"ld.shared.u8 %r1, [{name}];" for name in names.split() if f" {name}[" in variables)
    text = (
        f".version 8.0\n.target {target}\n.address_size 64\n{variables}\n.entry k() {{ .reg .b32 %r<2>; {uses} ret; }}"
    )
    assert accepted_by_us(text) == assembles(text)
    linked = f"{text}\n.extern .func f();\n.entry g() {{ call f; ret; }}"
    assert accepted_by_us(linked) == assembles(linked, "-c") or ".visible" in variables


@pytest.mark.sample(5)
@pytest.mark.parametrize("linkage", ["", ".visible", ".weak", ".extern"])
@pytest.mark.parametrize("name", ["vprintf", "free", "f"])
def test_functions_that_ptxas_has_need_no_body(ptxas: Tool, linkage: str, name: str) -> None:
    text = (
        f".version 8.0\n.target sm_90\n.address_size 64\n{linkage} .func {name}(.param .b64 a);\n.entry k() {{ ret; }}"
    )
    assert accepted_by_us(text) == assembles(text)
