"""`fabric.*`: transfers between GPUs through the memory of a fabric, their groups and what waits for them."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form, row

_MANUAL = "data-movement-and-conversion-instructions-fabric"
_EFFECTS = Effects(barrier=True)

SUBMIT = Family(
    "fabric.submit",
    "Hand the thread's transfers through the fabric over, or with .op_restrict::fetching those that fetch.",
    manual=_MANUAL,
    effects=_EFFECTS,
    forms=(Form("fabric.submit{.op_restrict}", slots={"op_restrict": "op_restrict::fetching"}, ptx="9.3", sm="100+"),),
)

COMMIT_GROUP = Family(
    "fabric.submit.commit_group",
    "Hand the thread's transfers through the fabric over as a new group.",
    manual=_MANUAL,
    effects=_EFFECTS,
    forms=(Form("fabric.submit.commit_group", ptx="9.5", sm="100+"),),
)

WAIT = Family(
    "fabric.wait",
    "Wait until the sources of the thread's transfers are read, or those of all but the n newest groups.",
    manual=_MANUAL,
    effects=_EFFECTS,
    forms=(
        Form("fabric.wait.sync_restrict", slots={"sync_restrict": "sync_restrict::reads"}, ptx="9.3", sm="100+"),
        Form(
            "fabric.wait.sync_restrict n",
            slots={"sync_restrict": "sync_restrict::read sync_restrict::reads"},
            args={"n": Arg(type="u32", reg=False)},
            rows=(row(sync_restrict="sync_restrict::read", ptx="9.5"), row(sync_restrict="sync_restrict::reads")),
            ptx="9.3",
            sm="100+",
        ),
    ),
)

FAMILIES = (SUBMIT, COMMIT_GROUP, WAIT)
