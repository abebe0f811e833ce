"""Which tier runs a kernel: NumPy's, which has every check, or compiled code where it finds the same."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from weft.ptx.ast import Instruction, Label, Module
from weft.sim.faults import SimulationError, choose
from weft.sim.lanes import Array
from weft.sim.products import STEMS

if TYPE_CHECKING:
    from weft.sim.batch import Launch
    from weft.sim.prepare import Options
    from weft.sim.program import Program
    from weft.sim.watch import Watcher

Engine = Literal["auto", "numpy", "native"]


VARIABLE = "WEFT_ENGINE"
"""The environment variable that says what `auto` is."""
THREADS = "WEFT_THREADS"
"""The environment variable that says how many threads run compiled code."""
MOST_THREADS = 256
PIECE = 1 << 19
"""Bytes that are worth a thread to copy them."""
_STEP, _ROUNDS = 20e-6, 32
"""Seconds that an instruction takes for a batch in NumPy, and how often loops are taken to go round."""
_COMPILING, _LOADING = (0.08, 0.5e-3), (0.004, 1e-5)
"""Seconds that compiling takes, and for each instruction; and loading what is on disk."""
_PATIENCE = 4
"""How many times as long NumPy runs a kernel before compiled code begins again."""


def threads() -> int:
    """How many threads run compiled code.  Raises SimulationError."""
    told = os.environ.get(THREADS) or "1"
    if not told.isdecimal() or not 1 <= int(told) <= MOST_THREADS:
        raise SimulationError(f"{THREADS}={told!r} must be a number from 1 to {MOST_THREADS}")
    return int(told)


@cache
def pool(count: int) -> ThreadPoolExecutor:
    """So many threads."""
    return ThreadPoolExecutor(count)


def copy(to: Array, of: Array) -> None:
    """Copy an array into another, by all threads where it is large."""
    count = min(threads(), to.nbytes // PIECE, len(to) if to.ndim else 1)
    if count < 2:
        to[...] = of
        return
    bounds = [len(to) * part // count for part in range(count + 1)]

    def part(number: int) -> None:
        to[bounds[number] : bounds[number + 1]] = of[bounds[number] : bounds[number + 1]]

    list(pool(count).map(part, range(count)))


@cache
def available() -> bool:
    """Whether what compiles is installed."""
    return find_spec("llvmlite") is not None


def is_compiled(options: Options, watchers: Sequence[Watcher], program: Program, launch: Launch, batches: int) -> bool:
    """Whether a launch runs as compiled code, so many batches of it.

    Raises SimulationError when that is asked for and llvmlite is not installed.
    """
    engine = _engine(options)
    if engine == "native" and not available():
        raise SimulationError("engine='native' needs llvmlite", hint="pip install 'weft[native]'")
    if not _may_be(options, watchers):
        return False
    strict = options.check == "strict"
    place = _place(program, strict)
    if engine == "auto" and program.once(_has_products):
        return False
    if engine == "auto" and not (
        available() and _pays(program, batches, _SPENT.get(place, (None, 0.0))[1], strict=strict)
    ):
        return False
    return _is_fit(program, launch, strict=strict)


def patience(options: Options, watchers: Sequence[Watcher], program: Program, launch: Launch) -> float | None:
    """The seconds after which a run in NumPy had better begin again as compiled code; None where it cannot."""
    strict = options.check == "strict"
    if _engine(options) != "auto" or not available() or not _may_be(options, watchers) or program.once(_has_products):
        return None
    if not _is_fit(program, launch, strict=strict):
        return None
    # A run that is short as far as one can tell waits as if nothing were kept: to look takes longer than it.
    short = program.once(_sizes)[1] * _STEP < _LOADING[0]
    return _PATIENCE * (_COMPILING[0] if short else _compiling(program, strict))


def _has_products(program: Program) -> bool:
    """Whether a kernel keeps sums of `wgmma` as matrices, which compiled code would ask for as registers each time."""
    return any(one.stem in STEMS for one in program.opcodes)


def may_compile(options: Options) -> bool:
    """Whether anything of a run may be compiled code, of which there are functions for products of matrices."""
    return _engine(options) != "numpy" and available()


def _engine(options: Options) -> str:
    engine = options.engine if options.engine != "auto" else os.environ.get(VARIABLE) or "auto"
    choose(engine, Engine, "engine")
    return engine


def _may_be(options: Options, watchers: Sequence[Watcher]) -> bool:
    """Whether nothing is asked for that only NumPy has."""
    if _engine(options) == "numpy" or watchers or options.report != "first":
        return False
    return not (options.async_ == "random" or options.deferred or options.suppress)


def _is_fit(program: Program, launch: Launch, *, strict: bool) -> bool:
    if _place(program, strict) in _SUSPECTED:
        return False
    from weft.sim.native.guard import fits

    return not strict or fits(program, launch)


def suspect(program: Program, *, strict: bool) -> None:
    """Runs of a kernel are the NumPy tier's from now on: compiled code has suspected it, or does not have it all."""
    _SUSPECTED[_place(program, strict)] = program.module
    while len(_SUSPECTED) > _MOST:
        del _SUSPECTED[next(iter(_SUSPECTED))]


def spend(program: Program, seconds: float, *, strict: bool) -> None:
    """The NumPy tier has run a kernel: what runs often is worth compiling, however short each run is."""
    place = _place(program, strict)
    _SPENT[place] = program.module, seconds + _SPENT.pop(place, (None, 0.0))[1]
    while len(_SPENT) > _MOST:
        del _SPENT[next(iter(_SPENT))]


def _place(program: Program, strict: bool) -> tuple[int, str, bool]:
    return id(program.module), program.kernel.name, strict


_SUSPECTED: dict[tuple[int, str, bool], Module] = {}
_SPENT: dict[tuple[int, str, bool], tuple[Module, float]] = {}
_MOST = 64


def _pays(program: Program, batches: int, spent: float, *, strict: bool) -> bool:
    """Whether compiling costs less than this run in NumPy, as far as one can tell, and earlier ones."""
    steps = program.once(_sizes)[1]
    saved = spent + batches * steps * _STEP
    return saved > _LOADING[0] and saved > _compiling(program, strict)


def _compiling(program: Program, strict: bool) -> float:
    """The seconds that compiling takes, or loading."""
    count = program.once(_sizes)[0]
    fixed, each = _LOADING if _is_kept(program, strict) else _COMPILING
    return fixed + count * each


def _sizes(program: Program) -> tuple[int, int]:
    """The instructions of a program, and the steps of a run if loops go round as often as is thought."""
    count = rounds = 0
    for function in program.functions.values():
        labels: dict[str, int] = {}
        start = count
        looped = start  # Instructions before this one are in loops that are counted.
        for statement in function.walk():
            if isinstance(statement, Label):
                labels[statement.name] = count
            elif isinstance(statement, Instruction):
                count += 1
                if statement.opcode.stem == "bra":
                    first = max(labels.get(str(statement.operands[0]), count), looped)
                    rounds += (_ROUNDS - 1) * (count - first)
                    looped = max(looped, count) if first < count else looped
    return count, count + rounds


def _is_kept(program: Program, strict: bool) -> bool:
    """Whether code of a kernel is on disk, and can be loaded without LLVM, or LLVM is there."""
    from weft.sim.native import kept, linker

    return (linker.known() or "llvmlite.binding" in sys.modules) and kept.known(program, strict=strict)
