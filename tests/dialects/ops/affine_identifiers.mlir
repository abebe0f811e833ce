func.func @f(%n: index, %m: memref<16xf32>) {
  scf.for %k = %n to %n step %n {
    %0 = affine.load %m[%k] : memref<16xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  scf.for %k = %n to %n step %n {
    %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%k)
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  scf.for %k = %n to %n step %n {
    %0 = affine.min affine_map<(d0) -> (d0 + 1, 3)>(%k)
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  scf.for %k = %n to %n step %n {
    %0 = affine.max affine_map<()[s0] -> (s0 + 1, 3)>()[%k]
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  scf.for %k = %n to %n step %n {
    affine.for %i = 0 to %k {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  scf.for %k = %n to %n step %n {
    affine.if affine_set<(d0) : (d0 >= 0)>(%k) {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>, %v: f32) {
  scf.for %k = %n to %n step %n {
    affine.store %v, %m[%k] : memref<16xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>, %v: f32) {
  scf.for %k = %n to %n step %n {
    %c = arith.constant 3 : index
    %x = arith.addi %n, %c : index
    affine.store %v, %m[%x] : memref<16xf32>
    affine.store %v, %m[symbol(%x)] : memref<16xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>, %v: f32) {
  affine.for %k = 0 to 4 {
    %0 = affine.apply affine_map<(d0) -> (d0 * 2)>(%k)
    affine.store %v, %m[%0] : memref<16xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>, %v: f32) {
  affine.for %k = 0 to 4 {
    affine.store %v, %m[symbol(%k)] : memref<16xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>, %v: f32) {
  affine.for %k = 0 to 4 {
    affine.for %j = 0 to %k {
      affine.store %v, %m[%j + %k] : memref<16xf32>
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>, %v: f32) {
  affine.for %k = 0 to 4 {
    affine.for %j = 0 to affine_map<()[s0] -> (s0)>()[%k] {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>, %v: f32) {
  affine.for %k = 0 to 4 {
    %0 = vector.constant_mask [4] : vector<4xi1>
    %1 = affine.vector_load %m[%k] : memref<16xf32>, vector<4xf32>
    %d = memref.dim %m, %n : memref<16xf32>
    affine.vector_store %1, %m[%d] : memref<16xf32>, vector<4xf32>
  }
  return
}
// -----
gpu.module @k {
  gpu.func @f(%m: memref<16xf32>, %v: f32) kernel {
    %t = gpu.thread_id x
    affine.store %v, %m[%t] : memref<16xf32>
    scf.for %k = %t to %t step %t {
      %b = gpu.block_id x
      affine.store %v, %m[%b] : memref<16xf32>
    }
    gpu.return
  }
}
// -----
func.func @f(%n: index, %i: i32, %m: memref<16xf32>, %v: f32) {
  %x = arith.index_cast %i : i32 to index
  affine.store %v, %m[%x] : memref<16xf32>
  cf.br ^bb1
^bb1:
  %y = arith.index_cast %i : i32 to index
  affine.store %v, %m[%y] : memref<16xf32>
  return
}
// -----
func.func @f(%n: index, %i: i32, %m: memref<16xf32>, %v: f32, %c: i1) {
  scf.if %c {
    %x = arith.index_cast %i : i32 to index
    affine.store %v, %m[%x] : memref<16xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>, %v: f32) {
  affine.parallel (%k) = (0) to (4) {
    affine.store %v, %m[%k] : memref<16xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>, %v: f32, %i: memref<4xindex>) {
  affine.for %k = 0 to 4 {
    %x = memref.load %i[%k] : memref<4xindex>
    affine.store %v, %m[%x] : memref<16xf32>
  }
  return
}
