func.func @f(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> i32
  %1 = llvm.load volatile %p : !llvm.ptr -> i32
  %2 = llvm.load %p atomic unordered {alignment = 4 : i64} : !llvm.ptr -> i32
  %3 = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  return
}
// -----
func.func @f(%p: !llvm.ptr) -> (i32, i32, i32, i32) {
  %0 = llvm.load %p : !llvm.ptr -> i32
  %1 = llvm.load %p : !llvm.ptr -> i32
  %2 = llvm.load %p atomic unordered {alignment = 4 : i64} : !llvm.ptr -> i32
  %3 = llvm.load %p atomic unordered {alignment = 4 : i64} : !llvm.ptr -> i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}
// -----
func.func @f(%p: !llvm.ptr) -> (i32, i32, i32, i32) {
  %0 = llvm.load volatile %p : !llvm.ptr -> i32
  %1 = llvm.load volatile %p : !llvm.ptr -> i32
  %2 = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  %3 = llvm.load %p atomic acquire {alignment = 4 : i64} : !llvm.ptr -> i32
  return %0, %1, %2, %3 : i32, i32, i32, i32
}
// -----
func.func @f(%p: i32) -> (i32, i32) {
  %0 = llvm.inline_asm "x $0, $1", "=r,r" %p : (i32) -> i32
  %1 = llvm.inline_asm "x $0, $1", "=r,r" %p : (i32) -> i32
  %2 = llvm.inline_asm "y $0, $1", "=r,r" %p : (i32) -> i32
  %3 = llvm.inline_asm has_side_effects "y $0, $1", "=r,r" %p : (i32) -> i32
  return %0, %1 : i32, i32
}
// -----
func.func private @g()
func.func @f(%m: memref<8xf32>, %t: tensor<8xf32>, %i: index, %z: f32) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %0 = vector.transfer_read %m[%i], %z : memref<8xf32>, vector<4xf32>
  %1 = vector.transfer_read %t[%i], %z : tensor<8xf32>, vector<4xf32>
  func.call @g() : () -> ()
  %2 = vector.transfer_read %m[%i], %z : memref<8xf32>, vector<4xf32>
  %3 = vector.transfer_read %t[%i], %z : tensor<8xf32>, vector<4xf32>
  return %0, %1, %2, %3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
}
// -----
func.func @f(%m: memref<8xf32>, %t: tensor<8xf32>, %i: index, %z: f32) {
  %0 = vector.transfer_read %m[%i], %z : memref<8xf32>, vector<4xf32>
  %1 = vector.transfer_read %t[%i], %z : tensor<8xf32>, vector<4xf32>
  %2 = memref.alloc() : memref<8xf32>
  %3 = memref.alloca() : memref<8xf32>
  %4 = memref.load %m[%i] : memref<8xf32>
  memref.store %4, %m[%i] : memref<8xf32>
  return
}
// -----
func.func @f(%x: vector<4xi32>, %y: i32, %t: tensor<3xi32>) -> (vector<4xi1>, vector<4xi1>, i1, tensor<3xi1>) {
  %0 = arith.cmpi eq, %x, %x : vector<4xi32>
  %1 = arith.cmpi slt, %x, %x : vector<4xi32>
  %2 = arith.cmpi uge, %y, %y : i32
  %3 = arith.cmpi ne, %t, %t : tensor<3xi32>
  return %0, %1, %2, %3 : vector<4xi1>, vector<4xi1>, i1, tensor<3xi1>
}
