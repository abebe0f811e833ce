"""A library before `libnvrtc.so`: NVIDIA's own compiles, and what is asked for as a cubin is its PTX.

NVRTC keeps the PTX of what it compiles for a real architecture, so that nothing is compiled twice.
"""

from __future__ import annotations

import glob
import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

from weft.gpu.driver.build import cache, library

CALLED = "libnvrtc.so.13"

NAMES = (
    *("nvrtcVersion", "nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs", "nvrtcGetErrorString"),
    *("nvrtcCreateProgram", "nvrtcDestroyProgram", "nvrtcCompileProgram", "nvrtcGetPTXSize", "nvrtcGetPTX"),
    *("nvrtcGetCUBINSize", "nvrtcGetCUBIN", "nvrtcGetLTOIRSize", "nvrtcGetLTOIR", "nvrtcGetOptiXIRSize"),
    *("nvrtcGetOptiXIR", "nvrtcGetProgramLogSize", "nvrtcGetProgramLog", "nvrtcAddNameExpression"),
    *("nvrtcGetLoweredName", "nvrtcGetPCHHeapSize", "nvrtcSetPCHHeapSize", "nvrtcGetPCHCreateStatus"),
    *("nvrtcGetPCHHeapSizeRequired", "nvrtcSetFlowCallback", "nvrtcGetTileIR", "nvrtcGetTileIRSize"),
    *("nvrtcBundleGetPTX", "nvrtcBundleGetPTXSize"),
)

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t (*Function)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

static Function find(const char *name) {
  static void *library;
  const char *path = getenv("WEFT_NVRTC");
  if (!library && path) library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!library) {
    fprintf(stderr, "weft: NVRTC is not found: WEFT_NVRTC names it\n");
    return NULL;
  }
  if (!strcmp(name, "nvrtcGetCUBIN")) name = "nvrtcGetPTX";
  if (!strcmp(name, "nvrtcGetCUBINSize")) name = "nvrtcGetPTXSize";
  return (Function)dlsym(library, name);
}

#define DOOR(number, name)                                                                                        \
  __attribute__((visibility("default"))) uint64_t name(uint64_t a, uint64_t b, uint64_t c, uint64_t d,            \
                                                       uint64_t e, uint64_t f, uint64_t g, uint64_t h) {          \
    static Function found;                                                                                        \
    if (!found) found = find(#name);                                                                              \
    return found ? found(a, b, c, d, e, f, g, h) : 11; /* NVRTC_ERROR_INTERNAL_ERROR */                           \
  }
"""


def build() -> Path:
    """The library, built unless it is there.  Raises ToolError where there is no C compiler."""
    return library(NAMES, CALLED, SOURCE)


def real_library(program: str) -> str | None:
    """NVIDIA's own library: where WEFT_NVRTC says, beside the Python that a program is, or in this Python's wheels."""
    named = os.environ.get("WEFT_NVRTC")
    if named:
        return named
    return found_library("libnvrtc.so.1*", program)


def found_library(pattern: str, program: str = "") -> str | None:
    """A library where the loader would look, or of NVIDIA's wheels in a program's environment or in this one."""
    for folder in _folders(program):
        found = sorted(glob.glob(os.path.join(folder, pattern)))
        if found:
            return found[-1]
    return None


def _folders(program: str) -> Iterator[str]:
    # Inside a program that runs on the virtual GPU the loader looks among weft's stand-ins first.
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep):
        if folder and cache() not in Path(folder).parents:
            yield folder
    roots: list[str] = []
    if program:
        roots += glob.glob(str(Path(program).absolute().parents[1] / "lib*" / "python3*" / "site-packages" / "nvidia"))
    spec = importlib.util.find_spec("nvidia")
    roots += (spec.submodule_search_locations or []) if spec is not None else []
    roots += [root for root in (os.environ.get("CUDA_HOME"), "/usr/local/cuda") if root]
    for root in roots:
        yield from (os.path.join(root, folder) for folder in ("cu1*/lib", "*/lib", "lib64", "lib"))
