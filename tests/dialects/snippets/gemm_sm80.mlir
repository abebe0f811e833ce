// A 128x128x32 fp16 GEMM block for sm_80: two stages of cp.async, ldmatrix, mma.sync; 4 warps of 64x64.
#tile_row = affine_map<(d0) -> (d0 * 128)>
#copy_row = affine_map<(d0) -> (d0 floordiv 4)>
#copy_col = affine_map<(d0) -> ((d0 mod 4) * 8)>
#warp_m = affine_map<(d0) -> ((d0 floordiv 64) * 64)>
#warp_n = affine_map<(d0) -> (((d0 floordiv 32) mod 2) * 64)>
#lane_row = affine_map<(d0) -> (d0 mod 16)>
#lane_col = affine_map<(d0) -> (((d0 mod 32) floordiv 16) * 8)>
#sum = affine_map<(d0, d1) -> (d0 + d1)>
#next = affine_map<(d0) -> (d0 + 32)>
#stage = affine_map<(d0) -> ((d0 floordiv 32) mod 2)>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    memref.global "private" @a_tiles : memref<2x128x40xf16, #gpu.address_space<workgroup>> {alignment = 16 : i64}
    gpu.func @gemm(%A: memref<256x512xf16>, %B: memref<512x256xf16>, %C: memref<256x256xf32>)
        workgroup(%b_tiles : memref<2x32x136xf16, 3>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c512 = arith.constant 512 : index
      %c480 = arith.constant 480 : index
      %zero = arith.constant dense<0.000000e+00> : vector<2x2xf32>
      %a_tiles = memref.get_global @a_tiles : memref<2x128x40xf16, #gpu.address_space<workgroup>>
      %tid = gpu.thread_id x
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %row0 = affine.apply #tile_row(%by)
      %col0 = affine.apply #tile_row(%bx)
      %cr = affine.apply #copy_row(%tid)
      %cc = affine.apply #copy_col(%tid)
      %wm = affine.apply #warp_m(%tid)
      %wn = affine.apply #warp_n(%tid)
      %lr = affine.apply #lane_row(%tid)
      %lc = affine.apply #lane_col(%tid)
      %pro0 = arith.constant 0 : index
      %par0 = affine.apply #sum(%cr, %pro0)
      %pgr0 = affine.apply #sum(%row0, %par0)
      %pgk0 = affine.apply #sum(%c0, %cc)
      %pta0 = nvgpu.device_async_copy %A[%pgr0, %pgk0], %a_tiles[%c0, %par0, %cc], 8 {bypassL1} : memref<256x512xf16> to memref<2x128x40xf16, #gpu.address_space<workgroup>>
      %pro1 = arith.constant 32 : index
      %par1 = affine.apply #sum(%cr, %pro1)
      %pgr1 = affine.apply #sum(%row0, %par1)
      %pgk1 = affine.apply #sum(%c0, %cc)
      %pta1 = nvgpu.device_async_copy %A[%pgr1, %pgk1], %a_tiles[%c0, %par1, %cc], 8 {bypassL1} : memref<256x512xf16> to memref<2x128x40xf16, #gpu.address_space<workgroup>>
      %pro2 = arith.constant 64 : index
      %par2 = affine.apply #sum(%cr, %pro2)
      %pgr2 = affine.apply #sum(%row0, %par2)
      %pgk2 = affine.apply #sum(%c0, %cc)
      %pta2 = nvgpu.device_async_copy %A[%pgr2, %pgk2], %a_tiles[%c0, %par2, %cc], 8 {bypassL1} : memref<256x512xf16> to memref<2x128x40xf16, #gpu.address_space<workgroup>>
      %pro3 = arith.constant 96 : index
      %par3 = affine.apply #sum(%cr, %pro3)
      %pgr3 = affine.apply #sum(%row0, %par3)
      %pgk3 = affine.apply #sum(%c0, %cc)
      %pta3 = nvgpu.device_async_copy %A[%pgr3, %pgk3], %a_tiles[%c0, %par3, %cc], 8 {bypassL1} : memref<256x512xf16> to memref<2x128x40xf16, #gpu.address_space<workgroup>>
      %pbc0 = affine.apply #sum(%cc, %pro0)
      %pgc0 = affine.apply #sum(%col0, %pbc0)
      %pbk0 = affine.apply #sum(%c0, %cr)
      %ptb0 = nvgpu.device_async_copy %B[%pbk0, %pgc0], %b_tiles[%c0, %cr, %pbc0], 8 {bypassL1} : memref<512x256xf16> to memref<2x32x136xf16, 3>
      %pbc1 = affine.apply #sum(%cc, %pro1)
      %pgc1 = affine.apply #sum(%col0, %pbc1)
      %pbk1 = affine.apply #sum(%c0, %cr)
      %ptb1 = nvgpu.device_async_copy %B[%pbk1, %pgc1], %b_tiles[%c0, %cr, %pbc1], 8 {bypassL1} : memref<512x256xf16> to memref<2x32x136xf16, 3>
      %pbc2 = affine.apply #sum(%cc, %pro2)
      %pgc2 = affine.apply #sum(%col0, %pbc2)
      %pbk2 = affine.apply #sum(%c0, %cr)
      %ptb2 = nvgpu.device_async_copy %B[%pbk2, %pgc2], %b_tiles[%c0, %cr, %pbc2], 8 {bypassL1} : memref<512x256xf16> to memref<2x32x136xf16, 3>
      %pbc3 = affine.apply #sum(%cc, %pro3)
      %pgc3 = affine.apply #sum(%col0, %pbc3)
      %pbk3 = affine.apply #sum(%c0, %cr)
      %ptb3 = nvgpu.device_async_copy %B[%pbk3, %pgc3], %b_tiles[%c0, %cr, %pbc3], 8 {bypassL1} : memref<512x256xf16> to memref<2x32x136xf16, 3>
      %group0 = nvgpu.device_async_create_group %pta0, %pta1, %pta2, %pta3, %ptb0, %ptb1, %ptb2, %ptb3
      %acc:32 = scf.for %k = %c0 to %c512 step %c32 iter_args(%acc_0_0 = %zero, %acc_0_1 = %zero, %acc_0_2 = %zero, %acc_0_3 = %zero, %acc_0_4 = %zero, %acc_0_5 = %zero, %acc_0_6 = %zero, %acc_0_7 = %zero, %acc_1_0 = %zero, %acc_1_1 = %zero, %acc_1_2 = %zero, %acc_1_3 = %zero, %acc_1_4 = %zero, %acc_1_5 = %zero, %acc_1_6 = %zero, %acc_1_7 = %zero, %acc_2_0 = %zero, %acc_2_1 = %zero, %acc_2_2 = %zero, %acc_2_3 = %zero, %acc_2_4 = %zero, %acc_2_5 = %zero, %acc_2_6 = %zero, %acc_2_7 = %zero, %acc_3_0 = %zero, %acc_3_1 = %zero, %acc_3_2 = %zero, %acc_3_3 = %zero, %acc_3_4 = %zero, %acc_3_5 = %zero, %acc_3_6 = %zero, %acc_3_7 = %zero) -> (vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>) {
        nvgpu.device_async_wait %group0 {numGroups = 0 : i32}
        gpu.barrier
        %st = affine.apply #stage(%k)
        %kn = affine.apply #next(%k)
        %more = arith.cmpi slt, %kn, %c512 : index
        scf.if %more {
          %stn = affine.apply #stage(%kn)
          %lro0 = arith.constant 0 : index
          %lar0 = affine.apply #sum(%cr, %lro0)
          %lgr0 = affine.apply #sum(%row0, %lar0)
          %lgk0 = affine.apply #sum(%kn, %cc)
          %lta0 = nvgpu.device_async_copy %A[%lgr0, %lgk0], %a_tiles[%stn, %lar0, %cc], 8 {bypassL1} : memref<256x512xf16> to memref<2x128x40xf16, #gpu.address_space<workgroup>>
          %lro1 = arith.constant 32 : index
          %lar1 = affine.apply #sum(%cr, %lro1)
          %lgr1 = affine.apply #sum(%row0, %lar1)
          %lgk1 = affine.apply #sum(%kn, %cc)
          %lta1 = nvgpu.device_async_copy %A[%lgr1, %lgk1], %a_tiles[%stn, %lar1, %cc], 8 {bypassL1} : memref<256x512xf16> to memref<2x128x40xf16, #gpu.address_space<workgroup>>
          %lro2 = arith.constant 64 : index
          %lar2 = affine.apply #sum(%cr, %lro2)
          %lgr2 = affine.apply #sum(%row0, %lar2)
          %lgk2 = affine.apply #sum(%kn, %cc)
          %lta2 = nvgpu.device_async_copy %A[%lgr2, %lgk2], %a_tiles[%stn, %lar2, %cc], 8 {bypassL1} : memref<256x512xf16> to memref<2x128x40xf16, #gpu.address_space<workgroup>>
          %lro3 = arith.constant 96 : index
          %lar3 = affine.apply #sum(%cr, %lro3)
          %lgr3 = affine.apply #sum(%row0, %lar3)
          %lgk3 = affine.apply #sum(%kn, %cc)
          %lta3 = nvgpu.device_async_copy %A[%lgr3, %lgk3], %a_tiles[%stn, %lar3, %cc], 8 {bypassL1} : memref<256x512xf16> to memref<2x128x40xf16, #gpu.address_space<workgroup>>
          %lbc0 = affine.apply #sum(%cc, %lro0)
          %lgc0 = affine.apply #sum(%col0, %lbc0)
          %lbk0 = affine.apply #sum(%kn, %cr)
          %ltb0 = nvgpu.device_async_copy %B[%lbk0, %lgc0], %b_tiles[%stn, %cr, %lbc0], 8 {bypassL1} : memref<512x256xf16> to memref<2x32x136xf16, 3>
          %lbc1 = affine.apply #sum(%cc, %lro1)
          %lgc1 = affine.apply #sum(%col0, %lbc1)
          %lbk1 = affine.apply #sum(%kn, %cr)
          %ltb1 = nvgpu.device_async_copy %B[%lbk1, %lgc1], %b_tiles[%stn, %cr, %lbc1], 8 {bypassL1} : memref<512x256xf16> to memref<2x32x136xf16, 3>
          %lbc2 = affine.apply #sum(%cc, %lro2)
          %lgc2 = affine.apply #sum(%col0, %lbc2)
          %lbk2 = affine.apply #sum(%kn, %cr)
          %ltb2 = nvgpu.device_async_copy %B[%lbk2, %lgc2], %b_tiles[%stn, %cr, %lbc2], 8 {bypassL1} : memref<512x256xf16> to memref<2x32x136xf16, 3>
          %lbc3 = affine.apply #sum(%cc, %lro3)
          %lgc3 = affine.apply #sum(%col0, %lbc3)
          %lbk3 = affine.apply #sum(%kn, %cr)
          %ltb3 = nvgpu.device_async_copy %B[%lbk3, %lgc3], %b_tiles[%stn, %cr, %lbc3], 8 {bypassL1} : memref<512x256xf16> to memref<2x32x136xf16, 3>
          %g = nvgpu.device_async_create_group %lta0, %lta1, %lta2, %lta3, %ltb0, %ltb1, %ltb2, %ltb3
        }
        %kc0 = arith.constant 0 : index
        %ak0 = affine.apply #sum(%kc0, %lc)
        %bk0 = affine.apply #sum(%kc0, %lr)
        %mo00 = arith.constant 0 : index
        %am00 = arith.addi %wm, %mo00 : index
        %ar00 = arith.addi %am00, %lr : index
        %fa00 = nvgpu.ldmatrix %a_tiles[%st, %ar00, %ak0] {numTiles = 4 : i32, transpose = false} : memref<2x128x40xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
        %mo01 = arith.constant 16 : index
        %am01 = arith.addi %wm, %mo01 : index
        %ar01 = arith.addi %am01, %lr : index
        %fa01 = nvgpu.ldmatrix %a_tiles[%st, %ar01, %ak0] {numTiles = 4 : i32, transpose = false} : memref<2x128x40xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
        %mo02 = arith.constant 32 : index
        %am02 = arith.addi %wm, %mo02 : index
        %ar02 = arith.addi %am02, %lr : index
        %fa02 = nvgpu.ldmatrix %a_tiles[%st, %ar02, %ak0] {numTiles = 4 : i32, transpose = false} : memref<2x128x40xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
        %mo03 = arith.constant 48 : index
        %am03 = arith.addi %wm, %mo03 : index
        %ar03 = arith.addi %am03, %lr : index
        %fa03 = nvgpu.ldmatrix %a_tiles[%st, %ar03, %ak0] {numTiles = 4 : i32, transpose = false} : memref<2x128x40xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
        %no00 = arith.constant 0 : index
        %bn00 = arith.addi %wn, %no00 : index
        %bc00 = arith.addi %bn00, %lc : index
        %fbb00 = nvgpu.ldmatrix %b_tiles[%st, %bk0, %bc00] {numTiles = 4 : i32, transpose = true} : memref<2x32x136xf16, 3> -> vector<4x2xf16>
        %fb00 = vector.extract_strided_slice %fbb00 {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %fb01 = vector.extract_strided_slice %fbb00 {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %no02 = arith.constant 16 : index
        %bn02 = arith.addi %wn, %no02 : index
        %bc02 = arith.addi %bn02, %lc : index
        %fbb02 = nvgpu.ldmatrix %b_tiles[%st, %bk0, %bc02] {numTiles = 4 : i32, transpose = true} : memref<2x32x136xf16, 3> -> vector<4x2xf16>
        %fb02 = vector.extract_strided_slice %fbb02 {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %fb03 = vector.extract_strided_slice %fbb02 {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %no04 = arith.constant 32 : index
        %bn04 = arith.addi %wn, %no04 : index
        %bc04 = arith.addi %bn04, %lc : index
        %fbb04 = nvgpu.ldmatrix %b_tiles[%st, %bk0, %bc04] {numTiles = 4 : i32, transpose = true} : memref<2x32x136xf16, 3> -> vector<4x2xf16>
        %fb04 = vector.extract_strided_slice %fbb04 {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %fb05 = vector.extract_strided_slice %fbb04 {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %no06 = arith.constant 48 : index
        %bn06 = arith.addi %wn, %no06 : index
        %bc06 = arith.addi %bn06, %lc : index
        %fbb06 = nvgpu.ldmatrix %b_tiles[%st, %bk0, %bc06] {numTiles = 4 : i32, transpose = true} : memref<2x32x136xf16, 3> -> vector<4x2xf16>
        %fb06 = vector.extract_strided_slice %fbb06 {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %fb07 = vector.extract_strided_slice %fbb06 {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %d0_0_0 = nvgpu.mma.sync (%fa00, %fb00, %acc_0_0) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_0_1 = nvgpu.mma.sync (%fa00, %fb01, %acc_0_1) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_0_2 = nvgpu.mma.sync (%fa00, %fb02, %acc_0_2) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_0_3 = nvgpu.mma.sync (%fa00, %fb03, %acc_0_3) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_0_4 = nvgpu.mma.sync (%fa00, %fb04, %acc_0_4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_0_5 = nvgpu.mma.sync (%fa00, %fb05, %acc_0_5) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_0_6 = nvgpu.mma.sync (%fa00, %fb06, %acc_0_6) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_0_7 = nvgpu.mma.sync (%fa00, %fb07, %acc_0_7) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_1_0 = nvgpu.mma.sync (%fa01, %fb00, %acc_1_0) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_1_1 = nvgpu.mma.sync (%fa01, %fb01, %acc_1_1) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_1_2 = nvgpu.mma.sync (%fa01, %fb02, %acc_1_2) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_1_3 = nvgpu.mma.sync (%fa01, %fb03, %acc_1_3) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_1_4 = nvgpu.mma.sync (%fa01, %fb04, %acc_1_4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_1_5 = nvgpu.mma.sync (%fa01, %fb05, %acc_1_5) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_1_6 = nvgpu.mma.sync (%fa01, %fb06, %acc_1_6) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_1_7 = nvgpu.mma.sync (%fa01, %fb07, %acc_1_7) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_2_0 = nvgpu.mma.sync (%fa02, %fb00, %acc_2_0) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_2_1 = nvgpu.mma.sync (%fa02, %fb01, %acc_2_1) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_2_2 = nvgpu.mma.sync (%fa02, %fb02, %acc_2_2) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_2_3 = nvgpu.mma.sync (%fa02, %fb03, %acc_2_3) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_2_4 = nvgpu.mma.sync (%fa02, %fb04, %acc_2_4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_2_5 = nvgpu.mma.sync (%fa02, %fb05, %acc_2_5) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_2_6 = nvgpu.mma.sync (%fa02, %fb06, %acc_2_6) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_2_7 = nvgpu.mma.sync (%fa02, %fb07, %acc_2_7) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_3_0 = nvgpu.mma.sync (%fa03, %fb00, %acc_3_0) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_3_1 = nvgpu.mma.sync (%fa03, %fb01, %acc_3_1) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_3_2 = nvgpu.mma.sync (%fa03, %fb02, %acc_3_2) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_3_3 = nvgpu.mma.sync (%fa03, %fb03, %acc_3_3) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_3_4 = nvgpu.mma.sync (%fa03, %fb04, %acc_3_4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_3_5 = nvgpu.mma.sync (%fa03, %fb05, %acc_3_5) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_3_6 = nvgpu.mma.sync (%fa03, %fb06, %acc_3_6) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d0_3_7 = nvgpu.mma.sync (%fa03, %fb07, %acc_3_7) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %kc1 = arith.constant 16 : index
        %ak1 = affine.apply #sum(%kc1, %lc)
        %bk1 = affine.apply #sum(%kc1, %lr)
        %mo10 = arith.constant 0 : index
        %am10 = arith.addi %wm, %mo10 : index
        %ar10 = arith.addi %am10, %lr : index
        %fa10 = nvgpu.ldmatrix %a_tiles[%st, %ar10, %ak1] {numTiles = 4 : i32, transpose = false} : memref<2x128x40xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
        %mo11 = arith.constant 16 : index
        %am11 = arith.addi %wm, %mo11 : index
        %ar11 = arith.addi %am11, %lr : index
        %fa11 = nvgpu.ldmatrix %a_tiles[%st, %ar11, %ak1] {numTiles = 4 : i32, transpose = false} : memref<2x128x40xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
        %mo12 = arith.constant 32 : index
        %am12 = arith.addi %wm, %mo12 : index
        %ar12 = arith.addi %am12, %lr : index
        %fa12 = nvgpu.ldmatrix %a_tiles[%st, %ar12, %ak1] {numTiles = 4 : i32, transpose = false} : memref<2x128x40xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
        %mo13 = arith.constant 48 : index
        %am13 = arith.addi %wm, %mo13 : index
        %ar13 = arith.addi %am13, %lr : index
        %fa13 = nvgpu.ldmatrix %a_tiles[%st, %ar13, %ak1] {numTiles = 4 : i32, transpose = false} : memref<2x128x40xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
        %no10 = arith.constant 0 : index
        %bn10 = arith.addi %wn, %no10 : index
        %bc10 = arith.addi %bn10, %lc : index
        %fbb10 = nvgpu.ldmatrix %b_tiles[%st, %bk1, %bc10] {numTiles = 4 : i32, transpose = true} : memref<2x32x136xf16, 3> -> vector<4x2xf16>
        %fb10 = vector.extract_strided_slice %fbb10 {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %fb11 = vector.extract_strided_slice %fbb10 {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %no12 = arith.constant 16 : index
        %bn12 = arith.addi %wn, %no12 : index
        %bc12 = arith.addi %bn12, %lc : index
        %fbb12 = nvgpu.ldmatrix %b_tiles[%st, %bk1, %bc12] {numTiles = 4 : i32, transpose = true} : memref<2x32x136xf16, 3> -> vector<4x2xf16>
        %fb12 = vector.extract_strided_slice %fbb12 {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %fb13 = vector.extract_strided_slice %fbb12 {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %no14 = arith.constant 32 : index
        %bn14 = arith.addi %wn, %no14 : index
        %bc14 = arith.addi %bn14, %lc : index
        %fbb14 = nvgpu.ldmatrix %b_tiles[%st, %bk1, %bc14] {numTiles = 4 : i32, transpose = true} : memref<2x32x136xf16, 3> -> vector<4x2xf16>
        %fb14 = vector.extract_strided_slice %fbb14 {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %fb15 = vector.extract_strided_slice %fbb14 {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %no16 = arith.constant 48 : index
        %bn16 = arith.addi %wn, %no16 : index
        %bc16 = arith.addi %bn16, %lc : index
        %fbb16 = nvgpu.ldmatrix %b_tiles[%st, %bk1, %bc16] {numTiles = 4 : i32, transpose = true} : memref<2x32x136xf16, 3> -> vector<4x2xf16>
        %fb16 = vector.extract_strided_slice %fbb16 {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %fb17 = vector.extract_strided_slice %fbb16 {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
        %d1_0_0 = nvgpu.mma.sync (%fa10, %fb10, %d0_0_0) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_0_1 = nvgpu.mma.sync (%fa10, %fb11, %d0_0_1) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_0_2 = nvgpu.mma.sync (%fa10, %fb12, %d0_0_2) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_0_3 = nvgpu.mma.sync (%fa10, %fb13, %d0_0_3) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_0_4 = nvgpu.mma.sync (%fa10, %fb14, %d0_0_4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_0_5 = nvgpu.mma.sync (%fa10, %fb15, %d0_0_5) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_0_6 = nvgpu.mma.sync (%fa10, %fb16, %d0_0_6) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_0_7 = nvgpu.mma.sync (%fa10, %fb17, %d0_0_7) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_1_0 = nvgpu.mma.sync (%fa11, %fb10, %d0_1_0) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_1_1 = nvgpu.mma.sync (%fa11, %fb11, %d0_1_1) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_1_2 = nvgpu.mma.sync (%fa11, %fb12, %d0_1_2) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_1_3 = nvgpu.mma.sync (%fa11, %fb13, %d0_1_3) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_1_4 = nvgpu.mma.sync (%fa11, %fb14, %d0_1_4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_1_5 = nvgpu.mma.sync (%fa11, %fb15, %d0_1_5) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_1_6 = nvgpu.mma.sync (%fa11, %fb16, %d0_1_6) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_1_7 = nvgpu.mma.sync (%fa11, %fb17, %d0_1_7) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_2_0 = nvgpu.mma.sync (%fa12, %fb10, %d0_2_0) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_2_1 = nvgpu.mma.sync (%fa12, %fb11, %d0_2_1) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_2_2 = nvgpu.mma.sync (%fa12, %fb12, %d0_2_2) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_2_3 = nvgpu.mma.sync (%fa12, %fb13, %d0_2_3) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_2_4 = nvgpu.mma.sync (%fa12, %fb14, %d0_2_4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_2_5 = nvgpu.mma.sync (%fa12, %fb15, %d0_2_5) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_2_6 = nvgpu.mma.sync (%fa12, %fb16, %d0_2_6) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_2_7 = nvgpu.mma.sync (%fa12, %fb17, %d0_2_7) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_3_0 = nvgpu.mma.sync (%fa13, %fb10, %d0_3_0) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_3_1 = nvgpu.mma.sync (%fa13, %fb11, %d0_3_1) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_3_2 = nvgpu.mma.sync (%fa13, %fb12, %d0_3_2) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_3_3 = nvgpu.mma.sync (%fa13, %fb13, %d0_3_3) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_3_4 = nvgpu.mma.sync (%fa13, %fb14, %d0_3_4) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_3_5 = nvgpu.mma.sync (%fa13, %fb15, %d0_3_5) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_3_6 = nvgpu.mma.sync (%fa13, %fb16, %d0_3_6) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        %d1_3_7 = nvgpu.mma.sync (%fa13, %fb17, %d0_3_7) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
        scf.yield %d1_0_0, %d1_0_1, %d1_0_2, %d1_0_3, %d1_0_4, %d1_0_5, %d1_0_6, %d1_0_7, %d1_1_0, %d1_1_1, %d1_1_2, %d1_1_3, %d1_1_4, %d1_1_5, %d1_1_6, %d1_1_7, %d1_2_0, %d1_2_1, %d1_2_2, %d1_2_3, %d1_2_4, %d1_2_5, %d1_2_6, %d1_2_7, %d1_3_0, %d1_3_1, %d1_3_2, %d1_3_3, %d1_3_4, %d1_3_5, %d1_3_6, %d1_3_7 : vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>
      }
      %er = affine.apply affine_map<(d0) -> ((d0 mod 32) floordiv 4)>(%tid)
      %ec = affine.apply affine_map<(d0) -> ((d0 mod 4) * 2)>(%tid)
      %eo0_0_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%row0, %wm, %er)
      %ep0_0_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%col0, %wn, %ec)
      %ev0_0_0 = vector.extract %acc#0[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_0_0, %C[%eo0_0_0, %ep0_0_0] : memref<256x256xf32>, vector<2xf32>
      %eo0_0_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%row0, %wm, %er)
      %ep0_0_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%col0, %wn, %ec)
      %ev0_0_1 = vector.extract %acc#0[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_0_1, %C[%eo0_0_1, %ep0_0_1] : memref<256x256xf32>, vector<2xf32>
      %eo0_1_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%row0, %wm, %er)
      %ep0_1_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%col0, %wn, %ec)
      %ev0_1_0 = vector.extract %acc#1[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_1_0, %C[%eo0_1_0, %ep0_1_0] : memref<256x256xf32>, vector<2xf32>
      %eo0_1_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%row0, %wm, %er)
      %ep0_1_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%col0, %wn, %ec)
      %ev0_1_1 = vector.extract %acc#1[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_1_1, %C[%eo0_1_1, %ep0_1_1] : memref<256x256xf32>, vector<2xf32>
      %eo0_2_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%row0, %wm, %er)
      %ep0_2_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%col0, %wn, %ec)
      %ev0_2_0 = vector.extract %acc#2[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_2_0, %C[%eo0_2_0, %ep0_2_0] : memref<256x256xf32>, vector<2xf32>
      %eo0_2_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%row0, %wm, %er)
      %ep0_2_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%col0, %wn, %ec)
      %ev0_2_1 = vector.extract %acc#2[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_2_1, %C[%eo0_2_1, %ep0_2_1] : memref<256x256xf32>, vector<2xf32>
      %eo0_3_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%row0, %wm, %er)
      %ep0_3_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%col0, %wn, %ec)
      %ev0_3_0 = vector.extract %acc#3[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_3_0, %C[%eo0_3_0, %ep0_3_0] : memref<256x256xf32>, vector<2xf32>
      %eo0_3_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%row0, %wm, %er)
      %ep0_3_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%col0, %wn, %ec)
      %ev0_3_1 = vector.extract %acc#3[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_3_1, %C[%eo0_3_1, %ep0_3_1] : memref<256x256xf32>, vector<2xf32>
      %eo0_4_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%row0, %wm, %er)
      %ep0_4_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%col0, %wn, %ec)
      %ev0_4_0 = vector.extract %acc#4[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_4_0, %C[%eo0_4_0, %ep0_4_0] : memref<256x256xf32>, vector<2xf32>
      %eo0_4_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%row0, %wm, %er)
      %ep0_4_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%col0, %wn, %ec)
      %ev0_4_1 = vector.extract %acc#4[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_4_1, %C[%eo0_4_1, %ep0_4_1] : memref<256x256xf32>, vector<2xf32>
      %eo0_5_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%row0, %wm, %er)
      %ep0_5_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%col0, %wn, %ec)
      %ev0_5_0 = vector.extract %acc#5[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_5_0, %C[%eo0_5_0, %ep0_5_0] : memref<256x256xf32>, vector<2xf32>
      %eo0_5_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%row0, %wm, %er)
      %ep0_5_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%col0, %wn, %ec)
      %ev0_5_1 = vector.extract %acc#5[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_5_1, %C[%eo0_5_1, %ep0_5_1] : memref<256x256xf32>, vector<2xf32>
      %eo0_6_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%row0, %wm, %er)
      %ep0_6_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%col0, %wn, %ec)
      %ev0_6_0 = vector.extract %acc#6[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_6_0, %C[%eo0_6_0, %ep0_6_0] : memref<256x256xf32>, vector<2xf32>
      %eo0_6_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%row0, %wm, %er)
      %ep0_6_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%col0, %wn, %ec)
      %ev0_6_1 = vector.extract %acc#6[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_6_1, %C[%eo0_6_1, %ep0_6_1] : memref<256x256xf32>, vector<2xf32>
      %eo0_7_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%row0, %wm, %er)
      %ep0_7_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%col0, %wn, %ec)
      %ev0_7_0 = vector.extract %acc#7[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_7_0, %C[%eo0_7_0, %ep0_7_0] : memref<256x256xf32>, vector<2xf32>
      %eo0_7_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%row0, %wm, %er)
      %ep0_7_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%col0, %wn, %ec)
      %ev0_7_1 = vector.extract %acc#7[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev0_7_1, %C[%eo0_7_1, %ep0_7_1] : memref<256x256xf32>, vector<2xf32>
      %eo1_0_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%row0, %wm, %er)
      %ep1_0_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%col0, %wn, %ec)
      %ev1_0_0 = vector.extract %acc#8[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_0_0, %C[%eo1_0_0, %ep1_0_0] : memref<256x256xf32>, vector<2xf32>
      %eo1_0_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%row0, %wm, %er)
      %ep1_0_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%col0, %wn, %ec)
      %ev1_0_1 = vector.extract %acc#8[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_0_1, %C[%eo1_0_1, %ep1_0_1] : memref<256x256xf32>, vector<2xf32>
      %eo1_1_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%row0, %wm, %er)
      %ep1_1_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%col0, %wn, %ec)
      %ev1_1_0 = vector.extract %acc#9[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_1_0, %C[%eo1_1_0, %ep1_1_0] : memref<256x256xf32>, vector<2xf32>
      %eo1_1_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%row0, %wm, %er)
      %ep1_1_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%col0, %wn, %ec)
      %ev1_1_1 = vector.extract %acc#9[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_1_1, %C[%eo1_1_1, %ep1_1_1] : memref<256x256xf32>, vector<2xf32>
      %eo1_2_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%row0, %wm, %er)
      %ep1_2_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%col0, %wn, %ec)
      %ev1_2_0 = vector.extract %acc#10[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_2_0, %C[%eo1_2_0, %ep1_2_0] : memref<256x256xf32>, vector<2xf32>
      %eo1_2_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%row0, %wm, %er)
      %ep1_2_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%col0, %wn, %ec)
      %ev1_2_1 = vector.extract %acc#10[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_2_1, %C[%eo1_2_1, %ep1_2_1] : memref<256x256xf32>, vector<2xf32>
      %eo1_3_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%row0, %wm, %er)
      %ep1_3_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%col0, %wn, %ec)
      %ev1_3_0 = vector.extract %acc#11[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_3_0, %C[%eo1_3_0, %ep1_3_0] : memref<256x256xf32>, vector<2xf32>
      %eo1_3_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%row0, %wm, %er)
      %ep1_3_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%col0, %wn, %ec)
      %ev1_3_1 = vector.extract %acc#11[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_3_1, %C[%eo1_3_1, %ep1_3_1] : memref<256x256xf32>, vector<2xf32>
      %eo1_4_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%row0, %wm, %er)
      %ep1_4_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%col0, %wn, %ec)
      %ev1_4_0 = vector.extract %acc#12[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_4_0, %C[%eo1_4_0, %ep1_4_0] : memref<256x256xf32>, vector<2xf32>
      %eo1_4_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%row0, %wm, %er)
      %ep1_4_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%col0, %wn, %ec)
      %ev1_4_1 = vector.extract %acc#12[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_4_1, %C[%eo1_4_1, %ep1_4_1] : memref<256x256xf32>, vector<2xf32>
      %eo1_5_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%row0, %wm, %er)
      %ep1_5_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%col0, %wn, %ec)
      %ev1_5_0 = vector.extract %acc#13[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_5_0, %C[%eo1_5_0, %ep1_5_0] : memref<256x256xf32>, vector<2xf32>
      %eo1_5_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%row0, %wm, %er)
      %ep1_5_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%col0, %wn, %ec)
      %ev1_5_1 = vector.extract %acc#13[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_5_1, %C[%eo1_5_1, %ep1_5_1] : memref<256x256xf32>, vector<2xf32>
      %eo1_6_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%row0, %wm, %er)
      %ep1_6_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%col0, %wn, %ec)
      %ev1_6_0 = vector.extract %acc#14[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_6_0, %C[%eo1_6_0, %ep1_6_0] : memref<256x256xf32>, vector<2xf32>
      %eo1_6_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%row0, %wm, %er)
      %ep1_6_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%col0, %wn, %ec)
      %ev1_6_1 = vector.extract %acc#14[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_6_1, %C[%eo1_6_1, %ep1_6_1] : memref<256x256xf32>, vector<2xf32>
      %eo1_7_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%row0, %wm, %er)
      %ep1_7_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%col0, %wn, %ec)
      %ev1_7_0 = vector.extract %acc#15[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_7_0, %C[%eo1_7_0, %ep1_7_0] : memref<256x256xf32>, vector<2xf32>
      %eo1_7_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%row0, %wm, %er)
      %ep1_7_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%col0, %wn, %ec)
      %ev1_7_1 = vector.extract %acc#15[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev1_7_1, %C[%eo1_7_1, %ep1_7_1] : memref<256x256xf32>, vector<2xf32>
      %eo2_0_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%row0, %wm, %er)
      %ep2_0_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%col0, %wn, %ec)
      %ev2_0_0 = vector.extract %acc#16[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_0_0, %C[%eo2_0_0, %ep2_0_0] : memref<256x256xf32>, vector<2xf32>
      %eo2_0_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%row0, %wm, %er)
      %ep2_0_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%col0, %wn, %ec)
      %ev2_0_1 = vector.extract %acc#16[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_0_1, %C[%eo2_0_1, %ep2_0_1] : memref<256x256xf32>, vector<2xf32>
      %eo2_1_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%row0, %wm, %er)
      %ep2_1_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%col0, %wn, %ec)
      %ev2_1_0 = vector.extract %acc#17[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_1_0, %C[%eo2_1_0, %ep2_1_0] : memref<256x256xf32>, vector<2xf32>
      %eo2_1_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%row0, %wm, %er)
      %ep2_1_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%col0, %wn, %ec)
      %ev2_1_1 = vector.extract %acc#17[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_1_1, %C[%eo2_1_1, %ep2_1_1] : memref<256x256xf32>, vector<2xf32>
      %eo2_2_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%row0, %wm, %er)
      %ep2_2_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%col0, %wn, %ec)
      %ev2_2_0 = vector.extract %acc#18[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_2_0, %C[%eo2_2_0, %ep2_2_0] : memref<256x256xf32>, vector<2xf32>
      %eo2_2_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%row0, %wm, %er)
      %ep2_2_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%col0, %wn, %ec)
      %ev2_2_1 = vector.extract %acc#18[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_2_1, %C[%eo2_2_1, %ep2_2_1] : memref<256x256xf32>, vector<2xf32>
      %eo2_3_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%row0, %wm, %er)
      %ep2_3_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%col0, %wn, %ec)
      %ev2_3_0 = vector.extract %acc#19[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_3_0, %C[%eo2_3_0, %ep2_3_0] : memref<256x256xf32>, vector<2xf32>
      %eo2_3_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%row0, %wm, %er)
      %ep2_3_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%col0, %wn, %ec)
      %ev2_3_1 = vector.extract %acc#19[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_3_1, %C[%eo2_3_1, %ep2_3_1] : memref<256x256xf32>, vector<2xf32>
      %eo2_4_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%row0, %wm, %er)
      %ep2_4_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%col0, %wn, %ec)
      %ev2_4_0 = vector.extract %acc#20[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_4_0, %C[%eo2_4_0, %ep2_4_0] : memref<256x256xf32>, vector<2xf32>
      %eo2_4_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%row0, %wm, %er)
      %ep2_4_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%col0, %wn, %ec)
      %ev2_4_1 = vector.extract %acc#20[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_4_1, %C[%eo2_4_1, %ep2_4_1] : memref<256x256xf32>, vector<2xf32>
      %eo2_5_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%row0, %wm, %er)
      %ep2_5_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%col0, %wn, %ec)
      %ev2_5_0 = vector.extract %acc#21[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_5_0, %C[%eo2_5_0, %ep2_5_0] : memref<256x256xf32>, vector<2xf32>
      %eo2_5_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%row0, %wm, %er)
      %ep2_5_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%col0, %wn, %ec)
      %ev2_5_1 = vector.extract %acc#21[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_5_1, %C[%eo2_5_1, %ep2_5_1] : memref<256x256xf32>, vector<2xf32>
      %eo2_6_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%row0, %wm, %er)
      %ep2_6_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%col0, %wn, %ec)
      %ev2_6_0 = vector.extract %acc#22[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_6_0, %C[%eo2_6_0, %ep2_6_0] : memref<256x256xf32>, vector<2xf32>
      %eo2_6_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%row0, %wm, %er)
      %ep2_6_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%col0, %wn, %ec)
      %ev2_6_1 = vector.extract %acc#22[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_6_1, %C[%eo2_6_1, %ep2_6_1] : memref<256x256xf32>, vector<2xf32>
      %eo2_7_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%row0, %wm, %er)
      %ep2_7_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%col0, %wn, %ec)
      %ev2_7_0 = vector.extract %acc#23[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_7_0, %C[%eo2_7_0, %ep2_7_0] : memref<256x256xf32>, vector<2xf32>
      %eo2_7_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%row0, %wm, %er)
      %ep2_7_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%col0, %wn, %ec)
      %ev2_7_1 = vector.extract %acc#23[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev2_7_1, %C[%eo2_7_1, %ep2_7_1] : memref<256x256xf32>, vector<2xf32>
      %eo3_0_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%row0, %wm, %er)
      %ep3_0_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%col0, %wn, %ec)
      %ev3_0_0 = vector.extract %acc#24[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_0_0, %C[%eo3_0_0, %ep3_0_0] : memref<256x256xf32>, vector<2xf32>
      %eo3_0_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%row0, %wm, %er)
      %ep3_0_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 0)>(%col0, %wn, %ec)
      %ev3_0_1 = vector.extract %acc#24[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_0_1, %C[%eo3_0_1, %ep3_0_1] : memref<256x256xf32>, vector<2xf32>
      %eo3_1_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%row0, %wm, %er)
      %ep3_1_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%col0, %wn, %ec)
      %ev3_1_0 = vector.extract %acc#25[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_1_0, %C[%eo3_1_0, %ep3_1_0] : memref<256x256xf32>, vector<2xf32>
      %eo3_1_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%row0, %wm, %er)
      %ep3_1_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 8)>(%col0, %wn, %ec)
      %ev3_1_1 = vector.extract %acc#25[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_1_1, %C[%eo3_1_1, %ep3_1_1] : memref<256x256xf32>, vector<2xf32>
      %eo3_2_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%row0, %wm, %er)
      %ep3_2_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%col0, %wn, %ec)
      %ev3_2_0 = vector.extract %acc#26[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_2_0, %C[%eo3_2_0, %ep3_2_0] : memref<256x256xf32>, vector<2xf32>
      %eo3_2_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%row0, %wm, %er)
      %ep3_2_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 16)>(%col0, %wn, %ec)
      %ev3_2_1 = vector.extract %acc#26[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_2_1, %C[%eo3_2_1, %ep3_2_1] : memref<256x256xf32>, vector<2xf32>
      %eo3_3_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%row0, %wm, %er)
      %ep3_3_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%col0, %wn, %ec)
      %ev3_3_0 = vector.extract %acc#27[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_3_0, %C[%eo3_3_0, %ep3_3_0] : memref<256x256xf32>, vector<2xf32>
      %eo3_3_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%row0, %wm, %er)
      %ep3_3_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 24)>(%col0, %wn, %ec)
      %ev3_3_1 = vector.extract %acc#27[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_3_1, %C[%eo3_3_1, %ep3_3_1] : memref<256x256xf32>, vector<2xf32>
      %eo3_4_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%row0, %wm, %er)
      %ep3_4_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%col0, %wn, %ec)
      %ev3_4_0 = vector.extract %acc#28[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_4_0, %C[%eo3_4_0, %ep3_4_0] : memref<256x256xf32>, vector<2xf32>
      %eo3_4_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%row0, %wm, %er)
      %ep3_4_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 32)>(%col0, %wn, %ec)
      %ev3_4_1 = vector.extract %acc#28[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_4_1, %C[%eo3_4_1, %ep3_4_1] : memref<256x256xf32>, vector<2xf32>
      %eo3_5_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%row0, %wm, %er)
      %ep3_5_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%col0, %wn, %ec)
      %ev3_5_0 = vector.extract %acc#29[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_5_0, %C[%eo3_5_0, %ep3_5_0] : memref<256x256xf32>, vector<2xf32>
      %eo3_5_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%row0, %wm, %er)
      %ep3_5_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 40)>(%col0, %wn, %ec)
      %ev3_5_1 = vector.extract %acc#29[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_5_1, %C[%eo3_5_1, %ep3_5_1] : memref<256x256xf32>, vector<2xf32>
      %eo3_6_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%row0, %wm, %er)
      %ep3_6_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%col0, %wn, %ec)
      %ev3_6_0 = vector.extract %acc#30[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_6_0, %C[%eo3_6_0, %ep3_6_0] : memref<256x256xf32>, vector<2xf32>
      %eo3_6_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%row0, %wm, %er)
      %ep3_6_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%col0, %wn, %ec)
      %ev3_6_1 = vector.extract %acc#30[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_6_1, %C[%eo3_6_1, %ep3_6_1] : memref<256x256xf32>, vector<2xf32>
      %eo3_7_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 48)>(%row0, %wm, %er)
      %ep3_7_0 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%col0, %wn, %ec)
      %ev3_7_0 = vector.extract %acc#31[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_7_0, %C[%eo3_7_0, %ep3_7_0] : memref<256x256xf32>, vector<2xf32>
      %eo3_7_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%row0, %wm, %er)
      %ep3_7_1 = affine.apply affine_map<(d0, d1, d2) -> (d0 + d1 + d2 + 56)>(%col0, %wn, %ec)
      %ev3_7_1 = vector.extract %acc#31[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %ev3_7_1, %C[%eo3_7_1, %ep3_7_1] : memref<256x256xf32>, vector<2xf32>
      gpu.return
    }
  }
}
