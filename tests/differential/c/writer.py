"""Writes random C without undefined behaviour: a kernel, the functions it calls, its structures and tables.

All variables are declared and set where a function begins, so that any statement can go and the rest still means
something.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

INTEGERS = {
    "i8": 8,
    "u8": 8,
    "i16": 16,
    "u16": 16,
    "i32": 32,
    "u32": 32,
    "i64": 64,
    "u64": 64,
    "i128": 128,
    "u128": 128,
}
SCALARS = ("i8", "u8", "i16", "u16", "i32", "i32", "u32", "u32", "i64", "i64", "u64", "u64", "f32", "f32", "f64")
WORDS, RESULTS = 16, 48
"""Words of 64 bits that a thread reads and writes."""
DEEPEST = 3


@dataclass
class Statement:
    """A line, or lines around blocks: `<<0>>` in the text stands for the first block."""

    number: int
    text: str
    blocks: Sequence[list[Statement]] = ()
    kept: bool = False

    def text_of(self, removed: frozenset[int], indent: str) -> str:
        """The C, without what is removed."""
        if self.number in removed:
            return ""
        text = self.text
        for i, block in enumerate(self.blocks):
            text = text.replace(f"<<{i}>>", "{\n" + body(block, removed, indent + "  ") + indent + "}")
        return f"{indent}{text}\n"


def body(statements: Sequence[Statement], removed: frozenset[int], indent: str) -> str:
    """The lines of a block."""
    return "".join(statement.text_of(removed, indent) for statement in statements)


@dataclass
class Function:
    """A function: its head, what it declares, its statements, its end."""

    head: str
    statements: list[Statement] = field(default_factory=list[Statement])
    end: str = ""

    def text(self, removed: frozenset[int]) -> str:
        """The C."""
        return f"{self.head} {{\n{body(self.statements, removed, '  ')}{self.end}}}\n"


@dataclass
class Program:
    """A kernel by name, with all it needs."""

    name: str
    seed: str
    threads: int
    declarations: list[str]
    functions: list[Function]
    portable: bool
    removed: frozenset[int] = frozenset()

    def text(self) -> str:
        """The C, without the header."""
        return "\n".join([*self.declarations, *(function.text(self.removed) for function in self.functions)])

    def numbers(self) -> list[int]:
        """The statements that can go."""
        found: list[int] = []

        def walk(statements: Sequence[Statement]) -> None:
            for statement in statements:
                if not statement.kept:
                    found.append(statement.number)
                for block in statement.blocks:
                    walk(block)

        for function in self.functions:
            walk(function.statements)
        return found


@dataclass
class Struct:
    """A structure: members by name with their type, bits (0 if it is no bit field) and number (0 if it is no array)."""

    name: str
    members: list[tuple[str, str, int, int]]


Families = Sequence[Callable[["Writer"], None]]


class Writer:
    """Writes one program.

    `families` write more kinds of statements, `together` those that all threads execute; `portable` ones CUDA has as well.
    """

    def __init__(self, name: str, seed: str, threads: int, families: Families, together: Families) -> None:
        self.rng = Random(f"c {seed}")
        self.name, self.threads = name, threads
        self.families, self.together = families, together
        self.portable = self.rng.random() < 0.5
        self.count = 0
        self.structs = [self.struct(i) for i in range(self.rng.randint(1, 3))]
        self.tables: list[tuple[str, str, int]] = []
        self.declarations = [self.declared(struct) for struct in self.structs]
        for i in range(self.rng.randint(0, 2)):
            self.table(i)
        self.functions: list[Function] = []
        self.callable: list[tuple[str, list[str], str]] = []
        self.scope: dict[str, str] = {}
        self.arrays: dict[str, tuple[str, int]] = {}
        self.records: dict[str, Struct] = {}
        self.counters: list[str] = []
        self.block: list[Statement] = []
        self.depth = 0
        self.breaks = False
        self.gives = ""

    # -- declarations -----------------------------------------------------------------------------------------------

    def struct(self, number: int) -> Struct:
        members: list[tuple[str, str, int, int]] = []
        for i in range(self.rng.randint(1, 5)):
            kind = self.rng.random()
            if kind < 0.25:
                type_ = self.rng.choice(("i32", "u32", "u64", "i64", "u8"))
                members.append((f"m{i}", type_, self.rng.randint(1, INTEGERS[type_] - 1), 0))
            elif kind < 0.4:
                members.append((f"m{i}", self.rng.choice(SCALARS), 0, self.rng.choice((2, 3, 4))))
            else:
                members.append((f"m{i}", self.rng.choice(SCALARS), 0, 0))
        return Struct(f"{self.name}_s{number}", members)

    def declared(self, struct: Struct) -> str:
        lines = [
            f"  {type_} {name}{f' : {bits}' if bits else ''}{f'[{count}]' if count else ''};"
            for name, type_, bits, count in struct.members
        ]
        packed = "__attribute__((packed)) " if self.rng.random() < 0.15 else ""
        return f"struct {packed}{struct.name} {{\n" + "\n".join(lines) + "\n};"

    def table(self, number: int) -> None:
        type_, size = self.rng.choice(SCALARS), self.rng.choice((2, 4, 8))
        name = f"{self.name}_t{number}"
        values = ", ".join(self.literal(type_) for _ in range(size))
        self.tables.append((name, type_, size))
        self.declarations.append(f"{self.rng.choice(('TABLE', 'CONSTANT'))} {type_} {name}[{size}] = {{{values}}};")

    # -- expressions ------------------------------------------------------------------------------------------------

    def literal(self, type_: str) -> str:
        rng = self.rng
        if type_[0] == "f":
            value = rng.choice((0.0, 1.0, -1.0, 0.5, 3.0, 100.0, -7.25, rng.uniform(-50, 50)))
            text = f"{value!r}{'f' if type_ == 'f32' else ''}"
            return f"({text})" if value < 0 else text
        bits = min(INTEGERS[type_], 64)
        signed = type_[0] == "i"
        edges = [0, 1, 2, 3, 5, 10, (1 << bits - 1) - 1, 1 << bits - 2, 255]
        value = rng.choice(edges) if rng.random() < 0.7 else rng.getrandbits(bits - 1)
        value %= 1 << bits - 1
        if signed and rng.random() < 0.3:
            return f"(-{value}{'LL' if bits > 32 else ''})"
        return f"{value}{('LL' if signed else 'ULL') if bits > 32 else '' if signed else 'u'}"

    def unsigned(self, type_: str) -> str:
        return {64: "u64", 128: "u128"}.get(INTEGERS[type_], "u32")

    def index(self, size: int) -> str:
        """A number below a power of two."""
        return (
            f"({self.expression('u32', 1)} & {size - 1})" if self.rng.random() < 0.7 else str(self.rng.randrange(size))
        )

    def leaves(self, type_: str) -> list[Callable[[], str]]:
        found: list[Callable[[], str]] = [lambda: self.literal(type_)]
        names = [name for name, t in self.scope.items() if t == type_]
        if names:
            found += [lambda: self.rng.choice(names)] * 4
        for name, (t, size) in self.arrays.items():
            if t == type_:
                found.append(lambda name=name, size=size: f"{name}[{self.index(size)}]")
        for name, record in self.records.items():
            for member, t, _, count in record.members:
                if t == type_:
                    found.append(
                        lambda name=name, m=member, n=count: f"{name}.{m}" + (f"[{self.rng.randrange(n)}]" if n else "")
                    )
        for name, t, size in self.tables:
            if t == type_:
                found.append(lambda name=name, size=size: f"{name}[{self.index(size)}]")
        return found

    def expression(self, type_: str, depth: int = 2) -> str:
        """An expression of a type."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.2:
            return rng.choice(self.leaves(type_))()
        kind = rng.random()
        if kind < 0.1:
            return (
                f"({self.test(depth - 1)} ? {self.expression(type_, depth - 1)} : {self.expression(type_, depth - 1)})"
            )
        if kind < 0.25:
            return self.converted(type_, depth)
        if type_[0] == "f":
            return self.float_expression(type_, depth)
        a, b, u = self.expression(type_, depth - 1), self.expression(type_, depth - 1), self.unsigned(type_)
        op = rng.choice(("ADD", "ADD", "SUB", "MUL", "SHL", "SHR", "NEG", "&", "|", "^", "~", "div", "rem", "own"))
        if op == "NEG":
            return f"NEG({type_}, {u}, {a})"
        if op in ("SHL", "SHR"):
            by = str(rng.randrange(INTEGERS[type_])) if rng.random() < 0.6 else self.expression("u32", depth - 1)
            return f"{op}({type_}, {u}, {a}, {by})"
        if op.isupper():
            return f"{op}({type_}, {u}, {a}, {b})"
        if op in ("div", "rem"):
            return f"{op}_{type_}({a}, {b if rng.random() < 0.6 else self.literal(type_)})"
        if op == "~":
            return f"({type_})(~{a})"
        if op == "own":
            return self.own(type_, depth)
        return f"({type_})({a} {op} {b})"

    def own(self, type_: str, depth: int) -> str:
        """What the machine has an instruction for."""
        x, y = self.expression("u32", depth - 1), self.expression("u32", depth - 1)
        text = self.rng.choice(
            (f"POPC({x})", f"POPCLL({self.expression('u64', depth - 1)})", f"CLZ({x})", f"REVERSE({x})",
             f"PRMT({x}, {y}, {self.rng.getrandbits(16) & 0x7777})", f"MULHI({x}, {y})",
             *(f"{name}({x})" for name in ("CTZ", "FFS", "PARITY", "BSWAP", "BSWAP16")), f"ROTATE({x}, {y})",
             f"ABS((i32){x})", f"CTZLL({self.expression('u64', depth - 1)})", f"BSWAPLL({self.expression('u64', depth - 1)})",
             f"CLZLL({self.expression('u64', depth - 1)})", f"REVERSELL({self.expression('u64', depth - 1)})",
             f"ROTATELL({self.expression('u64', depth - 1)}, {y})", f"FUNNEL({x}, {y}, {self.expression('u32', depth - 1)})")
        )  # fmt: skip
        return f"({type_})({text})"

    def float_expression(self, type_: str, depth: int) -> str:
        a, b = self.expression(type_, depth - 1), self.expression(type_, depth - 1)
        op = self.rng.choice(("+", "-", "*", "/", "neg", "fma", "sqrt", "other"))
        if op == "neg":
            return f"(-{a})"
        if op == "fma":
            return f"{'FMAF' if type_ == 'f32' else 'FMA'}({a}, {b}, {self.expression(type_, depth - 1)})"
        if op == "sqrt":
            return f"{'SQRTF' if type_ == 'f32' else 'SQRT'}({a})"
        if op == "other":
            return f"{self.rng.choice(('TRUNCF', 'RINTF') if type_ == 'f32' else ('FABS', 'FLOOR'))}({a})"
        return f"({a} {op} {b})"

    def converted(self, type_: str, depth: int) -> str:
        have = self.rng.choice([t for t in SCALARS if t != type_])
        value = self.expression(have, depth - 1)
        if have[0] == "f" and type_[0] != "f":
            return f"from_{have}_{type_}({value})"
        return f"(({type_}){value})"

    def test(self, depth: int) -> str:
        """A condition."""
        type_ = self.rng.choice((*SCALARS, "i128", "u128"))
        a, b = self.expression(type_, depth - 1), self.expression(type_, depth - 1)
        text = f"({a} {self.rng.choice(('==', '!=', '<', '<=', '>', '>='))} {b})"
        kind = self.rng.random()
        if kind < 0.1 and depth > 0:
            return f"({text} {self.rng.choice(('&&', '||'))} {self.test(depth - 1)})"
        return f"(!{text})" if kind < 0.2 else text

    # -- statements -------------------------------------------------------------------------------------------------

    def put(self, text: str, *blocks: list[Statement], kept: bool = False) -> None:
        self.count += 1
        self.block.append(Statement(self.count, text, blocks, kept))

    def inner(self, count: int) -> list[Statement]:
        """A block of some statements."""
        saved, self.block = self.block, []
        self.depth += 1
        for _ in range(count):
            self.statement()
        self.depth -= 1
        made, self.block = self.block, saved
        return made

    def place(self) -> tuple[str, str]:
        """Something to assign to, and its type."""
        rng = self.rng
        kind = rng.random()
        if kind < 0.2 and self.arrays:
            name, (type_, size) = rng.choice(list(self.arrays.items()))
            return f"{name}[{self.index(size)}]", type_
        if kind < 0.45 and self.records:
            name, record = rng.choice(list(self.records.items()))
            member, type_, _, count = rng.choice(record.members)
            return f"{name}.{member}" + (f"[{rng.randrange(count)}]" if count else ""), type_
        name, type_ = rng.choice(list(self.scope.items()))
        return name, type_

    def statement(self) -> None:
        rng = self.rng
        if rng.random() < 0.4:
            rng.choice(self.families)(self)
            return
        kinds = ["assign"] * 6 + ["call", "pointer", "copy", "loop array", "mix", "indirect", "bytes", "quad"]
        if self.depth < DEEPEST:
            kinds += ["if", "if", "for", "for", "while", "switch", "do"]
        if self.breaks and self.depth:
            kinds.append("break")
        kind = rng.choice(kinds)
        if kind == "assign":
            to, type_ = self.place()
            self.put(f"{to} = {self.expression(type_, 3)};")
        elif kind == "call" and self.callable:
            name, takes, gives = rng.choice(self.callable)
            arguments = ", ".join(self.argument(t) for t in takes)
            if gives.startswith("struct"):
                found = [n for n, record in self.records.items() if f"struct {record.name}" == gives]
                if found:
                    self.put(f"{rng.choice(found)} = {name}({arguments});")
            else:
                names = [n for n, t in self.scope.items() if t == gives]
                if names:
                    self.put(f"{rng.choice(names)} = {name}({arguments});")
        elif kind == "pointer":
            self.through_pointer()
        elif kind == "copy":
            pairs = [(a, b) for a, r in self.records.items() for b, q in self.records.items() if a != b and r is q]
            if pairs:
                self.put("{} = {};".format(*rng.choice(pairs)))
        elif kind == "loop array" and self.arrays:
            name, (type_, size) = rng.choice(list(self.arrays.items()))
            k = self.counter()
            self.put(f"for (i32 {k} = 0; {k} < {size}; {k}++) {name}[{k}] = {self.expression(type_, 2)};")
        elif kind in ("mix", "indirect", "bytes", "quad"):
            self.parcel(kind)
        elif kind == "if":
            other = rng.random() < 0.6
            blocks = [self.inner(rng.randint(1, 3)) for _ in range(2 if other else 1)]
            self.put(f"if {self.condition()} <<0>>" + (" else <<1>>" if other else ""), *blocks)
        elif kind in ("for", "while", "do"):
            self.loop(kind)
        elif kind == "switch":
            cases = rng.sample(range(8), rng.randint(1, 4))
            saved, self.breaks = self.breaks, False
            blocks = [self.inner(rng.randint(1, 2)) for _ in range(len(cases) + 1)]
            self.breaks = saved
            lines = [
                f"case {case}: <<{i}>>" + (" break;" if rng.random() < 0.7 else "") for i, case in enumerate(cases)
            ]
            self.put(f"switch ({self.expression('u32', 2)} & 7) {{ " + " ".join(lines) + f" default: <<{len(cases)}>> }}",
                     *blocks)  # fmt: skip
        elif kind == "break":
            self.put(f"if {self.condition()} {rng.choice(('break', 'continue'))};")

    def parcel(self, kind: str) -> None:
        """A union, a function by pointer, bytes copied at some place, four floats by value; the result is assigned."""
        rng = self.rng
        wanted = ("f32",) if kind == "quad" else tuple(INTEGERS) if kind == "bytes" else ("i32", "u32", "u16", "u64")
        names = [(n, t) for n, t in self.scope.items() if t in wanted]
        if not names:
            return
        (name, type_), k = rng.choice(names), self.counter()
        if kind == "mix":
            part = rng.choice((f"bytes[{self.index(8)}]", f"halves[{self.index(4)}]", f"words[{self.index(2)}]"))
            other = rng.choice((f"bytes[{self.index(8)}]", f"halves[{self.index(4)}]", "word"))
            value, new = self.expression("u64", 1), self.expression("u8", 1)
            self.put(f"{{ union mix {k}; {k}.word = {value}; {k}.{part} = {new}; {name} = ({type_}){k}.{other}; }}")
        elif kind == "indirect":
            chosen = rng.sample(("turned", "folded", "halved"), 3)
            pick = f"{self.test(1)} ? {chosen[0]} : {self.test(1)} ? {chosen[1]} : {chosen[2]}"
            self.put(f"{{ i32 (*{k})(i32) = {pick}; {name} = ({type_}){k}({self.expression('i32', 1)}); }}")
        elif kind == "bytes":
            other, _ = rng.choice([(n, t) for n, t in self.scope.items() if t in INTEGERS])
            places = [
                str(rng.randrange(16)) if rng.random() < 0.5 else f"({self.expression('u32', 1)} & 15)" for _ in "ab"
            ]
            self.put(f"{{ u8 {k}[32]; __builtin_memset({k}, {rng.randrange(256)}, 32); __builtin_memcpy({k} + {places[0]}, &{other}, "
                     f"sizeof {other}); __builtin_memcpy(&{name}, {k} + {places[1]}, sizeof {name}); }}")  # fmt: skip
        else:
            parts = ", ".join(self.expression("f32", 1) for _ in range(4))
            self.put(f"{{ struct quad {k} = {{{parts}}}; {k} = swung({k}, {self.expression('f32', 1)}); "
                     f"{name} = {k}.{rng.choice('xyzw')} - {k}.{rng.choice('xyzw')}; }}")  # fmt: skip

    def condition(self) -> str:
        text = self.test(2)
        return text if text.startswith("(") else f"({text})"

    def counter(self) -> str:
        self.count += 1
        return f"k{self.count}"

    def loop(self, kind: str) -> None:
        rng = self.rng
        k = self.counter()
        saved, self.breaks = self.breaks, True
        limit = str(rng.randint(1, 6)) if rng.random() < 0.6 else f"(i32)({self.expression('u32', 1)} & 7)"
        block = self.inner(rng.randint(1, 3))
        self.breaks = saved
        if kind == "for":
            self.put(f"for (i32 {k} = 0; {k} < {limit}; {k}++) <<0>>", block)
            return
        # `continue` must not skip what ends the loop: the condition counts.
        if kind == "while":
            self.put(f"{{ i32 {k} = 0; while ({k}++ < {rng.randint(1, 6)} && {self.test(1)}) <<0>> }}", block)
        else:
            self.put(f"{{ i32 {k} = 0; do <<0>> while (++{k} < {rng.randint(1, 5)}); }}", block)

    def through_pointer(self) -> None:
        """One of two variables of a type, by its address; an element by a pointer that moves."""
        rng = self.rng
        type_ = rng.choice(list(self.scope.values()))
        names = [n for n, t in self.scope.items() if t == type_]
        arrays = [(n, size) for n, (t, size) in self.arrays.items() if t == type_]
        p = self.counter()
        one = f"&{rng.choice(names)}"
        other = f"{arrays[0][0]} + {self.index(arrays[0][1])}" if arrays else f"&{rng.choice(names)}"
        self.put(f"{{ {type_} *{p} = {self.test(1)} ? {one} : {other}; *{p} = {self.expression(type_, 2)}; }}")

    def argument(self, type_: str) -> str:
        if type_.startswith("struct"):
            found = [n for n, record in self.records.items() if f"struct {record.name}" == type_.rstrip("* ")]
            assert found
            return ("&" if type_.endswith("*") else "") + self.rng.choice(found)
        return self.expression(type_, 2)

    # -- functions --------------------------------------------------------------------------------------------------

    def locals(self, arguments: dict[str, str], values: Sequence[str] = ()) -> None:
        """Variables, arrays and records, each with a value."""
        rng = self.rng
        self.scope, self.arrays, self.records = dict(arguments), {}, {}
        self.block, self.depth, self.breaks = [], 0, False
        for i, value in enumerate(values):
            type_ = rng.choice(SCALARS)
            name = f"x{i}"
            if type_ == "f32":
                value = f"single_of((u32){value})" if rng.random() < 0.5 else f"(f32)(i32)({value} & 1023)"
            elif type_ == "f64":
                value = f"double_of({value})" if rng.random() < 0.5 else f"(f64)(i32)({value} & 1023)"
            else:
                value = f"({type_}){value}"
            self.put(f"{type_} {name} = {value};", kept=True)
            self.scope[name] = type_
        for i in range(rng.randint(1, 4)):
            type_, name = rng.choice((*SCALARS, "i128", "u128")), f"y{i}"
            self.put(f"{type_} {name} = {self.literal(type_)};", kept=True)
            self.scope[name] = type_
        for i in range(rng.randint(0, 2)):
            type_, name, size = rng.choice(SCALARS), f"a{i}", rng.choice((2, 4, 8))
            self.put(f"{type_} {name}[{size}] = {{{', '.join(self.literal(type_) for _ in range(size))}}};", kept=True)
            self.arrays[name] = (type_, size)
        for struct in self.structs:
            for i in range(rng.choice((1, 2))):
                name = f"r{struct.name.rpartition('_')[2]}_{i}"
                self.put(f"struct {struct.name} {name} = {{0}};", kept=True)
                self.records[name] = struct
                for member, type_, _, count in struct.members:
                    for k in range(max(1, count)):
                        to = f"{name}.{member}" + (f"[{k}]" if count else "")
                        self.put(f"{to} = {self.expression(type_, 1)};")

    def function(self, number: int) -> None:
        """A function of scalars and records, the latter by value or by address."""
        rng = self.rng
        kinds = [*SCALARS, *(f"struct {s.name}" for s in self.structs), *(f"struct {s.name} *" for s in self.structs)]
        takes = [rng.choice(kinds) for _ in range(rng.randint(1, 4))]
        gives = rng.choice((*SCALARS, "i128", *(f"struct {s.name}" for s in self.structs)))
        name = f"{self.name}_f{number}"
        self.gives = gives
        recursive = rng.random() < 0.25
        head = ", ".join([*(["u32 depth"] if recursive else []), *(f"{t} p{i}" for i, t in enumerate(takes))])
        scalars = {f"p{i}": t for i, t in enumerate(takes) if not t.startswith("struct")}
        self.locals(scalars)
        for i, t in enumerate(takes):
            if t.startswith("struct"):
                struct = next(s for s in self.structs if s.name == t.split()[1])
                self.records[f"(*p{i})" if t.endswith("*") else f"p{i}"] = struct
        for _ in range(rng.randint(1, 4)):
            self.statement()
        if gives.startswith("struct"):
            result = rng.choice([n for n, r in self.records.items() if f"struct {r.name}" == gives])
        else:
            result = self.expression(gives, 2)
        if recursive:
            arguments = ", ".join(
                ["depth - 1", *(self.argument(t) if not t.endswith("*") else f"p{i}" for i, t in enumerate(takes))]
            )
            self.put(f"if ((depth & 3) != 0) return {name}({arguments});")
        made = Function(f"{rng.choice(('DEVICE', 'DEVICE', 'INLINE') if not recursive else ('DEVICE',))} {gives} {name}({head})",
                        self.block, f"  return {result};\n")  # fmt: skip
        self.functions.append(made)
        self.callable.append((name, [*(["u32"] if recursive else []), *takes], gives))

    def kernel(self) -> None:
        rng = self.rng
        self.gives = ""
        self.locals({"tid": "u32"}, [f"in[tid * {WORDS} + {i}]" for i in range(rng.randint(3, 8))])
        self.block.insert(0, Statement(0, "u32 tid = THREAD;", kept=True))
        del self.scope["tid"]
        for i in range(rng.randint(4, 10)):
            if rng.random() < 0.15:
                self.uniform(i)
            elif rng.random() < 0.15:
                rng.choice(self.together)(self)
            elif rng.random() < 0.08:
                self.row()
            else:
                self.statement()
        self.results()
        self.functions.append(Function(f"KERNEL({self.name})", self.block))

    def uniform(self, number: int) -> None:
        """What all threads do together."""
        rng = self.rng
        to = [n for n, t in self.scope.items() if t in ("i32", "u32")]
        if not to:
            return
        name, kind = rng.choice(to), rng.choice(("shared", "shuffle", "ballot"))
        if kind == "shuffle":
            word = rng.choice(("SHUFFLE", "SHUFFLE_DOWN"))
            self.put(f"{name} = {word}((i32){self.expression('u32', 1)}, {rng.randint(1, 31)});")
        elif kind == "ballot":
            self.put(f"{name} = BALLOT({self.test(1)});")
        else:
            type_ = rng.choice(("u8", "i16", "u32", "u64", "f32", "f64"))
            names = [n for n, t in self.scope.items() if t == type_]
            if not names:
                return
            buffer = f"{self.name}_b{number}"
            self.put(f"SHARED {type_} {buffer}[{self.threads}];", kept=True)
            self.put(f"{buffer}[tid] = {self.expression(type_, 1)};", kept=True)
            self.put("BARRIER;", kept=True)
            self.put(f"{rng.choice(names)} = {buffer}[(tid + {rng.randrange(self.threads)}) & {self.threads - 1}];")
            self.put("BARRIER;", kept=True)

    def row(self) -> None:
        """An atomic on the thread's own results."""
        op = self.rng.choice(("ADD", "MAX", "XOR", "CAS"))
        k = self.counter()
        old = f"u32 {k} = "
        values = ", ".join(self.expression("u32", 1) for _ in range(2 if op == "CAS" else 1))
        self.put(f"{{ {old}ATOMIC_{op}((u32 *)(out + tid * {RESULTS} + {RESULTS - 1}), {values}); "
                 f"out[tid * {RESULTS} + {RESULTS - 2}] ^= {k}; }}")  # fmt: skip

    def results(self) -> None:
        at = 0

        def word(value: str) -> None:
            nonlocal at
            if at < RESULTS - 2:
                self.put(f"out[tid * {RESULTS} + {at}] = {value};")
                at += 1

        def scalar(name: str, type_: str) -> None:
            if type_ == "f32":
                word(f"bits_of_single({name})")
            elif type_ == "f64":
                word(f"bits_of_double({name})")
            else:
                word(f"(u64){name}")
                if INTEGERS[type_] == 128:
                    word(f"(u64)({name} >> 64)")

        for name, type_ in self.scope.items():
            scalar(name, type_)
        for name, (type_, size) in self.arrays.items():
            for k in range(size):
                scalar(f"{name}[{k}]", type_)
        for name, struct in self.records.items():
            for member, type_, _, count in struct.members:
                for k in range(max(1, count)):
                    scalar(f"{name}.{member}" + (f"[{k}]" if count else ""), type_)
