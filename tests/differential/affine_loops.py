"""`affine` in a function of its own: loops between least and greatest bounds, tests, memory; parallel loops that reduce."""

from __future__ import annotations

from tests.differential import types
from tests.differential.control import DEEPEST
from tests.differential.generator import Builder, produces
from tests.differential.small_floats import hidden


def formula(b: Builder) -> str:
    """An affine expression of `d0`, `d1` and `s0`, not large."""
    first = b.rng.choice(("d0", "d1", "d0 + d1", "d0 - d1", "d0 * 2 + s0", "s0 - d1", "d0 * 3"))
    return b.rng.choice((first, first, f"({first}) mod {b.rng.choice((2, 3, 4, 5))}", f"({first}) floordiv {b.rng.choice((2, 3, 4))}",
                         f"({first}) ceildiv {b.rng.choice((2, 3))}", f"{first} + {b.rng.randint(-3, 3)}"))  # fmt: skip


@produces(4)
def affine_functions(b: Builder) -> None:
    """A function of two indices and a value."""
    if b.device or b.depth >= DEEPEST:
        return
    symbol, t = b.symbol("q"), b.rng.choice(("i32", "i64", "i16", "i8"))
    n, m, x, i, carried = (b.name() for _ in range(5))
    saved = b.scope, b.depth, b.uniform
    b.scope, b.depth, b.device, b.uniform = [[]], DEEPEST - 1, True, False
    with b.inside([(n, "index"), (m, "index"), (x, t)]) as body:
        buffer = hidden(b, f"memref.alloca() : memref<8x{t}>")
        for place in range(8):
            b.emit(f"affine.store {b.of(t)}, {buffer}[{place}] : memref<8x{t}>", kept=True)
        with b.inside([(i, "index"), (carried, t)]) as loop:
            apply(b, i, m)
            at = hidden(b, f"affine.apply affine_map<(d0, d1) -> ((d0 + d1) mod 8)>({i}, {n})")
            b.emit(f"affine.store {b.of(t)}, {buffer}[{at}] : memref<8x{t}>")
            found = hidden(b, f"affine.load {buffer}[({m} + {i}) mod 8] : memref<8x{t}>")
            b.scope[-1].append((found, t))
            b.some(b.rng.randint(1, 2))
            result = test(b, i, m, t) if b.rng.random() < 0.6 else b.of(t)
            loop.tail = f"affine.yield {result} : {t}"
        low = b.rng.choice(
            (str(b.rng.randint(-2, 2)), f"max affine_map<(d0, d1)[s0] -> ({formula(b)}, 0)>({n}, {m})[{n}]", m)
        )
        high = b.rng.choice((str(b.rng.randint(0, 7)), f"min affine_map<(d0, d1)[s0] -> ({formula(b)}, 9)>({n}, {m})[{m}]", n,
                             f"affine_map<(d0, d1)[s0] -> ({formula(b)})>({m}, {n})[{n}]"))  # fmt: skip
        step = b.rng.choice(("", "", " step 2", " step 3"))
        (got,) = b.emit(f"affine.for {i} = {low} to {high}{step} iter_args({carried} = {x}) -> ({t}) <<0>>", t, regions=[loop])  # fmt: skip
        apply(b, n, m)
        body.tail = f"func.return {got} : {t}"
    (b.scope, b.depth, b.uniform), b.device = saved, False
    text = f"func.func private {symbol}({n}: index, {m}: index, {x}: {t}) -> {t} <<0>>"
    b.kernel.functions.append(b.node(text, regions=[body], kept=True))
    b.emit(f"func.call {symbol}({b.masked(8)}, {b.masked(8)}, {b.of(t)}) : (index, index, {t}) -> {t}", t)


def apply(b: Builder, x: str, y: str) -> None:
    """A value of a formula, or the least or greatest of some; an index split into several, and joined."""
    kind = b.rng.choice(("apply", "min", "max", "split", "join"))
    if kind in ("split", "join"):
        other = b.rng.choice((3, 4, 5))
        if kind == "split":
            b.emit(f"affine.delinearize_index {x} into ({b.rng.choice((2, 3))}, {other}) : index, index", "index", "index")  # fmt: skip
        else:
            b.one(f"affine.linearize_index [{x}, {y}] by (8, {other}) : index", "index")
        return
    many = 1 if kind == "apply" else b.rng.randint(1, 3)
    b.one(f"affine.{kind} affine_map<(d0, d1)[s0] -> ({', '.join(formula(b) for _ in range(many))})>({x}, {y})[{y}]", "index")  # fmt: skip


def test(b: Builder, x: str, y: str, t: str) -> str:
    """`affine.if`."""
    regions = []
    for _ in range(2):
        with b.inside() as region:
            b.some(1)
            region.tail = f"affine.yield {b.of(t)} : {t}"
        regions.append(region)
    wanted = ", ".join(f"{formula(b)} {b.rng.choice(('>=', '=='))} 0" for _ in range(b.rng.randint(1, 2)))
    return b.emit(f"affine.if affine_set<(d0, d1)[s0] : ({wanted})>({x}, {y})[{y}] -> {t} <<0>> else <<1>>", t, regions=regions)[0]  # fmt: skip


@produces(3)
def parallel_loops(b: Builder) -> None:
    """`scf.parallel` in a thread, with a reduction; `scf.for` by a step that is known only as it runs."""
    if b.depth >= DEEPEST:
        return
    zero, one = b.constant("index", 0, kept=True), b.constant("index", 1, kept=True)
    step = hidden(b, f"arith.addi {b.masked(4)}, {one} : index")
    t = b.rng.choice(("i32", "i64", "i8", "i128"))
    op = b.rng.choice(("addi", "muli", "xori", "maxsi", "minui"))
    i, j, left, right, joined = (b.name() for _ in range(5))
    high = b.masked(8)
    if b.rng.random() < 0.5:
        carried, wanted = b.name(), types.some_type(b.rng)
        with b.inside([(i, "index"), (carried, wanted)]) as region:
            b.some(b.rng.randint(1, 3))
            region.tail = f"scf.yield {b.of(wanted)} : {wanted}"
        b.emit(f"scf.for {i} = {b.masked(4)} to {high} step {step} iter_args({carried} = {b.of(wanted)}) -> ({wanted}) <<0>>",
               wanted, regions=[region])  # fmt: skip
        return
    with b.inside([(i, "index"), (j, "index")]) as region:
        b.some(b.rng.randint(1, 3))
        region.tail = (f"scf.reduce({b.of(t)} : {t}) {{\n^bb0({left}: {t}, {right}: {t}):\n  {joined} = arith.{op} {left}, {right} : {t}\n"
                       f"  scf.reduce.return {joined} : {t}\n}}")  # fmt: skip
    b.emit(f"scf.parallel ({i}, {j}) = ({zero}, {b.masked(2)}) to ({high}, {b.constant('index', 3, kept=True)}) "
           f"step ({step}, {one}) init ({b.of(t)}) -> {t} <<0>>", t, regions=[region])  # fmt: skip


@produces(2)
def affine_parallel(b: Builder) -> None:
    """`affine.parallel` with reductions, in a function of its own."""
    if b.device or b.depth >= DEEPEST:
        return
    symbol, t = b.symbol("j"), b.rng.choice(("i32", "i64", "i16"))
    n, x, i, j, first, second = (b.name() for _ in range(6))
    ops = b.rng.sample(("addi", "muli", "ori", "andi"), 2)
    saved = b.scope, b.depth, b.uniform
    b.scope, b.depth, b.device, b.uniform = [[]], DEEPEST - 1, True, False
    with b.inside([(n, "index"), (x, t)]) as body:
        with b.inside([(i, "index"), (j, "index")]) as loop:
            apply(b, i, n)
            b.some(b.rng.randint(1, 2))
            loop.tail = f"affine.yield {b.of(t)}, {b.of(t)} : {t}, {t}"
        low = b.rng.choice((f"0, {b.rng.randint(0, 2)}", f"max({n}, 1), 0"))
        high = b.rng.choice((f"{b.rng.randint(1, 4)}, min({n} + 1, 3)", f"symbol({n}), 2"))
        step = b.rng.choice(("", "", " step (2, 1)"))
        if low.startswith("max"):
            high = f"6, {b.rng.randint(1, 3)}"
        listed = ", ".join(f'"{op}"' for op in ops)
        b.region.nodes.append(b.node(f"{first}, {second} = affine.parallel ({i}, {j}) = ({low}) to ({high}){step} reduce ({listed}) -> ({t}, {t}) <<0>>",
                                     regions=[loop], kept=True))  # fmt: skip
        both = hidden(b, f"arith.xori {first}, {second} : {t}")
        body.tail = f"func.return {both} : {t}"
    (b.scope, b.depth, b.uniform), b.device = saved, False
    b.kernel.functions.append(b.node(f"func.func private {symbol}({n}: index, {x}: {t}) -> {t} <<0>>", regions=[body], kept=True))  # fmt: skip
    b.emit(f"func.call {symbol}({b.masked(4)}, {b.of(t)}) : (index, {t}) -> {t}", t)
