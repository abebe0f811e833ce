func.func @f(%a: f32, %v8: vector<2xi8>, %i8: i8, %h: vector<2xf16>, %b: vector<2xbf16>, %r: i32, %v4: vector<4xf32>, %w4: vector<4xi8>, %w2: vector<2xi16>, %p: !llvm.ptr, %s: !llvm.ptr<3>, %l: i64, %q: i128) {
  %0 = nvvm.convert.f32x2.to.f4x2 %a, %a {relu = true} : i8 (f4E2M1FN)
  %1 = nvvm.convert.f32x2.to.f6x2 %a, %a : i16 (f6E2M3FN)
  %2 = nvvm.convert.f32x2.to.f6x2 %a, %a : vector<2xi8> (f6E3M2FN)
  %3 = nvvm.convert.f16x2.to.f8x2 %h {relu = true} : vector<2xf16> -> i16 (f8E4M3FN)
  %4 = nvvm.convert.bf16x2.to.f8x2 %b {rnd = #nvvm.fp_rnd_mode<rz>} : vector<2xbf16> -> i16 (f8E8M0FNU)
  %5 = nvvm.convert.f8x2.to.f16x2 %v8 : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
  %6 = nvvm.convert.f8x2.to.bf16x2 %v8 : vector<2xi8> (f8E8M0FNU) -> vector<2xbf16>
  %7 = nvvm.convert.f6x2.to.f16x2 %v8 : vector<2xi8> (f6E2M3FN) -> vector<2xf16>
  %8 = nvvm.convert.f4x2.to.f16x2 %i8 {relu=true} : i8 (f4E2M1FN) -> vector<2xf16>
  %9 = nvvm.convert.f32x2.to.f16x2 %a, %a, %r {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
  %10 = nvvm.convert.f32x2.to.bf16x2 %a, %a {rnd = #nvvm.fp_rnd_mode<rn>, relu = true} : vector<2xbf16>
  %11 = nvvm.convert.f32x4.to.f8x4 %v4, %r : vector<4xf32> -> vector<4xi8> (f8E5M2)
  %12 = nvvm.convert.f32x4.to.f6x4 %v4, %r {relu = true} : vector<4xf32> -> vector<4xi8> (f6E2M3FN)
  %13 = nvvm.convert.f32x4.to.f4x4 %v4, %r : vector<4xf32> -> i16 (f4E2M1FN)
  %14 = nvvm.dot.accumulate.4way %w4 <signed>, %w4 <unsigned>, %r : vector<4xi8>, vector<4xi8>
  %15 = nvvm.dot.accumulate.2way %w2 <signed>, %w4 <unsigned>, %r {b_hi = true} : vector<2xi16>, vector<4xi8>
  nvvm.st.bulk %s, size = %l : !llvm.ptr<3>
  nvvm.st.bulk %p, size = %l, init = 0 : !llvm.ptr
  nvvm.clusterlaunchcontrol.try.cancel multicast, %s, %s
  nvvm.clusterlaunchcontrol.try.cancel %s, %s
  %16 = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %q : i1
  %17 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %q : i32
  nvvm.pmevent id = 10
  nvvm.pmevent mask = 4
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<acquire>}
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<release>}
  nvvm.fence.proxy.acquire #nvvm.mem_scope<cta> %p, %r from_proxy = #nvvm.proxy_kind<generic> to_proxy = #nvvm.proxy_kind<tensormap>
  nvvm.fence.proxy.release #nvvm.mem_scope<cta>
  %18 = nvvm.prmt #nvvm.permute_mode<default> %r, %r, %r : i32
  %19 = nvvm.prmt #nvvm.permute_mode<f4e> %r, %r, %r : i32
  %20 = nvvm.prmt #nvvm.permute_mode<rc8> %r, %r : i32
  return
}
