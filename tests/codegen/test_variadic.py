"""Functions of any number of arguments: they compute what LLVM's do, and call each other's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.codegen.oracle import llvm_ptx
from weft import parse
from weft.codegen import compile_module
from weft.errors import CompileError
from weft.ptx.ast import Function, Module
from weft.sim import run

PTR = "!llvm.ptr"
TYPES = (
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "f16",
    "f32",
    "f64",
    "vector<4xi32>",
    "!llvm.struct<(i32, i32)>",
    "i20",
    "i8",
)
"""Of the arguments without names, which lie as the members of a structure do."""
OFFSETS = (0, 2, 4, 8, 16, 32, 36, 40, 48, 64, 72, 76)


def module() -> str:
    """A kernel that passes values of all types from memory, and a function that adds up their bytes as it finds them."""
    loads, names = "", list[str]()
    for i, type_ in enumerate(TYPES):
        loads += f"  %p{i} = llvm.getelementptr %in[{16 * i}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8\n"
        loads += f"  %v{i} = llvm.load %p{i} : !llvm.ptr<1> -> {type_}\n"
        names.append(f"%v{i}")
    reads, sizes = "", {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "f32": 32, "f64": 64, "i20": 20}
    sums = ["%n"]
    for i, (type_, at) in enumerate(zip(TYPES, OFFSETS, strict=True)):
        for k in range(2):
            width = min(sizes.get(type_, 64), 64) if k == 0 else 32
            if k and type_ in sizes:
                continue
            reads += f"""
  %q{i}{k} = llvm.getelementptr %list[{at + 4 * k}] : (!llvm.ptr) -> !llvm.ptr, i8
  %w{i}{k} = llvm.load %q{i}{k} {{alignment = 1 : i64}} : !llvm.ptr -> i{32 if type_[0] == "!" else width}
  %x{i}{k} = {"llvm.mlir.constant(0 : i64) : i64" if type_[0] != "!" and width == 64 else f"llvm.zext %w{i}{k} : i{32 if type_[0] == '!' else width} to i64"}
  %y{i}{k} = llvm.add %x{i}{k}, {f"%w{i}{k}" if type_[0] != "!" and width == 64 else "%zero"} : i64
  %t{i}{k} = llvm.mul {sums[-1]}, %factor : i64
  %s{i}{k} = llvm.add %t{i}{k}, %y{i}{k} : i64"""
            sums.append(f"%s{i}{k}")
    variadic = "vararg(!llvm.func<i64 (i64, ...)>)"
    return f"""
module attributes {{llvm.target_triple = "nvptx64-nvidia-cuda"}} {{
llvm.func @kernel(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %early: i1) attributes {{nvvm.kernel}} {{
{loads}  %n = llvm.mlir.constant(7 : i64) : i64
  %f = llvm.mlir.addressof @total : !llvm.ptr
  %g = llvm.mlir.addressof @count : !llvm.ptr
  %h = llvm.select %early, %f, %g : i1, !llvm.ptr
  %a = llvm.call @total(%n, {", ".join(names)}) {variadic} : (i64, {", ".join(TYPES)}) -> i64
  %b = llvm.call %h(%n, %v2) {variadic} : !llvm.ptr, (i64, i32) -> i64
  %c = llvm.call @count(%n) {variadic} : (i64) -> i64
  llvm.store %a, %out : i64, !llvm.ptr<1>
  %o1 = llvm.getelementptr %out[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %b, %o1 : i64, !llvm.ptr<1>
  %o2 = llvm.getelementptr %out[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  llvm.store %c, %o2 : i64, !llvm.ptr<1>
  llvm.return
}}
llvm.func @count(%n: i64, ...) -> i64 attributes {{no_inline}} {{
  llvm.return %n : i64
}}
llvm.func @total(%n: i64, ...) -> i64 attributes {{no_inline}} {{
  %one = llvm.mlir.constant(1 : i32) : i32
  %zero = llvm.mlir.constant(0 : i64) : i64
  %factor = llvm.mlir.constant(31 : i64) : i64
  %first = llvm.alloca %one x {PTR} : (i32) -> {PTR}
  %second = llvm.alloca %one x {PTR} : (i32) -> {PTR}
  llvm.intr.vastart %first : {PTR}
  llvm.intr.vacopy %first to %second : {PTR}, {PTR}
  llvm.intr.vaend %first : {PTR}
  %list = llvm.load %second : {PTR} -> {PTR}{reads}
  llvm.intr.vaend %second : {PTR}
  llvm.return {sums[-1]} : i64
}}
}}
"""


def computed(ptx: Module) -> list[int]:
    data = np.arange(1, 16 * len(TYPES) + 1, dtype=np.uint8)
    out = np.zeros(3, np.uint64)
    run(ptx, "kernel", 1, 1, [data, out, 0])
    return out.tolist()


def with_functions(ptx: Module, other: Module) -> Module:
    """A module with another's device functions."""
    theirs = {i.name: i for i in other.items if isinstance(i, Function) and not i.kernel and i.body is not None}
    items = [theirs.get(i.name, i) if isinstance(i, Function) and i.body is not None else i for i in ptx.items]
    return replace(ptx, items=items)


def test_arguments_without_names() -> None:
    text = module()
    ours, theirs = compile_module(text, "sm_90"), parse(llvm_ptx(text, "sm_90", "86", level=1))
    wanted = computed(theirs)
    assert len({*wanted}) > 1
    assert computed(ours) == wanted
    assert computed(with_functions(ours, theirs)) == computed(with_functions(theirs, ours)) == wanted


def test_a_declaration_takes_the_pointer() -> None:
    text = compile_module(
        """llvm.func @f(i32, ...) -> i32
        llvm.func @g(%a: i32) -> i32 {
          %b = llvm.call @f(%a) vararg(!llvm.func<i32 (i32, ...)>) : (i32) -> i32
          llvm.return %b : i32
        }""",
        "sm_80",
    ).to_ptx()
    assert ".param .b64 f_param_1" in text


def test_a_list_where_there_is_none() -> None:
    with pytest.raises(CompileError, match="is not variadic"):
        compile_module("llvm.func @f(%p: !llvm.ptr) { llvm.intr.vastart %p : !llvm.ptr llvm.return }", "sm_80")
