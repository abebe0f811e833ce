"""What LLVM's front ends write: its own arithmetic and conversions on scalars and vectors, reductions, promises."""

from __future__ import annotations

from tests.differential import types
from tests.differential.aggregates import local
from tests.differential.generator import Builder, produces
from tests.differential.scalars import pair, unwrapped
from tests.differential.small_floats import hidden
from tests.differential.transfers import exact
from tests.differential.types import dims, element, is_float, is_integer, is_vector, of, vector, width


def flat(t: str) -> bool:
    """What `llvm` has a type for: no index, no vector of vectors."""
    return element(t) != "index" and len(dims(t)) < 2


def flat_float(t: str) -> bool:
    """A float or a vector of them."""
    return flat(t) and is_float(t)


def flat_integer(t: str) -> bool:
    """An integer of at least two bits or a vector of them."""
    return flat(t) and is_integer(t) and width(t) > 1


@produces(5)
def floats(b: Builder) -> None:
    """Arithmetic; MLIR's pipeline refuses most of LLVM's functions of floats."""
    x, y, t = pair(b, flat_float)
    if b.rng.random() < 0.6:
        b.one(f"llvm.{b.rng.choice(('fadd', 'fsub', 'fmul', 'fdiv'))} {x}, {y} : {t}", t)
    else:
        b.one(f"llvm.intr.{b.rng.choice(('fma', 'fmuladd'))}({x}, {y}, {b.of(t)}) : ({t}, {t}, {t}) -> {t}", t)


@produces(5)
def integers(b: Builder) -> None:
    """Quotients, remainders, shifts, counts, what overflows."""
    x, y, t = pair(b, flat_integer)
    kind = b.rng.choice(("quotient", "shift", "count", "overflow", "overflow"))
    if kind == "quotient":
        y = unwrapped(b, y, t)
        op = b.rng.choice(("udiv", "urem", "sdiv", "srem"))
        if op[0] == "s":
            x = b.one(f"llvm.ashr {x}, {b.constant(t, 1, kept=True)} : {t}", t)
        b.one(f"llvm.{op} {x}, {y} : {t}", t)
    elif kind == "shift":
        by = b.one(f"llvm.urem {y}, {b.constant(t, min(width(t), (1 << width(t) - 1) - 1), kept=True)} : {t}", t)
        b.one(f"llvm.{b.rng.choice(('shl', 'lshr', 'ashr'))} {x}, {by} : {t}", t)
    elif kind == "count":
        b.one(f"llvm.intr.ctpop({x}) : ({t}) -> {t}", t)
    elif not is_vector(t) and width(t) <= 64:
        s = f"!llvm.struct<({t}, i1)>"
        op = b.rng.choice(("smul", "umul", "uadd", "ssub", "sadd", "usub"))
        both = b.one(f'"llvm.intr.{op}.with.overflow"({x}, {y}) : ({t}, {t}) -> {s}', s, kept=True)
        b.one(f"llvm.extractvalue {both}[0] : {s}", t)
        b.one(f"llvm.extractvalue {both}[1] : {s}", "i1")


@produces(5)
def conversions(b: Builder) -> None:
    """Numbers of one type as another."""
    x, t = b.any(flat)
    have = element(t)
    if is_float(t):
        want = b.rng.choice([f for f in ("f16", "bf16", "f32", "f64") if width(f) != width(have)])
        op = "fpext" if width(want) > width(have) else "fptrunc"
    elif b.rng.random() < 0.4 and width(t) <= 64:
        want, op = b.rng.choice(types.FLOATS), b.rng.choice(("sitofp", "uitofp"))
        if have == "i1":
            op = "uitofp"
    else:
        taken = [i for i in types.INTEGERS if width(i) != width(have) and i != "index"]
        want = b.rng.choice([i for i in taken if not (is_vector(t) and (i in types.ODD or i == "i1"))])
        op = "trunc" if width(want) < width(have) else b.rng.choice(("sext", "zext"))
    u = of(t, want)
    got = b.one(f"llvm.{op} {x} : {t} to {u}", u)
    if op in ("sitofp", "uitofp") and width(have) <= 8 and b.rng.random() < 0.6:
        back = of(t, b.rng.choice(("i16", "i32", "i64")))
        b.one(f"llvm.{'fptosi' if op == 'sitofp' else 'fptoui'} {got} : {u} to {back}", back)


def line(t: str) -> bool:
    """A vector of one dimension of elements that fill bytes."""
    return len(dims(t)) == 1 and element(t) in ("i8", "i16", "i32", "i64", "f32", "f64")


@produces(4)
def reductions(b: Builder) -> None:
    """A vector's elements to one."""
    x, t = b.any(line)
    inner, count = element(t), dims(t)[0]
    if is_integer(t):
        op = b.rng.choice(("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin"))
        b.one(f'"llvm.intr.vector.reduce.{op}"({x}) : ({t}) -> {inner}', inner)
    elif b.rng.random() < 0.5:
        op = b.rng.choice(("fmax", "fmin", "fmaximum", "fminimum"))
        b.one(f"llvm.intr.vector.reduce.{op}({x}) : ({t}) -> {inner}", inner)
    else:
        start, numbers = b.constant(inner, 2.0), exact(b, [count], inner)
        op = "fmul" if count < 6 and b.rng.random() < 0.5 else "fadd"
        again = b.rng.choice(("", " {reassoc = true}"))
        b.one(f'"llvm.intr.vector.reduce.{op}"({start}, {numbers}){again} : ({inner}, {t}) -> {inner}', inner)


@produces(3)
def promises(b: Builder) -> None:
    """What says something, or does nothing: the value is as before."""
    x, t = b.any(lambda t: flat(t) and not is_vector(t) and width(t) >= 8)
    kind = b.rng.choice(("expect", "probably", "assume", "stack", "life", "halves", "poison", "prefetch"))
    if kind in ("expect", "probably"):
        if is_float(t):
            return
        name, more = ("expect", "") if kind == "expect" else ("expect.with.probability", " 7.5e-01,")
        b.one(f"llvm.intr.{name} {x}, {b.constant(t)},{more} : {t}".replace(",  :", " :").replace(", :", " :"), t)
    elif kind == "assume":
        low = hidden(b, f"arith.andi {b.of('i32')}, {b.constant('i32', 15, kept=True)} : i32")
        test = hidden(b, f'llvm.icmp "ult" {low}, {b.constant("i32", b.rng.choice((16, 100)), kept=True)} : i32')
        b.emit(f"llvm.intr.assume {test} : i1", kept=True)
        b.one(f"llvm.add {low}, {b.of('i32')} : i32", "i32")
    elif kind in ("stack", "life", "prefetch"):
        place = local(b, "")
        b.emit(f"llvm.store {x}, {place} : {t}, !llvm.ptr", kept=True)
        if kind == "stack":
            here = hidden(b, "llvm.intr.stacksave : !llvm.ptr")
            b.emit(f"llvm.intr.stackrestore {here} : !llvm.ptr", kept=True)
        elif kind == "prefetch":
            b.emit(f'"llvm.intr.prefetch"({place}) <{{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}}> : (!llvm.ptr) -> ()', kept=True)  # fmt: skip
        b.one(f"llvm.load {place} : !llvm.ptr -> {t}", t)
    elif kind == "halves":
        v, inner = b.any(lambda t: line(t) and dims(t)[0] % 2 == 0)
        half = vector([dims(inner)[0] // 2], element(inner))
        s = f"!llvm.struct<({half}, {half})>"
        both = b.one(f'"llvm.intr.vector.deinterleave2"({v}) : ({inner}) -> {s}', s, kept=True)
        for i in range(2):
            b.one(f"llvm.extractvalue {both}[{i}] : {s}", half)
    else:
        at = ""
        nothing = hidden(b, f"llvm.mlir.{b.rng.choice(('poison', 'undef', 'zero'))} : vector<2x{t}>")
        for i, part in enumerate((x, b.of(t))):
            at = hidden(b, f"llvm.mlir.constant({i} : i32) : i32")
            nothing = hidden(b, f"llvm.insertelement {part}, {nothing}[{at} : i32] : vector<2x{t}>")
        b.one(f"llvm.extractelement {nothing}[{at} : i32] : vector<2x{t}>", t)
