"""Sparse matrices of the host (`cuSPARSE`), so that files with both sides can be read."""

from __future__ import annotations

import re
from typing import Any

from xdsl.dialects.builtin import IndexType, MemRefType

from weft.dialects.engine.attributes import plain
from weft.dialects.engine.operations import Table
from weft.dialects.gpu.asynchronous import ASYNC, TOKEN, AsyncDependencies

_TYPES: dict[str, Any] = {
    "D": plain("gpu.sparse.dntensor_handle"), "S": plain("gpu.sparse.spmat_handle"),
    "P": plain("gpu.sparse.spgemmop_handle"), "I": IndexType(),
    "M": MemRefType, "token": TOKEN,
}  # fmt: skip
_MODE = "mat_transpose_mode=NON_TRANSPOSE"
_PROPERTIES = {
    "modeA": _MODE,
    "modeB": _MODE,
    "computeType": "type",
    "pruneFlag": "prune_2to4_spmat_flag",
    "kind": "spgemm_work_estimation_or_compute_kind",
}

_ROWS = {
    "create_dn_tensor": "memref:M dims:I* -> dn_tensor:D | $memref, $dims | : type($dims) into type($memref)",
    "destroy_dn_tensor": "dn_tensor:D | $dn_tensor |",
    "destroy_sp_mat": "spmat:S | $spmat |",
    "spgemm_destroy_descr": "desc:P | $desc |",
    "spgemm_create_descr": "-> desc:P | |",
    "create_coo": "rows:I cols:I nnz:I row_idxs:M col_idxs:M values:M -> spmat:S"
    " | $rows, $cols, $nnz, $row_idxs, $col_idxs, $values | : type($row_idxs), type($col_idxs), type($values)",
    "create_coo_aos": "rows:I cols:I nnz:I idxs:M values:M -> spmat:S"
    " | $rows, $cols, $nnz, $idxs, $values | : type($idxs), type($values)",
    "create_csr": "rows:I cols:I nnz:I row_pos:M col_idxs:M values:M -> spmat:S"
    " | $rows, $cols, $nnz, $row_pos, $col_idxs, $values | : type($row_pos), type($col_idxs), type($values)",
    "create_csc": "rows:I cols:I nnz:I col_pos:M row_idxs:M values:M -> spmat:S"
    " | $rows, $cols, $nnz, $col_pos, $row_idxs, $values | : type($col_pos), type($row_idxs), type($values)",
    "create_bsr": "brows:I bcols:I bnnz:I r_block_size:I c_block_size:I b_row_pos:M b_col_idxs:M values:M -> spmat:S"
    " | $brows, $bcols, $bnnz, $r_block_size, $c_block_size, $b_row_pos, $b_col_idxs, $values"
    " | : type($b_row_pos), type($b_col_idxs), type($values)",
    "create_2to4_spmat": "rows:I cols:I memref:M pruneFlag -> sp_mat:S"
    " | {$pruneFlag} $rows, $cols, $memref | : type($memref)",
    "set_csr_pointers": "spmat:S positions:M coordinates:M values:M"
    " | $spmat, $positions, $coordinates, $values | : type($positions), type($coordinates), type($values)",
    "spmat_get_size": "spmat:S -> rows:I cols:I nnz:I | $spmat |",
    "spmv_buffer_size": "spmat_a:S dn_x:D dn_y:D modeA computeType -> buffer_sz:I"
    " | $spmat_a A, $dn_x, $dn_y | into $computeType",
    "spmv": "spmat_a:S dn_x:D dn_y:D buffer:M modeA computeType"
    " | $spmat_a A, $dn_x, $dn_y, $buffer | : type($buffer) into $computeType",
    "spmm_buffer_size": "spmat_a:S dnmat_b:D dnmat_c:D modeA modeB computeType -> buffer_szs:I*"
    " | $spmat_a A, $dnmat_b B, $dnmat_c | : type($buffer_szs) into $computeType",
    "spmm": "spmat_a:S dnmat_b:D dnmat_c:D buffers:M* modeA modeB computeType"
    " | $spmat_a A, $dnmat_b B, $dnmat_c, $buffers | : type($buffers) into $computeType",
    "sddmm_buffer_size": "dnmat_a:D dnmat_b:D spmat_c:S modeA modeB computeType -> buffer_sz:I"
    " | $dnmat_a A, $dnmat_b B, $spmat_c | into $computeType",
    "sddmm": "dnmat_a:D dnmat_b:D spmat_c:S buffer:M modeA modeB computeType"
    " | $dnmat_a A, $dnmat_b B, $spmat_c, $buffer | : type($buffer) into $computeType",
    "spgemm_work_estimation_or_compute": "desc:P spmat_a:S spmat_b:S spmat_c:S buffer_sz:I buffer:M"
    " modeA modeB computeType kind -> buffer_sz_new:I"
    " | {$kind} $spmat_a A, $spmat_b B, $spmat_c, $desc, $buffer_sz, $buffer | : $computeType into type($buffer)",
    "spgemm_copy": "desc:P spmat_a:S spmat_b:S spmat_c:S modeA modeB computeType"
    " | $spmat_a A, $spmat_b B, $spmat_c, $desc | : $computeType",
}
"""The operations: operands and properties, `->`, results | what is written | behind the attributes.

A letter is a type of `_TYPES`, with `*` any number; `A` and `B` are the modes of a matrix, in braces where they are
not the default. Every operation may wait for tokens and give one.
"""


def _format(shown: str, tail: str) -> str:
    """The format in xDSL's words: punctuation in quotes."""
    text = re.sub(r"[,:{}]|\binto\b", lambda sign: f"`{sign[0]}`", f"{shown} attr-dict {tail}")
    return f"{ASYNC} " + re.sub(r" ([AB])(?= )", r" (`{` $mode\1^ `}`)?", text.replace("`,`", " `,`"))


def _rows() -> str:
    """The rows as `weft.dialects.engine.rows` has them."""
    made: list[str] = []
    for name, row in _ROWS.items():
        signature, shown, tail = row.split("|")
        given, _, results = signature.partition("->")
        operands = [word for word in given.split() if ":" in word]
        properties = [f"{word}:{_PROPERTIES[word]}" for word in given.split() if ":" not in word]
        values = f"async_dependencies:token* {' '.join(operands)} -> {results} async_token:token?"
        made.append(f"{name} {values} | {' '.join(properties)} | {_format(shown, tail)} | | | cuSPARSE")
    return "\n".join(made)


TABLE = Table("gpu", _rows(), _TYPES, {}, (AsyncDependencies,), vocabulary="gpu")
