"""Arithmetic on scalars and, element by element, on vectors."""

from __future__ import annotations

from tests.differential import types
from tests.differential.generator import Builder, produces
from tests.differential.types import element, is_float, is_integer, is_vector, of, width

CASES = {"cmpi": ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"),
         "cmpf": ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno")}  # fmt: skip


def pair(b: Builder, wanted: object) -> tuple[str, str, str]:
    """Two values of one type."""
    name, type_ = b.any(wanted)  # pyright: ignore[reportArgumentType]
    return name, b.of(type_), type_


@produces(14)
def integers(b: Builder) -> None:
    """Sums, products, logic, extremes."""
    x, y, t = pair(b, is_integer)
    if b.rng.random() < 0.3:
        y = b.constant(t)
    op = b.rng.choice(("addi", "addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui"))
    b.one(f"arith.{op} {x}, {y} : {t}", t)


def unwrapped(b: Builder, y: str, t: str) -> str:
    """A divisor that is not zero."""
    if b.rng.random() < 0.4:
        inner = element(t)
        value = b.literal(inner)
        return b.constant(t, value if value else 1, kept=True)
    return b.one(f"arith.ori {y}, {b.constant(t, 1, kept=True)} : {t}", t)


def wide_enough(t: str) -> bool:
    """An integer type on which division has a meaning."""
    return is_integer(t) and width(t) > 1


@produces(6)
def divisions(b: Builder) -> None:
    """Quotients and remainders of every rounding; the least number is never divided by -1."""
    x, y, t = pair(b, wide_enough)
    y = unwrapped(b, y, t)
    op = b.rng.choice(("divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi", "ceildivui"))
    if op == "floordivsi" and width(t) > 64:
        op = "divui"  # LLVM's is wrong.
    if op.endswith("si"):
        x = b.one(f"arith.shrsi {x}, {b.constant(t, 1, kept=True)} : {t}", t)
    b.one(f"arith.{op} {x}, {y} : {t}", t)


@produces(6)
def shifts(b: Builder) -> None:
    """Shifts by less than the width."""
    x, y, t = pair(b, wide_enough)
    bits = width(t)
    if b.rng.random() < 0.5:
        y = b.constant(t, b.rng.randrange(bits), kept=True)
    elif bits & bits - 1:
        y = b.one(f"arith.remui {y}, {b.constant(t, bits, kept=True)} : {t}", t)
    else:
        y = b.one(f"arith.andi {y}, {b.constant(t, bits - 1, kept=True)} : {t}", t)
    b.one(f"arith.{b.rng.choice(('shli', 'shrsi', 'shrui'))} {x}, {y} : {t}", t)


@produces(6)
def comparisons(b: Builder) -> None:
    """Comparisons of integers and floats."""
    x, y, t = pair(b, lambda _: True)
    if b.rng.random() < 0.3:
        y = b.constant(t)
    op = "cmpf" if is_float(t) else "cmpi"
    b.one(f"arith.{op} {b.rng.choice(CASES[op])}, {x}, {y} : {t}", of(t, "i1"))


@produces(6)
def selections(b: Builder) -> None:
    """One of two values, by one test or one for each element."""
    x, y, t = pair(b, lambda _: True)
    if is_vector(t) and b.rng.random() < 0.6:
        test = of(t, "i1")
        b.one(f"arith.select {b.of(test)}, {x}, {y} : {test}, {t}" if t != test else
              f"arith.select {b.of('i1')}, {x}, {y} : i1, {t}", t)  # fmt: skip
    else:
        b.one(f"arith.select {b.of('i1')}, {x}, {y} : " + (f"i1, {t}" if is_vector(t) else t), t)


@produces(8)
def widths(b: Builder) -> None:
    """Integers of one width as another."""
    x, t = b.any(is_integer)
    have = element(t)
    want = b.rng.choice([i for i in types.INTEGERS if i != have and not (is_vector(t) and i in types.ODD)])
    u = of(t, want)
    if is_vector(t) and want == "i1" and width(t) < 32:
        return  # LLVM stores the wrong bits of vectors in one register.
    if "index" in (have, want):
        if max(width(have), width(want)) > 64:
            return
        op = b.rng.choice(("index_cast", "index_castui"))
    elif width(want) < width(have):
        op = "trunci"
    else:
        op = b.rng.choice(("extsi", "extui"))
    b.one(f"arith.{op} {x} : {t} to {u}", u)


@produces(8)
def floats(b: Builder) -> None:
    """Float arithmetic, each operation with one rounding."""
    x, y, t = pair(b, is_float)
    op = b.rng.choice(("addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf", "fma", "negf"))
    if op == "fma" and width(t) == 16:
        op = "mulf"  # Through MLIR's lowering it is rounded twice, by way of f32.
    if op == "fma":
        b.one(f"math.fma {x}, {y}, {b.of(t)} : {t}", t)
    elif op == "negf":
        b.one(f"arith.negf {x} : {t}", t)
    else:
        b.one(f"arith.{op} {x}, {y} : {t}", t)


@produces(5)
def roundings(b: Builder) -> None:
    """Functions of floats that are exact or rounded once."""
    x, t = b.any(is_float)
    op = b.rng.choice(("absf", "ceil", "floor", "trunc", "roundeven", "round", "sqrt", "copysign"))
    if op == "copysign":
        b.one(f"math.copysign {x}, {b.of(t)} : {t}", t)
    else:
        b.one(f"math.{op} {x} : {t}", t)


@produces(4)
def bits(b: Builder) -> None:
    """Counting and moving bits."""
    x, t = b.any(lambda t: is_integer(t) and element(t) != "index")
    op = b.rng.choice(("ctlz", "cttz", "ctpop", "absi"))
    if op == "absi":
        x = b.one(f"arith.shrsi {x}, {b.constant(t, 1, kept=True)} : {t}", t) if width(t) > 1 else b.constant(t, 0)
    b.one(f"math.{op} {x} : {t}", t)


@produces(4)
def intrinsics(b: Builder) -> None:
    """LLVM's intrinsics on integers."""
    x, y, t = pair(b, lambda t: is_integer(t) and element(t) != "index" and width(t) > 1 and len(types.dims(t)) < 2)
    op = b.rng.choice(("sadd.sat", "uadd.sat", "ssub.sat", "usub.sat", "umax", "smin", "fshl", "fshr", "bitreverse",
                       "bswap", "abs", "sadd.with.overflow", "umul.with.overflow", "usub.with.overflow"))  # fmt: skip
    if op in ("fshl", "fshr"):
        b.one(f"llvm.intr.{op}({x}, {y}, {b.of(t)}) : ({t}, {t}, {t}) -> {t}", t)
    elif op in ("bitreverse", "bswap"):
        if op == "bitreverse" or width(t) % 16 == 0:
            b.one(f"llvm.intr.{op}({x}) : ({t}) -> {t}", t)
    elif op == "abs":
        b.one(f'"llvm.intr.abs"({x}) <{{is_int_min_poison = false}}> : ({t}) -> {t}', t)
    elif "overflow" in op:
        if is_vector(t):
            return
        s = f"!llvm.struct<({t}, i1)>"
        both = b.one(f'"llvm.intr.{op}"({x}, {y}) : ({t}, {t}) -> {s}', s, kept=True)
        b.one(f"llvm.extractvalue {both}[0] : {s}", t)
        b.one(f"llvm.extractvalue {both}[1] : {s}", "i1")
    else:
        b.one(f"llvm.intr.{op}({x}, {y}) : ({t}, {t}) -> {t}", t)


@produces(3)
def extended(b: Builder) -> None:
    """Products in two halves, sums with their carry."""
    x, y, t = pair(b, lambda t: wide_enough(t) and element(t) != "index")
    op = b.rng.choice(("mulsi_extended", "mului_extended", "addui_extended"))
    if op == "addui_extended":
        b.emit(f"arith.{op} {x}, {y} : {t}, {of(t, 'i1')}", t, of(t, "i1"))
    elif width(t) <= 64:
        b.emit(f"arith.{op} {x}, {y} : {t}", t, t)


@produces(3)
def to_floats(b: Builder) -> None:
    """Integers as floats."""
    x, t = b.any(lambda t: is_integer(t) and element(t) not in ("index", "i1") and width(t) <= 64)
    u = of(t, b.rng.choice(types.FLOATS))
    b.one(f"arith.{b.rng.choice(('sitofp', 'uitofp'))} {x} : {t} to {u}", u)


@produces(3)
def to_integers(b: Builder) -> None:
    """Floats as integers, where they are in range (else zero)."""
    x, t = b.any(is_float)
    want = b.rng.choice(("i8", "i16", "i32", "i64"))
    signed = b.rng.random() < 0.5
    limit = min(2.0 ** (width(want) - signed), 60000.0 if element(t) == "f16" else 1e30)
    limit = limit * 0.99 if element(t) != "f64" else limit - 1
    test = of(t, "i1")
    low = b.one(f"arith.cmpf oge, {x}, {b.constant(t, -limit if signed else 0.0)} : {t}", test)
    high = b.one(f"arith.cmpf ole, {x}, {b.constant(t, limit)} : {t}", test)
    both = b.one(f"arith.andi {low}, {high} : {test}", test)
    inside = b.one(f"arith.select {both}, {x}, {b.constant(t, 0.0)} : " + (f"{test}, {t}" if is_vector(t) else t), t)
    u = of(t, want)
    b.one(f"arith.{'fptosi' if signed else 'fptoui'} {inside} : {t} to {u}", u)


@produces(3)
def float_widths(b: Builder) -> None:
    """Floats of one width as another."""
    x, t = b.any(is_float)
    have = element(t)
    want = b.rng.choice([f for f in ("f16", "bf16", "f32", "f64") if width(f) != width(have)])
    u = of(t, want)
    b.one(f"arith.{'truncf' if width(want) < width(have) else 'extf'} {x} : {t} to {u}", u)


@produces(3)
def bitcasts(b: Builder) -> None:
    """The bits of a float as an integer (of no NaN: which one it is, is not said), and back."""
    if b.rng.random() < 0.5:
        x, t = b.any(is_float)
        x = b.numeric(x, t)
        u = of(t, f"i{width(t)}")
    else:
        x, t = b.any(lambda t: element(t) in ("i16", "i32", "i64"))
        u = of(t, {16: b.rng.choice(("f16", "bf16")), 32: "f32", 64: "f64"}[width(t)])
    b.one(f"arith.bitcast {x} : {t} to {u}", u)


@produces(3)
def llvm_arithmetic(b: Builder) -> None:
    """The operations of `llvm`, and of `index`."""
    x, y, t = pair(b, is_integer)
    if t == "index":
        op = b.rng.choice(("add", "sub", "mul", "and", "or", "xor", "maxs", "minu"))
        b.one(f"index.{op} {x}, {y}", t)
    elif element(t) != "index" and len(types.dims(t)) < 2:
        if b.rng.random() < 0.3:
            b.one(f'llvm.icmp "{b.rng.choice(CASES["cmpi"])}" {x}, {y} : {t}', of(t, "i1"))
        else:
            b.one(f"llvm.{b.rng.choice(('add', 'sub', 'mul', 'and', 'or', 'xor'))} {x}, {y} : {t}", t)
