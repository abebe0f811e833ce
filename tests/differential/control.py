"""Control flow: branches, loops with carried values, blocks, calls."""

from __future__ import annotations

from collections.abc import Sequence

from tests.differential import types
from tests.differential.generator import Builder, produces
from tests.differential.program import Named, Region

DEEPEST = 3


def result_types(b: Builder) -> list[str]:
    """The types of some results."""
    return [types.some_type(b.rng) for _ in range(b.rng.choice((0, 1, 1, 2, 3)))]


def yielding(b: Builder, wanted: Sequence[str], arguments: Sequence[Named] = (), *, uniform: bool = False) -> Region:
    """A region that yields values of these types by `scf.yield`."""
    with b.inside(arguments, uniform=uniform) as region:
        b.some(b.rng.randint(1, 4))
        names = [b.of(type_) for type_ in wanted]
        region.tail = f"scf.yield {', '.join(names)} : {', '.join(wanted)}" if wanted else "scf.yield"
    return region


@produces(5)
def branches(b: Builder) -> None:
    """`scf.if`."""
    if b.depth >= DEEPEST:
        return
    test, wanted = b.of("i1"), result_types(b)
    regions = [yielding(b, wanted), yielding(b, wanted)]
    arrow = f" -> ({', '.join(wanted)})" if wanted else ""
    b.emit(f"scf.if {test}{arrow} <<0>> else <<1>>", *wanted, regions=regions)


@produces(5)
def loops(b: Builder) -> None:
    """`scf.for` over indices or integers, with bounds that are known or not, and values that it carries."""
    if b.depth >= DEEPEST:
        return
    uniform = b.rng.random() < 0.4
    kind = "index" if b.rng.random() < 0.7 else b.rng.choice(("i8", "i8", "i12", "i16", "i32", "i48", "i64"))
    order = "unsigned " if kind != "index" and b.rng.random() < 0.3 else ""
    low, step = b.constant(kind, b.rng.randint(0, 3)), b.constant(kind, b.rng.randint(1, 3), kept=True)
    most = 4 if b.depth else 8
    if uniform:
        high = b.constant(kind, b.rng.randint(0, 6))
    elif kind == "index":
        high = b.masked(most)
    else:  # A few numbers around 0, by arithmetic that may leave anything above a narrow type's width.
        few = b.one(f"arith.andi {b.of(kind)}, {b.constant(kind, most - 1, kept=True)} : {kind}", kind)
        shift = b.constant(kind, b.rng.choice((0, -2, 5)), kept=True)
        low = b.one(f"arith.subi {low}, {shift} : {kind}", kind)
        high = b.one(f"arith.subi {few}, {shift} : {kind}", kind)
        if order:  # Unsigned, it is far from -2 to 0.
            low, high = (b.one(f"arith.andi {x}, {b.constant(kind, 7, kept=True)} : {kind}", kind) for x in (low, high))
    wanted = result_types(b)
    starts = [b.of(type_) for type_ in wanted]
    carried = [(b.name(), type_) for type_ in wanted]
    counter = b.name()
    region = yielding(b, wanted, [(counter, kind), *carried], uniform=uniform)
    if wanted:
        pairs = ", ".join(f"{name} = {start}" for (name, _), start in zip(carried, starts, strict=True))
        head = f" iter_args({pairs}) -> ({', '.join(wanted)})"
    else:
        head = ""
    over = "" if kind == "index" else f" : {kind}"
    b.emit(f"scf.for {order}{counter} = {low} to {high} step {step}{head}{over} <<0>>", *wanted, regions=[region])


@produces(2)
def whiles(b: Builder) -> None:
    """`scf.while`, with a count that ends it."""
    if b.depth >= DEEPEST - 1:
        return
    wanted = ["i32", *result_types(b)]
    limit = b.constant("i32", b.rng.randint(1, 5))
    zero = b.constant("i32", 0)
    starts = [zero, *(b.of(type_) for type_ in wanted[1:])]
    first = [(b.name(), type_) for type_ in wanted]
    second = [(b.name(), type_) for type_ in wanted]
    with b.inside(first) as before:
        b.some(b.rng.randint(0, 2))
        more = b.one(f"arith.cmpi slt, {first[0][0]}, {limit} : i32", "i1", kept=True)
        go = b.one(f"arith.andi {more}, {b.of('i1')} : i1", "i1", kept=True)
        passed = [first[0][0], *(b.of(type_) for type_ in wanted[1:])]
        before.tail = f"scf.condition({go}) {', '.join(passed)} : {', '.join(wanted)}"
    with b.inside(second) as after:
        head = ", ".join(f"{name}: {type_}" for name, type_ in second)
        after.head = f"^bb0({head}):"
        b.some(b.rng.randint(1, 3))
        one = b.one("arith.constant 1 : i32", "i32", kept=True)
        following = b.one(f"arith.addi {second[0][0]}, {one} : i32", "i32", kept=True)
        names = [following, *(b.of(type_) for type_ in wanted[1:])]
        after.tail = f"scf.yield {', '.join(names)} : {', '.join(wanted)}"
    pairs = ", ".join(f"{name} = {start}" for (name, _), start in zip(first, starts, strict=True))
    listed = ", ".join(wanted)
    b.emit(f"scf.while ({pairs}) : ({listed}) -> ({listed}) <<0>> do <<1>>", *wanted, regions=[before, after])


@produces(2)
def switches(b: Builder) -> None:
    """`scf.index_switch`."""
    if b.depth >= DEEPEST:
        return
    wanted = result_types(b)
    chosen = b.masked(4)
    cases = b.rng.sample(range(5), 2)
    regions = [yielding(b, wanted) for _ in range(3)]
    arrow = f" -> {', '.join(wanted)}" if wanted else ""
    b.emit(
        f"scf.index_switch {chosen}{arrow}\ncase {cases[0]} <<0>>\ncase {cases[1]} <<1>>\ndefault <<2>>",
        *wanted,
        regions=regions,
    )


@produces(2)
def blocks(b: Builder) -> None:
    """`scf.execute_region` with basic blocks: a diamond, a switch, or a loop between blocks."""
    if b.depth >= DEEPEST - 1:
        return
    kind = b.rng.choice(("diamond", "switch", "loop"))
    type_ = types.some_type(b.rng)
    label = b.name()[1:]
    start, flag = b.of(type_), b.of("i1")
    with b.inside() as outer:
        parts: list[str] = []
        region = Region()
        del outer

        def block(arguments: list[Named], name: str) -> str:
            with b.inside(arguments) as part:
                part.head = (
                    f"^{label}{name}({', '.join(f'{n}: {t}' for n, t in arguments)}):"
                    if arguments
                    else f"^{label}{name}:"
                )
                b.some(b.rng.randint(1, 3))
                found = b.of(type_)
            region.nodes.append(b.node(part.head, kept=True))
            region.nodes.extend(part.nodes)
            return found

        def end(text: str) -> None:
            region.nodes.append(b.node(text, kept=True))

        if kind == "loop":
            limit, one = b.name(), b.name()
            region.nodes += [b.node(f"{limit} = arith.constant {b.rng.randint(1, 4)} : i32", kept=True),
                             b.node(f"{one} = arith.constant 1 : i32", kept=True),
                             b.node(f"%z{label} = arith.constant 0 : i32", kept=True)]  # fmt: skip
            end(f"cf.br ^{label}a(%z{label}, {start} : i32, {type_})")
            counter, value = b.name(), b.name()
            found = block([(counter, "i32"), (value, type_)], "a")
            following, more = b.name(), b.name()
            region.nodes += [b.node(f"{following} = arith.addi {counter}, {one} : i32", kept=True),
                             b.node(f"{more} = arith.cmpi slt, {following}, {limit} : i32", kept=True)]  # fmt: skip
            end(f"cf.cond_br {more}, ^{label}a({following}, {found} : i32, {type_}), ^{label}b({value} : {type_})")
        elif kind == "diamond":
            end(f"cf.cond_br {flag}, ^{label}x, ^{label}y({start} : {type_})")
            found = block([], "x")
            end(f"cf.br ^{label}b({found} : {type_})")
            argument = b.name()
            found = block([(argument, type_)], "y")
            end(f"cf.br ^{label}b({found} : {type_})")
        else:
            case = b.name()
            chosen, integer = b.any(lambda t: t in ("i8", "i16", "i32", "i64"))
            other = b.of(type_)
            del case
            # What was just built stands in front of the blocks.
            region.nodes[:0] = b.region.nodes
            b.region.nodes = []
            end(
                f"cf.switch {chosen} : {integer}, [\n  default: ^{label}x,\n  0: ^{label}y({start} : {type_}),\n"
                f"  1: ^{label}b({other} : {type_}),\n  7: ^{label}y({other} : {type_})\n]"
            )
            found = block([], "x")
            end(f"cf.br ^{label}b({found} : {type_})")
            argument = b.name()
            found = block([(argument, type_)], "y")
            end(f"cf.br ^{label}b({found} : {type_})")
        argument = b.name()
        found = block([(argument, type_)], "b")
        end(f"scf.yield {found} : {type_}")
        del parts
    b.emit(f"scf.execute_region -> {type_} <<0>>", type_, regions=[region])


@produces(3)
def calls(b: Builder) -> None:
    """A call of a function of scalars and vectors, made for it or called before."""
    if b.device or b.depth >= DEEPEST:
        return
    symbol = b.rng.choice(list(b.signatures)) if b.signatures and b.rng.random() < 0.5 else ""
    if not symbol:
        symbol = b.symbol("f")
        takes = [types.passable(b.rng) for _ in range(b.rng.randint(1, 4))]
        gives = [types.passable(b.rng) for _ in range(b.rng.choice((1, 1, 2, 3)))]
        arguments = [(b.name(), type_) for type_ in takes]
        saved = b.scope, b.depth, b.uniform
        b.scope, b.depth, b.device, b.uniform = [[]], 1, True, False
        with b.inside(arguments) as body:
            b.some(b.rng.randint(1, 5))
            names = [b.of(type_) for type_ in gives]
            body.tail = f"func.return {', '.join(names)} : {', '.join(gives)}"
        (b.scope, b.depth, b.uniform), b.device = saved, False
        head = ", ".join(f"{name}: {type_}" for name, type_ in arguments)
        text = f"func.func private {symbol}({head}) -> ({', '.join(gives)}) <<0>>"
        b.kernel.functions.append(b.node(text, regions=[body], kept=True))
        b.signatures[symbol] = (takes, gives)
    takes, gives = b.signatures[symbol]
    names = [b.of(type_) for type_ in takes]
    b.emit(f"func.call {symbol}({', '.join(names)}) : ({', '.join(takes)}) -> ({', '.join(gives)})", *gives)
