"""The `weft` command, called in this process: what a process of its own costs at its start would be most of a test."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

from weft.cli import execute


def weft(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """What `weft ARGUMENTS` does: its exit status, and what it writes to stdout and stderr."""
    given, out, err = (io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (stdin.encode(), b"", b""))
    with mock.patch.object(sys, "stdin", given), redirect_stdout(out), redirect_stderr(err):
        try:
            status = execute(list(arguments))
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(["weft", *arguments], status, *texts)
