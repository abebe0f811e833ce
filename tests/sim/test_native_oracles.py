"""What tests of instructions, of control and of memory expect holds in compiled code, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tests.sim import (
    test_atomic_types,
    test_compare_convert,
    test_control,
    test_integer,
    test_late,
    test_matrix,
    test_memory,
    test_video,
    test_wgmma,
)
from tests.sim.tiers import counted
from weft.sim import engines

MODULES = (
    test_atomic_types, test_compare_convert, test_control, test_integer, test_matrix, test_memory, test_video, test_late,
)  # fmt: skip
PLAIN = {"test_bad_launches", "test_counters", "test_spinning_lanes_do_not_starve_the_one_they_wait_for"}
"""Those that launch nothing, ask for what only NumPy has, or take long."""
NUMPY = {
    "test_exchange_of_128_bits", "test_compare_and_swap_of_128_bits", "test_indirect_calls_and_register_parameters",
    "test_producer_and_consumer_warps_on_named_barriers", "test_barriers_numbered_by_the_threads", "test_movmatrix",
    "test_wide_vectors_and_128_bit_words", "test_compare_and_swap_and_counters", "test_products_of_copies",
    "test_products_that_are_never_waited_for",
}  # fmt: skip
"""Those whose kernels strict runs leave to NumPy."""


def without_arguments() -> dict[str, Callable[[], None]]:
    """The tests that are one case each."""
    found: dict[str, Callable[[], None]] = {}
    for module in MODULES:
        for name, function in vars(module).items():
            marks: list[Any] = getattr(function, "pytestmark", [])
            if name.startswith("test_") and callable(function) and not marks and function.__code__.co_argcount == 0:
                found[f"{module.__name__.rpartition('.')[2]} {name}"] = function
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", [name for name in without_arguments() if name.split()[1] not in PLAIN])
def test_what_holds_in_numpy(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, gives_up=True)
    monkeypatch.setenv(engines.VARIABLE, "native")
    without_arguments()[name]()
    assert bool(calls) == (name.split()[1] not in NUMPY)


@pytest.mark.sample(1)
@pytest.mark.parametrize("trans", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_matrices_are_loaded(count: int, trans: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(engines.VARIABLE, "native")
    test_matrix.test_ldmatrix(count, trans)


@pytest.mark.parametrize("check", ["fast", "strict"])
def test_products_of_warpgroups_between_code(check: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What only NumPy has, and four warps enter together."""
    calls = counted(monkeypatch)
    rng = np.random.default_rng(9)
    a, b = rng.integers(-4, 5, (64, 16)).astype(np.float16), rng.integers(-4, 5, (8, 16)).astype(np.float16)
    c = rng.integers(-4, 5, (64, 8)).astype(np.float32)
    staged, leading, stride = test_wgmma.stage(b, 3, False)
    word = test_wgmma.word(0, leading, stride, 3)
    registers = "{%a0, %a1, %a2, %a3}"
    out = test_wgmma.product(a, b, c, registers, "1, 1, 1, 0", word, [staged, staged], engine="native", check=check)
    assert (out == a.astype(np.float32) @ b.T.astype(np.float32) + c).all()
    assert bool(calls) == (check == "fast")
