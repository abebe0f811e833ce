"""Which lanes of a warp run next: those that wait at the earliest block, as everywhere in the simulator.

`%pending` says for each block which lanes wait there, `%set` has a bit for each block where some do, and `%rest.p` is
all of these lanes: that none wait elsewhere, the common case, is one comparison.
"""

from __future__ import annotations

from weft.sim.native.transfer import field
from weft.sim.native.turns import FUEL, PASSED

PEND = """define internal void @pend(ptr %pending, ptr %set, ptr %rest.p, i32 %place, i32 %mask) alwaysinline {
  %at = getelementptr i32, ptr %pending, i32 %place
  %old = load i32, ptr %at
  %new = or i32 %old, %mask
  store i32 %new, ptr %at
  %rest = load i32, ptr %rest.p
  %more = or i32 %rest, %mask
  store i32 %more, ptr %rest.p
  %word = lshr i32 %place, 6
  %bit = and i32 %place, 63
  %bit.w = zext i32 %bit to i64
  %one = shl i64 1, %bit.w
  %set.at = getelementptr i64, ptr %set, i32 %word
  %set.old = load i64, ptr %set.at
  %set.new = or i64 %set.old, %one
  store i64 %set.new, ptr %set.at
  ret void
}
"""
"""Lanes of a mask wait at a block; a part of each module."""


def words(blocks: int) -> int:
    """Words of the set of so many blocks."""
    return -(-blocks // 64)


def _find(word: int, last: bool) -> str:
    """Take the first block of a word of the set; where it is empty, look in the next word."""
    after = "warps" if last else f"find{word + 1}"
    return f"""find{word}:
  %set.at{word} = getelementptr i64, ptr %set, i64 {word}
  %set{word} = load i64, ptr %set.at{word}
  %set.none{word} = icmp eq i64 %set{word}, 0
  br i1 %set.none{word}, label %{after}, label %pick{word}
pick{word}:
  %bit{word} = call i64 @llvm.cttz.i64(i64 %set{word}, i1 true)
  %less{word} = sub i64 %set{word}, 1
  %left{word} = and i64 %set{word}, %less{word}
  store i64 %left{word}, ptr %set.at{word}
  %far{word} = add i64 %bit{word}, {64 * word}
  %place{word} = trunc i64 %far{word} to i32
  br label %picked"""


def _passes_by(blocks: int) -> str:
    """A loop gives way: the lanes that wait at the blocks behind it go first, if the warp looks at what others change.

    Where lanes of a warp wait for others of it, the earliest block would run for ever.  Only so often in a turn, since
    what they wait for may as well be another warp's.
    """
    return f"""pass.by:
  %looks.at = {field("polls")}
  %looks = load i64, ptr %looks.at
  %looked = icmp ne i64 %looks, 0
  %by.old = load i32, ptr %passed.p
  %by.new = add i32 %by.old, 1
  store i32 %by.new, ptr %passed.p
  %by.few = icmp slt i32 %by.new, {PASSED}
  %by.may = and i1 %looked, %by.few
  %by.first = load i32, ptr %yielded.p
  br i1 %by.may, label %by, label %yield
by:
  %by.place = phi i32 [ %by.first, %pass.by ], [ %by.next, %by.none ]
  %by.end = icmp sge i32 %by.place, {blocks}
  br i1 %by.end, label %yield, label %by.look
by.look:
  %by.at = getelementptr i32, ptr %pending, i32 %by.place
  %by.lanes = load i32, ptr %by.at
  %by.idle = icmp eq i32 %by.lanes, 0
  br i1 %by.idle, label %by.none, label %by.found
by.none:
  %by.next = add i32 %by.place, 1
  br label %by
by.found:
  %by.word = lshr i32 %by.place, 6
  %by.bit = and i32 %by.place, 63
  %by.bit.w = zext i32 %by.bit to i64
  %by.one = shl i64 1, %by.bit.w
  %by.set.at = getelementptr i64, ptr %set, i32 %by.word
  %by.set = load i64, ptr %by.set.at
  %by.left = xor i64 %by.set, %by.one
  store i64 %by.left, ptr %by.set.at
  store i64 {FUEL}, ptr %fuel.p
  br label %picked
"""


def _picks(blocks: int) -> str:
    """Take the lanes that wait at the block `%place`, and go there."""
    cases = "\n".join(f"    i32 {place}, label %b{place}" for place in range(blocks))
    places = " ], [ ".join(f"%place{word}, %pick{word}" for word in range(words(blocks)))
    return f"""picked:
  %place = phi i32 [ %by.place, %by.found ], [ {places} ]
  %place.w = zext i32 %place to i64
  %picked.at = getelementptr i32, ptr %pending, i64 %place.w
  %chosen = load i32, ptr %picked.at
  store i32 0, ptr %picked.at
  %rest.old = load i32, ptr %rest.p
  %rest.new = xor i32 %rest.old, %chosen
  store i32 %rest.new, ptr %rest.p
  store i32 %chosen, ptr %mask.p
  switch i32 %place, label %warps [
{cases}
  ]
"""


def _yields(blocks: int) -> str:
    """The warp's fuel is spent: all lanes leave, each to go on at its block in a later turn."""
    return f"""yield:
; A warp that has only looked at what others change has done no work: where that is all that warps do, others go first.
  %polls.to = {field("polls")}
  %polls.now = load i64, ptr %polls.to
  %works.to = {field("works")}
  %works.old = load i64, ptr %works.to
  %works.now = xor i64 %polls.now, 1
  %works.new = or i64 %works.old, %works.now
  store i64 %works.new, ptr %works.to
  %yield.rest = load i32, ptr %rest.p
  %yield.none = icmp eq i32 %yield.rest, 0
  br i1 %yield.none, label %warps, label %yields
yields:
  %y = phi i32 [ 0, %yield ], [ %y.next, %yielded ]
  %y.w = zext i32 %y to i64
  %y.at = getelementptr i32, ptr %pending, i64 %y.w
  %y.mask = load i32, ptr %y.at
  store i32 0, ptr %y.at
  %y.idle = icmp eq i32 %y.mask, 0
  br i1 %y.idle, label %yielded, label %y.leaves
y.leaves:
  %y.number.at = getelementptr i32, ptr @numbers, i64 %y.w
  %y.number = load i32, ptr %y.number.at
  %y.table.at = getelementptr ptr, ptr @yields, i64 %y.w
  %y.table = load ptr, ptr %y.table.at
  call void @leave(ptr %ctx, i64 %warp, i32 %y.number, i32 %y.mask, ptr %y.table)
  br label %yielded
yielded:
  %y.next = add i32 %y, 1
  %y.end = icmp eq i32 %y.next, {blocks}
  br i1 %y.end, label %y.done, label %yields
y.done:
  store i32 0, ptr %rest.p
  store [{words(blocks)} x i64] zeroinitializer, ptr %set
  br label %warps
"""


def dispatch(blocks: int) -> str:
    """Run the lanes of the first block at which some wait while the warp has a turn; `%b0`, ... are the blocks."""
    count = words(blocks)
    finds = "\n".join(_find(word, word + 1 == count) for word in range(count))
    return f"""dispatch:
  %fuel = load i64, ptr %fuel.p
  %fuel.left = sub i64 %fuel, 1
  store i64 %fuel.left, ptr %fuel.p
  %tired = icmp sle i64 %fuel.left, 0
  br i1 %tired, label %yield, label %find0
{finds}
{_passes_by(blocks)}{_picks(blocks)}{_yields(blocks)}"""
