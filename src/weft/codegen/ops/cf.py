"""Unstructured control flow: the body of a function in several blocks, `cf` and `llvm` branches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Block as MlirBlock
from xdsl.ir import Operation

from weft.codegen import linear, wide
from weft.codegen.dominance import dominators, loops_in, predecessors, reverse_postorder
from weft.codegen.graph import B64, PRED, Basic, Block, Const, Edge, Graph, Value
from weft.codegen.integers import TRUE
from weft.codegen.linear import Lin
from weft.codegen.ops.inductions import Counting
from weft.codegen.provenance import agreed, common_space
from weft.codegen.selector import Selector
from weft.codegen.structuring.edges import NOT_UNROLLED
from weft.codegen.types import GENERIC, Scalar, is_wide, layout
from weft.dialects import narrow
from weft.isa import opcode
from weft.mlir import compile_error


def select_body(s: Selector, region: Any) -> None:
    """Select a function's body, whose arguments are bound already."""
    if len(region.blocks) == 1:
        last = s.select_block(region.blocks[0])
        s.select(last)
        return
    s.block.items.append(Graph(list(_select_graph(s, region, s.block).values())))


def select_blocks(s: Selector, op: Operation) -> None:
    """Select the several blocks of an operation's region, which leave it with the results.

    They are one loop to what is around: any of them may run again.
    """
    around = Block(s.block, loop=True)
    leave = Basic(Block(around))
    values = [
        tuple(s.wrapped(Value(kind.cls, s.block), kind) for kind in layout(result.type).scalars)
        for result in op.results
    ]
    for result, scalars in zip(op.results, values, strict=True):
        s.values[result] = s.unflatten(result.type, scalars)
    basics = _select_graph(s, op.regions[0], around, (leave, op.results))
    s.block.items.append(Graph([*basics.values(), leave], around))


def _select_graph(
    s: Selector, region: Any, around: Block, leave: tuple[Basic, Any] | None = None
) -> dict[MlirBlock, Basic]:
    """The basic blocks of a region, in order; `leave` is where a terminator goes that names no block, and what the
    values that it passes on are there.
    """
    order = reverse_postorder(region.blocks[0])
    parents = dominators(order)
    basics: dict[MlirBlock, Basic] = {}
    for block in order:
        parent = around if parents[block] is None else basics[parents[block]].block  # pyright: ignore[reportArgumentType]
        basics[block] = Basic(Block(parent))
    counting: dict[MlirBlock, Counting] = {}
    if leave is None:
        around_each = loops_in(order, parents)
        for block, headers in around_each.items():
            basics[block].block.loops = tuple(basics[header].block for header in headers)
        counting = _countings(order, basics, around_each)
    for block in order:
        if parents[block] is not None:
            with s.at(basics[block].block):
                _bind_arguments(s, block)
    before = predecessors(order)
    for block, basic in basics.items():
        basic.block.joined = len(before[block]) > 1
    saved, s.apart = s.apart, len(order) > 3
    for block in order:
        if block in counting:
            counting[block].find(s)
        with s.at(basics[block].block):
            last = s.select_block(block)
            s.source = basics[block].source = last
            for header in counting if "loop_annotation" in last.properties else ():
                if header in last.successors and NOT_UNROLLED in str(last.properties["loop_annotation"]):
                    basics[header].rolled = True
            if leave is not None and not last.successors:
                basics[block].edges = [_edge(s, leave[0], leave[1], last.operands)]
            else:
                _terminator(s, last, basics, basics[block])
        if parents[block] is not None:
            mine = basics[block].block
            basics[parents[block]].block.apart.update(mine.known)  # pyright: ignore[reportArgumentType]
    s.apart = saved
    for loop in counting.values():
        loop.finish()
    return basics


def _countings(
    order: list[MlirBlock], basics: dict[MlirBlock, Basic], around: dict[MlirBlock, list[MlirBlock]]
) -> dict[MlirBlock, Counting]:
    """By their first blocks, the loops that are entered from one block and turned by one."""
    found: dict[MlirBlock, Counting] = {}
    for header, before in predecessors(order).items():
        inside = [block for block in before if header in around.get(block, ())]
        if len(before) == 2 and len(inside) == 1:
            (entry,) = [block for block in before if block not in inside]
            found[header] = Counting(basics, header, entry, inside[0])
    return found


def _bind_arguments(s: Selector, block: MlirBlock) -> None:
    for argument in block.args:
        kinds = layout(argument.type).scalars
        space = common_space(s, argument) if any(kind.kind == "pointer" for kind in kinds) else ""
        scalars = tuple(s.wrapped(_placed(s, kind, space), kind) for kind in kinds)
        s.values[argument] = s.unflatten(argument.type, scalars)


def _placed(s: Selector, kind: Scalar, space: str) -> Value:
    value = Value(kind.cls, s.block)
    if kind.kind == "pointer" and kind.cls == B64 and kind.name == GENERIC:
        value.space = space
    return value


def _edge(s: Selector, target: Basic, arguments: Any, operands: Any) -> Edge:
    edge = Edge(target)
    for argument, operand in zip(arguments, operands, strict=True):
        to, source = s.flatten(s.get(argument)), s.flatten(s.get(operand))
        for slot, scalar, kind in zip(to, source, layout(argument.type).scalars, strict=True):
            value = slot.single() if isinstance(slot, linear.Lin) else slot
            if isinstance(value, Value):
                edge.copies.append((value, s.as_operand(agreed(s, scalar, kind, value.space))))
    return edge


def _terminator(s: Selector, op: Operation, basics: dict[MlirBlock, Basic], basic: Basic) -> None:
    if op.name in ("cf.br", "llvm.br"):
        basic.edges = [_edge(s, basics[op.successors[0]], op.successors[0].args, op.operands)]
    elif op.name in ("cf.cond_br", "llvm.cond_br"):
        segments = narrow.segments(op)
        first = op.operands[1 : 1 + segments[1]]
        second = op.operands[1 + segments[1] : 1 + segments[1] + segments[2]]
        edges = [
            _edge(s, basics[target], target.args, operands)
            for target, operands in zip(op.successors, (first, second), strict=True)
        ]
        test = s.test(op.operands[0])
        if isinstance(test, Const):
            basic.edges = [edges[0] if test.pattern else edges[1]]
        else:
            if turned := _turned_by_failure(s, op, test, basic, edges):
                # ptxas knows how often a loop turns where its branch is taken for a test that holds.
                test, edges = turned, edges[::-1]
            basic.edges, basic.tests = edges, [test]
    elif op.name in ("cf.switch", "llvm.switch"):
        _switch(s, op, basics, basic)
    elif op.successors:
        raise compile_error(op, "weft cannot lower this terminator")
    else:
        s.select(op)


_CASES, _SPREAD = 4, 4
"""Cases from which on a table chooses among them, and its most places for each of them."""
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


def _turned_by_failure(s: Selector, op: Operation, test: Value, basic: Basic, edges: list[Edge]) -> Value | None:
    """The opposite of a comparison of integers for this branch alone, if the loop around turns when it fails."""
    inst = test.inst
    mine = edges[1].target.block in basic.block.loops and edges[0].target.block not in basic.block.loops
    if not mine or inst is None or inst.opcode.stem != "setp" or not op.operands[0].has_one_use():
        return None
    relation, type_ = inst.opcode.slots["cmp"], inst.opcode.slots["type"]
    if relation not in _OPPOSITE or type_[0] not in "su":
        return None
    return s.pure(opcode("setp", cmp=_OPPOSITE[relation], type=type_), PRED, *inst.args[1:])


def _number(s: Selector, flag: Any) -> Lin:
    """An integer of at most 64 bits, without what its register holds above its width."""
    width, whole = flag.type.width.data, s.get(flag)
    return s.from_test(whole, 32, signed=True) if width == 1 else s.exactly(whole, width, signed=True)


def _cases(s: Selector, flag: Any) -> Callable[[int], Any]:
    """What says whether an integer is a number."""
    width = flag.type.width.data
    if is_wide(flag.type):
        both = wide.exactly(s, s.get(flag), width, signed=True)
        return lambda value: wide.compare(s, "eq", both, wide.constant(linear.wrap(value, width)))
    known = _number(s, flag)
    return lambda value: s.compare("eq", known, linear.const(linear.wrap(value, width), known.bits))


def _switch(s: Selector, op: Operation, basics: dict[MlirBlock, Basic], basic: Basic) -> None:
    test_of = _cases(s, op.operands[0])
    segments = narrow.segments(op)
    cases = op.properties.get("case_values")
    values = narrow.elements(cases) if cases is not None else ()
    first = op.successors[0]
    default = _edge(s, basics[first], first.args, op.operands[1 : 1 + segments[1]])
    at = 1 + segments[1]
    counts = narrow.numbers(op.properties["case_operand_segments"])
    for value, target, count in zip(values, op.successors[1:], counts, strict=True):
        basic.edges.append(_edge(s, basics[target], target.args, op.operands[at : at + count]))
        test = test_of(value)
        if isinstance(test, Const):
            if not test.pattern:
                basic.edges.pop()
                at += count
                continue
            basic.edges = [*basic.edges]
            return
        basic.tests.append(test)
        at += count
    basic.edges.append(default)
    flag: Any = op.operands[0]
    if len(basic.tests) == len(values) >= _CASES and not is_wide(flag.type):
        _look_up(s, basic, _number(s, flag), [linear.wrap(value, flag.type.width.data) for value in values])


def _look_up(s: Selector, basic: Basic, number: Lin, values: list[int]) -> None:
    """Let a table choose among cases that lie close together."""
    low, count = min(values), max(values) - min(values) + 1
    if number.bits != 32 or count > _SPREAD * len(values) or s.module.available("brx.idx") is None:
        return
    index = linear.offset(number, -low)
    table = [len(values)] * count
    for edge, value in reversed([*enumerate(values)]):  # Of equal ones the first counts.
        table[value - low] = edge
    beyond = s.compare("gt", index, linear.const32(count - 1), signed=False)
    if beyond != TRUE:
        basic.table, basic.tests = table, [beyond, s.int_value(index)]
