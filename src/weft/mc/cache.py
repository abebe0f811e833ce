"""Compiled modules on disk, by what they were compiled from: content, target, options and weft itself.

A folder of files named by their keys. Files are written whole and then renamed, so readers and writers in any number
of processes see a file complete or not at all; a file that does not read as a module's bytes counts as missing.
"""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from weft import __version__
from weft.errors import BytesError
from weft.mc.container import FORMAT
from weft.mc.reader import from_bytes
from weft.ptx.ast import Module

SUFFIX = ".weft"


@functools.cache
def weft_itself() -> str:
    """The version of weft; in a checkout, whose files change under one version, also their sizes and times."""
    package = Path(__file__).parents[1]
    if not (package.parents[1] / "pyproject.toml").exists():
        return __version__
    digest = hashlib.sha256()
    for folder, folders, names in os.walk(package):
        folders.sort()
        for name in sorted(name for name in names if name.endswith(".py")):
            status = os.stat(os.path.join(folder, name))
            digest.update(f"{folder}/{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return f"{__version__} {digest.hexdigest()}"


class ModuleCache:
    """The modules in a folder, which is made when the first one is stored."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)

    @staticmethod
    def key(content: str, target: str, options: Mapping[str, object] | None = None) -> str:
        """The key of what is compiled from `content` for `target` with these options (compared by their `repr`)."""
        digest = hashlib.sha256()
        chosen = sorted((options or {}).items())
        for part in (weft_itself(), str(FORMAT), target, *(f"{name}={value!r}" for name, value in chosen), content):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "little") + data)
        return digest.hexdigest()

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}{SUFFIX}"

    def load(self, key: str) -> Module | None:
        """The module stored under a key; None when there is none, or it is damaged."""
        path = self._path(key)
        try:
            return from_bytes(path.read_bytes(), filename=str(path))
        except (FileNotFoundError, BytesError):
            return None

    def store(self, key: str, module: Module) -> None:
        """Store a module under a key, in place of what was there; raises OSError where the folder cannot be written."""
        self.folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{key[:16]}.", dir=self.folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(module.to_bytes())
            os.replace(temporary, self._path(key))
        except BaseException:
            os.unlink(temporary)
            raise
