// HACL*: Hacl_Hash_Blake2b_hash_with_key, documented in Hacl_Hash_Blake2b.h. With
// SIMD256 the vectorized one, of Hacl_Hash_Blake2b_Simd256.h.

#ifdef SIMD256
#include <Hacl_Hash_Blake2b_Simd256.h>
#define NAME "hacl-simd256"
#define hash_with_key Hacl_Hash_Blake2b_Simd256_hash_with_key
#else
#include <Hacl_Hash_Blake2b.h>
#define NAME "hacl"
#define hash_with_key Hacl_Hash_Blake2b_hash_with_key
#endif

#include "protocol.h"

static bool init(int argc, char **argv)
{
	(void)argc, (void)argv;
#ifdef SIMD256
	if (!__builtin_cpu_supports("avx2")) {
		fprintf(stderr, NAME ": this processor has no AVX2\n");
		return false;
	}
#endif
	return true;
}

struct state {
	char none;
};

static answer digest(const struct params *p, const uint8_t *in, size_t n, uint8_t *out)
{
	if (p->salt.given || p->person.given || p->tree.given)
		return UNSUPPORTED("salt, personalization and tree");
	hash_with_key(out, (uint32_t)p->size, (uint8_t *)in, (uint32_t)n, p->key.p, (uint32_t)p->key.n);
	return OK;
}

static const struct port port = {
	.name = NAME,
	.init = init,
	.digest = digest,
};
