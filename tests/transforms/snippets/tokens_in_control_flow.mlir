func.func @sp(%A: memref<128x64xf16, 1>, %Ag: memref<128x64xf16, #gpu.address_space<global>>, %s : memref<16x16xf16, #gpu.address_space<workgroup>>, %n : index) {
    %tok = nvgpu.device_async_copy %A[%n, %n], %s[%n, %n], 8, %n {bypassL1} : memref<128x64xf16,1> to memref<16x16xf16, #gpu.address_space<workgroup>>
    %tok2 = nvgpu.device_async_copy %Ag[%n, %n], %s[%n, %n], 8 {bypassL1} : memref<128x64xf16,#gpu.address_space<global>> to memref<16x16xf16, #gpu.address_space<workgroup>>
    return
}
func.func @tok(%A: memref<128x64xf16, 1>, %s : memref<16x16xf16, #gpu.address_space<workgroup>>, %n : index, %c : i1, %i8 : memref<16x16xi8, 3>) -> !nvgpu.device.async.token {
    %r = scf.if %c -> !nvgpu.device.async.token {
       %tok = nvgpu.device_async_copy %A[%n, %n], %s[%n, %n], 8, %n {bypassL1} : memref<128x64xf16,1> to memref<16x16xf16, #gpu.address_space<workgroup>>
       scf.yield %tok : !nvgpu.device.async.token
    } else {
       %tok = nvgpu.device_async_create_group
       scf.yield %tok : !nvgpu.device.async.token
    }
    nvgpu.device_async_wait %r
    %x = nvgpu.ldmatrix %i8[%n, %n] {numTiles = 4 : i32, transpose = false} : memref<16x16xi8, 3> -> vector<4x4xi8>
    return %r : !nvgpu.device.async.token
}
