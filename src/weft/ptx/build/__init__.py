"""Modules by hand: kernels written in Python, instruction by instruction, each checked against the ISA table at once.

    b = ModuleBuilder("sm_80")
    k = b.kernel("scale", {"x": "u64", "a": "f32"})
    x, a = k.param("x"), k.param("a")
    i = k.new.mov("%tid.x", type="u32")
    p = k.new.mad(i, 4, x, mode="wide", type="u32")
    v = k.new.ld(k.at(p), ss="global", type="f32")
    k.st(k.at(p), k.new.mul(v, a, type="f32"), ss="global", type="f32")
    module = b.build()

An opcode is its family's name and its slots by name (`weft isa ld` lists them). A mistake raises BuildError at the line
of Python that makes it, and says which slot or operand is wrong.
"""

from weft.ptx.build.body import BodyBuilder
from weft.ptx.build.module import ModuleBuilder
from weft.ptx.build.operands import Given, at, no

__all__ = ["BodyBuilder", "Given", "ModuleBuilder", "at", "no"]
