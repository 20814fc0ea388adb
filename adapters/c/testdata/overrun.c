// Functions of one call for anylib to find fault with, but for the first. What
// they compute is no BLAKE2b.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static volatile uint8_t sink;
static volatile uint8_t *volatile nowhere = (volatile uint8_t *)16;

static void absorb(uint64_t *h, const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		*h = (*h ^ p[i]) * 0x100000001b3;
}

static void squeeze(uint64_t h, uint8_t *out, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		h ^= h >> 29;
		h *= 0x100000001b3;
		out[i] = (uint8_t)(h >> 56);
	}
}

int sound(uint8_t *out, size_t outlen, const uint8_t *key, size_t keylen, const uint8_t *in, size_t inlen)
{
	uint64_t h = 0xcbf29ce484222325;
	if (outlen < 1 || outlen > 64 || keylen > 64)
		return -1;
	absorb(&h, key, keylen);
	absorb(&h, in, inlen);
	squeeze(h, out, outlen);
	return 0;
}

#define FAULTY(name, fault)                                                                                           \
	int name(uint8_t *out, size_t outlen, const uint8_t *key, size_t keylen, const uint8_t *in, size_t inlen)      \
	{                                                                                                              \
		fault return sound(out, outlen, key, keylen, in, inlen);                                               \
	}

FAULTY(reads_past_in, sink = in[inlen];)
FAULTY(reads_before_in, sink = in[-1];)
FAULTY(reads_past_key, if (key != NULL) sink = key[keylen];)
FAULTY(writes_past_out, out[outlen] ^= 1;)
FAULTY(writes_before_out, out[-1] ^= 1;)
FAULTY(writes_out_first, memset(out, 0, outlen);)
FAULTY(writes_in, if (inlen > 0)((uint8_t *)in)[inlen - 1] ^= 1;)
FAULTY(writes_in_back, for (size_t i = 0; i < inlen; i++)((volatile uint8_t *)in)[i] = in[i];)
FAULTY(takes_words, in -= (uintptr_t)in % sizeof(uint64_t);)
FAULTY(remembers, static uint8_t calls; calls++; inlen = inlen > 0 && calls % 8 == 0 ? inlen - 1 : inlen;)
FAULTY(goes_astray, *nowhere = 0;)
