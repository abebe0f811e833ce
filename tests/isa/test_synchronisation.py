"""Barriers, fences, warp operations, mbarriers, asynchronous copies and control flow."""

from __future__ import annotations

import pytest

import weft
from tests.effort import one_in
from tests.isa.edges import check_edges, check_illegal
from tests.isa.statements import module_of, refusals
from weft.errors import Severity
from weft.isa import decode, families, opcode
from weft.isa.target import NEWEST, Version
from weft.toolchain import Tool

STEMS = [
    *("bar", "barrier", "barrier.cluster", "membar", "fence", "fence.proxy"),
    *("shfl", "vote", "match", "redux", "elect.sync", "activemask", "nanosleep", "griddepcontrol", "setmaxnreg"),
    *("clusterlaunchcontrol.try_cancel", "clusterlaunchcontrol.query_cancel", "pmevent"),
    *("cp.async", "cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all", "cp.async.mbarrier.arrive"),
    *("cp.async.bulk", "cp.async.bulk.prefetch", "cp.async.bulk.commit_group", "cp.async.bulk.wait_group"),
    "cp.reduce.async.bulk",
    *sorted(stem for stem in families() if stem.startswith("mbarrier.")),
]


@pytest.mark.sample(1)
@pytest.mark.parametrize("stem", STEMS)
def test_windows_begin_where_ptxas_says(ptxas: Tool, stem: str) -> None:
    check_edges(stem)


def test_ptxas_refuses_what_the_table_does(ptxas: Tool) -> None:
    assert sum(check_illegal(stem) for stem in STEMS[:: one_in(3)]) > 100 // one_in(3)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "text", ["shfl.down.b32 %r1, %r2, 1, 31;", "vote.ballot.b32 %r1, %p1;", "vote.all.pred %p1, %p2;"]
)
def test_unsynchronised_forms_end_with_ptx_6_3_on_volta(ptxas: Tool, text: str) -> None:
    assert refusals([text], "sm_70", Version(6, 3)) == {}
    assert refusals([text], "sm_70", Version(6, 4)) != {}
    assert refusals([text], "sm_60", NEWEST) == {}
    windows = decode(text.split()[0]).windows
    assert any(w.admits("sm_70", Version(6, 3)) for w in windows)
    assert not any(w.admits("sm_70", Version(6, 4)) for w in windows)
    assert any(w.admits("sm_60", NEWEST) for w in windows)


CHECKED = [
    ("mbarrier.arrive.shared.b64 %rd1, [%rd2];", "sm_80", "7.0", True),
    ("mbarrier.arrive.shared.b64 _, [%rd2];", "sm_80", "7.0", False),
    ("mbarrier.arrive.shared.b64 _, [%rd2];", "sm_80", "7.1", True),
    ("mbarrier.arrive.shared.b64 %rd1, [%rd2], %r1;", "sm_80", "9.5", False),
    ("mbarrier.arrive.shared.b64 %rd1, [%rd2], %r1;", "sm_90", "7.8", True),
    ("mbarrier.arrive.shared::cluster.b64 %rd1, [%rd2];", "sm_90", "9.5", False),
    ("mbarrier.arrive.shared::cluster.b64 _, [%rd2];", "sm_90", "8.0", True),
    ("mbarrier.arrive.noComplete.shared.b64 %rd1, [%rd2];", "sm_90", "9.5", False),
    ("mbarrier.init.shared.b64 [%rd1], 0;", "sm_90", "9.5", False),
    ("mbarrier.test_wait.parity.shared.b64 %p1, [%rd1], 2;", "sm_90", "9.5", False),
    ("mbarrier.try_wait.parity.shared.b64 %p1, [%rd1], 1, 1000;", "sm_90", "7.8", True),
    ("cp.async.cg.shared.global [%rd1], [%rd2], 8;", "sm_80", "9.5", False),
    ("cp.async.ca.shared.global [%rd1], [%rd2], 8, %r1;", "sm_80", "7.0", True),
    ("cp.async.ca.shared.global [%rd1], [%rd2], 8, %p1;", "sm_80", "7.4", False),
    ("cp.async.ca.shared.global [%rd1], [%rd2], 8, !%p1;", "sm_80", "7.5", True),
    ("cp.async.ca.shared.global.L2::cache_hint [%rd1], [%rd2], 8;", "sm_80", "9.5", False),
    ("cp.async.ca.shared.global.L2::cache_hint [%rd1], [%rd2], 8, 4, %rd3;", "sm_80", "7.4", True),
    (
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%rd1], [%rd2], 24, [%rd3];",
        "sm_90",
        "9.5",
        False,
    ),
    ("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%rd1], [%rd2], 32, [%rd3];", "sm_90", "8.6", True),
    ("bar.sync 16;", "sm_90", "9.5", False),
    ("bar.sync 1, 48;", "sm_90", "9.5", False),
    ("bar.arrive 1;", "sm_90", "9.5", False),
    ("bar.arrive 1, 64;", "sm_90", "9.5", True),
    ("bar.red.popc.u32 %r1, 1, !%p1;", "sm_90", "9.5", True),
    ("bar.red.popc.u32 %r1, 1, 64, %p1;", "sm_90", "9.5", True),
    ("setmaxnreg.inc.sync.aligned.u32 20;", "sm_90a", "9.5", False),
    ("setmaxnreg.inc.sync.aligned.u32 232;", "sm_90a", "8.0", True),
    ("shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;", "sm_90", "9.5", True),
    ("shfl.sync.idx.b32 %r1, %r2, 0, 31;", "sm_90", "9.5", False),
    ("elect.sync _|%p1, -1;", "sm_90", "9.5", True),
    ("elect.sync %p1, -1;", "sm_90", "9.5", False),
    ("match.any.sync.b32 %r1|%p1, %r2, -1;", "sm_90", "9.5", False),
    ("fence.proxy.tensormap::generic.acquire.gpu [%rd1], 64;", "sm_90", "9.5", False),
    ("fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;", "sm_90", "9.5", True),
    ("bra %rd1;", "sm_90", "9.5", False),
    ("bra.uni L1;", "sm_90", "9.5", True),
    ("call kp0;", "sm_90", "9.5", False),
]


@pytest.mark.sample(5)
@pytest.mark.parametrize(("text", "target", "version", "accepted"), CHECKED)
def test_operands_decide(ptxas: Tool, text: str, target: str, version: str, accepted: bool) -> None:
    where = Version.parse(version)
    assert (refusals([text], target, where) == {}) is accepted
    module = weft.parse(module_of([text], target, where)[0])
    errors = [d for d in weft.verify(module) if d.severity is Severity.ERROR]
    assert (errors == []) is accepted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mbarrier.arrive.release.shared.b64", "with .release it needs '.cta' or '.cluster'"),
        ("mbarrier.try_wait.cta.shared.b64", "it needs"),
        ("fence.release.sync_restrict::shared::cluster.cluster", "'.sync_restrict::shared::cta'"),
        ("fence.sc", "lacks one of .cta, .cluster, .gpu, .sys"),
        ("redux.sync.add.f32", "'.f32' is not allowed"),
        ("vote.sync.ballot.pred", "it needs '.b32'"),
        ("bar.red.popc.pred", "it needs"),
        ("cp.async.shared.global", "lacks one of .ca, .cg"),
        (
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster",
            "no '.multicast::cluster'",
        ),
        ("barrier.cluster.arrive.acquire", "it needs"),
        ("membar.gpu", "'.gpu' is not a modifier of 'membar'"),
    ],
)
def test_explanations(text: str, said: str) -> None:
    problem = decode(text).problem
    assert problem is not None
    assert said in problem.message


def test_effects() -> None:
    assert decode("bar.sync").effects.collective == "cta"
    assert decode("barrier.cluster.wait").effects.collective == "cluster"
    assert decode("shfl.sync.up.b32").effects.collective == "warp"
    assert decode("bar.sync").effects.barrier
    assert decode("fence.sc.gpu").effects.barrier
    controls = {name: decode(name).effects.control for name in ("bra", "call", "ret", "exit", "trap")}
    assert controls == {"bra": "branch", "call": "call", "ret": "return", "exit": "exit", "trap": "trap"}
    assert decode("mbarrier.arrive.shared.b64").effects.memory == "rw"


def test_opcodes_by_slot() -> None:
    assert (
        str(opcode("mbarrier.arrive", expect_tx=True, ss="shared", type="b64"))
        == "mbarrier.arrive.expect_tx.shared.b64"
    )
    assert str(opcode("bar", action="sync")) == "bar.sync"
    assert str(opcode("cp.async", cop="cg", dst="shared", src="global")) == "cp.async.cg.shared.global"
    assert str(opcode("redux", op="add", type="s32")) == "redux.sync.add.s32"
    assert str(opcode("fence", op_restrict="mbarrier_init", sem="release", scope="cluster")) == (
        "fence.mbarrier_init.release.cluster"
    )
