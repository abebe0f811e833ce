"""Small kernels, one for each operation and type: what LLVM compiles of `arith`, `math`, `llvm` and `vector`.

A case is one operation on `%a`, `%b`, `%c`, of which each thread loads its own element, and whose results `%r`, `%s`
it stores.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """One kernel: the operation's text, the types of its operands and results.

    `domain` names what the operands are kept to where the operation is undefined elsewhere.  Operands that are
    `stained` come out of arithmetic that leaves something above their width in a register.
    """

    text: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    domain: str = ""
    stained: bool = False

    def kernel(self, name: str) -> str:
        """The kernel, as a `gpu.func`."""
        arguments = ", ".join(f"%p{i}: !llvm.ptr<1>" for i in range(len(self.operands) + len(self.results)))
        if self.stained:
            arguments += ", %minus: i32"
        lines = [
            "%tid = nvvm.read.ptx.sreg.tid.x : i32",
            *(line for i, type_ in enumerate(self.operands) for line in _loaded(i, type_, self.stained)),
            self.text,
            *(line for i, type_ in enumerate(self.results) for line in _stored(i + len(self.operands), "rs"[i], type_)),
            "gpu.return",
        ]
        body = "\n    ".join(lines)
        return f"  gpu.func @{name}({arguments}) kernel {{\n    {body}\n  }}\n"


def stored_type(type_: str) -> str:
    """The type in memory: an index is kept as an i64."""
    return type_.replace("index", "i64")


def _place(number: int, type_: str) -> str:
    return (
        f"%q{number} = llvm.getelementptr %p{number}[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {stored_type(type_)}"
    )


def _loaded(number: int, type_: str, stained: bool) -> list[str]:
    name, kept = "abc"[number], stored_type(type_)
    if stained and element(type_) in NARROW:
        return [
            _place(number, type_),
            f"%{name}0 = llvm.load %q{number} : !llvm.ptr<1> -> {type_}",
            *stain(name, f"%{name}0", type_),
        ]
    if kept == type_:
        return [_place(number, type_), f"%{name} = llvm.load %q{number} : !llvm.ptr<1> -> {type_}"]
    return [
        _place(number, type_),
        f"%{name}0 = llvm.load %q{number} : !llvm.ptr<1> -> {kept}",
        f"%{name} = arith.index_cast %{name}0 : {kept} to {type_}",
    ]


def _stored(number: int, name: str, type_: str) -> list[str]:
    kept = stored_type(type_)
    if kept == type_:
        return [_place(number, type_), f"llvm.store %{name}, %q{number} : {type_}, !llvm.ptr<1>"]
    return [
        _place(number, type_),
        f"%{name}0 = arith.index_cast %{name} : {type_} to {kept}",
        f"llvm.store %{name}0, %q{number} : {kept}, !llvm.ptr<1>",
    ]


NARROW = ("i4", "i8", "i16", "i48")
"""Integers that do not fill a register."""


def stain(name: str, value: str, type_: str) -> list[str]:
    """A value twice times the argument -1: the same number, but for what stands above its width."""
    inner = element(type_)
    lines = [f"%{name}m = llvm.{'sext' if inner == 'i48' else 'trunc'} %minus : i32 to {inner}"]
    factor = f"%{name}m"
    if type_ != inner:
        factor = f"%{name}v"
        lines.append(f"{factor} = vector.broadcast %{name}m : {inner} to {type_}")
    return [
        *lines,
        f"%{name}1 = arith.muli {value}, {factor} : {type_}",
        f"%{name} = arith.muli %{name}1, {factor} : {type_}",
    ]


INTEGERS = ("i1", "i4", "i8", "i16", "i32", "i64", "i128", "index")
FLOATS = ("f16", "bf16", "f32", "f64")
COUNTS = (1, 2, 3, 4, 8, 16)


def shaped(type_: str) -> Iterator[str]:
    """The type and vectors of it."""
    yield type_
    if type_ != "i128":
        for count in COUNTS:
            yield f"vector<{count}x{type_}>"


def element(type_: str) -> str:
    """The element type of a vector, or the type."""
    return (
        type_.removesuffix(">").rpartition("x")[2]
        if type_.startswith("vector") and "index" not in type_
        else ("index" if type_.startswith("vector") else type_)
    )


def of(type_: str, inner: str) -> str:
    """A type of the shape of another with other elements."""
    if not type_.startswith("vector"):
        return inner
    return f"{type_[: -len(element(type_)) - 1]}{inner}>"


def _integer_arithmetic() -> Iterator[Case]:
    plain = ("addi", "subi", "muli", "andi", "ori", "xori", "minsi", "maxsi", "minui", "maxui")
    for name in INTEGERS:
        for t in shaped(name):
            for op in plain:
                yield Case(f"%r = arith.{op} %a, %b : {t}", (t, t), (t,))
            for op in ("divsi", "remsi", "floordivsi", "ceildivsi"):
                yield Case(f"%r = arith.{op} %a, %b : {t}", (t, t), (t,), "signed division")
            for op in ("divui", "remui", "ceildivui"):
                yield Case(f"%r = arith.{op} %a, %b : {t}", (t, t), (t,), "division")
            for op in ("shli", "shrsi", "shrui"):
                yield Case(f"%r = arith.{op} %a, %b : {t}", (t, t), (t,), "shift")
            test = of(t, "i1")
            for p in ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"):
                yield Case(f"%r = arith.cmpi {p}, %a, %b : {t}", (t, t), (test,))
            yield Case(f"%r = arith.select %a, %b, %c : {test}, {t}" if test != "i1"
                       else f"%r = arith.select %a, %b, %c : {t}", (test, t, t), (t,))  # fmt: skip
            if test != "i1":
                yield Case(f"%r = arith.select %a, %b, %c : {t}", ("i1", t, t), (t,))
            for op in ("mulsi_extended", "mului_extended"):
                yield Case(f"%r, %s = arith.{op} %a, %b : {t}", (t, t), (t, t))
            if name != "index":
                yield Case(f"%r, %s = arith.addui_extended %a, %b : {t}, {test}", (t, t), (t, test))


def _casts() -> Iterator[Case]:
    widths = (1, 4, 8, 16, 32, 64, 128)
    for small in widths:
        for big in widths:
            if small >= big:
                continue
            for t in shaped(f"i{small}"):
                if t != f"i{small}" and big == 128:
                    continue
                u = of(t, f"i{big}")
                yield Case(f"%r = arith.extsi %a : {t} to {u}", (t,), (u,))
                yield Case(f"%r = arith.extui %a : {t} to {u}", (t,), (u,))
                yield Case(f"%r = arith.trunci %a : {u} to {t}", (u,), (t,))
    for i in ("i1", "i4", "i8", "i16", "i32", "i64", "i128"):
        for t in shaped(i):
            u = of(t, "index")
            if i != "i128":
                for op in ("index_cast", "index_castui"):
                    yield Case(f"%r = arith.{op} %a : {t} to {u}", (t,), (u,))
                    yield Case(f"%r = arith.{op} %a : {u} to {t}", (u,), (t,))
            for f in FLOATS if i != "i128" else ():
                v = of(t, f)
                yield Case(f"%r = arith.sitofp %a : {t} to {v}", (t,), (v,))
                yield Case(f"%r = arith.uitofp %a : {t} to {v}", (t,), (v,))
                if i != "i1":
                    yield Case(f"%r = arith.fptosi %a : {v} to {t}", (v,), (t,), f"in {i}")
                yield Case(f"%r = arith.fptoui %a : {v} to {t}", (v,), (t,), f"in u{i}")
    for a, b in (("f16", "f32"), ("f16", "f64"), ("bf16", "f32"), ("bf16", "f64"), ("f32", "f64")):
        for t in shaped(a):
            u = of(t, b)
            yield Case(f"%r = arith.extf %a : {t} to {u}", (t,), (u,))
            yield Case(f"%r = arith.truncf %a : {u} to {t}", (u,), (t,))
    for a, b in (("i16", "f16"), ("i16", "bf16"), ("i32", "f32"), ("i64", "f64"), ("f16", "bf16")):
        for t in shaped(a):
            u = of(t, b)
            yield Case(f"%r = arith.bitcast %a : {t} to {u}", (t,), (u,))
            yield Case(f"%r = arith.bitcast %a : {u} to {t}", (u,), (t,))


def _float_arithmetic() -> Iterator[Case]:
    for name in FLOATS:
        for t in shaped(name):
            for op in ("addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"):
                yield Case(f"%r = arith.{op} %a, %b : {t}", (t, t), (t,))
            yield Case(f"%r = arith.remf %a, %b : {t}", (t, t), (t,), "remainder")
            yield Case(f"%r = arith.negf %a : {t}", (t,), (t,))
            yield Case(f"%r = math.fma %a, %b, %c : {t}", (t, t, t), (t,))
            test = of(t, "i1")
            for p in ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno",
                      "false", "true"):  # fmt: skip
                yield Case(f"%r = arith.cmpf {p}, %a, %b : {t}", (t, t), (test,))
            yield Case(f"%r = arith.select %a, %b, %c : {test}, {t}" if test != "i1"
                       else f"%r = arith.select %a, %b, %c : {t}", (test, t, t), (t,))  # fmt: skip


def _math() -> Iterator[Case]:
    for name in FLOATS:
        for t in shaped(name):
            test = of(t, "i1")
            for op in ("absf", "ceil", "floor", "trunc", "roundeven", "round", "sqrt"):
                yield Case(f"%r = math.{op} %a : {t}", (t,), (t,))
            yield Case(f"%r = math.copysign %a, %b : {t}", (t, t), (t,))
            yield Case(f'%r = "llvm.intr.is.fpclass"(%a) <{{bit = 33 : i32}}> : ({t}) -> {test}', (t,), (test,))
            yield Case(f'%r = "llvm.intr.is.fpclass"(%a) <{{bit = 904 : i32}}> : ({t}) -> {test}', (t,), (test,))
            for op in ("rint", "nearbyint", "fabs", "roundeven", "trunc"):
                yield Case(f"%r = llvm.intr.{op}(%a) : ({t}) -> {t}", (t,), (t,))
            for op in ("maxnum", "minnum", "maximum", "minimum", "copysign"):
                yield Case(f"%r = llvm.intr.{op}(%a, %b) : ({t}, {t}) -> {t}", (t, t), (t,))
            yield Case(f"%r = llvm.intr.fmuladd(%a, %b, %c) : ({t}, {t}, {t}) -> {t}", (t, t, t), (t,))
            for i in ("i32", "i64"):
                if t == name:
                    for op in ("lrint", "llrint", "lround", "llround"):
                        yield Case(f"%r = llvm.intr.{op}(%a) : ({t}) -> {i}", (t,), (i,), f"in {i}")
            if t == name:
                yield Case(f"%r = llvm.intr.ldexp(%a, %b) : ({t}, i32) -> {t}", (t, "i32"), (t,), "scale")
            s = f"!llvm.struct<({t}, {of(t, 'i32')})>"
            yield Case(
                f"%x = llvm.intr.frexp(%a) : ({t}) -> {s}\n    %r = llvm.extractvalue %x[0] : {s}\n"
                f"    %s = llvm.extractvalue %x[1] : {s}", (t,), (t, of(t, "i32")),
            )  # fmt: skip
    for name in INTEGERS:
        for t in shaped(name):
            for op in ("absi", "ctlz", "cttz", "ctpop"):
                yield Case(f"%r = math.{op} %a : {t}", (t,), (t,))
            if name not in ("i1", "i4", "i128"):
                yield Case(f"%r = math.ipowi %a, %b : {t}", (t, t), (t,), "power")


def _intrinsics() -> Iterator[Case]:
    for name in INTEGERS:
        if name == "index":
            continue
        for t in shaped(name):
            test = of(t, "i1")
            for op in ("smax", "smin", "umax", "umin", "sadd.sat", "ssub.sat", "uadd.sat", "usub.sat"):
                yield Case(f"%r = llvm.intr.{op}(%a, %b) : ({t}, {t}) -> {t}", (t, t), (t,))
            for op in ("sshl.sat", "ushl.sat"):
                yield Case(f"%r = llvm.intr.{op}(%a, %b) : ({t}, {t}) -> {t}", (t, t), (t,), "shift")
            for op in ("fshl", "fshr"):
                yield Case(f"%r = llvm.intr.{op}(%a, %b, %c) : ({t}, {t}, {t}) -> {t}", (t, t, t), (t,))
            if name not in ("i1", "i4", "i8"):
                yield Case(f"%r = llvm.intr.bswap(%a) : ({t}) -> {t}", (t,), (t,))
            yield Case(f"%r = llvm.intr.bitreverse(%a) : ({t}) -> {t}", (t,), (t,))
            for op in ("scmp", "ucmp"):
                for out in ("i8", "i32"):
                    yield Case(f"%r = llvm.intr.{op}(%a, %b) : ({t}, {t}) -> {of(t, out)}", (t, t), (of(t, out),))
            for op in ("sadd", "uadd", "ssub", "usub", "smul", "umul"):
                s = f"!llvm.struct<({t}, {test})>"
                yield Case(
                    f'%x = "llvm.intr.{op}.with.overflow"(%a, %b) : ({t}, {t}) -> {s}\n'
                    f"    %r = llvm.extractvalue %x[0] : {s}\n    %s = llvm.extractvalue %x[1] : {s}", (t, t), (t, test),
                )  # fmt: skip
            if t != name:
                for op in ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin"):
                    yield Case(f'%r = "llvm.intr.vector.reduce.{op}"(%a) : ({t}) -> {name}', (t,), (name,))
            for op in ("abs",):
                yield Case(f'%r = "llvm.intr.{op}"(%a) <{{is_int_min_poison = false}}> : ({t}) -> {t}', (t,), (t,))
            for op in ("ctlz", "cttz"):
                yield Case(f'%r = "llvm.intr.{op}"(%a) <{{is_zero_poison = false}}> : ({t}) -> {t}', (t,), (t,))


def _vectors() -> Iterator[Case]:
    for name in (*INTEGERS, *FLOATS):
        if name == "i128":
            continue
        kinds = ("minnumf", "maxnumf", "minimumf", "maximumf", "add", "mul") if name in FLOATS else (
            "add", "mul", "and", "or", "xor", "minsi", "maxsi", "minui", "maxui")  # fmt: skip
        for n in COUNTS:
            t = f"vector<{n}x{name}>"
            for kind in kinds:
                yield Case(f"%r = vector.reduction <{kind}>, %a : {t} into {name}", (t,), (name,))
            yield Case(f"%r = vector.broadcast %a : {name} to {t}", (name,), (t,))
            yield Case(f"%r = vector.extract %a[{n - 1}] : {name} from {t}", (t,), (name,))
            yield Case(f"%r = vector.insert %b, %a[{n - 1}] : {name} into {t}", (t, name), (t,))
            yield Case(f"%r = vector.extract %a[%b] : {name} from {t}", (t, "index"), (name,), f"below {n}")
            yield Case(f"%r = vector.insert %b, %a[%c] : {name} into {t}", (t, name, "index"), (t,), f"below {n}")
            order = ", ".join(str((5 * i + 1) % (2 * n)) for i in range(n))
            yield Case(f"%r = vector.shuffle %a, %b [{order}] : {t}, {t}", (t, t), (t,))
            if name != "index":
                half = ", ".join(str((3 * i) % (2 * n)) for i in range(n))
                yield Case(f"%r = llvm.shufflevector %a, %b [{half}] : {t}", (t, t), (t,))
                yield Case(f"%r = llvm.extractelement %a[%b : i32] : {t}", (t, "i32"), (name,), f"below {n}")
                yield Case(f"%r = llvm.insertelement %b, %a[%c : i32] : {t}", (t, name, "i32"), (t,), f"below {n}")
            if n > 1:
                yield Case(
                    f"%r = vector.extract_strided_slice %a {{offsets = [1], sizes = [{n - 1}], strides = [1]}} : "
                    f"{t} to vector<{n - 1}x{name}>", (t,), (f"vector<{n - 1}x{name}>",),
                )  # fmt: skip
            if n > 1 and name != "index" and name != "i1" and name != "i4":
                test = f"vector<{n}xi1>"
                yield Case(
                    f'%r = "llvm.intr.masked.expandload"(%q0, %b, %c) : (!llvm.ptr<1>, {test}, {t}) -> {t}',
                    (t, test, t), (t,),
                )  # fmt: skip
                yield Case(
                    f'%o = llvm.getelementptr %p3[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {t}\n    '
                    f'llvm.store %c, %o : {t}, !llvm.ptr<1>\n    '
                    f'"llvm.intr.masked.compressstore"(%a, %o, %b) : ({t}, !llvm.ptr<1>, {test}) -> ()\n    '
                    f"%r = llvm.load volatile %o : !llvm.ptr<1> -> {t}", (t, test, t), (t,),
                )  # fmt: skip
            if n < 16:
                u = f"vector<{2 * n}x{name}>"
                yield Case(f"%r = vector.interleave %a, %b : {t} -> {u}", (t, t), (u,))
                yield Case(f"%r, %s = vector.deinterleave %a : {u} -> {t}", (u,), (t, t))
                yield Case(
                    f"%r = vector.insert_strided_slice %a, %b {{offsets = [1], strides = [1]}} : {t} into {u}",
                    (t, u),
                    (u,),
                )
            if n % 2 == 0:
                m = f"vector<2x{n // 2}x{name}>"
                yield Case(
                    f"%x = vector.shape_cast %a : {t} to {m}\n    %y = vector.transpose %x, [1, 0] : {m} to "
                    f"vector<{n // 2}x2x{name}>\n    %r = vector.shape_cast %y : vector<{n // 2}x2x{name}> to {t}",
                    (t,),
                    (t,),
                )


def _index() -> Iterator[Case]:
    names = ("add", "sub", "mul", "and", "or", "xor", "mins", "maxs", "minu", "maxu")
    domains = {"divs": "signed division", "rems": "signed division", "floordivs": "signed division",
               "ceildivs": "signed division", "divu": "division", "remu": "division", "ceildivu": "division",
               "shl": "shift", "shrs": "shift", "shru": "shift"}  # fmt: skip
    for op, domain in (dict.fromkeys(names, "") | domains).items():
        yield Case(f"%r = index.{op} %a, %b", ("index", "index"), ("index",), domain)
    for p in ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"):
        yield Case(f"%r = index.cmp {p}(%a, %b)", ("index", "index"), ("i1",))
    for i in ("i1", "i8", "i16", "i32", "i64"):
        for op in ("casts", "castu"):
            yield Case(f"%r = index.{op} %a : index to {i}", ("index",), (i,))
            yield Case(f"%r = index.{op} %a : {i} to index", (i,), ("index",))
    yield Case("%r = index.sizeof", (), ("index",))
    yield Case("%r = index.constant -5", (), ("index",))
    yield Case("%r = index.bool.constant true", (), ("i1",))


def _predicated() -> Iterator[Case]:
    """What `llvm.intr.vp` gives in the lanes that count; a select clears the others, which are undefined."""
    binary = ("add", "sub", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin")
    for name in ("i8", "i32", "i64", "f16", "f32", "f64"):
        t, m = f"vector<4x{name}>", "vector<4xi1>"
        kept = (
            "%n = llvm.mlir.constant(3 : i32) : i32\n    %k = llvm.mlir.constant(dense<[true, true, true, false]> : "
            f"{m}) : {m}\n    %on = llvm.and %c, %k : {m}\n    %z = llvm.mlir.zero : {t}\n    "
        )
        end = f"\n    %r = llvm.select %on, %x, %z : {m}, {t}"
        for op in ("fadd", "fsub", "fmul", "fdiv") if name[0] == "f" else binary:
            body = f'%x = "llvm.intr.vp.{op}"(%a, %b, %c, %n) : ({t}, {t}, {m}, i32) -> {t}'
            yield Case(kept + body + end, (t, t, m), (t,))
        body = f'%x = "llvm.intr.vp.merge"(%c, %a, %b, %n) : ({m}, {t}, {t}, i32) -> {t}'
        yield Case(kept + body + f"\n    %r = llvm.select %on, %x, %b : {m}, {t}", (t, t, m), (t,))
        body = f'%x = "llvm.intr.vp.load"(%q0, %c, %n) : (!llvm.ptr<1>, {m}, i32) -> {t}'
        yield Case(kept + body + end, (t, t, m), (t,))
        kinds = ("fadd", "fmax", "fmin") if name[0] == "f" else ("add", "mul", "xor", "smax", "umin")
        for op in kinds:
            body = f'%r = "llvm.intr.vp.reduce.{op}"(%b, %a, %c, %n) : ({name}, {t}, {m}, i32) -> {name}'
            yield Case(kept + body, (t, name, m), (name,))


def _places_and_counts() -> Iterator[Case]:
    """Integers of every width where they name a place or count something."""
    for i in ("i1", "i4", "i8", "i16", "i32", "i48", "i64", "i128"):
        for n in (2, 4, 16):
            below = f"below {min(n, 2 if i == 'i1' else n)}"
            for name in ("i8", "i32", "f16", "f64"):
                t = f"vector<{n}x{name}>"
                yield Case(f"%r = llvm.extractelement %a[%b : {i}] : {t}", (t, i), (name,), below)
                yield Case(f"%r = llvm.insertelement %b, %a[%c : {i}] : {t}", (t, name, i), (t,), below)
        yield Case(
            f"%x = llvm.inttoptr %a : {i} to !llvm.ptr\n    %r = llvm.ptrtoint %x : !llvm.ptr to i64", (i,), ("i64",)
        )
        for inner in ("i8", "i64", "!llvm.array<3 x i16>"):
            yield Case(
                f"%x = llvm.getelementptr %q0[%a] : (!llvm.ptr<1>, {i}) -> !llvm.ptr<1>, {inner}\n"
                "    %y = llvm.ptrtoint %x : !llvm.ptr<1> to i64\n    %z = llvm.ptrtoint %q0 : !llvm.ptr<1> to i64\n"
                "    %r = llvm.sub %y, %z : i64", (i,), ("i64",),
            )  # fmt: skip
        if i not in ("i1", "i128"):
            mask = f"%r = llvm.intr.get.active.lane.mask %a, %b : {i}, {i} to vector<8xi1>"
            yield Case(mask, (i, i), ("vector<8xi1>",))
            for ext, order in (("extsi", ""), ("extui", "unsigned ")):
                if i in ("i4", "i8"):
                    yield Case(_loop(i, ext, order), (i, i), ("i64",))
        if i not in ("i1", "i4", "i48"):
            yield Case(
                '%f = llvm.mlir.constant(1 : i32) : i32\n    %x = llvm.alloca %f x i128 : (i32) -> !llvm.ptr\n'
                "    llvm.store %a, %x : i128, !llvm.ptr\n    %one = llvm.mlir.constant(77 : i8) : i8\n"
                f'    "llvm.intr.memset"(%x, %one, %b) <{{isVolatile = false}}> : (!llvm.ptr, i8, {i}) -> ()\n'
                "    %r = llvm.load %x : !llvm.ptr -> i128", ("i128", i), ("i128",), "below 16",
            )  # fmt: skip


def _loop(i: str, ext: str, order: str) -> str:
    """The sum of some function of the counter of a loop from one number to another."""
    return (
        f"%one = arith.constant 1 : {i}\n    %zero = arith.constant 0 : i64\n    %five = arith.constant 5 : i64\n"
        f"    %r = scf.for {order}%i = %a to %b step %one iter_args(%x = %zero) -> (i64) : {i} {{\n"
        f"      %e = arith.{ext} %i : {i} to i64\n      %w = arith.muli %x, %five : i64\n"
        "      %y = arith.addi %w, %e : i64\n      scf.yield %y : i64\n    }"
    )


FAMILIES = {
    "places and counts": _places_and_counts,
    "predicated": _predicated,
    "index": _index,
    "integers": _integer_arithmetic,
    "casts": _casts,
    "floats": _float_arithmetic,
    "math": _math,
    "intrinsics": _intrinsics,
    "vectors": _vectors,
}
