"""Operations one of whose operands is a number: powers, shuffles, choices among pointers, and what is known as it compiles."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft
from tests.codegen.test_integers_by_python import signed
from weft.errors import CompileError

EXPONENTS = (-65, -64, -63, -3, -2, -1, 0, 1, 2, 3, 5, 8, 31, 63, 64, 65)


@pytest.mark.parametrize("op", ["math.fpowi %x, %n{0} : f64, i32", "llvm.intr.powi(%x, %n{0}) : (f64, i32) -> f64"])
def test_powers_with_constant_exponents(op: str) -> None:
    """Up to 64 as products one after the other, beyond that by a loop."""
    lines = "\n".join(
        f"""%n{at} = arith.constant {exponent} : i32
        %r{at} = {op.format(at)}
        %i{at} = arith.constant {at} : index
        memref.store %r{at}, %out[%t, %i{at}] : memref<8x{len(EXPONENTS)}xf64>"""
        for at, exponent in enumerate(EXPONENTS)
    )
    text = f"""gpu.module @m {{ gpu.func @k(%in: memref<8xf64>, %out: memref<8x{len(EXPONENTS)}xf64>) kernel {{
      %t = gpu.thread_id x
      %x = memref.load %in[%t] : memref<8xf64>
      {lines}
      gpu.return }} }}"""
    module = weft.compile(text, "sm_80", bare_pointers=True)
    bases, out = np.array([0.5, -2, 1.25, -1, 1, 3, -0.75, 1.5]), np.zeros((8, len(EXPONENTS)))
    weft.run(module, "k", 1, 8, [bases, out])
    for base, row in zip(bases, out, strict=True):
        np.testing.assert_allclose(row, [float(base) ** n for n in EXPONENTS], rtol=1e-13)
    assert module.to_ptx().count("bra") == 2


@pytest.mark.parametrize("mode", ["xor", "up", "down", "idx"])
def test_shuffles_by_numbers(mode: str) -> None:
    """Lanes that are not there are said not to be: at offsets of 0, of 31, and from 32 on, in whole warps and parts."""
    cases = [(offset, width) for width in (16, 31, 32) for offset in (0, 1, 15, 16, 30, 31, 32, 33)]
    lines = "\n".join(
        f"""%o{at} = arith.constant {offset} : i32
        %w{at} = arith.constant {width} : i32
        %r{at}, %v{at} = gpu.shuffle {mode} %x, %o{at}, %w{at} : i32
        %n{at} = arith.select %v{at}, %r{at}, %minus : i32
        %i{at} = arith.constant {at} : index
        memref.store %n{at}, %out[%t, %i{at}] : memref<32x{len(cases)}xi32>"""
        for at, (offset, width) in enumerate(cases)
    )
    text = f"""gpu.module @m {{ gpu.func @k(%out: memref<32x{len(cases)}xi32>) kernel {{
      %t = gpu.thread_id x
      %x = arith.index_cast %t : index to i32
      %minus = arith.constant -1 : i32
      {lines}
      gpu.return }} }}"""
    out = np.zeros((32, len(cases)), np.int32)
    weft.run(weft.compile(text, "sm_80", bare_pointers=True), "k", 1, 32, [out])
    for lane, row in enumerate(out.tolist()):
        for (offset, width), found in zip(cases, row, strict=True):
            source = {"xor": lane ^ offset, "up": lane - offset, "down": lane + offset, "idx": offset}[mode]
            assert found == (source if lane < width and 0 <= source < width else -1), (lane, offset, width)


@pytest.mark.parametrize("name", ["minui", "maxui", "minsi", "maxsi", "add", "mul", "xor", "and", "or"])
def test_reductions_of_wide_integers(name: str) -> None:
    values = [1 << 100, (1 << 127) + 5, (1 << 64) - 1]
    text = f"""llvm.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
      %v = llvm.load %in : !llvm.ptr<1> -> vector<3xi128>
      %r = vector.reduction <{name}>, %v : vector<3xi128> into i128
      llvm.store %r, %out : i128, !llvm.ptr<1>
      llvm.return }}"""
    given = np.frombuffer(b"".join(value.to_bytes(16, "little") for value in values), np.uint8).copy()
    out = np.zeros(16, np.uint8)
    weft.run(weft.compile(text, "sm_80"), "k", 1, 1, [given, out])
    a, b, c = values
    wanted = {
        "minui": min(values), "maxui": max(values), "minsi": min(values, key=lambda x: signed(x, 128)),
        "maxsi": max(values, key=lambda x: signed(x, 128)), "add": a + b + c, "mul": a * b * c, "xor": a ^ b ^ c,
        "and": a & b & c, "or": a | b | c,
    }[name]  # fmt: skip
    assert int.from_bytes(out.tobytes(), "little") == wanted % (1 << 128)


@pytest.mark.parametrize("dialect", ["arith", "llvm"])
@pytest.mark.parametrize("around", ["none", "for", "while"])
def test_pointers_that_are_chosen_stay_in_their_space(dialect: str, around: str) -> None:
    """Two pointers to shared memory, and what loops carry of them, are loaded from as shared memory."""
    ways = {"arith": "arith.select {}, {}, {} : !llvm.ptr", "llvm": "llvm.select {}, {}, {} : i1, !llvm.ptr"}
    choice, inner = (ways[dialect].format(*three) for three in (("%c", "%ga", "%gb"), ("%here", "%far", "%q")))
    made = {
        "none": "",
        "for": """%u = scf.for %k = %zero to %n step %one iter_args(%q = %s) -> !llvm.ptr {
            %far = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, i32
            %seen = llvm.load volatile %q : !llvm.ptr -> i32
            %here = llvm.icmp "slt" %seen, %hundred : i32
            %next = {inner}
            scf.yield %next : !llvm.ptr
          }""",
        "while": """%count, %u = scf.while (%k = %zero, %q = %s) : (index, !llvm.ptr) -> (index, !llvm.ptr) {
            %go = arith.cmpi slt, %k, %n : index
            scf.condition(%go) %k, %q : index, !llvm.ptr
          } do {
          ^bb0(%k: index, %q: !llvm.ptr):
            %far = llvm.getelementptr %q[1] : (!llvm.ptr) -> !llvm.ptr, i32
            %seen = llvm.load volatile %q : !llvm.ptr -> i32
            %here = llvm.icmp "slt" %seen, %hundred : i32
            %next = {inner}
            %more = arith.addi %k, %one : index
            scf.yield %more, %next : index, !llvm.ptr
          }""",
    }[around].replace("{inner}", inner)
    text = f"""
    llvm.mlir.global internal @a() {{addr_space = 3 : i32}} : !llvm.array<8 x i32>
    llvm.mlir.global internal @b() {{addr_space = 3 : i32}} : !llvm.array<8 x i32>
    llvm.func @k(%out: !llvm.ptr<1>, %which: i32, %m: i32) attributes {{nvvm.kernel}} {{
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %hundred = llvm.mlir.constant(100 : i32) : i32
      %nought = llvm.mlir.constant(0 : i32) : i32
      %n = arith.index_cast %m : i32 to index
      %a = llvm.mlir.addressof @a : !llvm.ptr<3>
      %b = llvm.mlir.addressof @b : !llvm.ptr<3>
      %ga = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr
      %gb = llvm.addrspacecast %b : !llvm.ptr<3> to !llvm.ptr
      {
        "".join(
            f'''%v{i} = llvm.mlir.constant({i} : i32) : i32
        %w{i} = llvm.mlir.constant({i + 50} : i32) : i32
        %pa{i} = llvm.getelementptr %a[{i}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
        %pb{i} = llvm.getelementptr %b[{i}] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32
        llvm.store %v{i}, %pa{i} : i32, !llvm.ptr<3>
        llvm.store %w{i}, %pb{i} : i32, !llvm.ptr<3>
        '''
            for i in range(8)
        )
    }
      %c = llvm.icmp "ne" %which, %nought : i32
      %s = {choice}
      {made}
      %x = llvm.load volatile {"%u" if made else "%s"} : !llvm.ptr -> i32
      llvm.store %x, %out : i32, !llvm.ptr<1>
      llvm.return
    }}"""
    module = weft.compile(text, "sm_80")
    assert re.findall(r"ld\.volatile\.(\w+)", module.to_ptx()) == ["shared"] * (2 if made else 1)
    for which, count in ((0, 3), (1, 5)):
        out = np.zeros(1, np.int32)
        weft.run(module, "k", 1, 1, [out, np.int32(which), np.int32(count)])
        assert out[0] == 50 * (1 - which) + (count if made else 0)


@pytest.mark.parametrize(
    ("value", "type_", "known"),
    [
        ("%x", "i32", 0),
        ("%five", "i32", 1),
        ("%f", "f32", 0),
        ("%half", "f32", 1),
        ("%same", "i32", 1),
        ("%d", "i64", 1),
    ],
)
def test_what_is_known_as_it_compiles(value: str, type_: str, known: int) -> None:
    text = f"""llvm.func @k(%out: !llvm.ptr<1>, %x: i32, %f: f32) attributes {{nvvm.kernel}} {{
      %five = llvm.mlir.constant(5 : i32) : i32
      %d = llvm.mlir.constant(5 : i64) : i64
      %half = llvm.mlir.constant(0.5 : f32) : f32
      %same = llvm.sub %x, %x : i32
      %r = "llvm.intr.is.constant"({value}) : ({type_}) -> i1
      %w = llvm.zext %r : i1 to i32
      llvm.store %w, %out : i32, !llvm.ptr<1>
      llvm.return }}"""
    assert f"st.global.b32 [%rd0], {known};" in weft.compile(text, "sm_80").to_ptx()


@pytest.mark.parametrize("threads", [63, 64, 65])
def test_a_known_block_fits_into_the_most_threads(threads: int) -> None:
    text = f"""gpu.module @m {{ gpu.func @k() kernel
      attributes {{nvvm.maxntid = array<i32: 32, 2>, known_block_size = array<i32: {threads}, 1, 1>}} {{ gpu.return }} }}"""
    if threads > 64:
        with pytest.raises(CompileError, match="maxntid 32 x 2 is less than the known block size 65 x 1 x 1"):
            weft.compile(text, "sm_80")
    else:
        assert f".reqntid {threads}" in weft.compile(text, "sm_80").to_ptx()
