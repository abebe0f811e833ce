"""A CUDA toolkit as build systems expect it, made of links into the packages that nvcc is installed with.

NVIDIA's packages for Python hold what runs, not what links: `lib/libnvrtc.so.13` without `libnvrtc.so`, no `lib64`, no
library of the driver.  CMake's `find_package(CUDAToolkit)` and `-lnvrtc` or `-lcuda` in a Makefile then find nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from weft.gpu.driver import build, build_runtime
from weft.gpu.driver.build import cache

_VERSIONED = re.compile(r"(lib[\w+-]+\.so)(\.\d+)+")


def compiler(nvcc: Path) -> Path:
    """The same nvcc in a toolkit that can be linked with; nvcc itself, where it comes with one (it has `lib64`).

    nvcc takes its headers and libraries from beside the path by which it is called.

    Raises:
        ToolError: there is no C compiler.
    """
    root = nvcc.parent.parent
    if nvcc.parent.name != "bin" or not (root / "lib").is_dir() or (root / "lib64").exists():
        return nvcc
    folder = cache() / f"toolkit-{hashlib.sha256(str(root).encode()).hexdigest()[:16]}"
    for name in ("bin", "lib/stubs"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, target in _links(root):
        _link(folder / name, target)
    return folder / "bin" / nvcc.name


def _links(root: Path) -> Iterator[tuple[str, Path]]:
    # `bin` is a folder, since `bin/..` of a link is where the link leads.
    yield from ((path.name, path) for path in root.iterdir() if path.name not in ("bin", "lib"))
    yield from ((f"bin/{path.name}", path) for path in (root / "bin").iterdir())
    yield "lib64", Path("lib")
    for path in (root / "lib").iterdir():
        if path.name.startswith("libcudart.so"):
            continue
        yield f"lib/{path.name}", path
        versioned = _VERSIONED.fullmatch(path.name)
        if versioned:
            yield f"lib/{versioned[1]}", Path(path.name)
    runtime, driver = build_runtime(), build()
    for path, where in ((runtime, "lib"), (driver, "lib/stubs")):
        yield f"{where}/{path.name}", path
        yield f"{where}/{path.name.partition('.so')[0]}.so", Path(path.name)


def _link(path: Path, target: Path) -> None:
    """Make the link, or make it anew where it leads elsewhere; builds in parallel do this at the same time."""
    with contextlib.suppress(OSError):
        if os.readlink(path) == str(target):
            return
    with tempfile.TemporaryDirectory(dir=path.parent) as work:
        made = Path(work) / path.name
        made.symlink_to(target)
        os.replace(made, path)
