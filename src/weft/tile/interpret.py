"""Running a kernel's statements: control flow that depends on numbers known only on the GPU becomes `scf` operations.

Names assigned in a loop or a branch that is traced keep their meaning: numbers become values that the loop carries or
that the branches yield, tiles in registers are copied where their name stood for another tile before.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import gcd
from typing import Any

from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from weft.dialects.tile.compute import ElementwiseOp
from weft.dialects.tile.types import LOCAL
from weft.errors import CompileError, Position, WeftError
from weft.tile import scalars, source
from weft.tile.buffers import Buffer, register
from weft.tile.dtypes import DType, boolean, f32, i32
from weft.tile.scalars import Scalar, is_number, scalar
from weft.tile.source import Branch, Leave, Loop, Simple, Source, Statement, With
from weft.tile.trace import current, error

Names = dict[str, Any]


@dataclass(frozen=True)
class DeviceRange:
    """`loop(start, stop, step)`: a range that the GPU runs through."""

    start: Any
    stop: Any
    step: Any


def loop(start: Any, stop: Any = None, step: Any = 1) -> Any:
    """A range that stays a loop on the GPU, even where its bounds are constants (`range` of constants is unrolled)."""
    return DeviceRange(0, start, step) if stop is None else DeviceRange(start, stop, step)


def device_range(*bounds: Any) -> Any:
    """Python's `range`; one that the GPU runs through where a bound is known only there."""
    if any(isinstance(x, Scalar) for x in bounds):
        return loop(*bounds)
    return builtins.range(*bounds)


class _Unbound:
    """What a name stands for that only some paths have assigned."""

    def __init__(self, name: str, why: str) -> None:
        object.__setattr__(self, "_message", f"'{name}' {why}")

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return _Unbound
        raise error(object.__getattribute__(self, "_message"), "give it a value before")


class _Left(Exception):
    """`break`, `continue` or `return` on its way out of Python's own loops."""

    def __init__(self, kind: str, line: int, value: Any = None) -> None:
        self.kind, self.line, self.value = kind, line, value


def _and(a: Any, b: Callable[[], Any]) -> Any:
    return a & _condition(b()) if isinstance(a, Scalar) else (a and b())


def _or(a: Any, b: Callable[[], Any]) -> Any:
    return a | _condition(b()) if isinstance(a, Scalar) else (a or b())


def _not(a: Any) -> Any:
    if not isinstance(a, Scalar):
        return not a
    return _condition(a) ^ True


def _choose(condition: Any, a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    if isinstance(condition, Scalar):
        return scalars.where(_condition(condition), a(), b())
    return a() if condition else b()


_HELPERS = {source.AND: _and, source.OR: _or, source.NOT: _not, source.CHOOSE: _choose}


def _condition(x: Any) -> Any:
    """A number as a condition."""
    return x != 0 if isinstance(x, Scalar) and x.dtype is not boolean else x


def run(body: Source, surroundings: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    """Trace a kernel's body with these arguments into the current trace.

    Raises:
        CompileError: a statement cannot be traced; with its line.
    """
    names: Names = {**surroundings, **_HELPERS, **arguments}
    if names.get("range", builtins.range) is builtins.range:
        names["range"] = device_range
    machine = _Machine(body.file, names)
    try:
        machine.block(body.body)
    except _Left as left:
        if left.kind != "return" or left.value is not None:
            raise CompileError(
                "a kernel returns nothing", Position(left.line, 0, body.file), "write results into its tensors"
            ) from None


@dataclass
class _Number:
    """A number that a loop carries: its value before, and what holds of it in every turn."""

    name: str
    first: Scalar
    divisor: int
    nonnegative: bool

    def scalar(self, value: SSAValue) -> Scalar:
        """The number in some turn."""
        return Scalar(value, self.first.dtype, divisor=self.divisor, nonnegative=self.nonnegative)

    def weaken(self, last: Scalar) -> bool:
        """Assume no more than what also holds of the value at a turn's end; whether that is less than before."""
        known = (gcd(self.divisor, last.divisor), self.nonnegative and last.nonnegative)
        less = known != (self.divisor, self.nonnegative)
        self.divisor, self.nonnegative = known
        return less


@dataclass
class _Carried:
    """What a loop carries from turn to turn; `weakened` when an assumption about a number did not hold."""

    numbers: list[_Number]
    tiles: dict[str, Buffer]
    weakened: bool = False


class _Machine:
    def __init__(self, file: str, names: Names) -> None:
        self._file = file
        self._names = names

    def block(self, statements: tuple[Statement, ...]) -> None:
        """Run statements in order."""
        for statement in statements:
            match statement:
                case Simple(code):
                    exec(code, self._names)
                case Loop():
                    self._loop(statement)
                case Branch():
                    self._branch(statement)
                case With():
                    self._with(statement)
                case Leave(line, kind, value):
                    raise _Left(kind, line, None if value is None else eval(value, self._names))

    def _error(self, line: int, message: str, hint: str = "") -> CompileError:
        import linecache

        text = linecache.getline(self._file, line).rstrip("\n") or None
        return CompileError(message, Position(line, 0, self._file, text), hint)

    def _with(self, s: With) -> None:
        with eval(s.item, self._names) as value:
            if s.bind is not None:
                self._names[source.RESULT] = value
                exec(s.bind, self._names)
            self.block(s.body)

    # -- loops --------------------------------------------------------------------------------------------------

    def _loop(self, s: Loop) -> None:
        if s.bind is None:
            self._while(s)
            return
        items = eval(s.head, self._names)
        if isinstance(items, DeviceRange):
            self._for(s, items)
            return
        for item in items:
            self._names[source.RESULT] = item
            exec(s.bind, self._names)
            if not self._once(s.body):
                return

    def _once(self, body: tuple[Statement, ...]) -> bool:
        """One turn of Python's own loop; whether there is a next one."""
        try:
            self.block(body)
        except _Left as left:
            if left.kind == "return":
                raise
            return left.kind == "continue"
        return True

    def _traced(self, s: Loop | Branch, statements: tuple[Statement, ...]) -> None:
        """Statements of a loop or a branch that the GPU runs: they are left only at their end."""
        try:
            self.block(statements)
        except _Left as left:
            raise self._error(
                left.line,
                f"'{left.kind}' cannot leave what line {s.line} decides only when the kernel runs",
                "put what follows under an `if`",
            ) from None

    def _for(self, s: Loop, items: DeviceRange) -> None:
        trace = current()
        bounds = [scalar(x, i32) for x in (items.start, items.stop, items.step)]
        carried = self._carried(s.assigned, s.target)
        before = dict(self._names)

        def turn() -> tuple[Block, ...]:
            block = Block(arg_types=[i32.mlir, *(x.first.value.type for x in carried.numbers)])
            index = Scalar(
                block.args[0],
                i32,
                divisor=gcd(bounds[0].divisor, bounds[2].divisor),
                nonnegative=bounds[0].nonnegative and bounds[2].nonnegative,
            )
            self._enter(carried, block.args[1:])
            with trace.inside(block):
                self._names[source.RESULT] = index
                assert s.bind is not None
                exec(s.bind, self._names)
                self._traced(s, s.body)
                trace.add(scf.YieldOp.create(operands=self._next(s, carried)))
            return (block,)

        (block,) = self._settled(before, carried, turn)
        op = scf.ForOp.create(
            operands=[*(x.value for x in bounds), *(x.first.value for x in carried.numbers)],
            result_types=[x.first.value.type for x in carried.numbers],
            regions=[Region([block])],
        )
        trace.add(op)
        self._leave(s, before, carried, op.results)

    def _while(self, s: Loop) -> None:
        test = eval(s.head, self._names)
        while not isinstance(test, Scalar):
            if not test or not self._once(s.body):
                return
            test = eval(s.head, self._names)
        self._device_while(s)

    def _device_while(self, s: Loop) -> None:
        trace = current()
        carried = self._carried(s.assigned, None)
        types = [x.first.value.type for x in carried.numbers]
        before = dict(self._names)

        def turn() -> tuple[Block, ...]:
            head, body = Block(arg_types=types), Block(arg_types=types)
            self._enter(carried, head.args)
            with trace.inside(head):
                test = _condition(eval(s.head, self._names))
                trace.add(scf.ConditionOp.create(operands=[test.value, *head.args]))
            self._enter(carried, body.args)
            with trace.inside(body):
                self._traced(s, s.body)
                trace.add(scf.YieldOp.create(operands=self._next(s, carried)))
            return head, body

        blocks = self._settled(before, carried, turn)
        op = scf.WhileOp.create(
            operands=[x.first.value for x in carried.numbers],
            result_types=types,
            regions=[Region([block]) for block in blocks],
        )
        trace.add(op)
        self._leave(s, before, carried, op.results)

    def _settled(self, before: Names, carried: _Carried, turn: Callable[[], tuple[Block, ...]]) -> tuple[Block, ...]:
        """The traced body, traced again until what is assumed of the numbers it carries holds after every turn."""
        while True:
            blocks = turn()
            if not carried.weakened:
                return blocks
            carried.weakened = False
            for block in blocks:
                block.erase(safe_erase=False)
            self._reset(before)

    def _carried(self, assigned: tuple[str, ...], target: str | None) -> _Carried:
        """The names that a loop changes: numbers it carries, and tiles, each with a place that every turn writes."""
        carried = _Carried([], {})
        for name in assigned:
            value = self._names.get(name)
            if name == target or value is None:
                continue
            if is_number(value) and not isinstance(value, bool):
                kind = value.dtype if isinstance(value, Scalar) else (f32 if isinstance(value, float) else i32)
                first = scalar(value, kind)
                carried.numbers.append(_Number(name, first, first.divisor, first.nonnegative))
            elif isinstance(value, Buffer) and value.space == LOCAL:
                carried.tiles[name] = self._names[name] = _copied(value)
        return carried

    def _enter(self, carried: _Carried, values: Any) -> None:
        for number, value in zip(carried.numbers, values, strict=True):
            self._names[number.name] = number.scalar(value)
        self._names.update(carried.tiles)

    def _next(self, s: Loop, carried: _Carried) -> list[SSAValue]:
        """The values of the carried names at a turn's end; tiles are copied to their places."""
        for name, home in carried.tiles.items():
            value = self._names[name]
            if value is not home:
                if not isinstance(value, Buffer):
                    raise self._error(
                        s.line, f"'{name}' is a tile before this loop, and something else after a turn of it"
                    )
                _assign(home, value, lambda message, name=name: self._error(s.line, f"'{name}' {message}"))
        result: list[SSAValue] = []
        for number in carried.numbers:
            value = self._names[number.name]
            kind = number.first.dtype
            if not is_number(value):
                raise self._error(
                    s.line, f"'{number.name}' is a number before this loop, and something else after a turn of it"
                )
            found = value.dtype if isinstance(value, Scalar) else (f32 if isinstance(value, float) else kind)
            if found is not kind and (isinstance(value, Scalar) or not kind.is_float):
                raise self._error(
                    s.line,
                    f"'{number.name}' is {kind} before this loop and {found} after a turn of it",
                    f'give it its type before the loop: {number.name} = convert(..., "{found}")',
                )
            last = scalar(value, kind)
            carried.weakened |= number.weaken(last)
            result.append(last.value)
        return result

    def _leave(self, s: Loop, before: Names, carried: _Carried, results: Any) -> None:
        """The names after a loop."""
        why = f"has its value only inside the loop of line {s.line}"
        for name in (*s.assigned, *([s.target] if s.target is not None else [])):
            if name in self._names and self._names[name] is not before.get(name):
                self._names[name] = _Unbound(name, why)
        self._names.update(carried.tiles)
        for number, value in zip(carried.numbers, results, strict=True):
            self._names[number.name] = number.scalar(value)

    # -- branches -----------------------------------------------------------------------------------------------

    def _branch(self, s: Branch) -> None:
        test = eval(s.test, self._names)
        if not isinstance(test, Scalar):
            self.block(s.body if test else s.other)
            return
        test = _condition(test)
        before = dict(self._names)
        then, then_names = self._arm(s, s.body)
        self._names = self._reset(before)
        other, other_names = self._arm(s, s.other)
        self._names = self._reset(before)
        self._merge(s, test, before, (then, then_names), (other, other_names))

    def _reset(self, before: Names) -> Names:
        self._names.clear()
        self._names.update(before)
        return self._names

    def _arm(self, s: Branch, statements: tuple[Statement, ...]) -> tuple[Block, Names]:
        block = Block()
        with current().inside(block):
            self._traced(s, statements)
        return block, {name: self._names[name] for name in s.assigned if name in self._names}

    def _merge(self, s: Branch, test: Scalar, before: Names, *arms: tuple[Block, Names]) -> None:
        """Yield from both branches what they assigned, and bind the names to the results."""
        trace = current()
        merged: list[tuple[str, DType]] = []
        for name in s.assigned:
            values = [names.get(name, before.get(name)) for _, names in arms]
            if all(value is values[0] for value in values):
                if values[0] is not None:
                    self._names[name] = values[0]
            elif all(is_number(value) for value in values):
                merged.append((name, scalars.common(*values)))
            elif isinstance(before.get(name), Buffer) and all(isinstance(value, Buffer) for value in values):
                self._write_back(s, name, before[name], arms)
            else:
                self._names[name] = _Unbound(name, f"is not the same on both sides of the if of line {s.line}")
        for block, names in arms:
            with trace.inside(block):
                yielded = [scalar(names.get(name, before.get(name)), kind).value for name, kind in merged]
                trace.add(scf.YieldOp.create(operands=yielded))
        op = scf.IfOp.create(
            operands=[test.value],
            result_types=[kind.mlir for _, kind in merged],
            regions=[Region([block]) for block, _ in arms],
        )
        trace.add(op)
        for (name, kind), value in zip(merged, op.results, strict=True):
            both = [scalars.known(names.get(name, before.get(name))) for _, names in arms]
            self._names[name] = Scalar(
                value,
                kind,
                divisor=gcd(*(x[0] for x in both)),
                nonnegative=all(x[1] for x in both),
            )

    def _write_back(self, s: Branch, name: str, home: Buffer, arms: tuple[tuple[Block, Names], ...]) -> None:
        for block, names in arms:
            value = names.get(name, home)
            if value is not home:
                with current().inside(block):
                    _assign(home, value, lambda message: self._error(s.line, f"'{name}' {message}"))
        self._names[name] = home


def _copied(tile: Buffer) -> Buffer:
    fresh = register(tile.shape, tile.dtype, tile.layout)
    current().add(ElementwiseOp.of(fresh.value, [tile.value], "copy"))
    return fresh


def _assign(home: Buffer, value: Buffer, fail: Callable[[str], WeftError]) -> None:
    if (value.shape, value.dtype) != (home.shape, home.dtype):
        raise fail(f"is {home!r} before and {value!r} here")
    current().add(ElementwiseOp.of(home.value, [value.value], "copy"))
