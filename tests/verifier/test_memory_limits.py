"""The most memory of a kind that a module may have, and one byte more: our verdict beside ptxas's."""

from __future__ import annotations

import pytest

from tests.verifier.matrices.kept import accepted_by_ptxas, accepted_by_us
from weft.isa.target import TARGETS
from weft.ptx.verifier.limits import MAX_CONSTANT_BYTES, MAX_SHARED_BYTES, MAX_SHARED_BYTES_OF
from weft.toolchain import Tool

LIMITS = [("sm_80", "const", MAX_CONSTANT_BYTES), ("sm_80", "shared", MAX_SHARED_BYTES)]
LIMITS += [(target, "shared", most) for target, most in MAX_SHARED_BYTES_OF.items()]
TEXT = """.version {}
.target {}
.address_size 64
.{} .align 1 .b8 v[{}];
.entry k() {{ .reg .b32 %r; ld.{}.u8 %r, [v]; ret; }}
"""


@pytest.mark.sample(4)
@pytest.mark.parametrize(("target", "space", "most"), LIMITS)
def test_limits(ptxas: Tool, target: str, space: str, most: int) -> None:
    for size in (most, most + 1):
        text = TEXT.format(TARGETS[target].least, target, space, size, space)
        assert accepted_by_us(text) == (size == most)
        assert accepted_by_ptxas(text) in (size == most, None)
