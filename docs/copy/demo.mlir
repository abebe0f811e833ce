// A warp stages two 8x8 matrices of halves in shared memory, loads them as fragments and writes these out.
gpu.module @demo {
  gpu.func @two_matrices(%a: !llvm.ptr<1>, %b: !llvm.ptr<1>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %from = tile.view %a {alignment = 16 : i64}
      : !llvm.ptr<1> -> !tile.buffer<8x4x2x2xf16, "global", #tile.layout<"S[(8,4,2,2):(16,2,8,1)]">>
    %to = tile.view %b {alignment = 16 : i64}
      : !llvm.ptr<1> -> !tile.buffer<8x4x2x2xf16, "global", #tile.layout<"S[(8,4,2,2):(16,2,8,1)]">>
    %s = tile.alloc : !tile.buffer<8x4x2x2xf16, "shared", #tile.layout<"S[(8,4,2,2):(16,2,8,1)]">>
    %r = tile.alloc : !tile.buffer<8x4x2x2xf16, "local", #tile.layout<"S[(8,4,2,2):(4@laneid,1@laneid,2,1)]">>
    tile.copy %s, %from {scope = "warp"}
      : !tile.buffer<8x4x2x2xf16, "shared", #tile.layout<"S[(8,4,2,2):(16,2,8,1)]">>,
        !tile.buffer<8x4x2x2xf16, "global", #tile.layout<"S[(8,4,2,2):(16,2,8,1)]">>
    tile.sync {scope = "warp"}
    tile.copy %r, %s {scope = "warp"}
      : !tile.buffer<8x4x2x2xf16, "local", #tile.layout<"S[(8,4,2,2):(4@laneid,1@laneid,2,1)]">>,
        !tile.buffer<8x4x2x2xf16, "shared", #tile.layout<"S[(8,4,2,2):(16,2,8,1)]">>
    tile.copy %to, %r {scope = "warp"}
      : !tile.buffer<8x4x2x2xf16, "global", #tile.layout<"S[(8,4,2,2):(16,2,8,1)]">>,
        !tile.buffer<8x4x2x2xf16, "local", #tile.layout<"S[(8,4,2,2):(4@laneid,1@laneid,2,1)]">>
    gpu.return
  }
}
