"""What our passes make is whole: the class of each operation takes its operands, results and properties."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import VerifyException

from weft.mlir import parse_mlir
from weft.tile.kernel import Kernel
from weft.tile.kernels import attention, gemm, softmax
from weft.transforms.nvgpu_to_nvvm import lower_module as lower_nvgpu
from weft.transforms.tile_lowering import lower_module as lower_tile

SNIPPETS = sorted((Path(__file__).parent / "snippets").glob("*.mlir"))


def _problems(module: ModuleOp) -> Iterator[str]:
    for op in module.walk():
        if not op.regions:
            try:
                op.verify_()
            except VerifyException as error:
                yield f"{op.name}: {error}"


@pytest.mark.sample(2)
@pytest.mark.filterwarnings("ignore::weft.errors.PerformanceWarning")
@pytest.mark.parametrize("kernel", [gemm, softmax, attention], ids=["gemm", "softmax", "attention"])
@pytest.mark.parametrize("target", ["sm_80", "sm_90a"])
def test_lowered_kernels(kernel: Kernel, target: str) -> None:
    module = kernel.build(kernel.specialize(None, None, kernel.aimed(None, target))).module.clone()
    lower_tile(module, target)
    assert set(_problems(module)) == set()


@pytest.mark.parametrize("path", SNIPPETS, ids=lambda path: path.stem)
def test_lowered_operations_of_nvgpu(path: Path) -> None:
    for chunk in path.read_text(encoding="utf-8").split("// -----"):
        module = parse_mlir(chunk)
        lower_nvgpu(module)
        assert set(_problems(module)) == set()
