"""Two tests in a row that lead to the same block, as those of `&&` and `||` do, made one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import scf, ub
from xdsl.dialects.arith import AndIOp, SelectOp
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from weft.codegen.structuring.edges import CONDITIONALS, SPECULATED, Maker, bind, erase, is_load, operands_to
from weft.dataclass import dataclass
from weft.dialects.building import segment_sizes
from weft.dialects.engine.operations import op_class

_JOINED, _FEW = 6, 2
"""Operations that may stand before the second test, inside of loops that may be operations and elsewhere."""


@dataclass(slots=True)
class _Tests:
    """Two tests in a row: `second` is entered by the first alone, on its side `by`, and leads on by its side `on`.

    Their other sides lead to the same block.
    """

    first: Operation
    second: Operation
    by: int
    on: int

    @property
    def inner(self) -> Block:
        """The block of the second test."""
        block = self.second.parent
        assert block is not None
        return block

    @property
    def others(self) -> tuple[Sequence[SSAValue], Sequence[SSAValue]]:
        """What the other sides pass on."""
        return operands_to(self.first, 1 - self.by), operands_to(self.second, 1 - self.on)


def join_tests(block: Block, loops: Mapping[Block, Sequence[Block]], *, thoroughly: bool) -> bool:
    """Make one test of two in a row, neither of which leaves a loop or starts it again."""
    found = _two_tests(block)
    if found is None or block not in loops:
        return False
    away, on = found.first.successors[1 - found.by], found.second.successors[found.on]
    around = loops[block]
    if any(loops.get(one) != around or one in around for one in (found.inner, away, on)):
        return False
    inside = [op for op in found.inner.ops if op is not found.second]
    counted = sum(not op.name.endswith(".constant") for op in inside)
    if counted > (_JOINED if thoroughly else _FEW):
        return False
    if any(op.name not in SPECULATED and not (thoroughly and is_load(op)) for op in inside):
        return False
    bind(found.inner, operands_to(found.first, found.by))
    if any(map(is_load, inside)):
        _guarded(found, inside)
    else:
        _speculated(found, inside)
    return True


def _two_tests(block: Block) -> _Tests | None:
    first = block.last_op
    if first is None or first.name not in CONDITIONALS:
        return None
    for by in (0, 1):
        inner, away = first.successors[by], first.successors[1 - by]
        second = inner.last_op
        if inner is away or inner is block or len(inner.predecessors()) > 1:
            continue
        if second is None or second.name not in CONDITIONALS or away not in second.successors:
            continue
        on = 1 - second.successors.index(away)
        if second.successors[on] is not away:
            return _Tests(first, second, by, on)
    return None


def _speculated(found: _Tests, inside: list[Operation]) -> None:
    """Both tests at once."""
    for op in inside:
        op.detach()
        Rewriter.insert_op(op, InsertPoint.before(found.first))
    maker = Maker(found.first)
    by = maker.holds(found.first.operands[0], found.by)
    both = maker.add(AndIOp(by, maker.holds(found.second.operands[0], found.on)))
    passed = [a if a is b else maker.add(SelectOp(by, b, a)) for a, b in zip(*found.others, strict=True)]
    _test_again(found, both, passed)


def _guarded(found: _Tests, inside: list[Operation]) -> None:
    """The second test in a region, which returns what is computed for it."""
    maker = Maker(found.first)
    by = maker.holds(found.first.operands[0], found.by)
    moved = set(inside)
    used = [
        result for op in inside for result in op.results
        if any(use.operation not in moved and use.operation is not found.second for use in result.uses)
    ]  # fmt: skip
    away, passed = found.others
    merged = [number for number, (a, b) in enumerate(zip(away, passed, strict=True)) if a is not b]
    regions = [Region(Block()), Region(Block())]
    for op in inside:
        op.detach()
        regions[0].block.add_op(op)
    end = Maker(found.first, regions[0].block)
    end.put(scf.YieldOp(end.holds(found.second.operands[0], found.on), *(passed[n] for n in merged), *used))
    end = Maker(found.first, regions[1].block)
    nothing = [end.add(ub.PoisonOp(value.type)) for value in used]
    end.put(scf.YieldOp(end.number(0), *(away[n] for n in merged), *nothing))
    types = [i1, *(away[n].type for n in merged), *(value.type for value in used)]
    chosen = scf.IfOp(by, types, regions[0], regions[1])
    maker.put(chosen)
    results = list(away)
    for number, result in zip(merged, chosen.results[1:], strict=False):
        results[number] = result
    for value, result in zip(used, chosen.results[1 + len(merged) :], strict=True):
        value.replace_uses_with_if(result, lambda use: use.operation.parent is not regions[0].block)
    _test_again(found, chosen.results[0], results)


def _test_again(found: _Tests, both: SSAValue, away: Sequence[SSAValue]) -> None:
    """Replace the first test by that of both, which leads where the second did, or away."""
    first, inner = found.first, found.inner
    on = list(operands_to(found.second, found.on))
    made = op_class("llvm.cond_br").create(
        operands=[both, *on, *away],
        successors=[found.second.successors[found.on], first.successors[1 - found.by]],
        properties={"operandSegmentSizes": segment_sizes((1, len(on), len(away)))},
    )
    made.location = first.location
    Rewriter.replace_op(first, made, [])
    erase(inner)
