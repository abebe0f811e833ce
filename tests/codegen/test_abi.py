"""The calling convention of device functions and the data of globals, held to LLVM's."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.codegen.oracle import llvm_ptx
from tests.codegen.support import compiled
from weft.codegen import compile_module
from weft.errors import CompileError

TYPES = [
    "i1", "i8", "i16", "i32", "i48", "i64", "i128", "f16", "bf16", "f32", "f64", "!llvm.ptr", "!llvm.ptr<3>",
    "vector<2xf16>", "vector<4xf32>", "vector<3xf32>", "vector<4xi8>", "vector<2xi8>", "vector<8xbf16>",
    "!llvm.array<3 x f32>", "!llvm.struct<(i8, i32)>", "!llvm.struct<(i1, i1)>", "!llvm.struct<(f16, f64, i8)>",
    "!llvm.struct<(vector<3xf32>, f32)>", "!llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>",
    "!llvm.struct<(ptr<3>, i16)>", "!llvm.array<2 x struct<(i8, i16)>>",
]  # fmt: skip


def heads(ptx: str) -> dict[str, str]:
    """The head of each function, by name, without spaces."""
    text = re.sub(r"//.*", "", ptx)
    found = re.findall(r"(\.func|\.entry)\s*(\([^()]*\))?\s*(\w+)\s*\(([^()]*)\)", text)
    return {
        name: re.sub(r"\s+", " ", f"{kind} {returned} {rest}").replace("( ", "(").strip()
        for kind, returned, name, rest in found
    }


def test_heads_are_those_of_llvm() -> None:
    functions = [f"llvm.func @e{i}({t}, i32) -> {t}" for i, t in enumerate(TYPES)]
    functions += [
        f"llvm.func @d{i}(%a: {t}, %b: i32) -> {t} {{\n"
        f"  %r = llvm.call @e{i}(%a, %b) : ({t}, i32) -> {t}\n  llvm.return %r : {t}\n}}"
        for i, t in enumerate(TYPES)
    ]
    text = "\n".join(functions)
    mine, theirs = heads(compile_module(text, "sm_90").to_ptx()), heads(llvm_ptx(text, "sm_90"))
    assert mine.keys() >= theirs.keys()
    assert {name: mine[name] for name in theirs} == theirs


KERNEL_TYPES = ["i1", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "!llvm.ptr", *TYPES[13:]]


def test_kernel_parameters_have_the_sizes_of_llvm() -> None:
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(KERNEL_TYPES))
    text = f"llvm.func @k({arguments}) attributes {{nvvm.kernel}} {{ llvm.return }}"
    shown: list[list[tuple[int, int]]] = []
    for ptx in (compiled(text, "sm_90").to_ptx(), llvm_ptx(text, "sm_90")):
        ptx = re.sub(r" \.ptr( \.(global|shared|const|local))?( \.align \d+)?", "", ptx)
        found = re.findall(r"\.param (?:\.align (\d+) )?\.[bfu](\d+) k_param_\d+(?:\[(\d+)\])?", ptx)
        sizes = [(int(align or int(bits) // 8), int(bits) // 8 * int(count or 1)) for align, bits, count in found]
        shown.append(sizes)
    assert len(shown[0]) == len(KERNEL_TYPES)
    assert shown[0] == shown[1]


def test_values_pass_through_calls() -> None:
    text = """
    !s = !llvm.struct<(i8, i32, vector<2xf16>, i1)>
    llvm.func @swap(%s: !s, %v: vector<4xf32>) -> !llvm.struct<(vector<4xf32>, i32, i1)> {
      %b = llvm.extractvalue %s[0] : !s
      %i = llvm.extractvalue %s[1] : !s
      %t = llvm.extractvalue %s[3] : !s
      %w = llvm.sext %b : i8 to i32
      %j = llvm.add %w, %i : i32
      %u = llvm.mlir.undef : !llvm.struct<(vector<4xf32>, i32, i1)>
      %0 = llvm.insertvalue %v, %u[0] : !llvm.struct<(vector<4xf32>, i32, i1)>
      %1 = llvm.insertvalue %j, %0[1] : !llvm.struct<(vector<4xf32>, i32, i1)>
      %2 = llvm.insertvalue %t, %1[2] : !llvm.struct<(vector<4xf32>, i32, i1)>
      llvm.return %2 : !llvm.struct<(vector<4xf32>, i32, i1)>
    }
    llvm.func @k(%p: !llvm.ptr, %q: !llvm.ptr) attributes {nvvm.kernel} {
      %s = llvm.load %p : !llvm.ptr -> !s
      %v = llvm.load %q : !llvm.ptr -> vector<4xf32>
      %f = llvm.mlir.addressof @swap : !llvm.ptr
      %r = llvm.call @swap(%s, %v) : (!s, vector<4xf32>) -> !llvm.struct<(vector<4xf32>, i32, i1)>
      %i = llvm.extractvalue %r[1] : !llvm.struct<(vector<4xf32>, i32, i1)>
      %t = llvm.extractvalue %r[2] : !llvm.struct<(vector<4xf32>, i32, i1)>
      %x = llvm.extractvalue %r[0] : !llvm.struct<(vector<4xf32>, i32, i1)>
      %y = llvm.fadd %x, %x : vector<4xf32>
      llvm.store %y, %q : vector<4xf32>, !llvm.ptr
      %c = llvm.mlir.constant(7 : i32) : i32
      %z = llvm.select %t, %i, %c : i1, i32
      llvm.store %z, %p : i32, !llvm.ptr
      llvm.return
    }
    """
    record = np.array([(-3, 45, 0, 1)], dtype=[("b", "i1"), ("i", "<i4", ()), ("h", "<i4"), ("t", "?")])
    packed = np.zeros(16, np.uint8)
    packed[0:1] = record["b"].view(np.uint8)
    packed[4:8] = record["i"].view(np.uint8)
    packed[12] = 1
    values = np.array([1, 2, 3, 4], np.float32)
    run = pytest.importorskip("weft.sim").run
    run(compiled(text, "sm_80"), "k", 1, 1, [packed, values])
    assert packed[0:4].view(np.int32)[0] == 42
    assert values.tolist() == [2, 4, 6, 8]


GLOBALS = [
    'llvm.mlir.global internal constant @g("hello\\00") {addr_space = 0 : i32}',
    "llvm.mlir.global external @g(42 : i32) : i32",
    "llvm.mlir.global internal @g(1.5 : f64) : f64",
    """llvm.mlir.global internal constant @g(dense<[1, 2, 3]> : tensor<3xi16>) {addr_space = 4 : i32}
      : !llvm.array<3 x i16>""",
    "llvm.mlir.global internal @g() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f32>",
    "llvm.mlir.global external @g() : !llvm.array<4 x i32>",
    "llvm.mlir.global external @g() {addr_space = 3 : i32} : !llvm.array<0 x i8>",
    """llvm.mlir.global internal @g() : !llvm.struct<(i8, i32)> {
      %u = llvm.mlir.undef : !llvm.struct<(i8, i32)>
      %a = llvm.mlir.constant(3 : i8) : i8
      %b = llvm.mlir.constant(-1 : i32) : i32
      %c = llvm.insertvalue %a, %u[0] : !llvm.struct<(i8, i32)>
      %d = llvm.insertvalue %b, %c[1] : !llvm.struct<(i8, i32)>
      llvm.return %d : !llvm.struct<(i8, i32)>
    }""",
    """llvm.mlir.global internal @g() : !llvm.array<2 x f32> {
      %u = llvm.mlir.zero : !llvm.array<2 x f32>
      llvm.return %u : !llvm.array<2 x f32>
    }""",
    """llvm.mlir.global internal @h(1 : i32) : i32
    llvm.mlir.global internal @g() : !llvm.ptr {
      %u = llvm.mlir.addressof @h : !llvm.ptr
      llvm.return %u : !llvm.ptr
    }""",
]  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("text", GLOBALS, ids=range(len(GLOBALS)))
def test_globals_hold_the_bytes_of_llvm(text: str) -> None:
    space = re.search(r"addr_space = (\d)", text)
    pointer = "!llvm.ptr" + (f"<{space[1]}>" if space and space[1] != "0" else "")
    text += (
        f"\nllvm.func @f() -> {pointer} {{\n %p = llvm.mlir.addressof @g : {pointer}\n llvm.return %p : {pointer}\n}}"
    )
    mine, theirs = (data_of(ptx) for ptx in (compiled(text, "sm_80").to_ptx(), llvm_ptx(text, "sm_80")))
    assert mine == theirs


def data_of(ptx: str) -> Any:
    """Space, size and bytes of the variable `g`: initial values as the numbers that they are."""
    found = re.search(r"\.(global|shared|const) (?:\.align \d+ )?\.([a-z])(\d+) g(?:\[(\d*)\])?(?: = ([^;]+))?;", ptx)
    assert found, ptx
    space, _, bits, count, value = found.groups()
    width = int(bits) // 8
    items = re.findall(r"generic\(\w+\)|0[df][0-9A-Fa-f]+|-?\d+|\w+", value or "")
    out: list[Any] = []
    for item in items:
        if item.startswith("generic"):
            out.append(item)
            continue
        number = int(item[2:], 16) if item[:2] in ("0d", "0f") else int(item)
        out += (number & ((1 << 8 * width) - 1)).to_bytes(width, "little")
    size = width * int(count or 1) if count != "" else -1
    plain = [x for x in out if isinstance(x, str)]
    return space, size, plain or bytes(out).rstrip(b"\0")


def test_a_parameter_too_odd_to_pass_is_refused() -> None:
    with pytest.raises(CompileError, match="i129"):
        compiled("llvm.func @f(%a: i129) { llvm.return }")
