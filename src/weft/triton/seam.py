"""What weft uses of Triton, all of it: Triton has no types, and most of these parts are not its public face.

They are those of Triton 3.9.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_DRIVERS: Any = import_module("triton.backends.driver")
_COMPILERS: Any = import_module("triton.backends.compiler")
_RUNTIME: Any = import_module("triton.runtime")
_ALLOCATION: Any = import_module("triton.runtime._allocation")

BACKENDS: Any = import_module("triton.backends")
"""`backends` by name, each a `Backend` of a compiler and a driver."""
JIT: Any = import_module("triton.runtime.jit")
"""`native_specialize_impl` says what type an argument has."""
NVIDIA: Any = import_module("triton.backends.nvidia.compiler")
"""The compiler `CUDABackend`, and the PTX version that a ptxas reads."""

Autotuner: Any = import_module("triton.runtime.autotuner").Autotuner
"""`_bench` measures a configuration."""
DriverBase: Any = _DRIVERS.DriverBase
GPUTarget: Any = _COMPILERS.GPUTarget
PTXASError: Any = import_module("triton.runtime.errors").PTXASError
DRIVER: Any = _RUNTIME.driver
"""The one that says which driver is active."""

decompose_descriptor: Any = _DRIVERS.decompose_descriptor
"""A descriptor as pointer, shape and strides, for targets without tensor copies."""
expand_signature: Any = _DRIVERS.expand_signature
"""The types of a signature with those of a kernel's parameters in the place of descriptors."""
wrap_handle_tensordesc: Any = _DRIVERS.wrap_handle_tensordesc_impl
"""A launcher that is given the parts of descriptors in their place."""


def scratch_allocator(profile: bool) -> Any:
    """The allocator that the program has set for memory that kernels ask for; None where it has set none to profile."""
    if not profile:
        return _ALLOCATION._allocator.get()
    return _ALLOCATION._profile_allocator.get() if _ALLOCATION.has_profile_allocator() else None
