func.func @f(%v: vector<4xf16>, %f: f32, %vf: vector<4xf32>, %i: i32, %vi: vector<4xi32>, %x: index, %c: i1, %vc: vector<4xi1>, %h: f16, %l: i64, %b8: i8, %vx : vector<4xindex>, %d : f64, %bf: bf16) {
  %0 = arith.extf %v : vector<4xf16> to vector<4xf32>
  %1 = arith.truncf %vf : vector<4xf32> to vector<4xf16>
  %2 = arith.truncf %f to_nearest_even : f32 to f16
  %3 = arith.sitofp %vi : vector<4xi32> to vector<4xf32>
  %4 = arith.fptosi %vf : vector<4xf32> to vector<4xi32>
  %5 = arith.cmpf olt, %vf, %vf : vector<4xf32>
  %6 = arith.select %c, %vf, %vf : vector<4xf32>
  %7 = arith.select %vc, %vf, %vf : vector<4xi1>, vector<4xf32>
  %8 = arith.trunci %vi : vector<4xi32> to vector<4xi8>
  %9 = arith.extsi %i : i32 to i64
  %10 = arith.bitcast %f : f32 to i32
  %11 = arith.bitcast %vf : vector<4xf32> to vector<4xi32>
  %12 = arith.index_cast %vi : vector<4xi32> to vector<4xindex>
  %13 = arith.maxnumf %f, %f fastmath<fast> : f32
  %14 = arith.addf %vf, %vf fastmath<contract,nnan> : vector<4xf32>
  %15 = arith.addi %i, %i overflow<nsw> : i32
  %16 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %17 = arith.constant 0x7F800000 : f32
  %18 = arith.constant -1.5e-3 : f32
  %19 = arith.constant dense<-1> : vector<4xi32>
  %20 = arith.constant -7 : i64
  %21 = arith.constant false
  %22 = arith.constant dense<true> : vector<4xi1>
  %23 = arith.uitofp %i : i32 to f32
  %24 = arith.fptoui %f : f32 to i32
  %25 = arith.minimumf %vf, %vf : vector<4xf32>
  %26 = arith.negf %vf : vector<4xf32>
  %27 = arith.shrui %i, %i : i32
  %28 = arith.shli %vi, %vi : vector<4xi32>
  %29 = arith.cmpi ult, %x, %x : index
  %30 = arith.cmpi eq, %vi, %vi : vector<4xi32>
  %31 = arith.ceildivui %x, %x : index
  %32 = arith.floordivsi %x, %x : index
  %33 = arith.remui %x, %x : index
  %q34, %q34h = arith.mulsi_extended %i, %i : i32
  %s, %o = arith.addui_extended %i, %i : i32, i1
  %35 = arith.extui %c : i1 to i32
  %36 = arith.maxsi %vi, %vi : vector<4xi32>
  %37 = arith.andi %c, %c : i1
  %38 = arith.remf %f, %f : f32
  %39 = arith.index_castui %i : i32 to index
  %40 = arith.extf %bf : bf16 to f32
  %41 = arith.divf %f, %f : f32
  %42 = arith.divsi %i, %i exact : i32
  %43 = arith.constant dense<0.0> : vector<2x2xf16>
  %44 = arith.truncf %d : f64 to f32
  %m0 = math.exp %f : f32
  %m1 = math.exp2 %vf fastmath<afn> : vector<4xf32>
  %m2 = math.fma %f, %f, %f : f32
  %m3 = math.rsqrt %f : f32
  %m4 = math.absf %f : f32
  %m5 = math.tanh %f : f32
  %m6 = math.sqrt %vf : vector<4xf32>
  %m7 = math.log2 %f : f32
  %m8 = math.floor %f : f32
  %m9 = math.powf %f, %f : f32
  %m10 = math.ctpop %i : i32
  %m11 = math.absi %i : i32
  %m12 = math.sin %f : f32
  %m13 = math.roundeven %f : f32
  %m14 = math.copysign %f, %f : f32
  %m15 = math.fpowi %f, %i : f32, i32
  %c1 = arith.constant 1 : i32
  scf.for %iv = %c1 to %i step %c1 : i32 {
    scf.yield
  }
  %sum = scf.for %iv = %x to %x step %x iter_args(%acc = %f) -> f32 {
    %n = arith.addf %acc, %acc : f32
    scf.yield %n : f32
  }
  %w:2 = scf.while (%a = %f, %b = %i) : (f32, i32) -> (f32, i32) {
    scf.condition(%c) %a, %b : f32, i32
  } do {
  ^bb0(%a: f32, %b: i32):
    scf.yield %a, %b : f32, i32
  }
  scf.if %c { scf.yield }
  %iff = scf.if %c -> (f32) { scf.yield %f : f32 } else { scf.yield %f : f32 }
  %sw = scf.index_switch %x -> f32 
  case 2 { scf.yield %f : f32 }
  default { scf.yield %f : f32 }
  %mn = affine.min affine_map<(d0) -> (d0, 4)>(%x)
  %mx = affine.max affine_map<(d0) -> (d0, 4)>(%x)
  affine.for %q = 0 to 4 { affine.yield }
  cf.cond_br %c, ^bb1(%i : i32), ^bb2
^bb1(%z: i32):
  cf.switch %z : i32, [
    default: ^bb2,
    42: ^bb1(%i : i32)
  ]
^bb2:
  cf.assert %c, "oops"
  %ub = ub.poison : f32
  return
}
