"""What makes no kernel, how one is told, and what its options, sizes, threads and clusters may be, at each limit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weft.errors import WeftError
from weft.tile import Global, dynamic, f16, f32, i32, kernel, persistent, thread_id
from weft.tile.kernel import Kernel
from weft.tile.sparse import compressed


def plain(x: Global(f32, ("M", 4)), n: i32, *, width: int = 4, kind: Any = f16):
    x[0, 0] = 1.0


def untyped(x):
    x[0] = 1.0


def several(*x: i32):
    thread_id()


def without_default(x: Global(f32, 4), *, width: int):
    x[0] = 1.0


def without_type(x: Global("kind", 4)):
    x[0] = 1.0


def another_type(x: Global("width", 4), *, width: int = 3):
    x[0] = 1.0


async def later():
    thread_id()


def made_of_text() -> Any:
    names: dict[str, Any] = {}
    exec("def kernel(): pass", names)
    return names["kernel"]


def of(function: Any, **how: Any) -> Kernel:
    return kernel(**{"threads": 32, "grid": 1, **how})(function)


REFUSED: dict[str, tuple[Any, str, str]] = {
    "called": (lambda: of(plain)(1), "'plain' is a kernel and cannot be called",
        "use .run(...) for the simulator or .launch(...) for a GPU"),
    "untyped": (lambda: of(untyped).parameters, "parameter 'x' of 'untyped' has no type",
        'write x: Global(f16, ("M", "N")), or x: i32'),
    "several": (lambda: of(several).parameters, "'several' cannot take a variable number of arguments 'x'", ""),
    "no default": (lambda: of(without_default).options, "option 'width' of 'without_default' has no default", ""),
    "no type": (lambda: of(without_type).parameters, "unknown type 'kind' of 'x': 'without_type' has no such option",
        "declare an option with a type as its default: *, kind: DType = f16"),
    "a number": (lambda: of(another_type).parameters, "unknown type 'width' of 'x': 'another_type' has no such option",
        "declare an option with a type as its default: *, width: DType = f16"),
    "strides": (lambda: Global(f32, ("M", "N"), strides=("M",)), "1 strides for 2 dimensions", ""),
    "lambda": (lambda: Kernel(lambda: thread_id(), 32, 1).ptx(), "a kernel must be a function defined by `def`", ""),
    "async": (lambda: of(later).ptx(), "a kernel must be a function defined by `def`", ""),
    "no source": (lambda: of(made_of_text()).ptx(), "the source of 'kernel' cannot be read",
        "define the kernel in a file or a notebook cell"),
    "no option": (lambda: of(plain).ptx(height=3), "'plain' has no option 'height'", "options: width, kind"),
    "no size": (lambda: of(plain).ptx(sizes={"N": 3}), "'plain' has no size 'N'", "sizes: M"),
    "no multiple": (lambda: of(plain).ptx(multiples={"N": 3}), "'plain' has no size 'N'", "sizes: M"),
    "size 0": (lambda: of(plain).ptx(sizes={"M": 0}), "size 'M' of 'plain' must be at least 1, not 0", ""),
    "multiple 0": (lambda: of(plain).ptx(multiples={"M": 0}), "size 'M' of 'plain' must be at least 1, not 0", ""),
    "half": (lambda: of(plain).ptx(sizes={"M": 0.5}), "size 'M' of 'plain' must be at least 1, not 0.5", ""),
    "mutable": (lambda: of(plain).ptx(width=[3]), "an option of 'plain' is mutable: unhashable type: 'list'", "a tuple, say"),
    "no threads": (lambda: of(plain, threads=0).ptx(), "a block must have 1 to 1024 threads, not 0", ""),
    "threads": (lambda: of(plain, threads=1025).ptx(), "a block must have 1 to 1024 threads, not 1025", ""),
    "threads of an option": (lambda: of(plain, threads=lambda width: 257 * width).ptx(),
        "a block must have 1 to 1024 threads, not 1028", ""),
    "threads of nothing": (lambda: of(plain, threads=lambda height: height).ptx(),
        "the threads of 'plain' depends on 'height', which is neither a size nor an option", "width, kind"),
    "no cluster": (lambda: of(plain, cluster=0).ptx("sm_90a"), "invalid cluster 0",
        "give up to three numbers of blocks: cluster=(2, 1)"),
    "cluster": (lambda: of(plain, cluster=(1, 1, 1, 2)).ptx("sm_90a"), "invalid cluster (1, 1, 1, 2)",
        "give up to three numbers of blocks: cluster=(2, 1)"),
    "cluster of nothing": (lambda: of(plain, cluster=lambda height: height).ptx("sm_90a"),
        "the cluster of 'plain' depends on 'height', which is neither a size nor an option", "width, kind"),
    "grid of nothing": (lambda: of(plain, grid=lambda height: height).run(np.zeros((1, 4), np.float32), 1),
        "the grid of 'plain' depends on 'height', which is neither a size nor an option", "M, width, kind"),
    "no grid": (lambda: of(plain, grid=None).run(np.zeros((1, 4), np.float32), 1), "'plain' does not define a grid",
        "pass grid=..., or give one to @weft.kernel"),
    "outside": (lambda: thread_id(), "this is only possible in a kernel",
        "decorate the function with @weft.kernel, and call .ptx or .run"),
    # -- arguments --
    "few": (lambda: of(plain).run(np.zeros((1, 4), np.float32)), "'plain' takes 2 arguments (x, n), not 1", ""),
    "no array": (lambda: of(plain).run(3, 1), "argument 'x' of 'plain' is not an array: int", ""),
    "rank": (lambda: of(plain).run(np.zeros(4, np.float32), 1), "argument 'x' of 'plain' has 1 dimensions, not 2", ""),
    "extent": (lambda: of(plain).run(np.zeros((1, 3), np.float32), 1), "argument 'x' of 'plain': 4 is 4 elsewhere, 3 here", ""),
    "type": (lambda: of(plain).run(np.zeros((1, 4), np.int32), 1), "argument 'x' of 'plain' has elements of type int32, not f32", ""),
    "gaps": (lambda: of(plain).run(np.zeros((2, 8), np.float32)[:, :4], 1), "argument 'x' of 'plain' is not contiguous",
        "pass a contiguous copy of it"),
    # -- sparse matrices --
    "rank of a matrix": (lambda: compressed(np.zeros(4, np.float16)), "a sparse matrix cannot be float16 of shape (4,)",
        "use elements of 8, 16 or 32 bits and an even number of columns"),
    "odd columns": (lambda: compressed(np.zeros((4, 3), np.int8)), "a sparse matrix cannot be int8 of shape (4, 3)",
        "use elements of 8, 16 or 32 bits and an even number of columns"),
    "wide": (lambda: compressed(np.zeros((4, 4))), "a sparse matrix cannot be float64 of shape (4, 4)",
        "use elements of 8, 16 or 32 bits and an even number of columns"),
    "rows of metadata": (lambda: compressed(np.zeros((4, 4), np.int8), (8, 64)),
        "metadata must have a multiple of 16 rows and of 64 columns, not (8, 64)", ""),
    "columns of metadata": (lambda: compressed(np.zeros((4, 4), np.float32), (16, 16)),
        "metadata must have a multiple of 16 rows and of 32 columns, not (16, 16)", ""),
    "crowded": (lambda: compressed(np.array([[0, 0, 0, 0], [1, 0, 2, 3]], np.int8)),
        "row 1 has more than 2 nonzero elements in columns 0 to 3", ""),
    "crowded f32": (lambda: compressed(np.array([[0, 1, 2, 3]], np.float32)),
        "row 0 has more than 1 nonzero elements in columns 2 to 3", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    make, said, hint = REFUSED[name]
    with pytest.raises(WeftError) as caught:
        make()
    assert (caught.value.message, caught.value.hint) == (said, hint)


def test_what_is_allowed_at_the_limits() -> None:
    for how in (
        {"threads": 1},
        {"threads": 1024},
        {"cluster": (1, 1, 2)},
        {"cluster": 2},
        {"threads": lambda width: width},
    ):
        assert ".entry plain(" in of(plain, **how).ptx("sm_90a", sizes={"M": 1}, width=32)
    assert compressed(np.zeros((4, 4), np.float32), (16, 32))[1].shape == (8, 4)


def test_kernels_are_told_by_their_parameters() -> None:
    assert repr(of(plain)) == "<kernel plain(x, n)>"
    assert (repr(persistent), repr(dynamic)) == ("persistent", "dynamic")
