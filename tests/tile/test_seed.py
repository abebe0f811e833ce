"""The demonstration program of the copy dispatch and its table of inputs, in weft's notation, to PTX and to numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft
from weft.tile import Global, Kernel, S, TileLayout, alloc_buffer, cta, laneid, thread_id, warp

ROWS = 8


def demonstration(num: int, *, trans: bool = False, store: bool = False, tiles: int = 1) -> Kernel:
    """A warp stages 8 x (8 num) halves in shared memory and moves them between there and registers."""
    columns = num * 8 * tiles
    r_layout = TileLayout(S[(8, 4, num * tiles, 2) : (4 @ laneid, 1 @ laneid, 2, 1)])
    s_layout = TileLayout(S[(8, 4, num * tiles, 2) : ((1, 16, 64, 8) if trans else (columns, 2, 8, 1))])
    full = (slice(0, 8), slice(0, 4), slice(0, num * tiles), slice(0, 2))
    shape = (8, 4, num * tiles, 2)

    @weft.kernel(threads=32, grid=1)
    def kernel(A: Global("float16", (ROWS, columns)), B: Global("float16", (ROWS, columns))):
        tid = thread_id()
        row, cp = tid // 4, tid % 4
        A_smem = alloc_buffer(shape, "float16", scope="shared", layout=s_layout)
        R = alloc_buffer(shape, "float16", scope="local", layout=r_layout)
        if store:
            for t in range(num * tiles):
                for i in range(2):
                    R.storage[2 * t + i] = A[row, t * 8 + cp * 2 + i]
            warp.copy(A_smem[full], R[full])
            cta.sync()
            for t in range(num * tiles):
                for i in range(2):
                    B[row, t * 8 + cp * 2 + i] = A_smem[row, cp, t, i]
        else:
            for t in range(num * tiles):
                for i in range(2):
                    A_smem[row, cp, t, i] = A[row, t * 8 + cp * 2 + i]
            cta.sync()
            warp.copy(R[full], A_smem[full])
            for t in range(num * tiles):
                for i in range(2):
                    B[row, t * 8 + cp * 2 + i] = R.storage[2 * t + i]

    return kernel


def matrix_instructions(ptx: str) -> list[str]:
    return re.findall(r"((?:ld|st)matrix\S+) ", ptx)


TABLE = [
    ({"num": 1}, ["ldmatrix.sync.aligned.m8n8.x1.shared.b16"]),
    ({"num": 2}, ["ldmatrix.sync.aligned.m8n8.x2.shared.b16"]),
    ({"num": 4}, ["ldmatrix.sync.aligned.m8n8.x4.shared.b16"]),
    ({"num": 2, "trans": True}, ["ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"]),
    ({"num": 4, "tiles": 2}, ["ldmatrix.sync.aligned.m8n8.x4.shared.b16"] * 2),
    ({"num": 2, "store": True}, ["stmatrix.sync.aligned.m8n8.x2.shared.b16"]),
    ({"num": 4, "store": True}, ["stmatrix.sync.aligned.m8n8.x4.shared.b16"]),
    ({"num": 2, "trans": True, "store": True}, ["stmatrix.sync.aligned.m8n8.x2.trans.shared.b16"]),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("inputs", "expected"), TABLE, ids=[str(row[0]) for row in TABLE])
def test_how_inputs_change_the_instruction(inputs: dict[str, int], expected: list[str]) -> None:
    kernel = demonstration(**inputs)
    ptx = kernel.ptx("sm_90")
    assert matrix_instructions(ptx) == expected
    weft.assemble(weft.parse(ptx))
    a = np.arange(ROWS * inputs["num"] * 8 * inputs.get("tiles", 1), dtype=np.float16).reshape(ROWS, -1)
    b = np.zeros_like(a)
    kernel.run(a, b, target="sm_90")
    np.testing.assert_array_equal(b, a)


def test_the_line_that_the_demonstration_gives() -> None:
    (line,) = [x for x in demonstration(2).ptx("sm_80").splitlines() if "ldmatrix" in x]
    assert re.fullmatch(r"\s*ldmatrix\.sync\.aligned\.m8n8\.x2\.shared\.b16 \{%r\d+, %r\d+\}, \[%r\d+\];", line)


def test_stores_fall_back_where_there_is_no_stmatrix() -> None:
    ptx = demonstration(2, store=True).ptx("sm_80")
    assert not matrix_instructions(ptx)
    assert "st.shared" in ptx
