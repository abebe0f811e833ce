"""MLIR texts of the repository, and what the two ways to read and verify one make of it: the quick one, and xDSL's.

`python -m tests.dialects.readings` says how many operations of the programs the quick reader takes, and which it leaves.
`python -m tests.dialects.readings COUNT` reads COUNT texts with a change in each, and says where the two ways differ.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from tests.dialects import generator, oracle
from weft.errors import MlirError
from weft.mlir import parser as parsers
from weft.mlir import verification
from weft.mlir.module import parse_mlir
from weft.mlir.parser import MlirParser
from weft.mlir.reader.reader import Reader
from weft.mlir.reader.tokens import Tokens

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("examples", "benchmarks/kernels", "tests")


@cache
def texts() -> list[str]:
    """Every text: files of MLIR and their parts, single operations valid and invalid, generated modules."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.mlir"))]
    found = [chunk for path in paths for chunk in path.read_text().split(oracle.MARKER)]
    found += [case.text for path in sorted(oracle.FOLDER.glob("*.ops")) for case in oracle.cases(path)]
    found += [make(seed) for seed in range(20) for make in (generator.table_module, generator.kernel_module)]
    # A second reading gives resources other names: they belong to the process.
    return [text for text in found if "dense_resource" not in text]


PROGRAMS = ("examples", "benchmarks/kernels", "tests/dialects/snippets", "tests/transforms")
"""Folders of modules as people write them; those of `tests/dialects/ops` hold an odd form of an operation each."""


def programs() -> list[str]:
    """The texts whose operations occur as often as in programs: kernels, examples, generated kernels."""
    paths = [path for folder in PROGRAMS for path in sorted((ROOT / folder).rglob("*.mlir"))]
    found = [chunk for path in paths for chunk in path.read_text().split(oracle.MARKER)]
    return found + [generator.kernel_module(seed) for seed in range(10)]


class NoReader(Reader):
    """A quick reader that knows no operation."""

    def quick(self, index: int, token: str) -> Operation | None:
        """Nothing."""
        return None


def _suspect(op: Operation, rules: object) -> None:
    """No quick look at a module."""
    raise VerifyException("not looked at quickly")


@contextmanager
def only_xdsl() -> Iterator[None]:
    """Inside, xDSL reads and verifies every operation."""
    kept = parsers.Reader, verification.check
    parsers.Reader, verification.check = NoReader, _suspect
    try:
        yield
    finally:
        parsers.Reader, verification.check = kept


def outcome(text: str) -> Any:
    """Everything that can be told of the module in a text, and whether it is valid; or its error."""
    try:
        module = parse_mlir(text, "f", verify=False)
    except MlirError as error:
        return error.message, error.position
    try:
        parse_mlir(text, "f")
    except MlirError as error:
        return described(module), error.message, error.position
    return described(module)


def described(module: ModuleOp) -> list[Any]:
    """The operations of a module in order, values and blocks as numbers, in lists that can be compared."""
    numbers: dict[Operation | Block | SSAValue, int] = {}
    for op in module.walk():
        inner = [part for region in op.regions for block in region.blocks for part in (block, *block.args)]
        for part in (op, *op.results, *inner):
            numbers[part] = len(numbers)

    def value(found: SSAValue) -> Any:
        return found.type, found.name_hint, [(numbers[use.operation], use.index) for use in found.uses]

    def block(found: Block) -> Any:
        arguments = [(*value(argument), argument.location) for argument in found.args]
        uses = [(numbers[use.operation], use.index) for use in found.uses]
        return numbers[found], found.name_hint, arguments, uses, [numbers[op] for op in found.ops]

    return [
        (
            type(op).__qualname__,  # The class of an operation that nobody knows is made anew by each context.
            [numbers[operand] for operand in op.operands],
            [value(result) for result in op.results],
            [*op.properties.items()],
            [*op.attributes.items()],
            op.location,
            [numbers[target] for target in op.successors],
            [[block(found) for found in region.blocks] for region in op.regions],
        )
        for op in module.walk()
    ]


def both(text: str) -> tuple[Any, Any]:
    """The outcome of the quick reader, and that of xDSL's parser alone."""
    quick = outcome(text)
    with only_xdsl():
        return quick, outcome(text)


def changed(text: str, rng: Random) -> str:
    """A text with one to three changes: tokens left out, put twice, exchanged or put in the place of another."""
    cut = Tokens(text)
    places = [*zip(cut.starts, cut.texts[: len(cut.starts) - 1], strict=False)]
    for _ in range(rng.randint(1, 3) if places else 0):  # A file of nothing but comments has none.
        start, token = rng.choice(places)
        _, other = rng.choice(places)
        new = rng.choice(
            ("", f"{token} {token}", other, f"{token} {other}", f"{other} {token}", token[:-1], f"{token}0")
        )
        if text.startswith(token, start):
            text = text[:start] + new + text[start + len(token) :]
    return text


def differences(count: int, seed: int = 0) -> list[str]:
    """The changed texts, of so many, of which the two ways make different things."""
    rng = Random(seed)
    found: list[str] = []
    for _ in range(count):
        text = changed(rng.choice(texts()), rng)
        quick, slow = both(text)
        if quick != slow:
            found.append(text)
    return found


def shares(read: Sequence[str]) -> tuple[Counter[str], Counter[str]]:
    """How many operations of each name, in generic form or not, the quick reader takes of valid texts, and leaves."""
    taken: Counter[str] = Counter()
    left: Counter[str] = Counter()
    quick, slow = Reader.quick, MlirParser._parse_slowly
    found: tuple[list[str], list[str]] = [], []

    def counted(self: Reader, index: int, token: str) -> Operation | None:
        op = quick(self, index, token)
        found[0].extend([] if op is None else [op.name])
        return op

    def counted_slowly(self: MlirParser) -> Operation:
        op = slow(self)
        found[1].append(op.name)
        return op

    Reader.quick, MlirParser._parse_slowly = counted, counted_slowly
    try:
        for text in read:
            found = [], []
            try:
                parse_mlir(text, verify=False)
            except MlirError:
                continue
            taken.update(found[0])
            left.update(found[1])
    finally:
        Reader.quick, MlirParser._parse_slowly = quick, slow
    return taken, left


def main(arguments: list[str]) -> int:
    """Print what the two ways make of the texts."""
    if arguments:
        found = differences(int(arguments[0]), seed=int(arguments[1]) if len(arguments) > 1 else 0)
        for text in found[:10]:
            quick, slow = both(text)
            print(
                text,
                quick if isinstance(quick, tuple) else "read",
                slow if isinstance(slow, tuple) else "read",
                sep="\n",
            )
        print(f"{len(found)} of {arguments[0]} changed texts differ")
        return bool(found)
    taken, left = shares(programs())
    share = taken.total() / (taken.total() + left.total())
    print(f"{share:.1%} of {taken.total() + left.total()} operations; left: {left.most_common(60)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
