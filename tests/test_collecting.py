"""A process that reads one module after the other holds few dead ones: none grows old for ever."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
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


class Collector:
    """What stands for Python's: it says what it was asked for."""

    def __init__(self, enabled: bool = True, frozen: int = 0) -> None:
        self.enabled, self.frozen, self.young, self.asked = enabled, frozen, 7, list[str]()

    def isenabled(self) -> bool:
        return self.enabled

    def enable(self) -> None:
        self.enabled = True

    def disable(self) -> None:
        self.enabled = False

    def get_count(self) -> tuple[int, int, int]:
        return self.young, 0, 0

    def get_freeze_count(self) -> int:
        return self.frozen

    def freeze(self) -> None:
        self.asked.append("freeze")
        self.frozen += 100

    def unfreeze(self) -> None:
        self.asked.append("unfreeze")
        self.frozen = 0

    def collect(self) -> None:
        self.asked.append("collect")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Collector]]:
    def make(enabled: bool = True, frozen: int = 0, made: int = 0, alive: int = 0) -> Collector:
        found = Collector(enabled, frozen)
        monkeypatch.setattr(collecting, "gc", found)
        for name, value in (("made", made), ("alive", alive), ("others", False), ("kept", False)):
            monkeypatch.setattr(collecting._Old, name, value)
        return found

    yield make
    monkeypatch.undo()


def test_nothing_is_collected_inside(asked: Callable[..., Collector]) -> None:
    """What is made counts as old afterwards, where nobody has frozen anything; and the collector is as it was."""
    found = asked(made=5)
    with suppress(ValueError), collecting.paused():
        assert not found.enabled
        found.young += 50
        raise ValueError
    assert found.enabled and found.asked == ["freeze", "unfreeze"] and collecting._Old.made == 55
    with collecting.paused():
        found.young -= 20
    assert collecting._Old.made == 55
    for options in ({"enabled": False}, {"frozen": 1}):
        found = asked(**options)
        before = found.enabled
        with collecting.paused():
            found.young += 50
            assert not found.enabled
        assert (found.enabled, found.asked, collecting._Old.made) == (before, [], 0)
    found = asked()
    with collecting.paused(cyclic=True):
        found.young += 50
    assert (found.enabled, found.asked, collecting._Old.made) == (True, [], 0)
    with collecting.paused(lasting=True):
        found.young += 50
    assert (found.enabled, found.asked, collecting._Old.made) == (True, ["freeze", "unfreeze"], 0)


@pytest.mark.parametrize(
    ("made", "alive", "looks"),
    [
        (100_000, 0, False),
        (100_001, 0, True),
        (100_001, 200_001, True),
        (100_001, 200_002, False),
        (150_000, 299_999, True),
    ],
)
def test_the_dead_are_looked_for_when_half_is_new(
    asked: Callable[..., Collector], made: int, alive: int, looks: bool
) -> None:
    """Of what was alive then, and 100,000 at least; before others are made."""
    found = asked(made=made, alive=alive)
    with collecting.paused():
        assert found.asked == (["collect", "freeze", "unfreeze"] if looks else [])
        assert (collecting._Old.made, collecting._Old.alive) == ((0, 100) if looks else (made, alive))
    found = asked(made=made, alive=alive)
    with collecting.paused(lasting=True):
        assert found.asked == []


def test_what_others_froze_stays_frozen(asked: Callable[..., Collector]) -> None:
    """Once somebody has, it is not asked again; what is kept here is ours."""
    found = asked(frozen=1)
    with collecting.paused(), collecting.kept():
        pass
    found.frozen = 0
    with collecting.paused(), collecting.kept():
        pass
    assert found.asked == []
    found = asked()
    with suppress(ValueError), collecting.kept():
        assert found.asked == ["freeze"]
        with collecting.kept(), collecting.paused():
            found.young += 9
        raise ValueError
    assert found.asked == ["freeze", "unfreeze"]
    with collecting.paused():
        pass
    assert found.asked[2:] == ["freeze", "unfreeze"]
