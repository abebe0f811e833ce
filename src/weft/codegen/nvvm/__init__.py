"""Selection of `nvvm` operations, one module a family."""
