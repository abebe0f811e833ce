"""nvcc for programs that compile CUDA C++ while they run, as CuPy and PyCUDA do: `weft nvcc` under nvcc's name.

They take nvcc from PATH, or from the variable NVCC, and load what it makes: PTX in the place of machine code.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from weft.gpu.driver.build import alone, cache, script
from weft.toolchain.find import paths

_SCRIPT = """#!/bin/sh
# nvcc of a program under `weft gpu-run`.
unset LD_PRELOAD
WEFT_NVCC="${{WEFT_NVCC:-{real}}}" PYTHONPATH={packages} exec {python} -m weft nvcc "$@"
"""


def stand_in() -> Path | None:
    """A script that is called nvcc; None where there is no nvcc."""
    folder = cache() / "compilers"
    real = next((path for path in paths("nvcc") if path.parent != folder), None)
    if real is None:
        return None
    packages = alone(Path(__file__).resolve().parents[2])
    text = _SCRIPT.format(real=real, packages=shlex.quote(str(packages)), python=shlex.quote(sys.executable))
    return script(folder / "nvcc", text)
