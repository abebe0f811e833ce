"""What makes ptxas run products one after another ("Potential Performance Loss") is an error at its line, and only that."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

import weft
from weft.errors import CompileError
from weft.toolchain import find

HEAD = """import weft
from weft.tile import *

@weft.kernel(grid=1)
def kernel(A: Global(f16, ("M", 64)), C: Global(f32, (64, 64)), n: i32):
    ring = pipeline(2, a=tile(f16, 64, 64), b=tile(f16, 256, 64))
    with role(warps=1):
        for i in loop(n):
            with ring.fill() as s:
                cta.copy_async(s.a, A[ds(0, 64), :])
                cta.copy_async(s.b, A[ds(0, 256), :])
    with role(warpgroups=1ROLE):
        d = wgmma_layout("d", (64, 64))
"""
ONE = """s = ring.take()
BEFOREt = warpgroup.gemm_async(None, s.a, s.a.transpose())
BETWEENwarpgroup.wait(0)
BEHINDring.release()
warpgroup.copy(C, t)
"""


def one(**parts: str) -> str:
    """A product, and what is before it, before its wait, and after that."""
    text = ONE
    for place in ("BEFORE", "BETWEEN", "BEHIND"):
        given = parts.get(place.lower(), "")
        text = text.replace(place, given + "\n" if given else "")
    return text


def wide(columns: int, role: str = "") -> str:
    """Two products under way whose sums have so many columns, and as many registers."""
    return f"""#{role}
layout = wgmma_layout("d", (64, {columns}))
t = zeros((64, {columns}), f32, layout)
u = zeros((64, {columns}), f32, layout)
for i in loop(n):
    with ring.take(behind=1) as s:
        warpgroup.gemm_async(t, s.a, s.b[0:{columns}, :].transpose())
        warpgroup.gemm_async(u, s.a, s.b[0:{columns}, :].transpose())  #!
warpgroup.wait(0)
v = t * u
warpgroup.copy(C, v[:, 0:64] + v[:, {columns - 64}:{columns}])
"""


BRANCH = """s = ring.take()
t = zeros((64, 64), f32, d)
if CONDITION:
    warpgroup.gemm_async(t, s.a, s.a.transpose())  #!
INSIDE
warpgroup.wait(0)
ring.release()
warpgroup.copy(C, t)
"""


def branch(condition: str = "n > 3", inside: str = "") -> str:
    """A product under a condition."""
    return BRANCH.replace("CONDITION", condition).replace("INSIDE\n", inside)


REFUSED = {
    one(behind='print("x", n)  #!'): "C7510",
    one(between="assert n > 0  #!"): "C7510",
    one(between="t = t + 1.0  #!"): "still in flight",
    "s = ring.take()\nt = warpgroup.gemm_async(None, s.a, s.a.transpose())  #!\nring.release()\n": "still in flight",
    branch(): "at the end of its branch",
    branch(inside="else:\n    warpgroup.wait(0)\n"): "at the end of its branch",
    branch("lane_id() < 3", "    warpgroup.wait(0)\n"): "threads reach this product",
    wide(232): "232 registers, of the 255",
    wide(208, ", registers=232"): "208 registers, of the 232",
}
TAKEN = [
    one(),
    one(before="u = full((64, 64), 1.0, f32, d)", between="u = u * 2.0"),
    one(between="if lane_id() == 0:\n    atomic_add(C, (0, 0), 1.0)"),
    branch(inside="    warpgroup.wait(0)\n"),
    branch(inside="else:\n    warpgroup.gemm_async(t, s.a, s.a)\n"),
    wide(224),
    wide(200, ", registers=232"),
    wide(64).replace("behind=1", "behind=0"),
    one(between="if n > 3:\n    warpgroup.wait(0)"),
]


def kernel(body: str) -> tuple[Any, str]:
    """The kernel whose second role does this, and its text."""
    first = body.splitlines()[0]
    text = HEAD.replace("ROLE", first[1:] if first.startswith("#") else "")
    text += "".join(f"        {line}\n" for line in body.splitlines())
    name = f"<losses {hash(body)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {}
    exec(compile(text, name, "exec"), names)
    return names["kernel"], text


@pytest.mark.sample(6)
@pytest.mark.parametrize("body", REFUSED)
def test_losses_are_errors(body: str) -> None:
    made, text = kernel(body)
    with pytest.raises(CompileError, match=REFUSED[body]) as caught:
        made.ptx("sm_90a", multiples={"M": 8})
    assert text.splitlines()[caught.value.position.line - 1].endswith("#!") or "#!" not in text


@pytest.mark.slow
@pytest.mark.skipif(find("ptxas") is None, reason="no ptxas")
@pytest.mark.parametrize("body", TAKEN)
def test_what_is_taken_loses_nothing(body: str) -> None:
    made, _ = kernel(body)
    cubin = weft.assemble(made.module("sm_90a", multiples={"M": 8}))
    assert not [each for each in cubin.remarks if "Performance Loss" in each.message or each.code.startswith("C75")]


def test_print_works_on_the_simulator() -> None:
    """Where nothing is lost."""
    made, _ = kernel(one(behind='print("x", n)'))
    a = np.ones((256, 64), np.float16)
    c = np.zeros((64, 64), np.float32)
    made.run(a, c, 1)
    assert (c == 64).all()
    with pytest.raises(CompileError, match="serializes all wgmma"):
        made.ptx("sm_90a", multiples={"M": 8})
