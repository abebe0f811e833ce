// block 32, grid 2: i32[64] i32=5 0i32[64]
module {
  func.func @k(%a: memref<64xi32>, %o: memref<64xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c32 = arith.constant 32 : index
    %k = arith.constant 5 : i32
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
      %b = arith.muli %bx, %sx : index
      %i = arith.addi %b, %tx : index
      %v = memref.load %a[%i] : memref<64xi32>
      %w = arith.muli %v, %k : i32
      memref.store %w, %o[%i] : memref<64xi32>
      gpu.terminator
    }
    return
  }
}
