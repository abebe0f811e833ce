"""Products of matrices and vectors."""

from __future__ import annotations

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("dense")


@group
def matmul_transposed(w: Writer) -> None:
    m, n, k = 16, 16, w.rng.randrange(24, 56)
    type_ = w.rng.choice(("f32", "f32", "f64"))
    dynamic = w.rng.random() < 0.7
    a, b, c = (w.memory(w.numbers(type_, *s), dynamic=dynamic) for s in ((m, k), (n, k), (m, n)))
    w.launch((2, 1), (8, 16))
    i, j = w.everywhere("y"), w.everywhere("x")
    size = w.scalar("index", k) if dynamic else w.const(k)
    with w.loop(0, size, 1, (w.const(0.0, type_),)) as loop:
        loop.yields = [loop.carried[0] + w.load(a, i, loop.counter) * w.load(b, j, loop.counter)]
    w.store(loop.results[0], c, i, j)


@group
def matmul_shared(w: Writer) -> None:
    tile = w.rng.choice((8, 16))
    k = tile * w.rng.randrange(2, 5)
    a, b, c = (w.memory(w.numbers("f32", *s)) for s in ((tile, k), (k, tile), (tile, tile)))
    sa, sb = w.shared("f32", tile, tile + w.rng.randrange(2)), w.shared("f32", tile, tile)
    w.launch(1, (tile, tile))
    i, j = w.thread("y"), w.thread("x")
    with w.loop(0, w.scalar("index", k), tile, (w.const(0.0, "f32"),)) as loop:
        w.store(w.load(a, i, loop.counter + j), sa, i, j)
        w.store(w.load(b, loop.counter + i, j), sb, i, j)
        w.barrier()
        with w.loop(0, tile, 1, (loop.carried[0],)) as inner:
            inner.yields = [inner.carried[0] + w.load(sa, i, inner.counter) * w.load(sb, inner.counter, j)]
        w.barrier()
        loop.yields = [inner.results[0]]
    w.store(loop.results[0], c, i, j)


@group
def register_tile(w: Writer) -> None:
    rows, columns, k = w.rng.choice((2, 4)), w.rng.choice((2, 4)), w.rng.randrange(20, 40)
    a, b, c = (w.memory(w.numbers("f32", *s)) for s in ((8 * rows, k), (k, 8 * columns), (8 * rows, 8 * columns)))
    w.launch(1, (8, 8))
    i, j = w.thread("y") * rows, w.thread("x") * columns
    zero = w.const(0.0, "f32")
    with w.loop(0, w.scalar("index", k), 1, [zero] * (rows * columns)) as loop:
        left = [w.load(a, i + y, loop.counter) for y in range(rows)]
        right = [w.load(b, loop.counter, j + x) for x in range(columns)]
        loop.yields = [loop.carried[y * columns + x] + left[y] * right[x] for y in range(rows) for x in range(columns)]
    for number, total in enumerate(loop.results):
        w.store(total, c, i + number // columns, j + number % columns)


@group
def matvec(w: Writer) -> None:
    rows, columns = 8, w.rng.randrange(300, 700)
    type_ = w.rng.choice(("f32", "f64"))
    a, x, y = (w.memory(w.numbers(type_, *s)) for s in ((rows, columns), (columns,), (rows,)))
    w.launch(1, (32, rows))
    row, lane = w.thread("y"), w.thread("x")
    with w.loop(lane, w.scalar("index", columns), 32, (w.const(0.0, type_),)) as loop:
        loop.yields = [loop.carried[0] + w.load(a, row, loop.counter) * w.load(x, loop.counter)]
    total = loop.results[0]
    if type_ == "f32":
        for distance in (16, 8, 4, 2, 1):
            total = total + w.shuffle(total, distance)
        with w.when(lane.is_("==", 0)):
            w.store(total, y, row)
    else:
        w.atomic("addf", total, y, row)


@group
def batched_8x8(w: Writer) -> None:
    size, batch = w.rng.choice((4, 6, 8)), w.rng.randrange(3, 6)
    a, b, c = (w.memory(w.numbers("f64", batch, size, size), dynamic=False) for _ in range(3))
    w.launch(batch, (size, size))
    n, i, j = w.program(), w.thread("y"), w.thread("x")
    with w.loop(0, size, 1, (w.const(0.0, "f64"),)) as loop:
        loop.yields = [loop.carried[0] + w.load(a, n, i, loop.counter) * w.load(b, n, loop.counter, j)]
    w.store(loop.results[0] * w.rng.uniform(1, 2), c, n, i, j)


@group
def dot_int4(w: Writer) -> None:
    rows, words = 32, w.rng.randrange(16, 40)
    a, b, out = (
        w.memory(w.numbers("i32", rows, words)),
        w.memory(w.numbers("i32", rows, words)),
        w.memory(w.numbers("i32", rows)),
    )
    w.launch(1, rows)
    row = w.thread()
    with w.loop(0, w.scalar("index", words), 1, (w.const(0, "i32"),)) as loop:
        x, y = w.load(a, row, loop.counter), w.load(b, row, loop.counter)
        total = loop.carried[0]
        for lane in range(8):
            p, q = ((v << (28 - 4 * lane)).two("shrsi", 28) for v in (x, y))
            total = total + p * q
        loop.yields = [total]
    w.store(loop.results[0], out, row)


@group
def mma_f16(w: Writer) -> None:
    """A warp's product with fragments loaded by hand."""
    k = 16 * w.rng.randrange(6, 14)
    a, b, c = (w.memory(w.numbers(t, *s)) for t, s in (("f16", (16, k)), ("f16", (8, k)), ("f32", (16, 8))))
    w.launch(1, 32)
    lane = w.thread()
    row, pair = lane.two("divui", 4), lane.two("remui", 4) * 2
    zero = w.const(0.0, "f32")
    types = "vector<2xf16>"

    def part(memory: Value, at: Value, column: Value) -> Value:
        return w.vector(memory, 2, at, column)

    with w.loop(0, w.scalar("index", k), 16, [zero] * 4) as loop:
        near, far = loop.counter + pair, loop.counter + pair + 8
        left = [part(a, row, near), part(a, row + 8, near), part(a, row, far), part(a, row + 8, far)]
        right = [part(b, row, near), part(b, row, far)]
        sums = ", ".join(v.name for v in loop.carried)
        struct = "!llvm.struct<(f32, f32, f32, f32)>"
        made = w.put(
            f"nvvm.mma.sync A[{', '.join(v.name for v in left)}] B[{', '.join(v.name for v in right)}] C[{sums}] "
            "{layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, "
            "shape = #nvvm.shape<m = 16, n = 8, k = 16>}"
            f" : ({types}, {types}, f32) -> {struct}",
            struct,
        )
        loop.yields = [w.put(f"llvm.extractvalue {made.name}[{n}] : {struct}", "f32") for n in range(4)]
    for number, total in enumerate(loop.results):
        w.store(total, c, row + 8 * (number // 2), pair + number % 2)


@group
def async_copies(w: Writer) -> None:
    rows, columns = 32, 4 * w.rng.randrange(8, 20)
    a, out = w.memory(w.numbers("f32", rows, columns)), w.memory(w.numbers("f32", rows))
    tile = w.shared("f32", 32, 4)
    w.launch(1, rows)
    row = w.thread()
    token, space = "!nvgpu.device.async.token", "memref<32x4xf32, #gpu.address_space<workgroup>>"
    zero = w.const(0)
    with w.loop(0, w.scalar("index", columns), 4, (w.const(0.0, "f32"),)) as loop:
        copied = w.put(
            f"nvgpu.device_async_copy {a.name}[{row.name}, {loop.counter.name}], {tile.name}[{row.name}, {zero.name}], "
            f"4 : {a.type} to {space}",
            token,
        )
        group_ = w.put(f"nvgpu.device_async_create_group {copied.name}", token)
        w.line(f"nvgpu.device_async_wait {group_.name}")
        w.barrier()
        total = loop.carried[0]
        for n in range(4):
            total = total + w.load(tile, row ^ w.rng.choice((0, 1)), n) * w.rng.uniform(0.5, 1)
        w.barrier()
        loop.yields = [total]
    w.store(loop.results[0], out, row)
