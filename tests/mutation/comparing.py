"""Sources that compute each operator beside its change, and so tell in one run which changes could make a difference."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.mutation.changes import changes
from tests.mutation.compared import CALCULATIONS, COMPARISONS, NONE

_IMPORT = "from tests.mutation import compared as __compared__"


def functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Those in a piece of source."""
    return (part for part in ast.walk(node) if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef))


def outermost(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions in a piece of source that no other function holds."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child
        else:
            yield from outermost(child)


def bodies(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[list[ast.stmt], int]]:
    """The lists of statements in a function, and the line of the `def` whose body each is, or 0."""
    for node in ast.walk(function):
        for name, body in ast.iter_fields(node):
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt) and not isinstance(node, ast.ClassDef):
                own = name == "body" and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                yield body, node.lineno if own else 0  # type: ignore[attr-defined]


class Told(NamedTuple):
    """A change, and a name that stays while the text of the outermost function around it does; none outside of functions:
    what only an import runs is not compared.
    """

    line: int
    what: str
    name: str


class Compared(ast.NodeTransformer):
    """Rewrites a file."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.changes = changes(tree)
        self.of: defaultdict[int, list[int]] = defaultdict(list)
        for number, change in enumerate(self.changes):
            self.of[id(change.node)].append(number)
        self.own: set[int] = set()
        """The changes that an operator's mark tells of, not only the block's."""
        self.told = self._told()
        self.numbers: Sequence[int] = ()
        self.inside = {id(node) for function in functions(tree) for each in function.body for node in ast.walk(each)}

    def text(self, numbers: Sequence[int]) -> str:
        """The file, in which each change has the mark of such a number. The mark of a block is a
        change's own where nothing else is known of it.
        """
        self.numbers = numbers
        for function in list(functions(self.tree)):
            if id(function) not in self.inside:
                function.body[:] = [self.visit(each) for each in function.body]
        blocks = [body for function in functions(self.tree) for body, _ in bodies(function)]
        around: dict[int, int] = {}
        for number, body in enumerate(blocks):  # An inner one comes after those around it.
            around.update((id(node), number) for each in body for node in ast.walk(each))
        marked: defaultdict[int, list[int]] = defaultdict(list)
        for number, change in enumerate(self.changes):
            if number not in self.own and id(change.node) in around:
                marked[around[id(change.node)]].append(self.numbers[number])
        for place, numbers in marked.items():
            text = "\n".join(f"__compared__.marks[{each}] = 1" for each in numbers)
            body = blocks[place]
            is_told = isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
            body[is_told:is_told] = [_once(numbers, text)]
        future = [isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in self.tree.body]
        after = future.index(True) + 1 if True in future else 0
        self.tree.body[after:after] = ast.parse(_IMPORT).body
        return ast.unparse(ast.fix_missing_locations(self.tree))

    def _told(self) -> list[Told]:
        names: dict[int, str] = {}
        for function in outermost(self.tree):
            name = hashlib.sha256(ast.unparse(function).encode()).hexdigest()[:16]
            names.update((id(part), name) for statement in function.body for part in ast.walk(statement))
        alike: Counter[str] = Counter()
        found: list[Told] = []
        for change in self.changes:
            name = names.get(id(change.node), "")
            found.append(Told(change.line, change.what, name and f"{name} {alike[name]}"))
            alike[name] += 1
        return found

    def _number(self, node: ast.AST, index: int = 0) -> int:
        """The number of the change of a node, which it has a mark of its own for."""
        for number in self.of[id(node)]:
            if self.changes[number].which == index:
                self.own.add(number)
                return self.numbers[number]
        return NONE

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        operators = [type(operator).__name__ for operator in node.ops]
        if len(operators) == 1 and operators[0] in COMPARISONS:
            return self._operation("COMPARISONS", node, operators[0], node.left, node.comparators[0])
        if len(operators) == 1 and operators[0] in ("In", "NotIn"):
            return self._member(node)
        if set(operators) <= COMPARISONS.keys() and all(map(_is_simple, node.comparators[1:])):
            values = [node.left, *node.comparators]
            numbers = [self._number(node, index) for index in range(len(operators))]
            constants = [self._number(each) if isinstance(each, ast.Constant) else NONE for each in values]
            return _called("chained", ast.List([self.visit(each) for each in values]), operators, numbers, constants)
        return self._inner(node)

    def _inner(self, node: ast.expr) -> ast.expr:
        self.generic_visit(node)
        return node

    def _operation(self, table: str, node: ast.expr, name: str, left: ast.expr, right: ast.expr) -> ast.expr:
        numbers = [
            self._number(each)
            for each in (node, *(x if isinstance(x, ast.Constant) else _NOTHING for x in (left, right)))
        ]
        return _called(f"{table}[{name!r}]", self.visit(left), self.visit(right), *numbers)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        name = type(node.op).__name__
        if name in CALCULATIONS:
            return self._operation("CALCULATIONS", node, name, node.left, node.right)
        return self._inner(node)

    def _member(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        right = node.comparators[0]
        if isinstance(right, ast.Tuple | ast.List | ast.Set):
            node.left = self._looked(node.left, right.elts)
        return node

    def _looked(self, value: ast.expr, among: list[ast.expr]) -> ast.expr:
        constants = [each for each in among if isinstance(each, ast.Constant)]
        pairs = [(number, each.value) for each in constants if (number := self._number(each)) != NONE]
        return _called("member", value, *pairs) if pairs else value

    def visit_Match(self, node: ast.Match) -> ast.Match:
        patterns = [pattern for case in node.cases for pattern in getattr(case.pattern, "patterns", [case.pattern])]
        values = [pattern.value for pattern in patterns if isinstance(pattern, ast.MatchValue)]
        self.generic_visit(node)
        node.subject = self._looked(node.subject, values)
        return node

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.MatchValue:
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        number = self._number(node)
        self.generic_visit(node)
        if number == NONE:
            return node
        return _called("every" if isinstance(node.op, ast.And) else "some", node, number)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        self.generic_visit(node)
        node.body, node.orelse = self._branch(node.body), self._branch(node.orelse)
        return node

    def _branch(self, node: ast.expr) -> ast.expr:
        """One that runs when it is chosen, as a block does."""
        found = [number for part in ast.walk(node) for number in self.of[id(part)] if number not in self.own]
        self.own |= set(found)
        return _called("ran", node, *(self.numbers[number] for number in found)) if found else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        constant = isinstance(node.value, ast.Constant)
        number = NONE if constant else self._number(node)
        self.generic_visit(node)
        if number != NONE:
            node.value = _called("added", node.value, number)
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.JoinedStr:
        return node

    def visit_arguments(self, node: ast.arguments) -> ast.arguments:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AnnAssign:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node


_NOTHING = ast.Pass()


def _once(numbers: list[int], text: str) -> ast.stmt:
    """Mark many only the first time."""
    return ast.parse(f"if not __compared__.marks[{numbers[0]}]:\n    " + text.replace("\n", "\n    ")).body[0]


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _called(name: str, *arguments: object) -> ast.Call:
    """A call of one of the functions that mark."""
    function = _expression(f"__compared__.{name}")
    return ast.Call(
        function, [each if isinstance(each, ast.expr) else _expression(repr(each)) for each in arguments], []
    )


def _is_simple(node: ast.expr) -> bool:
    """What can be computed whether it is asked for or not."""
    return isinstance(node, ast.Name | ast.Constant) or (isinstance(node, ast.Attribute) and _is_simple(node.value))
