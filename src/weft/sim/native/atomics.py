"""Atomic updates in code: those whose order nobody sees, integer ones of which no thread uses the old value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Register, Sink
from weft.sim.native import access
from weft.sim.native.code import LANES, NotTraced
from weft.sim.native.traced import Traced
from weft.sim.types import DTYPES, WORDS

if TYPE_CHECKING:
    from weft.sim.native.emit import Emitter
    from weft.sim.program import Program
    from weft.sim.site import Site

STEMS = frozenset({"atom", "red"})
_OPERATIONS = {"add": "add", "and": "and", "or": "or", "xor": "xor"}
_ORDERED = {("min", "s"): "min", ("max", "s"): "max", ("min", "u"): "umin", ("max", "u"): "umax"}


def alike(program: Program) -> bool:
    """Whether no updates of a program are in conflict: relaxed ones of one width, for all to see."""
    widths: set[int] = set()
    for one in program.instructions():
        if one.opcode.stem in STEMS:
            widths.add(TYPES[one.opcode.get("type")].bits)
            near = one.opcode.get("ss") in ("shared", "shared::cta")
            if one.opcode.get("sem") not in ("", "relaxed") or (one.opcode.get("scope") == "cta" and not near):
                return False
    return len(widths) < 2


def write(emitter: Emitter, site: Site) -> None:
    """Write `red`, or `atom` whose result is not used."""
    slots, operands = site.slots(), list(site.operands)
    type_ = TYPES[slots["type"]]
    operation = _OPERATIONS.get(slots["op"]) or _ORDERED.get((slots["op"], type_.kind))
    if operation is None or type_.kind not in "bus" or type_.bits not in (32, 64) or slots.get("vec"):
        raise NotTraced("an update whose order matters")
    if site.opcode.stem == "atom":
        result: Any = operands.pop(0)
        if not isinstance(result, Sink) and not (
            isinstance(result, Register) and emitter.lives.unused_after(site, site.row(result))
        ):
            raise NotTraced("an old value that is used")
    home, address = emitter.address(site, operands[0], slots["ss"])
    if home == "local":
        raise NotTraced("an update of local memory")
    value: Any = emitter.source(site, slots["type"], operands[1])
    if not isinstance(value, Traced):
        value = emitter.lanes().lift(value, np.asarray(value).dtype, (LANES,))
    word = value.astype(DTYPES[slots["type"]]) if value.itemsize != type_.bits // 8 else value
    guard = emitter.guarded(site)
    mask = emitter.mask if guard is None else emitter.code.pure(f"bitcast {guard.typed} to i32")
    name = access.declare(emitter.code, home, type_.bits, 1, f"a.{operation}", emitter.guard)
    words = word.view(WORDS[type_.bits]).typed
    emitter.code.line(f"call void @{name}(ptr %ctx, ptr {emitter.cache()}, {address.typed}, i32 {mask}, {words})")
