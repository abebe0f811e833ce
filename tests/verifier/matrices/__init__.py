"""Matrices of small modules, each asked of ptxas once: its answers are kept and judge the verifier."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.verifier.matrices.addresses import addresses
from tests.verifier.matrices.declarations import declarations, linkages
from tests.verifier.matrices.directives import directives
from tests.verifier.matrices.literals import literals
from tests.verifier.matrices.probe import Probe

MATRICES: dict[str, Callable[[], Iterator[Probe]]] = {
    "declarations": declarations,
    "linkages": linkages,
    "addresses": addresses,
    "literals": literals,
    "directives": directives,
}
"""The matrices by name; each gives its probes in the order of the kept answers."""
