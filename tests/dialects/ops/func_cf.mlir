func.func @f()
// -----
func.func private @f()
// -----
func.func public @f()
// -----
func.func nested @f()
// -----
func.func foo @f()
// -----
func.func public @f() {
  return
}
// -----
func.func @f(i32) {
  return
}
// -----
func.func private @f(%a: i32)
// -----
func.func private @f(i32, f32) -> (i32, f32)
// -----
func.func private @f(i32 {a.b = 1}) -> (i32 {a.c})
// -----
func.func private @f(i32, %a: i32)
// -----
func.func @f(%a: i32, i32) {
  return
}
// -----
func.func private @f(i32, ...)
// -----
func.func @f(%a: i32) -> i32 {
  return %a : i32
}
// -----
func.func @f(%a: i32) -> i64 {
  return %a : i32
}
// -----
func.func @f(%a: i32) -> i64 {
  return
}
// -----
func.func @f(%a: i32) {
  return %a : i32
}
// -----
func.func @f(%a: i32) -> (i32, i32) {
  return %a : i32
}
// -----
func.func @f(%a: i32) -> (i32, i64) {
  return %a, %a : i32, i32
}
// -----
func.func @f(%a: i32) -> (i32, i32) {
  return %a, %a : i32
}
// -----
func.func @f(%a: i32) {
  return %b : i32
}
// -----
func.func @f() {
}
// -----
func.func @f() {
^bb0:
}
// -----
func.func @f(%a: i32) {
  %0 = arith.addi %a, %a : i32
}
// -----
func.func @f(%a: i32) {
  return
  %0 = arith.addi %a, %a : i32
}
// -----
func.func @f(%a: i32) {
  return
  return
}
// -----
func.func @f(%a: i32) attributes {no_inline} {
  return
}
// -----
func.func @f(%a: i32) attributes {a = 1, llvm.emit_c_interface} {
  return
}
// -----
func.func @f(%a: i32) attributes {sym_name = "x"} {
  return
}
// -----
func.func @f(%a: i32) attributes {sym_visibility = "private"} {
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32, %b: i64) {
  %0 = func.call @g(%a) : (i32) -> i32
  %1 = call @g(%0) : (i32) -> i32
  return
}
// -----
func.func @f(%a: i32, %b: i64) {
  %0 = call @g(%a) : (i32) -> i32
  return
}
// -----
llvm.func @g(i32) -> i32
func.func @f(%a: i32, %b: i64) {
  %0 = call @g(%a) : (i32) -> i32
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32, %b: i64) {
  %0 = call @g(%b) : (i64) -> i32
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32, %b: i64) {
  %0 = call @g() : () -> i32
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32, %b: i64) {
  %0 = call @g(%a) : (i32) -> i64
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32, %b: i64) {
  call @g(%a) : (i32) -> ()
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32, %b: i64) {
  %0:2 = call @g(%a) : (i32) -> (i32, i32)
  return
}
// -----
func.func private @g(i32) -> (i32, i32)
func.func @f(%a: i32, %b: i64) {
  %0:2 = call @g(%a) : (i32) -> (i32, i32)
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32, %b: i64) {
  %0 = call @g(%a) {note} : (i32) -> i32
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32, %b: i64) {
  %0 = call @g(%a, %a) : (i32) -> i32
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32) {
  %0 = func.constant @g : (i32) -> i32
  %1 = func.call_indirect %0(%a) : (i32) -> i32
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32) {
  %0 = func.constant @g : (i64) -> i32
  return
}
// -----
func.func @f(%a: i32) {
  %0 = func.constant @g : (i64) -> i32
  return
}
// -----
func.func private @g(i32) -> i32
func.func @f(%a: i32) {
  %0 = func.constant @g : i32
  return
}
// -----
func.func private @f()
func.func private @f()
// -----
module @m {
  func.func private @f()
  module @f {
  }
}
// -----
module @a {
  func.func private @f()
}
module @b {
  func.func private @f()
}
// -----
module @a {
  func.func private @f()
  func.func private @f()
}
module @b {
  func.func private @f()
  func.func private @f()
}
// -----
gpu.module @k {
  gpu.func @f() kernel {
    gpu.return
  }
  gpu.func @f() kernel {
    gpu.return
  }
}
// -----
gpu.module @k {
  func.func private @f()
  func.func @g() {
    call @f() : () -> ()
    return
  }
}
// -----
func.func private @f()
gpu.module @k {
  func.func @g() {
    call @f() : () -> ()
    return
  }
}
// -----
memref.global @a : memref<4xf32>
memref.global @a : memref<4xf32>
// -----
memref.global "private" @a : memref<4xf32> = dense<0.0>
func.func @f() {
  %0 = memref.get_global @a : memref<4xf32>
  return
}
// -----
func.func @f() {
  %0 = memref.get_global @a : memref<4xf32>
  return
}
// -----
memref.global "private" @a : memref<4xf32> = dense<0.0>
func.func @f() {
  %0 = memref.get_global @a : memref<8xf32>
  return
}
// -----
func.func @f() {
  %0 = memref.get_global @f : memref<8xf32>
  return
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%a: i32) kernel {
      gpu.return
    }
  }
  func.func @g(%c: index, %a: i32) {
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%a : i32)
    return
  }
}
// -----
gpu.module @k {
  gpu.func @f(%a: i32) kernel {
    gpu.return
  }
}
func.func @g(%c: index, %a: i32) {
  gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%a : i32)
  return
}
// -----
module attributes {gpu.container_module} {
  func.func @g(%c: index, %a: i32) {
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%a : i32)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k {
  }
  func.func @g(%c: index, %a: i32) {
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%a : i32)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  module @k {
  }
  func.func @g(%c: index, %a: i32) {
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%a : i32)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%a: i32) {
      gpu.return
    }
  }
  func.func @g(%c: index, %a: i32) {
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%a : i32)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%a: i32) kernel {
      gpu.return
    }
  }
  func.func @g(%c: index, %a: i64) {
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%a : i64)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @f(%a: i32) kernel {
      gpu.return
    }
  }
  func.func @g(%c: index, %a: i64) {
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k {
    llvm.func @f(%a: i32) {
      llvm.return
    }
  }
  func.func @g(%c: index, %a: i64) {
    gpu.launch_func @k::@f blocks in (%c, %c, %c) threads in (%c, %c, %c) args(%a : i64)
    return
  }
}
// -----
module attributes {gpu.container_module = 3 : i32} {
}
// -----
func.func @f(%a: i32) {
  cf.br ^bb1(%a : i32)
^bb1(%b: i32):
  return
}
// -----
func.func @f(%a: i32) {
  cf.br ^bb1(%a : i32)
^bb1(%b: i64):
  return
}
// -----
func.func @f(%a: i32) {
  cf.br ^bb1
^bb1(%b: i64):
  return
}
// -----
func.func @f(%a: i32) {
  cf.br ^bb2
^bb1:
  return
}
// -----
func.func @f(%a: i32) {
  cf.br ^bb1 {note}
^bb1:
  return
}
// -----
func.func @f(%a: i32) {
^bb1:
  cf.br ^bb1
}
// -----
func.func @f(%a: i32) {
  cf.br ^bb1
^bb1:
  cf.br ^bb1
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  cf.cond_br %c, ^bb1(%a : i32), ^bb2
^bb1(%b: i32):
  return
^bb2:
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  cf.cond_br %c weights([1, 2]), ^bb1(%a : i32), ^bb2
^bb1(%b: i32):
  return
^bb2:
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  cf.cond_br %c weights([1]), ^bb1(%a : i32), ^bb2
^bb1(%b: i32):
  return
^bb2:
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  cf.cond_br %a, ^bb1, ^bb1
^bb1:
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  cf.cond_br %c, ^bb1, ^bb1(%a : i32)
^bb1:
  return
}
// -----
func.func @f(%a: i32) {
  cf.switch %a : i32, [
    default: ^bb1
  ]
^bb1:
  return
}
// -----
func.func @f(%a: i32) {
  cf.switch %a : i32, [
    default: ^bb1,
    1: ^bb2(%a : i32),
    -2: ^bb1
  ]
^bb1:
  return
^bb2(%b: i32):
  return
}
// -----
func.func @f(%a: i64) {
  cf.switch %a : i64, [
    default: ^bb1,
    1: ^bb2
  ]
^bb1:
  return
^bb2(%b: i32):
  return
}
// -----
func.func @f(%a: i32) {
  "cf.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
}
// -----
func.func @f(%a: i32) {
  "cf.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  cf.assert %c, "message"
  cf.assert %c, "message" {note}
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  cf.assert %a, "message"
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  cf.assert %c
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "cf.br"() : () -> ()
}
// -----
func.func @f(%c: i1, %a: i32) {
  "cf.br"()[^bb1, ^bb1] : () -> ()
^bb1:
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "cf.cond_br"(%c)[^bb1, ^bb1] : (i1) -> ()
^bb1:
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "cf.cond_br"(%c)[^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "cf.cond_br"(%c, %a)[^bb1, ^bb1] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1, i32) -> ()
^bb1:
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "cf.cond_br"(%c, %a)[^bb1, ^bb1] <{operandSegmentSizes = array<i32: 1, -1, 2>}> : (i1, i32) -> ()
^bb1:
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "cf.assert"(%c) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "cf.assert"(%c) <{msg = 3 : i32}> : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = arith.addi %a, %a : i32
  cf.br ^bb2
^bb2:
  %1 = arith.addi %0, %a : i32
  return
}
// -----
func.func @f(%a: i32) {
  %0 = arith.addi %1, %a : i32
  %1 = arith.addi %0, %a : i32
  return
}
// -----
"func.func"() <{function_type = () -> (), sym_name = "f"}> ({
}) : () -> ()
// -----
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
// -----
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "foo"}> ({
}) : () -> ()
// -----
"func.func"() <{function_type = () -> (), sym_visibility = "private"}> ({
}) : () -> ()
// -----
"func.func"() <{sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
// -----
"func.func"() <{function_type = i32, sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
// -----
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
  "func.return"() : () -> ()
}) : () -> ()
// -----
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%a: i64):
  "func.return"() : () -> ()
}) : () -> ()
// -----
"func.func"() <{arg_attrs = [], function_type = (i32) -> (), sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
// -----
"func.func"() <{arg_attrs = [{}], function_type = (i32) -> (), res_attrs = [{}], sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
// -----
"func.func"() <{arg_attrs = [{foo = 1}], function_type = (i32) -> (), sym_name = "f", sym_visibility = "private"}> ({
}) : () -> ()
// -----
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> : () -> ()
// -----
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({
}, {
}) : () -> ()
// -----
func.func @f() {
  func.func private @g()
  return
}
// -----
func.return
// -----
module {
  func.return
}
// -----
func.func @f(%c: i1) {
  scf.if %c {
    func.return
  }
  return
}
// -----
func.func @f(%a: i32 {llvm.noalias}) {
  return
}
// -----
func.func @f(%a: i32 {foo}) {
  return
}
// -----
func.func @f(%a: memref<4xf32> {llvm.noalias, llvm.align = 16 : i64}) {
  return
}
// -----
func.func @f(%a: i32) -> i32 attributes {foo.bar} {
  return %a : i32
}
// -----
func.func @f(%a: i32)
  -> i32 {
  func.return %a : i32 loc("here")
}
// -----
func.func private @f(%a: i32, %b: i32)
// -----
func.func @f(%a: i32, %a: i32) {
  return
}
// -----
func.func @f(%a: i32) {
  %a = arith.constant 1 : i32
  return
}
// -----
func.func @f(%a: foo) {
  return
}
// -----
func.func @f(%a: i32 {
  return
}
// -----
func.func f() {
  return
}
// -----
func.func @f {
  return
}
// -----
builtin.module {
  builtin.module @a {
  }
}
// -----
module @a attributes {b = 1} {
  func.func private @f()
}
// -----
module {
^bb0(%a: i32):
}
// -----
module {
^bb0:
  func.func private @f()
^bb1:
}
// -----
"builtin.module"() ({
}) : () -> ()
// -----
"builtin.module"() ({
^bb0(%a: i32):
}) : () -> ()
// -----
func.func @f(%a: i32) {
  %0 = builtin.unrealized_conversion_cast to i64
  %1 = builtin.unrealized_conversion_cast %a : i32 to i64 {note}
  return
}
// -----
func.func @f(%a: i32) {
  %0 = builtin.unrealized_conversion_cast %a : i64 to i64
  return
}
// -----
module attributes {foo = 1} {
}
// -----
module attributes {foo.bar = 1} {
}
