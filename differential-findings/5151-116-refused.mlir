// refused: 'builtin.module': this compiles to PTX that is not legal: 'st.v2.b32': operand b mixes integers and floats
// block (5, 3, 2), grid 1
  llvm.func internal @k116_s34(%v37: !llvm.ptr {llvm.sret = !llvm.struct<(i64, f32, i32)>}, %v35: !llvm.struct<(i64, i24, i24, i32)>, %v36: f64) {
    %v46 = llvm.mlir.undef : !llvm.struct<(i64, f32, i32)>
    %v47 = arith.constant 0 : i64
    %v48 = llvm.insertvalue %v47, %v46[0] : !llvm.struct<(i64, f32, i32)>
    %v49 = arith.constant 0.0 : f32
    %v50 = llvm.insertvalue %v49, %v48[1] : !llvm.struct<(i64, f32, i32)>
    %v51 = arith.constant 0 : i32
    %v52 = llvm.insertvalue %v51, %v50[2] : !llvm.struct<(i64, f32, i32)>
    llvm.store %v52, %v37 : !llvm.struct<(i64, f32, i32)>, !llvm.ptr
    llvm.return
  }
  func.func private @k116_q65(%v66: index, %v67: index, %v68: i32) -> i32 {
    %v71 = memref.alloca() : memref<8xi32>
    affine.store %v68, %v71[0] : memref<8xi32>
    affine.store %v68, %v71[1] : memref<8xi32>
    affine.store %v68, %v71[2] : memref<8xi32>
    affine.store %v68, %v71[3] : memref<8xi32>
    affine.store %v68, %v71[4] : memref<8xi32>
    %v72 = arith.constant 0 : i32
    affine.store %v72, %v71[5] : memref<8xi32>
    affine.store %v68, %v71[6] : memref<8xi32>
    affine.store %v68, %v71[7] : memref<8xi32>
    %v76 = arith.constant 0 : i32
    func.return %v76 : i32
  }
  gpu.func @k116(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %rows: memref<?x16xi32>, %acc: memref<8xi32>) kernel attributes {known_block_size = array<i32: 5, 3, 2>} {
    %v23 = arith.constant 0 : i64
    %v26 = llvm.mlir.undef : !llvm.struct<(i64, i24, i24, i32)>
    %v27 = llvm.insertvalue %v23, %v26[0] : !llvm.struct<(i64, i24, i24, i32)>
    %v28 = arith.constant 0 : i24
    %v29 = llvm.insertvalue %v28, %v27[1] : !llvm.struct<(i64, i24, i24, i32)>
    %v30 = llvm.insertvalue %v28, %v29[2] : !llvm.struct<(i64, i24, i24, i32)>
    %v32 = arith.constant 0 : i32
    %v33 = llvm.insertvalue %v32, %v30[3] : !llvm.struct<(i64, i24, i24, i32)>
    %v54 = arith.constant 0.0 : f64
    %v55 = llvm.mlir.undef : !llvm.struct<(i64, f32, i32)>
    %v56 = llvm.insertvalue %v23, %v55[0] : !llvm.struct<(i64, f32, i32)>
    %v58 = arith.constant 0.0 : f32
    %v59 = llvm.insertvalue %v58, %v56[1] : !llvm.struct<(i64, f32, i32)>
    %v60 = llvm.insertvalue %v32, %v59[2] : !llvm.struct<(i64, f32, i32)>
    %v61 = arith.constant 1 : i32
    %v62 = llvm.alloca %v61 x !llvm.struct<(i64, f32, i32)> {alignment = 16 : i64} : (i32) -> !llvm.ptr
    llvm.store %v60, %v62 : !llvm.struct<(i64, f32, i32)>, !llvm.ptr
    llvm.call @k116_s34(%v62, %v33, %v54) : (!llvm.ptr {llvm.sret = !llvm.struct<(i64, f32, i32)>}, !llvm.struct<(i64, i24, i24, i32)>, f64) -> ()
    gpu.return
  }
