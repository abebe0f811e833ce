"""What two blocks compute, each for itself, is computed before both where both may run."""

import numpy as np

import weft
from tests.codegen.support import compiled

IN_TURN = """
llvm.func @k(%o: !llvm.ptr<1>, %a: i32, %b: i32, %n: i32) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %p = llvm.icmp "sgt" %n, %one : i32
  %q = llvm.icmp "sgt" %a, %n : i32
  llvm.cond_br %p, ^first, ^between
^first:
  %x = llvm.mul %a, %b : i32
  llvm.store volatile %x, %o : i32, !llvm.ptr<1>
  llvm.br ^between
^between:
  llvm.cond_br %q, ^second, ^end
^second:
  %y = llvm.mul %a, %b : i32
  %z = llvm.xor %y, %one : i32
  %at = llvm.getelementptr %o[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  llvm.store volatile %z, %at : i32, !llvm.ptr<1>
  llvm.br ^end
^end:
  llvm.return
}"""
APART = IN_TURN.replace("  llvm.store volatile %x, %o : i32, !llvm.ptr<1>\n  llvm.br ^between",
                        "  llvm.store volatile %x, %o : i32, !llvm.ptr<1>\n  llvm.br ^end")  # fmt: skip


def test_one_after_the_other() -> None:
    module = compiled(IN_TURN)
    assert module.to_ptx().count("mul.lo.s32") == 1
    for a, b, n in ((5, 7, 3), (5, 7, 9), (5, 7, 1), (-5, 7, 1)):
        out = np.zeros(2, np.int32)
        weft.run(module, "k", 1, 1, [out, np.int32(a), np.int32(b), np.int32(n)])
        assert out.tolist() == [a * b * (n > 1), (a * b ^ 1) * (a > n)]


def test_two_ways_apart_keep_their_own() -> None:
    assert compiled(APART).to_ptx().count("mul.lo.s32") == 2
