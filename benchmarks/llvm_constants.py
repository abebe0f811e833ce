"""LLVM IR of other versions, so that LLVM 22 reads it."""

from __future__ import annotations

import re

import numpy as np


def spelled(ir: str) -> str:
    """LLVM IR with constants as LLVM 22 spells them: `f0x3F800000` is a later LLVM's."""

    def constant(match: re.Match[str]) -> str:
        digits = match[1]
        if len(digits) == 8:
            with np.errstate(invalid="ignore"):
                value = np.array(int(digits, 16), np.uint32).view(np.float32).astype(np.float64)
            return f"0x{int(value.view(np.uint64)):016X}"
        if len(digits) == 16:
            return f"0x{digits}"
        line = match.string[match.string.rfind("\n", 0, match.start()) : match.start()]
        return f"0x{'R' if line.rfind('bfloat') > line.rfind('half') else 'H'}{digits}"

    def number(match: re.Match[str]) -> str:
        with np.errstate(over="ignore"):
            value = np.float64(np.float32(float(match[2])) if match[1].startswith("float") else float(match[2]))
        return f"{match[1]}0x{int(value.view(np.uint64)):016X}"

    def incoming(match: re.Match[str]) -> str:
        return re.sub(r"\[ ([+-])inf,", lambda m: f"[ 0x{'F' if m[1] == '-' else '7'}FF0000000000000,", match[0])

    ir = re.sub(r"phi (?:float|double) .*", incoming, ir)
    ir = re.sub(r"((?:float|double) (?:[^ ,]+, )?)([+-]inf|-?\d+\.\d+e[+-]\d+)\b", number, ir)
    return re.sub(r"\bf0x([0-9A-Fa-f]+)", constant, ir)
