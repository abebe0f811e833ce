"""Narrow elements packed in registers."""

from __future__ import annotations

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("packing")


@group
def polynomial_f16x2(w: Writer) -> None:
    count, lanes = w.rng.randrange(300, 600) * 8, w.rng.choice((2, 4, 8))
    a, b = w.memory(w.numbers("f16", count)), w.memory(w.numbers("f16", count))
    type_ = f"vector<{lanes}xf16>"
    w.launch(1, 32)
    with w.loop(w.thread() * lanes, w.scalar("index", count), 32 * lanes) as loop:
        x = w.vector(a, lanes, loop.counter)
        y = w.const(w.rng.uniform(-1, 1), type_)
        for _ in range(w.rng.randrange(3, 6)):
            y = w.op(f"math.fma {y.name}, {x.name}, {w.const(w.rng.uniform(-1, 1), type_).name}", type_)
        w.store_vector(y, b, loop.counter)


@group
def sum_bf16(w: Writer) -> None:
    rows, columns = 32, 2 * w.rng.randrange(40, 80)
    a, out = w.memory(w.numbers("bf16", rows, columns)), w.memory(w.numbers("f32", rows))
    w.launch(1, rows)
    row = w.thread()
    with w.loop(0, w.scalar("index", columns), 2, (w.const(0.0, "f32"),)) as loop:
        x = w.vector(a, 2, row, loop.counter).to("extf", "vector<2xf32>")
        total = loop.carried[0]
        for lane in range(2):
            total = total + w.put(f"vector.extract {x.name}[{lane}] : f32 from vector<2xf32>", "f32")
        loop.yields = [total]
    w.store(loop.results[0], out, row)


@group
def fp8_to_f16(w: Writer) -> None:
    """fp8 bits widened by hand: every value of e5m2 is the upper byte of an f16."""
    count = 4 * w.rng.randrange(600, 900)
    a, out = w.memory(w.numbers("i8", count)), w.memory(w.numbers("i16", count))
    scale = w.rng.choice((2.0, 0.5, 3.0))
    w.launch(1, 64)
    with w.loop(w.thread() * 4, w.scalar("index", count), 256) as loop:
        bits = w.vector(a, 4, loop.counter).to("extui", "vector<4xi16>") << 8
        real = bits.to("bitcast", "vector<4xf16>") * scale
        w.store_vector(real.to("bitcast", "vector<4xi16>"), out, loop.counter)


@group
def unpack_4bit(w: Writer) -> None:
    count = w.rng.randrange(300, 700)
    a, scales = w.memory(w.numbers("i32", count)), w.memory(w.numbers("f16", count))
    out = w.memory(w.numbers("f16", count, 8))
    bias = w.rng.randrange(4, 9)
    w.launch(1, 32)
    with w.loop(w.thread(), w.scalar("index", count), 32) as loop:
        word, scale = w.load(a, loop.counter), w.load(scales, loop.counter)
        packed: Value = w.const(0.0, "vector<8xf16>")
        for lane in range(8):
            nibble = word.two("shrui", 4 * lane) & 15
            real = (nibble - bias).to("sitofp", "f16") * scale
            packed = w.put(
                f"vector.insert {real.name}, {packed.name} [{lane}] : f16 into vector<8xf16>", "vector<8xf16>"
            )
        w.store_vector(packed, out, loop.counter, 0)
