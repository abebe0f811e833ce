"""Inline PTX in CUDA C++: every asm statement read by a tokenizer of its own and verified with its constraints.

    findings = weft.lint.lint(text, "kernel.cuh").findings

Nothing is compiled, no header is read: the preprocessor's conditionals inside a statement are tried both ways, macros
that are strings of the same file are replaced, and a statement that holds another macro is not judged.
"""

from weft.lint.codes import CODES as CODES
from weft.lint.linter import Linted as Linted
from weft.lint.linter import lint as lint
