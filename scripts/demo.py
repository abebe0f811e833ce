"""`make demo`: the GEMM kernel from MLIR to PTX, through ptxas, and back into a module."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

import weft
from weft.toolchain import find
from weft.view.summary import print_summary, summarize

ROOT = Path(__file__).resolve().parents[1]


def show_resources(console: Console, ptx: str, target: str) -> None:
    """Assemble the PTX, and print what each kernel takes."""
    if find("ptxas") is None:
        console.print("[yellow]no ptxas here[/]: the PTX is not assembled (the extra ptxas brings one)")
        return
    cubin = weft.assemble(ptx, target)
    sass = weft.disassemble(cubin) if find("nvdisasm") else {}
    table = Table(title=f"{find('ptxas')}, {target}", title_justify="left")
    for title in ("kernel", "registers", "shared memory", "spills", "SASS instructions"):
        table.add_column(title, justify="left" if title == "kernel" else "right")
    for kernel in cubin.kernels:
        count = str(sass[kernel.name].count) if kernel.name in sass else "no nvdisasm here"
        row = (str(kernel.registers), f"{kernel.shared_bytes} bytes", f"{kernel.spills} bytes", count)
        table.add_row(kernel.name, *row)
    console.print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", nargs="?", type=Path, default=ROOT / "examples" / "gemm_sm80.mlir")
    parser.add_argument("--target", default="sm_80")
    arguments = parser.parse_args()
    console = Console(highlight=False)
    source: Path = arguments.source
    shown = source.relative_to(ROOT) if source.is_relative_to(ROOT) else source
    try:
        start = time.perf_counter()
        module = weft.compile(source.read_text(encoding="utf-8"), target=arguments.target, filename=str(shown))
        ptx = module.to_ptx()
        took = (time.perf_counter() - start) * 1e3
        console.print(f"{shown} -> {len(ptx.splitlines())} lines of PTX in {took:.0f} ms")
        show_resources(console, ptx, arguments.target)
        again = weft.parse(ptx, filename=f"{source.stem}.ptx")
        same = again == module and again.to_ptx() == ptx
        console.print(f"parsed back: {'the same module' if same else '[red]another module[/]'}\n")
        print_summary(summarize(again))
    except weft.WeftError as error:
        print(error.render(), file=sys.stderr)
        return 1
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
