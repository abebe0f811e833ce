"""Integers of 65 to 128 bits, held to LLVM and, as floats, to Python's."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import ml_dtypes
import numpy as np
import pytest

from tests.codegen.breadth import differences
from tests.codegen.breadth_cases import Case
from tests.codegen.support import compiled
from weft.sim import run

PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
OTHERS = (1, 7, 32, 33, 64, 70, 128)


def cases(width: int) -> list[Case]:
    """Each operation; operands that are sums have something above their width."""
    t = f"i{width}"
    twice = f"%x = arith.addi %a, %a : {t}\n"
    found = [
        Case(f"%r = arith.{op} %a, %b : {t}", (t, t), (t,))
        for op in ("addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui")
    ]
    for ops, domain in ((("divui", "remui", "ceildivui"), "division"), (("shli", "shrsi", "shrui"), "shift"),
                        (("divsi", "remsi", "ceildivsi"), "signed division")):  # fmt: skip
        found += [Case(f"%r = arith.{op} %a, %b : {t}", (t, t), (t,), domain) for op in ops]
    found += [Case(f"{twice}%r = arith.cmpi {p}, %x, %b : {t}", (t, t), ("i1",)) for p in PREDICATES]
    found += [Case(f"{twice}%r = math.{op} %x : {t}", (t,), (t,)) for op in ("ctlz", "cttz", "ctpop", "absi")]
    for op in ("sadd", "uadd", "ssub", "usub"):
        found.append(Case(f"%r = llvm.intr.{op}.sat(%a, %b) : ({t}, {t}) -> {t}", (t, t), (t,)))
    for op in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
        pair = f"!llvm.struct<({t}, i1)>"
        text = f"""{twice}%y = "llvm.intr.{op}.with.overflow"(%x, %b) : ({t}, {t}) -> {pair}
          %r = llvm.extractvalue %y[0] : {pair}
          %s = llvm.extractvalue %y[1] : {pair}"""
        found.append(Case(text, (t, t), (t, "i1")))
    found += [Case(f"%r, %s = arith.mul{u}i_extended %a, %b : {t}", (t, t), (t, t)) for u in "su"]
    found.append(Case(f"%r, %s = arith.addui_extended %a, %b : {t}, i1", (t, t), (t, "i1")))
    found.append(Case(f"%r = llvm.intr.bitreverse(%a) : ({t}) -> {t}", (t,), (t,)))
    if width % 16 == 0:
        found.append(Case(f"%r = llvm.intr.bswap(%a) : ({t}) -> {t}", (t,), (t,)))
    for op in ("fshl", "fshr"):
        found.append(Case(f"{twice}%r = llvm.intr.{op}(%x, %b, %a) : ({t}, {t}, {t}) -> {t}", (t, t), (t,)))
    for other in OTHERS:
        wide, narrow = (t, f"i{other}") if other < width else (f"i{other}", t)
        if other != width:
            found += [Case(f"%r = arith.{op} %a : {narrow} to {wide}", (narrow,), (wide,)) for op in ("extsi", "extui")]
            found.append(Case(f"%r = arith.trunci %a : {wide} to {narrow}", (wide,), (narrow,)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("width", [65, 66, 72, 80, 96, 112, 127, 128])
def test_operations(width: int, first: int) -> None:
    assert not differences(cases(width)[first::4], "sm_90")


DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


@pytest.mark.sample(1)
@pytest.mark.parametrize("width", [65, 100, 128])
def test_as_floats(width: int) -> None:
    """No float lies nearer, and the way back gives what the float is, cut off."""
    rng = Random(width)
    edges = [0, 1, 2**64 - 1, 2**64, 2**24 + 1, (1 << width - 1) - 1, 1 << width - 1, (1 << width) - 1, 65519, 65520]
    near = [(1 << n) + (1 << n - 24) + d for n in (64, width - 2) for d in (-1, 0, 1)]
    values = [*edges, *near, *(rng.getrandbits(rng.randint(1, width)) for _ in range(48))]
    values = [v % (1 << width) for v in values]
    size = 16
    given = np.frombuffer(b"".join(v.to_bytes(size, "little") for v in values), np.uint8).copy()
    kernels = "\n".join(
        f"""gpu.func @{sign}_{f}(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %back: !llvm.ptr<1>) kernel {{
          %t = nvvm.read.ptx.sreg.tid.x : i32
          %p = llvm.getelementptr %in[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i128
          %q = llvm.getelementptr %out[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {f}
          %b = llvm.getelementptr %back[%t] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i128
          %a = llvm.load %p : !llvm.ptr<1> -> i{width}
          %r = arith.{sign}itofp %a : i{width} to {f}
          llvm.store %r, %q : {f}, !llvm.ptr<1>
          %i = arith.fpto{sign}i %r : {f} to i{width}
          llvm.store %i, %b : i{width}, !llvm.ptr<1>
          gpu.return }}"""
        for sign in ("s", "u")
        for f in DTYPES
    )
    module = compiled(f"gpu.module @m {{ {kernels} }}", "sm_90")
    for sign in ("s", "u"):
        for f, dtype in DTYPES.items():
            out, back = np.zeros(len(values), dtype), np.zeros(len(values) * size, np.uint8)
            run(module, f"{sign}_{f}", 1, len(values), [given, out, back])
            largest = Fraction(float(ml_dtypes.finfo(dtype).max))
            for i, (value, got) in enumerate(zip(values, out, strict=True)):
                number = value - (1 << width) if sign == "s" and value >> width - 1 else value
                if not np.isfinite(got):
                    assert abs(number) > largest
                    continue
                apart = abs(Fraction(float(got)) - number)
                with np.errstate(over="ignore"):
                    others = np.nextafter(got, dtype(np.inf)), np.nextafter(got, dtype(-np.inf))
                for other in others:
                    assert not np.isfinite(other) or apart <= abs(Fraction(float(other)) - number), (number, f)
                cut = int(Fraction(float(got)))
                if -(1 << width - 1) * (sign == "s") <= cut < 1 << width - (sign == "s"):
                    whole = int.from_bytes(back[i * size : i * size + size].tobytes(), "little") & ((1 << width) - 1)
                    assert whole == cut % (1 << width), (number, f)
