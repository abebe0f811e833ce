"""Why a variant does not do a copy, word by word; and how a plan is told."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import gcd
from typing import Any

import pytest

from tests.tile.copy_kernels import Case
from tests.tile.copy_plans import Machine
from tests.tile.test_copy_dispatch import operand, registers, shared
from weft.layout import SwizzleLayout, parse
from weft.layout.conflicts import totals
from weft.transforms.copy_dispatch import Copy, CopyError, Digit, Guard, Plan
from weft.transforms.copy_dispatch.dispatch import candidates, choose, tried
from weft.transforms.copy_dispatch.explain import explain
from weft.transforms.copy_dispatch.wavefronts import accesses, report

FRAGMENT = registers("S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]", (16, 16))
TILE = shared("S[(16,16):(16,1)]", (16, 16))
GLOBAL = operand("global", "f16", (16, 16), "S[(16,16):(16,1)]")
EIGHT, OWN_EIGHT = operand("global", "f16", (8,), "S[8:1]"), registers("S[8:1]", (8,))
RUNTIME: Any = (("ld", 8),)


def copy(dst: Any, src: Any, scope: str = "warp", threads: int = 32, target: str = "sm_90a", **more: Any) -> Copy:
    return Copy(dst, src, scope, threads, target, **more)


def fragment(layout: str, shape: tuple[int, ...] = (16, 16), element: str = "f16") -> Any:
    return registers(layout, shape, element)


def window(*region: tuple[int, int]) -> Copy:
    return copy(FRAGMENT, replace(TILE, region=region))


def packed(layout: str, element: str = "f4E2M1FN") -> Any:
    return operand("global", element, (16, 16), layout)


def guarded(active: int | None, reason: str = "", **more: Any) -> Copy:
    return copy(TILE, GLOBAL, guard=Guard(active, reason), **more)


MEMORIES = "unsupported memory scopes src={} dst={}; allowed: {}"
BETWEEN = "global->shared, shared->global"
REG = "local->shared, shared->local, local->global, global->local"
DEALT = f"; reg: {MEMORIES.format('global', 'shared', REG)}"
INTO = f"gmem_smem: {MEMORIES.format('shared', 'local', BETWEEN)}; reg: "
SWZ = "swizzle per_element=2 < 3 incompatible with matrices, whose rows are 16 contiguous bytes"


def lacking(name: str, needs: str) -> str:
    """That a target has no matrix instruction."""
    parts = [f"{name}.sync.aligned.m8n8.x1.{trans}shared.b16 needs {needs}" for trans in ("", "trans.")]
    return f"layout is not a fragment of a matrix instruction ({'; '.join(parts)})"


REASONS: list[tuple[Copy, str, str]] = [
    (copy(TILE, GLOBAL), "ldstmatrix", MEMORIES.format("global", "shared", "local->shared, shared->local")),
    (copy(TILE, GLOBAL), "registers", MEMORIES.format("global", "shared", "local->local")),
    (copy(FRAGMENT, FRAGMENT), "vec_auto", "; ".join(
        f"{form}: " + MEMORIES.format("local", "local", pairs) for form, pairs in (("gmem_smem", BETWEEN), ("reg", REG)))),
    (copy(FRAGMENT, FRAGMENT), "fallback", "both sides are in registers"),
    (copy(FRAGMENT, TILE, cache="nc"), "ldstmatrix", "cache 'nc' applies only to loads from global memory"),
    (copy(FRAGMENT, replace(TILE, element="f32")), "fallback",
        "the source has elements of type f32, the destination of type f16"),
    (window((0, 16), (1, 17)), "fallback", "src region [(0, 16), (1, 17)] is not inside shape [16, 16]"),
    (window((-1, 15), (0, 16)), "fallback", "src region [(-1, 15), (0, 16)] is not inside shape [16, 16]"),
    (window((4, 4), (0, 16)), "fallback", "src region [(4, 4), (0, 16)] is not inside shape [16, 16]"),
    (window((0, 16)), "fallback", "src region [(0, 16)] is not inside shape [16, 16]"),
    (window((0, 16), (0, 8)), "ldstmatrix", "dst region shape [16, 16] != src region shape [16, 8]"),
    (copy(OWN_EIGHT, EIGHT, "thread", 1), "ldstmatrix", "unsupported scope thread (need warp, warpgroup, cta)"),
    # -- who comes --
    (copy(TILE, GLOBAL, "cta", 96), "vec_auto", f"gmem_smem: region size 256 not divisible by thread_cnt=96{DEALT}"),
    (copy(TILE, GLOBAL, "warp", 48), "fallback", "a block of 48 threads cannot be divided into warps"),
    (copy(FRAGMENT, TILE, "warp", 48), "ldstmatrix", "a block of 48 threads cannot be divided into warps"),
    (copy(FRAGMENT, TILE, "warpgroup", 192), "ldstmatrix", "a block of 192 threads cannot be divided into warpgroups"),
    (copy(FRAGMENT, TILE, "cta", 48), "ldstmatrix", "a block of 48 threads cannot be divided into ctas"),
    (copy(FRAGMENT, TILE, guard=Guard(0xFF0)), "ldstmatrix", "laneid narrowed to [4, 12) vs full [0, 32)"),
    (copy(FRAGMENT, TILE, "cta", 64, guard=Guard(3)), "ldstmatrix", "tx narrowed to [0, 2) vs full [0, 64)"),
    (copy(FRAGMENT, TILE, "warpgroup", 128, guard=Guard(5)), "ldstmatrix",
        "tid_in_wg narrowed to 2 threads of [0, 3) vs full [0, 128)"),
    (guarded(None, "x > 0"), "fallback", "which threads take part is unknown: x > 0"),
    (guarded(None, "x > 0"), "vec_auto", "; ".join(
        f"{form}: which threads take part is unknown: x > 0" for form in ("gmem_smem", "reg"))),
    (guarded(1 << 32 | 2, threads=64), "fallback", "no thread index takes part in all of the warps that copy"),
    (copy(TILE, FRAGMENT, guard=Guard(0xFF)), "fallback",
        "threads that hold elements of the source do not take part in the copy"),
    # -- how registers are dealt out --
    (copy(fragment("S[(16,16):(1@tx,1)]"), TILE), "ldstmatrix", "R thread axis 'tx' scope='cta' > scope 'warp'"),
    (copy(fragment("S[(16,16):(1@tx,1)]"), TILE), "vec_auto", f"{INTO}R thread axis 'tx' scope='cta' > scope 'warp'"),
    (copy(fragment("S[(16,16):(1@bx,1)]"), TILE), "ldstmatrix", "R thread axis 'bx' not in [laneid, tid_in_wg, tx]"),
    (copy(fragment("S[(16,16):(1@bx,1)]"), TILE), "vec_auto",
        f"{INTO}R thread axis 'bx' scope='grid' (not register-level)"),
    (copy(fragment("S[(16,16):(16,1)]"), TILE), "ldstmatrix", "R must have exactly one thread axis name; got []"),
    (copy(fragment("S[(64,4):(1@laneid,1)]", (64, 4)), shared("S[64,4]", (64, 4))), "ldstmatrix",
        "R covers 64 of the 32 threads of 'laneid'"),
    (copy(fragment("S[(64,4):(1@laneid,1)]", (64, 4)), shared("S[64,4]", (64, 4))), "vec_auto",
        f"{INTO}R lies on threads 0 to 63 of 'laneid', which has 32"),
    (copy(fragment("S[(33,4):(1@laneid,1)]", (33, 4)), shared("S[33,4]", (33, 4))), "vec_auto",
        f"{INTO}R lies on threads 0 to 32 of 'laneid', which has 32"),
    (copy(fragment("S[(8,8):(4@laneid,1)]+4@laneid", (8, 8)), shared("S[8,8]", (8, 8))), "fallback",
        "R lies on threads 4 to 32 of 'laneid', which has 32"),
    (copy(fragment("S[(2,2,4):(3@laneid,2@laneid,1)]", (16,)), shared("S[16]", (16,))), "ldstmatrix",
        "R thread section total 4 not divisible by 32"),
    (copy(fragment("S[(2,2,4):(3@laneid,2@laneid,1)]", (16,)), shared("S[16]", (16,))), "vec_auto",
        f"{INTO}R's thread iters [(2, 3@laneid), (2, 2@laneid)] overlap"),
    (copy(fragment("S[(2,4,4):(3@laneid,1@laneid,1)]", (32,)), shared("S[32]", (32,))), "vec_auto",
        f"{INTO}R's thread iters [(2, 3@laneid), (4, 1@laneid)] overlap"),
    (copy(fragment("swz(3,3,3)@S[(16,16):(16,1)]"), TILE, "thread", 1), "vec_auto", f"{INTO}R layout is swizzled"),
    # -- matrices --
    (copy(FRAGMENT, shared("swz(2,3,3)@S[(16,16):(16,1)]", (16, 16))), "ldstmatrix", SWZ),
    (copy(FRAGMENT, shared("S[(16,16):(1@ld,1)]", (16, 16), strides=RUNTIME)), "ldstmatrix",
        "S has a stride that is not a constant"),
    (copy(fragment("S[(8,4,2):(4@laneid,1@laneid,1)]+R[2:2]", (8, 8)), shared("S[8,8]", (8, 8))), "ldstmatrix",
        "R layout has replicas [(2, 2)], which ldmatrix and stmatrix do not support"),
    (copy(FRAGMENT, replace(TILE, layout=parse("S[(16,16):(16,1)]+R[2:256]"))), "ldstmatrix",
        "S layout has replicas [(2, 256)], which ldmatrix and stmatrix do not support"),
    (copy(FRAGMENT, TILE, target="sm_70"), "ldstmatrix", lacking("ldmatrix", "sm_75 or later; the target is sm_70")),
    (copy(TILE, FRAGMENT, target="sm_80"), "ldstmatrix", lacking("stmatrix", "sm_90 or later; the target is sm_80")),
    (copy(replace(FRAGMENT, element="f32"), replace(TILE, element="f32"), faithful=True), "ldstmatrix",
        ".b16 matrices need 16-bit elements, found f32"),
    (copy(FRAGMENT, TILE, target="sm_70", faithful=True), "ldstmatrix",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16 needs sm_75 or later; the target is sm_70"),
    (copy(FRAGMENT, shared("S[(16,16):(20,1)]", (16, 16)), faithful=True), "ldstmatrix",
        "layout doesn't fit any num in {4, 2, 1} (" + "; ".join(
            f"x{num}: S's rows, lanes, pairs have strides [20, 2, 1]" for num in (4, 2, 1)) + ")"),
    # -- registers --
    (copy(fragment("S[(2,8,2,4,2):(2,1@laneid,4,8@laneid,1)]"), FRAGMENT), "registers",
        "elements change threads in other ways than movmatrix moves them: copy through shared memory"),
    (copy(fragment("S[(8,4,2):(4@laneid,1@laneid,1)]+1@laneid", (8, 8)),
        fragment("S[(8,4,2):(4@laneid,1@laneid,1)]", (8, 8))), "registers",
        "the sides start at different indices of 'laneid'"),
    # -- memories --
    (copy(replace(GLOBAL, layout=parse("S[(16,16):(16,1)]+R[2:256]")), TILE), "vec_auto",
        "gmem_smem: the destination is replicated; reg: " + MEMORIES.format("shared", "global", REG)),
    (copy(packed("S[(16,16):(16,1)]"), replace(packed("S[(16,16):(1,16)]"), space="shared"), target="sm_100a"),
        "vec_auto", "gmem_smem: the layouts split the groups of 16 in which f4E2M1FN is stored; reg: "
        + MEMORIES.format("shared", "global", REG)),
    (copy(packed("S[(16,16):(16,1)]", "f6E3M2FN"), replace(packed("S[(16,16):(1,16)]", "f6E3M2FN"), space="shared")),
        "fallback", "the layouts split the groups of 16 in which f6E3M2FN is stored"),
    (copy(fragment("S[(16,16):(1@laneid,1)]", element="f4E2M1FN"), packed("S[(16,16):(16,1)]"), target="sm_100a"),
        "fallback", "f4E2M1FN is packed in memory and takes a byte in registers: only ldmatrix unpacks it"),
    # -- one access --
    (copy(OWN_EIGHT, EIGHT, variant="vec_128b"), "vec_128b", "unsupported scope warp (need thread)"),
    (copy(OWN_EIGHT, EIGHT, "thread", 1, variant="vec_64b"), "vec_64b",
        "src region does not contain exactly 4 elements"),
    (copy(OWN_EIGHT, OWN_EIGHT, "thread", 1, variant="vec_128b"), "vec_128b", "both sides are in registers"),
    (copy(OWN_EIGHT, EIGHT, "thread", 1, variant="vec_128b", bounds=(8,)), "vec_128b",
        "the region may be partly out of bounds"),
    (copy(OWN_EIGHT, replace(EIGHT, layout=parse("S[8:2]")), "thread", 1, variant="vec_128b"), "vec_128b",
        "global layout S[8:2] is not contiguous"),
    (copy(OWN_EIGHT, replace(EIGHT, layout=parse("S[8:1@ld]"), strides=RUNTIME), "thread", 1, variant="vec_128b"),
        "vec_128b", "global layout S[8:1@ld] is not contiguous memory"),
    (copy(OWN_EIGHT, replace(EIGHT, alignment=8), "thread", 1, variant="vec_128b"), "vec_128b",
        "global element 0 is not aligned to 16 bytes"),
    (copy(OWN_EIGHT, replace(EIGHT, layout=parse("S[8:1]+4")), "thread", 1, variant="vec_128b"), "vec_128b",
        "global element 4 is not aligned to 16 bytes"),
    (copy(registers("S[8:1]+1", (8,)), EIGHT, "thread", 1, variant="vec_128b"), "vec_128b",
        "element 1 is not at the start of a register"),
    (copy(OWN_EIGHT, shared("swz(2,3,3)@S[8:1]", (8,)), "thread", 1, variant="vec_128b"), "vec_128b",
        "the swizzle of shared memory splits chunks of 16 bytes"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "variant", "reason"), REASONS, ids=[f"{n}-{each[1]}" for n, each in enumerate(REASONS)]
)
def test_reasons(asked: Copy, variant: str, reason: str) -> None:
    (found,) = [each for each in candidates(asked) if each.name == variant]
    plan, attempt = tried(found, asked)
    assert plan is None
    assert attempt.reason == reason


def test_the_trail_of_what_nothing_can_do() -> None:
    with pytest.raises(CopyError) as caught:
        choose(copy(FRAGMENT, TILE, cache="nc"))
    why = "cache 'nc' applies only to loads from global memory"
    assert caught.value.message == (
        f"no variant can do this copy:\n  ldstmatrix  rejected: {why}\n  registers   rejected: {why}\n"
        f"  vec_auto    rejected: gmem_smem: {why}; reg: {why}\n  fallback    rejected: {why}"
    )
    assert caught.value.hint == (f"warp copy from shared S[(16,16):(16,1)] to local {FRAGMENT.layout} of f16 on sm_90a")


def test_only_asynchronous_copies_are_asynchronous() -> None:
    for name, asynchronous, said in (("ldgsts", False, ""), ("vec_auto", True, "not ")):
        with pytest.raises(CopyError) as caught:
            choose(copy(TILE, GLOBAL, variant=name, asynchronous=asynchronous))
        assert caught.value.message == f"variant '{name}' is {said}asynchronous"
    names = [each.name for each in candidates(copy(TILE, GLOBAL, asynchronous=True))]
    assert names == ["ldgsts", "ldstmatrix", "registers", "vec_auto", "fallback"]
    with pytest.raises(CopyError) as caught:
        choose(copy(TILE, GLOBAL, variant="vec_8b"))
    assert caught.value.hint == (
        "variants: vec_128b, vec_16b, vec_256b, vec_32b, vec_64b, ldgsts, ldstmatrix, registers, vec_auto, fallback"
    )


# -- one access of a named width ----------------------------------------------------------------------------------


@pytest.mark.parametrize("element", ["i8", "f16", "f32", "f64"])
@pytest.mark.parametrize("width", [16, 32, 64, 128, 256])
def test_one_access(element: str, width: int) -> None:
    """Of so many bits: registers of 32 bits each, and two accesses where shared memory has none of 256 bits."""
    bits = {"i8": 8, "f16": 16, "f32": 32, "f64": 64}[element]
    count = width // bits
    if count == 0:
        return
    memory = {space: operand(space, element, (count,), f"S[{count}:1]") for space in ("global", "shared")}
    own = registers(f"S[{count}:1]", (count,), element)

    def done(dst: Any, src: Any, target: str = "sm_100a") -> Plan:
        return choose(copy(dst, src, "thread", 1, target, variant=f"vec_{width}b"))

    suffix = {16: "u16", 32: "u32", 64: "v2.u32", 128: "v4.u32", 256: "v8.u32"}
    words = tuple(range(0, width // 8, 4))
    (load,) = done(own, memory["global"]).instructions
    assert (load.opcode.text, load.registers, load.bytes) == (f"ld.global.{suffix[width]}", words, width // 8)
    (store,) = done(memory["global"], own).instructions
    assert (store.opcode.text, store.registers) == (f"st.global.{suffix[width]}", words)
    step = min(width, 128)
    parts = [words[first // 32 : first // 32 + max(1, step // 32)] for first in range(0, width, step)]
    plan = done(own, memory["shared"])
    assert (plan.vector_bytes, plan.rounds) == (width // 8, 1)
    assert [each.opcode.text for each in plan.instructions] == [f"ld.shared.{suffix[step]}"] * (width // step)
    assert [each.registers for each in plan.instructions] == parts
    starts = [each.src.element(0) for each in plan.instructions if each.src is not None]
    assert starts == [first // bits for first in range(0, width, step)]
    both = done(memory["shared"], memory["global"]).instructions
    expected = [f"{name}.{suffix[step]}" for _ in range(width // step) for name in ("ld.global", "st.shared")]
    assert [each.opcode.text for each in both] == expected
    if width == 256:
        with pytest.raises(CopyError, match="needs sm_100 or later; the target is sm_90a"):
            done(own, memory["global"], "sm_90a")


# -- explanations -------------------------------------------------------------------------------------------------

EXPLANATIONS = {
    "moves": (
        copy(fragment("S[(2,8,2,4,2):(4,4@laneid,2,1@laneid,1)]"), FRAGMENT),
        """copy local 16x16xf16 S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)] -> local 16x16xf16 \
S[(2,8,2,4,2):(4,4@laneid,2,1@laneid,1)], warp of a block of 32, sm_90a
  ldstmatrix  rejected: unsupported memory scopes src=local dst=local; allowed: local->shared, shared->local
  registers   chosen
  form moves, 8 instructions per thread
    mov.b16 register bytes 0 from 0
    mov.b16 register bytes 2 from 2
    mov.b16 register bytes 4 from 8
    mov.b16 register bytes 6 from 10
    ... 4 more""",
    ),
    "matrices": (
        copy(TILE, FRAGMENT),
        """copy local 16x16xf16 S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)] -> shared 16x16xf16 \
S[(16,16):(16,1)], warp of a block of 32, sm_90a
  ldstmatrix  chosen
  form ldstmatrix, num 4, trans false, 1 instruction per thread
    stmatrix.sync.aligned.m8n8.x4.shared.b16 register bytes 0, 4, 8, 12
      dst element 16 * (laneid % 8) + 128 * (laneid / 8 % 2) + 8 * (laneid / 16 % 2)
  dst: 8 wavefronts for 1 instruction of a warp, 4 at least; up to 2-way bank conflicts, none with swz(3,1,3)""",
    ),
    "bytes": (
        copy(
            fragment("S[(4,4,2,8):(1@laneid,1,4,4@laneid)]", element="i8"),
            replace(TILE, element="i8"),
            target="sm_100a",
        ),
        """copy shared 16x16xi8 S[(16,16):(16,1)] -> local 16x16xi8 S[(4,4,2,8):(1@laneid,1,4,4@laneid)], \
warp of a block of 32, sm_100a
  ldstmatrix  chosen
  form ldstmatrix, num 1, trans true, 1 instruction per thread
    ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 register bytes 0, 4
      src element 16 * (laneid % 16)
  src: 2 wavefronts for 1 instruction of a warp, 2 at least""",
    ),
    "dealt": (
        copy(TILE, replace(GLOBAL, region=((0, 16), (0, 16))), "cta", 96),
        """copy global 16x16xf16 S[(16,16):(16,1)] -> shared 16x16xf16 S[(16,16):(16,1)], cta of a block of 96, sm_90a
  ldstmatrix  rejected: unsupported memory scopes src=global dst=shared; allowed: local->shared, shared->local
  registers   rejected: unsupported memory scopes src=global dst=shared; allowed: local->local
  vec_auto    rejected: gmem_smem: region size 256 not divisible by thread_cnt=96; reg: unsupported memory scopes \
src=global dst=shared; allowed: local->shared, shared->local, local->global, global->local
  fallback    chosen
  form dealt, 16 bytes per vector, 2 instructions per thread
    ld.global.v4.u32
      src element 8 * (tx)
    st.shared.v4.u32
      dst element 8 * (tx)
  dst: 4 wavefronts for 1 instruction of a warp, 4 at least""",
    ),
    "strides": (
        copy(FRAGMENT, replace(GLOBAL, layout=parse("S[(16,16):(1@ld,1)]+8"), strides=RUNTIME)),
        """copy global 16x16xf16 S[(16,16):(1@ld,1)] + 8 -> local 16x16xf16 \
S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)], warp of a block of 32, sm_90a
  ldstmatrix  rejected: unsupported memory scopes src=global dst=local; allowed: local->shared, shared->local
  registers   rejected: unsupported memory scopes src=global dst=local; allowed: local->local
  vec_auto    chosen
  form reg, 4 bytes per vector, 4 instructions per thread
    ld.global.u32 register bytes 0
      src element 2 * (laneid % 4) + 8 + ((laneid / 4)) * ld
    ld.global.u32 register bytes 4
      src element 2 * (laneid % 4) + 8 + ((laneid / 4) + 8) * ld
    ld.global.u32 register bytes 8
      src element 2 * (laneid % 4) + 16 + ((laneid / 4)) * ld
    ld.global.u32 register bytes 12
      src element 2 * (laneid % 4) + 16 + ((laneid / 4) + 8) * ld""",
    ),
    "conditions": (
        copy(shared("swz(3,3,3)@S[(16,8):(8,1)]", (16, 8)), fragment("S[(16,8):(1@laneid,1)]", (16, 8)), "cta", 64),
        """copy local 16x8xf16 S[(16,8):(1@laneid,1)] -> shared 16x8xf16 swz(3,3,3) @ S[(16,8):(8,1)], \
cta of a block of 64, sm_90a
  ldstmatrix  declined: R thread section total 16 not divisible by 32
  registers   rejected: unsupported memory scopes src=local dst=shared; allowed: local->local
  vec_auto    chosen
  form reg, 16 bytes per vector, 1 instruction per thread
  only threads with 0 <= laneid < 16
  only threads with 0 <= warpid < 1
    st.shared.v4.u32 register bytes 0, 4, 8, 12
      dst element swz(3,3,3)(8 * laneid)
  dst: 2 wavefronts for 1 instruction of a warp, 2 at least""",
    ),
    "window": (
        copy(OWN_EIGHT, operand("global", "f16", (4, 8), "S[(4,8):(8,1)]", ((2, 3), (0, 8))), "thread", 1),
        """copy global 4x8xf16 S[(4,8):(8,1)][2:3, 0:8] -> local 8xf16 S[8:1], thread of a block of 1, sm_90a
  ldstmatrix  rejected: unsupported scope thread (need warp, warpgroup, cta)
  registers   rejected: unsupported memory scopes src=global dst=local; allowed: local->local
  vec_auto    chosen
  form reg, 16 bytes per vector, 1 instruction per thread
    ld.global.v4.u32 register bytes 0, 4, 8, 12
      src element 16""",
    ),
}


@pytest.mark.parametrize("name", EXPLANATIONS)
def test_explanations(name: str) -> None:
    asked, expected = EXPLANATIONS[name]
    assert explain(asked) == expected


@pytest.mark.parametrize(
    ("own", "memory", "spelled"),
    [
        ("S[(32,8):(1@laneid,1)]", "S[(32,8):(1@ld,1)]", ["(laneid) * ld"]),
        ("S[(32,8):(1@laneid,1)]", "S[(32,8):(1@ld,1)]+8", ["8 + (laneid) * ld"]),
        ("S[(32,8):(1@laneid,1)]", "S[(32,8):(8,1)]", ["8 * laneid"]),
        ("S[(32,8):(8,1)]", "S[(32,8):(1@ld,1)]", ["0", "(1) * ld", "(2) * ld", "(3) * ld"]),
        ("S[(32,8):(8,1)]", "S[(32,8):(8,1)]", ["0", "8", "16", "24"]),
        ("S[(2,16,8):(16@laneid,1@laneid,1)]", "S[(2,16,8):(1@ld,8,1)]", ["8 * (laneid % 16) + ((laneid / 16)) * ld"]),
        ("S[(2,16,8):(8,1@laneid,1)]", "S[(2,16,8):(2@ld,8,1)]+1@ld",
            ["8 * laneid + (1) * ld", "8 * laneid + (3) * ld"]),
    ],
)  # fmt: skip
def test_addresses_are_spelled(own: str, memory: str, spelled: list[str]) -> None:
    """What is in memory, and how often each stride that only the kernel knows; nothing is said of what is 0."""
    source = operand("global", "f16", (32, 8), memory, strides=RUNTIME)
    text = explain(copy(fragment(own, (32, 8)), source, guard=None))
    found = [line.split("src element ")[1] for line in text.splitlines() if "src element" in line]
    assert found == spelled


def test_explanations_tell_what_others_say_and_what_cannot_be() -> None:
    text = explain(copy(OWN_EIGHT, EIGHT, "thread", 1), note="no box of it is there")
    assert text.splitlines()[1] == "  tma         declined: no box of it is there"
    refused = explain(copy(FRAGMENT, TILE, cache="nc"))
    assert refused.splitlines()[1:3] == [
        "no variant can do this copy:",
        "  ldstmatrix  rejected: cache 'nc' applies only to loads from global memory",
    ]


@pytest.mark.parametrize("pitch", [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 33, 40, 64])
def test_conflicts_of_a_column(pitch: int) -> None:
    """Of words so far apart, as many fall into one bank as divides both the pitch and the number of banks."""
    own = fragment("S[(32,1):(1@laneid,1)]", (32, 1), "f32")
    memory = shared(f"S[(32,1):({pitch},1)]", (32, 1), "f32")
    degree = gcd(pitch, 32)
    for name, sides in (("src", (own, memory)), ("dst", (memory, own))):
        asked = copy(*sides)
        (line,) = report(choose(asked), asked)
        start = f"{name}: {degree} wavefronts for 1 instruction of a warp, 1 at least"
        if degree == 1:
            assert line == start
            continue
        told, _, better = line.partition(", none with ")
        if better:
            assert told == f"{start}; up to {degree}-way bank conflicts"
            swizzle = parse(better)
            assert isinstance(swizzle, SwizzleLayout)
            assert len({swizzle.place(pitch * lane) % 32 for lane in range(32)}) == 32
        else:
            assert line == f"{start}; up to {degree}-way bank conflicts, with any swizzle; pad the rows"
            swizzles = [
                SwizzleLayout(0, length, distance) for distance in range(1, 9) for length in range(distance + 1)
            ]
            assert all(len({each.place(pitch * lane) % 32 for lane in range(32)}) < 32 for each in swizzles)


def test_conflicts_of_several_instructions() -> None:
    tiles = [shared(f"S[(32,32):({rows},{columns})]", (32, 32), "f32") for rows, columns in ((32, 1), (1, 32))]
    asked = copy(*tiles)
    dst, src = report(choose(asked), asked)
    assert src == "src: 32 wavefronts for 32 instructions of a warp, 32 at least"
    assert dst.startswith(
        "dst: 1024 wavefronts for 32 instructions of a warp, 32 at least; up to 32-way bank conflicts, "
    )
    few = copy(shared("S[(4,2):(2,1)]", (4, 2)), shared("S[(4,2):(1,4)]", (4, 2)), "thread", 1)
    assert report(choose(few), few) == []


SWIZZLED = [
    (64, "swz(2,3,3)@S[(16,2,32):(32,512,1)]", 4), (32, "swz(2,3,3)@S[(16,32):(32,1)]", 4), (16, "swz(2,2,3)@S[(16,16):(16,1)]", 2),
    (8, "swz(2,1,3)@S[(16,8):(8,1)]", 0), (32, "S[(16,32):(32,1)]", 0), (24, "S[(16,24):(24,1)]", 0),
]  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize(("columns", "layout", "distance"), SWIZZLED)
def test_sums_are_stored_in_turns_where_that_spares_all_conflicts(columns: int, layout: str, distance: int) -> None:
    """Half of the lanes do another instruction than the others, in the swizzles that TMA reads."""
    own = fragment(f"S[(2,8,{columns // 8},4,2):(2,4@laneid,4,1@laneid,1)]", (16, columns), "f32")
    memory = shared(layout, (16, columns), "f32")
    asked = copy(memory, own)
    plan = choose(asked)
    assert len(plan.instructions) == columns // 4
    assert plan.turn == ((Digit("laneid", 2, 2), distance) if distance else None)
    assert Machine(Case(asked), plan).run() == []
    told = f"  threads with (laneid / 2 % 2) = 1 do instruction i ^ {distance} for i: no bank conflicts so"
    assert (told in explain(asked).splitlines()) == bool(distance)
    conflicts = [totals(each).conflicts for each in accesses(plan, asked, "dst")]
    assert any(conflicts) == (distance == 0 and columns == 32)
    if distance:
        assert any(totals(each).conflicts for each in accesses(replace(plan, turn=None), asked, "dst"))
        for other in (
            copy(own, memory),
            replace(asked, faithful=True),
            copy(replace(memory, space="global", layout=parse(layout.split("@")[1])), own),
        ):
            assert choose(other).turn is None
    loaded = report(choose(copy(own, memory)), copy(own, memory))
    assert len(loaded) == 1 and loaded[0].startswith("src: ")


# -- what is nearly a fragment ------------------------------------------------------------------------------------

EIGHT_ROWS = shared("S[8,8]", (8, 8))
NEARLY: list[tuple[Any, Any, str, str, str]] = [
    (fragment("S[(8,4,2):(4@laneid,1@laneid,1)]+1", (8, 8)), EIGHT_ROWS,
        "the parts of R do not fill whole registers", "S's rows, lanes, parts have strides [8, 2, 1]",
        "x1: pairs of R do not fill whole registers"),
    (fragment("S[(4,8,2):(1@laneid,4@laneid,1)]", (8, 8)), EIGHT_ROWS,
        "S's rows, lanes, parts have strides [2, 16, 1]", "S's rows, lanes, parts have strides [2, 16, 1]",
        "x1: S's rows, lanes, pairs have strides [2, 16, 1]"),
    (fragment("S[(2,8,2,4,2):(1,4@laneid,4,1@laneid,2)]"), TILE,
        "S's rows, lanes, parts have strides [16, 2, 128]", "S's rows, lanes, parts have strides [16, 2, 128]",
        "; ".join(["x4: matrices are [8, 1] elements apart", "x2: matrices are [1] elements apart",
            "x1: instructions are [8, 1] elements apart"])),
    (fragment("S[(8,2,2,2):(4@laneid,2@laneid,1@laneid,1)]", (8, 8)), shared("S[(8,2,4):(8,64,1)]", (8, 8)),
        "rows, lanes or a register's parts have more than one stride",
        "rows, lanes or a register's parts have more than one stride",
        "x1: rows, lanes or pairs have more than one stride"),
    (fragment("S[(8,4):(4@laneid,1@laneid)]", (8, 4)), shared("S[8,4]", (8, 4)),
        "a thread holds 16 bits, which do not fill whole registers",
        "a thread holds 16 bits, which do not fill whole registers", ""),
    (fragment("S[(8,4,3):(4@laneid,1@laneid,1)]", (8, 12)), shared("S[8,12]", (8, 12)),
        "a thread holds 48 bits, which do not fill whole registers",
        "a thread holds 48 bits, which do not fill whole registers", ""),
    (fragment("S[(2,8,4,2):(2,4@laneid,1@laneid,1)]", (16, 8)), shared("S[(2,8,8):(68,8,1)]", (16, 8)),
        "matrices do not start at multiples of 16 bytes", "S's rows, lanes, parts have strides [8, 2, 1]",
        "x2: matrices are [68] elements apart; x1: instructions are [68] elements apart"),
    (fragment("S[(8,4,6):(4@laneid,1@laneid,1)]", (8, 24)), shared("S[(8,4,2,3):(24,6,256,1)]", (8, 24)),
        "S cannot be grouped by [1, 8, 4, 3, 2]", "S cannot be grouped by [1, 8, 4, 3, 2]",
        "x1: S cannot be grouped by [1, 8, 4, 3, 1, 2]"),
    (fragment("S[(8,4,2,3):(4@laneid,1@laneid,4,1)]", (8, 24)), shared("S[8,24]", (8, 24)),
        "R cannot be grouped by [1, 8, 4, 3, 2]", "R cannot be grouped by [1, 8, 4, 3, 2]",
        "x1: R cannot be grouped by [1, 8, 4, 3, 1, 2]"),
    (fragment("S[(8,4,2):(4@laneid,1@laneid,2)]", (8, 8)), EIGHT_ROWS,
        "R's rows, lanes, parts have strides [4, 1, 2], not [4, 1, 1]",
        "R's rows, lanes, parts have strides [4, 1, 2], not [4, 1, 1]",
        "x1: R's rows, lanes, pairs have strides [4, 1, 2], not [4, 1, 1]"),
    *((fragment("S[(8,4,2):(4@laneid,1@laneid,1)]", (8, 8)), shared(f"S[(8,8):({row},{column})]+56", (8, 8)),
        *(f"S's rows, lanes, parts have strides [{row}, {2 * column}, {column}]",) * 2,
        f"x1: S's rows, lanes, pairs have strides [{row}, {2 * column}, {column}]")
        for row, column in ((0, 1), (-8, 1), (1, 0), (1, -8), (12, 1), (4, 1), (1, 4), (1, 12))),
    *((fragment("S[(8,4,2):(4@laneid,1@laneid,1)]", (8, 8)), shared(f"S[8,8]+{offset}", (8, 8), **more),
        f"rows of S do not start at multiples of 16 bytes ({said})", "S's rows, lanes, parts have strides [8, 2, 1]",
        f"x1: rows of S do not start at multiples of 16 bytes ({said})")
        for offset, more, said in (
            (4, {}, "offset: 8"), (0, {"alignment": 8}, "alignment: 8"),
            (8, {"divisor": 4}, "multiples added by the kernel: 8"),
            (1, {"divisor": 12, "alignment": 24},
                "offset: 2, multiples added by the kernel: 24, alignment: 24"))),
]  # fmt: skip
"""Of each the reason against matrices as they lie, against transposed ones, and that of the published algorithm."""


@pytest.mark.parametrize(("own", "memory", "plain", "turned", "published"), NEARLY)
def test_what_is_nearly_a_fragment(own: Any, memory: Any, plain: str, turned: str, published: str) -> None:
    reasons = "; ".join(dict.fromkeys([f"m8n8: {plain}", f"m8n8.trans: {turned}"]))
    detail = f" ({published})" if published else ""
    expected = {
        False: f"layout is not a fragment of a matrix instruction ({reasons})",
        True: f"layout doesn't fit any num in {{4, 2, 1}}{detail}",
    }
    for faithful, reason in expected.items():
        asked = copy(own, memory, faithful=faithful)
        (found,) = [each for each in candidates(asked) if each.name == "ldstmatrix"]
        assert tried(found, asked)[1].reason == reason


def test_warps_of_a_fragment_are_apart_by_whole_rows_of_sixteen_bytes() -> None:
    own = fragment("S[(2,8,4,2):(32@tx,4@tx,1@tx,1)]", (16, 8))
    for faithful, before in ((False, "m8n8: "), (True, "x1: ")):
        asked = copy(own, shared("S[(2,8,8):(68,8,1)]", (16, 8)), "cta", 64, faithful=faithful)
        (found,) = [each for each in candidates(asked) if each.name == "ldstmatrix"]
        reason = f"{before}rows of S do not start at multiples of 16 bytes (between warps: 136)"
        assert reason in tried(found, asked)[1].reason
        apart = copy(own, shared("S[(2,8,8):(72,8,1)]", (16, 8)), "cta", 64, faithful=faithful)
        assert choose(apart).variant == "ldstmatrix"
    mixed = copy(fragment("S[(2,2,8,4,2):(64@tx,32@tx,4@tx,1@tx,1)]", (32, 8)), shared("S[32,8]", (32, 8)), "cta", 128)
    assert choose(mixed).variant == "ldstmatrix"


@pytest.mark.parametrize("element", ["i8", "f4E2M1FN"])
def test_matrices_of_bytes_have_two_halves(element: str) -> None:
    """Sixteen bytes of a row: what is eight bytes wide, at the end of rows, has no second half."""
    for columns, count in ((16, 1), (24, 0), (32, 1), (48, 2)):
        halves = columns // 8
        own = fragment(f"S[(4,4,{halves},8):(1@laneid,1,4,4@laneid)]", (16, columns), element)
        asked = copy(own, shared(f"S[(16,{columns}):(48,1)]", (16, columns), element), target="sm_100a")
        if count:
            plan = choose(asked)
            assert (plan.variant, len(plan.instructions)) == ("ldstmatrix", count)
            assert sum(each.bytes for each in plan.instructions) == 16 * columns // 32
            assert Machine(Case(asked), plan).run() == []
        else:
            (found,) = [each for each in candidates(asked) if each.name == "ldstmatrix"]
            assert "m16n16.trans: some matrices lack a half" in tried(found, asked)[1].reason


BYTES_OF = {
    # The layout of n matrices beside each other, their rows and columns, whether loaded, the most at a time.
    "m16n8": ("S[(4,2,{n},2,8):(1@laneid,1,4,2,4@laneid)]", 8, 16, False, 4, ("i8", "i8")),
    "m16n16": ("S[(4,4,{n},2,8):(1@laneid,1,8,4,4@laneid)]", 16, 16, True, 2, ("i8", "f4E2M1FN")),
    "m8n16": ("S[(8,{n},4,4):(4@laneid,4,1@laneid,1)]", 8, 16, True, 4, ("f6E3M2FN", "f4E2M1FN")),
    "m8n8": ("S[(8,{n},4,4):(4@laneid,4,1@laneid,1)]", 8, 16, True, 4, ("i8", "f8E4M3FN")),
}


@pytest.mark.parametrize("shape", BYTES_OF)
def test_matrices_of_bytes(shape: str) -> None:
    """As many at a time as there are, of each shape that there is for elements of 8 bits and less."""
    layout, rows, columns, load, most, elements = BYTES_OF[shape]
    for n, element in zip((1, 2, 3, 4), elements * 2, strict=True):
        own = fragment(layout.format(n=n), (rows, n * columns), element)
        memory = shared("S[(16,64):(64,1)]", (16, 64), element, ((0, rows), (0, n * columns)))
        asked = copy(own, memory, target="sm_100a") if load else copy(memory, own, target="sm_100a")
        plan = choose(asked)
        assert Machine(Case(asked), plan).run() == [], (n, element)
        counts = [int(each.opcode["num"][1:]) for each in plan.instructions]
        assert {each.opcode["shape"] for each in plan.instructions} == {shape}
        assert counts == {1: [1], 2: [2], 3: [2, 1], 4: [4] if most == 4 else [2, 2]}[n]


# -- between registers --------------------------------------------------------------------------------------------

TURNED = fragment("S[(4,2,8):(1@laneid,1,4@laneid)]", (8, 8))
STRAIGHT = fragment("S[(8,4,2):(4@laneid,1@laneid,1)]", (8, 8))
BEYOND = "elements change threads in other ways than movmatrix moves them: copy through shared memory"


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (copy(TURNED, STRAIGHT, target="sm_70"),
            "movmatrix.sync.aligned.m8n8.trans.b16 needs sm_75 or later; the target is sm_70"),
        (copy(TURNED, STRAIGHT, guard=Guard(0xFFFF)), "laneid narrowed to [0, 16) vs full [0, 32)"),
        (copy(TURNED, STRAIGHT, guard=Guard(0xFFFF), target="sm_70"), "laneid narrowed to [0, 16) vs full [0, 32)"),
        (copy(TURNED, STRAIGHT, "thread"), "R thread axis 'laneid' scope='warp' > scope 'thread'"),
        (copy(*(replace(each, element="f32") for each in (TURNED, STRAIGHT))),
            "movmatrix transposes 16-bit elements, not f32"),
        (copy(fragment("S[(4,2,8):(1@laneid,1,4@laneid)] + R[2:2]", (8, 8)),
            fragment("S[(8,4,2):(4@laneid,1@laneid,1)] + R[2:2]", (8, 8))), "a transposed matrix cannot be replicated"),
        (copy(fragment("S[(4,2,8):(1@laneid,1,4@laneid)] + 1", (8, 8)), STRAIGHT),
            "pairs of elements do not fill whole registers"),
        (copy(TURNED, fragment("S[(8,4,2):(4@laneid,1@laneid,1)] + 1", (8, 8))),
            "pairs of elements do not fill whole registers"),
        (copy(fragment("S[(2,4,2,8):(3,1@laneid,1,4@laneid)]", (16, 8)),
            fragment("S[(2,8,4,2):(2,4@laneid,1@laneid,1)]", (16, 8))),
            "pairs of elements do not fill whole registers"),
        (copy(fragment("S[(4,2,8):(1@laneid,2,4@laneid)]", (8, 8)), STRAIGHT), BEYOND),
        (copy(fragment("S[(2,4,8):(1,1@laneid,4@laneid)]", (8, 8)), STRAIGHT), BEYOND),
    ],
)  # fmt: skip
def test_why_registers_alone_do_not_do(asked: Copy, reason: str) -> None:
    (found,) = [each for each in candidates(asked) if each.name == "registers"]
    assert tried(found, asked)[1].reason == reason


def test_replicas_in_registers_are_moved_to_replicas() -> None:
    """Each copy of a destination that has as many as the source is written, from the first of the source."""
    own = "S[(8,4,2):(4@laneid,1@laneid,1)]"
    dst, src = (fragment(f"{own} + R[2:{step}] + {at}", (8, 8)) for step, at in ((4, 2), (4, 0)))
    plan = choose(copy(dst, src))
    assert [(each.registers, each.sources) for each in plan.instructions] == [
        ((4,), (0,)), ((12,), (0,)), ((6,), (2,)), ((14,), (2,)),
    ]  # fmt: skip
    assert Machine(Case(copy(dst, src)), plan).run() == []


@pytest.mark.parametrize("pitch", [16, 40])
@pytest.mark.parametrize(
    ("layout", "registers"),
    [
        ("S[(2,8,2,4,2):(2,4@laneid,4,1@laneid,1)]", (0, 4, 8, 12)),
        ("S[(2,8,2,4,2):(4,4@laneid,2,1@laneid,1)]", (0, 4, 8, 12)),
        ("S[(2,8,2,4,2):(2,4@laneid,8,1@laneid,1)]", (0, 4, 16, 20)),
        ("S[(2,8,2,4,2):(10,4@laneid,2,1@laneid,1)]", (0, 4, 20, 24)),
    ],
)
def test_four_matrices_in_the_order_of_their_registers(layout: str, registers: tuple[int, ...], pitch: int) -> None:
    """Whatever their order in memory is, also by the published algorithm."""
    memory = shared(f"S[(16,16):({pitch},1)]", (16, 16))
    for faithful, load in product((False, True), (False, True)):
        sides = [fragment(layout), memory] if load else [memory, fragment(layout)]
        asked = copy(*sides, faithful=faithful)
        (each,) = choose(asked).instructions
        assert each.registers == registers
        assert Machine(Case(asked), choose(asked)).run() == []


# -- sides that no iters describe ---------------------------------------------------------------------------------

WINDOW = ((1, 9), (3, 11))


@pytest.mark.parametrize(
    ("dst", "src", "reasons"),
    [
        ("shared", "local", {"ldstmatrix": "S", "vec_auto": "reg S"}), ("local", "shared", {"ldstmatrix": "S", "vec_auto": "reg S"}),
        ("global", "local", {"vec_auto": "reg S"}), ("shared", "global", {"vec_auto": "gmem_smem S"}),
        ("global", "shared", {"vec_auto": "gmem_smem G"}),
    ],
)  # fmt: skip
def test_regions_of_memory_that_no_iters_describe(dst: str, src: str, reasons: dict[str, str]) -> None:
    """Which side it is, by the letter of its role."""
    blocks = operand("shared" if dst == "shared" else src, "f16", (32, 32), "S[(32,4,8):(8,256,1)]", WINDOW)
    blocks = replace(blocks, space=dst if src == "local" or reasons["vec_auto"].endswith("G") else blocks.space)
    if dst == "local":
        blocks = replace(blocks, space="shared")
    plain = {
        "local": fragment("S[(8,4,2):(4@laneid,1@laneid,1)]", (8, 8)),
        "shared": EIGHT_ROWS,
        "global": replace(EIGHT_ROWS, space="global"),
    }
    sides = [blocks if space == blocks.space else plain[space] for space in (dst, src)]
    asked = copy(*sides)
    for name, told in reasons.items():
        form, _, letter = told.rpartition(" ")
        (found,) = [each for each in candidates(asked) if each.name == name]
        reason = f"no layout describes the {letter} region"
        assert (f"{form}: {reason}" if form else reason) in tried(found, asked)[1].reason
    assert Machine(Case(asked), choose(asked)).run() == []


OWN = fragment("S[(8,8):(1@laneid,1)]", (8, 8))


@pytest.mark.parametrize(
    ("variant", "letters"), [("ldstmatrix", "R"), ("vec_auto", "R"), ("registers", "dst"), ("registers", "src")]
)
def test_regions_of_registers_that_no_iters_describe(variant: str, letters: str) -> None:
    blocks = operand("local", "f16", (32, 32), "S[(2,16,4,8):(16,1@laneid,32,1)]", WINDOW)
    other = EIGHT_ROWS if letters == "R" else registers("S[(8,8):(1@laneid,1)]", (8, 8))
    asked = copy(other, blocks) if letters == "src" else copy(blocks, other)
    (found,) = [each for each in candidates(asked) if each.name == variant]
    assert "no layout describes the R region" in tried(found, asked)[1].reason


def test_memory_lies_in_no_threads() -> None:
    for space, letter in (("shared", "S"), ("global", "S")):
        memory = operand(space, "f16", (8, 8), "S[(8,8):(1@laneid,1)]")
        asked = copy(STRAIGHT, memory)
        (found,) = [each for each in candidates(asked) if each.name == "vec_auto"]
        said = f"reg: {letter} is in memory, but its layout has the thread axis 'laneid'"
        assert tried(found, asked)[1].reason.endswith(said)


def test_the_published_algorithm_takes_matrices_in_the_order_of_memory() -> None:
    """Four beside each other in a row of memory, whatever registers they have; else four in neighbouring registers."""
    own, memory = fragment("S[(2,8,8,4,2):(2,4@laneid,4,1@laneid,1)]", (16, 64)), shared("S[16,64]", (16, 64))
    published, ours = (choose(copy(own, memory, faithful=faithful)).instructions for faithful in (True, False))
    beside = [tuple(4 * row + 8 * tile for tile in range(first, first + 4)) for row in (0, 1) for first in (0, 4)]
    assert [each.registers for each in published] == beside
    assert [each.registers for each in ours] == [tuple(range(first, first + 16, 4)) for first in (0, 16, 32, 48)]
    for faithful in (True, False):
        asked = copy(own, memory, faithful=faithful)
        assert Machine(Case(asked), choose(asked)).run() == []
