"""Copies: dispatched, and emitted by the variant that takes them."""

from __future__ import annotations

from typing import Any

from weft.transforms.tile_lowering.copy import lower_copy
from weft.transforms.tile_lowering.lowering import Lowering, handles


@handles("tile.copy", "tile.copy_async")
def lower(env: Lowering, op: Any) -> None:
    """Replace a copy by its instructions."""
    lower_copy(op, env)
    env.remove(op)
