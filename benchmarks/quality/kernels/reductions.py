"""Reductions of blocks and rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("reductions")
Two = Callable[[Value, Value], Value]


def _warp(w: Writer, value: Value, two: Two) -> Value:
    for distance in (16, 8, 4, 2, 1):
        value = two(value, w.shuffle(value, distance))
    return value


def _row(w: Writer, a: Value, row: Value, columns: Value, start: Value, step: Callable[[Value, Value], Value]) -> Value:
    """A row reduced by a warp's lane."""
    with w.loop(w.thread(), columns, 32, (start,)) as loop:
        loop.yields = [step(loop.carried[0], w.load(a, row, loop.counter))]
    return loop.results[0]


def _rows(w: Writer, type_: str = "f32") -> tuple[Value, Value, Value, Value]:
    rows, columns = 4, w.rng.randrange(300, 700)
    a = w.memory(w.numbers(type_, rows, columns))
    w.launch((1, rows), 32)
    return a, w.memory(w.numbers(type_, rows, columns)), w.program("y"), w.scalar("index", columns)


@group
def block_maximum(w: Writer) -> None:
    threads = w.rng.choice((64, 128, 256))
    type_ = w.rng.choice(("f32", "i32"))
    kind = "maximumf" if type_ == "f32" else "maxsi"
    columns = threads * w.rng.randrange(6, 20) + w.rng.randrange(30)
    a, out = w.memory(w.numbers(type_, 2, columns)), w.memory(w.numbers(type_, 2))
    held = w.shared(type_, threads)
    w.launch(2, threads)
    row, i = w.program(), w.thread()
    with w.loop(
        i, w.scalar("index", columns), threads, (w.const(-1e30 if type_ == "f32" else -1 << 31, type_),)
    ) as loop:
        loop.yields = [loop.carried[0].two(kind, w.load(a, row, loop.counter))]
    w.store(loop.results[0], held, i)
    w.barrier()
    size = threads // 2
    while size:
        with w.when(i.is_("<", size)):
            w.store(w.load(held, i).two(kind, w.load(held, i + size)), held, i)
        w.barrier()
        size //= 2
    with w.when(i.is_("==", 0)):
        w.store(w.load(held, 0), out, row)


@group
def log_sum_exp(w: Writer) -> None:
    a, out, row, n = _rows(w)
    top = _row(w, a, row, n, w.const(-1e30, "f32"), lambda t, x: t.two("maximumf", x))
    top = _warp(w, top, lambda x, y: x.two("maximumf", y))
    total = _row(w, a, row, n, w.const(0.0, "f32"), lambda t, x: t + w.call("exp", x - top))
    total = w.call("log", _warp(w, total, lambda x, y: x + y)) + top
    with w.loop(w.thread(), n, 32) as loop:
        w.store(w.load(a, row, loop.counter) - total, out, row, loop.counter)


@group
def layer_norm(w: Writer) -> None:
    a, out, row, n = _rows(w)
    count = n.to("index_cast", "i32").to("sitofp", "f32")
    mean = _warp(w, _row(w, a, row, n, w.const(0.0, "f32"), lambda t, x: t + x), lambda x, y: x + y) / count
    spread = _row(w, a, row, n, w.const(0.0, "f32"), lambda t, x: (x - mean) * (x - mean) + t)
    spread = _warp(w, spread, lambda x, y: x + y) / count
    scale = w.call("rsqrt", spread + 1e-5)
    with w.loop(w.thread(), n, 32) as loop:
        w.store((w.load(a, row, loop.counter) - mean) * scale, out, row, loop.counter)


@group
def argmax(w: Writer) -> None:
    rows, columns = 32, w.rng.randrange(60, 120)
    a, out = w.memory(w.numbers("f32", rows, columns)), w.memory(w.numbers("i32", rows))
    w.launch(1, rows)
    row = w.thread()
    with w.loop(0, w.scalar("index", columns), 1, (w.const(-1e30, "f32"), w.const(0, "i32"))) as loop:
        x = w.load(a, row, loop.counter)
        more = x.is_(">", loop.carried[0])
        loop.yields = [
            w.select(more, x, loop.carried[0]),
            w.select(more, loop.counter.to("index_cast", "i32"), loop.carried[1]),
        ]
    w.store(loop.results[1], out, row)


@group
def two_pass_variance(w: Writer) -> None:
    rows, columns = 32, w.rng.randrange(50, 90)
    type_ = w.rng.choice(("f32", "f64"))
    a, out = w.memory(w.numbers(type_, columns, rows)), w.memory(w.numbers(type_, rows))
    w.launch(1, rows)
    row, n = w.thread(), w.scalar("index", columns)
    zero = w.const(0.0, type_)
    with w.loop(0, n, 1, (zero,)) as loop:
        loop.yields = [loop.carried[0] + w.load(a, loop.counter, row)]
    mean = loop.results[0] / n.to("index_cast", "i32").to("sitofp", type_)
    with w.loop(0, n, 1, (zero,)) as loop:
        x = w.load(a, loop.counter, row) - mean
        loop.yields = [x * x + loop.carried[0]]
    w.store(loop.results[0] * (1 / columns), out, row)


@group
def segmented(w: Writer) -> None:
    segments = 32
    sizes = [w.rng.randrange(4, 30) for _ in range(segments)]
    ends = np.cumsum([0, *sizes]).astype(np.int32)
    a, limits = w.memory(w.numbers("f32", int(ends[-1]))), w.memory(ends)
    out = w.memory(w.numbers("f32", segments))
    w.launch(1, segments)
    i = w.thread()
    first, last = w.index(w.load(limits, i)), w.index(w.load(limits, i + 1))
    with w.loop(first, last, 1, (w.const(0.0, "f32"),)) as loop:
        loop.yields = [loop.carried[0] + w.load(a, loop.counter)]
    w.store(loop.results[0], out, i)
