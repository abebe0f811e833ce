"""Vectors and memory of three dimensions: transfers by any map, under masks, beyond the end; what is done with them."""

from __future__ import annotations

from math import prod

from tests.differential import types
from tests.differential.generator import Builder, produces
from tests.differential.small_floats import hidden
from tests.differential.transfers import ELEMENTS, INTEGER, exact, filled, some_mask
from tests.differential.types import is_float, vector

SHAPES = ((2, 2, 4), (2, 3, 2), (1, 4, 3), (3, 2, 2), (2, 1, 5), (4, 2, 1), (2, 2, 2))


def flat(b: Builder, name: str, type_: str) -> None:
    """The elements as a vector of one dimension, in scope."""
    if types.is_vector(type_):
        u = vector([prod(types.dims(type_))], types.element(type_))
        b.one(f"vector.shape_cast {name} : {type_} to {u}", u)
    else:
        b.region.nodes.append(b.node("", kept=True))
        b.scope[-1].append((name, type_))


def cube(b: Builder, t: str, shape: tuple[int, ...] = ()) -> tuple[str, str]:
    """A vector of three dimensions, and its type."""
    shape = shape or b.rng.choice(SHAPES)
    line, u = vector([prod(shape)], t), vector(list(shape), t)
    source = exact(b, [prod(shape)], t)
    return hidden(b, f"vector.shape_cast {source} : {line} to {u}"), u


@produces(5)
def transfers(b: Builder) -> None:
    """Reads and writes of one, two or three dimensions of three."""
    t = b.rng.choice(ELEMENTS)
    sizes = b.rng.choice(((2, 4, 4), (4, 2, 2), (2, 2, 4)))
    buffer, type_ = filled(b, sizes, t)
    used = b.rng.sample(range(3), b.rng.choice((1, 2, 2, 3)))
    inside = [b.rng.random() < 0.6 for _ in used]
    lengths = [b.rng.randint(1, sizes[dim]) if ok else b.rng.choice((2, 3, 4)) for dim, ok in zip(used, inside, strict=True)]  # fmt: skip
    starts = [b.masked(size) for size in sizes]
    for dim, length, ok in zip(used, lengths, inside, strict=True):
        if ok:
            starts[dim] = b.constant("index", b.rng.randint(0, sizes[dim] - length), kept=True)
    results, shape, flags = [f"d{dim}" for dim in used], list(lengths), list(inside)
    reads = b.rng.random() < 0.6
    if reads and b.rng.random() < 0.25 and len(used) < 3:
        at = b.rng.randint(0, len(used))
        results.insert(at, "0")
        shape.insert(at, 2)
        flags.insert(at, True)
    v = vector(shape, t)
    attributes = f"{{in_bounds = [{', '.join(str(ok).lower() for ok in flags)}], permutation_map = affine_map<(d0, d1, d2) -> ({', '.join(results)})>}}"  # fmt: skip
    mask, innermost = "", [*range(3 - len(used), 3)]
    # mlir-opt takes the mask in the vector's order where dimensions are exchanged and one of the innermost is left out.
    if b.rng.random() < 0.4 and (used == sorted(used) or sorted(used) == innermost):
        mask = f", {some_mask(b, [length for _, length in sorted(zip(used, lengths, strict=True))])}"
        b.scope[-1] = [value for value in b.scope[-1] if len(types.dims(value[1])) < 3]
    where = f"{buffer}[{', '.join(starts)}]"
    if reads:
        flat(b, hidden(b, f"vector.transfer_read {where}, {b.of(t)}{mask} {attributes} : {type_}, {v}"), v)
    else:
        line = vector([prod(shape)], t)
        x = hidden(b, f"vector.shape_cast {b.of(line)} : {line} to {v}")
        b.emit(f"vector.transfer_write {x}, {where}{mask} {attributes} : {v}, {type_}")
        b.one(f"memref.load {buffer}[{', '.join(b.masked(size) for size in sizes)}] : {type_}", t)


@produces(4)
def rearranged(b: Builder) -> None:
    """Dimensions in another order, parts of them, one value for many."""
    x, v = cube(b, b.rng.choice(ELEMENTS))
    shape, t = types.dims(v), types.element(v)
    kind = b.rng.choice(("transpose", "part", "put", "row", "stretch", "elements", "insert"))
    if kind == "transpose":
        order = b.rng.sample(range(3), 3)
        u = vector([shape[dim] for dim in order], t)
        flat(b, hidden(b, f"vector.transpose {x}, {order} : {v} to {u}"), u)
    elif kind in ("part", "put"):
        sizes = [b.rng.randint(1, n) for n in shape]
        at = [b.rng.randint(0, n - size) for n, size in zip(shape, sizes, strict=True)]
        u = vector(sizes, t)
        if kind == "part":
            flat(b, hidden(b, f"vector.extract_strided_slice {x} {{offsets = {at}, sizes = {sizes}, strides = [1, 1, 1]}} : {v} to {u}"), u)  # fmt: skip
        else:
            part, _ = cube(b, t, tuple(sizes))
            flat(b, hidden(b, f"vector.insert_strided_slice {part}, {x} {{offsets = {at}, strides = [1, 1, 1]}} : {u} into {v}"), v)  # fmt: skip
    elif kind == "row":
        count = b.rng.choice((1, 2, 3))
        at = [b.rng.randrange(n) for n in shape[:count]]
        u = vector(shape[count:], t) if count < 3 else t
        flat(b, hidden(b, f"vector.extract {x}{at} : {u} from {v}"), u)
    elif kind == "insert":
        at = [b.rng.randrange(n) for n in shape[:2]]
        u = vector(shape[2:], t)
        flat(b, hidden(b, f"vector.insert {b.of(u)}, {x} {at} : {u} into {v}"), v)
    elif kind == "stretch":
        source = vector([1, shape[2]], t)
        y = hidden(b, f"vector.shape_cast {b.of(vector([shape[2]], t))} : {vector([shape[2]], t)} to {source}")
        u = vector([2, shape[1], shape[2]], t)
        flat(b, hidden(b, f"vector.broadcast {y} : {source} to {u}"), u)
    else:
        names = [b.name() for _ in range(prod(shape))]
        b.region.nodes.append(b.node(f"{', '.join(names)} = vector.to_elements {x} : {v}", kept=True))
        b.rng.shuffle(names)
        flat(b, hidden(b, f"vector.from_elements {', '.join(names)} : {v}"), v)


@produces(4)
def reduced(b: Builder) -> None:
    """Some of three dimensions combined; running results along one; products with a batch."""
    t = b.rng.choice(("i32", "i64", "i16", "f32", "f64"))
    x, v = cube(b, t)
    shape = types.dims(v)
    op = b.rng.choice(("add", "maximumf", "minnumf") if is_float(t) else INTEGER)
    kind = b.rng.choice(("reduce", "scan", "batch"))
    if kind == "reduce":
        along = sorted(b.rng.sample(range(3), b.rng.randint(1, 3)))
        left = [n for dim, n in enumerate(shape) if dim not in along]
        u = vector(left, t) if left else t
        start = hidden(b, f"vector.shape_cast {exact(b, [prod(left)], t)} : {vector([prod(left)], t)} to {u}") if left else b.constant(t, 1.0 if is_float(t) else 1)  # fmt: skip
        flat(b, hidden(b, f"vector.multi_reduction <{op}>, {x}, {start} {along} : {v} to {u}"), u)
    elif kind == "scan":
        dim = b.rng.randrange(3)
        left = [n for place, n in enumerate(shape) if place != dim]
        u = vector(left, t)
        start = hidden(b, f"vector.shape_cast {exact(b, [prod(left)], t)} : {vector([prod(left)], t)} to {u}")
        got, end = b.name(), b.name()
        b.region.nodes.append(b.node(
            f"{got}, {end} = vector.scan <{op}>, {x}, {start} {{inclusive = {b.rng.choice(('true', 'false'))}, "
            f"reduction_dim = {dim} : i64}} : {v}, {u}", kept=True))  # fmt: skip
        flat(b, got, v)
        flat(b, end, u)
    else:
        n, m, k = shape
        y, w = cube(b, t, (n, 2, k))
        u = vector([n, m, 2], t)
        start, _ = cube(b, t, (n, m, 2))
        flat(b, hidden(b, "vector.contract {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>, "
             'affine_map<(b, i, j, k) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"], '
             f"kind = #vector.kind<add>}} {x}, {y}, {start} : {v}, {w} into {u}"), u)  # fmt: skip


@produces(3)
def in_rows(b: Builder) -> None:
    """Elements that a mask names, in a row of a matrix; memory of vectors."""
    t = b.rng.choice(ELEMENTS)
    if b.rng.random() < 0.4:
        v = vector([b.rng.choice((2, 4))], t)
        type_ = f"memref<4x{v}>"
        buffer = hidden(b, f"memref.alloca() : {type_}")
        for i in range(4):
            b.emit(f"memref.store {b.of(v)}, {buffer}[{b.constant('index', i, kept=True)}] : {type_}", kept=True)
        b.emit(f"memref.store {b.of(v)}, {buffer}[{b.masked(4)}] : {type_}")
        b.one(f"memref.load {buffer}[{b.masked(4)}] : {type_}", v)
        return
    buffer, type_ = filled(b, (4, 8), t)
    count = b.rng.choice((2, 4))
    v, m = vector([count], t), vector([count], "i1")
    at, mask = f"{b.masked(4)}, {b.masked(4)}", some_mask(b, [count])
    op = b.rng.choice(("maskedload", "maskedstore", "expandload", "compressstore", "gather", "scatter"))
    if op in ("gather", "scatter"):
        places = vector([count], "i32")
        chosen = b.one(f"arith.constant dense<{b.rng.sample(range(4), count)}> : {places}", places, kept=True)
        if op == "gather":
            b.one(
                f"vector.gather {buffer}[{at}] [{chosen}], {mask}, {b.of(v)} : {type_}, {places}, {m}, {v} into {v}", v
            )
        else:
            b.emit(f"vector.scatter {buffer}[{at}] [{chosen}], {mask}, {b.of(v)} : {type_}, {places}, {m}, {v}")
    elif op in ("maskedload", "expandload"):
        b.one(f"vector.{op} {buffer}[{at}], {mask}, {b.of(v)} : {type_}, {m}, {v} into {v}", v)
    else:
        b.emit(f"vector.{op} {buffer}[{at}], {mask}, {b.of(v)} : {type_}, {m}, {v}")
    b.one(f"memref.load {buffer}[{b.masked(4)}, {b.masked(8)}] : {type_}", t)
