llvm.func @f(%p0: !llvm.ptr, %p1: !llvm.ptr<1>, %p3: !llvm.ptr<3>, %p7: !llvm.ptr<7>, %i: i32, %l: i64, %f: f32, %b: i1, %s: i16, %h2: vector<2xf16>, %v2: vector<2xf32>, %d: f64, %bf2: vector<2xbf16>) {
  %0 = nvvm.read.ptx.sreg.tid.x : i32
  %1 = nvvm.read.ptx.sreg.laneid range <i32, 0, 32> : i32
  %2 = nvvm.read.ptx.sreg.clock64 : i64
  nvvm.barrier0
  nvvm.barrier id = %i number_of_threads = %i
  nvvm.barrier
  nvvm.barrier id = %i
  %rr = nvvm.barrier #nvvm.reduction<popc> %i -> i32
  nvvm.barrier.arrive id = %i number_of_threads = %i
  nvvm.bar.warp.sync %i : i32
  nvvm.cluster.arrive
  nvvm.cluster.arrive {aligned}
  nvvm.cluster.arrive.relaxed {aligned}
  nvvm.cluster.wait {aligned}
  nvvm.cp.async.shared.global %p3, %p1, 16, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
  nvvm.cp.async.shared.global %p3, %p1, 8, cache = ca, %i : !llvm.ptr<3>, !llvm.ptr<1>, i32
  nvvm.cp.async.commit.group
  nvvm.cp.async.wait.group 1
  nvvm.cp.async.mbarrier.arrive %p3 : !llvm.ptr<3>
  nvvm.cp.async.mbarrier.arrive %p3 {noinc = true} : !llvm.ptr<3>
  %l1 = nvvm.ldmatrix %p3 {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
  %l4 = nvvm.ldmatrix %p3 {num = 4 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
  nvvm.stmatrix %p3, %i, %i {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32
  %m = nvvm.mma.sync A[%h2, %h2, %h2, %h2] B[%h2, %h2] C[%f, %f, %f, %f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %mi = nvvm.mma.sync A[%i, %i, %i, %i] B[%i, %i] C[%i, %i, %i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, intOverflowBehavior=#nvvm.mma_int_overflow<satfinite>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  %md = nvvm.mma.sync A[%d] B[%d] C[%d, %d] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
  %mtf = nvvm.mma.sync A[%i, %i] B[%i] C[%f, %f, %f, %f] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 4>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %sh = nvvm.shfl.sync bfly %i, %f, %i, %i : f32 -> f32
  %sh2 = nvvm.shfl.sync idx %i, %i, %i, %i {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
  %vt = nvvm.vote.sync ballot %i, %b -> i32
  %vt2 = nvvm.vote.sync any %i, %b -> i1
  %ms = nvvm.match.sync any %i, %i : i32 -> i32
  %rd = nvvm.redux.sync add %i, %i : i32 -> i32
  %rdf = nvvm.redux.sync fmin %f, %i {abs = true, nan = true} : f32 -> f32
  %el = nvvm.elect.sync -> i1
  %el2 = nvvm.elect.sync %i -> i1
  nvvm.mbarrier.init %p3, %i : !llvm.ptr<3>, i32
  nvvm.mbarrier.init %p0, %i, predicate = %b : !llvm.ptr, i32, i1
  nvvm.mbarrier.inval %p3 : !llvm.ptr<3>
  %ma = nvvm.mbarrier.arrive %p3 : !llvm.ptr<3> -> i64
  %ma2 = nvvm.mbarrier.arrive %p3, %i {relaxed = true, scope = #nvvm.mem_scope<cluster>} : !llvm.ptr<3> -> i64
  nvvm.mbarrier.arrive %p7 : !llvm.ptr<7>
  %mn = nvvm.mbarrier.arrive.nocomplete %p3, %i : !llvm.ptr<3>, i32 -> i64
  nvvm.mbarrier.arrive.expect_tx %p3, %i : !llvm.ptr<3>, i32
  nvvm.mbarrier.arrive.expect_tx %p3, %i, predicate = %b : !llvm.ptr<3>, i32, i1
  %mex = nvvm.mbarrier.arrive.expect_tx %p3, %i : !llvm.ptr<3>, i32 -> i64
  %mt = nvvm.mbarrier.test.wait %p3, %l : !llvm.ptr<3>, i64 -> i1
  %mtw = nvvm.mbarrier.try_wait %p3, %l : !llvm.ptr<3>, i64 -> i1
  nvvm.mbarrier.try_wait.parity %p3, %i, %i : !llvm.ptr<3>, i32, i32
  nvvm.mbarrier.expect_tx %p3, %i : !llvm.ptr<3>, i32
  nvvm.mbarrier.complete_tx %p3, %i : !llvm.ptr<3>, i32
  %mad = nvvm.mbarrier.arrive_drop %p3 : !llvm.ptr<3> -> i64
  nvvm.fence.mbarrier.init
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
  nvvm.fence.proxy.acquire #nvvm.mem_scope<sys> %p0, %i
  nvvm.fence.proxy.release #nvvm.mem_scope<cta>
  nvvm.fence.sc.cluster
  nvvm.memory.barrier #nvvm.mem_scope<cta>
  nvvm.setmaxregister increase 232
  nvvm.exit
  nvvm.nanosleep %i
  nvvm.griddepcontrol wait
  nvvm.wgmma.fence.aligned
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 1
  %u = llvm.mlir.undef : !llvm.struct<(f32, f32, f32, f32)>
  %wg = nvvm.wgmma.mma_async %l, %l, %u, #nvvm.shape<m = 64, n = 8, k = 16>, D [#nvvm.wgmma_type<f32>, #nvvm.wgmma_scale_out<zero>], A [#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<one>, #nvvm.mma_layout<row>], B [#nvvm.wgmma_type<f16>, #nvvm.wgmma_scale_in<neg>, #nvvm.mma_layout<col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>
  nvvm.cp.async.bulk.tensor.shared.cluster.global %p7, %p0, %p3, box[%i, %i] : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.shared.cluster.global %p7, %p0, %p3, box[%i, %i, %i] im2col[%s] multicast_mask = %s l2_cache_hint = %l {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
  nvvm.cp.async.bulk.tensor.global.shared.cta %p0, %p3, box[%i, %i], predicate = %b : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.tensor.prefetch %p0, box[%i] : !llvm.ptr
  nvvm.cp.async.bulk.tensor.reduce %p0, %p3, box[%i] {redKind = #nvvm.tma_redux_kind<add>} : !llvm.ptr, !llvm.ptr<3>
  nvvm.cp.async.bulk.commit.group
  nvvm.cp.async.bulk.wait_group 0
  nvvm.cp.async.bulk.wait_group 0 {read}
  nvvm.cp.async.bulk.shared.cluster.global %p7, %p1, %p3, %i : !llvm.ptr<7>, !llvm.ptr<1>
  nvvm.cp.async.bulk.global.shared.cta %p1, %p3, %i : !llvm.ptr<1>, !llvm.ptr<3>
  nvvm.cp.async.bulk.prefetch %p1, %i : !llvm.ptr<1>
  nvvm.prefetch level = L1, %p1 : !llvm.ptr<1>
  nvvm.prefetch tensormap, %p0 : !llvm.ptr
  nvvm.prefetch tensormap, %p0, predicate = %b : !llvm.ptr, i1
  %mp = nvvm.mapa %p3, %i : !llvm.ptr<3> -> !llvm.ptr<7>
  %tf = nvvm.convert.float.to.tf32 %f {rnd = #nvvm.fp_rnd_mode<rna>}
  %f8 = nvvm.convert.f32x2.to.f8x2 %f, %f {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
  %rc = nvvm.rcp.approx.ftz.f %f : f32
  %pt = nvvm.inline_ptx "ex2.approx.ftz.f32 $0, $1;" ro(%f : f32) -> f32
  nvvm.inline_ptx "bar.sync 0;"
  llvm.return
}
