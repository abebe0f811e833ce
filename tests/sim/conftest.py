"""What tests of the simulator share."""

from __future__ import annotations

import pytest


@pytest.fixture(params=["numpy", "code"])
def products(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Products of matrices by NumPy, and all of them by code."""
    if request.param == "code":
        pytest.importorskip("llvmlite")
        from weft.sim.native import dense

        monkeypatch.setattr(dense, "WORTH", 0)
