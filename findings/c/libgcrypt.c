// libgcrypt 1.10.1: gcry_md_reset drops the key of BLAKE2, but not of HMAC, and an empty key is hashed as a block of zeros.
// $ cc c/libgcrypt.c -lgcrypt && ./a.out
#include <gcrypt.h>
#include <stdio.h>

static gcry_md_hd_t keyed(int algorithm, int flags, const char *key, size_t length)
{
	gcry_md_hd_t h;
	gcry_md_open(&h, algorithm, flags);
	gcry_md_setkey(h, key, length);
	return h;
}

static void print(const char *what, gcry_md_hd_t h)
{
	const unsigned char *d = gcry_md_read(h, 0);
	printf("%s %02x%02x%02x%02x%02x%02x%02x%02x\n", what, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
}

int main(void)
{
	gcry_check_version(NULL);

	puts("BLAKE2b with a key, reset");
	gcry_md_hd_t h = keyed(GCRY_MD_BLAKE2B_256, 0, "\x00\xff", 2);
	gcry_md_reset(h);
	print("got ", h);
	print("want", keyed(GCRY_MD_BLAKE2B_256, 0, "\x00\xff", 2));

	puts("HMAC-SHA-256 with a key, reset");
	h = keyed(GCRY_MD_SHA256, GCRY_MD_FLAG_HMAC, "\x00\xff", 2);
	gcry_md_reset(h);
	print("got ", h);
	print("want", keyed(GCRY_MD_SHA256, GCRY_MD_FLAG_HMAC, "\x00\xff", 2));

	puts("BLAKE2b with an empty key");
	print("got ", keyed(GCRY_MD_BLAKE2B_256, 0, "", 0));
	gcry_md_open(&h, GCRY_MD_BLAKE2B_256, 0);
	print("want", h);
}
