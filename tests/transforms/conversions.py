"""Valid operations of `nvgpu` of every kind and size, for `convert-nvgpu-to-nvvm` beside mlir-opt's pass.

`python -m tests.transforms.conversions COUNT SEED` compares COUNT of each operation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from random import Random

from tests.dialects import oracle
from tests.dialects.arguments import differences

PASS = "convert-nvgpu-to-nvvm"
_BITS = {
    "f64": 64,
    "f32": 32,
    "i32": 32,
    "f16": 16,
    "bf16": 16,
    "i16": 16,
    "i8": 8,
    "f8E4M3FN": 8,
    "f8E5M2": 8,
    "i4": 4,
}
_SHARED = (", 3", ", #gpu.address_space<workgroup>")
_GLOBAL = ("", ", 1", ", #gpu.address_space<global>")


def _function(arguments: dict[str, str], *lines: str) -> str:
    named = ", ".join(f"{name}: {kind}" for name, kind in arguments.items())
    body = "".join(f"  {line}\n" for line in lines)
    return f"func.func @f({named}) {{\n{body}  return\n}}\n"


def _memref(
    rng: Random, element: str, spaces: tuple[str, ...], rank: int | None = None, last: int | None = None
) -> str:
    """A memref of unit stride, dense or strided, with static and dynamic sizes."""
    rank = rank or rng.randint(1, 4)
    sizes = [rng.choice(("?", "4", "16", "64", "128")) for _ in range(rank)]
    if last is not None:
        sizes[-1] = str(last)
    layout = ""
    if rng.random() < 0.3:
        strides = [rng.choice(("?", "32", "256")) for _ in range(rank - 1)]
        offset = rng.choice(("", ", offset: ?", ", offset: 16"))
        layout = f", strided<[{', '.join([*strides, '1'])}]{offset}>"
    return f"memref<{'x'.join(sizes)}x{element}{layout}{rng.choice(spaces)}>"


def _indices(rng: Random, count: int) -> str:
    return ", ".join(rng.choice(("%i", "%j")) for _ in range(count))


_INDEX = {"%i": "index", "%j": "index"}


def async_copy(rng: Random) -> str:
    """A copy of 4, 8 or 16 bytes."""
    element = rng.choice([name for name in _BITS if name != "i4"])
    ranks = rng.randint(1, 4), rng.randint(1, 4)
    source, target = _memref(rng, element, _GLOBAL, ranks[0]), _memref(rng, element, _SHARED, ranks[1])
    size = rng.choice([size for size in (4, 8, 16) if size * 8 >= _BITS[element]])
    count = size * 8 // _BITS[element]
    some = ", %n" if rng.random() < 0.4 else ""
    bypass = " {bypassL1}" if size == 16 and rng.random() < 0.5 else ""
    return _function(
        {"%g": source, "%s": target, "%n": "index"} | _INDEX,
        f"%t = nvgpu.device_async_copy %g[{_indices(rng, ranks[0])}], %s[{_indices(rng, ranks[1])}], {count}{some}{bypass}"
        f" : {source} to {target}",
        f"%q = nvgpu.device_async_create_group{rng.choice(('', ' %t', ' %t, %t'))}",
        f"nvgpu.device_async_wait %q{rng.choice(('', ' {numGroups = 0 : i32}', ' {numGroups = 3 : i32}'))}",
    )


def ldmatrix(rng: Random) -> str:
    """A load of tiles."""
    element = rng.choice(("f16", "bf16", "i16", "f32", "i32", "i8", "i4"))
    rank, tiles = rng.randint(1, 4), rng.choice((1, 2, 4))
    source = _memref(rng, element, _SHARED, rank)
    transpose = str(_BITS[element] == 16 and rng.random() < 0.5).lower()
    return _function(
        {"%s": source} | _INDEX,
        f"%r = nvgpu.ldmatrix %s[{_indices(rng, rank)}] {{transpose = {transpose}, numTiles = {tiles} : i32}} : {source}"
        f" -> vector<{tiles}x{32 // _BITS[element]}x{element}>",
    )


_PRODUCTS: list[tuple[str, str, tuple[int, int, int]]] = [
    *(("f16", accumulator, (16, 8, k)) for accumulator in ("f16", "f32") for k in (8, 16)),
    *(("f32", "f32", (16, 8, k)) for k in (4, 8)),
    ("f64", "f64", (8, 8, 4)),
    *(("i8", "i32", (16, 8, k)) for k in (16, 32)),
    *(("i4", "i32", (16, 8, k)) for k in (32, 64)),
]


def _fragment(element: str, count: int) -> str:
    """The registers of a lane that hold `count` elements of a multiplicand."""
    each = max(1, 32 // _BITS[element])
    return f"vector<{count // each}x{each}x{element}>"


def _accumulator(element: str, count: int) -> str:
    return f"vector<{count // 2}x2x{element}>"


def mma(rng: Random) -> str:
    """A dense product."""
    element, accumulator, (m, n, k) = rng.choice(_PRODUCTS)
    a, b = _fragment(element, m * k // 32), _fragment(element, k * n // 32)
    c = _accumulator(accumulator, m * n // 32)
    tf32 = ", tf32Enabled" if element == "f32" else ""
    return _function(
        {"%a": a, "%b": b, "%c": c},
        f"%d = nvgpu.mma.sync(%a, %b, %c) {{mmaShape = [{m}, {n}, {k}]{tf32}}} : ({a}, {b}, {c}) -> {c}",
    )


def sparse(rng: Random) -> str:
    """A product of a sparse matrix."""
    element, accumulator, (m, n, k) = rng.choice([product for product in _PRODUCTS if product[0] != "f64"])
    k *= 2
    a, b = _fragment(element, m * k // 64), _fragment(element, k * n // 32)
    c = _accumulator(accumulator, m * n // 32)
    tf32 = ", tf32Enabled" if element == "f32" else ""
    selector = rng.choice(("", ", sparsitySelector = 1 : i32", ", sparsitySelector = 0 : i32"))
    return _function(
        {"%a": a, "%b": b, "%c": c, "%m": "vector<2xi16>"},
        f"%d = nvgpu.mma.sp.sync(%a, %b, %c) metadata(%m) {{mmaShape = [{m}, {n}, {k}]{tf32}{selector}}} : "
        f"({a}, {b}, {c}) -> {c}",
    )


def _group(rng: Random) -> str:
    space = rng.choice(("#gpu.address_space<workgroup>", "3"))
    count = rng.choice(("", ", num_barriers = 2", ", num_barriers = 7"))
    return f"!nvgpu.mbarrier.group<memorySpace = {space}{count}>"


def barriers(rng: Random) -> str:
    """Operations on one group of barriers."""
    group = _group(rng)
    predicate = rng.choice(("", ", predicate = %p"))
    lines = [f"%b = nvgpu.mbarrier.create -> {group}"]
    at = rng.choice(("%i", "%j"))
    choices = [
        f"nvgpu.mbarrier.init %b[{at}], %j{predicate} : {group}",
        (
            f"%t0 = nvgpu.mbarrier.arrive %b[{at}] : {group} -> !nvgpu.mbarrier.token\n"
            f"  %w0 = nvgpu.mbarrier.test.wait %b[%j], %t0 : {group}, !nvgpu.mbarrier.token"
        ),
        f"%t1 = nvgpu.mbarrier.arrive.nocomplete %b[{at}], %i : {group} -> !nvgpu.mbarrier.token",
        f"nvgpu.mbarrier.arrive.expect_tx %b[{at}], %j{predicate} : {group}",
        f"nvgpu.mbarrier.try_wait.parity %b[{at}], %q, %j : {group}",
        f"%m = nvgpu.mbarrier.get %b[{at}] : {group} -> {rng.choice(('i32', 'i64'))}",
    ]
    return _function({"%p": "i1", "%q": "i1"} | _INDEX, *lines, *rng.sample(choices, rng.randint(1, 4)))


_SPANS = {"none": None, "swizzle_32b": 32, "swizzle_64b": 64, "swizzle_128b": 128}


def _descriptor(rng: Random, tensor: str, swizzle: str) -> str:
    promotion = rng.choice(("none", "l2promo_64b", "l2promo_128b", "l2promo_256b"))
    return (
        f"!nvgpu.tensormap.descriptor<tensor = {tensor}, swizzle = {swizzle}, l2promo = {promotion}, "
        f"oob = {rng.choice(('zero', 'nan'))}, interleave = none>"
    )


def tma(rng: Random) -> str:
    """Loads and stores of a box, and what is done with its descriptor."""
    element = rng.choice(("f16", "bf16", "f32", "i8", "i32", "f64", "f8E4M3FN"))
    swizzle = rng.choice(list(_SPANS))
    rank = rng.randint(1, 5)
    last = (_SPANS[swizzle] or rng.choice((16, 32, 64, 256))) * 8 // _BITS[element]
    sizes = [*(rng.choice((1, 4, 16, 64)) for _ in range(rank - 1)), last]
    tensor = f"memref<{'x'.join(map(str, sizes))}x{element}{rng.choice(_SHARED)}>"
    other = f"memref<{'x'.join(map(str, sizes))}x{element}{rng.choice(_SHARED)}>"
    descriptor, group = _descriptor(rng, tensor, swizzle), _group(rng)
    predicate, mask = rng.choice(("", ", predicate = %p")), rng.choice(("", " multicast_mask = %m"))
    load = (
        f"nvgpu.tma.async.load %d[{_indices(rng, rank)}], %b[{rng.choice(('%i', '%j'))}] to %s{mask and ' multicast_mask = %m'}"
        f"{predicate} : {descriptor}, {group} -> {other}"
    )
    choices = [
        load,
        f"nvgpu.tma.async.store %s to %d[{_indices(rng, rank)}]{predicate} : {other} -> {descriptor}",
        f"nvgpu.tma.prefetch.descriptor %d{predicate} : {descriptor}",
        f"nvgpu.tma.fence.descriptor %d : {descriptor}",
    ]
    create = f"%b = nvgpu.mbarrier.create -> {group}"
    arguments = {"%d": descriptor, "%s": other, "%p": "i1", "%m": "i16"} | _INDEX
    return _function(arguments, create, *rng.sample(choices, rng.randint(1, 3)))


def create_descriptor(rng: Random) -> str:
    """A descriptor made on the host."""
    element = rng.choice(("f16", "bf16", "f32", "f64"))  # MLIR 22 takes integers without a sign for bf16.
    rank = rng.randint(1, 5)
    sizes = [*("4" for _ in range(rank - 1)), str(128 * 8 // _BITS.get(element, 64))]
    descriptor = _descriptor(rng, f"memref<{'x'.join(sizes)}x{element}{rng.choice(_SHARED)}>", rng.choice(list(_SPANS)))
    return _function(
        {"%t": f"memref<*x{element}>"} | _INDEX,
        f"%d = nvgpu.tma.create.descriptor %t box[{_indices(rng, rank)}] : memref<*x{element}> -> {descriptor}",
    )


_WGMMA = {"f16": ("f32", 16), "bf16": ("f32", 16), "f32": ("f32", 8), "f8E4M3FN": ("f32", 32), "f8E5M2": ("f32", 32)}


def warpgroup(rng: Random) -> str:
    """Descriptors, a product of several tiles, and its result in memory."""
    element = rng.choice(list(_WGMMA))
    accumulator, depth = _WGMMA[element]
    m, k = 64 * rng.randint(1, 3), depth * rng.choice((1, 2, 4))
    n = 8 * rng.randint(1, 32)
    a, b = f"memref<{m}x{k}x{element}{rng.choice(_SHARED)}>", f"memref<{k}x{n}x{element}{rng.choice(_SHARED)}>"
    fragmented = f"<fragmented = vector<{m}x{n}x{accumulator}>>"
    whole = f"!nvgpu.warpgroup.accumulator{fragmented}"
    transposes = rng.choice(("{transposeB}", "{transposeB}", "{transposeA, transposeB}", ""))
    if element not in ("f16", "bf16"):
        transposes = ""
    wait = rng.choice(("", "waitGroup = 0 : i64", "waitGroup = 2 : i64"))
    inside = ", ".join(part for part in (transposes.strip("{}"), wait) if part)
    attributes = f" {{{inside}}}" if inside else ""
    swizzled = f"memref<128x{128 * 8 // _BITS[element]}x{element}, 3>"
    map_ = _descriptor(rng, swizzled, "swizzle_128b")
    target = f"memref<{m}x{n}x{accumulator}{rng.choice((*_GLOBAL, *_SHARED))}>"
    lines = [
        f"%da = nvgpu.warpgroup.generate.descriptor %a, %t : {a}, {map_} -> !nvgpu.warpgroup.descriptor<tensor = {a}>",
        f"%db = nvgpu.warpgroup.generate.descriptor %b, %t : {b}, {map_} -> !nvgpu.warpgroup.descriptor<tensor = {b}>",
        f"%z = nvgpu.warpgroup.mma.init.accumulator -> {whole}",
        f"%d = nvgpu.warpgroup.mma %da, %db, %z{attributes} : <tensor = {a}>, <tensor = {b}>, {fragmented} -> {fragmented}",
    ]
    # MLIR 22 places the rows from the 64th on by the number of registers, which is right for 128 columns only.
    if m == 64 or n == 128:
        lines.append(f"nvgpu.warpgroup.mma.store %d, %c : {fragmented} to {target}")
    return _function({"%a": a, "%b": b, "%t": map_, "%c": target}, *lines)


def rcp(rng: Random) -> str:
    """Reciprocals."""
    vector = f"vector<{rng.choice(('1', '2', '7', '16', '2x3'))}xf32>"
    return _function({"%v": vector}, f"%r = nvgpu.rcp %v {{rounding = approx, ftz}} : {vector}")


KINDS: tuple[Callable[[Random], str], ...] = (
    async_copy, ldmatrix, mma, sparse, barriers, tma, create_descriptor, warpgroup, rcp,
)  # fmt: skip


def cases(count: int, seed: int = 0) -> Iterator[oracle.Case]:
    """`count` functions of each kind."""
    for make in KINDS:
        rng = Random(f"{make.__name__} {seed}")
        for text in dict.fromkeys(make(rng) for _ in range(count)):
            yield oracle.Case(text, 0)


def main(count: str, seed: str) -> None:
    """Compare."""
    from tests.conftest import llvm_tool

    given = list(cases(int(count), int(seed)))
    found = list(differences(llvm_tool("mlir-opt"), given, PASS))
    print("\n".join(found))
    print(len(given), "functions,", len(found), "differences")


if __name__ == "__main__":
    main(*sys.argv[1:])
