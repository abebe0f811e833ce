"""Tensor copies: `cp.async.bulk.tensor`, its reduction and its prefetch, which move boxes of a tensor by its map."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, Row, Rule, Slots, demand, forbid, need, row
from weft.isa.table import _memory as m
from weft.isa.table.common import RUBIN

DIMS = "1d 2d 3d 4d 5d"
BLACKWELL = "100f+"
"""Targets of the modes that came with tensor memory."""

_IM2COL_DIMS = "3d|4d|5d"
_MANUAL = "data-movement-and-conversion-instructions-cp-async-bulk-"


def _coordinates(slots: Slots) -> int:
    """Coordinates of a box: one a dimension; gather and scatter take a column and four rows."""
    return 5 if slots["load_mode"] in ("tile::gather4", "tile::scatter4") else int(slots["dim"][0])


def _has_offsets(slots: Slots) -> bool:
    return slots["load_mode"].startswith("im2col") and slots["load_mode"] != "im2col_no_offs"


def _offsets(slots: Slots) -> int:
    """Offsets of an im2col box: one for each spatial dimension, or two (halo and offset) in the `::w` modes."""
    return int(slots["dim"][0]) - 2 if slots["load_mode"] == "im2col" else 2


_ARGS = {
    "tensor_map": Arg(space="global", lenient="type wide", whole=True),
    "coordinates": Arg(type="s32", count=_coordinates, imm=True, exact=True),
    "offsets": Arg(type="u16", count=_offsets, when=_has_offsets),
    "cta_mask": m.CTA_MASK,
    "policy": Arg(type="u64", when="cache_hint"),
}
_SHARED = Arg(space="shared", lenient="bare")
_TAIL = {"cache_hint": "L2::cache_hint"}


def _mode_rows(gather_targets: str = BLACKWELL, **when: Any) -> tuple[Row, ...]:
    """The modes of loads and prefetches, with the dimensions that each has."""
    return (
        row(load_mode="|tile", **when),
        row(load_mode="im2col", dim=_IM2COL_DIMS, **when),
        row(load_mode="im2col::w", dim=_IM2COL_DIMS, **when, ptx="8.6", sm=gather_targets),
        row(load_mode="im2col::w::128", dim=_IM2COL_DIMS, **when, ptx="8.6", sm=BLACKWELL),
        row(load_mode="tile::gather4", dim="2d", **when, ptx="8.6", sm=gather_targets),
    )


def _is_not_tiled(load_mode: str) -> bool:
    return load_mode not in ("", "tile")


OVERRIDDEN_SIZES = (
    (
        "override::global_dim",
        "{sizes}, ",
        demand("'.override::global_dim' is for tensors of one dimension", {}, {"dim": "1d"}),
    ),
    (
        "override::global_dim_stride",
        "{sizes}, {strides}, high_strides, ",
        forbid("'.override::global_dim_stride' is for tensors of two or more dimensions", dim="1d"),
    ),
)
"""The tokens that override sizes, with the operands that they take before the coordinates, and where they are."""

OVERRIDING_ARGS = {
    "address": Arg(type="u64", imm=False),
    "sizes": Arg(type="u16", count=lambda s: int(s["dim"][0]), imm=True),
    "strides": Arg(type="u32", count=lambda s: int(s["dim"][0]) - 1, imm=True),
    "high_strides": Arg(type="u16", imm=False),
}
"""What stands in place of parts of the tensor map; the upper halves of the strides lie in one operand."""


_ORIGIN = Arg(type="s32", count=_coordinates, imm=True, exact=True, values=(0,))
"""Coordinates in a tensor of overridden sizes: ptxas takes no literals but zeros."""


def _overridden(form: Form) -> tuple[Form, ...]:
    """A form, and those that take the tensor's address, with its sizes and strides or not, from operands."""
    opcode, _, operands = form.syntax.partition(" ")

    def overriding(modifiers: str, parts: str, *rules: Rule, **slots: str) -> Form:
        box = operands.replace("[tensor_map, ", f"[tensor_map, address, {parts}")
        return replace(
            form,
            syntax=f"{opcode}.override{modifiers} {box}",
            slots={**form.slots, "override": "override::global_address", **slots},
            args={**form.args, **OVERRIDING_ARGS, **({"coordinates": _ORIGIN} if slots else {})},
            needs=(*form.needs, need(**RUBIN)),
            rules=(*form.rules, *rules),
        )

    tiled = forbid("sizes can be overridden only in tile mode", load_mode=_is_not_tiled)
    masked = forbid("with overridden sizes, use '.multicast::cluster::32b'", multicast="multicast::cluster")
    return (
        form,
        overriding("", ""),
        *(overriding(".sizes", parts, tiled, masked, rule, sizes=token) for token, parts, rule in OVERRIDDEN_SIZES),
    )


_LOAD = Form(
    "cp.async.bulk.tensor.dim.dst.src{.load_mode}.completion{.multicast}{.cta_group}{.cache_hint}{.report} "
    "[dst_mem], [tensor_map, {coordinates}], [mbar]{, {offsets}}{, cta_mask}{, policy}",
    slots={
        "dim": DIMS,
        "dst": "shared::cluster shared::cta",
        "src": "global",
        "load_mode": "tile tile::gather4 im2col im2col::w im2col::w::128",
        "completion": "mbarrier::complete_tx::bytes",
        "multicast": m.MULTICAST,
        "cta_group": "cta_group::1 cta_group::2",
        **_TAIL,
        "report": m.REPORTS,
    },
    args={**_ARGS, "dst_mem": _SHARED, "mbar": _SHARED},
    rows=(*_mode_rows(dst="shared::cluster"), *_mode_rows("100+", dst="shared::cta")),
    needs=(need(dst="shared::cta", ptx="8.6"), need(cta_group=True, ptx="8.6", sm=BLACKWELL), *m.REPORT_NEEDS),
    rules=(forbid("'.multicast::cluster' needs '.shared::cluster'", dst="shared::cta", multicast=True),),
    ptx="8.0",
    sm="90+",
    effects=Effects(memory="rw", space="dst"),
)

_STORE_ROWS = (row(load_mode="|tile"), row(load_mode="im2col_no_offs", dim=_IM2COL_DIMS))

_STORE = Form(
    "cp.async.bulk.tensor.dim.dst.src{.load_mode}.completion{.cache_hint}{.report} "
    "[tensor_map, {coordinates}], [src_mem]{, policy}",
    slots={
        "dim": DIMS,
        "dst": "global",
        "src": "shared::cta",
        "load_mode": "tile tile::scatter4 im2col_no_offs",
        "completion": "bulk_group",
        **_TAIL,
        "report": m.REPORTS,
    },
    args={**_ARGS, "src_mem": _SHARED},
    needs=m.REPORT_NEEDS[:1],
    rows=(*_STORE_ROWS, row(load_mode="tile::scatter4", dim="2d", ptx="8.6", sm=BLACKWELL)),
    ptx="8.0",
    sm="90+",
    effects=Effects(memory="rw", space="dst"),
)

COPY = Family(
    "cp.async.bulk.tensor",
    "Start copying a box of a tensor between global and shared memory.",
    manual=_MANUAL + "tensor",
    forms=(*_overridden(_LOAD), *_overridden(_STORE)),
)

REDUCE = Family(
    "cp.reduce.async.bulk.tensor",
    "Start combining a box in shared memory into a tensor in global memory.",
    manual="data-movement-and-conversion-instructions-cp-reduce-async-bulk-tensor",
    effects=Effects(memory="rw", space="dst"),
    forms=_overridden(
        Form(
            "cp.reduce.async.bulk.tensor.dim.dst.src.redop{.load_mode}.completion{.cache_hint} "
            "[tensor_map, {coordinates}], [src_mem]{, policy}",
            slots={
                "dim": DIMS,
                "dst": "global",
                "src": "shared::cta",
                "redop": "add min max inc dec and or xor",
                "load_mode": "tile im2col_no_offs",
                "completion": "bulk_group",
                **_TAIL,
            },
            args={**_ARGS, "src_mem": _SHARED},
            rows=_STORE_ROWS,
            ptx="8.0",
            sm="90+",
        )
    ),
)

PREFETCH = Family(
    "cp.async.bulk.prefetch.tensor",
    "Start loading a box of a tensor into the L2 cache.",
    manual=_MANUAL + "prefetch-tensor",
    effects=Effects(memory="r", space="src"),
    forms=(
        *_overridden(
            Form(
                "cp.async.bulk.prefetch.tensor.dim.L2.src{.load_mode}{.cache_hint} "
                "[tensor_map, {coordinates}]{, {offsets}}{, policy}",
                slots={
                    "dim": DIMS,
                    "src": "global",
                    "load_mode": "tile tile::gather4 im2col im2col::w im2col::w::128",
                    **_TAIL,
                },
                args=_ARGS,
                rows=_mode_rows(),
                ptx="8.0",
                sm="90+",
            )
        ),
        *_overridden(
            Form(
                "cp.async.bulk.prefetch.tensor.dim.L2.src{.load_mode}.priority "
                "[tensor_map, {coordinates}]{, {offsets}}",
                slots={
                    "dim": DIMS,
                    "src": "global",
                    "load_mode": "tile tile::gather4 im2col im2col::w im2col::w::128",
                    "priority": "L2::evict_last",
                },
                args=_ARGS,
                rows=_mode_rows(),
                **RUBIN,
            )
        ),
    ),
)

FAMILIES = (COPY, REDUCE, PREFETCH)
