"""Our code beside LLVM's on kernels that are drawn: executed machine instructions, registers, spills, sizes."""
