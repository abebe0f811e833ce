"""Launching a kernel on a GPU, through `cuda-core`."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from math import prod
from typing import TYPE_CHECKING, Any

from weft.errors import ToolError
from weft.isa.tensor_map import data_type_of

if TYPE_CHECKING:
    from weft.ptx.ast import Module

STATIC_LIMIT = 48 * 1024
"""Bytes of dynamic shared memory that a kernel may have without asking for more."""


def row_major_strides(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides (in elements) of an array without gaps."""
    return tuple(prod(shape[at + 1 :]) for at in range(len(shape)))


class Device:
    """A GPU: loads modules once and launches their kernels.

    Raises:
        ToolError: `cuda-core` is not installed, or there is no such GPU.
    """

    def __init__(self, number: int = 0) -> None:
        try:
            self._core: Any = import_module("cuda.core")
        except ImportError as failure:
            raise ToolError("cuda-core is not installed", hint="pip install 'weft[gpu]'") from failure
        try:
            self._device: Any = self._core.Device(number)
            self._device.set_current()
        except Exception as failure:
            raise ToolError(f"GPU {number} cannot be used: {failure}") from failure

    @property
    def target(self) -> str:
        """The target to compile for: the GPU's own architecture, with its specific features where it has any."""
        major, minor = self._device.compute_capability
        return f"sm_{major}{minor}{'a' if major >= 9 else ''}"

    def load(self, module: Module, kernel: str, shared_bytes: int = 0) -> Any:
        """A kernel of a module on the GPU: assembled here where ptxas is at hand, by the driver where it is not, or
        where it does not take what ptxas made (a virtual GPU takes PTX only).

        `shared_bytes` is the dynamic shared memory that its launches give.
        """
        from weft.toolchain.find import find
        from weft.toolchain.ptxas import assemble

        function = None
        if find("ptxas") is not None:
            with suppress(Exception):
                function = self._core.ObjectCode.from_cubin(assemble(module).data).get_kernel(kernel)
        if function is None:
            function = self._core.ObjectCode.from_ptx(module.to_ptx().encode()).get_kernel(kernel)
        if shared_bytes > STATIC_LIMIT:
            self._allow(function, shared_bytes)
        return function

    def launch(
        self,
        function: Any,
        grid: Sequence[int],
        block: int,
        arguments: Sequence[Any],
        shared_bytes: int = 0,
        stream: Any = None,
    ) -> None:
        """Launch a loaded kernel; returns when it is queued, not when it is done.

        Arguments are arrays that speak DLPack or `__cuda_array_interface__`, of which the kernel gets the pointer,
        numbers of a NumPy type, which say their own size, and tensor maps.  `stream` is one of cuda-core's, or anything
        with `__cuda_stream__`; None is the device's default stream.
        """
        queue = self._device.default_stream if stream is None else self._device.create_stream(stream)
        calls: Any = import_module("cuda.bindings.driver")
        # cuda-core takes tensor maps of its own only: the driver takes places of arguments of any kind.
        held = [self._value(argument) for argument in arguments]
        places = (ctypes.c_void_p * len(held))(*(place for _, place in held))
        (status,) = calls.cuLaunchKernel(
            calls.CUfunction(int(function.handle)),
            *(*grid, 1, 1)[:3],
            *(block, 1, 1),
            shared_bytes,
            queue.handle,
            ctypes.addressof(places),
            0,
        )
        if int(status):
            raise ToolError(f"the driver cannot launch the kernel: {status}")

    @property
    def processors(self) -> int:
        """Multiprocessors of the GPU."""
        return int(self._device.properties.multiprocessor_count)

    def tensor_map(self, array: Any, box: Sequence[int], swizzle: str, window: Any = None) -> Any:
        """A tensor map of an array, in the driver's encoding: a value of 128 bytes among a kernel's arguments.

        `box` follows the array's own dimensions; strides are the array's.  With a `window` (`weft.tile.pixels`), it is
        a number of pixels and one of channels.
        """
        utilities: Any = import_module("cuda.core.utils")
        calls: Any = import_module("cuda.bindings.driver")
        view = utilities.StridedMemoryView.from_any_interface(array, stream_ptr=-1)
        shape, size = tuple(view.shape), int(view.dtype.itemsize)
        strides = tuple(view.strides or row_major_strides(shape))
        types = calls.CUtensorMapDataType
        kind = getattr(types, f"CU_TENSOR_MAP_DATA_TYPE_{data_type_of(view)}")
        rank = len(shape)
        encode, steps = calls.cuTensorMapEncodeTiled, [1] * rank
        extents: list[Any] = [[calls.cuuint32_t(x) for x in reversed(box)]]
        if window is not None:
            encode, steps = calls.cuTensorMapEncodeIm2col, [1, *reversed(window.steps), 1]
            count, channels = box
            extents = [list(window.lower[::-1]), list(window.upper[::-1]), channels, count]
        status, made = encode(
            kind, rank, view.ptr,
            [calls.cuuint64_t(x) for x in reversed(shape)],
            [calls.cuuint64_t(x * size) for x in reversed(strides[:-1])],
            *extents,
            [calls.cuuint32_t(x) for x in steps],
            calls.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
            getattr(calls.CUtensorMapSwizzle, f"CU_TENSOR_MAP_SWIZZLE_{swizzle}"),
            calls.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            calls.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )  # fmt: skip
        if int(status):
            raise ToolError(f"the driver cannot encode a tensor map of {shape}, box {tuple(box)}: {status}")
        return made

    def synchronize(self) -> None:
        """Wait until the GPU has done all it was given."""
        self._device.sync()

    def _allow(self, function: Any, shared_bytes: int) -> None:
        calls: Any = import_module("cuda.bindings.driver")
        attribute = calls.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        (status,) = calls.cuKernelSetAttribute(attribute, shared_bytes, function.handle, self._device.device_id)
        if int(status):
            raise ToolError(f"the GPU cannot give a block {shared_bytes} bytes of shared memory: {status}")

    @staticmethod
    def _value(argument: Any) -> tuple[Any, int]:
        """What holds an argument's bytes, and where they are: the pointer of an array, a number, a tensor map."""
        import numpy as np

        if hasattr(argument, "getPtr"):
            return argument, int(argument.getPtr())
        interface = getattr(argument, "__cuda_array_interface__", None)
        if interface is not None:
            argument = np.uint64(interface["data"][0])
        elif hasattr(argument, "__dlpack__") and hasattr(argument, "__dlpack_device__"):
            utilities: Any = import_module("cuda.core.utils")
            argument = np.uint64(utilities.StridedMemoryView.from_dlpack(argument, stream_ptr=-1).ptr)
        held = np.array(argument)
        return held, int(held.ctypes.data)
