"""`cvta`, `isspacep`, `istypep`, `mapa`, `getctarank`: addresses, their spaces and the CTAs they belong to."""

from __future__ import annotations

from typing import Any

from weft.isa.form import Arg, Family, Form, need
from weft.isa.table import _memory as m

_GENERIC: dict[str, Any] = {"ptx": "2.0", "sm": "20+"}
_PARAM_NEEDS = (
    need(ss="const", ptx="3.1"),
    need(ss="param", ptx="7.7", sm="70+"),
    need(ss="param::entry", ptx="8.3", sm="70+"),
)
_SPACES = f"global local const param param::entry {m.SHARED}"

CVTA = Family(
    "cvta",
    "Convert an address of a state space to a generic address, or back with .to.",
    manual="data-movement-and-conversion-instructions-cvta",
    leading="to",
    semantics="d = window base of ss + a        .to: d = a - window base of ss",
    forms=(
        Form(
            "cvta.ss.size d, a",
            slots={"ss": _SPACES, "size": "u32 u64"},
            args={"d": Arg(type="size"), "a": Arg(type="size", symbol=True, space="ss")},
            needs=(*m.SPACE_NEEDS, *_PARAM_NEEDS),
            **_GENERIC,
        ),
        Form(
            "cvta.to.ss.size d, a",
            slots={"ss": _SPACES, "size": "u32 u64", "to": "to"},
            args={"d": Arg(type="size"), "a": Arg(type="size")},
            needs=(*m.SPACE_NEEDS, *_PARAM_NEEDS),
            **_GENERIC,
        ),
    ),
)

ISSPACEP = Family(
    "isspacep",
    "Test whether a generic address is in the window of a state space.",
    manual="data-movement-and-conversion-instructions-isspacep",
    semantics="p = a in window of ss",
    forms=tuple(
        Form(
            "isspacep.ss p, a",
            slots={"ss": _SPACES},
            args={"a": Arg(type=address)},
            needs=(*m.SPACE_NEEDS, *_PARAM_NEEDS),
            **_GENERIC,
        )
        for address in ("u64", "u32")
    ),
)

ISTYPEP = Family(
    "istypep",
    "Test whether a register holds an opaque reference of a given type.",
    manual="texture-instructions-istypep",
    forms=(
        Form(
            "istypep.type p, a",
            slots={"type": "texref samplerref surfref"},
            args={"a": Arg(type="u64")},
            ptx="4.0",
            sm="30+",
        ),
    ),
)

MAPA = Family(
    "mapa",
    "Get the address in another CTA of the cluster that corresponds to a shared address of this one.",
    manual="data-movement-and-conversion-instructions-mapa",
    semantics="d = address a in the shared memory of CTA b",
    forms=(
        Form(
            "mapa{.ss}.type d, a, b",
            slots={"ss": "shared::cluster", "type": "u32 u64"},
            args={"a": Arg(symbol=True, space="shared"), "b": Arg(type="u32")},
            ptx="7.8",
            sm="90+",
        ),
    ),
)

GETCTARANK = Family(
    "getctarank",
    "Get the cluster rank of the CTA whose shared memory contains an address.",
    manual="data-movement-and-conversion-instructions-getctarank",
    semantics="d = rank of the CTA that owns address a",
    forms=(
        Form(
            "getctarank{.ss}.type d, a",
            slots={"ss": "shared::cluster", "type": "u32 u64"},
            args={"d": Arg(type="u32"), "a": Arg(symbol=True, space="shared")},
            ptx="7.8",
            sm="90+",
        ),
    ),
)

FAMILIES = (CVTA, ISSPACEP, ISTYPEP, MAPA, GETCTARANK)
