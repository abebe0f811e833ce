"""Pure instructions traced to code compute what NumPy computes: every form of the table, on random and special operands."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.sim.harness import floats
from tests.sim.test_forms import tokens_of
from weft.isa.compiled import CompiledForm
from weft.isa.registry import compiled_forms
from weft.sim import semantics
from weft.sim.lanes import Array
from weft.sim.plan import Tokens
from weft.sim.types import BOOL, DTYPES

pytest.importorskip("llvmlite")

from weft.sim.native.code import Code, NotTraced, vector
from weft.sim.native.context import CONTEXT
from weft.sim.native.jit import Function, objects
from weft.sim.native.traced import Traced, loop_of
from weft.sim.native.transfer import field

semantics.load_all()
LEFT = re.compile(r"prmt .*'mode': '\w|.*'(s2f6|e[2345]m[0123]|ue[58]m[03])|(fma|mad) .*'rnd': 'r[zmp]'.*'type': 'f64'")
"""What only NumPy computes: permutations by named modes, narrow floats, and doubles that are rounded another way."""
SLOT = 1024
"""Bytes that an operand has."""


def operand(type_: str, rng: np.random.Generator) -> Array:
    """A value for each lane: any bits, small ones, boundaries."""
    if type_ == "pred":
        return rng.integers(0, 2, 32).astype(bool)
    dtype = DTYPES[type_]
    values = np.frombuffer(rng.bytes(32 * dtype.itemsize), dtype).copy()
    if dtype.kind == "f":
        values[::2] = floats(dtype, 64, seed=int(rng.integers(1 << 30)))[:16]
    else:
        bits = 8 * dtype.itemsize
        edges = [0, 1, 2, 31, 32, 33, 63, 64, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1, bits - 1, bits]
        words = values.view(f"u{dtype.itemsize}")
        words[::3] = [edges[i] & ((1 << bits) - 1) for i in rng.integers(0, len(edges), 11)]
    return values


def sources_of(form: CompiledForm, slots: Tokens, rng: np.random.Generator) -> list[Any]:
    sources: list[Any] = []
    for spec in form.operands:
        if spec.arg.access != "r" or (spec.optional and not spec.required(slots)):
            continue
        if spec.arg.reg is False:
            sources.append(np.uint32(rng.choice(list(spec.values(slots) or (1,)))))
            continue
        count = spec.count(slots) if spec.kind == "vector" else 1
        sources += [operand(spec.type(slots), rng) for _ in range(count or 1)]
    if "r" in form.effects.carry:
        sources.append(operand("pred", rng))
    return sources


class Batch:
    """Functions traced one after the other into one module, with their operands and what NumPy gives."""

    def __init__(self) -> None:
        self.code = Code()
        self.inputs: list[Array] = []
        self.wanted: list[tuple[str, Array]] = []
        self.missing: list[str] = []

    def add(self, name: str, compute: Any, sources: list[Any]) -> None:
        with np.errstate(all="ignore"):
            results = compute(*sources)
        results = results if isinstance(results, tuple) else (results,)
        code, mark = self.code, self.code.mark()
        kept = len(self.inputs)
        values = [self._load(source) if np.ndim(source) else source for source in sources]
        try:
            traced = compute(*values)
        except (NotTraced, TypeError, ValueError, AttributeError, IndexError) as error:
            code.undo(mark)
            del self.inputs[kept:]
            self.missing.append(f"{name}: {error}")
            return
        for number, (one, want) in enumerate(
            zip(traced if isinstance(traced, tuple) else (traced,), results, strict=True)
        ):
            if not isinstance(one, Traced):
                continue
            assert one.dtype == want.dtype, (name, one.dtype, want.dtype)
            stored = one.astype(np.uint8) if one.dtype == BOOL else one
            place = code.value(f"getelementptr i8, ptr %frame, i64 {SLOT * len(self.wanted)}")
            code.line(f"store {stored.typed}, ptr {place}, align 64")
            self.wanted.append((f"{name} result {number}", np.broadcast_to(want, (32,))))

    def _load(self, array: Array) -> Traced:
        words = array.view(np.uint8) if array.dtype == BOOL else array
        place = self.code.value(f"getelementptr i8, ptr %rows, i64 {SLOT * len(self.inputs)}")
        self.inputs.append(array)
        loaded = self.code.value(f"load {vector(words.dtype)}, ptr {place}, align 64")
        value = Traced(self.code, loaded, words.dtype)
        return value.astype(BOOL) if array.dtype == BOOL else value

    def check(self) -> list[str]:
        """Run the code; what is not as NumPy has it."""
        heads = "\n".join(
            f"%{name}.at = {field(name)}\n%{name} = load ptr, ptr %{name}.at" for name in ("frame", "rows", "scratch")
        )
        text = (
            f"define i32 @run(ptr %ctx, i32 %entry, i64 %lo, i64 %hi, ptr %masks) {{\n{heads}\n"
            + "\n".join(self.code.lines)
            + "\nret i32 0\n}\n"
        )
        context = np.zeros(len(CONTEXT), np.int64)
        inputs, outputs = (space(SLOT * (len(these) + 1)) for these in (self.inputs, self.wanted))
        scratch = space(self.code.scratch)
        for number, array in enumerate(self.inputs):
            inputs[SLOT * number :][: array.nbytes] = array.view(np.uint8)
        loops = [loop_of(getattr(np, name), tuple(np.dtype(c) for c in types)) for name, types in self.code.loops]
        table = np.array([*loops, (0, 0)], np.int64)
        for name, memory in (("frame", outputs), ("rows", inputs), ("scratch", scratch), ("loops", table)):
            context[CONTEXT[name]] = memory.ctypes.data
        function = Function(objects(text, self.code.declared))
        function.call(context.ctypes.data, 0, 0, 0, None)
        wrong: list[str] = []
        for number, (name, want) in enumerate(self.wanted):
            got = outputs[SLOT * number :][: want.nbytes].view(want.dtype)
            if not equal(got, want):
                lane = int(np.flatnonzero([not equal(got[i : i + 1], want[i : i + 1]) for i in range(32)])[0])
                wrong.append(f"{name}: lane {lane} has {got[lane]!r}, not {want[lane]!r}")
        return wrong


def space(size: int) -> Array:
    whole = np.zeros(size + 128, np.uint8)
    return whole[-whole.ctypes.data % 64 :]


def equal(got: Array, want: Array) -> bool:
    if want.dtype.kind != "f":
        return bool((got == want).all())
    nans = np.isnan(want)
    word = f"u{want.dtype.itemsize}"
    return bool((np.isnan(got) == nans).all() and (got.view(word) == want.view(word))[~nans].all())


def forms(stem: str, some: int | None) -> Iterator[tuple[CompiledForm, Tokens]]:
    known = {repr(sorted(slots.items())): (form, slots) for form in compiled_forms(stem) for slots in tokens_of(form)}
    rng = np.random.default_rng(zlib.crc32(stem.encode()))
    chosen = sorted(known) if some is None else [str(key) for key in rng.permutation(sorted(known))[:some]]
    for key in chosen:
        yield known[key]


def wrong_forms(stem: str, some: int | None, seed: int = 0) -> tuple[list[str], list[str], int]:
    """What differs, what is not traced, and how many results were compared."""
    rng = np.random.default_rng(seed)
    wrong: list[str] = []
    missing: list[str] = []
    count, batch = 0, Batch()
    for form, slots in forms(stem, some):
        try:
            compute: Any = semantics.ALU[stem](slots)
        except semantics.NotHere:
            continue
        if isinstance(compute, semantics.Placed):
            compute = compute.at(1 << 40)
        batch.add(f"{stem} {dict(slots)}", compute, sources_of(form, slots, rng))
        if len(batch.wanted) >= 40:
            wrong += batch.check()
            missing += batch.missing
            count, batch = count + len(batch.wanted), Batch()
    wrong += batch.check()
    return wrong, missing + batch.missing, count + len(batch.wanted)


@pytest.mark.sample(7)
@pytest.mark.parametrize("stem", [stem for stem in sorted(semantics.ALU) if not stem.startswith("v")])
def test_traced_forms_compute_the_same(stem: str) -> None:
    """And all of them are traced, but for those that are known to be NumPy's."""
    wrong, missing, _ = wrong_forms(stem, 6)
    assert not wrong
    assert not [form for form in missing if not LEFT.match(form)]


@pytest.mark.slow
@pytest.mark.parametrize("stem", sorted(semantics.ALU))
def test_all_traced_forms_compute_the_same(stem: str) -> None:
    wrong, missing, _ = wrong_forms(stem, None)
    assert not wrong
    assert not [form for form in missing if not LEFT.match(form)]
