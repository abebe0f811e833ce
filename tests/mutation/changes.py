"""One change of a module: a constant, an operator or a name, at random."""

from __future__ import annotations

import ast
import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

_SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


_SENTENCE = re.compile(
    r"<[\w ]+>$|[A-Z][\w'-]* [\w'-]+|#[0-9a-f]{6}$|.* (?:an|and|are|be|for|from|has|in|is|must|not|of|or|that|the|to|with) "
)
"""How a text begins that is for people only, a colour, or what stands for
a file's name: with a capital word and another, or with such words in it."""

_WORDS = frozenset(["__slots__", "manual", "semantics", "summary"])
"""Keywords, and constants, of what documents a family of instructions; and the fields of a class."""

_TOLD = re.compile(
    r"(?:cast|deprecated|TypeVar|.*(?:error|fail|fault|malformed|problem|refuse|said|warn).*)", re.IGNORECASE
)
"""What is called with words for people or for the type checker only."""

_NEUTRAL = frozenset(
    ["check", "encoding", "eq", "frozen", "help", "hint", "maxsize", "metavar", "repr", "slots", "stacklevel", "strict"]
)
"""Keywords that right code does not depend on: `strict` asserts equal lengths, `maxsize` bounds a cache."""


_BUDGET = re.compile(r"most|limit|budget|longest|seconds|deepest|max_|largest|patience|often|enough|many|kept")
"""Constants that say how much is tried, kept or waited for: right code does not depend on their exact size."""


class Change(NamedTuple):
    """A change: the line, what it does, and how the tree is changed."""

    line: int
    what: str
    apply: Callable[[], None]
    node: ast.AST
    """What is changed in it, and, of a comparison, which of its operators."""
    which: int = 0


def _constant(node: ast.Constant, letters: set[int]) -> Change | None:
    value = node.value
    if isinstance(value, bool):
        new: object = not value
    elif id(node) in letters:  # One more letter than anybody asks for is no mistake; one less is.
        new = value[:-1]  # type: ignore[index]
    elif isinstance(value, int):
        new = value + 1
    elif isinstance(value, float):
        new = value * 2 + 1
    elif isinstance(value, str) and value:
        new = value + "x"
    else:
        return None
    return Change(node.lineno, f"{value!r} -> {new!r}", lambda: setattr(node, "value", new), node)


def _summaries(lines: list[str]) -> set[int]:
    """The lines that only go on with what a row of three columns and more says behind its last `|`."""
    starts = [number for number, line in enumerate(lines) if line[:1].strip()] + [len(lines)]
    found: set[int] = set()
    for start, end in itertools.pairwise(starts):
        barred = [number for number in range(start, end) if "|" in lines[number]]
        if sum(lines[number].count("|") for number in barred) >= 3:
            found |= set(range(barred[-1] + 1, end))
    return found


def _table(node: ast.Constant, text: str) -> Iterator[Change]:
    """Of a text of many lines, each but comments: a word of it that stands before the last `|`, behind which it is told."""
    lines = text.split("\n")
    summaries = _summaries(lines)
    for number, line in enumerate(lines):
        if number in summaries:
            continue
        told = re.sub(r"/\*.*?\*/", lambda comment: " " * len(comment[0]), line.rpartition("|")[0] or line)
        words = list(re.finditer(r"[\w.-]+", told))
        if words and not line.lstrip().startswith("#"):
            end = words[number % len(words)].end()
            new = "\n".join([*lines[:number], line[:end] + "x" + line[end:], *lines[number + 1 :]])
            what = f"{line.strip()[:80]!r}: {words[number % len(words)].group()}x"
            yield Change(node.lineno + number, what, lambda new=new: setattr(node, "value", new), node)  # type: ignore[misc]


def _operators(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            new = _SWAPPED.get(type(operator))
            if new is not None:
                what = f"{type(operator).__name__} -> {new.__name__}"
                yield Change(node.lineno, what, lambda i=index, new=new: node.ops.__setitem__(i, new()), node, index)  # type: ignore[misc]
    elif isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign):
        new = _SWAPPED.get(type(node.op))
        if new is not None:
            yield Change(
                node.lineno, f"{type(node.op).__name__} -> {new.__name__}", lambda: setattr(node, "op", new()), node
            )
    elif isinstance(node, ast.IfExp):
        yield Change(node.lineno, "the other branch", lambda: _swap(node), node)


def _swap(node: ast.IfExp) -> None:
    node.body, node.orelse = node.orelse, node.body


def _name(node: ast.keyword | ast.Assign) -> str:
    if isinstance(node, ast.keyword):
        return node.arg or ""
    name = ast.unparse(node.targets[0])
    return name if name.startswith("__") else name.strip("_").lower()


def _constants(node: ast.AST) -> set[int]:
    return {id(part) for part in ast.walk(node) if isinstance(part, ast.Constant)}


def _told(node: ast.Call) -> set[int]:
    """The texts, and the neutral keywords, of a call."""
    neutral = [word.value for word in node.keywords if word.arg in _NEUTRAL]
    skipped = {id(value) for value in neutral if isinstance(value, ast.Constant | ast.JoinedStr)}
    if _TOLD.fullmatch(ast.unparse(node.func).rpartition(".")[2]):
        texts = [part for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        skipped |= {id(part) for part in texts}
    return skipped


def _budgets(arguments: ast.arguments) -> set[int]:
    """The defaults of arguments that say how much is tried or kept."""
    positional = [*arguments.posonlyargs, *arguments.args]
    named = list(zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True))
    named += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
    return {part for argument, default in named if _BUDGET.search(argument.arg) for part in _constants(default)}


def _unseen(node: ast.AST) -> Iterator[ast.AST]:
    """What no program runs, or shows to those only who look for a mistake in weft itself; and how much a cache keeps."""
    if isinstance(node, ast.FunctionDef) and (node.name == "__repr__" or "overload" in _decorators(node)):
        yield from ast.walk(node)
    elif isinstance(node, ast.If) and ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING":
        yield from (part for statement in node.body for part in ast.walk(statement))
    elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "lru_cache":
        yield from ast.walk(node)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "reshape":
        # NumPy finds the extent that is negative, whatever it is.
        extents = [part for part in node.args if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub)]
        yield from (part.operand for part in extents)


def _before_raise(node: ast.AST) -> Iterator[ast.AST]:
    """What is assigned in a block that ends with an exception: it is told with that, and nowhere else."""
    for body in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
        if isinstance(body, list) and body and isinstance(body[-1], ast.Raise):
            yield from (part for each in body if isinstance(each, ast.Assign) for part in ast.walk(each))


def _variables(tree: ast.Module) -> Iterator[ast.AST]:
    """The names of variables of constraints that no other has: only equal names mean anything."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args]
    texts = [call.args[0] for call in calls if ast.unparse(call.func) in ("VarConstraint", "RangeVarConstraint")]
    named = [part for part in texts if isinstance(part, ast.Constant)]
    count = Counter(part.value for part in named)
    return (part for part in named if count[part.value] == 1)


def _letters(tree: ast.Module) -> set[int]:
    """The texts that are sets of letters: what stands behind `in`, and what a set or the keys of a table are made of."""
    found: list[ast.expr] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            pairs = zip(node.ops, node.comparators, strict=True)
            found += [right for operator, right in pairs if isinstance(operator, ast.In | ast.NotIn)]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("set", "frozenset", "dict.fromkeys"):
            found += node.args[:1]
    texts = [part for part in found if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return {id(part) for part in texts if part.value}


def _decorators(node: ast.FunctionDef) -> set[str]:
    return {ast.unparse(each).rpartition(".")[2] for each in node.decorator_list}


def changes(tree: ast.Module) -> list[Change]:
    """Every change of a module that could be made; what is said in words, and annotations, are left alone."""
    skipped = {id(part) for part in _variables(tree)}
    for node in ast.walk(tree):
        skipped |= {id(part) for part in (*_unseen(node), *_before_raise(node))}
        if isinstance(node, ast.Call):
            skipped |= _told(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            skipped.add(id(node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _SENTENCE.match(node.value):
            skipped.add(id(node))
        elif isinstance(node, ast.keyword | ast.Assign) and _name(node) in _WORDS:
            skipped |= _constants(node.value)
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] in ("Literal", "Callable"):
            skipped |= _constants(node.slice)
        elif isinstance(node, ast.Assign) and (_name(node) == "__all__" or _BUDGET.search(_name(node))):
            skipped |= _constants(node.value)
        elif isinstance(node, ast.Raise | ast.Assert):  # No right program makes an assertion fail.
            skipped |= {id(part) for part in ast.walk(node)}
        elif isinstance(node, ast.JoinedStr):
            skipped |= {id(part) for part in node.values}
        elif isinstance(node, ast.AnnAssign):
            skipped |= {id(part) for part in ast.walk(node.annotation)}
            if node.value is not None and _BUDGET.search(ast.unparse(node.target).lower()):
                skipped |= _constants(node.value)
            if ast.unparse(node.annotation) == "TypeAlias" and node.value is not None:
                skipped |= {id(part) for part in ast.walk(node.value)}
        elif isinstance(node, ast.FunctionDef):
            skipped |= _budgets(node.args)
            for part in (*node.args.args, *node.args.kwonlyargs, node.returns):
                skipped |= {id(inner) for inner in ast.walk(part)} if part is not None else set()
    found: list[Change] = []
    letters = _letters(tree)
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.count("\n") > 1:
            found += _table(node, node.value)
        elif isinstance(node, ast.Constant):
            change = _constant(node, letters)
            found += [change] if change is not None else []
        else:
            found += _operators(node)
    return found


def mutated(source: str, lines: set[int], rng: random.Random) -> tuple[str, Change] | None:
    """A module with one change on one of these lines; None where there is nothing to change."""
    tree = ast.parse(source)
    possible = [change for change in changes(tree) if change.line in lines]
    if not possible:
        return None
    change = rng.choice(possible)
    change.apply()
    return ast.unparse(tree), change
