"""`cp.async` in code: each warp notes the copies it has started, which move their bytes when it waits for them.

A note is a slot of a ring: lanes, destinations, sources, lengths and groups.  Until a copy has moved, its destination
holds what `Space.poison` leaves there.  What goes wrong, or does not fit the ring, is the NumPy tier's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weft.ptx.operands import Integer, Operand
from weft.sim.native import access, bounds, cells
from weft.sim.native.code import LANES, NotTraced
from weft.sim.native.context import field
from weft.sim.native.traced import Traced
from weft.sim.semantics.cp_async import is_predicate

if TYPE_CHECKING:
    from weft.sim.native.emit import Emitter
    from weft.sim.program import Program
    from weft.sim.site import Site

STEMS = frozenset({"cp.async", "cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all"})
_SLOTS, _SLOT, HEAD = 64, 832, 256
"""Slots of a ring, their bytes, and those before them: first slot, next slot, and at 64 the open group of each lane."""
BYTES = HEAD + _SLOTS * _SLOT
"""Bytes of a warp's ring."""
_INTO, _FROM, _LENGTH, _GROUP = 64, 320, 576, 704


def compiled(program: Program) -> bool:
    """Whether copies may be code: nothing else waits for them."""
    return not any(one.stem == "cp.async.mbarrier.arrive" for one in program.opcodes)


def write(emitter: Emitter, site: Site) -> None:
    """Write an instruction of `STEMS`."""
    if site.machine.launch.cluster_ctas > 1 or not compiled(site.machine.program):
        raise NotTraced("copies of a cluster, or that mbarriers wait for")
    stem, code = site.opcode.stem, emitter.code
    if stem == "cp.async":
        _start(emitter, site)
        return
    guard = emitter.guarded(site)
    mask = emitter.mask if guard is None else code.pure(f"bitcast {guard.typed} to i32")
    if stem == "cp.async.commit_group":
        code.declare(_COMMIT)
        code.line(f"call void @copy_commit(ptr %ctx, i64 %warp, i32 {mask})")
        return
    newest = -1
    if stem == "cp.async.wait_group":
        operand: Any = site.operands[0]
        if not isinstance(operand, Integer):
            raise NotTraced("a number of groups from a register")
        newest = operand.value
    _declare_move(emitter)
    code.declare(_WAIT)
    code.line(f"call void @copy_wait(ptr %ctx, i64 %warp, i32 {mask}, i32 {newest})")


def _start(emitter: Emitter, site: Site) -> None:
    code, slots, operands = emitter.code, site.slots(), list(site.operands)
    size = operands[2]
    if not isinstance(size, Integer):
        raise NotTraced("a size from a register")
    extra: Operand | None = operands[3] if len(operands) > 3 else None
    if slots.get("cache_hint") and len(operands) == 4:
        extra = None
    to_home, to = emitter.address(site, operands[0], slots["dst"])
    home, come = emitter.address(site, operands[1], "global")
    if to_home != "shared" or home != "arena":
        raise NotTraced("copies between other spaces")
    choose: Any = np.where
    length: Any = np.uint32(size.value)
    if extra is not None and is_predicate(site, extra):
        length = choose(emitter.source(site, "pred", extra), np.uint32(0), length)
    elif extra is not None:
        length = emitter.source(site, "u32", extra)
    if not isinstance(length, Traced):
        length = emitter.lanes().lift(length, np.dtype(np.uint32), (LANES,))
    guard = emitter.guarded(site)
    mask = emitter.mask if guard is None else code.pure(f"bitcast {guard.typed} to i32")
    sized = extra is not None and not is_predicate(site, extra)
    # Strict runs never copy early: who reads what is not waited for is to find bytes that nothing has written.
    eager = site.machine.async_ == "eager" and not site.machine.strict
    name = _declare_start(emitter, size.value, 1 if sized else size.value, eager)
    caches = [emitter.cache(), emitter.cache()]
    code.line(
        f"call void @{name}(ptr %ctx, i64 %warp, ptr {caches[0]}, ptr {caches[1]}, {to.typed}, {come.typed}, "
        f"{length.typed}, i32 {mask})"
    )


_RING = f"""{field("copies", "all", "ptr")}  %skip = mul i64 %warp, {BYTES}
  %ring = getelementptr i8, ptr %all, i64 %skip
  %next.at = getelementptr i64, ptr %ring, i64 1
  %groups.at = getelementptr i8, ptr %ring, i64 64
"""


def _part(name: str, offset: int) -> str:
    return f"  %{name} = getelementptr i8, ptr %slot, i64 {offset}\n"


def _slot(number: str) -> str:
    return f"""  %index = and i64 {number}, {_SLOTS - 1}
  %slot.off = mul i64 %index, {_SLOT}
  %slot.far = add i64 %slot.off, {HEAD}
  %slot = getelementptr i8, ptr %ring, i64 %slot.far
"""


_COMMIT = f"""define internal void @copy_commit(ptr %ctx, i64 %warp, i32 %mask) noinline {{
{_RING}  %groups = load <32 x i32>, ptr %groups.at, align 64
  %lanes = bitcast i32 %mask to <32 x i1>
  %one = zext <32 x i1> %lanes to <32 x i32>
  %more = add <32 x i32> %groups, %one
  store <32 x i32> %more, ptr %groups.at, align 64
  ret void
}}"""

_WAIT = f"""define internal void @copy_wait(ptr %ctx, i64 %warp, i32 %mask, i32 %newest) noinline {{
entry:
{_RING}  %first = load i64, ptr %ring
  %next = load i64, ptr %next.at
  %groups = load <32 x i32>, ptr %groups.at, align 64
  %newest.0 = insertelement <32 x i32> poison, i32 %newest, i64 0
  %newest.v = shufflevector <32 x i32> %newest.0, <32 x i32> poison, <32 x i32> zeroinitializer
  %limit = sub <32 x i32> %groups, %newest.v
  br label %look
look:
  %at = phi i64 [ %first, %entry ], [ %after, %on ]
  %start = phi i64 [ %first, %entry ], [ %start.new, %on ]
  %more = icmp slt i64 %at, %next
  br i1 %more, label %one, label %end
one:
{_slot("%at")}{_part("group.at", _GROUP)}  %group = load <32 x i32>, ptr %group.at, align 64
  %here = load i32, ptr %slot
  %older = icmp slt <32 x i32> %group, %limit
  %older.bits = bitcast <32 x i1> %older to i32
  %waits = and i32 %here, %mask
  %done = and i32 %waits, %older.bits
  %left = xor i32 %here, %done
  store i32 %left, ptr %slot
  %some = icmp ne i32 %done, 0
  br i1 %some, label %move, label %on
move:
  call void @copy_move(ptr %ctx, ptr %slot, i32 %done)
  br label %on
on:
  %after = add i64 %at, 1
  %empty = icmp eq i32 %left, 0
  %oldest = icmp eq i64 %start, %at
  %drop = and i1 %empty, %oldest
  %start.new = select i1 %drop, i64 %after, i64 %start
  br label %look
end:
  store i64 %start, ptr %ring
  ret void
}}"""


def _move(land: str, shift: int) -> str:
    note = ""
    if land:
        note = f"""  %cells = lshr <32 x i64> %into, splat (i64 {shift})
  %count = lshr i64 %size, {shift}
  call void @{land}(ptr %ctx, <32 x i64> %cells, i32 %mask, i64 %count)
"""
    bytes_ = ", ".join(f"i32 {n}" for n in range(16))
    return f"""define internal void @copy_move(ptr %ctx, ptr %slot, i32 %mask) noinline {{
entry:
{_part("size.at", 8)}{_part("into.at", _INTO)}{_part("from.at", _FROM)}{_part("length.at", _LENGTH)}\
  %size = load i64, ptr %size.at
  %into = load <32 x i64>, ptr %into.at, align 64
{note}{field("shared_base", "base")}{field("arena_loaded", "loaded")}{field("shared_stored", "stored")}\
  %size.32 = trunc i64 %size to i32
  %size.0 = insertelement <16 x i32> poison, i32 %size.32, i64 0
  %size.v = shufflevector <16 x i32> %size.0, <16 x i32> poison, <16 x i32> zeroinitializer
  %whole = icmp ult <16 x i32> <{bytes_}>, %size.v
  br label %lane
lane:
  %left = phi i32 [ %mask, %entry ], [ %rest, %lane ]
  %load = phi i64 [ %loaded, %entry ], [ %load.new, %lane ]
  %put = phi i64 [ %stored, %entry ], [ %put.new, %lane ]
  %one = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %less = sub i32 %left, 1
  %rest = and i32 %left, %less
  %i.at = getelementptr i64, ptr %into.at, i32 %one
  %i = load i64, ptr %i.at
  %to = add i64 %i, %base
  %to.p = inttoptr i64 %to to ptr
  %f.at = getelementptr i64, ptr %from.at, i32 %one
  %f = load ptr, ptr %f.at
  %l.at = getelementptr i32, ptr %length.at, i32 %one
  %l = load i32, ptr %l.at
  %l.0 = insertelement <16 x i32> poison, i32 %l, i64 0
  %l.v = shufflevector <16 x i32> %l.0, <16 x i32> poison, <16 x i32> zeroinitializer
  %inside = icmp ult <16 x i32> <{bytes_}>, %l.v
  %v = call <16 x i8> @llvm.masked.load.v16i8.p0(ptr align 1 %f, <16 x i1> %inside, <16 x i8> zeroinitializer)
  call void @llvm.masked.store.v16i8.p0(<16 x i8> %v, ptr align 1 %to.p, <16 x i1> %whole)
  %l.w = zext i32 %l to i64
  %load.new = add i64 %load, %l.w
  %put.new = add i64 %put, %size
  %more = icmp ne i32 %rest, 0
  br i1 %more, label %lane, label %end
end:
  store i64 %load.new, ptr %loaded.at
  store i64 %put.new, ptr %stored.at
  ret void
}}"""


def _declare_move(emitter: Emitter) -> None:
    code, guard = emitter.code, emitter.guard
    code.declare(_move("" if guard is None else cells.land(code), 0 if guard is None else guard.shared))


def _declare_start(emitter: Emitter, size: int, sure: int, eager: bool) -> str:
    """The function that starts copies of `size` bytes, of which `sure` must be readable."""
    code, guard = emitter.code, emitter.guard
    name = f"copy_start_{size}_{sure}"
    if name in code.declared:
        return name
    into, come = access.probe(code, "shared", size), access.probe(code, "arena", sure)
    fly = ""
    if guard is not None:
        to = cells.several(code, "shared", max(1, size >> guard.shared), "f", guard)
        source = cells.several(code, "arena", max(1, size >> guard.arena), "s", guard)
        fly = f"""  %cells = lshr <32 x i64> %into, splat (i64 {guard.shared})
  call void @{to}(ptr %ctx, <32 x i64> %cells, i32 %mask, i32 0, i32 0)
  %watched.at = getelementptr i64, ptr %cache.2, i64 2
  %watched = load i64, ptr %watched.at
  %free = icmp eq i64 %watched, 0
  br i1 %free, label %slotted, label %watch
watch:
  %cells.2 = lshr <32 x i64> %from, splat (i64 {guard.arena})
  call void @{source}(ptr %ctx, <32 x i64> %cells.2, i32 %readers, i32 0, i32 0)
  br label %slotted
slotted:
"""
    code.declare(f"""define internal void @{name}(
    ptr %ctx, i64 %warp, ptr %cache.1, ptr %cache.2, <32 x i64> %into, <32 x i64> %from, <32 x i32> %length, i32 %mask
) noinline {{
entry:
  %idle = icmp eq i32 %mask, 0
  br i1 %idle, label %end, label %to
to:
  %well.1 = call i1 @{into}(ptr %ctx, ptr %cache.1, <32 x i64> %into, i32 %mask)
  %reads = icmp ne <32 x i32> %length, zeroinitializer
  %reads.bits = bitcast <32 x i1> %reads to i32
  %readers = and i32 %reads.bits, %mask
  %well.2 = call i1 @{come}(ptr %ctx, ptr %cache.2, <32 x i64> %from, i32 %readers)
  %well = and i1 %well.1, %well.2
  br i1 %well, label %note, label %end
note:
  %long = icmp ugt <32 x i32> %length, splat (i32 {size})
  %long.bits = bitcast <32 x i1> %long to i32
  %longer = and i32 %long.bits, %mask
  %fits = icmp eq i32 %longer, 0
{_RING}  %first = load i64, ptr %ring
  %next = load i64, ptr %next.at
  %used = sub i64 %next, %first
  %room = icmp slt i64 %used, {_SLOTS}
  %good = and i1 %fits, %room
  br i1 %good, label %start, label %fails
fails:
  call void @fail(ptr %ctx)
  ret void
start:
{fly}{_slot("%next")}{_part("size.at", 8)}{_part("into.at", _INTO)}{_part("from.at", _FROM)}\
{_part("length.at", _LENGTH)}{_part("group.at", _GROUP)}{field("arena_delta", "delta")}\
{bounds.vector("delta.v", "%delta")}\
  %come = add <32 x i64> %from, %delta.v
  store i32 %mask, ptr %slot
  store i64 {size}, ptr %size.at
  store <32 x i64> %into, ptr %into.at, align 64
  store <32 x i64> %come, ptr %from.at, align 64
  store <32 x i32> %length, ptr %length.at, align 64
  %groups = load <32 x i32>, ptr %groups.at, align 64
  store <32 x i32> %groups, ptr %group.at, align 64
{_MOVED if eager else _poison(size)}  br label %end
end:
  ret void
}}""")
    if eager:
        _declare_move(emitter)
    return name


_MOVED = "  call void @copy_move(ptr %ctx, ptr %slot, i32 %mask)\n"


def _poison(size: int) -> str:
    """Leave what no program means to read, and keep the slot."""
    bits = min(8 * size, 64)
    scatter = f"llvm.masked.scatter.v32i{bits}.v32p0"
    text = f"""  %next.new = add i64 %next, 1
  store i64 %next.new, ptr %next.at
  %lanes = bitcast i32 %mask to <32 x i1>
{field("shared_base", "base")}{bounds.vector("base.v", "%base")}  %place = add <32 x i64> %into, %base.v
"""
    for part in range(0, size, 8):
        text += f"""  %place.{part} = add <32 x i64> %place, splat (i64 {part})
  %p.{part} = inttoptr <32 x i64> %place.{part} to <32 x ptr>
  call void @{scatter}(<32 x i{bits}> splat (i{bits} -1), <32 x ptr> align {bits // 8} %p.{part}, <32 x i1> %lanes)
"""
    return text
