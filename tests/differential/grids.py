"""Kernels that differ by one number: how long a loop is, how much stands in a branch, how wide an access is, what is divided by.

Where code is made in another way from some number on, the kernels on both sides of it are here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

TRIPS = (1, 2, 3, 4, 5, 8, 15, 16, 17, 32, 64, 0)
"""Turns of a loop; 0: it is not known how many."""
SIZES = (1, 2, 3, 4, 6, 8, 11, 12, 13, 16, 24, 25, 36, 40, 41, 72, 73, 100, 101)
"""Operations of a turn, or of a branch."""
CONSTANTS = (*range(1, 18), 24, 31, 32, 33, 63, 64, 65, 100, 127, 128, 255, 256, 641, 1000, 65535, 65536, 1 << 30)
WIDTHS = (8, 16, 24, 32, 48, 64)
BYTES = (1, 2, 3, 4, 7, 8, 12, 15, 16, 17, 24, 32, 33, 48, 63, 64, 65, 127, 128, 129, 256)

_ARGUMENTS = "%p: memref<?xi32>, %q: memref<?xf32>, %n: index, %a: i32, %x: f32"
_CHAIN = ("arith.addi", "arith.xori", "arith.muli", "arith.subi", "arith.ori")


def _kernels(bodies: Iterator[str], arguments: str = _ARGUMENTS) -> str:
    """A module of kernels; each finds its thread in `%t`."""
    made = (
        f"gpu.func @k{number}({arguments}) kernel {{\n%t = gpu.thread_id x\n{body}\ngpu.return }}"
        for number, body in enumerate(bodies)
    )
    return "gpu.module @m {\n" + "\n".join(made) + "\n}\n"


def _chain(size: int, first: str, second: str, mark: str) -> tuple[list[str], str]:
    """So many operations on integers, one after the other, and the result of the last."""
    lines: list[str] = []
    for number in range(size):
        lines.append(f"%{mark}{number} = {_CHAIN[number % len(_CHAIN)]} {first}, {second} : i32")
        first = f"%{mark}{number}"
    return lines, first


def _bound(trips: int) -> str:
    constants = "%zero = arith.constant 0 : index\n%one = arith.constant 1 : index\n"
    return constants + (f"%end = arith.constant {trips} : index" if trips else "%end = index.add %n, %zero")


def _straight(trips: int) -> Iterator[str]:
    for size in SIZES:
        lines, last = _chain(size, "%held", "%a", "v")
        yield "\n".join([
            _bound(trips), "%sum = scf.for %i = %zero to %end step %one iter_args(%held = %a) -> (i32) {", *lines,
            f"scf.yield {last} : i32 }}", "memref.store %sum, %p[%t] : memref<?xi32>",
        ])  # fmt: skip


def _by_the_counter(trips: int) -> Iterator[str]:
    """The operations depend on the turn's number, so that copies know it."""
    for size in SIZES:
        lines, last = _chain(size, "%held", "%c", "v")
        yield "\n".join([
            _bound(trips), "%sum = scf.for %i = %zero to %end step %one iter_args(%held = %a) -> (i32) {",
            "%c = arith.index_cast %i : index to i32", *lines, f"scf.yield {last} : i32 }}",
            "memref.store %sum, %p[%t] : memref<?xi32>",
        ])  # fmt: skip


def _memory(trips: int) -> Iterator[str]:
    for size in SIZES[:12]:
        lines = [_bound(trips), "scf.for %i = %zero to %end step %one {"]
        for number in range(size):
            lines += [f"%o{number} = arith.constant {number} : index", f"%j{number} = arith.muli %i, %n : index",
                      f"%s{number} = arith.addi %j{number}, %o{number} : index",
                      f"%v{number} = memref.load %q[%s{number}] : memref<?xf32>",
                      f"%w{number} = arith.addf %v{number}, %x : f32",
                      f"memref.store %w{number}, %q[%s{number}] : memref<?xf32>"]  # fmt: skip
        yield "\n".join([*lines, "}"])


def _functions(trips: int) -> Iterator[str]:
    for size in range(1, 7):
        lines = [f"%v{n} = math.exp {f'%v{n - 1}' if n else '%held'} : f32" for n in range(size)]
        yield "\n".join([
            _bound(trips), "%sum = scf.for %i = %zero to %end step %one iter_args(%held = %x) -> (f32) {", *lines,
            f"scf.yield %v{size - 1} : f32 }}", "memref.store %sum, %q[%t] : memref<?xf32>",
        ])  # fmt: skip


def _nested(trips: int) -> Iterator[str]:
    for inner in TRIPS:
        for size in (1, 4, 12, 40):
            lines, last = _chain(size, "%kept", "%a", "v")
            yield "\n".join([
                _bound(trips), f"%last = arith.constant {inner} : index" if inner else "%last = index.add %n, %one",
                "%sum = scf.for %i = %zero to %end step %one iter_args(%held = %a) -> (i32) {",
                "%part = scf.for %j = %zero to %last step %one iter_args(%kept = %held) -> (i32) {", *lines,
                f"scf.yield {last} : i32 }}", "scf.yield %part : i32 }",
                "memref.store %sum, %p[%t] : memref<?xi32>",
            ])  # fmt: skip


def _branches(stored: bool) -> Iterator[str]:
    """One side or both, with a value or with stores."""
    for size in SIZES:
        for other in (0, 1, size):
            left, last = _chain(size, "%a", "%b", "l")
            right, least = _chain(other, "%b", "%a", "r")
            store = "memref.store {}, %p[%t] : memref<?xi32>"
            head = ["%b = arith.index_cast %t : index to i32", "%c = arith.cmpi slt, %a, %b : i32"]
            if stored:
                both = [
                    f"scf.if %c {{ {chr(10).join(left)}",
                    store.format(last),
                    "} else {",
                    *right,
                    store.format(least),
                ]
                yield "\n".join([*head, *both, "}"])
            else:
                both = ["%v = scf.if %c -> (i32) {", *left, f"scf.yield {last} : i32 }} else {{", *right]
                yield "\n".join([*head, *both, f"scf.yield {least} : i32 }}", store.format("%v")])


def _cases(_: int) -> Iterator[str]:
    for size in SIZES[:8]:
        for operations in (1, 4, 13):
            lines = ["%v = scf.index_switch %t -> i32"]
            for case in range(size):
                chain, last = _chain(operations, "%a", "%a", f"c{case}_")
                lines += [f"case {3 * case} {{", *chain, f"scf.yield {last} : i32 }}"]
            yield "\n".join([*lines, "default { scf.yield %a : i32 }", "memref.store %v, %p[%t] : memref<?xi32>"])


def _constants(width: int, operation: str) -> Iterator[str]:
    for constant in CONSTANTS:
        for sign in (1, -1):
            number = sign * constant
            if -(1 << (width - 1)) <= number < 1 << (width - 1):
                yield (
                    f"%w = arith.index_cast %t : index to i{width}\n%c = arith.constant {number} : i{width}\n"
                    f"%v = {operation} %w, %c : i{width}\n%o = arith.index_cast %v : i{width} to index\n"
                    "%r = arith.index_cast %o : index to i32\nmemref.store %r, %p[%t] : memref<?xi32>"
                )


def _vectors(alignment: int) -> Iterator[str]:
    for type_ in ("i8", "f16", "f32", "i64"):
        for count in (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 17, 32):
            vector = f"vector<{count}x{type_}>"
            aligned = f"{{alignment = {alignment} : i64}}"
            yield (
                f"%c = arith.constant {count} : index\n%i = arith.muli %t, %c : index\n"
                f"%v = vector.load %{type_}[%i] {aligned} : memref<?x{type_}>, {vector}\n"
                f"vector.store %v, %{type_}[%t] {aligned} : memref<?x{type_}>, {vector}"
            )


def _copies(alignment: int) -> Iterator[str]:
    for size in BYTES:
        aligned = f"{{llvm.align = {alignment} : i64}}"
        yield (
            f"%s = llvm.mlir.constant({size} : i64) : i64\n%b = llvm.mlir.constant(7 : i8) : i8\n"
            f'"llvm.intr.memcpy"(%to, %from, %s) <{{isVolatile = false, arg_attrs = [{aligned}, {aligned}, {{}}]}}>'
            " : (!llvm.ptr, !llvm.ptr, i64) -> ()\n"
            f'"llvm.intr.memset"(%from, %b, %s) <{{isVolatile = false, arg_attrs = [{aligned}, {{}}, {{}}]}}>'
            " : (!llvm.ptr, i8, i64) -> ()"
        )


def _powers(type_: str) -> Iterator[str]:
    value = {"f32": "%x", "i32": "%a"}[type_]
    memory = {"f32": "%q", "i32": "%p"}[type_]
    operation = {"f32": "math.fpowi {}, %e : f32, i32", "i32": "math.ipowi {}, %e : i32"}[type_]
    for exponent in (*range(-3, 34), 63, 64, 65, 100, 127):
        yield (
            f"%e = arith.constant {exponent} : i32\n%v = {operation.format(value)}\n"
            f"memref.store %v, {memory}[%t] : memref<?x{type_}>"
        )


_LOOPS: dict[str, Callable[[int], Iterator[str]]] = {
    "straight": _straight, "counted": _by_the_counter, "memory": _memory, "functions": _functions, "nested": _nested,
}  # fmt: skip
_BY_CONSTANTS = ["muli", "divsi", "divui", "remsi", "remui", "floordivsi", "ceildivui", "shli", "andi"]
_POINTERS = "%to: !llvm.ptr, %from: !llvm.ptr"
_MEMREFS = "%i8: memref<?xi8>, %f16: memref<?xf16>, %f32: memref<?xf32>, %i64: memref<?xi64>"


def _rows(_: int) -> Iterator[str]:
    """Elements of a column in rows so many rows apart, of whose places it is said that they do not wrap."""
    for apart in (0, 1, 2, 3, (1 << 19) - 1, 1 << 19, (1 << 19) + 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1):
        for factors in ("%r{0}, %a", "%a, %r{0}"):
            lines = ["%i = index.castu %t : index to i32", "%b = index.castu %n : index to i32"]
            for row in range(3):
                lines += [
                    f"%c{row} = arith.constant {row * apart} : i32",
                    f"%r{row} = arith.addi %i, %c{row} overflow<nsw> : i32",
                    f"%m{row} = arith.muli {factors.format(row)} overflow<nsw> : i32",
                    f"%e{row} = arith.addi %m{row}, %b overflow<nsw> : i32",
                    f"%o{row} = index.casts %e{row} : i32 to index",
                    f"%v{row} = memref.load %p[%o{row}] : memref<?xi32>",
                ]
            sums = ["%s = arith.addi %v0, %v1 : i32", "%w = arith.muli %s, %v2 : i32"]
            yield "\n".join([*lines, *sums, "memref.store %w, %p[%t] : memref<?xi32>"])


def grids() -> dict[str, str]:
    """The modules, by name."""
    found = {
        f"{name} loops of {trips or 'n'}": _kernels(make(trips)) for name, make in _LOOPS.items() for trips in TRIPS
    }
    found |= {
        f"branches {'with stores' if stored else 'with values'}": _kernels(_branches(stored)) for stored in (0, 1)
    }
    found |= {
        "cases": _kernels(_cases(0)),
        **{f"powers of {type_}": _kernels(_powers(type_)) for type_ in ("f32", "i32")},
    }
    for name in _BY_CONSTANTS:
        found |= {f"{name} of {width} bits": _kernels(_constants(width, f"arith.{name}")) for width in WIDTHS}
    found |= {f"vectors aligned to {n}": _kernels(_vectors(n), _MEMREFS) for n in (1, 2, 4, 8, 16, 32)}
    found |= {f"copies aligned to {n}": _kernels(_copies(n), _POINTERS) for n in (1, 2, 4, 8, 16)}
    found["rows further on"] = _kernels(_rows(0))
    return found
