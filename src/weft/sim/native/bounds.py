"""Whether accesses in code are inside of what they may reach: functions of a module, and text within those of accesses.

The word of a fault, which ends a warp's turn, is set by `fail`; `find` looks for the region of a global address.
"""

from __future__ import annotations

from weft.sim.native.context import CONTEXT, field

FAIL = f"""define internal void @fail(ptr %ctx) noinline {{
  %fault = getelementptr i64, ptr %ctx, i64 {CONTEXT["fault"]}
  store i64 1, ptr %fault
  %fuel = getelementptr i64, ptr %ctx, i64 {CONTEXT["fuel"]}
  store i64 1, ptr %fuel
  ret void
}}"""

FIND = f"""define internal i1 @find(
    ptr %ctx, ptr %cache, <32 x i64> %address, i32 %mask, i64 %size, i64 %write) noinline {{
entry:
{field("regions", "regions", "ptr")}{field("region_count", "count")}  br label %lanes
lanes:
  %left = phi i32 [ %mask, %entry ], [ %rest, %good ]
  %seen = phi i64 [ 0, %entry ], [ %seen.all, %good ]
  %none = icmp eq i32 %left, 0
  br i1 %none, label %done, label %next
next:
  %lane = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %less = sub i32 %left, 1
  %rest = and i32 %left, %less
  %one = extractelement <32 x i64> %address, i32 %lane
  br label %search
search:
  %low = phi i64 [ 0, %next ], [ %low.to, %step ]
  %high = phi i64 [ %count, %next ], [ %high.to, %step ]
  %width = sub i64 %high, %low
  %narrow = icmp ule i64 %width, 1
  br i1 %narrow, label %found, label %step
step:
  %half = lshr i64 %width, 1
  %middle = add i64 %low, %half
  %i = shl i64 %middle, 2
  %at = getelementptr i64, ptr %regions, i64 %i
  %starts = load i64, ptr %at
  %after = icmp sge i64 %one, %starts
  %low.to = select i1 %after, i64 %middle, i64 %low
  %high.to = select i1 %after, i64 %high, i64 %middle
  br label %search
found:
  %empty = icmp eq i64 %count, 0
  br i1 %empty, label %bad, label %look
look:
  %j = shl i64 %low, 2
  %start.at = getelementptr i64, ptr %regions, i64 %j
  %start = load i64, ptr %start.at
  %end.at = getelementptr i64, ptr %start.at, i64 1
  %end = load i64, ptr %end.at
  %writable.at = getelementptr i64, ptr %start.at, i64 2
  %writable = load i64, ptr %writable.at
  %before = icmp slt i64 %one, %start
  %last = sub i64 %end, %size
  %past = icmp sgt i64 %one, %last
  %less.one = sub i64 %size, 1
  %odd.bits = and i64 %one, %less.one
  %odd = icmp ne i64 %odd.bits, 0
  %fixed = icmp ult i64 %writable, %write
  %w1 = or i1 %before, %past
  %w2 = or i1 %odd, %fixed
  %wrong = or i1 %w1, %w2
  br i1 %wrong, label %bad, label %right
right:
  %written = shl i64 %write, 1
  %used = or i64 %writable, %written
  store i64 %used, ptr %writable.at
  br label %good
good:
  store i64 %start, ptr %cache
  %room = sub i64 %last, %start
  %room.at = getelementptr i64, ptr %cache, i64 1
  store i64 %room, ptr %room.at
  %watched.at = getelementptr i64, ptr %start.at, i64 3
  %watched = load i64, ptr %watched.at
  %seen.all = or i64 %seen, %watched
  %seen.at = getelementptr i64, ptr %cache, i64 2
  store i64 %seen.all, ptr %seen.at
  br label %lanes
bad:
  call void @fail(ptr %ctx)
  ret i1 false
done:
  ret i1 true
}}"""


def vector(name: str, scalar: str) -> str:
    """Text that makes `name` a vector: a 64-bit word for all lanes."""
    return (
        f"  %{name}.0 = insertelement <32 x i64> poison, i64 {scalar}, i64 0\n"
        f"  %{name} = shufflevector <32 x i64> %{name}.0, <32 x i64> poison, <32 x i32> zeroinitializer\n"
    )


def _side_by_side(total: int) -> str:
    """Whether all lanes take part, and their addresses lie side by side."""
    return f"""
  %first = extractelement <32 x i64> %address, i64 0
{vector("first.v", "%first")}  %apart = sub <32 x i64> %address, %first.v
  %unlike = icmp ne <32 x i64> %apart, <{", ".join(f"i64 {lane * total}" for lane in range(32))}>
  %unlike.bits = bitcast <32 x i1> %unlike to i32
  %idle = xor i32 %mask, -1
  %gaps = or i32 %unlike.bits, %idle
  %together = icmp eq i32 %gaps, 0
  br i1 %together, label %near, label %far
near:
"""


def _check(total: int, room: str, offset: str, one: str, wrong: str) -> str:
    """Check that accesses are aligned, and end before a room does: all at once, and where they lie apart, each."""
    return f"""{one}  %end.near = add i64 {offset}, {31 * total}
  %in.1 = icmp ule i64 {offset}, {room}
  %in.2 = icmp ule i64 %end.near, {room}
  %low.near = and i64 {offset}, {total - 1}
  %even = icmp eq i64 %low.near, 0
  %in.3 = and i1 %in.1, %in.2
  %in = and i1 %in.3, %even
  br i1 %in, label %row.in, label %{wrong}
far:
"""


def _check_each(total: int, room: str, offsets: str, wrong: str) -> str:
    return f"""{vector("room.v", room)}  %outside = icmp ugt <32 x i64> {offsets}, %room.v
  %low = and <32 x i64> {offsets}, splat (i64 {total - 1})
  %odd = icmp ne <32 x i64> %low, zeroinitializer
  %wrong.any = or <32 x i1> %outside, %odd
  %wrong.bits = bitcast <32 x i1> %wrong.any to i32
  %wrong = and i32 %wrong.bits, %mask
  %right = icmp eq i32 %wrong, 0
  br i1 %right, label %other.in, label %{wrong}
"""


def check_arena(total: int, write: bool) -> str:
    """Check global addresses: all in the region of the last access of this instruction, or each in any."""
    cache = """  %start = load i64, ptr %cache
  %room.at = getelementptr i64, ptr %cache, i64 1
  %room = load i64, ptr %room.at
"""
    origin = "  %offset.1 = sub i64 %first, %start\n"
    near = _side_by_side(total) + _check(total, "%room", "%offset.1", origin, "search")
    return f"""{cache}{near}{vector("start.v", "%start")}  %offset = sub <32 x i64> %address, %start.v
{_check_each(total, "%room", "%offset", "search")}search:
  %well = call i1 @find(ptr %ctx, ptr %cache, <32 x i64> %address, i32 %mask, i64 {total}, i64 {int(write)})
  br i1 %well, label %found, label %failed
found:
  br i1 %together, label %row.in, label %other.in
"""


def check_shared(total: int) -> str:
    """Check offsets in shared memory."""
    near = _side_by_side(total) + _check(total, "%limit", "%first", "", "fails")
    return f"""
{field("shared_size", "size")}  %limit = sub i64 %size, {total}
  %short = icmp slt i64 %limit, 0
  br i1 %short, label %fails, label %look
look:
{near}{_check_each(total, "%limit", "%address", "fails")}{_FAILS}"""


def check_local(total: int) -> str:
    """The same of local memory, whose lanes' parts lie apart, and which has gaps between variables."""
    return f"""
{field("local_size", "size")}{field("gaps", "gaps", "ptr")}{field("gap_count", "gap.count")}\
  %limit = sub i64 %size, {total}
  %short = icmp slt i64 %limit, 0
  br i1 %short, label %fails, label %look
look:
  %gap = phi i64 [ 0, %entry ], [ %gap.next, %beside ]
  %gaps.done = icmp sge i64 %gap, %gap.count
  br i1 %gaps.done, label %each, label %near
near:
  %gap.far = shl i64 %gap, 1
  %gap.at = getelementptr i64, ptr %gaps, i64 %gap.far
  %gap.start = load i64, ptr %gap.at
  %gap.to = getelementptr i64, ptr %gap.at, i64 1
  %gap.end = load i64, ptr %gap.to
  %gap.room = sub i64 %gap.start, {total}
{vector("gap.room.v", "%gap.room")}{vector("gap.end.v", "%gap.end")}\
  %gap.1 = icmp sgt <32 x i64> %address, %gap.room.v
  %gap.2 = icmp slt <32 x i64> %address, %gap.end.v
  %gap.both = and <32 x i1> %gap.1, %gap.2
  %gap.bits = bitcast <32 x i1> %gap.both to i32
  %gap.in = and i32 %gap.bits, %mask
  %gap.none = icmp eq i32 %gap.in, 0
  br i1 %gap.none, label %beside, label %fails
beside:
  %gap.next = add i64 %gap, 1
  br label %look
each:
{_check_each(total, "%limit", "%address", "fails")}{_FAILS}"""


_FAILS = """fails:
  %active = icmp ne i32 %mask, 0
  br i1 %active, label %faulty, label %failed
faulty:
  call void @fail(ptr %ctx)
  br label %failed
"""
