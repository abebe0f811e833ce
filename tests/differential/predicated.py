"""LLVM's operations on the elements that a mask and a length name; what they leave open becomes zero."""

from __future__ import annotations

from tests.differential.aggregates import local
from tests.differential.generator import Builder, produces
from tests.differential.plain import line
from tests.differential.small_floats import hidden
from tests.differential.transfers import exact, some_mask
from tests.differential.types import dims, element, is_float, vector, width

INTEGER = ("add", "and", "mul", "or", "sub", "xor", "smax", "smin", "umax", "umin")
SHIFTS = ("ashr", "lshr", "shl")
QUOTIENTS = ("sdiv", "srem", "udiv", "urem")
FLOAT = ("fadd", "fsub", "fmul", "fdiv")


def narrow(t: str) -> bool:
    """A vector of few elements."""
    return line(t) and dims(t)[0] <= 8


def named(b: Builder, count: int) -> tuple[str, str, str]:
    """A mask, a length, and the mask of the elements that both name."""
    m = vector([count], "i1")
    mask = some_mask(b, [count])
    any_ = hidden(b, f"arith.index_cast {b.masked(16)} : index to i32")
    length = hidden(b, f"arith.minui {any_}, {b.constant('i32', count, kept=True)} : i32")
    first = b.constant("i32", 0, kept=True)
    inside = hidden(b, f"llvm.intr.get.active.lane.mask {first}, {length} : i32, i32 to {m}")
    return mask, length, hidden(b, f"arith.andi {mask}, {inside} : {m}")


def cleared(b: Builder, x: str, t: str, defined: str) -> str:
    """A vector with zeros where nothing is defined."""
    nothing = b.constant(t, 0.0 if is_float(t) else 0, kept=True)
    return b.one(f"arith.select {defined}, {x}, {nothing} : {vector(dims(t), 'i1')}, {t}", t, kept=True)


def typed(op: str, values: list[str], kinds: list[str], mask: tuple[str, str], result: str) -> str:
    """An operation with a mask and a length after its operands."""
    m = vector(dims(next(k for k in kinds if k.startswith("vector"))), "i1")
    return f'"llvm.intr.vp.{op}"({", ".join((*values, *mask))}) : ({", ".join((*kinds, m, "i32"))}) -> {result}'


@produces(4)
def arithmetic(b: Builder) -> None:
    """Element by element."""
    x, t = b.any(narrow)
    mask, length, defined = named(b, dims(t)[0])
    y, by = b.of(t), (mask, length)
    if is_float(t):
        op = b.rng.choice((*FLOAT, "fneg", "fma"))
        values = [x] if op == "fneg" else [x, y, b.of(t)] if op == "fma" else [x, y]
    else:
        op = b.rng.choice((*INTEGER, *SHIFTS, *QUOTIENTS))
        values = [x, y]
        if op in QUOTIENTS:
            values[1] = hidden(b, f"arith.ori {y}, {b.constant(t, 1, kept=True)} : {t}")
            values[0] = hidden(b, f"arith.shrui {x}, {b.constant(t, 1, kept=True)} : {t}")
        elif op in SHIFTS:
            values[1] = hidden(b, f"arith.andi {y}, {b.constant(t, width(t) - 1, kept=True)} : {t}")
    cleared(b, hidden(b, typed(op, values, [t] * len(values), by, t)), t, defined)


@produces(3)
def reductions(b: Builder) -> None:
    """The named elements and a start to one."""
    x, t = b.any(narrow)
    inner, count = element(t), dims(t)[0]
    mask, length, _ = named(b, count)
    if is_float(t):
        op = b.rng.choice(("fadd", "fmax", "fmin"))
        start = b.constant(inner, 2.0)
        if op == "fadd":
            x = exact(b, [count], inner)
    else:
        op = b.rng.choice(("add", "and", "mul", "or", "smax", "smin", "umax", "umin", "xor"))
        start = b.of(inner)
    b.one(typed(f"reduce.{op}", [start, x], [inner, t], (mask, length), inner), inner)


@produces(3)
def choices(b: Builder) -> None:
    """One of two elements; conversions."""
    x, t = b.any(narrow)
    count = dims(t)[0]
    mask, length, defined = named(b, count)
    kind = b.rng.choice(("select", "merge", "convert"))
    if kind != "convert":
        m = vector([count], "i1")
        text = f'"llvm.intr.vp.{kind}"({mask}, {x}, {b.of(t)}, {length}) : ({m}, {t}, {t}, i32) -> {t}'
        got = hidden(b, text)
        if kind == "merge":  # Beyond the length it is the second operand's.
            b.one(f"arith.select {b.constant('i1', 1)}, {got}, {got} : {t}", t)
            return
        first, full = b.constant("i32", 0, kept=True), vector([count], "i1")
        inside = hidden(b, f"llvm.intr.get.active.lane.mask {first}, {length} : i32, i32 to {full}")
        cleared(b, got, t, inside)
        return
    sizes = (16, 32, 64) if is_float(t) else (8, 16, 32, 64)
    want = b.rng.choice([n for n in sizes if n != width(t)])
    if is_float(t):
        u, op = vector([count], f"f{want}"), "fpext" if want > width(t) else "fptrunc"
    else:
        u, op = vector([count], f"i{want}"), b.rng.choice(("sext", "zext")) if want > width(t) else "trunc"
        if b.rng.random() < 0.4:
            u, op = vector([count], b.rng.choice(("f32", "f64"))), b.rng.choice(("sitofp", "uitofp"))
    cleared(b, hidden(b, typed(op, [x], [t], (mask, length), u)), u, defined)


@produces(3)
def memory(b: Builder) -> None:
    """Loads and stores of the named elements."""
    t, count = b.rng.choice(("i8", "i16", "i32", "i64", "f32", "f64")), b.rng.choice((2, 3, 4, 8))
    v, place = vector([count], t), local(b, "")
    for i in range(8):
        to = hidden(b, f"llvm.getelementptr {place}[{i * 8}] : (!llvm.ptr) -> !llvm.ptr, i8")
        b.emit(f"llvm.store {b.of('i64')}, {to} : i64, !llvm.ptr", kept=True)
    mask, length, defined = named(b, count)
    m = vector([count], "i1")
    if b.rng.random() < 0.5:
        got = hidden(b, f'"llvm.intr.vp.load"({place}, {mask}, {length}) : (!llvm.ptr, {m}, i32) -> {v}')
        cleared(b, got, v, defined)
    else:
        b.emit(f'"llvm.intr.vp.store"({b.of(v)}, {place}, {mask}, {length}) : ({v}, !llvm.ptr, {m}, i32) -> ()', kept=True)  # fmt: skip
    b.one(f"llvm.load {place} {{alignment = 1 : i64}} : !llvm.ptr -> i32", "i32")
