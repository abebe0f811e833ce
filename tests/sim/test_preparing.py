"""Launches made ready: extents and directives, what is refused and why, and how many CTAs run together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import HEADER
from weft.ptx.ast import Module
from weft.sim import SimulationError, prepare, run
from weft.sim.batch import Launch
from weft.sim.faults import KernelFault
from weft.sim.prepare import Options, Prepared, batch_of, check_numbers, extents_of, launch_of


def kernel(directives: str = "", body: str = "ret;", target: str = "sm_90", head: str = "") -> Module:
    return weft.parse(
        f"{HEADER.format(target=target)}{head}\n.visible .entry k() {directives} {{ {body} }}\n", filename="k.ptx"
    )


def launch(grid: Any = 1, block: Any = 32, directives: str = "", **more: Any) -> Launch:
    return launch_of(kernel(directives).kernels[0], Options("k", grid, block, **more))


def refused(message: str, hint: str, *arguments: Any, **more: Any) -> None:
    with pytest.raises(SimulationError) as caught:
        launch(*arguments, **more)
    assert (caught.value.message, caught.value.hint) == (message, hint)


def brute(launch: Launch, ctas: int, resident: int) -> int:
    """Of all numbers of whole clusters that fit the least one that takes no more batches than the greatest."""
    size = launch.cluster_ctas
    sizes = [n for n in range(size, ctas + size + 1, size) if n * launch.warps * 32 <= resident] or [size]
    batches = -(-ctas // sizes[-1])
    return next(n for n in sizes if -(-ctas // n) == batches)


def test_batches_are_even_and_hold_whole_clusters() -> None:
    for threads in (1, 32, 33, 256):
        for cluster in (1, 2, 3, 8):
            for clusters in (1, 2, 5, 16, 33):
                for resident in (1, 31, 32, 64, 100, 256, 1024, 1025, 4096):
                    some = Launch((clusters * cluster, 1, 1), (threads, 1, 1), (cluster, 1, 1), True, 0)
                    found = batch_of(some, some.ctas, resident)
                    assert found == brute(some, some.ctas, resident), (threads, cluster, clusters, resident)


def test_extents() -> None:
    """Numbers, sequences and arrays; what is left out is 1."""
    given: Any
    for given, wanted in (
        (4, (4, 1, 1)),
        ((4,), (4, 1, 1)),
        ([2, 3], (2, 3, 1)),
        (np.array([2, 3, 4]), (2, 3, 4)),
        (np.int64(7), (7, 1, 1)),
    ):
        some = launch(given, given)
        assert (some.grid, some.block, some.cluster) == (wanted, wanted, (1, 1, 1))
        assert not some.explicit_cluster and some.dynamic_shared == 0
    for given, wanted in ((np.uint8(3), (3,)), ((np.int32(1), 2), (1, 2)), (np.array([1, 2], np.uint16), (1, 2))):
        found = extents_of(given)
        assert found == wanted and all(type(part) is int for part in found)
    hint = "as in 4 or (16, 16)"
    for bad in (0, -1, (), (1, 2, 3, 4), (1, 0), (4, 4, -1)):
        for what, given in (("grid", {"grid": bad}), ("block", {"block": bad}), ("cluster", {"cluster": bad})):
            refused(f"the {what} {bad!r} must be one to three positive extents", hint, **given)


def test_directives_of_blocks() -> None:
    hint = "its directives require this"
    assert launch(2, (8, 4, 32)).threads == 1024
    refused("a block of 1025 threads is too large", "a CTA has at most 1024 threads", 1, 1025)
    refused("a block of 1056 threads is too large", "a CTA has at most 1024 threads", 1, (33, 4, 8))
    assert launch(1, (16, 2), ".reqntid 16, 2").block == (16, 2, 1)
    refused("kernel 'k' needs a block of (16, 2, 1), not (32, 1, 1)", hint, 1, 32, ".reqntid 16, 2")
    refused("kernel 'k' needs a block of (16, 1, 1), not (2, 8, 1)", hint, 1, (2, 8), ".reqntid 16")
    for block in (1, (4, 2, 3), (24, 1, 1), 23):
        assert launch(1, block, ".maxntid 2, 3, 4").threads <= 24
    refused("kernel 'k' takes at most 24 threads, not 25", hint, 1, 25, ".maxntid 2, 3, 4")
    refused("kernel 'k' takes at most 24 threads, not 30", hint, 1, (5, 2, 3), ".maxntid 2, 3, 4")


def test_clusters_of_directives_and_launches() -> None:
    """The launch says it, else the kernel; the grid has whole clusters along each axis."""
    directive = ".explicitcluster .reqnctapercluster 2, 1, 2"
    assert (launch((4, 1, 2), 32, directive).cluster, launch((4, 1, 2), 32, directive).explicit_cluster) == (
        (2, 1, 2),
        True,
    )
    some = launch((4, 3, 2), 32, directive, cluster=(4, 3))
    assert (some.cluster, some.cluster_ctas, some.explicit_cluster) == ((4, 3, 1), 12, True)
    assert launch(4, cluster=1).explicit_cluster and not launch(4).explicit_cluster
    hint = "make the grid a multiple of the cluster"
    for grid, cluster in (
        ((3, 2, 2), (2, 2, 2)),
        ((2, 3, 2), (2, 2, 2)),
        ((2, 2, 3), (2, 2, 2)),
        ((1, 1, 1), (2, 1, 1)),
    ):
        refused(f"the grid {grid} is not a multiple of the cluster {cluster}", hint, grid, 32, cluster=cluster)


def test_dynamic_shared_memory() -> None:
    assert launch(shared_bytes=0).dynamic_shared == 0 and launch(shared_bytes=7).dynamic_shared == 7
    refused("invalid size of dynamic shared memory: -1", "use 0 or more", shared_bytes=-1)


def test_numbers_of_options() -> None:
    check_numbers(seed=0, resident=1, timeout=1e-9, schedules=10_000, max_steps=None)
    for given, message, hint in (
        ({"seed": -1}, "seed=-1 is below 0", "use any other number"),
        ({"seed": 0, "timeout": 0.0}, "timeout=0.0 is not a positive number", "omit it for no limit"),
        ({"seed": 0, "resident": -3}, "resident=-3 is not a positive number", "omit it for no limit"),
        ({"seed": 0, "max_steps": float("nan")}, "max_steps=nan is not a positive number", "omit it for no limit"),
        ({"seed": 0, "chunks": None, "schedules": 10_001}, "schedules=10001 is too many", "10,000 at most"),
    ):
        with pytest.raises(SimulationError) as caught:
            check_numbers(**given)  # type: ignore[arg-type]
        assert (caught.value.message, caught.value.hint) == (message, hint)


def test_kernels_by_name() -> None:
    module = weft.parse(
        HEADER.format(target="sm_80") + ".entry a() { ret; }\n.entry b();\n.func f() { ret; }\n.entry c() { ret; }\n"
    )
    assert run(module, "c", 1, 1, []).instructions == {"ret": 1}
    for name in ("b", "f", "A", ""):
        with pytest.raises(SimulationError) as caught:
            run(module, name, 1, 1, [])
        assert caught.value.message == f"the module has no kernel '{name}'"
        assert caught.value.hint == "it has " + ", ".join(one.name for one in module.kernels)
    with pytest.raises(SimulationError) as caught:
        run(weft.parse(HEADER.format(target="sm_80")), "k", 1, 1, [])
    assert caught.value.hint == "it has no kernels"


def test_refusals_have_the_line_of_the_kernel() -> None:
    """Whether the launch does not fit it, its arguments, or its memory."""
    module = kernel(".reqntid 64", head="\n\n")
    for block, args, shared in ((32, [], 0), (64, [1], 0), (64, [], 1 << 20)):
        with pytest.raises(SimulationError) as caught:
            run(module, "k", 1, block, args, shared_bytes=shared)
        position = caught.value.position
        assert (position.line, position.column, position.file) == (7, 1, "k.ptx")
    module.source = None
    with pytest.raises(SimulationError) as caught:
        run(module, "k", 1, 32, [])
    assert not caught.value.position.line


NAMES = """.global .u32 word; .global .u32 other;
.func helper() { .shared .u32 inner; .reg .b32 %r; ld.global.u32 %r, [word]; { .local .u32 deepest; st.local.u32 [deepest], %r; } ret; }"""


def test_names_that_nothing_is_told_of() -> None:
    """Functions and variables that the kernel reaches, in whatever scope; lines may be any."""
    module = kernel(
        body="{ .shared .u32 mine; { .local .u32 own; st.local.u32 [own], 1; } } call helper; ret;", head=NAMES
    )
    for name in ("k", "helper", "word", "mine", "own", "inner", "deepest", 1, 999):
        run(module, "k", 1, 1, [], suppress=[name])
    for name, near in (
        ("helpr", "did you mean helper?"),
        ("minne", "did you mean mine?"),
        ("deepst", "did you mean deepest?"),
    ):
        with pytest.raises(SimulationError) as caught:
            run(module, "k", 1, 1, [], suppress=["k", name])
        assert caught.value.message == f"suppress: the kernel has no function or variable '{name}'"
        assert caught.value.hint == near


def test_grids_that_follow_others_run_where_these_are_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only NumPy knows of earlier grids; without any, and in fast runs, compiled code may run."""
    asked: list[str] = []
    monkeypatch.setattr(prepare, "is_compiled", lambda options, *_: asked.append(options.engine))
    text = HEADER.format(target="sm_90") + ".entry k(.param .u64 p) { ret; }"
    data = np.zeros(4, np.uint32)
    for check, earlier, engine in (
        ("strict", [], "native"),
        ("strict", [data], "numpy"),
        ("fast", [data], "native"),
        ("fast", [], "native"),
    ):
        options = Options("k", 1, 32, check=check, engine="native")  # type: ignore[arg-type]
        Prepared(weft.parse(text), options, [data], earlier=earlier)
        assert asked.pop() == engine and not asked
    with pytest.raises(SimulationError, match="earlier: the array is not an argument of the kernel"):
        Prepared(weft.parse(text), options, [data], earlier=[data.copy()])


def test_clusters_that_have_not_started_wait_for_kernels_that_ask_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a grid, and one at least: of what does not run together anyway all that does not fit."""
    asks = "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [s], [m];"
    body = f".shared .align 16 .b8 s[16]; .shared .align 8 .b64 m; bra end; {asks} end: ret;"
    for grid, cluster, resident, ctas, free in (
        *((1, 1, prepare.RESIDENT, 1, 1), (2, 1, prepare.RESIDENT, 1, 2), (5, 1, prepare.RESIDENT, 3, 5)),
        *((8, 2, prepare.RESIDENT, 4, 8), (6, 2, prepare.RESIDENT, 4, 6), (2, 2, prepare.RESIDENT, 2, 2)),
        *((8, 1, 8 * 32, 8, 8), (1024, 1, prepare.RESIDENT, 512, 512)),
    ):
        for text, wanted in ((body, ctas), ("ret;", free)):
            module = kernel(body=text, target="sm_100a")
            options = Options("k", grid, 32, cluster=cluster, resident=resident, engine="numpy")
            prepared = Prepared(module, options, [])
            assert prepared.batch == prepared.machine.batch.ctas == wanted, (grid, cluster, resident)


def test_what_each_run_may_have_of_its_own_is_not_bound() -> None:
    options = Options(
        "k", 1, 32, seed=3, changes=4, max_steps=5, timeout=6.0, report="all", suppress=(7,), async_="random"
    )
    assert options.bound == Options("k", 1, 32, async_="random")
    for name, value in (
        ("shared_bytes", 8),
        ("check", "fast"),
        ("checks", frozenset({"races"})),
        ("mma", "hardware"),
        ("resident", 32),
    ):
        assert replace(options, **{name: value}).bound != options.bound


def test_progress_is_told_by_batches() -> None:
    for ctas, resident, wanted in ((5, 64, [(2, 5), (4, 5), (5, 5)]), (4, 64, [(2, 4), (4, 4)]), (3, 1024, [(3, 3)])):
        told: list[tuple[int, int]] = []
        run(
            kernel(),
            "k",
            ctas,
            32,
            [],
            resident=resident,
            engine="numpy",
            progress=lambda *done, told=told: told.append(done),
        )
        assert told == wanted


def test_fields_of_structures_lie_where_c_puts_them() -> None:
    """Each at a multiple of its alignment: pointers and textures of 8, tensor maps of 64, other bytes of 1."""
    data = np.zeros(8, np.float32)
    made, texture = weft.TensorMap(np.zeros((16, 64), np.float16), (8, 64)), weft.Texture(data)

    def words(align: int, *fields: Any) -> np.ndarray[Any, Any]:
        size, out = {8: 40, 64: 256}[align], np.zeros(64, np.uint32)
        text = f"""{HEADER.format(target="sm_90")}.visible .entry k(.param .align {align} .b8 p[{size}], .param .u64 out) {{ .reg .b64 %a, %b, %o;
.reg .b32 %r, %t; ld.param.u64 %o, [out]; mov.u32 %t, %tid.x; mul.wide.u32 %b, %t, 4; add.u64 %o, %o, %b; mov.b64 %a, p; add.u64 %a, %a, %b;
ld.param.u32 %r, [%a]; st.global.u32 [%o], %r; ret; }}"""
        run(weft.parse(text), "k", 1, size // 4, [fields, out])
        return out[: size // 4]

    found = words(64, np.int32(5), made, np.int32(9))
    assert (found[0], found[48]) == (5, 9) and not found[1:16].any() and not found[49:].any()
    assert (found[16:48] == np.frombuffer(made.encode(int(found[20:22].view(np.uint64)[0])), np.uint32)).all()
    found = words(8, np.int8(5), texture, np.int16(9), b"abc", data, np.float64(1.5))
    assert found[[0, 1, 4, 5]].tolist() == [5, 0, 9 + (ord("a") << 16) + (ord("b") << 24), ord("c")]
    assert int(found[2:4].view(np.uint64)[0]) and found[8:10].view(np.float64)[0] == 1.5
    assert int(found[6:8].view(np.uint64)[0]) % 256 == 0


def test_limits_are_one_of_the_checks() -> None:
    module = kernel(body=".shared .align 4 .b8 s[50000]; ret;")
    for checks in (None, {"limits"}):
        with pytest.raises(SimulationError, match="50,000 bytes of static shared memory"):
            run(module, "k", 1, 32, [], checks=checks)
    run(module, "k", 1, 32, [], checks={"races"})
    with pytest.raises(SimulationError, match="extent of 65,536 along y"):
        run(kernel(), "k", (1, 65_536), 32, [])


def test_runs_start_from_what_the_seed_says() -> None:
    """A kernel that is kept is run again with the seed of its launch, not with that of the first."""
    text = (
        HEADER.format(target="sm_80")
        + """.visible .entry k(.param .u64 p) { .reg .b64 %p; .reg .b32 %r<4>; ld.param.u64 %p, [p];
mov.u32 %r0, %tid.x; shr.u32 %r0, %r0, 5; atom.global.exch.b32 %r1, [%p], %r0; ret; }"""
    )

    def last(module: Module, seed: int) -> int:
        data = np.full(1, 99, np.uint32)
        run(module, "k", 1, 256, [data], async_="random", seed=seed)
        return int(data[0])

    kept, alone = weft.parse(text), [last(weft.parse(text), seed) for seed in range(3)]
    assert [last(kept, seed) for seed in range(3)] == alone and len(set(alone)) > 1
    with pytest.raises(KernelFault):
        run(kept, "k", 1, 256, [np.zeros(0, np.uint32)])
