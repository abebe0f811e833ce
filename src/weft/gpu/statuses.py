"""Names and texts of status codes, which the driver, the runtime and the device runtime tell."""

from __future__ import annotations

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

_OWN = {
    0: ("cudaSuccess", "no error"),
    9: ("cudaErrorInvalidConfiguration", "invalid configuration argument"),
    12: ("cudaErrorInvalidPitchValue", "invalid pitch argument"),
    13: ("cudaErrorInvalidSymbol", "invalid device symbol"),
    21: ("cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"),
    98: ("cudaErrorInvalidDeviceFunction", "invalid device function"),
}
"""Errors that only the runtime has."""
_NAMES = {
    2: "MemoryAllocation",
    3: "InitializationError",
    4: "CudartUnloading",
    200: "InvalidKernelImage",
    201: "DeviceUninitialized",
    209: "NoKernelImageForDevice",
    400: "InvalidResourceHandle",
    500: "SymbolNotFound",
    719: "LaunchFailure",
}
"""Errors of which the runtime has other names than the driver, without `cudaError`."""


def of_runtime(status: int) -> tuple[str, str]:
    """The runtime's name and text of a code."""
    known = _OWN.get(status) or NAMES.get(status, ("unrecognized error code", "unrecognized error code"))
    plain = _NAMES.get(status) or "".join(part.capitalize() for part in known[0].removeprefix("CUDA_ERROR_").split("_"))
    return (f"cudaError{plain}" if known[0].startswith("CUDA_") else known[0]), known[1]


RUNTIME = tuple(sorted({*NAMES, *_OWN}))
"""The codes that the runtime knows."""
