"""Variables in memory that become values: random structured programs beside Python, and what has to stay in memory."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft
from weft.codegen import compile_module

VARIABLES = 4


class Program:
    """Statements over variables, as MLIR and as Python. A value is a number modulo 2^32."""

    def __init__(self, random: Random) -> None:
        self.random, self.names, self.mlir, self.python = random, 0, list[str](), list[str]()
        self.kinds = [random.choice(["memref<i32>", "memref<1xi32>"]) for _ in range(VARIABLES)]
        for v, kind in enumerate(self.kinds):
            start = random.randrange(9)
            self.mlir.append(f"%x{v} = memref.alloca() : {kind}")
            self.put(v, self.line(f"arith.constant {start} : i32"), str(start), "")
        self.statements("", 3)

    def name(self) -> str:
        self.names += 1
        return f"%t{self.names}"

    def line(self, text: str) -> str:
        name = self.name()
        self.mlir.append(f"{name} = {text}")
        return name

    def at(self, variable: int) -> str:
        return "" if self.kinds[variable] == "memref<i32>" else "%zero"

    def get(self, variable: int) -> str:
        return self.line(f"memref.load %x{variable}[{self.at(variable)}] : {self.kinds[variable]}")

    def put(self, variable: int, value: str, python: str, indent: str) -> None:
        self.mlir.append(f"memref.store {value}, %x{variable}[{self.at(variable)}] : {self.kinds[variable]}")
        self.python.append(f"{indent}x{variable} = ({python}) & 0xFFFFFFFF")

    def expression(self) -> tuple[str, str]:
        a, b = self.random.randrange(VARIABLES), self.random.randrange(VARIABLES)
        op, sign = self.random.choice([("addi", "+"), ("muli", "*"), ("xori", "^"), ("subi", "-")])
        return self.line(f"arith.{op} {self.get(a)}, {self.get(b)} : i32"), f"x{a} {sign} x{b}"

    def condition(self) -> tuple[str, str]:
        value, python = self.expression()
        return self.line(f"arith.cmpi ugt, {value}, %half : i32"), f"(({python}) & 0xFFFFFFFF) > 5"

    def statements(self, indent: str, depth: int) -> None:
        for _ in range(self.random.randrange(1, 4)):
            kinds = [self.branch, self.counted, self.repeated, self.switch] if depth else []
            self.random.choice([self.assign, self.assign, *kinds])(indent, depth - 1)

    def assign(self, indent: str, depth: int) -> None:
        del depth
        value, python = self.expression()
        self.put(self.random.randrange(VARIABLES), value, python, indent)

    def block(self, indent: str, depth: int) -> None:
        self.python.append(f"{indent} pass")
        self.statements(f"{indent} ", depth)

    def branch(self, indent: str, depth: int) -> None:
        value, python = self.condition()
        self.mlir.append(f"scf.if {value} {{")
        self.python.append(f"{indent}if {python}:")
        self.block(indent, depth)
        if self.random.random() < 0.5:
            self.mlir.append("} else {")
            self.python.append(f"{indent}else:")
            self.block(indent, depth)
        self.mlir.append("}")

    def counted(self, indent: str, depth: int) -> None:
        turns = self.random.randrange(4)
        end = self.line(f"arith.constant {turns} : index")
        self.mlir.append(f"scf.for {self.name()} = %zero to {end} step %one {{")
        self.python.append(f"{indent}for _ in range({turns}):")
        self.block(indent, depth)
        self.mlir.append("}")

    def repeated(self, indent: str, depth: int) -> None:
        """At most three turns, and statements on both sides of the condition."""
        count, turns, more = self.name(), self.name(), self.name()
        self.mlir.append(f"scf.while ({count} = %none) : (i32) -> i32 {{")
        counter = f"n{self.names}"
        self.python += [f"{indent}{counter} = 0", f"{indent}while True:"]
        self.block(indent, depth)
        value, python = self.condition()
        self.mlir.append(f"{more} = arith.cmpi ult, {count}, %three : i32")
        both = self.line(f"arith.andi {value}, {more} : i1")
        self.mlir += [f"scf.condition({both}) {count} : i32", "} do {", f"^bb0({turns}: i32):"]
        self.python.append(f"{indent} if not ({python} and {counter} < 3): break")
        self.block(indent, depth)
        self.python.append(f"{indent} {counter} += 1")
        self.mlir += [f"scf.yield {self.line(f'arith.addi {turns}, %unit : i32')} : i32", "}"]

    def switch(self, indent: str, depth: int) -> None:
        value = self.line(f"arith.andi {self.get(0)}, %three : i32")
        index = self.line(f"arith.index_cast {value} : i32 to index")
        self.mlir.append(f"scf.index_switch {index}")
        for case in (0, 2):
            self.mlir.append(f"case {case} {{")
            self.python.append(f"{indent}{'if' if not case else 'elif'} {'s' if case else '(s := x0 & 3)'} == {case}:")
            self.block(indent, depth)
            self.mlir += ["scf.yield", "}"]
        self.mlir.append("default {")
        self.python.append(f"{indent}else:")
        self.block(indent, depth)
        self.mlir += ["scf.yield", "}"]

    def kernel(self, name: str) -> str:
        ends = [
            f"%i{v} = arith.constant {v} : index\n%e{v} = memref.load %x{v}[{self.at(v)}] : {self.kinds[v]}\n"
            f"memref.store %e{v}, %out[%i{v}] : memref<{VARIABLES}xi32>"
            for v in range(VARIABLES)
        ]
        constants = "%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n" + "".join(
            f"%{n} = arith.constant {v} : i32\n" for n, v in (("half", 5), ("none", 0), ("unit", 1), ("three", 3))
        )
        body = "\n".join([*self.mlir, *ends])
        return f"gpu.func @{name}(%out: memref<{VARIABLES}xi32>) kernel {{\n{constants}{body}\ngpu.return }}\n"

    def result(self) -> list[int]:
        held: dict[str, int] = {}
        exec("\n".join(self.python), {}, held)
        return [held[f"x{v}"] for v in range(VARIABLES)]


@pytest.mark.parametrize("seed", range(4))
def test_programs_with_variables(seed: int) -> None:
    random = Random(f"variables {seed}")
    programs = [Program(random) for _ in range(12)]
    text = "gpu.module @m {\n" + "".join(p.kernel(f"k{i}") for i, p in enumerate(programs)) + "}"
    module = compile_module(text, "sm_80")
    assert ".local" not in module.to_ptx()
    for number, program in enumerate(programs):
        out = np.zeros(VARIABLES, np.uint32)
        weft.run(module, f"k{number}", grid=1, block=1, args=[out, out, 0, VARIABLES, 1])
        assert out.tolist() == program.result(), program.kernel("k")


STAYS = {
    "its address is passed on": """
      %c = memref.cast %x : memref<i32> to memref<i32, strided<[], offset: ?>>
      memref.store %v, %c[] : memref<i32, strided<[], offset: ?>>""",
    "another block stores to it": """
      cf.br ^next
    ^next:
      memref.store %v, %x[] : memref<i32>""",
    "a region that is not a loop or a branch stores to it": """
      memref.alloca_scope { memref.store %v, %x[] : memref<i32> }""",
}


@pytest.mark.parametrize("why", STAYS)
def test_what_stays_in_memory(why: str) -> None:
    text = f"""gpu.module @m {{ gpu.func @k(%out: memref<1xi32>) kernel {{
      %zero = arith.constant 0 : index
      %v = arith.constant 7 : i32
      %x = memref.alloca() : memref<i32>
      {STAYS[why]}
      %r = memref.load %x[] : memref<i32>
      memref.store %r, %out[%zero] : memref<1xi32>
      gpu.return }} }}"""
    out = np.zeros(1, np.uint32)
    weft.run(compile_module(text, "sm_80"), "k", grid=1, block=1, args=[out, out, 0, 1, 1])
    assert out.tolist() == [7]


def test_a_variable_of_each_turn() -> None:
    """One inside a loop holds nothing when a turn begins, and keeps nothing for the next."""
    text = """gpu.module @m { gpu.func @k(%out: memref<4xi32>) kernel {
      %zero = arith.constant 0 : index
      %one = arith.constant 1 : index
      %four = arith.constant 4 : index
      scf.for %i = %zero to %four step %one {
        %x = memref.alloca() : memref<i32>
        %n = arith.index_cast %i : index to i32
        %odd = arith.trunci %n : i32 to i1
        memref.store %n, %x[] : memref<i32>
        scf.if %odd {
          %m = arith.muli %n, %n : i32
          memref.store %m, %x[] : memref<i32>
        }
        %r = memref.load %x[] : memref<i32>
        memref.store %r, %out[%i] : memref<4xi32>
      }
      gpu.return } }"""
    module = compile_module(text, "sm_80")
    assert ".local" not in module.to_ptx()
    out = np.zeros(4, np.uint32)
    weft.run(module, "k", grid=1, block=1, args=[out, out, 0, 4, 1])
    assert out.tolist() == [0, 1, 2, 9]
