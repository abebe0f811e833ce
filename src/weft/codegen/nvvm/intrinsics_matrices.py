"""Products of sparse, bit-wise and small matrices, and stores of matrices, by LLVM's intrinsics."""

from __future__ import annotations

import re
from typing import Any

from xdsl.ir import Operation

from weft.codegen.nvvm.fragments import half, outputs, read_product, registers
from weft.codegen.nvvm.intrinsics import family, number, operand, place_of
from weft.codegen.selector import Selector
from weft.isa import opcode

_SHAPE = r"(m\d+n\d+k\d+)"
_SPARSE = "mma.sp::ordered_metadata"
_ROW_COLUMN = {"alayout": "row", "blayout": "col"}


def _types(text: str) -> dict[str, str]:
    """D, A, B and C of a product whose name leaves out what follows from the rest, and of scales that it names."""
    types = text.split(".")
    if len(types) < 4 and types[0] in ("f16", "f32"):
        types = [types[0], "f16", "f16", types[1]]
    elif len(types) < 4:
        total = "s32" if types[0][0] in "su" else "f32"
        types = [total, types[0], types[-1], total]
    return dict(zip(("dtype", "atype", "btype", "ctype", "stype"), types, strict=False))


@family(rf"mma\.sp(\.ordered\.metadata)?\.{_SHAPE}\.row\.col(?:\.kind\.(\w+))?(\.satfinite)?\.([\w.]+)")
def _sparse(s: Selector, op: Operation, name: re.Match[str]) -> None:
    how: dict[str, str | bool] = {"kind": f"kind::{name[3]}"} if name[3] else {}
    if name[4]:
        how["satfinite"] = True
    code = opcode(_SPARSE if name[1] else "mma.sp", shape=name[2], **_ROW_COLUMN, **how, **_types(name[5]))
    *values, metadata, selector = op.operands
    read_product(s, op, code, values, [operand(s, metadata), number(op, selector)])


@family(
    rf"mma\.(sp\.ordered\.metadata\.)?block\.scale\.{_SHAPE}\.row\.col\.(\w+?)(?:\.scale\.(\d)x)?\."
    r"(f32\.\w+\.\w+\.f32\.ue\w+)"
)
def _scaled(s: Selector, op: Operation, name: re.Match[str]) -> None:
    how = {"kind": f"kind::{name[3]}", "scale_vec": f"scale_vec::{name[4]}X" if name[4] else ""}
    code = opcode(_SPARSE if name[1] else "mma", shape=name[2], **_ROW_COLUMN, **how, **_types(name[5]))
    *values, scale_a, byte_a, thread_a, scale_b, byte_b, thread_b = op.operands
    more: list[Any] = []
    if name[1]:
        *values, metadata, selector = values
        more = [operand(s, metadata), number(op, selector)]
    more += [operand(s, scale_a), (half(s, byte_a), half(s, thread_a))]
    more += [operand(s, scale_b), (half(s, byte_b), half(s, thread_b))]
    read_product(s, op, code, values, more)


@family(r"ldmatrix\.sync\.aligned\.(\w+)\.(x\d)(\.trans)?\.(b8x16)\.(\w+)\.p\d")
def _load_matrix(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    place, space = place_of(s, op.operands[0])
    formats = {"dst_fmt": name[4], "src_fmt": name[5]}
    code = opcode("ldmatrix", shape=name[1], num=name[2], trans=bool(name[3]), ss=space, **formats)
    s.read(code, outs, place, outs=outs)


@family(r"stmatrix\.sync\.aligned\.(\w+)\.(x\d)(\.trans)?\.(b\d+)\.p\d")
def _store_matrix(s: Selector, op: Operation, name: re.Match[str]) -> None:
    place, space = place_of(s, op.operands[0])
    code = opcode("stmatrix", shape=name[1], num=name[2], trans=bool(name[3]), ss=space, type=name[4])
    s.emit(code, place, registers(s, op.operands[1:]))
