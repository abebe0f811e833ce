"""Variables in memory that become values: random structured programs beside Python, and what has to stay in memory."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft
from tests.effort import draws
from weft import transforms
from weft.codegen import compile_module

VARIABLES = 4


class Program:
    """Statements over variables, as MLIR and as Python. A value is a number modulo 2^32."""

    def __init__(self, random: Random, *, affine_loops: bool) -> None:
        self.random, self.names, self.mlir, self.python = random, 0, list[str](), list[str]()
        self.affine_loops = affine_loops
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
        if self.affine_loops and self.random.random() < 0.5:
            return self.affine(indent, depth, turns)
        end = self.line(f"arith.constant {turns} : index")
        self.mlir.append(f"scf.for {self.name()} = %zero to {end} step %one {{")
        self.python.append(f"{indent}for _ in range({turns}):")
        self.block(indent, depth)
        self.mlir.append("}")

    def affine(self, indent: str, depth: int, turns: int) -> None:
        """A loop, and a branch in it that some of its turns take."""
        turn, first = self.name(), self.random.randrange(3)
        number = f"i{self.names}"
        self.mlir.append(f"affine.for {turn} = 0 to {turns} {{")
        self.python.append(f"{indent}for {number} in range({turns}):")
        self.block(indent, depth)
        self.mlir.append(f"affine.if affine_set<(d0) : (d0 - {first} >= 0)>({turn}) {{")
        self.python.append(f"{indent} if {number} >= {first}:")
        self.block(f"{indent} ", depth)
        self.mlir += ["}", "}"]

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


@pytest.mark.sample(5)
@pytest.mark.parametrize("passes", ["", "convert-scf-to-cf"])
@pytest.mark.parametrize("seed", range(4))
def test_programs_with_variables(seed: int, passes: str) -> None:
    """As structured operations, and as blocks."""
    random = Random(f"variables {seed}")
    programs = [Program(random, affine_loops=not passes) for _ in range(draws(2, 12))]
    text = "gpu.module @m {\n" + "".join(p.kernel(f"k{i}") for i, p in enumerate(programs)) + "}"
    text = transforms.run(text, passes)
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


TYPES = {"i32": 32, "i16": 16, "i64": 64, "f32": 32, "!llvm.ptr": 64}
"""The types of accesses, by their bits; what is not an `i64` is converted to one and back."""
_TO_WORD = {
    "i32": "llvm.zext {} : i32 to i64", "i16": "llvm.zext {} : i16 to i64", "!llvm.ptr": "llvm.ptrtoint {} : !llvm.ptr to i64",
}  # fmt: skip
_FROM_WORD = {
    "i32": "llvm.trunc {} : i64 to i32", "i16": "llvm.trunc {} : i64 to i16", "!llvm.ptr": "llvm.inttoptr {} : i64 to !llvm.ptr",
}  # fmt: skip


class Jumps:
    """Blocks that jump about over parts of memory that pointers name, as MLIR and as a simulation in Python."""

    def __init__(self, random: Random) -> None:
        self.random, self.names = random, 0
        self.bits = [random.choice([16, 32, 64]) for _ in range(VARIABLES)]
        fields = ", ".join(f"i{bits}" for bits in self.bits)
        self.struct = f"!llvm.struct<({fields})>"
        self.blocks = [self._block(number) for number in range(random.randrange(3, 9))]

    def name(self) -> str:
        self.names += 1
        return f"%t{self.names}"

    def _field(self, lines: list[str], variable: int) -> str:
        pointer = self.name()
        base = "%generic" if self.random.random() < 0.3 else "%x"
        lines.append(f"{pointer} = llvm.getelementptr {base}[0, {variable}] : (!llvm.ptr) -> !llvm.ptr, {self.struct}")
        return pointer

    def _type(self, bits: int) -> str:
        return self.random.choice([name for name, width in TYPES.items() if width == bits])

    def _get(self, lines: list[str], variable: int) -> str:
        type_, pointer = self._type(self.bits[variable]), self._field(lines, variable)
        value, word = self.name(), self.name()
        lines.append(f"{value} = llvm.load {pointer} : !llvm.ptr -> {type_}")
        if type_ == "f32":
            lines.append(f"{word}i = llvm.bitcast {value} : f32 to i32")
            value, type_ = f"{word}i", "i32"
        lines.append(f"{word} = " + _TO_WORD.get(type_, "llvm.add {}, %none : i64").format(value))
        return word

    def _put(self, lines: list[str], variable: int, word: str) -> None:
        type_ = self._type(self.bits[variable])
        value, pointer = self.name(), self._field(lines, variable)
        narrow = "i32" if type_ == "f32" else type_
        lines.append(f"{value} = " + _FROM_WORD.get(narrow, "llvm.add {}, %none : i64").format(word))
        if type_ == "f32":
            lines.append(f"{value}f = llvm.bitcast {value} : i32 to f32")
            value = f"{value}f"
        lines.append(f"llvm.store {value}, {pointer} : {type_}, !llvm.ptr")

    def _block(self, number: int) -> tuple[list[str], list[tuple[int, int, int, str]], int]:
        """Lines, assignments (to, a, b, operation), and the variable whose lowest bits say where it goes."""
        del number
        lines: list[str] = []
        assignments: list[tuple[int, int, int, str]] = []
        for _ in range(self.random.randrange(4)):
            to, a, b = (self.random.randrange(VARIABLES) for _ in range(3))
            op = self.random.choice(["add", "mul", "xor"])
            result = self.name()
            x, y = self._get(lines, a), self._get(lines, b)
            lines.append(f"{result} = llvm.{op} {x}, {y} : i64")
            self._put(lines, to, result)
            assignments.append((to, a, b, op))
        return lines, assignments, self.random.randrange(VARIABLES)

    def _ending(self, number: int, ways: list[int], flag: int) -> str:
        lines: list[str] = []
        if len(ways) == 1:
            return f"llvm.br ^b{ways[0]}"
        word, test = self._get(lines, flag), self.name()
        if len(ways) == 2:
            lines += [f"{test} = llvm.trunc {word} : i64 to i1", f"llvm.cond_br {test}, ^b{ways[1]}, ^b{ways[0]}"]
        else:
            lines += [f"{test} = llvm.and %three, {word} : i64"]
            cases = ", ".join(f"{case}: ^b{way}" for case, way in enumerate(ways[1:], 1))
            lines.append(f"llvm.switch {test} : i64, ^b{ways[0]} [ {cases} ]")
        return "\n".join(lines)

    def kernel(self, name: str) -> tuple[str, list[int]]:
        """The kernel, which counts its jumps to stop in time, and what it leaves."""
        starts = [self.random.randrange(1 << 16) for _ in self.bits]
        ways = [self.random.choices(range(len(self.blocks)), k=self.random.choice([1, 2, 2, 4])) for _ in self.blocks]
        lines = ["%t = llvm.alloca %one x i64 : (i32) -> !llvm.ptr"]
        lines += [f"%x = llvm.alloca %one x {self.struct} : (i32) -> !llvm.ptr<5>".replace("%x", "%local")]
        lines += ["%x = llvm.addrspacecast %local : !llvm.ptr<5> to !llvm.ptr"]
        lines += ["%generic = llvm.getelementptr %x[0] : (!llvm.ptr) -> !llvm.ptr, i8"]
        lines += ["llvm.store %twelve, %t : i64, !llvm.ptr"]
        for variable, start in enumerate(starts):
            number = self.name()
            lines.append(f"{number} = llvm.mlir.constant({start} : i64) : i64")
            self._put(lines, variable, number)
        lines.append("llvm.br ^b0")
        for number, (body, _, flag) in enumerate(self.blocks):
            left, fewer, done = self.name(), self.name(), self.name()
            lines += [f"^b{number}:", f"{left} = llvm.load %t : !llvm.ptr -> i64"]
            lines += [f"{fewer} = llvm.sub {left}, %unit : i64", f"llvm.store {fewer}, %t : i64, !llvm.ptr"]
            lines += [f'{done} = llvm.icmp "eq" {left}, %none : i64', f"llvm.cond_br {done}, ^end, ^c{number}"]
            lines += [f"^c{number}:", *body, self._ending(number, ways[number], flag)]
        lines.append("^end:")
        for variable in range(VARIABLES):
            place = self.name()
            word = self._get(lines, variable)
            lines.append(f"{place} = llvm.getelementptr %out[{variable}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i64")
            lines.append(f"llvm.store {word}, {place} : i64, !llvm.ptr<1>")
        constants = "%one = llvm.mlir.constant(1 : i32) : i32\n" + "".join(
            f"%{n} = llvm.mlir.constant({v} : i64) : i64\n"
            for n, v in (("none", 0), ("unit", 1), ("three", 3), ("twelve", 12))
        )
        head = f"llvm.func @{name}(%out: !llvm.ptr<1>) attributes {{gpu.kernel, nvvm.kernel}} {{\n{constants}"
        return head + "\n".join(lines) + "\nllvm.return }\n", self._run(starts, ways)

    def _run(self, starts: list[int], ways: list[list[int]]) -> list[int]:
        held, at = list(starts), 0
        for _ in range(12):
            _, assignments, flag = self.blocks[at]
            for to, a, b, op in assignments:
                value = held[a] + held[b] if op == "add" else held[a] * held[b] if op == "mul" else held[a] ^ held[b]
                held[to] = value & (1 << self.bits[to]) - 1
            some = ways[at]
            at = some[0 if len(some) == 1 else held[flag] & len(some) - 1]
        return held


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_jumps_over_parts_of_memory(seed: int) -> None:
    random = Random(f"jumps {seed}")
    made = [Jumps(random).kernel(f"k{number}") for number in range(12)]
    module = compile_module("".join(text for text, _ in made), "sm_80")
    assert ".local" not in module.to_ptx()
    for number, (text, expected) in enumerate(made):
        out = np.zeros(VARIABLES, np.uint64)
        weft.run(module, f"k{number}", grid=1, block=1, args=[out])
        assert out.tolist() == expected, text
