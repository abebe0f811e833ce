"""What our passes make is whole: the class of each operation takes its operands, results and properties."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.utils.exceptions import VerifyException

import weft
from weft.mlir import parse_mlir, verify_module
from weft.tile import Global, f16, f32, f64, fill, i8, register, warp
from weft.tile import functions as fn
from weft.tile.kernel import Kernel
from weft.tile.kernels import attention, gemm, softmax
from weft.tile.layouts import mma_layout
from weft.transforms.nvgpu_to_nvvm import lower_module as lower_nvgpu
from weft.transforms.tile_lowering import lower_module as lower_tile

SNIPPETS = sorted((Path(__file__).parent / "snippets").glob("*.mlir"))


def _bits(kind: Any) -> int:
    return prod(kind.get_shape()) * kind.element_type.bitwidth if isinstance(kind, VectorType) else kind.bitwidth


def _problems(module: ModuleOp) -> Iterator[str]:
    for op in module.walk():
        if not op.regions:
            try:
                op.verify_()
            except VerifyException as error:
                yield f"{op.name}: {error}"
        if (
            op.name in ("llvm.bitcast", "arith.bitcast")
            and len({_bits(x.type) for x in (*op.operands, *op.results)}) > 1
        ):
            yield f"{op.name}: {op.operands[0].type} has other bits than {op.results[0].type}"


@pytest.mark.sample(1)
@pytest.mark.filterwarnings("ignore::weft.errors.PerformanceWarning")
@pytest.mark.parametrize("kernel", [gemm, softmax, attention], ids=["gemm", "softmax", "attention"])
@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
def test_lowered_kernels(kernel: Kernel, target: str) -> None:
    module = kernel.build(kernel.specialize(None, None, kernel.aimed(None, target))).module.clone()
    lower_tile(module, target)
    assert set(_problems(module)) == set()


@weft.kernel(threads=32, grid=1)
def everything(x: Global(f16, (16, 16)), y: Global(f32, (16, 16)), z: Global(i8, (16, 16)), w: Global(f64, (16, 16))):
    """Tiles of elements of each width, and each way to write them."""
    layout = mma_layout("d", (16, 16), f16)
    a, b, c, d = (register((16, 16), kind, layout) for kind in (f16, f32, i8, f64))
    warp.copy(a, x)
    warp.copy(b, y)
    warp.copy(c, z)
    warp.copy(d, w)
    a += fn.fma(a, a * 0.5, -a) + fn.maximum(abs(a), fn.exp2(a)) - fn.minimum(fn.tanh(a), a)
    a += fn.convert(b, f16) + fn.sum(a, 1, keepdims=True) + fn.convert(c, f16)
    c += fn.convert(b, i8) + fn.max(c, 0, keepdims=True)
    d += fn.convert(b, f64) + fn.sum(d, 0, keepdims=True)
    c.storage[3] = c.storage[2]
    a.storage[1] = a.storage[4]
    fill(b, 2)
    warp.copy(x, a)
    warp.copy(y, b)
    warp.copy(z, c)
    warp.copy(w, d)


def test_everything_on_registers() -> None:
    module = everything.build(everything.specialize(None, None, everything.aimed(None, "sm_90a"))).module.clone()
    lower_tile(module, "sm_90a")
    assert set(_problems(module)) == set()
    verify_module(module)


@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_lowered_operations_of_nvgpu(path: Path) -> None:
    for chunk in path.read_text(encoding="utf-8").split("// -----"):
        module = parse_mlir(chunk)
        lower_nvgpu(module)
        assert set(_problems(module)) == set()
