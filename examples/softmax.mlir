// Row softmax: out[row][j] = exp(in[row][j] - max) / sum, of rows of 1024 floats.
//
//   Launch: one block of 256 threads a row. Each thread keeps four columns in registers. Maximum and sum are reduced
//   in each warp by shuffles, and across the eight warps through shared memory.

#shared = #gpu.address_space<workgroup>

module {
  gpu.module @kernels {
    gpu.func @softmax(%in: memref<?x1024xf32>, %out: memref<?x1024xf32>)
        workgroup(%maxima: memref<8xf32, #shared> {llvm.align = 4 : i64},
                  %sums: memref<8xf32, #shared> {llvm.align = 4 : i64})
        kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %i1 = arith.constant 1 : i32
      %i2 = arith.constant 2 : i32
      %i4 = arith.constant 4 : i32
      %i8 = arith.constant 8 : i32
      %i16 = arith.constant 16 : i32
      %i32 = arith.constant 32 : i32
      %lowest = arith.constant 0xFF800000 : f32
      %zero = arith.constant 0.0 : f32
      %unit = arith.constant 1.0 : f32

      %row = gpu.block_id x
      %thread = gpu.thread_id x
      %warp = arith.divui %thread, %c32 : index
      %lane = arith.remui %thread, %c32 : index
      %column = arith.muli %thread, %c4 : index
      %v = vector.load %in[%row, %column] {alignment = 16 : i64} : memref<?x1024xf32>, vector<4xf32>
      %x0 = vector.extract %v[0] : f32 from vector<4xf32>
      %x1 = vector.extract %v[1] : f32 from vector<4xf32>
      %x2 = vector.extract %v[2] : f32 from vector<4xf32>
      %x3 = vector.extract %v[3] : f32 from vector<4xf32>

      // The maximum: of this thread, of its warp, of the row.
      %m01 = arith.maxnumf %x0, %x1 : f32
      %m23 = arith.maxnumf %x2, %x3 : f32
      %m = arith.maxnumf %m01, %m23 : f32
      %mo16, %mv16 = gpu.shuffle xor %m, %i16, %i32 : f32
      %m16 = arith.maxnumf %m, %mo16 : f32
      %mo8, %mv8 = gpu.shuffle xor %m16, %i8, %i32 : f32
      %m8 = arith.maxnumf %m16, %mo8 : f32
      %mo4, %mv4 = gpu.shuffle xor %m8, %i4, %i32 : f32
      %m4 = arith.maxnumf %m8, %mo4 : f32
      %mo2, %mv2 = gpu.shuffle xor %m4, %i2, %i32 : f32
      %m2 = arith.maxnumf %m4, %mo2 : f32
      %mo1, %mv1 = gpu.shuffle xor %m2, %i1, %i32 : f32
      %warpMax = arith.maxnumf %m2, %mo1 : f32
      %first = arith.cmpi eq, %lane, %c0 : index
      scf.if %first {
        memref.store %warpMax, %maxima[%warp] : memref<8xf32, #shared>
      }
      gpu.barrier
      %max = scf.for %w = %c0 to %c8 step %c1 iter_args(%best = %lowest) -> (f32) {
        %one = memref.load %maxima[%w] : memref<8xf32, #shared>
        %better = arith.maxnumf %best, %one : f32
        scf.yield %better : f32
      }

      // exp(x - max), and the sum in the same three steps.
      %y0 = arith.subf %x0, %max : f32
      %y1 = arith.subf %x1, %max : f32
      %y2 = arith.subf %x2, %max : f32
      %y3 = arith.subf %x3, %max : f32
      %e0 = math.exp %y0 fastmath<afn> : f32
      %e1 = math.exp %y1 fastmath<afn> : f32
      %e2 = math.exp %y2 fastmath<afn> : f32
      %e3 = math.exp %y3 fastmath<afn> : f32
      %t01 = arith.addf %e0, %e1 : f32
      %t23 = arith.addf %e2, %e3 : f32
      %t = arith.addf %t01, %t23 : f32
      %to16, %tv16 = gpu.shuffle xor %t, %i16, %i32 : f32
      %t16 = arith.addf %t, %to16 : f32
      %to8, %tv8 = gpu.shuffle xor %t16, %i8, %i32 : f32
      %t8 = arith.addf %t16, %to8 : f32
      %to4, %tv4 = gpu.shuffle xor %t8, %i4, %i32 : f32
      %t4 = arith.addf %t8, %to4 : f32
      %to2, %tv2 = gpu.shuffle xor %t4, %i2, %i32 : f32
      %t2 = arith.addf %t4, %to2 : f32
      %to1, %tv1 = gpu.shuffle xor %t2, %i1, %i32 : f32
      %warpSum = arith.addf %t2, %to1 : f32
      scf.if %first {
        memref.store %warpSum, %sums[%warp] : memref<8xf32, #shared>
      }
      gpu.barrier
      %sum = scf.for %w = %c0 to %c8 step %c1 iter_args(%total = %zero) -> (f32) {
        %one = memref.load %sums[%w] : memref<8xf32, #shared>
        %more = arith.addf %total, %one : f32
        scf.yield %more : f32
      }

      %es = vector.from_elements %e0, %e1, %e2, %e3 : vector<4xf32>
      %inverse = arith.divf %unit, %sum : f32
      %inverses = vector.broadcast %inverse : f32 to vector<4xf32>
      %result = arith.mulf %es, %inverses : vector<4xf32>
      vector.store %result, %out[%row, %column] {alignment = 16 : i64} : memref<?x1024xf32>, vector<4xf32>
      gpu.return
    }
  }
}
