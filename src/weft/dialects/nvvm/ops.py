"""Operations of `nvvm` that are one instruction: a row says their syntax and which one.

    name: operands | flags | format | instruction, its fixed operands | what it does

An operand is `name:type`; a flag is a unit attribute that is a slot of the instruction, by the same name. The
instruction is the stem of a family of the ISA table and `slot=token`s; operands follow its form. The class of the
operation, its lowering, and the instruction that documents and `weft isa` name for it are read off the row.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from xdsl.dialects.builtin import UnitAttr, i32, i64
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, ParsePropInAttrDict, irdl_op_definition, operand_def, opt_prop_def

from weft.dataclass import dataclass
from weft.dialects.nvvm.rows import ROWS

_TYPES: Mapping[str, Attribute] = {"i32": i32, "i64": i64}


@dataclass(frozen=True, slots=True)
class Row:
    """A row, read: `slots` are those of the instruction `stem`, `fixed` the operands that stand before all others."""

    operands: Mapping[str, Attribute]
    flags: tuple[str, ...]
    format: str
    stem: str
    slots: Mapping[str, str]
    fixed: tuple[int, ...]
    summary: str


@cache
def row(name: str) -> Row:
    """The row of an operation by its name without `nvvm.`."""
    operands, flags, form, instruction, summary = (part.strip() for part in ROWS[name].split("|"))
    named = dict(operand.split(":") for operand in operands.split())
    code, _, fixed = instruction.partition(",")
    stem, *slots = code.split()
    return Row(
        {name: _TYPES[kind] for name, kind in named.items()},
        tuple(flags.split()),
        form or "attr-dict",
        stem,
        dict(slot.split("=") for slot in slots),
        tuple(map(int, fixed.split())),
        summary,
    )


@cache
def operation(name: str) -> type[Operation]:
    """The class of an operation, made when it is first asked for."""
    found = row(name)
    fields: dict[str, Any] = {
        "name": f"nvvm.{name}",
        "__doc__": f"`nvvm.{name}`: {found.summary}.",
        "__module__": __name__,
        "assembly_format": found.format,
        **{operand: operand_def(kind) for operand, kind in found.operands.items()},
        **{flag: opt_prop_def(UnitAttr) for flag in found.flags},
    }
    if found.flags:
        fields["irdl_options"] = (ParsePropInAttrDict(),)
    title = "".join(word.title() for part in name.split(".") for word in part.split("_"))
    return irdl_op_definition(type(f"{title}Op", (IRDLOperation,), fields))
