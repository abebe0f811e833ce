"""The generator: what is in scope, how operations are chosen, the frame of a kernel.

Families of operations register themselves with `produces`; each adds some operations to the region that is being built
and binds their results.  What they make is defined for all inputs: no poison, no undefined behaviour.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from math import prod
from random import Random

from tests.codegen.breadth import stride
from tests.codegen.breadth_cases import stored_type
from tests.differential import types
from tests.differential.program import IN, OUT, Kernel, Named, Node, Region, Stored

Producer = Callable[["Builder"], None]
FAMILIES: list[tuple[int, Producer]] = []
BLOCKS = (
    (32, 1, 1),
    (32, 1, 1),
    (64, 1, 1),
    (6, 1, 1),
    (8, 4, 1),
    (4, 4, 3),
    (33, 1, 1),
    (16, 2, 2),
    (5, 3, 2),
    (13, 1, 1),
)
INPUT, OUTPUT = 512, 4096
"""Bytes of a thread's part of the input and output."""


def produces(weight: int) -> Callable[[Producer], Producer]:
    """Register a family of operations, chosen in proportion to its weight."""

    def register(producer: Producer) -> Producer:
        FAMILIES.append((weight, producer))
        return producer

    return register


class Builder:
    """Builds one kernel: `scope` holds the values of the regions around the current place, innermost last."""

    def __init__(self, name: str, seed: str, focus: str = "") -> None:
        self.rng = Random(seed)
        block = self.rng.choice(BLOCKS)
        self.kernel = Kernel(name, seed, block, self.rng.choice((1, 1, 1, 2)), Region())
        self.region = self.kernel.body
        self.scope: list[list[Named]] = [[]]
        self.uniform = True
        """Whether all threads of the block come here."""
        self.device = False
        """Whether this is a function that the kernel calls."""
        self.depth = 0
        self._names = 0
        self._numbers = 0
        self.weights = [
            20 * weight if focus and producer.__module__.endswith(focus) else weight for weight, producer in FAMILIES
        ]
        self.signatures: dict[str, tuple[list[str], list[str]]] = {}

    # -- names and nodes ----------------------------------------------------------------------------------------

    def name(self) -> str:
        """A fresh name of a value."""
        self._names += 1
        return f"%v{self._names}"

    def symbol(self, stem: str) -> str:
        """A fresh name of a function or a variable."""
        self._names += 1
        return f"@{self.kernel.name}_{stem}{self._names}"

    def node(
        self, text: str, results: Sequence[Named] = (), regions: Sequence[Region] = (), *, kept: bool = False
    ) -> Node:
        """A node, which is not put anywhere."""
        self._numbers += 1
        return Node(self._numbers, text, results, regions, kept)

    def emit(self, text: str, *results: str, regions: Sequence[Region] = (), kept: bool = False) -> list[str]:
        """Add an operation `%a, %b = text` with results of these types, which are in scope from now on."""
        named = [(self.name(), type_) for type_ in results]
        left = ", ".join(name for name, _ in named)
        node = self.node(f"{left} = {text}" if named else text, named, regions, kept=kept)
        self.region.nodes.append(node)
        self.scope[-1] += [(n, t) for n, t in named if not t.startswith(("memref", "!llvm"))]
        return [name for name, _ in named]

    def one(self, text: str, result: str, *, kept: bool = False) -> str:
        """Add an operation with one result."""
        return self.emit(text, result, kept=kept)[0]

    # -- values -------------------------------------------------------------------------------------------------

    def values(self) -> list[Named]:
        """Everything in scope."""
        return [value for frame in self.scope for value in frame]

    def any(self, wanted: Callable[[str], bool] = lambda _: True) -> Named:
        """A value whose type is wanted, a recent one rather; made if there is none."""
        found = [value for value in self.values() if wanted(value[1])]
        if found and self.rng.random() < 0.95:
            return found[-1 - int(len(found) * self.rng.random() ** 2)]
        while True:
            type_ = types.some_type(self.rng)
            if wanted(type_):
                return self.of(type_), type_

    def of(self, type_: str) -> str:
        """A value of a type: one in scope, an input, or a constant."""
        found = [name for name, t in self.values() if t == type_]
        if found and self.rng.random() < 0.9:
            return self.rng.choice(found)
        if self.rng.random() < 0.6 and not self.device:
            return self.input(type_)
        return self.constant(type_)

    def number(self, type_: str) -> str:
        """A value of a type, of which also the bits are defined: no NaN (which one comes of arithmetic, is not said)."""
        return self.numeric(self.of(type_), type_)

    def numeric(self, x: str, type_: str) -> str:
        """A value, or 1 where it is a NaN."""
        if not types.is_float(type_):
            return x
        test = types.of(type_, "i1")
        nan = self.one(f"arith.cmpf uno, {x}, {x} : {type_}", test, kept=True)
        by = f"{test}, {type_}" if types.is_vector(type_) else type_
        return self.one(f"arith.select {nan}, {self.constant(type_, 1.0, kept=True)}, {x} : {by}", type_, kept=True)

    def constant(self, type_: str, value: int | float | None = None, *, kept: bool = False) -> str:
        """A constant, a random one if no value is given; `kept` where another would make the kernel undefined."""
        inner = types.element(type_)
        if value is None:
            value = self.literal(inner)
        text = str(bool(value)).lower() if inner == "i1" else str(value)
        if types.is_vector(type_):
            return self.one(f"arith.constant dense<{text}> : {type_}", type_, kept=kept)
        return self.one(f"arith.constant {text}" + ("" if inner == "i1" else f" : {inner}"), type_, kept=kept)

    def literal(self, inner: str) -> int | float | bool:
        """A number of a scalar type."""
        rng = self.rng
        if types.is_float(inner):
            return rng.choice((0.0, -0.0, 1.0, -1.0, 0.5, 1.5, -2.5, 3.0, 7.0, 100.0, 0.1, rng.uniform(-50, 50)))
        bits = types.width(inner)
        if bits == 1:
            return rng.random() < 0.5
        edge = rng.choice((0, 1, 2, 3, 5, 7, -1, -2, 10, 1 << bits - 2, (1 << bits - 1) - 1, -(1 << bits - 1)))
        found = edge if rng.random() < 0.7 else rng.getrandbits(bits)
        return (found + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)

    def input(self, type_: str) -> str:
        """A value that the thread loads, from a place of its own."""
        wider = in_bytes(type_)
        if wider != type_:
            return self.one(f"arith.trunci {self.input(wider)} : {wider} to {type_}", type_)
        kept = flattened(stored_type(type_))
        size = stride(kept)
        places = self.kernel.inputs
        end = max((place.offset + stride(place.type) for place in places), default=0)
        offset = -(-end // size) * size
        if offset + size > INPUT:
            return self.constant(type_)
        places.append(Stored(kept, offset))
        pointer = self.one(
            f"llvm.getelementptr %mine[{offset}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8", "!llvm.ptr<1>", kept=True
        )
        loaded = self.one(f"llvm.load {pointer} : !llvm.ptr<1> -> {kept}", kept)
        if types.is_vector(kept) and types.width(kept) < 8:
            # LLVM narrows a load that only shuffles read to the leading elements they use, and then takes the bits after
            # these for zeros; a store of the whole vector keeps the load as it is.
            self.store(loaded, kept, needed=True)
        if len(types.dims(type_)) > 1:
            shaped = stored_type(type_)
            loaded, kept = self.one(f"vector.shape_cast {loaded} : {kept} to {shaped}", shaped), shaped
        return self.one(f"arith.index_cast {loaded} : {kept} to {type_}", type_) if kept != type_ else loaded

    def store(self, name: str, type_: str, ulps: int = 0, *, needed: bool = False) -> None:
        """Write a value to the thread's output, to be compared; the operation stays in a smaller kernel if `needed`."""
        wider = in_bytes(type_)
        if wider != type_:
            name, type_ = self.one(f"arith.extui {name} : {type_} to {wider}", wider), wider
        kept = stored_type(type_)
        if kept != type_:
            name = self.one(f"arith.index_cast {name} : {type_} to {kept}", kept)
        if len(types.dims(type_)) > 1:
            flat = flattened(kept)
            name, kept = self.one(f"vector.shape_cast {name} : {kept} to {flat}", flat), flat
        size = stride(kept)
        places = self.kernel.outputs
        end = max((place.offset + stride(place.type) for place in places), default=0)
        offset = -(-end // size) * size
        if offset + size > OUTPUT:
            return
        places.append(Stored(kept, offset, ulps))
        pointer = self.one(
            f"llvm.getelementptr %theirs[{offset}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8", "!llvm.ptr<1>", kept=True
        )
        self.emit(f"llvm.store {name}, {pointer} : {kept}, !llvm.ptr<1>", kept=needed)

    def masked(self, limit: int) -> str:
        """An index below a power of two."""
        assert limit & limit - 1 == 0
        if self.rng.random() < 0.4:
            return self.constant("index", self.rng.randrange(limit))
        value, type_ = self.any(
            lambda t: t == "index" or (t[0] == "i" and not types.is_vector(t) and types.width(t) >= 8)
        )
        mask = self.constant(type_, limit - 1, kept=True)
        low = self.one(f"arith.andi {value}, {mask} : {type_}", type_)
        return low if type_ == "index" else self.one(f"arith.index_castui {low} : {type_} to index", "index")

    # -- regions ------------------------------------------------------------------------------------------------

    @contextmanager
    def inside(self, arguments: Sequence[Named] = (), head: str = "", *, uniform: bool = False) -> Generator[Region]:
        """Build a region, with arguments of its own."""
        region = Region(head=head)
        saved = self.region, self.uniform
        self.region, self.uniform = region, uniform and self.uniform
        self.scope.append(list(arguments))
        self.depth += 1
        try:
            yield region
        finally:
            self.depth -= 1
            self.scope.pop()
            self.region, self.uniform = saved

    def some(self, count: int) -> None:
        """Add some operations of any families."""
        for _ in range(count):
            ((_, producer),) = self.rng.choices(FAMILIES, self.weights)
            producer(self)


def flattened(type_: str) -> str:
    """A vector's type with all its elements in one dimension."""
    return types.vector([prod(types.dims(type_))], types.element(type_)) if types.is_vector(type_) else type_


def in_bytes(type_: str) -> str:
    """The type in memory of vectors that LLVM's loads and stores do not lay out as its data layout says, bit by bit."""
    inner = types.element(type_)
    wider = {"i7": "i8", "i12": "i16", "i63": "i64"}.get(inner, inner)
    return types.of(type_, wider) if types.is_vector(type_) else type_


def generate(name: str, seed: str, focus: str = "") -> Kernel:
    """A random kernel: the same one for the same seed; `focus` is a file of families of which it has much."""
    import tests.differential.families  # noqa: F401  (registers them)

    b = Builder(name, seed, focus)
    kernel, (x, y, z) = b.kernel, b.kernel.block
    if b.rng.random() < 0.5:
        kernel.attributes = f" attributes {{known_block_size = array<i32: {x}, {y}, {z}>}}"
    ids = {}
    for axis in "xyz":
        ids[axis] = b.one(f"gpu.thread_id {axis}", "index", kept=True)
        ids["n" + axis] = b.one(f"gpu.block_dim {axis}", "index", kept=True)
    ids["b"] = b.one("gpu.block_id x", "index", kept=True)
    for first, by, plus, out in (("b", "nz", "z", "1"), ("1", "ny", "y", "2"), ("2", "nx", "x", "3")):
        product = b.one(f"arith.muli {ids[first]}, {ids[by]} : index", "index", kept=True)
        ids[out] = b.one(f"arith.addi {product}, {ids[plus]} : index", "index", kept=True)
    for part, base, size in (("%mine", IN, INPUT), ("%theirs", OUT, OUTPUT)):
        scale = b.one(f"arith.constant {size} : i64", "i64", kept=True)
        at = b.one(f"arith.index_cast {ids['3']} : index to i64", "i64", kept=True)
        offset = b.one(f"arith.muli {at}, {scale} : i64", "i64", kept=True)
        text = f"{part} = llvm.getelementptr {base}[{offset}] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i8"
        b.region.nodes.append(b.node(text, kept=True))
    b.region.nodes.append(b.node(f"%tid = arith.addi {ids['3']}, %zero : index", kept=True))
    b.region.nodes.insert(0, b.node("%zero = arith.constant 0 : index", kept=True))
    b.scope = [[("%tid", "index"), (ids["x"], "index")]]
    for _ in range(b.rng.randint(2, 5)):
        b.input(types.some_type(b.rng))
    b.some(b.rng.randint(4, 14))
    values = [value for value in b.scope[0] if not value[0].startswith("%t")]
    for value, type_ in values[-12:]:
        b.store(value, type_)
    return kernel
