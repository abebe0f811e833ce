func.func @m(%f: f32, %v: vector<4xf16>, %i: i32, %t: tensor<?xf64>) {
  %0 = math.exp %f : f32
  %1 = math.exp2 %v fastmath<fast> {a} : vector<4xf16>
  %2 = math.fpowi %f, %i : f32, i32
  %3 = math.powf %t, %t : tensor<?xf64>
  %4 = math.absi %i : i32
  %5 = math.ipowi %i, %i : i32
  %6 = math.ctlz %i : i32
  %7 = math.isnan %f : f32
  %8 = math.fma %f, %f, %f fastmath<reassoc, nnan> : f32
  %9, %10 = math.sincos %f : f32
  %11 = math.isinf %v : vector<4xf16>
  %12 = math.clampf %f to [%f, %f] : f32
  %13 = math.rsqrt %f : f32
  %14 = math.erfc %f : f32
  return
}
// -----
func.func @m(%f: f32, %i: i32) {
  %0 = math.exp %i : i32
  return
}
// -----
func.func @m(%f: f32, %i: i32) {
  %0 = math.ctlz %f : f32
  return
}
// -----
func.func @m(%f: f32, %i: i32) {
  %0 = math.fpowi %f, %f : f32, f32
  return
}
// -----
func.func @c(%a: complex<f32>, %f: f32) {
  %0 = complex.create %f, %f : complex<f32>
  %1 = complex.re %a : complex<f32>
  %2 = complex.add %a, %a fastmath<nnan> : complex<f32>
  %3 = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %4 = complex.eq %a, %a : complex<f32>
  %5 = complex.div %a, %a : complex<f32>
  %6 = complex.bitcast %a : complex<f32> to i64
  %7 = complex.abs %a : complex<f32>
  return
}
// -----
func.func @i(%a: index, %i: i32) {
  %0 = index.add %a, %a
  %1 = index.constant 5
  %2 = index.cmp slt(%a, %a)
  %3 = index.cmp eq(%a, %1) {x}
  %4 = index.casts %i : i32 to index
  %5 = index.castu %a : index to i64
  %6 = index.sizeof
  %7 = index.bool.constant true
  return
}
// -----
func.func @t(%t: tensor<?x4xf32>, %i: index, %f: f32, %d: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %0 = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  %1 = tensor.insert %f into %t[%i, %i] : tensor<?x4xf32>
  %2 = tensor.dim %t, %i : tensor<?x4xf32>
  %3 = tensor.empty(%i) : tensor<?x4xf32>
  %4 = tensor.cast %t : tensor<?x4xf32> to tensor<4x4xf32>
  %5 = tensor.extract_slice %t[%i, 0] [4, 4] [1, 1] : tensor<?x4xf32> to tensor<4x4xf32>
  %6 = tensor.insert_slice %d into %t[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<?x4xf32>
  %7 = tensor.pad %t low[0, %i] high[1, 2] { ^bb0(%a: index, %b: index): tensor.yield %f : f32 } : tensor<?x4xf32> to tensor<?x?xf32>
  %8 = tensor.generate %i { ^bb0(%a: index, %b: index): tensor.yield %f : f32 } : tensor<?x4xf32>
  %9 = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %10 = tensor.expand_shape %9 [[0, 1]] output_shape [%i, 4] : tensor<?xf32> into tensor<?x4xf32>
  %11 = tensor.splat %f : tensor<4xf32>
  %12 = tensor.from_elements %f, %f : tensor<2xf32>
  %13 = tensor.concat dim(0) %t, %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %14 = linalg.fill ins(%f : f32) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
  %15 = linalg.matmul ins(%d, %d : tensor<4x4xf32>, tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) attrs = {a} {
  ^bb0(%a: f32, %b: f32):
    %x = arith.addf %a, %b : f32
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  %17 = linalg.map { arith.addf } ins(%d, %d : tensor<4x4xf32>, tensor<4x4xf32>) outs(%d : tensor<4x4xf32>)
  %18 = linalg.reduce { arith.addf } ins(%d : tensor<4x4xf32>) outs(%e : tensor<4xf32>) dimensions = [1]
  %19 = linalg.transpose ins(%d : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) permutation = [1, 0]
  %20 = linalg.broadcast ins(%e : tensor<4xf32>) outs(%d : tensor<4x4xf32>) dimensions = [1]
  %21 = bufferization.alloc_tensor(%i) : tensor<?x4xf32>
  %22 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %23 = bufferization.to_buffer %d : tensor<4x4xf32> to memref<4x4xf32>
  %24 = linalg.batch_matmul ins(%b3, %b3 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%b3 : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %25 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%c4, %k4 : tensor<1x5x5x3xf32>, tensor<3x3x3x8xf32>) outs(%o4 : tensor<1x3x3x8xf32>) -> tensor<1x3x3x8xf32>
  return %t : tensor<?x4xf32>
}
// -----
func.func @t(%t: tensor<?x4xf32>, %i: index, %f: f32, %d: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %0 = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  %1 = tensor.insert %f into %t[%i, %i] : tensor<?x4xf32>
  %2 = tensor.dim %t, %i : tensor<?x4xf32>
  %3 = tensor.empty(%i) : tensor<?x4xf32>
  %4 = tensor.cast %t : tensor<?x4xf32> to tensor<4x4xf32>
  %5 = tensor.extract_slice %t[%i, 0] [4, 4] [1, 1] : tensor<?x4xf32> to tensor<4x4xf32>
  %6 = tensor.insert_slice %d into %t[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<?x4xf32>
  %7 = tensor.pad %t low[0, %i] high[1, 2] { ^bb0(%a: index, %b: index): tensor.yield %f : f32 } : tensor<?x4xf32> to tensor<?x?xf32>
  %8 = tensor.generate %i { ^bb0(%a: index, %b: index): tensor.yield %f : f32 } : tensor<?x4xf32>
  %9 = tensor.collapse_shape %t [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  %10 = tensor.expand_shape %9 [[0, 1]] output_shape [%i, 4] : tensor<?xf32> into tensor<?x4xf32>
  %11 = tensor.splat %f : tensor<4xf32>
  %12 = tensor.from_elements %f, %f : tensor<2xf32>
  %13 = tensor.concat dim(0) %t, %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %14 = linalg.fill ins(%f : f32) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
  %15 = linalg.matmul ins(%d, %d : tensor<4x4xf32>, tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) -> tensor<4x4xf32>
  %16 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) attrs = {a} {
  ^bb0(%a: f32, %b: f32):
    %x = arith.addf %a, %b : f32
    linalg.yield %x : f32
  } -> tensor<4x4xf32>
  %17 = linalg.map { arith.addf } ins(%d, %d : tensor<4x4xf32>, tensor<4x4xf32>) outs(%d : tensor<4x4xf32>)
  %19 = linalg.transpose ins(%d : tensor<4x4xf32>) outs(%d : tensor<4x4xf32>) permutation = [1, 0]
  %21 = bufferization.alloc_tensor(%i) : tensor<?x4xf32>
  %23 = bufferization.to_buffer %d : tensor<4x4xf32> to memref<4x4xf32>
  return %t : tensor<?x4xf32>
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1, %loops:3 = transform.structured.tile_using_for %0 tile_sizes [4, 4, [4]] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %2 = transform.get_parent_op %1 {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %1 vector_sizes [4, [4], 1] : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.op<"func.func">
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
      transform.apply_patterns.vector.lower_transpose lowering_strategy = "shuffle_16x16"
      transform.apply_patterns.canonicalization
    } : !transform.op<"func.func">
    %p = transform.param.constant 1 : i64 -> !transform.param<i64>
    %mm = transform.merge_handles %0, %1 : !transform.any_op
    transform.foreach %mm : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      transform.print %x : !transform.any_op
    }
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1, %loops:3 = transform.structured.tile_using_for %0 tile_sizes [4, 4, [4]] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %2 = transform.get_parent_op %1 {isolated_from_above} : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %1 vector_sizes [4, [4], 1] : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.op<"func.func">
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
      transform.apply_patterns.vector.lower_transpose lowering_strategy = "shuffle_16x16"
      transform.apply_patterns.canonicalization
    } : !transform.op<"func.func">
    %l = transform.loop.unroll %loops#0 { factor = 4 } : !transform.any_op
    %a, %b = transform.loop.peel %loops#1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %p = transform.param.constant 1 : i64 -> !transform.param<i64>
    %mm = transform.merge_handles %0, %1 : !transform.any_op
    transform.foreach %mm : !transform.any_op {
    ^bb0(%x: !transform.any_op):
      transform.print %x : !transform.any_op
    }
    transform.yield
  }
}
// -----
transform.sequence failures(propagate) {
^bb1(%arg1: !transform.any_op):
  %0 = transform.structured.match interface{LinalgOp} in %arg1 : (!transform.any_op) -> !transform.any_op
  transform.debug.emit_remark_at %0, "x" : !transform.any_op
}
// -----
func.func @as() {
  %t = async.execute { async.yield }
  async.await %t : !async.token
  %t2, %v = async.execute [%t] -> !async.value<f32> { %c = arith.constant 1.0 : f32
    async.yield %c : f32 }
  %x = async.await %v : !async.value<f32>
  return
}
// -----
func.func @nv(%m: memref<32x32xf16, 3>, %g: memref<32x32xf16>, %i: index, %v: vector<4x2xf16>, %w: vector<2x2xf16>, %c: vector<2x2xf32>) {
  %0 = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<32x32xf16, 3> -> vector<4x2xf16>
  %1 = nvgpu.mma.sync (%v, %w, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %2 = nvgpu.device_async_copy %g[%i, %i], %m[%i, %i], 8 {bypassL1} : memref<32x32xf16> to memref<32x32xf16, 3>
  %3 = nvgpu.device_async_create_group %2
  nvgpu.device_async_wait %3 {numGroups = 1 : i32}
  %4 = nvgpu.rcp %c {rounding = approx, ftz} : vector<2x2xf32>
  return
}
// -----
func.func @f(%a: index) {
  scf.index_switch %a
  case 99999999999999999999 { scf.yield }
  default { scf.yield }
  return
}
// -----
func.func @f(%c: complex<i8>, %i: i32) {
  %0 = complex.powi %c, %i : complex<i8>, i32
  return
}
// -----
func.func @f(%c: complex<f32>, %i: si32) {
  %0 = complex.powi %c, %i : complex<f32>, si32
  return
}
