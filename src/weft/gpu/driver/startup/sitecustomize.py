"""What a Python started by `weft gpu-run` executes first: leads the runtime inside of cuda-bindings to weft's.

cuda-bindings links the CUDA runtime statically and strips it, so `weft.gpu.driver.static_runtime` finds no names in it.
But Cython exports each function by its name (`__pyx_capi__`).  This file must not import weft: programs start by it.
"""

import ctypes
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_MODULE = "cuda.bindings.cyruntime"


class _Leading(Loader):
    """Loads a module as another loader does, then leads its functions elsewhere."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        _lead(getattr(module, "__pyx_capi__", {}))


class _Finder(MetaPathFinder):
    """Finds the one module, as it is found otherwise."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path, target) if fullname == _MODULE else None
        if spec is not None and spec.loader is not None:
            spec.loader = _Leading(spec.loader)
        return spec


def _lead(functions: dict[str, Any]) -> None:
    """Lead functions of Cython, capsules by their names, to those of weft's runtime."""
    runtime, preloaded = ctypes.CDLL(os.environ["WEFT_CUDART"]), ctypes.CDLL(None)
    name_of, pointer_of = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name_of.argtypes, name_of.restype = [ctypes.py_object], ctypes.c_char_p
    pointer_of.argtypes, pointer_of.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    for name, capsule in functions.items():
        to = getattr(runtime, name, None) if name.startswith("cuda") else None
        if to is not None:
            place = ctypes.c_void_p(pointer_of(capsule, name_of(capsule)))
            preloaded.weft_lead(place, ctypes.cast(to, ctypes.c_void_p))


def _others() -> None:
    """Execute the `sitecustomize` that this one has hidden."""
    here = os.path.dirname(os.path.abspath(__file__))
    hidden = PathFinder.find_spec("sitecustomize", [path for path in sys.path if os.path.abspath(path) != here])
    if hidden is not None and hidden.loader is not None:
        hidden.loader.exec_module(importlib.util.module_from_spec(hidden))


if os.environ.get("WEFT_CUDART") and hasattr(ctypes.CDLL(None), "weft_lead"):
    sys.meta_path.insert(0, _Finder())
_others()
