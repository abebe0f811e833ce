"""Globals that are more than variables: in memory of host and device, or bound to a texture, surface or sampler.

LLVM has this as annotations of NVVM; MLIR, which has none, as attributes of the same names (`nvvm.managed`).
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr
from xdsl.ir import Operation

from weft.codegen.linkage import EXTERNAL, variable_word
from weft.mlir import compile_error
from weft.ptx.ast import Attribute, Variable
from weft.ptx.operands import Integer
from weft.ptx.values import Field, ValueList, Word

_OPAQUE = {"nvvm.texture": "texref", "nvvm.surface": "surfref", "nvvm.sampler": "samplerref"}
"""The attributes of what is bound to a texture, a surface or a sampler, and PTX's types of them."""
_MANAGED = "nvvm.managed"
_ADDRESSING = ("wrap", "clamp_to_border", "clamp_to_edge", "wrap", "mirror")
"""How the three low bits of a sampler say what lies outside a texture."""


def _notes(op: Operation) -> set[str]:
    """The attributes of a global that LLVM has as annotations of NVVM."""
    given = op.properties.get("target_specific_attrs")
    listed = cast("ArrayAttr[StringAttr | ArrayAttr[StringAttr]]", given) if isinstance(given, ArrayAttr) else ()
    return {*op.attributes, *(entry.data if isinstance(entry, StringAttr) else entry.data[0].data for entry in listed)}


def managed(op: Operation, space: str) -> tuple[Attribute, ...]:
    """The attributes of a variable in memory that host and device share."""
    if _MANAGED not in _notes(op):
        return ()
    if space != "global":
        raise compile_error(op, f"a variable in the {space} space cannot be managed")
    return (Attribute("managed"),)


def opaque(op: Operation, name: str, linkage: str) -> Variable | None:
    """The reference to a texture, surface or sampler that a global stands for; None when it is a variable."""
    kinds = [kind for note, kind in _OPAQUE.items() if note in _notes(op)]
    if not kinds:
        return None
    if len(kinds) > 1:
        raise compile_error(op, f"one global cannot be {' and '.join(kinds)}")
    value = op.properties.get("value")
    defined = linkage != EXTERNAL or value is not None or bool(op.regions and op.regions[0].blocks)
    initial = _sampler(value) if kinds[0] == "samplerref" and defined else None
    word = variable_word(linkage, "global", defined=defined)
    return Variable("global", kinds[0], name, linkage=word, initializer=initial)


def _sampler(value: Any) -> ValueList:
    """The initial value of a sampler, of which OpenCL's numbers say how it addresses, filters and scales."""
    bits = int(value.value.data) if isinstance(value, IntegerAttr) else 0
    mode = bits & 7
    parts = [Field(f"addr_mode_{i}", Word(_ADDRESSING[mode])) for i in range(3) if mode < len(_ADDRESSING)]
    parts.append(Field("filter_mode", Word("linear" if bits >> 4 & 3 == 1 else "nearest")))
    if not bits & 8:
        parts.append(Field("force_unnormalized_coords", Integer(1)))
    return ValueList(parts)
