"""`shfl`, `vote`, `match`, `redux`, `elect`, `activemask`: exchange and agreement between the threads of a warp."""

from __future__ import annotations

from weft.isa.form import Arg, Effects, Family, Form, row

_WARP = Effects(collective="warp")
_MASK = Arg(type="u32", whole=True)
_SOURCE = Arg(whole=True)
KEPLER = "30 32 35 37 50 52 53 60 61 62"
FERMI = f"20 21 {KEPLER}"
"""Targets on which the forms without `.sync` still exist; later targets lost them after PTX 6.3."""

_LOST = ("70+", "6.3")
_LANE = {"p": Arg(sink=True), "b": Arg(type="b32"), "c": Arg(type="b32")}
_WHOLE_LANE = {**_LANE, "a": _SOURCE, "b": Arg(type="b32", whole=True), "c": Arg(type="b32", whole=True)}

SHFL = Family(
    "shfl",
    "Copy a register of another lane of the warp.",
    manual="data-movement-and-conversion-instructions-shfl-sync",
    semantics="segment = c[12:8], bound = c[4:0], j = lane - b (up) | lane + b (down) | lane ^ b (bfly) | b (idx)\n"
    "p = j within the segment's bound;  d = p ? a of lane j : a",
    effects=_WARP,
    forms=(
        Form(
            "shfl.sync.mode.type d{|p}, a, b, c, membermask",
            slots={"mode": "up down bfly idx", "type": "b32"},
            args={**_WHOLE_LANE, "membermask": _MASK},
            ptx="6.0",
            sm="30+",
        ),
        Form(
            "shfl.mode.type d{|p}, a, b, c",
            slots={"mode": "up down bfly idx", "type": "b32"},
            args=_LANE,
            rows=(row(sm=KEPLER), row(sm=_LOST[0], until=_LOST[1])),
            ptx="3.0",
        ),
    ),
)

_VOTE_ROWS = (row(mode="all|any|uni", type="pred"), row(mode="ballot", type="b32"))
_VOTE_ARGS = {"d": Arg(type="type"), "a": Arg(type="pred", imm=True)}

VOTE = Family(
    "vote",
    "Reduce a predicate over the warp, or collect one bit per lane.",
    manual="parallel-synchronization-and-communication-instructions-vote-sync",
    semantics="all: d = every a    any: d = some a    uni: d = all a equal    ballot: d[lane] = a of that lane",
    effects=_WARP,
    forms=(
        Form(
            "vote.sync.mode.type d, !a, membermask",
            slots={"mode": "all any uni ballot", "type": "pred b32"},
            args={**_VOTE_ARGS, "membermask": _MASK},
            rows=_VOTE_ROWS,
            ptx="6.0",
            sm="30+",
        ),
        Form(
            "vote.mode.type d, !a",
            slots={"mode": "all any uni ballot", "type": "pred b32"},
            args=_VOTE_ARGS,
            rows=(
                row(mode="all|any|uni", type="pred", sm=f"12 13 {FERMI}"),
                row(mode="ballot", type="b32", ptx="2.0", sm=FERMI),
                *(row(**r.when, sm=_LOST[0], until=_LOST[1]) for r in _VOTE_ROWS),
            ),
            ptx="1.2",
        ),
    ),
)

MATCH = Family(
    "match",
    "Find the lanes of the warp that hold the same value.",
    manual="parallel-synchronization-and-communication-instructions-match-sync",
    semantics="any: d = lanes with my value    all: d = the mask if all values are equal, else 0; p = whether they are",
    effects=_WARP,
    forms=(
        Form(
            "match.mode.sync.type d, a, membermask",
            slots={"mode": "any", "type": "b32 b64"},
            args={"d": Arg(type="u32"), "a": _SOURCE, "membermask": _MASK},
            ptx="6.0",
            sm="70+",
        ),
        Form(
            "match.mode.sync.type d{|p}, a, membermask",
            slots={"mode": "all", "type": "b32 b64"},
            args={"p": Arg(sink=True), "d": Arg(type="u32", sink=True), "a": _SOURCE, "membermask": _MASK},
            ptx="6.0",
            sm="70+",
        ),
    ),
)

REDUX_F32 = "100f 100a 103f 103a 107f 107a"

REDUX = Family(
    "redux",
    "Reduce a value over the lanes of a mask and give each of them the result.",
    manual="parallel-synchronization-and-communication-instructions-redux-sync",
    semantics="d = op over the lanes of membermask of a",
    effects=_WARP,
    forms=(
        Form(
            "redux.sync.op.type d, a, membermask",
            slots={"op": "add min max and or xor", "type": "u32 s32 b32"},
            args={"d": Arg(type="u32"), "a": Arg(type="u32", whole=True), "membermask": _MASK},
            rows=(row(op="add|min|max", type="u32|s32"), row(op="and|or|xor", type="b32")),
            ptx="7.0",
            sm="80+",
        ),
        Form(
            "redux.sync.op{.abs}{.NaN}.type d, a, membermask",
            slots={"op": "min max", "type": "f32"},
            args={"membermask": Arg(type="u32")},
            ptx="8.6",
            sm=REDUX_F32,
        ),
    ),
)

ELECT = Family(
    "elect.sync",
    "Choose one lane of the mask; the predicate is true in that lane only.",
    manual="parallel-synchronization-and-communication-instructions-elect-sync",
    semantics="d = the chosen lane;  p = lane == d",
    effects=_WARP,
    forms=(
        Form(
            "elect.sync d|p, membermask",
            args={"d": Arg(type="u32", sink=True), "membermask": Arg(type="u32")},
            ptx="8.0",
            sm="90+",
        ),
    ),
)

ACTIVEMASK = Family(
    "activemask",
    "Read which lanes of the warp are active, one bit per lane.",
    manual="parallel-synchronization-and-communication-instructions-activemask",
    effects=Effects(volatile=True),
    forms=(Form("activemask.type d", slots={"type": "b32"}, ptx="6.2", sm="30+"),),
)

FAMILIES = (SHFL, VOTE, MATCH, REDUX, ELECT, ACTIVEMASK)
