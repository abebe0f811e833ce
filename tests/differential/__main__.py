"""`python -m tests.differential N --seed S`: N random kernels through weft and LLVM; what differs is kept, shrunk."""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import Counter
from pathlib import Path

from tests.differential import compilers
from tests.differential.generator import generate
from tests.differential.judge import check
from tests.differential.shrink import readable, shrunk

BATCH = 25
COLLECT = 8
"""Batches after which dead objects are collected: left to itself, the collector walks all of weft many times a batch."""


def main() -> int:
    """Run; the exit status says whether anything went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=200)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--first", type=int, default=0, help="the number of the first kernel")
    parser.add_argument("--keep", type=Path, default=Path("differential-findings"), help="folder for what goes wrong")
    parser.add_argument("--whole", action="store_true", help="do not shrink")
    parser.add_argument("--only", type=int, help="one kernel of this seed: print it, and what is wrong with it")
    parser.add_argument("--focus", default="", help="a file of families of operations to have many of")
    parser.add_argument("--strict", type=int, default=1, help="run every so many-th under the simulator's checks")
    parser.add_argument(
        "--axis",
        choices=("mlir", "c", "triton"),
        default="mlir",
        help="random kernels in MLIR; random C by clang (each batch at another -O) and nvcc; random Triton kernels",
    )
    parser.add_argument("--target", default=compilers.TARGET, help="what weft compiles for")
    arguments = parser.parse_args()
    compilers.ours = arguments.target
    if arguments.axis == "c":
        return random_c(arguments)
    if arguments.axis == "triton":
        return random_triton(arguments)
    if arguments.only is not None:
        kernel = generate(f"k{arguments.only}", f"{arguments.seed} {arguments.only}", arguments.focus)
        print(kernel.text())
        _, findings = check([kernel])
        print(*(f"{finding.kind}: {finding.message}" for finding in findings), sep="\n")
        return 1 if findings else 0
    compared, kinds, start = 0, Counter[str](), time.monotonic()
    end = arguments.first + arguments.count
    for at in range(arguments.first, end, BATCH):
        kernels = [generate(f"k{i}", f"{arguments.seed} {i}", arguments.focus) for i in range(at, min(at + BATCH, end))]
        count, findings = check(kernels, arguments.strict)
        if (at - arguments.first) // BATCH % COLLECT == 0:
            gc.collect()
            gc.freeze()
            gc.disable()
        compared += count
        for finding in findings:
            kinds[finding.kind] += 1
            arguments.keep.mkdir(parents=True, exist_ok=True)
            name = f"{arguments.seed}-{finding.kernel.name[1:]}-{finding.kind}"
            print(f"{name}: {finding.message[:200]}", flush=True)
            small = finding.kernel if arguments.whole else shrunk(finding)
            head = f"// {finding.kind}: {finding.message}\n// block {small.block}, grid {small.grid}\n"
            (arguments.keep / f"{name}.mlir").write_text(head + readable(small))
        if (at - arguments.first) // BATCH % 20 == 19 or at + BATCH >= end:
            done = min(at + BATCH, end) - arguments.first
            seconds = time.monotonic() - start
            print(f"{done} kernels, {compared} compared, {dict(kinds)}; {seconds:.0f} s", flush=True)
    return 1 if kinds["difference"] or kinds["fault"] or kinds["crash"] else 0


def random_c(arguments: argparse.Namespace) -> int:
    """Random C: weft's PTX of clang's LLVM IR against LLVM's of the same and nvcc's of the same C."""
    from tests.differential.c import judge
    from tests.differential.c.generate import generate

    judge.ours = arguments.target
    first, end = arguments.first, arguments.first + arguments.count
    if arguments.only is not None:
        program = generate(f"k{arguments.only}", f"{arguments.seed} {arguments.only}")
        print(judge.source([program]))
        _, findings = judge.check([program])
        print(*(f"{finding.kind}: {finding.message}" for finding in findings), sep="\n")
        return 1 if findings else 0
    compared, kinds, start = 0, Counter[str](), time.monotonic()
    for at in range(first, end, BATCH):
        programs = [generate(f"k{i}", f"{arguments.seed} {i}") for i in range(at, min(at + BATCH, end))]
        levels = [at // BATCH % 8]
        if levels[0] >= judge.LISTS:
            levels = [judge.LISTS + at // BATCH]
        count, findings = judge.check(programs, levels)
        compared += count
        for finding in findings:
            kinds[finding.kind] += 1
            arguments.keep.mkdir(parents=True, exist_ok=True)
            name = f"c-{arguments.seed}-{finding.program.name[1:]}-{finding.kind}"
            print(f"{name}: {finding.message[:300]}", flush=True)
            small = finding.program if arguments.whole else judge.shrunk(finding, levels)
            (arguments.keep / f"{name}.c").write_text(f"// {finding.message}\n{judge.source([small])}")
        print(f"{min(at + BATCH, end) - first} programs, {compared} compared, {dict(kinds)}; {time.monotonic() - start:.0f} s", flush=True)  # fmt: skip
    return 1 if kinds else 0


def random_triton(arguments: argparse.Namespace) -> int:
    """Random Triton kernels: weft's PTX of Triton's LLVM IR against Triton's own."""
    from tests.differential.triton_axis import judge
    from tests.differential.triton_axis.generate import generate

    first, count = (arguments.first, arguments.count) if arguments.only is None else (arguments.only, 1)
    compared, kinds, start = 0, Counter[str](), time.monotonic()
    for number in range(first, first + count):
        program = generate(f"k{number}", f"{arguments.seed} {number}")
        if arguments.only is not None:
            print(program.source)
        try:
            finding = judge.judged(program)
        except judge.Refused as refusal:
            kinds["not compared"] += 1
            print(f"{number}: {str(refusal)[-200:]}", flush=True)
            continue
        compared += 1
        if finding is not None:
            kinds[finding.kind] += 1
            arguments.keep.mkdir(parents=True, exist_ok=True)
            print(f"triton-{arguments.seed}-{number}-{finding.kind}: {finding.message[:300]}", flush=True)
            path = arguments.keep / f"triton-{arguments.seed}-{number}-{finding.kind}.py"
            path.write_text(f"# {finding.message}\n{program.source}")
        if (number - first) % 25 == 24 or number == first + count - 1:
            seconds = time.monotonic() - start
            print(f"{number - first + 1} kernels, {compared} compared, {dict(kinds)}; {seconds:.0f} s", flush=True)
    return 1 if set(kinds) - {"not compared"} else 0


if __name__ == "__main__":
    sys.exit(main())
