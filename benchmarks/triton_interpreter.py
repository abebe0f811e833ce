"""Triton's interpreter (which takes tensors of PyTorch only) and weft on the same kernels and inputs.

Processor time of a launch, of a kernel that has been compiled before.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CASES = ("vector add, 1,000,000 elements", "softmax, 1,024 rows of 512", "f16 matmul, 256 x 256 x 256")
ROUNDS = 3


def measure(mode: str) -> list[float]:
    """Seconds of the three cases."""
    import numpy as np

    import weft.triton
    from tests.tritons import tutorials

    if mode != "interpreter":
        weft.triton.activate("sm_80", checks=mode)
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal(1_000_000).astype(np.float32) for _ in range(2))
    rows = weft.triton.asarray(rng.standard_normal((1024, 512)).astype(np.float32))
    a, b = (rng.standard_normal((256, 256)).astype(np.float16) for _ in range(2))
    out, soft, c = np.empty_like(x), weft.triton.empty(rows.shape), weft.triton.empty((256, 256), np.float16)
    add, softmax = tutorials.add_kernel, tutorials.softmax_kernel
    matmul = tutorials.matmul_kernel.fn  # without the autotuner
    tile = {"BM": 64, "BN": 64, "BK": 32, "GROUP": 4, "ACTIVATION": "", "num_warps": 4}
    if mode == "interpreter":
        tile.pop("num_warps")
        torch = importlib.import_module("torch")  # the interpreter takes nothing else
        x, y, out, rows, soft, a, b, c = map(torch.from_numpy, map(np.asarray, (x, y, out, rows, soft, a, b, c)))
    runs = (
        lambda: add[(977,)](x, y, out, 1_000_000, BLOCK_SIZE=1024),
        lambda: softmax[(1024,)](soft, rows, 512, 512, 1024, 512, BLOCK=512, num_stages=2),
        lambda: matmul[(16,)](a, b, c, 256, 256, 256, 256, 1, 256, 1, 256, 1, **tile),
    )
    found = []
    for run in runs:
        run()
        times = []
        for _ in range(ROUNDS):
            start = time.process_time()
            run()
            times.append(time.process_time() - start)
        found.append(min(times))
    return found


def main() -> None:
    if len(sys.argv) > 1:
        warnings.simplefilter("ignore")
        print(*measure(sys.argv[1]))
        return
    seconds = {}
    for mode in ("interpreter", "strict", "fast"):
        paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        env |= {"TRITON_INTERPRET": "1"} if mode == "interpreter" else {}
        done = subprocess.run([sys.executable, __file__, mode], env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{mode}: {done.stderr.strip().splitlines()[-1]}")
            continue
        seconds[mode] = [float(word) for word in done.stdout.split()]
    for number, case in enumerate(CASES):
        print(case, *(f"{mode} {1000 * times[number]:.0f} ms" for mode, times in seconds.items()), sep="; ")


if __name__ == "__main__":
    main()
