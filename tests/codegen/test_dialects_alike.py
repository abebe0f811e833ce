"""Loops turn as often at once whichever dialect their operations are of: the PTX of two spellings is the same."""

from __future__ import annotations

import re

import pytest

from weft.codegen import compile_module

INT, FLOAT = ("i32", "i64"), ("f32", "f64")
BINARY = {
    "arith.addi": "llvm.add", "arith.subi": "llvm.sub", "arith.muli": "llvm.mul", "arith.andi": "llvm.and",
    "arith.ori": "llvm.or", "arith.xori": "llvm.xor", "arith.shli": "llvm.shl", "arith.shrui": "llvm.lshr",
    "arith.shrsi": "llvm.ashr",
}  # fmt: skip
FLOATS = {"arith.addf": "llvm.fadd", "arith.subf": "llvm.fsub", "arith.mulf": "llvm.fmul", "arith.divf": "llvm.fdiv"}
INTRINSICS = {
    "arith.maxsi": "smax", "arith.minsi": "smin", "arith.maxui": "umax", "arith.minui": "umin",
}  # fmt: skip
FLOAT_INTRINSICS = {
    "arith.maximumf": "maximum", "arith.minimumf": "minimum", "arith.maxnumf": "maxnum", "arith.minnumf": "minnum",
    "math.powf": "pow",
}  # fmt: skip
UNARY = {"math.ctpop": "ctpop", "math.ctlz": "ctlz", "math.cttz": "cttz", "math.absi": "abs"}
FUNCTIONS = ("exp", "exp2", "log", "log2", "log10", "sin", "cos", "tan", "tanh", "sqrt")


def pairs() -> dict[str, tuple[str, str, str]]:
    """The type, and two spellings of `%x` made of `%acc` and `%v`."""
    found: dict[str, tuple[str, str, str]] = {}
    for t in INT:
        for one, other in BINARY.items():
            found[f"{other} {t}"] = t, f"%x = {one} %v, %acc : {t}", f"%x = {other} %v, %acc : {t}"
        for one, other in INTRINSICS.items():
            call = f"%x = llvm.intr.{other}(%v, %acc) : ({t}, {t}) -> {t}"
            found[f"{other} {t}"] = t, f"%x = {one} %v, %acc : {t}", call
        for one, other in UNARY.items():
            flag = {
                "ctlz": " <{is_zero_poison = false}>",
                "cttz": " <{is_zero_poison = false}>",
                "abs": " <{is_int_min_poison = false}>",
            }
            call = f'%y = "llvm.intr.{other}"(%v){flag.get(other, "")} : ({t}) -> {t}\n%x = arith.addi %y, %acc : {t}'
            found[f"{other} {t}"] = t, f"%y = {one} %v : {t}\n%x = arith.addi %y, %acc : {t}", call
        compared = "%x = arith.select %c, %v, %acc : {0}"
        found[f"icmp {t}"] = (
            t, f"%c = arith.cmpi slt, %v, %acc : {t}\n" + compared.format(t),
            f'%c = llvm.icmp "slt" %v, %acc : {t}\n%x = llvm.select %c, %v, %acc : i1, {t}',
        )  # fmt: skip
    for t in FLOAT:
        for one, other in FLOATS.items():
            found[f"{other} {t}"] = t, f"%x = {one} %v, %acc : {t}", f"%x = {other} %v, %acc : {t}"
        for one, other in FLOAT_INTRINSICS.items():
            call = f"%x = llvm.intr.{other}(%v, %acc) : ({t}, {t}) -> {t}"
            found[f"{other} {t}"] = t, f"%x = {one} %v, %acc : {t}", call
        for name in FUNCTIONS:
            call = f"%y = llvm.intr.{name}(%v) : ({t}) -> {t}\n%x = arith.addf %y, %acc : {t}"
            found[f"{name} {t}"] = t, f"%y = math.{name} %v : {t}\n%x = arith.addf %y, %acc : {t}", call
        fused = f"%x = llvm.intr.fma(%v, %v, %acc) : ({t}, {t}, {t}) -> {t}"
        found[f"fma {t}"] = t, f"%x = math.fma %v, %v, %acc : {t}", fused
        found[f"fmuladd {t}"] = t, f"%x = math.fma %v, %v, %acc : {t}", fused.replace("fma", "fmuladd")
        sized = f"%y = llvm.intr.fabs(%v) : ({t}) -> {t}\n%x = arith.addf %y, %acc : {t}"
        found[f"fabs {t}"] = t, f"%y = math.absf %v : {t}\n%x = arith.addf %y, %acc : {t}", sized
        found[f"fneg {t}"] = (
            t, f"%y = arith.negf %v : {t}\n%x = arith.maximumf %y, %acc : {t}",
            f"%y = llvm.fneg %v : {t}\n%x = arith.maximumf %y, %acc : {t}",
        )  # fmt: skip
        found[f"fcmp {t}"] = (
            t, f"%c = arith.cmpf olt, %v, %acc : {t}\n%x = arith.select %c, %v, %acc : {t}",
            f'%c = llvm.fcmp "olt" %v, %acc : {t}\n%x = llvm.select %c, %v, %acc : i1, {t}',
        )  # fmt: skip
    for one, other, narrow in (
        ("extsi", "sext", "i16"),
        ("extui", "zext", "i16"),
        ("sitofp", "sitofp", "f32"),
        ("uitofp", "uitofp", "f32"),
    ):
        back = (
            "%w = arith.trunci %v : i32 to i16\n%y = {} %w : i16 to i32"
            if narrow == "i16"
            else "%w = {} %v : i32 to f32\n%y = arith.bitcast %w : f32 to i32"
        )
        texts = [f"{back.format(name)}\n%x = arith.addi %y, %acc : i32" for name in (f"arith.{one}", f"llvm.{other}")]
        found[other] = "i32", texts[0], texts[1]
    texts = [
        f"%w = {op} %v : i32 to i16\n%y = arith.extsi %w : i16 to i32\n%x = arith.addi %y, %acc : i32"
        for op in ("arith.trunci", "llvm.trunc")
    ]
    found["trunc"] = "i32", texts[0], texts[1]
    for one, other in (("arith.fptosi", "llvm.fptosi"), ("arith.fptoui", "llvm.fptoui")):
        texts = [
            f"%w = {op} %v : f32 to i32\n%y = arith.bitcast %w : i32 to f32\n%x = arith.addf %y, %acc : f32"
            for op in (one, other)
        ]
        found[other] = "f32", texts[0], texts[1]
    texts = [
        f"%w = {op} %v : f32 to i32\n%y = arith.bitcast %w : i32 to f32\n%x = arith.addf %y, %acc : f32"
        for op in ("arith.bitcast", "llvm.bitcast")
    ]
    found["bitcast"] = "f32", texts[0], texts[1]
    texts = [
        f"%w = {a} %v : f32 to f64\n%z = arith.mulf %w, %w : f64\n%y = {b} %z : f64 to f32\n%x = arith.addf %y, %acc : f32"
        for a, b in (("arith.extf", "arith.truncf"), ("llvm.fpext", "llvm.fptrunc"))
    ]
    found["fpext, fptrunc"] = "f32", texts[0], texts[1]
    return found


def kernel(name: str, type_: str, text: str) -> str:
    zero = "0" if type_[0] == "i" else "0.0"
    return f"""gpu.func @{name}(%a: memref<?x{type_}>, %o: memref<{type_}>, %n: index) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %zero = arith.constant {zero} : {type_}
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> ({type_}) {{
        %v = memref.load %a[%i] : memref<?x{type_}>
        {text}
        scf.yield %x : {type_} }}
      memref.store %r, %o[] : memref<{type_}>
      gpu.return }}"""


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(4))
def test_loops_are_copied_alike(part: int) -> None:
    some = [*pairs().items()][part::4]
    found: list[dict[str, str]] = []
    for spelling in (1, 2):
        kernels = "\n".join(kernel(f"k{i}", row[0], row[spelling]) for i, (_, row) in enumerate(some))
        ptx = compile_module(f"gpu.module @m {{ {kernels} }}", "sm_80").to_ptx()
        found.append(dict(re.findall(r"\.entry (k\d+)\(.*?\)\s*\{(.*?)\n\}", ptx, re.DOTALL)))
    first, second = found
    assert len(first) == len(second) == len(some)
    for i, (name, _) in enumerate(some):
        assert first[f"k{i}"] == second[f"k{i}"], name
        assert first[f"k{i}"].count("ld.global") > 1, name
