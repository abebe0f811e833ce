"""Operations that the seed has and MLIR 22 lacks, and the tables of the seed with the floors that ptxas has."""

from __future__ import annotations

import re

import pytest

import weft
from tests.conftest import ROOT
from weft.errors import CompileError, MlirError
from weft.isa.target import Version
from weft.mlir import parse_mlir, print_mlir
from weft.toolchain import Tool
from weft.transforms import run

DESC = (
    "!nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, "
    "interleave = none>"
)
GROUP = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>"
ARGUMENTS = (
    f"%v4: vector<4x2xf16>, %v2: vector<2x2xf16>, %v1: vector<1x2xf16>, %c: vector<2x2xf32>, %meta: vector<2xi16>, "
    f"%s: memref<64x64xf16, 3>, %s8: memref<64x64xi8, 3>, %v8: vector<4x4xi8>, %g: memref<64x64xf16>, "
    f"%map: memref<128xi8, 3>, %map8: memref<16xi64, #gpu.address_space<workgroup>>, %d: {DESC}, %i: index, %w: i32, "
    f"%l: i64, %h: vector<2xf16>, %b: vector<2xbf16>, %f: vector<2xf32>, %p: i1, %acc: memref<64x64xf32, 3>"
)


def kernel(*lines: str) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    return f"gpu.module @m {{\n  gpu.func @k({ARGUMENTS}) kernel {{\n{body}\n    gpu.return\n  }}\n}}\n"


# The line, what it becomes in nvvm, what that is in PTX.
LOWERINGS: dict[str, tuple[str, str, str]] = {
    "stmatrix-4": (
        "nvgpu.stmatrix %v4, %s[%i, %i] : vector<4x2xf16>, memref<64x64xf16, 3>",
        "nvvm.stmatrix",
        r"stmatrix\.sync\.aligned\.m8n8\.x4\.shared\.b16 \[",
    ),
    "stmatrix-2-transposed": (
        "nvgpu.stmatrix %v2, %s[%i, %i] {transpose} : vector<2x2xf16>, memref<64x64xf16, 3>",
        "nvvm.stmatrix",
        r"stmatrix\.sync\.aligned\.m8n8\.x2\.trans\.shared\.b16 \[",
    ),
    "stmatrix-1": (
        "nvgpu.stmatrix %v1, %s[%i, %i] : vector<1x2xf16>, memref<64x64xf16, 3>",
        "nvvm.stmatrix",
        r"stmatrix\.sync\.aligned\.m8n8\.x1\.shared\.b16 \[",
    ),
    "stmatrix-bytes": (
        "nvgpu.stmatrix %v8, %s8[%i, %i] : vector<4x4xi8>, memref<64x64xi8, 3>",
        "nvvm.stmatrix",
        r"stmatrix\.sync\.aligned\.m8n8\.x4\.shared\.b16 \[",
    ),
    "reduce-hint": (
        (
            "nvgpu.tma.async.reduce %s to %d[%i, %i] l2_cache_hint = %l {redop = #nvvm.tma_redux_kind<max>} : "
            f"memref<64x64xf16, 3> -> {DESC}"
        ),
        "nvvm.cp.async.bulk.tensor.reduce",
        r"cp\.reduce\.async\.bulk\.tensor\.2d\.global\.shared::cta\.max\S*\.bulk_group\.L2::cache_hint \[",
    ),
    "create": (
        f"nvgpu.tensormap.create.descriptor %map to %d : memref<128xi8, 3> -> {DESC}",
        "nvvm.inline_ptx",
        r"tensormap\.cp_fenceproxy\.global\.shared::cta\.tensormap::generic\.release\.gpu\.sync\.aligned \S+ \S+ 128;",
    ),
    "address": (
        "nvgpu.tensormap.update.global_address %map, %l : memref<128xi8, 3>",
        "nvvm.inline_ptx",
        r"tensormap\.replace\.tile\.global_address\.shared::cta\.b1024\.b64 \[",
    ),
    "box": (
        "nvgpu.tensormap.update.box_dim %map8, %w {ord = 1 : i32} : memref<16xi64, #gpu.address_space<workgroup>>",
        "nvvm.inline_ptx",
        r"tensormap\.replace\.tile\.box_dim\.shared::cta\.b1024\.b32 \[%\w+\], 1, ",
    ),
    "stride": (
        "nvgpu.tensormap.update.element_stride %map, %w {ord = 4 : i32} : memref<128xi8, 3>",
        "nvvm.inline_ptx",
        r"tensormap\.replace\.tile\.element_stride\.shared::cta\.b1024\.b32 \[%\w+\], 4, ",
    ),
}
LOWERINGS |= {
    f"reduce-{kind}": (
        (
            f"nvgpu.tma.async.reduce %s to %d[%i, %i] {{redop = #nvvm.tma_redux_kind<{kind}>}} : "
            f"memref<64x64xf16, 3> -> {DESC}"
        ),
        "nvvm.cp.async.bulk.tensor.reduce",
        rf"cp\.reduce\.async\.bulk\.tensor\.2d\.global\.shared::cta\.{kind}\S*\.bulk_group \[",
    )
    for kind in ("add", "min", "max", "inc", "dec", "and", "or", "xor")
}

# Conversions and packed arithmetic, used by a store so that they stay: the line, nvvm, PTX.
VALUES: dict[str, tuple[str, str, str, str]] = {
    "fma": (
        "%r = nvgpu.fma.packed.f32x2 %f, %f, %f : vector<2xf32>",
        "vector<2xf32>",
        "nvvm.inline_ptx",
        "fma.rn.f32x2",
    ),
    "mul": ("%r = nvgpu.mul.packed.f32x2 %f, %f : vector<2xf32>", "vector<2xf32>", "nvvm.inline_ptx", "mul.rn.f32x2"),
    "rcp": (
        "%r = nvgpu.rcp %f {rounding = approx, ftz} : vector<2xf32>",
        "vector<2xf32>",
        "nvvm.rcp.approx.ftz.f",
        "rcp.approx.ftz.f32",
    ),
}
for _rnd in ("rn", "rz", "rm", "rp"):
    _attribute = f"{{ftz = true, rnd = #nvvm.fp_rnd_mode<{_rnd}>}}"
    VALUES[f"fma-{_rnd}"] = (
        f"%r = nvgpu.fma.packed.f32x2 %f, %f, %f {_attribute} : vector<2xf32>",
        "vector<2xf32>",
        "nvvm.inline_ptx",
        f"fma.{_rnd}.ftz.f32x2",
    )
for _format, _ptx in (
    ("f8E4M3FN", "e4m3x2"),
    ("f8E5M2", "e5m2x2"),
    ("f6E2M3FN", "e2m3x2"),
    ("f6E3M2FN", "e3m2x2"),
    ("f4E2M1FN", "e2m1x2"),
):
    _family = f"{_format[:2]}x2"
    VALUES[f"ext-{_format}"] = (
        f"%r = nvgpu.cvt_fpext %w : i32 ({_format}) -> vector<2xf16>",
        "vector<2xf16>",
        f"nvvm.convert.{_family}.to.f16x2",
        f"cvt.rn.f16x2.{_ptx}",
    )
    VALUES[f"ext-relu-f32-{_format}"] = (
        f"%r = nvgpu.cvt_fpext %w {{relu = true}} : i32 ({_format}) -> vector<2xf32>",
        "vector<2xf32>",
        f"nvvm.convert.{_family}.to.f16x2",
        f"cvt.rn.relu.f16x2.{_ptx}",
    )
    VALUES[f"trunc-{_format}"] = (
        f"%r = nvgpu.cvt_fptrunc %f : vector<2xf32> -> i32 ({_format})",
        "i32",
        f"nvvm.convert.f32x2.to.{_family}",
        f"cvt.rn.satfinite.{_ptx}.f32",
    )
    VALUES[f"trunc-half-{_format}"] = (
        f"%r = nvgpu.cvt_fptrunc %h {{relu = true}} : vector<2xf16> -> i32 ({_format})",
        "i32",
        f"nvvm.convert.{'f16x2' if _family == 'f8x2' else 'f32x2'}.to.{_family}",
        f"cvt.rn.satfinite.relu.{_ptx}.{'f16x2' if _family == 'f8x2' else 'f32'}",
    )
VALUES["ext-scale"] = (
    "%r = nvgpu.cvt_fpext %w : i32 (f8E8M0FNU) -> vector<2xbf16>",
    "vector<2xbf16>",
    "nvvm.convert.f8x2.to.bf16x2",
    "cvt.rn.bf16x2.ue8m0x2",
)
for _rnd in ("rz", "rp"):
    for _name, _type, _wide in (("%f", "vector<2xf32>", "f32"), ("%b", "vector<2xbf16>", "bf16x2")):
        VALUES[f"trunc-scale-{_rnd}-{_wide}"] = (
            f"%r = nvgpu.cvt_fptrunc {_name} {{rnd = #nvvm.fp_rnd_mode<{_rnd}>}} : {_type} -> i32 (f8E8M0FNU)",
            "i32",
            f"nvvm.convert.{'f32x2' if _wide == 'f32' else _wide}.to.f8x2",
            f"cvt.{_rnd}.satfinite.ue8m0x2.{_wide}",
        )


def program(name: str) -> str:
    """A kernel with the operation; a value is stored, so that it is used."""
    if name in LOWERINGS:
        return kernel(LOWERINGS[name][0])
    line, kind, _, _ = VALUES[name]
    return kernel(line, "%q = llvm.inttoptr %l : i64 to !llvm.ptr<1>", f"llvm.store %r, %q : {kind}, !llvm.ptr<1>")


@pytest.mark.parametrize("name", [*LOWERINGS, *VALUES])
def test_printed_as_read(name: str) -> None:
    text = print_mlir(parse_mlir(program(name)))
    assert print_mlir(parse_mlir(text)) == text


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", [*LOWERINGS, *VALUES])
def test_becomes_nvvm(name: str, mlir_opt: str) -> None:
    wanted = LOWERINGS[name][1] if name in LOWERINGS else VALUES[name][2]
    text = run(program(name), "convert-nvgpu-to-nvvm")
    assert "nvgpu." not in text.replace(DESC, "")
    assert f"{wanted} " in text
    from tests.dialects.oracle import Case, upstream

    (outcome,) = upstream(mlir_opt, [Case(text, 1)])
    assert outcome.startswith("module"), outcome


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", LOWERINGS)
def test_becomes_the_instruction(name: str, ptxas: Tool) -> None:
    module = weft.compile(program(name), target="sm_90a")
    assert re.search(LOWERINGS[name][2], module.to_ptx())
    weft.assemble(module)


def test_values_become_instructions(ptxas: Tool) -> None:
    for name, (_, _, _, wanted) in VALUES.items():
        module = weft.compile(program(name), target="sm_100a")
        assert f"{wanted} " in module.to_ptx(), name
        weft.assemble(module)


INVAL = kernel(f"%m = nvgpu.mbarrier.create -> {GROUP}", f"nvgpu.mbarrier.inval %m[%i] : {GROUP}")


def test_barriers_are_given_back(ptxas: Tool) -> None:
    assert "nvvm.mbarrier.inval" in run(INVAL, "convert-nvgpu-to-nvvm")
    module = weft.compile(INVAL, target="sm_80")
    assert "mbarrier.inval.shared.b64 [" in module.to_ptx()
    weft.assemble(module)


WRONG = {
    "nvgpu.stmatrix %v4, %g[%i, %i] : vector<4x2xf16>, memref<64x64xf16>": "expected nvgpu.stmatrix dstMemref must have",
    "nvgpu.stmatrix %v4, %s[%i] : vector<4x2xf16>, memref<64x64xf16, 3>": "expected 2 indices, got 1",
    "nvgpu.stmatrix %h, %s[%i, %i] : vector<2xf16>, memref<64x64xf16, 3>": "source must be 2 dimensional vector",
    "nvgpu.stmatrix %v8, %s8[%i, %i] {transpose} : vector<4x4xi8>, memref<64x64xi8, 3>": "only at 16b granularity",
    "nvgpu.stmatrix %v4, %s8[%i, %i] : vector<4x2xf16>, memref<64x64xi8, 3>": "have same element type",
    f"nvgpu.tma.async.reduce %s to %d[%i] {{redop = #nvvm.tma_redux_kind<add>}} : memref<64x64xf16, 3> -> {DESC}": (
        "number of coordinates do not match"
    ),
    f"nvgpu.tma.async.reduce %s to %d[%i, %i] : memref<64x64xf16, 3> -> {DESC}": "requires attribute 'redop'",
    f"nvgpu.tma.async.reduce %s8 to %d[%i, %i] {{redop = #nvvm.tma_redux_kind<add>}} : memref<64x64xi8, 3> -> {DESC}": (
        "the element type of tensor map descriptor and memref must be same"
    ),
    f"nvgpu.tensormap.create.descriptor %s to %d : memref<64x64xf16, 3> -> {DESC}": "expected a buffer of 128 bytes",
    "nvgpu.tensormap.update.global_address %g, %l : memref<64x64xf16>": "buffer in shared memory",
    "nvgpu.tensormap.update.box_dim %map, %w {ord = 5 : i32} : memref<128xi8, 3>": "expected ord to be between 0 and 4",
    "nvgpu.tensormap.update.box_dim %map, %w : memref<128xi8, 3>": "requires attribute 'ord'",
    "nvgpu.tensormap.update.element_stride %map, %w {ord = -1 : i32} : memref<128xi8, 3>": "between 0 and 4, got -1",
    "%r = nvgpu.cvt_fpext %w : i32 (f16) -> vector<2xf16>": "expected a packed format",
    "%r = nvgpu.cvt_fpext %w : i32 (f8E8M0FNU) -> vector<2xf16>": "bf16 and f32 only",
    "%r = nvgpu.cvt_fpext %w : i32 (f8E4M3FN) -> vector<2xbf16>": "f16 and f32 only",
    "%r = nvgpu.cvt_fptrunc %f : vector<2xf32> -> i32 (f8E8M0FNU)": "expected rnd to be rz or rp",
    "%r = nvgpu.cvt_fptrunc %f {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xf32> -> i32 (f8E5M2)": "expected rnd to be rn",
    "%r = nvgpu.fma.packed.f32x2 %f, %f, %f {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf32>": "expected rnd to be rn or rz",
    "%r = nvgpu.mul.packed.f32x2 %f, %f {rnd = #nvvm.fp_rnd_mode<none>} : vector<2xf32>": "expected rnd to be rn or rz",
}


@pytest.mark.parametrize("line", WRONG)
def test_is_refused(line: str) -> None:
    with pytest.raises(MlirError) as caught:
        parse_mlir(kernel(line))
    assert WRONG[line] in caught.value.message
    assert caught.value.position.line == 3


SM90, SM80, SM75 = "sm_90", "sm_80", "sm_75"
TMA_LOAD = f"nvgpu.tma.async.load %d[%i, %i], %m[%i] to %s : {DESC}, {GROUP} -> memref<64x64xf16, 3>"
CREATE = f"%m = nvgpu.mbarrier.create -> {GROUP}"
ACC = "!nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>"
WG = "!nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>"
WG_LINES = (
    f"%a = nvgpu.warpgroup.generate.descriptor %s, %d : memref<64x64xf16, 3>, {DESC} -> {WG}",
    f"%z = nvgpu.warpgroup.mma.init.accumulator -> {ACC}",
    f"%r = nvgpu.warpgroup.mma %a, %a, %z {{transposeB}} : {WG}, {WG}, {ACC} -> {ACC}",
    f"nvgpu.warpgroup.mma.store %r, %acc : {ACC} to memref<64x64xf32, 3>",
)

# The seed's table of floors, with what ptxas says: lines, a target below the floor, the lowest one, its PTX version.
FLOORS: dict[str, tuple[tuple[str, ...], str, str, str]] = {
    "device_async_copy": (
        ("%t = nvgpu.device_async_copy %g[%i, %i], %s[%i, %i], 8 : memref<64x64xf16> to memref<64x64xf16, 3>",),
        SM75,
        SM80,
        "7.0",
    ),
    "device_async_create_group": (("%t = nvgpu.device_async_create_group",), SM75, SM80, "7.0"),
    "device_async_wait": (
        ("%t = nvgpu.device_async_create_group", "nvgpu.device_async_wait %t {numGroups = 0 : i32}"),
        SM75,
        SM80,
        "7.0",
    ),
    "mbarrier.init": ((CREATE, f"nvgpu.mbarrier.init %m[%i], %i : {GROUP}"), SM75, SM80, "7.0"),
    "mbarrier.inval": ((CREATE, f"nvgpu.mbarrier.inval %m[%i] : {GROUP}"), SM75, SM80, "7.0"),
    "mbarrier.arrive": (
        (CREATE, f"%t = nvgpu.mbarrier.arrive %m[%i] : {GROUP} -> !nvgpu.mbarrier.token"),
        SM75,
        SM80,
        "7.0",
    ),
    "mbarrier.arrive.nocomplete": (
        (CREATE, f"%t = nvgpu.mbarrier.arrive.nocomplete %m[%i], %i : {GROUP} -> !nvgpu.mbarrier.token"),
        SM75,
        SM80,
        "7.0",
    ),
    "mbarrier.test.wait": (
        (
            CREATE,
            f"%t = nvgpu.mbarrier.arrive %m[%i] : {GROUP} -> !nvgpu.mbarrier.token",
            f"%p0 = nvgpu.mbarrier.test.wait %m[%i], %t : {GROUP}, !nvgpu.mbarrier.token",
        ),
        SM75,
        SM80,
        "7.0",
    ),
    "mbarrier.try_wait.parity": (
        (CREATE, f"nvgpu.mbarrier.try_wait.parity %m[%i], %p, %i : {GROUP}"),
        SM80,
        SM90,
        "7.8",
    ),
    "mbarrier.arrive.expect_tx": ((CREATE, f"nvgpu.mbarrier.arrive.expect_tx %m[%i], %i : {GROUP}"), SM80, SM90, "8.0"),
    "tma.async.load": ((CREATE, TMA_LOAD), SM80, SM90, "8.0"),
    "tma.async.store": (
        (f"nvgpu.tma.async.store %s to %d[%i, %i] : memref<64x64xf16, 3> -> {DESC}",),
        SM80,
        SM90,
        "8.0",
    ),
    "tma.async.reduce": ((LOWERINGS["reduce-add"][0],), SM80, SM90, "8.0"),
    "tma.prefetch.descriptor": ((f"nvgpu.tma.prefetch.descriptor %d : {DESC}",), SM80, SM90, "8.0"),
    "tma.fence.descriptor": ((f"nvgpu.tma.fence.descriptor %d : {DESC}",), SM80, SM90, "8.3"),
    "tensormap.create.descriptor": ((LOWERINGS["create"][0],), SM80, SM90, "8.3"),
    "tensormap.update.global_address": ((LOWERINGS["address"][0],), SM90, "sm_90a", "8.3"),
    "tensormap.update.box_dim": ((LOWERINGS["box"][0],), SM90, "sm_90a", "8.3"),
    "tensormap.update.element_stride": ((LOWERINGS["stride"][0],), SM90, "sm_90a", "8.3"),
    "warpgroup.mma.init.accumulator": ((f"%z = nvgpu.warpgroup.mma.init.accumulator -> {ACC}",), SM90, "sm_90a", "8.0"),
    "warpgroup.generate.descriptor": (WG_LINES[:1], SM90, "sm_90a", "8.0"),
    "warpgroup.mma": (WG_LINES[:3], SM90, "sm_90a", "8.0"),
    "warpgroup.mma.store": (WG_LINES, SM90, "sm_90a", "8.0"),
    "mma.sync": (
        (
            (
                "%r = nvgpu.mma.sync(%v4, %v2, %c) {mmaShape = [16, 8, 16]} : "
                "(vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>"
            ),
        ),
        SM75,
        SM80,
        "7.0",
    ),
    "mma.sync-m16n8k8": (
        (
            (
                "%r = nvgpu.mma.sync(%v2, %v1, %c) {mmaShape = [16, 8, 8]} : "
                "(vector<2x2xf16>, vector<1x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>"
            ),
        ),
        "sm_70",
        SM75,
        "6.5",
    ),
    "mma.sp.sync": (
        (
            (
                "%r = nvgpu.mma.sp.sync(%v4, %v4, %c) metadata(%meta) {mmaShape = [16, 8, 32]} : "
                "(vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>"
            ),
        ),
        SM75,
        SM80,
        "7.1",
    ),
    "ldmatrix": (
        (
            "%r = nvgpu.ldmatrix %s[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<64x64xf16, 3> -> vector<4x2xf16>",
        ),
        "sm_70",
        SM75,
        "6.5",
    ),
    "stmatrix": ((LOWERINGS["stmatrix-4"][0],), SM80, SM90, "7.8"),
    "cvt_fpext": ((VALUES["ext-f8E4M3FN"][0],), "sm_86", "sm_89", "8.1"),
    "cvt_fptrunc": ((VALUES["trunc-f8E5M2"][0],), "sm_86", "sm_89", "8.1"),
    "cvt_fptrunc-f4": ((VALUES["trunc-f4E2M1FN"][0],), "sm_100", "sm_100a", "8.6"),
    "fma.packed.f32x2": ((VALUES["fma"][0],), "sm_90a", "sm_100", "8.6"),
    "mul.packed.f32x2": ((VALUES["mul"][0],), "sm_90a", "sm_100", "8.6"),
}


def the_operation(name: str, text: str):
    from weft.dialects.nvgpu import floors

    wanted = "nvgpu." + name.partition("-")[0]
    op = next(op for op in parse_mlir(text).walk() if op.name == wanted)
    return floors.windows(op)


@pytest.mark.parametrize("name", FLOORS)
def test_floor(name: str) -> None:
    lines, below, floor, version = FLOORS[name]
    least = min(found for window in the_operation(name, kernel(*lines)) if (found := window.least(floor)) is not None)
    assert least == Version.parse(version)
    assert all(window.least(below) is None for window in the_operation(name, kernel(*lines)))


@pytest.mark.sample(16)
@pytest.mark.parametrize("name", FLOORS)
def test_refusal_names_operation_floor_and_target(name: str) -> None:
    lines, below, floor, _ = FLOORS[name]
    with pytest.raises(CompileError) as caught:
        weft.compile(kernel(*lines), target=below)
    message = caught.value.message
    assert message.startswith(tuple(f"'{op}'" for op in re.findall(r"nvgpu\.[a-z]\w*(?:\.\w+)*", " ".join(lines)))), (
        message
    )
    assert floor in message
    assert message.endswith(f"compiled for {below}")
    weft.compile(kernel(*lines), target=floor)


@pytest.mark.parametrize("name", FLOORS)
def test_the_document_says_the_floor(name: str) -> None:
    _, _, floor, version = FLOORS[name]
    rows = (ROOT / "docs" / "mlir.md").read_text().splitlines()
    operation = name.partition("-")[0]
    assert any(row.startswith(f"| `nvgpu.{operation}`") and row.endswith(f"| {version} | {floor} |") for row in rows)
