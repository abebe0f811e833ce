"""Kernels that read and write each element once."""

from __future__ import annotations

from quality.emitter import Writer
from quality.kernels import kernel

group = kernel("streaming")


def _guarded(w: Writer, count: int, block: int) -> tuple[object, object]:
    w.launch(-(-count // block), block)
    return w.everywhere(), w.scalar("index", count)


@group
def complex_multiply(w: Writer) -> None:
    count, block = w.rng.randrange(200, 500), w.rng.choice((64, 128))
    a, b, c = (w.memory(w.numbers(w_type, count, 2)) for w_type in [w.rng.choice(("f32", "f64"))] for _ in range(3))
    i, n = _guarded(w, count, block)
    with w.when(i.is_("<", n)):
        x, y, u, v = w.load(a, i, 0), w.load(a, i, 1), w.load(b, i, 0), w.load(b, i, 1)
        w.store(x * u - y * v, c, i, 0)
        w.store(x * v + y * u, c, i, 1)


@group
def scale_strided(w: Writer) -> None:
    count, step = w.rng.randrange(1200, 2400), w.rng.randrange(2, 5)
    data, out = w.numbers("f64", count * step + 3), w.numbers("f64", count)
    a, b = w.strided(data, (count,), (step,)), w.memory(out)
    factor = w.scalar("f64", w.rng.uniform(1, 3))
    block = 64
    w.launch(2, block)
    first = w.everywhere()
    with w.loop(first, w.scalar("index", count), 2 * block) as loop:
        w.store(factor * w.load(a, loop.counter) + w.rng.uniform(-1, 1), b, loop.counter)


@group
def copy_f16x8(w: Writer) -> None:
    rows, columns = w.rng.randrange(4, 8), 8 * w.rng.randrange(200, 500)
    a, b = w.memory(w.numbers("f16", rows, columns)), w.memory(w.numbers("f16", rows, columns))
    w.launch((1, rows), 32)
    row = w.program("y")
    at = w.thread() * 8
    with w.loop(at, w.scalar("index", columns), 256) as loop:
        x = w.vector(a, 8, row, loop.counter)
        if w.rng.random() < 0.7:
            x = x * w.rng.choice((0.5, 2.0, 0.25))
        w.store_vector(x, b, row, loop.counter)


@group
def masked_tail(w: Writer) -> None:
    count, lanes = w.rng.randrange(500, 600), w.rng.choice((2, 4))
    type_ = w.rng.choice(("f32", "i32"))
    a, b, c = (w.memory(w.numbers(type_, count)) for _ in range(3))
    w.launch(-(-count // (64 * lanes)), 64)
    i = w.everywhere() * lanes
    n = w.scalar("index", count)
    left = n - i
    mask_type, type_ = f"vector<{lanes}xi1>", f"vector<{lanes}x{type_}>"
    mask = w.put(f"vector.create_mask {left.name} : {mask_type}", mask_type)
    zero = w.const(0, type_)
    pair = [
        w.put(
            f"vector.maskedload {m.name}[{i.name}], {mask.name}, {zero.name} "
            f": {m.type}, {mask_type}, {type_} into {type_}",
            type_,
        )
        for m in (a, b)
    ]
    total = pair[0] * w.rng.randrange(2, 9) + pair[1]
    w.line(f"vector.maskedstore {c.name}[{i.name}], {mask.name}, {total.name} : {c.type}, {mask_type}, {type_}")


@group
def dequantise_i8(w: Writer) -> None:
    rows, columns = 4, 4 * w.rng.randrange(200, 500)
    a, scales = w.memory(w.numbers("i8", rows, columns)), w.memory(w.numbers("f32", rows))
    out = w.memory(w.numbers("f32", rows, columns))
    zero = w.rng.randrange(-8, 8)
    w.launch((1, rows), 32)
    row, n = w.program("y"), w.scalar("index", columns)
    scale = w.load(scales, row)
    with w.loop(w.thread() * 4, n, 128) as loop:
        x = w.vector(a, 4, row, loop.counter)
        wide = x.to("extsi", "vector<4xi32>") - zero
        real = wide.to("sitofp", "vector<4xf32>")
        spread = w.put(f"vector.broadcast {scale.name} : f32 to vector<4xf32>", "vector<4xf32>")
        w.store_vector(real * spread, out, row, loop.counter)


@group
def gather(w: Writer) -> None:
    count, rows = w.rng.randrange(200, 300), w.rng.randrange(60, 90)
    columns = w.rng.randrange(3, 7)
    table, at = w.memory(w.numbers("f32", rows, columns)), w.memory(w.numbers("i32", count, low=0, high=rows - 1))
    out = w.memory(w.numbers("f32", count, columns))
    i, n = _guarded(w, count, 64)
    with w.when(i.is_("<", n)):
        row = w.index(w.load(at, i))
        with w.loop(0, columns) as loop:
            w.store(w.load(table, row, loop.counter), out, i, loop.counter)
