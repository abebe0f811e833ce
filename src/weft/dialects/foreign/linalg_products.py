"""The maps that `linalg.matmul` and its kin in batches may have in place of their own, as upstream restricts them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.exceptions import VerifyException

from weft.dialects.verification import PlainVerifyException

PRODUCTS = frozenset({"linalg.matmul", "linalg.batch_matmul", "linalg.batch_reduce_matmul"})


def check_product_maps(op: Operation, maps: Sequence[AffineMap], letters: Sequence[str]) -> None:
    """Each input is read by its own loops, all or some; an output of batches is written by its own.

    `letters` are the loops of each operand of the operation as it is without maps.

    Raises:
        VerifyException: it is not, in upstream's words.
    """
    left, right, written = letters
    batches = op.name != "linalg.matmul"
    (summed,) = {*left} & {*right} - {"a", *written}  # The batch is "a", which no input of a plain product shares.
    for map_, own in zip(maps, (left, right), strict=False):
        if batches:
            _check_batch(map_, own, (summed, left[0] + summed, own[1:]))
        else:
            _check_input(map_, own, summed)
    if batches and len(maps) == len(letters):
        _check_output(maps[-1], written)


def check_projections(maps: Sequence[AffineMap]) -> None:
    """Each operand of a product is indexed by some loops, by none twice.

    Raises:
        PlainVerifyException: one is indexed otherwise.
    """
    for map_ in maps:
        loops = {result.position for result in map_.results if isinstance(result, AffineDimExpr)}
        if len(loops) < len(map_.results):
            raise PlainVerifyException("expected indexing maps to be projected permutations")


def _loop(letter: str) -> int:
    return ord(letter) - ord("a")


def _letters(map_: AffineMap) -> str:
    """The loops that a map gives, as letters; another for what is no loop."""
    return "".join(chr(ord("a") + one.position) if isinstance(one, AffineDimExpr) else "?" for one in map_.results)


def _check_input(map_: AffineMap, own: str, summed: str) -> None:
    found = _letters(map_)
    if not {*found} <= {*own}:
        raise VerifyException("Unexpected dim expression in map result.")
    if len(found) < len(own) and found != summed:
        raise VerifyException(f"Invalid broadcast requested, should be (d{_loop(summed)}).")


def _check_batch(map_: AffineMap, own: str, fewer: Sequence[str]) -> None:
    found = _letters(map_)
    if not {*found} <= {*own}:
        raise VerifyException("Unexpected result dim expression (outside the set of default result dims).")
    if len(found) > len(own):
        raise VerifyException(f"no. of result dim expressions exceeds {len(own)}.")
    if len(found) < len(own):
        if found not in fewer:
            raise VerifyException("Invalid broadcast requested.")
    elif found[0] != own[0]:
        raise VerifyException("Invalid batch dimension expression.")


def _check_output(map_: AffineMap, own: str) -> None:
    if len(map_.results) != len(own):
        raise VerifyException(f"expects {len(own)} dims, but got ({len(map_.results)}).")
    if not all(_loop(letter) in result.used_dims() for result, letter in zip(map_.results, own, strict=True)):
        raise VerifyException("Invalid output map result dimension.")
