"""MLIR's way from `linalg` on memrefs to a kernel: parallel loops, tiles, blocks and threads, an outlined function."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import numpy as np
import peer

from quality.emitter import DTYPES, Writer

_LAUNCH = re.compile(
    r"gpu\.launch_func\s+@(\w+)::@(\w+) blocks in \(([^)]*)\) threads in \(([^)]*)\)\s+(?:args\((.*)\))?", re.DOTALL
)
_CONSTANT = re.compile(r"(%\S+) = arith\.constant (\S+) : (\w+)")
_FUNCTION = re.compile(r"((?:arith\.divf|math\.(?!fma|absf|floor|ceil)\w+) %[^:<\n]*?) : (\w*f\d+)")
_ARGUMENT = re.compile(r"(%\S+) : (memref<[^>]*>|\w+)")


def lower(w: Writer, source: str, tile: str) -> None:
    """Leave in the writer what MLIR's passes make of a function `f`; tiles divide the sizes of the loops.

    By a draw loads and stores of what a reduction sums up are replaced by what a loop carries (one parallel loop only).
    """
    affine = w.rng.random() < 0.5 and "," not in tile
    first = ("convert-linalg-to-affine-loops", "affine-parallelize", "affine-scalrep", "lower-affine")
    loops = first if affine else ("convert-linalg-to-parallel-loops",)
    inner = (*loops, f"scf-parallel-loop-tiling{{parallel-loop-tile-sizes={tile}}}", "gpu-map-parallel-loops",
             "convert-parallel-loops-to-gpu")  # fmt: skip
    after = ("lower-affine", "gpu-kernel-outlining", "canonicalize", "cse")
    passes = f"builtin.module(func.func({','.join(inner)}),{','.join(after)})"
    tool = peer.find("mlir-opt")
    assert tool
    done = subprocess.run(
        [tool, f"--pass-pipeline={passes}"], input=source, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise peer.PeerError(done.stderr[:300])
    launch = _LAUNCH.search(done.stdout)
    if launch is None:
        raise peer.PeerError("no loop became a launch")
    numbers = {name: _number(*rest) for name, *rest in _CONSTANT.findall(done.stdout.partition("gpu.module")[0])}
    w.grid, w.block = (tuple(numbers[name.strip()] for name in part.split(",")) for part in launch.group(3, 4))
    for name, type_ in _ARGUMENT.findall(launch[5] or ""):
        w.given += [numbers[name]] if name in numbers else _memory(w, type_)
    whole = done.stdout[done.stdout.index("gpu.module") :]
    whole = _FUNCTION.sub(lambda found: f"{found[1]}{w.math()} : {found[2]}", whole)
    whole = whole.replace(f"@{launch[1]}", "@m", 1).replace(f"gpu.func @{launch[2]}(", "gpu.func @k(", 1)
    w.module = f"module attributes {{gpu.container_module}} {{\n{whole}"
    w.operations = whole.count("\n")


def _number(literal: str, type_: str) -> Any:
    if type_ == "index":
        return int(literal)
    return DTYPES[type_](float(literal) if type_[0] in "fb" else int(literal))


def _memory(w: Writer, type_: str) -> list[Any]:
    *shape, inner = type_[len("memref<") : -1].split("x")
    data = w.numbers(inner, *map(int, shape)) if inner in DTYPES else np.zeros(tuple(map(int, shape)), np.int8)
    return [data, data, 0, *data.shape, *(step // data.itemsize for step in data.strides)]
