"""What can be wrong with a fatbin."""

from __future__ import annotations

from weft.errors import Position, WeftError


class FatbinError(WeftError):
    """Bytes that are no fatbin, or of which the PTX cannot be had; `source` names the file."""

    def __init__(self, message: str, source: str = "", hint: str = "") -> None:
        super().__init__(message, Position(file=source), hint)
