"""CPU tensors of PyTorch as arguments, and programs that put theirs on `cuda`; for whoever has PyTorch installed."""

# pyright: basic, reportArgumentType=false, reportMissingImports=false

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import triton
from triton.runtime.jit import reinterpret
from triton.tools.tensor_descriptor import TensorDescriptor

import weft.triton
from tests.tritons import programs

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


@pytest.fixture(autouse=True)
def device() -> Iterator[str]:
    with weft.triton.activate("sm_90a"):
        yield "cuda"


@pytest.mark.parametrize("name", ["float32", "bfloat16", "float16", "int32", "int8", "float64", "bool"])
def test_types(device: str, name: str) -> None:
    x = torch.randn(128, device=device).mul(10).to(getattr(torch, name))
    y = torch.zeros_like(x)
    programs.unmasked[(1,)](x, y, B=128)
    assert torch.equal(x, y)


def test_programs_that_ask_for_a_gpu(device: str) -> None:
    assert torch.cuda.is_available() and torch.cuda.get_device_capability() == (9, 0)
    assert torch.cuda.get_device_properties(0).multi_processor_count == 132
    x = torch.arange(64, device=torch.device("cuda", 0), dtype=torch.float32).to("cuda").cuda()
    assert x.is_cuda and x.device == torch.device("cuda:0") and x.get_device() == 0
    assert not torch.empty(4, device="meta").is_cuda and torch.empty(4, device="meta").device.type == "meta"
    with torch.device("cuda"), torch.cuda.device_of(x):
        assert torch.empty_like(x).device == torch.ones(3, device=x.device).device == torch.ones(3).device == x.device
    active = triton.runtime.driver.active.get_active_torch_device()
    assert torch.rand(4, device=active).device == torch.empty_like(x).device == active
    programs.double[(1,)](x, 64, B=64)
    torch.cuda.synchronize()
    assert x.cpu().tolist() == [2.0 * k for k in range(64)]


def test_its_compiler_takes_the_answers(device: str) -> None:
    """It finds functions by identity, and asserts that none has two names."""
    from torch._dynamo.trace_rules import get_torch_obj_rule_map

    assert torch.cuda.synchronize in get_torch_obj_rule_map()


def test_views_and_bounds(device: str) -> None:
    base = torch.arange(1024.0, device=device)
    programs.unmasked[(1,)](base[256:], base[:256], B=256)
    assert base[:3].tolist() == [256, 257, 258]
    with pytest.raises(RuntimeError, match="of x, which has 4096 bytes"):
        programs.unmasked[(1,)](base[900:], torch.empty(256, device=device), B=256)


def test_reinterpreted(device: str) -> None:
    x = torch.randint(20, 40, (128,), dtype=torch.int8, device=device)
    y = torch.empty(128, dtype=torch.int8, device=device)
    programs.unmasked[(1,)](reinterpret(x, triton.language.float8e5), reinterpret(y, triton.language.float8e5), B=128)
    assert torch.equal(x, y)


def test_addresses_in_a_tensor(device: str) -> None:
    parts = [torch.full((16,), float(k), device=device) for k in range(3)]
    table = torch.tensor([part.data_ptr() for part in parts], device=device)
    out = torch.zeros(3, 16, device=device)
    programs.through_table[(1,)](table, out, 3)
    assert out[:, 5].tolist() == [0, 1, 2]


def test_descriptors(device: str) -> None:
    a, b = torch.randn(64, 64, device=device), torch.zeros(64, 64, device=device)
    programs.copied[(1,)](
        TensorDescriptor.from_tensor(a, [64, 64], padding="nan"), TensorDescriptor.from_tensor(b, [64, 64])
    )
    assert np.array_equal(b.numpy(), 2 * a.numpy())


@pytest.mark.parametrize("place", [0, "cuda", "cuda:0", torch.device("cuda"), torch.device("cuda", 0)])
def test_names_of_the_device(device: str, place: object) -> None:
    made = [torch.zeros(2, device=place), torch.zeros(2).to(place), torch.zeros(2).cuda(place), torch.ones(2).to(place)]
    made += [
        torch.zeros(2).to(place, torch.float16),
        torch.zeros(2).to(device=place),
        torch.zeros(2).new_ones(2, device=place),
    ]
    assert all(one.device == torch.device("cuda:0") for one in made)
    assert made[4].dtype == torch.float16
    assert torch.nn.Linear(2, 3).to(place).weight.is_cuda


@pytest.mark.parametrize("place", [1, "cuda:1", torch.device("cuda", 3)])
def test_there_is_one_device(device: str, place: object) -> None:
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        torch.zeros(2, device=place)


def test_numbers_are_numbers(device: str) -> None:
    """Only `to` and `device=` take them for devices."""
    assert torch.ones(4, device=0).sum(0).item() == 4 and torch.ones(2, 1, device=device).squeeze(1).shape == (2,)
    assert torch.full((2,), 1, device=device).tolist() == [1, 1] and torch.ones(2, 3).unbind(1)[1].tolist() == [1, 1]


def test_default_device(device: str) -> None:
    torch.set_default_device("cuda")
    try:
        assert torch.get_default_device().type == "cuda" and torch.zeros(2).is_cuda
    finally:
        torch.set_default_device(None)
    assert torch.get_default_device().type == "cpu"


def test_random_numbers_of_the_device(device: str) -> None:
    def drawn(**options: object) -> list[float]:
        return torch.rand(3, device=device, **options).tolist()

    torch.cuda.manual_seed(7)
    first = drawn()
    torch.cuda.manual_seed_all(7)
    assert drawn() == first
    state = torch.cuda.get_rng_state()
    second = drawn()
    torch.cuda.set_rng_state(state)
    assert drawn() == second != first
    with torch.random.fork_rng(devices=[0]):
        third = drawn()
    assert drawn() == third
    generator = torch.Generator(device=device)
    assert isinstance(generator, torch.Generator) and isinstance(torch.default_generator, torch.Generator)
    generator.manual_seed(7)
    assert drawn(generator=generator) == first


def test_streams_and_events(device: str) -> None:
    stream, start, end = torch.cuda.Stream(priority=-1), *(torch.cuda.Event(enable_timing=True) for _ in range(2))
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        start.record(stream)
        x = torch.zeros(64, device=device).pin_memory()
        programs.double[(1,)](x, 64, B=64)
        end = stream.record_event(end)
    stream.wait_event(end)
    end.wait()
    assert torch.cuda.stream(stream).stream is stream and [torch.cuda.device(n).idx for n in range(1)] == [0]
    x.record_stream(stream)
    assert stream.query() and end.query() and start.elapsed_time(end) > 0


def test_functions_of_the_device_answer(device: str) -> None:
    """All of `torch.cuda` that need no argument, but what a CUDA build has of its own."""
    own = ("Storage", "CUDAGraph", "MemPool", "handle", "clock_rate", "memory_usage", "memory_used", "utilization")
    own += ("power_draw", "temperature", "fraction", "classproperty")
    for name in dir(torch.cuda):
        function = getattr(torch.cuda, name)
        here = str(getattr(function, "__module__", "")).startswith(("torch.cuda", "weft"))
        if name.startswith("_") or name.endswith(own) or not here or not callable(function):
            continue
        try:
            function()
        except TypeError as error:
            assert "required positional" in str(error), name
    torch.cuda.nvtx.range_push("x")
    torch.cuda.nvtx.range_pop()
    torch.cuda.cudart().cudaProfilerStart()
    assert torch.version.cuda and torch.cuda.FloatTensor([1, 2]).is_cuda
    assert torch.accelerator.current_accelerator() == torch.device("cuda") and torch.accelerator.device_count() == 1


def test_processes(device: str) -> None:
    """`WEFT_TRITON` puts tensors on the device before there is a driver, whatever is imported first."""
    launch = "x = torch.ones(32, device='cuda'); programs.double[(1,)](x, 32, B=32); print(int(x.sum()), x.device)"
    root = Path(__file__).resolve().parents[2]
    paths = [str(root), str(root / "src"), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "WEFT_TRITON": "sm_80"}
    for imports in ("import torch, triton", "import triton, torch"):
        program = f"{imports}\nassert torch.cuda.is_available()\nfrom tests.tritons import programs\n{launch}"
        done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=False)
        assert done.stdout == "64 cuda:0\n", done.stderr


def test_pytorch_is_left_as_it_was() -> None:
    weft.triton.deactivate()
    assert not torch.cuda.is_available()
    with pytest.raises((RuntimeError, AssertionError)):
        torch.zeros(3, device="cuda")
