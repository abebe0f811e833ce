"""CPU tensors of PyTorch as arguments, and programs that put theirs on `cuda`; for whoever has PyTorch installed."""

# pyright: basic, reportArgumentType=false, reportMissingImports=false

from __future__ import annotations

from collections.abc import Iterator

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


def test_pytorch_is_left_as_it_was() -> None:
    weft.triton.deactivate()
    assert not torch.cuda.is_available()
    with pytest.raises((RuntimeError, AssertionError)):
        torch.zeros(3, device="cuda")
