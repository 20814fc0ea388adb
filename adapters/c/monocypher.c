// Monocypher: crypto_blake2b_*, documented in crypto_blake2b(3monocypher), which
// says that lengths must be at most 64, and that final wipes the context.

#include <monocypher.h>

#include "protocol.h"

struct state {
	crypto_blake2b_ctx s;
};

static answer start(state *s, const struct params *p)
{
	if (p->salt.given || p->person.given || p->tree.given)
		return UNSUPPORTED("salt, personalization and tree");
	if (p->key.given)
		crypto_blake2b_keyed_init(&s->s, p->size, p->key.p, p->key.n);
	else
		crypto_blake2b_init(&s->s, p->size);
	return OK;
}

static answer update(state *s, const uint8_t *in, size_t n)
{
	crypto_blake2b_update(&s->s, in, n);
	return OK;
}

static answer final(state *s, uint8_t *out, size_t size)
{
	(void)size; // it was said to init
	crypto_blake2b_final(&s->s, out);
	return OK;
}

static answer copy(state *to, const state *from)
{
	*to = *from;
	return OK;
}

static answer set_t(state *s, const uint64_t t[2])
{
	s->s.input_offset[0] = t[0];
	s->s.input_offset[1] = t[1];
	return OK;
}

static const struct port port = {
	.name = "monocypher",
	.state_size = sizeof(state),
	.start = start,
	.update = update,
	.final = final,
	.after_final = NOTHING,
	.copy = copy,
	.set_t = set_t,
};
