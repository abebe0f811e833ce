"""All that `weft inspect` tells of a module with some of everything, as JSON and as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command import weft
from weft.isa.target import TARGETS

PTX = """\
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .f32 table[8];
.const .u64 where;
.extern .shared .align 16 .b8 dynamic[];
.file 1 "k.cu"
.extern .func elsewhere(.param .b32 x);
.func (.param .b32 r) again(.param .b32 n)
{
.reg .b32 %a;
{ .param .b32 x; .param .b32 y; st.param.b32 [x], 1; call (y), again, (x); ld.param.b32 %a, [y]; }
{ .param .b32 x; st.param.b32 [x], 1; call elsewhere, (x); }
st.param.b32 [r], %a;
ret;
}
.visible .entry k(.param .u64 .ptr .global .align 16 out, .param .align 8 .b8 pair[16])
.maxntid 128
.minnctapersm 2
{
.reg .pred %p<2>;
.reg .v4 .f32 %v<2>;
.reg .b32 %r<4>, n;
.reg .b64 %rd<3>;
.shared .align 4 .b8 sh[12];
.shared .v2 .f32 more<3>;
.local .u16 lo[2][3];
.loc 1 5 2
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mov.u32 n, 0;
LOOP:
add.u32 n, n, 1;
ld.shared.u32 %r2, [sh];
.loc 1 9 1
st.global.v4.f32 [%rd1], %v1;
atom.global.add.u32 %r3, [%rd1], 1;
setp.lt.u32 %p1, n, %r1;
@%p1 bra LOOP;
bra.uni END;
trap;
END:
ret;
}
"""
NOTHING: dict[str, Any] = {
    "demangled": "", "kernel": False, "linkage": "", "defined": True, "returns": [], "directives": [], "registers": {},
    "shared_bytes": 0, "local_bytes": 0, "const_bytes": 0, "instructions": 0, "labels": 0, "blocks": 0, "loops": 0, "mix": {},
    "traffic": [], "pressure": {"registers": 0, "predicates": 0, "line": 0, "source": ""}, "calls": {}, "indirect_calls": 0,
    "sources": {},
}  # fmt: skip


def moved(kind: str, space: str, instructions: int, size: int) -> dict[str, Any]:
    return {"kind": kind, "space": space, "source": "", "instructions": instructions, "bytes": size, "unsized": 0}


FUNCTIONS = [
    {**NOTHING, "name": "elsewhere", "linkage": "extern", "defined": False, "line": 8, "parameters": ["x: b32"]},
    {
        **NOTHING, "name": "again", "line": 9, "parameters": ["n: b32"], "returns": ["r: b32"], "registers": {"b32": 1},
        "instructions": 7, "blocks": 1, "mix": {"st": 3, "call": 2, "ld": 1, "ret": 1},
        "traffic": [moved("store", "param", 3, 12), moved("load", "param", 1, 4)],
        "pressure": {"registers": 1, "predicates": 0, "line": 12, "source": ""}, "calls": {"again": 1, "elsewhere": 1},
    },
    {
        **NOTHING, "name": "k", "kernel": True, "linkage": "visible", "line": 17,
        "parameters": ["out: u64", "pair[16]: align 8 b8"], "directives": [".maxntid 128", ".minnctapersm 2"],
        "registers": {"pred": 2, "f32": 8, "b32": 5, "b64": 3}, "shared_bytes": 36, "local_bytes": 12, "instructions": 12,
        "labels": 2, "blocks": 5, "loops": 1,
        "mix": {"ld": 2, "mov": 2, "bra": 2, "add": 1, "st": 1, "atom": 1, "setp": 1, "trap": 1, "ret": 1},
        "traffic": [
            moved("load", "param", 1, 8), moved("load", "shared", 1, 4), moved("store", "global", 1, 16),
            moved("atomic", "global", 1, 4),
        ],
        "pressure": {"registers": 9, "predicates": 1, "line": 34, "source": "k.cu:5"}, "sources": {"k.cu": [5, 9]},
    },
]  # fmt: skip
MODULE = {
    "schema": 1, "file": "k.ptx", "version": "8.0", "target": "sm_80", "address_size": 64, "least_version": "2.2",
    "runs_on": [name for name, target in TARGETS.items() if target.number >= 20], "functions": FUNCTIONS,
    "variables": ["global table[8]: align 4 f32", "const where: u64", "shared dynamic[]: align 16 b8"], "unknown": [],
    "recursive": ["again"], "external": ["elsewhere"],
}  # fmt: skip
BLOCKS = [
    {"index": 0, "labels": [], "line": 29, "instructions": 3, "reached": True},
    {"index": 1, "labels": ["LOOP"], "line": 33, "instructions": 6, "reached": True},
    {"index": 2, "labels": [], "line": 40, "instructions": 1, "reached": True},
    {"index": 3, "labels": [], "line": 41, "instructions": 1, "reached": False},
    {"index": 4, "labels": ["END"], "line": 43, "instructions": 1, "reached": True},
]
GRAPH = {
    "function": "k", "blocks": BLOCKS, "loops": [{"header": 1, "back": [1]}], "irreducible": False,
    "edges": [
        {"from": 0, "to": 1, "kind": "next"}, {"from": 1, "to": 1, "kind": "taken"}, {"from": 1, "to": 2, "kind": "next"},
        {"from": 2, "to": 4, "kind": "jump"},
    ],
}  # fmt: skip
TEXT = """\
k.ptx: PTX 8.0 for sm_80
needs PTX 2.2 or newer and sm_20 or later
variables: global table[8]: align 4 f32; const where: u64; shared dynamic[]:
align 16 b8
called, defined elsewhere: elsewhere
may call themselves: again

function elsewhere (declared only)
  parameters    x: b32

function again
  parameters      n: b32
  returns         r: b32
  registers       1 b32
  live at once    1 32-bit register at line 12
  instructions    7 instructions, 1 basic block
  mix             st 3, call 2, ld 1, ret 1
  traffic         3 store param: 12 bytes per thread
                  1 load param: 4 bytes per thread
  calls           again 1, elsewhere 1

kernel k
  source           k.cu:5-9
  parameters       out: u64, pair[16]: align 8 b8
  directives       .maxntid 128, .minnctapersm 2
  registers        2 pred, 8 f32, 5 b32, 3 b64
  live at once     9 32-bit registers at line 34 (k.cu:5), 1 predicate
  shared memory    36 bytes
  local memory     12 bytes
  instructions     12 instructions, 5 basic blocks, 1 loop
  mix              ld 2, mov 2, bra 2, add 1, st 1, atom 1, setp 1, trap 1, ret
                   1
  traffic          1 load param: 8 bytes per thread
                   1 load shared: 4 bytes per thread
                   1 store global: 16 bytes per thread
                   1 atomic global: 4 bytes per thread
"""
CALLS = """\
again (may call itself)
  again: 1
  elsewhere: 1, defined elsewhere
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "k.ptx").write_text(PTX)


def said(*arguments: str) -> str:
    done = weft("inspect", "k.ptx", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_module_as_json() -> None:
    assert json.loads(said("--json")) == MODULE
    assert json.loads(said("--json", "-k", "again")) == {**MODULE, "functions": FUNCTIONS[1:2]}


def test_the_graph_as_json() -> None:
    found = json.loads(said("--json", "--cfg", "-k", "k"))
    assert found == {"schema": 1, "file": "k.ptx", "graphs": [GRAPH]}


def test_the_module_as_text() -> None:
    assert [line.rstrip() for line in said().strip().splitlines()] == TEXT.strip().splitlines()
    assert said("--calls") == CALLS
