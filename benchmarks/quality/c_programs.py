"""Kernels in CUDA C (the folder `c`): what they are launched on, and their LLVM IR and PTX by clang, llc and nvcc."""

# pyright: basic

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import peer

_FOLDER = Path(__file__).parent / "c"
_CLANG = ("-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "-O3", "-S", "-emit-llvm", "-w",
          "-Xclang", "-target-feature", "-Xclang", "+ptx87", "-o", "-")  # fmt: skip


@dataclass(frozen=True)
class Program:
    """A kernel of a file, its arguments in order (arrays and numbers), its grid and block."""

    file: str
    arguments: list[Any]
    grid: tuple[int, ...]
    block: tuple[int, ...]


PROGRAMS: dict[str, Callable[[Random], Program]] = {}


def program_in(file: str) -> Callable[[Callable[[Random], tuple[Any, ...]]], None]:
    """Take a function that draws arguments, grid and block for a kernel of its name."""

    def take(make: Callable[[Random], tuple[Any, ...]]) -> None:
        PROGRAMS[make.__name__] = lambda rng: Program(file, *make(rng))

    return take


def reals(rng: Random, *shape: int) -> Any:
    return np.random.default_rng(rng.randrange(1 << 30)).uniform(0.1, 1, shape).astype(np.float32)


def whole(rng: Random, low: int, high: int, *shape: int, type_: Any = np.int32) -> Any:
    return np.random.default_rng(rng.randrange(1 << 30)).integers(low, high, shape).astype(type_)


@program_in("dynamic")
def cheapest_way(rng: Random) -> Any:
    columns, steps = rng.randrange(90, 120), rng.randrange(3, 9)
    wall, row = whole(rng, 0, 10, steps + 1, columns), whole(rng, 0, 90, columns)
    return [wall, row, np.zeros_like(row), columns, steps, 0], (2,), (64,)


@program_in("dynamic")
def alignment(rng: Random) -> Any:
    columns = 33
    reference, scores = whole(rng, -9, 9, 34, columns), whole(rng, -9, 9, 34, columns)
    return [reference, scores, columns, rng.randrange(2, 9)], (2, 2), (16,)


@program_in("linear")
def eliminate(rng: Random) -> Any:
    size = rng.randrange(28, 40)
    m, a, b = reals(rng, size, size), reals(rng, size, size), reals(rng, size)
    return [m, a, b, size, rng.randrange(3)], (2, size), (32, 1)


@program_in("linear")
def lu_diagonal(rng: Random) -> Any:
    size = 48
    m = reals(rng, size, size) + 20 * np.eye(size, dtype=np.float32)
    return [m, size, 16 * rng.randrange(2)], (1,), (16,)


@program_in("linear")
def product_4x4(rng: Random) -> Any:
    n, k = 64, 8 * rng.randrange(3, 7)
    return [reals(rng, 32, k), reals(rng, k, n), reals(rng, 32, n), 32, n, k], (2, 1), (64,)


@program_in("linear")
def rows_by_columns(rng: Random) -> Any:
    rows, most = rng.randrange(50, 64), rng.randrange(9, 20)
    at = whole(rng, -1, rows, most, rows)
    return [at, reals(rng, most, rows), reals(rng, rows), reals(rng, rows), rows, most], (2,), (32,)


@program_in("models")
def norm_rows(rng: Random) -> Any:
    rows, size = 7, rng.randrange(150, 300)
    x = reals(rng, rows, size)
    means, scales, weight, bias = reals(rng, rows), reals(rng, rows), reals(rng, size), reals(rng, size)
    return [np.zeros_like(x), means, scales, x, weight, bias, rows, size], (4,), (64,)


@program_in("models")
def softmax_causal(rng: Random) -> Any:
    size = 4 * rng.randrange(30, 60)
    x = reals(rng, 8, size)
    return [np.zeros_like(x), np.float32(1.4), x, size], (4,), (64,)


@program_in("models")
def adam(rng: Random) -> Any:
    count = rng.randrange(100, 128)
    arrays = [reals(rng, count) for _ in range(4)]
    numbers = [np.float32(v) for v in (1e-3, 0.9, 0.999, 0.1, 0.001, 1e-8, 0.01)]
    return [*arrays, np.int64(count), *numbers], (2,), (64,)


@program_in("models")
def split_heads(rng: Random) -> Any:
    shape = 2, rng.randrange(3, 6), rng.randrange(2, 4), 8
    count = int(np.prod(shape))
    return [*(reals(rng, count) for _ in range(3)), reals(rng, 3 * count), *shape], (-(-count // 64),), (64,)


@program_in("structures")
def push(rng: Random) -> Any:
    count, cells = rng.randrange(50, 64), rng.randrange(5, 9)
    return [reals(rng, count, 8), reals(rng, cells, 3), count, cells, np.float32(0.3)], (2,), (32,)


@program_in("structures")
def walk(rng: Random) -> Any:
    depth = 5
    inner = (1 << depth) - 1
    nodes = np.zeros((2 * inner + 1, 4), np.int32)
    for at in range(len(nodes)):
        nodes[at] = (
            (2 * at + 1, 2 * at + 2, 0, 100) if at < inner else (-1, at, rng.randrange(60), rng.randrange(60, 99))
        )
    return [nodes, whole(rng, 0, 110, 32), np.zeros(32, np.int32)], (1,), (32,)


@program_in("structures")
def nearest(rng: Random) -> Any:
    count, k, size = rng.randrange(50, 64), rng.randrange(4, 9), rng.randrange(5, 12)
    labels, counts = np.zeros(count, np.int32), np.zeros(k, np.int32)
    return [reals(rng, size, count), reals(rng, k, size), labels, counts, count, k, size], (2,), (32,)


@program_in("structures")
def frontier(rng: Random) -> Any:
    count = 64
    starts = np.arange(count + 1, dtype=np.int32) * (span := rng.randrange(3, 8))
    edges, now = whole(rng, 0, count, count * span), whole(rng, 0, 2, count, type_=np.uint8)
    seen = now | whole(rng, 0, 2, count, type_=np.uint8)
    others = [np.zeros(count, np.uint8), np.ones(count, np.int32), seen]
    return [starts, edges, now, *others, count], (2,), (32,)


@program_in("structures")
def plate(rng: Random) -> Any:
    rows, columns, steps = rng.randrange(18, 24), rng.randrange(18, 24), rng.randrange(2, 5)
    arrays = [reals(rng, rows, columns) for _ in range(3)]
    return [*arrays, rows, columns, steps, *(np.float32(v) for v in (0.1, 0.2, 0.3, 0.5))], (2, 2), (16, 16)


@program_in("words")
def cipher(rng: Random) -> Any:
    return (
        [*(whole(rng, 0, 1 << 32, n, type_=np.uint32) for n in (8, 1024, 1024)), rng.randrange(1 << 20)],
        (2,),
        (32,),
    )


@program_in("words")
def checksum(rng: Random) -> Any:
    length = rng.randrange(30, 60)
    return [whole(rng, 0, 256, 64 * length, type_=np.uint8), np.zeros(64, np.uint32), length], (1,), (64,)


@program_in("words")
def words_and_lines(rng: Random) -> Any:
    length = rng.randrange(30, 60)
    text = whole(rng, 10, 80, 64 * length, type_=np.uint8)
    return [text, np.zeros(64, np.int32), np.zeros(64, np.int32), length], (1,), (64,)


@program_in("words")
def grey(rng: Random) -> Any:
    width, height = rng.randrange(50, 64), rng.randrange(5, 8)
    pixels = whole(rng, 0, 1 << 32, height, width, type_=np.uint32)
    return [pixels, np.zeros((height, width), np.uint8), width, height], (2, 2), (32, 4)


def _run(command: list[str], text: str = "") -> str:
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        raise peer.PeerError(done.stderr[:300])
    return done.stdout


def _tool(name: str) -> str:
    path = peer.find(name)
    if path is None:
        raise peer.PeerError(f"{name} is not here")
    return path


@cache
def llvm_ir(file: str, target: str, *, optimized: bool = True) -> str:
    """What clang makes of a file at O3, before LLVM's optimizer unless it is to be optimized."""
    options = () if optimized else ("-Xclang", "-disable-llvm-passes")
    return _run([_tool("clang"), *_CLANG, *options, f"--cuda-gpu-arch={target}", str(_FOLDER / f"{file}.cu")])


@cache
def by_llc(file: str, target: str) -> str:
    """PTX of what clang makes of a file by LLVM's back end."""
    ir = llvm_ir(file, target)
    return _run([_tool("llc"), "-march=nvptx64", f"-mcpu={target}", "-mattr=+ptx87", "-O3", "-o", "-"], ir)


@cache
def by_nvcc(file: str, target: str) -> str:
    """PTX by nvcc."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "k.ptx"
        _run([_tool("nvcc"), "-ptx", "-w", f"-arch={target}", "-o", str(out), str(_FOLDER / f"{file}.cu")])
        return out.read_text()
