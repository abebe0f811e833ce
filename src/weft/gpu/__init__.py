"""A GPU that is not there: memory, modules and streams on the simulator, for programs that want a device.

`Device` is the whole of it; the rest is what it gives and the errors it raises.
"""

from weft.gpu.device import Device
from weft.gpu.errors import DeviceError
from weft.gpu.kernels import Kernel
from weft.gpu.memory import Allocation
from weft.gpu.modules import Module, Symbol
from weft.gpu.policy import Policy
from weft.gpu.properties import Properties
from weft.gpu.streams import Event, Stream

__all__ = [
    "Allocation",
    "Device",
    "DeviceError",
    "Event",
    "Kernel",
    "Module",
    "Policy",
    "Properties",
    "Stream",
    "Symbol",
]
