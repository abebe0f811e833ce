"""Linking of relocatable device code: the PTX of all objects is linked when the program starts.

nvlink links machine code only.  What it gives a program is a function for each object that is compiled with
`-rdc=true`, which registers the object's fatbin; here these functions come from a few lines of C: builds that link
device code by a step of their own (`-dlink`) get an object of them, and for the others a host compiler in front of the
real one adds them to what it links.

Source: `crt/link.stub` of the toolkit, for the functions' parameters.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from weft.gpu.driver.build import cache, compiler, script

_UNDEFINED = re.compile(r"\bU __cudaRegisterLinkedBinary(\w+)$", re.MULTILINE)
_DEFINED = re.compile(r"\b[TW] __cudaRegisterLinkedBinary(\w+)$", re.MULTILINE)
_BINARY = (".o", ".obj", ".a", ".so")

_REGISTER = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
/* Asked for by its name: programs are linked to runtimes that do not have it. */
static void enter(void *fatbin, void (*callback)(void **)) {
  void *runtime = dlopen("libcudart.so.13", RTLD_LAZY);
  void (*found)(void *, void (*)(void **)) = runtime ? dlsym(runtime, "weft_register_linked") : 0;
  if (found) { found(fatbin, callback); return; }
  fputs("weft: device code that weft nvcc has linked runs by weft gpu-run only\\n", stderr);
  exit(1);
}
"""
_SCRIPT = """#!/bin/sh
# The host compiler of `weft nvcc`: links get what objects with relocatable device code need.
for argument in "$@"; do
  case "$argument" in -c|-E|-S|-M|-MM|-v|--version|-dumpversion|-dumpfullversion) exec {compiler} "$@";; esac
done
exec {python} -m weft.gpu.driver.device_link {compiler} "$@"
"""


def wrapper(wanted: str = "") -> Path:
    """A host compiler that does what the wanted one does, and links device code.

    Raises:
        ToolError: there is no C compiler.
    """
    real = _compiler(wanted)
    folder = cache() / f"link-{re.sub('[^A-Za-z0-9]+', '-', real)}"
    return script(folder / "g++", _SCRIPT.format(compiler=real, python=sys.executable))


def _compiler(wanted: str) -> str:
    if wanted and Path(wanted).is_dir():
        wanted = str(Path(wanted) / "g++")
    return shutil.which(wanted or "g++") or wanted or compiler()


def missing(arguments: Sequence[str]) -> list[str]:
    """The identities of objects with relocatable device code that nothing registers among the files to be linked."""
    files = list(dict.fromkeys(_files(arguments)))
    if not files:
        return []
    listed = subprocess.run(["nm", *files], capture_output=True, text=True, check=False).stdout
    return sorted(set(_UNDEFINED.findall(listed)) - set(_DEFINED.findall(listed)))


def _files(arguments: Sequence[str]) -> Iterator[str]:
    """The binaries that a command line names, by themselves, as libraries, and in files of arguments.

    Without the device runtime, which is weft's own: NVIDIA's has PTX for the newest target only.
    """
    folders: list[str] = []
    for argument in _expanded(arguments):
        if argument == "-lcudadevrt" or argument.endswith("libcudadevrt.a"):
            continue
        if argument.startswith("-L"):
            folders.append(argument[2:])
        elif argument.startswith("-l"):
            yield from filter(os.path.isfile, (f"{folder}/lib{argument[2:]}.a" for folder in folders))
        elif argument.endswith(_BINARY) and os.path.isfile(argument):
            yield argument


def _expanded(arguments: Sequence[str]) -> Iterator[str]:
    for argument in arguments:
        if argument.startswith("@") and os.path.isfile(argument[1:]):
            yield from shlex.split(Path(argument[1:]).read_text(encoding="utf-8", errors="replace"))
        else:
            yield argument


def source(names: Iterable[str]) -> str:
    """C that registers the fatbins of objects."""
    text = _REGISTER
    for name in names:
        parameters = "void (*callback)(void **), void *a, void *b, void (*c)(void *)"
        text += f"extern const char __fatbinwrap{name}[];\nvoid __cudaRegisterLinkedBinary{name}({parameters}) {{\n"
        text += f"  enter((void *)__fatbinwrap{name}, callback);\n}}\n"
    return text


def compiled(names: Iterable[str], made: str) -> int:
    """Make an object that registers the fatbins of objects; the compiler's exit status."""
    command = [compiler(), "-c", "-fPIC", "-x", "c", "-o", made, "-"]
    return subprocess.run(command, input=source(names), text=True, check=False).returncode


def link(arguments: Sequence[str]) -> int:
    """Call a host compiler, with what is missing; its exit status."""
    names = missing(arguments)
    if not names:
        return subprocess.run(arguments, check=False).returncode
    with tempfile.TemporaryDirectory() as folder:
        made = str(Path(folder) / "linked.o")
        return compiled(names, made) or subprocess.run([*arguments[:1], made, *arguments[1:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(link(sys.argv[1:]))
