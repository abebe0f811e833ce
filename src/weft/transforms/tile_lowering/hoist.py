"""Loop-invariant operations in front of their loops: what copies compute of the thread and of sizes, once."""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

_DIALECTS = ("arith", "math")
_PURE = frozenset({"llvm.getelementptr", "llvm.bitcast", "llvm.insertelement", "llvm.extractelement"})


def hoist(function: Operation) -> None:
    """Move operations without effects whose operands a loop does not define in front of the loop."""
    for op in list(function.walk()):
        if op.name == "scf.for":
            _from_loop(op)


def _from_loop(loop: Operation) -> None:
    """Move out of one loop; the loops around it were visited before, those inside it are visited later.

    What a loop inside could give its surroundings is found when the inner loop has been visited, so visit again
    outwards.
    """
    block = loop.regions[0].blocks[0]
    _move(block, loop)
    outer = loop.parent_op()
    while outer is not None and outer.name == "scf.for":
        _move(outer.regions[0].blocks[0], outer)
        outer = outer.parent_op()


def _move(block: Block, loop: Operation) -> None:
    home = loop.parent
    assert home is not None
    for op in list(block.ops):
        if _movable(op) and not any(_inside(value, loop) for value in op.operands):
            op.detach()
            home.insert_ops_before([op], loop)


def _movable(op: Operation) -> bool:
    return not op.regions and (op.name in _PURE or op.name.partition(".")[0] in _DIALECTS)


def _inside(value: SSAValue, loop: Operation) -> bool:
    """Whether a value is defined in a loop."""
    owner = value.owner
    block = owner if isinstance(owner, Block) else owner.parent
    while block is not None:
        parent = block.parent_op()
        if parent is loop:
            return True
        block = parent.parent if parent is not None else None
    return False
