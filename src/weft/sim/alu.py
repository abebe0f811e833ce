"""Instructions that are pure functions of registers: binds the semantics of `weft.sim.semantics` to rows.

Which operands there are, and of which types, the ISA table says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from weft.ptx.operands import Negated, Operand, Sink, Vector
from weft.sim import semantics
from weft.sim.lanes import Array, Lanes
from weft.sim.plan import Plan, Tokens
from weft.sim.site import Site, Step
from weft.sim.types import DTYPES, Dtype, as_words


class Parts(NamedTuple):
    """A pure instruction taken apart: its function, and operands with their types; None for the carry."""

    compute: Callable[..., Any]
    sources: list[tuple[str, Operand | None]]
    results: list[tuple[str, Operand | None]]


def parts(site: Site) -> Parts:
    """The semantics of a pure instruction at its place, chosen for the results that are wanted."""
    plan = site.plan()
    carry = plan.variant.compiled.effects.carry
    compute = plan.compute or _made(site, plan)
    if isinstance(compute, semantics.Placed):
        compute = compute.at(site.machine.memory.arena.base)
    sources: list[tuple[str, Operand | None]] = []
    results: list[tuple[str, Operand | None]] = []
    for spec, type_, operand in zip(plan.specs, plan.types, site.operands, strict=False):
        if spec.arg.access == "r":
            sources.extend((type_, part) for part in (operand.elements if isinstance(operand, Vector) else (operand,)))
        elif spec.kind != "pair":
            results.append((type_, operand))
        else:
            first, second = site.pair(operand)
            assert spec.second is not None
            results += [(type_, first), (spec.second.type(plan.slots), second)]
    if "r" in carry:
        sources.append(("pred", None))
    if "w" in carry:
        results.append(("pred", None))
    if len(results) == 2 and isinstance(results[1][1], Sink) and not isinstance(results[0][1], Sink):
        return Parts(_first(compute), sources, results[:1])
    if len(results) == 1 and isinstance(compute, semantics.First):
        compute = compute.first
    return Parts(compute, sources, results)


def bind(site: Site) -> Step:
    """What executes a pure instruction at its place."""
    compute, operands, targets = parts(site)
    carry = site.activation.carry.array
    sources = [carry if operand is None else _source(site, type_, operand) for type_, operand in operands]
    results = [carry if operand is None else site.destination(operand, type_) for type_, operand in targets]
    if len(results) == 1 and results[0] is not None:
        if DTYPES[targets[0][0]].kind == "f" and results[0].dtype.kind != "f":
            compute = _in_words(compute, results[0].dtype)
        return _single(compute, sources, results[0])
    return _several(compute, sources, results)


def _in_words(compute: Callable[..., Any], dtype: Dtype) -> Callable[..., Any]:
    """What computes the bits of a float for a register that is wider (`cvt.rn.f16.f32` into 32 bits)."""
    return lambda *sources: as_words(compute(*sources), dtype)


def _first(compute: Callable[..., Any]) -> Callable[..., Any]:
    """The function that gives only the first of two results."""
    if isinstance(compute, semantics.First):
        return compute.first
    return lambda *sources: compute(*sources)[0]


def _made(site: Site, plan: Plan) -> semantics.Compute:
    """The semantics for the slots of a form, made once."""
    slots = Tokens(plan.slots)
    if "w" in plan.variant.compiled.effects.carry:
        slots["cc"] = "cc"
    try:
        plan.compute = semantics.ALU[site.opcode.stem](slots)
    except semantics.NotHere as missing:
        site.unsupported(str(missing))
    return plan.compute


def _source(site: Site, type_: str, operand: Operand) -> Any:
    if isinstance(operand, Negated):
        return _Complement(site.value(operand.operand, type_))
    return site.value(operand, type_)


class _Complement:
    """A predicate source that is read negated."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _views(sources: list[Any]) -> Callable[[int, int], list[Any]]:
    """What gives the sources over a span: views of rows, scalars as they are."""

    def views(lo: int, hi: int) -> list[Any]:
        return [source if np.ndim(source) == 0 else source[lo:hi] for source in sources]

    if not any(isinstance(source, _Complement) for source in sources):
        return views
    plain = [source.value if isinstance(source, _Complement) else source for source in sources]
    flip = [isinstance(source, _Complement) for source in sources]

    def flipped(lo: int, hi: int) -> list[Any]:
        spans = [source if np.ndim(source) == 0 else source[lo:hi] for source in plain]
        return [np.logical_not(value) if negated else value for value, negated in zip(spans, flip, strict=True)]

    return flipped


def _single(compute: Callable[..., Any], sources: list[Any], result: Array) -> Step:
    views = _views(sources)
    fixed = not any(isinstance(source, _Complement) for source in sources)
    spans: dict[tuple[int, int], tuple[list[Any], Array]] = {}

    def at(lanes: Lanes) -> tuple[list[Any], Array]:
        lo, hi = lanes.span
        bound = views(lo, hi), result[lo:hi]
        if fixed:
            spans[lanes.span] = bound
        return bound

    def run(lanes: Lanes) -> None:
        arguments, out = spans.get(lanes.span) or at(lanes)
        if lanes.mask is None:
            out[...] = compute(*arguments)
        else:
            np.copyto(out, compute(*arguments), casting="unsafe", where=lanes.mask)

    if not isinstance(compute, np.ufunc):
        return run

    def run_ufunc(lanes: Lanes) -> None:
        arguments, out = spans.get(lanes.span) or at(lanes)
        if lanes.mask is None:
            compute(*arguments, out=out)
        else:
            np.copyto(out, compute(*arguments), casting="unsafe", where=lanes.mask)

    return run_ufunc


def _several(compute: Callable[..., Any], sources: list[Any], results: list[Array | None]) -> Step:
    views = _views(sources)

    def run(lanes: Lanes) -> None:
        lo, hi = lanes.span
        values = compute(*views(lo, hi))
        if len(results) == 1:
            values = (values,)
        for row, value in zip(results, values, strict=False):
            if row is None:
                continue
            if lanes.mask is None:
                row[lo:hi] = value
            else:
                np.copyto(row[lo:hi], value, casting="unsafe", where=lanes.mask)

    return run
