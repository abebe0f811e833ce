"""`tcgen05.mma`: matrix products of one or two CTAs with accumulators in tensor memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, Row, Slots, need, row

TARGETS = "100f+"
ONLY_A = "100a+"
"""The architecture-specific targets among them."""

_INTEGER_TARGETS = "100a 110a"
_SCALED_TARGETS = "100f 100a 103f 103a 107f 107a"
"""Targets that can scale the input D of a half-precision product."""

_TMEM = Arg(type="b32", space="tmem")
_DESCRIPTOR = Arg(type="u64")
_MANUAL = "tcgen05-instructions-tcgen05-mma"
_COLLECTOR_A = "collector::a::fill collector::a::use collector::a::lastuse collector::a::discard"
_COLLECTOR_B = " ".join(f"collector::b{i}::{use}" for i in range(4) for use in ("fill", "use", "lastuse", "discard"))
_EFFECTS = Effects(memory="r", space="shared")
_KINDS = "kind::f16 kind::tf32 kind::f8f6f4 kind::i8"
_GROUPS = "cta_group::1 cta_group::2"


def _lanes(slots: Slots) -> int:
    """Words of the mask of output lanes: 128 lanes in each CTA of the group."""
    return 4 if slots["cta_group"] == "cta_group::1" else 8


def _scales(slots: Slots) -> range | None:
    """Scales of the input D, powers of two; ptxas looks at none of `.kind::i8`, which has no scales."""
    return None if slots["kind"] == "kind::i8" else range(16)


_ARGS = {
    "d_tmem": _TMEM,
    "a_tmem": _TMEM,
    "a_desc": _DESCRIPTOR,
    "b_desc": _DESCRIPTOR,
    "sp_meta_tmem": _TMEM,
    "idesc": Arg(type="u32", whole=True),
    "scale_a_tmem": _TMEM,
    "scale_b_tmem": _TMEM,
    "disable_output_lane": Arg(type="b32", count=_lanes, imm=False, whole=True),
    "enable_input_d": Arg(type="pred", imm=True),
    "enabled": Arg(type="pred", imm=False),
    "scale_input_d": Arg(type="u32", reg=False, values=_scales, lenient="wraps"),
    "unread": Arg(type="pred", imm=True, lenient="present"),
    "zero_column_mask": _DESCRIPTOR,
}

_INTEGER_NEED = need(kind="kind::i8", sm=_INTEGER_TARGETS)


def _operands(stem: str, a: str, tail: str) -> str:
    """The operands of a product: D, matrix A as named, B, the metadata of a sparse A, the descriptor and `tail`."""
    metadata = "[sp_meta_tmem], " if stem.endswith(".sp") else ""
    return f"[d_tmem], {a}, b_desc, {metadata}idesc, {tail}"


def _plain(stem: str) -> Iterator[Form]:
    """The forms without block scales: A in shared or tensor memory, with and without a mask of output lanes.

    Only an A in tensor memory can be shifted by a row.  `.kind::f8f6f4` cannot scale its input D, nor can a sparse
    `.kind::i8` with a mask.
    """
    for lanes in ("", "{disable_output_lane}, "):
        unscaled = "kind::f8f6f4 kind::i8" if lanes and stem.endswith(".sp") else "kind::f8f6f4"
        scaled = " ".join(kind for kind in _KINDS.split() if kind not in unscaled.split())
        kinds_and_tails = [(scaled, "!enable_input_d{, scale_input_d}"), (unscaled, "!enable_input_d")]
        if not lanes:  # ptxas looks at no predicate between the other and the scale.
            kinds_and_tails.append(("kind::f16 kind::tf32", "!enabled, unread, scale_input_d"))
            kinds_and_tails.append(
                ("kind::i8", "!enabled, unread" + ("" if stem.endswith(".sp") else "{, scale_input_d}"))
            )
        for kinds, tail in kinds_and_tails:
            scale = "" if tail.endswith(", scale_input_d") else "scale_input_d"
            for a, shift in (("a_desc", ""), ("[a_tmem]", "{.ashift}")):
                yield Form(
                    f"{stem}.cta_group.kind{shift}{{.collector}} " + _operands(stem, a, f"{lanes}{tail}"),
                    slots={"cta_group": _GROUPS, "kind": kinds, "collector": _COLLECTOR_A},
                    args=_ARGS,
                    rows=(
                        row(ashift=False),
                        row(ashift=True, collector="|collector::a::lastuse|collector::a::discard"),
                    ),
                    needs=(
                        _INTEGER_NEED,
                        need(has=scale, kind="kind::f16|kind::tf32", sm=_SCALED_TARGETS),
                    ),
                    ptx="8.6",
                    sm=TARGETS,
                )


def _block_rows(stem: str) -> tuple[Row, ...]:
    """The block sizes of each kind; sparse 4-bit products are for the `a` targets only."""
    fp8: dict[str, Any] = {"kind": "kind::mxf8f6f4"}
    fp4: dict[str, Any] = {"kind": "kind::mxf4"}
    nvfp4: dict[str, Any] = {"kind": "kind::mxf4nvf4"}
    fp4_targets = ONLY_A if stem.endswith(".sp") else TARGETS
    return (
        row(**fp8, block=False, ptx="8.6", sm=TARGETS),
        row(**fp8, block="scale_vec::1X", ptx="8.6", sm=ONLY_A),
        row(**fp8, block="block32", ptx="8.8", sm=TARGETS),
        row(**fp4, block=False, ptx="8.6", sm=fp4_targets),
        row(**fp4, block="scale_vec::2X", ptx="8.6", sm=ONLY_A),
        row(**fp4, block="block32", ptx="8.8", sm=fp4_targets),
        row(**nvfp4, block="scale_vec::2X|scale_vec::4X", ptx="8.7", sm=ONLY_A),
        row(**nvfp4, block="block16|block32", ptx="8.8", sm=fp4_targets),
    )


def _block_scaled(stem: str) -> Iterator[Form]:
    """The block-scaled forms: A in shared or in tensor memory."""
    for a in ("a_desc", "[a_tmem]"):
        yield Form(
            f"{stem}.cta_group.kind.block_scale{{.block}}{{.collector}} "
            + _operands(stem, a, "[scale_a_tmem], [scale_b_tmem], !enable_input_d"),
            slots={
                "cta_group": _GROUPS,
                "kind": "kind::mxf8f6f4 kind::mxf4 kind::mxf4nvf4",
                "block": "scale_vec::1X scale_vec::2X scale_vec::4X block16 block32",
                "collector": _COLLECTOR_A,
            },
            args=_ARGS,
            rows=_block_rows(stem),
        )


def _weight_stationary(stem: str) -> Iterator[Form]:
    """The forms that keep B in a collector buffer and take A from shared or tensor memory."""
    for a in ("a_desc", "[a_tmem]"):
        yield Form(
            f"{stem}.cta_group.kind{{.collector}} " + _operands(stem, a, "!enable_input_d{, zero_column_mask}"),
            slots={"cta_group": "cta_group::1", "kind": _KINDS, "collector": _COLLECTOR_B},
            args=_ARGS,
            needs=(_INTEGER_NEED,),
            ptx="8.6",
            sm=TARGETS,
        )


def _family(stem: str, summary: str, *forms: Form) -> Family:
    return Family(
        stem,
        summary,
        manual=stem.replace("tcgen05.mma", _MANUAL).replace(".", "-"),
        semantics="D = enable_input_d ? A * B + D : A * B",
        effects=_EFFECTS,
        forms=forms,
    )


MMA = _family(
    "tcgen05.mma",
    "Start a product of two matrices with its accumulator in tensor memory.",
    *_plain("tcgen05.mma"),
    *_block_scaled("tcgen05.mma"),
)
MMA_SP = _family(
    "tcgen05.mma.sp",
    "Start a product of a sparse and a dense matrix with its accumulator in tensor memory.",
    *_plain("tcgen05.mma.sp"),
    *_block_scaled("tcgen05.mma.sp"),
)
MMA_WS = _family(
    "tcgen05.mma.ws",
    "Start a product that keeps matrix B in a buffer for later instructions.",
    *_weight_stationary("tcgen05.mma.ws"),
)
MMA_WS_SP = _family(
    "tcgen05.mma.ws.sp",
    "Start a product with a sparse A that keeps matrix B in a buffer for later instructions.",
    *_weight_stationary("tcgen05.mma.ws.sp"),
)

FAMILIES = (MMA, MMA_SP, MMA_WS, MMA_WS_SP)
