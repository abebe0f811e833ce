"""NVML by its functions, called with memory of this process, and what starts a Python that links the runtime itself."""

from __future__ import annotations

import ctypes
import importlib.util
import struct
import sys
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.gpu.calls import OK, Program, Words
from weft.gpu.driver import nvml

INVALID_ARGUMENT, NOT_FOUND, INSUFFICIENT_SIZE, UNKNOWN = 2, 6, 7, 999


@pytest.fixture
def ml() -> Program:
    return Program(2, ready=False)


def said(ml: Program, name: str, *words: int) -> bytes:
    """A text, given room for it and for one byte less."""
    out = Words(96)
    assert ml(name, *words, out, 96) == OK
    text = out.text()
    assert ml(name, *words, Words(96), len(text) + 1) == OK
    assert ml(name, *words, Words(96), len(text)) == INSUFFICIENT_SIZE, name
    assert ml(name, *words, 0, 96) == INVALID_ARGUMENT
    return text


def test_the_library(ml: Program) -> None:
    for name in ("Init", "Init_v2", "InitWithFlags", "Shutdown"):
        assert ml(f"nvml{name}") == OK
    assert ml.get("nvmlSystemGetCudaDriverVersion", dtype="i4") == ml.get("cuDriverGetVersion", dtype="i4")
    version = said(ml, "nvmlSystemGetDriverVersion")
    assert version == said(ml, "nvmlSystemGetNVMLVersion") and float(version) > 500
    assert ml.get("nvmlDeviceGetCount", dtype="u4") == ml.get("nvmlDeviceGetCount_v2", dtype="u4") == 2
    texts = {0: b"Success", 2: b"Invalid Argument", 6: b"Not Found", 7: b"Insufficient Size", 999: b"Unknown Error"}
    for status, text in {
        **texts,
        1: b"Uninitialized",
        3: b"Not Supported",
        13: b"Function Not Found",
        55: texts[999],
    }.items():
        assert ctypes.string_at(ml("nvmlErrorString", status)) == text


def test_devices(ml: Program) -> None:
    """By number, bus and name of their own, each has one handle."""
    for number in (0, 1):
        handle = ml.get("nvmlDeviceGetHandleByIndex_v2", number, at=1)
        assert handle == ml.get("nvmlDeviceGetHandleByIndex", number, at=1)
        uuid = Words(16)
        assert ml("cuInit", 0) == ml("cuDeviceGetUuid", uuid, number) == OK
        text = said(ml, "nvmlDeviceGetUUID", handle)
        assert text.replace(b"-", b"") == b"GPU" + bytes(uuid.bytes[:16]).hex().encode()
        assert ml.get("nvmlDeviceGetHandleByUUID", Words.of(text + b"\0"), at=1) == handle
        info, bus = Words(80), Words(16)
        assert ml("nvmlDeviceGetPciInfo_v3", handle, info) == ml("cuDeviceGetPCIBusId", bus, 16, number) == OK
        short, *numbers, long = struct.unpack("16s5I32s", bytes(info.bytes[:68]))
        assert short.rstrip(b"\0") == bus.text() and numbers == [0, number + 1, 0, 0, 0]
        assert long.rstrip(b"\0") == b"0000" + bus.text() and (info.bytes[68:] == 0xA5).all()
        for name in ("nvmlDeviceGetHandleByPciBusId", "nvmlDeviceGetHandleByPciBusId_v2"):
            assert ml.get(name, Words.of(long), at=1) == handle
        for name in ("nvmlDeviceGetIndex", "nvmlDeviceGetMinorNumber"):
            assert ml.get(name, handle, dtype="u4", at=1) == number
        assert said(ml, "nvmlDeviceGetName", handle) == b"weft virtual GPU (sm_90)"
        major, minor = Words(8), Words(8)
        assert ml("nvmlDeviceGetCudaComputeCapability", handle, major, minor) == OK
        assert (major.view("i4")[0], minor.view("i4")[0]) == (9, 0)
        assert ml("nvmlDeviceGetCudaComputeCapability", handle, major, 0) == INVALID_ARGUMENT
    for name in ("nvmlDeviceGetHandleByUUID", "nvmlDeviceGetHandleByPciBusId"):
        assert ml(name, Words.of(b"GPU-0\0"), Words()) == NOT_FOUND and ml(name, 0, Words()) == INVALID_ARGUMENT
    for number in (-1, 2, 1 << 32 | 2):
        assert ml("nvmlDeviceGetHandleByIndex", number, Words()) == INVALID_ARGUMENT
    for name in ("Name", "UUID", "Index", "MemoryInfo", "MemoryInfo_v2", "PciInfo_v3", "CudaComputeCapability"):
        for handle in (0, 3):
            assert ml(f"nvmlDeviceGet{name}", handle, Words(96), 96) == INVALID_ARGUMENT
        assert ml(f"nvmlDeviceGet{name}", 1, 0, 96) == INVALID_ARGUMENT, "no place for it"


def test_memory(ml: Program) -> None:
    total = ml.driver.device.memory.size
    for used in (0, 4096):
        if used:
            ml.driver.device.alloc(used)
        used = ml.driver.device.memory.used
        out = Words(64)
        assert ml("nvmlDeviceGetMemoryInfo", 1, out) == OK
        assert out.view()[:3].tolist() == [total, total - used, used] and (out.bytes[24:] == 0xA5).all()
        out = Words(64)
        assert ml("nvmlDeviceGetMemoryInfo_v2", 1, out) == OK
        assert (out.bytes[:8] == 0xA5).all() and (out.bytes[40:] == 0xA5).all()
        assert out.view()[1:5].tolist() == [total, 0, total - used, used]


def test_mistakes_of_ours_are_unknown_errors(
    ml: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: int) -> int:
        raise KeyError("ours")

    monkeypatch.setitem(nvml.FUNCTIONS, "nvmlInit", broken)
    assert nvml.dispatch(ml.driver)(list(nvml.FUNCTIONS).index("nvmlInit"), [0] * 4) == UNKNOWN
    assert "weft: internal error in nvmlInit" in capsys.readouterr().err


# -- what a Python executes first ---------------------------------------------------------------------------------


def test_bindings_are_led_to_the_runtime(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Functions that the runtime has, by the capsules of Cython; a hidden `sitecustomize` is executed all the same."""
    path = Path(nvml.__file__).parent / "startup" / "sitecustomize.py"
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.hidden_one = sys.__dict__.get('hidden_one', 0) + 1\n")
    monkeypatch.setattr(sys, "path", [str(path.parent), str(tmp_path)])
    monkeypatch.setattr(sys, "hidden_one", 0, raising=False)
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    finders = list(sys.meta_path)
    led: list[tuple[int, int]] = []
    targets = {name: ctypes.CFUNCTYPE(None)(lambda: None) for name in ("cudaMalloc", "cudaFree", "other")}
    real = ctypes.CDLL
    opened: list[Any] = []

    def library(name: Any) -> Any:
        opened.append(name)
        if name is None:
            return SimpleNamespace(weft_lead=lambda place, to: led.append((place.value, to.value)))
        return SimpleNamespace(**targets)

    def start() -> ModuleType:
        spec = importlib.util.spec_from_file_location("starting", path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    monkeypatch.delenv("WEFT_CUDART", raising=False)
    start()
    monkeypatch.setenv("WEFT_CUDART", "runtime.so")
    start()
    assert sys.meta_path == finders and sys.hidden_one == 2, "not preloaded"  # type: ignore[attr-defined]
    monkeypatch.setattr(ctypes, "CDLL", library)
    module = start()
    assert sys.meta_path[1:] == finders
    finder: Any = sys.meta_path[0]
    assert finder.find_spec("cuda.bindings.other", None) is None

    new = ctypes.pythonapi.PyCapsule_New
    new.argtypes, new.restype = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p], ctypes.py_object
    places = {name: ctypes.create_string_buffer(8) for name in ("cudaMalloc", "cudaFree", "cudaMissing", "other")}
    capsules = {name: new(ctypes.addressof(place), b"void (void)", None) for name, place in places.items()}

    class Loads:
        def create_module(self, spec: ModuleSpec) -> ModuleType | None:
            return None

        def exec_module(self, module: ModuleType) -> None:
            module.__dict__["__pyx_capi__"] = capsules

    wanted: Any = ModuleSpec("cuda.bindings.cyruntime", Loads())  # type: ignore[arg-type]
    monkeypatch.setattr(PathFinder, "find_spec", lambda name, *_: wanted if name.endswith("cyruntime") else None)
    spec = finder.find_spec("cuda.bindings.cyruntime", None)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert led == [
        (ctypes.addressof(places[name]), ctypes.cast(targets[name], ctypes.c_void_p).value)
        for name in ("cudaMalloc", "cudaFree")
    ]
    assert opened == [None, "runtime.so", None] and real is not library and module is not None
    wanted.loader = None
    assert finder.find_spec("cuda.bindings.cyruntime", None) is wanted and wanted.loader is None
