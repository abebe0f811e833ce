"""Types and attributes of foreign dialects: their text is kept as it is."""

from __future__ import annotations

import re
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

_TYPELESS = (
    "arm_neon", "arm_sme", "arm_sve", "bufferization", "dlti", "linalg", "rocdl", "tensor", "x86vector", "xevm",
)  # fmt: skip
TYPES = {
    **{dialect: frozenset[str]() for dialect in _TYPELESS},
    "async": frozenset({"coro.handle", "coro.id", "coro.state", "group", "token", "value"}),
    "pdl": frozenset({"attribute", "operation", "range", "type", "value"}),
    "quant": frozenset({"any", "calibrated", "uniform"}),
    "shape": frozenset({"shape", "size", "value_shape", "witness"}),
    "sparse_tensor": frozenset({"iter_space", "iterator", "storage_specifier"}),
    "tosa": frozenset({"shape"}),
    "transform": frozenset({"affine_map", "any_op", "any_param", "any_value", "op", "param", "type"}),
}
"""The types of the dialects whose types are all known here, none where a dialect has none."""


def is_kept(name: str, *, is_type: bool) -> bool:
    """Whether the text of a type, or of an attribute, of a full name is kept as it is."""
    dialect, _, mnemonic = name.partition(".")
    if is_type and dialect in TYPES:
        return mnemonic in TYPES[dialect]
    return dialect in DIALECTS or name in NAMES


@cache
def kept(name: str, *, is_type: bool) -> type[UnregisteredAttr]:
    """The class of the types or attributes of a full name."""
    return UnregisteredAttr.with_name_and_type(name, is_type)


def parameters(parser: Parser) -> str:
    """Parse `<...>` to what is between the brackets.

    Raises:
        ParseError: something else stands there.
    """
    depth, start, end = 0, parser.pos, parser.pos
    text = parser.lexer.input.content
    if not text.startswith("<", start):
        parser.raise_error("expected '<'")
    for match in re.compile(r"->|[<>]").finditer(text, start):
        depth += {"<": 1, ">": -1}.get(match[0], 0)
        if not depth:
            end = match.end()
            break
    parser._resume_from(end)  # pyright: ignore[reportPrivateUsage]
    return text[start + 1 : end - 1]


def parsed(parser: Parser, text: str) -> Attribute:
    """The type that a text spells, in the file of a parser."""
    inner: Any = type(parser)(parser.ctx, text, "<type>")
    return inner.parse_type()
