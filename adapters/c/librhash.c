// librhash: rhash_init, _update, _final, _print, _reset, _export and _import,
// documented in rhash.h.

#include <rhash.h>

#include "protocol.h"

struct state {
	rhash context;
};

static const char *version(void)
{
	static char text[32];
	unsigned long long v = rhash_get_version();
	snprintf(text, sizeof text, "%llu.%llu.%llu", v >> 24 & 255, v >> 16 & 255, v >> 8 & 255);
	return text;
}

static bool init(int argc, char **argv)
{
	(void)argc, (void)argv;
	rhash_library_init();
	return true;
}

static answer start(state *s, const struct params *p)
{
	if (p->key.given || p->salt.given || p->person.given || p->tree.given)
		return UNSUPPORTED("key, salt, personalization and tree");
	if (p->size != (size_t)rhash_get_digest_size(RHASH_BLAKE2B))
		return UNSUPPORTED("a digest length other than 64");
	s->context = rhash_init(RHASH_BLAKE2B);
	return s->context != NULL ? OK : ERROR("rhash_init failed");
}

static answer update(state *s, const uint8_t *in, size_t n)
{
	return rhash_update(s->context, in, n) == 0 ? OK : ERROR("rhash_update failed");
}

static answer final(state *s, uint8_t *out, size_t size)
{
	if (rhash_final(s->context, NULL) != 0)
		return ERROR("rhash_final failed");
	return rhash_print((char *)out, s->context, RHASH_BLAKE2B, RHPR_RAW) == size ? OK : ERROR("rhash_print failed");
}

static answer reset(state *s)
{
	rhash_reset(s->context);
	return OK;
}

static answer save(state *s)
{
	size_t size = rhash_export(s->context, NULL, 0);
	if (size == 0)
		return UNSUPPORTED("save: rhash_export failed");
	void *memory = malloc(size);
	rhash imported = memory != NULL && rhash_export(s->context, memory, size) == size ? rhash_import(memory, size) : NULL;
	free(memory);
	if (imported == NULL)
		return ERROR("rhash_import failed");
	rhash_free(s->context);
	s->context = imported;
	return OK;
}

static void end(state *s)
{
	rhash_free(s->context);
}

static const struct port port = {
	.name = "librhash",
	.version = version,
	.init = init,
	.state_size = sizeof(state),
	.start = start,
	.update = update,
	.final = final,
	.after_final = FINAL_ONLY, // "call rhash_reset() to reuse ctx"
	.reset = reset,
	.save = save,
	.end = end,
};
