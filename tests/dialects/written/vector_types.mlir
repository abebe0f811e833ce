func.func @f(%a: vector<4xf32>) {
  %0 = "vector.reduction"(%a) <{kind = #vector.kind<add>}> : (vector<4xf32>) -> f16
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: f16) {
  %0 = "vector.reduction"(%a, %b) <{kind = #vector.kind<add>}> : (vector<4xf32>, f16) -> f16
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: f16) {
  %0 = "vector.reduction"(%a, %b) <{kind = #vector.kind<add>}> : (vector<4xf32>, f16) -> f32
  return
}
// -----
func.func @f(%a: vector<4x2xf32>, %b: vector<4xf16>) {
  %0 = "vector.multi_reduction"(%a, %b) <{kind = #vector.kind<add>, reduction_dims = array<i64: 1>}> : (vector<4x2xf32>, vector<4xf16>) -> vector<4xf16>
  return
}
// -----
func.func @f(%a: vector<4x2xf32>, %b: vector<4xf16>) {
  %0 = "vector.multi_reduction"(%a, %b) <{kind = #vector.kind<add>, reduction_dims = array<i64: 1>}> : (vector<4x2xf32>, vector<4xf16>) -> vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf16>) {
  %0 = "vector.fma"(%a, %b, %a) : (vector<4xf32>, vector<4xf16>, vector<4xf32>) -> vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf16>) {
  %0 = "vector.fma"(%a, %a, %b) : (vector<4xf32>, vector<4xf32>, vector<4xf16>) -> vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0 = "vector.fma"(%a, %a, %a) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf16>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf16>) {
  %0 = "vector.shuffle"(%a, %b) <{mask = array<i64: 0, 1>}> : (vector<4xf32>, vector<4xf16>) -> vector<2xf16>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf16>) {
  %0 = "vector.shuffle"(%b, %a) <{mask = array<i64: 0, 1>}> : (vector<4xf16>, vector<4xf32>) -> vector<2xf16>
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0 = "vector.extract_strided_slice"(%a) <{offsets = [0], sizes = [2], strides = [1]}> : (vector<4xf32>) -> vector<2xf16>
  return
}
// -----
func.func @f(%a: vector<2xf16>, %b: vector<4xf32>) {
  %0 = "vector.insert_strided_slice"(%a, %b) <{offsets = [0], strides = [1]}> : (vector<2xf16>, vector<4xf32>) -> vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<2xf32>, %b: vector<4xf32>) {
  %0 = "vector.insert_strided_slice"(%a, %b) <{offsets = [0], strides = [1]}> : (vector<2xf32>, vector<4xf32>) -> vector<3xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<[4]xf32>) {
  %0 = "vector.scalable.insert"(%a, %b) <{pos = 0 : i64}> : (vector<4xf32>, vector<[4]xf32>) -> vector<[8]xf32>
  return
}
// -----
func.func @f(%a: vector<4xf16>, %b: vector<[4]xf32>) {
  %0 = "vector.scalable.insert"(%a, %b) <{pos = 0 : i64}> : (vector<4xf16>, vector<[4]xf32>) -> vector<[4]xf32>
  return
}
// -----
func.func @f(%b: vector<[4]xf32>) {
  %0 = "vector.scalable.extract"(%b) <{pos = 0 : i64}> : (vector<[4]xf32>) -> vector<4xf16>
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0 = "vector.extract"(%a) <{static_position = array<i64: 1>}> : (vector<4xf32>) -> f16
  return
}
// -----
func.func @f(%a: f16, %b: vector<4xf32>) {
  %0 = "vector.insert"(%a, %b) <{static_position = array<i64: 1>}> : (f16, vector<4xf32>) -> vector<4xf32>
  return
}
// -----
func.func @f(%a: f32, %b: vector<4xf32>) {
  %0 = "vector.insert"(%a, %b) <{static_position = array<i64: 1>}> : (f32, vector<4xf32>) -> vector<3xf32>
  return
}
// -----
func.func @f(%a: vector<2xf32>, %b: vector<3xf32>) {
  %0 = "vector.interleave"(%a, %b) : (vector<2xf32>, vector<3xf32>) -> vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0, %1 = "vector.deinterleave"(%a) : (vector<4xf32>) -> (vector<2xf32>, vector<2xf16>)
  return
}
// -----
func.func @f(%a: vector<4xf32>, %m: memref<4xi32>, %i: index, %k: vector<4xi1>) {
  vector.compressstore %m[%i], %k, %a : memref<4xi32>, vector<4xi1>, vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %m: memref<4xf32>, %i: index, %k: vector<3xi1>) {
  vector.maskedstore %m[%i], %k, %a : memref<4xf32>, vector<3xi1>, vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %m: memref<4xf32>, %i: index, %k: vector<3xi1>) {
  %0 = vector.maskedload %m[%i], %k, %a : memref<4xf32>, vector<3xi1>, vector<4xf32> into vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %m: memref<4xf32>, %i: index, %k: vector<4xi1>) {
  %0 = vector.expandload %m[%i], %k, %a : memref<4xf32>, vector<4xi1>, vector<4xf32> into vector<5xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf16>) {
  %0 = "vector.outerproduct"(%a, %b) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf16>) -> vector<4x4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf16>) {
  %0 = "vector.outerproduct"(%b, %a) <{kind = #vector.kind<add>}> : (vector<4xf16>, vector<4xf32>) -> vector<4x4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4x4xf16>) {
  %0 = "vector.outerproduct"(%a, %b, %c) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, vector<4x4xf16>) -> vector<4x4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf16>) {
  %0 = "vector.contract"(%a, %a, %b) <{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4xf32>, vector<4xf32>, vector<4xf16>) -> vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf16>) {
  %0 = "vector.shuffle"(%a, %b) <{mask = array<i64: 0, 1>}> : (vector<4xf32>, vector<4xf16>) -> vector<2xf32>
  %1 = "vector.insert"(%a, %b) <{static_position = array<i64>}> : (vector<4xf32>, vector<4xf16>) -> vector<4xf16>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %t: tensor<4xf16>, %i: index, %z: f32) {
  %0 = vector.transfer_write %a, %t[%i] : vector<4xf32>, tensor<4xf16>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: vector<4xf16>) {
  %0 = "vector.interleave"(%a, %b) : (vector<4xf32>, vector<4xf16>) -> vector<8xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0 = "vector.interleave"(%a, %a) : (vector<4xf32>, vector<4xf32>) -> vector<7xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0, %1 = "vector.deinterleave"(%a) : (vector<4xf32>) -> (vector<3xf32>, vector<3xf32>)
  return
}
// -----
func.func @f(%a: vector<4xf32>, %x: f16) {
  %0 = "vector.scan"(%a, %x) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 0 : i64}> : (vector<4xf32>, f16) -> (vector<4xf32>, f16)
  return
}
// -----
func.func @f(%a: vector<4x2xf32>, %x: vector<4xf32>) {
  %0:2 = "vector.scan"(%a, %x) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 1 : i64}> : (vector<4x2xf32>, vector<4xf32>) -> (vector<4x2xf32>, vector<2xf32>)
  return
}
// -----
func.func @f(%a: vector<4x2xf32>, %x: vector<4xf32>) {
  %0:2 = "vector.scan"(%a, %x) <{inclusive = true, kind = #vector.kind<add>, reduction_dim = 1 : i64}> : (vector<4x2xf32>, vector<4xf32>) -> (vector<4x3xf32>, vector<4xf32>)
  return
}
// -----
func.func @f(%a: vector<4x2xf32>, %i: index) {
  %0 = "vector.matrix_multiply"(%a, %a) <{lhs_columns = 2 : i32, lhs_rows = 4 : i32, rhs_columns = 4 : i32}> : (vector<4x2xf32>, vector<4x2xf32>) -> vector<16xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: vector<4xi32>, %k: vector<4xi1>, %p: vector<4xf16>) {
  %0 = "vector.gather"(%m, %i, %x, %k, %p) : (memref<4xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf16>) -> vector<4xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: vector<4xi32>, %k: vector<4xi1>, %p: vector<4xf16>) {
  "vector.scatter"(%m, %i, %x, %k, %p) : (memref<4xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf16>) -> ()
  return
}
// -----
func.func @f(%a: f32) {
  %0 = "vector.create_mask"(%a) : (f32) -> vector<4xi1>
  return
}
// -----
func.func @f(%a: index) {
  %0 = vector.step : vector<4xi32>
  %1 = vector.create_mask %a, %a : vector<4xi1>
  return
}
