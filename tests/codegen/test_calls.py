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


def test_memrefs_go_through_pointers_to_functions() -> None:
    """The members of a descriptor are parameters of a prototype, and of a function that is elsewhere, as of one that is here."""
    text = f"""gpu.module @m {{
    func.func private @elsewhere(%a: i8, %m: {VIEW}, %i: index) -> f32
    func.func @here(%a: i8, %m: {VIEW}, %i: index) -> f32 attributes {{no_inline}} {{
      %v = memref.load %m[%i] : {VIEW}
      func.return %v : f32 }}
    func.func @twice(%a: i8, %m: {VIEW}, %i: index) -> f32 attributes {{no_inline}} {{
      %v = memref.load %m[%i] : {VIEW}
      %w = arith.addf %v, %v : f32
      func.return %w : f32 }}
    gpu.func @k(%in: {VIEW}, %out: memref<1xf32>, %n: i32) kernel {{
      %f = func.constant @here : (i8, {VIEW}, index) -> f32
      %g = func.constant @twice : (i8, {VIEW}, index) -> f32
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %a = arith.constant 0 : i8
      %odd = arith.trunci %n : i32 to i1
      %h = arith.select %odd, %f, %g : (i8, {VIEW}, index) -> f32
      %v = func.call_indirect %h(%a, %in, %c2) : (i8, {VIEW}, index) -> f32
      memref.store %v, %out[%c0] : memref<1xf32>
      gpu.return }}
    func.func @caller(%a: i8, %m: {VIEW}, %i: index) -> f32 {{
      %v = func.call @elsewhere(%a, %m, %i) : (i8, {VIEW}, index) -> f32
      func.return %v : f32 }} }}"""
    module = weft.compile(text, "sm_80")
    functions = {
        function.name: [(p.type, p.align, p.dims) for p in function.parameters] for function in module.functions
    }
    assert functions["elsewhere"] == functions["here"]
    assert len(functions["here"]) == 1 + 5 + 1
    (declared,) = [each for each in module.functions if each.name == "elsewhere"]
    assert [p.name for p in declared.parameters] == [f"elsewhere_param_{number}" for number in range(7)]
    data = np.arange(40, dtype=np.float32)
    kept = compiled(text.replace("func.call @elsewhere", "func.call @here"))
    for flag in (0, 1):
        out = np.zeros(1, np.float32)
        weft.run(kept, "k", grid=1, block=1, args=[data, data, 5, 8, 3, out, out, 0, 1, 1, flag])
        assert out.tolist() == [(2 - flag) * (5 + 3 * 2)]


@pytest.mark.parametrize(("operations", "calls", "left"), [(400, 10, 0), (400, 11, 1), (401, 3, 3)])
def test_what_is_short_becomes_a_part_of_its_callers(operations: int, calls: int, left: int) -> None:
    """Of so many operations, and so many in all."""
    constants = "\n".join(f"%c{number} = llvm.mlir.constant({number} : i32) : i32" for number in range(operations - 2))
    body = "\n".join(f"%y{number + 1} = llvm.call @next(%y{number}) : (i32) -> i32" for number in range(calls))
    text = f"""llvm.func @next(%x: i32) -> i32 {{
      {constants}
      %r = llvm.add %x, %c7 : i32
      llvm.return %r : i32 }}
    llvm.func @k(%y0: i32, %out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      {body}
      llvm.store %y{calls}, %out : i32, !llvm.ptr<1>
      llvm.return }}"""
    module = weft.compile(text, "sm_80")
    assert module.to_ptx().count("call.uni") == left
    out = np.zeros(1, np.int32)
    weft.run(module, "k", grid=1, block=1, args=[5, out])
    assert out.tolist() == [5 + 7 * calls]


def test_calls_with_more_arguments_than_have_names() -> None:
    text = """llvm.func @first(%n: i32, ...) -> i32 { llvm.return %n : i32 }
    llvm.func @k(%n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel} {
      %r = llvm.call @first(%n, %n, %n) vararg(!llvm.func<i32 (i32, ...)>) : (i32, i32, i32) -> i32
      llvm.store %r, %out : i32, !llvm.ptr<1>
      llvm.return }"""
    out = np.zeros(1, np.int32)
    weft.run(compiled(text), "k", grid=1, block=1, args=[5, out])
    assert out.tolist() == [5]


@pytest.mark.parametrize("written", [False, True])
def test_parameters_by_value_are_read_where_they_are(written: bool) -> None:
    """Unless something is copied into them."""
    to, source = ("%p", "%in") if written else ("%out", "%p")
    last = "%v = llvm.load %p : !llvm.ptr -> i64\nllvm.store %v, %out : i64, !llvm.ptr" if written else ""
    text = f"""llvm.func @k(%p: !llvm.ptr {{llvm.byval = !llvm.array<8 x i8>, llvm.align = 8 : i64}}, %in: !llvm.ptr, %out: !llvm.ptr)
      attributes {{nvvm.kernel}} {{
      %c8 = llvm.mlir.constant(8 : i64) : i64
      "llvm.intr.memcpy"({to}, {source}, %c8) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
      {last}
      llvm.return }}"""
    module = compiled(text)
    assert (".local" in module.to_ptx()) == written
    out = np.zeros(1, np.int64)
    weft.run(module, "k", grid=1, block=1, args=[np.array([11], np.int64).tobytes(), np.array([22], np.int64), out])
    assert out.tolist() == [22 if written else 11]
