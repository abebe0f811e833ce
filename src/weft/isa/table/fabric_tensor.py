"""`fabric.try_put.async.tensor`, `fabric.try_get.async.tensor`: boxes of a tensor of another endpoint of a fabric."""

from __future__ import annotations

from dataclasses import replace

from weft.isa.form import Arg, Effects, Family, Form, demand
from weft.isa.table import _memory as m
from weft.isa.table.bulk_tensor import DIMS, OVERRIDDEN_SIZES, OVERRIDING_ARGS
from weft.isa.table.common import RUBIN

_MANUAL = "data-movement-and-conversion-instructions-fabric"
_SHARED = Arg(space="shared", narrow=False, lenient="register")
_TENSOR_MAP = Arg(within="shared", wide=True, narrow=False, lenient="type", whole=True)
"""ptxas lets no variable of another space be named."""

_OFFSET = OVERRIDING_ARGS["address"]
_ARGS = {
    **OVERRIDING_ARGS,
    "sizes": replace(OVERRIDING_ARGS["sizes"], whole=True),
    "tensor_map": _TENSOR_MAP,
    "endpoint": Arg(type="u32", imm=False),
    "counter": _OFFSET,
    "coordinates": Arg(type="s32", count=lambda s: int(s["dim"][0]), imm=True, whole=lambda s: not s.get("sizes")),
    "d": _SHARED,
    "a": _SHARED,
    "size": Arg(type="u32"),
    "mbar": replace(_SHARED, whole=True),
    "policy": Arg(type="u64", when="cache_hint"),
}


_PUT_ARGS = {**_ARGS, "mbar": replace(_ARGS["mbar"], lenient="")}
"""ptxas completes the mbarrier itself, by an instruction that wants brackets."""

_PUT, _GET = "fabric.try_put.async.tensor", "fabric.try_get.async.tensor"


def _forms(head: str, completion: str, operands: str, counter: str = "") -> tuple[Form, ...]:
    """A transfer whose map's address, and its sizes with it or not, are overridden; BOX stands for the tensor."""
    scoped = demand("'.relaxed' needs a scope", {"sem": True}, {"scope": True})
    slots = {
        "dim": DIMS,
        "tile": "tile",
        "cache_hint": m.CACHE_HINT,
        "override": "override::global_address",
        "sem": "relaxed",
        "scope": "sys",
    }
    counted = ".counted::bytes" if counter else ""
    return tuple(
        Form(
            f"{head}.dim.shared::cta{{.tile}}.mbarrier::complete_tx::{completion}.mbarrier::report::fabric{counted}"
            f"{{.cache_hint}}.override{'.sizes' if token else ''}{{.sem}}{{.scope}}.b128 "
            + operands.replace("BOX", f"[tensor_map, endpoint, address, {counter}{parts}{{coordinates}}]"),
            slots={**slots, **({"sizes": token} if token else {})},
            args=_ARGS if head == _GET else _PUT_ARGS,
            rules=(scoped, *rules),
            **RUBIN,
        )
        for token, parts, rules in (("", "", ()), *((token, parts, (rule,)) for token, parts, rule in OVERRIDDEN_SIZES))
    )


_EFFECTS = Effects(memory="rw", space="shared")
_PUT_OPERANDS = "BOX, [a], size, [mbar]{, policy}"

TRY_PUT = Family(
    _PUT,
    "Start storing a box of shared memory to a tensor at a fabric endpoint.",
    manual=_MANUAL,
    effects=_EFFECTS,
    forms=(
        *_forms(f"{_PUT}{{.multimem}}", "16B", _PUT_OPERANDS),
        *_forms(f"{_PUT}{{.multimem}}", "16B", _PUT_OPERANDS, "counter, "),
    ),
)

TRY_GET = Family(
    _GET,
    "Start loading a box of a tensor from a fabric endpoint into shared memory.",
    manual=_MANUAL,
    effects=_EFFECTS,
    forms=_forms(_GET, "bytes", "[d], BOX, [mbar]{, policy}"),
)

FAMILIES = (TRY_PUT, TRY_GET)
