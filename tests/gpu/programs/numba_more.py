"""Numba: cooperative grids, printing, errors of kernels and of the host, reductions, several linked sources."""

import contextlib
import io

import numpy as np
from numba import cuda


@cuda.jit
def neighbours(values, rounds):
    i = cuda.grid(1)
    grid = cuda.cg.this_grid()
    for _ in range(rounds):
        left = values[i - 1] if i else 0.0
        grid.sync()
        values[i] += left
        grid.sync()


values = np.ones(64)
neighbours[2, 32](values, 3)
expected = np.ones(64)
for _ in range(3):
    expected = expected + np.concatenate([[0.0], expected[:-1]])
assert (values == expected).all()


@cuda.reduce
def add(a, b):
    return a + b


assert add(np.arange(1234.0)) == np.arange(1234.0).sum()


@cuda.jit
def beyond(values):
    values[cuda.grid(1) + 1000] = 1.0


failed = False
try:
    beyond[1, 32](cuda.to_device(np.zeros(8)))
    cuda.synchronize()
except Exception as error:
    failed = "ILLEGAL_ADDRESS" in str(error) or "700" in str(error)
assert failed


@cuda.jit
def hello():
    print("thread", cuda.threadIdx.x, 0.5)


with contextlib.redirect_stdout(io.StringIO()):
    hello[1, 2]()
    cuda.synchronize()


@cuda.jit(debug=True, opt=False)
def checked(values):
    assert values[0] == 1, "not one"


checked[1, 1](np.ones(1))
ptx = "".join(hello.inspect_asm().values())
assert ".visible .entry" in ptx
