"""The verifier against ptxas's recorded answers, where the table of answers lies beside the checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.effort import one_in

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
JUDGE = SHARED / "tools" / "judge_windows.py"
TABLE = SHARED / "facts" / "windows_public.json"


def judged(folder: Path, *options: str) -> dict[str, float]:
    """What the judge prints: crashes, false alarms, misses, and the shares of forms and points that agree.

    In quick runs of every sixth form.
    """
    if not (JUDGE.exists() and TABLE.exists()):
        pytest.skip("the table of ptxas's answers is not beside the checkout")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    table = json.loads(TABLE.read_text())
    table["forms"] = table["forms"][:: one_in(6)]
    some = folder / "table.json"
    some.write_text(json.dumps(table))
    command = [sys.executable, str(JUDGE), str(some), *options]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    found = re.search(r"crashes (\d+); false alarms (\d+), misses (\d+)", done.stdout)
    shares = re.search(r"= ([\d.]+); points agreed ([\d.]+)", done.stdout)
    assert found is not None and shares is not None, done.stdout
    return {
        "crashes": int(found[1]),
        "alarms": int(found[2]),
        "misses": int(found[3]),
        "forms": float(shares[1]),
        "points": float(shares[2]),
    }


def test_public_table_at_the_decisive_points(tmp_path: Path) -> None:
    assert judged(tmp_path) == {"crashes": 0, "alarms": 0, "misses": 0, "forms": 1.0, "points": 1.0}


@pytest.mark.slow
def test_public_table_at_every_version(tmp_path: Path) -> None:
    answers = judged(tmp_path, "--all-versions")
    assert answers["crashes"] == 0
    assert answers["forms"] >= 0.995 and answers["points"] >= 0.999
