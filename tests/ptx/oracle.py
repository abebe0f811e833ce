"""ptxas as the judge of a module: assemble, and read the code out of the object file."""

from __future__ import annotations

import functools
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

_CODE = (".text", ".nv.global", ".nv.constant", ".nv.info", ".debug")
_NOBITS = 8


@functools.cache
def ptxas() -> str:
    """The path of ptxas: the wheel's before one on PATH; skips the test when there is none."""
    try:
        import nvidia.cu13 as wheel
    except ImportError:
        wheel = None
    for folder in wheel.__path__ if wheel else ():
        path = Path(folder, "bin", "ptxas")
        if path.exists():
            return str(path)
    found = shutil.which("ptxas")
    if found is None:
        pytest.skip("ptxas is not installed")
    return found


def assemble(text: str, folder: Path, *options: str, target: str = "sm_90") -> dict[str, bytes] | str:
    """The sections of the object file that hold code and data, by name; ptxas's complaint when it refuses."""
    source, cubin = folder / "module.ptx", folder / "module.cubin"
    source.write_text(text, encoding="utf-8", newline="")
    command = [ptxas(), f"-arch={target}", "-c", *options, "-o", str(cubin), str(source)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        return result.stdout + result.stderr
    return {name: data for name, data in sections(cubin.read_bytes()).items() if name.startswith(_CODE)}


def sections(elf: bytes) -> dict[str, bytes]:
    """Section contents of a 64-bit ELF file by name, empty sections left out."""
    (table,) = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", elf, table + i * size) for i in range(count)]
    strings = headers[names][4]
    found: dict[str, bytes] = {}
    for name, kind, _, _, offset, length, *_ in headers:
        if kind != _NOBITS and length:
            start = strings + name
            found[elf[start : elf.index(b"\0", start)].decode()] = elf[offset : offset + length]
    return found
