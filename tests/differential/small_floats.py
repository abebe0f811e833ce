"""Floats of 8 bits: made of wider ones and read as such, moved as bytes through memory and vectors."""

from __future__ import annotations

from tests.differential.generator import Builder, produces
from tests.differential.types import vector

FORMATS = ("f8E4M3FN", "f8E5M2")


def hidden(b: Builder, text: str) -> str:
    """A value that other families do not take."""
    name = b.name()
    b.region.nodes.append(b.node(f"{name} = {text}", kept=True))
    return name


@produces(4)
def conversions(b: Builder) -> None:
    """Two floats as two of 8 bits, and back."""
    form = b.rng.choice(FORMATS)
    if b.rng.random() < 0.5:
        how = "rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>" + b.rng.choice((", relu = true", ""))
        packed = b.one(f"nvvm.convert.f32x2.to.f8x2 {b.of('f32')}, {b.of('f32')} {{{how}}} : i16 ({form})", "i16")
    else:
        pair = vector([2], "f16")
        packed = b.one(f"nvvm.convert.f16x2.to.f8x2 {b.of(pair)} : {pair} -> i16 ({form})", "i16")
    one = b.one(f"llvm.bitcast {packed} : i16 to vector<2xi8>", "vector<2xi8>")
    wide = b.one(f"nvvm.convert.f8x2.to.f16x2 {one} : vector<2xi8> ({form}) -> vector<2xf16>", "vector<2xf16>")
    if b.rng.random() < 0.5:
        b.one(f"arith.extf {wide} : vector<2xf16> to vector<2xf32>", "vector<2xf32>")


@produces(4)
def bytes_as_floats(b: Builder) -> None:
    """Bytes that count as floats: in memory, chosen, put into vectors and taken out."""
    form, count = b.rng.choice((*FORMATS, "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E8M0FNU")), b.rng.choice((2, 4, 8))
    v, type_ = vector([count], form), f"memref<{count}x{form}>"
    x = hidden(b, f"arith.bitcast {b.of('i8')} : i8 to {form}")
    several = hidden(b, f"arith.bitcast {b.of(vector([count], 'i8'))} : {vector([count], 'i8')} to {v}")
    kind = b.rng.choice(("memory", "vector", "select", "shuffle"))
    if kind == "memory":
        buffer, zero = hidden(b, f"memref.alloca() : {type_}"), b.constant("index", 0, kept=True)
        b.emit(f"vector.store {several}, {buffer}[{zero}] : {type_}, {v}", kept=True)
        b.emit(f"memref.store {x}, {buffer}[{b.masked(count)}] : {type_}", kept=True)
        x = hidden(b, f"memref.load {buffer}[{b.masked(count)}] : {type_}")
        several = hidden(b, f"vector.load {buffer}[{zero}] : {type_}, {v}")
    elif kind == "vector":
        several = hidden(b, f"vector.insert {x}, {several} [{b.masked(count)}] : {form} into {v}")
        x = hidden(b, f"vector.extract {several}[{b.masked(count)}] : {form} from {v}")
    elif kind == "select":
        other = hidden(b, f"vector.broadcast {x} : {form} to {v}")
        several = hidden(b, f"arith.select {b.of(vector([count], 'i1'))}, {other}, {several} : {vector([count], 'i1')}, {v}")  # fmt: skip
    else:
        order = [b.rng.randrange(2 * count) for _ in range(count)]
        several = hidden(b, f"vector.shuffle {several}, {several} {order} : {v}, {v}")
    b.one(f"arith.bitcast {x} : {form} to i8", "i8")
    b.one(f"arith.bitcast {several} : {v} to {vector([count], 'i8')}", vector([count], "i8"))
