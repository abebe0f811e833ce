"""What the host does wrong with a device."""

from __future__ import annotations

from weft.errors import WeftError


class DeviceError(WeftError):
    """A call that a device refuses; nothing has been done.

    `kind` is stable: `out-of-memory`, `invalid-pointer`, `use-after-free`, `out-of-bounds`, `invalid-value`,
    `not-found`, `no-binary`, `closed`, `race`, `uninitialised-memory`.
    """

    def __init__(self, kind: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.kind = kind
