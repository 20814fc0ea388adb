// wolfCrypt 5.5.4: a digest length is taken modulo 256, and a second final gives another digest.
// $ cc c/wolfcrypt.c -lwolfssl && ./a.out
#include <wolfssl/options.h>
#include <wolfssl/wolfcrypt/blake2.h>
#include <stdio.h>

int main(void)
{
	Blake2b s;
	byte out[4];

	puts("a digest of 257 bytes");
	printf("got  %d\n", wc_InitBlake2b(&s, 257));
	printf("want %d, as for 65 bytes\n", wc_InitBlake2b(&s, 65));

	puts("a second final");
	wc_InitBlake2b(&s, sizeof out);
	wc_Blake2bFinal(&s, out, sizeof out);
	printf("first %02x%02x%02x%02x\n", out[0], out[1], out[2], out[3]);
	int error = wc_Blake2bFinal(&s, out, sizeof out);
	printf("got  %d, %02x%02x%02x%02x\n", error, out[0], out[1], out[2], out[3]);
	puts("want an error, or the first digest");
}
