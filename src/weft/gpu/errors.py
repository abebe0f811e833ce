"""What the host does wrong with a device."""

from __future__ import annotations

from weft.errors import WeftError


class DeviceError(WeftError):
    """A call that a device refuses; nothing has been done.

    `kind` is stable: `out-of-memory`, `invalid-pointer`, `use-after-free`, `out-of-bounds`, `invalid-value`,
    `not-found`, `no-binary`, `closed`, `race`, `uninitialised-memory`.
    """

    def __init__(self, kind: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint=hint or _HINTS.get(kind, ""))
        self.kind = kind


_HINTS = {
    "invalid-pointer": "use addresses from alloc, zeros, array or a module's variables",
    "use-after-free": "free it after the last use",
    "out-of-bounds": "keep offset and size within one allocation; find(address) returns it",
    "closed": "load it again: devices and modules end with close and unload",
    "race": "order the work by an event that the stream waits for, or by synchronize",
    "uninitialised-memory": "write these bytes first, by upload, memset or a kernel",
}
"""What usually helps, where a call has nothing better to say."""
