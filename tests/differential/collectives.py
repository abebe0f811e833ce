"""What threads do together: shuffles, reductions, shared memory between barriers, atomics."""

from __future__ import annotations

from math import prod

from tests.differential.generator import Builder, produces
from tests.differential.program import ACCUMULATORS, SHARED_COUNTERS
from tests.differential.types import element, is_float, is_vector

SHUFFLED = ("i32", "i64", "f32", "f64")
INTEGER = ("add", "mul", "minsi", "maxsi", "minui", "maxui", "and", "or", "xor")


def threads(b: Builder) -> int:
    """The threads of a block."""
    return prod(b.kernel.block)


@produces(4)
def shuffles(b: Builder) -> None:
    """`gpu.shuffle`; what has no source, or one beyond the block's end, is zero."""
    if not b.uniform or b.device:
        return
    x, t = b.any(lambda t: t in SHUFFLED)
    count = threads(b)
    mode = b.rng.choice(("xor", "down", "idx", "up"))
    if b.rng.random() < 0.3:
        narrow_shuffle(b, x, t, mode)
        return
    if mode == "up" and count < 32:
        return  # LLVM's `up` is never valid below 32 lanes.
    n = b.constant("i32", min(count, 32), kept=True)
    by = b.rng.randint(0, 31)
    offset = b.constant("i32", by, kept=True)
    got, valid = b.emit(f"gpu.shuffle {mode} {x}, {offset}, {n} : {t}", t, "i1", kept=True)
    b.scope[-1] = [v for v in b.scope[-1] if v[0] not in (got, valid)]
    if count % 32 and count > 32:
        valid = b.one(f"arith.andi {valid}, {source_exists(b, mode, by, count)} : i1", "i1", kept=True)
    else:
        b.scope[-1].append((valid, "i1"))
    nothing = b.constant(t, 0.0 if is_float(t) else 0)
    b.one(f"arith.select {valid}, {got}, {nothing} : {t}", t)


def narrow_shuffle(b: Builder, x: str, t: str, mode: str) -> None:
    """A shuffle among the first lanes of each warp, any number of them; LLVM's `shfl` names these alone, so only they come."""
    count = threads(b)
    width = b.rng.randint(1, count % 32 or 32)
    if mode == "up" and width < 32:
        mode = "down"
    zero = b.constant(t, 0.0 if is_float(t) else 0, kept=True)
    never = b.constant("i1", 0, kept=True)
    n = b.constant("i32", width, kept=True)
    offset = b.constant("i32", b.rng.randrange(32), kept=True)
    inside = b.one(f"arith.cmpi ult, {lane_of(b)}, {b.constant('index', width, kept=True)} : index", "i1", kept=True)
    got, valid, found = b.name(), b.name(), b.name()
    b.emit(
        f"scf.if {inside} -> ({t}, i1) {{\n"
        f"  {got}, {valid} = gpu.shuffle {mode} {x}, {offset}, {n} : {t}\n"
        f"  {found} = arith.select {valid}, {got}, {zero} : {t}\n"
        f"  scf.yield {found}, {valid} : {t}, i1\n}} else {{\n  scf.yield {zero}, {never} : {t}, i1\n}}",
        t,
        "i1",
        kept=True,
    )


def lane_of(b: Builder) -> str:
    """The lane in the warp of this thread."""
    all_ = b.constant("index", threads(b), kept=True)
    here = b.one(f"arith.remui %tid, {all_} : index", "index", kept=True)
    return b.one(f"arith.andi {here}, {b.constant('index', 31, kept=True)} : index", "index", kept=True)


def source_exists(b: Builder, mode: str, by: int, count: int) -> str:
    """Whether the lane that a shuffle reads is one of the block's threads."""
    all_ = b.constant("index", count, kept=True)
    here = b.one(f"arith.remui %tid, {all_} : index", "index", kept=True)
    lane = lane_of(b)
    first = b.one(f"arith.subi {here}, {lane} : index", "index", kept=True)
    step = b.constant("index", by, kept=True)
    op = {"xor": f"arith.xori {lane}, {step}", "down": f"arith.addi {lane}, {step}", "up": f"arith.subi {lane}, {step}",
          "idx": f"arith.addi {step}, {b.constant('index', 0, kept=True)}"}[mode]  # fmt: skip
    source = b.one(f"{op} : index", "index", kept=True)
    place = b.one(f"arith.addi {first}, {source} : index", "index", kept=True)
    return b.one(f"arith.cmpi ult, {place}, {all_} : index", "i1", kept=True)


def countable(b: Builder, t: str, op: str) -> tuple[str, str]:
    """An operand whose sums (products) are the same in any order, whatever the type; what is done with it."""
    if not is_float(t):
        return b.of(t), op
    if op not in ("add", "mul"):
        return b.of(t), op
    low = b.one(
        f"arith.andi {b.of('i32')}, {b.constant('i32', 3 if op == 'add' else 1, kept=True)} : i32", "i32", kept=True
    )
    if op == "mul":  # 1 and -1.
        low = b.one(f"arith.addi {low}, {low} : i32", "i32", kept=True)
        low = b.one(f"arith.subi {low}, {b.constant('i32', 1, kept=True)} : i32", "i32", kept=True)
    return b.one(f"arith.sitofp {low} : i32 to {t}", t, kept=True), op


FLOAT = ("minnumf", "maxnumf", "minimumf", "maximumf", "add", "mul")


@produces(4)
def all_reductions(b: Builder) -> None:
    """`gpu.all_reduce`, named or written out, of operations and operands whose order does not matter."""
    if not b.uniform or b.device:
        return
    t = b.rng.choice(SHUFFLED)
    x, op = countable(b, t, b.rng.choice(FLOAT if is_float(t) else INTEGER))
    if b.rng.random() < 0.7:
        b.one(f"gpu.all_reduce {op} {x} uniform {{}} : ({t}) -> ({t})", t)
        return
    left, right, both = b.name(), b.name(), b.name()
    name = {"add": "add", "mul": "mul"}.get(op, op)
    suffix = ("f" if is_float(t) else "i") if op in ("add", "mul", "and", "or", "xor") else ""
    b.one(f"gpu.all_reduce {x} uniform {{\n^bb0({left}: {t}, {right}: {t}):\n"
          f"  {both} = arith.{name}{suffix} {left}, {right} : {t}\n  gpu.yield {both} : {t}\n}} : ({t}) -> ({t})", t)  # fmt: skip


@produces(3)
def subgroup_reductions(b: Builder) -> None:
    """`gpu.subgroup_reduce` of a warp, or of clusters of its lanes."""
    if not b.uniform or b.device or threads(b) % 32:
        return
    t = b.rng.choice(("i32", "f32", "f16", "i16", "i8", "vector<2xf16>", "vector<4xi8>"))  # LLVM refuses 64 bits.
    inner = element(t)
    op = b.rng.choice(("minnumf", "maxnumf", "minimumf", "maximumf") if is_float(t) else INTEGER)
    if inner == t:
        x, op = countable(b, t, b.rng.choice(FLOAT) if is_float(t) else op)
    else:
        x = b.of(t)
    cluster = ""
    if b.rng.random() < 0.6:
        size = b.rng.choice((1, 2, 4, 8, 16, 32))
        stride = b.rng.choice([n for n in (1, 2, 4, 8, 16) if n * size <= 32])
        cluster = f" cluster(size = {size}" + (f", stride = {stride})" if stride > 1 else ")")
    if op in INTEGER and inner == "i32" and not cluster:
        op = b.rng.choice(("add", "and", "or", "xor", "minsi", "maxui"))
    uniform = " uniform" if b.rng.random() < 0.5 else ""
    b.one(f"gpu.subgroup_reduce {op} {x}{uniform}{cluster} : ({t}) -> {t}", t)


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


@produces(3)
def shared_counters(b: Builder) -> None:
    """Atomics on shared memory, between barriers."""
    if not b.uniform or b.device:
        return
    t, ops = b.rng.choice((("i32", ("addi", "maxs", "minu", "ori", "andi")), ("i64", ("addi", "maxu", "ori"))))
    type_ = f"memref<4x{t}, #gpu.address_space<workgroup>>"
    name = b.symbol("c")
    b.kernel.globals.append(f"memref.global {name} : {type_} = uninitialized")
    buffer = b.one(f"memref.get_global {name} : {type_}", type_, kept=True)
    four = b.constant("index", 4, kept=True)
    place = b.one(f"arith.remui %tid, {four} : index", "index", kept=True)
    start = b.constant(t, b.rng.choice((0, 1, -1, 77)), kept=True)
    b.emit("gpu.barrier", kept=True)
    all_ = b.constant("index", threads(b), kept=True)
    here = b.one(f"arith.remui %tid, {all_} : index", "index", kept=True)
    first = b.one(f"arith.cmpi ult, {here}, {four} : index", "i1", kept=True)
    b.emit(f"scf.if {first} {{\n  memref.store {start}, {buffer}[{here}] : {type_}\n}}", kept=True)
    b.emit("gpu.barrier", kept=True)
    op = b.rng.choice(ops)
    old = b.one(f"memref.atomic_rmw {op} {b.of(t)}, {buffer}[{place}] : ({t}, {type_}) -> {t}", t, kept=True)
    b.scope[-1].remove((old, t))
    b.emit("gpu.barrier", kept=True)
    b.one(f"memref.load {buffer}[{b.masked(4)}] : {type_}", t, kept=True)
    b.emit("gpu.barrier", kept=True)
