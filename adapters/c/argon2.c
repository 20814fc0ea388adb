// libargon2: the BLAKE2b inside Argon2, internal, which only the static library
// shows. So it is declared here.

#include <stddef.h>
#include <stdint.h>

#pragma pack(push, 1)
typedef struct {
	uint8_t digest_length, key_length, fanout, depth;
	uint32_t leaf_length;
	uint64_t node_offset;
	uint8_t node_depth, inner_length, reserved[14], salt[16], personal[16];
} blake2b_param;
#pragma pack(pop)

typedef struct {
	uint64_t h[8], t[2], f[2];
	uint8_t buf[128];
	unsigned buflen, outlen;
	uint8_t last_node;
} blake2b_state;

int blake2b_init(blake2b_state *s, size_t outlen);
int blake2b_init_key(blake2b_state *s, size_t outlen, const void *key, size_t keylen);
int blake2b_init_param(blake2b_state *s, const blake2b_param *p);
int blake2b_update(blake2b_state *s, const void *in, size_t inlen);
int blake2b_final(blake2b_state *s, void *out, size_t outlen);

#define NAME "argon2"
#include "blake2_package.h"
