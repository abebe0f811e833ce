"""How often compiled code is called, for tests that ask whether it has a kernel to itself."""

from __future__ import annotations

from typing import Any

import pytest

from weft.sim.faults import Unlike


def counted(monkeypatch: pytest.MonkeyPatch, *, gives_up: bool = False) -> list[int]:
    """A list that gets one more element with each call; code that gives up a run to NumPy is an error, unless it may."""
    from weft.sim.native.engine import Compiled

    found: list[int] = []
    call = Compiled._call

    def count(self: Compiled, *given: Any) -> None:
        found.append(1)
        try:
            call(self, *given)
        except Unlike:
            assert gives_up, "compiled code has given up"
            raise

    monkeypatch.setattr(Compiled, "_call", count)
    return found
