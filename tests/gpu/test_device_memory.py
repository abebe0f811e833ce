"""What kernels allocate, copy, fill and launch by the device runtime, beside NumPy."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
import pytest

import weft
from weft.gpu.statuses import NAMES

HEAP, OUT_OF_MEMORY, INVALID_VALUE, UNSUPPORTED_LIMIT, OUT_OF_RESOURCES = 8 << 20, 2, 1, 215, 701
rng = np.random.default_rng(7)


def calls(*given: tuple[str, str, Sequence[str | int | bytes]], result: str = "b32", more: str = "") -> str:
    """A module with a kernel that calls functions, by name and kinds of parameters (`p` is 64 bits, `f` 32, a number so many
    bytes), with numbers, bytes, or what a parameter of the kernel holds; it stores what each returns.
    """
    declared: dict[str, str] = {}
    body: list[str] = []
    for number, (name, kinds, values) in enumerate(given):
        types = [
            ".param .b64 {}"
            if kind == "p"
            else ".param .b32 {}"
            if kind == "f"
            else f".param .align 8 .b8 {{}}[{kind}]"
            for kind in kinds.split()
        ]
        formal = ", ".join(type_.format(f"q{place}") for place, type_ in enumerate(types))
        declared[name] = f".extern .func (.param .{result} status) {name}({formal});\n"
        body.append(f"{{ .param .{result} status; {' '.join(t.format(f'q{n}') + ';' for n, t in enumerate(types))}")
        for place, (kind, value) in enumerate(zip(kinds.split(), values, strict=True)):
            if isinstance(value, bytes):
                words = struct.unpack(f"<{len(value) // 4}I", value)
                body += [f"st.param.b32 [q{place}+{4 * at}], {word};" for at, word in enumerate(words)]
            elif isinstance(value, int):
                body.append(f"st.param.b{64 if kind == 'p' else 32} [q{place}], {value};")
            else:
                body.append(f"{value} st.param.b64 [q{place}], %v;")
        named = ", ".join(f"q{place}" for place in range(len(types)))
        body.append(f"call (status), {name}, ({named}); ld.param.{result} %r{result}, [status]; }}")
        body.append(f"st.global.{result} [%out+{8 * number}], %r{result};")
    return (
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        + "".join(declared.values())
        + more
        + ".visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b) {\n.reg .b64 %out, %v, %rb64; .reg .b32 %rb32;\n"
        + "ld.param.u64 %out, [out];\n"
        + "\n".join(body)
        + "\nret; }\n"
    )


def run(source: str, a: np.ndarray | None = None, b: np.ndarray | None = None, count: int = 1) -> list[int]:
    """Launch it; what the functions returned."""
    out = np.full(count, -1, np.int64)
    device = weft.Device("sm_90")
    out[:] = 0
    device.load(source).kernel("k").launch(1, 1, [out, a, b])
    return out.tolist()


def at(parameter: str, offset: int = 0) -> str:
    """What loads a place in an array that the kernel is given."""
    return f"ld.param.u64 %v, [{parameter}]; add.u64 %v, %v, {offset};"


@pytest.mark.parametrize("form", ["", "_ptsz"])
@pytest.mark.parametrize("width", [0, 1, 15, 16, 17, 33, 2047, 2048, 2049, 5000])
@pytest.mark.parametrize(("to", "source"), [(0, 0), (16, 32), (3, 0), (0, 5), (7, 7)])
@pytest.mark.sample(6)
def test_rows(form: str, width: int, to: int, source: int) -> None:
    """All bytes and no other, however both sides are aligned."""
    a, b = (rng.integers(0, 256, 5100, np.uint8) for _ in range(2))
    copied, filled = a.copy(), a.copy()
    copied[to : to + width], filled[to : to + width] = b[source : source + width], 0xC3
    copy = (f"__cudaCDP2MemcpyAsync{form}", "p p p f p", (at("a", to), at("b", source), width, 3, 0))
    fill = (f"__cudaCDP2MemsetAsync{form}", "p f p p", (at("a", to), 0x12C3, width, 0))
    given = a.copy()
    assert run(calls(copy), given, b) == [0] and (given == copied).all()
    given = a.copy()
    assert run(calls(fill), given, b) == [0] and (given == filled).all()


@pytest.mark.parametrize(("width", "height"), [(7, 3), (16, 1), (32, 5), (1, 9), (0, 4), (4, 0)])
def test_rectangles(width: int, height: int) -> None:
    a, b = (rng.integers(0, 256, 800, np.uint8) for _ in range(2))
    copied, filled = (a.copy() for _ in range(2))
    copied[: 48 * 16].reshape(16, 48)[:height, 4 : 4 + width] = b[: 33 * 24].reshape(24, 33)[:height, :width]
    filled[: 48 * 16].reshape(16, 48)[:height, 4 : 4 + width] = 5
    copy = ("__cudaCDP2Memcpy2DAsync", "p p p p p p f p", (at("a", 4), 48, at("b"), 33, width, height, 3, 0))
    fill = ("__cudaCDP2Memset2DAsync_ptsz", "p p f p p p", (at("a", 4), 48, 0x505, width, height, 0))
    given = a.copy()
    assert run(calls(copy), given, b) == [0] and (given == copied).all()
    given = a.copy()
    assert run(calls(fill), given, b) == [0] and (given == filled).all()


def test_boxes() -> None:
    """Of `cudaMemcpy3DParms`: positions in both sides, pitches, and heights of slices; arrays are refused."""
    a, b = (rng.integers(0, 256, (4, 6, 12), np.uint8) for _ in range(2))
    expected = a.copy()
    expected[1:3, 2:5, 3:8] = b[2:4, 1:4, 4:9]
    device, out = weft.Device("sm_90"), np.zeros(3, np.int64)
    to, source, words = device.array(a.copy()), device.array(b), device.zeros(20, np.uint64)
    place, other = to.ctypes.data, source.ctypes.data
    words[:] = [0, 4, 1, 2, other, 12, 12, 6, 0, 3, 2, 1, place, 12, 12, 6, 5, 3, 2, 3]
    copy = calls(("__cudaCDP2Memcpy3DAsync", "p p", (at("b"), 0)))
    device.load(copy).kernel("k").launch(1, 1, [out, None, words])
    assert out[0] == 0 and (to == expected).all()
    for array in (0, 8):
        words[array] = 1
        device.load(copy).kernel("k").launch(1, 1, [out, None, words])
        assert out[0] == INVALID_VALUE and (to == expected).all()
        words[array] = 0
    pitched, extent = struct.pack("<4Q", place + 5, 12, 9, 6), struct.pack("<3Q", 4, 3, 2)
    expected.reshape(-1)[5 : 5 + 3 * 72].reshape(3, 6, 12)[:2, :3, :4] = 9
    fill = calls(("__cudaCDP2Memset3DAsync", "32 f 24 p", (pitched, 0x109, extent, 0)))
    device.load(fill).kernel("k").launch(1, 1, [out, None, None])
    assert out[0] == 0 and (to == expected).all()


def test_copies_are_checked() -> None:
    """A copy comes after what its kernel does, and what it must not access is a fault."""
    short = np.zeros(16, np.uint8)
    source = calls(("__cudaCDP2MemsetAsync", "p f p p", (at("a"), 1, 17, 0)))
    with pytest.raises(weft.sim.KernelFault, match="out-of-bounds|offset 16"):
        run(source, short)


def test_the_heap() -> None:
    """Memory is there until it is freed; too much gives a null pointer and a status."""
    places = np.full(3, 77, np.uint64)
    malloc, free = ("__cudaCDP2Malloc", "p p"), ("__cudaCDP2Free", "p")
    freeing = f"{at('a', 0)} ld.u64 %v, [%v];"
    source = calls(
        (*malloc, (at("a", 0), HEAP)),
        (*malloc, (at("a", 8), 1)),
        (*free, (freeing,)),
        (*malloc, (at("a", 16), HEAP)),
        (*free, (0,)),
    )
    assert run(source, places, count=5) == [0, OUT_OF_MEMORY, 0, 0, 0]
    assert places[0] == places[2] != 0 and places[1] == 0
    full = calls((*malloc, (at("a", 0), HEAP)), ("__cudaCDP2MemsetAsync", "p f p p", (at("b"), 1, 17, 0)))
    assert run(full, places, np.zeros(17, np.uint8), count=2) == [0, OUT_OF_RESOURCES]


def test_limits() -> None:
    """By numbers in `cudaLimit`, as a device has them at first."""
    found = np.full(6, 5, np.uint64)
    source = calls(*(("__cudaCDP2DeviceGetLimit", "p f", (at("a", 8 * which), which)) for which in range(6)))
    assert run(source, found, count=6) == [0] * 5 + [UNSUPPORTED_LIMIT]
    assert found.tolist() == [1024, 1 << 20, HEAP, 2, 2048, 5]


def test_names_and_texts_of_errors(capsys: pytest.CaptureFixture[str]) -> None:
    """The strings that programs on the host get."""
    text = ".extern .func (.param .b32 count) vprintf(.param .b64 format, .param .b64 values);\n"
    names = {
        0: "cudaSuccess",
        2: "cudaErrorMemoryAllocation",
        719: "cudaErrorLaunchFailure",
        12345: "unrecognized error code",
    }
    texts = {2: "out of memory", 719: NAMES[719][1], 13: "invalid device symbol", -1: "unrecognized error code"}
    for function, expected in (("GetErrorName", names), ("GetErrorString", texts)):
        source = calls(*((f"__cudaCDP2{function}", "f", (code,)) for code in expected), result="b64", more=text)
        place = "".join(
            f"{{ .param .b32 c; .param .b64 f; .param .b64 v; ld.global.u64 %v, [%out+{8 * n}]; st.param.b64 [f], %v; "
            "st.param.b64 [v], 0; call (c), vprintf, (f, v); }\n"
            for n in range(len(expected))
        )
        kernel = weft.Device("sm_90").load(source.replace("\nret; }", f"\n{place}ret; }}")).kernel("k")
        kernel.launch(1, 1, [np.zeros(4, np.int64), None, None])
        assert capsys.readouterr().out == "".join(expected.values())


CHILD = """.visible .entry child(.param .u32 number, .param .u64 place) {
  .reg .b64 %p; .reg .b32 %n, %i, %j;
  ld.param.u32 %n, [number]; ld.param.u64 %p, [place]; mov.u32 %i, %ctaid.x; mov.u32 %j, %ntid.x; mad.lo.u32 %n, %i, %j, %n;
  mov.u32 %j, %tid.x; add.u32 %n, %n, %j; mad.wide.u32 %p, %i, 4, %p; atom.global.add.u32 %j, [%p], %n; ret;
}
"""


@pytest.mark.parametrize("form", ["", "_ptsz"])
def test_kernels_launched_by_their_addresses(form: str) -> None:
    """By the older pair of functions, whose buffer knows no kernel; a buffer is used once."""
    buffer = ("__cudaCDP2GetParameterBuffer", "p p", (64, 16))
    source = calls(buffer, result="b64", more=CHILD)
    dims = struct.pack("<3I", 3, 1, 1), struct.pack("<3I", 2, 1, 1)
    launch = (
        f"__cudaCDP2LaunchDevice{form}",
        "p p 12 12 f p",
        ("mov.u64 %v, child;", "mov.u64 %v, %rb64;", *dims, 0, 0),
    )
    second = calls(launch)
    fill = f"st.u32 [%rb64], 10; {at('a')} st.u64 [%rb64+8], %v;\n"
    start, end = second.index("{ .param .b32 status"), second.index("\nret; }")
    whole = source.replace("\nret; }", "\n" + fill + second[start:end].replace("[%out+0]", "[%out+8]") + "\nret; }")
    head, _, rest = whole.partition(CHILD)
    declared = next(line for line in second.splitlines() if line.startswith(".extern"))
    sums, out = np.zeros(3, np.uint32), np.zeros(2, np.int64)
    weft.Device("sm_90").load(head + declared + CHILD + rest).kernel("k").launch(1, 1, [out, sums, None])
    assert out[0] and out[1] == 0
    assert sums.tolist() == [2 * 10 + 1, 2 * 12 + 1, 2 * 14 + 1]
