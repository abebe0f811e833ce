"""`mov`: copies of registers and constants, packing and unpacking of vectors, addresses, special registers."""

from __future__ import annotations

from collections.abc import Iterator

from weft.isa.form import Arg, Family, Form, Slots, forbid, need
from weft.isa.table.common import INTEGERS
from weft.isa.types import TYPES

_WIDE = need(type="b128", ptx="8.3", sm="70+")
_PACKS = {2: "b16 b32 b64 b128", 4: "b32 b64 b128"}
"""Number of elements to the types that are packed from that many."""


_VALUE = Arg(symbol=True, special=True)


def _whole_words(slots: Slots) -> bool:
    """ptxas takes `_` among the sources of 32 bits only."""
    return slots["type"] == "b32"


def _braced(slots: Slots) -> str:
    """ptxas takes one operand in braces where the type is none of integers."""
    return "braced" if slots["type"][0] == "b" else ""


def _part(count: int, written: bool) -> Arg:
    """One of `count` equal parts of the type; parts that are not wanted, or left to chance, are `_`."""

    def part(slots: Slots) -> str:
        return f"b{TYPES[slots['type']].bits // count}"

    return Arg(type=part, count=count, sink=False if written else _whole_words, imm=not written)


def _width(slots: Slots) -> int:
    return int(slots["vec"][1:])


_VECTORS = Form(
    "mov.vec.type {d}, {a}",
    slots={"vec": "v2 v4", "type": f"b16 b32 b64 {INTEGERS} f32 f64"},
    args={"d": Arg(count=_width), "a": Arg(count=_width, special=True, imm=True, sink=_whole_words, lenient="scalar")},
    rules=(forbid("vectors of four elements are limited to 32-bit elements", vec="v4", type="b64|u64|s64|f64"),),
)
"""Element by element, or all components of a special register such as `%tid`."""


def _packs() -> Iterator[Form]:
    for count, types in _PACKS.items():
        yield Form("mov.type d, {a}", slots={"type": types}, args={"a": _part(count, False)}, needs=(_WIDE,))
        unpacked = {"d": _part(count, True), "a": _VALUE}
        yield Form("mov.type {d}, a", slots={"type": types}, args=unpacked, needs=(_WIDE,))


MOV = Family(
    "mov",
    "Copy a register, constant, special register or address; or pack or unpack the parts of a word.",
    manual="data-movement-and-conversion-instructions-mov",
    semantics="d = a",
    forms=(
        Form(
            "mov.type d, a",
            slots={"type": f"b16 b32 b64 b128 {INTEGERS}"},
            args={"d": Arg(lenient=_braced), "a": Arg(symbol=True, special=True, lenient=_braced)},
            needs=(_WIDE,),
        ),
        Form("mov.type d, a", slots={"type": "f32 f64"}),
        Form("mov.type d, !a", slots={"type": "pred"}, args={"a": Arg(imm=True, special=True)}),
        *_packs(),
        _VECTORS,
    ),
)

FAMILIES = (MOV,)
