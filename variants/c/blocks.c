// F on any number of blocks, as the Linux kernel has it. With -DINSIDE, blake2b.c is
// part of this file, and F is static: as it is called once, compilers then write it
// into the loop.

#include <stddef.h>
#include <stdint.h>

#ifdef INSIDE
static
#endif
void blake2b_compress(uint64_t h[8], const uint8_t block[128], const uint64_t t[2], const uint64_t f[2]);

#ifdef INSIDE
#include "blake2b.c"
#endif

// blake2b_compress_blocks compresses n blocks that are not the last. t counts what
// came before.
void blake2b_compress_blocks(uint64_t h[8], const uint8_t *blocks, size_t n, uint64_t t[2])
{
	static const uint64_t f[2];
	for (; n > 0; n--, blocks += 128) {
		t[0] += 128;
		t[1] += t[0] < 128;
		blake2b_compress(h, blocks, t, f);
	}
}
