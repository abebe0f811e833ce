// Textures and surfaces through handles.
extern "C" __global__ void textures(cudaTextureObject_t image, cudaTextureObject_t volume, cudaSurfaceObject_t surface,
                                    float4 *out, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float4 a = tex2D<float4>(image, x + 0.5f, y + 0.5f);
  float b = tex3D<float>(volume, x * 0.1f, y * 0.1f, 0.5f);
  float4 c = tex2DLod<float4>(image, x, y, 1.f);
  int4 g = tex2Dgather<int4>(image, (float)x, (float)y, 1);
  uchar4 s;
  surf2Dread(&s, surface, x * 4, y);
  surf2Dwrite(make_uchar4(s.w, s.x, s.y, s.z), surface, x * 4, y, cudaBoundaryModeTrap);
  out[y * width + x] = make_float4(a.x + b, a.y + c.x, a.z * g.x, a.w + s.x);
}
