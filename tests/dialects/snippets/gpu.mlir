module attributes {gpu.container_module} {
  gpu.module @m {
  gpu.func @k(%f: f32, %i : i32) kernel {
    %r0 = gpu.subgroup_reduce add %f : (f32) -> f32
    %r1 = gpu.subgroup_reduce maxnumf %f uniform : (f32) -> f32
    %r2 = gpu.subgroup_reduce add %f cluster(size = 4, stride = 2) : (f32) -> f32
    %r3 = gpu.all_reduce add %f {} : (f32) -> f32
    %r5 = gpu.all_reduce %f { ^bb0(%a: f32, %b : f32):  %x = arith.addf %a, %b : f32  gpu.yield %x : f32 } : (f32) -> f32
    %b = gpu.subgroup_broadcast %f, first_active_lane : f32
    %b2 = gpu.subgroup_broadcast %f, specific_lane %i : f32
    gpu.printf "hi %d\n", %i : i32
    gpu.printf "hi"
    %ro, %rv = gpu.rotate %f, 4, 16 : f32
    gpu.return
  }
  gpu.func @at(%a: memref<4xf32> {llvm.noalias}) kernel attributes {gpu.known_block_size = array<i32: 32, 1, 1>, nvvm.maxntid = array<i32: 128>} { gpu.return }
  gpu.func @at2(%a: memref<4xf32>) workgroup(%b : memref<1xf32, 3>) { 
    %c0 = arith.constant 0 : index
    %l = memref.load %b[%c0] : memref<1xf32, 3>
   cf.br ^bb1 
   ^bb1: gpu.return }
  func.func @ff(%x : i32) { return }
  }
  gpu.module @m2 attributes {foo = 1 : i32} { }
  func.func @host(%n : index, %f : f32, %i : i32, %t : !gpu.async.token) {
    gpu.launch_func @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %i args(%f : f32, %i : i32)
    gpu.launch_func @m::@k clusters in (%i, %i, %i) blocks in (%i, %i, %i) threads in (%i, %i, %i) : i32 args(%f : f32, %i : i32)
    %d = gpu.launch_func async [%t] @m::@k blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%f : f32, %i : i32)
    return
  }
}
