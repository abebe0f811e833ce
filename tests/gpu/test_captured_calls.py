"""Each function that copies or fills in the order of a stream: in a captured one it is a node, which does it later."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

import pytest

from tests.gpu.calls import INVALID_HANDLE, OK, Compiled, Words, contents
from weft.gpu.driver.arrays import CudaArray
from weft.gpu.driver.runtime_table import PROGRAM

ON_DEVICE, SIZE = 3, 64


@pytest.fixture(autouse=True)
def apart() -> Iterator[None]:
    """What a program registers is the process's: none is left to the next test."""
    yield
    PROGRAM.__init__()


class Scene:
    """Memory of the device, of the host, an array and a variable: what is copied from, and what is written to."""

    def __init__(self) -> None:
        self.cuda = cuda = Compiled()
        self.source, self.to = cuda.get("cudaMalloc", SIZE), cuda.get("cudaMalloc", SIZE)
        self.host, self.back = Words.of(bytes(range(1, SIZE + 1))), Words(SIZE)
        self.context = cuda.context
        assert cuda("cuMemcpyHtoD_v2", self.source, self.host, SIZE) == cuda("cuMemsetD8_v2", self.to, 0, SIZE) == OK
        shape = Words.of(struct.pack("<3Q3I", 16, 4, 0, 1, 1, 0))
        self.full, self.empty = (cuda.get("cuArray3DCreate_v2", shape) for _ in range(2))
        assert cuda("cuMemcpyHtoA_v2", self.full, 0, self.host, SIZE) == OK
        self.table = cuda["table"]
        self.filled = cuda["total"]

    def row(self, *values: int) -> Words:
        return Words.of(struct.pack(f"<{len(values)}Q", *values))

    def box(self, axes: int) -> Words:
        """`CUDA_MEMCPY2D` or `CUDA_MEMCPY3D` of 8 bytes."""
        sides = b"".join(
            struct.pack("<2QI4x4Q", 0, 0, 2, 0, place, 0, 0)
            if axes == 2
            else struct.pack("<4QI4x6Q", 0, 0, 0, 0, 2, 0, place, 0, 0, 0, 0)
            for place in (self.source, self.to)
        )
        return Words.of(sides + struct.pack(f"<{axes}Q", *(8, 1, 1)[:axes]))

    def runtime_box(self, peer: bool) -> Words:
        """`cudaMemcpy3DParms` or `cudaMemcpy3DPeerParms`."""
        sides = [(0, 0, 0, 0, place, 8, 8, 1, *((0,) if peer else ())) for place in (self.source, self.to)]
        return self.row(*sides[0], *sides[1], 8, 1, 1, ON_DEVICE)

    def operation(self) -> Words:
        """`CUDA_MEMCPY3D_BATCH_OP`."""
        sides = [struct.pack("<I4x3Q8x", 1, place, 0, 0) for place in (self.source, self.to)]
        return Words.of(b"".join(sides) + struct.pack("<3Q8x", 8, 1, 1))

    def written(self) -> list[bytes]:
        """What has been written to."""
        cuda = self.cuda
        variables = [cuda.get("cudaGetSymbolAddress", name) for name in (self.table, self.filled)]
        array = cuda.driver.get(self.empty, CudaArray).bytes.tobytes()
        return [
            contents(cuda, self.to, SIZE),
            bytes(self.back.bytes),
            array,
            *(contents(cuda, v, 4) for v in variables),
        ]

    def undo(self) -> None:
        """Let all be as it was."""
        assert self.cuda("cuMemsetD8_v2", self.to, 0, SIZE) == OK
        self.back.bytes[:] = 0xA5
        self.cuda.driver.get(self.empty, CudaArray).bytes[:] = 0
        assert self.cuda("cudaMemcpyToSymbol", self.table, Words.of(bytes(4)), 4, 0, 1) == OK


Given = Callable[[Scene], tuple[object, ...]]
_BATCH: Given = lambda s: (s.row(s.to), s.row(s.source), s.row(8), 1)  # noqa: E731
CALLS: dict[str, Given] = {
    **{f"cuMemcpy{name}Async{end}": lambda s: (s.to, s.source, 8) for name, end in (("", ""), ("DtoD", "_v2"))},
    "cuMemcpyHtoDAsync_v2": lambda s: (s.to, s.host, 8),
    "cuMemcpyDtoHAsync_v2": lambda s: (s.back, s.source, 8),
    "cuMemcpyPeerAsync": lambda s: (s.to, s.context, s.source, s.context, 8),
    **{f"cuMemsetD{8 * size}Async": lambda s: (s.to, 7, 2) for size in (1, 2, 4)},
    **{f"cuMemsetD2D{8 * size}Async": lambda s: (s.to, 8, 7, 2, 2) for size in (1, 2, 4)},
    "cuMemcpy2DAsync_v2": lambda s: (s.box(2),),
    "cuMemcpy3DAsync_v2": lambda s: (s.box(3),),
    "cuMemcpy3DPeerAsync": lambda s: (s.box(3),),
    "cuMemcpyWithAttributesAsync": lambda s: (s.to, s.source, 8, 0),
    "cuMemcpyBatchAsync_v2": lambda s: (*_BATCH(s), 0, 0, 0),
    "cuMemcpyBatchAsync": lambda s: (*_BATCH(s), 0, 0, 0, 0),
    "cuMemcpy3DBatchAsync_v2": lambda s: (1, s.operation(), 0),
    "cuMemcpy3DWithAttributesAsync": lambda s: (s.operation(), 0),
    "cuMemcpyHtoAAsync_v2": lambda s: (s.empty, 3, s.host, 8),
    "cuMemcpyAtoHAsync_v2": lambda s: (s.back, s.full, 3, 8),
    "cudaMemcpyAsync": lambda s: (s.to, s.source, 8, ON_DEVICE),
    "cudaMemcpyPeerAsync": lambda s: (s.to, 0, s.source, 0, 8),
    "cudaMemcpy2DAsync": lambda s: (s.to, 8, s.source, 8, 4, 2, ON_DEVICE),
    "cudaMemcpyToSymbolAsync": lambda s: (s.table, s.source, 4, 0, ON_DEVICE),
    "cudaMemcpyFromSymbolAsync": lambda s: (s.to, s.filled, 4, 0, ON_DEVICE),
    "cudaMemsetAsync": lambda s: (s.to, 7, 8),
    "cudaMemset2DAsync": lambda s: (s.to, 8, 7, 4, 2),
    "cudaMemcpyToArrayAsync": lambda s: (s.empty, 1, 1, s.source, 8, ON_DEVICE),
    "cudaMemcpyFromArrayAsync": lambda s: (s.to, s.full, 1, 1, 8, ON_DEVICE),
    "cudaMemcpy2DToArrayAsync": lambda s: (s.empty, 1, 1, s.source, 8, 4, 2, ON_DEVICE),
    "cudaMemcpy2DFromArrayAsync": lambda s: (s.to, 8, s.full, 1, 1, 4, 2, ON_DEVICE),
    "cudaMemcpy3DAsync": lambda s: (s.runtime_box(peer=False),),
    "cudaMemcpy3DPeerAsync": lambda s: (s.runtime_box(peer=True),),
    "cudaMemcpyBatchAsync": lambda s: (*_BATCH(s), 0, 0, 0),
    "cudaMemcpy3DBatchAsync": lambda s: (1, s.operation(), 0),
}
"""The arguments before the stream, which is the last one."""
BOXES = {"cudaMemset3DAsync": lambda s: (0, 0, 0, 0, s.to, 8, 8, 2, 4, 2, 1)}
"""Those behind it, where structures lie on the stack."""


def test_captured_calls_are_done_at_the_launch() -> None:
    scene = Scene()
    cuda, stream = scene.cuda, scene.cuda.get("cudaStreamCreate")
    before, table = scene.written(), {**CALLS, **BOXES}
    for name, arguments in table.items():
        given = arguments(scene)

        def called(handle: int, name: str = name, given: tuple[object, ...] = given) -> int:
            words = (7, handle, *given) if name in BOXES else (*given, handle)
            return cuda(name, *words)  # type: ignore[arg-type]

        assert called(1234) == INVALID_HANDLE and scene.written() == before, name
        assert cuda("cudaStreamBeginCapture", stream, 0) == called(stream) == OK, name
        assert scene.written() == before, f"{name} has done it at once"
        graph = cuda.get("cudaStreamEndCapture", stream, at=1)
        made = cuda.get("cudaGraphInstantiate", graph, 0)
        assert cuda("cudaGraphLaunch", made, stream) == OK
        later = scene.written()
        assert later != before, name
        scene.undo()
        assert called(stream) == OK and scene.written() == later, f"{name} outside of a capture"
        scene.undo()
        assert scene.written() == before
