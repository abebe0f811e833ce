"""`membar`, `fence`, `fence.proxy`: ordering of one thread's memory accesses, within and between proxies."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form, need, row
from weft.isa.table import _memory as m

_EFFECTS = Effects(barrier=True)

MEMBAR = Family(
    "membar",
    "Order earlier memory accesses before later ones (older spelling of fence).",
    manual="parallel-synchronization-and-communication-instructions-membar-fence",
    leading="proxy",
    effects=_EFFECTS,
    forms=(
        Form("membar.level", slots={"level": "cta gl sys"}, needs=(need(level="sys", ptx="2.0", sm="20+"),), ptx="1.4"),
        Form(
            "membar.proxy.proxykind",
            slots={"proxykind": "alias async"},
            rows=(row(proxykind="alias", ptx="7.5", sm="60+"), row(proxykind="async", ptx="8.0", sm="90+")),
        ),
    ),
)

FENCE = Family(
    "fence",
    "Order earlier memory accesses before later ones at a scope.",
    manual="parallel-synchronization-and-communication-instructions-membar-fence",
    semantics="the default order is .acq_rel; .sc fences also agree on one total order",
    effects=_EFFECTS,
    forms=(
        Form(
            "fence{.sem}.scope",
            slots={"sem": "sc acq_rel acquire release", "scope": m.SCOPES},
            rows=(row(sem="|sc|acq_rel", ptx="6.0", sm="70+"), row(sem="acquire|release", ptx="8.6", sm="90+")),
            needs=m.SCOPE_NEEDS,
        ),
        Form(
            "fence.sem.sync_restrict.scope",
            slots={
                "sem": "acquire release",
                "sync_restrict": "sync_restrict::shared::cluster sync_restrict::shared::cta",
                "scope": "cluster",
            },
            rows=(
                row(sem="acquire", sync_restrict="sync_restrict::shared::cluster"),
                row(sem="release", sync_restrict="sync_restrict::shared::cta"),
            ),
            ptx="8.6",
            sm="90+",
        ),
        Form(
            "fence.alias.sync_restrict.sem.scope",
            slots={"sync_restrict": "sync_restrict::read", "sem": "release", "scope": "sys"},
            ptx="9.5",
            sm="90+",
        ),
        Form(
            "fence.op_restrict.sem.scope",
            slots={"op_restrict": "mbarrier_init", "sem": "release", "scope": "cluster"},
            ptx="8.0",
            sm="90+",
        ),
    ),
)

_SYNC_RESTRICT = "sync_restrict::shared::cluster sync_restrict::shared::cta sync_restrict::shared::cluster::read"

FENCE_PROXY = Family(
    "fence.proxy",
    "Order accesses through one memory proxy before accesses through another.",
    manual="parallel-synchronization-and-communication-instructions-membar-fence",
    effects=_EFFECTS,
    forms=(
        Form(
            "fence.proxy.proxykind",
            slots={"proxykind": "alias async"},
            rows=(row(proxykind="alias", ptx="7.5", sm="70+"), row(proxykind="async", ptx="8.0", sm="90+")),
        ),
        Form(
            "fence.proxy.proxykind.sem.scope",
            slots={"proxykind": "alias", "sem": "acquire release", "scope": "sys"},
            ptx="9.4",
            sm="90+",
        ),
        Form(
            "fence.proxy.proxykind.alias.sem.scope",
            slots={
                "proxykind": "fabric::fabric fabric::generic generic::fabric",
                "sem": "acquire release acq_rel",
                "scope": "sys",
            },
            ptx="9.3",
            sm="100+",
        ),
        Form(
            "fence.proxy.proxykind.ss",
            slots={"proxykind": "async", "ss": "global shared::cta shared::cluster"},
            ptx="8.0",
            sm="90+",
        ),
        Form(
            "fence.proxy.proxykind.sem.scope",
            slots={"proxykind": "tensormap::generic", "sem": "release acq_rel", "scope": m.SCOPES},
            ptx="8.3",
            sm="90+",
        ),
        Form(
            "fence.proxy.proxykind.sem.scope [addr], size",
            slots={"proxykind": "tensormap::generic", "sem": "acquire", "scope": m.SCOPES},
            args={"addr": Arg(lenient="type number"), "size": Arg(type="u32", reg=False, values=(128,))},
            ptx="8.3",
            sm="90+",
        ),
        Form(
            "fence.proxy.proxykind.sem.scope [addr], size",
            slots={"proxykind": "tensormap::generic", "sem": "acq_rel", "scope": m.SCOPES},
            args={"addr": Arg(lenient="type number present"), "size": Arg(type="u32", reg=False)},
            ptx="8.3",
            sm="90+",
        ),
        Form(
            "fence.proxy.proxykind.sem.sync_restrict.scope",
            slots={
                "proxykind": "async::generic",
                "sem": "acquire release",
                "sync_restrict": _SYNC_RESTRICT,
                "scope": "cta cluster",
            },
            rows=(
                row(sem="acquire", sync_restrict="sync_restrict::shared::cluster", scope="cluster"),
                row(sem="release", sync_restrict="sync_restrict::shared::cta", scope="cluster"),
                row(sem="release", sync_restrict="sync_restrict::shared::cluster::read"),
            ),
            needs=(need(sync_restrict="sync_restrict::shared::cluster::read", ptx="9.4"),),
            ptx="8.6",
            sm="90+",
        ),
    ),
)

FAMILIES = (MEMBAR, FENCE, FENCE_PROXY)
