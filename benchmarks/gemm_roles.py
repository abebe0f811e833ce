"""The loops of GEMMs with roles (sm_90a, sm_100a) beside Triton's and those of any cubins: instructions, cycles.

All are f16 with f32 accumulation in tiles of 128 x 256 x 64 (a pair of blocks: 256 x 256 x 64), same ptxas.  Peers are
given as `TARGET:WARPS:FILE.cubin`, which CuTe DSL writes too (`CUTE_DSL_ARCH`, `--keep-cubin`).
"""

from __future__ import annotations

import sys
from pathlib import Path

from report import console
from rich.table import Table

import weft
from weft.toolchain import Cubin
from weft.tracing.loops import loops_of
from weft.tracing.machine import read_machine

EXAMPLES = Path(__file__).parent.parent / "examples"
OURS = (("sm_90a", "gemm_sm90a"), ("sm_100a", "gemm_sm100a"), ("sm_100a", "gemm_pair_sm100a"))


def triton_cubin(target: str, *, roles: bool) -> Cubin:
    """Triton's kernel for a target, assembled here."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton_roles import product

    names = ["a", "b", "c", "M", "N", "K"]
    signature = {name: "*fp16" if name in "abc" else "i32" for name in names}
    constants = {"BM": 128, "BN": 256, "BK": 64, "ROLES": roles}
    aligned = {(at,): [["tt.divisibility", 16]] for at in range(len(names))}
    source = ASTSource(product, signature | dict.fromkeys(constants, "constexpr"), constants, aligned)
    made = triton.compile(
        source,
        target=GPUTarget("cuda", int(target[3:-1]), 32),
        options={"num_warps": 8, "num_stages": 3 if target == "sm_90a" else 4},
    )
    return weft.assemble(weft.parse(made.asm["ptx"]))


def rows(table: Table, name: str, target: str, warps: int, cubin: Cubin, groups: int = 0) -> None:
    """A row for each loop that multiplies or copies tensors."""
    for function, code in read_machine(cubin.data).functions.items():
        registers = [each.registers for each in cubin.kernels if each.name == function]
        for loop in loops_of(code, target, warps, groups=groups):
            products, copies = loop.counts.get("tensor", 0), loop.counts.get("tensor copy", 0)
            if loop.innermost and (products or copies):
                cycles = ", ".join(f"{each} {loop.cycles[each]:g}" for each in loop.order if loop.cycles[each])
                further = loop.instructions - products - copies
                table.add_row(target, name, *map(str, (products, copies, further, *(registers or [""]))), cycles)


def main() -> None:
    """Compile all, and print the table."""
    sys.path.insert(0, str(EXAMPLES))
    table = Table(title="Loops of 128 x 256 x 64 GEMMs")
    for column in ("target", "kernel", "products", "tensor copies", "all else", "registers", "cycles a turn"):
        table.add_column(column)
    for target, name in OURS:
        kernel = __import__(name).gemm
        built = kernel.module(target, multiples={"K": 8, "N": 8})
        rows(table, f"weft, {name}", target, 12 if target == "sm_90a" else 6, weft.assemble(built), 2)
    for target in ("sm_90a", "sm_100a"):
        for roles in (False, True):
            name = f"Triton{', warp_specialize' if roles else ''}"
            try:
                rows(table, name, target, 8, triton_cubin(target, roles=roles))
            except Exception as failure:  # what Triton does not compile is said, not hidden
                table.add_row(target, name, *[""] * 4, str(failure).splitlines()[0][:60])
    for given in sys.argv[1:]:
        target, warps, path = given.split(":", 2)
        rows(table, Path(path).stem, target, int(warps), Cubin(Path(path).read_bytes(), target))
    console().print(table)


if __name__ == "__main__":
    main()
