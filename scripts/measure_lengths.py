"""How long weft's code of libdevice's functions is, and nvcc's, in machine instructions: `measure_lengths.py [names]`.

Each kernel applies a function to elements; from its length that of one that only adds the operands is taken away, but
for the sums.  `--record` keeps the lengths in `lengths.json`.  Needs ptxas and nvcc.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import weft  # noqa: E402
from tests.codegen.libdevice_cases import CASES, MLIR, Case  # noqa: E402
from weft.toolchain.find import need, run  # noqa: E402

RECORD = Path(__file__).with_name("lengths.json")
LIMIT = 1.05
FEW = 2
"""So many instructions more are not held against a short function."""
_ADD = {"f": "llvm.fadd", "d": "llvm.fadd", "i": "llvm.add", "l": "llvm.add", "h": "llvm.add"}
_CALL = re.compile(r"(?:%r = )?llvm\.call @\S+\(.*\n(?:llvm\.store %r.*\n?)?")
_CUDA_CALL = re.compile(r"(?:o0\[i\] = )?__nv_\w+\(p.*;")


def _bare_mlir(case: Case) -> str:
    """The kernel with sums of operands in place of the call."""
    lines: list[str] = []
    for j, kind in enumerate(case.outputs):
        same = [f"%x{i}" for i, k in enumerate(case.operands) if k == kind] or [None]
        name, mlir = same[0], MLIR[kind]
        if name is None:
            integer = "i64" if kind in "ld" else "i16" if kind == "h" else "i32"
            lines.append(f"%z{j} = llvm.mlir.constant(0 : {integer}) : {integer}")
            name = f"%z{j}"
            if kind in "fd":
                lines.append(f"%y{j} = llvm.bitcast %z{j} : {integer} to {mlir}")
                name = f"%y{j}"
        for n, other in enumerate(same[1:]):
            lines.append(f"%s{j}_{n} = {_ADD[kind]} {name}, {other} : {mlir}")
            name = f"%s{j}_{n}"
        lines.append(f"llvm.store {name}, %o{j} : {mlir}, !llvm.ptr")
    text = case.mlir()
    found = _CALL.search(text)
    assert found is not None, text
    return text.replace(found[0], "\n".join(lines) + "\n")


def _bare_cuda(case: Case) -> str:
    lines: list[str] = []
    for j, kind in enumerate(case.outputs):
        same = [f"p{i}[i]" for i, k in enumerate(case.operands) if k == kind]
        lines.append(f"o{j}[i] = {' + '.join(same) or '0'};")
    text, count = _CUDA_CALL.subn(" ".join(lines), case.cuda())
    assert count == 1, text
    return text.replace(f"k_{case.name}(", f"b_{case.name}(")


def _additions(case: Case) -> int:
    return sum(max(case.operands.count(kind) - 1, 0) for kind in case.outputs)


def _length(text: str) -> int:
    return weft.disassemble(weft.assemble(weft.compile(text, target="sm_80")))["k"].count


_BARE: dict[tuple[str, str], int] = {}


def ours(name: str) -> int:
    """The length of weft's code."""
    case = CASES[name]
    signature = case.operands, case.outputs
    if signature not in _BARE:
        _BARE[signature] = _length(_bare_mlir(case))
    return _length(case.mlir()) - _BARE[signature] + _additions(case)


def theirs(names: list[str]) -> dict[str, int]:
    """The lengths of nvcc's."""
    firsts: dict[tuple[str, str], str] = {}
    for name in names:
        firsts.setdefault((CASES[name].operands, CASES[name].outputs), name)
    lines = [CASES[name].cuda() for name in names] + [_bare_cuda(CASES[name]) for name in firsts.values()]
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "k.cu"), Path(folder, "k.cubin")
        source.write_text("\n".join(lines))
        run([str(need("nvcc").path), "-arch=sm_80", "-cubin", "-o", str(cubin), str(source)])
        found = weft.disassemble(cubin.read_bytes())
    out: dict[str, int] = {}
    for name in names:
        case = CASES[name]
        bare = found[f"b_{firsts[case.operands, case.outputs]}"].count
        out[name] = found[f"k_{name}"].count - bare + _additions(case)
    return out


def recorded() -> dict[str, list[int]]:
    """[weft's, nvcc's] by the name that libdevice has for a function."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(CASES))
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    names: list[str] = list(given.names)
    peer, rows = theirs(names), recorded()
    for name in names:
        rows[name] = [ours(name), peer[name]]
        a, b = rows[name]
        print(f"{name}: {a}, libdevice {b}{'  LONGER' if a > max(b * LIMIT, b + FEW) else ''}", flush=True)
    if given.record:
        lines = [f"  {json.dumps(key)}: {json.dumps(rows[key])}" for key in sorted(rows)]
        RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
