"""`vector.scan`: running reductions; and what prints vectors on a host."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen.combine import combine_scalars
from weft.codegen.ops.vector import combining_kind
from weft.codegen.selector import Selector, handles
from weft.codegen.types import scalar
from weft.codegen.vectors import elements, pack
from weft.dialects.narrow import known_vector
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects.rows import vector


@handles("vector.scan")
def select_scan(s: Selector, op: vector.ScanOp) -> None:
    """Each element combined with those before it, itself included or not; and the last of them.

    As upstream lowers it: with itself included, the initial value plays no part.
    """
    source, initial = op.operands
    shape = known_vector(source.type).get_shape()
    axis = op.reduction_dim.value.data
    inclusive = bool(op.inclusive.value.data)
    name, kind = combining_kind(op), scalar(known_vector(source.type).element_type)
    given = dict(zip(_positions(shape), elements(s, s.get(source), source.type), strict=True))
    rows = [p for p in _positions(shape) if p[axis] == 0]
    found: dict[tuple[int, ...], Any] = {}
    last: list[Any] = []
    for row, start in zip(rows, elements(s, s.get(initial), initial.type), strict=True):
        line = [(*row[:axis], i, *row[axis + 1 :]) for i in range(shape[axis])]
        total = given[line[0]] if inclusive else start
        found[line[0]] = total
        for before, here in pairwise(line):
            total = combine_scalars(s, op, name, total, given[here if inclusive else before], kind)
            found[here] = total
        last.append(total)
    s.values[op.results[0]] = pack(s, [found[p] for p in _positions(shape)], source.type)
    s.values[op.results[1]] = pack(s, last, initial.type)


def _positions(shape: Any) -> list[tuple[int, ...]]:
    return list(product(*(range(extent) for extent in shape)))


@handles("vector.print")
def select_print(s: Selector, op: Operation) -> None:
    """Refused: upstream prints through functions of the host."""
    raise compile_error(op, "vectors are printed on the host", "use gpu.printf with their elements")
