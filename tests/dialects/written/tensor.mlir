func.func @f(%m: memref<8x8xf32>, %i: index) {
  %0 = "memref.subview"(%m, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, 1>, static_strides = array<i64: 1, 1>}> : (memref<8x8xf32>, index) -> memref<1x1xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x8xf32>, %i: index) {
  %0 = "memref.subview"(%m, %i) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1, 1>, static_strides = array<i64: 1, 1>}> : (memref<8x8xf32>, index) -> memref<1x1xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x8xf32>, %i: index) {
  %0 = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1, 1>, static_strides = array<i64: 1, 1>}> : (memref<8x8xf32>) -> memref<1x1xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x8xf32>, %i: index) {
  %0 = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (memref<8x8xf32>) -> memref<1x1xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%m: memref<8x8xf32>, %i: index) {
  %0 = "memref.subview"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 1>, static_strides = array<i64: 1, 1>}> : (memref<8x8xf32>) -> memref<1x1xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %i: index) {
  %0 = "tensor.extract_slice"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1, 1>, static_strides = array<i64: 1, 1>}> : (tensor<8x8xf32>) -> tensor<1x1xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %i: index) {
  %0 = "tensor.extract_slice"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<8x8xf32>) -> tensor<1x1xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %i: index) {
  %0 = tensor.extract_slice %m[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<5x4xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %i: index) {
  %0 = tensor.extract_slice %m[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %i: index) {
  %0 = tensor.extract_slice %m[0, 0] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xi32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %i: index) {
  %0 = tensor.extract_slice %m[0, 0] [1, 4] [1, 1] : tensor<8x8xf32> to tensor<4xf32>
  %1 = tensor.extract_slice %m[0, 0] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<f32>
  %2 = tensor.extract_slice %m[0, 0] [1, %i] [1, 1] : tensor<8x8xf32> to tensor<?xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %i: index) {
  %0 = tensor.extract_slice %m[8, 0] [1, 4] [1, 1] : tensor<8x8xf32> to tensor<4xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %i: index) {
  %0 = tensor.extract_slice %m[0, 0] [9, 4] [1, 1] : tensor<8x8xf32> to tensor<9x4xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %i: index) {
  %0 = tensor.extract_slice %m[0, 0] [%i, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %s: tensor<4x5xf32>) {
  %0 = tensor.insert_slice %s into %m[0, 0] [4, 4] [1, 1] : tensor<4x5xf32> into tensor<8x8xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %s: tensor<4x5xi32>) {
  %0 = tensor.insert_slice %s into %m[0, 0] [4, 5] [1, 1] : tensor<4x5xi32> into tensor<8x8xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %s: tensor<4xf32>) {
  %0 = tensor.insert_slice %s into %m[0, 0] [4, 4] [1, 1] : tensor<4xf32> into tensor<8x8xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %s: tensor<4xf32>) {
  %0 = tensor.insert_slice %s into %m[0, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x8xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %s: tensor<4xf32>) {
  %0 = tensor.insert_slice %s into %m[9, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x8xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>, %s: tensor<4xf32>) {
  %0 = tensor.insert_slice %s into %m[7, 6] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x8xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>) {
  %0 = tensor.collapse_shape %m [[0, 1]] : tensor<8x8xf32> into tensor<63xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8xf32>) {
  %0 = tensor.collapse_shape %m [[0], [1]] : tensor<8x8xf32> into tensor<8x8xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8x8xf32>) {
  %0 = tensor.collapse_shape %m [[0, 1]] : tensor<8x8x8xf32> into tensor<64xf32>
  return
}
// -----
func.func @f(%m: tensor<8x8x8xf32>) {
  %0 = tensor.collapse_shape %m [[0, 2], [1]] : tensor<8x8x8xf32> into tensor<64x8xf32>
  return
}
// -----
func.func @f(%m: tensor<8x?x8xf32>) {
  %0 = tensor.collapse_shape %m [[0, 1], [2]] : tensor<8x?x8xf32> into tensor<64x8xf32>
  return
}
// -----
func.func @f(%m: tensor<64xf32>, %i: index) {
  %0 = tensor.expand_shape %m [[0, 1]] output_shape [8, 7] : tensor<64xf32> into tensor<8x7xf32>
  return
}
// -----
func.func @f(%m: tensor<64xf32>, %i: index) {
  %0 = tensor.expand_shape %m [[0, 1]] output_shape [8, %i] : tensor<64xf32> into tensor<8x8xf32>
  return
}
// -----
func.func @f(%m: tensor<64xf32>, %i: index) {
  %0 = tensor.expand_shape %m [[0, 1]] output_shape [8, 8, 8] : tensor<64xf32> into tensor<8x8xf32>
  return
}
// -----
func.func @f(%m: tensor<?xf32>, %i: index) {
  %0 = tensor.expand_shape %m [[0, 1]] output_shape [8, 8] : tensor<?xf32> into tensor<8x8xf32>
  return
}
// -----
func.func @f(%m: tensor<?xf32>, %i: index) {
  %0 = tensor.expand_shape %m [[0, 1]] output_shape [%i, %i] : tensor<?xf32> into tensor<?x?xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %f: f32) {
  %0 = tensor.pad %m low[1] high[2] { ^bb0(%a: index): tensor.yield %f : f32 } : tensor<4xf32> to tensor<8xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %f: f32) {
  %0 = tensor.pad %m low[1] high[2] { ^bb0(%a: index, %b: index): tensor.yield %f : f32 } : tensor<4xf32> to tensor<7xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %f: i32) {
  %0 = tensor.pad %m low[1] high[2] { ^bb0(%a: index): tensor.yield %f : i32 } : tensor<4xf32> to tensor<7xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %f: i32) {
  %0 = tensor.generate { ^bb0(%a: index): tensor.yield %f : i32 } : tensor<4xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %f: i32) {
  %0 = tensor.generate { ^bb0(%a: index, %b: index): tensor.yield %f : i32 } : tensor<4xi32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %i: index) {
  %0 = tensor.generate %i { ^bb0(%a: index): tensor.yield %i : index } : tensor<4xindex>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %n: tensor<5xf32>) {
  %0 = tensor.concat dim(0) %m, %n : (tensor<4xf32>, tensor<5xf32>) -> tensor<8xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %n: tensor<5x1xf32>) {
  %0 = tensor.concat dim(0) %m, %n : (tensor<4xf32>, tensor<5x1xf32>) -> tensor<8xf32>
  return
}
// -----
func.func @f(%m: tensor<4x2xf32>, %n: tensor<5x1xf32>) {
  %0 = tensor.concat dim(0) %m, %n : (tensor<4x2xf32>, tensor<5x1xf32>) -> tensor<9x2xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %n: tensor<5xi32>) {
  %0 = tensor.concat dim(0) %m, %n : (tensor<4xf32>, tensor<5xi32>) -> tensor<9xf32>
  return
}
// -----
func.func @f() {
  %0 = tensor.concat dim(0) : () -> tensor<9xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>) {
  %0 = tensor.concat dim(1) %m : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %s: tensor<2xi32>, %d: tensor<?xi32>) {
  %0 = tensor.reshape %m(%s) : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  %1 = tensor.reshape %m(%d) : (tensor<4xf32>, tensor<?xi32>) -> tensor<*xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %s: tensor<2xi32>) {
  %0 = tensor.reshape %m(%s) : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2x1xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %s: tensor<2xi32>) {
  %0 = tensor.reshape %m(%s) : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xi32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %s: tensor<2xi32>) {
  %0 = tensor.reshape %m(%s) : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x3xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>, %s: tensor<?xi32>) {
  %0 = tensor.reshape %m(%s) : (tensor<4xf32>, tensor<?xi32>) -> tensor<2x2xf32>
  return
}
// -----
func.func @f(%m: tensor<4xf32>) {
  %i = arith.constant 4 : index
  %0 = tensor.dim %m, %i : tensor<4xf32>
  return
}
// -----
func.func @f(%m: tensor<4x4xf32>, %i: index, %g: tensor<1x2xindex>) {
  %0 = tensor.gather %m[%g] gather_dims([0, 1]) : (tensor<4x4xf32>, tensor<1x2xindex>) -> tensor<1x1x1xf32>
  return
}
// -----
func.func @f(%m: tensor<4x4xf32>, %i: index, %g: tensor<1x2xindex>) {
  %0 = tensor.gather %m[%g] gather_dims([0, 1]) : (tensor<4x4xf32>, tensor<1x2xindex>) -> tensor<1x2xf32>
  return
}
// -----
func.func @f(%m: tensor<4x4xf32>, %i: index, %g: tensor<1x2xindex>, %s: tensor<1x1x2xf32>) {
  %0 = tensor.scatter %s into %m[%g] scatter_dims([0, 1]) unique : (tensor<1x1x2xf32>, tensor<4x4xf32>, tensor<1x2xindex>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%m: tensor<4x4xf32>, %i: index, %g: tensor<1x2xindex>, %s: tensor<1x1x1xf32>) {
  %0 = tensor.scatter %s into %m[%g] scatter_dims([0, 1]) : (tensor<1x1x1xf32>, tensor<4x4xf32>, tensor<1x2xindex>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%m: memref<4x4xf32>) {
  %0 = bufferization.to_tensor %m : memref<4x4xf32> to tensor<4x5xf32>
  return
}
// -----
func.func @f(%m: memref<4x4xf32>, %t: tensor<4x4xf32>) {
  bufferization.materialize_in_destination %t in %m : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  return
}
// -----
func.func @f(%m: memref<4x4xf32>, %t: tensor<4x4xf32>) {
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  %0 = bufferization.materialize_in_destination %t in %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%m: memref<4x4xf32>, %t: tensor<4x4xf32>, %u: tensor<5x4xf32>) {
  %0 = bufferization.materialize_in_destination %t in %u : (tensor<4x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  return
}
// -----
func.func @f(%m: memref<4x4xf32>, %t: tensor<4x4xf32>) {
  %0 = bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4x4xf32>, memref<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
func.func @f(%t: tensor<4x?xf32>, %i: index) {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<4x?xf32>
  %1 = bufferization.alloc_tensor(%i) {memory_space = 1 : i64} : tensor<4x?xf32>
  %2 = bufferization.alloc_tensor(%i) size_hint=%i : tensor<4x?xf32>
  return
}
// -----
func.func @f(%t: tensor<4x?xf32>, %i: index) {
  %0 = bufferization.alloc_tensor(%i) copy(%t) : tensor<4x?xf32>
  return
}
// -----
func.func @f(%t: tensor<4x?xf32>, %i: index) {
  %0 = bufferization.alloc_tensor() : tensor<4x?xf32>
  return
}
// -----
func.func @f(%t: tensor<4x?xf32>, %i: index) {
  %0 = bufferization.alloc_tensor() copy(%t) : tensor<5x?xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>) {
  %0 = bufferization.clone %m : memref<4xf32> to memref<?xf32>
  %1 = bufferization.clone %m : memref<4xf32> to memref<5xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %c: i1) {
  %0 = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%m : memref<4xf32>)
  bufferization.dealloc (%m, %m : memref<4xf32>, memref<4xf32>) if (%c, %c)
  bufferization.dealloc
  return
}
// -----
func.func @f(%m: memref<4xf32>, %c: i1) {
  bufferization.dealloc (%m, %m : memref<4xf32>, memref<4xf32>) if (%c)
  return
}
