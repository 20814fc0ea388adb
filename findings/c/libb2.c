// libb2 0.98.1: a second blake2b_final succeeds and gives another digest.
// $ cc c/libb2.c -lb2 && ./a.out
#include <blake2.h>
#include <stdio.h>

int main(void)
{
	blake2b_state s;
	uint8_t out[4];
	blake2b_init(&s, sizeof out);
	blake2b_final(&s, out, sizeof out);
	printf("first %02x%02x%02x%02x\n", out[0], out[1], out[2], out[3]);
	int failed = blake2b_final(&s, out, sizeof out);
	printf("got  %d, %02x%02x%02x%02x\n", failed, out[0], out[1], out[2], out[3]);
	puts("want -1, or the first digest");
}
