"""LLVM IR to functions of this process, by llvmlite; what was compiled is kept on disk by what it was made from.

Functions that many kernels have, such as loads and products, are modules of their own, compiled once.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

ATTRIBUTES = 'attributes #0 = { "prefer-vector-width"="512" "min-legal-vector-width"="512" }\n'
_VERSION = "2"
_NUMBERS = count()
_DEFINED = re.compile(
    r"(?:define internal|declare) (?P<result>.*?) ?@(?P<name>[\w.]+)\((?P<parameters>.*?)\)", re.DOTALL
)
_NAMES = re.compile(r"%[\w.]+")
_USED = re.compile(r"@([\w.]+)\(")


@cache
def _target() -> tuple[Any, Any]:
    """llvmlite's binding, and the machine to compile for."""
    llvm: Any = import_module("llvmlite.binding")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    cpu, features = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=cpu, features=features, opt=1, reloc="pic", codemodel="small"
    )
    return llvm, machine


@cache
def host() -> str:
    """A text that names the compiler and the processor."""
    llvm: Any = import_module("llvmlite.binding")
    features = llvm.get_host_cpu_features().flatten()
    version: str = import_module("llvmlite").__version__
    return f"{_VERSION} {version} {llvm.llvm_version_info} {llvm.get_host_cpu_name()} {features}"


def folder() -> Path | None:
    """Where objects are kept: `WEFT_CACHE`, or the user's cache; None when it is empty, for nowhere."""
    told = os.environ.get("WEFT_CACHE")
    if told is not None:
        return Path(told) if told else None
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "weft"


def digest(*parts: str) -> str:
    """The name of what was made from some texts."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def kept(name: str) -> bytes | None:
    """What is kept under a name; None also where it is not as it was written."""
    place = folder()
    try:
        data = b"" if place is None else (place / name).read_bytes()
    except OSError:
        return None
    return data[32:] if hashlib.sha256(data[32:]).digest() == data[:32] else None


def keep(name: str, data: bytes) -> None:
    """Write what other processes may use; what cannot be written is not kept."""
    place = folder()
    if place is None:
        return
    try:
        place.mkdir(parents=True, exist_ok=True)
        part = place / f"{name}.{os.getpid()}"
        part.write_bytes(hashlib.sha256(data).digest() + data)
        part.replace(place / name)
    except OSError:
        pass


def compiled(text: str) -> bytes:
    """The object of a module."""
    llvm, machine = _target()
    module = llvm.parse_assembly(text)
    builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=1))
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass() if hasattr(passes, "add_always_inliner_pass") else None
    passes.add_sroa_pass()
    passes.run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


@lru_cache(512)
def kept_object(text: str) -> bytes:
    """The object of a module that many kernels have, as of a function that they call."""
    name = digest(host(), text) + ".o"
    code = kept(name)
    if code is None:
        code = compiled(text)
        keep(name, code)
    return code


def objects(text: str, declared: dict[str, str]) -> list[bytes]:
    """The objects of a module, and of the functions that it calls, which `declared` declares or defines."""
    known = {_USED.findall(one)[0]: one for one in declared.values()}
    found: list[str] = []
    todo = {name for name in _USED.findall(text) if name in known}
    seen = set(todo)
    heads = "\n".join(_head(known[name]) for name in sorted(todo))
    while todo:
        one = known[todo.pop()]
        if one.startswith("declare"):
            continue
        used = {name for name in _USED.findall(one)[1:] if name in known}
        lines = (_head(known[name]) for name in sorted(used))
        found.append("\n".join((*lines, one.replace("define internal", "define", 1), ATTRIBUTES)))
        todo |= used - seen
        seen |= used
    return [compiled(f"{text}\n{heads}\n{ATTRIBUTES}"), *map(kept_object, sorted(found))]


@cache
def _head(text: str) -> str:
    """The declaration of a function."""
    if text.startswith("declare"):
        return text
    match = _DEFINED.match(text)
    assert match is not None
    return f"declare {match['result']} @{match['name']}({_NAMES.sub('', match['parameters'])})"


class Function:
    """`run` of the first of some objects, which stay loaded as long as this lives."""

    def __init__(self, parts: Sequence[bytes]) -> None:
        builder = _target()[0].JITLibraryBuilder()
        for part in parts:
            builder.add_object_img(part)
        self._tracker = builder.export_symbol("run").link(_jit(), f"weft{next(_NUMBERS)}")
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p
        )
        self.call = kind(self._tracker["run"])


@cache
def _jit() -> Any:
    # JITLink lays an object out in one piece; the other linker aborts the process where pieces are 2 GB apart.
    return _target()[0].create_lljit_compiler(use_jit_link=True)
