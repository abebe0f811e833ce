"""What the rows of `llvm` say in words: kinds of types, of attributes, and traits."""

from __future__ import annotations

from typing import Any, cast

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects import traits
from weft.dialects.definitions import Vocabulary
from weft.dialects.kinds import Trait, same_operand_types, same_type, same_types
from weft.dialects.llvm import checks, constants, parts, symbol_checks
from weft.dialects.llvm.kinds import ATTRIBUTES, TYPES


def _targets(op: Operation) -> None:
    """As many operands for the blocks as the sizes of their groups say."""
    count, total = len(op.operands) - 1, sum(cast("Any", op.properties["indbr_operand_segments"]).get_values())
    if count != total:
        said = f"succOperands count ({count}) does not match with the total size ({total}) specified in attribute"
        raise VerifyException(f"{said} 'indbr_operand_segments'")


_TRAITS: dict[str, Trait] = {
    **cast(
        "dict[str, Trait]",
        {
            name: check
            for part in (parts, checks, constants, symbol_checks)
            for name, check in vars(part).items()
            if not name.startswith("_")
        },
    ),
    "global": symbol_checks.global_,
    "return": symbol_checks.return_,
    "annotated_integer": same_types("res, integer", 4, 0),
    "annotated_pointer": same_types("res, ptr", 5, 0),
    "annotation": same_types("annotation, fileName", 1, 2),
    "annotations": same_types("annotation, fileName, attr", 1, 2, 4),
    "alternatives": same_types("trueValue, falseValue, res", 1, 2, 3),
    "branch": traits.branch,
    "conditional_branch": traits.branch,
    "expected_types": same_types("val, expected, res", 0, 1, 2),
    "inserted_types": same_types("dstvec, res", 0, 2),
    "interleaved_types": same_types("vec1, vec2", 0, 1),
    "insertvalue_types": same_types("container, res", 0, 2),
    "masked_pointer": same_types("ptr, res", 0, 2),
    "landing": parts.landing,
    "no_arguments": traits.no_arguments,
    "selectors": parts.selectors,
    "unwinding": parts.unwinding,
    "reduction": traits.same_element_types,
    "single_block": traits.single_block,
    "same": same_type,
    "same_elements": traits.same_operand_elements,
    "same_operands": same_operand_types,
    "shuffled": same_types("v1, v2", 0, 1),
    "switch_branch": traits.branch,
    "symbol": traits.symbol,
    "targets": _targets,
    "terminator": traits.terminator,
}
WORDS = Vocabulary(TYPES, ATTRIBUTES, _TRAITS)
