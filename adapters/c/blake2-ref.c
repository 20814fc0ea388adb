// The reference implementation of the BLAKE2 package, in portable C. It is
// included, since its blake2b_compress is static. Documented in its header.

#include <ref/blake2b-ref.c>
#include <ref/blake2xb-ref.c>

#define NAME "blake2-ref"
#define ALL
#include "blake2_package.h"
