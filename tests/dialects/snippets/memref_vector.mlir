#map = affine_map<(d0, d1) -> (d0 + d1 * 4)>
#map3 = affine_map<(d0, d1) -> (d1, d0)>
module {
  memref.global "private" @g : memref<32x40xf16, 3>
  func.func @f(%a: memref<16x32xf16, 3>, %dyn: memref<?x?xf32, strided<[?, 1], offset: ?>>, %i: index, %v: vector<4xf32>, %v2 : vector<4x2xf32>, %f: f32, %h: vector<4x2xf16>) {
    %b = memref.cast %dyn : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
    %g = memref.get_global @g : memref<32x40xf16, 3>
    %al = memref.alloca() : memref<32x40xf16, 3>
    %al2 = memref.alloca(%i) {alignment = 16 : i64} : memref<?xf16, 3>
    %alloc = memref.alloc() : memref<4xf32>
    %sv = memref.subview %a[0, %i] [16, 16] [1, 1] : memref<16x32xf16, 3> to memref<16x16xf16, strided<[32, 1], offset: ?>, 3>
    %rc = memref.reinterpret_cast %a to offset: [0], sizes: [16, 2, 16], strides: [32, 16, 1] : memref<16x32xf16, 3> to memref<16x2x16xf16, strided<[32, 16, 1]>, 3>
    %ms = memref.memory_space_cast %a : memref<16x32xf16, 3> to memref<16x32xf16>
    %aa = memref.assume_alignment %a, 16 : memref<16x32xf16, 3>
    %d = memref.dim %dyn, %i : memref<?x?xf32, strided<[?, 1], offset: ?>>
    %rk = memref.rank %dyn : memref<?x?xf32, strided<[?, 1], offset: ?>>
    %ld = memref.load %dyn[%i, %i] : memref<?x?xf32, strided<[?, 1], offset: ?>>
    %ld2 = memref.load %dyn[%i, %i] {nontemporal = true} : memref<?x?xf32, strided<[?, 1], offset: ?>>
    memref.store %ld, %dyn[%i, %i] : memref<?x?xf32, strided<[?, 1], offset: ?>>
    %at = memref.atomic_rmw addf %f, %dyn[%i, %i] : (f32, memref<?x?xf32, strided<[?, 1], offset: ?>>) -> f32
    %cs = memref.collapse_shape %a [[0, 1]] : memref<16x32xf16, 3> into memref<512xf16, 3>
    %es = memref.expand_shape %cs [[0, 1]] output_shape [16, 32] : memref<512xf16, 3> into memref<16x32xf16, 3>
    %base, %off, %sz:2, %st:2 = memref.extract_strided_metadata %dyn : memref<?x?xf32, strided<[?, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
    %pi = memref.extract_aligned_pointer_as_index %a : memref<16x32xf16, 3> -> index
    memref.copy %a, %a : memref<16x32xf16, 3> to memref<16x32xf16, 3>
    memref.dealloc %alloc : memref<4xf32>
    %bytes = memref.alloc() : memref<1024xi8, 3>
    %vw = memref.view %bytes[%i][] : memref<1024xi8, 3> to memref<16x16xf16, 3>
    %vw2 = memref.view %bytes[%i][%i] : memref<1024xi8, 3> to memref<?x16xf16, 3>
    %tp = memref.transpose %a (d0, d1) -> (d1, d0) : memref<16x32xf16, 3> to memref<32x16xf16, affine_map<(d0, d1) -> (d1 * 32 + d0)>, 3>
    memref.prefetch %a[%i, %i], read, locality<3>, data : memref<16x32xf16, 3>
    %e1 = vector.extract %v[0] : f32 from vector<4xf32>
    %e2 = vector.extract %v2[%i] : vector<2xf32> from vector<4x2xf32>
    %e3 = vector.extract %v2[1, 0] : f32 from vector<4x2xf32>
    %n1 = vector.insert %f, %v[3] : f32 into vector<4xf32>
    %n2 = vector.insert %e2, %v2[0] : vector<2xf32> into vector<4x2xf32>
    %ss = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
    %is = vector.insert_strided_slice %ss, %v {offsets = [2], strides = [1]} : vector<2xf32> into vector<4xf32>
    %sc = vector.shape_cast %v2 : vector<4x2xf32> to vector<8xf32>
    %bc = vector.broadcast %f : f32 to vector<4x2xf32>
    %bitc = vector.bitcast %h : vector<4x2xf16> to vector<4x1xi32>
    %fma = vector.fma %v, %v, %v : vector<4xf32>
    %tr = vector.transpose %v2, [1, 0] : vector<4x2xf32> to vector<2x4xf32>
    %fe = vector.from_elements %f, %f : vector<2xf32>
    %te:4 = vector.to_elements %v : vector<4xf32>
    %red = vector.reduction <add>, %v : vector<4xf32> into f32
    %red2 = vector.reduction <maximumf>, %v, %f : vector<4xf32> into f32
    %shf = vector.shuffle %v, %v [0, 1, 4, 5] : vector<4xf32>, vector<4xf32>
    %vl = vector.load %dyn[%i, %i] : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4xf32>
    %vln = vector.load %dyn[%i, %i] {alignment = 16 : i64, nontemporal = true} : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4xf32>
    vector.store %vl, %dyn[%i, %i] : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4xf32>
    %t1 = vector.transfer_read %dyn[%i, %i], %f {in_bounds = [true]} : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4xf32>
    %t2 = vector.transfer_read %dyn[%i, %i], %f : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4x4xf32>
    %t3 = vector.transfer_read %dyn[%i, %i], %f {in_bounds = [true, true], permutation_map = #map3} : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4x4xf32>
    vector.transfer_write %t1, %dyn[%i, %i] {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32, strided<[?, 1], offset: ?>>
    %mask = vector.create_mask %i : vector<4xi1>
    %cm = vector.constant_mask [2] : vector<4xi1>
    %ml = vector.maskedload %dyn[%i, %i], %mask, %v : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    vector.maskedstore %dyn[%i, %i], %mask, %v : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4xi1>, vector<4xf32>
    %op = vector.outerproduct %v, %v : vector<4xf32>, vector<4xf32>
    %step = vector.step : vector<4xindex>
    %il = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
    %d0, %d1 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
    %mr = vector.multi_reduction <add>, %v2, %v [1] : vector<4x2xf32> to vector<4xf32>
    %ct = vector.contract {indexing_maps = [affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>, affine_map<(d0)->()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
    vector.print %v : vector<4xf32>
    %aff = affine.apply #map(%i, %i)
    %aff2 = affine.apply affine_map<()[s0] -> (s0 floordiv 4)>()[%i]
    return
  }
}
