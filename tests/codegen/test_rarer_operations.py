"""Operations that few programs have: what they give, or the instruction that they are."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import weft
from weft.codegen import compile_module
from weft.sim import run


def kernel(body: str, outs: str = "i32", before: str = "") -> str:
    """A kernel whose threads store `%r` one behind the other."""
    return f"""gpu.module @m {{ {before} gpu.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {{
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %z = gpu.thread_id z
      %dx = gpu.block_dim x
      %dy = gpu.block_dim y
      %zy = arith.muli %z, %dy : index
      %row = arith.addi %zy, %y : index
      %rows = arith.muli %row, %dx : index
      %t = arith.addi %rows, %x : index
      %n = arith.index_cast %t : index to i32
      {body}
      %place = llvm.getelementptr %out[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {outs}
      llvm.store %r, %place : {outs}, !llvm.ptr<1>
      gpu.return }} }}"""


def ran(text: str, dtype: Any, block: Any = (32,), given: Any = None, target: str = "sm_80") -> list[Any]:
    """What the threads of a block store."""
    out = np.zeros(int(np.prod(block)), dtype)
    run(compile_module(text, target), "k", (1,), block, [np.zeros(1, np.int32) if given is None else given, out])
    return out.tolist()


THREADS = [(x, y, z) for z in range(3) for y in range(4) for x in range(9)]
PLACES = {
    "gpu.subgroup_id : index": lambda at, i: i // 32, "gpu.num_subgroups : index": lambda at, i: 4,
    "gpu.subgroup_size : index": lambda at, i: 32, "gpu.lane_id": lambda at, i: i % 32,
    "gpu.thread_id y": lambda at, i: at[1], "gpu.thread_id z": lambda at, i: at[2], "gpu.block_dim x": lambda at, i: 9,
    "gpu.block_dim z": lambda at, i: 3, "gpu.grid_dim y": lambda at, i: 1, "gpu.block_id z": lambda at, i: 0,
    "gpu.global_id x": lambda at, i: at[0], "gpu.global_id z": lambda at, i: at[2],
}  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("op", PLACES)
def test_where_a_thread_is(op: str) -> None:
    found = ran(kernel(f"%v = {op}\n%r = arith.index_cast %v : index to i32"), np.int32, (9, 4, 3))
    assert found == [PLACES[op](at, i) for i, at in enumerate(THREADS)]


def test_calls_through_values() -> None:
    functions = """func.func private @twice(%a: i32) -> i32 { %r = arith.addi %a, %a : i32 func.return %r : i32 }
      func.func private @less(%a: i32) -> i32 { %c = arith.constant 7 : i32 %r = arith.subi %a, %c : i32 func.return %r : i32 }"""
    body = """%f = func.constant @twice : (i32) -> i32
      %g = func.constant @less : (i32) -> i32
      %c8 = arith.constant 8 : i32
      %small = arith.cmpi slt, %n, %c8 : i32
      %h = arith.select %small, %f, %g : (i32) -> i32
      %r = func.call_indirect %h(%n) : (i32) -> i32"""
    assert ran(kernel(body, before=functions), np.int32) == [2 * i if i < 8 else i - 7 for i in range(32)]


@pytest.mark.parametrize(
    ("op", "wanted"),
    [
        ("gpu.subgroup_broadcast %v, first_active_lane : i32", 0),
        ("gpu.subgroup_broadcast %v, specific_lane %five : i32", 25),
    ],
)
def test_broadcasts(op: str, wanted: int) -> None:
    body = f"%five = arith.constant 5 : i32\n%v = arith.muli %n, %n : i32\n%r = {op}"
    assert ran(kernel(body), np.int32) == [wanted] * 32


@pytest.mark.sample(3)
@pytest.mark.parametrize("kind", ["f16", "f32", "f64"])
@pytest.mark.parametrize("form", ["sincos", "beside", "intrinsics"])
def test_sine_beside_cosine(form: str, kind: str) -> None:
    """As one operation, or as two on the same number, which are computed together."""
    made = {
        "sincos": f"%s, %c = math.sincos %a : {kind}",
        "beside": f"%s = math.sin %a : {kind}\n%c = math.cos %a : {kind}",
        "intrinsics": f"%c = llvm.intr.cos(%a) : ({kind}) -> {kind}\n%s = llvm.intr.sin(%a) : ({kind}) -> {kind}",
    }[form]
    body = f"""%p = llvm.getelementptr %in[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {kind}
      %a = llvm.load %p : !llvm.ptr<1> -> {kind}
      {made}
      %two = arith.constant 2.0 : {kind}
      %d = arith.mulf %c, %two : {kind}
      %r = arith.addf %s, %d : {kind}"""
    dtype = {"f16": np.float16, "f32": np.float32, "f64": np.float64}[kind]
    x = np.linspace(-40, 40, 32).astype(dtype)
    found = ran(kernel(body, kind), dtype, given=x)
    wanted = np.sin(x.astype(float)) + 2 * np.cos(x.astype(float))
    assert np.abs(np.array(found, float) - wanted).max() <= 5 * float(np.finfo(dtype).eps)


@pytest.mark.parametrize("name", ["sincos", "beside"])
def test_approximate_sine_and_cosine(name: str) -> None:
    made = "%s, %c = math.sincos %a fastmath<afn> : f32"
    if name == "beside":
        made = "%s = math.sin %a fastmath<afn> : f32\n%c = math.cos %a fastmath<afn> : f32"
    body = f"%a = arith.uitofp %n : i32 to f32\n{made}\n%r = arith.addf %s, %c : f32"
    ptx = compile_module(kernel(body, "f32"), "sm_80").to_ptx()
    assert re.findall(r"\b(sin|cos)\.approx\.f32", ptx) == ["sin", "cos"]
    assert "fma" not in ptx


INSTRUCTIONS = {
    '"llvm.intr.trap"() : () -> ()': ["trap"], '"llvm.intr.debugtrap"() : () -> ()': ["brkpt"],
    '"llvm.intr.ubsantrap"() <{failureKind = 1 : i8}> : () -> ()': ["trap"],
    '"llvm.intr.prefetch"(%in) <{rw = 0 : i32, hint = 3 : i32, cache = 1 : i32}> : (!llvm.ptr<1>) -> ()':
        ["prefetch.global.L1 [%rd0]"],
    '"llvm.intr.prefetch"(%in) <{rw = 0 : i32, hint = 2 : i32, cache = 1 : i32}> : (!llvm.ptr<1>) -> ()':
        ["prefetch.global.L1 [%rd0]"],
    '"llvm.intr.prefetch"(%in) <{rw = 0 : i32, hint = 1 : i32, cache = 1 : i32}> : (!llvm.ptr<1>) -> ()':
        ["prefetch.global.L2 [%rd0]"],
    'llvm.intr.assume %true : i1': [], 'llvm.call_intrinsic "llvm.donothing"() : () -> ()': [],
    'llvm.call_intrinsic "llvm.sideeffect"() : () -> ()': [],
}  # fmt: skip


@pytest.mark.parametrize("op", INSTRUCTIONS)
def test_instructions(op: str) -> None:
    text = f"llvm.func @k(%in: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{\n%true = llvm.mlir.constant(true) : i1\n{op}\nllvm.return }}"
    body = compile_module(text, "sm_80").to_ptx().partition("{")[2]
    lines = [line.strip().rstrip(";") for line in body.splitlines() if line.strip() not in ("", "}")]
    assert [line for line in lines if not line.startswith((".reg", "ld.param", "ret"))] == INSTRUCTIONS[op]


VALUES: dict[str, tuple[str, str, Any]] = {
    "rounding": ('%r = llvm.call_intrinsic "llvm.get.rounding"() : () -> i32', "i32", 1),
    "least size": (
        """%v = llvm.call_intrinsic "llvm.objectsize.i64.p1"(%in, %true, %no, %no) : (!llvm.ptr<1>, i1, i1, i1) -> i64
        %r = llvm.trunc %v : i64 to i32""", "i32", 0),
    "largest size": (
        '%r = llvm.call_intrinsic "llvm.objectsize.i32.p1"(%in, %no, %no, %no) : (!llvm.ptr<1>, i1, i1, i1) -> i32',
        "i32", -1),
    "a check that is allowed": (
        '%v = llvm.call_intrinsic "llvm.allow.ubsan.check"(%kind) : (i8) -> i1\n%r = llvm.zext %v : i1 to i32', "i32", 1),
    "where a call returns to": (
        """%v = llvm.call_intrinsic "llvm.returnaddress"(%c0) : (i32) -> !llvm.ptr
        %w = llvm.ptrtoint %v : !llvm.ptr to i64
        %r = llvm.trunc %w : i64 to i32""", "i32", 0),
    "known": ('%v = "llvm.intr.is.constant"(%c9) : (i32) -> i1\n%r = llvm.sext %v : i1 to i32', "i32", -1),
    "unknown": ('%v = "llvm.intr.is.constant"(%n) : (i32) -> i1\n%r = llvm.zext %v : i1 to i32', "i32", 0),
    "expected": ("%r = llvm.intr.expect %c9, %c0 : i32", "i32", 9),
    "copied": ('%r = "llvm.intr.ssa.copy"(%c9) : (i32) -> i32', "i32", 9),
    "an address with bits cleared": (
        """%p = llvm.inttoptr %big : i64 to !llvm.ptr<1>
        %m = llvm.mlir.constant(-16 : i64) : i64
        %q = "llvm.intr.ptrmask"(%p, %m) : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>
        %r = llvm.ptrtoint %q : !llvm.ptr<1> to i64""", "i64", 0x123456789ABCDE0),
}  # fmt: skip


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", VALUES)
def test_values(name: str) -> None:
    body, kind, wanted = VALUES[name]
    constants = """%true = llvm.mlir.constant(true) : i1
      %no = llvm.mlir.constant(false) : i1
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c9 = llvm.mlir.constant(9 : i32) : i32
      %kind = llvm.mlir.constant(1 : i8) : i8
      %big = llvm.mlir.constant(81985529216486895 : i64) : i64\n"""
    assert ran(kernel(constants + body, kind), np.dtype(f"i{int(kind[1:]) // 8}"), (1,)) == [wanted]


def test_relative_addresses() -> None:
    """The number behind an address counts from that."""
    body = """%o = llvm.mlir.constant(8 : i64) : i64
      %p = llvm.call_intrinsic "llvm.load.relative.i64"(%in, %o) : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>
      %r = llvm.load %p : !llvm.ptr<1> -> i32"""
    assert ran(kernel(body), np.int32, (1,), np.array([5, 6, 16, 7, 42], np.int32)) == [42]


@pytest.mark.parametrize(("op", "register"), [("readcyclecounter", "%clock64"), ("readsteadycounter", "%globaltimer")])
def test_clocks(op: str, register: str) -> None:
    text = kernel(f'%r = llvm.call_intrinsic "llvm.{op}"() : () -> i64', "i64")
    assert f"mov.u64 %rd0, {register};" in re.sub(r"%rd\d+", "%rd0", compile_module(text, "sm_80").to_ptx())


SMALL = {"f8E4M3FN": 8, "f8E5M2": 8, "f6E2M3FN": 6, "f6E3M2FN": 6, "f4E2M1FN": 4}


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", SMALL)
def test_kinds_of_small_floats(kind: str) -> None:
    """Of all patterns."""
    import ml_dtypes

    bits, dtype = SMALL[kind], getattr(ml_dtypes, {"f": "float"}[kind[0]] + kind[1:].lower().replace("e", "_e", 1))
    body = f"%v = arith.trunci %n : i32 to i{bits}\n%f = arith.bitcast %v : i{bits} to {kind}\n%c0 = arith.constant 0 : i32\n"
    total = "%c0"
    for at, name in enumerate(("isinf", "isfinite", "isnan", "isnormal")):
        body += f"""%t{at} = math.{name} %f : {kind}
          %w{at} = arith.extui %t{at} : i1 to i32
          %k{at} = arith.constant {at} : i32
          %s{at} = arith.shli %w{at}, %k{at} : i32
          %a{at} = arith.ori {total}, %s{at} : i32\n"""
        total = f"%a{at}"
    found = ran(kernel(f"{body}%r = arith.addi {total}, %c0 : i32"), np.int32, (1 << bits,), target="sm_100a")
    x = np.arange(1 << bits, dtype=np.uint8).view(dtype).astype(np.float32)
    tiny = float(ml_dtypes.finfo(dtype).smallest_normal)
    normal = np.isfinite(x) & (np.abs(x) >= tiny)
    wanted = np.isinf(x) + 2 * np.isfinite(x) + 4 * np.isnan(x) + 8 * normal
    assert found == wanted.tolist()


def test_masked_stores_and_whole_buffers() -> None:
    text = """gpu.module @m { gpu.func @k(%a: memref<4xvector<4xf32>>, %b: memref<8xf32>, %c: memref<4x4xf32>) kernel {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %whole = vector.type_cast %c : memref<4x4xf32> to memref<vector<4x4xf32>>
      %v = memref.load %whole[] : memref<vector<4x4xf32>>
      %row = vector.extract %v[2] : vector<4xf32> from vector<4x4xf32>
      memref.store %row, %a[%c2] : memref<4xvector<4xf32>>
      %m = arith.constant dense<[true, false, true, true]> : vector<4xi1>
      vector.maskedstore %b[%c2], %m, %row : memref<8xf32>, vector<4xi1>, vector<4xf32>
      gpu.return } }"""
    a, b, c = np.zeros((4, 4), np.float32), np.ones(8, np.float32), np.arange(16, dtype=np.float32).reshape(4, 4)
    weft.run(weft.compile(text, "sm_80", bare_pointers=True), "k", grid=(1,), block=(1,), args=[a, b, c])
    assert a.tolist() == [[0] * 4, [0] * 4, [8, 9, 10, 11], [0] * 4]
    assert b.tolist() == [1, 1, 8, 1, 10, 11, 1, 1]


def _quotient(a: Any, b: Any) -> Any:
    return np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))


MATRICES: dict[str, tuple[Any, dict[str, Any]]] = {
    kind: (dtype, {
        "addf": np.add, "subf": np.subtract, "mulf": np.multiply, "divf": np.divide, "maxf": np.maximum,
        "minf": np.minimum, "negatef": np.negative,
    }) for kind, dtype in (("f16", np.float16), ("f32", np.float32))
} | {"i32": (np.int32, {
    "addi": np.add, "subi": np.subtract, "muli": np.multiply, "divs": _quotient, "negates": np.negative,
    "divu": lambda a, b: (a.astype(np.uint32) // b.astype(np.uint32)).astype(np.int32),
})}  # fmt: skip


@pytest.mark.parametrize("kind", MATRICES)
def test_matrices_of_a_warp_element_by_element(kind: str) -> None:
    dtype, operations = MATRICES[kind]
    type_, place = f'!gpu.mma_matrix<16x16x{kind}, "COp">', f"memref<16x16x{kind}>"
    lines, names = list[str](), [*operations, *(["extf"] if kind == "f16" else [])]
    for i, name in enumerate(names):
        one = name in ("negatef", "negates", "extf")
        to = type_.replace(kind, "f32") if name == "extf" else type_
        lines.append(f"""%r{i} = gpu.subgroup_mma_elementwise {name} %x{"" if one else ", %y"} : ({type_}{"" if one else f", {type_}"}) -> {to}
          gpu.subgroup_mma_store_matrix %r{i}, %o{i}[%c0, %c0] {{leadDimension = 16 : index}} : {to}, {place.replace(kind, "f32") if name == "extf" else place}""")
    parameters = ", ".join(
        f"%o{i}: {place.replace(kind, 'f32') if name == 'extf' else place}" for i, name in enumerate(names)
    )
    body = "\n".join(lines)
    text = f"""gpu.module @m {{ gpu.func @k(%a: {place}, %b: {place}, {parameters}) kernel {{
      %c0 = arith.constant 0 : index
      %x = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {{leadDimension = 16 : index}} : {place} -> {type_}
      %y = gpu.subgroup_mma_load_matrix %b[%c0, %c0] {{leadDimension = 16 : index}} : {place} -> {type_}
      {body}
      gpu.return }} }}"""
    random = np.random.default_rng(1)
    a, b = (random.integers(-90, 90, (16, 16)).astype(dtype) for _ in range(2))
    b[b == 0] = 7
    outs = [np.zeros((16, 16), np.float32 if name == "extf" else dtype) for name in names]
    weft.run(weft.compile(text, "sm_80", bare_pointers=True), "k", grid=(1,), block=(32,), args=[a, b, *outs])
    for name, out in zip(names, outs, strict=True):
        wanted = a.astype(np.float32) if name == "extf" else operations[name](*([a] if "negate" in name else [a, b]))
        np.testing.assert_array_equal(out, wanted, name)


INTEGER_REDUCTIONS: dict[str, Any] = {
    "add": np.add, "mul": np.multiply, "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "minsi": np.minimum, "maxsi": np.maximum, "minui": None, "maxui": None,
}  # fmt: skip
FLOAT_REDUCTIONS: dict[str, Any] = {
    "add": np.add, "mul": np.multiply, "minimumf": np.minimum, "maximumf": np.maximum, "minnumf": np.fmin,
    "maxnumf": np.fmax,
}  # fmt: skip
ELEMENTS: dict[str, Any] = {
    "i8": np.int8,
    "i32": np.int32,
    "i64": np.int64,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", ELEMENTS)
def test_reductions_under_a_mask(kind: str) -> None:
    """What the mask leaves out does not count: where it leaves nothing, the result is what changes no number."""
    dtype, table = ELEMENTS[kind], INTEGER_REDUCTIONS if kind[0] == "i" else FLOAT_REDUCTIONS
    lines = list[str]()
    for i, name in enumerate(table):
        lines.append(f"""%r{i} = vector.mask %m {{ vector.reduction <{name}>, %v : vector<4x{kind}> into {kind} }} : vector<4xi1> -> {kind}
          %s{i} = vector.mask %m {{ vector.reduction <{name}>, %v, %start : vector<4x{kind}> into {kind} }} : vector<4xi1> -> {kind}
          %p{i} = llvm.getelementptr %q[{2 * i}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, {kind}
          %u{i} = llvm.getelementptr %q[{2 * i + 1}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, {kind}
          llvm.store %r{i}, %p{i} : {kind}, !llvm.ptr<1>
          llvm.store %s{i}, %u{i} : {kind}, !llvm.ptr<1>""")
    body = "\n".join(lines)
    text = f"""gpu.module @m {{ gpu.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {{
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x {kind}>
      %v = llvm.load %p {{alignment = 1 : i64}} : !llvm.ptr<1> -> vector<4x{kind}>
      %start = vector.extract %v[0] : {kind} from vector<4x{kind}>
      %four = arith.trunci %t : i32 to i4
      %m = vector.bitcast %four_v : vector<1xi4> to vector<4xi1>
      %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<{2 * len(table)} x {kind}>
      {body}
      gpu.return }} }}""".replace(
        "%m = vector.bitcast", "%four_v = vector.broadcast %four : i4 to vector<1xi4>\n%m = vector.bitcast"
    )
    random = np.random.default_rng(3)
    given = random.integers(-7, 8, (16, 4)).astype(dtype)
    out = np.zeros((16, len(table), 2), dtype)
    run(compile_module(text, "sm_90"), "k", 1, 16, [given, out])
    unsigned = f"u{np.dtype(dtype).itemsize}"
    for t in range(16):
        kept = [x for i, x in enumerate(given[t]) if t >> i & 1]
        for i, (name, function) in enumerate(table.items()):
            values = [given[t, 0], *kept]
            if function is None:
                wanted = np.array(values).view(unsigned)
                result = (wanted.min() if name == "minui" else wanted.max()).view(dtype)
                alone = wanted[1:].min() if name == "minui" and kept else wanted[1:].max() if kept else None
                alone = None if alone is None else alone.view(dtype)
            else:
                with np.errstate(over="ignore"):
                    result = function.reduce(np.array(values, dtype), dtype=dtype)
                    alone = function.reduce(np.array(kept, dtype), dtype=dtype) if kept else None
            assert out[t, i, 1] == result, (name, t)
            if alone is not None:
                assert out[t, i, 0] == alone, (name, t)
