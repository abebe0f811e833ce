"""Linking of relocatable device code: the PTX of all objects is linked when the program starts.

nvlink links machine code only.  What it gives a program is a function for each object that is compiled with
`-rdc=true`, which registers the object's fatbin; here these functions come from a few lines of C, which a host compiler
in front of the real one adds to what it links.

Source: `crt/link.stub` of the toolkit, for the functions' parameters.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from weft.gpu.driver.build import cache, compiler

_UNDEFINED = re.compile(r"\bU __cudaRegisterLinkedBinary(\w+)$", re.MULTILINE)
_BINARY = (".o", ".obj", ".a", ".so")

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
    folder.mkdir(parents=True, exist_ok=True)
    script, text = folder / "g++", _SCRIPT.format(compiler=real, python=sys.executable)
    if not script.exists() or script.read_text(encoding="utf-8") != text:
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as file:
            file.write(text)
        os.chmod(file.name, 0o755)
        os.replace(file.name, script)
    return script


def _compiler(wanted: str) -> str:
    if wanted and Path(wanted).is_dir():
        wanted = str(Path(wanted) / "g++")
    return shutil.which(wanted or "g++") or wanted or compiler()


def missing(arguments: Sequence[str]) -> list[str]:
    """The identities of objects with relocatable device code among the files to be linked."""
    files = [argument for argument in arguments if argument.endswith(_BINARY) and Path(argument).is_file()]
    if not files:
        return []
    listed = subprocess.run(["nm", "-u", *files], capture_output=True, text=True, check=False).stdout
    return sorted(set(_UNDEFINED.findall(listed)))


def source(names: Iterable[str]) -> str:
    """C that registers the fatbins of objects."""
    text = "void weft_register_linked(void *fatbin, void (*callback)(void **));\n"
    for name in names:
        parameters = "void (*callback)(void **), void *a, void *b, void (*c)(void *)"
        text += f"extern const char __fatbinwrap{name}[];\nvoid __cudaRegisterLinkedBinary{name}({parameters}) {{\n"
        text += f"  weft_register_linked((void *)__fatbinwrap{name}, callback);\n}}\n"
    return text


def link(arguments: Sequence[str]) -> int:
    """Call a host compiler, with what is missing; its exit status."""
    names = missing(arguments)
    if not names:
        return subprocess.run(arguments, check=False).returncode
    with tempfile.TemporaryDirectory() as folder:
        path, made = Path(folder) / "linked.c", Path(folder) / "linked.o"
        path.write_text(source(names), encoding="utf-8")
        done = subprocess.run([compiler(), "-c", "-fPIC", "-o", str(made), str(path)], check=False)
        return done.returncode or subprocess.run([*arguments[:1], str(made), *arguments[1:]], check=False).returncode


if __name__ == "__main__":
    sys.exit(link(sys.argv[1:]))
