"""What becomes of findings: which are kept, raised, held or left out; limits of runs; and which tier runs what."""

from __future__ import annotations

import pickle
import re
from types import SimpleNamespace
from typing import Any, get_args

import pytest

import weft
from tests.sim.harness import HEADER
from weft.errors import Position, Severity
from weft.sim import FAULT_KINDS, KernelFault, SimulationError, budget, engines, findings, runs
from weft.sim.arena import Arena
from weft.sim.budget import Budget, Overdue
from weft.sim.faults import _HINTS, Thread, hint_of  # pyright: ignore[reportPrivateUsage]
from weft.sim.findings import CHECKS, CheckName, Findings, chosen, concerns, merged_findings
from weft.sim.prepare import Options
from weft.sim.program import Program
from weft.sim.registers import Names, Place


def fault(kind: str = "race", line: int = 5, other: int = 0, place: int = 0, address: int | None = None) -> KernelFault:
    found = KernelFault(kind, "is wrong", Position(line, 1, "k.ptx"), address=address)
    found.place = ("k", place or line)
    if other:
        found.other, found.other_place = Position(other, 1, "k.ptx"), ("k", other)
    return found


def site(pos: int = 5, function: str = "k") -> Any:
    names = Names(Names(places={"outer": Place("shared", 64, 16)}), places={"inner": Place("shared", 0, 16)})
    activation = SimpleNamespace(function=SimpleNamespace(name=function))
    return SimpleNamespace(instruction=SimpleNamespace(pos=pos), activation=activation, names=names)


def test_faults_belong_to_checks() -> None:
    """One that belongs to none of its own is a matter of races, which are always reported unless left out."""
    assert {kind for kinds in CHECKS.values() for kind in kinds} <= set(FAULT_KINDS)
    assert set(CHECKS) == set(get_args(CheckName))
    for kind in FAULT_KINDS:
        check = next((name for name, kinds in CHECKS.items() if kind in kinds), "races")
        for name in CHECKS:
            one = Findings(frozenset({name}), "all")
            one.add(site(), fault(kind))
            assert [found.kind for found in one.found] == ([kind] if name == check else []), (kind, name)
    assert chosen(None) == set(CHECKS) and chosen("races,proxy") == chosen(["proxy", "races"]) == {"races", "proxy"}
    assert chosen([]) == frozenset()
    with pytest.raises(SimulationError, match="unknown check 'rases'") as caught:
        chosen(["races", "rases"])
    assert caught.value.hint == "did you mean races?"


def test_kinds_of_faults_are_documented() -> None:
    """All of them, and of no other there is a hint."""
    told = (KernelFault.__doc__ or "").partition("`kind` is stable:")[2].partition(".\n")[0]
    assert set(re.findall(r"`([\w-]+)`", told)) == set(FAULT_KINDS)
    assert set(_HINTS) < set(FAULT_KINDS)
    for kind in FAULT_KINDS:
        assert hint_of(kind) == KernelFault(kind, "m").hint == _HINTS.get(kind, "")
        assert KernelFault(kind, "m", hint="h").hint == "h"
    assert hint_of("nothing") == ""


def test_each_pair_of_instructions_is_found_once() -> None:
    """A race of two instructions whatever its kind; notes apart from errors."""
    one = Findings(None, "all")
    first = fault(line=5, other=7)
    for each in (first, fault(line=5, other=7), fault("proxy-fence", line=5, other=7)):
        one.add(site(5), each)
    assert one.found == [first]
    for pos, kind, other in ((5, "race", 8), (6, "race", 7), (5, "race", 0), (5, "proxy-fence", 0), (5, "race", 0)):
        one.add(site(pos), fault(kind, line=pos, other=other))
    note = fault(line=5, other=7)
    note.severity = Severity.NOTE
    one.add(site(5), note)
    assert len(one.found) == 6 and one.found[-1] is note
    alone = Findings()
    alone.add(site(), note)
    assert alone.found == [note]
    with pytest.raises(KernelFault):
        alone.add(site(), fault())


def test_runs_end_with_too_many_findings() -> None:
    one = Findings(None, "all")
    for number in range(findings.MOST - 1):
        one.add(site(number), fault(line=number))
    note = fault(line=1000)
    note.severity = Severity.NOTE
    with pytest.raises(KernelFault):
        one.add(site(2000), fault(line=2000))
    assert len(one.found) == findings.MOST
    one.add(site(1000), note)
    assert one.found[-1] is note


def test_what_is_suppressed() -> None:
    """Either line of a race, the function, and the bytes of a variable of any scope."""
    for suppress, left_out in (
        ((5,), True),
        ((7,), True),
        ((6,), False),
        (("k",), True),
        (("f",), False),
        (("5",), False),
    ):
        one = Findings(None, "all", suppress)
        one.add(site(), fault(line=5, other=7))
        assert bool(one.found) != left_out, suppress
    for address, name in (
        (0, "inner"),
        (15, "inner"),
        (16, ""),
        (63, ""),
        (64, "outer"),
        (79, "outer"),
        (80, ""),
        (None, ""),
    ):
        for suppress in ("inner", "outer"):
            one = Findings(None, "all", (suppress,))
            one.add(site(), fault(address=address))
            assert (not one.found) == (name == suppress), (address, suppress)


def test_uses_of_unwritten_bytes_are_held() -> None:
    """Until a race says who writes them, or the run ends; only the first one is."""
    held, race = fault("uninitialised-memory", line=5), fault(line=9, other=5)
    race.hint = "put a barrier there"
    for report, checks, kept in (
        ("first", None, True),
        ("all", None, False),
        ("first", frozenset({"uninitialised"}), False),
        ("first", frozenset({"races"}), False),
    ):
        one = Findings(checks, report)  # type: ignore[arg-type]
        assert one.hold(site(), held) is kept
        assert (one.held is held) == kept
    assert not Findings(None, "first", (5,)).hold(site(), held)
    one = Findings()
    assert one.hold(site(), held) and one.hold(site(), fault("uninitialised-memory", line=6)) and one.held is held
    one.add(site(9), fault(line=9))  # Another race may follow from it.
    with pytest.raises(KernelFault) as caught:
        one.add(site(10), race)
    assert one.blamed(caught.value) is race and one.held is None
    assert race.hint == "put a barrier there; the bytes read have not been written yet"
    for end, wanted in ((None, held), (fault("trap", line=8), held)):
        one.held = held
        assert one.blamed(end) is wanted and one.held is None
    other = fault("trap")
    assert one.blamed(other) is other and one.blamed(None) is None
    assert concerns(held, race) and concerns(held, fault(line=5)) and not concerns(held, fault(line=6, other=7))
    assert not concerns(held, fault("trap", line=5))


def test_the_fault_that_ends_a_run() -> None:
    last = fault("trap")
    with pytest.raises(KernelFault):
        Findings().end(last)
    one = Findings(None, "all")
    one.end(last)
    one.end(last)
    assert one.found == [last]


def test_findings_of_several_runs() -> None:
    """Each once, as in one run, in the order in which they come."""
    note = fault(line=5, other=7)
    note.severity = Severity.NOTE
    parts = [
        [fault(line=5, other=7), fault("trap", line=3)],
        [fault("proxy-fence", line=5, other=7), note],
        [fault(line=3), fault("trap", line=3), fault(line=7, other=5)],
    ]
    merged = merged_findings(parts)
    assert list(merged) == [parts[0][0], parts[0][1], note, parts[2][0], parts[2][2]]


def test_what_faults_say() -> None:
    one = KernelFault(
        "race",
        "reads",
        Position(3, 5, "k.ptx"),
        instruction="ld.u32",
        thread=Thread((1, 2, 3), (4, 5, 6), 7, 8),
        address=255,
    )
    assert one.message == "ld.u32: reads, in CTA (1, 2, 3), thread (4, 5, 6) (warp 7, lane 8)"
    assert one.hint == "put a barrier between the two accesses, or use an atomic"
    assert one.facts == (("cta", [1, 2, 3]), ("thread", [4, 5, 6]), ("address", "0xff"))
    one.other_thread, one.value, one.other_value, one.seed, one.changes = (
        Thread((0, 0, 0), (9, 0, 0), 0, 9),
        16,
        0,
        5,
        0,
    )
    facts = dict(one.facts)
    assert facts == {
        "cta": [1, 2, 3], "thread": [4, 5, 6], "other_cta": [0, 0, 0], "other_thread": [9, 0, 0], "address": "0xff",
        "value": "0x10", "other_value": "0x0", "seed": 5, "changes": 0,
    }  # fmt: skip
    again = pickle.loads(pickle.dumps(one))
    assert (again.message, again.facts, again.position, again.kind, again.hint) == (
        one.message,
        one.facts,
        one.position,
        one.kind,
        one.hint,
    )
    plain = KernelFault("trap", "executes trap")
    assert (plain.message, plain.hint, plain.facts) == ("executes trap", "", ())


def test_faults_tell_where_their_code_comes_from() -> None:
    here, there = Position(7, 2, "k.cu"), Position(8, 2, "k.cu")
    for line, origin, other, hint in (
        (3, here, None, f"compiled from {here}; h"), (3, here, there, f"compiled from {here}; the other access is compiled from {there}; h"),
        (3, None, there, f"the other access is compiled from {there}; h"), (0, here, None, "h"), (0, here, there, f"the other access is compiled from {there}; h"),
        (3, None, None, "h"),
    ):  # fmt: skip
        one = KernelFault("trap", "m", Position(line, 1, "k.ptx"), "h")
        one.came_from(origin, other)
        assert one.hint == hint and one.position == (here if not line else Position(3, 1, "k.ptx"))
        assert (one.origin, one.other_origin) == (origin, other)
    bare = KernelFault("trap", "m", Position(3, 1, "k.ptx"))
    bare.came_from(here, None)
    assert bare.hint == f"compiled from {here}"


def test_limits_of_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps, seconds, and the patience after which something faster is tried."""
    now = {"wall": 100.0, "own": 5.0}
    monkeypatch.setattr(budget.time, "monotonic", lambda: now["wall"])
    monkeypatch.setattr(budget.time, "thread_time", lambda: now["own"])
    one = Budget(10)
    one.start()
    assert [one.spent(steps) for steps in (0, 9, 10, 11)] == [False, False, True, True] and one.limited and not one.late
    assert one.excess() == "the run exceeds 10 steps"
    free = Budget()
    free.start()
    assert not free.limited and not free.late and not free.spent(1 << 40)
    timed = Budget(None, 2.5)
    timed.start()
    for wall, late in ((100.0, False), (102.4, False), (102.5, True), (200.0, True)):
        now["wall"] = wall
        assert (timed.late, timed.spent(1)) == (late, late)
    assert timed.limited and timed.excess() == "the run exceeds 2.5 seconds"
    hasty = Budget(patience=1.0)
    hasty.start()
    now["own"] = 5.9
    assert not hasty.spent(1) and not hasty.limited
    now["own"] = 6.0
    with pytest.raises(Overdue):
        hasty.spent(1)
    for before, steps, after in ((None, 0, 1000), (None, 70, 1140), (500, 70, 500), (5000, 70, 1140), (1140, 70, 1140)):
        one = Budget(before)
        one.hurry(steps)
        assert one.steps == after


def program(body: str = "ret;") -> Program:
    text = f"{HEADER.format(target='sm_90a')}.entry k(.param .u64 p) {{ .reg .b64 %d<4>; .reg .b32 %r<4>; .reg .f32 %f<4>; .shared .align 8 .b64 m; {body} ret; }}\n"
    module = weft.parse(text)
    return Program(module, module.kernels[0], Arena())


PRODUCT = "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f0, %f1, %f2, %f3}, %d0, %d1, 1, 1, 1;"


def test_which_tier_runs_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code where it is asked for, or pays, unless something is wanted that only NumPy has."""
    monkeypatch.delenv(engines.VARIABLE, raising=False)
    asked = {"available": True, "fits": True, "pays": True}
    monkeypatch.setattr(engines, "available", lambda: asked["available"])
    monkeypatch.setattr(engines, "_is_fit", lambda *_, strict: asked["fits"])
    monkeypatch.setattr(engines, "_pays", lambda *_, strict: asked["pays"])
    plain, products = program(), program(PRODUCT)

    def compiled(engine: str, made: Program = plain, watchers: Any = (), **more: Any) -> bool:
        options = Options("k", 1, 32, engine=engine, **more)  # type: ignore[arg-type]
        return engines.is_compiled(options, watchers, made, None, 1)  # type: ignore[arg-type]

    assert compiled("native") and compiled("auto") and not compiled("numpy")
    assert compiled("native", products) and not compiled("auto", products)
    only: list[dict[str, Any]] = [
        {"report": "all"},
        {"async_": "random"},
        {"deferred": True},
        {"suppress": (3,)},
        {"watchers": [object()]},
    ]
    for more in only:
        assert not compiled("native", **more) and not compiled("auto", **more), more
    others: list[dict[str, Any]] = [
        {"async_": "eager"},
        {"check": "fast"},
        {"seed": 3},
        {"max_steps": 4},
        {"mma": "hardware"},
    ]
    for more in others:
        assert compiled("native", **more) and compiled("auto", **more), more
    for told, (auto, native) in (
        ("numpy", (False, True)),
        ("native", (True, True)),
        ("auto", (True, True)),
        ("", (True, True)),
    ):
        monkeypatch.setenv(engines.VARIABLE, told)
        assert (compiled("auto"), compiled("native")) == (auto, native) and not compiled("numpy")
    monkeypatch.setenv(engines.VARIABLE, "nativ")
    with pytest.raises(SimulationError, match="unknown engine 'nativ'"):
        compiled("auto")
    monkeypatch.delenv(engines.VARIABLE)
    for name, auto, native in (("pays", False, True), ("fits", False, False)):
        asked[name] = False
        assert (compiled("auto"), compiled("native")) == (auto, native), name
        asked[name] = True
    for engine, wanted in (("auto", True), ("native", True), ("numpy", False)):
        assert engines.may_compile(Options("k", 1, 32, engine=engine)) == wanted  # type: ignore[arg-type]
    asked["available"] = False
    assert not compiled("auto") and not compiled("numpy") and not engines.may_compile(Options("k", 1, 32))
    with pytest.raises(SimulationError, match="engine='native' needs llvmlite") as caught:
        compiled("native")
    assert caught.value.hint == "pip install 'weft[native]'"


def test_how_long_numpy_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where `auto` may compile instead."""
    monkeypatch.delenv(engines.VARIABLE, raising=False)
    asked = {"available": True, "fits": True}
    monkeypatch.setattr(engines, "available", lambda: asked["available"])
    monkeypatch.setattr(engines, "_is_fit", lambda *_, strict: asked["fits"])

    def patience(made: Program, watchers: Any = (), **more: Any) -> float | None:
        return engines.patience(Options("k", 1, 32, **more), watchers, made, None)  # type: ignore[arg-type]

    short = program()
    seconds = patience(short)
    assert seconds is not None and 0.1 < seconds < 1
    for more in (
        {"engine": "numpy"},
        {"engine": "native"},
        {"report": "all"},
        {"async_": "random"},
        {"suppress": (1,)},
        {"deferred": True},
    ):
        assert patience(short, **more) is None
    assert patience(short, [object()]) is None and patience(program(PRODUCT)) is None
    for name in asked:
        asked[name] = False
        assert patience(short) is None
        asked[name] = True


@pytest.mark.parametrize(
    ("body", "spared"),
    [("", True), ("ld.global.u32 %r1, [%d1];", True), ("atom.shared.add.u32 %r1, [m], 1;", True), ("red.shared.add.u32 [m], 1;", True),
     ("atom.global.add.u32 %r1, [%d1], 1;", True), ("atom.add.u32 %r1, [%d1], 1;", False), ("red.add.u32 [%d1], 1;", False),
     ("cp.async.commit_group;", False), ("mbarrier.init.shared.b64 [m], 1;", False)],
)  # fmt: skip
def test_memory_that_is_too_large_to_be_kept(body: str, spared: bool) -> None:
    """Where only faults can end a compiled run early; not in strict runs, not with limits, and not for what is small."""
    opcodes = program(body).opcodes
    for strict, limited, storable, may in (
        (False, False, runs.MOST_BYTES + 1, True),
        (True, False, 1 << 40, False),
        (False, True, 1 << 40, False),
        (False, False, runs.MOST_BYTES, False),
    ):
        machine = SimpleNamespace(
            strict=strict, budget=SimpleNamespace(limited=limited), program=SimpleNamespace(opcodes=opcodes)
        )
        ready: Any = SimpleNamespace(machine=machine, storable=storable)
        assert runs._is_spared(ready) == (may and spared)  # pyright: ignore[reportPrivateUsage]
