"""What threads do together: shuffles, reductions, shared memory between barriers, atomics."""

from __future__ import annotations

from math import prod

from tests.differential.generator import Builder, produces
from tests.differential.program import ACCUMULATORS, SHARED_COUNTERS
from tests.differential.types import is_float, is_vector

SHUFFLED = ("i32", "i64", "f32", "f64")
INTEGER = ("add", "mul", "minsi", "maxsi", "minui", "maxui", "and", "or", "xor")


def threads(b: Builder) -> int:
    """The threads of a block."""
    return prod(b.kernel.block)


@produces(4)
def shuffles(b: Builder) -> None:
    """`gpu.shuffle`; what has no source is zero."""
    if not b.uniform or b.device:
        return
    x, t = b.any(lambda t: t in SHUFFLED)
    count = threads(b)
    mode = b.rng.choice(("xor", "down", "idx", "up"))
    if count % 32 and (count > 32 or mode == "up"):
        return  # LLVM's `up` is never valid below 32 lanes, and lanes beyond the width are undefined there.
    width = min(count, 32)
    n = b.constant("i32", width, kept=True)
    offset = b.constant("i32", b.rng.randint(0, 31), kept=True)
    got, valid = b.emit(f"gpu.shuffle {mode} {x}, {offset}, {n} : {t}", t, "i1", kept=True)
    b.scope[-1].remove((got, t))
    nothing = b.constant(t, 0.0 if is_float(t) else 0)
    b.one(f"arith.select {valid}, {got}, {nothing} : {t}", t)


@produces(3)
def all_reductions(b: Builder) -> None:
    """`gpu.all_reduce`, of an operation whose order does not matter."""
    if not b.uniform or b.device:
        return
    x, t = b.any(lambda t: t in SHUFFLED)
    op = b.rng.choice(("minnumf", "maxnumf", "minimumf", "maximumf") if is_float(t) else INTEGER)
    b.one(f"gpu.all_reduce {op} {x} uniform {{}} : ({t}) -> ({t})", t)


@produces(4)
def exchanges(b: Builder) -> None:
    """A value through shared memory, from another thread of the block."""
    if not b.uniform or b.device:
        return
    x, t = b.any(lambda t: not is_vector(t) and t in (*SHUFFLED, "i8", "i16", "f16", "bf16", "i24", "i48", "index"))
    count = threads(b)
    type_ = f"memref<{count}x{t}, #gpu.address_space<workgroup>>"
    name = b.symbol("s")
    b.kernel.globals.append(f"memref.global {name} : {type_} = uninitialized")
    buffer = b.one(f"memref.get_global {name} : {type_}", type_, kept=True)
    place = b.one(f"arith.remui %tid, {b.constant('index', count, kept=True)} : index", "index", kept=True)
    b.emit("gpu.barrier", kept=True)
    b.emit(f"memref.store {x}, {buffer}[{place}] : {type_}", kept=True)
    b.emit("gpu.barrier", kept=True)
    by = b.constant("index", b.rng.randrange(count))
    moved = b.one(f"arith.addi {place}, {by} : index", "index", kept=True)
    other = b.one(f"arith.remui {moved}, {b.constant('index', count, kept=True)} : index", "index", kept=True)
    b.one(f"memref.load {buffer}[{other}] : {type_}", t, kept=True)


@produces(2)
def counters(b: Builder) -> None:
    """Atomics on counters that all threads share: what they were before is nobody's business."""
    if b.device:
        return
    op, at_value = b.rng.choice(
        (("addi", 0), ("maxs", 1), ("minu", 2), ("ori", 3), ("andi", 4), ("maxu", 5), ("mins", 6))
    )
    at = b.constant("index", at_value, kept=True)
    (old,) = b.emit(
        f"memref.atomic_rmw {op} {b.of('i32')}, {ACCUMULATORS}[{at}] : (i32, memref<{SHARED_COUNTERS}xi32>) -> i32",
        "i32",
        kept=True,
    )
    b.scope[-1].remove((old, "i32"))


@produces(1)
def ids(b: Builder) -> None:
    """Where the thread is."""
    op = b.rng.choice(("gpu.lane_id", "gpu.subgroup_id : index", "gpu.thread_id x", "gpu.thread_id y", "gpu.block_dim z",
                       "gpu.block_id x", "gpu.grid_dim x", "gpu.subgroup_size : index", "gpu.num_subgroups : index"))  # fmt: skip
    b.one(op, "index")
