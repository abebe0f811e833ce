"""`weft nvcc`: CUDA C++ for the virtual GPU."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click

from weft.errors import ToolError

HELP = """Compile CUDA C++ as nvcc does, so that `weft gpu-run ./program` can run it.

All arguments are nvcc's. The program is linked with the shared runtime and keeps PTX for each architecture that the
arguments name, or else for the target in WEFT_GPU, or sm_90. What it makes with -cubin is PTX.
"""
_LINKING = ("-c", "--compile", "-ptx", "--ptx", "-cubin", "--cubin", "-fatbin", "--fatbin", "-E", "-M", "-dc", "-dw")
_DEVICE_LINKS = ("-dlink", "--device-link")
_FILES = ("-optf", "--options-file")
_MACHINE_CODE = ("-cubin", "--cubin", "-fatbin", "--fatbin")
_CUBIN = frozenset(["-cubin", "--cubin"])
_REAL = re.compile(r"(^|code=|,|\[)sm_(\d+[af]?)")


@click.command(
    name="nvcc",
    help=HELP,
    context_settings={
        "ignore_unknown_options": True,
        "allow_interspersed_args": False,
        "help_option_names": ["--help"],
    },
)
@click.argument("arguments", nargs=-1, required=True, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """Find nvcc, and give it the arguments with what is needed."""
    from weft.gpu.driver import toolkit
    from weft.toolchain.find import find

    given = expanded(list(arguments))
    if any(argument in _DEVICE_LINKS for argument in given):
        return _linked(given)
    tool = find("nvcc")
    if tool is None:
        raise ToolError("nvcc was not found", hint="pip install 'weft[ptxas]', or set WEFT_NVCC to its path")
    missing = ""
    with subprocess.Popen(
        [toolkit.compiler(Path(tool.path)), *adjusted(given)], stderr=subprocess.PIPE, text=True, errors="replace"
    ) as running:
        assert running.stderr is not None
        for line in running.stderr:
            sys.stderr.write(line)
            found = _MISSING.search(line)
            missing = missing or (package_of(found[1]) if found else "")
    if running.returncode and missing:
        click.echo(f"hint: the header is in a separate package: pip install {missing}", err=True)
    return running.returncode


def _linked(arguments: list[str]) -> int:
    """An object of what device code needs to be linked when the program starts."""
    from weft.gpu.driver import device_link

    wrong = next((argument for argument in arguments if argument in _MACHINE_CODE), None)
    if wrong is not None:
        raise ToolError(f"{wrong}: device code is linked as PTX, when the program starts", hint="link to an object")
    made = _taken(arguments, "-o", "--output-file") or "a_dlink.o"
    return device_link.compiled(device_link.missing(arguments), made)


_MISSING = re.compile(r"(?:fatal error: |cannot open source file \")([\w/.]+)")
_PACKAGES = (
    (r"cuda_?[pP]rofiler", "nvidia-cuda-profiler-api"),
    (r"(curand|cublas|cufft|cusparse|cusolver)", r"nvidia-\1"),
    (r"nvrtc", "nvidia-cuda-nvrtc"),
    (r"cupti", "nvidia-cuda-cupti"),
    (r"nvtx|nvToolsExt", "nvidia-nvtx"),
    (r"nvFatbin", "nvidia-nvfatbin"),
    (r"nvJitLink", "nvidia-nvjitlink"),
    (r"nvml", "nvidia-nvml-dev"),
    (r"(npp|nvjpeg|cufile)", r"nvidia-\1"),
    (r"(cudnn|nccl)", r"nvidia-\1-cu13"),
)


def package_of(header: str) -> str:
    """The package that a header of the toolkit comes with, where the compiler's has it not; else nothing."""
    for pattern, package in _PACKAGES:
        found = re.match(pattern, header.rpartition("/")[2] if "nvtx" not in header else header)
        if found:
            return found.expand(package)
    return ""


def expanded(arguments: list[str], within: tuple[str, ...] = ()) -> list[str]:
    """nvcc's arguments with those that stand in files (`--options-file`, as CMake writes them) in the files' places.

    Raises:
        ToolError: such a file cannot be read, or names itself.
    """
    found: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if name not in _FILES:
            found.append(argument)
            continue
        for path in (value if equals else next(rest, "")).split(","):
            if path in within:
                raise ToolError(f"{name} {path!r} names itself")
            try:
                text = Path(path).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise ToolError(f"cannot read {name} {path!r}: {error}") from None
            found += expanded(shlex.split(text), (*within, path))
    return found


def adjusted(arguments: list[str]) -> list[str]:
    """nvcc's arguments: PTX in the place of machine code, and the runtime to link to.

    `-cubin` makes PTX, which drivers load from any file.
    """
    from weft.gpu.driver import build, build_runtime, device_link

    found: list[str] = []
    skip = named = False
    for number, argument in enumerate(arguments):
        if skip:
            skip = False
            continue
        if argument in ("-cudart", "--cudart"):
            skip = True
            continue
        if argument.startswith(("-cudart=", "--cudart=")):
            continue
        before = arguments[number - 1] if number else ""
        is_code = "code=" in argument or before in ("-code", "--gpu-code")
        named |= "arch" in argument or is_code
        argument = "-ptx" if argument in _CUBIN else argument
        found.append(_REAL.sub(r"\1compute_\2", argument) if is_code else argument)
    if not _CUBIN.isdisjoint(arguments) and not any(one.startswith(("-o", "--output-file")) for one in arguments):
        sources = [one for one in arguments if one.endswith((".cu", ".ptx"))]
        found += ["-o", f"{Path(sources[0]).stem}.cubin"] if len(sources) == 1 else []
    if not named:
        from weft.isa.target import target

        virtual = target(os.environ.get("WEFT_GPU", "sm_90")).name.replace("sm_", "compute_")
        found += ["-gencode", f"arch={virtual},code={virtual}"]
    if not any(argument in _LINKING for argument in arguments):
        found += ["-cudart", "none", f"-L{build_runtime().parent}", f"-L{build().parent}", "-lcudart"]
        found += ["-ccbin", str(device_link.wrapper(_taken(found, "-ccbin", "--compiler-bindir")))]
    return found


def _taken(arguments: list[str], *names: str) -> str:
    """The last value of an option, which is taken out."""
    value = ""
    for name in names:
        while name in arguments[:-1]:
            at = arguments.index(name)
            value = arguments[at + 1]
            del arguments[at : at + 2]
        for argument in [a for a in arguments if a.startswith(f"{name}=")]:
            value = argument.partition("=")[2]
            arguments.remove(argument)
    return value
