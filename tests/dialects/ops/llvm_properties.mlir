func.func @a(%a: i32) { %r = "llvm.add"(%a, %a) <{overflowFlags = 42 : i32}> : (i32, i32) -> i32 return }
// -----
func.func @a(%a: i32) { %r = llvm.add %a, %a {overflowFlags = 42} : i32 return }
// -----
func.func @a(%a: i32) { %r = "llvm.add"(%a, %a) {overflowFlags = 42 : i32} : (i32, i32) -> i32 return }
// -----
func.func @a(%a: i32) { %r = "llvm.add"(%a, %a) <{overflowFlags}> : (i32, i32) -> i32 return }
// -----
func.func @a(%a: i32) { %r = "llvm.add"(%a, %a) <{overflowFlags = "nsw"}> : (i32, i32) -> i32 return }
// -----
func.func @a(%a: f32) { %r = arith.addf %a, %a {fastmath = 42} : f32 return }
// -----
func.func @a(%a: f32) { %r = "arith.addf"(%a, %a) {fastmath = "fast"} : (f32, f32) -> f32 return }
// -----
func.func @a(%a: i32) { %r = arith.addi %a, %a {overflowFlags = 42} : i32 return }
// -----
func.func @a(%a: !llvm.ptr) { %r = llvm.getelementptr %a[1] {noWrapFlags = 3 : i32} : (!llvm.ptr) -> !llvm.ptr, i32 return }
// -----
func.func @a(%a: !llvm.ptr) { %r = "llvm.getelementptr"(%a) <{elem_type = i32, rawConstantIndices = array<i32: 1>, noWrapFlags = "x"}> : (!llvm.ptr) -> !llvm.ptr return }
// -----
func.func @a(%a: !llvm.ptr) { %r = "llvm.getelementptr"(%a) <{elem_type = i32, rawConstantIndices = array<i32: 1>, noWrapFlags = 42 : i64}> : (!llvm.ptr) -> !llvm.ptr return }
// -----
func.func @a(%a: !llvm.ptr) { %r = "llvm.getelementptr"(%a) <{elem_type = i32, rawConstantIndices = array<i32: 1>, noWrapFlags = 3 : i64}> : (!llvm.ptr) -> !llvm.ptr return }
// -----
func.func @a(%a: i32) { %r = "llvm.add"(%a, %a) <{overflowFlags = 1 : i8}> {overflowFlags = 7, foo} : (i32, i32) -> i32 return }
// -----
func.func @a(%a: i64) { %r = llvm.trunc %a overflow<nsw> {overflowFlags = "x"} : i64 to i32 return }
// -----
func.func @a(%a: !llvm.ptr<4294967295>) { return }
// -----
func.func @a(%a: !llvm.ptr<4294967296>) { return }
// -----
func.func @a(%a: !llvm.ptr<-1>) { return }
// -----
func.func @a(%a: !llvm.array<-1 x i32>) { return }
// -----
func.func @a(%a: !llvm.struct<(i32, array<2 x struct<(tuple<i32>)>>)>) { return }
// -----
func.func @a(%a: !llvm.array<2 x array<2 x tuple<i32>>>) { return }
// -----
func.func @a() { %r = nvvm.read.ptx.sreg.tid.x range <i8, 128, 511> : i32 return }
// -----
func.func @a() { %r = nvvm.read.ptx.sreg.tid.x range <i128, -1, 511> : i32 return }
// -----
func.func @a() { %r = nvvm.read.ptx.sreg.tid.x range <i1, 4, 2> : i32 return }
// -----
func.func @a(%c: i1, %x: i32) { "llvm.intr.assume"(%c) <{op_bundle_sizes = array<i32>, op_bundle_tags = ["a", 2]}> : (i1) -> () return }
// -----
func.func @a(%c: i1, %x: i32) { "llvm.intr.assume"(%c, %x) <{op_bundle_sizes = array<i32: 1, 0>, op_bundle_tags = ["a"]}> : (i1, i32) -> () return }
// -----
func.func @a(%c: i1, %x: i32) { "llvm.intr.assume"(%c, %x) <{op_bundle_sizes = array<i32: 4>, op_bundle_tags = ["a"]}> : (i1, i32) -> () return }
// -----
func.func @a(%c: i1, %x: i32) { "llvm.intr.assume"(%c) : (i1) -> () return }
