"""Where the benchmarks print."""

from __future__ import annotations

import sys

from rich.console import Console


def console() -> Console:
    """Standard output, wide enough for a table when it is no terminal."""
    return Console(highlight=False, width=None if sys.stdout.isatty() else 140)
