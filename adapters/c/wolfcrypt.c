// wolfCrypt: wc_InitBlake2b, _WithKey, wc_Blake2bUpdate and wc_Blake2bFinal,
// documented in the wolfSSL manual, chapter "Algorithms - BLAKE2".

#include <wolfssl/options.h>
#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/blake2.h>

#include "protocol.h"

struct state {
	Blake2b s;
};

static const char *version(void)
{
	return LIBWOLFSSL_VERSION_STRING;
}

static answer start(state *s, const struct params *p)
{
	if (p->salt.given || p->person.given || p->tree.given)
		return UNSUPPORTED("salt, personalization and tree");
	if (p->key.given)
		return wc_InitBlake2b_WithKey(&s->s, (word32)p->size, p->key.p, (word32)p->key.n) == 0 ? OK : ERROR("wc_InitBlake2b_WithKey failed");
	return wc_InitBlake2b(&s->s, (word32)p->size) == 0 ? OK : ERROR("wc_InitBlake2b failed");
}

static answer update(state *s, const uint8_t *in, size_t n)
{
	return wc_Blake2bUpdate(&s->s, in, (word32)n) == 0 ? OK : ERROR("wc_Blake2bUpdate failed");
}

static answer final(state *s, uint8_t *out, size_t size)
{
	return wc_Blake2bFinal(&s->s, out, (word32)size) == 0 ? OK : ERROR("wc_Blake2bFinal failed");
}

static answer copy(state *to, const state *from)
{
	*to = *from;
	return OK;
}

static answer set_t(state *s, const uint64_t t[2])
{
	s->s.S[0].t[0] = t[0];
	s->s.S[0].t[1] = t[1];
	return OK;
}

static const struct port port = {
	.name = "wolfcrypt",
	.version = version,
	.state_size = sizeof(state),
	.start = start,
	.update = update,
	.final = final,
	.copy = copy,
	.set_t = set_t,
};
