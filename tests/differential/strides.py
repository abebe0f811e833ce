"""Views whose strides, sizes and offsets are known only as the kernel runs; copies between spaces of memory."""

from __future__ import annotations

from tests.differential.collectives import threads
from tests.differential.generator import Builder, produces
from tests.differential.matrices import in_block, shared
from tests.differential.program import ROW, ROWS
from tests.differential.small_floats import hidden
from tests.differential.transfers import ELEMENTS, filled


def number(b: Builder, low: int, count: int) -> str:
    """An index from `low` on, one of a power of two of them, known only as the kernel runs."""
    value = b.one(f"arith.addi {b.masked(count)}, {b.constant('index', low, kept=True)} : index", "index", kept=True)
    b.scope[-1].remove((value, "index"))
    return value


@produces(5)
def strided(b: Builder) -> None:
    """A part of every so manyth row and column, seen again in another way."""
    t = b.rng.choice(ELEMENTS)
    buffer, type_ = filled(b, (4, 8), t)
    view = f"memref<2x2x{t}, strided<[?, ?], offset: ?>>"
    kind = b.rng.choice(("part", "sized", "again", "reinterpret", "collapse", "expand", "scalar", "turned", "row"))
    at = f"{b.masked(2)}, {b.masked(2)}"
    if kind in ("part", "again", "turned", "row", "sized"):
        sizes, given = "[2, 2]", view
        if kind == "sized":
            sizes, given = f"[{number(b, 2, 1 << 0)}, {number(b, 2, 1 << 0)}]", view.replace("2x2", "?x?")
        text = f"memref.subview {buffer}[{b.masked(2)}, {b.masked(4)}] {sizes} [{number(b, 1, 2)}, {number(b, 1, 4)}]"
        name = hidden(b, f"{text} : {type_} to {given}")
        if kind == "again":
            low = f"memref<1x2x{t}, strided<[?, ?], offset: ?>>"
            name = hidden(b, f"memref.subview {name}[{b.masked(2)}, 0] [1, 2] [1, 1] : {view} to {low}")
            given, at = low, f"{b.constant('index', 0, kept=True)}, {b.masked(2)}"
        elif kind == "turned":
            name = hidden(b, f"memref.transpose {name} (i, j) -> (j, i) : {view} to {view}")
        elif kind == "row":
            given = f"memref<2x{t}, strided<[?], offset: ?>>"
            name = hidden(b, f"memref.subview {name}[0, {b.masked(2)}] [2, 1] [1, 1] : {view} to {given}")
            at = b.masked(2)
    elif kind == "reinterpret":
        given = view
        name = hidden(b, f"memref.reinterpret_cast {buffer} to offset: [{b.masked(8)}], sizes: [2, 2], strides: "
                         f"[{number(b, 1, 8)}, {number(b, 1, 8)}] : {type_} to {view}")  # fmt: skip
    elif kind == "collapse":
        cast, given = f"memref<?x?x{t}>", f"memref<?x{t}>"
        whole = hidden(b, f"memref.cast {buffer} : {type_} to {cast}")
        name, at = hidden(b, f"memref.collapse_shape {whole} [[0, 1]] : {cast} into {given}"), b.masked(32)
    elif kind == "expand":
        line, given = f"memref<32x{t}>", f"memref<?x4x4x{t}>"
        flat = hidden(b, f"memref.collapse_shape {buffer} [[0, 1]] : {type_} into {line}")
        cast = hidden(b, f"memref.cast {flat} : {line} to memref<?x{t}>")
        two = b.constant("index", 2, kept=True)  # mlir-opt dies of two sizes of one group that are not known.
        name = hidden(b, f"memref.expand_shape {cast} [[0, 1, 2]] output_shape [{two}, 4, 4] : memref<?x{t}> into {given}")  # fmt: skip
        at = f"{b.masked(2)}, {b.masked(4)}, {b.masked(4)}"
    else:
        one = f"memref<1x1x{t}, strided<[8, 1], offset: ?>>"
        given, at = f"memref<{t}, strided<[], offset: ?>>", ""
        part = hidden(b, f"memref.subview {buffer}[{b.masked(4)}, {b.masked(8)}] [1, 1] [1, 1] : {type_} to {one}")
        name = hidden(b, f"memref.collapse_shape {part} [] : {one} into {given}")
    if b.rng.random() < 0.7:
        b.emit(f"memref.store {b.of(t)}, {name}[{at}] : {given}")
    b.one(f"memref.load {name}[{at}] : {given}", t)
    if kind == "sized" and b.rng.random() < 0.5:
        b.one(f"memref.dim {name}, {b.masked(2)} : {given}", "index")
    b.one(f"memref.load {buffer}[{b.masked(4)}, {b.masked(8)}] : {type_}", t)


@produces(2)
def copies(b: Builder) -> None:
    """`memref.copy` of a whole buffer."""
    t = b.rng.choice(ELEMENTS)
    buffer, type_ = filled(b, (2, 4), t)
    other = hidden(b, f"memref.alloca() : {type_}")
    b.emit(f"memref.copy {buffer}, {other} : {type_} to {type_}", kept=True)
    b.emit(f"memref.store {b.of(t)}, {buffer}[{b.masked(2)}, {b.masked(4)}] : {type_}")
    b.one(f"memref.load {other}[{b.masked(2)}, {b.masked(4)}] : {type_}", t)


@produces(4)
def asynchronous(b: Builder) -> None:
    """The thread's row to shared memory by `cp.async`, in one or two groups."""
    if not b.uniform or b.device:
        return
    type_ = f"memref<{threads(b)}x{ROW}xi32, #gpu.address_space<workgroup>>"
    buffer, here = shared(b, type_), in_block(b)
    zero = b.constant("i32", b.rng.choice((0, 7)), kept=True)
    for i in range(ROW):
        b.emit(f"memref.store {zero}, {buffer}[{here}, {b.constant('index', i, kept=True)}] : {type_}", kept=True)
    tokens: list[str] = []
    for at in b.rng.sample((0, 4, 8, 12), b.rng.randint(1, 3)):
        size = b.rng.choice((1, 2, 4, 4))
        place = b.constant("index", at, kept=True)
        bypass = ", bypassL1" if size == 4 and b.rng.random() < 0.5 else ""
        part = f", {b.masked(size) if size > 1 else b.constant('index', 1, kept=True)}" if b.rng.random() < 0.3 else ""
        hint = f" {{{bypass[2:]}}}" if bypass else ""
        tokens.append(hidden(b, f"nvgpu.device_async_copy {ROWS}[%tid, {place}], {buffer}[{here}, {place}], {size}{part}"
                                f"{hint} : memref<?x{ROW}xi32> to {type_}"))  # fmt: skip
    token = hidden(b, f"nvgpu.device_async_create_group {', '.join(tokens)}")
    groups = b.rng.choice((" {numGroups = 0 : i32}", ""))
    b.emit(f"nvgpu.device_async_wait {token}{groups}", kept=True)
    b.one(f"memref.load {buffer}[{here}, {b.masked(ROW)}] : {type_}", "i32", kept=True)
    v = "vector<4xi32>"
    b.one(f"vector.load {buffer}[{here}, {b.constant('index', b.rng.choice((0, 4, 8, 12)), kept=True)}] : {type_}, {v}", v, kept=True)  # fmt: skip
