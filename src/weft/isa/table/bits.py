"""`clz`, `popc`, `brev`, `bfind`, `bfe`, `bfi`, `bmsk`, `szext`, `fns`: counting and moving bits."""

from __future__ import annotations

from weft.isa.form import Arg, Family, Form

_WORDS = {"type": "b32 b64"}
_SCALARS = {"type": "u32 u64 s32 s64"}
_COUNT = Arg(type="u32")
_POSITION = Arg(type="u32", values=range(256))

CLZ = Family(
    "clz",
    "Count the leading zero bits.",
    manual="integer-arithmetic-instructions-clz",
    forms=(Form("clz.type d, a", slots=_WORDS, args={"d": _COUNT}, ptx="2.0", sm="20+"),),
)

POPC = Family(
    "popc",
    "Count the one bits.",
    manual="integer-arithmetic-instructions-popc",
    forms=(Form("popc.type d, a", slots=_WORDS, args={"d": _COUNT}, ptx="2.0", sm="20+"),),
)

BREV = Family(
    "brev",
    "Reverse the bits.",
    manual="integer-arithmetic-instructions-brev",
    semantics="d[i] = a[n - 1 - i]",
    forms=(Form("brev.type d, a", slots=_WORDS, ptx="2.0", sm="20+"),),
)

BFIND = Family(
    "bfind",
    "Find the most significant bit that is not a sign bit, or -1 if there is none.",
    manual="integer-arithmetic-instructions-bfind",
    semantics="d = position of the bit, or with .shiftamt the left shift that brings it to the top",
    forms=(Form("bfind{.shiftamt}.type d, a", slots=_SCALARS, args={"d": _COUNT}, ptx="2.0", sm="20+"),),
)

BFE = Family(
    "bfe",
    "Extract a bit field and extend it.",
    manual="integer-arithmetic-instructions-bfe",
    semantics="d = a[b + c - 1 : b], extended with zeros or with the field's sign",
    forms=(Form("bfe.type d, a, b, c", slots=_SCALARS, args={"b": _POSITION, "c": _POSITION}, ptx="2.0", sm="20+"),),
)

BFI = Family(
    "bfi",
    "Insert a bit field into a word.",
    manual="integer-arithmetic-instructions-bfi",
    semantics="f = b; f[c + d - 1 : c] = a[d - 1 : 0]",
    forms=(
        Form("bfi.type r, a, b, c, len", slots=_WORDS, args={"c": _POSITION, "len": _POSITION}, ptx="2.0", sm="20+"),
    ),
)

_CLAMPED = "clamp wrap"

BMSK = Family(
    "bmsk",
    "Create a mask with a given number of ones, starting at a given bit.",
    manual="integer-arithmetic-instructions-bmsk",
    semantics="d[a + b - 1 : a] = 1, all other bits 0",
    forms=(
        Form(
            "bmsk.mode.type d, a, b",
            slots={"mode": _CLAMPED, "type": "b32"},
            args=dict.fromkeys("dab", _COUNT),
            ptx="7.6",
            sm="70+",
        ),
    ),
)

SZEXT = Family(
    "szext",
    "Extend the low bits of a word with zeros or with their sign.",
    manual="integer-arithmetic-instructions-szext",
    semantics="d = a[b - 1 : 0], extended",
    forms=(
        Form(
            "szext.mode.type d, a, b",
            slots={"mode": _CLAMPED, "type": "u32 s32"},
            args={"b": _COUNT},
            ptx="7.6",
            sm="70+",
        ),
    ),
)

FNS = Family(
    "fns",
    "Find the n-th set bit of a mask from a base position.",
    manual="integer-arithmetic-instructions-fns",
    semantics="d = position of the |offset|-th one of mask from base, upwards or (negative) downwards; -1 if none",
    forms=(Form("fns.type d, mask, base, offset", slots={"type": "b32"}, ptx="6.0", sm="30+"),),
)

FAMILIES = (CLZ, POPC, BREV, BFIND, BFE, BFI, BMSK, SZEXT, FNS)
