"""Vectors of integers of 65 to 128 bits: every kind of operation against LLVM, on the simulator."""

from __future__ import annotations

import pytest

import weft
from tests.codegen.breadth import differences
from tests.codegen.breadth_cases import Case
from weft.errors import CompileError


def operations(i: str, v: str) -> list[str]:
    """Operations that make the vector `%x` of `%v`, `%w`, and the numbers `%a`, `%b`."""
    found = [f"%x = arith.{op} %v, %w : {v}" for op in ("addi", "subi", "muli", "andi", "xori", "minsi", "maxui")]
    for op in ("divui", "remsi", "floordivsi"):
        found.append(f"""%n = arith.constant dense<9> : {v}
          %m = arith.andi %w, %n : {v}
          %o = arith.constant dense<[3, 1]> : {v}
          %d = arith.ori %m, %o : {v}
          %x = arith.{op} %v, %d : {v}""")
    for op in ("shli", "shrui", "shrsi"):
        found.append(f"%k = arith.constant dense<[3, 41]> : {v} %x = arith.{op} %v, %k : {v}")
    for op in ("ctpop", "bitreverse"):
        found.append(f"%x = llvm.intr.{op}(%v) : ({v}) -> {v}")
    for op in ("add", "mul", "xor", "minsi", "maxui"):
        found.append(f"%y = vector.reduction <{op}>, %v : {v} into {i} %x = vector.insert %y, %v[1] : {i} into {v}")
    found += [
        f"%c = arith.cmpi slt, %v, %w : {v} %x = arith.select %c, %v, %w : vector<2xi1>, {v}",
        f"%c = arith.cmpi slt, %a, %b : i64 %x = arith.select %c, %v, %w : {v}",
        f"%x = vector.shuffle %v, %w [3, 0] : {v}, {v}",
        f"%n = arith.trunci %v : {v} to vector<2xi64> %x = arith.extsi %n : vector<2xi64> to {v}",
        f"%n = arith.trunci %v : {v} to vector<2xi1> %x = arith.extui %n : vector<2xi1> to {v}",
        f"%f = arith.sitofp %v : {v} to vector<2xf64> %x = arith.fptosi %f : vector<2xf64> to {v}",
        f"%x = llvm.intr.fshl(%v, %w, %v) : ({v}, {v}, {v}) -> {v}",
        f"""%o = arith.constant 1 : i64
          %q = arith.andi %a, %o : i64
          %e = llvm.extractelement %v[%q : i64] : {v}
          %x = llvm.insertelement %e, %w[%q : i64] : {v}""",
    ]
    if int(i[1:]) % 8 == 0:
        found.append(f"""%o = llvm.mlir.constant(1 : i32) : i32
          %m = llvm.alloca %o x {v} : (i32) -> !llvm.ptr
          llvm.store volatile %v, %m : {v}, !llvm.ptr
          %x = llvm.load volatile %m : !llvm.ptr -> {v}""")
    return found


def cases(i: str) -> list[Case]:
    v = f"vector<2x{i}>"
    return [
        Case(
            f"""%n0 = arith.extsi %a : i64 to {i}
            %n1 = arith.extui %b : i64 to {i}
            %by = arith.constant 47 : {i}
            %n2 = arith.shli %n1, %by : {i}
            %z = llvm.mlir.zero : {v}
            %u = vector.broadcast %n0 : {i} to {v}
            %v = vector.insert %n2, %u[1] : {i} into {v}
            %w0 = vector.insert %n0, %z[0] : {i} into {v}
            %w = arith.xori %w0, %v : {v}
            {operation}
            %r0 = vector.extract %x[0] : {i} from {v}
            %r1 = vector.extract %x[1] : {i} from {v}
            %low = arith.constant 40 : {i}
            %r2 = arith.shrsi %r1, %low : {i}
            %t0 = arith.trunci %r0 : {i} to i64
            %t1 = arith.trunci %r2 : {i} to i64
            %r = arith.xori %t0, %t1 : i64""",
            ("i64", "i64"),
            ("i64",),
        )
        for operation in operations(i, v)
    ]


def test_as_llvm_has_some() -> None:
    assert not differences(cases("i128")[::15], "sm_90")


@pytest.mark.slow
@pytest.mark.parametrize("width", [65, 80, 96, 127, 128])
def test_as_llvm_has_them(width: int) -> None:
    assert not differences(cases(f"i{width}"), "sm_90")


def test_odd_ones_in_memory() -> None:
    """Their elements lie bit beside bit."""
    with pytest.raises(CompileError, match="cannot lower vector<2xi65> in memory"):
        weft.compile(
            "llvm.func @f(%p: !llvm.ptr, %x: vector<2xi65>) { llvm.store %x, %p : vector<2xi65>, !llvm.ptr llvm.return }"
        )
