"""Who comes to a copy under conditions drawn at random, and under those of every kind: against NumPy."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.tile.test_copy_guards import COPY, THREADS, UNCLEAR, R, S, guard, within
from weft.mlir import parse_mlir
from weft.transforms.copy_dispatch import Guard
from weft.transforms.tile_lowering.copy_guards import Values, guard_of, record_guards, recorded_guard

PREDICATES = {
    "eq": np.equal, "ne": np.not_equal, "slt": np.less, "sle": np.less_equal, "sgt": np.greater,
    "sge": np.greater_equal, "ult": np.less, "ule": np.less_equal, "ugt": np.greater, "uge": np.greater_equal,
}  # fmt: skip
BINARY = ("addi", "subi", "muli", "andi", "ori", "xori", "divui", "remui", "divsi", "remsi", "shrui", "shrsi", "shli")
WIDTHS = (8, 16, 32, 64)


class Drawn:
    """Operations on the thread's number; for each value its bits in each thread, and whether it is easily followed.

    That is, if no operation on the way wraps, and those that differ by signs have none.
    """

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.lines: list[str] = []
        self.count = 0

    def emit(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def leaf(self, width: int) -> tuple[str, Any, bool]:
        threads = np.arange(THREADS, dtype=np.int64)
        match self.random.randrange(4):
            case 0:
                number = self.random.choice([0, 1, 2, 3, 5, 31, 32, 64, 127, -1, -7])
                return self.emit(f"arith.constant {number} : i{width}"), np.full(THREADS, number), True
            case 1 if width == 32:
                return self.emit("nvvm.read.ptx.sreg.laneid : i32"), threads % 32, True
            case 2 if width == 32:
                return self.emit("nvvm.read.ptx.sreg.tid.y : i32"), threads * 0, True
            case _:
                return self.emit(f"arith.index_cast %x : index to i{width}"), threads, True

    def value(self, width: int, depth: int) -> tuple[str, Any, bool]:
        if depth == 0:
            return self.leaf(width)
        match self.random.randrange(8):
            case 0:
                c, chosen, easy = self.condition(depth - 1)
                (a, x, p), (b, y, q) = self.value(width, depth - 1), self.value(width, depth - 1)
                return self.emit(f"arith.select {c}, {a}, {b} : i{width}"), np.where(chosen, x, y), easy and p and q
            case 1 if width < 64:
                a, x, easy = self.value(64, depth - 1)
                return self.emit(f"arith.trunci {a} : i64 to i{width}"), *_held(x, width, easy and not (x < 0).any())
            case 2 if width > 8:
                a, x, easy = self.value(8, depth - 1)
                signed = self.random.random() < 0.5
                name = self.emit(f"arith.ext{'s' if signed else 'u'}i {a} : i8 to i{width}")
                return name, x if signed else x & 255, easy and (signed or not (x < 0).any())
            case _:
                return self.binary(width, depth)

    def binary(self, width: int, depth: int) -> tuple[str, Any, bool]:
        name = self.random.choice(BINARY)
        (a, x, p), (b, y, q) = self.value(width, depth - 1), self.value(width, depth - 1)
        if name.startswith("sh"):
            number = self.random.randrange(4)
            b, y, q = self.emit(f"arith.constant {number} : i{width}"), np.full(THREADS, number), True
        text = self.emit(f"arith.{name} {a}, {b} : i{width}")
        easy = p and q
        if name in ("divui", "remui", "divsi", "remsi", "shrui"):
            easy = easy and not (x < 0).any() and not (y < 0).any() and bool((name == "shrui") or (y != 0).all())
            if not easy:
                return text, x, False
        computed = {
            "addi": lambda: x + y, "subi": lambda: x - y, "muli": lambda: x * y, "andi": lambda: x & y,
            "ori": lambda: x | y, "xori": lambda: x ^ y, "divui": lambda: x // y, "remui": lambda: x % y,
            "divsi": lambda: x // y, "remsi": lambda: x % y, "shrui": lambda: x >> y, "shrsi": lambda: x >> y,
            "shli": lambda: x << y,
        }[name]()  # fmt: skip
        return text, *_held(computed, width, easy)

    def condition(self, depth: int) -> tuple[str, Any, bool]:
        width, predicate = self.random.choice(WIDTHS), self.random.choice(list(PREDICATES))
        (a, x, p), (b, y, q) = self.value(width, depth), self.value(width, depth)
        easy = p and q and (predicate[0] != "u" or not ((x < 0).any() or (y < 0).any()))
        text = self.emit(f"arith.cmpi {predicate}, {a}, {b} : i{width}")
        return text, PREDICATES[predicate](x, y), easy


def _held(values: Any, width: int, easy: bool) -> tuple[Any, bool]:
    """Numbers as a type has them, and whether it has them all."""
    low, high = -(1 << width - 1), (1 << width - 1) - 1
    return values, easy and bool(((values >= low) & (values <= high)).all())


@pytest.mark.sample(1)
@pytest.mark.parametrize("batch", range(10))
def test_random_conditions(batch: int) -> None:
    """What is easily followed is known exactly; the rest may be said to be unclear."""
    known = 0
    for seed in range(batch * 20, batch * 20 + 20):
        drawn = Drawn(seed)
        name, values, easy = drawn.condition(2)
        found = guard(within("\n".join(drawn.lines), name))
        if not easy:
            continue
        threads = [thread for thread in range(THREADS) if values[thread]]
        # What no thread comes to is nobody's: an empty list is not told from one of all.
        assert found == (None if len(threads) == THREADS else threads), f"seed {seed}"
        known += 1
    assert known >= 3


REGISTERS = {
    "ctaid.x": True, "ctaid.z": True, "nctaid.y": True, "ntid.x": True, "clusterid.x": True, "nclusterid.x": True,
    "cluster.ctaid.x": True, "cluster.nctaid.y": True, "cluster.ctarank": True, "cluster.nctarank": True, "smid": True, "gridid": True, "warpid": False, "clock": False,
}  # fmt: skip


@pytest.mark.parametrize("register", list(REGISTERS))
def test_special_registers(register: str) -> None:
    """Those of a block are the same in all threads; others need not be."""
    body = within(f"%q = nvvm.read.ptx.sreg.{register} : i32\n%c = arith.cmpi slt, %q, %n : i32")
    assert guard(body) == (None if REGISTERS[register] else UNCLEAR.format("scf.if"))


@pytest.mark.parametrize("name", ["block_id", "grid_dim", "block_dim", "cluster_id", "cluster_dim"])
@pytest.mark.parametrize("dimension", ["x", "y", "z"])
def test_numbers_of_blocks(name: str, dimension: str) -> None:
    body = f"%q = gpu.{name} {dimension}\n%w = arith.index_cast %q : index to i32\n%c = arith.cmpi slt, %w, %n : i32"
    assert guard(within(body)) is None


@pytest.mark.parametrize(("dimension", "threads"), [("x", 1), ("y", None), ("z", None)])
def test_numbers_of_threads(dimension: str, threads: int | None) -> None:
    """Blocks have one dimension: along others there is one thread."""
    one = (
        f"%q = gpu.thread_id {dimension}\n%w = arith.index_cast %q : index to i32\n%c = arith.cmpi slt, %w, %one : i32"
    )
    assert guard(within(one)) == (None if threads is None else [0])
    lanes = "%q = gpu.lane_id\n%w = arith.index_cast %q : index to i32\n%c = arith.cmpi slt, %w, %two : i32"
    assert guard(within(lanes)) == [thread for thread in range(THREADS) if thread % 32 < 2]


def turning(start: str, condition: str, step: str, then: str = COPY) -> str:
    return (
        f"scf.while (%a = {start}) : (i32) -> i32 {{\n%c = arith.cmpi slt, {condition}, %n : i32\n"
        f"scf.condition(%c) %a : i32\n}} do {{\n^turn(%d: i32):\n{then}\n%e = arith.addi {step}, %one : i32\nscf.yield %e : i32\n}}"
    )


def carrying(start: str, then: str) -> str:
    """A loop that carries the thread's number."""
    return (
        f"%left = scf.for %i = {start} to %n step %one iter_args(%a = %tid) -> (i32) : i32 {{\n{then}\n"
        "%e = arith.addi %a, %one : i32\nscf.yield %e : i32\n}"
    )


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (turning("%zero", "%a", "%d"), None),
        (turning("%b", "%a", "%b"), None),
        (turning("%tid", "%a", "%d"), UNCLEAR.format("scf.while")),
        (turning("%zero", "%a", "%tid"), UNCLEAR.format("scf.while")),
        (turning("%zero", "%tid", "%d"), UNCLEAR.format("scf.while")),
        (turning("%zero", "%b", "%tid"), None),
        (turning("%zero", "%a", "%d", within("%q = arith.cmpi slt, %d, %64 : i32", "%q")), None),
        (turning("%zero", "%b", "%tid", within("%q = arith.cmpi slt, %d, %64 : i32", "%q")), UNCLEAR.format("scf.if")),
        (f"scf.for %i = %zero to %n step %tid : i32 {{\n{COPY}\n}}", UNCLEAR.format("scf.for")),
        (f"scf.for %i = %zero to %tid step %one : i32 {{\n{COPY}\n}}", UNCLEAR.format("scf.for")),
        (f"scf.for %i = %b to %n step %two : i32 {{\n{COPY}\n}}", None),
        (carrying("%zero", COPY), None),
        (carrying("%zero", within("%c = arith.cmpi slt, %i, %two : i32")), None),
        (carrying("%zero", within("%c = arith.cmpi slt, %a, %n : i32")), UNCLEAR.format("scf.if")),
        (carrying("%tid", COPY), UNCLEAR.format("scf.for")),
    ],
)
def test_loops(body: str, said: str | None) -> None:
    assert guard(body) == said


# -- records ------------------------------------------------------------------------------------------------------


def copies(body: str) -> tuple[Any, Any]:
    module = parse_mlir(f"""
    gpu.module @m {{
      gpu.func @k(%n: i32) kernel attributes {{known_block_size = array<i32: {THREADS}, 1, 1>}} {{
        %r = tile.alloc : {R}
        %s = tile.alloc : {S}
        %tid = nvvm.read.ptx.sreg.tid.x : i32
        %two = arith.constant 2 : i32
        {body}
        gpu.return
      }}
    }}""")
    (function,) = [op for op in module.walk() if op.name == "gpu.func"]
    (op,) = [op for op in module.walk() if op.name == "tile.copy"]
    return function, op


ODD = "%q = arith.remui %tid, %two : i32\n%c = arith.cmpi eq, %q, %two : i32"
SOME = "%c = arith.cmpi slt, %tid, %two : i32"
RECORDED = {
    COPY: ("unit", None),
    within(SOME): ("array<i64: 0, 2>", Guard(3)),
    within(SOME, otherwise=True): (f"array<i64: 2, {THREADS}>", Guard((1 << THREADS) - 4)),
    within("%q = arith.andi %tid, %two : i32\n%c = arith.cmpi eq, %q, %two : i32"): (
        f"array<i64: {', '.join(f'{at}, {at + 2}' for at in range(2, THREADS, 4))}>",
        Guard(sum(3 << at for at in range(2, THREADS, 4))),
    ),
    within(ODD): ("array<i64>", Guard(0)),
    within("%c = arith.cmpi slt, %tid, %n : i32"): (
        f'"{UNCLEAR.format("scf.if")}"',
        Guard(None, UNCLEAR.format("scf.if")),
    ),
}


@pytest.mark.parametrize("body", RECORDED)
def test_records(body: str) -> None:
    """A copy keeps who comes as runs of threads, when the conditions around it are taken apart."""
    text, expected = RECORDED[body]
    function, op = copies(body)
    assert recorded_guard(op, THREADS) == expected
    record_guards(function, THREADS)
    assert str(op.attributes["come"]) == text
    assert recorded_guard(op, THREADS) == expected


@pytest.mark.parametrize(
    ("active", "threads"),
    [
        ("tx = array<i64: 0, 64>", range(64)),
        ("laneid = array<i64: 3, 5>", [t for t in range(THREADS) if t % 32 in (3, 4)]),
        ("warpid = array<i64: 1, 3>, laneid = array<i64: 0, 1>", [32, 64]),
        ("unknown = unit, tx = array<i64: 0, 64>", None),
    ],
)
def test_what_a_copy_states_counts_where_nothing_else_is_known(active: str, threads: Any) -> None:
    stated = COPY.replace('scope = "warp"', f'scope = "warp", active = {{{active}}}')
    _, op = copies(within("%c = arith.cmpi slt, %tid, %n : i32").replace(COPY, stated))
    found = guard_of(op, THREADS, Values(THREADS))
    if threads is None:
        assert found == Guard(None, UNCLEAR.format("scf.if"))
    else:
        assert found == Guard(sum(1 << thread for thread in threads))
    _, op = copies(within(SOME).replace(COPY, stated))
    assert guard_of(op, THREADS, Values(THREADS)) == Guard(3)
