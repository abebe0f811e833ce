"""What all threads of a random C kernel do together: shuffles, votes, reductions, atomics and trees in shared memory."""

from __future__ import annotations

from collections.abc import Callable

from tests.differential.c.families import assigned
from tests.differential.c.writer import Writer


def exchange(w: Writer) -> None:
    """A value of another lane of a part of the warp."""
    value, width = f"(i32){w.expression('u32', 1)}", w.rng.choice((32, 32, 16, 8, 4, 2))
    text = w.rng.choice((f"(u32)SHUFFLE_IDX({value}, {w.rng.randrange(width)}, {width})",
                         f"(u32)SHUFFLE_IDX({value}, (i32)((tid * {w.rng.choice((3, 5, 7))}) & {width - 1}), {width})",
                         f"(u32)SHUFFLE_UP({value}, {w.rng.randint(1, width - 1)}, {width})",
                         f"bits_of_single(SHUFFLE_XOR_F({w.expression('f32', 1)}, {w.rng.randint(1, 31)}))"))  # fmt: skip
    w.put(assigned(w, text))


def votes(w: Writer) -> None:
    """What the warp or the block agrees on; what lanes have equal values; sums of the warp."""
    value, test = w.expression("u32", 1), w.test(1)
    warp = (f"ANY({test})", f"ALL({test})", f"MATCH({value} & 3)", f"REDUCE_ADD({value})", f"REDUCE_MIN({value})",
            f"REDUCE_SMAX({value})", f"REDUCE_XOR({value})", f"BALLOT({test}) ^ ANY({w.test(1)})")  # fmt: skip
    block = (f"BARRIER_COUNT({test})", f"BARRIER_AND({test})", f"BARRIER_OR({test})")
    w.put(assigned(w, w.rng.choice(warp if w.rng.random() < 0.7 else block)))


def gathered(w: Writer) -> None:
    """Atomics of all threads on few words of shared memory, in any order."""
    k, op = f"{w.name}_{w.counter()}", w.rng.choice(("ADD", "MAX", "MIN", "AND", "OR", "XOR"))
    at = f"({w.expression('u32', 1)} & 3)"
    w.put(f"SHARED u32 {k}[4];", kept=True)
    w.put(f"if (tid < 4) {k}[tid] = {w.rng.choice(('0', '~0u', 'tid * 77u'))};", kept=True)
    w.put("BARRIER;", kept=True)
    w.put(f"ATOMIC_{op}((u32 *)&{k}[{at}], {w.expression('u32', 1)});")
    w.put("BARRIER;", kept=True)
    w.put(assigned(w, f"{k}[{w.index(4)}]"))


def tree(w: Writer) -> None:
    """A reduction by halves in shared memory, or a turned square of it."""
    k, type_ = f"{w.name}_{w.counter()}", w.rng.choice(("u16", "u32", "u64"))
    w.put(f"SHARED {type_} {k}[{w.threads}];", kept=True)
    w.put(f"{k}[tid] = ({type_}){w.expression(type_, 1)};", kept=True)
    w.put("BARRIER;", kept=True)
    if w.rng.random() < 0.5:
        step = f"if (tid < {k}n) {k}[tid] = ({type_})({k}[tid] {w.rng.choice('+^|&')} {k}[tid + {k}n]);"
        w.put(
            f"for (u32 {k}n = {w.threads // 2}; {k}n > 0; {k}n {w.rng.choice(('>>= 1', '/= 2'))}) {{ {step} BARRIER; }}"
        )
        w.put(assigned(w, f"{k}[{w.rng.choice((0, 0, 1))}]"))
    else:
        w.put(assigned(w, f"{k}[(tid & 3) * {w.threads // 4} + tid / 4]"))
    w.put("BARRIER;", kept=True)


def records(w: Writer) -> None:
    """A structure in shared memory, written by one thread and read by another."""
    k = f"{w.name}_{w.counter()}"
    name, struct = w.rng.choice(list(w.records.items()))
    w.put(f"SHARED struct {struct.name} {k}[{w.threads}];", kept=True)
    w.put(f"*(struct {struct.name} *)&{k}[tid] = {name};", kept=True)
    w.put("BARRIER;", kept=True)
    w.put(f"{name} = *(struct {struct.name} *)&{k}[(tid + {w.rng.randrange(w.threads)}) & {w.threads - 1}];")
    w.put("BARRIER;", kept=True)


def own_atomics(w: Writer) -> None:
    """Atomics of more kinds on a row that only this thread writes."""
    k = w.counter()
    if w.portable:
        op = w.rng.choice(("ADD", "MAX", "MIN", "AND", "OR", "XOR"))
        w.put(f"{{ GLOBAL_ROW(u32, {k}g); u32 {k} = ATOMIC_{op}({k}g, {w.expression('u32', 1)}); "
              f"{assigned(w, f'{k} ^ *{k}g')} }}")  # fmt: skip
        return
    type_ = w.rng.choice(("u8", "u16", "u32", "u64", "i8", "i32", "i64"))
    op = w.rng.choice(("add", "sub", "and", "or", "xor", "nand", "min", "max"))
    order = w.rng.choice(("RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST"))
    value = f"({type_}){w.expression(type_, 1)}"
    text = w.rng.choice((f"__atomic_fetch_{op}({k}g, {value}, __ATOMIC_{order})", f"__atomic_{op}_fetch({k}g, {value}, __ATOMIC_{order})",
                         f"__atomic_exchange_n({k}g, {value}, __ATOMIC_{order})"))  # fmt: skip
    w.put(f"{{ GLOBAL_ROW({type_}, {k}g); *{k}g = {w.expression(type_, 1)}; {type_} {k} = {text}; {type_} {k}e = {w.expression(type_, 1)}; "
          f"if ({w.test(1)}) {k} += (u8)__atomic_compare_exchange_n({k}g, &{k}e, {value}, {w.rng.choice('01')}, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); "
          f"{assigned(w, f'{k} ^ *{k}g')} {assigned(w, f'{k}e')} }}")  # fmt: skip


TOGETHER: tuple[Callable[[Writer], None], ...] = (exchange, votes, gathered, tree, records, own_atomics)
