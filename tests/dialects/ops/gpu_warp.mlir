func.func @f(%l: index, %v: vector<4xi32>) -> vector<4xi32> {
  gpu.warp_execute_on_lane_0(%l)[32] {
    %c = arith.constant 0 : i32
  }
  %r = gpu.warp_execute_on_lane_0(%l)[32] args(%v : vector<4xi32>) -> (vector<4xi32>) {
  ^bb0(%a: vector<128xi32>):
    %s = arith.addi %a, %a : vector<128xi32>
    gpu.yield %s : vector<128xi32>
  }
  return %r : vector<4xi32>
}
// -----
func.func @f(%l: index) -> f32 {
  %r = gpu.warp_execute_on_lane_0(%l)[32] -> (f32) {
    %c = arith.constant 1.0 : f32
    gpu.yield %c : f32
  }
  return %r : f32
}
// -----
func.func @f(%l: index, %v: vector<4x2xi32>) {
  gpu.warp_execute_on_lane_0(%l)[16] args(%v : vector<4x2xi32>) {
  ^bb0(%a: vector<16x8xi32>):
  }
  return
}
// -----
func.func @f(%l: index, %v: vector<4xi32>) {
  gpu.warp_execute_on_lane_0(%l)[32] args(%v : vector<4xi32>) {
    %c = arith.constant 0 : i32
  }
  return
}
// -----
func.func @f(%l: index, %v: vector<4xi32>) {
  gpu.warp_execute_on_lane_0(%l)[32] args(%v : vector<4xi32>) {
  ^bb0(%a: vector<129xi32>):
  }
  return
}
// -----
func.func @f(%l: index, %v: vector<4xi32>) {
  gpu.warp_execute_on_lane_0(%l)[32] args(%v : vector<4xi32>) {
  ^bb0(%a: vector<64xi32>):
  }
  return
}
// -----
func.func @f(%l: index, %v: i32) {
  gpu.warp_execute_on_lane_0(%l)[32] args(%v : i32) {
  ^bb0(%a: vector<32xi32>):
  }
  return
}
// -----
func.func @f(%l: index) -> f32 {
  %r = gpu.warp_execute_on_lane_0(%l)[32] -> (f32) {
  }
  return %r : f32
}
