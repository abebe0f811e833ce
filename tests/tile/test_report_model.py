"""Reports made of known numbers: their text, the turn of all roles, efficiency, and the order of options."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import weft.tile.report as module
from weft.errors import CompileError, ToolError
from weft.tile import f16, kernel, persistent
from weft.tile.kernels import gemm, gemm_tma, softmax, stream_gemm
from weft.tile.report import Report
from weft.tracing.loops import LoopModel, TensorProduct


def loop(counts: dict[str, int], cycles: dict[str, float], **more: Any) -> LoopModel:
    """An innermost loop of one warp of 9 instructions."""
    facts = {"first": 1, "last": 9, "innermost": True, "instructions": 9, "warps": 1, "waits": 3} | more
    return LoopModel(counts=counts, cycles=cycles, **facts)


MULTIPLIES = loop({"tensor": 2, "float": 3}, {"tensor": 100.0, "shared": 40.0, "issue": 8.0, "chain": 90.0}, warps=8)
BRINGS = loop({"tensor copy": 2}, {"tensor": 0.0, "shared": 20.0, "issue": 4.0, "chain": 120.0}, feeds=True)
OUTER = replace(MULTIPLIES, innermost=False)
WAITS = loop({"synchronisation": 2}, {"tensor": 0.0, "issue": 500.0, "chain": 700.0}, instructions=8)
ADDS = loop({"float": 5}, {"tensor": 0.0, "issue": 300.0, "chain": 1000.0}, unknown=("how many turns it takes",))
MADE = Report(
    kernel="k",
    target="sm_90a",
    options={"stages": 3},
    threads=384,
    registers=168,
    roles=((0, 1, 40), (4, 8, 232), (12, 1, None)),
    spill_bytes=12,
    shared_bytes=1024,
    tensor_columns=512,
    blocks=1,
    limited_by=("registers", "shared memory"),
    losses=("C7510 slow",),
    loops=(OUTER, MULTIPLIES, BRINGS, WAITS, ADDS),
    grid=(132, 2),
    waves=2.5,
)


def test_a_turn_of_all_roles_is_of_loops_that_multiply_or_bring() -> None:
    """Units are busy for one loop after the other, the chains of warps pass at the same time."""
    assert MADE.steady == {"tensor": 100.0, "shared": 60.0, "issue": 12.0, "chain": 120.0}
    assert replace(MADE, loops=(ADDS, OUTER)).steady == {}


def test_efficiency() -> None:
    """The tensor cores' part of what takes longest, and of rounds that are full."""
    assert MADE.efficiency == 100 / 120 * 2.5 / 3
    two = replace(MADE, blocks=2)
    assert two.efficiency == 200 / 200 * 2.5 / 3
    assert replace(two, tiles=1.25).efficiency == 1.25 / 2
    assert replace(two, waves=2.0).efficiency == 1.0
    assert replace(two, waves=None).efficiency == 1.0
    assert replace(two, waves=0.0).efficiency == 1.0
    assert replace(MADE, loops=(BRINGS, ADDS)).efficiency is None


def test_the_text() -> None:
    assert str(MADE).splitlines() == [
        "k on sm_90a: 384 threads, 168 registers, 1024 bytes of shared memory, 512 columns of tensor memory",
        "1 blocks per multiprocessor, limited by registers, shared memory",
        "role: warps 0 to 0, 40 registers",
        "role: warps 4 to 11, 232 registers",
        "role: warps 12 to 12",
        "spilled: 12 bytes",
        "ptxas: C7510 slow",
        "grid 132 x 2: 2.50 waves",
        "loop of 9 instructions, 8 warps: 3 float, 2 tensor",
        "  cycles: tensor 100, chain 90, shared 40, issue 8",
        "loop of 9 instructions, 1 warps: 2 tensor copy",
        "  cycles: chain 120, shared 20, issue 4",
        "loop of 9 instructions, 1 warps: 5 float",
        "  cycles: chain 1000, issue 300",
        "  unknown: how many turns it takes",
        "a turn of all roles: chain 120, tensor 100, shared 60, issue 12; tensor cores 69%",
    ]
    small = replace(MADE, tensor_columns=0, roles=(), spill_bytes=0, losses=(), loops=(), grid=(7,), tiles=3.0)
    assert str(small).splitlines() == [
        "k on sm_90a: 384 threads, 168 registers, 1024 bytes of shared memory",
        "1 blocks per multiprocessor, limited by registers, shared memory",
        "grid 7: 3.00 tiles a block",
    ]
    assert str(replace(small, grid=())).count("\n") == 1


def test_as_json() -> None:
    data = json.loads(MADE.to_json())
    assert list(data) == [
        "kernel", "target", "options", "threads", "registers", "roles", "spill_bytes", "shared_bytes",
        "tensor_columns", "blocks", "limited_by", "losses", "grid", "waves", "tiles", "unknown", "seconds", "loops",
        "steady", "efficiency",
    ]  # fmt: skip
    assert data["loops"] == [each.to_json() for each in MADE.loops]
    assert (data["steady"], data["efficiency"]) == (MADE.steady, MADE.efficiency)
    assert (data["roles"], data["grid"], data["seconds"]) == ([[0, 1, 40], [4, 8, 232], [12, 1, None]], [132, 2], None)
    assert '\n  "kernel": "k",' in MADE.to_json()
    assert json.loads(replace(MADE, options={"kind": f16}).to_json())["options"] == {"kind": "f16"}


# -- where it is launched -----------------------------------------------------------------------------------------


def placed(of: Any, sizes: dict[str, int], blocks: int = 2, **options: Any) -> Report:
    """A report of a kernel with the grid of a launch."""
    to = of.specialize(options=of.aimed(options, "sm_90a"))
    made = replace(MADE, blocks=blocks, options=dict(to.options))
    return module._placed(made, of, of.build(to), sizes)


def test_waves_are_of_all_multiprocessors() -> None:
    """A kernel of one block for a tile: all blocks, by those that the GPU's 132 multiprocessors hold."""
    made = placed(softmax, {"M": 1000, "N": 64})
    assert (made.grid, made.waves, made.tiles) == ((250,), 250 / 264, None)
    made = placed(gemm, {"M": 1000, "N": 300, "K": 64}, 1)
    assert (made.grid, made.waves) == ((3, 8), 24 / 132)


def test_blocks_that_stay_do_several_tiles() -> None:
    made = placed(gemm_tma, {"M": 4096, "N": 4096, "K": 64})
    assert (made.grid, made.waves, made.tiles) == ((132,), 1.0, 32 * 16 / 132)
    made = placed(gemm_tma, {"M": 256, "N": 512, "K": 64})
    assert (made.grid, made.waves, made.tiles) == ((4,), 1.0, 1.0)
    made = placed(stream_gemm, {"M": 256, "N": 512, "K": 64})
    assert (made.grid, made.waves, made.tiles) == ((108,), 108 / 264, None)


def test_persistent_kernels_without_tiles_have_a_block_for_each_multiprocessor() -> None:
    @kernel(threads=32, grid=persistent)
    def nothing() -> None:
        pass

    made = placed(nothing, {})
    assert (made.grid, made.waves, made.tiles) == ((132,), 1.0, None)


# -- what the text of a kernel tells ------------------------------------------------------------------------------


def operations(of: Any, name: str, target: str, **options: Any) -> list[Any]:
    built = of.build(of.specialize(multiples=dict.fromkeys(of.sizes, 16), options=of.aimed(options, target)))
    return [op for op in built.module.walk() if op.name == name]


@pytest.mark.parametrize("block_n", [64, 128, 256])
def test_products_of_tensor_memory(block_n: int) -> None:
    """128 rows, the columns of a tile, 32 bytes along K: 16 halves; the bytes of both are read."""
    (product,) = operations(gemm_tma, "tile.gemm_tensor", "sm_100a", block_n=block_n)
    assert module._product(product) == TensorProduct(128 * block_n * 16, (128 + block_n) * 32)


def test_bytes_that_tensor_copies_bring_in_a_turn() -> None:
    """The tiles of A and B of one step are brought in one loop."""
    copies = operations(gemm_tma, "tile.tensor_load", "sm_90a", block_n=128)
    assert module._copied(copies) == [(128 * 64 + 64 * 128) * 2]
    assert module._copied([]) == []


# -- options, the best first --------------------------------------------------------------------------------------

REPORTS = {
    1: replace(MADE, losses=(), spill_bytes=0, waves=1.0),
    2: replace(MADE, losses=(), spill_bytes=0, waves=1.5),
    3: replace(MADE, losses=(), spill_bytes=4, waves=1.0),
    4: replace(MADE, spill_bytes=0, waves=2.0),
    5: replace(MADE, losses=(), spill_bytes=0, loops=()),
}


def stubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports are those above, by option `n`; of others, one does not compile and one has no tool."""

    def report(_kernel: Any, target: str, sizes: Any, options: Any) -> Report:
        assert (target, sizes) == ("sm_90a", {"M": 1})
        if options["n"] == 6:
            raise CompileError("too large")
        if options["n"] == 7:
            raise ToolError("none")
        return replace(REPORTS[options["n"]], options=options)

    monkeypatch.setattr(module, "report", report)


CHOICES = [{"n": n} for n in (4, 5, 6, 3, 2, 7, 1)]


def test_options_in_the_order_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that spill or that ptxas complains of come last; of the rest the more efficient first."""
    stubbed(monkeypatch)
    found = module.autotune(softmax, "sm_90a", {"M": 1}, CHOICES)
    assert [each.options["n"] for each in found] == [1, 2, 5, 4, 3]
    assert {each.seconds for each in found} == {None}


@pytest.mark.parametrize("there", ["sm_90a", "sm_100a", None])
def test_options_in_the_order_of_a_gpu(there: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured where a GPU of the target is there: the shortest of six launches, which options take in turn."""
    stubbed(monkeypatch)
    clock = [0.0]
    launches: list[int] = []
    takes = {1: [9, 5, 4, 6, 5, 7], 2: [1, 3, 3, 3, 2, 3], 3: [9, 9, 9, 1.5, 9, 9], 4: [8, 8, 8, 8, 8, 8], 5: [9] * 6}

    def launch(*arguments: Any, options: Any) -> None:
        assert arguments == ("x",)
        clock[0] += takes[options["n"]][launches.count(options["n"])]
        launches.append(options["n"])

    def device() -> Any:
        if there is None:
            raise ToolError("no GPU")
        return SimpleNamespace(target=there, synchronize=lambda: None)

    monkeypatch.setattr("weft.toolchain.launch.Device", device)
    monkeypatch.setattr(module, "perf_counter", lambda: clock[0])
    found = module.autotune(SimpleNamespace(launch=launch), "sm_90a", {"M": 1}, CHOICES, ("x",))  # type: ignore[arg-type]
    if there != "sm_90a":
        assert [each.options["n"] for each in found] == [1, 2, 5, 4, 3]
        assert not launches
        return
    assert launches == [4, 5, 3, 2, 1] * 6
    assert [(each.options["n"], each.seconds) for each in found] == [(2, 1), (3, 1.5), (1, 4), (4, 8), (5, 9)]
