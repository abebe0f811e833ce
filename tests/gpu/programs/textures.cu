#include "check.h"
#include <vector>
#include <cmath>
__global__ void k1(cudaTextureObject_t t, float *o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) o[y * w + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}
__global__ void klin(cudaTextureObject_t t, float *o, int n) { int i = threadIdx.x; if (i < n) o[i] = tex1Dfetch<float>(t, i) * 2; }
__global__ void kpitch(cudaTextureObject_t t, uchar4 *o, int w) { int x = threadIdx.x, y = threadIdx.y; o[y * w + x] = tex2D<uchar4>(t, x, y); }
__global__ void knorm(cudaTextureObject_t t, float *o, int w) { int x = threadIdx.x; float u = (x + 0.5f) / w; o[x] = tex2D<float>(t, u, 0.5f); }
__global__ void klayer(cudaTextureObject_t t, float *o, int w, int layer) { int x = threadIdx.x, y = threadIdx.y; o[(layer * blockDim.y + y) * w + x] = tex2DLayered<float>(t, x + 0.5f, y + 0.5f, layer) * -1.0f + layer; }
__global__ void kvol(cudaTextureObject_t t, float *o, int w, int h) { int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z; o[(z * h + y) * w + x] = tex3D<float>(t, x + .5f, y + .5f, z + .5f); }
__global__ void ksurf(cudaSurfaceObject_t s, int w) { int x = threadIdx.x, y = threadIdx.y; float v; surf2Dread(&v, s, x * 4, y); surf2Dwrite(v + 100 * y, s, x * 4, y); }
__global__ void ksurf4(cudaSurfaceObject_t s) { int x = threadIdx.x, y = threadIdx.y; uchar4 v = make_uchar4(x, y, x + y, 255); surf2Dwrite(v, s, x * sizeof(uchar4), y, cudaBoundaryModeZero); }
__global__ void kcube(cudaTextureObject_t t, float *o) { int f = threadIdx.x; float3 d[6] = {{1,0,0},{-1,0,0},{0,1,0},{0,-1,0},{0,0,1},{0,0,-1}}; o[f] = texCubemap<float>(t, d[f].x, d[f].y, d[f].z); }
__global__ void kmip(cudaTextureObject_t t, float *o, int lods) { int l = threadIdx.x; o[l] = tex2DLod<float>(t, 0.5f, 0.5f, (float)l); }
int main() {
  const int w = 40, h = 24;
  std::vector<float> a(w * h), b(w * h);
  for (int i = 0; i < w * h; i++) a[i] = i * 0.5f;
  float *o; CK(cudaMalloc(&o, w * h * 4));
  cudaChannelFormatDesc cd = cudaCreateChannelDesc<float>();
  cudaArray_t arr; CK(cudaMallocArray(&arr, &cd, w, h));
  CK(cudaMemcpy2DToArray(arr, 0, 0, a.data(), w * 4, w * 4, h, cudaMemcpyHostToDevice));
  cudaResourceDesc rd{}; rd.resType = cudaResourceTypeArray; rd.res.array.array = arr;
  cudaTextureDesc td{}; td.addressMode[0] = td.addressMode[1] = cudaAddressModeClamp; td.filterMode = cudaFilterModePoint; td.readMode = cudaReadModeElementType;
  cudaTextureObject_t t; CK(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  k1<<<dim3(3, 2), dim3(16, 16)>>>(t, o, w, h); CK(cudaGetLastError());
  CK(cudaMemcpy(b.data(), o, w * h * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < w * h; i++) EXPECT(a[i] == b[i]);
  // changed contents are seen by the next launch
  a[5] = 1234; CK(cudaMemcpyToArray(arr, 0, 0, a.data(), w * h * 4, cudaMemcpyHostToDevice));
  k1<<<dim3(3, 2), dim3(16, 16)>>>(t, o, w, h);
  CK(cudaMemcpy(b.data(), o, w * h * 4, cudaMemcpyDeviceToHost)); EXPECT(b[5] == 1234);
  cudaResourceDesc back; CK(cudaGetTextureObjectResourceDesc(&back, t)); EXPECT(back.res.array.array == arr);
  CK(cudaDestroyTextureObject(t));
  // normalized, wrap, linear
  td.normalizedCoords = 1; td.addressMode[0] = td.addressMode[1] = cudaAddressModeWrap; td.filterMode = cudaFilterModeLinear;
  CK(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  knorm<<<1, w>>>(t, o, w); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(b.data(), o, w * 4, cudaMemcpyDeviceToHost));
  for (int i = 0; i < w; i++) { float want = (a[11 * w + i] + a[12 * w + i]) / 2; EXPECT(fabs(b[i] - want) < 0.2f); }
  CK(cudaDestroyTextureObject(t));
  // linear memory
  float *lin; CK(cudaMalloc(&lin, 256)); CK(cudaMemcpy(lin, a.data(), 256, cudaMemcpyHostToDevice));
  cudaResourceDesc rl{}; rl.resType = cudaResourceTypeLinear; rl.res.linear.devPtr = lin; rl.res.linear.desc = cd; rl.res.linear.sizeInBytes = 256;
  cudaTextureDesc t0{}; t0.readMode = cudaReadModeElementType;
  CK(cudaCreateTextureObject(&t, &rl, &t0, nullptr)); klin<<<1, 64>>>(t, o, 64); CK(cudaMemcpy(b.data(), o, 256, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) EXPECT(b[i] == 2 * a[i]);
  CK(cudaDestroyTextureObject(t));
  // pitch 2D uchar4
  uchar4 *pm, *po; size_t pitch; CK(cudaMallocPitch(&pm, &pitch, 8 * 4, 8)); CK(cudaMalloc(&po, 256));
  std::vector<unsigned char> img(256); for (int i = 0; i < 256; i++) img[i] = i;
  CK(cudaMemcpy2D(pm, pitch, img.data(), 32, 32, 8, cudaMemcpyHostToDevice));
  cudaResourceDesc rp{}; rp.resType = cudaResourceTypePitch2D; rp.res.pitch2D.devPtr = pm; rp.res.pitch2D.desc = cudaCreateChannelDesc<uchar4>(); rp.res.pitch2D.width = 8; rp.res.pitch2D.height = 8; rp.res.pitch2D.pitchInBytes = pitch;
  CK(cudaCreateTextureObject(&t, &rp, &t0, nullptr)); kpitch<<<1, dim3(8, 8)>>>(t, po, 8);
  std::vector<unsigned char> got(256); CK(cudaMemcpy(got.data(), po, 256, cudaMemcpyDeviceToHost)); EXPECT(got == img);
  // layered
  cudaArray_t la; cudaExtent ext = make_cudaExtent(8, 8, 4); CK(cudaMalloc3DArray(&la, &cd, ext, cudaArrayLayered));
  cudaMemcpy3DParms cp{}; cp.srcPtr = make_cudaPitchedPtr(a.data(), 8 * 4, 8, 8); cp.dstArray = la; cp.extent = ext; cp.kind = cudaMemcpyHostToDevice; CK(cudaMemcpy3D(&cp));
  rd.res.array.array = la; td = cudaTextureDesc{}; td.readMode = cudaReadModeElementType;
  CK(cudaCreateTextureObject(&t, &rd, &td, nullptr));
  for (int l = 0; l < 4; l++) klayer<<<1, dim3(8, 8)>>>(t, o, 8, l);
  CK(cudaMemcpy(b.data(), o, 1024, cudaMemcpyDeviceToHost)); for (int i = 0; i < 256; i++) EXPECT(b[i] == -a[i] + i / 64);
  // volume
  cudaArray_t va; ext = make_cudaExtent(8, 4, 4); CK(cudaMalloc3DArray(&va, &cd, ext));
  cp = cudaMemcpy3DParms{}; cp.srcPtr = make_cudaPitchedPtr(a.data(), 8 * 4, 8, 4); cp.dstArray = va; cp.extent = ext; cp.kind = cudaMemcpyHostToDevice; CK(cudaMemcpy3D(&cp));
  rd.res.array.array = va; CK(cudaCreateTextureObject(&t, &rd, &td, nullptr)); kvol<<<1, dim3(8, 4, 4)>>>(t, o, 8, 4);
  CK(cudaMemcpy(b.data(), o, 512, cudaMemcpyDeviceToHost)); for (int i = 0; i < 128; i++) EXPECT(b[i] == a[i]);
  // surface
  cudaArray_t sa; CK(cudaMallocArray(&sa, &cd, 8, 8, cudaArraySurfaceLoadStore)); CK(cudaMemcpy2DToArray(sa, 0, 0, a.data(), 32, 32, 8, cudaMemcpyHostToDevice));
  cudaResourceDesc rs{}; rs.resType = cudaResourceTypeArray; rs.res.array.array = sa; cudaSurfaceObject_t s; CK(cudaCreateSurfaceObject(&s, &rs));
  ksurf<<<1, dim3(8, 8)>>>(s, 8); CK(cudaMemcpy2DFromArray(b.data(), 32, sa, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) EXPECT(b[i] == a[i] + 100 * (i / 8));
  CK(cudaDestroySurfaceObject(s)); 
  cudaChannelFormatDesc c4 = cudaCreateChannelDesc<uchar4>(); cudaArray_t ca; CK(cudaMallocArray(&ca, &c4, 8, 8, cudaArraySurfaceLoadStore)); rs.res.array.array = ca;
  CK(cudaCreateSurfaceObject(&s, &rs)); ksurf4<<<1, dim3(8, 8)>>>(s); CK(cudaMemcpy2DFromArray(got.data(), 32, ca, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
  for (int y = 0; y < 8; y++) for (int x = 0; x < 8; x++) EXPECT(got[(y * 8 + x) * 4] == x && got[(y * 8 + x) * 4 + 1] == y && got[(y * 8 + x) * 4 + 3] == 255);
  cudaChannelFormatDesc cg; cudaExtent eg; unsigned fg; CK(cudaArrayGetInfo(&cg, &eg, &fg, ca)); EXPECT(cg.x == 8 && cg.f == cudaChannelFormatKindUnsigned && eg.width == 8 && fg == cudaArraySurfaceLoadStore);
  // cubemap
  cudaArray_t cu; CK(cudaMalloc3DArray(&cu, &cd, make_cudaExtent(4, 4, 6), cudaArrayCubemap)); std::vector<float> faces(96); for (int i = 0; i < 96; i++) faces[i] = i / 16;
  cp = cudaMemcpy3DParms{}; cp.srcPtr = make_cudaPitchedPtr(faces.data(), 16, 4, 4); cp.dstArray = cu; cp.extent = make_cudaExtent(4, 4, 6); cp.kind = cudaMemcpyHostToDevice; CK(cudaMemcpy3D(&cp));
  rd.res.array.array = cu; td.normalizedCoords = 1; CK(cudaCreateTextureObject(&t, &rd, &td, nullptr)); kcube<<<1, 6>>>(t, o); CK(cudaMemcpy(b.data(), o, 24, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 6; i++) EXPECT(b[i] == i);
  // mipmaps
  cudaMipmappedArray_t mm; CK(cudaMallocMipmappedArray(&mm, &cd, make_cudaExtent(8, 8, 0), 4));
  for (int l = 0; l < 4; l++) { cudaArray_t lev; CK(cudaGetMipmappedArrayLevel(&lev, mm, l)); std::vector<float> v(64, l * 10.f); int n = 8 >> l; CK(cudaMemcpy2DToArray(lev, 0, 0, v.data(), n * 4, n * 4, n, cudaMemcpyHostToDevice)); }
  cudaResourceDesc rm{}; rm.resType = cudaResourceTypeMipmappedArray; rm.res.mipmap.mipmap = mm; td.maxMipmapLevelClamp = 3; td.mipmapFilterMode = cudaFilterModePoint; CK(cudaCreateTextureObject(&t, &rm, &td, nullptr));
  kmip<<<1, 4>>>(t, o, 4); CK(cudaMemcpy(b.data(), o, 16, cudaMemcpyDeviceToHost)); for (int i = 0; i < 4; i++) EXPECT(b[i] == 10 * i);
  CK(cudaFreeMipmappedArray(mm)); CK(cudaFreeArray(arr)); CK(cudaFreeArray(la));
  printf("ok\n");
}
