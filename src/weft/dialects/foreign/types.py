"""Types and attributes of foreign dialects: their text is kept as it is."""

from __future__ import annotations

from functools import cache
from typing import Any

from xdsl.dialects.builtin import UnregisteredAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser

DIALECTS = frozenset(
    {"amdgpu", "amx", "arm_neon", "arm_sme", "arm_sve", "async", "bufferization", "dlti", "linalg", "ptr", "rocdl",
     "shape", "sparse_tensor", "spirv", "tensor", "tosa", "transform", "x86vector", "xegpu", "xevm", "quant", "pdl",
     "acc", "omp", "emitc", "ml_program", "shard", "mpi", "smt", "irdl", "wasmssa"}
)  # fmt: skip
"""Dialects whose types and attributes are read as text."""
NAMES = frozenset(
    {"gpu.loop_dim_map", "llvm.address_space", "llvm.comdat", "llvm.dependent_libraries", "llvm.di_expression_elem",
     "llvm.dso_local_equivalent", "llvm.mlir.workgroup_attribution", "llvm.mmra_tag", "llvm.profile_summary",
     "llvm.profile_summary_detailed", "llvm.target", "llvm.tbaa_member", "nvvm.memory_space"}
)  # fmt: skip
"""Those of other dialects that are."""


@cache
def kept(name: str, *, is_type: bool) -> type[UnregisteredAttr]:
    """The class of the types or attributes of a full name."""
    return UnregisteredAttr.with_name_and_type(name, is_type)


def parsed(parser: Parser, text: str) -> Attribute:
    """The type that a text spells, in the file of a parser."""
    inner: Any = type(parser)(parser.ctx, text, "<type>")
    return inner.parse_type()
