"""`attention` by roles, TMA and the tensor cores of Hopper (sm_90a) and Blackwell (sm_100a), with the same arguments.

What a block does is in [`attention_wgmma`](attention_wgmma.py) and in [`attention_tcgen05`](attention_tcgen05.py).
"""

from __future__ import annotations

from typing import Annotated, Any

from weft.tile import DType, Global, Scalar, Tensor, block_id, cdiv, f16, f32, i32, kernel
from weft.tile.kernels import attention_tcgen05, attention_wgmma
from weft.tile.kernels.attended import ROWS, Attended
from weft.tile.kernels.grouped import find

ATTEND = {"sm_90a": attention_wgmma.attend}


def _grid(B: int, H: int, M: int) -> tuple[int, int, int]:
    return cdiv(M, ROWS), H, B


def _step(step: int, head: int) -> int:
    """Keys of a tile: as many as there is room for beside the heads, where nothing is said."""
    return step or (128 if head <= 128 else 64)


@kernel(grid=_grid)
def attention_tma(
    Q: Annotated[Tensor, Global("kind", ("B", "H", "M", "D"))],
    K: Annotated[Tensor, Global("kind", ("B", "G", "N", "D"))],
    V: Annotated[Tensor, Global("kind", ("B", "G", "N", "D"))],
    Y: Annotated[Tensor, Global("kind", ("B", "H", "M", "D"))],
    L: Annotated[Tensor, Global(f32, ("B", "H", "M"))],
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 128,
    step: int = 0,
    causal: bool = False,
    target: str = "sm_90a",
) -> None:
    """Y[b, h] = softmax(Q[b, h] K[b, g]^T * scale) V[b, g], heads of D <= `head`, which is 64, 128, 192 or 256; H / G
    heads share keys and values; `scale` is above 0.

    With `causal`, the last query sees the last key, the one before it one less.  L is the logarithm of each query's
    sum of exponentials.  `step` keys are taken at a time, 0 for what there is room for.
    """
    h, b, (M, N) = block_id(1), block_id(2), (Q.shape[2], K.shape[2])
    g = h // (Q.shape[1] // K.shape[1])
    of = Attended(M, N, block_id(0) * ROWS, 0, 0, scale, kind, head, _step(step, head), causal)
    attend = ATTEND.get(target, attention_tcgen05.attend)
    attend(of, Q[b, h], K[b, g], V[b, g], Y[b, h], lambda: L[b, h])


def _packed_grid(H: int, T: int, S: int) -> tuple[int, int]:
    """Each sequence has at most one block that is not full."""
    return cdiv(T, ROWS) + S, H


@kernel(grid=_packed_grid)
def packed_attention_tma(
    Q: Annotated[Tensor, Global("kind", ("H", "T", "D"))],
    K: Annotated[Tensor, Global("kind", ("G", "U", "D"))],
    V: Annotated[Tensor, Global("kind", ("G", "U", "D"))],
    Y: Annotated[Tensor, Global("kind", ("H", "T", "D"))],
    L: Annotated[Tensor, Global(f32, ("H", "T"))],
    queries: Annotated[Tensor, Global(i32, ("S",))],
    keys: Annotated[Tensor, Global(i32, ("S",))],
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 128,
    step: int = 0,
    causal: bool = False,
    target: str = "sm_90a",
) -> None:
    """`attention_tma` of S sequences of any lengths, one behind the other: `queries` and `keys` say where each one
    ends.  Tiles are whole: behind a sequence's last key those of the next are brought, with weights of zero, so all
    values must be numbers.
    """
    h = block_id(1)
    g = h // (Q.shape[0] // K.shape[0])
    s, row, stop = find(queries, block_id(0), ROWS)
    start, before = (ends[s - 1] if s > 0 else 0 for ends in (queries, keys))
    of = Attended(
        stop - start, keys[s] - before, row - start, start, before, scale, kind, head, _step(step, head), causal
    )
    attend: Any = ATTEND.get(target, attention_tcgen05.attend)
    attend(of, Q[h], K[g], V[g], Y[h].rows(start, stop), lambda: L[h].rows(start, stop))
