// libgcrypt: gcry_md_* with GCRY_MD_BLAKE2B_*, documented in its manual,
// chapter "Hashing".

#include <gcrypt.h>

#include "protocol.h"

struct state {
	gcry_md_hd_t md;
};

static const char *version(void)
{
	return gcry_check_version(NULL);
}

static bool init(int argc, char **argv)
{
	(void)argc, (void)argv;
	return gcry_check_version(NULL) != NULL && gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0) == 0;
}

static answer result(gcry_error_t code)
{
	return code == 0 ? OK : say("error", gcry_strerror(code));
}

static answer start(state *s, const struct params *p)
{
	if (p->salt.given || p->person.given || p->tree.given)
		return UNSUPPORTED("salt, personalization and tree");
	char name[32];
	snprintf(name, sizeof name, "BLAKE2B_%llu", 8ULL * p->size);
	int algo = gcry_md_map_name(name);
	if (algo == 0)
		return UNSUPPORTED("digest lengths other than 20, 32, 48 and 64");
	gcry_error_t code = gcry_md_open(&s->md, algo, 0);
	if (code == 0 && p->key.given)
		code = gcry_md_setkey(s->md, p->key.p, p->key.n);
	return result(code);
}

static answer update(state *s, const uint8_t *in, size_t n)
{
	gcry_md_write(s->md, in, n);
	return OK;
}

static answer final(state *s, uint8_t *out, size_t size)
{
	const unsigned char *digest = gcry_md_read(s->md, 0);
	if (digest == NULL)
		return ERROR("gcry_md_read failed");
	memcpy(out, digest, size); // there is no more: its length is the algorithm's
	return OK;
}

static answer reset(state *s)
{
	gcry_md_reset(s->md);
	return OK;
}

static answer copy(state *to, const state *from)
{
	return result(gcry_md_copy(&to->md, from->md));
}

static void end(state *s)
{
	gcry_md_close(s->md);
}

static const struct port port = {
	.name = "libgcrypt",
	.version = version,
	.init = init,
	.state_size = sizeof(state),
	.start = start,
	.update = update,
	.final = final,
	.after_final = FINAL_ONLY, // gcry_md_read implies gcry_md_final, after which nothing is to be written
	.reset = reset,
	.copy = copy,
	.end = end,
};
