transform.sequence failures(propagate) {
^bb0(%arg0: !transform.any_op, %arg1: i32):
}
// -----
transform.sequence failures(propagate) {
}
// -----
transform.sequence failures(propagate) {
^bb0(%arg0: i32):
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @f(%x: !transform.any_op) {
  transform.sequence %x : !transform.any_op failures(propagate) {
  ^bb0(%arg0: !transform.any_value):
  }
  transform.yield
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @f(%x: !transform.any_op) {
  "transform.sequence"(%x) <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%arg0: !transform.any_op):
    "transform.print"(%arg0) : (!transform.any_op) -> ()
  }) : (!transform.any_op) -> ()
  transform.yield
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @f(%x: !transform.any_op) {
  %r = "transform.sequence"(%x) <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%arg0: !transform.any_op):
    "async.yield"(%arg0) : (!transform.any_op) -> ()
  }) : (!transform.any_op) -> !transform.any_op
  transform.yield
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @f(%x: !transform.any_op) {
  transform.sequence %x : !transform.any_op failures(propagate) {
  ^bb0(%arg0: !transform.op<"a.b">):
  }
  transform.yield
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @f(%x: !transform.any_op) {
  transform.sequence %x, %x : !transform.any_op, !transform.any_op failures(propagate) {
  ^bb0(%arg0: !transform.any_op):
  }
  transform.yield
}
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @f(%x: !transform.any_op) {
  transform.sequence %x, %x : !transform.any_op, !transform.any_op failures(propagate) {
  ^bb0(%arg0: !transform.any_op, %b: !transform.any_value):
  }
  transform.yield
}
}
// -----
transform.sequence failures(propagate) {
^bb0(%arg0: !transform.any_op, %b: !transform.any_value):
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @f(%x: !transform.any_op) {
  transform.sequence %x, %x : !transform.any_op, !transform.any_op failures(propagate) {
  ^bb0(%arg0: !transform.any_op, %b: !transform.any_op):
  }
  transform.yield
}
}
// -----
"transform.sequence"() <{failure_propagation_mode = 1 : i32, operandSegmentSizes = array<i32: 0, 0>}> ({
}) : () -> ()
// -----
async.func @f(%a: !async.token) -> !async.token {
  await %a : !async.token
  %c = arith.constant true
  scf.if %c {
    async.await %a : !async.token
  }
  async.runtime.await %a : !async.token
  return
}
// -----
func.func @f(%a: i32, %c: i1) {
  "scf.while"(%a, %a) ({
  ^bb0(%x: i32):
    "scf.condition"(%c) : (i1) -> ()
  }, {
    "scf.yield"(%a) : (i32) -> ()
  }) : (i32, i32) -> ()
  return
}
// -----
async.func @f(%s: !async.coro.state) -> !async.token {
  async.coro.suspend %s, ^a, ^b, ^c
^a:
  return
^b:
  return
^c:
  return
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @f(%a: !transform.any_op, %p: !transform.param<i64>) {
  %r = transform.tune.alternatives<"x"> selected_region = %p : !transform.param<i64> -> !transform.any_op {
    transform.yield %a : !transform.any_op
  }, {
    transform.yield %a : !transform.any_op
  }
  transform.tune.alternatives<"x"> selected_region = 0 {
  }
  transform.yield
}
}
// -----
transform.sequence failures(propagate) {
^bb0(%arg0: !transform.any_op):
  yield %arg0 : !transform.any_op
}
// -----
%r = transform.sequence -> !transform.any_op failures(propagate) {
^bb0(%arg0: !transform.any_op):
  yield
}
// -----
async.func @f(%a: i32) {
  return %a : i32
}
// -----
async.func private @f(i32)
// -----
async.func @f(%a: i32) -> i32 {
  return %a : i32
}
// -----
async.func private @f(i32) -> i32
// -----
async.func @f(%a: i32) -> (i32, i32) {
  return %a : i32
}
// -----
async.func private @f(i32) -> (i32, i32)
// -----
async.func @f(%a: i32) -> (!async.token, !async.token) {
  return %a : i32
}
// -----
async.func private @f(i32) -> (!async.token, !async.token)
// -----
async.func @f(%a: i32) -> (!async.value<i32>, !async.token) {
  return %a : i32
}
// -----
async.func private @f(i32) -> (!async.value<i32>, !async.token)
// -----
async.func @f(%a: i32) -> !async.token {
  return %a : i32
}
// -----
async.func private @f(i32) -> !async.token
// -----
async.func @f(%a: i32) -> !async.value<i32> {
  return %a : i32
}
// -----
async.func private @f(i32) -> !async.value<i32>
// -----
async.func @f(%a: i32) -> (!async.token, !async.value<i32>) {
  return %a : i32
}
// -----
async.func private @f(i32) -> (!async.token, !async.value<i32>)
// -----
async.func @f(%a: i32) -> (!async.token, i32) {
  return %a : i32
}
// -----
async.func private @f(i32) -> (!async.token, i32)
// -----
async.func @f(%a: i32) -> !async.group {
  return %a : i32
}
// -----
async.func private @f(i32) -> !async.group
// -----
async.func @f(%a: f32) -> !async.value<i32> {
  return %a : f32
}
