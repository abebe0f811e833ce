"""The Python source of a kernel, prepared for tracing.

A kernel's body runs statement by statement: simple statements as compiled code, `for`, `while`, `if` by `interpret`,
which decides at run time whether Python or the GPU runs them.  Conditions (`and`, `or`, `not`, chained comparisons,
`x if c else y`) become calls that accept numbers known only when the kernel runs.

What leaves early is rewritten where it is under an `if`: behind `if c: return` and `if c: continue` the rest is the
other side of the `if`; `if c: break` sets a flag besides, which ends the loop.
"""

from __future__ import annotations

import ast
import copy
import inspect
import textwrap
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

from weft.dataclass import dataclass
from weft.errors import CompileError, Position, WeftError
from weft.tile.matching import Matches
from weft.tile.trace import with_source

AND, OR, NOT, CHOOSE, CHECK = "__weft_and__", "__weft_or__", "__weft_not__", "__weft_choose__", "__weft_check__"
IS, IN = "__weft_is__", "__weft_in__"


@dataclass(frozen=True, slots=True)
class Simple:
    """Statements that Python runs as they are."""

    code: CodeType


@dataclass(frozen=True, slots=True)
class Loop:
    """`for target in iterable: body`, or `while test: body` without `targets`; `assigned` are the body's
    names, `flag` is the one that a `break` sets.
    """

    line: int
    head: CodeType
    bind: CodeType | None
    targets: tuple[str, ...]
    flag: str | None
    body: tuple[Statement, ...]
    assigned: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """`if test: body else: other`."""

    line: int
    test: CodeType
    body: tuple[Statement, ...]
    other: tuple[Statement, ...]
    assigned: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class With:
    """`with item as target: body`."""

    line: int
    item: CodeType
    bind: CodeType | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """A `return`, `break` or `continue` that leaves from within a `with` or, for `return`, a loop."""

    line: int
    kind: str


Statement = Simple | Loop | Branch | With | Leave
RESULT, RETURNED, FLAG = "__weft_item__", "__weft_returned__", "__weft_left_"
"""The names through which a loop's item or a context's value reaches its target, and a function's value its caller; the
beginning of the names of flags of loops that are left early.
"""
_NAMES_OF: dict[type[ast.AST], str] = {
    ast.Try: "try", ast.TryStar: "try", ast.AsyncFor: "async for", ast.AsyncWith: "async with",
    ast.AsyncFunctionDef: "async def", ast.ClassDef: "class", ast.Global: "global", ast.Nonlocal: "nonlocal",
    ast.Delete: "del", ast.Yield: "yield", ast.YieldFrom: "yield from", ast.Await: "await", ast.NamedExpr: ":=",
}  # fmt: skip
"""What has no meaning in a kernel, as it is written."""


@dataclass(frozen=True)
class Source:
    """A function's body, ready to be traced, and where it is."""

    name: str
    file: str
    line: int
    body: tuple[Statement, ...]
    names: frozenset[str]


def read(function: Callable[..., Any]) -> Source:
    """Prepare a Python function.

    Raises:
        WeftError: the source is not to be had (a function made in an interactive prompt without history, say).
        CompileError: a statement has no meaning in a kernel; with its line.
    """
    if function.__name__ == "<lambda>":
        raise WeftError("a kernel must be a function defined by `def`")
    try:
        lines, start = inspect.getsourcelines(function)
    except (OSError, TypeError) as failure:
        raise WeftError(
            f"the source of '{function.__name__}' cannot be read",
            hint="define the kernel in a file or a notebook cell",
        ) from failure
    file = inspect.getsourcefile(function) or "<unknown>"
    tree = ast.parse(textwrap.dedent("".join(lines)))
    ast.increment_lineno(tree, max(start, 1) - 1)
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise WeftError("a kernel must be a function defined by `def`")
    mentioned = frozenset(node.id for node in ast.walk(definition) if isinstance(node, ast.Name))
    reader = _Reader(file)
    Matches(reader.error).visit(definition)
    reader.check(definition)
    return Source(definition.name, file, definition.lineno, reader.block(_left_early(definition.body)), mentioned)


class _Reader:
    def __init__(self, file: str) -> None:
        self._file = file

    def block(self, statements: list[ast.stmt]) -> tuple[Statement, ...]:
        """Statements, neighbouring simple ones as one."""
        result: list[Statement] = []
        simple: list[ast.stmt] = []
        for statement in statements:
            compound = self._compound(statement)
            if compound is None:
                simple.append(_CONDITIONS.visit(statement))
                continue
            self._flush(simple, result)
            result.append(compound)
        self._flush(simple, result)
        return tuple(result)

    def _flush(self, simple: list[ast.stmt], result: list[Statement]) -> None:
        if simple:
            module = ast.fix_missing_locations(ast.Module(list(simple), []))
            result.append(Simple(compile(module, self._file, "exec")))
            simple.clear()

    def _compound(self, s: ast.stmt) -> Statement | None:
        match s:
            case ast.For():
                return self._loop(s, s.iter, self._bind(s.target), _assigned([s.target]))
            case ast.While():
                return self._loop(s, s.test, None, ())
            case ast.If():
                names = _assigned([*s.body, *s.orelse])
                return Branch(s.lineno, self._value(s.test), self.block(s.body), self.block(s.orelse), names)
            case ast.With():
                inner = self.block(s.body)
                for item in reversed(s.items):
                    bind = self._bind(item.optional_vars) if item.optional_vars is not None else None
                    inner = (With(s.lineno, self._value(item.context_expr), bind, inner),)
                return inner[0]
            case ast.Return() | ast.Break() | ast.Continue():
                return Leave(s.lineno, type(s).__name__.lower())
            case _:
                return None

    def _loop(self, s: ast.For | ast.While, head: ast.expr, bind: CodeType | None, targets: tuple[str, ...]) -> Loop:
        """A loop; one with a `break` goes on, or does anything, only while its flag is not set."""
        if s.orelse:
            raise self.error(s, "a loop in a kernel cannot have an else")
        flag: str | None = f"{FLAG}{s.lineno}_{s.col_offset}"
        body = _left_early(s.body, flag)
        names = _assigned(body)
        if flag not in names:
            flag = None
        else:
            going = ast.copy_location(ast.UnaryOp(ast.Not(), ast.Name(flag, ast.Load())), s)
            if isinstance(s, ast.While):
                head = ast.copy_location(ast.BoolOp(ast.And(), [going, head]), s)
            else:
                body = list[ast.stmt]([ast.copy_location(ast.If(going, body, []), s)])
        return Loop(s.lineno, self._value(head), bind, targets, flag, self.block(body), names)

    def _value(self, expression: ast.expr) -> CodeType:
        body = _CONDITIONS.visit(expression)
        return compile(ast.fix_missing_locations(ast.Expression(body)), self._file, "eval")

    def _bind(self, target: ast.expr) -> CodeType:
        load = ast.copy_location(ast.Name(RESULT, ast.Load()), target)
        assign = ast.copy_location(ast.Assign([target], load), target)
        return compile(ast.fix_missing_locations(ast.Module([assign], [])), self._file, "exec")

    def check(self, definition: ast.FunctionDef) -> None:
        """Refuse what has no meaning in a kernel, functions inside it left out."""
        pending: list[ast.AST] = list(definition.body)
        while pending:
            node = pending.pop()
            name = _NAMES_OF.get(type(node))
            if name is not None:
                raise self.error(node, f"'{name}' is not supported in a kernel")
            if not isinstance(node, ast.FunctionDef | ast.Lambda):
                pending.extend(ast.iter_child_nodes(node))

    def error(self, node: Any, message: str) -> CompileError:
        """An error at a node of the function's source."""
        return CompileError(message, with_source(Position(node.lineno, node.col_offset + 1, self._file)))


def _left_early(statements: list[ast.stmt], flag: str | None = None) -> list[ast.stmt]:
    """Statements that end at their end: of a loop whose flag this is, or (without one) of a function.

    A `return`, `break` or `continue` inside another loop or a `with` stays.
    """
    result: list[ast.stmt] = []
    for at, s in enumerate(statements):
        if isinstance(s, ast.Return) and flag is None:
            value = s.value if s.value is not None else ast.Constant(None)
            return [*result, _assignment(RETURNED, value, s)]
        if isinstance(s, ast.Break | ast.Continue) and flag is not None:
            return [*result, _assignment(flag, ast.Constant(True), s)] if isinstance(s, ast.Break) else result
        if isinstance(s, ast.If) and _leaves(s, in_loop=flag is not None):
            rest = statements[at + 1 :]
            arms = ([*s.body, *rest], [*s.orelse, *copy.deepcopy(rest)])
            body, other = (_left_early(arm, flag) for arm in arms)
            return [*result, ast.copy_location(ast.If(s.test, body, other), s)]
        result.append(s)
    return result


def _leaves(s: ast.If, *, in_loop: bool) -> bool:
    """Whether a statement under an `if` (or one under that) leaves the loop or the function."""
    kinds = (ast.Break, ast.Continue) if in_loop else (ast.Return,)
    return any(
        isinstance(each, kinds) or (isinstance(each, ast.If) and _leaves(each, in_loop=in_loop))
        for each in (*s.body, *s.orelse)
    )


def _assignment(name: str, value: ast.expr, at: ast.stmt) -> ast.stmt:
    target = ast.copy_location(ast.Name(name, ast.Store()), at)
    return ast.copy_location(
        ast.Assign([target], ast.copy_location(value, at) if not hasattr(value, "lineno") else value), at
    )


def _assigned(statements: Sequence[ast.AST]) -> tuple[str, ...]:
    """The names that statements bind, nested functions' own left out."""
    found: dict[str, None] = {}
    pending: list[ast.AST] = list(statements)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        if isinstance(node, ast.FunctionDef):
            found[node.name] = None
        elif not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            pending.extend(ast.iter_child_nodes(node))
    return tuple(sorted(found))


class _Conditions(ast.NodeTransformer):
    """Python's lazy conditions as calls."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """`a and b` as `__weft_and__(a, lambda: b)`."""
        name = AND if isinstance(node.op, ast.And) else OR
        values = [self.visit(value) for value in node.values]
        result = values[-1]
        for value in reversed(values[:-1]):
            result = _call(node, name, value, _later(result))
        return result

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """`not a` as `__weft_not__(a)`."""
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            return _call(node, NOT, operand)
        node.operand = operand
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        """`x if c else y` as `__weft_choose__(c, lambda: x, lambda: y)`."""
        test, body, other = self.visit(node.test), self.visit(node.body), self.visit(node.orelse)
        return _call(node, CHOOSE, test, _later(body), _later(other))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """`a <= b < c` as `a <= b and b < c`, `a is True` and `a in b` as calls."""
        node.left = self.visit(node.left)
        node.comparators = [self.visit(value) for value in node.comparators]
        if len(node.ops) == 1:
            return _identity(node)
        operands = [node.left, *node.comparators]
        parts: list[ast.expr] = [
            _identity(ast.copy_location(ast.Compare(operands[at], [op], [operands[at + 1]]), node))
            for at, op in enumerate(node.ops)
        ]
        result = parts[-1]
        for part in reversed(parts[:-1]):
            result = _call(node, AND, part, _later(result))
        return result

    def visit_Assert(self, node: ast.Assert) -> ast.stmt:
        """`assert c, message` as `__weft_check__(c, message)`."""
        arguments = [self.visit(each) for each in (node.test, node.msg) if each is not None]
        return ast.copy_location(ast.Expr(_call(node, CHECK, *arguments)), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Functions inside a kernel are Python's own."""
        return node


def _identity(node: ast.Compare) -> ast.expr:
    """A comparison of two values: with True or False, and with several, it may be of what only the GPU knows."""
    op, value = node.ops[0], node.comparators[0]
    if isinstance(op, ast.In | ast.NotIn):
        result = _call(node, IN, node.left, value)
    elif isinstance(op, ast.Is | ast.IsNot) and isinstance(value, ast.Constant) and isinstance(value.value, bool):
        result = _call(node, IS, node.left, value)
    else:
        return node
    return result if isinstance(op, ast.In | ast.Is) else _call(node, NOT, result)


_CONDITIONS = _Conditions()


def _later(value: ast.expr) -> ast.expr:
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.copy_location(ast.Lambda(nothing, value), value)


def _call(at: ast.AST, name: str, *arguments: ast.expr) -> ast.expr:
    function = ast.copy_location(ast.Name(name, ast.Load()), at)  # type: ignore[arg-type]
    return ast.copy_location(ast.Call(function, list(arguments), []), at)  # type: ignore[arg-type]
