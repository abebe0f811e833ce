"""Tensor memory and its products by LLVM's intrinsics: `tcgen05`."""

from __future__ import annotations

import re
from typing import Any

from xdsl.ir import Operation

from weft.codegen.graph import PRED, Addr
from weft.codegen.nvvm.fragments import outputs, registers
from weft.codegen.nvvm.intrinsics import family, number, operand
from weft.codegen.selector import Selector
from weft.isa import opcode

_GROUP = r"\.cg([12])"


def _tensor(s: Selector, value: Any) -> Addr:
    """An address of tensor memory."""
    return Addr(s.int_value(s.int(value)))


@family(r"tcgen05\.dealloc" + _GROUP)
def _dealloc(s: Selector, op: Operation, name: re.Match[str]) -> None:
    where = s.int_value(s.int(op.operands[0]))
    code = opcode("tcgen05.dealloc", cta_group=f"cta_group::{name[1]}", type="b32")
    s.emit(code, where, operand(s, op.operands[1]))


@family(r"tcgen05\.cp\.(\w+?)(?:_(warpx\w+))?(?:\.(b6x16_p32|b4x16_p64))?" + _GROUP)
def _copy(s: Selector, op: Operation, name: re.Match[str]) -> None:
    spread = {"multicast": name[2].replace("_", "::", 1)} if name[2] else {}
    formats = {"dst_fmt": "b8x16", "src_fmt": name[3]} if name[3] else {}
    code = opcode("tcgen05.cp", cta_group=f"cta_group::{name[4]}", shape=name[1], **spread, **formats)
    s.emit(code, _tensor(s, op.operands[0]), operand(s, op.operands[1]))


@family(r"tcgen05\.shift\.down" + _GROUP)
def _shift(s: Selector, op: Operation, name: re.Match[str]) -> None:
    s.emit(opcode("tcgen05.shift", cta_group=f"cta_group::{name[1]}"), _tensor(s, op.operands[0]))


@family(r"tcgen05\.(ld|st)\.(\d+x\d+bx?2?)\.(x\d+)")
def _moved(s: Selector, op: Operation, name: re.Match[str]) -> None:
    values = list(op.operands)
    packed = bool(number(op, values.pop()))
    place = _tensor(s, values.pop(0))
    offset = [number(op, values.pop(0))] if name[2].endswith("bx2") else []
    how = {"shape": name[2], "num": name[3], "type": "b32"}
    if name[1] == "ld":
        outs = outputs(s, op)
        s.read(opcode("tcgen05.ld", pack=packed, **how), outs, place, *offset, outs=outs)
    else:
        s.emit(opcode("tcgen05.st", unpack=packed, **how), place, *offset, registers(s, values))


_KINDS = ("kind::f16", "kind::tf32", "kind::f8f6f4", "kind::i8")
_USES = ("discard", "lastuse", "fill", "use")


def _operands(s: Selector, op: Operation, *, tensor: bool, sparse: bool) -> tuple[list[Any], Any, list[Any]]:
    """What is first in every product (D, A, B, metadata, the descriptor), whether D counts, and what is left."""
    d, a, b, descriptor, enable, *rest = op.operands
    first: list[Any] = [_tensor(s, d), _tensor(s, a) if tensor else operand(s, a), operand(s, b)]
    if sparse:
        first.append(_tensor(s, rest.pop(0)))
    return [*first, operand(s, descriptor)], s.register(s.test(enable), PRED), rest


@family(r"tcgen05\.mma(\.sp)?\.(shared|tensor)(\.scale_d)?(\.disable_output_lane\.cg([12]))?(\.ashift)?")
def _product(s: Selector, op: Operation, name: re.Match[str]) -> None:
    first, enable, rest = _operands(s, op, tensor=name[2] == "tensor", sparse=bool(name[1]))
    scale = [number(op, rest.pop(0))] if name[3] else []
    mask = [registers(s, [rest.pop(0)])] if name[4] else []
    kind = _KINDS[number(op, rest.pop(0))]
    group = name[5] or number(op, rest.pop(0))
    use = _USES[number(op, rest.pop(0))]
    how = {"cta_group": f"cta_group::{group}", "kind": kind, "collector": f"collector::a::{use}"}
    code = opcode("tcgen05.mma.sp" if name[1] else "tcgen05.mma", **how, ashift=bool(name[6]))
    s.emit(code, *first, *mask, enable, *scale)


@family(r"tcgen05\.mma(\.sp)?\.(shared|tensor)\.(mxf4nvf4|mxf4|mxf8f6f4)\.block_scale(\.block16|\.block32)?")
def _scaled(s: Selector, op: Operation, name: re.Match[str]) -> None:
    first, enable, rest = _operands(s, op, tensor=name[2] == "tensor", sparse=bool(name[1]))
    scales = [_tensor(s, value) for value in rest[:2]]
    group, use = number(op, rest[2]), _USES[number(op, rest[3])]
    how = {"cta_group": f"cta_group::{group}", "kind": f"kind::{name[3]}", "collector": f"collector::a::{use}"}
    code = opcode("tcgen05.mma.sp" if name[1] else "tcgen05.mma", **how, block=(name[4] or "").removeprefix("."))
    s.emit(code, *first, *scales, enable)


@family(r"tcgen05\.mma\.ws(\.sp)?\.(shared|tensor)(\.zero_col_mask)?")
def _stationary(s: Selector, op: Operation, name: re.Match[str]) -> None:
    first, enable, rest = _operands(s, op, tensor=name[2] == "tensor", sparse=bool(name[1]))
    columns = [operand(s, rest.pop(0))] if name[3] else []
    kind, buffer, use = _KINDS[number(op, rest[0])], number(op, rest[1]), _USES[number(op, rest[2])]
    how = {"cta_group": "cta_group::1", "kind": kind, "collector": f"collector::b{buffer}::{use}"}
    code = opcode("tcgen05.mma.ws.sp" if name[1] else "tcgen05.mma.ws", **how)
    s.emit(code, *first, enable, *columns)
