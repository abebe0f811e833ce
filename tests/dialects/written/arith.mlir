#map = affine_map<(d0) -> (d0)>
func.func @consts() -> (i32, index, f32) {
  %true = arith.constant true
  %false = arith.constant false
  %c1 = arith.constant 1 : index
  %c1_0 = arith.constant 1 : index
  %cn1 = arith.constant -1 : i32
  %cst = arith.constant 1.0e-3 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %inf = arith.constant 0xFF800000 : f32
  %bf = arith.constant 0x7F80 : bf16
  %e = arith.constant 1.0 : f8E5M2
  %v = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  %t = arith.constant dense<0.0> : tensor<4x?xf32>
  return %cn1, %c1, %cst : i32, index, f32
}
// -----
#map = affine_map<(d0) -> (d0)>
func.func @consts() -> (i32, index, f32) {
  %true = arith.constant true
  %false = arith.constant false
  %c1 = arith.constant 1 : index
  %c1_0 = arith.constant 1 : index
  %cn1 = arith.constant -1 : i32
  %cst = arith.constant 1.0e-3 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %inf = arith.constant 0xFF800000 : f32
  %bf = arith.constant 0x7F80 : bf16
  %e = arith.constant 1.0 : f8E5M2
  %v = arith.constant dense<[1, 2, 3]> : vector<3xi32>
  return %cn1, %c1, %cst : i32, index, f32
}
// -----
func.func @c2() {
  %v = arith.constant dense<[true, false]> : vector<2xi1>
  %w = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %w2 = arith.constant dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i32>>
  %x = arith.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  %y = arith.constant sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>
  %z = arith.constant array<i32: 1> 
  return
}
// -----
func.func @c2() {
  %v = arith.constant dense<[true, false]> : vector<2xi1>
  %w = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %w2 = arith.constant dense<[(1, 2), (3, 4)]> : tensor<2xcomplex<i32>>
  %x = arith.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  %y = arith.constant sparse<[[0, 0], [1, 2]], [1, 5]> : tensor<3x4xi32>
  return
}
// -----
func.func @c3() {
  %v = arith.constant dense<[true, false]> : vector<[2]xi1>
  return
}
// -----
func.func @c4() {
  %v = arith.constant dense<2> : vector<[2]xi8>
  %d = arith.constant dense_resource<blob> : tensor<2xi32>
  %x = arith.constant #builtin.dense_resource_or_unknown
  return
}
// -----
func.func @res() -> tensor<2xi32> {
  %d = arith.constant dense_resource<blob> : tensor<2xi32>
  return %d : tensor<2xi32>
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000100000002000000"
    }
  }
#-}
// -----
func.func @flags(%a: i32, %b: i32, %v: vector<4xi64>, %x: f32, %y: f32) {
  %0 = arith.addi %a, %b overflow<nsw> : i32
  %1 = arith.addi %a, %b overflow<nsw, nuw> : i32
  %2 = arith.addi %a, %b overflow<nuw,nsw> : i32
  %3 = arith.subi %a, %b overflow<none> : i32
  %4 = arith.shli %a, %b overflow<nuw> {foo = 1 : i32} : i32
  %5 = arith.addf %x, %y fastmath<fast> : f32
  %6 = arith.addf %x, %y fastmath<nnan,ninf> : f32
  %7 = arith.mulf %x, %y fastmath<reassoc, nnan, ninf, nsz, arcp, contract, afn> : f32
  %8 = arith.negf %x fastmath<none> : f32
  %9 = arith.cmpf oeq, %x, %y fastmath<fast> : f32
  %10 = arith.cmpf "ugt", %x, %y : f32
  %11 = arith.cmpi "sle", %a, %b : i32
  %12 = arith.shrui %a, %b exact : i32
  %13 = arith.divsi %a, %b exact {x} : i32
  %14 = arith.trunci %a overflow<nsw> : i32 to i16
  %15 = arith.truncf %x to_nearest_even : f32 to bf16
  %16 = arith.truncf %x downward fastmath<contract> : f32 to f16
  %17 = arith.index_cast %a : i32 to index
  %20 = arith.select %11, %v, %v : vector<4xi64>
  return
}
// -----
func.func @flags(%a: i32, %b: i32, %v: vector<4xi64>, %x: f32, %y: f32) {
  %0 = arith.addi %a, %b overflow<nsw> : i32
  %1 = arith.addi %a, %b overflow<nsw, nuw> : i32
  %2 = arith.addi %a, %b overflow<nuw,nsw> : i32
  %3 = arith.subi %a, %b overflow<none> : i32
  %4 = arith.shli %a, %b overflow<nuw> {foo = 1 : i32} : i32
  %5 = arith.addf %x, %y fastmath<fast> : f32
  %6 = arith.addf %x, %y fastmath<nnan,ninf> : f32
  %7 = arith.mulf %x, %y fastmath<reassoc, nnan, ninf, nsz, arcp, contract, afn> : f32
  %8 = arith.negf %x fastmath<none> : f32
  %9 = arith.cmpf oeq, %x, %y fastmath<fast> : f32
  %10 = arith.cmpf "ugt", %x, %y : f32
  %11 = arith.cmpi "sle", %a, %b : i32
  %12 = arith.shrui %a, %b exact : i32
  %13 = arith.divsi %a, %b exact {x} : i32
  %14 = arith.trunci %a overflow<nsw> : i32 to i16
  %15 = arith.truncf %x to_nearest_even : f32 to bf16
  %16 = arith.truncf %x downward fastmath<contract> : f32 to f16
  %17 = arith.index_cast %a : i32 to index
  %18 = arith.extui %a nneg : i32 to i64
  %19 = arith.uitofp %a nneg : i32 to f32
  %20 = arith.select %11, %v, %v : vector<4xi64>
  return
}
// -----
func.func @generic(%a: i32, %b: i32) {
  %0 = "arith.addi"(%a, %b) : (i32, i32) -> i32
  %1 = "arith.addi"(%a, %b) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32
  %2 = "arith.addi"(%a, %b) {overflowFlags = #arith.overflow<nsw>} : (i32, i32) -> i32
  %3 = "arith.cmpi"(%a, %b) {predicate = 2 : i64} : (i32, i32) -> i1
  %4 = "arith.cmpi"(%a, %b) <{predicate = 9 : i64}> : (i32, i32) -> i1
  %5 = "arith.constant"() {value = 5 : i32} : () -> i32
  %6 = "arith.constant"() <{value = dense<5> : tensor<i32>}> {foo = "x"} : () -> tensor<i32>
  return
}
// -----
func.func @bad(%a: i32, %b: i32) {
  %3 = "arith.cmpi"(%a, %b) {predicate = 10 : i64} : (i32, i32) -> i1
  return
}
// -----
func.func @bad(%a: i32, %b: i64) {
  %3 = arith.addi %a, %b : i32
  return
}
func.func @bad2(%a: i32, %b: i64) {
  %3 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}
// -----
func.func @bad2(%a: i32, %b: i64) {
  return
}
func.func @bad3(%a: f32) {
  return
}
func.func @bad4(%a: f32) {
  %c = arith.constant 1 : i32
  %3 = arith.cmpi eq, %c, %c : i32
  return
}
// -----
func.func @bad2(%a: i32, %b: i64) {
  %3 = "arith.addi"(%a, %b) : (i32, i64) -> i32
  return
}
func.func @bad3(%a: f32) {
  %3 = "arith.addi"(%a, %a) : (f32, f32) -> f32
  return
}
func.func @bad4(%a: f32) {
  %c = arith.constant 1 : i32
  %3 = arith.cmpi eq, %c, %c : i32
  %4 = "arith.extf"(%a) : (f32) -> f16
  return
}
// -----
func.func @bad(%a: f32) {
  %4 = arith.extf %a : f32 to f16
  return
}
// -----
func.func @bad(%a: f32) {
  %4 = arith.truncf %a : f32 to f32
  return
}
// -----
func.func @bad(%a: vector<4xf32>) {
  %4 = arith.truncf %a : vector<4xf32> to vector<5xf16>
  return
}
// -----
func.func @bad(%a: vector<4xi32>) {
  %4 = arith.bitcast %a : vector<4xi32> to vector<4xf16>
  return
}
// -----
func.func @bad(%a: tensor<?xi32>) {
  %4 = arith.bitcast %a : tensor<?xi32> to tensor<4xf32>
  %5 = arith.sitofp %a : tensor<?xi32> to tensor<?xf32>
  %6 = arith.fptosi %5 : tensor<?xf32> to tensor<4xi32>
  return
}
// -----
func.func @bad() {
  %c = arith.constant 5 : f32
  return
}
// -----
func.func @bad() {
  %c = arith.constant 5.0 : i32
  return
}
// -----
func.func @bad() {
  %c = arith.constant 300 : i8
  return
}
// -----
func.func @bad() {
  %c = arith.constant -129 : i8
  return
}
// -----
func.func @bad() {
  %c = arith.constant 5 : si32
  return
}
// -----
func.func @bad() {
  %c = arith.constant "text"
  return
}
// -----
func.func @bad() {
  %c = "arith.constant"() {value = "text"} : () -> i32
  return
}
// -----
func.func @bad() {
  %c = "arith.constant"() : () -> i32
  return
}
// -----
func.func @bad() {
  %c = "arith.constant"() {value = 1 : i32} : () -> i64
  return
}
// -----
func.func @bad() {
  %c = "arith.constant"() {value = 1 : i32} : () -> ()
  return
}
// -----
func.func @bad() {
  %c:2 = "arith.constant"() {value = 1 : i32} : () -> (i32, i32)
  return
}
// -----
func.func @bad(%a: i1, %t: tensor<4xi1>, %x: tensor<4xi32>, %v: vector<2xi1>, %w: vector<4xi32>) {
  %0 = arith.select %t, %x, %x : tensor<4xi1>, tensor<4xi32>
  %1 = arith.select %v, %w, %w : vector<2xi1>, vector<4xi32>
  return
}
// -----
func.func @ext(%a: i32, %b: i32, %v: vector<4xi32>) {
  %s, %c = arith.addui_extended %a, %b : i32, i1
  %s2:2 = arith.addui_extended %v, %v : vector<4xi32>, vector<4xi1>
  %lo, %hi = arith.mulsi_extended %a, %b : i32
  %l:2 = arith.mului_extended %v, %v : vector<4xi32>
  return
}
// -----
func.func @scaling(%a: vector<32xf8E4M3FN>, %s: vector<32xf8E8M0FNU>, %f: vector<32xf32>, %f4: vector<32xf4E2M1FN>) {
  %0 = arith.scaling_extf %f4, %s : vector<32xf4E2M1FN>, vector<32xf8E8M0FNU> to vector<32xf32>
  %1 = arith.scaling_truncf %f, %s : vector<32xf32>, vector<32xf8E8M0FNU> to vector<32xf4E2M1FN>
  %2 = arith.scaling_truncf %f, %s to_nearest_even fastmath<fast> : vector<32xf32>, vector<32xf8E8M0FNU> to vector<32xf4E2M1FN>
  %3 = arith.convertf %f : vector<32xf32> to vector<32xf32>
  return
}
// -----
func.func @names(%arg: i32, %arg_0: i32) -> i32 {
  %c0_i32 = arith.constant 7 : i32
  %c7 = arith.constant 7 : i64
  %z = arith.constant 0 : index
  %q = arith.constant 1 : i1
  %cst = arith.constant 2.0 : f16
  %cst_0 = arith.constant dense<1> : tensor<2xi32>
  return %c0_i32 : i32
}
// -----
func.func @names(%arg: i32, %arg_0: i32) -> i32 {
  %c0_i32 = arith.constant 7 : i32
  %c7 = arith.constant 7 : i64
  %z = arith.constant 0 : index
  %q = arith.constant 1 : i1
  %cst = arith.constant 2.0 : f16
  %cst_0 = arith.constant dense<1> : tensor<2xi32>
  %c = arith.constant unit
  return %c0_i32 : i32
}
// -----
func.func @loc(%a: i32 loc("x")) -> i32 attributes {a, b = 1, c.d = "s"} {
  %0 = arith.addi %a, %a : i32 loc("f.mlir":1:2)
  %1 = arith.addi %a, %a {x = 1, "y z" = 2} : i32 loc(fused["a", callsite("b" at "c":3:4)])
  return %0 : i32 loc(unknown)
} loc(fused<"m">["x":1:1])
// -----
func.func @i(%a: si32) {
  %0 = arith.addi %a, %a : si32
  return
}
// -----
func.func @i(%a: index, %t: tensor<*xi32>, %u: tensor<*xf32>) {
  %0 = arith.index_castui %a : index to i64
  %1 = arith.addi %t, %t : tensor<*xi32>
  %2 = arith.cmpi slt, %t, %t : tensor<*xi32>
  %3 = arith.uitofp %t : tensor<*xi32> to tensor<*xf64>
  %4 = arith.cmpf uno, %u, %u : tensor<*xf32>
  return
}
// -----
func.func @i(%a: index) {
  %0 = arith.index_cast %a : index to index
  return
}
// -----
func.func @i(%a: i32) {
  %0 = arith.index_cast %a : i32 to i64
  return
}
// -----
func.func @i(%a: i32) {
  %0 = arith.trunci %a : i32 to i32
  return
}
// -----
func.func @i(%a: i32) {
  %0 = arith.extsi %a : i32 to index
  return
}
// -----
func.func @i(%a: i32) {
  %0 = arith.foo %a : i32
  return
}
// -----
func.func @i(%a: i32) {
  %0 = arith.addi %a, %b : i32
  return
}
// -----
func.func @i(%a: i32) {
  %0 = arith.addi %a %a : i32
  return
}
// -----
func.func @i(%a: i32) {
  %0 = arith.addi %a, %a overflow<foo> : i32
  return
}
// -----
func.func @i(%a: i32) {
  %0 = arith.cmpi foo, %a, %a : i32
  return
}
// -----
func.func @i(%a: f32) {
  %0 = arith.addf %a, %a fastmath<foo> : f32
  return
}
// -----
func.func @i(%a: f32) {
  %0 = arith.truncf %a foo : f32 to f16
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<"8x0000803F"> : vector<1xf32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<"0xZZ00803F"> : vector<1xf32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<"0x000080"> : vector<1xf32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<"0x000803F"> : vector<1xf32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<""> : vector<1xf32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<"0x"> : vector<1xf32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<"0X0000803F"> : vector<1xf32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<"0x0000803F"> : vector<4xf32>
  return
}
// -----
func.func @f() {
  %0 = arith.constant dense<[99999999999]> : tensor<1xi32>
  return
}
// -----
func.func @f(%a: tensor<*xf16>) {
  %0 = arith.extf %a : tensor<*xf16> to tensor<*xf32>
  return
}
// -----
func.func @f(%a: vector<4xf16>) {
  %0 = arith.extf %a : vector<4xf16> to vector<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf16>) {
  %0 = arith.extf %a : tensor<4xf16> to tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = arith.truncf %a : tensor<4xf32> to tensor<4xf16>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = arith.truncf %a : tensor<4xf32> to tensor<5xf16>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = arith.truncf %a : tensor<4xf32> to vector<4xf16>
  return
}
// -----
func.func @f(%a: tensor<?xi8>) {
  %0 = arith.extsi %a : tensor<?xi8> to tensor<?xi32>
  return
}
// -----
func.func @f(%a: tensor<4xi8>) {
  %0 = arith.extsi %a : tensor<4xi8> to tensor<?xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi8>) {
  %0 = arith.extui %a : tensor<*xi8> to tensor<*xi32>
  return
}
// -----
func.func @f(%a: vector<4xi8>) {
  %0 = arith.extui %a : vector<4xi8> to vector<4xi32>
  return
}
// -----
func.func @f(%a: tensor<4xi8>) {
  %0 = arith.extui %a : tensor<4xi8> to tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = arith.trunci %a : tensor<4xi32> to tensor<4xi8>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = arith.trunci %a : tensor<4xi32> to tensor<5xi8>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = arith.trunci %a : tensor<4xi32> to vector<4xi8>
  return
}
// -----
func.func @f(%a: tensor<?xi32>) {
  %0 = arith.sitofp %a : tensor<?xi32> to tensor<?xf32>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = arith.sitofp %a : tensor<4xi32> to tensor<?xf32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>) {
  %0 = arith.uitofp %a : tensor<*xi32> to tensor<*xf32>
  return
}
// -----
func.func @f(%a: vector<4xi32>) {
  %0 = arith.uitofp %a : vector<4xi32> to vector<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = arith.uitofp %a : tensor<4xi32> to tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = arith.fptosi %a : tensor<4xf32> to tensor<4xi32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = arith.fptosi %a : tensor<4xf32> to tensor<5xi32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = arith.fptosi %a : tensor<4xf32> to vector<4xi32>
  return
}
// -----
func.func @f(%a: tensor<?xf32>) {
  %0 = arith.fptoui %a : tensor<?xf32> to tensor<?xi32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %0 = arith.fptoui %a : tensor<4xf32> to tensor<?xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>) {
  %0 = arith.index_cast %a : tensor<*xi32> to tensor<*xindex>
  return
}
// -----
func.func @f(%a: vector<4xi32>) {
  %0 = arith.index_cast %a : vector<4xi32> to vector<4xindex>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = arith.index_cast %a : tensor<4xi32> to tensor<*xindex>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = arith.index_castui %a : tensor<4xi32> to tensor<4xindex>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = arith.index_castui %a : tensor<4xi32> to tensor<5xindex>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = arith.index_castui %a : tensor<4xi32> to vector<4xindex>
  return
}
// -----
func.func @f(%a: tensor<?xi32>) {
  %0 = arith.bitcast %a : tensor<?xi32> to tensor<?xf32>
  return
}
// -----
func.func @f(%a: tensor<4xi32>) {
  %0 = arith.bitcast %a : tensor<4xi32> to tensor<?xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf16>) {
  %0 = arith.convertf %a : tensor<*xf16> to tensor<*xbf16>
  return
}
// -----
func.func @f(%a: vector<4xf16>) {
  %0 = arith.convertf %a : vector<4xf16> to vector<4xbf16>
  return
}
// -----
func.func @f(%a: tensor<4xf16>) {
  %0 = arith.convertf %a : tensor<4xf16> to tensor<*xbf16>
  return
}
