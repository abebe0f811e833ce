"""Generated modules of any size, the same text for the same size."""

from __future__ import annotations

OPS = ("arith.addi", "arith.muli", "arith.xori", "arith.subi", "arith.andi")


def straight_line_mlir(count: int) -> str:
    """One kernel of `count` integer operations in a line, each using the one before and an older one."""
    lines = [
        "module {",
        "  gpu.module @kernels {",
        "    gpu.func @line(%p: memref<?xi32>) kernel {",
        "      %t = gpu.thread_id x",
        "      %v0 = memref.load %p[%t] : memref<?xi32>",
        "      %b = gpu.block_id x",
        "      %v1 = memref.load %p[%b] : memref<?xi32>",
    ]
    for i in range(2, count + 2):
        lines.append(f"      %v{i} = {OPS[i % len(OPS)]} %v{i - 1}, %v{max(0, i - 2 - i % 7)} : i32")
    lines += [f"      memref.store %v{count + 1}, %p[%t] : memref<?xi32>", "      gpu.return", "    }", "  }", "}"]
    return "\n".join(lines) + "\n"


def ptx(count: int) -> str:
    """One kernel of about `count` PTX instructions of the kinds that compilers emit most, in blocks of 51.

    As in compilers' output every result has a register of its own, so hardly a line occurs twice.
    """
    body: list[str] = []
    r, rd, f, block = 2, 2, 2, 0
    while len(body) < count:
        body.append(f"$L__BB0_{block}:")
        for i in range(8):
            body += [
                f"\tmad.lo.s32 \t%r{r}, %r{r - 1}, {block}, %r{r - 2};",
                f"\tadd.s32 \t%r{r + 1}, %r{r}, -{i};",
                f"\tmul.wide.s32 \t%rd{rd}, %r{r + 1}, 4;",
                f"\tadd.s64 \t%rd{rd + 1}, %rd1, %rd{rd};",
                f"\tld.global.f32 \t%f{f}, [%rd{rd + 1}+{i * 4}];",
                f"\tfma.rn.f32 \t%f{f + 1}, %f{f}, 0f3F800000, %f{f - 1};",
            ]
            r, rd, f = r + 2, rd + 2, f + 2
        body += [
            f"\tst.global.v2.f32 \t[%rd{rd - 1}+{block % 64 * 8}], {{%f{f - 2}, %f{f - 1}}};",
            f"\tsetp.lt.s32 \t%p{block + 1}, %r{r - 1}, {block};",
            f"\t@%p{block + 1} bra \t$L__BB0_{block};",
        ]
        block += 1
    head = [
        ".version 8.0\n.target sm_80\n.address_size 64\n",
        ".visible .entry generated(\n\t.param .u64 generated_param_0\n)\n{",
        f"\t.reg .pred \t%p<{block + 1}>;\n\t.reg .b32 \t%r<{r}>;\n\t.reg .f32 \t%f<{f}>;\n\t.reg .b64 \t%rd<{rd}>;\n",
        "\tld.param.u64 \t%rd1, [generated_param_0];\n\tmov.u32 \t%r1, %tid.x;\n\tmov.u32 \t%r0, %ctaid.x;",
        "\tmov.f32 \t%f1, 0f00000000;",
    ]
    return "\n".join([*head, *body]) + "\n\tret;\n}\n"
