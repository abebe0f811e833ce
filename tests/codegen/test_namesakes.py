"""Symbols of the same name in several `gpu.module`s: all but the first are renamed, and what refers to them; one that is
declared only is the one that another module defines.
"""

from __future__ import annotations

import re

import pytest

from weft.codegen.namesakes import collide, rename
from weft.mlir import parse_mlir
from weft.mlir.printer import print_mlir

DEFINED = "llvm.func @f(%i: i32) { llvm.return }"
DECLARED = "llvm.func @f(i32)"
OTHER = "llvm.func @g(%i: i32) { llvm.call @f(%i) : (i32) -> () llvm.return }"
NEXT = "llvm.func @f_0(%i: i32) { llvm.return }"
VARIABLE = "llvm.mlir.global external @f() : i32"


@pytest.mark.parametrize(
    ("modules", "names"),
    [
        ([DEFINED], ["f"]),
        ([DEFINED, DEFINED], ["f", "f_0"]),
        ([DEFINED, DECLARED], ["f", "f"]),
        ([DECLARED, DEFINED], ["f", "f"]),
        ([DECLARED, DECLARED], ["f", "f"]),
        ([VARIABLE, DEFINED], ["f", "f_0"]),
        ([DEFINED, VARIABLE], ["f", "f_0"]),
        ([VARIABLE, VARIABLE], ["f", "f_0"]),
        ([DEFINED, DEFINED, DEFINED], ["f", "f_0", "f_1"]),
        ([DEFINED, DEFINED + NEXT], ["f", "f_1", "f_0"]),
        ([DEFINED + NEXT, DEFINED], ["f", "f_0", "f_1"]),
        ([DEFINED, DECLARED + OTHER], ["f", "f", "g"]),
    ],
)
def test_names(modules: list[str], names: list[str]) -> None:
    module = parse_mlir("\n".join(f"gpu.module @m{index} {{ {text} }}" for index, text in enumerate(modules)))
    renamed = len(names) > 1 and sorted(names) != sorted(
        op.sym_name.data for device in module.body.block.ops for op in device.regions[0].block.ops
    )
    assert collide(module) is renamed
    rename(module)
    found = [op.sym_name.data for device in module.body.block.ops for op in device.regions[0].block.ops]
    assert found == names
    assert not collide(module)


def test_references_follow() -> None:
    module = parse_mlir(f"gpu.module @a {{ {DEFINED} }} gpu.module @b {{ {DEFINED} {OTHER} }}")
    rename(module)
    assert "llvm.call @f_0(" in print_mlir(module)


def test_the_module_says_which() -> None:
    """Upstream's outlining numbers the modules of all functions together: the second kernel of `@f` may be in `@f_3`."""
    module = parse_mlir(
        f"gpu.module @f {{ {DEFINED} }} gpu.module @f_3 {{ {DEFINED} {OTHER} }} gpu.module @f_x {{ {DEFINED} }}"
    )
    rename(module)
    text = print_mlir(module)
    assert re.findall(r"func @(\w+)", text) == ["f", "f_3", "g", "f_0"]
    assert "llvm.call @f_3(" in text
