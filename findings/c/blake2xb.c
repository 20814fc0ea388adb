// BLAKE2 package (npm blake2 5.0.1), ref and sse: if a BLAKE2Xb's length is not known in advance, its first bytes depend
// on how many are read.
// $ cc -I ../adapters/c/node_modules/blake2/src/BLAKE2/ref c/blake2xb.c && ./a.out
#include "blake2b-ref.c"
#include "blake2xb-ref.c"
#include <stdio.h>

static int byte64(size_t length)
{
	blake2xb_state s;
	uint8_t out[128];
	blake2xb_init(&s, 0xffffffff); // "unknown length"
	blake2xb_update(&s, "abc", 3);
	blake2xb_final(&s, out, length);
	return out[64];
}

int main(void)
{
	puts("the last of 65 bytes");
	printf("got  %02x\n", byte64(65));
	printf("want %02x, as when 128 are read\n", byte64(128));
}
