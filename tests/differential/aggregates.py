"""LLVM's memory: arrays of structures, pointers as numbers, blocks of bytes, atomics, functions of pointers."""

from __future__ import annotations

from tests.differential.generator import Builder, produces

MEMBERS = ("i8", "i16", "i32", "i64", "f32", "f64", "f16", "i1", "i128", "!llvm.array<3 x i16>", "vector<2xf32>",
           "vector<4xi8>", "!llvm.struct<(i8, i32)>", "!llvm.struct<packed (i8, i32)>")  # fmt: skip
INNER = {"!llvm.array<3 x i16>": ("i16", 3), "!llvm.struct<(i8, i32)>": ("i32", 1),
         "!llvm.struct<packed (i8, i32)>": ("i32", 1)}  # fmt: skip


def local(b: Builder, type_: str) -> str:
    """Memory of the thread's own for a value, all zeros."""
    one, zero, size = b.constant("i32", 1, kept=True), b.constant("i8", 0, kept=True), b.constant("i64", 256, kept=True)
    text = f"llvm.alloca {one} x !llvm.array<256 x i8> {{alignment = 16 : i64}} : (i32) -> !llvm.ptr"
    place = b.one(text, "!llvm.ptr", kept=True)
    b.emit(f'"llvm.intr.memset"({place}, {zero}, {size}) <{{isVolatile = false}}> : (!llvm.ptr, i8, i64) -> ()', kept=True)  # fmt: skip
    del type_
    return place


@produces(4)
def records(b: Builder) -> None:
    """An array of structures, at an element that is known only as it runs; a structure as a value."""
    members = [b.rng.choice(MEMBERS) for _ in range(b.rng.randint(1, 4))]
    packed = "packed " if b.rng.random() < 0.2 else ""
    struct = f"!llvm.struct<{packed}({', '.join(members)})>"
    place = local(b, struct)
    at = b.masked(4 if "i128" not in members else 2)
    wide = b.one(f"arith.index_cast {at} : index to i64", "i64", kept=True)
    for _ in range(b.rng.randint(1, 3)):
        i = b.rng.randrange(len(members))
        member, path = members[i], f"{i}"
        while member in INNER:
            inner, count = INNER[member]
            path += f", {b.rng.randrange(count) if count > 1 else 1}"
            member = inner
        text = f"llvm.getelementptr {place}[{wide}, {path}] : (!llvm.ptr, i64) -> !llvm.ptr, {struct}"
        pointer = b.one(text, "!llvm.ptr", kept=True)
        if member in INNER or member.startswith("!"):
            continue
        aligned = " {alignment = 1 : i64}" if packed or "packed" in members[i] else ""
        b.emit(f"llvm.store {b.of(member)}, {pointer}{aligned} : {member}, !llvm.ptr")
        b.one(f"llvm.load {pointer}{aligned} : !llvm.ptr -> {member}", member)
    if "i1" in members:  # The bits beside it are nobody's business.
        return
    pointer = b.one(f"llvm.getelementptr {place}[{wide}] : (!llvm.ptr, i64) -> !llvm.ptr, {struct}", "!llvm.ptr", kept=True)  # fmt: skip
    aligned = " {alignment = 1 : i64}" if packed else ""
    whole = b.one(f"llvm.load {pointer}{aligned} : !llvm.ptr -> {struct}", struct, kept=True)
    i = b.rng.randrange(len(members))
    member = members[i]
    if not member.startswith("!"):
        whole = b.one(f"llvm.insertvalue {b.of(member)}, {whole}[{i}] : {struct}", struct, kept=True)
        b.one(f"llvm.extractvalue {whole}[{i}] : {struct}", member)
    following = b.one(f"llvm.getelementptr {pointer}[1] : (!llvm.ptr) -> !llvm.ptr, {struct}", "!llvm.ptr", kept=True)
    b.emit(f"llvm.store {whole}, {following}{aligned} : {struct}, !llvm.ptr")
    member = members[0]
    if not member.startswith("!"):
        b.one(f"llvm.load {following}{aligned} : !llvm.ptr -> {member}", member)


@produces(3)
def raw(b: Builder) -> None:
    """Bytes written as one type and read as another; copied, moved over themselves, set."""
    place = local(b, "")
    for _ in range(b.rng.randint(1, 3)):
        t = b.rng.choice(
            ("i8", "i16", "i32", "i64", "f32", "f64", "i128", "i24", "i48", "vector<4xi16>", "vector<2xi64>")
        )
        at = b.masked(16)
        index = b.one(f"arith.index_cast {at} : index to i64", "i64", kept=True)
        text = f"llvm.getelementptr {place}[{index}] : (!llvm.ptr, i64) -> !llvm.ptr, i8"
        pointer = b.one(text, "!llvm.ptr", kept=True)
        b.emit(f"llvm.store {b.number(t)}, {pointer} {{alignment = 1 : i64}} : {t}, !llvm.ptr")
        kind = b.rng.choice(("copy", "move", "set", "none"))
        size = b.constant("i64", b.rng.choice((1, 2, 3, 7, 8, 16, 33)), kept=True)
        if b.rng.random() < 0.3:
            size = b.one(f"arith.index_cast {b.masked(16)} : index to i64", "i64", kept=True)
        if kind == "set":
            b.emit(f'"llvm.intr.memset"({pointer}, {b.of("i8")}, {size}) <{{isVolatile = false}}> : (!llvm.ptr, i8, i64) -> ()')  # fmt: skip
        elif kind in ("copy", "move"):
            by = 64 if kind == "copy" else b.rng.choice((1, 3, 8))
            to = b.one(f"llvm.getelementptr {pointer}[{by}] : (!llvm.ptr) -> !llvm.ptr, i8", "!llvm.ptr", kept=True)
            which = "memcpy" if kind == "copy" else "memmove"
            b.emit(f'"llvm.intr.{which}"({to}, {pointer}, {size}) <{{isVolatile = false}}> : (!llvm.ptr, !llvm.ptr, i64) -> ()')  # fmt: skip
    for t in b.rng.sample(("i8", "i16", "i32", "i64", "vector<4xi8>", "i24", "i128"), 2):
        at = b.one(f"arith.index_cast {b.masked(64)} : index to i64", "i64", kept=True)
        text = f"llvm.getelementptr {place}[{at}] : (!llvm.ptr, i64) -> !llvm.ptr, i8"
        pointer = b.one(text, "!llvm.ptr", kept=True)
        b.one(f"llvm.load {pointer} {{alignment = 1 : i64}} : !llvm.ptr -> {t}", t, kept=t in ("i24",))


@produces(2)
def numbers(b: Builder) -> None:
    """The distance of two pointers, a pointer chosen, one that went through a number."""
    place = local(b, "")
    text = f"llvm.getelementptr {place}[{b.rng.randint(1, 9)}] : (!llvm.ptr) -> !llvm.ptr, i32"
    other = b.one(text, "!llvm.ptr", kept=True)
    b.emit(f"llvm.store {b.of('i32')}, {other} : i32, !llvm.ptr", kept=True)
    chosen = b.one(f"llvm.select {b.of('i1')}, {place}, {other} : i1, !llvm.ptr", "!llvm.ptr", kept=True)
    first = b.one(f"llvm.ptrtoint {place} : !llvm.ptr to i64", "i64", kept=True)
    second = b.one(f"llvm.ptrtoint {chosen} : !llvm.ptr to i64", "i64", kept=True)
    b.scope[-1] = [v for v in b.scope[-1] if v[0] not in (first, second)]
    b.one(f"llvm.sub {second}, {first} : i64", "i64", kept=True)
    back = b.one(f"llvm.inttoptr {second} : i64 to !llvm.ptr", "!llvm.ptr", kept=True)
    b.one(f"llvm.load {back} : !llvm.ptr -> i32", "i32")
    same = b.one(f'llvm.icmp "eq" {chosen}, {place} : !llvm.ptr', "i1", kept=True)
    del same


@produces(3)
def atomics(b: Builder) -> None:
    """LLVM's atomics on the thread's row; comparing and exchanging."""
    if b.device:
        return
    op = b.rng.choice(("add", "sub", "_and", "_or", "_xor", "max", "min", "umax", "umin", "xchg", "uinc_wrap", "udec_wrap",
                       "nand", "cmpxchg", "fadd", "fmax"))  # fmt: skip
    t = b.rng.choice(("f32", "f64")) if op[0] == "f" else b.rng.choice(("i32", "i32", "i64", "i16", "i8"))
    if op == "fmax":
        t = "f32"
    bits = 64 if "64" in t else 32
    offset = b.one(f"arith.index_cast {b.masked(8)} : index to i64", "i64", kept=True)
    row = b.one("arith.index_cast %tid : index to i64", "i64", kept=True)
    base = b.one("memref.extract_aligned_pointer_as_index %rows : memref<?x16xi32> -> index", "index", kept=True)
    b.scope[-1] = [v for v in b.scope[-1] if v[0] not in (base,)]
    number = b.one(f"arith.index_cast {base} : index to i64", "i64", kept=True)
    b.scope[-1] = [v for v in b.scope[-1] if v[0] != number]
    pointer = b.one(f"llvm.inttoptr {number} : i64 to !llvm.ptr", "!llvm.ptr", kept=True)
    mine = b.one(f"llvm.getelementptr {pointer}[{row}] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<64 x i8>", "!llvm.ptr", kept=True)  # fmt: skip
    at = b.one(f"llvm.getelementptr {mine}[{offset}] : (!llvm.ptr, i64) -> !llvm.ptr, i{bits}", "!llvm.ptr", kept=True)
    if op == "cmpxchg":
        s = f"!llvm.struct<({t}, i1)>"
        both = b.one(f"llvm.cmpxchg {at}, {b.of(t)}, {b.of(t)} acq_rel monotonic : !llvm.ptr, {t}", s, kept=True)
        b.one(f"llvm.extractvalue {both}[0] : {s}", t, kept=True)
        b.one(f"llvm.extractvalue {both}[1] : {s}", "i1", kept=True)
        return
    if op == "fadd":
        zero = b.constant("i64" if bits == 64 else "i32", 0, kept=True)
        b.emit(f"llvm.store {zero}, {at} : i{bits}, !llvm.ptr", kept=True)
    old = b.one(f"llvm.atomicrmw {op} {at}, {b.of(t)} monotonic : !llvm.ptr, {t}", t, kept=True)
    if op == "fmax":
        b.scope[-1].remove((old, t))
