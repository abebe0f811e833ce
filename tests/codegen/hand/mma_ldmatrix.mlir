// block 32: f16[16,16] f16[8,16] 0f32[16,8]<2
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<16x16xf16>, %b: memref<8x16xf16>, %o: memref<16x8xf32>) workgroup(%sa: memref<16x16xf16, #gpu.address_space<workgroup>>, %sb: memref<8x16xf16, #gpu.address_space<workgroup>>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %t to %c256 step %c32 {
    %r = arith.divui %i, %c16 : index
    %c = arith.remui %i, %c16 : index
    %v = memref.load %a[%r, %c] : memref<16x16xf16>
    memref.store %v, %sa[%r, %c] : memref<16x16xf16, #gpu.address_space<workgroup>>
  }
  scf.for %i = %t to %c128 step %c32 {
    %r = arith.divui %i, %c16 : index
    %c = arith.remui %i, %c16 : index
    %v = memref.load %b[%r, %c] : memref<8x16xf16>
    memref.store %v, %sb[%r, %c] : memref<8x16xf16, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %ar = arith.remui %t, %c16 : index
  %ac0 = arith.divui %t, %c16 : index
  %ac = arith.muli %ac0, %c8 : index
  %A = nvgpu.ldmatrix %sa[%ar, %ac] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
  %br = arith.remui %t, %c8 : index
  %bc0 = arith.divui %t, %c8 : index
  %bc1 = arith.remui %bc0, %c2 : index
  %bc = arith.muli %bc1, %c8 : index
  %B = nvgpu.ldmatrix %sb[%br, %bc] {numTiles = 2 : i32, transpose = false} : memref<8x16xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
  %C = arith.constant dense<0.25> : vector<2x2xf32>
  %D = nvgpu.mma.sync(%A, %B, %C) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %row = arith.divui %t, %c4 : index
  %cc0 = arith.remui %t, %c4 : index
  %cc = arith.muli %cc0, %c2 : index
  %row8 = arith.addi %row, %c8 : index
  %d0 = vector.extract %D[0] : vector<2xf32> from vector<2x2xf32>
  %d1 = vector.extract %D[1] : vector<2xf32> from vector<2x2xf32>
  vector.store %d0, %o[%row, %cc] : memref<16x8xf32>, vector<2xf32>
  vector.store %d1, %o[%row8, %cc] : memref<16x8xf32>, vector<2xf32>
  gpu.return
}
}
}
