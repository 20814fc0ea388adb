// The SSE implementation of the BLAKE2 package. Which instructions it uses, and
// what its NAME is, are the compiler's options.

#include <sse/blake2b.c>
#include <sse/blake2xb.c>

#define ALL
#include "blake2_package.h"
