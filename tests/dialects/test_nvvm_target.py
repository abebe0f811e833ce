"""`#nvvm.target`, read and printed as upstream does."""

from __future__ import annotations

import subprocess

import pytest

from tests.codegen.oracle import tool
from weft.errors import MlirError
from weft.mlir import parse_mlir, print_mlir

TARGETS = [
    "#nvvm.target",
    '#nvvm.target<chip = "sm_90a">',
    '#nvvm.target<O = 3, chip = "sm_80", features = "+ptx80", flags = {fast, ftz}>',
    '#nvvm.target<chip = "sm_80", O = 1, link = ["a.bc"], triple = "nvptx64-nvidia-cuda">',
    '#nvvm.target<chip = "sm_50", features = "+ptx60", O = 2>',
    "#nvvm.target<verifyTarget = false>",
]


@pytest.mark.sample(4)
@pytest.mark.parametrize("target", TARGETS)
def test_printed_as_upstream_prints(target: str) -> None:
    text = f"module {{\n  gpu.module @m [{target}] {{\n  }}\n}}\n"
    done = subprocess.run([tool("mlir-opt")], input=text, capture_output=True, text=True, check=True)
    assert print_mlir(parse_mlir(text)).split() == done.stdout.split()


def test_unknown_keys_are_refused() -> None:
    with pytest.raises(MlirError, match="duplicate or unknown struct parameter name: chop"):
        parse_mlir('gpu.module @m [#nvvm.target<chop = "sm_80">] { }')
