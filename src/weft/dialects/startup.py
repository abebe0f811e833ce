"""How xDSL is imported, which is most of the time that a short compilation takes."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from weft.dataclass import installed

_CORE = (
    "xdsl.dialects.builtin",
    "xdsl.dialects.utils",
    "xdsl.irdl.declarative_assembly_format",
    "xdsl.pattern_rewriter",
    "xdsl.parser",
    "xdsl.printer",
)
"""What defines xDSL's dataclasses, and is imported with the first module of MLIR anyhow."""


@cache  # What is installed wraps methods of xDSL: a second time would wrap the wrappers.
def load_xdsl() -> None:
    """Import the core of xDSL with dataclasses and definitions of operations that are cheap to define."""
    with installed():
        for name in _CORE:
            import_module(name)
    from weft.dialects import building, deferred, dense, nans, wide_floats, wide_integers

    building.install()
    deferred.install()
    nans.install()
    wide_floats.install()
    wide_integers.install()
    dense.install()
