"""Names of operations, types and attributes that the sources spell are such: a handler of a misspelt one is never called."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import weft
from weft.dialects import lazy
from weft.dialects.context import context

SOURCE = Path(weft.__file__).parent
FOLDERS = ("codegen", "dialects", "mlir", "tile", "transforms", "tracing")
DIALECTS = (
    "affine", "arith", "cf", "complex", "func", "gpu", "index", "linalg", "llvm", "math", "memref", "nvgpu", "nvvm", "scf", "tile", "transform", "ub",
    "vector",
)  # fmt: skip
SPELLED = re.compile(rf"""(["'])((?:{"|".join(DIALECTS)})\.[a-z][\w.]*)\1""")

DISCARDABLE = {
    "gpu.container_module", "gpu.kernel", "gpu.known_block_size", "gpu.known_cluster_size", "gpu.known_grid_size",
    "llvm.align", "llvm.byval", "llvm.data_layout", "llvm.noalias", "nvvm.blocksareclusters", "nvvm.cluster_dim",
    "nvvm.cluster_max_blocks", "nvvm.grid_constant", "nvvm.kernel", "nvvm.managed", "nvvm.maxclusterrank", "nvvm.maxnreg",
    "nvvm.maxntid", "nvvm.minctasm", "nvvm.reqntid", "nvvm.sampler", "nvvm.surface", "nvvm.texture",
    "tile.grid_constant", "tile.kernel",
}  # fmt: skip
"""Attributes that operations of other dialects may have."""
INTRINSICS = "llvm.nvvm."
"""How the functions begin that LLVM knows by their names; they are held to the operations elsewhere."""
OF_INTRINSICS = {"llvm_named.py"}
"""Files that speak of LLVM's other functions, without `llvm.intr.`: tests compile those."""
SPELLED_OTHERWISE = {"nvvm.blocks_are_clusters", "nvvm.explicit_cluster"}
"""Spellings of attributes that LLVM had in other versions."""


@cache
def operations() -> frozenset[str]:
    """The operations of all dialects, and under which other names they are spoken of."""
    found = {f"{dialect}.{name}" for dialect in DIALECTS for name in _names(dialect)}
    return frozenset(found | {name.removeprefix("llvm.intr.") for name in found})


def _names(dialect: str) -> list[str]:
    loaded = (operation.name for operation in context().get_dialect(dialect).operations) if _registered(dialect) else ()
    names = [*lazy.operation_names(dialect), *loaded]
    return [name.removeprefix(f"{dialect}.") for name in names]


def _registered(dialect: str) -> bool:
    return dialect in context().registered_dialect_names


def known(name: str) -> bool:
    """Whether a text is the name of something."""
    asked = context()
    return (
        name in operations() | DISCARDABLE | SPELLED_OTHERWISE
        or any(each.startswith(name) for each in operations())
        or asked.get_optional_op(name) is not None
        or asked.get_optional_op(f"transform.{name}") is not None
        or asked.get_optional_type(name) is not None
        or asked.get_optional_attr(name) is not None
    )


@pytest.mark.parametrize("folder", FOLDERS)
def test_spelled_names_exist(folder: str) -> None:
    """In texts of one word."""
    paths = [path for path in sorted((SOURCE / folder).rglob("*.py")) if path.name not in OF_INTRINSICS]
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    found = {name: path for path, text in texts.items() for _, name in SPELLED.findall(text) if INTRINSICS not in name}
    assert {name: path.name for name, path in found.items() if not known(name)} == {}
