"""Modules as bytes against text: loading, size and printing, all in one run.

Loading checks everything but makes no bodies: they are made on first use, which is timed apart. All is processor time,
the best of several runs; a fresh process counts its imports too.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import report
from generate import ptx
from rich.table import Table
from timing import best_of, own_time, processes_time

import weft
from weft.ptx.ast import Module

_LOAD = "import sys, weft; weft.from_bytes(open(sys.argv[1], 'rb').read())"
_PARSE = "import sys, weft; weft.parse(open(sys.argv[1]).read())"


def bodies(data: bytes) -> Module:
    """Load a module, and make every body."""
    module = weft.from_bytes(data)
    for function in module.functions:
        _ = function.body
    return module


def fresh(code: str, path: Path) -> float:
    """The time of a process that loads one file, in seconds."""
    return best_of(lambda: subprocess.run([sys.executable, "-c", code, path], check=True), processes_time, 3)


def alternating(text: str, data: bytes, runs: int = 7) -> tuple[float, float]:
    """The times of parsing and of loading, taken in turns so that both see the same machine."""
    times = [
        (best_of(lambda: weft.parse(text), own_time, 1), best_of(lambda: weft.from_bytes(data), own_time, 2))
        for _ in range(runs)
    ]
    return min(parse for parse, _ in times), min(load for _, load in times)


def measure(text: str, folder: Path) -> list[tuple[str, str]]:
    """The rows for a module."""
    module = weft.parse(text)
    data, bare = module.to_bytes(), module.to_bytes(source=False)
    (folder / "k.ptx").write_text(text)
    (folder / "k.weft").write_bytes(data)
    parse, load = alternating(text, data)
    whole, write = best_of(lambda: bodies(data), own_time), best_of(module.to_bytes, own_time, 2)
    printed = best_of(module.to_ptx, own_time)
    new_parse, new_load = fresh(_PARSE, folder / "k.ptx"), fresh(_LOAD, folder / "k.weft")
    return [
        ("instructions", f"{sum(1 for function in module.functions for _ in function.instructions()):,}"),
        ("text, MB", f"{len(text) / 1e6:.2f}"),
        ("bytes, of the text", f"{len(data) / len(text):.3f}"),
        ("bytes without source, of the text", f"{len(bare) / len(text):.3f}"),
        ("parse, ms", f"{parse * 1e3:.0f}"),
        ("from_bytes, ms", f"{load * 1e3:.1f}"),
        ("from_bytes, times faster", f"{parse / load:.1f}"),
        ("from_bytes and every body, ms", f"{whole * 1e3:.0f}"),
        ("with every body, times faster", f"{parse / whole:.1f}"),
        ("to_bytes, ms", f"{write * 1e3:.0f}"),
        ("fresh process: parse, ms", f"{new_parse * 1e3:.0f}"),
        ("fresh process: from_bytes, ms", f"{new_load * 1e3:.0f}"),
        ("print from the AST, ms", f"{printed * 1e3:.0f}"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="*", type=int, default=[1_000, 10_000, 77_000], help="of generated modules")
    parser.add_argument("--files", nargs="*", type=Path, default=[], help="PTX files, one column each")
    arguments = parser.parse_args()
    texts = {f"generated {size:,}": ptx(size) for size in arguments.sizes}
    texts |= {path.stem: path.read_text(encoding="utf-8") for path in arguments.files}
    table = Table(title="Modules as bytes", title_justify="left")
    table.add_column("module")
    weft.parse(ptx(100))
    columns: list[list[tuple[str, str]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            table.add_column(name, justify="right")
            columns.append(measure(text, Path(folder)))
    for rows in zip(*columns, strict=True):
        table.add_row(rows[0][0], *(shown for _, shown in rows))
    report.console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
