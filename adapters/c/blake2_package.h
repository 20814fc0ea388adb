// The API of the BLAKE2 package, which many have taken over: blake2b_init,
// _init_key, _init_param, _update, _final, and structures with known fields.
// A port's file declares these, defines NAME, and includes this file. It defines
// ALL where blake2xb_* and the static blake2b_compress are there, too.

#include "protocol.h"

struct state {
	blake2b_state s;
#ifdef ALL
	bool is_xof;
	blake2xb_state xof;
#endif
};

// little stores n bytes, as the parameter block has them.
static void little(void *field, size_t n, uint64_t value)
{
	for (uint8_t *p = field; n > 0; n--, value >>= 8)
		*p++ = (uint8_t)value;
}

static answer start_param(state *s, const struct params *p)
{
	blake2b_param block = {.digest_length = (uint8_t)p->size, .fanout = 1, .depth = 1};
	if (p->key.given)
		return UNSUPPORTED("a key beside salt, personalization and tree: blake2b_init_param takes none");
	if (p->size > UINT8_MAX)
		return UNSUPPORTED("digest length above 255 beside salt, personalization and tree");
	if ((p->salt.given && p->salt.n != sizeof block.salt) || (p->person.given && p->person.n != sizeof block.personal))
		return UNSUPPORTED("salt and personalization of other than 16 bytes");
	if (p->salt.given)
		memcpy(block.salt, p->salt.p, sizeof block.salt);
	if (p->person.given)
		memcpy(block.personal, p->person.p, sizeof block.personal);
	if (p->tree.given) {
		if (sizeof block.node_offset < 8 && p->tree.node_offset > UINT32_MAX)
			return UNSUPPORTED("a node offset above 32 bits");
		block.fanout = p->tree.fanout;
		block.depth = p->tree.depth;
		little(&block.leaf_length, sizeof block.leaf_length, p->tree.leaf_length);
		little(&block.node_offset, sizeof block.node_offset, p->tree.node_offset);
		block.node_depth = p->tree.node_depth;
		block.inner_length = p->tree.inner_length;
	}
	if (blake2b_init_param(&s->s, &block) != 0)
		return ERROR("blake2b_init_param failed");
	s->s.last_node = p->tree.last;
	return OK;
}

static answer start(state *s, const struct params *p)
{
	if (p->salt.given || p->person.given || p->tree.given)
		return start_param(s, p);
	if (p->key.given)
		return blake2b_init_key(&s->s, p->size, p->key.p, p->key.n) == 0 ? OK : ERROR("blake2b_init_key failed");
	return blake2b_init(&s->s, p->size) == 0 ? OK : ERROR("blake2b_init failed");
}

static answer update(state *s, const uint8_t *in, size_t n)
{
#ifdef ALL
	if (s->is_xof)
		return blake2xb_update(&s->xof, in, n) == 0 ? OK : ERROR("blake2xb_update failed");
#endif
	return blake2b_update(&s->s, in, n) == 0 ? OK : ERROR("blake2b_update failed");
}

static answer final(state *s, uint8_t *out, size_t size)
{
#ifdef ALL
	if (s->is_xof)
		return blake2xb_final(&s->xof, out, size) == 0 ? OK : ERROR("blake2xb_final failed");
#endif
	return blake2b_final(&s->s, out, size) == 0 ? OK : ERROR("blake2b_final failed");
}

static answer copy(state *to, const state *from)
{
	*to = *from;
	return OK;
}

static answer set_t(state *s, const uint64_t t[2])
{
	s->s.t[0] = t[0];
	s->s.t[1] = t[1];
	return OK;
}

#ifdef ALL
static answer start_xof(state *s, const struct params *p)
{
	size_t size = p->size_given ? p->size : UINT32_MAX; // which says that it is unknown
	s->is_xof = true;
	if (p->key.given)
		return blake2xb_init_key(&s->xof, size, p->key.p, p->key.n) == 0 ? OK : ERROR("blake2xb_init_key failed");
	return blake2xb_init(&s->xof, size) == 0 ? OK : ERROR("blake2xb_init failed");
}

static answer compress(struct compression *c)
{
	blake2b_state s = {.last_node = 0};
	if (c->rounds != 12)
		return UNSUPPORTED("other than 12 rounds");
	memcpy(s.h, c->h, sizeof s.h);
	memcpy(s.t, c->t, sizeof s.t);
	memcpy(s.f, c->f, sizeof s.f);
	blake2b_compress(&s, c->block);
	memcpy(c->h, s.h, sizeof s.h);
	return OK;
}
#endif

static const struct port port = {
	.name = NAME,
	.state_size = sizeof(state),
	.start = start,
	.update = update,
	.final = final,
	.copy = copy,
	.set_t = set_t,
#ifdef ALL
	.start_xof = start_xof,
	.compress = compress,
#endif
};
