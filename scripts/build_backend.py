"""How pip builds weft: as hatchling does, once the files are there that are made of the sources (`weft.made`)."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

_hatchling: Any = import_module("hatchling.build")
_ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(_ROOT / "src"), str(_ROOT / "scripts")]


def __getattr__(name: str) -> Any:
    """What is not said below."""
    return getattr(_hatchling, name)


def get_requires_for_build_wheel(config_settings: dict[str, object] | None = None) -> list[str]:
    """What hatchling needs, and NumPy, which packs the print tables; a checkout makes them when they are asked for."""
    return [*_hatchling.get_requires_for_build_wheel(config_settings), "numpy>=2.0,<3"]


def build_wheel(
    wheel_directory: str, config_settings: dict[str, object] | None = None, metadata_directory: str | None = None
) -> str:
    """The name of the wheel that is written to a folder."""
    from weft.isa.registry import stems
    from weft.mc.tables import load

    stems()
    load()
    import_module("builder_stub").write()
    return _hatchling.build_wheel(wheel_directory, config_settings, metadata_directory)
