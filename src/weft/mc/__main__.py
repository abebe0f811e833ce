"""`python -m weft.mc build`: compile the ISA table into the print tables of the package."""

from __future__ import annotations

import sys
from pathlib import Path

from weft.mc.build import build


def main(arguments: list[str]) -> int:
    """Write `tables.bin` beside this file."""
    if arguments != ["build"]:
        sys.stderr.write("usage: python -m weft.mc build\n")
        return 2
    Path(__file__).with_name("tables.bin").write_bytes(build())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
