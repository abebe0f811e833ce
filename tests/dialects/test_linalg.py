"""Structured operations of `linalg` with operands drawn from their maps, right and wrong: mlir-opt's text or its errors."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.dialects import oracle
from tests.dialects.arguments import CRASH, upstream
from weft.dialects.foreign.linalg import named

ELEMENTS = ("f32", "f32", "f32", "f16", "f64", "i32", "i8", "complex<f32>", "index", "i64")


def type_of(shape: list[int] | None, element: str, kind: str) -> str:
    """The type of an operand; of a scalar there is no shape."""
    return element if shape is None else f"{kind}<{''.join(f'{n}x' if n >= 0 else '?x' for n in shape)}{element}>"


def drawn(rng: Random, name: str) -> str:
    """A function of one operation; half of them have something wrong."""
    letters = named()[name]
    windows = letters[0].count("(")
    strides, dilations = ([rng.choice((1, 1, 2, 3)) for _ in range(windows)] for _ in range(2))
    plain = re.fullmatch(r"conv_\dd", name)
    if plain:
        strides, dilations = [1] * windows, [1] * windows
    sizes = {letter: rng.randint(1, 5) for letter in "abcdefghi"}
    same = [rng.randint(1, 5) for _ in range(rng.randint(0, 3))]
    shapes: list[list[int] | None] = []
    for text in (*letters, "same") if "same" in letters and name != "fill" else letters:
        found: list[int] = []
        place = 0
        for one in re.findall(r"\(\w\+\w\)|\w", "" if text == "same" else text):
            if len(one) == 1:
                found.append(sizes[one])
            else:
                found.append((sizes[one[1]] - 1) * strides[place] + (sizes[one[3]] - 1) * dilations[place] + 1)
                place += 1
        shapes.append(None if text == "-" else same[:] if text == "same" else found)
    element, kind = rng.choice(ELEMENTS), rng.choice(("memref", "tensor"))
    elements, kinds = [element] * len(shapes), [kind] * len(shapes)
    if name == "dot":
        shapes[-1] = []
    if name == "select":
        elements[0] = "i1"
    result = ""
    wrong = rng.choice(
        ("", "", "", "", "extent", "extent", "rank", "element", "kind", "operand", "result", "strides", "dynamic")
    )
    place = rng.randrange(len(shapes))
    chosen = shapes[place]
    if wrong in ("extent", "dynamic") and chosen:
        chosen[rng.randrange(len(chosen))] = -1 if wrong == "dynamic" else rng.randint(1, 6)
    elif wrong == "rank" and chosen is not None:
        chosen.append(2)
    elif wrong == "element":
        elements[place] = rng.choice(ELEMENTS)
    elif wrong == "kind":
        kinds[place] = rng.choice(("memref", "tensor", "vector"))
    elif wrong == "strides" and windows:
        strides[0] += 1
    types = [type_of(*each) for each in zip(shapes, elements, kinds, strict=True)]
    inputs = types[:-1]
    if wrong == "operand" and inputs and name != "elementwise":  # Of which mlir-opt dies.
        inputs.pop()
    if types[-1].startswith("tensor") and wrong != "result":
        result = f" -> {types[-1]}"
    elif wrong == "result":
        result = f" -> {rng.choice(types)}"
    given = {"strides": strides, "dilations": dilations} if windows and not plain else {}
    attributes = ", ".join(f"{key} = dense<{value}> : tensor<{len(value)}xi64>" for key, value in given.items())
    names = [f"%{i}" for i in range(len(types))]
    head = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True)).replace("%", "%a")
    ins = f"ins({', '.join(names[: len(inputs)])} : {', '.join(inputs)})".replace("%", "%a") if inputs else ""
    word = "kind=#linalg.elementwise_kind<exp> " if name == "elementwise" else ""
    bound = "%r = " if result else ""
    return (
        f"func.func @f({head}) {{\n  {bound}linalg.{name} {word}{{{attributes}}} {ins} "
        f"outs(%a{len(types) - 1} : {types[-1]}){result}\n  return\n}}\n"
    )


MAPS = ("d0", "d1", "d0, d1", "d1, d0", "", "d0 + d1", "d0 * 2, d1", "0, d0", "d0 - 1")
LIMITS = (
    (r"expected add/mul op in the body", "what upstream asks of the body of products of tests and indices"),
    (r"unsupported operation: \w+( \w+)? (with bools|not on uint)", "arithmetic that tests do not have"),
    (CRASH, "mlir-opt dies"),
    (r"input: \d{6,}", "upstream reads beyond the shape"),
)
"""What mlir-opt says that weft does not, and why."""


def generic(rng: Random) -> str:
    """A `linalg.generic` with two operands."""
    maps = [f"affine_map<(d0, d1) -> ({rng.choice(MAPS)})>" for _ in range(2)]
    shapes = [
        [rng.choice((2, 3, 4)) for _ in filter(None, text.split("(")[2].rstrip(")>").split(","))] for text in maps
    ]
    if rng.random() < 0.3:
        rng.choice(shapes).append(3)
    elements = [rng.choice(("f32", "f32", "i32")) for _ in shapes]
    a, b = (type_of(shape, element, "memref") for shape, element in zip(shapes, elements, strict=True))
    arguments = elements if rng.random() < 0.8 else elements[::-1]
    loops = ", ".join(['"parallel"'] * rng.choice((2, 2, 2, 1)))
    index = f"    %k = linalg.index {rng.choice((0, 1, 2))} : index\n" if rng.random() < 0.3 else ""
    return (
        f"func.func @f(%a: {a}, %b: {b}) {{\n  linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = [{loops}]}} "
        f"ins(%a : {a}) outs(%b : {b}) {{\n  ^bb0(%x: {arguments[0]}, %y: {arguments[1]}):\n{index}"
        f"    linalg.yield {rng.choice(('%y', '%y', '%x'))} : {arguments[1]}\n  }}\n  return\n}}\n"
    ).replace("linalg.yield %x : " + arguments[1], f"linalg.yield %x : {arguments[0]}")


def contraction(rng: Random) -> str:
    """A `linalg.contract`, in most cases near one that is right: a place of a map, an element or an extent is another."""
    sizes = {loop: rng.choice((3, 4, 5)) for loop in "ijkl"}
    loops = rng.choice(("ijk", "ijk", "ijk", "ijkl", "ij"))
    maps = [rng.sample(letters, len(letters)) for letters in (["i", "k"], ["k", "j"], ["i", "j"])]
    if rng.random() < 0.4:
        rng.choice(maps)[rng.randrange(2)] = rng.choice(loops)
    if rng.random() < 0.2:
        maps = [rng.sample(loops, rng.randint(1, len(loops))) for _ in maps]
    shapes = [[sizes[loop] for loop in map_] for map_ in maps]
    if rng.random() < 0.2:
        rng.choice(shapes)[0] = rng.choice((-1, 6))
    elements = ["f32"] * 3 if rng.random() < 0.6 else [rng.choice(ELEMENTS) for _ in maps]
    a, b, c = (type_of(*each, "tensor") for each in zip(shapes, elements, strict=True))
    used = "".join(sorted({*loops, *(loop for map_ in maps for loop in map_)}))
    texts = [f"affine_map<({', '.join(used)}) -> ({', '.join(map_)})>" for map_ in maps]
    return (
        f"func.func @f(%a: {a}, %b: {b}, %c: {c}) {{\n  %r = linalg.contract indexing_maps = [{', '.join(texts)}] "
        f"ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}\n  return\n}}\n"
    )


def product(rng: Random) -> str:
    """A product with maps of its own, most of which are not allowed; ranks agree."""
    name = rng.choice(("matmul", "batch_matmul", "batch_reduce_matmul"))
    letters = named()[name]
    loops = [f"d{place}" for place in range(len({*"".join(letters)}))]
    maps = [[f"d{ord(letter) - ord('a')}" for letter in own] for own in letters]
    for _ in range(rng.randint(0, 2)):
        changed = rng.choice(maps)
        if rng.random() < 0.3:
            rng.shuffle(changed)
        elif rng.random() < 0.3:
            changed.append(rng.choice(loops))
        elif rng.random() < 0.5 and len(changed) > 1:
            del changed[rng.randrange(len(changed))]
        else:
            changed[rng.randrange(len(changed))] = rng.choice((*loops, "d0 + d1", "0"))
    types = [type_of([-1] * len(results), "f32", "memref") for results in maps]
    said = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(results)})>" for results in maps)
    inputs = f"ins(%a, %b : {types[0]}, {types[1]}) outs(%c : {types[2]})"
    arguments = f"%a: {types[0]}, %b: {types[1]}, %c: {types[2]}"
    return f"func.func @f({arguments}) {{\n  linalg.{name} indexing_maps = [{said}] {inputs}\n  return\n}}\n"


def verdicts(mlir_opt: str, texts: list[str]) -> list[str]:
    """Where the two differ: one refuses, or they print other texts."""
    given = [oracle.Case(text, 0) for text in texts]
    found: list[str] = []
    for case, mine, theirs in zip(given, oracle.ours(given), upstream(mlir_opt, given), strict=True):
        # mlir-opt prints nothing where the error is in a body that it has made.
        refused = [not said or re.match(r"\d+:\d+: ", said) is not None for said in (mine, theirs)]
        apart = refused[0] != refused[1] or (not refused[0] and mine != theirs)
        if apart and not any(re.search(said, theirs) for said, _ in LIMITS):
            found.append(f"{case.text}  theirs: {theirs}\n  ours:   {mine}\n")
    return found


def texts(seed: int, count: int) -> list[str]:
    rng = Random(seed)
    found = [drawn(rng, name) for name in named() for _ in range(count)]
    return [*found, *(make(rng) for _ in range(20 * count) for make in (generic, contraction))]


def test_drawn(mlir_opt: str) -> None:
    assert not verdicts(mlir_opt, texts(1, 1))


def test_products_with_maps_of_their_own(mlir_opt: str) -> None:
    rng = Random(5)
    given = [oracle.Case(product(rng), 0) for _ in range(150)]
    found = oracle.ours(given)
    assert found == oracle.upstream(mlir_opt, given)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_drawn(seed: int, mlir_opt: str) -> None:
    assert not verdicts(mlir_opt, texts(seed, 12))


MOVED = (
    ("transpose", "4x3", "3x4", "permutation = [1, 0]"),
    ("transpose", "4x3", "4x3", "permutation = [1, 0]"),
    ("transpose", "4x3", "3x4", "permutation = [1, 1]"),
    ("transpose", "4x3", "3x4", "permutation = [1]"),
    ("transpose", "4x3", "3x4x2", "permutation = [1, 0]"),
    ("broadcast", "4", "4x3", "dimensions = [1]"),
    ("broadcast", "4", "3x4", "dimensions = [1]"),
    ("broadcast", "4", "3x4", "dimensions = [0, 1]"),
    ("broadcast", "4", "3x4", "dimensions = [5]"),
    ("reduce { arith.addf }", "4x3", "4", "dimensions = [1]"),
    ("reduce { arith.addf }", "4x3", "4", "dimensions = [0]"),
    ("reduce { arith.addf }", "4x3", "4", "dimensions = [0, 1]"),
    ("reduce { arith.addf }", "4x3", "4", "dimensions = [2]"),
    ("reduce { arith.addf }", "4x3x2", "4", "dimensions = [2, 1]"),
    ("map { math.absf }", "4x3", "4x3", ""),
    ("map { math.absf }", "4x?", "4", ""),
    ("map { math.absf }", "4", "5", ""),
)


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_moved(element: str, mlir_opt: str) -> None:
    """Operations with a syntax of their own say what mlir-opt says."""
    given: list[oracle.Case] = []
    for op, source, target, how in MOVED:
        a, b = f"memref<{source}xf32>", f"memref<{target}x{element}>"
        text = f"func.func @f(%a: {a}, %b: {b}) {{\n  linalg.{op} ins(%a : {a}) outs(%b : {b}) {how}\n  return\n}}\n"
        given.append(oracle.Case(text, 0))
    assert oracle.ours(given) == oracle.upstream(mlir_opt, given)


PACKED = (
    ("pack", "4x8", "2x4x2x2", "[0, 1]", "[2, 2]", ""),
    ("pack", "4x8", "2x4x2x2", "[0, 1]", "[2]", ""),
    ("pack", "4x8", "2x4x2x2", "[0, 1]", "[2, 0]", ""),
    ("pack", "4x8", "2x4x2x2", "[0, 0]", "[2, 2]", ""),
    ("pack", "4x8", "2x4x2x2", "[0, 1]", "[2, 2]", "outer_dims_perm = [1, 1] "),
    ("pack", "4x8", "4x2x2x2", "[0, 1]", "[2, 2]", "outer_dims_perm = [1, 0] "),
    ("pack", "4x8", "2x4x2", "[0, 1]", "[2, 2]", ""),
    ("pack", "4x8", "2x4x2x3", "[0, 1]", "[2, 2]", ""),
    ("pack", "4x8", "2x3x2x2", "[0, 1]", "[2, 2]", ""),
    ("pack", "?x8", "3x4x2x2", "[0, 1]", "[2, 2]", ""),
    ("pack", "5x8", "3x4x2x2", "[0, 1]", "[2, 2]", ""),
    ("pack", "5x8", "3x4x2x2", "[0, 1]", "[2, 2]", "padding_value(%v : f32) "),
    ("pack", "5x8", "3x4x2x2", "[0, 1]", "[2, 2]", "padding_value(%w : i32) "),
    ("unpack", "2x4x2x2", "4x8", "[0, 1]", "[2, 2]", ""),
    ("unpack", "2x4x2x2", "4x8", "[0, 1]", "[2, 3]", ""),
    ("unpack", "2x4x2x2", "4x9", "[0, 1]", "[2, 2]", ""),
)


def test_packed(mlir_opt: str) -> None:
    given: list[oracle.Case] = []
    for op, source, target, axes, tiles, more in PACKED:
        a, b = f"tensor<{source}xf32>", f"tensor<{target}xf32>"
        text = f"%0 = linalg.{op} %a {more}inner_dims_pos = {axes} inner_tiles = {tiles} into %b : {a} -> {b}"
        given.append(oracle.Case(f"func.func @f(%a: {a}, %b: {b}, %v: f32, %w: i32) {{\n  {text}\n  return\n}}\n", 0))
    assert oracle.ours(given) == oracle.upstream(mlir_opt, given)
