"""One question: a small module, with a label that says what is in it."""

from __future__ import annotations

from typing import NamedTuple

KERNEL = "\n.visible .entry k0()\n{ ret; }\n"


class Probe(NamedTuple):
    """A module and the place it has in its matrix."""

    label: str
    text: str


def header(version: str, target: str) -> str:
    """The header of a module; `.address_size` exists since PTX 2.3."""
    size = "" if version.startswith("1.") or version in ("2.0", "2.1", "2.2") else "\n.address_size 64"
    return f".version {version}\n.target {target}{size}\n"


def probe(item: str, version: str = "9.0", target: str = "sm_90a", *, kernel: bool = True) -> Probe:
    """A module with one item, and with a kernel after it."""
    return Probe(f"{version} {target}: {item}", header(version, target) + item + (KERNEL if kernel else "\n"))
