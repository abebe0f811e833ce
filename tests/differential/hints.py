"""Operations that promise something of their operands: no overflow, no NaN, nothing lost. The promises are kept here."""

from __future__ import annotations

from tests.differential import types
from tests.differential.generator import Builder, produces
from tests.differential.types import is_float, is_integer, is_vector, of, width

FLAGS = ("nsw", "nuw", "nsw, nuw")


def below(b: Builder, t: str, bits: int) -> str:
    """An integer, or a vector of them, of so many low bits."""
    x = b.of(t)
    return b.one(f"arith.andi {x}, {b.constant(t, (1 << bits) - 1, kept=True)} : {t}", t, kept=True)


def plain(t: str) -> bool:
    """An integer that LLVM has, of at least 4 bits, or a vector of these of one dimension."""
    return is_integer(t) and types.element(t) != "index" and width(t) >= 4 and len(types.dims(t)) < 2


@produces(4)
def overflows(b: Builder) -> None:
    """Sums, products and shifts of numbers that are small enough."""
    _, t = b.any(plain)
    bits, flags = width(t), b.rng.choice(FLAGS)
    kind = b.rng.choice(("add", "sub", "mul", "shl", "trunc", "disjoint"))
    x, y = below(b, t, bits // 2 - 1), below(b, t, bits // 2 - 1)
    if kind == "sub":
        x = b.one(f"arith.ori {x}, {b.constant(t, 1 << bits // 2 - 1, kept=True)} : {t}", t, kept=True)
    if kind == "shl":
        y = b.constant(t, b.rng.randrange(bits // 2), kept=True)
    if kind == "trunc":
        if is_vector(t) or bits < 16:
            return
        b.one(f"llvm.trunc {x} overflow<{flags}> : {t} to i{bits // 2}", f"i{bits // 2}")
    elif kind == "disjoint":
        y = b.one(f"arith.shli {y}, {b.constant(t, bits // 2, kept=True)} : {t}", t, kept=True)
        b.one(f"llvm.or disjoint {x}, {y} : {t}", t)
    elif b.rng.random() < 0.5:
        b.one(f"llvm.{kind} {x}, {y} overflow<{flags}> : {t}", t)
    else:
        op = "shli" if kind == "shl" else f"{kind}i"
        b.one(f"arith.{op} {x}, {y} overflow<{flags}> : {t}", t)


@produces(3)
def exact(b: Builder) -> None:
    """Quotients and shifts that leave nothing over."""
    _, t = b.any(plain)
    by = b.rng.randint(1, 3) if width(t) < 8 else b.rng.choice((1, 2, 3, 5, 7, 10))
    x = below(b, t, max(width(t) - 5, 1))
    if b.rng.random() < 0.5 and width(t) > 8:
        whole = b.one(f"arith.muli {x}, {b.constant(t, by, kept=True)} : {t}", t, kept=True)
        op = b.rng.choice(("llvm.udiv exact", "llvm.sdiv exact"))
        b.one(f"{op} {whole}, {b.constant(t, by, kept=True)} : {t}", t)
    else:
        n = b.constant(t, b.rng.randint(0, 3), kept=True)
        whole = b.one(f"arith.shli {x}, {n} : {t}", t, kept=True)
        b.one(f"{b.rng.choice(('llvm.lshr exact', 'llvm.ashr exact'))} {whole}, {n} : {t}", t)


@produces(2)
def not_negative(b: Builder) -> None:
    """Wider integers, and floats, of numbers that have no sign."""
    _, t = b.any(lambda t: plain(t) and width(t) in (8, 16, 24, 32))
    x = below(b, t, width(t) - 1)
    if b.rng.random() < 0.6:
        u = of(t, f"i{b.rng.choice((width(t) + 8, 64, 128 if not is_vector(t) else 64))}")
        b.one(f"{b.rng.choice(('llvm.zext nneg', 'arith.extui'))} {x} : {t} to {u}", u)
    else:
        u = of(t, b.rng.choice(("f32", "f64")))
        b.one(f"llvm.uitofp nneg {x} : {t} to {u}", u)


FAST = (
    "contract",
    "reassoc",
    "nnan",
    "ninf",
    "nsz",
    "arcp",
    "afn",
    "fast",
    "nnan,ninf",
    "reassoc,nsz",
    "contract,arcp",
)


@produces(4)
def fast_floats(b: Builder) -> None:
    """Float arithmetic with flags, of numbers whose results are exact in any order, and no zeros."""
    t = b.rng.choice(("f32", "f64", "f16", "vector<2xf32>", "vector<4xf64>"))
    i = of(t, "i32")
    small = [below(b, i, 3) for _ in range(3)]
    odd = [b.one(f"arith.ori {x}, {b.constant(i, 1, kept=True)} : {i}", i, kept=True) for x in small]
    x, y, z = (b.one(f"arith.sitofp {x} : {i} to {t}", t, kept=True) for x in odd)
    flags = f"fastmath<{b.rng.choice(FAST)}>"
    kind = b.rng.choice(("sum", "fma", "compare", "select", "divide", "negate", "llvm"))
    if kind == "sum":
        first = b.one(f"arith.addf {x}, {y} {flags} : {t}", t)
        b.one(f"arith.addf {first}, {z} {flags} : {t}", t)
    elif kind == "fma":
        first = b.one(f"arith.mulf {x}, {y} {flags} : {t}", t)
        b.one(f"arith.addf {first}, {z} {flags} : {t}", t)
    elif kind == "compare":
        b.one(f"arith.cmpf {b.rng.choice(('olt', 'ult', 'une', 'oeq', 'ord'))}, {x}, {y} {flags} : {t}", of(t, "i1"))
    elif kind == "select":
        b.one(f"arith.{b.rng.choice(('maximumf', 'minnumf', 'maxnumf'))} {x}, {y} {flags} : {t}", t)
    elif kind == "divide":
        two = b.constant(t, b.rng.choice((2.0, 4.0, 0.5)), kept=True)
        b.one(f"arith.divf {x}, {two} {flags} : {t}", t)
    elif kind == "negate":
        first = b.one(f"arith.negf {x} {flags} : {t}", t)
        b.one(f"arith.subf {first}, {z} {flags} : {t}", t)
    else:
        word = flags.replace("fastmath", "fastmathFlags = #llvm.fastmath")
        b.one(f"llvm.{b.rng.choice(('fadd', 'fmul'))} {x}, {y} {{{word}}} : {t}", t)
    assert is_float(t)


@produces(3)
def indices(b: Builder) -> None:
    """The `index` dialect."""
    x, y = b.of("index"), b.of("index")
    kind = b.rng.choice(("div", "shift", "compare", "cast", "extreme"))
    if kind == "div":
        y = b.one(f"arith.ori {y}, {b.constant('index', 1, kept=True)} : index", "index", kept=True)
        op = b.rng.choice(("divs", "divu", "rems", "remu", "ceildivs", "ceildivu", "floordivs"))
        if op.endswith("s"):
            x = b.one(f"arith.shrsi {x}, {b.constant('index', 1, kept=True)} : index", "index", kept=True)
        b.one(f"index.{op} {x}, {y}", "index")
    elif kind == "shift":
        b.one(f"index.{b.rng.choice(('shl', 'shrs', 'shru'))} {x}, {b.masked(64)}", "index")
    elif kind == "compare":
        names = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
        b.one(f"index.cmp {b.rng.choice(names)}({x}, {y})", "i1")
    elif kind == "cast":
        t = b.rng.choice(("i8", "i32", "i64", "i80", "i128"))
        op = b.rng.choice(("casts", "castu"))
        if b.rng.random() < 0.5:
            b.one(f"index.{op} {x} : index to {t}", t)
        else:
            b.one(f"index.{op} {b.of(t)} : {t} to index", "index")
    else:
        b.one(f"index.{b.rng.choice(('maxs', 'maxu', 'mins', 'minu'))} {x}, {y}", "index")
