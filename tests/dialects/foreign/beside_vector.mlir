#matvec_accesses = [
  affine_map<(i, j) -> (i, j)>,
  affine_map<(i, j) -> (j)>,
  affine_map<(i, j) -> (i)>
]
#matvec_trait = {
  indexing_maps = #matvec_accesses,
  iterator_types = ["parallel", "reduction"]
}
func.func @mv(%A: vector<2x2xf32>, %x: vector<2xf32>, %b: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.contract #matvec_trait %A, %x, %b : vector<2x2xf32>, vector<2xf32> into vector<2xf32>
  return %0 : vector<2xf32>
}
// -----
#contraction_accesses = [affine_map<(b0, f0, f1, c0, c1) -> (c0, b0, c1, f0)>, affine_map<(b0, f0, f1, c0, c1) -> (b0, c1, c0, f1)>, affine_map<(b0, f0, f1, c0, c1) -> (b0, f0, f1)>]
#trait = {indexing_maps = #contraction_accesses, iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"], kind = #vector.kind<maximumf>}
func.func @c(%a: vector<7x8x16x15xf32>, %b: vector<8x16x7x5xf32>, %c: vector<8x15x5xf32>, %m: vector<8x15x5x7x16xi1>) {
  %0 = vector.contract #trait %a, %b, %c : vector<7x8x16x15xf32>, vector<8x16x7x5xf32> into vector<8x15x5xf32>
  %1 = vector.mask %m { vector.contract #trait %a, %b, %c : vector<7x8x16x15xf32>, vector<8x16x7x5xf32> into vector<8x15x5xf32> } : vector<8x15x5x7x16xi1> -> vector<8x15x5xf32>
  return
}
// -----
#pm = affine_map<(d0, d1) -> (d1, 0)>
func.func @tr(%A: memref<?x?xf32>, %T: tensor<?x?xf32>, %i: index, %f: f32, %m: vector<4x3xi1>, %sc: memref<?x?xvector<4x3xf32>>, %v43: vector<4x3xf32>) -> tensor<?x?xf32> {
  %0 = vector.transfer_read %A[%i, %i], %f {permutation_map = affine_map<(d0, d1)->(d0)>} : memref<?x?xf32>, vector<128xf32>
  %1 = vector.transfer_read %A[%i, %i], %f {permutation_map = #pm, in_bounds = [false, true]} : memref<?x?xf32>, vector<3x7xf32>
  %2 = vector.transfer_read %T[%i, %i], %f, %m {in_bounds = [true, true]} : tensor<?x?xf32>, vector<4x3xf32>
  %3 = vector.transfer_read %sc[%i, %i], %v43 : memref<?x?xvector<4x3xf32>>, vector<1x1x4x3xf32>
  %4 = vector.transfer_write %2, %T[%i, %i], %m : vector<4x3xf32>, tensor<?x?xf32>
  vector.transfer_write %3, %sc[%i, %i] {permutation_map = affine_map<(d0, d1)->(d0, d1)>} : vector<1x1x4x3xf32>, memref<?x?xvector<4x3xf32>>
  %5 = vector.transfer_read %A[%i, %i], %f : memref<?x?xf32>, vector<[4]x[8]xf32>
  %6 = vector.transfer_read %A[%i, %i], %f : memref<?x?xf32>, vector<f32>
  %7 = vector.mask %m { vector.transfer_read %A[%i, %i], %f : memref<?x?xf32>, vector<4x3xf32> } : vector<4x3xi1> -> vector<4x3xf32>
  vector.mask %m { vector.transfer_write %7, %A[%i, %i] : vector<4x3xf32>, memref<?x?xf32> } : vector<4x3xi1>
  return %4 : tensor<?x?xf32>
}
// -----
module attributes {transform.with_named_sequence} {
  func.func @f(%a: vector<4x[8]xf32>) -> vector<[8]x4xf32> {
    %0 = vector.transpose %a, [1, 0] : vector<4x[8]xf32> to vector<[8]x4xf32>
    return %0 : vector<[8]x4xf32>
  }
  transform.named_sequence @__transform_main(%module_op: !transform.any_op {transform.readonly}) {
    %func_op = transform.structured.match ops{["func.func"]} in %module_op : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %func_op {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
      transform.apply_patterns.vector.transfer_to_scf max_transfer_rank = 2 full_unroll = true
      transform.apply_patterns.vector.lower_transfer max_transfer_rank = 99
      transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
      transform.apply_patterns.vector.lower_transpose lowering_strategy = "shuffle_1d"
      transform.apply_patterns.vector.lower_transpose lowering_strategy = "eltwise" avx2_lowering_strategy = true
      transform.apply_patterns.vector.lower_multi_reduction lowering_strategy = "innerreduction"
      transform.apply_patterns.vector.lower_shape_cast
    } : !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @x(%module_op: !transform.any_op {transform.readonly}) {
    transform.apply_patterns to %module_op {
      transform.apply_patterns.vector.lower_contraction lowering_strategy = outerproduct
      transform.apply_patterns.vector.split_transfer_full_partial split_transfer_strategy = "linalg-copy"
    } : !transform.any_op
    transform.yield
  }
}
// -----
func.func @scal(%a: vector<[4]xi32>, %b: vector<2x[4]x[8]xf16>, %c: vector<[1]x2xi1>) -> vector<[4]xi32> {
  %0 = arith.addi %a, %a : vector<[4]xi32>
  %c0 = arith.constant dense<0> : vector<[4]xi32>
  %1 = arith.cmpi eq, %a, %c0 : vector<[4]xi32>
  %2 = arith.select %1, %a, %c0 : vector<[4]xi1>, vector<[4]xi32>
  %3 = vector.extract %b[0] : vector<[4]x[8]xf16> from vector<2x[4]x[8]xf16>
  %4 = vector.shape_cast %a : vector<[4]xi32> to vector<1x[4]xi32>
  return %2 : vector<[4]xi32>
}
