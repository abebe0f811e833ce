"""What the virtual driver keeps: its device, and the things that programs hold handles of."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import threading
import traceback
from collections import defaultdict, deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from weft.dataclass import dataclass
from weft.errors import WeftError
from weft.gpu.device import Device
from weft.gpu.driver.places import data_at, object_at
from weft.gpu.driver.status import (
    INVALID_CONTEXT,
    INVALID_DEVICE,
    INVALID_HANDLE,
    NOT_INITIALIZED,
    STICKY,
    EmptyGrid,
    Refused,
    status_of,
)
from weft.gpu.memory import WORD, Allocation
from weft.gpu.modules import Module
from weft.gpu.streams import Event, Stream
from weft.sim import KernelFault, SimulationError

if TYPE_CHECKING:
    from weft.gpu.driver.work import Capture, Node

T = TypeVar("T")
_IN_PYTHON = bool(sys.orig_argv)
"""Whether the process is a Python program, whose bindings make each status an exception; others may look at none."""
_MEMORY = frozenset({"invalid-pointer", "use-after-free", "out-of-bounds", "race", "uninitialised-memory"})
"""Errors of calls that no program makes to try whether it can."""
_WHOLE = 3
"""How often a fault at one place is printed as a whole."""
_UNHEARD = frozenset({"__cudaGetKernel"})
"""What compiled launches call first: where it fails they do nothing, and extensions of Python seldom ask."""
_WITHOUT_DRIVER = re.compile(r"cu(Init|DriverGetVersion|Get)")
"""Functions that programs may call before `cuInit`."""
_IN_CONTEXT = re.compile(
    r"cu(Mem(Alloc|AllocManaged|AllocPitch|AllocHost|HostAlloc|HostRegister|GetInfo|set\w+(?<!Async)"
    r"|cpy(HtoD|DtoH|DtoD|2D|3D)?)|ModuleLoad\w*|StreamCreate\w*|EventCreate|TexObjectCreate|SurfObjectCreate"
    r"|Array3?D?Create|CtxSynchronize)(_v\d)?"
)
"""Functions that need a context that is current; others find it by their handles."""
_DROPPED = 4096
"""Handles that were given back and are not given out again, so that uses of them are seen."""


class Context:
    """A context of a device; `flags` are what it was made with, `retained` is how often a primary one is."""

    def __init__(self, flags: int = 0, number: int = 0) -> None:
        self.flags = flags
        self.number = number
        self.retained = 0


@dataclass(slots=True)
class Mirror:
    """Memory of the host that a program has registered: its size, and its copy on the device once one is asked for."""

    size: int
    copy: Allocation | None = None


def _is_on(variable: str) -> bool:
    return os.environ.get(variable, "") not in ("", "0")


class Driver:
    """The state of the driver in this process.

    The environment decides about the device: `WEFT_GPU` its target, `WEFT_GPU_CHECKS`, `WEFT_GPU_ASYNCHRONY`,
    `WEFT_GPU_REPORT`, `WEFT_GPU_STREAMS`, `WEFT_GPU_UNINITIALISED_MEMORY`, `WEFT_GPU_MEMORY` (MiB), `WEFT_GPU_LOG`
    (1: print every call), `WEFT_GPU_DUMP` (a folder for the PTX that is loaded).  `WEFT_GPU_FAULTS` is a folder of
    `weft gpu-run`.

    `WEFT_GPU_COUNT` devices share one range of addresses.  `homes` says which of them memory and handles are of, by
    their addresses, where there are several; memory that is of none is for all.  `peers` are the pairs of devices of
    which the first one may use the second one's memory; `pools` has for each device those that may use what its pool
    gives, and `pooled` the same for memory that a pool has given.
    """

    def __init__(self, library: ctypes.CDLL) -> None:
        environment = os.environ
        checks = environment.get("WEFT_GPU_CHECKS", "strict")
        self.device = Device(
            environment.get("WEFT_GPU", "sm_90"),
            memory=int(environment.get("WEFT_GPU_MEMORY", str(16 << 10))) << 20,
            checks=checks if checks in ("strict", "fast") else checks.split(","),
            asynchrony=environment.get("WEFT_GPU_ASYNCHRONY", "lazy"),
            report="all" if environment.get("WEFT_GPU_REPORT") == "all" else "first",
            bounds=int(environment.get("WEFT_GPU_BOUNDS", str(WORD))),
            streams=_is_on("WEFT_GPU_STREAMS"),
            uninitialised_memory=_is_on("WEFT_GPU_UNINITIALISED_MEMORY"),
            output=_print,
        )
        self.library = library
        self.log = _is_on("WEFT_GPU_LOG")
        self.things: dict[int, Any] = {}
        self.dropped: deque[Any] = deque(maxlen=_DROPPED)
        self.pending = 0
        self.initialised = False
        self.devices = int(environment.get("WEFT_GPU_COUNT", "1"))
        self.homes: dict[int, int] = {}
        self.peers: set[tuple[int, int]] = set()
        self.pools: defaultdict[int, set[int]] = defaultdict(set)
        self.pooled: dict[int, set[int]] = {}
        self.stacks: dict[int, list[int]] = {}
        self.primaries = [self.add(Context(number=number)) for number in range(self.devices)]
        self.keep: dict[str, Any] = {}
        self.loaded = 0
        self.captures: dict[Stream, Capture] = {}
        self.captured_events: dict[Event, tuple[Capture, list[Node]]] = {}
        self.capture_count = 0
        self.kinds: dict[int, str] = {}
        self.registered: dict[int, Mirror] = {}
        self.unheard = 0
        self.found_before: dict[tuple[str, str, str], int] = {}
        self.faults = environment.get("WEFT_GPU_FAULTS", "")
        self.sticky = _is_on("WEFT_GPU_STICKY")
        self.dump = Path(environment["WEFT_GPU_DUMP"]) if environment.get("WEFT_GPU_DUMP") else None

    # -- devices ----------------------------------------------------------------------------------------------

    @property
    def stack(self) -> list[int]:
        """The contexts of the calling thread, the current one last."""
        return self.stacks.setdefault(threading.get_native_id(), [])

    @property
    def number(self) -> int:
        """The device of the current context, or the first one."""
        stack = self.stack
        return self.get(stack[-1], Context).number if stack else 0

    def context(self, number: int) -> Context:
        """The primary context of a device.  Raises Refused where there is no such device."""
        return self.get(self.primaries[self.checked(number)], Context)

    def checked(self, number: int) -> int:
        """The number of a device.  Raises Refused where there is no such device."""
        if not 0 <= number < self.devices:
            raise Refused(INVALID_DEVICE, f"unknown device {number}")
        return number

    def settle(self, place: int, home: int) -> None:
        """Note which device memory or a handle is of."""
        if self.devices > 1:
            self.homes[place] = home

    def strangers(self, number: int) -> list[int]:
        """The allocations that kernels of a device must not use: those of devices to which it has no peer access."""
        return [
            place
            for place, home in self.homes.items()
            if home != number and (number, home) not in self.peers and number not in self.pooled.get(place, ())
            if place in self.device.memory.live
        ]

    def unready(self, name: str) -> int:
        """The status of a function of the driver that is called before what it needs is there."""
        if not self.initialised:
            return 0 if _WITHOUT_DRIVER.match(name) else NOT_INITIALIZED
        return INVALID_CONTEXT if _IN_CONTEXT.fullmatch(name) and not self.stack else 0

    # -- handles ----------------------------------------------------------------------------------------------

    def add(self, thing: object) -> int:
        """A new handle: the address of a block of memory, as programs may look at what they hold."""
        block = ctypes.create_string_buffer(64)
        handle = ctypes.addressof(block)
        self.things[handle] = (thing, block)
        if self.devices > 1 and not isinstance(thing, Context):
            self.homes[handle] = self.number
        return handle

    def get(self, handle: int, kind: type[T]) -> T:
        """The thing of a handle.  Raises Refused for what is none of its kind."""
        found = self.things.get(handle, (None, None))[0]
        if not isinstance(found, kind):
            raise Refused(INVALID_HANDLE, f"{handle:#x} is not the handle of a {kind.__name__.lower()}")
        return found

    def drop(self, handle: int, kind: type[T]) -> T:
        """Forget a handle."""
        found = self.get(handle, kind)
        self.dropped.append(self.things.pop(handle)[1])
        self.homes.pop(handle, None)
        return found

    def load(self, data: bytes | list[bytes]) -> Module:
        """Load a module; faults name it by its number, or by the file of `WEFT_GPU_DUMP` that its PTX is written to."""
        loaded = self.device.load(data)
        self.loaded += 1
        name = f"module-{self.loaded}.ptx"
        if self.dump is not None and loaded.ptx.source is not None:
            self.dump.mkdir(parents=True, exist_ok=True)
            (self.dump / name).write_text(loaded.ptx.source, encoding="utf-8")
            name = str(self.dump / name)
        loaded.ptx.filename = name
        return loaded

    # -- calls ------------------------------------------------------------------------------------------------

    def fail(self, what: str, error: Exception) -> int:
        """Report what has gone wrong in a call; its status."""
        status = status_of(error)
        if isinstance(error, EmptyGrid):
            self.note(f"{what}: {error.render()}")
        elif isinstance(error, WeftError):
            print(f"weft: {what}: {error.render()}", file=sys.stderr, flush=True)
            wrong = isinstance(error, SimulationError) or getattr(error, "kind", "") in _MEMORY
            if what in _UNHEARD or (wrong and not _IN_PYTHON):
                self.count(self.unheard + 1)
        elif (
            isinstance(error, MemoryError) and "Launch" in what
        ):  # Not the program's numbers, but the tables of checks.
            print(f"weft: {what}: this machine lacks memory: {error}", file=sys.stderr, flush=True)
            self.count(self.unheard + 1)
        elif not isinstance(error, Refused | OverflowError | MemoryError):
            print(f"weft: internal error in {what}", file=sys.stderr)
            traceback.print_exc()
            self.count(self.unheard + 1)
        elif self.log:
            print(f"weft: {what}: {error}", file=sys.stderr, flush=True)
        return status

    def note(self, text: str) -> None:
        """Tell the user something, once."""
        if f"note {text}" not in self.keep:
            self.keep[f"note {text}"] = True
            print(f"weft: {text}", file=sys.stderr, flush=True)

    def lack(self, text: str) -> None:
        """Tell the user of something without which programs do nothing; those in Python get an exception for it."""
        self.note(text)
        if not _IN_PYTHON:
            self.count(self.unheard + 1)

    def fault(self, fault: KernelFault) -> None:
        """A kernel has gone wrong: the next call that waits for it says so."""
        self.found(fault)
        self.pending = self.pending or status_of(fault)

    def found(self, fault: KernelFault) -> None:
        """Print what a kernel has done wrong; what it does with every launch soon becomes a number."""
        place = fault.kind, str(fault.position), str(fault.other)
        again = self.found_before[place] = self.found_before.get(place, 0) + 1
        if again <= _WHOLE:
            print(f"weft: {fault.render()}", file=sys.stderr, flush=True)
        elif str(again).strip("0") == "1":
            print(f"weft: {fault.position}: the same for the {again}th time", file=sys.stderr, flush=True)
        self.count(self.unheard + 1)

    def count(self, unheard: int) -> None:
        """Tell `weft gpu-run` how many faults the program has not heard of, each process in a file of its own."""
        self.unheard = unheard
        if self.faults:
            Path(self.faults, str(os.getpid())).write_text(str(unheard), encoding="ascii")

    def take_pending(self) -> int:
        """The status of what kernels did wrong since it was asked last, or ever, where errors are sticky."""
        found = self.pending
        self.device.waits += 1
        if found and _IN_PYTHON:
            self.count(0)
        if not (self.sticky and found in STICKY):
            self.pending = 0
        return found


def _print(text: str) -> None:
    """What kernels print goes where C programs print, in order with them."""
    sys.stdout.flush()
    os.write(1, text.encode())


def put(address: int, value: int, kind: Any = ctypes.c_uint64) -> None:
    """Write a number to a place that the program has given; nothing where it has given none."""
    if address:
        object_at(kind, address).value = value


def text_at(address: int) -> str:
    """The string at an address."""
    return data_at(address).decode(errors="replace") if address else ""
