// libsodium: crypto_generichash_blake2b_*, documented at doc.libsodium.org.

#include <sodium.h>

#include "protocol.h"

struct state {
	crypto_generichash_blake2b_state s;
};

static bool init(int argc, char **argv)
{
	(void)argc, (void)argv;
	return sodium_init() >= 0;
}

static answer start(state *s, const struct params *p)
{
	const unsigned char *salt = p->salt.given ? p->salt.p : NULL, *person = p->person.given ? p->person.p : NULL;
	if (p->tree.given)
		return UNSUPPORTED("tree");
	if ((p->salt.given && p->salt.n != crypto_generichash_blake2b_SALTBYTES) ||
	    (p->person.given && p->person.n != crypto_generichash_blake2b_PERSONALBYTES))
		return UNSUPPORTED("salt and personalization of other than 16 bytes");
	const unsigned char *key = p->key.given ? p->key.p : NULL;
	int failed = salt == NULL && person == NULL
			     ? crypto_generichash_blake2b_init(&s->s, key, p->key.n, p->size)
			     : crypto_generichash_blake2b_init_salt_personal(&s->s, key, p->key.n, p->size, salt, person);
	return failed ? ERROR("crypto_generichash_blake2b_init failed") : OK;
}

static answer update(state *s, const uint8_t *in, size_t n)
{
	return crypto_generichash_blake2b_update(&s->s, in, n) ? ERROR("crypto_generichash_blake2b_update failed") : OK;
}

static answer final(state *s, uint8_t *out, size_t size)
{
	return crypto_generichash_blake2b_final(&s->s, out, size) ? ERROR("crypto_generichash_blake2b_final failed") : OK;
}

static answer copy(state *to, const state *from)
{
	*to = *from;
	return OK;
}

static const struct port port = {
	.name = "libsodium",
	.version = sodium_version_string,
	.init = init,
	.state_size = sizeof(state),
	.start = start,
	.update = update,
	.final = final,
	.copy = copy,
};
