"""Calls, instruction mix, memory traffic, source lines and C++ names of modules."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import weft
from tests.corpus.sources import Source
from weft.isa import decode
from weft.ptx.analysis import call_graph, demangle, demangled, mix, source_map, traffic
from weft.ptx.analysis.calls import CallGraph
from weft.ptx.analysis.memory import access_of
from weft.ptx.analysis.sources import LineIndex

HEAD = ".version 8.6\n.target sm_90a\n.address_size 64\n"
REGISTERS = ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>; .reg .b16 %h<4>; .reg .b128 %q;"


def rows(body: str) -> dict[tuple[str, str], tuple[int, int, int]]:
    module = weft.parse(f"{HEAD}.entry k(.param .u64 a)\n{{\n{REGISTERS}\n.shared .b8 s[64];\n{body}\n}}\n")
    errors = [d for d in weft.verify(module) if d.severity.value == "error"]
    assert not errors, errors[0]
    return {(t.kind, t.way): (t.instructions, t.bytes, t.unsized) for t in traffic(module.kernels[0])}


@pytest.mark.parametrize(
    ("text", "row", "counts"),
    [
        ("ld.param.u64 %rd1, [a];", ("load", "param"), (1, 8, 0)),
        ("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];", ("load", "global"), (1, 16, 0)),
        ("ld.u8 %r1, [%rd1];", ("load", "generic"), (1, 1, 0)),
        ("st.shared::cta.v2.b64 [s], {%rd1, %rd2};", ("store", "shared"), (1, 16, 0)),
        ("st.shared::cluster.b32 [%rd1], %r1;", ("store", "shared::cluster"), (1, 4, 0)),
        ("atom.global.add.u32 %r1, [%rd1], %r2;", ("atomic", "global"), (1, 4, 0)),
        ("atom.global.cas.b64 %rd3, [%rd1], %rd4, %rd5;", ("atomic", "global"), (1, 8, 0)),
        ("red.global.add.u32 [%rd1], %r2;", ("reduction", "global"), (1, 4, 0)),
        ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [s];", ("load", "shared"), (1, 16, 0)),
        ("cp.async.cg.shared.global [s], [%rd1], 16;", ("copy", "global -> shared"), (1, 16, 0)),
        (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], 64, [s];",
            ("copy", "global -> shared::cluster"),
            (1, 64, 0),
        ),
        (
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [s], [%rd1], %r1, [s];",
            ("copy", "global -> shared::cluster"),
            (1, 0, 1),
        ),
        (
            "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [s], [%rd1, {%r1}], [s];",
            ("copy", "global -> shared::cluster"),
            (1, 0, 1),
        ),
        ("mbarrier.init.shared.b64 [s], 1;", ("barrier", "shared"), (1, 0, 0)),
        ("ld.global.u32 %r1, [%rd1];\nld.global.u16 %h1, [%rd1];", ("load", "global"), (2, 6, 0)),
    ],
)
def test_traffic(text: str, row: tuple[str, str], counts: tuple[int, int, int]) -> None:
    assert rows(text) == {row: counts}


@pytest.mark.parametrize("text", ["add.u32", "bar.sync", "call", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"])
def test_no_traffic(text: str) -> None:
    assert access_of(decode(text)) is None


def test_mix() -> None:
    module = weft.parse(f"{HEAD}.entry k()\n{{\n{REGISTERS}\nadd.u32 %r1, %r1, 1;\nadd.f32 %r1, %r1, %r1;\nret;\n}}\n")
    assert mix(module.kernels[0]) == {"add": 2, "ret": 1}


CALLS = f"""{HEAD}
.extern .func outside();
.func leaf() {{ ret; }}
.func odd();
.func even() {{ call odd; call leaf; ret; }}
.func odd() {{ call even; ret; }}
.func self() {{ call self; ret; }}
.entry k() {{
    .reg .b64 %f;
    call leaf;
    call leaf;
    call outside;
    P: .callprototype _ ();
    call %f, P;
    T: .calltargets leaf, odd;
    call %f, T;
    ret;
}}
"""


def test_calls() -> None:
    graph = call_graph(weft.parse(CALLS))
    assert graph.calls["k"] == {"leaf": 3, "outside": 1, "odd": 1}
    assert graph.indirect == {"k": 1}
    assert graph.external == {"outside"}
    assert graph.recursive == {"odd", "even", "self"}
    assert graph.callers["leaf"] == ("even", "k")
    assert graph.reachable("k") == {"k", "leaf", "outside", "odd", "even"}


@pytest.mark.slow
def test_a_long_chain_of_calls_is_no_recursion() -> None:
    count = 3000
    functions = [f".func f{n}();\n.func f{n + 1}() {{ call f{n}; ret; }}" for n in range(count)]
    graph = call_graph(weft.parse(HEAD + "\n".join(functions)))
    assert graph.recursive == frozenset()
    assert len(graph.reachable(f"f{count}")) == count + 1


def test_lines_of_the_text() -> None:
    text = "a\nbc\n\nd"
    index = LineIndex(text)
    assert [index.line(n) for n in range(len(text))] == [text.count("\n", 0, n) + 1 for n in range(len(text))]
    assert LineIndex(None).line(5) == LineIndex(text).line(-1) == 0


def test_source_lines() -> None:
    module = weft.parse(
        f'{HEAD}.file 1 "k.cu"\n.entry k()\n{{\n.reg .b32 %r;\nmov.u32 %r, 1;\n.loc 1 7 3\nmov.u32 %r, 2;\n'
        ".loc 2 9 1\nret;\n}\n"
    )
    places = [str(place) for _, place in source_map(module, module.kernels[0])]
    assert places == ["None", "k.cu:7", "file 2:9"]


@pytest.mark.slow
def test_source_lines_of_nvcc() -> None:
    module = weft.parse(Source("nvcc", "shared_tile", "-lineinfo").ptx())
    for kernel in module.kernels:
        places = [place for _, place in source_map(module, kernel)]
        text = (Path(__file__).parents[1] / "corpus" / "cuda" / "shared_tile.cu").read_text().splitlines()
        own = [place for place in places if place and place.file.endswith("shared_tile.cu")]
        assert own
        assert all(1 <= place.line <= len(text) for place in own)


def test_cxx_names() -> None:
    if demangled._runtime() is None:
        pytest.skip("a C++ runtime is not here")
    assert demangle("_Z4copyPfPKfi") == "copy(float*, float const*, int)"
    assert demangle("_ZZ3fooIfEvPT_iE4tile") == "foo<float>(float*, int)::tile"


def test_cxx_names_without_a_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demangled, "_runtime", lambda: None)
    demangle.cache_clear()
    assert demangle("_Z4copyPfPKfi") == "copy"
    assert demangle("_ZN7cutlass13device_kernelINS_4gemmEEEvv") == "cutlass::device_kernel<...>"
    assert demangle("_ZN12_GLOBAL__N_11fEv") == "(anonymous namespace)::f"
    demangle.cache_clear()


@pytest.mark.parametrize("name", ["copy", "", "_Z", "_ZN", "_Z99f", "_Z99999999999999999999f", "_Z1" + "x" * 60_000])
def test_names_that_are_not_mangled(name: str) -> None:
    assert demangle(name) is None


@pytest.mark.parametrize("seed", range(40))
def test_recursive_functions(seed: int) -> None:
    """Those that are among the functions that their callees reach, in random graphs; also what reaches what."""
    rng = random.Random(seed)
    names = [f"f{n}" for n in range(rng.randrange(1, 9))]
    edges = {(a, b) for a in names for b in names if rng.random() < rng.choice((0.1, 0.25))}
    reach = set(edges)
    while new := {(a, d) for a, b in reach for c, d in edges if b == c} - reach:
        reach |= new
    graph = CallGraph({a: {b: 1 for b in names if (a, b) in edges} for a in names}, {}, frozenset())
    assert graph.recursive == {name for name in names if (name, name) in reach}
    for name in names:
        assert graph.reachable(name) == {name} | {b for a, b in reach if a == name}
