"""What debuggers are told under `-g`: DWARF 2 of units, functions, types and variables, as LLVM writes it."""
