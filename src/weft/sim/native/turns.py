"""Whose turn it is in code: CTA after CTA, and of each its warps, until none can go on.

A warp leaves where it has to wait for others or needs what is not code.  When all threads of a CTA have left at one
barrier, they go on behind it; a warp that waits for an mbarrier looks again when a phase of one has completed.
"""

from __future__ import annotations

from weft.sim.native.transfer import field

MOST_WARPS = 32
FUEL = 4096
"""Backward branches of a warp before others get their turn."""
PASSED = 64
"""How often lanes of a warp that wait for others of it let these go first, in a turn."""
ROUNDS = 16
"""Backward branches that a warp's turn counts for."""
PATIENCE, HURRY = 1 << 20, 1 << 14
"""Those of the warps of a CTA after which none of them begins another turn: also where a run is limited, or threads
look at what others change, who may be of other CTAs; each such look then counts for many (`access.POLL`)."""
WAYS = {"": 0, "popc": 1, "and": 2, "or": 3}
"""What barriers give: nothing, how many threads vote for it, whether all do, and whether one does."""
WAITS, STAYS = -2, -1
"""What `nexts` says of exits: lanes wait there for an mbarrier, or stay there; otherwise where all go on together."""


def _word(name: str, into: str) -> str:
    return f"  %{into}.at = {field(name)}\n  %{into} = load i64, ptr %{into}.at\n"


def _all(into: str, value: str, places: str) -> str:
    """Store a number for all warps."""
    return f"""  %{into}.0 = insertelement <{MOST_WARPS} x i32> poison, i32 {value}, i64 0
  %{into} = shufflevector <{MOST_WARPS} x i32> %{into}.0, <{MOST_WARPS} x i32> poison, \
<{MOST_WARPS} x i32> zeroinitializer
  store <{MOST_WARPS} x i32> %{into}, ptr {places}, align 64
"""


# What lives across the blocks of the code, by warp where it is an array: `%entries`, where a warp goes on (-1: it
# rests); `%left`, the exit by which it has left (-1: by none, or by several); `%seen`, how many phases had completed
# when it left; `%rests.p`, whether its registers are still in the frame; `%lanes.p`, the threads it ran with.
# `%complete.p`: every thread of the CTA takes part, without which no barrier may be passed here.
SLOTS = f"""  %cta.p = alloca i64
  %role.p = alloca i64
  %spent.p = alloca i64
  %complete.p = alloca i64
  %yielded.p = alloca i32
  %passed.p = alloca i32
  %entries = alloca [{MOST_WARPS} x i32], align 64
  %left = alloca [{MOST_WARPS} x i32], align 64
  %seen = alloca [{MOST_WARPS} x i64], align 64
  %rests.p = alloca [{MOST_WARPS} x i32], align 64
  %lanes.p = alloca [{MOST_WARPS} x i32], align 64
"""


_UNVOTED = "".join(
    f"  %{name}.new.at = {field(name)}\n  store i64 0, ptr %{name}.new.at\n" for name in ("votes", "voters")
)
_RESTED = """  %e.rests.at = getelementptr i32, ptr %rests.p, i64 %e
  %e.rests = load i32, ptr %e.rests.at
  %e.there = icmp ne i32 %e.rests, 0
  %rested.all = and i1 %e.rested, %e.there
"""
_GIVES = """  %gives.at = getelementptr [2 x i32], ptr @results, i32 %left.number
  %gives = load i32, ptr %gives.at
  %gives.none = icmp eq i32 %gives, 0
  %gives.well = or i1 %rested.all, %gives.none
  %meet.4 = and i1 %meet.3, %gives.well
"""
_VOTES = f"""{_word("votes", "votes")}{_word("voters", "voters")}  store i64 0, ptr %votes.at
  store i64 0, ptr %voters.at
  %way.at = getelementptr [2 x i32], ptr @results, i32 %left.number
  %way = load i32, ptr %way.at
  %slot.at = getelementptr i32, ptr %way.at, i64 1
  %slot = load i32, ptr %slot.at
  %v.all = icmp eq i64 %votes, %voters
  %v.any = icmp ne i64 %votes, 0
  %v.word = trunc i64 %votes to i32
  %v.count.0 = insertelement <32 x i32> poison, i32 %v.word, i64 0
  %v.count = shufflevector <32 x i32> %v.count.0, <32 x i32> poison, <32 x i32> zeroinitializer
  br label %result
result:
  %v = phi i64 [ 0, %pass ], [ %v.next, %resulted ]
  %v.far = mul i64 %v, FRAME
  %v.near = zext i32 %slot to i64
  %v.off = add i64 %v.far, %v.near
  %v.to = getelementptr i8, ptr %frames, i64 %v.off
  switch i32 %way, label %resulted [
    i32 {WAYS["popc"]}, label %result.count
    i32 {WAYS["and"]}, label %result.all
    i32 {WAYS["or"]}, label %result.any
  ]
result.count:
  store <32 x i32> %v.count, ptr %v.to, align 64
  br label %resulted
result.all:
  %v.all.w = sext i1 %v.all to i32
  store i32 %v.all.w, ptr %v.to
  br label %resulted
result.any:
  %v.any.w = sext i1 %v.any to i32
  store i32 %v.any.w, ptr %v.to
  br label %resulted
resulted:
  %v.next = add i64 %v, 1
  %v.more = icmp slt i64 %v.next, %roles
  br i1 %v.more, label %result, label %passes
passes:
"""


def _begins(votes: bool) -> str:
    """The next CTA: all its warps are to run, from the entry of the call."""
    return f"""{_word("role", "role.first")}{_word("roles", "roles")}{_word("ctas", "ctas")}{_word("whole", "closed")}\
{_word("patience", "patience")}{_word("last_role", "last.role")}{_word("tail", "tail")}\
  %whole = icmp eq ptr %masks, null
  %first.to = {field("first")}
  %mixed.to = {field("mixed")}
  br label %begin
begin:
  %cta.in = phi i64 [ %lo, %start ], [ %cta.next, %told ]
  %none = icmp sge i64 %cta.in, %hi
  br i1 %none, label %finish, label %cta
cta:
  store i64 %cta.in, ptr %cta.p
  store i64 0, ptr %role.p
  store i64 0, ptr %spent.p
  store i64 %closed, ptr %complete.p
{_UNVOTED if votes else ""}{_all("entry.all", "%entry", "%entries")}{_all("idle.all", "-1", "%left")}\
  store [{MOST_WARPS} x i32] zeroinitializer, ptr %rests.p
  br label %next
"""


def _stops() -> str:
    """A warp has come to the end of its turn: keep how it left, and what it had seen of mbarriers by then."""
    return f"""warps:
  %turn = load i64, ptr %role.p
{_word("first", "first")}{_word("mixed", "mixed")}{_word("phases", "phases")}\
  store i64 -1, ptr %first.at
  store i64 0, ptr %mixed.at
  %parted = icmp ne i64 %mixed, 0
  %first.w = trunc i64 %first to i32
  %left.w = select i1 %parted, i32 -1, i32 %first.w
  %left.at = getelementptr i32, ptr %left, i64 %turn
  store i32 %left.w, ptr %left.at
  %seen.at = getelementptr i64, ptr %seen, i64 %turn
  store i64 %phases, ptr %seen.at
{_word("polls", "polls")}{_word("polled", "polled")}  %polled.new = or i64 %polled, %polls
  store i64 %polled.new, ptr %polled.at
{_word("rests", "rest")}  %rest.w = trunc i64 %rest to i32
  %rests.at = getelementptr i32, ptr %rests.p, i64 %turn
  store i32 %rest.w, ptr %rests.at
  %fuel.end = load i64, ptr %fuel.p
  %used = sub i64 {FUEL + ROUNDS}, %fuel.end
  %spent.old = load i64, ptr %spent.p
  %spent.new = add i64 %spent.old, %used
  store i64 %spent.new, ptr %spent.p
  %turn.next = add i64 %turn, 1
  store i64 %turn.next, ptr %role.p
  %fault = load i64, ptr %fault.p
  %well = icmp eq i64 %fault, 0
  br i1 %well, label %next, label %finish
"""


_TAKES = """next:
  %role = load i64, ptr %role.p
  %more = icmp slt i64 %role, %roles
  br i1 %more, label %take, label %round
finish:
; All CTAs have rested, or there is a fault: the scheduler goes on.
  %code.64 = load i64, ptr %fault.p
  %code = trunc i64 %code.64 to i32
  ret i32 %code
skip:
  %after = add i64 %role, 1
  store i64 %after, ptr %role.p
  br label %next
take:
  %entry.at = getelementptr i32, ptr %entries, i64 %role
  %entry.now = load i32, ptr %entry.at
  %rests = icmp slt i32 %entry.now, 0
  br i1 %rests, label %skip, label %ready
ready:
  %cta.now = load i64, ptr %cta.p
  %role.part = mul i64 %role, %ctas
  %offset = add i64 %role.part, %cta.now
  %skipped = mul i64 %role.first, %ctas
  %warp = add i64 %skipped, %offset
  br i1 %whole, label %all, label %some
some:
; Threads may have exited, or wait elsewhere: only a mask that has all that exist counts as a whole warp.
  %some.at = getelementptr i32, ptr %masks, i64 %offset
  %some.mask = load i32, ptr %some.at
  %some.role = add i64 %role.first, %role
  %some.last = icmp eq i64 %some.role, %last.role
  %some.tail = trunc i64 %tail to i32
  %some.all = select i1 %some.last, i32 %some.tail, i32 -1
  %part = icmp ne i32 %some.mask, %some.all
  br i1 %part, label %partly, label %all
partly:
; The other threads may still come to the barrier, so that it is for the scheduler to open.
  store i64 0, ptr %complete.p
  %idle = icmp eq i32 %some.mask, 0
  br i1 %idle, label %skip, label %all
"""
"""The next warp of the CTA that does not rest, and its threads."""


def _compares(votes: bool) -> str:
    """All warps have had a turn: whether they left at one exit, and which of them may look at an mbarrier again."""
    return f"""round:
  %round.cta = load i64, ptr %cta.p
  %phases.now = load i64, ptr %phases.to
  %left.first = load i32, ptr %left
  br label %each
each:
  %e = phi i64 [ 0, %round ], [ %e.next, %each ]
  %same = phi i1 [ true, %round ], [ %same.all, %each ]
  %again = phi i1 [ false, %round ], [ %again.any, %each ]
{"  %e.rested = phi i1 [ true, %round ], [ %rested.all, %each ]" + chr(10) + _RESTED if votes else ""}\
  %e.at = getelementptr i32, ptr %left, i64 %e
  %e.left = load i32, ptr %e.at
  %e.same = icmp eq i32 %e.left, %left.first
  %same.all = and i1 %same, %e.same
  %e.is = icmp sge i32 %e.left, 0
  %e.number = select i1 %e.is, i32 %e.left, i32 0
  %e.next.at = getelementptr i32, ptr @nexts, i32 %e.number
  %e.goes = load i32, ptr %e.next.at
; A warp that waits for an mbarrier looks again only if a phase has completed since it left: nothing else can have
; changed what it would see.
  %e.waits = icmp eq i32 %e.goes, {WAITS}
  %e.seen.at = getelementptr i64, ptr %seen, i64 %e
  %e.seen = load i64, ptr %e.seen.at
  %e.news = icmp ne i64 %e.seen, %phases.now
  %e.looks = and i1 %e.waits, %e.news
  %e.looks.is = and i1 %e.looks, %e.is
  %again.any = or i1 %again, %e.looks.is
  %e.entry = select i1 %e.looks.is, i32 %e.left, i32 -1
  %e.to = getelementptr i32, ptr %entries, i64 %e
  store i32 %e.entry, ptr %e.to
  %e.next = add i64 %e, 1
  %e.more = icmp slt i64 %e.next, %roles
  br i1 %e.more, label %each, label %judge
"""


def _meets(passes: str, frame: int, votes: bool) -> str:
    """Let the warps pass a barrier that all have reached, or give those a turn that look again, or end."""
    return f"""judge:
; Rounds are limited, so that other CTAs, whose stores these warps may be looking for, get their turn.
  %spent = load i64, ptr %spent.p
  %patient = icmp slt i64 %spent, %patience
  br i1 %patient, label %meet, label %ended
meet:
; They pass where all warps left at one exit, which is a barrier, and no thread is elsewhere.
  store i64 0, ptr %role.p
  %complete = load i64, ptr %complete.p
  %is.complete = icmp ne i64 %complete, 0
  %left.is = icmp sge i32 %left.first, 0
  %left.number = select i1 %left.is, i32 %left.first, i32 0
  %goes.at = getelementptr i32, ptr @nexts, i32 %left.number
  %goes = load i32, ptr %goes.at
  %goes.is = icmp sge i32 %goes, 0
  %meet.1 = and i1 %same.all, %is.complete
  %meet.2 = and i1 %left.is, %goes.is
  %meet.3 = and i1 %meet.1, %meet.2
{_GIVES if votes else ""}  br i1 %meet.{3 + votes}, label %pass, label %look
look:
  br i1 %again.any, label %next, label %ended
pass:
{_VOTES.replace("FRAME", str(frame)) if votes else ""}{passes}{_all("goes.all", "%goes", "%entries")}  br label %next
"""


def _wakes(frame: int) -> str:
    """The CTA rests: bring the registers of warps that kept theirs in the frame to the rows."""
    return f"""ended:
  %steps = load i64, ptr %steps.to
  %spent.end = load i64, ptr %spent.p
; The CTA that took most stands for the batch: CTAs run side by side on a GPU, and a limit of steps is one of time.
  %longer = icmp sgt i64 %spent.end, %steps
  %steps.new = select i1 %longer, i64 %spent.end, i64 %steps
  store i64 %steps.new, ptr %steps.to
  br label %wakes
wakes:
  %k = phi i64 [ 0, %ended ], [ %k.next, %awake ]
  %k.at = getelementptr i32, ptr %rests.p, i64 %k
  %k.rests = load i32, ptr %k.at
  %k.is = icmp ne i32 %k.rests, 0
  br i1 %k.is, label %wake, label %awake
wake:
; The scheduler and NumPy read rows only.
  %k.frame.far = mul i64 %k, {frame}
  %k.frame = getelementptr i8, ptr %frames, i64 %k.frame.far
  %k.frame.to = {field("frame")}
  store ptr %k.frame, ptr %k.frame.to
  %k.left.at = getelementptr i32, ptr %left, i64 %k
  %k.left = load i32, ptr %k.left.at
  %k.lanes.at = getelementptr i32, ptr %lanes.p, i64 %k
  %k.lanes = load i32, ptr %k.lanes.at
  %k.list.at = getelementptr ptr, ptr @keeps, i32 %k.left
  %k.list = load ptr, ptr %k.list.at
  %k.role = add i64 %k, %role.first
  %k.part = mul i64 %k.role, %ctas
  %k.warp = add i64 %k.part, %round.cta
  call void @leave(ptr %ctx, i64 %k.warp, i32 %k.left, i32 %k.lanes, ptr %k.list)
  br label %awake
awake:
  %k.next = add i64 %k, 1
  %k.more = icmp slt i64 %k.next, %roles
  br i1 %k.more, label %wakes, label %told
told:
  store i64 -1, ptr %first.to
  store i64 0, ptr %mixed.to
  %cta.next = add i64 %round.cta, 1
  br label %begin
"""


def _enters(frame: int) -> str:
    """A warp begins its turn: its lanes, and its registers, unless these still lie in the frame."""
    return f"""all:
  %mask.in = phi i32 [ -1, %ready ], [ %some.mask, %some ], [ %some.mask, %partly ]
  %exists = phi i32 [ -1, %ready ], [ %some.all, %some ], [ %some.all, %partly ]
  %exists.w = zext i32 %exists to i64
  %exists.to = {field("exists")}
  store i64 %exists.w, ptr %exists.to
  store i32 %mask.in, ptr %mask.p
  store i64 {FUEL}, ptr %fuel.p
  %lanes.at = getelementptr i32, ptr %lanes.p, i64 %role
  store i32 %mask.in, ptr %lanes.at
  %mask.w = zext i32 %mask.in to i64
  %lanes.to = {field("lanes")}
  store i64 %mask.w, ptr %lanes.to
  %rests.to = {field("rests")}
  store i64 0, ptr %rests.to
  %looks.to = {field("polls")}
  store i64 0, ptr %looks.to
  store i32 0, ptr %passed.p
  %frame.far = mul i64 %role, {frame}
  %frame = getelementptr i8, ptr %frames, i64 %frame.far
  %frame.to = {field("frame")}
  store ptr %frame, ptr %frame.to
; Registers of a warp that rested are still in its frame: nothing is moved in.
  %rested.at = getelementptr i32, ptr %rests.p, i64 %role
  %rested = load i32, ptr %rested.at
  %has = icmp ne i32 %rested, 0
  %moves.in = getelementptr {{ i64, ptr }}, ptr @moves.in, i32 %entry.now
  %moves = select i1 %has, ptr @nothing, ptr %moves.in
  call void @enter(ptr %ctx, i64 %warp, ptr %moves)
"""


def turns(passes: str, frame: int, *, votes: bool) -> str:
    """The code up to a warp's entry; `passes` is what is done when the CTA `%round.cta` passes a barrier.

    A warp's registers, so many bytes of `frame`, stay where they are while it rests.  With `votes` some barriers have
    results: `@results` says for each exit how, and where in the frame.
    """
    return "".join(
        (
            _begins(votes),
            _stops(),
            _TAKES,
            _compares(votes),
            _meets(passes, frame, votes),
            _wakes(frame),
            _enters(frame),
        )
    )
