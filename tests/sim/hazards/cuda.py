"""Compiles marked sources in CUDA C, right and wrong, many in one go, and runs them."""

from __future__ import annotations

import hashlib
import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import weft
from tests.sim.hazards.irregular import Source
from tests.sim.hazards.marked import right, wrong
from weft.sim import KernelFault

_INCLUDE = re.compile(r"^#include.*$", re.MULTILINE)
_KERNEL = re.compile(r"\bk\(")
CHUNK = 120
"""Kernels in one translation unit."""


@dataclass(frozen=True)
class Variant:
    """A source as it is (`bug` is empty), or with a bug."""

    source: Source
    bug: str
    text: str


@dataclass(frozen=True)
class Compiled:
    """A variant as a kernel of a module."""

    variant: Variant
    module: weft.ptx.Module
    kernel: str

    def fault(self, **options: Any) -> KernelFault | None:
        """What the simulator says of it."""
        source = self.variant.source
        try:
            weft.run(
                self.module, self.kernel, source.grid, source.block, source.inputs(),
                cluster=source.cluster, shared_bytes=source.shared_bytes, **options,
            )  # fmt: skip
        except KernelFault as fault:
            return fault
        return None


def variants(sources: Sequence[Source]) -> list[Variant]:
    """Every source right, and with each of its bugs."""
    found: list[Variant] = []
    for source in sources:
        found.append(Variant(source, "", right(source.text)))
        found.extend(Variant(source, name, text) for name, text in wrong(source.text))
    return found


def compiled(every: Sequence[Variant], target: str, cache: Path, options: Sequence[str] = ()) -> list[Compiled]:
    """The variants compiled by nvcc to PTX for a target; `cache` keeps what was compiled before."""
    found: list[Compiled] = []
    for start in range(0, len(every), CHUNK):
        part = every[start : start + CHUNK]
        module = weft.parse(_ptx(part, target, cache, options))
        found.extend(Compiled(variant, module, f"k_{number}") for number, variant in enumerate(part))
    return found


def _ptx(part: Sequence[Variant], target: str, cache: Path, options: Sequence[str]) -> str:
    includes = sorted({line for variant in part for line in _INCLUDE.findall(variant.text)})
    bodies: list[str] = []
    for number, variant in enumerate(part):
        body = _KERNEL.sub(f"k_{number}(", _INCLUDE.sub("", variant.text))
        bodies.append(f"namespace n{number} {{\n{body}\n}}")
    preludes = sorted({variant.source.prelude for variant in part})
    text = "\n".join([*includes, *preludes, *bodies])
    key = hashlib.sha256(f"{target} {options} {text}".encode()).hexdigest()[:24]
    kept = cache / f"{key}.ptx"
    if not kept.exists():
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.cu").write_text(text)
            command = ["nvcc", "-ptx", f"-arch={target}", "-w", *options, "a.cu", "-o", "a.ptx"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                raise RuntimeError(done.stderr[:4000])
            cache.mkdir(parents=True, exist_ok=True)
            kept.write_text((Path(folder) / "a.ptx").read_text())
    return kept.read_text()
