"""Inline PTX: every constraint with every type, as LLVM has it; operands of `nvvm.inline_ptx`; what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled
from weft.errors import CompileError
from weft.sim import run

LETTERS = {"b": 1, "c": 16, "h": 16, "r": 32, "f": 32, "l": 64, "N": 64, "d": 64, "q": 128}
TYPES = {
    "i1": 1, "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "i128": 128, "i24": 24, "i33": 33, "f16": 16, "bf16": 16, "f32": 32, "f64": 64,
    "vector<2xi8>": 16, "vector<2xf16>": 32, "vector<4xi8>": 32, "vector<2xf32>": 64, "vector<4xbf16>": 64,
    "vector<2xi64>": 128, "vector<4xf32>": 128, "vector<8xf16>": 128, "!llvm.ptr": 64, "!llvm.ptr<1>": 64,
}  # fmt: skip
MOVES = {1: "mov.pred $0, $1;", 16: "mov.b16 $0, $1;", 32: "mov.b32 $0, $1;", 64: "mov.b64 $0, $1;",
         128: "mov.b128 $0, $1;"}  # fmt: skip


def moved(letter: str, types: list[str], value: int) -> list[int]:
    """A value of each type through inline PTX that copies a register of the letter's class: the bits that come out."""
    body: list[str] = []
    for i, type_ in enumerate(types):
        bits = TYPES[type_]
        body += [f"%w{i} = llvm.load %in : !llvm.ptr<1> -> i128", f"%n{i} = llvm.trunc %w{i} : i128 to i{bits}"
                 if bits < 128 else f"%n{i} = llvm.or %w{i}, %w{i} : i128"]  # fmt: skip
        cast, back = "bitcast", "bitcast"
        if "ptr" in type_:
            cast, back = "inttoptr", "ptrtoint"
        if type_ == f"i{bits}":
            body.append(f"%v{i} = llvm.or %n{i}, %n{i} : i{bits}")
        else:
            body.append(f"%v{i} = llvm.{cast} %n{i} : i{bits} to {type_}")
        for kind, constraint in (("x", f"={letter},{letter}"), ("y", f"=&{letter},0")):
            text = MOVES[LETTERS[letter]] if kind == "x" else "// $0 $1"
            body.append(
                f'%{kind}{i} = llvm.inline_asm has_side_effects "{text}", "{constraint}" %v{i} : ({type_}) -> {type_}'
            )
            whole = f"%{kind}{i}"
            if type_ != f"i{bits}":
                body.append(f"%{kind}b{i} = llvm.{back} {whole} : {type_} to i{bits}")
                whole = f"%{kind}b{i}"
            if bits < 128:
                body.append(f"%{kind}c{i} = llvm.zext {whole} : i{bits} to i128")
                whole = f"%{kind}c{i}"
            at = 2 * i + (kind == "y")
            body += [f"%{kind}p{i} = llvm.getelementptr %out[{16 * at}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8",
                     f"llvm.store %{whole[1:]}, %{kind}p{i} : i128, !llvm.ptr<1>"]  # fmt: skip
    text = "gpu.module @m { gpu.func @k(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {\n" + "\n".join(body)
    module = compiled(text + "\ngpu.return } }", "sm_90")
    given = np.frombuffer(value.to_bytes(16, "little"), np.uint64).copy()
    out = np.zeros(4 * len(types), np.uint64)
    run(module, "k", 1, 1, [given, out])
    return [int(out[i]) | int(out[i + 1]) << 64 for i in range(0, len(out), 2)]


@pytest.mark.sample(2)
@pytest.mark.parametrize("letter", LETTERS)
def test_letters(letter: str) -> None:
    """The bits that fit into the register come back; a predicate comes back as all ones or zeros."""
    value = 0xFEDCBA98765432100123456789ABCDEF
    found = moved(letter, list(TYPES), value)
    for i, bits in enumerate(TYPES.values()):
        kept = value & (1 << min(bits, LETTERS[letter])) - 1
        if letter == "b":
            kept = (1 << min(bits, 32)) - 1 if value & 1 else 0
        assert found[2 * i : 2 * i + 2] == [kept, kept], list(TYPES)[i]


def kernel(body: str, target: str = "sm_90") -> Any:
    return compiled(
        f"""gpu.module @m {{ gpu.func @k(%out: memref<8xi32>, %a: i32, %b: i32, %f: f32, %p: i1) kernel {{
          {body}
          gpu.return }} }}""",
        target,
    )


def stores(*names: str) -> str:
    lines = [f"%c{i} = arith.constant {i} : index\nmemref.store {name}, %out[%c{i}] : memref<8xi32>"
             for i, name in enumerate(names)]  # fmt: skip
    return "\n".join(lines)


def results(body: str, a: int = 5, b: int = 7, p: bool = True) -> list[int]:
    out = np.zeros(8, np.int32)
    run(kernel(body), "k", 1, 1, [out, out, 0, 8, 1, a, b, 2.0, p])
    return out.tolist()


@pytest.mark.parametrize("form", ["{{${}}}", "${}"])
def test_named_operands(form: str) -> None:
    r0, r1, w0, w1, rw0, rw1 = (form.format(name) for name in ("r0", "r1", "w0", "w1", "rw0", "rw1"))
    body = f"""
    %s = nvvm.inline_ptx "sub.s32 {w0}, {r0}, {r1};" ro(%a, %b : i32, i32) -> i32
    %x, %y = nvvm.inline_ptx "sub.s32 {w1}, {r1}, {r0}; add.s32 {w0}, {r0}, {r1};" ro(%a, %b : i32, i32) -> i32, i32
    """
    assert results(body + stores("%s", "%x", "%y"))[:3] == [-2, 12, 2]
    body = f"""
    %w = nvvm.inline_ptx "add.s32 {w0}, {rw0}, {r0}; mov.b32 {rw1}, {rw0}; mov.b32 {rw0}, 9;"
      ro(%a : i32) rw(%a, %b : i32, i32) -> i32
    """
    assert results(body + stores("%w", "%a", "%b"))[:3] == [10, 9, 5]


def test_a_predicate_holds_for_all_instructions() -> None:
    for text in (
        "add.s32 {$rw0}, {$rw0}, {$r0};",
        "add.s32 {$rw0}, {$rw0}, 2; add.s32 {$rw0}, {$rw0}, 3;",
        "{ .reg .pred q; setp.eq.s32 q, {$r0}, 5; @q add.s32 {$rw0}, {$rw0}, 5; }",
        "@!%p9 add.s32 {$rw0}, {$rw0}, {$r0};".replace("@!%p9", ".reg .pred q; setp.ne.s32 q, 1, 1; @!q"),
    ):
        body = f'nvvm.inline_ptx "{text}" ro(%a : i32) rw(%b : i32), predicate = %p'
        assert results(body + stores("%b"))[0] == 12, text
        assert results(body + stores("%b"), p=False)[0] == 7, text


def test_several_outputs() -> None:
    body = """%r = llvm.inline_asm "mov.b64 {$0, $1}, $2;", "=r,=r,l" %w : (i64) -> !llvm.struct<(i32, i32)>
    %x = llvm.extractvalue %r[0] : !llvm.struct<(i32, i32)>
    %y = llvm.extractvalue %r[1] : !llvm.struct<(i32, i32)>
    """
    wide = "%l = arith.extsi %a : i32 to i64\n%n = arith.constant 4294967301 : i64\n%w = arith.muli %l, %n : i64\n"
    assert results(wide + body + stores("%x", "%y"))[:2] == [25, 5]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('%r = llvm.inline_asm "mov.b32 $0, $1;", "=r,m" %a : (i32) -> i32', "'m' (memory)"),
        ('%r = llvm.inline_asm "mov.b32 $0, $1;", "=r,z" %a : (i32) -> i32', "'z'"),
        ('%r = llvm.inline_asm "mov.b32 $0, $1;", "=n,r" %a : (i32) -> i32', "needs a register"),
        ('%r = llvm.inline_asm "mov.b32 $0, $1;", "=r,n" %a : (i32) -> i32', "must be a constant"),
        ('%r = llvm.inline_asm "mov.b32 $0, $1;", "=r,3" %a : (i32) -> i32', "tied"),
        ('%r = llvm.inline_asm "mov.b32 $0, $2;", "=r,r" %a : (i32) -> i32', "operand $2 does not exist"),
        (
            '%v = llvm.mlir.undef : vector<3xi32> %r = llvm.inline_asm "mov.b32 $0, 1; // $1", "=r,q" %v : (vector<3xi32>) -> i32',
            "vector<3xi32> does not fit a register of inline PTX",
        ),
        (
            '%v = llvm.mlir.undef : vector<16xi1> %r = llvm.inline_asm "mov.b32 $0, 1; // $1", "=r,h" %v : (vector<16xi1>) -> i32',
            "vector<16xi1> does not fit a register of inline PTX",
        ),
        ('%r = llvm.inline_asm "mov.b32 $0, $1;", "=r,r,r" %a : (i32) -> i32', "do not match"),
        ('%r = llvm.inline_asm "add.f64 $0, $1, $1;", "=r,r" %a : (i32) -> i32', "illegal PTX"),
        ('%r = llvm.inline_asm "mov.b32 $0, missing;", "=r,r" %a : (i32) -> i32', "missing"),
        ('%r = llvm.inline_asm "mov.b32 $0, $1; }", "=r,r" %a : (i32) -> i32', "cannot parse"),
        ('%r = nvvm.inline_ptx "mov.b32 {$w0}, {$r1};" ro(%a : i32) -> i32', "operand {$r1} does not exist"),
        ('%r = nvvm.inline_ptx "mov.b32 {$w0}, {$r0}" ro(%a : i32) -> i32', "cannot parse"),
        ('%r = nvvm.inline_ptx "mov.b32 {$w0}, {$x0};" ro(%a : i32) -> i32', ""),
        ('%r = nvvm.inline_ptx "mov.b16 {$w0}, {$r0};" ro(%a : i32) -> i32', "illegal PTX"),
        ('%r = nvvm.inline_ptx "tcgen05.fence::before_thread_sync;" ro(%a : i32) -> i32', "does not exist on sm_90"),
    ],
)
def test_refused_at_the_line(line: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        kernel(f"\n{line}\n" + stores("%r"))
    assert message in caught.value.message
    assert caught.value.position.line == 3
    assert message != "operand $2 does not exist" or caught.value.hint == "the PTX has 2 operands, numbered from $0"
