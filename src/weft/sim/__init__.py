"""The CPU simulator: runs PTX kernels on NumPy arrays, and says what a wrong kernel does wrong.

`run` launches a kernel; the rest are the errors it raises, the result it gives, what to trace, and textures
and surfaces to pass.
"""

from weft.sim.counters import Counters, LineCount, Traffic
from weft.sim.faults import FAULT_KINDS, KernelFault, SimulationError, Thread, UnsupportedInstruction
from weft.sim.launch import run
from weft.sim.prepare import Async, Check
from weft.sim.result import Result
from weft.sim.textures import Sampler, Surface, Texture
from weft.sim.trace import Event, Trace

__all__ = [
    "FAULT_KINDS",
    "Async",
    "Check",
    "Counters",
    "Event",
    "KernelFault",
    "LineCount",
    "Result",
    "Sampler",
    "SimulationError",
    "Surface",
    "Texture",
    "Thread",
    "Trace",
    "Traffic",
    "UnsupportedInstruction",
    "run",
]
