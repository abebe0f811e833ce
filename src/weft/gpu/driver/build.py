"""Building `libcuda.so.1` from C when it is first needed.

The library holds nothing but doors: each function of the driver API puts its arguments into a row of words and calls
Python, where `weft.gpu.driver.calls` does what it says.  All arguments of these functions are integers and pointers,
so that one kind of door serves all of them; structures of more than 16 bytes lie on the stack, from the seventh word
on.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from weft.errors import ToolError
from weft.toolchain.find import run

SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t (*Dispatch)(int, uint64_t *);
static Dispatch dispatch;
static int failed, closed;

__attribute__((visibility("default"))) void weft_attach(Dispatch function) {
  closed = function == NULL; /* The interpreter ends: destructors may still call, and nobody is there. */
  dispatch = function;
}

/* The interpreter of this process, or one that WEFT_LIBPYTHON names: found by name, so that nothing is linked. */
static void *python(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  if (!found) {
    static void *library;
    const char *path = getenv("WEFT_LIBPYTHON");
    if (!library && path && *path) library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library) found = dlsym(library, name);
  }
  return found;
}

static int start(void) {
  static const char before[] =
      "__import__('sys').path.extend(filter(None, __import__('os').environ.get('WEFT_PACKAGES', '').split(':')))\n"
      "import weft.gpu.driver\nweft.gpu.driver.attach(r'''";
  int (*initialized)(void) = (int (*)(void))python("Py_IsInitialized");
  int (*ensure)(void) = (int (*)(void))python("PyGILState_Ensure");
  void (*release)(int) = (void (*)(int))python("PyGILState_Release");
  int (*execute)(const char *, void *) = (int (*)(const char *, void *))python("PyRun_SimpleStringFlags");
  void (*begin)(int) = (void (*)(int))python("Py_InitializeEx");
  void *(*save)(void) = (void *(*)(void))python("PyEval_SaveThread");
  char text[4500];
  Dl_info own;
  if (!initialized || !ensure || !release || !execute || !begin || !save) {
    fprintf(stderr, "weft: libcuda finds no Python in this process; run the program by `weft gpu-run`\n");
    return 0;
  }
  if (!initialized()) {
    begin(0);
    execute("import os, sys; sys.path[:0] = os.environ.get('WEFT_SITE', '').split(os.pathsep)", NULL);
    save();
  }
  dladdr((void *)start, &own);
  snprintf(text, sizeof text, "%s%s''')\n", before, own.dli_fname);
  int state = ensure();
  execute(text, NULL);
  release(state);
  if (!dispatch) fprintf(stderr, "weft: this program's Python cannot load weft; install weft beside the program\n");
  return dispatch != NULL;
}

/* What is given back when the interpreter has ended is gone already, and so are the contexts to give it back in. */
static uint64_t late(const char *name, uint64_t *words) {
  static const char *const known[] = {"Free", "Destroy", "Unload", "Release", "CtxSet", "CtxPush", "CtxPop"};
  if (strstr(name, "CtxGetCurrent")) return *(uint64_t *)words[0] = 0;
  for (size_t n = 0; n < sizeof known / sizeof *known; n++)
    if (strstr(name, known[n])) return 0;
  return 4; /* CUDA_ERROR_DEINITIALIZED */
}

static uint64_t call(int number, const char *name, uint64_t *words) {
  if (!dispatch) {
    if (closed) return late(name, words);
    if (failed) return 3;
    failed = !start();
    if (failed) return 3; /* CUDA_ERROR_NOT_INITIALIZED */
  }
  return dispatch(number, words);
}

#define DOOR(number, name)                                                                                      \
  __attribute__((visibility("default"))) uint64_t name(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,   \
                                                  uint64_t f, uint64_t g, uint64_t h, uint64_t i, uint64_t j,   \
                                                  uint64_t k, uint64_t l, uint64_t m, uint64_t n, uint64_t o,  \
                                                  uint64_t p) {                                                 \
    uint64_t words[] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};                                        \
    return call(number, #name, words);                                                                          \
  }
"""


def compiler() -> str:
    """A C compiler.  Raises ToolError where there is none."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        if name and (found := shutil.which(name.split()[0])):
            return found
    raise ToolError("no C compiler was found", hint="install gcc or clang, or set CC")


def library(names: Iterable[str], called: str = "libcuda.so.1", source: str = SOURCE) -> Path:
    """The library with doors of these names, built now unless it was before.

    Raises:
        ToolError: there is no C compiler, or it fails.
    """
    if sys.platform != "linux":
        raise ToolError(
            "the virtual libcuda is available on Linux only", hint="use weft.Device, which works everywhere"
        )
    # Libraries of CUDA ask for functions of a version that has the name of the file: `cudaMalloc@libcudart.so.13`.
    text = source + "".join(f"DOOR({number}, {name})\n" for number, name in enumerate(names))
    options = ["-shared", "-fPIC", "-O1", "-fvisibility=hidden", f"-Wl,-soname,{called}"]
    if not called.startswith("libweft"):  # What takes the place of functions of libc has the version of none.
        options.append("-Wl,--default-symver")
    folder = cache() / hashlib.sha256(" ".join([*options, text]).encode()).hexdigest()[:16]
    target = folder / called
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        path, made = Path(work) / "driver.c", Path(work) / "made.so"
        path.write_text(text, encoding="utf-8")
        done = run([compiler(), *options, "-o", str(made), str(path), "-ldl"])
        if done.returncode:
            raise ToolError(f"the C compiler fails on {called}", output=done.stderr, hint=done.stderr.strip()[:500])
        os.replace(made, target)
    return target


def alone(package: Path) -> Path:
    """A folder that holds nothing but a link to a package: for search paths of programs with packages of their own."""
    folder = cache() / "packages" / hashlib.sha256(str(package).encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        (folder / package.name).symlink_to(package, target_is_directory=True)
    return folder


def script(path: Path, text: str) -> Path:
    """A script in the cache that has this text: written whole or not at all, as other processes may run it."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
            file.write(text)
        os.chmod(file.name, 0o755)
        os.replace(file.name, path)
    return path


def cache() -> Path:
    """The folder of what is built."""
    root = os.environ.get("WEFT_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "weft" / "driver"
