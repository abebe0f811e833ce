"""The peer: the same MLIR through LLVM 22's own tools.

Two ways, since either may give the better code: the whole pipeline in `mlir-opt` (which runs LLVM's optimizer at O3),
and the same lowering followed by `llc -O3` alone.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

DEBIAN_BIN = "/usr/lib/llvm-22/bin"
LEAST_PTX = {"sm_80": "ptx80", "sm_86": "ptx80", "sm_89": "ptx80", "sm_90": "ptx80", "sm_90a": "ptx80"}


class PeerError(Exception):
    """A tool of the peer's refused the input."""


def find(tool: str) -> str | None:
    """The path of one of LLVM 22's tools, or None."""
    return shutil.which(f"{tool}-22") or shutil.which(tool, path=DEBIAN_BIN) or shutil.which(tool)


def available() -> bool:
    """Whether every tool that the peer needs is here."""
    return all(find(tool) for tool in ("mlir-opt", "llc"))


@functools.cache
def _environment() -> dict[str, str]:
    """The environment with CUDA_ROOT at a folder that has libdevice, if there is one: `math.exp` is linked from it."""
    environment = dict(os.environ)
    spec = importlib.util.find_spec("nvidia")
    for root in (spec.submodule_search_locations or ()) if spec else ():
        for library in Path(root).glob("*/nvvm/libdevice/libdevice.10.bc"):
            environment["CUDA_ROOT"] = str(library.parents[2])
    return environment


def run(arguments: list[str], stdin: bytes) -> bytes:
    done = subprocess.run(arguments, input=stdin, capture_output=True, check=False, env=_environment())
    if done.returncode:
        raise PeerError(done.stderr.decode(errors="replace")[:2000])
    return done.stdout


def assembly(text: str) -> bytes:
    """The bytes of the one `gpu.object` in a lowered module: MLIR writes unprintable ones as two hex digits."""
    found = re.search(r'#gpu\.object<.*?(?:assembly|offload|bin) = "((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    if not found:
        raise PeerError("mlir-opt made no gpu.object")
    unescape = re.compile(rb"\\([0-9A-Fa-f]{2}|\\|\"|n|t)")
    named = {b"\\": b"\\", b'"': b'"', b"n": b"\n", b"t": b"\t"}
    return unescape.sub(
        lambda m: named[m[1]] if m[1] in named else bytes([int(m[1], 16)]), found[1].encode("latin-1", "replace")
    )


def _lower(mlir: bytes, target: str, level: int, form: str) -> bytes:
    features = f"+{LEAST_PTX.get(target, 'ptx87')}"
    pipeline = (
        "builtin.module(convert-nvgpu-to-nvvm,gpu.module(convert-vector-to-llvm),"
        f"gpu-lower-to-nvvm-pipeline{{cubin-chip={target} cubin-features={features} "
        f"opt-level={level} cubin-format={form}}})"
    )
    tool = find("mlir-opt")
    assert tool
    return assembly(run([tool, f"--pass-pipeline={pipeline}"], mlir).decode("latin-1"))


def with_optimizer(path: Path, target: str) -> str:
    """PTX by way of mlir-opt's whole pipeline, LLVM's optimizer at O3 included."""
    return _lower(path.read_bytes(), target, 3, "isa").decode().rstrip("\0")


def without_optimizer(path: Path, target: str) -> str:
    """PTX by way of mlir-opt's lowering and `llc -O3`, with LLVM's optimizer left out."""
    bitcode = _lower(path.read_bytes(), target, 0, "llvm")
    tool = find("llc")
    assert tool
    features = f"-mattr=+{LEAST_PTX.get(target, 'ptx87')}"
    return run([tool, "-O3", "-mtriple=nvptx64-nvidia-cuda", f"-mcpu={target}", features], bitcode).decode()
