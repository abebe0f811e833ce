"""Instructions of whole warps, traced: what `weft.sim.semantics.warp` binds them to runs once, on one warp of values.

Code runs them when all lanes that they name are there; otherwise the lanes leave before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft.ptx.operands import Operand, Sink
from weft.sim import semantics
from weft.sim.bind import is_gated
from weft.sim.lanes import WARP, Lanes
from weft.sim.native import clocks
from weft.sim.native.cells import met
from weft.sim.native.code import LANES, Code, NotTraced
from weft.sim.native.cuts import members_of
from weft.sim.native.transfer import field

if TYPE_CHECKING:
    from weft.sim.native.emit import Emitter
    from weft.sim.site import Site

TRACED = frozenset({"shfl", "vote", "match", "redux", "elect.sync", "bar.warp.sync", "activemask"})


class _Row:
    """A destination: what is assigned to it becomes the register's value."""

    def __init__(self, emitter: Emitter, site: Site, operand: Operand, type_: str) -> None:
        self.emitter, self.site, self.operand, self.type = emitter, site, operand, type_

    def __getitem__(self, key: Any) -> _Row:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        if key != slice(0, WARP):
            raise NotTraced("a part of the lanes")
        if np.ndim(value) and np.shape(value) != (WARP,):
            value = np.broadcast_to(value, (WARP,))
        self.emitter.put(self.site, self.type, self.operand, value, None)


class _Site:
    """A site whose operands are values of code."""

    def __init__(self, emitter: Emitter, site: Site) -> None:
        self._emitter, self._site = emitter, site

    def __getattr__(self, name: str) -> Any:
        return getattr(self._site, name)

    def value(self, operand: Operand, type_: str) -> Any:
        """A source."""
        return self._emitter.source(self._site, type_, operand)

    def read(self, operand: Operand, type_: str) -> Any:
        """What reads a source."""
        value = self.value(operand, type_)
        return lambda lanes: value  # pyright: ignore

    def destination(self, operand: Operand, type_: str) -> Any:
        """What receives a result."""
        return None if isinstance(operand, Sink) else _Row(self._emitter, self._site, operand, type_)


def existing(code: Code) -> str:
    """The threads that there are of the warp, a word."""
    return code.value(f"load i32, ptr {code.value(field('exists'))}")


_COMPLETE = """define internal i1 @complete(i32 %mask, i32 %exists, <32 x i32> %members) noinline {
entry:
  %all = alloca <32 x i32>, align 64
  store <32 x i32> %members, ptr %all, align 64
  br label %next
next:
  %left = phi i32 [ %mask, %entry ], [ %rest, %same ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %yes, label %look
look:
  %one = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %one.at = getelementptr i32, ptr %all, i32 %one
  %names = load i32, ptr %one.at
  %names.0 = insertelement <32 x i32> poison, i32 %names, i64 0
  %names.v = shufflevector <32 x i32> %names.0, <32 x i32> poison, <32 x i32> zeroinitializer
  %alike = icmp eq <32 x i32> %members, %names.v
  %alike.bits = bitcast <32 x i1> %alike to i32
  %here = and i32 %alike.bits, %mask
  %named = and i32 %names, %exists
  %agree = icmp eq i32 %here, %named
  br i1 %agree, label %same, label %no
same:
  %others = xor i32 %here, -1
  %rest = and i32 %left, %others
  br label %next
yes:
  ret i1 true
no:
  ret i1 false
}"""


def named_all(emitter: Emitter, site: Site) -> str:
    """Whether all lanes name all lanes."""
    members: Any = emitter.lanes().lift(emitter.source(site, "b32", members_of(site)), np.dtype(np.uint32), (LANES,))
    same: Any = members == np.uint32(0xFFFF_FFFF)
    return emitter.code.value(f"icmp eq i32 {emitter.code.value(f'bitcast {same.typed} to i32')}, -1")


def complete(emitter: Emitter, site: Site, mask: str) -> str:
    """Whether the lanes of a `mask` are those that they name, in groups that agree."""
    code = emitter.code
    code.declare(_COMPLETE)
    members: Any = emitter.lanes().lift(emitter.source(site, "b32", members_of(site)), np.dtype(np.uint32), (LANES,))
    return code.value(f"call i1 @complete(i32 {mask}, i32 {existing(code)}, {members.typed})")


def trace(emitter: Emitter, site: Site) -> None:
    """Write an instruction by running what it is bound to."""
    if site.opcode.stem != "activemask" and not is_gated(site.opcode):  # Others may run with a part of the lanes.
        raise NotTraced("lanes that take part")
    if site.instruction.guard is not None and not is_gated(site.opcode):
        raise NotTraced("lanes of a guard")
    stand_in: Any = _Site(emitter, site)
    mask: Any = None if emitter.mask == "-1" else emitter.lanes()
    semantics.STEPS[site.opcode.stem](stand_in)(Lanes(0, WARP, mask, WARP))
    if site.opcode.stem == "bar.warp.sync" and emitter.guard is not None:
        if emitter.guard.clocked:
            clocks.declare(emitter.code)
        else:
            emitter.code.declare(met())
        emitter.code.line("call void @met(ptr %ctx, i64 %warp)")
