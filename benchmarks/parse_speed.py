"""How fast PTX is read: weft's parser, pyptx's where it is installed, and ptxas's own front end.

weft is timed twice: the first time it reads the text, and again, when what it remembers of operands is warm. ptxas
reads and checks, without generating code, when its target is a virtual one (`-arch=compute_80`); the time for an empty
module is taken off. It is native code, in a process of its own. All is processor time, the best of several runs.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
import tempfile
from pathlib import Path

import report
from generate import ptx
from rich.table import Table
from timing import best_of, own_time, processes_time

import weft
from weft.toolchain.find import find, run

EMPTY = ".version 8.0\n.target sm_80\n.address_size 64\n"


def ptxas_time(text: str) -> float | None:
    """The time ptxas takes for a text, in seconds."""
    tool = find("ptxas")
    if tool is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "k.ptx")
        path.write_text(text)
        command = [tool.path, "-arch=compute_80", str(path), "-o", str(Path(folder, "k.cubin"))]
        return best_of(lambda: run(command), processes_time)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    arguments = parser.parse_args()
    table = Table(title="Parsing PTX, microseconds an instruction", title_justify="left")
    for title in (
        "instructions",
        "weft, first time",
        "weft, again",
        "weft print",
        "pyptx parse",
        "ptxas, reading only",
    ):
        table.add_column(title, justify="right")
    other = importlib.import_module("pyptx.parser") if importlib.util.find_spec("pyptx") else None
    idle = ptxas_time(EMPTY)
    weft.parse(ptx(100))
    for size in arguments.sizes:
        text = ptx(size)
        start = own_time()
        module = weft.parse(text)
        first = own_time() - start
        count = sum(1 for function in module.functions for _ in function.instructions())

        def shown(seconds: float | None, count: int = count) -> str:
            return "not here" if seconds is None else f"{seconds / count * 1e6:.2f}"

        assembled = ptxas_time(text)
        table.add_row(
            str(count),
            shown(first),
            shown(best_of(lambda text=text: weft.parse(text), own_time)),
            shown(best_of(module.to_ptx, own_time)),
            shown(best_of(lambda text=text: other.parse(text), own_time) if other else None),
            shown(None if assembled is None or idle is None else assembled - idle),
        )
    report.console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
