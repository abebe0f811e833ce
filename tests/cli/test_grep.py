"""`weft grep`: places, options and exit status."""

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
    mov.u32 %r1, 1; add.u32 %r2, %r1, %r1;
    add.u32 %r3, %r2, 5;  // the last
    ret;
}
"""


def grep(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return weft("grep", *arguments, stdin=stdin)


@pytest.fixture
def paths(tmp_path: Path) -> tuple[str, str]:
    one, two = tmp_path / "one.ptx", tmp_path / "two.ptx"
    one.write_text(TEXT)
    two.write_text(TEXT.replace("add.u32", "sub.u32"))
    return str(one), str(two)


def test_places(paths: tuple[str, str]) -> None:
    done = grep("add & type=u32", *paths)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"{paths[0]}:7:21: mov.u32 %r1, 1; add.u32 %r2, %r1, %r1;",
        f"{paths[0]}:8:5: add.u32 %r3, %r2, 5;  // the last",
    ]


def test_count_and_names(paths: tuple[str, str]) -> None:
    assert grep("-c", "add", *paths).stdout == f"{paths[0]}:2\n{paths[1]}:0\n"
    assert grep("-l", "add", *paths).stdout == f"{paths[0]}\n"
    assert grep("-q", "add", *paths).stdout == ""


def test_status(paths: tuple[str, str]) -> None:
    assert grep("add", *paths).returncode == 0
    assert grep("mma", *paths).returncode == 1
    assert grep("add &", *paths).returncode == 2
    done = grep("add", "/no/such.ptx", *paths)
    assert done.returncode == 2
    assert done.stderr == "/no/such.ptx: error: No such file or directory\n"
    assert len(done.stdout.splitlines()) == 2  # the others are searched all the same
    assert grep("add").returncode == 2


def test_a_file_that_is_not_ptx(paths: tuple[str, str]) -> None:
    done = grep("add", "-", paths[0], stdin="hello")
    assert done.returncode == 2
    assert done.stderr.startswith("<stdin>:1:1: error: ")
    assert done.stdout.count("\n") == 2


def test_json(paths: tuple[str, str]) -> None:
    done = grep("--json", "add", *paths)
    found = json.loads(done.stdout)
    assert done.returncode == 0 and found["query"] == "add"
    first = found["found"][0]
    assert first == {
        "file": paths[0], "line": 7, "column": 21, "function": "k", "instruction": "add.u32 %r2, %r1, %r1;",
        "text": "mov.u32 %r1, 1; add.u32 %r2, %r1, %r1;",
    }  # fmt: skip
    none = grep("--json", "mul", *paths)
    assert none.returncode == 1 and json.loads(none.stdout)["found"] == []
    assert grep("--json", "-c", "add", *paths).returncode == 2
