"""`weft diff`: status, summary and JSON."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.command import weft

TEXT = """\
.version 8.0
.target sm_80
.address_size 64
.entry k()
{
    .reg .b32 %r<4>;
    mov.u32 %r1, 1;
    add.u32 %r2, %r1, %r1;
L:  bra L;
}
"""


def diff(*arguments: str) -> subprocess.CompletedProcess[str]:
    return weft("diff", *arguments)


@pytest.fixture
def paths(tmp_path: Path) -> tuple[str, str, str]:
    texts = (
        TEXT,
        TEXT.replace("%r", "%x").replace("L", "AGAIN").replace("bra", "bra  "),
        TEXT.replace("add.u32 %r2, %r1, %r1", "sub.u32 %r2, %r1, %r1").replace("8.0", "8.1"),
    )
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.ptx").write_text(text)
    one, two, three = (str(tmp_path / f"{number}.ptx") for number in range(3))
    return one, two, three


def test_the_same(paths: tuple[str, str, str]) -> None:
    done = diff(paths[0], paths[1])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert json.loads(diff("--json", paths[0], paths[1]).stdout) == {"same": True, "changes": []}


def test_different(paths: tuple[str, str, str]) -> None:
    done = diff(paths[0], paths[2])
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "@ version",
        "- 8.0",
        "+ 8.1",
        "@ function k, statement 2",
        "- add.u32 %r2, %r1, %r1",
        "+ sub.u32 %r2, %r1, %r1",
        "2 differences (2 lines removed, 2 added): version, function k",
    ]
    assert diff("-q", paths[0], paths[2]).stdout.count("\n") == 1
    found = json.loads(diff("--json", paths[0], paths[2]).stdout)
    assert found["changes"][0] == {"where": "version", "removed": ["8.0"], "added": ["8.1"]}


def test_trouble(paths: tuple[str, str, str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.ptx"
    bad.write_text("hello")
    for arguments in ((paths[0], str(bad)), ("/no/such.ptx", paths[0])):
        done = diff(*arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert ": error: " in done.stderr
