"""Programs that are no kernels: each is refused at its Python line, never by a bare exception, never compiled wrong."""

from __future__ import annotations

import linecache
import re
from typing import Any

import pytest

from weft.errors import CompileError

HEAD = """
import math
import weft
from weft.tile import *
from weft.tile import sum as total
from weft.tile.layouts import mma_layout, row_layout, swizzled

PLAIN = S[(16, 8) : (8, 1)]

@weft.kernel(threads=128, grid=1)
def kernel(x: Global(f32, "N"), a: Global(f32, (16, 8)), out: Global(i32, 32), n: i32, w: f32):
"""

REFUSED = {
    # Statements.
    "x[0] = nothing  #": "name 'nothing' is not defined",
    "global q  #": "'global' is not supported in a kernel",
    "del n  #": "'del' is not supported in a kernel",
    "if (y := n) > 3: out[0] = y  #": "':=' is not supported in a kernel",
    "try:  #\n    pass\nexcept ValueError: pass": "'try' is not supported in a kernel",
    "class A: pass  #": "'class' is not supported in a kernel",
    "yield n  #": "'yield' is not supported in a kernel",
    "async def f(): pass  #": "'async def' is not supported in a kernel",
    "for i in range(n):  #\n    pass\nelse:\n    pass": "cannot have an else",
    'raise ValueError("no")  #': "ValueError: no",
    "for i in range(n):\n    for j in range(3):\n        return  #": "'return' cannot leave",
    # What only the GPU knows, where Python would have to know it.
    "v = [i for i in range(n)]  #": "cannot iterate",
    "v = list(range(n))  #": "cannot iterate",
    "def f(v):\n    if v > 3:  #\n        return 1\n    return 0\nout[0] = f(n)": "cannot be tested here",
    "f = lambda v: 1 if v else abs(v)\nout[0] = int(f(n))  #": "where Python needs a value",
    "out[0] = math.sqrt(n)  #": "where Python needs a value",
    "for q in n: pass  #": "not iterable",
    "out[0] = f'{x[0]:3}'  #": "unsupported format string",
    "for i in range(0, 10, n): pass  #": "may count up or down",
    "for i in range(n, 9, 0): pass  #": "cannot be 0",
    "for i in loop(0, w): pass  #": "use an integer|invalid range bound",
    "t = register((16, n), f32)  #": "not a constant shape",
    "a[n:, :]  #": "must be a constant",
    # What lives in Python and would change once only.
    "l = []\nfor i in range(n):  #\n    l.append(i)": "'l' is changed",
    "l = [0]\nfor i in range(n):  #\n    l[0] = l[0] + i": "'l' is changed",
    "d = {}\nif n > 3:  #\n    d[1] = 2": "'d' is changed",
    "class_ = type('T', (), {})()\nclass_.v = 0\nwhile n > class_.v:  #\n    class_.v = class_.v + 1": "'class_' is changed",
    "v = [[]]\nfor i in range(n):\n    v[0].append(i)\nout[0] = v[0][0]  #": "loop or branch that has ended",
    # Names.
    "for i in range(n): k = i\nout[0] = k  #": "'k' is defined only inside the loop",
    "if n > 0:\n    k = 1\nout[0] = k  #": "'k' differs between the two sides|only one side",
    "if n > 0:\n    z = 1\nelse:\n    z = a\nout[0] = z  #": "'z' differs between the two sides",
    "out[0] = n if n > 3 else a  #": "differs between the two sides",
    "p, q = shared(32, f32), shared(32, f32)\nfor i in range(n):\n    p[0] = 1.0  #\n    p, q = q, p": "'p' is changed by the loop",
    "s = 0\nfor i in range(n):  #\n    s = a": "'s' is a number before this loop",
    "s = 0\nfor i in range(n):  #\n    s = s + 0.5": "'s' is i32 before this loop and f32 after",
    "t = zeros((16, 8), f32)\nfor i in range(n):  #\n    t = zeros((8, 8), f32)": "'t' is .* before this loop",
    # Types and numbers.
    "out[0] = 2.5  #": "2.5 is not of type i32",
    "out[0] = 1 << 40  #": "does not fit i32",
    "out[0] = n + (1 << 40)  #": "does not fit i32",
    "out[0] = n // 0  #": "division by 0",
    "out[0] = n ** n  #": "unsupported exponent",
    "out[0] = 'a'  #": "is not a number",
    "out[0] = n @ n  #": "unsupported operand",
    't = register((16, 8), "f31")  #': "unknown element type",
    "t = register((16, 8), boolean)  #": "tiles cannot have boolean elements",
    # Indices and regions.
    "x[0.5] = 1.0  #": "not an index",
    "x[w] = 1.0  #": "not an index",
    "out[32] = 1  #": "index 32 is out of range",
    "out[-33] = 1  #": "index -33 is out of range",
    "a[1, 2, 3]  #": "3 indices for 2 dimensions",
    "a[5:3, :]  #": "-2 elements",
    "a[::2, :]  #": "cannot have a step",
    "out[:] = 1  #": "cannot assign to a region",
    "a[None, 0]  #": "not an index",
    "len(x)  #": "extents of a tensor",
    "for v in x: pass  #": "cannot iterate",
    # Tiles.
    "t = zeros((16, 8), f32, PLAIN)\nif t: out[0] = 1  #": "a tile has no truth value",
    "t = zeros((16, 8), f32, PLAIN)\nout[0] = 1 if not t else 2  #": "a tile has no truth value",
    "t = zeros((16, 8), f32, PLAIN)\nout[0] = t[0, 0]  #": "by one thread only",
    "t = zeros((16, 8), f32, PLAIN)\nfor row in t: pass  #": "cannot iterate",
    "t = shared((16, 8), f32)\nu = t + 1  #": "not in registers",
    "t = zeros((16, 8), f32, PLAIN)\nt.storage[200]  #": "index 200 is out of range",
    "t = zeros((16, 8), f32, PLAIN)\nt.storage[n]  #": "registers have no addresses",
    "t = zeros((16, 8), f32, S[(16, 4) : (4, 1)])  #": "64 elements",
    "t = zeros((16, 8), f32, PLAIN) + zeros((16, 8), f16, PLAIN)  #": "not convert implicitly",
    "t = zeros((16, 8), f32, PLAIN) + zeros((4, 8), f32, S[(4, 8) : (8, 1)])  #": "do not broadcast",
    "t = zeros((16, 8), f32, PLAIN)\ntotal(t, 2)  #": "dimension 2 is out of range",
    "t = zeros((16, 8), f32, PLAIN) // 2.0  #": "// and % do not apply",
    "t = zeros((16, 8), i32, PLAIN)\nout[0] = exp(t).storage[0]  #": "no 'exp' of integers",
    "t = zeros((16, 8), e4m3, PLAIN)\nout[0] = (t + t).storage[0].to(i32)  #": "no 'add' of",
    "t = shared((300, 300), f64)  #": "KB of shared memory",
    # Copies, products, barriers.
    "warp.copy(a, x)  #": "extents of the whole tensor",
    "warp.copy(a[0:8, :], a)  #": "identical regions",
    "warp.copy(a, 3)  #": "cannot be copied",
    "warp.gemm(a, a, a)  #": "not in registers",
    "warp.gemm(zeros((16, 8), f32), zeros(16, f16), zeros((16, 8), f16))  #": "extents do not match",
    'v = mma_layout("a", (8, 8), f16)  #': "not a multiple of the fragment",
    "atomic_add(a, 0, 1)  #": "needs a single element",
    "atomic_and(x, 0, 1)  #": "no atomic 'and'",
    "if thread_id() < 16: cta.sync()  #": "only 16 of the block's 128 threads",
    "if thread_id() < 40: warp.sync()  #": "only 40 of the block's 128 threads",
    "t = zeros(128, f32, S[128 : 1 @ tx])\nif warp_id() < 2:\n    x[0] = total(t)  #": "only 64 of",
    "t = zeros((1, 64), f32, row_layout((1, 64), 2))\nif lane_id() == 0:\n    x[0] = total(t, None)": "only 4 of",
    "if thread_id() < 40: x[0] = shuffle(w, 3)  #": "only 40 of the block's 128 threads reach this exchange",
    "if lane_id() < 5:\n    out[0] = ballot(n > 3).to(i32)  #": "only 20 of",
    "return 5": "cannot return a value",
    "kernel(1)  #": "cannot be called",
}


def made(body: str, name: str) -> tuple[Any, str]:
    """The kernel with this body, and its file's text."""
    text = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    found: dict[str, Any] = {}
    exec(compile(text, name, "exec"), found)
    return found["kernel"], text


@pytest.mark.parametrize("body", REFUSED)
def test_refused_at_the_line(body: str) -> None:
    name = f"<refused {list(REFUSED).index(body)}>"
    kernel, text = made(body, name)
    with pytest.raises(CompileError) as caught:
        kernel.ptx("sm_90a")
    error = caught.value
    assert re.search(REFUSED[body], error.message), error.message
    assert error.position.file == name
    marked = [at for at, line in enumerate(text.splitlines(), 1) if line.endswith("#")]
    assert not marked or [error.position.line] == marked


OPERANDS = {"d": ((16, 8), "f32"), "a": ((16, 16), "f16"), "b": ((16, 8), "f16")}


@pytest.mark.parametrize("wrong", OPERANDS)
def test_the_operand_of_a_product_that_is_no_fragment_is_named(wrong: str) -> None:
    """Each thread has all of it."""
    layouts = {
        name: f"S[{shape} : ({shape[1]}, 1)]" if name == wrong else f"mma_layout('{name}', {shape}, {dtype})"
        for name, (shape, dtype) in OPERANDS.items()
    }
    operands = [f"zeros({shape}, {dtype}, {layouts[name]})" for name, (shape, dtype) in OPERANDS.items()]
    kernel, _ = made(f"warp.gemm({', '.join(operands)})  #", f"<product {wrong}>")
    with pytest.raises(CompileError) as caught:
        kernel.ptx("sm_90a")
    assert f"'{wrong}' is not laid out as the {wrong} fragment of mma.m16n8k" in caught.value.message
