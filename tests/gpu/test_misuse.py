"""Arguments that are drawn for every function of the driver and the runtime, by the table of both."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not (shutil.which("cc") or shutil.which("gcc")), reason="a C compiler is missing"
)

PROGRAM = str(Path(__file__).parent / "programs" / "misuse.py")


@pytest.mark.parametrize(
    ("draws", "seed", "step"), [(2, 3, 40), *(pytest.param(16, seed, 4, marks=pytest.mark.slow) for seed in range(4))]
)
def test_no_arguments_end_the_process_or_go_wrong_inside(draws: int, seed: int, step: int) -> None:
    arguments = [PROGRAM, *(str(number) for number in (draws, seed, step))]
    command = [sys.executable, "-m", "weft", "gpu-run", "--exit-code", "0", sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    found = re.search(r"(\d+) functions", done.stdout)
    assert found is not None and int(found[1]) > 500 // step
