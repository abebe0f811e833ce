#pragma once

__device__ unsigned add(unsigned a, unsigned long long b) {
  unsigned sum;
  asm("add.u32 %0, %1, %2;" : "=r"(sum) : "r"(a), "l"(b));
  return sum;
}

__device__ void put(unsigned* place, unsigned value) {
  asm volatile(
      "{\n\t"
      ".reg .pred nonzero;\n\t"
      "setp.ne.u32 nonzero, %1, 0;\n\t"
      "@nonzero st.shared.u33 [%0], %1;\n\t"
      "}"
      :: "l"(place), "r"(value) : "memory");
}

__device__ unsigned get(unsigned* place) {
  unsigned value;
  asm("ld.shared.u32 %0, [%1];" : "=r"(value) : "l"(place));
  return value;
}
