"""Who holds the registers where most of them are live: nvdisasm's ranges, one register at a time."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from weft.dataclass import dataclass
from weft.errors import ToolError
from weft.toolchain.find import need, run

_ADDRESS = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/")
_SECTION = re.compile(r"^\s*\.section\s+\.text\.([^,\s]+)")
_HELD, _WRITTEN = "^vx:", "^x"


@dataclass(frozen=True, slots=True)
class Holding:
    """General registers that are live at a place: for each its number and the address that wrote it (None: before)."""

    address: int
    registers: dict[int, int | None]


def ranges(cubin: bytes) -> dict[str, dict[int, Holding]]:
    """For each function what is held at each address. Raises `ToolError` without nvdisasm, or if it fails."""
    tool = need("nvdisasm")
    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        path = Path(folder, "module.cubin")
        path.write_bytes(cubin)
        done = run([tool.path, "-c", "-lrm", "narrow", str(path)])
    if done.returncode:
        raise ToolError(f"nvdisasm failed: {done.stderr.strip()[:500]}", output=done.stderr)
    return parse_ranges(done.stdout)


def parse_ranges(text: str) -> dict[str, dict[int, Holding]]:
    """What `nvdisasm -lrm narrow` prints: a column for each register, whose marks say when it is in use."""
    found: dict[str, dict[int, Holding]] = {}
    here: dict[int, Holding] = {}
    first = 0
    writers: dict[int, int] = {}
    for line in text.splitlines():
        code, separator, marks = line.partition("// |")
        if match := _SECTION.match(line):
            here = found[match[1]] = {}
            writers, first = {}, 0
        cell = marks.partition("|")[0]
        if separator and not first and "#" in cell:
            first = cell.index("#") + 2
        match = _ADDRESS.match(code)
        if match is None or not first:
            continue
        address = int(match[1], 16)
        held = {number: mark for number, mark in enumerate(cell[first:]) if mark in _HELD}
        writers |= dict.fromkeys((number for number, mark in held.items() if mark in _WRITTEN), address)
        here[address] = Holding(address, {number: writers.get(number) for number in held})
    return found
