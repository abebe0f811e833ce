"""The tree of a module."""

from __future__ import annotations

import weft
from weft.view.tree import tree_lines

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


def test_tree() -> None:
    module = weft.parse(
        f"{HEAD}.global .u32 g;\n.func f();\n.entry k(.param .u32 n)\n{{\n.reg .pred %p;\nL: {{ bra M;\nM: ret; }}\n@%p bra L;\n}}\n",
        filename="k.ptx",
    )
    plain = [line.replace("\x1b[1m", "").replace("\x1b[0m", "").replace("\x1b[36m", "") for line in tree_lines(module)]
    assert plain == [
        "k.ptx: PTX 8.0 for sm_80",
        "├── .global .u32 g",
        "├── function f (declared only)",
        "└── kernel k",
        "    ├── parameter n: u32",
        "    ├── .reg .pred %p",
        "    └── L",
        "        ├── { }",
        "        │   ├── bra M",
        "        │   └── M",
        "        │       └── ret",
        "        └── @%p bra L",
    ]


def test_deep_nesting_is_no_recursion() -> None:
    module = weft.parse(f"{HEAD}.entry k()\n{{\n{'{' * 1000}ret;{'}' * 1000}\n}}\n")
    assert sum(1 for _ in tree_lines(module)) == 1003
