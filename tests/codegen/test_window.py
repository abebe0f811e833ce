"""Loads that find what was stored or loaded before, and accesses that are joined: random programs against Python."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import weft

WIDTHS = {"i8": np.int8, "i32": np.int32, "i64": np.int64, "f32": np.float32}
SIZE = 128
"""Bytes of each buffer."""


class Program:
    """A kernel of one thread that loads and stores at random, and what its buffers hold afterwards.

    `a` and `b` are one array; `n` is another, which nothing else reaches; `s` and `l` are in shared and local memory.
    """

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.lines: list[str] = []
        self.names = 0
        self.places: list[tuple[str, str, str | None, int]] = []
        self.held: dict[str, list[int]] = {name: [self.random.randrange(256) for _ in range(SIZE)] for name in "anu"}
        self.held |= {"s": [0] * SIZE, "l": [0] * SIZE}
        self.start = {name: np.array(held, np.uint8) for name, held in self.held.items()}
        self.sums = {"%zero": 0}
        self.indices = {"%i": 3, "%j": 3, "%m": 1}
        self.steps(80, 2)

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def put(self, line: str) -> None:
        self.lines.append(line)

    def place(self) -> tuple[str, str, str, int]:
        """An element's type, the name of a pointer to it, the buffer and the byte where it lies; often one used before."""
        if self.places and self.random.random() < 0.6:
            type_, name, index, at = self.random.choice(self.places[-4:])
        else:
            type_, name = self.random.choice(tuple(WIDTHS)), self.random.choice("aabnsssllll")
            index = self.random.choice((*self.indices, None))
            at = np.dtype(WIDTHS[type_]).itemsize * self.random.randrange(3)
            self.places.append((type_, name, index, at))
        pointer, base = self.name(), f"%{name}"
        space = "<3>" if name == "s" else ""
        if index is not None:
            self.put(f"{pointer}r = llvm.mul {index}, %c16 : i32")
            base = f"{pointer}i"
            self.put(
                f"{base} = llvm.getelementptr %{name}[{pointer}r] : (!llvm.ptr{space}, i32) -> !llvm.ptr{space}, i8"
            )
        self.put(f"{pointer} = llvm.getelementptr {base}[{at}] : (!llvm.ptr{space}) -> !llvm.ptr{space}, i8")
        first = 0 if index is None else 16 * self.indices[index]
        return type_, pointer, "a" if name == "b" else name, first + at

    def load(self) -> None:
        type_, pointer, buffer, at = self.place()
        value = self.name()
        space = "<3>" if buffer == "s" else ""
        self.put(f"{value} = llvm.load {pointer} : !llvm.ptr{space} -> {type_}")
        size = np.dtype(WIDTHS[type_]).itemsize
        found = int.from_bytes(bytes(self.held[buffer][at : at + size]), "little")
        if type_ == "f32":
            self.put(f"{value}b = llvm.bitcast {value} : f32 to i32")
            value, type_ = f"{value}b", "i32"
        wide = value
        if type_ != "i64":
            wide, how = f"{value}w", self.random.choice(("sext", "zext"))
            self.put(f"{wide} = llvm.{how} {value} : {type_} to i64")
            if how == "sext" and found >> 8 * size - 1:
                found -= 1 << 8 * size
        old, new = self.random.choice(tuple(self.sums)), self.name()
        self.put(f"{new}m = llvm.mul {old}, %three : i64")
        self.put(f"{new} = llvm.add {new}m, {wide} : i64")
        self.sums[new] = self.sums[old] * 3 + found & (1 << 64) - 1

    def store(self) -> None:
        type_, pointer, buffer, at = self.place()
        size = np.dtype(WIDTHS[type_]).itemsize
        value = source = self.random.choice(tuple(self.sums))
        number = self.sums[source]
        if type_ != "i64":
            value, bits = self.name(), 8 * size
            self.put(f"{value} = llvm.trunc {source} : i64 to i{bits}")
            if type_ == "f32":
                self.put(f"{value}b = llvm.bitcast {value} : i32 to f32")
                value = f"{value}b"
        space = "<3>" if buffer == "s" else ""
        self.put(f"llvm.store {value}, {pointer} : {type_}, !llvm.ptr{space}")
        self.held[buffer][at : at + size] = (number & (1 << 8 * size) - 1).to_bytes(size, "little")

    def steps(self, count: int, depth: int) -> None:
        for _ in range(count):
            way = self.random.randrange(30)
            if way == 0 and depth:
                self.branch(depth - 1)
            elif way == 1 and depth:
                self.loop(depth - 1)
            elif way == 2:
                self.put("nvvm.barrier0")
            elif way < 20:
                self.load()
            else:
                self.store()

    def branch(self, depth: int) -> None:
        taken = self.random.random() < 0.5
        condition = self.random.choice(("%yes", "%no"))
        self.put(f"scf.if {condition} {{")
        self.inside(6, depth, keep=(condition == "%yes"))
        self.put("} else {")
        self.inside(6 * taken, depth, keep=(condition == "%no"))
        self.put("}")

    def loop(self, depth: int) -> None:
        """A loop of one or two turns; both do the same."""
        turns = self.random.choice((1, 2))
        self.put(f"scf.for {self.name()} = %none to %turns{turns} step %one : i64 {{")
        first = len(self.lines)
        state = self.random.getstate(), self.names, list(self.places)
        self.inside(6, depth, keep=True)
        end = len(self.lines)
        for _ in range(turns - 1):
            self.random.setstate(state[0])
            self.names, self.places = state[1], list(state[2])
            self.inside(6, depth, keep=True)
            assert self.lines[end:] == self.lines[first:end]
            del self.lines[end:]
        self.put("}")

    def inside(self, count: int, depth: int, *, keep: bool) -> None:
        """Steps in a region: what is computed there is not known after it, what is stored is if it is run."""
        sums = dict(self.sums)
        held = {name: list(bytes_) for name, bytes_ in self.held.items()}
        self.steps(count, depth)
        self.sums = sums
        if not keep:
            self.held = held

    def text(self) -> str:
        last = self.random.choice(tuple(self.sums))
        body = "\n".join(self.lines)
        return f"""llvm.mlir.global internal @buffer() {{addr_space = 3 : i32, alignment = 16 : i64}} : !llvm.array<{SIZE} x i8>
        llvm.func @k(%a: !llvm.ptr {{llvm.align = 16 : i64}}, %b: !llvm.ptr {{llvm.align = 16 : i64}},
            %n: !llvm.ptr {{llvm.noalias, llvm.align = 16 : i64}}, %u: !llvm.ptr, %out: !llvm.ptr, %i: i32, %j: i32,
            %m: i32, %yes: i1, %turns1: i64, %turns2: i64) attributes {{nvvm.kernel}} {{
        %s = llvm.mlir.addressof @buffer : !llvm.ptr<3>
        %size = llvm.mlir.constant({SIZE} : i32) : i32
        %l = llvm.alloca %size x i8 {{alignment = 16 : i64}} : (i32) -> !llvm.ptr
        %zero8 = llvm.mlir.constant(0 : i8) : i8
        %c16 = llvm.mlir.constant(16 : i32) : i32
        %zero = llvm.mlir.constant(0 : i64) : i64
        %three = llvm.mlir.constant(3 : i64) : i64
        %none = arith.constant 0 : i64
        %one = arith.constant 1 : i64
        %true = llvm.mlir.constant(true) : i1
        %no = llvm.xor %yes, %true : i1
        "llvm.intr.memset"(%l, %zero8, %size) <{{isVolatile = false}}> : (!llvm.ptr, i8, i32) -> ()
        "llvm.intr.memset"(%s, %zero8, %size) <{{isVolatile = false}}> : (!llvm.ptr<3>, i8, i32) -> ()
        {body}
        llvm.store %sumless, %out : i64, !llvm.ptr
        llvm.intr.memcpy.placeholder
        llvm.return }}""".replace("%sumless", last).replace("llvm.intr.memcpy.placeholder", self.saved())

    def saved(self) -> str:
        """Copies of what is in shared and local memory, behind the sum."""
        lines = []
        for buffer, space, first in (("s", "<3>", 8), ("l", "", 8 + SIZE)):
            lines.append(f"%o{buffer} = llvm.getelementptr %out[{first}] : (!llvm.ptr) -> !llvm.ptr, i8")
            lines.append(
                f'"llvm.intr.memcpy"(%o{buffer}, %{buffer}, %size) <{{isVolatile = false}}> : '
                f"(!llvm.ptr, !llvm.ptr{space}, i32) -> ()"
            )
        return "\n".join(lines)

    def wanted(self) -> dict[str, Any]:
        return {name: np.array(held, np.uint8) for name, held in self.held.items()}


def _check(seed: int) -> None:
    program = Program(seed)
    text = program.text()
    last = program.sums[text.rpartition(" : i64, !llvm.ptr")[0].rpartition("llvm.store ")[2].partition(",")[0]]
    module = weft.compile(text, target="sm_80")
    arrays = {name: held.copy() for name, held in program.start.items()}
    out = np.zeros(8 + 2 * SIZE, np.uint8)
    indices = [np.int32(value) for value in program.indices.values()]
    arguments = [arrays["a"], arrays["a"], arrays["n"], arrays["u"], out, *indices, 1, np.int64(1), np.int64(2)]
    weft.run(module, "k", 1, 1, arguments)
    wanted = program.wanted()
    for name in "anu":
        assert (arrays[name] == wanted[name]).all(), (seed, name)
    assert out[:8].tobytes() == last.to_bytes(8, "little"), seed
    assert (out[8 : 8 + SIZE] == wanted["s"]).all(), (seed, "shared")
    assert (out[8 + SIZE :] == wanted["l"]).all(), (seed, "local")


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(12))
def test_random_programs(seed: int) -> None:
    _check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1400))
def test_many_random_programs(seed: int) -> None:
    _check(seed)


@pytest.mark.parametrize(
    ("op", "kind"), [("add", "i8"), ("nand", "i16"), ("add", "i32"), ("nand", "i32"), ("fadd", "f16"), ("fadd", "f32")]
)
def test_loads_behind_atomics_find_what_these_have_stored(op: str, kind: str) -> None:
    """Of one instruction, or of a loop around a compare-and-swap: what was stored or loaded before is old."""
    text = f"""llvm.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %v: {kind}) attributes {{nvvm.kernel}} {{
      llvm.store %v, %p : {kind}, !llvm.ptr<1>
      %next = llvm.getelementptr %p[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, {kind}
      %before = llvm.load %next : !llvm.ptr<1> -> {kind}
      %r = llvm.atomicrmw {op} %p, %v monotonic : !llvm.ptr<1>, {kind}
      %s = llvm.atomicrmw {op} %next, %before monotonic : !llvm.ptr<1>, {kind}
      %a = llvm.load %p : !llvm.ptr<1> -> {kind}
      %b = llvm.load %next : !llvm.ptr<1> -> {kind}
      %q1 = llvm.getelementptr %q[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, {kind}
      llvm.store %a, %q : {kind}, !llvm.ptr<1>
      llvm.store %b, %q1 : {kind}, !llvm.ptr<1>
      llvm.return }}"""
    dtype: Any = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "f16": np.float16, "f32": np.float32}[kind]
    data, out = np.array([0, 9, 0, 0], dtype), np.zeros(4, dtype)
    weft.run(weft.compile(text, "sm_80"), "k", grid=1, block=1, args=[data, out, dtype(5)])
    wanted = [~5, ~9] if op == "nand" else [2 * 5, 2 * 9]
    assert (data.tolist(), out.tolist()) == ([*wanted, 0, 0], [*wanted, 0, 0])
