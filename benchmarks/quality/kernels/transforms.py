"""Butterflies, networks, scans and small linear algebra."""

from __future__ import annotations

import math

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("transforms")


@group
def fft_shared(w: Writer) -> None:
    """Radix 2 in shared memory with factors from a table."""
    bits = w.rng.choice((5, 6))
    size = 1 << bits
    a, factors = w.memory(w.numbers("f32", 2, size)), w.memory(w.numbers("f32", size // 2, 2))
    re, im = w.shared("f32", size), w.shared("f32", size)
    w.launch(1, size // 2)
    i = w.thread()
    for n in (0, size // 2):
        w.store(w.load(a, 0, i + n), re, i + n)
        w.store(w.load(a, 1, i + n), im, i + n)
    w.barrier()
    for stage in range(bits):
        half = 1 << stage
        place = i & (half - 1)
        p = ((i.two("shrui", stage)) << (stage + 1)) | place
        q = p + half
        k = place << (bits - 1 - stage)
        c, s = w.load(factors, k, 0), w.load(factors, k, 1)
        x, y, u, v = w.load(re, p), w.load(im, p), w.load(re, q), w.load(im, q)
        tu, tv = u * c - v * s, u * s + v * c
        w.store(x + tu, re, p)
        w.store(y + tv, im, p)
        w.store(x - tu, re, q)
        w.store(y - tv, im, q)
        w.barrier()
    for n in (0, size // 2):
        w.store(w.load(re, i + n), a, 0, i + n)
        w.store(w.load(im, i + n), a, 1, i + n)


@group
def fft_registers(w: Writer) -> None:
    size, type_ = w.rng.choice((4, 8)), w.rng.choice(("f32", "f64"))
    a = w.memory(w.numbers(type_, 32, size, 2))
    w.launch(1, 32)
    row = w.thread()
    x = [(w.load(a, row, n, 0), w.load(a, row, n, 1)) for n in range(size)]

    def transform(x: list[tuple[Value, Value]]) -> list[tuple[Value, Value]]:
        if len(x) == 1:
            return x
        even, odd = transform(x[::2]), transform(x[1::2])
        first, second = [], []
        for n, ((p, q), (u, v)) in enumerate(zip(even, odd, strict=True)):
            c, s = math.cos(2 * math.pi * n / len(x)), -math.sin(2 * math.pi * n / len(x))
            tu, tv = (u, v) if n == 0 else (u * c - v * s, u * s + v * c)
            first.append((p + tu, q + tv))
            second.append((p - tu, q - tv))
        return first + second

    for n, (p, q) in enumerate(transform(x)):
        w.store(p, a, row, n, 0)
        w.store(q, a, row, n, 1)


@group
def hadamard(w: Writer) -> None:
    type_ = w.rng.choice(("f32", "i32"))
    a = w.memory(w.numbers(type_, 4, 32))
    w.launch(4, 32)
    row, lane = w.program(), w.thread()
    x = w.load(a, row, lane)
    for distance in (1, 2, 4, 8, 16):
        other = w.shuffle(x, distance)
        x = w.select((lane & distance).is_("==", 0), x + other, other - x)
    w.store(x, a, row, lane)


@group
def merge_network(w: Writer) -> None:
    count, type_ = w.rng.choice((4, 8)), w.rng.choice(("i32", "f32", "i16", "i64"))
    a = w.memory(w.numbers(type_, 32, count))
    w.launch(1, 32)
    row = w.thread()
    x = [w.load(a, row, n) for n in range(count)]
    size = 2
    while size <= count:
        distance = size // 2
        while distance:
            for n in range(count):
                if n & distance or (m := n | distance) >= count:
                    continue
                low, high = ("minnumf", "maxnumf") if type_ == "f32" else ("minsi", "maxsi")
                p, q = x[n].two(low, x[m]), x[n].two(high, x[m])
                x[n], x[m] = (q, p) if n & size and size < count else (p, q)
            distance //= 2
        size *= 2
    for n, one in enumerate(x):
        w.store(one, a, row, n)


@group
def warp_scan(w: Writer) -> None:
    warps, type_ = w.rng.choice((2, 4)), w.rng.choice(("i32", "f32"))
    a, out = w.memory(w.numbers(type_, 2, 32 * warps)), w.memory(w.numbers(type_, 2, 32 * warps))
    held = w.shared(type_, warps)
    w.launch(2, 32 * warps)
    row, i = w.program(), w.thread()
    lane, warp = i.two("remui", 32), i.two("divui", 32)
    x = w.warp_scan(w.load(a, row, i), lane)
    with w.when(lane.is_("==", 31)):
        w.store(x, held, warp)
    w.barrier()
    with w.loop(0, warp, 1, (w.const(0, type_),)) as loop:
        loop.yields = [loop.carried[0] + w.load(held, loop.counter)]
    w.store(x + loop.results[0], out, row, i)


@group
def solve_3x3(w: Writer) -> None:
    type_ = w.rng.choice(("f32", "f64"))
    a, b = w.memory(w.numbers(type_, 64, 3, 3)), w.memory(w.numbers(type_, 64, 3))
    w.launch(1, 64)
    i = w.thread()
    m = [[w.load(a, i, r, c) + (6.0 if r == c else 0.0) for c in range(3)] for r in range(3)]
    y = [w.load(b, i, r) for r in range(3)]

    def minor(r: int, c: int) -> Value:
        p, q = [k for k in range(3) if k != r], [k for k in range(3) if k != c]
        return m[p[0]][q[0]] * m[p[1]][q[1]] - m[p[0]][q[1]] * m[p[1]][q[0]]

    whole = m[0][0] * minor(0, 0) - m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2)
    inverse = 1.0 / whole
    for c in range(3):
        signs = [1.0 if (r + c) % 2 == 0 else -1.0 for r in range(3)]
        total = sum((minor(r, c) * (y[r] * signs[r]) for r in range(1, 3)), minor(0, c) * (y[0] * signs[0]))
        w.store(total * inverse, b, i, c)


@group
def cholesky(w: Writer) -> None:
    """A small matrix of each thread, by loops over memory."""
    size, type_ = w.rng.randrange(4, 7), w.rng.choice(("f32", "f64"))
    data = w.numbers(type_, 16, size, size)
    for n in range(size):
        data[:, n, n] = abs(data[:, n, n]) + 30
    a = w.memory(data)
    w.launch(1, 16)
    i, n = w.thread(), w.scalar("index", size)
    with w.loop(0, n) as columns:
        j = columns.counter
        with w.loop(0, j, 1, (w.load(a, i, j, j),)) as loop:
            x = w.load(a, i, j, loop.counter)
            loop.yields = [loop.carried[0] - x * x]
        root = w.call("sqrt", loop.results[0])
        w.store(root, a, i, j, j)
        with w.loop(j + 1, n) as rows:
            r = rows.counter
            with w.loop(0, j, 1, (w.load(a, i, r, j),)) as loop:
                loop.yields = [loop.carried[0] - w.load(a, i, r, loop.counter) * w.load(a, i, j, loop.counter)]
            w.store(loop.results[0] / root, a, i, r, j)


@group
def transpose_shared(w: Writer) -> None:
    type_ = w.rng.choice(("f32", "f16", "f64"))
    rows, columns = w.rng.randrange(17, 40), w.rng.randrange(17, 40)
    a, out = w.memory(w.numbers(type_, rows, columns)), w.memory(w.numbers(type_, columns, rows))
    held = w.shared(type_, 16, 17)
    w.launch((-(-columns // 16), -(-rows // 16)), (16, 4))
    m, n = w.scalar("index", rows), w.scalar("index", columns)
    x, y, tx, ty = w.program("x") * 16, w.program("y") * 16, w.thread("x"), w.thread("y")
    with w.loop(ty, 16, 4) as loop:
        i, j = y + loop.counter, x + tx
        with w.when(w.op(f"arith.andi {i.is_('<', m).name}, {j.is_('<', n).name}", "i1")):
            w.store(w.load(a, i, j), held, loop.counter, tx)
    w.barrier()
    with w.loop(ty, 16, 4) as loop:
        i, j = x + loop.counter, y + tx
        with w.when(w.op(f"arith.andi {i.is_('<', n).name}, {j.is_('<', m).name}", "i1")):
            w.store(w.load(held, tx, loop.counter), out, i, j)


@group
def i64_linear(w: Writer) -> None:
    """Flat indices of 64 bits, taken apart and put together."""
    shape = [w.rng.randrange(3, 9) for _ in range(3)]
    count = math.prod(shape)
    a, out = w.memory(w.numbers("f32", count)), w.memory(w.numbers("f32", count))
    w.launch(-(-count // 64), 64)
    block, thread = (one.to("index_cast", "i64") for one in (w.program(), w.thread()))
    i = block * 64 + thread
    x, y, z = (w.scalar("i64", n) for n in shape)
    with w.when(i.is_("<", x * y * z)):
        p, rest = i.two("remsi", z), i.two("divsi", z)
        q, r = rest.two("remsi", y), rest.two("divsi", y)
        turned = (p * y + q) * x + r
        w.store(w.load(a, w.index(i)), out, w.index(turned))


@group
def matmul_vectors(w: Writer) -> None:
    """A tile of registers fed by vectors from shared memory."""
    k = 8 * w.rng.randrange(2, 5)
    a, b, c = (w.memory(w.numbers("f32", *s)) for s in ((32, k), (k, 32), (32, 32)))
    sa, sb = w.shared("f32", 8, 32), w.shared("f32", 8, 32)
    w.launch(1, (8, 8))
    i, j = w.thread("y"), w.thread("x")
    t, type_ = i * 8 + j, "vector<4xf32>"
    zero = w.const(0.0, type_)
    with w.loop(0, w.scalar("index", k), 8, [zero] * 4) as outer:
        row, part = t.two("divui", 2), t.two("remui", 2) * 4
        x = w.vector(a, 4, row, outer.counter + part)
        for n in range(4):
            w.store(w.put(f"vector.extract {x.name}[{n}] : f32 from {type_}", "f32"), sa, part + n, row)
        row, part = t.two("divui", 8), t.two("remui", 8) * 4
        w.store_vector(w.vector(b, 4, outer.counter + row, part), sb, row, part)
        w.barrier()
        with w.loop(0, 8, 1, outer.carried) as loop:
            left, right = w.vector(sa, 4, loop.counter, i * 4), w.vector(sb, 4, loop.counter, j * 4)
            sums = []
            for n, total in enumerate(loop.carried):
                one = w.put(f"vector.extract {left.name}[{n}] : f32 from {type_}", "f32")
                one = w.put(f"vector.broadcast {one.name} : f32 to {type_}", type_)
                sums.append(w.op(f"math.fma {one.name}, {right.name}, {total.name}", type_))
            loop.yields = sums
        w.barrier()
        outer.yields = loop.results
    for n, total in enumerate(outer.results):
        w.store_vector(total, c, i * 4 + n, j * 4)
