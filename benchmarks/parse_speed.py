"""How fast PTX is read: weft's parser beside the others that Python can use, and ptxas's own front end.

Without files, generated modules are read (sizes in instructions); with `--files`, those. Each parser reads every file
in processes of its own, once to warm up on a small module and then timed: processor time, the least of `--runs`
processes, and peak memory, with the memory before taken off. weft is timed on the first reading of a file, with
nothing remembered, and ptxas between the readings. ptxas reads and checks,
without generating code, when its target is a virtual one; the time for an empty module is taken off.  Of large
modules, weft makes the statements of a body when they are looked at, or, with `whole`, at once: `all statements`.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import report
from generate import ptx
from rich.table import Table
from timing import best_of, kept_bytecode, own_time, processes_time

import weft
from weft.toolchain.find import find, run
from weft.toolchain.ptxas import target_of

EMPTY = ".version 8.0\n.target sm_80\n.address_size 64\n"
CHECKED = "weft, and verifying"
WHOLE = "weft, all statements"
PARSERS: dict[str, tuple[str, str]] = {
    "weft": ("weft", "parse"),
    CHECKED: ("weft", "verify"),
    WHOLE: ("weft", "parse"),
    "pyptx": ("pyptx.parser", "parse"),
    "ptx-parser": ("ptx_parser", "parse_ptx"),
}
"""What each peer is imported from and called."""

RATIOS = ("pyptx / weft", "pyptx / all statements", "checked / ptxas")

PATIENCE = 240
"""Seconds after which a reading is given up."""


SLOW = 2.0
"""Seconds of a reading that is not repeated."""


def peak_bytes() -> int:
    """The most memory that this process has had; Linux's own count, as getrusage counts the parent's too."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) << 10 for line in status.read_text().splitlines() if "VmHWM" in line)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def every_statement(text: str) -> weft.Module:
    """Parse for a program that goes through the whole tree."""
    return weft.parse(text, whole=True)


def measure(parser: str, path: Path) -> None:
    """Read one file with one parser and print seconds, bytes and what went wrong, as JSON."""
    module, name = PARSERS[parser]
    read: Callable[..., object] = getattr(importlib.import_module(module), name)
    if parser == CHECKED:
        parse: Callable[[str], object] = lambda text: read(weft.parse(text))  # noqa: E731
    elif parser == WHOLE:
        parse = every_statement
    else:
        parse = read
    parse(ptx(100))
    text = path.read_text(errors="replace")
    before, start = peak_bytes(), own_time()
    try:
        tree = parse(text)
    except Exception as error:
        print(json.dumps({"error": f"refuses: {type(error).__name__}"}))
        return
    seconds = own_time() - start
    print(json.dumps({"seconds": seconds, "bytes": peak_bytes() - before, "tree": tree is not None}))


def in_own_process(parser: str, path: Path) -> dict[str, object]:
    """What `measure` says, asked in a new process; an error for a parser that is not here or takes too long."""
    if importlib.util.find_spec(PARSERS[parser][0].partition(".")[0]) is None:
        return {"error": "not here"}
    command = [sys.executable, __file__, "--measure", parser, str(path)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=PATIENCE, env=kept_bytecode()
        )
    except subprocess.TimeoutExpired:
        return {"error": f"over {PATIENCE} s"}
    return json.loads(done.stdout) if done.returncode == 0 and done.stdout else {"error": "fails"}


def ptxas_time(path: Path) -> float | None:
    """The processor time that ptxas's front end takes for a file, in seconds; None when it refuses or is not here."""
    tool = find("ptxas")
    if tool is None:
        return None
    target = target_of(path.read_text(errors="replace")).replace("sm_", "compute_")
    with tempfile.TemporaryDirectory() as folder:
        command = [tool.path, f"-arch={target}", str(path), "-o", str(Path(folder, "k.cubin"))]
        if run(command).returncode:
            return None
        return best_of(lambda: run(command), processes_time, runs=3)


def measured(parser: str, path: Path, runs: int) -> dict[str, object]:
    """The quickest of some readings, or the first that went wrong; peers that take seconds read once."""
    answers: list[dict[str, object]] = []
    for _ in range(runs):
        answer = in_own_process(parser, path)
        if "error" in answer:
            return answer
        answers.append(answer)
        if float(str(answer["seconds"])) > SLOW:
            break
    return min(answers, key=lambda answer: float(str(answer["seconds"])))


def shown(text: str, count: int, answer: dict[str, object]) -> str:
    """Speed and memory of one reading."""
    if "error" in answer:
        return str(answer["error"])
    seconds, used = float(str(answer["seconds"])), float(str(answer["bytes"]))
    size = len(text)
    memory = f", {used / size:.0f} x" if size > 1e6 else ""  # Less is lost in what the process had already.
    return f"{size / seconds / 1e6:.2f} MB/s, {count / seconds / 1e3:.0f} k/s{memory}"


def ratio(much: float | None, little: object) -> str:
    """How many times as long the first takes."""
    return "-" if much is None or not isinstance(little, float) else f"{much / max(1e-9, little):.1f}"


def add_row(table: Table, name: str, path: Path, idle: float | None, runs: int) -> None:
    """Measure every parser on one file."""
    text = path.read_text(errors="replace")
    count = sum(1 for function in weft.parse(text).functions for _ in function.instructions())
    answers: dict[str, dict[str, object]] = {}
    natives: list[float | None] = []
    for parser in PARSERS:
        answers[parser] = measured(parser, path, runs)
        natives.append(ptxas_time(path))
    native = min((seconds for seconds in natives if seconds is not None), default=None)
    own = None if native is None or idle is None else max(1e-9, native - idle)
    front = "-" if own is None else f"{len(text) / own / 1e6:.2f} MB/s"
    checked, peer = answers[CHECKED].get("seconds"), answers["pyptx"].get("seconds")
    ratios = (
        ratio(peer if isinstance(peer, float) else None, answers["weft"].get("seconds")),
        ratio(peer if isinstance(peer, float) else None, answers[WHOLE].get("seconds")),
        ratio(checked if isinstance(checked, float) else None, own),
    )
    readings = [shown(text, count, answer) for answer in answers.values()]
    table.add_row(name, f"{len(text) / 1e6:.2f}", str(count), *readings, front, *ratios)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--runs", type=int, default=5, help="readings of each file by each parser")
    parser.add_argument("--files", nargs="*", type=Path, default=[])
    parser.add_argument("--measure", nargs=2, metavar=("PARSER", "FILE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.measure[0], Path(arguments.measure[1]))
        return 0
    table = Table(title="Reading PTX: text a second, instructions a second, memory by text", title_justify="left")
    for title in ("module", "MB", "instructions", *PARSERS, "ptxas, reading only", *RATIOS):
        table.add_column(title, justify="left" if title == "module" else "right")
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder, "empty.ptx")
        empty.write_text(EMPTY)
        idle = ptxas_time(empty)
        for path in arguments.files:
            add_row(table, path.stem, path, idle, arguments.runs)
        for size in [] if arguments.files else arguments.sizes:
            path = Path(folder, "generated.ptx")
            path.write_text(ptx(size))
            add_row(table, f"generated {size}", path, idle, arguments.runs)
    report.console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
