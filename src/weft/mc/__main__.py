"""`python -m weft.mc build`: compile the ISA table into the print tables and the index of the package."""

from __future__ import annotations

import sys
from pathlib import Path

from weft.isa import index
from weft.isa.registry import index as stems_by_module
from weft.mc.build import build


def index_source() -> str:
    """The text of `weft.isa.index`."""
    lines = [f'    "{stem}": "{module}",' for stem, module in stems_by_module().items()]
    return f'"""{index.__doc__}"""\n\nMODULES: dict[str, str] = {{\n' + "\n".join(lines) + "\n}\n"


def main(arguments: list[str]) -> int:
    """Write `tables.bin` beside this file, and `weft/isa/index.py`."""
    if arguments != ["build"]:
        sys.stderr.write("usage: python -m weft.mc build\n")
        return 2
    Path(index.__file__).write_text(index_source(), encoding="utf-8")
    index.MODULES.update(stems_by_module())
    Path(__file__).with_name("tables.bin").write_bytes(build())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
