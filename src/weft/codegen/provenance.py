"""Where pointers that merge point to: the state space that all of their sources are known to lie in.

A generic pointer that was computed from one into a known state space is used in that space.  Where control flow brings
several together, in the argument of a block or of a loop, that is right if they agree; if they do not, all of them
become generic addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weft.codegen.access import generic
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.codegen.types import GENERIC, Scalar

_MOVES = frozenset(
    {
        "llvm.getelementptr", "llvm.freeze", "llvm.bitcast", "memref.subview", "memref.cast", "memref.reinterpret_cast",
        "memref.collapse_shape", "memref.expand_shape", "memref.view", "memref.transpose",
    }
)  # fmt: skip
"""Operations whose result points to where their first operand does."""


def space_of_scalar(scalar: Any) -> str:
    """The state space that an address is known to lie in."""
    if not isinstance(scalar, Lin):
        return ""
    return next((value.space for value, c in scalar.terms if c == 1 and value.space), "")


def common_space(s: Selector, argument: Any) -> str:
    """The state space that all that a pointer or memref may be is known to lie in, empty if there is none."""
    return _space(s, argument, set()) or ""


def _space(s: Selector, value: Any, seen: set[Any]) -> str | None:
    """The space; None for what adds nothing, since it is being looked at."""
    if value in seen:
        return None
    known = s.values.get(value)
    if known is not None:
        return space_of_scalar(s.flatten(known)[0])
    seen.add(value)
    owner = value.owner
    if owner.name in _MOVES if hasattr(owner, "name") else False:
        return _space(s, owner.operands[0], seen)
    sources = _sources(value)
    if not sources:
        return ""
    spaces = {found for source in sources if (found := _space(s, source, seen)) is not None}
    return next(iter(spaces)) if len(spaces) == 1 else "" if spaces else None


def _sources(value: Any) -> Sequence[Any]:
    """What the value may be: the operands of a choice, or what branches and loops pass to a block's argument."""
    owner = value.owner
    if hasattr(owner, "name"):
        return owner.operands[1:] if owner.name in ("arith.select", "llvm.select") else ()
    op = owner.parent_op()
    if op is None:
        return ()
    if op.name == "scf.for" and value.index:
        return (op.operands[2 + value.index], owner.last_op.operands[value.index - 1])
    if op.name == "scf.while":
        before, after = (region.blocks[0] for region in op.regions)
        condition = before.last_op.operands[1 + value.index :][:1]
        return condition if owner is after else (op.operands[value.index], after.last_op.operands[value.index])
    found: list[Any] = []
    for block in owner.predecessors():
        passed = passed_to(block.last_op, owner, value.index)
        if not passed:
            return ()
        found += passed
    return found


def passed_to(branch: Any, target: Any, index: int) -> list[Any]:
    """The operands that a branch passes to one argument of a block, once for each way there."""
    if branch.name in ("cf.br", "llvm.br"):
        return [branch.operands[index]]
    segments = branch.properties.get("operandSegmentSizes")
    if segments is None:
        return []
    counts = list(segments.get_values())[1:]
    cases = branch.properties.get("case_operand_segments")
    if cases is not None:
        counts = [counts[0], *cases.get_values()]
    found: list[Any] = []
    at = 1
    for successor, count in zip(branch.successors, counts, strict=True):
        if successor is target:
            found.append(branch.operands[at + index])
        at += count
    return found


def agreed(s: Selector, scalar: Any, kind: Any, space: str) -> Any:
    """A scalar as the place takes it where values merge: a pointer of another space than that as a generic one."""
    return generic(s, scalar) if is_generic(kind) and space_of_scalar(scalar) != space else scalar


def is_generic(kind: Scalar) -> bool:
    """Whether a scalar is a generic pointer; one with a state space in its type is always an address there."""
    return kind.kind == "pointer" and kind.name == GENERIC


def in_one_space(s: Selector, a: Any, b: Any, kind: Scalar | None = None) -> tuple[Any, Any]:
    """Two scalars to choose from: generic pointers into different state spaces as generic addresses."""
    if (kind is not None and not is_generic(kind)) or space_of_scalar(a) == space_of_scalar(b):
        return a, b
    return generic(s, a), generic(s, b)
