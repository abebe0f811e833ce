llvm.func @f() vscale_range(1, 16)
// -----
llvm.func @f(i32) -> i32 vscale_range(2, 4) attributes {dso_local}
// -----
llvm.func @f() vscale_range(2 4)
// -----
llvm.func @v(i32, ...) -> i32
llvm.func @p(...) -> i32
llvm.func @f(%x: i32) -> i32 attributes {personality = @p} {
  %r = llvm.invoke @v(%x) to ^bb1 unwind ^bb2 vararg(!llvm.func<i32 (i32, ...)>) : (i32) -> i32
^bb1:
  llvm.return %r : i32
^bb2:
  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>
  llvm.return %x : i32
}
// -----
llvm.func @p(...) -> i32
llvm.func @f(%p: !llvm.ptr, %x: i32) -> i32 attributes {personality = @p} {
  %n = llvm.mlir.zero : !llvm.ptr
  %a = llvm.mlir.undef : !llvm.array<1 x ptr>
  %r = llvm.invoke fastcc %p(%x, %x) to ^bb1(%x : i32) unwind ^bb2 {branch_weights = array<i32: 3, 4>, other = 5 : i32} : !llvm.ptr, (i32, i32) -> i32
^bb1(%y: i32):
  llvm.return %y : i32
^bb2:
  %l = llvm.landingpad (catch %n : !llvm.ptr) (filter %a : !llvm.array<1 x ptr>) : !llvm.struct<(ptr, i32)>
  llvm.return %x : i32
}
// -----
llvm.func @p(...) -> i32
llvm.func @f(%x: i32) -> i32 attributes {personality = @p} {
  %a = llvm.mlir.undef : !llvm.array<1 x ptr>
  %l = llvm.landingpad cleanup (filter %a : !llvm.array<1 x ptr>) : !llvm.struct<(ptr, i32)>
  llvm.return %x : i32
}
// -----
llvm.func @f(%x: i32) {
  %l = llvm.landingpad (filter %x : i32) : !llvm.struct<(ptr, i32)>
  llvm.return
}
// -----
llvm.func @f() {
  llvm.intr.ubsantrap <{failureKind = 1 : i8}>
  llvm.return
}
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>, swizzle = none>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>, l2promo = none, oob = zero, interleave = none>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>, interleave = none, l2promo = none, oob = zero, swizzle = none>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>, swizzle = none, swizzle = none>)
// -----
gpu.module @m {
  gpu.func @f() { }
}
// -----
func.func @f(%n: index) {
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %g = %n) threads(%h, %i, %j) in (%k = %n, %l = %n, %m = %n) { }
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: vector<[4]xi1>) {
  %0 = arith.cmpi eq, %a, %a : tensor<*xi32>
  %1 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (tensor<*xi32>, tensor<*xi32>) -> vector<[4]xi1>
  return
}
// -----
func.func @f(%a: vector<[4]xi32>) {
  %1 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (vector<[4]xi32>, vector<[4]xi32>) -> tensor<*xi1>
  return
}
// -----
func.func @f(%a: vector<[4]xi32>) {
  %1 = "arith.cmpi"(%a, %a) <{predicate = 0 : i64}> : (vector<[4]xi32>, vector<[4]xi32>) -> tensor<?xi1>
  return
}
// -----
func.func @f() {
  %0 = arith.constant 0.0 : f80
  %1 = arith.constant -0.0 : f128
  %2 = arith.constant dense<[0.0, -0.0, 1.5]> : tensor<3xf80>
  %3 = arith.constant dense<[0.0, -2.5]> : tensor<2xf128>
  return
}
// -----
func.func @f() attributes {t.a = dense<[1, -2, 300000000000000000000000]> : tensor<3xi128>, t.b = dense<-1> : tensor<2xi80>} {
  return
}
// -----
module attributes {t.a = dense<"0x0102030405"> : tensor<2xi16>} {}
// -----
module attributes {t.a = [dense<"0x0102030405"> : tensor<2xi16>]} {}
// -----
func.func @f() -> tensor<2xi16> {
  %0 = arith.constant dense<"0x01020304"> : tensor<2xi16>
  return %0 : tensor<2xi16>
}
// -----
func.func @f(%a: vector<4xf32>, %b: f32) {
  vector.print %a : vector<4xf32>
  vector.print %b : f32 punctuation <comma>
  vector.print punctuation <open>
  vector.print str "a"
  return
}
// -----
func.func @f() -> tensor<2xi16> {
  %0 = arith.constant dense<"0x0102030405"> : tensor<2xi16>
  return %0 : tensor<2xi16>
}
// -----
func.func @f() attributes {t.a = dense<"0x010203"> : tensor<2xi16>} { return }
// -----
func.func @f() attributes {t.a = dense<"0x01"> : tensor<2xi16>} { return }
// -----
func.func @f() attributes {t.a = dense<"0x0102"> : tensor<2xi16>} { return }
// -----
module attributes {t.a = dense<"0x010"> : tensor<2xi16>} {}
// -----
module attributes {t.a = dense<"010203"> : tensor<2xi16>} {}
// -----
module attributes {t.a = dense<"0x01"> : tensor<9xi1>} {}
// -----
module attributes {t.a = dense<"0x0102"> : tensor<9xi1>} {}
// -----
module attributes {t.a = dense<"0x0102030405060708"> : tensor<1xindex>} {}
// -----
module attributes {t.a = dense<"0x0000803F00000040"> : tensor<2xf32>} {}
// -----
module attributes {t.a = dense<"0x0000803F000000"> : tensor<2xf32>} {}
// -----
func.func private @f(!nvgpu.tensormap.descriptor<swizzle = none, tensor = memref<4xf32, 3>, l2promo = none, oob = zero, interleave = none>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>, interleave = none, l2promo = none, oob = zero, tensor = memref<4xf32>>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>, interleave = none, l2promo = none, oob = zero, swizzle = none, x = 3>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>, interleave = none, l2promo = none, oob = zero, swizzle = none, oob = zero>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>, foo = none>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<4xf32, 3>, oob = foo>)
// -----
module attributes {t.a = dense<"0xFF"> : tensor<9xi1>} {}
// -----
module attributes {t.a = dense<"0x00"> : tensor<9xi1>} {}
// -----
module attributes {t.a = dense<"0x01"> : tensor<8xi1>} {}
// -----
module attributes {t.a = dense<"0x85"> : tensor<8xi1>} {}
// -----
module attributes {t.a = dense<"0xFF01"> : tensor<9xi1>} {}
// -----
module attributes {t.a = dense<"0xFFFF"> : tensor<2x8xi1>} {}
// -----
module attributes {t.a = dense<"0x01"> : tensor<1xi1>} {}
// -----
module attributes {t.a = dense<"0x"> : tensor<0xi16>} {}
// -----
module attributes {t.a = dense<"0x00"> : tensor<0xi16>} {}
// -----
module attributes {t.a = dense<"0x"> : tensor<2xi16>} {}
// -----
module attributes {t.a = dense<"0x0102"> : tensor<2xi4>} {}
// -----
module attributes {t.a = dense<"0x010203040506"> : tensor<2xi24>} {}
// -----
module attributes {t.a = dense<"0xFFFFFF000080"> : tensor<2xi24>} {}
// -----
module attributes {t.a = dense<"0x010203"> : tensor<2xi24>} {}
// -----
module attributes {t.a = dense<"0x0102030405060708"> : tensor<2xi24>} {}
// -----
module attributes {t.a = dense<"0x000000000000000080FF3F"> : tensor<1xf80>} {}
// -----
module attributes {t.a = dense<"0x0000000000000080FF3F"> : tensor<1xf80>} {}
// -----
module attributes {t.a = dense<"0x0000803F"> : tensor<2xtf32>} {}
// -----
module attributes {t.a = dense<"0x000002"> : tensor<2xtf32>} {}
// -----
module attributes {t.a = dense<"0x38"> : tensor<2xf8E4M3FN>} {}
// -----
module attributes {t.a = dense<"0x0000803F00000040"> : tensor<2xcomplex<f32>>} {}
// -----
module attributes {t.a = dense<"0x0000803F"> : tensor<2xcomplex<f32>>} {}
// -----
module attributes {t.a = dense<"0x01020304"> : tensor<2xcomplex<i8>>} {}
// -----
module attributes {t.a = dense<"0x0102"> : tensor<2xsi8>} {}
// -----
module attributes {t.a = dense<"0xFE01"> : tensor<2xui8>} {}
// -----
module attributes {t.a = dense<"0xFE01"> : tensor<2xsi8>} {}
// -----
module attributes {t.a = dense<"0xFE01"> : tensor<2xi8>} {}
// -----
module attributes {t.a = dense<"0xFE01"> : vector<2x1xi8>} {}
// -----
module attributes {t.a = dense<"0xFE01"> : tensor<?xi8>} {}
// -----
module attributes {t.a = dense<"0xFE01"> : i8} {}
// -----
module attributes {t.a = dense<"0xFE01" : tensor<2xi8>} {}
// -----
module attributes {t.a = dense<"0xFE01">} {}
// -----
module attributes {t.a = dense<"0x0102030405060708090A0B0C0D0E0F10"> : tensor<1xi128>} {}
// -----
func.func @f() {
  %0 = arith.constant dense<"0x0102030405"> : tensor<2xi16>
  %1 = arith.constant dense<"0x01020304"> : vector<2xi16>
  return
}
// -----
func.func @f() {
  %1 = arith.constant dense<"0x0500"> : vector<3xi16>
  %2 = "arith.constant"() <{value = dense<"0x01020304"> : vector<2xi16>}> : () -> vector<2xi16>
  return
}
// -----
module attributes {t.a = dense<1> : i8} {}
// -----
module attributes {t.a = dense<[1]> : tensor<?xi8>} {}
// -----
module attributes {t.a = dense<1> : tensor<?xi8>} {}
// -----
module attributes {t.a = dense<1> : tensor<*xi8>} {}
// -----
module attributes {t.a = dense<1> : memref<2xi8>} {}
// -----
module attributes {t.a = dense<> : tensor<0xi8>} {}
// -----
module attributes {t.a = dense<1> : 3} {}
// -----
func.func @f() {
  %1 = arith.constant dense<5> : vector<[3]xi16>
  return
}
// -----
func.func @f() {
  %1 = arith.constant dense<[5, 6, 7]> : vector<[3]xi16>
  return
}
// -----
func.func @f() {
  %1 = arith.constant dense<[5, 6, 7]> : tensor<?xi16>
  return
}
// -----
func.func @f() {
  %1 = arith.constant dense<"0x05"> : i16
  return
}
// -----
module attributes {t.a = sparse<[1], 1> : i8} {}
// -----
module attributes {t.a = sparse<[1], 1> : tensor<*xi8>} {}
// -----
module attributes {t.a = sparse<[1], 1> : tensor<?xi8>} {}
// -----
module attributes {t.a = sparse<[[1]], 1> : memref<4xi8>} {}
// -----
module attributes {t.a = sparse<[[1]], 1> : vector<4xi8>} {}
// -----
module attributes {t.a = dense<1> : memref<*xi8>} {}
// -----
func.func @f(%a: vector<2xf16>, %b: i32, %d: f64) {
  %0 = nvvm.mma.sync A[%a, %a] B[%a] C[%a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  %1 = nvvm.mma.sync A[%d] B[%d] C[%d, %d] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
  return
}
// -----
func.func @f(%b: i32) {
  %0 = nvvm.mma.sync A[%b, %b] B[%b] C[%b, %b, %b, %b] {intOverflowBehavior = #nvvm.mma_int_overflow<wrapped>, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  return
}
// -----
func.func @f(%a: vector<2xf16>, %m: i32) {
  %0 = nvvm.mma.sp.sync A[%a, %a] B[%a, %a] C[%a, %a] sparseMetadata[%m] selector[%m] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
func.func @f(%a: vector<2xf16>, %m: i32) {
  %0 = nvvm.mma.sp.sync A[%a, %a] B[%a, %a] C[%a, %a] sparseMetadata[%m] selector[%m] {orderedMetadata, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
func.func @f(%a: vector<2xf16>, %b: i32) {
  %0 = nvvm.mma.sync A[%a, %a] B[%a] C[%b, %b] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, i32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
func.func @f(%a: vector<2xf16>, %b: f32) {
  %0 = nvvm.mma.sync A[%a, %a] B[%a] C[%b] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_70">] {
  func.func @f() { nvvm.wgmma.fence.aligned
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @f() { nvvm.wgmma.fence.aligned
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  func.func @f() { nvvm.wgmma.fence.aligned
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "foo">] {
  func.func @f() { nvvm.wgmma.fence.aligned
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  func.func @f() { nvvm.wgmma.fence.aligned
  return }
}
// -----
func.func @f(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %y = arith.addi %x, %x : i32
  cf.br ^b
^b:
  return %y : i32
}
// -----
func.func @f(%c: i1, %x: i32) -> i32 {
  %z = scf.if %c -> i32 {
    %y = arith.addi %x, %x : i32
    scf.yield %y : i32
  } else {
    scf.yield %y : i32
  }
  return %z : i32
}
// -----
func.func @f(%x: i32) -> i32 {
  cf.br ^b
^a:
  %y = arith.addi %x, %x : i32
  cf.br ^b
^b:
  return %y : i32
}
// -----
func.func @f(%x: i32) {
  %y = "test.op"() ({
    %k = arith.addi %x, %x : i32
    "test.use"(%k) : (i32) -> ()
  }) : () -> i32
  return
}
// -----
func.func @f(%x: i32) {
  "test.op"() ({
    "test.use"(%k) : (i32) -> ()
    "test.end"() : () -> ()
  }, {
    %k = arith.addi %x, %x : i32
    "test.end"() : () -> ()
  }) : () -> ()
  return
}
// -----
#a = loc("x.py":1:2)
#b = loc(callsite("f"(#a) at #a))
func.func @f() { return loc(#b) }
// -----
func.func @f(%x: vector<4xi32>, %y: vector<4xi32>) -> vector<4xi1> {
  %0 = arith.cmpi eq, %x, %x : vector<4xi32>
  return %0 : vector<4xi1>
}
// -----
func.func @f(%n: index, %m: memref<?xf32>) {
  scf.parallel (%i) = (%n) to (%n) step (%n) { scf.reduce }
  scf.for %i = %n to %n step %n { }
  scf.while : () -> () { %c = arith.constant true scf.condition(%c) } do { scf.yield }
  scf.forall (%i) in (3) { }
  return
}
// -----
func.func @f(%n: index) attributes { } { return }
// -----
func.func private @g() attributes {a.b}
// -----
llvm.mlir.global external constant @x(1 : i32) {addr_space = 3 : i32} : i32
// -----
llvm.mlir.global internal @x() : i32 { %0 = llvm.mlir.constant(1 : i32) : i32 llvm.return %0 : i32 }
// -----
gpu.module @m { gpu.func @k() kernel attributes {x.y = 1} { gpu.return } }
