"""Stencils and views."""

from __future__ import annotations

from quality.emitter import Writer
from quality.kernels import kernel

group = kernel("stencils")


@group
def nine_points(w: Writer) -> None:
    rows, columns = w.rng.randrange(10, 16), w.rng.randrange(18, 34)
    type_ = w.rng.choice(("f32", "f32", "f64"))
    a, out = w.memory(w.numbers(type_, rows, columns)), w.memory(w.numbers(type_, rows, columns))
    factors = [w.rng.uniform(-1, 1) for _ in range(9)]
    w.launch((-(-(columns - 2) // 8), -(-(rows - 2) // 8)), (8, 8))
    i, j = w.everywhere("y") + 1, w.everywhere("x") + 1
    m, n = w.scalar("index", rows - 1), w.scalar("index", columns - 1)
    with w.when(w.op(f"arith.andi {i.is_('<', m).name}, {j.is_('<', n).name}", "i1")):
        total = w.const(0.0, type_)
        for number, factor in enumerate(factors):
            total = total + w.load(a, i + (number // 3 - 1), j + (number % 3 - 1)) * factor
        w.store(total, out, i, j)


@group
def seven_points(w: Writer) -> None:
    x, y, z = (w.rng.randrange(6, 12) for _ in range(3))
    dynamic = w.rng.random() < 0.6
    a, out = (w.memory(w.numbers("f32", z, y, x), dynamic=dynamic) for _ in range(2))
    w.launch((1, 1), (x - 2, y - 2))
    i, j = w.thread("y") + 1, w.thread("x") + 1
    centre, side = w.rng.uniform(-6, -5), w.rng.uniform(0.5, 1)
    with w.loop(1, w.scalar("index", z - 1)) as loop:
        k = loop.counter
        total = w.load(a, k, i, j) * centre
        for dk, di, dj in ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1)):
            total = total + w.load(a, k + dk, i + di, j + dj) * side
        w.store(total, out, k, i, j)


@group
def depthwise(w: Writer) -> None:
    channels, size, taps = 4, w.rng.randrange(10, 14), w.rng.choice((3, 5))
    stride = w.rng.choice((1, 2))
    reach = (size - taps) // stride + 1
    a, k = w.memory(w.numbers("f32", channels, size, size)), w.memory(w.numbers("f32", channels, taps, taps))
    out = w.memory(w.numbers("f32", channels, reach, reach))
    dynamic = w.rng.random() < 0.5
    w.launch(channels, (reach, reach))
    c, i, j = w.program(), w.thread("y"), w.thread("x")
    end = w.scalar("index", taps) if dynamic else w.const(taps)
    with w.loop(0, end, 1, (w.const(0.0, "f32"),)) as rows:
        with w.loop(0, end, 1, (rows.carried[0],)) as loop:
            x = w.load(a, c, i * stride + rows.counter, j * stride + loop.counter)
            loop.yields = [loop.carried[0] + x * w.load(k, c, rows.counter, loop.counter)]
        rows.yields = [loop.results[0]]
    w.store(rows.results[0], out, c, i, j)


@group
def pooling(w: Writer) -> None:
    window, reach = w.rng.choice((2, 3)), w.rng.randrange(5, 9)
    size = window * reach
    a, out = w.memory(w.numbers("f32", size, size)), w.memory(w.numbers("f32", reach, reach))
    mean = w.rng.random() < 0.5
    w.launch(1, (reach, reach))
    i, j = w.thread("y"), w.thread("x")
    end = w.scalar("index", window) if w.rng.random() < 0.5 else w.const(window)
    with w.loop(0, end, 1, (w.const(0.0 if mean else -1e30, "f32"),)) as rows:
        with w.loop(0, end, 1, (rows.carried[0],)) as loop:
            x = w.load(a, i * window + rows.counter, j * window + loop.counter)
            loop.yields = [loop.carried[0] + x if mean else loop.carried[0].two("maximumf", x)]
        rows.yields = [loop.results[0]]
    total = rows.results[0] * (1 / window**2) if mean else rows.results[0]
    w.store(total, out, i, j)


@group
def permuted_copy(w: Writer) -> None:
    shape = [w.rng.randrange(4, 9) for _ in range(3)]
    order = w.rng.choice(((2, 0, 1), (1, 2, 0), (2, 1, 0), (0, 2, 1)))
    type_ = w.rng.choice(("f32", "f16", "f64"))
    turned = [shape[axis] for axis in order]
    a, out = w.memory(w.numbers(type_, *shape)), w.memory(w.numbers(type_, *turned))
    w.launch(turned[0], (turned[2], turned[1]))
    at = [w.program(), w.thread("y"), w.thread("x")]
    source = [at[order.index(axis)] for axis in range(3)]
    w.store(w.load(a, *source), out, *at)


@group
def im2col(w: Writer) -> None:
    channels, size, taps = 3, w.rng.randrange(12, 18), w.rng.choice((2, 3))
    reach = size - taps + 1
    count = channels * taps * taps * reach * reach
    a, out = (
        w.memory(w.numbers("f32", channels, size, size)),
        w.memory(w.numbers("f32", channels * taps * taps, reach * reach)),
    )
    w.launch(4, 64)
    first, n = w.everywhere(), w.scalar("index", count)
    r, t = w.scalar("index", reach), w.const(taps)
    with w.loop(first, n, 256) as loop:
        i = loop.counter
        x, rest = i.two("remui", r), i.two("divui", r)
        y, rest = rest.two("remui", r), rest.two("divui", r)
        dx, rest2 = rest.two("remui", t), rest.two("divui", t)
        dy, c = rest2.two("remui", t), rest2.two("divui", t)
        w.store(w.load(a, c, y + dy, x + dx), out, rest, y * r + x)
