// Aggregates: by value to functions, packed, with bit fields, in unions, linked by pointers.
#include "kernels.h"

struct pair { int a; float b; };
struct big { int n; double d[3]; char tag; struct pair p[2]; };
struct tiny { u8 x, y, z; };
struct bits { u32 a : 3; u32 b : 7; int c : 11; u32 d : 11; };
struct __attribute__((packed)) packed { u8 a; u32 b; u16 c; u64 d; };
struct eight { int v[8]; };
struct node { int value; struct node *next; };
union mix { u32 word; float number; u8 bytes[4]; u16 halves[2]; };

DEVICE struct big make(int i, float f) {
  struct big b;
  b.n = i;
  for (int k = 0; k < 3; k++) b.d[k] = f * k + i;
  b.tag = (char)(i * 3);
  b.p[0].a = i;
  b.p[0].b = f;
  b.p[1].a = -i;
  b.p[1].b = -f;
  return b;
}

DEVICE int use(struct big b, struct tiny t, struct pair p) {
  return b.n + (int)b.d[2] + b.tag + b.p[1].a + t.x * 2 + t.y * 3 + t.z * 5 + p.a + (int)p.b;
}

KERNEL(by_value) {
  int i = THREAD;
  struct tiny t = {i, i + 1, i + 2};
  struct pair p = {in[i] & 15, 3.0f};
  out[i] = use(make(in[i] & 255, 1.5f), t, p);
}

DEVICE struct eight rotated(struct eight a, int by) {
  struct eight r;
  for (int k = 0; k < 8; k++) r.v[k] = a.v[(k + by) & 7];
  return r;
}

KERNEL(array_in_struct) {
  int i = THREAD;
  struct eight a;
  for (int k = 0; k < 8; k++) a.v[k] = in[i * 8 + k];
  a = rotated(a, i);
  for (int k = 0; k < 8; k++) out[i * 8 + k] = a.v[k];
}

KERNEL(bit_fields) {
  int i = THREAD;
  struct bits b;
  *(u32 *)&b = in[i];
  b.a++;
  b.b += b.a;
  b.c -= (int)b.b;
  b.d ^= b.c;
  out[i] = *(u32 *)&b + b.c;
}

KERNEL(packed_struct) {
  int i = THREAD;
  struct packed p = {i, in[i], in[i] >> 3, (u64)in[i] * in[i + 1]};
  ((struct packed *)out)[i] = p;
}

KERNEL(unions) {
  int i = THREAD;
  union mix m;
  m.number = (float)(in[i] & 1023);
  m.bytes[1] ^= i;
  m.halves[1] += 3;
  out[i] = m.word;
}

KERNEL(linked_list) {
  int i = THREAD, sum = 0;
  struct node n[4];
  for (int k = 0; k < 4; k++) {
    n[k].value = in[i + k];
    n[k].next = k < 3 ? &n[k + 1] : 0;
  }
  for (struct node *p = n; p; p = p->next) sum = sum * 3 + p->value;
  out[i] = sum;
}
