"""Random valid modules: functions of operations from the tables in `ops`, and kernels that draw on values of each type.

`python -m tests.dialects.generator COUNT` puts COUNT modules, half of each kind, through everything that is asked of
one: it parses, verifies, prints as mlir-opt prints it, reads back as the same text; a kernel also compiles, and ptxas
accepts it.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from random import Random

from tests.dialects import oracle
from weft.codegen import compile_module
from weft.errors import WeftError
from weft.toolchain import assemble, find

TARGET = "sm_90a"
# Operations that take the name in the next line for an operand of theirs, in MLIR too.
_GREEDY = re.compile(r"(vector\.print( punctuation <newline>)?|device_async_create_group)\n")


@cache
def tables() -> list[tuple[str, list[str]]]:
    """The values and the valid operations of each file of `ops`."""
    found: list[tuple[str, list[str]]] = []
    for path in sorted(oracle.FOLDER.glob("*.ops")):
        valid = [
            case.text.splitlines()[1].strip()
            for case, outcome in zip(oracle.cases(path), oracle.stored(path), strict=True)
            if re.match(r"\d+:\d+: ", outcome) is None and not _GREEDY.search(case.text)
        ]
        values = oracle.cases(path)[0].text.partition("(")[2].partition(") {\n")[0]
        found.append((values, [line for line in valid if "{" not in line.partition(" ")[0]]))
    return found


def table_module(seed: int) -> str:
    """A function of up to twenty operations from one table."""
    rng = Random(seed)
    values, operations = rng.choice(tables())
    lines: list[str] = []
    for number in range(rng.randint(1, 20)):
        results, equals, rest = rng.choice(operations).partition(" = ")
        if equals and results.startswith("%"):
            renamed = re.sub(r"%(\w+)", lambda match, at=number: f"%r{at}_{match[1]}", results)
            lines.append(f"  {renamed} = {rest}")
        else:
            lines.append(f"  {results}{equals}{rest}")
    return "\n".join([f"func.func @f({values}) {{", *lines, "  return", "}", ""])


_INTEGERS = ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"]
_FLOATS = ["addf", "subf", "mulf", "divf", "maximumf", "minimumf"]
_RULES: list[tuple[str, str]] = [
    *((kind, f"arith.{op} ${kind}, ${kind} : {kind}") for kind in ("i32", "i64", "index") for op in _INTEGERS),
    *((kind, f"arith.{op} ${kind}, ${kind} : {kind}") for kind in ("f16", "f32", "f64") for op in _FLOATS),
    *(("i1", f"arith.cmpi {order}, $i32, $i32 : i32") for order in ("eq", "ne", "slt", "uge")),
    *(("i1", f"arith.cmpf {order}, $f32, $f32 : f32") for order in ("oeq", "ult", "ogt", "ord")),
    *((kind, f"arith.select $i1, ${kind}, ${kind} : {kind}") for kind in ("i32", "i64", "f16", "f32", "f64", "index")),
    *(("f32", f"math.{op} $f32 : f32") for op in ("sqrt", "rsqrt", "exp2", "absf", "floor", "sin", "log2")),
    ("f32", "math.fma $f32, $f32, $f32 : f32"),
    ("f32", "arith.extf $f16 : f16 to f32"),
    ("f64", "arith.extf $f32 : f32 to f64"),
    ("f16", "arith.truncf $f32 : f32 to f16"),
    ("f32", "arith.sitofp $i32 : i32 to f32"),
    ("i32", "arith.fptosi $f32 : f32 to i32"),
    ("i32", "arith.bitcast $f32 : f32 to i32"),
    ("i64", "arith.extsi $i32 : i32 to i64"),
    ("i32", "arith.trunci $i64 : i64 to i32"),
    ("index", "arith.index_cast $i32 : i32 to index"),
    ("i32", "arith.index_cast $index : index to i32"),
    ("index", "affine.apply affine_map<(d0, d1) -> (d0 * 4 + d1)>($index, $index)"),
    ("f32", "memref.load %m[$index] : memref<64xf32>"),
    ("", "memref.store $f32, %m[$index] : memref<64xf32>"),
    ("f16", "memref.load %s[$index, $index] : memref<64x64xf16, 3>"),
    ("", "memref.store $f16, %s[$index, $index] : memref<64x64xf16, 3>"),
    ("vector<4xf32>", "vector.broadcast $f32 : f32 to vector<4xf32>"),
    ("vector<4xf32>", "vector.insert $f32, $vector<4xf32> [2] : f32 into vector<4xf32>"),
    ("vector<4xf32>", "vector.fma $vector<4xf32>, $vector<4xf32>, $vector<4xf32> : vector<4xf32>"),
    ("vector<4xf32>", "arith.mulf $vector<4xf32>, $vector<4xf32> : vector<4xf32>"),
    ("vector<4xf32>", "vector.load %m[$index] : memref<64xf32>, vector<4xf32>"),
    ("f32", "vector.extract $vector<4xf32>[1] : f32 from vector<4xf32>"),
    ("f32", "vector.reduction <add>, $vector<4xf32> : vector<4xf32> into f32"),
    ("", "vector.store $vector<4xf32>, %m[$index] : memref<64xf32>, vector<4xf32>"),
    *(("index", f"gpu.{what} {axis}") for what in ("thread_id", "block_id", "block_dim") for axis in "xyz"),
    ("index", "gpu.lane_id"),
    ("", "gpu.barrier"),
    ("", "nvvm.barrier0"),
    ("i32", "nvvm.prmt #nvvm.permute_mode<default> $i32, $i32, $i32 : i32"),
    ("i32", "nvvm.read.ptx.sreg.laneid : i32"),
    ("i32", "nvvm.shfl.sync bfly $i32, $i32, $i32, $i32 : i32 -> i32"),
    ("i32", "nvvm.redux.sync add $i32, $i32 : i32 -> i32"),
    ("vector<4xf32>", "nvgpu.rcp $vector<4xf32> {rounding = approx, ftz} : vector<4xf32>"),
    (
        "vector<4x2xf16>",
        (
            "nvgpu.ldmatrix %s[$index, $index] {numTiles = 4 : i32, transpose = false} : memref<64x64xf16, 3> -> "
            "vector<4x2xf16>"
        ),
    ),
    (
        "vector<2x2xf16>",
        (
            "nvgpu.ldmatrix %s[$index, $index] {numTiles = 2 : i32, transpose = true} : memref<64x64xf16, 3> -> "
            "vector<2x2xf16>"
        ),
    ),
    (
        "vector<2x2xf32>",
        (
            "nvgpu.mma.sync($vector<4x2xf16>, $vector<2x2xf16>, $vector<2x2xf32>) {mmaShape = [16, 8, 16]} : "
            "(vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>"
        ),
    ),
    ("f32", "vector.extract $vector<2x2xf32>[1, 0] : f32 from vector<2x2xf32>"),
    ("!nvgpu.device.async.token", "nvgpu.device_async_create_group $!nvgpu.device.async.token"),
    ("", "nvgpu.device_async_wait $!nvgpu.device.async.token {numGroups = 1 : i32}"),
    (
        "!nvgpu.device.async.token",
        "nvgpu.device_async_copy %g[$index, $index], %s[$index, $index], 8 : memref<64x64xf16> to memref<64x64xf16, 3>",
    ),
]
_ARGUMENTS = {"i32": "%i", "i64": "%l", "index": "%x", "f16": "%h", "f32": "%f", "f64": "%d", "i1": "%b"}
_OPERAND = re.compile(r"\$(!?[\w.]+(?:<[\w]+>)?)")


class _Kernel:
    """A kernel being written: its lines, and the values of each type in sight."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def operation(self, sight: dict[str, list[str]], indent: str) -> None:
        """Write one operation all of whose operands are in sight."""
        while True:
            result, text = self.rng.choice(_RULES)
            if all(sight.get(kind) for kind in _OPERAND.findall(text)):
                break
        text = _OPERAND.sub(lambda match: self.rng.choice(sight[match[1]]), text)
        if not result:
            self.lines.append(indent + text)
            return
        name = self.name()
        self.lines.append(f"{indent}{name} = {text}")
        sight.setdefault(result, []).append(name)

    def block(self, outer: dict[str, list[str]], size: int, indent: str, depth: int) -> dict[str, list[str]]:
        """Write operations, among them loops and conditionals; returns what is in sight behind them."""
        sight = {kind: list(values) for kind, values in outer.items()}
        for _ in range(size):
            choice = self.rng.random()
            if depth < 2 and choice < 0.06:
                self.loop(sight, size // 2 + 1, indent, depth)
            elif depth < 2 and choice < 0.12:
                self.conditional(sight, size // 2 + 1, indent, depth)
            else:
                self.operation(sight, indent)
        return sight

    def loop(self, sight: dict[str, list[str]], size: int, indent: str, depth: int) -> None:
        kind = self.rng.choice(["f32", "i32", "vector<4xf32>"])
        if not sight.get(kind):
            return
        result, index, carried = self.name(), self.name(), self.name()
        low, high, step = self.name(), self.name(), self.name()
        self.lines += [
            f"{indent}{name} = arith.constant {value} : index" for name, value in ((low, 0), (high, 8), (step, 2))
        ]
        start = self.rng.choice(sight[kind])
        self.lines.append(
            f"{indent}{result} = scf.for {index} = {low} to {high} step {step} iter_args({carried} = {start}) -> "
            f"({kind}) {{"
        )
        inner = {**sight, "index": [*sight["index"], index], kind: [*sight[kind], carried]}
        inside = self.block(inner, size, indent + "  ", depth + 1)
        self.lines += [f"{indent}  scf.yield {self.rng.choice(inside[kind])} : {kind}", f"{indent}}}"]
        sight[kind].append(result)

    def conditional(self, sight: dict[str, list[str]], size: int, indent: str, depth: int) -> None:
        kind = self.rng.choice(["f32", "i32", "i64"])
        result = self.name()
        self.lines.append(f"{indent}{result} = scf.if {self.rng.choice(sight['i1'])} -> ({kind}) {{")
        for closing in ("} else {", "}"):
            inside = self.block(sight, size, indent + "  ", depth + 1)
            self.lines += [f"{indent}  scf.yield {self.rng.choice(inside[kind])} : {kind}", indent + closing]
        sight[kind].append(result)


def kernel_module(seed: int) -> str:
    """A kernel of random operations, with loops and conditionals."""
    rng = Random(seed)
    kernel = _Kernel(rng)
    sight = {kind: [name] for kind, name in _ARGUMENTS.items()}
    zero = kernel.name()
    kernel.lines.append(f"    {zero} = arith.constant dense<0.000000e+00> : vector<2x2xf32>")
    sight["vector<2x2xf32>"] = [zero]
    sight = kernel.block(sight, rng.randint(4, 24), "    ", 0)
    kernel.lines.append(f"    memref.store {rng.choice(sight['f32'])}, %m[%x] : memref<64xf32>")
    values = ", ".join(f"{name}: {kind}" for kind, name in _ARGUMENTS.items())
    head = f"  gpu.func @k(%m: memref<64xf32>, %g: memref<64x64xf16>, {values}) workgroup(%s: memref<64x64xf16, 3>) kernel {{"
    return "\n".join(["gpu.module @m {", head, *kernel.lines, "    gpu.return", "  }", "}", ""])


def printed(texts: list[str], theirs: list[str] | None = None) -> list[str]:
    """What is wrong with modules as texts: one that is refused, one that does not read back, one printed otherwise."""
    cases = [oracle.Case(text, 0) for text in texts]
    first = oracle.ours(cases)
    second = oracle.ours([oracle.Case(text + "\n", 0) for text in first])
    problems: list[str] = []
    for index, (text, once, twice) in enumerate(zip(texts, first, second, strict=True)):
        if re.match(r"\d+:\d+: ", once):
            problems.append(f"refused: {once}\n{text}")
        elif once != twice:
            problems.append(f"does not read back: {twice}\n{once}")
        elif theirs is not None and theirs[index] != once:
            problems.append(f"mlir-opt prints otherwise:\n{theirs[index]}\n{once}")
    return problems


def compiled(text: str) -> str | None:
    """What is wrong with a kernel as code: compile or ptxas refuses it."""
    try:
        module = compile_module(text, TARGET)
    except WeftError as error:
        return f"compile: {error}\n{text}"
    try:
        if find("ptxas") is not None:
            assemble(module)
    except WeftError as error:
        return f"ptxas: {error}\n{text}"
    return None


def problems_of(seeds: range) -> list[str]:
    """The problems of modules with these seeds, checked against mlir-opt."""
    from tests.conftest import llvm_tool

    mlir_opt = llvm_tool("mlir-opt")
    problems: list[str] = []
    for make in (table_module, kernel_module):
        texts = [make(seed) for seed in seeds]
        problems += printed(texts, oracle.upstream(mlir_opt, [oracle.Case(text, 0) for text in texts]))
        if make is kernel_module:
            problems += [problem for text in texts if (problem := compiled(text)) is not None]
    return problems


def main(count: int) -> None:
    """Check many modules in parallel and say what came out, as it comes."""
    batches = [range(start, min(start + 50, count // 2)) for start in range(0, count // 2, 50)]
    problems: list[str] = []
    with ProcessPoolExecutor() as pool:
        for done, found in enumerate(pool.map(problems_of, batches), 1):
            for problem in found[:5]:
                print(problem, end="\n\n")
            problems += found
            kinds = dict(Counter(problem.partition(":")[0] for problem in problems))
            print(min(100 * done, count), "modules;", len(problems), "problems", kinds or "", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
