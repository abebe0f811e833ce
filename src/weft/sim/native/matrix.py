"""Products of matrices in code: one function for each shape and set of types, which a warp's fragments pass through.

Elements become doubles, as in NumPy; a row of D is a vector, to which each column of A adds a row of B.  Reading and
rounding elements are those of `weft.sim.elements`, traced.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.isa.fragments import Fragment, fragment
from weft.ptx.operands import Operand
from weft.sim.elements import decode, finisher
from weft.sim.lanes import WARP
from weft.sim.native.code import Code, NotTraced
from weft.sim.native.traced import Traced
from weft.sim.semantics.mma import place_table
from weft.sim.types import WORDS

if TYPE_CHECKING:
    from weft.sim.native.emit import Emitter
    from weft.sim.site import Site


def multiply(emitter: Emitter, site: Site) -> None:
    """Write a dense product without scales."""
    opcode = site.opcode
    if len(site.operands) > 4 or opcode.get("bitop") or site.machine.mma != "exact":
        raise NotTraced("a product of another kind")
    found = {name: fragment(opcode, name) for name in "abcd"}
    types = {name: opcode.get(f"{name}type") for name in "abcd"}
    if any(one.bits > 32 or one.bits < 8 for one in found.values()):
        raise NotTraced("elements of another size")
    clamp = bool(opcode.get("satfinite"))
    name = "_".join(["mma", opcode.get("shape"), *types.values(), *(["clamp"] if clamp else [])])
    code = emitter.code
    if name not in code.declared:
        code.declare(_function(name, found, types, clamp))
    operands: Sequence[Operand] = site.operands[1:4]
    sources = list(zip("abc", operands, strict=True))
    registers = [(found[one], element) for one, part in sources for element in site.vector(part)]
    for number, (_, element) in enumerate(registers):
        word = _word(emitter, site, element)
        place = code.pure(f"getelementptr i8, ptr %out, i64 {4 * WARP * number}")
        code.line(f"store {word.typed}, ptr {place}, align 64")
    code.line(f"call void @{name}(ptr %out)")
    targets: Operand = site.operands[0]  # pyright: ignore[reportGeneralTypeIssues]
    for number, element in enumerate(site.vector(targets), len(registers)):
        emitter.put(site, "b32", element, emitter.left(WORDS[32], 4 * WARP * number), None)


def _word(emitter: Emitter, site: Site, operand: Operand) -> Traced:
    value: Any = emitter.source(site, "b32", operand)
    return value if isinstance(value, Traced) else emitter.lanes().lift(value, WORDS[32], (WARP,))


def _function(name: str, found: dict[str, Fragment], types: dict[str, str], clamp: bool) -> str:
    """The function: registers of A, B and C lie in memory one after the other, and those of D go after them."""
    code = Code()
    matrices: dict[str, Traced] = {}
    offset = 0
    for one in "abc":
        part = found[one]
        if part.matrices != 1:
            raise NotTraced("several matrices")
        size = part.registers * WARP
        place = code.value(f"getelementptr i32, ptr %out, i64 {offset}")
        words = Traced(code, code.value(f"load <{size} x i32>, ptr {place}, align 64"), WORDS[32], (size,))
        offset += size
        elements = words.view(WORDS[part.bits])[place_table(part).reshape(-1)]
        decoded: Any = decode(elements, types[one])  # pyright: ignore
        matrices[one] = decoded.reshape(part.rows, part.columns)
    rows, depth, columns = found["a"].rows, found["a"].columns, found["b"].columns
    a, b, c = (matrices[one] for one in "abc")
    code.line(f"store {a.typed}, ptr %a, align 64")
    wide = f"<{columns} x double>"
    lines = [b[k].name for k in range(depth)]
    sums: list[str] = []
    for row in range(rows):
        total = "zeroinitializer"
        for k in range(depth):
            at = code.value(f"getelementptr double, ptr %a, i64 {row * depth + k}")
            first = code.value(f"insertelement {wide} poison, double {code.value(f'load double, ptr {at}')}, i64 0")
            each = code.value(f"shufflevector {wide} {first}, {wide} poison, <{columns} x i32> zeroinitializer")
            arguments = f"{wide} {each}, {wide} {lines[k]}, {wide} {total}"
            total = code.value(f"call {wide} @llvm.fma.v{columns}f64({arguments})")
        more = c[row]
        sums.append(code.value(f"fadd {wide} {total}, {more.name}"))
    stack: Any = np.stack
    exact = stack([Traced(code, one, np.dtype(np.float64), (columns,)) for one in sums])
    finished: Any = finisher(types["d"], clamp)(exact.reshape(rows * columns))
    order = np.argsort(place_table(found["d"]).reshape(-1))
    stored = finished[order].view(WORDS[32])
    place = code.value(f"getelementptr i32, ptr %out, i64 {offset}")
    code.line(f"store {stored.typed}, ptr {place}, align 64")
    if code.loops:
        raise NotTraced("a product that needs NumPy")
    body = "\n".join(code.lines)
    return f"""define internal void @{name}(ptr %out) noinline #0 {{
  %a = alloca {a.type}, align 64
{body}
  ret void
}}"""
