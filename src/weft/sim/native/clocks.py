"""What warps know of each other in code, where mbarriers order accesses too: vector clocks of a CTA.

The clock of a CTA counts arrivals, barriers and meetings of warps.  A cell holds the time of the warp that has accessed
it; another has heard of that when what it knows of the warp is later.  A whole warp that arrives at an mbarrier tells
it all that it has done, a part of one what its lanes knew when they last met; when a phase completes, those who wait
learn what was told.  Source: `weft.sim.clocks`, of which this tells less, never more.
"""

from __future__ import annotations

from weft.sim.flags import SPARED
from weft.sim.native.cells import CLOCKED, WORDS_OF, next_warp
from weft.sim.native.code import Code
from weft.sim.native.context import CONTEXT, field

SLOTS = WARPS = 32
"""The mbarriers and warps of a CTA at most."""
_NOW, _COUNT, _PLACES, _ENDED, _TOLD = 0, 1, SLOTS, 2 * SLOTS, 3 * SLOTS
_KNOWN = _TOLD + 2 * SLOTS * WARPS
SIZE = _KNOWN + 2 * WARPS * WARPS
"""Words of a clock: the time, the number of mbarriers, where these are, whether a phase has ended, what they were told
and what it was when it ended; then what each warp knows, and what its lanes have heard since they met."""
_LATEST = (1 << CLOCKED[32].state - CLOCKED[32].passed) - 2
_V = f"<{WARPS} x i32>"


def _vector(into: str, at: str) -> str:
    return f"  %{into} = load {_V}, ptr {at}, align 4\n"


def _max(into: str, one: str, other: str) -> str:
    return (
        f"  %{into}.more = icmp ugt {_V} {one}, {other}\n"
        f"  %{into} = select <{WARPS} x i1> %{into}.more, {_V} {one}, {_V} {other}\n"
    )


def _stamped(time: str) -> str:
    """The warp's stamps have another time."""
    text = ""
    for space, bits in WORDS_OF.items():
        layout = CLOCKED[bits]
        inside = (1 << layout.state) - (1 << layout.passed)
        text += f"""{field(f"{space}_stamp", f"{space}")}  %{space}.rest = and i64 %{space}, {~inside}
  %{space}.time = shl i64 {time}, {layout.passed}
  %{space}.new = or i64 %{space}.rest, %{space}.time
  store i64 %{space}.new, ptr %{space}.at
"""
    return text


TICK = f"""define internal i64 @clock_tick(ptr %ctx, i64 %warp) noinline {{
{field("clock", "clock", "ptr")}  %old = load i32, ptr %clock
  %now = add i32 %old, 1
  store i32 %now, ptr %clock
  %now.w = zext i32 %now to i64
{_stamped("%now.w")}{field("stamps", "stamps", "ptr")}  %two = shl i64 %warp, 1
  %mine = getelementptr i64, ptr %stamps, i64 %two
  %next = getelementptr i64, ptr %mine, i64 1
  store i64 %arena.new, ptr %mine
  store i64 %shared.new, ptr %next
  %late = icmp ugt i32 %now, {_LATEST}
  br i1 %late, label %fails, label %end
fails:
  call void @fail(ptr %ctx)
  br label %end
end:
  ret i64 %now.w
}}"""

LEAST = f"""define internal void @clock_least(ptr %ctx) noinline {{
{field("known", "known", "ptr")}{field("turn", "turn")}{field("roles", "roles")}{_vector("v", "%known")}\
  %turn.w = trunc i64 %turn to i32
  %turn.0 = insertelement {_V} poison, i32 %turn.w, i64 0
  %turn.v = shufflevector {_V} %turn.0, {_V} poison, {_V} zeroinitializer
  %roles.w = trunc i64 %roles to i32
  %roles.0 = insertelement {_V} poison, i32 %roles.w, i64 0
  %roles.v = shufflevector {_V} %roles.0, {_V} poison, {_V} zeroinitializer
  %other = icmp ne {_V} <{", ".join(f"i32 {n}" for n in range(WARPS))}>, %turn.v
  %is = icmp ult {_V} <{", ".join(f"i32 {n}" for n in range(WARPS))}>, %roles.v
  %both = and <{WARPS} x i1> %other, %is
  %those = select <{WARPS} x i1> %both, {_V} %v, {_V} splat (i32 -1)
  %least = call i32 @llvm.vector.reduce.umin.v{WARPS}i32({_V} %those)
  %least.w = zext i32 %least to i64
  %least.at = getelementptr i64, ptr %ctx, i64 {CONTEXT["least"]}
  store i64 %least.w, ptr %least.at
  ret void
}}"""

SLOT = f"""define internal ptr @clock_slot(ptr %ctx, <32 x i64> %address, i32 %mask) noinline {{
entry:
{field("clock", "clock", "ptr")}  %lane = call i32 @llvm.cttz.i32(i32 %mask, i1 true)
  %one = extractelement <32 x i64> %address, i32 %lane
  %one.0 = insertelement <32 x i64> poison, i64 %one, i64 0
  %one.v = shufflevector <32 x i64> %one.0, <32 x i64> poison, <32 x i32> zeroinitializer
  %unlike = icmp ne <32 x i64> %address, %one.v
  %unlike.bits = bitcast <32 x i1> %unlike to i32
  %unlike.mine = and i32 %unlike.bits, %mask
  %several = icmp ne i32 %unlike.mine, 0
  %place.64 = add i64 %one, 1
  %place = trunc i64 %place.64 to i32
  %places.at = getelementptr i32, ptr %clock, i64 {_PLACES}
  %place.0 = insertelement {_V} poison, i32 %place, i64 0
  %place.v = shufflevector {_V} %place.0, {_V} poison, {_V} zeroinitializer
{_vector("places", "%places.at")}  %same = icmp eq {_V} %places, %place.v
  %bits = bitcast <{WARPS} x i1> %same to i32
  %is.new = icmp eq i32 %bits, 0
  %count.at = getelementptr i32, ptr %clock, i64 {_COUNT}
  %count = load i32, ptr %count.at
  %full = icmp uge i32 %count, {SLOTS}
  %full.new = and i1 %is.new, %full
  %bad = or i1 %several, %full.new
  br i1 %bad, label %fails, label %look
fails:
  call void @fail(ptr %ctx)
  ret ptr %clock
look:
  br i1 %is.new, label %add, label %end
add:
  %to = getelementptr i32, ptr %places.at, i32 %count
  store i32 %place, ptr %to
  %more = add i32 %count, 1
  store i32 %more, ptr %count.at
  br label %end
end:
  %found = call i32 @llvm.cttz.i32(i32 %bits, i1 false)
  %number = select i1 %is.new, i32 %count, i32 %found
  %slot = getelementptr i32, ptr %places.at, i32 %number
  ret ptr %slot
}}"""
"""The word of an mbarrier among the places of its clock; lanes must name one."""


def _of_slot() -> str:
    """What an mbarrier was told, and what it was told at the end of its last phase."""
    return f"""{field("clock", "clock", "ptr")}  %slot.i = ptrtoint ptr %slot to i64
  %clock.i = ptrtoint ptr %clock to i64
  %slot.far = sub i64 %slot.i, %clock.i
  %slot.words = lshr i64 %slot.far, 2
  %number = sub i64 %slot.words, {_PLACES}
  %part = shl i64 %number, 6
  %start = add i64 %part, {_TOLD}
  %told = getelementptr i32, ptr %clock, i64 %start
  %done = getelementptr i32, ptr %told, i64 {WARPS}
  %ended.number = add i64 %number, {_ENDED}
  %ended.at = getelementptr i32, ptr %clock, i64 %ended.number
"""


INIT = f"""define internal void @clock_init(ptr %ctx, <32 x i64> %address, i32 %mask) noinline {{
  %slot = call ptr @clock_slot(ptr %ctx, <32 x i64> %address, i32 %mask)
{_of_slot()}  store <{2 * WARPS} x i32> zeroinitializer, ptr %told, align 4
  store i32 0, ptr %ended.at
  ret void
}}"""

ARRIVE = f"""define internal void @clock_arrive(ptr %ctx, i64 %warp, ptr %slot, i32 %mask) noinline {{
entry:
{_of_slot()}{field("known", "known", "ptr")}{_vector("knows", "%known")}{_vector("ends", "%done")}\
  %unheard = icmp ugt {_V} %ends, %knows
  %unheard.bits = bitcast <{WARPS} x i1> %unheard to i32
  %unaware = icmp ne i32 %unheard.bits, 0
  br i1 %unaware, label %fails, label %fine
fails:
  call void @fail(ptr %ctx)
  ret void
fine:
{_vector("tells", "%told")}{_max("sum", "%tells", "%knows")}  store {_V} %sum, ptr %told, align 4
  %whole = icmp eq i32 %mask, -1
  br i1 %whole, label %speaks, label %end
speaks:
{field("turn", "turn")}  %now = call i64 @clock_tick(ptr %ctx, i64 %warp)
  %now.w = trunc i64 %now to i32
  %mine = getelementptr i32, ptr %told, i64 %turn
  store i32 %now.w, ptr %mine
  br label %end
end:
  ret void
}}"""

COMPLETE = f"""define internal void @clock_complete(ptr %ctx, ptr %slot) noinline {{
{_of_slot()}{_vector("all", "%told")}  store {_V} %all, ptr %done, align 4
  store i32 1, ptr %ended.at
  ret void
}}"""

WAIT = f"""define internal i1 @clock_wait(ptr %ctx, ptr %cache, <32 x i64> %address, i32 %mask) noinline {{
entry:
  %slot = call ptr @clock_slot(ptr %ctx, <32 x i64> %address, i32 %mask)
{_of_slot()}{field("known", "known", "ptr")}{_vector("knows", "%known")}{_vector("ends", "%done")}\
  %heard.at = getelementptr i32, ptr %known, i64 {WARPS}
{_vector("heard", "%heard.at")}  %news = icmp ugt {_V} %ends, %knows
  %news.bits = bitcast <{WARPS} x i1> %news to i32
  %fresh = icmp ne i32 %news.bits, 0
  %spared.at = getelementptr i64, ptr %cache, i64 1
  %spared = load i64, ptr %spared.at
  %few = icmp slt i64 %spared, {SPARED}
  %early = and i1 %fresh, %few
  br i1 %early, label %spare, label %learn
spare:
  %spared.new = add i64 %spared, 1
  store i64 %spared.new, ptr %spared.at
  ret i1 false
learn:
  %whole = icmp eq i32 %mask, -1
  br i1 %whole, label %all, label %some
all:
{_max("sum", "%ends", "%knows")}  store {_V} %sum, ptr %known, align 4
  call void @clock_least(ptr %ctx)
  ret i1 true
some:
{_max("share", "%ends", "%heard")}  store {_V} %share, ptr %heard.at, align 4
  ret i1 true
}}"""
"""Learn of the end of a phase; false where it might as well not have ended yet, the first few times."""

MET = f"""define internal void @met(ptr %ctx, i64 %warp) noinline {{
{field("known", "known", "ptr")}{_vector("knows", "%known")}  %heard.at = getelementptr i32, ptr %known, i64 {WARPS}
{_vector("heard", "%heard.at")}{_max("sum", "%heard", "%knows")}  store {_V} %sum, ptr %known, align 4
{field("turn", "turn")}  %now = call i64 @clock_tick(ptr %ctx, i64 %warp)
  %now.w = trunc i64 %now to i32
  %mine = getelementptr i32, ptr %known, i64 %turn
  store i32 %now.w, ptr %mine
  call void @clock_least(ptr %ctx)
  ret void
}}"""
"""Lanes of the warp have met."""


def _pass() -> str:
    """All threads of a CTA have met: all know all."""
    text = f"""define internal void @passes(ptr %ctx, i64 %cta) noinline {{
entry:
{field("roles", "roles")}{field("ctas", "ctas")}\
{field("clocks", "clocks", "ptr")}{field("stamps", "stamps", "ptr")}\
  %part = mul i64 %cta, {SIZE}
  %clock = getelementptr i32, ptr %clocks, i64 %part
  %old = load i32, ptr %clock
  %now = add i32 %old, 1
  store i32 %now, ptr %clock
  %now.w = zext i32 %now to i64
  %now.0 = insertelement {_V} poison, i32 %now, i64 0
  %now.v = shufflevector {_V} %now.0, {_V} poison, {_V} zeroinitializer
  %late = icmp ugt i32 %now, {_LATEST}
  br i1 %late, label %fails, label %next
fails:
  call void @fail(ptr %ctx)
  ret void
next:
  %role = phi i64 [ 0, %entry ], [ %role.next, %next ]
  %warp = phi i64 [ %cta, %entry ], [ %warp.next, %next ]
  %far = shl i64 %role, 6
  %at = add i64 %far, {_KNOWN}
  %known = getelementptr i32, ptr %clock, i64 %at
  store {_V} %now.v, ptr %known, align 4
"""
    return text + next_warp(CLOCKED, "%now.w")


ENTER = f"""{field("clocks", "clocks", "ptr")}  %clock.part = mul i64 %cta, {SIZE}
  %clock = getelementptr i32, ptr %clocks, i64 %clock.part
  %clock.to = getelementptr i64, ptr %ctx, i64 {CONTEXT["clock"]}
  store ptr %clock, ptr %clock.to
  %turn = udiv i64 %warp, %ctas
  %turn.to = getelementptr i64, ptr %ctx, i64 {CONTEXT["turn"]}
  store i64 %turn, ptr %turn.to
  %turn.far = shl i64 %turn, 6
  %turn.at = add i64 %turn.far, {_KNOWN}
  %known = getelementptr i32, ptr %clock, i64 %turn.at
  %known.to = getelementptr i64, ptr %ctx, i64 {CONTEXT["known"]}
  store ptr %known, ptr %known.to
  call void @clock_least(ptr %ctx)
"""
"""A warp has its turn."""

FUNCTIONS = TICK, LEAST, SLOT, INIT, ARRIVE, COMPLETE, WAIT, MET, _pass()


def declare(code: Code) -> None:
    """Let a module call them."""
    for function in FUNCTIONS:
        code.declare(function)
