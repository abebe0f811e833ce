"""PyTorch that takes the host for the GPU, by what stands for PyTorch where that is not installed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tests.tritons import stand_in
from tests.tritons.stand_in import Device, Generator, Tensor
from weft.gpu.properties import properties_of
from weft.triton import environment
from weft.triton.events import Event
from weft.triton.torch_cuda import replaced
from weft.triton.torch_host import on_host

GPU, HOST, META = Device("cuda", 0), Device("cpu"), Device("meta")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Any:
    """PyTorch without a GPU."""
    torch = stand_in.made()
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch.overrides", torch.overrides)
    return torch


@pytest.fixture
def torch(plain: Any) -> Iterator[Any]:
    """The same where the host stands for one."""
    with on_host(plain, properties_of("sm_90a", 1 << 30)):
        yield plain


def test_what_names_the_device_is_on_the_host(torch: Any) -> None:
    """By position and by name; programs are told that it is on the device."""
    for place in ("cuda", "cuda:0", Device("cuda"), GPU):
        for tensor in (
            *(torch.empty(2, device=place), torch.empty(2, place), torch.load("file", map_location=place)),
            *(torch.empty(2).to(place), torch.empty(2).to(device=place), torch.empty(2).cuda(place)),
            *(torch.empty(2, dtype=place) if isinstance(place, Device) else torch.empty(2),),
        ):
            assert tensor.place == HOST
            assert (tensor.device, tensor.is_cuda, tensor.get_device()) == (GPU, True, 0)
    assert torch.empty(2, device=0).place == torch.empty(2).to(0).place == HOST
    assert torch._C._nn._parse_to(0) == torch._C._nn._parse_to("cuda") == HOST
    other = torch.empty(2, device="meta")
    assert (other.place, other.device, other.is_cuda, other.get_device()) == (META, META, False, 0)
    assert torch.empty(2).to(META).device == torch.empty(2).to("xla").to("meta").device == META
    tensor = torch.empty(2)
    assert tensor.cuda() is tensor and tensor.pin_memory() is tensor
    assert torch.empty(2, pin_memory=True, device="cuda").made == ("empty", (2,), {"device": HOST})


def test_there_is_one_device(torch: Any) -> None:
    for wrong in (1, "cuda:1", Device("cuda", 3)):
        with pytest.raises(RuntimeError, match="invalid device ordinal .cuda:[13]; there is one virtual GPU"):
            torch.empty(2, device=wrong)
        with pytest.raises(RuntimeError, match="invalid device ordinal"):
            torch.empty(2).to(wrong)


def test_what_names_no_device_stays_as_it_is(torch: Any) -> None:
    """Numbers where no device is meant, truth, and texts that begin like one."""
    tensor = torch.empty(2)
    assert tensor.sum(1, True).made == ("sum", (1, True))
    assert torch.empty(1, 3).made == ("empty", (1, 3), {})
    assert torch.empty(2, device=None).made == ("empty", (2,), {"device": None})
    assert torch.empty(2, device="cudaish").place == Device("cudaish")
    assert torch.load("cuda.pt", map_location=True).made == ("load", ("cuda.pt",), {"map_location": True})
    assert torch.load("x", weights_only=True).made == ("load", ("x",), {"weights_only": True})
    assert tensor.to(True).made == ("to", (True,), {}), "it is no number"


def test_what_torch_cuda_answers(torch: Any) -> None:
    cuda, told = torch.cuda, torch.cuda.get_device_properties(0)
    for name, answer in {
        "is_available": True, "is_initialized": True, "is_bf16_supported": True, "device_count": 1, "current_device": 0,
        "can_device_access_peer": False, "get_device_capability": (9, 0), "get_device_name": "weft virtual GPU (sm_90a)",
        "get_arch_list": ["sm_90"], "mem_get_info": (1 << 30, 1 << 30), "memory_stats": {}, "memory_summary": "",
        "memory_snapshot": [], "get_allocator_backend": "native", "is_current_stream_capturing": False,
        "memory_allocated": 0, "max_memory_allocated": 0, "memory_reserved": 0, "max_memory_reserved": 0,
        "get_sync_debug_mode": 0,
    }.items():  # fmt: skip
        assert getattr(cuda, name)() == getattr(cuda, name)("cuda", x=1) == answer, name
    for name in (
        *("init", "set_device", "set_stream", "synchronize", "empty_cache", "ipc_collect", "set_sync_debug_mode"),
        *("reset_peak_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached", "_lazy_init", "_sleep"),
        *("reset_accumulated_memory_stats", "reset_peak_host_memory_stats", "reset_accumulated_host_memory_stats"),
        "set_per_process_memory_fraction",
    ):
        assert getattr(cuda, name)(1) is None, name
    for name in ("Float", "Double", "Half", "BFloat16", "Byte", "Char", "Short", "Int", "Long", "Bool"):
        assert getattr(cuda, f"{name}Tensor") is getattr(torch, f"{name}Tensor")
    assert vars(told) == {
        "name": "weft virtual GPU (sm_90a)", "major": 9, "minor": 0, "total_memory": 1 << 30, "warp_size": 32,
        "multi_processor_count": 132, "max_threads_per_multi_processor": 2048, "max_threads_per_block": 1024,
        "regs_per_multiprocessor": 65536, "shared_memory_per_block": 48 << 10,
        "shared_memory_per_block_optin": 227 << 10, "shared_memory_per_multiprocessor": 228 << 10,
        "L2_cache_size": 50 << 20, "clock_rate": 1980000, "memory_clock_rate": 2619000, "memory_bus_width": 5120,
        "uuid": UUID(int=0), "gcnArchName": "", "is_integrated": False, "is_multi_gpu_board": False,
    }  # fmt: skip
    assert torch.version.cuda == "13.0" and torch._C._cuda_getDevice() == torch._C._cuda_getCurrentRawStream(0) == 0
    for name in ("range_push", "range_pop", "range_start", "range_end", "mark"):
        assert getattr(cuda.nvtx, name)("x") == 0
    assert cuda.profiler.start() == cuda.profiler.stop() == cuda.cudart().cudaProfilerStart() == 0
    with pytest.raises(AttributeError, match="has no cudaMalloc on the virtual GPU"):
        cuda.cudart().cudaMalloc(4)
    named = [
        getattr(cuda, name)
        for name in vars(cuda)
        if not name.endswith("Tensor") and name not in ("device", "device_of")
    ]
    assert len({id(value) for value in named}) == len(named), "no function has two names"


def test_what_accelerators_answer(torch: Any) -> None:
    found = torch.accelerator
    assert found.is_available() is True and found.device_count() == 1 and found.current_accelerator() == Device("cuda")
    assert found.current_device_index() == found.current_device_idx() == found.current_stream().cuda_stream == 0
    for name in ("synchronize", "set_device_index", "set_device_idx", "set_stream", "empty_cache"):
        assert getattr(found, name)(0) is None


def test_an_old_device_has_no_bfloat16_and_torch_no_accelerators(plain: Any) -> None:
    del plain.accelerator
    for target, known in (("sm_75", False), ("sm_80", True)):
        with on_host(plain, properties_of(target, 1 << 20)):
            assert plain.cuda.is_bf16_supported() is known and plain.cuda.get_arch_list() == [target]


def test_streams_and_events(torch: Any) -> None:
    cuda = torch.cuda
    with cuda.Stream("cuda", priority=-1, x=1) as stream, cuda.stream(stream), cuda.device(0), cuda.device_of(stream):
        assert (stream.priority, stream.cuda_stream, stream.device_index) == (-1, 0, 0) and stream.query() is True
    assert cuda.stream(stream).stream is stream and (cuda.device(0).idx, cuda.device(0).prev_idx) == (0, 0)
    assert isinstance(cuda.current_stream(), cuda.Stream) and isinstance(cuda.default_stream(), cuda.Stream)
    assert cuda.Stream().priority == 0
    start = stream.record_event()
    assert (
        isinstance(start, Event)
        and stream.synchronize() is stream.wait_event(start) is stream.wait_stream(stream) is None
    )
    end = cuda.Event(enable_timing=True, blocking=False)
    before = end._moment
    assert stream.record_event(end) is end and end._moment > before
    assert start.query() is True and start.synchronize() is start.wait(stream) is None
    start._moment, end._moment = 1.0, 1.25
    assert start.elapsed_time(end) == 250 and end.elapsed_time(start) == start.elapsed_time(start) == 1e-3
    assert torch.empty(2).record_stream(stream) is None


def test_random_numbers_are_those_of_the_host(torch: Any) -> None:
    cuda, generator = torch.cuda, torch.default_generator
    assert cuda.default_generators == (generator,) and cuda.initial_seed() == generator.initial_seed()
    cuda.manual_seed(5.0)
    assert cuda.get_rng_state() == cuda.get_rng_state("cuda") == 5 and cuda.get_rng_state_all() == [5]
    cuda.manual_seed_all(6)
    assert generator.state == 6
    cuda.set_rng_state(7)
    assert generator.state == 7
    cuda.set_rng_state_all([8, 9])
    assert generator.state == 8
    for name in ("seed", "seed_all"):
        generator.state = 0
        assert getattr(cuda, name)() == 99 == generator.state
    made = torch.Generator(device="cuda")
    assert type(made) is Generator and made.device == torch.Generator().device == HOST
    assert isinstance(made, torch.Generator) and not isinstance(5, torch.Generator)
    assert (torch.Generator.__name__, torch.Generator.__module__) == ("Generator", "torch")
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        torch.Generator("cuda:1")


def test_default_devices(torch: Any) -> None:
    for place, said, kept in (
        *(("cuda", Device("cuda"), HOST), ("cuda:0", GPU, HOST), ("meta", META, META), (None, HOST, HOST)),
        *((GPU, GPU, HOST), (HOST, HOST, HOST)),
    ):
        torch.set_default_device(place)
        assert torch.get_default_device() == said and torch.default == [kept], place


def test_everything_is_as_before_afterwards(plain: Any) -> None:
    """Names that were not there are gone again, and after an error, too."""
    owners = (plain, plain.cuda, plain.cuda.nvtx, plain.cuda.profiler, plain._C, plain.version, plain.accelerator)
    before, tensor = [dict(vars(owner)) for owner in owners], dict(vars(Tensor))
    host = on_host(plain, properties_of("sm_90a", 1 << 30))
    host.__enter__()
    assert plain.cuda.is_available() and dict(vars(Tensor)) != tensor
    assert not host.__exit__(ZeroDivisionError, ZeroDivisionError(), None)
    assert [dict(vars(owner)) for owner in owners] == before and dict(vars(Tensor)) == tensor
    assert not plain.cuda.is_available()
    with pytest.raises(RuntimeError, match=stand_in.NO_GPU):
        plain.empty(2, device="cuda")


class _Owner:
    kept = 1


def test_answers_are_taken_back_in_turn() -> None:
    """A name that two answers give has its first value again; where one fails, those before it are taken back."""
    with replaced(iter([(_Owner, "kept", 2), (_Owner, "kept", 3), (_Owner, "made", 4)])):
        assert (_Owner.kept, _Owner.made) == (3, 4)  # type: ignore[attr-defined]
    assert _Owner.kept == 1 and not hasattr(_Owner, "made")

    def failing() -> Iterator[tuple[Any, str, Any]]:
        yield _Owner, "kept", 5
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), replaced(failing()):
        raise AssertionError
    assert _Owner.kept == 1


# -- the environment ----------------------------------------------------------------------------------------------

PACKAGE = """
from tests.tritons import stand_in
globals().update({name: value for name, value in vars(stand_in.made()).items() if not name.startswith("__")})
"""


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A process that has not imported PyTorch, but could."""
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text(PACKAGE)
    (tmp_path / "torch" / "overrides.py").write_text("from tests.tritons.stand_in import TorchFunctionMode\n")
    for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("WEFT_TRITON", "sm_90a")
    before = list(sys.meta_path)
    yield tmp_path
    environment._FOR_GOOD.close()
    sys.meta_path[:] = before
    for name in [name for name in sys.modules if name.partition(".")[0] == "torch"]:
        del sys.modules[name]


def test_torch_is_taken_once_it_is_imported(without: Path) -> None:
    environment.prepare_torch()
    import torch  # type: ignore[import-not-found]  # pyright: ignore[reportMissingImports]

    assert torch.cuda.is_available() and torch.cuda.get_device_capability() == (9, 0)
    assert torch.cuda.mem_get_info()[1] >= 1 << 30
    loader: Any = torch.__spec__.loader  # pyright: ignore[reportOptionalMemberAccess]
    assert loader.get_filename("torch").startswith(str(without)), "the loader is as it was"
    assert not [one for one in sys.meta_path if isinstance(one, environment._Finder)]


def test_torch_that_is_there_is_taken_at_once(without: Path, plain: Any) -> None:
    """But not while it is importing itself, and not where it sees a GPU."""
    plain.__spec__ = ModuleSpec("torch", None)
    plain.__spec__._initializing = True  # type: ignore[attr-defined]
    environment.prepare_torch()
    assert not plain.cuda.is_available()
    plain.__spec__._initializing = False  # type: ignore[attr-defined]
    plain.cuda.is_available = lambda: "its own"
    environment.prepare_torch()
    assert plain.cuda.is_available() == "its own"
    plain.cuda.is_available = lambda: False
    environment.prepare_torch()
    assert plain.cuda.is_available() is True and not [one for one in sys.meta_path if type(one) is environment._Finder]


def test_torch_that_is_not_there_is_not_found(without: Path) -> None:
    (without / "torch" / "__init__.py").unlink()
    (without / "torch" / "overrides.py").unlink()
    (without / "torch").rmdir()
    environment.prepare_torch()
    finder = sys.meta_path[0]
    assert finder.find_spec("json", None) is None and finder in sys.meta_path, "it waits for torch"
    with pytest.raises(ImportError):
        import torch  # type: ignore[import-not-found]  # noqa: F401  # pyright: ignore
    assert finder not in sys.meta_path


def test_processes_that_are_started_have_the_same_device(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("WEFT_TRITON", "WEFT_CHECKS", "WEFT_ASYNCHRONY", "WEFT_AUTOTUNE", "WEFT_BOUNDS")
    for name in names:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WEFT_CHECKS", "before")
    options = {"checks": ["races", "proxy"], "asynchrony": "eager", "bounds": 64, "autotune": None}
    with environment.passed_on("sm_80", options):
        assert [os.environ.get(name) for name in names] == ["sm_80", "races,proxy", "eager", None, "64"]
        inner = environment.passed_on("sm_75", {"checks": "fast", "autotune": "first"})
        inner.__enter__()
        assert [os.environ.get(name) for name in names] == ["sm_75", "fast", "eager", "first", "64"]
        assert not inner.__exit__(ZeroDivisionError, ZeroDivisionError(), None)
        assert [os.environ.get(name) for name in names] == ["sm_80", "races,proxy", "eager", None, "64"]
    assert [os.environ.get(name) for name in names] == [None, "before", None, None, None]
