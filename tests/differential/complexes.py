"""Complex numbers: their arithmetic, and how they are carried through branches, loops, memory and calls."""

from __future__ import annotations

from tests.differential.control import DEEPEST
from tests.differential.generator import Builder, produces
from tests.differential.small_floats import hidden

ONE = ("neg", "conj", "sign")


def number(b: Builder, t: str) -> str:
    """A complex number of two values in scope, or a constant."""
    if b.rng.random() < 0.15:
        # MLIR folds products with one, though infinity times its imaginary zero is no number.
        parts = ", ".join(f"{b.rng.choice((2.5, -3.0, 0.0))} : {t}" for _ in range(2))
        return hidden(b, f"complex.constant [{parts}] : complex<{t}>")
    return hidden(b, f"complex.create {b.of(t)}, {b.of(t)} : complex<{t}>")


def result(b: Builder, x: str, t: str) -> None:
    """What is seen of a number: its parts, its absolute value, whether it is another."""
    b.one(f"complex.re {x} : complex<{t}>", t)
    b.one(f"complex.im {x} : complex<{t}>", t)
    if b.rng.random() < 0.3:
        b.one(f"complex.{b.rng.choice(('eq', 'neq'))} {x}, {number(b, t)} : complex<{t}>", "i1")


def step(b: Builder, x: str, t: str) -> str:
    """An operation on a number."""
    if b.rng.random() < 0.3:
        return hidden(b, f"complex.{b.rng.choice(ONE)} {x} : complex<{t}>")
    pair = [x, number(b, t)]
    b.rng.shuffle(pair)
    # MLIR folds a sum less one of its parts, whatever is lost: a kernel has no sums, or no differences.
    ops = ("mul", "div", "add" if sum(b.kernel.block) % 2 else "sub")
    return hidden(b, f"complex.{b.rng.choice(ops)} {', '.join(pair)} : complex<{t}>")


@produces(3)
def arithmetic(b: Builder) -> None:
    """Some operations, one after the other."""
    t = b.rng.choice(("f32", "f64"))
    x = number(b, t)
    for _ in range(b.rng.randint(1, 3)):
        x = step(b, x, t)
    result(b, x, t)


@produces(3)
def carried(b: Builder) -> None:
    """A number chosen, carried by a loop, kept in memory, or passed to a function."""
    t = b.rng.choice(("f32", "f64"))
    c, x, y = f"complex<{t}>", number(b, t), number(b, t)
    kind = b.rng.choice(("select", "if", "for", "memory", "call"))
    if kind == "call" and not b.device and b.depth < DEEPEST:
        symbol, argument = b.symbol("z"), b.name()
        saved = b.scope, b.depth, b.uniform
        b.scope, b.depth, b.device, b.uniform = [[]], DEEPEST - 1, True, False
        with b.inside([]) as body:
            body.tail = f"func.return {step(b, argument, t)} : {c}"
        (b.scope, b.depth, b.uniform), b.device = saved, False
        b.kernel.functions.append(b.node(f"func.func private {symbol}({argument}: {c}) -> {c} <<0>>", regions=[body], kept=True))  # fmt: skip
        result(b, hidden(b, f"func.call {symbol}({x}) : ({c}) -> {c}"), t)
    elif kind == "if":
        got, test = b.name(), b.of("i1")
        regions = []
        for start in (x, y):
            with b.inside() as region:
                region.tail = f"scf.yield {step(b, start, t)} : {c}"
            regions.append(region)
        b.region.nodes.append(b.node(f"{got} = scf.if {test} -> ({c}) <<0>> else <<1>>", regions=regions, kept=True))
        result(b, got, t)
    elif kind == "for":
        low, by = b.constant("index", 0, kept=True), b.constant("index", 1, kept=True)
        got, counter, inner, high = b.name(), b.name(), b.name(), b.masked(4)
        with b.inside([(counter, "index")]) as region:
            region.tail = f"scf.yield {step(b, inner, t)} : {c}"
        b.region.nodes.append(b.node(f"{got} = scf.for {counter} = {low} to {high} step {by} iter_args({inner} = {x}) -> ({c}) <<0>>",
                                     regions=[region], kept=True))  # fmt: skip
        result(b, got, t)
    elif kind == "memory":
        buffer = hidden(b, f"memref.alloca() : memref<4x{c}>")
        for i in range(4):
            b.emit(f"memref.store {x if i % 2 else y}, {buffer}[{b.constant('index', i, kept=True)}] : memref<4x{c}>", kept=True)  # fmt: skip
        b.emit(f"memref.store {number(b, t)}, {buffer}[{b.masked(4)}] : memref<4x{c}>", kept=True)
        result(b, hidden(b, f"memref.load {buffer}[{b.masked(4)}] : memref<4x{c}>"), t)
    else:
        result(b, hidden(b, f"arith.select {b.of('i1')}, {x}, {y} : {c}"), t)
