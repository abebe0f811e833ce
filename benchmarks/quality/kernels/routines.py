"""Routines of everyday programs: codecs, filters, small solvers, sets of bits, searches."""

from __future__ import annotations

import numpy as np

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("routines")


@group
def base64(w: Writer) -> None:
    """Three bytes become four letters."""
    count = w.rng.randrange(70, 120)
    data, table = w.memory(w.numbers("i8", 3 * count)), w.memory(w.numbers("i8", 64), dynamic=w.rng.random() < 0.5)
    out, n = w.memory(w.numbers("i8", 4 * count)), w.scalar("index", count)
    w.launch(2, 64)
    i = w.everywhere()
    with w.when(i.is_("<", n)):
        a, b, c = (w.load(data, i * 3 + k).to("extui", "i32") for k in range(3))
        word = (a << 16) | (b << 8) | c
        for k in range(4):
            at = word.two("shrui", 18 - 6 * k) & 63
            w.store(w.load(table, w.index(at)), out, i * 4 + k)


@group
def colours(w: Writer) -> None:
    """YUV to RGB in whole numbers, clamped to bytes."""
    count = 128
    y, u, v = (w.memory(w.numbers("i8", count)) for _ in range(3))
    out = w.memory(w.numbers("i8", count, 3))
    w.launch(2, 64)
    i = w.everywhere()
    c = w.load(y, i).to("extui", "i32") - 16
    d, e = (w.load(one, i).to("extui", "i32") - 128 for one in (u, v))
    for k, value in enumerate((298 * c + 409 * e, 298 * c - 100 * d - 208 * e, 298 * c + 516 * d)):
        byte = (value + 128).two("shrsi", 8).two("maxsi", 0).two("minsi", 255)
        w.store(byte.to("trunci", "i8"), out, i, k)


@group
def q15_filter(w: Writer) -> None:
    """A filter on numbers of 16 bits, rounded and saturated."""
    taps, count = w.rng.randrange(5, 20), 160
    x, h = w.memory(w.numbers("i16", count + 32)), w.memory(w.numbers("i16", taps))
    out, n = w.memory(w.numbers("i16", count)), w.scalar("index", taps)
    w.launch(3, 64)
    i = w.everywhere()
    with w.when(i.is_("<", count)):
        with w.loop(0, n, 1, (w.const(1 << 14, "i64"),)) as loop:
            a, b = (w.load(x, i + loop.counter), w.load(h, loop.counter))
            product = a.to("extsi", "i32") * b.to("extsi", "i32")
            loop.yields = [loop.carried[0] + product.to("extsi", "i64")]
        total = loop.results[0].two("shrsi", 15).two("maxsi", -32768).two("minsi", 32767)
        w.store(total.to("trunci", "i16"), out, i)


@group
def online_softmax(w: Writer) -> None:
    """The largest and the sum of exponentials in one pass, then the quotients."""
    columns, type_ = w.rng.randrange(10, 40), w.rng.choice(("f32", "bf16"))
    x, out = w.memory(w.numbers(type_, 64, columns)), w.memory(w.numbers(type_, 64, columns))
    n = w.scalar("index", columns)
    w.launch(1, 64)
    row = w.thread()

    def read(at: Value) -> Value:
        found = w.load(x, row, at)
        return found if type_ == "f32" else found.to("extf", "f32")

    with w.loop(0, n, 1, (w.const(-1e30, "f32"), w.const(0.0, "f32"))) as loop:
        top, total = loop.carried
        value = read(loop.counter)
        new = top.two("maximumf", value)
        loop.yields = [new, total * w.call("exp", top - new) + w.call("exp", value - new)]
    top, total = loop.results
    with w.loop(0, n) as last:
        part = w.call("exp", read(last.counter) - top) / total
        w.store(part if type_ == "f32" else part.to("truncf", type_), out, row, last.counter)


@group
def morton(w: Writer) -> None:
    """Three coordinates of 10 bits woven into one key."""
    axes = [w.memory(w.numbers("i32", 128, low=0, high=1023)) for _ in range(3)]
    out = w.memory(w.numbers("i32", 128))
    w.launch(2, 64)
    i = w.everywhere()
    key = w.const(0, "i32")
    for k, axis in enumerate(axes):
        x = w.load(axis, i) & 1023
        for shift, mask in ((16, 0x030000FF), (8, 0x0300F00F), (4, 0x030C30C3), (2, 0x09249249)):
            x = (x | (x << shift)) & mask
        key = key | (x << k)
    w.store(key, out, i)


@group
def cube_root(w: Writer) -> None:
    """Newton's steps until they are small."""
    type_ = w.rng.choice(("f32", "f64"))
    data, out = w.memory(w.numbers(type_, 128, low=0.5, high=90)), w.memory(w.numbers(type_, 128))
    w.launch(2, 64)
    i = w.everywhere()
    a = w.load(data, i)

    def far(x: Value, steps: Value) -> Value:
        error = w.call("absf", x * x * x - a).is_(">", 1e-3)
        return w.op(f"arith.andi {error.name}, {steps.is_('<', 30).name}", "i1")

    x, _ = w.repeat([a, w.const(0, "i32")], far, lambda x, steps: [x - (x * x * x - a) / (3.0 * x * x), steps + 1])
    w.store(x, out, i)


@group
def small_solve(w: Writer) -> None:
    """Four equations of four unknowns in the thread's own memory, without pivots."""
    type_, size = w.rng.choice(("f32", "f64")), 4
    systems = w.numbers(type_, 32, size, size + 1) + 6 * np.eye(size, size + 1, dtype=np.float32)
    given = w.memory(systems.astype(np.float32 if type_ == "f32" else np.float64))
    out = w.memory(w.numbers(type_, 32, size))
    w.launch(1, 32)
    t = w.thread()
    m = w.local(type_, size, size + 1)
    with w.loop(0, size) as i, w.loop(0, size + 1) as j:
        w.store(w.load(given, t, i.counter, j.counter), m, i.counter, j.counter)
    with w.loop(0, size) as p, w.loop(0, size) as r, w.when(r.counter.is_("!=", p.counter)):
        factor = w.load(m, r.counter, p.counter) / w.load(m, p.counter, p.counter)
        with w.loop(0, size + 1) as c:
            less = w.load(m, r.counter, c.counter) - factor * w.load(m, p.counter, c.counter)
            w.store(less, m, r.counter, c.counter)
    with w.loop(0, size) as k:
        w.store(w.load(m, k.counter, size) / w.load(m, k.counter, k.counter), out, t, k.counter)


@group
def set_members(w: Writer) -> None:
    """The sum of the numbers in a set of bits."""
    words = w.rng.randrange(2, 5)
    data, values = w.memory(w.numbers("i64", 64, words)), w.memory(w.numbers("f32", 64 * words))
    out, n = w.memory(w.numbers("f32", 64)), w.scalar("index", words)
    w.launch(1, 64)
    t = w.thread()
    with w.loop(0, n, 1, (w.const(0.0, "f32"),)) as loop:

        def add(word: Value, total: Value) -> list[Value]:
            at = loop.counter * 64 + w.index(w.call("cttz", word))
            return [word & (word - 1), total + w.load(values, at)]

        start = w.load(data, t, loop.counter)
        _, total = w.repeat([start, loop.carried[0]], lambda word, total: word.is_("!=", 0), add)
        loop.yields = [total]
    w.store(loop.results[0], out, t)


@group
def match_length(w: Writer) -> None:
    """How far two places of a text agree, eight bytes at once."""
    words = 24
    data = w.numbers("i64", words, low=0, high=1)
    a, limit = w.memory(data), w.scalar("index", words)
    starts, out = w.memory(w.numbers("i32", 64, low=0, high=words - 1)), w.memory(w.numbers("i32", 64))
    w.launch(1, 64)
    t = w.thread()
    p = w.index(w.load(starts, t))
    q = (p + 1 + (t & 3)).two("minsi", limit - 1)

    def same(k: Value) -> Value:
        inside = (q + k).is_("<", limit)
        x, y = w.load(a, p + k.two("minsi", limit - 1 - p)), w.load(a, (q + k).two("minsi", limit - 1))
        return w.op(f"arith.andi {inside.name}, {x.is_('==', y).name}", "i1")

    (k,) = w.repeat([w.const(0)], same, lambda k: [k + 1])
    x, y = w.load(a, (p + k).two("minsi", limit - 1)), w.load(a, (q + k).two("minsi", limit - 1))
    rest = w.call("cttz", x ^ y).two("shrui", 3).to("trunci", "i32")
    w.store(k.to("index_cast", "i32") * 8 + (rest & 7), out, t)


@group
def bloom(w: Writer) -> None:
    """Bits of a filter set by two hashes of each key."""
    size, hashes = 64, w.rng.randrange(3, 7)
    keys, bits = w.memory(w.numbers("i64", 128)), w.memory(w.numbers("i32", size, low=0, high=0))
    w.launch(2, 64)
    key = w.load(keys, w.everywhere())
    mixed = (key ^ key.two("shrui", 33)) * -49064778989728563
    mixed = (mixed ^ mixed.two("shrui", 33)) * -4265267296055464877
    first, second = mixed.to("trunci", "i32"), mixed.two("shrui", 32).to("trunci", "i32") | 1
    with w.loop(0, hashes, 1, (first,)) as loop:
        at = loop.carried[0].two("remui", 32 * size)
        one = w.const(1, "i32") << (at & 31)
        w.atomic("ori", one, bits, at.two("shrui", 5).to("index_castui", "index"))
        loop.yields = [loop.carried[0] + second]


@group
def printed(w: Writer) -> None:
    """A number in decimal digits, right to left."""
    data, out = w.memory(w.numbers("i32", 64)), w.memory(w.numbers("i8", 64, 11))
    w.launch(1, 64)
    t = w.thread()
    x = w.load(data, t)
    size = w.select(x.is_("<", 0), 0 - x, x)

    def next_(rest: Value, at: Value) -> list[Value]:
        digit = rest.two("remui", 10).to("trunci", "i8") + 48
        w.store(digit, out, t, at)
        return [rest.two("divui", 10), at - 1]

    _, at = w.repeat([size, w.const(10)], lambda rest, at: rest.is_("!=", 0), next_)
    with w.when(x.is_("<", 0)):
        w.store(45, out, t, at)


@group
def merge_path(w: Writer) -> None:
    """Where a diagonal cuts two sorted lists, by halving."""
    n, m, type_ = w.rng.randrange(40, 90), w.rng.randrange(40, 90), w.rng.choice(("i32", "f32", "i64"))
    a, b = w.memory(np.sort(w.numbers(type_, n))), w.memory(np.sort(w.numbers(type_, m)))
    la, lb, out = w.scalar("index", n), w.scalar("index", m), w.memory(w.numbers("i32", 64))
    w.launch(1, 64)
    t = w.thread()
    diagonal = ((la + lb) * t).two("divui", 64)
    low, high = (diagonal - lb).two("maxsi", 0), diagonal.two("minsi", la)

    def halve(low: Value, high: Value) -> list[Value]:
        middle = (low + high).two("shrui", 1)
        less = w.load(a, middle).is_("<", w.load(b, diagonal - 1 - middle))
        return [w.select(less, middle + 1, low), w.select(less, high, middle)]

    at, _ = w.repeat([low, high], lambda low, high: low.is_("<", high), halve)
    w.store(at.to("index_cast", "i32"), out, t)


@group
def normals(w: Writer) -> None:
    """Normals of triangles by cross products, of length one."""
    count = 100
    vertices, faces = w.memory(w.numbers("f32", 50, 3)), w.memory(w.numbers("i32", count, 3, low=0, high=49))
    out, n = w.memory(w.numbers("f32", count, 3)), w.scalar("index", count)
    w.launch(2, 64)
    i = w.everywhere()
    with w.when(i.is_("<", n)):
        points = [[w.load(vertices, w.index(w.load(faces, i, k)), axis) for axis in range(3)] for k in range(3)]
        (ax, ay, az), (bx, by, bz) = ([p - o for p, o in zip(points[k], points[0], strict=True)] for k in (1, 2))
        normal = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
        scale = w.call("rsqrt", normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2] + 1e-12)
        for axis in range(3):
            w.store(normal[axis] * scale, out, i, axis)
