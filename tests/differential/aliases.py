"""The same memory by several ways: stores and loads of different widths that meet, with all sorts of things between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tests.differential.control import DEEPEST
from tests.differential.generator import Builder, produces
from tests.differential.program import ROW, ROWS

SIZE = 64
"""Bytes of the memory that a thread has for itself."""
ELEMENTS = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "vector<2xi32>": 8, "vector<4xi8>": 4,
            "vector<2xf16>": 4, "vector<4xf32>": 16, "vector<2xi64>": 16, "vector<8xi16>": 16, "i128": 16}  # fmt: skip
GENERIC = "!llvm.ptr"


@dataclass(frozen=True)
class Place:
    """A thread's own memory: pointers to its first byte (each by another way, with its type), and the types of most accesses.

    `views` are memrefs of the same bytes, with their shape and elements.
    """

    pointers: Sequence[tuple[str, str]]
    views: Sequence[tuple[str, str, tuple[int, ...], str]] = ()
    atomic: bool = False
    types: Sequence[str] = ("i32",)
    reach: int = SIZE
    """The bytes from the first that most accesses are to."""


def wide(b: Builder, index: str) -> str:
    """An index as i64, for the kernel's own purposes."""
    return b.one(f"arith.index_cast {index} : index to i64", "i64", kept=True)


def ways(b: Builder, pointer: str, type_: str) -> list[tuple[str, str]]:
    """The same pointer, and what went through a number, a choice, a state space, another pointer and back."""
    found = [(pointer, type_)]
    kind = b.rng.choice(("number", "choice", "space", "around", "none"))
    if kind == "number":
        number = b.name()
        b.region.nodes.append(b.node(f"{number} = llvm.ptrtoint {pointer} : {type_} to i64", kept=True))
        found.append((b.one(f"llvm.inttoptr {number} : i64 to {type_}", type_, kept=True), type_))
    elif kind == "choice":
        found.append((b.one(f"llvm.select {b.of('i1')}, {pointer}, {pointer} : i1, {type_}", type_, kept=True), type_))
    elif kind == "space" and type_ != GENERIC:
        found.append((b.one(f"llvm.addrspacecast {pointer} : {type_} to {GENERIC}", GENERIC, kept=True), GENERIC))
    elif kind == "around":
        by = wide(b, b.masked(4))
        away = b.one(f"llvm.getelementptr {pointer}[{by}] : ({type_}, i64) -> {type_}, i32", type_, kept=True)
        zero = b.constant("i64", 0, kept=True)
        back = b.one(f"arith.subi {zero}, {by} : i64", "i64", kept=True)
        found.append((b.one(f"llvm.getelementptr {away}[{back}] : ({type_}, i64) -> {type_}, i32", type_, kept=True), type_))  # fmt: skip
    return found


def on_stack(b: Builder) -> Place:
    """Local memory."""
    one = b.constant("i32", 1, kept=True)
    text = f"llvm.alloca {one} x !llvm.array<{SIZE} x i8> {{alignment = 16 : i64}} : (i32) -> {GENERIC}"
    pointer = b.one(text, GENERIC, kept=True)
    start = b.constant("i8", b.rng.randrange(100), kept=True)
    size = b.constant("i64", SIZE, kept=True)
    b.emit(f'"llvm.intr.memset"({pointer}, {start}, {size}) <{{isVolatile = false}}> : ({GENERIC}, i8, i64) -> ()', kept=True)  # fmt: skip
    return Place(ways(b, pointer, GENERIC))


def in_row(b: Builder) -> Place:
    """The thread's row of the matrix in global memory, and views of it with strides that are known or not."""
    space = "!llvm.ptr<1>"
    base, number = b.name(), b.name()
    for text in (
        f"{base} = memref.extract_aligned_pointer_as_index {ROWS} : memref<?x{ROW}xi32> -> index",
        f"{number} = arith.index_cast {base} : index to i64",
    ):
        b.region.nodes.append(b.node(text, kept=True))
    whole = b.one(f"llvm.inttoptr {number} : i64 to {space}", space, kept=True)
    text = f"llvm.getelementptr {whole}[{wide(b, '%tid')}] : ({space}, i64) -> {space}, !llvm.array<{SIZE} x i8>"
    pointer = b.one(text, space, kept=True)
    at = b.one(f"arith.muli %tid, {b.constant('index', ROW, kept=True)} : index", "index", kept=True)
    four = b.one(f"arith.andi {b.masked(4)}, {b.constant('index', 0, kept=True)} : index", "index", kept=True)
    four = b.one(f"arith.addi {four}, {b.constant('index', 4, kept=True)} : index", "index", kept=True)
    views: list[tuple[str, str, tuple[int, ...], str]] = []
    head, source = f"memref.reinterpret_cast {ROWS} to offset: [{at}]", f"memref<?x{ROW}xi32>"
    for sizes, strides, text in (
        ((4, 4), f"[{four}, 1]", "4x4xi32, strided<[?, 1], offset: ?>"),
        ((4, 4), "[1, 4]", "4x4xi32, strided<[1, 4], offset: ?>"),
        ((2, 2, 4), f"[8, {four}, 1]", "2x2x4xi32, strided<[8, ?, 1], offset: ?>"),
        ((16,), "[1]", "16xi32, strided<[1], offset: ?>"),
    ):
        if b.rng.random() < 0.5:
            type_ = f"memref<{text}>"
            name = b.one(f"{head}, sizes: [{', '.join(map(str, sizes))}], strides: {strides} : {source} to {type_}", type_, kept=True)  # fmt: skip
            views.append((name, type_, sizes, "i32"))
            if len(sizes) == 2 and b.rng.random() < 0.5:
                views.append(turned(b, name, type_, text))
    return Place(ways(b, pointer, space), views, atomic=True)


def turned(b: Builder, name: str, type_: str, text: str) -> tuple[str, str, tuple[int, ...], str]:
    """A view with its two dimensions exchanged, or a part of its part."""
    first, second = text.split("[")[1].split("]")[0].split(", ")
    if b.rng.random() < 0.5:
        to = f"memref<4x4xi32, strided<[{second}, {first}], offset: ?>>"
        return b.one(f"memref.transpose {name} (i, j) -> (j, i) : {type_} to {to}", to, kept=True), to, (4, 4), "i32"
    two = "?" if first == "?" else str(2 * int(first))
    part = f"memref<2x3xi32, strided<[{two}, {second}], offset: ?>>"
    low = b.one(f"memref.subview {name}[{b.masked(2)}, {b.masked(2)}] [2, 3] [2, 1] : {type_} to {part}", part, kept=True)  # fmt: skip
    to = f"memref<2x2xi32, strided<[{two}, {second}], offset: ?>>"
    return b.one(f"memref.subview {low}[0, {b.masked(2)}] [2, 2] [1, 1] : {part} to {to}", to, kept=True), to, (2, 2), "i32"  # fmt: skip


def in_shared(b: Builder) -> Place:
    """The thread's part of shared memory."""
    x, y, z = b.kernel.block
    count, space = x * y * z, "!llvm.ptr<3>"
    shared = f"memref<{count * SIZE}xi8, #gpu.address_space<workgroup>>"
    name = b.symbol("a")
    b.kernel.globals.append(f"memref.global {name} : {shared} = uninitialized {{alignment = 16 : i64}}")
    buffer = b.one(f"memref.get_global {name} : {shared}", shared, kept=True)
    here = b.one(f"arith.remui %tid, {b.constant('index', count, kept=True)} : index", "index", kept=True)
    at = b.one(f"arith.muli {here}, {b.constant('index', SIZE, kept=True)} : index", "index", kept=True)
    views: list[tuple[str, str, tuple[int, ...], str]] = []
    for t in b.rng.sample(("i8", "i16", "i32", "i64", "f32"), 3):
        type_ = f"memref<{SIZE // ELEMENTS[t]}x{t}, #gpu.address_space<workgroup>>"
        view = b.one(f"memref.view {buffer}[{at}][] : {shared} to {type_}", type_, kept=True)
        views.append((view, type_, (SIZE // ELEMENTS[t],), t))
    bytes_ = b.one(f"memref.view {buffer}[{at}][] : {shared} to memref<{SIZE}xi8, #gpu.address_space<workgroup>>",
                   "memref", kept=True)  # fmt: skip
    number, wider = b.name(), b.name()
    for text in (
        f"{number} = memref.extract_aligned_pointer_as_index {bytes_} : memref<{SIZE}xi8, #gpu.address_space<workgroup>> -> index",
        f"{wider} = arith.index_cast {number} : index to i64",
    ):
        b.region.nodes.append(b.node(text, kept=True))
    pointer = b.one(f"llvm.inttoptr {wider} : i64 to {space}", space, kept=True)
    for i in range(SIZE // 8):
        to = b.one(f"llvm.getelementptr {pointer}[{i}] : ({space}) -> {space}, i64", space, kept=True)
        b.emit(f"llvm.store {b.constant('i64', i * 0x1234567, kept=True)}, {to} : i64, {space}", kept=True)
    return Place(ways(b, pointer, space), views, atomic=True)


def pointer_to(b: Builder, place: Place, size: int) -> tuple[str, str]:
    """A pointer to some `size` bytes, a multiple of them from the start."""
    pointer, type_ = b.rng.choice(place.pointers)
    kind = b.rng.choice(("number", "index", "bytes", "pieces"))
    if kind == "number":
        text = f"llvm.getelementptr {pointer}[{size * b.rng.randrange(max(1, place.reach // size))}] : ({type_}) -> {type_}, i8"
    elif kind == "pieces":  # Two steps.
        at = wide(b, b.masked(2))
        by = SIZE // 2
        half = b.one(f"llvm.getelementptr {pointer}[{at}] : ({type_}, i64) -> {type_}, !llvm.array<{by} x i8>", type_, kept=True)  # fmt: skip
        text = f"llvm.getelementptr {half}[{size * b.rng.randrange(by // size)}] : ({type_}) -> {type_}, i8"
    else:
        at = wide(b, b.masked(max(1, place.reach // size)))
        if kind == "bytes":
            at = b.one(f"arith.muli {at}, {b.constant('i64', size, kept=True)} : i64", "i64", kept=True)
        text = f"llvm.getelementptr {pointer}[{at}] : ({type_}, i64) -> {type_}, {'i8' if kind == 'bytes' else f'!llvm.array<{size} x i8>'}"  # fmt: skip
    return b.one(text, type_, kept=True), type_


def write(b: Builder, place: Place) -> None:
    """A store."""
    if place.views and b.rng.random() < 0.4:
        view, type_, sizes, t = b.rng.choice(place.views)
        b.emit(f"memref.store {b.number(t)}, {view}[{', '.join(b.masked(n) for n in sizes)}] : {type_}")
        return
    t = b.rng.choice(list(ELEMENTS if b.rng.random() < 0.2 else place.types))
    pointer, type_ = pointer_to(b, place, ELEMENTS[t])
    how = "volatile " if b.rng.random() < 0.05 else ""
    b.emit(f"llvm.store {how}{b.number(t)}, {pointer} : {t}, {type_}")


def read(b: Builder, place: Place, t: str = "") -> str:
    """A load."""
    if not t and place.views and b.rng.random() < 0.4:
        view, type_, sizes, t = b.rng.choice(place.views)
        return b.one(f"memref.load {view}[{', '.join(b.masked(n) for n in sizes)}] : {type_}", t)
    t = t or b.rng.choice(list(ELEMENTS if b.rng.random() < 0.2 else place.types))
    pointer, type_ = pointer_to(b, place, ELEMENTS[t])
    how = "volatile " if b.rng.random() < 0.05 else ""
    return b.one(f"llvm.load {how}{pointer} : {type_} -> {t}", t)


def copy(b: Builder, place: Place) -> None:
    """Bytes moved inside the memory."""
    count = b.rng.choice((1, 2, 4, 8, 16))
    (to, first), (from_, second) = (pointer_to(b, place, count) for _ in range(2))
    size = b.constant("i64", count, kept=True)
    b.emit(f'"llvm.intr.memmove"({to}, {from_}, {size}) <{{isVolatile = false}}> : ({first}, {second}, i64) -> ()')


def order(b: Builder, place: Place) -> None:
    """What orders memory, or changes it in one step."""
    if place.atomic and b.rng.random() < 0.6:
        t = b.rng.choice(("i32", "i64"))
        pointer, type_ = pointer_to(b, place, ELEMENTS[t])
        op = b.rng.choice(("add", "_xor", "xchg", "umax"))
        b.one(f"llvm.atomicrmw {op} {pointer}, {b.of(t)} monotonic : {type_}, {t}", t, kept=True)
    elif b.uniform and not b.device:
        b.emit("gpu.barrier")
    else:
        b.emit("llvm.fence seq_cst")


def branch(b: Builder, place: Place) -> None:
    """Two ways, that store and load."""
    if b.depth >= DEEPEST:
        return
    t = b.rng.choice(("i32", "i8", "f32"))
    test, regions = b.of("i1"), []
    for _ in range(2):
        with b.inside() as region:
            steps(b, place, b.rng.randint(0, 3))
            region.tail = f"scf.yield {read(b, place, t) if b.rng.random() < 0.6 else b.of(t)} : {t}"
        regions.append(region)
    b.emit(f"scf.if {test} -> ({t}) <<0>> else <<1>>", t, regions=regions)


def loop(b: Builder, place: Place) -> None:
    """Some rounds of stores and loads, by the counter too."""
    if b.depth >= DEEPEST - 1:
        return
    t = b.rng.choice(("i32", "i16", "i64", "f32"))
    low, step = b.constant("index", b.rng.randint(0, 2), kept=True), b.constant("index", b.rng.choice((1, 1, 2, 3)), kept=True)  # fmt: skip
    high = b.constant("index", b.rng.randint(1, 6)) if b.rng.random() < 0.5 else b.masked(8)
    start, carried, counter = b.of(t), b.name(), b.name()
    with b.inside([(counter, "index"), (carried, t)]) as region:
        steps(b, place, b.rng.randint(1, 3))
        pointer, type_ = b.rng.choice(place.pointers)
        for text in ("store", "load"):
            if b.rng.random() < 0.7:
                at = b.one(f"llvm.getelementptr {pointer}[{wide(b, counter)}, {b.rng.randint(0, 1)}] : ({type_}, i64) -> {type_}, "
                           f"!llvm.array<{8 // ELEMENTS[t]} x {t}>", type_, kept=True)  # fmt: skip
                if text == "store":
                    b.emit(f"llvm.store {b.number(t)}, {at} : {t}, {type_}")
                else:
                    b.one(f"llvm.load {at} : {type_} -> {t}", t)
        region.tail = f"scf.yield {read(b, place, t)} : {t}"
    b.emit(f"scf.for {counter} = {low} to {high} step {step} iter_args({carried} = {start}) -> ({t}) <<0>>", t, regions=[region])  # fmt: skip


def called(b: Builder, place: Place) -> None:
    """A function that is given the pointer."""
    if b.device or b.depth >= DEEPEST:
        return
    (pointer, type_), t, symbol = b.rng.choice(place.pointers), b.rng.choice(("i32", "i8", "i64")), b.symbol("p")
    inner, value = b.name(), b.name()
    saved = b.scope, b.depth, b.uniform
    b.scope, b.depth, b.device, b.uniform = [[]], 1, True, False
    with b.inside([(value, t)]) as body:
        steps(b, replace(place, pointers=ways(b, inner, type_), views=()), b.rng.randint(1, 4))
        body.tail = f"func.return {b.of(t)} : {t}"
    (b.scope, b.depth, b.uniform), b.device = saved, False
    text = f"func.func private {symbol}({inner}: {type_}, {value}: {t}) -> {t} <<0>>"
    b.kernel.functions.append(b.node(text, regions=[body], kept=True))
    b.emit(f"func.call {symbol}({pointer}, {b.of(t)}) : ({type_}, {t}) -> {t}", t)


def steps(b: Builder, place: Place, count: int) -> None:
    """Some accesses, and what stands between them."""
    kinds = (write, read, copy, order, branch, loop, called)
    for kind in b.rng.choices(kinds, (8, 8, 1, 1, 1, 1, 1), k=count):
        kind(b, place)


@produces(6)
def aliases(b: Builder) -> None:
    """A memory of the thread's own, by many ways."""
    kind = b.rng.choice((on_stack,) if b.device else (on_stack, in_row, in_shared))
    place = replace(kind(b), types=b.rng.sample(list(ELEMENTS), 2), reach=b.rng.choice((8, 16, 16, 32, SIZE)))
    steps(b, place, b.rng.randint(5, 16))
