"""What weft offers to `xdsl-opt` and other users of xDSL, under the entry point group `xdsl.universe`.

Only dialects that xDSL does not have: an xDSL universe may not redefine one, so weft's `gpu`, `memref`, `vector` and
`llvm` are in `weft.dialects.context` alone.
"""

from __future__ import annotations

from xdsl.passes import ModulePass
from xdsl.universe import Universe

from weft.dialects import lazy


def _nvgpu_to_nvvm() -> type[ModulePass]:
    from weft.transforms.nvgpu_to_nvvm import ConvertNVGPUToNVVM

    return ConvertNVGPUToNVVM


UNIVERSE = Universe(
    all_dialects={
        "nvgpu": lambda: lazy.whole("nvgpu"),
        "nvvm": lambda: lazy.whole("nvvm"),
        "tile": lambda: lazy.whole("tile"),
    },
    all_passes={"convert-nvgpu-to-nvvm": _nvgpu_to_nvvm},
)
"""The dialects `nvgpu`, `nvvm` and `tile`, and the pass between them."""
