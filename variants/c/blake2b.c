// BLAKE2b's compression function F, to be read beside RFC 7693, sections 2.6 to
// 3.2, in portable C: of any byte order, and C99 alone.
//
// It is for testing other implementations, and for what C compilers make of it.

#include <stdint.h>

// As in the Linux kernel since December 2025, the rounds are written out where a
// word has 64 bits, and a loop where it has 32. -DBLAKE2B_UNROLL=0 or 1 decides.
#ifndef BLAKE2B_UNROLL
#define BLAKE2B_UNROLL (UINTPTR_MAX > UINT32_MAX)
#endif

// The initialization vector of section 2.6: the first 64 fractional bits of the
// square roots of the first eight primes.
static const uint64_t iv[8] = {
	0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
	0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

// The message word schedule of section 2.7, a row for each round: the last two are
// rows 0 and 1 again.
static const uint8_t sigma[12][16] = {
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
	{11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
	{7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
	{9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
	{2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
	{12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
	{13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
	{6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
	{10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
};

// little returns the little-endian word at p. Compilers see that it is one load.
static inline uint64_t little(const uint8_t *p)
{
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static inline uint64_t rotate_right(uint64_t x, int n)
{
	return x >> n | x << (64 - n);
}

// G is the mixing function of section 3.1, the i-th of round r. As in ../rolled, the
// message word is added first.
#define G(r, i, a, b, c, d)                  \
	do {                                 \
		a += m[sigma[r][2 * i]];     \
		a += b;                      \
		d = rotate_right(d ^ a, 32); \
		c += d;                      \
		b = rotate_right(b ^ c, 24); \
		a += m[sigma[r][2 * i + 1]]; \
		a += b;                      \
		d = rotate_right(d ^ a, 16); \
		c += d;                      \
		b = rotate_right(b ^ c, 63); \
	} while (0)

// ROUND applies G to the columns, then to the diagonals.
#define ROUND(r)                                   \
	do {                                       \
		G(r, 0, v[0], v[4], v[8], v[12]);  \
		G(r, 1, v[1], v[5], v[9], v[13]);  \
		G(r, 2, v[2], v[6], v[10], v[14]); \
		G(r, 3, v[3], v[7], v[11], v[15]); \
		G(r, 4, v[0], v[5], v[10], v[15]); \
		G(r, 5, v[1], v[6], v[11], v[12]); \
		G(r, 6, v[2], v[7], v[8], v[13]);  \
		G(r, 7, v[3], v[4], v[9], v[14]);  \
	} while (0)

// blake2b_compress is F of section 3.2: it absorbs one block into the state h. t is
// the offset counter in bytes, low word first, this block included. f holds the
// finalization flags of the BLAKE2 paper, section 2.4: f[0] is all ones in the last
// block, f[1] also in the last node of a tree.
void blake2b_compress(uint64_t h[8], const uint8_t block[128], const uint64_t t[2], const uint64_t f[2])
{
	uint64_t m[16], v[16];
	for (int i = 0; i < 16; i++)
		m[i] = little(block + 8 * i);
	for (int i = 0; i < 8; i++) {
		v[i] = h[i];
		v[i + 8] = iv[i];
	}
	v[12] ^= t[0];
	v[13] ^= t[1];
	v[14] ^= f[0];
	v[15] ^= f[1];
#if BLAKE2B_UNROLL
	ROUND(0);
	ROUND(1);
	ROUND(2);
	ROUND(3);
	ROUND(4);
	ROUND(5);
	ROUND(6);
	ROUND(7);
	ROUND(8);
	ROUND(9);
	ROUND(10);
	ROUND(11);
#else
	for (int r = 0; r < 12; r++)
		ROUND(r);
#endif
	for (int i = 0; i < 8; i++)
		h[i] ^= v[i] ^ v[i + 8];
}
