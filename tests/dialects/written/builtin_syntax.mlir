func.func private @f(tensor<2x?xf32, #x.y>)
// -----
func.func private @f(tensor<4xf32, "a">)
// -----
func.func private @f(tensor<*xf32>)
// -----
func.func private @f(tensor<f32>)
// -----
func.func private @f(tensor<0xf32>)
// -----
func.func private @f(tensor<2x3xtuple<>>)
// -----
func.func private @f(tuple<i32, tuple<f32>>)
// -----
func.func private @f(vector<[4]xf32>)
// -----
func.func private @f(vector<2x[4]xf32>)
// -----
func.func private @f(vector<f32>)
// -----
func.func private @f(vector<0xf32>)
// -----
func.func private @f(vector<-1xf32>)
// -----
func.func private @f(vector<?xf32>)
// -----
func.func private @f(memref<4xf32, strided<[1]>>)
// -----
func.func private @f(memref<4x?xf32, strided<[?, 1], offset: ?>>)
// -----
func.func private @f(memref<4xf32, strided<[1], offset: 3>, 3>)
// -----
func.func private @f(memref<4xf32, strided<[1, 2]>>)
// -----
func.func private @f(memref<4xf32, affine_map<(d0) -> (d0)>>)
// -----
func.func private @f(memref<4xf32, affine_map<(d0) -> (d0 + 1)>, 1>)
// -----
func.func private @f(memref<4xf32, affine_map<(d0, d1) -> (d0)>>)
// -----
func.func private @f(memref<4xf32, #gpu.address_space<workgroup>>)
// -----
func.func private @f(memref<4xf32, 1 : i32>)
// -----
func.func private @f(memref<4xf32, "x">)
// -----
func.func private @f(memref<*xf32, 3>)
// -----
func.func private @f(memref<?x?xmemref<4xf32>>)
// -----
func.func private @f(memref<4xtensor<4xf32>>)
// -----
func.func private @f(memref<4x!llvm.ptr>)
// -----
func.func private @f(complex<i32>)
// -----
func.func private @f(complex<index>)
// -----
func.func private @f(complex<tensor<4xf32>>)
// -----
func.func private @f((i32) -> i32)
// -----
func.func private @f((i32, f32) -> ())
// -----
func.func private @f(() -> (i32, f32))
// -----
func.func private @f((() -> ()) -> (() -> ()))
// -----
func.func private @f(none)
// -----
func.func private @f(index)
// -----
func.func private @f(si8)
// -----
func.func private @f(ui1)
// -----
func.func private @f(i0)
// -----
func.func private @f(i16777215)
// -----
func.func private @f(i16777216)
// -----
func.func private @f(f8E4M3FNUZ)
// -----
func.func private @f(f6E2M3FN)
// -----
func.func private @f(f4E2M1FN)
// -----
func.func private @f(f8E8M0FNU)
// -----
func.func private @f(tf32)
// -----
func.func private @f(bf16)
// -----
func.func private @f(f24)
// -----
func.func private @f(!llvm.ptr<3>)
// -----
func.func private @f(!llvm.ptr<-1>)
// -----
func.func private @f(!llvm.struct<(i32, f32)>)
// -----
func.func private @f(!llvm.struct<packed (i32)>)
// -----
func.func private @f(!llvm.struct<"a", (ptr)>)
// -----
func.func private @f(!llvm.struct<"a", opaque>)
// -----
func.func private @f(!llvm.array<4 x i32>)
// -----
func.func private @f(!llvm.array<0 x vector<4xi32>>)
// -----
func.func private @f(!llvm.func<void (i32, ...)>)
// -----
func.func private @f(!llvm.func<i32 ()>)
// -----
func.func private @f(!llvm.vec<4 x ptr>)
// -----
func.func private @f(!llvm.label)
// -----
func.func private @f(!llvm.token)
// -----
func.func private @f(!llvm.target<"spirv.Image", i32, 0>)
// -----
func.func private @f(!gpu.async.token)
// -----
func.func private @f(!gpu.mma_matrix<16x16xf16, "AOp">)
// -----
func.func private @f(!gpu.mma_matrix<16xf16, "AOp">)
// -----
func.func private @f(!gpu.mma_matrix<16x16xf16, "XOp">)
// -----
func.func private @f(!gpu.mma_matrix<16x16xi64, "AOp">)
// -----
func.func private @f(!nvgpu.mbarrier.group<memorySpace = 3, num_barriers = 4>)
// -----
func.func private @f(!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>)
// -----
func.func private @f(!nvgpu.warpgroup.descriptor<tensor = memref<4xf32>>)
// -----
func.func private @f(!nvgpu.warpgroup.accumulator<fragmented = vector<64x8xf32>>)
// -----
func.func private @f(!nvgpu.warpgroup.accumulator<fragmented = tensor<64x8xf32>>)
// -----
func.func private @f(!nvgpu.warpgroup.descriptor<tensor = i32>)
// -----
func.func private @f(!nvgpu.mbarrier.group<num_barriers = 4>)
// -----
func.func private @f(!async.token)
// -----
func.func private @f(!async.value<i32>)
// -----
func.func private @f(!async.value<tensor<4xf32>>)
// -----
func.func private @f(!ptr.ptr<#ptr.generic_space>)
// -----
"x.y"() {a = 1.5 : f16} : () -> ()
// -----
"x.y"() {a = 1.5 : tf32} : () -> ()
// -----
"x.y"() {a = 0x7E00 : f16} : () -> ()
// -----
"x.y"() {a = 0x1FFFF : f16} : () -> ()
// -----
"x.y"() {a = -0x7E00 : f16} : () -> ()
// -----
"x.y"() {a = 1e400 : f64} : () -> ()
// -----
"x.y"() {a = 1e40 : f32} : () -> ()
// -----
"x.y"() {a = 1 : f32} : () -> ()
// -----
"x.y"() {a = 300 : i8} : () -> ()
// -----
"x.y"() {a = -129 : i8} : () -> ()
// -----
"x.y"() {a = 255 : i8} : () -> ()
// -----
"x.y"() {a = -1 : ui8} : () -> ()
// -----
"x.y"() {a = 128 : si8} : () -> ()
// -----
"x.y"() {a = true} : () -> ()
// -----
"x.y"() {a = true : i32} : () -> ()
// -----
"x.y"() {a = false : i1} : () -> ()
// -----
"x.y"() {a = 1 : index} : () -> ()
// -----
"x.y"() {a = -1 : index} : () -> ()
// -----
"x.y"() {a = 18446744073709551615 : index} : () -> ()
// -----
"x.y"() {a = 18446744073709551616 : index} : () -> ()
// -----
"x.y"() {a = "\ff"} : () -> ()
// -----
"x.y"() {a = "a\q"} : () -> ()
// -----
"x.y"() {a = @a::@b} : () -> ()
// -----
"x.y"() {a = @"a b"::@c} : () -> ()
// -----
"x.y"() {a = [1, 2 : i32, "x", [], unit]} : () -> ()
// -----
"x.y"() {a = {a = 1, b, "c d" = 2.0 : f32}} : () -> ()
// -----
"x.y"() {a = {a = 1, a = 2}} : () -> ()
// -----
"x.y"() {a = array<i32: 1, 2>} : () -> ()
// -----
"x.y"() {a = array<i32>} : () -> ()
// -----
"x.y"() {a = array<i1: true, false>} : () -> ()
// -----
"x.y"() {a = array<i8: 300>} : () -> ()
// -----
"x.y"() {a = array<f32: 1.0, 2.0>} : () -> ()
// -----
"x.y"() {a = array<f16: 1.0>} : () -> ()
// -----
"x.y"() {a = array<i4: 1>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 mod 2, d0 floordiv 3, d1 ceildiv 4)>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0) -> (d0 * d0)>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0) -> (d0 mod 0)>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0) -> (-d0 * 2 - 3)>} : () -> ()
// -----
"x.y"() {a = affine_map<() -> ()>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0) -> (d1)>} : () -> ()
// -----
"x.y"() {a = affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 == 1)>} : () -> ()
// -----
"x.y"() {a = affine_set<(d0) : ()>} : () -> ()
// -----
"x.y"() {a = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>} : () -> ()
// -----
"x.y"() {a = dense<[[1, 2], [3]]> : tensor<2x2xi32>} : () -> ()
// -----
"x.y"() {a = dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>} : () -> ()
// -----
"x.y"() {a = dense<(1, 2)> : tensor<2xcomplex<i32>>} : () -> ()
// -----
"x.y"() {a = dense<true> : tensor<2xi1>} : () -> ()
// -----
"x.y"() {a = dense<[true, 0]> : tensor<2xi1>} : () -> ()
// -----
"x.y"() {a = dense<1.0> : tensor<2xi32>} : () -> ()
// -----
"x.y"() {a = dense<0x7F800000> : tensor<2xf32>} : () -> ()
// -----
"x.y"() {a = dense<[0x7F800000, 1.0]> : tensor<2xf32>} : () -> ()
// -----
"x.y"() {a = dense<0xFF> : tensor<2xi8>} : () -> ()
// -----
"x.y"() {a = dense<-0x1> : tensor<2xi8>} : () -> ()
// -----
"x.y"() {a = dense_resource<k> : tensor<2xi32>} : () -> ()
// -----
"x.y"() {a = opaque<"x", "0x12"> : tensor<2xi8>} : () -> ()
// -----
"x.y"() {a = strided<[1, ?], offset: 2>} : () -> ()
// -----
"x.y"() {a = loc("a.py":1:2)} : () -> ()
// -----
"x.y"() {a = loc(unknown)} : () -> ()
// -----
"x.y"() {a = loc(fused["x", "y"])} : () -> ()
// -----
"x.y"() {a = loc(callsite("a" at "b"))} : () -> ()
// -----
"x.y"() {a = #gpu.address_space<global>} : () -> ()
// -----
"x.y"() {a = #gpu<address_space workgroup>} : () -> ()
// -----
"x.y"() {a = #nvvm.mem_scope<gpu>} : () -> ()
// -----
"x.y"() {a = #llvm.linkage<internal>} : () -> ()
// -----
"x.y"() {a = #arith.fastmath<nnan,ninf>} : () -> ()
// -----
"x.y"() {a = #arith.fastmath<fast>} : () -> ()
// -----
"x.y"() {a = #arith.overflow<nsw, nuw>} : () -> ()
// -----
"x.y"() {a = #vector.kind<minui>} : () -> ()
// -----
"x.y"() {a = #x.y<foo>} : () -> ()
// -----
"x.y"() {a = #x<"foo">} : () -> ()
// -----
"x.y"() {a = i32} : () -> ()
// -----
"x.y"() {a = (i32) -> i32} : () -> ()
// -----
"x.y"() {a = tensor<4xf32>} : () -> ()
// -----
"x.y"() {a = vector<4xi32>} : () -> ()
// -----
"x.y"() {a = - 1 : i32} : () -> ()
// -----
"x.y"() {a = +1} : () -> ()
// -----
"x.y"() {a = 1 :} : () -> ()
// -----
"x.y"() {a = 0b1 : i32} : () -> ()
// -----
"x.y"() {a = 0x10 : i64} : () -> ()
// -----
"x.y"() {a = 0xFFFFFFFFFFFFFFFFF : i64} : () -> ()
// -----
"x.y"() {a = 1.} : () -> ()
// -----
"x.y"() {a = .5} : () -> ()
// -----
"x.y"() {a = 1.5e} : () -> ()
// -----
"x.y"() {a = 1e5} : () -> ()
// -----
"x.y"() {a = inf} : () -> ()
// -----
"x.y"() {a = nan : f32} : () -> ()
// -----
func.func private @f(!nvgpu.mbarrier.group<num_barriers = 4, memorySpace = 3>)
// -----
func.func private @f(!nvgpu.mbarrier.group<memorySpace = 3, memorySpace = 4>)
// -----
func.func private @f(!nvgpu.mbarrier.group<foo = 3>)
// -----
func.func private @f(!nvgpu.mbarrier.group<>)
// -----
func.func private @f(!nvgpu.mbarrier.group<memorySpace = 3,>)
// -----
func.func private @f(!nvgpu.mbarrier.group<memorySpace = 3, num_barriers = 4, foo = 5>)
// -----
func.func private @f(!nvgpu.mbarrier.group<memorySpace = 3, num_barriers = 1>)
// -----
func.func private @f(!nvgpu.warpgroup.accumulator<fragmented = i32>)
// -----
func.func private @f(!nvgpu.warpgroup.accumulator<fragment = i32>)
// -----
func.func private @f(!nvgpu.warpgroup.accumulator<fragmented = vector<4xf32>, fragmented = vector<4xf32>>)
// -----
func.func private @f(!nvgpu.warpgroup.descriptor<tensor = memref<4xf32>, x = 3>)
// -----
func.func private @f(!nvgpu.warpgroup.descriptor<>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = vector<4xf32>, swizzle = none, l2promo = none, oob = zero, interleave = none>)
// -----
func.func private @f(complex<complex<f32>>)
// -----
func.func private @f(complex<>)
// -----
"x.y"() {a = 9223372036854775807 : index} : () -> ()
// -----
"x.y"() {a = 9223372036854775808 : index} : () -> ()
// -----
"x.y"() {a = -9223372036854775808 : index} : () -> ()
// -----
"x.y"() {a = -9223372036854775809 : index} : () -> ()
// -----
"x.y"() {a = 9223372036854775807} : () -> ()
// -----
"x.y"() {a = 9223372036854775808} : () -> ()
// -----
"x.y"() {a = 18446744073709551615} : () -> ()
// -----
"x.y"() {a = 18446744073709551616} : () -> ()
// -----
"x.y"() {a = -9223372036854775808} : () -> ()
// -----
"x.y"() {a = -9223372036854775809} : () -> ()
// -----
"x.y"() {a = 18446744073709551615 : i64} : () -> ()
// -----
"x.y"() {a = 18446744073709551616 : i64} : () -> ()
// -----
"x.y"() {a = 18446744073709551615 : ui64} : () -> ()
// -----
"x.y"() {a = 9223372036854775808 : si64} : () -> ()
// -----
"x.y"() {a = array<i8: -129>} : () -> ()
// -----
"x.y"() {a = array<i8: -128, 255>} : () -> ()
// -----
"x.y"() {a = array<i8: 256>} : () -> ()
// -----
"x.y"() {a = array<i16: 65536>} : () -> ()
// -----
"x.y"() {a = array<i64: 9223372036854775808>} : () -> ()
// -----
"x.y"() {a = array<i64: 18446744073709551616>} : () -> ()
// -----
"x.y"() {a = array<i1: 2>} : () -> ()
// -----
"x.y"() {a = array<i1: 1>} : () -> ()
// -----
"x.y"() {a = array<i1: -1>} : () -> ()
// -----
"x.y"() {a = array<i32: 1.0>} : () -> ()
// -----
"x.y"() {a = array<f32: 1>} : () -> ()
// -----
"x.y"() {a = array<f32: 0x7F800000>} : () -> ()
// -----
"x.y"() {a = array<si8: 3>} : () -> ()
// -----
"x.y"() {a = array<ui8: 200>} : () -> ()
// -----
"x.y"() {a = array<f80: 1.0>} : () -> ()
// -----
"x.y"() {a = array<i32: 1,>} : () -> ()
// -----
"x.y"() {a = array<i32 1>} : () -> ()
// -----
"x.y"() {a = "a\n\t\"\\"} : () -> ()
// -----
"x.y"() {a = "a\2"} : () -> ()
// -----
"x.y"() {a = "a\zz} : () -> ()
// -----
"x.y"() {a = "a} : () -> ()
// -----
"x.y"() {a = "abc\} : () -> ()
// -----
"x.y"() {a = {a = 1, b = 2, a}} : () -> ()
// -----
"x.y"() {a = {a, "a"}} : () -> ()
// -----
"x.y"() {a = {"x y" = 1, "x y" = 3}} : () -> ()
// -----
"x.y"() {a = [[1], {a, a}]} : () -> ()
// -----
"x.y"() {a = ..5} : () -> ()
// -----
"x.y"() {a = .} : () -> ()
// -----
"x.y"() {a = ...} : () -> ()
// -----
"x.y"() {a = dense<[[1, 2], [3], [4, 5]]> : tensor<2x2xi32>} : () -> ()
// -----
"x.y"() {a = dense<[[1, 2], 3]> : tensor<2x2xi32>} : () -> ()
// -----
"x.y"() {a = dense<[1, [3]]> : tensor<2x2xi32>} : () -> ()
// -----
"x.y"() {a = dense<[[[1]], [[2, 3]]]> : tensor<2x2xi32>} : () -> ()
// -----
"x.y"() {a = dense<[]> : tensor<0xi32>} : () -> ()
// -----
"x.y"() {a = dense<[[]]> : tensor<1x0xi32>} : () -> ()
// -----
"x.y"() {a = dense<[[], [1]]> : tensor<1x0xi32>} : () -> ()
// -----
"x.y"() {a = opaque<"x", "0x12">} : () -> ()
// -----
"x.y"() {a = opaque} : () -> ()
// -----
"x.y"() {a = dense} : () -> ()
// -----
"x.y"() {a = dense<} : () -> ()
// -----
"x.y"() {a = affine_map<(d0) -> (d0 + 9223372036854775807)>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0, d0) -> (d0)>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0)[d0] -> (d0)>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0) -> (d0 + d0 * 2 + 3 - 1)>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0)[s0, s1] -> ((d0 + s0) * s1, d0 * s0 floordiv 4)>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0) -> (d0 floordiv d0)>} : () -> ()
// -----
"x.y"() {a = affine_map<(d0) -> (d0 floordiv 0, 5 mod 3, 7 ceildiv 2, -7 floordiv 2, -7 mod 3)>} : () -> ()
// -----
"x.y"() {a = affine_set<(d0) : (d0 - 1 >= 0, 0 == 0)>} : () -> ()
// -----
"x.y"() {a = affine_set<(d0) : (1 == 0)>} : () -> ()
// -----
func.func private @f() attributes {a = 1, a = 2}
// -----
func.func @f() { "x.y"() {a, a} : () -> () return }
// -----
func.func @f() { "x.y"() <{a = 1, a = 2}> : () -> () return }
// -----
module attributes {x.a, x.b = 3, x.a = 2} {}
// -----
"x.y"() : () -> (i32, )
// -----
"x.y"() : () -> 
// -----
%0 = "x.y"() : () -> ()
// -----
%0:2 = "x.y"() : () -> (i32)
// -----
%0, %0 = "x.y"() : () -> (i32, i32)
// -----
"x.y"(%0) : (i32) -> ()
// -----
^bb0: "x.y"() : () -> ()
// -----
"x.y"() ({^bb0(%a: i32): "x.z"(%a) : (f32) -> ()}) : () -> ()
// -----
"x.y"() ({^bb0: "x.z"()[^bb1, ^bb0] : () -> () ^bb1: "x.w"() : () -> ()}, {}) {a = unit} : () -> ()
// -----
func.func @f(%a: i32, %a: i32) { return }
// -----
func.func @f(%a: i32, i32)
// -----
func.func @f(i32, %a: i32) { return }
// -----
func.func @f() -> (i32, f32 {x.y = 1}) { "x.y"() : () -> () }
// -----
func.func private @f(...) 
// -----
#a = 3 : i32 module attributes {x.y = #a} {}
// -----
!t = i32 func.func private @f(!t)
// -----
"x.y"() {a = array<ui8: -1>} : () -> ()
// -----
"x.y"() {a = array<si8: 200>} : () -> ()
// -----
"x.y"() {a = array<si8: -128>} : () -> ()
// -----
"x.y"() {a = array<i8: true>} : () -> ()
// -----
"x.y"() {a = array<f32: true>} : () -> ()
// -----
"x.y"() {a = array<f32: -1.0>} : () -> ()
// -----
"x.y"() {a = array<f32: x>} : () -> ()
// -----
"x.y"() {a = array<i32: x>} : () -> ()
// -----
"x.y"() {a = array<>} : () -> ()
// -----
"x.y"() {a = array<x>} : () -> ()
// -----
"x.y"() {a = array<i32:>} : () -> ()
// -----
"x.y"() {a = array<i1: true,>} : () -> ()
// -----
"x.y"() {a = array<f32: 1.0,>} : () -> ()
// -----
"x.y"() {a = array<f32: -1>} : () -> ()
// -----
"x.y"() {a = array<f32: -0x1>} : () -> ()
// -----
"x.y"() {a = array<f16: 0x1FFFF>} : () -> ()
// -----
"x.y"() {a = array<i64: 0x10>} : () -> ()
// -----
"x.y"() {a = array<i8: - 3>} : () -> ()
// -----
"x.y"() {a = array<i32: 1 2>} : () -> ()
// -----
"x.y"() {a = array<tensor<4xf32>: 1>} : () -> ()
// -----
"x.y"() {a = array<none: 1>} : () -> ()
// -----
"x.y"() {a = array<i1>} : () -> ()
// -----
"x.y"() {a = opaque<"x">} : () -> ()
// -----
"x.y"() {a = "a} : () -> ()
"x.z"() : () -> ()
// -----
"x.y() : () -> ()
// -----
func.func @"f() { return }
// -----
func.func @f() { "x.y
// -----
func.func private @f(complex<f32)
// -----
func.func private @f(complex<i8>)
// -----
"x.y"() {a = array<ui8: -1, 255>} : () -> ()
// -----
"x.y"() {a = array<ui8: 256>} : () -> ()
// -----
func.func @f() {
  vector.print str "x" punctuation <newline>
  return
}
// -----
"x.y"() {a = "\22\5C\09 \e9"} : () -> ()
// -----
func.func @f() {
  vector.print str "x" punctuation <no_punctuation>
  return
}
// -----
func.func @f() {
  vector.print str "x" punctuation <comma>
  return
}
// -----
func.func @f(%a: f32) {
  "vector.print"(%a) <{stringLiteral = "x"}> : (f32) -> ()
  return
}
// -----
func.func @f(%a: f32) {
  "vector.print"() <{stringLiteral = "x", punctuation = #vector.punctuation<newline>}> : () -> ()
  "vector.print"() <{stringLiteral = "x", punctuation = #vector.punctuation<open>}> : () -> ()
  return
}
