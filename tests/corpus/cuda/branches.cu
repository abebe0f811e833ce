// A dense switch (which becomes an indirect branch), loops with breaks, and divergence.
extern "C" __global__ void branches(const int *ops, int *data, int n) {
  int acc = data[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    switch (ops[i]) {
      case 0: acc += 3; break;
      case 1: acc -= data[i]; break;
      case 2: acc *= 7; break;
      case 3: acc ^= 0x55; break;
      case 4: acc = acc << (data[i + 1] & 31); break;
      case 5: acc = -acc; break;
      case 6: acc |= data[i + 2]; break;
      case 7: acc = acc > 100 ? 1 : acc + data[i + 3]; break;
      case 8: acc = __brev(acc); break;
      case 9: acc %= 17; break;
      case 10: if (acc < 0) return; break;
      case 11: continue;
      default: acc = acc / (ops[i] | 1);
    }
    if (acc == 12345) break;
    do { acc -= 5; } while (acc > 1000);
  }
  data[threadIdx.x] = acc;
}
