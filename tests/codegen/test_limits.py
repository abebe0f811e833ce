"""What the attributes of a kernel demand of its launch: the directives that LLVM's NVPTX makes of them, or an error."""

from __future__ import annotations

import itertools

import pytest

import weft
from tests.codegen.oracle import llvm_ptx

ATTRIBUTES = {
    "nvvm.reqntid": ("array<i32: 32>", "array<i32: 8, 4>", "array<i32: 4, 4, 2>"),
    "nvvm.maxntid": ("array<i32: 64>", "array<i32: 16, 2, 2>"),
    "nvvm.minctasm": ("2 : i32", "3 : i64"),
    "nvvm.maxnreg": ("40 : i32",),
    "nvvm.cluster_dim": ("array<i32: 2>", "array<i32: 2, 1, 2>"),
    "nvvm.cluster_max_blocks": ("8 : i32",),
    "nvvm.grid_dependency": ("unit",),
}
PASSED = {
    "nvvm.reqntid": "8,4", "nvvm.maxntid": "64", "nvvm.minctasm": "2", "nvvm.maxnreg": "40", "nvvm.cluster_dim": "2,1",
    "nvvm.maxclusterrank": "4",
}  # fmt: skip
EXCLUSIVE = ({"nvvm.reqntid", "nvvm.maxntid"}, {"nvvm.cluster_dim", "nvvm.cluster_max_blocks"})
"""What ptxas refuses together; LLVM writes both."""


def kernels() -> dict[str, str]:
    """Kernels with one or two of the attributes, as MLIR has them and as clang's come in."""
    found: list[str] = []
    every = [(name, value) for name, values in ATTRIBUTES.items() for value in values]
    for count in (1, 2):
        for chosen in itertools.combinations(every, count):
            names = {name for name, _ in chosen}
            if len(names) == count and names not in EXCLUSIVE:
                found.append(", ".join(f"{name} = {value}" for name, value in chosen))
    found += [f'passthrough = [["{name}", "{value}"]]' for name, value in PASSED.items()]
    found.append('passthrough = [["nvvm.maxntid", "128,2"], ["nvvm.minctasm", "2"], "nvvm.other", ["foo", "bar"]]')
    return {
        f"k{i}": f"llvm.func @k{i}() attributes {{nvvm.kernel, {text}}} {{ llvm.return }}"
        for i, text in enumerate(found)
    }


def directives(text: str) -> dict[str, list[tuple[str, str]]]:
    """The directives of each kernel of a PTX module."""
    return {k.name: [(d.name, d.arguments) for d in k.directives] for k in weft.parse(text).kernels}


def test_every_attribute_is_the_directive_that_llvm_makes_of_it() -> None:
    text = "\n".join(kernels().values())
    theirs = directives(llvm_ptx(text, "sm_90a", "86"))
    assert len(theirs) > 40
    assert directives(weft.compile(text, "sm_90a").to_ptx()) == theirs


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ("nvvm.reqntid = array<i32: 32>, nvvm.maxntid = array<i32: 32>", ".reqntid and .maxntid cannot be"),
        ("nvvm.cluster_dim = array<i32: 2>, nvvm.cluster_max_blocks = 8 : i32", "cannot be combined"),
        ("known_block_size = array<i32: 32, 1, 1>, nvvm.reqntid = array<i32: 64>", "32 x 1 x 1"),
        ("known_block_size = array<i32: 64, 1, 1>, nvvm.maxntid = array<i32: 32>", "less than the known block size"),
        ("known_cluster_size = array<i32: 2, 1, 1>, nvvm.cluster_dim = array<i32: 4>", "cluster size"),
        ("nvvm.minctasm = -1 : i32", "positive"),
        ('passthrough = [["nvvm.maxntid", "a"]]', "takes numbers, not 'a'"),
    ],
)
def test_attributes_that_contradict_each_other_are_refused(attributes: str, message: str) -> None:
    text = f"gpu.module @m {{ gpu.func @k() kernel attributes {{{attributes}}} {{ gpu.return }} }}"
    with pytest.raises(weft.CompileError, match=message):
        weft.compile(text, "sm_90a")


@pytest.mark.parametrize(
    "attributes",
    [
        "known_block_size = array<i32: 32, 1, 1>, nvvm.reqntid = array<i32: 32>",
        "known_block_size = array<i32: 32, 1, 1>, nvvm.maxntid = array<i32: 64>",
    ],
)
def test_attributes_that_agree_are_said_once(attributes: str) -> None:
    text = f"gpu.module @m {{ gpu.func @k() kernel attributes {{{attributes}}} {{ gpu.return }} }}"
    (kernel,) = weft.compile(text, "sm_90a").kernels
    assert [d.name for d in kernel.directives] == ["reqntid"]
