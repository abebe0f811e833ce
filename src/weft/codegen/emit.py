"""From the machine graph to the statements of a PTX function body."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Any, cast

from weft.codegen.alike import pair
from weft.codegen.asm import Asm, Substitution, instructions
from weft.codegen.copies import sequentialise
from weft.codegen.graph import Addr, Basic, Block, Const, Edge, Graph, If, Inst, Loop, Not, PairOut, Value, While
from weft.codegen.halves import take_halves
from weft.codegen.joining import join
from weft.codegen.liveness import Coalescer, Marker, find, forget
from weft.codegen.predicates import compare_again
from weft.codegen.shifting import shift_last
from weft.codegen.sinking import sink
from weft.codegen.unread import named, unread
from weft.codegen.window import Window
from weft.isa import opcode
from weft.isa.opcode import Opcode
from weft.isa.registers import CLASSES, RegisterClass
from weft.ptx.ast import Block as ScopedBlock
from weft.ptx.ast import Guard, Instruction, Label, Statement
from weft.ptx.directive_nodes import Pragma, Target, TargetList
from weft.ptx.emit import register_declarations
from weft.ptx.operands import Address, Arguments, Integer, Operand, Pair, Register, Symbol, Vector

if TYPE_CHECKING:
    from weft.codegen.debug.notes import Notes

_CLASS: dict[str, RegisterClass] = {c.name: c for c in CLASSES}
NOT_UNROLLED = Pragma(("nounroll",))
"""Keeps ptxas from unrolling a loop: one whose end is not a count it would unroll a hundred times over."""

_SPECIAL = opcode("mov", type="u32")
"""What reads special registers."""
REPEATED_INSTRUCTIONS = 12
"""The first part of a loop is put at its end again if it has at most so many instructions."""


class BodyEmitter:
    """Turns the graph of one function into statements.

    `check(opcode, source)` checks the opcode of an instruction that MLIR operation `source` needs, `special` a special
    register; `labels` is what label names of this function start with.  `origins`, if it is given,
    takes the MLIR operation that each statement comes from, by the statement's identity.  `notes` are of variables.
    """

    def __init__(
        self,
        root: Block,
        check: Callable[[Opcode, Any], None],
        labels: str,
        special: Callable[[str, Any], None] | None = None,
        origins: dict[int, Any] | None = None,
        notes: Notes | None = None,
    ) -> None:
        self._check = check
        self._special = special
        self._labels = labels
        self._label_count = 0
        self._leave: dict[int, str] = {}  # Where a branch leads that leaves the loop around, by the branch.
        self._root = root
        self._counts: dict[str, int] = {}
        self._out: list[Statement] = []
        self._integers: dict[int, Integer] = {}
        self._origins = origins
        self._source: Any = None
        """What the branches and copies of control flow come from."""
        self._notes = notes
        self.aligned: dict[Inst, int] = {}
        self.window = Window()
        """Accesses at multiples of more bytes than they move, and of how many."""
        self.products = False
        """Whether products of a warpgroup run in the background, so that what reads their sums has to wait."""
        self.depot: Value | None = None
        """The address of the function's own memory, None where it has none, or needs none once it is emitted."""
        self.twice: Callable[[Opcode], Opcode | None] | None = None
        """What does the work of an instruction on f32 on two of them; None where the target has nothing that does."""

    def run(self) -> list[Statement]:
        """The body: register declarations, then instructions and labels."""
        marker = Marker(self._root)
        # Debuggers show memory: with notes of variables, stores stay although the code never reads them.
        if self.depot is not None and self._notes is None and (stores := unread(self._root, self.depot)):
            marker.without(stores, self._root)
            if not named(self._root, self.depot):
                self.depot = None
        if self._notes is None and take_halves(self._root):
            marker.without((), self._root)
        used = marker.used
        if self.products:
            from weft.codegen.nvvm.waits import wait_for_products

            wait_for_products(self._root)
        if self.aligned:
            join(self._root, self.aligned, self.window)
        if self._notes is None:
            shift_last(self._root)
            sink(self._root)
            compare_again(self._root)
            if self.twice is not None:
                pair(self._root, self.twice, used)
        # Last of all passes: it fixes registers by positions, which any later change of the code would shift.
        Coalescer(self._root, used)
        self._used = used
        self._block(self._root)
        forget(self._root)
        counts = {_CLASS[name]: count for name, count in self._counts.items()}
        return [*register_declarations(counts), *self._out]

    # -- operands -----------------------------------------------------------------------------------------------

    def _register(self, value: Value) -> Register:
        root = value if value.merged is None else find(value)
        register = root.register
        if register is None:
            register = root.register = self._fresh(root.cls)
        return register

    def _fresh(self, cls: str) -> Register:
        number = self._counts.get(cls, 0)
        self._counts[cls] = number + 1
        return Register(f"{_CLASS[cls].prefix}{number}")

    def _operand(self, operand: Any) -> Operand:
        kind = cast("type[Any]", type(operand))
        if kind is Value:
            return self._register(operand)
        if kind is int:
            found = self._integers.get(operand)
            if found is None:
                found = self._integers[operand] = Integer(operand)
            return found
        if kind is tuple:
            return Vector(tuple(map(self._operand, operand)))
        if kind is Addr:
            base = self._operand(operand.base)
            if type(base) is Symbol and not operand.rest:
                return Address(Symbol(base.name), base.offset + operand.offset)
            return Address(base, operand.offset, tuple(map(self._operand, operand.rest)))
        if kind is Const:
            literal = operand.literal()
            return Integer(literal) if isinstance(literal, int) else literal
        if kind is PairOut:
            return Pair(self._operand(operand.first), self._operand(operand.second))
        if kind is Arguments:
            return Arguments(tuple(map(self._operand, operand.elements)))
        return operand

    # -- statements ---------------------------------------------------------------------------------------------

    def _instruction(self, opcode: Opcode, *operands: Operand, source: Any = None, guard: Guard | None = None) -> None:
        self._check(opcode, source)
        self._out.append(Instruction(opcode, operands, guard))
        if self._origins is not None:
            self._origins[id(self._out[-1])] = source or self._source

    def _label(self) -> str:
        self._label_count += 1
        return f"{self._labels}_{self._label_count}"

    def _place(self, label: str) -> None:
        self._out.append(Label(label))

    def _branch(self, label: str, test: Any = None, *, inverted: bool = False) -> None:
        """Jump to the label, if the test is true (false when `inverted`)."""
        if test is None:
            self._instruction(opcode("bra", uni=True), Symbol(label))
        elif isinstance(test, Const):
            if bool(test.pattern) != inverted:
                self._instruction(opcode("bra", uni=True), Symbol(label))
        else:
            self._instruction(opcode("bra"), Symbol(label), guard=self._guard(test, inverted=inverted))

    def _guard(self, test: Value | Not, *, inverted: bool = False) -> Guard:
        if isinstance(test, Not):
            return Guard(self._register(test.value), not inverted)
        return Guard(self._register(test), inverted)

    def _copies(self, copies: list[tuple[Value, Any]]) -> None:
        """Copies that happen at once; those into values that nothing reads are left out."""
        moves: list[tuple[Register, Register]] = []
        constants: list[tuple[Register, str, Any]] = []
        classes: dict[Register, str] = {}
        for value, source in copies:
            if value not in self._used:
                continue
            to = self._register(value)
            classes[to] = value.cls
            if isinstance(source, Value):
                moves.append((to, self._register(source)))
            else:
                constants.append((to, value.cls, source))

        def temporary(like: Register) -> Register:
            fresh = self._fresh(classes[like])
            classes[fresh] = classes[like]
            return fresh

        # Constants come after the moves: a move may still read the register that a constant is written to.
        for to, source in sequentialise(moves, temporary):
            self._instruction(opcode("mov", type=classes[to]), to, source)
        for to, cls, source in constants:
            if cls == "pred":
                number = source.pattern if isinstance(source, Const) else source
                # There is no `mov` of a number to a predicate.
                self._instruction(opcode("setp", cmp="ne", type="s32"), to, Integer(number & 1), Integer(0))
            else:
                self._instruction(opcode("mov", type=cls), to, self._operand(source))

    def _noted(self, item: object) -> None:
        """Mark what variables are after an item."""
        if self._notes is not None:
            for note in self._notes.behind(item):
                self._place(self._notes.mark(note, self._holds))

    def _holds(self, value: Value) -> Register | None:
        """The register that a value is in, None for one that is not computed, or not yet."""
        return find(value).register

    def _block(self, block: Block) -> None:
        self._noted(block)
        around = self._source
        for item in block.items:
            kind = type(item)
            if kind is Inst:
                if item.live:  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
                    self._inst(item)  # pyright: ignore[reportArgumentType]
            elif kind is Asm:
                self._asm(item)  # pyright: ignore[reportArgumentType]
            elif kind is Loop:
                self._loop(item)  # pyright: ignore[reportArgumentType]
            elif kind is If:
                self._if(item)  # pyright: ignore[reportArgumentType]
            elif kind is While:
                self._while(item)  # pyright: ignore[reportArgumentType]
            else:
                self._graph(item)  # pyright: ignore[reportArgumentType]
            if self._notes is not None:
                self._noted(item)
        self._source = around

    def _inst(self, inst: Inst) -> None:
        if inst.ties:
            self._source = inst.source
            before = len(self._out)
            self._copies(list(inst.ties))
            if len(self._out) > before and inst.opcode.stem == "wgmma.mma_async":
                # A product reads only registers that were written before the last fence.
                self._instruction(opcode("wgmma.fence"), source=inst.source)
        operands = tuple([self._operand(arg) for arg in inst.args])
        if self._special is not None and inst.opcode is _SPECIAL and isinstance(operands[1], Register):
            self._special(operands[1].name, inst.source)
        guard = None if inst.guard is None else self._guard(inst.guard)
        self._check(inst.opcode, inst.source)
        self._out.append(Instruction(inst.opcode, operands, guard))
        if self._origins is not None:
            self._origins[id(self._out[-1])] = inst.source

    def _asm(self, asm: Asm) -> None:
        """Inline PTX, in a scope of its own so that its names meet no others."""
        self._source = asm.source
        self._copies(list(asm.ties))
        for instruction in instructions(asm.statements):
            self._check(instruction.opcode, asm.source)
        places = {name: self._operand(operand) for name, operand in asm.places.items()}
        put = Substitution(places)
        statements = [put.statement(statement) for statement in asm.statements]
        if not all(isinstance(statement, (Instruction, ScopedBlock)) for statement in statements):
            statements = [ScopedBlock(statements)]
        self._out += statements
        if self._origins is not None:
            self._origins.update((id(statement), asm.source) for statement in statements)

    def _loop(self, loop: Loop) -> None:
        self._source = loop.source
        first, second = loop.entered()
        self._copies([(c.value, c.start) for c in first])
        head, end = self._label(), ""
        if loop.guard is not None:
            end = self._label()
            self._branch(end, loop.guard, inverted=True)
        if loop.setup is not None:
            self._block(loop.setup)
            self._copies([(c.value, c.start) for c in second])
        self._place(head)
        if loop.rolled:
            self._out.append(NOT_UNROLLED)
        self._block(loop.body)
        self._copies([(c.value, c.next) for c in loop.carried])
        self._branch(head, loop.again)
        if end:
            self._place(end)

    def _while(self, loop: While) -> None:
        """A loop with its test in the middle; a short first part is repeated at the end, so that one jump does."""
        self._source = loop.source
        self._copies([(c.value, c.start) for c in loop.carried])
        head, end = self._label(), self._label()
        exits = [(m.value, m.values[0]) for m in loop.results if m.value in self._used]
        moving = [(v, s) for v, s in exits if not isinstance(s, Value) or self._register(s) != self._register(v)]
        last = loop.before.items[-1] if loop.before.items else None
        leave = self._label() if moving and isinstance(last, If) and last.leaves is not None else end
        self._leave[id(last)] = leave
        # A test at the bottom saves a jump per iteration; the test's instructions have no effects, so that a second
        # copy of them is harmless.
        if not moving and _is_short(loop.before):
            self._block(loop.before)
            self._branch(end, loop.test, inverted=True)
            self._place(head)
            self._out.append(NOT_UNROLLED)
            self._block(loop.after)
            self._copies([(c.value, c.next) for c in loop.carried])
            self._block(loop.before)
            self._branch(head, loop.test)
            self._place(end)
            return
        self._place(head)
        self._out.append(NOT_UNROLLED)
        self._block(loop.before)
        if moving:
            stay = self._label()
            self._branch(stay, loop.test)
            if leave != end:
                self._place(leave)
            self._copies(moving)
            self._branch(end)
            self._place(stay)
        else:
            self._branch(end, loop.test, inverted=True)
        self._block(loop.after)
        self._copies([(c.value, c.next) for c in loop.carried])
        self._branch(head)
        self._place(end)

    def _if(self, branch: If) -> None:
        self._source = branch.source
        if branch.leaves is not None:
            self._leaving(branch, branch.leaves)
            return
        end = self._label()
        then = self._part(branch, 0)
        otherwise = self._part(branch, 1)
        if then and otherwise:
            middle = self._label()
            self._branch(middle, branch.test, inverted=True)
            self._out += then
            self._branch(end)
            self._place(middle)
            self._out += otherwise
        elif then or otherwise:
            self._branch(end, branch.test, inverted=bool(then))
            self._out += then or otherwise
        else:
            return
        self._place(end)

    def _leaving(self, branch: If, side: int) -> None:
        """A branch of which one side leaves the loop around."""
        leave = self._leave[id(branch)]
        if going := self._part(branch, side):
            stay = self._label()
            self._branch(stay, branch.test, inverted=not side)
            self._out += going
            self._branch(leave)
            self._place(stay)
        else:
            self._branch(leave, branch.test, inverted=bool(side))
        self._out += self._part(branch, 1 - side)

    def _part(self, branch: If, index: int) -> list[Statement]:
        """The statements of one branch and of the copies at its end."""
        saved, self._out = self._out, []
        self._block(branch.otherwise if index else branch.then)
        self._copies([(merge.value, merge.values[index]) for merge in branch.merges])
        part, self._out = self._out, saved
        return part

    # -- unstructured control flow --------------------------------------------------------------------------------

    def _graph(self, graph: Graph) -> None:
        for basic in graph.blocks:
            basic.label = self._label()
        targets = {id(edge.target) for basic in graph.blocks for edge in basic.edges}
        for index, basic in enumerate(graph.blocks):
            # A label that nothing jumps to would only split a basic block for whoever reads the PTX.
            if id(basic) in targets:
                self._place(basic.label)
                if basic.rolled:
                    self._out.append(NOT_UNROLLED)
            self._block(basic.block)
            following = graph.blocks[index + 1] if index + 1 < len(graph.blocks) else None
            self._terminator(basic, following)

    def _terminator(self, basic: Basic, following: Basic | None) -> None:
        if not basic.edges:
            return
        self._source = basic.source
        for edge in basic.edges:
            edge.copies = [copy for copy in edge.copies if self._moves(*copy)]
            if edge.early:
                self._copies(edge.copies)
                edge.copies = []
        if basic.table is not None:
            self._look_up(basic, basic.table)
            return
        first, last = basic.edges[0], basic.edges[-1]
        goes_on = first.target is following or first.copies  # Else a loop may turn here, whose test is to hold.
        if len(basic.edges) == 2 and goes_on and last.target is not following and not last.copies:
            self._branch(last.target.label, basic.tests[0], inverted=True)
            self._jump(first, following)
            return
        for test, edge in zip(basic.tests, basic.edges, strict=False):
            if edge.copies:
                skip = self._label()
                # The copies belong to the edge: they run only if it is taken, and so need a place that the other edge
                # jumps over.
                self._branch(skip, test, inverted=True)
                self._jump(edge, None)
                self._place(skip)
            else:
                self._branch(edge.target.label, test)
        self._jump(basic.edges[-1], following)

    def _look_up(self, basic: Basic, table: list[int]) -> None:
        """A jump by a table; copies of an edge have a place of their own."""
        beyond, number = basic.tests
        labels = [self._label() if edge.copies else edge.target.label for edge in basic.edges]
        if not isinstance(beyond, Const):
            self._branch(labels[-1], beyond)
        targets = self._label()
        self._out.append(TargetList(targets, "branchtargets", tuple(Target(labels[edge]) for edge in table)))
        self._instruction(opcode("brx.idx"), self._operand(number), Symbol(targets))
        for edge, label in zip(basic.edges, labels, strict=True):
            if edge.copies:
                self._place(label)
                self._jump(edge, None)

    def _moves(self, value: Value, source: Any) -> bool:
        """Whether a copy is needed."""
        return value in self._used and not (isinstance(source, Value) and find(source) is find(value))

    def _jump(self, edge: Edge, following: Basic | None) -> None:
        self._copies(edge.copies)
        if edge.target is not following:
            self._branch(edge.target.label)


def _is_short(block: Block) -> bool:
    """Whether a block is a few instructions without effects, some of them in branches."""
    return _length(block) <= REPEATED_INSTRUCTIONS


def _length(block: Block) -> float:
    """The instructions of a block and its branches, a branch counting as one; without end if anything else is there."""
    count: float = len(block.items)
    for item in block.items:
        if type(item) is If:
            count += _length(item.then) + _length(item.otherwise)
        elif type(item) is not Inst or item.effect:
            return inf
    return count
