"""`weft gpu-run`: a program with a virtual GPU."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

import click

HELP = """Run a program with a virtual GPU: `weft gpu-run python prog.py`.

The program finds a libcuda.so.1 whose device runs PTX on the simulator, and a stand-in for nvJitLink that keeps PTX.
Faults of kernels are printed where they happen; the program gets the error code that CUDA gives. The environment
variables WEFT_GPU (the target), WEFT_GPU_CHECKS, WEFT_GPU_ASYNCHRONY and WEFT_GPU_MEMORY (MiB) say the same as the
options, and WEFT_GPU_LOG=1 prints every call.
"""


@click.command(
    name="gpu-run", help=HELP, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.option("--target", metavar="SM", help="The device's target (default: sm_90, or WEFT_GPU).")
@click.option("--checks", metavar="NAMES", help="strict, fast, or names of checks.")
@click.option("--async", "asynchrony", metavar="MODE", help="lazy, eager, random or random:20.")
@click.option("--dump", metavar="FOLDER", help="Write the PTX that is loaded to files, which faults then name.")
@click.option("--log", is_flag=True, help="Print every call of the driver.")
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
def command(
    target: str | None,
    checks: str | None,
    asynchrony: str | None,
    dump: str | None,
    log: bool,
    program: tuple[str, ...],
) -> int:
    """Build the libraries, set the environment, and become the program."""
    from weft.gpu.policy import policy_of
    from weft.isa.target import target as target_called

    environment = dict(os.environ)
    given = {"WEFT_GPU": target, "WEFT_GPU_CHECKS": checks, "WEFT_GPU_ASYNCHRONY": asynchrony, "WEFT_GPU_DUMP": dump}
    environment.update({name: value for name, value in given.items() if value is not None})
    if log:
        environment["WEFT_GPU_LOG"] = "1"
    target_called(environment.get("WEFT_GPU", "sm_90"))
    wanted = environment.get("WEFT_GPU_CHECKS", "strict")
    policy_of(
        wanted if wanted in ("strict", "fast") else wanted.split(","), environment.get("WEFT_GPU_ASYNCHRONY", "lazy")
    )
    if not environment.get("WEFT_GPU_MEMORY", "1").isdecimal():
        raise click.UsageError(f"WEFT_GPU_MEMORY={environment['WEFT_GPU_MEMORY']!r} is not a number of MiB")
    environment.update(prepared(environment, program[0]))
    try:
        os.execvpe(program[0], list(program), environment)
    except OSError as error:
        raise click.UsageError(f"{program[0]}: {error.strerror}") from None


def prepared(environment: dict[str, str], program: str) -> dict[str, str]:
    """What a program's environment must say to find the virtual driver."""
    import ml_dtypes
    import numpy

    from weft.gpu.driver import build, build_linker, build_runtime, nvrtc, static_runtime
    from weft.gpu.driver.build import alone
    from weft.gpu.driver.static_runtime import STARTUP

    driver = build()
    runtime = build_runtime()
    libraries = [driver, build_linker(), runtime, static_runtime.build()]
    compiler = nvrtc.real_library(shutil.which(program) or "")
    if compiler is not None:
        libraries.append(nvrtc.build())
    found = {
        "LD_LIBRARY_PATH": _joined(
            [str(library.parent) for library in libraries], environment.get("LD_LIBRARY_PATH", "")
        ),
        "LD_PRELOAD": _joined(
            [str(library) for library in libraries if library.name not in _LINKED], environment.get("LD_PRELOAD", "")
        ),
        "PYTHONPATH": _joined(
            [str(alone(Path(__file__).resolve().parents[1])), str(STARTUP)], environment.get("PYTHONPATH", "")
        ),
        "WEFT_PACKAGES": _joined([str(Path(str(one.__file__)).parents[1]) for one in (numpy, ml_dtypes)], ""),
        "NUMBA_CUDA_DRIVER": str(driver),
        "WEFT_CUDART": str(runtime),
        "WEFT_GPU": environment.get("WEFT_GPU", "sm_90"),
    }
    if compiler is not None:
        found["WEFT_NVRTC"] = compiler
    shared = sysconfig.get_config_var("LDLIBRARY") or ""
    library = Path(sysconfig.get_config_var("LIBDIR") or "") / shared
    if ".so" in shared and library.exists():
        found["WEFT_LIBPYTHON"] = str(library)
        found["WEFT_SITE"] = os.pathsep.join(path for path in sys.path if path)
    return found


_LINKED = ("libcudart.so.13",)
"""What programs are linked to finds itself; others may have a runtime of their own."""


def _joined(first: list[str], rest: str) -> str:
    parts = [*first, *(part for part in rest.split(os.pathsep) if part)]
    return os.pathsep.join(dict.fromkeys(parts))
