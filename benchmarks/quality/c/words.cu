#include "device.h"

#define ROTATE(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define QUARTER(a, b, c, d)                                                                                           \
    a += b, d = ROTATE(d ^ a, 16), c += d, b = ROTATE(b ^ c, 12), a += b, d = ROTATE(d ^ a, 8), c += d,               \
        b = ROTATE(b ^ c, 7)

/* A stream cipher's block for each thread. */
KERNEL(cipher)(const u32 *key, const u32 *text, u32 *out, u32 nonce) {
    u32 i = BX * NX + TX, x[16], s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (int n = 0; n < 8; n++) s[4 + n] = key[n];
    s[12] = i, s[13] = 0, s[14] = nonce, s[15] = ~nonce;
    for (int n = 0; n < 16; n++) x[n] = s[n];
    for (int n = 0; n < 10; n++) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (int n = 0; n < 16; n++) out[i * 16 + n] = (x[n] + s[n]) ^ text[i * 16 + n];
}

/* A checksum of a row of bytes by a table in shared memory. */
KERNEL(checksum)(const u8 *text, u32 *out, int length) {
    __shared__ u32 table[256];
    for (u32 i = TX; i < 256; i += NX) {
        u32 c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
    SYNC();
    u32 c = ~0u;
    const u8 *row = text + TX * length;
    for (int i = 0; i < length; i++) c = table[(c ^ row[i]) & 255] ^ c >> 8;
    out[TX] = ~c;
}

/* Words of bytes counted: a state of the scan in two bits. */
KERNEL(words_and_lines)(const u8 *text, int *words, int *lines, int length) {
    int first = TX * length, count = 0, ends = 0;
    bool inside = first && text[first - 1] > ' ';
    for (int i = first; i < first + length; i++) {
        u8 c = text[i];
        bool letter = c > ' ';
        count += letter && !inside;
        ends += c == '\n';
        inside = letter;
    }
    words[TX] = count;
    lines[TX] = ends;
}

/* Colours of pixels to grey, bytes packed in words. */
KERNEL(grey)(const u32 *pixels, u8 *out, int width, int height) {
    int x = BX * NX + TX, y = BY * NY + TY;
    if (x >= width || y >= height) return;
    u32 p = pixels[y * width + x];
    out[y * width + x] = ((p & 255) * 77 + (p >> 8 & 255) * 150 + (p >> 16 & 255) * 29 + 128) >> 8;
}
