"""The `tile` dialect: buffers with layouts, and copies between them.

A buffer lies in global memory, in the block's shared memory, or is distributed over threads' registers (`local`); its
layout says where each element is.  `tile.copy` says what moves where; how is for the lowering to find out.
"""
