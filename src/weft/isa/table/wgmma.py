"""`wgmma`: multiply and accumulate by the four warps of a warpgroup, asynchronously, with operands in shared memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, Slots, need, row
from weft.isa.table import _matrix as m

WARPGROUP = 128
"""Threads of a warpgroup."""

ALL_N = range(8, 257, 8)
INTEGER_N = (8, 24, *range(16, 257, 16))
"""Columns of B: any multiple of 8; for integers and bits a multiple of 16, or 8 or 24."""

_TARGET = "90a"
_MANUAL = "asynchronous-warpgroup-level-matrix-instructions-wgmma-"
_EFFECTS = Effects(memory="r", space="shared", collective="warpgroup")


def _shapes(columns: Iterable[int], *depths: int) -> str:
    return " ".join(f"m64n{n}k{k}" for k in depths for n in sorted(columns))


def _accumulators(slots: Slots) -> int:
    rows, columns, _ = m.extents(slots["shape"])
    return m.fragment_registers(rows, columns, m.element_bits(slots["dtype"], ""), WARPGROUP)


def _a_type(slots: Slots) -> str:
    """The type of A's registers: integers and bits stand in any 32-bit register, floats in untyped and packed ones."""
    return "b32" if slots["atype"] in ("s8", "u8", "b1") else "f16x2"


def _selectors(slots: Slots) -> range:
    """The sparsity selectors: which half of the threads holds the metadata; all do at K = 64."""
    return range(1 if m.extents(slots["shape"])[2] == 64 else 2)


_ARGS: Mapping[str, Arg] = {
    "d": Arg(type=lambda slots: m.register_type(slots["dtype"]), count=_accumulators, access="rw"),
    "a": Arg(type=_a_type, count=4, imm=False),
    "a_desc": Arg(type="u64"),
    "b_desc": Arg(type="u64"),
    "meta": Arg(type="b32", imm=False, lenient="longer predicate"),
    "selector": Arg(type="b32", reg=False, values=_selectors),
    "scale_d": Arg(type="pred", imm=True, values=(0, 1)),
    "imm_scale_a": Arg(type="s32", reg=False, values=(-1, 1)),
    "imm_scale_b": Arg(type="s32", reg=False, values=(-1, 1)),
    "imm_trans_a": Arg(type="s32", reg=False, values=(0, 1)),
    "imm_trans_b": Arg(type="s32", reg=False, values=(0, 1)),
}


def _forms(
    stem: str, slots: Mapping[str, str], tail: str, modifiers: str = "", *, bitop: str = "", **facts: Any
) -> tuple[Form, Form]:
    """The two forms of a type class: matrix A as a descriptor of shared memory, and in registers.

    `tail` are the operands after the scale of D; only an A in shared memory can be transposed.
    """
    syntax = f"{stem}.sync.aligned.shape{modifiers}.dtype.atype.btype{bitop}"
    operands = f"b_desc, {'meta, selector, ' if stem.endswith('.sp') else ''}!scale_d{tail}"
    return (
        Form(f"{syntax} {{d}}, a_desc, {operands}", slots, _ARGS, omissible="aligned", **facts),
        Form(
            f"{syntax} {{d}}, {{a}}, {operands.replace('imm_trans_a, ', '')}",
            slots,
            _ARGS,
            omissible="aligned",
            **facts,
        ),
    )


def _types(shape: str, dtype: str, multiplicands: str) -> dict[str, str]:
    return {"shape": shape, "dtype": dtype, "atype": multiplicands, "btype": multiplicands}


def _family(stem: str, summary: str, ptx: str, depth: int) -> Family:
    """The family of dense (`depth` 1) or sparse (2) products; a sparse A has twice the K."""
    signs = ", imm_scale_a, imm_scale_b"
    window: dict[str, Any] = {"ptx": ptx, "sm": _TARGET}
    half = _types(_shapes(ALL_N, 16 * depth), "f16 f32", "f16 bf16")
    half_rows = (row(atype="f16", btype="f16"), row(atype="bf16", btype="bf16", dtype="f32"))
    tf32 = _types(_shapes(ALL_N, 8 * depth), "f32", "tf32")
    fp8 = _types(_shapes(ALL_N, 32 * depth), "f16 f32", m.FP8)
    integer = _types(_shapes(INTEGER_N, 32 * depth), "s32", "s8 u8")
    mixed = need(ptx="8.4", where=lambda slots: slots["atype"] != slots["btype"])
    bits = _types(_shapes(INTEGER_N, 256), "s32", "b1") | {"bitop": "and"}
    return Family(
        stem,
        summary,
        manual=_MANUAL + ("mma-async" if depth == 1 else "mma-async-sp"),
        semantics="D = scale_d ? A * B + D : A * B",
        effects=_EFFECTS,
        forms=(
            *_forms(stem, half, f"{signs}, imm_trans_a, imm_trans_b", rows=half_rows, **window),
            *_forms(stem, tf32, signs, **window),
            *_forms(stem, fp8, signs, **window),
            *_forms(stem, integer, "", "{.satfinite}", needs=(mixed,), **window),
            *(_forms(stem, bits, "", bitop=".bitop.popc", **window) if depth == 1 else ()),
        ),
    )


MMA_ASYNC = _family(
    "wgmma.mma_async",
    "Start multiplying two matrices and adding the product to the accumulators of a warpgroup.",
    "8.0",
    depth=1,
)

MMA_ASYNC_SP = _family(
    "wgmma.mma_async.sp",
    "Start multiplying a sparse and a dense matrix and adding the product to the accumulators of a warpgroup.",
    "8.2",
    depth=2,
)


def _sync(name: str, summary: str, operands: str = "", **args: Arg) -> Family:
    """A family of one form that orders the asynchronous products of a warpgroup."""
    syntax = f"wgmma.{name}.sync.aligned {operands}".strip()
    return Family(
        f"wgmma.{name}",
        summary,
        manual=_MANUAL + name.replace("_", "-"),
        effects=Effects(collective="warpgroup", barrier=True),
        forms=(Form(syntax, args=args, ptx="8.0", sm=_TARGET, omissible="aligned"),),
    )


FENCE = _sync("fence", "Order register accesses of the warpgroup before the products that follow.")
COMMIT_GROUP = _sync("commit_group", "Close the current group of asynchronous products.")
WAIT_GROUP = _sync(
    "wait_group",
    "Wait until at most n of the newest groups of products are pending.",
    "pending",
    pending=Arg(type="u32", access="r", imm=True, reg=False, values=range(8), lenient="more"),
)

FAMILIES = (MMA_ASYNC, MMA_ASYNC_SP, FENCE, COMMIT_GROUP, WAIT_GROUP)
