"""The driver of the entry point: a simulated device, where the environment asks for one."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from weft.triton.environment import TARGET, activation, prepare_torch

DriverBase: Any = import_module("triton.backends.driver").DriverBase

if os.environ.get(TARGET):
    prepare_torch()
    os.environ.setdefault("TRITON_DEFAULT_BACKEND", "weft")  # a GPU may be there as well, and one driver must be chosen


class EnvironmentDriver(DriverBase):
    """Makes the driver that `WEFT_TRITON` names a target for."""

    def __new__(cls) -> Any:
        """The driver of the activation, which has replaced Triton's compiler as well."""
        return activation().driver

    @classmethod
    def is_active(cls) -> bool:
        """Whether the environment asks for it."""
        return bool(os.environ.get(TARGET))


EnvironmentDriver.__abstractmethods__ = frozenset()  # it is never more than a way to the driver
