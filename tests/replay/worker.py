"""A process that compiles cases, a line of JSON each, with whichever weft is on its path: prints a line of hashes each.

Run by its path with the sources of one version first on `PYTHONPATH`, so it uses nothing of weft but its public face.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import weft
from weft.transforms import run_chunks

_MODULES: dict[str, Any] = {}
_SOURCES = (str(Path(weft.__file__).parent), str(Path(__file__).resolve().parents[2] / "src" / "weft"))
"""Where this version's sources are, and where the kernels are that both versions compile."""


def _loaded(file: str) -> Any:
    if file not in _MODULES:
        spec = importlib.util.spec_from_file_location(f"replayed_{len(_MODULES)}", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        _MODULES[file] = module
    return _MODULES[file]


def _opt(text: str, passes: str) -> str:
    outcome = run_chunks(text, passes, filename="replay.mlir", chunked=False, verify_diagnostics=False)
    return "\n".join([outcome.text, *(str(error) for error in outcome.errors)])


def products(text: str, target: str, kernel: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """What is made of a case, by name."""
    if kernel:
        yield "ptx", lambda: getattr(_loaded(text), kernel).ptx(target)
        yield "explain", lambda: getattr(_loaded(text), kernel).explain(target)
        return
    yield "ptx", lambda: weft.compile(text, target, filename="replay.mlir").to_ptx()
    yield "opt", lambda: _opt(text, "")
    if "nvgpu." in text:
        yield "nvvm", lambda: _opt(text, "convert-nvgpu-to-nvvm")


def outcome(make: Callable[[], str]) -> str:
    """What came out: a text, or the error, without the folders that it names."""
    try:
        return make()
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        for folder in _SOURCES:
            text = text.replace(folder, "weft")
        return text


def main() -> None:
    """Hashes, or the texts themselves where `--text` asks for them."""
    whole = "--text" in sys.argv[1:]
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # tile kernels of tests import each other
    sys.setrecursionlimit(max(10_000, sys.getrecursionlimit()))
    for line in sys.stdin:
        name, text, target, kernel = json.loads(line)
        found = {what: outcome(make) for what, make in products(text, target, kernel)}
        if not whole:
            found = {what: hashlib.blake2b(each.encode(), digest_size=10).hexdigest() for what, each in found.items()}
        print(json.dumps([name, found]), flush=True)


if __name__ == "__main__":
    main()
