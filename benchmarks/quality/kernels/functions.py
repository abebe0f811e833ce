"""Elementary functions."""

from __future__ import annotations

from quality.emitter import Writer
from quality.kernels import kernel

group = kernel("functions")


def _each(w: Writer, type_: str, body: object, low: float, high: float) -> None:
    count = w.rng.randrange(600, 1300)
    a, b = w.memory(w.numbers(type_, count, low=low, high=high)), w.memory(w.numbers(type_, count))
    n = w.scalar("index", count)
    if w.rng.random() < 0.5:
        w.launch(-(-count // 64), 64)
        i = w.everywhere()
        with w.when(i.is_("<", n)):
            w.store(body(w.load(a, i)), b, i)
    else:
        w.launch(1, 64)
        with w.loop(w.thread(), n, 64) as loop:
            w.store(body(w.load(a, loop.counter)), b, loop.counter)


@group
def cos_f32(w: Writer) -> None:
    scale = w.rng.uniform(0.5, 20)
    _each(w, "f32", lambda x: w.call("cos", x * scale), -3, 3)


@group
def acos_f32(w: Writer) -> None:
    _each(w, "f32", lambda x: w.call("acos", x), -1, 1)


@group
def sinh_f32(w: Writer) -> None:
    _each(w, "f32", lambda x: w.call("sinh", x) * w.rng.uniform(1, 2), -5, 5)


@group
def pow_literal_f32(w: Writer) -> None:
    power = w.rng.choice((2.5, 0.75, -1.5, 2.2, 1 / 2.4))
    _each(w, "f32", lambda x: w.call("powf", x, power), 0.1, 30)


@group
def exp_f16(w: Writer) -> None:
    _each(w, "f16", lambda x: w.call("exp", x), -4, 4)


@group
def log_f64(w: Writer) -> None:
    _each(w, "f64", lambda x: w.call(w.rng.choice(("log", "log2", "log1p")), x), 0.1, 50)


@group
def sin_f64(w: Writer) -> None:
    _each(w, "f64", lambda x: w.call("sin", x), -10, 10)


@group
def mix_f32(w: Writer) -> None:
    names = w.rng.sample(("exp", "log", "tanh", "erf", "sqrt", "rsqrt", "atan", "expm1", "log2", "exp2", "cbrt"), 6)

    def body(x: object) -> object:
        total = w.const(0.0, "f32")
        for name in names:
            total = total + w.call(name, x) * w.rng.uniform(0.5, 2)
        return total

    _each(w, "f32", body, 0.1, 4)
