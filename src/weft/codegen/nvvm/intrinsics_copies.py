"""Copies, their mbarriers, prefetches, fences and tensor maps by LLVM's intrinsics."""

from __future__ import annotations

import re
from typing import Any

from xdsl.ir import Operation

from weft.codegen.access import generic, in_tensor
from weft.codegen.graph import B32, B128, Addr
from weft.codegen.nvvm.fragments import half, outputs, registers
from weft.codegen.nvvm.intrinsics import family, number, operand, place_of
from weft.codegen.selector import Selector
from weft.codegen.types import pointer_space
from weft.isa import opcode
from weft.ptx.operands import Sink

_SCOPED = r"(?:\.(relaxed))?\.scope\.(cta|cluster)\.space\.(cta|cluster)"


@family(
    r"mbarrier\.(arrive|arrive\.drop|expect\.tx|complete\.tx|arrive\.expect\.tx|arrive\.drop\.expect\.tx)" + _SCOPED
)
def _arrive(s: Selector, op: Operation, name: re.Match[str]) -> None:
    action, _, expect = name[1].replace("arrive.drop", "arrive_drop").replace(".tx", "_tx").partition(".")
    arrives = action.startswith("arrive")
    scope = {"sem": "release" if arrives and not name[2] else "relaxed", "scope": name[3]}
    if scope == {"sem": "release", "scope": "cta"}:
        scope = {}  # The default, which older PTX has too.
    outs = outputs(s, op) if op.results else ()
    to: list[Any] = list(outs)
    if not outs and arrives:
        to = [Sink()]
    place, _ = place_of(s, op.operands[0])
    expected = {"expect_tx": True} if expect else {}
    code = opcode(f"mbarrier.{action}", **expected, **scope, ss=f"shared::{name[4]}", type="b64")
    s.emit(code, *to, place, operand(s, op.operands[1]), outs=outs)


@family(r"mbarrier\.(test|try)\.wait(\.parity)?(?:\.tl)?" + _SCOPED)
def _wait(s: Selector, op: Operation, name: re.Match[str]) -> None:
    sem = "relaxed" if name[3] else "acquire" if name[4] == "cluster" else ""
    scope = {"sem": sem, "scope": name[4]} if sem else {}
    code = opcode(f"mbarrier.{name[1]}_wait", parity=bool(name[2]), **scope, ss=f"shared::{name[5]}", type="b64")
    outs = outputs(s, op)
    place, _ = place_of(s, op.operands[0])
    s.emit(code, *outs, place, *(operand(s, value) for value in op.operands[1:]), outs=outs)


_FIELD = {"box.dim": "b32", "element.stride": "b32", "elemtype": "b32", "fill.mode": "b32", "global.address": "b64",
          "global.dim": "b32", "global.stride": "b64", "interleave.layout": "b32", "rank": "b32",
          "swizzle.atomicity": "b32", "swizzle.mode": "b32"}  # fmt: skip


@family(r"tensormap\.replace\.([\w.]+)\.p\d")
def _replace(s: Selector, op: Operation, name: re.Match[str]) -> None:
    place, space = place_of(s, op.operands[0])
    where = "shared::cta" if space == "shared" else space
    field = name[1].replace(".", "_")
    code = opcode("tensormap.replace", mode="tile", field=field, ss=where, type=_FIELD[name[1]])
    s.emit(code, place, *(operand(s, value) for value in op.operands[1:]))


@family(r"clusterlaunchcontrol\.query_cancel\.(is_canceled|get_first_ctaid\.([xyz]))")
def _cancelled(s: Selector, op: Operation, name: re.Match[str]) -> None:
    whole = s.value(B128)
    s.emit(opcode("mov", type="b128"), whole, registers(s, op.operands), outs=(whole,))
    query, type_ = (f"get_first_ctaid::{name[2]}", "b32") if name[2] else ("is_canceled", "pred")
    outs = outputs(s, op)
    code = opcode("clusterlaunchcontrol.query_cancel", query=query, type=type_, response="b128")
    s.emit(code, *outs, whole, outs=outs)


# -- bulk copies ----------------------------------------------------------------------------------------------------

_DONE = "mbarrier::complete_tx::bytes"


def _tail(s: Selector, mask: Any, hint: Any) -> list[Any]:
    """The blocks of the cluster that get a copy, and the cache's policy, where there are some."""
    found: list[Any] = [] if mask is None else [half(s, mask)]
    return found if hint is None else [*found, operand(s, hint)]


def _places(s: Selector, values: Any) -> list[Addr]:
    return [place_of(s, value)[0] for value in values]


@family(r"cp\.async\.bulk\.global\.to\.shared\.(cluster|cta)")
def _bulk_load(s: Selector, op: Operation, name: re.Match[str]) -> None:
    to, barrier, source = _places(s, op.operands[:3])
    size, *rest = op.operands[3:]
    mask = rest.pop(0) if name[1] == "cluster" else None
    hint, *flags = rest
    cast = bool(mask is not None and number(op, flags[0]))
    cached = bool(number(op, flags[-1]))
    spread = {"multicast": "multicast::cluster"} if cast else {}
    to_space = f"shared::{name[1]}"
    code = opcode("cp.async.bulk", dst=to_space, src="global", completion_mechanism=_DONE, **spread, cache_hint=cached)
    tail = _tail(s, mask if cast else None, hint if cached else None)
    s.emit(code, to, source, operand(s, size), barrier, *tail)


@family(r"cp\.async\.bulk\.shared\.cta\.to\.cluster")
def _bulk_exchange(s: Selector, op: Operation, name: re.Match[str]) -> None:
    to, barrier, source = _places(s, op.operands[:3])
    code = opcode("cp.async.bulk", dst="shared::cluster", src="shared::cta", completion_mechanism=_DONE)
    s.emit(code, to, source, operand(s, op.operands[3]), barrier)


@family(r"cp\.async\.bulk\.shared\.cta\.to\.global(\.bytemask)?")
def _bulk_store(s: Selector, op: Operation, name: re.Match[str]) -> None:
    to, source = _places(s, op.operands[:2])
    size, hint, cache, *mask = op.operands[2:]
    cached = bool(number(op, cache))
    how = {"completion_mechanism": "bulk_group", "cache_hint": cached, "cp_mask": bool(mask)}
    code = opcode("cp.async.bulk", dst="global", src="shared::cta", **how)
    s.emit(code, to, source, operand(s, size), *_tail(s, None, hint if cached else None), *(half(s, v) for v in mask))


@family(r"cp\.async\.bulk\.prefetch\.L2")
def _bulk_prefetch(s: Selector, op: Operation, name: re.Match[str]) -> None:
    place, size, hint, cache = op.operands
    cached = bool(number(op, cache))
    (source,) = _places(s, [place])
    code = opcode("cp.async.bulk.prefetch", level="L2", src="global", cache_hint=cached)
    s.emit(code, source, operand(s, size), *_tail(s, None, hint if cached else None))


# -- tensors --------------------------------------------------------------------------------------------------------

_GROUPS = ("", "cta_group::1", "cta_group::2")


def _mode(name: str) -> str:
    """How a tensor is looked at, as PTX says it: nothing for tiles."""
    return "" if name == "tile" else name.replace(".", "::")


def _coordinates(mode: str, dims: int) -> int:
    return 5 if mode.endswith("4") else dims


def _offsets(mode: str, dims: int) -> int:
    """The offsets within a filter that a mode takes."""
    return {"im2col": dims - 2, "im2col.w": 2, "im2col.w.128": 2}.get(mode, 0)


def _at(s: Selector, tensor_map: Any, coordinates: Any) -> Addr:
    """The place in a tensor: its map and the coordinates."""
    pointer = s.int(tensor_map)
    pointer = pointer if pointer_space(tensor_map.type) else generic(s, pointer)
    return in_tensor(s, pointer, registers(s, coordinates))


_TENSOR = r"cp\.async\.bulk\.tensor\."
_LOADED = r"(tile|tile\.gather4|im2col|im2col\.w|im2col\.w\.128)\.(\d)d"


@family(_TENSOR + r"g2s(\.cta)?\." + _LOADED)
def _load(s: Selector, op: Operation, name: re.Match[str]) -> None:
    mode, dims = name[2], int(name[3])
    values = list(op.operands)
    (to, _), (barrier, _) = (place_of(s, value) for value in values[:2])
    first, second = 3 + _coordinates(mode, dims), 3 + _coordinates(mode, dims) + _offsets(mode, dims)
    source = _at(s, values[2], values[3:first])
    moved = [tuple(half(s, value) for value in values[first:second])] if second > first else []
    rest = values[second:]
    if name[1]:
        hint, cache = rest
        mask, cast, group = None, False, ""
    else:
        mask, hint, multicast, cache, grouped = rest
        cast, group = bool(number(op, multicast)), _GROUPS[number(op, grouped)]
    cached = bool(number(op, cache))
    code = opcode(
        "cp.async.bulk.tensor",
        dim=f"{dims}d",
        dst="shared::cta" if name[1] else "shared::cluster",
        src="global",
        load_mode=_mode(mode),
        completion=_DONE,
        **{"multicast": "multicast::cluster"} if cast else {},
        **{"cta_group": group} if group else {},
        cache_hint=cached,
    )
    tail = _tail(s, mask if cast else None, hint if cached else None)
    s.emit(code, to, source, barrier, *moved, *tail)


@family(_TENSOR + r"prefetch\." + _LOADED)
def _prefetch(s: Selector, op: Operation, name: re.Match[str]) -> None:
    mode, dims = name[1], int(name[2])
    values = list(op.operands)
    first = 1 + _coordinates(mode, dims)
    second = first + _offsets(mode, dims)
    source = _at(s, values[0], values[1:first])
    moved = [tuple(half(s, value) for value in values[first:second])] if second > first else []
    hint, cache = values[second:]
    cached = bool(number(op, cache))
    code = opcode(
        "cp.async.bulk.prefetch.tensor", dim=f"{dims}d", src="global", load_mode=_mode(mode), cache_hint=cached
    )
    s.emit(code, source, *moved, *_tail(s, None, hint if cached else None))


@family(_TENSOR + r"(s2g|reduce\.\w+)\.(tile|tile\.scatter4|im2col)\.(\d)d")
def _store(s: Selector, op: Operation, name: re.Match[str]) -> None:
    dims = int(name[3])
    end = 2 + _coordinates(name[2], dims)
    (source, _) = place_of(s, op.operands[0])
    to = _at(s, op.operands[1], op.operands[2:end])
    hint, cache = op.operands[end:]
    cached = bool(number(op, cache))
    mode = "im2col_no_offs" if name[2] == "im2col" else _mode(name[2])
    how = {"load_mode": mode, "completion": "bulk_group", "cache_hint": cached}
    if name[1] != "s2g":
        how["redop"] = name[1].partition(".")[2]
    stem = "cp.async.bulk.tensor" if name[1] == "s2g" else "cp.reduce.async.bulk.tensor"
    code = opcode(stem, dim=f"{dims}d", dst="global", src="shared::cta", **how)
    s.emit(code, to, source, *_tail(s, None, hint if cached else None))


# -- clusters -------------------------------------------------------------------------------------------------------


@family(r"mapa(\.shared\.cluster)?")
def _mapped(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    code = opcode("mapa", ss="shared::cluster" if name[1] else "", type="u32" if outs[0].cls == B32 else "u64")
    s.emit(code, *outs, *(operand_of(s, value) for value in op.operands), outs=outs)


@family(r"getctarank(\.shared\.cluster)?")
def _rank(s: Selector, op: Operation, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    pointer = operand_of(s, op.operands[0])
    type_ = "u32" if pointer.cls == B32 else "u64"
    s.emit(opcode("getctarank", ss="shared::cluster" if name[1] else "", type=type_), *outs, pointer, outs=outs)


def operand_of(s: Selector, value: Any) -> Any:
    """A value, or a pointer as a number."""
    return s.int_value(s.int(value))
