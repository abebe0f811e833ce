"""`weft gpu-run` and `weft nvcc`: what they give the program that they start, and what becomes of its status."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.command import weft
from weft.cli import gpu_run, nvcc
from weft.errors import ToolError
from weft.gpu.driver import build, build_linker, build_management, build_runtime, compilers, nvrtc, static_runtime
from weft.toolchain import find

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the virtual driver is for Linux")
finding: Any = import_module("weft.toolchain.find")


class Started:
    """The program that a command has started: its arguments and its environment; `faults` is what it leaves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.program: list[str] = []
        self.environment: dict[str, str] = {}
        self.status, self.faults, self.replaced = 0, list[int](), False
        monkeypatch.setattr(gpu_run, "_waited", self._waited)
        monkeypatch.setattr(os, "execvpe", self._executed)
        monkeypatch.setattr(gpu_run, "prepared", lambda environment, program: {"PREPARED": program})
        for name in [name for name in os.environ if name.startswith("WEFT_GPU")]:
            monkeypatch.delenv(name)

    def _waited(self, program: list[str], environment: dict[str, str]) -> int:
        self.program, self.environment = program, environment
        for number, faults in enumerate(self.faults):
            Path(environment["WEFT_GPU_FAULTS"], str(number)).write_text(str(faults))
        if self.status == -1:
            raise FileNotFoundError(2, "No such file or directory")
        return self.status

    def _executed(self, file: str, program: list[str], environment: dict[str, str]) -> None:
        assert file == program[0]
        self.program, self.environment, self.replaced = program, environment, True
        raise SystemExit(0)

    def variables(self) -> dict[str, str]:
        """What the command has said about the device."""
        return {
            name.removeprefix("WEFT_GPU"): value
            for name, value in self.environment.items()
            if name.startswith("WEFT_GPU") and name != "WEFT_GPU_FAULTS"
        }


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    return Started(monkeypatch)


def test_options_become_variables(started: Started, tmp_path: Path) -> None:
    for options, variables in (
        ([], {}),
        (["--target", "90a"], {"": "sm_90a"}),
        (["--checks", "races,proxy"], {"_CHECKS": "races,proxy"}),
        (["--async", "random:20"], {"_ASYNCHRONY": "random:20"}),
        (["--report", "all"], {"_REPORT": "all"}),
        (["--streams", "--uninitialised-memory"], {"_STREAMS": "1", "_UNINITIALISED_MEMORY": "1"}),
        (["--bounds", "512", "--dump", str(tmp_path)], {"_BOUNDS": "512", "_DUMP": str(tmp_path)}),
        (["--devices", "16", "--log"], {"_COUNT": "16", "_LOG": "1"}),
    ):
        done = weft("gpu-run", *options, "program", "--its", "-o", "ptions")
        assert (done.returncode, done.stderr) == (0, ""), options
        assert started.variables() == variables
        assert started.program == ["program", "--its", "-o", "ptions"] and started.environment["PREPARED"] == "program"


def test_variables_that_are_set_stay(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"WEFT_GPU": "sm_80", "WEFT_GPU_CHECKS": "fast", "WEFT_GPU_COUNT": "3", "WEFT_GPU_MEMORY": "1"}
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert weft("gpu-run", "--devices", "2", "x").returncode == 0
    assert started.variables() == {"": "sm_80", "_CHECKS": "fast", "_COUNT": "2", "_MEMORY": "1"}
    for name, value, said in (
        *(
            ("MEMORY", "0", "a number of MiB"),
            ("MEMORY", "x", "a number of MiB"),
            ("COUNT", "-1", "a number of devices"),
        ),
        *(
            ("COUNT", "0", "a number of devices"),
            ("BOUNDS", "x", "a number of bytes"),
            ("BOUNDS", "0", "a number of bytes"),
        ),
    ):
        with monkeypatch.context() as inner:
            inner.setenv(f"WEFT_GPU_{name}", value)
            done = weft("gpu-run", "x")
            assert done.returncode == 2 and done.stderr.endswith(f"\nerror: WEFT_GPU_{name}={value!r} is not {said}\n")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--target", "sm_1"], "--target: unknown target 'sm_1'"),
        (["--checks", "often"], "unknown check"),
        (["--async", "later"], "later"),
        (["--report", "some"], "some"),
        (["--bounds", "3"], "bounds=3 must be a power of two"),
        (["--devices", "0"], "0 is not in the range 1<=x<=16."),
        (["--devices", "17"], "17 is not in the range 1<=x<=16."),
        (["--exit-code", "256"], "256 is not in the range 0<=x<=255."),
        (["--exit-code", "-1"], "-1 is not in the range 0<=x<=255."),
    ],
    ids=str,
)
def test_wrong_options_of_gpu_run(started: Started, options: list[str], said: str) -> None:
    done = weft("gpu-run", *options, "x")
    assert done.returncode == 2 and said in done.stderr.rpartition("\nerror: ")[2] and not started.program


def test_status_of_programs(started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their own, unless faults go unheard; the status for that may be chosen, and 0 takes the command's place."""
    for options, status, faults, code, told in (
        *(([], 0, [], 0, ""), ([], 0, [0, 0], 0, ""), ([], 5, [3], 5, ""), (["--exit-code", "9"], 0, [0], 0, "")),
        *(
            ([], 0, [1], 1, "1 fault\n"),
            ([], 0, [1, 2], 1, "3 faults\n"),
            (["--exit-code", "255"], 0, [2], 255, "2 faults\n"),
        ),
    ):
        started.status, started.faults = status, faults
        done = weft("gpu-run", *options, "x")
        assert done.returncode == code, (options, status, faults)
        assert done.stderr == (f"weft: the program exits with 0 despite {told}" if told else "")
        assert not started.replaced
    assert weft("gpu-run", "--exit-code", "0", "x").returncode == 0 and started.replaced
    assert "WEFT_GPU_FAULTS" not in started.environment
    started.status = -1
    assert weft("gpu-run", "x").stderr.endswith("\nerror: x: No such file or directory\n")
    monkeypatch.chdir(tmp_path)
    Path("x").touch()
    assert weft("gpu-run", "x").stderr.endswith("\nerror: x: No such file or directory; did you mean ./x?\n")
    assert weft("gpu-run", "./x").stderr.endswith("\nerror: ./x: No such file or directory\n")


def test_how_a_program_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the environment; a signal that ends it is a status as shells give it; signals are passed on, but for the
    one that a terminal gives to both.
    """
    handlers: dict[int, Callable[[int, object], None]] = {}
    monkeypatch.setattr(signal, "signal", lambda number, handler: handlers.__setitem__(int(number), handler))
    assert gpu_run._waited(["/bin/sh", "-c", 'exit "$STATUS"'], {"STATUS": "7"}) == 7
    assert gpu_run._waited(["/bin/sh", "-c", "kill -9 $$"], {}) == 128 + 9
    assert gpu_run._waited(["/bin/sh", "-c", "exit 0"], {}) == 0
    signals = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2}
    assert set(handlers) == set(map(int, signals))
    sent: list[int] = []
    process: Any = handlers[signal.SIGTERM].__closure__[0].cell_contents  # type: ignore[index]
    process.send_signal = sent.append
    for number in sorted(signals):
        handlers[number](number, None)
    assert sent == sorted(map(int, signals - {signal.SIGINT}))


def test_what_programs_find(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Libraries to preload but for those that programs are linked to; what was set stays, behind what is new."""
    monkeypatch.setattr(nvrtc, "real_library", lambda python: "/its/nvrtc" if python else None)
    monkeypatch.setattr(compilers, "stand_in", lambda: tmp_path / "nvcc")
    libraries = [build(), build_linker(), build_runtime(), build_management(), static_runtime.build()]
    own = nvrtc.build()
    found = gpu_run.prepared(
        {"LD_PRELOAD": "/a.so:/a.so", "LD_LIBRARY_PATH": "/b", "PYTHONPATH": "/c", "PATH": "/d"}, sys.executable
    )
    assert found["LD_PRELOAD"].split(":") == [*(str(libraries[n]) for n in (0, 1, 4)), str(own), "/a.so"]
    folders = found["LD_LIBRARY_PATH"].split(":")
    assert folders[-1] == "/b" and folders[:-1] == list(dict.fromkeys(str(path.parent) for path in [*libraries, own]))
    packages = found["PYTHONPATH"].split(":")
    assert packages[1:] == [str(static_runtime.STARTUP), "/c"] and os.listdir(packages[0]) == ["weft"]
    assert found["PATH"] == f"{tmp_path}:/d" and found["NVCC"] == str(tmp_path / "nvcc")
    assert (found["NUMBA_CUDA_DRIVER"], found["WEFT_CUDART"]) == (str(libraries[0]), str(libraries[2]))
    assert found["WEFT_GPU"] == "sm_90" and found["WEFT_NVRTC"] == "/its/nvrtc"
    assert {
        Path(path, "numpy").exists() or Path(path, "ml_dtypes").exists() for path in found["WEFT_PACKAGES"].split(":")
    } == {True}
    monkeypatch.setattr(nvrtc, "real_library", lambda python: None)
    monkeypatch.setattr(compilers, "stand_in", lambda: None)
    found = gpu_run.prepared({"WEFT_GPU": "sm_80"}, "no-such-program")
    assert found["WEFT_GPU"] == "sm_80" and not {"PATH", "NVCC", "WEFT_NVRTC"} & set(found)
    assert found["LD_PRELOAD"].split(":") == [str(libraries[n]) for n in (0, 1, 4)]
    monkeypatch.setattr(compilers, "stand_in", lambda: tmp_path / "nvcc")
    found = gpu_run.prepared({"NVCC": "/its/own"}, "x")
    assert found["NVCC"] == "/its/own" and found["PATH"].startswith(f"{tmp_path}:")


def test_where_python_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Programs that are not Python's load its shared library, where there is one."""
    import sysconfig

    (tmp_path / "libpython.so.1").touch()
    for library, there in (("libpython.so.1", True), ("libpython.a", False), ("libpython.so.2", False), (None, False)):
        known = {"LDLIBRARY": library, "LIBDIR": str(tmp_path)}
        with monkeypatch.context() as inner:
            inner.setattr(sysconfig, "get_config_var", lambda name, known=known: known.get(name))
            found = gpu_run.prepared({}, "x")
        assert found.get("WEFT_LIBPYTHON") == (str(tmp_path / "libpython.so.1") if there else None), library
        assert found.get("WEFT_SITE") == (os.pathsep.join(path for path in sys.path if path) if there else None)


# -- nvcc ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An nvcc that prints its arguments, one a line, then what stands in `said` to stderr, and has the status there."""
    path = tmp_path / "nvcc"
    path.write_text(f'#!/bin/sh\nfor one in "$@"; do echo "$one"; done > "{tmp_path}/given"\n. "{tmp_path}/said"\n')
    path.chmod(0o755)
    (tmp_path / "said").write_text("exit 0")
    monkeypatch.setenv("WEFT_NVCC", str(path))
    monkeypatch.delenv("WEFT_GPU", raising=False)
    find.cache_clear()
    yield path
    find.cache_clear()


def given(compiler: Path, *arguments: str) -> list[str]:
    done = weft("nvcc", *arguments)
    assert done.returncode == 0, done.stderr
    return (compiler.parent / "given").read_text().splitlines()


def test_nvcc_gets_its_own_arguments(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    virtual = ["-gencode", "arch=compute_90,code=compute_90"]
    assert given(compiler, "-c", "a b.cu", "--help") == ["-c", "a b.cu", "--help", *virtual]
    monkeypatch.setenv("WEFT_GPU", "100a")
    assert given(compiler, "-c", "a.cu")[-1] == "arch=compute_100a,code=compute_100a"
    for code in ("-arch=sm_80", "--gpu-architecture=sm_80"):
        assert given(compiler, "-c", code, "a.cu") == ["-c", code, "a.cu"]
    for words, right in (
        *(
            (["-code", "sm_80,sm_90a"], ["-code", "compute_80,compute_90a"]),
            (["-code", "[sm_75,sm_80]"], ["-code", "[compute_75,compute_80]"]),
        ),
        *(
            (["-gpu-code=sm_80"], ["-gpu-code=compute_80"]),
            (["--generate-code", "arch=compute_80,code=sm_80"], ["--generate-code", "arch=compute_80,code=compute_80"]),
        ),
    ):
        assert given(compiler, "-c", *words)[1:] == right
    for option in ("-c", "--compile", "-ptx", "--ptx", "-fatbin", "--fatbin", "-E", "-M", "-dc", "-dw"):
        assert given(compiler, option, "-arch=sm_80") == [option, "-arch=sm_80"]
    for options, out in (
        *(
            (["x/a.cu"], ["-o", "a.cubin"]),
            (["a.ptx"], ["-o", "a.cubin"]),
            (["a.cu", "b.cu"], []),
            (["a.cu", "-ob"], []),
        ),
        *((["a.cu", "--output-file=b"], []), (["a.cpp"], [])),
    ):
        assert given(compiler, "--cubin", "-arch=sm_80", *options) == ["-ptx", "-arch=sm_80", *options, *out]


def test_programs_are_linked_with_the_shared_runtime(compiler: Path) -> None:
    for cudart in (["-cudart", "static"], ["--cudart", "static"], ["-cudart=static"], ["--cudart=none"], []):
        found = given(compiler, "-arch=sm_80", *cudart, "a.cu")
        assert found[:-1] == [
            *("-arch=sm_80", "a.cu", "-cudart", "none", f"-L{build_runtime().parent}", f"-L{build().parent}"),
            *("-lcudart", "-ccbin"),
        ]
        assert Path(found[-1]).name == "g++"
    for option in (["-ccbin", "clang++-99"], ["--compiler-bindir=clang++-99"], ["-ccbin=clang++-99"]):
        found = given(compiler, "-arch=sm_80", *option, "a.cu")
        assert found[:2] == ["-arch=sm_80", "a.cu"] and "exec clang++-99 " in Path(found[-1]).read_text()


CURAND = """a.cu:1:10: fatal error: curand.h: No such file
fatal error: nvml.h
hint: the header is in a separate package: pip install nvidia-curand
"""


def test_what_nvcc_says(compiler: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for body, status, told in (
        *(("echo hello >&2; exit 3", 3, "hello\n"), ("exit 0", 0, "")),
        (
            "echo 'a.cu:1:10: fatal error: curand.h: No such file' >&2; echo 'fatal error: nvml.h' >&2; exit 1", 1,
            CURAND,
        ),
        ("echo 'error: cannot open source file \"mine.h\"' >&2; exit 1", 1, "error: cannot open source file \"mine.h\"\n"),
        ("echo 'fatal error: curand.h: x' >&2; exit 0", 0, "fatal error: curand.h: x\n"),
    ):  # fmt: skip
        (compiler.parent / "said").write_text(body)
        done = weft("nvcc", "-c", "a.cu")
        assert (done.returncode, done.stderr) == (status, told)
    monkeypatch.delenv("WEFT_NVCC")
    monkeypatch.setattr(finding, "_candidates", lambda _: iter(()))
    find.cache_clear()
    assert weft("nvcc", "-c", "a.cu").stderr == (
        "error: nvcc was not found\nhint: pip install 'weft[ptxas]', or set WEFT_NVCC to its path\n"
    )


def test_device_code_is_linked_to_an_object(monkeypatch: pytest.MonkeyPatch) -> None:
    from weft.gpu.driver import device_link

    made: list[Any] = []
    monkeypatch.setattr(device_link, "missing", lambda arguments: [f"_of {' '.join(arguments)}"])
    monkeypatch.setattr(device_link, "compiled", lambda names, to: made.append((names, to)) or 5)
    for option in ("-dlink", "--device-link"):
        assert weft("nvcc", option, "a.o").returncode == 5 and made.pop() == ([f"_of {option} a.o"], "a_dlink.o")
        for output in (["-o", "b.o"], ["-o=b.o"], ["--output-file", "b.o"], ["--output-file=b.o"]):
            assert weft("nvcc", option, *output, "a.o").returncode == 5 and made.pop() == ([f"_of {option} a.o"], "b.o")
        for wrong in ("-cubin", "--cubin", "-fatbin", "--fatbin"):
            done = weft("nvcc", option, wrong, "a.o")
            assert done.returncode == 1 and done.stderr == (
                f"error: {wrong}: device code is linked as PTX, when the program starts\nhint: link to an object\n"
            )
    assert not made


@pytest.mark.parametrize(
    ("header", "package"),
    [
        ("cuda_profiler_api.h", "cuda-profiler-api"), ("cudaProfiler.h", "cuda-profiler-api"), ("curand_kernel.h", "curand"),
        ("cufft.h", "cufft"), ("cusparse.h", "cusparse"), ("cusolverDn.h", "cusolver"), ("cublas_v2.h", "cublas"),
        ("nvrtc.h", "cuda-nvrtc"), ("cupti.h", "cuda-cupti"), ("nvtx3/nvToolsExt.h", "nvtx"), ("nvToolsExt.h", "nvtx"),
        ("nvFatbin.h", "nvfatbin"), ("nvJitLink.h", "nvjitlink"), ("nvml.h", "nvml-dev"), ("nppi.h", "npp"),
        ("nvjpeg.h", "nvjpeg"), ("cufile.h", "cufile"), ("cudnn.h", "cudnn-cu13"), ("nccl.h", "nccl-cu13"),
        ("a/nccl.h", "nccl-cu13"), ("mine.h", ""), ("a/cuda.h", ""),
    ],
)  # fmt: skip
def test_packages_of_headers(header: str, package: str) -> None:
    assert nvcc.package_of(header) == (package and f"nvidia-{package}")


def test_files_of_arguments_of_nvcc(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("-DX='a b' x.cu")
    (tmp_path / "two").write_bytes(b"\xff")
    for option in ("-optf", "--options-file"):
        one = str(tmp_path / "one")
        assert (
            nvcc.expanded(["-w", option, one]) == nvcc.expanded(["-w", f"{option}={one}"]) == ["-w", "-DX=a b", "x.cu"]
        )
        assert nvcc.expanded([f"{option}={one},{one}"]) == ["-DX=a b", "x.cu"] * 2
        for wrong in ([option], [option, str(tmp_path / "two")], [option, str(tmp_path)]):
            with pytest.raises(ToolError, match=f"cannot read {option} "):
                nvcc.expanded(wrong)


def test_a_stand_in_for_nvcc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A script that calls `weft nvcc`, which knows the real one; it is not taken for a real one itself."""
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path))
    monkeypatch.setattr(
        compilers, "paths", lambda name: iter([tmp_path / "weft/driver/compilers/nvcc", Path("/its/nvcc")])
    )
    made = compilers.stand_in()
    assert made is not None and made == tmp_path / "weft/driver/compilers/nvcc"
    text = made.read_text()
    assert os.access(made, os.X_OK) and 'WEFT_NVCC="${WEFT_NVCC:-/its/nvcc}" PYTHONPATH=' in text
    assert text.endswith(f'exec {sys.executable} -m weft nvcc "$@"\n') and "unset LD_PRELOAD\n" in text
    monkeypatch.setattr(compilers, "paths", lambda name: iter([made]))
    assert compilers.stand_in() is None
