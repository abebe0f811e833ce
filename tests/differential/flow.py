"""Control flow of irregular shape: loops in loops with breaks, recursion, functions by pointer, parallel loops."""

from __future__ import annotations

from tests.differential import types
from tests.differential.control import DEEPEST, yielding
from tests.differential.generator import Builder, produces
from tests.differential.program import Named, Region


@produces(3)
def machines(b: Builder) -> None:
    """Blocks that branch anywhere, forwards and backwards, for a number of steps."""
    if b.depth >= DEEPEST - 1:
        return
    count = b.rng.randint(2, 5)
    type_, other = types.some_type(b.rng), types.some_type(b.rng)
    label = b.name()[1:]
    starts = [b.of(type_), b.of(other)]
    region = Region()

    def put(text: str) -> None:
        region.nodes.append(b.node(text, kept=True))

    put(f"%n{label} = arith.constant {b.rng.randint(2, 9)} : i32")
    put(f"%z{label} = arith.constant 0 : i32")
    put(f"%o{label} = arith.constant 1 : i32")
    both = f"i32, {type_}, {other}"
    put(f"cf.br ^{label}b0(%z{label}, {', '.join(starts)} : {both})")
    for i in range(count):
        step, first, second = b.name(), b.name(), b.name()
        arguments: list[Named] = [(step, "i32"), (first, type_), (second, other)]
        with b.inside(arguments) as part:
            b.some(b.rng.randint(0, 3))
            values, flag = [b.of(type_), b.of(other)], b.of("i1")
            selector = b.of("i32")
        put(f"^{label}b{i}({', '.join(f'{n}: {t}' for n, t in arguments)}):")
        region.nodes.extend(part.nodes)
        following, more, go = b.name(), b.name(), b.name()
        put(f"{following} = arith.addi {step}, %o{label} : i32")
        put(f"{more} = arith.cmpi slt, {following}, %n{label} : i32")
        passed = f"({following}, {', '.join(values)} : {both})"
        on = b.name()[1:]
        put(f"cf.cond_br {more}, ^{label}{on}, ^{label}end({', '.join(values)} : {type_}, {other})")
        put(f"^{label}{on}:")
        to = [f"^{label}b{b.rng.randrange(count)}{passed}" for _ in range(4)]
        kind = b.rng.choice(("one", "two", "switch", "leave"))
        if kind == "one":
            put(f"cf.br {to[0]}")
        elif kind == "two":
            put(f"cf.cond_br {flag}, {to[0]}, {to[1]}")
        elif kind == "leave":
            put(f"cf.cond_br {flag}, {to[0]}, ^{label}end({', '.join(values)} : {type_}, {other})")
        else:
            put(f"{go} = arith.andi {selector}, %o{label} : i32")
            put(f"cf.switch {go} : i32, [\n  default: {to[0]},\n  0: {to[1]},\n  1: {to[2]},\n  -5: {to[3]}\n]")
    first, second = b.name(), b.name()
    put(f"^{label}end({first}: {type_}, {second}: {other}):")
    put(f"scf.yield {first}, {second} : {type_}, {other}")
    b.emit(f"scf.execute_region -> ({type_}, {other}) <<0>>", type_, other, regions=[region])


@produces(2)
def recursions(b: Builder) -> None:
    """A function that calls itself some times, before or after other work."""
    if b.device or b.depth >= DEEPEST:
        return
    symbol = b.symbol("r")
    takes = [types.passable(b.rng) for _ in range(b.rng.randint(1, 3))]
    gives = takes if b.rng.random() < 0.5 else [types.passable(b.rng) for _ in range(b.rng.randint(1, 2))]
    arguments = [(b.name(), type_) for type_ in takes]
    count = b.name()
    saved = b.scope, b.depth, b.uniform
    b.scope, b.device, b.depth, b.uniform = [], True, DEEPEST - 1, False
    with b.inside([(count, "i32"), *arguments]) as body:
        zero, one = b.constant("i32", 0, kept=True), b.constant("i32", 1, kept=True)
        again = b.one(f"arith.cmpi sgt, {count}, {zero} : i32", "i1", kept=True)
        b.some(b.rng.randint(1, 3))
        with b.inside() as deeper:
            less = b.one(f"arith.subi {count}, {one} : i32", "i32", kept=True)
            names = [less, *(b.of(type_) for type_ in takes)]
            listed = ", ".join(["i32", *takes])
            b.emit(f"func.call {symbol}({', '.join(names)}) : ({listed}) -> ({', '.join(gives)})", *gives, kept=True)
            b.some(b.rng.randint(0, 2))
            deeper.tail = f"scf.yield {', '.join(b.of(t) for t in gives)} : {', '.join(gives)}"
        ends = yielding(b, gives)
        names = b.emit(f"scf.if {again} -> ({', '.join(gives)}) <<0>> else <<1>>", *gives, regions=[deeper, ends], kept=True)  # fmt: skip
        body.tail = f"func.return {', '.join(names)} : {', '.join(gives)}"
    (b.scope, b.depth, b.uniform), b.device = saved, False
    head = ", ".join(f"{name}: {type_}" for name, type_ in [(count, "i32"), *arguments])
    text = f"func.func private {symbol}({head}) -> ({', '.join(gives)}) <<0>>"
    b.kernel.functions.append(b.node(text, regions=[body], kept=True))
    depth = b.one(f"arith.index_cast {b.masked(4)} : index to i32", "i32", kept=True)
    names = [depth, *(b.of(type_) for type_ in takes)]
    b.emit(f"func.call {symbol}({', '.join(names)}) : ({', '.join(['i32', *takes])}) -> ({', '.join(gives)})", *gives)


@produces(2)
def nested_whiles(b: Builder) -> None:
    """`scf.while` in a loop, whose regions take and give different types."""
    if b.depth >= DEEPEST - 1:
        return
    state, given = types.some_type(b.rng), types.some_type(b.rng)
    limit, zero = b.constant("i32", b.rng.randint(1, 4), kept=True), b.constant("i32", 0, kept=True)
    count, value = b.name(), b.name()
    with b.inside([(count, "i32"), (value, state)]) as before:
        b.some(b.rng.randint(1, 2))
        go = b.one(f"arith.cmpi slt, {count}, {limit} : i32", "i1", kept=True)
        before.tail = f"scf.condition({go}) {b.of(given)}, {count} : {given}, i32"
    passed, second = b.name(), b.name()
    with b.inside([(passed, given), (second, "i32")]) as after:
        after.head = f"^bb0({passed}: {given}, {second}: i32):"
        b.some(b.rng.randint(1, 3))
        one = b.constant("i32", 1, kept=True)
        following = b.one(f"arith.addi {second}, {one} : i32", "i32", kept=True)
        after.tail = f"scf.yield {following}, {b.of(state)} : i32, {state}"
    b.emit(f"scf.while ({count} = {zero}, {value} = {b.of(state)}) : (i32, {state}) -> ({given}, i32) <<0>> do <<1>>",
           given, "i32", regions=[before, after])  # fmt: skip


@produces(2)
def narrow_loops(b: Builder) -> None:
    """`scf.for` over i32 or i64, as signed or unsigned numbers."""
    if b.depth >= DEEPEST:
        return
    t = b.rng.choice(("i32", "i64", "i8", "i16"))
    signed = b.rng.random() < 0.6
    low = b.rng.randint(-5, 2) if signed else b.rng.randint(0, 100)
    bounds = [b.constant(t, value, kept=True) for value in (low, low + b.rng.randint(0, 7), b.rng.randint(1, 3))]
    wanted = [types.some_type(b.rng) for _ in range(b.rng.choice((1, 2)))]
    starts = [b.of(type_) for type_ in wanted]
    carried = [(b.name(), type_) for type_ in wanted]
    counter = b.name()
    region = yielding(b, wanted, [(counter, t), *carried])
    pairs = ", ".join(f"{name} = {start}" for (name, _), start in zip(carried, starts, strict=True))
    word = "" if signed else "unsigned "
    b.emit(f"scf.for {word}{counter} = {bounds[0]} to {bounds[1]} step {bounds[2]} iter_args({pairs}) -> "
           f"({', '.join(wanted)}) : {t} <<0>>", *wanted, regions=[region])  # fmt: skip
