// Any shared library with a BLAKE2b of one call: anylib LIBRARY FUNCTION ORDER.
// It is called under many memory layouts, and must work in all of them. ORDER is
// that of the arguments:
//
//	rfc     out, outlen, key, keylen, in, inlen (RFC 7693, appendix C)
//	sodium  out, outlen, in, inlen, key, keylen (with an inlen of 64 bits)
//	blake2  out, in, key, outlen, inlen, keylen (the BLAKE2 package, libb2)

#define _GNU_SOURCE // dladdr
#include <dlfcn.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include "protocol.h"

struct state {
	char none;
};

typedef int rfc_order(void *out, size_t outlen, const void *key, size_t keylen, const void *in, size_t inlen);
typedef int sodium_order(unsigned char *out, size_t outlen, const unsigned char *in, unsigned long long inlen, const unsigned char *key, size_t keylen);
typedef int blake2_order(uint8_t *out, const void *in, const void *key, size_t outlen, size_t inlen, size_t keylen);

static union {
	void *symbol; // POSIX lets it be any of these
	rfc_order *rfc;
	sodium_order *sodium;
	blake2_order *blake2;
} function;

static const char *function_name;
static enum { RFC, SODIUM, BLAKE2 } order;

enum { MARGIN = 128, MANY = 1 << 16, MOST = 1 << 24 };

// A buffer is n bytes in memory that has an inaccessible page on either side.
// What surrounds them is of known content.
struct buffer {
	const char *name;
	uint8_t *start, *end; // of what is accessible
	uint8_t *shadow;      // what it was before a call
	uint8_t *p;
	size_t n;
} out = {.name = "out"}, in = {.name = "in"}, key = {.name = "key"};

enum place { MIDDLE, AT_START, AT_END };
enum overlap { APART, SAME, FIRST_BYTE, LAST_BYTE, SAME_END, KEY };

struct layout {
	const char *name;
	enum place place;
	size_t misaligned;
	enum overlap overlap;
	bool read_only, few; // few: also if the message is long
};

static const struct layout layouts[] = {
	{.name = "buffers apart", .few = true},
	{.name = "buffers that end at an inaccessible page", .place = AT_END, .few = true},
	{.name = "buffers that begin after an inaccessible page", .place = AT_START, .few = true},
	{.name = "in and key read-only", .read_only = true},
	{.name = "out is in", .overlap = SAME, .few = true},
	{.name = "out ends where in ends", .overlap = SAME_END},
	{.name = "out ends with the first byte of in", .overlap = FIRST_BYTE},
	{.name = "out begins with the last byte of in", .overlap = LAST_BYTE},
	{.name = "out is key", .overlap = KEY},
	{.name = "buffers misaligned by 1", .misaligned = 1, .few = true},
	{.name = "buffers misaligned by 2", .misaligned = 2},
	{.name = "buffers misaligned by 3", .misaligned = 3},
	{.name = "buffers misaligned by 4", .misaligned = 4},
	{.name = "buffers misaligned by 5", .misaligned = 5},
	{.name = "buffers misaligned by 6", .misaligned = 6},
	{.name = "buffers misaligned by 7", .misaligned = 7},
	{.name = "buffers misaligned by 8", .misaligned = 8},
	{.name = "buffers misaligned by 9", .misaligned = 9},
	{.name = "buffers misaligned by 10", .misaligned = 10},
	{.name = "buffers misaligned by 11", .misaligned = 11},
	{.name = "buffers misaligned by 12", .misaligned = 12},
	{.name = "buffers misaligned by 13", .misaligned = 13},
	{.name = "buffers misaligned by 14", .misaligned = 14},
	{.name = "buffers misaligned by 15", .misaligned = 15},
};

static answer complain(const struct layout *l, const char *format, ...)
{
	static char line[300];
	int n = snprintf(line, sizeof line, l == layouts ? "error " : "error with %s: ", l->name);
	va_list args;
	va_start(args, format);
	vsnprintf(line + n, sizeof line - (size_t)n, format, args);
	va_end(args);
	return line;
}

// reserve makes a buffer's memory at least so large.
static bool reserve(struct buffer *b, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	if (b->start != NULL && (size_t)(b->end - b->start) >= size)
		return true;
	size = (size + page - 1) / page * page;
	if (b->start != NULL)
		munmap(b->start - page, (size_t)(b->end - b->start) + 2 * page);
	free(b->shadow);
	b->shadow = malloc(size);
	uint8_t *memory = mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	b->start = memory == MAP_FAILED ? NULL : memory + page;
	b->end = b->start + (b->start != NULL ? size : 0);
	return b->shadow != NULL && b->start != NULL && mprotect(b->start, size, PROT_READ | PROT_WRITE) == 0;
}

static void put(struct buffer *b, const struct layout *l, size_t before, const uint8_t *content)
{
	before = (before + 63) / 64 * 64;
	b->p = l->place == AT_START ? b->start : l->place == AT_END ? b->end - b->n : b->start + before + l->misaligned;
	size_t head = (size_t)(b->p - b->start);
	memset(b->start, 0x40 + (int)(l - layouts), head); // so no two layouts have the same
	memset(b->p + b->n, 0xc0 + (int)(l - layouts), (size_t)(b->end - b->p) - b->n);
	if (content != NULL)
		memcpy(b->p, content, b->n);
	else
		memset(b->p, 0xa5, b->n);
}

// arrange puts all buffers where a layout wants them. It says whether this
// layout is another than the first, with buffers of these lengths.
static bool arrange(const struct layout *l, const struct params *p, const uint8_t *message)
{
	const struct buffer *other = l->overlap == KEY ? &key : &in;
	if (l->overlap != APART && (other->n == 0 || out.n == 0 || (l->overlap == SAME_END && in.n < out.n)))
		return false;
	put(&out, l, MARGIN, NULL);
	put(&in, l, MARGIN + out.n, message);
	put(&key, l, MARGIN + out.n, p->key.given ? p->key.p : (const uint8_t *)"");
	switch (l->overlap) {
	case APART:
		break;
	case SAME:
	case KEY:
		out.p = other->p;
		break;
	case FIRST_BYTE:
		out.p = in.p + 1 - out.n;
		break;
	case LAST_BYTE:
		out.p = in.p + in.n - 1;
		break;
	case SAME_END:
		out.p = in.p + in.n - out.n;
		break;
	}
	return true;
}

static sigjmp_buf before_call;
static volatile sig_atomic_t calling;
static uint8_t *volatile fault;

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
	(void)context;
	if (!calling) { // not the library's
		signal(signal_number, SIG_DFL);
		return;
	}
	fault = info->si_addr;
	siglongjmp(before_call, 1);
}

// call calls the function, and says whether it came back.
static bool call(int *result, const uint8_t *k)
{
	if (sigsetjmp(before_call, 0) != 0) {
		calling = 0;
		return false;
	}
	calling = 1;
	switch (order) {
	case RFC:
		*result = function.rfc(out.p, out.n, k, key.n, in.p, in.n);
		break;
	case SODIUM:
		*result = function.sodium(out.p, out.n, in.p, in.n, k, key.n);
		break;
	case BLAKE2:
		*result = function.blake2(out.p, in.p, k, out.n, in.n, key.n);
		break;
	}
	calling = 0;
	return true;
}

// where says where an address is, of the buffer that it is nearest to.
static answer where(const struct layout *l, const char *what, const uint8_t *address)
{
	const struct buffer *buffers[] = {&out, &in, &key};
	for (int i = 0; i < 3; i++) {
		const struct buffer *b = buffers[i];
		long page = sysconf(_SC_PAGESIZE);
		if (address < b->start - page || address >= b->end + page)
			continue;
		if (address < b->p)
			return complain(l, "%s, %ld before %s", what, (long)(b->p - address), b->name);
		if (address >= b->p + b->n)
			return complain(l, "%s, %ld after the last of %s", what, (long)(address - (b->p + b->n)) + 1, b->name);
		return complain(l, "%s, number %ld of %s", what, (long)(address - b->p), b->name);
	}
	return complain(l, "%s, in none of the buffers", what);
}

static void protect(const struct buffer *b, int protection)
{
	if (mprotect(b->start, (size_t)(b->end - b->start), protection) != 0)
		abort();
}

// try_layout calls the function with a layout. The digest is to be the same as
// with the first, to which it is written.
static answer try_layout(const struct layout *l, const struct params *p, const uint8_t *message, uint8_t *digest)
{
	if (!arrange(l, p, message))
		return OK;
	struct buffer *buffers[] = {&out, &in, &key};
	for (int i = 0; i < 3; i++)
		memcpy(buffers[i]->shadow, buffers[i]->start, (size_t)(buffers[i]->end - buffers[i]->start));
	if (l->read_only) {
		protect(&in, PROT_READ);
		protect(&key, PROT_READ);
	}
	int result = 0;
	bool returned = call(&result, p->key.given ? key.p : NULL);
	if (l->read_only) {
		protect(&in, PROT_READ | PROT_WRITE);
		protect(&key, PROT_READ | PROT_WRITE);
	}
	if (!returned)
		return where(l, "access to a byte that is not accessible", fault);
	for (int i = 0; i < 3; i++) {
		struct buffer *b = buffers[i];
		size_t size = (size_t)(b->end - b->start);
		if (out.p >= b->start && out.p < b->end)
			memcpy(b->shadow + (out.p - b->start), out.p, out.n); // what may change
		for (size_t j = 0; memcmp(b->shadow, b->start, size) != 0 && j < size; j++)
			if (b->shadow[j] != b->start[j])
				return where(l, "a changed byte", b->start + j);
	}
	if (result != 0)
		return complain(l, "%s returned %d", function_name, result);
	if (l == layouts)
		memcpy(digest, out.p, out.n);
	return memcmp(digest, out.p, out.n) == 0 ? OK : complain(l, "another digest than with buffers apart");
}

static answer digest_of(const struct params *p, const uint8_t *message, size_t n, uint8_t *digest)
{
	if (p->salt.given || p->person.given || p->tree.given)
		return UNSUPPORTED("salt, personalization and tree");
	if (n > MOST)
		return UNSUPPORTED("a message above 2^24 bytes");
	out.n = p->size;
	in.n = n;
	key.n = p->key.n;
	size_t room = 4 * MARGIN + 2 * out.n;
	if (!reserve(&out, out.n + room) || !reserve(&in, in.n + room) || !reserve(&key, key.n + room))
		return UNSUPPORTED("out of memory");
	answer a = OK;
	for (size_t i = 0; a == OK && i < sizeof layouts / sizeof *layouts; i++)
		if (layouts[i].few || n <= MANY)
			a = try_layout(&layouts[i], p, message, digest);
	return a;
}

static char name[64] = "unknown", version[64] = "unknown";

static const char *get_version(void)
{
	return version;
}

// identify takes name and version from the library's file: libb2.so.1.0.4.
static void identify(void)
{
	static char path[PATH_MAX];
	Dl_info info;
	if (dladdr(function.symbol, &info) == 0 || realpath(info.dli_fname, path) == NULL)
		return;
	char *file = strrchr(path, '/') + 1, *suffix = strstr(file, ".so");
	if (suffix == NULL)
		return;
	if (strncmp(suffix, ".so.", 4) == 0)
		snprintf(version, sizeof version, "%s", suffix + 4);
	snprintf(name, sizeof name, "%.*s/anylib", (int)(suffix - file), file);
}

static bool init(int argc, char **argv)
{
	static const char *const orders[] = {"rfc", "sodium", "blake2"};
	while (argc == 4 && order <= BLAKE2 && strcmp(argv[3], orders[order]) != 0)
		order++;
	if (argc != 4 || order > BLAKE2) {
		fprintf(stderr, "usage: anylib LIBRARY FUNCTION rfc|sodium|blake2\n");
		return false;
	}
	function_name = argv[2];
	void *library = dlopen(argv[1], RTLD_NOW);
	function.symbol = library == NULL ? NULL : dlsym(library, function_name);
	if (function.symbol == NULL) {
		fprintf(stderr, "anylib: %s\n", dlerror());
		return false;
	}
	identify();
	stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
	struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
	return stack.ss_sp != NULL && sigaltstack(&stack, NULL) == 0 && sigaction(SIGSEGV, &action, NULL) == 0 && sigaction(SIGBUS, &action, NULL) == 0;
}

static const struct port port = {
	.name = name,
	.version = get_version,
	.init = init,
	.digest = digest_of,
};
