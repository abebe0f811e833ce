"""The gradients of `attention_tma` by roles, TMA and the tensor cores of Hopper (sm_90a) and Blackwell (sm_100a), with
the arguments and formulas of [`attention_backward`](attention_backward.py).

What a block does is in [`attention_backward_wgmma`](attention_backward_wgmma.py) and in
[`attention_backward_tcgen05`](attention_backward_tcgen05.py).
"""

from __future__ import annotations

from typing import Annotated, Any

from weft.tile import DType, Scalar, block_id, cdiv, f16, f32, kernel
from weft.tile.kernels import attention_backward_tcgen05, attention_backward_wgmma
from weft.tile.kernels.attended import ROWS, Attended, Heads
from weft.tile.kernels.attention_backward import (
    Ends,
    Keys,
    PackedKeys,
    PackedQueries,
    PerPackedQuery,
    PerQuery,
    Queries,
)
from weft.tile.kernels.grouped import find

BODIES = {"sm_90a": attention_backward_wgmma}


def _body(target: str) -> Any:
    return BODIES.get(target, attention_backward_tcgen05)


def _step(step: int, head: int, target: str) -> int:
    """Rows of a tile: as many as there is room for, where nothing is said."""
    return step or (64 if target not in BODIES and head <= 128 else 32)


def _grid(B: int, H: int, M: int) -> tuple[int, int, int]:
    return cdiv(M, ROWS), H, B


@kernel(grid=_grid)
def attention_backward_q_tma(
    Q: Queries,
    K: Keys,
    V: Keys,
    Y: Queries,
    L: PerQuery,
    dY: Queries,
    dQ: Queries,
    delta: PerQuery,
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 128,
    step: int = 0,
    causal: bool = False,
    target: str = "sm_90a",
) -> None:
    """dQ, and delta = sum(dY * Y) of each query, for `attention_backward_kv_tma`; options as for `attention_tma`."""
    h, b, (M, N) = block_id(1), block_id(2), (Q.shape[2], K.shape[2])
    g = h // (Q.shape[1] // K.shape[1])
    of = Attended(M, N, block_id(0) * ROWS, 0, 0, scale, kind, head, _step(step, head, target), causal)
    whole = Heads(Q[b, h], L[b, h], dY[b, h], delta[b, h])
    _body(target).of_queries(of, whole, whole, Y[b, h], K[b, g], V[b, g], dQ[b, h])


def _packed_grid(H: int, T: int, S: int) -> tuple[int, int]:
    """Each sequence has at most one block that is not full."""
    return cdiv(T, ROWS) + S, H


@kernel(grid=_packed_grid)
def packed_attention_backward_q_tma(
    Q: PackedQueries,
    K: PackedKeys,
    V: PackedKeys,
    Y: PackedQueries,
    L: PerPackedQuery,
    dY: PackedQueries,
    dQ: PackedQueries,
    delta: PerPackedQuery,
    queries: Ends,
    keys: Ends,
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 128,
    step: int = 0,
    causal: bool = False,
    target: str = "sm_90a",
) -> None:
    """`attention_backward_q_tma` of S sequences of any lengths, as for `packed_attention_tma`."""
    h = block_id(1)
    g = h // (Q.shape[0] // K.shape[0])
    s, row, stop = find(queries, block_id(0), ROWS)
    start, before = (ends[s - 1] if s > 0 else 0 for ends in (queries, keys))
    M, N = stop - start, keys[s] - before
    of = Attended(M, N, row - start, start, before, scale, kind, head, _step(step, head, target), causal)
    whole = Heads(Q[h], L[h], dY[h], delta[h])
    y, dq = (x[h].rows(start, stop) for x in (Y, dQ))
    _body(target).of_queries(of, whole, whole.rows(start, stop), y, K[g], V[g], dq)


def _grid_of_keys(B: int, G: int, N: int, head: int, target: str) -> tuple[int, int, int]:
    of = _body(target)
    return cdiv(N, of.keys_of(head)) * of.parts_of(head), G, B


@kernel(grid=_grid_of_keys)
def attention_backward_kv_tma(
    Q: Queries,
    K: Keys,
    V: Keys,
    L: PerQuery,
    dY: Queries,
    delta: PerQuery,
    dK: Keys,
    dV: Keys,
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 128,
    step: int = 0,
    causal: bool = False,
    target: str = "sm_90a",
) -> None:
    """dK and dV, from the delta of `attention_backward_q_tma`; options as for `attention_tma`, but `head` is not 192:
    heads of 192 are among those of up to 256.
    """
    g, b, sharing, body = block_id(1), block_id(2), Q.shape[1] // K.shape[1], _body(target)
    first = block_id(0) // body.parts_of(head) * body.keys_of(head)
    of = Attended(Q.shape[2], K.shape[2], first, 0, 0, scale, kind, head, _step(step, head, target), causal)

    def heads(number: Any) -> tuple[Heads, Heads]:
        h = g * sharing + number
        whole = Heads(Q[b, h], L[b, h], dY[b, h], delta[b, h])
        return whole, whole

    body.of_keys(of, sharing, heads, K[b, g], V[b, g], dK[b, g], dV[b, g])


def _grid_of_packed_keys(G: int, U: int, S: int, head: int, target: str) -> tuple[int, int]:
    of = _body(target)
    return (cdiv(U, of.keys_of(head)) + S) * of.parts_of(head), G


@kernel(grid=_grid_of_packed_keys)
def packed_attention_backward_kv_tma(
    Q: PackedQueries,
    K: PackedKeys,
    V: PackedKeys,
    L: PerPackedQuery,
    dY: PackedQueries,
    delta: PerPackedQuery,
    dK: PackedKeys,
    dV: PackedKeys,
    queries: Ends,
    keys: Ends,
    scale: Annotated[Scalar, f32],
    *,
    kind: DType = f16,
    head: int = 128,
    step: int = 0,
    causal: bool = False,
    target: str = "sm_90a",
) -> None:
    """`attention_backward_kv_tma` of S sequences of any lengths.  Tiles are whole: behind a sequence's last query those
    of the next are brought, with weights of zero, so all of Q and dY must be numbers.
    """
    g, sharing, body = block_id(1), Q.shape[0] // K.shape[0], _body(target)
    s, row, stop = find(keys, block_id(0) // body.parts_of(head), body.keys_of(head))
    start, before = (ends[s - 1] if s > 0 else 0 for ends in (queries, keys))
    end, N = queries[s], stop - before
    of = Attended(end - start, N, row - before, start, before, scale, kind, head, _step(step, head, target), causal)

    def heads(number: Any) -> tuple[Heads, Heads]:
        h = g * sharing + number
        whole = Heads(Q[h], L[h], dY[h], delta[h])
        return whole, whole.rows(start, end)

    body.of_keys(of, sharing, heads, K[g], V[g], dK[g].rows(before, stop), dV[g].rows(before, stop))
