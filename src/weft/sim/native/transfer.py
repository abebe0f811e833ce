"""What every region has: functions that bring registers to the frame and back, and note which lanes wait where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.sim.native import clocks
from weft.sim.native.context import CONTEXT

if TYPE_CHECKING:
    from weft.sim.native.access import Guard
    from weft.sim.native.code import Code


def field(name: str) -> str:
    """The address of a word of the context."""
    return f"getelementptr i64, ptr %ctx, i64 {CONTEXT[name]}"


def _copy(bytes_: int, inward: bool) -> str:
    """Move a register of so many bytes between a row and the frame."""
    kind = f"k{bytes_}"
    if not bytes_:
        if inward:
            return f"""{kind}:
  %{kind}.at = getelementptr i8, ptr %row, i64 %lane
  %{kind}.v = load <32 x i8>, ptr %{kind}.at, align 1
  %{kind}.b = icmp ne <32 x i8> %{kind}.v, zeroinitializer
  %{kind}.w = bitcast <32 x i1> %{kind}.b to i32
  store i32 %{kind}.w, ptr %place
  br label %moved"""
        return f"""{kind}:
  %{kind}.at = getelementptr i8, ptr %row, i64 %lane
  %{kind}.w = load i32, ptr %place
  %{kind}.b = bitcast i32 %{kind}.w to <32 x i1>
  %{kind}.v = zext <32 x i1> %{kind}.b to <32 x i8>
  call void @llvm.masked.store.v32i8.p0(<32 x i8> %{kind}.v, ptr align 1 %{kind}.at, <32 x i1> %lanes)
  br label %moved"""
    type_ = f"<32 x i{8 * bytes_}>"
    if inward:
        return f"""{kind}:
  %{kind}.at = getelementptr i{8 * bytes_}, ptr %row, i64 %lane
  %{kind}.v = load {type_}, ptr %{kind}.at, align {bytes_}
  store {type_} %{kind}.v, ptr %place, align 64
  br label %moved"""
    return f"""{kind}:
  %{kind}.at = getelementptr i{8 * bytes_}, ptr %row, i64 %lane
  %{kind}.v = load {type_}, ptr %place, align 64
  call void @llvm.masked.store.v32i{8 * bytes_}.p0({type_} %{kind}.v, ptr align {bytes_} %{kind}.at, <32 x i1> %lanes)
  br label %moved"""


def _mover(inward: bool) -> str:
    """The loop over the registers of an entry or exit."""
    cases = "\n".join(f"    i32 {size}, label %k{size}" for size in (0, 1, 2, 4, 8))
    copies = "\n".join(_copy(size, inward) for size in (0, 1, 2, 4, 8))
    return f"""  %count = load i64, ptr %list
  %from.at = getelementptr i64, ptr %list, i64 1
  %from = load ptr, ptr %from.at
  %rows.at = {field("rows")}
  %rows = load ptr, ptr %rows.at
  %frame.at = {field("frame")}
  %frame = load ptr, ptr %frame.at
  %lane = shl i64 %warp, 5
  br label %next
next:
  %i = phi i64 [ 0, %begin ], [ %j, %moved ]
  %done = icmp eq i64 %i, %count
  br i1 %done, label %end, label %move
move:
  %i3 = mul i64 %i, 3
  %m0 = getelementptr i32, ptr %from, i64 %i3
  %m1 = getelementptr i32, ptr %m0, i64 1
  %m2 = getelementptr i32, ptr %m0, i64 2
  %index = load i32, ptr %m0
  %offset = load i32, ptr %m1
  %size = load i32, ptr %m2
  %row.at = getelementptr ptr, ptr %rows, i32 %index
  %row = load ptr, ptr %row.at
  %place = getelementptr i8, ptr %frame, i32 %offset
  switch i32 %size, label %moved [
{cases}
  ]
{copies}
moved:
  %j = add i64 %i, 1
  br label %next
"""


def _stamped() -> str:
    """Look up the warp's stamps, and the cells of its CTA."""
    text = f"""  %stamps.at = {field("stamps")}
  %stamps = load ptr, ptr %stamps.at
  %two = shl i64 %warp, 1
  %stamp.0 = getelementptr i64, ptr %stamps, i64 %two
  %stamp.1 = getelementptr i64, ptr %stamp.0, i64 1
  %near.at = {field("near_stride")}
  %near = load i64, ptr %near.at
  %near.part = mul i64 %cta, %near
"""
    for number, space in enumerate(("arena", "shared")):
        text += f"""  %mine.{number} = load i64, ptr %stamp.{number}
  %to.{number} = {field(f"{space}_stamp")}
  store i64 %mine.{number}, ptr %to.{number}
"""
    for kind in ("written", "read", "changed"):
        text += f"""  %{kind}.at = {field(f"near_{kind}")}
  %{kind} = load i64, ptr %{kind}.at
  %{kind}.mine = add i64 %{kind}, %near.part
  %{kind}.to = {field(f"shared_{kind}")}
  store i64 %{kind}.mine, ptr %{kind}.to
"""
    return text


def declare(code: Code, guard: Guard | None) -> None:
    """Let a module call what every region calls."""
    more = "" if guard is None else _stamped() + (clocks.ENTER if guard.clocked else "")
    for function in (_enter(more), _REST, _LEAVE):
        code.declare(function)


def _enter(more: str) -> str:
    return f"""define internal void @enter(ptr %ctx, i64 %warp, ptr %list) noinline {{
begin:
  %ctas.at = {field("ctas")}
  %ctas = load i64, ptr %ctas.at
  %cta = urem i64 %warp, %ctas
  %stride.at = {field("shared_stride")}
  %stride = load i64, ptr %stride.at
  %part = mul i64 %cta, %stride
  %shared.at = {field("shared")}
  %shared = load i64, ptr %shared.at
  %base = add i64 %shared, %part
  %base.at = {field("shared_base")}
  store i64 %base, ptr %base.at
  %far.at = {field("local_stride")}
  %far = load i64, ptr %far.at
  %thread = shl i64 %warp, 5
  %skip = mul i64 %far, %thread
  %local.at = {field("local")}
  %local = load i64, ptr %local.at
  %mine = add i64 %local, %skip
  %mine.at = {field("local_base")}
  store i64 %mine, ptr %mine.at
{more}{_mover(inward=True)}end:
  ret void
}}"""


_REST = f"""define internal void @rest(ptr %ctx, i64 %warp, i32 %number, i32 %mask, ptr %list) noinline {{
  %lanes.at = {field("lanes")}
  %lanes = load i32, ptr %lanes.at
  %all = icmp eq i32 %lanes, %mask
  br i1 %all, label %rests, label %leaves
rests:
  %rests.at = {field("rests")}
  store i64 1, ptr %rests.at
  %first.at = {field("first")}
  %number.w = sext i32 %number to i64
  store i64 %number.w, ptr %first.at
  ret void
leaves:
  call void @leave(ptr %ctx, i64 %warp, i32 %number, i32 %mask, ptr %list)
  ret void
}}"""

_LEAVE = f"""define internal void @leave(ptr %ctx, i64 %warp, i32 %number, i32 %mask, ptr %list) noinline {{
begin:
  %lanes = bitcast i32 %mask to <32 x i1>
  %where.at = {field("where")}
  %where = load ptr, ptr %where.at
  %thread = shl i64 %warp, 5
  %mine = getelementptr i32, ptr %where, i64 %thread
  %number.0 = insertelement <32 x i32> poison, i32 %number, i64 0
  %number.v = shufflevector <32 x i32> %number.0, <32 x i32> poison, <32 x i32> zeroinitializer
  call void @llvm.masked.store.v32i32.p0(<32 x i32> %number.v, ptr align 4 %mine, <32 x i1> %lanes)
  %first.at = {field("first")}
  %first = load i64, ptr %first.at
  %number.w = sext i32 %number to i64
  %new = icmp slt i64 %first, 0
  %told = select i1 %new, i64 %number.w, i64 %first
  store i64 %told, ptr %first.at
  %other = icmp ne i64 %told, %number.w
  %other.w = zext i1 %other to i64
  %mixed.at = {field("mixed")}
  %mixed = load i64, ptr %mixed.at
  %mixes = or i64 %mixed, %other.w
  store i64 %mixes, ptr %mixed.at
{_mover(inward=False)}end:
  ret void
}}"""
