"""Modules built by hand: they are what was meant, they run, and mistakes are found at their line of Python."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location

import numpy as np
import pytest

import weft
from tests.conftest import ROOT
from weft.isa import families
from weft.ptx import Address, Float, Integer, Label, Pragma, Register, Variable
from weft.ptx.build import BodyBuilder, ModuleBuilder, at, no
from weft.ptx.build.families import attributes, family_of
from weft.ptx.emit import KernelLimits
from weft.toolchain import Tool, assemble


def saxpy() -> weft.Module:
    b = ModuleBuilder("sm_80")
    k = b.kernel("saxpy", {"n": "u32", "a": "f32", "x": "u64", "y": "u64"}, limits=KernelLimits(maxntid=(256,)))
    n, a, x, y = map(k.param, "naxy")
    block, size, thread = (k.new.mov(name, type="u32") for name in ("%ctaid.x", "%ntid.x", "%tid.x"))
    i = k.new.mad(block, size, thread, mode="lo", type="s32")
    with k.if_(k.new.setp(i, n, cmp="lt", type="u32")):
        px, py = (k.new.mad(i, 4, p, mode="wide", type="u32") for p in (x, y))
        xi, yi = (k.new.ld(at(p), ss="global", type="f32") for p in (px, py))
        k.st(at(py), k.new.fma(a, xi, yi, rnd="rn", type="f32"), ss="global", type="f32")
    return b.build()


def test_saxpy_runs(ptxas: Tool) -> None:
    module = saxpy()
    assert weft.verify(module) == []
    assert weft.parse(module.to_ptx()) == module
    x, y = np.arange(100, dtype="f4"), np.ones(100, "f4")
    weft.run(module, "saxpy", grid=(4,), block=(32,), args=[90, 2.0, x, y])
    assert (y == np.where(np.arange(100) < 90, 2 * np.arange(100) + 1, 1)).all()
    assert assemble(module)


def test_calls_go_through_parameters(ptxas: Tool) -> None:
    b = ModuleBuilder("sm_75")
    f = b.function("pair", {"a": "f32", "b": "u32"}, {"r": "f64"})
    wide = f.new.cvt(f.param("a"), type="f64", atype="f32")
    f.st(at("r"), f.new.add(wide, f.new.cvt(f.param("b"), rnd="rn", type="f64", atype="u32"), type="f64"), ss="param",
         type="f64")  # fmt: skip
    k = b.kernel("k", {"out": "u64"})
    out = k.param("out")
    (result,) = k.call(f.function, 1.5, 3)
    k.st(at(out), result, ss="global", type="f64")
    module = b.build()
    found = np.zeros(1)
    weft.run(module, "k", grid=1, block=1, args=[found])
    assert found[0] == 4.5
    assert assemble(module)


@pytest.mark.sample(4)
@pytest.mark.parametrize("type_", ["b8", "b16", "f16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"])
def test_parameters_of_every_type_are_passed_on(ptxas: Tool, type_: str) -> None:
    b = ModuleBuilder("sm_90")
    f = b.function("same", {"a": type_}, {"r": type_})
    bits = f"b{int(type_[1:])}"
    f.st(at("r"), f.param("a"), ss="param", type=bits)
    k = b.kernel("k", {"value": type_, "out": "u64"})
    (result,) = k.call(f.function, k.param("value"))
    k.st(at(k.param("out")), result, ss="global", type=bits)
    module = b.build()
    kinds = {"b": "u", "u": "u", "s": "i", "f": "f"}
    found = np.zeros(1, f"{kinds[type_[0]]}{int(type_[1:]) // 8}")
    weft.run(module, "k", grid=1, block=1, args=[found.dtype.type(5), found])
    assert found[0] == 5
    assert assemble(module)


def test_loops_labels_guards_and_shared_memory(ptxas: Tool) -> None:
    b = ModuleBuilder("sm_75")
    k = b.kernel("reduce", {"data": "u64"})
    data, t = k.param("data"), k.new.mov("%tid.x", type="u32")
    values = k.shared("values", "u32", 64, align=16)
    base = k.new.mov(values, type="u32")
    mine = k.new.mad(t, 4, base, mode="lo", type="u32")
    address = k.new.mad(t, 4, data, mode="wide", type="u32")
    k.st(at(mine), k.new.ld(at(address), ss="global", type="u32"), ss="shared", type="u32")
    half = k.reg("u32")
    k.mov(half, 32, type="u32")
    with k.loop() as out:
        k.bar(0, action="sync")
        k.bra(out, guard=k.new.setp(half, 0, cmp="eq", type="u32"))
        with k.when(k.new.setp(t, half, cmp="lt", type="u32")):
            other = k.new.mad(half, 4, mine, mode="lo", type="u32")
            total = k.new.add(k.new.ld(at(mine), ss="shared", type="u32"), k.new.ld(at(other), ss="shared", type="u32"),
                              type="u32")  # fmt: skip
            k.st(at(mine), total, ss="shared", type="u32")
        k.shr(half, half, 1, type="u32")
    first = k.new.setp(t, 0, cmp="ne", type="u32")
    k.st(at(data), k.new.ld(at(values), ss="shared", type="u32"), ss="global", type="u32", guard=no(first))
    module = b.build()
    numbers = np.arange(64, dtype="u4")
    weft.run(module, "reduce", grid=1, block=64, args=[numbers])
    assert numbers[0] == np.arange(64).sum()
    assert assemble(module)


def kernel() -> BodyBuilder:
    k = ModuleBuilder("sm_80").kernel("k", {"p": "u64"})
    k.reg("f32")
    return k


MISTAKES: list[tuple[Callable[[BodyBuilder], object], str, str]] = [
    (lambda k: k.fma("%f0", "%f0", "%f0", "%f0", rnd="rx", type="f32"), "slot 'rnd' of 'fma' cannot be 'rx'", "rn, rz"),
    (lambda k: k.fma("%f0", "%f0", "%f0", "%f0", rnd="rn", type="f23"), "slot 'type' of 'fma'", "did you mean f32"),
    (lambda k: k.fma("%f0", "%f0", "%f0", "%f0", round="rn"), "'fma' has no slot 'round'", "did you mean rnd"),
    (lambda k: k.fma("%f0", "%f0", "%f0", rnd="rn", type="f32"), "takes 4 operands, 3 given", "operands: d, a, b, c"),
    (lambda k: k.add("%f0", "%f0", k.param("p"), type="f32"), "operand b needs .f32", ""),
    (lambda k: k.add("%f0", "%f0", "%f7", type="f32"), "'%f7' is not declared", ""),
    (lambda k: k.ld("%f0", "%f0", type="f32"), "must be an address", ""),
    (lambda k: k.bra("nowhere"), "'nowhere' is not declared", ""),
    (lambda k: k.wgmma_fence(), "sm_90a", ""),
    (lambda k: k.param("q"), "'k' has no parameter 'q'", "p"),
    (lambda k: k.reg("f31"), "unknown type 'f31'", "f32"),
    (lambda k: k.shared("s", "q32", 4), "q32", ""),
    (lambda k: k.place(Label("x")), "label 'x'", ""),
    (lambda k: k.shared("s", "b32", 4) and k.shared("s", "b32", 4), "'s' is already declared", ""),
    (lambda k: k.new.membar(level="gl"), "a destination and", "syntax"),
    (lambda k: k.append(Variable("shared", "b32", "x")), "cannot be appended", "the builder's method"),
    (lambda k: k.mov("%f0", object(), type="f32"), "mov", ""),
]


@pytest.mark.parametrize(("mistake", "message", "hint"), MISTAKES)
def test_mistakes_have_a_line(mistake: Callable[[BodyBuilder], object], message: str, hint: str) -> None:
    with pytest.raises(weft.BuildError) as caught:
        mistake(kernel())
    assert message in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.position.file == __file__
    assert caught.value.position.line == inspect.getsourcelines(mistake)[1]


def test_mistakes_of_modules() -> None:
    with pytest.raises(weft.BuildError, match="sm_31"):
        ModuleBuilder("sm_31")
    with pytest.raises(weft.BuildError, match=r"PTX 6.0 does not support sm_90"):
        ModuleBuilder("sm_90", "6.0")
    b = ModuleBuilder("sm_80")
    k = b.kernel("k")
    with pytest.raises(weft.BuildError, match="differ|twice"):
        b.kernel("k", {"p": "u32"})
    k.bra(k.label("end"))
    with pytest.raises(weft.BuildError, match="'end' is never placed"):
        b.build()
    with pytest.raises(weft.BuildError, match="cannot be combined"):
        b.kernel("l", limits=KernelLimits(maxntid=(1,), reqntid=(1,)))


def test_nothing_is_added_by_a_mistake() -> None:
    b = ModuleBuilder("sm_80")
    k = b.kernel("k")
    k.reg("f32")
    with pytest.raises(weft.BuildError):
        k.add("%f0", "%f0", "%f9", type="f32")
    k.append(Pragma(("nounroll",)))
    assert [str(s) for s in (b.build().kernels[0].body or [])] == [".reg .f32 %f<1>;", '.pragma "nounroll";', "ret;"]


def test_numbers_take_the_operands_type() -> None:
    k = kernel()
    assert k.add("%f0", "%f0", 1, type="f32").operands[2] == Float.f32(1.0)
    assert k.add(k.reg("f64"), 1.5, 2, type="f64").operands[1:] == (Float.f64(1.5), Float.f64(2.0))
    assert k.add(k.reg("s32"), k.reg("s32"), -1, type="s32").operands[2] == Integer(-1)
    assert at("%rd1", 8) == Address(Register("%rd1"), 8)


def test_every_family_has_a_method() -> None:
    for stem in families():
        name = stem.replace("::", "_").replace(".", "_")
        assert family_of(name + ("_" if name in ("and", "or", "not") else "")) == stem
    with pytest.raises(AttributeError, match="did you mean fma"):
        _ = kernel().fmaa


def test_the_stub_has_a_method_for_every_family() -> None:
    """Editors see what the table has."""
    spec = spec_from_file_location("builder_stub", ROOT / "scripts" / "builder_stub.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    classes = {node.name: node for node in ast.parse(module.stub()).body if isinstance(node, ast.ClassDef)}
    for name in ("Statements", "Results"):
        methods = {node.name: node for node in classes[name].body if isinstance(node, ast.FunctionDef)}
        assert methods.keys() == attributes().keys() - {"call"} | {"emit"}
        assert {"guard", "cop"} <= {argument.arg for argument in methods["cp_async"].args.kwonlyargs}
