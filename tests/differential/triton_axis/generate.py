"""Random Triton kernels: tensors of one and two dimensions loaded, computed with, reduced, reordered, stored."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

INTEGERS = ("int8", "int16", "int32", "int64")
FLOATS = ("float16", "float32", "float32", "bfloat16", "float64")
SHORT = {"int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64", "float16": "fp16", "float32": "fp32",
         "bfloat16": "bf16", "float64": "fp64"}  # fmt: skip
OUTPUTS = 8


@dataclass(frozen=True)
class Program:
    """A kernel's source; the types of what it reads; its block's elements, warps and CTAs."""

    name: str
    seed: str
    source: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    block: int
    warps: int
    grid: int


class Writer:
    """Writes one kernel: values in scope are (name, dtype, shape)."""

    def __init__(self, name: str, seed: str) -> None:
        self.rng = Random(f"triton {seed}")
        self.name, self.seed = name, seed
        self.block = self.rng.choice((32, 64, 128, 256, 512))
        self.lines: list[str] = []
        self.scope: list[tuple[str, str, tuple[int, ...]]] = []
        self.count = 0
        self.indent = "    "

    def put(self, text: str, dtype: str, shape: tuple[int, ...]) -> str:
        self.count += 1
        name = f"v{self.count}"
        self.lines.append(f"{self.indent}{name} = {text}")
        self.scope.append((name, dtype, shape))
        return name

    def any(self, kinds: tuple[str, ...], shape: tuple[int, ...] | None = None) -> tuple[str, str, tuple[int, ...]]:
        """A value of some type; converted if there is none."""
        found = [v for v in self.scope if v[1] in kinds and (shape is None or v[2] == shape)]
        if found:
            return self.rng.choice(found)
        wanted = shape or (self.block,)
        name, dtype, _ = self.rng.choice(
            [v for v in self.scope if v[2] == wanted] or [v for v in self.scope if v[2] == (self.block,)]
        )
        kind = self.rng.choice(kinds)
        if kind in INTEGERS and dtype in FLOATS:
            name = f"tl.where(tl.abs({name}.to(tl.float32)) < 100.0, {name}.to(tl.float32), 1.0)"
        made = self.put(f"({name}).to(tl.{kind})", kind, (self.block,))
        if wanted != (self.block,):
            made = self.put(f"tl.reshape({made}, {wanted[0]}, {wanted[1]})", kind, wanted)
        return made, kind, wanted

    def step(self) -> None:
        rng = self.rng
        kind = rng.choice(("int", "int", "float", "float", "cast", "compare", "reduce", "scan", "shape", "where", "math",
                           "divide", "gather", "loop", "dot", "atomic", "branch", "join"))  # fmt: skip
        if kind == "int":
            x, t, s = self.any(INTEGERS)
            y, _, _ = self.any((t,), s)
            op = rng.choice(("+", "-", "*", "&", "|", "^"))
            self.put(f"{x} {op} {y}", t, s)
        elif kind == "divide":
            x, t, s = self.any(("int32", "int64"))
            y, _, _ = self.any((t,), s)
            op = rng.choice(("//", "%", ">>", "<<"))
            self.put(f"{x} {op} ({y} & 15)" if op in ("<<", ">>") else f"{x} {op} (({y} & 1023) + 1)", t, s)
        elif kind == "float":
            x, t, s = self.any(FLOATS)
            y, _, _ = self.any((t,), s)
            self.put(f"{x} {rng.choice('+-*')} {y}", t, s)
        elif kind == "math":
            x, t, s = self.any(("float32",))
            op = rng.choice(("tl.exp({})", "tl.abs({})", "tl.sqrt(tl.abs({}))", "tl.floor({})", "tl.maximum({}, 0.5)",
                             "tl.minimum({}, 2.5)", "tl.fma({0}, {0}, {0})", "{} / 3.0", "tl.exp2({})", "tl.sin({})",
                             "tl.log(tl.abs({}) + 1.0)", "tl.rsqrt(tl.abs({}) + 1.0)", "tl.sigmoid({})", "tl.ceil({})",
                             "tl.clamp({}, -1.0, 1.0)", "tl.erf({})", "tl.div_rn({}, 7.0)", "tl.cos({})"))  # fmt: skip
            self.put(op.format(x), t, s)
        elif kind == "cast":
            x, t, s = self.any((*INTEGERS, *FLOATS))
            to = rng.choice((*INTEGERS, *FLOATS))
            if t in FLOATS and to in INTEGERS:
                x = f"tl.where(tl.abs({x}.to(tl.float32)) < 100.0, {x}.to(tl.float32), 1.0)"
            self.put(f"({x}).to(tl.{to})", to, s)
        elif kind in ("compare", "where"):
            x, t, s = self.any((*INTEGERS, *FLOATS))
            y, _, _ = self.any((t,), s)
            self.put(f"tl.where({x} {rng.choice(('<', '<=', '==', '!=', '>', '>='))} {y}, {x}, {y})", t, s)
        elif kind == "reduce":
            x, t, s = self.any((*INTEGERS, "float32"))
            axis = rng.randrange(len(s))
            op = rng.choice(("max", "min") if t in FLOATS else ("sum", "max", "min", "xor_sum", "argmax", "argmin"))
            if op == "xor_sum" and t in ("int8", "int16"):
                op = "sum"
            gives = "int32" if op.startswith("arg") or (op == "sum" and t in ("int8", "int16")) else t
            made = f"tl.{op}({x}, axis={axis}).to(tl.{gives})"
            if len(s) == 2:
                self.count += 1
                made = f"tl.broadcast_to(tl.expand_dims({made}, {axis}), {s[0]}, {s[1]})"
            else:
                made = f"tl.full(({s[0]},), 0, tl.{gives}) + {made}"
            self.put(made, gives, s)
        elif kind == "scan":
            x, t, s = self.any(("int32", "int64"))
            op = rng.choice(
                (
                    "tl.cumsum({}, axis={})",
                    "tl.cumprod({}, axis={})",
                    "tl.flip({}, {})",
                    "tl.cumsum({}, axis={}, reverse=True)",
                )
            )
            self.put(op.format(x, rng.randrange(len(s))), t, s)
        elif kind == "shape":
            x, t, s = self.any((*INTEGERS, *FLOATS))
            if len(s) == 1:
                rows = rng.choice((2, 4, 8, 16))
                self.put(f"tl.reshape({x}, {rows}, {s[0] // rows})", t, (rows, s[0] // rows))
            elif rng.random() < 0.5:
                self.put(f"tl.reshape({x}, {s[0] * s[1]})", t, (s[0] * s[1],))
            else:
                self.put(f"tl.trans({x})", t, (s[1], s[0]))
        elif kind == "join":
            x, t, s = self.any((*INTEGERS, *FLOATS), (self.block,))
            y, _, _ = self.any((t,), s)
            self.put(f"tl.split(tl.join({x}, {y}))[{rng.randrange(2)}]", t, s)
        elif kind == "gather":
            x, t, _ = self.any(("int32", "float32", "int64", "float16"), (self.block,))
            y, _, _ = self.any(("int32",), (self.block,))
            self.put(f"tl.gather({x}, {y} & {self.block - 1}, 0)", t, (self.block,))
        elif kind == "dot":
            if self.block < 256:
                return
            x, _, _ = self.any(("float16",), (self.block,))
            low = self.put(
                f"tl.where(tl.abs({x}) < 4.0, tl.floor({x}.to(tl.float32)), 1.0).to(tl.float16)",
                "float16",
                (self.block,),
            )
            rows = 16
            a = f"tl.reshape({low}, {rows}, {self.block // rows})"
            self.put(f"tl.dot({a}, tl.trans({a}))", "float32", (rows, rows))
            if self.block != 256:
                self.scope.pop()
                self.lines.append(
                    f"{self.indent}tl.store(q + pid * 256 + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :], v{self.count})"
                )
        elif kind == "atomic":
            x, _, _ = self.any(("int32",), (self.block,))
            y, _, _ = self.any(("int32",), (self.block,))
            self.lines.append(
                f"{self.indent}tl.{rng.choice(('atomic_add', 'atomic_max', 'atomic_xor'))}(counts + ({y} & 15) + 16 * {rng.randrange(3)}, {x})"
            )
        elif kind == "loop":
            x, t, s = self.any((*INTEGERS, *FLOATS))
            if len(self.indent) > 4:
                return
            start = self.put(f"{x} + 0" if t in INTEGERS else f"{x} * 1.0", t, s)
            self.lines.append(f"{self.indent}for _ in range({rng.choice(('n', '3', 'n - 1'))}):")
            saved, self.indent = (list(self.scope), self.indent + "    ")
            y, _, _ = self.any((t,), s)
            self.lines.append(f"{self.indent}{start} = {start} {rng.choice('+-*')} {y}")
            for _ in range(rng.randint(0, 2)):
                self.step()
            self.scope, self.indent = saved[0] if isinstance(saved, tuple) else saved, self.indent[4:]
        elif kind == "branch" and len(self.indent) == 4:
            x, t, s = self.any((*INTEGERS, *FLOATS))
            made = self.put(f"{x} + 0" if t in INTEGERS else f"{x} * 1.0", t, s)
            y, _, _ = self.any((t,), s)
            self.lines.append(f"{self.indent}if pid % 2 == {rng.randrange(2)}:")
            self.lines.append(f"{self.indent}    {made} = {y}")

    def program(self) -> Program:
        rng = self.rng
        inputs = [rng.choice((*INTEGERS, *FLOATS)) for _ in range(rng.randint(2, 4))]
        for i, t in enumerate(inputs):
            mask = rng.random() < 0.4
            other = ", mask=offs % 3 != 0, other=1" if mask else ""
            self.put(f"tl.load(p{i} + offs{other})", t, (self.block,))
        self.put("tl.arange(0, B)", "int32", (self.block,))
        for _ in range(rng.randint(4, 10)):
            self.step()
        kept = [v for v in self.scope if len(v[2]) == 1 or v[2][0] * v[2][1] == self.block][-OUTPUTS:]
        outputs: list[str] = []
        for name, t, s in kept:
            flat = name if len(s) == 1 else f"tl.reshape({name}, {self.block})"
            mask = ", mask=offs % 5 != 1" if rng.random() < 0.2 else ""
            self.lines.append(f"    tl.store(o{len(outputs)} + offs, {flat}{mask})")
            outputs.append(t)
        arguments = [
            *(f"p{i}" for i in range(len(inputs))),
            *(f"o{i}" for i in range(len(outputs))),
            "q",
            "counts",
            "n",
        ]
        head = [f"@triton.jit\ndef {self.name}({', '.join(arguments)}, B: tl.constexpr):",
                "    pid = tl.program_id(0)", "    offs = pid * B + tl.arange(0, B)"]  # fmt: skip
        source = "import triton\nimport triton.language as tl\n\n\n" + "\n".join([*head, *self.lines]) + "\n"
        warps = rng.choice((1, 2, 4, 4))
        return Program(
            self.name, self.seed, source, tuple(inputs), tuple(outputs), self.block, warps, rng.choice((1, 2))
        )


def generate(name: str, seed: str) -> Program:
    """A random kernel: the same one for the same seed."""
    return Writer(name, seed).program()
