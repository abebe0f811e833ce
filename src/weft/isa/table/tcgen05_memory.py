"""Tensor memory: allocation, loads, stores, copies and shifts, and what orders them."""

from __future__ import annotations

from dataclasses import replace

from weft.isa.form import Arg, Effects, Family, Form, Slots, forbid, need, row
from weft.isa.table import _memory as m
from weft.isa.table.common import RUBIN

TARGETS = "100f+"
_MANUAL = "tcgen05-instructions-tcgen05-"
_GROUPS = {"cta_group": "cta_group::1 cta_group::2"}
_COLUMNS = Arg(type="u32", values=(32, 64, 128, 256, 512))
"""Columns of tensor memory are allocated in powers of two from 32 on."""

_EXCLUSIVE_COLUMNS = Arg(type="u32", values=range(32, 1 << 32, 32))

_ADDRESS = Arg(type="u32", space="tmem")
_NUM = "x1 x2 x4 x8 x16 x32 x64 x128"
_WORDS = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}
"""32-bit registers that one repetition of a shape takes in each thread."""

_SPLIT = Arg(type="s64", reg=False)
"""The distance of the two halves of shape `.16x32bx2`."""


def _repeats(slots: Slots) -> int:
    return int(slots["num"][1:])


def _registers(slots: Slots) -> int:
    return _WORDS[slots["shape"]] * _repeats(slots)


def _within_limit(slots: Slots) -> bool:
    return _registers(slots) <= 128


def _form(syntax: str, slots: dict[str, str] | None = None, sm: str = TARGETS, ptx: str = "8.6", **args: Arg) -> Form:
    return Form(syntax, slots or {}, args, ptx=ptx, sm=sm)


ALLOC = Family(
    "tcgen05.alloc",
    "Reserve columns of tensor memory, waiting until they are free, and write their address to shared memory.",
    manual=_MANUAL + "alloc-dealloc-relinquish-alloc-permit",
    effects=Effects(memory="w", space="shared", collective="warp"),
    forms=(
        _form(
            "tcgen05.alloc.cta_group.sync.aligned{.ss}.type [dst], columns",
            {**_GROUPS, "ss": "shared::cta", "type": "b32"},
            dst=Arg(space="ss", access="w", narrow=False),
            columns=_COLUMNS,
        ),
        _form(
            "tcgen05.alloc.exclusive.cta_group.sync.aligned{.ss}.type [dst], columns",
            {"exclusive": "exclusive", **_GROUPS, "ss": "shared::cta", "type": "b32"},
            ptx="9.4",
            dst=Arg(space="ss", access="w", narrow=False),
            columns=_EXCLUSIVE_COLUMNS,
        ),
    ),
)

DEALLOC = Family(
    "tcgen05.dealloc",
    "Free reserved columns of tensor memory.",
    manual=_MANUAL + "alloc-dealloc-relinquish-alloc-permit",
    effects=Effects(collective="warp", volatile=True),
    forms=(
        _form(
            "tcgen05.dealloc.cta_group.sync.aligned.type taddr, columns",
            {**_GROUPS, "type": "b32"},
            taddr=Arg(type="u32"),
            columns=_COLUMNS,
        ),
        _form(
            "tcgen05.dealloc.exclusive.cta_group.sync.aligned.type taddr, columns",
            {"exclusive": "exclusive", **_GROUPS, "type": "b32"},
            ptx="9.4",
            taddr=Arg(type="u32"),
            columns=_EXCLUSIVE_COLUMNS,
        ),
    ),
)

RELINQUISH = Family(
    "tcgen05.relinquish_alloc_permit",
    "Give up the right of the CTA to reserve tensor memory.",
    manual=_MANUAL + "alloc-dealloc-relinquish-alloc-permit",
    effects=Effects(collective="warp", volatile=True),
    forms=(_form("tcgen05.relinquish_alloc_permit.cta_group.sync.aligned", _GROUPS),),
)


def _transfer(
    stem: str, options: str, operands: str, halves: str, slots: dict[str, str], **args: Arg
) -> tuple[Form, Form]:
    """The forms of a load or store: `operands` for whole shapes, `halves` for the shape in two halves."""

    def form(shapes: str, operands: str) -> Form:
        return Form(
            f"{stem}.sync.aligned.shape.num{options} {operands}",
            slots={"shape": shapes, "num": _NUM, **slots},
            args={"taddr": _ADDRESS, "offset": _SPLIT, **args},
            rows=(row(where=_within_limit),),
            ptx="8.6",
            sm=TARGETS,
        )

    whole = " ".join(shape for shape in _WORDS if shape != "16x32bx2")
    return form(whole, operands), form("16x32bx2", halves)


LD = Family(
    "tcgen05.ld",
    "Start loading a tile of tensor memory into the registers of a warp.",
    manual=_MANUAL + "ld",
    effects=Effects(memory="r", space="tmem", collective="warp"),
    forms=_transfer(
        "tcgen05.ld",
        "{.pack}.type",
        "{r}, [taddr]",
        "{r}, [taddr], offset",
        {"pack": "pack::16b", "type": "b32"},
        r=Arg(type="b32", count=_registers, uniform=True),
    ),
)

ST = Family(
    "tcgen05.st",
    "Start storing the registers of a warp to a tile of tensor memory.",
    manual=_MANUAL + "st",
    effects=Effects(memory="w", space="tmem", collective="warp"),
    forms=_transfer(
        "tcgen05.st",
        "{.unpack}.type",
        "[taddr], {r}",
        "[taddr], offset, {r}",
        {"unpack": "unpack::16b", "type": "b32"},
        r=Arg(type="b32", count=_registers, access="r", imm=True, uniform=True, whole=True),
    ),
)


def _reduction(shape: str, operands: str) -> Form:
    return Form(
        f"tcgen05.ld.red.sync.aligned.shape.num.redop{{.abs}}{{.NaN}}.type {operands}",
        slots={"shape": shape, "num": _NUM, "redop": "min max", "type": "f32 u32 s32"},
        args={
            "r": Arg(count=_registers, uniform=True),
            "reduced": Arg(type="b32", access="w", imm=False, lenient="braced"),
            "taddr": _ADDRESS,
            "offset": _SPLIT,
        },
        rows=(row(type="f32"), row(type="u32|s32", abs=False, NaN=False)),
        rules=(forbid("a reduction needs at least two values", num="x1"),),
        ptx="8.8",
        sm="103f+",
    )


LD_RED = Family(
    "tcgen05.ld.red",
    "Start loading a tile of tensor memory, and the minimum or maximum of each thread's values.",
    manual=_MANUAL + "ld",
    effects=Effects(memory="r", space="tmem", collective="warp"),
    forms=(_reduction("32x32b", "{r}, reduced, [taddr]"), _reduction("16x32bx2", "{r}, reduced, [taddr], offset")),
)


def _compressed(stem: str, nan: str, reduced: str) -> Family:
    """Loads that keep the two of each four values that are least or greatest, and say which."""
    return Family(
        stem,
        "Start loading the two smallest or largest of every four values of tensor memory, and their positions.",
        manual=_MANUAL + "ld",
        effects=Effects(memory="r", space="tmem", collective="warp"),
        forms=(
            Form(
                f"{stem}.sync.aligned.shape.num.redop.sp::2:4{{.abs}}{nan}.type.b2 {{places}}, {{r}}{reduced}, [taddr]",
                slots={"shape": "32x32b", "num": "x4 x8 x16 x32 x64 x128", "redop": "min max", "type": "f32"},
                args={
                    "places": Arg(
                        type="b32", count=lambda s: max(1, int(s["num"][1:]) // 32), access="w", uniform=True
                    ),
                    "r": Arg(type="b32", count=lambda s: _repeats(s) // 2, access="w", uniform=True),
                    "reduced": Arg(type="b32", access="w", imm=False, lenient="braced"),
                    "taddr": _ADDRESS,
                },
                ptx="9.4",
                sm="107a",
            ),
        ),
    )


LD_RED_SPCOMPRESS = _compressed("tcgen05.ld.red.spcompress", "{.NaN}", ", reduced")
LD_SPCOMPRESS = _compressed("tcgen05.ld.spcompress", "", "")

CP = Family(
    "tcgen05.cp",
    "Start copying a matrix from shared to tensor memory, widening 4- and 6-bit elements on request.",
    manual=_MANUAL + "cp",
    effects=Effects(memory="rw", space="shared"),
    forms=tuple(
        Form(
            f"tcgen05.cp.cta_group.shape{{.multicast}}{formats} [taddr], s_desc",
            slots={
                **_GROUPS,
                "shape": "128x256b 4x256b 128x128b 64x128b 32x128b",
                "multicast": "warpx2::02_13 warpx2::01_23 warpx4",
                "dst_fmt": "b8x16",
                "src_fmt": "b6x16_p32 b4x16_p64",
            },
            args={"taddr": _ADDRESS, "s_desc": Arg(type="u64")},
            rows=(
                row(shape="128x256b|4x256b|128x128b", multicast=False),
                row(shape="64x128b", multicast="warpx2::02_13|warpx2::01_23"),
                row(shape="32x128b", multicast="warpx4"),
            ),
            ptx="8.6",
            sm=TARGETS,
        )
        for formats in ("", ".dst_fmt.src_fmt")
    ),
)

SHIFT = Family(
    "tcgen05.shift",
    "Start moving rows of tensor memory one row down.",
    manual=_MANUAL + "shift",
    effects=Effects(memory="rw", space="tmem"),
    forms=(_form("tcgen05.shift.cta_group.down [taddr]", _GROUPS, sm="100a+", taddr=_ADDRESS),),
)

_CTA_MASK = replace(m.CTA_MASK, imm=False, lenient="literal")
"""ptxas before 13.4 takes the mask in a register only."""

COMMIT = Family(
    "tcgen05.commit",
    "Make an mbarrier track the completion of the thread's earlier asynchronous tensor operations.",
    manual=_MANUAL + "commit",
    effects=Effects(memory="rw", space="shared", barrier=True),
    forms=(
        Form(
            "tcgen05.commit.cta_group.completion{.sync_restrict}{.ss}{.multicast}.type [mbar]{, cta_mask}",
            slots={
                **_GROUPS,
                "completion": "mbarrier::arrive::one",
                "sync_restrict": "sync_restrict::shared::read::mma::a",
                "ss": "shared::cluster",
                "multicast": m.MULTICAST,
                "type": "b64",
            },
            args={"mbar": Arg(space="ss", access="rw", narrow=False), "cta_mask": _CTA_MASK},
            needs=(need(sync_restrict=True, **RUBIN), need(multicast=m.WIDE_MULTICAST, **RUBIN)),
            ptx="8.6",
            sm=TARGETS,
        ),
    ),
)


def _order(name: str, modifiers: str, summary: str) -> Family:
    """A family of one form that orders tensor operations."""
    return Family(
        f"tcgen05.{name}",
        summary,
        manual=_MANUAL + name.partition("::")[0],
        effects=Effects(barrier=True, collective="warp" if modifiers else ""),
        forms=(_form(f"tcgen05.{name}{modifiers}"),),
    )


FENCES = (
    _order("fence::before_thread_sync", "", "Order earlier tensor operations before a later synchronization."),
    _order("fence::after_thread_sync", "", "Order later tensor operations after an earlier synchronization."),
    _order("wait::ld", ".sync.aligned", "Wait for the thread's loads from tensor memory."),
    _order("wait::st", ".sync.aligned", "Wait for the thread's stores to tensor memory."),
)

FAMILIES = (ALLOC, DEALLOC, RELINQUISH, LD, ST, LD_RED, LD_RED_SPCOMPRESS, LD_SPCOMPRESS, CP, SHIFT, COMMIT, *FENCES)
