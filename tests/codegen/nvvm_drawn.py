"""Operations of `nvvm` with arguments drawn from MLIR's definitions, to PTX: weft's beside LLVM's.

`python -m tests.codegen.nvvm_drawn COUNT SEED` draws COUNT of each operation, and as many variants of each case that
stands in `tests/dialects/ops`.  Those count that mlir-opt, LLVM's NVPTX and ptxas take; what weft refuses of them, and
what it spells otherwise, is printed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from random import Random

from tests.codegen.oracle import VERSIONS, Refused, llvm_ptx
from tests.codegen.test_nvvm_all import CASES, OTHERWISE
from tests.codegen.trace import bodies, traced
from tests.conftest import llvm_tool
from tests.dialects import arguments, oracle
from weft.codegen import compile_module
from weft.errors import WeftError
from weft.toolchain import assemble

BATCH = 64
GROUPED = re.compile(r"bulk\.tensor\.shared\.cluster\.global.*group = #nvvm.cta_group.*, 1>\}")
"""With a predicate, the last of the operands, LLVM loses the group of CTAs (`docs/codegen.md`)."""


def function(text: str, name: str, rng: Random) -> str:
    """One operation in a function of `func` as a function of `llvm` that gives its result.

    Some integers among the operands become constants: multiples of 16, for ptxas refuses other sizes where it sees them.
    """
    lines = text.splitlines()
    head = re.match(r"func\.func @f\((.*)\) \{", lines[0])
    assert head is not None
    body = lines[1:-2]
    given = [part.split(": ", 1) for part in arguments.split(head[1])]
    kept: list[str] = []
    for operand, kind in given:
        if re.fullmatch(r"i(16|32|64)", kind) and rng.random() < 0.2:
            body.insert(0, f"  {operand} = llvm.mlir.constant({rng.choice((16, 32, 64))} : {kind}) : {kind}")
        else:
            kept.append(f"{operand}: {kind}")
    result = re.search(r"-> (\([^()]*\)|\S.*)$", body[-1].strip())
    kind = result[1] if result is not None and "%r" in body[-1] else ""
    if not kind:
        return f"llvm.func @{name}({', '.join(kept)}) {{\n" + "\n".join(body) + "\n  llvm.return\n}\n"
    return (
        f"llvm.func @{name}({', '.join(kept)}) -> {kind} {{\n" + "\n".join(body) + f"\n  llvm.return %r : {kind}\n}}\n"
    )


def valid(texts: Sequence[str]) -> list[str]:
    """The texts that mlir-opt takes."""
    found: list[str] = []
    for start in range(0, len(texts), 400):
        some = [oracle.Case(text, 0) for text in texts[start : start + 400]]
        outcomes = arguments.upstream(llvm_tool("mlir-opt"), some)
        found += [
            case.text
            for case, outcome in zip(some, outcomes, strict=True)
            if outcome != arguments.CRASH and re.match(r"\d+:\d+: ", outcome) is None
        ]
    return found


def drawn(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Operations, and functions of them."""
    mlir_opt = llvm_tool("mlir-opt")
    every = chain(arguments.everything("nvvm", count, seed), arguments.cases_changed(mlir_opt, "nvvm", count, seed))
    rng = Random(seed)
    known: set[str] = set()
    for instance in every:
        text = instance.text()
        if text not in known and not (instance.name.startswith("nvvm.read.ptx.sreg") and len(known) % 8):
            known.add(text)
            yield instance.name, function(text, "NAME", rng)


def targets() -> dict[str, list[str]]:
    """The targets to try for each operation: those of its cases, then others that know much."""
    found: dict[str, list[str]] = defaultdict(list)
    for case in CASES:
        if case.target not in found[case.op]:
            found[case.op].append(case.target)
    return {op: list(dict.fromkeys([*known, "sm_100a", "sm_120a", "sm_90a"])) for op, known in found.items()}


def taken(functions: dict[str, str], target: str) -> dict[str, str]:
    """The bodies of the functions that LLVM and ptxas take."""
    if not functions:
        return {}
    try:
        ptx = llvm_ptx("\n".join(functions.values()), target, VERSIONS[target])
        assemble(ptx, options=("-c",))
        return bodies(ptx)
    except (Refused, WeftError, subprocess.SubprocessError):
        if len(functions) == 1:
            return {}
    names = list(functions)
    found: dict[str, str] = {}
    for part in (names[: len(names) // 2], names[len(names) // 2 :]):
        found |= taken({name: functions[name] for name in part}, target)
    return found


def compared(given: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str]]:
    """What is to be said of each function that LLVM and ptxas take: its operation, `same` or what differs, its text."""
    every = [(op, text.replace("@NAME", f"@f{number}")) for number, (op, text) in enumerate(given)]
    good = set(valid([text for _, text in every]))
    left = {f"f{n}": (op, text) for n, (op, text) in enumerate(every) if text in good}
    where = targets()
    for step in range(max(map(len, where.values()))):
        groups: dict[str, dict[str, str]] = defaultdict(dict)
        for name, (op, text) in left.items():
            if step < len(where[op]):
                groups[where[op][step]][name] = text
        for target, group in groups.items():
            names = sorted(group, key=lambda name: left[name][0])
            for start in range(0, len(names), BATCH):
                theirs = taken({name: group[name] for name in names[start : start + BATCH]}, target)
                for name, body in theirs.items():
                    op, text = left.pop(name)
                    yield op, verdict(op, text, name, target, body), text


def verdict(op: str, text: str, name: str, target: str, theirs: str) -> str:
    """`same`, `otherwise` (for a reason that is known), or what weft does differently."""
    try:
        module = compile_module(text, target, VERSIONS[target][:-1] + "." + VERSIONS[target][-1])
        ours = bodies(module.to_ptx())[name]
    except WeftError as error:
        return f"refused on {target}: {error.message}"
    one, two = traced(ours), traced(theirs)
    if one == two:
        return "same"
    known = op in OTHERWISE or GROUPED.search(text) is not None
    return "otherwise" if known else f"other on {target}:\n    ours   {one}\n    theirs {two}"


def main(count: str, seed: str) -> None:
    """Compare."""
    kinds: Counter[str] = Counter()
    for op, said, text in compared(drawn(int(count), int(seed))):
        kinds[said.split()[0]] += 1
        if said not in ("same", "otherwise"):
            print(f"==== {op}: {said}\n{text}", flush=True)
    print(dict(kinds))


if __name__ == "__main__":
    main(*sys.argv[1:])
