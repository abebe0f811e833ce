func.func @a(%m: memref<4xf32>, %i: index, %f: f32) -> f32 {
  %r = memref.alloca_scope -> (f32) {
    %x = memref.load %m[%i] : memref<4xf32>
    memref.alloca_scope.return %x : f32
  }
  memref.alloca_scope {
    %b = memref.alloca() : memref<4xf32>
  } {note}
  memref.alloca_scope {
    memref.alloca_scope.return
  }
  %q:2 = memref.alloca_scope -> (f32, index) {
    memref.alloca_scope.return %f, %i : f32, index
  }
  return %r : f32
}
// -----
func.func @b(%m: memref<4xf32>, %i: index, %f: f32) {
  %r = memref.alloca_scope -> f32 {
    memref.alloca_scope.return %i : index
  }
  return
}
// -----
func.func @c(%a: i1) {
  cf.cond_br %a weights([3, 4]), ^bb3, ^bb3 {note}
^bb3:
  return
}
// -----
func.func @d(%v: vector<4xf32>, %f: f32, %i: i32) {
  vector.print %v : vector<4xf32>
  vector.print %f : f32
  vector.print punctuation <comma>
  vector.print str "hello"
  vector.print %i : i32 punctuation <no_punctuation>
  vector.print
  return
}
// -----
gpu.module @m attributes {dlti.dl_spec = #dlti.dl_spec<index = 32>} {
  gpu.func @k() kernel attributes {nvvm.maxntid = array<i32: 32>, gpu.known_block_size = array<i32: 1, 2, 3>} {
    gpu.return
  }
  llvm.func @l() attributes {gpu.kernel, nvvm.kernel}
  memref.global "private" @g : memref<4xf32, 3>
  memref.global constant @h : memref<4xf32> = dense<1.0> {alignment = 64}
  llvm.mlir.global internal @s() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal constant @t("abc\00") : !llvm.array<4 x i8>
  llvm.mlir.global external @u() : i32
  llvm.mlir.global private @v() : i32 {
    %c = llvm.mlir.constant(1 : i32) : i32
    llvm.return %c : i32
  }
}
// -----
func.func @many(%a: i32, %b: i32) {
  %0 = arith.constant 0 : i32
  %c0 = arith.constant 0 : i32
  %1 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %t = arith.constant true
  %true = arith.constant true
  %cst = arith.constant 1.0 : f32
  %cst_1 = arith.constant dense<1.0> : vector<4xf32>
  %x:2 = arith.mulsi_extended %a, %b : i32
  %y = arith.addi %x#0, %x#1 : i32
  scf.if %t {
    %z = arith.constant 0 : i32
    %z1 = arith.constant 2.0 : f32
    %w:2 = arith.mului_extended %y, %z : i32
  } else {
    %z = arith.constant 0 : i32
  }
  %u = arith.constant 7 : i32
  return
}
// -----
func.func @complex(%c: complex<f32>) -> complex<f32> {
  return %c : complex<f32>
}
// -----
func.func @strings() attributes {a = "tab\09quote\22back\5Cnl\0Aé", b = "\t\n\"\\", c = "\FF\00"} {
  return
}
// -----
func.func private @syms() attributes {a = @"needs quotes", b = @a::@"x y"::@z, c = @_ok, d = @"1num"}
// -----
#m = affine_map<(d0) -> (d0 * 2)>
#s = affine_set<(d0) : (d0 >= 0)>
!t = vector<4xf32>
#a = {b = 1}
func.func @aliases(%a: !t, %i: index) attributes {x.y = #a} {
  %0 = affine.apply #m(%i)
  affine.if #s(%i) {
  }
  return
}
