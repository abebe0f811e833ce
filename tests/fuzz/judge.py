"""What must hold for any bytes: a module or one of our errors, soon; and a module survives everything done to it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import weft
from tests.ptx.constructs import everything
from weft.errors import PtxSyntaxError
from weft.ptx import format_text
from weft.ptx.analysis import summarize

TIME_LIMIT = 10.0
"""Seconds of processor time that one input may take; inputs have at most some ten kilobytes."""


class TooSlowError(Exception):
    """An input took longer than TIME_LIMIT."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise TooSlowError in the block when it takes more processor time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def seeds() -> list[bytes]:
    """Small modules that together have every construct of the language."""
    return [text.encode() for text in everything().values()]


def check(data: bytes) -> bool:
    """Do everything with one input; whether it was a module.  Raises whatever goes wrong."""
    try:
        module = weft.parse(data)
    except PtxSyntaxError as error:
        assert error.position is not None
        assert error.position.line >= 1
        assert str(error)
        return False
    printed = module.to_ptx()
    again = weft.parse(printed)
    assert again == module
    assert again.to_ptx() == printed
    text = data.decode("utf-8", "replace")
    formatted = format_text(text)
    assert format_text(formatted) == formatted
    found = weft.verify(module)
    assert all(item.render() for item in found)
    needs = weft.requires(module)
    assert needs.version
    assert summarize(module).functions is not None
    loaded = weft.from_bytes(module.to_bytes())
    assert loaded == module
    assert loaded.source == text
    return True


def failure(data: bytes) -> str:
    """What went wrong with an input; empty when nothing did."""
    try:
        with time_limit(TIME_LIMIT):
            check(data)
    except Exception as error:  # Whatever it is, it is a finding.
        return f"{type(error).__name__}: {error}"
    return ""
