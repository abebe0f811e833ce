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
    "invalid-pointer": "alloc, zeros and array give addresses of a device's memory, and load those of variables",
    "use-after-free": "free it after the last work that uses it",
    "out-of-bounds": "offset and size must stay in one allocation: find(address) gives it",
    "closed": "a device and its modules last until close and unload: load it again",
    "race": "an event that a stream waits for, or synchronize, orders work",
    "uninitialised-memory": "write these bytes first: upload, memset, or a kernel",
}
"""What usually helps, where a call has nothing better to say."""
