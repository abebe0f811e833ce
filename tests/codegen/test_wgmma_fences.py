"""Accumulators of `wgmma` are in their registers before the `wgmma.fence`, whatever they are made of; reads wait."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled, descriptors
from weft.sim import run

STRUCTS = {
    "f32": "!llvm.struct<(f32, f32, f32, f32)>",
    "s32": "!llvm.struct<(i32, i32, i32, i32)>",
    "f16": "!llvm.struct<(vector<2xf16>, vector<2xf16>)>",
}
PRODUCTS = {"f32": ("<m = 64, n = 8, k = 16>", "f16", "f16"), "s32": ("<m = 64, n = 8, k = 32>", "s8", "s8"),
            "f16": ("<m = 64, n = 8, k = 16>", "f16", "f16")}  # fmt: skip


def struct(kind: str, name: str, values: list[str]) -> str:
    lines = [f"%{name}0 = llvm.mlir.poison : {STRUCTS[kind]}"]
    for i, value in enumerate(values):
        lines.append(f"%{name}{i + 1} = llvm.insertvalue {value}, %{name}{i}[{i}] : {STRUCTS[kind]}")
    lines.append(f"%{name} = llvm.insertvalue {values[-1]}, %{name}{len(values)}[{len(values) - 1}] : {STRUCTS[kind]}")
    return "\n".join(lines)


def mma(kind: str, out: str, into: str) -> str:
    shape, a, b = PRODUCTS[kind]
    return (
        f"%{out} = nvvm.wgmma.mma_async %da, %da, %{into}, #nvvm.shape{shape}, "
        f"D[#nvvm.wgmma_type<{kind}>, #nvvm.wgmma_scale_out<one>"
        f"{', <wrapped>' if kind == 's32' else ''}], A[#nvvm.wgmma_type<{a}>, #nvvm.wgmma_scale_in<one>, "
        f"#nvvm.mma_layout<row>], B[#nvvm.wgmma_type<{b}>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<col>] : "
        f"{STRUCTS[kind]} -> {STRUCTS[kind]}"
    )


FENCE = "nvvm.wgmma.fence.aligned"
WAIT = "nvvm.wgmma.commit.group.sync.aligned\nnvvm.wgmma.wait.group.sync.aligned 0"


def kernel(kind: str, body: str) -> str:
    """A kernel that stores the first accumulator of each thread after `body`, with A and B all ones."""
    element = {"f32": "f32", "s32": "i32", "f16": "vector<2xf16>"}[kind]
    ones = {"f32": 0x3C003C00, "f16": 0x3C003C00, "s32": 0x01010101}[kind]
    return f"""
    module attributes {{gpu.container_module}} {{ gpu.module @m {{
      memref.global "private" @tile : memref<1024xi32, 3>
      gpu.func @k(%out: memref<128x{element}>, %n: i32) kernel attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
        %tid = gpu.thread_id x
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c3 = arith.constant 3 : index
        %c128 = arith.constant 128 : index
        %c1024 = arith.constant 1024 : index
        %ones = arith.constant {ones} : i32
        %zero = arith.constant {"0 : i32" if kind == "s32" else "0.0 : f32" if kind == "f32" else "dense<0.0> : vector<2xf16>"}
        %five = arith.constant {"5 : i32" if kind == "s32" else "5.0 : f32" if kind == "f32" else "dense<5.0> : vector<2xf16>"}
        %tile = memref.get_global @tile : memref<1024xi32, 3>
        scf.for %i = %tid to %c1024 step %c128 {{ memref.store %ones, %tile[%i] : memref<1024xi32, 3> }}
        nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
        gpu.barrier
        %base = memref.extract_aligned_pointer_as_index %tile : memref<1024xi32, 3> -> index
        %b64 = arith.index_cast %base : index to i64
        %c4 = arith.constant 4 : i64
        %addr = arith.shrui %b64, %c4 : i64
        %bits = arith.constant {(16 << 16) | (16 << 32)} : i64
        %da = arith.ori %addr, %bits : i64
        {body}
        %r = llvm.extractvalue %last[0] : {STRUCTS[kind]}
        memref.store %r, %out[%tid] : memref<128x{element}>
        gpu.return
      }}
    }} }}"""


def result(kind: str, body: str, policy: Any = "lazy") -> list[float]:
    """That accumulator, which counts 16 or 32."""
    dtype = {"f32": np.float32, "s32": np.int32, "f16": np.float16}[kind]
    out = np.zeros((128, 2) if kind == "f16" else 128, dtype)
    args = [out, out, 0, 128, 1] if kind == "f16" else descriptors([out])
    run(compiled(kernel(kind, body), "sm_90a"), "k", 1, 128, [*args, 7], check="strict", async_=policy)
    assert (out == out.flat[0]).all()
    return [float(out.flat[0])]


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", STRUCTS)
@pytest.mark.parametrize("start", ["%zero", "%five"])
def test_constants(kind: str, start: str) -> None:
    count = 2 if kind == "f16" else 4
    depth = 32 if kind == "s32" else 16
    base = 5 if start == "%five" else 0
    body = struct(kind, "acc", [start] * count)
    assert result(kind, f"{body}\n{FENCE}\n{mma(kind, 'last', 'acc')}\n{WAIT}") == [depth + base]
    # Two tiles under one fence, and a chain of products.
    two = f"{mma(kind, 'x', 'acc')}\n{mma(kind, 'y', 'acc')}\n{mma(kind, 'last', 'y')}\n{WAIT}"
    assert result(kind, f"{body}\n{FENCE}\n{two}") == [2 * depth + base]


def test_sums() -> None:
    """Integers that are sums stay unwritten until they are needed, which is after the fence."""
    body = "%s = arith.addi %n, %five : i32\n" + struct("s32", "acc", ["%s"] * 4)
    assert result("s32", f"{body}\n{FENCE}\n{mma('s32', 'last', 'acc')}\n{WAIT}") == [32 + 12]


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", STRUCTS)
def test_loops(kind: str) -> None:
    count = 2 if kind == "f16" else 4
    depth = 32 if kind == "s32" else 16
    type_ = STRUCTS[kind]
    body = struct(kind, "acc", ["%zero"] * count)
    loop = "%last = scf.for %i = %c0 to %c3 step %c1 iter_args(%d = %acc) -> ({0}) {{\n{1}\nscf.yield %e : {0}\n}}"
    inside = loop.format(type_, f"{FENCE}\n{mma(kind, 'e', 'd')}\n{WAIT}")
    assert result(kind, f"{body}\n{inside}") == [3 * depth]
    outside = loop.format(type_, mma(kind, "e", "d"))
    assert result(kind, f"{body}\n{FENCE}\n{outside}\n{WAIT}") == [3 * depth]


def test_inline_assembly() -> None:
    asm = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {{$0, $1, $2, $3}}, $4, $4, {0}, 1, 1, 0, 0;"
    type_ = STRUCTS["f32"]
    body = f"""{FENCE}
    %x = llvm.inline_asm has_side_effects "{asm.format("p")}", "=f,=f,=f,=f,l,0,1,2,3" %da, %zero, %zero, %zero, %five
      : (i64, f32, f32, f32, f32) -> {type_}
    %last = llvm.inline_asm has_side_effects "{asm.format("1")}", "=f,=f,=f,=f,l,0,1,2,3" %da, %five, %zero, %zero, %five
      : (i64, f32, f32, f32, f32) -> {type_}
    {WAIT}""".replace("p, 1, 1", "1, 1, 1")
    assert result("f32", body) == [21]


@pytest.mark.sample(1)
@pytest.mark.parametrize("policy", ["eager", "lazy", "random"])
@pytest.mark.parametrize("groups", [0, 1, 2])
def test_sums_read_while_groups_are_under_way(groups: int, policy: Any) -> None:
    """In a row, in a loop, in a branch: a read of sums waits, and nothing else does."""
    type_ = STRUCTS["f32"]
    start = struct("f32", "acc", ["%zero"] * 4)
    closed = f"nvvm.wgmma.commit.group.sync.aligned\nnvvm.wgmma.wait.group.sync.aligned {groups}"
    row = f"{start}\n{FENCE}\n{mma('f32', 'last', 'acc')}\n{closed}"
    assert result("f32", row, policy) == [16]
    loop = f"""{start}
    %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%d = %acc) -> ({type_}) {{
      {FENCE}
      {mma("f32", "e", "d")}
      {closed}
      scf.yield %e : {type_}
    }}"""
    assert result("f32", loop, policy) == [48]
    branch = f"""{row.replace("%last", "%one")}
    %odd = arith.cmpi ne, %tid, %c3 : index
    %v = llvm.extractvalue %one[0] : {type_}
    %sum = scf.if %odd -> (f32) {{
      %w = arith.addf %v, %five : f32
      scf.yield %w : f32
    }} else {{
      %w = arith.addf %five, %v : f32
      scf.yield %w : f32
    }}
    %last = llvm.insertvalue %sum, %one[0] : {type_}"""
    assert result("f32", branch, policy) == [21]
