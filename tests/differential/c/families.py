"""Kinds of statements of random C: jumps, odd widths, vectors, halves, pointers, copies of computed sizes, assembly."""

from __future__ import annotations

from collections.abc import Callable

from tests.differential.c.writer import DEEPEST, INTEGERS, SCALARS, Writer

UNSIGNED = ("u8", "u16", "u32", "u64")
VECTORS = (("v4u8", "u8", 4), ("v8u8", "u8", 8), ("v16u8", "u8", 16), ("v2u16", "u16", 2), ("v3u16", "u16", 3),
           ("v8u16", "u16", 8), ("v2u32", "u32", 2), ("v3u32", "u32", 3), ("v4u32", "u32", 4), ("v8u32", "u32", 8),
           ("v2u64", "u64", 2), ("v4u64", "u64", 4), ("v2f32", "f32", 2), ("v3f32", "f32", 3), ("v4f32", "f32", 4),
           ("v2f64", "f64", 2), ("v4f64", "f64", 4))  # fmt: skip


def _integer(w: Writer) -> tuple[str, str] | None:
    """A variable of an integer type, and the type."""
    names = [(name, type_) for name, type_ in w.scope.items() if type_ in INTEGERS]
    return w.rng.choice(names) if names else None


def assigned(w: Writer, value: str) -> str:
    """The assignment of an integer to some variable, cast to its type; to nothing where none is an integer."""
    to = _integer(w)
    return f"{to[0]} = ({to[1]})({value});" if to else ";"


def jumps(w: Writer) -> None:
    """A loop by `goto` that may be entered in its middle."""
    if w.depth >= DEEPEST:
        return
    k, label = w.counter(), f"{w.counter()}_{w.name}"
    first, second = w.inner(1), w.inner(1)
    inside = f"if ({w.test(1)}) goto in_{label};" if w.rng.random() < 0.6 else ""
    leave = f"if ({w.test(1)}) goto out_{label};" if w.rng.random() < 0.5 else ""
    w.put(f"{{ i32 {k} = 0; {inside} at_{label}: {k}++; <<0>> {leave} in_{label}: ; <<1>> "
          f"if ({k} < {w.rng.randint(1, 4)}) goto at_{label}; out_{label}: ; }}", first, second)  # fmt: skip


def returns(w: Writer) -> None:
    """The end of the function, before its end."""
    if not w.gives:
        return
    if w.gives.startswith("struct"):
        value = w.rng.choice([name for name, record in w.records.items() if f"struct {record.name}" == w.gives])
    else:
        value = w.expression(w.gives, 2)
    w.put(f"if {w.condition()} return {value};")


def overflow(w: Writer) -> None:
    """A sum, difference or product of two types in a third, and whether it fits."""
    types = [t for t in SCALARS if t in INTEGERS]
    a, b, c = (w.rng.choice(types) for _ in "abc")
    op = w.rng.choice(("OVER_ADD", "OVER_SUB", "OVER_MUL"))
    if op == "OVER_MUL" and a == b == "u64":
        b = "i64"
    k = w.counter()
    text = f"{op}(({a}){w.expression(a, 1)}, ({b}){w.expression(b, 1)}, &{k})"
    w.put(f"{{ {c} {k}; i32 {k}o = {text}; {assigned(w, f'{k}o ? (u64){k} ^ 85 : (u64){k}')} }}")


def halves(w: Writer) -> None:
    """Floats of 16 bits: conversions from and to all types, arithmetic, comparison."""
    if w.portable:
        return
    type_ = w.rng.choice(("_Float16", "_Float16", "__bf16"))
    k = w.counter()
    values: list[str] = []
    for _ in "ab":
        have = w.rng.choice([t for t in SCALARS if type_ == "_Float16" or t[0] == "f"])
        values.append(f"({type_}){w.expression(have, 1)}")
    ops = ("+", "-", "*", "/") if type_ == "_Float16" else ("+", "-", "*")
    ending = w.rng.choice((f"{k} < {k}b", f"from_f32_i32((f32){k})", f"from_f64_i64((f64){k})", f"bits_of_single((f32){k})",
                           f"bits_of_double((f64){k})", f"{k} == {k}b ? 5 : {k} >= {k}b"))  # fmt: skip
    w.put(f"{{ {type_} {k} = {values[0]}, {k}b = {values[1]}; {k} = ({k} {w.rng.choice(ops)} {k}b); "
          f"if ({w.test(1)}) {k} = -{k}; {assigned(w, ending)} }}")  # fmt: skip


def _vector_step(w: Writer, k: str, type_: str, element: str, size: int) -> str:
    """A statement about the vectors `k` and `kb`."""
    rng = w.rng
    order = ", ".join(str(rng.randrange(2 * size)) for _ in range(size))
    steps = [
        f"{k} = {k} {rng.choice('+-*')} {k}b;",
        f"{k} = __builtin_shufflevector({k}, {k}b, {order});",
        f"{k}[{w.expression('u32', 1)} % {size}] = ({element}){w.expression(element, 1)};",
        f"{k} = {k}[{rng.randrange(size)}] > {k}b[{rng.randrange(size)}] ? {k}b : {k};",
        f"{k} = {k} {rng.choice(('<', '==', '>='))} {k}b ? {k}b : {k};",
        f"{k}b = {k} + ({element}){w.expression(element, 1)};",
    ]
    if element[0] == "u":
        bits = INTEGERS[element]
        steps += [
            f"{k} = {k} {rng.choice('&|^')} ~{k}b;",
            f"{k} = {k} {rng.choice(('<<', '>>'))} ({k}b & ({element}){bits - 1});",
            f"{k} = {k} {rng.choice('/%')} ({k}b | ({element})1);",
            f"{k} = __builtin_elementwise_{rng.choice(('min', 'max', 'add_sat', 'sub_sat'))}({k}, {k}b);",
            f"{k} = __builtin_elementwise_{rng.choice(('popcount', 'bitreverse'))}({k});",
            f"{k}[0] = __builtin_reduce_{rng.choice(('add', 'mul', 'xor', 'or', 'and', 'min', 'max'))}({k}b);",
        ]
        if bits < 64:
            steps.append(f"{k} = __builtin_convertvector(__builtin_convertvector({k}, f64x{size}) * 0.5, {type_});")
    else:
        steps += [f"{k} = {k} / {k}b;", f"{k} = __builtin_elementwise_fma({k}, {k}b, {k});", f"{k} = -{k}b;"]
    return rng.choice(steps).replace(f"f64x{size}", f"__attribute__((ext_vector_type({size}))) f64")


def vectors(w: Writer) -> None:
    """Vectors: element by element, shuffled, compared, converted, reduced, through memory, indexed by what is computed."""
    if w.portable:
        return
    type_, element, size = w.rng.choice(VECTORS)
    k = w.counter()
    values = ", ".join(w.expression(element, 1) for _ in range(size))
    steps = " ".join(_vector_step(w, k, type_, element, size) for _ in range(w.rng.randint(1, 3)))
    at = f"{k}[{w.rng.choice((str(w.rng.randrange(size)), w.expression('u32', 1) + f' % {size}'))}]"
    end = at if element[0] == "u" else f"bits_of_single({at})" if element == "f32" else f"bits_of_double({at})"
    w.put(
        f"{{ {type_} {k} = ({type_}){{{values}}}, {k}b = ({type_})({element}){w.expression(element, 1)}; {steps} {assigned(w, end)} }}"
    )


def odd_widths(w: Writer) -> None:
    """Integers of a width that no type of the machine has, in registers and in memory."""
    if w.portable:
        return
    rng, k = w.rng, w.counter()
    bits = rng.choice((rng.randint(2, 128), rng.randint(2, 32), rng.randint(33, 72)))
    a, b = w.expression(rng.choice(("u64", "i64", "u32")), 1), w.expression(rng.choice(("u64", "i8", "u32")), 1)
    sign = rng.choice(("", "un"))
    unsigned, type_ = f"unsigned _BitInt({bits})", f"{sign}signed _BitInt({bits})"
    op = rng.choice((f"({type_})(({unsigned}){k} {rng.choice('+-*&|^')} ({unsigned}){k}b)",
                     f"{k} {rng.choice('/%')} ({type_})(({k}b & ({type_})1) | ({type_}){0 if bits == 2 else 1})" if bits > 3 else k,
                     f"({type_})(({unsigned}){k} << ({w.expression('u32', 1)} % {bits}))",
                     f"{k} >> ({w.expression('u32', 1)} % {bits})",
                     f"{k} {rng.choice(('<', '==', '>='))} {k}b ? {k} : {k}b",
                     f"{k}a[{w.expression('u32', 1)} % 3]"))  # fmt: skip
    start = f"{type_} {k} = ({type_}){a}, {k}b = ({type_}){b}; {type_} {k}a[3] = {{{k}, {k}b, ({type_})1}};"
    w.put(f"{{ {start} {k}a[{w.expression('u32', 1)} % 3] = {k}b; {k} = {op}; {assigned(w, f'(i64){k}')} "
          f"{assigned(w, f'(u64)(({unsigned}){k} >> {rng.randrange(bits)})')} }}")  # fmt: skip


def arguments(w: Writer) -> None:
    """A call of a function of any arguments."""
    if w.portable:
        return
    kinds = [w.rng.randint(1, 3) for _ in range(w.rng.randint(1, 5))]
    mask = sum(kind << 2 * i for i, kind in enumerate(kinds))
    types = {1: "i32", 2: "i64", 3: "f64"}
    given = ", ".join(f"({types[kind]}){w.expression(types[kind], 1)}" for kind in kinds)
    w.put(assigned(w, f"total({mask}u, {given})"))


def sized(w: Writer) -> None:
    """An array whose length is known only as it runs."""
    if w.portable:
        return
    type_, k = w.rng.choice(SCALARS), w.counter()
    if to := [name for name, t in w.scope.items() if t == type_]:
        w.put(f"{{ u32 {k}n = ({w.expression('u32', 1)} & 7) + 1; {type_} *{k} = ({type_} *)__builtin_alloca({k}n * sizeof({type_})); for (u32 {k}i = 0; {k}i < {k}n; {k}i++) "
              f"{k}[{k}i] = {w.expression(type_, 1)}; {w.rng.choice(to)} = {k}[{w.expression('u32', 1)} % {k}n]; }}")  # fmt: skip


def pointers(w: Writer) -> None:
    """A table of addresses, an address of an address, the distance of two."""
    type_, k = w.rng.choice(list(w.scope.values())), w.counter()
    names = [name for name, t in w.scope.items() if t == type_]
    if w.rng.random() < 0.5:
        table = ", ".join(f"&{w.rng.choice(names)}" for _ in range(4))
        w.put(f"{{ {type_} *{k}[4] = {{{table}}}; {type_} **{k}p = {k} + {w.index(4)}; **{k}p = {w.expression(type_, 2)}; "
              f"{assigned(w, f'{k}p - {k}')} if (*{k}p == {k}[{w.index(4)}]) {assigned(w, '3')} }}")  # fmt: skip
    else:
        size = w.rng.choice((4, 8))
        w.put(f"{{ {type_} {k}[{size}]; for ({type_} *{k}p = {k} + {size}; {k}p != {k};) *--{k}p = {w.expression(type_, 1)}; "
              f"{w.rng.choice(names)} = *({k} + {w.index(size)}); {assigned(w, f'&{k}[{w.index(size)}] - {k}')} }}")  # fmt: skip


def grids(w: Writer) -> None:
    """An array of two dimensions, or of structures, at places that are computed."""
    k = w.counter()
    if w.rng.random() < 0.5:
        type_ = w.rng.choice(list(w.scope.values()))
        names = [name for name, t in w.scope.items() if t == type_]
        rows, columns = w.rng.choice((2, 3, 5)), w.rng.choice((2, 4))
        at = [f"[{w.expression('u32', 1)} % {rows}][{w.index(columns)}]" for _ in "abc"]
        w.put(f"{{ {type_} {k}[{rows}][{columns}] = {{{{0}}}}; {k}{at[0]} = {w.expression(type_, 1)}; "
              f"{k}{at[1]} = {w.expression(type_, 1)}; {w.rng.choice(names)} = {k}{at[2]}; }}")  # fmt: skip
        return
    name, struct = w.rng.choice(list(w.records.items()))
    member, type_, _, count = w.rng.choice(struct.members)
    part = f"{member}" + (f"[{w.index(count) if count in (2, 4) else 0}]" if count else "")
    w.put(f"{{ struct {struct.name} {k}[4] = {{{name}, {name}, {name}, {name}}}; {k}[{w.index(4)}].{part} = {w.expression(type_, 1)}; "
          f"{k}[{w.index(4)}] = {k}[{w.index(4)}]; {name} = {k}[{w.index(4)}]; }}")  # fmt: skip


def choices(w: Writer) -> None:
    """A value chosen by a switch of a type, by single values and ranges."""
    rng = w.rng
    on, type_ = rng.choice(("i8", "u8", "i16", "u32", "i64")), rng.choice(list(w.scope.values()))
    names = [name for name, t in w.scope.items() if t == type_]
    places = sorted(rng.sample(range(-100 if on[0] == "i" else 0, 120), 8))
    if rng.random() < 0.5:
        places = list(range(places[0] % 5, places[0] % 5 + 8))
    # nvcc takes some ranges for empty ones.
    to, cases, ranges = rng.choice(names), list[str](), not w.portable
    for low, high in zip(places[::2], places[1::2], strict=True):
        cases.append(
            f"case {low}{f' ... {high}' if ranges and rng.random() < 0.5 else ''}: {to} = {w.literal(type_)}; break;"
        )
    mask = " & 15" if places[-1] < 20 else ""
    default = f" default: {to} = {w.expression(type_, 1)};" if rng.random() < 0.6 else ""
    w.put(f"switch (({on})({w.expression(on, 1)}{mask})) {{ {' '.join(cases)}{default} }}")


def walks(w: Writer) -> None:
    """A loop whose counter wraps, goes down, or by several."""
    found = [(name, t) for name, t in w.scope.items() if t in INTEGERS and INTEGERS[t] <= 64]
    if not found:
        return
    rng, k = w.rng, w.counter()
    (name, type_), counter = rng.choice(found), rng.choice(UNSIGNED)
    bits = INTEGERS[counter]
    step, turns = rng.choice((1, 1, 3, 7, -1, -2)), rng.randint(1, 9)
    start = rng.choice((0, 5, (1 << bits) - 3, 1 << bits - 1))
    end = (start + step * turns) % (1 << bits)
    wide = "u64" if bits > 32 else "u32"
    body = f"{name} = {rng.choice(('ADD', 'SUB', 'MUL'))}({type_}, {w.unsigned(type_)}, {name}, {k})"
    if rng.random() < 0.4 and w.arrays:
        array, (t, size) = rng.choice(list(w.arrays.items()))
        body = f"{array}[{k} & {size - 1}] = {w.expression(t, 1)}"
    suffix = "ull" if bits > 32 else "u"
    w.put(
        f"for ({counter} {k} = {start}{suffix}; {k} != {end}{suffix}; {k} = ({counter})({k} + ({wide}){step})) {{ {body}; }}"
    )


def moves(w: Writer) -> None:
    """Bytes set, moved within themselves and copied, as many as is computed."""
    k = w.counter()
    size = w.rng.choice(("u8", "u16", "u32", "u64"))
    count = 16 // (INTEGERS[size] // 8)
    how = w.rng.choice((f"__builtin_memmove({k} + {w.index(count)}, {k} + {w.index(count)}, {w.expression('u32', 1)} & 15)",
                        f"__builtin_memset({k} + {w.index(count)}, (int){w.expression('u8', 1)}, {w.expression('u32', 1)} & 15)",
                        f"__builtin_memcpy({k}, {k} + {count}, {w.expression('u32', 1)} & 15)",
                        f"__builtin_memmove({k} + {w.rng.randrange(4)}, {k} + {w.rng.randrange(4)}, {w.rng.randint(1, 16)})"))  # fmt: skip
    room = 2 * count + 8
    w.put(f"{{ {size} {k}[{room}]; for (u32 {k}i = 0; {k}i < {room}; {k}i++) {k}[{k}i] = ({size})({k}i * 37u + {w.expression('u32', 1)}); "
          f"{how}; {assigned(w, f'{k}[{w.index(count)}]')} {assigned(w, f'{k}[{w.rng.randrange(room)}]')} }}")  # fmt: skip


def assembly(w: Writer) -> None:
    """Instructions written out."""
    k, e = w.counter(), w.expression
    u32, u64, f32 = f"(u32){e('u32', 1)}", f"(u64){e('u64', 1)}", f"(f32){e('f32', 1)}"
    text, type_ = w.rng.choice((
        (f'"{w.rng.choice(("add.u32", "and.b32", "mul.lo.u32", "min.s32"))} %0, %1, %2;" : "=r"({k}) : "r"({u32}), "r"((u32){e("u32", 1)})', "u32"),
        (f'"mad.wide.u32 %0, %1, {w.rng.randrange(99)}, %2;" : "=l"({k}) : "r"({u32}), "l"({u64})', "u64"),
        (f'"{{ .reg .pred p; setp.lt.f32 p, %1, 0f40000000; selp.b32 %0, %2, %3, p; }}" : "=r"({k}) : "f"({f32}), "r"({u32}), "n"(17)', "u32"),
        (f'"{{\\n\\t.reg .b32 t;\\n\\tshl.b32 t, %1, 3;\\n\\txor.b32 %0, %0, t;\\n\\t}}" : "+r"({k}) : "r"({u32})', "u32"),
        (f'"mov.b64 {{%0, _}}, %1;" : "=r"({k}) : "l"({u64})', "u32"),
        (f'"cvt.u64.u16 %0, %1;" : "=l"({k}) : "h"((u16){e("u16", 1)})', "u64"),
    ))  # fmt: skip
    volatile = w.rng.choice(("volatile", ""))
    w.put(f"{{ {type_} {k} = 5; asm {volatile}({text}); {assigned(w, k)} }}")


def unsteady(w: Writer) -> None:
    """A variable that must be stored and loaded each time; a truth value."""
    k, type_ = w.counter(), w.rng.choice(list(w.scope.values()))
    names = [name for name, t in w.scope.items() if t == type_]
    if w.rng.random() < 0.6:
        w.put(
            f"{{ volatile {type_} {k} = {w.expression(type_, 1)}; {k} = {w.expression(type_, 1)}; {w.rng.choice(names)} = {k}; }}"
        )
    else:
        w.put(f"{{ BOOL {k}[3] = {{{w.test(1)}, {w.test(1)}, ({w.expression('u32', 1)} & 2) != 0}}; {k}[{w.expression('u32', 1)} % 3] ^= {w.test(1)}; "
              f"{assigned(w, f'{k}[0] + {k}[1] * 2 + {k}[2] * 4')} }}")  # fmt: skip


def compound(w: Writer) -> None:
    """An assignment that calculates, of a type that is widened for it; its value."""
    found = [(name, t) for name, t in w.scope.items() if t in ("u8", "i8", "u32", "u64", "i16")]
    if found:
        name, type_ = w.rng.choice(found)
        if type_ == "i16":
            op = w.rng.choice((f"{name} += (i16){w.expression('i16', 1)}", f"++{name}", f"{name}--", f"{name} >>= 3"))
        else:
            value = f"({type_}){w.expression(type_, 1)}"
            op = w.rng.choice((f"{name} += {value}", f"{name} *= {value}", f"{name} -= {value}", f"++{name}", f"{name}--", f"{name} >>= 3",
                               f"{name} ^= {value}"))  # fmt: skip
        w.put(assigned(w, f"({op}) + 1") if not op.startswith(name) or "=" in op else f"{op};")


def extremes(w: Writer) -> None:
    """The lesser and greater of floats, chosen by comparison or by function; signs; what is no number."""
    names = [(name, t) for name, t in w.scope.items() if t[0] == "f"]
    if not names:
        return
    name, type_ = w.rng.choice(names)
    a, b, tail = w.expression(type_, 1), w.expression(type_, 1), "F" if type_ == "f32" else ""
    value = w.rng.choice((f"FMIN{tail}({a}, {b})", f"FMAX{tail}({a}, {b})", f"(({a} < {b} ? {a} : {b}) + 0)", f"(({a} > {b} ? {b} : {a}) + 0)",
                          f"({type_})SIGNED_AS((f64){a}, (f64){b})", f"({a} != {a} ? {b} : {a})", f"({a} < 0 ? -{a} : {a})",
                          f"({type_})(f32)(f64){a}"))  # fmt: skip
    w.put(f"{name} = {value};")


def tables(w: Writer) -> None:
    """Tables of functions, of addresses of other tables, of structures, and letters."""
    k, kind = f"{w.name}_{w.counter()}", w.rng.random()
    if kind < 0.35:
        chosen = ", ".join(w.rng.choice(("turned", "folded", "halved")) for _ in range(4))
        w.declarations.append(f"TABLE_OF i32 (*const {k}[4])(i32) = {{{chosen}}};")
        w.put(assigned(w, f"{k}[{w.index(4)}]({w.expression('i32', 1)})"))
    elif kind < 0.65 and w.tables:
        name, type_, size = w.rng.choice(w.tables)
        if any(f"CONSTANT {type_} {name}" in line for line in w.declarations):
            return
        parts = ", ".join(f"{name} + {w.rng.randrange(size // 2)}" for _ in range(4))
        w.declarations.append(f"TABLE_OF {type_} const *const {k}[4] = {{{parts}}};")
        if to := [n for n, t in w.scope.items() if t == type_]:
            w.put(f"{w.rng.choice(to)} = {k}[{w.index(4)}][{w.index(size // 2)}];")
    elif kind < 0.8:
        letters = "".join(w.rng.choice("abcdefghijkxyz0189") for _ in range(15))
        w.put(assigned(w, f'"{letters}"[{w.index(16)}]'))
    else:
        values = ", ".join(f"{{{w.literal('u8')}, {w.literal('u64')}, {w.literal('f32')}}}" for _ in range(4))
        w.declarations.append(f"TABLE struct {{ u8 a; u64 b; f32 c; }} {k}[4] = {{{values}}};")
        w.put(
            assigned(
                w, w.rng.choice((f"{k}[{w.index(4)}].a", f"{k}[{w.index(4)}].b", f"from_f32_i32({k}[{w.index(4)}].c)"))
            )
        )


FAMILIES: tuple[Callable[[Writer], None], ...] = (
    jumps, returns, overflow, halves, vectors, vectors, odd_widths, arguments, sized, pointers, grids, choices, walks,
    moves, assembly, unsteady, compound, extremes, tables,
)  # fmt: skip
