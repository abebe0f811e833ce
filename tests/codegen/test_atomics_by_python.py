"""Atomic operations of all types: the old value and the new one, held to NumPy; orders and scopes, to the instruction."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from weft.codegen import compile_module
from weft.sim import run

Function = Callable[[Any, Any, int], Any]


def signed(x: int, w: int) -> int:
    return x - (1 << w) if x >> w - 1 else x


INTEGERS: dict[str, Function] = {
    "xchg": lambda a, b, w: b, "add": lambda a, b, w: a + b, "sub": lambda a, b, w: a - b, "_and": lambda a, b, w: a & b,
    "_or": lambda a, b, w: a | b, "_xor": lambda a, b, w: a ^ b, "nand": lambda a, b, w: ~(a & b),
    "umax": lambda a, b, w: max(a, b), "umin": lambda a, b, w: min(a, b),
    "max": lambda a, b, w: max(signed(a, w), signed(b, w)), "min": lambda a, b, w: min(signed(a, w), signed(b, w)),
    "uinc_wrap": lambda a, b, w: 0 if a >= b else a + 1, "udec_wrap": lambda a, b, w: b if a == 0 or a > b else a - 1,
    "usub_cond": lambda a, b, w: a - b if a >= b else a, "usub_sat": lambda a, b, w: max(0, a - b),
}  # fmt: skip
FLOATS: dict[str, Function] = {
    "xchg": lambda a, b, w: b, "fadd": lambda a, b, w: a + b, "fsub": lambda a, b, w: a - b,
    "fmax": lambda a, b, w: np.fmax(a, b), "fmin": lambda a, b, w: np.fmin(a, b),
    "fmaximum": lambda a, b, w: np.maximum(a, b), "fminimum": lambda a, b, w: np.minimum(a, b),
}  # fmt: skip
TYPES: dict[str, Any] = {
    "i8": np.uint8,
    "i16": np.uint16,
    "i32": np.uint32,
    "i64": np.uint64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}
NUMBERS = (0, 1, 2, 5, 100)


@pytest.mark.sample(3)
@pytest.mark.parametrize("space", ["1", "3"])
@pytest.mark.parametrize("kind", TYPES)
def test_every_operation(kind: str, space: str) -> None:
    dtype, table = TYPES[kind], INTEGERS if kind[0] == "i" else FLOATS
    # What is narrow is exchanged with what is beside it: all of it is written first.
    lines = [
        f"""%c{i} = llvm.getelementptr %cells[{i}] : (!llvm.ptr<{space}>) -> !llvm.ptr<{space}>, {kind}
          llvm.store %a, %c{i} : {kind}, !llvm.ptr<{space}>"""
        for i in range(16)
    ]
    for i, name in enumerate(table):
        lines.append(f"""%r{i} = llvm.atomicrmw {name} %c{i}, %b monotonic : !llvm.ptr<{space}>, {kind}
          %s{i} = llvm.load volatile %c{i} : !llvm.ptr<{space}> -> {kind}
          %o{i} = llvm.getelementptr %out[{2 * i}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, {kind}
          %p{i} = llvm.getelementptr %out[{2 * i + 1}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, {kind}
          llvm.store %r{i}, %o{i} : {kind}, !llvm.ptr<1>
          llvm.store %s{i}, %p{i} : {kind}, !llvm.ptr<1>""")
    body, count = "\n".join(lines), len(table)
    memory = f"%g = llvm.mlir.addressof @cells : !llvm.ptr<3>\n%cells = llvm.getelementptr %g[0, %t, 0] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, !llvm.array<40 x array<16 x {kind}>>"
    if space == "1":
        memory = (
            f"%cells = llvm.getelementptr %scratch[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<16 x {kind}>"
        )
    text = f"""llvm.mlir.global internal @cells() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<40 x array<16 x {kind}>>
      llvm.func @k(%as: !llvm.ptr<1>, %bs: !llvm.ptr<1>, %scratch: !llvm.ptr<1>, %outs: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
        %t = nvvm.read.ptx.sreg.tid.x : i32
        %ap = llvm.getelementptr %as[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {kind}
        %bp = llvm.getelementptr %bs[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {kind}
        %a = llvm.load %ap : !llvm.ptr<1> -> {kind}
        %b = llvm.load %bp : !llvm.ptr<1> -> {kind}
        {memory}
        %out = llvm.getelementptr %outs[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{2 * count} x {kind}>
        {body}
        llvm.return }}"""
    width = 8 * np.dtype(dtype).itemsize
    numbers = [*NUMBERS, (1 << width) - 1, 1 << width - 1] if kind[0] == "i" else [*NUMBERS, -3]
    pairs = [*product(numbers, numbers)][:40]
    a, b = (np.array(column, dtype) for column in zip(*pairs, strict=True))
    out = np.zeros((len(pairs), count, 2), dtype)
    run(compile_module(text, "sm_90"), "k", 1, len(pairs), [a, b, np.zeros((len(pairs), 16), dtype), out])
    for i, (name, function) in enumerate(table.items()):
        for (x, y), (old, new) in zip(pairs, out[:, i].tolist(), strict=True):
            wanted = function(x, y, width)
            assert old == x, (name, x, y)
            assert new == (wanted % (1 << width) if kind[0] == "i" else wanted), (name, x, y)


SCOPES = {
    "": "sys",
    "block": "cta",
    "cluster": "cluster",
    "device": "gpu",
    "gpu": "gpu",
    "agent": "gpu",
    "singlethread": "cta",
}


@pytest.mark.parametrize("scope", SCOPES)
def test_orders_and_scopes(scope: str) -> None:
    """Of loads, stores, exchanges and fences; a scope of all is the widest."""
    said, at = (f' syncscope("{scope}")' if scope else ""), SCOPES[scope]
    wanted: dict[str, list[str]] = {
        f"%r = llvm.load %p atomic{said} monotonic {{alignment = 4 : i64}} : !llvm.ptr<1> -> i32": [f"ld.relaxed.{at}.global"],
        f"%r = llvm.load %p atomic{said} acquire {{alignment = 4 : i64}} : !llvm.ptr<1> -> i32": [f"ld.acquire.{at}.global"],
        f"%r = llvm.load %p atomic{said} seq_cst {{alignment = 4 : i64}} : !llvm.ptr<1> -> i32":
            [f"fence.sc.{at}", f"ld.acquire.{at}.global"],
        f"llvm.store %v, %p atomic{said} monotonic {{alignment = 4 : i64}} : i32, !llvm.ptr<1>": [f"st.relaxed.{at}.global"],
        f"llvm.store %v, %p atomic{said} release {{alignment = 4 : i64}} : i32, !llvm.ptr<1>": [f"st.release.{at}.global"],
        f"llvm.store %v, %p atomic{said} seq_cst {{alignment = 4 : i64}} : i32, !llvm.ptr<1>":
            [f"fence.sc.{at}", f"st.release.{at}.global"],
        f"llvm.fence{said} acquire": [f"fence.acq_rel.{at}"], f"llvm.fence{said} release": [f"fence.acq_rel.{at}"],
        f"llvm.fence{said} acq_rel": [f"fence.acq_rel.{at}"], f"llvm.fence{said} seq_cst": [f"fence.sc.{at}"],
        f"%r = llvm.cmpxchg %p, %v, %w{said} acquire monotonic : !llvm.ptr<1>, i32": [f"atom.acquire.{at}.global.cas"],
        f"%r = llvm.cmpxchg %p, %v, %w{said} release acquire : !llvm.ptr<1>, i32": [f"atom.acq_rel.{at}.global.cas"],
        f"%r = llvm.cmpxchg %p, %v, %w{said} seq_cst monotonic : !llvm.ptr<1>, i32":
            [f"fence.sc.{at}", f"atom.acquire.{at}.global.cas"],
    }  # fmt: skip
    for op, instructions in wanted.items():
        text = f"llvm.func @k(%p: !llvm.ptr<1>, %v: i32, %w: i32) attributes {{nvvm.kernel}} {{\n{op}\nllvm.return }}"
        ptx = compile_module(text, "sm_90").to_ptx()
        assert re.findall(r"\b(?:ld\.(?!param)|st|fence|atom)[\w.]*", re.sub(r"\.b32", "", ptx)) == instructions, op
