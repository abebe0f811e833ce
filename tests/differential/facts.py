"""Chains of operations on one value, whose bounds, bits and possible numbers a compiler can follow.

What it concludes (that a sum does not wrap, that a value is not negative, that it is one of four) shows in what comes
after: quotients, shifts, extensions and comparisons.  Each chain ends in such uses.  Constants lie where conclusions
turn: at the ends of a type, and of the types below it.
"""

from __future__ import annotations

from tests.differential import types
from tests.differential.control import DEEPEST
from tests.differential.generator import Builder, produces

SCALARS = ("i4", "i7", "i8", "i8", "i12", "i16", "i24", "i32", "i32", "i33", "i48", "i64", "index", "index")
SIDES = ("slt", "sge", "ult", "uge", "eq", "ne", "sle", "ugt")


def telling(b: Builder, type_: str) -> int:
    """A number near the end of this type or of one that it holds, or a small one; as signed."""
    bits = types.width(type_)
    k = b.rng.choice([n for n in (2, 3, 4, 7, 8, 12, 15, 16, 24, 31, 32, 33, 63) if n < bits] or [1])
    found = b.rng.choice((1 << k, (1 << k) - 1, -(1 << k), (1 << k) + 1, 3, 5, 100, 1, -1, b.rng.randrange(1, 50)))
    return (found + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def as_type(b: Builder, x: str, have: str, want: str) -> str:
    """A value as one of another width, by either sign."""
    if have == want:
        return x
    signed = b.rng.random() < 0.7
    if "index" in (have, want):
        op = "index_cast" if signed else "index_castui"
    elif types.width(want) < types.width(have):
        op = "trunci"
    else:
        op = "extsi" if signed else "extui"
    return b.one(f"arith.{op} {x} : {have} to {want}", want)


def link(b: Builder, x: str, t: str, earlier: list[tuple[str, str]]) -> tuple[str, str]:
    """What one more operation makes of a value, and its type."""
    rng = b.rng
    bits = types.width(t)
    kind = rng.random()
    if kind < 0.25:
        want = rng.choice(SCALARS)
        return as_type(b, x, t, want), want
    if kind < 0.4:  # Narrow it to few numbers.
        mask = rng.choice((1, 3, 7, 15, 31, 255, 6, 12))
        if mask >= 1 << bits - 1:
            mask = 1
        op = rng.choice(("andi", "andi", "remui", "remsi"))
        return b.one(f"arith.{op} {x}, {b.constant(t, mask, kept=True)} : {t}", t), t
    if kind < 0.5:
        amount = b.constant(t, rng.randrange(min(bits, 1 << bits - 1)), kept=True)
        return b.one(f"arith.{rng.choice(('shli', 'shrsi', 'shrui'))} {x}, {amount} : {t}", t), t
    if kind < 0.6:
        test = b.one(f"arith.cmpi {rng.choice(SIDES)}, {x}, {b.constant(t, telling(b, t))} : {t}", "i1")
        other = b.constant(t, telling(b, t)) if rng.random() < 0.6 else as_type(b, *rng.choice(earlier), t)
        ends = [x if rng.random() < 0.6 else b.constant(t, telling(b, t)), other]
        rng.shuffle(ends)
        return b.one(f"arith.select {test}, {ends[0]}, {ends[1]} : {t}", t), t
    y = b.constant(t, telling(b, t)) if rng.random() < 0.6 else as_type(b, *rng.choice(earlier), t)
    ops = ("addi", "addi", "subi", "muli", "muli", "ori", "xori", "maxsi", "minsi", "minui", "maxui")
    return b.one(f"arith.{rng.choice(ops)} {x}, {y} : {t}", t), t


def use(b: Builder, x: str, t: str) -> str:
    """Something that shows what was concluded from a value, as an i64."""
    rng = b.rng
    bits = types.width(t)
    by = b.constant(t, rng.choice([n for n in (2, 3, 4, 7, 8, 10, 64, 100) if n < 1 << bits - 1]), kept=True)
    kind = rng.choice(("quotient", "shift", "test", "itself", "extreme"))
    if kind == "quotient":
        op = rng.choice(("divsi", "divui", "remsi", "remui", "floordivsi", "ceildivsi", "ceildivui"))
        x = b.one(f"arith.{op} {x}, {by} : {t}", t)
    elif kind == "shift":
        amount = b.constant(t, rng.randrange(min(bits, 1 << bits - 1)), kept=True)
        x = b.one(f"arith.{rng.choice(('shrsi', 'shrui'))} {x}, {amount} : {t}", t)
    elif kind == "extreme":
        y = b.constant(t, telling(b, t))
        x = b.one(f"arith.{rng.choice(('minui', 'maxui', 'minsi', 'maxsi'))} {x}, {y} : {t}", t)
    elif kind == "test":
        test = b.one(f"arith.cmpi {rng.choice(SIDES)}, {x}, {b.constant(t, telling(b, t))} : {t}", "i1")
        return b.one(f"arith.{rng.choice(('extui', 'extsi'))} {test} : i1 to i64", "i64")
    return as_type(b, x, t, "i64")


def through_narrow(b: Builder, x: str, t: str) -> list[tuple[str, str]]:
    """A value of few numbers in a narrow type, where arithmetic may or may not leave this type, and back."""
    few = b.one(f"arith.andi {x}, {b.constant(t, b.rng.choice((1, 3, 7)), kept=True)} : {t}", t)
    narrow = b.rng.choice(("i4", "i7", "i8", "i8", "i12", "i16", "i32"))
    links = [(x, t), (few, t), (as_type(b, few, t, narrow), narrow)]
    for _ in range(b.rng.randint(1, 2)):
        op = b.rng.choice(("addi", "subi", "muli", "muli", "shli"))
        number = telling(b, narrow) if op != "shli" else b.rng.randrange(types.width(narrow) if narrow != "i4" else 4)
        y = b.constant(narrow, number, kept=True)
        links.append((b.one(f"arith.{op} {links[-1][0]}, {y} : {narrow}", narrow), narrow))
    return [*links, (as_type(b, *links[-1], t), t)]


def chain(b: Builder, x: str, t: str) -> list[tuple[str, str]]:
    """A value and what some operations, one after another, make of it."""
    if types.width(t) > 32 and b.rng.random() < 0.4:
        return through_narrow(b, x, t)
    links = [(x, t)]
    for _ in range(b.rng.randint(1, 6)):
        links.append(link(b, *links[-1], links))
    return links


@produces(3)
def straight(b: Builder) -> None:
    """A chain that starts at an index of few numbers, or at anything."""
    x, t = (b.masked(b.rng.choice((2, 8, 32))), "index") if b.rng.random() < 0.5 else b.any(lambda t: t in SCALARS)
    links = chain(b, x, t)
    for one in b.rng.sample(links, min(2, len(links))):
        use(b, *one)


@produces(4)
def carried(b: Builder) -> None:
    """A loop whose turns hand on what a chain makes of the state, and sum up what uses of it give."""
    if b.depth >= DEEPEST:
        return
    rng = b.rng
    t = "index" if rng.random() < 0.4 else rng.choice(SCALARS)
    start = b.constant(t, telling(b, t) if rng.random() < 0.3 else rng.randrange(4)) if rng.random() < 0.8 else b.of(t)
    total, state, counter = b.name(), b.name(), b.name()
    low, step = b.constant("index", rng.choice((0, 0, 1, 3))), b.constant("index", rng.choice((1, 1, 2)), kept=True)
    high = b.constant("index", rng.choice((2, 5, 9))) if rng.random() < 0.5 else b.masked(8)
    zero = b.constant("i64", 0)
    with b.inside([(counter, "index"), (state, t), (total, "i64")]) as region:
        first = use(b, state, t)
        begin = state
        if rng.random() < 0.4:
            begin = b.one(f"arith.addi {state}, {as_type(b, counter, 'index', t)} : {t}", t)
        links = chain(b, begin, t)
        second = use(b, *rng.choice(links))
        following = as_type(b, *links[-1], t)
        factor = b.constant("i64", 31, kept=True)
        scaled = b.one(f"arith.muli {total}, {factor} : i64", "i64")
        more = b.one(f"arith.addi {scaled}, {first} : i64", "i64")
        both = b.one(f"arith.xori {more}, {second} : i64", "i64")
        region.tail = f"scf.yield {following}, {both} : {t}, i64"
    head = f"iter_args({state} = {start}, {total} = {zero}) -> ({t}, i64)"
    b.emit(f"scf.for {counter} = {low} to {high} step {step} {head} <<0>>", t, "i64", regions=[region])
