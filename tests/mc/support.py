"""Modules of many instructions."""

from __future__ import annotations

from tests.benchmark import benchmark


def ptx(count: int) -> str:
    """One kernel of about `count` instructions, as compilers emit them."""
    return benchmark("generate").ptx(count)
