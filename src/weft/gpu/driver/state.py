"""What the virtual driver keeps: its device, and the things that programs hold handles of."""

from __future__ import annotations

import ctypes
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from weft.dataclass import dataclass
from weft.errors import WeftError
from weft.gpu.device import Device
from weft.gpu.driver.status import INVALID_HANDLE, STICKY, Refused, status_of
from weft.gpu.memory import Allocation
from weft.gpu.modules import Module
from weft.gpu.streams import Event, Stream
from weft.sim import KernelFault, SimulationError

if TYPE_CHECKING:
    from weft.gpu.driver.work import Capture, Node

T = TypeVar("T")
_IN_PYTHON = bool(sys.orig_argv)
"""Whether the process is a Python program, whose bindings make each status an exception; others may look at none."""
_MEMORY = frozenset({"invalid-pointer", "use-after-free", "out-of-bounds", "race"})
"""Errors of calls that no program makes to try whether it can."""
VERSION = 13050
"""The driver's version, as cuDriverGetVersion gives it."""


class Context:
    """A context; `flags` are what it was made with."""

    def __init__(self, flags: int = 0) -> None:
        self.flags = flags


@dataclass(slots=True)
class Mirror:
    """Memory of the host that a program has registered: its size, and its copy on the device once one is asked for."""

    size: int
    copy: Allocation | None = None


class Driver:
    """The state of the driver in this process.

    The environment decides about the device: `WEFT_GPU` its target, `WEFT_GPU_CHECKS`, `WEFT_GPU_ASYNCHRONY`,
    `WEFT_GPU_REPORT`, `WEFT_GPU_STREAMS`, `WEFT_GPU_MEMORY` (MiB), `WEFT_GPU_LOG` (1: print every call),
    `WEFT_GPU_DUMP` (a folder for the PTX that is loaded).  `WEFT_GPU_FAULTS` is a folder of `weft gpu-run`.
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
            streams=environment.get("WEFT_GPU_STREAMS", "") not in ("", "0"),
            output=_print,
        )
        self.library = library
        self.log = environment.get("WEFT_GPU_LOG", "") not in ("", "0")
        self.things: dict[int, Any] = {}
        self.pending = 0
        self.primary = Context()
        self.primary_handle = self.add(self.primary)
        self.retained = 0
        self.stack: list[int] = []
        self.keep: dict[str, Any] = {}
        self.loaded = 0
        self.captures: dict[Stream, Capture] = {}
        self.captured_events: dict[Event, tuple[Capture, list[Node]]] = {}
        self.capture_count = 0
        self.kinds: dict[int, str] = {}
        self.registered: dict[int, Mirror] = {}
        self.unheard = 0
        self.faults = environment.get("WEFT_GPU_FAULTS", "")
        self.sticky = environment.get("WEFT_GPU_STICKY", "") not in ("", "0")
        self.dump = Path(environment["WEFT_GPU_DUMP"]) if environment.get("WEFT_GPU_DUMP") else None

    # -- handles ----------------------------------------------------------------------------------------------

    def add(self, thing: object) -> int:
        """A new handle: the address of a block of memory, as programs may look at what they hold."""
        block = ctypes.create_string_buffer(64)
        handle = ctypes.addressof(block)
        self.things[handle] = (thing, block)
        return handle

    def get(self, handle: int, kind: type[T]) -> T:
        """The thing of a handle.  Raises Refused for what is none of its kind."""
        found = self.things.get(handle, (None, None))[0]
        if not isinstance(found, kind):
            raise Refused(INVALID_HANDLE, f"{handle:#x} is not a handle of a {kind.__name__.lower()}")
        return found

    def drop(self, handle: int, kind: type[T]) -> T:
        """Forget a handle."""
        found = self.get(handle, kind)
        del self.things[handle]
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
        if isinstance(error, WeftError):
            print(f"weft: {what}: {error.render()}", file=sys.stderr, flush=True)
            wrong = isinstance(error, SimulationError) or getattr(error, "kind", "") in _MEMORY
            if wrong and not _IN_PYTHON:
                self.count(self.unheard + 1)
        elif not isinstance(error, Refused):
            print(f"weft: internal error in {what}", file=sys.stderr)
            traceback.print_exc()
        elif self.log:
            print(f"weft: {what}: {error}", file=sys.stderr, flush=True)
        return status

    def note(self, text: str) -> None:
        """Tell the user something, once."""
        if f"note {text}" not in self.keep:
            self.keep[f"note {text}"] = True
            print(f"weft: {text}", file=sys.stderr, flush=True)

    def fault(self, fault: KernelFault) -> None:
        """A kernel has gone wrong: the next call that waits for it says so."""
        self.found(fault)
        self.pending = self.pending or status_of(fault)

    def found(self, fault: KernelFault) -> None:
        """Print what a kernel has done wrong."""
        print(f"weft: {fault.render()}", file=sys.stderr, flush=True)
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
        kind.from_address(address).value = value


def text_at(address: int) -> str:
    """The string at an address."""
    return ctypes.string_at(address).decode(errors="replace") if address else ""
