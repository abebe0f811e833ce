"""What the watched sources mark: which of their blocks ran, a byte each.

They are written to the log at the end of each test. A process that a test started, which may end in any way, marks them in
a file, as do its children; what one does that goes on, as a server for all tests of a file, is said of the test that runs.
"""

from __future__ import annotations

import atexit
import json
import mmap
import os
import zlib
from base64 import b85encode
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType

LOG = "WEFT_MUTATION_LOG"
"""The variable with the file that lines are added to: `[test, blocks, seconds, passed]`."""
COUNT = "WEFT_MUTATION_BLOCKS"
"""The variable with the number of blocks."""

_count = int(os.environ.get(COUNT, "0"))
_none = bytes(_count)
_imported = bytearray(_count)
_test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
"""Of a process that a test started, that test."""
_process = os.getpid()


def _folder(test: str) -> Path:
    """Where the files of the processes are that a test started, or another one of its file in the same run."""
    shared = f"{test.partition('::')[0]} {os.environ.get('PYTEST_XDIST_WORKER', '')}"
    return Path(os.environ[LOG] + ".processes", sha256(shared.encode()).hexdigest()[:16])


def _file() -> mmap.mmap:
    folder = _folder(_test)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / str(os.getpid())).open("w+b") as file:
        file.write(_none)
        file.flush()
        return mmap.mmap(file.fileno(), _count)


probes: bytearray | mmap.mmap = _file() if _test and _count else bytearray(_count)
"""A byte for each block: 1 where it ran since the last test."""


def say(test: str, seconds: float, passed: bool) -> None:
    """Add a line about a test, and begin anew."""
    ran = int.from_bytes(bytes(probes), "little")
    for path in _folder(test).glob("*"):
        ran |= int.from_bytes(path.read_bytes(), "little")
        if Path("/proc", path.name).exists():
            with path.open("r+b") as file:
                file.write(_none)
        else:
            path.unlink()
    blocks = b85encode(zlib.compress(ran.to_bytes(_count, "little"), 1)).decode()
    log = os.open(os.environ[LOG], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(log, (json.dumps([test, blocks, round(seconds, 4), passed]) + "\n").encode())
    os.close(log)
    probes[:] = _none


def forget(before: bytes) -> None:
    """What ran since is said of no test: an import runs it, or the collection, once, whoever comes first."""
    new = int.from_bytes(bytes(probes), "little") & ~int.from_bytes(before, "little")
    _imported[:] = (int.from_bytes(_imported, "little") | new).to_bytes(_count, "little")
    probes[:] = before


def collected() -> None:
    """All that ran until now was run for no test."""
    forget(_none)


def _end() -> None:
    if os.getpid() == _process:
        probes[:] = bytes(_imported)
        say("", 0.0, True)


_execute = SourceFileLoader.exec_module


def _exec_module(self: SourceFileLoader, module: ModuleType) -> None:
    before = bytes(probes)
    try:
        _execute(self, module)
    finally:
        if module.__name__.startswith("weft"):
            forget(before)


if _count and LOG in os.environ:
    SourceFileLoader.exec_module = _exec_module  # type: ignore[method-assign]
    if not _test:
        atexit.register(_end)
