func.func private @f(vector<4xf32>)
// -----
func.func private @f(vector<[4]xf32>)
// -----
func.func private @f(vector<2x[4]xi32>)
// -----
func.func private @f(vector<f32>)
// -----
func.func private @f(vector<4xi1>)
// -----
func.func private @f(memref<4xf32>)
// -----
func.func private @f(memref<?x4xf32>)
// -----
func.func private @f(memref<f32>)
// -----
func.func private @f(memref<*xf32>)
// -----
func.func private @f(memref<*xf32, 1>)
// -----
func.func private @f(memref<4xf32, 3>)
// -----
func.func private @f(memref<4xf32, #gpu.address_space<workgroup>>)
// -----
func.func private @f(memref<4x4xf32, strided<[4, 1]>>)
// -----
func.func private @f(memref<4x4xf32, strided<[4, 1], offset: 3>>)
// -----
func.func private @f(memref<4x4xf32, strided<[?, 1], offset: ?>, 3>)
// -----
func.func private @f(memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>)
// -----
func.func private @f(memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>, 3>)
// -----
func.func private @f(memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>>)
// -----
func.func private @f(memref<4x?xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>)
// -----
func.func private @f(memref<4xf32, "space">)
// -----
func.func private @f(memref<4xf32, 0>)
// -----
func.func private @f(memref<4xmemref<4xf32>>)
// -----
func.func private @f(memref<4xvector<4xf32>>)
// -----
func.func private @f(memref<4xindex>)
// -----
func.func private @f(memref<4xcomplex<f32>>)
// -----
func.func private @f(memref<0xf32>)
// -----
func.func private @f(tensor<4xf32>)
// -----
func.func private @f(tensor<?x4xf32>)
// -----
func.func private @f(tensor<*xf32>)
// -----
func.func private @f(tensor<f32>)
// -----
func.func private @f(tensor<4xf32, "enc">)
// -----
func.func private @f(tensor<4xindex>)
// -----
func.func private @f(tensor<4xcomplex<f64>>)
// -----
func.func private @f(complex<f32>)
// -----
func.func private @f(complex<i32>)
// -----
func.func private @f(tuple<>)
// -----
func.func private @f(tuple<i32>)
// -----
func.func private @f(tuple<i32, f32, tuple<i1>>)
// -----
func.func private @f(none)
// -----
func.func private @f(index)
// -----
func.func private @f(i1)
// -----
func.func private @f(i128)
// -----
func.func private @f(si32)
// -----
func.func private @f(ui8)
// -----
func.func private @f(i65535)
// -----
func.func private @f(f16)
// -----
func.func private @f(bf16)
// -----
func.func private @f(f32)
// -----
func.func private @f(f64)
// -----
func.func private @f(f80)
// -----
func.func private @f(f128)
// -----
func.func private @f(tf32)
// -----
func.func private @f(f8E4M3FN)
// -----
func.func private @f(f8E5M2)
// -----
func.func private @f(f8E4M3)
// -----
func.func private @f(f8E3M4)
// -----
func.func private @f(f8E4M3FNUZ)
// -----
func.func private @f(f8E5M2FNUZ)
// -----
func.func private @f(f8E4M3B11FNUZ)
// -----
func.func private @f(f8E8M0FNU)
// -----
func.func private @f(f4E2M1FN)
// -----
func.func private @f(f6E2M3FN)
// -----
func.func private @f(f6E3M2FN)
// -----
func.func private @f(() -> ())
// -----
func.func private @f((i32) -> i32)
// -----
func.func private @f((i32, f32) -> (i32, f32))
// -----
func.func private @f(() -> (() -> ()))
// -----
func.func private @f((() -> i32) -> ())
// -----
func.func private @f(!llvm.ptr)
// -----
func.func private @f(!llvm.ptr<3>)
// -----
func.func private @f(!llvm.struct<(i32, f32)>)
// -----
func.func private @f(!llvm.struct<packed (i8, i32)>)
// -----
func.func private @f(!llvm.struct<"name", (i32)>)
// -----
func.func private @f(!llvm.struct<"rec", (ptr, i32)>)
// -----
func.func private @f(!llvm.struct<()>)
// -----
func.func private @f(!llvm.array<4 x f32>)
// -----
func.func private @f(!llvm.array<4 x array<2 x i8>>)
// -----
func.func private @f(!llvm.func<i32 (i32, ptr)>)
// -----
func.func private @f(!llvm.func<void (...)>)
// -----
func.func private @f(!llvm.void)
// -----
func.func private @f(!llvm.byte<8>)
// -----
func.func private @f(vector<4x!llvm.ptr>)
// -----
func.func private @f(!gpu.async.token)
// -----
func.func private @f(!gpu.mma_matrix<16x16xf16, "AOp">)
// -----
func.func private @f(!gpu.sparse.dntensor_handle)
// -----
func.func private @f(!gpu.sparse.spmat_handle)
// -----
func.func private @f(!gpu.sparse.spgemmop_handle)
// -----
func.func private @f(!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>)
// -----
func.func private @f(!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>)
// -----
func.func private @f(!nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>)
// -----
func.func private @f(!nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>)
// -----
func.func private @f(!nvgpu.device.async.token)
// -----
func.func private @f(!nvgpu.mbarrier.token)
// -----
func.func private @f(vector<-1xf32>)
// -----
func.func private @f(vector<?xf32>)
// -----
func.func private @f(memref<4xf32, strided<[1, 2]>>)
// -----
func.func private @f(memref<4xf32, affine_map<(d0, d1) -> (d0)>>)
// -----
func.func private @f(memref<4xf32, -1>)
// -----
func.func private @f(i0)
// -----
func.func private @f(f33)
// -----
func.func private @f(!llvm.foo)
// -----
func.func private @f(vector<4xf32>>)
// -----
func.func private @f(vector<4 x 4xf32>)
// -----
func.func private @f(tensor<4xf32, affine_map<(d0) -> (d0)>>)
// -----
func.func private @f(memref<4xf32, strided<[]>>)
// -----
func.func private @f(memref<f32, strided<[]>>)
// -----
func.func private @f(memref<f32, strided<[], offset: 4>>)
// -----
func.func private @f(!llvm.vec<4 x f32>)
// -----
func.func private @f(!gpu.mma_matrix<16x16xf16, "XOp">)
// -----
func.func private @f(!gpu.mma_matrix<16xf16, "AOp">)
// -----
func.func private @f(!gpu.mma_matrix<16x16xi64, "AOp">)
// -----
func.func private @f(opaque<"foo", "bar">)
// -----
func.func private @f(memref<?x?xf32, strided<[?, ?]>>)
// -----
func.func private @f(!llvm.struct<"a b", (i8, struct<"q", (i32)>)>)
// -----
func.func private @f(vector<2x3x4xf32>)
// -----
func.func private @f(vector<4xindex>)
// -----
func.func private @f(vector<4xtf32>)
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 1} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = -1} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 1 : i8} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = true} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = false} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 1.0} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 1.5e10 : f32} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = -1.5 : f16} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 0x7F800000 : f32} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 0xFF : i8} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 123456789012345678901234567890 : i128} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 18446744073709551615 : ui64} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = -9223372036854775808} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 9223372036854775807} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 9223372036854775808} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 1 : index} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = "str"} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = "a\22b\5Cc\n\t\01"} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = "é"} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = @sym} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = @a::@b::@c} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = @"quoted sym"} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = @"a\22b"} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = unit} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = []} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = [1, 2.0, "x", i32, @f]} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = [1 : i32, true]} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = {}} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = {a = 1, b}} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = {"quoted key" = 1}} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = {b = 1, a = 2}} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = i32} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = vector<4xf32>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = (i32) -> i32} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = none} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = array<i32>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = array<i32: 1, 2>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = array<i1: true, false>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = array<i8: -1, 127>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = array<f32: 1.0, 2.5>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = array<f64: 0x7FF0000000000000>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = array<i64: 10>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<1> : tensor<4xi32>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<[1, 2]> : tensor<2xi32>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<1.0> : vector<4xf32>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<[1.0, 0x7F800000]> : vector<2xf32>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<(1.0, 2.0)> : tensor<complex<f32>>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i32>>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<true> : tensor<2xi1>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<[true, false]> : tensor<2xi1>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<"0x0100000002000000"> : tensor<2xi32>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<> : tensor<0xi32>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<[]> : tensor<0xi32>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<-1> : tensor<i8>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<255> : tensor<ui8>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<128> : tensor<2xi8>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<1.0> : tensor<2xbf16>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<1.0> : tensor<2xf8E4M3FN>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<0x7F> : tensor<2xf8E4M3FN>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense_resource<blob1> : tensor<3xi64>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = affine_map<(d0) -> (d0)>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = affine_map<() -> ()>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 * 2)>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = affine_set<(d0) : (d0 >= 0)>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = loc("x":1:2)} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = loc(unknown)} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = strided<[4, 1], offset: 3>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = strided<[1]>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.address_space<workgroup>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu<dim x>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.thread<x>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.block<linear_dim_2>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.mask<5>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.select_object<1>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.select_object<#nvvm.target>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.object<#nvvm.target, "abc">} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.object<#nvvm.target<chip = "sm_90">, bin = "abc">} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.object<#nvvm.target, offload = "abc">} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.object<#nvvm.target, assembly = "abc">} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.object<#nvvm.target, properties = {O = 3 : i32}, bin = "abc">} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.object<#nvvm.target, kernels = <[#gpu.kernel_metadata<"k", (i32) -> ()>]>, bin = "abc">} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.kernel_table<[#gpu.kernel_metadata<"k", (i32) -> ()>]>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.kernel_metadata<"k", (i32, f32) -> (), arg_attrs = [{}, {x.y}], metadata = {a = 1}>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.all_reduce_op<add>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu<all_reduce_op add>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu<shuffle_mode xor>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu<mma_element_wise addf>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #nvvm.target} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #nvvm.target<chip = "sm_90a", features = "+ptx80", O = 3>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #nvvm.target<chip = "sm_90", flags = {fast}, link = ["a"]>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #nvvm.mma_layout<row>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #nvvm<mma_layout row>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #nvvm.shfl_kind<bfly>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #arith.fastmath<fast>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #arith.fastmath<nnan,ninf>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #arith.overflow<nsw>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #arith.overflow<nsw, nuw>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.linkage<external>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.cconv<ccc>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.fastmath<fast>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.fastmath<nnan, ninf>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.overflow<nsw, nuw>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.framePointerKind<all>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.tailcallkind<none>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.zero} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.undef} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.poison} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.target_features<["+a", "+b"]>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.vscale_range<minRange = 1, maxRange = 16>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #vector.kind<add>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #vector<iterator_type parallel>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #vector<iterator_type<parallel>>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #vector.iterator_type<parallel>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #vector.punctuation<newline>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #ub.poison} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #index<cmp_predicate eq>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #nvgpu.tensormap_swizzle_kind<swizzle_128b>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #nvgpu.rcp_rounding_mode<approx>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.tbaa_root<id = "x">} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #llvm.access_group<id = distinct[0]<>>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 1.0 : i32} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 1 : f32} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 0x7F : f32} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = 300 : i8} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = -129 : i8} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = dense<[1, 2, 3]> : tensor<2xi32>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = affine_map<(d0) -> (d1)>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.foo} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #gpu.address_space<foo>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #dlti.dl_spec<i32 = dense<32> : vector<2xi64>>} : () -> ()
// -----
"builtin.module"() ({
^bb0:
}) {x.a = #dlti.dl_entry<"a", 1>} : () -> ()
// -----
func.func @f() -> tensor<4x4xf32> {
  %0 = arith.constant sparse<[[0, 0], [1, 2]], [1.0, 5.0]> : tensor<4x4xf32>
  %1 = arith.constant sparse<[[0, 0], [1, 2]], 1.0> : tensor<4x4xf32>
  %2 = arith.constant sparse<0, 1> : tensor<4xi32>
  %3 = arith.constant sparse<[], []> : tensor<4xi32>
  %4 = arith.constant sparse<[[0],[1]], [-1, 3]> : vector<4xi8>
  %5 = arith.constant sparse<[0,1], [1, 3]> : vector<4xi8>
  %6 = arith.constant sparse<[[0, 0], [1, 2]], [(1.0, 2.0), (5.0,0.0)]> : tensor<4x4xcomplex<f32>>
  %7 = arith.constant sparse<[[0, 0]], [1.0]> : tensor<4x4xf32>
  %8 = arith.constant sparse<[[0, 0], [0, 0]], [1.0, 1.0]> : tensor<4x4xf32>
  %9 = arith.constant sparse<[[0, 1], [2, 2]], 0x7fc00000> : tensor<4x4xf32>
  %10 = arith.constant sparse<> : tensor<4x4xf32>
  %11 = arith.constant sparse<[[1, 1], [2, 3]], [true, false]> : tensor<4x4xi1>
  return %0 : tensor<4x4xf32>
}
// -----
func.func @f() {
  %0 = arith.constant sparse<[[0, 0], [1, 5]], [1.0, 5.0]> : tensor<4x4xf32>
  return 
}
// -----
func.func @f() {
  %0 = arith.constant sparse<[[0, 0], [1, 3]], [1.0, 5.0, 6.0]> : tensor<4x4xf32>
  return 
}
// -----
func.func @f() {
  %0 = arith.constant sparse<[[0, 0, 0], [1, 3, 0]], [1.0, 5.0]> : tensor<4x4xf32>
  return 
}
// -----
func.func @f() {
  %0 = arith.constant sparse<0, 1> : tensor<4x2xi32>
  return 
}
// -----
func.func @f() {
  %0 = arith.constant sparse<[[0, 0], [1, 2]], [1.0, 5.0]> : tensor<4x?xf32>
  return 
}
// -----
func.func @f() {
  %0 = arith.constant 0x3FFF8000000000000000 : f80
  %1 = arith.constant 0x3FFF0000000000000000000000000000 : f128
  %2 = arith.constant dense<0x3FFF8000000000000000> : vector<4xf80>
  %3 = arith.constant 1.5 : f80
  %4 = arith.constant 0xFFFF8000000000000000 : f80
  %5 = llvm.mlir.constant(0xFFFF0000000000000000000000000000 : f128) : f128
  %7 = arith.constant dense<[1.0, -2.5]> : vector<2xf128>
  %8 = arith.constant 0x7FFFC000000000000000 : f80
  %10 = arith.constant dense<"0x0000000000000080FF3F0000000000000080FFBF"> : vector<2xf80>
  return 
}
