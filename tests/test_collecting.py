"""A process that reads one module after the other holds few dead ones: none grows old for ever."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from weft import collecting
from weft.cli import execute

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
KERNEL = ".entry k{n}(.param .u64 p) {{ .reg .b32 %r<9>; .reg .b64 %rd<2>; {body} bra out; out: ret; }}\n"
BODY = "ld.global.v2.b32 {%r1, %r2}, [%rd1+{k}];"


@pytest.fixture(autouse=True)
def thawed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in a process of which nobody has frozen anything."""
    monkeypatch.setattr(collecting._Old, "others", False)
    gc.unfreeze()
    yield
    gc.freeze()


DEAD = """
import gc
import weft
from weft.ptx.operands import Vector

made = most = 0
for turn in range(60):
    module = weft.parse(TEXT)
    assert sum(1 for kernel in module.kernels for _ in kernel.instructions()) == 40 * 42
    if turn % 6 == 0:
        most = max(most, sum(isinstance(each, Vector) for each in gc.get_objects()))
        made = made or most
assert made and most < 30 * made
assert gc.isenabled()
"""


def test_dead_modules_are_collected() -> None:
    """In a process of its own, where few other objects are alive: the more there are, the later all are looked at."""
    body = " ".join(BODY.replace("{k}", str(k)) for k in range(0, 320, 8))
    text = HEAD + "".join(KERNEL.format(n=n, body=body) for n in range(40))
    subprocess.run([sys.executable, "-c", f"TEXT = {text!r}\n{DEAD}"], check=True)


def test_commands_leave_nothing_frozen(tmp_path: Path) -> None:
    """What stays frozen would be counted anew by every module that is read afterwards."""
    path = tmp_path / "k.ptx"
    path.write_text(HEAD + KERNEL.format(n=0, body=""))
    assert gc.get_freeze_count() == 0
    for command in (["inspect"], ["inspect", "--tree"], ["verify"], ["requires"], ["fmt", "--check"], ["grep", "bra"]):
        execute([*command, str(path)])
        assert gc.get_freeze_count() == 0, command
