"""Branches and loops whose trips depend on data."""

from __future__ import annotations

from quality.emitter import Value, Writer
from quality.kernels import kernel

group = kernel("control")


@group
def gcd(w: Writer) -> None:
    type_ = w.rng.choice(("i32", "i64"))
    a, b, out = (w.memory(w.numbers(type_, 64, low=1, high=9999)) for _ in range(3))
    w.launch(1, 64)
    i = w.thread()
    x, _ = w.repeat((w.load(a, i), w.load(b, i)), lambda p, q: q.is_("!=", 0), lambda p, q: (q, p.two("remui", q)))
    w.store(x, out, i)


@group
def state_machine(w: Writer) -> None:
    rows, length = 32, w.rng.randrange(40, 70)
    text, out = w.memory(w.numbers("i8", rows, length)), w.memory(w.numbers("i32", rows))
    states = w.rng.randrange(4, 7)
    moves = [(w.rng.randrange(-60, 60), w.rng.randrange(states), w.rng.randrange(states)) for _ in range(states)]
    w.launch(1, rows)
    row = w.thread()
    with w.loop(0, w.scalar("index", length), 1, (w.const(0, "i32"), w.const(0, "i32"))) as loop:
        symbol = w.load(text, row, loop.counter)
        state, count = loop.carried

        def step(at: int) -> list[Value]:
            bound, yes, no = moves[at]
            chosen = w.select(symbol.is_("<", bound), w.const(yes, "i32"), w.const(no, "i32"))
            if at == states - 1:
                return [chosen, count + (at + 1)]
            return w.either(state.is_("==", at), lambda: [chosen, count + at], lambda: step(at + 1))

        loop.yields = step(0)
    w.store(loop.results[1] * states + loop.results[0], out, row)


@group
def early_exit(w: Writer) -> None:
    rows, length = 32, w.rng.randrange(50, 90)
    data, out = w.memory(w.numbers("f32", rows, length)), w.memory(w.numbers("i32", rows))
    bound = w.rng.uniform(1.5, 1.9)
    w.launch(1, rows)
    row, n = w.thread(), w.scalar("index", length)

    def test(i: Value) -> Value:
        inside = i.is_("<", n)
        (small,) = w.either(
            inside, lambda: [w.load(data, row, i).is_("<", bound)], lambda: [w.put("arith.constant false", "i1")]
        )
        return small

    (found,) = w.repeat((w.const(0),), test, lambda i: (i + 1,))
    w.store(found.to("index_cast", "i32"), out, row)


@group
def nested_break(w: Writer) -> None:
    rows, outer, inner = 32, w.rng.randrange(5, 9), w.rng.randrange(9, 17)
    data, out = w.memory(w.numbers("i32", rows, outer, inner, low=0, high=100)), w.memory(w.numbers("i32", rows))
    limit = w.rng.randrange(80, 99)
    w.launch(1, rows)
    row = w.thread()
    a, b = w.scalar("index", outer), w.scalar("index", inner)
    with w.loop(0, a, 1, (w.const(0, "i32"),)) as loop:
        _, total, _ = w.repeat(
            (w.const(0), loop.carried[0], w.put("arith.constant true", "i1")),
            lambda j, total, go: w.op(f"arith.andi {j.is_('<', b).name}, {go.name}", "i1"),
            lambda j, total, go: (lambda x: (j + 1, total + x, x.is_("<", limit)))(w.load(data, row, loop.counter, j)),
        )
        loop.yields = [total]
    w.store(loop.results[0], out, row)


@group
def binary_search(w: Writer) -> None:
    import numpy as np

    length = w.rng.randrange(200, 400)
    type_ = w.rng.choice(("f32", "i32"))
    table = w.memory(np.sort(w.numbers(type_, length)))
    keys, out = w.memory(w.numbers(type_, 64)), w.memory(w.numbers("i32", 64))
    w.launch(1, 64)
    i = w.thread()
    key = w.load(keys, i)

    def halve(low: Value, high: Value) -> tuple[Value, Value]:
        middle = (low + high).two("shrui", 1)
        right = w.load(table, w.index(middle)).is_("<", key)
        return w.select(right, middle + 1, low), w.select(right, high, middle)

    low, _ = w.repeat((w.const(0, "i32"), w.scalar("i32", length)), lambda low, high: low.is_("<", high), halve)
    w.store(low, out, i)


@group
def escape_time(w: Writer) -> None:
    columns, most = 16, w.rng.randrange(40, 80)
    type_ = w.rng.choice(("f32", "f32", "f64"))
    out = w.memory(w.numbers("i32", 8, columns))
    step, left = w.rng.uniform(0.1, 0.2), w.rng.uniform(-2, -1.5)
    w.launch(1, (columns, 8))
    i, j = w.thread("y"), w.thread("x")
    x0, y0 = (one.to("index_cast", "i32").to("sitofp", type_) * step + left for one in (j, i))

    def step_(x: Value, y: Value, n: Value) -> tuple[Value, Value, Value]:
        return x * x - y * y + x0, (x + x) * y + y0, n + 1

    def inside(x: Value, y: Value, n: Value) -> Value:
        near = (x * x + y * y).is_("<=", 4.0)
        return w.op(f"arith.andi {near.name}, {n.is_('<', most).name}", "i1")

    zero = w.const(0.0, type_)
    _, _, n = w.repeat((zero, zero, w.const(0, "i32")), inside, step_)
    w.store(n, out, i, j)
