"""LLVM's intrinsics and vector operations that MLIR's own dialects do not lower to; bits read as vectors of another width."""

from __future__ import annotations

from tests.differential.aggregates import local
from tests.differential.generator import Builder, produces
from tests.differential.scalars import CASES
from tests.differential.small_floats import hidden
from tests.differential.transfers import exact
from tests.differential.types import dims, element, is_integer, is_vector, of, vector, width

FLOATS = ("f32", "f64", "f16", "vector<2xf32>", "vector<4xf16>", "vector<3xf64>")


@produces(4)
def floats(b: Builder) -> None:
    """Comparisons, classes, signs and exponents of floats."""
    t = b.rng.choice(FLOATS)
    x, test = b.of(t), of(t, "i1")
    kind = b.rng.choice(("fcmp", "neg", "freeze", "class", "ldexp", "minimum", "round"))
    if kind == "fcmp":
        b.one(f'llvm.fcmp "{b.rng.choice(CASES["cmpf"])}" {x}, {b.of(t)} : {t}', test)
    elif kind in ("neg", "freeze"):
        b.one(f"llvm.{'fneg' if kind == 'neg' else kind} {x} : {t}", t)
    elif kind == "class":
        # Which NaNs signal is nobody's business: both bits, or none.
        bits = b.rng.randrange(256) << 2 | b.rng.choice((0, 3))
        b.one(f'"llvm.intr.is.fpclass"({x}) <{{bit = {bits} : i32}}> : ({t}) -> {test}', test)
    elif kind == "ldexp":
        if is_vector(t) or t == "f16":
            return
        by = b.one(f"arith.subi {b.one(f'arith.index_cast {b.masked(64)} : index to i32', 'i32')}, {b.constant('i32', 30)} : i32", "i32")  # fmt: skip
        b.one(f"llvm.intr.ldexp({x}, {by}) : ({t}, i32) -> {t}", t)
    elif kind == "minimum":
        b.one(f"llvm.intr.{b.rng.choice(('minimum', 'maximum', 'minnum', 'maxnum'))}({x}, {b.of(t)}) : ({t}, {t}) -> {t}", t)  # fmt: skip
    else:
        b.one(f"llvm.intr.{b.rng.choice(('trunc', 'roundeven', 'rint', 'nearbyint'))}({x}) : ({t}) -> {t}", t)  # fmt: skip


@produces(3)
def integers(b: Builder) -> None:
    """Three-way comparisons, saturating shifts, counts."""
    x, t = b.any(lambda t: is_integer(t) and element(t) != "index" and width(t) > 7 and len(dims(t)) < 2)
    kind = b.rng.choice(("order", "shift", "count", "freeze", "extremes"))
    if kind == "order":
        u = of(t, "i8")
        b.one(f"llvm.intr.{b.rng.choice(('scmp', 'ucmp'))}({x}, {b.of(t)}) : ({t}, {t}) -> {u}", u)
    elif kind == "shift":
        by = b.constant(t, b.rng.randrange(width(t)), kept=True)
        b.one(f"llvm.intr.{b.rng.choice(('sshl.sat', 'ushl.sat'))}({x}, {by}) : ({t}, {t}) -> {t}", t)
    elif kind == "count":
        name = b.rng.choice(("ctlz", "cttz"))
        b.one(f'"llvm.intr.{name}"({x}) <{{is_zero_poison = false}}> : ({t}) -> {t}', t)
    elif kind == "freeze":
        b.one(f"llvm.freeze {x} : {t}", t)
    else:
        b.one(f"llvm.intr.{b.rng.choice(('smax', 'umin', 'umax', 'smin'))}({x}, {b.of(t)}) : ({t}, {t}) -> {t}", t)


def line(t: str) -> bool:
    """A vector of one dimension of elements that fill bytes."""
    return len(dims(t)) == 1 and element(t) in ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")


@produces(4)
def elements(b: Builder) -> None:
    """LLVM's operations on vectors: elements by a number known as it runs, parts, two vectors as one."""
    x, t = b.any(line)
    count, inner = dims(t)[0], element(t)
    kind = b.rng.choice(("insert", "extract", "shuffle", "part", "put", "interleave", "step", "active"))
    if kind in ("insert", "extract"):
        if count & count - 1:
            return
        at = b.one(f"arith.index_cast {b.masked(count)} : index to i32", "i32")
        if kind == "insert":
            b.one(f"llvm.insertelement {b.of(inner)}, {x}[{at} : i32] : {t}", t)
        else:
            b.one(f"llvm.extractelement {x}[{at} : i32] : {t}", inner)
    elif kind == "shuffle":
        order = [b.rng.randrange(2 * count) for _ in range(b.rng.choice((1, 2, 4, 5)))]
        u = vector([len(order)], inner)
        b.one(f"llvm.shufflevector {x}, {b.of(t)} {order} : {t}", u)
    elif kind in ("part", "put"):
        if count < 2 or count % 2:
            return
        half, at = vector([count // 2], inner), b.rng.choice((0, count // 2))
        if kind == "part":
            b.one(f"llvm.intr.vector.extract {x}[{at}] : {half} from {t}", half)
        else:
            b.one(f"llvm.intr.vector.insert {b.of(half)}, {x}[{at}] : {half} into {t}", t)
    elif kind == "interleave":
        u = vector([2 * count], inner)
        b.one(f'"llvm.intr.vector.interleave2"({x}, {b.of(t)}) : ({t}, {t}) -> {u}', u)
    elif kind == "step":
        u = vector([count], b.rng.choice(("i8", "i32", "i64")))
        b.one(f"llvm.intr.stepvector : {u}", u)
    else:
        u = vector([count], "i1")
        first, last = (b.one(f"arith.index_cast {b.masked(16)} : index to i32", "i32") for _ in range(2))
        b.one(f"llvm.intr.get.active.lane.mask {first}, {last} : i32, i32 to {u}", u)


BITS = (16, 32, 64, 128)


@produces(5)
def bitcasts(b: Builder) -> None:
    """The bits of an integer or a vector as a vector of other elements, or as an integer."""
    total = b.rng.choice(BITS)

    def some() -> str:
        sizes = [n for n in (8, 16, 32, 64) if n <= total]
        size = b.rng.choice(sizes)
        if b.rng.random() < 0.25:
            return f"i{total}"
        floats = {16: ("f16", "bf16"), 32: ("f32",), 64: ("f64",)}.get(size, ())
        return vector([total // size], b.rng.choice((f"i{size}", f"i{size}", *floats)))

    have, want = some(), some()
    if have == want:
        return
    x = b.number(have)
    if is_vector(have) and is_vector(want) and b.rng.random() < 0.5:
        b.one(f"vector.bitcast {x} : {have} to {want}", want)
    else:
        b.one(f"llvm.bitcast {x} : {have} to {want}", want)


@produces(4)
def masked(b: Builder) -> None:
    """LLVM's loads and stores of the elements that a mask names, from one place or from many."""
    t, count = b.rng.choice(("i8", "i16", "i32", "i64", "f32", "f64")), b.rng.choice((2, 4, 3, 8))
    v, m, size = vector([count], t), vector([count], "i1"), width(t) // 8
    place = local(b, "")
    for i in range(4):
        to = hidden(b, f"llvm.getelementptr {place}[{i * 16}] : (!llvm.ptr) -> !llvm.ptr, i8")
        b.emit(f"llvm.store {b.of('i64')}, {to} : i64, !llvm.ptr", kept=True)
    at = hidden(b, f"arith.index_cast {b.masked(8)} : index to i64")
    pointer = hidden(b, f"llvm.getelementptr {place}[{at}] : (!llvm.ptr, i64) -> !llvm.ptr, {t}")
    mask, x = b.of(m), b.of(v)
    align = f"{{alignment = {size} : i32}}"
    kind = b.rng.choice(("load", "store", "gather", "scatter", "expand", "compress"))
    if kind in ("gather", "scatter"):
        # A scatter to one place twice is in order, lane by lane.
        places = hidden(b, f"arith.andi {b.of(vector([count], 'i32'))}, {b.constant(vector([count], 'i32'), 15, kept=True)} : {vector([count], 'i32')}")  # fmt: skip
        pointers = f"vector<{count}x!llvm.ptr>"
        to = hidden(
            b, f"llvm.getelementptr {place}[{places}] : (!llvm.ptr, {vector([count], 'i32')}) -> {pointers}, {t}"
        )
        if kind == "gather":
            b.one(f"llvm.intr.masked.gather {to}, {mask}, {x} {align} : ({pointers}, {m}, {v}) -> {v}", v)
        else:
            b.emit(f"llvm.intr.masked.scatter {x}, {to}, {mask} {align} : {v}, {m} into {pointers}")
    elif kind == "load":
        b.one(f"llvm.intr.masked.load {pointer}, {mask}, {x} {align} : (!llvm.ptr, {m}, {v}) -> {v}", v)
    elif kind == "store":
        b.emit(f"llvm.intr.masked.store {x}, {pointer}, {mask} {align} : {v}, {m} into !llvm.ptr")
    elif kind == "expand":
        b.one(f'"llvm.intr.masked.expandload"({pointer}, {mask}, {x}) : (!llvm.ptr, {m}, {v}) -> {v}', v)
    else:
        b.emit(f'"llvm.intr.masked.compressstore"({x}, {pointer}, {mask}) : ({v}, !llvm.ptr, {m}) -> ()')
    b.one(f"llvm.load {pointer} : !llvm.ptr -> {t}", t)


@produces(2)
def places(b: Builder) -> None:
    """Bytes set and copied inline, pointers rounded down, a scope of memory that ends."""
    place = local(b, "")
    kind = b.rng.choice(("set", "copy", "mask", "scope", "space"))
    if kind == "set":
        size = b.rng.choice((1, 3, 8, 15, 33))
        b.emit(f'"llvm.intr.memset.inline"({place}, {b.of("i8")}) <{{isVolatile = false, len = {size} : i64}}> : (!llvm.ptr, i8) -> ()', kept=True)  # fmt: skip
    elif kind == "copy":
        b.emit(f"llvm.store {b.of('i64')}, {place} : i64, !llvm.ptr", kept=True)
        to = hidden(b, f"llvm.getelementptr {place}[16] : (!llvm.ptr) -> !llvm.ptr, i8")
        b.emit(f'"llvm.intr.memcpy.inline"({to}, {place}) <{{isVolatile = false, len = {b.rng.choice((1, 4, 7, 8))} : i64}}> : (!llvm.ptr, !llvm.ptr) -> ()', kept=True)  # fmt: skip
        place = to
    elif kind == "mask":
        b.emit(f"llvm.store {b.of('i64')}, {place} : i64, !llvm.ptr", kept=True)
        at = hidden(b, f"arith.index_cast {b.masked(8)} : index to i64")
        inside = hidden(b, f"llvm.getelementptr {place}[{at}] : (!llvm.ptr, i64) -> !llvm.ptr, i8")
        mask = hidden(b, f"arith.constant {-b.rng.choice((2, 4, 8))} : i64")
        place = hidden(b, f'"llvm.intr.ptrmask"({inside}, {mask}) : (!llvm.ptr, i64) -> !llvm.ptr')
    elif kind == "scope":
        t = b.rng.choice(("i32", "f64", "i8"))
        got, buffer, at, x = b.name(), b.name(), b.masked(2), b.of(t)
        zero, one = b.constant("index", 0, kept=True), b.constant("index", 1, kept=True)
        b.region.nodes.append(b.node(
            f"{got} = memref.alloca_scope -> ({t}) {{\n  {buffer} = memref.alloca() : memref<2x{t}>\n"
            f"  memref.store {x}, {buffer}[{zero}] : memref<2x{t}>\n  memref.store {b.of(t)}, {buffer}[{one}] : memref<2x{t}>\n"
            f"  {got}x = memref.load {buffer}[{at}] : memref<2x{t}>\n  memref.alloca_scope.return {got}x : {t}\n}}", kept=True))  # fmt: skip
        b.scope[-1].append((got, t))
        return
    else:
        b.emit(f"llvm.store {b.of('i64')}, {place} : i64, !llvm.ptr", kept=True)
        near = hidden(b, f"llvm.addrspacecast {place} : !llvm.ptr to !llvm.ptr<5>")
        b.one(f"llvm.load {near} : !llvm.ptr<5> -> i32", "i32")
        return
    b.one(f"llvm.load {place} {{alignment = 1 : i64}} : !llvm.ptr -> i8", "i8")
    b.one(f"llvm.load {place} {{alignment = 1 : i64}} : !llvm.ptr -> i32", "i32")


@produces(1)
def elementwise(b: Builder) -> None:
    """Products with a sum; numbers from zero on."""
    if b.rng.random() < 0.5:
        u = vector([b.rng.choice((1, 2, 4, 7))], "index")
        b.one(f"vector.step : {u}", u)
    else:
        t, shape = b.rng.choice(("f32", "f64")), [b.rng.choice((1, 2, 3, 4))]
        v = vector(shape, t)
        b.one(f"vector.fma {exact(b, shape, t)}, {exact(b, shape, t)}, {b.of(v)} : {v}", v)
