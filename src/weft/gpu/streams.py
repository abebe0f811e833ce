"""Streams and events: an order of work.  A device runs all work when it is given, which every order allows."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from weft.checked import checked
from weft.gpu.errors import DeviceError
from weft.gpu.order import Clock, join

if TYPE_CHECKING:
    from weft.gpu.device import Device
    from weft.sim.earlier import Touched


class Event:
    """A point in a stream; `elapsed(start, end)` is the time between two of them, where both are `timed`."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.recorded: float | None = None
        self.timed = True
        self.clock: Clock = {}

    @checked
    def record(self, stream: Stream | None = None) -> None:
        """Mark where the stream has come to."""
        self.recorded = time.perf_counter()
        order = self.device.order
        if order is not None:
            self.clock = dict(order.start(stream or order.current or self.device.default_stream))

    def synchronize(self) -> None:
        """Wait until what was in the stream before the event is done."""
        self.device.check_open()
        self.device.waits += 1
        if self.device.order is not None:
            self.device.order.hear(self.clock)

    @property
    def done(self) -> bool:
        """Whether that is so."""
        return True


@checked
def elapsed(start: Event, end: Event) -> float:
    """Milliseconds of wall time between two recorded events, which is the time of the simulation.

    Raises:
        DeviceError: one of them has not been recorded.
    """
    if start.recorded is None or end.recorded is None:
        raise DeviceError("invalid-value", "an event has not been recorded", "record it with event.record(stream)")
    return (end.recorded - start.recorded) * 1000


class Stream:
    """Work in order.

    `clock` says what work is known to have ended before what the stream is given next.  The default stream and those
    that are `blocking` wait for each other.
    """

    def __init__(self, device: Device, number: int = 0, *, blocking: bool = True) -> None:
        self.device = device
        self.number = number
        self.blocking = blocking
        self.clock: Clock = {}
        self._used: list[Touched] = []
        self._waits = 0

    def leave(self, used: list[Touched]) -> None:
        """Note what the last work, if it is a grid, has done to memory: a later one may overlap it."""
        self._used, self._waits = used, self.device.waits

    def running(self) -> list[Touched]:
        """What the last grid, of which nobody has waited for the end, has done to memory."""
        return self._used if self._waits == self.device.waits else []

    def record(self) -> Event:
        """A new event after all work that the stream has been given."""
        event = Event(self.device)
        event.record(self)
        return event

    @checked
    def wait(self, event: Event) -> None:
        """Let later work of this stream start after an event."""
        join(self.clock, event.clock)

    @checked
    def call(self, function: Callable[[], object]) -> None:
        """Let the host run a function in the stream's order."""
        function()

    def synchronize(self) -> None:
        """Wait for all work of the stream."""
        self.device.check_open()
        self.device.waits += 1
        if self.device.order is not None:
            self.device.order.hear(self.device.order.start(self))
