"""Modules, kernels, launches and linking by the driver's functions, called with memory of this process."""

from __future__ import annotations

import ctypes
import struct
from pathlib import Path

import pytest

from tests.fatbin.test_fatbin import entry, fatbin
from tests.gpu.calls import INVALID_HANDLE, INVALID_VALUE, OK, PTX, Program, Words
from weft.gpu.driver import jitlink
from weft.gpu.driver.linking import Linker

OUT_OF_MEMORY, NO_BINARY, INVALID_PTX, FILE_NOT_FOUND, NOT_FOUND, TOO_LARGE = 2, 209, 218, 301, 500, 720


@pytest.fixture
def cu() -> Program:
    return Program()


def text(data: str | bytes) -> Words:
    return Words.of((data.encode() if isinstance(data, str) else data) + b"\0")


def wrapped(address: int) -> Words:
    """`__fatBinC_Wrapper_t`."""
    return Words.of(b"\xb1\x43\x62\x46" + struct.pack("<IQ", 1, address))


@pytest.fixture
def module(cu: Program) -> int:
    return cu.get("cuModuleLoadData", text(PTX))


# -- loading ------------------------------------------------------------------------------------------------------


def test_images(cu: Program) -> None:
    """PTX up to its zero, fatbins of the size that they say, and the structure that points to one."""
    data = fatbin(entry(PTX.replace("sm_90", "sm_80").replace("entry add", "entry older")), entry(PTX))
    whole = Words.of(data + b"garbage")
    for image in (text(PTX), whole, wrapped(whole.address)):
        for name in ("cuModuleLoadData", "cuModuleLoadFatBinary"):
            module = cu.get(name, image)
            assert cu("cuModuleGetFunction", Words(), module, text("add")) == OK, "the latest that there is"
            assert cu("cuModuleGetFunction", Words(), module, text("older")) == NOT_FOUND
    loop = wrapped(0)
    loop.view()[1] = loop.address
    for image, status in (
        (loop, INVALID_PTX),
        *((text(b"\x7fELF" + bytes(60)), NO_BINARY), (text("nonsense"), INVALID_PTX)),
        *(
            (text(PTX.replace("sm_90", "sm_100")), NO_BINARY),
            (Words.of(fatbin(entry(PTX.replace("90", "100")))), NO_BINARY),
        ),
    ):
        assert cu("cuModuleLoadData", Words(), image) == status
        assert cu("cuLibraryLoadData", Words(), image, 0, 0, 0, 0, 0, 0) == status
    assert cu("cuModuleLoadData", 0, text(PTX)) == cu("cuModuleLoadData", Words(), 0) == INVALID_VALUE


def test_files(cu: Program, tmp_path: Path) -> None:
    (tmp_path / "k.ptx").write_text(PTX)
    (tmp_path / "bad.ptx").write_text("nonsense")
    for name, status in (("k.ptx", OK), ("bad.ptx", INVALID_PTX), ("none.ptx", FILE_NOT_FOUND), ("", FILE_NOT_FOUND)):
        path = text(str(tmp_path / name))
        assert cu("cuModuleLoad", Words(), path) == status
        assert cu("cuLibraryLoadFromFile", Words(), path, 0, 0, 0, 0, 0, 0) == status


def test_logs(cu: Program) -> None:
    """Buffers for what is told and for errors, each followed by its size, which becomes that of the text."""
    long = "expected '.version'"
    for image, room, status, told in (
        *((PTX, 64, OK, ""), ("nonsense", 64, INVALID_PTX, long), ("nonsense", 10, INVALID_PTX, long)),
        *(("nonsense", 1, INVALID_PTX, ""), ("nonsense", 0, INVALID_PTX, "")),
    ):
        information, errors = Words(64), Words(64)
        options = struct.pack("<5i", 3, 4, 5, 6, 9)
        values = Words.of(struct.pack("<5Q", information.address, room, errors.address, room | 7 << 32, 1))
        status_ = cu("cuModuleLoadDataEx", Words(), text(image), 5, Words.of(options), values)
        assert status_ == status
        said = errors.text() if room else b""
        assert long.encode() in said or len(said) == max(room - 1, 0) or not told, said
        assert [int(values.view("u4")[at]) for at in (2, 6)] == [0, len(said)], room
        assert (errors.bytes[room:] == 0xA5).all() and (information.bytes[1 if room else 0 :] == 0xA5).all()
        assert not (told == "" and said) and bool(information.text()) == (room == 0)
    for options, values in ((struct.pack("<i", 5), struct.pack("<Q", Words(64).address)), (b"", b"")):
        count = len(options) // 4
        assert cu("cuModuleLoadDataEx", Words(), text(PTX), count, Words.of(options), Words.of(values)) == OK
    assert cu("cuModuleLoadDataEx", Words(), text(PTX), 64, Words.of(bytes(256)), Words.of(bytes(512))) == OK
    assert cu("cuModuleLoadDataEx", Words(), text(PTX), 65, Words.of(bytes(260)), Words.of(bytes(520))) == INVALID_VALUE


def test_modules_are_unloaded_once(cu: Program, module: int) -> None:
    kernel = cu.get("cuModuleGetFunction", module, text("add"))
    assert cu.get("cuModuleGetLoadingMode", dtype="i4") == 1
    assert (
        cu.get("cuLibraryGetModule", module) == module and cu("cuLibraryGetModule", Words(), kernel) == INVALID_HANDLE
    )
    place, size = cu.get("cuModuleGetGlobal_v2", Words(), module, text("table")), Words()
    assert cu("cuMemGetAddressRange_v2", Words(), size, place) == OK
    assert [cu("cuModuleUnload", module) for _ in range(2)] == [OK, INVALID_HANDLE]
    assert cu("cuMemGetAddressRange_v2", Words(), size, place) == NOT_FOUND, "its variables are gone"
    assert cu("cuModuleGetFunction", Words(), module, text("add")) == INVALID_HANDLE


def test_what_modules_have(cu: Program, module: int) -> None:
    other = cu.get("cuLibraryLoadData", text(PTX), 0, 0, 0, 0, 0, 0)
    for function, name, owner in (("cuModule", "Function", module), ("cuLibrary", "Kernel", other)):
        kernels = [cu.get(f"{function}Get{name}", owner, text(one)) for one in ("add", "wide")]
        assert kernels == [cu.get(f"{function}Get{name}", owner, text(one)) for one in ("add", "wide")], (
            "one handle each"
        )
        assert cu(f"{function}Get{name}", Words(), owner, text("none")) == NOT_FOUND
        assert cu(f"{function}Get{name}", Words(), owner, 0) == INVALID_VALUE
        assert cu.get(f"{function}Get{name}Count", owner, dtype="u4") == 2
        for room in (0, 1, 2, 5):
            row = Words(40)
            assert cu(f"{function}Enumerate{name}s", row, room, owner) == OK
            assert row.view()[: min(room, 2)].tolist() == kernels[:room]
            assert (row.bytes[8 * min(room, 2) :] == 0xA5).all()
        for get in ("cuFuncGetModule", "cuKernelGetLibrary"):
            assert cu.get(get, kernels[1]) == owner
        for get in ("cuFuncGetName", "cuKernelGetName"):
            assert [ctypes.string_at(cu.get(get, kernel)) for kernel in kernels] == [b"add", b"wide"]
        for get in ("cuFuncGetParamCount", "cuKernelGetParamCount"):
            assert [cu.get(get, kernel, at=1) for kernel in kernels] == [2, 3]
        for get in ("cuFuncGetParamInfo", "cuKernelGetParamInfo"):
            for index, right in enumerate([(0, 12), (12, 1), (16, 8)]):
                assert (
                    cu.get(get, kernels[1], index, Words(), at=2),
                    cu.get(get, kernels[1], index, Words(), at=3),
                ) == right
            assert cu(get, kernels[1], 3, Words(), Words()) == cu(get, kernels[0], 2, Words(), Words()) == INVALID_VALUE
        assert cu.get("cuKernelGetFunction", kernels[0]) == kernels[0]
        assert cu("cuKernelGetFunction", Words(), owner) == cu("cuFuncLoad", owner) == INVALID_HANDLE
        assert cu.get("cuFuncIsLoaded", kernels[0], dtype="i4") == 1 and cu("cuFuncLoad", kernels[0]) == OK
    for get in ("cuModuleGetGlobal_v2", "cuLibraryGetGlobal", "cuLibraryGetManaged"):
        place = cu.get(get, Words(), module, text("total"))
        assert cu.get(get, Words(), module, text("total"), at=1) == 4
        assert cu.get("cuMemGetAddressRange_v2", Words(), place) <= place
        assert cu("cuMemcpyDtoH_v2", back := Words(4), place, 4) == OK and int(back.view("u4")[0]) == 5
        assert cu(get, Words(), Words(), module, text("add")) == NOT_FOUND
    assert cu("cuModuleUnload", other) == OK
    assert cu("cuFuncGetModule", Words(), kernels[0]) == NOT_FOUND


def test_attributes_of_kernels(cu: Program, module: int) -> None:
    """By the numbers of `CUfunction_attribute`; those of memory and clusters may be set."""
    add, wide = (cu.get("cuModuleGetFunction", module, text(name)) for name in ("add", "wide"))
    for which in range(-1, 18):
        for get, rest in (("cuFuncGetAttribute", ()), ("cuKernelGetAttribute", (0,))):
            status = cu(get, out := Words(8), which, wide, *rest)
            assert status == (OK if 0 <= which <= 15 else INVALID_VALUE), which
            known = {0: 1024, 1: 1000, 4: 32, 5: 90, 6: 90, 8: 48 << 10}
            assert status or int(out.view("i4")[0]) == known.get(which, 0), which
            assert (out.bytes[0 if status else 4 :] == 0xA5).all()
        right = OK if which in (8, 9, 11, 12, 13, 14, 15) else INVALID_VALUE
        assert cu("cuFuncSetAttribute", add, which, 1) == cu("cuKernelSetAttribute", which, 1, add, 0) == right, which
    assert cu.get("cuFuncGetAttribute", 1, add, dtype="i4") == 0
    for value, status in ((0, OK), (227 << 10, OK), ((227 << 10) + 1, INVALID_VALUE), (-1, INVALID_VALUE)):
        assert cu("cuFuncSetAttribute", add, 8, value) == cu("cuKernelSetAttribute", 8, value, wide, 0) == status
    assert [cu.get("cuFuncGetAttribute", 8, kernel, dtype="i4") for kernel in (add, wide)] == [227 << 10] * 2
    assert cu("cuFuncGetAttribute", Words(), 0, module) == cu("cuFuncSetAttribute", module, 8, 0) == INVALID_HANDLE
    for name in ("cuFuncSetCacheConfig", "cuFuncSetSharedMemConfig", "cuKernelSetCacheConfig"):
        assert cu(name, add, 1) == OK


def test_versions_of_kernels() -> None:
    """Those of the device's architecture, both parts of it."""
    cu = Program(target="sm_89")
    kernel = cu.get("cuModuleGetFunction", cu.get("cuModuleLoadData", text(PTX.replace("sm_90", "sm_89"))), text("add"))
    assert [cu.get("cuFuncGetAttribute", which, kernel, dtype="i4") for which in (5, 6)] == [89, 89]


def test_occupancy(cu: Program, module: int) -> None:
    """1 KB beside the shared memory of each CTA, of 228 KB; 1000 bytes of `wide` are static."""
    add, wide = (cu.get("cuModuleGetFunction", module, text(name)) for name in ("add", "wide"))
    for kernel, threads, shared, ctas in (
        *((add, 1024, 0, 2), (add, 1, 0, 32), (add, 65, 0, 21), (add, 32, 113 << 10, 2), (add, 32, (113 << 10) + 1, 1)),
        *((wide, 32, (113 << 10) - 1000, 2), (wide, 32, (113 << 10) - 999, 1)),
    ):
        for name, flags in (("", ()), ("WithFlags", (0,))):
            full = f"cuOccupancyMaxActiveBlocksPerMultiprocessor{name}"
            assert cu.get(full, kernel, threads, shared, *flags, dtype="i4") == ctas
            assert cu(full, Words(), kernel, 0, shared, *flags) == INVALID_VALUE
            assert cu(full, Words(), kernel, 1, shared, *flags) == OK
    for kernel, static in ((add, 0), (wide, 1000)):
        for blocks, room in ((0, 227), (1, 227), (2, 113), (4, 56), (228, 0), (300, 0)):
            found = cu.get("cuOccupancyAvailableDynamicSMemPerBlock", kernel, blocks, 32)
            assert found == max(room * 1024 - static, 0), blocks
    for name, flags in (("", ()), ("WithFlags", (0,))):
        for shared, most, threads, ctas in (
            (0, 0, 1024, 2),
            (0, 96, 96, 21),
            (0, 4096, 1024, 2),
            (228 << 10, 32, 32, 1),
        ):
            grid, block = Words(8), Words(8)
            assert cu(f"cuOccupancyMaxPotentialBlockSize{name}", grid, block, add, 0, shared, most, *flags) == OK
            assert [int(word.view("i4")[0]) for word in (block, grid)] == [threads, 132 * ctas]
    for name in ("cuOccupancyMaxActiveClusters", "cuOccupancyMaxPotentialClusterSize"):
        assert cu.get(name, add, Words(), dtype="i4") == 16


# -- launches -----------------------------------------------------------------------------------------------------


class Launch:
    """Launches of `add`, which writes `n * thread + 5`; each begins with memory full of ones."""

    def __init__(self, cu: Program, module: int) -> None:
        self.cu, self.kernel = cu, cu.get("cuModuleGetFunction", module, text("add"))
        self.out = cu.get("cuMemAlloc_v2", 256)
        self.arguments = Words.of(struct.pack("<QI", self.out, 3))
        self.row = Words.of(struct.pack("<2Q", self.arguments.address, self.arguments.address + 8))

    def __call__(self, name: str, *words: int | Words) -> tuple[int, int]:
        """The status, and how many threads wrote."""
        assert self.cu("cuMemsetD8_v2", self.out, 0xFF, 256) == OK
        status, back = self.cu(name, *words), Words(256)
        assert self.cu("cuMemcpyDtoH_v2", back, self.out, 256) == OK
        written = int((back.view("u4") != 0xFFFF_FFFF).sum())
        assert back.view("u4")[:written].tolist() == [3 * thread + 5 for thread in range(written)]
        return status, written


def test_launches(cu: Program, module: int) -> None:
    launch = Launch(cu, module)
    kernel, row, stream = launch.kernel, launch.row, cu.get("cuStreamCreate", 0)
    for name, extra in (("cuLaunchKernel", (0,)), ("cuLaunchCooperativeKernel", ())):
        for grid, block, shared, to, result in (
            *(((3, 1, 1), (4, 1, 1), 0, 0, (OK, 12)), ((3, 1, 1), (4, 1, 1), 0, stream, (OK, 12))),
            *(((1, 2, 3), (4, 1, 1), 0, 0, (OK, 4)), ((1, 1, 1), (4, 2, 8), 48 << 10, 0, (OK, 4))),
            *(
                ((1, 1, 1), (4, 1, 1), (48 << 10) + 1, 0, (INVALID_VALUE, 0)),
                ((0, 1, 1), (4, 1, 1), 0, 0, (INVALID_VALUE, 0)),
            ),
            *(((1, 0, 1), (4, 1, 1), 0, 0, (INVALID_VALUE, 0)), ((1, 1, 0), (4, 1, 1), 0, 0, (INVALID_VALUE, 0))),
            *(((1, 1, 1), (4, 0, 1), 0, 0, (INVALID_VALUE, 0)), ((1, 1, 1), (1025, 1, 1), 0, 0, (INVALID_VALUE, 0))),
            *(
                ((1, 1, 1), (4, 1, 1), 0, 1234, (INVALID_HANDLE, 0)),
                ((1, 65536, 1), (1, 1, 1), 0, 0, (INVALID_VALUE, 0)),
            ),
        ):
            if (name, grid) != ("cuLaunchCooperativeKernel", (1, 65536, 1)):
                assert launch(name, kernel, *grid, *block, shared, to, row, *extra) == result, (grid, block, shared)
        assert launch(name, kernel, 1, 1, 1, 4, 1, 1, 0, 0, 0, *extra) == (INVALID_VALUE, 0), "it has parameters"
        short = Words.of(struct.pack("<2Q", launch.arguments.address, 0))
        assert launch(name, kernel, 1, 1, 1, 4, 1, 1, 0, 0, short, *extra) == (INVALID_VALUE, 0)
        assert launch(name, module, 1, 1, 1, 4, 1, 1, 0, 0, row, *extra) == (INVALID_HANDLE, 0)
    together = 132 * 32
    for ctas, status in ((together, OK), (together + 1, TOO_LARGE)):
        assert launch("cuLaunchCooperativeKernel", kernel, 1, 1, ctas, 1, 1, 1, 0, 0, row)[0] == status
    assert launch("cuLaunchKernel", kernel, 1, 1, together + 1, 1, 1, 1, 0, 0, row, 0)[0] == OK


def test_parameters_in_one_block(cu: Program, module: int) -> None:
    """`CU_LAUNCH_PARAM_BUFFER_POINTER` 1 and `_SIZE` 2 in any order, up to a zero."""
    launch, size = Launch(cu, module), Words.of(struct.pack("<Q", 12))
    pairs = [(1, launch.arguments.address), (2, size.address)]
    for order in (pairs, pairs[::-1]):
        extra = Words.of(b"".join(struct.pack("<2Q", *pair) for pair in [*order, (0, 0)]))
        assert launch("cuLaunchKernel", launch.kernel, 1, 1, 1, 4, 1, 1, 0, 0, 0, extra) == (OK, 4)
    size.view()[0] = 8
    assert launch("cuLaunchKernel", launch.kernel, 1, 1, 1, 4, 1, 1, 0, 0, 0, extra) == (INVALID_VALUE, 0)


def test_launches_with_attributes(cu: Program, module: int) -> None:
    """`CUlaunchConfig`: 2 is a cooperative launch, 4 a cluster, 6 one that need not wait; others change nothing."""
    launch, together = Launch(cu, module), 132 * 32

    def given(ctas: int, *attributes: tuple[int, int, int, int], shared: int = 0, count: int | None = None) -> Words:
        rows = Words.of(b"".join(struct.pack("<I4x3I52x", *one) for one in attributes))
        number = len(attributes) if count is None else count
        kept.append(rows)
        return Words.of(struct.pack("<7I4xQQI4x", 1, 1, ctas, 1, 1, 1, shared, 0, rows.address, number))

    kept: list[Words] = []
    for config, status in (
        *((given(2), OK), (given(4, (4, 1, 1, 2)), OK), (given(3, (4, 1, 1, 2)), INVALID_VALUE)),
        *((given(32, (4, 1, 1, 16)), OK), (given(32, (4, 1, 1, 32)), INVALID_VALUE)),
        *(
            (given(together + 1), OK),
            (given(together + 1, (2, 0, 0, 0)), OK),
            (given(together + 1, (2, 1, 0, 0)), TOO_LARGE),
        ),
        *((given(together + 1, (1, 1, 1, 1), (3, 1, 1, 1), (5, 1, 1, 1)), OK), (given(1, (6, 1, 0, 0)), OK)),
        *((given(1, (2, 1, 0, 0), (4, 1, 1, 1)), OK), (given(1, shared=(48 << 10) + 1), INVALID_VALUE)),
        *((given(1, *[(1, 0, 0, 0)] * 64), OK), (given(1, *[(1, 0, 0, 0)] * 65), INVALID_VALUE)),
    ):
        assert launch("cuLaunchKernelEx", config, launch.kernel, launch.row, 0)[0] == status
    assert launch("cuLaunchKernelEx", 0, launch.kernel, launch.row, 0)[0] == INVALID_VALUE


def test_launches_belong_to_the_device_of_their_stream() -> None:
    two = Program(2)
    module = two.get("cuModuleLoadData", text(PTX))
    launch, stream = Launch(two, module), two.get("cuStreamCreate", 0)
    words = (launch.kernel, 1, 1, 1, 4, 1, 1, 0, stream, launch.row, 0)
    assert launch("cuLaunchKernel", *words) == (OK, 4)
    assert two("cuCtxSetCurrent", two.get("cuDevicePrimaryCtxRetain", 1)) == OK
    assert launch("cuLaunchKernel", *words) == (INVALID_HANDLE, 0)


def test_kernels_of_a_device_do_not_see_memory_of_another(capfd: pytest.CaptureFixture[str]) -> None:
    """Until they may: by access of its peers, and always to memory of the host."""
    two = Program(2)
    module, contexts = two.get("cuModuleLoadData", text(PTX)), [two.context, two.get("cuDevicePrimaryCtxRetain", 1)]
    launch = Launch(two, module)
    assert two("cuCtxSetCurrent", contexts[1]) == OK
    kernel = two.get("cuModuleGetFunction", two.get("cuModuleLoadData", text(PTX)), text("add"))
    words = (kernel, 1, 1, 1, 4, 1, 1, 0, 0, launch.row, 0)
    assert [two("cuLaunchKernel", *words), two("cuCtxSynchronize"), two("cuCtxSynchronize")] == [OK, 700, OK]
    assert "error" in capfd.readouterr().err
    assert two("cuCtxEnablePeerAccess", contexts[0], 0) == OK
    assert launch("cuLaunchKernel", *words) == (OK, 4)


# -- linking ------------------------------------------------------------------------------------------------------

ONE = PTX.replace(".visible .global .align 4 .u32 total = 5;", ".extern .global .align 4 .u32 total;")
TWO = PTX[: PTX.index(".visible .global .align 8")].replace("= 5", "= 9")


def test_linking(cu: Program, tmp_path: Path) -> None:
    (tmp_path / "two.ptx").write_text(TWO)
    state = cu.get("cuLinkCreate_v2", 0, 0, 0, at=3)
    assert cu("cuLinkComplete", state, Words(), Words()) == NO_BINARY
    one = text(ONE)
    assert cu("cuLinkAddData_v2", state, 1, one, len(ONE), text("one"), 0, 0, 0) == OK
    for kind in (0, 5):
        assert cu("cuLinkAddData_v2", state, kind, one, len(ONE), text("one"), 0, 0, 0) == NO_BINARY
    assert cu("cuLinkAddFile_v2", state, 1, text(f"{tmp_path}/none.ptx"), 0, 0, 0) == FILE_NOT_FOUND
    assert cu("cuLinkAddFile_v2", state, 1, text(f"{tmp_path}/two.ptx"), 0, 0, 0) == OK
    assert cu("cuLinkAddData_v2", 1234, 1, one, len(ONE), text("one"), 0, 0, 0) == INVALID_HANDLE
    image, size = Words(8), Words(8)
    assert cu("cuLinkComplete", state, image, size) == OK
    linked = ctypes.string_at(int(image.view()[0]))
    assert int(size.view()[0]) == len(linked) + 1 and b".extern" not in linked
    module = cu.get("cuModuleLoadData", int(image.view()[0]))
    place, back = cu.get("cuModuleGetGlobal_v2", Words(), module, text("total")), Words(4)
    assert cu("cuMemcpyDtoH_v2", back, place, 4) == OK and int(back.view("u4")[0]) == 9
    assert cu.driver.get(state, Linker).linked is not None
    assert [cu("cuLinkDestroy", state) for _ in range(2)] == [OK, INVALID_HANDLE]
    for kind in (1, 2, 3, 4):
        state = cu.get("cuLinkCreate_v2", 0, 0, 0, at=3)
        assert cu("cuLinkAddData_v2", state, kind, text(PTX), len(PTX), text("x"), 0, 0, 0) == OK, kind
        assert cu("cuLinkComplete", state, Words(), Words()) == OK


# -- nvJitLink ----------------------------------------------------------------------------------------------------

SUCCESS, MISSING_ARCH, INVALID_INPUT, PTX_COMPILE, INTERNAL, NULL_INPUT = 0, 2, 3, 4, 6, 10
CUBIN, PTX_TEXT, LTOIR, FATBIN, OBJECT, LIBRARY, ANY = 1, 2, 3, 4, 5, 6, 10


def jit(name: str, *words: int | Words) -> int:
    """The status of a function of nvJitLink."""
    given = [word.address if isinstance(word, Words) else word for word in words]
    return jitlink.dispatch(jitlink.NAMES.index(f"nvJitLink{name}"), [*given, 0, 0, 0, 0, 0, 0])


def created(*options: str) -> int:
    rows = [text(option) for option in options]
    handle = Words(8)
    assert (
        jit("Create", handle, len(rows), Words.of(struct.pack(f"<{len(rows)}Q", *(row.address for row in rows)))) == OK
    )
    return int(handle.view()[0])


def given_back(handle: int, what: str) -> bytes:
    """What a function gives, of the size that another says."""
    size = Words(8)
    assert jit(f"Get{what}Size", handle, size) == SUCCESS
    assert jit(f"Get{what}Size", handle, 0) == NULL_INPUT
    out = Words(int(size.view()[0]) + 8)
    assert jit(f"Get{what}", handle, out) == SUCCESS and (out.bytes[-8:] == 0xA5).all()
    return bytes(out.bytes[:-8])


def add(handle: int, kind: int, data: str | bytes) -> int:
    whole = data.encode() if isinstance(data, str) else data
    return jit("AddData", handle, kind | 1 << 32, Words.of(whole), len(whole), text("x"))


def test_what_nv_jit_link_links(tmp_path: Path) -> None:
    """PTX, and binaries that have PTX for the target; the linked PTX is given as such and in place of a cubin."""
    for options in (("-arch=sm_90",), ("-O3", "--gpu-architecture=compute_90"), ("-arch=lto_sm_90",)):
        handle = created(*options)
        (tmp_path / "two.ptx").write_text(TWO)
        assert add(handle, PTX_TEXT, ONE) == SUCCESS
        assert jit("AddFile", handle, PTX_TEXT, text(f"{tmp_path}/two.ptx")) == SUCCESS
        assert jit("AddFile", handle, PTX_TEXT, text(f"{tmp_path}/none.ptx")) == INVALID_INPUT
        assert jit("Complete", handle) == SUCCESS
        linked = given_back(handle, "LinkedPtx")
        assert linked == given_back(handle, "LinkedCubin") and linked.endswith(b"}\n\0") and b".extern" not in linked
        assert given_back(handle, "ErrorLog") == b"" and jit("GetInfoLogSize", handle, size := Words(8)) == SUCCESS
        assert not int(size.view()[0]) and jit("GetInfoLog", handle, Words(8)) == SUCCESS
        assert [jit("Destroy", Words.of(struct.pack("<Q", handle))) for _ in range(2)] == [SUCCESS, INVALID_INPUT]
    assert jit("Version", major := Words(8), minor := Words(8)) == SUCCESS
    assert [int(word.view("u4")[0]) for word in (major, minor)] == [13, 0]


@pytest.mark.parametrize("kind", range(12))
def test_inputs_of_nv_jit_link(kind: int) -> None:
    """Fatbins and libraries without PTX for the target have nothing to say; a cubin cannot be linked."""
    newer, own = fatbin(entry(PTX.replace("sm_90", "sm_100"))), fatbin(entry(TWO))
    for data in (newer, own, TWO.encode()):
        handle = created("-arch=sm_90")
        assert add(handle, PTX_TEXT, ONE) == add(handle, kind, data) == SUCCESS
        binary = kind in (FATBIN, OBJECT, LIBRARY, ANY)
        status = jit("Complete", handle)
        assert status == (PTX_COMPILE if kind in (CUBIN, LTOIR) or (kind == PTX_TEXT and data == newer) else SUCCESS)
        if not status:
            there = b".extern" not in given_back(handle, "LinkedPtx")
            assert there == (data != newer and (binary or kind == PTX_TEXT)), kind
        elif kind == CUBIN:
            assert b"a cubin cannot be linked" in given_back(handle, "ErrorLog")


def test_wrong_calls_of_nv_jit_link() -> None:
    option = text("-O3")
    row = Words.of(struct.pack("<Q", option.address))
    assert jit("Create", Words(8), 1, row) == jit("Create", Words(8), 1 << 32, row) == MISSING_ARCH
    option = text("-arch=sm_90")
    row = Words.of(struct.pack("<Q", option.address))
    assert jit("Create", 0, 1, row) == jit("Create", Words(8), 1, 0) == NULL_INPUT
    assert jit("Create", Words(8), 1, row) == SUCCESS
    handle = created("-arch=sm_90")
    for name in jitlink.NAMES[2:-1]:
        for wrong, status in ((0, NULL_INPUT), (1234, INVALID_INPUT)):
            assert jit(name.removeprefix("nvJitLink"), wrong, Words()) == status, name
    assert jit("AddData", handle, PTX_TEXT, 0, 4, option) == NULL_INPUT
    assert add(handle, PTX_TEXT, "nonsense") == SUCCESS and jit("Complete", handle) == PTX_COMPILE
    log = given_back(handle, "ErrorLog")
    assert log.endswith(b"\0") and b"expected '.version'" in log


def test_what_goes_wrong_inside_of_nv_jit_link_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> object:
        raise ArithmeticError("unforeseen")

    monkeypatch.setattr(jitlink, "ptx_of", broken)
    assert jit("Complete", created("-arch=sm_90")) == INTERNAL
    said = capsys.readouterr().err
    assert "internal error in nvJitLinkComplete" in said and "unforeseen" in said


class Ltoir:
    """NVIDIA's library, as far as it is asked: it notes the options and the inputs, and gives a text."""

    def __init__(self, failing: str = "") -> None:
        self.calls: list[tuple[str, tuple[object, ...]]] = []
        self.failing = failing

    def __getattr__(self, name: str) -> object:
        def call(*words: object) -> int:
            self.calls.append((name, words))
            if name == "nvJitLinkCreate":
                self.options = [words[2][at] for at in range(words[1])]  # type: ignore[index,call-overload]
            elif name == "nvJitLinkGetLinkedPtxSize":
                words[1]._obj.value = len(TWO) + 1  # type: ignore[attr-defined]
            elif name == "nvJitLinkGetLinkedPtx":
                words[1].value = TWO.encode()  # type: ignore[attr-defined]
            return 7 if name == self.failing else 0

        return call


@pytest.mark.parametrize("failing", ["", "Create", "AddData", "Complete", "GetLinkedPtxSize", "GetLinkedPtx"])
def test_intermediate_code_is_left_to_the_library_of_the_vendor(monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    library = Ltoir(failing and f"nvJitLink{failing}")
    monkeypatch.setattr(ctypes, "CDLL", lambda path, mode=0: library if path == "/its/library" else None)
    monkeypatch.setenv("WEFT_NVJITLINK", "/its/library")
    handle = created("-arch=sm_90", "-lto", "-O3", "-ptx")
    assert add(handle, PTX_TEXT, ONE) == add(handle, LTOIR, b"first") == add(handle, LTOIR, b"second") == SUCCESS
    assert jit("Complete", handle) == (PTX_COMPILE if failing else SUCCESS)
    assert library.options == [b"-arch=sm_90", b"-O3", b"-lto", b"-ptx"]
    if failing:
        assert b"nvJitLink returns status 7" in given_back(handle, "ErrorLog")
        assert library.calls[-1][0] == library.failing
        return
    assert b".extern" not in given_back(handle, "LinkedPtx")
    assert [name.removeprefix("nvJitLink") for name, _ in library.calls] == [
        *("Create", "AddData", "AddData", "Complete", "GetLinkedPtxSize", "GetLinkedPtx", "Destroy")
    ]
    inputs = [words[1:] for name, words in library.calls if name == "nvJitLinkAddData"]
    assert [(kind, data, size.value, name) for kind, data, size, name in inputs] == [  # type: ignore[attr-defined]
        (LTOIR, b"first", 5, b"x"),
        (LTOIR, b"second", 6, b"x"),
    ]


def test_intermediate_code_needs_the_library_of_the_vendor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEFT_NVJITLINK", raising=False)
    monkeypatch.setattr(jitlink, "found_library", lambda *_: None)
    handle = created("-arch=sm_90")
    assert add(handle, LTOIR, b"first") == SUCCESS and jit("Complete", handle) == PTX_COMPILE
    assert b"LTO-IR needs NVIDIA's nvJitLink" in given_back(handle, "ErrorLog")
