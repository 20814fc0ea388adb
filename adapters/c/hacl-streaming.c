// HACL*: Hacl_Hash_Blake2b_malloc, _update, _digest and _reset, documented in
// Hacl_Hash_Blake2b.h. With SIMD256 those of Hacl_Hash_Blake2b_Simd256.h.

#ifdef SIMD256
#include <Hacl_Hash_Blake2b_Simd256.h>
#define NAME "hacl-streaming-simd256"
#define CALL(function) Hacl_Hash_Blake2b_Simd256_##function
#else
#include <Hacl_Hash_Blake2b.h>
#define NAME "hacl-streaming"
#define CALL(function) Hacl_Hash_Blake2b_##function
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
	CALL(state_t) *s;
};

static answer start(state *s, const struct params *p)
{
	if (p->key.given || p->salt.given || p->person.given || p->tree.given)
		return UNSUPPORTED("key, salt, personalization and tree");
	if (p->size != 64)
		return UNSUPPORTED("a digest length other than 64");
	s->s = CALL(malloc)();
	return s->s != NULL ? OK : ERROR("malloc failed");
}

static answer update(state *s, const uint8_t *in, size_t n)
{
	return CALL(update)(s->s, (uint8_t *)in, (uint32_t)n) == Hacl_Streaming_Types_Success ? OK : ERROR("update failed");
}

static answer final(state *s, uint8_t *out, size_t size)
{
	(void)size;
	CALL(digest)(s->s, out);
	return OK;
}

static answer reset(state *s)
{
	CALL(reset)(s->s);
	return OK;
}

static void end(state *s)
{
	if (s->s != NULL)
		CALL(free)(s->s);
}

static const struct port port = {
	.name = NAME,
	.init = init,
	.state_size = sizeof(state),
	.start = start,
	.update = update,
	.final = final,
	.reset = reset,
	.end = end,
};
