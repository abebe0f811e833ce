"""What weft offers to `xdsl-opt` and other users of xDSL, under the entry point group `xdsl.universe`.

Only dialects that xDSL does not have: an xDSL universe may not redefine one, so weft's `gpu`, `memref`, `vector` and
`llvm` are in `weft.dialects.context` alone.
"""

from __future__ import annotations

from xdsl.universe import Universe

from weft.dialects import lazy

UNIVERSE = Universe(
    all_dialects={
        "nvgpu": lambda: lazy.whole("nvgpu"),
        "nvvm": lambda: lazy.whole("nvvm"),
    },
)
"""The dialects `nvgpu` and `nvvm`."""
