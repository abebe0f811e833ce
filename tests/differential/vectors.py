"""Vectors: making, taking apart, reordering, reducing."""

from __future__ import annotations

from tests.differential import types
from tests.differential.generator import Builder, produces
from tests.differential.types import dims, element, is_float, is_vector, of, vector


def plain(t: str) -> bool:
    """A scalar that vectors may have for an element."""
    return not is_vector(t) and t not in types.ODD


def flat(t: str) -> bool:
    """A vector of one dimension."""
    return len(dims(t)) == 1


@produces(3)
def broadcasts(b: Builder) -> None:
    """One value in every element."""
    x, t = b.any(plain)
    shape = [b.rng.choice(types.COUNTS)] if b.rng.random() < 0.8 else [2, b.rng.choice((2, 4))]
    u = vector(shape, t)
    b.one(f"vector.broadcast {x} : {t} to {u}", u)


@produces(4)
def extracts(b: Builder) -> None:
    """An element, at a place that is known or not; a row."""
    x, t = b.any(is_vector)
    shape, inner = dims(t), element(t)
    if len(shape) == 2:
        row = b.rng.randrange(shape[0])
        u = vector(shape[1:], inner)
        if b.rng.random() < 0.5:
            b.one(f"vector.extract {x}[{row}] : {u} from {t}", u)
        else:
            b.one(f"vector.extract {x}[{row}, {b.rng.randrange(shape[1])}] : {inner} from {t}", inner)
    elif shape[0] & shape[0] - 1 == 0 and b.rng.random() < 0.4:
        b.one(f"vector.extract {x}[{b.masked(shape[0])}] : {inner} from {t}", inner)
    else:
        b.one(f"vector.extract {x}[{b.rng.randrange(shape[0])}] : {inner} from {t}", inner)


@produces(3)
def inserts(b: Builder) -> None:
    """An element put into a vector."""
    x, t = b.any(flat)
    count, inner = dims(t)[0], element(t)
    if count & count - 1 == 0 and b.rng.random() < 0.4:
        place = b.masked(count)
    else:
        place = str(b.rng.randrange(count))
    b.one(f"vector.insert {b.of(inner)}, {x} [{place}] : {inner} into {t}", t)


@produces(3)
def shuffles(b: Builder) -> None:
    """Elements of two vectors in a new order."""
    x, t = b.any(flat)
    y = b.of(t)
    count = dims(t)[0]
    chosen = [b.rng.randrange(2 * count) for _ in range(b.rng.choice(types.COUNTS))]
    u = vector([len(chosen)], element(t))
    b.one(f"vector.shuffle {x}, {y} [{', '.join(map(str, chosen))}] : {t}, {t}", u)


@produces(3)
def reductions(b: Builder) -> None:
    """All elements combined."""
    x, t = b.any(flat)
    inner = element(t)
    if is_float(inner):
        op = b.rng.choice(("maxnumf", "minnumf", "maximumf", "minimumf"))
    else:
        if inner == "index":
            return
        op = b.rng.choice(("add", "mul", "and", "or", "xor", "minsi", "maxsi", "minui", "maxui"))
    b.one(f"vector.reduction <{op}>, {x} : {t} into {inner}", inner)


@produces(3)
def slices(b: Builder) -> None:
    """A part of a vector, out of it or into it."""
    x, t = b.any(lambda t: flat(t) and dims(t)[0] > 1)
    count = dims(t)[0]
    size = b.rng.randint(1, count - 1)
    at = b.rng.randint(0, count - size)
    u = vector([size], element(t))
    if b.rng.random() < 0.5:
        b.one(f"vector.extract_strided_slice {x} {{offsets = [{at}], sizes = [{size}], strides = [1]}} : {t} to {u}", u)
    else:
        b.one(f"vector.insert_strided_slice {b.of(u)}, {x} {{offsets = [{at}], strides = [1]}} : {u} into {t}", t)


@produces(2)
def reshapes(b: Builder) -> None:
    """The same elements in another shape, transposed, interleaved."""
    x, t = b.any(is_vector)
    shape, inner = dims(t), element(t)
    if len(shape) == 2:
        if b.rng.random() < 0.5:
            u = vector([shape[0] * shape[1]], inner)
            b.one(f"vector.shape_cast {x} : {t} to {u}", u)
        else:
            u = vector(shape[::-1], inner)
            b.one(f"vector.transpose {x}, [1, 0] : {t} to {u}", u)
    elif shape[0] % 2 == 0 and b.rng.random() < 0.5:
        u = vector([2, shape[0] // 2], inner)
        b.one(f"vector.shape_cast {x} : {t} to {u}", u)
    elif shape[0] < 8:
        u = vector([2 * shape[0]], inner)
        b.one(f"vector.interleave {x}, {b.of(t)} : {t} -> {u}", u)
    elif shape[0] % 2 == 0:
        u = vector([shape[0] // 2], inner)
        b.emit(f"vector.deinterleave {x} : {t} -> {u}", u, u)


@produces(2)
def elements(b: Builder) -> None:
    """A vector of scalars, and scalars of a vector."""
    if b.rng.random() < 0.5:
        x, t = b.any(lambda t: flat(t) and dims(t)[0] <= 4)
        b.emit(f"vector.to_elements {x} : {t}", *[element(t)] * dims(t)[0])
    else:
        x, t = b.any(plain)
        count = b.rng.choice((1, 2, 3, 4))
        u = vector([count], t)
        b.one(f"vector.from_elements {', '.join(b.of(t) for _ in range(count))} : {u}", u)


@produces(1)
def masks(b: Builder) -> None:
    """A vector of tests that are true below a number."""
    count = b.rng.choice((2, 4, 8))
    u = vector([count], "i1")
    b.one(f"vector.create_mask {b.masked(count)} : {u}", u)


@produces(2)
def vector_bitcasts(b: Builder) -> None:
    """The bits of a vector of integers, grouped anew."""
    x, t = b.any(lambda t: flat(t) and element(t) in ("i8", "i16", "i32", "i64"))
    total = dims(t)[0] * types.width(t)
    wanted = [w for w in (8, 16, 32, 64) if total % w == 0 and total // w <= 16 and w != types.width(t)]
    if wanted:
        w = b.rng.choice(wanted)
        u = vector([total // w], f"i{w}")
        b.one(f"vector.bitcast {x} : {t} to {u}", u)


@produces(1)
def by_llvm(b: Builder) -> None:
    """Elements by LLVM's operations."""
    x, t = b.any(lambda t: flat(t) and element(t) != "index")
    count = dims(t)[0]
    at = b.constant("i32", b.rng.randrange(count))
    if b.rng.random() < 0.5:
        b.one(f"llvm.extractelement {x}[{at} : i32] : {t}", element(t))
    else:
        b.one(f"llvm.insertelement {b.of(element(t))}, {x}[{at} : i32] : {t}", of(t, element(t)))
