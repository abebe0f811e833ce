"""What the lanes of a warp tell each other: shuffles and votes.  All 32 lanes must come."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import i1
from xdsl.dialects.builtin import i32 as word

from weft.dialects.engine.making import new
from weft.tile.dtypes import boolean, i32, u32
from weft.tile.scalars import Scalar, common, scalar
from weft.tile.trace import current

_WIDTH, _ALL = 32, -1


def _shuffled(mode: str, x: Any, by: Any) -> Scalar:
    value = scalar(x, common(x, x))
    kind = i32 if value.dtype is boolean else value.dtype
    operands = [scalar(each, of).value for each, of in ((value, kind), (by, i32), (_WIDTH, i32))]
    op = new("gpu.shuffle", *operands, results=[operands[0].type, i1], mode=mode)
    result = Scalar(current().add(op).results[0], kind)
    return result if kind is value.dtype else result.to(boolean)


def shuffle(x: Any, lane: Any) -> Scalar:
    """The value of another lane (`shfl.idx`)."""
    return _shuffled("idx", x, lane)


def shuffle_xor(x: Any, mask: Any) -> Scalar:
    """The value of the lane whose number is this one's exclusive or with a mask (`shfl.bfly`)."""
    return _shuffled("xor", x, mask)


def shuffle_up(x: Any, by: Any) -> Scalar:
    """The value of the lane `by` lower; its own if there is none (`shfl.up`)."""
    return _shuffled("up", x, by)


def shuffle_down(x: Any, by: Any) -> Scalar:
    """The value of the lane `by` higher; its own if there is none (`shfl.down`)."""
    return _shuffled("down", x, by)


def _vote(kind: str, condition: Any) -> Any:
    operands = [scalar(_ALL, i32).value, scalar(condition, boolean).value]
    result = word if kind == "ballot" else i1
    return current().value(new("nvvm.vote.sync", *operands, results=[result], kind=kind))


def ballot(condition: Any) -> Scalar:
    """A word with one bit per lane: whether the condition holds there (`vote.ballot`)."""
    return Scalar(_vote("ballot", condition), u32)


def vote_any(condition: Any) -> Scalar:
    """Whether the condition holds in any lane (`vote.any`)."""
    return Scalar(_vote("any", condition), boolean)


def vote_all(condition: Any) -> Scalar:
    """Whether the condition holds in all lanes (`vote.all`)."""
    return Scalar(_vote("all", condition), boolean)
