"""The `llvm` dialect as compilers write it: metadata, aggregates by value, pointers of all spaces, libdevice."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

import weft
from tests.codegen.oracle import tool
from tests.codegen.support import compiled
from weft import transforms
from weft.codegen.nvvm.intrinsics_rules import rule_of
from weft.errors import CompileError
from weft.isa.opcode import decode


def output(
    text: str, words: np.ndarray | None = None, *, threads: int = 1, extra: tuple[object, ...] = ()
) -> np.ndarray:
    """Run the only kernel of a module, which takes an array to read and one to write, each of 64 words."""
    module = compiled(text, "sm_90")
    (kernel,) = module.kernels
    given = np.arange(64, dtype=np.uint32) if words is None else words
    out = np.zeros(64, np.uint32)
    weft.run(module, kernel.name, grid=(1,), block=(threads,), args=[*extra, given, out])
    return out


METADATA = """
#tbaa_root = #llvm.tbaa_root<id = "C">
#tbaa_type_desc = #llvm.tbaa_type_desc<id = "char", members = {<#tbaa_root, 0>}>
#tbaa_type_desc1 = #llvm.tbaa_type_desc<id = "s", members = {<#tbaa_type_desc, 0>, <#tbaa_type_desc, 8>}>
#tbaa_tag = #llvm.tbaa_tag<base_type = #tbaa_type_desc1, access_type = #tbaa_type_desc, offset = 8, constant = true>
#loop_unroll = #llvm.loop_unroll<disable = true, count = 4 : i32>
#loop_annotation = #llvm.loop_annotation<unroll = #loop_unroll, mustProgress = true>
module attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>, "dlti.endianness" = "little">} {
  llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>]
  llvm.func internal fastcc @"f.1"(%a: !llvm.ptr {llvm.byval = !llvm.struct<packed (i8, i32)>, llvm.noundef}) -> (i32 {llvm.noundef}) attributes {memory_effects = #llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>, no_unwind, target_features = #llvm.target_features<["+ptx88"]>} {
    %p = llvm.getelementptr inbounds|nuw %a[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<packed (i8, i32)>
    %v = llvm.load %p {alignment = 1 : i64, tbaa = [#tbaa_tag]} : !llvm.ptr -> i32
    llvm.return %v : i32
  }
  llvm.func local_unnamed_addr ptx_kernelcc @k(%in: !llvm.ptr {llvm.noundef}, %out: !llvm.ptr {llvm.noundef}) {
    %c = llvm.mlir.constant(true) : i1
    %n = llvm.mlir.constant(16 : i64) : i64
    %from = llvm.getelementptr inbounds %in[3] : (!llvm.ptr) -> !llvm.ptr, i8
    llvm.intr.assume %c ["align"(%in, %n : !llvm.ptr, i64)] : i1
    llvm.cond_br %c weights([2000, 1]), ^bb1, ^bb2 {loop_annotation = #loop_annotation}
  ^bb1:
    %v = llvm.call fastcc tail @"f.1"(%from) {no_unwind} : (!llvm.ptr {llvm.byval = !llvm.struct<packed (i8, i32)>, llvm.noundef}) -> (i32 {llvm.noundef})
    llvm.store %v, %out {alignment = 4 : i64} : i32, !llvm.ptr
    %empty = llvm.inline_asm has_side_effects tail_call_kind = <tail> asm_dialect = att "membar.cta;", "~{memory}"  : () -> !llvm.void
    llvm.br ^bb2
  ^bb2:
    llvm.return
  }
}
"""


def test_metadata_is_printed_as_mlir_opt_prints_it() -> None:
    theirs = subprocess.run([tool("mlir-opt")], input=METADATA, capture_output=True, check=True, text=True).stdout
    lines = [[" ".join(line.split()) for line in text.splitlines()] for text in (transforms.run(METADATA, ""), theirs)]
    assert [line for line in lines[0] if line] == [line for line in lines[1] if line]


def test_packed_bytes_by_value() -> None:
    assert output(METADATA)[0] == 1  # The four bytes from byte 4 on, which are not aligned in the struct.


def test_a_written_parameter_of_a_kernel_is_a_copy() -> None:
    text = """
    llvm.func ptx_kernelcc @k(%s: !llvm.ptr {llvm.byval = !llvm.struct<(i32, i32)>}, %in: !llvm.ptr, %out: !llvm.ptr) {
      %seven = llvm.mlir.constant(7 : i32) : i32
      %p = llvm.getelementptr %s[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
      llvm.store %seven, %p : i32, !llvm.ptr
      %v = llvm.load %s : !llvm.ptr -> i64
      llvm.store %v, %out : i64, !llvm.ptr
      llvm.return
    }"""
    assert output(text, extra=((np.int32(3), np.int32(4)),)).tolist()[:2] == [3, 7]


def test_a_constant_parameter_of_a_kernel_stays_where_it_is() -> None:
    """A tensor map must be in parameter space, and inline PTX sees its generic address."""
    text = """
    llvm.func @k(%m: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant},
                 %in: !llvm.ptr, %out: !llvm.ptr) attributes {nvvm.kernel} {
      %v = llvm.inline_asm "ld.b32 $0, [$1+4];", "=r,l" %m : (!llvm.ptr) -> i32
      llvm.store %v, %out : i32, !llvm.ptr
      llvm.return
    }"""
    assert output(text, extra=(np.arange(32, dtype=np.uint32),))[0] == 1
    assert ".local" not in weft.compile(text, target="sm_90").to_ptx()


def test_pointers_into_several_spaces_meet() -> None:
    """A list through local and global memory, as an argument of a block and of a loop, and by selection."""
    text = """
    llvm.func ptx_kernelcc @k(%in: !llvm.ptr, %out: !llvm.ptr) {
      %one = llvm.mlir.constant(1 : i32) : i32
      %null = llvm.mlir.zero : !llvm.ptr
      %n = llvm.alloca %one x !llvm.array<2 x struct<(ptr, ptr)>> : (i32) -> !llvm.ptr
      %second = llvm.getelementptr %n[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x struct<(ptr, ptr)>>
      %p0 = llvm.getelementptr %n[0, 0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x struct<(ptr, ptr)>>
      %p1 = llvm.getelementptr %n[0, 1, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x struct<(ptr, ptr)>>
      %five = llvm.getelementptr %in[5] : (!llvm.ptr) -> !llvm.ptr, i32
      %mine = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
      llvm.store %one, %mine : i32, !llvm.ptr
      %first = llvm.load %in : !llvm.ptr -> i32
      %test = llvm.icmp "eq" %first, %one : i32
      %chosen = llvm.select %test, %five, %mine : i1, !llvm.ptr
      llvm.store %chosen, %n : !llvm.ptr, !llvm.ptr
      llvm.store %five, %second : !llvm.ptr, !llvm.ptr
      llvm.store %second, %p0 : !llvm.ptr, !llvm.ptr
      llvm.store %null, %p1 : !llvm.ptr, !llvm.ptr
      %zero = llvm.mlir.constant(0 : i32) : i32
      llvm.br ^bb1(%n, %zero : !llvm.ptr, i32)
    ^bb1(%at: !llvm.ptr, %sum: i32):
      %held = llvm.load %at : !llvm.ptr -> !llvm.ptr
      %v = llvm.load %held : !llvm.ptr -> i32
      %more = llvm.add %sum, %v : i32
      %link = llvm.getelementptr %at[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(ptr, ptr)>
      %following = llvm.load %link : !llvm.ptr -> !llvm.ptr
      %end = llvm.icmp "eq" %following, %null : !llvm.ptr
      llvm.cond_br %end, ^bb2, ^bb1(%following, %more : !llvm.ptr, i32)
    ^bb2:
      llvm.store %more, %out : i32, !llvm.ptr
      llvm.return
    }"""
    assert output(text)[0] == 6


def test_a_carried_pointer_leaves_its_space() -> None:
    text = """
    llvm.func ptx_kernelcc @k(%in: !llvm.ptr, %out: !llvm.ptr) {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %three = arith.constant 3 : index
      %c = llvm.mlir.constant(1 : i32) : i32
      %mine = llvm.alloca %c x i32 : (i32) -> !llvm.ptr
      %nine = llvm.mlir.constant(9 : i32) : i32
      llvm.store %nine, %mine : i32, !llvm.ptr
      %last:2 = scf.for %i = %zero to %three step %one iter_args(%p = %mine, %sum = %c) -> (!llvm.ptr, i32) {
        %v = llvm.load %p : !llvm.ptr -> i32
        %next = llvm.add %sum, %v : i32
        %other = llvm.getelementptr %in[2] : (!llvm.ptr) -> !llvm.ptr, i32
        scf.yield %other, %next : !llvm.ptr, i32
      }
      llvm.store %last#1, %out : i32, !llvm.ptr
      llvm.return
    }"""
    assert output(text)[0] == 1 + 9 + 2 + 2


def test_libdevice_where_the_module_declares_it() -> None:
    text = """
    llvm.func @__nv_fmaf(f32, f32, f32) -> f32
    llvm.func @__nv_sqrt(%x: f64) -> f64 { llvm.return %x : f64 }
    llvm.func @__nv_fabsf(f32) -> f32
    llvm.func ptx_kernelcc @k(%in: !llvm.ptr, %out: !llvm.ptr) {
      %x = llvm.mlir.constant(-3.0 : f32) : f32
      %y = llvm.mlir.constant(4.0 : f64) : f64
      %a = llvm.call @__nv_fmaf(%x, %x, %x) : (f32, f32, f32) -> f32
      %b = llvm.call @__nv_fabsf(%x) : (f32) -> f32
      %s = llvm.fadd %a, %b : f32
      %d = llvm.call @__nv_sqrt(%y) : (f64) -> f64
      %t = llvm.fptrunc %d : f64 to f32
      %u = llvm.fadd %s, %t : f32
      llvm.store %u, %out : f32, !llvm.ptr
      llvm.return
    }"""
    assert output(text).view(np.float32)[0] == 6 + 3 + 4  # The body of __nv_sqrt is the module's own.


def test_elements_in_one_register_of_inline_ptx() -> None:
    text = """
    llvm.func ptx_kernelcc @k(%in: !llvm.ptr, %out: !llvm.ptr) {
      %v = llvm.load %in : !llvm.ptr -> vector<2xi8>
      %w = llvm.inline_asm asm_dialect = att operand_attrs = [] "add.u16 $0, $1, 0x0302;", "=h,h" %v : (vector<2xi8>) -> vector<2xi8>
      llvm.store %w, %out : vector<2xi8>, !llvm.ptr
      llvm.return
    }"""
    assert output(text, np.full(64, 0x0405, np.uint32))[0] == 0x0707


@pytest.mark.parametrize(
    ("name", "opcode"),
    [
        ("add.rz.ftz.f", "add.rz.ftz.f32"), ("fma.rm.d", "fma.rm.f64"), ("fmax.ftz.nan.f16x2", "max.ftz.NaN.f16x2"),
        ("mulhi.ull", "mul.hi.u64"), ("d2ui.rp", "cvt.rpi.u32.f64"), ("ll2f.rz", "cvt.rz.f32.s64"),
        ("f2i.rn.ftz", "cvt.rni.ftz.s32.f32"), ("ceil.ftz.f", "cvt.rpi.ftz.f32.f32"), ("saturate.d", "cvt.sat.f64.f64"),
        ("sqrt.approx.ftz.f", "sqrt.approx.ftz.f32"), ("ff2bf16x2.rn.relu", "cvt.rn.relu.bf16x2.f32"),
        ("barrier.cluster.arrive.relaxed.aligned", "barrier.cluster.arrive.relaxed.aligned"),
    ],
)  # fmt: skip
def test_opcodes_of_intrinsics(name: str, opcode: str) -> None:
    known = rule_of(name)
    assert known is not None
    rule, found = known
    assert str(rule.opcode(found)) == opcode
    assert decode(opcode).problem is None


def test_an_unknown_intrinsic_is_named() -> None:
    text = 'llvm.func ptx_kernelcc @k() { llvm.call_intrinsic "llvm.nvvm.no.such"() : () -> ()\n llvm.return }'
    with pytest.raises(CompileError, match="llvm.nvvm.no.such"):
        weft.compile(text, target="sm_90")
