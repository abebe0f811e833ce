"""`weft gpu-run`: a program with a virtual GPU."""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import click

from weft.cli.options import target_option

HELP = """Run a CUDA program on a virtual GPU: `weft gpu-run python prog.py`.

The program loads a libcuda.so.1 whose device runs PTX on the simulator, and a stand-in for nvJitLink that keeps PTX.
Faults in kernels are printed when they happen, and the program gets the error code that CUDA returns. If it exits with
0 all the same, the exit status is 1. The environment variables WEFT_GPU (the target), WEFT_GPU_CHECKS,
WEFT_GPU_ASYNCHRONY, WEFT_GPU_REPORT and WEFT_GPU_MEMORY (MiB) set the defaults of the options, and WEFT_GPU_LOG=1
prints every call.
"""
_NUMBERS = (
    ("WEFT_GPU_MEMORY", "a number of MiB"),
    ("WEFT_GPU_COUNT", "a number of devices"),
    ("WEFT_GPU_BOUNDS", "a number of bytes"),
)


@click.command(
    name="gpu-run", help=HELP, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.option(
    "--target", callback=target_option, metavar="SM", help="The device's target (default: sm_90, or WEFT_GPU)."
)
@click.option("--checks", metavar="NAMES", help="strict, fast, or names of checks, comma-separated.")
@click.option("--async", "asynchrony", metavar="MODE", help="lazy, eager, random or random:20.")
@click.option("--report", metavar="HOW", help="first: stop a kernel at its first fault; all: continue where possible.")
@click.option("--streams", is_flag=True, help="Report memory that several streams use without synchronization.")
@click.option("--uninitialised-memory", is_flag=True, help="Report reads of global memory that nothing has written.")
@click.option(
    "--bounds", metavar="N", help="Round the ends of allocations up to N bytes: 512 as CUDA's do (default: 4)."
)
@click.option(
    *("--exit-code", "code"),
    type=click.IntRange(0, 255),
    metavar="N",
    default=1,
    show_default=True,
    help="Exit status if the program exits with 0 despite faults; 0 keeps the program's own.",
)
@click.option("--dump", metavar="DIR", help="Write all loaded PTX to this directory; faults then refer to these files.")
@click.option(
    "--devices",
    type=click.IntRange(1, 16),
    metavar="N",
    help="Number of devices (default: 1, or WEFT_GPU_COUNT).",
)
@click.option("--log", is_flag=True, help="Print every driver call.")
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED)
def command(
    target: str | None,
    checks: str | None,
    asynchrony: str | None,
    report: str | None,
    streams: bool,
    uninitialised_memory: bool,
    bounds: str | None,
    code: int,
    dump: str | None,
    devices: int | None,
    log: bool,
    program: tuple[str, ...],
) -> int:
    """Build the libraries, set the environment, and run the program."""
    from weft.errors import WeftError
    from weft.gpu.memory import check_bounds
    from weft.gpu.policy import policy_of
    from weft.isa.target import target as target_called
    from weft.sim.faults import choose
    from weft.sim.findings import Report

    environment = dict(os.environ)
    given = {
        "": target,
        "_CHECKS": checks,
        "_ASYNCHRONY": asynchrony,
        "_REPORT": report,
        "_STREAMS": "1" if streams else None,
        "_UNINITIALISED_MEMORY": "1" if uninitialised_memory else None,
        "_BOUNDS": bounds,
        "_DUMP": dump,
        "_COUNT": None if devices is None else str(devices),
    }
    environment.update({f"WEFT_GPU{name}": value for name, value in given.items() if value is not None})
    if log:
        environment["WEFT_GPU_LOG"] = "1"
    for name, what in _NUMBERS:
        number = environment.get(name, "1")
        if not number.isdecimal() or not int(number):
            raise click.UsageError(f"{name}={number!r} is not {what}")
    wanted = environment.get("WEFT_GPU_CHECKS", "strict")
    try:
        check_bounds(int(environment.get("WEFT_GPU_BOUNDS", "1")))
        target_called(environment.get("WEFT_GPU", "sm_90"))
        choose(environment.get("WEFT_GPU_REPORT", "first"), Report, "report")
        policy_of(
            wanted if wanted in ("strict", "fast") else wanted.split(","),
            environment.get("WEFT_GPU_ASYNCHRONY", "lazy"),
        )
    except WeftError as error:
        raise click.UsageError(f"{error.message}: {error.hint}") from None
    environment.update(prepared(environment, program[0]))
    try:
        if not code:
            os.execvpe(program[0], list(program), environment)
        with tempfile.TemporaryDirectory(prefix="weft-") as folder:
            status = _waited([*program], {**environment, "WEFT_GPU_FAULTS": folder})
            faults = sum(int(file.read_text(encoding="ascii")) for file in Path(folder).iterdir())
    except OSError as error:
        # A name without a slash is looked for in PATH only, as shells do.
        missed = isinstance(error, FileNotFoundError) and os.sep not in program[0] and Path(program[0]).is_file()
        meant = f"; did you mean ./{program[0]}?" if missed else ""
        raise click.UsageError(f"{program[0]}: {error.strerror}{meant}") from None
    if status or not faults:
        return status
    print(f"weft: the program exits with 0 despite {faults} fault{'s'[: faults > 1]}", file=sys.stderr)
    return code


def _waited(program: list[str], environment: dict[str, str]) -> int:
    """Run a program that ends with this process and gets its signals; its status as shells give it."""
    libc = ctypes.CDLL(None)
    end_with_parent = 1, int(signal.SIGKILL)  # PR_SET_PDEATHSIG
    with subprocess.Popen(program, env=environment, preexec_fn=lambda: libc.prctl(*end_with_parent)) as process:

        def pass_on(number: int, _: object) -> None:
            if number != signal.SIGINT:  # A terminal gives it to both.
                process.send_signal(number)

        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
            signal.signal(number, pass_on)
        status = process.wait()
    return status if status >= 0 else 128 - status


def prepared(environment: dict[str, str], program: str) -> dict[str, str]:
    """What a program's environment must say to find the virtual driver."""
    import ml_dtypes
    import numpy

    from weft.gpu.driver import build, build_linker, build_management, build_runtime, compilers, nvrtc, static_runtime
    from weft.gpu.driver.build import alone
    from weft.gpu.driver.static_runtime import STARTUP

    driver = build()
    runtime = build_runtime()
    libraries = [driver, build_linker(), runtime, build_management(), static_runtime.build()]
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
    nvcc = compilers.stand_in()
    if nvcc is not None:
        found["PATH"] = _joined([str(nvcc.parent)], environment.get("PATH", os.defpath))
        found["NVCC"] = environment.get("NVCC") or str(nvcc)
    shared = sysconfig.get_config_var("LDLIBRARY") or ""
    library = Path(sysconfig.get_config_var("LIBDIR") or "") / shared
    if ".so" in shared and library.exists():
        found["WEFT_LIBPYTHON"] = str(library)
        found["WEFT_SITE"] = os.pathsep.join(path for path in sys.path if path)
    return found


_LINKED = ("libcudart.so.13", "libnvidia-ml.so.1")
"""What programs are linked to or look for finds itself; others may have a runtime of their own."""


def _joined(first: list[str], rest: str) -> str:
    parts = [*first, *(part for part in rest.split(os.pathsep) if part)]
    return os.pathsep.join(dict.fromkeys(parts))
