"""Tile kernels launched by `kernel.launch`: arguments by value, tensor maps that the driver encodes, options by time."""

from typing import Any

import cuda.bindings.driver as driver
import numpy as np
from cuda.core import Device

from weft.tile.kernels import gemm, gemm_tma, softmax


class Array:
    """A NumPy array's copy on the GPU."""

    def __init__(self, given: Any) -> None:
        self.shape, self.dtype, self.bytes = given.shape, given.dtype, given.nbytes
        status, self.place = driver.cuMemAlloc(given.nbytes)
        assert not int(status)
        driver.cuMemcpyHtoD(self.place, given.ctypes.data, given.nbytes)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        data = (int(self.place), False)
        return {"shape": self.shape, "typestr": self.dtype.str, "data": data, "version": 3, "strides": None}

    def host(self) -> Any:
        """A copy on the host."""
        found = np.empty(self.shape, self.dtype)
        driver.cuMemcpyDtoH(found.ctypes.data, self.place, self.bytes)
        return found


device = Device(0)
device.set_current()
major, minor = device.compute_capability
target = f"sm_{major}{minor}{'a' if major >= 9 else ''}"
random = np.random.default_rng(0)
a, b = (random.integers(-3, 4, shape).astype(np.float16) for shape in ((72, 40), (40, 56)))
wanted = (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)
options = {"block_m": 128 if major >= 10 else 64, "block_n": 64}
for kernel in (gemm, gemm_tma)[: 1 + (major >= 9)]:
    c = Array(np.zeros_like(wanted))
    arguments = Array(a), Array(b), c
    kernel.launch(*arguments, options=options)
    device.sync()
    assert (c.host() == wanted).all(), kernel.name
    choices = [options, {**options, "stages": 2}, {**options, "stages": 90}]
    found = kernel.autotune(target, sizes={"M": 72, "N": 56, "K": 40}, choices=choices, arguments=arguments)
    assert len(found) == 2 and all(each.seconds for each in found), found

x = random.standard_normal((3, 100)).astype(np.float32)
y = Array(np.zeros_like(x))
softmax.launch(Array(x), y)
device.sync()
e = np.exp(x - x.max(1, keepdims=True))
np.testing.assert_allclose(y.host(), e / e.sum(1, keepdims=True), atol=1e-5)
