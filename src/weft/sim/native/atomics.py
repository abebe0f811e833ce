"""Atomic updates in code, lane after lane; in strict runs those whose order nobody sees but in how sums are rounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.operands import Operand, Register, Sink
from weft.sim.native import access
from weft.sim.native.code import LANES, Code, NotTraced, vector
from weft.sim.native.traced import Traced
from weft.sim.semantics.atomic import combination, flushed_sum
from weft.sim.types import DTYPES, WORDS

if TYPE_CHECKING:
    from weft.sim.native.emit import Emitter
    from weft.sim.program import Program
    from weft.sim.site import Site

STEMS = frozenset({"atom", "red"})
_OPERATIONS = {"add": "add", "and": "and", "or": "or", "xor": "xor"}
_ORDERED = {("min", "s"): "min", ("max", "s"): "max", ("min", "u"): "umin", ("max", "u"): "umax"}
_COMMUTING = ("add", "min", "max")
COMBINED = "with_"
"""How the names of functions begin that combine halves: what machines have no update for."""
_VISIBLE = {"inc": "uinc_wrap", "dec": "udec_wrap", "exch": "xchg", "cas": "cas"}


def alike(program: Program) -> bool:
    """Whether no updates of a program are in conflict: those of one width, for all to see.

    What they order beside is not counted, which is only more suspicious.
    """
    widths: set[int] = set()
    for one in program.instructions():
        if one.opcode.stem in STEMS:
            widths.add(TYPES[one.opcode.get("type")].bits)
            near = one.opcode.get("ss") in ("shared", "shared::cta")
            if one.opcode.get("scope") == "cta" and not near:
                return False
    return len(widths) < 2


def _operation(site: Site, strict: bool) -> str:
    """The operation as `access.declare` has it.  Raises NotTraced."""
    slots = site.slots()
    op, type_ = slots["op"], TYPES[slots["type"]]
    if slots.get("vec") or type_.bits not in (16, 32, 64):
        raise NotTraced("an update of several words")
    if op in _COMMUTING and (type_.kind not in "busf" or (type_.kind == "f" and type_.bits == 16)):
        found = f"{COMBINED}{op}_{slots['type']}"
    elif type_.kind == "f":
        found = {"add": access.FLUSHED if type_.bits == 32 and not slots["noftz"] else "fadd"}.get(op)
    else:
        found = _OPERATIONS.get(op) or _ORDERED.get((op, type_.kind)) or ("" if strict else _VISIBLE.get(op))
    if not found:
        raise NotTraced("an update whose order matters")
    return found


def write(emitter: Emitter, site: Site) -> None:
    """Write `red` or `atom`; strictly, the old value must not be used."""
    slots, operands, strict = site.slots(), list(site.operands), emitter.guard is not None
    bits = TYPES[slots["type"]].bits
    operation = _operation(site, strict)
    result: Any = operands.pop(0) if site.opcode.stem == "atom" else None
    used = not (
        result is None
        or isinstance(result, Sink)
        or (isinstance(result, Register) and emitter.lives.unused_after(site, site.row(result)))
    )
    if strict and used:
        raise NotTraced("an old value that is used")
    home, address = emitter.address(site, operands[0], slots["ss"])
    if home == "local":
        raise NotTraced("an update of local memory")
    words = [_word(emitter, site, one) for one in operands[1 : 3 if operation == "cas" else 2]]
    if operation.startswith(COMBINED):
        _combine(emitter, operation, combination(*operation.split("_")[1:]), slots["type"])
    elif operation == access.FLUSHED:
        _combine(emitter, f"{COMBINED}{operation}", flushed_sum, slots["type"])
    guard = emitter.guarded(site)
    mask = emitter.mask if guard is None else emitter.code.pure(f"bitcast {guard.typed} to i32")
    name = access.declare(emitter.code, home, bits, 1, f"a.{operation}", emitter.guard)
    emitter.code.line(
        f"call void @{name}(ptr %ctx, ptr {emitter.cache()}, {address.typed}, i32 {mask}, "
        f"{', '.join(word.typed for word in words)}, ptr %out)"
    )
    old = emitter.left(WORDS[bits])
    if used:
        emitter.put(site, slots["type"], result, old.view(DTYPES[slots["type"]]), guard)


def _word(emitter: Emitter, site: Site, operand: Operand) -> Traced:
    """An operand as words."""
    type_ = site.slots()["type"]
    value: Any = emitter.source(site, type_, operand)
    if not isinstance(value, Traced):
        value = emitter.lanes().lift(value, np.asarray(value).dtype, (LANES,))
    wide = value.astype(DTYPES[type_]) if value.itemsize != DTYPES[type_].itemsize else value
    return wide.view(WORDS[TYPES[type_].bits])


def _combine(emitter: Emitter, name: str, combine: Any, type_: str) -> None:
    """Declare the function of an old word and an operand that gives the new one."""
    inner, word = Code(), WORDS[TYPES[type_].bits]
    words = (Traced(inner, one, word, (1,)).view(DTYPES[type_]) for one in ("%old", "%by"))
    new: Any = combine(*words)
    if inner.loops:
        raise NotTraced("an update that needs NumPy")
    given = new.view(word).typed
    emitter.code.declared |= inner.declared
    kind = vector(word, 1)
    lines = "\n".join(inner.lines)
    emitter.code.declare(f"define internal {kind} @{name}({kind} %old, {kind} %by) {{\n{lines}\n  ret {given}\n}}")
