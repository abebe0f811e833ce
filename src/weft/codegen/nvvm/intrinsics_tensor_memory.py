"""Tensor memory and its products by LLVM's intrinsics: `tcgen05`."""

from __future__ import annotations

import re
from typing import Any

from weft.codegen.graph import PRED, Addr
from weft.codegen.nvvm.fragments import outputs, registers
from weft.codegen.nvvm.intrinsics import family, narrow, number, operand, place_of
from weft.codegen.selector import Selector
from weft.isa import decode

_GROUP = r"\.cg([12])"


def _tensor(s: Selector, value: Any) -> Addr:
    """An address of tensor memory."""
    return Addr(s.int_value(s.int(value)))


@family(r"tcgen05\.alloc(\.shared)?" + _GROUP)
def _alloc(s: Selector, op: Any, name: re.Match[str]) -> None:
    place, _ = place_of(s, op.operands[0])
    space = ".shared::cta" if name[1] else ""
    s.emit(decode(f"tcgen05.alloc.cta_group::{name[2]}.sync.aligned{space}.b32"), place, operand(s, op.operands[1]))


@family(r"tcgen05\.dealloc" + _GROUP)
def _dealloc(s: Selector, op: Any, name: re.Match[str]) -> None:
    where = s.int_value(s.int(op.operands[0]))
    s.emit(decode(f"tcgen05.dealloc.cta_group::{name[1]}.sync.aligned.b32"), where, operand(s, op.operands[1]))


@family(r"tcgen05\.relinq\.alloc\.permit" + _GROUP)
def _relinquish(s: Selector, op: Any, name: re.Match[str]) -> None:
    s.emit(decode(f"tcgen05.relinquish_alloc_permit.cta_group::{name[1]}.sync.aligned"))


@family(r"tcgen05\.fence\.(after|before)\.thread\.sync|tcgen05\.wait\.(ld|st)")
def _ordered(s: Selector, op: Any, name: re.Match[str]) -> None:
    text = f"fence::{name[1]}_thread_sync" if name[1] else f"wait::{name[2]}.sync.aligned"
    s.emit(decode(f"tcgen05.{text}"))


@family(r"tcgen05\.commit(\.mc)?(\.shared)?" + _GROUP)
def _commit(s: Selector, op: Any, name: re.Match[str]) -> None:
    place, _ = place_of(s, op.operands[0])
    cast = ".multicast::cluster" if name[1] else ""
    code = decode(f"tcgen05.commit.cta_group::{name[3]}.mbarrier::arrive::one.shared::cluster{cast}.b64")
    s.emit(code, place, *(narrow(s, value) for value in op.operands[1:]))


@family(r"tcgen05\.cp\.(\w+?)(?:_(warpx\w+))?(?:\.(b6x16_p32|b4x16_p64))?" + _GROUP)
def _copy(s: Selector, op: Any, name: re.Match[str]) -> None:
    spread = f".{name[2].replace('_', '::', 1)}" if name[2] else ""
    packed = f".b8x16.{name[3]}" if name[3] else ""
    code = decode(f"tcgen05.cp.cta_group::{name[4]}.{name[1]}{spread}{packed}")
    s.emit(code, _tensor(s, op.operands[0]), operand(s, op.operands[1]))


@family(r"tcgen05\.shift\.down" + _GROUP)
def _shift(s: Selector, op: Any, name: re.Match[str]) -> None:
    s.emit(decode(f"tcgen05.shift.cta_group::{name[1]}.down"), _tensor(s, op.operands[0]))


@family(r"tcgen05\.(ld|st)\.(\d+x\d+bx?2?)\.(x\d+)")
def _moved(s: Selector, op: Any, name: re.Match[str]) -> None:
    values = list(op.operands)
    packed = number(op, values.pop())
    place = _tensor(s, values.pop(0))
    offset = [number(op, values.pop(0))] if name[2].endswith("bx2") else []
    if name[1] == "ld":
        outs = outputs(s, op)
        mode = ".pack::16b" if packed else ""
        s.read(decode(f"tcgen05.ld.sync.aligned.{name[2]}.{name[3]}{mode}.b32"), outs, place, *offset, outs=outs)
    else:
        mode = ".unpack::16b" if packed else ""
        code = decode(f"tcgen05.st.sync.aligned.{name[2]}.{name[3]}{mode}.b32")
        s.emit(code, place, *offset, registers(s, values))


_KINDS = ("f16", "tf32", "f8f6f4", "i8")
_USES = ("discard", "lastuse", "fill", "use")


def _operands(s: Selector, op: Any, *, tensor: bool, sparse: bool) -> tuple[list[Any], Any, list[Any]]:
    """What stands first in every product (D, A, B, metadata, the descriptor), whether D counts, and what is left."""
    d, a, b, descriptor, enable, *rest = op.operands
    first: list[Any] = [_tensor(s, d), _tensor(s, a) if tensor else operand(s, a), operand(s, b)]
    if sparse:
        first.append(_tensor(s, rest.pop(0)))
    return [*first, operand(s, descriptor)], s.register(s.test(enable), PRED), rest


@family(r"tcgen05\.mma(\.sp)?\.(shared|tensor)(\.scale_d)?(\.disable_output_lane\.cg([12]))?(\.ashift)?")
def _product(s: Selector, op: Any, name: re.Match[str]) -> None:
    first, enable, rest = _operands(s, op, tensor=name[2] == "tensor", sparse=bool(name[1]))
    scale = [number(op, rest.pop(0))] if name[3] else []
    mask = [registers(s, [rest.pop(0)])] if name[4] else []
    kind = _KINDS[number(op, rest.pop(0))]
    group = name[5] or number(op, rest.pop(0))
    use = _USES[number(op, rest.pop(0))]
    shift = ".ashift" if name[6] else ""
    code = decode(f"tcgen05.mma{name[1] or ''}.cta_group::{group}.kind::{kind}.collector::a::{use}{shift}")
    s.emit(code, *first, *mask, enable, *scale)


@family(r"tcgen05\.mma(\.sp)?\.(shared|tensor)\.(mxf4nvf4|mxf4|mxf8f6f4)\.block_scale(\.block16|\.block32)?")
def _scaled(s: Selector, op: Any, name: re.Match[str]) -> None:
    first, enable, rest = _operands(s, op, tensor=name[2] == "tensor", sparse=bool(name[1]))
    scales = [_tensor(s, value) for value in rest[:2]]
    group, use = number(op, rest[2]), _USES[number(op, rest[3])]
    code = decode(
        f"tcgen05.mma{name[1] or ''}.cta_group::{group}.kind::{name[3]}.block_scale{name[4] or ''}.collector::a::{use}"
    )
    s.emit(code, *first, *scales, enable)


@family(r"tcgen05\.mma\.ws(\.sp)?\.(shared|tensor)(\.zero_col_mask)?")
def _stationary(s: Selector, op: Any, name: re.Match[str]) -> None:
    first, enable, rest = _operands(s, op, tensor=name[2] == "tensor", sparse=bool(name[1]))
    columns = [operand(s, rest.pop(0))] if name[3] else []
    kind, buffer, use = _KINDS[number(op, rest[0])], number(op, rest[1]), _USES[number(op, rest[2])]
    code = decode(f"tcgen05.mma.ws{name[1] or ''}.cta_group::1.kind::{kind}.collector::b{buffer}::{use}")
    s.emit(code, *first, enable, *columns)
