"""Copies, their mbarriers, prefetches, fences and tensor maps by LLVM's intrinsics."""

from __future__ import annotations

import re
from typing import Any

from weft.codegen.graph import B32, B128, Addr
from weft.codegen.nvvm.fragments import outputs, registers
from weft.codegen.nvvm.intrinsics import family, narrow, number, operand, place_of
from weft.codegen.nvvm.intrinsics_words import row
from weft.codegen.selector import Selector
from weft.isa import decode, opcode
from weft.ptx.operands import Sink

_SCOPED = r"(?:\.(relaxed))?\.scope\.(cta|cluster)\.space\.(cta|cluster)"


@family(
    r"mbarrier\.(arrive|arrive\.drop|expect\.tx|complete\.tx|arrive\.expect\.tx|arrive\.drop\.expect\.tx)" + _SCOPED
)
def _arrive(s: Selector, op: Any, name: re.Match[str]) -> None:
    action = name[1].replace("arrive.drop", "arrive_drop").replace(".tx", "_tx")
    order = "" if action.startswith(("expect", "complete")) else "release"
    semantics = f".relaxed.{name[3]}" if name[2] or not order else f".{order}.{name[3]}"
    if semantics == ".release.cta":
        semantics = ""  # The default, which older PTX has too.
    outs = outputs(s, op) if op.results else ()
    to: list[Any] = list(outs)
    if not outs and action.startswith("arrive"):
        to = [Sink()]
    place, _ = place_of(s, op.operands[0])
    code = decode(f"mbarrier.{action}{semantics}.shared::{name[4]}.b64")
    s.emit(code, *to, place, operand(s, op.operands[1]), outs=outs)


@family(r"mbarrier\.(test|try)\.wait(\.parity)?(?:\.tl)?" + _SCOPED)
def _wait(s: Selector, op: Any, name: re.Match[str]) -> None:
    semantics = f".relaxed.{name[4]}" if name[3] else ".acquire.cluster" if name[4] == "cluster" else ""
    code = decode(f"mbarrier.{name[1]}_wait{name[2] or ''}{semantics}.shared::{name[5]}.b64")
    outs = outputs(s, op)
    place, _ = place_of(s, op.operands[0])
    s.emit(code, *outs, place, *(operand(s, value) for value in op.operands[1:]), outs=outs)


row(r"cp\.async\.mbarrier\.arrive(\.noinc)?(?:\.shared)?", "cp.async.mbarrier.arrive{1}{ss}.b64", "[0]")
row(r"fence\.proxy\.tensormap_generic\.acquire\.(\w+)", "fence.proxy.tensormap::generic.acquire.{1}", "[0], 1")
row(r"prefetch\.tensormap\.p\d+", "prefetch{ss}.tensormap", "[0]")
row(r"prefetch\.(?:global\.|local\.)?(L[12])", "prefetch{ss}.{1}", "[0]")
row(r"prefetch\.global\.L2\.evict\.(last|normal)", "prefetch.global.L2::evict_{1}", "[0]")
row(r"prefetchu\.L1", "prefetchu.L1", "[0]")
row(r"applypriority\.(?:global\.)?L2\.evict\.normal", "applypriority{ss}.L2::evict_normal", "[0], 1")
row(r"discard\.(?:global\.)?L2", "discard{ss}.L2", "[0], 1")
row(r"st\.bulk", "st.bulk", "[0], 1, 2")
row(r"st\.bulk\.shared\.cta", "st.bulk.shared::cta", "[0], 1, 2")
_FIELD = {"box.dim": "b32", "element.stride": "b32", "elemtype": "b32", "fill.mode": "b32", "global.address": "b64",
          "global.dim": "b32", "global.stride": "b64", "interleave.layout": "b32", "rank": "b32",
          "swizzle.atomicity": "b32", "swizzle.mode": "b32"}  # fmt: skip


@family(r"tensormap\.replace\.([\w.]+)\.p\d")
def _replace(s: Selector, op: Any, name: re.Match[str]) -> None:
    place, space = place_of(s, op.operands[0])
    where = "shared::cta" if space == "shared" else space
    code = decode(f"tensormap.replace.tile.{name[1].replace('.', '_')}.{where}.b1024.{_FIELD[name[1]]}")
    s.emit(code, place, *(operand(s, value) for value in op.operands[1:]))


for _cast, _all in (("", ""), (r"\.multicast", ".multicast::cluster::all")):
    row(
        rf"clusterlaunchcontrol\.try_cancel\.async{_cast}\.shared",
        f"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes{_all}.b128",
        "[0], [1]",
    )


@family(r"clusterlaunchcontrol\.query_cancel\.(is_canceled|get_first_ctaid\.([xyz]))")
def _cancelled(s: Selector, op: Any, name: re.Match[str]) -> None:
    whole = s.value(B128)
    s.emit(opcode("mov", type="b128"), whole, registers(s, op.operands), outs=(whole,))
    what = f"get_first_ctaid::{name[2]}.b32" if name[2] else "is_canceled.pred"
    outs = outputs(s, op)
    s.emit(decode(f"clusterlaunchcontrol.query_cancel.{what}.b128"), *outs, whole, outs=outs)


# -- bulk copies ----------------------------------------------------------------------------------------------------

_DONE = "mbarrier::complete_tx::bytes"
_CACHED, _CAST = ".L2::cache_hint", ".multicast::cluster"


def _tail(s: Selector, mask: Any, hint: Any) -> list[Any]:
    """The blocks of the cluster that get a copy, and the cache's policy, where there are some."""
    found: list[Any] = [] if mask is None else [narrow(s, mask)]
    return found if hint is None else [*found, operand(s, hint)]


def _places(s: Selector, values: Any) -> list[Addr]:
    return [place_of(s, value)[0] for value in values]


@family(r"cp\.async\.bulk\.global\.to\.shared\.(cluster|cta)")
def _bulk_load(s: Selector, op: Any, name: re.Match[str]) -> None:
    to, barrier, source = _places(s, op.operands[:3])
    size, *rest = op.operands[3:]
    mask = rest.pop(0) if name[1] == "cluster" else None
    hint, *flags = rest
    cast = bool(mask is not None and number(op, flags[0]))
    cached = bool(number(op, flags[-1]))
    code = decode(f"cp.async.bulk.shared::{name[1]}.global.{_DONE}{_CAST * cast}{_CACHED * cached}")
    tail = _tail(s, mask if cast else None, hint if cached else None)
    s.emit(code, to, source, operand(s, size), barrier, *tail)


@family(r"cp\.async\.bulk\.shared\.cta\.to\.cluster")
def _bulk_exchange(s: Selector, op: Any, name: re.Match[str]) -> None:
    to, barrier, source = _places(s, op.operands[:3])
    s.emit(
        decode(f"cp.async.bulk.shared::cluster.shared::cta.{_DONE}"), to, source, operand(s, op.operands[3]), barrier
    )


@family(r"cp\.async\.bulk\.shared\.cta\.to\.global(\.bytemask)?")
def _bulk_store(s: Selector, op: Any, name: re.Match[str]) -> None:
    to, source = _places(s, op.operands[:2])
    size, hint, cache, *mask = op.operands[2:]
    cached = bool(number(op, cache))
    masked = ".cp_mask" if mask else ""
    code = decode(f"cp.async.bulk.global.shared::cta.bulk_group{_CACHED * cached}{masked}")
    s.emit(code, to, source, operand(s, size), *_tail(s, None, hint if cached else None), *(narrow(s, v) for v in mask))


@family(r"cp\.async\.bulk\.prefetch\.L2")
def _bulk_prefetch(s: Selector, op: Any, name: re.Match[str]) -> None:
    place, size, hint, cache = op.operands
    cached = bool(number(op, cache))
    (source,) = _places(s, [place])
    s.emit(
        decode(f"cp.async.bulk.prefetch.L2.global{_CACHED * cached}"),
        source,
        operand(s, size),
        *_tail(s, None, hint if cached else None),
    )


# -- tensors --------------------------------------------------------------------------------------------------------

_MODES = {"tile": "", "im2col": ".im2col", "im2col.w": ".im2col::w", "im2col.w.128": ".im2col::w::128",
          "tile.gather4": ".tile::gather4", "tile.scatter4": ".tile::scatter4"}  # fmt: skip
_GROUPS = ("", ".cta_group::1", ".cta_group::2")


def _coordinates(mode: str, dims: int) -> int:
    return 5 if mode.endswith("4") else dims


def _offsets(mode: str, dims: int) -> int:
    """The offsets within a filter that a mode takes."""
    return {"im2col": dims - 2, "im2col.w": 2, "im2col.w.128": 2}.get(mode, 0)


def _at(s: Selector, tensor_map: Any, coordinates: Any) -> Addr:
    """The place in a tensor: its map and the coordinates."""
    place, _ = place_of(s, tensor_map)
    return Addr(place.base, place.offset, (registers(s, coordinates),))


_TENSOR = r"cp\.async\.bulk\.tensor\."
_LOADED = r"(tile|tile\.gather4|im2col|im2col\.w|im2col\.w\.128)\.(\d)d"


@family(_TENSOR + r"g2s(\.cta)?\." + _LOADED)
def _load(s: Selector, op: Any, name: re.Match[str]) -> None:
    mode, dims = name[2], int(name[3])
    values = list(op.operands)
    (to, _), (barrier, _) = (place_of(s, value) for value in values[:2])
    first, second = 3 + _coordinates(mode, dims), 3 + _coordinates(mode, dims) + _offsets(mode, dims)
    source = _at(s, values[2], values[3:first])
    moved = [tuple(narrow(s, value) for value in values[first:second])] if second > first else []
    rest = values[second:]
    if name[1]:
        hint, cache = rest
        mask, cast, group = None, False, ""
    else:
        mask, hint, multicast, cache, grouped = rest
        cast, group = bool(number(op, multicast)), _GROUPS[number(op, grouped)]
    cached = bool(number(op, cache))
    space = "shared::cta" if name[1] else "shared::cluster"
    code = decode(
        f"cp.async.bulk.tensor.{dims}d.{space}.global{_MODES[mode]}.{_DONE}{_CAST * cast}{group}{_CACHED * cached}"
    )
    tail = _tail(s, mask if cast else None, hint if cached else None)
    s.emit(code, to, source, barrier, *moved, *tail)


@family(_TENSOR + r"prefetch\." + _LOADED)
def _prefetch(s: Selector, op: Any, name: re.Match[str]) -> None:
    mode, dims = name[1], int(name[2])
    values = list(op.operands)
    first = 1 + _coordinates(mode, dims)
    second = first + _offsets(mode, dims)
    source = _at(s, values[0], values[1:first])
    moved = [tuple(narrow(s, value) for value in values[first:second])] if second > first else []
    hint, cache = values[second:]
    cached = bool(number(op, cache))
    code = decode(f"cp.async.bulk.prefetch.tensor.{dims}d.L2.global{_MODES[mode]}{_CACHED * cached}")
    s.emit(code, source, *moved, *_tail(s, None, hint if cached else None))


@family(_TENSOR + r"(s2g|reduce\.\w+)\.(tile|tile\.scatter4|im2col)\.(\d)d")
def _store(s: Selector, op: Any, name: re.Match[str]) -> None:
    dims = int(name[3])
    end = 2 + _coordinates(name[2], dims)
    (source, _) = place_of(s, op.operands[0])
    to = _at(s, op.operands[1], op.operands[2:end])
    hint, cache = op.operands[end:]
    cached = bool(number(op, cache))
    mode = ".im2col_no_offs" if name[2] == "im2col" else _MODES[name[2]]
    stem, how = ("cp", "") if name[1] == "s2g" else ("cp.reduce", "." + name[1].partition(".")[2])
    code = decode(f"{stem}.async.bulk.tensor.{dims}d.global.shared::cta{how}{mode}.bulk_group{_CACHED * cached}")
    s.emit(code, to, source, *_tail(s, None, hint if cached else None))


# -- clusters -------------------------------------------------------------------------------------------------------


@family(r"mapa(\.shared\.cluster)?")
def _mapped(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    space = ".shared::cluster" if name[1] else ""
    code = decode(f"mapa{space}.u{32 if outs[0].cls == B32 else 64}")
    s.emit(code, *outs, *(operand_of(s, value) for value in op.operands), outs=outs)


@family(r"getctarank(\.shared\.cluster)?")
def _rank(s: Selector, op: Any, name: re.Match[str]) -> None:
    outs = outputs(s, op)
    space = ".shared::cluster" if name[1] else ""
    pointer = operand_of(s, op.operands[0])
    s.emit(decode(f"getctarank{space}.u{32 if pointer.cls == B32 else 64}"), *outs, pointer, outs=outs)


def operand_of(s: Selector, value: Any) -> Any:
    """A value, or a pointer as a number."""
    return s.int_value(s.int(value))
