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
from pathlib import Path
from random import Random

from tests.dialects import oracle
from weft.codegen import compile_module
from weft.errors import WeftError
from weft.toolchain import assemble, find

TARGET = "sm_90a"
# Operations that take the name in the next line for an operand of theirs, in MLIR too; and resources, which get other
# names where a text is read again.
_GREEDY = re.compile(r"(vector\.print( punctuation <newline>)?|device_async_create_group)\n|dense_resource")


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


@cache
def rules() -> list[tuple[str, str]]:
    """The kind of the result, or nothing, and the text of each operation of `rules.txt`."""
    found: list[tuple[str, str]] = []
    for line in (Path(__file__).parent / "rules.txt").read_text().splitlines():
        if line.startswith("//") or not line:
            continue
        words, colon, rule = line.partition(": ") if line.startswith("T in ") else ("", "", line)
        for word in words.removeprefix("T in ").split() if colon else ("",):
            named = re.sub(r"\bT\b", word, rule) if word else rule
            found += [
                (result.strip(), text) for result, _, text in (each.partition("<- ") for each in _alternatives(named))
            ]
    return found


def _alternatives(text: str) -> list[str]:
    """A text with each of the words in braces."""
    match = re.search(r"\{([\w.]+(?:\|[\w.]+)+)\}", text)
    if match is None:
        return [text]
    start, end = match.span()
    return [found for word in match[1].split("|") for found in _alternatives(text[:start] + word + text[end:])]


_ARGUMENTS = {
    "i8": "%by", "i16": "%w", "i32": "%i", "i64": "%l", "index": "%x", "f16": "%h", "bf16": "%bh", "f32": "%f",
    "f64": "%d", "i1": "%b",
}  # fmt: skip
_BUFFERS = {
    "%m": "memref<64xf32>",
    "%g": "memref<64x64xf16>",
    "%im": "memref<64xi32>",
    "%bytes": "memref<?xi8>",
    "%square": "memref<16x16xf32>",
}
_TYPES = {"v4f32": "vector<4xf32>", "fc": "vector<2x2xf32>", "tile": "vector<2x4xf32>"}
_OPERAND = re.compile(r"\$(\w+)")


class _Kernel:
    """A kernel being written: its lines, and the values of each type in sight."""

    def __init__(self, rng: Random, *, calls: bool = True) -> None:
        self.rng = rng
        self.calls = calls
        self.lines: list[str] = []
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def operation(self, sight: dict[str, list[str]], indent: str) -> None:
        """Write one operation all of whose operands are in sight."""
        while True:
            result, text = self.rng.choice(rules())
            if all(sight.get(kind) for kind in _OPERAND.findall(text)) and (self.calls or "func.call" not in text):
                break
        text = _OPERAND.sub(lambda match: self.rng.choice(sight[match[1]]), text)
        if not result:
            self.lines.append(indent + text)
            return
        name, kinds = self.name(), result.split("+")
        several = len(kinds) > 1
        self.lines.append(f"{indent}{name}{f':{len(kinds)}' if several else ''} = {text}")
        for number, kind in enumerate(kinds):
            sight.setdefault(kind, []).append(f"{name}#{number}" if several else name)

    def block(self, outer: dict[str, list[str]], size: int, indent: str, depth: int) -> dict[str, list[str]]:
        """Write operations, among them loops and conditionals; returns what is in sight after them."""
        sight = {kind: list(values) for kind, values in outer.items()}
        for _ in range(size):
            choice = self.rng.random()
            if depth < 2 and choice < 0.05:
                self.loop(sight, size // 2 + 1, indent, depth)
            elif depth < 2 and choice < 0.1:
                self.conditional(sight, size // 2 + 1, indent, depth)
            elif depth < 2 and choice < 0.13:
                self.repetition(sight, size // 2 + 1, indent, depth)
            else:
                self.operation(sight, indent)
        return sight

    def loop(self, sight: dict[str, list[str]], size: int, indent: str, depth: int) -> None:
        kinds = self.rng.sample([kind for kind in ("f32", "i32", "f16", "v4f32", "fc", "i1") if sight.get(kind)], 2)
        kinds = kinds[: self.rng.randint(1, 2)]
        result, index = self.name(), self.name()
        low, high, step = self.name(), self.name(), self.name()
        self.lines += [
            f"{indent}{name} = arith.constant {value} : index" for name, value in ((low, 0), (high, 8), (step, 2))
        ]
        carried = [self.name() for _ in kinds]
        starts = ", ".join(
            f"{name} = {self.rng.choice(sight[kind])}" for name, kind in zip(carried, kinds, strict=True)
        )
        types = ", ".join(_TYPES.get(kind, kind) for kind in kinds)
        count = f":{len(kinds)}" if len(kinds) > 1 else ""
        self.lines.append(
            f"{indent}{result}{count} = scf.for {index} = {low} to {high} step {step} iter_args({starts}) -> ({types}) {{"
        )
        inner = {**sight, "index": [*sight["index"], index]}
        for kind, name in zip(kinds, carried, strict=True):
            inner[kind] = [*inner[kind], name]
        inside = self.block(inner, size, indent + "  ", depth + 1)
        yielded = ", ".join(self.rng.choice(inside[kind]) for kind in kinds)
        self.lines += [f"{indent}  scf.yield {yielded} : {types}", f"{indent}}}"]
        for number, kind in enumerate(kinds):
            sight[kind].append(f"{result}#{number}" if count else result)

    def repetition(self, sight: dict[str, list[str]], size: int, indent: str, depth: int) -> None:
        """A loop that ends when a condition is met."""
        result, carried, inner_name = self.name(), self.name(), self.name()
        start = self.rng.choice(sight["i32"])
        self.lines.append(f"{indent}{result} = scf.while ({carried} = {start}) : (i32) -> i32 {{")
        before = self.block({**sight, "i32": [*sight["i32"], carried]}, size // 2, indent + "  ", depth + 1)
        self.lines += [
            f"{indent}  scf.condition({self.rng.choice(before['i1'])}) {self.rng.choice(before['i32'])} : i32",
            f"{indent}}} do {{",
            f"{indent}^bb0({inner_name}: i32):",
        ]
        after = self.block({**sight, "i32": [*sight["i32"], inner_name]}, size // 2, indent + "  ", depth + 1)
        self.lines += [f"{indent}  scf.yield {self.rng.choice(after['i32'])} : i32", f"{indent}}}"]
        sight["i32"].append(result)

    def conditional(self, sight: dict[str, list[str]], size: int, indent: str, depth: int) -> None:
        kind = self.rng.choice([*(kind for kind in ("f32", "i32", "i64", "bf16") if sight.get(kind)), ""])
        result = self.name()
        bound = f"{result} = " if kind else ""
        types = f" -> ({kind})" if kind else ""
        self.lines.append(f"{indent}{bound}scf.if {self.rng.choice(sight['i1'])}{types} {{")
        for closing in ("} else {", "}") if kind or self.rng.random() < 0.5 else ("}",):
            inside = self.block(sight, size, indent + "  ", depth + 1)
            if kind:
                self.lines.append(f"{indent}  scf.yield {self.rng.choice(inside[kind])} : {kind}")
            self.lines.append(indent + closing)
        if kind:
            sight[kind].append(result)


def _function(rng: Random) -> list[str]:
    """A function of the device that kernels call."""
    body = _Kernel(rng, calls=False)
    scalars = {kind: [name] for kind, name in _ARGUMENTS.items() if kind in ("f32", "i32")}
    for kind, value in (("i1", "true"), ("index", "3 : index"), ("i64", "-7 : i64"), ("f16", "1.5 : f16")):
        name = body.name()
        body.lines.append(f"    {name} = arith.constant {value}")
        scalars[kind] = [name]
    while True:
        made = _Kernel(Random(rng.random()), calls=False)
        made.count = 100
        inside = made.block(scalars, rng.randint(2, 8), "    ", 1)
        if not any(re.search(r"%(m|g|s|im|bytes|square)\b", line) for line in made.lines):
            break
    result = rng.choice(inside["f32"])
    return [
        "  func.func @mix(%f: f32, %i: i32) -> f32 {",
        *body.lines,
        *made.lines,
        f"    return {result} : f32",
        "  }",
    ]


def kernel_module(seed: int) -> str:
    """A kernel of random operations, with loops and conditionals, and a function that it may call."""
    rng = Random(seed)
    kernel = _Kernel(rng)
    sight = {kind: [name] for kind, name in _ARGUMENTS.items()}
    zero = kernel.name()
    kernel.lines.append(f"    {zero} = arith.constant dense<0.000000e+00> : vector<2x2xf32>")
    sight["fc"] = [zero]
    sight = kernel.block(sight, rng.randint(4, 30), "    ", 0)
    kernel.lines.append(f"    memref.store {rng.choice(sight['f32'])}, %m[%x] : memref<64xf32>")
    values = ", ".join(
        [f"{name}: {kind}" for name, kind in _BUFFERS.items()]
        + [f"{name}: {kind}" for kind, name in _ARGUMENTS.items()]
    )
    head = f"  gpu.func @k({values}) workgroup(%s: memref<64x64xf16, 3>) kernel {{"
    return "\n".join(["gpu.module @m {", *_function(rng), head, *kernel.lines, "    gpu.return", "  }", "}", ""])


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
