"""What code of libdevice asks about how it is compiled (`__nvvm_reflect`), however it comes to its string."""

from __future__ import annotations

from itertools import product

import pytest

import weft

WAYS = {
    "llvm.addrspacecast": "llvm.addrspacecast {} : !llvm.ptr to !llvm.ptr",
    "llvm.bitcast": "llvm.bitcast {} : !llvm.ptr to !llvm.ptr",
    "llvm.getelementptr": "llvm.getelementptr {}[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<12 x i8>",
}
MODULE = """gpu.module @m {{
  llvm.mlir.global private constant @asked("{asked}\\00") : !llvm.array<{length} x i8>
  {flag}
  llvm.func @__nvvm_reflect(!llvm.ptr) -> i32
  llvm.func @k(%p: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
    %0 = llvm.mlir.addressof @asked : !llvm.ptr
{ways}
    %answer = llvm.call @__nvvm_reflect(%{last}) : (!llvm.ptr) -> i32
    llvm.store %answer, %p : i32, !llvm.ptr<1>
    llvm.return
  }}
}}"""
FLAG = 'llvm.module_flags [#llvm.mlir.module_flag<override, "nvvm-reflect-ftz", {} : i32>]'


def answer(asked: str, target: str, ways: tuple[str, ...] = (), flag: str = "") -> int:
    lines = [f"    %{n + 1} = " + WAYS[way].format(f"%{n}") for n, way in enumerate(ways)]
    text = MODULE.format(asked=asked, length=len(asked) + 1, flag=flag, ways="\n".join(lines), last=len(ways))
    (store,) = (i for i in weft.compile(text, target).kernels[0].instructions() if i.opcode.stem == "st")
    return int(str(store.operands[1]), 0)


@pytest.mark.parametrize("ways", [(), *product(WAYS), *product(WAYS, WAYS)], ids=" ".join)
def test_ways_to_the_string(ways: tuple[str, ...]) -> None:
    assert answer("__CUDA_ARCH", "sm_90", ways) == 900


@pytest.mark.parametrize("target", ["sm_75", "sm_80", "sm_89", "sm_90a", "sm_100a", "sm_120"])
def test_targets(target: str) -> None:
    assert answer("__CUDA_ARCH", target) == 10 * int(target[3:].rstrip("a"))


@pytest.mark.parametrize("number", [0, 1, 7])
def test_the_flag(number: int) -> None:
    assert answer("__CUDA_FTZ", "sm_80", flag=FLAG.format(number)) == number
    assert answer("__CUDA_FTZ", "sm_80") == answer("__CUDA_PREC_DIV", "sm_80", flag=FLAG.format(1)) == 0


def test_the_name_of_opencl() -> None:
    text = MODULE.format(asked="__CUDA_ARCH", length=12, flag="", ways="", last=0)
    module = weft.compile(text.replace("@__nvvm_reflect", "@__nvvm_reflect_ocl"), "sm_90")
    assert "900" in str(module) and "reflect" not in str(module)
