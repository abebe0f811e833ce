"""Integer arithmetic."""

from __future__ import annotations

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("integers")


@group
def four_indices(w: Writer) -> None:
    a, b, c, d = (w.rng.randrange(3, 8) for _ in range(4))
    source, out = w.memory(w.numbers("f32", d, b, a, c)), w.memory(w.numbers("f32", a * b * c * d))
    w.launch(-(-a * b * c * d // 64), 64)
    i = w.everywhere()
    dynamic = w.rng.random() < 0.5
    eb, ec, ed = (w.scalar("index", n) if dynamic else w.const(n) for n in (b, c, d))
    with w.when(i.is_("<", w.scalar("index", a * b * c * d))):
        w_, rest = i.two("remui", ed), i.two("divui", ed)
        z, rest = rest.two("remui", ec), rest.two("divui", ec)
        y, x = rest.two("remui", eb), rest.two("divui", eb)
        w.store(w.load(source, w_, y, x, z), out, i)


@group
def literal_divisors(w: Writer) -> None:
    count = w.rng.randrange(600, 1300)
    type_ = w.rng.choice(("i32", "i32", "i64"))
    a, out = w.memory(w.numbers(type_, count)), w.memory(w.numbers(type_, count))
    w.launch(1, 64)
    with w.loop(w.thread(), w.scalar("index", count), 64) as loop:
        x = w.load(a, loop.counter)
        total = w.const(0, type_)
        for _ in range(5):
            divisor = w.rng.choice((3, 7, 10, 12, 24, 60, 100, 365, 641, 1000, 86400, w.rng.randrange(11, 5000)))
            total = total + x.two(w.rng.choice(("divui", "divsi", "remui", "remsi", "floordivsi")), divisor)
        w.store(total, out, loop.counter)


@group
def modular_power(w: Writer) -> None:
    modulus = w.rng.randrange(1000, 60000)
    a, e, out = (w.memory(w.numbers("i32", 64, low=1, high=999)) for _ in range(3))
    w.launch(1, 64)
    i = w.thread()
    m = w.const(modulus, "i32") if w.rng.random() < 0.5 else w.scalar("i32", modulus)

    def body(base: Value, left: Value, total: Value) -> tuple[Value, Value, Value]:
        odd = (left & 1).is_("!=", 0)
        more = (total * base).two("remui", m)
        return (base * base).two("remui", m), left.two("shrui", 1), w.select(odd, more, total)

    _, _, total = w.repeat((w.load(a, i), w.load(e, i), w.const(1, "i32")), lambda b, left, t: left.is_("!=", 0), body)
    w.store(total, out, i)


@group
def hashing(w: Writer) -> None:
    length = w.rng.randrange(30, 60)
    a, out = w.memory(w.numbers("i32", 32, length)), w.memory(w.numbers("i32", 32))
    m1, m2, s1, s2 = w.rng.randrange(1 << 31) | 1, w.rng.randrange(1 << 31) | 1, w.rng.randrange(5, 28), 13
    w.launch(1, 32)
    row = w.thread()

    def rotated(x: Value, n: int) -> Value:
        return (x << n) | x.two("shrui", 32 - n)

    with w.loop(0, w.scalar("index", length), 1, (w.const(w.rng.randrange(1 << 20), "i32"),)) as loop:
        k = rotated(w.load(a, row, loop.counter) * m1, s1) * m2
        loop.yields = [rotated(loop.carried[0] ^ k, s2) * 5 + 0x6546B64]
    h = loop.results[0]
    for shift, factor in ((16, m1), (13, m2), (16, 1)):
        h = (h ^ h.two("shrui", shift)) * factor
    w.store(h, out, row)


@group
def bit_counts(w: Writer) -> None:
    count = w.rng.randrange(600, 1300)
    type_ = w.rng.choice(("i32", "i64"))
    a, b, out = (w.memory(w.numbers(type_, count)) for _ in range(3))
    w.launch(1, 64)
    with w.loop(w.thread(), w.scalar("index", count), 64) as loop:
        x, y = w.load(a, loop.counter), w.load(b, loop.counter)
        one = w.call("ctpop", x ^ y) + w.call("ctlz", x) * w.rng.randrange(2, 9)
        two = w.call("cttz", x | y) << w.rng.randrange(1, 5)
        w.store(one ^ two, out, loop.counter)


@group
def product_128(w: Writer) -> None:
    count = w.rng.randrange(600, 1300)
    a, b, low, high = (w.memory(w.numbers("i64", count)) for _ in range(4))
    name = w.rng.choice(("mului_extended", "mulsi_extended"))
    w.launch(1, 64)
    with w.loop(w.thread(), w.scalar("index", count), 64) as loop:
        x, y = w.load(a, loop.counter), w.load(b, loop.counter)
        number = w.put("arith.constant 1 : i64", "i64")  # A name for the pair.
        pair = number.name + "p"
        w.line(f"{pair}:2 = arith.{name} {x.name}, {y.name} : i64")
        w.store(Value(w, f"{pair}#0", "i64"), low, loop.counter)
        w.store(Value(w, f"{pair}#1", "i64") + w.rng.randrange(1, 99), high, loop.counter)


@group
def counter_random(w: Writer) -> None:
    """Philox: products of 32 bits, their halves crossed, keys that step."""
    out = w.memory(w.numbers("i32", 64, 4))
    rounds = w.rng.choice((7, 10))
    w.launch(1, 64)
    i = w.thread()
    c = [i.to("index_cast", "i32"), *(w.scalar("i32", w.rng.randrange(1 << 30)) for _ in range(3))]
    k = [w.scalar("i32", w.rng.randrange(1 << 30)) for _ in range(2)]
    m = [0xD2511F53 - (1 << 32), 0xCD9E8D57 - (1 << 32)]

    def wide(x: Value, factor: int) -> tuple[Value, Value]:
        long = x.to("extui", "i64") * (factor & 0xFFFFFFFF)
        return long.to("trunci", "i32"), long.two("shrui", 32).to("trunci", "i32")

    for _ in range(rounds):
        (l0, h0), (l1, h1) = wide(c[0], m[0]), wide(c[2], m[1])
        c = [h1 ^ c[1] ^ k[0], l1, h0 ^ c[3] ^ k[1], l0]
        k = [k[0] + (0x9E3779B9 - (1 << 32)), k[1] + (0xBB67AE85 - (1 << 32))]
    for number, word in enumerate(c):
        w.store(word, out, i, number)
