"""Particles, grids, rays, and tables that are interpolated."""

from __future__ import annotations

import numpy as np

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("physics")


@group
def n_body(w: Writer) -> None:
    count, type_ = w.rng.randrange(32, 60), w.rng.choice(("f32", "f32", "f64"))
    a, out = w.memory(w.numbers(type_, count, 4)), w.memory(w.numbers(type_, 32, 3))
    w.launch(1, 32)
    i = w.thread()
    mine = [w.load(a, i, n) for n in range(3)]
    with w.loop(0, w.scalar("index", count), 1, [w.const(0.0, type_)] * 3) as loop:
        d = [w.load(a, loop.counter, n) - mine[n] for n in range(3)]
        square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01
        inverse = w.call("rsqrt", square)
        force = w.load(a, loop.counter, 3) * inverse * inverse * inverse
        loop.yields = [total + one * force for total, one in zip(loop.carried, d, strict=True)]
    for n, total in enumerate(loop.results):
        w.store(total, out, i, n)


@group
def n_body_shared(w: Writer) -> None:
    tiles = w.rng.randrange(2, 4)
    a, out = w.memory(w.numbers("f32", 64 * tiles, 4)), w.memory(w.numbers("f32", 64, 3))
    held = w.shared("f32", 64, 4)
    w.launch(1, 64)
    i = w.thread()
    mine = [w.load(a, i, n) for n in range(3)]
    with w.loop(0, w.scalar("index", 64 * tiles), 64, [w.const(0.0, "f32")] * 3) as outer:
        w.store_vector(w.vector(a, 4, outer.counter + i, 0), held, i, 0)
        w.barrier()
        with w.loop(0, 64, 1, outer.carried) as loop:
            d = [w.load(held, loop.counter, n) - mine[n] for n in range(3)]
            inverse = w.call("rsqrt", d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01)
            force = w.load(held, loop.counter, 3) * inverse * inverse * inverse
            loop.yields = [total + one * force for total, one in zip(loop.carried, d, strict=True)]
        w.barrier()
        outer.yields = loop.results
    for n, total in enumerate(outer.results):
        w.store(total, out, i, n)


@group
def life(w: Writer) -> None:
    rows, columns = w.rng.randrange(9, 20), w.rng.randrange(17, 40)
    type_, wraps = w.rng.choice(("i8", "i32")), w.rng.random() < 0.6
    a, out = w.memory(w.numbers(type_, rows, columns, low=0, high=1)), w.memory(w.numbers(type_, rows, columns))
    w.launch((-(-columns // 16), -(-rows // 4)), (16, 4))
    i, j = w.everywhere("y"), w.everywhere("x")
    m, n = w.scalar("index", rows), w.scalar("index", columns)
    with w.when(w.op(f"arith.andi {i.is_('<', m).name}, {j.is_('<', n).name}", "i1")):
        total = w.const(0, type_)
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if not di and not dj:
                    continue
                if wraps:
                    total = total + w.load(a, (i + m + di).two("remui", m), (j + n + dj).two("remui", n))
                else:
                    y = (i + di).two("maxsi", w.const(0)).two("minsi", m - 1)
                    x = (j + dj).two("maxsi", w.const(0)).two("minsi", n - 1)
                    total = total + w.load(a, y, x)
        alive = w.load(a, i, j)
        three = total.is_("==", 3).to("extui", type_)
        two = total.is_("==", 2).to("extui", type_)
        w.store(three | (two & alive), out, i, j)


@group
def ray_box(w: Writer) -> None:
    rays, boxes = 32, w.rng.randrange(10, 30)
    a, b, out = (w.memory(w.numbers(t, *s)) for t, s in (("f32", (rays, 6)), ("f32", (boxes, 6)), ("i32", (rays,))))
    w.launch(1, rays)
    i = w.thread()
    origin = [w.load(a, i, n) for n in range(3)]
    inverse = [1.0 / w.load(a, i, n + 3) for n in range(3)]
    with w.loop(0, w.scalar("index", boxes), 1, (w.const(0, "i32"),)) as loop:
        near, far = w.const(0.0, "f32"), w.const(1e30, "f32")
        for n in range(3):
            p, q = ((w.load(b, loop.counter, n + k) - origin[n]) * inverse[n] for k in (0, 3))
            near, far = near.two("maxnumf", p.two("minnumf", q)), far.two("minnumf", p.two("maxnumf", q))
        loop.yields = [loop.carried[0] + near.is_("<=", far).to("extui", "i32")]
    w.store(loop.results[0], out, i)


@group
def bilinear(w: Writer) -> None:
    h, ww, count = w.rng.randrange(8, 16), w.rng.randrange(8, 16), 128
    image, at = w.memory(w.numbers("f32", h, ww)), w.memory(w.numbers("f32", count, 2, low=0, high=6.9))
    out = w.memory(w.numbers("f32", count))
    w.launch(2, 64)
    i = w.everywhere()
    y, x = w.load(at, i, 0), w.load(at, i, 1)
    fy, fx = w.call("floor", y), w.call("floor", x)
    dy, dx = y - fy, x - fx
    r, c = (one.to("fptosi", "i32") for one in (fy, fx))
    r1, c1 = (r + 1).two("minsi", h - 1), (c + 1).two("minsi", ww - 1)
    r, c, r1, c1 = (w.index(one) for one in (r, c, r1, c1))
    top = w.load(image, r, c) * (1.0 - dx) + w.load(image, r, c1) * dx
    low = w.load(image, r1, c) * (1.0 - dx) + w.load(image, r1, c1) * dx
    w.store(top * (1.0 - dy) + low * dy, out, i)


@group
def table_linear(w: Writer) -> None:
    count, points, type_ = w.rng.randrange(100, 300), w.rng.randrange(20, 60), w.rng.choice(("f32", "f64"))
    table, a = w.memory(w.numbers(type_, points)), w.memory(w.numbers(type_, count, low=0, high=points - 1.001))
    out = w.memory(w.numbers(type_, count))
    w.launch(-(-count // 64), 64)
    i = w.everywhere()
    with w.when(i.is_("<", w.scalar("index", count))):
        x = w.load(a, i)
        at = x.to("fptosi", "i64" if type_ == "f64" else "i32")
        rest = x - at.to("sitofp", type_)
        k = w.index(at)
        low, high = w.load(table, k), w.load(table, k + 1)
        w.store(w.call("fma", rest, high - low, low), out, i)


@group
def convolve_halo(w: Writer) -> None:
    taps, threads = w.rng.choice((5, 7, 9)), 64
    blocks = w.rng.randrange(2, 4)
    a, k, out = (w.memory(w.numbers("f32", n)) for n in (threads * blocks, taps, threads * blocks))
    held = w.shared("f32", threads + taps - 1)
    w.launch(blocks, threads)
    i, n = w.thread(), w.scalar("index", threads * blocks)
    base = w.program() * threads - taps // 2
    with w.loop(i, threads + taps - 1, threads) as loop:
        at = base + loop.counter
        inside = w.op(f"arith.andi {at.is_('>=', 0).name}, {at.is_('<', n).name}", "i1")
        (x,) = w.either(Value(w, inside.name, "i1"), lambda: [w.load(a, at)], lambda: [w.const(0.0, "f32")])
        w.store(x, held, loop.counter)
    w.barrier()
    total = w.const(0.0, "f32")
    with w.loop(0, taps, 1, (total,)) as loop:
        loop.yields = [w.call("fma", w.load(held, i + loop.counter), w.load(k, loop.counter), loop.carried[0])]
    w.store(loop.results[0], out, w.program() * threads + i)


@group
def heat_steps(w: Writer) -> None:
    """A line in shared memory over several steps."""
    steps, type_ = w.rng.randrange(5, 20), w.rng.choice(("f32", "f64"))
    a, held = w.memory(w.numbers(type_, 64)), w.shared(type_, 66)
    w.launch(1, 64)
    i = w.thread()
    w.store(w.load(a, i), held, i + 1)
    with w.when(i.is_("<", 2)):
        w.store(0.0, held, i * 65)
    w.barrier()
    with w.loop(0, w.scalar("index", steps)) as _:
        x = w.load(held, i + 1)
        side = w.load(held, i) + w.load(held, i + 2)
        w.barrier()
        w.store(x + (side - x * 2.0) * w.rng.uniform(0.1, 0.4), held, i + 1)
        w.barrier()
    w.store(w.load(held, i + 1), a, i)


@group
def black_scholes(w: Writer) -> None:
    count = w.rng.randrange(100, 300)
    a, k, t, out = (w.memory(w.numbers("f32", count, low=low, high=high))
                    for low, high in ((10, 40), (10, 40), (0.3, 2), (0, 1)))  # fmt: skip
    rate, spread = w.rng.uniform(0.01, 0.05), w.rng.uniform(0.1, 0.4)
    w.launch(-(-count // 64), 64)
    i = w.everywhere()
    with w.when(i.is_("<", w.scalar("index", count))):
        s, x, years = w.load(a, i), w.load(k, i), w.load(t, i)
        root = w.call("sqrt", years)
        d1 = (w.call("log", s / x) + years * (rate + spread * spread / 2)) / (root * spread)
        d2 = d1 - root * spread
        n1, n2 = ((w.call("erf", d * 0.70710678) + 1.0) * 0.5 for d in (d1, d2))
        w.store(s * n1 - x * w.call("exp", years * -rate) * n2, out, i)


@group
def spmv(w: Writer) -> None:
    rows, columns, type_ = 32, w.rng.randrange(20, 60), w.rng.choice(("f32", "f64"))
    ends = np.cumsum([0, *(w.rng.randrange(0, 12) for _ in range(rows))]).astype(np.int32)
    count = int(ends[-1])
    values, at = w.memory(w.numbers(type_, count)), w.memory(w.numbers("i32", count, low=0, high=columns - 1))
    limits, x, out = w.memory(ends), w.memory(w.numbers(type_, columns)), w.memory(w.numbers(type_, rows))
    w.launch(1, rows)
    i = w.thread()
    first, last = w.load(limits, i), w.load(limits, i + 1)
    with w.loop(first, last, 1, (w.const(0.0, type_),), kind="i32") as loop:
        k = w.index(loop.counter)
        loop.yields = [loop.carried[0] + w.load(values, k) * w.load(x, w.index(w.load(at, k)))]
    w.store(loop.results[0], out, i)
