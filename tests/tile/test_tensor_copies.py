"""Which tiles come by TMA, in which boxes, and why others come by threads."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

HEAD = """
import weft
from weft.tile import *

@weft.kernel(grid=1)
def kernel(x: Global({tensor})):
    p = pipeline(2, a=tile({tile}))
    with role(warps=1), p.fill() as q:
        cta.copy_async(q.a, {source})
    with role(warps=1):
        p.take()
"""
CASES = [
    ("f32, (16, 8)", "f32, 16, 8", "x", "1 box of 1x16x8, swizzle 32 bytes, 512 bytes"),
    ("f32, (16, 8)", "f32, 8", "x[3, :]", "1 box of 1x8, plain, 32 bytes"),
    ("f32, (2, 2, 2, 16, 8)", "f32, 16, 8", "x[0, 1, 0]", "1 box of 1x16x8, swizzle 32 bytes, 512 bytes"),
    ("f32, (16, 64)", "f32, 16, 64", "x", "2 boxes of 1x16x32, swizzle 128 bytes, 4096 bytes"),
    ("f16, ('M', 64), strides=(72, 1)", "f16, 304, 64", "x[0:304, :]", "2 boxes of 1x152x64, swizzle 128 bytes, 38912 bytes"),
    ("f32, (16, 8), strides=(16, 2)", "f32, 16, 8", "x", "declined: the rows of the tensor are not contiguous"),
    ("f32, ('M', 'N')", "f32, 16, 8", "x[0:16, 0:8]",
        "declined: the stride of dimension 0 is a known multiple of only 4 bytes; TMA needs 16"),
    ("f16, (16, 12)", "f16, 16, 8", "x[:, 0:8]",
        "declined: the stride of dimension 0 is a known multiple of only 24 bytes; TMA needs 16"),
    ("f32, (2, 2, 2, 2, 16, 8)", "f32, 16, 8", "x[0, 1, 0, 1]", "declined: the tensor has more than 5 dimensions"),
    ("f32, (16, 8)", "f32, 16, 8", "x.rows(0, 16)[0:16, :]", "declined: the tensor is not an argument of the kernel"),
    ("f32, (16, 8)", "f32, 16", "x[:, 0]", "declined: the tile does not run along the tensor's last dimension"),
    ("f32, (16, 8)", "f32, 16, 8, layout=S[(16, 8) : (1, 16)]", "x",
        "declined: a row of a box must be a multiple of 16 bytes, but 4 bytes of the tile are contiguous"),
]  # fmt: skip


def explained(text: str) -> list[str]:
    """What is told of the copies of a kernel."""
    name = f"<comes {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {}
    exec(compile(text, name, "exec"), names)
    return names["kernel"].explain("sm_90a").splitlines()


@pytest.mark.parametrize(("tensor", "tile", "source", "told"), CASES)
def test_how_tiles_come(tensor: str, tile: str, source: str, told: str) -> None:
    lines = [" ".join(line.split()) for line in explained(HEAD.format(tensor=tensor, tile=tile, source=source))]
    at = next(number for number, line in enumerate(lines) if line.startswith("tma "))
    assert (lines[at + 1] if lines[at] == "tma chosen" else lines[at].removeprefix("tma ")) == told


STORES = """
import weft
from weft.tile import *

@weft.kernel(grid=1)
def kernel(x: Global(f32, (16, 64))):
    p = pipeline(2, kind="store", a=tile(f32, 16, 64))
    with role(warps=1), p.fill() as q:
        cta.copy_async(x, q.a{how})
"""


@pytest.mark.parametrize(
    ("how", "name", "told"), [("", "tma_store", ""), (", reduce='add'", "tma_reduce", ", combined by add"),
        (", reduce='max'", "tma_reduce", ", combined by max")],
)  # fmt: skip
def test_how_tiles_go(how: str, name: str, told: str) -> None:
    lines = [" ".join(line.split()) for line in explained(STORES.format(how=how))]
    at = lines.index(f"{name} chosen")
    layout = "swz(2,3,3) @ S[(1,16,2,32):(1024,32,512,1)]"
    assert lines[at - 1] == f"copy shared 1x16x64xf32 {layout} -> global tensor of 2 dimensions, by one thread"
    assert lines[at + 1] == f"2 boxes of 1x16x32, swizzle 128 bytes, 4096 bytes{told}"
