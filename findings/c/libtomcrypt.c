// LibTomCrypt 1.18.2: a second blake2b_done returns CRYPT_OK and writes nothing.
// $ cc c/libtomcrypt.c -ltomcrypt && ./a.out
#include <stdio.h>
#include <string.h>
#include <tomcrypt.h>

int main(void)
{
	hash_state s;
	unsigned char out[4];
	blake2b_init(&s, sizeof out, NULL, 0);
	blake2b_done(&s, out);
	printf("first %02x%02x%02x%02x\n", out[0], out[1], out[2], out[3]);
	memset(out, 0xee, sizeof out);
	int error = blake2b_done(&s, out);
	printf("got  %s, %02x%02x%02x%02x\n", error_to_string(error), out[0], out[1], out[2], out[3]);
	puts("want an error, or the first digest");
}
