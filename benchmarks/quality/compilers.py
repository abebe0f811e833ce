"""A kernel's PTX by weft and by the peer: mlir-opt's pipeline with LLVM's optimizer at O3 and libdevice.

What the peer made is kept in a folder of the machine's temporary files.
"""

from __future__ import annotations

import re
import tempfile
from hashlib import sha256
from pathlib import Path

import peer

import weft

_PASSES = (
    "convert-complex-to-standard", "convert-vector-to-scf", "lower-affine", "convert-nvgpu-to-nvvm",
    "convert-vector-to-llvm", "expand-strided-metadata",
)  # fmt: skip
_EXACT = ("--nvvm-reflect-add=__CUDA_PREC_SQRT=1", "--nvvm-reflect-add=__CUDA_PREC_DIV=1")
_FAST = ("--nvptx-prec-divf32=0", "--nvptx-prec-sqrtf32=0")
_KEPT = Path(tempfile.gettempdir()) / "weft-quality"


def by_weft(text: str, target: str) -> str:
    """PTX by weft."""
    return weft.compile(text, target).to_ptx()


def by_llvm(text: str, target: str, *, fast: bool = False) -> str:
    """PTX by LLVM; raises PeerError."""
    kept = _KEPT / f"{sha256(f'{text} {target} {fast} 1'.encode()).hexdigest()}.ptx"
    if kept.exists():
        return kept.read_text()
    tool = peer.find("mlir-opt")
    assert tool
    features = f"+{peer.LEAST_PTX.get(target, 'ptx87')}"
    pipeline = (
        f"gpu-lower-to-nvvm-pipeline{{cubin-chip={target} cubin-features={features} opt-level=3 cubin-format=isa}}"
    )
    passes = f"--pass-pipeline=builtin.module({','.join((*_PASSES, pipeline))})"
    lowered = peer.run([tool, passes, *(_FAST if fast else _EXACT)], text.encode())
    ptx = peer.assembly(lowered.decode("latin-1")).decode().rstrip("\0")
    if re.search(r"\.extern \.func.*__nv_", ptx):
        raise peer.PeerError("libdevice was not linked")
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(ptx)
    return ptx
