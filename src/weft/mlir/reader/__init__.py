"""A quick way through MLIR text, beside xDSL's parser.

xDSL's parser interprets formats, spans and constraints for every operation, at 100 us each.  Most operations of a file
are of few shapes, so here the text is cut into tokens in one go (`tokens`), the format of each class becomes a tuple of
functions over them when its first operation is met (`formats`, `steps`, `custom`, `formatted`), the types that a format
leaves out are inferred once for the same written types (`inference`), attributes are remembered by their tokens
(`attributes`), types and dictionaries from file to file (`meanings`), and the operation is made directly (`build`).
Operations with a syntax of their own have readers written for them, a family a file (`quick_arith`, ...).

The two ways meet in front of every operation: what a reader does not expect, from an unusual type to a wrong token,
makes it give the operation up before anything was built, and xDSL's parser reads it from its start, with its
diagnostics.  A region is read the quick way inside an operation that xDSL's parser reads, and the other way round.
"""
