"""What `linalg.contract` demands of its maps: each loop is summed over, or goes along its result and an operand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap

from weft.dialects.foreign.linalg_operands import inputs_of, is_scalar, shape_of
from weft.dialects.verification import PlainVerifyException


def check_contract(op: Operation, maps: Sequence[AffineMap]) -> None:
    """Check the maps of a contraction.

    Raises:
        PlainVerifyException: they are not those of one, in upstream's words.
    """
    inputs = inputs_of(op)
    read, written = Counter[int](), Counter[int]()
    for place, (map_, value) in enumerate(zip(maps, op.operands, strict=False)):
        if map_.num_dims != maps[0].num_dims:
            raise PlainVerifyException("iteration spaces of provided affine_maps differ")
        loops = [one.position for one in map_.results if isinstance(one, AffineDimExpr)]
        if len(loops) < len(map_.results) or len(set(loops)) < len(loops) or map_.num_symbols:
            raise PlainVerifyException("provided affine_map is not a projected permutation")
        if is_scalar(value):
            if loops:
                raise PlainVerifyException("affine_map specifies shaped access while operand has non-shaped type")
        elif len(loops) != len(shape_of(value.type)):
            raise PlainVerifyException("ranks of shaped operand and results of corresponding affine_map differ")
        (read if place < inputs else written).update(loops)
    summed = False
    for loop in range(maps[0].num_dims if maps else 0):
        if read[loop] == 2 and not written[loop]:
            summed = True
        elif not read[loop] and not written[loop]:
            raise PlainVerifyException(f"iteration space dim at index {loop} not used to access any operand")
        elif not written[loop]:
            raise PlainVerifyException(
                f"iteration space dim at index {loop} is neither a contracting dim nor of parallel iteration type"
            )
    if not summed:
        raise PlainVerifyException("'indexing_maps' do not specify a contracting dimension")
