"""Kernels of other compilers, whose LLVM IR goes through weft: Triton's tutorials beside Triton's PTX, CUDA C beside
what llc and nvcc make of it."""

# pyright: basic

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from random import Random
from typing import Any

import numpy as np
import peer
from llvm_constants import spelled

from quality import c_mixtures, c_more, c_programs, compilers  # noqa: F401 (some add to others)
from quality.emitter import Kernel

_SHORT = {
    "int8": "i8", "uint8": "u8", "int32": "i32", "int64": "i64", "float16": "fp16", "float32": "fp32",
    "bfloat16": "bf16", "float8_e5m2": "fp8e5", "float8_e4m3fn": "fp8e4nv",
}  # fmt: skip


def kernels(
    targets: Sequence[str], seed: str, names: Sequence[str] = ()
) -> Iterator[tuple[Kernel, str, Callable[[], str], Callable[[], str]]]:
    """Each kernel on each target, with what makes either's PTX; Triton's only where it is installed."""
    yield from _of_c(targets, seed, names)
    try:
        from quality import triton_layers, triton_words  # noqa: F401 (each adds its own)
        from quality.triton_programs import PROGRAMS
    except ImportError:
        return
    for name, make in PROGRAMS.items():
        if names and "triton" not in names and name not in names:
            continue
        for target in targets:
            yield _triton(name, make(Random(f"{name} {seed}")), target)


def _of_c(
    targets: Sequence[str], seed: str, names: Sequence[str]
) -> Iterator[tuple[Kernel, str, Callable[[], str], Callable[[], str]]]:
    for name, make in c_programs.PROGRAMS.items():
        program = make(Random(f"{name} {seed}"))
        arguments = [np.int32(v) if isinstance(v, int) else v for v in program.arguments]
        for group in ("clang", "nvcc", "unoptimized"):
            if names and not {group, name} & {*names}:
                continue
            kernel = Kernel(name, group, "", program.grid, program.block, arguments, 0, name)
            for target in targets:
                ours = partial(_by_weft, program.file, target, optimized=group != "unoptimized")
                peers = c_programs.by_nvcc if group == "nvcc" else c_programs.by_llc
                yield kernel, target, ours, partial(peers, program.file, target)


@cache
def _by_weft(file: str, target: str, *, optimized: bool) -> str:
    return compilers.by_weft(imported(c_programs.llvm_ir(file, target, optimized=optimized)), target)


def _triton(name: str, program: Any, target: str) -> tuple[Kernel, str, Callable[[], str], Callable[[], str]]:
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    names = program.function.arg_names
    signature: dict[str, str] = {}
    attributes: dict[tuple[int, ...], list[list[Any]]] = {}
    for number, (argument, value) in enumerate(zip(names, program.arguments, strict=False)):
        if isinstance(value, np.ndarray):
            signature[argument] = f"*{_SHORT[str(value.dtype)]}"
            attributes[number,] = [["tt.divisibility", 16]]
        else:
            signature[argument] = "fp32" if isinstance(value, np.float32) else "i32"
            if not isinstance(value, np.float32) and value % 16 == 0:
                attributes[number,] = [["tt.divisibility", 16]]
    signature |= dict.fromkeys(program.constants, "constexpr")
    source = ASTSource(fn=program.function, signature=signature, constexprs=program.constants, attrs=attributes)
    capability = int("".join(filter(str.isdigit, target)))
    made = triton.compile(
        source,
        target=GPUTarget("cuda", capability, 32),
        options={"num_warps": program.warps, "enable_fp_fusion": False},
    )
    ptx = made.asm["ptx"]
    entry = re.search(r"\.entry\s+(\w+)", ptx)
    assert entry
    parameters = len(re.findall(r"\.param \.\w+(?: \.ptr[^,)]*?)? \w+_param_\d+", ptx.partition(")")[0]))
    arguments = [np.int32(v) if isinstance(v, int) else v for v in program.arguments]
    scratch = max(16, made.metadata.global_scratch_size * int(np.prod(program.grid)))
    arguments += [np.zeros(scratch, np.uint8)] * (parameters - len(arguments))
    warps = int(re.search(r"\.reqntid (\d+)", ptx)[1]) if ".reqntid" in ptx else 32 * program.warps
    text = made.asm["llir"]
    kernel = Kernel(
        name, "triton", text, program.grid, (warps,), arguments, text.count("\n"), entry[1], made.metadata.shared
    )
    return kernel, target, lambda: compilers.by_weft(imported(text), target), lambda: ptx


def imported(ir: str) -> str:
    """LLVM IR as MLIR's LLVM dialect."""
    tool = peer.find("mlir-translate")
    assert tool
    done = subprocess.run([tool, "--import-llvm"], input=spelled(ir), capture_output=True, text=True, check=False)
    if done.returncode:
        raise peer.PeerError(done.stderr[:300])
    return done.stdout
