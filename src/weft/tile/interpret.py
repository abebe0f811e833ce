"""Running a kernel's statements: control flow that depends on numbers known only on the GPU becomes `scf` operations.

Names assigned in a loop or a branch that is traced keep their meaning: numbers become values that the loop carries or
that the branches yield, tiles in registers are copied to a place of the name's own.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.dialects import scf
from xdsl.ir import Block, Region

from weft.errors import CompileError, Position, WeftError
from weft.tile import source
from weft.tile.builtin import BUILTINS
from weft.tile.carried import Carried, Mutables
from weft.tile.choices import HELPERS, condition, join
from weft.tile.dtypes import boolean
from weft.tile.ids import block_id
from weft.tile.messages import check
from weft.tile.ranges import Counter, DeviceRange
from weft.tile.scalars import Scalar, scalar
from weft.tile.schedules import TakenOver
from weft.tile.source import Branch, Leave, Loop, Simple, Source, Statement, With
from weft.tile.trace import current, stands_for, with_source
from weft.tile.unbound import Unbound

Names = dict[str, Any]


class _Left(Exception):
    """`break`, `continue` or `return` on its way out of Python's own loops."""

    def __init__(self, kind: str, line: int) -> None:
        self.kind, self.line = kind, line


def run(body: Source, surroundings: Mapping[str, Any], arguments: Mapping[str, Any]) -> Any:
    """Trace a function's body with these arguments into the current trace: what it returns.

    Raises:
        CompileError: a statement cannot be traced; with its line.
    """
    names: Names = {**surroundings, **HELPERS, **arguments, source.CHECK: check, source.RETURNED: None}
    for name, own in BUILTINS.items():
        if name not in names or names[name] is getattr(builtins, name):
            names[name] = own
    machine = _Machine(body, names)
    try:
        machine.block(body.body)
    except CompileError:
        raise
    except RecursionError as failure:
        raise machine.error(body.line, "this call recurses without end", "make Python decide when it ends") from failure
    except _Left as left:
        raise machine.error(
            left.line,
            "'return' is supported only at the end of a function or under an `if`",
            "assign the value to a name, and return it at the end",
        ) from None
    except WeftError as failure:
        raise machine.error(machine.line_of(failure), failure.message, failure.hint) from failure
    except Exception as failure:
        raise machine.error(machine.line_of(failure), f"{type(failure).__name__}: {failure}") from failure
    return names[source.RETURNED]


_BLOCK, _GOING = "<block>", "<going>"
"""Names that no function has: the block whose tile is done, and whether there is one."""


class _Machine:
    def __init__(self, body: Source, names: Names) -> None:
        self._file = body.file
        self._mentioned = body.names
        self._names = names
        self.line = body.line

    @property
    def place(self) -> tuple[str, int]:
        """The file and the line of the statement that is running."""
        return self._file, self.line

    def block(self, statements: tuple[Statement, ...]) -> None:
        """Run statements in order."""
        for statement in statements:
            if not isinstance(statement, Simple):
                self.line = statement.line
            match statement:
                case Simple(code):
                    exec(code, self._names)
                case Loop():
                    self._loop(statement)
                case Branch():
                    self._branch(statement)
                case With():
                    self._with(statement)
                case Leave(line, kind):
                    raise _Left(kind, line)

    def error(self, line: int, message: str, hint: str = "") -> CompileError:
        """An error at a line of the function."""
        return CompileError(message, with_source(Position(line, 0, self._file)), hint)

    def line_of(self, failure: BaseException) -> int:
        """The function's line that an exception passed through last."""
        line, at = self.line, failure.__traceback__
        while at is not None:
            if at.tb_frame.f_code.co_filename == self._file:
                line = at.tb_lineno
            at = at.tb_next
        return line

    def _with(self, s: With) -> None:
        left: _Left | None = None
        with eval(s.item, self._names) as value:
            if s.bind is not None:
                self._bind(s.bind, value)
            try:
                self.block(s.body)
            except _Left as found:  # What is left by a `continue` ends as at its end.
                left = found
        if left is not None:
            raise left

    def _bind(self, code: Any, value: Any) -> None:
        """Assign a value to a target."""
        self._names[source.RESULT] = value
        exec(code, self._names)

    def _reset(self, before: Names) -> None:
        self._names.clear()
        self._names.update(before)

    def _traced(self, s: Loop | Branch, statements: tuple[Statement, ...]) -> None:
        """Statements of a loop or a branch that the GPU runs: they are left only at their end."""
        mutables = Mutables(self._names, self._mentioned)
        try:
            self.block(statements)
        except _Left as left:
            raise self.error(
                left.line,
                f"'{left.kind}' cannot leave the statement at line {s.line}, which is decided when the kernel runs",
                "put the rest under an `if`",
            ) from None
        changed = mutables.changed()
        if changed is not None:
            raise self.error(
                s.line,
                f"'{changed}' is changed under the statement at line {s.line}, which is decided when the kernel runs: "
                "the change would happen once, at compile time",
                "assign numbers and tiles to names: loops and branches carry these",
            )

    # -- loops --------------------------------------------------------------------------------------------------

    def _loop(self, s: Loop) -> None:
        if s.flag is not None:
            self._names[s.flag] = False
        if s.bind is None:
            self._while(s)
            return
        items = eval(s.head, self._names)
        if isinstance(items, TakenOver):
            self._take_over(s, items)
            return
        if isinstance(items, DeviceRange):
            self._for(s, items)
            return
        for item in items:
            self._bind(s.bind, item)
            if not self._once(s):
                return

    def _once(self, s: Loop) -> bool:
        """One turn of Python's own loop; whether there is a next one."""
        try:
            self.block(s.body)
        except _Left as left:
            if left.kind == "return":
                raise
            return left.kind == "continue"
        return s.flag is None or self._names.get(s.flag) is not True

    def _for(self, s: Loop, items: DeviceRange) -> None:
        trace = current()
        counter = Counter(items)
        carried = Carried.of(self._names, s.assigned, s.targets)

        def turn() -> tuple[Block, ...]:
            block = Block(arg_types=[counter.kind.mlir, *carried.types])
            carried.enter(self._names, block.args[1:])
            with trace.inside(block):
                assert s.bind is not None
                self._bind(s.bind, items.value(counter.element(block.args[0])))
                self._traced(s, s.body)
                self._yield(s, carried)
            return (block,)

        (block,) = self._settled(carried, turn)
        op = scf.ForOp.create(
            operands=[*(x.value for x in counter.bounds), *carried.first],
            result_types=carried.types,
            regions=[Region([block])],
        )
        trace.add(op)
        self._leave(s, carried, op.results)

    def _while(self, s: Loop) -> None:
        """Turns of Python's own until the condition is one that only the GPU knows."""
        while True:
            block = Block()
            with current().inside(block):
                test = eval(s.head, self._names)
            if isinstance(test, Scalar):
                block.erase(safe_erase=False)
                self._device_while(s)
                return
            current().splice(block)
            if not test or not self._once(s):
                return

    def _device_while(self, s: Loop) -> None:
        self._turns(s, s.assigned, lambda: condition(eval(s.head, self._names)), lambda: self._traced(s, s.body))

    def _take_over(self, s: Loop, tiles: TakenOver) -> None:
        """A role's turns: its own block's tile, and those that are taken over, each asked for while another is done."""
        role = tiles.role()
        self._names[_BLOCK], self._names[_GOING] = block_id(0), scalar(1, boolean)

        def body() -> None:
            assert s.bind is not None
            tiles.answers.ask(role)
            self._bind(s.bind, tiles.tile(self._names[_BLOCK]))
            self._traced(s, s.body)
            self._names[_BLOCK], self._names[_GOING] = tiles.answers.read(role)

        self._turns(s, (*s.assigned, _BLOCK, _GOING), lambda: self._names[_GOING], body)

    def _turns(self, s: Loop, assigned: Sequence[str], test: Callable[[], Scalar], body: Callable[[], None]) -> None:
        """Turns while a test holds that only the GPU knows."""
        trace = current()
        carried = Carried.of(self._names, assigned, s.targets)

        def turn() -> tuple[Block, ...]:
            head, inner = Block(arg_types=carried.types), Block(arg_types=carried.types)
            carried.enter(self._names, head.args)
            with trace.inside(head):
                trace.add(scf.ConditionOp.create(operands=[test().value, *head.args]))
            carried.enter(self._names, inner.args)
            with trace.inside(inner):
                body()
                self._yield(s, carried)
            return head, inner

        blocks = self._settled(carried, turn)
        op = scf.WhileOp.create(
            operands=carried.first, result_types=carried.types, regions=[Region([block]) for block in blocks]
        )
        trace.add(op)
        self._leave(s, carried, op.results)

    def _yield(self, s: Loop, carried: Carried) -> None:
        values = carried.next(self._names, lambda *text: self.error(s.line, *text))
        current().add(scf.YieldOp.create(operands=values))

    def _settled(self, carried: Carried, turn: Callable[[], tuple[Block, ...]]) -> tuple[Block, ...]:
        """The traced body, traced again until what is assumed of the names that it changes holds after every turn."""
        before = dict(self._names)
        while True:
            blocks = turn()
            if not carried.unsettled:
                return blocks
            carried.unsettled = False
            for block in blocks:
                block.erase(safe_erase=False)
            self._reset(before)

    def _leave(self, s: Loop, carried: Carried, results: Any) -> None:
        """The names after a loop."""
        for name in (*s.assigned, *s.targets):
            self._names[name] = Unbound(name, f"is defined only inside the loop at line {s.line}")
        carried.enter(self._names, results)

    # -- branches -----------------------------------------------------------------------------------------------

    def _branch(self, s: Branch) -> None:
        test = eval(s.test, self._names)
        if not isinstance(test, Scalar):
            self.block(s.body if test else s.other)
            return
        test = condition(test)
        before = dict(self._names)
        then, then_names = self._arm(s, s.body)
        self._reset(before)
        other, other_names = self._arm(s, s.other)
        self._reset(before)
        names = [name for name in s.assigned if name in then_names or name in other_names]
        missing = {name: Unbound(name, f"is defined on only one side of the `if` at line {s.line}") for name in names}
        pairs = [(then_names.get(name, missing[name]), other_names.get(name, missing[name])) for name in names]
        self._names.update(zip(names, join(test, (then, other), pairs, names), strict=True))

    def _arm(self, s: Branch, statements: tuple[Statement, ...]) -> tuple[Block, Names]:
        block = Block()
        with current().inside(block):
            self._traced(s, statements)
        return block, {name: self._names[name] for name in s.assigned if name in self._names}


stands_for(_Machine.block.__code__)
