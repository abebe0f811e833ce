// refused: 'builtin.module': this compiles to PTX that is not legal: 'st.local.v2.b64': operand b mixes integers and floats
// block (8, 4, 1), grid 1
  memref.global @k108_c72 : memref<4xi32, #gpu.address_space<workgroup>> = uninitialized
  func.func private @k108_q86(%v87: index, %v88: index, %v89: i8) -> i8 {
    %v92 = memref.alloca() : memref<8xi8>
    affine.store %v89, %v92[0] : memref<8xi8>
    affine.store %v89, %v92[1] : memref<8xi8>
    affine.store %v89, %v92[2] : memref<8xi8>
    affine.store %v89, %v92[3] : memref<8xi8>
    affine.store %v89, %v92[4] : memref<8xi8>
    affine.store %v89, %v92[5] : memref<8xi8>
    %v93 = arith.constant 0 : i8
    affine.store %v93, %v92[6] : memref<8xi8>
    affine.store %v93, %v92[7] : memref<8xi8>
    %v103 = arith.constant 0 : i8
    func.return %v103 : i8
  }
  llvm.func internal @k108_w117(%v118: i64, %v119: f32) -> f32 {
    %v120 = arith.constant 0 : i64
    llvm.switch %v120 : i64, ^k108_w1170(%v119 : f32) [
      2: ^k108_w1170(%v119 : f32)
    ]
    ^k108_w1170(%v122: f32):
    llvm.return %v119 : f32
  }
  gpu.func @k108(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %rows: memref<?x16xi32>, %acc: memref<8xi32>) kernel attributes {known_block_size = array<i32: 8, 4, 1>} {
    %zero = arith.constant 0 : index
    %v1 = gpu.thread_id x
    %v2 = gpu.block_dim x
    %v3 = gpu.thread_id y
    %v4 = gpu.block_dim y
    %v5 = gpu.thread_id z
    %v6 = gpu.block_dim z
    %v7 = gpu.block_id x
    %v8 = arith.muli %v7, %v6 : index
    %v9 = arith.addi %v8, %v5 : index
    %v10 = arith.muli %v9, %v4 : index
    %v11 = arith.addi %v10, %v3 : index
    %v12 = arith.muli %v11, %v2 : index
    %v13 = arith.addi %v12, %v1 : index
    %tid = arith.addi %v13, %zero : index
    %v26 = memref.alloca() : memref<4x8xf16>
    %v27 = arith.constant dense<[[1.0, 0.5, -2.5, -0.0, 3.0, 0.5, 7.0, -2.5], [-0.0, 3.0, -0.0, 0.0, 0.0, 0.0, -2.5, 1.5], [100.0, -2.5, -23.61220349823586, 100.0, 1.5, -2.5, 100.0, -0.0], [0.1, -2.5, -0.0, 0.5, -0.0, -2.5, 0.1, -5.158162822806801]]> : vector<4x8xf16>
    %v28 = arith.constant 0 : index
    vector.transfer_write %v27, %v26[%v28, %v28] {in_bounds = [true, true]} : vector<4x8xf16>, memref<4x8xf16>
    %v60 = arith.constant 1 : i32
    %v61 = llvm.alloca %v60 x !llvm.struct<(f64, i64, f64)> : (i32) -> !llvm.ptr
    %v62 = llvm.getelementptr %v61[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(f64, i64, f64)>
    %v63 = arith.constant 0.0 : f64
    llvm.store %v63, %v62 : f64, !llvm.ptr
    %v64 = llvm.getelementptr %v61[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(f64, i64, f64)>
    %v65 = arith.constant 0 : i64
    llvm.store %v65, %v64 : i64, !llvm.ptr
    %v66 = llvm.getelementptr %v61[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(f64, i64, f64)>
    llvm.store %v63, %v66 : f64, !llvm.ptr
    %v73 = memref.get_global @k108_c72 : memref<4xi32, #gpu.address_space<workgroup>>
    %v74 = arith.constant 4 : index
    %v75 = arith.remui %tid, %v74 : index
    %v76 = arith.constant 1 : i32
    gpu.barrier
    %v77 = arith.constant 32 : index
    %v78 = arith.remui %tid, %v77 : index
    %v79 = arith.cmpi ult, %v78, %v74 : index
    scf.if %v79 {
      memref.store %v76, %v73[%v78] : memref<4xi32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %v80 = memref.atomic_rmw minu %v60, %v73[%v75] : (i32, memref<4xi32, #gpu.address_space<workgroup>>) -> i32
    gpu.barrier
    gpu.barrier
    gpu.return
  }
