"""Shapes of kernels as users write them: sparse rows, tables, scans, images, distances, generators."""

from __future__ import annotations

import numpy as np

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("everyday")


def _both(w: Writer, a: Value, b: Value) -> Value:
    return w.op(f"arith.andi {a.name}, {b.name}", "i1")


@group
def sparse_rows(w: Writer) -> None:
    """A warp a row of a matrix in compressed rows."""
    type_, rows, columns = w.rng.choice(("f32", "f64")), 8, w.rng.randrange(60, 120)
    ends = np.cumsum([0, *(w.rng.randrange(20, 90) for _ in range(rows))]).astype(np.int32)
    start, places = w.memory(ends), w.memory(w.numbers("i32", int(ends[-1]), low=0, high=columns - 1))
    values, x = w.memory(w.numbers(type_, int(ends[-1]))), w.memory(w.numbers(type_, columns))
    y = w.memory(w.numbers(type_, rows))
    w.launch(2, 128)
    i = w.everywhere()
    lane, row = i.two("remui", 32), i.two("divui", 32)
    first, last = w.index(w.load(start, row)), w.index(w.load(start, row + 1))
    with w.loop(first + lane, last, 32, (w.const(0, type_),)) as loop:
        at = w.index(w.load(places, loop.counter))
        loop.yields = [loop.carried[0] + w.load(values, loop.counter) * w.load(x, at)]
    total = loop.results[0]
    for distance in (16, 8, 4, 2, 1):
        total = total + w.shuffle(total, distance)
    with w.when(lane.is_("==", 0)):
        w.store(total, y, row)


@group
def table_lookup(w: Writer) -> None:
    """Open addressing: keys are hashed, then probed one by one."""
    size, count = 256, 128
    table = np.full(size, -1, np.int32)
    wanted = w.numbers("i32", count, low=1, high=1 << 30)
    for key in wanted[: count * 3 // 4]:
        at = int(key) & (size - 1)
        while table[at] != -1:
            at = (at + 1) & (size - 1)
        table[at] = key
    keys, values = w.memory(table), w.memory(w.numbers("f32", size))
    asked, out = w.memory(wanted), w.memory(w.numbers("f32", count))
    w.launch(2, 64)
    i = w.everywhere()
    key = w.load(asked, i)

    def goes_on(at: Value, tries: Value) -> Value:
        found = w.load(keys, w.index(at))
        other = _both(w, found.is_("!=", key), found.is_("!=", -1))
        return _both(w, other, tries.is_("<", size))

    def next_(at: Value, tries: Value) -> list[Value]:
        return [(at + 1) & (size - 1), tries + 1]

    at, _ = w.repeat([key & (size - 1), w.const(0, "i32")], goes_on, next_)
    place = w.index(at)
    hit = w.load(keys, place).is_("==", key)
    w.store(w.select(hit, w.load(values, place), -1.0), out, i)


@group
def grouped_dot(w: Writer) -> None:
    """A row of 8-bit weights, each group with a scale, by a vector of 8 bits."""
    each, groups, rows = w.rng.choice((16, 32)), w.rng.randrange(3, 7), 64
    weights, x = w.memory(w.numbers("i8", rows, groups * each)), w.memory(w.numbers("i8", groups * each))
    scales, out = w.memory(w.numbers("f16", rows, groups, low=0.1, high=1)), w.memory(w.numbers("f32", rows))
    w.launch(1, rows)
    row = w.thread()
    with w.loop(0, w.scalar("index", groups), 1, (w.const(0.0, "f32"),)) as outer:
        with w.loop(0, each, 1, (w.const(0, "i32"),)) as inner:
            at = outer.counter * each + inner.counter
            a, b = w.load(weights, row, at).to("extsi", "i32"), w.load(x, at).to("extsi", "i32")
            inner.yields = [inner.carried[0] + a * b]
        scale = w.load(scales, row, outer.counter).to("extf", "f32")
        outer.yields = [outer.carried[0] + inner.results[0].to("sitofp", "f32") * scale]
    w.store(outer.results[0], out, row)


@group
def sorted_pairs(w: Writer) -> None:
    """Eight keys with their numbers, sorted by exchanges in registers."""
    type_ = w.rng.choice(("i32", "f32"))
    data, order = w.memory(w.numbers(type_, 64, 8)), w.memory(w.numbers("i32", 64, 8))
    w.launch(1, 64)
    row = w.thread()
    keys = [w.load(data, row, k) for k in range(8)]
    marks = [w.const(k, "i32") for k in range(8)]
    for phase in range(8):
        for a in range(phase % 2, 7, 2):
            less = keys[a + 1].is_("<", keys[a])
            keys[a], keys[a + 1] = w.select(less, keys[a + 1], keys[a]), w.select(less, keys[a], keys[a + 1])
            marks[a], marks[a + 1] = w.select(less, marks[a + 1], marks[a]), w.select(less, marks[a], marks[a + 1])
    for k in range(8):
        w.store(keys[k], data, row, k)
        w.store(marks[k], order, row, k)


@group
def substring(w: Writer) -> None:
    """Whether a pattern stands at each place of a text, given up at the first difference."""
    length, size = w.rng.randrange(150, 300), w.rng.randrange(4, 9)
    text = w.numbers("i8", length, low=97, high=99)
    a, pattern = w.memory(text), w.memory(text[17 : 17 + size].copy())
    n, m, out = w.scalar("index", length), w.scalar("index", size), w.memory(w.numbers("i8", length))
    w.launch(-(-length // 64), 64)
    i = w.everywhere()
    with w.when((i + m).is_("<=", n)):
        (k,) = w.repeat(
            [w.const(0)],
            lambda k: w.either(
                k.is_("<", m),
                lambda: [w.load(a, i + k).is_("==", w.load(pattern, k))],
                lambda: [w.const(0, "i1")],
            )[0],
            lambda k: [k + 1],
        )
        w.store(k.is_("==", m).to("extui", "i8"), out, i)


@group
def private_histogram(w: Writer) -> None:
    """Bytes counted in shared memory, then added to the whole."""
    count, bins = w.rng.randrange(600, 1200), 256
    data, whole = w.memory(w.numbers("i8", count)), w.memory(w.numbers("i32", bins, low=0, high=9))
    mine = w.shared("i32", bins)
    w.launch(2, 128)
    t = w.thread()
    with w.loop(t, bins, 128) as clear:
        w.store(0, mine, clear.counter)
    w.barrier()
    step = w.put("gpu.grid_dim x", "index") * 128
    with w.loop(w.everywhere(), w.scalar("index", count), step) as loop:
        w.atomic("addi", w.const(1, "i32"), mine, w.load(data, loop.counter).to("index_castui", "index"))
    w.barrier()
    with w.loop(t, bins, 128) as flush:
        seen = w.load(mine, flush.counter)
        with w.when(seen.is_("!=", 0)):
            w.atomic("addi", seen, whole, flush.counter)


@group
def coarse_scan(w: Writer) -> None:
    """Prefix sums, four elements a thread: within the thread, the warp, the block."""
    type_ = w.rng.choice(("i32", "f32", "i64"))
    data, out = w.memory(w.numbers(type_, 512, low=-9, high=9)), w.memory(w.numbers(type_, 512))
    warps = w.shared(type_, 4)
    w.launch(1, 128)
    t = w.thread()
    lane, warp = t.two("remui", 32), t.two("divui", 32)
    sums = [w.load(data, t * 4)]
    for k in range(1, 4):
        sums.append(sums[-1] + w.load(data, t * 4 + k))
    total = w.warp_scan(sums[-1], lane)
    with w.when(lane.is_("==", 31)):
        w.store(total, warps, warp)
    w.barrier()
    before = total - sums[-1]
    for k in range(3):
        before = w.select(warp.is_(">", k), before + w.load(warps, k), before)
    for k in range(4):
        w.store(before + sums[k], out, t * 4 + k)


@group
def upwind(w: Writer) -> None:
    """A step of transport against the wind, borders held."""
    type_, height, width = w.rng.choice(("f32", "f64")), w.rng.randrange(10, 16), w.rng.randrange(20, 33)
    u, wind, out = (w.memory(w.numbers(type_, height, width)) for _ in range(3))
    rows, columns = w.scalar("index", height), w.scalar("index", width)
    c = w.scalar(type_, w.rng.uniform(0.1, 0.5))
    w.launch((1, 2), (32, 8))
    x, y = w.thread(), w.everywhere("y")
    with w.when(_both(w, x.is_("<", columns), y.is_("<", rows))):
        left, right = (x - 1).two("maxsi", 0), (x + 1).two("minsi", columns - 1)
        up, down = (y - 1).two("maxsi", 0), (y + 1).two("minsi", rows - 1)
        here, speed = w.load(u, y, x), w.load(wind, y, x)
        dx = w.select(speed.is_(">", 0.0), here - w.load(u, y, left), w.load(u, y, right) - here)
        dy = w.select(speed.is_(">", 0.0), here - w.load(u, up, x), w.load(u, down, x) - here)
        w.store(here - c * speed * (dx + dy), out, y, x)


@group
def resized(w: Writer) -> None:
    """An image of bytes at another size, between four pixels each."""
    height, width, new = w.rng.randrange(9, 20), w.rng.randrange(9, 20), 32
    image, out = w.memory(w.numbers("i8", height, width)), w.memory(w.numbers("i8", 8, new))
    fx, fy = w.scalar("f32", (width - 1) / new), w.scalar("f32", (height - 1) / 8)
    last_x, last_y = w.scalar("i32", width - 1), w.scalar("i32", height - 1)
    w.launch((1, 2), (32, 4))
    i, j = w.everywhere(), w.everywhere("y")

    def spot(at: Value, factor: Value, last: Value) -> tuple[Value, Value, Value]:
        f = at.to("index_cast", "i32").to("sitofp", "f32") * factor
        floor = w.call("floor", f)
        low = floor.to("fptosi", "i32")
        return w.index(low), w.index((low + 1).two("minsi", last)), f - floor

    (x0, x1, dx), (y0, y1, dy) = spot(i, fx, last_x), spot(j, fy, last_y)

    def pixel(y: Value, x: Value) -> Value:
        return w.load(image, y, x).to("uitofp", "f32")

    a, b, c, d = pixel(y0, x0), pixel(y0, x1), pixel(y1, x0), pixel(y1, x1)
    top, low = a + dx * (b - a), c + dx * (d - c)
    w.store((top + dy * (low - top) + 0.5).to("fptoui", "i8"), out, j, i)


@group
def hamming(w: Writer) -> None:
    """The row of bits that differs least from a query."""
    words, rows = w.rng.randrange(2, 6), w.rng.randrange(20, 60)
    data, queries = w.memory(w.numbers("i64", rows, words)), w.memory(w.numbers("i64", 64, words))
    out, n = w.memory(w.numbers("i32", 64)), w.scalar("index", rows)
    w.launch(1, 64)
    q = w.thread()
    mine = [w.load(queries, q, k) for k in range(words)]
    with w.loop(0, n, 1, (w.const(1 << 30, "i32"), w.const(-1, "i32"))) as loop:
        best, where = loop.carried
        bits = w.const(0, "i32")
        for k in range(words):
            bits = bits + w.call("ctpop", w.load(data, loop.counter, k) ^ mine[k]).to("trunci", "i32")
        less = bits.is_("<", best)
        loop.yields = [w.select(less, bits, best), w.select(less, loop.counter.to("index_cast", "i32"), where)]
    w.store(loop.results[1], out, q)


@group
def dice(w: Writer) -> None:
    """A congruential generator of 64 bits a thread, permuted, in bounds without bias by a product."""
    turns, sides = w.rng.randrange(6, 20), w.rng.randrange(5, 60)
    states, out = w.memory(w.numbers("i64", 64)), w.memory(w.numbers("i32", 64))
    w.launch(1, 64)
    i = w.thread()
    with w.loop(0, w.scalar("index", turns), 1, (w.load(states, i), w.const(0, "i32"))) as loop:
        state, total = loop.carried
        mixed = (state.two("shrui", 18) ^ state).two("shrui", 27).to("trunci", "i32")
        turn = state.two("shrui", 59).to("trunci", "i32")
        word = mixed.two("shrui", turn) | (mixed << ((0 - turn) & 31))
        face = (word.to("extui", "i64") * sides).two("shrui", 32).to("trunci", "i32")
        loop.yields = [state * 6364136223846793005 + 1442695040888963407, total + face]
    w.store(loop.results[0], states, i)
    w.store(loop.results[1], out, i)


@group
def nearest_centre(w: Writer) -> None:
    """Which of a few centres is nearest to a point, the centres in shared memory."""
    dims, centres, type_ = w.rng.choice((2, 3, 4)), w.rng.randrange(5, 20), w.rng.choice(("f32", "f16"))
    points, given = w.memory(w.numbers(type_, 128, dims)), w.memory(w.numbers(type_, centres, dims))
    out, n = w.memory(w.numbers("i32", 128)), w.scalar("index", centres)
    held = w.shared(type_, 20, dims)
    w.launch(2, 64)
    t, i = w.thread(), w.everywhere()
    with w.when(t.is_("<", n)):
        for k in range(dims):
            w.store(w.load(given, t, k), held, t, k)
    w.barrier()
    point = [w.load(points, i, k) for k in range(dims)]
    with w.loop(0, n, 1, (w.const(60000.0, type_), w.const(0))) as loop:
        best, where = loop.carried
        total = w.const(0.0, type_)
        for k in range(dims):
            apart = point[k] - w.load(held, loop.counter, k)
            total = total + apart * apart
        less = total.is_("<", best)
        loop.yields = [w.select(less, total, best), w.select(less, loop.counter, where)]
    w.store(loop.results[1].to("index_cast", "i32"), out, i)
