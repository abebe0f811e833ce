"""Colours: in terminals and where they are forced, never where NO_COLOR forbids them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.effort import one_in
from weft.cli import colour

ROOT = Path(__file__).resolve().parents[2]
ESCAPE = re.compile(r"\x1b\[[\d;]*m")


def weft(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    return subprocess.run(
        [sys.executable, "-m", "weft", *arguments],
        cwd=ROOT, env={**kept, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip


COMMANDS = (
    ("verify", "examples/saxpy.mlir"),
    ("lint", "docs/ptx/faulty.cuh"),
    ("diff", "docs/ptx/smooth.ptx", "docs/ptx/smooth_sm90.ptx"),
    ("isa", "no.such.thing"),
    ("isa", "ldmatrix"),
    ("inspect", "docs/ptx/smooth.ptx"),
    ("verfy",),
)


@pytest.mark.sample(1)
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_colours_change_nothing_else(arguments: tuple[str, ...]) -> None:
    plain = weft(*arguments)
    assert "\x1b" not in plain.stdout + plain.stderr
    assert "\x1b" not in (never := weft(*arguments, NO_COLOR="1", FORCE_COLOR="1")).stdout + never.stderr
    forced = weft(*arguments, FORCE_COLOR="1")
    assert "\x1b[" in forced.stdout + forced.stderr
    assert ESCAPE.sub("", forced.stderr) == plain.stderr and ESCAPE.sub("", forced.stdout) == plain.stdout
    assert forced.returncode == plain.returncode


def test_what_has_which_colour() -> None:
    text = "k.ptx:3:4: error: unknown instruction 'x' [opcode]\n x y;\n ^\nhint: did you mean y?\n"
    found = colour.findings(text)
    assert "\x1b[1mk.ptx:3:4: \x1b[0m\x1b[31m\x1b[1merror\x1b[0m: unknown instruction 'x'" in found
    assert "\x1b[31m\x1b[1m ^\x1b[0m" in found and "\x1b[36m\x1b[1mhint\x1b[0m: did" in found
    assert ESCAPE.sub("", found) == text


@pytest.mark.slow
def test_machine_formats_have_none() -> None:
    for form in ("json", "sarif", "github")[:: one_in(3)]:
        assert "\x1b" not in weft("lint", "--format", form, "docs/ptx/faulty.cuh", FORCE_COLOR="1").stdout
