// LibTomCrypt: blake2b_init, _process and _done of tomcrypt_hash.h.

#include <tomcrypt.h>

#include "protocol.h"

struct state {
	hash_state s;
};

static const char *version(void)
{
	return SCRYPT;
}

static answer result(int code)
{
	return code == CRYPT_OK ? OK : say("error", error_to_string(code));
}

static answer start(state *s, const struct params *p)
{
	if (p->salt.given || p->person.given || p->tree.given)
		return UNSUPPORTED("salt, personalization and tree");
	return result(blake2b_init(&s->s, p->size, p->key.given ? p->key.p : NULL, p->key.n));
}

static answer update(state *s, const uint8_t *in, size_t n)
{
	return result(blake2b_process(&s->s, in, n));
}

static answer final(state *s, uint8_t *out, size_t size)
{
	(void)size; // it was said to blake2b_init
	return result(blake2b_done(&s->s, out));
}

static answer copy(state *to, const state *from)
{
	*to = *from;
	return OK;
}

static answer set_t(state *s, const uint64_t t[2])
{
	s->s.blake2b.t[0] = t[0];
	s->s.blake2b.t[1] = t[1];
	return OK;
}

static const struct port port = {
	.name = "libtomcrypt",
	.version = version,
	.state_size = sizeof(state),
	.start = start,
	.update = update,
	.final = final,
	.copy = copy,
	.set_t = set_t,
};
