"""Cells in code: who has last written and read each piece of memory, for runs that look for races and unwritten bytes.

A cell is a word: how it is filled (1: by one lane, 2: by several of a warp, 3: by several warps), how many barriers the
CTA had passed, how often the warp had met, and the lane; cells of global memory also have the launch and the CTA.  An
access is in order where the cell is empty, the lane's own, from before a barrier of the CTA, or from before lanes of
its warp met.  What is not in order here may be harmless: the run is made again by the NumPy tier, which knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from weft.sim.native.code import Code
from weft.sim.native.context import CONTEXT

if TYPE_CHECKING:
    from weft.sim.native.access import Guard

WORDS_OF = {"arena": 64, "shared": 32}
"""Bits of the cells of a space."""


class Layout(NamedTuple):
    """Where a cell of so many bits keeps what: the first bits of its fields, the thread being in the lowest.

    `many` cells are looked at together.
    """

    bits: int
    met: int
    passed: int
    state: int
    many: int = 32

    @property
    def wide(self) -> str:
        """The type of these cells."""
        return f"<{self.many} x i{self.bits}>"

    @property
    def fields(self) -> dict[str, int]:
        """Masks of what is compared."""
        top = 1 << self.bits
        return {
            "own": (1 << self.met) - 1 | top - (1 << self.state),
            "warp": (1 << self.met) - 32,
            "cta": (1 << self.met) - 1024 if self.bits == 64 else 0,
            "launch": 0xFF << LAUNCH if self.bits == 64 else 0,
            "met": (1 << self.passed) - (1 << self.met),
            "passed": (1 << self.state) - (1 << self.passed),
        }


LAUNCH = 33
LAYOUTS = {64: Layout(64, 41, 49, 62), 32: Layout(32, 10, 18, 30)}
CLOCKED = {64: Layout(64, 41, 41, 62), 32: Layout(32, 10, 10, 30)}
"""Where cells hold times of the CTA's clock instead of barriers and meetings (`weft.sim.native.clocks`)."""
GAP = 0xFFFF_FFFF
"""What the cells of bytes between variables hold."""


def _splat(bits: int, value: str, name: str, many: int = 32) -> str:
    wide = f"<{many} x i{bits}>"
    return (
        f"  %{name}.0 = insertelement {wide} poison, i{bits} {value}, i64 0\n"
        f"  %{name} = shufflevector {wide} %{name}.0, {wide} poison, <{many} x i32> zeroinitializer\n"
    )


def _heard(layout: Layout, cell: str, name: str) -> list[str]:
    """Lines that say whether the warp has heard of the time of a cell, in `%{name}.heard`.

    What all others have told says nothing of other lanes of its own (`%{name}.near`).
    """
    bits, wide, many = layout.bits, layout.wide, layout.many
    words, bools = f"<{many} x i32>", f"<{many} x i1>"
    gather = f"call {words} @llvm.masked.gather.v{many}i32.v{many}p0"
    narrow = f"trunc {wide} %{name}.few to {words}" if bits == 64 else f"freeze {words} %{name}.few"
    return [
        f"%{name}.late = lshr {wide} {cell}, splat (i{bits} {layout.passed})",
        f"%{name}.few = and {wide} %{name}.late, splat (i{bits} {(1 << layout.state - layout.passed) - 1})",
        f"%{name}.time = {narrow}",
        f"%{name}.warps = lshr {wide} {cell}, splat (i{bits} 5)",
        f"%{name}.who = and {wide} %{name}.warps, splat (i{bits} 31)",
        f"%{name}.places = getelementptr i32, ptr %known, {wide} %{name}.who",
        f"%{name}.told = {gather}(<{many} x ptr> align 4 %{name}.places, {bools} splat (i1 true), {words} poison)",
        f"%{name}.one = icmp ult {words} %{name}.time, %{name}.told",
        f"%{name}.single = and {bools} %{name}.one, %{name}.three",
        f"%{name}.any = icmp ult {words} %{name}.time, %least",
        f"%{name}.apart = xor {bools} %{name}.near, splat (i1 true)",
        f"%{name}.others = and {bools} %{name}.any, %{name}.apart",
        f"%{name}.heard = or {bools} %{name}.single, %{name}.others",
    ]


def _ordered(layout: Layout, cell: str, name: str, clocked: bool) -> str:
    """Whether what a cell tells of comes before the access of `%own`; `name` is the result's."""
    wide, bools, fields = layout.wide, f"<{layout.many} x i1>", layout.fields
    lines = [f"%{name}.x = xor {wide} {cell}, %own"]

    def test(field: str, operation: str) -> str:
        lines.append(f"%{name}.{field}.b = and {wide} %{name}.x, splat (i{layout.bits} {fields[field]})")
        lines.append(f"%{name}.{field} = icmp {operation} {wide} %{name}.{field}.b, zeroinitializer")
        return f"%{name}.{field}"

    def both(one: str, other: str, into: str, operation: str = "and") -> str:
        lines.append(f"%{name}.{into} = {operation} {bools} {one}, {other}")
        return f"%{name}.{into}"

    lines.append(f"%{name}.three = icmp ult {wide} {cell}, splat (i{layout.bits} {3 << layout.state})")
    near = both(test("warp", "eq"), f"%{name}.three", "near")
    if clocked:
        lines.extend(_heard(layout, cell, name))
    mine, met = test("own", "eq"), test("met", "ne")
    passed = f"%{name}.heard" if clocked else test("passed", "ne")
    if layout.bits == 64:
        empty = test("launch", "ne")
        passed = both(test("cta", "eq"), passed, "barrier")
    else:
        lines.append(f"%{name}.empty = icmp eq {wide} {cell}, zeroinitializer")
        empty = f"%{name}.empty"
    known = both(both(mine, empty, "k1", "or"), both(passed, both(near, met, "met2"), "k2", "or"), "is", "or")
    lines.append(f"%{name} = freeze {bools} {known}")
    return "".join(f"  {line}\n" for line in lines)


def _joined(layout: Layout, cell: str, clocked: bool) -> str:
    """What a cell of several lanes holds after another one: `%new`, from what is known of the `cell` and `%own`."""
    wide, bools, bits = layout.wide, f"<{layout.many} x i1>", layout.bits
    rest = (1 << layout.state) - 1
    lanes = rest & ~31
    cta = (1 << LAUNCH) - 1024
    text = f"""  %warp.1 = and {wide} %own, splat (i{bits} {lanes})
  %warp.2 = or {wide} %warp.1, splat (i{bits} {2 << layout.state})
  %all.own = and {wide} %own, splat (i{bits} {rest & ~1023})
  %all.old = and {wide} %{cell}, splat (i{bits} {rest & ~1023 if clocked else 0})
  %all.later = icmp ugt {wide} %all.old, %all.own
  %all.1 = select {bools} %all.later, {wide} %all.old, {wide} %all.own
  %all.2 = or {wide} %all.1, splat (i{bits} {3 << layout.state})
"""
    if bits == 64:
        text += f"""  %any.2 = or {wide} %all.2, splat (i{bits} {cta})
  %same.cta = icmp eq {wide} %{cell}.ok.cta.b, zeroinitializer
  %all.3 = select {bools} %same.cta, {wide} %all.2, {wide} %any.2
"""
    else:
        text += f"  %all.3 = freeze {wide} %all.2\n"
    return (
        text
        + f"""  %many = select {bools} %{cell}.ok.near, {wide} %warp.2, {wide} %all.3
  %new = select {bools} %{cell}.ok, {wide} %own, {wide} %many
"""
    )


def _verdict(layout: Layout, conflict: str, never: str) -> str:
    """Fail where there is a conflict, but for lanes that are not `%keen`, or something that is `never` right."""
    bools, word = f"<{layout.many} x i1>", f"i{layout.many}"
    return f"""  %odd.bits = bitcast {bools} {conflict} to {word}
  %odd.keen = and {word} %odd.bits, %keen
  %never.bits = bitcast {bools} {never} to {word}
  %bad.bits = or {word} %odd.keen, %never.bits
  %bad.some = and {word} %bad.bits, %mask
  %bad = icmp ne {word} %bad.some, 0
  br i1 %bad, label %fails, label %fine
fails:
  call void @fail(ptr %ctx)
  ret void
fine:
"""


def _checked(layout: Layout, kind: str, guard: Guard) -> str:
    """The conflict of an access with `%was` (the writer), `%old` (the reader) and `%sum` (who has updated it)."""
    bits, bools = layout.bits, f"<{layout.many} x i1>"
    updates, clocked = guard.updates, guard.clocked
    text = _ordered(layout, "%was", "was.ok", clocked) + _ordered(layout, "%old", "old.ok", clocked)
    if updates:
        text += _ordered(layout, "%sum", "sum.ok", clocked)
    known = "ok.launch" if kind in "ns" else "ok"
    calm = [f"%{cell}.{known}" for cell in _AGAINST[kind] if cell != "sum" or updates]
    text += f"  %calm.0 = freeze {bools} {calm[0]}\n"
    for number, one in enumerate(calm[1:]):
        text += f"  %calm.{number + 1} = and {bools} %calm.{number}, {one}\n"
    text += f"  %calm = freeze {bools} %calm.{len(calm) - 1}\n"
    if kind not in "wf":
        text += _joined(layout, "sum" if kind == "a" else "old", clocked)
    wide, write = layout.wide, kind in "wf"
    text += f"  %odd = xor {bools} %calm, splat (i1 true)\n"
    if bits == 32:  # Bytes that nothing has written, those of no variable, and those that copies are going to write.
        text += f"  %none = icmp {'slt' if write else 'sle'} {wide} %was, zeroinitializer\n"
        return text + _verdict(layout, "%odd", "%none")
    return text + _verdict(layout, "%odd", "zeroinitializer")


_AGAINST = dict.fromkeys("rnms", ("was", "sum")) | dict.fromkeys("wf", ("was", "old", "sum")) | {"a": ("was", "old")}
"""What an access of a kind may be in conflict with."""


def _fields(space: str, guard: Guard | None = None, many: int = 32) -> str:
    """The cells of a space, and the stamp of the warp."""
    text = ""
    names = (f"{space}_written", "w"), (f"{space}_read", "r"), (f"{space}_changed", "u")
    for name, into in names[: 2 + (guard is not None and guard.updates)]:
        text += (
            f"  %{into}.at = getelementptr i64, ptr %ctx, i64 {CONTEXT[name]}\n  %{into} = load ptr, ptr %{into}.at\n"
        )
    bits = WORDS_OF[space]
    if guard is not None and guard.clocked:
        text += f"""  %known.at = getelementptr i64, ptr %ctx, i64 {CONTEXT["known"]}
  %known = load ptr, ptr %known.at
  %least.at = getelementptr i64, ptr %ctx, i64 {CONTEXT["least"]}
  %least.w = load i32, ptr %least.at
{_splat(32, "%least.w", "least", many)}"""
    text += f"  %s.at = getelementptr i64, ptr %ctx, i64 {CONTEXT[f'{space}_stamp']}\n  %s = load i{bits}, ptr %s.at\n"
    return text + _splat(bits, "%s", "stamp", many)


def _layout(bits: int, guard: Guard, many: int = 32) -> Layout:
    """The layout of so many cells that are looked at together."""
    return (CLOCKED if guard.clocked else LAYOUTS)[bits]._replace(many=many)


def row(code: Code, space: str, count: int, kind: str, guard: Guard) -> str:
    """The name of the function for `count` cells of each lane, all side by side from a first one on.

    What is stored may be `there` already.  Kinds are loads (`r`), those of what no launch may store to (`n`), and
    stores (`w`); `updates` says that some accesses are atomic updates, which have cells of their own.
    """
    bits, write = WORDS_OF[space], kind in "wf"
    layout, wide = _layout(bits, guard), f"<32 x i{bits}>"
    name = f"row_{kind}_{space}_{count}"
    shift = count.bit_length() - 1
    lanes = ", ".join(f"i{bits} {n >> shift}" for n in range(32))
    if name not in code.declared:
        stored = "%own, ptr %w.p" if write else "%new, ptr %r.p"
        more = ""
        if guard.updates:
            more = f"  %u.p = getelementptr i{bits}, ptr %u, i64 %at\n"
            more += f"  %sum = load {wide}, ptr %u.p, align {bits // 8}\n"
        code.declare(f"""define internal void @{name}(ptr %ctx, i64 %cell, i1 %there) noinline {{
entry:
  %mask = freeze i32 -1
  %keen = select i1 %there, i32 0, i32 -1
{_fields(space, guard)}  br label %next
next:
  %c = phi i64 [ 0, %entry ], [ %c.next, %fine ]
  %far = shl i64 %c, 5
  %at = add i64 %cell, %far
  %w.p = getelementptr i{bits}, ptr %w, i64 %at
  %r.p = getelementptr i{bits}, ptr %r, i64 %at
  %was = load {wide}, ptr %w.p, align {bits // 8}
  %old = load {wide}, ptr %r.p, align {bits // 8}
{more}  %lane.64 = lshr i64 %far, {shift}
  %lane = {"freeze i64" if bits == 64 else "trunc i64"} %lane.64{"" if bits == 64 else " to i32"}
{_splat(bits, "%lane", "lanes")}  %plus = add {wide} %lanes, <{lanes}>
  %own = add {wide} %stamp, %plus
{_checked(layout, kind, guard)}  store {wide} {stored}, align {bits // 8}
  %c.next = add i64 %c, 1
  %more = icmp slt i64 %c.next, {count}
  br i1 %more, label %next, label %end
end:
  ret void
}}""")
    return name


def once(code: Code, space: str, count: int, kind: str, guard: Guard) -> str:
    """The same for so many cells that all lanes of the mask read."""
    layout = _layout(WORDS_OF[space], guard, count)
    name, wide = f"once_{kind}_{space}_{count}", layout.wide
    align = layout.bits // 8
    if name not in code.declared:
        more = f"  %sum = load {wide}, ptr %u.p, align {align}\n" if guard.updates else ""
        pointers = "".join(
            f"  %{one}.p = getelementptr i{layout.bits}, ptr %{one}, i64 %cell\n" for one in "wru"[: 2 + guard.updates]
        )
        code.declare(f"""define internal void @{name}(ptr %ctx, i64 %cell, i32 %lanes) noinline {{
entry:
  %mask = freeze i{count} -1
  %keen = freeze i{count} -1
{_fields(space, guard, count)}{pointers}  %was = load {wide}, ptr %w.p, align {align}
  %old = load {wide}, ptr %r.p, align {align}
{more}  %less = sub i32 %lanes, 1
  %rest = and i32 %lanes, %less
  %single = icmp eq i32 %rest, 0
  %lane = call i32 @llvm.cttz.i32(i32 %lanes, i1 false)
  %lane.w = zext i32 %lane to i64
  %who.w = select i1 %single, i64 %lane.w, i64 {1 << layout.state}
  %who = {"freeze i64 %who.w" if layout.bits == 64 else "trunc i64 %who.w to i32"}
{_splat(layout.bits, "%who", "whose", count)}  %own = add {wide} %stamp, %whose
{_checked(layout, kind, guard)}  store {wide} %new, ptr %r.p, align {align}
  ret void
}}""")
    return name


def several(code: Code, space: str, count: int, kind: str, guard: Guard) -> str:
    """The same for cells anywhere; also loads that all lanes get (`m`), copies to and from (`f`, `s`), updates (`a`).

    Lanes store what is `there`, and `alike` where they store to one place.
    """
    bits, write = WORDS_OF[space], kind in "wf"
    layout, wide = _layout(bits, guard), f"<32 x i{bits}>"
    name = f"any_{kind}_{space}_{count}"
    if name in code.declared:
        return name
    moves = f"masked.gather.v32i{bits}.v32p0", f"masked.scatter.v32i{bits}.v32p0"

    def gather(into: str, pointers: str) -> str:
        arguments = f"<32 x ptr> align {bits // 8} {pointers}, <32 x i1> %lanes, {wide} zeroinitializer"
        return f"  %{into} = call {wide} @llvm.{moves[0]}({arguments})\n"

    def scatter(value: str, pointers: str, lanes: str) -> str:
        to = f"<32 x ptr> align {bits // 8} {pointers}"
        return f"  call void @llvm.{moves[1]}({wide} {value}, {to}, <32 x i1> {lanes})\n"

    numbers = ", ".join(f"i{bits} {n}" for n in range(32))
    own = f"  %own = add {wide} %stamp, <{numbers}>\n"
    if kind == "m":  # One more: the state of several lanes.
        own = f"  %own = add {wide} %stamp, splat (i{bits} {1 << layout.state})\n"
    kept, places = ("%own", "%w.v") if write else ("%new", "%r.v")
    if kind == "a":
        places = "%u.v"
    if kind == "s":  # As if all CTAs read it.
        kept = "%any.2"
    if kind == "f":  # In a writer's cell it is that of a copy.
        own += f"  %flying = add {wide} %own, splat (i{bits} {1 << layout.state})\n"
        kept = "%flying"
    more = ""
    if guard.updates:
        more = f"  %u.v = getelementptr i{bits}, ptr %u, <32 x i64> %at\n{gather('sum', '%u.v')}"
    after = scatter(kept, places, "%lanes") + gather("found", places)
    after += f"  %lost = icmp ne {wide} %found, {kept}\n  %lost.some = and <32 x i1> %lost, %lanes\n"
    if write:
        after += """  %lost.bits = bitcast <32 x i1> %lost.some to i32
  %lost.unlike = and i32 %lost.bits, %unlike
  %lost.any = icmp ne i32 %lost.unlike, 0
  br i1 %lost.any, label %together, label %on
together:
  call void @fail(ptr %ctx)
  ret void
on:
"""
    else:  # Those who have lost share the cell with one who has not.
        after += f"""  %alone.three = icmp uge {wide} %new, splat (i{bits} {3 << layout.state})
  %crowd = select <32 x i1> %alone.three, {wide} %new, {wide} %warp.2
"""
        after += scatter("%crowd", places, "%lost.some") + "  br label %on\non:\n"
    return code.declare(f"""define internal void @{name}(
    ptr %ctx, <32 x i64> %cells, i32 %mask, i32 %there, i32 %alike) noinline {{
entry:
  %lanes = bitcast i32 %mask to <32 x i1>
  %keen = xor i32 %there, -1
  %unlike = xor i32 %alike, -1
{_fields(space, guard)}{own}  br label %next
next:
  %c = phi i64 [ 0, %entry ], [ %c.next, %on ]
{_splat(64, "%c", "c.v")}  %at = add <32 x i64> %cells, %c.v
  %w.v = getelementptr i{bits}, ptr %w, <32 x i64> %at
  %r.v = getelementptr i{bits}, ptr %r, <32 x i64> %at
{gather("was", "%w.v")}{gather("old", "%r.v")}{more}{_checked(layout, kind, guard)}{after}  %c.next = add i64 %c, 1
  %more = icmp slt i64 %c.next, {count}
  br i1 %more, label %next, label %end
end:
  ret void
}}""")


def land(code: Code) -> str:
    """The name of the function that says that copies of lanes into so many cells each have arrived."""
    numbers = ", ".join(f"i32 {n}" for n in range(32))
    return code.declare(f"""define internal void @land(ptr %ctx, <32 x i64> %cells, i32 %mask, i64 %count) noinline {{
entry:
  %lanes = bitcast i32 %mask to <32 x i1>
{_fields("shared")}  %own = add <32 x i32> %stamp, <{numbers}>
  br label %next
next:
  %c = phi i64 [ 0, %entry ], [ %c.next, %next ]
{_splat(64, "%c", "c.v")}  %at = add <32 x i64> %cells, %c.v
  %w.v = getelementptr i32, ptr %w, <32 x i64> %at
  call void @llvm.masked.scatter.v32i32.v32p0(<32 x i32> %own, <32 x ptr> align 4 %w.v, <32 x i1> %lanes)
  %c.next = add i64 %c, 1
  %more = icmp slt i64 %c.next, %count
  br i1 %more, label %next, label %end
end:
  ret void
}}""")


def next_warp(layouts: dict[int, Layout], time: str) -> str:
    """The end of `%next`, a loop over the warps of a CTA: a warp's stamps hold a time, as far as they have bits."""
    text = "  %two = shl i64 %warp, 1\n"
    for number, bits in enumerate(WORDS_OF.values()):
        layout = layouts[bits]
        rest = ~((1 << layout.state) - (1 << layout.passed))
        text += f"""  %two.{number} = add i64 %two, {number}
  %stamp.at.{number} = getelementptr i64, ptr %stamps, i64 %two.{number}
  %stamp.{number} = load i64, ptr %stamp.at.{number}
  %rest.{number} = and i64 %stamp.{number}, {rest}
  %few.{number} = and i64 {time}, {(1 << layout.state - layout.passed) - 1}
  %field.{number} = shl i64 %few.{number}, {layout.passed}
  %new.{number} = or i64 %rest.{number}, %field.{number}
  store i64 %new.{number}, ptr %stamp.at.{number}
"""
    return (
        text
        + """  %role.next = add i64 %role, 1
  %warp.next = add i64 %warp, %ctas
  %more = icmp slt i64 %role.next, %roles
  br i1 %more, label %next, label %end
end:
  ret void
}"""
    )


def passes() -> str:
    """The threads of a CTA have met at a barrier: the stamps of its warps from now on."""
    text = f"""define internal void @passes(ptr %ctx, i64 %cta) noinline {{
entry:
  %roles.at = getelementptr i64, ptr %ctx, i64 {CONTEXT["roles"]}
  %roles = load i64, ptr %roles.at
  %ctas.at = getelementptr i64, ptr %ctx, i64 {CONTEXT["ctas"]}
  %ctas = load i64, ptr %ctas.at
  %passed.at = getelementptr i64, ptr %ctx, i64 {CONTEXT["passed"]}
  %passed = load ptr, ptr %passed.at
  %stamps.at = getelementptr i64, ptr %ctx, i64 {CONTEXT["stamps"]}
  %stamps = load ptr, ptr %stamps.at
  br label %next
next:
  %role = phi i64 [ 0, %entry ], [ %role.next, %next ]
  %warp = phi i64 [ %cta, %entry ], [ %warp.next, %next ]
  %count.at = getelementptr i64, ptr %passed, i64 %warp
  %count.old = load i64, ptr %count.at
  %count = add i64 %count.old, 1
  store i64 %count, ptr %count.at
"""
    return text + next_warp(LAYOUTS, "%count")


def met() -> str:
    """Lanes of the warp have met: their stamps from now on."""
    text = "define internal void @met(ptr %ctx, i64 %warp) noinline {\n"
    for space, bits in WORDS_OF.items():
        layout = LAYOUTS[bits]
        inside = (1 << layout.passed) - (1 << layout.met)
        text += f"""  %{space}.at = getelementptr i64, ptr %ctx, i64 {CONTEXT[f"{space}_stamp"]}
  %{space}.old = load i64, ptr %{space}.at
  %{space}.next = add i64 %{space}.old, {1 << layout.met}
  %{space}.part = and i64 %{space}.next, {inside}
  %{space}.rest = and i64 %{space}.old, {~inside}
  %{space}.new = or i64 %{space}.part, %{space}.rest
  store i64 %{space}.new, ptr %{space}.at
"""
    return (
        text
        + f"""  %stamps.at = getelementptr i64, ptr %ctx, i64 {CONTEXT["stamps"]}
  %stamps = load ptr, ptr %stamps.at
  %two = shl i64 %warp, 1
  %mine = getelementptr i64, ptr %stamps, i64 %two
  %next = getelementptr i64, ptr %mine, i64 1
  store i64 %arena.new, ptr %mine
  store i64 %shared.new, ptr %next
  ret void
}}"""
    )
