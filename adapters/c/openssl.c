// OpenSSL 3: without a key the digest BLAKE2B-512, with one the MAC
// BLAKE2BMAC, documented in EVP_MD-BLAKE2(7) and EVP_MAC-BLAKE2(7).

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

#include "protocol.h"

struct state {
	EVP_MD_CTX *md; // one of the two
	EVP_MAC_CTX *mac;
};

static EVP_MD *blake2b512;
static EVP_MAC *blake2bmac;

static const char *version(void)
{
	return OpenSSL_version(OPENSSL_VERSION_STRING);
}

static bool init(int argc, char **argv)
{
	(void)argc, (void)argv;
	blake2b512 = EVP_MD_fetch(NULL, "BLAKE2B-512", NULL);
	blake2bmac = EVP_MAC_fetch(NULL, "BLAKE2BMAC", NULL);
	return blake2b512 != NULL && blake2bmac != NULL;
}

static answer result(int ok)
{
	const char *reason = ok ? NULL : ERR_reason_error_string(ERR_peek_last_error());
	ERR_clear_error();
	return ok ? OK : say("error", reason != NULL ? reason : "no reason given");
}

static answer start(state *s, const struct params *p)
{
	if (p->tree.given)
		return UNSUPPORTED("tree");
	if (!p->key.given) {
		if (p->salt.given || p->person.given)
			return UNSUPPORTED("salt and personalization without a key");
		if (p->size != (size_t)EVP_MD_get_size(blake2b512))
			return UNSUPPORTED("a digest length other than 64 without a key");
		s->md = EVP_MD_CTX_new();
		return result(s->md != NULL && EVP_DigestInit_ex2(s->md, blake2b512, NULL));
	}
	size_t size = p->size;
	OSSL_PARAM list[4], *end = list;
	*end++ = OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size);
	if (p->salt.given)
		*end++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_SALT, p->salt.p, p->salt.n);
	if (p->person.given)
		*end++ = OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_CUSTOM, p->person.p, p->person.n);
	*end = OSSL_PARAM_construct_end();
	s->mac = EVP_MAC_CTX_new(blake2bmac);
	return result(s->mac != NULL && EVP_MAC_init(s->mac, p->key.p, p->key.n, list));
}

static answer update(state *s, const uint8_t *in, size_t n)
{
	return result(s->md != NULL ? EVP_DigestUpdate(s->md, in, n) : EVP_MAC_update(s->mac, in, n));
}

static answer final(state *s, uint8_t *out, size_t size)
{
	size_t n = size;
	return result(s->md != NULL ? EVP_DigestFinal_ex(s->md, out, NULL) : EVP_MAC_final(s->mac, out, &n, size));
}

static answer reset(state *s)
{
	return result(s->md != NULL ? EVP_DigestInit_ex2(s->md, NULL, NULL) : EVP_MAC_init(s->mac, NULL, 0, NULL));
}

static answer copy(state *to, const state *from)
{
	if (from->mac != NULL)
		return result((to->mac = EVP_MAC_CTX_dup(from->mac)) != NULL);
	to->md = EVP_MD_CTX_new();
	return result(to->md != NULL && EVP_MD_CTX_copy_ex(to->md, from->md));
}

static void end(state *s)
{
	EVP_MD_CTX_free(s->md);
	EVP_MAC_CTX_free(s->mac);
}

static const struct port port = {
	.name = "openssl",
	.version = version,
	.init = init,
	.state_size = sizeof(state),
	.start = start,
	.update = update,
	.final = final,
	.after_final = NOTHING, // EVP_DigestInit(3), life_cycle-mac(7)
	.reset = reset,
	.copy = copy,
	.end = end,
};
