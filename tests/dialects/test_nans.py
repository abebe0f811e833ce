"""Every NaN of every float type keeps its bits: in text, dense elements, bytes, and in compiled constants."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import numpy as np
import pytest

from tests.codegen.oracle import tool
from tests.codegen.support import compiled
from weft.mlir import parse_mlir, print_mlir
from weft.sim import run

WIDTHS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "tf32": 19, "f8E5M2": 8, "f8E4M3": 8, "f8E4M3FN": 8,
          "f8E5M2FNUZ": 8, "f8E4M3FNUZ": 8, "f8E4M3B11FNUZ": 8, "f8E3M4": 8, "f8E8M0FNU": 8, "f4E2M1FN": 4,
          "f6E2M3FN": 6, "f6E3M2FN": 6}  # fmt: skip
SOME = {
    "f16": (0x7C01, 0xFE01, 0xFFFF, 0x7E00, 0xFE00, 0x7FFF, 0xFC00, 0x7D55),
    "bf16": (0x7FC1, 0xFF81, 0x7F81, 0xFFFF, 0x7FC0, 0xFFC0, 0x7F80),
    "f32": (0x7F800001, 0xFFC00001, 0x7FC00000, 0xFFFFFFFF, 0x7FABCDEF, 0xFF800000),
    "f64": (0x7FF0000000000001, 0xFFF8000000000001, 0xFFFFFFFFFFFFFFFF, 0x7FF8000000000000),
    "tf32": (0x7FFFE, 0x3FE01, 0x3FC01, 0x7FE00),
}


def patterns() -> Iterator[tuple[str, int, str]]:
    """Each type with the bits of numbers: all of the small ones, NaNs and infinities of the others."""
    for name, width in WIDTHS.items():
        for bits in SOME.get(name, range(1 << width)):
            yield name, bits, f"0x{bits:0{-(-width // 4)}X}"


def line(name: str, bits: int, text: str) -> str:
    data = (bits.to_bytes(-(-WIDTHS[name] // 8), "little") * 2).hex().upper()
    return (
        f'"t.op"() {{a = {text} : {name}, d = dense<{text}> : vector<2x{name}>, e = dense<"0x{data}"> : tensor<2x{name}>, '
        f"r = dense<[{text}, {text}]> : tensor<2x{name}>}} : () -> ()"
    )


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.slow)])
def test_text_is_kept_as_mlir_keeps_it(step: int) -> None:
    text = "\n".join(line(*pattern) for pattern in [*patterns()][::step])
    command = [tool("mlir-opt"), "--allow-unregistered-dialect", "-"]
    done = subprocess.run(command, input=text, capture_output=True, check=True, text=True)
    want = [x.strip() for x in done.stdout.splitlines() if "t.op" in x]
    printed = print_mlir(parse_mlir(text, allow_unregistered=True))
    found = [x.strip() for x in printed.splitlines() if "t.op" in x]
    assert found == want


def test_zeros_with_different_signs_are_different_elements() -> None:
    text = '"t.op"() {e = dense<[0.0, -0.0]> : tensor<2xf32>} : () -> ()'
    assert "[0.000000e+00, -0.000000e+00]" in print_mlir(parse_mlir(text, allow_unregistered=True))


def test_constants_are_compiled_with_their_bits() -> None:
    stores: list[str] = []
    want: list[int] = []
    for name, bits, text in patterns():
        if name in ("f16", "bf16", "f32", "f64"):
            width, at = WIDTHS[name], len(want)
            stores.append(
                f"""%c{at} = arith.constant {text} : {name}
                %b{at} = arith.bitcast %c{at} : {name} to i{width}
                {f"%w{at} = arith.extui %b{at} : i{width} to i64" if width < 64 else f"%w{at} = arith.addi %b{at}, %z : i64"}
                %p{at} = arith.constant {at} : index
                memref.store %w{at}, %out[%p{at}] : memref<64xi64>
                %v{at} = arith.constant dense<[{text}, {text}]> : vector<2x{name}>
                %e{at} = vector.extract %v{at}[1] : {name} from vector<2x{name}>
                %f{at} = arith.bitcast %e{at} : {name} to i{width}
                {f"%g{at} = arith.extui %f{at} : i{width} to i64" if width < 64 else f"%g{at} = arith.addi %f{at}, %z : i64"}
                %q{at} = arith.constant {at + 1} : index
                memref.store %g{at}, %out[%q{at}] : memref<64xi64>"""
            )
            want += [bits, bits]
    body = "\n".join(stores)
    module = compiled(
        f"""gpu.module @m {{ gpu.func @k(%out: memref<64xi64>) kernel {{
          %z = arith.constant 0 : i64
          {body}
          gpu.return }} }}""",
        "sm_90",
    )
    out = np.zeros(64, np.uint64)
    run(module, "k", 1, 1, [out, out, 0, 64, 1])
    assert [int(x) for x in out[: len(want)]] == want
