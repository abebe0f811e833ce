"""LLVM IR to functions of this process, by llvmlite; what was compiled is kept on disk by what it was made from.

Functions that many kernels have, such as loads and products, are modules of their own, compiled once.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, lru_cache
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from weft.sim.native.linker import link
from weft.sim.native.pages import let_go

ATTRIBUTES = 'attributes #0 = { "prefer-vector-width"="512" "min-legal-vector-width"="512" }\n'
_VERSION = "3"
MOST = 512 << 20
"""Bytes of code that are kept on disk."""
_FILE = 2048
"""Bytes that a file takes besides its own, about."""
_HOUR, _RENEWED = 3600, 24 * 3600
"""Seconds between two looks at what is kept, and after which a file that is read counts as used anew."""
_TIDIED = "tidied"
"""The file whose age says when somebody last looked."""
_NUMBERS = count()
_DEFINED = re.compile(r"define internal (?P<result>.*?) ?@(?P<name>[\w.]+)\((?P<parameters>.*?)\)", re.DOTALL)
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
    let_go("libllvmlite.so")
    return llvm, machine


@cache
def host() -> str:
    """A text that names the compiler and the processor; where the system says what that is, without loading LLVM."""
    package: Any = import_module("llvmlite")
    version = f"{_VERSION} {package.__version__}"
    known = processor()
    if known is not None:
        return f"{version} {known}"
    llvm: Any = import_module("llvmlite.binding")
    features = llvm.get_host_cpu_features().flatten()
    return f"{version} {llvm.llvm_version_info} {llvm.get_host_cpu_name()} {features}"


def processor() -> str | None:
    """What Linux says of the first processor that may matter to a compiler; None elsewhere."""
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8", "replace").split("\n\n", 1)[0]
    except OSError:
        return None
    parts = (line.partition(":") for line in text.splitlines())
    lines = {name.strip(): value.strip() for name, _, value in parts}
    names = ("vendor_id", "cpu family", "model", "stepping", "flags")
    return " ".join(lines[name] for name in names) if all(name in lines for name in names) else None


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
        if place is not None and time.time() - (place / name).stat().st_mtime > _RENEWED:
            os.utime(place / name)
    except OSError:
        return None
    return data[32:] if hashlib.sha256(data[32:]).digest() == data[:32] else None


def keep(name: str, data: bytes) -> None:
    """Write what other processes may use; what cannot be written is not kept."""
    place = folder()
    if place is None:
        return
    try:
        _tidy(place)
        place.mkdir(parents=True, exist_ok=True)
        part = place / f"{name}.{os.getpid()}"
        part.write_bytes(hashlib.sha256(data).digest() + data)
        part.replace(place / name)
    except OSError:
        pass


@cache
def _tidy(place: Path) -> None:
    """Delete what was not used for longest, if a folder holds too much; once an hour, whichever process comes first.

    Others may read, write and delete files meanwhile: what is gone is compiled again.
    """
    mark = place / _TIDIED
    try:
        if time.time() - mark.stat().st_mtime < _HOUR:
            return
    except FileNotFoundError:
        pass
    place.mkdir(parents=True, exist_ok=True)
    mark.touch()
    files: list[tuple[float, int, str]] = []
    with os.scandir(place) as entries:
        for one in entries:
            with suppress(FileNotFoundError):
                if one.is_file():
                    files.append((one.stat().st_mtime, one.stat().st_size, one.path))
    size = sum(one + _FILE for _, one, _ in files)
    for _, one, path in sorted(files) if size > MOST else ():
        with suppress(OSError):
            os.unlink(path)
        size -= one + _FILE
        if size <= MOST * 3 // 4:
            break


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


def objects(text: str, functions: dict[str, str]) -> list[bytes]:
    """The objects of a module, and of the functions by name that it calls, and that these call."""
    found: list[str] = []
    todo = _called(text, functions)
    seen, heads = set(todo), _heads(todo, functions)
    while todo:
        one = functions[todo.pop()]
        used = _called(one.partition("{")[2], functions)
        found.append(f"{_heads(used, functions)}\n{one.replace('define internal', 'define', 1)}\n{ATTRIBUTES}")
        todo |= used - seen
        seen |= used
    return [compiled(f"{text}\n{heads}\n{ATTRIBUTES}"), *map(kept_object, sorted(found))]


def _called(text: str, functions: dict[str, str]) -> set[str]:
    return functions.keys() & set(_USED.findall(text))


def _heads(names: set[str], functions: dict[str, str]) -> str:
    return "\n".join(_head(functions[name]) for name in sorted(names))


@cache
def _head(text: str) -> str:
    """The declaration of a function."""
    match = _DEFINED.match(text)
    assert match is not None
    return f"declare {match['result']} @{match['name']}({_NAMES.sub('', match['parameters'])})"


class Function:
    """`run` of the first of some objects, which stay loaded as long as this lives."""

    def __init__(self, parts: Sequence[bytes]) -> None:
        image: Any = link(parts)
        if image is None:
            builder = _target()[0].JITLibraryBuilder()
            for part in parts:
                builder.add_object_img(part)
            image = builder.export_symbol("run").link(_jit(), f"weft{next(_NUMBERS)}")
        self._image = image
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int32, ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p
        )
        self.call = kind(image["run"])


@cache
def _jit() -> Any:
    # JITLink lays an object out in one piece; the other linker aborts the process where pieces are 2 GB apart.
    return _target()[0].create_lljit_compiler(use_jit_link=True)
