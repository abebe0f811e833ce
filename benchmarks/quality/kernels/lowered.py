"""Kernels as MLIR's own passes make them of `linalg`: parallel loops, tiled, mapped to blocks and threads, outlined.

What a reduction sums up stays in memory, as these passes leave it, or is carried where `affine-scalrep` has seen it.
"""

from __future__ import annotations

from collections.abc import Sequence

from quality.emitter import Writer
from quality.kernels import kernel
from quality.lowering import lower

group = kernel("lowered")

_D = {rank: ", ".join(f"d{i}" for i in range(rank)) for rank in range(1, 7)}


def _map(rank: int, at: str) -> str:
    return f"affine_map<({_D[rank]}) -> ({at})>"


def _generic(
    inputs: Sequence[tuple[str, str, str]], outputs: Sequence[tuple[str, str, str]], kinds: str, body: str
) -> str:
    """A `linalg.generic`: its operands as (name, type, map), and the body's lines, which read `%i0`... and `%o0`..."""
    rank, both = len(kinds), [*inputs, *outputs]
    maps = ", ".join(_map(rank, at) for _, _, at in both)
    words = {"p": '"parallel"', "r": '"reduction"'}
    names = [f"%i{n}" for n in range(len(inputs))] + [f"%o{n}" for n in range(len(outputs))]
    inner = [type_.rpartition("x")[2].rstrip(">") for _, type_, _ in both]

    def operands(some: Sequence[tuple[str, str, str]]) -> str:
        return f"{', '.join(one[0] for one in some)} : {', '.join(one[1] for one in some)}"

    arguments = ", ".join(f"{name}: {type_}" for name, type_ in zip(names, inner, strict=True))
    return (
        f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{', '.join(words[k] for k in kinds)}]}}\n"
        f"ins({operands(inputs)}) outs({operands(outputs)}) {{\n^bb0({arguments}):\n{body}\n}}\n"
    )


def _named(w: Writer, name: str, ins: Sequence[str], out: str, tile: str, attributes: str = "") -> None:
    """A named operation of `linalg` on memrefs of these types."""
    types = [f"memref<{one}>" for one in (*ins, out)]
    names = [f"%m{n}" for n in range(len(types))]
    head = ", ".join(f"{a}: {b}" for a, b in zip(names, types, strict=True))
    given = f"{', '.join(names[:-1])} : {', '.join(types[:-1])}"
    body = f"linalg.{name} {attributes} ins({given}) outs({names[-1]} : {types[-1]})"
    lower(w, f"func.func @f({head}) {{\n{body}\nreturn\n}}\n", tile)


def _each(
    w: Writer, types: Sequence[str], maps: Sequence[str], kinds: str, tile: str, body: str, outputs: int = 1
) -> None:
    """A kernel of one `linalg.generic`, the last memrefs being its outputs."""
    rows = [(f"%m{n}", f"memref<{one}>", at) for n, (one, at) in enumerate(zip(types, maps, strict=True))]
    head = ", ".join(f"{name}: {type_}" for name, type_, _ in rows)
    text = _generic(rows[:-outputs], rows[-outputs:], kinds, body)
    lower(w, f"func.func @f({head}) {{\n{text}return\n}}\n", tile)


@group
def named_matmul(w: Writer) -> None:
    """`linalg.matmul`."""
    type_, n, m, k = (
        w.rng.choice(("f32", "f64")),
        32 * w.rng.randrange(1, 4),
        8 * w.rng.randrange(2, 6),
        w.rng.randrange(20, 70),
    )
    _named(w, "matmul", (f"{m}x{k}x{type_}", f"{k}x{n}x{type_}"), f"{m}x{n}x{type_}", "8,32")


@group
def half_matmul(w: Writer) -> None:
    """A product of f16 summed in f32."""
    n, m, k = 64, 8 * w.rng.randrange(2, 6), w.rng.randrange(20, 70)
    body = "%a = arith.extf %i0 : f16 to f32\n%b = arith.extf %i1 : f16 to f32\n%p = arith.mulf %a, %b : f32\n"
    body += "%s = arith.addf %o0, %p : f32\nlinalg.yield %s : f32"
    _each(w, (f"{m}x{k}xf16", f"{k}x{n}xf16", f"{m}x{n}xf32"), ("d0, d2", "d2, d1", "d0, d1"), "ppr", "4,32", body)


@group
def integer_matmul(w: Writer) -> None:
    """A product of i8 less their zero points, summed in i32."""
    n, m, k = 64, 8 * w.rng.randrange(2, 6), w.rng.randrange(20, 70)
    a, b = w.rng.randrange(1, 9), w.rng.randrange(-9, 0)
    body = f"%za = arith.constant {a} : i32\n%zb = arith.constant {b} : i32\n"
    body += "%a = arith.extsi %i0 : i8 to i32\n%b = arith.extsi %i1 : i8 to i32\n%c = arith.subi %a, %za : i32\n"
    body += "%d = arith.subi %b, %zb : i32\n%p = arith.muli %c, %d : i32\n%s = arith.addi %o0, %p : i32\nlinalg.yield %s : i32"
    _each(w, (f"{m}x{k}xi8", f"{k}x{n}xi8", f"{m}x{n}xi32"), ("d0, d2", "d2, d1", "d0, d1"), "ppr", "4,32", body)


@group
def batched(w: Writer) -> None:
    """`linalg.batch_matmul`."""
    b, m, n, k = w.rng.randrange(2, 4), 8, 32 * w.rng.randrange(1, 3), w.rng.randrange(10, 40)
    _named(w, "batch_matmul", (f"{b}x{m}x{k}xf32", f"{b}x{k}x{n}xf32"), f"{b}x{m}x{n}xf32", "1,4,32")


@group
def named_matvec(w: Writer) -> None:
    """`linalg.matvec`."""
    m, k = 128 * w.rng.randrange(1, 3), w.rng.randrange(30, 90)
    _named(w, "matvec", (f"{m}x{k}xf32", f"{k}xf32"), f"{m}xf32", "64")


@group
def convolution(w: Writer) -> None:
    """`linalg.conv_2d_nhwc_hwcf`."""
    c, f, k = w.rng.randrange(3, 9), w.rng.randrange(4, 9), w.rng.choice((3, 5))
    h = 4 * w.rng.randrange(1, 3)
    _named(
        w,
        "conv_2d_nhwc_hwcf",
        (f"1x{h + k - 1}x{8 + k - 1}x{c}xf32", f"{k}x{k}x{c}x{f}xf32"),
        f"1x{h}x8x{f}xf32",
        "1,4,8,1",
    )


@group
def channels_first(w: Writer) -> None:
    """`linalg.conv_2d_nchw_fchw` with a stride."""
    c, f, k, s = w.rng.randrange(3, 7), w.rng.choice((4, 6)), 3, w.rng.choice((1, 2))
    h, width = 16, 6
    size = f"1x{c}x{(h - 1) * s + k}x{(width - 1) * s + k}xf32"
    strides = f"{{strides = dense<{s}> : tensor<2xi64>}}"
    _named(w, "conv_2d_nchw_fchw", (size, f"{f}x{c}x{k}x{k}xf32"), f"1x{f}x{h}x{width}xf32", "1,2,16,1", strides)


@group
def by_channel(w: Writer) -> None:
    """`linalg.depthwise_conv_2d_nhwc_hwc`."""
    c, k, h = w.rng.randrange(3, 9), w.rng.choice((3, 5)), 4 * w.rng.randrange(1, 3)
    _named(
        w,
        "depthwise_conv_2d_nhwc_hwc",
        (f"1x{h + k - 1}x{8 + k - 1}x{c}xf32", f"{k}x{k}x{c}xf32"),
        f"1x{h}x8x{c}xf32",
        "1,4,8,1",
    )


@group
def largest_pools(w: Writer) -> None:
    """`linalg.pooling_nhwc_max`."""
    c, k, s = w.rng.randrange(3, 9), w.rng.choice((2, 3)), 2
    strides = f"{{strides = dense<{s}> : tensor<2xi64>}}"
    _named(
        w,
        "pooling_nhwc_max",
        (f"1x{3 * s + k}x{7 * s + k}x{c}xf32", f"{k}x{k}xf32"),
        f"1x4x8x{c}xf32",
        "1,4,8,1",
        strides,
    )


@group
def summed_pools(w: Writer) -> None:
    """`linalg.pooling_nchw_sum`."""
    k = w.rng.choice((3, 4))
    _named(w, "pooling_nchw_sum", (f"2x4x{7 + k}x{15 + k}xf32", f"{k}x{k}xf32"), "2x4x8x16xf32", "1,4,8,1")


@group
def turned(w: Writer) -> None:
    """A transposition of three dimensions."""
    a, b, c = w.rng.randrange(3, 8), 8 * w.rng.randrange(1, 3), 32
    _each(
        w,
        (f"{a}x{b}x{c}xf32", f"{c}x{a}x{b}xf32"),
        ("d0, d1, d2", "d2, d0, d1"),
        "ppp",
        "1,8,16",
        "linalg.yield %i0 : f32",
    )


@group
def broadcast_sum(w: Writer) -> None:
    """A matrix, a row and a column."""
    t, m, n = w.rng.choice(("f32", "f16")), 8 * w.rng.randrange(1, 5), 64
    body = f"%a = arith.addf %i0, %i1 : {t}\n%b = arith.mulf %a, %i2 : {t}\nlinalg.yield %b : {t}"
    _each(
        w,
        (f"{m}x{n}x{t}", f"{n}x{t}", f"{m}x{t}", f"{m}x{n}x{t}"),
        ("d0, d1", "d1", "d0", "d0, d1"),
        "pp",
        "4,32",
        body,
    )


@group
def gelu_exact(w: Writer) -> None:
    """x Phi(x) by erf."""
    m, n = 8 * w.rng.randrange(1, 5), 64
    body = "%h = arith.constant 0.5 : f32\n%r = arith.constant 0.70710678 : f32\n%one = arith.constant 1.0 : f32\n"
    body += "%a = arith.mulf %i0, %r : f32\n%e = math.erf %a : f32\n%b = arith.addf %e, %one : f32\n"
    body += "%c = arith.mulf %i0, %h : f32\n%d = arith.mulf %b, %c : f32\nlinalg.yield %d : f32"
    _each(w, (f"{m}x{n}xf32",) * 2, ("d0, d1",) * 2, "pp", "4,32", body)


@group
def sigmoid_half(w: Writer) -> None:
    """1 / (1 + exp(-x)) of bf16 or f16, in f32."""
    t, n = w.rng.choice(("f16", "bf16")), 128 * w.rng.randrange(2, 6)
    body = f"%one = arith.constant 1.0 : f32\n%a = arith.extf %i0 : {t} to f32\n%b = arith.negf %a : f32\n"
    body += "%c = math.exp %b : f32\n%d = arith.addf %c, %one : f32\n%e = arith.divf %one, %d : f32\n"
    body += f"%g = arith.truncf %e : f32 to {t}\nlinalg.yield %g : {t}"
    w.math()
    _each(w, (f"{n}x{t}",) * 2, ("d0",) * 2, "p", "128", body)


@group
def row_exponentials(w: Writer) -> None:
    """Softmax's second step: the exponentials of a row less its maximum, and their sum."""
    m, n = 64, w.rng.randrange(20, 60)
    body = "%a = arith.subf %i0, %i1 : f32\n%b = math.exp %a : f32\n%s = arith.addf %o1, %b : f32\nlinalg.yield %b, %s : f32, f32"
    _each(
        w,
        (f"{m}x{n}xf32", f"{m}xf32", f"{m}x{n}xf32", f"{m}xf32"),
        ("d0, d1", "d0", "d0, d1", "d0"),
        "pr",
        "32",
        body,
        2,
    )


@group
def row_largest(w: Writer) -> None:
    """The maximum of each row."""
    t, m, n = w.rng.choice(("f32", "f16")), 128, w.rng.randrange(20, 60)
    body = f"%a = arith.maximumf %i0, %o0 : {t}\nlinalg.yield %a : {t}"
    _each(w, (f"{m}x{n}x{t}", f"{m}x{t}"), ("d0, d1", "d0"), "pr", "64", body)


@group
def largest_places(w: Writer) -> None:
    """The maximum of each row and where it is."""
    m, n = 64, w.rng.randrange(20, 60)
    body = "%j = linalg.index 1 : index\n%k = arith.index_cast %j : index to i32\n%t = arith.cmpf ogt, %i0, %o0 : f32\n"
    body += "%v = arith.select %t, %i0, %o0 : f32\n%p = arith.select %t, %k, %o1 : i32\nlinalg.yield %v, %p : f32, i32"
    _each(w, (f"{m}x{n}xf32", f"{m}xf32", f"{m}xi32"), ("d0, d1", "d0", "d0"), "pr", "32", body, 2)


@group
def moments(w: Writer) -> None:
    """The sums and squares of rows."""
    m, n = 64, w.rng.randrange(20, 60)
    body = "%q = arith.mulf %i0, %i0 : f32\n%a = arith.addf %o0, %i0 : f32\n%b = arith.addf %o1, %q : f32\nlinalg.yield %a, %b : f32, f32"
    _each(w, (f"{m}x{n}xf32", f"{m}xf32", f"{m}xf32"), ("d0, d1", "d0", "d0"), "pr", "64", body, 2)


@group
def normalised(w: Writer) -> None:
    """Batch normalisation with scale and shift of channels."""
    m, n = 16, 64
    body = "%eps = arith.constant 1.0e-05 : f32\n%a = arith.subf %i0, %i1 : f32\n%v = math.absf %i2 : f32\n%b = arith.addf %v, %eps : f32\n"
    body += "%r = math.rsqrt %b : f32\n%c = arith.mulf %a, %r : f32\n%d = arith.mulf %c, %i3 : f32\n%e = arith.addf %d, %i4 : f32\nlinalg.yield %e : f32"
    w.math()
    channel = (f"{n}xf32",) * 4
    _each(w, (f"{m}x{n}xf32", *channel, f"{m}x{n}xf32"), ("d0, d1", *("d1",) * 4, "d0, d1"), "pp", "4,32", body)


@group
def requantised(w: Writer) -> None:
    """Sums of i32 scaled by a fixed-point number, rounded and held to i8."""
    m, n, s = 16, 64, w.rng.randrange(8, 20)
    body = f"%s = arith.constant {s} : i64\n%h = arith.constant {1 << s - 1} : i64\n%lo = arith.constant -128 : i64\n%hi = arith.constant 127 : i64\n"
    body += "%a = arith.extsi %i0 : i32 to i64\n%b = arith.extsi %i1 : i32 to i64\n%p = arith.muli %a, %b : i64\n%q = arith.addi %p, %h : i64\n"
    body += "%r = arith.shrsi %q, %s : i64\n%t = arith.maxsi %r, %lo : i64\n%u = arith.minsi %t, %hi : i64\n%v = arith.trunci %u : i64 to i8\nlinalg.yield %v : i8"
    _each(w, (f"{m}x{n}xi32", f"{n}xi32", f"{m}x{n}xi8"), ("d0, d1", "d1", "d0, d1"), "pp", "4,32", body)


@group
def dequantised(w: Writer) -> None:
    """i8 with a scale for each row, as f16."""
    m, n = 16, 64
    body = "%a = arith.sitofp %i0 : i8 to f32\n%b = arith.mulf %a, %i1 : f32\n%c = arith.truncf %b : f32 to f16\nlinalg.yield %c : f16"
    _each(w, (f"{m}x{n}xi8", f"{m}xf32", f"{m}x{n}xf16"), ("d0, d1", "d0", "d0, d1"), "pp", "4,32", body)


@group
def triangle(w: Writer) -> None:
    """Scores masked above the diagonal."""
    m, n = 32, 64
    body = "%lo = arith.constant -1.0e+09 : f32\n%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%t = arith.cmpi ugt, %j, %i : index\n"
    body += "%s = arith.mulf %i0, %i1 : f32\n%a = arith.select %t, %lo, %s : f32\nlinalg.yield %a : f32"
    _each(w, (f"{m}x{n}xf32", f"{m}xf32", f"{m}x{n}xf32"), ("d0, d1", "d0", "d0, d1"), "pp", "4,32", body)


@group
def enlarged(w: Writer) -> None:
    """Nearest neighbours of a smaller image, found by division."""
    f, m, n = w.rng.randrange(2, 4), 8, 32
    body = f"%f = arith.constant {f} : index\n%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%a = arith.divui %i, %f : index\n"
    body += f"%b = arith.divui %j, %f : index\n%x = memref.load %m0[%a, %b] : memref<{m // f + 1}x{n // f + 1}xf32>\nlinalg.yield %x : f32"
    _image(w, f"memref<{m // f + 1}x{n // f + 1}xf32>", f"memref<{m}x{n}xf32>", body)


def _image(w: Writer, source: str, target: str, body: str) -> None:
    text = _generic((), (("%m1", target, "d0, d1"),), "pp", body).replace("ins( : ) ", "")
    lower(w, f"func.func @f(%m0: {source}, %m1: {target}) {{\n{text}return\n}}\n", "4,32")


@group
def gathered_rows(w: Writer) -> None:
    """Rows of a table by numbers."""
    rows, m, n = 16, 16, 64
    body = f"%j = linalg.index 1 : index\n%c = arith.constant {rows} : i32\n%u = arith.remui %i0, %c : i32\n%r = arith.index_cast %u : i32 to index\n"
    body += f"%x = memref.load %m0[%r, %j] : memref<{rows}x{n}xf32>\nlinalg.yield %x : f32"
    table, at, out = f"memref<{rows}x{n}xf32>", f"memref<{m}xi32>", f"memref<{m}x{n}xf32>"
    text = _generic((("%m1", at, "d0"),), (("%m2", out, "d0, d1"),), "pp", body)
    lower(w, f"func.func @f(%m0: {table}, %m1: {at}, %m2: {out}) {{\n{text}return\n}}\n", "4,32")


@group
def mixed_words(w: Writer) -> None:
    """Integers mixed by shifts, products and remainders."""
    n, p = 256, w.rng.choice((7, 10, 60, 365, 1000))
    body = f"%s = arith.constant {w.rng.randrange(3, 20)} : i32\n%p = arith.constant {p} : i32\n%k = arith.constant {w.rng.randrange(1 << 30) | 1} : i32\n"
    body += "%a = arith.shrui %i0, %s : i32\n%b = arith.xori %i0, %a : i32\n%c = arith.muli %b, %k : i32\n%d = arith.remsi %c, %p : i32\n"
    body += "%e = arith.divsi %i1, %p : i32\n%g = arith.addi %d, %e : i32\nlinalg.yield %g : i32"
    _each(w, (f"{n}xi32",) * 3, ("d0",) * 3, "p", "128", body)
