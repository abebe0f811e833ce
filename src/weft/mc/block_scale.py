"""The control record of a block-scaled `mma.sync`: what the two multiplicands are and how they are scaled.

The notes on the expander describe a packed word whose fields do not fit its 32 bits, so it is a plain record here.
Which combinations exist stands in the ISA table; the record only asks it. The `sync_aligned` bit belongs to the
record, not to the text: the expander refuses it, and the text says `.sync.aligned` all the same, as ptxas demands.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from weft.dataclass import dataclass
from weft.errors import IsaError
from weft.isa import Opcode, decode
from weft.isa.compiled import CompiledForm
from weft.isa.registry import compiled_forms
from weft.mc.records import TypeTag, type_tag

NOT_SYNC_ALIGNED = "nvvm.mma.blockscale currently supports non-sync aligned variants only!"
"""What the expander says of a record whose bit is set."""


@dataclass(frozen=True, slots=True)
class BlockScale:
    """A block-scaled product: A and B type (`e4m3`), kind (`mxf8f6f4`), scale vector (`1X`, or empty for the kind's
    default), the type of the scales (`ue8m0`), and whether A is sparse."""

    a: str
    b: str
    kind: str
    scale_vec: str = ""
    stype: str = "ue8m0"
    sparse: bool = False
    sync_aligned: bool = False

    @property
    def tags(self) -> tuple[TypeTag, TypeTag, TypeTag]:
        """The type tags of A and B, and the tag of the kind (the two FP4 kinds share one)."""
        kind = TypeTag.MXF8F6F4 if self.kind == "mxf8f6f4" else TypeTag.MXF4
        return type_tag(self.a), type_tag(self.b), kind

    def opcode(self) -> Opcode:
        """The opcode that the record selects; raises IsaError for a combination that no target has."""
        if self.sync_aligned:
            raise IsaError(NOT_SYNC_ALIGNED, hint="clear the bit; the PTX says .sync.aligned without it")
        form = _form(self.sparse)
        found = [decode(form.spell(self.slots(shape))) for shape in _tokens(form)["shape"]]
        legal = [opcode for opcode in found if opcode.valid]
        if legal:
            return legal[0]
        problem = found[0].problem
        message = problem.message if problem is not None else "no such combination"
        raise IsaError(message, hint=problem.hint if problem is not None else "")

    def slots(self, shape: str) -> dict[str, str]:
        """The slots of the form for a shape; those that have but one token hold it."""
        fixed = {slot: tokens[0] for slot, tokens in _tokens(_form(self.sparse)).items() if len(tokens) == 1}
        scale_vec = f"scale_vec::{self.scale_vec}" if self.scale_vec else ""
        return fixed | {
            "shape": shape,
            "kind": f"kind::{self.kind}",
            "scale_vec": scale_vec,
            "atype": self.a,
            "btype": self.b,
            "stype": self.stype,
        }


def _form(sparse: bool) -> CompiledForm:
    """The block-scaled form of its family: the one with a type of scales."""
    forms = compiled_forms("mma.sp::ordered_metadata" if sparse else "mma")
    return next(form for form in forms if any(element.slot == "stype" for element in form.elements))


def _tokens(form: CompiledForm) -> dict[str, tuple[str, ...]]:
    return {element.slot: element.tokens for element in form.elements if element.slot}


def every_record() -> Iterator[BlockScale]:
    """Every combination of the tokens that the table knows, legal or not, dense and sparse."""
    for sparse in (False, True):
        tokens = _tokens(_form(sparse))
        vectors = ("", *(token.removeprefix("scale_vec::") for token in tokens["scale_vec"]))
        kinds = tuple(token.removeprefix("kind::") for token in tokens["kind"])
        for a, b, kind, vector, stype in product(tokens["atype"], tokens["btype"], kinds, vectors, tokens["stype"]):
            yield BlockScale(a, b, kind, vector, stype, sparse)
