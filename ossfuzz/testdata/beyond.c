// libb2 with a planted fault of memory: in some cases it goes one byte beyond the
// write, the key or the digest that it is given, as -DBEYOND says: 'w', 'k' or 'd'.

#include <blake2.h>

static volatile uint8_t sink;

static int update_beyond(blake2b_state *s, const uint8_t *in, size_t n)
{
	if (BEYOND == 'w' && n > 0 && n % 128 == 0)
		sink = in[n];
	return blake2b_update(s, in, n);
}

static int init_key_beyond(blake2b_state *s, size_t size, const uint8_t *key, size_t n)
{
	if (BEYOND == 'k' && size == 17 && n > 16)
		sink = key[n];
	return blake2b_init_key(s, size, key, n);
}

static int final_beyond(blake2b_state *s, uint8_t *out, size_t size)
{
	int failed = blake2b_final(s, out, size);
	if (BEYOND == 'd' && size % 8 != 0 && s->t[0] > 128)
		out[size] = 0;
	return failed;
}

#define blake2b_update update_beyond
#define blake2b_init_key init_key_beyond
#define blake2b_final final_beyond
#define NAME "beyond"
#include "../../adapters/c/blake2_package.h"
