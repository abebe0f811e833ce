"""The kernels of `weft.tile.kernels` for sm_90a and sm_100a: registers, spills, main loop, by the static model."""

from __future__ import annotations

from typing import Any

from report import console
from rich.table import Table

from weft.tile import kernels

PRODUCTS = ("gemm", "linear", "scaled_gemm", "split_gemm", "stream_gemm", "grouped_gemm", "expert_gemm")
ATTENTION = ("attention", "packed_attention", "attention_backward_q", "attention_backward_kv")
SIZE = 4096


def rows(table: Table, name: str, target: str, **options: Any) -> None:
    """A row for the longest of the innermost loops that multiply."""
    kernel = getattr(kernels, f"{name}_tma")
    found = kernel.report(target, sizes=dict.fromkeys(kernel.sizes, SIZE), **options)
    loops = [each for each in found.loops if each.innermost and each.counts.get("tensor")]
    loop = max(loops, key=lambda each: each.instructions)
    products = loop.counts["tensor"]
    cycles = ", ".join(f"{each} {loop.cycles[each]:g}" for each in loop.order[:3] if loop.cycles[each])
    asked = " ".join(f"{key}={value}" for key, value in options.items())
    figures = (products, loop.instructions - products, found.registers, found.spill_bytes, found.shared_bytes)
    table.add_row(target, f"{kernel.name} {asked}", *map(str, figures), cycles)


def main() -> None:
    """Compile all, and print the table."""
    table = Table(title="Shipped kernels with roles")
    for column in ("target", "kernel", "products", "all else", "registers", "spills", "shared", "cycles a turn"):
        table.add_column(column)
    for target in ("sm_90a", "sm_100a"):
        for name in PRODUCTS:
            rows(table, name, target)
        for name in ATTENTION:
            for head in (64, 128, 256):
                rows(table, name, target, head=head)
    console().print(table)


if __name__ == "__main__":
    main()
