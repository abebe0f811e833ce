"""mbarriers in code: arrivals at those of the own CTA, and waits that need not wait.

A warp of which some lanes would have to wait leaves before the instruction (`weft.sim.native.turns`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft.ptx.ast import Function, Instruction, Label
from weft.sim.arrivals import COUNT_BITS, PHASE_AT, TX_AT, TX_BITS
from weft.sim.block import Block
from weft.sim.native import access, bounds, cells, clocks
from weft.sim.native.code import LANES, Code, NotTraced
from weft.sim.native.context import field
from weft.sim.native.traced import Traced
from weft.sim.types import BOOL

if TYPE_CHECKING:
    from weft.ptx.operands import Operand
    from weft.sim.native.emit import Emitter
    from weft.sim.program import Program
    from weft.sim.site import Site

STEMS = frozenset({"mbarrier.init", "mbarrier.inval", "mbarrier.arrive", "mbarrier.expect_tx", "mbarrier.complete_tx"})
WAIT = "mbarrier.try_wait"
_LONG = np.dtype(np.int64)


def waits(block: Block) -> bool:
    """Whether a block is a wait for an mbarrier."""
    return bool(block.sites) and block.sites[0].opcode.stem == WAIT


def used(program: Program) -> bool:
    """Whether a program has mbarriers."""
    return any(one.stem.startswith("mbarrier.") for one in program.opcodes)


def plain(program: Program) -> bool:
    """Whether strict runs may have its mbarriers in code: arrivals that count threads alone, of the own CTA.

    Those that are made anew are not followed: each may be made at one place, outside of loops.
    """
    if any(map(_makes_again, program.functions.values())):
        return False
    for one in program.instructions():
        opcode, stem = one.opcode, one.opcode.stem
        if stem.startswith(("cp.async", "atom", "red")) or stem in ("mbarrier.expect_tx", "mbarrier.complete_tx"):
            return False
        if not stem.startswith("mbarrier."):
            continue
        slots = {name: opcode.get(name) for name in ("ss", "sem", "scope", "expect_tx", "noComplete")}
        known = slots["ss"] in ("shared", "shared::cta") and slots["sem"] in ("", "acquire", "release")
        if not known or slots["scope"] == "cluster" or slots["expect_tx"] or slots["noComplete"]:
            return False
    return True


def _makes_again(function: Function) -> bool:
    """Whether an mbarrier may be made several times: in a loop, or by several instructions."""
    labels: dict[str, int] = {}
    made: list[str] = []
    for statement in function.walk():
        if isinstance(statement, Label):
            labels[statement.name] = len(made)
        elif isinstance(statement, Instruction) and statement.opcode.stem == "mbarrier.init":
            made.append(str(statement.operands[0]))
        elif isinstance(statement, Instruction) and statement.opcode.stem == "bra":
            made += made[labels.get(str(statement.operands[0]), len(made)) :]
    return len(set(made)) < len(made)


def _masked(bits: int) -> int:
    return (1 << bits) - 1


def _used(code: Code, guard: access.Guard | None) -> str:
    """Lanes use one mbarrier: as if they read it."""
    if guard is None:
        return ""
    clocks.declare(code)
    name = cells.once(code, "shared", max(1, 8 >> guard.shared), "r", guard)
    return f"""  %use.lane = call i32 @llvm.cttz.i32(i32 %mask, i1 true)
  %use.place = extractelement <32 x i64> %address, i32 %use.lane
  %use.cell = lshr i64 %use.place, {guard.shared}
  call void @{name}(ptr %ctx, i64 %use.cell, i32 %mask)
"""


def _arrive(used: str) -> str:
    """Count arrivals and bytes lane after lane; what the words were before goes to `%out`."""
    tells = ends = ""
    torn = "%wrong = icmp slt i64 %pending, 0"
    if used:
        tells = f"""{used}  %slot = call ptr @clock_slot(ptr %ctx, <32 x i64> %address, i32 %mask)
  call void @clock_arrive(ptr %ctx, i64 %warp, ptr %slot, i32 %mask)
"""
        torn = """%many = icmp slt i64 %pending, 0
  %others = icmp ne i32 %rest, 0
  %torn = and i1 %others, %done
  %wrong = or i1 %many, %torn"""
        ends = """  %turns = icmp ne i64 %ended.new, %phases
  br i1 %turns, label %turned.on, label %end
turned.on:
  call void @clock_complete(ptr %ctx, ptr %slot)
"""
    return f"""define internal void @mbarrier(
    ptr %ctx, i64 %warp, ptr %cache, <32 x i64> %address, i32 %mask, <32 x i64> %counts, <32 x i64> %bytes, ptr %out
) noinline {{
entry:
  %addresses = alloca <32 x i64>, align 64
  %count.all = alloca <32 x i64>, align 64
  %bytes.all = alloca <32 x i64>, align 64
  %some = icmp ne i32 %mask, 0
  br i1 %some, label %look, label %end
look:
  %well = call i1 @probe_shared_8(ptr %ctx, ptr %cache, <32 x i64> %address, i32 %mask)
  br i1 %well, label %start, label %end
start:
  store <32 x i64> %address, ptr %addresses, align 64
  store <32 x i64> %counts, ptr %count.all, align 64
  store <32 x i64> %bytes, ptr %bytes.all, align 64
{field("shared_base", "base")}{field("phases", "phases")}{field("arrivals", "arrivals")}\
  %arrivals.new = add i64 %arrivals, 1
  store i64 %arrivals.new, ptr %arrivals.at
{tells}  br label %lane
lane:
  %left = phi i32 [ %mask, %start ], [ %rest, %fine ]
  %ended = phi i64 [ %phases, %start ], [ %ended.new, %fine ]
  %one = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %less = sub i32 %left, 1
  %rest = and i32 %left, %less
  %a.at = getelementptr i64, ptr %addresses, i32 %one
  %a = load i64, ptr %a.at
  %place = add i64 %a, %base
  %p = inttoptr i64 %place to ptr
  %c.at = getelementptr i64, ptr %count.all, i32 %one
  %c = load i64, ptr %c.at
  %b.at = getelementptr i64, ptr %bytes.all, i32 %one
  %b = load i64, ptr %b.at
  %word = load i64, ptr %p
  %out.at = getelementptr i64, ptr %out, i32 %one
  store i64 %word, ptr %out.at
  %had = and i64 %word, {_masked(COUNT_BITS)}
  %expected.1 = lshr i64 %word, {COUNT_BITS}
  %expected = and i64 %expected.1, {_masked(COUNT_BITS)}
  %tx.high = shl i64 %word, {64 - TX_AT - TX_BITS}
  %tx = ashr i64 %tx.high, {64 - TX_BITS}
  %phase = lshr i64 %word, {PHASE_AT}
  %pending = sub i64 %had, %c
  %moved = add i64 %tx, %b
  %none = icmp eq i64 %pending, 0
  %all = icmp eq i64 %moved, 0
  %done = and i1 %none, %all
  %done.w = zext i1 %done to i64
  %now = select i1 %done, i64 %expected, i64 %pending
  %turned = xor i64 %phase, %done.w
  %part.1 = shl i64 %expected, {COUNT_BITS}
  %few = and i64 %moved, {_masked(TX_BITS)}
  %part.2 = shl i64 %few, {TX_AT}
  %part.3 = shl i64 %turned, {PHASE_AT}
  %sum.1 = or i64 %now, %part.1
  %sum.2 = or i64 %part.2, %part.3
  %new = or i64 %sum.1, %sum.2
  %ended.new = add i64 %ended, %done.w
  {torn}
  br i1 %wrong, label %fails, label %fine
fails:
  call void @fail(ptr %ctx)
  ret void
fine:
  store i64 %new, ptr %p
  %more = icmp ne i32 %rest, 0
  br i1 %more, label %lane, label %last
last:
  store i64 %ended.new, ptr %phases.at
{ends}  br label %end
end:
  ret void
}}"""


def _look(used: str) -> str:
    """Whether the mbarriers of all lanes of `%mask` are in other phases than those of a parity."""
    return f"""define internal i1 @mbarrier_done(
    ptr %ctx, ptr %cache, <32 x i64> %address, i32 %mask, <32 x i1> %wanted) noinline {{
entry:
  %well = call i1 @probe_shared_8(ptr %ctx, ptr %cache, <32 x i64> %address, i32 %mask)
  br i1 %well, label %look, label %end
look:
{used}{field("shared_base", "base")}{bounds.vector("base.v", "%base")}  %place = add <32 x i64> %address, %base.v
  %p = inttoptr <32 x i64> %place to <32 x ptr>
  %lanes = bitcast i32 %mask to <32 x i1>
  %words = call <32 x i64> @llvm.masked.gather.v32i64.v32p0(
    <32 x ptr> align 8 %p, <32 x i1> %lanes, <32 x i64> zeroinitializer)
  %odd = icmp slt <32 x i64> %words, zeroinitializer
  %done = xor <32 x i1> %odd, %wanted
  %bits = bitcast <32 x i1> %done to i32
  %mine = and i32 %bits, %mask
  %all = icmp eq i32 %mine, %mask
  br i1 %all, label %count, label %end
count:
{field("shared_loaded", "loaded")}  %number = call i32 @llvm.ctpop.i32(i32 %mask)
  %number.w = zext i32 %number to i64
  %bytes = shl i64 %number.w, 3
  %loaded.new = add i64 %loaded, %bytes
  store i64 %loaded.new, ptr %loaded.at
  ret i1 true
end:
  ret i1 false
}}"""


def _declare(code: Code, text: str) -> None:
    access.probe(code, "shared", 8)
    code.declare(text)


def _place(emitter: Emitter, site: Site, operand: Operand) -> Traced:
    """The addresses of mbarriers of the own CTA."""
    if "cluster" in site.slots()["ss"]:
        raise NotTraced("an mbarrier of another CTA")
    home, address = emitter.address(site, operand, site.slots()["ss"])
    if home != "shared":
        raise NotTraced("an mbarrier by a generic address")
    return address


def _number(emitter: Emitter, site: Site, operand: Operand | None) -> Any:
    """A count, in each lane."""
    if operand is None:
        return emitter.lanes().lift(1, _LONG, (LANES,))
    value: Any = emitter.source(site, "u32", operand)
    return emitter.lanes().lift(value, _LONG, (LANES,))


def write(emitter: Emitter, site: Site) -> None:
    """Write `mbarrier.init`, or arrivals and bytes that are expected or complete."""
    slots, operands, stem = site.slots(), list(site.operands), site.opcode.stem
    state = operands.pop(0) if stem == "mbarrier.arrive" else None
    address = _place(emitter, site, operands[0])
    guard = emitter.guarded(site)
    mask = emitter.mask if guard is None else emitter.code.pure(f"bitcast {guard.typed} to i32")
    number = _number(emitter, site, operands[1] if len(operands) > 1 else None)
    if stem == "mbarrier.inval" and emitter.guard is not None:
        raise NotTraced("memory of unknown contents")
    if stem in ("mbarrier.init", "mbarrier.inval"):
        word = (
            number | number << np.int64(COUNT_BITS) if stem == "mbarrier.init" else number * np.int64(0) - np.int64(1)
        )
        function = access.declare(emitter.code, "shared", 64, 1, "w", emitter.guard)
        emitter.code.line(
            f"call void @{function}(ptr %ctx, ptr {emitter.cache()}, {address.typed}, i32 {mask}, {word.typed})"
        )
        if emitter.guard is not None:
            clocks.declare(emitter.code)
            emitter.code.line(f"call void @clock_init(ptr %ctx, {address.typed}, i32 {mask})")
        return
    if slots.get("noComplete"):
        raise NotTraced("an arrival that must not complete a phase")
    counts, bytes_ = number, number * np.int64(0)
    if stem != "mbarrier.arrive":
        counts, bytes_ = bytes_, -number if stem == "mbarrier.complete_tx" else number
    elif slots["expect_tx"]:
        counts, bytes_ = _number(emitter, site, None), number
    _declare(emitter.code, _arrive(_used(emitter.code, emitter.guard)))
    emitter.code.line(
        f"call void @mbarrier(ptr %ctx, i64 %warp, ptr {emitter.cache()}, {address.typed}, i32 {mask}, {counts.typed}, "
        f"{bytes_.typed}, ptr %out)"
    )
    words = emitter.left(np.dtype(np.uint64))
    if state is not None:
        emitter.put(site, "b64", state, words, guard)


def wait(emitter: Emitter, site: Site) -> tuple[str, Traced]:
    """Write the look at an mbarrier; a bit: whether the phase has completed for all lanes; and the addresses."""
    _, pointer, state = site.operands[:3]
    address = _place(emitter, site, pointer)
    if site.slots()["parity"]:
        value: Any = emitter.source(site, "u32", state)
        wanted = emitter.lanes().lift(value, np.dtype(np.uint32), (LANES,)) & np.uint32(1)
    else:
        value = emitter.source(site, "b64", state)
        wanted = emitter.lanes().lift(value, np.dtype(np.uint64), (LANES,)) >> np.uint64(PHASE_AT)
    _declare(emitter.code, _look(_used(emitter.code, emitter.guard)))
    odd: Any = wanted != wanted.dtype.type(0)
    return emitter.code.value(
        f"call i1 @mbarrier_done(ptr %ctx, ptr {emitter.cache()}, {address.typed}, i32 {emitter.mask}, {odd.typed})"
    ), address


def waited(emitter: Emitter, site: Site, address: Traced) -> None:
    """The result of a wait that has ended; where threads are to look again, now and then a false one."""
    done = emitter.lanes().lift(True, BOOL, (LANES,))
    if emitter.guard is not None:
        told = emitter.code.value(
            f"call i1 @clock_wait(ptr %ctx, ptr {emitter.cache()}, {address.typed}, i32 {emitter.mask})"
        )
        done = done.like(emitter.code.value(f"select i1 {told}, {done.typed}, {done.type} zeroinitializer"))
    emitter.put(site, "pred", site.operands[0], done, None)
