"""Vectors in memory with more than one dimension, masks, permutations; products and reductions of them."""

from __future__ import annotations

from collections.abc import Sequence

from tests.differential import types
from tests.differential.generator import Builder, produces
from tests.differential.program import ROW
from tests.differential.types import is_float, vector

WHOLE = f"memref<?x{ROW}xi32>"
ELEMENTS = ("i8", "i16", "i32", "i32", "i64", "f32", "f64", "f16")


def filled(b: Builder, shape: Sequence[int], t: str) -> tuple[str, str]:
    """A buffer of the thread's own with a number in each place, and its type."""
    type_ = f"memref<{'x'.join(map(str, shape))}x{t}>"
    buffer = b.one(f"memref.alloca() : {type_}", type_, kept=True)
    total = 1
    for size in shape:
        total *= size
    flat = vector(list(shape), t)
    text = str([b.literal(t) for _ in range(total)]).strip("[]").split(", ")
    for size in reversed(shape):
        text = [f"[{', '.join(text[i : i + size])}]" for i in range(0, len(text), size)]
    values = b.one(f"arith.constant dense<{text[0]}> : {flat}", flat, kept=True)
    zero = b.constant("index", 0, kept=True)
    places = ", ".join([zero] * len(shape))
    b.emit(f"vector.transfer_write {values}, {buffer}[{places}] {{in_bounds = {bools(len(shape))}}} : {flat}, {type_}",
           kept=True)  # fmt: skip
    b.scope[-1].remove((values, flat))
    at = ", ".join(b.masked(size) for size in shape)
    b.emit(f"memref.store {b.of(t)}, {buffer}[{at}] : {type_}")
    return buffer, type_


def bools(count: int, value: bool = True) -> str:
    """An array of flags."""
    return f"[{', '.join([str(value).lower()] * count)}]"


def some_mask(b: Builder, shape: list[int]) -> str:
    """A mask: made from numbers, constant, or any bits."""
    t = vector(shape, "i1")
    kind = b.rng.choice(("create", "constant", "any"))
    if kind == "create":
        return b.one(f"vector.create_mask {', '.join(b.masked(_power(n)) for n in shape)} : {t}", t)
    if kind == "constant":
        return b.one(f"vector.constant_mask [{', '.join(str(b.rng.randint(1, n)) for n in shape)}] : {t}", t)
    return b.of(t)


def _power(n: int) -> int:
    return 1 << max(1, n.bit_length())


@produces(4)
def transfers(b: Builder) -> None:
    """Reads and writes of two dimensions, transposed, broadcast, masked, beyond the end."""
    t = b.rng.choice(ELEMENTS)
    rows, columns = b.rng.choice(((2, 4), (4, 4), (4, 2), (2, 8)))
    buffer, type_ = filled(b, (rows, columns), t)
    kind = b.rng.choice(("row", "column", "transposed", "both", "broadcast", "masked", "beyond"))
    i, j = b.masked(rows), b.masked(columns)
    zero = b.constant("index", 0, kept=True)
    padding = b.of(t)
    if kind in ("row", "column"):
        size = columns if kind == "row" else rows
        v = vector([size], t)
        order = "" if kind == "row" else ", permutation_map = affine_map<(d0, d1) -> (d0)>"
        at = f"{i}, {zero}" if kind == "row" else f"{zero}, {j}"
        attributes = f"{{in_bounds = [true]{order}}}"
    elif kind == "transposed":
        v, at = vector([columns, rows], t), f"{zero}, {zero}"
        attributes = "{in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>}"
    elif kind == "both":
        v, at, attributes = vector([rows, columns], t), f"{zero}, {zero}", "{in_bounds = [true, true]}"
    elif kind == "broadcast":
        v, at = vector([3, columns], t), f"{i}, {zero}"
        attributes = "{in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>}"
        b.one(f"vector.transfer_read {buffer}[{at}], {padding} {attributes} : {type_}, {v}", v)
        return
    else:
        v, at, attributes = vector([columns], t), f"{i}, {j}", ""
    mask = f", {some_mask(b, [columns])}" if kind == "masked" else ""
    if b.rng.random() < 0.6:
        b.one(f"vector.transfer_read {buffer}[{at}], {padding}{mask} {attributes} : {type_}, {v}", v)
    else:
        b.emit(f"vector.transfer_write {b.of(v)}, {buffer}[{at}]{mask} {attributes} : {v}, {type_}")
        b.one(f"memref.load {buffer}[{b.masked(rows)}, {b.masked(columns)}] : {type_}", t)


@produces(4)
def masked_memory(b: Builder) -> None:
    """Loads and stores of the elements that a mask names: in order, close together, at places of their own."""
    t = b.rng.choice(ELEMENTS)
    size, count = 8, b.rng.choice((1, 2, 4))
    buffer, type_ = filled(b, (size,), t)
    v, m, places = vector([count], t), vector([count], "i1"), vector([count], b.rng.choice(("i32", "i64", "index")))
    mask, at = some_mask(b, [count]), b.masked(4)
    op = b.rng.choice(("maskedload", "maskedstore", "expandload", "compressstore", "gather", "scatter"))
    if op in ("gather", "scatter"):
        inner = types.element(places)
        kept = b.constant(places, 7, kept=True)
        if op == "scatter":  # Two threads' elements in one place come in an order; places apart need none.
            chosen = b.rng.sample(range(size), count)
            indices = b.one(f"arith.constant dense<{chosen}> : {places}", places, kept=True)
        else:
            indices = b.one(f"arith.andi {b.of(places)}, {kept} : {places}", places, kept=True)
        zero = b.constant("index", 0, kept=True)
        del inner
        if op == "gather":
            b.one(f"vector.gather {buffer}[{zero}] [{indices}], {mask}, {b.of(v)} : {type_}, {places}, {m}, {v} into {v}", v)  # fmt: skip
        else:
            b.emit(f"vector.scatter {buffer}[{zero}] [{indices}], {mask}, {b.of(v)} : {type_}, {places}, {m}, {v}")
    elif op in ("maskedload", "expandload"):
        b.one(f"vector.{op} {buffer}[{at}], {mask}, {b.of(v)} : {type_}, {m}, {v} into {v}", v)
    else:
        b.emit(f"vector.{op} {buffer}[{at}], {mask}, {b.of(v)} : {type_}, {m}, {v}")
    b.one(f"memref.load {buffer}[{b.masked(size)}] : {type_}", t)


def exact(b: Builder, shape: list[int], t: str) -> str:
    """A vector of small numbers, whose sums of products are exact in any order."""
    v = vector(shape, t)
    if not is_float(t):
        return b.of(v)
    source = vector(shape, "i32")
    low = b.one(f"arith.andi {b.of(source)}, {b.constant(source, 3)} : {source}", source, kept=True)
    return b.one(f"arith.sitofp {low} : {source} to {v}", v, kept=True)


@produces(3)
def products(b: Builder) -> None:
    """Matrix products, outer products."""
    t = b.rng.choice(("i32", "i64", "i16", "f32", "f64"))
    m, n, k = (b.rng.choice((1, 2, 3, 4)) for _ in range(3))
    if b.rng.random() < 0.3:
        x, y = exact(b, [m], t), exact(b, [n], t)
        b.one(f"vector.outerproduct {x}, {y}, {exact(b, [m, n], t)} {{kind = #vector.kind<add>}} : "
              f"{vector([m], t)}, {vector([n], t)}", vector([m, n], t))  # fmt: skip
        return
    kind = b.rng.choice(("plain", "transposed", "vector", "dot"))
    if kind in ("plain", "transposed"):
        left, right, out = [m, k], [k, n] if kind == "plain" else [n, k], [m, n]
        maps = f"(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> {'(k, n)' if kind == 'plain' else '(n, k)'}>, affine_map<(m, n, k) -> (m, n)"
        iterators = '["parallel", "parallel", "reduction"]'
    elif kind == "vector":
        left, right, out = [m, k], [k], [m]
        maps = "(m, k) -> (m, k)>, affine_map<(m, k) -> (k)>, affine_map<(m, k) -> (m)"
        iterators = '["parallel", "reduction"]'
    else:
        left, right, out = [k], [k], []
        maps, iterators = "(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()", '["reduction"]'
    x, y = exact(b, left, t), exact(b, right, t)
    if out:
        start, result = exact(b, out, t), vector(out, t)
    else:
        start, result = b.constant(t, 2.0 if is_float(t) else None), t
    b.one(f"vector.contract {{indexing_maps = [affine_map<{maps}>], iterator_types = {iterators}, "
          f"kind = #vector.kind<add>}} {x}, {y}, {start} : {vector(left, t)}, {vector(right, t)} into {result}", result)  # fmt: skip


INTEGER = ("add", "mul", "and", "or", "xor", "minsi", "maxsi", "minui", "maxui")


@produces(3)
def reductions(b: Builder) -> None:
    """All elements along some dimensions combined, with a start, under a mask; running sums."""
    x, v = b.any(lambda t: types.is_vector(t) and types.element(t) not in ("index", "i1", "i4", "i128"))
    shape, t = types.dims(v), types.element(v)
    op = b.rng.choice(("maxnumf", "minnumf", "maximumf", "minimumf") if is_float(t) else INTEGER)
    if len(shape) == 2:
        along = b.rng.choice(([0], [1], [0, 1]))
        left = [n for i, n in enumerate(shape) if i not in along]
        result = vector(left, t) if left else t
        b.one(f"vector.multi_reduction <{op}>, {x}, {b.of(result)} {along} : {v} to {result}", result)
    elif is_float(t) or b.rng.random() < 0.5:
        b.one(f"vector.reduction <{op}>, {x}, {b.of(t)} : {v} into {t}", t)
    elif b.rng.random() < 0.5:
        mask = some_mask(b, shape)
        b.one(f"vector.mask {mask} {{ vector.reduction <{op}>, {x}, {b.of(t)} : {v} into {t} }} : "
              f"{vector(shape, 'i1')} -> {t}", t)  # fmt: skip
    elif shape[0] > 1:
        first = vector([], t)
        start = b.one(f"vector.broadcast {b.of(t)} : {t} to {first}", first, kept=True)
        b.scope[-1].remove((start, first))
        whole = b.rng.choice(("true", "false"))
        got, end = b.emit(f"vector.scan <{op}>, {x}, {start} {{inclusive = {whole}, reduction_dim = 0 : i64}} : "
                          f"{v}, {first}", v, first)  # fmt: skip
        b.scope[-1].remove((end, first))
        del got


@produces(2)
def sums(b: Builder) -> None:
    """A float sum or product of few elements that is exact in any order."""
    t, count = b.rng.choice(("f16", "bf16", "f32", "f64")), b.rng.choice(types.COUNTS)
    v = vector([count], t)
    x = exact(b, [count], t)
    b.one(f"vector.reduction <add>, {x}, {b.constant(t, 1.0)} : {v} into {t}", t)
