"""Views of buffers with more than one dimension: parts, other shapes, sizes known only as the kernel runs."""

from __future__ import annotations

from tests.differential.generator import Builder, produces
from tests.differential.program import ROW, ROWS
from tests.differential.transfers import ELEMENTS, filled


@produces(4)
def shapes(b: Builder) -> None:
    """Dimensions joined, split, exchanged, taken away; the shape as a dynamic one."""
    t = b.rng.choice(ELEMENTS)
    buffer, type_ = filled(b, (4, 8), t)
    kind = b.rng.choice(("collapse", "expand", "expand dynamic", "transpose", "cast", "dim", "metadata", "reshape"))
    if kind == "collapse":
        view = f"memref<32x{t}>"
        name = b.one(f"memref.collapse_shape {buffer} [[0, 1]] : {type_} into {view}", view, kept=True)
        at = b.masked(32)
    elif kind == "expand":
        view = f"memref<4x2x4x{t}>"
        text = f"memref.expand_shape {buffer} [[0], [1, 2]] output_shape [4, 2, 4] : {type_} into {view}"
        name, at = b.one(text, view, kept=True), f"{b.masked(4)}, {b.masked(2)}, {b.masked(4)}"
    elif kind == "expand dynamic":
        part, view = f"memref<?x8x{t}, strided<[8, 1]>>", f"memref<2x?x8x{t}, strided<[?, 8, 1]>>"
        four = b.constant("index", 4, kept=True)
        two = b.constant("index", 2, kept=True)
        sub = f"memref.subview {buffer}[0, 0] [{four}, 8] [1, 1] : {type_} to {part}"
        low = b.one(sub, part, kept=True)
        text = f"memref.expand_shape {low} [[0, 1], [2]] output_shape [2, {two}, 8] : {part} into {view}"
        name, at = b.one(text, view, kept=True), f"{b.masked(2)}, {b.masked(2)}, {b.masked(8)}"
    elif kind == "transpose":
        view = f"memref<8x4x{t}, strided<[1, 8]>>"
        name = b.one(f"memref.transpose {buffer} (i, j) -> (j, i) : {type_} to {view}", view, kept=True)
        at = f"{b.masked(8)}, {b.masked(4)}"
    elif kind == "cast":
        view = f"memref<?x?x{t}>"
        name = b.one(f"memref.cast {buffer} : {type_} to {view}", view, kept=True)
        at = f"{b.masked(4)}, {b.masked(8)}"
    elif kind == "dim":
        view = f"memref<?x?x{t}, strided<[8, 1]>>"
        one, two = b.constant("index", 1, kept=True), b.constant("index", 2, kept=True)
        rows = b.one(f"arith.addi {b.masked(2)}, {two} : index", "index", kept=True)
        columns = b.one(f"arith.addi {b.masked(4)}, {two} : index", "index", kept=True)
        text = f"memref.subview {buffer}[0, 0] [{rows}, {columns}] [1, 1] : {type_} to {view}"
        name = b.one(text, view, kept=True)
        high = b.one(f"memref.dim {name}, {one} : {view}", "index")
        last = b.one(f"arith.subi {high}, {one} : index", "index", kept=True)
        at = f"{one}, {last}"
    elif kind == "metadata":
        part = f"memref<2x4x{t}, strided<[8, 1], offset: ?>>"
        sub = f"memref.subview {buffer}[{b.masked(2)}, {b.masked(4)}] [2, 4] [1, 1] : {type_} to {part}"
        low = b.one(sub, part, kept=True)
        base, offset, *_, stride, _ = b.emit(
            f"memref.extract_strided_metadata {low} : {part} -> memref<{t}>, index, index, index, index, index",
            f"memref<{t}>", "index", "index", "index", "index", "index", kept=True)  # fmt: skip
        view = f"memref<2x2x{t}, strided<[?, 1], offset: ?>>"
        text = f"memref.reinterpret_cast {base} to offset: [{offset}], sizes: [2, 2], strides: [{stride}, 1] : memref<{t}> to {view}"
        name, at = b.one(text, view, kept=True), f"{b.masked(2)}, {b.masked(2)}"
    else:
        view = f"memref<8x4x{t}>"
        text = f"memref.reinterpret_cast {buffer} to offset: [0], sizes: [8, 4], strides: [4, 1] : {type_} to {view}"
        name, at = b.one(text, view, kept=True), f"{b.masked(8)}, {b.masked(4)}"
    b.emit(f"memref.store {b.of(t)}, {name}[{at}] : {view}")
    b.one(f"memref.load {name}[{at}] : {view}", t)
    b.one(f"memref.load {buffer}[{b.masked(4)}, {b.masked(8)}] : {type_}", t)


@produces(4)
def parts(b: Builder) -> None:
    """A part of a part, with offsets and strides that are known or not; copied, its rank reduced."""
    t = b.rng.choice(ELEMENTS)
    buffer, type_ = filled(b, (4, 8), t)
    stepped = b.rng.random() < 0.5
    step = 2 if stepped else 1
    i, j = b.masked(2), b.masked(2)
    part = f"memref<2x4x{t}, strided<[8, {step}], offset: ?>>"
    low = b.one(f"memref.subview {buffer}[{i}, {j}] [2, {4 if not stepped else 3}] [1, {step}] : {type_} to "
                f"{part.replace('x4x', 'x3x') if stepped else part}",
                part.replace("x4x", "x3x") if stepped else part, kept=True)  # fmt: skip
    if stepped:
        part = part.replace("x4x", "x3x")
    kind = b.rng.choice(("again", "row", "column", "copy", "scalar"))
    zero = b.constant("index", 0, kept=True)
    if kind == "again":
        view = f"memref<1x2x{t}, strided<[8, {step}], offset: ?>>"
        name = b.one(f"memref.subview {low}[{b.masked(2)}, 1] [1, 2] [1, 1] : {part} to {view}", view, kept=True)
        b.one(f"memref.load {name}[{zero}, {b.masked(2)}] : {view}", t)
    elif kind in ("row", "column"):
        size, stride = (2, step) if kind == "row" else (2, 8)
        view = f"memref<{size}x{t}, strided<[{stride}], offset: ?>>"
        text = f"{low}[{b.masked(2)}, 0] [1, 2]" if kind == "row" else f"{low}[0, {b.masked(2)}] [2, 1]"
        name = b.one(f"memref.subview {text} [1, 1] : {part} to {view}", view, kept=True)
        b.emit(f"memref.store {b.of(t)}, {name}[{b.masked(2)}] : {view}")
        b.one(f"memref.load {name}[{b.masked(2)}] : {view}", t)
    elif kind == "copy":
        shape = "2x3" if stepped else "2x4"
        other = f"memref<{shape}x{t}>"
        to = b.one(f"memref.alloca() : {other}", other, kept=True)
        one = b.constant("index", 1, kept=True)
        columns = b.constant("index", 3 if stepped else 4, kept=True)
        two = b.constant("index", 2, kept=True)
        p, q = b.name(), b.name()
        b.emit(f"scf.for {p} = {zero} to {two} step {one} {{\n  scf.for {q} = {zero} to {columns} step {one} {{\n"
               f"    {p}x = memref.load {low}[{p}, {q}] : {part}\n    memref.store {p}x, {to}[{p}, {q}] : {other}\n"
               "  }\n}", kept=True)  # fmt: skip
        b.one(f"memref.load {to}[{b.masked(2)}, {b.masked(2)}] : {other}", t)
    else:
        view = f"memref<{t}, strided<[], offset: ?>>"
        name = b.one(f"memref.subview {low}[{b.masked(2)}, 1] [1, 1] [1, 1] : {part} to {view}", view, kept=True)
        b.one(f"memref.load {name}[] : {view}", t)


@produces(2)
def bytes_(b: Builder) -> None:
    """Bytes of the thread's own as elements of a type, from a place that is known only as it runs."""
    t = b.rng.choice(ELEMENTS)
    size = 8 if t in ("i64", "f64") else 4 if t in ("i32", "f32") else 2 if t in ("i16", "f16") else 1
    bytes_type, view = "memref<64xi8>", f"memref<4x{t}>"
    raw = b.one(f"memref.alloca() {{alignment = 16 : i64}} : {bytes_type}", bytes_type, kept=True)
    scale = b.constant("index", size, kept=True)
    at = b.one(f"arith.muli {b.masked(4)}, {scale} : index", "index", kept=True)
    name = b.one(f"memref.view {raw}[{at}][] : {bytes_type} to {view}", view, kept=True)
    for i in range(4):
        b.emit(f"memref.store {b.number(t)}, {name}[{b.constant('index', i, kept=True)}] : {view}", kept=True)
    b.one(f"memref.load {name}[{b.masked(4)}] : {view}", t)
    first = b.constant("index", 0, kept=True)
    moved = b.one(f"arith.addi {at}, {first} : index", "index", kept=True)
    b.one(f"memref.load {raw}[{moved}] : {bytes_type}", "i8", kept=True)


@produces(2)
def generic_atomics(b: Builder) -> None:
    """An atomic update that is written out, on the thread's row."""
    if b.device:
        return
    old, new = b.name(), b.name()
    op = b.rng.choice(("addi", "muli", "xori", "subi", "maxsi"))
    by = b.of("i32")
    b.one(f"memref.generic_atomic_rmw {ROWS}[%tid, {b.masked(ROW)}] : memref<?x{ROW}xi32> {{\n^bb0({old}: i32):\n"
          f"  {new} = arith.{op} {old}, {by} : i32\n  memref.atomic_yield {new} : i32\n}}", "i32")  # fmt: skip
