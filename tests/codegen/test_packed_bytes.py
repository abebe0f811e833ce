"""Bytes and bits of packed numbers: loaded, moved, masked and stored in as few instructions as they need."""

from __future__ import annotations

import numpy as np
import pytest

import weft

MOVED = """gpu.module @m { gpu.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<8 x i8>
  %q = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %a = llvm.load %p {alignment = 2 : i64} : !llvm.ptr<1> -> vector<2xi8>
  %b = llvm.load %q {alignment = 2 : i64} : !llvm.ptr<1> -> vector<2xi8>
  %v = llvm.shufflevector %a, %b ORDER : vector<2xi8>
  %w = llvm.bitcast %v : vector<4xi8> to i32
  %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %w, %o : i32, !llvm.ptr<1>
  gpu.return } }"""


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [2, 3, 0, 1], [3, 0, 2, 1], [1, 1, 3, 3]])
def test_pairs_of_bytes_that_are_moved_are_loaded_as_numbers(order: list[int]) -> None:
    ptx = weft.compile(MOVED.replace("ORDER", str(order)), "sm_80").to_ptx()
    assert ptx.count("ld.global.u16") == 2
    assert ptx.count("prmt") == 1
    data = np.random.default_rng(1).integers(0, 256, (32, 8), np.uint8)
    out = np.zeros(32, np.uint32)
    weft.run(weft.parse(ptx), "k", grid=1, block=32, args=[data, out])
    expected = np.ascontiguousarray(data[:, [0, 1, 4, 5]][:, order]).view(np.uint32)[:, 0]
    assert out.tolist() == expected.tolist()


FIELDS = """gpu.module @m { gpu.func @k(%in: memref<32xi32>, %out: memref<32xi32>) kernel {
  %t = gpu.thread_id x
  %x = memref.load %in[%t] : memref<32xi32>
  %by = arith.constant BY : i32
  %mask = arith.constant MASK : i32
  %less = arith.constant -8 : i32
  %s = arith.shrui %x, %by : i32
  %f = arith.andi %s, %mask : i32
  %r = arith.addi %f, %less : i32
  MORE
  memref.store %v, %out[%t] : memref<32xi32>
  gpu.return } }"""


@pytest.mark.parametrize(("by", "mask"), [(4, 15), (28, 15), (31, 1), (1, 0x7FFFFFFE), (7, 0x0F0F0F)])
@pytest.mark.parametrize("again", [False, True])
def test_a_field_that_a_sum_takes_is_masked_first(by: int, mask: int, *, again: bool) -> None:
    more = "%v = arith.muli %r, %f : i32" if again else "%v = arith.muli %r, %r : i32"
    text = FIELDS.replace("BY", str(by)).replace("MASK", str(mask)).replace("MORE", more)
    ptx = weft.compile(text, "sm_80", bare_pointers=True).to_ptx()
    if (by, mask) == (4, 15):
        assert ("and.b32" in ptx and ptx.index("and.b32") < ptx.index("shr.u32")) is not again
    data = np.random.default_rng(2).integers(0, 1 << 32, 32, np.uint32)
    out = np.zeros(32, np.uint32)
    weft.run(weft.parse(ptx), "k", grid=1, block=32, args=[data, out])
    field = data >> np.uint32(by) & np.uint32(mask)
    less = field - np.uint32(8)
    assert out.tolist() == (less * (field if again else less)).tolist()


BYTE = """gpu.module @m { gpu.func @k(%out: !llvm.ptr<1>, %x: i32) kernel {
  %c = llvm.mlir.constant(3 : i32) : i32
  %y = llvm.mul %x, %c : i32
  %b = llvm.trunc %y : i32 to i8
  llvm.inline_asm has_side_effects asm_dialect = att "TEXT", "c,l" %b, %out : (i8, !llvm.ptr<1>) -> ()
  gpu.return } }"""


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("st.global.b8 [$1], $0;", False),
        ("st.global.b16 [$1], $0;", True),
        ("st.global.b8 [$1], $0; st.global.b16 [$1+2], $0;", True),
    ],
)
def test_only_the_byte_is_exact_that_inline_ptx_stores(text: str, *, masked: bool) -> None:
    ptx = weft.compile(BYTE.replace("TEXT", text), "sm_80").to_ptx()
    assert ("and.b32" in ptx) is masked
    out = np.zeros(4, np.uint8)
    weft.run(weft.parse(ptx), "k", grid=1, block=1, args=[out, 200])
    assert out[0] == 600 % 256
    assert out[1:].tolist() == [0, 600 % 256 if "b16" in text and "b8" in text else 0, 0]


BITS = """gpu.module @m { gpu.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<2 x i32>
  %q = llvm.getelementptr %p[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
  %a = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> TYPE
  %b = llvm.load %q {alignment = 4 : i64} : !llvm.ptr<1> -> TYPE
  %r = OPERATION %a, %b : TYPE
  %o = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %r, %o : TYPE, !llvm.ptr<1>
  gpu.return } }"""


@pytest.mark.parametrize("type_", ["vector<4xi8>", "vector<2xi16>", "vector<8xi4>"])
def test_operations_on_bits_are_of_whole_registers(type_: str) -> None:
    data = np.random.default_rng(3).integers(0, 1 << 32, (32, 2), np.uint32)
    for operation in ("arith.andi", "arith.ori", "arith.xori", "llvm.or"):
        ptx = weft.compile(BITS.replace("TYPE", type_).replace("OPERATION", operation), "sm_80").to_ptx()
        name = operation.partition(".")[2].rstrip("i")
        assert ptx.count(f"{name}.b32") == 1
        assert not {"prmt", "shr", "shl"} & set(ptx.replace(".", " ").split())
        out = np.zeros(32, np.uint32)
        weft.run(weft.parse(ptx), "k", grid=1, block=32, args=[data, out])
        numpy_name = {"and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor"}[name]
        assert out.tolist() == getattr(np, numpy_name)(data[:, 0], data[:, 1]).tolist()
