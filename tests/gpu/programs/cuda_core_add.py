"""cuda-core: C++ by NVRTC, as PTX and as what the program takes for a cubin, on a stream, with events."""

import ctypes

import numpy as np
from cuda.bindings import driver
from cuda.core import Device, LaunchConfig, Program, ProgramOptions, launch

CODE = """
template <typename T> __global__ void add(const T *a, const T *b, T *c, size_t n) {
  for (size_t i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}
"""

device = Device()
device.set_current()
stream = device.create_stream()
for kind in ("ptx", "cubin"):
    program = Program(CODE, code_type="c++", options=ProgramOptions(std="c++17", arch=f"sm_{device.arch}"))
    kernel = program.compile(kind, name_expressions=("add<float>",)).get_kernel("add<float>")
    size = 5000
    a, b, c = (
        np.random.rand(size).astype(np.float32),
        np.random.rand(size).astype(np.float32),
        np.zeros(size, np.float32),
    )
    buffers = [device.memory_resource.allocate(x.nbytes, stream=stream) for x in (a, b, c)]
    for buffer, array in zip(buffers, (a, b, c), strict=True):
        driver.cuMemcpyHtoD(int(buffer.handle), array.ctypes.data, array.nbytes)
    launch(stream, LaunchConfig(grid=20, block=256), kernel, *buffers, np.uint64(size))
    stream.sync()
    assert driver.cuMemcpyDtoH(c.ctypes.data, int(buffers[2].handle), c.nbytes)[0] == 0
    assert (c == a + b).all()
    assert ctypes.sizeof(ctypes.c_void_p) == 8
