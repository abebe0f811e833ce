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

NAMES: dict[int, tuple[str, str]] = {
    0: ("CUDA_SUCCESS", "no error"),
    1: ("CUDA_ERROR_INVALID_VALUE", "invalid argument"),
    2: ("CUDA_ERROR_OUT_OF_MEMORY", "out of memory"),
    3: ("CUDA_ERROR_NOT_INITIALIZED", "initialization error"),
    4: ("CUDA_ERROR_DEINITIALIZED", "driver shutting down"),
    100: ("CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"),
    101: ("CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"),
    200: ("CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"),
    201: ("CUDA_ERROR_INVALID_CONTEXT", "invalid device context"),
    209: ("CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"),
    218: ("CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"),
    300: ("CUDA_ERROR_INVALID_SOURCE", "device kernel image is invalid"),
    400: ("CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"),
    401: ("CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"),
    500: ("CUDA_ERROR_NOT_FOUND", "named symbol not found"),
    600: ("CUDA_ERROR_NOT_READY", "device not ready"),
    700: ("CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"),
    304: ("CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"),
    701: ("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"),
    702: ("CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"),
    704: ("CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"),
    705: ("CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access has not been enabled"),
    215: ("CUDA_ERROR_UNSUPPORTED_LIMIT", "limit is not supported on this architecture"),
    217: ("CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "peer access is not supported between these two devices"),
    301: ("CUDA_ERROR_FILE_NOT_FOUND", "file not found"),
    710: ("CUDA_ERROR_ASSERT", "device-side assert triggered"),
    712: ("CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "part or all of the requested memory range is already mapped"),
    713: ("CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "pointer does not correspond to a registered memory region"),
    715: ("CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"),
    716: ("CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"),
    719: ("CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"),
    720: ("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch"),
    801: ("CUDA_ERROR_NOT_SUPPORTED", "operation not supported"),
    900: ("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"),
    901: ("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"),
    902: ("CUDA_ERROR_STREAM_CAPTURE_MERGE", "operation would result in a merge of separate capture sequences"),
    903: ("CUDA_ERROR_STREAM_CAPTURE_UNMATCHED", "capture was not ended in the same stream as it began"),
    904: ("CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"),
    906: ("CUDA_ERROR_STREAM_CAPTURE_IMPLICIT", "operation would depend on an uncaptured stream"),
    910: ("CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE", "the graph is not like the one that was instantiated"),
    999: ("CUDA_ERROR_UNKNOWN", "unknown error"),
}
"""Names and texts of the codes that are given."""

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
