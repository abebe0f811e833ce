#matvec_accesses = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>]
#trait = {indexing_maps = #matvec_accesses, iterator_types = ["parallel", "reduction"]}
#trait2 = {indexing_maps = #matvec_accesses, iterator_types = ["parallel", "reduction"], kind = #vector.kind<maxnumf>}
func.func @c(%a: vector<2x3xf32>, %b: vector<3xf32>, %c: vector<2xf32>, %h: vector<3xf16>, %ah: vector<2x3xf16>, %m: vector<2x3xi1>) {
  %0 = vector.contract #trait %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  %1 = vector.contract #trait2 %a, %b, %c {foo} : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  %2 = vector.contract #trait %ah, %h, %c : vector<2x3xf16>, vector<3xf16> into vector<2xf32>
  %3 = vector.mask %m { vector.contract #trait %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32> } : vector<2x3xi1> -> vector<2xf32>
  return
}
// -----
#matvec_accesses = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>]
#trait = {indexing_maps = #matvec_accesses, iterator_types = ["parallel", "reduction"]}
#trait2 = {indexing_maps = #matvec_accesses, iterator_types = ["parallel", "reduction"], kind = #vector.kind<maxnumf>}
func.func @c(%a: vector<2x3xf32>, %b: vector<3xf32>, %c: vector<2xf32>, %h: vector<3xf16>, %ah: vector<2x3xf16>, %m: vector<2x3xi1>) {
  %0 = vector.contract #trait %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  %1 = vector.contract #trait2 %a, %b, %c {foo} : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  %2 = vector.contract #trait %ah, %h, %c : vector<2x3xf16>, vector<3xf16> into vector<2xf32>
  %3 = vector.mask %m { vector.contract #trait %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32> } : vector<2x3xi1> -> vector<2xf32>
  %4 = vector.contract {indexing_maps = #matvec_accesses, iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>} %a, %b, %c fastmath<fast> : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  return
}
// -----
func.func @tr(%m: memref<?x?xf32>, %i: index, %f: f32, %k: vector<4xi1>, %t: tensor<?x?xf32>, %mv: memref<?x?xvector<4x3xf32>>, %vf: vector<4x3xf32>) -> tensor<?x?xf32> {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>, vector<4xf32>
  %1 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  %2 = vector.transfer_read %m[%i, %i], %f {in_bounds = [true]} : memref<?x?xf32>, vector<4xf32>
  %3 = vector.transfer_read %m[%i, %i], %f, %k {in_bounds = [false]} : memref<?x?xf32>, vector<4xf32>
  %4 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (0, d1)>, in_bounds = [true, false]} : memref<?x?xf32>, vector<8x4xf32>
  %5 = vector.transfer_read %mv[%i, %i], %vf {in_bounds = [true, true]} : memref<?x?xvector<4x3xf32>>, vector<1x1x4x3xf32>
  %6 = vector.transfer_read %t[%i, %i], %f : tensor<?x?xf32>, vector<[4]xf32>
  vector.transfer_write %0, %m[%i, %i] : vector<4xf32>, memref<?x?xf32>
  vector.transfer_write %0, %m[%i, %i], %k {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>
  %7 = vector.transfer_write %0, %t[%i, %i] : vector<4xf32>, tensor<?x?xf32>
  %8 = vector.transfer_read %t[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<?x?xf32>, vector<4x[8]xf32>
  %9 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> ()>} : memref<?x?xf32>, vector<f32>
  return %7 : tensor<?x?xf32>
}
// -----
func.func @misc(%w44: vector<4x4xf32>, %v: vector<4xf32>, %f: f32, %i: index, %w: vector<2x4xf32>, %s: vector<[4]xf32>, %z: vector<f32>, %i32: i32, %k: vector<4xi1>) {
  %0 = vector.extract %v[0] : f32 from vector<4xf32>
  %1 = vector.extract %v[%i] : f32 from vector<4xf32>
  %2 = vector.extract %w[1] : vector<4xf32> from vector<2x4xf32>
  %3 = vector.extract %w[1, %i] : f32 from vector<2x4xf32>
  %4 = vector.extract %z[] : f32 from vector<f32>
  %5 = vector.extract %v[-1] : f32 from vector<4xf32>
  %6 = vector.extract %w[] : vector<2x4xf32> from vector<2x4xf32>
  %7 = vector.insert %f, %v[0] : f32 into vector<4xf32>
  %8 = vector.insert %v, %w[%i] : vector<4xf32> into vector<2x4xf32>
  %9 = vector.insert %f, %z[] : f32 into vector<f32>
  %11 = vector.broadcast %f : f32 to vector<4xf32>
  %12 = vector.broadcast %z : vector<f32> to vector<2x4xf32>
  %13 = vector.broadcast %v : vector<4xf32> to vector<2x4xf32>
  %14 = vector.broadcast %f : f32 to vector<[4]xf32>
  %15 = vector.shuffle %v, %v[0, 5, 1, -1] : vector<4xf32>, vector<4xf32>
  %16 = vector.shuffle %w, %w[0, 3] : vector<2x4xf32>, vector<2x4xf32>
  %17 = vector.shuffle %z, %z [0, 1] : vector<f32>, vector<f32>
  %18 = vector.outerproduct %v, %v : vector<4xf32>, vector<4xf32>
  %19 = vector.outerproduct %v, %f : vector<4xf32>, f32
  %20 = vector.outerproduct %v, %v, %w44 {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<4xf32>
  %21 = vector.reduction <add>, %v : vector<4xf32> into f32
  %22 = vector.reduction <add>, %v, %f fastmath<reassoc> : vector<4xf32> into f32
  %23 = vector.multi_reduction <mul>, %w, %v [0] : vector<2x4xf32> to vector<4xf32>
  %24 = vector.multi_reduction <mul>, %w, %f [0, 1] : vector<2x4xf32> to f32
  %25 = vector.shape_cast %w : vector<2x4xf32> to vector<8xf32>
  %26 = vector.bitcast %w : vector<2x4xf32> to vector<2x8xf16>
  %27 = vector.transpose %w, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %28 = vector.extract_strided_slice %w {offsets = [0, 1], sizes = [1, 2], strides = [1, 1]} : vector<2x4xf32> to vector<1x2xf32>
  %29 = vector.insert_strided_slice %v, %w {offsets = [1, 0], strides = [1]} : vector<4xf32> into vector<2x4xf32>
  %30 = vector.step : vector<4xindex>
  %31 = vector.step : vector<[4]xindex>
  %32 = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  %33, %34 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  %35 = vector.scalable.insert %v, %s[0] : vector<4xf32> into vector<[4]xf32>
  %36 = vector.scalable.extract %s[4] : vector<4xf32> from vector<[4]xf32>
  %37 = vector.vscale
  %38 = vector.create_mask %i, %i : vector<2x4xi1>
  %39 = vector.constant_mask [2, 4] : vector<4x4xi1>
  %40 = vector.constant_mask [0] : vector<[4]xi1>
  %41 = vector.to_elements %z : vector<f32>
  %42 = vector.from_elements %f, %f : vector<2x1xf32>
  return
}
// -----
func.func @misc2(%v: vector<4xf32>, %f: f32, %i: index, %w: vector<2x4xf32>, %k: vector<4xi1>, %s: vector<[4]xf32>, %m: memref<?xf32>, %vi: vector<4xi32>) {
  vector.print %v : vector<4xf32>
  vector.print %f : f32 punctuation <comma>
  vector.print punctuation <newline>
  vector.print str "hello"
  vector.print
  vector.print %s : vector<[4]xf32> punctuation <no_punctuation>
  %0 = vector.mask %k { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  vector.mask %k { vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?xf32> } : vector<4xi1>
  vector.mask %k { } : vector<4xi1>
  %2 = vector.mask %k { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %3 = vector.maskedload %m[%i], %k, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i], %k, %v {alignment = 8 : i64} : memref<?xf32>, vector<4xi1>, vector<4xf32>
  %4 = vector.gather %m[%i] [%vi], %k, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i] [%vi], %k, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %5 = vector.expandload %m[%i], %k, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m[%i], %k, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  %6 = vector.load %m[%i] : memref<?xf32>, vector<4xf32>
  %7 = vector.load %m[%i] {nontemporal = true, alignment = 16 : i64} : memref<?xf32>, vector<[4]xf32>
  vector.store %v, %m[%i] : memref<?xf32>, vector<4xf32>
  return
}
// -----
func.func @tc(%m: memref<5x4x3xf32>, %a: memref<8xf32, 3>, %v: vector<4xf32>, %w: vector<2x4xf32>, %i: vector<4xf32>) {
  %8 = vector.type_cast %m : memref<5x4x3xf32> to memref<vector<5x4x3xf32>>
  %9 = vector.type_cast %a : memref<8xf32, 3> to memref<vector<8xf32>, 3>
  %10:2 = vector.scan <add>, %w, %v {inclusive = false, reduction_dim = 0 : i64} : vector<2x4xf32>, vector<4xf32>
  %11 = vector.splat %v : vector<4xf32>
  return
}
// -----
func.func @warp(%l: index, %v: vector<4xf32>) {
  gpu.warp_execute_on_lane_0(%l)[32] { gpu.yield }
  %0 = gpu.warp_execute_on_lane_0(%l)[32] args(%v : vector<4xf32>) -> (vector<4xf32>) {
  ^bb0(%a: vector<128xf32>):
    gpu.yield %a : vector<128xf32>
  }
  return
}
// -----
func.func @b(%v: vector<4xf32>) {
  %0 = vector.extract %v[4] : f32 from vector<4xf32>
  return
}
// -----
func.func @b(%v: vector<4xf32>) {
  %0 = vector.extract %v[0, 1] : f32 from vector<4xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>) {
  %0 = vector.extract %v[0] : vector<3xf32> from vector<4x4xf32>
  return
}
// -----
func.func @b(%v: vector<4xf32>, %f: f32) {
  %0 = vector.insert %f, %v[0, 0] : f32 into vector<4xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>, %f: f32) {
  %0 = vector.insert %f, %v[0] : f32 into vector<4x4xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>, %f: f32) {
  %0 = vector.insert %f, %v[0, 5] : f32 into vector<4x4xf32>
  return
}
// -----
func.func @b(%v: vector<4xf32>) {
  %0 = vector.broadcast %v : vector<4xf32> to vector<3xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>) {
  %0 = vector.broadcast %v : vector<4x4xf32> to vector<4xf32>
  return
}
// -----
func.func @b(%v: vector<[4]xf32>) {
  %0 = vector.broadcast %v : vector<[4]xf32> to vector<4x4xf32>
  return
}
// -----
func.func @b(%v: vector<4xf32>) {
  %0 = vector.shuffle %v, %v[0, 8] : vector<4xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%v: vector<4xf32>, %w: vector<2x4xf32>) {
  %0 = vector.shuffle %v, %w[0, 8] : vector<4xf32>, vector<2x4xf32>
  return
}
// -----
func.func @b(%v: vector<4xf32>) {
  %0 = vector.shuffle %v, %v[0, -2] : vector<4xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>) {
  %0 = vector.transpose %v, [0, 0] : vector<2x4xf32> to vector<2x4xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>) {
  %0 = vector.transpose %v, [1] : vector<2x4xf32> to vector<4x2xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>) {
  %0 = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<2x4xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>) {
  %0 = vector.transpose %v, [1, 2] : vector<2x4xf32> to vector<2x4xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>) {
  %0 = vector.shape_cast %v : vector<2x4xf32> to vector<9xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>) {
  %0 = vector.shape_cast %v : vector<2x4xf32> to vector<8xi32>
  return
}
// -----
func.func @b(%v: vector<2x[4]xf32>) {
  %0 = vector.shape_cast %v : vector<2x[4]xf32> to vector<8xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>) {
  %0 = vector.bitcast %v : vector<2x4xf32> to vector<4x2xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>) {
  %0 = vector.bitcast %v : vector<2x4xf32> to vector<8xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>, %f: f32) {
  %0 = vector.multi_reduction <mul>, %v, %f [0] : vector<2x4xf32> to f32
  return
}
// -----
func.func @b(%v: vector<2x4xf32>, %f: f32) {
  %0 = vector.reduction <mul>, %v : vector<2x4xf32> into f32
  return
}
// -----
func.func @b(%v: vector<4xf32>, %f: f32) {
  %0 = vector.reduction <xor>, %v : vector<4xf32> into f32
  return
}
// -----
func.func @b(%v: vector<4xi32>, %f: f32) {
  %0 = vector.reduction <maxnumf>, %v : vector<4xi32> into i32
  return
}
// -----
func.func @b(%v: vector<4xi32>, %f: f32) {
  %0 = vector.reduction <foo>, %v : vector<4xi32> into i32
  return
}
// -----
func.func @b(%v: vector<4xi32>, %f: f32) {
  %0 = vector.reduction <add>, %v : vector<4xi32> into i64
  return
}
// -----
func.func @b(%v: vector<4xi32>) {
  %0 = vector.outerproduct %v, %v : vector<4xi32>, vector<4xf32>
  return
}
// -----
func.func @b(%v: vector<4xi32>, %w: vector<2x4xi32>) {
  %0 = vector.outerproduct %w, %v : vector<2x4xi32>, vector<4xi32>
  return
}
// -----
func.func @b(%v: vector<4xf32>) {
  %0 = vector.outerproduct %v, %v {kind = #vector.kind<and>} : vector<4xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<?xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i], %f : memref<?xf32>, vector<2x4xf32>
  return
}
// -----
func.func @b(%m: memref<?xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i], %f {permutation_map = affine_map<(d0) -> (d0 + 1)>} : memref<?xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<?x?xf32>, vector<4x4xf32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0)[s0] -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {in_bounds = [true, true]} : memref<?x?xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (0, d1)>, in_bounds = [false, false]} : memref<?x?xf32>, vector<4x4xf32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i] : memref<?x?xf32>, vector<4x4xf32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index, %f: i32) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>, vector<4x4xf32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index, %f: f32, %k: vector<3xi1>) {
  %0 = vector.transfer_read %m[%i, %i], %f, %k : memref<?x?xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index, %f: f32, %k: vector<3xi1>) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xf32>, f32
  return
}
// -----
func.func @b(%m: memref<?x?xvector<4x3xf32>>, %i: index, %f: vector<4x3xf32>) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<?x?xvector<4x3xf32>>, vector<1x1x2x3xf32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index, %f: vector<4xi32>) {
  vector.transfer_write %f, %m[%i, %i] : vector<4xi32>, memref<?x?xf32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index, %f: vector<4x4xf32>) {
  vector.transfer_write %f, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : vector<4x4xf32>, memref<?x?xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>) {
  %28 = vector.extract_strided_slice %v {offsets = [0, 1, 2], sizes = [1, 2], strides = [1, 1]} : vector<4x4xf32> to vector<1x2xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>) {
  %28 = vector.extract_strided_slice %v {offsets = [0], sizes = [1, 2], strides = [1, 1]} : vector<4x4xf32> to vector<1x2xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>) {
  %28 = vector.extract_strided_slice %v {offsets = [5], sizes = [1], strides = [1]} : vector<4x4xf32> to vector<1x4xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>) {
  %28 = vector.extract_strided_slice %v {offsets = [1], sizes = [1], strides = [2]} : vector<4x4xf32> to vector<1x4xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>) {
  %28 = vector.extract_strided_slice %v {offsets = [3], sizes = [2], strides = [1]} : vector<4x4xf32> to vector<2x4xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>) {
  %28 = vector.extract_strided_slice %v {offsets = [1], sizes = [1], strides = [1]} : vector<4x4xf32> to vector<4x4xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>, %w: vector<2x4xf32>) {
  %28 = vector.insert_strided_slice %w, %v {offsets = [1], strides = [1]} : vector<2x4xf32> into vector<4x4xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>, %w: vector<2x4xf32>) {
  %28 = vector.insert_strided_slice %w, %v {offsets = [3, 0], strides = [1, 1]} : vector<2x4xf32> into vector<4x4xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>, %w: vector<2x4xf32>) {
  %28 = vector.insert_strided_slice %w, %v {offsets = [1, 0], strides = [1, 2]} : vector<2x4xf32> into vector<4x4xf32>
  return
}
// -----
func.func @b(%v: vector<4x4xf32>, %w: vector<2x4xf32>) {
  %28 = vector.insert_strided_slice %v, %w {offsets = [1, 0], strides = [1, 1]} : vector<4x4xf32> into vector<2x4xf32>
  return
}
// -----
func.func @b(%i: index) {
  %28 = vector.create_mask %i, %i : vector<4xi1>
  return
}
// -----
func.func @b(%i: index) {
  %28 = vector.create_mask : vector<i1>
  return
}
// -----
func.func @b(%i: index) {
  %28 = vector.constant_mask [3, 3] : vector<4xi1>
  return
}
// -----
func.func @b(%i: index) {
  %28 = vector.constant_mask [5] : vector<4xi1>
  return
}
// -----
func.func @b(%i: index) {
  %28 = vector.constant_mask [0, 2] : vector<4x4xi1>
  return
}
// -----
func.func @b(%i: index) {
  %28 = vector.constant_mask [1] : vector<[4]xi1>
  return
}
// -----
func.func @b(%i: index) {
  %28 = vector.constant_mask [-1] : vector<4xi1>
  return
}
// -----
func.func @b(%k: vector<4xi1>, %v: vector<4xf32>) {
  vector.mask %k { 
    %0 = arith.addf %v, %v : vector<4xf32>
    %1 = arith.addf %v, %v : vector<4xf32>
    vector.yield %1 : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}
// -----
func.func @b(%k: vector<4xi1>, %v: vector<4xf32>) {
  %0 = vector.mask %k { "test.x"() : () -> vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}
// -----
func.func @b(%k: vector<3xi1>, %v: vector<4xf32>) {
  %0 = vector.mask %k { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<3xi1> -> f32
  return
}
// -----
func.func @b(%k: vector<4xi1>, %v: vector<4xf32>) {
  %0 = vector.mask %k { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> i32
  return
}
// -----
func.func @b(%k: vector<4xi1>, %v: vector<4xf32>) {
  %0 = vector.mask %k, %v { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return
}
// -----
func.func @b(%m: memref<?xi32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  %3 = vector.maskedload %m[%i], %k, %v : memref<?xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?xf32>, %i: index, %k: vector<3xi1>, %v: vector<4xf32>) {
  %3 = vector.maskedload %m[%i], %k, %v : memref<?xf32>, vector<3xi1>, vector<4xf32> into vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  %3 = vector.maskedload %m[%i, %i], %k, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>) {
  %3 = vector.maskedload %m[%i], %k, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<3xf32>
  return
}
// -----
func.func @b(%m: memref<?xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>, %x: vector<3xi32>) {
  %3 = vector.gather %m[%i][%x], %k, %v : memref<?xf32>, vector<3xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?xf32>, %i: index, %k: vector<4xi1>, %v: vector<4xf32>, %x: vector<3xi32>) {
  vector.scatter %m[%i][%x], %k, %v : memref<?xf32>, vector<3xi32>, vector<4xi1>, vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?xf32, strided<[2]>>, %i: index, %v: vector<4xf32>) {
  %0 = vector.load %m[%i] : memref<?xf32, strided<[2]>>, vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?xf32>, %i: index, %v: vector<4xi32>) {
  vector.store %v, %m[%i] : memref<?xf32>, vector<4xi32>
  return
}
// -----
func.func @b(%m: memref<?x?xf32>, %i: index) {
  %0 = vector.load %m[%i] : memref<?x?xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%m: memref<?xvector<8xf32>>, %i: index) {
  %0 = vector.load %m[%i] : memref<?xvector<8xf32>>, vector<4xf32>
  return
}
// -----
func.func @b(%v: vector<4xf32>) {
  %33, %34 = vector.deinterleave %v : vector<4xf32> -> vector<3xf32>
  return
}
// -----
func.func @b(%v: vector<3xf32>) {
  %33, %34 = vector.deinterleave %v : vector<3xf32> -> vector<1xf32>
  return
}
// -----
func.func @b(%v: vector<3xf32>) {
  %33 = vector.interleave %v, %v : vector<3xf32> -> vector<5xf32>
  return
}
// -----
func.func @b(%v: vector<3xf32>, %s: vector<[4]xf32>) {
  %35 = vector.scalable.insert %v, %s[0] : vector<3xf32> into vector<[4]xf32>
  %36 = vector.scalable.insert %v, %s[2] : vector<3xf32> into vector<[4]xf32>
  return
}
// -----
func.func @b(%v: vector<3xf32>, %s: vector<[4]xf32>) {
  %36 = vector.scalable.extract %s[5] : vector<4xf32> from vector<[4]xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>, %s: vector<4xf32>) {
  %10:2 = vector.scan <add>, %v, %s {inclusive = false, reduction_dim = 2 : i64} : vector<2x4xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>, %s: vector<2xf32>) {
  %10:2 = vector.scan <add>, %v, %s {inclusive = false, reduction_dim = 0 : i64} : vector<2x4xf32>, vector<2xf32>
  return
}
// -----
func.func @b(%v: vector<2x4xf32>, %s: vector<4xf32>) {
  %10:2 = vector.scan <xor>, %v, %s {inclusive = false, reduction_dim = 0 : i64} : vector<2x4xf32>, vector<4xf32>
  return
}
// -----
func.func @b(%f: f32) {
  %42 = vector.from_elements %f, %f : vector<3xf32>
  return
}
// -----
func.func @b(%f: f32) {
  %42 = vector.from_elements %f, %f : vector<[2]xf32>
  return
}
// -----
func.func @b(%f: vector<0xf32>) {
  return
}
// -----
func.func @b(%f: vector<?xf32>) {
  return
}
// -----
func.func @b(%f: vector<4xvector<4xf32>>) {
  return
}
// -----
func.func @b(%f: vector<2x[4]x3xf32>, %g: vector<[2]x[4]xf32>, %h: vector<[-1]xf32>) {
  return
}
// -----
func.func @b(%f: vector<4xindex>, %g: vector<4xcomplex<f32>>) {
  return
}
// -----
func.func @b(%f: vector<4x!llvm.ptr>, %g: vector<4xnone>) {
  return
}
// -----
#acc = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>]
func.func @c(%a: vector<2x3xf32>, %b: vector<4xf32>, %c: vector<2xf32>) {
  %0 = vector.contract {indexing_maps = #acc, iterator_types = ["parallel", "reduction"]} %a, %b, %c : vector<2x3xf32>, vector<4xf32> into vector<2xf32>
  return
}
// -----
#acc = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>]
func.func @c(%a: vector<2x3xf32>, %b: vector<3xf32>, %c: vector<2xf32>) {
  %0 = vector.contract {indexing_maps = #acc, iterator_types = ["parallel", "reduction"]} %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  return
}
// -----
#acc = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>]
func.func @c(%a: vector<2x3xf32>, %b: vector<3xf32>, %c: vector<2xf32>) {
  %0 = vector.contract {indexing_maps = #acc, iterator_types = ["parallel"]} %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  return
}
// -----
#acc = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>]
func.func @c(%a: vector<2x3xf32>, %b: vector<3xf32>, %c: vector<2xf32>) {
  %0 = vector.contract {indexing_maps = #acc, iterator_types = ["parallel", "foo"]} %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  return
}
// -----
#acc = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>]
func.func @c(%a: vector<2x3xf32>, %b: vector<3xf32>, %c: vector<3xf32>) {
  %0 = vector.contract {indexing_maps = #acc, iterator_types = ["parallel", "reduction"]} %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<3xf32>
  return
}
// -----
#acc = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>]
func.func @c(%a: vector<2x3xf32>, %b: vector<3xf32>, %c: vector<2xf32>) {
  %0 = vector.contract {indexing_maps = #acc, iterator_types = ["parallel", "reduction"], kind = #vector.kind<xor>} %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  return
}
// -----
func.func @c(%a: vector<2x3xf32>, %b: vector<3xf32>, %c: vector<2xf32>) {
  %0 = vector.contract {iterator_types = ["parallel", "reduction"], kind = #vector.kind<xor>} %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32>
  return
}
// -----
func.func @b(%v: vector<[4]xf32>, %w: vector<1x4xf32>, %x: vector<4x1xf32>) {
  %0 = vector.broadcast %w : vector<1x4xf32> to vector<3x4xf32>
  %1 = vector.broadcast %x : vector<4x1xf32> to vector<2x4x3xf32>
  %2 = vector.broadcast %v : vector<[4]xf32> to vector<3x[4]xf32>
  %3 = vector.broadcast %x : vector<4x1xf32> to vector<4x[4]xf32>
  return
}
// -----
func.func @b(%v: vector<4xf32>) {
  %0 = vector.broadcast %v : vector<4xf32> to vector<[4]xf32>
  return
}
// -----
func.func @b(%v: vector<[1]xf32>) {
  %0 = vector.broadcast %v : vector<[1]xf32> to vector<[4]xf32>
  return
}
// -----
func.func @b() {
  %0 = vector.constant_mask [4] : vector<[4]xi1>
  %1 = vector.constant_mask [0, 0] : vector<[4]x[4]xi1>
  %2 = vector.constant_mask [2, 4] : vector<3x[4]xi1>
  %3 = vector.constant_mask [1] : vector<i1>
  return
}
// -----
func.func @b() {
  %3 = vector.constant_mask [2] : vector<i1>
  return
}
// -----
func.func @b() {
  %3 = vector.constant_mask [] : vector<i1>
  return
}
// -----
func.func @b() {
  %2 = vector.constant_mask [3, 2] : vector<3x[4]xi1>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>) {
  %0 = vector.mask %k { %a = arith.addf %v, %v : vector<4xf32> vector.yield %a : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>) {
  %0 = vector.mask %k { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>) {
  %0 = vector.mask %k { } : vector<4xi1> -> vector<4xf32>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>) {
  vector.mask %k { vector.yield } : vector<4xi1>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>) {
  vector.mask %k { vector.yield %v : vector<4xf32> } : vector<4xi1>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>) {
  %0 = vector.mask %k { "vector.yield"(%v, %v) : (vector<4xf32>, vector<4xf32>) -> () } : vector<4xi1> -> vector<4xf32>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>, %m: memref<?xf32>, %i: index) {
  vector.mask %k { vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?xf32> 
    vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<?xf32> } : vector<4xi1>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>, %m: memref<?xf32>, %i: index) {
  vector.mask %k { vector.transfer_write %v, %m[%i], %k : vector<4xf32>, memref<?xf32> } : vector<4xi1>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>, %m: memref<?xf32>, %i: index) {
  vector.mask %k { vector.maskedstore %m[%i], %k, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> } : vector<4xi1>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>, %m: memref<?xf32>, %i: index, %f: f32) {
  %0 = vector.mask %k, %v { vector.transfer_read %m[%i], %f : memref<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>, %m: memref<?xf32>, %i: index, %f: f32) {
  %0 = vector.mask %k { vector.transfer_read %m[%i], %f : memref<?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<8xf32>, %m: memref<?xf32>, %i: index, %f: f32) {
  %0 = vector.mask %k { vector.transfer_read %m[%i], %f : memref<?xf32>, vector<8xf32> } : vector<4xi1> -> vector<8xf32>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %m: memref<?x?xf32>, %i: index, %f: f32) {
  %0 = vector.mask %k { vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d1, 0)>} : memref<?x?xf32>, vector<4x8xf32> } : vector<4xi1> -> vector<4x8xf32>
  return
}
// -----
func.func @m(%k: vector<4x8xi1>, %m: memref<?x?xf32>, %i: index, %f: f32) {
  %0 = vector.mask %k { vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<8x4xf32> } : vector<4x8xi1> -> vector<8x4xf32>
  return
}
// -----
func.func @m(%k: vector<8x4xi1>, %m: memref<?x?xf32>, %i: index, %f: f32) {
  %0 = vector.mask %k { vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<8x4xf32> } : vector<8x4xi1> -> vector<8x4xf32>
  return
}
// -----
func.func @m(%k: vector<2x4xi1>, %v: vector<2x4xf32>, %a: vector<4xf32>) {
  %0 = vector.mask %k { vector.multi_reduction <add>, %v, %a [0] : vector<2x4xf32> to vector<4xf32> } : vector<2x4xi1> -> vector<4xf32>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<2x4xf32>, %a: vector<4xf32>) {
  %0 = vector.mask %k { vector.multi_reduction <add>, %v, %a [0] : vector<2x4xf32> to vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}
// -----
func.func @m(%k: vector<4x4xi1>, %v: vector<4xf32>) {
  %0 = vector.mask %k { vector.outerproduct %v, %v : vector<4xf32>, vector<4xf32> } : vector<4x4xi1> -> vector<4x4xf32>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>) {
  %0 = vector.mask %k { vector.outerproduct %v, %v : vector<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4x4xf32>
  return
}
// -----
func.func @m(%k: vector<4xi1>, %v: vector<4xf32>, %x: vector<4xi32>, %m: memref<?xf32>, %i: index) {
  %0 = vector.mask %k { vector.gather %m[%i][%x], %k, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}
// -----
func.func @m(%k: vector<2x3xi1>, %k3: vector<2x3x4xi1>, %a: vector<2x3xf32>, %b: vector<3xf32>, %c: vector<2xf32>) {
  %0 = vector.mask %k3 { vector.contract {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} %a, %b, %c : vector<2x3xf32>, vector<3xf32> into vector<2xf32> } : vector<2x3x4xi1> -> vector<2xf32>
  return
}
// -----
func.func @l(%m: memref<?x4xf32, strided<[4, 2]>>, %i: index, %v: vector<4xf32>, %v1: vector<1xf32>) {
  %0 = vector.load %m[%i, %i] : memref<?x4xf32, strided<[4, 2]>>, vector<1xf32>
  return
}
// -----
func.func @l(%m: memref<?x4xf32, strided<[4, ?]>>, %i: index, %v: vector<4xf32>, %v1: vector<1xf32>) {
  %0 = vector.load %m[%i, %i] : memref<?x4xf32, strided<[4, ?]>>, vector<4xf32>
  return
}
// -----
func.func @l(%m: memref<?x1xf32, strided<[4, 2]>>, %i: index, %v: vector<4xf32>, %v1: vector<1xf32>) {
  vector.store %v, %m[%i, %i] : memref<?x1xf32, strided<[4, 2]>>, vector<4xf32>
  return
}
// -----
func.func @l(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %i: index, %v: vector<4xf32>) {
  vector.store %v, %m[%i, %i] : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, vector<4xf32>
  return
}
// -----
func.func @l(%m: memref<4xf32>, %i: index, %v: vector<2x4xf32>) {
  vector.store %v, %m[%i] : memref<4xf32>, vector<2x4xf32>
  return
}
// -----
func.func @l(%m: memref<4xvector<4xf32>>, %i: index, %v: vector<4xf32>) {
  vector.store %v, %m[%i] : memref<4xvector<4xf32>>, vector<4xf32>
  %0 = vector.load %m[%i] : memref<4xvector<4xf32>>, vector<4xf32>
  return
}
// -----
func.func @l(%m: memref<4xf32>, %i: index, %v: vector<f32>) {
  vector.store %v, %m[%i] : memref<4xf32>, vector<f32>
  %0 = vector.load %m[%i] : memref<4xf32>, vector<f32>
  return
}
// -----
func.func @c(%a: vector<2x3xf16>, %b: vector<3x4xf32>, %c: vector<2x4xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<2x3xf16>, vector<3x4xf32> into vector<2x4xf32>
  return
}
// -----
func.func @c(%a: vector<2x3xf32>, %b: vector<3x4xf32>, %c: vector<4x2xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<2x3xf32>, vector<3x4xf32> into vector<4x2xf32>
  return
}
// -----
func.func @c(%a: vector<2x3xf32>, %b: vector<2x4xf32>, %c: vector<3x4xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, n)>, affine_map<(b, m, n) -> (m, n)>], iterator_types = ["parallel", "parallel", "parallel"]} %a, %b, %c : vector<2x3xf32>, vector<2x4xf32> into vector<3x4xf32>
  return
}
// -----
func.func @c(%a: vector<2x3xf32>, %b: vector<5x4xf32>, %c: vector<2x4xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, n)>, affine_map<(b, m, n) -> (b, n)>], iterator_types = ["parallel", "reduction", "parallel"]} %a, %b, %c : vector<2x3xf32>, vector<5x4xf32> into vector<2x4xf32>
  return
}
// -----
func.func @c(%a: vector<2x3xf32>, %b: vector<4x5xf32>, %c: vector<2x4xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(m, n, k, l) -> (m, k)>, affine_map<(m, n, k, l) -> (n, l)>, affine_map<(m, n, k, l) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} %a, %b, %c : vector<2x3xf32>, vector<4x5xf32> into vector<2x4xf32>
  return
}
// -----
func.func @c(%a: vector<3xf32>, %b: vector<3xf32>, %c: f32) {
  %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} %a, %b, %c {foo} : vector<3xf32>, vector<3xf32> into f32
  return
}
// -----
func.func @c(%a: vector<3xf32>, %b: vector<3xf32>, %c: vector<1xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} %a, %b, %c : vector<3xf32>, vector<3xf32> into vector<1xf32>
  return
}
// -----
func.func @c(%a: vector<3xf32>, %b: vector<3xf32>, %c: f64) {
  %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} %a, %b, %c : vector<3xf32>, vector<3xf32> into f64
  return
}
// -----
func.func @c(%a: vector<3xf32>, %b: vector<3xf32>, %c: f32) {
  %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["window"]} %a, %b, %c : vector<3xf32>, vector<3xf32> into f32
  return
}
// -----
func.func @c(%a: vector<[3]xf32>, %b: vector<3xf32>, %c: f32) {
  %0 = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} %a, %b, %c : vector<[3]xf32>, vector<3xf32> into f32
  return
}
// -----
func.func @r(%v: vector<f32>, %a: f32) {
  %0 = vector.reduction <add>, %v : vector<f32> into f32
  return
}
// -----
func.func @d(%v: vector<f32>, %a: f32) {
  %0 = vector.interleave %v, %v : vector<f32> -> vector<2xf32>
  return
}
// -----
func.func @d(%v: vector<[4]xf32>, %a: f32) {
  %0 = vector.interleave %v, %v : vector<[4]xf32> -> vector<[8]xf32>
  %1, %2 = vector.deinterleave %v : vector<[4]xf32> -> vector<[2]xf32>
  %3 = vector.shape_cast %v : vector<[4]xf32> to vector<1x[4]xf32>
  %4 = vector.transpose %3, [1, 0] : vector<1x[4]xf32> to vector<[4]x1xf32>
  %5 = vector.bitcast %v : vector<[4]xf32> to vector<[8]xf16>
  %6 = vector.extract %v[1] : f32 from vector<[4]xf32>
  %7 = vector.insert %a, %v[3] : f32 into vector<[4]xf32>
  %8 = vector.reduction <add>, %v : vector<[4]xf32> into f32
  %9 = vector.fma %v, %v, %v : vector<[4]xf32>
  return
}
// -----
func.func @d(%v: vector<4xi32>) {
  %9 = vector.fma %v, %v, %v : vector<4xi32>
  return
}
// -----
func.func @d() {
  %9 = vector.step : vector<2x2xindex>
  return
}
// -----
func.func @d() {
  %9 = vector.step : vector<4xi32>
  return
}
// -----
func.func @d(%v: vector<4xf32>) {
  vector.print %v : vector<4xf32> punctuation <open>
  vector.print str "a\00b\n"
  vector.print punctuation <close>
  return
}
// -----
func.func @d(%v: vector<4xf32>) {
  vector.print %v : vector<4xf32> punctuation <foo>
  return
}
// -----
func.func @d(%v: tensor<4xf32>) {
  vector.print %v : tensor<4xf32>
  return
}
// -----
func.func @x(%v: vector<4xf32>, %i: index) {
  %0 = "vector.extract"(%v, %i) <{static_position = array<i64: 1>}> : (vector<4xf32>, index) -> f32
  return
}
// -----
func.func @x(%v: vector<4xf32>, %i: index) {
  %0 = "vector.extract"(%v) <{static_position = array<i64: -9223372036854775808>}> : (vector<4xf32>) -> f32
  return
}
// -----
func.func @x(%v: vector<4x4xf32>, %w: vector<3xf32>) {
  %0 = vector.insert %w, %v[0] : vector<3xf32> into vector<4x4xf32>
  return
}
// -----
func.func @x(%v: vector<4x4xf32>, %w: vector<4xi32>) {
  %0 = vector.insert %w, %v[0] : vector<4xi32> into vector<4x4xf32>
  return
}
// -----
func.func @x(%v: vector<4x4xf32>, %w: vector<4xf32>) {
  %0 = vector.insert %w, %v[0, 0] : vector<4xf32> into vector<4x4xf32>
  return
}
// -----
func.func @x(%v: vector<4x4xf32>, %w: vector<1xf32>, %f: f32) {
  %0 = vector.insert %w, %v[0, 0] : vector<1xf32> into vector<4x4xf32>
  return
}
// -----
func.func @x(%v: vector<4x4xf32>, %f: f32) {
  %0 = vector.insert %v, %v[] : vector<4x4xf32> into vector<4x4xf32>
  %1 = vector.extract %v[] : vector<4x4xf32> from vector<4x4xf32>
  return
}
// -----
func.func @x(%v: vector<4x4xf32>, %f: f32) {
  %1 = vector.extract %v[0, 0] : vector<1xf32> from vector<4x4xf32>
  return
}
// -----
func.func @x(%v: vector<4xf32>, %z: vector<f32>) {
  %0 = vector.insert %z, %v[0] : vector<f32> into vector<4xf32>
  return
}
// -----
func.func @x(%v: vector<4xf32>, %z: vector<f32>) {
  %0 = vector.extract %v[0] : vector<f32> from vector<4xf32>
  return
}
// -----
func.func @x(%v: vector<[4]xf32>, %w: vector<[8]xf32>, %m: vector<4x[8]xf32>) {
  %0 = vector.outerproduct %v, %w : vector<[4]xf32>, vector<[8]xf32>
  %1 = vector.extract_strided_slice %m {offsets = [1], sizes = [2], strides = [1]} : vector<4x[8]xf32> to vector<2x[8]xf32>
  %2 = vector.extract %m[1] : vector<[8]xf32> from vector<4x[8]xf32>
  %3 = vector.insert %w, %m[2] : vector<[8]xf32> into vector<4x[8]xf32>
  %4 = vector.multi_reduction <add>, %m, %w [0] : vector<4x[8]xf32> to vector<[8]xf32>
  %5 = vector.insert_strided_slice %w, %m {offsets = [1, 0], strides = [1]} : vector<[8]xf32> into vector<4x[8]xf32>
  %6 = vector.transpose %m, [1, 0] : vector<4x[8]xf32> to vector<[8]x4xf32>
  return
}
// -----
func.func @x(%m: vector<4x[8]xf32>) {
  %1 = vector.extract_strided_slice %m {offsets = [1, 0], sizes = [2, 4], strides = [1, 1]} : vector<4x[8]xf32> to vector<2x[4]xf32>
  return
}
// -----
func.func @x(%m: vector<4x[8]xf32>) {
  %1 = vector.extract_strided_slice %m {offsets = [1, 0], sizes = [2, 8], strides = [1, 1]} : vector<4x[8]xf32> to vector<2x8xf32>
  return
}
// -----
func.func @x(%m: vector<4x[8]xf32>) {
  %6 = vector.transpose %m, [1, 0] : vector<4x[8]xf32> to vector<8x4xf32>
  return
}
// -----
func.func @x(%m: vector<4x[8]xf32>, %w: vector<8xf32>) {
  %5 = vector.insert_strided_slice %w, %m {offsets = [1, 0], strides = [1]} : vector<8xf32> into vector<4x[8]xf32>
  return
}
// -----
func.func @x(%m: vector<4x[8]xf32>) {
  %6 = vector.shape_cast %m : vector<4x[8]xf32> to vector<[32]xf32>
  %7 = vector.bitcast %m : vector<4x[8]xf32> to vector<4x[16]xf16>
  return
}
// -----
func.func @x(%m: vector<4x[8]xf32>) {
  %7 = vector.bitcast %m : vector<4x[8]xf32> to vector<4x16xf16>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = 3 : i32} : memref<4x8xf32>, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {in_bounds = 3 : i32} : memref<4x8xf32>, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {in_bounds = [true, 3 : i32]} : memref<4x8xf32>, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: i32, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f : i32, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<4x8xf32>, i32
  return
}
// -----
func.func @a(%m: memref<8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i], %f : memref<8xf32>, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xcomplex<f32>>, %i: index, %f: complex<f32>) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<4x8xcomplex<f32>>, vector<4xcomplex<f32>>
  return
}
// -----
func.func @a(%m: memref<4x8x!llvm.ptr>, %i: index, %f: !llvm.ptr) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<4x8x!llvm.ptr>, vector<4x!llvm.ptr>
  return
}
// -----
func.func @a(%m: memref<4x8xi32>, %i: index, %f: i32) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<4x8xi32>, vector<4xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xi32>, %i: index, %f: i32) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<4x8xi32>, vector<4xi48>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0, d0)>} : memref<4x8xf32>, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0, 1)>} : memref<4x8xf32>, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {in_bounds = [true]} : memref<4x8xf32>, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xvector<4xf32>>, %i: index, %f: vector<4xf32>) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<4x8xvector<4xf32>>, vector<3xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xvector<2x4xf32>>, %i: index, %f: vector<2x4xf32>) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<4x8xvector<2x4xf32>>, vector<4xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xindex>, %i: index) {
  %0 = vector.transfer_read %m[%i, %i], %i : memref<4x8xindex>, vector<4xi64>
  return
}
// -----
func.func @a(%m: memref<4x8xi64>, %i: index, %f: i64) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<4x8xi64>, vector<4xindex>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {masked} : memref<4x8xf32>, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f64) {
  %0 = "vector.transfer_read"(%m, %i, %i, %f) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<4x8xf32>, index, index, f64) -> vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %v: vector<4x8xf32>) {
  vector.transfer_write %v, %m[%i, %i] {permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : vector<4x8xf32>, memref<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xi1>, %i: index, %f: i1) {
  %0 = vector.transfer_read %m[%i, %i], %f {in_bounds=[true]} : memref<4x8xi1>, vector<f32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {permutation_map = affine_map<(d0, d1)[s0] -> (d0, d1)>} : memref<4x8xf32>, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<f32>, %f: f32) {
  %0 = vector.transfer_read %m[], %f : memref<f32>, vector<f32>
  %1 = vector.transfer_read %m[], %f : memref<f32>, vector<1xf32>
  return
}
// -----
func.func @a(%m: tensor<*xf32>, %f: f32) {
  %0 = vector.transfer_read %m[], %f : tensor<*xf32>, vector<f32>
  return
}
// -----
func.func @a(%m: memref<4x8xi8>, %i: index, %f: i8) {
  %0 = vector.transfer_read %m[%i, %i], %f : memref<4x8xi8>, vector<[4]xi32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32, %k: vector<4x8xi1>) {
    %0 = "vector.transfer_read"(%m, %i, %i, %f, %k) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1) -> (d0, d0)>}> : (memref<4x8xf32>, index, index, f32, vector<4x8xi1>) -> vector<4x8xf32>
    return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32, %k: vector<4x8xi1>) {
    %0 = "vector.transfer_read"(%m, %i, %i, %f, %k) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1) -> (1, d0)>}> : (memref<4x8xf32>, index, index, f32, vector<4x8xi1>) -> vector<4x8xf32>
    return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32, %k: vector<4x8xi1>) {
    %0 = "vector.transfer_read"(%m, %i, %i, %f, %k) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1, d2) -> (d1, d2)>}> : (memref<4x8xf32>, index, index, f32, vector<4x8xi1>) -> vector<4x8xf32>
    return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32, %k: vector<4x8xi1>) {
    %0 = "vector.transfer_read"(%m, %i, %i, %f, %k) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1) -> (0, 0)>}> : (memref<4x8xf32>, index, index, f32, vector<4x8xi1>) -> vector<4x8xf32>
    return
}
// -----
func.func @a(%m: memref<4x8xvector<4xf32>>, %i: index, %f: vector<4xf32>, %k: vector<4x8xi1>) {
    %0 = "vector.transfer_read"(%m, %i, %i, %f, %k) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<4x8xvector<4xf32>>, index, index, vector<4xf32>, vector<4x8xi1>) -> vector<4x8x4xf32>
    return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32, %k: vector<4x8xi1>) {
    %0 = "vector.transfer_read"(%m, %i, %i, %f, %k) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = affine_map<(d0, d1) -> (d0, d1)>}> : (memref<4x8xf32>, index, index, f32, vector<4x8xi1>) -> vector<4xf17>
    return
}
// -----
func.func @a(%v: vector<4x8xf32>) {
  %0 = "vector.extract_strided_slice"(%v) <{offsets = [0 : i64, 1 : i32], sizes = [2 : i64, 2 : i64], strides = [1 : i64, 1 : i64]}> : (vector<4x8xf32>) -> vector<2x2xf32>
  return
}
// -----
func.func @a(%v: vector<4x8xf32>) {
  %0 = "vector.extract_strided_slice"(%v) <{offsets = [0 : i64, unit], sizes = [2 : i64, 2 : i64], strides = [1 : i64, 1 : i64]}> : (vector<4x8xf32>) -> vector<2x2xf32>
  return
}
// -----
func.func @a(%v: vector<4x8xf32>) {
  %0 = "vector.extract_strided_slice"(%v) <{offsets = [0 : i64, 0 : i64], sizes = [2 : i64, 2 : i64], strides = [1 : i64, 1.0 : f32]}> : (vector<4x8xf32>) -> vector<2x2xf32>
  return
}
// -----
func.func @a(%v: vector<4x8xf32>, %w: vector<2xf32>) {
  %0 = "vector.insert_strided_slice"(%w, %v) <{offsets = [0 : i64, 0], strides = [1 : i32]}> : (vector<2xf32>, vector<4x8xf32>) -> vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>, %i: index, %f: f32) {
  %0 = vector.transfer_read %m[%i, %i], %f {in_bounds = [true, 3 : i32]} : memref<4x8xf32>, vector<4x8xf32>
  return
}
// -----
func.func @a(%m: memref<4x8xf32>) {
  %0 = memref.load %m[] {nontemporal = 3 : i32} : memref<4x8xf32>
  return
}
// -----
func.func @a(%v: vector<4x8xf32>) {
  %0 = vector.extract_strided_slice %v {offsets = [0 : i64, 1 : i32], sizes = [2 : i64, 2 : i64], strides = [1 : i64, 1 : i64]} : vector<4x8xf32> to vector<2x2xf32>
  return
}
// -----
func.func @f(%v: vector<4xi32>) {
  %0 = vector.shuffle %v, %v [0, 99999999999999999999] : vector<4xi32>, vector<4xi32>
  return
}
