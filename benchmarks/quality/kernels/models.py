"""What language models are made of: rows, rotations, narrow numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("models")


def _lanes(w: Writer, vector: Value, count: int, type_: str) -> list[Value]:
    return [w.put(f"vector.extract {vector.name}[{n}] : {type_} from {vector.type}", type_) for n in range(count)]


def _vector(w: Writer, lanes: list[Value]) -> Value:
    type_ = f"vector<{len(lanes)}x{lanes[0].type}>"
    return w.put(f"vector.from_elements {', '.join(x.name for x in lanes)} : {type_}", type_)


def _in_block(
    w: Writer, value: Value, held: Value, i: Value, warps: int, two: Callable[[Value, Value], Value]
) -> Value:
    """A reduction by shuffles, then over warps by shared memory."""
    for distance in (16, 8, 4, 2, 1):
        value = two(value, w.shuffle(value, distance))
    with w.when(i.two("remui", 32).is_("==", 0)):
        w.store(value, held, i.two("divui", 32))
    w.barrier()
    value = w.load(held, 0)
    for warp in range(1, warps):
        value = two(value, w.load(held, warp))
    w.barrier()
    return value


@group
def softmax_block(w: Writer) -> None:
    """Rows by blocks; each thread keeps its elements in registers."""
    warps, each = w.rng.choice((2, 4)), w.rng.choice((2, 4, 8))
    type_ = w.rng.choice(("f32", "f16"))
    columns = warps * 32 * each
    a, out = w.memory(w.numbers(type_, 2, columns)), w.memory(w.numbers(type_, 2, columns))
    held = w.shared("f32", warps)
    w.launch(2, warps * 32)
    row, i = w.program(), w.thread()
    wide = f"vector<{each}xf32>"
    x = w.vector(a, each, row, i * each)
    x = x if type_ == "f32" else x.to("extf", wide)
    top = w.put(f"vector.reduction <maximumf>, {x.name} : {wide} into f32", "f32")
    top = _in_block(w, top, held, i, warps, lambda p, q: p.two("maximumf", q))
    top = w.put(f"vector.broadcast {top.name} : f32 to {wide}", wide)
    x = w.call("exp", (x - top) * w.rng.uniform(0.1, 1))
    total = w.put(f"vector.reduction <add>, {x.name} : {wide} into f32", "f32")
    total = _in_block(w, total, held, i, warps, lambda p, q: p + q)
    x = x * w.put(f"vector.broadcast {(1.0 / total).name} : f32 to {wide}", wide)
    w.store_vector(x if type_ == "f32" else x.to("truncf", f"vector<{each}xf16>"), out, row, i * each)


@group
def rms_norm(w: Writer) -> None:
    rows, columns = 2, 4 * w.rng.randrange(100, 200)
    a, weights = w.memory(w.numbers("f16", rows, columns)), w.memory(w.numbers("f32", columns))
    out = w.memory(w.numbers("f16", rows, columns))
    held = w.shared("f32", 4)
    w.launch(rows, 128)
    row, i, n = w.program(), w.thread(), w.scalar("index", columns)
    wide, narrow = "vector<4xf32>", "vector<4xf16>"
    with w.loop(i * 4, n, 512, (w.const(0.0, "f32"),)) as loop:
        x = w.vector(a, 4, row, loop.counter).to("extf", wide)
        square = x * x
        loop.yields = [loop.carried[0] + w.put(f"vector.reduction <add>, {square.name} : {wide} into f32", "f32")]
    total = _in_block(w, loop.results[0], held, i, 4, lambda p, q: p + q)
    scale = w.call("rsqrt", total * (1 / columns) + 1e-6)
    scale = w.put(f"vector.broadcast {scale.name} : f32 to {wide}", wide)
    with w.loop(i * 4, n, 512) as loop:
        x = w.vector(a, 4, row, loop.counter).to("extf", wide)
        y = x * scale * w.vector(weights, 4, loop.counter)
        w.store_vector(y.to("truncf", narrow), out, row, loop.counter)


@group
def rotary(w: Writer) -> None:
    heads, size, rows = w.rng.randrange(2, 5), w.rng.choice((32, 64)), 4
    a = w.memory(w.numbers("f32", rows, heads, 2 * size))
    w.launch((rows, heads), size)
    row, head, i = w.program("x"), w.program("y"), w.thread()
    base = w.const(-np.log2(10000.0) / size, "f32")
    power = w.call("exp2", i.to("index_cast", "i32").to("sitofp", "f32") * base)
    angle = row.to("index_cast", "i32").to("sitofp", "f32") * power
    c, s = w.call("cos", angle), w.call("sin", angle)
    x, y = w.load(a, row, head, i), w.load(a, row, head, i + size)
    w.store(x * c - y * s, a, row, head, i)
    w.store(x * s + y * c, a, row, head, i + size)


@group
def quantise_i8(w: Writer) -> None:
    rows, columns = 4, 4 * w.rng.randrange(60, 120)
    a, out, scales = (w.memory(w.numbers(t, *s)) for t, s in (
        ("f32", (rows, columns)), ("i8", (rows, columns)), ("f32", (rows,))))  # fmt: skip
    w.launch(rows, 32)
    row, i, n = w.program(), w.thread(), w.scalar("index", columns)
    with w.loop(i, n, 32, (w.const(1e-9, "f32"),)) as loop:
        loop.yields = [loop.carried[0].two("maximumf", w.call("absf", w.load(a, row, loop.counter)))]
    top = loop.results[0]
    for distance in (16, 8, 4, 2, 1):
        top = top.two("maximumf", w.shuffle(top, distance))
    with w.when(i.is_("==", 0)):
        w.store(top * (1 / 127), scales, row)
    factor = 127.0 / top
    with w.loop(i * 4, n, 128) as loop:
        x = w.vector(a, 4, row, loop.counter) * w.put(f"vector.broadcast {factor.name} : f32 to vector<4xf32>",
                                                      "vector<4xf32>")  # fmt: skip
        x = w.call("roundeven", x).to("fptosi", "vector<4xi32>")
        w.store_vector(x.to("trunci", "vector<4xi8>"), out, row, loop.counter)


@group
def dequantise_i4(w: Writer) -> None:
    """Words of eight numbers with a scale for each group, to f16."""
    words, each = 32 * w.rng.randrange(4, 9), w.rng.choice((4, 8, 16))
    a, scales = w.memory(w.numbers("i32", words)), w.memory(w.numbers("f16", words // each))
    out = w.memory(w.numbers("f16", words * 8))
    zero, high = w.rng.randrange(16), w.rng.random() < 0.5
    w.launch(-(-words // 64), 64)
    i = w.everywhere()
    with w.when(i.is_("<", w.scalar("index", words))):
        word, scale = w.load(a, i), w.load(scales, i.two("divui", each))
        lanes = []
        for n in range(8):
            digit = word.two("shrui", 4 * (7 - n if high else n)) & 15
            lanes.append((digit - zero).to("sitofp", "f16") * scale)
        w.store_vector(_vector(w, lanes), out, i * 8)


@group
def gelu_bias(w: Writer) -> None:
    rows, columns = 3, w.rng.randrange(100, 300)
    type_ = w.rng.choice(("f32", "f16", "bf16"))
    a, bias, out = (w.memory(w.numbers(type_, *s)) for s in ((rows, columns), (columns,), (rows, columns)))
    exact = w.rng.random() < 0.5
    w.launch((-(-columns // 64), rows), 64)
    row, j = w.program("y"), w.everywhere()
    with w.when(j.is_("<", w.scalar("index", columns))):
        x = w.load(a, row, j) + w.load(bias, j)
        x = x if type_ == "f32" else x.to("extf", "f32")
        inner = w.call("erf", x * 0.70710678) if exact else w.call("tanh", (x * x * x * 0.044715 + x) * 0.79788456)
        y = (inner + 1.0) * x * 0.5
        w.store(y if type_ == "f32" else y.to("truncf", type_), out, row, j)


@group
def fp8_scale(w: Writer) -> None:
    count = 4 * w.rng.randrange(100, 300)
    type_ = w.rng.choice(("f8E4M3FN", "f8E5M2"))
    a, out = w.memory(w.numbers("f16", count)), w.memory(w.numbers("i8", count))
    w.launch(-(-count // 64), 64)
    i = w.everywhere()
    with w.when(i.is_("<", w.scalar("index", count))):
        x = w.load(a, i).to("extf", "f32") * w.rng.uniform(0.5, 4)
        bits = x.to("bitcast", "i32")
        exponent = (bits.two("shrui", 23) & 255) - (127 - (7 if type_ == "f8E4M3FN" else 15))
        kept = 3 if type_ == "f8E4M3FN" else 2
        rounded = bits + ((bits.two("shrui", 23 - kept) & 1) + ((1 << 22 - kept) - 1))
        packed = (rounded.two("shrui", 23 - kept) & ((1 << kept) - 1)) | (exponent << kept)
        small = exponent.is_("<=", 0)
        packed = w.select(small, 0, packed) | (bits.two("shrui", 24) & 128)
        w.store(packed.to("trunci", "i8"), out, i)


@group
def attention_row(w: Writer) -> None:
    """One query against keys with a running maximum."""
    size, keys = w.rng.choice((8, 16)), w.rng.randrange(20, 50)
    q, k, v, out = (w.memory(w.numbers("f32", *s)) for s in ((32, size), (keys, size), (keys, size), (32, size)))
    w.launch(1, 32)
    row = w.thread()
    mine = [w.load(q, row, n) * size**-0.5 for n in range(size)]
    start = [w.const(-1e30, "f32"), w.const(0.0, "f32")] + [w.const(0.0, "f32")] * size
    with w.loop(0, w.scalar("index", keys), 1, start) as loop:
        top, total, *sums = loop.carried
        score = w.const(0.0, "f32")
        for n in range(size):
            score = score + mine[n] * w.load(k, loop.counter, n)
        more = top.two("maximumf", score)
        old, new = w.call("exp", top - more), w.call("exp", score - more)
        loop.yields = [more, total * old + new, *(
            one * old + new * w.load(v, loop.counter, n) for n, one in enumerate(sums))]  # fmt: skip
    for n in range(size):
        w.store(loop.results[2 + n] / loop.results[1], out, row, n)
