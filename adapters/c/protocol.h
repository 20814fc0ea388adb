// The line protocol in C: reads requests, has the port do them, writes answers.
//
// A port's file includes this one, completes struct state, defines the port,
// and leaves out what its API does not have.
//
// With -DIN_PROCESS, it is no program but blake2btest_answer, for a fuzzer; and
// what the port reads and writes is memory that ends where it should stop, so that
// a sanitizer sees where it does not.

#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#ifndef IN_PROCESS
#define IN_PROCESS 0
#endif

#ifndef VERSION
#define VERSION "unknown" // for ports that cannot say theirs: build passes it
#endif

// An answer is NULL where all went well, or else the line to be answered.
typedef const char *answer;

#define OK ((answer)NULL)
#define ERROR(text) ("error " text)
#define UNSUPPORTED(text) ("unsupported " text)

struct bytes {
	bool given; // an empty key is another thing than none
	uint8_t *p; // not NULL, if given
	size_t n;
};

struct tree {
	bool given;
	uint8_t fanout, depth;
	uint32_t leaf_length;
	uint64_t node_offset;
	uint8_t node_depth, inner_length;
	bool last;
};

struct params {
	size_t size; // of the digest, or the output of an XOF
	struct bytes key, salt, person;
	struct tree tree;
	uint64_t t[2]; // low word first

	bool size_given, read_given; // of xof: the length is known from the beginning, or not
	bool last;                   // of compress: f[1] is set, too
};

// A compression is one call of F.
struct compression {
	uint32_t rounds;
	uint64_t h[8], t[2], f[2];
	uint8_t block[128];
};

typedef struct state state; // completed by the port

// What may still be done with a state after final, by the documentation.
enum after { ANYTHING, FINAL_ONLY, NOTHING };

// How many bytes of a repeated write are fed at once.
enum { PIECE = 1 << 27 };

static const struct port {
	const char *name;
	const char *(*version)(void); // NULL: VERSION
	bool (*init)(int argc, char **argv);

	size_t state_size;
	answer (*start)(state *, const struct params *); // the state is all zeros
	answer (*update)(state *, const uint8_t *in, size_t n);
	answer (*final)(state *, uint8_t *out, size_t size);
	enum after after_final;

	// What may be missing, as init may.
	answer (*reset)(state *);
	answer (*copy)(state *to, const state *from);
	answer (*save)(state *); // export it, and put in its place what is imported
	answer (*set_t)(state *, const uint64_t t[2]);
	void (*end)(state *); // frees what start, and copy, allocated

	// Starts an XOF, whose output is final's. A size that is not given is not
	// known yet to the hash.
	answer (*start_xof)(state *, const struct params *);

	// Calls F, which changes h.
	answer (*compress)(struct compression *);

	// Instead of start, update and final: an API of one call.
	answer (*digest)(const struct params *, const uint8_t *in, size_t n, uint8_t *out);
} port;

enum verb { DIGESTS, XOF, COMPRESS, ABOUT };
enum op { WRITE, SUM, RESET, NEW, CLONE, SWAP, SAVE };

struct step {
	enum op op;
	uint8_t *p; // of WRITE
	size_t n;
	uint64_t count;
};

struct request {
	enum verb verb;
	struct params params;
	struct step *steps;
	size_t steps_n;
};

// say makes an answer of a word of the request, shortened and in ASCII.
static answer say(const char *text, const char *word)
{
	static char line[160];
	int n = snprintf(line, sizeof line, "%s \"%.40s\"", text, word);
	for (int i = 0; i < n; i++)
		if (line[i] < ' ' || line[i] > '~')
			line[i] = '?';
	return line;
}

static answer parse_decimal(const char *s, uint64_t max, uint64_t *value)
{
	uint64_t n = 0;
	if (*s == '\0' || s[strspn(s, "0123456789")] != '\0' || (s[0] == '0' && s[1] != '\0'))
		return say("error not a decimal number:", s);
	for (const char *d = s; *d != '\0'; d++) {
		uint64_t digit = (uint64_t)(*d - '0');
		if (digit > max || n > (max - digit) / 10)
			return say("error number is too large:", s);
		n = 10 * n + digit;
	}
	*value = n;
	return OK;
}

// parse_hex decodes bytes to where their digits are.
static answer parse_hex(char *s, struct bytes *b)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = strspn(s, digits);
	if (s[n] != '\0')
		return say("error not hex in lower case:", s);
	if (n % 2 != 0)
		return say("error odd number of digits:", s);
	*b = (struct bytes){true, (uint8_t *)s, n / 2};
	for (size_t i = 0; i < b->n; i++) {
		char high = s[2 * i], low = s[2 * i + 1];
		b->p[i] = (uint8_t)((strchr(digits, high) - digits) << 4 | (strchr(digits, low) - digits));
	}
	return OK;
}

static answer parse_tree(char *s, struct tree *t)
{
	static const uint64_t max[7] = {UINT8_MAX, UINT8_MAX, UINT32_MAX, UINT64_MAX, UINT8_MAX, UINT8_MAX, 1};
	uint64_t v[7];
	for (int i = 0; i < 7; i++) {
		char *comma = strchr(s, ',');
		if ((comma == NULL) != (i == 6))
			return ERROR("tree takes 7 fields");
		if (comma != NULL)
			*comma = '\0';
		answer a = parse_decimal(s, max[i], &v[i]);
		if (a != OK)
			return a;
		s = comma != NULL ? comma + 1 : s;
	}
	*t = (struct tree){true, (uint8_t)v[0], (uint8_t)v[1], (uint32_t)v[2], v[3], (uint8_t)v[4], (uint8_t)v[5], v[6] != 0};
	return OK;
}

static answer parse_t(char *s, uint64_t t[2])
{
	struct bytes b;
	answer a = parse_hex(s, &b);
	if (a != OK)
		return a;
	if (b.n != 16)
		return ERROR("t is not of 16 bytes");
	t[0] = t[1] = 0;
	for (int i = 15; i >= 0; i--)
		t[i / 8] = t[i / 8] << 8 | b.p[i];
	return t[0] % 128 == 0 ? OK : ERROR("t is not a multiple of 128");
}

static const struct {
	const char *name, *keys[7];
} verbs[] = {
	[DIGESTS] = {"sum", {"size", "key", "salt", "person", "tree", "t"}},
	[XOF] = {"xof", {"size", "read", "key"}},
	[COMPRESS] = {"compress", {"last"}},
	[ABOUT] = {"about", {NULL}},
};

static answer parse_verb(const char *word, enum verb *verb)
{
	bool has[] = {[DIGESTS] = true, [XOF] = port.start_xof != NULL, [COMPRESS] = port.compress != NULL, [ABOUT] = true};
	for (*verb = DIGESTS; *verb <= ABOUT; ++*verb)
		if (strcmp(word, verbs[*verb].name) == 0)
			return has[*verb] ? OK : say("unsupported verb", word);
	return say("unsupported verb", word);
}

static answer parse_size(const char *value, uint64_t min, uint64_t max, size_t *size)
{
	uint64_t n = 0;
	answer a = parse_decimal(value, max, &n);
	if (a == OK && n < min)
		return ERROR("size or read is too small");
	*size = n > SIZE_MAX ? SIZE_MAX : (size_t)n;
	return a;
}

static bool takes(enum verb verb, const char *key)
{
	for (int i = 0; verbs[verb].keys[i] != NULL; i++)
		if (strcmp(verbs[verb].keys[i], key) == 0)
			return true;
	return false;
}

static answer parse_param(enum verb verb, const char *key, char *value, struct params *p)
{
	if (!takes(verb, key))
		return say("unsupported key", key);
	if (strcmp(key, "size") == 0) {
		p->size_given = true;
		return verb == XOF ? parse_size(value, 1, UINT32_MAX - 1, &p->size) : parse_size(value, 0, UINT32_MAX, &p->size);
	}
	if (strcmp(key, "read") == 0) {
		p->read_given = true;
		return parse_size(value, 1, UINT64_MAX, &p->size);
	}
	if (strcmp(key, "key") == 0)
		return parse_hex(value, &p->key);
	if (strcmp(key, "salt") == 0)
		return parse_hex(value, &p->salt);
	if (strcmp(key, "person") == 0)
		return parse_hex(value, &p->person);
	if (strcmp(key, "tree") == 0)
		return parse_tree(value, &p->tree);
	if (strcmp(key, "t") == 0)
		return parse_t(value, p->t);
	uint64_t last = 0;
	answer a = parse_decimal(value, 1, &last);
	p->last = last != 0;
	return a;
}

static answer parse_step(char *word, struct step *step)
{
	static const char *const ops[] = {NULL, "sum", "reset", "new", "clone", "swap", "save"};
	for (enum op op = SUM; op <= SAVE; op++)
		if (strcmp(word, ops[op]) == 0) {
			*step = (struct step){op, NULL, 0, 0};
			return OK;
		}
	static uint8_t nothing[1];
	*step = (struct step){WRITE, nothing, 0, 1};
	if (strcmp(word, "-") == 0)
		return OK;
	if (*word == '\0')
		return ERROR("empty word");
	char *star = strchr(word, '*');
	if (star != NULL)
		*star = '\0';
	if (word[strcspn(word, "ghijklmnopqrstuvwxyz")] != '\0')
		return say("unsupported step", word);
	struct bytes b = {0};
	answer a = parse_hex(word, &b);
	if (a == OK && star != NULL)
		a = parse_decimal(star + 1, UINT64_MAX, &step->count);
	if (a == OK && (b.n == 0 || step->count == 0))
		a = ERROR("write of nothing has a count");
	step->p = b.p;
	step->n = b.n;
	return a;
}

// next_word cuts a word off, up to a space.
static char *next_word(char **rest)
{
	char *word = *rest;
	if (word != NULL && (*rest = strchr(word, ' ')) != NULL)
		*(*rest)++ = '\0';
	return word;
}

static answer validate(const struct request *r)
{
	const struct params *p = &r->params;
	for (size_t i = 0; r->verb == XOF && i < r->steps_n; i++)
		if (r->steps[i].op != WRITE)
			return UNSUPPORTED("xof with a step other than a write");
	if (r->verb == ABOUT && r->steps_n > 0)
		return ERROR("about takes no steps");
	if (r->verb == COMPRESS && (r->steps_n != 1 || r->steps[0].op != WRITE))
		return ERROR("compress takes one write");
	if (r->verb == XOF && p->size_given == p->read_given)
		return ERROR("xof takes one of size and read");
	return p->key.n > 0 && (p->t[0] | p->t[1]) != 0 ? ERROR("t takes no key") : OK;
}

static answer parse(char *line, struct request *r)
{
	if (*line == '\0')
		return ERROR("empty line");
	char *rest = line, *word = next_word(&rest), *seen[8];
	size_t seen_n = 0;
	answer a = parse_verb(word, &r->verb);
	if (a != OK)
		return a;
	while ((word = next_word(&rest)) != NULL && strcmp(word, ":") != 0) {
		char *equals = strchr(word, '=');
		if (equals == NULL)
			return say("error not key=value:", word);
		*equals = '\0';
		for (size_t i = 0; i < seen_n; i++)
			if (strcmp(seen[i], word) == 0)
				return say("error given twice: key", word);
		if ((a = parse_param(r->verb, word, equals + 1, &r->params)) != OK)
			return a;
		seen[seen_n++] = word; // no more than there are keys
	}
	bool aside = false;
	for (size_t room = 0; (word = next_word(&rest)) != NULL; r->steps_n++) {
		if (r->steps_n == room) {
			room = 2 * room + 8;
			struct step *steps = realloc(r->steps, room * sizeof *steps);
			if (steps == NULL)
				return UNSUPPORTED("so many steps: out of memory");
			r->steps = steps;
		}
		struct step *step = &r->steps[r->steps_n];
		if ((a = parse_step(word, step)) != OK)
			return a;
		if (step->op == SWAP && !aside)
			return ERROR("swap with no state aside");
		aside = aside || step->op == NEW || step->op == CLONE;
	}
	return validate(r);
}

// repeat returns the bytes of a write so many times over: as they are in the
// request, if once in a program, or else in *memory.
static const uint8_t *repeat(const struct step *w, uint64_t times, uint8_t **memory)
{
	if (times == 1 && !IN_PROCESS)
		return w->p;
	if ((*memory = malloc(w->n * (size_t)times)) == NULL)
		return NULL;
	for (uint64_t i = 0; i < times; i++)
		memcpy(*memory + i * w->n, w->p, w->n);
	return *memory;
}

// print_digest prints a digest behind the answer's first words, if all is well.
static answer print_digest(answer (*make)(void *arg, uint8_t *out, size_t size), void *arg, size_t size, FILE *answers)
{
	enum { MARGIN = IN_PROCESS ? 0 : 64 }; // where nothing may be written
	static const char digits[] = "0123456789abcdef";
	if (size > 1 << 20)
		return UNSUPPORTED("a digest of more than 2^20 bytes");
	uint8_t *memory = malloc(size + 2 * MARGIN), *digest = memory + MARGIN;
	if (memory == NULL)
		return UNSUPPORTED("out of memory");
	memset(memory, 0xa5, size + 2 * MARGIN);
	answer a = make(arg, digest, size);
	for (int i = 0; a == OK && i < MARGIN; i++)
		if (memory[i] != 0xa5 || digest[size + i] != 0xa5)
			a = ERROR("the port wrote beside the digest");
	for (size_t i = 0; a == OK && i < size; i++) {
		if (i == 0)
			putc(' ', answers);
		putc(digits[digest[i] >> 4], answers);
		putc(digits[digest[i] & 15], answers);
	}
	free(memory);
	return a;
}

// A slot has a state, or none.
struct slot {
	state *s;
	bool final; // a digest was taken
};

static void vacate(struct slot *slot)
{
	if (slot->s != NULL && port.end != NULL)
		port.end(slot->s);
	free(slot->s);
	*slot = (struct slot){NULL, false};
}

static bool occupy(struct slot *slot)
{
	size_t size = (port.state_size + 63) / 64 * 64; // some states are to be aligned
	vacate(slot);
	slot->s = aligned_alloc(64, size);
	if (slot->s != NULL)
		memset(slot->s, 0, size);
	return slot->s != NULL;
}

static answer start_slot(struct slot *slot, const struct params *p)
{
	return occupy(slot) ? port.start(slot->s, p) : UNSUPPORTED("out of memory");
}

static answer write_step(state *s, const struct step *w)
{
	uint64_t most = w->n == 0 ? 1 : PIECE / w->n; // times in a call
	for (uint64_t left = w->count; left > 0;) {
		uint64_t times = left < most ? left : most;
		uint8_t *memory = NULL;
		const uint8_t *in = repeat(w, times, &memory);
		answer a = in == NULL ? UNSUPPORTED("out of memory") : port.update(s, in, w->n * (size_t)times);
		free(memory);
		if (a != OK)
			return a;
		left -= times;
	}
	return OK;
}

static answer make_final(void *s, uint8_t *out, size_t size)
{
	return port.final(s, out, size);
}

static answer run_step(const struct step *step, const struct params *p, struct slot *current, struct slot *aside, FILE *answers)
{
	if (current->final && step->op != RESET && step->op != NEW && step->op != SWAP &&
	    (port.after_final == NOTHING || (port.after_final == FINAL_ONLY && step->op == WRITE)))
		return UNSUPPORTED("final ends the state");
	struct slot old = *current;
	answer a;
	switch (step->op) {
	case WRITE:
		return write_step(current->s, step);
	case SUM:
		current->final = true;
		return print_digest(make_final, current->s, p->size, answers);
	case RESET:
		current->final = false;
		return port.reset == NULL ? UNSUPPORTED("reset") : port.reset(current->s);
	case NEW:
		return start_slot(aside, p);
	case CLONE:
		if (port.copy == NULL)
			return UNSUPPORTED("clone");
		a = occupy(aside) ? port.copy(aside->s, current->s) : UNSUPPORTED("out of memory");
		aside->final = current->final;
		return a;
	case SWAP:
		*current = *aside;
		*aside = old;
		return OK;
	case SAVE:
		return port.save == NULL ? UNSUPPORTED("save") : port.save(current->s);
	}
	return ERROR("no such step");
}

static answer run_state(const struct request *r, FILE *answers)
{
	static const struct step last = {SUM, NULL, 0, 0};
	struct slot current = {NULL, false}, aside = {NULL, false};
	answer a;
	if (r->verb == XOF)
		a = occupy(&current) ? port.start_xof(current.s, &r->params) : UNSUPPORTED("out of memory");
	else
		a = start_slot(&current, &r->params);
	if (a == OK && (r->params.t[0] | r->params.t[1]) != 0)
		a = port.set_t == NULL ? UNSUPPORTED("t") : port.set_t(current.s, r->params.t);
	for (size_t i = 0; a == OK && i <= r->steps_n; i++)
		a = run_step(i < r->steps_n ? &r->steps[i] : &last, &r->params, &current, &aside, answers);
	vacate(&current);
	vacate(&aside);
	return a;
}

struct call {
	const struct params *params;
	const uint8_t *in;
	size_t n;
};

static answer make_call(void *arg, uint8_t *out, size_t size)
{
	const struct call *c = arg;
	(void)size;
	return port.digest(c->params, c->in, c->n, out);
}

static answer run_call(const struct request *r, FILE *answers)
{
	static const struct step nothing = {WRITE, (uint8_t *)"", 0, 1};
	const struct step *w = r->steps_n == 0 ? &nothing : r->steps;
	if (r->steps_n > 1 || w->op != WRITE || (r->params.t[0] | r->params.t[1]) != 0)
		return UNSUPPORTED("the API is one call, of one message");
	if (w->n != 0 && w->count > PIECE / w->n)
		return UNSUPPORTED("a message above 2^27 bytes");
	uint8_t *memory = NULL;
	struct call c = {&r->params, repeat(w, w->count, &memory), w->n * (size_t)w->count};
	answer a = c.in == NULL ? UNSUPPORTED("out of memory") : print_digest(make_call, &c, r->params.size, answers);
	free(memory);
	return a;
}

static uint64_t load(const uint8_t *p)
{
	uint64_t n = 0;
	for (int i = 7; i >= 0; i--)
		n = n << 8 | p[i];
	return n;
}

// run_compress takes its input apart, which is in the form of EIP-152.
static answer run_compress(const struct request *r, FILE *answers)
{
	const struct step *w = r->steps;
	const uint8_t *p = w->p;
	if (w->n != 213 || w->count != 1)
		return ERROR("the input of compress is not of 213 bytes");
	if (p[212] > 1)
		return ERROR("the final flag is above 1");
	struct compression c = {
		.rounds = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3],
		.t = {load(p + 196), load(p + 204)},
		.f = {p[212] ? UINT64_MAX : 0, r->params.last ? UINT64_MAX : 0},
	};
	for (int i = 0; i < 8; i++)
		c.h[i] = load(p + 4 + 8 * i);
	memcpy(c.block, p + 68, sizeof c.block);
	answer a = port.compress(&c);
	putc(' ', answers);
	for (int i = 0; i < 64; i++)
		fprintf(answers, "%02x", (unsigned)(c.h[i / 8] >> i % 8 * 8 & 255));
	return a;
}

static answer run(const struct request *r, FILE *answers)
{
	uint64_t left = (uint64_t)1 << 33;
	for (size_t i = 0; i < r->steps_n; i++) {
		const struct step *w = &r->steps[i];
		if (w->n != 0 && w->count > left / w->n)
			return UNSUPPORTED("a message above 2^33 bytes");
		left -= w->n * w->count;
	}
	if (r->verb == COMPRESS)
		return run_compress(r, answers);
	return port.digest != NULL ? run_call(r, answers) : run_state(r, answers);
}

// run_exact is run with the parameters in memory of their own.
static answer run_exact(struct request *r, FILE *answers)
{
	struct bytes *fields[] = {&r->params.key, &r->params.salt, &r->params.person};
	answer a = OK;
	for (int i = 0; i < 3; i++)
		if (fields[i]->given) {
			uint8_t *own = malloc(fields[i]->n);
			if (own == NULL)
				a = UNSUPPORTED("out of memory");
			else
				memcpy(own, fields[i]->p, fields[i]->n);
			fields[i]->p = own;
		}
	if (a == OK)
		a = run(r, answers);
	for (int i = 0; i < 3; i++)
		free(fields[i]->p);
	return a;
}

// respond writes the answer to a line.
static void respond(char *line, size_t n, FILE *out)
{
	if (n > 0 && line[n - 1] == '\n')
		line[--n] = '\0';
	if (n > 0 && line[n - 1] == '\r')
		line[--n] = '\0';
	struct request r = {.params = {.size = 64}};
	answer a = n > 1 << 20        ? ERROR("line of more than 2^20 bytes")
		   : strlen(line) < n ? ERROR("line with a byte 0")
				      : parse(line, &r);
	char *text = NULL;
	size_t text_n = 0;
	FILE *answers = open_memstream(&text, &text_n);
	if (answers == NULL)
		exit(1);
	const char *name = getenv("ADAPTER_NAME"); // of a build for another architecture
	if (a == OK && r.verb == ABOUT)
		fprintf(answers, " name=%s version=%s protocol=1", name != NULL && *name != '\0' ? name : port.name, port.version == NULL ? VERSION : port.version());
	else if (a == OK)
		a = IN_PROCESS ? run_exact(&r, answers) : run(&r, answers);
	fclose(answers);
	fprintf(out, "%s%s\n", a == OK ? "ok" : a, a == OK ? text : "");
	free(text);
	free(r.steps);
}

static void start_port(int argc, char **argv)
{
	if (port.init != NULL ? !port.init(argc, argv) : argc != 1) {
		fprintf(stderr, "%s: cannot start\n", port.name);
		exit(2);
	}
}

#if IN_PROCESS
// blake2btest_answer returns the answer to a line of n bytes, with its line break,
// which stays until the next.
const char *blake2btest_answer(const char *line, size_t n, size_t *answer_n);

const char *blake2btest_answer(const char *line, size_t n, size_t *answer_n)
{
	static char *name, *text;
	if (text == NULL)
		start_port(1, &name);
	free(text);
	FILE *out = open_memstream(&text, answer_n);
	char *own = malloc(n + 1); // as parse changes it
	if (out == NULL || own == NULL)
		exit(1);
	memcpy(own, line, n);
	own[n] = '\0';
	respond(own, n, out);
	fclose(out);
	free(own);
	return text;
}
#else
int main(int argc, char **argv)
{
	start_port(argc, argv);
	char *line = NULL;
	size_t room = 0;
	for (ssize_t n; (n = getline(&line, &room, stdin)) > 0;) {
		respond(line, (size_t)n, stdout);
		fflush(stdout);
	}
	free(line);
	return 0;
}
#endif

#endif
