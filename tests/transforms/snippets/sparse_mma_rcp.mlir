func.func @sp(%a: vector<2x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %md: vector<2xi16>) -> vector<2x2xf16> {
    %d = nvgpu.mma.sp.sync (%a, %b, %c) metadata (%md) {mmaShape = [16, 8, 16]} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    return %d : vector<2x2xf16>
}
func.func @sp2(%a: vector<4x2xf16>, %b: vector<4x2xf16>, %c: vector<2x2xf32>, %md: vector<2xi16>) -> vector<2x2xf32> {
    %d = nvgpu.mma.sp.sync (%a, %b, %c) metadata (%md) {mmaShape = [16, 8, 32], sparsitySelector = 1 : i32} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    return %d : vector<2x2xf32>
}
func.func @spi(%a: vector<4x4xi8>, %b: vector<4x4xi8>, %c: vector<2x2xi32>, %md: vector<2xi16>) -> vector<2x2xi32> {
    %d = nvgpu.mma.sp.sync (%a, %b, %c) metadata (%md) {mmaShape = [16, 8, 64]} : (vector<4x4xi8>, vector<4x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
    return %d : vector<2x2xi32>
}
func.func @sptf(%a: vector<4x1xf32>, %b: vector<4x1xf32>, %c: vector<2x2xf32>, %md: vector<2xi16>) -> vector<2x2xf32> {
    %d = nvgpu.mma.sp.sync (%a, %b, %c) metadata (%md) {mmaShape = [16, 8, 16], tf32Enabled} : (vector<4x1xf32>, vector<4x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
    return %d : vector<2x2xf32>
}
func.func @rcp(%a: vector<16xf32>) -> vector<16xf32> {
    %d = nvgpu.rcp %a {rounding = approx, ftz} : vector<16xf32>
    return %d : vector<16xf32>
}
