"""`match` means in a kernel what it means in Python, for what Python knows and for what only the GPU knows."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

import weft
from weft.errors import CompileError
from weft.tile import Global, block_id, function, i32

ONE, TWO = 1, 2


class Kinds:
    """Values with dots are compared to, names are bound."""

    FOUR = 4


def classified(x: Any, y: Any) -> Any:
    """The same text runs as Python and on the GPU."""
    result = 0
    match x:
        case 0:
            result = 10
        case 1 | 2 | -3:
            result = 20 + x
        case Kinds.FOUR:
            result = 40
        case other if other > 7:
            result = other * 2
        case _:
            result = 5
    match x % 3, y:
        case 0, 0:
            result += 100
        case rest, 1:
            result += 200 + rest
        case 1, _:
            result += 300
        case _:
            pass
    match x > y, y == 1:
        case True, False:
            result += 2000
        case False, True:
            result += 4000
    if (x < 3) is True and (y == 0) is not False:
        result += 8000
    if x in (2, 5, y) or y not in {1, 3}:
        result += 16000
    if any(x == each for each in (1, y)) and all([x > 0, y, True]):
        result += 32000
    match y:
        case 2:
            return result + 1000
        case 3:
            return -1
    return result


on_gpu = function(classified)


@weft.kernel(threads=1)
def known_there(X: Global(i32, "N"), Y: Global(i32, "N"), Z: Global(i32, "N")):
    i = block_id()
    Z[i] = on_gpu(X[i], Y[i])


def test_as_python() -> None:
    x, y = (each.astype(np.int32).ravel() for each in np.meshgrid(np.arange(-5, 12), np.arange(-1, 5)))
    z = np.zeros_like(x)
    known_there.run(x, y, z, grid=len(x))
    assert z.tolist() == [classified(int(a), int(b)) for a, b in zip(x, y, strict=True)]


@weft.kernel(threads=1, grid=1)
def known_before(Z: Global(i32, 1), *, kind: str = "a", sign: Any = None):
    match kind:
        case "a" | "b":
            z = 1
        case text:
            z = len(text)
    match sign:
        case None:
            z += 10
        case True:
            z += 20
    Z[0] = z


@pytest.mark.parametrize(
    ("options", "expected"), [({}, 11), ({"kind": "b", "sign": True}, 21), ({"kind": "four", "sign": 3}, 4)]
)
def test_options(options: dict[str, Any], expected: int) -> None:
    z = np.zeros(1, np.int32)
    known_before.run(z, options=options)
    assert z[0] == expected


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("case [1, *rest]: pass", "not supported in a kernel"),
        ("case {'a': 1}: pass", "not supported in a kernel"),
        ("case int(): pass", "not supported in a kernel"),
        ("case 1 | _: pass", "alternatives in a kernel must be values"),
    ],
)
def test_refused(case: str, message: str) -> None:
    text = f"import weft\nfrom weft.tile import *\n\n@weft.kernel(grid=1)\ndef kernel(n: i32):\n    match n:\n        {case}\n"
    name = f"<matching {hash(case)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {}
    try:
        exec(compile(text, name, "exec"), names)
    except SyntaxError:
        return
    with pytest.raises(CompileError, match=message) as caught:
        names["kernel"].ptx("sm_80")
    assert caught.value.position.line == 7
