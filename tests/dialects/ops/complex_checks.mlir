func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.add"(%a, %b) : (complex<f32>, complex<f64>) -> complex<f32>
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.re"(%a) : (complex<f32>) -> f64
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.re"(%f) : (f32) -> f32
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.eq"(%a, %b) : (complex<f32>, complex<f64>) -> i1
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.eq"(%a, %a) : (complex<f32>, complex<f32>) -> i32
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.create"(%f, %g) : (f32, f64) -> complex<f32>
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.create"(%f, %f) : (f32, f32) -> complex<f64>
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.bitcast"(%a) : (complex<f32>) -> complex<f32>
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.bitcast"(%a) : (complex<f32>) -> i32
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.constant"() {value = [1.0, 2.0]} : () -> complex<f32>
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.constant"() {value = [1.0 : f32]} : () -> complex<f32>
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.constant"() {value = 1.0 : f32} : () -> complex<f32>
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.neg"(%a) : (complex<f32>) -> complex<f64>
  return
}
// -----
func.func @f(%a: complex<f32>, %b: complex<f64>, %f: f32, %g: f64) {
  %0 = "complex.neg"(%a) {fastmath = 1 : i32} : (complex<f32>) -> complex<f32>
  return
}
// -----
func.func @f(%a: complex<i32>, %f: f32, %g: f64) {
  %0 = "complex.neg"(%a) : (complex<i32>) -> complex<i32>
  return
}
// -----
func.func @f(%a: complex<f32>, %f: f32, %g: f64) {
  %0 = "complex.abs"(%a) : (complex<f32>) -> i32
  return
}
// -----
func.func @f(%a: complex<f32>, %f: f32, %g: f64) {
  %0 = "complex.create"(%a, %a) : (complex<f32>, complex<f32>) -> complex<f32>
  return
}
// -----
func.func @f(%a: complex<f32>, %f: f32, %g: f64) {
  %0 = "complex.create"(%f, %f) : (f32, f32) -> f32
  return
}
// -----
func.func @f(%a: complex<f32>, %f: f32, %g: f64) {
  %0 = "complex.bitcast"(%a) : (complex<f32>) -> complex<f64>
  return
}
// -----
func.func @f(%a: i64, %f: f32, %g: f64) {
  %0 = "complex.bitcast"(%a) : (i64) -> f64
  return
}
// -----
func.func @f(%a: i64, %f: tensor<4xf32>, %g: f64) {
  %0 = "complex.bitcast"(%f) : (tensor<4xf32>) -> f64
  return
}
// -----
func.func @f(%a: complex<f32>, %f: tensor<4xf32>, %g: f64) {
  %0 = "complex.powi"(%a, %a) : (complex<f32>, complex<f32>) -> complex<f32>
  return
}
