"""Kernels that were once compiled wrongly, found by comparing with other compilers, each named for what was wrong."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.codegen.breadth import differences
from tests.codegen.breadth_cases import Case
from tests.codegen.support import compiled, elementwise, launch
from weft.sim import run

ODD = ("i3", "i12", "i24", "i33", "i48", "i63")


def odd_cases() -> list[Case]:
    """Operations that have to know how wide an integer is, for widths that no register has."""
    cases: list[Case] = []
    for i in ODD:
        for f in ("f16", "bf16", "f32", "f64"):
            cases += [Case(f"%r = arith.{op} %a : {i} to {f}", (i,), (f,)) for op in ("sitofp", "uitofp")]
        for op in ("ctlz", "cttz", "ctpop"):
            cases.append(Case(f"%r = math.{op} %a : {i}", (i,), (i,)))
        for op in ("sadd", "uadd", "ssub", "usub"):
            cases.append(Case(f"%r = llvm.intr.{op}.sat(%a, %b) : ({i}, {i}) -> {i}", (i, i), (i,)))
        for op in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
            pair = f"!llvm.struct<({i}, i1)>"
            text = f"""%x = "llvm.intr.{op}.with.overflow"(%a, %b) : ({i}, {i}) -> {pair}
              %r = llvm.extractvalue %x[0] : {pair}
              %s = llvm.extractvalue %x[1] : {pair}"""
            cases.append(Case(text, (i, i), (i, "i1")))
        for op in ("fshl", "fshr"):  # What is beyond the width of `a + a` must not come back.
            text = f"""%c = arith.constant 0 : {i}
              %x = arith.muli %a, %a : {i}
              %r = llvm.intr.{op}(%c, %x, %c) : ({i}, {i}, {i}) -> {i}
              %s = llvm.intr.{op}(%b, %x, %b) : ({i}, {i}, {i}) -> {i}"""
            cases.append(Case(text, (i, i), (i, i)))
    return cases


@pytest.mark.parametrize("part", [pytest.param(part, marks=pytest.mark.slow if part else ()) for part in range(3)])
def test_integers_of_odd_widths(part: int) -> None:
    """Signs of i33 to i63 as floats, trailing zeros of 0, products that wrap, what is shifted in from below."""
    assert not differences(odd_cases()[part::3], "sm_90")


@pytest.mark.parametrize("op", ["index_cast", "index_castui"])
def test_an_index_as_128_bits(op: str) -> None:
    text = f"""%x = arith.index_cast %a : i64 to index
      %y = arith.{op} %x : index to i128
      %h = arith.constant 64 : i128
      %z = arith.shrui %y, %h : i128
      %w = arith.{op} %z : i128 to index
      %r = arith.index_cast %w : index to i64"""
    values = np.array([5, -5, 2**62, -(2**63)], np.int64)
    want = np.where((values < 0) & (op == "index_cast"), -1, 0)
    assert elementwise(text, values, result=np.int64).tolist() == want.tolist()


@pytest.mark.parametrize("target", ["sm_80", "sm_90"])
def test_integers_as_bf16_are_rounded_once(target: str) -> None:
    """Through f32, what is just above the middle of two bf16 becomes the middle, and then the even one of them."""
    values = np.array([2**25 + 2**17 + 1, 2**25 + 2**17, -(2**25) - 2**17 - 1, 7, 2**31 - 1, 3 * 2**24 + 2**16 + 1],
                      np.int32)  # fmt: skip
    wide = np.array([(2**25 + 2**17 << 20) + 1, 2**62 + 2**54 + 1, -(2**62) - 2**54 - 1, 12345], np.int64)
    for given, type_ in ((values, "i32"), (wide, "i64")):
        for op in ("sitofp", "uitofp"):
            found = elementwise(
                f"%r = arith.{op} %a : {type_} to bf16", given, result=ml_dtypes.bfloat16, target=target
            )
            for value, got in zip(given.tolist(), found, strict=True):
                exact = Fraction(value % (1 << given.itemsize * 8) if op == "uitofp" else value)
                near = [
                    got,
                    *np.frombuffer((got.view(np.uint16) + np.array([1, -1])).astype(np.uint16).tobytes(), got.dtype),
                ]
                assert all(abs(Fraction(float(got)) - exact) <= abs(Fraction(float(n)) - exact) for n in near), value


def kernel(body: str, target: str = "sm_80") -> Any:
    return compiled(
        f"""gpu.module @m {{ gpu.func @k(%in: memref<32xi64>, %out: memref<32xi64>) kernel {{
          %i = gpu.thread_id x
          %a = memref.load %in[%i] : memref<32xi64>
          {body}
          memref.store %r, %out[%i] : memref<32xi64>
          gpu.return }} }}""",
        target,
    )


def test_a_small_index_after_a_branch_with_effects() -> None:
    """An i64 that fits 32 bits on both sides was widened before the branch that writes its low half."""
    body = """%c3 = arith.constant 3 : i64
      %c7 = arith.constant 7 : i64
      %t = arith.cmpi slt, %a, %c3 : i64
      %b = memref.alloca() : memref<4xi64>
      %z = arith.andi %a, %c3 : i64
      %j = arith.index_cast %z : i64 to index
      %r = scf.if %t -> (i64) {
        memref.store %a, %b[%j] : memref<4xi64>
        %x = arith.andi %a, %c7 : i64
        scf.yield %x : i64
      } else {
        memref.store %c3, %b[%j] : memref<4xi64>
        %m = arith.constant -9 : i64
        scf.yield %m : i64
      }"""
    values, out = np.arange(-16, 16).astype(np.int64), np.zeros(32, np.int64)
    launch(kernel(body), "k", 1, 32, [values, out])
    assert out.tolist() == np.where(values < 3, values & 7, -9).tolist()


def test_who_is_a_kernel() -> None:
    """`gpu.kernel` means nothing on an `llvm.func` or a `func.func`, whether it has a result or not."""
    module = compiled(
        """gpu.module @m {
          llvm.func @f(%a: i32) -> i32 attributes {gpu.kernel} { llvm.return %a : i32 }
          llvm.func @g(%a: i32) attributes {gpu.kernel} { llvm.return }
          llvm.func @h(%a: i32) attributes {gpu.kernel, nvvm.kernel} { llvm.return }
          llvm.func ptx_kernelcc @i(%a: i32) { llvm.return }
          llvm.func spir_kernelcc @j(%a: i32) { llvm.return }
          func.func @k(%a: i32) attributes {gpu.kernel} { return }
          gpu.func @l(%a: i32) kernel { gpu.return }
          gpu.func @n(%a: i32) { gpu.return }
        }""",
        "sm_80",
    )
    assert [function.name for function in module.kernels] == ["h", "i", "l"]


def test_a_small_negative_number_as_an_unsigned_one() -> None:
    """What is known to fit 32 bits with a sign was converted with the sign, whatever the conversion."""
    values = np.array([-5, 5, -(2**62), 2**62 + 1], np.int64)
    shift = "%c = arith.constant 43 : i64\n%s = arith.shrsi %a, %c : i64\n"
    for type_, dtype in (("f64", np.float64), ("f32", np.float32)):
        found = elementwise(f"{shift}%r = arith.uitofp %s : i64 to {type_}", values, result=dtype)
        assert found.tolist() == (values >> 43).view(np.uint64).astype(dtype).tolist()


@pytest.mark.parametrize("threads", [1, 6, 31, 33])
def test_a_reduction_in_a_part_of_a_warp(threads: int) -> None:
    """Lanes that do not exist were read, which is undefined, before what came of it was dropped."""
    module = compiled(
        f"""gpu.module @m {{ gpu.func @k(%in: memref<{threads}xi64>, %out: memref<{threads}xi64>) kernel {{
          %i = gpu.thread_id x
          %a = memref.load %in[%i] : memref<{threads}xi64>
          %r = gpu.all_reduce maxsi %a uniform {{}} : (i64) -> (i64)
          memref.store %r, %out[%i] : memref<{threads}xi64>
          gpu.return }} }}"""
    )
    values, out = -(np.arange(threads, dtype=np.int64) * 37 % 41) - 5, np.zeros(threads, np.int64)
    launch(module, "k", 1, threads, [values, out])
    assert out.tolist() == [values.max()] * threads


@pytest.mark.sample(2)
@pytest.mark.parametrize("width", [17, 24, 40, 48, 56])
def test_a_store_writes_the_bytes_of_its_integer_alone(width: int) -> None:
    """Those of an i24 are three: the fourth of its place was written too, and read past the end of memory."""
    size = width + 7 >> 3
    module = compiled(
        f"""gpu.module @m {{ gpu.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {{
          %a = llvm.load %in : !llvm.ptr<1> -> i{width}
          %b = llvm.load %in {{alignment = 1 : i64}} : !llvm.ptr<1> -> i{width}
          %n = llvm.getelementptr %out[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
          llvm.store %a, %out : i{width}, !llvm.ptr<1>
          llvm.store %b, %n {{alignment = 1 : i64}} : i{width}, !llvm.ptr<1>
          gpu.return }} }}"""
    )
    values, out = np.arange(size, dtype=np.uint8), np.full(16, 0xFF, np.uint8)
    run(module, "k", 1, 1, [values, out])
    number = int.from_bytes(bytes(range(size)), "little") & (1 << width) - 1
    want = [*number.to_bytes(size, "little"), *[0xFF] * (8 - size)]
    assert out.tolist() == want * 2


def test_a_string_of_any_bytes() -> None:
    """`@s("\\F6\\0A")` was refused where its type was left out, and bytes of UTF-8 were counted as characters."""
    text = r"""
    llvm.mlir.global internal constant @s("a\F6\0A\00") {addr_space = 4 : i32}
    llvm.mlir.global internal constant @t("é\FF\80") {addr_space = 4 : i32} : !llvm.array<4 x i8>
    llvm.func @k(%out: !llvm.ptr) attributes {nvvm.kernel} {
      %s = llvm.mlir.addressof @s : !llvm.ptr<4>
      %t = llvm.mlir.addressof @t : !llvm.ptr<4>
      %a = llvm.load %s {alignment = 1 : i64} : !llvm.ptr<4> -> i32
      %b = llvm.load %t {alignment = 1 : i64} : !llvm.ptr<4> -> i32
      %c = llvm.mlir.constant("x\FE\00é") : !llvm.array<5 x i8>
      %v = llvm.extractvalue %c[4] : !llvm.array<5 x i8>
      %q = llvm.getelementptr %out[1] : (!llvm.ptr) -> !llvm.ptr, i32
      %r = llvm.getelementptr %out[2] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.store %a, %out : i32, !llvm.ptr
      llvm.store %b, %q : i32, !llvm.ptr
      llvm.store %v, %r : i8, !llvm.ptr
      llvm.return
    }"""
    out = np.zeros(3, np.uint32)
    run(compiled(text), "k", 1, 1, [out])
    assert [int(word) for word in out] == [0x000AF661, 0x80FFA9C3, 0xA9]


def test_a_packed_struct_as_a_result() -> None:
    """Functions that take or return one were refused."""
    struct = '!llvm.struct<"s", packed (i8, i32)>'
    text = f"""
    llvm.func internal @f(%a: {struct}) -> {struct} attributes {{no_inline}} {{
      %x = llvm.extractvalue %a[1] : {struct}
      %r = llvm.insertvalue %x, %a[1] : {struct}
      llvm.return %r : {struct}
    }}
    llvm.func @k(%out: !llvm.ptr) attributes {{nvvm.kernel}} {{
      %u = llvm.mlir.undef : {struct}
      %c = llvm.mlir.constant(77 : i32) : i32
      %b = llvm.mlir.constant(5 : i8) : i8
      %s = llvm.insertvalue %c, %u[1] : {struct}
      %t = llvm.insertvalue %b, %s[0] : {struct}
      %r = llvm.call @f(%t) : ({struct}) -> {struct}
      llvm.store %r, %out {{alignment = 1 : i64}} : {struct}, !llvm.ptr
      llvm.return
    }}"""
    out = np.zeros(5, np.uint8)
    run(compiled(text), "k", 1, 1, [out])
    assert out.tolist() == [5, 77, 0, 0, 0]


@pytest.mark.parametrize("flush", [0, 1])
def test_questions_of_libdevice(flush: int) -> None:
    """`__nvvm_reflect`, which LLVM answers while it compiles, was called."""
    text = f"""
    llvm.module_flags [#llvm.mlir.module_flag<override, "nvvm-reflect-ftz", {flush} : i32>]
    llvm.mlir.global private unnamed_addr constant @a("__CUDA_FTZ\\00")
    llvm.mlir.global private unnamed_addr constant @b("__CUDA_ARCH\\00")
    llvm.mlir.global private unnamed_addr constant @c("__CUDA_PREC_DIV\\00")
    llvm.func @__nvvm_reflect(!llvm.ptr) -> i32
    llvm.func @k(%out: !llvm.ptr) attributes {{nvvm.kernel}} {{
      %a = llvm.mlir.addressof @a : !llvm.ptr
      %b = llvm.mlir.addressof @b : !llvm.ptr
      %c = llvm.mlir.addressof @c : !llvm.ptr
      %x = llvm.call @__nvvm_reflect(%a) : (!llvm.ptr) -> i32
      %y = llvm.call @__nvvm_reflect(%b) : (!llvm.ptr) -> i32
      %z = llvm.call @__nvvm_reflect(%c) : (!llvm.ptr) -> i32
      %p = llvm.getelementptr %out[1] : (!llvm.ptr) -> !llvm.ptr, i32
      %q = llvm.getelementptr %out[2] : (!llvm.ptr) -> !llvm.ptr, i32
      llvm.store %x, %out : i32, !llvm.ptr
      llvm.store %y, %p : i32, !llvm.ptr
      llvm.store %z, %q : i32, !llvm.ptr
      llvm.return
    }}"""
    out = np.full(3, 9, np.uint32)
    run(compiled(text), "k", 1, 1, [out])
    assert out.tolist() == [flush, 800, 0]


def test_the_sign_of_a_nan_is_copied() -> None:
    """Operands of 16 bits were widened, which made the NaN positive."""
    text = """gpu.module @m { gpu.func @k(%out: memref<4xf16>, %a: memref<4xf16>) kernel {
      %t = gpu.thread_id x
      %x = memref.load %a[%t] : memref<4xf16>
      %c = arith.constant 100.0 : f16
      %v = math.copysign %c, %x : f16
      memref.store %v, %out[%t] : memref<4xf16>
      gpu.return } }"""
    out, given = np.zeros(4, np.float16), np.array([0xFE01, 0x7E01, 0x8000, 0], np.uint16).view(np.float16)
    run(weft.compile(text, "sm_80", bare_pointers=True), "k", 1, 4, [out, given])
    assert out.tolist() == [-100, 100, -100, 100]


@pytest.mark.parametrize(("count", "width"), [(3, 7), (5, 12), (3, 33), (4, 63), (9, 3)])
def test_vectors_of_odd_elements_lie_bit_beside_bit(count: int, width: int) -> None:
    """As LLVM's data layout has them; they were refused."""
    kind = f"vector<{count}xi{width}>"
    text = f"""llvm.func @k(%out: !llvm.ptr<1>, %in: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %v = llvm.load %in : !llvm.ptr<1> -> {kind}
      %at = llvm.mlir.constant(1 : i32) : i32
      %x = llvm.extractelement %v[%at : i32] : {kind}
      %w = llvm.zext %x : i{width} to i64
      %one = llvm.mlir.constant(1 : i{width}) : i{width}
      %n = llvm.add %x, %one : i{width}
      %changed = llvm.insertelement %n, %v[%at : i32] : {kind}
      %second = llvm.getelementptr %out[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store %w, %out : i64, !llvm.ptr<1>
      llvm.store %changed, %second : {kind}, !llvm.ptr<1>
      llvm.return
    }}"""
    elements = [(0x9E3779B97F4A7C15 * (i + 1)) % (1 << width) for i in range(count)]
    whole = sum(element << width * i for i, element in enumerate(elements))
    size = -(-count * width // 8)
    out, given = np.zeros(128, np.uint8), np.frombuffer(whole.to_bytes(64, "little"), np.uint8).copy()
    run(weft.compile(text, "sm_80"), "k", 1, 1, [out, given])
    assert int.from_bytes(out[:8].tobytes(), "little") == elements[1]
    elements[1] = (elements[1] + 1) % (1 << width)
    stored = int.from_bytes(out[64 : 64 + size].tobytes(), "little")
    assert stored == sum(element << width * i for i, element in enumerate(elements))


def test_memory_that_is_the_threads_own_has_no_order() -> None:
    """A volatile store to local memory asked for PTX 9.1, one to constant memory was refused."""
    text = """llvm.func @k(%c: !llvm.ptr<4>, %l: !llvm.ptr<5>) {
      %v = llvm.load volatile %c : !llvm.ptr<4> -> i32
      llvm.store volatile %v, %l : i32, !llvm.ptr<5>
      llvm.store %v, %l atomic monotonic {alignment = 4 : i64} : i32, !llvm.ptr<5>
      llvm.return
    }"""
    module = weft.compile(text, "sm_80")
    assert module.version == (7, 0)
    assert "volatile" not in module.to_ptx()


def test_the_operation_on_bits_means_nothing_to_other_numbers() -> None:
    """A product of s8 that named one was refused; upstream ignores it."""
    text = """llvm.func @k(%a: i32, %c: i32) -> !llvm.struct<(i32, i32, i32, i32)> {
      %r = "nvvm.mma.sync"(%a, %a, %a, %a, %a, %a, %c, %c, %c, %c) <{
        b1Op = #nvvm.mma_b1op<xor_popc>, intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>,
        layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>,
        multiplicandBPtxType = #nvvm.mma_type<s8>, operandSegmentSizes = array<i32: 4, 2, 4>,
        shape = #nvvm.shape<m = 16, n = 8, k = 32>}>
        : (i32, i32, i32, i32, i32, i32, i32, i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
      llvm.return %r : !llvm.struct<(i32, i32, i32, i32)>
    }"""
    assert "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32" in weft.compile(text, "sm_80").to_ptx()


@pytest.mark.sample(1)
@pytest.mark.parametrize(("wide", "type_"), [("i32", "i8"), ("i32", "i1"), ("i64", "i24"), ("i64", "i48")])
@pytest.mark.parametrize("dialect", ["cf", "llvm"])
def test_a_switch_reads_no_more_than_its_number(dialect: str, wide: str, type_: str) -> None:
    """A number cut to fewer bits than its register has was compared with all that the register holds."""
    cases = "0: ^a" if type_ == "i1" else "0: ^a, 5: ^b, -2: ^b"
    text = f"""llvm.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %x = llvm.load %p : !llvm.ptr<1> -> {wide}
      %n = llvm.trunc %x : {wide} to {type_}
      %one = llvm.mlir.constant(1 : i32) : i32
      %two = llvm.mlir.constant(2 : i32) : i32
      %three = llvm.mlir.constant(3 : i32) : i32
      {dialect}.switch %n : {type_}, [default: ^c, {cases}]
      ^a: llvm.br ^d(%one : i32)
      ^b: llvm.br ^d(%two : i32)
      ^c: llvm.br ^d(%three : i32)
      ^d(%r: i32):
      llvm.store %r, %q : i32, !llvm.ptr<1>
      llvm.return
    }}"""
    if dialect == "llvm":
        text = text.replace("default: ^c, ", "").replace(f": {type_}, [", f": {type_}, ^c [")
    width = int(type_[1:])
    for number, expected in ((0, 1), (5, 2), (-2, 2), (7, 3)):
        for above in (0, 1, -1):
            value = above << width | number & (1 << width) - 1
            data = np.frombuffer((value & (1 << 128) - 1).to_bytes(16, "little"), np.uint8)
            out = np.zeros(1, np.int32)
            run(weft.compile(text, "sm_80"), "k", 1, 1, [data, out])
            assert out[0] == ((1 if number % 2 == 0 else 3) if type_ == "i1" else expected)


@pytest.mark.sample(4)
@pytest.mark.parametrize("axes", [(1, 0), (2, None, 0), (2, 0, 1), (None, 2), (0, 1)])
@pytest.mark.parametrize("write", [False, True])
def test_the_mask_of_a_transfer_has_the_dimensions_of_memory(axes: tuple[int | None, ...], write: bool) -> None:
    """Its tests were taken in the order of the vector's elements, also where the vector is transposed or repeats some."""
    if write and None in axes:
        return
    sizes, repeated = (2, 3, 4), 2
    used = sorted(axis for axis in axes if axis is not None)
    shape = [repeated if axis is None else sizes[axis] for axis in axes]
    bits = np.random.default_rng(3).integers(0, 2, [sizes[axis] for axis in used])
    mask, vector = "x".join(str(sizes[axis]) for axis in used), "x".join(map(str, shape))
    results = ", ".join("0" if axis is None else f"d{axis}" for axis in axes)
    attributes = f"{{in_bounds = [{', '.join(['true'] * len(axes))}], permutation_map = affine_map<(d0, d1, d2) -> ({results})>}}"
    memory, other = "memref<2x3x4xi32>", f"memref<{vector}xi32>"
    places = ", ".join(["%z"] * len(axes))
    inner = f"""%v = vector.transfer_read %a[%z, %z, %z], %n, %m {attributes} : {memory}, vector<{vector}xi32>
      vector.store %v, %b[{places}] : {other}, vector<{vector}xi32>"""
    if write:
        inner = f"""%v = vector.load %b[{places}] : {other}, vector<{vector}xi32>
      vector.transfer_write %v, %a[%z, %z, %z], %m {attributes} : vector<{vector}xi32>, {memory}"""
    text = f"""gpu.module @m {{ gpu.func @k(%a: {memory}, %b: {other}) kernel {{
      %z = arith.constant 0 : index
      %n = arith.constant -1 : i32
      %m = arith.constant dense<{str(bits.astype(bool).tolist()).lower()}> : vector<{mask}xi1>
      {inner}
      gpu.return }} }}"""
    a, b = np.arange(24, dtype=np.int32).reshape(sizes), 100 + np.arange(np.prod(shape), dtype=np.int32).reshape(shape)
    before = a.copy()
    launch(compiled(text), "k", 1, 1, [a, b])
    for position in np.ndindex(*shape):
        at = {axis: place for axis, place in zip(axes, position, strict=True) if axis is not None}
        if write:
            here = tuple(at.get(axis, 0) for axis in range(3))
            assert a[here] == (b[position] if bits[tuple(at[axis] for axis in used)] else before[here])
        else:
            wanted = a[tuple(at.get(axis, 0) for axis in range(3))]
            assert b[position] == (wanted if bits[tuple(at[axis] for axis in used)] else -1)


@pytest.mark.sample(5)
@pytest.mark.parametrize("op", ["outerproduct", "contract"])
@pytest.mark.parametrize("kind", ["add", "mul", "maxsi", "minui", "and", "or", "xor"])
def test_products_are_combined_as_their_kind_says(op: str, kind: str) -> None:
    """Every kind of outer product was a sum; contractions of other kinds were refused."""
    x, y, z = np.array([3, -5], np.int32), np.array([7, 2, -1], np.int32), np.array([[1, 9, 6], [-3, 4, 5]], np.int32)
    how = f"%x, %y, %z {{kind = #vector.kind<{kind}>}} : vector<2xi32>, vector<3xi32>"
    if op == "contract":
        maps = ", ".join(f"affine_map<(i, j, k) -> ({d})>" for d in ("i, k", "j, k", "i, j"))
        how = f"""{{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<{kind}>}} %p, %q, %z : vector<2x1xi32>, vector<3x1xi32> into vector<2x3xi32>"""
    text = f"""gpu.module @m {{ gpu.func @k(%a: memref<2xi32>, %b: memref<3xi32>, %c: memref<2x3xi32>) kernel {{
      %o = arith.constant 0 : index
      %x = vector.load %a[%o] : memref<2xi32>, vector<2xi32>
      %y = vector.load %b[%o] : memref<3xi32>, vector<3xi32>
      %z = vector.load %c[%o, %o] : memref<2x3xi32>, vector<2x3xi32>
      %p = vector.shape_cast %x : vector<2xi32> to vector<2x1xi32>
      %q = vector.shape_cast %y : vector<3xi32> to vector<3x1xi32>
      %r = vector.{op} {how}
      vector.store %r, %c[%o, %o] : memref<2x3xi32>, vector<2x3xi32>
      gpu.return }} }}"""
    ways = {"add": np.add, "mul": np.multiply, "maxsi": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
            "minui": lambda a, b: np.minimum(a.view(np.uint32), b.view(np.uint32)).view(np.int32)}  # fmt: skip
    wanted = ways[kind](z, np.outer(x, y).astype(np.int32))
    launch(compiled(text), "k", 1, 1, [x, y, z])
    assert (z == wanted).all()


@pytest.mark.parametrize("op", ["casts", "castu"])
def test_index_casts_of_128_bits(op: str) -> None:
    text = f"""%x = arith.index_cast %a : i64 to index
      %y = index.{op} %x : index to i128
      %h = arith.constant 64 : i128
      %z = arith.shrui %y, %h : i128
      %w = index.{op} %z : i128 to index
      %r = arith.index_cast %w : index to i64"""
    values = np.array([5, -5], np.int64)
    assert (elementwise(text, values, result=np.int64) == [0, -1 if op == "casts" else 0]).all()


@pytest.mark.parametrize("width", [65, 80, 128])
def test_a_switch_on_a_wide_integer(width: int) -> None:
    """It was an internal error; numbers that differ in their upper half alone are different ones."""
    high = 1 << width - 2
    text = f"""llvm.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %x = llvm.load %p : !llvm.ptr<1> -> i128
      %n = {f"llvm.trunc %x : i128 to i{width}" if width < 128 else "llvm.or %x, %x : i128"}
      %one = llvm.mlir.constant(1 : i32) : i32
      %two = llvm.mlir.constant(2 : i32) : i32
      %three = llvm.mlir.constant(3 : i32) : i32
      cf.switch %n : i{width}, [default: ^d(%three : i32), 5: ^d(%one : i32), {5 + high}: ^d(%two : i32), -1: ^d(%one : i32)]
      ^d(%r: i32):
      llvm.store %r, %q : i32, !llvm.ptr<1>
      llvm.return
    }}"""
    module = compiled(text)
    for value, expected in ((5, 1), (5 + high, 2), (-1, 1), (high, 3), (5 + (1 << 61), 3)):
        data = np.frombuffer((value & (1 << 128) - 1).to_bytes(16, "little"), np.uint8)
        out = np.zeros(1, np.int32)
        run(module, "k", 1, 1, [data, out])
        assert out[0] == expected, value


@pytest.mark.sample(1)
@pytest.mark.parametrize("width", [80, 128])
@pytest.mark.parametrize("numbers", [[1, -2, (1 << 75) + 3], [-(1 << 70)]])
def test_tables_of_wide_integers(width: int, numbers: list[int]) -> None:
    """`dense` of more than 64 bits was not read."""
    value = f"{numbers}" if len(numbers) > 1 else str(numbers[0])
    text = f"""gpu.module @m {{
      memref.global constant @t : memref<3xi{width}> = dense<{value}>
      gpu.func @k(%out: !llvm.ptr<1>, %i: index) kernel {{
        %m = memref.get_global @t : memref<3xi{width}>
        %v = memref.load %m[%i] : memref<3xi{width}>
        {f"%w = arith.extsi %v : i{width} to i128" if width < 128 else "%w = arith.ori %v, %v : i128"}
        llvm.store %w, %out : i128, !llvm.ptr<1>
        gpu.return }} }}"""
    for place, number in enumerate(numbers * (3 // len(numbers))):
        out = np.zeros(16, np.uint8)
        run(compiled(text), "k", 1, 1, [out, place])
        assert int.from_bytes(out.tobytes(), "little", signed=True) == number


@pytest.mark.parametrize("count", [2, 3, 8])
def test_elements_next_to_each_other_in_the_threads_own_memory(count: int) -> None:
    """Behind the first true bit of a mask, the pointer was no longer known to be one into local memory."""
    v, m = f"vector<{count}xi32>", f"vector<{count}xi1>"
    text = f"""gpu.module @m {{ gpu.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %bits: i32) kernel {{
  %one = arith.constant 1 : i32
  %place = llvm.alloca %one x !llvm.array<8 x i32> {{alignment = 16 : i64}} : (i32) -> !llvm.ptr
  %x = llvm.load %in {{alignment = 4 : i64}} : !llvm.ptr<1> -> {v}
  %all = vector.broadcast %bits : i32 to {v}
  %steps = llvm.intr.stepvector : {v}
  %shifted = arith.shrui %all, %steps : {v}
  %mask = arith.trunci %shifted : {v} to {m}
  "llvm.intr.masked.compressstore"(%x, %place, %mask) : ({v}, !llvm.ptr, {m}) -> ()
  %y = "llvm.intr.masked.expandload"(%place, %mask, %all) : (!llvm.ptr, {m}, {v}) -> {v}
  llvm.store %y, %out {{alignment = 4 : i64}} : {v}, !llvm.ptr<1>
  gpu.return }} }}"""
    module = weft.compile(text, "sm_90")
    for bits in range(1 << min(count, 4)):
        given, out = np.arange(100, 100 + count, dtype=np.int32), np.zeros(count, np.int32)
        run(module, "k", 1, 1, [given, out, bits])
        assert out.tolist() == [given[i] if bits >> i & 1 else bits for i in range(count)]


@pytest.mark.parametrize("first", ["one", "many"])
@pytest.mark.parametrize("type_", ["i8", "i32", "i64"])
def test_pointers_of_a_vector(type_: str, first: str) -> None:
    """`getelementptr` of one pointer by a vector of numbers, and of a vector of pointers by one number: refused once."""
    v, p = f"vector<4x{type_}>", "vector<4x!llvm.ptr<1>>"
    places = f"%p = llvm.getelementptr %in[%numbers, 1] : (!llvm.ptr<1>, {v}) -> {p}, !llvm.array<2 x i16>"
    if first == "many":
        places = f"""%q = llvm.getelementptr %in[%numbers] : (!llvm.ptr<1>, {v}) -> {p}, i32
  %p = llvm.getelementptr %q[%one] : ({p}, i32) -> {p}, i16"""
    text = f"""gpu.module @m {{ gpu.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {{
  %one = arith.constant 1 : i32
  %numbers = arith.constant dense<[3, -1, 0, 7]> : {v}
  %mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %none = arith.constant dense<-5> : vector<4xi16>
  {places}
  %x = llvm.intr.masked.gather %p, %mask, %none {{alignment = 2 : i32}} : ({p}, vector<4xi1>, vector<4xi16>) -> vector<4xi16>
  llvm.store %x, %out : vector<4xi16>, !llvm.ptr<1>
  gpu.return }} }}"""
    given, out = np.arange(16, dtype=np.int16) * 3, np.zeros(4, np.int16)
    run(weft.compile(text, "sm_90"), "k", 1, 1, [given, out])
    assert out.tolist() == [21, -5, 3, 45]


@pytest.mark.parametrize("op", ["memref", "llvm"])
def test_prefetching_the_threads_own_memory(op: str) -> None:
    """A hint names the space of the memory, or none where both may be meant: refused once, as `.global`."""
    text = {
        "memref": """gpu.func @k(%in: memref<4xi32>, %i: index, %x: i32, %b: i1) kernel {
  %mine = memref.alloca() : memref<4xi32>
  memref.store %x, %mine[%i] : memref<4xi32>
  %any = arith.select %b, %mine, %in : memref<4xi32>
  memref.prefetch %mine[%i], read, locality<3>, data : memref<4xi32>
  memref.prefetch %in[%i], read, locality<1>, data : memref<4xi32>
  memref.prefetch %any[%i], read, locality<3>, data : memref<4xi32>
  %y = memref.load %any[%i] : memref<4xi32>
  memref.store %y, %in[%i] : memref<4xi32>""",
        "llvm": """gpu.func @k(%in: !llvm.ptr, %i: i32, %x: i32, %b: i1) kernel {
  %four = arith.constant 4 : i32
  %mine = llvm.alloca %four x i32 : (i32) -> !llvm.ptr
  llvm.store %x, %mine : i32, !llvm.ptr
  %any = llvm.select %b, %mine, %in : i1, !llvm.ptr
  "llvm.intr.prefetch"(%mine) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  "llvm.intr.prefetch"(%in) <{cache = 1 : i32, hint = 1 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  "llvm.intr.prefetch"(%any) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}> : (!llvm.ptr) -> ()
  %y = llvm.load %any : !llvm.ptr -> i32
  llvm.store %y, %in : i32, !llvm.ptr""",
    }[op]
    found = re.findall(r"prefetch\S*", str(weft.compile(f"gpu.module @m {{ {text}\n gpu.return }} }}", "sm_80")))
    assert found == ["prefetch.local.L1", "prefetch.global.L2", "prefetch.L1"]


@pytest.mark.sample(5)
@pytest.mark.parametrize("number", [0, -1, 5 << 62])
@pytest.mark.parametrize("width", [65, 72, 80, 96, 128])
def test_the_upper_part_of_a_wide_integer_in_memory(width: int, number: int) -> None:
    """What memory holds of it counts in a register of 64 bits, though it is a byte: the PTX was illegal once."""
    number = (number + (1 << width - 1)) % (1 << width) - (1 << width - 1)
    text = f"""gpu.module @m {{ gpu.func @k(%out: !llvm.ptr<1>, %by: i64) kernel {{
  %place = memref.alloca() : memref<2xi{width}>
  %zero = arith.constant 0 : index
  %x = arith.constant {number} : i{width}
  %wide = arith.extui %by : i64 to i{width}
  memref.store %x, %place[%zero] : memref<2xi{width}>
  %y = memref.load %place[%zero] : memref<2xi{width}>
  %z = arith.shrsi %y, %wide : i{width}
  %low = arith.trunci %z : i{width} to i64
  llvm.store %low, %out : i64, !llvm.ptr<1>
  gpu.return }} }}"""
    module = weft.compile(text, "sm_90")
    for by in (0, 1, 63, 64):
        out = np.zeros(1, np.uint64)
        run(module, "k", 1, 1, [out, by])
        assert int(out[0]) == number >> by & (1 << 64) - 1


@pytest.mark.parametrize("number", [7, 0x80, 0xFF, 0x100, 0x7F00])
@pytest.mark.parametrize("mask", [5, 0xFF, 0xFFFF])
def test_a_sum_of_known_bytes(number: int, mask: int) -> None:
    """Bytes that are known add up with their carry: once a sum with constant bytes in the same place was their `or`."""
    text = f"""llvm.func @k(%out: !llvm.ptr, %x: i32) attributes {{nvvm.kernel}} {{
  %a = llvm.mlir.constant(2147483647 : i32) : i32
  %s = llvm.mlir.constant(25600 : i32) : i32
  %n = llvm.mlir.constant({number} : i32) : i32
  %m = llvm.mlir.constant({mask} : i32) : i32
  %p = llvm.call_intrinsic "llvm.nvvm.prmt"(%a, %x, %s) : (i32, i32, i32) -> i32
  %y = llvm.add %p, %n : i32
  %z = llvm.and %y, %m : i32
  llvm.store %z, %out : i32, !llvm.ptr
  llvm.return }}"""
    out = np.zeros(1, np.uint32)
    run(weft.compile(text, "sm_90"), "k", 1, 1, [out, 0])
    assert int(out[0]) == 0xFFFF + number & mask


@pytest.mark.parametrize("width", [4, 5, 20, 33, 63, 65, 100])
def test_zeros_above_an_integer_that_ends_within_a_byte(width: int) -> None:
    """Other compilers' loads rely on them: what memory holds of an integer once had its upper bits as they came."""
    text = f"""gpu.module @m {{ gpu.func @k(%out: !llvm.ptr<1>, %x: i64) kernel {{
  %a = arith.{"trunci" if width < 64 else "extsi"} %x : i64 to i{width}
  %b = arith.addi %a, %a : i{width}
  llvm.store %b, %out : i{width}, !llvm.ptr<1>
  gpu.return }} }}"""
    out = np.full(64, 0xFF, np.uint8)
    run(weft.compile(text, "sm_80"), "k", 1, 1, [out, -3])
    size = -(-width // 8)
    assert int.from_bytes(out[:size].tobytes(), "little") == -6 % (1 << width)


def test_assembly_beside_a_table_of_functions() -> None:
    """The table was checked with the assembly, where there are no functions, and refused."""
    text = """
llvm.mlir.global internal constant @table() : !llvm.array<2 x ptr> {
  %f = llvm.mlir.addressof @f : !llvm.ptr
  %a = llvm.mlir.poison : !llvm.array<2 x ptr>
  %b = llvm.insertvalue %f, %a[0] : !llvm.array<2 x ptr>
  %c = llvm.insertvalue %f, %b[1] : !llvm.array<2 x ptr>
  llvm.return %c : !llvm.array<2 x ptr>
}
llvm.func internal @f(%a: i32) -> i32 { llvm.return %a : i32 }
llvm.func @k(%out: !llvm.ptr<1>, %i: i64, %x: i32) attributes {nvvm.kernel} {
  %t = llvm.mlir.addressof @table : !llvm.ptr
  %g = llvm.getelementptr %t[0, %i] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x ptr>
  %f = llvm.load %g : !llvm.ptr -> !llvm.ptr
  %r = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32
  %s = llvm.inline_asm "add.s32 $0, $1, 1;", "=r,r" %r : (i32) -> i32
  llvm.store %s, %out : i32, !llvm.ptr<1>
  llvm.return
}"""
    out = np.zeros(1, np.uint32)
    run(weft.compile(text, "sm_90"), "k", 1, 1, [out, 1, 41])
    assert int(out[0]) == 42


@pytest.mark.parametrize(
    "number",
    ["llvm.mlir.constant(1 : i32) : i32", "llvm.mlir.zero : i32", "llvm.mlir.undef : i32", "gpu.thread_id x"],
)
def test_operations_without_operands_in_a_loop_that_counts(number: str) -> None:
    """What such a loop makes of numbers was computed with the width of an operand that there is not."""
    cast = "arith.index_cast %m : index to i32" if "gpu" in number else "arith.addi %m, %zero : i32"
    text = f"""gpu.module @m {{ gpu.func @k(%out: !llvm.ptr<1>) kernel {{
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %five = arith.constant 5 : i32
  %r:2 = scf.while (%n = %zero, %x = %zero) : (i32, i32) -> (i32, i32) {{
    %m = {number}
    %y = {cast}
    %t = arith.cmpi slt, %n, %five : i32
    scf.condition(%t) %n, %y : i32, i32
  }} do {{
  ^bb0(%n: i32, %y: i32):
    %next = arith.addi %n, %one : i32
    scf.yield %next, %y : i32, i32
  }}
  llvm.store %r#0, %out : i32, !llvm.ptr<1>
  gpu.return }} }}"""
    out = np.zeros(1, np.uint32)
    run(weft.compile(text, "sm_80"), "k", 1, 1, [out])
    assert int(out[0]) == 5
