"""The inner loop of weft's GEMM beside Triton's: machine instructions by kind, for the same tile, sm_80, same ptxas.

Both are f16 with f32 accumulation, 128 x 128 x 32 tiles, four warps, three stages, for any M, N and K whose rows are
multiples of 16 bytes.
"""

from __future__ import annotations

import sys
from collections import Counter

from report import console
from rich.table import Table

import weft
from weft.tile.kernels import gemm
from weft.toolchain import Cubin, SassInstruction, assemble, disassemble

KINDS = {
    "tensor core": ("HMMA",),
    "ldmatrix": ("LDSM",),
    "cp.async": ("LDGSTS", "LDGDEPBAR", "DEPBAR"),
    "barrier": ("BAR",),
    "integer": (
        "IADD3",
        "IMAD",
        "LEA",
        "SHF",
        "LOP3",
        "IMNMX",
        "SEL",
        "UIADD3",
        "ULEA",
        "USEL",
        "UIMAD",
        "USHF",
        "ULOP3",
    ),
    "predicate": ("ISETP", "PLOP3", "UISETP", "UPLOP3"),
    "move": ("MOV", "UMOV", "IMAD.MOV", "R2UR"),
    "other": (),
}
INSTRUCTION_BYTES = 16


def inner_loop(cubin: Cubin) -> tuple[SassInstruction, ...]:
    """The instructions of the loop with the most tensor-core instructions."""
    best: tuple[int, tuple[SassInstruction, ...]] = (-1, ())
    for code in disassemble(cubin).values():
        for at, instruction in enumerate(code.instructions):
            if instruction.opcode.split(".")[0] != "BRA" or "0x" not in instruction.operands:
                continue
            start = int(instruction.operands.split("0x")[1].split()[0], 16) // INSTRUCTION_BYTES
            body = code.instructions[start : at + 1]
            count = sum(each.opcode.startswith("HMMA") for each in body)
            if start <= at and (count, -len(body)) > (best[0], -len(best[1]) or -sys.maxsize):
                best = (count, body)
    return best[1]


def kind(instruction: SassInstruction) -> str:
    """Which of `KINDS` an instruction is."""
    if instruction.opcode.startswith("IMAD.MOV"):
        return "move"
    name = instruction.opcode.split(".")[0]
    return next((kind for kind, names in KINDS.items() if name in names), "other")


def triton_ptx() -> str:
    """Triton's PTX for the same kernel, as its tutorial writes it."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource
    from triton_gemm import matmul

    names = ["a", "b", "c", "M", "N", "K", "lda", "ldb", "ldc"]
    signature = {name: "*fp16" if name in "abc" else "i32" for name in names}
    constants = {"BM": 128, "BN": 128, "BK": 32}
    aligned = {(at,): [["tt.divisibility", 16]] for at in range(len(names))}
    source = ASTSource(
        fn=matmul, signature=signature | dict.fromkeys(constants, "constexpr"), constexprs=constants, attrs=aligned
    )
    options = {"num_warps": 4, "num_stages": 3}
    return triton.compile(source, target=GPUTarget("cuda", 80, 32), options=options).asm["ptx"]


def main() -> None:
    """Compile both, and print the table."""
    ours = assemble(gemm.module("sm_80", multiples={"K": 8, "N": 8}))
    columns = {"weft": ours}
    try:
        columns["Triton"] = assemble(weft.parse(triton_ptx()))
    except ImportError:
        console().print("Triton is not here")
    loops = {name: inner_loop(cubin) for name, cubin in columns.items()}
    counts = {name: Counter(map(kind, loop)) for name, loop in loops.items()}
    table = Table(title="Inner loop of a 128 x 128 x 32 GEMM, sm_80: SASS instructions by kind")
    table.add_column("kind")
    for name in columns:
        table.add_column(name, justify="right")
    for each in KINDS:
        table.add_row(each, *(str(counts[name][each]) for name in columns))
    table.add_row("in all", *(str(len(loop)) for loop in loops.values()))
    table.add_row("whole kernel", *(str(sum(s.count for s in disassemble(c).values())) for c in columns.values()))
    table.add_row("registers", *(str(cubin.kernels[0].registers) for cubin in columns.values()))
    console().print(table)


if __name__ == "__main__":
    main()
