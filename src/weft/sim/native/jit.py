"""LLVM IR to functions of this process, by llvmlite; objects are kept on disk by what they were made from."""

from __future__ import annotations

import ctypes
import hashlib
import os
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

_VERSION = "1"


@cache
def _target() -> tuple[Any, Any, str]:
    """llvmlite's binding, the machine to compile for, and a text that names both."""
    llvm: Any = import_module("llvmlite.binding")

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=1, reloc="pic", codemodel="small"
    )
    return llvm, machine, f"{_VERSION} {version('llvmlite')} {llvm.llvm_version_info} {cpu} {features}"


def folder() -> Path | None:
    """Where objects are kept: `WEFT_CACHE`, or the user's cache; None when it is empty, for nowhere."""
    told = os.environ.get("WEFT_CACHE")
    if told is not None:
        return Path(told) if told else None
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "weft"


def compiled(text: str) -> bytes:
    """The object of a module, made or found on disk."""
    llvm, machine, name = _target()
    place = folder()
    key = hashlib.sha256(f"{name}\n{text}".encode()).hexdigest()
    file = None if place is None else place / f"{key}.o"
    if file is not None and file.exists():
        return file.read_bytes()
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=1))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass() if hasattr(passes, "add_always_inliner_pass") else None
    passes.add_sroa_pass()
    passes.run(module, builder)
    code: bytes = machine.emit_object(module)
    if file is not None:
        _keep(file, code)
    return code


def _keep(file: Path, code: bytes) -> None:
    """Write an object for other processes; what cannot be written is not kept."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}")
        part.write_bytes(code)
        part.replace(file)
    except OSError:
        pass


class Function:
    """`run` of an object, which stays loaded as long as this lives."""

    def __init__(self, code: bytes) -> None:
        llvm = _target()[0]
        name = hashlib.sha256(code).hexdigest()
        builder = llvm.JITLibraryBuilder().add_object_img(code).export_symbol("run")
        self._tracker = builder.link(_jit(), f"{name}.{id(self)}")
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p
        )
        self.call = kind(self._tracker["run"])


@cache
def _jit() -> Any:
    return _target()[0].create_lljit_compiler()


@lru_cache(256)
def function_of(text: str) -> Function:
    """The function of a module."""
    return Function(compiled(text))
