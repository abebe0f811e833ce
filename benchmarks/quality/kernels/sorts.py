"""Scans and sorts, atomics, and arrays of a thread's own."""

from __future__ import annotations

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("scans")
atomics = kernel("atomics")
local = kernel("local memory")


def _block_scan(w: Writer, value: Value, held: Value, i: Value, threads: int) -> Value:
    """The inclusive sums of a block in shared memory."""
    w.store(value, held, i)
    w.barrier()
    distance = 1
    while distance < threads:
        (other,) = w.either(
            i.is_(">=", distance), lambda d=distance: [w.load(held, i - d)], lambda t=value.type: [w.const(0, t)]
        )
        w.barrier()
        value = value + other
        w.store(value, held, i)
        w.barrier()
        distance *= 2
    return value


@group
def block_scan(w: Writer) -> None:
    threads = w.rng.choice((64, 128))
    a, out = w.memory(w.numbers("i32", 2 * threads)), w.memory(w.numbers("i32", 2 * threads))
    held = w.shared("i32", threads)
    w.launch(2, threads)
    i = w.thread()
    at = w.program() * threads + i
    w.store(_block_scan(w, w.load(a, at), held, i, threads), out, at)


@group
def bitonic(w: Writer) -> None:
    count = w.rng.choice((32, 64))
    type_ = w.rng.choice(("i32", "f32"))
    a = w.memory(w.numbers(type_, count))
    held = w.shared(type_, count)
    w.launch(1, count)
    i = w.thread()
    w.store(w.load(a, i), held, i)
    w.barrier()
    size = 2
    while size <= count:
        distance = size // 2
        while distance:
            other = i ^ distance
            with w.when(other.is_(">", i)):
                x, y = w.load(held, i), w.load(held, other)
                up = (i & size).is_("==", 0)
                swap = w.op(f"arith.cmpi eq, {x.is_('>', y).name}, {up.name}", "i1")
                swap = Value(w, swap.name, "i1")
                w.store(w.select(swap, y, x), held, i)
                w.store(w.select(swap, x, y), held, other)
            w.barrier()
            distance //= 2
        size *= 2
    w.store(w.load(held, i), a, i)


@group
def radix_digits(w: Writer) -> None:
    count, bits = w.rng.randrange(300, 400), w.rng.choice((2, 3, 4))
    keys, out = w.memory(w.numbers("i32", count)), w.memory(w.numbers("i32", 1 << bits))
    counts = w.shared("i32", 1 << bits)
    shift = w.scalar("i32", bits * w.rng.randrange(4))
    w.launch(1, 128)
    i = w.thread()
    with w.when(i.is_("<", 1 << bits)):
        w.store(0, counts, i)
    w.barrier()
    with w.loop(i, w.scalar("index", count), 128) as loop:
        digit = w.load(keys, loop.counter).two("shrui", shift) & ((1 << bits) - 1)
        w.atomic("addi", w.const(1, "i32"), counts, w.index(digit))
    w.barrier()
    with w.when(i.is_("<", 1 << bits)):
        w.store(w.load(counts, i), out, i)


@group
def compaction(w: Writer) -> None:
    threads = 64
    a, out = w.memory(w.numbers("f32", threads)), w.memory(w.numbers("f32", threads))
    held = w.shared("i32", threads)
    w.launch(1, threads)
    i = w.thread()
    x = w.load(a, i)
    keep = x.is_(">", w.rng.uniform(-0.5, 0.5))
    at = _block_scan(w, keep.to("extui", "i32"), held, i, threads)
    with w.when(keep):
        w.store(x, out, w.index(at - 1))


@atomics
def histogram(w: Writer) -> None:
    bins, count = w.rng.randrange(16, 60), w.rng.randrange(300, 500)
    data, out = w.memory(w.numbers("i32", count, low=0, high=10000)), w.memory(w.numbers("i32", bins))
    held = w.shared("i32", 64)
    w.launch(1, 64)
    i = w.thread()
    w.store(0, held, i)
    w.barrier()
    with w.loop(i, w.scalar("index", count), 64) as loop:
        w.atomic("addi", w.const(1, "i32"), held, w.index(w.load(data, loop.counter).two("remui", bins)))
    w.barrier()
    with w.when(i.is_("<", bins)):
        w.atomic("addi", w.load(held, i), out, i)


@atomics
def scatter_add(w: Writer) -> None:
    rows, columns, count = w.rng.randrange(10, 20), w.rng.randrange(5, 12), 64
    at, a = w.memory(w.numbers("i32", count, low=0, high=rows - 1)), w.memory(w.numbers("f32", count, columns))
    out = w.memory(w.numbers("f32", rows, columns))
    w.launch(1, count)
    i = w.thread()
    row = w.index(w.load(at, i))
    with w.loop(0, w.scalar("index", columns)) as loop:
        w.atomic("addf", w.load(a, i, loop.counter) * w.rng.uniform(0.5, 2), out, row, loop.counter)


@atomics
def maximum_f32(w: Writer) -> None:
    """A maximum of floats by compare and swap, as `memref.generic_atomic_rmw` is."""
    a, out = w.memory(w.numbers("f32", 64)), w.memory(w.numbers("f32", 4))
    w.launch(1, 64)
    i = w.thread()
    slot = i.two("remui", w.rng.choice((2, 3, 4)))
    w.atomic("maximumf", w.load(a, i), out, slot)


@local
def sorting_network(w: Writer) -> None:
    count = w.rng.choice((5, 6, 8))
    type_ = w.rng.choice(("f32", "i32"))
    a = w.memory(w.numbers(type_, 32, count))
    w.launch(1, 32)
    row = w.thread()
    held = w.local(type_, count)
    with w.loop(0, count) as loop:
        w.store(w.load(a, row, loop.counter), held, loop.counter)
    for i in range(count):
        for j in range(i % 2, count - 1, 2):
            x, y = w.load(held, j), w.load(held, j + 1)
            small = x.is_("<", y)
            w.store(w.select(small, x, y), held, j)
            w.store(w.select(small, y, x), held, j + 1)
    with w.loop(0, count) as loop:
        w.store(w.load(held, loop.counter), a, row, loop.counter)


@local
def rotating_window(w: Writer) -> None:
    taps, length = w.rng.choice((4, 8)), w.rng.randrange(30, 60)
    a, out = w.memory(w.numbers("f32", 32, length)), w.memory(w.numbers("f32", 32, length))
    w.launch(1, 32)
    row = w.thread()
    held = w.local("f32", taps)
    with w.loop(0, taps) as loop:
        w.store(0.0, held, loop.counter)
    with w.loop(0, w.scalar("index", length)) as loop:
        w.store(w.load(a, row, loop.counter), held, loop.counter & (taps - 1))
        total = w.const(0.0, "f32")
        for tap in range(taps):
            total = total + w.load(held, (loop.counter - tap) & (taps - 1)) * w.rng.uniform(-1, 1)
        w.store(total, out, row, loop.counter)
