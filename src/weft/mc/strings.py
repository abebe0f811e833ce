"""A pool of strings, each once, ended by NULs."""

from __future__ import annotations

from weft.errors import BytesError


class Strings:
    """Numbers strings in the order of first use."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a string."""
        return self._numbers.setdefault(text, len(self._numbers))

    def pool(self) -> bytes:
        """All strings, each with its NUL; raises BytesError when one holds a NUL itself."""
        pool = "".join(f"{text}\0" for text in self._numbers)
        if pool.count("\0") != len(self._numbers):
            raise BytesError("a name or text of the module holds a NUL character")
        return pool.encode("utf-8", "surrogatepass")


def read_pool(pool: bytes) -> list[str]:
    """The strings of a pool; raises ValueError when it is not UTF-8, or its last string has no NUL."""
    text = pool.decode("utf-8", "surrogatepass")
    if not text:
        return []
    if text[-1] != "\0":
        raise ValueError("the last string is not ended")
    return text[:-1].split("\0")
