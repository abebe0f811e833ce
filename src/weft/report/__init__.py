"""Findings for people and machines: text, JSON, SARIF 2.1.0 and the lines that GitHub shows on a change.

Whatever makes `Diagnostic`s (the verifier, the sanitizer, a lint) prints them through `render`, and lets its user
choose among them with a `Policy`.
"""

from weft.report.formats import FORMATS, Code, render
from weft.report.policy import Policy
from weft.report.text import summary

__all__ = ["FORMATS", "Code", "Policy", "render", "summary"]
