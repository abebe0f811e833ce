"""What a module does, without running it: control flow, liveness, calls, instruction mix, memory traffic, queries.

    from weft.ptx.analysis import cfg, liveness, call_graph, mix, traffic

Everything reads the ISA table for what an instruction reads, writes and does; there is no list of instructions here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft import lazily

if TYPE_CHECKING:
    from weft.ptx.analysis.calls import CallGraph as CallGraph
    from weft.ptx.analysis.calls import call_graph as call_graph
    from weft.ptx.analysis.demangled import demangle as demangle
    from weft.ptx.analysis.flow import ControlFlow as ControlFlow
    from weft.ptx.analysis.flow import cfg as cfg
    from weft.ptx.analysis.live import Liveness as Liveness
    from weft.ptx.analysis.live import liveness as liveness
    from weft.ptx.analysis.memory import Traffic as Traffic
    from weft.ptx.analysis.memory import traffic as traffic
    from weft.ptx.analysis.query import compile_query as compile_query
    from weft.ptx.analysis.sources import source_map as source_map
    from weft.ptx.analysis.summary import mix as mix
    from weft.ptx.analysis.summary import summarize as summarize

_HOME = {
    "CallGraph": ".calls",
    "ControlFlow": ".flow",
    "Liveness": ".live",
    "Traffic": ".memory",
    "call_graph": ".calls",
    "cfg": ".flow",
    "compile_query": ".query",
    "demangle": ".demangled",
    "liveness": ".live",
    "mix": ".summary",
    "source_map": ".sources",
    "summarize": ".summary",
    "traffic": ".memory",
}

__getattr__, __dir__ = lazily.named(__name__, _HOME)
