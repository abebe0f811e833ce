// A 3 x 3 convolution of an image with zeros around it.
gpu.module @conv {
  gpu.func @conv(%in: memref<?x?xf32>, %kernel: memref<3x3xf32>, %out: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0.0 : f32
    %h = memref.dim %in, %c0 : memref<?x?xf32>
    %w = memref.dim %in, %c1 : memref<?x?xf32>
    %j = gpu.global_id x
    %i = gpu.global_id y
    %in_x = arith.cmpi ult, %j, %w : index
    %in_y = arith.cmpi ult, %i, %h : index
    %inside = arith.andi %in_x, %in_y : i1
    scf.if %inside {
      %sum = scf.for %r = %c0 to %c3 step %c1 iter_args(%acc0 = %zero) -> (f32) {
        %row = scf.for %s = %c0 to %c3 step %c1 iter_args(%acc = %acc0) -> (f32) {
          %y0 = arith.addi %i, %r : index
          %y = arith.subi %y0, %c1 : index
          %x0 = arith.addi %j, %s : index
          %x = arith.subi %x0, %c1 : index
          %ok_y = arith.cmpi ult, %y, %h : index
          %ok_x = arith.cmpi ult, %x, %w : index
          %ok = arith.andi %ok_y, %ok_x : i1
          %v = scf.if %ok -> (f32) {
            %p = memref.load %in[%y, %x] : memref<?x?xf32>
            scf.yield %p : f32
          } else {
            scf.yield %zero : f32
          }
          %k = memref.load %kernel[%r, %s] : memref<3x3xf32>
          %n = math.fma %v, %k, %acc : f32
          scf.yield %n : f32
        }
        scf.yield %row : f32
      }
      memref.store %sum, %out[%i, %j] : memref<?x?xf32>
    }
    gpu.return
  }
}
