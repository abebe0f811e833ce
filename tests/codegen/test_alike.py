"""Two scalar instructions on f32 become one on a pair where the target has these, and give the same."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft

DISTANCES = """gpu.module @m { gpu.func @k(%x: memref<64x4xf32>, %o: memref<32x4xf32>, %n: index) kernel {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %t = gpu.thread_id x
  %a = memref.load %x[%t, %c0] : memref<64x4xf32>
  %b = memref.load %x[%t, %c1] : memref<64x4xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %zero, %q = %zero) -> (f32, f32) {
    %c = memref.load %x[%i, %c0] : memref<64x4xf32>
    %d = memref.load %x[%i, %c1] : memref<64x4xf32>
    %w = memref.load %x[%i, %c2] : memref<64x4xf32>
    %dx = arith.subf %c, %a : f32
    %dy = arith.subf %d, %b : f32
    %fx = arith.mulf %dx, %w : f32
    %fy = arith.mulf %dy, %w : f32
    %s = arith.addf %p, %fx : f32
    %u = arith.addf %q, %fy : f32
    scf.yield %s, %u : f32, f32
  }
  memref.store %r#0, %o[%t, %c0] : memref<32x4xf32>
  memref.store %r#1, %o[%t, %c1] : memref<32x4xf32>
  gpu.return } }"""


def _ran(text: str, target: str, *arguments: object) -> np.ndarray:
    out = np.zeros((32, 4), np.float32)
    module = weft.compile(text, target, bare_pointers=True)
    weft.run(module, "k", grid=(1,), block=(32,), args=[arguments[0], out, *arguments[1:]])
    return out


def _numbers(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(64, 4)).astype(np.float32)


def test_what_a_loop_carries_stays_a_pair() -> None:
    ptx = weft.compile(DISTANCES, "sm_100a").to_ptx()
    loop = ptx[ptx.index("BB0_2:") :]
    assert [stem for stem in ("sub", "mul", "add") if f"{stem}.rn.f32x2" in loop] == ["sub", "mul", "add"]
    assert "rn.f32 " not in loop
    assert "f32x2" not in weft.compile(DISTANCES, "sm_90a").to_ptx()
    data = _numbers(1)
    assert np.array_equal(_ran(DISTANCES, "sm_100a", data, 9), _ran(DISTANCES, "sm_90a", data, 9))


@pytest.mark.parametrize(
    "body",
    [
        "%p = arith.addf %a, %b : f32\n %q = arith.addf %p, %c : f32",  # One needs the other.
        "%p = arith.addf %a, %b : f32\n %q = arith.subf %c, %d : f32",
        """%k = arith.constant 3.0 : f32
        %l = arith.constant 5.0 : f32
        %p = arith.mulf %a, %k : f32
        %q = arith.mulf %b, %l : f32""",  # Constants are free in scalar ones only.
        "%n = arith.negf %a : f32\n %p = arith.addf %n, %b : f32\n %q = arith.addf %c, %d : f32",
    ],
)
def test_what_is_no_pair(body: str) -> None:
    text = f"""gpu.module @m {{ gpu.func @k(%x: memref<64x4xf32>, %o: memref<32x4xf32>) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c3 = arith.constant 3 : index
      %t = gpu.thread_id x
      %a = memref.load %x[%t, %c0] : memref<64x4xf32>
      %b = memref.load %x[%c0, %t] : memref<64x4xf32>
      %c = memref.load %x[%c1, %t] : memref<64x4xf32>
      %d = memref.load %x[%c2, %t] : memref<64x4xf32>
      {body}
      memref.store %p, %o[%t, %c0] : memref<32x4xf32>
      memref.store %q, %o[%t, %c3] : memref<32x4xf32>
      gpu.return }} }}"""
    assert "f32x2" not in weft.compile(text, "sm_100a", bare_pointers=True).to_ptx()


def _drawn(rng: Random) -> str:
    """A loop that carries some f32 and has stores and branches between instructions, of which many have a twin."""
    names = [f"%x{i}" for i in range(rng.randrange(1, 5))]
    lines = ["%c0 = arith.constant 0 : index", "%c1 = arith.constant 1 : index", "%t = gpu.thread_id x"]
    lines += [f"%k{i} = arith.constant {rng.choice((0.5, -1.25, 2.0, 3.0))} : f32" for i in range(2)]
    lines += [f"%j{i} = arith.constant {i} : index" for i in range(4)]
    lines += [f"%s{i} = memref.load %x[%t, %j{i}] : memref<64x4xf32>" for i in range(len(names))]
    kinds = ", ".join(["f32"] * len(names))
    pairs = ", ".join(f"{name} = %s{i}" for i, name in enumerate(names))
    lines.append(f"%r:{len(names)} = scf.for %i = %c0 to %n step %c1 iter_args({pairs}) -> ({kinds}) {{")
    known = ["%k0", "%k1", *names]
    for number in range(rng.randrange(3, 20)):
        lines += _step(rng, number, known)
    lines.append(f"scf.yield {', '.join(rng.choice(known) for _ in names)} : {kinds} }}")
    lines += [f"memref.store %r#{i}, %o[%t, %j{i}] : memref<32x4xf32>" for i in range(len(names))]
    body = "\n  ".join(lines)
    head = "%x: memref<64x4xf32>, %o: memref<32x4xf32>, %n: index"
    return f"gpu.module @m {{ gpu.func @k({head}) kernel {{\n  {body}\n  gpu.return }} }}"


def _step(rng: Random, number: int, known: list[str]) -> list[str]:
    """Lines that define `%v` of the number, some of them also `%u` with the same operation."""
    a, b, c, d = (rng.choice(known[-9:] + known[:2]) for _ in range(4))
    out, what, at = f"%v{number}", rng.randrange(12), f"[%t, %j{rng.randrange(4)}]"
    known.append(out)
    if what < 2:
        return [f"{out} = memref.load %x[%i, %j{rng.randrange(4)}] : memref<64x4xf32>"]
    if what == 2:
        return [f"memref.store {a}, %o{at} : memref<32x4xf32>", f"{out} = memref.load %o{at} : memref<32x4xf32>"]
    if what == 3:
        return [f"{out} = arith.negf {a} : f32"]
    if what == 4:
        branches = f"memref.store {c}, %o{at} : memref<32x4xf32>", ""
        sides = [f"{{\n {more}\n %w = arith.{name} {a}, {c} : f32\n scf.yield %w : f32 }}"
                 for more, name in zip(branches, ("mulf", "addf"), strict=True)]  # fmt: skip
        return [
            f"%b{number} = arith.cmpf olt, {a}, {b} : f32",
            f"{out} = scf.if %b{number} -> f32 {' else '.join(sides)}",
        ]
    known.append(f"%u{number}")
    if what == 5:
        return [f"{name} = math.fma {x}, {b}, {d} : f32" for name, x in ((out, a), (known[-1], c))]
    stem = ("addf", "subf", "mulf")[what % 3]
    return [f"{name} = arith.{stem} {x}, {y} : f32" for name, x, y in ((out, a, b), (known[-1], c, rng.choice((b, d))))]


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(300))
def test_pairs_give_what_scalars_do(seed: int) -> None:
    text = _drawn(Random(seed))
    data = _numbers(seed)
    with np.errstate(all="ignore"):
        pairs, scalars = (_ran(text, target, data, 3).view(np.uint32) for target in ("sm_100a", "sm_90a"))
    assert np.array_equal(pairs, scalars)
