func.func @t(%t: tensor<100xf32>, %lb: index) -> tensor<100xf32> {
  %r = scf.for %i = %lb to %lb step %lb iter_args(%x = %t) -> (tensor<100xf32>) {
    %e = tensor.extract_slice %x[%i] [10] [1] : tensor<100xf32> to tensor<10xf32>
    %y = tensor.insert_slice %e into %x[%i] [10] [1] : tensor<10xf32> into tensor<100xf32>
    scf.yield %y : tensor<100xf32>
  }
  return %r : tensor<100xf32>
}
// -----
func.func @forall(%in: tensor<100xf32>, %out: tensor<100xf32>, %n: index) -> tensor<100xf32> {
  %c1 = arith.constant 1 : index
  %r = scf.forall (%i) in (%n) shared_outs(%o = %out) -> (tensor<100xf32>) {
    %1 = tensor.extract_slice %in[%i][1][1] : tensor<100xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i][1][1] : tensor<1xf32> into tensor<100xf32>
    }
  }
  return %r : tensor<100xf32>
}
// -----
func.func @while(%a: tensor<?xf32>, %c: i1) -> tensor<?xf32> {
  %r = scf.while (%x = %a) : (tensor<?xf32>) -> tensor<?xf32> {
    scf.condition(%c) %x : tensor<?xf32>
  } do {
  ^bb0(%y: tensor<?xf32>):
    scf.yield %y : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
// -----
func.func @par_red(%a: index, %f: f32) -> f32 {
  %r = scf.parallel (%i) = (%a) to (%a) step (%a) init (%f) -> f32 {
    %x = "test.val"() : () -> f32
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %q: f32):
      %s = arith.addf %l, %q : f32
      scf.reduce.return %s : f32
    }
  }
  return %r : f32
}
// -----
func.func @sw(%i: index) -> i32 {
  %0 = scf.index_switch %i -> i32
  case 2 {
    %c = arith.constant 10 : i32
    scf.yield %c : i32
  }
  case 5 {
    %c = arith.constant 20 : i32
    scf.yield %c : i32
  }
  default {
    %c = arith.constant 30 : i32
    scf.yield %c : i32
  }
  return %0 : i32
}
// -----
func.func @ex() -> i64 {
  %r = scf.execute_region -> i64 no_inline {
    cf.br ^bb1
  ^bb1:
    %c = arith.constant 1 : i64
    scf.yield %c : i64
  }
  return %r : i64
}
// -----
func.func @for_i32(%l: i32, %u: i32) {
  scf.for unsigned %i = %l to %u step %l : i32 {
  }
  scf.for %i = %l to %u step %l : i32 {
    "test.use"(%i) : (i32) -> ()
  } {loop.attr = 1}
  return
}
// -----
#map = affine_map<(d0) -> (d0 * 2)>
module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<?xf32>, %n: index) {
    %c0 = arith.constant 0 : index
    scf.for %i = %c0 to %n step %n {
      %0 = affine.apply #map(%i)
      %1 = memref.load %a[%0] : memref<?xf32>
    } {__test_pipelining_loop__}
    return
  }
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["arith.addi"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_parent_op %0 {op_name = "scf.for"} : (!transform.any_op) -> !transform.op<"scf.for">
    transform.loop.unroll %1 { factor = 4 } : !transform.op<"scf.for">
    %main, %rem = transform.loop.peel %1 : (!transform.op<"scf.for">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
// -----
func.func @ifs(%c: i1, %t: tensor<2xf32>) -> (tensor<2xf32>, index) {
  %0:2 = scf.if %c -> (tensor<2xf32>, index) {
    %i = arith.constant 0 : index
    %e = tensor.empty() : tensor<2xf32>
    scf.yield %e, %i : tensor<2xf32>, index
  } else {
    %i = arith.constant 1 : index
    %d = tensor.dim %t, %i : tensor<2xf32>
    scf.yield %t, %d : tensor<2xf32>, index
  }
  return %0#0, %0#1 : tensor<2xf32>, index
}
// -----
func.func @buf(%t: tensor<?xf32>, %m: memref<?xf32>) -> tensor<?xf32> {
  %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %1 = bufferization.to_tensor %m restrict writable : memref<?xf32> to tensor<?xf32>
  %2 = bufferization.alloc_tensor() : tensor<8xf32>
  %3 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  bufferization.dealloc_tensor %t : tensor<?xf32>
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  %c = arith.constant true
  bufferization.dealloc (%m : memref<?xf32>) if (%c)
  %4 = bufferization.dealloc (%m : memref<?xf32>) if (%c) retain (%0 : memref<?xf32>)
  return %1 : tensor<?xf32>
}
// -----
func.func @lin(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %f = arith.constant 0.0 : f32
  %i = linalg.fill ins(%f : f32) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%i : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @gen(%a: tensor<4x8xf32>, %m: memref<4x8xf32>) -> tensor<4x8xf32> {
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    %i = linalg.index 0 : index
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "reduction"]} outs(%m : memref<4x8xf32>) attrs = {foo = 1} {
  ^bb0(%y: f32):
    linalg.yield %y : f32
  }
  return %0 : tensor<4x8xf32>
}
// -----
func.func @par_inits(%a: index) {
  %f = arith.constant 1.0 : f32
  %r:2 = scf.parallel (%i, %j) = (%a, %a) to (%a, %a) step (%a, %a) init (%f, %a) -> (f32, index) {
    scf.reduce(%f, %i : f32, index) {
    ^bb0(%l: f32, %q: f32):
      scf.reduce.return %l : f32
    }, {
    ^bb0(%l: index, %q: index):
      scf.reduce.return %l : index
    }
  }
  return
}
