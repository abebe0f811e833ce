"""Bytes, bits and random numbers."""

from __future__ import annotations

import numpy as np

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("bytes")


@group
def crc32_bits(w: Writer) -> None:
    length = w.rng.randrange(10, 24)
    polynomial = w.rng.choice((0xEDB88320, 0x82F63B78)) - (1 << 32)
    a, out = w.memory(w.numbers("i8", 32, length)), w.memory(w.numbers("i32", 32))
    w.launch(1, 32)
    row = w.thread()
    with w.loop(0, w.scalar("index", length), 1, (w.const(-1, "i32"),)) as loop:
        state = loop.carried[0] ^ w.load(a, row, loop.counter).to("extui", "i32")
        for _ in range(8):
            state = w.select((state & 1).is_("!=", 0), state.two("shrui", 1) ^ polynomial, state.two("shrui", 1))
        loop.yields = [state]
    w.store(loop.results[0] ^ -1, out, row)


@group
def crc32_table(w: Writer) -> None:
    length = w.rng.randrange(10, 40)
    a, out = w.memory(w.numbers("i8", 32, length)), w.memory(w.numbers("i32", 32))
    table = w.memory(w.numbers("i32", 256), dynamic=w.rng.random() < 0.5)
    w.launch(1, 32)
    row = w.thread()
    with w.loop(0, w.scalar("index", length), 1, (w.const(-1, "i32"),)) as loop:
        state = loop.carried[0]
        at = (state ^ w.load(a, row, loop.counter).to("extui", "i32")) & 255
        loop.yields = [w.load(table, at.to("index_castui", "index")) ^ state.two("shrui", 8)]
    w.store(loop.results[0], out, row)


@group
def fnv_bytes(w: Writer) -> None:
    length, type_ = w.rng.randrange(10, 40), w.rng.choice(("i32", "i64"))
    a, out = w.memory(w.numbers("i8", 32, length)), w.memory(w.numbers(type_, 32))
    prime, start = (16777619, 0x11C9DC5) if type_ == "i32" else (1099511628211, 0x3BF29CE484222325)
    w.launch(1, 32)
    row = w.thread()
    with w.loop(0, w.scalar("index", length), 1, (w.const(start, type_),)) as loop:
        loop.yields = [(loop.carried[0] ^ w.load(a, row, loop.counter).to("extui", type_)) * prime]
    w.store(loop.results[0], out, row)


@group
def upper_case(w: Writer) -> None:
    count = w.rng.randrange(300, 700)
    a, out = w.memory(w.numbers("i8", count, low=32, high=126)), w.memory(w.numbers("i8", count))
    w.launch(-(-count // 64), 64)
    i = w.everywhere()
    with w.when(i.is_("<", w.scalar("index", count))):
        x = w.load(a, i)
        small = w.op(f"arith.andi {x.is_('>=', 97).name}, {x.is_('<=', 122).name}", "i1")
        w.store(w.select(Value(w, small.name, "i1"), x - 32, x), out, i)


@group
def count_words(w: Writer) -> None:
    length = w.rng.randrange(40, 90)
    a, out = w.memory(w.numbers("i8", 32, length, low=30, high=60)), w.memory(w.numbers("i32", 32))
    w.launch(1, 32)
    row = w.thread()
    with w.loop(0, w.scalar("index", length), 1, (w.const(0, "i32"), w.const(1, "i32"))) as loop:
        count, gap = loop.carried
        space = w.load(a, row, loop.counter).is_("<=", 40).to("extui", "i32")
        loop.yields = [count + (gap & (space ^ 1)), space]
    w.store(loop.results[0], out, row)


@group
def parse_number(w: Writer) -> None:
    length = w.rng.randrange(5, 10)
    text = np.random.default_rng(w.rng.randrange(99)).integers(48, 58, (32, length)).astype(np.int8)
    a, out = w.memory(text), w.memory(w.numbers("i32", 32))
    w.launch(1, 32)
    row = w.thread()

    def digit(i: Value, total: Value) -> tuple[Value, Value]:
        return i + 1, total * 10 + (w.load(a, row, i).to("extsi", "i32") - 48)

    _, total = w.repeat((w.const(0), w.const(0, "i32")), lambda i, t: i.is_("<", w.const(length)), digit)
    w.store(total, out, row)


@group
def edit_distance(w: Writer) -> None:
    m, n = w.rng.randrange(6, 12), w.rng.randrange(4, 8)
    a, b, out = (w.memory(w.numbers("i8", 32, size, low=97, high=100)) for size in (m, n, 4))
    out = w.memory(w.numbers("i32", 32))
    line = w.local("i32", n + 1)
    w.launch(1, 32)
    row = w.thread()
    with w.loop(0, n + 1) as loop:
        w.store(loop.counter.to("index_cast", "i32"), line, loop.counter)
    with w.loop(0, w.scalar("index", m)) as rows:
        first = w.load(line, 0)
        w.store(first + 1, line, 0)
        letter = w.load(a, row, rows.counter)
        with w.loop(1, n + 1, 1, (first,)) as loop:
            above, left = w.load(line, loop.counter), w.load(line, loop.counter - 1)
            other = w.load(b, row, loop.counter - 1)
            same = w.select(letter.is_("==", other), loop.carried[0], loop.carried[0] + 1)
            w.store(same.two("minsi", (above.two("minsi", left)) + 1), line, loop.counter)
            loop.yields = [above]
    w.store(w.load(line, n), out, row)


@group
def xorshift(w: Writer) -> None:
    rounds, type_ = w.rng.randrange(20, 60), w.rng.choice(("i32", "i64"))
    seeds, out = w.memory(w.numbers(type_, 32)), w.memory(w.numbers("f32", 32))
    w.launch(1, 32)
    i = w.thread()
    shifts = (13, 17, 5) if type_ == "i32" else (13, 7, 17)
    with w.loop(0, w.scalar("index", rounds), 1, (w.load(seeds, i), w.const(0.0, "f32"))) as loop:
        x, total = loop.carried
        x = x ^ (x << shifts[0])
        x = x ^ x.two("shrui", shifts[1])
        x = x ^ (x << shifts[2])
        part = x.two("shrui", 8 if type_ == "i32" else 40)
        part = part if type_ == "i32" else part.to("trunci", "i32")
        loop.yields = [x, total + part.to("uitofp", "f32") * 2.0**-24]
    w.store(loop.results[1], out, i)


@group
def box_muller(w: Writer) -> None:
    out = w.memory(w.numbers("f32", 128, 2))
    seed = w.scalar("i32", w.rng.randrange(1 << 30))
    w.launch(2, 64)
    i = w.everywhere()
    state, parts = i.to("index_cast", "i32") * 747796405 + seed, []
    for _ in range(2):
        state = state * 747796405 + (2891336453 - (1 << 32))
        word = (state.two("shrui", state.two("shrui", 28) + 4) ^ state) * 277803737
        word = word.two("shrui", 22) ^ word
        parts.append((word.two("shrui", 8) | 1).to("uitofp", "f32") * 2.0**-24)
    radius, angle = w.call("sqrt", w.call("log", parts[0]) * -2.0), parts[1] * 6.2831853
    w.store(radius * w.call("cos", angle), out, i, 0)
    w.store(radius * w.call("sin", angle), out, i, 1)


@group
def morton(w: Writer) -> None:
    count = w.rng.randrange(200, 500)
    a, out = w.memory(w.numbers("i32", count, 3, low=0, high=1023)), w.memory(w.numbers("i32", count))
    w.launch(-(-count // 64), 64)
    i = w.everywhere()

    def spread(x: Value) -> Value:
        for shift, mask in ((16, 0x30000FF), (8, 0x300F00F), (4, 0x30C30C3), (2, 0x9249249)):
            x = (x | (x << shift)) & mask
        return x

    with w.when(i.is_("<", w.scalar("index", count))):
        x, y, z = (spread(w.load(a, i, n)) for n in range(3))
        w.store(x | (y << 1) | (z << 2), out, i)


@group
def reverse_bits(w: Writer) -> None:
    count, type_ = w.rng.randrange(300, 600), w.rng.choice(("i32", "i64"))
    a, out = w.memory(w.numbers(type_, count)), w.memory(w.numbers(type_, count))
    w.launch(-(-count // 64), 64)
    i = w.everywhere()
    masks = (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F)
    with w.when(i.is_("<", w.scalar("index", count))):
        x = w.load(a, i)
        for n, mask in enumerate(masks):
            mask = mask if type_ == "i64" else mask & 0x7FFFFFFF if mask != 0x5555555555555555 else 0x55555555
            x = (x.two("shrui", 1 << n) & mask) | ((x & mask) << (1 << n))
        w.store(x, out, i)
