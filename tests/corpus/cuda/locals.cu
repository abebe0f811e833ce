// Arrays in local memory, constant memory, initialised globals, and vector accesses.
__constant__ float weights[16] = {1.f, -2.f, 0.5f, 3.25f};
__constant__ struct { int mode; double scale; } settings = {3, 1.5};
__device__ int lookup[8] = {1, 1, 2, 3, 5, 8, 13, 21};
__device__ const char message[] = "weft \"quoted\"\n";
__device__ unsigned short counter = 7;
extern "C" __global__ void locals(float4 *v, int *index, double2 *d, uchar4 *bytes) {
  float stack[32];
  for (int i = 0; i < 32; ++i) stack[(i * index[0]) & 31] = weights[i & 15];
  float4 x = v[threadIdx.x];
  x.x += stack[index[1] & 31];
  x.w *= weights[index[2] & 15] * settings.scale;
  v[threadIdx.x] = x;
  double2 y = d[threadIdx.x];
  d[threadIdx.x] = make_double2(y.y, y.x + lookup[index[3] & 7]);
  uchar4 b = bytes[threadIdx.x];
  bytes[threadIdx.x] = make_uchar4(b.w, b.z + message[index[4] & 7], (unsigned char)counter, settings.mode);
  counter = (unsigned short)stack[index[5] & 31];
}
