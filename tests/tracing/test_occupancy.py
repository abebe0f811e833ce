"""The occupancy against NVIDIA's own calculator, a header of the runtime, compiled for the host."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from weft.errors import WeftError
from weft.tracing.occupancy import MULTIPROCESSORS, occupancy, registers_for

PROGRAM = r"""
#include <climits>
#include <cstdio>
#include <cstring>
#include <cuda_occupancy.h>
int main() {
  int sm, resident, shared, most, threads, registers, bytes, barriers;
  while (scanf("%d %d %d %d %d %d %d %d", &sm, &resident, &shared, &most, &threads, &registers, &bytes, &barriers) == 8) {
    cudaOccDeviceProp p; memset(&p, 0, sizeof p);
    p.computeMajor = sm / 10; p.computeMinor = sm % 10; p.maxThreadsPerBlock = 1024;
    p.maxThreadsPerMultiprocessor = resident; p.regsPerBlock = p.regsPerMultiprocessor = 65536; p.warpSize = 32;
    p.sharedMemPerBlock = 49152; p.sharedMemPerMultiprocessor = shared; p.numSms = 1;
    p.sharedMemPerBlockOptin = most; p.reservedSharedMemPerBlock = sm >= 80 ? 1024 : 0;
    cudaOccFuncAttributes a; memset(&a, 0, sizeof a);
    a.maxThreadsPerBlock = 1024; a.numRegs = registers; a.partitionedGCConfig = PARTITIONED_GC_OFF;
    a.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN; a.maxDynamicSharedSizeBytes = INT_MAX; a.numBlockBarriers = barriers;
    cudaOccDeviceState s; memset(&s, 0, sizeof s);
    s.cacheConfig = CACHE_PREFER_SHARED; s.carveoutConfig = 100;
    cudaOccResult r;
    cudaOccError e = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &a, &s, threads, bytes);
    printf("%d %d\n", (int)e, e ? 0 : r.activeBlocksPerMultiprocessor);
  }
}
"""


@pytest.fixture(scope="module")
def calculator(tmp_path_factory: pytest.TempPathFactory) -> str:
    compiler = shutil.which("g++") or shutil.which("clang++")
    headers = [path for root in sys.path for path in Path(root).glob("nvidia/*/include/cuda_occupancy.h")]
    if compiler is None or not headers:
        pytest.skip("g++ or cuda_occupancy.h (nvidia-cuda-runtime) is not here")
    folder = tmp_path_factory.mktemp("occupancy")
    (folder / "o.cpp").write_text(PROGRAM)
    program = str(folder / "o")
    subprocess.run([compiler, f"-I{headers[0].parent}", str(folder / "o.cpp"), "-o", program], check=True)
    return program


def test_the_answer_is_that_of_the_calculator(calculator: str) -> None:
    rng = random.Random(20)
    cases: list[tuple[int, int, int, int, int]] = []
    for _ in range(20_000):
        number = rng.choice(list(MULTIPROCESSORS))
        most = MULTIPROCESSORS[number].shared_per_block
        shared = rng.choice((rng.randint(0, most), rng.randint(0, 4096), 0))
        cases.append((number, rng.randint(1, 1024), rng.randint(1, 255), shared, rng.randint(0, 16)))
    rows: list[str] = []
    for number, threads, registers, shared, barriers in cases:
        sm = MULTIPROCESSORS[number]
        rows.append(
            f"{number} {sm.threads} {sm.shared} {sm.shared_per_block} {threads} {registers} {shared} {barriers}"
        )
    said = subprocess.run([calculator], input="\n".join(rows), capture_output=True, text=True, check=True).stdout
    for (number, threads, registers, shared, barriers), line in zip(cases, said.splitlines(), strict=True):
        error, blocks = map(int, line.split())
        assert error == 0
        assert occupancy(f"sm_{number}", threads, registers, shared, barriers).blocks == blocks


def test_the_example_of_the_demo() -> None:
    found = occupancy("sm_80", 128, 64, 19_456, 1)
    assert (found.blocks, found.fraction, found.limited_by) == (8, 0.5, ("registers", "shared memory"))
    for target in ("sm_90", "sm_90a", "sm_100a"):
        found = occupancy(target, 128, 72, 19_456, 1)
        assert (found.blocks, round(found.fraction, 2), found.limited_by) == (7, 0.44, ("registers",))
    assert registers_for("sm_90", 128, 19_456, 8) == 64
    assert registers_for("sm_80", 128, 19_456, 9) is None


@pytest.mark.parametrize(
    ("target", "arguments", "message"),
    [
        ("sm_107", (128, 32), "unknown"),
        ("sm_60", (128, 32), "unknown"),
        ("sm_80", (0, 32), "threads"),
        ("sm_80", (1025, 32), "threads"),
        ("sm_80", (128, 256), "registers"),
        ("sm_80", (128, 32, 164 * 1024), "shared memory"),
        ("sm_80", (128, 32, -1), "shared memory"),
        ("sm_99", (128, 32), "unknown target"),
    ],
)
def test_what_no_block_can_have_is_refused(target: str, arguments: tuple[int, ...], message: str) -> None:
    with pytest.raises(WeftError, match=message):
        occupancy(target, *arguments)
