"""Programs of three files of CUDA C, each file by weft, LLVM or nvcc: every mixture links."""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path

import pytest

import weft
from tests.codegen.oracle import tool
from tests.conftest import nvidia_tool
from tests.differential.c.judge import by_llvm, by_weft
from weft.toolchain import Cubin, assemble, link

TARGET = "sm_90"
STRUCT = "struct S { char c; double d; int v[3]; };"
PROGRAMS = {
    "tables of functions": (
        """typedef float (*fn)(float); extern __device__ fn table[3]; extern __device__ __constant__ float scale[4];
        static __device__ __noinline__ float helper(float x) { return x + 1; }
        extern "C" __global__ void kernel(float *p, int n) { p[n] = helper(table[n % 3](p[n])) * scale[n & 3]; }""",
        """typedef float (*fn)(float); static __device__ float helper(float x) { return x * x; }
        static __device__ float minus(float x) { return -x; } extern "C" __device__ float elsewhere(float);
        __device__ fn table[3] = {helper, minus, elsewhere};""",
        """__device__ __constant__ float scale[4] = {1, 2, 3, 4};
        extern "C" __device__ float elsewhere(float x) { return x / 3.0f; }""",
    ),
    "recursion through two files": (
        """extern "C" __device__ int even(int); extern __device__ int calls;
        extern "C" __global__ void kernel(int *p) { p[0] = even(p[0]); p[1] = calls; }""",
        """extern "C" __device__ int odd(int); extern __device__ int calls;
        extern "C" __device__ int even(int n) { calls++; return n == 0 ? 1 : odd(n - 1); }""",
        """extern "C" __device__ int even(int); __device__ int calls = 5;
        extern "C" __device__ int odd(int n) { return n == 0 ? 0 : even(n - 1); }""",
    ),
    "structures by value": (
        f"""{STRUCT} extern "C" __device__ struct S make(int, double); extern "C" __device__ double use(struct S);
        extern "C" __global__ void kernel(double *p, int n) {{ struct S s = make(n, p[0]); s.v[1] += 2; p[1] = use(s); }}""",
        f"""{STRUCT} extern "C" __device__ struct S make(int n, double d) {{
        struct S s; s.c = n; s.d = d; s.v[0] = n; s.v[1] = n + 1; s.v[2] = n + 2; return s; }}""",
        f"""{STRUCT} __attribute__((weak)) __device__ int bias = 3;
        extern "C" __device__ double use(struct S s) {{ return s.c + s.d + s.v[0] + s.v[1] * s.v[2] + bias; }}""",
    ),
    "names that clash": (
        """static __device__ int state = 1; static __device__ __noinline__ int helper(int x) { state += x; return state; }
        extern __device__ long long matrix[2][3]; extern "C" __device__ int pick(int); extern "C" __device__ int second(int);
        extern "C" __global__ void kernel(long long *p, int n) {
          p[0] = helper(n) + second(n); p[1] = matrix[n & 1][n % 3]; p[2] = pick(n); p[3] = helper(1); }""",
        """static __device__ int state = 10; static __device__ __noinline__ int helper(int x) { state -= x; return state; }
        extern __device__ int third; extern "C" __attribute__((weak)) __device__ int pick(int x) { return x + third; }
        extern "C" __device__ int second(int n) { return helper(n) * helper(2); }""",
        """static __device__ int state = 100; static __device__ __noinline__ int helper(int x) { return state ^= x; }
        __device__ long long matrix[2][3] = {{1, -2, 3}, {4, 5, -6000000000}}; __device__ int third = 7;
        extern "C" __device__ int last(int x) { return helper(x); }""",
    ),
    "small and wide values": (
        """struct P { float x, y; }; extern "C" __device__ signed char low(short, unsigned char); extern "C" __device__ __int128 wide(__int128, int);
        extern "C" __device__ struct P turn(struct P, float); extern "C" __device__ void each(void (*)(int *), int *);
        static __device__ void twice(int *x) { *x *= 2; }
        extern "C" __global__ void kernel(int *p, float *f) {
          struct P q = {f[0], f[1]}; q = turn(q, 2.0f); f[0] = q.x; f[1] = q.y; p[0] = low(p[0], p[1]); each(twice, p + 2);
          __int128 w = wide(p[1], 70); p[3] = (int)(w >> 70); p[4] = (int)(w >> 127); }""",
        """struct P { float x, y; }; extern "C" __device__ signed char low(short a, unsigned char b) { return a * b; }
        extern "C" __device__ struct P turn(struct P p, float by) { struct P r = {p.y * by, -p.x * by}; return r; }""",
        """extern "C" __device__ __int128 wide(__int128 x, int by) { return (x << by) - (x << 3); }
        extern "C" __device__ void each(void (*f)(int *), int *p) { for (int i = 0; i < 3; i++) f(p); }""",
    ),
}
IN_C = {'extern "C"': "", "__device__ __constant__": "__attribute__((address_space(4)))", "__device__": "",
        "__global__": "__attribute__((nvptx_kernel))", "__noinline__": "__attribute__((noinline))"}  # fmt: skip


def llvm_ir(source: str) -> str:
    """What clang makes of a file, whose words of CUDA are attributes in C."""
    for word, attribute in IN_C.items():
        source = source.replace(word, attribute)
    options = ("--target=nvptx64-nvidia-cuda", f"-march={TARGET}", "-nogpulib", "-w", "-O1", "-Xclang", "-target-feature",
               "-Xclang", "+ptx86", "-x", "c", "-emit-llvm", "-S", "-o", "-", "-")  # fmt: skip
    return subprocess.run([tool("clang"), *options], input=source, capture_output=True, text=True, check=True).stdout


def by_nvcc(source: str, path: Path) -> bytes:
    path.write_text(source)
    result = path.with_suffix(".cubin")
    command = [nvidia_tool("nvcc").path, f"-arch={TARGET}", "-rdc=true", "-cubin", "-o", str(result), str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return result.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_mixture_links(name: str, tmp_path: Path) -> None:
    nvidia_tool("nvlink")
    made: list[list[Cubin | bytes]] = []
    for number, source in enumerate(PROGRAMS[name]):
        ir = llvm_ir(source)
        objects = [assemble(module, relocatable=True) for module in (by_weft(ir), by_llvm(ir, 2))]
        made.append([*objects, by_nvcc(source, tmp_path / f"p{number}.cu")])
    for parts in product(*made):
        linked = link({f"p{number}": part for number, part in enumerate(parts)}, TARGET)
        assert [resources.name for resources in linked.kernels] == ["kernel"]


def test_a_structure_by_value_is_declared_as_bytes() -> None:
    """A declaration had a pointer in its place, and no call of it compiled."""
    note = "{llvm.align = 8 : i64, llvm.byval = !llvm.struct<(i8, f64)>}"
    text = f"""llvm.func @use(i32, !llvm.ptr {note}) -> f64
    llvm.func @f(%n: i32, %p: !llvm.ptr {note}) -> f64 {{
      %r = llvm.call @use(%n, %p) : (i32, !llvm.ptr {note}) -> f64
      llvm.return %r : f64
    }}"""
    module = weft.compile(text, TARGET)
    declared = next(function for function in module.functions if function.name == "use")
    assert [(p.type, p.align, p.dims) for p in declared.parameters] == [("b32", 0, ()), ("b8", 8, (16,))]
