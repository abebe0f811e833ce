"""The call graph of a module as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from weft.ptx.analysis.calls import CallGraph


def call_lines(graph: CallGraph, callers: Iterable[str], called: Callable[[str], str]) -> Iterator[str]:
    """A line for each of some functions that calls, and one for each of its callees with the number of calls.

    `called` gives the spelling of a name.
    """
    for caller in dict.fromkeys(callers):
        callees = graph.calls[caller]
        unknown = graph.indirect.get(caller, 0)
        if not callees and not unknown:
            continue
        yield called(caller) + (" (may call itself)" if caller in graph.recursive else "")
        for callee, count in callees.items():
            where = ", defined elsewhere" if callee in graph.external else ""
            yield f"  {called(callee)}: {count}{where}"
        if unknown:
            yield f"  a function known at run time: {unknown}"
