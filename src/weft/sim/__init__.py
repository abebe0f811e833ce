"""The CPU simulator: runs PTX kernels on NumPy arrays, and says what a wrong kernel does wrong.

`run` launches a kernel; the rest are the errors it raises and the result it gives.
"""

from weft.sim.faults import FAULT_KINDS, KernelFault, SimulationError, Thread, UnsupportedInstruction
from weft.sim.launch import Async, Check, Result, run

__all__ = [
    "FAULT_KINDS",
    "Async",
    "Check",
    "KernelFault",
    "Result",
    "SimulationError",
    "Thread",
    "UnsupportedInstruction",
    "run",
]
