func.func private @decl(i32, f32 {llvm.noundef})
// -----
func.func private @decl(i32, f32 {llvm.noundef}) -> f32
// -----
func.func @d2(i32) -> (f32 {llvm.noundef})
// -----
func.func private @d3() -> (f32, i32)
// -----
func.func private @d3() -> (f32, i32 {x.y = 1})
// -----
func.func private @d4() -> ()
// -----
func.func private @d5() -> (() -> ())
// -----
func.func private @d6() attributes {foo = 1, llvm.emit_c_interface}
// -----
func.func nested @d7(%a: i32 {a.b, c.d = "x"}, %b: f32) -> (i32 {e.f}) attributes {g.h} {
  return %a : i32
}
// -----
func.func public @d8(%a: i32 loc("x")) {
  return
}
// -----
func.func @"quoted name"() {
  return
}
// -----
func.func private @d9(i32 loc("x"))
// -----
func.func private @d10(%a: i32)
// -----
func.func @e1(%a: i32, f32) {
  return
}
// -----
func.func @e2(i32) {
  return
}
// -----
func.func @e3() {
}
// -----
func.func @e4() -> i32 {
  return
}
// -----
func.func @e5() -> i32 {
  %c = arith.constant 1.0 : f32
  return %c : f32
}
// -----
func.func foo @e6()
// -----
func.func @e7(...)
// -----
func.func @e8() attributes {sym_name = "x"}
// -----
func.func @e9() {
  return
^bb1:
  return
}
// -----
func.func @f1()
// -----
func.func @f2(%a: i32 {foo}) {
  return
}
// -----
func.func @f3() -> (i32 {foo}) {
  %c = arith.constant 1 : i32
  return %c : i32
}
// -----
func.func @f4(%a: i32, %a: i32) {
  return
}
// -----
func.func @f5(%a : i32) -> i32 {
^bb1(%b : i32):
  return %b : i32
}
// -----
func.func @f6() {
^bb0(%b : i32):
  return
}
// -----
func.func @f7() {
  func.func @g() {
    return
  }
  return
}
// -----
func.func @g1() {
  return
}
func.func @g1() {
  return
}
// -----
"func.func"() <{sym_name = "x", function_type = (i32) -> ()}> ({
^bb0(%a: f32):
  func.return
}) : () -> ()
// -----
"func.func"() <{sym_name = "x", function_type = (i32) -> ()}> ({
^bb0:
  func.return
}) : () -> ()
// -----
"func.func"() <{sym_name = "x", function_type = i32}> ({
}) : () -> ()
// -----
"func.func"() <{sym_name = "x"}> ({
}) : () -> ()
// -----
"func.func"() <{function_type = () -> ()}> ({
}) : () -> ()
// -----
module {
  func.func @a() {
    return
  }
}
// -----
module @named attributes {a.b = 1} {
  module {
  }
}
// -----
module attributes {gpu.container_module} {
}
// -----
builtin.module @x {
  builtin.module {
  }
}
// -----
module @x
// -----
func.func @h1(%a: index) -> index {
  %r = call @h1(%a) : (index) -> index
  return %r : index
}
// -----
func.func @h2(%a: index) -> index {
  %r = call @h2(%a, %a) : (index, index) -> index
  return %r : index
}
// -----
func.func @h3(%a: index) -> index {
  %r = call @h3(%a) : (index) -> i32
  return %a : index
}
// -----
func.func @h4(%a: i32) -> index {
  call @h4(%a) : (i32) -> ()
  return %a : index
}
// -----
func.func @h5(%a: i32) {
  %c = arith.constant 1.0 : f32
  call @h5(%c) : (f32) -> ()
  return
}
// -----
func.func @h6(%a: i32) {
  call @h6(%a) {no_inline} : (i32) -> ()
  return
}
// -----
func.func @h7(%a: i32) attributes {no_inline} {
  return
}
// -----
func.func @c2(%a: i32, %b: i1) {
  cf.switch %a : i32, [
    default: ^bb1
  ]
^bb1:
  return
}
// -----
func.func @c3(%a: i32, %b: i1) {
  cf.switch %a : i32, [
    default: ^bb1,
    1: ^bb1,
    1: ^bb1
  ]
^bb1:
  return
}
// -----
func.func @c5(%a: f32) {
  cf.br ^bb1
^bb1(%x: f32):
  return
}
// -----
func.func @c6(%a: f32) {
  cf.br ^bb1(%a : f32)
^bb1(%x: i32):
  return
}
// -----
func.func @c7(%a: f32) {
  cf.br ^bb2(%a : f32)
^bb1(%x: i32):
  return
}
// -----
func.func @c8(%a: f32) {
  cf.cond_br %a, ^bb1, ^bb1
^bb1:
  return
}
// -----
func.func @c9(%a: i1) {
  cf.cond_br %a, ^bb1, ^bb1
  cf.br ^bb1
^bb1:
  return
}
// -----
func.func @c10(%a: i1) {
  cf.br ^bb0
^bb0:
  cf.br ^bb0
}
// -----
func.func @c11(%a: i1) {
^bb0:
  cf.br ^bb0
}
