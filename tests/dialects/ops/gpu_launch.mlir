func.func @f(%a: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %a, %gy = %a, %gz = %a) threads(%tx, %ty, %tz) in (%sx = %a, %sy = %a, %sz = %a) {
    %0 = arith.addi %bx, %tx : index
    gpu.terminator
  }
  return
}
// -----
func.func @f(%a: index, %s: i32) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %a, %gy = %a, %gz = %a) threads(%tx, %ty, %tz) in (%sx = %a, %sy = %a, %sz = %a) dynamic_shared_memory_size %s module(@m) function(@k) workgroup(%w : memref<32xf32, 3>, %v : memref<1xf32, 3>) private(%p : memref<1xf32, 5>) {
    gpu.terminator
  } {note}
  return
}
// -----
func.func @f(%a: index) {
  %t = gpu.wait async
  %u = gpu.launch async [%t] clusters(%cx, %cy, %cz) in (%kx = %a, %ky = %a, %kz = %a) blocks(%bx, %by, %bz) in (%gx = %a, %gy = %a, %gz = %a) threads(%tx, %ty, %tz) in (%sx = %a, %sy = %a, %sz = %a) {
    cf.br ^bb1
  ^bb1:
    gpu.terminator
  }
  return
}
// -----
func.func @f(%a: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %a, %gy = %a, %gz = %a) threads(%tx, %ty, %tz) in (%sx = %a, %sy = %a, %sz = %a) private(%p : f32) {
    gpu.terminator
  }
  return
}
// -----
func.func @f(%a: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %a, %gy = %a, %gz = %a) {
    gpu.terminator
  }
  return
}
