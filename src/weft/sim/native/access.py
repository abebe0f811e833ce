"""Loads and stores in code: functions of a module that check addresses and move the elements of a warp's lanes.

Each is written once for a space, a width and a number of elements.  An access that is not inside an allocation, or not
aligned, sets the fault word of the context and ends the warp's turn: the run is then made again by the NumPy tier,
which says what is wrong.  Lanes whose addresses lie side by side, or are all the same, are moved together.
"""

from __future__ import annotations

from typing import NamedTuple

from weft.sim.arena import LINE
from weft.sim.memory import LOCAL_WINDOW, SHARED_WINDOW, WINDOW_BITS
from weft.sim.native import cells
from weft.sim.native.bounds import FAIL, FIND, check_arena, check_local, check_shared, vector
from weft.sim.native.code import Code
from weft.sim.native.context import field

CACHE = 4
"""Words that code remembers for each access: where its region starts, what room it has, whether it is watched, and
where lanes side by side have last been."""


POLL, LOOK, NEAR = 256, 64, 16
"""Backward branches that a look at what others change counts for, so that who waits lets these go on soon: an update
that changes nothing, and an ordered load, of shared memory too, which may be no look."""


class Guard(NamedTuple):
    """Log2 of the bytes of a cell, where accesses are checked by earlier ones; `updates`: some are atomic updates.

    `clocked`: not only barriers order them (`weft.sim.native.clocks`).
    """

    arena: int
    shared: int
    updates: bool = False
    clocked: bool = False


_IOTA = ", ".join(f"i64 {lane}" for lane in range(32))


def _counted(name: str, total: int) -> str:
    """Count the bytes of the lanes."""
    return f"""
{field(name, "traffic")}  %lanes.active = call i32 @llvm.ctpop.i32(i32 %mask)
  %lanes.w = zext i32 %lanes.active to i64
  %bytes = mul i64 %lanes.w, {total}
  %traffic.new = add i64 %traffic, %bytes
  store i64 %traffic.new, ptr %traffic.at"""


def _noted(code: Code, space: str, total: int, kind: str, guard: Guard, where: str) -> str:
    """Look at the cells of an access, and note it: of lanes side by side (`row`), at one place (`once`), or `other`."""
    there, alike = ("0", "0") if kind != "w" else ("%row.there", "0") if where == "row" else ("%there", "%alike")
    shift = guard.arena if space == "arena" else guard.shared
    count = max(1, total >> shift)
    if where == "row" and kind[0] not in "ma":
        call = f"  %cell = lshr i64 %first, {shift}\n"
        call += f"  call void @{cells.row(code, space, count, kind, guard)}(ptr %ctx, i64 %cell, i1 {there})\n"
    elif where == "once":
        call = f"  %once.cell = lshr i64 %first, {shift}\n"
        call += f"  call void @{cells.once(code, space, count, kind[0], guard)}(ptr %ctx, i64 %once.cell, i32 -1)\n"
    else:
        name = cells.several(code, space, count, kind[0], guard)
        call = f"  %{where}.cells = lshr <32 x i64> %address, splat (i64 {shift})\n"
        call += f"  call void @{name}(ptr %ctx, <32 x i64> %{where}.cells, i32 %mask, i32 {there}, i32 {alike})\n"
    if space == "shared":
        return call
    return f"""  %{where}.watched.at = getelementptr i64, ptr %cache, i64 2
  %{where}.watched = load i64, ptr %{where}.watched.at
  %{where}.free = icmp eq i64 %{where}.watched, 0
  br i1 %{where}.free, label %{where}.on, label %{where}.watch
{where}.watch:
{call}  br label %{where}.on
{where}.on:
"""


def _base(space: str, total: int) -> str:
    """The addresses of accesses in this process."""
    if space == "local":
        return f"""{field("local_base", "base")}{field("local_stride", "stride")}{vector("base.v", "%base")}\
{vector("stride.v", "%stride")}  %part = mul <32 x i64> %stride.v, <{_IOTA}>
  %window = add <32 x i64> %base.v, %part
  %place = add <32 x i64> %address, %window
"""
    found = field("arena_delta" if space == "arena" else "shared_base", "base")
    return f"{found}{vector('base.v', '%base')}  %place = add <32 x i64> %address, %base.v\n"


def _row_base(space: str) -> str:
    """The address of the first of accesses side by side."""
    found = field("arena_delta" if space == "arena" else "shared_base", "row.base")
    return f"{found}  %first.place = add i64 %first, %row.base\n  %first.p = inttoptr i64 %first.place to ptr\n"


def _ahead(space: str, total: int, write: bool) -> str:
    """Fetch what lies behind the row, for the next warp, and what the instruction accesses if it goes on as it did."""
    if space != "arena":
        return ""
    text = """  %last.at = getelementptr i64, ptr %cache, i64 3
  %last = load i64, ptr %last.at
  store i64 %first, ptr %last.at
  %pace = sub i64 %first, %last
"""
    row = 32 * total
    places = [(start, line) for start in ("%pace", str(row)) for line in range(0, row, LINE)]
    for number, (start, line) in enumerate(places):
        text += f"""  %ahead.{number} = add i64 {start}, {line}
  %ahead.p{number} = getelementptr i8, ptr %first.p, i64 %ahead.{number}
  call void @llvm.prefetch.p0(ptr %ahead.p{number}, i32 {int(write)}, i32 3, i32 1)
"""
    return text


def _moved(space: str, bits: int, count: int, write: bool, notes: tuple[str, str, str]) -> str:
    """The accesses themselves, in the three ways; `notes` go before those side by side, others, and at one place."""
    wide, one = f"<32 x i{bits}>", f"<{32 * count} x i{bits}>"
    size = bits // 8
    step = "\n".join(
        f"  %at.{k} = add <32 x i64> %place, splat (i64 {k * size})\n"
        f"  %ptr.{k} = inttoptr <32 x i64> %at.{k} to <32 x ptr>"
        for k in range(count)
    )
    total = size * count
    ahead = _ahead(space, total, write)
    near = "" if space == "local" else f"row.in:\n{notes[0]}{_row_base(space)}{ahead}"
    if write:
        flat = "\n".join(_interleave(bits, count)) if count > 1 else f"  %flat = freeze {wide} %value.0"
        if near:
            old = f"""  %row.old = load {one}, ptr %first.p, align {size}
  %row.eq = icmp eq {one} %row.old, %flat
  %row.bits = bitcast <{32 * count} x i1> %row.eq to i{32 * count}
  %row.there = icmp eq i{32 * count} %row.bits, -1
"""
            near = f"row.in:\n{_row_base(space)}{ahead}{flat}\n{old if notes[0] else ''}"
            near += f"  store {one} %flat, ptr %first.p, align {size}\n{notes[0]}  ret void\n"
        scatter = "\n".join(
            f"  call void @llvm.masked.scatter.v32i{bits}.v32p0("
            f"{wide} %value.{k}, <32 x ptr> align {size} %ptr.{k}, <32 x i1> %lanes)"
            for k in range(count)
        )
        if notes[1] and space == "local":
            scatter = notes[1] + scatter
        elif notes[1]:
            before, after = (_equal(bits, count, which) for which in ("there", "alike"))
            scatter = f"{before}{scatter}\n{after}{notes[1]}"
        return f"""{near}other.in:
{_base(space, total)}  %lanes = bitcast i32 %mask to <32 x i1>
{step}
{scatter}
  ret void
failed:
  ret void
"""
    if near:
        near += f"  %row.v = load {one}, ptr %first.p, align {size}\n"
        for k in range(count):
            picked = ", ".join(f"i32 {count * lane + k}" for lane in range(32))
            near += f"  %row.{k} = shufflevector {one} %row.v, {one} poison, <32 x i32> <{picked}>\n"
            near += f"  %row.to.{k} = getelementptr i8, ptr %out, i64 {32 * size * k}\n"
            near += f"  store {wide} %row.{k}, ptr %row.to.{k}\n"
        near += "  ret void\n"
    out = "".join(f"  %out.{k} = getelementptr i8, ptr %out, i64 {32 * size * k}\n" for k in range(count))
    once = """  %differs = icmp ne <32 x i64> %apart, zeroinitializer
  %differs.bits = bitcast <32 x i1> %differs to i32
  %differs.any = or i32 %differs.bits, %idle
  %same = icmp eq i32 %differs.any, 0
  br i1 %same, label %once, label %gather
once:
  %same.place = extractelement <32 x i64> %place, i64 0
  %same.p = inttoptr i64 %same.place to ptr
"""
    once += notes[2]
    for k in range(count):
        once += f"""  %one.p{k} = getelementptr i8, ptr %same.p, i64 {k * size}
  %one.{k} = load i{bits}, ptr %one.p{k}, align {size}
  %one.0{k} = insertelement {wide} poison, i{bits} %one.{k}, i64 0
  %one.v{k} = shufflevector {wide} %one.0{k}, {wide} poison, <32 x i32> zeroinitializer
  store {wide} %one.v{k}, ptr %out.{k}
"""
    once = "  br label %gather\n" if space == "local" else f"{once}  ret void\n"
    gather = ""
    for k in range(count):
        gather += (
            f"  %all.{k} = call {wide} @llvm.masked.gather.v32i{bits}.v32p0(<32 x ptr> align {size} %ptr.{k}, "
            f"<32 x i1> %lanes, {wide} zeroinitializer)\n  store {wide} %all.{k}, ptr %out.{k}\n"
        )
    return f"""{near}other.in:
{out}{_base(space, total)}{once}gather:
  %lanes = bitcast i32 %mask to <32 x i1>
{step}
{notes[1]}{gather}  ret void
failed:
  ret void
"""


def _written(bits: int, count: int, write: bool) -> str:
    """Look whether local memory at `%at.0` and on has been written, or note that."""
    wide, ones = f"<32 x i{bits}>", int.from_bytes(b"\1" * (bits // 8), "little")
    text = f"{field('local_known', 'known')}{vector('known.v', '%known')}"
    for k in range(count):
        pointers = f"<32 x ptr> align {bits // 8} %known.p{k}, <32 x i1> %lanes"
        text += f"""  %known.at{k} = add <32 x i64> %at.{k}, %known.v
  %known.p{k} = inttoptr <32 x i64> %known.at{k} to <32 x ptr>
"""
        if write:
            text += f"  call void @llvm.masked.scatter.v32i{bits}.v32p0({wide} splat (i{bits} {ones}), {pointers})\n"
            continue
        text += f"""  %known.{k} = call {wide} @llvm.masked.gather.v32i{bits}.v32p0(
    {pointers}, {wide} splat (i{bits} {ones}))
  %known.n{k} = icmp ne {wide} %known.{k}, splat (i{bits} {ones})
  %known.b{k} = bitcast <32 x i1> %known.n{k} to i32
  %known.a{k} = or i32 %known.b{k}, {f"%known.a{k - 1}" if k else 0}
"""
    if write:
        return text
    return f"""{text}  %known.any = icmp ne i32 %known.a{count - 1}, 0
  br i1 %known.any, label %unknown, label %known.all
unknown:
  call void @fail(ptr %ctx)
  ret void
known.all:
"""


def _equal(bits: int, count: int, name: str) -> str:
    """The lanes whose values are in memory now, a word of a `name`."""
    wide, text = f"<32 x i{bits}>", ""
    for k in range(count):
        text += (
            f"  %{name}.{k} = call {wide} @llvm.masked.gather.v32i{bits}.v32p0(<32 x ptr> align {bits // 8} %ptr.{k}, "
            f"<32 x i1> %lanes, {wide} zeroinitializer)\n  %{name}.e{k} = icmp eq {wide} %{name}.{k}, %value.{k}\n"
            f"  %{name}.b{k} = bitcast <32 x i1> %{name}.e{k} to i32\n"
            f"  %{name}.a{k} = and i32 %{name}.b{k}, {f'%{name}.a{k - 1}' if k else -1}\n"
        )
    return text + f"  %{name} = freeze i32 %{name}.a{count - 1}\n"


_SLOTS = """
  %places.m = alloca <32 x i64>, align 64
  %values.m = alloca <32 x i{bits}>, align 64
  %news.m = alloca <32 x i{bits}>, align 64"""


FLUSHED = "fadd.ftz"
"""Sums of floats that are flushed in global memory only."""


def _exchanged(bits: int, operation: str) -> str:
    """The update of a word at `%one.p` by `%v`, with the old one in `%was`."""
    if operation.startswith("with_"):
        return f"""  %seen.first = load i{bits}, ptr %one.p
  br label %try
try:
  %seen = phi i{bits} [ %seen.first, %lane ], [ %was, %try ]
  %seen.v = insertelement <1 x i{bits}> poison, i{bits} %seen, i64 0
  %by.v = insertelement <1 x i{bits}> poison, i{bits} %v, i64 0
  %new.v = call <1 x i{bits}> @{operation}(<1 x i{bits}> %seen.v, <1 x i{bits}> %by.v)
  %new = extractelement <1 x i{bits}> %new.v, i64 0
  %pair = cmpxchg ptr %one.p, i{bits} %seen, i{bits} %new monotonic monotonic
  %was = extractvalue {{ i{bits}, i1 }} %pair, 0
  %won = extractvalue {{ i{bits}, i1 }} %pair, 1
  br i1 %won, label %tried, label %try
tried:
"""
    if operation == "cas":
        return f"""  %new.at = getelementptr i{bits}, ptr %news.m, i32 %one
  %new = load i{bits}, ptr %new.at
  %pair = cmpxchg ptr %one.p, i{bits} %v, i{bits} %new monotonic monotonic
  %was = extractvalue {{ i{bits}, i1 }} %pair, 0
"""
    if operation != "fadd":
        return f"  %was = atomicrmw {operation} ptr %one.p, i{bits} %v monotonic\n"
    float_ = "float" if bits == 32 else "double"
    return f"""  %v.f = bitcast i{bits} %v to {float_}
  %was.f = atomicrmw fadd ptr %one.p, {float_} %v.f monotonic
  %was = bitcast {float_} %was.f to i{bits}
"""


POLLED = f"""define internal void @polled(ptr %ctx, i64 %weight) noinline {{
{field("polls", "polls")}{field("fuel", "fuel")}  store i64 1, ptr %polls.at
  %less = sub i64 %fuel, %weight
  store i64 %less, ptr %fuel.at
  ret void
}}"""
"""A warp has looked at what others change."""


def _updated(space: str, bits: int, operation: str, note: str) -> str:
    """Atomic updates, lane after lane, and the old words in `%out`; a `note` goes before them.

    Those that change nothing are counted apart: threads that wait so look again and again.
    """
    if operation == FLUSHED:
        operation = f"with_{operation}" if space == "arena" else "fadd"
    last = "tried" if operation.startswith("with_") else "lane"
    news = f"  store <32 x i{bits}> %value.1, ptr %news.m, align 64\n" if operation == "cas" else ""
    return f"""row.in:
  br label %other.in
other.in:
{note}{_base(space, bits // 8)}  store <32 x i64> %place, ptr %places.m, align 64
  store <32 x i{bits}> %value.0, ptr %values.m, align 64
{news}  %some = icmp ne i32 %mask, 0
  br i1 %some, label %first.lane, label %failed
first.lane:
  br label %lane
lane:
  %left = phi i32 [ %mask, %first.lane ], [ %rest, %{last} ]
  %kept = phi i64 [ 0, %first.lane ], [ %kept.new, %{last} ]
  %one = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %less = sub i32 %left, 1
  %rest = and i32 %left, %less
  %one.at = getelementptr ptr, ptr %places.m, i32 %one
  %one.p = load ptr, ptr %one.at
  %v.at = getelementptr i{bits}, ptr %values.m, i32 %one
  %v = load i{bits}, ptr %v.at
{_exchanged(bits, operation)}  %to = getelementptr i{bits}, ptr %out, i32 %one
  store i{bits} %was, ptr %to
  %is = load i{bits}, ptr %one.p
  %is.old = icmp eq i{bits} %is, %was
  %is.kept = zext i1 %is.old to i64
  %kept.new = add i64 %kept, %is.kept
  %more.lanes = icmp ne i32 %rest, 0
  br i1 %more.lanes, label %lane, label %updated
updated:
{field("unchanged", "unchanged")}  %kept.bytes = mul i64 %kept.new, {bits // 8}
  %unchanged.new = sub i64 %unchanged, %kept.bytes
  store i64 %unchanged.new, ptr %unchanged.at
  %kept.all = icmp eq i64 %kept.new, %lanes.w
  br i1 %kept.all, label %polls, label %failed
polls:
  call void @polled(ptr %ctx, i64 {POLL})
  br label %failed
failed:
  ret void
"""


def _interleave(bits: int, count: int) -> list[str]:
    """Rows of elements, put together lane by lane."""
    wide = f"<32 x i{bits}>"
    if count == 2:
        order = ", ".join(f"i32 {lane + 32 * k}" for lane in range(32) for k in range(2))
        return [f"  %flat = shufflevector {wide} %value.0, {wide} %value.1, <64 x i32> <{order}>"]
    lines: list[str] = []
    pairs = ", ".join(f"i32 {n}" for n in range(64))
    values = [f"%value.{k}" for k in range(count)]
    width = 32
    while len(values) > 1:
        joined: list[str] = []
        pairs = ", ".join(f"i32 {n}" for n in range(2 * width))
        for k in range(0, len(values), 2):
            name = f"%join.{width}.{k}"
            type_ = f"<{width} x i{bits}>"
            lines.append(
                f"  {name} = shufflevector {type_} {values[k]}, {type_} {values[k + 1]}, <{2 * width} x i32> <{pairs}>"
            )
            joined.append(name)
        values, width = joined, 2 * width
    order = ", ".join(f"i32 {lane + 32 * k}" for lane in range(32) for k in range(count))
    type_ = f"<{width} x i{bits}>"
    return [*lines, f"  %flat = shufflevector {type_} {values[0]}, {type_} poison, <{width} x i32> <{order}>"]


def _given(bits: int, count: int, kind: str, out: str) -> str:
    """What a function is given besides addresses: the words to store or to update by, and where loaded ones go."""
    words = 2 if kind == "a.cas" else count if kind[0] in "wa" else 0
    given = "".join(f", <32 x i{bits}> %value.{k}" for k in range(words))
    return given if kind[0] == "w" else f"{given}, ptr {out}"


def declare(code: Code, space: str, bits: int, count: int, kind: str, guard: Guard | None = None) -> str:
    """The name of the function for an access of a kind (`cells.row`), which the module then has."""
    name, write = f"{kind}_{space}_{bits}_{count}", kind[0] in "wa"
    if name in code.declared:
        return name
    code.declare(FAIL)
    values = _given(bits, count, kind, "%out")
    parameters = f"ptr %ctx, ptr %cache, <32 x i64> %address, i32 %mask{values}"
    head = f"define internal void @{name}({parameters}) noinline {{\nentry:"
    total = bits // 8 * count
    if space == "generic":
        code.declare(f"{head}\n{_generic(code, bits, count, kind, guard)}}}")
        return name
    if space == "arena":
        code.declare(FIND)
        check = check_arena(total, write)
    else:
        check = check_shared(total) if space == "shared" else check_local(total)
    count_bytes = _counted(f"{space}_{'stored' if write else 'loaded'}", total)
    if kind[0] == "a":
        code.declare(POLLED)
        more = _counted(f"{space}_loaded", total).replace("%", "%more.")
        count_bytes += more.replace("%more.ctx", "%ctx").replace("%more.mask", "%mask")
    notes = "", "", ""
    if guard is not None and space == "local":
        notes = "", "  call void @fail(ptr %ctx)\n" if kind[0] == "a" else _written(bits, count, write), ""
    elif guard is not None:
        row, other = (_noted(code, space, total, kind, guard, where) for where in ("row", "other"))
        notes = row, other, "" if write else _noted(code, space, total, kind, guard, "once")
    moved = _updated(space, bits, kind[2:], notes[1]) if kind[0] == "a" else _moved(space, bits, count, write, notes)
    return code.declare(f"{head}{_SLOTS.format(bits=bits) if kind[0] == 'a' else ''}{count_bytes}\n{check}{moved}}}")


def probe(code: Code, space: str, total: int) -> str:
    """The name of the function that checks addresses of global memory to load from, or of shared memory to store to."""
    code.declare(FAIL)
    if space == "arena":
        code.declare(FIND)
    check = check_arena(total, False) if space == "arena" else check_shared(total)
    return code.declare(f"""define internal i1 @probe_{space}_{total}(
    ptr %ctx, ptr %cache, <32 x i64> %address, i32 %mask) noinline {{
entry:
{check}row.in:
  br label %other.in
other.in:
  ret i1 true
failed:
  ret i1 false
}}""")


def _generic(code: Code, bits: int, count: int, kind: str, guard: Guard | None) -> str:
    """Lanes by the window of their addresses: shared, local, or the rest."""
    write = kind[0] in "wa"
    values = _given(bits, count, kind, "%out" if write else "%some")
    text = "" if write else f"  %some = alloca [{count} x <32 x i{bits}>], align 64\n"
    text += f"  %high = lshr <32 x i64> %address, splat (i64 {WINDOW_BITS})\n"
    text += "  br label %shared\n"
    known = "0"
    follow = {"shared": "local", "local": "arena", "arena": "end"}
    windows = {"shared": SHARED_WINDOW, "local": LOCAL_WINDOW, "arena": 0}
    for space, window in windows.items():
        function = declare(code, space, bits, count, kind, guard)
        text += f"{space}:\n"
        if space == "arena":
            text += f"  %arena.known = xor i32 {known}, -1\n  %arena.mask = and i32 %arena.known, %mask\n"
        else:
            text += f"""  %{space}.is = icmp eq <32 x i64> %high, splat (i64 {window >> WINDOW_BITS})
  %{space}.bits = bitcast <32 x i1> %{space}.is to i32
  %{space}.mask = and i32 %{space}.bits, %mask
  %{space}.known = or i32 %{space}.bits, {known}
"""
            known = f"%{space}.known"
        text += f"""  %{space}.any = icmp ne i32 %{space}.mask, 0
  br i1 %{space}.any, label %{space}.go, label %{follow[space]}
{space}.go:
  %{space}.address = sub <32 x i64> %address, splat (i64 {window})
  call void @{function}(ptr %ctx, ptr %cache, <32 x i64> %{space}.address, i32 %{space}.mask{values})
"""
        if not write:
            text += f"  %{space}.lanes = bitcast i32 %{space}.mask to <32 x i1>\n"
            for k in range(count):
                text += f"""  %{space}.p{k} = getelementptr i8, ptr %some, i64 {32 * bits // 8 * k}
  %{space}.q{k} = getelementptr i8, ptr %out, i64 {32 * bits // 8 * k}
  %{space}.v{k} = load <32 x i{bits}>, ptr %{space}.p{k}
  %{space}.o{k} = load <32 x i{bits}>, ptr %{space}.q{k}
  %{space}.s{k} = select <32 x i1> %{space}.lanes, <32 x i{bits}> %{space}.v{k}, <32 x i{bits}> %{space}.o{k}
  store <32 x i{bits}> %{space}.s{k}, ptr %{space}.q{k}
"""
        text += f"  br label %{follow[space]}\n"
    return text + "end:\n  ret void\n"
