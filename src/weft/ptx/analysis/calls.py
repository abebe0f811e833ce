"""The call graph of a module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

from weft.dataclass import dataclass
from weft.ptx.analysis.names import Scope, scoped_statements
from weft.ptx.ast import Function, Instruction, Module
from weft.ptx.directive_nodes import TargetList
from weft.ptx.operands import Register, Symbol


@dataclass(frozen=True, eq=False)
class CallGraph:
    """Who calls whom.

    `calls` maps every function of the module to its callees, each with the number of calls in the text; an indirect
    call with a `.calltargets` list counts once for each of its targets.  `indirect` counts the calls whose callee is
    not in the text; `external` are the callees that the module does not define.
    """

    calls: Mapping[str, Mapping[str, int]]
    indirect: Mapping[str, int]
    external: frozenset[str]

    @cached_property
    def callers(self) -> dict[str, tuple[str, ...]]:
        """By callee, the functions that call it."""
        found: dict[str, list[str]] = {}
        for caller, callees in self.calls.items():
            for callee in callees:
                found.setdefault(callee, []).append(caller)
        return {callee: tuple(callers) for callee, callers in found.items()}

    def reachable(self, name: str) -> frozenset[str]:
        """The functions that a call of `name` may run by direct calls, itself included."""
        found: set[str] = set()
        todo = [name]
        while todo:
            current = todo.pop()
            if current not in found:
                found.add(current)
                todo.extend(self.calls.get(current, ()))
        return frozenset(found)

    @cached_property
    def recursive(self) -> frozenset[str]:
        """The functions that may call themselves, directly or through others."""
        place: dict[str, int] = {}
        low: dict[str, int] = {}
        path: list[str] = []
        on_path: set[str] = set()
        found: set[str] = set()
        for root in self.calls:
            stack = [] if root in place else [(root, iter(self.calls[root]))]
            while stack:  # Tarjan's strongly connected components, without recursion
                name, rest = stack[-1]
                if name not in place:
                    place[name] = low[name] = len(place)
                    path.append(name)
                    on_path.add(name)
                for callee in rest:
                    if callee not in place:
                        stack.append((callee, iter(self.calls.get(callee, ()))))
                        break
                    if callee in on_path:
                        low[name] = min(low[name], low[callee])
                else:
                    stack.pop()
                    if stack:
                        low[stack[-1][0]] = min(low[stack[-1][0]], low[name])
                    if low[name] == place[name]:
                        found |= self._component(path, on_path, name)
        return frozenset(found)

    def _component(self, path: list[str], on_path: set[str], root: str) -> set[str]:
        """Take a component off the path; its members when it is a cycle."""
        start = path.index(root)
        members = set(path[start:])
        del path[start:]
        on_path -= members
        return members if len(members) > 1 or root in self.calls.get(root, ()) else set()


def call_graph(module: Module | Iterable[Function]) -> CallGraph:
    """The call graph of a module, or of some functions; one that is only declared has no calls."""
    calls: dict[str, Counter[str]] = {}
    indirect: Counter[str] = Counter()
    defined: set[str] = set()
    for function in module.functions if isinstance(module, Module) else module:
        callees = calls.setdefault(function.name, Counter())
        if function.body is not None:
            defined.add(function.name)
            indirect[function.name] += _count_calls(function, callees)
    external = frozenset(callee for callees in calls.values() for callee in callees if callee not in defined)
    return CallGraph(calls, {name: count for name, count in indirect.items() if count}, external)


def _count_calls(function: Function, callees: Counter[str]) -> int:
    """Count a function's callees; returns how many calls have none in the text."""
    unknown = 0
    for scope, statement in scoped_statements(function):
        if isinstance(statement, Instruction) and statement.opcode.effects.control == "call":
            names = _callees(statement, scope)
            callees.update(names)
            unknown += not names
    return unknown


def _callees(call: Instruction, scope: Scope) -> list[str]:
    named = call.named
    callee = named.get("f")
    if isinstance(callee, Symbol) and scope.register(Register(callee.name)) is None:
        return [callee.name]
    targets = named.get("targets")
    table = scope.tables.find(targets.name) if isinstance(targets, Symbol) else None
    if not isinstance(table, TargetList) or table.name != "calltargets":
        return []
    return list(dict.fromkeys(table.names))
