"""The video instructions: scalar arithmetic on bytes and half-words (`vadd`...), and SIMD on two or four of them.

Operands may select a component: `%r1.b2` a byte and `%r1.h0` a half-word (scalar forms); `%r1.h32` two half-words or
`%r1.b7654` four bytes out of a pair of registers (SIMD sources); `%r1.h10` or `%r1.b210` the lanes to write (SIMD).
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.isa.form import Arg, Family, Form, forbid
from weft.isa.table.common import Since

_SIGNS = "u32 s32"
_PART = "b[0-3]|h[01]"
_TYPES = {"type": _SIGNS, "atype": _SIGNS, "btype": _SIGNS}
_SOURCES = {"a": Arg(type="atype", select=_PART), "b": Arg(type="btype", select=_PART)}
_SECONDARY = "add min max"
_COMPARISONS = "eq ne lt le gt ge"
_WINDOW: Since = {"ptx": "2.0", "sm": "20+"}


def _scalar(opcode: str, slots: dict[str, str], type_: str) -> Iterator[Form]:
    """The three shapes of a scalar video instruction: plain, merged into or after `c`, and with a second operation."""
    accumulator = Arg(type=type_)
    yield Form(f"{opcode} d, a, b", slots=slots, args={"d": accumulator, **_SOURCES}, **_WINDOW)
    merged = {"d": Arg(type=type_, select=_PART), **_SOURCES, "c": accumulator}
    yield Form(f"{opcode} d, a, b, c", slots=slots, args=merged, **_WINDOW)
    yield Form(
        f"{opcode}.op2 d, a, b, c",
        slots={**slots, "op2": _SECONDARY},
        args={"d": accumulator, **_SOURCES, "c": accumulator},
        **_WINDOW,
    )


def _arithmetic(stem: str, what: str) -> Family:
    return Family(
        stem,
        f"{what} of two words, half-words or bytes, with an optional merge or second operation.",
        manual="scalar-video-instructions-vadd-vsub-vabsdiff-vmin-vmax",
        semantics="t = op(extend(a), extend(b)), saturated; d = op2(t, c), or t merged into c at d's component",
        forms=tuple(_scalar(f"{stem}.type.atype.btype{{.sat}}", _TYPES, "type")),
    )


def _shift(stem: str, what: str) -> Family:
    return Family(
        stem,
        f"{what} a word, half-word or byte, with an optional merge or second operation.",
        manual="scalar-video-instructions-vshl-vshr",
        semantics="n = min(b, 32) (.clamp) or b & 31 (.wrap); t = a shifted by n; then as vadd",
        forms=tuple(
            _scalar(f"{stem}.type.atype.btype{{.sat}}.mode", {**_TYPES, "btype": "u32", "mode": "clamp wrap"}, "type")
        ),
    )


_FACTORS = {
    "d": Arg(type="type"),
    "a": Arg(type="atype", select=_PART, imm=True),
    "b": Arg(type="btype", select=_PART, imm=True),
    "c": Arg(type="type", imm=True),
}

VMAD = Family(
    "vmad",
    "Multiply two words, half-words or bytes and add a word; scale the sum by a shift.",
    manual="scalar-video-instructions-vmad",
    semantics="t = a * b + c (+ 1 with .po), with sources negated where written; d = t >> 0, 7 or 15, saturated",
    forms=(
        Form(
            "vmad.type.atype.btype{.sat}{.scale} d, -a, -b, -c",
            slots={**_TYPES, "scale": "shr7 shr15"},
            args=_FACTORS,
            **_WINDOW,
        ),
        Form(
            "vmad.type.atype.btype.po{.sat}{.scale} d, a, b, c",
            slots={**_TYPES, "scale": "shr7 shr15"},
            args=_FACTORS,
            **_WINDOW,
        ),
    ),
)

VSET = Family(
    "vset",
    "Compare two words, half-words or bytes, giving 1 or 0, with an optional merge or second operation.",
    manual="scalar-video-instructions-vset",
    semantics="t = (a cmp b) ? 1 : 0; d = op2(t, c), or t merged into c at d's component",
    forms=tuple(_scalar("vset.atype.btype.cmp", {"atype": _SIGNS, "btype": _SIGNS, "cmp": _COMPARISONS}, "u32")),
)

_LANES = {2: ("h[0-3][0-3]", "h0|h1|h10"), 4: ("b[0-7][0-7][0-7][0-7]", "b(?=.)3?2?1?0?")}
"""Number of lanes to the component selectors of sources and of the destination."""
_NAMES = {2: "two half-words", 4: "four bytes"}
_EXCLUSIVE = forbid(".sat and .add cannot be combined", sat=True, add=True)


def _lane_args(lanes: int, type_: str) -> dict[str, Arg]:
    source, mask = _LANES[lanes]
    return {
        "d": Arg(type=type_, select=mask),
        "a": Arg(type="atype", select=source, imm=False),
        "b": Arg(type="btype", select=source, imm=False),
        "c": Arg(type=type_, imm=False, whole=True),
    }


def _simd(operation: str, lanes: int, what: str) -> Family:
    stem = f"{operation}{lanes}"
    return Family(
        stem,
        f"{what} of {_NAMES[lanes]} at once; unwritten lanes are taken from c, or .add adds all lanes to c.",
        manual=f"simd-video-instructions-vadd{lanes}-vsub{lanes}-vavrg{lanes}-vabsdiff{lanes}-vmin{lanes}-vmax{lanes}",
        forms=(
            Form(
                f"{stem}.type.atype.btype{{.sat}}{{.add}} d, a, b, c",
                slots=_TYPES,
                args=_lane_args(lanes, "type"),
                rules=(_EXCLUSIVE,),
                ptx="3.0",
                sm="30+",
            ),
        ),
    )


def _simd_set(lanes: int) -> Family:
    stem = f"vset{lanes}"
    return Family(
        stem,
        f"Compare {_NAMES[lanes]} at once, giving 1 or 0 in each lane; .add adds them to c.",
        manual=f"simd-video-instructions-vset{lanes}",
        forms=(
            Form(
                f"{stem}.atype.btype.cmp{{.add}} d, a, b, c",
                slots={"atype": _SIGNS, "btype": _SIGNS, "cmp": _COMPARISONS},
                args=_lane_args(lanes, "u32"),
                ptx="3.0",
                sm="30+",
            ),
        ),
    )


_WORDS = {"vadd": "Sum", "vsub": "Difference", "vabsdiff": "Absolute difference", "vmin": "Smaller", "vmax": "Larger"}

FAMILIES = (
    *(_arithmetic(stem, what) for stem, what in _WORDS.items()),
    _shift("vshl", "Shift left"),
    _shift("vshr", "Shift right"),
    VMAD,
    VSET,
    *(_simd(stem, lanes, what) for lanes in _LANES for stem, what in {**_WORDS, "vavrg": "Average"}.items()),
    *(_simd_set(lanes) for lanes in _LANES),
)
