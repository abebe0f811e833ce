"""What `compile_module` can be asked for, in words that cost nothing to import."""

from __future__ import annotations

from collections.abc import Callable

Timer = Callable[[str, float], None]
LINES, FULL = "lines", "full"
"""What a module can say of its source: where each instruction comes from; that, and what a debugger asks for."""
