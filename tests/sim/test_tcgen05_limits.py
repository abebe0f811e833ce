"""tcgen05 at its limits: what each field and address may be, pairs of CTAs, CTAs that differ, and all extremes of loads."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.sim.harness import Array, launch
from tests.sim.test_forms import tokens_of
from tests.sim.test_tcgen05 import (
    END,
    POLICIES,
    SHARED,
    START,
    WAIT,
    descriptor,
    fill,
    idesc,
    image,
    kernel,
    multiply,
    numbers,
    stage,
    through,
)  # fmt: skip
from weft.isa.registry import compiled_forms
from weft.sim import KernelFault, UnsupportedInstruction
from weft.sim.semantics import tcgen05_mma

COMMIT = "tcgen05.commit.cta_group::{group}.mbarrier::arrive::one.shared::cluster.b64 [%r2];"
PRODUCT = "tcgen05.mma{ws}.cta_group::{group}.kind::f16 {d}, {a}, %rd5, %r8, %p3;"
LEADER = "@!%leader bra skip; {} skip: "


def issued(text: str, word: int = idesc("f16", "f16", "f16", "f32", 128, 64), *, lane: str = "%leader") -> str:
    """What one thread of a CTA does, by a descriptor of zeros and an instruction descriptor."""
    return f"""mov.u64 %rd5, {descriptor(0, 128, 256, 0)}; mov.u32 %r8, {word}; setp.ne.u32 %p3, 0, 0; @!{lane} bra skip;
    {text} skip:"""


def product_of(d: str = "[%r4]", a: str = "%rd5", ws: str = "", group: int = 1) -> str:
    return PRODUCT.format(d=d, a=a, ws=ws, group=group)


NARROW = idesc("f16", "f16", "f16", "f32", 64, 64)
WRONG: dict[str, tuple[str, str, str]] = {
    "descriptor": (
        issued(product_of(), idesc("f16", "f16", "f16", "f32", 96, 64)), "descriptor",
        f"invalid instruction descriptor {idesc('f16', 'f16', 'f16', 'f32', 96, 64):#010x}: M is 96, not one of 64, 128",
    ),
    "lane of D": (issued(product_of("[%r4+0x100000]")), "tensor-memory", "D starts at lane 16"),
    "lane of half D": (issued(product_of("[%r4+0x200000]"), NARROW), "tensor-memory", "D starts at lane 32"),
    "lane of D of a warp": (issued(product_of("[%r4+0x100000]", ws=".ws"), NARROW), "tensor-memory", "D starts at lane 16"),
    "columns of D": (
        issued(product_of("[%r4+449]")), "tensor-memory", "lane 0, column 512 of tensor memory lies outside the 128 lanes by 512 columns",
    ),
    "columns of A": (
        issued(product_of(a="[%r4+505]")), "tensor-memory", "lane 0, column 512 of tensor memory lies outside the 128 lanes by 512 columns",
    ),
    "A": (issued(product_of(a="[%r4+504]")), "uninitialised-memory", "lane 0, column 504 of tensor memory has not been written yet"),
    "no pair": (
        issued("tcgen05.shift.cta_group::2.down [%r4];"), "tensor-memory", "a pair of CTAs needs a cluster with an even number of CTAs",
    ),
    "lane of a shift": (issued("tcgen05.shift.cta_group::1.down [%r4+0x300000];"), "tensor-memory", "lane 48 is not a multiple of 32"),
    "columns of a copy": (
        issued("tcgen05.cp.cta_group::1.128x256b [%r4+505], %rd5;"), "tensor-memory",
        "lane 0, column 512 of tensor memory lies outside the 128 lanes by 512 columns",
    ),
    "memory of a copy": (
        issued(f"mov.u64 %rd5, {descriptor(8192, 128, 256, 0)}; tcgen05.cp.cta_group::1.128x256b [%r4+504], %rd5;"), "out-of-bounds", "",
    ),
    "lanes of a load": ("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%w0}, [%r6+0x100000];", "tensor-memory", "lane 16: the warp can access only lanes 0 to 31"),
    "lanes of a half": ("tcgen05.ld.sync.aligned.16x64b.x1.b32 {%w0}, [%r6+0x80000];", "tensor-memory", "lane 8: the warp can access only lanes 0 to 31"),
}  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong(name: str) -> None:
    body, kind, message = WRONG[name]
    with pytest.raises(KernelFault) as caught:
        kernel(
            fill(8192) + body,
            [np.zeros(8192, np.uint8)],
            size=8192,
            async_="eager",
            group=2 if "group::2" in body else 1,
        )
    fault = caught.value
    assert fault.kind == kind and message in fault.message
    assert fault.thread is not None and fault.thread.tid == (0, 0, 0)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("tcgen05.cp.cta_group::1.4x256b [%r4], %rd5;", r"shape \.4x256b"),
        ("tcgen05.mma.ws.cta_group::1.kind::f16 [%r4], %rd5, %rd5, %r8, %p3, %rd6;", "a mask of zero columns"),
    ],
)
def test_what_is_not_simulated(text: str, what: str) -> None:
    with pytest.raises(UnsupportedInstruction, match=what):
        kernel(issued(text), [])


def test_sums_of_64_rows_lie_in_either_half_of_the_lanes_of_a_warp() -> None:
    a, b = numbers((64, 16), "f16", 1), numbers((64, 16), "f16", 2)
    (bytes_a, leading, stride), (bytes_b, *_) = (stage(image(v, "f16", "f16"), 0) for v in (a, b))
    out = np.zeros((128, 64), np.uint32)
    body = (
        fill(1 << 15)
        + through(0, 64, 1, True)
        + f"""mov.u64 %rd5, {descriptor(0, leading, stride, 0)}; mov.u64 %rd6, {descriptor(1 << 14, leading, stride, 0)};
    mov.u32 %r8, {NARROW}; setp.eq.u32 %p3, 0, 0; tcgen05.fence::before_thread_sync; bar.sync 0; @!%leader bra started;
    tcgen05.fence::after_thread_sync; tcgen05.mma.cta_group::1.kind::f16 [%r4+0x100000], %rd5, %rd6, %r8, !%p3;
    {COMMIT.format(group=1)} started:"""
        + WAIT.format(n=0)
        + through(0, 64, 2, False)
    )
    held = np.full((128, 64), 7, np.uint32)
    kernel(body, [np.concatenate([bytes_a[: 1 << 14], bytes_b[: 1 << 14]]), held, out], size=1 << 15)
    want = held.copy()
    for i in range(64):
        want[i // 16 * 32 + 16 + i % 16] = (a[i] @ b.T).astype(np.float32).view(np.uint32)  # Negated: D is no input.
    assert (out == want).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("vectors", [1, 2, 4])
def test_bytes_of_scales(vectors: int) -> None:
    """A word has four: scales start so that all that are used lie in it; the upper bits of their address do not count."""
    kind = {1: "mxf8f6f4", 2: "mxf4", 4: "mxf4nvf4"}[vectors]
    type_, name = "e2m1", ".block_scale.scale_vec::" + f"{vectors}X"
    table = np.full((128, 8), 0x7F7F7F7F, np.uint32)  # Ones, as powers of two.
    for first in range(4 - vectors, 4):
        extra = first << 29 | first << 4 | 1 << 23

        def run(extra: int = extra) -> Any:
            return multiply(
                kind, type_, type_, "f32", extra=extra, name=name, more=[table], scales=", [%w100], [%w101]",
                prepare=through(300, 8, 3, True) + "add.u32 %w100, %r4, 0xC000012C; add.u32 %w101, %r4, 0x80000130;",
            )  # fmt: skip

        if first == 4 - vectors:
            a, b, before, after = run()
            assert (after == a @ b.T + before).all()
            continue
        with pytest.raises(KernelFault, match=f"scales start at byte {first}"):
            run()


def test_numbers_of_scales() -> None:
    """`.block32` is two scales a row where a row has 64 elements, one where it has 32; `.block16` is four."""
    from types import SimpleNamespace

    known = {
        "kind::mxf8f6f4": {"": 1, "block32": 1, "scale_vec::1X": 1},
        "kind::mxf4": {"": 2, "block32": 2, "scale_vec::2X": 2},
    }
    known["kind::mxf4nvf4"] = {"block32": 2, "block16": 4, "scale_vec::2X": 2, "scale_vec::4X": 4}
    tried = set[tuple[str, str]]()
    for form in compiled_forms("tcgen05.mma"):
        for slots in tokens_of(form) if any(element.slot == "block" for element in form.elements) else ():
            case = str(slots["kind"]), str(slots["block"])
            if case in tried:
                continue
            tried.add(case)
            fake: Any = SimpleNamespace(kind=case[0], site=SimpleNamespace(opcode=slots))
            assert tcgen05_mma._Product._vectors(fake) == known[case[0]][case[1]], case  # pyright: ignore[reportPrivateUsage]
    assert len(tried) >= 9


# -- several CTAs ---------------------------------------------------------------------------------------------


def of_cta(columns: int, argument: int, store: bool) -> str:
    """The columns of a CTA's own part of an argument: its number is in `%w120`."""
    text = through(0, columns, argument, store)
    return f"mad.lo.u32 %w121, %w120, 128, %r0; {text.replace('mad.wide.u32 %rd3, %r0,', 'mad.wide.u32 %rd3, %w121,')}"


OWN = f"ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %w120, {1 << 15}, %rd1;" + fill(1 << 15).replace(
    "ld.param.u64 %rd1, [p0];", ""
)


@pytest.mark.sample(1)
@pytest.mark.parametrize("policy", ["eager", "lazy"])
@pytest.mark.parametrize("differ", [False, True])
def test_ctas_that_run_together(differ: bool, policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has its own matrices; also where they multiply at other addresses, or some keep their sums, and few at a time."""
    count, n = 3, 32
    monkeypatch.setattr(tcgen05_mma, "_MOST_BYTES", 2 * 8 * 128 * n)
    a, b = numbers((count, 128, 16), "f16", 1), numbers((count, n, 16), "f16", 2)
    images, leading, stride = list[Array](), 0, 0
    for one, other in zip(a, b, strict=True):
        (bytes_a, leading, stride), (bytes_b, *_) = (stage(image(v, "f16", "f16"), 0) for v in (one, other))
        images.append(np.concatenate([bytes_a[: 1 << 14], bytes_b[: 1 << 14]]))
    before, out = numbers((count, 128, 64), "f16", 3).astype(np.float32), np.zeros((count, 128, 64), np.float32)
    body = (
        "mov.u32 %w120, %ctaid.x;" + OWN + of_cta(64, 1, True)
        + f"""mov.u64 %rd5, {descriptor(0, leading, stride, 0)}; mov.u64 %rd6, {descriptor(1 << 14, leading, stride, 0)};
    mov.u32 %r8, {idesc("f16", "f16", "f16", "f32", 128, n)}; mul.lo.u32 %w122, %w120, {7 * differ}; add.u32 %w122, %w122, %r4;
    setp.ne.u32 %p3, %w120, {1 if differ else 9}; tcgen05.fence::before_thread_sync; bar.sync 0; @!%leader bra started;
    tcgen05.fence::after_thread_sync; tcgen05.mma.cta_group::1.kind::f16 [%w122], %rd5, %rd6, %r8, %p3;
    {COMMIT.format(group=1)} started:"""
        + WAIT.format(n=0) + of_cta(64, 2, False)
    )  # fmt: skip
    kernel(
        body, [np.stack(images), before.view(np.uint32), out.view(np.uint32)], size=1 << 15, grid=count, async_=policy
    )
    want = before.copy()
    for cta in range(count):
        part = want[cta, :, 7 * cta * differ : 7 * cta * differ + n]
        part[:] = a[cta] @ b[cta].T + (0 if differ and cta == 1 else part)
    assert (out == want).all()


PAIR = "mov.u32 %w120, %cluster_ctarank; setp.eq.u32 %p4, %w120, {rank}; and.pred %p5, %leader, %p4;"
TOGETHER = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"


@pytest.mark.sample(1)
@pytest.mark.parametrize("policy", POLICIES)
def test_what_one_thread_does_for_a_pair(policy: str) -> None:
    """Copies from the shared memory of each CTA into its own tensor memory, shifts of both, and an arrival at both."""
    rows = np.random.default_rng(2).integers(0, 256, (2, 128, 32)).astype(np.uint8)
    staged = [stage(one, 0) for one in rows]
    leading, stride = staged[0][1:]
    out = np.zeros((2, 128, 8), np.uint32)
    body = (
        PAIR.format(rank=1) + OWN
        + f"""mov.u64 %rd5, {descriptor(0, leading, stride, 0)}; mov.b16 %rs1, 3; {TOGETHER} @!%p5 bra started;
    tcgen05.cp.cta_group::2.128x256b [%r4], %rd5; tcgen05.shift.cta_group::2.down [%r4+0x400000];
    tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r2], %rs1; started:"""
        + WAIT.format(n=0) + of_cta(8, 1, False) + TOGETHER
    )  # fmt: skip
    kernel(body, [np.stack([one[0] for one in staged]), out], size=1 << 15, group=2, grid=2, cluster=2, async_=policy)
    want = rows.view(np.uint32).copy()
    want[:, 65:96] = rows.view(np.uint32)[:, 64:95]
    assert (out == want).all()


@pytest.mark.parametrize(
    ("text", "mask", "rank", "kind", "message"),
    [
        (product_of(group=2), 3, 1, "tensor-memory", "the product is issued by the CTA of odd rank in the pair"),
        ("", 4, 0, "out-of-bounds", "mask 0x4 names CTAs outside the cluster"),
        ("", 0x8001, 1, "out-of-bounds", "mask 0x8001 names CTAs outside the cluster"),
    ],
)
def test_what_a_pair_must_not_do(text: str, mask: int, rank: int, kind: str, message: str) -> None:
    commit = "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r2], %rs1;"
    word = idesc("f16", "f16", "f16", "f32", 128, 64)
    body = PAIR.format(rank=rank) + f"mov.b16 %rs1, {mask}; {TOGETHER}" + issued(f"{text} {commit}", word, lane="%p5")
    with pytest.raises(KernelFault) as caught:
        kernel(body + TOGETHER, [], group=2, grid=2, cluster=2)
    fault = caught.value
    assert fault.kind == kind and message in fault.message
    assert fault.thread is not None and (fault.thread.cta, fault.thread.tid) == ((rank, 0, 0), (0, 0, 0))


def test_disabled_lanes_of_a_pair() -> None:
    """Eight words of a bit for each lane: four for either CTA."""
    masks = [0xF0F0F0F0, 0, 0xFFFFFFFF, 1, 0x80000000, 0x0000FFFF, 0, 0xAAAAAAAA]
    a, b = numbers((256, 16), "f16", 1), numbers((64, 16), "f16", 2)
    images, leading, stride = list[Array](), 0, 0
    for rank in range(2):
        parts = a[128 * rank : 128 * rank + 128], b[32 * rank : 32 * rank + 32]
        (bytes_a, leading, stride), (bytes_b, *_) = (stage(image(v, "f16", "f16"), 0) for v in parts)
        images.append(np.concatenate([bytes_a[: 1 << 14], bytes_b[: 1 << 14]]))
    before, out = np.full((2, 128, 64), 7, np.float32), np.zeros((2, 128, 64), np.float32)
    body = (
        PAIR.format(rank=0) + OWN + of_cta(64, 1, True)
        + "".join(f"mov.u32 %w{100 + i}, {mask};" for i, mask in enumerate(masks))
        + f"""mov.u64 %rd5, {descriptor(0, leading, stride, 0)}; mov.u64 %rd6, {descriptor(1 << 14, leading, stride, 0)};
    mov.u32 %r8, {idesc("f16", "f16", "f16", "f32", 256, 64)}; setp.eq.u32 %p3, 0, 0; mov.b16 %rs1, 3;
    tcgen05.fence::before_thread_sync; {TOGETHER} @!%p5 bra started; tcgen05.fence::after_thread_sync;
    tcgen05.mma.cta_group::2.kind::f16 [%r4], %rd5, %rd6, %r8, {{{", ".join(f"%w{100 + i}" for i in range(8))}}}, %p3;
    tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r2], %rs1; started:"""
        + WAIT.format(n=0) + of_cta(64, 2, False) + TOGETHER
    )  # fmt: skip
    kernel(
        body, [np.stack(images), before.view(np.uint32), out.view(np.uint32)], size=1 << 15, group=2, grid=2, cluster=2
    )
    off = np.array([masks[i // 32] >> i % 32 & 1 for i in range(256)], bool).reshape(2, 128, 1)
    assert (out == np.where(off, 7, (a @ b.T).reshape(2, 128, 64) + 7)).all()


# -- loads ----------------------------------------------------------------------------------------------------


def extreme(values: list[Any], *, least: bool, nan: bool) -> Any:
    """Of numbers and NaNs that of the numbers; with `.NaN` a NaN."""
    numbers_ = [value for value in values if value == value]
    return np.nan if not numbers_ or (nan and len(numbers_) < len(values)) else (min if least else max)(numbers_)


def test_loads_with_extremes() -> None:
    """All forms, of numbers of both signs, and floats with NaNs here and there and in whole lanes."""
    rng = np.random.default_rng(1)
    content = rng.standard_normal((128, 8)).astype(np.float32)
    content[rng.random((128, 8)) < 0.1] = np.nan
    content[5] = np.nan
    forms_ = [slots for form in compiled_forms("tcgen05.ld.red") for slots in tokens_of(form) if slots["num"] == "x4"]
    forms_ = [slots for slots in forms_ if slots["shape"] == "32x32b"]
    out = np.zeros((128, len(forms_), 5), np.uint32)
    body = through(0, 8, 0, True) + f"ld.param.u64 %rd3, [p1]; mad.wide.u32 %rd3, %r0, {20 * len(forms_)}, %rd3;"
    for number, slots in enumerate(forms_):
        text = ".".join(str(slots[name]) for name in ("redop", "abs", "NaN", "type") if slots[name])
        body += f"tcgen05.ld.red.sync.aligned.32x32b.x4.{text} {{%w0, %w1, %w2, %w3}}, %w4, [%r6+3]; tcgen05.wait::ld.sync.aligned;"
        body += "".join(f"st.global.u32 [%rd3+{20 * number + 4 * i}], %w{i};" for i in range(5))
    text = START.format(size=64, group=1) + body + END.format(group=1)
    launch(text, [content.view(np.uint32), out], block=128, target="sm_103a", extra=SHARED, shared_bytes=80)
    part = content[:, 3:7]
    for (number, slots), lane in product(enumerate(forms_), range(128)):
        assert (out[lane, number, :4] == part[lane].view(np.uint32)).all()
        dtype = {"u32": np.uint32, "s32": np.int32, "f32": np.float32}[slots["type"]]
        values = part[lane].view(dtype)
        values = np.abs(values) if slots["abs"] else values
        want = extreme(values.tolist(), least=slots["redop"] == "min", nan=bool(slots["NaN"]))
        assert np.array_equal(
            out[lane, number, 4:].view(dtype), np.array([want]).astype(dtype), equal_nan=dtype is np.float32
        ), slots
