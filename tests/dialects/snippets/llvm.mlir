module {
llvm.mlir.global internal @sh() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x f16>
llvm.mlir.global external @dyn() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
llvm.mlir.global private constant @str("hi\00") : !llvm.array<3 x i8>
llvm.mlir.global @c(1.0 : f32) : f32
llvm.func @ext(i32) -> i32
llvm.func @k(%p: !llvm.ptr<1>, %n: i32, %f: f32, %v: vector<4xf32>, %l: i64, %c: i1, %pb : !llvm.ptr {llvm.byval = i32, nvvm.grid_constant}) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>} {
  %s = llvm.mlir.addressof @sh : !llvm.ptr<3>
  %g = llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr
  %e = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %e2 = llvm.getelementptr inbounds %s[0, 3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, !llvm.array<64 x f16>
  %ld = llvm.load %e : !llvm.ptr<1> -> f32
  %ld2 = llvm.load %e invariant {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
  %ld3 = llvm.load volatile %e atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> f32
  llvm.store %ld, %e : f32, !llvm.ptr<1>
  llvm.store %ld2, %e {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
  llvm.store volatile %ld, %e {nontemporal} : f32, !llvm.ptr<1>
  %u = llvm.mlir.undef : !llvm.struct<(f32, i32)>
  %po = llvm.mlir.poison : vector<2xf16>
  %z = llvm.mlir.zero : !llvm.ptr
  %cst = llvm.mlir.constant(3 : i32) : i32
  %cstf = llvm.mlir.constant(1.000000e+00 : f32) : f32
  %cv = llvm.mlir.constant(dense<0.0> : vector<4xf32>) : vector<4xf32>
  %cidx = llvm.mlir.constant(3 : index) : i64
  %iv = llvm.insertvalue %f, %u[0] : !llvm.struct<(f32, i32)>
  %ev = llvm.extractvalue %iv[1] : !llvm.struct<(f32, i32)>
  %ee = llvm.extractelement %v[%n : i32] : vector<4xf32>
  %ie = llvm.insertelement %f, %v[%n : i32] : vector<4xf32>
  %sv = llvm.shufflevector %v, %v [0, 1] : vector<4xf32>
  %asm = llvm.inline_asm has_side_effects asm_dialect = att "mov.b32 $0, $1;", "=r,r" %n : (i32) -> i32
  %asm2 = llvm.inline_asm "mov.b32 $0, $1;", "=r,r" %n : (i32) -> i32
  llvm.inline_asm has_side_effects "bar.sync 0;", "" : () -> ()
  %a0 = llvm.add %n, %n : i32
  %a1 = llvm.add %n, %n overflow<nsw, nuw> : i32
  %a2 = llvm.or disjoint %n, %n : i32
  %a3 = llvm.lshr exact %n, %n : i32
  %a4 = llvm.shl %n, %n : i32
  %a5 = llvm.icmp "slt" %n, %n : i32
  %a6 = llvm.fcmp "olt" %f, %f : f32
  %a7 = llvm.select %c, %n, %n : i1, i32
  %a8 = llvm.zext %n : i32 to i64
  %a9 = llvm.sext %n : i32 to i64
  %a10 = llvm.trunc %l : i64 to i32
  %a11 = llvm.sitofp %n : i32 to f32
  %a12 = llvm.uitofp %n : i32 to f32
  %a13 = llvm.fptosi %f : f32 to i32
  %a14 = llvm.fptoui %f : f32 to i32
  %a15 = llvm.fpext %f : f32 to f64
  %a16 = llvm.fptrunc %f : f32 to f16
  %a17 = llvm.bitcast %f : f32 to i32
  %a18 = llvm.ptrtoint %p : !llvm.ptr<1> to i64
  %a19 = llvm.inttoptr %l : i64 to !llvm.ptr
  %a20 = llvm.fadd %f, %f : f32
  %a21 = llvm.fmul %f, %f {fastmathFlags = #llvm.fastmath<contract>} : f32
  %a22 = llvm.fneg %f : f32
  %a23 = llvm.intr.fma(%f, %f, %f) : (f32, f32, f32) -> f32
  %a24 = llvm.intr.fmuladd(%f, %f, %f) : (f32, f32, f32) -> f32
  %a25 = llvm.intr.maxnum(%f, %f) : (f32, f32) -> f32
  %a26 = llvm.intr.fabs(%f) : (f32) -> f32
  %a27 = llvm.intr.exp2(%f) : (f32) -> f32
  %a28 = llvm.intr.smax(%n, %n) : (i32, i32) -> i32
  %a29 = llvm.intr.umin(%n, %n) : (i32, i32) -> i32
  %a30 = llvm.freeze %n : i32
  %a31 = llvm.alloca %n x i32 {alignment = 4 : i64} : (i32) -> !llvm.ptr
  %a32 = llvm.atomicrmw add %p, %n monotonic : !llvm.ptr<1>, i32
  %a33 = llvm.atomicrmw fadd %p, %f syncscope("agent") acq_rel : !llvm.ptr<1>, f32
  %a34 = llvm.cmpxchg %p, %n, %n acq_rel monotonic : !llvm.ptr<1>, i32
  llvm.fence syncscope("block") seq_cst
  %cl = llvm.call @ext(%n) : (i32) -> i32
  llvm.cond_br %c, ^bb1, ^bb2(%n : i32)
^bb1:
  llvm.br ^bb3
^bb2(%x: i32):
  llvm.br ^bb3
^bb3:
  llvm.return
}
llvm.func @ret(%n : i32) -> i32 { llvm.return %n : i32 }
llvm.func @un() { llvm.unreachable }
llvm.func internal fastcc @int(%a: i32) -> (i32 {llvm.zeroext}) { llvm.return %a : i32 }
}
