"""Every form of every pure instruction computes, and arithmetic of packed operands of unlike types is exact."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.conftest import ROOT
from tests.sim.harness import Array, apply, floats, round_exactly
from tests.sim.test_convert_narrow import nearest
from weft.isa.compiled import CompiledForm
from weft.isa.registry import compiled_forms, families
from weft.sim import UnsupportedInstruction, run, semantics
from weft.sim.plan import Tokens
from weft.sim.types import DTYPES

RNG = np.random.default_rng(0)
semantics.load_all()


def tokens_of(form: CompiledForm) -> Iterator[Tokens]:
    """The legal slots of a form."""
    slots = [element for element in form.elements if element.slot]
    for tokens in product(*[(*element.tokens, *([""] if element.optional else [])) for element in slots]):
        chosen = Tokens({element.slot: token for element, token in zip(slots, tokens, strict=True)})
        if form.windows(chosen):
            if "w" in form.effects.carry:
                chosen["cc"] = "cc"
            yield chosen


def source(type_: str) -> Array:
    if type_ == "pred":
        return RNG.integers(0, 2, 8).astype(bool)
    dtype = DTYPES[type_]
    return np.frombuffer(RNG.bytes(8 * dtype.itemsize), dtype).copy()


LACKING = {"cvta": "32-bit generic addresses"}


@pytest.mark.parametrize("stem", sorted(semantics.ALU))
def test_every_pure_form_computes(stem: str) -> None:
    for form in compiled_forms(stem):
        for slots in tokens_of(form):
            sources: list[Any] = []
            for spec in form.operands:
                if spec.arg.access != "r" or (spec.optional and not spec.required(slots)):
                    continue
                if spec.arg.reg is False:
                    sources.append(np.uint32(next(iter(spec.values(slots) or (1,)))))
                    continue
                count = spec.count(slots) if spec.kind == "vector" else 1
                sources += [source(spec.type(slots)) for _ in range(count)]
            if "r" in form.effects.carry:
                sources.append(source("pred"))
            try:
                with np.errstate(all="ignore"):
                    semantics.ALU[stem](slots)(*sources)
            except semantics.NotHere as missing:
                assert str(missing) == LACKING[stem]


def test_every_family_runs() -> None:
    """The simulator has all families of the table but a few of PTX 9.3 and later; the document says as many."""
    have = {*semantics.ALU, *semantics.STEPS, *semantics.ENDS}
    lacking = set(families()) - have
    assert have < set(families())
    assert all(w.ptx >= (9, 3) for stem in lacking for form in compiled_forms(stem) for w in [form.form.window])
    said = re.search(r"All (\d+) families", (ROOT / "docs" / "simulator.md").read_text(encoding="utf-8"))
    assert said is not None
    assert int(said[1]) == len(have)


# -- operands of unlike types ---------------------------------------------------------------------------------

ML: dict[str, Any] = {
    "f32": np.float32,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
}


def packed(type_: str, seed: int) -> tuple[Array, Array]:
    """Words of a packed type, and their elements as doubles, the lowest first."""
    rng = np.random.default_rng(seed)
    element, count = (type_[:-2], 2) if type_.endswith("x2") else (type_[:-2], 4)
    if element == "f32":
        values = floats(np.float32, 128, seed=seed, special=False).reshape(64, 2)
        return np.ascontiguousarray(values).view(np.uint64).reshape(-1), values.astype(np.float64)
    if count == 2:
        raw = rng.standard_normal((64, 2)).astype(ML[element])
        return np.ascontiguousarray(raw).view(np.uint32).reshape(-1), raw.astype(np.float64)
    padded = element.endswith("p4")
    element = element.removesuffix("p4")
    bits = {"e2m1": 4, "e3m2": 6, "e2m3": 6}.get(element, 8)
    codes = rng.integers(0, 1 << bits, (64, 4)).astype(np.uint8)
    if element in ("e4m3", "e5m2"):
        codes &= 0x7B if element == "e5m2" else 0x7E
    values = codes.view(ML[element]).astype(np.float64)
    if bits == 4 and not padded:
        words = sum(codes[:, i].astype(np.uint16) << (4 * i) for i in range(4))
        return np.asarray(words, np.uint16), values
    return np.ascontiguousarray(codes).view(np.uint32).reshape(-1), values


def rounded(value: Fraction, type_: str, mode: str) -> float:
    element = type_[:-2]
    if element in ("f16", "bf16", "f32"):
        return round_exactly(value, element, mode)
    code = nearest(float(value), element, mode)
    return float(np.uint8(code).view(ML[element]))


CASES = [
    *[(op, m, "f32x2", h, "f32x2") for op in ("add", "sub", "fma") for m in ("rn", "rz", "rp") for h in ("f16x2", "bf16x2")],
    *[(op, "rz", h, "f32x2", "f32x2") for op in ("add", "sub", "mul") for h in ("f16x2", "bf16x2")],
    ("mul", "", "f16x2", "f16x2", "bf16x2"),
    ("mul", "", "bf16x2", "bf16x2", "f16x2"),
    *[(op, "rn", r, s, s) for op in ("add", "mul", "fma") for r in ("e4m3x4", "e5m2x4") for s in ("e2m1x4", "e2m3x4", "e5m2x4", "e2m1p4x4")],
]  # fmt: skip


@pytest.mark.parametrize(("op", "mode", "type_", "atype", "btype"), CASES)
def test_unlike_types(op: str, mode: str, type_: str, atype: str, btype: str) -> None:
    narrow = type_.endswith("x4")
    middle = f".{mode}{'.satfinite' if narrow else ''}" if mode else ""
    flushes = (type_, atype) == ("f16x2", "f32x2")
    middle += ".ftz" if flushes else ""
    if op in ("add", "sub"):
        btype = type_ if narrow else btype
        suffix = f"{type_}.{atype}" if narrow else f"{type_}.{atype}.{btype}"
    else:
        suffix = f"{type_}.{atype}.{btype}" + (".f32x2" if op == "fma" and not narrow else "")
    types = [atype, btype, *([type_ if narrow else "f32x2"] if op == "fma" else [])]
    parts = [packed(t, n) for n, t in enumerate(types)]
    letters = ["{a}", "{b}", "{c}"][: len(types)]
    size = 8 if type_ == "f32x2" else 4
    target = "sm_100a" if narrow else "sm_107a"
    words = apply(
        f"{op}{middle}.{suffix} {{d}}, {', '.join(letters)};",
        np.zeros(1, f"u{size}"),
        *(p[0] for p in parts),
        target=target,
    )
    got = words.view(ML[type_[:-2]]).reshape(64, -1).astype(np.float64)
    for i, j in np.ndindex(got.shape):
        values = [Fraction(float(p[1][i, j])) for p in parts]
        values = [v if not flushes or abs(v) >= Fraction(2) ** -126 else Fraction(0) for v in values]
        exact = values[0] * values[1] if op in ("mul", "fma") else values[0] + values[1] * (-1 if op == "sub" else 1)
        exact += values[2] if op == "fma" else 0
        want = rounded(exact, type_, mode or "rn")
        assert got[i, j] == want or (math.isnan(got[i, j]) and math.isnan(want)), (i, j)


@pytest.mark.parametrize(
    "statement",
    [
        "fabric.submit;",
        "mbarrier.try_wait.phase_type::primary.b64 %p, [%rd], %rd;",
        "mbarrier.arrive.multicast::cluster::32b.b64 _, [%rd], %r;",
        "cp.async.bulk.wait_group.sync_restrict::proxy::async 0;",
        "fence.alias.sync_restrict::read.release.sys;",
        "tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 %r, 96;",
    ],
)
def test_newer_forms_say_that_they_are_not_there(statement: str) -> None:
    """None runs as the older form whose name it has."""
    head = ".version 9.5\n.target sm_107a\n.address_size 64\n.visible .entry k() {\n"
    module = weft.parse(f"{head}.reg .pred %p; .reg .b32 %r; .reg .b64 %rd;\n{statement}\nret;\n}}\n")
    with pytest.raises(UnsupportedInstruction, match=statement.split()[0].rstrip(";")):
        run(module, "k", 1, 32, [])


def test_a_carry_of_signed_numbers_that_are_written_out() -> None:
    """Their sum has the type of the destination: NumPy refused it as one without a sign."""
    one = np.ones(1, np.uint32)
    assert (apply(".reg .s64 %q1; add.cc.s64 %q1, -3, -4; addc.u32 {d}, 0, 0;", one, one) == 1).all()
