"""Simulations, signals, graphs and games, as their users write them."""

from __future__ import annotations

import numpy as np

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("simulations")


@group
def barrier_option(w: Writer) -> None:
    """Paths of a price by a generator of the thread's own, ended by a barrier."""
    steps = w.rng.randrange(8, 24)
    seeds, out = w.memory(w.numbers("i32", 64, low=1, high=1 << 30)), w.memory(w.numbers("f32", 64))
    n, limit = w.scalar("index", steps), w.scalar("f32", 1.0 + w.rng.uniform(0.05, 0.4))
    w.launch(1, 64)
    t = w.thread()
    start = [w.load(seeds, t), w.const(1.0, "f32"), w.const(0)]

    def alive(state: Value, price: Value, k: Value) -> Value:
        return w.op(f"arith.andi {k.is_('<', n).name}, {price.is_('<', limit).name}", "i1")

    def step(state: Value, price: Value, k: Value) -> list[Value]:
        mixed = state ^ (state << 13)
        mixed = mixed ^ mixed.two("shrui", 17)
        mixed = mixed ^ (mixed << 5)
        unit = mixed.two("shrui", 8).to("uitofp", "f32") * (1.0 / (1 << 24))
        return [mixed, price * (1.0 + 0.1 * (unit - 0.5)), k + 1]

    _, price, k = w.repeat(start, alive, step)
    w.store(w.select(k.is_("<", n), 0.0, price - 1.0), out, t)


@group
def breadth_first(w: Writer) -> None:
    """A level of a graph: unseen neighbours get the next level, and that any did is noted."""
    nodes = 96
    ends = np.cumsum([0, *(w.rng.randrange(0, 7) for _ in range(nodes))]).astype(np.int32)
    first, edges = w.memory(ends), w.memory(w.numbers("i32", int(ends[-1]), low=0, high=nodes - 1))
    levels, more = w.memory(w.numbers("i32", nodes, low=-1, high=2)), w.memory(np.zeros(1, np.int32))
    level, n = w.scalar("i32", 1), w.scalar("index", nodes)
    w.launch(2, 64)
    i = w.everywhere()
    with w.when(i.is_("<", n)), w.when(w.load(levels, i).is_("==", level)):
        low, high = w.index(w.load(first, i)), w.index(w.load(first, i + 1))
        with w.loop(low, high) as loop:
            other = w.index(w.load(edges, loop.counter))
            with w.when(w.load(levels, other).is_("<", 0)):
                w.store(level + 1, levels, other)
                w.store(1, more, 0)


@group
def resampled(w: Writer) -> None:
    """A signal at another rate: a phase in fixed point picks two samples."""
    type_, count = w.rng.choice(("f32", "i16")), 128
    x, out = w.memory(w.numbers(type_, 300)), w.memory(w.numbers(type_, count))
    rate = w.scalar("i32", w.rng.randrange(60000, 140000))
    w.launch(2, 64)
    i = w.everywhere()
    phase = i.to("index_cast", "i32") * rate
    at, part = w.index(phase.two("shrui", 16)), phase & 65535
    a, b = w.load(x, at), w.load(x, at + 1)
    if type_ == "f32":
        w.store(a + (b - a) * (part.to("sitofp", "f32") * (1.0 / 65536)), out, i)
    else:
        low, high = a.to("extsi", "i32"), b.to("extsi", "i32")
        mixed = low + ((high - low) * part.two("shrsi", 1)).two("shrsi", 15)
        w.store(mixed.to("trunci", "i16"), out, i)


@group
def sorted_window(w: Writer) -> None:
    """The middle of nine pixels by insertion into an array of the thread's own."""
    type_ = w.rng.choice(("f32", "i32"))
    image, out = w.memory(w.numbers(type_, 10, 34)), w.memory(w.numbers(type_, 8, 32))
    w.launch(1, (32, 8))
    x, y = w.thread(), w.thread("y")
    held = w.local(type_, 9)
    for k in range(9):
        w.store(w.load(image, y + k // 3, x + k % 3), held, k)
    with w.loop(0, 5) as i, w.loop(i.counter + 1, 9) as j:
        a, b = w.load(held, i.counter), w.load(held, j.counter)
        less = b.is_("<", a)
        w.store(w.select(less, b, a), held, i.counter)
        w.store(w.select(less, a, b), held, j.counter)
    w.store(w.load(held, 4), out, y, x)


@group
def tridiagonal(w: Writer) -> None:
    """One system a thread, forward and back, the systems side by side."""
    type_, size, systems = w.rng.choice(("f32", "f64")), w.rng.randrange(6, 20), 64
    a, b, c, d = (w.memory(w.numbers(type_, size, systems, low=0.1, high=1.0) + (4 if k == 1 else 0))
                  for k in range(4))  # fmt: skip
    n = w.scalar("index", size)
    w.launch(1, systems)
    t = w.thread()
    with w.loop(1, n) as row:
        factor = w.load(a, row.counter, t) / w.load(b, row.counter - 1, t)
        w.store(w.load(b, row.counter, t) - factor * w.load(c, row.counter - 1, t), b, row.counter, t)
        w.store(w.load(d, row.counter, t) - factor * w.load(d, row.counter - 1, t), d, row.counter, t)
    last = w.load(d, n - 1, t) / w.load(b, n - 1, t)
    w.store(last, d, n - 1, t)
    with w.loop(1, n, 1, (last,)) as back:
        row_ = n - 1 - back.counter
        value = (w.load(d, row_, t) - w.load(c, row_, t) * back.carried[0]) / w.load(b, row_, t)
        w.store(value, d, row_, t)
        back.yields = [value]


@group
def cards(w: Writer) -> None:
    """A hand of cards as a word of bits: how many ranks appear twice, and the best run."""
    data, out = w.memory(w.numbers("i64", 64)), w.memory(w.numbers("i32", 64))
    w.launch(1, 64)
    t = w.thread()
    hand = w.load(data, t)
    suits = [hand.two("shrui", 13 * k) & 0x1FFF for k in range(4)]
    once = suits[0] | suits[1] | suits[2] | suits[3]
    pairs = (suits[0] & suits[1]) | (suits[2] & suits[3]) | ((suits[0] | suits[1]) & (suits[2] | suits[3]))
    run = once & (once << 1) & (once << 2) & (once << 3) & (once << 4)
    best = w.select(run.is_("!=", 0), 63 - w.call("ctlz", run), 0)
    w.store((w.call("ctpop", pairs) * 16 + best).to("trunci", "i32"), out, t)


@group
def rays(w: Writer) -> None:
    """Where rays meet spheres first."""
    count = w.rng.randrange(4, 9)
    rays_, spheres = w.memory(w.numbers("f32", 64, 3)), w.memory(w.numbers("f32", count, 4))
    out, hit, n = w.memory(w.numbers("f32", 64)), w.memory(w.numbers("i32", 64)), w.scalar("index", count)
    w.launch(1, 64)
    t = w.thread()
    d = [w.load(rays_, t, k) for k in range(3)]
    a = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    with w.loop(0, n, 1, (w.const(1e30, "f32"), w.const(-1, "i32"))) as loop:
        near, which = loop.carried
        o = [w.load(spheres, loop.counter, k) for k in range(3)]
        r = w.load(spheres, loop.counter, 3)
        b = o[0] * d[0] + o[1] * d[1] + o[2] * d[2]
        c = o[0] * o[0] + o[1] * o[1] + o[2] * o[2] - r * r
        inside = b * b - a * c

        def met() -> list[Value]:
            at = (b - w.call("sqrt", inside)) / a
            good = w.op(f"arith.andi {at.is_('>', 0.0).name}, {at.is_('<', near).name}", "i1")
            return [w.select(good, at, near), w.select(good, loop.counter.to("index_cast", "i32"), which)]

        loop.yields = w.either(inside.is_(">", 0.0), met, lambda: [near, which])
    w.store(loop.results[0], out, t)
    w.store(loop.results[1], hit, t)


@group
def delta_coded(w: Writer) -> None:
    """Numbers of a few bits packed into words, added up."""
    bits, count = w.rng.choice((3, 5, 7, 11)), w.rng.randrange(8, 30)
    words = w.memory(w.numbers("i32", 64, (bits * count) // 32 + 2))
    out, n = w.memory(w.numbers("i32", 64)), w.scalar("index", count)
    w.launch(1, 64)
    t = w.thread()
    with w.loop(0, n, 1, (w.const(0, "i32"),)) as loop:
        at = loop.counter * bits
        low = w.load(words, t, at.two("shrui", 5)).to("extui", "i64")
        high = w.load(words, t, at.two("shrui", 5) + 1).to("extui", "i64")
        both = (high << 32) | low
        field = both.two("shrui", (at & 31).to("index_cast", "i64")) & ((1 << bits) - 1)
        code = field.to("trunci", "i32")
        loop.yields = [loop.carried[0] + (code.two("shrui", 1) ^ (0 - (code & 1)))]
    w.store(loop.results[0], out, t)


@group
def half_norm(w: Writer) -> None:
    """Rows of halves made of mean 0 and deviation 1, eight at a time."""
    columns = 32 * w.rng.randrange(1, 4)
    x, out = w.memory(w.numbers("f16", 8, columns)), w.memory(w.numbers("f16", 8, columns))
    w.launch(1, 8)
    row = w.thread()
    zero = w.const(0.0, "vector<8xf32>")
    with w.loop(0, columns, 8, (zero, zero)) as loop:
        v = w.vector(x, 8, row, loop.counter).to("extf", "vector<8xf32>")
        loop.yields = [loop.carried[0] + v, loop.carried[1] + v * v]
    total, squares = (
        w.put(f"vector.reduction <add>, {one.name} : vector<8xf32> into f32", "f32") for one in loop.results
    )
    mean = total * (1.0 / columns)
    scale = w.call("rsqrt", squares * (1.0 / columns) - mean * mean + 1e-5)
    wide = [w.put(f"vector.broadcast {one.name} : f32 to vector<8xf32>", "vector<8xf32>") for one in (mean, scale)]
    with w.loop(0, columns, 8) as last:
        v = w.vector(x, 8, row, last.counter).to("extf", "vector<8xf32>")
        w.store_vector(((v - wide[0]) * wide[1]).to("truncf", "vector<8xf16>"), out, row, last.counter)


@group
def ring(w: Writer) -> None:
    """An echo: a delay line whose place wraps by a remainder."""
    size, turns = w.rng.randrange(5, 14), w.rng.randrange(10, 40)
    lines, x = w.memory(w.numbers("f32", size, 64)), w.memory(w.numbers("f32", turns, 64))
    out, n, m = w.memory(w.numbers("f32", turns, 64)), w.scalar("index", turns), w.scalar("index", size)
    w.launch(1, 64)
    t = w.thread()
    with w.loop(0, n) as loop:
        at = loop.counter.two("remui", m)
        echo = w.load(x, loop.counter, t) + 0.5 * w.load(lines, at, t)
        w.store(echo, lines, at, t)
        w.store(echo, out, loop.counter, t)
