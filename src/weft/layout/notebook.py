"""How notebooks show layouts: drawings, made above this floor and looked up when a notebook asks."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def drawing(drawn: Any) -> str:
    """The SVG of a layout, fragment or access."""
    return import_module("weft.view.layout").html(drawn)
