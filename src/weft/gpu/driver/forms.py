"""Further forms of functions that are there: those for programs whose threads have default streams, and older ones."""

from __future__ import annotations

import re

from weft.gpu.driver.table import Call

_IN_STREAMS = re.compile(
    r"cu(da)?(Mem\w+Async|Mem(cpy|set)|Mem\w+Batch|(Malloc|Free)(FromPool)?Async|EventRecord|Launch|FabricCpy"
    r"|Stream(?!Create|Destroy|\w*PriorityRange)|Graph(Launch|Upload|InstantiateWith)|Graphics(Un)?[mM]apResources|MemMapArray"
    r"|(Signal|Wait)ExternalSem|GetDriverEntryPoint)"
)
"""Functions that are given a stream, or use the default one."""
_WAITING = re.compile(r"cu(da)?Mem(cpy|set)(?!\w*(Async|Batch))")
SAME = """
cuCtxCreate cuCtxDestroy cuCtxPopCurrent cuCtxPushCurrent cuDevicePrimaryCtxRelease cuDevicePrimaryCtxReset
cuDevicePrimaryCtxSetFlags cuEventDestroy cuIpcOpenMemHandle cuLinkAddData cuLinkAddFile cuLinkCreate cuMemHostRegister
cuStreamDestroy
"""
"""Those whose first form takes what the second one does; programs that look for names by themselves ask for it."""


def add_forms(table: dict[str, Call], same: str = "") -> None:
    """Register them beside the functions of a table, and the first forms of the `same` names.

    CUDA's headers name the forms `_ptds` where the host waits for what is done, and `_ptsz` elsewhere.
    """
    for name in same.split():
        table.setdefault(name, _renamed(table[f"{name}_v2"], name))
    for call in tuple(table.values()):
        if _IN_STREAMS.match(call.name):
            name = f"{call.name}_ptds" if _WAITING.match(call.name) else f"{call.name}_ptsz"
            table.setdefault(name, _renamed(call, name))


def _renamed(call: Call, name: str) -> Call:
    return Call(name, call.arguments, call.function)
