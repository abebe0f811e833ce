"""`clusterlaunchcontrol.*`: take over a cluster of the grid that has not started yet."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form, need

TRY_CANCEL = Family(
    "clusterlaunchcontrol.try_cancel",
    "Ask asynchronously that a cluster not be launched; the 16-byte answer goes to shared memory.",
    manual="parallel-synchronization-and-communication-instructions-clusterlaunchcontrol-try-cancel",
    leading="async",
    semantics="later: *a = answer;  then mbar.tx -= 16",
    effects=Effects(memory="w", space="shared"),
    forms=(
        Form(
            "clusterlaunchcontrol.try_cancel.async{.ss}.completion_mechanism{.multicast}.type [a], [mbar]",
            slots={
                "ss": "shared::cta",
                "completion_mechanism": "mbarrier::complete_tx::bytes",
                "multicast": "multicast::cluster::all",
                "type": "b128",
            },
            args={"a": Arg(space="shared", access="w"), "mbar": Arg(space="shared", access="rw")},
            needs=(need(multicast=True, sm="100f+ 120f+"),),
            ptx="8.6",
            sm="100+",
        ),
    ),
)

QUERY_CANCEL = Family(
    "clusterlaunchcontrol.query_cancel",
    "Read the answer of try_cancel: whether a cluster was taken over, and the index of its first CTA.",
    manual="parallel-synchronization-and-communication-instructions-clusterlaunchcontrol-query-cancel",
    forms=(
        Form(
            "clusterlaunchcontrol.query_cancel.query.type.response d, try_cancel_response",
            slots={"query": "is_canceled", "type": "pred", "response": "b128"},
            args={"try_cancel_response": Arg(type="b128")},
            ptx="8.6",
            sm="100+",
        ),
        Form(
            "clusterlaunchcontrol.query_cancel.query.type.response d, try_cancel_response",
            slots={
                "query": "get_first_ctaid::x get_first_ctaid::y get_first_ctaid::z",
                "type": "b32",
                "response": "b128",
            },
            args={"try_cancel_response": Arg(type="b128")},
            ptx="8.6",
            sm="100+",
        ),
        Form(
            "clusterlaunchcontrol.query_cancel.query.vec.type.response {d}, try_cancel_response",
            slots={"query": "get_first_ctaid", "vec": "v4", "type": "b32", "response": "b128"},
            args={"d": Arg(count=4), "try_cancel_response": Arg(type="b128")},
            ptx="8.6",
            sm="100+",
        ),
    ),
)

FAMILIES = (TRY_CANCEL, QUERY_CANCEL)
