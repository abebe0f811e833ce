"""The copy dispatch against the recorded answers of the algorithm's reference, where the table lies beside the checkout."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.copy_cases import request
from weft.layout.conflicts import totals
from weft.transforms.copy_dispatch import dispatch
from weft.transforms.copy_dispatch.wavefronts import accesses

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
JUDGE = SHARED / "tools" / "judge_copy.py"
TABLE = SHARED / "facts" / "copy_cases_public.json"


def judged(answers: Path, *options: str) -> dict[tuple[str, str], int]:
    """How many cases of each class have each verdict."""
    if not (JUDGE.exists() and TABLE.exists()):
        pytest.skip("the table of copy cases is not beside the checkout")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    script = ROOT / "tests" / "conformance" / "copy_cases.py"
    subprocess.run([sys.executable, str(script), str(TABLE), str(answers), *options], env=environment, check=True)
    command = [sys.executable, str(JUDGE), str(TABLE), str(answers)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    print(done.stdout)
    assert done.returncode == 0, done.stdout
    rows = re.findall(r"^(exact|exact-alloc|defect|reject) ([a-z-]+) (\d+)$", done.stdout, re.MULTILINE)
    return {(kind, verdict): int(count) for kind, verdict, count in rows}


def test_the_published_algorithm(tmp_path: Path) -> None:
    verdicts = judged(tmp_path / "answers.json")
    assert {verdict for kind, verdict in verdicts if kind.startswith("exact")} == {"exact"}
    assert {verdict for kind, verdict in verdicts if kind == "defect"} <= {"equivalent", "reject-ok"}


@pytest.mark.slow
def test_the_lowerings_choices(tmp_path: Path) -> None:
    verdicts = judged(tmp_path / "answers.json", "--ours")
    assert {verdict for kind, verdict in verdicts if kind.startswith("exact")} == {"exact", "equivalent"}
    assert {verdict for kind, verdict in verdicts if kind == "defect"} <= {"equivalent", "reject-ok"}


def test_wavefronts() -> None:
    """What a warp's accesses to shared memory take, and at least take, is what the table counted."""
    if not TABLE.exists():
        pytest.skip("the table of copy cases is not beside the checkout")
    compared = 0
    for entry in json.loads(TABLE.read_text(encoding="utf-8")):
        case = entry["case"]
        counted = [each["wavefronts"] for each in entry["expect"].get("instrs", ()) if "wavefronts" in each]
        if entry["class"].startswith("defect") or case["loop"] or case["nthreads"] != 32 or not counted:
            continue
        copy = request(case, 0, faithful=True)
        found = [totals(each) for name in ("dst", "src") for each in accesses(dispatch(copy), copy, name)]
        assert [[each.wavefronts, each.phases] for each in found] == counted, case["id"]
        compared += 1
    assert compared > 50
