module {
  func.func @f(%arg0: index, %arg1: memref<4xf32>, %arg2: f32) {
    gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) {
      %2 = arith.addi %arg3, %arg6 : index
      %3 = arith.muli %2, %arg12 : index
      memref.store %arg2, %arg1[%3] : memref<4xf32>
      gpu.terminator
    }
    %c4 = arith.constant 4 : index
    %c64_i32 = arith.constant 64 : i32
    %0 = gpu.wait async
    %1 = gpu.launch async [%0] clusters(%arg15, %arg16, %arg17) in (%arg18 = %c4, %arg19 = %c4, %arg20 = %c4) blocks(%arg3, %arg4, %arg5) in (%arg9 = %arg0, %arg10 = %arg0, %arg11 = %arg0) threads(%arg6, %arg7, %arg8) in (%arg12 = %arg0, %arg13 = %arg0, %arg14 = %arg0) workgroup(%arg21 : memref<32xf32, 3>) private(%arg22 : memref<1xf32, 5>) {
      memref.store %arg2, %arg21[%arg6] : memref<32xf32, 3>
      memref.store %arg2, %arg22[%c4] : memref<1xf32, 5>
      gpu.terminator
    }
    gpu.launch blocks(%arg3, %arg4, %arg5) in (%arg9 = %c4, %arg10 = %c4, %arg11 = %c4) threads(%arg6, %arg7, %arg8) in (%arg12 = %c4, %arg13 = %arg0, %arg14 = %c4) dynamic_shared_memory_size %c64_i32 module(@mm) function(@kk) {
      gpu.terminator
    }
    return
  }
}
