"""What a kernel may store through, how narrow its accesses are, and where its variables lie: found without running it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import weft
from tests.sim.harness import HEADER
from weft.sim import engines
from weft.sim.arena import Arena
from weft.sim.arguments import Arguments
from weft.sim.program import SHARED_GAP, Program
from weft.sim.registers import Place
from weft.sim.stores import apparent, narrowest, stored_numbers

OPENED = (
    ".reg .b64 %d<9>; .reg .b32 %r<9>; .reg .b16 %h<9>; .reg .pred %p<4>; .reg .b128 %q; .shared .align 16 .b8 tile[256]; .shared .align 8 .b64 bar;"
    ".local .align 16 .b8 own[64];"
)
LOADED = "ld.param.u64 %d1, [a]; ld.param.u64 %d2, [b]; ld.param.u64 %d3, [c];"


def program(body: str, target: str = "sm_90a", head: str = "") -> Program:
    text = f"{HEADER.format(target=target)}{head}\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c) {{ {OPENED} {body} ret; }}\n"
    module = weft.parse(text)
    return Program(module, module.kernels[0], Arena())


def stored(body: str, **more: Any) -> str | None:
    found = program(LOADED + body, **more).stored_parameters
    return None if found is None else "".join(sorted(found))


@pytest.mark.parametrize(
    ("body", "through"),
    [
        ("", ""),
        ("st.global.u32 [%d1], 1;", "a"),
        ("st.u32 [%d2+8], 1;", "b"),
        ("st.shared.u32 [%r1], 1; st.local.u32 [own], 1; atom.shared.add.u32 %r1, [tile], 1; st.shared::cta.u32 [%r1], 1;", ""),
        ("red.global.add.u32 [%d3], 1; atom.global.add.u32 %r1, [%d1], 1; discard.global.L2 [%d2], 128;", "abc"),
        ("add.u64 %d4, %d1, 4; mad.lo.u64 %d5, %d4, 2, %d2; st.global.u32 [%d5], 1;", "ab"),
        ("cvta.to.global.u64 %d1, %d2; st.global.u32 [%d1], 1;", "b"),
        ("@%p1 mov.u64 %d1, %d2; st.global.u32 [%d1], 1;", "ab"),
        ("mov.u64 %d1, %d2; @%p1 bra L; mov.u64 %d1, %d3; L: st.global.u32 [%d1], 1;", "bc"),
        ("{ .reg .b64 %e; mov.u64 %e, %d3; st.global.u32 [%e], 1; }", "c"),
        ("mov.b128 %q, {%d1, %d2}; mov.b128 {%d4, %d5}, %q; st.global.u32 [%d4], 1;", "ab"),
        ("ld.global.u32 %r1, [%d1]; cvt.u64.u32 %d4, %r1; add.u64 %d4, %d4, %d2; st.global.u32 [%d4], 1;", "b"),
        ("ld.global.u64 %d4, [%d1]; st.global.u32 [%d4], 1;", None),
        ("ld.global.b128 %q, [%d1]; mov.b128 {%d4, %d5}, %q; st.global.u32 [%d5], 1;", None),
        ("ld.global.u64 %d4, [%d1]; st.global.u64 [%d2], %d4;", "b"),
        ("atom.global.add.u64 %d4, [%d1], 1; st.global.u32 [%d4], 1;", None),
        ("atom.global.add.u64 %d4, [%d1], 1; st.global.u32 [%d2], 1;", "ab"),
        ("atom.global.add.u32 %r1, [%d1], 1; cvt.u64.u32 %d4, %r1; st.global.u32 [%d4], 1;", "a"),
        ("mov.u64 %d4, a; st.global.u32 [%d4], 1;", None),
        ("selp.b64 %d4, %d1, %d3, %p1; st.global.v2.u32 [%d4], {%r1, %r2};", "ac"),
        ("cp.async.ca.shared.global [tile], [%d1], 4;", ""),
        ("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], 16, [bar];", ""),
        ("cp.async.bulk.global.shared::cta.bulk_group [%d1], [tile], 16;", None),
        ("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; cp.async.bulk.prefetch.L2.global [%d1], 16;", ""),
        ("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [tile], 16;", None),
        ("multimem.red.relaxed.gpu.global.add.u32 [%d1], 1;", None),
        ("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r2};", ""),
    ],
)  # fmt: skip
def test_what_a_kernel_may_store_through(body: str, through: str | None) -> None:
    """Its parameters, as far as its registers hold what came of them; nothing is known of what memory holds."""
    assert stored(body) == through


def test_functions_may_store_anywhere() -> None:
    head = ".func f() { ret; }"
    assert stored("st.global.u32 [%d1], 1; call f;", head=head) is None
    assert stored("st.global.u32 [%d1], 1;", head=head) == "a"


def test_functions_of_others_and_whole_objects_may_store_anywhere() -> None:
    head = ".extern .func free (.param .b64 a);"
    assert stored("{ .param .b64 x; st.param.b64 [x], %d1; call free, (x); }", head=head) is None
    assert stored("tensormap.replace.tile.global_address.global.b1024.b64 [%d1], %d2;") is None
    assert stored("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [tile], %d2;") is None
    assert stored("multimem.st.relaxed.gpu.global.u32 [%d1], %r1;") is None


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("cp.async.mbarrier.arrive.noinc.shared.b64 [bar];", "sm_90a"),
        ("cp.async.bulk.commit_group;", "sm_90a"),
        ("wgmma.commit_group.sync.aligned;", "sm_90a"),
        ("tcgen05.wait::ld.sync.aligned;", "sm_100a"),
        ("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [tile], %r1, [bar];", "sm_90a"),
        ("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [tile], %r1, [bar];", "sm_90a"),
        ("multimem.red.relaxed.gpu.global.add.u32 [%d1], 1;", "sm_90a"),
        ("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [tile], %d1;", "sm_90a"),
        ("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [tile], [bar];", "sm_100a"),
        ("mbarrier.inval.shared.b64 [bar];", "sm_90a"),
    ],
)  # fmt: skip
def test_other_uses_of_shared_memory(instruction: str, target: str) -> None:
    """Beside them accesses of 16 bytes are looked at by four bytes, as engines may use these."""
    wide = "st.shared.v4.u32 [tile], {%r1, %r2, %r3, %r4};"
    assert narrowest(program(wide, target), shared=True) == 16
    assert narrowest(program(wide + instruction, target), shared=True) <= 4


def test_loops_carry_what_registers_hold() -> None:
    """As often as it takes: here from one to the next, once a round."""
    moves = "".join(f"mov.u64 %d{n}, %d{n - 1};" for n in range(8, 4, -1))
    assert stored(f"mov.u64 %d4, %d3; L: st.global.u32 [%d8], 1; {moves} @%p1 bra L;") == "c"
    assert stored(f"mov.u64 %d4, %d3; L: st.global.u32 [%d8], 1; {moves} mov.u64 %d4, %d1; @%p1 bra L;") == "ac"


def test_regions_that_a_launch_may_store_to() -> None:
    """What its pointers point to, variables, and where anything may be all that can be written."""
    one, two, fixed = np.zeros(16, np.uint32), np.zeros(64, np.uint8), np.zeros(4, np.uint32)
    fixed.flags.writeable = False
    head = ".global .u32 word; .const .u32 held = 1;"
    for body, names in (
        ("", ["variable word"]),
        ("st.global.u32 [%d1], 1;", ["argument a", "variable word"]),
        ("st.global.u32 [%d3], 1;", ["variable word"]),
        ("ld.global.u64 %d4, [%d1]; st.global.u32 [%d4], 1;", ["argument a", "argument b", "variable word"]),
    ):
        text = f"{HEADER.format(target='sm_90a')}{head}\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c) {{ {OPENED} ld.global.u32 %r1, [word]; ld.const.u32 %r1, [held]; {LOADED} {body} ret; }}"
        module = weft.parse(text)
        arena = Arena()
        arguments = Arguments(module.kernels[0], [one, two, fixed], arena)
        made = Program(module, module.kernels[0], arena)
        arena.build()
        arguments.copy_in()
        assert [arena.regions[n].name for n in stored_numbers(made, arguments.places)] == names


def test_pointers_just_inside_and_outside_of_a_region() -> None:
    text = f"{HEADER.format(target='sm_90a')}.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c) {{ {OPENED} {LOADED} st.global.u32 [%d1], 1; ret; }}"
    module, data = weft.parse(text), np.zeros(16, np.uint32)
    for offset, found in ((-1, []), (0, ["argument b"]), (63, ["argument b"]), (64, [])):
        arena = Arena()
        arguments = Arguments(module.kernels[0], [0, data, 0], arena)
        made = Program(module, module.kernels[0], arena)
        arena.build()
        arguments.copy_in()
        place = arguments.places["a"]
        pointer = arguments.buffers[0].address + offset
        arena.contents(place.address, 8).view(np.int64)[0] = pointer
        assert [arena.regions[n].name for n in stored_numbers(made, arguments.places)] == found, offset


@pytest.mark.parametrize(
    ("body", "any_", "shared"),
    [
        ("", 4, 16),
        ("ld.global.u32 %r1, [%d1];", 4, 16),
        ("ld.global.u16 %h1, [%d1];", 2, 16),
        ("st.global.u8 [%d1], %h1;", 1, 16),
        ("st.shared.v4.u32 [tile], {%r1, %r2, %r3, %r4};", 4, 16),
        ("st.shared.v2.u32 [tile], {%r1, %r2};", 4, 8),
        ("st.shared.v2.u8 [tile], {%h1, %h2};", 2, 2),
        ("ld.shared.u64 %d1, [tile]; ld.shared.u16 %h1, [tile];", 2, 2),
        ("ld.u8 %h1, [%d1];", 1, 1),
        ("ld.param.u8 %h1, [a]; st.local.u8 [own], %h1;", 4, 16),
        ("atom.shared.cas.b16 %h1, [tile], %h2, %h3;", 2, 2),
        ("red.shared.add.u64 [tile], 1;", 4, 8),
        ("cp.async.ca.shared.global [tile], [%d1], 8;", 4, 8),
        ("cp.async.cg.shared.global [tile], [%d1], 16;", 4, 16),
        ("cp.async.ca.shared.global [tile], [%d1], 4;", 4, 4),
        ("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2];", 4, 16),
        ("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r1};", 4, 16),
        ("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r2], {%r1}; st.shared.u64 [tile], %d1;", 4, 8),
        ("ld.shared.u8 %h1, [tile]; cp.async.ca.shared.global [tile], [%d1], 4;", 1, 1),
        ("cp.async.ca.shared.global [tile], [%d1], 8, %r1; ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r2];", 4, 8),
        ("mbarrier.init.shared.b64 [bar], 1;", 4, 4),
        ("wgmma.fence.sync.aligned; st.shared.v4.u32 [tile], {%r1, %r2, %r3, %r4};", 4, 4),
        ("bar.sync 0; add.u32 %r1, %r1, 1; st.shared.u64 [tile], %d1;", 4, 8),
        ("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [%d1, {%r1}], [bar];", 2, 2),
    ],
)  # fmt: skip
def test_the_narrowest_access(body: str, any_: int, shared: int) -> None:
    """At most 4 bytes; of shared memory that only plain instructions use, up to 16."""
    made = program(body)
    assert (narrowest(made), narrowest(made, shared=True)) == (any_, shared)
    assert apparent(made) >= any_ and apparent(made, shared=True) >= shared


def test_shared_variables_lie_as_ptxas_lays_them_out_but_for_gaps() -> None:
    """Each at a multiple of its alignment; a gap of all banks behind each; dynamic ones come last."""
    rng = random.Random(4)
    for _ in range(12):
        variables = [(rng.choice((1, 2, 4, 8, 16, 64)), rng.randint(1, 40)) for _ in range(rng.randint(1, 5))]
        dynamic = rng.choice((0, 0, 1, 4, 32, 128))
        body = "".join(
            f".shared .align {align} .b8 v{n}[{size}]; mov.u32 %r1, v{n};" for n, (align, size) in enumerate(variables)
        )
        head = f".extern .shared .align {dynamic} .b8 last[];" if dynamic else ""
        text = f"{HEADER.format(target='sm_80')}{head}.visible .entry k() {{ .reg .b32 %r<2>; {body} {'mov.u32 %r1, last;' if dynamic else ''} ret; }}"
        module = weft.parse(text)
        made = Program(module, module.kernels[0], Arena())
        end = plain = 0
        ends: list[tuple[int, str]] = []
        for number, (align, size) in enumerate(variables):
            gap = SHARED_GAP if end else 0
            start = -(-(end + gap) // align) * align
            assert list(made.static_places.values())[number] == Place("shared", start, size)
            if end:
                assert (end, start, f"v{number - 1}") in made.shared_ends
            end, plain = start + size, -(-plain // align) * align + size
            ends.append((end, f"v{number}"))
        if dynamic:
            align = max(16, dynamic)
            start = -(-(end + SHARED_GAP) // align) * align
            assert made.shared_size == made.globals.places["last"].address == start
            assert made.shared_ends[-1] == (end, start, ends[-1][1])
            plain = -(-plain // align) * align
        else:
            assert made.shared_size == end
        assert made.static_shared == plain


def test_what_instructions_say_of_a_kernel() -> None:
    """Whether others' writes, earlier grids or unwritten bytes may matter."""
    names = ("order_matters", "warps_matter", "loads", "ends_mbarriers", "asks", "depends", "launches_dependents")
    for body, true in (
        ("st.global.u32 [%d1], 1; ld.param.u64 %d1, [a]; red.global.add.u32 [%d1], 1;", ""),
        ("ld.global.u32 %r1, [%d1];", "loads"),
        ("ld.weak.shared.u32 %r1, [tile];", "loads"),
        ("ld.relaxed.gpu.global.u32 %r1, [%d1];", "order_matters loads"),
        ("ld.volatile.shared.u32 %r1, [tile];", "order_matters warps_matter loads"),
        ("ld.acquire.cta.u32 %r1, [%d1];", "order_matters warps_matter loads"),
        ("atom.global.add.u32 %r1, [%d1], 1;", "order_matters"),
        ("atom.shared.add.u32 %r1, [tile], 1;", "order_matters warps_matter"),
        ("mbarrier.inval.shared.b64 [bar];", "ends_mbarriers"),
        ("griddepcontrol.wait;", "depends"),
        ("griddepcontrol.launch_dependents;", "launches_dependents"),
    ):
        made = program(body)
        assert {name for name in names if getattr(made, name)} == set(true.split()), body


def test_the_instructions_of_a_program_and_its_steps() -> None:
    """Loops are taken to go round 32 times, inner ones as often as outer ones."""
    for body, count, steps in (
        ("", 1, 1),
        ("add.u32 %r1, %r1, 1; add.u32 %r1, %r1, 1;", 3, 3),
        ("L: add.u32 %r1, %r1, 1; @%p1 bra L;", 3, 3 + 31 * 2),
        ("@%p1 bra L; add.u32 %r1, %r1, 1; L:", 3, 3),
        ("L: M: add.u32 %r1, %r1, 1; @%p1 bra M; add.u32 %r1, %r1, 1; @%p1 bra L;", 5, 5 + 31 * 2 + 31 * 2),
        ("L: add.u32 %r1, %r1, 1; @%p1 bra L; M: @%p1 bra M;", 4, 4 + 31 * 3),
    ):
        assert engines._sizes(program(body)) == (count, steps), body  # pyright: ignore[reportPrivateUsage]
