"""Writing kernels of MLIR from Python: values with operators, loops and branches with bodies.

A generator takes a `Writer`, draws shapes, types and literals from its `rng`, and leaves a kernel with its launch and
data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import ml_dtypes
import numpy as np

DTYPES: dict[str, Any] = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i16": np.int16,
    "i32": np.int32, "i64": np.int64, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
}  # fmt: skip
_BINARY = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem", "&": "and", "|": "or", "^": "xor", "<<": "shl"}
_COMPARE = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}


def element(type_: str) -> str:
    """The type of the elements of a vector or memref, the type itself for others."""
    inner = type_.partition("<")[2].rpartition(">")[0].partition(",")[0] if "<" in type_ else type_
    return inner.split("x")[-1] if "x" in inner and "<" in type_ and inner != "index" else inner


def is_float(type_: str) -> bool:
    return element(type_)[0] in "fb"


class Value:
    """A value of the kernel: its name and type; operators write operations (signed ones, `udiv` and so on apart)."""

    def __init__(self, writer: Writer, name: str, type_: str) -> None:
        self.writer, self.name, self.type = writer, name, type_

    def _with(self, sign: str, other: Any, *, turned: bool = False) -> Value:
        other = self.writer.like(other, self)
        a, b = (other, self) if turned else (self, other)
        kind = _BINARY[sign]
        if is_float(self.type):
            return self.writer.op(f"arith.{kind}f {a.name}, {b.name}{self.writer.math(kind)}", self.type)
        signed = "si" if kind in ("div", "rem") else "i"
        return self.writer.op(f"arith.{kind}{signed} {a.name}, {b.name}", self.type)

    def __add__(self, other: Any) -> Value:
        return self._with("+", other)

    def __radd__(self, other: Any) -> Value:
        return self._with("+", other, turned=True)

    def __sub__(self, other: Any) -> Value:
        return self._with("-", other)

    def __rsub__(self, other: Any) -> Value:
        return self._with("-", other, turned=True)

    def __mul__(self, other: Any) -> Value:
        return self._with("*", other)

    def __rmul__(self, other: Any) -> Value:
        return self._with("*", other, turned=True)

    def __truediv__(self, other: Any) -> Value:
        return self._with("/", other)

    def __rtruediv__(self, other: Any) -> Value:
        return self._with("/", other, turned=True)

    def __floordiv__(self, other: Any) -> Value:
        return self._with("/", other)

    def __mod__(self, other: Any) -> Value:
        return self._with("%", other)

    def __and__(self, other: Any) -> Value:
        return self._with("&", other)

    def __or__(self, other: Any) -> Value:
        return self._with("|", other)

    def __xor__(self, other: Any) -> Value:
        return self._with("^", other)

    def __lshift__(self, other: Any) -> Value:
        return self._with("<<", other)

    def two(self, name: str, other: Any) -> Value:
        """Another operation of two operands of this type, such as `divui`, `shrui`, `maximumf`."""
        return self.writer.op(f"arith.{name} {self.name}, {self.writer.like(other, self).name}", self.type)

    def is_(self, sign: str, other: Any, *, unsigned: bool = False) -> Value:
        """A comparison."""
        kind, b = _COMPARE[sign], self.writer.like(other, self)
        if is_float(self.type):
            text = f"arith.cmpf {'une' if kind == 'ne' else 'o' + kind}, {self.name}, {b.name} : {self.type}"
        else:
            order = kind if kind in ("eq", "ne") else ("u" if unsigned else "s") + kind
            text = f"arith.cmpi {order}, {self.name}, {b.name} : {self.type}"
        lanes = self.type.replace(element(self.type), "i1") if "<" in self.type else "i1"
        return self.writer.put(text, lanes)

    def to(self, name: str, type_: str) -> Value:
        """A conversion, such as `extf`, `index_cast`, `sitofp`."""
        dialect = "" if "." in name else "arith."
        return self.writer.put(f"{dialect}{name} {self.name} : {self.type} to {type_}", type_)


@dataclass
class Loop:
    """A loop being written: its counter, what it carries, and after it its results."""

    counter: Value
    carried: list[Value]
    yields: list[Value] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)


@dataclass
class Kernel:
    """A kernel that was drawn: text, launch, arguments (arrays, numbers; memrefs taken apart)."""

    name: str
    group: str
    text: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: list[Any]
    operations: int
    entry: str = "k"
    shared: int = 0
    exact: bool = True
    """Whether both sides compute the same bits."""


class Writer:
    """Writes one kernel; with `fast`, functions and divisions may be approximated."""

    def __init__(self, rng: Random, *, fast: bool = False) -> None:
        self.rng, self.fast = rng, fast
        self.touched = False
        self._lines: list[str] = []
        self._arguments: list[str] = []
        self.given: list[Any] = []
        self._count = 0
        self._constants: dict[tuple[Any, str], Value] = {}
        self._head: list[str] = []
        self._globals: list[str] = []
        self.grid: tuple[int, ...] = (1,)
        self.block: tuple[int, ...] = (128,)
        self._numbers = np.random.default_rng(rng.randrange(1 << 30))
        self.operations = 0
        self.module = ""
        """The whole text where it is not written by this."""

    # -- operations -----------------------------------------------------------------------------------------------

    def math(self, kind: str = "div") -> str:
        """The flags of an operation."""
        if kind not in ("add", "sub", "mul"):
            self.touched = True
            return " fastmath<afn>" if self.fast else ""
        return ""

    def put(self, text: str, type_: str) -> Value:
        """An operation with one result, its types written out."""
        self._count += 1
        self.operations += 1
        self._lines.append(f"%v{self._count} = {text}")
        return Value(self, f"%v{self._count}", type_)

    def op(self, text: str, type_: str) -> Value:
        """An operation with one result whose only type is that of the result."""
        return self.put(f"{text} : {type_}", type_)

    def line(self, text: str) -> None:
        """An operation without results."""
        self.operations += 1
        self._lines.append(text)

    def const(self, value: Any, type_: str = "index") -> Value:
        """A constant; a vector is filled with it."""
        key = (value, type_)
        if key not in self._constants:
            inner = element(type_)
            if is_float(type_):
                literal = (
                    f"{float(value):.17e}" if math.isfinite(value) else ("0xFF800000" if inner == "f32" else "0xFC00")
                )
            else:
                literal = str(int(value))
            literal = f"dense<{literal}>" if "<" in type_ else literal
            name = f"%const{len(self._constants)}"
            self._head.append(f"{name} = arith.constant {literal} : {type_}")
            self._constants[key] = Value(self, name, type_)
        return self._constants[key]

    def like(self, other: Any, value: Value) -> Value:
        """A number as a constant of a value's type."""
        return other if isinstance(other, Value) else self.const(other, value.type)

    def call(self, name: str, *operands: Any) -> Value:
        """An operation of `math`, of one type."""
        first = next(operand for operand in operands if isinstance(operand, Value))
        names = ", ".join(self.like(operand, first).name for operand in operands)
        flags = self.math() if is_float(first.type) and name not in ("fma", "absf", "floor") else ""
        return self.op(f"math.{name} {names}{flags}", first.type)

    def select(self, test: Value, a: Any, b: Any) -> Value:
        typed = a if isinstance(a, Value) else b
        a, b = self.like(a, typed), self.like(b, typed)
        return self.op(f"arith.select {test.name}, {a.name}, {b.name}", typed.type)

    def index(self, value: Value) -> Value:
        return value.to("index_cast", "index")

    # -- arguments and memory ---------------------------------------------------------------------------------------

    def numbers(self, type_: str, *shape: int, low: float = -2.0, high: float = 2.0) -> Any:
        """Data: floats in an interval, integers of their range or of the interval if it was given."""
        dtype = DTYPES[type_]
        if type_[0] in "fb":
            return self._numbers.uniform(low, high, shape).astype(dtype)
        bounds = np.iinfo(dtype)
        a, b = (bounds.min, bounds.max) if (low, high) == (-2.0, 2.0) else (int(low), int(high))
        return self._numbers.integers(a, b, shape, dtype=dtype, endpoint=True)

    def memory(self, data: Any, *, dynamic: bool = True, space: str = "") -> Value:
        """A memref argument that holds an array."""
        inner = next(name for name, dtype in DTYPES.items() if data.dtype == np.dtype(dtype))
        extents = "x".join(["?"] * data.ndim if dynamic else map(str, data.shape))
        type_ = f"memref<{extents}x{inner}{space}>"
        strides = [step // data.itemsize for step in data.strides]
        self.given += [data, data, 0, *data.shape, *strides]
        return self._argument(type_)

    def strided(self, data: Any, shape: Sequence[int], strides: Sequence[int]) -> Value:
        """A memref argument with strides of its own into an array."""
        inner = next(name for name, dtype in DTYPES.items() if data.dtype == np.dtype(dtype))
        extents = "x".join("?" * len(shape))
        layout = f"strided<[{', '.join('?' * len(shape))}], offset: ?>"
        self.given += [data, data, 0, *shape, *strides]
        return self._argument(f"memref<{extents}x{inner}, {layout}>")

    def scalar(self, type_: str, value: Any) -> Value:
        """A number as an argument."""
        self.given.append(value if type_ == "index" else DTYPES[type_](value))
        return self._argument(type_)

    def _argument(self, type_: str) -> Value:
        name = f"%arg{len(self._arguments)}"
        self._arguments.append(f"{name}: {type_}")
        return Value(self, name, type_)

    def shared(self, type_: str, *shape: int) -> Value:
        """A buffer in shared memory."""
        whole = f"memref<{'x'.join(map(str, shape))}x{type_}, #gpu.address_space<workgroup>>"
        name = f"s{len(self._globals)}"
        self._globals.append(f'memref.global "private" @{name} : {whole}')
        return self.put(f"memref.get_global @{name} : {whole}", whole)

    def local(self, type_: str, *shape: int) -> Value:
        """A buffer of the thread's own."""
        whole = f"memref<{'x'.join(map(str, shape))}x{type_}>"
        return self.put(f"memref.alloca() : {whole}", whole)

    def load(self, memory: Value, *at: Any) -> Value:
        names = ", ".join(self._at(one) for one in at)
        return self.put(f"memref.load {memory.name}[{names}] : {memory.type}", element(memory.type))

    def store(self, value: Any, memory: Value, *at: Any) -> None:
        value = value if isinstance(value, Value) else self.const(value, element(memory.type))
        names = ", ".join(self._at(one) for one in at)
        self.line(f"memref.store {value.name}, {memory.name}[{names}] : {memory.type}")

    def vector(self, memory: Value, lanes: int, *at: Any) -> Value:
        """A vector of neighbouring elements."""
        type_ = f"vector<{lanes}x{element(memory.type)}>"
        names = ", ".join(self._at(one) for one in at)
        return self.put(f"vector.load {memory.name}[{names}] : {memory.type}, {type_}", type_)

    def store_vector(self, value: Value, memory: Value, *at: Any) -> None:
        names = ", ".join(self._at(one) for one in at)
        self.line(f"vector.store {value.name}, {memory.name}[{names}] : {memory.type}, {value.type}")

    def atomic(self, kind: str, value: Value, memory: Value, *at: Any) -> Value:
        names = ", ".join(self._at(one) for one in at)
        text = f"memref.atomic_rmw {kind} {value.name}, {memory.name}[{names}]"
        return self.put(f"{text} : ({value.type}, {memory.type}) -> {value.type}", value.type)

    def _at(self, one: Any) -> str:
        return one.name if isinstance(one, Value) else self.const(one).name

    # -- threads ------------------------------------------------------------------------------------------------------

    def launch(self, grid: Any, block: Any) -> None:
        self.grid = grid if isinstance(grid, tuple) else (grid,)
        self.block = block if isinstance(block, tuple) else (block,)

    def thread(self, axis: str = "x") -> Value:
        return self.put(f"gpu.thread_id {axis}", "index")

    def program(self, axis: str = "x") -> Value:
        return self.put(f"gpu.block_id {axis}", "index")

    def everywhere(self, axis: str = "x") -> Value:
        """The number of the thread in the grid."""
        size = self.put(f"gpu.block_dim {axis}", "index")
        return self.program(axis) * size + self.thread(axis)

    def barrier(self) -> None:
        self.line("gpu.barrier")

    def shuffle(self, value: Value, distance: int, mode: str = "xor") -> Value:
        a, b = self.const(distance, "i32"), self.const(32, "i32")
        self._count += 1
        name = f"%v{self._count}"
        self.line(f"{name}, {name}p = gpu.shuffle {mode} {value.name}, {a.name}, {b.name} : {value.type}")
        return Value(self, name, value.type)

    def warp_scan(self, value: Value, lane: Value) -> Value:
        """The sum of the values of the lanes up to and with this one."""
        for distance in (1, 2, 4, 8, 16):
            other = self.shuffle(value, distance, "up")
            value = self.select(lane.is_(">=", distance), value + other, value)
        return value

    # -- control ------------------------------------------------------------------------------------------------------

    @contextmanager
    def loop(self, lower: Any, upper: Any, step: Any = 1, start: Sequence[Value] = (), kind: str = "index") -> Any:
        """A counted loop; its body says `loop.yields`."""
        bounds = [one if isinstance(one, Value) else self.const(one, kind) for one in (lower, upper, step)]
        self._count += 1
        number = self._count
        carried = [Value(self, f"%x{number}_{i}", one.type) for i, one in enumerate(start)]
        loop = Loop(Value(self, f"%i{number}", kind), carried)
        names = ", ".join(f"{one.name} = {first.name}" for one, first in zip(carried, start, strict=True))
        types = ", ".join(one.type for one in start)
        head = f"%r{number}:{len(carried)} = " if carried else ""
        clause = f" iter_args({names}) -> ({types})" if carried else ""
        a, b, c = (one.name for one in bounds)
        self.line(f"{head}scf.for %i{number} = {a} to {b} step {c}{clause} : {kind} {{"
                  if kind != "index" else f"{head}scf.for %i{number} = {a} to {b} step {c}{clause} {{")  # fmt: skip
        yield loop
        self._yield(loop.yields)
        self._lines.append("}")
        loop.results = [Value(self, f"%r{number}#{i}", one.type) for i, one in enumerate(carried)]

    def _yield(self, values: Sequence[Value]) -> None:
        if values:
            names, types = (", ".join(one) for one in zip(*((v.name, v.type) for v in values), strict=True))
            self._lines.append(f"scf.yield {names} : {types}")

    @contextmanager
    def when(self, test: Value) -> Any:
        """A branch without results."""
        self.line(f"scf.if {test.name} {{")
        yield
        self._lines.append("}")

    def either(
        self, test: Value, then: Callable[[], Sequence[Value]], other: Callable[[], Sequence[Value]]
    ) -> list[Value]:
        """A branch with results."""
        self._count += 1
        number, place = self._count, len(self._lines)
        self.line("")
        first = then()
        self._yield(first)
        self._lines.append("} else {")
        self._yield(other())
        self._lines.append("}")
        types = ", ".join(one.type for one in first)
        self._lines[place] = f"%r{number}:{len(first)} = scf.if {test.name} -> ({types}) {{"
        return [Value(self, f"%r{number}#{i}", one.type) for i, one in enumerate(first)]

    def repeat(
        self, start: Sequence[Value], test: Callable[..., Value], body: Callable[..., Sequence[Value]]
    ) -> list[Value]:
        """A loop while a test of what it carries holds."""
        self._count += 1
        number = self._count
        before = [Value(self, f"%b{number}_{i}", one.type) for i, one in enumerate(start)]
        after = [Value(self, f"%d{number}_{i}", one.type) for i, one in enumerate(start)]
        types = ", ".join(one.type for one in start)
        inits = ", ".join(f"{one.name} = {first.name}" for one, first in zip(before, start, strict=True))
        self.line(f"%r{number}:{len(start)} = scf.while ({inits}) : ({types}) -> ({types}) {{")
        condition = test(*before)
        self._lines.append(f"scf.condition({condition.name}) {', '.join(one.name for one in before)} : {types}")
        self._lines.append("} do {")
        self._lines.append(f"^bb0({', '.join(f'{one.name}: {one.type}' for one in after)}):")
        self._yield(body(*after))
        self._lines.append("}")
        return [Value(self, f"%r{number}#{i}", one.type) for i, one in enumerate(start)]

    # -- the whole ----------------------------------------------------------------------------------------------------

    def text(self) -> str:
        """The module."""
        if self.module:
            return self.module
        body = "\n    ".join([*self._head, *self._lines])
        declared = "".join(f"  {one}\n" for one in self._globals)
        return (
            f"module attributes {{gpu.container_module}} {{\ngpu.module @m {{\n{declared}"
            f"  gpu.func @k({', '.join(self._arguments)}) kernel {{\n    {body}\n    gpu.return\n  }}\n}}\n}}\n"
        )
