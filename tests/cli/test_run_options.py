"""What `weft run` asks of `weft.run`: each option by each of its names, and what it is without them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import weft as package
from tests.command import weft
from weft.sim.result import Result

TEXT = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() .reqntid 4, 2 { ret; }\n.entry other(.param .u64 p) { ret; }\n"
DEFAULTS: dict[str, Any] = {
    "module": TEXT, "kernel": "k", "grid": (1,), "block": (4, 2), "args": [], "cluster": None, "shared_bytes": 0, "async_": "lazy",
    "check": "strict", "mma": "exact", "engine": "auto", "seed": 0, "changes": None, "resident": 16384, "checks": None,
    "report": "first", "suppress": [], "registers": None, "schedules": None, "max_steps": None, "timeout": None,
    "counters": False, "trace": None, "progress": None, "executor": None,
}  # fmt: skip
GIVEN: list[tuple[str, dict[str, Any]]] = [
    ("-g 3", {"grid": (3,)}), ("--grid 3,2", {"grid": (3, 2)}), ("--grid 3x2x1", {"grid": (3, 2, 1)}),
    ("-b 7", {"block": (7,)}), ("--block 4,2", {"block": (4, 2)}), ("--cluster 2x1", {"cluster": (2, 1)}),
    ("--shared-bytes 48", {"shared_bytes": 48}), ("--shared-bytes 1048576", {"shared_bytes": 1 << 20}),
    ("--async eager", {"async_": "eager"}), ("--async random --seed 5", {"async_": "random", "seed": 5}),
    ("--check fast", {"check": "fast"}), ("--engine numpy", {"engine": "numpy"}), ("--engine native", {"engine": "native"}),
    ("--mma hardware", {"mma": "hardware"}), ("--checks races,proxy", {"checks": ["proxy", "races"]}), ("--checks ,limits", {"checks": ["limits"]}),
    ("--suppress 5 --suppress k --suppress 0x", {"suppress": [5, "k", "0x"]}), ("--registers 40", {"registers": 40}),
    ("--registers ptxas", {"registers": 31}), ("--report all", {"report": "all"}), ("--schedules 3 --changes 0", {"schedules": 3, "changes": 0}),
    ("--max-steps 9 --timeout 0.5", {"max_steps": 9, "timeout": 0.5}), ("--resident 64", {"resident": 64}), ("--counters", {"counters": True}),
    ("-j 1", {}), ("--jobs 1", {}), ("--json", {}),
]  # fmt: skip


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What `weft.run` is called with, by the names of its parameters."""
    calls: list[dict[str, Any]] = []

    def run(module: Any, kernel: str, grid: Any, block: Any, args: Any, **more: Any) -> Result:
        calls.append({"module": module.to_ptx(), "kernel": kernel, "grid": grid, "block": block, "args": args, **more})
        return Result()

    monkeypatch.setattr(package, "run", run)
    monkeypatch.chdir(tmp_path)
    Path("k.ptx").write_text(TEXT)
    return calls


@pytest.mark.parametrize(("options", "more"), [("", {}), *GIVEN], ids=str)
def test_options_are_passed_on(
    asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, options: str, more: dict[str, Any]
) -> None:
    class Assembled:
        def kernel(self, name: str) -> Any:
            assert name == "k"
            return type("Kernel", (), {"registers": 31})

    monkeypatch.setattr(package, "assemble", lambda module: Assembled())
    done = weft("run", "k.ptx", "-k", "k", *options.split())
    assert (done.returncode, done.stderr[:22]) == (0, "0 thread-instructions " if options != "--json" else "")
    (call,) = asked
    assert call == DEFAULTS | {"module": package.parse(TEXT).to_ptx()} | more


def test_traces_are_asked_for(asked: list[dict[str, Any]]) -> None:
    words = "--trace t.jsonl --trace-warp 1 --trace-warp 3 --trace-line 7 --trace-values"
    for options, wanted in ((words, ((1, 3), (7,), True)), ("--trace t.jsonl", (None, None, False))):
        assert weft("run", "k.ptx", "-k", "k", *options.split()).returncode == 0
        trace = asked[-1]["trace"]
        assert (trace.warps, trace.lines, trace.values, trace.ctas) == (*wanted, None) and trace.sink is not None
        assert Path("t.jsonl").read_text() == ""


def test_arguments_and_threads_are_those_of_the_kernel(asked: list[dict[str, Any]]) -> None:
    """One warp where the kernel says nothing; each argument makes as many values as it stands for."""
    assert (
        weft(
            "run", "k.ptx", "--kernel", "other", "--arg", "f32[2]=arange", "-a", "u32=7", "-a", "memref:f32[2,3]=ones"
        ).returncode
        == 0
    )
    (call,) = asked
    assert call["block"] == (32,) and len(call["args"]) == 2 + 2 + 1 + 2 * 2
    assert call["args"][0].tolist() == [0, 1] and call["args"][1] == 7 and call["args"][2] is call["args"][3]
    drawn: list[list[float]] = []
    for seed in ("1", "2", "1"):
        weft("run", "k.ptx", "-k", "other", "-a", "f32[9]=random", "--seed", seed)
        drawn.append(asked[-1]["args"][0].tolist())
    assert drawn[0] == drawn[2] != drawn[1]


def test_processes_that_share_the_work(asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than there are processors; none where there is one."""
    import concurrent.futures
    import os

    made: list[int] = []

    class Pool:
        def __init__(self, count: int) -> None:
            made.append(count)

        def __enter__(self) -> str:
            return "pool"

        def __exit__(self, *_: object) -> None:
            return None

    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", Pool)
    for there, jobs, count in ((4, 2, [2]), (4, 4, [4]), (4, 9, [4]), (1, 9, []), (4, 1, [])):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, there=there: set(range(there)), raising=False)
        assert weft("run", "k.ptx", "-k", "k", "-j", str(jobs)).returncode == 0
        assert made == count and asked[-1]["executor"] == ("pool" if count else None)
        made.clear()
