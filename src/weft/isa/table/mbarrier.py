"""`mbarrier.*`: barriers in shared memory that count arrivals and bytes of asynchronous copies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from weft.isa.form import Arg, Effects, Family, Form, Row, need, row
from weft.isa.table import _memory as m
from weft.isa.table.common import LAYOUTS, RUBIN

MAX_COUNT = (1 << 20) - 1
"""Largest expected arrival count, and largest transaction count."""

_LOCAL = "shared shared::cta"
_SCOPES = "cta cluster"
_STATE = Arg(type="u64")
_COUNT = Arg(type="u32")
_ARRIVALS = Arg(type="u32", values=range(1, 1 << 32), lenient="longer more")
_UNORDERED: dict[str, Any] = {"sem": False, "scope": False}
_SPACE = (need(ss="shared::cta", ptx="7.8"),)
_CLUSTER = (need(scope="cluster", sm="90+"),)


def _orders(default: str) -> tuple[Row, ...]:
    """The orders of arrivals (`release`) and waits (`acquire`): none, the default spelled out, or relaxed."""
    return (
        row(**_UNORDERED),
        row(sem=default, scope=True, ptx="8.0"),
        row(sem="relaxed", scope=True, ptx="8.6", sm="90+"),
    )


_NEEDS = (*_SPACE, *_CLUSTER)

_LAYOUT = "layout::v0 layout::v1"
_INIT_ARGS = {
    "a": Arg(space="ss", access="w", within="shared", wide=True, whole=True),
    "count": Arg(type="u32", values=range(1, MAX_COUNT + 1)),
}
_MULTICAST = {"ss": "shared::cluster", "multicast": m.WIDE_MULTICAST, "type": "b64"}
"""Arrivals at barriers of many CTAs of a cluster: those of a mask."""

_CTA_MASK = Arg(type="u32", values=range(1 << 32))

INIT = Family(
    "mbarrier.init",
    "Initialize an mbarrier whose phases complete after `count` arrivals.",
    manual="parallel-synchronization-and-communication-instructions-mbarrier-init",
    semantics="*a = mbarrier(phase 0, expected = pending = count, tx = 0)",
    effects=Effects(memory="w", space="shared"),
    forms=(
        Form(
            "mbarrier.init{.ss}.type [a], count",
            slots={"ss": _LOCAL, "type": "b64"},
            args=_INIT_ARGS,
            needs=_SPACE,
            ptx="7.0",
            sm="80+",
        ),
        Form(
            "mbarrier.init.layout{.ss}.type [a], count",
            slots={"layout": _LAYOUT, "ss": _LOCAL, "type": "b64"},
            args=_INIT_ARGS,
            **LAYOUTS,
        ),
    ),
)

CHECK_LAYOUT = Family(
    "mbarrier.check_layout",
    "Test whether an mbarrier has a given layout.",
    manual="parallel-synchronization-and-communication-instructions-mbarrier",
    semantics="p = *a has the layout",
    effects=Effects(memory="r", space="shared"),
    forms=(
        Form(
            "mbarrier.check_layout.layout{.ss}.type p, [a]",
            slots={"layout": _LAYOUT, "ss": _LOCAL, "type": "b64"},
            args={"a": Arg(space="ss", wide=True)},
            **LAYOUTS,
        ),
    ),
)

INVAL = Family(
    "mbarrier.inval",
    "Invalidate an mbarrier so that its memory can be reused.",
    manual="parallel-synchronization-and-communication-instructions-mbarrier-inval",
    effects=Effects(memory="w", space="shared"),
    forms=(
        Form(
            "mbarrier.inval{.ss}.type [a]",
            slots={"ss": _LOCAL, "type": "b64"},
            args={"a": Arg(space="ss", access="w", within="shared", wide=True, whole=True)},
            needs=_SPACE,
            ptx="7.0",
            sm="80+",
        ),
    ),
)


def _tx(stem: str, summary: str, semantics: str) -> Family:
    """`mbarrier.expect_tx` and `mbarrier.complete_tx`: the same forms, opposite signs."""
    return Family(
        stem,
        summary,
        manual=f"parallel-synchronization-and-communication-instructions-{stem.replace('.', '-').replace('_', '-')}",
        semantics=semantics,
        effects=Effects(memory="rw", space="shared"),
        forms=(
            Form(
                f"{stem}{{.sem}}{{.scope}}{{.ss}}.type [a], tx_count",
                slots={"sem": "relaxed", "scope": _SCOPES, "ss": m.SHARED, "type": "b64"},
                args={"a": Arg(space="ss", access="rw", within="shared", wide=True, whole=True), "tx_count": _COUNT},
                rows=(row(**_UNORDERED), row(sem="relaxed", scope=True)),
                ptx="8.0",
                sm="90+",
            ),
            Form(
                f"{stem}{{.sem}}{{.scope}}{{.ss}}.multicast.type [a], tx_count, cta_mask",
                slots={"sem": "relaxed", "scope": _SCOPES, **_MULTICAST},
                args={
                    "a": Arg(space="ss", access="rw", within="shared", wide=True, whole=True),
                    "tx_count": Arg(type="u32"),
                    "cta_mask": _CTA_MASK,
                },
                rows=(row(**_UNORDERED), row(sem="relaxed", scope=True)),
                **RUBIN,
            ),
        ),
    )


EXPECT_TX = _tx("mbarrier.expect_tx", "Expect more bytes of asynchronous copies in this phase.", "a.tx += tx_count")
COMPLETE_TX = _tx(
    "mbarrier.complete_tx", "Count bytes as copied, as an asynchronous copy does when it completes.", "a.tx -= tx_count"
)


def _arrivals(stem: str, needs: tuple[Row, ...]) -> tuple[Form, ...]:
    """The forms of `mbarrier.arrive` and `mbarrier.arrive_drop`.

    The state goes to a register, or to `_`; a barrier of another CTA (`.shared::cluster`) returns none.
    """
    ordered = {"sem": "release relaxed", "scope": _SCOPES}
    here = {"ss": _LOCAL, "type": "b64"}
    anywhere = {"ss": "shared::cluster", "type": "b64"}
    address = Arg(space="ss", access="rw", within="shared", wide=True, whole=True)
    local = {"d": Arg(type="u64", sink=True), "a": address, "count": _ARRIVALS, "tx_count": _COUNT}
    remote = {**local, "d": Arg(type="u64", sink=True, reg=False)}
    unnamed = Arg(type="u64", sink=True, reg=False, lenient=lambda slots: "" if slots["ss"] else "register")
    many = {**local, "d": unnamed, "tx_count": Arg(type="u32"), "cta_mask": _CTA_MASK}
    return (
        Form(
            f"{stem}{{.sem}}{{.scope}}{{.ss}}.type d, [a]{{, count}}",
            slots={**ordered, **here},
            args=local,
            rows=_orders("release"),
            needs=(*_NEEDS, *needs, need(has="count", ptx="7.8", sm="90+")),
            ptx="7.0",
            sm="80+",
        ),
        Form(
            f"{stem}.noComplete{{.sem}}{{.scope}}{{.ss}}.type d, [a], count",
            slots={"noComplete": "noComplete", "sem": "release", "scope": "cta", **here},
            args=local,
            rows=(row(**_UNORDERED), row(sem="release", scope="cta", ptx="8.0")),
            needs=(*_SPACE, *needs),
            ptx="7.0",
            sm="80+",
        ),
        Form(
            f"{stem}.expect_tx{{.sem}}{{.scope}}{{.ss}}.type d, [a], tx_count",
            slots={"expect_tx": "expect_tx", **ordered, **here},
            args=local,
            rows=_orders("release"),
            ptx="8.0",
            sm="90+",
        ),
        Form(
            f"{stem}{{.sem}}{{.scope}}.ss.type d, [a]{{, count}}",
            slots={**ordered, **anywhere},
            args=remote,
            rows=_orders("release"),
            ptx="8.0",
            sm="90+",
        ),
        Form(
            f"{stem}.expect_tx{{.sem}}{{.scope}}.ss.type d, [a], tx_count",
            slots={"expect_tx": "expect_tx", **ordered, **anywhere},
            args=remote,
            rows=_orders("release"),
            ptx="8.0",
            sm="90+",
        ),
        Form(
            f"{stem}{{.sem}}{{.scope}}{{.ss}}.multicast.type d, [a]{{, count}}, cta_mask",
            slots={**ordered, **_MULTICAST},
            args=many,
            rows=_orders("release"),
            **RUBIN,
        ),
        Form(
            f"{stem}.expect_tx{{.sem}}{{.scope}}{{.ss}}.multicast.type d, [a], tx_count, cta_mask",
            slots={"expect_tx": "expect_tx", **ordered, **_MULTICAST},
            args=many,
            rows=_orders("release"),
            **RUBIN,
        ),
    )


_ARRIVAL = Effects(memory="rw", space="shared", barrier=True)

ARRIVE = Family(
    "mbarrier.arrive",
    "Count an arrival at an mbarrier and return the state of its phase.",
    manual="parallel-synchronization-and-communication-instructions-mbarrier-arrive",
    leading="expect_tx",
    semantics="d = state of a;  [a.tx += tx_count;]  a.pending -= count (default 1)\n"
    "when a.pending == 0 and a.tx == 0: a.phase += 1, a.pending = a.expected",
    effects=_ARRIVAL,
    forms=_arrivals("mbarrier.arrive", (need(has="_", ptx="7.1"),)),
)

ARRIVE_DROP = Family(
    "mbarrier.arrive_drop",
    "Count an arrival at an mbarrier and expect correspondingly fewer in later phases.",
    manual="parallel-synchronization-and-communication-instructions-mbarrier-arrive-drop",
    leading="expect_tx",
    semantics="d = state of a;  [a.tx += tx_count;]  a.expected -= count;  a.pending -= count (default 1)",
    effects=_ARRIVAL,
    forms=_arrivals("mbarrier.arrive_drop", ()),
)

PENDING_COUNT = Family(
    "mbarrier.pending_count",
    "Get the number of pending arrivals from the state that an arrival returned.",
    manual="parallel-synchronization-and-communication-instructions-mbarrier-pending-count",
    forms=(
        Form(
            "mbarrier.pending_count.type d, state",
            slots={"type": "b64"},
            args={"d": Arg(type="u32"), "state": _STATE},
            ptx="7.0",
            sm="80+",
        ),
    ),
)


def _waits(stem: str, hint: str, parity: Row, ptx: str, sm: str) -> tuple[Form, ...]:
    """Waits on a state and on a phase parity; `hint` is the optional operand of the blocking ones."""
    ordered = {"sem": "acquire relaxed", "scope": _SCOPES, "ss": _LOCAL, "type": "b64"}
    args = {
        "p": Arg(type="pred"),
        "a": Arg(space="ss", within="shared", wide=True, whole=True),
        "state": _STATE,
        "parity": Arg(type="u32", values=(0, 1)),
        "hint": Arg(type="u32"),
    }
    rest: dict[str, Any] = {"args": args, "rows": _orders("acquire"), "ptx": ptx, "sm": sm}
    return (
        Form(f"{stem}{{.sem}}{{.scope}}{{.ss}}.type p, [a], state{hint}", slots=ordered, needs=_NEEDS, **rest),
        Form(
            f"{stem}.parity{{.sem}}{{.scope}}{{.ss}}.type p, [a], parity{hint}",
            slots={"parity": "parity", **ordered},
            needs=(*_NEEDS, parity),
            **rest,
        ),
        *_reporting_waits(stem, hint),
    )


def _reporting_waits(stem: str, hint: str) -> Iterator[Form]:
    """Waits on the primary phase that also say whether a report was seen, and which; and those on the other phase."""
    args = {
        "p": Arg(type="pred"),
        "q": Arg(type="pred", sink=True),
        "report": Arg(type="b8", access="w", imm=False),
        "a": Arg(space="ss", within="shared", wide=True, whole=True),
        "state": _STATE,
        "hint": Arg(type="u32"),
    }
    bits: dict[str, Any] = {"parity": Arg(type="u32", values=(0, 1))}
    slots = {"sem": "acquire relaxed", "scope": _SCOPES, "ss": _LOCAL, "type": "b64"}
    any_: dict[str, Any] = {"parity": Arg(type="u32")}
    for kind, seen, what, more in (
        ("primary", "p{|q}", "state", {}),
        ("primary", "p{|q}, report", "state", {}),
        ("primary", "p{|q}", "parity", bits),
        ("primary", "p{|q}, report", "parity", any_),
        ("conditional", "p", "parity", bits),
    ):
        parity = {"parity": "parity"} if what == "parity" else {}
        yield Form(
            f"{stem}{'.parity' if parity else ''}.phase_type{{.sem}}{{.scope}}{{.ss}}.type {seen}, [a], {what}{hint}",
            slots={**parity, "phase_type": f"phase_type::{kind}", **slots},
            args={**args, **more},
            rows=_orders("acquire"),
            **LAYOUTS,
        )


_WAIT = Effects(memory="r", space="shared", barrier=True, volatile=True)

TEST_WAIT = Family(
    "mbarrier.test_wait",
    "Test whether a phase of an mbarrier has completed, without waiting.",
    manual="parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait",
    leading="parity",
    semantics="p = phase of the state (or of that parity) has completed",
    effects=_WAIT,
    forms=_waits("mbarrier.test_wait", "", need(parity=True, ptx="7.1"), "7.0", "80+"),
)

TRY_WAIT = Family(
    "mbarrier.try_wait",
    "Test whether a phase of an mbarrier has completed, waiting for it up to a time limit (a hint in nanoseconds).",
    manual="parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait",
    leading="parity",
    semantics="p = phase of the state (or of that parity) completed before the limit",
    effects=_WAIT,
    forms=_waits("mbarrier.try_wait", "{, hint}", need(parity=True, ptx="7.8"), "7.8", "90+"),
)

FAMILIES = (INIT, CHECK_LAYOUT, INVAL, EXPECT_TX, COMPLETE_TX, ARRIVE, ARRIVE_DROP, PENDING_COUNT, TEST_WAIT, TRY_WAIT)
