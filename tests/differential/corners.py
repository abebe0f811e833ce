"""What no other file draws: reshaped memory, other spaces, numbers of the grid, transfers by `affine`."""

from __future__ import annotations

from tests.differential.generator import Builder, produces
from tests.differential.memory import storable
from tests.differential.program import ROW, ROWS
from tests.differential.small_floats import hidden
from tests.differential.transfers import filled
from tests.differential.types import vector, width


@produces(3)
def numbers(b: Builder) -> None:
    """The operations of `index`; numbers of the grid."""
    kind = b.rng.choice(("index", "grid"))
    if kind == "index":
        x, y = b.of("index"), b.of("index")
        odd = hidden(b, f"index.or {y}, {hidden(b, 'index.constant 1')}")
        half = hidden(b, f"index.shrs {x}, {hidden(b, 'index.constant 1')}")
        op = b.rng.choice(("ceildivs", "ceildivu", "floordivs", "divs", "divu", "rems", "remu"))
        b.one(f"index.{op} {half}, {odd}", "index")
        b.one(f"index.cmp {b.rng.choice(('slt', 'ule', 'eq', 'sgt'))}({x}, {y})", "i1")
        b.one(f"index.{b.rng.choice(('casts', 'castu'))} {x} : index to i32", "i32")
    else:
        b.one(f"gpu.global_id {b.rng.choice('xyz')}", "index")


@produces(3)
def shapes(b: Builder) -> None:
    """Memory in another shape, in a space that is named, without a rank, aligned."""
    x, t = b.any(lambda t: storable(t) and t != "index" and width(t) in (8, 16, 32, 64))
    kind = b.rng.choice(("reshape", "space", "rank", "aligned", "prefetch"))
    if kind == "space" and b.device:
        return
    if kind == "space":
        near = f"memref<?x{ROW}xi32, 1>"
        view = hidden(b, f"memref.memory_space_cast {ROWS} : memref<?x{ROW}xi32> to {near}")
        at = f"%tid, {b.masked(ROW)}"
        b.emit(f"memref.store {b.of('i32')}, {view}[{at}] : {near}")
        b.one(f"memref.load {view}[%tid, {b.masked(ROW)}] : {near}", "i32")
        return
    buffer, type_ = filled(b, (8,), t)
    if kind == "reshape":
        shape = hidden(b, "memref.alloca() : memref<2xindex>")
        rows = b.rng.choice((2, 4))
        for i, size in enumerate((rows, 8 // rows)):
            b.emit(f"memref.store {b.constant('index', size, kept=True)}, {shape}[{b.constant('index', i, kept=True)}] : memref<2xindex>", kept=True)  # fmt: skip
        other = b.rng.choice((f"memref<{rows}x{8 // rows}x{t}>", f"memref<?x?x{t}>"))
        view = hidden(b, f"memref.reshape {buffer}({shape}) : ({type_}, memref<2xindex>) -> {other}")
        b.emit(f"memref.store {x}, {view}[{b.masked(rows)}, {b.masked(8 // rows)}] : {other}")
        b.one(f"memref.load {view}[{b.masked(rows)}, {b.masked(8 // rows)}] : {other}", t)
        b.one(f"memref.dim {view}, {b.constant('index', b.rng.randrange(2), kept=True)} : {other}", "index")
    elif kind == "rank":
        view = hidden(b, f"memref.cast {buffer} : {type_} to memref<*x{t}>")
        b.one(f"memref.rank {view} : memref<*x{t}>", "index")
        back = hidden(b, f"memref.cast {view} : memref<*x{t}> to {type_}")
        b.one(f"memref.load {back}[{b.masked(8)}] : {type_}", t)
    elif kind == "aligned":
        view = hidden(b, f"memref.assume_alignment {buffer}, {width(t) // 8} : {type_}")
        b.emit(f"memref.store {x}, {view}[{b.masked(8)}] : {type_}")
    else:
        b.emit(f"memref.prefetch {buffer}[{b.masked(8)}], read, locality<3>, data : {type_}")
    b.one(f"memref.load {buffer}[{b.masked(8)}] : {type_}", t)


@produces(3)
def lines(b: Builder) -> None:
    """Vectors in memory by affine places."""
    t = b.rng.choice(("i8", "i16", "i32", "i64", "f32", "f64"))
    buffer, type_ = filled(b, (4, 8), t)
    v = vector([b.rng.choice((2, 4))], t)
    i, j, got = b.masked(4), b.masked(4), b.name()
    function, memory, x = b.symbol("lines"), b.name(), b.name()
    place = b.rng.choice(("%i, %j", "%i mod 3, %j", "3 - %i, %j + 0", "%i, %j floordiv 2"))
    other = b.rng.choice(("%i, %j", "3 - %i, %j", "%i floordiv 2, 4 - %j"))
    text = (f"func.func private {function}({memory}: {type_}, %i: index, %j: index, {x}: {v}) -> {v} {{\n"
            f"  {got} = affine.vector_load {memory}[{place}] : {type_}, {v}\n"
            f"  affine.vector_store {x}, {memory}[{other}] : {type_}, {v}\n  func.return {got} : {v}\n}}")  # fmt: skip
    b.kernel.functions.append(b.node(text, kept=True))
    b.one(f"func.call {function}({buffer}, {i}, {j}, {b.of(v)}) : ({type_}, index, index, {v}) -> {v}", v)
    b.one(f"memref.load {buffer}[{b.masked(4)}, {b.masked(8)}] : {type_}", t)
