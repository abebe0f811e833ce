"""Calls that stay calls: what they pass, and how functions are declared that are called through a pointer."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft
from tests.codegen.support import compiled

VIEW = "memref<?xf32, strided<[?], offset: ?>>"


@pytest.mark.parametrize("dialect", ["func", "llvm"])
@pytest.mark.parametrize("where", ["function", "call", ""])
def test_what_says_so_is_called(dialect: str, where: str) -> None:
    """Other functions of one block become a part of their callers."""
    multiply = "arith.muli" if dialect == "func" else "llvm.mul"
    kept = "attributes {no_inline}" if where == "function" else ""
    text = f"""{dialect}.func @square(%x: i32) -> i32 {kept} {{
      %y = {multiply} %x, %x : i32
      {dialect}.return %y : i32 }}
    {dialect}.func @caller(%x: i32) -> i32 {{
      %y = {dialect}.call @square(%x) {"{no_inline}" if where == "call" else ""} : (i32) -> i32
      {dialect}.return %y : i32 }}"""
    assert ("call.uni" in compiled(text).to_ptx()) == (where != "")


def test_memrefs_are_passed_and_returned_among_others() -> None:
    """As the members of their descriptors, which lie in the bytes of the results as in a structure."""
    text = f"""gpu.module @m {{
    func.func @part(%first: i8, %m: {VIEW}, %by: index) -> (i1, {VIEW}, f64, i8, {VIEW}) attributes {{no_inline}} {{
      %c2 = arith.constant 2 : index
      %zero = arith.constant 0 : index
      %size = memref.dim %m, %zero : {VIEW}
      %half = arith.divui %size, %c2 : index
      %v = memref.subview %m[%by] [%half] [2] : {VIEW} to {VIEW}
      %odd = arith.trunci %first : i8 to i1
      %wide = arith.index_cast %size : index to i64
      %d = arith.uitofp %wide : i64 to f64
      %next = arith.addi %first, %first : i8
      func.return %odd, %v, %d, %next, %m : i1, {VIEW}, f64, i8, {VIEW} }}
    gpu.func @k(%in: {VIEW}, %out: memref<5xf64>, %n: i8) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %odd, %v, %d, %next, %m = func.call @part(%n, %in, %c1) : (i8, {VIEW}, index) -> (i1, {VIEW}, f64, i8, {VIEW})
      %a = arith.uitofp %odd : i1 to f64
      %second = memref.load %v[%c1] : {VIEW}
      %b = arith.extf %second : f32 to f64
      %c = arith.uitofp %next : i8 to f64
      %whole = memref.load %m[%c2] : {VIEW}
      %e = arith.extf %whole : f32 to f64
      memref.store %a, %out[%c0] : memref<5xf64>
      memref.store %b, %out[%c1] : memref<5xf64>
      memref.store %d, %out[%c2] : memref<5xf64>
      memref.store %c, %out[%c3] : memref<5xf64>
      memref.store %e, %out[%c4] : memref<5xf64>
      gpu.return }} }}"""
    module = compiled(text)
    head = module.to_ptx().partition("part(")[0].rpartition(".func")[2]
    assert re.findall(r"\.param \.align (\d+) \.b8 \w+\[(\d+)\]", head) == [("8", "104")]
    data, out = np.arange(40, dtype=np.float32), np.zeros(5)
    # Eight numbers, each third, from the fifth on.
    weft.run(module, "k", grid=1, block=1, args=[data, data, 5, 8, 3, out, out, 0, 5, 1, 7])
    assert out.tolist() == [1, 5 + 3 * (1 + 2), 8, 14, 5 + 3 * 2]


PASSED = {
    "i16": 16, "f16": 16, "f64": 64, "i128": 128, "!llvm.ptr": 64, "!llvm.struct<(i8, i32)>": 64, "vector<4xf32>": 128,
    "!llvm.array<3 x i16>": 48,
}  # fmt: skip
"""Types of arguments and results, with the bits that are compared."""


def test_functions_behind_pointers_take_and_give_every_type() -> None:
    """What they are called with has no name, but the bytes and the alignment of the function's own parameters."""
    lines: list[str] = []
    functions: list[str] = []
    for number, type_ in enumerate(PASSED):
        functions.append(f"llvm.func @give{number}(%a: {type_}, %b: i32) -> {type_} {{ llvm.return %a : {type_} }}")
        functions.append(
            f"llvm.func @zero{number}(%a: {type_}, %b: i32) -> {type_} {{ %z = llvm.mlir.zero : {type_}\nllvm.return %z : {type_} }}"
        )
        lines += [
            f"%p{number} = llvm.getelementptr %in[{16 * number}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8",
            f"%q{number} = llvm.getelementptr %out[{16 * number}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8",
            f"%f{number} = llvm.mlir.addressof @give{number} : !llvm.ptr",
            f"%g{number} = llvm.mlir.addressof @zero{number} : !llvm.ptr",
            f"%h{number} = llvm.select %b, %f{number}, %g{number} : i1, !llvm.ptr",
            f"%v{number} = llvm.load %p{number} {{alignment = 16 : i64}} : !llvm.ptr<1> -> {type_}",
            f"%r{number} = llvm.call %h{number}(%v{number}, %n) : !llvm.ptr, ({type_}, i32) -> {type_}",
            f"llvm.store %r{number}, %q{number} {{alignment = 16 : i64}} : {type_}, !llvm.ptr<1>",
        ]
    head = "llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {\n%b = llvm.trunc %n : i32 to i1\n"
    module = compiled("\n".join(functions) + "\n" + head + "\n".join(lines) + "\nllvm.return }")
    data = (np.arange(16 * len(PASSED)) % 251 + 1).astype(np.uint8)
    for flag in (1, 0):
        out = np.zeros(data.size, np.uint8)
        weft.run(module, "k", grid=1, block=1, args=[data, out, flag])
        for number, (type_, bits) in enumerate(PASSED.items()):
            found = out[16 * number : 16 * number + bits // 8].tolist()
            wanted = data[16 * number : 16 * number + bits // 8].tolist() if flag else [0] * (bits // 8)
            if "struct" in type_:
                found[1:4] = wanted[1:4] = []
            assert found == wanted, type_
    declared = re.findall(r"\.callprototype (.*);", module.to_ptx())
    assert len(declared) == len(set(declared)) == 6  # Two are passed alike as bytes, and two as 64 bits.
    assert not any(re.search(r"\b(give|zero)\d", each) for each in declared)
