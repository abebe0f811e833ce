"""Dialects that are beside kernels in files of MLIR and are not compiled: read, and printed as mlir-opt prints them.

A file `NAME.ops` has a line for each operation of a dialect: `weft.dialects.engine.rows` says what is in it, and
`weft.dialects.foreign.tables` makes a class of it.
"""
