module @m attributes {a.b = 1 : i32, "x y" = "z", c} {
  module @n { func.func private @f() }
  func.func nested @g() { return }
  func.func public @h() { return }
  func.func @i() { call @g() : () -> ()
    func.call @h() : () -> ()
    return }
}
// -----
"builtin.module"() ({
  "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
  ^bb0(%a: i32):
    %0 = "arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    "func.return"(%0) : (i32) -> ()
  }) : () -> ()
}) {x = 1 : i64} : () -> ()
// -----
"unknown.op"() : () -> ()
%0:3 = "unknown.op"() ({ ^bb0(%a: i32, %b: !foo.bar<x, "y">): "unknown.term"()[^bb1, ^bb0] : () -> ()
^bb1: "u.t"(%a) : (i32) -> () }, {}) {a = #foo.bar<[1, 2]>, b = #foo<"x">, c = !foo<"t">} : () -> (i32, !foo.t, tuple<i32, f32>)
"use"(%0#0, %0#2) <{p = 1 : i32}> : (i32, tuple<i32, f32>) -> ()
// -----
func.func @f(%x: i32) -> (i32, i32) {
  %a:2 = "test.two"() : () -> (i32, i32)
  %b, %c:2, %d = "test.four"() : () -> (i32, i32, f32, f32)
  "test.use"(%a#1, %c#0, %c#1, %d) : (i32, i32, f32, f32) -> ()
  return %a#0, %a#1 : i32, i32
}
// -----
func.func @f() {
  ^bb0:
  cf.br ^x
^x:
  cf.br ^y
^y:
  cf.assert %z, "msg"
  cf.switch %i : i32, [ default: ^x ]
^z(%w: i32):
  return
}
// -----
func.func @f() {
  ^bb0:
  cf.br ^x
^x:
  cf.br ^y
^y:
^z(%w: i32):
  return
}
// -----
func.func @f(%z: i1, %i: i32) {
  cf.assert %z, "msg" {a}
  cf.switch %i : i32, [ default: ^x(%i : i32), 1: ^y, -3: ^x(%i : i32) ] 
^x(%w: i32):
  cf.cond_br %z, ^y, ^x(%w : i32) {a}
^y:
  cf.cond_br %z weights([1, 2]), ^y, ^z(%i, %z : i32, i1)
^z(%q: i32, %r: i1):
  return
}
// -----
func.func @f(%z: i1, %i: i32) {
  cf.switch %i : i32, [ 1: ^y, default: ^x ] 
^x:
  return
^y:
  return
}
// -----
func.func @f(%z: i1, %i: i32) {
  cf.switch %i : i32, [ default: ^x, 1: ^x, 1: ^x ] 
^x:
  return
}
// -----
func.func @f(%z: i1, %i: f32) {
  cf.switch %i : f32, [ default: ^x ] 
^x:
  return
}
// -----
func.func @f(%z: i1, %i: i32) {
  cf.br ^x(%i : i32)
^x(%a: f32):
  return
}
// -----
func.func @f(%z: i1, %i: i32) {
  cf.br ^x(%i : f32)
^x(%a: f32):
  return
}
// -----
func.func @f(%z: i32, %i: i32) {
  cf.cond_br %z, ^x, ^x
^x:
  return
}
// -----
func.func @f(%z: i32, %i: i32) {
  cf.br ^nope
}
// -----
func.func @f(%z: i32, %i: i32) {
  cf.br ^bb0
^bb0:
  return
}
// -----
func.func @f(%z: i32, %i: i32) {
^bb0:
  cf.br ^bb0
}
// -----
func.func @f(%z: i32, %i: i32) {
  return
^a:
^b:
  return
}
// -----
func.func @f(%z: i32, %i: i32) {
  return
^a:
  return
^a:
  return
}
// -----
func.func @f(%z: i32, %z: i32) {
  return
}
// -----
func.func @f(%z: i32) {
  %z = arith.constant 1 : i32
  return
}
// -----
func.func @f(%z: i32) -> i32 {
  return
}
// -----
func.func @f(%z: i32) -> i32 {
  return %z, %z : i32, i32
}
// -----
func.func @f(%z: i32) -> f32 {
  return %z : i32
}
// -----
func.func @f(%z: i32)
func.func @f(%z: i32) { return }
// -----
func.func private @f(%z: i32) { return }
func.func private @g(i32, %a: i32)
// -----
func.func @f(i32) { return }
// -----
func.func private @f(i32) -> ()
func.func private @g(i32) -> (i32 {x.y = 1})
func.func private @h(i32 {x.y = 1}, f32) -> ()
func.func private @i(...) -> i32
// -----
func.func private @h(i32 {y = 1}, f32) -> ()
// -----
func.func private @h(i32) attributes {sym_name = "x"}
// -----
func.func "private" @h(i32)
// -----
func.func foo @h(i32)
// -----
func.func @f() {
  func.call @g() : () -> ()
  return
}
// -----
func.func private @g(i32)
func.func @f() {
  func.call @g() : () -> ()
  return
}
// -----
func.func private @g(i32)
func.func @f(%i: i32) {
  %0 = func.call @g(%i) : (i32) -> i32
  %f = constant @g : (i32) -> ()
  return
}
// -----
func.func private @g(i32)
func.func @f(%i: i32) {
  %f = constant @g : (i32) -> ()
  %h = func.constant @g : (i32) -> ()
  call_indirect %f(%i) : (i32) -> ()
  func.call_indirect %h(%i) {x} : (i32) -> ()
  return
}
// -----
func.func private @g(i32)
func.func @f(%i: i32) {
  %f = constant @g : (i64) -> ()
  return
}
// -----
func.func @f(%i: i32) {
  %f = constant @nope : (i64) -> ()
  return
}
// -----
func.func @f(%i: i32) {
  "test.x"(%j) : (i32) -> ()
  %j = arith.constant 1 : i32
  return
}
// -----
func.func @f(%i: i1) {
  cf.cond_br %i, ^a, ^b
^a:
  %j = arith.constant 1 : i32
  cf.br ^c
^b:
  cf.br ^c
^c:
  return
}
// -----
func.func @f(%i: i1) {
  cf.cond_br %i, ^a, ^b
^a:
  %j = arith.constant 1 : i32
  cf.br ^c
^b:
  cf.br ^c
^c:
  "test.x"(%j) : (i32) -> ()
  return
}
// -----
func.func @f(%i: i1) {
  "test.x"(%j#1) : (i32) -> ()
  %j = arith.constant 1 : i32
  return
}
// -----
func.func @f(%i: i1) {
  %j:2 = arith.constant 1 : i32
  return
}
// -----
func.func @f(%i: i1) {
  %j, %k = arith.constant 1 : i32
  return
}
// -----
func.func @f(%i: i1) {
  "test.x"(%i) : () -> ()
  return
}
// -----
func.func @f(%i: i1) {
  "test.x"(%i) : (i32) -> ()
  return
}
// -----
func.func @f(%i: i1) {
  arith.constant 1 : i32
  return
// -----
func.func @f(%i: i1) {
  arith.constant 1 : i32
}
// -----
func.func @f(%i: i1) {
  return
} }
// -----
func.func @f(%i: i1) attributes {a = 1, a = 2} {
  return
}
// -----
func.func @f(%i: #x) {
  return
}
// -----
func.func @f(%i: !x) {
  return
}
// -----
func.func @f() attributes {a = #x} {
  return
}
// -----
#x = 1
#x = 2
// -----
!x = i32
!x = i64
// -----
#a.b = 1
// -----
#x = 
// -----
func.func @f() attributes {a = dense<[1, [2]]> : tensor<2xi32>} { return }
// -----
func.func @f() attributes {a = dense<[1, 2, 3]> : tensor<2xi32>} { return }
// -----
func.func @f() attributes {a = dense<1.0> : tensor<2xi32>} { return }
// -----
func.func @f() attributes {a = dense<"0x00"> : tensor<2xi32>} { return }
// -----
func.func @f() attributes {a = 256 : i8} { return }
// -----
func.func @f() attributes {a = 1.0 : i8, b = 1 : f32} { return }
// -----
func.func @f() attributes {a = 1 : f32} { return }
// -----
func.func @f() attributes {a = 0x1234567890 : f32} { return }
// -----
func.func @f() attributes {a = array<i7: 1>} { return }
// -----
func.func @f() attributes {a = array<i32: 1.0>} { return }
// -----
func.func @f() attributes {a = "abc} { return }
// -----
func.func @f() attributes {a = "\q"} { return }
// -----
func.func @f() attributes {a = "\t\n\22\\ é\FF"} { return }
// -----
func.func @f(%a: i0, %b: i16777216) { return }
// -----
func.func @f(%a: i16777215, %b: si7, %c: ui1, %d: f128, %e: f80, %f: tf32, %g: f8E3M4, %h: f6E2M3FN, %i: f6E3M2FN, %j: none, %k: tuple<>, %l: complex<f32>, %m: vector<i32>, %n: tensor<2x?xf32, "enc">, %o: tensor<4xf32, #foo.enc<1>>, %p: opaque<"a", "b">) { return }
// -----
func.func @f(%b: i16777216) { return }
// -----
func.func @f(%a: complex<i33>, %b: complex<index>) { return }
// -----
func.func @f(%a: tensor<4xvector<2xf32>>, %b: tensor<*xindex>, %c: tensor<tensor<4xf32>>) { return }
// -----
func.func @f(%b: tensor<tuple<>>) { return }
// -----
func.func @f(%b: tensor<0x4xf32>, %c: tensor<0x4x0xf32>) { return }
// -----
func.func @f(%b: tensor<-1xf32>) { return }
// -----
func.func @"a b"(%b: i32) -> i32 { return %b : i32 }
func.func @a.b_c$d-e() { return }
func.func @"1x"() { call @"1x"() : () -> () 
 return }
// -----
func.func @f() {
  %0 = "a"() {loc = loc("x":1:1 to 2:3)} : () -> i32 loc("x":1:1 to :5)
  %1 = "a"() : () -> i32 loc("a"("b"))
  return
} loc(unknown)
// -----
#l = loc("a.mlir":1:2)
func.func @f() {
  return loc(#l)
} loc(#m)
#m = loc("b")
// -----
func.func @f() {
  return loc(#l)
}
// -----
func.func @f() {
  return loc(foo)
}
// -----
func.func @f() {
  return loc("a":1)
}
// -----
module { module { module { } } }
// -----
module @a { } {x = 1}
// -----
builtin.module { }
// -----
func.func @f() {
  %0 = builtin.unrealized_conversion_cast to i32
  %1:2 = builtin.unrealized_conversion_cast %0 : i32 to i64, f32
  %2 = builtin.unrealized_conversion_cast %1#0, %0 : i64, i32 to !foo.x {a}
  return
}
// -----
func.func @f() {
  builtin.unrealized_conversion_cast
  return
}
// -----
"func.func"() ({}) {sym_name = "a", function_type = () -> ()} : () -> ()
// -----
"func.func"() ({}) {sym_name = "a", function_type = () -> (), sym_visibility = "private"} : () -> ()
// -----
"func.func"() ({}) {sym_name = 1, function_type = () -> (), sym_visibility = "private"} : () -> ()
// -----
"func.func"() ({}) {sym_name = "a", function_type = i32, sym_visibility = "private"} : () -> ()
// -----
"func.func"() ({ ^bb0(%x: i32): "func.return"() : () -> () }) {sym_name = "a", function_type = (f32) -> ()} : () -> ()
// -----
"func.func"() ({ ^bb0(%x: i32): "func.return"() : () -> () }) {sym_name = "a", function_type = () -> ()} : () -> ()
// -----
"builtin.module"() ({ ^a: 
 ^b: }) : () -> ()
// -----
"builtin.module"() : () -> ()
// -----
"builtin.module"() ({}, {}) : () -> ()
// -----
"arith.foo"() : () -> ()
// -----
arith.foo
// -----
foo.bar %x
// -----
foo
// -----
%0 = 
// -----
%0, = "x"() : () -> ()
// -----
"x"() : ()
// -----
"x"() : () -> () -> ()
// -----
"x"() {a = 1 b = 2} : () -> ()
// -----
"x"() ({) : () -> ()
// -----
"x"()[^a] : () -> ()
// -----
// comment only
// -----
func.func @g() {
  %c:2 = "foo.x"() <{a = 1 : i64}> {b = 2 : i64} : () -> (i32, i32)
  "foo.y"(%c#0, %c#1)[^a, ^b] ({ "foo.in"() : () -> () }) : (i32, i32) -> ()
^a:
  "foo.z"() : () -> ()
^b:
  "foo.z"() : () -> ()
}
// -----
func.func @multi_err(%a: i32) {
  return
}
func.func @multi_err2(%a: i32) {
  return
}
func.func @multi_err3(%a: i32) -> i32 {
  return
}
// -----
func.func @multi_err(%a: i32) {
  %0 = arith.addf %a, %a : i32
  %1 = arith.mulf %a, %a : i32
  return
}
func.func @multi_err2(%a: i32) {
  %0 = arith.addf %a, %a : i32
  return
}
func.func @multi_err3(%a: i32) -> i32 {
  return
}
