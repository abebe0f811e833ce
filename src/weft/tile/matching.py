"""`match` in a kernel as the chain of `if` that it means: values, alternatives, names, tuples of them, guards."""

from __future__ import annotations

import ast
from collections.abc import Callable

Refuse = Callable[[ast.AST, str], Exception]
SUBJECT = "__weft_subject_"
"""The beginning of the names of what is matched."""


class Matches(ast.NodeTransformer):
    """Puts branches in the place of the `match` statements of a function, functions inside it left out.

    `refuse` makes the error for a pattern that has no meaning in a kernel.
    """

    def __init__(self, refuse: Refuse) -> None:
        self._refuse = refuse
        self._depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """The function itself; those inside it are Python's own."""
        if self._depth:
            return node
        self._depth += 1
        self.generic_visit(node)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """A function too."""
        return node

    def visit_Match(self, node: ast.Match) -> list[ast.stmt]:
        """What is matched gets a name, the cases become branches."""
        self.generic_visit(node)
        before: list[ast.stmt] = []
        parts = node.subject.elts if isinstance(node.subject, ast.Tuple) else [node.subject]
        subjects: list[ast.expr] = []
        for at, part in enumerate(parts):
            if isinstance(part, ast.Starred):
                raise self._refuse(part, "the pattern and the matched value must have the same number of elements")
            if isinstance(part, ast.Name | ast.Constant):
                subjects.append(part)
                continue
            name = f"{SUBJECT}{node.lineno}_{node.col_offset}_{at}"
            before.append(_assigned(name, part, node))
            subjects.append(_name(name, node))
        return [*before, *self._cases(node.cases, subjects, node)]

    def _cases(self, cases: list[ast.match_case], subjects: list[ast.expr], at: ast.stmt) -> list[ast.stmt]:
        if not cases:
            return []
        first, *rest = cases
        names: list[ast.stmt] = []
        pattern = first.pattern
        whole = isinstance(pattern, ast.MatchAs) and pattern.pattern is None
        if whole and isinstance(pattern, ast.MatchAs) and pattern.name is None:
            tests: list[ast.expr] = []
        elif len(subjects) == 1:
            tests = self._tests(pattern, subjects[0], names)
        elif isinstance(pattern, ast.MatchSequence) and len(pattern.patterns) == len(subjects):
            tests = [
                test
                for each, subject in zip(pattern.patterns, subjects, strict=True)
                for test in self._tests(each, subject, names)
            ]
        else:
            raise self._refuse(pattern, f"expected a pattern of {len(subjects)} values")
        if first.guard is not None:
            if names and tests:
                raise self._refuse(first.guard, "a pattern with values and names cannot have a guard in a kernel")
            tests.append(first.guard)
        if not tests:
            return [*names, *first.body]
        test = tests[0] if len(tests) == 1 else ast.copy_location(ast.BoolOp(ast.And(), tests), pattern)
        early, late = (names, []) if first.guard is not None else ([], names)
        branch = ast.If(test, [*late, *first.body], self._cases(rest, subjects, at))
        return [*early, ast.copy_location(branch, first.pattern)]

    def _tests(self, pattern: ast.pattern, subject: ast.expr, names: list[ast.stmt]) -> list[ast.expr]:
        """What holds where a pattern matches, none where it always does."""
        match pattern:
            case ast.MatchValue(value):
                return [ast.copy_location(ast.Compare(subject, [ast.Eq()], [value]), pattern)]
            case ast.MatchSingleton(value):
                constant = ast.copy_location(ast.Constant(value), pattern)
                return [ast.copy_location(ast.Compare(subject, [ast.Is()], [constant]), pattern)]
            case ast.MatchOr(patterns):
                found: list[ast.stmt] = []
                sides = [self._tests(each, subject, found) for each in patterns]
                if found or any(len(side) != 1 for side in sides):
                    raise self._refuse(pattern, "alternatives in a kernel must be values")
                return [ast.copy_location(ast.BoolOp(ast.Or(), [side[0] for side in sides]), pattern)]
            case ast.MatchAs(inner, name):
                tests = [] if inner is None else self._tests(inner, subject, names)
                if name is not None:
                    names.append(_assigned(name, subject, pattern))
                return tests
            case _:
                raise self._refuse(pattern, "this pattern is not supported in a kernel: use values and names")


def _name(name: str, at: ast.AST) -> ast.Name:
    return ast.copy_location(ast.Name(name, ast.Load()), at)


def _assigned(name: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    target = ast.copy_location(ast.Name(name, ast.Store()), at)
    return ast.copy_location(ast.Assign([target], value), at)  # type: ignore[arg-type]
