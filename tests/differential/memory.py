"""Memory: the thread's own buffers, its row of a matrix in global memory, views of these, LLVM's pointers."""

from __future__ import annotations

from tests.differential import types
from tests.differential.generator import Builder, produces
from tests.differential.program import ROW, ROWS
from tests.differential.types import element, is_vector

SIZES = (2, 4, 8)


def storable(t: str) -> bool:
    """A type of elements of memory."""
    return not is_vector(t) and t not in ("i1", "i4")


@produces(4)
def local_buffers(b: Builder) -> None:
    """A buffer of the thread's own: written everywhere, then at some place, then read."""
    x, t = b.any(storable)
    size = b.rng.choice(SIZES)
    type_ = f"memref<{size}x{t}>"
    buffer = b.one(f"memref.alloca() : {type_}", type_, kept=True)
    for i in range(size):
        at = b.constant("index", i, kept=True)
        b.emit(f"memref.store {b.of(t) if i % 2 else x}, {buffer}[{at}] : {type_}", kept=True)
    b.emit(f"memref.store {b.of(t)}, {buffer}[{b.masked(size)}] : {type_}")
    # A vector of i24 is 3 bytes an element in LLVM's memory, and 4 in a memref.
    if b.rng.random() < 0.3 and size > 2 and t != "index" and types.width(t) in (8, 16, 32, 64):
        count = size // 2
        vector = types.vector([count], t)
        at = b.constant("index", b.rng.randrange(count))
        if b.rng.random() < 0.5:
            b.one(f"vector.load {buffer}[{at}] : {type_}, {vector}", vector)
        else:
            b.emit(f"vector.store {b.of(vector)}, {buffer}[{at}] : {type_}, {vector}")
    if b.rng.random() < 0.4:
        view = subview(b, buffer, size, t)
        if view:
            name, view_type, count = view
            b.one(f"memref.load {name}[{b.masked(count)}] : {view_type}", t)
    b.one(f"memref.load {buffer}[{b.masked(size)}] : {type_}", t)


def subview(b: Builder, buffer: str, size: int, t: str) -> tuple[str, str, int] | None:
    """Every second element from a place on, or half of the elements; the number of elements is a power of two."""
    count = size // 2
    if b.rng.random() < 0.5:
        at = b.rng.randint(0, 1)
        view = f"memref<{count}x{t}, strided<[2], offset: {at}>>"
        return (
            b.one(f"memref.subview {buffer}[{at}] [{count}] [2] : memref<{size}x{t}> to {view}", view, kept=True),
            view,
            count,
        )
    at = b.masked(count)
    view = f"memref<{count}x{t}, strided<[1], offset: ?>>"
    return (
        b.one(f"memref.subview {buffer}[{at}] [{count}] [1] : memref<{size}x{t}> to {view}", view, kept=True),
        view,
        count,
    )


@produces(4)
def rows(b: Builder) -> None:
    """The thread's row in global memory: stores and loads at places that are known or not, scalars and vectors."""
    if b.device:
        return
    whole = f"memref<?x{ROW}xi32>"
    kind = b.rng.choice(("store", "load", "view", "vector", "transfer", "atomic", "reinterpret"))
    if kind == "store":
        b.emit(f"memref.store {b.of('i32')}, {ROWS}[%tid, {b.masked(ROW)}] : {whole}")
    elif kind == "load":
        b.one(f"memref.load {ROWS}[%tid, {b.masked(ROW)}] : {whole}", "i32")
    elif kind == "vector":
        count = b.rng.choice((1, 2, 4))
        t = types.vector([count], "i32")
        at = b.constant("index", b.rng.randint(0, ROW - count))
        if b.rng.random() < 0.5:
            b.one(f"vector.load {ROWS}[%tid, {at}] : {whole}, {t}", t)
        else:
            b.emit(f"vector.store {b.of(t)}, {ROWS}[%tid, {at}] : {whole}, {t}")
    elif kind == "transfer":
        count = b.rng.choice((2, 4, 8))
        t = types.vector([count], "i32")
        at = b.masked(ROW)
        if b.rng.random() < 0.5:
            b.one(f"vector.transfer_read {ROWS}[%tid, {at}], {b.of('i32')} : {whole}, {t}", t)
        else:
            b.emit(f"vector.transfer_write {b.of(t)}, {ROWS}[%tid, {at}] : {t}, {whole}")
    elif kind == "atomic":
        op = b.rng.choice(("addi", "maxs", "minu", "andi", "ori", "assign", "maxu", "mins"))
        b.one(f"memref.atomic_rmw {op} {b.of('i32')}, {ROWS}[%tid, {b.masked(ROW)}] : (i32, {whole}) -> i32", "i32")
    elif kind == "view":
        size, step = b.rng.choice(((4, 1), (8, 1), (4, 2), (8, 2), (4, 3)))
        at = b.rng.randint(0, ROW - size * step)
        view = f"memref<1x{size}xi32, strided<[{ROW}, {step}], offset: ?>>"
        name = b.one(f"memref.subview {ROWS}[%tid, {at}] [1, {size}] [1, {step}] : {whole} to {view}", view, kept=True)
        zero = b.constant("index", 0)
        if b.rng.random() < 0.5:
            b.emit(f"memref.store {b.of('i32')}, {name}[{zero}, {b.masked(size)}] : {view}")
        b.one(f"memref.load {name}[{zero}, {b.masked(size)}] : {view}", "i32")
    else:
        scale = b.constant("index", ROW)
        at = b.one(f"arith.muli %tid, {scale} : index", "index")
        view = "memref<4x4xi32, strided<[1, 4], offset: ?>>"
        name = b.one(
            f"memref.reinterpret_cast {ROWS} to offset: [{at}], sizes: [4, 4], strides: [1, 4] : {whole} to {view}",
            view,
            kept=True,
        )
        b.one(f"memref.load {name}[{b.masked(4)}, {b.masked(4)}] : {view}", "i32")


@produces(3)
def pointers(b: Builder) -> None:
    """LLVM's memory: a struct on the stack, written and read by its members."""
    members = [b.rng.choice(("i8", "i16", "i32", "i64", "f32", "f64", "f16", "i1")) for _ in range(b.rng.randint(2, 4))]
    type_ = f"!llvm.struct<({', '.join(members)})>"
    count = b.constant("i32", 1, kept=True)
    place = b.one(f"llvm.alloca {count} x {type_} : (i32) -> !llvm.ptr", "!llvm.ptr", kept=True)
    at = []
    for i, member in enumerate(members):
        text = f"llvm.getelementptr {place}[0, {i}] : (!llvm.ptr) -> !llvm.ptr, {type_}"
        at.append(b.one(text, "!llvm.ptr", kept=True))
        b.emit(f"llvm.store {b.of(member)}, {at[-1]} : {member}, !llvm.ptr", kept=True)
    if b.rng.random() < 0.5:
        whole = b.one(f"llvm.load {place} : !llvm.ptr -> {type_}", type_, kept=True)
        i = b.rng.randrange(len(members))
        new = b.one(f"llvm.insertvalue {b.of(members[i])}, {whole}[{i}] : {type_}", type_, kept=True)
        b.emit(f"llvm.store {new}, {place} : {type_}, !llvm.ptr")
    for i, member in enumerate(members):
        if b.rng.random() < 0.6:
            b.one(f"llvm.load {at[i]} : !llvm.ptr -> {member}", member)


@produces(2)
def constants(b: Builder) -> None:
    """A table of constants, of which one is read."""
    if b.device:
        return
    t = b.rng.choice(("i8", "i16", "i32", "i64", "f32", "f64", "f16"))
    size = b.rng.choice(SIZES)
    name = b.symbol("t")
    values = ", ".join(str(b.literal(t)) for _ in range(size))
    b.kernel.globals.append(f"memref.global constant {name} : memref<{size}x{t}> = dense<[{values}]>")
    table = b.one(f"memref.get_global {name} : memref<{size}x{t}>", f"memref<{size}x{t}>", kept=True)
    b.one(f"memref.load {table}[{b.masked(size)}] : memref<{size}x{t}>", element(t))
