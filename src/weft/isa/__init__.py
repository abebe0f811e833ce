"""The PTX instruction set as one table, read by the parser, printer, verifier, selector, simulator and docs."""

from weft.isa.form import Arg, Effects, Family, Form
from weft.isa.opcode import Opcode, Problem, Variant, decode, deferred, legal_opcode, opcode
from weft.isa.registry import families
from weft.isa.target import NEWEST, TARGETS, VERSIONS, Target, Version, Window, target, target_set, window

__all__ = [
    "NEWEST",
    "TARGETS",
    "VERSIONS",
    "Arg",
    "Effects",
    "Family",
    "Form",
    "Opcode",
    "Problem",
    "Target",
    "Variant",
    "Version",
    "Window",
    "decode",
    "deferred",
    "families",
    "legal_opcode",
    "opcode",
    "target",
    "target_set",
    "window",
]
