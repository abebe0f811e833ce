"""Guards of what passes arguments and results: as ptxas."""

from __future__ import annotations

import pytest

from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from weft.toolchain import Tool

HEADER = """.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) f(.param .b32 a);
"""
REGISTERS = ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<3>;"
KERNEL = f".entry k(.param .b32 p) {{{{ {REGISTERS} {{}} ret; }}}}"
FUNCTION = f".func (.param .b32 out) g(.param .b32 in) {{{{ {REGISTERS} {{}} ret; }}}}"
PASSED = "{{ .param .b32 a; .param .b32 b; {} st.param.b32 [a], %r1; {} call (b), f, (a); {} ld.param.b32 %r2, [b]; }}"
CALLS = [(KERNEL, PASSED.format(*("@%p1" * (at == place) for at in range(3)))) for place in range(4)]
OTHERS = [
    (KERNEL, "@%p1 ld.param.b32 %r1, [p];"),
    (FUNCTION, "@%p1 ld.param.b32 %r1, [in]; @!%p1 st.param.b32 [out], %r1;"),
    (FUNCTION, "{ .param .b32 in; @%p1 st.param.b32 [in], %r1; }"),
    (FUNCTION, "{ .param .b32 other; @%p1 st.param.b32 [other], %r1; }"),
]


@pytest.mark.sample(5)
@pytest.mark.parametrize(("function", "statements"), [*CALLS, *OTHERS])
def test_arguments_and_results(ptxas: Tool, function: str, statements: str) -> None:
    text = HEADER + function.format(statements)
    assert accepted_by_us(text) == accepted_by_ptxas(text)
