"""`python -m tests.tile.shipped`: note in `shipped.txt` what each shipped kernel takes, and what its blocks do.

Of each kernel and target: parameters, threads, roles and their registers, bytes of shared memory and columns of tensor
memory, the boxes of tensor maps, the grid for some sizes; and the operations on tiles of one block, as often as they are
written.  Whoever changes how a kernel is cut, or how far it reads ahead, sees here what else that changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from xdsl.dialects.builtin import i32

from weft.dialects.tile.types import BufferType
from weft.tile import Global, Kernel, kernels

KNOWN = Path(__file__).with_name("shipped.txt")
QUIET = ("tile.address", "tile.view", "tile.subview", "tile.alloc", "tile.insert", "tile.extract")
"""Operations that only say where something is."""
UNNAMED = ("divisors", "static_offsets", "operandSegmentSizes")


OTHERS: dict[str, list[dict[str, Any]]] = {
    "attention": [{"head": 128, "causal": True}],
    "attention_backward_kv": [{"head": 128, "causal": True}],
    "attention_backward_kv_tma": [{"head": 64, "causal": True}],
    "attention_backward_q": [{"head": 128, "causal": True}],
    "attention_backward_q_tma": [{"head": 64, "causal": True}],
    "attention_tma": [{"head": 256, "causal": True}, {"head": 64}],
    "block_scaled_gemm": [{"kind": "e2m1x2", "scale": "e4m3"}],
    "block_scaled_gemm_sm100a": [{"kind": "e2m1x2", "scale": "e4m3", "paired": True}],
    "gemm": [{"ahead": 1, "kind": "bf16"}],
    "gemm_tma": [{"block_n": 128}],
    "layer_norm": [{"kind": "f16"}],
    "linear": [{"activation": "gelu"}],
    "linear_tma": [{"activation": "silu"}],
    "packed_attention": [{"causal": True}],
    "packed_attention_tma": [{"head": 256, "causal": True}],
    "scaled_gemm": [{"kind": "e4m3", "result": "f32"}],
    "scaled_gemm_tma": [{"kind": "e4m3", "result": "f32"}],
}
"""Options that make other kernels of them."""


class Case(NamedTuple):
    """A kernel, and what it is made for."""

    name: str
    target: str
    options: dict[str, Any]

    def __str__(self) -> str:
        return " ".join([self.name, *filter(None, [self.target]), *(f"{key}={x}" for key, x in self.options.items())])


def cases() -> list[Case]:
    """Kernels, the targets that they are made for, and options."""
    return [
        Case(name, target, options)
        for name in kernels.__all__
        for target in (("sm_90a", "sm_100a") if "target" in getattr(kernels, name).options else ("",))
        for options in ({}, *OTHERS.get(name, ()))
    ]


def short(type_: Any) -> str:
    """A type; of a tile its space, shape and elements."""
    if not isinstance(type_, BufferType):
        return str(type_)
    return f"{type_.space.data} {'x'.join(map(str, type_.shape))}x{type_.element}"


def told(case: Case) -> str:
    """What a kernel takes and does."""
    return "\n".join(_lines(getattr(kernels, case.name), case))


def _lines(kernel: Kernel, case: Case) -> Iterator[str]:
    to = kernel.specialize(multiples=dict.fromkeys(kernel.sizes, 16), options=kernel.aimed(case.options, case.target))
    built = kernel.build(to)
    yield f"options {', '.join(f'{key} {value}' for key, value in to.options)}"
    for name, each in kernel.parameters.items():
        if isinstance(each, Global):
            yield f"{name}: {kernel.element(each, dict(to.options))} {' x '.join(map(str, each.shape))}"
        else:
            yield f"{name}: {each}"
    yield f"{built.threads} threads"
    yield from (
        f"warps {first} to {first + warps - 1}: {registers or 'all'} registers"
        for first, warps, registers in built.roles
    )
    yield from (f"map of {each.parameter}: box {each.box}, swizzle {each.swizzle}" for each in built.maps)
    if built.tensor_columns:
        yield f"{built.tensor_columns} columns of tensor memory"
    sizes = {size: 96 + 80 * number for number, size in enumerate(kernel.sizes)}
    grid = kernel.grid(None, sizes, dict(to.options))
    yield f"grid {grid or built.blocks(sizes, 132)}"
    counts: Counter[str] = Counter()
    for op in built.module.walk():
        types = [short(value.type) for value in (*op.results, *op.operands) if value.type != i32]
        words = [f"{key} {str(value).strip(chr(34))}" for key, value in op.properties.items() if key not in UNNAMED]
        if op.name == "tile.elementwise":
            function: Any = op.properties["function"]
            counts[f"{function.data} {types[0].removeprefix('local ')}"] += 1
        elif op.name == "tile.alloc" and not types[0].startswith("local"):
            counts[f"alloc {types[0]} {op.results[0].type.layout}"] += 1
        elif op.name.startswith("tile.") and op.name not in QUIET:
            counts[" ".join([op.name.removeprefix("tile."), ", ".join(types), *words])] += 1
        elif op.name.startswith(("nvvm.", "llvm.inline")) and not op.name.startswith("nvvm.read"):
            counts[op.name] += 1
    yield from (f"{count} x {name}".rstrip() for name, count in sorted(counts.items()))


def noted() -> dict[str, str]:
    """What was noted."""
    parts = KNOWN.read_text(encoding="utf-8").split("== ")[1:]
    return {name: text.strip() for name, _, text in (part.partition("\n") for part in parts)}


def main() -> None:
    """Note what they take and do today."""
    parts = [f"== {case}\n{told(case)}\n" for case in cases()]
    KNOWN.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
