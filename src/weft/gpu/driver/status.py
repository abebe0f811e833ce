"""The driver's status codes, and the one that each thing that goes wrong has."""

from __future__ import annotations

from weft.errors import PtxSyntaxError, WeftError
from weft.fatbin import FatbinError
from weft.gpu.errors import DeviceError
from weft.isa.tensor_map_words import TensorMapError
from weft.sim import KernelFault, SimulationError

SUCCESS, INVALID_VALUE, OUT_OF_MEMORY, NOT_INITIALIZED = 0, 1, 2, 3
NO_DEVICE, INVALID_DEVICE = 100, 101
INVALID_IMAGE, INVALID_CONTEXT = 200, 201
NO_BINARY_FOR_GPU, INVALID_PTX, INVALID_SOURCE, OPERATING_SYSTEM = 209, 218, 300, 304
INVALID_HANDLE, ILLEGAL_STATE, NOT_FOUND, NOT_READY = 400, 401, 500, 600
ILLEGAL_ADDRESS, OUT_OF_RESOURCES, TIMEOUT = 700, 701, 702
ASSERT, ILLEGAL_INSTRUCTION, MISALIGNED, LAUNCH_FAILED = 710, 715, 716, 719
NOT_SUPPORTED, CAPTURE_UNSUPPORTED, UNKNOWN = 801, 900, 999

_FAULTS = {
    "out-of-bounds": ILLEGAL_ADDRESS,
    "read-only": ILLEGAL_ADDRESS,
    "misaligned": MISALIGNED,
    "assert": ASSERT,
    "trap": LAUNCH_FAILED,
    "limit": TIMEOUT,
    "deadlock": TIMEOUT,
}
_DEVICE = {
    "out-of-memory": OUT_OF_MEMORY,
    "not-found": NOT_FOUND,
    "no-binary": NO_BINARY_FOR_GPU,
    "closed": INVALID_CONTEXT,
    "race": LAUNCH_FAILED,
}


STICKY = frozenset((ILLEGAL_ADDRESS, TIMEOUT, ASSERT, ILLEGAL_INSTRUCTION, MISALIGNED, LAUNCH_FAILED))
"""What ends a context on a GPU: every call gives it from then on, where the driver is told to be so strict."""


class Refused(Exception):
    """A call that gives a status other than success, with a reason that is printed where that is asked for."""

    def __init__(self, status: int, reason: str = "") -> None:
        super().__init__(reason)
        self.status = status


class EmptyGrid(SimulationError):
    """A launch of no CTAs: an error on a GPU, too, which programs ignore that have nothing left to compute."""


def status_of(error: Exception) -> int:
    """The code for an exception."""
    if isinstance(error, Refused):
        return error.status
    if isinstance(error, KernelFault):
        return _FAULTS.get(error.kind, LAUNCH_FAILED)
    if isinstance(error, DeviceError):
        return _DEVICE.get(error.kind, INVALID_VALUE)
    if isinstance(error, FatbinError):
        return NO_BINARY_FOR_GPU
    if isinstance(error, PtxSyntaxError):
        return INVALID_PTX
    if isinstance(error, SimulationError | TensorMapError):
        return INVALID_VALUE
    if isinstance(error, OverflowError | MemoryError):  # Numbers of the program's that no machine counts to.
        return INVALID_VALUE
    return INVALID_IMAGE if isinstance(error, WeftError) else UNKNOWN
