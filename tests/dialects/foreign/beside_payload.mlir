func.func @f(%lhs: tensor<64xf32>, %init: tensor<64xf32>, %a: tensor<16x32x64xf32>, %b: tensor<16x64xf32>, %m: memref<4xf32>, %n: memref<f32>) {
  %0 = linalg.map { arith.addf } ins(%lhs, %lhs : tensor<64xf32>, tensor<64xf32>) outs(%init: tensor<64xf32>)
  %1 = linalg.reduce { arith.addf } ins(%a:tensor<16x32x64xf32>) outs(%b:tensor<16x64xf32>) dimensions = [1]
  %2 = linalg.reduce { arith.addf {fastmath = #arith.fastmath<fast>} } ins(%a:tensor<16x32x64xf32>) outs(%b:tensor<16x64xf32>) dimensions = [1]
  linalg.reduce { arith.maximumf } ins(%m: memref<4xf32>) outs(%n: memref<f32>) dimensions = [0]
  linalg.map { math.exp } ins(%m : memref<4xf32>) outs(%m : memref<4xf32>)
  %3 = linalg.reduce ins(%a:tensor<16x32x64xf32>) outs(%b:tensor<16x64xf32>) dimensions = [1] (%in: f32, %out: f32) {
        %9 = arith.addf %out, %in: f32
        linalg.yield %9: f32
      }
  %4 = linalg.reduce ins(%a:tensor<16x32x64xf32>) outs(%b:tensor<16x64xf32>) dimensions = [1] (%in: f32, %out: f32) {
        %9 = arith.addf %in, %out: f32
        linalg.yield %9: f32
      }
  return
}
func.func @g(%lhs: tensor<64xf32>, %init: tensor<64xf32>) {
  %0 = linalg.map ins(%lhs, %lhs : tensor<64xf32>, tensor<64xf32>) outs(%init: tensor<64xf32>) (%a: f32, %b: f32, %o: f32) {
    %1 = arith.addf %a, %b : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  }
  return
}
