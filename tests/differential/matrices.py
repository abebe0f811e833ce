"""What a warp does with matrices: copies into shared memory without registers, `ldmatrix`, products; of small exact numbers."""

from __future__ import annotations

from tests.differential.collectives import threads
from tests.differential.deeper import flat
from tests.differential.generator import Builder, produces
from tests.differential.program import ROW, ROWS
from tests.differential.small_floats import hidden
from tests.differential.types import is_float, vector, width

PRODUCTS = (
    ((16, 8, 16), "f16", (4, 2), (2, 2), (2, 2), ("f16", "f32")),
    ((16, 8, 8), "f16", (2, 2), (1, 2), (2, 2), ("f16", "f32")),
    ((16, 8, 16), "bf16", (4, 2), (2, 2), (2, 2), ("f32",)),
    ((16, 8, 8), "f32", (4, 1), (2, 1), (2, 2), ("f32",)),
    ((16, 8, 4), "f32", (2, 1), (1, 1), (2, 2), ("f32",)),
    ((16, 8, 32), "i8", (4, 4), (2, 4), (2, 2), ("i32",)),
    ((16, 8, 16), "i8", (2, 4), (1, 4), (2, 2), ("i32",)),
    ((8, 8, 4), "f64", (1, 1), (1, 1), (1, 2), ("f64",)),
)
"""Shapes of `nvgpu.mma.sync`: its extents, the element, what a lane has of each operand, elements of the result."""


def small(b: Builder, shape: tuple[int, ...], t: str) -> tuple[str, str]:
    """A vector of this shape of numbers whose sums of products are exact, and its type."""
    count = 1
    for extent in shape:
        count *= extent
    line, v, source = vector([count], t), vector(list(shape), t), vector([count], "i32")
    low = hidden(b, f"arith.andi {b.of(source)}, {b.constant(source, 3, kept=True)} : {source}")
    if is_float(t):
        low = hidden(b, f"arith.sitofp {low} : {source} to {line}")
    elif width(t) < 32:
        low = hidden(b, f"arith.trunci {low} : {source} to {line}")
    return hidden(b, f"vector.shape_cast {low} : {line} to {v}"), v


def whole_warps(b: Builder) -> bool:
    """Whether the block has nothing but whole warps, all of which come here."""
    return b.uniform and not b.device and not threads(b) % 32


@produces(3)
def products(b: Builder) -> None:
    """`nvgpu.mma.sync`, one or two in a row."""
    if not whole_warps(b):
        return
    shape, t, left, right, out, results = b.rng.choice(PRODUCTS)
    result = b.rng.choice(results)
    tail = f"mmaShape = {list(shape)}" + (", tf32Enabled" if t == "f32" else "")
    c, w = small(b, out, result)
    for _ in range(b.rng.choice((1, 1, 2))):
        (x, u), (y, v) = small(b, left, t), small(b, right, t)
        c = hidden(b, f"nvgpu.mma.sync ({x}, {y}, {c}) {{{tail}}} : ({u}, {v}, {w}) -> {w}")
    flat(b, c, w)


@produces(3)
def tiles(b: Builder) -> None:
    """A tile in shared memory that all write, and each warp reads by `ldmatrix`."""
    if not whole_warps(b):
        return
    t = b.rng.choice(("f16", "bf16", "i16", "i32", "f32"))
    columns = 16 * 16 // width(t)
    type_ = f"memref<16x{columns}x{t}, #gpu.address_space<workgroup>>"
    buffer = shared(b, type_)
    here = in_block(b)
    each = vector([columns // 2], t)
    if is_float(t):
        given, _ = small(b, (columns // 2,), t)
    else:
        given = b.of(each)
    two = b.constant("index", 2, kept=True)
    limit = b.constant("index", 32, kept=True)
    first = b.one(f"arith.cmpi ult, {here}, {limit} : index", "i1", kept=True)
    row, half = hidden(b, f"arith.divui {here}, {two} : index"), hidden(b, f"arith.remui {here}, {two} : index")
    column = hidden(b, f"arith.muli {half}, {b.constant('index', columns // 2, kept=True)} : index")
    b.emit("gpu.barrier", kept=True)
    b.emit(f"scf.if {first} {{\n  vector.store {given}, {buffer}[{row}, {column}] : {type_}, {each}\n}}", kept=True)
    b.emit("gpu.barrier", kept=True)
    lane = hidden(b, f"arith.andi {here}, {b.constant('index', 31, kept=True)} : index")
    count = b.rng.choice((1, 2, 4))
    transposed = b.rng.random() < 0.4 and width(t) == 16
    sixteen = b.constant("index", 16, kept=True)
    at = hidden(b, f"arith.remui {lane}, {sixteen} : index")
    right = hidden(b, f"arith.divui {lane}, {sixteen} : index")
    column = hidden(b, f"arith.muli {right}, {b.constant('index', columns // 2, kept=True)} : index")
    v = vector([count, 32 // width(t)], t)
    got = hidden(b, f"nvgpu.ldmatrix {buffer}[{at}, {column}] {{numTiles = {count} : i32, transpose = {str(transposed).lower()}}} : {type_} -> {v}")  # fmt: skip
    flat(b, got, v)
    b.emit("gpu.barrier", kept=True)


@produces(4)
def copies(b: Builder) -> None:
    """Copies that do not wait, from the thread's row; some groups of them, and what another thread sees after."""
    if not b.uniform or b.device:
        return
    count = threads(b)
    type_ = f"memref<{count}x{ROW}xi32, #gpu.address_space<workgroup>>"
    whole = f"memref<?x{ROW}xi32>"
    buffer, here = shared(b, type_), in_block(b)
    zero = b.constant("i32", 0, kept=True)
    v = vector([ROW], "i32")
    none = hidden(b, f"vector.broadcast {zero} : i32 to {v}")
    start = b.constant("index", 0, kept=True)
    b.emit("gpu.barrier", kept=True)
    b.emit(f"vector.store {none}, {buffer}[{here}, {start}] : {type_}, {v}", kept=True)
    groups = b.rng.randint(1, 3)
    for _ in range(groups):
        tokens: list[str] = []
        for half in range(b.rng.randint(1, 2)):
            size = b.rng.choice((1, 2, 4))
            source = b.constant("index", size * b.rng.randrange(ROW // size), kept=True)
            to = b.constant("index", half * ROW // 2 + size * b.rng.randrange(ROW // size // 2), kept=True)
            bypass = " {bypassL1}" if size == 4 and b.rng.random() < 0.5 else ""
            some = ""
            if b.rng.random() < 0.3:
                limit = b.one(f"arith.constant {size} : index", "index", kept=True)
                low = hidden(b, f"arith.remui {b.masked(8)}, {limit} : index")
                some = f", {low}"
            tokens.append(hidden(b, f"nvgpu.device_async_copy {ROWS}[%tid, {source}], {buffer}[{here}, {to}], {size}{some}{bypass} : {whole} to {type_}"))  # fmt: skip
        token = hidden(b, f"nvgpu.device_async_create_group {', '.join(tokens)}")
        b.emit(f"nvgpu.device_async_wait {token}{' {numGroups = 0 : i32}' if b.rng.random() < 0.5 else ''}", kept=True)
    b.emit("gpu.barrier", kept=True)
    by = b.constant("index", b.rng.randrange(count), kept=True)
    moved = hidden(b, f"arith.addi {here}, {by} : index")
    other = hidden(b, f"arith.remui {moved}, {b.constant('index', count, kept=True)} : index")
    b.one(f"memref.load {buffer}[{other}, {b.masked(ROW)}] : {type_}", "i32", kept=True)
    b.one(f"vector.load {buffer}[{here}, {start}] : {type_}, {v}", v, kept=True)
    b.emit("gpu.barrier", kept=True)


@produces(2)
def whole_matrices(b: Builder) -> None:
    """`gpu.subgroup_mma_*`: a tile loaded, multiplied, changed element by element, stored."""
    if not whole_warps(b) or threads(b) != 32:
        return
    t = b.rng.choice(("f16", "f32"))
    half, full = (
        "memref<16x16xf16, #gpu.address_space<workgroup>>",
        f"memref<16x16x{t}, #gpu.address_space<workgroup>>",
    )
    source, out = shared(b, half), shared(b, full)
    here, zero, eight = in_block(b), b.constant("index", 0, kept=True), b.constant("index", 8, kept=True)
    given, v = small(b, (8,), "f16")
    two = b.constant("index", 2, kept=True)
    row, low = hidden(b, f"arith.divui {here}, {two} : index"), hidden(b, f"arith.remui {here}, {two} : index")
    column = hidden(b, f"arith.muli {low}, {eight} : index")
    b.emit(f"vector.store {given}, {source}[{row}, {column}] : {half}, {v}", kept=True)
    b.emit("gpu.barrier", kept=True)
    parts: list[str] = []
    for place in ("AOp", "BOp"):
        turned = ", transpose" if b.rng.random() < 0.3 else ""
        parts.append(hidden(b, f'gpu.subgroup_mma_load_matrix {source}[{zero}, {zero}] {{leadDimension = 16 : index{turned}}} : {half} -> !gpu.mma_matrix<16x16xf16, "{place}">'))  # fmt: skip
    one = b.constant(t, b.rng.choice((0.0, 1.0, 2.0)), kept=True)
    kind = f'!gpu.mma_matrix<16x16x{t}, "COp">'
    c = hidden(b, f"gpu.subgroup_mma_constant_matrix {one} : {kind}")
    for _ in range(b.rng.choice((1, 2))):
        c = hidden(b, f'gpu.subgroup_mma_compute {parts[0]}, {parts[1]}, {c} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> {kind}')  # fmt: skip
    if b.rng.random() < 0.5:
        op = b.rng.choice(("addf", "mulf", "maxf", "minf", "subf"))
        other = hidden(b, f"gpu.subgroup_mma_constant_matrix {one} : {kind}")
        c = hidden(b, f"gpu.subgroup_mma_elementwise {op} {c}, {other} : ({kind}, {kind}) -> {kind}")
    b.emit(f"gpu.subgroup_mma_store_matrix {c}, {out}[{zero}, {zero}] {{leadDimension = 16 : index}} : {kind}, {full}", kept=True)  # fmt: skip
    b.emit("gpu.barrier", kept=True)
    b.one(f"memref.load {out}[{b.masked(16)}, {b.masked(16)}] : {full}", t, kept=True)
    b.emit("gpu.barrier", kept=True)


def shared(b: Builder, type_: str) -> str:
    """A buffer of the block."""
    name = b.symbol("s")
    b.kernel.globals.append(f"memref.global {name} : {type_} = uninitialized {{alignment = 16 : i64}}")
    return hidden(b, f"memref.get_global {name} : {type_}")


def in_block(b: Builder) -> str:
    """The number of the thread in its block."""
    return hidden(b, f"arith.remui %tid, {b.constant('index', threads(b), kept=True)} : index")
