// BLAKE2b with all parameters (RFC 7693, section 3.3; BLAKE2 paper, section 2.5) over
// the F of blake2b.c, behind the line protocol.

#include "../../adapters/c/protocol.h"

#include "blake2b.c" // not compiled apart, for its iv is static

struct blake2b {
	uint64_t h[8], t[2]; // t counts what was compressed
	uint8_t block[128];  // is held back until more follows: the last one has a flag
	size_t n;            // of its bytes
	bool last_node;
};

struct state {
	struct blake2b now, fresh;
};

static void compress_block(struct blake2b *b, const uint64_t f[2])
{
	b->t[0] += b->n;
	b->t[1] += b->t[0] < b->n;
	blake2b_compress(b->h, b->block, b->t, f);
	b->n = 0;
}

static answer start(state *s, const struct params *p)
{
	const struct tree tree = p->tree.given ? p->tree : (struct tree){.fanout = 1, .depth = 1};
	struct blake2b b = {.last_node = tree.last};
	if (p->size < 1 || p->size > 64)
		return ERROR("digest length is not 1 to 64");
	if (p->key.n > 64 || p->salt.n > 16 || p->person.n > 16)
		return ERROR("key is above 64 bytes, or salt or personalization above 16");
	uint8_t block[64] = {(uint8_t)p->size, (uint8_t)p->key.n, tree.fanout, tree.depth};
	for (int i = 0; i < 4; i++)
		block[4 + i] = (uint8_t)(tree.leaf_length >> 8 * i);
	for (int i = 0; i < 8; i++)
		block[8 + i] = (uint8_t)(tree.node_offset >> 8 * i);
	block[16] = tree.node_depth;
	block[17] = tree.inner_length;
	if (p->salt.n > 0)
		memcpy(block + 32, p->salt.p, p->salt.n);
	if (p->person.n > 0)
		memcpy(block + 48, p->person.p, p->person.n);
	for (int i = 0; i < 8; i++)
		b.h[i] = iv[i] ^ little(block + 8 * i);
	if (p->key.n > 0) {
		memcpy(b.block, p->key.p, p->key.n); // and zeros
		b.n = sizeof b.block;
	}
	s->now = s->fresh = b;
	return OK;
}

static answer update(state *s, const uint8_t *in, size_t n)
{
	static const uint64_t f[2];
	struct blake2b *b = &s->now;
	while (n > 0) {
		if (b->n == sizeof b->block)
			compress_block(b, f);
		size_t k = sizeof b->block - b->n;
		if (k > n)
			k = n;
		memcpy(b->block + b->n, in, k);
		b->n += k;
		in += k;
		n -= k;
	}
	return OK;
}

static answer final(state *s, uint8_t *out, size_t size)
{
	struct blake2b b = s->now;
	const uint64_t f[2] = {UINT64_MAX, b.last_node ? UINT64_MAX : 0};
	memset(b.block + b.n, 0, sizeof b.block - b.n);
	compress_block(&b, f);
	for (size_t i = 0; i < size; i++)
		out[i] = (uint8_t)(b.h[i / 8] >> 8 * (i % 8));
	return OK;
}

static answer reset(state *s)
{
	s->now = s->fresh;
	return OK;
}

static answer copy(state *to, const state *from)
{
	*to = *from;
	return OK;
}

static answer set_t(state *s, const uint64_t t[2])
{
	memcpy(s->now.t, t, sizeof s->now.t);
	return OK;
}

static answer compress(struct compression *c)
{
	if (c->rounds != 12)
		return UNSUPPORTED("other than 12 rounds");
	blake2b_compress(c->h, c->block, c->t, c->f);
	return OK;
}

static const struct port port = {
	.name = BLAKE2B_UNROLL ? "c-unrolled" : "c-rolled",
	.state_size = sizeof(state),
	.start = start,
	.update = update,
	.final = final,
	.reset = reset,
	.copy = copy,
	.set_t = set_t,
	.compress = compress,
};
