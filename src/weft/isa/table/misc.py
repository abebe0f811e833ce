"""`nanosleep`, `pmevent`, `griddepcontrol`, `setmaxnreg`: pauses, events, dependent launches and register counts."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form

NANOSLEEP = Family(
    "nanosleep",
    "Suspend the thread for about the given number of nanoseconds (at most twice as long).",
    manual="miscellaneous-instructions-nanosleep",
    effects=Effects(volatile=True),
    forms=(Form("nanosleep.type t", slots={"type": "u32"}, ptx="6.2", sm="70+"),),
)

PMEVENT = Family(
    "pmevent",
    "Trigger performance monitor events: one by number, or several by mask.",
    manual="miscellaneous-instructions-pmevent",
    effects=Effects(volatile=True),
    forms=(
        Form("pmevent a", args={"a": Arg(type="u32", reg=False, values=range(16))}, ptx="1.4"),
        Form(
            "pmevent.mask a",
            slots={"mask": "mask"},
            args={"a": Arg(type="u32", reg=False, values=range(1 << 16))},
            ptx="3.0",
            sm="20+",
        ),
    ),
)

GRIDDEPCONTROL = Family(
    "griddepcontrol",
    "Let dependent grids start, or wait for the grids this one depends on.",
    manual="parallel-synchronization-and-communication-instructions-griddepcontrol",
    effects=Effects(barrier=True),
    forms=(Form("griddepcontrol.action", slots={"action": "launch_dependents wait"}, ptx="7.8", sm="90+"),),
)

SETMAXNREG_TARGETS = "90a 100f+ 120f+"

SETMAXNREG = Family(
    "setmaxnreg",
    "Raise or lower the number of registers per thread, for all warps of a warpgroup together.",
    manual="miscellaneous-instructions-setmaxnreg",
    leading="inc dec",
    effects=Effects(collective="warpgroup", volatile=True),
    forms=(
        Form(
            "setmaxnreg.action.sync.aligned.type count",
            slots={"action": "inc dec", "type": "u32"},
            args={"count": Arg(reg=False, values=range(24, 257, 8))},
            ptx="8.0",
            sm=SETMAXNREG_TARGETS,
        ),
    ),
)

FAMILIES = (NANOSLEEP, PMEVENT, GRIDDEPCONTROL, SETMAXNREG)
