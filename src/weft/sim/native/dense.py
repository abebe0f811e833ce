"""Products of many matrices as code: elements are read where they lie, multiplied, added to sums in place and rounded.

One function for each shape and set of types, whatever instruction asks for it; elements become doubles and sums are
rounded once, by what NumPy's tier does it with (`weft.sim.elements`), traced.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.dataclass import dataclass
from weft.isa.types import TYPES
from weft.sim.elements import decode, finisher, values_of
from weft.sim.engines import available, pool, threads
from weft.sim.native.code import Code, NotTraced
from weft.sim.native.traced import Traced
from weft.sim.types import WORDS

if TYPE_CHECKING:
    from weft.sim.lanes import Array
    from weft.sim.native.jit import Function

_ROWS, _VECTORS, _WIDTH = 4, 4, 8
"""Rows, and vectors of so many columns, of which sums are in registers at a time."""
_WORDS = ("bytes", "a", "b", "sums", "group", "row", "keep", "same")
"""What the function is told of each step: memory, places or elements of A and B, the first sum, bytes from one matrix
of sums and from one row to the next, for each matrix whether products are added to it, and which sides are those of the
step before."""
_MOST = 1 << 17
"""Elements of A and B together, which lie on the stack."""
WORTH = 1 << 26
"""Products after which code is worth making: NumPy takes about as long for so many."""


@dataclass(frozen=True, slots=True)
class Side:
    """A multiplicand: `rows` of A, or columns of B, of a type, in runs of so many bytes, which lie along the rows if
    `across`; with a `run` of 0 these are doubles, row by row.
    """

    rows: int
    type: str
    run: int
    across: bool = False

    @property
    def bits(self) -> int:
        """Bits of an element in memory."""
        return TYPES[self.type].bits


@dataclass(frozen=True, slots=True)
class Shape:
    """What a function multiplies: `depth` terms, whose sums have a type; negated where `negative`."""

    a: Side
    b: Side
    depth: int
    dtype: str
    clamp: bool = False
    negative: bool = False

    @property
    def terms(self) -> int:
        """Products of elements in a product of matrices."""
        return self.a.rows * self.b.rows * self.depth


def function(shape: Shape, terms: int) -> Function | None:
    """What multiplies matrices of a shape, where so many products to come and to have been are worth making it."""
    spent = _SPENT[shape] = _SPENT.get(shape, 0) + terms
    return _function(shape) if spent >= WORTH and available() else None


_SPENT: dict[Shape, int] = {}


@dataclass(frozen=True, slots=True)
class Call:
    """Matrices to multiply, a group each of `a`, `b`, `sums` and `keep`; elements of a row of sums lie together."""

    function: Function
    memory: Array
    a: Array
    b: Array
    sums: Array
    keep: Array


class Queue:
    """Products to compute together, in their order: those of one CTA after another, which stay in the cache so."""

    def __init__(self) -> None:
        self._calls: list[Call] = []

    def add(self, call: Call) -> None:
        """Products that may wait until somebody asks for their sums, or their operands change."""
        first = self._calls[0] if self._calls else call
        if first.function is not call.function or len(first.sums) != len(call.sums):
            self.compute()
        self._calls.append(call)

    def compute(self) -> None:
        """Compute what waits."""
        calls, self._calls = self._calls, []
        if calls:
            multiply(calls)


def multiply(calls: Sequence[Call]) -> None:
    """Multiply matrices, one step after another; all steps have the same function and as many groups."""
    steps = [(call, np.ascontiguousarray(call.a), np.ascontiguousarray(call.b)) for call in calls]
    keeping = [np.ascontiguousarray(call.keep).view(np.uint8) for call in calls]
    words = np.zeros((len(steps), len(_WORDS)), np.int64)
    last: list[Array | None] = [None, None]
    for line, (call, *sides), keep in zip(words, steps, keeping, strict=True):
        places = (call.memory, *sides, call.sums)
        line[: len(places)] = [one.__array_interface__["data"][0] for one in places]
        same = sum(_equal(old, new) << bit for bit, (old, new) in enumerate(zip(last, sides, strict=True)))
        line[4:] = *call.sums.strides[:2], keep.__array_interface__["data"][0], same
        last = [*sides]
    run, count = calls[0].function.call, len(calls[0].sums)
    pointer, many = words.ctypes.data, min(threads(), count)
    if many < 2:
        run(pointer, len(steps), 0, count, None)
        return
    bounds = [count * part // many for part in range(many + 1)]

    def some(part: int) -> int:
        return run(pointer, len(steps), bounds[part], bounds[part + 1], None)

    list(pool(many).map(some, range(many)))


def _equal(old: Array | None, new: Array) -> bool:
    """Whether a step reads the same places as the one before; elements by value would take longer to compare."""
    return old is not None and new.dtype.kind == "i" and bool(np.array_equal(old, new))


@cache
def _function(shape: Shape) -> Function | None:
    """The function of a shape; None where there is none."""
    from weft.sim.native.jit import Function, kept_object

    elements = shape.depth * (shape.a.rows + shape.b.rows)
    if shape.a.rows % _ROWS or shape.b.rows % _WIDTH or elements > _MOST:
        return None
    try:
        text = _Writer(shape).module()
    except NotTraced:
        return None
    return Function([kept_object(text)])


class _Writer:
    """Writes the function of a shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.code = Code()
        self.globals: list[str] = []

    def module(self) -> str:
        """The module."""
        shape, code = self.shape, self.code
        code.line("%steps = zext i32 %entries to i64")
        code.line("br label %group")
        code.label("group")
        code.line("%g = phi i64 [ %lo, %entry ], [ %g.next, %done ]")
        code.line("%more = icmp slt i64 %g, %hi")
        code.line("br i1 %more, label %step, label %end")
        code.label("end")
        code.line("ret i32 0")
        code.label("step")
        code.line("%s = phi i64 [ 0, %group ], [ %s.next, %added ]")
        first = code.value(f"mul i64 %s, {len(_WORDS)}")
        for number, name in enumerate(_WORDS):
            code.line(f"%w.{name}.at = getelementptr i64, ptr %ctx, i64 {code.value(f'add i64 {first}, {number}')}")
            code.line(f"%w.{name} = load i64, ptr %w.{name}.at")
        self._read("a", shape.a, 1)
        self._read("b", shape.b, 2)
        self._products()
        code.label("added")
        code.line("%s.next = add i64 %s, 1")
        code.line("%s.in = icmp slt i64 %s.next, %steps")
        code.line("br i1 %s.in, label %step, label %done")
        code.label("done")
        code.line("%g.next = add i64 %g, 1")
        code.line("br label %group")
        if code.loops:
            raise NotTraced("a product that needs NumPy")
        a = "" if not shape.a.run else f"  %a.all = alloca [{shape.a.rows * shape.depth} x double], align 64\n"
        body, newline = "\n".join(code.lines), "\n"
        return f"""{newline.join(self.globals)}
define i32 @run(ptr %ctx, i32 %entries, i64 %lo, i64 %hi, ptr %masks) #0 {{
entry:
{a}  %b.all = alloca [{shape.b.rows * shape.depth} x double], align 64
{body}
}}
attributes #0 = {{ "prefer-vector-width"="512" "min-legal-vector-width"="512" }}
"""

    def _loop(self, name: str, count: int, before: str) -> str:
        """Begin a loop that counts; the number of the round.  `before` is the block that leads to it."""
        self.code.line(f"br label %{name}")
        self.code.label(name)
        self.code.line(f"%{name}.n = phi i64 [ 0, %{before} ], [ %{name}.next, %{name}.again ]")
        self.code.line(f"%{name}.in = icmp slt i64 %{name}.n, {count}")
        self.code.line(f"br i1 %{name}.in, label %{name}.do, label %{name}.end")
        self.code.label(f"{name}.do")
        return f"%{name}.n"

    def _next(self, name: str) -> None:
        """End a loop."""
        self.code.line(f"br label %{name}.again")
        self.code.label(f"{name}.again")
        self.code.line(f"%{name}.next = add i64 %{name}.n, 1")
        self.code.line(f"br label %{name}")
        self.code.label(f"{name}.end")

    def _read(self, name: str, side: Side, bit: int) -> None:
        """Read a multiplicand unless it is that of the step before, which a bit says."""
        code = self.code
        if name == "a" and not side.run:  # It is used where it lies.
            table, first = self._doubles(name, side)
            code.line(f"%a.all = getelementptr double, ptr {table}, i64 {first}")
            return
        same = code.value(f"and i64 %w.same, {bit}")
        code.line(f"br i1 {code.value(f'icmp ne i64 {same}, 0')}, label %{name}.there, label %{name}.read")
        code.label(f"{name}.read")
        (self._load if side.run else self._take)(name, side)
        code.line(f"br label %{name}.there")
        code.label(f"{name}.there")

    def _load(self, name: str, side: Side) -> None:
        """Read a multiplicand: A as rows, B as columns, so that what is multiplied by one element lies together."""
        code, depth = self.code, self.shape.depth
        if side.bits < 8:
            raise NotTraced("several elements in a byte")
        each = 8 * side.run // side.bits
        if (side.rows if side.across else depth) % each:
            raise NotTraced("runs that do not fit")
        count = side.rows * depth // each
        run = self._loop(name, count, f"{name}.read")
        first = code.value(f"mul i64 %g, {count}")
        table = code.value(f"inttoptr i64 %w.{name} to ptr")
        at = code.value(f"getelementptr i64, ptr {table}, i64 {code.value(f'add i64 {first}, {run}')}")
        place = code.value(f"add i64 %w.bytes, {code.value(f'load i64, ptr {at}')}")
        pointer = code.value(f"inttoptr i64 {place} to ptr")
        dtype = WORDS[side.bits]
        words = code.value(f"load <{each} x i{side.bits}>, ptr {pointer}, align 1")
        values = self._decoded(Traced(code, words, dtype, (each,)), side.type)
        together = side.across == (name == "b")
        if side.across:  # A run has elements of so many rows, for one K.
            high, low = code.value(f"udiv i64 {run}, {depth}"), code.value(f"urem i64 {run}, {depth}")
            row, k = code.value(f"mul i64 {high}, {each}"), low
        else:
            parts = depth // each
            high, low = code.value(f"udiv i64 {run}, {parts}"), code.value(f"urem i64 {run}, {parts}")
            row, k = high, code.value(f"mul i64 {low}, {each}")
        major, minor, width = (row, k, depth) if name == "a" else (k, row, side.rows)
        start = code.value(f"add i64 {code.value(f'mul i64 {major}, {width}')}, {minor}")
        to = code.value(f"getelementptr double, ptr %{name}.all, i64 {start}")
        if together:
            code.line(f"store {values.typed}, ptr {to}, align 8")
        else:
            self._apart(values, to, width)
        self._next(name)

    def _apart(self, values: Traced, to: str, width: int) -> None:
        """Store elements so many doubles from each other."""
        code = self.code
        for number in range(values.size):
            one = code.value(f"extractelement {values.typed}, i64 {number}")
            code.line(f"store double {one}, ptr {code.value(f'getelementptr double, ptr {to}, i64 {number * width}')}")

    def _take(self, name: str, side: Side) -> None:
        """B that is there as doubles: by columns."""
        code, depth = self.code, self.shape.depth
        table, first = self._doubles(name, side)
        row = self._loop(name, side.rows, f"{name}.read")
        start = code.value(f"add i64 {first}, {code.value(f'mul i64 {row}, {depth}')}")
        to = code.value(f"getelementptr double, ptr %b.all, i64 {row}")
        for k in range(depth):
            place = code.value(f"getelementptr double, ptr {table}, i64 {code.value(f'add i64 {start}, {k}')}")
            one = code.value(f"load double, ptr {place}")
            code.line(f"store double {one}, ptr {code.value(f'getelementptr double, ptr {to}, i64 {k * side.rows}')}")
        self._next(name)

    def _doubles(self, name: str, side: Side) -> tuple[str, str]:
        """Where the doubles of all groups lie, and the number of this one's first."""
        table = self.code.value(f"inttoptr i64 %w.{name} to ptr")
        return table, self.code.value(f"mul i64 %g, {side.rows * self.shape.depth}")

    def _decoded(self, words: Traced, type_: str) -> Traced:
        """Elements as doubles: of narrow floats by a table."""
        if type_ in ("f16", "bf16", "tf32") or TYPES[type_].kind in "us":
            return decode(words, type_)  # pyright: ignore[reportArgumentType, reportReturnType]
        table = values_of(type_)
        if table is None or len(table) != 1 << 8 * words.itemsize:
            raise NotTraced(f"elements of {type_}")
        if f"@{type_}" not in "".join(self.globals):
            bits = ", ".join(f"i64 {int(one)}" for one in table.view(np.int64))
            self.globals.append(f"@{type_} = internal constant [{len(table)} x i64] [{bits}]")
        code, result = self.code, f"<{words.size} x double>"
        total = "poison"
        for number in range(words.size):
            one = code.value(f"extractelement {words.typed}, i64 {number}")
            place = code.value(f"getelementptr double, ptr @{type_}, i64 {code.value(f'zext i8 {one} to i64')}")
            found = code.value(f"load double, ptr {place}")
            total = code.value(f"insertelement {result} {total}, double {found}, i64 {number}")
        return Traced(code, total, np.dtype(np.float64), (words.size,))

    def _products(self) -> None:
        """All sums, so many columns at a time."""
        vectors = self.shape.b.rows // _WIDTH
        code = self.code
        code.line("%far = mul i64 %g, %w.group")
        code.line("%sums.g = add i64 %w.sums, %far")
        keep = code.value("inttoptr i64 %w.keep to ptr")
        at = code.value(f"getelementptr i8, ptr {keep}, i64 %g")
        code.line(f"%keeps = icmp ne i8 {code.value(f'load i8, ptr {at}')}, 0")
        whole, rest = divmod(vectors, _VECTORS)
        if whole:
            part = self._loop("wide", whole, "b.there")
            column = code.value(f"mul i64 {part}, {_VECTORS * _WIDTH}")
            self._columns("w", column, _VECTORS, "wide.do")
            self._next("wide")
        if rest:
            code.line("br label %narrow")
            code.label("narrow")
            self._columns("x", str(whole * _VECTORS * _WIDTH), rest, "narrow")
        code.line("br label %added")

    def _columns(self, name: str, column: str, vectors: int, before: str) -> None:
        """The sums of some columns, a few rows at a time."""
        code, depth, wide = self.code, self.shape.depth, f"<{_WIDTH} x double>"
        part = self._loop(f"{name}r", self.shape.a.rows // _ROWS, before)
        row = code.value(f"mul i64 {part}, {_ROWS}")
        first = code.value(f"mul i64 {row}, {depth}")
        code.line(f"br label %{name}k")
        code.label(f"{name}k")
        names = [(r, v, f"%{name}s.{r}.{v}") for r in range(_ROWS) for v in range(vectors)]
        code.line(f"%{name}k.n = phi i64 [ 0, %{name}r.do ], [ %{name}k.next, %{name}k ]")
        for _, _, one in names:
            code.line(f"{one} = phi {wide} [ zeroinitializer, %{name}r.do ], [ {one}.next, %{name}k ]")
        start = code.value(f"add i64 {code.value(f'mul i64 %{name}k.n, {self.shape.b.rows}')}, {column}")
        lines: list[str] = []
        for v in range(vectors):
            place = code.value(f"getelementptr double, ptr %b.all, i64 {code.value(f'add i64 {start}, {v * _WIDTH}')}")
            lines.append(code.value(f"load {wide}, ptr {place}, align 8"))
        for r in range(_ROWS):
            at = code.value(f"add i64 {code.value(f'add i64 {first}, {r * depth}')}, %{name}k.n")
            one = code.value(f"load double, ptr {code.value(f'getelementptr double, ptr %a.all, i64 {at}')}")
            all_ = code.value(f"insertelement {wide} poison, double {one}, i64 0")
            each = code.value(f"shufflevector {wide} {all_}, {wide} poison, <{_WIDTH} x i32> zeroinitializer")
            for v in range(vectors):
                total = f"%{name}s.{r}.{v}"
                terms = f"{wide} {each}, {wide} {lines[v]}, {wide} {total}"
                code.line(f"{total}.next = call {wide} @llvm.fma.v{_WIDTH}f64({terms})")
        code.line(f"%{name}k.next = add i64 %{name}k.n, 1")
        code.line(f"%{name}k.in = icmp slt i64 %{name}k.next, {depth}")
        code.line(f"br i1 %{name}k.in, label %{name}k, label %{name}f")
        code.label(f"{name}f")
        for r in range(_ROWS):
            far = code.value(f"mul i64 {code.value(f'add i64 {row}, {r}')}, %w.row")
            near = code.value(f"mul i64 {column}, 4") if column.startswith("%") else str(4 * int(column))
            line = code.value(f"add i64 {code.value(f'add i64 %sums.g, {far}')}, {near}")
            pointer = code.value(f"inttoptr i64 {line} to ptr")
            for v in range(vectors):
                self._finish(
                    f"%{name}s.{r}.{v}.next", code.value(f"getelementptr i32, ptr {pointer}, i64 {v * _WIDTH}")
                )
        self._next(f"{name}r")

    def _finish(self, total: str, place: str) -> None:
        """Add a vector of products to the sums at a place, and round."""
        code, dtype = self.code, self.shape.dtype
        wide = f"<{_WIDTH} x double>"
        narrow = WORDS[TYPES[dtype].bits]
        if self.shape.negative:
            total = code.value(f"fneg {wide} {total}")
        words: Any = Traced(code, code.value(f"load <{_WIDTH} x i32>, ptr {place}, align 4"), WORDS[32], (_WIDTH,))
        words = words.astype(narrow)
        old: Any = words.view(np.int32).astype(np.float64) if dtype == "s32" else decode(words, dtype)
        both = code.value(f"fadd {wide} {total}, {old.name}")
        exact: Any = Traced(code, code.value(f"select i1 %keeps, {wide} {both}, {wide} {total}"), old.dtype, (_WIDTH,))
        done: Any = finisher(dtype, self.shape.clamp)(exact)
        code.line(f"store {done.view(narrow).astype(WORDS[32]).typed}, ptr {place}, align 4")
